/* SPDX-License-Identifier: MIT */
/* test_rules.c - every rewrite rule, as the library applies it, proves itself on edge cases and
 * random ones in every size and mode, and on all there are of two operands of 8 bits; it is reached
 * when the whole set runs; and a set of wrong rules is caught, each of them. test_exhaust.c looks
 * at all there are of any number of such operands.
 *
 * HEDDLE_SEED is the seed of the random part, HEDDLE_RULE the number of one rule to look at alone.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/pass.h"
#include "ir/samples.h"
#include "passes/row.h"

static uint64_t
seed(void)
{
   const char *text = getenv("HEDDLE_SEED");

   return text ? strtoull(text, NULL, 0) : 1;
}

static bool
left_out(unsigned rule)
{
   const char *text = getenv("HEDDLE_RULE");

   return text && strtoul(text, NULL, 0) != rule;
}

static void
prove_set(const hd_rule_set *set, const struct row *rows, unsigned num)
{
   unsigned num_failed = 0;
   uint64_t num_values = 0, num_fired = 0;

   assert_int_equal(set->num_rules, num);
   for (unsigned n = 0; n < num; n++) {
      struct proof proof;
      if (left_out(n))
         continue;
      prove_rule(set, &rows[n], n, seed(), &proof);
      num_values += proof.num_values;
      num_fired += proof.num_fired;
      if (*proof.failure)
         print_message("rule %u is wrong: %s\n", n, proof.failure);
      else if (!proof.num_values)
         print_message("rule %u never applies: %s\n", n, rows[n].text);
      num_failed += *proof.failure || !proof.num_values;
   }
   print_message("%u rules, seed %llu: applied %llu times, %llu values compared\n", num,
                 (unsigned long long)seed(), (unsigned long long)num_fired,
                 (unsigned long long)num_values);
   assert_int_equal(num_failed, 0);
}

static void
test_algebraic(void **unused)
{
   (void)unused;
   prove_set(&hd_rules_algebraic, rows_algebraic, num_rows_algebraic);
}

static void
test_late(void **unused)
{
   (void)unused;
   prove_set(&hd_rules_late, rows_late, num_rows_late);
}

/* Rules that come before must not make one useless. */
static void
reach_set(const hd_rule_set *set, const struct row *rows, unsigned num)
{
   unsigned num_shadowed = 0;

   for (unsigned n = 0; n < num; n++) {
      uint32_t *fired = calloc(num, sizeof(*fired));
      if (!left_out(n) && !rule_is_reached(set, &rows[n], n, seed(), fired)) {
         print_message("rule %u is shadowed by others: %s\n", n, rows[n].text);
         for (unsigned other = 0; other < num; other++) {
            if (fired[other])
               print_message("   %u, applied %u times: %s\n", other, fired[other],
                             rows[other].text);
         }
         num_shadowed++;
      }
      free(fired);
   }
   assert_int_equal(num_shadowed, 0);
}

static void
test_reached(void **unused)
{
   (void)unused;
   reach_set(&hd_rules_algebraic, rows_algebraic, num_rows_algebraic);
   reach_set(&hd_rules_late, rows_late, num_rows_late);
}

static unsigned
obey_set(const hd_rule_set *set, const struct row *rows, unsigned num)
{
   unsigned num_with_flags = 0;

   for (unsigned n = 0; n < num; n++) {
      if (left_out(n) || !(rows[n].flags & ~(unsigned)HD_RULE_FREE))
         continue;
      num_with_flags++;
      if (!rule_obeys_flags(set, &rows[n], n, seed()))
         fail_msg("rule %u applies where flags forbid it: %s", n, rows[n].text);
   }
   return num_with_flags;
}

static void
test_flags(void **unused)
{
   (void)unused;
   const unsigned num = obey_set(&hd_rules_algebraic, rows_algebraic, num_rows_algebraic) +
                        obey_set(&hd_rules_late, rows_late, num_rows_late);
   assert_true(num > 20 || getenv("HEDDLE_RULE"));
}

/* The test of the test. */
static void
test_broken(void **unused)
{
   (void)unused;
   for (unsigned n = 0; n < num_rows_broken; n++) {
      struct proof proof;
      prove_rule(&hd_rules_broken, &rows_broken[n], n, seed(), &proof);
      if (!*proof.failure)
         fail_msg("a wrong rule is believed: %s", rows_broken[n].text);
   }
}

/* One run does all: a second one finds nothing to do. */
static void
test_twice(void **unused)
{
   static const char *const passes[] = { "opt_algebraic", "opt_late", "opt_offsets" };
   unsigned num_progress = 0;

   (void)unused;
   for (uint64_t n = seed(); n < seed() + 200; n++) {
      hd_shader *shader = n % 3 ? sample_tree(NULL, n, 40 + (unsigned)(n % 100))
                                : sample_flat(NULL, n, 10 + (unsigned)(n % 40));
      for (unsigned p = 0; p < sizeof(passes) / sizeof(*passes); p++) {
         const hd_pass *pass = hd_pass_find(passes[p]);
         bool progress = false;
         assert_int_equal(hd_run_pass(shader, pass, NULL, &progress), HD_OK);
         num_progress += progress;
         assert_int_equal(hd_run_pass(shader, pass, NULL, &progress), HD_OK);
         if (progress)
            fail_msg("sample %llu: %s does more in a second run", (unsigned long long)n, passes[p]);
      }
      hd_shader_destroy(shader);
   }
   assert_true(num_progress > 50);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_algebraic), cmocka_unit_test(test_late),   cmocka_unit_test(test_flags),
      cmocka_unit_test(test_reached),   cmocka_unit_test(test_broken), cmocka_unit_test(test_twice),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
