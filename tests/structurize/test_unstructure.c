/* SPDX-License-Identifier: MIT */
/* test_unstructure.c - a tree and its flat form do the same, swept and in a line: 20,000 random
 * trees on full waves, single lanes and random subsets (HEDDLE_TREES=N: another number). Each
 * failing allocation and a spent budget leave the tree as it was; what is made is valid and read
 * again.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/random_shader.h"
#include "gen/random_tree.h"
#include "runs.h"
#include "support/forms.h"
#include "support/memory.h"
#include "uniform.h"

#ifdef __SANITIZE_ADDRESS__
#define NUM_TREES 2000
#else
#define NUM_TREES 20000
#endif

static struct runs before, after;

static void
assert_valid(hd_shader *shader, const char *when, uint64_t seed)
{
   const hd_validate_options options = { .metadata = true };

   if (hd_validate(shader, &options) != HD_OK)
      fail_msg("not valid %s, seed %llu:\n%s", when, (unsigned long long)seed, runs_text(shader));
}

/* The same sets of lanes on the tree, on the flat form, and on that in a line. */
static void
compare(hd_shader *tree, hd_shader *flat, uint64_t seed, unsigned num_sets)
{
   struct lane_words lanes;
   uint64_t random = seed;
   hd_linear *linear = NULL;

   runs_lanes(&lanes, 0, &random);
   assert_int_equal(hd_linearize(flat->first_function, &linear, NULL, NULL), HD_OK);
   for (unsigned set = 0; set < num_sets; set++) {
      const hd_wave_mask some = runs_subset(set ? 1 + (set + (unsigned)seed) % 3 : 0, &random);
      const hd_wave_launch sweep = { .active = &some };
      const hd_wave_launch line = { .active = &some, .mode = HD_WAVE_LINEAR, .linear = linear };
      runs_observe(tree, sweep, &lanes, true, &before);
      if (before.result != HD_OK && before.result != HD_BUDGET_EXCEEDED)
         fail_msg("seed %llu: %s", (unsigned long long)seed, before.message);
      for (unsigned n = 0; n < 2; n++) {
         runs_observe(flat, n ? line : sweep, &lanes, true, &after);
         const char *difference = runs_differ(&before, &after);
         if (difference)
            fail_msg("seed %llu, set %u, %s: %s %s in\n%s\nand\n%s", (unsigned long long)seed, set,
                     n ? "in a line" : "sweep", difference, after.message, runs_text(tree),
                     runs_text(flat));
      }
   }
   hd_linear_destroy(flat->first_function->shader, linear);
}

/* The flat text is read as the same. */
static void
read_again(hd_shader *flat)
{
   hd_blob text = text_of(flat);
   hd_shader *again = NULL;

   assert_int_equal(hd_parse(NULL, "test", text.data, text.size, &again), HD_OK);
   hd_blob text_again = text_of(again);
   assert_same(&text, &text_again);
   hd_blob_finish(&text);
   hd_blob_finish(&text_again);
   hd_shader_destroy(again);
}

static void
random_trees(void **unused)
{
   const char *count = getenv("HEDDLE_TREES");
   const unsigned num = count ? (unsigned)strtoul(count, NULL, 10) : NUM_TREES;
   unsigned num_cycles = 0, num_continues = 0, num_dropped = 0, num_uniform = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= num; seed++) {
      const random_tree_options options = { .few_values = seed % 4 == 0, .uniform = seed % 7 < 3 };
      hd_shader *tree = random_tree_shader(NULL, seed, &options), *flat;
      assert_non_null(tree);
      assert_int_equal(hd_shader_clone(tree, NULL, &flat), HD_OK);
      hd_function *f = flat->first_function;
      assert_int_equal(hd_unstructure(f), HD_OK);
      assert_false(f->structured);
      assert_valid(flat, "as a flat function", seed);
      hd_require(f, HD_META_BLOCK_ORDER | HD_META_CYCLES);
      hd_require(tree->first_function, HD_META_BLOCK_ORDER | HD_META_CYCLES);
      assert_int_equal(hd_function_num_cycles(f), hd_function_num_cycles(tree->first_function));
      num_cycles += hd_function_num_cycles(f);
      uint32_t num_blocks = 0;
      hd_foreach_block(b, f) {
         assert_true(hd_block_is_reachable(b));
         num_continues += b->continues != NULL;
         num_blocks++;
      }
      struct uniform uniform = uniform_of(tree->first_function);
      const char *lost = uniform_lost(&uniform, f);
      if (lost)
         fail_msg("seed %llu: %s was uniform", (unsigned long long)seed, lost);
      for (uint32_t n = 0; n < uniform.num_blocks; n++)
         num_uniform += uniform.block[n];
      uniform_free(&uniform);
      hd_foreach_block(b, tree->first_function)
         num_dropped += !hd_block_is_reachable(b);
      assert_int_equal(num_blocks, hd_function_num_reachable(tree->first_function));
      compare(tree, flat, seed, 2);
      if (seed % 16 == 0)
         read_again(flat);
      hd_shader_destroy(flat);
      hd_shader_destroy(tree);
   }
   printf("%u trees, %u loops with %u continue blocks, %u blocks dropped, %u uniform branches\n",
          num, num_cycles, num_continues, num_dropped, num_uniform);
   assert_int_equal(num_cycles, num_continues);
   assert_true(num_cycles > num / 2 && num_dropped > num / 10 && num_uniform > num / 4);
}

static unsigned
num_of(const struct uniform *u)
{
   unsigned num = 0;

   for (uint32_t n = 0; n < u->num_defs; n++)
      num += u->def[n];
   return num;
}

/* Everything that IR can hold, with several functions and calls between them. What was uniform
 * stays so.
 */
static void
random_shaders(void **unused)
{
   unsigned num_uniform = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 300; seed++) {
      hd_shader *shader = random_shader(NULL, seed, NULL);
      assert_non_null(shader);
      uint32_t num = shader->num_functions;
      hd_foreach_function(f, shader) {
         struct uniform uniform = uniform_of(f);
         if (seed % 2)
            hd_require(f, HD_META_ALL);
         assert_int_equal(hd_unstructure(f), HD_OK);
         assert_false(f->structured);
         num_uniform += num_of(&uniform);
         const char *lost = uniform_lost(&uniform, f);
         if (lost)
            fail_msg("seed %llu: %s of @%s was uniform in\n%s", (unsigned long long)seed, lost,
                     f->name, runs_text(shader));
         uniform_free(&uniform);
      }
      assert_int_equal(shader->num_functions, num);
      assert_valid(shader, "after all", seed);
      assert_sound(shader);
      hd_shader_destroy(shader);
   }
   printf("%u uniform values\n", num_uniform);
   assert_true(num_uniform > 1000);
}

/* Fails at the n-th allocation, for every n, and has changed nothing; then works. */
static void
each_failing_allocation(void **unused)
{
   unsigned failures = 0;

   (void)unused;
   for (uint64_t seed = 1; seed <= 20; seed++) {
      struct limited limited = { .left = SIZE_MAX };
      const hd_config config = limited_config(&limited);
      const random_tree_options options = { .nodes = 20 };
      hd_shader *shader = random_tree_shader(&config, seed, &options);
      assert_non_null(shader);
      hd_function *f = shader->first_function;
      hd_blob text = text_of(shader), bytes = bytes_of(shader);
      hd_result result = HD_OUT_OF_MEMORY;
      for (size_t n = 0; result != HD_OK; n++) {
         limited.left = n;
         result = hd_unstructure(f);
         limited.left = SIZE_MAX;
         assert_ptr_equal(shader->first_function, f);
         assert_int_equal(shader->num_functions, 1);
         if (result == HD_OK)
            break;
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_true(f->structured);
         hd_blob now = text_of(shader), now_bytes = bytes_of(shader);
         assert_same(&text, &now);
         assert_same(&bytes, &now_bytes);
         hd_blob_finish(&now);
         hd_blob_finish(&now_bytes);
         failures++;
      }
      assert_valid(shader, "at last", seed);
      hd_blob_finish(&text);
      hd_blob_finish(&bytes);
      hd_shader_destroy(shader);
      assert_int_equal(limited.held, 0);
   }
   printf("%u failures\n", failures);
   assert_true(failures >= 40);
}

static void
out_of_steps(void **unused)
{
   hd_shader *shader = random_tree_shader(NULL, 3, &(random_tree_options){ .nodes = 300 });
   hd_config *config = (hd_config *)hd_shader_config(shader);
   hd_function *f = shader->first_function;
   hd_blob bytes = bytes_of(shader);

   (void)unused;
   config->budget.steps = 100;
   assert_int_equal(hd_unstructure(f), HD_BUDGET_EXCEEDED);
   config->budget.steps = 0;
   assert_true(f->structured);
   hd_blob now = bytes_of(shader);
   assert_same(&bytes, &now);
   assert_int_equal(hd_unstructure(f), HD_OK);
   assert_valid(shader, "after more steps", 3);
   hd_blob_finish(&bytes);
   hd_blob_finish(&now);
   hd_shader_destroy(shader);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_trees),
      cmocka_unit_test(random_shaders),
      cmocka_unit_test(each_failing_allocation),
      cmocka_unit_test(out_of_steps),
   };

   return cmocka_run_group_tests_name("structurize/unstructure", tests, NULL, NULL);
}
