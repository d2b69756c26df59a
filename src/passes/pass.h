/* SPDX-License-Identifier: MIT */
/* pass.h - included by every pass.
 *
 * A pass is `bool hd_opt_x(hd_function *f)`. It ends in `return hd_progress(f, progress, kept)`,
 * where `kept` is OPT_X_KEEPS: the row of passes/passes.py says what a pass needs and keeps, and
 * nothing else does. A call that fails for want of memory or steps does not return to the pass, so
 * it checks for nothing; what it allocates is from the scratch stack, which the runner releases.
 */
#ifndef HEDDLE_PASSES_PASS_H
#define HEDDLE_PASSES_PASS_H

#include "heddle/analysis.h"
#include "heddle/edit.h"
#include "heddle/ops.h"
#include "ir/private.h"
#include "pass_table.h"

/* Count work: about one step for each instruction, block or source that is looked at. */
static inline void
pass_step(hd_function *f, uint64_t steps)
{
   hd_heap_step(hd_shader_heap(f->shader), steps);
}

#endif
