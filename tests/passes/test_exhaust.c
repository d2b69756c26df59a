/* SPDX-License-Identifier: MIT */
/* test_exhaust.c - every rewrite rule on all values of its operands of 8 bits.
 *
 * HEDDLE_SHARE=n looks at one in n runs of 256 values only, where there are three operands or more;
 * HEDDLE_RULE at one rule. Rules that only hold for 16 bits or more are left to test_rules.c, and
 * so are those of so many operands that nobody would wait for the end.
 */
#include "support/test.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "passes/exhaust.h"

/* Sanitizers are slow, and find out about the folder with few. */
#ifdef __SANITIZE_ADDRESS__
#define USUAL_SHARE 64
#else
#define USUAL_SHARE 1
#endif

/* Rules that are proven so: others are of floats, or name larger sizes. */
#define LEAST_EXHAUSTED 700

static unsigned
number(const char *name, unsigned by_default)
{
   const char *text = getenv(name);

   return text ? (unsigned)strtoul(text, NULL, 0) : by_default;
}

/* Few cases are looked at whole whatever the share is. */
static unsigned
share_of(unsigned operands)
{
   return operands < 3 ? 1 : number("HEDDLE_SHARE", USUAL_SHARE);
}

static unsigned
exhaust_set(const char *name, const struct sides *rules, unsigned num)
{
   const unsigned one = number("HEDDLE_RULE", UINT32_MAX);
   unsigned num_failed = 0, num_left_out = 0, by_operands[SIDES_MAX_NAMES + 1] = { 0 };
   uint64_t cases[SIDES_MAX_NAMES + 1] = { 0 };

   for (unsigned n = 0; n < num; n++) {
      struct exhausted result;
      if (one != UINT32_MAX && one != n)
         continue;
      exhaust_rule(&rules[n], 0, &result);
      exhaust_rule(&rules[n], share_of(rules[n].num_names), &result);
      const unsigned operands = result.num_cases ? result.operands : 0;
      assert_true(operands <= SIDES_MAX_NAMES);
      by_operands[operands]++;
      num_left_out += result.left_out;
      /* Up to three operands all cases are looked at. */
      assert_true(!result.left_out || rules[n].num_names > 3);
      cases[operands] += result.num_cases;
      if (*result.failure)
         print_message("rule %u is wrong: %s\n", n, result.failure);
      num_failed += *result.failure != 0;
   }
   print_message("%s: %u rules, of them\n%6u only hold for operands of more than 8 bits\n", name,
                 num, by_operands[0]);
   for (unsigned k = 1; k <= SIDES_MAX_NAMES; k++) {
      print_message("%6u with %u operands of at most 8 bits: %" PRIu64 " cases", by_operands[k], k,
                    cases[k]);
      print_message(share_of(k) == 1 ? ", all there are\n" : ", one run in %u\n", share_of(k));
   }
   print_message("%6u have too many cases of 8 bits\n", num_left_out);
   assert_int_equal(num_failed, 0);
   return num - by_operands[0];
}

static void
test_algebraic(void **unused)
{
   (void)unused;
   const unsigned num = exhaust_set("algebraic", sides_algebraic, num_sides_algebraic);
   assert_true(num >= LEAST_EXHAUSTED || getenv("HEDDLE_RULE"));
}

static void
test_late(void **unused)
{
   (void)unused;
   exhaust_set("late", sides_late, num_sides_late);
}

/* Rules that are wrong for very few cases, of one, two and three operands. */
static void
test_one_wrong(void **unused)
{
   (void)unused;
   unsigned by_operands[4] = { 0 };

   for (unsigned n = 0; n < num_sides_one_wrong; n++) {
      struct exhausted result;
      exhaust_rule(&sides_one_wrong[n], 0, &result);
      if (share_of(result.operands) != 1)
         continue;
      exhaust_rule(&sides_one_wrong[n], 1, &result);
      print_message("%u operands: %s\n", result.operands, result.failure);
      assert_true(*result.failure);
      assert_in_range(result.operands, 1, 3);
      by_operands[result.operands]++;
   }
   assert_true(by_operands[1] && by_operands[2] && (by_operands[3] || share_of(3) != 1));
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_one_wrong),
      cmocka_unit_test(test_algebraic),
      cmocka_unit_test(test_late),
   };

   return cmocka_run_group_tests_name("passes/exhaust", tests, NULL, NULL);
}
