/* SPDX-License-Identifier: MIT */
#include <stdint.h>
#include <string.h>

#include "float_oracle.h"

/* The header offers its intmax_t functions only after <stdint.h>. */
#include <mpfr.h>

/* Wide enough to hold any operand, or integer, without rounding. */
static mpfr_t operand[3], wide;
static mpfr_t result[3];

static const mpfr_rnd_t rounding[] = { MPFR_RNDN, MPFR_RNDZ, MPFR_RNDU, MPFR_RNDD };

static unsigned
precision(unsigned bits)
{
   return bits == 16 ? 11 : bits == 32 ? 24 : 53;
}

static int
emax(unsigned bits)
{
   return bits == 16 ? 15 : bits == 32 ? 127 : 1023;
}

void
oracle_init(void)
{
   for (unsigned i = 0; i < 3; ++i) {
      mpfr_init2(operand[i], 64);
      mpfr_init2(result[i], precision(16u << i));
   }
   mpfr_init2(wide, 64);
}

void
oracle_finish(void)
{
   for (unsigned i = 0; i < 3; ++i) {
      mpfr_clear(operand[i]);
      mpfr_clear(result[i]);
   }
   mpfr_clear(wide);
   mpfr_free_cache();
}

static void
any_exponent(void)
{
   mpfr_set_emin(mpfr_get_emin_min());
   mpfr_set_emax(mpfr_get_emax_max());
}

static void
decode(mpfr_t x, unsigned bits, uint64_t a)
{
   const unsigned fraction_bits = precision(bits) - 1;
   const int sign = a >> (bits - 1) & 1 ? -1 : 1;
   const uint64_t fraction = a & ((UINT64_C(1) << fraction_bits) - 1);
   const int field = (int)(a >> fraction_bits & (uint64_t)(2 * emax(bits) + 1));

   if (field == 2 * emax(bits) + 1) {
      if (fraction)
         mpfr_set_nan(x);
      else
         mpfr_set_inf(x, sign);
   } else if (!field && !fraction) {
      mpfr_set_zero(x, sign);
   } else {
      const uint64_t leading = field ? UINT64_C(1) << fraction_bits : 0;
      const int exp = (field ? field : 1) - emax(bits) - (int)fraction_bits;
      mpfr_set_uj_2exp(x, fraction | leading, exp, MPFR_RNDN);
      if (sign < 0)
         mpfr_neg(x, x, MPFR_RNDN);
   }
}

static uint64_t
encode(mpfr_t x, unsigned bits)
{
   const unsigned fraction_bits = precision(bits) - 1;
   const uint64_t all_ones = (uint64_t)(2 * emax(bits) + 1) << fraction_bits;
   const uint64_t sign = mpfr_signbit(x) ? UINT64_C(1) << (bits - 1) : 0;

   if (mpfr_nan_p(x))
      return all_ones | UINT64_C(1) << (fraction_bits - 1);
   if (mpfr_inf_p(x))
      return sign | all_ones;
   if (mpfr_zero_p(x))
      return sign;

   /* 1 <= |x| / 2^exp < 2 */
   const int exp = (int)mpfr_get_exp(x) - 1, lowest = 1 - emax(bits);
   const int unit = (exp < lowest ? lowest : exp) - (int)fraction_bits;
   any_exponent();
   mpfr_mul_2si(wide, x, -unit, MPFR_RNDN);
   mpfr_abs(wide, wide, MPFR_RNDN);
   const uint64_t integer = mpfr_get_uj(wide, MPFR_RNDN);
   return sign | (exp < lowest ? integer : integer + ((uint64_t)(exp - lowest) << fraction_bits));
}

static void
format_exponents(unsigned bits)
{
   mpfr_set_emin(2 - emax(bits) - (int)(precision(bits) - 1));
   mpfr_set_emax(emax(bits) + 1);
}

static int
run(oracle_op op, mpfr_t z, mpfr_rnd_t r)
{
   mpfr_t *x = &operand[0], *y = &operand[1];

   switch (op) {
   case ORACLE_ADD:
      return mpfr_add(z, *x, *y, r);
   case ORACLE_SUB:
      return mpfr_sub(z, *x, *y, r);
   case ORACLE_MUL:
      return mpfr_mul(z, *x, *y, r);
   case ORACLE_DIV:
      return mpfr_div(z, *x, *y, r);
   case ORACLE_FMA:
      return mpfr_fma(z, *x, *y, operand[2], r);
   case ORACLE_SQRT:
      return mpfr_sqrt(z, *x, r);
   case ORACLE_RCP:
      return mpfr_ui_div(z, 1, *x, r);
   case ORACLE_RSQ:
      if (mpfr_zero_p(*x)) {
         /* MPFR gives +inf for -0, IEEE 754 -inf. */
         mpfr_set_inf(z, mpfr_signbit(*x) ? -1 : 1);
         return 0;
      }
      return mpfr_rec_sqrt(z, *x, r);
   case ORACLE_EXP2:
      return mpfr_exp2(z, *x, r);
   case ORACLE_LOG2:
      return mpfr_log2(z, *x, r);
   case ORACLE_SIN:
      return mpfr_sinu(z, *x, 1, r);
   case ORACLE_COS:
      return mpfr_cosu(z, *x, 1, r);
   case ORACLE_ROUND:
      return mpfr_rint(z, *x, r);
   case ORACLE_CONVERT:
      return mpfr_set(z, *x, r);
   }
   return 0;
}

/* The encoding of a result that may lie outside the format's exponents, or among its denormals.
 * `ternary` says on which side of the exact result it is, so that it is not rounded twice. */
static uint64_t
finish(mpfr_t z, int ternary, unsigned bits, mpfr_rnd_t r)
{
   mpfr_subnormalize(z, mpfr_check_range(z, ternary, r), r);
   return encode(z, bits);
}

uint64_t
oracle(oracle_op op, unsigned source_bits, unsigned bits, const uint64_t operands[3], hd_round r)
{
   mpfr_t *z = &result[bits / 32];

   any_exponent();
   for (unsigned i = 0; i < 3; ++i)
      decode(operand[i], source_bits, operands[i]);
   format_exponents(bits);
   const int ternary = run(op, *z, rounding[r]);
   return finish(*z, ternary, bits, rounding[r]);
}

uint64_t
oracle_ldexp(unsigned bits, uint64_t a, int32_t e)
{
   mpfr_t *z = &result[bits / 32];

   any_exponent();
   decode(operand[0], bits, a);
   format_exponents(bits);
   const int ternary = mpfr_mul_2si(*z, operand[0], e, MPFR_RNDN);
   return finish(*z, ternary, bits, MPFR_RNDN);
}

uint64_t
oracle_from_uint(unsigned bits, bool negative, uint64_t magnitude, hd_round r)
{
   mpfr_t *z = &result[bits / 32];

   any_exponent();
   mpfr_set_uj(operand[0], magnitude, MPFR_RNDN);
   if (negative)
      mpfr_neg(operand[0], operand[0], MPFR_RNDN);
   format_exponents(bits);
   const int ternary = mpfr_set(*z, operand[0], rounding[r]);
   return finish(*z, ternary, bits, rounding[r]);
}

uint64_t
oracle_to_int(unsigned bits, uint64_t a, bool is_signed, unsigned int_bits, hd_round r)
{
   const uint64_t mask = UINT64_MAX >> (64 - int_bits), top = UINT64_C(1) << (int_bits - 1);

   any_exponent();
   decode(operand[0], bits, a);
   if (mpfr_nan_p(operand[0]))
      return 0;
   mpfr_rint(wide, operand[0], rounding[r]);
   if (!is_signed) {
      if (mpfr_sgn(wide) <= 0)
         return 0;
      return mpfr_cmp_ui(wide, mask) > 0 ? mask : mpfr_get_uj(wide, MPFR_RNDN);
   }

   const bool negative = mpfr_sgn(wide) < 0;
   mpfr_abs(wide, wide, MPFR_RNDN);
   if (negative)
      return mpfr_cmp_ui(wide, top) > 0 ? top : -mpfr_get_uj(wide, MPFR_RNDN) & mask;
   return mpfr_cmp_ui(wide, top - 1) > 0 ? top - 1 : mpfr_get_uj(wide, MPFR_RNDN);
}
