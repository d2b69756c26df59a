/* SPDX-License-Identifier: MIT */
/* test_construct.c - structured SPIR-V keeps the lanes of each of its blocks together: a tree that
 * is written as a module and read again does what it did, block by block, mask by mask, and
 * hd_structurize finds the same tree without a test or a phi of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <heddle/spirv.h>

#include "gen/random_tree.h"
#include "structurize/runs.h"
#include "structurize/shape.h"
#include "tree_words.h"

#ifdef __SANITIZE_ADDRESS__
#define NUM_TREES 250
#else
#define NUM_TREES 1500
#endif

static struct runs before, after;

static void
complain(uint64_t seed, const char *what, const hd_shader *tree, const hd_shader *again)
{
   printf("%s\nand\n%s\n", runs_text(tree), again ? runs_text(again) : "");
   fail_msg("seed %llu: %s", (unsigned long long)seed, what);
}

static void
compare_runs(hd_shader *tree, hd_shader *again, uint64_t seed)
{
   struct lane_words lanes;
   uint64_t random = seed;

   for (unsigned set = 0; set < 2; set++) {
      runs_lanes(&lanes, set ? 1 + (unsigned)(seed % 3) : 0, &random);
      runs_observe(tree, (hd_wave_launch){ 0 }, &lanes, false, &before);
      runs_observe(again, (hd_wave_launch){ 0 }, &lanes, false, &after);
      const char *difference = runs_differ(&before, &after);
      if (difference)
         complain(seed, difference, tree, again);
   }
}

struct size {
   unsigned ifs, loops, phis;
};

static struct size
size_of(hd_function *f)
{
   struct size size = { 0 };

   hd_require(f, HD_META_BLOCK_ORDER);
   hd_foreach_node(n, f) {
      const hd_block *b = hd_node_as_block(n);
      if (!hd_block_is_reachable(b ? b : hd_node_block_before(n)))
         continue;
      size.ifs += n->kind == HD_CF_IF;
      size.loops += n->kind == HD_CF_LOOP;
      if (b) {
         hd_foreach_phi(phi, b)
            size.phis++;
      }
   }
   return size;
}

static bool
adds_nothing(const hd_structurize_stats *s)
{
   return s->branches_before == s->branches_after && !s->selector_phis && !s->edge_phis &&
          !s->value_phis;
}

/* Of a tree whose loops can all repeat; true if it is one. */
static bool
compare_trees(hd_shader *tree, hd_shader *again, const hd_structurize_stats *stats, uint64_t seed)
{
   hd_function *f = tree->first_function, *g = again->first_function;
   struct size size = size_of(f), size_again = size_of(g);

   hd_require(f, HD_META_CYCLES);
   if (size.loops != hd_function_num_cycles(f))
      return false;
   if (!adds_nothing(stats))
      complain(seed, "something was added", tree, again);
   if (size.ifs != size_again.ifs || size.loops != size_again.loops || size.phis < size_again.phis)
      complain(seed, "another size", tree, again);
   char *shape = shape_of(f), *shape_again = shape_of(g);
   if (strcmp(shape, shape_again)) {
      printf("%s\n%s\n", shape, shape_again);
      complain(seed, "another shape", tree, again);
   }
   free(shape);
   free(shape_again);
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
      const random_tree_options options = {
         .few_values = seed % 4 == 0,
         .nodes = (unsigned)(seed % 3 * 10),
         .repeats = seed % 5 != 0,
         .uniform = seed % 7 < 3,
      };
      const hd_config config = { .diag = hd_diag_to_file(stderr) };
      hd_structurize_stats stats;
      const hd_structurize_options structurize = { .stats = &stats };
      hd_shader *tree = random_tree_shader(NULL, seed, &options), *again;
      tree_words words = tree_words_write(tree);
      hd_result result = hd_spirv_to_shader(words.words, words.num, NULL, &config, &again);

      free(words.words);
      if (result != HD_OK)
         complain(seed, "not read", tree, NULL);
      memcpy(again->workgroup_size, tree->workgroup_size, sizeof(tree->workgroup_size));
      if (hd_validate(again, NULL) != HD_OK)
         complain(seed, "not valid", tree, again);
      compare_runs(tree, again, seed);
      assert_int_equal(hd_structurize(again->first_function, &structurize), HD_OK);
      if (hd_validate(again, NULL) != HD_OK)
         complain(seed, "not valid once structured", tree, again);
      compare_runs(tree, again, seed);
      all_repeat += compare_trees(tree, again, &stats, seed);
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
