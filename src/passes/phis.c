/* SPDX-License-Identifier: MIT */
/* phis.c - find and remove redundant phis, by dominators of the value graph.
 *
 * Take the values as nodes of a graph, with an edge from each source to its phi, and a root with an
 * edge to every value that is not a phi. A value that a phi can take came from somewhere below the
 * root, along a path of the graph. If all paths to a phi pass one node below the root, the phi always
 * has that node's value: so the redundant phis are those whose immediate dominator, in this graph, is
 * not the root, and each is replaced by its highest dominator below the root. (Braun and others, 2013,
 * find the same phis by strongly connected components.)
 *
 *        root               The highest dominator of p dominates p's block: on every path to p the
 *       /    \              value comes from some node, and only from that one. And it is not stale:
 *      a      b             between the execution of the node's block and p, each phi on the path
 *      |    /   \           dominates the next edge that carries the value, so it was executed in
 *      q   r -> s           between too.
 *     / \   \  /
 *    p   t   phi  <- not redundant: a and b come in
 *
 * An undefined source adds no edge. Then the highest dominator need not dominate the phi's block (in
 * the phi's own block it would be stale); if it does not, the undefined sources of the phi get an edge
 * from the root after all, and dominators are recomputed. After a few rounds, all undefined sources
 * count.
 *
 * If there is no cycle of phis, each phi with two different sources is its own value, and no graph is
 * built.
 */
#include "passes/phis.h"

#include "analysis/private.h"
#include "ir/repair.h"
#include "passes/pass.h"

#define MAX_ROUNDS 6

/* Nodes: the root, all undefined values as one, the phis from here on, then other values. */
#define UNDEF 1u
#define FIRST 2u

struct graph {
   hd_function *f;
   hd_stack *stack;
   hd_phi **phis;
   uint32_t num_phis;
   uint32_t num_nodes;
   uint32_t *node_of;  /* by def index; 0: none */
   hd_def **def;       /* by node */
   bool *counts_undef; /* by phi */
   bool *stays;        /* by phi: it is its own value */
   bool keep_uniform;
   uint32_t *succ_begin; /* by node */
   uint32_t *succ;
   /* The depth-first walk from the root: position by node, and the inverse. */
   uint32_t *place, *order, *parent;
   uint32_t num_order;
   uint32_t *same; /* by node: the highest node above it; NONE: nothing comes in */
};

static bool
is_reachable(const hd_block *b)
{
   return hd_block_idom(b) || b == hd_function_start(hd_block_function(b));
}

/* Does the source carry anything that counts? */
static bool
counts(const struct graph *g, uint32_t phi, uint32_t n)
{
   const hd_phi *p = g->phis[phi];
   const hd_def *def = p->srcs[n].src.def;

   if (!is_reachable(p->instr.block->preds[n].from))
      return false;
   return hd_def_instr(def)->kind != HD_INSTR_UNDEF || g->counts_undef[phi];
}

static void
add_node(struct graph *g, hd_def *def)
{
   if (g->node_of[def->index])
      return;
   if (hd_def_instr(def)->kind == HD_INSTR_UNDEF) {
      g->node_of[def->index] = UNDEF;
      return;
   }
   g->node_of[def->index] = g->num_nodes;
   g->def[g->num_nodes++] = def;
}

/* Nodes, and room for the edges. */
static void
find_nodes(struct graph *g)
{
   size_t num_srcs = 0;

   for (uint32_t p = 0; p < g->num_phis; p++)
      num_srcs += g->phis[p]->num_srcs;
   pass_step(g->f, num_srcs);
   size_t max_nodes = FIRST + g->num_phis + num_srcs;
   g->node_of = hd_stack_alloc_zero(g->stack, (g->f->num_defs + 1) * sizeof(*g->node_of));
   g->def = hd_stack_alloc(g->stack, max_nodes * sizeof(*g->def));
   g->num_nodes = FIRST;
   for (uint32_t p = 0; p < g->num_phis; p++)
      add_node(g, &g->phis[p]->instr.def);
   for (uint32_t p = 0; p < g->num_phis; p++) {
      for (uint32_t n = 0; n < g->phis[p]->num_srcs; n++)
         add_node(g, g->phis[p]->srcs[n].src.def);
   }
   g->succ_begin = scratch(g->stack, g->num_nodes + 2);
   g->succ = scratch(g->stack, num_srcs);
   g->place = scratch(g->stack, g->num_nodes);
   g->order = scratch(g->stack, g->num_nodes);
   g->parent = scratch(g->stack, g->num_nodes);
   g->same = scratch(g->stack, g->num_nodes);
}

static void
find_edges(struct graph *g)
{
   uint32_t *begin = g->succ_begin;

   memset(begin, 0, (g->num_nodes + 2) * sizeof(*begin));
   for (uint32_t pass = 0; pass < 2; pass++) {
      for (uint32_t p = 0; p < g->num_phis; p++) {
         for (uint32_t n = 0; n < g->phis[p]->num_srcs; n++) {
            if (!counts(g, p, n))
               continue;
            uint32_t from = g->node_of[g->phis[p]->srcs[n].src.def->index];
            if (pass)
               g->succ[begin[from + 1]++] = p + FIRST;
            else
               begin[from + 2]++;
         }
      }
      for (uint32_t n = 2; n < g->num_nodes + 2 && !pass; n++)
         begin[n] += begin[n - 1];
   }
}

/* Depth first from the root, whose successors are all nodes that are no phis. */
static void
walk(struct graph *g)
{
   uint32_t *pending = scratch(g->stack, g->num_nodes), *at = scratch(g->stack, g->num_nodes);
   uint32_t num_pending = 0;

   memset(g->place, 0xff, g->num_nodes * sizeof(*g->place));
   g->place[0] = 0;
   g->order[0] = 0;
   g->num_order = 1;
   for (uint32_t root = UNDEF; root < g->num_nodes; root++) {
      if (root == FIRST)
         root += g->num_phis;
      if (root == g->num_nodes)
         break;
      pending[num_pending++] = root;
      g->parent[g->num_order] = 0;
      for (;;) {
         uint32_t n = pending[num_pending - 1];
         if (g->place[n] == NONE) {
            g->place[n] = g->num_order;
            g->order[g->num_order++] = n;
            at[n] = g->succ_begin[n];
         }
         while (at[n] < g->succ_begin[n + 1] && g->place[g->succ[at[n]]] != NONE)
            at[n]++;
         if (at[n] < g->succ_begin[n + 1]) {
            pending[num_pending++] = g->succ[at[n]];
            g->parent[g->num_order] = g->place[n];
         } else if (--num_pending == 0) {
            break;
         }
      }
   }
}

static void
find_same(struct graph *g)
{
   const uint32_t num = g->num_order;
   uint32_t num_edges = 0, *begin = scratch(g->stack, num + 1), *idom = scratch(g->stack, num);

   for (uint32_t p = 0; p < g->num_phis; p++)
      num_edges += g->phis[p]->num_srcs;
   uint32_t *pred = scratch(g->stack, num_edges + 2 * (size_t)num);
   num_edges = 0;
   begin[0] = 0;
   for (uint32_t place = 0; place < num; place++) {
      uint32_t node = g->order[place];
      begin[place] = num_edges;
      if (node == 0)
         continue;
      if (node < FIRST || node >= FIRST + g->num_phis) {
         pred[num_edges++] = 0;
         continue;
      }
      const hd_phi *phi = g->phis[node - FIRST];
      if (g->stays[node - FIRST])
         pred[num_edges++] = 0;
      for (uint32_t n = 0; n < phi->num_srcs; n++) {
         if (!counts(g, node - FIRST, n))
            continue;
         uint32_t from = g->place[g->node_of[phi->srcs[n].src.def->index]];
         if (from != NONE)
            pred[num_edges++] = from;
      }
   }
   begin[num] = num_edges;
   hd_dominators(g->stack, num, g->parent, begin, pred, idom);
   memset(g->same, 0xff, g->num_nodes * sizeof(*g->same));
   g->same[0] = 0;
   for (uint32_t place = 1; place < num; place++) {
      uint32_t node = g->order[place];
      g->same[node] = idom[place] ? g->same[g->order[idom[place]]] : node;
   }
}

/* Where the value that is left does not dominate, undefined sources count: the phi's own, and those
 * that come through phis with no others.
 */
static bool
count_undefs(struct graph *g, bool all)
{
   bool changed = false;

   for (uint32_t p = 0; p < g->num_phis; p++) {
      uint32_t same = g->same[p + FIRST];
      if (same == p + FIRST || same == NONE || same == UNDEF || g->counts_undef[p])
         continue;
      const hd_instr *i = hd_def_instr(g->def[same]);
      const hd_block *b = g->phis[p]->instr.block;
      if (all || i->block == b || !hd_block_dominates(i->block, b)) {
         g->counts_undef[p] = true;
         changed = true;
      }
   }
   for (uint32_t p = 0; p < g->num_phis && changed; p++)
      g->counts_undef[p] |= g->same[p + FIRST] == NONE;
   return changed;
}

/* An edge from the root to a phi that is to stay makes it its own value, and it is still found in
 * the walk where it was.
 */
static bool
keep_uniform(struct graph *g)
{
   bool changed = false;

   for (uint32_t p = 0; p < g->num_phis && g->keep_uniform; p++) {
      const uint32_t same = g->same[p + FIRST];
      const hd_instr *phi = &g->phis[p]->instr;
      if (same == p + FIRST || same == NONE || same == UNDEF || g->stays[p])
         continue;
      hd_require(g->f, HD_META_DIVERGENCE);
      if (!hd_def_is_uniform(&phi->def) || hd_def_is_uniform_at(g->def[same], phi->block))
         continue;
      g->stays[p] = true;
      changed = true;
   }
   return changed;
}

/* Is there a block that nothing comes to? */
static bool
is_any_unreachable(hd_function *f)
{
   if (f->meta_valid & HD_META_BLOCK_ORDER)
      return ORDER_META(f)->num_reachable != ORDER_META(f)->num_blocks;
   hd_foreach_block(b, f) {
      if (!b->num_preds && b != hd_function_start(f))
         return true;
   }
   return false;
}

/* Is it plain that all are their own values? Not where a source counts for nothing; of a tree's
 * blocks that nothing reaches the first has no predecessor. If numbers of blocks rise from phi to
 * phi there is no cycle.
 */
static bool
all_stay(hd_function *f, hd_phi *const *phis, uint32_t num)
{
   if (!f->structured)
      return false;
   for (uint32_t p = 0; p < num; p++) {
      const hd_phi *phi = phis[p];
      const hd_def *first = phi->num_srcs ? phi->srcs[0].src.def : NULL;
      bool differ = false;

      pass_step(f, 1);
      for (uint32_t n = 0; n < phi->num_srcs; n++) {
         const hd_def *def = phi->srcs[n].src.def;
         const hd_instr *i = hd_def_instr(def);
         if (i->kind == HD_INSTR_UNDEF ||
             (i->kind == HD_INSTR_PHI && i->block->node.index >= phi->instr.block->node.index))
            return false;
         differ |= def != first;
      }
      if (!differ)
         return false;
   }
   return !is_any_unreachable(f);
}

static uint32_t
replace(struct graph *g)
{
   uint32_t num_left = 0, num_removed = 0;
   hd_undefs undefs;

   hd_undefs_init(&undefs, g->f);
   for (uint32_t p = 0; p < g->num_phis; p++) {
      hd_def *def = &g->phis[p]->instr.def;
      uint32_t same = g->same[p + FIRST];
      if (same == NONE || same == UNDEF)
         hd_def_replace_uses(def, hd_undefs_get(&undefs, def->num_components, def->bit_size));
      else if (same != p + FIRST)
         hd_def_replace_uses(def, g->def[same]);
   }
   for (uint32_t p = 0; p < g->num_phis; p++) {
      if (g->same[p + FIRST] == p + FIRST) {
         g->phis[num_left++] = g->phis[p];
         continue;
      }
      hd_instr_remove(&g->phis[p]->instr);
      num_removed++;
   }
   return num_removed;
}

uint32_t
hd_remove_redundant_phis(hd_function *f, hd_phi **phis, uint32_t num, bool keep_uniform_ones)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark start = hd_stack_get_mark(stack);
   struct graph g = { .f = f, .stack = stack, .phis = phis, .keep_uniform = keep_uniform_ones };
   uint32_t num_dead = 0;

   if (all_stay(f, phis, num))
      return 0;
   hd_require(f, HD_META_DOMINANCE);
   /* Those in unreachable blocks go to the end, and are left alone. */
   hd_phi **dead = hd_stack_alloc(stack, (num + 1) * sizeof(*dead));
   for (uint32_t p = 0; p < num; p++) {
      if (is_reachable(phis[p]->instr.block))
         phis[g.num_phis++] = phis[p];
      else
         dead[num_dead++] = phis[p];
   }
   g.counts_undef = hd_stack_alloc_zero(stack, g.num_phis + 1);
   g.stays = hd_stack_alloc_zero(stack, g.num_phis + 1);
   find_nodes(&g);
   for (unsigned round = 0;; round++) {
      hd_stack_mark mark = hd_stack_get_mark(stack);
      pass_step(f, g.num_nodes);
      find_edges(&g);
      walk(&g);
      find_same(&g);
      hd_stack_release(stack, mark);
      bool again = count_undefs(&g, round >= MAX_ROUNDS);
      if (!keep_uniform(&g) && !again)
         break;
   }
   uint32_t num_removed = replace(&g);
   for (uint32_t p = 0; p < num_dead; p++)
      phis[g.num_phis - num_removed + p] = dead[p];
   hd_stack_release(stack, start);
   return num_removed;
}
