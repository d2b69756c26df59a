/* SPDX-License-Identifier: MIT */
/* table.h - the generated tables of passes and pipelines, for the runner. */
#ifndef HEDDLE_PASSES_TABLE_H
#define HEDDLE_PASSES_TABLE_H

#include "heddle/pass.h"

extern const hd_pass hd_pass_table[];
extern const unsigned hd_pass_table_size;

extern const hd_pipeline hd_pipeline_table[];
extern const unsigned hd_pipeline_table_size;

#endif
