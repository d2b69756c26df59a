/* SPDX-License-Identifier: MIT */
/* sweep.c - the sweep order of a flat function: a topological order in which each loop is contiguous;
 * and its continue blocks.
 *
 * At each level of the loop nest there are items: blocks, and the loops one level further in, as
 * single nodes. Without the back edges of the level's own loop, the edges between items are acyclic:
 * without declarations because the nest is one of strongly connected components; with declarations
 * because a loop that is left and entered again breaks a rule. Every edge of the graph is one edge
 * between two items, at the level of the innermost loop that contains both its ends.
 */
#include "analysis/cycle_nest.h"

/* Items: nodes, then cycles. */
struct items {
   const hd_graph *g;
   hd_full_nest *full;
   hd_faults *faults;
   uint32_t num;
   uint32_t num_edges;
   uint32_t *from, *to; /* edges in the order of the graph's */
   uint32_t *succ_begin, *succ;
   uint32_t *num_preds;
   uint32_t *finished; /* items in the order in which a walk is done with them */
};

static uint32_t
level_of(const struct items *t, uint32_t item)
{
   return item < t->g->num ? t->full->inner[item] : t->full->tree.parent[item - t->g->num];
}

static uint32_t
depth_of(const hd_forest *tree, uint32_t cycle)
{
   return cycle == NONE ? 0 : tree->depth[cycle];
}

/* The item that a node is, or is in, at the level of `cycle`, in which it is. */
static uint32_t
item_at(const struct items *t, uint32_t node, uint32_t cycle)
{
   const hd_forest *tree = &t->full->tree;
   uint32_t inner = t->full->inner[node];

   return inner == cycle ? node
                         : t->g->num + hd_forest_lift(tree, inner, depth_of(tree, cycle) + 1);
}

static bool
in_cycle(const hd_full_nest *full, uint32_t cycle, uint32_t node)
{
   return full->inner[node] != NONE && forest_contains(&full->tree, cycle, full->inner[node]);
}

static void
collect_edges(struct items *t)
{
   const hd_graph *g = t->g;
   hd_full_nest *full = t->full;
   hd_stack *stack = hd_shader_stack(g->f->shader);
   uint32_t num = g->succ_begin[g->num];

   full->entered = hd_stack_alloc(stack, full->natural.num + 1);
   if (!full->natural.num) {
      /* One level, whose items are the graph's nodes. */
      t->succ_begin = g->succ_begin;
      t->succ = g->succ;
      return;
   }
   t->from = scratch(stack, num);
   t->to = scratch(stack, num);
   t->succ = scratch(stack, num);
   t->succ_begin = scratch_fill(stack, (size_t)t->num + 2, 0);
   t->num_preds = scratch_fill(stack, t->num, 0);
   uint32_t *entries = scratch_fill(stack, full->natural.num, 0);

   for (uint32_t p = 0; p < g->num_reachable; p++) {
      for (uint32_t e = g->succ_begin[p]; e < g->succ_begin[p + 1]; e++) {
         uint32_t n = g->succ[e], head = full->natural.head[n];

         if (n == g->end || (head != NONE && in_cycle(full, head, p)))
            continue;
         uint32_t level = hd_forest_common(&full->tree, full->inner[p], full->inner[n]);
         uint32_t entered = head == NONE ? full->inner[n] : full->tree.parent[head];
         /* This edge enters all cycles from `entered` up to, without, `level`: at other blocks than
          * their headers. Counted at the lower end and taken back at the upper one.
          */
         if (entered != level) {
            entries[entered]++;
            if (level != NONE)
               entries[level]--;
         }
         uint32_t from = item_at(t, p, level), to = item_at(t, n, level);
         t->from[t->num_edges] = from;
         t->to[t->num_edges++] = to;
         t->succ_begin[from + 2]++;
         t->num_preds[to]++;
      }
   }
   for (uint32_t i = 0; i < t->num; i++)
      t->succ_begin[i + 2] += t->succ_begin[i + 1];
   for (uint32_t e = 0; e < t->num_edges; e++)
      t->succ[t->succ_begin[t->from[e] + 1]++] = t->to[e];

   for (uint32_t i = full->natural.num; i--;) {
      uint32_t c = full->tree.order[i], up = full->tree.parent[c];
      full->entered[c] = entries[c] != 0;
      if (up != NONE)
         entries[up] += entries[c];
   }
}

/* A walk came back to an item that is on its path: a cycle that is an item between the two is left
 * and entered again. One message for each level.
 */
static void
report_reentered(const struct items *t, const uint32_t *path, uint32_t length, uint32_t item,
                 bool *reported)
{
   uint32_t level = level_of(t, item), at = length - 1, num = t->g->num;

   if (reported[level == NONE ? t->full->natural.num : level])
      return;
   reported[level == NONE ? t->full->natural.num : level] = true;
   uint32_t cycle = item >= num ? item : NONE, other = path[length - 1];
   for (; path[at] != item; at--) {
      if (cycle == NONE && path[at] >= num)
         cycle = path[at];
   }
   if (cycle == other && length > 1)
      other = path[length - 2];
   uint32_t header = cycle == NONE ? item : t->full->natural.header[cycle - num];
   uint32_t by = other < num ? other : t->full->natural.header[other - num];
   declaration_fault(t->faults, HD_DECLARED_REENTERED, t->g->block[header], t->g->block[by]);
}

/* Of an item, in the walk. */
enum { NEW, ON_PATH, DONE };

/* Walk from one item that was not visited. */
static inline void
walk_from(struct items *t, uint32_t start, uint8_t *state, uint32_t *next, uint32_t *path,
          uint32_t *num_finished, bool *reported)
{
   uint32_t length = 0;

   if (state[start] != NEW)
      return;
   path[length++] = start;
   state[start] = ON_PATH;
   while (length) {
      uint32_t item = path[length - 1];

      if (next[item] == t->succ_begin[item + 1] - t->succ_begin[item]) {
         state[item] = DONE;
         t->finished[(*num_finished)++] = item;
         length--;
         continue;
      }
      uint32_t to = t->succ[t->succ_begin[item] + next[item]++];
      if (state[to] == ON_PATH) {
         report_reentered(t, path, length, to, reported);
      } else if (state[to] == NEW) {
         state[to] = ON_PATH;
         path[length++] = to;
      }
   }
}

/* Order the items of all levels at once. A walk stays on its level; of its level, an item finishes
 * before all from which it can be reached. Walks start from late blocks first, so that where the
 * graph leaves the choice the order is that of the function's depth-first preorder, and from the
 * headers last of all, so that these come first.
 */
static void
order_items(struct items *t)
{
   const hd_graph *g = t->g;
   hd_stack *stack = hd_shader_stack(g->f->shader);
   uint32_t *next = scratch_fill(stack, t->num, 0), *path = scratch(stack, t->num);
   uint8_t *state = memset(hd_stack_alloc(stack, t->num), NEW, t->num);
   uint32_t num_cycles = t->full->natural.num, num = 0;
   bool *reported = memset(hd_stack_alloc(stack, num_cycles + 1), 0, num_cycles + 1);

   t->finished = scratch(stack, t->num);
   state[g->end] = DONE; /* is no item */
   for (uint32_t n = g->num_reachable; n--;) {
      uint32_t head = t->full->natural.head[n];
      if (n != g->end)
         walk_from(t, head == NONE ? n : g->num + head, state, next, path, &num, reported);
   }
   for (uint32_t c = 0; c < num_cycles; c++)
      walk_from(t, t->full->natural.header[c], state, next, path, &num, reported);

   hd_full_nest *full = t->full;
   full->sweep = scratch(stack, g->num_reachable);
   if (!num_cycles) {
      for (uint32_t i = 0; i < num; i++)
         full->sweep[i] = t->finished[num - 1 - i];
      return;
   }
   /* Sizes from the inside out; then each cycle gets a run of places from the level around it. */
   const hd_forest *tree = &full->tree;
   uint32_t *place = scratch(stack, num_cycles + 1), *order = scratch(stack, num);
   full->size = scratch_fill(stack, num_cycles, 0);
   full->first = scratch(stack, num_cycles);
   for (uint32_t n = 0; n < g->num_reachable; n++) {
      if (full->inner[n] != NONE)
         full->size[full->inner[n]]++;
   }
   for (uint32_t i = num_cycles; i--;) {
      uint32_t c = tree->order[i];
      if (tree->parent[c] != NONE)
         full->size[tree->parent[c]] += full->size[c];
   }
   /* The items by depth of their level, outer ones first, keeping their order. */
   uint32_t max_depth = 0;
   for (uint32_t c = 0; c < num_cycles; c++)
      max_depth = tree->depth[c] > max_depth ? tree->depth[c] : max_depth;
   uint32_t *at = scratch_fill(stack, (size_t)max_depth + 2, 0);
   for (uint32_t i = 0; i < num; i++)
      at[depth_of(tree, level_of(t, t->finished[i])) + 1]++;
   for (uint32_t d = 0; d <= max_depth; d++)
      at[d + 1] += at[d];
   for (uint32_t i = num; i--;)
      order[at[depth_of(tree, level_of(t, t->finished[i]))]++] = t->finished[i];
   place[num_cycles] = 0;
   for (uint32_t i = 0; i < num; i++) {
      uint32_t level = level_of(t, order[i]);
      uint32_t *p = &place[level == NONE ? num_cycles : level];
      if (order[i] < g->num) {
         full->sweep[(*p)++] = order[i];
      } else {
         uint32_t c = order[i] - g->num;
         full->first[c] = place[c] = *p;
         *p += full->size[c];
      }
   }
}

/* A cycle is plain if it is entered at its header only, and all its blocks can be reached from
 * there without leaving it. Whatever reaches a plain cycle as an item reaches all of it.
 */
static bool *
find_plain(const struct items *t, uint32_t *list)
{
   const hd_full_nest *full = t->full;
   hd_stack *stack = hd_shader_stack(t->g->f->shader);
   uint32_t num_cycles = full->natural.num;
   bool *plain = hd_stack_alloc(stack, num_cycles + 1);
   bool *reached = memset(hd_stack_alloc(stack, t->num), 0, t->num);
   uint32_t *num_blocks = scratch(stack, num_cycles);

   for (uint32_t i = num_cycles; i--;) {
      uint32_t c = full->tree.order[i], num = 0;

      /* Inner cycles were done before; one that is not plain counts as nothing. */
      num_blocks[c] = 0;
      list[num++] = full->natural.header[c];
      reached[list[0]] = true;
      for (uint32_t k = 0; k < num; k++) {
         num_blocks[c] += list[k] < t->g->num ? 1 : num_blocks[list[k] - t->g->num];
         for (uint32_t e = t->succ_begin[list[k]]; e < t->succ_begin[list[k] + 1]; e++) {
            if (!reached[t->succ[e]]) {
               reached[t->succ[e]] = true;
               list[num++] = t->succ[e];
            }
         }
      }
      plain[c] = num_blocks[c] == full->size[c] && !full->entered[c];
      if (!plain[c])
         num_blocks[c] = 0;
   }
   return plain;
}

struct continues {
   struct items *items;
   const bool *plain;
   uint32_t *reached; /* by item: the cycle for which it was reached last, or NONE */
   uint32_t *list;    /* room for all items */
};

/* Is x surely a valid continue block of this cycle? Asked of items, so that a nest costs its size
 * once: every edge back to the header is from what x reaches, and that is entered only at x.
 */
static bool
surely_continues(const struct continues *s, uint32_t cycle, uint32_t x)
{
   const struct items *t = s->items;
   const hd_graph *g = t->g;
   const hd_full_nest *full = t->full;
   uint32_t header = full->natural.header[cycle], start = item_at(t, x, cycle);
   uint32_t num = 0, num_inner = 0, num_all = 0;

   if (full->entered[cycle] || (start != x && full->natural.header[start - g->num] != x))
      return false;
   s->list[num++] = start;
   s->reached[start] = cycle;
   for (uint32_t i = 0; i < num; i++) {
      if (s->list[i] >= g->num && !s->plain[s->list[i] - g->num])
         return false;
      num_all += i ? t->num_preds[s->list[i]] : 0;
      for (uint32_t e = t->succ_begin[s->list[i]]; e < t->succ_begin[s->list[i] + 1]; e++) {
         uint32_t to = t->succ[e];
         num_inner += to != start;
         if (s->reached[to] != cycle) {
            s->reached[to] = cycle;
            s->list[num++] = to;
         }
      }
   }
   for (uint32_t e = g->pred_begin[header]; e < g->pred_begin[header + 1]; e++) {
      uint32_t p = g->pred[e];
      if (in_cycle(full, cycle, p) && s->reached[item_at(t, p, cycle)] != cycle)
         return false;
   }
   return num_all == num_inner;
}

/* The same word by word, on blocks: where it is not so, or not sure. */
static bool
check_continue(const struct continues *s, uint32_t cycle, uint32_t x)
{
   const hd_graph *g = s->items->g;
   const hd_full_nest *full = s->items->full;
   hd_faults *faults = s->items->faults;
   uint32_t header = full->natural.header[cycle], num = 0;

   if (surely_continues(s, cycle, x))
      return true;
   for (uint32_t i = full->first[cycle]; i < full->first[cycle] + full->size[cycle]; i++)
      s->reached[full->sweep[i]] = NONE;
   hd_heap_step(hd_shader_heap(g->f->shader), full->size[cycle]);
   s->list[num++] = x;
   s->reached[x] = cycle;
   for (uint32_t i = 0; i < num; i++) {
      for (uint32_t e = g->succ_begin[s->list[i]]; e < g->succ_begin[s->list[i] + 1]; e++) {
         uint32_t to = g->succ[e];
         if (to != header && in_cycle(full, cycle, to) && s->reached[to] != cycle) {
            s->reached[to] = cycle;
            s->list[num++] = to;
         }
      }
   }
   for (uint32_t e = g->pred_begin[header]; e < g->pred_begin[header + 1]; e++) {
      uint32_t p = g->pred[e];
      if (in_cycle(full, cycle, p) && s->reached[p] != cycle) {
         declaration_fault(faults, HD_CONTINUE_BYPASSED, g->block[x], g->block[p]);
         return false;
      }
   }
   for (uint32_t i = 1; i < num; i++) {
      for (uint32_t e = g->pred_begin[s->list[i]]; e < g->pred_begin[s->list[i] + 1]; e++) {
         uint32_t p = g->pred[e];
         if (!in_cycle(full, cycle, p) || s->reached[p] != cycle) {
            declaration_fault(faults, HD_CONTINUE_ENTERED, g->block[x], g->block[p]);
            return false;
         }
      }
   }
   return true;
}

static void
find_continues(struct items *t)
{
   const hd_graph *g = t->g;
   hd_full_nest *full = t->full;
   hd_stack *stack = hd_shader_stack(g->f->shader);
   struct continues s = { .items = t };
   bool *tried = memset(hd_stack_alloc(stack, full->natural.num + 1), 0, full->natural.num + 1);

   full->continues = scratch_fill(stack, full->natural.num, 0xff);
   bool any = false;
   hd_foreach_block(b, g->f) {
      any |= b->continues != NULL;
   }
   if (!any)
      return;
   s.reached = scratch_fill(stack, t->num, 0xff);
   s.list = scratch(stack, t->num);
   s.plain = find_plain(t, s.list);
   /* In the order of the text, so that it is the later one that is reported. */
   hd_foreach_block(b, g->f) {
      uint32_t n = g->node[block_slot(g->f, b)];
      if (!b->continues || n >= g->num_reachable)
         continue;
      uint32_t h = g->node[block_slot(g->f, b->continues)], c = full->natural.head[h];
      if (c == NONE)
         continue;
      if (tried[c]) {
         declaration_fault(t->faults, HD_CONTINUE_TWICE, b, b->continues);
         continue;
      }
      tried[c] = true;
      if (n == h || !in_cycle(full, c, n))
         declaration_fault(t->faults, HD_CONTINUE_OUTSIDE, b, b->continues);
      else if (check_continue(&s, c, n))
         full->continues[c] = n;
   }
}

void
hd_full_nest_build(hd_full_nest *full, const hd_graph *g, const hd_declared *declared,
                   hd_faults *faults)
{
   struct items t = { .g = g, .full = full, .faults = faults };

   hd_nest_build(&full->natural, g, declared);
   hd_nest_declare(full, g, faults);
   t.num = g->num + full->natural.num;
   collect_edges(&t);
   order_items(&t);
   find_continues(&t);
}
