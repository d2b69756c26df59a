/* SPDX-License-Identifier: MIT */
/* cycles.c - the loop nest and the sweep order that analysis.h gives, for trees and flat functions.
 *
 * cycle_nest.c finds the nest of a flat function; that of a tree is read off its loops.
 */
#include "analysis/cycle_nest.h"

/* The nest of a structured function: each loop that can repeat is a cycle with everything that is
 * in it. The order of the text is a sweep order, because only the latch's edge goes back.
 */
struct tree_nest {
   uint32_t num_cycles;
   hd_loop **loop;  /* by cycle: ascending in the text */
   uint32_t *outer; /* by cycle */
   uint32_t *inner; /* by node: NONE for no cycle */
};

static void
build_tree_nest(struct tree_nest *t, const hd_graph *g)
{
   hd_function *f = g->f;
   hd_stack *stack = hd_shader_stack(f->shader);
   uint32_t num_loops = 0;

   t->num_cycles = 0;
   t->inner = scratch_fill(stack, g->num, 0xff);
   if (!g->goes_back)
      return;
   hd_foreach_node(n, f)
      num_loops += n->kind == HD_CF_LOOP;
   t->loop = hd_stack_alloc(stack, num_loops * sizeof(*t->loop));
   t->outer = scratch(stack, num_loops);
   hd_foreach_node(n, f) {
      hd_block *b = hd_node_as_block(n);
      hd_loop *loop = hd_node_as_loop(n);

      if (loop && loop_repeats(g, loop)) {
         t->loop[t->num_cycles] = loop;
         t->outer[t->num_cycles] = t->inner[g->node[hd_node_prev_block(n)->node.index]];
         t->inner[g->node[hd_loop_header(loop)->node.index]] = t->num_cycles++;
         continue;
      }
      if (!b || t->inner[g->node[b->node.index]] != NONE)
         continue;
      /* Before the block in its list there is a node, and before that a block of the same cycle.
       * The first block of a list is in the cycle of the loop whose list it is, if that can repeat;
       * else in that of the block before the if or loop.
       */
      hd_cf_node *parent = n->list->parent;
      hd_loop *around = hd_node_as_loop(parent);
      hd_block *as = NULL;
      if (n->prev)
         as = hd_node_prev_block(n->prev);
      else if (around && loop_repeats(g, around))
         as = hd_loop_header(around);
      else if (parent)
         as = hd_node_prev_block(parent);
      if (as)
         t->inner[g->node[b->node.index]] = t->inner[g->node[as->node.index]];
   }
}

static struct cycle_meta *
allocate(const hd_graph *g, uint32_t num_cycles, size_t *size)
{
   hd_function *f = g->f;
   uint32_t num_blocks = g->num - 1;
   size_t num_slots = (size_t)f->num_blocks + 1;
   size_t cycles = num_cycles * sizeof(hd_cycle), inner = num_slots * sizeof(hd_cycle *);
   size_t sweep = num_blocks * sizeof(hd_block *), place = num_slots * sizeof(uint32_t);

   *size = sizeof(struct cycle_meta) + cycles + inner + sweep + place;
   struct cycle_meta *m = hd_heap_alloc(hd_shader_heap(f->shader), *size);
   if (!m)
      return NULL;
   memset(m, 0, sizeof(*m) + cycles + inner);
   m->num_blocks = num_blocks;
   m->num_reachable = g->num_reachable - (g->end < g->num_reachable);
   m->num_cycles = num_cycles;
   m->cycle = (hd_cycle *)(m + 1);
   m->inner = (hd_cycle **)(m->cycle + num_cycles);
   m->sweep = (hd_block **)(m->inner + num_slots);
   m->place = memset(m->sweep + num_blocks, 0xff, place);
   return m;
}

/* What follows from the places: depth, extent, and how many cycles are inside. */
static void
finish(hd_function *f, struct cycle_meta *m)
{
   for (uint32_t i = 0; i < m->num_blocks; i++)
      m->place[block_slot(f, m->sweep[i])] = i;
   for (uint32_t i = 0; i < m->num_cycles; i++) {
      hd_cycle *c = &m->cycle[i];
      c->index = i;
      c->depth = c->parent ? c->parent->depth + 1 : 1;
      c->first = m->place[block_slot(f, c->header)];
      c->blocks = m->sweep + c->first;
   }
   for (uint32_t i = m->num_cycles; i--;) {
      if (m->cycle[i].parent)
         m->cycle[i].parent->num_inside += m->cycle[i].num_inside + 1;
   }
}

/* Unreachable blocks come after the others. */
static void
append_unreachable(const hd_graph *g, struct cycle_meta *m, uint32_t place)
{
   for (uint32_t n = g->num_reachable; n < g->num; n++) {
      if (n != g->end)
         m->sweep[place++] = g->block[n];
   }
   assert(place == m->num_blocks);
}

static struct cycle_meta *
compute_structured(hd_function *f, const hd_graph *g, size_t *size)
{
   struct tree_nest t;

   build_tree_nest(&t, g);
   struct cycle_meta *m = allocate(g, t.num_cycles, size);
   if (!m)
      return NULL;
   for (uint32_t i = 0; i < t.num_cycles; i++) {
      hd_cycle *c = &m->cycle[i];
      c->header = hd_loop_header(t.loop[i]);
      c->parent = t.outer[i] == NONE ? NULL : &m->cycle[t.outer[i]];
      c->continue_block = hd_loop_continue(t.loop[i]);
   }
   uint32_t place = 0;
   hd_foreach_block(b, f) {
      uint32_t n = g->node[b->node.index];
      if (n >= g->num_reachable)
         continue;
      m->sweep[place++] = b;
      if (t.inner[n] != NONE) {
         m->inner[b->node.index] = &m->cycle[t.inner[n]];
         m->cycle[t.inner[n]].num_blocks++;
      }
   }
   append_unreachable(g, m, place);
   for (uint32_t i = t.num_cycles; i--;) {
      if (m->cycle[i].parent)
         m->cycle[i].parent->num_blocks += m->cycle[i].num_blocks;
   }
   finish(f, m);
   return m;
}

static struct cycle_meta *
compute_flat(hd_function *f, const hd_graph *g, size_t *size)
{
   hd_faults faults = { NULL, NULL, 0 };
   hd_declared declared;
   hd_full_nest full;

   hd_declared_read(&declared, g, &faults);
   hd_full_nest_build(&full, g, &declared, &faults);
   uint32_t num_cycles = full.natural.num;
   uint32_t *index = scratch(hd_shader_stack(f->shader), num_cycles);
   struct cycle_meta *m = allocate(g, num_cycles, size);
   if (!m)
      return NULL;
   /* Cycles are numbered as their headers come in the sweep, so parents come first. */
   uint32_t num = 0;
   for (uint32_t i = 0; i < m->num_reachable; i++) {
      uint32_t c = full.natural.head[full.sweep[i]];

      m->sweep[i] = g->block[full.sweep[i]];
      if (c == NONE)
         continue;
      index[c] = num;
      uint32_t up = full.tree.parent[c], last = full.continues[c];
      m->cycle[num++] = (hd_cycle){
         .header = g->block[full.natural.header[c]],
         .parent = up == NONE ? NULL : &m->cycle[index[up]],
         .continue_block = last == NONE ? NULL : g->block[last],
         .num_blocks = full.size[c],
         .has_other_entries = full.entered[c],
      };
   }
   append_unreachable(g, m, m->num_reachable);
   for (uint32_t n = 0; n < g->num_reachable; n++) {
      if (full.inner[n] != NONE)
         m->inner[block_slot(f, g->block[n])] = &m->cycle[index[full.inner[n]]];
   }
   finish(f, m);
   return m;
}

void *
hd_compute_cycles(hd_function *f, const hd_graph *g, size_t *size)
{
   return f->structured ? compute_structured(f, g, size) : compute_flat(f, g, size);
}

static const hd_block *
block_of(const hd_cycle *c)
{
   return c ? c->header : NULL;
}

const char *
hd_compare_cycles(hd_function *f, const void *a, const void *b, const hd_block **block)
{
   const struct cycle_meta *x = a, *y = b;

   *block = NULL;
   if (x->num_cycles != y->num_cycles)
      return "the number of cycles";
   for (uint32_t i = 0; i < y->num_blocks; i++) {
      *block = y->sweep[i];
      uint32_t slot = block_slot(f, y->sweep[i]);
      if (x->sweep[i] != y->sweep[i] || x->place[slot] != i)
         return "its place in the sweep order";
      if (block_of(x->inner[slot]) != block_of(y->inner[slot]))
         return "its innermost cycle";
   }
   for (uint32_t i = 0; i < y->num_cycles; i++) {
      const hd_cycle *c = &x->cycle[i], *d = &y->cycle[i];
      *block = d->header;
      if (c->header != d->header || block_of(c->parent) != block_of(d->parent))
         return "the cycle around the one that it heads";
      if (c->num_blocks != d->num_blocks || c->first != d->first || c->depth != d->depth ||
          c->num_inside != d->num_inside)
         return "the extent of the cycle that it heads";
      if (c->continue_block != d->continue_block)
         return "the continue block of the cycle that it heads";
      if (c->has_other_entries != d->has_other_entries)
         return "the entries of the cycle that it heads";
   }
   return NULL;
}

uint32_t
hd_function_num_cycles(const hd_function *f)
{
   return CYCLE_META(f)->num_cycles;
}

hd_cycle *
hd_function_cycle(const hd_function *f, uint32_t index)
{
   assert(index < CYCLE_META(f)->num_cycles);
   return &CYCLE_META(f)->cycle[index];
}

hd_cycle *
hd_block_cycle(const hd_block *block)
{
   const hd_function *f = hd_block_function(block);

   return CYCLE_META(f)->inner[block_slot(f, block)];
}

hd_cycle *
hd_block_headed_cycle(const hd_block *block)
{
   hd_cycle *c = hd_block_cycle(block);

   return c && c->header == block ? c : NULL;
}

bool
hd_cycle_contains_cycle(const hd_cycle *outer, const hd_cycle *inner)
{
   return inner->index - outer->index <= outer->num_inside;
}

bool
hd_cycle_contains(const hd_cycle *cycle, const hd_block *block)
{
   const hd_cycle *inner = hd_block_cycle(block);

   return inner && hd_cycle_contains_cycle(cycle, inner);
}

hd_cycle *
hd_cycle_common(hd_cycle *a, hd_cycle *b)
{
   while (a && b && !hd_cycle_contains_cycle(a, b))
      a = a->parent;
   return b ? a : NULL;
}

void
hd_cycle_forest(hd_forest *t, hd_stack *stack, const hd_function *f)
{
   const uint32_t num = hd_function_num_cycles(f);
   uint32_t *parent = hd_stack_alloc(stack, (num + 1) * sizeof(*parent));

   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *c = hd_function_cycle(f, n);
      parent[n] = c->parent ? c->parent->index : NONE;
   }
   hd_forest_build(t, stack, num, parent, NULL, NULL);
}

hd_block *const *
hd_function_sweep(const hd_function *f, uint32_t *num_blocks)
{
   if (num_blocks)
      *num_blocks = CYCLE_META(f)->num_blocks;
   return CYCLE_META(f)->sweep;
}

uint32_t
hd_block_sweep_index(const hd_block *block)
{
   const hd_function *f = hd_block_function(block);

   return CYCLE_META(f)->place[block_slot(f, block)];
}

hd_result
hd_check_declarations(hd_function *f,
                      void (*report)(void *user, hd_declaration_fault fault, hd_block *block,
                                     hd_block *other),
                      void *user, uint32_t *num_faults)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_faults faults = { report, user, 0 };
   hd_unwind u;
   bool any = false;

   if (num_faults)
      *num_faults = 0;
   if (!f->structured) {
      hd_foreach_block(b, f)
         any |= b->loop_header || b->continues;
   }
   if (!any)
      return HD_OK;
   hd_heap_refill(heap);
   if (HD_TRY(heap, &u)) {
      hd_graph g;
      hd_declared declared;
      hd_full_nest full;

      hd_graph_build(&g, f);
      hd_declared_read(&declared, &g, &faults);
      hd_full_nest_build(&full, &g, &declared, &faults);
   }
   hd_stack_release(stack, mark);
   if (num_faults)
      *num_faults = faults.num;
   return hd_heap_leave(heap, &u);
}
