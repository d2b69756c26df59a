/* SPDX-License-Identifier: MIT */
/* db.h - figures of many modules: files of one JSON object a line, sorted by the module's name. */
#ifndef HEDDLE_TOOLS_DB_H
#define HEDDLE_TOOLS_DB_H

#include "tool.h"

enum { DB_MAX_KEYS = 16 };

typedef struct db_row {
   char *name;                  /* escaped as it is in the file */
   const char *target;          /* NULL: the row has none */
   bool refused;                /* the target refused it: no figures */
   uint64_t value[DB_MAX_KEYS]; /* by db.keys */
} db_row;

typedef struct db {
   char *text; /* of the file, cut into names; keys point into it */
   const char *keys[DB_MAX_KEYS];
   unsigned num_keys;
   db_row *rows;
   size_t num_rows;
} db;

/* What a file holds. False: a message was printed. db_free() in both cases. */
bool db_read(const tool *t, const char *path, db *d);
void db_free(db *d);

/* heddle db compare: the exit code. */
int db_compare(tool *t, const char *before, const char *after);

#endif
