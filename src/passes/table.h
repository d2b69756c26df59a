/* SPDX-License-Identifier: MIT */
/* table.h - the generated table of passes, for the runner. */
#ifndef HEDDLE_PASSES_TABLE_H
#define HEDDLE_PASSES_TABLE_H

#include "heddle/pass.h"

extern const hd_pass hd_pass_table[];
extern const unsigned hd_pass_table_size;

#endif
