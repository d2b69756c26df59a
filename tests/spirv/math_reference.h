/* SPDX-License-Identifier: MIT */
/* What MPFR says of a function, and how far a number is from it. */
#ifndef TESTS_SPIRV_MATH_REFERENCE_H
#define TESTS_SPIRV_MATH_REFERENCE_H

#include <stdbool.h>
#include <stdint.h>

#include <mpfr.h>

#define REFERENCE_BITS 160

typedef int reference1(mpfr_t r, const mpfr_t x, mpfr_rnd_t rounding);
typedef int reference2(mpfr_t r, const mpfr_t x, const mpfr_t y, mpfr_rnd_t rounding);

/* A number of 16, 32 or 64 bits. */
void reference_decode(mpfr_t x, unsigned bits, uint64_t a);
uint64_t reference_encode(mpfr_t x, unsigned bits);

/* The distance of `got` from `exact` in units of the last place that `exact` has in this size;
 * HUGE_VAL where one is NaN and the other is not, or where zeros that are exact differ in sign.
 */
double reference_ulps(unsigned bits, uint64_t got, mpfr_t exact);
/* The distance itself. */
double reference_distance(unsigned bits, uint64_t got, mpfr_t exact);

/* Functions that MPFR lacks. */
reference1 reference_asinpi, reference_acospi, reference_atanpi, reference_rsqrt, reference_sinpi,
    reference_cospi, reference_tanpi, reference_round, reference_sign_zero, reference_rcp,
    reference_trunc, reference_logb, reference_radians, reference_degrees, reference_lgamma,
    reference_fract;
reference2 reference_atan2pi, reference_powr, reference_fdim, reference_maxmag, reference_minmag,
    reference_divide, reference_nextafter16, reference_nextafter32, reference_nextafter64,
    reference_step;

/* x^n, and the root; n is a number. */
reference2 reference_pown, reference_rootn;

#endif
