#pragma once
#include <gio/gio.h>

/* GVariants are made by variadic functions, which Swift cannot call. */

/* (susssasa{sv}i) of org.freedesktop.Notifications.Notify, floating. */
static inline GVariant *causeway_notify_arguments(
    const char *name, guint32 replaces, const char *icon, const char *summary, const char *body, guint8 urgency, gint32 expiry) {
    GVariantBuilder actions, hints;
    g_variant_builder_init(&actions, G_VARIANT_TYPE("as"));
    g_variant_builder_init(&hints, G_VARIANT_TYPE("a{sv}"));
    g_variant_builder_add(&hints, "{sv}", "urgency", g_variant_new_byte(urgency));
    return g_variant_new("(susssasa{sv}i)", name, replaces, icon, summary, body, &actions, &hints, expiry);
}

/* The answer to Notify. */
static inline guint32 causeway_notify_id(GVariant *answer) {
    guint32 id = 0;
    g_variant_get(answer, "(u)", &id);
    return id;
}

/* The answer to GetCapabilities: whether it has that one. */
static inline gboolean causeway_has_capability(GVariant *answer, const char *name) {
    GVariantIter *words = NULL;
    const char *word = NULL;
    gboolean has = FALSE;
    g_variant_get(answer, "(as)", &words);
    while (g_variant_iter_next(words, "&s", &word)) has = has || g_strcmp0(word, name) == 0;
    g_variant_iter_free(words);
    return has;
}
