/* SPDX-License-Identifier: MIT */
/* same_tree.h - is a random tree that was made something else, and a tree again, what it was?
 *
 * What differs fails the test, with the seed and both texts.
 */
#ifndef TEST_STRUCTURIZE_SAME_TREE_H
#define TEST_STRUCTURIZE_SAME_TREE_H

#include <heddle/heddle.h>

#include "gen/random_tree.h"

/* Ifs and loops in all numbers, values and decisions of all kinds. */
random_tree_options same_tree_options(uint64_t seed);

void same_tree_fail(uint64_t seed, const char *what, const hd_shader *tree, const hd_shader *again);

/* Valid, and the masks of all blocks that log and what lanes carry, of a full wave and of another
 * one.
 */
void same_tree_runs(hd_shader *tree, hd_shader *again, uint64_t seed);

/* hd_structurize added nothing that lanes notice; with `code`: no instruction at all. */
bool same_tree_adds_nothing(const hd_structurize_stats *stats, bool code);

/* Of what can be reached; jumps are not counted. */
struct tree_size {
   unsigned ifs, loops, instrs, phis;
};
struct tree_size tree_size_of(hd_function *f);

/* Of phis that never carry something both there may be one afterwards instead of two. */
bool tree_size_kept(struct tree_size before, struct tree_size after, bool code);

/* The same, and so many ifs and loops, not more phis, the shape of shape.h; with `code` as many
 * instructions. False: it has a loop that cannot repeat, and nothing was compared.
 */
bool same_tree_shape(hd_shader *tree, hd_shader *again, const hd_structurize_stats *stats,
                     bool code, uint64_t seed);

#endif
