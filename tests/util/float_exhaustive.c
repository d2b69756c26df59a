/* SPDX-License-Identifier: MIT */
/* Every 32-bit operand of the functions that are rounded correctly.
 *
 *    float_exhaustive [-s stride] [rcp sqrt rsq exp2 log2 sin cos]
 *
 * exp2, log2, sin and cos find a significand of 64 bits and say how far it may be off
 * (src/util/float_parts.h). They round correctly if no rounding boundary lies that close to it, for
 * any operand: this is counted here, and together with it
 *    - the largest difference from the C library's long double, where that has 64 bits too: it may
 * be off by a few units itself, but knows nothing of our tables, so that a difference larger than
 *      the error allowed for and those few is a failure;
 *    - MPFR's word on those operands whose results come closest to a boundary.
 * The other three have judges of their own: a correctly rounded double, and an inequality. */
#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "float_oracle.h"
#include "util/float_parts.h"

#define CLOSEST 64

/* Units of the last place that we grant the C library. */
#define LONG_DOUBLE_ERROR 4

typedef struct close_call {
   uint64_t distance;
   uint32_t operand;
} close_call;

typedef struct tally {
   uint64_t operands, approximated, failures;
   uint64_t largest_error, largest_difference;
   double smallest_margin; /* distance from a boundary over the error allowed for */
   close_call closest[CLOSEST];
   unsigned closest_count;
} tally;

typedef struct function {
   const char *name;
   oracle_op op;
   float_approx (*approx)(unsigned bits, uint64_t a);
   uint64_t (*rounded)(unsigned bits, uint64_t a);
   long double (*reference)(float x);
   bool (*is_right)(uint32_t a, uint32_t result);
} function;

static float
number(uint32_t a)
{
   float x;
   memcpy(&x, &a, sizeof x);
   return x;
}

static uint32_t
encoding(float x)
{
   uint32_t a;
   memcpy(&a, &x, sizeof a);
   return x != x ? 0x7fc00000 : a;
}

/* References ----------------------------------------------------------------------------------- */

static long double
reference_exp2(float x)
{
   return exp2l(x);
}

static long double
reference_log2(float x)
{
   return log2l(x);
}

/* The operand less its integral part, from -1/2 to 1/2: exact. */
static double
turn(float x)
{
   return (double)x - rint((double)x);
}

static long double
sin_of_part(double t)
{
   return sinl(t * 6.283185307179586476925286766559005768L);
}

static long double
cos_of_part(double t)
{
   return cosl(t * 6.283185307179586476925286766559005768L);
}

/* Angles up to an eighth turn only, and the differences from a quarter or a half are exact. */
static long double
reference_sin(float x)
{
   const double t = turn(x), size = fabs(t);
   const long double s = size <= 0.125   ? sin_of_part(size)
                         : size <= 0.375 ? cos_of_part(0.25 - size)
                                         : sin_of_part(0.5 - size);
   return t < 0 ? -s : s;
}

static long double
reference_cos(float x)
{
   const double size = fabs(turn(x));
   return size <= 0.125   ? cos_of_part(size)
          : size <= 0.375 ? sin_of_part(0.25 - size)
                          : -cos_of_part(0.5 - size);
}

/* A double's 53 bits are more than twice 24 and two, so that rounding a quotient or root to double
 * first changes nothing. */
static bool
rcp_is_right(uint32_t a, uint32_t result)
{
   return encoding((float)(1.0 / (double)number(a))) == result;
}

static bool
sqrt_is_right(uint32_t a, uint32_t result)
{
   return encoding((float)sqrt((double)number(a))) == result;
}

/* With x = X 2^e and y = Y 2^f, both significands integers, y is right if
 * ((2 Y - 1) 2^(f - 1))^2 x < 1 < ((2 Y + 1) 2^(f - 1))^2 x, except that below a power of two the
 * numbers are twice as dense. */
static bool
rsq_is_right(uint32_t a, uint32_t result)
{
   __extension__ typedef unsigned __int128 wide;
   const uint32_t field = a >> 23, result_field = result >> 23;

   if ((a & 0x7fffffff) > 0x7f800000)
      return result == 0x7fc00000;
   if ((a & 0x7fffffff) == 0)
      return result == (a | 0x7f800000);
   if (a >> 31)
      return result == 0x7fc00000;
   if (a == 0x7f800000)
      return result == 0;
   if (result_field == 0 || result_field >= 0xff)
      return false;

   const wide x = field ? (a & 0x7fffff) | 0x800000 : a;
   const int e = (int)(field ? field : 1) - 150, f = (int)result_field - 150;
   const wide y = (result & 0x7fffff) | 0x800000;
   const wide low = y == 0x800000 ? 4 * y - 1 : 4 * y - 2, high = 4 * y + 2;
   return low * low * x < (wide)1 << (4 - 2 * f - e) &&
          (wide)1 << (4 - 2 * f - e) < high * high * x;
}

/* Counting ------------------------------------------------------------------------------------- */

static uint64_t
pack_shifted(float_approx x, int64_t by)
{
   uint64_t sig = x.sig + (uint64_t)by;

   if (by < 0 && sig >> 63 == 0)
      return float_pack(32, x.sign, x.exp - 1, sig << 1, HD_ROUND_NEAREST_EVEN);
   if (by > 0 && sig >> 63 == 0)
      return float_pack(32, x.sign, x.exp + 1, UINT64_C(1) << 63 | sig >> 1, HD_ROUND_NEAREST_EVEN);
   return float_pack(32, x.sign, x.exp, sig, HD_ROUND_NEAREST_EVEN);
}

/* How far sig is from the next point half way between two numbers, in units of its last place. */
static uint64_t
boundary_distance(float_approx x)
{
   const int drop = 40 + (x.exp < -126 ? -126 - x.exp : 0);

   if (drop > 64)
      return UINT64_MAX - x.sig; /* below half the smallest number: 1 is the boundary, or farther */
   const uint64_t half = UINT64_C(1) << (drop - 1);
   const uint64_t rest = drop == 64 ? x.sig : x.sig & (2 * half - 1);
   return rest < half ? half - rest : rest - half;
}

static uint64_t
reference_difference(float_approx x, long double reference)
{
#if LDBL_MANT_DIG == 64
   const long double scaled = ldexpl(fabsl(reference), 63 - x.exp);
   const long double difference = fabsl(scaled - (long double)x.sig);
   return !signbit(reference) == x.sign ? UINT64_MAX : (uint64_t)difference;
#else
   (void)x;
   (void)reference;
   return 0;
#endif
}

static void
remember_close(tally *t, uint64_t distance, uint32_t operand)
{
   if (t->closest_count == CLOSEST && distance >= t->closest[CLOSEST - 1].distance)
      return;

   unsigned i = t->closest_count < CLOSEST ? t->closest_count++ : CLOSEST - 1;
   for (; i && t->closest[i - 1].distance > distance; --i)
      t->closest[i] = t->closest[i - 1];
   t->closest[i] = (close_call){ distance, operand };
}

static bool
check_approximation(const function *f, tally *t, uint32_t a)
{
   const float_approx x = f->approx(32, a);

   if (x.is_exact)
      return true;
   const uint64_t distance = boundary_distance(x);
   const uint64_t difference = reference_difference(x, f->reference(number(a)));
   const double margin = (double)distance / (double)x.error;

   ++t->approximated;
   if (x.error > t->largest_error)
      t->largest_error = x.error;
   if (difference > t->largest_difference)
      t->largest_difference = difference;
   if (margin < t->smallest_margin)
      t->smallest_margin = margin;
   remember_close(t, distance, a);

   const int64_t error = (int64_t)x.error;
   return difference <= x.error + LONG_DOUBLE_ERROR &&
          pack_shifted(x, -error) == pack_shifted(x, error);
}

static bool
check_function(const function *f, uint64_t stride)
{
   tally t = { .smallest_margin = INFINITY };

   for (uint64_t a = 0; a <= UINT32_MAX; a += stride) {
      const uint32_t operand = (uint32_t)a;
      const bool right = f->approx ? check_approximation(f, &t, operand)
                                   : f->is_right(operand, (uint32_t)f->rounded(32, a));
      ++t.operands;
      if (!right && t.failures++ < 10)
         printf("%s: wrong or uncertain of %08" PRIx32 "\n", f->name, operand);
   }
   for (unsigned i = 0; i < t.closest_count; ++i) {
      const uint64_t operands[3] = { t.closest[i].operand, 0, 0 };
      const uint64_t wanted = oracle(f->op, 32, 32, operands, HD_ROUND_NEAREST_EVEN);
      if (f->rounded(32, operands[0]) != wanted) {
         printf("%s: MPFR has %08" PRIx64 " for %08" PRIx64 "\n", f->name, wanted, operands[0]);
         ++t.failures;
      }
   }

   printf("%s: %" PRIu64 " operands, %" PRIu64 " failures", f->name, t.operands, t.failures);
   if (f->approx)
      printf("; %" PRIu64 " approximated, errors allowed up to %" PRIu64
             " units of 2^-63, closest boundary at %" PRIu64 " (operand %08" PRIx32
             "), smallest distance / error %.1f, largest difference from long double %" PRIu64,
             t.approximated, t.largest_error, t.closest[0].distance, t.closest[0].operand,
             t.smallest_margin, t.largest_difference);
   printf("\n");
   fflush(stdout);
   return t.failures == 0;
}

static uint64_t
sqrt_to_nearest(unsigned bits, uint64_t a)
{
   return hd_float_sqrt(bits, a, HD_ROUND_NEAREST_EVEN);
}

static const function functions[] = {
   { "rcp", ORACLE_RCP, NULL, hd_float_rcp, NULL, rcp_is_right },
   { "sqrt", ORACLE_SQRT, NULL, sqrt_to_nearest, NULL, sqrt_is_right },
   { "rsq", ORACLE_RSQ, NULL, hd_float_rsq, NULL, rsq_is_right },
   { "exp2", ORACLE_EXP2, hd_float_approx_exp2, hd_float_exp2, reference_exp2, NULL },
   { "log2", ORACLE_LOG2, hd_float_approx_log2, hd_float_log2, reference_log2, NULL },
   { "sin", ORACLE_SIN, hd_float_approx_sin, hd_float_sin, reference_sin, NULL },
   { "cos", ORACLE_COS, hd_float_approx_cos, hd_float_cos, reference_cos, NULL },
};

static bool
is_asked_for(const char *name, int count, char **names)
{
   bool found = count == 0;

   for (int i = 0; i < count; ++i)
      found |= strcmp(name, names[i]) == 0;
   return found;
}

int
main(int argc, char **argv)
{
   uint64_t stride = 1;
   bool good = true;

   ++argv, --argc;
   if (argc > 1 && strcmp(argv[0], "-s") == 0) {
      stride = strtoull(argv[1], NULL, 0);
      argv += 2, argc -= 2;
   }
   if (!stride)
      return 2;

   oracle_init();
   for (unsigned i = 0; i < sizeof functions / sizeof functions[0]; ++i) {
      if (is_asked_for(functions[i].name, argc, argv))
         good &= check_function(&functions[i], stride);
   }
   oracle_finish();
   return good ? 0 : 1;
}
