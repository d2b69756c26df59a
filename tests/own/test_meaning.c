/* SPDX-License-Identifier: MIT */
/* test_meaning.c - random programs in which own intrinsics do what the library's did: they do the
 * same before and after every pass and after lists of them, and as the programs that they come from.
 *
 * HEDDLE_SEEDS is how many programs there are, HEDDLE_FIRST_SEED which is the first.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/compare.h"
#include "heddle/heddle.h"

#include "gen/random_program.h"
#include "support/heard.h"
#include "support/options.h"
#include "twins.h"

#define NUM_SEEDS  400
#define MAX_PASSES 200
#define NUM_LISTS  4

static unsigned num_changed[MAX_PASSES];

static uint32_t
below(uint64_t *state, uint32_t limit)
{
   *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(*state >> 33) % limit;
}

/* A few numbers that the option may be, its default half of the time. */
static hd_pass_step
random_step(const hd_pass *pass, uint64_t *state)
{
   hd_pass_step step = hd_pass_step_default(pass);

   for (uint32_t n = 0; n < pass->num_options; n++) {
      const uint32_t range = pass->options[n].high - pass->options[n].low;
      if (below(state, 2) && !is_approximate(pass, &pass->options[n]))
         step.values[n] = pass->options[n].low + below(state, range < 16 ? range + 1 : 16);
   }
   return step;
}

static void
complain(uint64_t seed, const hd_pass_step *steps, uint32_t num, const hd_shader *shader,
         const char *what)
{
   hd_blob text = { 0 }, list = { 0 };

   for (uint32_t n = 0; n < num; n++) {
      hd_blob_append(&list, ",", n != 0);
      hd_pass_step_print(&steps[n], &list);
   }
   hd_print_shader(shader, NULL, &text);
   fprintf(stderr, "%s", text.data ? text.data : "");
   fail_msg("seed %llu, passes '%s': %s", (unsigned long long)seed, list.data ? list.data : "",
            what);
}

/* Whether something changed. */
static bool
try_steps(uint64_t seed, const hd_shader *shader, hd_diff_test *trial, const hd_pass_step *steps,
          uint32_t num, bool check)
{
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   const hd_config config = { .diag = sink, .intrinsics = twin_table() };
   const hd_run_options every = HD_RUN_CHECK_ALL;
   hd_shader *copy = NULL;
   bool progress = false;

   assert_int_equal(hd_shader_clone(shader, &config, &copy), HD_OK);
   hd_result result = hd_run_passes(copy, steps, num, check ? &every : NULL, &progress);
   if (result == HD_OK && progress)
      result = hd_validate(copy, NULL);
   if (result == HD_OK && progress)
      result = hd_diff_test_compare(trial, copy, &sink, NULL);
   hd_shader_destroy(copy);
   if (result != HD_OK && result != HD_UNSUPPORTED)
      complain(seed, steps, num, shader, heard.all);
   return progress;
}

static void
try_program(uint64_t seed, unsigned *num_twins, unsigned *num_alike)
{
   const program_options options = { .size = 6 + seed % 30, .compute = seed % 3 != 0 };
   const hd_config config = { .intrinsics = twin_table() };
   const hd_diff_test_options launches = { .seed = seed,
                                           .first_launch = (uint32_t)(seed % HD_DIFF_TEST_KINDS),
                                           .num_launches = 2 };
   hd_shader *shader = random_program(&config, seed, &options);
   hd_diff_test *trial = NULL;
   struct heard heard = { 0 };
   const hd_diag_sink sink = { &heard, hear };
   hd_pass_step steps[8];
   uint64_t state = seed;

   assert_int_equal(hd_diff_test_create(shader, &launches, &trial), HD_OK);
   *num_twins += make_twins(shader, seed, 1 + seed % 4);
   assert_int_equal(hd_validate(shader, NULL), HD_OK);
   if (hd_diff_test_compare(trial, shader, &sink, NULL) != HD_OK)
      complain(seed, NULL, 0, shader, heard.all);
   hd_diff_test_destroy(trial);

   assert_int_equal(hd_diff_test_create(shader, &launches, &trial), HD_OK);
   *num_alike += hd_diff_test_num_runs(trial, NULL);
   for (unsigned n = 0; n < hd_num_passes(); n++) {
      steps[0] = random_step(hd_pass_get(n), &state);
      num_changed[n] += try_steps(seed, shader, trial, steps, 1, (seed + n) % 8 == 0);
   }
   for (unsigned k = 0; k < NUM_LISTS; k++) {
      for (unsigned n = 0; n < 8; n++)
         steps[n] = random_step(hd_pass_get(below(&state, hd_num_passes())), &state);
      try_steps(seed, shader, trial, steps, 8, k == 0);
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
test_programs(void **state)
{
   (void)state;
   const uint64_t first = number_from("HEDDLE_FIRST_SEED", 1);
   const uint64_t num = number_from("HEDDLE_SEEDS", NUM_SEEDS);
   unsigned num_twins = 0, num_runs = 0;

   assert_true(hd_num_passes() <= MAX_PASSES);
   for (uint64_t n = 0; n < num; n++)
      try_program(first + n, &num_twins, &num_runs);
   printf("%u own intrinsics, %u runs\n", num_twins, num_runs);
   for (unsigned n = 0; n < hd_num_passes(); n++)
      printf("%-28s changed %u\n", hd_pass_get(n)->name, num_changed[n]);
   assert_true(num_twins > num);
   assert_true(num_runs > num);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_programs) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
