/* SPDX-License-Identifier: MIT */
/* rule_numbers.h - predicates on numbers for rule conditions. */
#ifndef HEDDLE_PASSES_RULE_NUMBERS_H
#define HEDDLE_PASSES_RULE_NUMBERS_H

#include "ir/fold.h"

/* Not every rule set asks for everything. */
#if defined(__GNUC__)
#define HD_WORD __attribute__((unused)) static inline
#else
#define HD_WORD static inline
#endif

HD_WORD bool
is_pow2(uint64_t a)
{
   return a && !(a & (a - 1));
}

/* Ones from bit 0 up, at least one. */
HD_WORD bool
is_low_mask(uint64_t a)
{
   return a && !(a & (a + 1));
}

HD_WORD bool
float_is_nan(unsigned size, uint64_t a)
{
   return hd_float_is_nan(size, a);
}

HD_WORD bool
float_is_inf(unsigned size, uint64_t a)
{
   return hd_float_is_inf(size, a);
}

HD_WORD bool
float_is_zero(unsigned size, uint64_t a)
{
   return !hd_float_abs(size, a);
}

HD_WORD bool
float_is_negative(unsigned size, uint64_t a)
{
   return hd_float_sign(size, a);
}

HD_WORD bool
float_less(unsigned size, uint64_t a, uint64_t b)
{
   return hd_float_lt(size, a, b);
}

/* Neither zero, denormal, infinite nor NaN. */
HD_WORD bool
float_is_normal(unsigned size, uint64_t a)
{
   return hd_float_abs(size, a) < hd_float_inf(size) &&
          hd_float_abs(size, a) >> hd_float_fraction_bits(size) != 0;
}

/* Zero, or of a magnitude such that sums and products of two are normal numbers or zero. */
HD_WORD bool
float_is_moderate(unsigned size, uint64_t a)
{
   const uint64_t one = hd_float_one(size) >> hd_float_fraction_bits(size);
   const uint64_t e = hd_float_abs(size, a) >> hd_float_fraction_bits(size);

   return !hd_float_abs(size, a) || (e > one / 2 + 1 && e < one + one / 2 - 1);
}

/* A power of two whose reciprocal is a normal number, as it is one itself. */
HD_WORD bool
exact_reciprocal(unsigned size, uint64_t a)
{
   const unsigned fraction = hd_float_fraction_bits(size);
   const uint64_t one = hd_float_one(size) >> fraction;
   const uint64_t e = hd_float_abs(size, a) >> fraction;

   return !(a & ones(fraction)) && e >= 1 && e < 2 * one;
}

/* Every integer of `size` bits, signed or unsigned, is a float of `float_size` bits. */
HD_WORD bool
exact_int(unsigned size, unsigned float_size)
{
   return size <= hd_float_fraction_bits(float_size) + 1;
}

#endif
