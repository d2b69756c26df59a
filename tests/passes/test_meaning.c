/* SPDX-License-Identifier: MIT */
/* test_meaning.c - random programs do the same before and after every pass, and after random lists
 * of passes.
 *
 * Each program is run once, in the interpreter; then each pass that changes a copy of it is held
 * against that. HEDDLE_SEEDS is how many programs there are, HEDDLE_FIRST_SEED which is the first;
 * HEDDLE_SEED one alone, HEDDLE_PASS one pass alone.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "heddle/compare.h"
#include "heddle/heddle.h"

#include "gen/random_program.h"

#define NUM_SEEDS  2000
#define MAX_PASSES 200
#define MAX_STEPS  10

/* What runs now, for who is told of a crash. */
static char running[2000];

static void
tell_crash(int number)
{
   static const char what[] = "crashed: ";

   signal(number, SIG_DFL);
   if (write(2, what, sizeof(what) - 1) < 0 || write(2, running, strlen(running)) < 0 ||
       write(2, "\n", 1) < 0)
      _exit(99);
   raise(number);
}

struct heard {
   char text[2000];
};

static void
hear(void *user, const hd_diag *diag)
{
   struct heard *h = user;
   const size_t used = strlen(h->text);

   snprintf(h->text + used, sizeof(h->text) - used, "%s%s%s%s\n", diag->message,
            diag->rule ? " [" : "", diag->rule ? diag->rule : "", diag->rule ? "]" : "");
}

static uint32_t
below(uint64_t *state, uint32_t limit)
{
   uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return (uint32_t)((z ^ z >> 31) >> 16) % limit;
}

/* A pass with options that are allowed: half of them their usual ones, small ones more often. */
static hd_pass_step
random_step(const hd_pass *pass, uint64_t *state)
{
   hd_pass_step step = hd_pass_step_default(pass);

   for (uint32_t n = 0; n < pass->num_options; n++) {
      const hd_pass_option *o = &pass->options[n];
      const uint64_t range = (uint64_t)o->high - o->low + 1;
      const uint32_t most = below(state, 2) && range > 16 ? 16
                            : range > 4096                ? 4096
                                                          : (uint32_t)range;
      if (below(state, 2))
         step.values[n] = o->low + below(state, most);
   }
   return step;
}

/* One program, and what has to be known of it. */
struct subject {
   uint64_t seed;
   hd_shader *shader;
   hd_trial *trial;
};

static struct {
   unsigned runs, changed, compared, refused;
} tally[MAX_PASSES + 1];

static uint64_t total_before, total_after;

static void
print_steps(const hd_pass_step *steps, uint32_t num, char *text, size_t size)
{
   hd_blob blob = { 0 };

   for (uint32_t n = 0; n < num; n++) {
      hd_blob_append(&blob, ",", n != 0);
      hd_pass_step_print(&steps[n], &blob);
   }
   snprintf(text, size, "%s", blob.data ? blob.data : "");
   hd_blob_finish(&blob);
}

static void
fail_on(const struct subject *s, const hd_pass_step *steps, uint32_t num, const char *what)
{
   hd_blob text = { 0 };
   char list[1000];

   print_steps(steps, num, list, sizeof(list));
   hd_print_shader(s->shader, NULL, &text);
   fprintf(stderr, "%s\n", text.data);
   hd_blob_finish(&text);
   fail_msg("seed %llu, --passes='%s': %s", (unsigned long long)s->seed, list, what);
}

/* Run passes on a copy. Does it still do the same? HD_INVALID: `heard` tells why not. */
static hd_result
run_and_compare(hd_shader *shader, hd_trial *trial, const hd_pass_step *steps, uint32_t num,
                bool check_all, struct heard *heard, bool *progress)
{
   const hd_diag_sink sink = { heard, hear };
   const hd_config config = { .diag = sink };
   const hd_run_options every = HD_RUN_CHECK_ALL;
   hd_run_options options = { 0 };
   hd_wave_stats after = { 0 };
   hd_shader *copy;

   if (check_all)
      options = every;
   assert_int_equal(hd_shader_clone(shader, &config, &copy), HD_OK);
   hd_result result = hd_run_passes(copy, steps, num, &options, progress);
   if (result == HD_OK && *progress)
      result = hd_validate(copy, NULL);
   if (result == HD_OK && *progress && trial) {
      result = hd_trial_compare(trial, copy, &sink, &after);
      total_before += hd_trial_stats(trial).lane_ops;
      total_after += after.lane_ops;
   }
   hd_shader_destroy(copy);
   return result;
}

static void
try_steps(const struct subject *s, const hd_pass_step *steps, uint32_t num, unsigned row)
{
   struct heard heard = { "" };
   bool progress = false;
   char list[1000];

   print_steps(steps, num, list, sizeof(list));
   snprintf(running, sizeof(running), "seed %llu, --passes='%s'", (unsigned long long)s->seed,
            list);
   const hd_result result = run_and_compare(s->shader, s->trial, steps, num,
                                            (s->seed + row) % 8 == 0, &heard, &progress);
   tally[row].runs++;
   tally[row].changed += progress;
   tally[row].compared += progress && hd_trial_num_runs(s->trial, NULL);
   tally[row].refused += result == HD_UNSUPPORTED;
   if (result == HD_INVALID)
      fail_on(s, steps, num, heard.text);
   if (result != HD_UNSUPPORTED)
      assert_int_equal(result, HD_OK);
}

static void
try_program(uint64_t seed)
{
   const program_options options = { .size = 6 + seed % 30, .compute = seed % 3 != 0 };
   const hd_trial_options launches = { .seed = seed,
                                       .first_launch = (uint32_t)(seed % HD_TRIAL_KINDS),
                                       .num_launches = 1 + seed % 2 };
   const char *only = getenv("HEDDLE_PASS");
   struct subject s = { .seed = seed, .shader = random_program(NULL, seed, &options) };
   hd_pass_step steps[MAX_STEPS];
   uint64_t state = seed;

   snprintf(running, sizeof(running), "seed %llu", (unsigned long long)seed);
   assert_non_null(s.shader);
   assert_int_equal(hd_trial_create(s.shader, &launches, &s.trial), HD_OK);
   assert_int_equal(hd_trial_num_runs(s.trial, NULL), launches.num_launches);
   for (unsigned n = 0; n < hd_num_passes(); n++) {
      const hd_pass *pass = hd_pass_get(n);
      steps[0] = random_step(pass, &state);
      if (!only || !strcmp(only, pass->name))
         try_steps(&s, steps, 1, n);
   }
   const uint32_t num = 4 + below(&state, MAX_STEPS - 3);
   for (uint32_t n = 0; n < num; n++)
      steps[n] = random_step(hd_pass_get(below(&state, hd_num_passes())), &state);
   if (!only)
      try_steps(&s, steps, num, hd_num_passes());
   hd_trial_destroy(s.trial);
   hd_shader_destroy(s.shader);
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
   assert_true(hd_num_passes() < MAX_PASSES);
   signal(SIGABRT, tell_crash);
   signal(SIGSEGV, tell_crash);
   for (uint64_t seed = first; seed < first + num; seed++)
      try_program(seed);
   for (unsigned n = 0; n <= hd_num_passes(); n++) {
      printf("%-28s %6u programs, %6u changed, %6u compared, %u refused\n",
             n < hd_num_passes() ? hd_pass_get(n)->name : "lists", tally[n].runs, tally[n].changed,
             tally[n].compared, tally[n].refused);
      if (!one && !getenv("HEDDLE_PASS") && num >= NUM_SEEDS) {
         assert_true(tally[n].runs >= NUM_SEEDS);
         /* What never changes a program was not tested. */
         assert_true(tally[n].compared >= 20);
      }
   }
   printf("lane operations: %llu before, %llu after\n", (unsigned long long)total_before,
          (unsigned long long)total_after);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_programs),
   };

   return cmocka_run_group_tests_name("passes/meaning", tests, NULL, NULL);
}
