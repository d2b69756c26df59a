/* SPDX-License-Identifier: MIT */
/* test_quotients.c - quotients and roots are rounded once, whatever the last two bits of the machine's estimates. */
#include "support/test.h"

#include "backend/gen9/select/select.h"
#include "heddle/op_enum.h"
#include "util/float.h"

#define MAX_OFF 2

/* What the walk over steps is given: the operands of the op, and how far estimates are off. */
typedef struct machine {
   hd_def inputs[2];
   uint32_t bits[2];
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

   assert_int_equal(n, 0);
   return number(m->bits[def - m->inputs]);
}

static uint32_t
estimated(const machine *m, uint64_t exact)
{
   const bool normal = hd_float_abs(32, exact) - 1 < 0x7f800000 - 1;

   return (uint32_t)exact + (normal ? (uint32_t)m->off : 0u);
}

static uint32_t
compared(hd_mach_step_op op, uint32_t a, uint32_t b)
{
   switch (op) {
   case HD_MACH_STEP_CMPLT_U:
      return a < b ? UINT32_MAX : 0;
   case HD_MACH_STEP_CMPEQ_F:
      return hd_float_eq(32, a, b) ? UINT32_MAX : 0;
   case HD_MACH_STEP_CMPLT_F:
      return hd_float_lt(32, a, b) ? UINT32_MAX : 0;
   case HD_MACH_STEP_CMPGT_F:
      return hd_float_lt(32, b, a) ? UINT32_MAX : 0;
   default:
      fail_msg("step %d", (int)op);
      return 0;
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
   case HD_MACH_STEP_AND:
      return number(a & b);
   case HD_MACH_STEP_OR:
      return number(a | b);
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
      return number(compared(op, a, b));
   }
}

static void
check(hd_op op, uint32_t a, uint32_t b, uint64_t expected)
{
   const hd_mach_stepper steps = { .part = part, .constant = number, .emit = emit };
   machine m = { .bits = { a, b } };
   hd_src srcs[2] = { { .def = &m.inputs[0] }, { .def = &m.inputs[1] } };
   val results[HD_MACH_MAX_RESULTS];

   for (m.off = -MAX_OFF; m.off <= MAX_OFF; m.off++) {
      assert_true(hd_mach_run_sequence(&hd_gen9_sequences, &steps, &m, op, 32, 32, srcs, results));
      if (results[0].value != expected)
         fail_msg("%s 0x%08x, 0x%08x: expected 0x%08x, found 0x%08x, estimates off by %d",
                  hd_op_get_info(op)->name, a, b, (uint32_t)expected, results[0].value, m.off);
   }
}

static void
check_all(uint32_t a, uint32_t b)
{
   check(HD_OP_FDIV, a, b, hd_float_div(32, a, b, HD_ROUND_NEAREST_EVEN));
   check(HD_OP_FRCP, a, 0, hd_float_rcp(32, a));
   check(HD_OP_FSQRT, a, 0, hd_float_sqrt(32, a, HD_ROUND_NEAREST_EVEN));
   check(HD_OP_FRSQ, a, 0, hd_float_rsq(32, a));
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(special_values),
      cmocka_unit_test(random_values),
      cmocka_unit_test(quotients_near_halfway),
   };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
