/* SPDX-License-Identifier: MIT */
/* alu.c - translate ALU instructions: one op each, by the rows of spirv/opcodes.py, or a few: conversions, bit
 * fields, classification. Matrices and products are in product.c.
 */
#include "heddle/build_ops.h"
#include "spirv/body.h"

#include <assert.h>

/* Flags of float arithmetic */

#define FAST_MATH_NOT_NAN 1u
#define FAST_MATH_NOT_INF 2u
#define FAST_MATH_NSZ     4u
#define FAST_MATH_FAST    16u
#define FAST_MATH_FINITE  (FAST_MATH_NOT_NAN | FAST_MATH_NOT_INF | FAST_MATH_NSZ)
#define FAST_MATH_REASSOC 0x30000u /* AllowContract and AllowReassoc */

/* Vulkan's shaders ask for signs of zeros by SignedZeroInfNanPreserve, or by NoContraction, which is what
 * `precise` becomes.
 */
static uint8_t
zeros_of(const struct spirv *s)
{
   return s->kernel || s->keeps_zeros ? 0 : HD_FP_NO_SIGNED_ZERO;
}

uint8_t
hd_spirv_float_flags(struct spirv *s, uint32_t id)
{
   uint8_t flags = s->kernel ? HD_FP_EXACT : s->float_flags;

   if (!hd_spirv_id(s, id)->decoration)
      return flags | zeros_of(s);
   const struct spirv_decoration *d =
       hd_spirv_decoration(s, id, -1, SPV_DECORATION_FPFAST_MATH_MODE);
   if (d) {
      uint32_t mode = s->words[d->word];
      /* What not all of them allow is not allowed. */
      for (const struct spirv_decoration *other = d; (other = hd_spirv_next_decoration(s, other));)
         mode &= s->words[other->word];
      bool fast = (mode & FAST_MATH_FAST) != 0;
      if (fast || (mode & FAST_MATH_REASSOC) == FAST_MATH_REASSOC)
         flags &= (uint8_t)~HD_FP_EXACT;
      else
         flags |= HD_FP_EXACT;
      /* What may meet them here is not rewritten as the rest of the shader. */
      if (!fast && (mode & FAST_MATH_FINITE) != FAST_MATH_FINITE)
         flags |= s->shader->float_controls & HD_FLOAT_FINITE ? HD_FP_EXACT : 0;
      if (fast || mode & FAST_MATH_NOT_NAN)
         flags |= HD_FP_NO_NAN;
      if (fast || mode & FAST_MATH_NOT_INF)
         flags |= HD_FP_NO_INF;
      /* Of what is exact it would promise the other two. */
      if (fast || (mode & FAST_MATH_FINITE) == FAST_MATH_FINITE ||
          (mode & FAST_MATH_NSZ && !(s->shader->float_controls & HD_FLOAT_FINITE)))
         flags |= HD_FP_NO_SIGNED_ZERO;
   } else if (!hd_spirv_decoration(s, id, -1, SPV_DECORATION_NO_CONTRACTION)) {
      flags |= zeros_of(s);
   }
   if (hd_spirv_decoration(s, id, -1, SPV_DECORATION_NO_CONTRACTION))
      flags |= HD_FP_EXACT;
   return flags;
}

/* Operands */

static hd_def *
operand(struct spirv *s, const struct spirv_instr *i, uint32_t n)
{
   return hd_spirv_ssa(s, i->words[n]);
}

/* A count or an offset, whatever its size: 32 bits, and as many components as the value has. */
static hd_def *
count_operand(struct spirv *s, const struct spirv_instr *i, uint32_t n, unsigned components)
{
   hd_def *count = operand(s, i, n);

   if (count->bit_size != 32)
      count = hd_u2u(&s->b, count, 32);
   if (count->num_components == 1 && components > 1)
      count = hd_spirv_splat(s, count, components);
   return count;
}

/* A constant in all components. */
static hd_def *
imm(struct spirv *s, const hd_def *like, uint64_t value)
{
   hd_const_value values[HD_MAX_COMPONENTS];

   for (unsigned c = 0; c < HD_MAX_COMPONENTS; c++)
      values[c].u64 = value;
   return hd_imm(&s->b, like->num_components, like->bit_size, values);
}

static uint64_t
mask(unsigned bits)
{
   return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
}

/* Conversions */

/* The op for FPRoundingMode: the four of a kind follow one another in no order that could be used.
 */
static hd_op
rounded(struct spirv *s, const struct spirv_instr *i, hd_op op)
{
   static const struct {
      uint16_t op, rounded[4];
   } table[] = {
      { HD_OP_F2F, { HD_OP_F2F_RNE, HD_OP_F2F_RTZ, HD_OP_F2F_RU, HD_OP_F2F_RD } },
      { HD_OP_U2F, { HD_OP_U2F_RNE, HD_OP_U2F_RTZ, HD_OP_U2F_RU, HD_OP_U2F_RD } },
      { HD_OP_I2F, { HD_OP_I2F_RNE, HD_OP_I2F_RTZ, HD_OP_I2F_RU, HD_OP_I2F_RD } },
      { HD_OP_F2U, { HD_OP_F2U_RNE, HD_OP_F2U, HD_OP_F2U_RU, HD_OP_F2U_RD } },
      { HD_OP_F2I, { HD_OP_F2I_RNE, HD_OP_F2I, HD_OP_F2I_RU, HD_OP_F2I_RD } },
   };
   const struct spirv_decoration *d = NULL;

   if (hd_spirv_id(s, i->result)->decoration)
      d = hd_spirv_decoration(s, i->result, -1, SPV_DECORATION_FPROUNDING_MODE);
   for (unsigned n = 0; d && n < sizeof(table) / sizeof(table[0]); n++) {
      if (table[n].op == op && s->words[d->word] < 4)
         return (hd_op)table[n].rounded[s->words[d->word]];
   }
   return op;
}

static bool
saturates(struct spirv *s, const struct spirv_instr *i)
{
   return i->opcode == SPV_OP_SAT_CONVERT_STO_U || i->opcode == SPV_OP_SAT_CONVERT_UTO_S ||
          (hd_spirv_id(s, i->result)->decoration &&
           hd_spirv_decoration(s, i->result, -1, SPV_DECORATION_SATURATED_CONVERSION));
}

/* Integer to integer: held in the range of the result first, where that is asked for. */
static void
convert_int(struct spirv *s, const struct spirv_instr *i)
{
   bool from_signed = i->opcode == SPV_OP_SCONVERT || i->opcode == SPV_OP_SAT_CONVERT_STO_U;
   bool to_signed = i->opcode == SPV_OP_SCONVERT || i->opcode == SPV_OP_SAT_CONVERT_UTO_S;
   unsigned bits = hd_spirv_result_type(s, i)->bits;
   hd_def *x = operand(s, i, 0);
   unsigned from = x->bit_size;

   if (saturates(s, i)) {
      uint64_t most = mask(to_signed ? bits - 1 : bits);
      if (from_signed && !to_signed)
         x = hd_imax(&s->b, x, imm(s, x, 0));
      if (from_signed && to_signed && bits < from) {
         x = hd_imin(&s->b, x, imm(s, x, most));
         x = hd_imax(&s->b, x, imm(s, x, ~most & mask(from)));
      } else if (bits < from || (!from_signed && to_signed && bits == from)) {
         x = hd_umin(&s->b, x, imm(s, x, most));
      }
   }
   if (bits != from)
      x = from_signed ? hd_i2i(&s->b, x, bits) : hd_u2u(&s->b, x, bits);
   hd_spirv_set_def(s, i, x);
}

/* The op that joins `part` bits to `whole` bits, or that splits them. */
static hd_op
pack_op(unsigned whole, unsigned part, bool split)
{
   if (whole == 64 && part == 32)
      return split ? HD_OP_UNPACK_64_2X32 : HD_OP_PACK_64_2X32;
   if (whole == 64 && part == 16)
      return split ? HD_OP_UNPACK_64_4X16 : HD_OP_PACK_64_4X16;
   if (whole == 32 && part == 16)
      return split ? HD_OP_UNPACK_32_2X16 : HD_OP_PACK_32_2X16;
   if (whole == 32 && part == 8)
      return split ? HD_OP_UNPACK_32_4X8 : HD_OP_PACK_32_4X8;
   return HD_OP_NONE;
}

/* One scalar to scalars of fewer bits, lowest first. */
static void
split(struct spirv *s, hd_def *whole, unsigned bits, hd_def **parts)
{
   unsigned num = whole->bit_size / bits;
   hd_op op = pack_op(whole->bit_size, bits, true);

   if (op != HD_OP_NONE) {
      hd_def *all = hd_build_alu(&s->b, op, 1, &whole, 0);
      for (unsigned n = 0; n < num; n++)
         parts[n] = hd_build_channel(&s->b, all, n);
      return;
   }
   for (unsigned n = 0; n < num; n++) {
      hd_def *low = n ? hd_ushr(&s->b, whole, hd_imm_u32(&s->b, n * bits)) : whole;
      parts[n] = hd_u2u(&s->b, low, bits);
   }
}

static hd_def *
join(struct spirv *s, unsigned bits, hd_def *const *parts)
{
   const unsigned size = parts[0]->bit_size, num = bits / size;
   hd_op op = pack_op(bits, size, false);

   if (op != HD_OP_NONE) {
      hd_def *all = hd_build_vec(&s->b, num, parts);
      return hd_build_alu(&s->b, op, 1, &all, 0);
   }
   hd_def *whole = hd_u2u(&s->b, parts[0], bits);
   for (unsigned n = 1; n < num; n++) {
      hd_def *part = hd_u2u(&s->b, parts[n], bits);
      part = hd_ishl(&s->b, part, hd_imm_u32(&s->b, n * size));
      whole = hd_ior(&s->b, whole, part);
   }
   return whole;
}

hd_def *
hd_spirv_bitcast(struct spirv *s, hd_def *x, unsigned components, unsigned bits)
{
   hd_def *parts[HD_MAX_COMPONENTS * 8] = { NULL }, *to[HD_MAX_COMPONENTS];

   if ((unsigned)x->num_components * x->bit_size != components * bits || x->bit_size == 1 ||
       bits == 1)
      hd_spirv_invalid(s, "%u x %u bits cannot be %u x %u bits", x->num_components, x->bit_size,
                       components, bits);
   if (x->bit_size == bits)
      return x;
   unsigned ratio = bits > x->bit_size ? bits / x->bit_size : x->bit_size / bits;
   for (unsigned n = 0; n < x->num_components; n++) {
      hd_def *c = hd_build_channel(&s->b, x, n);
      if (bits < x->bit_size)
         split(s, c, bits, parts + n * ratio);
      else
         parts[n] = c;
   }
   for (unsigned n = 0; n < components; n++)
      to[n] = bits > x->bit_size ? join(s, bits, parts + n * ratio) : parts[n];
   return hd_build_vec(&s->b, components, to);
}

static void
bitcast(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   struct spirv_value *v = hd_spirv_value(s, i->words[0]);

   if (!hd_spirv_type_is_leaf(t))
      hd_spirv_invalid(s, "expected a number, a vector or a pointer as result");
   hd_spirv_set_def(s, i, hd_spirv_bitcast(s, hd_spirv_leaf(s, v), t->components, t->bits));
}

/* Bits */

static void
shift(struct spirv *s, const struct spirv_instr *i, hd_op op)
{
   hd_def *srcs[2] = { operand(s, i, 0) };

   srcs[1] = count_operand(s, i, 1, srcs[0]->num_components);
   hd_spirv_set_def(s, i, hd_build_alu(&s->b, op, 2, srcs, 0));
}

/* Values, then two counts. */
static void
bit_field(struct spirv *s, const struct spirv_instr *i, hd_op op, unsigned num_values)
{
   hd_def *srcs[4] = { operand(s, i, 0) };

   for (unsigned n = 1; n < num_values; n++)
      srcs[n] = operand(s, i, n);
   for (unsigned n = num_values; n < num_values + 2; n++)
      srcs[n] = count_operand(s, i, n, srcs[0]->num_components);
   hd_spirv_set_def(s, i, hd_build_alu(&s->b, op, num_values + 2, srcs, 0));
}

/* A number of 32 bits that counts bits, in the size of the result. */
static void
set_count(struct spirv *s, const struct spirv_instr *i, hd_def *count)
{
   unsigned bits = hd_spirv_result_type(s, i)->bits;

   hd_spirv_set_def(s, i, bits == 32 ? count : hd_u2u(&s->b, count, bits));
}

static void
count_zeros(struct spirv *s, const struct spirv_instr *i, bool leading)
{
   hd_def *x = operand(s, i, 0), *at = leading ? hd_ufind_msb(&s->b, x) : hd_find_lsb(&s->b, x);

   if (leading) /* -1, of no ones, gives all */
      at = hd_isub(&s->b, imm(s, at, x->bit_size - 1u), at);
   else
      at = hd_umin(&s->b, at, imm(s, at, x->bit_size));
   set_count(s, i, at);
}

/* The mean of two integers, rounded down or up, without the sum's carry. */
static void
average(struct spirv *s, const struct spirv_instr *i, bool is_signed, bool up)
{
   hd_builder *b = &s->b;
   hd_def *x = operand(s, i, 0), *y = operand(s, i, 1), *one;
   hd_def *apart = hd_ixor(b, x, y);

   one = hd_spirv_splat(s, hd_imm_u32(b, 1), x->num_components);
   hd_def *half = is_signed ? hd_ishr(b, apart, one) : hd_ushr(b, apart, one);
   hd_spirv_set_def(s, i,
                    up ? hd_isub(b, hd_ior(b, x, y), half) : hd_iadd(b, hd_iand(b, x, y), half));
}

static void
multiply_32x16(struct spirv *s, const struct spirv_instr *i, bool is_signed)
{
   hd_builder *b = &s->b;
   hd_def *x = operand(s, i, 0), *y = operand(s, i, 1);

   if (y->bit_size != 16)
      y = hd_u2u(b, y, 16);
   y = is_signed ? hd_i2i(b, y, x->bit_size) : hd_u2u(b, y, x->bit_size);
   hd_spirv_set_def(s, i, hd_imul(b, x, y));
}

/* Floats */

static void
remainder_of(struct spirv *s, const struct spirv_instr *i, bool floor)
{
   hd_builder *b = &s->b;
   hd_def *x = operand(s, i, 0), *y = operand(s, i, 1);
   hd_def *q = hd_fdiv(b, x, y);

   q = floor ? hd_ffloor(b, q) : hd_ftrunc(b, q);
   hd_spirv_set_def(s, i, hd_ffma(b, hd_fneg(b, q), y, x));
}

static uint64_t
infinity(unsigned bits)
{
   return bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : UINT64_C(0x7ff) << 52;
}

static uint64_t
least_normal(unsigned bits)
{
   return bits == 16 ? 0x0400 : bits == 32 ? 0x00800000 : UINT64_C(1) << 52;
}

/* By the bits: no mode of denormals or NaNs changes the answer. */
static void
classify(struct spirv *s, const struct spirv_instr *i)
{
   hd_builder *b = &s->b;
   hd_def *x = operand(s, i, 0);
   unsigned bits = x->bit_size;

   if (bits < 16)
      hd_spirv_invalid(s, "expected a float operand");
   hd_def *size = hd_fabs(b, x), *inf = imm(s, x, infinity(bits));
   hd_def *least = imm(s, x, least_normal(bits));
   switch (i->opcode) {
   case SPV_OP_IS_NAN:
      hd_spirv_set_def(s, i, hd_fneu(b, x, x));
      break;
   case SPV_OP_IS_INF:
      hd_spirv_set_def(s, i, hd_feq(b, size, inf));
      break;
   case SPV_OP_IS_FINITE:
      hd_spirv_set_def(s, i, hd_flt(b, size, inf));
      break;
   case SPV_OP_IS_NORMAL: {
      hd_def *normals = imm(s, x, infinity(bits) - least_normal(bits));
      hd_spirv_set_def(s, i, hd_ult(b, hd_isub(b, size, least), normals));
      break;
   }
   default:
      hd_spirv_set_def(s, i, hd_ilt(b, x, imm(s, x, 0)));
      break;
   }
}

static void
any_all(struct spirv *s, const struct spirv_instr *i, hd_op op)
{
   hd_def *v = operand(s, i, 0), *srcs[2] = { hd_build_channel(&s->b, v, 0) };

   for (unsigned c = 1; c < v->num_components; c++) {
      srcs[1] = hd_build_channel(&s->b, v, c);
      srcs[0] = hd_build_alu(&s->b, op, 2, srcs, 0);
   }
   hd_spirv_set_def(s, i, srcs[0]);
}

/* Two results: the low part, and what does not fit in it. */
static void
extended(struct spirv *s, const struct spirv_instr *i, hd_op low, hd_op high)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   hd_def *srcs[2] = { operand(s, i, 0), operand(s, i, 1) };

   if (t->kind != TYPE_STRUCT || t->length != 2)
      hd_spirv_invalid(s, "expected a result type with two members");
   hd_def *parts[2] = { hd_build_alu(&s->b, low, 2, srcs, 0),
                        hd_build_alu(&s->b, high, 2, srcs, 0) };
   if (parts[1]->bit_size == 1)
      parts[1] = hd_b2i(&s->b, parts[1], srcs[0]->bit_size);
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (unsigned n = 0; n < 2; n++) {
      const struct spirv_type *part = hd_spirv_part_type(s, t, n);
      if (!hd_spirv_type_is_leaf(part) || part->components != parts[n]->num_components ||
          part->bits != parts[n]->bit_size)
         hd_spirv_invalid(s, "member %u of the result does not have the type of the operands", n);
      v->elements[n] = hd_spirv_make_def(s, part, parts[n]);
   }
   hd_spirv_set(s, i, v);
}

/* Vulkan allows 2.5 units, where both the reciprocal and its denominator are normal; that is what
 * divisions of shaders are made for. OpenCL's range is all numbers.
 */
hd_def *
hd_spirv_quotient(struct spirv *s, hd_def *x, hd_def *y)
{
   if (s->kernel || x->bit_size == 64)
      return hd_fdiv(&s->b, x, y);
   return hd_fmul(&s->b, x, hd_frcp(&s->b, y));
}

/* A float that the result cannot hold may give anything: so the integer is cut off a wider one, which takes no
 * comparison with the range.
 */
static bool
is_undefined_outside(struct spirv *s, const struct spirv_instr *i)
{
   return (i->opcode == SPV_OP_CONVERT_FTO_U || i->opcode == SPV_OP_CONVERT_FTO_S) &&
          !saturates(s, i);
}

/* Those with a row. */
static void
one_op(struct spirv *s, const struct spirv_instr *i, const struct spirv_opcode *row)
{
   hd_op op = (hd_op)row->extra;
   unsigned num_srcs = hd_op_get_info(op)->num_srcs, bits = 0;
   hd_def *srcs[4] = { NULL };

   assert(num_srcs > 0);
   if (i->num_words != num_srcs)
      hd_spirv_invalid(s, "there are %u operands, expected %u", i->num_words, num_srcs);
   for (unsigned n = 0; n < num_srcs; n++)
      srcs[row->flags & SPIRV_ALU_SWAP ? num_srcs - 1 - n : n] = operand(s, i, n);
   if (row->flags & SPIRV_ALU_SIZED) {
      bits = hd_spirv_result_type(s, i)->bits;
      op = rounded(s, i, op);
   }
   if (bits && bits == srcs[0]->bit_size && op == HD_OP_F2F) {
      hd_spirv_set_def(s, i, srcs[0]);
      return;
   }
   const unsigned narrow = bits, wide = srcs[0]->bit_size < 32 ? srcs[0]->bit_size : 32;
   if (bits < wide && is_undefined_outside(s, i))
      bits = wide;
   hd_def *def = op == HD_OP_FDIV ? hd_spirv_quotient(s, srcs[0], srcs[1])
                                  : hd_build_alu(&s->b, op, num_srcs, srcs, bits);
   if (bits != narrow)
      def = hd_u2u(&s->b, def, narrow);
   if (row->flags & SPIRV_ALU_NOT)
      def = hd_inot(&s->b, def);
   hd_spirv_set_def(s, i, def);
}

static void
several_ops(struct spirv *s, const struct spirv_instr *i)
{
   switch (i->opcode) {
   case SPV_OP_SAT_CONVERT_STO_U:
   case SPV_OP_SAT_CONVERT_UTO_S:
      convert_int(s, i);
      break;
   case SPV_OP_BITCAST:
      bitcast(s, i);
      break;
   case SPV_OP_SHIFT_LEFT_LOGICAL:
      shift(s, i, HD_OP_ISHL);
      break;
   case SPV_OP_SHIFT_RIGHT_LOGICAL:
      shift(s, i, HD_OP_USHR);
      break;
   case SPV_OP_SHIFT_RIGHT_ARITHMETIC:
      shift(s, i, HD_OP_ISHR);
      break;
   case SPV_OP_BIT_FIELD_INSERT:
      bit_field(s, i, HD_OP_BITFIELD_INSERT, 2);
      break;
   case SPV_OP_BIT_FIELD_SEXTRACT:
      bit_field(s, i, HD_OP_IBITFIELD_EXTRACT, 1);
      break;
   case SPV_OP_BIT_FIELD_UEXTRACT:
      bit_field(s, i, HD_OP_UBITFIELD_EXTRACT, 1);
      break;
   case SPV_OP_BIT_COUNT:
      set_count(s, i, hd_bit_count(&s->b, operand(s, i, 0)));
      break;
   case SPV_OP_UCOUNT_LEADING_ZEROS_INTEL:
      count_zeros(s, i, true);
      break;
   case SPV_OP_UCOUNT_TRAILING_ZEROS_INTEL:
      count_zeros(s, i, false);
      break;
   case SPV_OP_IAVERAGE_INTEL:
   case SPV_OP_UAVERAGE_INTEL:
   case SPV_OP_IAVERAGE_ROUNDED_INTEL:
   case SPV_OP_UAVERAGE_ROUNDED_INTEL:
      average(
          s, i, i->opcode == SPV_OP_IAVERAGE_INTEL || i->opcode == SPV_OP_IAVERAGE_ROUNDED_INTEL,
          i->opcode == SPV_OP_IAVERAGE_ROUNDED_INTEL || i->opcode == SPV_OP_UAVERAGE_ROUNDED_INTEL);
      break;
   case SPV_OP_IMUL32X16_INTEL:
   case SPV_OP_UMUL32X16_INTEL:
      multiply_32x16(s, i, i->opcode == SPV_OP_IMUL32X16_INTEL);
      break;
   case SPV_OP_FREM:
   case SPV_OP_FMOD:
      remainder_of(s, i, i->opcode == SPV_OP_FMOD);
      break;
   case SPV_OP_IS_NAN:
   case SPV_OP_IS_INF:
   case SPV_OP_IS_FINITE:
   case SPV_OP_IS_NORMAL:
   case SPV_OP_SIGN_BIT_SET:
      classify(s, i);
      break;
   case SPV_OP_ANY:
      any_all(s, i, HD_OP_IOR);
      break;
   case SPV_OP_ALL:
      any_all(s, i, HD_OP_IAND);
      break;
   case SPV_OP_IADD_CARRY:
      extended(s, i, HD_OP_IADD, HD_OP_UADD_CARRY);
      break;
   case SPV_OP_ISUB_BORROW:
      extended(s, i, HD_OP_ISUB, HD_OP_USUB_BORROW);
      break;
   case SPV_OP_UMUL_EXTENDED:
      extended(s, i, HD_OP_IMUL, HD_OP_UMULHI);
      break;
   case SPV_OP_SMUL_EXTENDED:
      extended(s, i, HD_OP_IMUL, HD_OP_IMULHI);
      break;
   default:
      hd_spirv_product(s, i);
   }
}

void
hd_spirv_alu(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_opcode *row = hd_spirv_opcode(i->opcode);

   s->b.flags = hd_spirv_float_flags(s, i->result);
   if (row->extra == HD_OP_U2U || row->extra == HD_OP_I2I)
      convert_int(s, i);
   else if (row->extra != HD_OP_NONE)
      one_op(s, i, row);
   else
      several_ops(s, i);
   s->b.flags = 0;
}
