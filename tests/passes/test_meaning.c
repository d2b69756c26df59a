/* SPDX-License-Identifier: MIT */
/* test_meaning.c - random programs do the same before and after every pass, and after random lists
 * of passes.
 *
 * Each program is run once, in the interpreter; then each pass that changes a copy of it is held
 * against that. HEDDLE_SEEDS is how many programs there are, HEDDLE_FIRST_SEED which is the first;
 * HEDDLE_SEED one alone, HEDDLE_PASS one pass alone.
 */
#include "support/test.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/compare.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/reduce.h"
#include "heddle/text.h"

#include "gen/random_program.h"
#include "support/heard.h"
#include "support/options.h"

#define NUM_SEEDS  2000
#define MAX_PASSES 200
#define MAX_STEPS  10

/* What runs now, for who is told of a crash. */
static char running[2000];

/* What sanitizers call before they end the program. */
void __sanitizer_set_death_callback(void (*callback)(void)) __attribute__((weak));

static void
tell_running(void)
{
   static const char what[] = "crashed: ";

   if (write(2, what, sizeof(what) - 1) < 0 || write(2, running, strlen(running)) < 0 ||
       write(2, "\n", 1) < 0)
      _exit(99);
}

static void
tell_crash(int number)
{
   signal(number, SIG_DFL);
   tell_running();
   raise(number);
}

static uint32_t
below(uint64_t *state, uint32_t limit)
{
   uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return (uint32_t)((z ^ z >> 31) >> 16) % limit;
}

/* A pass with options that are allowed: half of them the defaults, small ones more often. */
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
      if (below(state, 2) && !is_approximate(pass, o))
         step.values[n] = o->low + below(state, most);
   }
   return step;
}

/* The same whatever other passes there are. */
static hd_pass_step
random_step_of(const hd_pass *pass, uint64_t seed)
{
   uint64_t state = seed;

   for (const char *c = pass->name; *c; c++)
      state = state * 31 + (unsigned char)*c;
   return random_step(pass, &state);
}

/* One program, and what has to be known of it. */
struct subject {
   uint64_t seed;
   hd_shader *shader;
   hd_diff_test_options launches;
   hd_diff_test *trial;
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

/* Run passes on a copy. Does it still do the same? HD_INVALID: `heard` tells why not. */
static hd_result
run_and_compare(hd_shader *shader, hd_diff_test *trial, const hd_pass_step *steps, uint32_t num,
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
      result = hd_diff_test_compare(trial, copy, &sink, &after);
      total_before += hd_diff_test_stats(trial).lane_ops;
      total_after += after.lane_ops;
   }
   hd_shader_destroy(copy);
   return result;
}

/* What is wrong, and what is reduced while it still is. */
struct failure {
   const hd_pass_step *steps;
   uint32_t num;
   hd_diff_test_options launches;
   struct heard heard;
   char kind[40]; /* other faults than this one do not count, unless it is empty */
};

/* What sort of fault it is: the rule that is broken, a difference, or the first words. */
static void
name_kind(const char *text, char kind[40])
{
   const char *end = strchr(text, '\n'), *rule = end;

   kind[0] = 0;
   if (!end)
      return;
   while (rule > text && *rule != '[')
      rule--;
   const bool is_rule = *rule == '[' && end[-1] == ']';
   if (strstr(text, " before, ") && !is_rule)
      snprintf(kind, 40, "difference");
   else
      snprintf(kind, 40, "%.20s", is_rule ? rule : text);
}

static bool
still_fails(void *user, hd_shader *candidate)
{
   struct failure *f = user;
   struct heard heard = { 0 };
   bool progress, fails = false;
   hd_diff_test *trial;

   assert_int_equal(hd_diff_test_create(candidate, &f->launches, &trial), HD_OK);
   /* What does not run, or has a race, shows nothing. */
   if (hd_diff_test_num_runs(trial, NULL) == f->launches.num_launches &&
       hd_diff_test_compare(trial, candidate, NULL, NULL) == HD_OK)
      fails = run_and_compare(candidate, trial, f->steps, f->num, false, &heard, &progress) ==
              HD_INVALID;
   hd_diff_test_destroy(trial);
   if (!fails)
      return false;
   char kind[40];
   name_kind(heard.all, kind);
   if (f->kind[0] && strcmp(f->kind, kind))
      return false;
   f->heard = heard;
   return true;
}

/* The smallest program on which the passes fail; NULL where they don't on this one. */
static hd_shader *
reduce_failure(hd_shader *shader, struct failure *f)
{
   const hd_reduce_options options = { .user = f,
                                       .is_interesting = still_fails,
                                       .max_tries = 3000 };
   hd_shader *small = NULL;

   return hd_reduce_shader(shader, &options, &small, NULL) == HD_OK ? small : NULL;
}

/* Leave out the steps without which it fails all the same. */
static void
drop_steps(hd_shader *shader, struct failure *f, hd_pass_step *steps)
{
   for (uint32_t n = f->num; n-- > 0 && f->num > 1;) {
      const hd_pass_step step = steps[n];
      memmove(&steps[n], &steps[n + 1], (f->num - n - 1) * sizeof(step));
      f->num--;
      if (!still_fails(f, shader)) {
         memmove(&steps[n + 1], &steps[n], (f->num - n) * sizeof(step));
         steps[n] = step;
         f->num++;
      }
   }
}

static void
fail_on(const struct subject *s, hd_pass_step *steps, uint32_t num, const char *what)
{
   struct failure f = { .steps = steps, .num = num, .launches = s->launches };
   hd_blob text = { 0 };
   char list[1000];

   print_steps(steps, num, list, sizeof(list));
   fprintf(stderr, "seed %llu, --passes='%s': %s\n", (unsigned long long)s->seed, list, what);
   /* A scheduler that takes turns finds races of what the reduction makes. */
   f.launches.schedule = 1;
   name_kind(what, f.kind);
   drop_steps(s->shader, &f, steps);
   print_steps(steps, f.num, list, sizeof(list));
   hd_shader *small = reduce_failure(s->shader, &f);
   hd_print_shader(small ? small : s->shader, NULL, &text);
   fprintf(stderr, "%s:\n%s\n%s", small ? "reduced" : "cannot be reduced", text.data, f.heard.all);
   hd_blob_finish(&text);
   hd_shader_destroy(small);
   hd_diff_test_destroy(s->trial);
   hd_shader_destroy(s->shader);
   fail_msg("seed %llu, --passes='%s'", (unsigned long long)s->seed, list);
}

static void
try_steps(const struct subject *s, hd_pass_step *steps, uint32_t num, unsigned row)
{
   struct heard heard = { 0 };
   bool progress = false;
   char list[1000];

   print_steps(steps, num, list, sizeof(list));
   snprintf(running, sizeof(running), "seed %llu, --passes='%s'", (unsigned long long)s->seed,
            list);
   const hd_result result = run_and_compare(s->shader, s->trial, steps, num,
                                            (s->seed + row) % 8 == 0, &heard, &progress);
   tally[row].runs++;
   tally[row].changed += progress;
   tally[row].compared += progress && hd_diff_test_num_runs(s->trial, NULL);
   tally[row].refused += result == HD_UNSUPPORTED;
   if (result == HD_INVALID)
      fail_on(s, steps, num, heard.all);
   if (result != HD_UNSUPPORTED)
      assert_int_equal(result, HD_OK);
}

static bool
is_of_stages(const hd_pass *pass)
{
   return !strcmp(pass->name, "lower_helpers") || !strcmp(pass->name, "lower_outputs") ||
          !strcmp(pass->name, "opt_move_discards");
}

/* Tested by backend/gcn/stages, against a triangle; by matrix_chain_runs.hd: random programs have no matrices. */
static bool
is_tested_elsewhere(unsigned pass)
{
   return pass < hd_num_passes() && (!strcmp(hd_pass_get(pass)->name, "lower_barycentrics") ||
                                     !strcmp(hd_pass_get(pass)->name, "opt_matrix_chain"));
}

/* `stages`: a program without calls, for what changes few others. */
static void
try_program(uint64_t seed, bool stages)
{
   const program_options options = { .size = stages ? 60 : 6 + seed % 30,
                                     .compute = !stages && seed % 3 != 0,
                                     .fragment = stages && seed % 2,
                                     .constant_locations = stages,
                                     .one_function = stages };
   const char *only = getenv("HEDDLE_PASS");
   struct subject s = {
      .seed = seed,
      .shader = random_program(NULL, seed, &options),
      .launches = { .seed = seed,
                    .first_launch = (uint32_t)(seed % HD_DIFF_TEST_KINDS),
                    .num_launches = 1 + seed % 2 },
   };
   hd_pass_step steps[MAX_STEPS];
   uint64_t state = seed;

   snprintf(running, sizeof(running), "seed %llu", (unsigned long long)seed);
   assert_non_null(s.shader);
   assert_int_equal(hd_diff_test_create(s.shader, &s.launches, &s.trial), HD_OK);
   const char *why = "";
   if (hd_diff_test_num_runs(s.trial, &why) != s.launches.num_launches)
      fail_msg("seed %llu: the program cannot be run: %s", (unsigned long long)seed, why);
   for (unsigned n = 0; n < hd_num_passes(); n++) {
      const hd_pass *pass = hd_pass_get(n);
      steps[0] = random_step_of(pass, seed);
      if ((!only || !strcmp(only, pass->name)) && (!stages || is_of_stages(pass)))
         try_steps(&s, steps, 1, n);
   }
   const uint32_t num = 4 + below(&state, MAX_STEPS - 3);
   for (uint32_t n = 0; n < num; n++)
      steps[n] = random_step(hd_pass_get(below(&state, hd_num_passes())), &state);
   if (!only && !stages)
      try_steps(&s, steps, num, hd_num_passes());
   hd_diff_test_destroy(s.trial);
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
   if (__sanitizer_set_death_callback)
      __sanitizer_set_death_callback(tell_running);
   for (uint64_t n = 0; n < num; n++)
      try_program(first + n, false);
   for (uint64_t n = 0; n < num; n++)
      try_program(first + n, true);
   for (unsigned n = 0; n <= hd_num_passes(); n++) {
      printf("%-28s %6u programs, %6u changed, %6u compared, %u refused\n",
             n < hd_num_passes() ? hd_pass_get(n)->name : "lists", tally[n].runs, tally[n].changed,
             tally[n].compared, tally[n].refused);
      if (!one && !getenv("HEDDLE_PASS") && num >= NUM_SEEDS) {
         assert_true(tally[n].runs >= NUM_SEEDS);
         /* What never changes a program was not tested. Random launches give no barycentric coordinates elsewhere. */
         assert_true(tally[n].compared >= 20 || is_tested_elsewhere(n));
      }
   }
   printf("lane operations: %llu before, %llu after\n", (unsigned long long)total_before,
          (unsigned long long)total_after);
}

/* Wrong passes: each is found, and what it fails on is made small. */

static bool
swap_operands(hd_function *f, const hd_pass_step *step)
{
   bool progress = false;

   (void)step;
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (i->kind != HD_INSTR_ALU || i->op != HD_OP_ISUB)
            continue;
         hd_def *x = hd_instr_src(i, 0)->def, *y = hd_instr_src(i, 1)->def;
         hd_src_set_def(hd_instr_src(i, 0), y);
         hd_src_set_def(hd_instr_src(i, 1), x);
         progress = true;
      }
   }
   return hd_progress(f, progress, HD_META_GRAPH);
}

/* What reads other lanes leaves the arm of an if: more lanes get there. */
static bool
hoist_cross_lane(hd_function *f, const hd_pass_step *step)
{
   bool progress = false;

   (void)step;
   hd_foreach_node(n, f) {
      hd_if *nif = hd_node_as_if(n);
      hd_block *arm = nif ? hd_list_first_block(&nif->then_list) : NULL;
      for (hd_instr *i = arm ? arm->first : NULL, *next; i; i = next) {
         next = i->next;
         bool known =
             i->kind == HD_INSTR_INTRINSIC && hd_instr_intrinsic_info(i)->flags & HD_CROSS_LANE;
         hd_foreach_src(src, i)
            known &= hd_def_instr(src->def)->block != arm;
         if (!known || !hd_instr_def(i))
            continue;
         hd_instr_move(hd_before_node(n), i);
         progress = true;
      }
   }
   return hd_progress(f, progress, HD_META_GRAPH);
}

static bool
drop_barriers(hd_function *f, const hd_pass_step *step)
{
   bool progress = false;

   (void)step;
   hd_foreach_block(b, f) {
      hd_foreach_instr_safe(i, b) {
         if (i->kind != HD_INSTR_INTRINSIC || i->op != HD_INTRINSIC_BARRIER)
            continue;
         hd_instr_remove(i);
         progress = true;
      }
   }
   return hd_progress(f, progress, HD_META_GRAPH);
}

/* Arithmetic that may not be rounded in another way. */
static bool
contract(hd_function *f, const hd_pass_step *step)
{
   bool progress = false;

   (void)step;
   hd_foreach_block(b, f) {
      hd_foreach_instr_safe(i, b) {
         if (i->kind != HD_INSTR_ALU || i->op != HD_OP_FADD)
            continue;
         const hd_alu *mul = hd_instr_as_alu(hd_def_instr(hd_instr_src(i, 0)->def));
         if (!mul || mul->instr.op != HD_OP_FMUL)
            continue;
         hd_alu *fma =
             hd_alu_create(f->shader, HD_OP_FFMA, 3, i->def.num_components, i->def.bit_size);
         hd_instr_set_src(&fma->instr, 0, mul->src[0].def);
         hd_instr_set_src(&fma->instr, 1, mul->src[1].def);
         hd_instr_set_src(&fma->instr, 2, hd_instr_src(i, 1)->def);
         hd_instr_insert(hd_before_instr(i), &fma->instr);
         hd_def_replace_uses(&i->def, &fma->instr.def);
         hd_instr_remove(i);
         progress = true;
      }
   }
   return hd_progress(f, progress, HD_META_GRAPH);
}

static void
expect_found(const char *name, bool (*run)(hd_function *f, const hd_pass_step *step), unsigned most)
{
   const hd_pass pass = {
      .name = name, .meaning = "go wrong", .forms = HD_PASS_TREE | HD_PASS_FLAT, .run = run
   };
   const hd_pass_step step = hd_pass_step_default(&pass);

   for (uint64_t seed = 1; seed <= 1500; seed++) {
      const program_options options = { .size = 6 + seed % 30, .compute = true };
      struct failure f = {
         .steps = &step,
         .num = 1,
         .launches = { .seed = seed, .first_launch = seed % 2, .num_launches = 1 },
      };
      hd_shader *shader = random_program(NULL, seed, &options), *small = NULL;
      assert_non_null(shader);
      if (still_fails(&f, shader))
         small = reduce_failure(shader, &f);
      hd_shader_destroy(shader);
      if (!small)
         continue;
      hd_blob text = { 0 };
      unsigned num = 0;
      hd_foreach_function(function, small) {
         hd_foreach_block(b, function) {
            hd_foreach_instr(i, b)
               num++;
         }
      }
      assert_int_equal(hd_print_shader(small, NULL, &text), HD_OK);
      hd_shader_destroy(small);
      printf("%s: found with seed %llu, %u instructions\n%s%s", name, (unsigned long long)seed, num,
             text.data, f.heard.all);
      hd_blob_finish(&text);
      assert_true(num <= most);
      return;
   }
   fail_msg("%s was not found", name);
}

static void
test_wrong_passes(void **unused)
{
   (void)unused;
   expect_found("wrong_isub", swap_operands, 12);
   expect_found("wrong_hoist", hoist_cross_lane, 14);
   expect_found("wrong_barrier", drop_barriers, 14);
   expect_found("wrong_fma", contract, 16);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_wrong_passes),
      cmocka_unit_test(test_programs),
   };

   return cmocka_run_group_tests_name("passes/meaning", tests, NULL, NULL);
}
