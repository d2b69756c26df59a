/* SPDX-License-Identifier: MIT */
/* straighten.c - after phis and copies are lowered: remove empty blocks and redundant branches; p_end
 * becomes the machine's instruction. Phases that count instructions or wait states come later.
 */
#include <assert.h>
#include <string.h>

#include "machine/dead_masks.h"

typedef struct state {
   hd_mach_program *p;
   bool *dirty; /* by block: its end is not what it was when its instructions were looked at */
   bool fewer_branches; /* since it was found who is live */
} state;

/* Where the pc is after the block, if that does nothing: the end of a chain of such blocks. Chains
 * are followed once: each of their blocks remembers the end.
 */
static hd_mach_block *
follow(hd_mach_block **to, hd_mach_block *block)
{
   hd_mach_block *end = block;

   while (to[end->index])
      end = to[end->index];
   while (block != end) {
      hd_mach_block *next = to[block->index];
      to[block->index] = end;
      block = next;
   }
   return end;
}

/* A chain that is a cycle is a loop without code, of which one block stays. `seen` has the number
 * of the walk that came by; a block is passed once, as a walk stops where another one was.
 */
static void
find_empty(hd_mach_program *p, hd_mach_block **to, uint32_t *seen)
{
   hd_mach_foreach_block(block, p)
   {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      seen[block->index] = 0;
      if (!block->first && edges->num_succs == 1)
         to[block->index] = edges->succs[0];
   }
   hd_mach_foreach_block(block, p)
   {
      hd_mach_block *at = block;
      while (to[at->index] && !seen[at->index]) {
         seen[at->index] = block->index + 1;
         at = to[at->index];
      }
      if (to[at->index] && seen[at->index] == block->index + 1)
         to[at->index] = NULL;
   }
}

static void
redirect(state *s, hd_mach_block **to, hd_mach_block *block)
{
   hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

   for (uint32_t n = 0; n < edges->num_succs; n++)
      edges->succs[n] = follow(to, edges->succs[n]);
   if (hd_mach_is_branch(s->p, block->last) && block->last->target)
      block->last->target = follow(to, block->last->target);
   if (edges->num_succs == 2 && edges->succs[0] == edges->succs[1]) {
      assert(hd_mach_is_branch(s->p, block->last));
      hd_mach_inst_remove(block, block->last);
      edges->num_succs = 1;
      s->fewer_branches = true;
   }
}

static void
end_wave(hd_mach_program *p, hd_mach_block *block)
{
   hd_mach_inst *end = block->last;

   if (!end || end->op != HD_MACH_P_END)
      return;
   if (!p->hooks->end)
      return;
   hd_mach_inst *last = p->hooks->end(p);
   last->loc = end->loc;
   hd_mach_inst_insert_before(block, last, end);
   if (block->tail == end)
      block->tail = last;
   hd_mach_inst_remove(block, end);
}

static void
drop_empty(state *s)
{
   hd_mach_program *p = s->p;
   hd_mach_block **to = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(*to));
   uint32_t *seen = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(*seen));
   bool changed = true;

   /* A block whose branch goes may be empty then; what it led to is done already, so twice is
    * enough for all but oddities, which stay as they are.
    */
   for (unsigned round = 0; changed && round < 2; round++) {
      changed = false;
      find_empty(p, to, seen);
      hd_mach_foreach_block(block, p) redirect(s, to, block);
      for (hd_mach_block *block = p->first, *next = NULL; block; block = next) {
         next = block->next;
         if (!to[block->index] || (block == p->first && to[block->index] != next))
            continue; /* it has code, or the code begins here */
         hd_mach_block_unlink(p, block);
         changed = true;
      }
   }
   hd_mach_find_preds(p);
}

/* A block that only its neighbour goes to, which goes nowhere else, is part of that. */
static void
join_blocks(state *s)
{
   for (hd_mach_block *block = s->p->first; block; block = block->next) {
      hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      hd_mach_block *next = block->next;
      while (next && edges->num_succs == 1 && edges->succs[0] == next &&
             next->edges[HD_MACH_LINEAR].num_preds == 1) {
         if (next->first) {
            next->first->prev = block->last;
            if (block->last)
               block->last->next = next->first;
            else
               block->first = next->first;
            block->last = next->last;
         }
         edges->succs = next->edges[HD_MACH_LINEAR].succs;
         edges->num_succs = next->edges[HD_MACH_LINEAR].num_succs;
         edges->succ_capacity = next->edges[HD_MACH_LINEAR].succ_capacity;
         hd_mach_block_unlink(s->p, next);
         s->dirty[block->index] = true;
         next = block->next;
      }
   }
   hd_mach_find_preds(s->p);
}

typedef struct cleaned {
   bool changed, emptied;
} cleaned;

/* Blocks from the last to the first: most of what one changes for others is for those before it. */
static cleaned
clean(state *s, hd_mach_dead_masks *late)
{
   cleaned done = { .changed = false };

   if (!late)
      return done;
   for (hd_mach_block *block = s->p->last; block; block = block->prev) {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      bool fewer_live;
      if (!s->dirty[block->index])
         continue;
      s->dirty[block->index] = hd_mach_dead_masks_remove(late, block, &fewer_live);
      done.changed |= s->dirty[block->index];
      done.emptied |= s->dirty[block->index] && !block->first;
      for (uint32_t n = 0; n < edges->num_preds && fewer_live; n++)
         s->dirty[edges->preds[n]->index] = true;
   }
   return done;
}

bool
hd_mach_straighten(hd_mach_program *p)
{
   state s = { .p = p, .dirty = hd_stack_alloc_zero(p->stack, p->num_blocks) };
   cleaned done = { .changed = true, .emptied = true };
   const bool cleans = p->hooks->masks && p->hooks->masks->cleans;
   hd_mach_dead_masks *late = NULL;

   hd_mach_foreach_block(block, p) end_wave(p, block);
   for (unsigned round = 0; done.changed && round < 3; round++) {
      if (done.emptied) {
         drop_empty(&s);
         join_blocks(&s);
      }
      /* What only a branch has read may be what loops keep alive: that is found anew. */
      if (cleans && (s.fewer_branches || !late)) {
         late = hd_mach_dead_masks_find(p);
         memset(s.dirty, true, p->num_blocks);
         s.fewer_branches = false;
      }
      done = clean(&s, late);
   }
   if (done.emptied)
      drop_empty(&s);
   if (cleans)
      hd_mach_branches_on_flag(p);
   hd_mach_program_number(p);
   return true;
}
