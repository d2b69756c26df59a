/* SPDX-License-Identifier: MIT */
/* Functions of integers, in each size, against wide arithmetic: all pairs of 8 bits, edges and
 * random numbers of the others. Functions of vectors against doubles, on numbers whose squares
 * leave the range too.
 */
#include "support/test.h"

#include <stdint.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/build_intrinsics.h"

#include "spirv/math.h"
#include "support/straight.h"

__extension__ typedef __int128 wide;
__extension__ typedef unsigned __int128 uwide;

/* One function on one store ---------------------------------------------------------------------
 */

static hd_shader *
build(enum hd_math function, unsigned bits, const uint8_t *components)
{
   hd_builder b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "values");
   hd_def *params[HD_MATH_MAX_PARAMS], *results[HD_MATH_MAX_RESULTS];
   hd_shader *shader;

   for (unsigned n = 0; n < hd_math_num_params(function); n++)
      params[n] = hd_build_param(&b, components[n], hd_math_param_bits(function, n, bits));
   hd_math_build(&b, function, params, results);
   for (unsigned n = 0; n < hd_math_num_results(function); n++)
      hd_store_global(&b, results[n], hd_imm_u64(&b, 64), 0, 1, 0, 0);
   assert_int_equal(hd_builder_finish(&b, &shader), HD_OK);
   return shader;
}

static unsigned
run(const hd_shader *shader, hd_const_value (*args)[HD_MAX_COMPONENTS],
    hd_const_value (*out)[HD_MAX_COMPONENTS])
{
   const straight_options options = { 0 };

   return straight_run(shader->first_function, (const hd_const_value(*)[HD_MAX_COMPONENTS])args,
                       &options, out, HD_MATH_MAX_RESULTS);
}

/* Integers ---------------------------------------------------------------------------------------
 */

/* Operands are sign extended or not, as the function reads them; the result's low bits count. */
typedef wide integer_function(unsigned bits, wide x, wide y, wide z);

static wide
least(unsigned bits)
{
   return -((wide)1 << (bits - 1));
}

static wide
clamp_to(wide x, wide low, wide high)
{
   return x < low ? low : x > high ? high : x;
}

static wide
all_ones(unsigned bits)
{
   return ((wide)1 << bits) - 1;
}

static wide
clamped(unsigned bits, wide x, wide y, wide z)
{
   (void)bits;
   /* What a lower limit above the upper one gives is nobody's business. */
   return x < y ? (y < z ? y : z) : x < z ? x : z;
}

static wide
half_add(unsigned bits, wide x, wide y, wide z)
{
   (void)bits;
   (void)z;
   return (x + y) >> 1;
}

static wide
half_add_up(unsigned bits, wide x, wide y, wide z)
{
   (void)bits;
   (void)z;
   return (x + y + 1) >> 1;
}

static wide
mad_high(unsigned bits, wide x, wide y, wide z)
{
   return ((wide)((uwide)x * (uwide)y) >> bits) + z;
}

static wide
unsigned_mad_sat(unsigned bits, wide x, wide y, wide z)
{
   const uwide sum = (uwide)x * (uwide)y + (uwide)z;

   return sum > (uwide)all_ones(bits) ? all_ones(bits) : (wide)sum;
}

static wide
signed_mad_sat(unsigned bits, wide x, wide y, wide z)
{
   return clamp_to(x * y + z, least(bits), -least(bits) - 1);
}

static wide
leading_zeros(unsigned bits, wide x, wide y, wide z)
{
   unsigned count = 0;

   (void)y;
   (void)z;
   while (count < bits && !(x >> (bits - 1 - count) & 1))
      count++;
   return count;
}

static wide
trailing_zeros(unsigned bits, wide x, wide y, wide z)
{
   unsigned count = 0;

   (void)y;
   (void)z;
   while (count < bits && !(x >> count & 1))
      count++;
   return count;
}

static wide
ones(unsigned bits, wide x, wide y, wide z)
{
   wide count = 0;

   (void)y;
   (void)z;
   for (unsigned n = 0; n < bits; n++)
      count += x >> n & 1;
   return count;
}

static wide
rotated(unsigned bits, wide x, wide y, wide z)
{
   const unsigned count = (unsigned)y & (bits - 1);

   (void)z;
   return (wide)((uwide)x << count | (uwide)x >> (bits - count));
}

static wide
joined(unsigned bits, wide x, wide y, wide z)
{
   (void)z;
   return (wide)((uwide)x << bits | (uwide)y);
}

static wide
by_mask(unsigned bits, wide zeros, wide ones_from, wide mask)
{
   (void)bits;
   return (zeros & ~mask) | (ones_from & mask);
}

static const struct {
   const char *name;
   enum hd_math function;
   integer_function *reference;
   bool is_signed;
   bool doubles; /* the result has twice the bits: 64 are too many */
} integers[] = {
   { "uclamp", MATH_UCLAMP, clamped, false, false },
   { "iclamp", MATH_ICLAMP, clamped, true, false },
   { "uhadd", MATH_UHADD, half_add, false, false },
   { "ihadd", MATH_IHADD, half_add, true, false },
   { "urhadd", MATH_URHADD, half_add_up, false, false },
   { "irhadd", MATH_IRHADD, half_add_up, true, false },
   { "umad_hi", MATH_UMAD_HI, mad_high, false, false },
   { "imad_hi", MATH_IMAD_HI, mad_high, true, false },
   { "umad_sat", MATH_UMAD_SAT, unsigned_mad_sat, false, false },
   { "imad_sat", MATH_IMAD_SAT, signed_mad_sat, true, false },
   { "clz", MATH_CLZ, leading_zeros, false, false },
   { "ctz", MATH_CTZ, trailing_zeros, false, false },
   { "popcount", MATH_POPCOUNT, ones, false, false },
   { "rotate", MATH_ROTATE, rotated, false, false },
   { "upsample", MATH_UPSAMPLE, joined, false, true },
   { "select_bits", MATH_SELECT_BITS, by_mask, false, false },
};

static wide
as_wide(uint64_t value, unsigned bits, bool is_signed)
{
   if (is_signed && bits < 64 && value >> (bits - 1) & 1)
      return (wide)value - ((wide)1 << bits);
   return is_signed && bits == 64 ? (wide)(int64_t)value : (wide)value;
}

static void
check_integers(const hd_shader *shader, unsigned which, unsigned bits, unsigned result_bits,
               uint64_t x, uint64_t y, uint64_t z)
{
   const uint64_t operands[] = { x, y, z };
   hd_const_value args[HD_MATH_MAX_PARAMS][HD_MAX_COMPONENTS],
       out[HD_MATH_MAX_RESULTS][HD_MAX_COMPONENTS];
   wide w[3];

   for (unsigned n = 0; n < 3; n++) {
      args[n][0] = straight_value(bits, operands[n]);
      w[n] = as_wide(straight_uint(&args[n][0], bits), bits, integers[which].is_signed);
   }
   assert_int_equal(run(shader, args, out), 1);
   const uint64_t got = straight_uint(&out[0][0], result_bits);
   const uint64_t want = (uint64_t)integers[which].reference(bits, w[0], w[1], w[2]) &
                         (~UINT64_C(0) >> (64 - result_bits));
   if (got != want)
      fail_msg("%s of %u bits, %" PRIx64 " %" PRIx64 " %" PRIx64 ": %" PRIx64
               " instead of %" PRIx64,
               integers[which].name, bits, x, y, z, got, want);
}

static void
test_integers(void **cmocka_state)
{
   static const uint8_t one[] = { 1, 1, 1, 1 };
   uint64_t state = 1;

   (void)cmocka_state;
   for (unsigned which = 0; which < sizeof(integers) / sizeof(integers[0]); which++) {
      for (unsigned bits = 8; bits <= (integers[which].doubles ? 32 : 64); bits *= 2) {
         const unsigned result_bits = integers[which].doubles ? 2 * bits : bits;
         hd_shader *shader = build(integers[which].function, bits, one);
         const unsigned pairs = hd_math_num_params(integers[which].function) > 1 ? 256 : 1;
         for (unsigned x = 0; x < 256 && bits == 8; x++) {
            for (unsigned y = 0; y < pairs; y += 3)
               check_integers(shader, which, bits, result_bits, x, y, straight_edge(&state, 8));
         }
         for (unsigned n = 0; n < 3000; n++)
            check_integers(shader, which, bits, result_bits, straight_edge(&state, bits),
                           straight_edge(&state, bits), straight_edge(&state, bits));
         hd_shader_destroy(shader);
      }
   }
}

/* Vectors ----------------------------------------------------------------------------------------
 */

#define MAX_SIZE 4

typedef struct vectors {
   double x[3][MAX_SIZE];
} vectors;

static double
dot(unsigned size, const double *x, const double *y)
{
   double sum = 0;

   for (unsigned n = 0; n < size; n++)
      sum += x[n] * y[n];
   return sum;
}

typedef void vector_function(unsigned size, const vectors *v, double *out);

static void
length_of(unsigned size, const vectors *v, double *out)
{
   out[0] = sqrt(dot(size, v->x[0], v->x[0]));
}

static void
distance_of(unsigned size, const vectors *v, double *out)
{
   double d[MAX_SIZE];

   for (unsigned n = 0; n < size; n++)
      d[n] = v->x[0][n] - v->x[1][n];
   out[0] = sqrt(dot(size, d, d));
}

static void
normalized(unsigned size, const vectors *v, double *out)
{
   for (unsigned n = 0; n < size; n++)
      out[n] = v->x[0][n] / sqrt(dot(size, v->x[0], v->x[0]));
}

static void
faced_forward(unsigned size, const vectors *v, double *out)
{
   for (unsigned n = 0; n < size; n++)
      out[n] = dot(size, v->x[2], v->x[1]) < 0 ? v->x[0][n] : -v->x[0][n];
}

static void
reflected(unsigned size, const vectors *v, double *out)
{
   for (unsigned n = 0; n < size; n++)
      out[n] = v->x[0][n] - 2 * dot(size, v->x[1], v->x[0]) * v->x[1][n];
}

static void
refracted(unsigned size, const vectors *v, double *out)
{
   const double eta = v->x[2][0], d = dot(size, v->x[1], v->x[0]);
   const double k = 1 - eta * eta * (1 - d * d);

   for (unsigned n = 0; n < size; n++)
      out[n] = k < 0 ? 0 : eta * v->x[0][n] - (eta * d + sqrt(k)) * v->x[1][n];
}

static void
mixed(unsigned size, const vectors *v, double *out)
{
   for (unsigned n = 0; n < size; n++)
      out[n] = v->x[0][n] + (v->x[1][n] - v->x[0][n]) * v->x[2][n];
}

static void
smoothed(unsigned size, const vectors *v, double *out)
{
   for (unsigned n = 0; n < size; n++) {
      const double t = (v->x[2][n] - v->x[0][n]) / (v->x[1][n] - v->x[0][n]);
      const double held = t < 0 ? 0 : t > 1 ? 1 : t;
      out[n] = held * held * (3 - 2 * held);
   }
}

static const struct {
   const char *name;
   enum hd_math function;
   vector_function *reference;
   bool scalar;      /* the result */
   bool scalar_last; /* the last operand */
   bool any_range;   /* the squares may leave it */
} vector_rows[] = {
   { "length", MATH_LENGTH, length_of, true, false, false },
   { "distance", MATH_DISTANCE, distance_of, true, false, false },
   { "normalize", MATH_NORMALIZE, normalized, false, false, false },
   { "exact_length", MATH_EXACT_LENGTH, length_of, true, false, true },
   { "exact_distance", MATH_EXACT_DISTANCE, distance_of, true, false, true },
   { "exact_normalize", MATH_EXACT_NORMALIZE, normalized, false, false, true },
   { "face_forward", MATH_FACE_FORWARD, faced_forward, false, false, false },
   { "reflect", MATH_REFLECT, reflected, false, false, false },
   { "refract", MATH_REFRACT, refracted, false, true, false },
   { "mix", MATH_MIX, mixed, false, false, false },
   { "mix_straight", MATH_MIX_STRAIGHT, mixed, false, false, false },
   { "smoothstep", MATH_SMOOTHSTEP, smoothed, false, false, false },
};

static void
check_vectors(const hd_shader *shader, unsigned which, unsigned size, uint64_t *state)
{
   hd_const_value args[HD_MATH_MAX_PARAMS][HD_MAX_COMPONENTS],
       out[HD_MATH_MAX_RESULTS][HD_MAX_COMPONENTS];
   const int scale = vector_rows[which].any_range ? (int)(straight_random(state) % 250) - 125 : 0;
   double want[MAX_SIZE], largest = 0;
   vectors v;

   for (unsigned k = 0; k < 3; k++) {
      for (unsigned n = 0; n < size; n++) {
         const double unit = (double)(straight_random(state) >> 11) / 9007199254740992.0;
         const float x = (float)ldexp(unit - 0.5, scale + (int)(straight_random(state) % 3));
         uint32_t encoding;
         memcpy(&encoding, &x, sizeof(encoding));
         args[k][n] = straight_value(32, encoding);
         v.x[k][n] = x;
         largest = fmax(largest, fabs(x));
      }
   }
   assert_int_equal(run(shader, args, out), 1);
   vector_rows[which].reference(size, &v, want);
   /* What cancels is judged by what it is made of, and a difference is divided by. */
   double magnitude = fmax(largest, 1e-40);
   if (vector_rows[which].reference == normalized)
      magnitude = 1;
   else if (vector_rows[which].reference == reflected || vector_rows[which].reference == refracted)
      magnitude = 1 + 8 * largest * largest * largest;
   else if (vector_rows[which].reference == smoothed)
      magnitude = 1 + largest / fmax(fabs(v.x[1][0] - v.x[0][0]), 1e-6);
   for (unsigned n = 0; n < (vector_rows[which].scalar ? 1 : size); n++) {
      const uint32_t encoding = out[0][n].u32;
      float got;
      memcpy(&got, &encoding, sizeof(got));
      if (vector_rows[which].reference == smoothed && fabs(v.x[1][n] - v.x[0][n]) < 0.01)
         continue;
      if (vector_rows[which].reference == refracted && fabs(want[n]) < 1e-3)
         continue;
      if (!(fabs(got - want[n]) <= 1e-5 * magnitude))
         fail_msg("%s of %u: component %u is %g instead of %g", vector_rows[which].name, size, n,
                  (double)got, want[n]);
   }
}

static void
test_vectors(void **cmocka_state)
{
   uint64_t state = 7;

   (void)cmocka_state;
   for (unsigned which = 0; which < sizeof(vector_rows) / sizeof(vector_rows[0]); which++) {
      for (unsigned size = 1; size <= MAX_SIZE; size++) {
         uint8_t components[HD_MATH_MAX_PARAMS];
         memset(components, (int)size, sizeof(components));
         if (vector_rows[which].scalar_last)
            components[hd_math_num_params(vector_rows[which].function) - 1] = 1;
         hd_shader *shader = build(vector_rows[which].function, 32, components);
         for (unsigned n = 0; n < 2000; n++)
            check_vectors(shader, which, size, &state);
         hd_shader_destroy(shader);
      }
   }
}

/* Infinite components of a vector that is made one long count as ones, the others as zeros. */
static void
test_edges(void **cmocka_state)
{
   static const uint8_t three[] = { 3, 3, 3, 3 };
   static const uint32_t cases[][6] = {
      { 0, 0x80000000, 0, 0, 0x80000000, 0 },
      { 0x7f800000, 0x3f800000, 0, 0x3f800000, 0, 0 },
      { 0x7f7fffff, 0, 0, 0x3f800000, 0, 0 },
      { 1, 0, 0, 0x3f800000, 0, 0 },
   };

   (void)cmocka_state;
   hd_shader *shader = build(MATH_EXACT_NORMALIZE, 32, three);
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      hd_const_value args[1][HD_MAX_COMPONENTS], out[HD_MATH_MAX_RESULTS][HD_MAX_COMPONENTS];
      for (unsigned c = 0; c < 3; c++)
         args[0][c] = straight_value(32, cases[n][c]);
      assert_int_equal(run(shader, args, out), 1);
      for (unsigned c = 0; c < 3; c++)
         assert_int_equal(out[0][c].u32, cases[n][3 + c]);
   }
   hd_shader_destroy(shader);
}

/* One operand of 32 bits; both results. */
static void
test_parts(void **cmocka_state)
{
   static const uint8_t one[] = { 1, 1, 1, 1 };
   static const struct {
      enum hd_math function;
      uint32_t operand, results[2];
   } cases[] = {
      { MATH_ILOGB, 0x3f800000, { 0 } },
      { MATH_ILOGB, 0xc0800000, { 2 } },
      { MATH_ILOGB, 0x00000001, { (uint32_t)-149 } },
      { MATH_ILOGB, 0x80000000, { 0x80000000 } },
      { MATH_ILOGB, 0xff800000, { 0x7fffffff } },
      { MATH_ILOGB, 0x7fc00000, { 0x7fffffff } },
      { MATH_NAN, 0, { 0x7fc00000 } },
      { MATH_NAN, 0x80000123, { 0x7fc00123 } },
      { MATH_FREXP, 0xc1000000, { 0xbf000000, 4 } },
      { MATH_FREXP, 0x80000000, { 0x80000000, 0 } },
      { MATH_MODF, 0xc0200000, { 0xbf000000, 0xc0000000 } },
      { MATH_MODF, 0x7f800000, { 0, 0x7f800000 } },
      { MATH_FRACT, 0xb3000000, { 0x3f7fffff, 0xbf800000 } },
      { MATH_LGAMMA, 0xc0200000, { 0xbd665fd0, (uint32_t)-1 } },
      { MATH_LGAMMA, 0x80000000, { 0x7f800000, (uint32_t)-1 } },
      { MATH_LGAMMA, 0xc0000000, { 0x7f800000, 0 } },
   };

   (void)cmocka_state;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      hd_shader *shader = build(cases[n].function, 32, one);
      hd_const_value args[1][HD_MAX_COMPONENTS], out[HD_MATH_MAX_RESULTS][HD_MAX_COMPONENTS];
      args[0][0] = straight_value(32, cases[n].operand);
      const unsigned num = run(shader, args, out);
      for (unsigned k = 0; k < num; k++) {
         /* Near a zero of the logarithm. */
         const uint32_t off = out[k][0].u32 - cases[n].results[k] + 64;
         if (cases[n].function == MATH_LGAMMA && k == 0 ? off > 128 : off != 64)
            fail_msg("case %u, result %u: %x instead of %x", n, k, out[k][0].u32,
                     cases[n].results[k]);
      }
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers),
      cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_parts),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
