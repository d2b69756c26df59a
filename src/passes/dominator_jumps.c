/* SPDX-License-Identifier: MIT */
/* dominator_jumps.c - skip upwards in the dominator tree by jump pointers (Myers, An Applicative Random-Access
 * Stack, 1983).
 *
 * Two consecutive jumps of the same length are followed by one over both, so that a search for the
 * nearest ancestor with a monotone property takes a logarithmic number of steps, with one pointer a
 * block.
 */
#include "passes/dominator_jumps.h"

#include "passes/pass.h"

static void
find_places(struct dominator_jumps *w)
{
   uint32_t num;
   hd_block *const *sweep = hd_function_sweep(w->f, &num);

   for (uint32_t n = 0; n < num; n++)
      w->way[sweep[n]->node.index].place = n;
}

static bool
is_join(const struct dominator_jumps *w, const hd_block *b)
{
   uint32_t num = 0;

   for (uint32_t n = 0; n < b->num_preds; n++)
      num += hd_dominator_jumps_reaches(w, b->preds[n].from);
   return num > 1;
}

static void
make_jump(struct dominator_jumps *w, hd_block *b, hd_block *idom)
{
   struct way *way = &w->way[b->node.index];
   const struct way *up = way_of(w, idom), *over = way_of(w, up->jump);
   const struct way *over_over = way_of(w, over->jump);

   way->depth = up->depth + 1;
   way->jump = up->depth - over->depth == over->depth - over_over->depth ? over->jump : idom;
   way->join = is_join(w, b) ? b : up->join;
   w->late |= up->place > way->place;
}

static void
make_jumps(struct dominator_jumps *w)
{
   hd_block *start = hd_function_start(w->f);
   uint32_t num = 0;

   w->way[start->node.index].jump = start;
   for (hd_block *b = start; b; b = hd_block_dom_next(b)) {
      if (hd_block_is_end(b))
         continue;
      w->way[b->node.index].in = num;
      w->down[num++] = b;
      if (b != start)
         make_jump(w, b, hd_block_idom(b));
   }
}

static void
find_far(struct dominator_jumps *w)
{
   uint32_t num;
   hd_block *const *sweep = hd_function_sweep(w->f, &num);

   for (uint32_t n = w->num; n--;) {
      const hd_block *b = sweep[n];
      uint32_t far = n;
      for (uint32_t s = 0; s < b->num_succs; s++) {
         const hd_block *to = b->succs[s].to;
         const struct way *way = way_of(w, to);
         /* An edge that goes back in the sweep goes to the header of a cycle around. */
         if (!hd_block_is_end(to) && way->place > n && way->far > far)
            far = way->far;
      }
      w->way[b->node.index].far = far;
   }
}

static void
find_outward(struct dominator_jumps *w)
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
hd_dominator_jumps_init(struct dominator_jumps *w, hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);

   *w = (struct dominator_jumps){ .f = f, .num = hd_function_num_reachable(f) };
   pass_step(f, f->num_blocks);
   w->way = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(*w->way));
   w->down = hd_stack_alloc(stack, f->num_blocks * sizeof(*w->down));
   find_places(w);
   make_jumps(w);
   find_far(w);
   find_outward(w);
}

hd_block *
hd_dominator_jumps_past(const struct dominator_jumps *w, hd_block *b, uint32_t limit)
{
   for (;;) {
      hd_block *jump = way_of(w, b)->jump, *up = hd_block_idom(b);

      if (jump != b && way_of(w, jump)->place > limit)
         b = jump;
      else if (up && way_of(w, up)->place > limit)
         b = up;
      else
         return b;
   }
}

hd_block *
hd_dominator_jumps_inside(const struct dominator_jumps *w, hd_block *b, const hd_cycle *c)
{
   for (;;) {
      hd_block *jump = way_of(w, b)->jump, *up = hd_block_idom(b);

      if (jump != b && hd_cycle_contains(c, jump))
         b = jump;
      else if (up && hd_cycle_contains(c, up))
         b = up;
      else
         return b;
   }
}

hd_cycle *
hd_dominator_jumps_around(const struct dominator_jumps *w, const hd_block *b, uint32_t place)
{
   hd_cycle *c = hd_block_cycle(b);

   while (c && c->first + c->num_blocks <= place) {
      const hd_cycle *jump = w->outward[c->index];
      c = jump->first + jump->num_blocks <= place && jump != c ? w->outward[c->index] : c->parent;
   }
   return c;
}

hd_cycle *
hd_dominator_jumps_entered(const struct dominator_jumps *w, const hd_block *b)
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
