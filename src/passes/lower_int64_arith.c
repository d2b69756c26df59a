/* SPDX-License-Identifier: MIT */
/* lower_int64_arith.c - 64-bit sums, products, compares and shifts as ops on two words.
 *
 * Where an op of 32 bits counts or shifts modulo 32, that is used: a shift by c from 32 to 63 is
 * one by c - 32 that begins a word further on.
 */
#include "heddle/build_ops.h"
#include "passes/lower_int64.h"

/* Sums */

hd_def *
hd_int64_mask(const int64_op *o, hd_def *condition)
{
   return hd_ineg(o->b, hd_b2i(o->b, condition, 32));
}

int64_pair
hd_int64_add(const int64_op *o, int64_pair x, int64_pair y)
{
   hd_builder *b = o->b;
   hd_def *carry = hd_b2i(b, hd_uadd_carry(b, x.lo, y.lo), 32);

   return (int64_pair){ hd_iadd(b, x.lo, y.lo), hd_iadd(b, hd_iadd(b, x.hi, y.hi), carry) };
}

int64_pair
hd_int64_add_word(const int64_op *o, int64_pair x, hd_def *word)
{
   hd_builder *b = o->b;
   hd_def *carry = hd_b2i(b, hd_uadd_carry(b, x.lo, word), 32);

   return (int64_pair){ hd_iadd(b, x.lo, word), hd_iadd(b, x.hi, carry) };
}

int64_pair
hd_int64_sub(const int64_op *o, int64_pair x, int64_pair y)
{
   hd_builder *b = o->b;
   hd_def *borrow = hd_b2i(b, hd_usub_borrow(b, x.lo, y.lo), 32);

   return (int64_pair){ hd_isub(b, x.lo, y.lo), hd_isub(b, hd_isub(b, x.hi, y.hi), borrow) };
}

static int64_pair
negate(const int64_op *o, int64_pair x)
{
   hd_builder *b = o->b;
   hd_def *borrow = hd_b2i(b, hd_ine(b, x.lo, int64_imm(o, 0)), 32);

   return (int64_pair){ hd_ineg(b, x.lo), hd_isub(b, hd_ineg(b, x.hi), borrow) };
}

int64_pair
hd_int64_negate_where(const int64_op *o, hd_def *mask, int64_pair x)
{
   hd_builder *b = o->b;
   int64_pair flipped = { hd_ixor(b, x.lo, mask), hd_ixor(b, x.hi, mask) };

   return hd_int64_sub(o, flipped, (int64_pair){ mask, mask });
}

static hd_def *
sign_mask(const int64_op *o, int64_pair x)
{
   return hd_ishr(o->b, x.hi, int64_imm(o, 31));
}

/* Whether x + y is 2^64 or more. */
static hd_def *
carries(const int64_op *o, int64_pair x, int64_pair y)
{
   hd_builder *b = o->b;
   hd_def *low = hd_b2i(b, hd_uadd_carry(b, x.lo, y.lo), 32);
   hd_def *high = hd_iadd(b, x.hi, y.hi);

   hd_def *first = hd_uadd_carry(b, x.hi, y.hi);
   return hd_ior(b, first, hd_uadd_carry(b, high, low));
}

/* Compares */

static hd_def *
less(const int64_op *o, hd_op high, hd_op low, int64_pair x, int64_pair y)
{
   hd_builder *b = o->b;
   hd_def *const hi[] = { x.hi, y.hi }, *const lo[] = { x.lo, y.lo };
   hd_def *decided = hd_build_alu(b, high, 2, hi, 0);
   hd_def *equal = hd_ieq(b, x.hi, y.hi);
   hd_def *low_decides = hd_iand(b, equal, hd_build_alu(b, low, 2, lo, 0));

   return hd_ior(b, decided, low_decides);
}

hd_def *
hd_int64_ult(const int64_op *o, int64_pair x, int64_pair y)
{
   return less(o, HD_OP_ULT, HD_OP_ULT, x, y);
}

static hd_def *
compare(const int64_op *o, hd_op op, int64_pair x, int64_pair y)
{
   hd_builder *b = o->b;
   hd_def *low;

   switch (op) {
   case HD_OP_IEQ:
      low = hd_ieq(b, x.lo, y.lo);
      return hd_iand(b, low, hd_ieq(b, x.hi, y.hi));
   case HD_OP_INE:
      low = hd_ine(b, x.lo, y.lo);
      return hd_ior(b, low, hd_ine(b, x.hi, y.hi));
   case HD_OP_ULT:
      return less(o, HD_OP_ULT, HD_OP_ULT, x, y);
   case HD_OP_ULE:
      return less(o, HD_OP_ULT, HD_OP_ULE, x, y);
   case HD_OP_ILT:
      return less(o, HD_OP_ILT, HD_OP_ULT, x, y);
   default:
      return less(o, HD_OP_ILT, HD_OP_ULE, x, y);
   }
}

int64_pair
hd_int64_select(const int64_op *o, hd_def *condition, int64_pair x, int64_pair y)
{
   return (int64_pair){ hd_select(o->b, condition, x.lo, y.lo),
                        hd_select(o->b, condition, x.hi, y.hi) };
}

/* The lesser or the greater: `less_op` is ult or ilt. */
static int64_pair
least(const int64_op *o, hd_op less_op, bool greatest, int64_pair x, int64_pair y)
{
   hd_def *is_less = compare(o, less_op, x, y);

   return greatest ? hd_int64_select(o, is_less, y, x) : hd_int64_select(o, is_less, x, y);
}

static int64_pair
middle(const int64_op *o, hd_op less_op)
{
   int64_pair most = least(o, less_op, true, o->pair[0], o->pair[1]);
   int64_pair some = least(o, less_op, false, o->pair[0], o->pair[1]);

   return least(o, less_op, false, most, least(o, less_op, true, some, o->pair[2]));
}

/* The greatest number, or the least where x is negative. */
static int64_pair
limit(const int64_op *o, int64_pair x)
{
   hd_def *sign = sign_mask(o, x);

   return (int64_pair){ hd_inot(o->b, sign),
                        hd_ixor(o->b, sign, int64_imm(o, UINT32_C(0x7fffffff))) };
}

/* A sum overflows if both operands have the sign that it has not, a difference if x has another
 * sign than y and than the difference.
 */
static int64_pair
saturate_signed(const int64_op *o, bool difference)
{
   hd_builder *b = o->b;
   int64_pair x = o->pair[0], y = o->pair[1];
   int64_pair r = difference ? hd_int64_sub(o, x, y) : hd_int64_add(o, x, y);
   hd_def *other = hd_ixor(b, difference ? x.hi : r.hi, y.hi);
   hd_def *sign = hd_iand(b, hd_ixor(b, x.hi, r.hi), other);
   hd_def *wrong = hd_ilt(b, sign, int64_imm(o, 0));

   return hd_int64_select(o, wrong, limit(o, x), r);
}

static int64_pair
distance(const int64_op *o, hd_op less_op)
{
   hd_def *mask = hd_int64_mask(o, compare(o, less_op, o->pair[0], o->pair[1]));

   return hd_int64_negate_where(o, mask, hd_int64_sub(o, o->pair[0], o->pair[1]));
}

/* Products */

static int64_pair
product_of_words(const int64_op *o, hd_def *x, hd_def *y)
{
   return (int64_pair){ hd_imul(o->b, x, y), hd_umulhi(o->b, x, y) };
}

static int64_pair
product(const int64_op *o, int64_pair x, int64_pair y)
{
   hd_builder *b = o->b;
   int64_pair r = product_of_words(o, x.lo, y.lo);
   hd_def *crossed = hd_imul(b, x.lo, y.hi);

   crossed = hd_iadd(b, crossed, hd_imul(b, x.hi, y.lo));
   r.hi = hd_iadd(b, r.hi, crossed);
   return r;
}

/* By words: a product of two plus one is below 2^64, so nothing is lost on the way up. */
static int64_pair
upper_product(const int64_op *o, int64_pair x, int64_pair y)
{
   hd_def *lowest = hd_umulhi(o->b, x.lo, y.lo);
   int64_pair p = hd_int64_add_word(o, product_of_words(o, x.hi, y.lo), lowest);
   int64_pair q = hd_int64_add_word(o, product_of_words(o, x.lo, y.hi), p.lo);
   int64_pair r = hd_int64_add_word(o, product_of_words(o, x.hi, y.hi), p.hi);

   return hd_int64_add_word(o, r, q.hi);
}

static int64_pair
only_where(const int64_op *o, hd_def *mask, int64_pair x)
{
   return (int64_pair){ hd_iand(o->b, mask, x.lo), hd_iand(o->b, mask, x.hi) };
}

/* Read as unsigned, a negative x is 2^64 more: the product is y 2^64 more. */
static int64_pair
signed_upper_product(const int64_op *o, int64_pair x, int64_pair y)
{
   int64_pair r = upper_product(o, x, y);

   r = hd_int64_sub(o, r, only_where(o, sign_mask(o, x), y));
   return hd_int64_sub(o, r, only_where(o, sign_mask(o, y), x));
}

int64_pair
hd_int64_arith(const int64_op *o)
{
   hd_builder *b = o->b;
   const int64_pair x = o->pair[0], y = o->pair[1];
   int64_pair r = { NULL, NULL };
   hd_def *mask;

   switch (o->op) {
   case HD_OP_IADD:
      return hd_int64_add(o, x, y);
   case HD_OP_ISUB:
      return hd_int64_sub(o, x, y);
   case HD_OP_INEG:
      return negate(o, x);
   case HD_OP_IABS:
      return hd_int64_negate_where(o, sign_mask(o, x), x);
   case HD_OP_ISIGN:
      r.hi = sign_mask(o, x);
      mask = hd_ior(b, x.lo, x.hi);
      mask = hd_ine(b, mask, int64_imm(o, 0));
      r.lo = hd_ior(b, r.hi, hd_b2i(b, mask, 32));
      return r;
   case HD_OP_UADD_CARRY:
      r.lo = carries(o, x, y);
      return r;
   case HD_OP_USUB_BORROW:
      r.lo = hd_int64_ult(o, x, y);
      return r;
   case HD_OP_IMUL:
      return product(o, x, y);
   case HD_OP_UMULHI:
      return upper_product(o, x, y);
   case HD_OP_IMULHI:
      return signed_upper_product(o, x, y);
   case HD_OP_UMUL_WIDE:
      return product_of_words(o, o->src[0], o->src[1]);
   case HD_OP_IMUL_WIDE:
      r.lo = hd_imul(b, o->src[0], o->src[1]);
      r.hi = hd_imulhi(b, o->src[0], o->src[1]);
      return r;
   case HD_OP_UMIN:
   case HD_OP_UMAX:
      return least(o, HD_OP_ULT, o->op == HD_OP_UMAX, x, y);
   case HD_OP_IMIN:
   case HD_OP_IMAX:
      return least(o, HD_OP_ILT, o->op == HD_OP_IMAX, x, y);
   case HD_OP_UMED3:
   case HD_OP_IMED3:
      return middle(o, o->op == HD_OP_UMED3 ? HD_OP_ULT : HD_OP_ILT);
   case HD_OP_UADD_SAT:
      mask = hd_int64_mask(o, carries(o, x, y));
      r = hd_int64_add(o, x, y);
      return (int64_pair){ hd_ior(b, r.lo, mask), hd_ior(b, r.hi, mask) };
   case HD_OP_USUB_SAT:
      mask = hd_inot(b, hd_int64_mask(o, hd_int64_ult(o, x, y)));
      return only_where(o, mask, hd_int64_sub(o, x, y));
   case HD_OP_IADD_SAT:
   case HD_OP_ISUB_SAT:
      return saturate_signed(o, o->op == HD_OP_ISUB_SAT);
   case HD_OP_UABS_DIFF:
   case HD_OP_IABS_DIFF:
      return distance(o, o->op == HD_OP_UABS_DIFF ? HD_OP_ULT : HD_OP_ILT);
   default: /* a compare */
      r.lo = compare(o, o->op, x, y);
      return r;
   }
}
