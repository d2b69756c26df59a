/* SPDX-License-Identifier: MIT */
/* The functions of OpenCL and GLSL as MPFR computes them. */
#include <stdint.h>

#include "math_reference.h"

#include <math.h>

static unsigned
digits(unsigned bits)
{
   return bits == 16 ? 11 : bits == 32 ? 24 : 53;
}

static int
max_exponent(unsigned bits)
{
   return bits == 16 ? 15 : bits == 32 ? 127 : 1023;
}

void
reference_decode(mpfr_t x, unsigned bits, uint64_t a)
{
   const unsigned fraction_bits = digits(bits) - 1;
   const int sign = a >> (bits - 1) & 1 ? -1 : 1;
   const uint64_t fraction = a & ((UINT64_C(1) << fraction_bits) - 1);
   const int most = 2 * max_exponent(bits) + 1;
   const int field = (int)(a >> fraction_bits & (uint64_t)most);

   if (field == most) {
      if (fraction)
         mpfr_set_nan(x);
      else
         mpfr_set_inf(x, sign);
      return;
   }
   const uint64_t leading = field ? UINT64_C(1) << fraction_bits : 0;
   const int exponent = (field ? field : 1) - max_exponent(bits) - (int)fraction_bits;

   mpfr_set_ui_2exp(x, (unsigned long)(fraction | leading), exponent, MPFR_RNDN);
   if (sign < 0)
      mpfr_neg(x, x, MPFR_RNDN);
}

uint64_t
reference_encode(mpfr_t x, unsigned bits)
{
   const unsigned fraction_bits = digits(bits) - 1;
   const uint64_t infinity = (uint64_t)(2 * max_exponent(bits) + 1) << fraction_bits;
   const uint64_t sign = mpfr_signbit(x) ? UINT64_C(1) << (bits - 1) : 0;
   const int least = 1 - max_exponent(bits) - (int)fraction_bits; /* of the last place */
   uint64_t result;
   mpfr_t scaled;

   if (mpfr_nan_p(x))
      return infinity | UINT64_C(1) << (fraction_bits - 1);
   if (mpfr_inf_p(x))
      return sign | infinity;
   if (mpfr_zero_p(x))
      return sign;
   long unit = mpfr_get_exp(x) - (long)digits(bits);
   if (unit < least)
      unit = least;
   mpfr_init2(scaled, mpfr_get_prec(x));
   mpfr_abs(scaled, x, MPFR_RNDN);
   mpfr_div_2si(scaled, scaled, unit, MPFR_RNDN);
   mpfr_rint(scaled, scaled, MPFR_RNDN);
   result = mpfr_get_ui(scaled, MPFR_RNDN) + ((uint64_t)(unit - least) << fraction_bits);
   mpfr_clear(scaled);
   return sign | (result > infinity ? infinity : result);
}

double
reference_distance(unsigned bits, uint64_t got, mpfr_t exact)
{
   mpfr_t g;

   mpfr_init2(g, mpfr_get_prec(exact));
   reference_decode(g, bits, got);
   mpfr_sub(g, g, exact, MPFR_RNDN);
   const double d = fabs(mpfr_get_d(g, MPFR_RNDN));
   mpfr_clear(g);
   return d;
}

double
reference_ulps(unsigned bits, uint64_t got, mpfr_t exact)
{
   const long least = 2 - max_exponent(bits) - (long)digits(bits);
   mpfr_t g;
   double ulps;

   mpfr_init2(g, mpfr_get_prec(exact));
   reference_decode(g, bits, got);
   if (mpfr_nan_p(g) || mpfr_nan_p(exact)) {
      ulps = mpfr_nan_p(g) && mpfr_nan_p(exact) ? 0 : HUGE_VAL;
   } else if (mpfr_zero_p(exact)) {
      ulps = mpfr_zero_p(g) && !mpfr_signbit(g) == !mpfr_signbit(exact) ? 0 : HUGE_VAL;
   } else if (mpfr_inf_p(exact)) {
      ulps = mpfr_inf_p(g) && !mpfr_signbit(g) == !mpfr_signbit(exact) ? 0 : HUGE_VAL;
   } else {
      /* Infinity stands for the number after the greatest. */
      if (mpfr_inf_p(g))
         mpfr_set_si_2exp(g, mpfr_signbit(g) ? -1 : 1, max_exponent(bits) + 1, MPFR_RNDN);
      long unit = mpfr_get_exp(exact) - (long)digits(bits);
      if (unit < least)
         unit = least;
      if (unit > max_exponent(bits) + 1 - (long)digits(bits)) {
         /* Too large: the right answer is infinity. */
         unit = max_exponent(bits) + 1 - (long)digits(bits);
         mpfr_set_si_2exp(exact, mpfr_signbit(exact) ? -1 : 1, max_exponent(bits) + 1, MPFR_RNDN);
      }
      mpfr_sub(g, g, exact, MPFR_RNDN);
      mpfr_div_2si(g, g, unit, MPFR_RNDN);
      ulps = fabs(mpfr_get_d(g, MPFR_RNDN));
   }
   mpfr_clear(g);
   return ulps;
}

/* Functions ---------------------------------------------------------------------------------- */

static int
over_pi(mpfr_t r)
{
   mpfr_t pi;

   mpfr_init2(pi, mpfr_get_prec(r));
   mpfr_const_pi(pi, MPFR_RNDN);
   mpfr_div(r, r, pi, MPFR_RNDN);
   mpfr_clear(pi);
   return 0;
}

#define OVER_PI(name, function)                                                                    \
   int reference_##name(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)                             \
   {                                                                                               \
      function(r, x, rounding);                                                                    \
      return over_pi(r);                                                                           \
   }

OVER_PI(asinpi, mpfr_asin)
OVER_PI(acospi, mpfr_acos)
OVER_PI(atanpi, mpfr_atan)

int
reference_atan2pi(mpfr_t r, const mpfr_t y, const mpfr_t x, mpfr_rnd_t rounding)
{
   mpfr_atan2(r, y, x, rounding);
   return over_pi(r);
}

int
reference_sinpi(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   mpfr_sinpi(r, x, rounding);
   /* OpenCL: zeros have the sign of x. */
   if (mpfr_zero_p(r))
      mpfr_copysign(r, r, x, rounding);
   return 0;
}

int
reference_cospi(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   mpfr_cospi(r, x, rounding);
   if (mpfr_zero_p(r))
      mpfr_abs(r, r, rounding);
   return 0;
}

int
reference_tanpi(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   return mpfr_tanpi(r, x, rounding);
}

int
reference_rsqrt(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   mpfr_rec_sqrt(r, x, rounding);
   if (mpfr_zero_p(x))
      mpfr_set_inf(r, mpfr_signbit(x) ? -1 : 1);
   return 0;
}

int
reference_rcp(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   return mpfr_ui_div(r, 1, x, rounding);
}

int
reference_divide(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
   return mpfr_div(r, x, y, rounding);
}

int
reference_round(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   (void)rounding;
   return mpfr_round(r, x);
}

int
reference_sign_zero(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   if (mpfr_nan_p(x))
      mpfr_set_zero(r, 1);
   else if (mpfr_zero_p(x))
      mpfr_set(r, x, rounding);
   else
      mpfr_set_si(r, mpfr_signbit(x) ? -1 : 1, rounding);
   return 0;
}

int
reference_trunc(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   (void)rounding;
   return mpfr_trunc(r, x);
}

int
reference_logb(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   if (mpfr_nan_p(x))
      mpfr_set_nan(r);
   else if (mpfr_zero_p(x) || mpfr_inf_p(x))
      mpfr_set_inf(r, mpfr_zero_p(x) ? -1 : 1);
   else
      mpfr_set_si(r, mpfr_get_exp(x) - 1, rounding);
   return 0;
}

int
reference_lgamma(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   int sign;

   return mpfr_lgamma(r, &sign, x, rounding);
}

/* OpenCL's: below 1, and a zero has the sign of x. */
int
reference_fract(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   if (mpfr_nan_p(x)) {
      mpfr_set_nan(r);
   } else if (mpfr_integer_p(x) || mpfr_inf_p(x)) {
      mpfr_set_zero(r, mpfr_signbit(x) ? -1 : 1);
   } else {
      mpfr_floor(r, x);
      mpfr_sub(r, x, r, rounding);
   }
   return 0;
}

int
reference_radians(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   mpfr_const_pi(r, rounding);
   mpfr_div_ui(r, r, 180, rounding);
   return mpfr_mul(r, r, x, rounding);
}

int
reference_degrees(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding)
{
   mpfr_const_pi(r, rounding);
   mpfr_ui_div(r, 180, r, rounding);
   return mpfr_mul(r, r, x, rounding);
}

int
reference_powr(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
   /* 1^NaN is a NaN here. */
   if (mpfr_nan_p(y)) {
      mpfr_set_nan(r);
      return 0;
   }
   return mpfr_powr(r, x, y, rounding);
}

int
reference_pown(mpfr_t r, const mpfr_t x, const mpfr_t n, mpfr_rnd_t rounding)
{
   return mpfr_pow_si(r, x, mpfr_get_si(n, rounding), rounding);
}

int
reference_rootn(mpfr_t r, const mpfr_t x, const mpfr_t n, mpfr_rnd_t rounding)
{
   return mpfr_rootn_si(r, x, mpfr_get_si(n, rounding), rounding);
}

int
reference_fdim(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
   return mpfr_dim(r, x, y, rounding);
}

int
reference_maxmag(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
   const int order = mpfr_nan_p(x) || mpfr_nan_p(y) ? 0 : mpfr_cmpabs(x, y);

   if (order)
      return mpfr_set(r, order > 0 ? x : y, rounding);
   mpfr_max(r, x, y, rounding);
   if (mpfr_zero_p(x) && mpfr_zero_p(y))
      mpfr_setsign(r, r, mpfr_signbit(x) && mpfr_signbit(y), rounding);
   return 0;
}

int
reference_minmag(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
   const int order = mpfr_nan_p(x) || mpfr_nan_p(y) ? 0 : mpfr_cmpabs(x, y);

   if (order)
      return mpfr_set(r, order < 0 ? x : y, rounding);
   mpfr_min(r, x, y, rounding);
   if (mpfr_zero_p(x) && mpfr_zero_p(y))
      mpfr_setsign(r, r, mpfr_signbit(x) || mpfr_signbit(y), rounding);
   return 0;
}

int
reference_step(mpfr_t r, const mpfr_t edge, const mpfr_t x, mpfr_rnd_t rounding)
{
   return mpfr_set_si(r, !mpfr_less_p(x, edge), rounding);
}

static int
nextafter_of(mpfr_t r, unsigned bits, const mpfr_t x, const mpfr_t y)
{
   uint64_t a;

   mpfr_set(r, x, MPFR_RNDN);
   if (mpfr_nan_p(x) || mpfr_nan_p(y)) {
      mpfr_set_nan(r);
   } else if (mpfr_equal_p(x, y)) {
      mpfr_set(r, y, MPFR_RNDN);
   } else if (mpfr_zero_p(x)) {
      reference_decode(r, bits, 1);
      mpfr_copysign(r, r, y, MPFR_RNDN);
   } else {
      a = reference_encode(r, bits);
      a += mpfr_less_p(x, y) == !mpfr_signbit(x) ? 1 : UINT64_MAX;
      reference_decode(r, bits, a);
   }
   return 0;
}

int
reference_nextafter16(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
   (void)rounding;
   return nextafter_of(r, 16, x, y);
}

int
reference_nextafter32(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
   (void)rounding;
   return nextafter_of(r, 32, x, y);
}

int
reference_nextafter64(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding)
{
   (void)rounding;
   return nextafter_of(r, 64, x, y);
}
