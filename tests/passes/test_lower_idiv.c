/* SPDX-License-Identifier: MIT */
/* test_lower_idiv.c - quotients and remainders after lower_idiv, against C's: every dividend by
 * every divisor at 8 bits, every divisor at 16, edges and random numbers above.
 */
#include "support/test.h"

#include <stdlib.h>

#include "heddle/build_intrinsics.h"
#include "heddle/op_enum.h"
#include "heddle/pass.h"

#include "support/straight.h"

static const hd_op ops[] = { HD_OP_UDIV, HD_OP_IDIV, HD_OP_UREM, HD_OP_IREM, HD_OP_IMOD };
#define NUM_OPS 5u

/* A machine that has an unsigned quotient of 32 bits. */
static bool has_quotient;

static int64_t
sign_extend(unsigned bits, uint64_t x)
{
   uint64_t sign = UINT64_C(1) << (bits - 1);

   return (int64_t)((x ^ sign) - sign);
}

/* What the table of ops says, in C's arithmetic. */
static uint64_t
expected(hd_op op, unsigned bits, uint64_t x, uint64_t y)
{
   const uint64_t all = UINT64_MAX >> (64 - bits);
   int64_t sx = sign_extend(bits, x), sy = sign_extend(bits, y);

   if (y == 0)
      return op == HD_OP_UDIV || op == HD_OP_IDIV ? all : x;
   if (op == HD_OP_UDIV)
      return x / y;
   if (op == HD_OP_UREM)
      return x % y;
   if (sy == -1)
      return op == HD_OP_IDIV ? (0 - x) & all : 0;
   if (op == HD_OP_IDIV)
      return (uint64_t)(sx / sy) & all;
   int64_t r = sx % sy;
   if (op == HD_OP_IMOD && r != 0 && (r < 0) != (sy < 0))
      r += sy;
   return (uint64_t)r & all;
}

typedef struct program {
   hd_shader *shader;
   hd_function *f;
   hd_builder b;
   hd_def *address, *x, *y;
} program;

static program
begin(unsigned bits)
{
   program p;

   p.b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "division");
   p.x = hd_build_param(&p.b, 1, bits);
   p.y = hd_build_param(&p.b, 1, bits);
   p.address = hd_imm_u64(&p.b, 64);
   return p;
}

static void
divide(program *p, hd_op op, hd_def *y)
{
   hd_def *const srcs[] = { p->x, y };

   hd_store_global(&p->b, hd_build_alu(&p->b, op, 2, srcs, 0), p->address, 0, 1, 0, 0);
}

static void
finish(program *p)
{
   bool progress;
   const hd_run_options check = { .validate = true };
   const hd_diag_sink none = { 0 };
   hd_pass_list list = { 0 };

   assert_int_equal(hd_builder_finish(&p->b, &p->shader), HD_OK);
   p->f = p->shader->first_function;
   assert_int_equal(
       hd_pass_list_parse(&list, has_quotient ? "lower_idiv(quotient=0)" : "lower_idiv", none),
       HD_OK);
   assert_int_equal(hd_run_passes(p->shader, list.steps, list.num_steps, &check, &progress), HD_OK);
   hd_pass_list_finish(&list);
   assert_true(progress || has_quotient);
   assert_int_equal(p->shader->lowered, has_quotient ? 0 : HD_LOWERED_IDIV);
   hd_foreach_instr(i, hd_function_start(p->f)) {
      if (has_quotient && i->op == HD_OP_UDIV && i->def.bit_size == 32)
         continue;
      for (unsigned n = 0; n < NUM_OPS; n++)
         assert_false(i->kind == HD_INSTR_ALU && i->op == ops[n]);
   }
}

static unsigned
run(const program *p, unsigned bits, uint64_t x, uint64_t y, int rcp_off,
    hd_const_value (*out)[HD_MAX_COMPONENTS], unsigned max_out)
{
   hd_const_value args[2][HD_MAX_COMPONENTS] = { { { .u64 = 0 } } };
   straight_options options = { .rcp_off = rcp_off };

   args[0][0] = straight_value(bits, x);
   args[1][0] = straight_value(bits, y);
   return straight_run(p->f, (const hd_const_value(*)[HD_MAX_COMPONENTS])args, &options, out,
                       max_out);
}

static void
compare(hd_op op, unsigned bits, uint64_t x, uint64_t y, const hd_const_value *got)
{
   uint64_t wanted = expected(op, bits, x, y);

   if (straight_uint(got, bits) != wanted)
      fail_msg("%s of %u bits, 0x%llx by 0x%llx: 0x%llx, not 0x%llx", hd_op_get_info(op)->name,
               bits, (unsigned long long)x, (unsigned long long)y,
               (unsigned long long)straight_uint(got, bits), (unsigned long long)wanted);
}

#define MANY 64u

/* All ops by some divisors at once, on some dividends. */
static void
by_constants(unsigned bits, const uint64_t *divisors, unsigned num, const uint64_t *dividends,
             unsigned num_dividends)
{
   static hd_const_value out[MANY * NUM_OPS][HD_MAX_COMPONENTS];
   program p = begin(bits);

   for (unsigned n = 0; n < num; n++) {
      hd_def *y = hd_imm_uint(&p.b, bits, divisors[n]);
      for (unsigned k = 0; k < NUM_OPS; k++)
         divide(&p, ops[k], y);
   }
   finish(&p);
   for (unsigned m = 0; m < num_dividends; m++) {
      assert_int_equal(run(&p, bits, dividends[m], 0, 0, out, MANY * NUM_OPS), num * NUM_OPS);
      for (unsigned n = 0; n < num * NUM_OPS; n++)
         compare(ops[n % NUM_OPS], bits, dividends[m], divisors[n / NUM_OPS], out[n]);
   }
   hd_shader_destroy(p.shader);
}

static void
test_constants_8(void **unused)
{
   uint64_t divisors[MANY], dividends[256];

   (void)unused;
   for (unsigned n = 0; n < 256; n++)
      dividends[n] = n;
   for (unsigned first = 0; first < 256; first += MANY) {
      for (unsigned n = 0; n < MANY; n++)
         divisors[n] = first + n;
      by_constants(8, divisors, MANY, dividends, 256);
   }
}

/* Every divisor, alone with the dividends around its multiples, which is where an error shows. */
static void
test_constants_16(void **unused)
{
   uint64_t state = 16;

   (void)unused;
   for (uint64_t first = 0; first < 65536; first += 8) {
      uint64_t divisors[8], dividends[8];
      for (unsigned n = 0; n < 8; n++) {
         uint64_t d = first + n, times = d ? 65536 / d : 0;
         divisors[n] = d;
         dividends[n] = (times ? straight_random(&state) % (times + 1) * d : d) - n % 2;
         if (n == 7)
            dividends[n] = 0x8000 - straight_random(&state) % 2;
         if (n == 6)
            dividends[n] = 65535;
         dividends[n] &= 65535;
      }
      by_constants(16, divisors, 8, dividends, 8);
   }
}

static void
constants(unsigned bits, uint64_t seed, unsigned rounds)
{
   const uint64_t all = UINT64_MAX >> (64 - bits);
   uint64_t state = seed;

   print_message("seed %llu\n", (unsigned long long)seed);
   for (unsigned round = 0; round < rounds; round++) {
      uint64_t divisors[MANY], dividends[3 * MANY];
      for (unsigned n = 0; n < MANY; n++) {
         uint64_t d = round == 0 ? n : straight_edge(&state, bits), r = straight_random(&state);
         divisors[n] = d;
         dividends[3 * n] = ((d ? all / d * d : d) - r % 2) & all;
         dividends[3 * n + 1] = (r * d - (r >> 60) % 2) & all;
         dividends[3 * n + 2] = straight_edge(&state, bits);
      }
      by_constants(bits, divisors, MANY, dividends, 3 * MANY / (round ? 8 : 1));
   }
}

static void
test_constants_32(void **unused)
{
   (void)unused;
   constants(32, 32, 60);
}

static void
test_constants_64(void **unused)
{
   (void)unused;
   constants(64, 64, 60);
}

/* Factors of 2^N - 1: those for which rounding down would divide the greatest dividend wrong. */
static void
test_factors_of_all_ones(void **unused)
{
   static const uint64_t factors[] = { 3,   5,   15,    17,    51,      85,        255,
                                       257, 641, 65535, 65537, 6700417, 0xffffffff };
   uint64_t dividends[40];

   (void)unused;
   for (unsigned n = 0; n < 13; n++) {
      for (unsigned k = 0; k < 20; k++) {
         dividends[2 * k] = UINT64_MAX - k;
         dividends[2 * k + 1] = UINT64_MAX / factors[n] * factors[n] - k;
      }
      by_constants(64, &factors[n], 1, dividends, 40);
      for (unsigned k = 0; k < 40; k++)
         dividends[k] &= 0xffffffff;
      by_constants(32, &factors[n], 1, dividends, 40);
   }
}

static void
unknowns(unsigned bits, const uint64_t *xs, const uint64_t *ys, unsigned num)
{
   hd_const_value out[NUM_OPS][HD_MAX_COMPONENTS];
   program p = begin(bits);

   for (unsigned k = 0; k < NUM_OPS; k++)
      divide(&p, ops[k], p.y);
   finish(&p);
   for (unsigned n = 0; n < num; n++) {
      /* A machine's reciprocal may be off by one unit in the last place, either way. */
      for (int off = -1; off <= 1; off++) {
         assert_int_equal(run(&p, bits, xs[n], ys[n], off, out, NUM_OPS), NUM_OPS);
         for (unsigned k = 0; k < NUM_OPS; k++)
            compare(ops[k], bits, xs[n], ys[n], out[k]);
      }
   }
   hd_shader_destroy(p.shader);
}

static void
test_unknown_8(void **unused)
{
   static uint64_t xs[65536], ys[65536];

   (void)unused;
   for (unsigned n = 0; n < 65536; n++) {
      xs[n] = n & 255;
      ys[n] = n >> 8;
   }
   unknowns(8, xs, ys, 65536);
}

static void
unknown(unsigned bits, uint64_t seed)
{
   const uint64_t all = UINT64_MAX >> (64 - bits);
   static uint64_t xs[20000], ys[20000];
   uint64_t state = seed;

   print_message("seed %llu\n", (unsigned long long)seed);
   for (unsigned n = 0; n < 20000; n++) {
      uint64_t y = straight_edge(&state, bits), r = straight_random(&state);
      ys[n] = y;
      switch (n % 4) {
      case 0:
         xs[n] = straight_edge(&state, bits);
         break;
      case 1: /* just below a multiple, as large as can be */
         xs[n] = y ? all / y * y - (r & 1) : all;
         break;
      case 2:
         xs[n] = y * (r >> 8) - (r & 1);
         break;
      default: /* around the place where the estimate of the reciprocal is worst */
         ys[n] = (all / 3 + (r >> 40) - (r & 0xffffff)) & all;
         xs[n] = all - (r >> 62);
         break;
      }
      xs[n] &= all;
   }
   unknowns(bits, xs, ys, 20000);
}

static void
test_unknown_16(void **unused)
{
   (void)unused;
   unknown(16, 1616);
}

static void
test_unknown_32(void **unused)
{
   (void)unused;
   unknown(32, 3232);
}

static void
test_unknown_64(void **unused)
{
   (void)unused;
   unknown(64, 6464);
}

static void
test_quotient(void **unused)
{
   has_quotient = true;
   test_unknown_8(unused);
   test_unknown_16(unused);
   test_unknown_32(unused);
   test_unknown_64(unused);
   has_quotient = false;
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_constants_8),         cmocka_unit_test(test_constants_16),
      cmocka_unit_test(test_constants_32),        cmocka_unit_test(test_constants_64),
      cmocka_unit_test(test_factors_of_all_ones), cmocka_unit_test(test_unknown_8),
      cmocka_unit_test(test_unknown_16),          cmocka_unit_test(test_unknown_32),
      cmocka_unit_test(test_unknown_64),          cmocka_unit_test(test_quotient),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
