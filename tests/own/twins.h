/* SPDX-License-Identifier: MIT */
/* twins.h - own intrinsics that say and do what some of the library's do, so that any program can be
 * written with them.
 */
#ifndef TESTS_OWN_TWINS_H
#define TESTS_OWN_TWINS_H

#include "heddle/heddle.h"

/* The table: the rows of the library under other names, with callbacks. Made at the first call. */
const hd_intrinsic_table *twin_table(void);

/* Put twins in the place of about `part` of 4 instructions that have one; how many. `seed` chooses. */
unsigned make_twins(hd_shader *shader, uint64_t seed, unsigned part);

#endif
