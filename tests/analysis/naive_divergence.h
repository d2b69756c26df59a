/* SPDX-License-Identifier: MIT */
/* naive_divergence.h - divergence of small functions, word by word.
 *
 * Two lanes are followed from each divergent branch on through all ways that they can take, in
 * every order in which the sweep would run them: no labels, no jumps over code, no time bound.
 */
#ifndef NAIVE_DIVERGENCE_H
#define NAIVE_DIVERGENCE_H

#include "naive.h"

#define NAIVE_MAX_DEFS 4096

struct naive_divergence {
   struct naive g;
   uint32_t place[NAIVE_MAX]; /* in the sweep order */
   bool branch[NAIVE_MAX];
   bool left[NAIVE_MAX];                           /* by cycle */
   bool together[NAIVE_MAX][NAIVE_MAX][NAIVE_MAX]; /* at a block, by edges from these two */
   bool value[NAIVE_MAX_DEFS];
   const hd_def *root[NAIVE_MAX_DEFS];
   /* A header is dominated by a block of its cycle, or does not reach one of it without leaving it.
    * Only declarations make such cycles, and for them the analysis says no too often.
    */
   bool odd;
};

/* HD_META_CYCLES must be valid. Needs at most 8 blocks, the end block included, and 4 cycles. */
void naive_diverge(struct naive_divergence *n, hd_function *f);

/* Does what is read there differ? */
bool naive_src_differs(const struct naive_divergence *n, const hd_src *src);

#endif
