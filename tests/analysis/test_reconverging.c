/* SPDX-License-Identifier: MIT */
/* test_reconverging.c - reconverging branches and those that keep the sweep, on all small graphs
 * with divergent and uniform branches, and with random declarations: by the words of the
 * definitions.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/analysis.h"
#include "heddle/check.h"
#include "heddle/text.h"
#include "naive.h"
#include "support/put.h"

#define BIT(n) ((set)1 << (n))

struct graph {
   int num;
   struct succ_list list[8];
   set divergent;
};

static void
put_graph(const struct graph *g, uint64_t *declare)
{
   length = 0;
   put("shader compute \"t\" {\nworkgroup 24 1 1\nflat function @main {\nb0:\n"
       "%%zero:32 = const 0\n%%lane:32 = subgroup_invocation\n%%true:1 = const true\n"
       "%%c:1 = ieq %%lane, %%zero\ngoto b1\n");
   for (int n = 1; n <= g->num; n++) {
      put("b%d", n);
      if (declare && next_random(declare, 3) == 0)
         put(" header");
      if (declare && next_random(declare, 3) == 0)
         put(" in b%u", 1 + next_random(declare, (uint32_t)g->num));
      if (g->list[n].num == 1)
         put(":\ngoto b%d\n", g->list[n].succ[0]);
      else
         put(":\ngoto_if %%%s, b%d, b%d\n", g->divergent & BIT(n) ? "c" : "true",
             g->list[n].succ[0], g->list[n].succ[1]);
   }
   put("b%d:\nreturn\n}\n}\n", g->num + 1);
}

/* The successor, other than the block, that post-dominates it; -1. */
static int
naive_primary(const struct naive *g, int b)
{
   for (int s = 0; s < g->num_succs[b]; s++) {
      int to = g->succ[b][s];
      if (to != b && naive_post_dominates(g, to, b))
         return to;
   }
   return -1;
}

/* Does this edge go back to the header of a cycle that contains p, but into p from a branch in it?
 */
static bool
spoils(const struct naive *g, int from, int to, int branch, int p)
{
   for (int c = 0; c < g->num_cycles; c++) {
      const struct naive_cycle *cycle = &g->cycle[c];
      if (cycle->header == to && cycle->all & BIT(from) && cycle->all & BIT(p) &&
          !(to == p && cycle->all & BIT(branch)))
         return true;
   }
   return false;
}

static bool
naive_keeps(const struct naive *g, int b, int p)
{
   int other = g->succ[b][0] == p ? g->succ[b][1] : g->succ[b][0];
   set seen = BIT(other), old = 0;

   if (spoils(g, b, other, b, p))
      return false;
   while (seen != old) {
      old = seen;
      for (int n = 0; n < g->num; n++) {
         for (int s = 0; seen & BIT(n) && n != p && s < g->num_succs[n]; s++) {
            if (spoils(g, n, g->succ[n][s], b, p))
               return false;
            seen |= BIT(g->succ[n][s]);
         }
      }
   }
   return true;
}

static unsigned num_graphs, num_reconverge, num_keep, num_declared;

/* Declared members that the header does not reach in its cycle: the analysis may say no. */
static bool
is_odd(const struct naive *g)
{
   for (int c = 0; c < g->num_cycles; c++) {
      if (g->cycle[c].all & ~naive_reach(g, g->cycle[c].header, g->cycle[c].all))
         return true;
   }
   return false;
}

static void
compare(hd_shader *shader)
{
   hd_function *f = shader->first_function;
   static struct naive g;
   bool all_reconverge = true, all_keep = true;

   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
   naive_read(&g, f);
   if (is_odd(&g))
      return;
   hd_foreach_block(b, f) {
      int at = naive_index(&g, b), p = g.num_succs[at] < 2 ? -1 : naive_primary(&g, at);
      bool divergent = hd_block_is_divergent_branch(b);
      bool reconverges = !divergent || p >= 0,
           keeps = !divergent || (p >= 0 && naive_keeps(&g, at, p));
      if (!(g.reachable & BIT(at)))
         continue;
      if (hd_block_primary_succ(b) != (p < 0 ? NULL : g.block[p]) ||
          hd_block_reconverges(b) != reconverges || hd_block_keeps_sweep(b) != keeps) {
         puts(text);
         fail_msg("b%d: primary b%d, reconverges %d, keeps %d; but not by the words", at, p,
                  reconverges, keeps);
      }
      all_reconverge &= reconverges;
      all_keep &= keeps;
   }
   assert_int_equal(hd_function_is_reconverging(f), all_reconverge);
   assert_int_equal(hd_function_keeps_sweep(f), all_keep);
   num_graphs++;
   num_reconverge += all_reconverge;
   num_keep += all_keep;
}

static void
try_graph(struct graph *g, uint64_t *state)
{
   hd_shader *shader = NULL;

   put_graph(g, NULL);
   assert_int_equal(hd_parse(NULL, "test", text, length, &shader), HD_OK);
   compare(shader);
   hd_shader_destroy(shader);
   put_graph(g, state);
   assert_int_equal(hd_parse(NULL, "test", text, length, &shader), HD_OK);
   if (hd_validate(shader, NULL) == HD_OK) {
      num_declared++;
      compare(shader);
   }
   hd_shader_destroy(shader);
}

static unsigned
all_graphs(int num, unsigned every, uint64_t *state)
{
   struct graph g = { .num = num };
   unsigned long code = 0;
   unsigned found = 0;

   while (next_small_graph(num, &code, g.list)) {
      if (found++ % every)
         continue;
      g.divergent = ~(set)0;
      try_graph(&g, state);
      g.divergent = next_random(state, 1u << 8);
      try_graph(&g, state);
   }
   return found;
}

static void
small_graphs(void **unused)
{
   uint64_t state = 3;
   bool all = getenv("HEDDLE_ALL_GRAPHS") != NULL;

   (void)unused;
   assert_int_equal(all_graphs(1, 1, &state), 4);
   assert_int_equal(all_graphs(2, 1, &state), 45);
   assert_int_equal(all_graphs(3, 1, &state), 816);
   assert_int_equal(all_graphs(4, all ? 1 : 29, &state), 20225);
   printf("%u graphs, %u with declarations, %u reconverge, %u keep the sweep\n", num_graphs,
          num_declared, num_reconverge, num_keep);
   assert_true(num_keep > 300 && num_reconverge > num_keep + 100 && num_declared > 200);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(small_graphs),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
