/* SPDX-License-Identifier: MIT */
/* test_small.c - every analysis on all small graphs and many random ones, against naive.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

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
         fail();                                                                                   \
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
      num = hd_idf(f, blocks, num, out);
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
         hd_cycle *both = hd_common_cycle(c, d);
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

   assert_non_null(block);
   assert_non_null(other);
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

   assert_int_equal(hd_meta_verify(f, HD_META_ALL, count_difference, &heard, &num), HD_OK);
   CHECK(g, heard == 0 && num == 0);
}

/* Everything about one function; returns whether its declarations are valid. */
static bool
check_function(hd_function *f, uint64_t *state)
{
   struct naive g;
   struct told told = { 0 };
   uint32_t num;
   bool valid;

   naive_read(&g, f);
   valid = g.valid;
   for (int n = 0; n < g.num; n++)
      valid &= g.continues[n] < 0 || !(g.reachable >> n & 1) || g.continue_valid[n];
   assert_int_equal(hd_check_declarations(f, hear, &told, &num), HD_OK);
   assert_int_equal(num, told.num);
   CHECK(&g, (num == 0) == valid);
   /* Even bad declarations give some nest. */
   assert_int_equal(hd_require(f, HD_META_ALL), HD_OK);
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

/* All graphs of `num` inner blocks: 0 goes to 1, the inner blocks go to one or two different ones
 * of each other and the last, in all ways in which a breadth-first walk finds them in order.
 */
static unsigned
all_graphs(int num, unsigned every, uint64_t *state)
{
   int targets = num + 1, ways = targets + targets * num;
   unsigned long total = 1;
   unsigned found = 0;

   for (int n = 0; n < num; n++)
      total *= (unsigned)ways;
   for (unsigned long code = 0; code < total; code++) {
      struct succ_list list[8] = { { 1, { 1 } } };
      unsigned long rest = code;
      int next = 2, order[8] = { 1 };

      for (int n = 1; n <= num; n++) {
         int way = (int)(rest % (unsigned)ways), first, second;
         rest /= (unsigned)ways;
         if (way < targets) {
            list[n] = (struct succ_list){ 1, { way + 1 } };
            continue;
         }
         way -= targets;
         first = way / num;
         second = way % num;
         second += second >= first;
         list[n] = (struct succ_list){ 2, { first + 1, second + 1 } };
      }
      bool canonical = true;
      for (int n = 1; n <= num && canonical; n++) {
         if (n >= next)
            canonical = false;
         for (int s = 0; canonical && s < list[n].num; s++) {
            if (list[n].succ[s] > num)
               continue;
            if (list[n].succ[s] > next)
               canonical = false;
            else if (list[n].succ[s] == next)
               next++;
         }
      }
      (void)order;
      if (!canonical || next != num + 1)
         continue;
      if (found++ % every)
         continue;
      list[num + 1] = (struct succ_list){ 1, { num + 2 } };
      hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
      hd_block *block[8];
      hd_function *f = graph_build(shader, num + 2, list, block);
      check_function(f, state);
      hd_shader_destroy(shader);
   }
   return found;
}

static void
test_all_small_graphs(void **unused)
{
   uint64_t state = 1;

   (void)unused;
   assert_int_equal(all_graphs(1, 1, &state), 4);
   assert_int_equal(all_graphs(2, 1, &state), 45);
   assert_int_equal(all_graphs(3, 1, &state), 816);
   assert_int_equal(all_graphs(4, 7, &state), 20225);
}

/* The run's seed: from the environment to repeat one, else fixed. */
static uint64_t
seed(void)
{
   const char *text = getenv("HD_TEST_SEED");
   uint64_t value = text ? strtoull(text, NULL, 0) : 20251;

   print_message("HD_TEST_SEED=%llu\n", (unsigned long long)value);
   return value;
}

static void
random_graph(int num, struct succ_list *list, uint64_t *state)
{
   for (int n = 0; n < num; n++) {
      uint32_t kind = next_random(state, 16);
      int want = kind == 0 ? 0 : kind < 6 ? 1 : kind < 14 ? 2 : 4;

      list[n].num = 0;
      if (kind == 0 && next_random(state, 2)) {
         list[n] = (struct succ_list){ 1, { num } };
         continue;
      }
      for (int s = 0; s < want; s++) {
         int to = 1 + (int)next_random(state, (uint32_t)num - 1);
         bool has = false;
         for (int k = 0; k < list[n].num; k++)
            has |= list[n].succ[k] == to;
         if (!has)
            list[n].succ[list[n].num++] = to;
      }
   }
}

/* Declarations of any kind; most of the heavy ones are not valid. */
static void
declare_at_random(hd_function *f, hd_block **block, int num, uint64_t *state)
{
   uint32_t rate = 1 + next_random(state, 10);

   for (int n = 0; n < num; n++) {
      if (next_random(state, 10) < rate / 2)
         block[n]->node.header = 1;
      if (next_random(state, 10) < rate && next_random(state, 2))
         block[n]->inside = block[next_random(state, (uint32_t)num)];
      if (next_random(state, 20) < rate && next_random(state, 2))
         block[n]->continues = block[next_random(state, (uint32_t)num)];
   }
   hd_meta_invalidate(f, HD_META_NONE);
}

/* Declarations near those that say what is: then most are valid. */
static void
declare_nearly(hd_function *f, hd_block **block, int num, uint64_t *state)
{
   assert_int_equal(hd_mark_headers(f), HD_OK);
   for (int n = 0; n < num; n++) {
      if (next_random(state, 4) == 0)
         block[n]->node.header = 0;
      if (next_random(state, 8) == 0)
         block[n]->inside = NULL;
      hd_cycle *c = hd_function_num_cycles(f)
                        ? hd_function_cycle(f, next_random(state, hd_function_num_cycles(f)))
                        : NULL;
      if (c && next_random(state, 8) == 0 && c->header != block[n])
         block[n]->inside = c->header;
      if (c && next_random(state, 6) == 0)
         block[n]->continues = c->header;
   }
   hd_meta_invalidate(f, HD_META_NONE);
}

/* What hd_mark_headers declares holds, and holds the nest when successors are turned round. */
static void
check_mark_headers(hd_function *f, hd_block **block, int num, uint64_t *state)
{
   struct naive before, after;

   naive_read(&before, f);
   assert_int_equal(hd_require(f, HD_META_CYCLES), HD_OK);
   assert_int_equal(hd_mark_headers(f), HD_OK);
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
   check_function(f, state);
}

static void
test_random_graphs(void **unused)
{
   uint64_t state = seed();
   unsigned num_valid = 0, num_declared = 0;

   (void)unused;
   for (int round = 0; round < 3000; round++) {
      int num = 3 + (int)next_random(&state, round % 8 ? 7 : 20);
      struct succ_list list[NAIVE_MAX];
      hd_block *block[NAIVE_MAX];
      hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
      random_graph(num, list, &state);
      hd_function *f = graph_build(shader, num, list, block);

      if (round % 3 == 1)
         declare_at_random(f, block, num, &state);
      else if (round % 3 == 2)
         declare_nearly(f, block, num, &state);
      bool valid = check_function(f, &state);
      if (round % 3) {
         num_declared++;
         num_valid += valid;
      }
      if (valid)
         check_mark_headers(f, block, num, &state);
      hd_shader_destroy(shader);
   }
   print_message("%u of %u declared graphs were valid\n", num_valid, num_declared);
   assert_true(num_valid > num_declared / 8 && num_valid < num_declared);
}

static void
test_random_trees(void **unused)
{
   uint64_t state = seed();
   unsigned num = 0;

   (void)unused;
   for (int round = 0; round < 1500; round++) {
      hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
      hd_function *f = random_tree(shader, &state, 1 + next_random(&state, 12));
      unsigned num_blocks = 0;

      hd_foreach_block(b, f)
         num_blocks++;
      if (num_blocks < NAIVE_MAX - 1) {
         num++;
         check_function(f, &state);
      }
      hd_shader_destroy(shader);
   }
   assert_true(num > 600);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all_small_graphs),
      cmocka_unit_test(test_random_graphs),
      cmocka_unit_test(test_random_trees),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
