/* SPDX-License-Identifier: MIT */
/* join_points.c - post-dominance within one sweep: for each block, the nearest block at which all lanes
 * that run it together have reconverged. Lanes that ended do not count.
 *
 * That is post-dominance in an acyclic graph: the edges that go forward in the sweep order, and for
 * each loop a latch node after all its blocks. An edge back to the header goes to the latch instead,
 * and the latch leads to every exit of the loop that can be reached from the header: in a loop that is
 * entered beside its header some may not be. A block that post-dominates another one here does so in
 * every iteration of every loop that contains both.
 *
 *       h <---.                       h
 *      / \    |                      / \
 *     x   y   |          =>         x   y
 *     |\ /    |                     |\ /
 *     | z     |                     | z
 *     |  \____|                     |  \
 *     v                             |   latch of h
 *     e                             |  /
 *                                   e
 */
#include "analysis/divergent_joins.h"

/* The tree of post-dominators so far: node 0 is the root, others are 1 + a place or num + a cycle.
 */
struct tree {
   hd_divergent_joins *p;
   uint32_t *up;   /* NONE: no lane goes on from here */
   uint32_t *jump; /* an ancestor far up */
   uint32_t *depth;
   uint32_t *reached;   /* by position: 1 + the cycle from whose header it was last reached */
   uint32_t *list;      /* room for all places */
   uint64_t steps_left; /* of walks from headers: beyond them each exit counts */
};

/* Steps of walks from headers, for each block. */
#define STEPS_PER_BLOCK 16u

static uint32_t
common(const struct tree *t, uint32_t a, uint32_t b)
{
   while (a != b) {
      uint32_t *deep = t->depth[a] >= t->depth[b] ? &a : &b, other = *deep == a ? b : a;
      /* A jump that does not go past the other one's depth; at equal depth, one that does not go
       * past the answer.
       */
      if (t->depth[a] == t->depth[b]) {
         bool far = t->jump[a] != t->jump[b];
         a = far ? t->jump[a] : t->up[a];
         b = far ? t->jump[b] : t->up[b];
      } else {
         uint32_t jump = t->jump[*deep];
         *deep = t->depth[jump] >= t->depth[other] ? jump : t->up[*deep];
      }
   }
   return a;
}

static uint32_t
node_of_edge(const hd_divergent_joins *p, uint32_t edge)
{
   uint32_t back = goes_back_to(p, edge);

   return 1 + (back == NONE ? p->target[edge] : p->num + back);
}

/* The meet of what was found and a further successor. */
static uint32_t
with_successor(const struct tree *t, uint32_t found, uint32_t node)
{
   /* A successor from which no lane goes on is still one where lanes can be. */
   return found == NONE ? node : common(t, found, node);
}

static void
enter(struct tree *t, uint32_t node, uint32_t up)
{
   uint32_t at = up == NONE ? 0 : up, far = t->jump[at];

   t->up[node] = at;
   t->depth[node] = t->depth[at] + 1;
   t->jump[node] =
       t->depth[at] - t->depth[far] == t->depth[far] - t->depth[t->jump[far]] ? t->jump[far] : at;
}

/* Which blocks of a cycle can be reached from its header without leaving it? False: all count. */
static bool
reach_from_header(struct tree *t, uint32_t c)
{
   const hd_divergent_joins *p = t->p;
   uint32_t num = 0;

   if (!cycle_at(p, c)->has_other_entries)
      return false;
   t->reached[cycle_at(p, c)->first] = 1 + c;
   t->list[num++] = cycle_at(p, c)->first;
   while (num) {
      const hd_block *b = block_at(p, t->list[--num]);
      if (t->steps_left < b->num_succs)
         return false;
      t->steps_left -= b->num_succs;
      hd_heap_step(hd_shader_heap(p->f->shader), b->num_succs);
      for (uint32_t s = 0; s < b->num_succs; s++) {
         const uint32_t edge = edge_out(p, b, s), to = edge == NONE ? NONE : p->target[edge];
         if (edge == NONE || !contains(p, c, to) || t->reached[to] == 1 + c)
            continue;
         t->reached[to] = 1 + c;
         t->list[num++] = to;
      }
   }
   return true;
}

static void
enter_cycle(struct tree *t, uint32_t c)
{
   const hd_divergent_joins *p = t->p;
   const bool some = p->exits_listed && reach_from_header(t, c);
   uint32_t found = NONE;

   for (uint32_t n = p->exit_begin[c]; p->exits_listed && n < p->exit_begin[c + 1]; n++) {
      if (!some || t->reached[edge_from(p, p->exit[n])] == 1 + c)
         found = with_successor(t, found, node_of_edge(p, p->exit[n]));
   }
   enter(t, 1 + p->num + c, found);
}

static void
enter_block(struct tree *t, uint32_t place)
{
   const hd_divergent_joins *p = t->p;
   const hd_block *b = block_at(p, place);
   uint32_t found = NONE;

   for (uint32_t s = 0; s < b->num_succs; s++) {
      uint32_t edge = edge_out(p, b, s);
      if (edge != NONE)
         found = with_successor(t, found, node_of_edge(p, edge));
   }
   enter(t, 1 + place, found);
}

/* Does `to` post-dominate `node`? */
static bool
leads_through(const struct tree *t, uint32_t node, uint32_t to)
{
   while (t->depth[node] > t->depth[to])
      node = t->depth[t->jump[node]] >= t->depth[to] ? t->jump[node] : t->up[node];
   return node == to;
}

/* For a branch with two successors: with which of them as the primary one does it keep the sweep?
 * A path from the other one keeps it if it reaches the primary one, or the end of the sweep at
 * whose header that is, before the end of a sweep of any other cycle that contains it. After those
 * it could not reach it any more: not in this graph.
 */
static uint8_t
find_keeping(const struct tree *t, uint32_t place)
{
   const hd_block *b = block_at(t->p, place);
   uint8_t keeps = 0;

   if (b->num_succs != 2)
      return 0;
   uint32_t first = edge_out(t->p, b, 0), second = edge_out(t->p, b, 1);
   if (first == NONE || second == NONE)
      return 0;
   first = node_of_edge(t->p, first);
   second = node_of_edge(t->p, second);
   keeps |= leads_through(t, second, first) ? 1u << 0 : 0;
   keeps |= leads_through(t, first, second) ? 1u << 1 : 0;
   return keeps;
}

void
hd_find_meetings(hd_divergent_joins *p)
{
   hd_stack *stack = hd_shader_stack(p->f->shader);
   uint32_t num_cycles = p->basis.cycles->num_cycles, num = 1 + p->num + num_cycles;
   struct tree t = { .p = p,
                     .up = scratch(stack, num),
                     .jump = scratch(stack, num),
                     .depth = scratch(stack, num),
                     .reached = scratch_fill(stack, p->num, 0),
                     .list = scratch(stack, p->num),
                     .steps_left = (uint64_t)STEPS_PER_BLOCK * p->num };

   p->meeting = scratch_fill(stack, p->num, 0xff);
   p->keeps = memset(hd_stack_alloc(stack, p->num + 1), 0, p->num + 1);
   if (!p->ordered)
      return;
   t.up[0] = t.jump[0] = t.depth[0] = 0;
   /* Cycles by the place after them, outer ones first: chains of those that end at one place. */
   uint32_t *first = scratch_fill(stack, (size_t)p->num + 1, 0xff);
   uint32_t *next = scratch(stack, num_cycles);
   for (uint32_t c = num_cycles; c--;) {
      uint32_t end = cycle_at(p, c)->first + cycle_at(p, c)->num_blocks;
      next[c] = first[end];
      first[end] = c;
   }
   for (uint32_t at = p->num; at--;) {
      for (uint32_t c = first[at + 1]; c != NONE; c = next[c])
         enter_cycle(&t, c);
      enter_block(&t, at);
      p->meeting[at] = t.up[1 + at] ? t.up[1 + at] - 1 : MEET_NOWHERE;
   }
   for (uint32_t at = 0; at < p->num; at++)
      p->keeps[at] = find_keeping(&t, at);
}
