/* SPDX-License-Identifier: MIT */
/* lower_float.h - unpack and pack 32-bit floats by integer arithmetic: interface of the files of
 * lower_float_functions.
 *
 *    lower_float_functions.c    the walk: which instructions, sizes; quotients and roots
 *    lower_float_polynomials.c  powers, logarithms, sines and cosines
 *    lower_float_parts.c        significands and exponents, rounding
 */
#ifndef HEDDLE_PASSES_LOWER_FLOAT_H
#define HEDDLE_PASSES_LOWER_FLOAT_H

#include "heddle/build_ops.h"
#include "passes/lower.h"

#define SIGN      0x80000000u
#define MAGNITUDE 0x7fffffffu
#define INFINITE  0x7f800000u
#define NOT_A_NUM 0x7fc00000u
#define HIDDEN    0x00800000u

/* One instruction that is being lowered. */
typedef struct float_code {
   hd_builder *b;
   unsigned n; /* components */
   /* How a result is rounded if not to nearest; to_odd is to zero, with the last bit set if anything was
    * lost: so that rounding to fewer bits later is rounding once. */
   bool to_zero, to_odd;
   bool flush; /* denormals */
} float_code;

static inline hd_def *
imm(const float_code *c, uint32_t value)
{
   return hd_lower_imm(c->b, c->n, 32, value);
}

static inline hd_def *
and_imm(const float_code *c, hd_def *x, uint32_t mask)
{
   return hd_iand(c->b, x, imm(c, mask));
}

static inline hd_def *
or_imm(const float_code *c, hd_def *x, uint32_t bits)
{
   return hd_ior(c->b, x, imm(c, bits));
}

static inline hd_def *
add_imm(const float_code *c, hd_def *x, uint32_t value)
{
   return hd_iadd(c->b, x, imm(c, value));
}

static inline hd_def *
shl_imm(const float_code *c, hd_def *x, unsigned count)
{
   return hd_ishl(c->b, x, imm(c, count));
}

static inline hd_def *
shr_imm(const float_code *c, hd_def *x, unsigned count)
{
   return hd_ushr(c->b, x, imm(c, count));
}

static inline hd_def *
mul_imm(const float_code *c, hd_def *x, uint32_t factor)
{
   return hd_fmul(c->b, x, imm(c, factor));
}

/* x where the condition holds, else as it was. */
static inline void
set_if(const float_code *c, hd_def *condition, hd_def *x, hd_def **value)
{
   *value = hd_select(c->b, condition, x, *value);
}

/* 0 or 1. */
static inline hd_def *
differs(const float_code *c, hd_def *x, hd_def *y)
{
   return hd_b2i(c->b, hd_ine(c->b, x, y), 32);
}

/* A significand from 2^23 to 2^24 - 1, and the exponent of its bit 23. */
typedef struct float_split {
   hd_def *m, *e;
} float_split;

/* Of a number, denormals too. Zeros have the significand 0 and an exponent below all others; what
 * is no number has an exponent above all others.
 */
float_split hd_lower_float_split(const float_code *c, hd_def *a);

/* Denormals as the shader wants them: zeros of their sign, or as they are. */
hd_def *hd_lower_float_flushed(const float_code *c, hd_def *x);

/* Round `m`, whose highest bit is 26 or 25 and of which bit 26 stands for 2^e; `sticky` is 1 if there
 * is more below. The result has the bit `sign`, and its denormals are flushed if the shader wants that.
 */
hd_def *hd_lower_float_join(const float_code *c, hd_def *sign, hd_def *e, hd_def *m,
                            hd_def *sticky);

/* To within 0.52 units of the last place of a float of 32 bits, and results that such a float holds exactly
 * are that float; with `to_odd` 24 bits that round to those of a half. The operand is flushed already.
 */
hd_def *hd_lower_float_exp2(const float_code *c, hd_def *a);
hd_def *hd_lower_float_log2(const float_code *c, hd_def *a);
/* `a` is in turns; with `is_cos` the cosine. */
hd_def *hd_lower_float_sin(const float_code *c, hd_def *a, bool is_cos);

#endif
