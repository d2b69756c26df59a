/* SPDX-License-Identifier: MIT */
/* compare.c - all analyses of one function against naive.c; the first difference ends the program.
 */
#include "compare.h"

#include <stdio.h>
#include <stdlib.h>

#include "naive.h"

static void
dump(const struct naive *g)
{
   for (int n = 0; n < g->num; n++) {
      fprintf(stderr, "  %d%s:", n, g->marked[n] ? " header" : "");
      for (int s = 0; s < g->num_succs[n]; s++)
         fprintf(stderr, " %d", g->succ[n][s]);
      if (g->inside[n] >= 0)
         fprintf(stderr, "  in %d", g->inside[n]);
      if (g->continues[n] >= 0)
         fprintf(stderr, "  continues %d", g->continues[n]);
      fprintf(stderr, "\n");
   }
}

#define CHECK(g, condition)                                                                        \
   do {                                                                                            \
      if (!(condition)) {                                                                          \
         fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                           \
         dump(g);                                                                                  \
         abort();                                                                                  \
      }                                                                                            \
   } while (0)

static void
check_dominance(const struct naive *g, hd_function *f)
{
   int end = g->num - 1, seen = 0;

   for (int a = 0; a < g->num; a++) {
      hd_block *idom = hd_block_idom(g->block[a]), *ipdom = hd_block_post_idom(g->block[a]);
      bool reachable = g->reachable >> a & 1;

      CHECK(g, (idom != NULL) == (reachable && a != 0));
      CHECK(g, (ipdom != NULL) == (reachable && a != end));
      for (int b = 0; b < g->num; b++) {
         bool dominates = naive_dominates(g, a, b), post = naive_post_dominates(g, a, b);

         CHECK(g, hd_block_dominates(g->block[a], g->block[b]) == dominates);
         CHECK(g, hd_block_post_dominates(g->block[a], g->block[b]) == post);
         /* The immediate one is dominated by all others. */
         if (idom && b != a && naive_dominates(g, b, a))
            CHECK(g, naive_dominates(g, b, naive_index(g, idom)));
         if (ipdom && b != a && naive_post_dominates(g, b, a))
            CHECK(g, naive_post_dominates(g, b, naive_index(g, ipdom)));
         hd_block *both = hd_block_common_dominator(g->block[a], g->block[b]);
         CHECK(g, hd_block_dominates(both, g->block[a]) && hd_block_dominates(both, g->block[b]));
         for (int c = 0; c < g->num; c++) {
            if (reachable && g->reachable >> b & 1 && naive_dominates(g, c, a) &&
                naive_dominates(g, c, b))
               CHECK(g, hd_block_dominates(g->block[c], both));
         }
         both = hd_block_common_post_dominator(g->block[a], g->block[b]);
         if ((reachable || a == end) && (g->reachable >> b & 1 || b == end))
            CHECK(g, both && hd_block_post_dominates(both, g->block[a]) &&
                         hd_block_post_dominates(both, g->block[b]));
      }
      if (idom) {
         bool found = false;
         hd_foreach_dom_child(c, idom)
            found |= c == g->block[a];
         CHECK(g, found && hd_block_dom_depth(g->block[a]) == hd_block_dom_depth(idom) + 1);
         CHECK(g, naive_dominates(g, naive_index(g, idom), a) && idom != g->block[a]);
      }
      if (ipdom)
         CHECK(g, naive_post_dominates(g, naive_index(g, ipdom), a) && ipdom != g->block[a]);
   }
   for (hd_block *b = hd_function_start(f), *before = NULL; b;
        before = b, b = hd_block_dom_next(b)) {
      CHECK(g, !before || !hd_block_dominates(b, before));
      seen++;
   }
   CHECK(g, seen == __builtin_popcount(g->reachable));
}

static void
check_frontiers(const struct naive *g, hd_function *f, uint64_t *state)
{
   for (int round = 0; round < g->num + 3; round++) {
      set of = round < g->num ? 1u << round : next_random(state, UINT32_MAX), found = 0;
      hd_block *blocks[NAIVE_MAX], *out[NAIVE_MAX + 1];
      uint32_t num = 0;

      for (int n = 0; n < g->num; n++) {
         if (of >> n & 1)
            blocks[num++] = g->block[n];
      }
      num = hd_iterated_dominance_frontier(f, blocks, num, out);
      for (uint32_t n = 0; n < num; n++) {
         set bit = 1u << naive_index(g, out[n]);
         CHECK(g, !(found & bit));
         found |= bit;
      }
      CHECK(g, found == naive_idf(g, of));
   }
}

static void
check_order(const struct naive *g, hd_function *f)
{
   uint32_t num;
   hd_block *const *rpo = hd_function_rpo(f, &num);
   set seen = 0;

   CHECK(g, num == (uint32_t)g->num - 1);
   for (uint32_t n = 0; n < num; n++) {
      int at = naive_index(g, rpo[n]);
      CHECK(g, hd_block_rpo_index(rpo[n]) == n && !(seen >> at & 1));
      CHECK(g, hd_block_is_reachable(rpo[n]) == (g->reachable >> at & 1));
      CHECK(g, (n < hd_function_num_reachable(f)) == (g->reachable >> at & 1));
      /* An edge to an earlier place goes to an ancestor in the walk: to what was met before and
       * reaches this block.
       */
      for (int s = 0; s < g->num_succs[at] && g->reachable >> at & 1; s++) {
         int to = g->succ[at][s];
         if (to != g->num - 1 && hd_block_rpo_index(g->block[to]) <= n)
            CHECK(g, g->preorder[to] <= g->preorder[at] && naive_reach(g, to, ~0u) >> at & 1);
      }
      seen |= 1u << at;
   }
   CHECK(g, hd_block_is_reachable(&f->end) == (g->reachable >> (g->num - 1) & 1));
}

static void
check_cycles(const struct naive *g, hd_function *f)
{
   uint32_t place[NAIVE_MAX] = { 0 }, num;

   hd_function_sweep(f, &num);
   CHECK(g, num == (uint32_t)g->num - 1);
   CHECK(g, hd_function_num_cycles(f) == (uint32_t)g->num_cycles);
   for (int n = 0; n < g->num - 1; n++) {
      int inner = g->reachable >> n & 1 ? naive_inner(g, n) : -1;
      hd_cycle *c = hd_block_cycle(g->block[n]);
      CHECK(g, (c != NULL) == (inner >= 0));
      CHECK(g, !c || c->header == g->block[g->cycle[inner].header]);
      place[n] = hd_block_sweep_index(g->block[n]);
   }
   CHECK(g, naive_is_sweep(g, place));
   for (int n = 0; n < g->num_cycles; n++) {
      const struct naive_cycle *x = &g->cycle[n];
      hd_cycle *c = hd_block_headed_cycle(g->block[x->header]);
      bool other_entries = false;
      set all = 0;

      CHECK(g, c && (c->parent != NULL) == (x->parent >= 0));
      CHECK(g, c == hd_function_cycle(f, c->index));
      CHECK(g, !c->parent || c->parent->header == g->block[g->cycle[x->parent].header]);
      CHECK(g, c->depth == (c->parent ? c->parent->depth + 1 : 1));
      for (uint32_t i = 0; i < c->num_blocks; i++)
         all |= 1u << naive_index(g, c->blocks[i]);
      CHECK(g, all == x->all && c->blocks[0] == c->header);
      for (int b = 0; b < g->num; b++) {
         CHECK(g, hd_cycle_contains(c, g->block[b]) == (x->all >> b & 1));
         for (int p = 0; p < g->num; p++)
            other_entries |= x->all >> b & 1 && b != x->header && g->reachable >> p & 1 &&
                             !(x->all >> p & 1) && naive_edge(g, p, b);
      }
      CHECK(g, c->has_other_entries == other_entries);
      for (int m = 0; m < g->num_cycles; m++) {
         hd_cycle *d = hd_block_headed_cycle(g->block[g->cycle[m].header]);
         bool inside = (g->cycle[m].all & ~x->all) == 0;
         CHECK(g, hd_cycle_contains_cycle(c, d) == inside);
         hd_cycle *both = hd_cycle_common(c, d);
         if (both)
            CHECK(g, hd_cycle_contains_cycle(both, c) && hd_cycle_contains_cycle(both, d));
         else
            CHECK(g, !(x->all & g->cycle[m].all));
      }
   }
}

static void
check_continues(const struct naive *g, hd_function *f)
{
   for (uint32_t i = 0; i < hd_function_num_cycles(f); i++) {
      hd_cycle *c = hd_function_cycle(f, i);
      hd_block *expected = NULL;
      if (f->structured) {
         hd_foreach_node(n, f) {
            hd_loop *loop = hd_node_as_loop(n);
            if (loop && hd_loop_header(loop) == c->header)
               expected = hd_loop_continue(loop);
         }
      }
      for (int n = 0; n < g->num; n++) {
         if (g->continue_valid[n] && g->continues[n] == naive_index(g, c->header))
            expected = g->block[n];
      }
      CHECK(g, c->continue_block == expected);
   }
}

struct told {
   uint32_t num;
   uint32_t of[7];
};

static void
hear(void *user, hd_declaration_fault fault, hd_block *block, hd_block *other)
{
   struct told *told = user;

   if (!block || !other)
      abort();
   told->num++;
   told->of[fault]++;
}

static void
count_difference(void *user, const hd_meta_difference *d)
{
   (void)d;
   ++*(uint32_t *)user;
}

static void
check_verify(const struct naive *g, hd_function *f)
{
   uint32_t heard = 0, num = 1;

   CHECK(g, hd_meta_verify(f, HD_META_ALL, count_difference, &heard, &num) == HD_OK);
   CHECK(g, heard == 0 && num == 0);
}

/* Everything about one function; returns whether its declarations are valid. */
bool
compare_all(hd_function *f, uint64_t *state)
{
   struct naive g;
   struct told told = { 0 };
   uint32_t num;
   bool valid;

   naive_read(&g, f);
   valid = g.valid;
   for (int n = 0; n < g.num; n++)
      valid &= g.continues[n] < 0 || !(g.reachable >> n & 1) || g.continue_valid[n];
   CHECK(&g, hd_check_declarations(f, hear, &told, &num) == HD_OK);
   CHECK(&g, num == told.num);
   CHECK(&g, (num == 0) == valid);
   /* Even bad declarations give some nest. */
   CHECK(&g, hd_require(f, HD_META_ALL) == HD_OK);
   check_order(&g, f);
   if (!g.valid)
      return false;
   check_dominance(&g, f);
   check_frontiers(&g, f, state);
   check_cycles(&g, f);
   check_continues(&g, f);
   check_verify(&g, f);
   return valid;
}

/* What hd_declare_loops declares holds, and holds the nest when successors are turned round. */
void
compare_mark_headers(hd_function *f, hd_block **block, int num, uint64_t *state)
{
   struct naive before, after;

   naive_read(&before, f);
   CHECK(&before, hd_require(f, HD_META_CYCLES) == HD_OK);
   CHECK(&before, hd_declare_loops(f) == HD_OK);
   for (int n = 0; n < num; n++) {
      if (block[n]->num_succs != 2)
         continue;
      hd_block *a = block[n]->succs[0].to, *b = block[n]->succs[1].to;
      hd_def *cond = hd_block_jump(block[n])->src[0].def;
      hd_flat_clear_jump(block[n]);
      hd_flat_goto_if(block[n], cond, b, a);
   }
   naive_read(&after, f);
   CHECK(&after, after.valid && after.num_cycles == before.num_cycles);
   for (int c = 0; c < before.num_cycles; c++) {
      bool found = false;
      for (int d = 0; d < after.num_cycles; d++)
         found |= before.cycle[c].header == after.cycle[d].header &&
                  before.cycle[c].all == after.cycle[d].all;
      CHECK(&after, found);
   }
   compare_all(f, state);
}
