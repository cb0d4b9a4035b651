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

/* What GIO finds wrong with a bus it writes to standard error, where our own line is to stand alone. */
static inline GLogWriterOutput causeway_log_writer(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer nothing) {
    for (gsize i = 0; i < count; i++) {
        if (g_strcmp0(fields[i].key, "GLIB_DOMAIN") == 0 && g_strcmp0(fields[i].value, "GLib-GIO") == 0) return G_LOG_WRITER_HANDLED;
    }
    return g_log_writer_default(level, fields, count, nothing);
}

/* May be set once only: a second writer would end the program. */
static inline void causeway_quiet_bus(void) {
    static gsize once = 0;
    if (g_once_init_enter(&once)) {
        g_log_set_writer_func(causeway_log_writer, NULL, NULL);
        g_once_init_leave(&once, 1);
    }
}
