/* SPDX-License-Identifier: MIT */
/* lower_exit_phis.c - insert LCSSA phis at divergent loop exits.
 *
 *    loop { %1 = ...  if %c { break } }        loop { %1 = ...  if %c { break } }
 *    %2 = iadd %1, %1                    =>    %3 = phi b2: %1
 *                                              %2 = iadd %3, %3
 *
 * This is loop-closed SSA (LCSSA), for temporal divergence only. Lanes leave a loop in different
 * iterations. A uniform value of the loop has one scalar register for all lanes, and a divergent
 * boolean has one bit a lane in a mask that the next iteration overwrites: after the loop, both
 * would hold the value of the last iteration for all lanes. The phi keeps the value of each lane.
 * It is divergent, so loops further out need no phi for it, unless it is a boolean.
 *
 * The values that need a phi are uniform values that are divergent at a use, and divergent booleans
 * used outside of a loop that lanes leave in different iterations. In a tree each loop has one exit
 * block, which dominates the uses. A loop of a flat function can have several: then SSA repair adds
 * phis at the joins of paths from different exits.
 *
 * opt_phi and opt_cse would remove some of these phis as copies: this pass comes last.
 *
 * Requires:  valid IR; block order, dominance, cycles, divergence.
 * Preserves: all that depends on the graph alone.
 * Leaves:    values that reach a declared header from the previous iteration, in loops that are
 *            never entered at the header: selection keeps those apart.
 * Tests:     tests/passes/lower_exit_phis.hd, tests/passes/test_run.c
 */
#include "passes/pass.h"

#include "analysis/private.h"

struct state {
   hd_function *f;
   hd_stack *stack;
   const hd_cycle *cycle; /* around the value at hand */
   hd_def *def;           /* the value at hand */
   uint32_t number;       /* its number, from 1 */
   hd_phi **phi;          /* by block index: the phi of value phi_of there */
   uint32_t *phi_of;      /* by block index: number of a value, or 0 */
   const hd_cycle
       *joined_cycle; /* whose joins are known: its exits, and where paths from them meet */
   uint32_t joined;   /* counts how often joins were looked for */
   uint32_t *join_of; /* by block index: it is one of those found at that time */
   hd_block **blocks; /* room for as many as there are */
   hd_block **frontier;
   hd_phi **unfilled; /* phis whose sources are not yet known */
   uint32_t num_unfilled, unfilled_capacity;
   hd_def **booleans; /* new ones, which cycles further out may have to keep */
   uint32_t num_booleans, boolean_capacity;
   hd_def *undefs[HD_MAX_COMPONENTS + 1][7]; /* by components and logarithm of the bits */
};

static void *
with_room(struct state *s, void *array, uint32_t num, uint32_t *capacity, size_t size)
{
   if (num < *capacity)
      return array;
   uint32_t more = *capacity ? 2 * *capacity : 16;
   void *larger = hd_stack_alloc(s->stack, more * size);
   if (num)
      memcpy(larger, array, num * size);
   *capacity = more;
   return larger;
}

static hd_def *
undef_like(struct state *s, const hd_def *def)
{
   unsigned log = 0;

   while (1u << log < def->bit_size)
      log++;
   hd_def **undef = &s->undefs[def->num_components][log];
   if (!*undef) {
      hd_instr *i = hd_undef_create(s->f->shader, def->num_components, def->bit_size);
      hd_instr_insert(hd_list_start(&s->f->body), i);
      *undef = &i->def;
   }
   return *undef;
}

/* Exits */

static void
add_join(struct state *s, hd_block *b, uint32_t *num)
{
   if (hd_block_is_end(b) || s->join_of[b->node.index] == s->joined)
      return;
   s->join_of[b->node.index] = s->joined;
   s->blocks[(*num)++] = b;
}

/* Once for all values of a cycle: they come one after the other. */
static void
find_joins(struct state *s)
{
   uint32_t num = 0;

   if (s->joined_cycle == s->cycle)
      return;
   s->joined_cycle = s->cycle;
   s->joined++;
   if (s->f->structured) {
      const hd_loop *loop = hd_node_loop(&s->cycle->header->node);
      add_join(s, hd_node_next_block(&loop->node), &num);
      return;
   }
   for (uint32_t n = 0; n < s->cycle->num_blocks; n++) {
      const hd_block *b = s->cycle->blocks[n];
      pass_step(s->f, b->num_succs);
      for (uint32_t k = 0; k < b->num_succs; k++) {
         hd_block *to = b->succs[k].to;
         if (!hd_block_is_end(to) && !hd_cycle_contains(s->cycle, to))
            add_join(s, to, &num);
      }
   }
   if (num < 2)
      return;
   uint32_t more = hd_iterated_dominance_frontier(s->f, s->blocks, num, s->frontier);
   for (uint32_t n = 0; n < more; n++) {
      if (!hd_block_is_end(s->frontier[n]) && !hd_cycle_contains(s->cycle, s->frontier[n]))
         add_join(s, s->frontier[n], &num);
   }
}

/* Phis */

static hd_def *
phi_at(struct state *s, hd_block *b)
{
   hd_phi **phi = &s->phi[b->node.index];

   if (s->phi_of[b->node.index] != s->number) {
      s->phi_of[b->node.index] = s->number;
      *phi = hd_phi_insert(b, s->def->num_components, s->def->bit_size, NULL);
      s->unfilled =
          with_room(s, s->unfilled, s->num_unfilled, &s->unfilled_capacity, sizeof(*s->unfilled));
      s->unfilled[s->num_unfilled++] = *phi;
   }
   return &(*phi)->instr.def;
}

/* What a lane has at the end of a block outside of the cycle. */
static hd_def *
value_at(struct state *s, hd_block *b)
{
   for (; b; b = hd_block_idom(b)) {
      pass_step(s->f, 1);
      if (s->join_of[b->node.index] == s->joined)
         return phi_at(s, b);
   }
   return undef_like(s, s->def);
}

static hd_def *
value_from(struct state *s, hd_block *pred)
{
   if (!hd_block_is_reachable(pred))
      return undef_like(s, s->def);
   if (!hd_cycle_contains(s->cycle, pred))
      return value_at(s, pred);
   return hd_block_dominates(hd_def_instr(s->def)->block, pred) ? s->def : undef_like(s, s->def);
}

static void
fill_phis(struct state *s)
{
   while (s->num_unfilled) {
      hd_phi *phi = s->unfilled[--s->num_unfilled];
      const hd_block *b = phi->instr.block;
      for (uint32_t n = 0; n < b->num_preds; n++)
         hd_phi_set_src(phi, b->preds[n].from, value_from(s, b->preds[n].from));
      if (s->def->bit_size == 1) {
         s->booleans =
             with_room(s, s->booleans, s->num_booleans, &s->boolean_capacity, sizeof(*s->booleans));
         s->booleans[s->num_booleans++] = &phi->instr.def;
      }
   }
}

static bool
is_read_outside(const hd_src *src, const hd_cycle *cycle)
{
   const hd_block *at = hd_src_block(src);

   return hd_block_is_reachable(at) && !hd_cycle_contains(cycle, at);
}

/* A value that does not survive its cycle. */
static bool
keep(struct state *s, hd_def *def)
{
   bool found = false;

   s->def = def;
   s->cycle = hd_block_left_cycle(hd_def_instr(def)->block);
   if (!s->cycle)
      return false;
   hd_foreach_use_safe(src, def) {
      pass_step(s->f, 1);
      if (!is_read_outside(src, s->cycle))
         continue;
      if (!found) {
         s->number++;
         find_joins(s);
         found = true;
      }
      hd_src_set_def(src, value_at(s, hd_src_block(src)));
   }
   fill_phis(s);
   return found;
}

static bool
is_wanted(const hd_instr *i)
{
   const hd_def *def = &i->def;

   if (!def->bit_size || i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF)
      return false;
   if (!hd_def_is_uniform(def))
      return def->bit_size == 1;
   hd_foreach_use(src, def) {
      if (!hd_src_is_uniform(src))
         return true;
   }
   return false;
}

/* The values that are wanted, those of one cycle next to each other. */
static hd_def **
find_wanted(struct state *s, uint32_t *num)
{
   uint32_t num_cycles = hd_function_num_cycles(s->f), sum = 0;
   hd_def **wanted = hd_stack_alloc(s->stack, (s->f->num_defs + 1) * sizeof(*wanted));
   hd_def **sorted = hd_stack_alloc(s->stack, (s->f->num_defs + 1) * sizeof(*sorted));
   uint32_t *begin = hd_stack_alloc_zero(s->stack, (num_cycles + 1) * sizeof(*begin));

   *num = 0;
   hd_foreach_block(b, s->f) {
      const hd_cycle *cycle = hd_block_is_reachable(b) ? hd_block_left_cycle(b) : NULL;
      if (!cycle)
         continue;
      hd_foreach_instr(i, b) {
         pass_step(s->f, 1);
         if (is_wanted(i)) {
            wanted[(*num)++] = &i->def;
            begin[cycle->index]++;
         }
      }
   }
   for (uint32_t n = 0; n < num_cycles; n++) {
      uint32_t count = begin[n];
      begin[n] = sum;
      sum += count;
   }
   for (uint32_t n = 0; n < *num; n++)
      sorted[begin[hd_block_left_cycle(hd_def_instr(wanted[n])->block)->index]++] = wanted[n];
   return sorted;
}

bool
hd_lower_exit_phis(hd_function *f)
{
   struct state s = { .f = f, .stack = hd_shader_stack(f->shader) };
   uint32_t num;
   bool progress = false;

   hd_require(f, HD_META_DIVERGENCE);
   if (!hd_function_num_cycles(f))
      return hd_progress(f, false, LOWER_EXIT_PHIS_KEEPS);
   s.phi = hd_stack_alloc_zero(s.stack, f->num_blocks * sizeof(*s.phi));
   s.phi_of = hd_stack_alloc_zero(s.stack, f->num_blocks * sizeof(*s.phi_of));
   s.join_of = hd_stack_alloc_zero(s.stack, f->num_blocks * sizeof(*s.join_of));
   s.blocks = hd_stack_alloc(s.stack, (f->num_blocks + 1) * sizeof(*s.blocks));
   s.frontier = hd_stack_alloc(s.stack, (f->num_blocks + 1) * sizeof(*s.frontier));
   hd_def **wanted = find_wanted(&s, &num);
   for (uint32_t n = 0; n < num; n++)
      progress |= keep(&s, wanted[n]);
   for (uint32_t n = 0; n < s.num_booleans; n++)
      keep(&s, s.booleans[n]);
   return hd_progress(f, progress, LOWER_EXIT_PHIS_KEEPS);
}
