/* SPDX-License-Identifier: MIT */
/* test_cf.c - the passes on control flow, on random trees whose blocks log who runs them: for each
 * logging block the sets of lanes come in the same sequence before and after, and memory is the
 * same. HEDDLE_TREES=N: another number of trees; HEDDLE_SEED=N: that one first.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/random_tree.h"
#include "structurize/runs.h"

#ifdef __SANITIZE_ADDRESS__
#define NUM_TREES 150
#else
#define NUM_TREES 600
#endif

/* Lists of passes, each run on every tree, and on its flat form where they take that. */
static const struct {
   const char *passes;
   bool flat;       /* flat functions, too */
   bool idempotent; /* a second run does nothing */
} cases[] = {
   { "opt_dead_cf", true, true },
   { "opt_if", false, false },
   { "opt_if,opt_dead_cf", false, false },
   { "opt_if_convert", false, true },
   { "opt_if_convert(uniform_cost=40,divergent_cost=40)", false, true },
   { "opt_unroll,opt_dead_cf,opt_jump", false, false },
   { "opt_jump", false, false },
   { "opt_jump(nest=2)", false, false },
   { "opt_dead_cf,opt_jump,opt_dead_cf", false, false },
};

static struct runs before, after;

static uint32_t
below(uint64_t *random, uint32_t n)
{
   *random = *random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)((*random >> 33) % n);
}

/* Some conditions become constants, and some those of other ifs. */
static void
repeat_conditions(hd_function *f, uint64_t seed)
{
   hd_def *constants[2], *seen[16];
   unsigned num_seen = 0;
   uint64_t random = seed * 977 + 5;

   if (below(&random, 4) == 0)
      return;
   for (unsigned n = 0; n < 2; n++) {
      hd_const_value value = { .b = n };
      hd_const *c = hd_const_create(f->shader, 1, 1, &value);
      hd_instr_insert(hd_after_phis(hd_function_start(f)), &c->instr);
      constants[n] = &c->instr.def;
   }
   assert_int_equal(hd_require(f, HD_META_DOMINANCE), HD_OK);
   hd_foreach_node(n, f) {
      hd_if *nif = hd_node_as_if(n);
      if (!nif)
         continue;
      hd_def *cond = nif->cond.def;
      uint32_t choice = below(&random, 8);
      if (choice < 1) {
         hd_src_set_def(&nif->cond, constants[below(&random, 2)]);
      } else if (choice < 5 && num_seen) {
         hd_def *other = seen[below(&random, num_seen)];
         if (hd_def_dominates_src(other, &nif->cond))
            hd_src_set_def(&nif->cond, other);
      }
      seen[num_seen < 16 ? num_seen++ : below(&random, 16)] = cond;
   }
}

/* Messages of the test library are cut. */
static void
show(const hd_shader *shader)
{
   char *text = runs_text(shader);

   fputs(text, stderr);
   free(text);
}

static void
run(hd_shader *shader, const char *passes, uint64_t seed, bool *progress)
{
   hd_run_options options = { .validate = true, .verify_meta = true, .verify_progress = true };
   hd_pass_list list = { 0 };

   options.diag = hd_diag_to_file(stderr);
   assert_int_equal(hd_pass_list_parse(&list, passes, options.diag), HD_OK);
   hd_result result = hd_run_passes(shader, list.steps, list.num_steps, &options, progress);
   hd_pass_list_finish(&list);
   if (result != HD_OK)
      fail_msg("seed %llu, %s: %s in\n%s", (unsigned long long)seed, passes, hd_result_name(result),
               runs_text(shader));
}

static void
compare(hd_shader *tree, hd_shader *changed, const char *passes, uint64_t seed)
{
   struct lane_words lanes;
   uint64_t random = seed;

   runs_lanes(&lanes, 0, &random);
   for (unsigned set = 0; set < 3; set++) {
      const hd_wave_mask some = runs_subset(set, &random);
      const hd_wave_launch launch = { .active = &some };
      runs_observe(tree, launch, &lanes, false, &before);
      runs_observe(changed, launch, &lanes, false, &after);
      const char *difference = runs_differ(&before, &after);
      if (!difference)
         continue;
      show(tree);
      show(changed);
      fail_msg("seed %llu, %s, set %u: %s %s", (unsigned long long)seed, passes, set, difference,
               after.message);
   }
}

static unsigned
try_case(hd_shader *tree, unsigned n, bool flat, uint64_t seed)
{
   bool progress = false, again = false;
   hd_shader *changed;

   assert_int_equal(hd_shader_clone(tree, NULL, &changed), HD_OK);
   if (flat)
      assert_int_equal(hd_unstructure(changed->first_function), HD_OK);
   run(changed, cases[n].passes, seed, &progress);
   char *once = runs_text(changed);
   if (cases[n].idempotent)
      run(changed, cases[n].passes, seed, &again);
   if (again) {
      show(tree);
      fprintf(stderr, "once:\n%s", once);
      show(changed);
      fail_msg("seed %llu, %s: the second run did something", (unsigned long long)seed,
               cases[n].passes);
   }
   free(once);
   if (progress)
      compare(tree, changed, cases[n].passes, seed);
   hd_shader_destroy(changed);
   return progress;
}

static void
random_trees(void **unused)
{
   const char *count = getenv("HEDDLE_TREES"), *first = getenv("HEDDLE_SEED");
   const unsigned num = count ? (unsigned)strtoul(count, NULL, 10) : NUM_TREES;
   const uint64_t start = first ? strtoull(first, NULL, 10) : 1;
   unsigned num_progress[sizeof(cases) / sizeof(cases[0])] = { 0 };

   (void)unused;
   for (uint64_t seed = start; seed < start + num; seed++) {
      const random_tree_options options = { .nodes = 4 + seed % 20,
                                            .log_all = seed % 3 == 0,
                                            .few_values = seed % 4 == 0,
                                            .uniform = seed % 7 < 3 };
      hd_shader *tree = random_tree_shader(NULL, seed, &options);
      assert_non_null(tree);
      repeat_conditions(tree->first_function, seed);
      for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
         num_progress[n] += try_case(tree, n, false, seed);
         if (cases[n].flat)
            num_progress[n] += try_case(tree, n, true, seed);
      }
      hd_shader_destroy(tree);
   }
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      printf("%s: progress on %u of %u trees\n", cases[n].passes, num_progress[n], num);
      assert_true(num_progress[n] > num / 20);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(random_trees) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
