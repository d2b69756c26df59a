/* SPDX-License-Identifier: MIT */
/* waiting_masks.c - how many masks of waiting lanes a machine needs for a reconverging function.
 *
 * A mask is live from a point at which no lane waits to the block at which lanes wait. In a dense irreducible
 * cycle that is all of the cycle for each of them: a quadratic number of live values.
 */
#include "structurize/waiting_masks.h"

#include "ir/private.h"

/* A block at which lanes wait that left several branches for it. */
struct join {
   hd_block *branch; /* one that dominates the others, or NULL */
   hd_block *above;  /* dominates all of them, and the block itself; NULL: there is none */
};

static void
add_branch(struct join *join, hd_block *block, hd_block *branch)
{
   if (!join->above) {
      *join = (struct join){ branch, hd_block_idom(block) };
   } else if (join->branch && hd_block_dominates(branch, join->branch)) {
      join->branch = branch;
   } else if (join->branch && !hd_block_dominates(join->branch, branch)) {
      join->branch = NULL;
   }
   while (!hd_block_dominates(join->above, branch))
      join->above = hd_block_idom(join->above);
}

/* In how many blocks lanes may wait for this one. In each iteration of a cycle that is left while
 * they do they are waiting in all of it.
 */
static uint32_t
waiting_blocks(const struct join *join, const hd_block *block, const uint32_t *cycle_size)
{
   const hd_cycle *outer = NULL;
   const hd_block *begin = join->above;

   /* Where no lane waits: the pc passes no header while lanes wait in its cycle. */
   while (hd_block_cycle(begin) && !hd_block_dominates(hd_block_cycle(begin)->header, begin))
      begin = hd_block_idom(begin);
   for (const hd_cycle *c = hd_block_cycle(block); c && !hd_cycle_contains(c, begin); c = c->parent)
      outer = c;
   if (outer)
      return cycle_size[outer->index];
   const uint32_t first = hd_block_sweep_index(begin), last = hd_block_sweep_index(block);
   return last > first ? last - first : 0;
}

/* Where one branch parts all lanes that meet at a block, it saves their mask: one value. Else
 * branches add to a mask of waiting lanes, which has phis where ways meet in between. So many of
 * those there may be, at most.
 */
uint64_t
hd_count_waiting_masks(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct join *joins = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(*joins));
   uint64_t num = 0;

   hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_POST_DOMINANCE | HD_META_CYCLES |
                     HD_META_DIVERGENCE);
   uint32_t *cycle_size =
       hd_stack_alloc_zero(stack, (hd_function_num_cycles(f) + 1) * sizeof(*cycle_size));
   hd_foreach_block(b, f) {
      if (!hd_block_is_reachable(b))
         continue;
      for (const hd_cycle *c = hd_block_cycle(b); c; c = c->parent)
         cycle_size[c->index]++;
      hd_block *primary = hd_block_is_divergent_branch(b) ? hd_block_primary_succ(b) : NULL;
      if (primary && !hd_block_is_end(primary))
         add_branch(&joins[primary->node.index], primary, b);
   }
   hd_foreach_block(b, f) {
      const struct join *join = &joins[b->node.index];
      if (join->above && !(join->branch && hd_block_dominates(join->branch, b) &&
                           hd_block_cycle(join->branch) == hd_block_cycle(b)))
         num += waiting_blocks(join, b, cycle_size);
   }
   hd_stack_release(stack, mark);
   return num;
}
