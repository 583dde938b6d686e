#ifndef MYNAH_CSQLITE_SHIM_H
#define MYNAH_CSQLITE_SHIM_H

#include <sqlite3.h>

// Swift calls no function with a variable number of arguments.
static inline int mynah_sqlite3_keep_wal_at_close(sqlite3 *database) {
    return sqlite3_db_config(database, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

#endif
