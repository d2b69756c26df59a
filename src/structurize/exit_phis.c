/* SPDX-License-Identifier: MIT */
/* exit_phis.c - phis at the targets of loop exits (LCSSA), where loops have many exits and values.
 *
 *    A: %x = ...            in a loop           A: %x = ...
 *       goto_if %c, T, B                =>         goto_if %c, T, B
 *    T: ... %x ...          outside             T: %p = phi A: %x
 *                                                  ... %p ...
 *
 * In the tree all lanes leave the loop by one block. SSA repair gives %x a phi there, with a source
 * for each exit, and each other value its own: a quadratic number of sources, as after the exits
 * that come later %x is there as well. But lanes of another exit do not read it. The phi at T says
 * so: its value is carried by the lanes that wait for T, in a slot that the values of all targets
 * share (carry.c).
 *
 * That costs a source for each exit and slot, and hides equal values. So it is done only where repair
 * would be expensive.
 */
#include "structurize/exit_phis.h"

#include "analysis/private.h"
#include "heddle/edit.h"
#include "ir/private.h"

/* Sources that SSA repair may make for each edge of the function before exit phis are made. */
#define SOURCES_PER_EDGE 16u
#define FREE_EDGES       64u

struct exit_list {
   void **items;
   uint32_t num, capacity;
};

struct exits {
   hd_function *f;
   hd_stack *stack;
   const hd_cycle *cycle;
   hd_block **top; /* by block index: see top_of */
   const hd_cycle **top_cycle;
   hd_phi **phi;          /* by block index: of the definition at hand */
   struct exit_list made; /* phis */
   struct exit_list uses; /* sources that read the definition at hand */
};

/* The highest dominator of a block outside of the cycle that no dominator in the cycle is below of.
 * A block of the cycle dominates it. Each block on the way is passed by once for each cycle.
 */
static hd_block *
top_of(struct exits *e, hd_block *b)
{
   hd_block *top = b;

   for (;;) {
      if (e->top_cycle[top->node.index] == e->cycle)
         top = e->top[top->node.index];
      hd_block *up = hd_block_idom(top);
      if (hd_cycle_contains(e->cycle, up))
         break;
      hd_heap_step(hd_shader_heap(e->f->shader), 1);
      top = up;
   }
   while (b != top) {
      hd_block *up = hd_block_idom(b);
      if (e->top_cycle[b->node.index] == e->cycle)
         up = e->top[b->node.index];
      e->top_cycle[b->node.index] = e->cycle;
      e->top[b->node.index] = top;
      b = up;
   }
   return top;
}

/* The target of an exit of the cycle that dominates a use outside of it, or NULL. */
static hd_block *
exit_target(struct exits *e, const hd_src *src)
{
   hd_block *use = hd_src_block(src);

   if (!hd_block_is_reachable(use) || hd_cycle_contains(e->cycle, use))
      return NULL;
   hd_block *top = top_of(e, use);
   for (uint32_t n = 0; n < top->num_preds; n++) {
      if (hd_cycle_contains(e->cycle, top->preds[n].from))
         return top;
   }
   return NULL;
}

static void
init(struct exits *e, hd_function *f)
{
   const size_t num = f->num_blocks + 1;

   *e = (struct exits){ .f = f, .stack = hd_shader_stack(f->shader) };
   e->top = hd_stack_alloc_zero(e->stack, num * sizeof(*e->top));
   e->top_cycle = hd_stack_alloc_zero(e->stack, num * sizeof(*e->top_cycle));
   e->phi = hd_stack_alloc_zero(e->stack, num * sizeof(*e->phi));
}

/* Constants are read where they are needed, wherever they stand. */
static bool
is_carried(const hd_instr *i)
{
   return hd_instr_def(i) && i->kind != HD_INSTR_CONST && i->kind != HD_INSTR_UNDEF;
}

/* By cycle index: edges out of the cycle, and of these, those of divergent branches. An edge leaves
 * the cycles from the one around its block up to the first that contains its target: it is counted at
 * the former, taken back at the latter, and the sums go up the nest.
 */
static void
count_exits(struct exits *e, uint32_t *num, uint32_t *num_divergent, uint64_t *num_edges)
{
   hd_forest nest;

   hd_cycle_forest(&nest, e->stack, e->f);
   hd_foreach_block(b, e->f) {
      if (!hd_block_is_reachable(b))
         continue;
      const hd_cycle *from = hd_block_cycle(b);
      const bool divergent = hd_block_is_divergent_branch(b);
      *num_edges += b->num_succs;
      for (uint32_t s = 0; from && s < b->num_succs; s++) {
         const hd_block *to = b->succs[s].to;
         const hd_cycle *into = hd_block_is_end(to) ? NULL : hd_block_cycle(to);
         const uint32_t common = into ? hd_forest_common(&nest, from->index, into->index) : NONE;
         hd_heap_step(hd_shader_heap(e->f->shader), 1);
         num[from->index]++;
         num_divergent[from->index] += divergent;
         if (common != NONE) {
            num[common]--;
            num_divergent[common] -= divergent;
         }
      }
   }
   for (uint32_t n = nest.num; n--;) {
      const uint32_t up = nest.parent[n]; /* a parent's index is smaller */
      if (up != NONE) {
         num[up] += num[n];
         num_divergent[up] += num_divergent[n];
      }
   }
}

uint8_t *
hd_exit_phis_find(hd_function *f)
{
   const uint32_t num_cycles = hd_function_num_cycles(f);
   uint64_t num_edges = 0, num_sources = 0;
   struct exits e;

   if (!num_cycles)
      return NULL;
   hd_require(f, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_DIVERGENCE);
   init(&e, f);
   uint32_t *num = hd_stack_alloc_zero(e.stack, num_cycles * sizeof(*num));
   uint32_t *num_divergent = hd_stack_alloc_zero(e.stack, num_cycles * sizeof(*num_divergent));
   uint8_t *chosen = hd_stack_alloc_zero(e.stack, f->num_defs + 1);
   count_exits(&e, num, num_divergent, &num_edges);
   hd_foreach_block(b, f) {
      e.cycle = hd_block_is_reachable(b) ? hd_block_cycle(b) : NULL;
      if (!e.cycle || num[e.cycle->index] < 2)
         continue;
      hd_foreach_instr(i, b) {
         if (!is_carried(i))
            continue;
         bool read = false, uniform = hd_def_is_uniform(&i->def);
         hd_foreach_use(src, &i->def) {
            if (!exit_target(&e, src))
               continue;
            read = true;
            uniform = uniform && hd_src_is_uniform(src);
         }
         num_sources += read ? num[e.cycle->index] : 0;
         chosen[i->def.index] = read && (!uniform || !num_divergent[e.cycle->index]);
      }
   }
   return num_sources > SOURCES_PER_EDGE * (num_edges + FREE_EDGES) ? chosen : NULL;
}

static void
push(struct exits *e, struct exit_list *l, void *item)
{
   if (l->num == l->capacity) {
      const uint32_t capacity = l->capacity * 2 + 64;
      void **more = hd_stack_alloc(e->stack, capacity * sizeof(*more));
      if (l->num)
         memcpy(more, l->items, l->num * sizeof(*more));
      l->items = more;
      l->capacity = capacity;
   }
   l->items[l->num++] = item;
}

static hd_def *
phi_at(struct exits *e, hd_block *target, hd_def *def)
{
   hd_phi **phi = &e->phi[target->node.index];

   if (!*phi) {
      *phi = hd_phi_insert(target, def->num_components, def->bit_size, NULL);
      for (uint32_t n = 0; n < target->num_preds; n++)
         hd_src_set_def(&(*phi)->srcs[n].src, def);
      push(e, &e->made, *phi);
   }
   return &(*phi)->instr.def;
}

static void
add_phis(struct exits *e, hd_def *def)
{
   const uint32_t first = e->made.num;

   e->uses.num = 0;
   hd_foreach_use(src, def)
      push(e, &e->uses, src);
   for (uint32_t n = 0; n < e->uses.num; n++) {
      hd_src *src = e->uses.items[n];
      hd_block *target = exit_target(e, src);
      if (target)
         hd_src_set_def(src, phi_at(e, target, def));
   }
   for (uint32_t n = first; n < e->made.num; n++)
      e->phi[((hd_phi *)e->made.items[n])->instr.block->node.index] = NULL;
}

void
hd_exit_phis_add(hd_function *f, const uint8_t *chosen, uint32_t num)
{
   struct exits e;

   hd_require(f, HD_META_CYCLES | HD_META_DOMINANCE | HD_META_BLOCK_ORDER);
   init(&e, f);
   hd_foreach_block(b, f) {
      e.cycle = hd_block_is_reachable(b) ? hd_block_cycle(b) : NULL;
      if (!e.cycle)
         continue;
      hd_foreach_instr(i, b) {
         if (is_carried(i) && i->def.index < num && chosen[i->def.index])
            add_phis(&e, &i->def);
      }
   }
   /* A target may be in a loop around. Each phi is further out than its source: this ends. */
   for (uint32_t n = 0; n < e.made.num; n++) {
      hd_phi *phi = e.made.items[n];
      e.cycle = hd_block_cycle(phi->instr.block);
      if (e.cycle)
         add_phis(&e, &phi->instr.def);
   }
}
