/* SPDX-License-Identifier: MIT */
/* real.h - binary64 by the functions of float.h, nearest even: the same on every host. */
#ifndef HEDDLE_RASTER_REAL_H
#define HEDDLE_RASTER_REAL_H

#include <string.h>

#include "util/float_host.h"

/* The bits of a binary64 number. */
typedef uint64_t real;

#define REAL_ZERO UINT64_C(0)
#define REAL_ONE  UINT64_C(0x3ff0000000000000)

static inline real
real_add(real a, real b)
{
   return hd_float_add(64, a, b, HD_ROUND_NEAREST_EVEN);
}

static inline real
real_sub(real a, real b)
{
   return hd_float_sub(64, a, b, HD_ROUND_NEAREST_EVEN);
}

static inline real
real_mul(real a, real b)
{
   return hd_float_mul(64, a, b, HD_ROUND_NEAREST_EVEN);
}

static inline real
real_div(real a, real b)
{
   return hd_float_div(64, a, b, HD_ROUND_NEAREST_EVEN);
}

/* a * b + c, rounded twice. */
static inline real
real_mad(real a, real b, real c)
{
   return real_add(real_mul(a, b), c);
}

static inline real
real_from_int(int64_t n)
{
   return hd_float_from_int(64, n, HD_ROUND_NEAREST_EVEN);
}

static inline real
real_from_bits(uint32_t bits)
{
   return hd_float_convert(32, 64, bits, HD_ROUND_NEAREST_EVEN);
}

static inline uint32_t
real_to_bits(real a)
{
   return (uint32_t)hd_float_convert(64, 32, a, HD_ROUND_NEAREST_EVEN);
}

static inline real
real_from_float(float f)
{
   uint32_t bits;

   memcpy(&bits, &f, sizeof(bits));
   return real_from_bits(bits);
}

/* Rounded to nearest even, clamped to `bits` bits; NaN gives 0. */
static inline int64_t
real_to_int(real a, unsigned bits)
{
   const uint64_t n = hd_float_to_int(64, a, bits, HD_ROUND_NEAREST_EVEN);
   const uint64_t sign = UINT64_C(1) << (bits - 1);

   return (int64_t)((n ^ sign) - sign);
}

static inline bool
real_is_finite(real a)
{
   return hd_float_abs(64, a) < hd_float_inf(64);
}

/* A sample's position: n / 256. */
static inline real
real_from_fixed(int64_t n)
{
   return hd_float_ldexp(64, real_from_int(n), -8);
}

#endif
