/* SPDX-License-Identifier: MIT */
#include "sem.h"

static void
simple(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX9);
   hd_gcn_decoded d;
   hd_gcn_inst *inst = sem_inst(&d, HD_GCN_V_ADD_F32);

   (void)state;
   *hd_gcn_def(inst, 0) = sem_vgpr(2, 1);
   *hd_gcn_src(inst, 0) = sem_vgpr(0, 1);
   *hd_gcn_src(inst, 1) = sem_vgpr(1, 1);
   for (unsigned l = 0; l < HD_GCN_LANES; l++) {
      sem_set(wave, 0, l, 32, 0x3f800000, 0);
      sem_set(wave, 1, l, 32, 0x40000000, l == 5);
   }
   sem_run(wave, inst);
   assert_int_equal(sem_get(wave, 2, 3, 32), 0x40400000);
   assert_int_equal(sem_get_undef(wave, 2, 3, 32), 0);
   assert_int_equal(sem_get_undef(wave, 2, 5, 32), UINT32_MAX);
   sem_wave_free(wave);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(simple) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
