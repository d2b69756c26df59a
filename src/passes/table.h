/* SPDX-License-Identifier: MIT */
/* table.h - the generated tables of passes and pipelines, for the runner; steps. */
#ifndef HEDDLE_PASSES_TABLE_H
#define HEDDLE_PASSES_TABLE_H

#include "heddle/pass.h"

extern const hd_pass hd_pass_table[];
extern const unsigned hd_pass_table_size;

extern const hd_pipeline hd_pipeline_table[];
extern const unsigned hd_pipeline_table_size;

/* Has the option the same value in two steps of one pass? */
bool hd_pass_same_value(const hd_pass_step *a, const hd_pass_step *b, uint32_t option);

#endif
