/* SPDX-License-Identifier: MIT */
/* float_host.h - the functions of float.h on the host's floating-point unit, with the same results
 * bit for bit.
 *
 * Who includes this header instead of float.h, and brackets its run like this
 *
 *    const hd_float_env env = hd_float_host_enter();
 *    run(...);    where hd_float_add(32, x, y, HD_ROUND_NEAREST_EVEN) is now the host's sum
 *    hd_float_host_leave(env);
 *
 * gets the same functions by the same names, several times faster where `bits` and the mode are
 * constants at the call. What the host cannot do, or cannot do faster, goes to float.h's integers.
 *
 *   1. Between enter and leave the thread rounds to nearest and keeps denormals, whatever it did
 *      before: games set other modes. Outside, results are not promised. To a compiler, arithmetic
 *      does not depend on the mode, and it may move it past both calls: so between them stands only
 *      the call of a function that does the arithmetic and is not inlined there.
 *   2. The file must not be compiled with -ffast-math (then, the host is left alone) nor with
 *      contraction (the project is built with -ffp-contract=off).
 *   3. The host is used where this header knows how to set its mode: x86 with SSE2, and AArch64.
 *      Elsewhere HD_FLOAT_HOST is 0, and all goes to the integers.
 */
#ifndef HD_UTIL_FLOAT_HOST_H
#define HD_UTIL_FLOAT_HOST_H

#include <float.h>
#include <string.h>

#include "util/float.h"

#if FLT_EVAL_METHOD != 0 || defined(__FAST_MATH__)
#define HD_FLOAT_HOST 0
#elif defined(__SSE2__)
#define HD_FLOAT_HOST 1
#include <emmintrin.h>
#elif defined(__aarch64__)
#define HD_FLOAT_HOST 1
#include <arm_neon.h>
#else
#define HD_FLOAT_HOST 0
#endif

/* The mode that the thread had: MXCSR or FPCR. */
typedef struct hd_float_env {
   uint64_t control;
} hd_float_env;

static inline hd_float_env
hd_float_host_enter(void)
{
   hd_float_env before = { 0 };
#if HD_FLOAT_HOST && defined(__SSE2__)
   before.control = _mm_getcsr();
   _mm_setcsr(0x1f80); /* nearest, no flush to zero, denormals are themselves, no traps */
#elif HD_FLOAT_HOST
   __asm__ volatile("mrs %0, fpcr" : "=r"(before.control));
   __asm__ volatile("msr fpcr, %0" : : "r"(UINT64_C(0)) : "memory");
#endif
   return before;
}

/* Flags that were raised in between are dropped. */
static inline void
hd_float_host_leave(hd_float_env before)
{
#if HD_FLOAT_HOST && defined(__SSE2__)
   _mm_setcsr((unsigned)before.control);
#elif HD_FLOAT_HOST
   __asm__ volatile("msr fpcr, %0" : : "r"(before.control) : "memory");
#else
   (void)before;
#endif
}

#if HD_FLOAT_HOST

/* Bits to numbers and back --------------------------------------------------------------------- */

static inline float
hd_float_host_f32(uint64_t a)
{
   const uint32_t encoding = (uint32_t)a;
   float x;
   memcpy(&x, &encoding, sizeof x);
   return x;
}

static inline double
hd_float_host_f64(uint64_t a)
{
   double x;
   memcpy(&x, &a, sizeof x);
   return x;
}

static inline uint64_t
hd_float_host_bits64(double x)
{
   uint64_t a;
   memcpy(&a, &x, sizeof a);
   return a;
}

/* Results: hosts differ in their NaNs, here there is one. */
static inline uint64_t
hd_float_host_from32(float x)
{
   uint32_t a;
   memcpy(&a, &x, sizeof a);
   return x == x ? a : 0x7fc00000;
}

static inline uint64_t
hd_float_host_from64(double x)
{
   return x == x ? hd_float_host_bits64(x) : UINT64_C(0x7ff8000000000000);
}

/* A 16-bit number as a double. Shifted to the double's fields, its exponent is 1008 too small; the
 * product sets that right, and normalises denormals: it is exact. */
static inline double
hd_float_host_f16(uint64_t a)
{
   const uint64_t magnitude = (a & 0x7fff) << 42, sign = (a & 0x8000) << 48;

   if (magnitude >= UINT64_C(0x7c00) << 42)
      return hd_float_host_f64(sign | UINT64_C(0x7ff) << 52 | (magnitude & UINT64_C(0x3ff) << 42));
   return hd_float_host_f64(sign | magnitude) * 0x1p1008;
}

/* A double rounded to 16 bits, to nearest even. */
static inline uint64_t
hd_float_host_from16(double x)
{
   const uint64_t a = hd_float_host_bits64(x), magnitude = a & (UINT64_MAX >> 1);
   const uint64_t sign = a >> 48 & 0x8000;

   if (magnitude >= UINT64_C(0x40effe0000000000)) /* 65520: half a unit past the largest */
      return magnitude > UINT64_C(0x7ff0000000000000) ? 0x7e00 : sign | 0x7c00;
   if (magnitude < UINT64_C(0x3f10000000000000)) {
      /* A denormal, in units of 2^-24; that is the last place of a double in 2^28's binade. */
      const double sum = hd_float_host_f64(magnitude) + 0x1p28;
      return sign | (hd_float_host_bits64(sum) & 0x7ff);
   }
   const uint64_t odd = magnitude >> 42 & 1;
   const uint64_t rounded = (magnitude + (UINT64_C(1) << 41) - 1 + odd) >> 42;
   return sign | (rounded - (UINT64_C(1008) << 10));
}

static inline double
hd_float_host_sqrt64(double x)
{
#ifdef __SSE2__
   const __m128d v = _mm_set_sd(x);
   return _mm_cvtsd_f64(_mm_sqrt_sd(v, v));
#else
   return vget_lane_f64(vsqrt_f64(vdup_n_f64(x)), 0);
#endif
}

static inline float
hd_float_host_sqrt32(float x)
{
#ifdef __SSE2__
   return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x)));
#else
   return vget_lane_f32(vsqrt_f32(vdup_n_f32(x)), 0);
#endif
}

/* a * b + c for numbers of 24 bits or less with exponents from -149 to 127, as a double that is
 * rounded to odd: if it is not exact, it is the one of its two neighbours whose last bit is set.
 *
 * The product is exact: 48 bits, above 2^-298, below 2^256. Its sum with c is rounded, and `rest`
 * is exactly what that lost (Knuth's two-sum: six operations, no condition on sizes). If it lost
 * anything and the last bit is clear, then the exact result lies between the sum and its neighbour
 * in the direction of `rest`, whose last bit is set.
 *
 * Rounding that to a format of at most 24 bits equals rounding the exact result, since the double
 * has two more bits at least than the format, denormals included: a number of the format, or one
 * half way between two, has the last bit clear as a double, so the odd neighbour lies strictly on
 * the same side of all of them as the exact result.
 *
 * Infinities and NaNs make `rest` NaN; they are right as they are. */
static inline double
hd_float_host_fma_to_odd(double a, double b, double c)
{
   const double product = a * b, sum = product + c;
   const double part = sum - product;
   const double rest = (product - (sum - part)) + (c - part);
   uint64_t encoding = hd_float_host_bits64(sum);

   if (rest == 0 || rest != rest || (encoding & 1))
      return sum;
   encoding += (rest > 0) == (sum > 0) ? 1 : UINT64_MAX;
   return hd_float_host_f64(encoding);
}

/* The functions -------------------------------------------------------------------------------- */

/* 16 bits go through double, where sums have at most 42 bits and products 22: both are exact, and
 * only the last step rounds. A quotient or root of 11-bit significands that is not itself half way
 * between two numbers of the format is away from there by more than 2^-26 of its size (a / b - m is
 * (a - m b) / b, a whole number of units of a product with 11 + 12 bits; sqrt(a) - m is
 * (a - m^2) / (sqrt(a) + m) likewise, with 24 bits), and rounding to double moves it by 2^-53. */
#define HD_FLOAT_HOST_BINARY(name, operation)                                                      \
   static inline uint64_t hd_float_host_##name(unsigned bits, uint64_t a, uint64_t b, hd_round r)  \
   {                                                                                               \
      if (r != HD_ROUND_NEAREST_EVEN)                                                              \
         return hd_float_##name(bits, a, b, r);                                                    \
      if (bits == 16)                                                                              \
         return hd_float_host_from16(hd_float_host_f16(a) operation hd_float_host_f16(b));         \
      if (bits == 32)                                                                              \
         return hd_float_host_from32(hd_float_host_f32(a) operation hd_float_host_f32(b));         \
      return hd_float_host_from64(hd_float_host_f64(a) operation hd_float_host_f64(b));            \
   }

HD_FLOAT_HOST_BINARY(add, +)
HD_FLOAT_HOST_BINARY(sub, -)
HD_FLOAT_HOST_BINARY(mul, *)
HD_FLOAT_HOST_BINARY(div, /)
#undef HD_FLOAT_HOST_BINARY

static inline uint64_t
hd_float_host_fma(unsigned bits, uint64_t a, uint64_t b, uint64_t c, hd_round r)
{
   if (r == HD_ROUND_NEAREST_EVEN && bits == 16)
      return hd_float_host_from16(hd_float_host_fma_to_odd(
          hd_float_host_f16(a), hd_float_host_f16(b), hd_float_host_f16(c)));
   if (r == HD_ROUND_NEAREST_EVEN && bits == 32)
      return hd_float_host_from32((float)hd_float_host_fma_to_odd((double)hd_float_host_f32(a),
                                                                  (double)hd_float_host_f32(b),
                                                                  (double)hd_float_host_f32(c)));
   return hd_float_fma(bits, a, b, c, r);
}

static inline uint64_t
hd_float_host_sqrt(unsigned bits, uint64_t a, hd_round r)
{
   if (r != HD_ROUND_NEAREST_EVEN)
      return hd_float_sqrt(bits, a, r);
   if (bits == 16)
      return hd_float_host_from16(hd_float_host_sqrt64(hd_float_host_f16(a)));
   if (bits == 32)
      return hd_float_host_from32(hd_float_host_sqrt32(hd_float_host_f32(a)));
   return hd_float_host_from64(hd_float_host_sqrt64(hd_float_host_f64(a)));
}

static inline uint64_t
hd_float_host_rcp(unsigned bits, uint64_t a)
{
   return hd_float_host_div(bits, hd_float_one(bits), a, HD_ROUND_NEAREST_EVEN);
}

static inline bool
hd_float_host_lt(unsigned bits, uint64_t a, uint64_t b)
{
   if (bits == 16)
      return hd_float_lt(bits, a, b);
   return bits == 32 ? hd_float_host_f32(a) < hd_float_host_f32(b)
                     : hd_float_host_f64(a) < hd_float_host_f64(b);
}

static inline bool
hd_float_host_le(unsigned bits, uint64_t a, uint64_t b)
{
   if (bits == 16)
      return hd_float_le(bits, a, b);
   return bits == 32 ? hd_float_host_f32(a) <= hd_float_host_f32(b)
                     : hd_float_host_f64(a) <= hd_float_host_f64(b);
}

static inline bool
hd_float_host_eq(unsigned bits, uint64_t a, uint64_t b)
{
   if (bits == 16)
      return hd_float_eq(bits, a, b);
   return bits == 32 ? hd_float_host_f32(a) == hd_float_host_f32(b)
                     : hd_float_host_f64(a) == hd_float_host_f64(b);
}

/* Widening is exact; from 64 bits to 32 the host rounds once, from either to 16 as above. */
static inline uint64_t
hd_float_host_convert(unsigned from_bits, unsigned to_bits, uint64_t a, hd_round r)
{
   if (r != HD_ROUND_NEAREST_EVEN)
      return hd_float_convert(from_bits, to_bits, a, r);

   const double x = from_bits == 16   ? hd_float_host_f16(a)
                    : from_bits == 32 ? (double)hd_float_host_f32(a)
                                      : hd_float_host_f64(a);
   return to_bits == 16   ? hd_float_host_from16(x)
          : to_bits == 32 ? hd_float_host_from32((float)x)
                          : hd_float_host_from64(x);
}

static inline uint64_t
hd_float_host_from_int(unsigned bits, int64_t a, hd_round r)
{
   if (r != HD_ROUND_NEAREST_EVEN || bits == 16)
      return hd_float_from_int(bits, a, r);
   return bits == 32 ? hd_float_host_from32((float)a) : hd_float_host_from64((double)a);
}

static inline uint64_t
hd_float_host_from_uint(unsigned bits, uint64_t a, hd_round r)
{
   return a <= INT64_MAX ? hd_float_host_from_int(bits, (int64_t)a, r)
                         : hd_float_from_uint(bits, a, r);
}

static inline uint64_t
hd_float_host_fract(unsigned bits, uint64_t a)
{
   const uint64_t floor = hd_float_floor(bits, a), one = hd_float_one(bits);
   const uint64_t fract = hd_float_host_sub(bits, a, floor, HD_ROUND_NEAREST_EVEN);
   return fract == one ? one - 1 : fract;
}

/* To 32 bits and fewer, cut: all that is in range fits the host's signed 64-bit conversion. */
static inline uint64_t
hd_float_host_to_int(unsigned float_bits, uint64_t a, unsigned int_bits, hd_round r)
{
   if (r != HD_ROUND_ZERO || int_bits > 32 || float_bits == 16)
      return hd_float_to_int(float_bits, a, int_bits, r);

   const double x = float_bits == 32 ? (double)hd_float_host_f32(a) : hd_float_host_f64(a);
   const int64_t highest = (INT64_C(1) << (int_bits - 1)) - 1, lowest = -highest - 1;
   const int64_t integer = x != x                 ? 0
                           : x >= (double)highest ? highest
                           : x <= (double)lowest  ? lowest
                                                  : (int64_t)x;
   return (uint64_t)integer & (UINT64_MAX >> (64 - int_bits));
}

static inline uint64_t
hd_float_host_to_uint(unsigned float_bits, uint64_t a, unsigned int_bits, hd_round r)
{
   if (r != HD_ROUND_ZERO || int_bits > 32 || float_bits == 16)
      return hd_float_to_uint(float_bits, a, int_bits, r);

   const double x = float_bits == 32 ? (double)hd_float_host_f32(a) : hd_float_host_f64(a);
   const int64_t highest = (INT64_C(1) << int_bits) - 1;
   const int64_t integer = !(x > 0) ? 0 : x >= (double)highest ? highest : (int64_t)x;
   return (uint64_t)integer;
}

/* From here on the plain names mean these. */
#define hd_float_add(bits, a, b, r)      hd_float_host_add(bits, a, b, r)
#define hd_float_sub(bits, a, b, r)      hd_float_host_sub(bits, a, b, r)
#define hd_float_mul(bits, a, b, r)      hd_float_host_mul(bits, a, b, r)
#define hd_float_div(bits, a, b, r)      hd_float_host_div(bits, a, b, r)
#define hd_float_fma(bits, a, b, c, r)   hd_float_host_fma(bits, a, b, c, r)
#define hd_float_sqrt(bits, a, r)        hd_float_host_sqrt(bits, a, r)
#define hd_float_rcp(bits, a)            hd_float_host_rcp(bits, a)
#define hd_float_lt(bits, a, b)          hd_float_host_lt(bits, a, b)
#define hd_float_le(bits, a, b)          hd_float_host_le(bits, a, b)
#define hd_float_eq(bits, a, b)          hd_float_host_eq(bits, a, b)
#define hd_float_convert(from, to, a, r) hd_float_host_convert(from, to, a, r)
#define hd_float_from_int(bits, a, r)    hd_float_host_from_int(bits, a, r)
#define hd_float_from_uint(bits, a, r)   hd_float_host_from_uint(bits, a, r)
#define hd_float_fract(bits, a)          hd_float_host_fract(bits, a)
#define hd_float_to_int(bits, a, n, r)   hd_float_host_to_int(bits, a, n, r)
#define hd_float_to_uint(bits, a, n, r)  hd_float_host_to_uint(bits, a, n, r)

#endif
#endif
