/* SPDX-License-Identifier: MIT */
/* ways_up.c - from a block up the dominator tree to the next one that matters, in few steps.
 *
 * Two jumps of one length are followed by one over both, so that a search up to where a condition
 * ends that holds from the block on takes a logarithmic number of jumps and steps.
 */
#include "passes/ways_up.h"

#include "passes/pass.h"

static void
find_places(struct ways_up *w)
{
   uint32_t num;
   hd_block *const *sweep = hd_function_sweep(w->f, &num);

   for (uint32_t n = 0; n < num; n++)
      w->place[sweep[n]->node.index] = n;
}

static void
find_jumps(struct ways_up *w)
{
   hd_block *start = hd_function_start(w->f);

   w->jump[start->node.index] = start;
   for (hd_block *b = hd_block_dom_next(start); b; b = hd_block_dom_next(b)) {
      if (hd_block_is_end(b))
         continue;
      hd_block *up = hd_block_idom(b), *over = w->jump[up->node.index];
      hd_block *over_over = w->jump[over->node.index];
      uint32_t depth = hd_block_dom_depth(over);

      w->jump[b->node.index] =
          hd_block_dom_depth(up) - depth == depth - hd_block_dom_depth(over_over) ? over_over : up;
      w->late |= w->place[up->node.index] > w->place[b->node.index];
   }
}

static void
find_joins(struct ways_up *w)
{
   for (hd_block *b = hd_function_start(w->f); b; b = hd_block_dom_next(b)) {
      uint32_t num = 0;

      if (hd_block_is_end(b))
         continue;
      for (uint32_t n = 0; n < b->num_preds; n++)
         num += hd_block_is_reachable(b->preds[n].from);
      hd_block *up = hd_block_idom(b);
      w->join[b->node.index] = num > 1 ? b : up ? w->join[up->node.index] : NULL;
   }
}

static void
find_far(struct ways_up *w)
{
   uint32_t num;
   hd_block *const *sweep = hd_function_sweep(w->f, &num);

   for (uint32_t n = hd_function_num_reachable(w->f); n--;) {
      const hd_block *b = sweep[n];
      uint32_t far = n;
      for (uint32_t s = 0; s < b->num_succs; s++) {
         const hd_block *to = b->succs[s].to;
         /* An edge that goes back in the sweep goes to the header of a cycle around. */
         if (!hd_block_is_end(to) && w->place[to->node.index] > n && w->far[to->node.index] > far)
            far = w->far[to->node.index];
      }
      w->far[b->node.index] = far;
   }
}

static void
find_outward(struct ways_up *w)
{
   uint32_t num = hd_function_num_cycles(w->f);

   w->outward = hd_stack_alloc(hd_shader_stack(w->f->shader), (num + 1) * sizeof(*w->outward));
   for (uint32_t n = 0; n < num; n++) {
      hd_cycle *c = hd_function_cycle(w->f, n), *up = c->parent;
      w->outward[n] = c;
      if (!up)
         continue;
      hd_cycle *over = w->outward[up->index], *over_over = w->outward[over->index];
      bool equal = up->depth - over->depth == over->depth - over_over->depth;
      w->outward[n] = equal ? over_over : up;
   }
   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *c = hd_function_cycle(w->f, n);
      const hd_block *up = hd_block_idom(c->header);
      w->late |= up && hd_cycle_contains(c, up);
   }
}

void
ways_up_init(struct ways_up *w, hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);

   *w = (struct ways_up){ .f = f };
   pass_step(f, f->num_blocks);
   w->jump = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(*w->jump));
   w->join = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(*w->join));
   w->far = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(*w->far));
   w->place = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(*w->place));
   find_places(w);
   find_jumps(w);
   find_joins(w);
   find_far(w);
   find_outward(w);
}

hd_block *
ways_up_past(const struct ways_up *w, hd_block *b, uint32_t limit)
{
   for (;;) {
      hd_block *jump = w->jump[b->node.index], *up = hd_block_idom(b);

      if (jump != b && w->place[jump->node.index] > limit)
         b = jump;
      else if (up && w->place[up->node.index] > limit)
         b = up;
      else
         return b;
   }
}

hd_block *
ways_up_inside(const struct ways_up *w, hd_block *b, const hd_cycle *c)
{
   for (;;) {
      hd_block *jump = w->jump[b->node.index], *up = hd_block_idom(b);

      if (jump != b && hd_cycle_contains(c, jump))
         b = jump;
      else if (up && hd_cycle_contains(c, up))
         b = up;
      else
         return b;
   }
}

hd_cycle *
ways_up_around(const struct ways_up *w, const hd_block *b, uint32_t place)
{
   hd_cycle *c = hd_block_cycle(b);

   while (c && c->first + c->num_blocks <= place) {
      const hd_cycle *jump = w->outward[c->index];
      c = jump->first + jump->num_blocks <= place && jump != c ? w->outward[c->index] : c->parent;
   }
   return c;
}

hd_cycle *
ways_up_entered(const struct ways_up *w, const hd_block *b)
{
   const hd_block *up = hd_block_idom(b);
   hd_cycle *c = hd_block_cycle(b);

   if (!c || !up || hd_cycle_contains(c, up))
      return NULL;
   for (;;) {
      hd_cycle *jump = w->outward[c->index];

      if (jump != c && !hd_cycle_contains(jump, up))
         c = jump;
      else if (c->parent && !hd_cycle_contains(c->parent, up))
         c = c->parent;
      else
         return c;
   }
}
