/* SPDX-License-Identifier: MIT */
/* test_construct.c - structured SPIR-V keeps the lanes of each of its blocks together: a tree that
 * is written as a module and read again does what it did, block by block, mask by mask, and
 * hd_structurize finds the same tree without a test or a phi of its own.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/spirv.h>

#include "gen/random_tree.h"
#include "structurize/same_tree.h"
#include "tree_words.h"

#ifdef __SANITIZE_ADDRESS__
#define NUM_TREES 250
#else
#define NUM_TREES 1500
#endif

static void
random_trees(void **unused)
{
   const char *count = getenv("HEDDLE_TREES");
   const unsigned num = count ? (unsigned)strtoul(count, NULL, 10) : NUM_TREES;
   unsigned all_repeat = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= num; seed++) {
      const random_tree_options options = same_tree_options(seed);
      const hd_config config = { .diag = hd_diag_to_file(stderr) };
      hd_structurize_stats stats;
      const hd_structurize_options structurize = { .stats = &stats };
      hd_shader *tree = random_tree_shader(NULL, seed, &options), *again;
      tree_words words = tree_words_write(tree);
      hd_result result = hd_spirv_to_shader(words.words, words.num, NULL, &config, &again);

      free(words.words);
      if (result != HD_OK)
         same_tree_fail(seed, "not read", tree, NULL);
      memcpy(again->workgroup_size, tree->workgroup_size, sizeof(tree->workgroup_size));
      same_tree_runs(tree, again, seed);
      assert_int_equal(hd_structurize(again->first_function, &structurize), HD_OK);
      same_tree_runs(tree, again, seed);
      all_repeat += same_tree_shape(tree, again, &stats, false, seed);
      hd_shader_destroy(again);
      hd_shader_destroy(tree);
   }
   printf("%u trees, %u whose loops can all repeat\n", num, all_repeat);
   assert_true(all_repeat > num / 2);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(random_trees) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
