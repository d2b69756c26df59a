/* SPDX-License-Identifier: MIT */
/* hd_diff_create when the nth allocation fails, for every n, and when the budget ends. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/diff.h"
#include "heddle/text.h"
#include "support/memory.h"

static const char before[] =
    "shader compute \"t\" {\n workgroup 1 1 1\n function @main(%c:1) {\n b0:\n %1:32 = const 7\n"
    " if %c {\n b1:\n %2:32 = iadd %1, %1\n store_buffer %2, %1, %1 align_mul=1\n } else {\n b2:\n }\n"
    " b3:\n }\n}\n";
static const char after[] =
    "shader compute \"t\" {\n workgroup 1 1 1\n function @main(%c:1) {\n b0:\n %1:32 = const 7\n"
    " if %c {\n b1:\n } else {\n b2:\n %2:32 = imul %1, %1\n store_buffer %2, %1, %1 align_mul=1\n }\n"
    " b3:\n }\n}\n";

static hd_shader *
parse(const char *text, const hd_config *config)
{
   hd_shader *shader = NULL;

   assert_int_equal(hd_parse(config, NULL, text, strlen(text), &shader), HD_OK);
   return shader;
}

static void
each_allocation_fails_once(void **state)
{
   unsigned failures = 0;

   (void)state;
   for (size_t n = 0;; n++) {
      struct limited c = { .left = SIZE_MAX };
      hd_config config = limited_config(&c);
      hd_shader *a = parse(before, &config), *b = parse(after, &config);
      const size_t held = c.held;
      hd_diff *diff;
      c.left = n;
      const hd_result result = hd_diff_create(a, b, &diff);
      c.left = SIZE_MAX;
      if (result == HD_OK) {
         assert_int_equal(diff->counts[HD_DIFF_SAME] + diff->counts[HD_DIFF_MOVED] +
                              diff->counts[HD_DIFF_CHANGED] + diff->counts[HD_DIFF_REMOVED] +
                              diff->counts[HD_DIFF_ADDED],
                          diff->num_entries);
         assert_true(diff->num_entries > diff->counts[HD_DIFF_SAME]);
         assert_false(diff->headers_differ);
      } else {
         assert_int_equal(result, HD_OUT_OF_MEMORY);
         assert_null(diff);
         failures++;
      }
      hd_diff_destroy(diff);
      assert_int_equal(c.held, held);
      hd_shader_destroy(b);
      hd_shader_destroy(a);
      assert_int_equal(c.held, 0);
      if (result == HD_OK)
         break;
   }
   assert_in_range(failures, 2, 50);
}

static void
budgets_end_it(void **state)
{
   hd_result result = HD_BUDGET_EXCEEDED;
   unsigned ended = 0;

   (void)state;
   for (uint64_t steps = 1; result != HD_OK; steps++) {
      hd_shader *a = parse(before, NULL), *b = parse(after, NULL);
      hd_config config = { .budget = { 0, steps } };
      hd_shader *limited = NULL;
      if (hd_parse(&config, NULL, before, strlen(before), &limited) == HD_OK) {
         hd_diff *diff;
         result = hd_diff_create(limited, b, &diff);
         ended += result == HD_BUDGET_EXCEEDED;
         assert_true(result == HD_OK || result == HD_BUDGET_EXCEEDED);
         hd_diff_destroy(diff);
      }
      hd_shader_destroy(limited);
      hd_shader_destroy(b);
      hd_shader_destroy(a);
      assert_true(steps < 10000);
   }
   assert_true(ended > 0);
}

static void
kinds_have_names(void **state)
{
   (void)state;
   assert_string_equal(hd_diff_kind_name(HD_DIFF_MOVED), "moved");
   assert_string_equal(hd_diff_kind_name(HD_NUM_DIFF_KINDS), "?");
   hd_diff_destroy(NULL);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_allocation_fails_once),
      cmocka_unit_test(budgets_end_it),
      cmocka_unit_test(kinds_have_names),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
