/* SPDX-License-Identifier: MIT */
/* operand.c - read and write the elements of register regions. */
#include "backend/gen9/sim/sim.h"
#include "util/bytes.h"

bool
hd_gen9_type_is_signed(unsigned type)
{
   return type == HD_GEN9_TYPE_D || type == HD_GEN9_TYPE_W || type == HD_GEN9_TYPE_B ||
          type == HD_GEN9_TYPE_Q || type == HD_GEN9_TYPE_V;
}

gen9_kind
hd_gen9_kind_of_type(unsigned type)
{
   switch (type) {
   case HD_GEN9_TYPE_HF:
      return GEN9_HALF;
   case HD_GEN9_TYPE_F:
   case HD_GEN9_TYPE_VF:
      return GEN9_FLOAT;
   case HD_GEN9_TYPE_DF:
      return GEN9_DOUBLE;
   default:
      return GEN9_INT;
   }
}

gen9_kind
hd_gen9_kind_of(const hd_gen9_word *w)
{
   const unsigned num = hd_gen9_num_sources(hd_gen9_info_of(w)->shape);
   gen9_kind kind = GEN9_INT;

   for (unsigned n = 0; n < num; n++) {
      const gen9_kind of = hd_gen9_kind_of_type(w->src[n].type);
      kind = of > kind ? of : kind;
   }
   return kind;
}

hd_round
hd_gen9_round(const gen9_thread *t)
{
   static const hd_round modes[] = { HD_ROUND_NEAREST_EVEN, HD_ROUND_UP, HD_ROUND_DOWN,
                                     HD_ROUND_ZERO };

   return modes[t->control >> 4 & 3];
}

/* Denormals are 0 unless the control register says otherwise. */
uint64_t
hd_gen9_flush(const gen9_thread *t, gen9_kind kind, uint64_t value)
{
   static const uint8_t bit[] = { [GEN9_HALF] = 10, [GEN9_FLOAT] = 7, [GEN9_DOUBLE] = 6 };

   if (kind == GEN9_INT || t->control >> bit[kind] & 1)
      return value;
   return hd_float_flush(gen9_kind_bits(kind), value);
}

/* Places */

static uint32_t
address_register(const gen9_thread *t, unsigned n)
{
   return (uint32_t)get_number(&t->address[2 * n], 2);
}

static int32_t
signed_offset(const hd_gen9_operand *o)
{
   return (int32_t)(o->offset ^ 0x200u) - 0x200;
}

/* The byte in the register file of a channel's element. */
static uint32_t
place_of(const gen9_thread *t, const hd_gen9_operand *o, unsigned channel, unsigned size)
{
   const unsigned width = 1u << o->width, row = channel / width, column = channel % width;
   const uint32_t step = column * hd_gen9_stride(o->hstride) * size;

   if (!o->indirect)
      return o->reg * HD_GEN9_GRF_BYTES + o->subreg + row * hd_gen9_stride(o->vstride) * size +
             step;
   if (o->vstride == HD_GEN9_STRIDE_INDIRECT)
      return address_register(t, (o->subreg + row) & 15) + (uint32_t)signed_offset(o) + step;
   return address_register(t, o->subreg) + (uint32_t)signed_offset(o) +
          row * hd_gen9_stride(o->vstride) * size + step;
}

static uint32_t
place_of_three(const hd_gen9_operand *o, unsigned channel, unsigned size)
{
   return o->reg * HD_GEN9_GRF_BYTES + o->subreg + (o->rep ? 0 : channel * size);
}

/* Numbers of immediates */

/* A float of four bits of fraction and three of exponent. */
static uint64_t
restricted_float(uint32_t byte)
{
   if (!(byte & 0x7f))
      return (uint64_t)(byte & 0x80) << 24;
   return (byte & 0x80) << 24 | ((byte >> 4 & 7) + 124) << 23 | (byte & 15) << 19;
}

static uint64_t
immediate_bits(const hd_gen9_word *w, unsigned type, unsigned channel)
{
   const uint32_t nibble = (uint32_t)(w->imm >> 4 * (channel % 8)) & 15;

   switch (type) {
   case HD_GEN9_TYPE_V:
      return (uint64_t)((int64_t)(nibble ^ 8) - 8);
   case HD_GEN9_TYPE_UV:
      return nibble;
   case HD_GEN9_TYPE_VF:
      return restricted_float((uint32_t)(w->imm >> 8 * (channel % 4)) & 255);
   default:
      return w->imm;
   }
}

/* Architecture registers */

static bool
read_architecture(gen9_sim *s, const gen9_thread *t, const hd_gen9_operand *o, unsigned channel,
                  unsigned size, uint64_t *bits)
{
   const uint32_t at = place_of(t, o, channel, size) - o->reg * HD_GEN9_GRF_BYTES;
   const uint8_t *bytes = NULL;
   uint8_t words[32] = { 0 };

   *bits = 0;
   switch (o->reg & 0xf0) {
   case HD_GEN9_ARF_NULL:
      return true;
   case HD_GEN9_ARF_ACCUMULATOR:
      if ((at + (o->reg & 15) * HD_GEN9_GRF_BYTES) / size >= 64)
         return hd_gen9_sim_fail(s, "an accumulator has 64 elements, found number %u",
                                 (at + (o->reg & 15) * HD_GEN9_GRF_BYTES) / size);
      *bits = t->acc[(at + (o->reg & 15) * HD_GEN9_GRF_BYTES) / size];
      return true;
   case HD_GEN9_ARF_ADDRESS:
      bytes = t->address;
      break;
   case HD_GEN9_ARF_FLAG:
      bytes = words;
      for (unsigned n = 0; n < 4 && 4 * (o->reg & 15) + n < 8; n++)
         words[n] = t->flags[4 * (o->reg & 15) + n];
      break;
   case HD_GEN9_ARF_CHANNEL_ENABLE:
      bytes = words;
      put_number(words, 4, t->active);
      break;
   case HD_GEN9_ARF_STATE:
      bytes = words;
      put_number(&words[8], 4, t->present);
      break;
   case HD_GEN9_ARF_CONTROL:
      bytes = words;
      put_number(words, 4, t->control);
      break;
   case HD_GEN9_ARF_NOTIFICATION:
      bytes = words;
      put_number(words, 4, t->notified);
      break;
   case HD_GEN9_ARF_IP:
      bytes = words;
      put_number(words, 4, t->ip);
      break;
   default:
      bytes = words;
      break;
   }
   if (at + size > 32)
      return hd_gen9_sim_fail(
          s, "reads bytes %u to %u of architecture register 0x%02x, which has fewer", at,
          at + size - 1, (unsigned)o->reg);
   *bits = get_number(bytes + at, size);
   return true;
}

static bool
write_architecture(gen9_sim *s, gen9_thread *t, const hd_gen9_operand *o, uint32_t at,
                   unsigned size, uint64_t bits)
{
   uint8_t words[32] = { 0 };

   switch (o->reg & 0xf0) {
   case HD_GEN9_ARF_NULL:
      return true;
   case HD_GEN9_ARF_ADDRESS:
      if (at + size > 32)
         break;
      put_number(&t->address[at], size, bits);
      return true;
   case HD_GEN9_ARF_FLAG:
      at += 4 * (o->reg & 15u);
      if (at + size > 8)
         break;
      put_number(&t->flags[at], size, bits);
      return true;
   case HD_GEN9_ARF_CONTROL:
      if (at + size > 4)
         break;
      put_number(words, 4, t->control);
      put_number(&words[at], size, bits);
      t->control = (uint32_t)get_number(words, 4);
      return true;
   case HD_GEN9_ARF_NOTIFICATION:
      if (!at)
         t->notified = (uint32_t)bits;
      return true;
   default:
      return hd_gen9_sim_fail(s, "the simulator does not write architecture register 0x%02x",
                              (unsigned)o->reg);
   }
   return hd_gen9_sim_fail(s,
                           "writes bytes %u to %u of architecture register 0x%02x, which has fewer",
                           at, at + size - 1, (unsigned)o->reg);
}

/* Numbers */

static uint64_t
extended(unsigned type, uint64_t bits)
{
   const unsigned size = 8 * gen9_type_size(type);
   const uint64_t mask = size < 64 ? (UINT64_C(1) << size) - 1 : UINT64_MAX;

   bits &= mask;
   if (size < 64 && hd_gen9_type_is_signed(type) && bits >> (size - 1) & 1)
      bits |= ~mask;
   return bits;
}

static uint64_t
as_kind(const gen9_thread *t, unsigned type, gen9_kind kind, uint64_t bits)
{
   const gen9_kind from = hd_gen9_kind_of_type(type);

   if (from == GEN9_INT) {
      bits = extended(type, bits);
      if (kind == GEN9_INT)
         return bits;
      return hd_gen9_type_is_signed(type)
                 ? hd_float_from_int(gen9_kind_bits(kind), (int64_t)bits, hd_gen9_round(t))
                 : hd_float_from_uint(gen9_kind_bits(kind), bits, hd_gen9_round(t));
   }
   bits = hd_gen9_flush(t, from, bits);
   return from == kind ? bits
                       : hd_float_convert(gen9_kind_bits(from), gen9_kind_bits(kind), bits,
                                          hd_gen9_round(t));
}

static uint64_t
modified(const hd_gen9_word *w, const hd_gen9_operand *o, gen9_kind kind, uint64_t value)
{
   const unsigned bits = gen9_kind_bits(kind);

   if (hd_gen9_info_of(w)->mach.flags & HD_GEN9_LOGIC)
      return o->neg ? ~value : value;
   if (kind == GEN9_INT) {
      value = o->abs && (int64_t)value < 0 ? 0 - value : value;
      return o->neg ? 0 - value : value;
   }
   value = o->abs ? hd_float_abs(bits, value) : value;
   return o->neg ? hd_float_neg(bits, value) : value;
}

bool
hd_gen9_sim_read(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, unsigned n, unsigned channel,
                 gen9_kind kind, uint64_t *value)
{
   const hd_gen9_operand *o = &w->src[n];
   const unsigned size = gen9_type_size(o->type);
   const bool three = hd_gen9_info_of(w)->shape == HD_GEN9_CLASS_TERNARY;
   uint64_t bits;

   if (o->file == HD_GEN9_IMM) {
      bits = immediate_bits(w, o->type, channel);
   } else if (o->file == HD_GEN9_ARF) {
      if (!read_architecture(s, t, o, channel, size, &bits))
         return false;
      if ((o->reg & 0xf0) == HD_GEN9_ARF_ACCUMULATOR && kind == GEN9_INT && size == 4) {
         *value = modified(w, o, kind, bits);
         return true;
      }
   } else {
      const uint32_t at = three ? place_of_three(o, channel, size) : place_of(t, o, channel, size);
      if (at > sizeof(t->grf) - size)
         return hd_gen9_sim_fail(s, "reads byte %u of the register file, which has %u", at,
                                 (unsigned)sizeof(t->grf));
      bits = get_number(&t->grf[at], size);
   }
   *value = modified(w, o, kind, as_kind(t, o->type, kind, bits));
   return true;
}

static uint64_t
clamped(unsigned type, uint64_t value)
{
   const unsigned size = 8 * gen9_type_size(type);
   const bool is_signed = hd_gen9_type_is_signed(type);
   const int64_t max =
       is_signed ? (int64_t)(UINT64_MAX >> (65 - size)) : (int64_t)(UINT64_MAX >> (64 - size));
   const int64_t min = is_signed ? -max - 1 : 0;

   if (size == 64)
      return value;
   return (int64_t)value > max ? (uint64_t)max : (int64_t)value < min ? (uint64_t)min : value;
}

uint64_t
hd_gen9_convert(const gen9_thread *t, unsigned type, gen9_kind kind, bool sat, uint64_t value)
{
   const gen9_kind to = hd_gen9_kind_of_type(type);
   const unsigned bits = gen9_kind_bits(kind);

   if (to == GEN9_INT) {
      if (kind == GEN9_INT)
         return sat ? clamped(type, value) : value;
      return hd_gen9_type_is_signed(type)
                 ? hd_float_to_int(bits, value, 8 * gen9_type_size(type), HD_ROUND_ZERO)
                 : hd_float_to_uint(bits, value, 8 * gen9_type_size(type), HD_ROUND_ZERO);
   }
   if (kind == GEN9_INT)
      value = hd_float_from_int(gen9_kind_bits(to), (int64_t)value, hd_gen9_round(t));
   else if (kind != to)
      value = hd_float_convert(bits, gen9_kind_bits(to), value, hd_gen9_round(t));
   value = hd_gen9_flush(t, to, value);
   return sat ? hd_float_saturate(gen9_kind_bits(to), value) : value;
}

bool
hd_gen9_sim_write_bits(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, unsigned channel,
                       uint64_t bits)
{
   const hd_gen9_operand *o = &w->dst;
   const unsigned size = gen9_type_size(o->type);
   const uint32_t step = channel * hd_gen9_stride(o->hstride) * size;

   if (o->file == HD_GEN9_ARF) {
      if ((o->reg & 0xf0) == HD_GEN9_ARF_ACCUMULATOR) {
         const uint32_t n = (o->subreg + step + (o->reg & 15) * HD_GEN9_GRF_BYTES) / size;
         if (n >= 64)
            return hd_gen9_sim_fail(s, "an accumulator has 64 elements, found number %u", n);
         t->acc[n] = bits;
         return true;
      }
      return write_architecture(s, t, o, o->subreg + step, size, bits);
   }
   uint32_t at = o->reg * HD_GEN9_GRF_BYTES + o->subreg + step;
   if (o->indirect)
      at = address_register(t, o->subreg) + (uint32_t)signed_offset(o) + step;
   if (at > sizeof(t->grf) - size)
      return hd_gen9_sim_fail(s, "writes byte %u of the register file, which has %u", at,
                              (unsigned)sizeof(t->grf));
   put_number(&t->grf[at], size, bits);
   return true;
}

bool
hd_gen9_sim_write(gen9_sim *s, gen9_thread *t, const hd_gen9_word *w, unsigned channel,
                  gen9_kind kind, uint64_t value)
{
   return hd_gen9_sim_write_bits(s, t, w, channel,
                                 hd_gen9_convert(t, w->dst.type, kind, w->sat, value));
}

/* Flags */

bool
hd_gen9_flag(const gen9_thread *t, unsigned flag, unsigned channel)
{
   const unsigned bit = 16 * flag + channel;

   return bit < 64 && t->flags[bit / 8] >> bit % 8 & 1;
}

void
hd_gen9_set_flag(gen9_thread *t, unsigned flag, unsigned channel, bool value)
{
   const unsigned bit = 16 * flag + channel;

   if (bit < 64)
      t->flags[bit / 8] =
          (uint8_t)((t->flags[bit / 8] & ~(1u << bit % 8)) | (unsigned)value << bit % 8);
}

/* What combines channels: so many side by side, and whether all of them must be set. */
static bool
of_group(const gen9_thread *t, const hd_gen9_word *w, unsigned channel)
{
   const bool all = w->pred & 1;
   const unsigned size = w->pred < 4 ? 1 : 1u << (w->pred / 2 - 1);
   const unsigned first = channel - channel % size;
   bool result = all;

   if (w->pred < 4) { /* the two flags of the same number */
      const bool a = hd_gen9_flag(t, w->flag, channel), b = hd_gen9_flag(t, w->flag ^ 2u, channel);
      return all ? a && b : a || b;
   }
   for (unsigned n = first; n < first + size; n++)
      result = all ? result && hd_gen9_flag(t, w->flag, n) : result || hd_gen9_flag(t, w->flag, n);
   return result;
}

uint32_t
hd_gen9_sim_predicate(const gen9_thread *t, const hd_gen9_word *w, uint32_t channels)
{
   uint32_t holds = 0;

   if (!w->pred)
      return channels;
   for (unsigned n = 0; n < GEN9_CHANNELS; n++) {
      if (channels >> n & 1) {
         const bool value = w->pred == 1 ? hd_gen9_flag(t, w->flag, n) : of_group(t, w, n);
         holds |= (uint32_t)(value != (w->pred_inv != 0)) << n;
      }
   }
   return holds;
}
