/* SPDX-License-Identifier: MIT */
/* reconverging.c - does a flat function reconverge on a machine with one pc and a mask per branch?
 *
 * The definition is that of Hähnle's reconverging CFGs: a divergent branch has two successors, and one
 * of them, the primary, post-dominates it. The branch parks the lanes of its primary successor and
 * runs the other successor first. Whether the lanes also run each block together with the same lanes
 * as in a sweep (CV3) is a second question: the lanes that run must not complete an iteration of a
 * loop in which the parked ones wait.
 */
#include "analysis/private.h"

/* The number of the primary successor, or num_succs. */
static uint32_t
primary_of(const hd_block *block)
{
   uint32_t s = 0;

   while (s < block->num_succs &&
          (block->succs[s].to == block || !hd_block_post_dominates(block->succs[s].to, block)))
      s++;
   return s;
}

hd_block *
hd_block_primary_succ(const hd_block *block)
{
   if (block->num_succs < 2)
      return NULL;
   uint32_t s = primary_of(block);
   return s < block->num_succs ? block->succs[s].to : NULL;
}

bool
hd_block_reconverges(const hd_block *block)
{
   return !hd_block_is_divergent_branch(block) ||
          (block->num_succs == 2 && primary_of(block) < block->num_succs);
}

bool
hd_block_keeps_sweep(const hd_block *block)
{
   const hd_function *f = hd_block_function(block);

   return !hd_block_is_divergent_branch(block) ||
          (hd_block_reconverges(block) &&
           DIVERGENCE_META(f)->node[block_slot(f, block)].keeps >> primary_of(block) & 1);
}

bool
hd_function_is_reconverging(hd_function *f)
{
   hd_foreach_block(b, f) {
      if (!hd_block_reconverges(b))
         return false;
   }
   return true;
}

bool
hd_function_keeps_sweep(hd_function *f)
{
   hd_foreach_block(b, f) {
      if (!hd_block_keeps_sweep(b))
         return false;
   }
   return true;
}
