/* SPDX-License-Identifier: MIT */
/* Which function of MPFR is which of ours, and how far apart they may be. */
#ifndef TESTS_SPIRV_MATH_FUNCTIONS_TESTED_H
#define TESTS_SPIRV_MATH_FUNCTIONS_TESTED_H

#include "math_reference.h"
#include "spirv/math.h"

struct tested {
   const char *name;
   enum hd_math function;
   reference1 *one;
   reference2 *two;
   double bound[3];  /* ulps for 16, 32, 64 bits; below 0: there is no such size */
   double chip;      /* ulps that the functions of 32 bits of the machine may add */
   double low, high; /* where it is interesting */
   bool integer;     /* the second operand */
   unsigned result;  /* which one is compared */
   /* Vulkan says nothing of what is no number, and lets denormals be zero. */
   bool only_numbers;
   double absolute; /* not 0: ulps are this, between low and high alone */
};

/* Ends with a row without name. */
extern const struct tested tested_functions[];

#endif
