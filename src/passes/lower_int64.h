/* SPDX-License-Identifier: MIT */
/* lower_int64.h - 64-bit numbers as two of 32 bits: what the files of lower_int64 share.
 *
 *    lower_int64.c        the walk: which instructions, phis, where halves are packed again
 *    lower_int64_arith.c  sums, products, compares, shifts
 *    lower_int64_bits.c   bitwise ops, searches, fields
 *    lower_int64_float.c  conversions from and to floats
 */
#ifndef HEDDLE_PASSES_LOWER_INT64_H
#define HEDDLE_PASSES_LOWER_INT64_H

#include "passes/lower.h"

/* The two words of a number, or of each component of a vector. */
typedef struct int64_pair {
   hd_def *lo, *hi;
} int64_pair;

/* One instruction that is being lowered. */
typedef struct int64_op {
   hd_builder *b;
   hd_op op;
   unsigned n;         /* components of the result */
   unsigned bits;      /* of the result */
   hd_def *src[4];     /* operands as they were; 64-bit integers are in pair[] instead */
   int64_pair pair[4]; /* the halves of those */
} int64_op;

/* What comes of an op: a pair where its result is a 64-bit integer, else a value in `lo` alone. */
int64_pair hd_int64_arith(const int64_op *o);
int64_pair hd_int64_shift(const int64_op *o);
int64_pair hd_int64_bits(const int64_op *o);
int64_pair hd_int64_convert(const int64_op *o);

/* Arithmetic on pairs */

static inline hd_def *
int64_imm(const int64_op *o, uint32_t value)
{
   return hd_lower_imm(o->b, o->n, 32, value);
}

/* A constant float of the same number of components, 32 or 64 bits. */
hd_def *hd_int64_imm_float(const int64_op *o, unsigned bits, double value);

int64_pair hd_int64_add(const int64_op *o, int64_pair x, int64_pair y);
int64_pair hd_int64_sub(const int64_op *o, int64_pair x, int64_pair y);
/* x plus a number of 32 bits. */
int64_pair hd_int64_add_word(const int64_op *o, int64_pair x, hd_def *word);
hd_def *hd_int64_ult(const int64_op *o, int64_pair x, int64_pair y);
/* -x where the mask is all ones, x where it is 0. */
int64_pair hd_int64_negate_where(const int64_op *o, hd_def *mask, int64_pair x);
int64_pair hd_int64_select(const int64_op *o, hd_def *condition, int64_pair x, int64_pair y);
/* All ones where the condition holds, else 0. */
hd_def *hd_int64_mask(const int64_op *o, hd_def *condition);
/* ishl, ushr or ishr by a count that is taken modulo 64. */
int64_pair hd_int64_shift_by(const int64_op *o, hd_op op, int64_pair x, hd_def *count);
/* Positions, -1 if there is none. */
hd_def *hd_int64_ufind_msb(const int64_op *o, int64_pair x);
hd_def *hd_int64_ifind_msb(const int64_op *o, int64_pair x);

#endif
