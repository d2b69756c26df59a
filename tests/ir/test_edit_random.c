/* SPDX-License-Identifier: MIT */
/* test_edit_random.c - random editing sequences keep every invariant after every step, and a call
 * that runs out of memory changes nothing.
 *
 * HD_SEED and HD_STEPS choose another run; the seed is printed.
 */
#include "support/test.h"

#include <stdlib.h>

#include "ir/edits.h"

static void
test_random_edits(void **state)
{
   const char *seed = getenv("HD_SEED"), *steps = getenv("HD_STEPS");
   uint64_t first_seed = seed ? strtoull(seed, NULL, 0) : 20261121;
   int num_steps = steps ? atoi(steps) : 40000, done = 0;

   (void)state;
   printf("seed %llu, %d steps\n", (unsigned long long)first_seed, num_steps);
   for (uint64_t n = 0; done < num_steps; n++) {
      edit_run r;
      edit_run_begin(&r, first_seed + n, NULL, 0);
      for (int k = 0; k < 1000 && done < num_steps; k++, done++) {
         const char *fault = edit_run_step(&r);
         if (fault)
            fail_msg("seed %llu, step %d: %s", (unsigned long long)(first_seed + n), k, fault);
      }
      const char *fault = edit_run_end(&r);
      if (fault)
         fail_msg("seed %llu, end: %s", (unsigned long long)(first_seed + n), fault);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_random_edits) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
