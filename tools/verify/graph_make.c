/* SPDX-License-Identifier: MIT */
/* graph_make.c - where graphs come from: all small ones, random ones, lists in JSON. */
#include "graph.h"

#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* All small graphs
 *
 * Block n goes one of these ways: the first num + 1 are to one block each, then come the pairs of
 * different ones, then lists of three, and so on. The walk is that of an odometer whose last wheel,
 * that of the last block, turns fastest; a way is skipped when it names a number that is not next
 * to be found.
 */

/* How many lists of `count` different targets there are. */
static int
lists_of(int targets, unsigned count)
{
   int lists = 1;

   for (unsigned k = 0; k < count; k++)
      lists *= targets - (int)k;
   return lists;
}

static int
num_ways(const small_graphs *s)
{
   int ways = 0;

   for (unsigned count = 1; count <= s->most; count++)
      ways += lists_of(s->num + 1, count);
   return ways;
}

static unsigned
way_succs(const small_graphs *s, int block, uint32_t succs[SMALL_GRAPH_MAX_WAYS])
{
   const int targets = s->num + 1;
   int way = s->way[block], rest;
   unsigned count = 1;
   bool taken[SMALL_GRAPH_MAX + 2] = { false };

   assert(s->num > 0);
   while (way >= lists_of(targets, count))
      way -= lists_of(targets, count++);
   for (unsigned k = 0; k < count; k++, way = rest) {
      const int after = lists_of(targets - (int)k - 1, count - k - 1);
      uint32_t target = 1;
      rest = way % after;
      for (int skip = way / after; skip >= 0; target++)
         skip -= !taken[target];
      succs[k] = target - 1;
      taken[target - 1] = true;
   }
   return count;
}

void
small_graphs_begin(small_graphs *s, int num, unsigned most)
{
   *s = (small_graphs){ .num = num, .most = most, .at = 1 };
   s->way[1] = -1;
   s->found[1] = 2;
}

bool
small_graphs_next(small_graphs *s)
{
   const int num = s->num, ways = num_ways(s);

   while (s->at > 0) {
      uint32_t succs[SMALL_GRAPH_MAX_WAYS];
      int found = s->found[s->at];

      if (++s->way[s->at] == ways) {
         s->at--;
         continue;
      }
      const unsigned count = way_succs(s, s->at, succs);
      bool in_order = true;
      for (unsigned k = 0; k < count; k++) {
         if ((int)succs[k] > num)
            continue;
         in_order &= (int)succs[k] <= found;
         found += (int)succs[k] == found;
      }
      if (!in_order)
         continue;
      if (s->at == num) {
         if (found == num + 1)
            return true;
         continue;
      }
      if (found <= s->at + 1)
         continue; /* the next block was not found */
      s->at++;
      s->way[s->at] = -1;
      s->found[s->at] = found;
   }
   return false;
}

void
small_graphs_get(const small_graphs *s, graph *g)
{
   const uint32_t end = (uint32_t)s->num + 1;
   bool ends = false;

   graph_clear(g);
   graph_add(g, 1, (uint32_t[]){ 1 });
   for (int n = 1; n <= s->num; n++) {
      uint32_t succs[SMALL_GRAPH_MAX_WAYS];
      const unsigned count = way_succs(s, n, succs);
      for (unsigned k = 0; k < count; k++)
         ends |= succs[k] == end;
      graph_add(g, count, succs);
   }
   if (ends)
      graph_add(g, 0, NULL);
}

uint64_t
small_graphs_count(int num, unsigned most)
{
   static const uint64_t counts[] = { 0, 4, 45, 816, 20225, 632700 };

   return num > 0 && num <= 5 && most == 2 ? counts[num] : 0;
}

/* Random graphs */

struct random_shape {
   uint32_t num;
   uint32_t window;   /* how far edges lead forward */
   uint32_t two_ways; /* of 100 blocks, those with two successors or more */
   uint32_t back;     /* of 100 edges, those that lead anywhere (or, if reducible, back) */
   uint32_t switches; /* of 100 branches, those of more than two ways */
   uint32_t ends;     /* of 100 blocks, those that are ends */
};

static uint32_t
one_of(uint64_t *state, uint32_t num, const uint32_t *values)
{
   return values[graph_random_below(state, num)];
}

static uint32_t
forward(const struct random_shape *r, uint64_t *state, uint32_t from)
{
   const uint32_t room = r->num - 1 - from;

   return from + 1 + graph_random_below(state, room < r->window ? room : r->window);
}

/* Edges forward to near blocks, and some to anywhere where `any` is set. */
static void
random_edges(graph *g, const struct random_shape *r, uint64_t *state, bool any)
{
   graph_clear(g);
   graph_add(g, 1, (uint32_t[]){ 1 });
   for (uint32_t b = 1; b + 1 < r->num; b++) {
      uint32_t succs[8], count = 1;
      if (graph_random_below(state, 100) < r->ends) {
         graph_add(g, 0, NULL)->halts = graph_random_below(state, 2);
         continue;
      }
      if (graph_random_below(state, 100) < r->two_ways)
         count =
             graph_random_below(state, 100) < r->switches ? 3 + graph_random_below(state, 6) : 2;
      for (uint32_t n = 0; n < count; n++) {
         if (any && graph_random_below(state, 100) < r->back)
            succs[n] = 1 + graph_random_below(state, r->num - 1);
         else
            succs[n] = forward(r, state, b);
      }
      graph_add(g, count, succs);
   }
   graph_add(g, 0, NULL);
}

/* An edge to a block that dominates its source keeps a graph reducible, and all dominators. */
static void
add_back_edges(graph *g, const struct random_shape *r, uint64_t *state)
{
   uint32_t *idom = must_alloc((g->num_blocks + 1) * sizeof(*idom));
   graph old = { 0 };

   graph_copy(&old, g);
   graph_dominators(&old, idom);
   graph_clear(g);
   for (uint32_t b = 0; b < old.num_blocks; b++) {
      uint32_t succs[9], count = old.blocks[b].num_succs;
      if (count)
         memcpy(succs, graph_succs(&old, b), count * sizeof(*succs));
      if (b && count && graph_random_below(state, 100) < r->back) {
         uint32_t to = b;
         for (uint32_t up = graph_random_below(state, 6); up && idom[to]; up--)
            to = idom[to];
         /* In place of an edge, if that leaves one forward; else as one more. */
         if (count > 1 && graph_random_below(state, 2)) {
            succs[graph_random_below(state, count)] = to;
         } else {
            const uint32_t at = graph_random_below(state, count + 1);
            memmove(succs + at + 1, succs + at, (count - at) * sizeof(*succs));
            succs[at] = to;
            count++;
         }
      }
      graph_add(g, count, succs)->halts = old.blocks[b].halts;
   }
   graph_copy(&old, g);
   graph_reduce(g, &old, NULL);
   graph_free(&old);
   free(idom);
}

void
random_graph(graph *g, uint64_t *state, uint32_t num_blocks)
{
   const bool reducible = graph_random_below(state, 2);
   graph all = { 0 };

   do {
      struct random_shape r = { .num = num_blocks < 3 ? 3 : num_blocks };
      r.window = one_of(state, 4, (uint32_t[]){ 2, 4, 12, num_blocks });
      r.two_ways = one_of(state, 3, (uint32_t[]){ 30, 60, 90 });
      r.back = one_of(state, 4, (uint32_t[]){ 2, 8, 20, 40 });
      r.switches = one_of(state, 3, (uint32_t[]){ 0, 0, 20 });
      r.ends = one_of(state, 4, (uint32_t[]){ 0, 0, 1, 5 });
      random_edges(&all, &r, state, !reducible);
      graph_reduce(g, &all, NULL);
      if (reducible)
         add_back_edges(g, &r, state);
      /* An early end can leave little: that is no graph of this size. */
   } while (g->num_blocks * 3 < num_blocks);
   graph_free(&all);
}

void
graph_random_declarations(graph *g, uint64_t *state)
{
   for (uint32_t b = 1; b < g->num_blocks; b++) {
      graph_block *block = &g->blocks[b];
      const uint32_t others = g->num_blocks - 1;
      block->header = graph_random_below(state, 4) == 0;
      block->inside =
          graph_random_below(state, 3) ? NO_BLOCK : 1 + graph_random_below(state, others);
      block->continues =
          graph_random_below(state, 5) ? NO_BLOCK : 1 + graph_random_below(state, others);
   }
}

/* JSON */

static const char *
skip_blanks(const char *s)
{
   while (isspace((unsigned char)*s))
      s++;
   return s;
}

/* One list of numbers, after its bracket; NULL if it is none. */
static const char *
read_list(const char *s, uint32_t *succs, uint32_t *count)
{
   s = skip_blanks(s);
   *count = 0;
   while (*s != ']') {
      uint32_t value = 0;
      if (*count) {
         if (*s != ',')
            return NULL;
         s = skip_blanks(s + 1);
      }
      if (!isdigit((unsigned char)*s))
         return NULL;
      while (isdigit((unsigned char)*s) && value < 100000000)
         value = value * 10 + (uint32_t)(*s++ - '0');
      if (*count == 4096)
         return NULL;
      succs[(*count)++] = value;
      s = skip_blanks(s);
   }
   return s + 1;
}

/* Has an edge to block 0: then an entry of its own goes in front. */
static void
add_entry(graph *g)
{
   bool entered = g->blocks[0].num_succs == 0;
   graph old = { 0 };

   for (uint32_t n = 0; n < g->num_edges; n++)
      entered |= g->succs[n] == 0;
   if (!entered)
      return;
   graph_copy(&old, g);
   graph_clear(g);
   graph_add(g, 1, (uint32_t[]){ 1 });
   for (uint32_t b = 0; b < old.num_blocks; b++) {
      graph_add(g, old.blocks[b].num_succs, graph_succs(&old, b));
      for (uint32_t n = g->blocks[b + 1].first_succ; n < g->num_edges; n++)
         g->succs[n]++;
   }
   graph_free(&old);
}

const char *
graph_read(graph *g, const char *text)
{
   uint32_t succs[4096], count;
   const char *s = skip_blanks(text);

   graph_clear(g);
   if (*s++ != '[')
      return "a graph begins with '['";
   s = skip_blanks(s);
   while (*s != ']') {
      if (g->num_blocks) {
         if (*s != ',')
            return "expected ',' or ']' after a block's list";
         s = skip_blanks(s + 1);
      }
      if (*s != '[')
         return "expected the list of a block's successors";
      s = read_list(s + 1, succs, &count);
      if (!s)
         return "a list of successors is numbers with commas between, at most 4096";
      graph_add(g, count, succs);
      s = skip_blanks(s);
   }
   if (*skip_blanks(s + 1))
      return "expected nothing after the graph";
   if (!g->num_blocks)
      return "a graph has a block at least";
   for (uint32_t n = 0; n < g->num_edges; n++) {
      if (g->succs[n] >= g->num_blocks)
         return "a successor is no block of the graph";
   }
   add_entry(g);
   graph all = { 0 };
   graph_copy(&all, g);
   graph_reduce(g, &all, NULL);
   graph_free(&all);
   return NULL;
}

void
graph_write(const graph *g, FILE *file)
{
   fputc('[', file);
   for (uint32_t b = 0; b < g->num_blocks; b++) {
      fputs(b ? ",[" : "[", file);
      for (uint32_t n = 0; n < g->blocks[b].num_succs; n++)
         fprintf(file, n ? ",%u" : "%u", graph_succs(g, b)[n]);
      fputc(']', file);
   }
   fputc(']', file);
}
