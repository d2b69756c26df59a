/* SPDX-License-Identifier: MIT */
/* float.h - softfloat: correctly rounded binary floating point in 16, 32 and 64 bits, the same on
 * every host.
 *
 *    bits   sign  exponent  fraction    largest          smallest normal  smallest
 *    16     1     5         10          65504            2^-14            2^-24
 *    32     1     8         23          (2 - 2^-23)2^127  2^-126           2^-149
 *    64     1     11        52          (2 - 2^-52)2^1023 2^-1022          2^-1074
 *
 * A number is its IEEE 754 encoding in the low `bits` bits of a uint64_t. Results have zeros above
 * them; what operands have above them is ignored. `bits` is 16, 32 or 64, and giving anything else
 * is a mistake of the caller: no undefined behaviour, but no meaning either.
 *
 * Everything here is integer arithmetic. It needs no libm, reads no rounding mode or flush-to-zero
 * bit of the calling thread (games set both), and raises no flags. float_host.h has the same
 * functions on the host's floating-point unit, for callers that run them by the million.
 *
 * What holds for all functions:
 *
 *   1. A result is the exact mathematical result, rounded once in the mode `r`, or to nearest even
 *      where a function has no mode. Denormals are numbers like all others, as operands and as
 *      results: who wants them flushed calls hd_float_flush before and after.
 *   2. A result that is not a number is the quiet NaN 0x7e00, 0x7fc00000, 0x7ff8000000000000,
 *      whatever NaN came in: payloads and signs are not carried on. Only hd_float_abs, hd_float_neg
 *      and hd_float_flush, which work on the sign or on the encoding, hand a NaN through.
 *   3. Signaling NaNs are NaNs.
 *   4. Past the largest number, nearest gives infinity; zero gives the largest number of that sign;
 *      up gives +infinity and the lowest number; down gives the largest number and -infinity.
 *      "Past" means that the result would exceed the largest number if the exponent had no limit.
 *   5. A result too small for the smallest number rounds like all others, to zero or to that
 *      number, and keeps its sign.
 */
#ifndef HD_UTIL_FLOAT_H
#define HD_UTIL_FLOAT_H

#include <stdbool.h>
#include <stdint.h>

typedef enum hd_round {
   HD_ROUND_NEAREST_EVEN, /* the nearer one; of two equally near, the one with an even last bit */
   HD_ROUND_ZERO,         /* the next one whose magnitude is not larger */
   HD_ROUND_UP,           /* the next one that is not smaller */
   HD_ROUND_DOWN          /* the next one that is not larger */
} hd_round;

/* Encodings ------------------------------------------------------------------------------------ */

static inline unsigned
hd_float_fraction_bits(unsigned bits)
{
   return bits == 16 ? 10 : bits == 32 ? 23 : 52;
}

static inline uint64_t
hd_float_sign_bit(unsigned bits)
{
   return bits == 16 ? 0x8000 : bits == 32 ? 0x80000000 : UINT64_C(1) << 63;
}

/* +infinity; the largest number is one less, every NaN's magnitude is more. */
static inline uint64_t
hd_float_inf(unsigned bits)
{
   return bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : UINT64_C(0x7ff0000000000000);
}

static inline uint64_t
hd_float_nan(unsigned bits)
{
   return bits == 16 ? 0x7e00 : bits == 32 ? 0x7fc00000 : UINT64_C(0x7ff8000000000000);
}

static inline uint64_t
hd_float_one(unsigned bits)
{
   return bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : UINT64_C(0x3ff0000000000000);
}

/* The sign bit cleared, or turned over; of a NaN too, whose other bits stay. */
static inline uint64_t
hd_float_abs(unsigned bits, uint64_t a)
{
   return a & (hd_float_sign_bit(bits) - 1);
}

static inline uint64_t
hd_float_neg(unsigned bits, uint64_t a)
{
   const uint64_t sign = hd_float_sign_bit(bits);
   return (a & (sign | (sign - 1))) ^ sign;
}

static inline bool
hd_float_sign(unsigned bits, uint64_t a)
{
   return (a & hd_float_sign_bit(bits)) != 0;
}

static inline bool
hd_float_is_nan(unsigned bits, uint64_t a)
{
   return hd_float_abs(bits, a) > hd_float_inf(bits);
}

static inline bool
hd_float_is_inf(unsigned bits, uint64_t a)
{
   return hd_float_abs(bits, a) == hd_float_inf(bits);
}

/* True between zero and the smallest normal number; zeros are none. */
static inline bool
hd_float_is_denorm(unsigned bits, uint64_t a)
{
   const uint64_t magnitude = hd_float_abs(bits, a);
   return magnitude != 0 && magnitude >> hd_float_fraction_bits(bits) == 0;
}

/* A denormal becomes zero of its sign; everything else, NaNs too, stays as it is. */
static inline uint64_t
hd_float_flush(unsigned bits, uint64_t a)
{
   const uint64_t sign = hd_float_sign_bit(bits);
   return a & (hd_float_is_denorm(bits, a) ? sign : sign | (sign - 1));
}

/* Comparison ----------------------------------------------------------------------------------- */

/* -0 equals +0. With a NaN on either side lt, le and eq are false and unordered is true. */

static inline bool
hd_float_unordered(unsigned bits, uint64_t a, uint64_t b)
{
   return hd_float_is_nan(bits, a) || hd_float_is_nan(bits, b);
}

/* Signed integers in the order of the numbers, with one zero. NaNs lie outside the infinities. */
static inline int64_t
hd_float_order(unsigned bits, uint64_t a)
{
   const int64_t magnitude = (int64_t)hd_float_abs(bits, a);
   return hd_float_sign(bits, a) ? -magnitude : magnitude;
}

static inline bool
hd_float_lt(unsigned bits, uint64_t a, uint64_t b)
{
   return !hd_float_unordered(bits, a, b) && hd_float_order(bits, a) < hd_float_order(bits, b);
}

static inline bool
hd_float_le(unsigned bits, uint64_t a, uint64_t b)
{
   return !hd_float_unordered(bits, a, b) && hd_float_order(bits, a) <= hd_float_order(bits, b);
}

static inline bool
hd_float_eq(unsigned bits, uint64_t a, uint64_t b)
{
   return !hd_float_unordered(bits, a, b) && hd_float_order(bits, a) == hd_float_order(bits, b);
}

/* minimumNumber and maximumNumber of IEEE 754-2019: a number wins over a NaN, a signaling one too;
 * two NaNs give the NaN; -0 is less than +0. Both are commutative and associative. */

static inline uint64_t
hd_float_min(unsigned bits, uint64_t a, uint64_t b)
{
   if (hd_float_is_nan(bits, a))
      a = hd_float_is_nan(bits, b) ? hd_float_nan(bits) : b;
   else if (!hd_float_is_nan(bits, b)) {
      const int64_t x = hd_float_order(bits, a), y = hd_float_order(bits, b);
      if (y < x || (y == x && hd_float_sign(bits, b)))
         a = b;
   }
   return a & (hd_float_sign_bit(bits) | (hd_float_sign_bit(bits) - 1));
}

static inline uint64_t
hd_float_max(unsigned bits, uint64_t a, uint64_t b)
{
   if (hd_float_is_nan(bits, a))
      a = hd_float_is_nan(bits, b) ? hd_float_nan(bits) : b;
   else if (!hd_float_is_nan(bits, b)) {
      const int64_t x = hd_float_order(bits, a), y = hd_float_order(bits, b);
      if (x < y || (y == x && hd_float_sign(bits, a)))
         a = b;
   }
   return a & (hd_float_sign_bit(bits) | (hd_float_sign_bit(bits) - 1));
}

/* The nearest number in [0, 1]; a NaN and -0 give +0. */
static inline uint64_t
hd_float_saturate(unsigned bits, uint64_t a)
{
   if (hd_float_is_nan(bits, a) || hd_float_sign(bits, a))
      return 0;
   a = hd_float_abs(bits, a);
   return a < hd_float_one(bits) ? a : hd_float_one(bits);
}

/* Arithmetic ----------------------------------------------------------------------------------- */

/* Infinities of unlike signs add to NaN. A sum of two numbers that is exactly zero is +0, or -0
 * when rounding down; but the sum of two zeros of the same sign has that sign, in every mode.
 * a - b is a + (-b). */
uint64_t hd_float_add(unsigned bits, uint64_t a, uint64_t b, hd_round r);
uint64_t hd_float_sub(unsigned bits, uint64_t a, uint64_t b, hd_round r);

/* The sign is always that of the operands' signs multiplied. 0 * inf is NaN. */
uint64_t hd_float_mul(unsigned bits, uint64_t a, uint64_t b, hd_round r);

/* The sign likewise. 0 / 0 and inf / inf are NaN; anything else over zero is infinity, over
 * infinity zero. */
uint64_t hd_float_div(unsigned bits, uint64_t a, uint64_t b, hd_round r);

/* a * b + c, rounded once. 0 * inf + c is NaN, also if c is; exact zeros are signed as by add. */
uint64_t hd_float_fma(unsigned bits, uint64_t a, uint64_t b, uint64_t c, hd_round r);

/* sqrt(-0) is -0; of anything else below zero, NaN. */
uint64_t hd_float_sqrt(unsigned bits, uint64_t a, hd_round r);

/* Functions, rounded to nearest even ----------------------------------------------------------- */

/* Correctly rounded in all formats.
 *    rcp   ±0 -> ±inf   ±inf -> ±0
 *    rsq   ±0 -> ±inf   +inf -> +0   below zero -> NaN */
uint64_t hd_float_rcp(unsigned bits, uint64_t a);
uint64_t hd_float_rsq(unsigned bits, uint64_t a);

/* Correctly rounded in 16 and 32 bits. There is no 64-bit form: with bits = 64 they return NaN.
 * sin and cos take turns: sin(x) is the sine of 2 pi x.
 *    exp2  ±0 -> 1   -inf -> +0   +inf -> +inf   an integer -> exactly that power of two
 *    log2  ±0 -> -inf   1 -> +0   +inf -> +inf   below zero -> NaN   2^n -> exactly n
 *    sin   ±inf -> NaN   a multiple of 1/2, zeros too -> zero with the operand's sign
 *          an odd multiple of 1/4 -> exactly 1 or -1
 *    cos   ±inf -> NaN   an odd multiple of 1/4 -> +0   a multiple of 1/2 -> exactly 1 or -1 */
uint64_t hd_float_exp2(unsigned bits, uint64_t a);
uint64_t hd_float_log2(unsigned bits, uint64_t a);
uint64_t hd_float_sin(unsigned bits, uint64_t a);
uint64_t hd_float_cos(unsigned bits, uint64_t a);

/* Integral values, exponents ------------------------------------------------------------------- */

/* The integral number next to `a` in the mode `r`. The sign stays, of zero results too: floor(-0)
 * and ceil(-0.5) are -0. Infinities are integral. */
uint64_t hd_float_round(unsigned bits, uint64_t a, hd_round r);

static inline uint64_t
hd_float_floor(unsigned bits, uint64_t a)
{
   return hd_float_round(bits, a, HD_ROUND_DOWN);
}

static inline uint64_t
hd_float_ceil(unsigned bits, uint64_t a)
{
   return hd_float_round(bits, a, HD_ROUND_UP);
}

static inline uint64_t
hd_float_trunc(unsigned bits, uint64_t a)
{
   return hd_float_round(bits, a, HD_ROUND_ZERO);
}

static inline uint64_t
hd_float_rint(unsigned bits, uint64_t a)
{
   return hd_float_round(bits, a, HD_ROUND_NEAREST_EVEN);
}

/* a - floor(a) in [0, 1), rounded to nearest even among the numbers below 1: of a tiny negative,
 * where a - floor(a) would round to 1, it is the largest number below 1 (0x3bff, 0x3f7fffff,
 * 0x3fefffffffffffff). Integral numbers and zeros of either sign give +0, infinities NaN. */
uint64_t hd_float_fract(unsigned bits, uint64_t a);

/* a * 2^e to nearest even, rounded once; any e. Zeros and infinities stay. */
uint64_t hd_float_ldexp(unsigned bits, uint64_t a, int32_t e);

/* a = sig * 2^exp with 1/2 <= |sig| < 1, denormals too. The sig of a zero or an infinity is that
 * operand, of a NaN the NaN; their exp is 0. */
uint64_t hd_float_frexp_sig(unsigned bits, uint64_t a);
int32_t hd_float_frexp_exp(unsigned bits, uint64_t a);

/* Conversion ----------------------------------------------------------------------------------- */

/* From one format to another, or to the same (which changes NaNs only). */
uint64_t hd_float_convert(unsigned from_bits, unsigned to_bits, uint64_t a, hd_round r);

/* From an integer; 0 gives +0. 65520 and more do not fit into 16 bits: rule 4. */
uint64_t hd_float_from_int(unsigned bits, int64_t a, hd_round r);
uint64_t hd_float_from_uint(unsigned bits, uint64_t a, hd_round r);

/* To an integer of int_bits (1 to 64), rounded to an integral value in the mode `r` first. What
 * lies outside the range, infinities too, gives the nearer end of the range, NaN gives 0. The
 * result is in the low int_bits bits, two's complement for to_int, with zeros above them. */
uint64_t hd_float_to_int(unsigned float_bits, uint64_t a, unsigned int_bits, hd_round r);
uint64_t hd_float_to_uint(unsigned float_bits, uint64_t a, unsigned int_bits, hd_round r);

#endif
