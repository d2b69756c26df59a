/* SPDX-License-Identifier: MIT */
/* alu.c - semantics of ALU instructions, for one lane. */
#include "backend/r700/sim/sim.h"
#include "util/float.h"

#define ONE      UINT32_C(0x3f800000)
#define ALL_ONES UINT32_MAX

static uint32_t
add(uint32_t a, uint32_t b)
{
   return (uint32_t)hd_float_add(32, a, b, HD_ROUND_NEAREST_EVEN);
}

static uint32_t
multiply(uint32_t a, uint32_t b)
{
   return (uint32_t)hd_float_mul(32, a, b, HD_ROUND_NEAREST_EVEN);
}

/* What is not IEEE's: 0 times anything is 0. */
static uint32_t
multiply_zero(uint32_t a, uint32_t b)
{
   return !(a << 1) || !(b << 1) ? 0 : multiply(a, b);
}

static bool
greater(uint32_t a, uint32_t b)
{
   return hd_float_lt(32, b, a);
}

static bool
greater_equal(uint32_t a, uint32_t b)
{
   return hd_float_le(32, b, a);
}

static bool
equal(uint32_t a, uint32_t b)
{
   return hd_float_eq(32, a, b);
}

static uint32_t
shift_right_arithmetic(uint32_t a, uint32_t b)
{
   const uint32_t n = b > 31 ? 31 : b, sign = a >> 31 ? UINT32_MAX : 0;

   return n ? a >> n | sign << (32 - n) : a;
}

static uint32_t
high_product(uint32_t a, uint32_t b, bool is_signed)
{
   uint32_t high = (uint32_t)((uint64_t)a * b >> 32);

   if (is_signed)
      high -= (a >> 31 ? b : 0) + (b >> 31 ? a : 0);
   return high;
}

static bool
compare_int(unsigned relation, uint32_t a, uint32_t b)
{
   const uint32_t sign = UINT32_C(0x80000000);

   switch (relation) {
   case 0:
      return a == b;
   case 1:
      return (a ^ sign) > (b ^ sign);
   case 2:
      return (a ^ sign) >= (b ^ sign);
   default:
      return a != b;
   }
}

static bool
compare_float(unsigned relation, uint32_t a, uint32_t b)
{
   switch (relation) {
   case 0:
      return equal(a, b);
   case 1:
      return greater(a, b);
   case 2:
      return greater_equal(a, b);
   default:
      return !equal(a, b);
   }
}

/* Compares, in rows of four: equal, greater, greater or equal, not equal. */
static bool
compare(unsigned op, uint32_t a, uint32_t b, uint32_t *r)
{
   if (op >= HD_R700_SETE && op <= HD_R700_SETNE)
      *r = compare_float(op - HD_R700_SETE, a, b) ? ONE : 0;
   else if (op >= HD_R700_SETE_DX10 && op <= HD_R700_SETNE_DX10)
      *r = compare_float(op - HD_R700_SETE_DX10, a, b) ? ALL_ONES : 0;
   else if (op >= HD_R700_SETE_INT && op <= HD_R700_SETNE_INT)
      *r = compare_int(op - HD_R700_SETE_INT, a, b) ? ALL_ONES : 0;
   else if (op == HD_R700_SETGT_UINT)
      *r = a > b ? ALL_ONES : 0;
   else if (op == HD_R700_SETGE_UINT)
      *r = a >= b ? ALL_ONES : 0;
   else
      return false;
   return true;
}

/* These give 0 where the predicate is true, else 1: a count of pops. */
static bool
predicate(unsigned op, uint32_t a, uint32_t b, uint32_t *r)
{
   bool holds;

   if (op >= HD_R700_PRED_SETE && op <= HD_R700_PRED_SETNE)
      holds = compare_float(op - HD_R700_PRED_SETE, a, b);
   else if (op >= HD_R700_PRED_SETE_INT && op <= HD_R700_PRED_SETNE_INT)
      holds = compare_int(op - HD_R700_PRED_SETE_INT, a, b);
   else if (op == HD_R700_PRED_SETGT_UINT)
      holds = a > b;
   else if (op == HD_R700_PRED_SETGE_UINT)
      holds = a >= b;
   else
      return false;
   *r = holds ? 0 : ONE;
   return true;
}

static bool
integer(unsigned op, uint32_t a, uint32_t b, uint32_t *r)
{
   const uint32_t sign = UINT32_C(0x80000000);
   const bool less = (a ^ sign) < (b ^ sign);

   switch (op) {
   case HD_R700_AND_INT:
      *r = a & b;
      return true;
   case HD_R700_OR_INT:
      *r = a | b;
      return true;
   case HD_R700_XOR_INT:
      *r = a ^ b;
      return true;
   case HD_R700_NOT_INT:
      *r = ~a;
      return true;
   case HD_R700_ADD_INT:
      *r = a + b;
      return true;
   case HD_R700_SUB_INT:
      *r = a - b;
      return true;
   case HD_R700_MAX_INT:
      *r = less ? b : a;
      return true;
   case HD_R700_MIN_INT:
      *r = less ? a : b;
      return true;
   case HD_R700_MAX_UINT:
      *r = a < b ? b : a;
      return true;
   case HD_R700_MIN_UINT:
      *r = a < b ? a : b;
      return true;
   case HD_R700_ASHR_INT:
      *r = shift_right_arithmetic(a, b);
      return true;
   case HD_R700_LSHR_INT:
      *r = b > 31 ? 0 : a >> b;
      return true;
   case HD_R700_LSHL_INT:
      *r = b > 31 ? 0 : a << b;
      return true;
   case HD_R700_MULLO_INT:
   case HD_R700_MULLO_UINT:
      *r = a * b;
      return true;
   case HD_R700_MULHI_INT:
      *r = high_product(a, b, true);
      return true;
   case HD_R700_MULHI_UINT:
      *r = high_product(a, b, false);
      return true;
   case HD_R700_RECIP_UINT:
      *r = a ? (uint32_t)((UINT64_C(1) << 32) / a > UINT32_MAX ? UINT32_MAX
                                                               : (UINT64_C(1) << 32) / a)
             : UINT32_MAX;
      return true;
   default:
      return false;
   }
}

static bool
number(unsigned op, uint32_t a, uint32_t b, uint32_t *r)
{
   switch (op) {
   case HD_R700_ADD:
      *r = add(a, b);
      return true;
   case HD_R700_MUL:
      *r = multiply_zero(a, b);
      return true;
   case HD_R700_MUL_IEEE:
      *r = multiply(a, b);
      return true;
   case HD_R700_MAX:
   case HD_R700_MAX_DX10:
      *r = (uint32_t)hd_float_max(32, a, b);
      return true;
   case HD_R700_MIN:
   case HD_R700_MIN_DX10:
      *r = (uint32_t)hd_float_min(32, a, b);
      return true;
   case HD_R700_FRACT:
      *r = (uint32_t)hd_float_fract(32, a);
      return true;
   case HD_R700_TRUNC:
      *r = (uint32_t)hd_float_trunc(32, a);
      return true;
   case HD_R700_CEIL:
      *r = (uint32_t)hd_float_ceil(32, a);
      return true;
   case HD_R700_RNDNE:
      *r = (uint32_t)hd_float_rint(32, a);
      return true;
   case HD_R700_FLOOR:
      *r = (uint32_t)hd_float_floor(32, a);
      return true;
   case HD_R700_MOV:
      *r = a;
      return true;
   case HD_R700_EXP_IEEE:
      *r = (uint32_t)hd_float_exp2(32, a);
      return true;
   case HD_R700_LOG_IEEE:
      *r = (uint32_t)hd_float_log2(32, a);
      return true;
   case HD_R700_RECIP_IEEE:
      *r = (uint32_t)hd_float_rcp(32, a);
      return true;
   case HD_R700_RECIPSQRT_IEEE:
      *r = (uint32_t)hd_float_rsq(32, a);
      return true;
   case HD_R700_SQRT_IEEE:
      *r = (uint32_t)hd_float_sqrt(32, a, HD_ROUND_NEAREST_EVEN);
      return true;
   case HD_R700_FLT_TO_INT:
      *r = (uint32_t)hd_float_to_int(32, a, 32, HD_ROUND_ZERO);
      return true;
   case HD_R700_FLT_TO_UINT:
      *r = (uint32_t)hd_float_to_uint(32, a, 32, HD_ROUND_ZERO);
      return true;
   case HD_R700_INT_TO_FLT:
      *r = (uint32_t)hd_float_from_int(32, (int32_t)a, HD_ROUND_NEAREST_EVEN);
      return true;
   case HD_R700_UINT_TO_FLT:
      *r = (uint32_t)hd_float_from_uint(32, a, HD_ROUND_NEAREST_EVEN);
      return true;
   default:
      return false;
   }
}

static bool
ternary(unsigned op, const uint32_t src[3], uint32_t *r)
{
   const uint32_t a = src[0], b = src[1], c = src[2];

   switch (op) {
   case HD_R700_MULADD:
      *r = add(multiply_zero(a, b), c);
      return true;
   case HD_R700_MULADD_IEEE:
      *r = add(multiply(a, b), c);
      return true;
   case HD_R700_CNDE:
      *r = equal(a, 0) ? b : c;
      return true;
   case HD_R700_CNDGT:
      *r = greater(a, 0) ? b : c;
      return true;
   case HD_R700_CNDGE:
      *r = greater_equal(a, 0) ? b : c;
      return true;
   case HD_R700_CNDE_INT:
      *r = !a ? b : c;
      return true;
   case HD_R700_CNDGT_INT:
      *r = compare_int(1, a, 0) ? b : c;
      return true;
   case HD_R700_CNDGE_INT:
      *r = compare_int(2, a, 0) ? b : c;
      return true;
   default:
      return false;
   }
}

/* Of floats: times 2, times 4, half; held between 0 and 1. */
static uint32_t
modified(const hd_r700_inst *inst, uint32_t result)
{
   static const uint32_t factors[] = { 0, 0x40000000, 0x40800000, 0x3f000000 };

   if (inst->f[HD_R700_F_OMOD])
      result = multiply(result, factors[inst->f[HD_R700_F_OMOD]]);
   return inst->f[HD_R700_F_CLAMP] ? (uint32_t)hd_float_saturate(32, result) : result;
}

bool
hd_r700_sim_compute(const hd_r700_inst *inst, const uint32_t src[3], uint32_t *result)
{
   const unsigned op = inst->op;

   *result = 0;
   if (op == HD_R700_NOP)
      return true;
   if (!number(op, src[0], src[1], result) && !integer(op, src[0], src[1], result) &&
       !compare(op, src[0], src[1], result) && !predicate(op, src[0], src[1], result) &&
       !ternary(op, src, result))
      return false;
   *result = modified(inst, *result);
   return true;
}
