/* SPDX-License-Identifier: MIT */
/* lower_int64_bits.c - 64-bit shifts, bitwise ops, searches and fields as ops on two words. */
#include "heddle/build_ops.h"
#include "passes/lower_int64.h"

/* Shifts */

/* A count that is taken modulo 64: whether it goes past a word. */
typedef struct shift_count {
   hd_def *count;
   hd_def *is_large; /* NULL where it is known: */
   bool known_large;
   bool known_whole; /* no bits within a word, only words */
} shift_count;

static shift_count
count_of(const int64_op *o, hd_def *count)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(count));
   shift_count s = { .count = count };

   if (c && hd_lower_is_splat(c)) {
      s.known_large = hd_lower_const(c, 0) & 32;
      s.known_whole = !(hd_lower_const(c, 0) & 31);
   } else {
      hd_def *bit = hd_iand(o->b, count, int64_imm(o, 32));
      s.is_large = hd_ine(o->b, bit, int64_imm(o, 0));
   }
   return s;
}

static hd_def *
pick(const int64_op *o, const shift_count *s, hd_def *large, hd_def *small)
{
   if (s->is_large)
      return hd_select(o->b, s->is_large, large, small);
   return s->known_large ? large : small;
}

/* The upper word of high:low shifted left by the count modulo 32. */
static hd_def *
funnel_left(const int64_op *o, const shift_count *s, hd_def *high, hd_def *low)
{
   hd_builder *b = o->b;
   hd_def *one = int64_imm(o, 1);

   if (s->known_whole)
      return high;
   if (!s->is_large)
      return hd_funnel_shr(b, high, low, hd_ineg(b, s->count));
   /* Right by 32 - count, that is by 1 and then by ~count modulo 32: 32 is no count. */
   hd_def *upper = hd_ushr(b, high, one), *lower = hd_funnel_shr(b, high, low, one);
   return hd_funnel_shr(b, upper, lower, hd_inot(b, s->count));
}

int64_pair
hd_int64_shift_by(const int64_op *o, hd_op op, int64_pair x, hd_def *count)
{
   hd_builder *b = o->b;
   shift_count s = count_of(o, count);
   hd_def *filler = int64_imm(o, 0), *within;

   if (op == HD_OP_ISHL) {
      within = hd_ishl(b, x.lo, count);
      return (int64_pair){ pick(o, &s, filler, within),
                           pick(o, &s, within, funnel_left(o, &s, x.hi, x.lo)) };
   }
   within = op == HD_OP_USHR ? hd_ushr(b, x.hi, count) : hd_ishr(b, x.hi, count);
   if (op == HD_OP_ISHR)
      filler = hd_ishr(b, x.hi, int64_imm(o, 31));
   hd_def *across = s.known_whole ? x.lo : hd_funnel_shr(b, x.hi, x.lo, count);
   return (int64_pair){ pick(o, &s, within, across), pick(o, &s, filler, within) };
}

/* The lower two words of three, w2:w1:w0, shifted right by the count modulo 32. */
static int64_pair
funnel_words(const int64_op *o, const shift_count *s, hd_def *w2, hd_def *w1, hd_def *w0)
{
   if (s->known_whole)
      return (int64_pair){ w0, w1 };
   return (int64_pair){ hd_funnel_shr(o->b, w1, w0, s->count),
                        hd_funnel_shr(o->b, w2, w1, s->count) };
}

int64_pair
hd_int64_shift(const int64_op *o)
{
   const int64_pair x = o->pair[0], y = o->pair[1];
   shift_count s;

   switch (o->op) {
   case HD_OP_ROTL:
   case HD_OP_ROTR: {
      const hd_const *c = hd_instr_as_const(hd_def_instr(o->src[1]));
      hd_def *right = o->src[1];
      if (o->op == HD_OP_ROTL)
         right = c && hd_lower_is_splat(c) ? int64_imm(o, 0 - (uint32_t)hd_lower_const(c, 0))
                                           : hd_ineg(o->b, right);
      s = count_of(o, right);
      hd_def *low = pick(o, &s, x.hi, x.lo), *high = pick(o, &s, x.lo, x.hi);
      return funnel_words(o, &s, low, high, low);
   }
   case HD_OP_FUNNEL_SHR: {
      s = count_of(o, o->src[2]);
      hd_def *w2 = pick(o, &s, x.hi, x.lo), *w1 = pick(o, &s, x.lo, y.hi);
      return funnel_words(o, &s, w2, w1, pick(o, &s, y.hi, y.lo));
   }
   default:
      return hd_int64_shift_by(o, o->op, x, o->src[1]);
   }
}

/* Searches */

hd_def *
hd_int64_ufind_msb(const int64_op *o, int64_pair x)
{
   hd_builder *b = o->b;
   hd_def *high = hd_ufind_msb(b, x.hi), *low = hd_ufind_msb(b, x.lo);

   high = hd_iadd(b, high, int64_imm(o, 32));
   return hd_select(b, hd_ieq(b, x.hi, int64_imm(o, 0)), low, high);
}

hd_def *
hd_int64_ifind_msb(const int64_op *o, int64_pair x)
{
   hd_builder *b = o->b;
   hd_def *sign = hd_ishr(b, x.hi, int64_imm(o, 31));

   return hd_int64_ufind_msb(o, (int64_pair){ hd_ixor(b, x.lo, sign), hd_ixor(b, x.hi, sign) });
}

/* -1, which is none, is the greatest number when read as unsigned, and stays so. */
static hd_def *
find_lsb(const int64_op *o, int64_pair x)
{
   hd_builder *b = o->b;
   hd_def *high = hd_find_lsb(b, x.hi);

   high = hd_uadd_sat(b, high, int64_imm(o, 32));
   return hd_umin(b, hd_find_lsb(b, x.lo), high);
}

/* Fields */

/* `count` ones from bit `offset` on. What lies below 32 is the op's own answer; above, it is the
 * field less what the lower word has of it.
 */
static int64_pair
field_mask(const int64_op *o, hd_def *count, hd_def *offset)
{
   hd_builder *b = o->b;
   hd_def *word = int64_imm(o, 32);
   hd_def *below = hd_usub_sat(b, word, offset);
   hd_def *rest = hd_usub_sat(b, count, below), *start = hd_usub_sat(b, offset, word);

   return (int64_pair){ hd_bitfield_mask(b, count, offset, 32),
                        hd_bitfield_mask(b, rest, start, 32) };
}

static int64_pair
ones(const int64_op *o, hd_def *count)
{
   hd_builder *b = o->b;
   hd_def *zero = int64_imm(o, 0), *rest = hd_usub_sat(b, count, int64_imm(o, 32));

   return (int64_pair){ hd_bitfield_mask(b, count, zero, 32), hd_bitfield_mask(b, rest, zero, 32) };
}

static int64_pair
both(const int64_op *o, int64_pair x, int64_pair y)
{
   return (int64_pair){ hd_iand(o->b, x.lo, y.lo), hd_iand(o->b, x.hi, y.hi) };
}

static int64_pair
zero_where(const int64_op *o, hd_def *condition, int64_pair x)
{
   hd_def *zero = int64_imm(o, 0);

   return hd_int64_select(o, condition, (int64_pair){ zero, zero }, x);
}

static int64_pair
unsigned_field(const int64_op *o, int64_pair x, hd_def *offset, hd_def *count)
{
   hd_def *past = hd_ule(o->b, int64_imm(o, 64), offset);
   int64_pair mask = ones(o, count);

   return zero_where(o, past, both(o, hd_int64_shift_by(o, HD_OP_USHR, x, offset), mask));
}

/* Up to the top and down again; past the top there are signs only. */
static int64_pair
signed_field(const int64_op *o, int64_pair x, hd_def *offset, hd_def *count)
{
   hd_builder *b = o->b;
   hd_def *up = hd_usub_sat(b, int64_imm(o, 64), count);

   x = hd_int64_shift_by(o, HD_OP_ISHR, x, hd_umin(b, offset, int64_imm(o, 63)));
   x = hd_int64_shift_by(o, HD_OP_ISHL, x, up);
   x = hd_int64_shift_by(o, HD_OP_ISHR, x, up);
   return zero_where(o, hd_ieq(b, count, int64_imm(o, 0)), x);
}

static int64_pair
choose_bits(const int64_op *o, int64_pair mask, int64_pair x, int64_pair y)
{
   return (int64_pair){ hd_bitselect(o->b, mask.lo, x.lo, y.lo),
                        hd_bitselect(o->b, mask.hi, x.hi, y.hi) };
}

static hd_def *
modulo_64(const int64_op *o, hd_def *count)
{
   return hd_iand(o->b, count, int64_imm(o, 63));
}

int64_pair
hd_int64_bits(const int64_op *o)
{
   hd_builder *b = o->b;
   const int64_pair x = o->pair[0], y = o->pair[1];
   int64_pair r = { NULL, NULL };

   switch (o->op) {
   case HD_OP_IAND:
      return both(o, x, y);
   case HD_OP_IOR:
      return (int64_pair){ hd_ior(b, x.lo, y.lo), hd_ior(b, x.hi, y.hi) };
   case HD_OP_IXOR:
      return (int64_pair){ hd_ixor(b, x.lo, y.lo), hd_ixor(b, x.hi, y.hi) };
   case HD_OP_INOT:
      return (int64_pair){ hd_inot(b, x.lo), hd_inot(b, x.hi) };
   case HD_OP_BITSELECT:
      return choose_bits(o, x, y, o->pair[2]);
   case HD_OP_SELECT:
      return hd_int64_select(o, o->src[0], y, o->pair[2]);
   case HD_OP_BIT_COUNT:
      r.lo = hd_bit_count(b, x.lo);
      r.lo = hd_iadd(b, r.lo, hd_bit_count(b, x.hi));
      return r;
   case HD_OP_BIT_REVERSE:
      return (int64_pair){ hd_bit_reverse(b, x.hi), hd_bit_reverse(b, x.lo) };
   case HD_OP_FIND_LSB:
      r.lo = find_lsb(o, x);
      return r;
   case HD_OP_UFIND_MSB:
      r.lo = hd_int64_ufind_msb(o, x);
      return r;
   case HD_OP_IFIND_MSB:
      r.lo = hd_int64_ifind_msb(o, x);
      return r;
   case HD_OP_BITFIELD_MASK:
      return field_mask(o, o->src[0], o->src[1]);
   case HD_OP_UBITFIELD_EXTRACT:
      return unsigned_field(o, x, o->src[1], o->src[2]);
   case HD_OP_IBITFIELD_EXTRACT:
      return signed_field(o, x, o->src[1], o->src[2]);
   case HD_OP_UBFE:
      r = ones(o, modulo_64(o, o->src[2]));
      return both(o, hd_int64_shift_by(o, HD_OP_USHR, x, o->src[1]), r);
   case HD_OP_IBFE:
      r.lo = modulo_64(o, o->src[1]);
      return signed_field(o, x, r.lo, modulo_64(o, o->src[2]));
   default: /* bitfield_insert: an offset past the end leaves nothing of the mask */
      r = field_mask(o, o->src[3], o->src[2]);
      return choose_bits(o, r, hd_int64_shift_by(o, HD_OP_ISHL, y, o->src[2]), x);
   }
}
