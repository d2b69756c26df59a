/* SPDX-License-Identifier: MIT */
/* opt_if.h - what the two files of opt_if share: opt_if.c finds what can be done and rewrites
 * operands, if_merge.c changes the tree.
 */
#ifndef HEDDLE_PASSES_OPT_IF_H
#define HEDDLE_PASSES_OPT_IF_H

#include "passes/splice.h"

/* node.mark of an `if`: its arms are to go to the ends of those of the `if` before it; it and the
 * `if` that is all of its arm may become one; lanes diverge there, which is known of those two alone.
 */
#define IF_MERGES    1u
#define IF_NESTS     2u
#define IF_DIVERGENT 4u

/* The `if` that is all of an arm of another one, but for a few ops before it, where nothing is in
 * the other arms; or NULL. `selects`: who takes none finds other values after the one than after the
 * other, and there are few enough of them.
 */
hd_if *hd_if_nested(hd_if *nif, bool *selects);

/* Swap the arms of every `if` on a negation, which then is on what was negated. */
bool hd_if_swap_negated(hd_function *f);

/* Do what is marked, and put before an `if` what both arms begin with. `values`: phis, and ops,
 * that are replaced; `merges`: some `if` is marked IF_MERGES.
 */
bool hd_if_change_tree(hd_function *f, replaced *values, bool merges);

#endif
