/* SPDX-License-Identifier: MIT */
/* dominance.c - immediate dominators, dominator tree, dominance queries.
 *
 * Semidominators with path compression: the simple variant of Lengauer and Tarjan (1979). The time is
 * m log n on every graph, ladders and irreducible ones included. The queries compare preorder
 * intervals of the dominator tree.
 */
#include "analysis/private.h"

/* The forest of the nodes already linked, with path compression. `label` is the node with the
 * least semidominator on the compressed part of the path.
 */
struct links {
   uint32_t *ancestor, *label, *semi, *path;
};

static uint32_t
least_on_way_up(struct links *l, uint32_t v)
{
   if (l->ancestor[v] == NONE)
      return v;
   uint32_t length = 0;
   for (uint32_t n = v; l->ancestor[l->ancestor[n]] != NONE; n = l->ancestor[n])
      l->path[length++] = n;
   while (length) {
      uint32_t n = l->path[--length], a = l->ancestor[n];
      if (l->semi[l->label[a]] < l->semi[l->label[n]])
         l->label[n] = l->label[a];
      l->ancestor[n] = l->ancestor[a];
   }
   return l->label[v];
}

void
hd_dominators(hd_stack *stack, uint32_t num, const uint32_t *parent, const uint32_t *pred_begin,
              const uint32_t *pred, uint32_t *idom)
{
   struct links l = { scratch_fill(stack, num, 0xff), scratch(stack, num), scratch(stack, num),
                      scratch(stack, num) };
   /* Nodes that wait for their semidominator's subtree, as lists. */
   uint32_t *bucket = scratch_fill(stack, num, 0xff), *next = scratch(stack, num);

   for (uint32_t n = 0; n < num; n++)
      l.label[n] = l.semi[n] = n;
   for (uint32_t w = num; w-- > 1;) {
      uint32_t p = parent[w];
      if (pred_begin[w + 1] - pred_begin[w] == 1) {
         /* Only its parent leads here. */
         l.semi[w] = idom[w] = p;
      } else {
         for (uint32_t e = pred_begin[w]; e < pred_begin[w + 1]; e++) {
            uint32_t s = l.semi[least_on_way_up(&l, pred[e])];
            if (s < l.semi[w])
               l.semi[w] = s;
         }
         next[w] = bucket[l.semi[w]];
         bucket[l.semi[w]] = w;
      }
      l.ancestor[w] = p;
      for (uint32_t v = bucket[p]; v != NONE; v = next[v]) {
         uint32_t u = least_on_way_up(&l, v);
         idom[v] = l.semi[u] < l.semi[v] ? u : p;
      }
      bucket[p] = NONE;
   }
   idom[0] = NONE;
   for (uint32_t w = 1; w < num; w++) {
      if (idom[w] != l.semi[w])
         idom[w] = idom[idom[w]];
   }
}

/* The tree from the immediate dominators: these have smaller numbers than what they dominate, so
 * ascending order meets parents first, descending order children first.
 */
static void
build_tree(struct dom_node *node, const hd_graph *g, const uint32_t *idom, uint32_t *next,
           struct dom_node **by_node)
{
   uint32_t num = g->num_reachable;

   for (uint32_t n = 0; n < num; n++) {
      struct dom_node *d = by_node[n] = &node[block_slot(g->f, g->block[n])];
      d->size = 1;
      d->reach = NONE;
      d->idom = n ? g->block[idom[n]] : NULL;
      d->depth = n ? by_node[idom[n]]->depth + 1 : 0;
   }
   for (uint32_t n = num; n--;) {
      struct dom_node *d = by_node[n];
      for (uint32_t e = g->succ_begin[n]; e < g->succ_begin[n + 1]; e++) {
         const uint32_t depth = by_node[g->succ[e]]->depth;
         if (depth < d->reach)
            d->reach = depth;
      }
      if (!n)
         break;
      struct dom_node *p = by_node[idom[n]];
      p->size += d->size;
      if (d->reach < p->reach)
         p->reach = d->reach;
      d->next_sibling = p->first_child;
      p->first_child = g->block[n];
   }
   for (uint32_t n = 0; n < num; n++) {
      by_node[n]->in = n ? next[idom[n]] : 0;
      if (n)
         next[idom[n]] += by_node[n]->size;
      next[n] = by_node[n]->in + 1;
   }
}

void *
hd_compute_dominance(hd_function *f, const hd_graph *g, size_t *size)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   const size_t num_slots = (size_t)f->num_blocks + 1;
   uint32_t *idom = scratch(stack, g->num), *next = scratch(stack, g->num_reachable);
   struct dom_node **by_node = hd_stack_alloc(stack, g->num_reachable * sizeof(*by_node));

   hd_dominators(stack, g->num_reachable, g->parent, g->pred_begin, g->pred, idom);
   *size =
       sizeof(struct dom_meta) + num_slots * (sizeof(struct dom_node) + 4 * sizeof(hd_block *) + 1);
   struct dom_meta *m = hd_heap_alloc(hd_shader_heap(f->shader), *size);
   if (!m)
      return NULL;
   m->node = (struct dom_node *)(m + 1);
   m->next = (hd_block **)(m->node + num_slots);
   m->queue = memset(m->next + num_slots, 0, num_slots * sizeof(*m->queue));
   m->work = m->queue + num_slots;
   m->seen = memset(m->work + 2 * num_slots, 0, num_slots);
   for (size_t i = 0; i < num_slots; i++)
      m->node[i] = (struct dom_node){ .in = NONE };
   build_tree(m->node, g, idom, next, by_node);
   return m;
}

const char *
hd_compare_dominance(hd_function *f, const void *a, const void *b, const hd_block **block)
{
   const struct dom_meta *x = a, *y = b;

   for (hd_block *blk = hd_function_start(f); blk; blk = hd_block_is_end(blk) ? NULL
                                                         : hd_block_next(blk) ? hd_block_next(blk)
                                                                              : &f->end) {
      const struct dom_node *m = &x->node[block_slot(f, blk)], *n = &y->node[block_slot(f, blk)];
      *block = blk;
      if (m->idom != n->idom)
         return "its immediate dominator";
      if (m->first_child != n->first_child || m->next_sibling != n->next_sibling)
         return "its children in the dominator tree";
      if (m->in != n->in || m->size != n->size || m->depth != n->depth || m->reach != n->reach)
         return "its place in the dominator tree";
   }
   return NULL;
}

static const struct dom_node *
dom_node(const hd_block *block)
{
   const hd_function *f = hd_block_function(block);

   return &DOM_META(f)->node[block_slot(f, block)];
}

hd_block *
hd_block_idom(const hd_block *block)
{
   return dom_node(block)->idom;
}

bool
hd_block_dominates(const hd_block *a, const hd_block *b)
{
   const struct dom_node *m = dom_node(a), *n = dom_node(b);

   return n->in == NONE || (m->in != NONE && n->in - m->in < m->size);
}

hd_block *
hd_block_dom_first_child(const hd_block *block)
{
   return dom_node(block)->first_child;
}

hd_block *
hd_block_dom_next_sibling(const hd_block *block)
{
   return dom_node(block)->next_sibling;
}

uint32_t
hd_block_dom_depth(const hd_block *block)
{
   return dom_node(block)->depth;
}

hd_block *
hd_block_dom_next(const hd_block *block)
{
   const struct dom_node *d = dom_node(block);

   if (d->first_child)
      return d->first_child;
   while (!d->next_sibling && d->idom)
      d = dom_node(d->idom);
   return d->next_sibling;
}

hd_block *
hd_block_common_dominator(hd_block *a, hd_block *b)
{
   while (!hd_block_dominates(a, b)) {
      if (dom_node(a)->in == NONE)
         return b;
      a = hd_block_idom(a);
   }
   return a;
}

hd_block *
hd_src_block(const hd_src *src)
{
   const hd_if *nif = hd_src_if(src);

   if (nif)
      return hd_node_prev_block(&nif->node);
   const hd_instr *reader = hd_src_instr(src);
   if (reader->kind != HD_INSTR_PHI)
      return reader->block;
   const hd_phi *phi = (const hd_phi *)reader;
   return reader->block->preds[(const hd_wide_src *)src - phi->srcs].from;
}

bool
hd_instr_is_before(const hd_instr *a, const hd_instr *b)
{
   assert(a->block == b->block);
   if (a == b)
      return false;
   const hd_function *f = hd_block_function(a->block);
   if ((f->meta_valid & HD_META_INSTR_ORDER) && hd_instr_def(a) && hd_instr_def(b)) {
      const uint32_t *place = INSTR_META(f)->place;
      return place[a->def.index] < place[b->def.index];
   }
   /* Whichever is first meets the other after as many steps as they are apart. */
   for (const hd_instr *x = a->next, *y = b->next;; x = x->next, y = y->next) {
      if (!y || x == b)
         return true;
      if (!x || y == a)
         return false;
   }
}

bool
hd_def_dominates_src(const hd_def *def, const hd_src *src)
{
   const hd_instr *d = hd_def_instr(def), *reader = hd_src_instr(src);
   const hd_block *at = hd_src_block(src);

   if (d->block != at)
      return hd_block_dominates(d->block, at);
   if (!reader || reader->kind == HD_INSTR_PHI || hd_instr_is_before(d, reader))
      return true;
   return dom_node(at)->in == NONE;
}
