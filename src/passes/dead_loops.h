/* SPDX-License-Identifier: MIT */
/* dead_loops.h - opt_dead_cf: removal of dead loops. */
#ifndef HEDDLE_PASSES_DEAD_LOOPS_H
#define HEDDLE_PASSES_DEAD_LOOPS_H

#include "passes/splice.h"

/* True if something changed. */
bool hd_remove_dead_loops(hd_function *f, hd_undefs *undefs);

#endif
