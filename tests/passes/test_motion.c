/* SPDX-License-Identifier: MIT */
/* test_motion.c - random programs before and after the passes that move and merge, judged by
 * hd_check_motion, which shares no decision with them: it asks hd_may_move of each instruction, on
 * the graph before, with nothing kept from one to the next.
 *
 * All values and blocks get names, by which they are found again. Besides, what was uniform is not
 * called divergent after merging, and a pass does all that it can do in one go. HEDDLE_SEEDS is how
 * many programs there are, HEDDLE_FIRST_SEED which is the first.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/clone.h"
#include "heddle/motion.h"
#include "heddle/pass.h"
#include "heddle/text.h"

#include "../ir/samples.h"
#include "gen/random_program.h"

#define NUM_SEEDS 1300

static void
name_everything(hd_shader *shader)
{
   char name[32];

   hd_foreach_function(f, shader) {
      unsigned num_blocks = 0, num_values = 0;
      hd_foreach_block(b, f) {
         snprintf(name, sizeof(name), "block.%u", num_blocks++);
         assert_true(hd_block_set_name(f, b, name));
         hd_foreach_instr(i, b) {
            if (!hd_instr_def(i))
               continue;
            snprintf(name, sizeof(name), "value.%u", num_values++);
            assert_true(hd_def_set_name(f, &i->def, name));
         }
      }
   }
}

struct story {
   uint64_t seed;
   const char *pass;
   hd_shader *before, *after;
};

static void
print(const char *what, const hd_shader *shader)
{
   hd_blob text = { 0 };

   hd_print_shader(shader, NULL, &text);
   fprintf(stderr, "%s:\n%s\n", what, text.data);
   hd_blob_finish(&text);
}

static void
complain(void *user, const hd_motion_fault *fault)
{
   const struct story *s = user;
   const hd_function *f = hd_block_function(fault->was->block);

   print("before", s->before);
   print("after", s->after);
   fail_msg("seed %llu, %s: @%s: %%%s of %s %s %%%s in %s: %s", (unsigned long long)s->seed,
            s->pass, f->name, hd_def_name(f, &fault->was->def), hd_block_name(f, fault->was->block),
            fault->merged ? "gave way to" : "is",
            hd_def_name(hd_block_function(fault->is->block), &fault->is->def),
            hd_block_name(f, fault->place), hd_motion_name(fault->reason.why));
}

/* Values that are left are as uniform as they were, where they stand and are read. */
static void
expect_as_uniform(const struct story *s)
{
   hd_foreach_function(f, s->before) {
      hd_function *g = hd_shader_find_function(s->after, f->name);
      bool *uniform = calloc(f->num_defs + 1u, sizeof(*uniform));

      assert_int_equal(hd_require(f, HD_META_DIVERGENCE), HD_OK);
      assert_int_equal(hd_require(g, HD_META_DIVERGENCE), HD_OK);
      /* The names count the values. */
      unsigned num = 0;
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (hd_instr_def(i))
               uniform[num++] = hd_def_is_uniform(&i->def);
         }
      }
      hd_foreach_block(b, g) {
         hd_foreach_instr(i, b) {
            unsigned n = 0;
            const char *name = hd_instr_def(i) ? hd_def_name(g, &i->def) : NULL;
            if (!name || sscanf(name, "value.%u", &n) != 1)
               continue;
            if (uniform[n] && !hd_def_is_uniform(&i->def)) {
               print("before", s->before);
               print("after", s->after);
               fail_msg("seed %llu, %s: @%s: %%%s was uniform", (unsigned long long)s->seed,
                        s->pass, g->name, name);
            }
         }
      }
      free(uniform);
   }
}

static hd_motion_count total;

static void
try_pass(struct story *s)
{
   const hd_run_options options = { .validate = true, .diag = hd_diag_to_file(stderr) };
   const hd_pass *pass = hd_pass_find(s->pass);
   hd_motion_count count;
   bool progress = false;

   assert_non_null(pass);
   assert_int_equal(hd_shader_clone(s->before, NULL, &s->after), HD_OK);
   if (hd_run_pass(s->after, pass, &options, &progress) != HD_OK)
      fail_msg("seed %llu, %s: not valid", (unsigned long long)s->seed, s->pass);
   assert_int_equal(hd_check_motion(s->before, s->after, s, complain, &count), HD_OK);
   assert_int_equal(count.illegal, 0);
   total.kept += count.kept;
   total.moved += count.moved;
   total.merged += count.merged;
   total.unknown += count.unknown;
   if (!strcmp(s->pass, "opt_cse") || !strcmp(s->pass, "opt_licm"))
      expect_as_uniform(s);
   assert_int_equal(hd_run_pass(s->after, pass, NULL, &progress), HD_OK);
   if (progress)
      fail_msg("seed %llu, %s: a second run goes on", (unsigned long long)s->seed, s->pass);
   hd_shader_destroy(s->after);
}

static uint64_t
number_from(const char *variable, uint64_t otherwise)
{
   const char *text = getenv(variable);

   return text ? strtoull(text, NULL, 0) : otherwise;
}

static void
random_programs(void **unused)
{
   static const char *const passes[] = { "opt_cse", "opt_licm", "opt_gcm", "opt_sink" };
   const uint64_t first = number_from("HEDDLE_FIRST_SEED", 1);
   const uint64_t num = number_from("HEDDLE_SEEDS", NUM_SEEDS);

   (void)unused;
   for (uint64_t seed = first; seed < first + num; seed++) {
      const program_options options = { .size = 6 + seed % 40 };
      hd_config config = { .diag = hd_diag_to_file(stderr) };
      struct story s = { .seed = seed };
      /* Programs that run, and shaders of everything, which need not. */
      s.before = seed % 4   ? random_program(NULL, seed, &options)
                 : seed % 8 ? sample_tree(&config, seed, 60)
                            : sample_flat(&config, seed, 30);
      assert_non_null(s.before);
      name_everything(s.before);
      for (unsigned n = 0; n < sizeof(passes) / sizeof(passes[0]); n++) {
         s.pass = passes[n];
         try_pass(&s);
      }
      hd_shader_destroy(s.before);
   }
   printf("%u kept, %u moved, %u merged, %u not judged\n", total.kept, total.moved, total.merged,
          total.unknown);
   assert_true(num < NUM_SEEDS || (total.moved > 50 && total.merged > 50));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_programs),
   };

   return cmocka_run_group_tests_name("passes/motion", tests, NULL, NULL);
}
