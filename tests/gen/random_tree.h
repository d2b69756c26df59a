/* SPDX-License-Identifier: MIT */
/* random_tree.h - structured programs whose lanes decide by bits they are given, and log the blocks
 * that they run.
 *
 * Each lane reads a word at 4 * its number of buffer 0: bit k is its k-th decision. After 16 of
 * them it takes a way fixed for each branch, out of every loop that has one. Logging a block is a
 * store of its number to buffer 1 (so each lane's word there is the block it ran last), and a mix
 * of the number into a value that is carried in phis, which the lane stores to buffer 2 when it
 * ends. Any transformation that keeps what lanes do keeps these stores; see runs.h for who reads
 * them.
 */
#ifndef HEDDLE_TESTS_RANDOM_TREE_H
#define HEDDLE_TESTS_RANDOM_TREE_H

#include "heddle/ir.h"

/* Zero-initialised: ifs, loops, breaks, continues, returns, halts, some loops that cannot repeat
 * and some that never end, some blocks that log nothing.
 */
typedef struct random_tree_options {
   unsigned nodes; /* ifs and loops, at most about so many; 0: 10 */
   bool log_all;   /* every block with code logs */
   bool ends;      /* every lane ends */
   bool repeats;   /* bodies of loops do not end in jumps: most loops can repeat */
   bool uniform;   /* a third of the decisions is the same for all lanes: a bit of the first word */
   bool few_values; /* nothing is carried in phis: the count of decisions is in memory */
} random_tree_options;

/* Valid, and the same for the same seed and options everywhere. `options` may be NULL. NULL only
 * when memory or a budget runs out.
 */
hd_shader *random_tree_shader(const hd_config *config, uint64_t seed,
                              const random_tree_options *options);

#endif
