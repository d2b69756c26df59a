/* SPDX-License-Identifier: MIT */
/* exec.c - execution of instructions, channel by channel. All sources of all channels are read before a
 * result is written.
 */
#include "backend/gen9/sim/sim.h"

typedef struct values {
   uint64_t src[3];
} values;

/* Integers */

static unsigned
high_zeros(uint32_t a)
{
   unsigned n = 0;

   while (n < 32 && !(a >> (31 - n) & 1))
      n++;
   return n;
}

static uint32_t
first_bit_high(unsigned type, uint32_t a)
{
   const bool is_signed = hd_gen9_type_is_signed(type);
   const unsigned n = high_zeros(is_signed && a >> 31 ? ~a : a);

   return n == 32 ? UINT32_MAX : n;
}

static uint32_t
first_bit_low(uint32_t a)
{
   unsigned n = 0;

   if (!a)
      return UINT32_MAX;
   while (!(a >> n & 1))
      n++;
   return n;
}

static uint32_t
count_bits(uint32_t a)
{
   unsigned n = 0;

   for (; a; a &= a - 1)
      n++;
   return n;
}

static uint32_t
reverse_bits(uint32_t a)
{
   uint32_t result = 0;

   for (unsigned n = 0; n < 32; n++)
      result |= (a >> n & 1) << (31 - n);
   return result;
}

static uint64_t
extract(unsigned type, uint64_t count, uint64_t at, uint64_t value)
{
   const unsigned width = count & 31, offset = at & 31;
   uint32_t field = (uint32_t)value >> offset;

   if (!width)
      return 0;
   field &= (UINT32_C(1) << width) - 1;
   if (offset + width > 32)
      field = (uint32_t)value >> offset;
   if (hd_gen9_type_is_signed(type) && offset + width <= 32 && field >> (width - 1) & 1)
      return (uint64_t)(int64_t)(int32_t)(field | ~((UINT32_C(1) << width) - 1));
   if (hd_gen9_type_is_signed(type) && offset + width > 32)
      return (uint64_t)((int64_t)(int32_t)(uint32_t)value >> offset);
   return field;
}

static uint64_t
bits_of_type(unsigned type, uint64_t value)
{
   const unsigned size = 8 * gen9_type_size(type);

   return size < 64 ? value & ((UINT64_C(1) << size) - 1) : value;
}

static uint64_t
arithmetic_shift(uint64_t value, unsigned count)
{
   const uint64_t sign = value >> 63 ? UINT64_MAX : 0;

   return count ? value >> count | (count < 64 ? sign << (64 - count) : 0) : value;
}

static bool
compute_int(const hd_gen9_word *w, const values *v, uint64_t *result)
{
   const uint64_t a = v->src[0], b = v->src[1], c = v->src[2];
   const unsigned type = w->src[0].type;
   /* The second operand of a shift counts in the width of the first. */
   const unsigned count = (unsigned)b & (gen9_type_size(type) == 8 ? 63 : 31);

   switch (w->op) {
   case HD_GEN9_MOV:
      *result = a;
      return true;
   case HD_GEN9_NOT:
      *result = ~a;
      return true;
   case HD_GEN9_AND:
      *result = a & b;
      return true;
   case HD_GEN9_OR:
      *result = a | b;
      return true;
   case HD_GEN9_XOR:
      *result = a ^ b;
      return true;
   case HD_GEN9_SHL:
      *result = a << count;
      return true;
   case HD_GEN9_SHR:
      *result = bits_of_type(type, a) >> count;
      return true;
   case HD_GEN9_ASR:
      *result = arithmetic_shift(a, count);
      return true;
   case HD_GEN9_ADD:
      *result = a + b;
      return true;
   case HD_GEN9_MUL:
      *result = a * b;
      return true;
   case HD_GEN9_AVG:
      *result = arithmetic_shift(a + b + 1, 1);
      return true;
   case HD_GEN9_MAD:
      *result = a + b * c;
      return true;
   case HD_GEN9_LZD:
      *result = high_zeros((uint32_t)a);
      return true;
   case HD_GEN9_FBH:
      *result = first_bit_high(type, (uint32_t)a);
      return true;
   case HD_GEN9_FBL:
      *result = first_bit_low((uint32_t)a);
      return true;
   case HD_GEN9_CBIT:
      *result = count_bits((uint32_t)bits_of_type(type, a));
      return true;
   case HD_GEN9_BFREV:
      *result = reverse_bits((uint32_t)a);
      return true;
   case HD_GEN9_BFE:
      *result = extract(type, a, b, c);
      return true;
   case HD_GEN9_BFI1:
      *result = (((UINT64_C(1) << (a & 31)) - 1) << (b & 31)) & UINT32_MAX;
      return true;
   case HD_GEN9_BFI2:
      *result = (a & b) | (~a & c);
      return true;
   default:
      return false;
   }
}

/* Functions of integers; by zero there is a quotient of ones, and the dividend remains. */
static bool
divide_int(const hd_gen9_word *w, const values *v, uint64_t *result)
{
   const bool is_signed = hd_gen9_type_is_signed(w->src[0].type);
   const int64_t a = (int64_t)v->src[0], b = (int64_t)v->src[1];
   const bool remainder = w->op == HD_GEN9_MATH_IREM;

   if (w->op != HD_GEN9_MATH_IQOT && !remainder)
      return false;
   if (!b)
      *result = remainder            ? (uint64_t)a
                : is_signed && a < 0 ? UINT64_C(0x80000000)
                : is_signed          ? UINT64_C(0x7fffffff)
                                     : UINT64_MAX;
   else
      *result = (uint64_t)(remainder ? a % b : a / b);
   return true;
}

/* Floats */

static uint64_t
power(unsigned bits, uint64_t a, uint64_t b)
{
   const uint64_t log = hd_float_log2(bits, hd_float_abs(bits, a));

   return hd_float_exp2(bits, hd_float_mul(bits, log, b, HD_ROUND_NEAREST_EVEN));
}

static bool
compute_float(const gen9_thread *t, const hd_gen9_word *w, unsigned bits, const values *v,
              uint64_t *result)
{
   const uint64_t a = v->src[0], b = v->src[1], c = v->src[2];
   const hd_round r = hd_gen9_round(t);

   switch (w->op) {
   case HD_GEN9_MOV:
      *result = a;
      return true;
   case HD_GEN9_ADD:
      *result = hd_float_add(bits, a, b, r);
      return true;
   case HD_GEN9_MUL:
      *result = hd_float_mul(bits, a, b, r);
      return true;
   case HD_GEN9_MAD:
      *result = hd_float_fma(bits, b, c, a, r);
      return true;
   case HD_GEN9_FRC:
      *result = hd_float_fract(bits, a);
      return true;
   case HD_GEN9_RNDU:
      *result = hd_float_ceil(bits, a);
      return true;
   case HD_GEN9_RNDD:
      *result = hd_float_floor(bits, a);
      return true;
   case HD_GEN9_RNDE:
      *result = hd_float_rint(bits, a);
      return true;
   case HD_GEN9_RNDZ:
      *result = hd_float_trunc(bits, a);
      return true;
   case HD_GEN9_MATH_INV:
      *result = hd_float_rcp(bits, a);
      return true;
   case HD_GEN9_MATH_LOG:
      *result = hd_float_log2(bits, a);
      return true;
   case HD_GEN9_MATH_EXP:
      *result = hd_float_exp2(bits, a);
      return true;
   case HD_GEN9_MATH_SQT:
      *result = hd_float_sqrt(bits, a, HD_ROUND_NEAREST_EVEN);
      return true;
   case HD_GEN9_MATH_RSQT:
      *result = hd_float_rsq(bits, a);
      return true;
   case HD_GEN9_MATH_SIN:
      *result = hd_float_sin(bits, a);
      return true;
   case HD_GEN9_MATH_COS:
      *result = hd_float_cos(bits, a);
      return true;
   case HD_GEN9_MATH_FDIV:
      *result = hd_float_div(bits, a, b, HD_ROUND_NEAREST_EVEN);
      return true;
   case HD_GEN9_MATH_POW:
      *result = power(bits, a, b);
      return true;
   default:
      return false;
   }
}

/* Conditions */

static bool
holds(unsigned cond, bool less, bool equal, bool unordered)
{
   switch (cond) {
   case HD_GEN9_CONDITION_EQ:
      return equal;
   case HD_GEN9_CONDITION_NE:
      return !equal;
   case HD_GEN9_CONDITION_GT:
      return !less && !equal && !unordered;
   case HD_GEN9_CONDITION_GE:
      return !less && !unordered;
   case HD_GEN9_CONDITION_LT:
      return less;
   case HD_GEN9_CONDITION_LE:
      return less || equal;
   case HD_GEN9_CONDITION_UN:
      return unordered;
   default:
      return false;
   }
}

static bool
compare(const hd_gen9_word *w, unsigned cond, gen9_kind kind, uint64_t a, uint64_t b,
        bool is_signed)
{
   const unsigned bits = gen9_kind_bits(kind);
   bool result;

   if (kind == GEN9_INT)
      return holds(cond, is_signed ? (int64_t)a < (int64_t)b : a < b, a == b, false);
   result = holds(cond, hd_float_lt(bits, a, b), hd_float_eq(bits, a, b),
                  hd_float_unordered(bits, a, b));
   return result || (w->op == HD_GEN9_CMPN && hd_float_is_nan(bits, b));
}

/* Unsigned numbers of 64 bits are not signed ones: nothing else distinguishes them. */
static bool
compares_signed(const hd_gen9_word *w)
{
   return w->src[0].type != HD_GEN9_TYPE_UQ && w->src[1].type != HD_GEN9_TYPE_UQ;
}

static uint64_t
lesser_or_greater(const hd_gen9_word *w, gen9_kind kind, const values *v)
{
   const uint64_t a = v->src[0], b = v->src[1];
   const unsigned bits = gen9_kind_bits(kind);

   if (kind != GEN9_INT) {
      if (w->cond == HD_GEN9_CONDITION_LT)
         return hd_float_min(bits, a, b);
      if (w->cond == HD_GEN9_CONDITION_GE)
         return hd_float_max(bits, a, b);
   }
   return compare(w, w->cond, kind, a, b, compares_signed(w)) ? a : b;
}

/* Channels */

static bool
write_flags(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, unsigned channel, gen9_kind kind,
            uint64_t result)
{
   const gen9_kind to = hd_gen9_kind_of_type(w->dst.type);

   if (!w->cond)
      return true;
   if (w->cond == HD_GEN9_CONDITION_OV)
      return hd_gen9_sim_fail(s, "%s: the simulator does not support the overflow condition (ov)",
                              hd_gen9_info_of(w)->name);
   uint64_t value = hd_gen9_convert(t, w->dst.type, kind, w->sat, result);
   if (to == GEN9_INT && kind == GEN9_INT) {
      const unsigned size = 8 * gen9_type_size(w->dst.type);
      /* The sign of all bits of the result, but zero as it is written. */
      value = size < 64 && !(value & ((UINT64_C(1) << size) - 1)) ? 0 : result;
   }
   hd_gen9_set_flag(t, w->flag, channel, compare(w, w->cond, to, value, 0, true));
   return true;
}

static unsigned
element_of_accumulator(const hd_gen9_word *w, unsigned n)
{
   (void)w;
   return n;
}

/* mac, mach, addc, subb: what reads or writes the accumulator besides operands. */
static bool
exec_accumulator(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, gen9_kind kind, unsigned n,
                 const values *v, uint64_t *result)
{
   uint64_t *acc = &t->acc[element_of_accumulator(w, n)];
   const uint64_t a = v->src[0], b = v->src[1];

   switch (w->op) {
   case HD_GEN9_ADDC:
      *result = (uint32_t)(a + b);
      *acc = (a + b) >> 32 & 1;
      return true;
   case HD_GEN9_SUBB:
      *result = (uint32_t)(a - b);
      *acc = (uint32_t)a < (uint32_t)b;
      return true;
   case HD_GEN9_MACH: {
      const uint64_t high = hd_gen9_type_is_signed(w->src[1].type) ? arithmetic_shift(b, 16)
                                                                   : (uint64_t)(uint32_t)b >> 16;
      const uint64_t product = *acc + (a * high << 16);
      *result = arithmetic_shift(product, 32);
      if (!hd_gen9_type_is_signed(w->src[0].type))
         *result = product >> 32;
      *acc = (uint32_t)product;
      return true;
   }
   case HD_GEN9_MAC:
      if (kind == GEN9_INT)
         *result = a * b + *acc;
      else
         *result = hd_float_fma(gen9_kind_bits(kind), a, b, *acc, hd_gen9_round(t));
      return true;
   default:
      return hd_gen9_sim_fail(s, "the simulator does not run %s on an accumulator",
                              hd_gen9_info_of(w)->name);
   }
}

static bool
is_of_accumulator(const hd_gen9_word *w)
{
   return w->op == HD_GEN9_ADDC || w->op == HD_GEN9_SUBB || w->op == HD_GEN9_MACH ||
          w->op == HD_GEN9_MAC;
}

/* Of channel n of the instruction; `bit`: the channel of the thread. */
static bool
exec_channel(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, gen9_kind kind, unsigned n,
             unsigned bit, const values *v)
{
   const bool math = (hd_gen9_info_of(w)->mach.flags & HD_GEN9_MATH) != 0;
   uint64_t result;

   switch (w->op) {
   case HD_GEN9_CMP:
   case HD_GEN9_CMPN: {
      const bool is = compare(w, w->cond, kind, v->src[0], v->src[1], compares_signed(w));
      hd_gen9_set_flag(t, w->flag, bit, is);
      return hd_gen9_sim_write_bits(s, t, w, n, is ? UINT64_MAX : 0);
   }
   case HD_GEN9_SEL:
      result = w->cond                                               ? lesser_or_greater(w, kind, v)
               : hd_gen9_flag(t, w->flag, bit) != (w->pred_inv != 0) ? v->src[0]
                                                                     : v->src[1];
      return hd_gen9_sim_write(s, t, w, n, kind, result);
   case HD_GEN9_CSEL:
      result = compare(w, w->cond, kind, v->src[2], 0, true) ? v->src[0] : v->src[1];
      return hd_gen9_sim_write(s, t, w, n, kind, result);
   default:
      break;
   }
   if (is_of_accumulator(w)) {
      if (!exec_accumulator(s, t, w, kind, n, v, &result))
         return false;
   } else if (!(kind != GEN9_INT ? compute_float(t, w, gen9_kind_bits(kind), v, &result)
                : math           ? divide_int(w, v, &result)
                                 : compute_int(w, v, &result))) {
      return hd_gen9_sim_fail(s, "the simulator does not run %s on operands of type %s",
                              hd_gen9_info_of(w)->name,
                              kind == GEN9_INT             ? "integer"
                              : gen9_kind_bits(kind) == 16 ? "hf"
                              : gen9_kind_bits(kind) == 32 ? "f"
                                                           : "df");
   }
   if (kind != GEN9_INT)
      result = hd_gen9_flush(t, kind, result);
   if (w->option && !is_of_accumulator(w))
      t->acc[element_of_accumulator(w, n)] = result;
   return write_flags(s, t, w, bit, kind, result) && hd_gen9_sim_write(s, t, w, n, kind, result);
}

/* Elements, in order, to the places that bits of an immediate say. */
static bool
exec_scattered(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, uint32_t channels)
{
   const unsigned first = 4u * w->chan;
   uint64_t value;
   unsigned from = 0;

   for (unsigned n = 0; n < 1u << w->exec; n++) {
      if (!(w->imm >> n & 1))
         continue;
      if (!hd_gen9_sim_read(s, t, w, 0, from++, GEN9_INT, &value))
         return false;
      if (channels >> (first + n) & 1 && !hd_gen9_sim_write(s, t, w, n, GEN9_INT, value))
         return false;
   }
   return true;
}

/* A conversion reads its source as what it becomes: 64 bits without a sign fit no other kind. */
static gen9_kind
kind_of(const hd_gen9_word *w)
{
   const gen9_kind kind = hd_gen9_kind_of(w);

   return w->op == HD_GEN9_MOV && kind == GEN9_INT && hd_gen9_kind_of_type(w->dst.type) != GEN9_INT
              ? hd_gen9_kind_of_type(w->dst.type)
              : kind;
}

bool
hd_gen9_sim_exec(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, uint32_t channels)
{
   const unsigned first = 4u * w->chan, num = hd_gen9_num_sources(hd_gen9_info_of(w)->shape);
   /* Bits are bits: a float that is moved to its own type keeps them, and logic knows no floats. */
   const bool raw = w->op == HD_GEN9_MOV && w->src[0].type == w->dst.type && !w->cond && !w->sat;
   const gen9_kind kind = kind_of(w);
   values v[GEN9_CHANNELS] = { { { 0 } } };

   if (w->op == HD_GEN9_SMOV)
      return exec_scattered(s, t, w, channels);
   for (unsigned n = 0; n < 1u << w->exec; n++) {
      if (!(channels >> (first + n) & 1))
         continue;
      s->channel = (int)(first + n);
      for (unsigned k = 0; k < num; k++) {
         if (!hd_gen9_sim_read(s, t, w, k, n, kind, &v[n].src[k]))
            return false;
      }
   }
   for (unsigned n = 0; n < 1u << w->exec; n++) {
      if (!(channels >> (first + n) & 1))
         continue;
      s->channel = (int)(first + n);
      s->stats.channels++;
      if (!(raw ? hd_gen9_sim_write_bits(s, t, w, n, v[n].src[0])
                : exec_channel(s, t, w, kind, n, first + n, &v[n])))
         return false;
   }
   s->channel = -1;
   return true;
}
