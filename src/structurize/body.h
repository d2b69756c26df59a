/* SPDX-License-Identifier: MIT */
/* body.h - change a function on a copy of its body, which replaces the original at the end.
 *
 *    hd_function *work = hd_body_copy(f);
 *    ... change `work`; an unwinding ends in hd_body_drop(work) ...
 *    hd_body_swap(f, work);
 *
 * `work` is a function of the same shader that no list shows: neither walks over the shader's
 * functions nor lookups by name find it. Names of its blocks and values are in the shader's table.
 */
#ifndef HEDDLE_STRUCTURIZE_BODY_H
#define HEDDLE_STRUCTURIZE_BODY_H

#include "ir/private.h"

/* What the doors begin with: a full budget, and a function that is known to be valid. Inside a pass
 * it is, and the budget is the pass's.
 */
hd_result hd_body_begin(hd_function *f);

/* A copy of f: its blocks and values have the indices that they have in f. Called inside an
 * unwinding point; it unwinds when memory runs out, and then nothing was made.
 */
hd_function *hd_body_copy(hd_function *f);

/* The body of `work` becomes that of f, with its variables; what f had, and `work`, are gone.
 * Metadata of both is dropped. Cannot fail.
 */
void hd_body_swap(hd_function *f, hd_function *work);

/* Give it back unused, in whatever state an unwinding left it: only the lists must be whole, as
 * they are at every allocation. NULL is allowed.
 */
void hd_body_drop(hd_function *work);

#endif
