/* SPDX-License-Identifier: MIT */
/* test_mutations.c - every rule is broken on purpose, in several ways, on an otherwise valid
 * shader; the validator must say exactly that rule, once.
 */
#include "support/test.h"

#include <stdint.h>
#include <string.h>

#include "mutations.h"

#include "heddle/check.h"

/* What the validator said. */
typedef struct heard {
   char rules[8][8];
   char messages[8][400];
   unsigned num;
} heard;

static void
hear(void *user, const hd_diag *d)
{
   heard *h = user;

   if (h->num < 8 && d->severity == HD_ERROR) {
      snprintf(h->rules[h->num], sizeof(h->rules[0]), "%s", d->rule);
      snprintf(h->messages[h->num], sizeof(h->messages[0]), "%s", d->message);
   }
   h->num += d->severity == HD_ERROR;
   if (d->text) {
      assert_int_equal(d->text[d->text_length], 0);
      assert_in_range(d->column, 1, d->text_length);
      assert_in_range(d->length, 1, d->text_length - (d->column - 1));
   }
}

static hd_result
validate(hd_shader *shader, heard *h, bool keeps_sweep)
{
   hd_validate_options options = {
      .diag = { h, hear }, .metadata = true, .reconverging = true, .keeps_sweep = keeps_sweep
   };

   *h = (heard){ .num = 0 };
   return hd_validate(shader, &options);
}

static void
expect_only(const char *rule, unsigned way, bool (*break_rule)(sample *, unsigned), bool *done)
{
   sample s = sample_create(NULL);
   heard h;

   if (!break_rule(&s, way)) {
      *done = true;
      hd_shader_destroy(s.shader);
      return;
   }
   /* The sample reconverges, and does not keep the sweep. */
   hd_result result = validate(s.shader, &h, !strcmp(rule, "CV3"));
   if (result != HD_INVALID || h.num != 1 || strcmp(h.rules[0], rule)) {
      print_error("%s broken in way %u: %s, %u messages\n", rule, way, hd_result_name(result),
                  h.num);
      for (unsigned n = 0; n < h.num && n < 8; n++)
         print_error("   [%s] %s\n", h.rules[n], h.messages[n]);
      fail();
   }
   /* To destroy a shader the list of its functions must end. */
   s.graph->next = NULL;
   hd_shader_destroy(s.shader);
}

typedef struct test_row {
   const char *rule;
   bool (*break_rule)(sample *, unsigned);
} test_row;

#define ROW(number, scope, presumes, words) { #number, break_##number },
static const test_row rows[NUM_RULES] = { HD_RULE_ROWS(ROW) };
#undef ROW

static void
test_rule(void **state)
{
   const test_row *row = *state;
   bool done = false;
   unsigned way = 0;

   for (; !done; way++)
      expect_only(row->rule, way, row->break_rule, &done);
   /* A rule that nothing breaks is not tested. */
   assert_true(way > 1);
}

static void
test_unbroken(void **state)
{
   sample s = sample_create(NULL);
   heard h;

   (void)state;
   assert_int_equal(validate(s.shader, &h, false), HD_OK);
   hd_foreach_function(f, s.shader) {
      hd_function_reindex(f);
      assert_int_equal(hd_validate_function(f, NULL), HD_OK);
   }
   assert_int_equal(validate(s.shader, &h, false), HD_OK);
   assert_int_equal(h.num, 0);
   hd_shader_destroy(s.shader);
}

int
main(void)
{
   struct CMUnitTest tests[NUM_RULES + 1] = { cmocka_unit_test(test_unbroken) };

   for (unsigned n = 0; n < NUM_RULES; n++)
      tests[n + 1] = (struct CMUnitTest){ .name = rows[n].rule,
                                          .test_func = test_rule,
                                          .initial_state = (void *)&rows[n] };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
