/* SPDX-License-Identifier: MIT */
/* test_round_trip.c - a tree made flat and structured again is the tree that it was.
 *
 * Where every loop can repeat: nothing is added, and the shape is the same (shape.h). Always: the
 * masks of all blocks that log, what lanes carry, and a second round trip changes nothing at all.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gen/random_shader.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "same_tree.h"
#include "support/forms.h"
#include "uniform.h"

#ifdef __SANITIZE_ADDRESS__
#define NUM_TREES 600
#else
#define NUM_TREES 4000
#endif

struct uniform_counts {
   unsigned branches, values;
};

static void
round_trip(hd_shader *shader, hd_structurize_stats *stats, uint64_t seed)
{
   const hd_structurize_options options = { .stats = stats };
   hd_function *f = shader->first_function;

   assert_int_equal(hd_unstructure(f), HD_OK);
   assert_int_equal(hd_structurize(f, &options), HD_OK);
   if (hd_validate(shader, NULL) != HD_OK)
      same_tree_fail(seed, "not valid", shader, shader);
}

/* Branches that do not diverge, and values that do not differ. */
static struct uniform_counts
count_uniform(hd_function *f)
{
   struct uniform u = uniform_of(f);
   struct uniform_counts counts = { 0 };

   for (uint32_t n = 0; n < u.num_blocks; n++)
      counts.branches += u.block[n];
   for (uint32_t n = 0; n < u.num_defs; n++)
      counts.values += u.def[n];
   uniform_free(&u);
   return counts;
}

/* Masks, size, shape, and what is uniform. False: it has a loop that cannot repeat. */
static bool
compare_trees(hd_shader *tree, hd_shader *again, const hd_structurize_stats *stats, uint64_t seed)
{
   same_tree_runs(tree, again, seed);
   if (!same_tree_shape(tree, again, stats, true, seed))
      return false;
   const struct uniform_counts uniform = count_uniform(tree->first_function),
                               uniform_again = count_uniform(again->first_function);
   if (uniform.branches != uniform_again.branches || uniform.values != uniform_again.values)
      same_tree_fail(seed, "what is uniform differs", tree, again);
   return true;
}

static void
random_trees(void **unused)
{
   const char *count = getenv("HEDDLE_TREES");
   const unsigned num = count ? (unsigned)strtoul(count, NULL, 10) : NUM_TREES;
   unsigned all_repeat = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= num; seed++) {
      const random_tree_options options = same_tree_options(seed);
      hd_structurize_stats stats;
      hd_shader *tree = random_tree_shader(NULL, seed, &options), *again;
      assert_int_equal(hd_shader_clone(tree, NULL, &again), HD_OK);
      round_trip(again, &stats, seed);
      all_repeat += compare_trees(tree, again, &stats, seed);

      hd_blob once = text_of(again);
      round_trip(again, &stats, seed);
      hd_blob twice = text_of(again);
      if (once.size != twice.size || memcmp(once.data, twice.data, once.size))
         fail_msg("seed %llu: the second time other text:\n%.*s\nand\n%.*s",
                  (unsigned long long)seed, (int)once.size, (const char *)once.data,
                  (int)twice.size, (const char *)twice.data);
      hd_blob_finish(&once);
      hd_blob_finish(&twice);
      hd_shader_destroy(again);
      hd_shader_destroy(tree);
   }
   printf("%u trees, %u whose loops can all repeat\n", num, all_repeat);
   assert_true(all_repeat > num / 2);
}

/* Everything that IR can hold: values of all types, calls, unreachable code, flat functions as
 * front ends build them. What is structured comes back in one go, and stays.
 */
static void
random_shaders(void **unused)
{
   unsigned num_trees = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 200; seed++) {
      hd_shader *shader = random_shader(NULL, seed, NULL);
      hd_blob text[3];
      for (unsigned n = 0; n < 3; n++) {
         hd_foreach_function(f, shader) {
            hd_structurize_stats stats;
            const hd_structurize_options options = { .stats = &stats };
            num_trees += f->structured && n == 0;
            assert_int_equal(hd_unstructure(f), HD_OK);
            assert_int_equal(hd_structurize(f, &options), HD_OK);
            if (n && !same_tree_adds_nothing(&stats, true))
               same_tree_fail(seed, "something was added the second time", shader, shader);
         }
         if (hd_validate(shader, NULL) != HD_OK)
            same_tree_fail(seed, "not valid", shader, shader);
         assert_sound(shader);
         text[n] = text_of(shader);
      }
      if (text[1].size != text[2].size || memcmp(text[1].data, text[2].data, text[1].size))
         same_tree_fail(seed, "the second round trip gave other text", shader, shader);
      for (unsigned n = 0; n < 3; n++)
         hd_blob_finish(&text[n]);
      hd_shader_destroy(shader);
   }
   printf("%u structured functions\n", num_trees);
   assert_true(num_trees > 100);
}

/* 10,000 levels of ifs and loops, and 10,000 ifs one after the other, in time. */
static void
large_trees(void **unused)
{
   const unsigned size = 10000;

   (void)unused;
   for (unsigned deep = 0; deep < 2; deep++) {
      hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "large");
      hd_def *seven = hd_imm_u32(&b, 7);
      hd_def *cond = hd_ieq(&b, hd_subgroup_invocation(&b), seven);
      hd_shader *shader = NULL;
      for (unsigned n = 0; n < size; n++) {
         if (n % 2) {
            hd_push_loop(&b);
            hd_break_if(&b, cond);
            if (!deep)
               hd_pop_loop(&b);
         } else {
            hd_push_if(&b, cond);
            if (!deep)
               hd_pop_if(&b);
         }
      }
      for (unsigned n = size; deep && n-- > 0;) {
         if (n % 2)
            hd_pop_loop(&b);
         else
            hd_pop_if(&b);
      }
      assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
      hd_function *f = shader->first_function;
      const struct tree_size size = tree_size_of(f);
      hd_structurize_stats stats;
      const hd_structurize_options options = { .stats = &stats };
      const clock_t start = clock();
      assert_int_equal(hd_unstructure(f), HD_OK);
      const clock_t middle = clock();
      assert_int_equal(hd_structurize(f, &options), HD_OK);
      const clock_t end = clock();
      assert_true(same_tree_adds_nothing(&stats, true));
      assert_true(tree_size_kept(size, tree_size_of(f), true));
      printf("%s: to gotos in %.3f s, back in %.3f s\n", deep ? "deep" : "long",
             (double)(middle - start) / CLOCKS_PER_SEC, (double)(end - middle) / CLOCKS_PER_SEC);
      assert_true((end - start) / CLOCKS_PER_SEC < 5);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_trees),
      cmocka_unit_test(random_shaders),
      cmocka_unit_test(large_trees),
   };

   return cmocka_run_group_tests_name("structurize/round_trip", tests, NULL, NULL);
}
