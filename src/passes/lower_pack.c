/* SPDX-License-Identifier: MIT */
/* lower_pack.c - packing and unpacking as conversions, shifts and ors.
 *
 *    pack_32_2x16 %v        =>    ior (u2u %v.0), (ishl (u2u %v.1), 16)
 *    unpack_64_2x32 %x      =>    vec (u2u %x), (u2u (ushr %x, 32))
 *    pack_half_2x16 %v      =>    f2f_rne to 16 bits and the same; or integer arithmetic on the bits
 *    pack_unorm_4x8 %v      =>    f2u_rne (fmul (fsat %v.0), 255.0), ...
 *    unpack_unorm_4x8 %x    =>    q = n * (1 / 255), ffma(ffma(-q, 255, n), 1 / 255, q)
 *
 * The same bits, in shaders with any float controls. Halves keep denormals whatever the shader says,
 * so where it flushes them they are converted by integer arithmetic. The normalised formats round to
 * nearest whatever the shader says: where it rounds to zero they are computed in 64 bits, in which
 * products are exact, and rounded by a conversion that names its rounding. Quotients of those are
 * nearer to the exact ones than any tie: their digits repeat after 7, 8, 15 or 16 bits.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    joins of 64 bits, but with `pairs`, to lower_int64, which makes them.
 * Tests:     tests/passes/lower_pack.hd, tests/passes/lower_pack.bits.hd, tests/passes/test_lower_pack.c
 */
#include "heddle/build_ops.h"
#include "passes/lower.h"

/* Values of the option `half`. */
enum halves { HALVES_KEPT, HALVES_CONVERTED, HALVES_AS_BITS };

static hd_def *
part(hd_builder *b, hd_def *v, unsigned n)
{
   return v->num_components == 1 ? v : hd_channel(b, v, hd_imm_u32(b, n));
}

static hd_def *
and_u32(hd_builder *b, hd_def *x, uint32_t mask)
{
   return hd_iand(b, x, hd_imm_u32(b, mask));
}

/* Parts with zeros above them, the first in the low bits. */
static hd_def *
joined(hd_builder *b, unsigned num, hd_def *const parts[], unsigned bits)
{
   hd_def *whole = parts[0];

   for (unsigned n = 1; n < num; n++) {
      hd_def *shifted = hd_ishl(b, parts[n], hd_imm_u32(b, n * bits));
      whole = hd_ior(b, whole, shifted);
   }
   return whole;
}

/* Parts `first` and following of a vector, joined to `bits`. */
static hd_def *
pack(hd_builder *b, hd_def *v, unsigned first, unsigned num, unsigned bits)
{
   hd_def *parts[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num; n++)
      parts[n] = hd_u2u(b, part(b, v, first + n), bits);
   return joined(b, num, parts, v->bit_size);
}

static hd_def *
unpack(hd_builder *b, hd_def *x, unsigned num, unsigned bits)
{
   hd_def *parts[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num; n++) {
      hd_def *low = n ? hd_ushr(b, x, hd_imm_u32(b, n * bits)) : x;
      parts[n] = hd_u2u(b, low, bits);
   }
   return hd_vec(b, num, parts);
}

static hd_def *
pack_64_2x32(hd_builder *b, hd_def *low, hd_def *high, bool pairs)
{
   hd_def *halves[2] = { low, high }, *v = hd_vec(b, 2, halves);

   return pairs ? pack(b, v, 0, 2, 64) : hd_pack_64_2x32(b, v);
}

static hd_def *
pack_64_4x16(hd_builder *b, hd_def *v, bool pairs)
{
   hd_def *low = pack(b, v, 0, 2, 32), *high = pack(b, v, 2, 2, 32);

   return pack_64_2x32(b, low, high, pairs);
}

static hd_def *
unpack_64_4x16(hd_builder *b, hd_def *x, bool pairs)
{
   hd_def *halves = pairs ? unpack(b, x, 2, 32) : hd_unpack_64_2x32(b, x), *parts[4];

   for (unsigned n = 0; n < 4; n++) {
      hd_def *half = part(b, halves, n / 2);
      hd_def *low = n & 1 ? hd_ushr(b, half, hd_imm_u32(b, 16)) : half;
      parts[n] = hd_u2u(b, low, 16);
   }
   return hd_vec(b, 4, parts);
}

/* Are denormals of 16 or 32 bits flushed? */
static bool
flushes(const hd_builder *b)
{
   return b->shader->float_controls & (HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_32);
}

static bool
rounds_to_zero(const hd_builder *b)
{
   return b->shader->float_controls & HD_FLOAT_RTZ_32;
}

/* x >> count, rounded: a number below 2^30. */
static hd_def *
shifted(hd_builder *b, hd_def *x, hd_def *count, bool to_zero)
{
   hd_def *one = hd_imm_u32(b, 1), *low = hd_ushr(b, x, count);

   if (to_zero)
      return low;
   hd_def *half = hd_ishl(b, one, hd_isub(b, count, one)), *odd = hd_iand(b, low, one);
   hd_def *less = hd_isub(b, half, one), *sum = hd_iadd(b, x, less);
   return hd_ushr(b, hd_iadd(b, sum, odd), count);
}

/* The bits of a float of 32 bits as those of one of 16, by integers. */
static hd_def *
half_of(hd_builder *b, hd_def *x, bool to_zero)
{
   hd_def *inf = hd_imm_u32(b, 0x7f800000), *half_inf = hd_imm_u32(b, 0x7c00);
   hd_def *size = and_u32(b, x, 0x7fffffff), *high = hd_ushr(b, x, hd_imm_u32(b, 16));
   hd_def *sign = and_u32(b, high, 0x8000);
   hd_def *thirteen = hd_imm_u32(b, 13), *most = hd_imm_u32(b, to_zero ? 0x7bff : 0x7c00);

   hd_def *rebased = hd_isub(b, size, hd_imm_u32(b, 0x38000000));
   hd_def *normal = hd_umin(b, shifted(b, rebased, thirteen, to_zero), most);

   /* In units of the least denormal; what is below all of them has no place left in 25 bits. */
   hd_def *exponent = hd_ushr(b, size, hd_imm_u32(b, 23)), *bits = and_u32(b, size, 0x7fffff);
   hd_def *mantissa = hd_ior(b, bits, hd_imm_u32(b, 0x800000)), *bias = hd_imm_u32(b, 126);
   hd_def *shift = hd_isub(b, bias, exponent), *down = hd_umin(b, shift, hd_imm_u32(b, 25));
   hd_def *denormal = shifted(b, mantissa, down, to_zero);

   hd_def *is_denormal = hd_ult(b, size, hd_imm_u32(b, 0x38800000));
   hd_def *finite = hd_select(b, is_denormal, denormal, normal), *is_finite = hd_ult(b, size, inf);
   hd_def *number = hd_ior(b, hd_select(b, is_finite, finite, half_inf), sign);
   hd_def *nan = hd_imm_u32(b, 0x7e00);
   return hd_select(b, hd_ult(b, inf, size), nan, number);
}

/* The other way; `x` has zeros above. */
static hd_def *
float_of_half(hd_builder *b, hd_def *x)
{
   hd_def *inf = hd_imm_u32(b, 0x7f800000), *half_inf = hd_imm_u32(b, 0x7c00);
   hd_def *size = and_u32(b, x, 0x7fff), *top = and_u32(b, x, 0x8000);
   hd_def *sign = hd_ishl(b, top, hd_imm_u32(b, 16)), *wide = hd_ishl(b, size, hd_imm_u32(b, 13));
   hd_def *normal = hd_iadd(b, wide, hd_imm_u32(b, 0x38000000));
   /* A denormal is so many units of 2^-24. */
   hd_def *units = hd_u2f(b, size, 32), *is_zero = hd_ieq(b, size, hd_imm_u32(b, 0));
   hd_def *scaled_down = hd_isub(b, units, hd_imm_u32(b, 24 << 23));
   hd_def *denormal = hd_select(b, is_zero, size, scaled_down);
   hd_def *is_denormal = hd_ult(b, size, hd_imm_u32(b, 0x400));
   hd_def *finite = hd_select(b, is_denormal, denormal, normal);
   hd_def *is_finite = hd_ult(b, size, half_inf);
   hd_def *number = hd_ior(b, hd_select(b, is_finite, finite, inf), sign);
   hd_def *nan = hd_imm_u32(b, 0x7fc00000);
   return hd_select(b, hd_ult(b, half_inf, size), nan, number);
}

static hd_def *
pack_half(hd_builder *b, hd_def *v, bool to_zero, bool as_bits)
{
   hd_def *parts[2];

   for (unsigned n = 0; n < 2; n++) {
      hd_def *x = part(b, v, n);
      if (as_bits || flushes(b)) {
         parts[n] = half_of(b, x, to_zero);
         continue;
      }
      hd_def *half = to_zero ? hd_f2f_rtz(b, x, 16) : hd_f2f_rne(b, x, 16);
      parts[n] = hd_u2u(b, half, 32);
   }
   return joined(b, 2, parts, 16);
}

static hd_def *
unpack_half(hd_builder *b, hd_def *x, bool as_bits)
{
   hd_def *parts[2];

   for (unsigned n = 0; n < 2; n++) {
      hd_def *low = n ? hd_ushr(b, x, hd_imm_u32(b, 16)) : x;
      if (as_bits || flushes(b))
         parts[n] = float_of_half(b, and_u32(b, low, 0xffff));
      else
         parts[n] = hd_f2f_rne(b, hd_u2u(b, low, 16), 32);
   }
   return hd_vec(b, 2, parts);
}

/* The number that stands for 1. */
static uint32_t
most_of(unsigned bits, bool is_signed)
{
   return (UINT32_C(1) << (is_signed ? bits - 1 : bits)) - 1;
}

/* x * factor, rounded to nearest even. */
static hd_def *
scaled(hd_builder *b, hd_def *x, uint32_t factor)
{
   if (!rounds_to_zero(b))
      return hd_fmul(b, x, hd_imm_f32(b, (float)factor));
   hd_def *wide = hd_f2f(b, x, 64);
   return hd_f2f_rne(b, hd_fmul(b, wide, hd_imm_f64(b, factor)), 32);
}

static hd_def *
pack_norm(hd_builder *b, hd_def *v, unsigned bits, bool is_signed)
{
   const unsigned num = 32 / bits;
   const uint32_t most = most_of(bits, is_signed);
   hd_def *parts[4];

   b->flags = HD_FP_EXACT;
   for (unsigned n = 0; n < num; n++) {
      hd_def *x = part(b, v, n);
      if (!is_signed) {
         parts[n] = hd_f2u_rne(b, scaled(b, hd_fsat(b, x), most), 32);
         continue;
      }
      hd_def *below = hd_fmin(b, x, hd_imm_f32(b, 1.0f));
      hd_def *held = hd_fmax(b, below, hd_imm_f32(b, -1.0f));
      hd_def *number = hd_f2i_rne(b, scaled(b, held, most), 32);
      hd_def *zero = hd_imm_u32(b, 0), *ordered = hd_select(b, hd_ford(b, x, x), number, zero);
      parts[n] = and_u32(b, ordered, (UINT32_C(1) << bits) - 1);
   }
   return joined(b, num, parts, bits);
}

/* n / most, correctly rounded to nearest even: `n` is an integer. */
static hd_def *
quotient(hd_builder *b, hd_def *n, uint32_t most, bool is_signed)
{
   if (rounds_to_zero(b)) {
      hd_def *wide = is_signed ? hd_i2f(b, n, 64) : hd_u2f(b, n, 64);
      return hd_f2f_rne(b, hd_fmul(b, wide, hd_imm_f64(b, 1.0 / most)), 32);
   }
   hd_def *x = is_signed ? hd_i2f(b, n, 32) : hd_u2f(b, n, 32);
   hd_def *reciprocal = hd_imm_f32(b, (float)(1.0 / most));
   hd_def *q = hd_fmul(b, x, reciprocal);
   hd_def *minus = hd_fneg(b, q), *rest = hd_ffma(b, minus, hd_imm_f32(b, (float)most), x);
   return hd_ffma(b, rest, reciprocal, q);
}

static hd_def *
unpack_norm(hd_builder *b, hd_def *x, unsigned bits, bool is_signed)
{
   const unsigned num = 32 / bits;
   const uint32_t most = most_of(bits, is_signed);
   hd_def *parts[4];

   b->flags = HD_FP_EXACT;
   for (unsigned n = 0; n < num; n++) {
      const unsigned above = 32 - bits * (n + 1);
      hd_def *top = above ? hd_ishl(b, x, hd_imm_u32(b, above)) : x;
      if (!is_signed) {
         parts[n] = quotient(b, hd_ushr(b, top, hd_imm_u32(b, 32 - bits)), most, false);
         continue;
      }
      hd_def *number = hd_ishr(b, top, hd_imm_u32(b, 32 - bits));
      hd_def *held = hd_imax(b, number, hd_imm_u32(b, -most));
      parts[n] = quotient(b, held, most, true);
   }
   return hd_vec(b, num, parts);
}

static hd_def *
lower_join(hd_builder *b, const hd_instr *i, hd_def *x, const lower_pack_options *o)
{
   switch ((hd_op)i->op) {
   case HD_OP_PACK_64_2X32:
      return o->pairs ? pack(b, x, 0, 2, 64) : NULL;
   case HD_OP_UNPACK_64_2X32:
      return o->pairs ? unpack(b, x, 2, 32) : NULL;
   case HD_OP_PACK_64_4X16:
      return o->small ? pack_64_4x16(b, x, o->pairs) : NULL;
   case HD_OP_UNPACK_64_4X16:
      return o->small ? unpack_64_4x16(b, x, o->pairs) : NULL;
   case HD_OP_PACK_32_2X16:
      return o->small ? pack(b, x, 0, 2, 32) : NULL;
   case HD_OP_UNPACK_32_2X16:
      return o->small ? unpack(b, x, 2, 16) : NULL;
   case HD_OP_PACK_32_4X8:
      return o->small ? pack(b, x, 0, 4, 32) : NULL;
   case HD_OP_UNPACK_32_4X8:
      return o->small ? unpack(b, x, 4, 8) : NULL;
   default:
      return NULL;
   }
}

static hd_def *
lower_norm(hd_builder *b, const hd_instr *i, hd_def *x)
{
   switch ((hd_op)i->op) {
   case HD_OP_PACK_UNORM_2X16:
      return pack_norm(b, x, 16, false);
   case HD_OP_PACK_UNORM_4X8:
      return pack_norm(b, x, 8, false);
   case HD_OP_PACK_SNORM_2X16:
      return pack_norm(b, x, 16, true);
   case HD_OP_PACK_SNORM_4X8:
      return pack_norm(b, x, 8, true);
   case HD_OP_UNPACK_UNORM_2X16:
      return unpack_norm(b, x, 16, false);
   case HD_OP_UNPACK_UNORM_4X8:
      return unpack_norm(b, x, 8, false);
   case HD_OP_UNPACK_SNORM_2X16:
      return unpack_norm(b, x, 16, true);
   case HD_OP_UNPACK_SNORM_4X8:
      return unpack_norm(b, x, 8, true);
   default:
      return NULL;
   }
}

static hd_def *
lower(hd_builder *b, hd_instr *i, void *data)
{
   const lower_pack_options *o = data;
   const bool as_bits = o->half == HALVES_AS_BITS;

   if (i->kind != HD_INSTR_ALU)
      return NULL;
   hd_def *x = hd_instr_src(i, 0)->def;
   switch ((hd_op)i->op) {
   case HD_OP_PACK_HALF_2X16:
      return o->half ? pack_half(b, x, false, as_bits) : NULL;
   case HD_OP_PACK_HALF_2X16_RTZ:
      return o->half ? pack_half(b, x, true, as_bits) : NULL;
   case HD_OP_UNPACK_HALF_2X16:
      return o->half ? unpack_half(b, x, as_bits) : NULL;
   default: {
      hd_def *norm = o->norm ? lower_norm(b, i, x) : NULL;
      return norm ? norm : lower_join(b, i, x, o);
   }
   }
}

bool
hd_lower_pack(hd_function *f, const lower_pack_options *o)
{
   lower_pack_options options = *o;

   return hd_progress(f, hd_lower_instrs(f, lower, &options), LOWER_PACK_KEEPS);
}
