/* SPDX-License-Identifier: MIT */
/* tested_programs.c - random programs, compiled for a machine and run in its simulator, leave in memory
 * what they leave in the interpreter.
 *
 * The options depend on the seed. HEDDLE_SEEDS is how many programs there are, HEDDLE_FIRST_SEED which
 * is the first; HEDDLE_SEED one alone. What fails is reduced; with HEDDLE_EXACT only as far as the same
 * word differs in the same way.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/compare.h"
#include "heddle/pass.h"
#include "heddle/reduce.h"
#include "heddle/text.h"

#include "gen/random_program.h"
#include "machine/tested.h"
#include "support/heard.h"

#define NUM_SEEDS 300
#define MAX_TRIES 1500
#define KIND      80

struct compiled {
   const hd_shader *shader;
   void *binary;
   uint64_t seed;
};

static hd_result
simulate(void *user, const hd_wave_launch *launch)
{
   const struct compiled *c = user;

   return tested.run(c->binary, c->shader, launch, c->seed % 2 ? c->seed : 0,
                     launch->max_steps * 1000, &launch->diag);
}

/* HD_UNSUPPORTED: it was refused. HD_INVALID: it is wrong, and `heard` says how. */
static hd_result
compile_and_compare(hd_shader *shader, hd_diff_test *trial, struct heard *heard, uint64_t variant,
                    uint64_t seed)
{
   const hd_diag_sink sink = { heard, hear };
   struct compiled c = { .shader = shader, .seed = seed };
   hd_result result = tested.compile(shader, variant, NULL, &sink, &c.binary);

   if (result == HD_OK)
      result = hd_diff_test_compare_run(trial, simulate, &c, &sink);
   tested.destroy(c.binary);
   return result;
}

struct failure {
   uint64_t seed;
   hd_diff_test_options launches;
   struct heard heard;
   char kind[KIND];
};

/* A difference, or how the message begins that is no difference. */
static void
name_kind(const char *text, char kind[KIND])
{
   const bool exact = getenv("HEDDLE_EXACT") != NULL;

   if (strstr(text, " before, ") && !exact)
      snprintf(kind, KIND, "difference");
   else
      snprintf(kind, KIND, "%.*s", exact ? KIND - 1 : 20, text);
}

static bool
still_fails(void *user, hd_shader *candidate)
{
   struct failure *f = user;
   struct heard heard = { 0 };
   hd_diff_test *trial;
   char kind[KIND];
   bool fails = false;

   assert_int_equal(hd_diff_test_create(candidate, &f->launches, &trial), HD_OK);
   if (hd_diff_test_num_runs(trial, NULL) == f->launches.num_launches &&
       hd_diff_test_compare(trial, candidate, NULL, NULL) == HD_OK)
      fails = compile_and_compare(candidate, trial, &heard, f->seed / 3, 0) == HD_INVALID;
   hd_diff_test_destroy(trial);
   name_kind(heard.all, kind);
   if (!fails || strcmp(kind, f->kind))
      return false;
   f->heard = heard;
   return true;
}

static void
fail_on(hd_shader *shader, struct failure *f)
{
   const hd_reduce_options options = { .user = f,
                                       .is_interesting = still_fails,
                                       .max_tries = MAX_TRIES };
   hd_shader *small = NULL;
   hd_blob text = { 0 };

   fprintf(stderr, "seed %llu: %s", (unsigned long long)f->seed, f->heard.all);
   name_kind(f->heard.all, f->kind);
   f->launches.schedule = 1;
   if (hd_reduce_shader(shader, &options, &small, NULL) != HD_OK)
      small = NULL;
   hd_print_shader(small ? small : shader, NULL, &text);
   fprintf(stderr, "%s:\n%s\n%s", small ? "reduced" : "cannot be reduced", text.data, f->heard.all);
   hd_blob_finish(&text);
   hd_shader_destroy(small);
   fail_msg("seed %llu", (unsigned long long)f->seed);
}

/* The interpreter's functions are exact, those of the machine are to within a bound: both run what the
 * pass makes of them, which has tests of its own.
 */
static void
lower_functions(hd_shader *shader)
{
   const hd_diag_sink none = { 0 };
   hd_pass_list list = { 0 };

   if (!tested.functions)
      return;
   assert_int_equal(hd_pass_list_parse(&list, tested.functions, none), HD_OK);
   assert_int_equal(hd_run_passes(shader, list.steps, list.num_steps, NULL, NULL), HD_OK);
   hd_pass_list_finish(&list);
}

static unsigned programs, refused;

static void
try_program(uint64_t seed)
{
   const program_options options = { .size = 6 + seed % 30,
                                     .compute = true,
                                     .no_lanes = tested.no_cross_lane,
                                     .whole_dwords = tested.whole_dwords,
                                     .no_images = true,
                                     .no_shared_floats = true };
   hd_shader *shader = random_program(NULL, seed, &options);
   struct failure f = { .seed = seed,
                        .launches = { .seed = seed,
                                      .first_launch = (uint32_t)(seed / 6 % HD_DIFF_TEST_KINDS),
                                      .num_launches = 1 } };
   hd_diff_test *trial;

   assert_non_null(shader);
   shader->subgroup_size = tested.lanes;
   lower_functions(shader);
   assert_int_equal(hd_diff_test_create(shader, &f.launches, &trial), HD_OK);
   if (hd_diff_test_num_runs(trial, NULL) == f.launches.num_launches) {
      const hd_result result = compile_and_compare(shader, trial, &f.heard, seed / 3, seed);
      programs++;
      refused += result == HD_UNSUPPORTED;
      if (result == HD_UNSUPPORTED && getenv("HEDDLE_VERBOSE"))
         fprintf(stderr, "seed %llu: %s", (unsigned long long)seed, f.heard.all);
      if (result == HD_INVALID || result == HD_BUDGET_EXCEEDED)
         fail_on(shader, &f);
      assert_true(result == HD_OK || result == HD_UNSUPPORTED);
   }
   hd_diff_test_destroy(trial);
   hd_shader_destroy(shader);
}

static uint64_t
number_from(const char *variable, uint64_t otherwise)
{
   const char *text = getenv(variable);

   return text ? strtoull(text, NULL, 0) : otherwise;
}

static void
test_programs(void **unused)
{
   const uint64_t one = number_from("HEDDLE_SEED", 0);
   const uint64_t first = one ? one : number_from("HEDDLE_FIRST_SEED", 1);
   const uint64_t num = one ? 1 : number_from("HEDDLE_SEEDS", NUM_SEEDS);

   (void)unused;
   for (uint64_t seed = first; seed < first + num; seed++)
      try_program(seed);
   printf("%u programs, %u refused\n", programs, refused);
   /* What is always refused is not tested. */
   if (num >= NUM_SEEDS)
      assert_true(programs - refused >= num / 6);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_programs) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
