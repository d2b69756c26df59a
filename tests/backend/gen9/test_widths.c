/* SPDX-License-Identifier: MIT */
/* test_widths.c - GRFs that values and lowering use are different ones, with each number of lanes. */
#include "backend/gen9/program.h"
#include "support/test.h"

typedef struct {
   const char *owner[128];
} grfs;

static void
take(grfs *used, unsigned first, unsigned num, const char *owner)
{
   for (unsigned n = first; n < first + num; n++) {
      assert_in_range(n, 0, 127);
      if (used->owner[n])
         fail_msg("r%u: %s and %s", n, used->owner[n], owner);
      used->owner[n] = owner;
   }
}

static void
grfs_of_lowering_are_its_own(void **state)
{
   (void)state;
   for (unsigned n = 0; n < HD_GEN9_NUM_WIDTHS; n++) {
      const hd_gen9_width *w = &hd_gen9_widths[n];
      const unsigned copy = w->copy - (HD_GEN9_V0 + HD_GEN9_FIRST_GRF);
      grfs used = { 0 };

      take(&used, HD_GEN9_FIRST_GRF, w->grfs * w->values, "values");
      take(&used, HD_GEN9_FIRST_GRF + copy * w->grfs, w->grfs, "copies of values");
      take(&used, HD_GEN9_GRF_UNIFORM, HD_GEN9_UNIFORM_COPY / 8 + 1, "scalars and their copies");
      take(&used, w->temp, 2 * w->grfs, "temp");
      take(&used, w->data, 2 * w->grfs, "data");
      take(&used, HD_GEN9_GRF_NUMBERS, 1, "block numbers");
      take(&used, HD_GEN9_GRF_END, 1, "end of thread");
      if (w->scratch >= HD_GEN9_FIRST_GRF)
         take(&used, w->scratch, w->grfs, "scratch");
      assert_true(HD_GEN9_UNIFORM_COPY >= HD_GEN9_NUM_UNIFORM);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(grfs_of_lowering_are_its_own),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
