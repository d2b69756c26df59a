/* SPDX-License-Identifier: MIT */
/* waiting_masks.c - how many masks of waiting lanes a machine needs for a reconverging function.
 *
 * A mask is live from a point at which no lane waits to the block at which lanes wait. In a dense irreducible
 * cycle that is all of the cycle for each of them: a quadratic number of live values.
 */
#include "structurize/waiting_masks.h"

#include "analysis/private.h"
#include "ir/private.h"

/* A block at which lanes wait that left several branches for it. */
struct join {
   hd_block *branch; /* one that dominates the others, or NULL */
   uint32_t above;   /* the block that dominates all of them, and the block itself: by index */
   bool waited;      /* there is a branch */
};

/* Both trees as forests, in which no walk is as long as they are deep. */
struct trees {
   hd_function *f;
   hd_forest dominators; /* of blocks, by index; unreachable ones are roots */
   hd_forest nest;       /* of cycles, by index */
   hd_block **block;     /* by index; NULL: no block of the list has it */
   uint32_t *begin; /* by block index: itself or the nearest dominator at which no lane waits */
};

static void
plant(struct trees *t, hd_stack *stack)
{
   const uint32_t num = t->f->num_blocks;
   uint32_t *dominator = hd_stack_alloc(stack, num * sizeof(*dominator));

   t->block = hd_stack_alloc_zero(stack, num * sizeof(hd_block *));
   for (uint32_t n = 0; n < num; n++)
      dominator[n] = NONE;
   hd_foreach_block(b, t->f) {
      const hd_block *idom = hd_block_is_reachable(b) ? hd_block_idom(b) : NULL;
      t->block[b->node.index] = b;
      dominator[b->node.index] = idom ? idom->node.index : NONE;
   }
   hd_forest_build(&t->dominators, stack, num, dominator, NULL, NULL);
   hd_cycle_forest(&t->nest, stack, t->f);
   /* The pc passes no header while lanes wait in its cycle. */
   t->begin = hd_stack_alloc(stack, num * sizeof(*t->begin));
   for (uint32_t n = 0; n < num; n++) {
      const uint32_t index = t->dominators.order[n], up = dominator[index];
      const hd_block *b = t->block[index];
      const hd_cycle *c = b && hd_block_is_reachable(b) ? hd_block_cycle(b) : NULL;
      t->begin[index] = c && up != NONE && !hd_block_dominates(c->header, b) ? t->begin[up] : index;
   }
}

static void
add_branch(const struct trees *t, struct join *join, hd_block *block, hd_block *branch)
{
   if (!join->waited) {
      *join = (struct join){ branch, t->dominators.parent[block->node.index], true };
   } else if (join->branch && hd_block_dominates(branch, join->branch)) {
      join->branch = branch;
   } else if (join->branch && !hd_block_dominates(join->branch, branch)) {
      join->branch = NULL;
   }
   join->above = hd_forest_common(&t->dominators, join->above, branch->node.index);
}

/* In how many blocks lanes may wait for this one. In each iteration of a cycle that is left while
 * they do they are waiting in all of it: of the outermost around the block that does not hold where
 * they begin to.
 */
static uint32_t
waiting_blocks(const struct trees *t, const struct join *join, const hd_block *block)
{
   const hd_block *begin = t->block[t->begin[join->above]];
   const hd_cycle *inner = hd_block_cycle(block), *around = hd_block_cycle(begin);

   if (inner && !hd_cycle_contains(inner, begin)) {
      const uint32_t common =
          around ? hd_forest_common(&t->nest, inner->index, around->index) : NONE;
      const uint32_t depth = common == NONE ? 0 : t->nest.depth[common];
      return hd_function_cycle(t->f, hd_forest_lift(&t->nest, inner->index, depth + 1))->num_blocks;
   }
   const uint32_t first = hd_block_sweep_index(begin), last = hd_block_sweep_index(block);
   return last > first ? last - first : 0;
}

/* Where all lanes that meet at a block diverged at one branch, that saves their mask: one value. Else
 * branches add to a mask of waiting lanes, which has phis where paths meet in between. So many of
 * those there may be, at most.
 */
uint64_t
hd_count_waiting_masks(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct join *joins = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(*joins));
   struct trees t = { .f = f };
   uint64_t num = 0;

   hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_POST_DOMINANCE | HD_META_CYCLES |
                     HD_META_DIVERGENCE);
   plant(&t, stack);
   hd_foreach_block(b, f) {
      hd_block *primary = hd_block_is_reachable(b) && hd_block_is_divergent_branch(b)
                              ? hd_block_primary_succ(b)
                              : NULL;
      if (primary && !hd_block_is_end(primary))
         add_branch(&t, &joins[primary->node.index], primary, b);
   }
   hd_foreach_block(b, f) {
      const struct join *join = &joins[b->node.index];
      if (join->waited && !(join->branch && hd_block_dominates(join->branch, b) &&
                            hd_block_cycle(join->branch) == hd_block_cycle(b)))
         num += waiting_blocks(&t, join, b);
   }
   hd_stack_release(stack, mark);
   return num;
}
