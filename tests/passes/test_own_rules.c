/* SPDX-License-Identifier: MIT */
/* test_own_rules.c - the library's rules, made once more by heddle-rules and applied with hd_rewrite, do
 * what opt_algebraic and opt_late do: every query that is public answers as those inside.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gen/random_program.h"
#include "heddle/heddle.h"
#include "support/heard.h"

extern const hd_rule_set algebraic_again, late_again;

#define PROGRAMS 300u

static bool
rewrite(hd_function *f, const hd_pass_step *step)
{
   return hd_progress(f, hd_rewrite(f, step->user, step->values), HD_META_GRAPH);
}

static char *
text_of(const hd_shader *shader)
{
   hd_blob text = { 0 };

   assert_int_equal(hd_print_shader(shader, NULL, &text), HD_OK);
   char *copy = strdup(text.data);
   hd_blob_finish(&text);
   return copy;
}

/* Late rules know other numbers: 1 for each option. */
static void
compare(const char *name, const hd_rule_set *set)
{
   const hd_pass_option options[] = {
      { .name = "a", .value = 1, .high = 1 },
      { .name = "b", .value = 1, .high = 1 },
      { .name = "c", .value = 1, .high = 1 },
      { .name = "d", .value = 1, .high = 1 },
   };
   const hd_pass own = {
      .name = "own",
      .forms = HD_PASS_TREE | HD_PASS_FLAT,
      .requires_meta = HD_META_BLOCK_ORDER,
      .preserves_meta = HD_META_GRAPH,
      .num_options = 4,
      .options = options,
      .run = rewrite,
      .user = (void *)set,
   };
   unsigned num_progress = 0;

   for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
      hd_shader *shader = random_program(NULL, seed, NULL), *again = NULL;
      bool progress, progress_again;
      assert_int_equal(hd_shader_clone(shader, NULL, &again), HD_OK);
      assert_int_equal(hd_run_pass(shader, hd_pass_find(name), NULL, &progress), HD_OK);
      assert_int_equal(hd_run_pass(again, &own, NULL, &progress_again), HD_OK);
      char *text = text_of(shader), *text_again = text_of(again);
      if (strcmp(text, text_again) != 0)
         fail_msg("%s: seed %u", name, (unsigned)seed);
      assert_int_equal(progress, progress_again);
      num_progress += progress;
      free(text);
      free(text_again);
      hd_shader_destroy(shader);
      hd_shader_destroy(again);
   }
   assert_true(num_progress > PROGRAMS / 2);
}

static void
test_same(void **unused)
{
   (void)unused;
   compare("opt_algebraic", &algebraic_again);
   compare("opt_late", &late_again);
}

/* A set for other ops or other tables is refused. */
static void
test_version(void **unused)
{
   hd_rule_set sets[] = { algebraic_again, algebraic_again };

   (void)unused;
   sets[0].version++;
   sets[1].num_ops++;
   for (unsigned n = 0; n < 4; n++) {
      struct heard heard = { 0 };
      const hd_config config = { .diag = { &heard, hear } };
      hd_shader *shader = random_program(&config, 1, NULL);
      const hd_pass own = {
         .name = "own",
         .forms = HD_PASS_TREE | HD_PASS_FLAT,
         .run = rewrite,
         .user = &sets[n & 1],
         .checked = n & 2,
      };
      assert_int_equal(hd_run_pass(shader, &own, NULL, NULL), HD_UNSUPPORTED);
      assert_non_null(strstr(heard.last, "made for another version of the library"));
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_same),
                                       cmocka_unit_test(test_version) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
