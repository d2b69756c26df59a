/* SPDX-License-Identifier: MIT */
/* test_small.c - every analysis on all small graphs and many random ones, against naive.c. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>

#include "compare.h"
#include "naive.h"

/* All graphs of `num` inner blocks: 0 goes to 1, the inner blocks go to one or two different ones
 * of each other and the last, in all ways in which a breadth-first walk finds them in order.
 */
static unsigned
all_graphs(int num, unsigned every, uint64_t *state)
{
   struct succ_list list[8] = { { 1, { 1 } } };
   unsigned long code = 0;
   unsigned found = 0;

   while (next_small_graph(num, &code, list)) {
      if (found++ % every)
         continue;
      list[num + 1] = (struct succ_list){ 1, { num + 2 } };
      hd_shader *shader = hd_shader_create(NULL, HD_STAGE_COMPUTE, NULL);
      hd_block *block[8];
      hd_function *f = graph_build(shader, num + 2, list, block);
      compare_all(f, state);
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
         block[n]->loop_header = block[next_random(state, (uint32_t)num)];
      if (next_random(state, 20) < rate && next_random(state, 2))
         block[n]->continues = block[next_random(state, (uint32_t)num)];
   }
   hd_meta_invalidate(f, HD_META_NONE);
}

/* Declarations near those that say what is: then most are valid. */
static void
declare_nearly(hd_function *f, hd_block **block, int num, uint64_t *state)
{
   assert_int_equal(hd_declare_loops(f), HD_OK);
   for (int n = 0; n < num; n++) {
      if (next_random(state, 4) == 0)
         block[n]->node.header = 0;
      if (next_random(state, 8) == 0)
         block[n]->loop_header = NULL;
      hd_cycle *c = hd_function_num_cycles(f)
                        ? hd_function_cycle(f, next_random(state, hd_function_num_cycles(f)))
                        : NULL;
      if (c && next_random(state, 8) == 0 && c->header != block[n])
         block[n]->loop_header = c->header;
      if (c && next_random(state, 6) == 0)
         block[n]->continues = c->header;
   }
   hd_meta_invalidate(f, HD_META_NONE);
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
      bool valid = compare_all(f, &state);
      if (round % 3) {
         num_declared++;
         num_valid += valid;
      }
      if (valid)
         compare_mark_headers(f, block, num, &state);
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
         compare_all(f, &state);
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
