/* SPDX-License-Identifier: MIT */
/* walk.h - one lane walks through a flat function along a list of choices, and tells what it
 * stored.
 *
 * For passes that keep blocks and edges as they are: the same choices then lead through the same
 * blocks before and after, so that what was stored can be compared. Shares nothing with src/wave.
 */
#ifndef HEDDLE_TESTS_WALK_H
#define HEDDLE_TESTS_WALK_H

#include "heddle/ir.h"

#define WALK_MAX 400

/* The values that store_global had, in their order. */
struct walk {
   uint32_t value[WALK_MAX];
   bool undefined[WALK_MAX];
   unsigned num;
};

/* Blocks end in jumps with at most two successors; values are 32-bit scalars and booleans, made by
 * params, consts, undefs, phis, iadd, and accesses of variables that are no arrays. Up to `steps`
 * blocks are run; the choices are from `seed`.
 */
void walk_function(const hd_function *f, uint64_t seed, unsigned steps, struct walk *w);

/* Where the first was defined, the second is equal. */
bool walk_agrees(const struct walk *before, const struct walk *after);

#endif
