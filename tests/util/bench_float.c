/* SPDX-License-Identifier: MIT */
/* Nanoseconds per call of the exact float functions, and of the same on the host.
 *
 * "each" is the time per call over unrelated operands, as a wave's lanes are; "chain" the time when
 * each operand needs the result before it. Operands are normal numbers between 2^-8 and 2^8. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>

#include "float_samples.h"
#include "util/float_host.h"

#define OPERANDS 4096
#define ROUNDS   100

static uint64_t operands[3][OPERANDS + 2];
static volatile uint64_t sink;

static void
make_operands(unsigned bits)
{
   const unsigned fraction_bits = hd_float_fraction_bits(bits);
   uint64_t random = 1;

   for (unsigned i = 0; i < OPERANDS + 2; ++i) {
      const uint64_t x = sample_bits(&random), exp = (x >> 56) % 16;
      const uint64_t fraction = x & ((UINT64_C(1) << fraction_bits) - 1);
      operands[bits / 32][i] =
          hd_float_one(bits) - (UINT64_C(8) << fraction_bits) + (exp << fraction_bits) + fraction;
   }
}

static double
now(void)
{
   struct timespec t;
   clock_gettime(CLOCK_MONOTONIC, &t);
   return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* `call` is an expression of a, b and c. In a chain, a has no bit of the result in it, but the
 * machine does not know. The fastest round counts: others had to share the machine. */
#define BENCH(name, bits, call)                                                                    \
   do {                                                                                            \
      const uint64_t *x = operands[(bits) / 32];                                                   \
      double each = 1e9, chain = 1e9;                                                              \
      for (unsigned round = 0; round < ROUNDS; ++round) {                                          \
         uint64_t sum = 0, zero = 0;                                                               \
         const double start = now();                                                               \
         for (unsigned i = 0; i < OPERANDS; ++i) {                                                 \
            const uint64_t a = x[i], b = x[i + 1], c = x[i + 2];                                   \
            (void)b;                                                                               \
            (void)c;                                                                               \
            sum += (call);                                                                         \
         }                                                                                         \
         sink = sum;                                                                               \
         const double middle = now();                                                              \
         for (unsigned i = 0; i < OPERANDS; ++i) {                                                 \
            const uint64_t a = x[i] | zero, b = x[i + 1], c = x[i + 2];                            \
            (void)b;                                                                               \
            (void)c;                                                                               \
            zero = (call)&never;                                                                   \
         }                                                                                         \
         sink = zero;                                                                              \
         const double end = now();                                                                 \
         each = middle - start < each ? middle - start : each;                                     \
         chain = end - middle < chain ? end - middle : chain;                                      \
      }                                                                                            \
      printf("%-8s %2d bits   each %6.2f   chain %6.2f\n", name, bits, each / OPERANDS,            \
             chain / OPERANDS);                                                                    \
   } while (0)

static const hd_round nearest = HD_ROUND_NEAREST_EVEN;

static void
bench_host(uint64_t never)
{
   printf("host: ns per call\n");
   BENCH("add", 16, hd_float_add(16, a, b, nearest));
   BENCH("mul", 16, hd_float_mul(16, a, b, nearest));
   BENCH("fma", 16, hd_float_fma(16, a, b, c, nearest));
   BENCH("add", 32, hd_float_add(32, a, b, nearest));
   BENCH("mul", 32, hd_float_mul(32, a, b, nearest));
   BENCH("div", 32, hd_float_div(32, a, b, nearest));
   BENCH("fma", 32, hd_float_fma(32, a, b, c, nearest));
   BENCH("sqrt", 32, hd_float_sqrt(32, a, nearest));
   BENCH("rcp", 32, hd_float_rcp(32, a));
   BENCH("lt", 32, (uint64_t)hd_float_lt(32, a, b));
   BENCH("min", 32, hd_float_min(32, a, b));
   BENCH("32 to 16", 32, hd_float_convert(32, 16, a, nearest));
   BENCH("16 to 32", 16, hd_float_convert(16, 32, a, nearest));
   BENCH("fract", 32, hd_float_fract(32, a));
   BENCH("to_int", 32, hd_float_to_int(32, a, 32, HD_ROUND_ZERO));
   BENCH("from_int", 32, hd_float_from_int(32, (int64_t)a, nearest));
   BENCH("add", 64, hd_float_add(64, a, b, nearest));
   BENCH("mul", 64, hd_float_mul(64, a, b, nearest));
   BENCH("div", 64, hd_float_div(64, a, b, nearest));
   BENCH("sqrt", 64, hd_float_sqrt(64, a, nearest));
}

static void
bench_integers(uint64_t never)
{
   printf("integers: ns per call\n");
   BENCH("add", 16, (hd_float_add)(16, a, b, nearest));
   BENCH("add", 32, (hd_float_add)(32, a, b, nearest));
   BENCH("mul", 32, (hd_float_mul)(32, a, b, nearest));
   BENCH("div", 32, (hd_float_div)(32, a, b, nearest));
   BENCH("fma", 32, (hd_float_fma)(32, a, b, c, nearest));
   BENCH("sqrt", 32, (hd_float_sqrt)(32, a, nearest));
   BENCH("rcp", 32, (hd_float_rcp)(32, a));
   BENCH("rsq", 32, hd_float_rsq(32, a));
   BENCH("exp2", 32, hd_float_exp2(32, a));
   BENCH("log2", 32, hd_float_log2(32, a));
   BENCH("sin", 32, hd_float_sin(32, a));
   BENCH("cos", 32, hd_float_cos(32, a));
   BENCH("floor", 32, hd_float_floor(32, a));
   BENCH("fract", 32, (hd_float_fract)(32, a));
   BENCH("to_int", 32, (hd_float_to_int)(32, a, 32, HD_ROUND_ZERO));
   BENCH("exp2", 16, hd_float_exp2(16, a));
   BENCH("sin", 16, hd_float_sin(16, a));
   BENCH("add", 64, (hd_float_add)(64, a, b, nearest));
   BENCH("mul", 64, (hd_float_mul)(64, a, b, nearest));
   BENCH("div", 64, (hd_float_div)(64, a, b, nearest));
   BENCH("fma", 64, (hd_float_fma)(64, a, b, c, nearest));
   BENCH("sqrt", 64, (hd_float_sqrt)(64, a, nearest));
   BENCH("rcp", 64, (hd_float_rcp)(64, a));
   BENCH("rsq", 64, hd_float_rsq(64, a));
}

int
main(int argc, char **argv)
{
   (void)argv;
   /* No bit at all, but known only when it runs. */
   const uint64_t never = argc > 100 ? UINT64_MAX : 0;

   make_operands(16);
   make_operands(32);
   make_operands(64);
   const hd_float_env env = hd_float_host_enter();
   bench_host(never);
   hd_float_host_leave(env);
   bench_integers(never);
   return 0;
}
