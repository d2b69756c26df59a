/* SPDX-License-Identifier: MIT */
/* own_table.h - --intrinsics: a table of a driver's own intrinsics, from a text. */
#ifndef HEDDLE_TOOLS_OWN_TABLE_H
#define HEDDLE_TOOLS_OWN_TABLE_H

#include "tool.h"

typedef struct own_table own_table;

/* NULL: a message was printed, and *status is the exit code. */
own_table *own_table_read(const tool *t, const char *path, int *status);
/* NULL is allowed. No shader may be left that was made with it. */
void own_table_free(own_table *t);
const hd_intrinsic_table *own_table_of(const own_table *t);

#endif
