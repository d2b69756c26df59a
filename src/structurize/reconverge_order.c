/* SPDX-License-Identifier: MIT */
/* reconverge_order.c - the order in which hd_reconverge processes blocks: topological, with loops and
 * dominance regions contiguous.
 *
 * Any order would give a reconverging function. To keep the sweep and what is uniform it must be
 *
 *   - topological at each level of the cycle nest, each cycle contiguous: then lanes that go back
 *     to a header wait until all others of the iteration have run, and lanes that leave a cycle
 *     until the cycle is done;
 *   - compact: at each level the items that an item dominates are contiguous. Then the region of a
 *     uniform branch is complete before lanes from elsewhere arrive, so that no divergent branch has
 *     to separate lanes again that the uniform branch has separated.
 *
 * An item is a block or, one level further out, a cycle as a whole. The items of a level have a
 * dominator tree; where a cycle is entered at several blocks, its header counts as the dominator of
 * them all. What is left to choose is the order of siblings in these trees, where no edge leads
 * from one to the other: the next is the one with the least priority of those that are ready.
 */
#include "analysis/private.h"
#include "structurize/reconverge.h"

struct item {
   uint32_t idom; /* at its level; NONE for the first item of a level */
   uint32_t depth, jump;
   uint32_t priority;
   uint32_t first_after; /* edges to siblings: index of the first, or NONE */
   uint32_t num_before;  /* siblings that must come first and have not come yet */
   uint32_t num_children;
   uint32_t heap, num_ready; /* children that can come next: a piece of ordering.ready */
   bool entered;             /* from outside of its level, not by the header */
};

struct edge {
   uint32_t from, to; /* items */
   uint32_t next;     /* with the same `to`; later: with the same elder sibling */
};

/* Items are blocks by sweep index, then cycles by index. */
struct ordering {
   rc *r;
   uint32_t num_blocks, num_cycles;
   hd_block *const *sweep;
   hd_forest tree; /* of cycles */
   struct item *items;
   uint32_t *last_in; /* edges to an item, by item */
   struct edge *edges;
   uint32_t num_edges;
   uint32_t *ready;
};

static uint32_t
cycle_index(const hd_cycle *c)
{
   return c ? c->index : NONE;
}

/* The cycle whose level an item is of. */
static uint32_t
level_of(const struct ordering *o, uint32_t item)
{
   return item < o->num_blocks ? cycle_index(hd_block_cycle(o->sweep[item]))
                               : o->tree.parent[item - o->num_blocks];
}

static uint32_t
depth_of(const struct ordering *o, uint32_t cycle)
{
   return cycle == NONE ? 0 : o->tree.depth[cycle];
}

static uint32_t
item_at(const struct ordering *o, uint32_t block, uint32_t level)
{
   uint32_t inner = cycle_index(hd_block_cycle(o->sweep[block]));

   if (inner == level)
      return block;
   return o->num_blocks + hd_forest_lift(&o->tree, inner, depth_of(o, level) + 1);
}

/* The item that a block is where it stands among others: the header of a cycle, as that cycle. */
static uint32_t
item_of(const struct ordering *o, uint32_t block)
{
   const hd_cycle *headed = hd_block_headed_cycle(o->sweep[block]);

   return headed ? o->num_blocks + headed->index : block;
}

/* The first item of a level. */
static uint32_t
first_of(const struct ordering *o, uint32_t level)
{
   return level == NONE ? 0 : hd_function_cycle(o->r->f, level)->first;
}

/* An edge enters all items from the target's own up to, without, `top`: not by their headers. Each
 * is marked once: `up` leads past those that are.
 */
static void
mark_entered(struct ordering *o, uint32_t *up, uint32_t item, uint32_t top)
{
   uint32_t end = depth_of(o, level_of(o, top));

   for (;;) {
      while (up[item] != item)
         item = up[item] = up[up[item]];
      uint32_t level = level_of(o, item);
      if (item == top || depth_of(o, level) <= end)
         return;
      o->items[item].entered = true;
      up[item] = o->num_blocks + level;
   }
}

static void
collect_edges(struct ordering *o)
{
   uint32_t num = o->num_blocks + o->num_cycles;
   uint32_t *up = rc_scratch(o->r, num);

   for (uint32_t i = 0; i < num; i++)
      up[i] = i;
   for (uint32_t b = 0; b < o->num_blocks; b++) {
      const hd_block *from = o->sweep[b];
      for (uint32_t n = 0; n < from->num_succs; n++) {
         const hd_block *to = from->succs[n].to;
         if (hd_block_is_end(to))
            continue;
         const hd_cycle *headed = hd_block_headed_cycle(to);
         if (headed && hd_cycle_contains(headed, from))
            continue;
         uint32_t t = hd_block_sweep_index(to);
         uint32_t level = hd_forest_common(&o->tree, cycle_index(hd_block_cycle(from)),
                                           cycle_index(hd_block_cycle(to)));
         struct edge *e = &o->edges[o->num_edges];
         *e = (struct edge){ item_at(o, b, level), item_at(o, t, level), NONE };
         e->next = o->last_in[e->to];
         o->last_in[e->to] = o->num_edges++;
         mark_entered(o, up, item_of(o, t), e->to);
      }
   }
}

static uint32_t
lift(const struct ordering *o, uint32_t item, uint32_t depth)
{
   const struct item *items = o->items;

   while (items[item].depth > depth)
      item = items[items[item].jump].depth >= depth ? items[item].jump : items[item].idom;
   return item;
}

static uint32_t
common_dominator(const struct ordering *o, uint32_t a, uint32_t b)
{
   const struct item *items = o->items;

   a = lift(o, a, items[b].depth);
   b = lift(o, b, items[a].depth);
   while (a != b) {
      bool far = items[a].jump != items[b].jump;
      a = far ? items[a].jump : items[a].idom;
      b = far ? items[b].jump : items[b].idom;
   }
   return a;
}

static void
find_dominator(struct ordering *o, uint32_t item)
{
   struct item *t = &o->items[item];
   uint32_t idom = t->entered ? first_of(o, level_of(o, item)) : NONE;

   for (uint32_t e = o->last_in[item]; e != NONE; e = o->edges[e].next) {
      uint32_t from = o->edges[e].from;
      idom = idom == NONE ? from : common_dominator(o, idom, from);
   }
   if (idom == NONE)
      idom = first_of(o, level_of(o, item));
   struct item *up = &o->items[idom], *far = &o->items[up->jump];
   t->idom = idom;
   t->depth = up->depth + 1;
   /* Two jumps of equal length make one of the double length. */
   t->jump = up->depth - far->depth == far->depth - o->items[far->jump].depth ? far->jump : idom;
   up->num_children++;
}

/* The sweep order is topological at each level: what comes before an item is known. */
static void
find_dominators(struct ordering *o)
{
   for (uint32_t b = 0; b < o->num_blocks; b++) {
      const hd_cycle *headed = hd_block_headed_cycle(o->sweep[b]);
      if (headed)
         find_dominator(o, o->num_blocks + headed->index);
      if (headed || b == 0)
         o->items[b] = (struct item){
            .idom = NONE, .jump = b, .priority = o->items[b].priority, .first_after = NONE
         };
      else
         find_dominator(o, b);
   }
}

/* An edge makes the sibling that dominates its source come before its target. */
static void
find_siblings(struct ordering *o)
{
   for (uint32_t i = 0; i < o->num_edges; i++) {
      struct edge *e = &o->edges[i];
      uint32_t idom = o->items[e->to].idom;
      if (e->from == idom)
         continue;
      struct item *elder = &o->items[lift(o, e->from, o->items[idom].depth + 1)];
      e->next = elder->first_after;
      elder->first_after = i;
      o->items[e->to].num_before++;
   }
}

/* A heap of items, the one with the least priority on top. */
static bool
comes_first(const struct ordering *o, uint32_t a, uint32_t b)
{
   uint32_t p = o->items[a].priority, q = o->items[b].priority;

   return p != q ? p < q : a < b;
}

static void
push_ready(struct ordering *o, uint32_t item)
{
   struct item *up = &o->items[o->items[item].idom];
   uint32_t *heap = o->ready + up->heap, at = up->num_ready++;

   for (; at && comes_first(o, item, heap[(at - 1) / 2]); at = (at - 1) / 2)
      heap[at] = heap[(at - 1) / 2];
   heap[at] = item;
}

static uint32_t
pop_ready(struct ordering *o, struct item *up)
{
   uint32_t *heap = o->ready + up->heap, top = heap[0], last = heap[--up->num_ready], at = 0;

   for (;;) {
      uint32_t child = 2 * at + 1;
      if (child >= up->num_ready)
         break;
      child += child + 1 < up->num_ready && comes_first(o, heap[child + 1], heap[child]);
      if (!comes_first(o, heap[child], last))
         break;
      heap[at] = heap[child];
      at = child;
   }
   heap[at] = last;
   return top;
}

static hd_block *
header_around(const hd_cycle *c)
{
   return c ? c->header : NULL;
}

static void
add_block(rc *r, hd_block *b)
{
   const hd_cycle *headed = hd_block_headed_cycle(b), *around = hd_block_cycle(b);

   if (headed)
      around = headed->parent;
   r->place_of[b->node.index] = r->num_places;
   r->places[r->num_places++] = (rc_place){
      .kind = RC_BLOCK, .block = b, .cycle = headed, .latch = NONE, .inside = header_around(around)
   };
}

static void
add_latch(rc *r, const hd_cycle *c)
{
   r->places[r->place_of[c->header->node.index]].latch = r->num_places;
   r->places[r->num_places++] = (rc_place){
      .kind = RC_LATCH, .block = c->header, .cycle = c, .latch = NONE, .inside = c->header
   };
}

/* Walk the trees. A frame is an item; a cycle's is there from before its header, whose tree has all
 * items of its level, until after what it dominates.
 */
static void
number_places(struct ordering *o)
{
   struct frame {
      uint32_t item;
      bool inner_done;
   } *stack = hd_stack_alloc(o->r->stack,
                             ((size_t)o->num_blocks + 2 * o->num_cycles + 1) * sizeof(*stack));
   uint32_t depth = 0;

   stack[depth++] = (struct frame){ 0, false };
   while (depth) {
      struct frame *top = &stack[depth - 1];
      struct item *t = &o->items[top->item];
      bool is_cycle = top->item >= o->num_blocks;
      const hd_cycle *c = is_cycle ? hd_function_cycle(o->r->f, top->item - o->num_blocks) : NULL;

      if (!is_cycle && !top->inner_done) {
         top->inner_done = true;
         add_block(o->r, o->sweep[top->item]);
      } else if (!top->inner_done) {
         top->inner_done = true;
         stack[depth++] = (struct frame){ c->first, false };
      } else if (is_cycle && o->r->places[o->r->place_of[c->header->node.index]].latch == NONE) {
         add_latch(o->r, c);
      } else if (t->num_ready) {
         stack[depth++] = (struct frame){ pop_ready(o, t), false };
      } else {
         for (uint32_t e = t->first_after; e != NONE; e = o->edges[e].next) {
            uint32_t younger = o->edges[e].to;
            if (--o->items[younger].num_before == 0)
               push_ready(o, younger);
         }
         depth--;
      }
   }
}

/* Numbers of the blocks, by block index, as a walk along their successors finds them. */
static uint32_t *
walk_numbers(rc *r, uint32_t num_blocks, bool depth_first)
{
   uint32_t *number = rc_scratch_fill(r, r->f->num_blocks, 0xff);
   hd_block **list = hd_stack_alloc(r->stack, num_blocks * sizeof(*list));
   uint32_t *next = rc_scratch_fill(r, num_blocks, 0), first = 0, num = 1, numbered = 1;

   list[0] = hd_function_start(r->f);
   number[list[0]->node.index] = 0;
   while (first < num) {
      uint32_t at = depth_first ? num - 1 : first;
      if (next[at] == list[at]->num_succs) {
         if (depth_first)
            num--;
         else
            first++;
         continue;
      }
      hd_block *to = list[at]->succs[next[at]++].to;
      if (hd_block_is_end(to) || number[to->node.index] != NONE)
         continue;
      number[to->node.index] = numbered++;
      next[num] = 0;
      list[num++] = to;
   }
   return number;
}

static void
set_priorities(struct ordering *o)
{
   rc *r = o->r;
   const uint32_t *number = r->priority;

   if (!number && r->order == HD_RECONVERGE_BREADTH_FIRST)
      number = walk_numbers(r, o->num_blocks, false);
   else if (!number && r->order != HD_RECONVERGE_REVERSE_POST_ORDER)
      number = walk_numbers(r, o->num_blocks, true);
   for (uint32_t b = 0; b < o->num_blocks; b++)
      o->items[b].priority =
          number ? number[o->sweep[b]->node.index] : hd_block_rpo_index(o->sweep[b]);
   /* A cycle comes when the first of its blocks does. */
   for (uint32_t c = 0; c < o->num_cycles; c++)
      o->items[o->num_blocks + c].priority = NONE;
   for (uint32_t b = 0; b < o->num_blocks; b++) {
      uint32_t c = cycle_index(hd_block_cycle(o->sweep[b]));
      if (c != NONE && o->items[b].priority < o->items[o->num_blocks + c].priority)
         o->items[o->num_blocks + c].priority = o->items[b].priority;
   }
   for (uint32_t c = o->num_cycles; c--;) {
      uint32_t up = o->tree.parent[c], p = o->items[o->num_blocks + c].priority;
      if (up != NONE && p < o->items[o->num_blocks + up].priority)
         o->items[o->num_blocks + up].priority = p;
   }
}

static void
init_ordering(struct ordering *o, rc *r)
{
   uint32_t num_edges = 0, num;
   uint32_t *parent;

   *o = (struct ordering){ .r = r };
   o->sweep = hd_function_sweep(r->f, &num);
   o->num_blocks = hd_function_num_reachable(r->f);
   o->num_cycles = hd_function_num_cycles(r->f);
   parent = rc_scratch(r, o->num_cycles);
   for (uint32_t c = 0; c < o->num_cycles; c++)
      parent[c] = cycle_index(hd_function_cycle(r->f, c)->parent);
   hd_forest_build(&o->tree, r->stack, o->num_cycles, parent, NULL, NULL);

   num = o->num_blocks + o->num_cycles;
   o->items = hd_stack_alloc_zero(r->stack, num * sizeof(*o->items));
   for (uint32_t i = 0; i < num; i++)
      o->items[i].first_after = NONE;
   for (uint32_t b = 0; b < o->num_blocks; b++)
      num_edges += o->sweep[b]->num_succs;
   o->edges = hd_stack_alloc(r->stack, (num_edges + 1) * sizeof(*o->edges));
   o->last_in = rc_scratch_fill(r, num, 0xff);
   o->ready = rc_scratch(r, num);
}

void
hd_rc_find_places(rc *r)
{
   struct ordering o;
   uint32_t heap = 0;

   init_ordering(&o, r);
   r->places =
       hd_stack_alloc(r->stack, ((size_t)o.num_blocks + o.num_cycles + 1) * sizeof(*r->places));
   r->place_of = rc_scratch_fill(r, r->f->num_blocks, 0xff);
   set_priorities(&o);
   collect_edges(&o);
   find_dominators(&o);
   find_siblings(&o);
   for (uint32_t i = 0; i < o.num_blocks + o.num_cycles; i++) {
      o.items[i].heap = heap;
      heap += o.items[i].num_children;
   }
   for (uint32_t i = 0; i < o.num_blocks + o.num_cycles; i++) {
      if (o.items[i].idom != NONE && !o.items[i].num_before)
         push_ready(&o, i);
   }
   number_places(&o);
   r->places[r->num_places++] = (rc_place){ .kind = RC_END, .block = &r->f->end, .latch = NONE };
   assert(r->num_places == o.num_blocks + o.num_cycles + 1);
}
