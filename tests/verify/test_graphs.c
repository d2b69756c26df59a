/* SPDX-License-Identifier: MIT */
/* test_graphs.c - the graphs that are judged are all there are, and what is read is what was
 * written.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "judge.h"

/* Numbered as a breadth-first walk finds them, every inner block found. */
static bool
is_canonical(const graph *g, int num)
{
   uint32_t next = 2;

   for (uint32_t b = 1; b <= (uint32_t)num; b++) {
      if (b >= next)
         return false;
      for (uint32_t n = 0; n < g->blocks[b].num_succs; n++) {
         const uint32_t s = graph_succs(g, b)[n];
         if (s > next && s <= (uint32_t)num)
            return false;
         next += s == next && s <= (uint32_t)num;
      }
   }
   return next == (uint32_t)num + 1;
}

static void
assert_canonical(const graph *g, int num, unsigned most)
{
   assert_int_equal(g->blocks[0].num_succs, 1);
   assert_int_equal(graph_succs(g, 0)[0], 1);
   assert_true(is_canonical(g, num));
   for (uint32_t b = 1; b <= (uint32_t)num; b++) {
      assert_in_range(g->blocks[b].num_succs, 1, most);
      for (uint32_t n = 0; n < g->blocks[b].num_succs; n++) {
         assert_in_range(graph_succs(g, b)[n], 1, g->num_blocks - 1);
         for (uint32_t k = 0; k < n; k++)
            assert_int_not_equal(graph_succs(g, b)[n], graph_succs(g, b)[k]);
      }
   }
   if (g->num_blocks == (uint32_t)num + 2)
      assert_int_equal(g->blocks[num + 1].num_succs, 0);
   else
      assert_int_equal(g->num_blocks, num + 1);
}

/* The lists of successors as a number that no other graph has. */
static uint64_t
code_of(const graph *g, int num)
{
   uint64_t code = 0;

   for (uint32_t b = 1; b <= (uint32_t)num; b++) {
      for (uint32_t n = 0; n < SMALL_GRAPH_MAX_WAYS; n++)
         code = code * 8 + (n < g->blocks[b].num_succs ? graph_succs(g, b)[n] : 0);
   }
   return code;
}

static int
compare_codes(const void *a, const void *b)
{
   const uint64_t *x = a, *y = b;

   return (*x > *y) - (*x < *y);
}

static void
assert_all_small(int num, unsigned most, uint64_t count)
{
   uint64_t *codes = malloc(count * sizeof(*codes)), found = 0;
   small_graphs walk;
   graph g = { 0 };

   small_graphs_begin(&walk, num, most);
   while (small_graphs_next(&walk)) {
      assert_true(found < count);
      small_graphs_get(&walk, &g);
      if (num < 5 || found % 13 == 0)
         assert_canonical(&g, num, most);
      codes[found++] = code_of(&g, num);
   }
   assert_int_equal(found, count);
   qsort(codes, count, sizeof(*codes), compare_codes);
   for (uint64_t n = 1; n < count; n++)
      assert_true(codes[n] != codes[n - 1]);
   graph_free(&g);
   free(codes);
}

static void
small_graphs_are_all(void **unused)
{
   (void)unused;
   for (int num = 1; num <= 5; num++)
      assert_all_small(num, 2, small_graphs_count(num, 2));
}

/* All words of `most` digits for each block are tried: those that are lists of different targets,
 * 0 for none behind the last, in a numbering that counts.
 */
static uint64_t
count_by_trying(int num, unsigned most)
{
   const unsigned digits = (unsigned)num * most;
   uint64_t words = 1, count = 0;
   graph g = { 0 };

   for (unsigned n = 0; n < digits; n++)
      words *= (unsigned)num + 2;
   for (uint64_t word = 0; word < words; word++) {
      uint64_t rest = word;
      bool good = true;
      graph_clear(&g);
      graph_add(&g, 1, (uint32_t[]){ 1 });
      for (int b = 1; b <= num && good; b++) {
         uint32_t succs[SMALL_GRAPH_MAX_WAYS], length = 0;
         for (unsigned n = 0; n < most; n++, rest /= (unsigned)num + 2) {
            const uint32_t target = (uint32_t)(rest % ((unsigned)num + 2));
            good &= !target || length == n;
            for (uint32_t k = 0; k < length; k++)
               good &= target != succs[k];
            if (target && length == n)
               succs[length++] = target;
         }
         good &= length > 0;
         if (good)
            graph_add(&g, length, succs);
      }
      count += good && is_canonical(&g, num);
   }
   graph_free(&g);
   return count;
}

static void
switches_are_all(void **unused)
{
   (void)unused;
   assert_int_equal(count_by_trying(3, 2), small_graphs_count(3, 2));
   assert_all_small(1, 3, count_by_trying(1, 3));
   assert_all_small(2, 3, count_by_trying(2, 3));
   assert_all_small(2, 4, count_by_trying(2, 4));
   assert_all_small(3, 3, count_by_trying(3, 3));
}

static void
counts_are_the_known_ones(void **unused)
{
   (void)unused;
   assert_int_equal(small_graphs_count(1, 2), 4);
   assert_int_equal(small_graphs_count(2, 2), 45);
   assert_int_equal(small_graphs_count(3, 2), 816);
   assert_int_equal(small_graphs_count(4, 2), 20225);
   assert_int_equal(small_graphs_count(5, 2), 632700);
}

/* By removing a block and looking what can still be reached. */
static bool
dominates(const graph *g, uint32_t a, uint32_t b)
{
   bool *seen = calloc(g->num_blocks, 1);
   bool changed = true;

   seen[0] = a != 0;
   while (changed) {
      changed = false;
      for (uint32_t x = 0; x < g->num_blocks; x++) {
         for (uint32_t n = 0; seen[x] && n < g->blocks[x].num_succs; n++) {
            const uint32_t s = graph_succs(g, x)[n];
            if (s != a && !seen[s])
               changed = seen[s] = true;
         }
      }
   }
   const bool reached = seen[b];
   free(seen);
   return !reached;
}

static void
random_graphs_are_sound(void **unused)
{
   unsigned irreducible = 0, endless = 0;

   (void)unused;
   for (uint64_t n = 0; n < 400; n++) {
      uint64_t state = random_state(5, n);
      uint32_t idom[200], distance[200];
      graph g = { 0 }, again = { 0 };
      random_graph(&g, &state, 3 + graph_random_below(&state, 30));
      assert_in_range(g.num_blocks, 2, 199);
      graph_dominators(&g, idom);
      graph_distances(&g, distance);
      endless += !graph_ends(&g);
      assert_int_equal(idom[0], NO_BLOCK);
      bool reducible = true;
      for (uint32_t b = 1; b < g.num_blocks; b++) {
         assert_true(idom[b] != b && dominates(&g, idom[b], b));
         for (uint32_t d = 0; d < g.num_blocks; d++) {
            if (d != b && dominates(&g, d, b))
               assert_true(dominates(&g, d, idom[b]));
         }
         for (uint32_t k = 0; k < g.blocks[b].num_succs; k++) {
            const uint32_t s = graph_succs(&g, b)[k];
            assert_true(s > 0 && s < g.num_blocks);
            assert_true(distance[s] == NO_BLOCK || distance[b] <= distance[s] + 1);
            reducible &= s > b || dominates(&g, s, b);
         }
      }
      irreducible += !reducible;
      /* The same state gives the same graph. */
      state = random_state(5, n);
      random_graph(&again, &state, 3 + graph_random_below(&state, 30));
      assert_int_equal(again.num_edges, g.num_edges);
      assert_memory_equal(again.succs, g.succs, g.num_edges * sizeof(*g.succs));
      graph_free(&g);
      graph_free(&again);
   }
   printf("400 random graphs, %u of them irreducible, %u without end\n", irreducible, endless);
   assert_in_range(irreducible, 50, 300);
   assert_in_range(endless, 1, 200);
}

static char *
case_text(const program *p, const crew *c)
{
   static char text[100000];
   FILE *file = tmpfile();

   assert_non_null(file);
   case_write(p, c, file);
   rewind(file);
   const size_t size = fread(text, 1, sizeof(text) - 1, file);
   text[size] = 0;
   fclose(file);
   return text;
}

static void
cases_come_back(void **unused)
{
   static const char *const texts[] = {
      "1;2;1 | bits=10 features=0 seed=0",
      "1;2,4 wave;3 first in1;1,5 visit header;5,1 halt continues1; | bits=3 features=15 seed=77",
      "1; halt | bits=32 features=1 seed=18446744073709551615 wave=7 lanes=0,1f,ffffffff",
   };

   (void)unused;
   for (unsigned n = 0; n < sizeof(texts) / sizeof(texts[0]); n++) {
      program p = { 0 };
      crew c;
      assert_null(case_read(&p, &c, texts[n]));
      assert_string_equal(case_text(&p, &c), texts[n]);
      graph_free(&p.graph);
      crew_free(&c);
   }
}

static void
bad_cases_are_refused(void **unused)
{
   static const char *const texts[] = {
      "",           "1;0",         "1;2",
      "1 in9;",     "x",           "1;;",
      "1; | bits",  "1; | lanes=", "1; | lanes=1 lanes=2",
      "1; | seed=", "1; nonsense", "1; in",
      ";",
   };

   (void)unused;
   for (unsigned n = 0; n < sizeof(texts) / sizeof(texts[0]); n++) {
      program p = { 0 };
      crew c;
      /* "1;;" has a block that nothing reaches: that is no fault, it is dropped. */
      const char *wrong = case_read(&p, &c, texts[n]);
      if (strcmp(texts[n], "1;;") == 0)
         assert_int_equal(p.graph.num_blocks, 2);
      else if (!wrong)
         fail_msg("'%s' was taken", texts[n]);
      graph_free(&p.graph);
      crew_free(&c);
   }
}

static void
lists_are_read(void **unused)
{
   static const struct {
      const char *text;
      uint32_t blocks, edges;
   } good[] = {
      { "[[1,2],[3],[3],[]]", 4, 4 },
      { " [ [ 1 , 2 ] , [ ] , [ 1 ] ] \n", 3, 3 },
      { "[[]]", 2, 1 },       /* an entry is put in front: the first block is an end */
      { "[[0,1],[]]", 3, 3 }, /* and here: an edge goes to it */
      { "[[1],[],[1]]", 2, 1 } /* what is not reached is dropped */,
      { "[[1,1],[]]", 2, 1 },
   };
   static const char *const bad[] = { "",       "[",        "[]",        "[[1]",
                                      "[[1]]",  "[[1],[]",  "[[1,],[]]", "[[1],[]] x",
                                      "[1,[]]", "[[a],[]]", "[[1];[]]" };

   (void)unused;
   for (unsigned n = 0; n < sizeof(good) / sizeof(good[0]); n++) {
      graph g = { 0 };
      assert_null(graph_read(&g, good[n].text));
      assert_int_equal(g.num_blocks, good[n].blocks);
      assert_int_equal(g.num_edges, good[n].edges);
      graph_free(&g);
   }
   for (unsigned n = 0; n < sizeof(bad) / sizeof(bad[0]); n++) {
      graph g = { 0 };
      if (!graph_read(&g, bad[n]))
         fail_msg("'%s' was taken", bad[n]);
      graph_free(&g);
   }
}

/* Without blocks 2 and 3: edges to them go where they led. */
static void
blocks_are_passed_through(void **unused)
{
   graph g = { 0 }, cut = { 0 };

   (void)unused;
   assert_null(graph_read(&g, "[[1],[2,4],[3],[4,1],[]]"));
   g.blocks[1].inside = 2;
   g.blocks[4].inside = 1;
   graph_reduce(&cut, &g, (bool[]){ true, true, false, false, true });
   assert_int_equal(cut.num_blocks, 3);
   assert_int_equal(cut.blocks[1].num_succs, 1);
   assert_int_equal(graph_succs(&cut, 1)[0], 2);
   assert_int_equal(cut.blocks[1].inside, NO_BLOCK);
   assert_int_equal(cut.blocks[2].inside, 1);
   graph_free(&g);
   graph_free(&cut);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(counts_are_the_known_ones),
      cmocka_unit_test(small_graphs_are_all),
      cmocka_unit_test(switches_are_all),
      cmocka_unit_test(random_graphs_are_sound),
      cmocka_unit_test(cases_come_back),
      cmocka_unit_test(bad_cases_are_refused),
      cmocka_unit_test(lists_are_read),
      cmocka_unit_test(blocks_are_passed_through),
   };

   return cmocka_run_group_tests_name("verify/graphs", tests, NULL, NULL);
}
