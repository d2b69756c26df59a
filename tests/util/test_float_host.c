/* SPDX-License-Identifier: MIT */
/* The host's arithmetic (float_host.h) against the integers' (float.h), which are right: they have
 * been held against MPFR. (hd_float_add)(...) in parentheses is the function of float.h. */
#include "support/test.h"

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "float_samples.h"
#include "util/float_host.h"

static uint64_t seed;
static unsigned count = 1000000;

static const hd_round nearest = HD_ROUND_NEAREST_EVEN;

static void
expect(const char *what, unsigned bits, const uint64_t a[3], int r, uint64_t got, uint64_t wanted)
{
   if (got != wanted)
      fail_msg("%s, %u bits, mode %d, of %" PRIx64 " %" PRIx64 " %" PRIx64 ": host %" PRIx64
               ", exactly %" PRIx64 " (HEDDLE_SEED=%" PRIu64 ")",
               what, bits, r, a[0], a[1], a[2], got, wanted, seed);
}

static void
check_unary(unsigned bits, const uint64_t a[3], hd_round r)
{
   expect("sqrt", bits, a, r, hd_float_sqrt(bits, a[0], r), (hd_float_sqrt)(bits, a[0], r));
   expect("fract", bits, a, r, hd_float_fract(bits, a[0]), (hd_float_fract)(bits, a[0]));
   expect("rcp", bits, a, r, hd_float_rcp(bits, a[0]), (hd_float_rcp)(bits, a[0]));
   for (unsigned to = 16; to <= 64; to *= 2)
      expect("convert", bits, a, r, hd_float_convert(bits, to, a[0], r),
             (hd_float_convert)(bits, to, a[0], r));
   for (unsigned n = 1; n <= 64; n += n < 31 ? 10 : n < 33 ? 1 : 31) {
      expect("to_int", bits, a, r, hd_float_to_int(bits, a[0], n, r),
             (hd_float_to_int)(bits, a[0], n, r));
      expect("to_uint", bits, a, r, hd_float_to_uint(bits, a[0], n, r),
             (hd_float_to_uint)(bits, a[0], n, r));
   }
}

static void
check_binary(unsigned bits, const uint64_t a[3], hd_round r)
{
   expect("add", bits, a, r, hd_float_add(bits, a[0], a[1], r),
          (hd_float_add)(bits, a[0], a[1], r));
   expect("sub", bits, a, r, hd_float_sub(bits, a[0], a[1], r),
          (hd_float_sub)(bits, a[0], a[1], r));
   expect("mul", bits, a, r, hd_float_mul(bits, a[0], a[1], r),
          (hd_float_mul)(bits, a[0], a[1], r));
   expect("div", bits, a, r, hd_float_div(bits, a[0], a[1], r),
          (hd_float_div)(bits, a[0], a[1], r));
   expect("lt", bits, a, r, hd_float_lt(bits, a[0], a[1]), (hd_float_lt)(bits, a[0], a[1]));
   expect("le", bits, a, r, hd_float_le(bits, a[0], a[1]), (hd_float_le)(bits, a[0], a[1]));
   expect("eq", bits, a, r, hd_float_eq(bits, a[0], a[1]), (hd_float_eq)(bits, a[0], a[1]));
}

static void
check_ternary(unsigned bits, const uint64_t a[3], hd_round r)
{
   expect("fma", bits, a, r, hd_float_fma(bits, a[0], a[1], a[2], r),
          (hd_float_fma)(bits, a[0], a[1], a[2], r));
}

static void
check_from_int(uint64_t a, hd_round r)
{
   const uint64_t operands[3] = { a, 0, 0 };

   for (unsigned bits = 16; bits <= 64; bits *= 2) {
      expect("from_int", bits, operands, r, hd_float_from_int(bits, (int64_t)a, r),
             (hd_float_from_int)(bits, (int64_t)a, r));
      expect("from_uint", bits, operands, r, hd_float_from_uint(bits, a, r),
             (hd_float_from_uint)(bits, a, r));
   }
}

static void
every_half(void)
{
   for (uint64_t a = 0; a < 0x10000; ++a) {
      for (hd_round r = nearest; r <= HD_ROUND_DOWN; r = (hd_round)(r + 1))
         check_unary(16, (uint64_t[3]){ a, 0, 0 }, r);
   }
}

/* All 16-bit operands with each edge on the other side. */
static void
every_half_with_edges(void)
{
   uint64_t edges[SAMPLE_EDGES];
   const unsigned n = sample_edges(16, edges);

   for (unsigned i = 0; i < n; ++i) {
      for (uint64_t a = 0; a < 0x10000; a += 3) {
         check_binary(16, (uint64_t[3]){ a, edges[i], 0 }, nearest);
         check_ternary(16, (uint64_t[3]){ a, edges[i], edges[(i + a) % n] }, nearest);
      }
   }
}

static void
edges(void)
{
   for (unsigned bits = 16; bits <= 64; bits *= 2) {
      uint64_t e[SAMPLE_EDGES];
      const unsigned n = sample_edges(bits, e);

      for (unsigned x = 0; x < n; ++x) {
         check_from_int(e[x], nearest);
         for (hd_round r = nearest; r <= HD_ROUND_DOWN; r = (hd_round)(r + 1))
            check_unary(bits, (uint64_t[3]){ e[x], 0, 0 }, r);
         for (unsigned y = 0; y < n; ++y) {
            check_binary(bits, (uint64_t[3]){ e[x], e[y], 0 }, (hd_round)(y & 3));
            check_binary(bits, (uint64_t[3]){ e[x], e[y], 0 }, nearest);
            for (unsigned z = 0; z < n; ++z)
               check_ternary(bits, (uint64_t[3]){ e[x], e[y], e[z] }, nearest);
         }
      }
   }
}

static void
random_operands(void)
{
   uint64_t random = seed;

   for (unsigned k = 0; k < count; ++k) {
      const unsigned bits = 16u << k % 3;
      uint64_t a[3];

      sample_triple(&random, bits, a);
      check_unary(bits, a, nearest);
      check_binary(bits, a, nearest);
      check_ternary(bits, a, nearest);
      a[0] = sample_near_integer(&random, bits);
      check_unary(bits, a, HD_ROUND_ZERO);
      const uint64_t integer = sample_bits(&random) >> (sample_bits(&random) & 63);
      check_from_int(integer, nearest);
      check_from_int(-integer, nearest);
   }
}

/* Bits above the format's are the same to both. */
static void
bits_above(void)
{
   uint64_t random = seed;

   for (unsigned k = 0; k < count / 10; ++k) {
      const unsigned bits = k & 1 ? 16 : 32;
      uint64_t a[3];

      sample_triple(&random, bits, a);
      for (unsigned i = 0; i < 3; ++i)
         a[i] |= sample_bits(&random) << bits;
      check_unary(bits, a, nearest);
      check_binary(bits, a, nearest);
      check_ternary(bits, a, nearest);
   }
}

/* A game's modes: as unlike the default as can be. They must not matter inside the bracket, and
 * must be there again after it. */
#if HD_FLOAT_HOST && defined(__SSE2__)
static const unsigned game_mode = 0x1f80 | 0x8000 | 0x0040 | 0x4000; /* flush both, round up */

static void
set_game_mode(void)
{
   _mm_setcsr(game_mode);
}

static bool
leave_game_mode(void)
{
   const bool is_set = (_mm_getcsr() & 0xffc0) == game_mode;
   _mm_setcsr(0x1f80);
   return is_set;
}
#else
static void
set_game_mode(void)
{
}

static bool
leave_game_mode(void)
{
   return true;
}
#endif

static void
bracketed(void (*test)(void))
{
   set_game_mode();
   const hd_float_env env = hd_float_host_enter();
   test();
   hd_float_host_leave(env);
   assert_true(leave_game_mode());
}

#define TEST(name)                                                                                 \
   static void test_##name(void **state)                                                           \
   {                                                                                               \
      (void)state;                                                                                 \
      bracketed(name);                                                                             \
   }

TEST(every_half)
TEST(every_half_with_edges)
TEST(edges)
TEST(random_operands)
TEST(bits_above)

/* The integers need no bracket: a sum that flushing or rounding up would change. */
static void
test_integers_ignore_modes(void **state)
{
   (void)state;
   set_game_mode();
   const uint64_t denormals = (hd_float_add)(32, 1, 2, nearest);
   const uint64_t third =
       (hd_float_div)(64, hd_float_one(64), UINT64_C(0x4008000000000000), nearest);
   const uint64_t root = (hd_float_sqrt)(32, 0x40000000, nearest);
   const uint64_t sine = hd_float_sin(32, 1);
   assert_true(leave_game_mode());

   assert_int_equal(denormals, 3);
   assert_int_equal(third, UINT64_C(0x3fd5555555555555));
   assert_int_equal(root, 0x3fb504f3);
   assert_int_equal(sine, 6);
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
      cmocka_unit_test(test_every_half), cmocka_unit_test(test_every_half_with_edges),
      cmocka_unit_test(test_edges),      cmocka_unit_test(test_random_operands),
      cmocka_unit_test(test_bits_above), cmocka_unit_test(test_integers_ignore_modes),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
