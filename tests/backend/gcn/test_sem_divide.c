/* SPDX-License-Identifier: MIT */
/* test_sem_divide.c - divisions of 32 and 64 bits, made of v_div_scale, v_rcp, v_fma, v_div_fmas
 * and v_div_fixup, are correctly rounded for all kinds of operands; 2 / pi in pieces.
 */
#include "sem.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "util/float_oracle.h"

/* The header offers its intmax_t functions only after <stdint.h>. */
#include <mpfr.h>

enum {
   NUM = 10,
   DEN = 12,
   SCALED_DEN = 14,
   SCALED_NUM = 16,
   RCP = 18,
   T = 20,
   QUOTIENT = 22,
   OUT = 24,
   FLAG = 20 /* scalar */
};

typedef struct ops {
   unsigned bits;
   hd_gcn_op scale, rcp, fma, fmas, fixup;
} ops;

static hd_mach_operand
value(const ops *o, unsigned reg, bool neg)
{
   hd_mach_operand operand = sem_vgpr(reg, o->bits / 32);
   operand.flags |= neg ? HD_GCN_OPERAND_NEG : 0;
   return operand;
}

/* d = op(a, b, c), which are registers; a negative number: the negative of that one. 0: 1.0. */
static void
run(hd_gcn_wave *wave, const ops *o, hd_gcn_op op, unsigned d, int a, int b, int c)
{
   hd_gcn_decoded decoded;
   hd_mach_inst *inst = sem_inst(&decoded, op);
   const int regs[3] = { a, b, c };

   inst->form = HD_GCN_FORM_VOP3;
   sem_registers(inst);
   *hd_mach_def(inst, 0) = value(o, d, false);
   if (inst->num_defs > 1)
      *hd_mach_def(inst, 1) = d == SCALED_NUM ? sem_sgpr(HD_GCN_VCC, 2) : sem_sgpr(FLAG, 2);
   for (unsigned n = 0; n < 3 && n < inst->num_srcs; n++)
      *hd_mach_src(inst, n) =
          regs[n] ? value(o, (unsigned)(regs[n] < 0 ? -regs[n] : regs[n]), regs[n] < 0)
                  : sem_sgpr(242, o->bits / 32);
   sem_run(wave, inst);
}

/* The steps that the manuals mean: a reciprocal, refined, a quotient, its error, twice. */
static void
divide(hd_gcn_wave *wave, const ops *o)
{
   run(wave, o, o->scale, SCALED_DEN, DEN, DEN, NUM);
   run(wave, o, o->scale, SCALED_NUM, NUM, DEN, NUM);
   run(wave, o, o->rcp, RCP, SCALED_DEN, 0, 0);
   for (unsigned n = 0; n < 2; n++) {
      run(wave, o, o->fma, T, -SCALED_DEN, RCP, 0);
      run(wave, o, o->fma, RCP, T, RCP, RCP);
   }
   for (unsigned l = 0; l < HD_GCN_LANES; l++)
      sem_set(wave, QUOTIENT, l, o->bits, 0, 0);
   run(wave, o, o->fma, QUOTIENT, SCALED_NUM, RCP, QUOTIENT);
   run(wave, o, o->fma, T, -SCALED_DEN, QUOTIENT, SCALED_NUM);
   run(wave, o, o->fma, QUOTIENT, T, RCP, QUOTIENT);
   run(wave, o, o->fma, T, -SCALED_DEN, QUOTIENT, SCALED_NUM);
   run(wave, o, o->fmas, OUT, T, RCP, QUOTIENT);
   run(wave, o, o->fixup, OUT, OUT, DEN, NUM);
}

/* Exponents far apart, near each other, and at the ends of the range. */
static uint64_t
some_number(uint64_t *seed, unsigned bits)
{
   const uint64_t x = sem_random(seed);
   const unsigned fraction_bits = bits == 32 ? 23 : 52;
   const uint64_t all = bits == 32 ? 255 : 2047;
   const uint64_t exponents[] = { 0,
                                  1,
                                  2,
                                  all - 1,
                                  all - 2,
                                  all / 2,
                                  (x >> 8) % all,
                                  (x >> 8) % all,
                                  (x >> 8) % 64,
                                  all - 1 - (x >> 8) % 64 };
   const uint64_t fraction =
       x >> 4 & 1 ? 0 : sem_random(seed) & ((UINT64_C(1) << fraction_bits) - 1);

   if ((x & 15) == 0)
      return sem_corner(seed, bits);
   return (x >> 63) << (bits - 1) | exponents[(x >> 32) % 10] << fraction_bits | fraction;
}

static void
quotients(void **state)
{
   static const ops all[] = {
      { 32, HD_GCN_V_DIV_SCALE_F32, HD_GCN_V_RCP_F32, HD_GCN_V_FMA_F32, HD_GCN_V_DIV_FMAS_F32,
        HD_GCN_V_DIV_FIXUP_F32 },
      { 64, HD_GCN_V_DIV_SCALE_F64, HD_GCN_V_RCP_F64, HD_GCN_V_FMA_F64, HD_GCN_V_DIV_FMAS_F64,
        HD_GCN_V_DIV_FIXUP_F64 },
   };
   uint64_t seed = 31;

   (void)state;
   oracle_init();
   for (unsigned n = 0; n < 2; n++) {
      const ops *o = &all[n];
      hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
      unsigned denormal = 0;
      for (unsigned round = 0; round < 200; round++) {
         for (unsigned l = 0; l < HD_GCN_LANES; l++) {
            sem_set(wave, NUM, l, o->bits, some_number(&seed, o->bits), 0);
            sem_set(wave, DEN, l, o->bits, some_number(&seed, o->bits), 0);
         }
         divide(wave, o);
         for (unsigned l = 0; l < HD_GCN_LANES; l++) {
            const uint64_t operands[3] = { sem_get(wave, NUM, l, o->bits),
                                           sem_get(wave, DEN, l, o->bits), 0 };
            const uint64_t want =
                oracle(ORACLE_DIV, o->bits, o->bits, operands, HD_ROUND_NEAREST_EVEN);
            const uint64_t got = sem_get(wave, OUT, l, o->bits);
            denormal += hd_float_is_denorm(o->bits, want);
            if (got != want)
               fail_msg("0x%" PRIx64 " / 0x%" PRIx64 " is 0x%" PRIx64 ", it should be 0x%" PRIx64,
                        operands[0], operands[1], got, want);
         }
      }
      assert_true(denormal > 50);
      sem_wave_free(wave);
   }
   oracle_finish();
}

/* 53 bits of 2 / pi from bit 53 * segment behind the point on, further where the angle is large. */
static void
angles(void **state)
{
   hd_gcn_wave *wave = sem_wave(HD_GCN_GFX900);
   uint64_t seed = 5;
   mpfr_t number, piece;

   (void)state;
   mpfr_set_emin(mpfr_get_emin_min());
   mpfr_set_emax(mpfr_get_emax_max());
   mpfr_init2(number, 1300);
   mpfr_init2(piece, 1300);
   for (unsigned round = 0; round < 20; round++) {
      hd_gcn_decoded d;
      hd_mach_inst *inst = sem_inst(&d, HD_GCN_V_TRIG_PREOP_F64);
      sem_registers(inst);
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         sem_set(wave, SEM_SRC, l, 64, sem_random(&seed) >> 12 | (uint64_t)(1000 + 3 * l) << 52, 0);
         sem_set(wave, SEM_SRC + 4, l, 32, round, 0);
      }
      sem_run(wave, inst);
      for (unsigned l = 0; l < HD_GCN_LANES; l++) {
         const unsigned exponent = 1000 + 3 * l;
         const unsigned shift = 53 * round + (exponent > 1077 ? exponent - 1077 : 0);
         if (shift > 1100)
            continue;
         mpfr_const_pi(number, MPFR_RNDN);
         mpfr_ui_div(number, 2, number, MPFR_RNDN);
         mpfr_mul_2ui(number, number, shift, MPFR_RNDN);
         mpfr_floor(piece, number);
         mpfr_sub(number, number, piece, MPFR_RNDN);
         mpfr_mul_2ui(number, number, 53, MPFR_RNDN);
         mpfr_floor(number, number);
         const long scale = -53 - (long)shift + (exponent >= 1968 ? 128 : 0);
         mpfr_mul_2si(number, number, scale, MPFR_RNDN);
         const double want = mpfr_get_d(number, MPFR_RNDN);
         uint64_t bits;
         memcpy(&bits, &want, sizeof bits);
         assert_int_equal(sem_get(wave, SEM_DEF, l, 64), bits);
      }
   }
   mpfr_clear(number);
   mpfr_clear(piece);
   mpfr_free_cache();
   sem_wave_free(wave);
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(quotients), cmocka_unit_test(angles) };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
