#pragma once
#include <sqlite3.h>

// SQLITE_TRANSIENT is a macro that Swift does not import: SQLite copies the bytes.
static inline int causeway_sqlite_bind_text(sqlite3_stmt *statement, int index, const char *text, int count) {
    return sqlite3_bind_text(statement, index, text, count, SQLITE_TRANSIENT);
}
static inline int causeway_sqlite_bind_blob(sqlite3_stmt *statement, int index, const void *bytes, int count) {
    return count == 0 ? sqlite3_bind_zeroblob(statement, index, 0) : sqlite3_bind_blob(statement, index, bytes, count, SQLITE_TRANSIENT);
}
