/* SPDX-License-Identifier: MIT */
/* test_quotients.c - quotients and roots are rounded once, whatever the last two bits of the machine's estimates; all
 * that integers compute of 64 bits is.
 */
#include "support/test.h"

#include <inttypes.h>

#include "backend/gen9/select/select.h"
#include "heddle/op_enum.h"
#include "util/float.h"

#define MAX_OFF 2

/* What the walk over steps is given: the operands of the op, and how far estimates are off. */
typedef struct machine {
   hd_def inputs[3];
   uint64_t bits[3];
   int off;
} machine;

static val
number(uint32_t bits)
{
   return (val){ .value = bits, .size = 1 };
}

static val
part(void *s, const hd_def *def, unsigned n)
{
   const machine *m = s;

   assert_in_range(n, 0, 1);
   return number((uint32_t)(m->bits[def - m->inputs] >> 32 * n));
}

static uint32_t
estimated(const machine *m, uint64_t exact)
{
   const bool normal = hd_float_abs(32, exact) - 1 < 0x7f800000 - 1;

   return (uint32_t)exact + (normal ? (uint32_t)m->off : 0u);
}

static bool
holds(hd_mach_step_op op, uint32_t a, uint32_t b)
{
   switch (op) {
   case HD_MACH_STEP_CMPEQ_I:
      return a == b;
   case HD_MACH_STEP_CMPNE_I:
      return a != b;
   case HD_MACH_STEP_CMPLT_I:
      return (int32_t)a < (int32_t)b;
   case HD_MACH_STEP_CMPGT_I:
      return (int32_t)a > (int32_t)b;
   case HD_MACH_STEP_CMPGE_I:
      return (int32_t)a >= (int32_t)b;
   case HD_MACH_STEP_CMPLT_U:
      return a < b;
   case HD_MACH_STEP_CMPGT_U:
      return a > b;
   case HD_MACH_STEP_CMPGE_U:
      return a >= b;
   case HD_MACH_STEP_CMPEQ_F:
      return hd_float_eq(32, a, b);
   case HD_MACH_STEP_CMPLT_F:
      return hd_float_lt(32, a, b);
   case HD_MACH_STEP_CMPGT_F:
      return hd_float_lt(32, b, a);
   default:
      fail_msg("step %d", (int)op);
      return false;
   }
}

static val
emit(void *s, hd_mach_step_op op, const val v[3])
{
   const machine *m = s;
   const uint32_t a = v[0].value, b = v[1].value, c = v[2].value;

   switch (op) {
   case HD_MACH_STEP_ADD_I:
      return number(a + b);
   case HD_MACH_STEP_SUB_I:
      return number(a - b);
   case HD_MACH_STEP_MULL_I:
      return number(a * b);
   case HD_MACH_STEP_MULH_U:
      return number((uint32_t)((uint64_t)a * b >> 32));
   case HD_MACH_STEP_AND:
   case HD_MACH_STEP_LOGIC_AND:
      return number(a & b);
   case HD_MACH_STEP_OR:
   case HD_MACH_STEP_LOGIC_OR:
      return number(a | b);
   case HD_MACH_STEP_NOT:
      return number(~a);
   case HD_MACH_STEP_SHL:
      return number(a << (b & 31));
   case HD_MACH_STEP_ASHR:
      return number((uint32_t)((int32_t)a >> (b & 31)));
   case HD_MACH_STEP_CLZ:
      return number(a ? (uint32_t)__builtin_clz(a) : 32);
   case HD_MACH_STEP_ITOF:
      return number((uint32_t)hd_float_from_int(32, (int32_t)a, HD_ROUND_NEAREST_EVEN));
   case HD_MACH_STEP_FTOI:
      return number((uint32_t)hd_float_to_int(32, a, 32, HD_ROUND_ZERO));
   case HD_MACH_STEP_H2F:
      return number((uint32_t)hd_float_convert(16, 32, a & 0xffff, HD_ROUND_NEAREST_EVEN));
   case HD_MACH_STEP_F2H:
      return number((uint32_t)hd_float_convert(32, 16, a, HD_ROUND_NEAREST_EVEN));
   case HD_MACH_STEP_XOR:
      return number(a ^ b);
   case HD_MACH_STEP_SHR:
      return number(a >> (b & 31));
   case HD_MACH_STEP_CHOOSE:
      return a ? v[1] : v[2];
   case HD_MACH_STEP_ADD_F:
      return number((uint32_t)hd_float_add(32, a, b, HD_ROUND_NEAREST_EVEN));
   case HD_MACH_STEP_SUB_F:
      return number((uint32_t)hd_float_sub(32, a, b, HD_ROUND_NEAREST_EVEN));
   case HD_MACH_STEP_MUL_F:
      return number((uint32_t)hd_float_mul(32, a, b, HD_ROUND_NEAREST_EVEN));
   case HD_MACH_STEP_FMA_F:
      return number((uint32_t)hd_float_fma(32, a, b, c, HD_ROUND_NEAREST_EVEN));
   case HD_MACH_STEP_RECIPROCAL:
      return number(estimated(m, hd_float_rcp(32, a)));
   case HD_MACH_STEP_RSQRT:
      return number(estimated(m, hd_float_rsq(32, a)));
   default:
      return number(holds(op, a, b) ? UINT32_MAX : 0);
   }
}

static void
check_sizes(hd_op op, unsigned from, unsigned to, const uint64_t bits[3], uint64_t expected)
{
   const hd_mach_stepper steps = { .part = part, .constant = number, .emit = emit };
   machine m = { .bits = { bits[0], bits[1], bits[2] } };
   hd_src srcs[3] = { { .def = &m.inputs[0] }, { .def = &m.inputs[1] }, { .def = &m.inputs[2] } };
   val results[HD_MACH_MAX_RESULTS];

   for (m.off = -MAX_OFF; m.off <= MAX_OFF; m.off++) {
      assert_true(
          hd_mach_run_sequence(&hd_gen9_sequences, &steps, &m, op, from, to, srcs, results));
      uint64_t found = results[0].value | (to == 64 ? (uint64_t)results[1].value << 32 : 0);
      found &= to == 16 ? 0xffff : UINT64_MAX;
      if (found != expected)
         fail_msg("%s %" PRIx64 ", %" PRIx64 ", %" PRIx64 ": expected %" PRIx64 ", found %" PRIx64
                  ", estimates off by %d",
                  hd_op_get_info(op)->name, bits[0], bits[1], bits[2], expected, found, m.off);
   }
}

static void
check(hd_op op, uint32_t a, uint32_t b, uint64_t expected)
{
   check_sizes(op, 32, 32, (uint64_t[]){ a, b, 0 }, expected);
}

static void
check_all(uint32_t a, uint32_t b)
{
   check(HD_OP_FDIV, a, b, hd_float_div(32, a, b, HD_ROUND_NEAREST_EVEN));
   check(HD_OP_FRCP, a, 0, hd_float_rcp(32, a));
   check(HD_OP_FSQRT, a, 0, hd_float_sqrt(32, a, HD_ROUND_NEAREST_EVEN));
   check(HD_OP_FRSQ, a, 0, hd_float_rsq(32, a));
}

static void
check_conversions(const uint64_t bits[3])
{
   static const struct {
      hd_op to_float, to_int, to_uint;
      hd_round round;
   } rows[] = {
      { HD_OP_F2F_RNE, HD_OP_F2I_RNE, HD_OP_F2U_RNE, HD_ROUND_NEAREST_EVEN },
      { HD_OP_F2F_RTZ, HD_OP_NONE, HD_OP_NONE, HD_ROUND_ZERO },
      { HD_OP_F2F_RU, HD_OP_F2I_RU, HD_OP_F2U_RU, HD_ROUND_UP },
      { HD_OP_F2F_RD, HD_OP_F2I_RD, HD_OP_F2U_RD, HD_ROUND_DOWN },
   };

   for (unsigned n = 0; n < sizeof(rows) / sizeof(rows[0]); n++) {
      const hd_round r = rows[n].round;
      check_sizes(rows[n].to_float, 64, 16, bits, hd_float_convert(64, 16, bits[0], r));
      if (n)
         check_sizes(rows[n].to_float, 64, 32, bits, hd_float_convert(64, 32, bits[0], r));
      if (rows[n].to_int) {
         check_sizes(rows[n].to_int, 64, 32, bits,
                     hd_float_to_int(64, bits[0], 32, r) & UINT32_MAX);
         check_sizes(rows[n].to_uint, 64, 32, bits, hd_float_to_uint(64, bits[0], 32, r));
      }
   }
}

/* The middle one; with NaN the least. */
static uint64_t
middle(const uint64_t bits[3])
{
   const uint64_t a = bits[0], b = bits[1], c = bits[2];
   const uint64_t low = hd_float_min(64, a, b), high = hd_float_max(64, a, b);
   const bool nan = hd_float_is_nan(64, a) || hd_float_is_nan(64, b) || hd_float_is_nan(64, c);

   return nan ? hd_float_min(64, low, c) : hd_float_max(64, low, hd_float_min(64, high, c));
}

static void
check_doubles(uint64_t a, uint64_t b, uint64_t c)
{
   const uint64_t bits[3] = { a, b, c }, down[3] = { a, (uint32_t)(c % 4500) - 2250u };

   check_sizes(HD_OP_FDIV, 64, 64, bits, hd_float_div(64, a, b, HD_ROUND_NEAREST_EVEN));
   check_sizes(HD_OP_FRCP, 64, 64, bits, hd_float_rcp(64, a));
   check_sizes(HD_OP_FSQRT, 64, 64, bits, hd_float_sqrt(64, a, HD_ROUND_NEAREST_EVEN));
   check_sizes(HD_OP_FRSQ, 64, 64, bits, hd_float_rsq(64, a));
   check_sizes(HD_OP_FLDEXP, 64, 64, bits, hd_float_ldexp(64, a, (int32_t)b));
   check_sizes(HD_OP_FLDEXP, 64, 64, down, hd_float_ldexp(64, a, (int32_t)down[1]));
   check_sizes(HD_OP_FFREXP_SIG, 64, 64, bits, hd_float_frexp_sig(64, a));
   check_sizes(HD_OP_FFREXP_EXP, 64, 32, bits, (uint32_t)hd_float_frexp_exp(64, a));
   check_sizes(HD_OP_FFRACT, 64, 64, bits, hd_float_fract(64, a));
   check_sizes(HD_OP_FMED3, 64, 64, bits, middle(bits));
   check_sizes(HD_OP_F2F, 16, 64, bits,
               hd_float_convert(16, 64, a & 0xffff, HD_ROUND_NEAREST_EVEN));
   check_conversions(bits);
}

static uint32_t
next(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + 1442695040888963407;
   return (uint32_t)(*state >> 32);
}

static void
special_values(void **state)
{
   static const uint32_t values[] = {
      0,          1,          2,          3,          0x007fffff, 0x00800000,
      0x00800001, 0x00ffffff, 0x01000000, 0x3effffff, 0x3f7fffff, 0x3f800000,
      0x3fba2a39, 0x3fffffff, 0x4009f038, 0x40000000, 0x407ffffe, 0x7e800000,
      0x7effffff, 0x7f000000, 0x7f7fffff, 0x7f800000, 0x7fc00000,
   };
   const unsigned num = sizeof(values) / sizeof(values[0]);

   (void)state;
   for (unsigned n = 0; n < num * num; n++) {
      const uint32_t a = values[n / num], b = values[n % num];
      check_all(a, b);
      check_all(a | 0x80000000, b);
      check_all(a | 0x80000000, b | 0x80000000);
   }
}

/* Any, denormal operands, and quotients about the least normal number. */
static void
random_values(void **state)
{
   uint64_t seed = 31;

   (void)state;
   for (unsigned n = 0; n < 40000; n++) {
      uint32_t a = next(&seed), b = next(&seed);
      if (n % 4 == 1) {
         a &= 0x807fffff;
      } else if (n % 4 > 1) {
         const uint32_t low = next(&seed) % 60, more = next(&seed) % 30;
         a = (a & 0x807fffff) | low << 23;
         b = (b & 0x807fffff) | (low + 124 + more) << 23;
      }
      if (n % 4 == 3) /* ties */
         a &= 0xfffff000, b &= 0xfffff000;
      check_all(a, b);
   }
}

/* Quotients that are as near as can be to halfway between two floats: (2 q + 1) b - a 2^k is 1 or -1. */
static void
quotients_near_halfway(void **state)
{
   (void)state;
   for (uint32_t b = 0x800001; b < 0x1000000; b += 422) {
      uint32_t inverse = b;
      for (unsigned n = 0; n < 4; n++)
         inverse *= 2 - b * inverse;
      for (unsigned n = 0; n < 4; n++) {
         const unsigned k = 24 + n / 2;
         const uint64_t mask = (UINT64_C(1) << k) - 1;
         const uint64_t twice = ((n % 2 ? 0u - inverse : inverse) & mask) | (uint64_t)(k == 24)
                                                                                << 24;
         const uint64_t a = (n % 2 ? twice * b + 1 : twice * b - 1) >> k;
         if (twice >> 24 == 1 && a >> 23 == 1)
            check(HD_OP_FDIV, (uint32_t)a ^ 0x3f000000, b ^ 0x3f000000,
                  hd_float_div(32, a ^ 0x3f000000, b ^ 0x3f000000, HD_ROUND_NEAREST_EVEN));
      }
   }
}

static uint64_t
next_double(uint64_t *state)
{
   uint64_t bits = (uint64_t)next(state) << 32;
   const unsigned kind = next(state) % 8;

   bits |= next(state);
   if (kind < 3) /* few bits, or all but few */
      bits ^= (bits ^ (kind ? 0 : UINT64_MAX)) & (UINT64_MAX >> (12 + next(state) % 52));
   if (kind % 4 == 1) /* about 1, and integers with a fraction */
      bits = (bits & ~(UINT64_C(0x7ff) << 52)) | (uint64_t)(1000 + next(state) % 70) << 52;
   if (kind == 6)
      bits &= ~(UINT64_C(0x7f0) << 52);
   return bits;
}

static void
special_doubles(void **state)
{
   static const uint64_t values[] = {
      0,
      1,
      2,
      UINT32_MAX,
      UINT64_C(1) << 32,
      UINT64_C(0x000fffffffffffff),
      UINT64_C(0x0010000000000000),
      UINT64_C(0x3fdfffffffffffff),
      UINT64_C(0x3fe0000000000000),
      UINT64_C(0x3fe0000000000001),
      UINT64_C(0x3fefffffffffffff),
      UINT64_C(0x3ff0000000000000),
      UINT64_C(0x3ff0000000000001),
      UINT64_C(0x3ff8000000000000),
      UINT64_C(0x3fffffffffffffff),
      UINT64_C(0x4000000000000000),
      UINT64_C(0x41dfffffffc00000), /* 2^31 - 1 */
      UINT64_C(0x41dfffffffe00000),
      UINT64_C(0x41efffffffe00000), /* 2^32 - 1 */
      UINT64_C(0x41effffffff00000),
      UINT64_C(0x40effdffffffffff), /* 65520 less a bit */
      UINT64_C(0x40effe0000000000),
      UINT64_C(0x47efffffefffffff), /* about the greatest float of 32 bits */
      UINT64_C(0x47effffff0000000),
      UINT64_C(0x43efffffffffffff),
      UINT64_C(0x7fe0000000000000),
      UINT64_C(0x7fefffffffffffff),
      UINT64_C(0x7ff0000000000000),
      UINT64_C(0x7ff0000000000001),
      UINT64_C(0x7ff8000000000000),
   };
   const unsigned num = sizeof(values) / sizeof(values[0]);

   (void)state;
   for (unsigned n = 0; n < num * num; n++) {
      const uint64_t a = values[n / num], b = values[n % num], sign = UINT64_C(1) << 63;
      check_doubles(a, b, values[n * 7 % num]);
      check_doubles(a | sign, b, values[n * 11 % num]);
      check_doubles(a | sign, b | sign, values[n * 13 % num] | sign);
   }
}

static void
random_doubles(void **state)
{
   uint64_t seed = 64;

   (void)state;
   for (unsigned n = 0; n < 8000; n++) {
      const uint64_t a = next_double(&seed), b = next_double(&seed);
      check_doubles(a, b, next_double(&seed));
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(special_values),         cmocka_unit_test(random_values),
      cmocka_unit_test(quotients_near_halfway), cmocka_unit_test(special_doubles),
      cmocka_unit_test(random_doubles),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
