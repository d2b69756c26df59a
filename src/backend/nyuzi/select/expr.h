/* SPDX-License-Identifier: MIT */
/* expr.h - expression helpers for instruction selection: each emits an instruction and returns its result. */
#ifndef HEDDLE_BACKEND_NYUZI_SELECT_EXPR_H
#define HEDDLE_BACKEND_NYUZI_SELECT_EXPR_H

#include "backend/nyuzi/select/select.h"

typedef hd_nyuzi_selector sel;
typedef hd_mach_operand val;

#define K(bits) hd_nyuzi_imm((uint32_t)(bits))

#define BINARY(name, op)                                                                           \
   static inline val name(sel *s, val a, val b)                                                    \
   {                                                                                               \
      return hd_nyuzi_emit(s, HD_NYUZI_##op, a, b);                                                \
   }
#define UNARY(name, op)                                                                            \
   static inline val name(sel *s, val a)                                                           \
   {                                                                                               \
      return hd_nyuzi_emit(s, HD_NYUZI_##op, (val){ 0 }, a);                                       \
   }

BINARY(add, ADD_I)
BINARY(sub, SUB_I)
BINARY(mul, MULL_I)
BINARY(mulh, MULH_U)
BINARY(and, AND)
BINARY(or, OR)
BINARY(xor, XOR)
BINARY(shl, SHL)
BINARY(shr, SHR)
BINARY(eq, CMPEQ_I)
BINARY(ne, CMPNE_I)
BINARY(leu, CMPLE_U)
BINARY(geu, CMPGE_U)
BINARY(addf, ADD_F)
BINARY(subf, SUB_F)
BINARY(mulf, MUL_F)
UNARY(ctz, CTZ)
UNARY(ftoi, FTOI)
UNARY(itof, ITOF)
UNARY(sext16, SEXT_16)
UNARY(estimate, RECIPROCAL)

#undef BINARY
#undef UNARY

static inline val
pick(sel *s, val condition, val a, val b)
{
   return hd_nyuzi_choose(s, condition, a, b);
}

#endif
