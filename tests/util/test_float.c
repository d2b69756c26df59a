/* SPDX-License-Identifier: MIT */
/* The exact float functions against MPFR.
 *
 *    test_float                     every 16-bit operand; edges and random ones of 32 and 64 bits
 *    HEDDLE_FLOAT_COUNT=n           n random operands for each function, format and mode
 *    HEDDLE_SEED=n                  the seed of a run that failed
 */
#include "support/test.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "float_oracle.h"
#include "float_samples.h"
#include "util/float_parts.h"

static uint64_t seed;
static unsigned count = 50000;

static const unsigned formats[] = { 16, 32, 64 };
#define FOREACH_FORMAT(bits) for (unsigned f_ = 0, bits = 16; f_ < 3; bits = formats[++f_ % 3])
#define FOREACH_ROUND(r)                                                                           \
   for (hd_round r = HD_ROUND_NEAREST_EVEN; r <= HD_ROUND_DOWN; r = (hd_round)(r + 1))

static void
expect(const char *what, unsigned bits, const uint64_t a[3], int r, uint64_t got, uint64_t wanted)
{
   if (got != wanted)
      fail_msg("%s, %u bits, mode %d, of %" PRIx64 " %" PRIx64 " %" PRIx64 ": got %" PRIx64
               ", expected %" PRIx64 " (HEDDLE_SEED=%" PRIu64 ")",
               what, bits, r, a[0], a[1], a[2], got, wanted, seed);
}

/* One name for functions of one to three operands, with and without a mode. */
static uint64_t
apply(oracle_op op, unsigned bits, const uint64_t a[3], hd_round r)
{
   switch (op) {
   case ORACLE_ADD:
      return hd_float_add(bits, a[0], a[1], r);
   case ORACLE_SUB:
      return hd_float_sub(bits, a[0], a[1], r);
   case ORACLE_MUL:
      return hd_float_mul(bits, a[0], a[1], r);
   case ORACLE_DIV:
      return hd_float_div(bits, a[0], a[1], r);
   case ORACLE_FMA:
      return hd_float_fma(bits, a[0], a[1], a[2], r);
   case ORACLE_SQRT:
      return hd_float_sqrt(bits, a[0], r);
   case ORACLE_RCP:
      return hd_float_rcp(bits, a[0]);
   case ORACLE_RSQ:
      return hd_float_rsq(bits, a[0]);
   case ORACLE_EXP2:
      return hd_float_exp2(bits, a[0]);
   case ORACLE_LOG2:
      return hd_float_log2(bits, a[0]);
   case ORACLE_SIN:
      return hd_float_sin(bits, a[0]);
   case ORACLE_COS:
      return hd_float_cos(bits, a[0]);
   case ORACLE_ROUND:
      return hd_float_round(bits, a[0], r);
   case ORACLE_CONVERT:
      break;
   }
   return hd_float_convert(bits, bits, a[0], r);
}

static const struct {
   oracle_op op;
   const char *name;
   unsigned operands;
   bool has_mode, has_64;
} functions[] = {
   { ORACLE_ADD, "add", 2, true, true },     { ORACLE_SUB, "sub", 2, true, true },
   { ORACLE_MUL, "mul", 2, true, true },     { ORACLE_DIV, "div", 2, true, true },
   { ORACLE_FMA, "fma", 3, true, true },     { ORACLE_SQRT, "sqrt", 1, true, true },
   { ORACLE_RCP, "rcp", 1, false, true },    { ORACLE_RSQ, "rsq", 1, false, true },
   { ORACLE_EXP2, "exp2", 1, false, false }, { ORACLE_LOG2, "log2", 1, false, false },
   { ORACLE_SIN, "sin", 1, false, false },   { ORACLE_COS, "cos", 1, false, false },
   { ORACLE_ROUND, "round", 1, true, true }, { ORACLE_CONVERT, "convert", 1, true, true },
};
#define FUNCTION_COUNT (sizeof functions / sizeof functions[0])

static void
check(unsigned function, unsigned bits, const uint64_t a[3])
{
   const oracle_op op = functions[function].op;

   FOREACH_ROUND(r)
   {
      if (r != HD_ROUND_NEAREST_EVEN && !functions[function].has_mode)
         break;
      expect(functions[function].name, bits, a, r, apply(op, bits, a, r),
             oracle(op, bits, bits, a, r));
   }
}

static void
test_every_half(void **state)
{
   (void)state;
   for (unsigned i = 0; i < FUNCTION_COUNT; ++i) {
      if (functions[i].operands != 1)
         continue;
      for (uint64_t a = 0; a < 0x10000; ++a)
         check(i, 16, (uint64_t[3]){ a, 0, 0 });
   }
}

static void
test_edges(void **state)
{
   (void)state;
   FOREACH_FORMAT(bits)
   {
      uint64_t edges[SAMPLE_EDGES];
      const unsigned n = sample_edges(bits, edges);

      for (unsigned i = 0; i < FUNCTION_COUNT; ++i) {
         if (bits == 64 && !functions[i].has_64)
            continue;
         /* All pairs; of triples a third of the edges, a different one for each pair. */
         for (unsigned x = 0; x < n; ++x) {
            for (unsigned y = 0; y < (functions[i].operands > 1 ? n : 1); ++y) {
               for (unsigned z = (x + y) % 3; z < (functions[i].operands > 2 ? n : 3); z += 3)
                  check(i, bits, (uint64_t[3]){ edges[x], edges[y], edges[z] });
            }
         }
      }
   }
}

static void
test_random(void **state)
{
   (void)state;
   uint64_t random = seed;

   FOREACH_FORMAT(bits)
   {
      for (unsigned i = 0; i < FUNCTION_COUNT; ++i) {
         if (bits == 64 && !functions[i].has_64)
            continue;
         for (unsigned k = 0; k < count; ++k) {
            uint64_t a[3];
            sample_triple(&random, bits, a);
            check(i, bits, a);
         }
      }
   }
}

static void
check_conversions(unsigned bits, uint64_t a)
{
   const uint64_t operands[3] = { a, 0, 0 };

   FOREACH_ROUND(r)
   {
      FOREACH_FORMAT(to)
      expect("convert to another", to, operands, r, hd_float_convert(bits, to, a, r),
             oracle(ORACLE_CONVERT, bits, to, operands, r));

      static const unsigned int_bits[] = { 1, 8, 16, 24, 32, 63, 64 };
      for (unsigned i = 0; i < sizeof int_bits / sizeof int_bits[0]; ++i) {
         expect("to_int", bits, operands, r, hd_float_to_int(bits, a, int_bits[i], r),
                oracle_to_int(bits, a, true, int_bits[i], r));
         expect("to_uint", bits, operands, r, hd_float_to_uint(bits, a, int_bits[i], r),
                oracle_to_int(bits, a, false, int_bits[i], r));
      }
   }
}

static void
test_conversions(void **state)
{
   (void)state;
   uint64_t random = seed;

   for (uint64_t a = 0; a < 0x10000; ++a)
      check_conversions(16, a);
   FOREACH_FORMAT(bits)
   {
      uint64_t edges[SAMPLE_EDGES];
      const unsigned n = sample_edges(bits, edges);

      for (unsigned i = 0; i < n; ++i)
         check_conversions(bits, edges[i]);
      for (unsigned k = 0; k < count / 2; ++k) {
         uint64_t a[3];
         sample_triple(&random, bits, a);
         check_conversions(bits, a[0]);
         /* And one with an exponent that makes it an integer, or nearly. */
         check_conversions(bits, sample_near_integer(&random, bits));
      }
   }
}

static void
check_from_int(uint64_t a)
{
   const uint64_t operands[3] = { a, 0, 0 };
   const bool negative = a >> 63;

   FOREACH_FORMAT(bits)
   {
      FOREACH_ROUND(r)
      {
         expect("from_uint", bits, operands, r, hd_float_from_uint(bits, a, r),
                oracle_from_uint(bits, false, a, r));
         expect("from_int", bits, operands, r, hd_float_from_int(bits, (int64_t)a, r),
                oracle_from_uint(bits, negative, negative ? -a : a, r));
      }
   }
}

static void
test_from_int(void **state)
{
   (void)state;
   uint64_t random = seed;

   for (unsigned i = 0; i < 64; ++i) {
      for (unsigned j = 0; j < 64; ++j) {
         const uint64_t x = UINT64_C(1) << i, y = UINT64_C(1) << j;
         check_from_int(x + y);
         check_from_int(x - y);
         check_from_int(x - y - 1);
         check_from_int(-(x + y));
      }
   }
   for (unsigned k = 0; k < count; ++k)
      check_from_int(sample_bits(&random) >> (sample_bits(&random) & 63));
}

static void
check_exponents(unsigned bits, uint64_t a, int32_t e)
{
   const uint64_t operands[3] = { a, (uint64_t)(int64_t)e, 0 };
   const uint64_t sig = hd_float_frexp_sig(bits, a);
   const int32_t exp = hd_float_frexp_exp(bits, a);

   expect("ldexp", bits, operands, 0, hd_float_ldexp(bits, a, e), oracle_ldexp(bits, a, e));
   if (hd_float_is_nan(bits, a) || hd_float_is_inf(bits, a) || !hd_float_abs(bits, a)) {
      assert_int_equal(exp, 0);
      expect("frexp_sig", bits, operands, 0, sig, oracle_ldexp(bits, a, 0));
   } else {
      /* 1/2 <= |sig| < 1, and a = sig * 2^exp */
      const uint64_t one = hd_float_one(bits), magnitude = hd_float_abs(bits, sig);
      assert_true(magnitude < one);
      assert_true(magnitude >= one - (UINT64_C(1) << hd_float_fraction_bits(bits)));
      expect("frexp", bits, operands, 0, oracle_ldexp(bits, sig, exp), a);
   }
}

static void
test_exponents(void **state)
{
   (void)state;
   uint64_t random = seed;
   static const int32_t far[] = { 0, 1, -1, 100, -100, 2098, -2098, 5001, INT32_MAX, INT32_MIN };

   for (unsigned i = 0; i < sizeof far / sizeof far[0]; ++i) {
      for (uint64_t a = 0; a < 0x10000; ++a)
         check_exponents(16, a, far[i]);
   }
   for (int32_t e = -45; e <= 45; ++e) {
      for (uint64_t a = 0; a < 0x10000; a += 7)
         check_exponents(16, a, e);
   }
   FOREACH_FORMAT(bits)
   {
      uint64_t edges[SAMPLE_EDGES];
      const unsigned n = sample_edges(bits, edges);

      for (unsigned i = 0; i < n; ++i) {
         for (unsigned j = 0; j < sizeof far / sizeof far[0]; ++j)
            check_exponents(bits, edges[i], far[j]);
      }
      for (unsigned k = 0; k < count; ++k) {
         uint64_t a[3];
         sample_triple(&random, bits, a);
         check_exponents(bits, a[0], (int32_t)(a[1] % 4400) - 2200);
      }
   }
}

/* fract: the exact difference by MPFR, but below one. */
static void
check_fract(unsigned bits, uint64_t a)
{
   uint64_t operands[3] = { a, 0, 0 };

   operands[1] = oracle(ORACLE_ROUND, bits, bits, operands, HD_ROUND_DOWN);
   uint64_t wanted = oracle(ORACLE_SUB, bits, bits, operands, HD_ROUND_NEAREST_EVEN);
   if (wanted == hd_float_one(bits))
      wanted = oracle(ORACLE_SUB, bits, bits, operands, HD_ROUND_ZERO);
   expect("fract", bits, operands, 0, hd_float_fract(bits, a), wanted);
}

static void
test_fract(void **state)
{
   (void)state;
   uint64_t random = seed;

   for (uint64_t a = 0; a < 0x10000; ++a)
      check_fract(16, a);
   FOREACH_FORMAT(bits)
   {
      uint64_t edges[SAMPLE_EDGES];
      const unsigned n = sample_edges(bits, edges);

      for (unsigned i = 0; i < n; ++i)
         check_fract(bits, edges[i]);
      for (unsigned k = 0; k < count; ++k) {
         uint64_t a[3];
         sample_triple(&random, bits, a);
         check_fract(bits, a[0]);
         check_fract(bits, sample_near_integer(&random, bits));
      }
   }
   /* The headers' own words. */
   assert_int_equal(hd_float_fract(16, 0x8001), 0x3bff);
   assert_int_equal(hd_float_fract(32, 0x80000001), 0x3f7fffff);
   assert_int_equal(hd_float_fract(64, UINT64_C(0x8000000000000001)), UINT64_C(0x3fefffffffffffff));
}

/* Comparison and selection, of every pair of edges, against MPFR's difference. */
static void
check_order(unsigned bits, uint64_t a, uint64_t b)
{
   const uint64_t operands[3] = { a, b, 0 }, nan = hd_float_nan(bits), inf = hd_float_inf(bits);
   const bool nan_a = hd_float_abs(bits, a) > inf, nan_b = hd_float_abs(bits, b) > inf;
   const uint64_t difference = oracle(ORACLE_SUB, bits, bits, operands, HD_ROUND_NEAREST_EVEN);
   const bool unordered = nan_a || nan_b;
   /* The difference of equal infinities is NaN; that of unequal numbers is never zero. */
   const bool equal = !unordered && (hd_float_abs(bits, difference) == 0 || a == b);
   const bool less = !unordered && !equal && (difference & hd_float_sign_bit(bits));
   const bool a_first = less || (equal && (a & hd_float_sign_bit(bits)));

   expect("lt", bits, operands, 0, hd_float_lt(bits, a, b), less);
   expect("le", bits, operands, 0, hd_float_le(bits, a, b), less || equal);
   expect("eq", bits, operands, 0, hd_float_eq(bits, a, b), equal);
   expect("unordered", bits, operands, 0, hd_float_unordered(bits, a, b), unordered);

   const uint64_t lone = nan_a && nan_b ? nan : nan_a ? b : a;
   expect("min", bits, operands, 0, hd_float_min(bits, a, b), unordered ? lone : a_first ? a : b);
   expect("max", bits, operands, 0, hd_float_max(bits, a, b), unordered ? lone : a_first ? b : a);
}

static void
test_order(void **state)
{
   (void)state;
   uint64_t random = seed;

   FOREACH_FORMAT(bits)
   {
      uint64_t edges[SAMPLE_EDGES];
      const unsigned n = sample_edges(bits, edges);

      for (unsigned i = 0; i < n; ++i) {
         for (unsigned j = 0; j < n; ++j)
            check_order(bits, edges[i], edges[j]);
      }
      for (unsigned k = 0; k < count; ++k) {
         uint64_t a[3];
         sample_triple(&random, bits, a);
         check_order(bits, a[0], a[1]);
      }
   }
}

static void
test_signs_and_classes(void **state)
{
   (void)state;
   for (uint64_t a = 0; a < 0x10000; ++a) {
      const unsigned field = a >> 10 & 31, fraction = a & 0x3ff;
      const bool denorm = field == 0 && fraction != 0;
      const bool nan = field == 31 && fraction != 0, below_one = (a & 0x7fff) < 0x3c00;

      assert_int_equal(hd_float_is_nan(16, a), nan);
      assert_int_equal(hd_float_is_inf(16, a), field == 31 && fraction == 0);
      assert_int_equal(hd_float_is_denorm(16, a), denorm);
      assert_int_equal(hd_float_sign(16, a), a >> 15);
      assert_int_equal(hd_float_abs(16, a), a & 0x7fff);
      assert_int_equal(hd_float_neg(16, a), a ^ 0x8000);
      assert_int_equal(hd_float_flush(16, a), denorm ? a & 0x8000 : a);
      assert_int_equal(hd_float_saturate(16, a), nan || a >> 15 ? 0 : below_one ? a : 0x3c00);
   }
   assert_true(hd_float_is_denorm(32, 0x807fffff) && !hd_float_is_denorm(32, 0x00800000));
   assert_true(hd_float_is_denorm(64, 1) && !hd_float_is_denorm(64, UINT64_C(1) << 63));
   assert_int_equal(hd_float_flush(32, 0x80000001), 0x80000000);
   assert_int_equal(hd_float_neg(32, 0xff812345), 0x7f812345);
   assert_int_equal(hd_float_saturate(32, 0x3f800001), 0x3f800000);
   assert_int_equal(hd_float_saturate(64, UINT64_C(0x3fefffffffffffff)),
                    UINT64_C(0x3fefffffffffffff));
}

/* What operands have above their format's bits changes nothing. */
static void
test_bits_above(void **state)
{
   (void)state;
   uint64_t random = seed;

   for (unsigned k = 0; k < count; ++k) {
      const unsigned bits = k & 1 ? 16 : 32;
      uint64_t a[3], dirty[3];
      sample_triple(&random, bits, a);
      for (unsigned i = 0; i < 3; ++i)
         dirty[i] = a[i] | sample_bits(&random) << bits;

      for (unsigned i = 0; i < FUNCTION_COUNT; ++i)
         expect(functions[i].name, bits, dirty, 0, apply(functions[i].op, bits, dirty, 0),
                apply(functions[i].op, bits, a, 0));
      expect("min", bits, dirty, 0, hd_float_min(bits, dirty[0], dirty[1]),
             hd_float_min(bits, a[0], a[1]));
      expect("max", bits, dirty, 0, hd_float_max(bits, dirty[0], dirty[1]),
             hd_float_max(bits, a[0], a[1]));
      expect("saturate", bits, dirty, 0, hd_float_saturate(bits, dirty[0]),
             hd_float_saturate(bits, a[0]));
      expect("lt", bits, dirty, 0, hd_float_lt(bits, dirty[0], dirty[1]),
             hd_float_lt(bits, a[0], a[1]));
      expect("neg", bits, dirty, 0, hd_float_neg(bits, dirty[0]), hd_float_neg(bits, a[0]));
      expect("flush", bits, dirty, 0, hd_float_flush(bits, dirty[0]), hd_float_flush(bits, a[0]));
      expect("fract", bits, dirty, 0, hd_float_fract(bits, dirty[0]), hd_float_fract(bits, a[0]));
      expect("to_int", bits, dirty, 0, hd_float_to_int(bits, dirty[0], 32, HD_ROUND_ZERO),
             hd_float_to_int(bits, a[0], 32, HD_ROUND_ZERO));
   }
}

/* The four functions have no 64-bit form, and say so. */
static void
test_no_double(void **state)
{
   (void)state;
   const uint64_t one = hd_float_one(64), nan = hd_float_nan(64);

   assert_int_equal(hd_float_exp2(64, one), nan);
   assert_int_equal(hd_float_log2(64, one), nan);
   assert_int_equal(hd_float_sin(64, one), nan);
   assert_int_equal(hd_float_cos(64, one), nan);
}

static void
test_wide_products(void **state)
{
   (void)state;
   uint64_t random = seed;
   static const uint64_t edges[] = { 0, 1, UINT32_MAX, UINT64_C(1) << 32, UINT64_MAX };

   for (unsigned k = 0; k < count; ++k) {
      const uint64_t x = k < 25 ? edges[k / 5] : sample_bits(&random);
      const uint64_t y = k < 25 ? edges[k % 5] : sample_bits(&random);
      uint64_t hi, hi_by_halves;
      const uint64_t lo = mul_wide(x, y, &hi),
                     lo_by_halves = mul_wide_by_halves(x, y, &hi_by_halves);

      assert_int_equal(lo, lo_by_halves);
      assert_int_equal(hi, hi_by_halves);
      assert_int_equal(lo, x * y);
   }
}

int
main(void)
{
   const char *given_seed = getenv("HEDDLE_SEED"), *given_count = getenv("HEDDLE_FLOAT_COUNT");

   seed = given_seed ? strtoull(given_seed, NULL, 0) : (uint64_t)time(NULL);
   if (given_count)
      count = (unsigned)strtoul(given_count, NULL, 0);
   printf("HEDDLE_SEED=%" PRIu64 " HEDDLE_FLOAT_COUNT=%u\n", seed, count);

   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_half),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_conversions),
      cmocka_unit_test(test_from_int),
      cmocka_unit_test(test_exponents),
      cmocka_unit_test(test_fract),
      cmocka_unit_test(test_order),
      cmocka_unit_test(test_signs_and_classes),
      cmocka_unit_test(test_bits_above),
      cmocka_unit_test(test_no_double),
      cmocka_unit_test(test_wide_products),
   };
   oracle_init();
   const int failed = cmocka_run_group_tests(tests, NULL, NULL);
   oracle_finish();
   return failed;
}
