/* SPDX-License-Identifier: MIT */
/* What the edge notes of the op table say, case by case. An op with a note and no case here fails.
 */
#include "fold_harness.h"

#include "heddle/op_enum.h"
#include "heddle/reference.h"

uint64_t random_state;

/* 16-, 32- and 64-bit floats. */
#define H_ONE  0x3c00u
#define H_INF  0x7c00u
#define H_NAN  0x7e00u
#define H_MAX  0x7bffu
#define H_SIGN 0x8000u
#define F_ONE  0x3f800000u
#define F_TWO  0x40000000u
#define F_HALF 0x3f000000u
#define F_INF  0x7f800000u
#define F_NAN  0x7fc00000u
#define F_SIGN 0x80000000u
#define F_MAX  0x7f7fffffu
#define F_SNAN 0x7f800001u
#define F_TINY 0x00000001u
#define D_ONE  UINT64_C(0x3ff0000000000000)
#define D_INF  UINT64_C(0x7ff0000000000000)
#define D_NAN  UINT64_C(0x7ff8000000000000)
#define D_SIGN UINT64_C(0x8000000000000000)
#define ALL    UINT64_MAX

typedef struct edge_case {
   const char *op;
   unsigned n, m;
   uint64_t src[HD_MAX_OP_SRCS];
   uint64_t result;
} edge_case;

static const edge_case integer_cases[] = {
   { "ineg", 8, 8, { 0x80 }, 0x80 },
   { "ineg", 64, 64, { D_SIGN }, D_SIGN },
   { "iabs", 8, 8, { 0x80 }, 0x80 },
   { "iabs", 64, 64, { D_SIGN }, D_SIGN },
   { "umul24", 32, 32, { 0xff000003, 0x01000005 }, 15 },
   { "imul24", 32, 32, { 0x7fffffff, 0x80000005 }, 0xfffffffb },
   { "umad24", 32, 32, { 0xff000003, 0x01000005, 0xffffffff }, 14 },
   { "imad24", 32, 32, { 0x7fffffff, 0x80000005, 0xff000000 }, 0xfefffffb },
   { "udiv", 8, 8, { 5, 0 }, 0xff },
   { "udiv", 64, 64, { 0, 0 }, ALL },
   { "idiv", 8, 8, { 5, 0 }, 0xff },
   { "idiv", 16, 16, { 0xfffb, 0 }, 0xffff },
   { "idiv", 32, 32, { 0x80000000, 0xffffffff }, 0x80000000 },
   { "idiv", 64, 64, { D_SIGN, ALL }, D_SIGN },
   { "idiv", 8, 8, { 0xf9, 2 }, 0xfd },
   { "urem", 8, 8, { 5, 0 }, 5 },
   { "irem", 8, 8, { 0xfb, 0 }, 0xfb },
   { "irem", 64, 64, { D_SIGN, ALL }, 0 },
   { "irem", 8, 8, { 0xf9, 2 }, 0xff },
   { "imod", 8, 8, { 0xfb, 0 }, 0xfb },
   { "imod", 64, 64, { D_SIGN, ALL }, 0 },
   { "imod", 8, 8, { 0xf9, 2 }, 1 },
   { "imod", 8, 8, { 7, 0xfe }, 0xff },
   { "udot4_acc", 32, 32, { 0x01010101, 0x01010101, 0xffffffff }, 3 },
   { "idot4_acc", 32, 32, { 0x01010101, 0x01010101, 0x7fffffff }, 0x80000003 },
   { "iudot4_acc", 32, 32, { 0xffffffff, 0x01010101, 0x80000000 }, 0x7ffffffc },
   { "udot4_acc_sat", 32, 32, { 0x01010101, 0x01010101, 0xffffffff }, 0xffffffff },
   { "idot4_acc_sat", 32, 32, { 0x01010101, 0x01010101, 0x7ffffffe }, 0x7fffffff },
   { "idot4_acc_sat", 32, 32, { 0x01010181, 0x01010101, 0x7fffffff }, 0x7fffff83 },
   { "iudot4_acc_sat", 32, 32, { 0xffffffff, 0x01010101, 0x80000000 }, 0x80000000 },
   { "ishl", 8, 8, { 3, 8 }, 3 },
   { "ishl_add", 32, 32, { 3, 33, 1 }, 7 },
   { "iadd_shl", 32, 32, { 3, 1, 33 }, 8 },
   { "ishl_or", 32, 32, { 3, 33, 1 }, 7 },
   { "usad", 32, 32, { 1, 3, 0xffffffff }, 1 },
   { "ishl", 32, 32, { 3, 33 }, 6 },
   { "ishl", 64, 64, { 3, 0xffffffff }, D_SIGN },
   { "ushr", 8, 8, { 0x81, 9 }, 0x40 },
   { "ushr", 16, 16, { 0x8000, 16 }, 0x8000 },
   { "ishr", 8, 8, { 0x81, 9 }, 0xc0 },
   { "ishr", 64, 64, { D_SIGN, 127 }, ALL },
   { "rotl", 8, 8, { 0x81, 9 }, 0x03 },
   { "rotl", 64, 64, { 0x81, 64 }, 0x81 },
   { "rotr", 8, 8, { 0x81, 9 }, 0xc0 },
   { "rotr", 32, 32, { 1, 32 }, 1 },
   { "funnel_shr", 32, 32, { 1, 2, 32 }, 2 },
   { "funnel_shr", 32, 32, { 1, 2, 33 }, 0x80000001 },
   { "find_lsb", 8, 8, { 0 }, 0xffffffff },
   { "ufind_msb", 64, 64, { 0 }, 0xffffffff },
   { "ifind_msb", 16, 16, { 0 }, 0xffffffff },
   { "ifind_msb", 16, 16, { 0xffff }, 0xffffffff },
   { "ifind_msb", 16, 16, { 0x8000 }, 14 },
   { "bitfield_mask", 8, 8, { 100, 3 }, 0xf8 },
   { "bitfield_mask", 64, 64, { 64, 0 }, ALL },
   { "bitfield_mask", 32, 32, { 3, 32 }, 0 },
   { "bitfield_mask", 64, 64, { 3, 0xffffffff }, 0 },
   { "ubitfield_extract", 32, 32, { 0xdeadbeef, 0, 32 }, 0xdeadbeef },
   { "ubitfield_extract", 32, 32, { 0xdeadbeef, 16, 32 }, 0xdead },
   { "ubitfield_extract", 32, 32, { 0xdeadbeef, 32, 1 }, 0 },
   { "ubitfield_extract", 64, 64, { ALL, 64, 64 }, 0 },
   { "ubitfield_extract", 32, 32, { 0xdeadbeef, 4, 0 }, 0 },
   { "ibitfield_extract", 32, 32, { 0xdeadbeef, 0, 32 }, 0xdeadbeef },
   { "ibitfield_extract", 32, 32, { 0xdeadbeef, 28, 8 }, 0xfffffffd },
   { "ibitfield_extract", 32, 32, { 0xdeadbeef, 99, 1 }, 0xffffffff },
   { "ibitfield_extract", 64, 64, { ALL >> 1, 64, 64 }, 0 },
   { "ibitfield_extract", 32, 32, { 0xdeadbeef, 4, 0 }, 0 },
   { "ubfe", 32, 32, { 0xdeadbeef, 0, 32 }, 0 },
   { "ubfe", 32, 32, { 0xdeadbeef, 36, 40 }, 0xee },
   { "ibfe", 64, 64, { ALL, 0, 64 }, 0 },
   { "ibfe", 32, 32, { 0xdeadbeef, 36, 40 }, 0xffffffee },
   { "bitfield_insert", 32, 32, { 0xffffffff, 0, 0, 32 }, 0 },
   { "bitfield_insert", 32, 32, { 0x12345678, 0xabcd, 24, 16 }, 0xcd345678 },
   { "bitfield_insert", 32, 32, { 0x12345678, 0xabcd, 32, 4 }, 0x12345678 },
   { "bitfield_insert", 64, 64, { 5, 0xabcd, 200, 4 }, 5 },
   { "bitfield_insert", 8, 8, { 0x12, 0xff, 4, 0 }, 0x12 },
   { "select", 1, 1, { 1, 1, 0 }, 1 },
   { "select", 64, 64, { 0, 7, D_SIGN }, D_SIGN },
};

static const edge_case float_cases[] = {
   { "fadd", 32, 32, { F_INF, F_INF | F_SIGN }, F_NAN },
   { "fadd", 16, 16, { H_ONE, H_ONE | H_SIGN }, 0 },
   { "fadd", 64, 64, { D_SIGN, 0 }, 0 },
   { "fadd", 64, 64, { D_SIGN, D_SIGN }, D_SIGN },
   { "fadd", 32, 32, { F_SNAN, F_ONE }, F_NAN },
   { "fsub", 32, 32, { F_INF, F_INF }, F_NAN },
   { "fsub", 32, 32, { F_SIGN | F_ONE, F_SIGN | F_ONE }, 0 },
   { "fmul", 32, 32, { 0, F_INF | F_SIGN }, F_NAN },
   { "fdiv", 32, 32, { F_ONE, F_SIGN }, F_INF | F_SIGN },
   { "fdiv", 16, 16, { 0, 0 }, H_NAN },
   { "fdiv", 64, 64, { D_INF, D_INF }, D_NAN },
   { "fdiv", 64, 64, { D_ONE | D_SIGN, D_SIGN }, D_INF },
   { "ffma", 32, 32, { 0, F_INF, F_NAN }, F_NAN },
   { "ffma", 32, 32, { 0, F_INF, F_ONE }, F_NAN },
   { "fneg", 32, 32, { F_SNAN }, F_SNAN | F_SIGN },
   { "fneg", 32, 32, { F_TINY }, F_TINY | F_SIGN },
   { "fabs", 32, 32, { F_SNAN | F_SIGN }, F_SNAN },
   { "fabs", 32, 32, { F_SIGN }, 0 },
   { "fcopysign", 32, 32, { F_SNAN, F_SIGN }, F_SNAN | F_SIGN },
   { "fcopysign", 16, 16, { H_SIGN | 1, H_NAN }, 1 },
   { "fsign", 32, 32, { F_NAN }, 0 },
   { "fsign", 32, 32, { F_SIGN }, F_SIGN },
   { "fsign", 32, 32, { F_TINY | F_SIGN }, F_ONE | F_SIGN },
   { "fmin", 32, 32, { F_SNAN, F_ONE }, F_ONE },
   { "fmin", 32, 32, { F_ONE, F_NAN | F_SIGN }, F_ONE },
   { "fmin", 32, 32, { 0, F_SIGN }, F_SIGN },
   { "fmax", 32, 32, { F_ONE, F_NAN }, F_ONE },
   { "fmax", 32, 32, { F_SIGN, 0 }, 0 },
   { "fmax", 64, 64, { D_NAN, D_NAN | 1 }, D_NAN },
   { "fmin3", 32, 32, { F_TWO, F_NAN, F_ONE }, F_ONE },
   { "fmin3", 32, 32, { 0, F_SIGN, 0 }, F_SIGN },
   { "fmax3", 32, 32, { F_SNAN, F_NAN, F_SIGN }, F_SIGN },
   { "fmax3", 32, 32, { F_SIGN, 0, F_SIGN }, 0 },
   { "fmed3", 32, 32, { F_TWO, F_NAN, F_ONE }, F_ONE },
   { "fmed3", 32, 32, { F_TWO, F_ONE, F_INF }, F_TWO },
   { "fmed3", 32, 32, { 0, F_SIGN, 0 }, 0 },
   { "fsat", 32, 32, { F_NAN }, 0 },
   { "fsat", 32, 32, { F_SIGN }, 0 },
   { "fsat", 16, 16, { H_INF }, H_ONE },
   { "fquantize16", 32, 32, { 0x387fc000 }, 0 },          /* 2^-14 - 2^-24 is denormal at 16 bits */
   { "fquantize16", 32, 32, { 0x387fffff }, 0x38800000 }, /* ... but this rounds to 2^-14 */
   { "fquantize16", 32, 32, { 0xb3000000 }, F_SIGN },
   { "fquantize16", 32, 32, { 0x477ff000 }, F_INF }, /* 65520 */
   { "ffloor", 32, 32, { F_SIGN }, F_SIGN },
   { "ffloor", 32, 32, { F_TINY | F_SIGN }, F_ONE | F_SIGN },
   { "fceil", 32, 32, { F_HALF | F_SIGN }, F_SIGN },
   { "fceil", 32, 32, { F_SIGN }, F_SIGN },
   { "ftrunc", 32, 32, { F_HALF | F_SIGN }, F_SIGN },
   { "frint", 32, 32, { F_HALF | F_SIGN }, F_SIGN },
   { "frint", 32, 32, { 0x3fc00000 }, F_TWO }, /* 1.5 */
   { "frint", 32, 32, { 0x40200000 }, F_TWO }, /* 2.5 */
   { "ffract", 32, 32, { F_TINY | F_SIGN }, F_ONE - 1 },
   { "ffract", 32, 32, { F_TWO | F_SIGN }, 0 },
   { "ffract", 32, 32, { F_SIGN }, 0 },
   { "ffract", 32, 32, { F_INF }, F_NAN },
   { "frcp", 32, 32, { F_SIGN }, F_INF | F_SIGN },
   { "fsqrt", 32, 32, { F_SIGN }, F_SIGN },
   { "fsqrt", 32, 32, { F_TINY | F_SIGN }, F_NAN },
   { "frsq", 32, 32, { F_SIGN }, F_INF | F_SIGN },
   { "frsq", 64, 64, { D_ONE | D_SIGN }, D_NAN },
   { "fexp2", 32, 32, { F_INF | F_SIGN }, 0 },
   { "flog2", 32, 32, { F_SIGN }, F_INF | F_SIGN },
   { "flog2", 16, 16, { H_ONE | H_SIGN }, H_NAN },
   { "fsin", 32, 32, { F_INF }, F_NAN },
   { "fsin", 32, 32, { F_HALF | F_SIGN }, F_SIGN },
   { "fsin", 32, 32, { 0x3e800000 }, F_ONE }, /* a quarter turn */
   { "fcos", 32, 32, { F_INF | F_SIGN }, F_NAN },
   { "fcos", 32, 32, { 0xbe800000 }, 0 },
   { "fldexp", 32, 32, { F_SIGN, 1000000 }, F_SIGN },
   { "fldexp", 32, 32, { F_INF, 0x80000000 }, F_INF },
   { "fldexp", 32, 32, { F_ONE, 0xffffff6b }, F_TINY }, /* 2^-149 */
   { "ffrexp_sig", 32, 32, { F_INF | F_SIGN }, F_INF | F_SIGN },
   { "ffrexp_sig", 32, 32, { F_TINY }, F_HALF },
   { "ffrexp_exp", 32, 32, { F_NAN }, 0 },
   { "ffrexp_exp", 32, 32, { F_INF }, 0 },
   { "ffrexp_exp", 32, 32, { F_SIGN }, 0 },
   { "ffrexp_exp", 32, 32, { F_TINY }, 0xffffff6c }, /* -148 */
   { "feq", 32, 32, { 0, F_SIGN }, 1 },
   { "feq", 32, 32, { F_NAN, F_NAN }, 0 },
   { "fne", 32, 32, { F_NAN, F_ONE }, 0 },
   { "fne", 32, 32, { 0, F_SIGN }, 0 },
   { "flt", 32, 32, { F_SIGN, 0 }, 0 },
   { "flt", 32, 32, { F_NAN, F_ONE }, 0 },
   { "fle", 32, 32, { 0, F_SIGN }, 1 },
   { "fle", 32, 32, { F_ONE, F_NAN }, 0 },
   { "fequ", 32, 32, { F_NAN, F_ONE }, 1 },
   { "fequ", 32, 32, { 0, F_SIGN }, 1 },
   { "fneu", 32, 32, { F_NAN, F_NAN }, 1 },
   { "fneu", 32, 32, { 0, F_SIGN }, 0 },
   { "fltu", 32, 32, { F_ONE, F_NAN }, 1 },
   { "fltu", 32, 32, { F_SIGN, 0 }, 0 },
   { "fleu", 32, 32, { F_NAN, F_ONE }, 1 },
   { "fleu", 32, 32, { 0, F_SIGN }, 1 },
   { "fleu", 32, 32, { F_TWO, F_ONE }, 0 },
};

static const edge_case conversion_cases[] = {
   { "f2f", 32, 16, { F_SNAN | F_SIGN }, H_NAN },
   { "f2f", 64, 16, { UINT64_C(0x40effe0000000000) }, H_INF }, /* 65520 */
   { "f2f", 16, 64, { H_SIGN | 1 }, UINT64_C(0xbe70000000000000) },
   { "f2f_rne", 32, 16, { F_MAX }, H_INF },
   { "f2f_rne", 32, 32, { F_SNAN }, F_NAN },
   { "f2f_rtz", 32, 16, { F_MAX }, H_MAX },
   { "f2f_rtz", 32, 16, { F_MAX | F_SIGN }, H_MAX | H_SIGN },
   { "f2f_ru", 32, 16, { F_MAX | F_SIGN }, H_MAX | H_SIGN },
   { "f2f_ru", 32, 16, { F_TINY }, 1 },
   { "f2f_rd", 32, 16, { F_MAX | F_SIGN }, H_INF | H_SIGN },
   { "f2f_rd", 32, 16, { F_TINY }, 0 },
   { "u2f", 8, 32, { 0 }, 0 },
   { "u2f", 64, 32, { ALL }, 0x5f800000 },
   { "i2f", 8, 16, { 0 }, 0 },
   { "i2f", 8, 16, { 0x80 }, 0xd800 },
   { "u2f_rne", 32, 16, { 0 }, 0 },
   { "u2f_rne", 32, 16, { 65520 }, H_INF },
   { "u2f_rtz", 32, 16, { 0 }, 0 },
   { "u2f_rtz", 64, 16, { ALL }, H_MAX },
   { "u2f_ru", 8, 64, { 0 }, 0 },
   { "u2f_ru", 32, 32, { 0x01000001 }, 0x4b800001 },
   { "u2f_rd", 8, 64, { 0 }, 0 },
   { "u2f_rd", 32, 32, { 0x01000003 }, 0x4b800001 },
   { "i2f_rne", 64, 64, { 0 }, 0 },
   { "i2f_rtz", 64, 64, { 0 }, 0 },
   { "i2f_rtz", 32, 32, { 0xfefffffd }, 0xcb800001 }, /* -(2^24 + 3) */
   { "i2f_ru", 64, 64, { 0 }, 0 },
   { "i2f_ru", 32, 32, { 0xfefffffd }, 0xcb800001 },
   { "i2f_rd", 64, 64, { 0 }, 0 },
   { "i2f_rd", 32, 32, { 0xfefffffd }, 0xcb800002 },
   { "f2u", 32, 8, { F_NAN }, 0 },
   { "f2u", 32, 8, { F_INF }, 0xff },
   { "f2u", 32, 64, { F_ONE | F_SIGN }, 0 },
   { "f2u", 32, 8, { 0x3fffffff }, 1 },
   { "f2i", 32, 8, { F_NAN }, 0 },
   { "f2i", 32, 8, { 0x43480000 }, 0x7f }, /* 200 */
   { "f2i", 64, 64, { D_INF | D_SIGN }, D_SIGN },
   { "f2i", 32, 32, { 0xbfffffff }, 0xffffffff },
   { "f2u_rne", 32, 8, { F_NAN }, 0 },
   { "f2u_rne", 32, 8, { 0x437fc000 }, 0xff }, /* 255.75 */
   { "f2u_rne", 32, 8, { 0x40200000 }, 2 },    /* 2.5 */
   { "f2u_ru", 32, 8, { F_NAN }, 0 },
   { "f2u_ru", 32, 8, { F_TINY }, 1 },
   { "f2u_ru", 32, 8, { F_INF }, 0xff },
   { "f2u_rd", 32, 8, { F_NAN }, 0 },
   { "f2u_rd", 32, 8, { F_TINY | F_SIGN }, 0 },
   { "f2u_rd", 32, 8, { F_INF }, 0xff },
   { "f2i_rne", 32, 8, { F_NAN }, 0 },
   { "f2i_rne", 32, 8, { F_INF }, 0x7f },
   { "f2i_rne", 32, 8, { 0xc0200000 }, 0xfe }, /* -2.5 */
   { "f2i_ru", 32, 8, { F_NAN }, 0 },
   { "f2i_ru", 32, 8, { F_INF | F_SIGN }, 0x80 },
   { "f2i_ru", 32, 8, { 0xbfffffff }, 0xff },
   { "f2i_rd", 32, 8, { F_NAN }, 0 },
   { "f2i_rd", 32, 8, { F_INF | F_SIGN }, 0x80 },
   { "f2i_rd", 32, 8, { 0xbfffffff }, 0xfe },
   { "u2u", 8, 64, { 0x80 }, 0x80 },
   { "u2u", 64, 16, { ALL }, 0xffff },
   { "i2i", 8, 64, { 0x80 }, UINT64_C(0xffffffffffffff80) },
   { "i2i", 64, 8, { D_SIGN | 0x17f }, 0x7f },
   { "b2i", 1, 64, { 1 }, 1 },
   { "b2f", 1, 16, { 1 }, H_ONE },
   { "b2f", 1, 64, { 0 }, 0 },
};

static bool covered[HD_NUM_OPS];

static void
run_cases(const edge_case *cases, unsigned count)
{
   for (unsigned i = 0; i < count; i++) {
      const edge_case *e = &cases[i];
      const hd_op op = hd_op_from_name(e->op, strlen(e->op));

      assert_int_not_equal(op, HD_OP_NONE);
      covered[op] = true;
      const uint64_t r =
          apply1(op, (sizes){ e->n, e->m }, 0, e->src[0], e->src[1], e->src[2], e->src[3]);
      if (r != e->result)
         fail_msg("%s, %u to %u bits, of 0x%llx, 0x%llx, 0x%llx: 0x%llx, expected 0x%llx", e->op,
                  e->n, e->m, (unsigned long long)e->src[0], (unsigned long long)e->src[1],
                  (unsigned long long)e->src[2], (unsigned long long)r,
                  (unsigned long long)e->result);
   }
}

#define RUN(cases) run_cases(cases, sizeof(cases) / sizeof *(cases))

static void
test_integers(void **state)
{
   (void)state;
   RUN(integer_cases);
}

static void
test_floats(void **state)
{
   (void)state;
   RUN(float_cases);
}

static void
test_conversions(void **state)
{
   (void)state;
   RUN(conversion_cases);
}

/* An op whose operands are vectors, or scalars beside vectors. */
static void
expect_vector(const char *name, unsigned num_srcs, const hd_fold_src *srcs, unsigned count,
              const uint64_t *expected, uint32_t controls)
{
   const hd_op op = hd_op_from_name(name, strlen(name));
   hd_const_value result[LANES + 1];

   covered[op] = true;
   memset(result, 0xa5, sizeof result);
   assert_true(hd_fold_op(op, num_srcs, srcs, 0, controls, result));
   for (unsigned i = 0; i < count; i++)
      if (result[i].u64 != expected[i])
         fail_msg("%s: component %u is 0x%llx, expected 0x%llx", name, i,
                  (unsigned long long)result[i].u64, (unsigned long long)expected[i]);
   for (unsigned i = count; i <= LANES; i++)
      assert_true(result[i].u64 == UINT64_C(0xa5a5a5a5a5a5a5a5));
}

#define VALUES(...) ((const hd_const_value[]){ __VA_ARGS__ })
#define U(x)                                                                                       \
   {                                                                                               \
      .u64 = (x)                                                                                   \
   }
#define LIST(...) ((const uint64_t[]){ __VA_ARGS__ })

static void
test_vectors(void **state)
{
   const hd_fold_src xyz = { VALUES(U(10), U(11), U(12)), { 3, 32 } };
   const hd_fold_src value = { VALUES(U(99)), { 1, 32 } };
   const hd_fold_src at1 = { VALUES(U(1)), { 1, 32 } }, at3 = { VALUES(U(3)), { 1, 32 } };
   const hd_fold_src far = { VALUES(U(0xffffffff)), { 1, 32 } };

   (void)state;
   expect_vector("vec", 2, (const hd_fold_src[]){ value, at1 }, 2, LIST(99, 1), 0);
   expect_vector("channel", 2, (const hd_fold_src[]){ xyz, at1 }, 1, LIST(11), 0);
   expect_vector("channel", 2, (const hd_fold_src[]){ xyz, at3 }, 1, LIST(0), 0);
   expect_vector("channel", 2, (const hd_fold_src[]){ xyz, far }, 1, LIST(0), 0);
   expect_vector("insert_channel", 3, (const hd_fold_src[]){ xyz, value, at1 }, 3, LIST(10, 99, 12),
                 0);
   expect_vector("insert_channel", 3, (const hd_fold_src[]){ xyz, value, at3 }, 3, LIST(10, 11, 12),
                 0);
   expect_vector("insert_channel", 3, (const hd_fold_src[]){ xyz, value, far }, 3, LIST(10, 11, 12),
                 0);
}

static void
test_packing(void **state)
{
   const struct packing {
      const char *pack, *unpack;
      unsigned whole, count, part;
   } plain[] = { { "pack_64_2x32", "unpack_64_2x32", 64, 2, 32 },
                 { "pack_64_4x16", "unpack_64_4x16", 64, 4, 16 },
                 { "pack_32_2x16", "unpack_32_2x16", 32, 2, 16 },
                 { "pack_32_4x8", "unpack_32_4x8", 32, 4, 8 } };

   (void)state;
   for (unsigned i = 0; i < sizeof plain / sizeof *plain; i++) {
      const struct packing *p = &plain[i];
      hd_const_value parts[4];
      uint64_t expected[4], whole = 0;
      for (unsigned k = 0; k < p->count; k++) {
         parts[k].u64 = expected[k] = random64() & low_bits(p->part);
         whole |= expected[k] << (k * p->part);
      }
      const hd_fold_src split = { parts, { (uint8_t)p->count, (uint8_t)p->part } };
      const hd_fold_src joined = { VALUES(U(whole)), { 1, (uint8_t)p->whole } };
      expect_vector(p->pack, 1, &split, 1, &whole, 0);
      expect_vector(p->unpack, 1, &joined, p->count, expected, 0);
   }
}

static void
expect_pack(const char *name, unsigned count, const hd_const_value *values, uint64_t result)
{
   const hd_fold_src src = { values, { (uint8_t)count, 32 } };

   /* Neither flushing nor rounding to zero changes these. */
   expect_vector(name, 1, &src, 1, &result, 0);
   expect_vector(name, 1, &src, 1, &result, HD_FLOAT_MODES);
}

static void
expect_unpack(const char *name, uint64_t value, unsigned count, const uint64_t *result)
{
   const hd_fold_src src = { VALUES(U(value)), { 1, 32 } };

   expect_vector(name, 1, &src, count, result, 0);
   expect_vector(name, 1, &src, count, result, HD_FLOAT_MODES);
}

static void
test_float_packing(void **state)
{
   (void)state;
   /* 2^-24 is a denormal half; 1 + 2^-11 is a tie that goes to even. */
   expect_pack("pack_half_2x16", 2, VALUES(U(0x33800000), U(0x3f801000)), 0x3c000001);
   expect_pack("pack_half_2x16", 2, VALUES(U(0x3f803000), U(0xff7fffff)), 0xfc003c02);
   expect_pack("pack_half_2x16_rtz", 2, VALUES(U(0x3f803000), U(0xff7fffff)), 0xfbff3c01);
   expect_unpack("unpack_half_2x16", 0xfc000001, 2, LIST(0x33800000, 0xff800000));

   expect_pack("pack_unorm_2x16", 2, VALUES(U(F_ONE), U(F_NAN)), 0x0000ffff);
   expect_pack("pack_unorm_2x16", 2, VALUES(U(F_ONE | F_SIGN), U(F_HALF)), 0x80000000);
   expect_pack("pack_unorm_4x8", 4, VALUES(U(F_TWO), U(F_NAN), U(F_HALF), U(F_INF)), 0xff8000ff);
   expect_pack("pack_snorm_2x16", 2, VALUES(U(F_TWO | F_SIGN), U(F_NAN)), 0x00008001);
   expect_pack("pack_snorm_2x16", 2, VALUES(U(F_HALF), U(F_ONE)), 0x7fff4000);
   expect_pack("pack_snorm_4x8", 4, VALUES(U(F_ONE | F_SIGN), U(F_NAN), U(F_HALF), U(F_ONE)),
               0x7f400081);
   expect_unpack("unpack_unorm_2x16", 0x0000ffff, 2, LIST(F_ONE, 0));
   expect_unpack("unpack_unorm_4x8", 0x01ff0033, 4, LIST(0x3e4ccccd, 0, F_ONE, 0x3b808081));
   expect_unpack("unpack_snorm_2x16", 0x80007fff, 2, LIST(F_ONE, F_ONE | F_SIGN));
   expect_unpack("unpack_snorm_4x8", 0x81807f00, 4, LIST(0, F_ONE, F_ONE | F_SIGN, F_ONE | F_SIGN));
}

/* Each integer that is unpacked packs to itself, but for the least signed one. */
static void
test_norm_round_trip(void **state)
{
   const char *names[][2] = { { "pack_unorm_2x16", "unpack_unorm_2x16" },
                              { "pack_snorm_2x16", "unpack_snorm_2x16" },
                              { "pack_unorm_4x8", "unpack_unorm_4x8" },
                              { "pack_snorm_4x8", "unpack_snorm_4x8" } };

   (void)state;
   for (unsigned i = 0; i < 4; i++) {
      const hd_op pack = hd_op_from_name(names[i][0], strlen(names[i][0]));
      const hd_op unpack = hd_op_from_name(names[i][1], strlen(names[i][1]));
      const unsigned part = i < 2 ? 16 : 8;
      for (uint64_t v = 0; v <= low_bits(part); v++) {
         const bool least = (i & 1) && v == low_bits(part) / 2 + 1;
         hd_const_value whole = U(v), parts[4], back;
         const hd_fold_src joined = { &whole, { 1, 32 } };
         const hd_fold_src split = { parts, { (uint8_t)(32 / part), 32 } };
         assert_true(hd_fold_op(unpack, 1, &joined, 0, 0, parts));
         assert_true(hd_fold_op(pack, 1, &split, 0, 0, &back));
         assert_true(back.u64 == (least ? v + 1 : v));
      }
   }
}

/* Flushing and rounding as the shader says, for the size it says. */
static void
test_float_controls(void **state)
{
   const sizes s16 = { 16, 16 }, s32 = { 32, 32 }, s64 = { 64, 64 };
   const uint32_t flush32 = HD_FLOAT_FLUSH_32, rtz32 = HD_FLOAT_RTZ_32;

   (void)state;
   assert_true(apply1(HD_OP_FADD, s32, 0, 1, 1, 0, 0) == 2);
   assert_true(apply1(HD_OP_FADD, s32, flush32, 1, 1, 0, 0) == 0);
   assert_true(apply1(HD_OP_FADD, s32, HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_64, 1, 1, 0, 0) == 2);
   assert_true(apply1(HD_OP_FADD, s16, HD_FLOAT_FLUSH_16, 1, 1, 0, 0) == 0);
   assert_true(apply1(HD_OP_FADD, s64, HD_FLOAT_FLUSH_64, 1, 1, 0, 0) == 0);
   assert_true(apply1(HD_OP_FADD, s64, HD_FLOAT_FLUSH_32, 1, 1, 0, 0) == 2);
   /* A result that is denormal is flushed too, and keeps its sign. */
   assert_true(apply1(HD_OP_FMUL, s32, flush32, 0x80800000, F_HALF, 0, 0) == F_SIGN);
   assert_true(apply1(HD_OP_FMUL, s32, 0, 0x80800000, F_HALF, 0, 0) == 0x80400000);
   assert_true(apply1(HD_OP_FEQ, s32, flush32, 1, F_SIGN, 0, 0) == 1);
   assert_true(apply1(HD_OP_FMAX, s32, flush32, 1, 0, 0, 0) == 0);
   assert_true(apply1(HD_OP_FNEG, s32, flush32, 1, 0, 0, 0) == (1 | F_SIGN));
   assert_true(apply1(HD_OP_FABS, s32, flush32, 1 | F_SIGN, 0, 0, 0) == 1);
   assert_true(apply1(HD_OP_FCOPYSIGN, s32, flush32, 1, F_SIGN, 0, 0) == (1 | F_SIGN));
   assert_true(apply1(HD_OP_FCANONICALIZE, s32, flush32, 1 | F_SIGN, 0, 0, 0) == F_SIGN);
   assert_true(apply1(HD_OP_FCANONICALIZE, s32, 0, F_SNAN | F_SIGN, 0, 0, 0) == F_NAN);
   assert_true(apply1(HD_OP_F2F, (sizes){ 32, 16 }, HD_FLOAT_FLUSH_16, 0x33800000, 0, 0, 0) == 0);
   assert_true(apply1(HD_OP_F2F, (sizes){ 32, 16 }, 0, 0x33800000, 0, 0, 0) == 1);
   assert_true(apply1(HD_OP_F2F, (sizes){ 16, 32 }, HD_FLOAT_FLUSH_16, 1, 0, 0, 0) == 0);

   /* 1 + 2^-24 * 1.5 */
   assert_true(apply1(HD_OP_FADD, s32, 0, F_ONE, 0x33c00000, 0, 0) == F_ONE + 1);
   assert_true(apply1(HD_OP_FADD, s32, rtz32, F_ONE, 0x33c00000, 0, 0) == F_ONE);
   assert_true(apply1(HD_OP_FADD, s32, HD_FLOAT_RTZ_16 | HD_FLOAT_RTZ_64, F_ONE, 0x33c00000, 0,
                      0) == F_ONE + 1);
   assert_true(apply1(HD_OP_FMUL, s32, rtz32, F_MAX, F_TWO, 0, 0) == F_MAX);
   assert_true(apply1(HD_OP_FFMA, s32, rtz32, F_MAX, F_TWO, 0, 0) == F_MAX);
   assert_true(apply1(HD_OP_FDIV, s32, rtz32, F_MAX, F_HALF, 0, 0) == F_MAX);
   assert_true(apply1(HD_OP_FSUB, s32, rtz32, F_MAX, F_MAX | F_SIGN, 0, 0) == F_MAX);
   assert_true(apply1(HD_OP_FSQRT, s32, 0, 0x40400000, 0, 0, 0) == 0x3fddb3d7);
   assert_true(apply1(HD_OP_FSQRT, s64, HD_FLOAT_RTZ_64, UINT64_C(0x4014000000000000), 0, 0, 0) ==
               UINT64_C(0x4001e3779b97f4a7)); /* sqrt(5) = 2.2360679774997896964 */
   assert_true(apply1(HD_OP_F2F, (sizes){ 32, 16 }, HD_FLOAT_RTZ_16, F_MAX, 0, 0, 0) == H_MAX);
   assert_true(apply1(HD_OP_F2F, (sizes){ 32, 16 }, rtz32, F_MAX, 0, 0, 0) == H_INF);
   assert_true(apply1(HD_OP_U2F, (sizes){ 32, 16 }, HD_FLOAT_RTZ_16, 65535, 0, 0, 0) == H_MAX);
   assert_true(apply1(HD_OP_I2F, (sizes){ 32, 32 }, rtz32, 0x01000003, 0, 0, 0) == 0x4b800001);
   assert_true(apply1(HD_OP_F2F_RNE, (sizes){ 32, 16 }, HD_FLOAT_MODES, F_MAX, 0, 0, 0) == H_INF);
}

static void
test_refusals(void **state)
{
   const hd_const_value one = { .u64 = 1 };
   const hd_fold_src a = { &one, { 1, 32 } }, b = { &one, { 1, 64 } };
   hd_fold_src many[20];
   hd_const_value result = { .u64 = 42 };

   (void)state;
   for (unsigned i = 0; i < 20; i++)
      many[i] = a;
   assert_false(hd_fold_op(HD_OP_NONE, 0, NULL, 0, 0, &result));
   assert_false(hd_fold_op(HD_NUM_OPS, 2, many, 0, 0, &result));
   assert_false(hd_fold_op(HD_OP_IADD, 1, many, 0, 0, &result));
   assert_false(hd_fold_op(HD_OP_IADD, 2, (const hd_fold_src[]){ a, b }, 0, 0, &result));
   assert_false(hd_fold_op(HD_OP_IADD, 2, many, 64, 0, &result));
   assert_false(hd_fold_op(HD_OP_F2F, 1, many, 0, 0, &result));
   assert_false(hd_fold_op(HD_OP_VEC, 17, many, 0, 0, &result));
   assert_false(hd_fold_op(HD_OP_FSIN, 1, &b, 0, 0, &result));
   assert_int_equal(result.u64, 42);
}

/* Last: the tests before it have marked what they tried. */
static void
test_every_note_is_tried(void **state)
{
   (void)state;
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_op_info *info = hd_op_get_info((hd_op)op);
      const char *note = hd_op_get_reference((hd_op)op)->note;
      if (note[0] && !covered[op])
         print_error("%s has an edge note and no case\n", info->name);
      assert_true(!note[0] || covered[op]);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_integers),        cmocka_unit_test(test_floats),
      cmocka_unit_test(test_conversions),     cmocka_unit_test(test_vectors),
      cmocka_unit_test(test_packing),         cmocka_unit_test(test_float_packing),
      cmocka_unit_test(test_norm_round_trip), cmocka_unit_test(test_float_controls),
      cmocka_unit_test(test_refusals),        cmocka_unit_test(test_every_note_is_tried),
   };

   seed_random();
   return cmocka_run_group_tests(tests, NULL, NULL);
}
