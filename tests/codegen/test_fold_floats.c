/* SPDX-License-Identifier: MIT */
/* Float ops against the arithmetic of the host, where C has it: at 32 and 64 bits by float and
 * double, at 16 bits by double, rounded once. What C lacks is tested where it is made, in
 * tests/util; here, that each op reaches the right function, with its operands in order.
 */
#include <float.h>

#include "fold_harness.h"
#include "heddle/op_enum.h"
#include "util/float.h"

uint64_t random_state;

#if FLT_EVAL_METHOD == 0

static double
decode(unsigned bits, uint64_t a)
{
   float f;
   double d;
   uint32_t low = (uint32_t)a;

   if (bits == 16)
      a = hd_float_convert(16, 64, a, HD_ROUND_NEAREST_EVEN);
   if (bits == 32) {
      memcpy(&f, &low, sizeof f);
      return f;
   }
   memcpy(&d, &a, sizeof d);
   return d;
}

/* Of a number that is exact, or that was rounded to 32 bits already. */
static uint64_t
encode(unsigned bits, double d)
{
   const float f = (float)d;
   uint32_t low;
   uint64_t a;

   if (bits == 32) {
      memcpy(&low, &f, sizeof low);
      return low;
   }
   memcpy(&a, &d, sizeof a);
   return bits == 16 ? hd_float_convert(64, 16, a, HD_ROUND_NEAREST_EVEN) : a;
}

/* Sum, difference, product and quotient of two numbers of 11 bits rounded to 53 and then to 11 bits
 * are what they are rounded at once: 53 is more than twice 11 and two. The same holds of 24 bits.
 */
static uint64_t
host_binary(hd_op op, unsigned bits, uint64_t a, uint64_t b)
{
   const volatile double x = decode(bits, a), y = decode(bits, b);

   switch (op) {
   case HD_OP_FADD:
      return encode(bits, x + y);
   case HD_OP_FSUB:
      return encode(bits, x - y);
   case HD_OP_FMUL:
      return encode(bits, x * y);
   case HD_OP_FDIV:
      return encode(bits, x / y);
   case HD_OP_FEQ:
      return x == y;
   case HD_OP_FNE:
      return x < y || x > y;
   case HD_OP_FLT:
      return x < y;
   case HD_OP_FLE:
      return x <= y;
   case HD_OP_FEQU:
      return !(x < y || x > y);
   case HD_OP_FNEU:
      return x != y;
   case HD_OP_FLTU:
      return !(x >= y);
   case HD_OP_FLEU:
      return !(x > y);
   case HD_OP_FORD:
      return x == x && y == y;
   case HD_OP_FUNORD:
      return x != x || y != y;
   default:
      fail();
      return 0;
   }
}

static void
test_binary(void **state)
{
   const hd_op ops[] = { HD_OP_FADD, HD_OP_FSUB, HD_OP_FMUL, HD_OP_FDIV,  HD_OP_FEQ,
                         HD_OP_FNE,  HD_OP_FLT,  HD_OP_FLE,  HD_OP_FEQU,  HD_OP_FNEU,
                         HD_OP_FLTU, HD_OP_FLEU, HD_OP_FORD, HD_OP_FUNORD };
   static samples list;

   (void)state;
   for (unsigned bits = 16; bits <= 64; bits *= 2) {
      make_samples(&list, bits, HD_KIND_FLOAT, 100);
      for (unsigned o = 0; o < sizeof ops / sizeof *ops; o++) {
         const hd_op_info *info = hd_op_get_info(ops[o]);
         const unsigned result_bits = bits_of(&info->result, (sizes){ bits, bits });
         for (unsigned i = 0; i < list.count; i++) {
            for (unsigned j = 0; j < list.count; j += LANES) {
               lanes a, b, out;
               for (unsigned k = 0; k < LANES; k++) {
                  a.v[k].u64 = list.v[i];
                  b.v[k].u64 = list.v[(j + k) % list.count];
               }
               apply(ops[o], (sizes){ bits, bits }, 0, (const lanes *[]){ &a, &b }, &out);
               for (unsigned k = 0; k < LANES; k++) {
                  const uint64_t expected = host_binary(ops[o], bits, a.v[k].u64, b.v[k].u64);
                  if (!same_value(info->result.kind, result_bits, out.v[k].u64, expected))
                     fail_msg("%s at %u bits of 0x%llx, 0x%llx: 0x%llx, the host has 0x%llx",
                              info->name, bits, (unsigned long long)a.v[k].u64,
                              (unsigned long long)b.v[k].u64, (unsigned long long)out.v[k].u64,
                              (unsigned long long)expected);
               }
            }
         }
      }
   }
}

/* Conversions between integers and floats that C defines: values in range. */
static void
test_conversions(void **state)
{
   (void)state;
   for (unsigned i = 0; i < 20000; i++) {
      const uint64_t u = random64() >> random64() % 64;
      const int64_t s = (int64_t)(u >> 1) * (i & 1 ? -1 : 1);
      const volatile float fu = (float)u, fs = (float)s;
      const volatile double du = (double)u, ds = (double)s;
      uint32_t low;

      float f = fu;
      memcpy(&low, &f, sizeof low);
      assert_true(apply1(HD_OP_U2F, (sizes){ 64, 32 }, 0, u, 0, 0, 0) == low);
      assert_true(apply1(HD_OP_U2F, (sizes){ 64, 64 }, 0, u, 0, 0, 0) == encode(64, du));
      f = fs;
      memcpy(&low, &f, sizeof low);
      assert_true(apply1(HD_OP_I2F, (sizes){ 64, 32 }, 0, (uint64_t)s, 0, 0, 0) == low);
      assert_true(apply1(HD_OP_I2F, (sizes){ 64, 64 }, 0, (uint64_t)s, 0, 0, 0) == encode(64, ds));

      const volatile double part = (double)(int32_t)u / 1024;
      assert_true(apply1(HD_OP_F2I, (sizes){ 64, 32 }, 0, encode(64, part), 0, 0, 0) ==
                  (uint32_t)(int32_t)part);
      assert_true(apply1(HD_OP_F2I, (sizes){ 64, 64 }, 0, encode(64, part), 0, 0, 0) ==
                  (uint64_t)(int64_t)part);
      const volatile float narrow = (float)part;
      f = narrow;
      memcpy(&low, &f, sizeof low);
      assert_true(apply1(HD_OP_F2F, (sizes){ 64, 32 }, 0, encode(64, part), 0, 0, 0) == low);
      assert_true(apply1(HD_OP_F2F, (sizes){ 32, 64 }, 0, low, 0, 0, 0) == encode(64, f));
   }
}

#endif

/* The ops of one operand, each with the function of util/float that it stands for. */
typedef uint64_t unary(unsigned bits, uint64_t a);

static uint64_t
sqrt_nearest(unsigned bits, uint64_t a)
{
   return hd_float_sqrt(bits, a, HD_ROUND_NEAREST_EVEN);
}

static uint64_t
frexp_exp(unsigned bits, uint64_t a)
{
   return (uint32_t)hd_float_frexp_exp(bits, a);
}

static void
test_unary(void **state)
{
   const struct {
      hd_op op;
      unary *f;
   } pairs[] = { { HD_OP_FNEG, hd_float_neg },      { HD_OP_FABS, hd_float_abs },
                 { HD_OP_FSAT, hd_float_saturate }, { HD_OP_FFLOOR, hd_float_floor },
                 { HD_OP_FCEIL, hd_float_ceil },    { HD_OP_FTRUNC, hd_float_trunc },
                 { HD_OP_FRINT, hd_float_rint },    { HD_OP_FFRACT, hd_float_fract },
                 { HD_OP_FRCP, hd_float_rcp },      { HD_OP_FSQRT, sqrt_nearest },
                 { HD_OP_FRSQ, hd_float_rsq },      { HD_OP_FEXP2, hd_float_exp2 },
                 { HD_OP_FLOG2, hd_float_log2 },    { HD_OP_FSIN, hd_float_sin },
                 { HD_OP_FCOS, hd_float_cos },      { HD_OP_FFREXP_SIG, hd_float_frexp_sig },
                 { HD_OP_FFREXP_EXP, frexp_exp } };
   static samples list;

   (void)state;
   for (unsigned p = 0; p < sizeof pairs / sizeof *pairs; p++) {
      const hd_op_info *info = hd_op_get_info(pairs[p].op);
      for (unsigned bits = 16; bits <= 64; bits *= 2) {
         if (!(info->src[0].sizes & bits))
            continue;
         make_samples(&list, bits, HD_KIND_FLOAT, 200);
         for (unsigned i = 0; i < list.count; i++)
            assert_true(apply1(pairs[p].op, (sizes){ bits, bits }, 0, list.v[i], 0, 0, 0) ==
                        pairs[p].f(bits, list.v[i]));
      }
   }
}

/* Three operands: each in its place. */
static void
test_ternary(void **state)
{
   static samples list;

   (void)state;
   for (unsigned bits = 16; bits <= 64; bits *= 2) {
      const sizes s = { bits, bits };
      make_samples(&list, bits, HD_KIND_FLOAT, 100);
      for (unsigned i = 0; i < 5000; i++) {
         uint64_t x[3];
         for (unsigned k = 0; k < 3; k++)
            x[k] = list.v[random64() % list.count];
         assert_true(apply1(HD_OP_FFMA, s, 0, x[0], x[1], x[2], 0) ==
                     hd_float_fma(bits, x[0], x[1], x[2], HD_ROUND_NEAREST_EVEN));
         const int32_t e = (int32_t)(random64() % 4200) - 2100;
         assert_true(apply1(HD_OP_FLDEXP, s, 0, x[0], (uint32_t)e, 0, 0) ==
                     hd_float_ldexp(bits, x[0], e));

         /* The middle of three numbers has one that is not above it and one that is not below. */
         const uint64_t m = apply1(HD_OP_FMED3, s, 0, x[0], x[1], x[2], 0);
         unsigned nans = 0, below = 0, above = 0;
         for (unsigned k = 0; k < 3; k++) {
            nans += is_nan(bits, x[k]);
            below += hd_float_le(bits, x[k], m);
            above += hd_float_le(bits, m, x[k]);
         }
         assert_true(nans ? nans == 3 || above == 3 - nans : below >= 2 && above >= 2);
         assert_true(m == x[0] || m == x[1] || m == x[2] || nans == 3);
      }
   }
}

/* Rounding by name: what C's mode is, or the shader's, does not matter. */
static void
test_named_rounding(void **state)
{
   const struct {
      const char *suffix;
      hd_round round;
   } modes[] = { { "rne", HD_ROUND_NEAREST_EVEN },
                 { "rtz", HD_ROUND_ZERO },
                 { "ru", HD_ROUND_UP },
                 { "rd", HD_ROUND_DOWN } };

   (void)state;
   for (unsigned i = 0; i < 4 * 2000; i++) {
      const hd_round round = modes[i % 4].round;
      const uint64_t x = random64() >> random64() % 64;
      const uint64_t near = hd_float_from_int(64, (int64_t)(x >> 40) - 8388608, round);
      const uint64_t f = hd_float_ldexp(64, near, -10);
      const uint64_t s64 = (uint64_t)(int64_t)x, s32 = x & 0xffffffff;
      char name[16];
      const uint32_t controls = (uint32_t)random64() & HD_FLOAT_MODES & ~(uint32_t)7;
      hd_op ops[5];
      const char *bases[] = { "f2f", "u2f", "i2f", "f2u", "f2i" };
      for (unsigned k = 0; k < 5; k++) {
         snprintf(name, sizeof name, k > 2 && round == HD_ROUND_ZERO ? "%s" : "%s_%s", bases[k],
                  modes[i % 4].suffix);
         ops[k] = hd_op_from_name(name, strlen(name));
         assert_int_not_equal(ops[k], HD_OP_NONE);
      }
      assert_true(apply1(ops[0], (sizes){ 64, 16 }, controls, f, 0, 0, 0) ==
                  hd_float_convert(64, 16, f, round));
      assert_true(apply1(ops[1], (sizes){ 64, 32 }, controls, s64, 0, 0, 0) ==
                  hd_float_from_uint(32, s64, round));
      assert_true(apply1(ops[2], (sizes){ 32, 16 }, controls, s32, 0, 0, 0) ==
                  hd_float_from_int(16, (int64_t)(s32 ^ 0x80000000) - 0x80000000, round));
      assert_true(apply1(ops[3], (sizes){ 64, 8 }, controls, f, 0, 0, 0) ==
                  hd_float_to_uint(64, f, 8, round));
      assert_true(apply1(ops[4], (sizes){ 64, 16 }, controls, f, 0, 0, 0) ==
                  hd_float_to_int(64, f, 16, round));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
#if FLT_EVAL_METHOD == 0
      cmocka_unit_test(test_binary),
      cmocka_unit_test(test_conversions),
#endif
      cmocka_unit_test(test_unary),
      cmocka_unit_test(test_ternary),
      cmocka_unit_test(test_named_rounding),
   };

   seed_random();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
