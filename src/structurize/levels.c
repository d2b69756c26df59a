/* SPDX-License-Identifier: MIT */
/* levels.c - the acyclic graph of each level of the loop nest, with its dominator tree. */
#include "structurize/plan.h"

static uint32_t
exit_depth(const plan *p, uint32_t edge)
{
   uint32_t level = p->edge[edge].level;

   return level ? p->cycle[level - 1].depth : 0;
}

/* Keep the two exits to different blocks that lead furthest out. */
static void
add_exit(const plan *p, plan_cycle *c, uint32_t edge)
{
   uint32_t n = c->num_exits;

   for (uint32_t i = 0; i < n; i++) {
      if (p->edge[c->exit[i]].to == p->edge[edge].to)
         return;
   }
   if (n == 2 && exit_depth(p, edge) >= exit_depth(p, c->exit[1]))
      return;
   n -= n == 2;
   c->exit[n] = edge;
   if (n == 1 && exit_depth(p, edge) < exit_depth(p, c->exit[0])) {
      c->exit[1] = c->exit[0];
      c->exit[0] = edge;
   }
   c->num_exits = n + 1;
}

static void
read_cycles(plan *p)
{
   uint32_t *parent = scratch(p->stack, p->num_cycles);

   p->cycle = hd_stack_alloc_zero(p->stack, (p->num_cycles + 1) * sizeof(*p->cycle));
   for (uint32_t i = 0; i < p->num_cycles; i++) {
      const hd_cycle *c = hd_function_cycle(p->f, i);
      plan_cycle *to = &p->cycle[i];

      to->header = to->first = c->first;
      to->num = c->num_blocks;
      to->parent = parent[i] = c->parent ? c->parent->index : NONE;
      to->depth = c->depth;
      to->continue_block = c->continue_block ? hd_block_sweep_index(c->continue_block) : NONE;
      to->declared = c->continue_block != NULL;
      to->body = to->again = NONE;
   }
   hd_forest_build(&p->nest, p->stack, p->num_cycles, parent, NULL, NULL);
}

/* The innermost cycle around both blocks. */
static uint32_t
common_cycle(const plan *p, uint32_t a, uint32_t b)
{
   uint32_t ca = p->inner[a], cb = p->inner[b];

   if (ca == cb || ca == NONE || cb == NONE)
      return ca == cb ? ca : NONE;
   return hd_forest_common(&p->nest, ca, cb);
}

static void
read_edges(plan *p)
{
   uint32_t num = 0;

   p->edge_begin = scratch(p->stack, p->num_blocks + 1);
   for (uint32_t i = 0; i < p->num_blocks; i++) {
      p->edge_begin[i] = num;
      num += p->block[i]->num_succs;
   }
   p->edge_begin[p->num_blocks] = num;
   p->edge_of = scratch_fill(p->stack, num, 0xff);
   p->edge = hd_stack_alloc(p->stack, (num + 1) * sizeof(*p->edge));

   /* Counted by level, then put in place. */
   uint32_t num_levels = p->num_cycles + 1;
   uint32_t *level = scratch(p->stack, num);
   p->level_begin = scratch_fill(p->stack, num_levels + 2, 0);
   for (uint32_t i = 0; i < p->num_blocks; i++) {
      hd_block *b = p->block[i];
      for (uint32_t s = 0; s < b->num_succs; s++) {
         uint32_t e = p->edge_begin[i] + s;
         if (hd_block_is_end(b->succs[s].to))
            continue;
         uint32_t c = common_cycle(p, i, p->place[b->succs[s].to->node.index]);
         level[e] = c == NONE ? 0 : c + 1;
         p->level_begin[level[e] + 2]++;
      }
   }
   for (uint32_t l = 0; l < num_levels; l++)
      p->level_begin[l + 2] += p->level_begin[l + 1];
   for (uint32_t i = 0; i < p->num_blocks; i++) {
      hd_block *b = p->block[i];
      for (uint32_t s = 0; s < b->num_succs; s++) {
         uint32_t e = p->edge_begin[i] + s;
         if (hd_block_is_end(b->succs[s].to))
            continue;
         uint32_t at = p->level_begin[level[e] + 1]++;
         p->edge_of[e] = at;
         p->edge[at] = (plan_edge){ i, p->place[b->succs[s].to->node.index], s, level[e] };
      }
   }
   p->num_edges = p->level_begin[num_levels];
}

/* Which two exits of each cycle lead furthest: each is also one of the cycles around that it
 * leaves.
 */
static void
read_exits(plan *p)
{
   for (uint32_t i = 0; i < p->num_edges; i++) {
      const plan_edge *e = &p->edge[i];
      uint32_t c = p->inner[e->from];
      if (c != NONE && p->cycle[c].depth > exit_depth(p, i))
         add_exit(p, &p->cycle[c], i);
   }
   for (uint32_t i = p->num_cycles; i--;) {
      const plan_cycle *c = &p->cycle[i];
      for (uint32_t k = 0; c->parent != NONE && k < c->num_exits; k++) {
         if (exit_depth(p, c->exit[k]) < p->cycle[c->parent].depth)
            add_exit(p, &p->cycle[c->parent], c->exit[k]);
      }
   }
}

/* Of the blocks of a cycle two that are entered from furthest out: by the depth of the level. */
struct entries {
   uint32_t block[2], depth[2];
};

static void
add_entry(struct entries *e, uint32_t block, uint32_t depth)
{
   if (depth < e->depth[0]) {
      e->block[1] = e->block[0];
      e->depth[1] = e->depth[0];
      e->block[0] = block;
      e->depth[0] = depth;
   } else if (depth < e->depth[1]) {
      e->block[1] = block;
      e->depth[1] = depth;
   }
}

/* Blocks of a cycle where lanes enter it, but for its header: all that are items themselves, and of
 * an inner cycle two. More would not say more of it than that it is entered at several.
 */
static void
read_entries(plan *p)
{
   uint32_t *depth = scratch_fill(p->stack, p->num_blocks, 0xff);
   struct entries *two = hd_stack_alloc(p->stack, (p->num_cycles + 1) * sizeof(*two));

   for (uint32_t i = 0; i < p->num_edges; i++) {
      uint32_t d = exit_depth(p, i), to = p->edge[i].to;
      depth[to] = d < depth[to] ? d : depth[to];
   }
   for (uint32_t c = 0; c < p->num_cycles; c++)
      two[c] = (struct entries){ { NONE, NONE }, { NONE, NONE } };
   for (uint32_t b = 0; b < p->num_blocks; b++) {
      if (p->inner[b] != NONE)
         add_entry(&two[p->inner[b]], b, depth[b]);
   }
   for (uint32_t c = p->num_cycles; c--;) {
      for (unsigned k = 0; k < 2 && p->cycle[c].parent != NONE; k++)
         add_entry(&two[p->cycle[c].parent], two[c].block[k], two[c].depth[k]);
   }

   p->entry_begin = scratch_fill(p->stack, p->num_cycles + 2, 0);
   for (int fill = 0; fill < 2; fill++) {
      uint32_t *at = p->entry_begin + (fill ? 1 : 2);
      for (uint32_t b = 0; b < p->num_blocks; b++) {
         uint32_t c = p->inner[b];
         if (c == NONE || p->cycle[c].header == b || depth[b] >= p->cycle[c].depth)
            continue;
         if (fill)
            p->entry[at[c]] = b;
         at[c]++;
      }
      for (uint32_t inner = 0; inner < p->num_cycles; inner++) {
         uint32_t c = p->cycle[inner].parent;
         for (unsigned k = 0; c != NONE && k < 2; k++) {
            if (two[inner].depth[k] >= p->cycle[c].depth)
               continue;
            if (fill)
               p->entry[at[c]] = two[inner].block[k];
            at[c]++;
         }
      }
      if (fill)
         break;
      for (uint32_t c = 0; c < p->num_cycles; c++)
         p->entry_begin[c + 2] += p->entry_begin[c + 1];
      p->entry = scratch(p->stack, p->entry_begin[p->num_cycles + 1]);
   }
}

/* The item of a cycle that holds its continue block, as an inner cycle; NONE where it is a block.
 */
static uint32_t
continue_cycle(const plan *p, const plan_cycle *c)
{
   uint32_t inner = c->continue_block == NONE ? NONE : p->inner[c->continue_block];

   if (inner == NONE || p->cycle[inner].depth <= c->depth)
      return NONE;
   return hd_forest_lift(&p->nest, inner, c->depth + 1);
}

static bool
enters_past(const plan *p, const plan_cycle *c, uint32_t item, uint32_t from, uint32_t to)
{
   const plan_cycle *d = &p->cycle[item];

   return to - d->first < d->num && (from == NONE || from - d->first >= d->num) &&
          to != c->continue_block;
}

/* The first block of the item of a cycle that holds a block. */
static uint32_t
item_first(const plan *p, const plan_cycle *c, uint32_t block)
{
   uint32_t inner = p->inner[block];

   if (p->cycle[inner].depth <= c->depth)
      return block;
   return p->cycle[hd_forest_lift(&p->nest, inner, c->depth + 1)].first;
}

/* Is something that the continue block leads to entered elsewhere too, as an inner cycle? Edges of
 * a level are in the order of their sources, and lead to later items.
 */
static bool
list_is_entered(const plan *p, uint32_t cycle, uint32_t *stamps)
{
   const plan_cycle *c = &p->cycle[cycle];
   const plan_edge *first = p->edge + p->level_begin[cycle + 1];
   const plan_edge *end = p->edge + p->level_begin[cycle + 2];

   stamps[item_first(p, c, c->continue_block)] = cycle + 1;
   for (const plan_edge *e = first; e < end; e++) {
      if (e->to != c->header && stamps[item_first(p, c, e->from)] == cycle + 1)
         stamps[item_first(p, c, e->to)] = cycle + 1;
   }
   for (const plan_edge *e = first; e < end; e++) {
      if (e->to != c->header && e->to != c->continue_block &&
          stamps[item_first(p, c, e->from)] != cycle + 1 &&
          stamps[item_first(p, c, e->to)] == cycle + 1)
         return true;
   }
   for (uint32_t e = p->entry_begin[cycle]; e < p->entry_begin[cycle + 1]; e++) {
      if (p->entry[e] != c->continue_block && stamps[item_first(p, c, p->entry[e])] == cycle + 1)
         return true;
   }
   return false;
}

/* Where the continue block is in an inner cycle that is entered elsewhere too, or leads to one,
 * that cycle cannot be in the continue list. A continue block says nothing about which lanes run
 * together, so it is no loss but that of a shape.
 */
static void
drop_continues(plan *p)
{
   uint32_t *stamps = scratch_fill(p->stack, p->num_blocks, 0);

   for (uint32_t i = 0; i < p->num_cycles; i++) {
      plan_cycle *c = &p->cycle[i];
      uint32_t item = continue_cycle(p, c);
      bool drop = c->continue_block != NONE && list_is_entered(p, i, stamps);

      for (uint32_t e = p->level_begin[i + 1]; item != NONE && e < p->level_begin[i + 2]; e++)
         drop |= enters_past(p, c, item, p->edge[e].from, p->edge[e].to);
      for (uint32_t e = p->entry_begin[i]; item != NONE && e < p->entry_begin[i + 1]; e++)
         drop |= enters_past(p, c, item, NONE, p->entry[e]);
      if (drop) {
         c->continue_block = NONE;
         c->declared = false;
      }
   }
}

void
hd_plan_read(plan *p, hd_function *f)
{
   uint32_t num_all;

   *p = (plan){ .f = f, .stack = hd_shader_stack(f->shader), .body = NONE };
   p->block = hd_function_sweep(f, &num_all);
   p->num_cycles = hd_function_num_cycles(f);
   p->num_blocks = CYCLE_META(f)->num_reachable;
   p->place = scratch_fill(p->stack, f->num_blocks, 0xff);
   p->divergent = hd_stack_alloc(p->stack, p->num_blocks + 1);
   p->inner = scratch(p->stack, p->num_blocks);
   p->node_of = scratch(p->stack, p->num_blocks);
   for (uint32_t i = 0; i < p->num_blocks; i++) {
      const hd_cycle *c = hd_block_cycle(p->block[i]);
      p->place[p->block[i]->node.index] = i;
      p->inner[i] = c ? c->index : NONE;
      p->divergent[i] = true;
   }
   read_cycles(p);
   read_edges(p);
   read_exits(p);
   read_entries(p);
   drop_continues(p);
}

void
hd_plan_read_divergence(plan *p)
{
   for (uint32_t i = 0; i < p->num_blocks; i++)
      p->divergent[i] = hd_block_is_divergent_branch(p->block[i]);
}

hd_block *
hd_plan_target_block(const plan *p, uint32_t target)
{
   if (target < p->num_blocks)
      return p->block[target];
   const plan_cycle *c = &p->cycle[(target - p->num_blocks) / 2];
   bool again = (target - p->num_blocks) % 2;
   return p->block[again || c->continue_block == NONE ? c->header : c->continue_block];
}

uint64_t
hd_plan_rank(const plan *p, uint32_t target)
{
   if (target < p->num_blocks)
      return (uint64_t)(target + 1) << 32;
   const plan_cycle *c = &p->cycle[(target - p->num_blocks) / 2];
   /* After its last block; of cycles with the same last block, the inner ones first. */
   return ((uint64_t)(c->first + c->num) << 32) + (UINT32_MAX - c->depth);
}

/* The level's items */

struct level_maker {
   const plan *p;
   plan_level *l;
};

static uint32_t
node_of(const struct level_maker *m, uint32_t block)
{
   const plan *p = m->p;
   uint32_t inner = p->inner[block];

   /* Up to the cycle that is an item of this level. */
   if (inner != NONE && p->cycle[inner].depth > m->l->depth)
      block = p->cycle[hd_forest_lift(&p->nest, inner, m->l->depth + 1)].first;
   return p->node_of[block];
}

/* How many blocks the item has that begins at a block; *cycle: which it is, or NONE. */
static uint32_t
item_size(const struct level_maker *m, uint32_t block, uint32_t *cycle)
{
   const plan *p = m->p;
   uint32_t c = p->inner[block];
   bool own = c == (m->l->level ? m->l->level - 1 : NONE);

   if (!own)
      c = hd_forest_lift(&p->nest, c, m->l->depth + 1);
   if (cycle)
      *cycle = own ? NONE : c;
   return own ? 1 : p->cycle[c].num;
}

static void
make_nodes(struct level_maker *m)
{
   const plan *p = m->p;
   plan_level *l = m->l;
   const plan_cycle *around = l->level ? &p->cycle[l->level - 1] : NULL;
   uint32_t first = around ? around->first : 0;
   uint32_t end = around ? first + around->num : p->num_blocks;
   uint32_t num = 2;

   for (uint32_t i = first; i < end; i += item_size(m, i, NULL))
      num++;
   l->node = hd_stack_alloc_zero(p->stack, num * sizeof(*l->node));
   l->node[0] = (plan_node){ .block = NONE, .cycle = NONE };
   num = 1;
   for (uint32_t i = first, size; i < end; i += size) {
      uint32_t cycle;
      size = item_size(m, i, &cycle);
      l->node[num] = (plan_node){ .block = cycle == NONE ? i : NONE, .cycle = cycle };
      p->node_of[i] = num++;
   }
   l->node[num] = (plan_node){ .block = NONE, .cycle = NONE, .again = true };
   l->root_again = num;
   l->num = num + 1;
}

/* How lanes that take an edge out of an item of this level see its target. */
static plan_out
out_edge(const struct level_maker *m, const plan_edge *e)
{
   const plan *p = m->p;

   if (e->level != m->l->level)
      return (plan_out){ NONE, plan_target(p, e), OUT_BREAK };
   uint32_t target = plan_target(p, e);
   if (target == e->to)
      return (plan_out){ node_of(m, e->to), target, OUT_ITEM };
   return (plan_out){ NONE, target, (target - p->num_blocks) % 2 ? OUT_AGAIN : OUT_CONTINUE };
}

/* Edges out of the level's own blocks are in the order of their successors. Those out of inner
 * cycles are the level's edges that start inside, and the exits that go further.
 */
static void
make_edges(struct level_maker *m)
{
   const plan *p = m->p;
   plan_level *l = m->l;
   uint32_t begin = p->level_begin[l->level], end = p->level_begin[l->level + 1];
   uint32_t *count = scratch_fill(p->stack, l->num + 1, 0);
   uint32_t num = 0;

   for (uint32_t i = begin; i < end; i++) {
      uint32_t from = node_of(m, p->edge[i].from);
      if (l->node[from].cycle != NONE)
         count[from]++;
   }
   for (uint32_t n = 1; n < l->root_again; n++) {
      plan_node *node = &l->node[n];
      node->out = num;
      num += node->cycle != NONE ? count[n] + 2 : p->block[node->block]->num_succs;
   }
   uint32_t entries = l->level ? p->entry_begin[l->level] - p->entry_begin[l->level - 1] : 0;
   l->out = hd_stack_alloc(p->stack, (num + entries + 2) * sizeof(*l->out));
   l->num_out = num;
   for (uint32_t n = 1; n < l->root_again; n++) {
      plan_node *node = &l->node[n];
      if (node->cycle == NONE) {
         for (uint32_t s = 0; s < p->block[node->block]->num_succs; s++) {
            uint32_t e = p->edge_of[p->edge_begin[node->block] + s];
            l->out[node->out + node->num_out++] =
                e == NONE ? (plan_out){ NONE, NONE, OUT_END } : out_edge(m, &p->edge[e]);
         }
         continue;
      }
      const plan_cycle *c = &p->cycle[node->cycle];
      for (uint32_t k = 0; k < c->num_exits; k++) {
         if (exit_depth(p, c->exit[k]) < l->depth)
            l->out[node->out + node->num_out++] = out_edge(m, &p->edge[c->exit[k]]);
      }
   }
   for (uint32_t i = begin; i < end; i++) {
      plan_node *node = &l->node[node_of(m, p->edge[i].from)];
      if (node->cycle != NONE)
         l->out[node->out + node->num_out++] = out_edge(m, &p->edge[i]);
   }
}

/* Where lanes come in: for a cycle, the blocks that edges from outside go to. For the function it
 * is its first block.
 */
static void
count_in(plan_level *l, uint32_t to, uint32_t block)
{
   plan_node *n = &l->node[to];

   if (n->num_in++ == 0)
      n->entry = block;
   else if (n->entry != block)
      n->entry = NONE;
}

static void
make_entries(struct level_maker *m)
{
   const plan *p = m->p;
   plan_level *l = m->l;
   const plan_cycle *c = l->level ? &p->cycle[l->level - 1] : NULL;

   uint32_t begin = c ? p->entry_begin[l->level - 1] : 0;
   uint32_t end = c ? p->entry_begin[l->level] : 0;

   /* The header is the first item. */
   l->node[0].out = l->num_out;
   l->out[l->num_out++] = (plan_out){ 1, c ? c->header : 0, OUT_ITEM };
   for (uint32_t i = begin; i < end; i++) {
      uint32_t to = p->entry[i];
      l->out[l->num_out++] = to == c->continue_block
                                 ? (plan_out){ NONE, PLAN_CONTINUE(p, l->level - 1), OUT_CONTINUE }
                                 : (plan_out){ node_of(m, to), to, OUT_ITEM };
   }
   l->node[0].num_out = l->num_out - l->node[0].out;
   plan_node *again = &l->node[l->root_again];
   again->out = l->num_out;
   if (c && c->continue_block != NONE) {
      l->out[l->num_out++] =
          (plan_out){ node_of(m, c->continue_block), c->continue_block, OUT_ITEM };
      again->num_out = 1;
   }
}

/* The predecessors of each item, and the dominators: items come in an order in which all
 * predecessors of one are before it.
 */
static void
make_preds(struct level_maker *m)
{
   plan_level *l = m->l;

   for (uint32_t n = 0; n < l->num; n++) {
      for (uint32_t k = 0; k < l->node[n].num_out; k++) {
         const plan_out *o = &l->out[l->node[n].out + k];
         if (o->kind == OUT_ITEM)
            count_in(l, o->node, o->target);
      }
   }
   for (uint32_t n = 0, num = 0; n < l->num; n++) {
      l->node[n].in = num;
      num += l->node[n].num_in;
      l->num_in = num;
      l->node[n].num_in = 0;
   }
   l->in = scratch(m->p->stack, l->num_in);
   for (uint32_t n = 0; n < l->num; n++) {
      for (uint32_t k = 0; k < l->node[n].num_out; k++) {
         const plan_out *o = &l->out[l->node[n].out + k];
         if (o->kind == OUT_ITEM)
            l->in[l->node[o->node].in + l->node[o->node].num_in++] = n;
      }
   }
}

uint32_t
hd_plan_common(const plan_level *l, uint32_t a, uint32_t b)
{
   const plan_node *n = l->node;

   while (a != b) {
      assert(n[a].depth || n[b].depth);
      if (n[a].depth < n[b].depth) {
         uint32_t t = a;
         a = b;
         b = t;
      }
      if (n[a].depth > n[b].depth)
         a = n[n[a].jump].depth >= n[b].depth ? n[a].jump : n[a].idom;
      else if (n[a].jump != n[b].jump)
         a = n[a].jump, b = n[b].jump;
      else
         a = n[a].idom, b = n[b].idom;
   }
   return a;
}

uint32_t
hd_plan_under(const plan_level *l, uint32_t node, uint32_t dominator)
{
   const plan_node *n = l->node;
   uint32_t depth = n[dominator].depth + 1;

   while (n[node].depth > depth)
      node = n[n[node].jump].depth >= depth ? n[node].jump : n[node].idom;
   return node;
}

void
hd_plan_parents(plan_level *l, const uint32_t *lift)
{
   for (uint32_t v = 1; v < l->root_again; v++) {
      plan_node *n = &l->node[v];
      uint32_t idom = l->in[n->in];

      n->again = l->node[idom].again;
      for (uint32_t k = 1; k < n->num_in; k++)
         idom = hd_plan_common(l, idom, l->in[n->in + k]);
      /* What it is dominated by may be placed further out itself. */
      if (lift && lift[v] != NONE)
         idom = hd_plan_common(l, idom, lift[v]);
      n->idom = idom;
      n->depth = l->node[idom].depth + 1;
      /* Ancestors at distances that double: as in a skew-binary number. */
      uint32_t j = l->node[idom].jump;
      n->jump = l->node[idom].depth - l->node[j].depth ==
                        l->node[j].depth - l->node[l->node[j].jump].depth
                    ? l->node[j].jump
                    : idom;
   }
}

void
hd_plan_level(const plan *p, uint32_t level, plan_level *l)
{
   struct level_maker m = { .p = p, .l = l };

   *l = (plan_level){ .level = level };
   if (level)
      l->depth = p->cycle[level - 1].depth;
   make_nodes(&m);
   l->node[l->root_again].jump = l->root_again;
   make_edges(&m);
   make_entries(&m);
   make_preds(&m);
   hd_plan_parents(l, NULL);
}
