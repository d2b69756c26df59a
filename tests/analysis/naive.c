/* SPDX-License-Identifier: MIT */
#include "naive.h"

#include <assert.h>
#include <string.h>

#define BIT(n) ((set)1 << (n))

int
naive_index(const struct naive *g, const hd_block *block)
{
   for (int n = 0; n < g->num; n++) {
      if (g->block[n] == block)
         return n;
   }
   return -1;
}

bool
naive_edge(const struct naive *g, int from, int to)
{
   for (int s = 0; s < g->num_succs[from]; s++) {
      if (g->succ[from][s] == to)
         return true;
   }
   return false;
}

set
naive_reach(const struct naive *g, int from, set within)
{
   set seen = within & BIT(from), old = 0;

   while (seen != old) {
      old = seen;
      for (int n = 0; n < g->num; n++) {
         for (int s = 0; seen & BIT(n) && s < g->num_succs[n]; s++)
            seen |= within & BIT(g->succ[n][s]);
      }
   }
   return seen;
}

static void
number(struct naive *g, int n)
{
   if (g->reachable & BIT(n))
      return;
   g->reachable |= BIT(n);
   g->preorder[n] = g->num_preorder++;
   for (int s = 0; s < g->num_succs[n]; s++)
      number(g, g->succ[n][s]);
}

/* Is x declared to be inside y, directly or through the chain? */
static bool
declared_inside(const struct naive *g, int x, int y)
{
   for (int n = g->inside[x], steps = 0; n >= 0 && steps <= g->num; n = g->inside[n], steps++) {
      if (n == y)
         return true;
   }
   return false;
}

static int
choose_header(const struct naive *g, set part)
{
   int best = -1, first = -1;

   for (int n = 0; n < g->num; n++) {
      if (!(part & BIT(n)))
         continue;
      bool candidate = g->marked[n];
      for (int y = 0; y < g->num; y++)
         candidate &= !(part & BIT(y)) || y == n || !declared_inside(g, n, y);
      if (first < 0 || g->preorder[n] < g->preorder[first])
         first = n;
      if (candidate && (best < 0 || g->preorder[n] < g->preorder[best]))
         best = n;
   }
   return best >= 0 ? best : first;
}

static void
find_cycles(struct naive *g, set within)
{
   set done = 0;

   for (int n = 0; n < g->num; n++) {
      if (!(within & BIT(n)) || done & BIT(n))
         continue;
      set part = 0, reach = naive_reach(g, n, within);
      for (int m = 0; m < g->num; m++) {
         if (reach & BIT(m) && naive_reach(g, m, within) & BIT(n))
            part |= BIT(m);
      }
      done |= part;
      if (part == BIT(n) && !naive_edge(g, n, n))
         continue;
      int header = choose_header(g, part);
      g->cycle[g->num_cycles++] = (struct naive_cycle){ header, part, part, -1 };
      find_cycles(g, part & ~BIT(header));
   }
}

int
naive_inner(const struct naive *g, int block)
{
   int best = -1;

   for (int c = 0; c < g->num_cycles; c++) {
      if (g->cycle[c].all & BIT(block) &&
          (best < 0 || (g->cycle[c].all & ~g->cycle[best].all) == 0))
         best = c;
   }
   return best;
}

/* The item of a level that a block is in: itself, or num + a cycle. */
static int
item(const struct naive *g, int block, int level)
{
   int at = -1;

   for (int c = naive_inner(g, block); c != level; c = g->cycle[c].parent)
      at = c;
   return at < 0 ? block : g->num + at;
}

static bool
in_level(const struct naive *g, int block, int level)
{
   return level < 0 ? (g->reachable & BIT(block)) != 0 : (g->cycle[level].all & BIT(block)) != 0;
}

static bool
acyclic(const struct naive *g, int level)
{
   bool reach[2 * NAIVE_MAX][2 * NAIVE_MAX];
   int num = g->num + g->num_cycles;

   memset(reach, 0, sizeof(reach));
   for (int p = 0; p < g->num; p++) {
      for (int n = 0; n < g->num; n++) {
         if (!naive_edge(g, p, n) || !in_level(g, p, level) || !in_level(g, n, level) ||
             (level >= 0 && n == g->cycle[level].header))
            continue;
         if (item(g, p, level) != item(g, n, level))
            reach[item(g, p, level)][item(g, n, level)] = true;
      }
   }
   for (int k = 0; k < num; k++) {
      for (int i = 0; i < num; i++) {
         for (int j = 0; j < num; j++)
            reach[i][j] |= reach[i][k] && reach[k][j];
      }
   }
   for (int i = 0; i < num; i++) {
      if (reach[i][i])
         return false;
   }
   return true;
}

static void
add_declared(struct naive *g)
{
   g->valid = true;
   for (int n = 0; n < g->num; n++)
      g->valid &= !declared_inside(g, n, n);
   if (!g->valid)
      return;
   for (int c = 0; c < g->num_cycles; c++) {
      for (int n = 0; n < g->num; n++) {
         if (g->reachable & BIT(n) && declared_inside(g, n, g->cycle[c].header))
            g->cycle[c].all |= BIT(n);
      }
   }
   for (int c = 0; c < g->num_cycles; c++) {
      for (int d = 0; d < g->num_cycles; d++) {
         set x = g->cycle[c].all, y = g->cycle[d].all;
         if (c == d || !(x & y))
            continue;
         bool d_in_c = (y & ~x) == 0 && !(y & BIT(g->cycle[c].header));
         bool c_in_d = (x & ~y) == 0 && !(x & BIT(g->cycle[d].header));
         if (!d_in_c && !c_in_d)
            g->valid = false;
         if (c_in_d && (g->cycle[c].parent < 0 || !(y & ~g->cycle[g->cycle[c].parent].all)))
            g->cycle[c].parent = d;
      }
   }
   for (int level = -1; g->valid && level < g->num_cycles; level++)
      g->valid &= acyclic(g, level);
}

/* Every way in the cycle back to the header passes through x, and what it reaches in the cycle is
 * entered only through it.
 */
static bool
continue_is_valid(const struct naive *g, int x)
{
   int h = g->continues[x], c = -1;

   for (int n = 0; n < g->num_cycles; n++) {
      if (g->cycle[n].header == h)
         c = n;
   }
   if (c < 0)
      return true;
   for (int n = 0; n < x; n++) {
      if (g->continues[n] == h && g->reachable & BIT(n))
         return false;
   }
   if (x == h || !(g->cycle[c].all & BIT(x)))
      return false;
   set reached = naive_reach(g, x, g->cycle[c].all & ~BIT(h));
   for (int p = 0; p < g->num; p++) {
      for (int n = 0; n < g->num; n++) {
         if (!(g->reachable & BIT(p)) || !naive_edge(g, p, n) || reached & BIT(p))
            continue;
         if ((n == h && g->cycle[c].all & BIT(p)) || (n != x && reached & BIT(n)))
            return false;
      }
   }
   return true;
}

void
naive_read(struct naive *g, hd_function *f)
{
   memset(g, 0, sizeof(*g));
   hd_foreach_block(b, f) {
      assert(g->num < NAIVE_MAX - 1);
      g->block[g->num++] = b;
   }
   g->block[g->num++] = &f->end;
   for (int n = 0; n < g->num; n++) {
      const hd_block *b = g->block[n], *inside = b->loop_header;

      for (uint32_t s = 0; s < b->num_succs; s++)
         g->succ[n][g->num_succs[n]++] = naive_index(g, b->succs[s].to);
      if (f->structured) {
         const hd_loop *loop = hd_block_is_end(b) ? NULL : hd_node_loop(&b->node);
         if (loop && hd_loop_header(loop) == b)
            loop = hd_node_loop(&loop->node);
         inside = loop ? hd_loop_header(loop) : NULL;
      }
      g->inside[n] = inside ? naive_index(g, inside) : -1;
      g->continues[n] = b->continues ? naive_index(g, b->continues) : -1;
      g->marked[n] = b->node.header;
   }
   number(g, 0);
   find_cycles(g, g->reachable);
   add_declared(g);
   for (int n = 0; g->valid && n < g->num; n++) {
      g->continue_valid[n] =
          g->continues[n] >= 0 && g->reachable & BIT(n) && continue_is_valid(g, n);
   }
}

bool
naive_dominates(const struct naive *g, int a, int b)
{
   if (a == b || !(g->reachable & BIT(b)))
      return true;
   return a == 0 ? true : !(naive_reach(g, 0, ~BIT(a)) & BIT(b));
}

/* From b, without a, the end cannot be reached, over the edges that endless cycles get. */
bool
naive_post_dominates(const struct naive *g, int a, int b)
{
   int end = g->num - 1;
   struct naive with = *g;

   if (a == b)
      return true;
   if (!(g->reachable & BIT(b)) || (a != end && !(g->reachable & BIT(a))))
      return false;
   for (int c = 0; c < g->num_cycles; c++) {
      int h = g->cycle[c].header;
      if (!(naive_reach(g, h, ~(set)0) & BIT(end)))
         with.succ[h][with.num_succs[h]++] = end;
   }
   return a == end || !(naive_reach(&with, b, ~BIT(a)) & BIT(end));
}

set
naive_idf(const struct naive *g, set of)
{
   set all = 0, old;

   do {
      old = all;
      for (int x = 0; x < g->num; x++) {
         if (!((of | old) & g->reachable & BIT(x)))
            continue;
         for (int y = 0; y < g->num; y++) {
            for (int z = 0; z < g->num; z++) {
               if (g->reachable & BIT(y) && naive_edge(g, y, z) && naive_dominates(g, x, y) &&
                   (x == z || !naive_dominates(g, x, z)))
                  all |= BIT(z);
            }
         }
      }
   } while (all != old);
   return all;
}

bool
naive_is_sweep(const struct naive *g, const uint32_t *place)
{
   for (int c = 0; c < g->num_cycles; c++) {
      uint32_t first = place[g->cycle[c].header], num = 0;
      for (int n = 0; n < g->num; n++)
         num += (g->cycle[c].all & BIT(n)) != 0;
      for (int n = 0; n < g->num; n++) {
         if (g->cycle[c].all & BIT(n) && place[n] - first >= num)
            return false;
      }
   }
   for (int p = 0; p < g->num - 1; p++) {
      for (int n = 0; n < g->num - 1; n++) {
         bool back = false;
         for (int c = 0; c < g->num_cycles; c++)
            back |= g->cycle[c].header == n && g->cycle[c].all & BIT(p);
         if (g->reachable & BIT(p) && naive_edge(g, p, n) && !back && place[p] >= place[n])
            return false;
         if (g->reachable & BIT(p) && !(g->reachable & BIT(n)) && place[p] > place[n])
            return false;
      }
   }
   return true;
}
