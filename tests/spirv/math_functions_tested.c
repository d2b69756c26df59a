/* SPDX-License-Identifier: MIT */
/* The bounds are those of Vulkan's "Precision and Operation of SPIR-V Instructions" and OpenCL C's
 * "Relative Error as ULPs", full profile, and cl_khr_fp16.
 */
#include <stdint.h>

#include "math_functions_tested.h"

#include <math.h>

#define NONE -1

const struct tested tested_functions[] = {
   /* Vulkan */
   { "radians", MATH_RADIANS, reference_radians, .bound = { 2, 2, 2 } },
   { "degrees", MATH_DEGREES, reference_degrees, .bound = { 2, 2, 2 } },
   { "fast_sin", MATH_FAST_SIN, mpfr_sin, .bound = { NONE, 1, NONE }, .low = -3.1416,
     .high = 3.1416, .absolute = 1 / 2048.0 },
   { "fast_sin", MATH_FAST_SIN, mpfr_sin, .bound = { 1, NONE, NONE }, .low = -3.1416,
     .high = 3.1416, .absolute = 1 / 128.0 },
   { "fast_cos", MATH_FAST_COS, mpfr_cos, .bound = { NONE, 1, NONE }, .low = -3.1416,
     .high = 3.1416, .absolute = 1 / 2048.0 },
   { "fast_cos", MATH_FAST_COS, mpfr_cos, .bound = { 1, NONE, NONE }, .low = -3.1416,
     .high = 3.1416, .absolute = 1 / 128.0 },
   { "fast_asin", MATH_FAST_ASIN, mpfr_asin, .bound = { 5, 4096, NONE }, .low = -1, .high = 1,
     .only_numbers = true },
   { "fast_acos", MATH_FAST_ACOS, mpfr_acos, .bound = { 5, 4096, NONE }, .low = -1, .high = 1,
     .only_numbers = true },
   { "fast_atan", MATH_FAST_ATAN, mpfr_atan, .bound = { 5, 4096, NONE }, .only_numbers = true },
   { "fast_atan2", MATH_FAST_ATAN2, .two = mpfr_atan2, .bound = { 5, 4096, NONE },
     .only_numbers = true },
   { "fast_exp", MATH_FAST_EXP, mpfr_exp, .bound = { NONE, 100, NONE }, .only_numbers = true,
     .low = -80, .high = 80 },
   { "fast_log", MATH_FAST_LOG, mpfr_log, .bound = { 4, 3, NONE }, .only_numbers = true,
     .chip = 0.5 },
   { "fast_log10", MATH_FAST_LOG10, mpfr_log10, .bound = { 4, 4, NONE }, .only_numbers = true },
   { "fast_sinh", MATH_FAST_SINH, mpfr_sinh, .bound = { NONE, 4e-6, NONE }, .absolute = 1,
     .low = -2, .high = 2 },
   { "fast_cosh", MATH_FAST_COSH, mpfr_cosh, .bound = { 3, 100, NONE }, .only_numbers = true,
     .low = -80, .high = 80 },
   { "fast_tanh", MATH_FAST_TANH, mpfr_tanh, .bound = { NONE, 4e-7, NONE }, .absolute = 1,
     .low = -1000, .high = 1000 },
   { "fast_acosh", MATH_FAST_ACOSH, mpfr_acosh, .bound = { 3, 30, NONE }, .only_numbers = true,
     .low = 1.1, .high = 30 },
   { "fast_asinh", MATH_FAST_ASINH, mpfr_asinh, .bound = { NONE, 1e-6, NONE }, .absolute = 1,
     .low = -4, .high = 100 },
   { "fast_atanh", MATH_FAST_ATANH, mpfr_atanh, .bound = { NONE, 1e-6, NONE }, .absolute = 1,
     .low = -0.9, .high = 0.9 },
   { "step", MATH_STEP, .two = reference_step, .bound = { 0, 0, 0 } },
   { "modf", MATH_MODF, mpfr_frac, .bound = { 0, 0, 0 } },
   { "modf whole", MATH_MODF, reference_trunc, .bound = { 0, 0, 0 }, .result = 1 },
   /* exact */
   { "fdim", MATH_FDIM, .two = reference_fdim, .bound = { 0.5, 0.5, 0.5 } },
   { "maxmag", MATH_MAXMAG, .two = reference_maxmag, .bound = { 0, 0, 0 } },
   { "minmag", MATH_MINMAG, .two = reference_minmag, .bound = { 0, 0, 0 } },
   { "round", MATH_ROUND, reference_round, .bound = { 0, 0, 0 } },
   { "logb", MATH_LOGB, reference_logb, .bound = { 0, 0, 0 } },
   { "nextafter", MATH_NEXTAFTER, .two = reference_nextafter16, .bound = { 0, NONE, NONE } },
   { "nextafter", MATH_NEXTAFTER, .two = reference_nextafter32, .bound = { NONE, 0, NONE } },
   { "nextafter", MATH_NEXTAFTER, .two = reference_nextafter64, .bound = { NONE, NONE, 0 } },
   { 0 },
};
