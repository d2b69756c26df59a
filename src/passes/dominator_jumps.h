/* SPDX-License-Identifier: MIT */
/* dominator_jumps.h - search upwards in the dominator tree by jump pointers, for mem2reg. */
#ifndef HEDDLE_PASSES_DOMINATOR_JUMPS_H
#define HEDDLE_PASSES_DOMINATOR_JUMPS_H

#include "heddle/analysis.h"

/* Needs HD_META_BLOCK_ORDER, HD_META_DOMINANCE and HD_META_CYCLES as long as it is used. Blocks are
 * reachable ones, and not the end block. What takes more than constant time is logarithmic.
 */
struct way {
   hd_block *jump; /* a block above it, or itself at the start */
   hd_block
       *join;   /* the nearest block at or above it with several reachable predecessors, or NULL */
   uint32_t in; /* its position in the preorder of the dominator tree */
   uint32_t depth; /* in that tree */
   uint32_t place; /* its position in the sweep */
   /* the last position in the sweep that it reaches without an edge back to a header around it */
   uint32_t far;
};

struct dominator_jumps {
   hd_function *f;
   hd_block **down;    /* the dominator tree in preorder */
   uint32_t num;       /* of these */
   struct way *way;    /* by block index; of unreachable blocks only the place */
   hd_cycle **outward; /* by cycle index: a cycle around it, or itself */
   /* A block dominates the header of a cycle that it is in. That takes a declared header; then
    * blocks need not come after their dominators in the sweep.
    */
   bool late;
};

void hd_dominator_jumps_init(struct dominator_jumps *w, hd_function *f);

static inline const struct way *
way_of(const struct dominator_jumps *w, const hd_block *b)
{
   return &w->way[b->node.index];
}

static inline bool
hd_dominator_jumps_reaches(const struct dominator_jumps *w, const hd_block *b)
{
   return way_of(w, b)->place < w->num;
}

/* The highest block at or above `b` whose position in the sweep is past `limit`, which `b`'s is. Only
 * where not late.
 */
hd_block *hd_dominator_jumps_past(const struct dominator_jumps *w, hd_block *b, uint32_t limit);

/* The highest block at or above `b`, which is in the cycle, from which all down to `b` are. */
hd_block *hd_dominator_jumps_inside(const struct dominator_jumps *w, hd_block *b,
                                    const hd_cycle *c);

/* The innermost cycle that contains `b` and the block at this place, not before `b`'s, of the
 * sweep; or NULL.
 */
hd_cycle *hd_dominator_jumps_around(const struct dominator_jumps *w, const hd_block *b,
                                    uint32_t place);

/* The outermost cycle that contains `b` and not its immediate dominator; NULL where there is none:
 * then no way comes into `b` from a block after it, but by its dominator.
 */
hd_cycle *hd_dominator_jumps_entered(const struct dominator_jumps *w, const hd_block *b);

#endif
