/* SPDX-License-Identifier: MIT */
/* postdom.c - post-dominators: dominators of the reversed CFG.
 *
 * The walk starts at the end block. What cannot reach it gets edges to it, so that every reachable
 * block takes part: from the header of each cycle that cannot, and from blocks without successors,
 * which valid functions don't have.
 */
#include "analysis/cycle_nest.h"
#include "analysis/private.h"

/* The reversed graph, numbered anew by a walk from the end block. */
struct reverse {
   uint32_t num;
   uint32_t *node; /* the graph's node of each number */
   uint32_t *number;
   uint32_t *parent;
   uint32_t *pred_begin, *pred; /* what were successors */
};

/* Nodes of the graph in the order of a walk back from the end block, over `extra` edges too, which
 * come first; node n has an extra edge where has_extra[n] is set.
 */
static void
walk_back(struct reverse *r, const hd_graph *g, const uint32_t *extra, uint32_t num_extra)
{
   hd_stack *stack = hd_shader_stack(g->f->shader);
   uint32_t *next = scratch_fill(stack, g->num, 0);
   uint32_t at = 0;

   r->num = 1;
   r->node[0] = g->end;
   r->number[g->end] = 0;
   r->parent[0] = NONE;
   while (at != NONE) {
      uint32_t n = r->node[at], from, num_real = g->pred_begin[n + 1] - g->pred_begin[n];

      if (next[at] < num_real)
         from = g->pred[g->pred_begin[n] + next[at]++];
      else if (at == 0 && next[at] < num_real + num_extra)
         from = extra[next[at]++ - num_real];
      else {
         at = r->parent[at];
         continue;
      }
      if (r->number[from] != NONE)
         continue;
      r->number[from] = r->num;
      r->node[r->num] = from;
      r->parent[r->num] = at;
      at = r->num++;
   }
}

/* The blocks that have an extra edge to the end: none where every block can reach it. */
static uint32_t
find_extra(const hd_graph *g, const uint32_t *number, uint32_t num_reached, uint32_t *extra)
{
   hd_stack *stack = hd_shader_stack(g->f->shader);
   bool end_reachable = g->end < g->num_reachable;
   uint32_t num = 0;

   if (num_reached == g->num_reachable + !end_reachable)
      return 0;
   bool *header = hd_stack_alloc(stack, g->num);
   hd_nest_headers(g, header);
   for (uint32_t n = 0; n < g->num_reachable; n++) {
      if (number[n] == NONE && (header[n] || g->succ_begin[n] == g->succ_begin[n + 1]))
         extra[num++] = n;
   }
   return num;
}

static void
build_reverse(struct reverse *r, const hd_graph *g)
{
   hd_stack *stack = hd_shader_stack(g->f->shader);
   uint32_t *extra = scratch(stack, g->num);

   r->node = scratch(stack, g->num);
   r->parent = scratch(stack, g->num);
   r->number = scratch_fill(stack, g->num, 0xff);
   walk_back(r, g, extra, 0);
   uint32_t num_extra = find_extra(g, r->number, r->num, extra);
   if (num_extra) {
      memset(r->number, 0xff, g->num * sizeof(uint32_t));
      walk_back(r, g, extra, num_extra);
   }

   bool *is_extra = memset(hd_stack_alloc(stack, g->num), 0, g->num);
   for (uint32_t i = 0; i < num_extra; i++)
      is_extra[extra[i]] = true;
   r->pred_begin = scratch(stack, (size_t)r->num + 1);
   r->pred = scratch(stack, (size_t)g->succ_begin[g->num] + num_extra);
   uint32_t num = 0;
   for (uint32_t i = 0; i < r->num; i++) {
      uint32_t n = r->node[i];
      r->pred_begin[i] = num;
      for (uint32_t e = g->succ_begin[n]; e < g->succ_begin[n + 1]; e++)
         r->pred[num++] = r->number[g->succ[e]];
      if (is_extra[n])
         r->pred[num++] = 0;
   }
   r->pred_begin[r->num] = num;
}

void *
hd_compute_post_dominance(hd_function *f, const hd_graph *g, size_t *size)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   size_t num_slots = (size_t)f->num_blocks + 1;
   struct reverse r;

   build_reverse(&r, g);
   uint32_t *ipdom = scratch(stack, r.num), *next = scratch(stack, r.num);
   hd_dominators(stack, r.num, r.parent, r.pred_begin, r.pred, ipdom);

   struct pdom_node *node = hd_stack_alloc_zero(stack, num_slots * sizeof(*node));
   struct pdom_node **by_number = hd_stack_alloc(stack, r.num * sizeof(*by_number));
   for (size_t i = 0; i < num_slots; i++)
      node[i].in = NONE;
   for (uint32_t n = 0; n < r.num; n++) {
      struct pdom_node *d = by_number[n] = &node[block_slot(f, g->block[r.node[n]])];
      d->ipdom = n ? g->block[r.node[ipdom[n]]] : NULL;
      d->depth = n ? by_number[ipdom[n]]->depth + 1 : 0;
      d->size = 1;
   }
   for (uint32_t n = r.num; n-- > 1;)
      by_number[ipdom[n]]->size += by_number[n]->size;
   for (uint32_t n = 0; n < r.num; n++) {
      by_number[n]->in = n ? next[ipdom[n]] : 0;
      if (n)
         next[ipdom[n]] += by_number[n]->size;
      next[n] = by_number[n]->in + 1;
   }

   *size = sizeof(struct pdom_meta) + num_slots * sizeof(*node);
   struct pdom_meta *m = hd_heap_alloc(hd_shader_heap(f->shader), *size);
   if (m)
      m->node = memcpy(m + 1, node, num_slots * sizeof(*node));
   return m;
}

const char *
hd_compare_post_dominance(hd_function *f, const void *a, const void *b, const hd_block **block)
{
   const struct pdom_meta *x = a, *y = b;

   hd_foreach_block(blk, f) {
      const struct pdom_node *m = &x->node[block_slot(f, blk)], *n = &y->node[block_slot(f, blk)];
      *block = blk;
      if (m->ipdom != n->ipdom)
         return "its immediate post-dominator";
      if (m->in != n->in || m->size != n->size || m->depth != n->depth)
         return "its place in the post-dominator tree";
   }
   return NULL;
}

static const struct pdom_node *
pdom_node(const hd_block *block)
{
   const hd_function *f = hd_block_function(block);

   return &PDOM_META(f)->node[block_slot(f, block)];
}

hd_block *
hd_block_post_idom(const hd_block *block)
{
   return pdom_node(block)->ipdom;
}

bool
hd_block_post_dominates(const hd_block *a, const hd_block *b)
{
   const struct pdom_node *m = pdom_node(a), *n = pdom_node(b);

   return a == b || (m->in != NONE && n->in != NONE && n->in - m->in < m->size);
}

hd_block *
hd_block_common_post_dominator(hd_block *a, hd_block *b)
{
   while (a && !hd_block_post_dominates(a, b))
      a = hd_block_post_idom(a);
   return a;
}
