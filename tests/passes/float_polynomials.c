/* SPDX-License-Identifier: MIT */
/* float_polynomials.c - what lower_float_functions makes of fexp2, flog2, fsin and fcos, beside the exact results.
 *
 *    float_polynomials STEP FIRST
 *
 * lowered.h has the code as C: test_float_polynomials.py writes it. Operands are FIRST, FIRST + STEP, ... below 2^32. A
 * line for each function: its name, how many operands, how many results are not correctly rounded, the largest
 * distance from the exact result in units of its last place, in millionths, and where that is. Exit status 1: a result that a
 * float holds exactly is another one.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "lowered.h"
#include "util/float.h"
#include "util/float_parts.h"

/* How far a number of 32 bits is from a result that no float is, with its sign. */
static double
distance(uint32_t got, float_approx exact)
{
   const int exp = exact.exp < -126 ? -126 : exact.exp;
   const double want = ldexp((double)exact.sig, exact.exp - exp - 40);
   const uint32_t size = got & 0x7fffffff, biased = size >> 23;
   const uint32_t significand = biased ? (size & 0x7fffff) | 0x800000 : size;
   const int unit = (int)(biased ? biased : 1) - 127;

   if (size >= 0x7f800000 || got >> 31 != exact.sign)
      return INFINITY;
   return fabs(ldexp((double)significand, unit - exp) - want);
}

static const struct {
   const char *name;
   uint32_t (*lowered)(uint32_t x);
   uint64_t (*rounded)(unsigned bits, uint64_t x);
   float_approx (*exact)(unsigned bits, uint64_t x);
} functions[] = {
   { "fexp2", lowered_fexp2, hd_float_exp2, hd_float_approx_exp2 },
   { "flog2", lowered_flog2, hd_float_log2, hd_float_approx_log2 },
   { "fsin", lowered_fsin, hd_float_sin, hd_float_approx_sin },
   { "fcos", lowered_fcos, hd_float_cos, hd_float_approx_cos },
};

int
main(int argc, char **argv)
{
   if (argc != 3)
      return 2;
   const uint64_t step = strtoull(argv[1], NULL, 0), first = strtoull(argv[2], NULL, 0);
   int status = 0;

   if (!step)
      return 2;
   for (size_t n = 0; n < sizeof(functions) / sizeof(functions[0]); n++) {
      uint64_t operands = 0, others = 0;
      double most = 0;
      uint32_t where = 0;

      for (uint64_t x = first; x >> 32 == 0; x += step) {
         const uint32_t got = functions[n].lowered((uint32_t)x);
         operands++;
         if (got == functions[n].rounded(32, x))
            continue;
         const float_approx exact = functions[n].exact(32, x);
         const double off = exact.is_exact ? INFINITY : distance(got, exact);
         others++;
         if (off > most) {
            most = off;
            where = (uint32_t)x;
         }
      }
      printf("%s %" PRIu64 " %" PRIu64 " %.0f 0x%08" PRIx32 "\n", functions[n].name, operands,
             others, isinf(most) ? 1e9 : ceil(most * 1e6), where);
      status |= isinf(most);
   }
   return status;
}
