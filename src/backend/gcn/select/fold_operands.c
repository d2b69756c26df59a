/* SPDX-License-Identifier: MIT */
/* fold_operands.c - instruction selection: constant folding of steps, and patterns of two ops.
 *
 * Steps of a pattern with constant operands are folded here, so that one pattern serves constants, too.
 * Masks that remove no bit are removed, as zero-extensions of loaded bytes. And some pairs of ops become one instruction:
 *
 *    iadd(x, b2i(c))      where c is a mask: v_addc_co_u32 x, 0, c; isub: v_subb_co_u32
 *    iand(c, u)           of a mask and a dword boolean: u in scc, s_cselect_b64 c, 0
 *    ior(c, u)            s_cselect_b64 -1, c
 *    iadd(x, u2u(i) << k) of 64 bits, where i has 32: v_mad_u64_u32 i, 1 << k, x;
 *                         i2i: v_mad_i64_i32
 *    imul(x, y), umulhi(x, y)  of vectors: v_mad_u64_u32 x, y, 0, and with a sum of 64 bits x, y, z
 *    ine(iand(x, 1 << n), 0)  of scalars, in scc: s_bitcmp1_b32 x, n; ieq: s_bitcmp0_b32
 *    imul(x, y)               of vectors that have 24 bits: v_mul_i32_i24 x, y
 *    imul(x, (1 << n) + 1)    of vectors: v_lshl_add_u32 x, n, x, four times as fast
 *    pack(bytes or words of one or two dwords)  v_perm_b32
 *    i2i(a byte or half)  v_bfe_i32 x, its place, its size; v_ashrrev_i32 of the highest one
 * Sums of scalars and vectors: fold_sums.c. Floats: fold_floats.c.
 */
#include "backend/gcn/select/alu.h"

#include "heddle/op_enum.h"
#include "ir/fold.h"

#include <assert.h>

/* A power of two that is an inline constant, as a shift. */
#define MAX_INLINE_SHIFT 6

/* How many instructions are looked through for what bits a value has. */
#define MAX_DEPTH 4

static bool
fold_words(hd_gcn_op op, const uint32_t *w, uint32_t *result)
{
   switch (op) {
   case HD_GCN_S_AND_B32:
      *result = w[0] & w[1];
      return true;
   case HD_GCN_S_OR_B32:
      *result = w[0] | w[1];
      return true;
   case HD_GCN_S_LSHL_B32:
      *result = w[0] << (w[1] & 31);
      return true;
   case HD_GCN_V_LSHLREV_B32:
      *result = w[1] << (w[0] & 31);
      return true;
   case HD_GCN_S_MIN_U32:
   case HD_GCN_V_MIN_U32:
      *result = w[0] < w[1] ? w[0] : w[1];
      return true;
   case HD_GCN_V_MAX_I32:
      *result = (int32_t)w[0] > (int32_t)w[1] ? w[0] : w[1];
      return true;
   case HD_GCN_V_MIN_I32:
      *result = (int32_t)w[0] < (int32_t)w[1] ? w[0] : w[1];
      return true;
   case HD_GCN_S_NOT_B32:
   case HD_GCN_V_NOT_B32:
      *result = ~w[0];
      return true;
   case HD_GCN_V_SUB_U32:
   case HD_GCN_V_SUB_CO_U32:
      *result = w[0] - w[1];
      return true;
   case HD_GCN_V_BFM_B32:
      *result = ((1u << (w[0] & 31)) - 1) << (w[1] & 31);
      return true;
   default:
      return false;
   }
}

static hd_mach_operand
constant_mask(bool value)
{
   return (hd_mach_operand){ .reg = value ? HD_GCN_CONST_0 + 65 : HD_GCN_CONST_0, .size = 2 };
}

/* What is shifted right, and how far; 0: nothing is. */
static uint32_t
shifted_by(const hd_mach_inst *inst)
{
   uint32_t by;

   return inst && inst->op == HD_GCN_V_LSHRREV_B32 && hd_gcn_word_of(*hd_mach_src(inst, 0), &by)
              ? by & 31
              : 0;
}

/* The bits that an operand can have. It looks through a few instructions. */
static uint32_t
possible_bits(const hd_gcn_selector *s, hd_mach_operand operand, unsigned depth)
{
   const hd_mach_inst *inst = hd_gcn_maker_of(s, operand);
   const uint32_t by = shifted_by(inst);
   uint32_t a, b, word;

   if (hd_gcn_word_of(operand, &word))
      return word;
   if (by)
      return UINT32_MAX >> by;
   switch (inst ? inst->op : (unsigned)HD_GCN_S_NOP) {
   case HD_GCN_BUFFER_LOAD_UBYTE:
   case HD_GCN_FLAT_LOAD_UBYTE:
   case HD_GCN_GLOBAL_LOAD_UBYTE:
   case HD_GCN_DS_READ_U8:
      return 0xff;
   case HD_GCN_BUFFER_LOAD_USHORT:
   case HD_GCN_FLAT_LOAD_USHORT:
   case HD_GCN_GLOBAL_LOAD_USHORT:
   case HD_GCN_DS_READ_U16:
      return 0xffff;
   case HD_GCN_V_AND_B32:
   case HD_GCN_V_OR_B32:
   case HD_GCN_V_CNDMASK_B32:
      if (!depth)
         return UINT32_MAX;
      a = possible_bits(s, *hd_mach_src(inst, 0), depth - 1);
      b = possible_bits(s, *hd_mach_src(inst, 1), depth - 1);
      return inst->op == HD_GCN_V_AND_B32 ? a & b : a | b;
   default:
      return UINT32_MAX;
   }
}

/* Bits are masked that are the only ones there can be. */
static bool
is_extended(const hd_gcn_selector *s, const hd_mach_operand *srcs, hd_mach_operand *result)
{
   for (unsigned n = 0; n < 2; n++) {
      uint32_t mask;
      if (!hd_gcn_word_of(srcs[n], &mask) && hd_gcn_word_of(srcs[!n], &mask) &&
          !(possible_bits(s, srcs[n], MAX_DEPTH) & ~mask)) {
         *result = srcs[n];
         return true;
      }
   }
   return false;
}

bool
hd_gcn_fold_step(const hd_gcn_selector *s, hd_gcn_op op, unsigned num_srcs,
                 const hd_mach_operand *srcs, hd_mach_operand *result)
{
   uint32_t words[3] = { 0 }, folded;

   if (op == HD_GCN_V_CNDMASK_B32 && hd_gcn_is_constant(srcs[2])) {
      *result = srcs[2].reg == HD_GCN_CONST_0 ? srcs[0] : srcs[1];
      return !(result->flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS));
   }
   if (num_srcs > 2)
      return false;
   if (op == HD_GCN_V_AND_B32 && is_extended(s, srcs, result))
      return true;
   for (unsigned n = 0; n < num_srcs; n++) {
      if (!hd_gcn_word_of(srcs[n], &words[n]))
         return false;
   }
   if (op == HD_GCN_V_CMP_GT_U32) {
      *result = constant_mask(words[0] > words[1]);
      return true;
   }
   if (!fold_words(op, words, &folded))
      return false;
   *result = hd_gcn_imm(s, folded);
   return true;
}

/* Pairs */

/* The mask that was made a number, or NULL. */
static const hd_def *
counted_mask(const hd_gcn_selector *s, const hd_src *src)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(src->def));

   if (!alu || alu->instr.op != HD_OP_B2I || alu->instr.def.bit_size != 32 ||
       hd_src_as_const(&alu->src[0]) || s->known[alu->src[0].def->index].scalar ||
       hd_def_instr(alu->src[0].def)->kind == HD_INSTR_UNDEF)
      return NULL;
   return alu->src[0].def;
}

/* One more, or less, for the lanes of the mask. */
static hd_mach_operand
count(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand value, const hd_def *mask)
{
   hd_mach_operand srcs[3] = { value, hd_gcn_imm(s, 0), hd_gcn_as_mask(s, mask) };
   hd_mach_operand defs[2] = { hd_gcn_new(s, HD_GCN_VGPR, 1), hd_gcn_new_mask(s) };

   hd_gcn_emit_full(s, op, 2, defs, 3, srcs, 0);
   return defs[0];
}

static bool
fold_count(hd_gcn_selector *s, const hd_alu *alu)
{
   bool minus = alu->instr.op == HD_OP_ISUB;
   hd_gcn_op op = minus ? HD_GCN_V_SUBB_CO_U32 : HD_GCN_V_ADDC_CO_U32;
   const hd_def *masks[3] = { NULL };
   unsigned num = alu->instr.num_srcs, others = 0, first = 0;

   for (unsigned n = 0; n < num; n++) {
      masks[n] = minus && n == 0 ? NULL : counted_mask(s, &alu->src[n]);
      if (!masks[n])
         first = others++ ? first : n;
   }
   /* A sum of two others is an instruction of its own, which the sum of three saves. */
   if (others != 1)
      return false;
   hd_mach_operand value = hd_gcn_value(s, alu->src[first].def);
   for (unsigned n = 0; n < num; n++) {
      if (masks[n])
         value = count(s, op, value, masks[n]);
   }
   hd_gcn_set_value(s, &alu->instr.def, value);
   return true;
}

/* Logic on a mask and on what is one value for all. */
static bool
fold_logic(hd_gcn_selector *s, const hd_alu *alu)
{
   for (unsigned n = 0; n < 2; n++) {
      const hd_def *uniform = alu->src[n].def, *other = alu->src[1 - n].def;
      if (!s->known[uniform->index].scalar || s->known[other->index].scalar ||
          hd_src_as_const(&alu->src[0]) || hd_src_as_const(&alu->src[1]))
         continue;
      hd_mach_operand mask = hd_gcn_as_mask(s, other), result = hd_gcn_new_mask(s);
      hd_gcn_in_scc(s, uniform);
      if (alu->instr.op == HD_OP_IAND)
         hd_gcn_emit2(s, HD_GCN_S_CSELECT_B64, result, mask, constant_mask(false));
      else
         hd_gcn_emit2(s, HD_GCN_S_CSELECT_B64, result, constant_mask(true), mask);
      hd_gcn_set_value(s, &alu->instr.def, result);
      return true;
   }
   return false;
}

/* Is it all copies of the highest bit of `low`? */
static bool
is_sign_of(const hd_def *high, const hd_def *low)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(high));
   const hd_const *by = alu && alu->instr.op == HD_OP_ISHR ? hd_src_as_const(&alu->src[1]) : NULL;

   return by && by->value[0].u32 == 31 && alu->src[0].def == low;
}

/* The 32 bits that these 64 are the extension of; NULL: they are none. */
static const hd_def *
extension_of(const hd_def *def, bool *is_signed)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));

   if (!alu)
      return NULL;
   *is_signed = alu->instr.op == HD_OP_I2I;
   if (alu->instr.op == HD_OP_U2U || alu->instr.op == HD_OP_I2I)
      return alu->src[0].def->bit_size == 32 ? alu->src[0].def : NULL;
   if (alu->instr.op != HD_OP_PACK_64_2X32)
      return NULL;
   const hd_alu *vec = hd_instr_as_alu(hd_def_instr(alu->src[0].def));
   if (!vec || vec->instr.op != HD_OP_VEC)
      return NULL;
   const hd_const *high = hd_src_as_const(&vec->src[1]);
   *is_signed = is_sign_of(vec->src[1].def, vec->src[0].def);
   return *is_signed || (high && !high->value[0].u32) ? vec->src[0].def : NULL;
}

/* The same where they are shifted left. */
static const hd_def *
index_of(const hd_def *def, unsigned *shift, bool *is_signed)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
   const hd_const *by = alu && alu->instr.op == HD_OP_ISHL ? hd_src_as_const(&alu->src[1]) : NULL;

   *shift = by ? by->value[0].u32 : 0;
   return *shift > MAX_INLINE_SHIFT ? NULL : extension_of(by ? alu->src[0].def : def, is_signed);
}

/* An index goes into an address: a product and a sum of 64 bits. */
static bool
fold_index(hd_gcn_selector *s, const hd_alu *alu)
{
   for (unsigned n = 0; n < 2 && hd_gcn_target_in(s->p)->gen >= HD_GCN_GFX803; n++) {
      unsigned shift;
      bool is_signed;
      const hd_def *index = index_of(alu->src[n].def, &shift, &is_signed);
      if (!index || hd_gcn_is_scalar(s, index))
         continue;
      const hd_mach_operand srcs[3] = { hd_gcn_value(s, index), hd_gcn_imm(s, 1u << shift),
                                        hd_gcn_value(s, alu->src[!n].def) };
      const hd_mach_operand defs[2] = { hd_gcn_new(s, HD_GCN_VGPR, 2), hd_gcn_new_mask(s) };
      hd_gcn_emit_full(s, is_signed ? HD_GCN_V_MAD_I64_I32 : HD_GCN_V_MAD_U64_U32, 2, defs, 3, srcs,
                       0);
      hd_gcn_set_value(s, &alu->instr.def, defs[0]);
      return true;
   }
   return false;
}

/* Whole products: v_mad_u64_u32 takes as long as one of its halves alone. */

/* So many readers of a factor are looked at. */
#define MAX_READERS 16

static const hd_alu *
alu_of(const hd_def *def, hd_op op)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));

   return alu && alu->instr.op == op ? alu : NULL;
}

static bool
is_upper_half(const hd_alu *high, const hd_alu *low)
{
   const hd_def *x = low->src[0].def, *y = low->src[1].def;

   return high && (high->instr.op == HD_OP_UMULHI || high->instr.op == HD_OP_IMULHI) &&
          high->instr.block == low->instr.block &&
          ((high->src[0].def == x && high->src[1].def == y) ||
           (high->src[0].def == y && high->src[1].def == x));
}

static hd_mach_operand
multiply_add(hd_gcn_selector *s, const hd_alu *high, hd_mach_operand sum)
{
   const hd_mach_operand srcs[3] = { hd_gcn_value(s, high->src[0].def),
                                     hd_gcn_value(s, high->src[1].def), sum };
   const hd_mach_operand defs[2] = { hd_gcn_new(s, HD_GCN_VGPR, 2), hd_gcn_new_mask(s) };

   hd_gcn_emit_full(s, high->instr.op == HD_OP_IMULHI ? HD_GCN_V_MAD_I64_I32 : HD_GCN_V_MAD_U64_U32,
                    2, defs, 3, srcs, 0);
   return defs[0];
}

/* A product whose upper half comes later in the block. */
static bool
fold_halves(hd_gcn_selector *s, const hd_alu *low)
{
   const hd_alu *high = NULL;
   hd_mach_operand halves[2];
   unsigned num = 0;

   if (hd_gcn_target_in(s->p)->gen < HD_GCN_GFX803 || low->instr.def.bit_size != 32)
      return false;
   hd_foreach_use(use, low->src[0].def) {
      const hd_instr *i = hd_src_instr(use);
      const hd_alu *reader = i ? hd_instr_as_alu(i) : NULL;
      if (reader && is_upper_half(reader, low))
         high = reader;
      if (high || ++num == MAX_READERS)
         break;
   }
   if (!high || s->known[high->instr.def.index].whole.size ||
       s->known[high->instr.def.index].scalar)
      return false;
   const hd_mach_operand zero = { .reg = HD_GCN_CONST_0, .size = 2 };
   hd_gcn_parts(s, multiply_add(s, high, zero), 1, halves);
   hd_gcn_set_value(s, &low->instr.def, halves[0]);
   hd_gcn_set_value(s, &high->instr.def, halves[1]);
   return true;
}

static bool
is_read_once(const hd_alu *alu)
{
   return !hd_src_next_use(alu->instr.def.uses);
}

/* A whole product that only this sum reads. */
static bool
fold_product_sum(hd_gcn_selector *s, const hd_alu *alu)
{
   for (unsigned n = 0; n < 2 && hd_gcn_target_in(s->p)->gen >= HD_GCN_GFX803; n++) {
      const hd_alu *pack = alu_of(alu->src[n].def, HD_OP_PACK_64_2X32);
      const hd_alu *vec = pack ? alu_of(pack->src[0].def, HD_OP_VEC) : NULL;
      const hd_alu *low = vec ? alu_of(vec->src[0].def, HD_OP_IMUL) : NULL;
      const hd_alu *high = low ? hd_instr_as_alu(hd_def_instr(vec->src[1].def)) : NULL;
      if (!low || !is_upper_half(high, low) || s->known[low->instr.def.index].scalar ||
          s->known[high->instr.def.index].scalar || !is_read_once(pack) || !is_read_once(vec) ||
          !is_read_once(low) || !is_read_once(high))
         continue;
      const hd_mach_operand sum = hd_gcn_value(s, alu->src[!n].def);
      hd_gcn_set_value(s, &alu->instr.def, multiply_add(s, high, sum));
      return true;
   }
   return false;
}

static bool
has_one_bit(uint32_t value)
{
   return value && !(value & (value - 1));
}

/* A product by a power of two and one more. */
static bool
fold_product(hd_gcn_selector *s, const hd_alu *alu)
{
   for (unsigned n = 0; n < 2 && hd_gcn_target_in(s->p)->gen >= HD_GCN_GFX900; n++) {
      const hd_const *by = hd_src_as_const(&alu->src[n]);
      if (!by || !has_one_bit(by->value[0].u32 - 1))
         continue;
      const hd_mach_operand x = hd_gcn_value(s, alu->src[!n].def);
      const hd_mach_operand result = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit3(s, HD_GCN_V_LSHL_ADD_U32, result, x,
                   hd_gcn_imm(s, (uint32_t)find_lsb(by->value[0].u32 - 1)), x);
      hd_gcn_set_value(s, &alu->instr.def, result);
      return true;
   }
   return false;
}

/* Is it a signed number of 24 bits, as what was made of 8 or 16 is? */
static bool
has_24_bits(const hd_def *def)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(def));
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));

   if (c)
      return (uint32_t)sext(24, c->value[0].u32) == c->value[0].u32;
   if (!alu)
      return false;
   const hd_const *count = alu->instr.op == HD_OP_IBFE ? hd_src_as_const(&alu->src[2]) : NULL;
   return count ? count->value[0].u32 <= 24
                : alu->instr.op == HD_OP_I2I && alu->src[0].def->bit_size < 24;
}

/* A product of such numbers is four times as fast, and reads bytes and halves itself. */
static bool
fold_small_product(hd_gcn_selector *s, const hd_alu *alu)
{
   if (!has_24_bits(alu->src[0].def) || !has_24_bits(alu->src[1].def))
      return false;
   const hd_mach_operand x = hd_gcn_value(s, alu->src[0].def), y = hd_gcn_value(s, alu->src[1].def);
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit2(s, HD_GCN_V_MUL_I32_I24, d, x, y);
   hd_gcn_set_value(s, &alu->instr.def, d);
   return true;
}

/* The dword that an 8- or 16-bit value is a part of, and from which byte on; or its own register. */
static hd_mach_operand
dword_of_part(hd_gcn_selector *s, const hd_def *part, unsigned *at)
{
   const hd_alu *cut = hd_instr_as_alu(hd_def_instr(part));
   const bool is_cut = cut && cut->instr.op == HD_OP_U2U && cut->src[0].def->bit_size == 32;
   const hd_mach_operand own = hd_gcn_value(s, is_cut ? cut->src[0].def : part);
   const hd_mach_inst *inst = hd_gcn_maker_of(s, own);
   const uint32_t by = shifted_by(inst);

   *at = 0;
   if (!by || by % 8 || by / 8 + part->bit_size / 8u > 4)
      return own;
   *at = by / 8;
   return *hd_mach_src(inst, 1);
}

static bool
is_same(hd_mach_operand a, hd_mach_operand b)
{
   const uint8_t temp = a.flags & HD_MACH_OPERAND_TEMP;

   return temp == (b.flags & HD_MACH_OPERAND_TEMP) && a.value == b.value &&
          (temp || a.reg == b.reg);
}

/* What is read back is made as a vector. */
static void
set_dword(hd_gcn_selector *s, const hd_alu *alu, hd_mach_operand d)
{
   if (s->known[alu->instr.def.index].read_back)
      d = hd_gcn_to_file(s, HD_GCN_SGPR, d);
   hd_gcn_set_value(s, &alu->instr.def, d);
}

/* Parts of one or two dwords, side by side: their bytes in another order. */
static bool
fold_pack(hd_gcn_selector *s, const hd_alu *alu)
{
   const hd_alu *vec = hd_instr_as_alu(hd_def_instr(alu->src[0].def));
   hd_mach_operand from[2] = { { 0 }, { 0 } };
   uint32_t order = 0;

   const hd_mach_operand packed = alu->src[0].def->num_components == 2
                                      ? hd_gcn_packed_dword(s, alu->src[0].def, 0)
                                      : (hd_mach_operand){ 0 };
   if (packed.size) {
      set_dword(s, alu, packed);
      return true;
   }
   if (hd_gcn_target_in(s->p)->gen < HD_GCN_GFX803 || !vec || vec->instr.op != HD_OP_VEC)
      return false;
   const unsigned bytes = alu->src[0].def->bit_size / 8;
   for (unsigned n = 0; n < vec->instr.num_srcs; n++) {
      unsigned at;
      const hd_mach_operand dword = dword_of_part(s, vec->src[n].def, &at);
      const unsigned which = !from[0].size || is_same(from[0], dword) ? 0 : 1;
      if (from[which].size && !is_same(from[which], dword))
         return false;
      from[which] = dword;
      for (unsigned k = 0; k < bytes; k++)
         order |= (4 * which + at + k) << 8 * (n * bytes + k);
   }
   const hd_mach_operand high = from[1].size ? from[1] : from[0];
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit3(s, HD_GCN_V_PERM_B32, d, high, from[0], hd_gcn_constant_in(s, HD_GCN_SGPR, order));
   set_dword(s, alu, d);
   return true;
}

/* A byte or a half of a dword with its sign. */
static bool
fold_signed_part(hd_gcn_selector *s, const hd_alu *alu)
{
   const unsigned bits = alu->src[0].def->bit_size;

   if (alu->instr.def.bit_size != 32)
      return false;
   const hd_mach_inst *inst = hd_gcn_maker_of(s, hd_gcn_value(s, alu->src[0].def));
   const uint32_t by = shifted_by(inst);
   if (!by || by + bits > 32)
      return false;
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1), x = *hd_mach_src(inst, 1);
   if (by + bits == 32)
      hd_gcn_emit2(s, HD_GCN_V_ASHRREV_I32, d, hd_gcn_imm(s, by), x);
   else
      hd_gcn_emit3(s, HD_GCN_V_BFE_I32, d, x, hd_gcn_imm(s, by), hd_gcn_imm(s, bits));
   hd_gcn_set_value(s, &alu->instr.def, d);
   return true;
}

bool
hd_gcn_fold_pair(hd_gcn_selector *s, const hd_alu *alu)
{
   const hd_def *def = &alu->instr.def;
   const bool pack = alu->instr.op == HD_OP_PACK_32_4X8 || alu->instr.op == HD_OP_PACK_32_2X16;

   if (s->known[def->index].scalar && !(pack && s->known[def->index].read_back))
      return false;
   switch (alu->instr.op) {
   case HD_OP_IADD:
      if (def->bit_size == 64)
         return fold_index(s, alu) || fold_product_sum(s, alu);
      return def->bit_size == 32 && (fold_count(s, alu) || hd_gcn_fold_sum(s, alu));
   case HD_OP_ISUB:
      return def->bit_size == 32 && fold_count(s, alu);
   case HD_OP_IADD3:
      return def->bit_size == 32 && (fold_count(s, alu) || hd_gcn_fold_sum(s, alu));
   case HD_OP_ISHL:
   case HD_OP_IADD_SHL:
   case HD_OP_ISHL_ADD:
      return def->bit_size == 32 && hd_gcn_fold_sum(s, alu);
   case HD_OP_IMUL:
      return def->bit_size == 32 &&
             (fold_product(s, alu) || fold_halves(s, alu) || fold_small_product(s, alu));
   case HD_OP_UMULHI:
   case HD_OP_IMULHI:
      return s->known[def->index].whole.size; /* with the lower half */
   case HD_OP_I2I:
      return fold_signed_part(s, alu);
   case HD_OP_PACK_32_4X8:
   case HD_OP_PACK_32_2X16:
      return fold_pack(s, alu);
   case HD_OP_FADD:
   case HD_OP_FSUB:
   case HD_OP_FSIGN:
   case HD_OP_FFMA:
      return def->bit_size == 32 && def->num_components == 1 && hd_gcn_fold_float(s, alu);
   case HD_OP_IAND:
   case HD_OP_IOR:
      return def->bit_size == 1 && fold_logic(s, alu);
   default:
      return false;
   }
}

bool
hd_gcn_fold_test(hd_gcn_selector *s, const hd_alu *alu)
{
   const bool set = alu->instr.op == HD_OP_INE;

   if ((!set && alu->instr.op != HD_OP_IEQ) || alu->src[0].def->bit_size != 32)
      return false;
   for (unsigned n = 0; n < 2; n++) {
      const hd_const *zero = hd_src_as_const(&alu->src[!n]);
      const hd_alu *bits = hd_instr_as_alu(hd_def_instr(alu->src[n].def));
      if (!zero || zero->value[0].u32 || !bits || bits->instr.op != HD_OP_IAND)
         continue;
      for (unsigned k = 0; k < 2; k++) {
         const hd_const *bit = hd_src_as_const(&bits->src[k]);
         const hd_def *value = bits->src[!k].def;
         if (!bit || !has_one_bit(bit->value[0].u32) || !hd_gcn_is_scalar(s, value))
            continue;
         hd_gcn_emit2(s, set ? HD_GCN_S_BITCMP1_B32 : HD_GCN_S_BITCMP0_B32, (hd_mach_operand){ 0 },
                      hd_gcn_in_sgprs(s, value),
                      hd_gcn_imm(s, (uint32_t)find_lsb(bit->value[0].u32)));
         return true;
      }
   }
   return false;
}
