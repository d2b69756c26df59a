/* SPDX-License-Identifier: MIT */
/* shrink.c - shrink instructions to shorter encodings after register allocation.
 *
 *    v_add_f32_e64 v1, v2, v3            =>   v_add_f32_e32 v1, v2, v3
 *    v_sub_f32_e64 v1, v2, s4            =>   v_subrev_f32_e32 v1, s4, v2
 *    v_cmp_lt_f32_e64 vcc, v1, v2        =>   v_cmp_lt_f32_e32 vcc, v1, v2
 *    v_mad_f32 v1, v2, v3, v1            =>   v_mac_f32_e32 v1, v2, v3
 *    s_mov_b32 s1, 0x1234                =>   s_movk_i32 s1, 0x1234
 *    s_mov_b32 s1, 0x80000000            =>   s_brev_b32 s1, 1
 *    s_add_i32 s1, s1, 0x1234            =>   s_addk_i32 s1, 0x1234
 *    s_cmp_lt_i32 s1, 0x1234             =>   s_cmpk_lt_i32 s1, 0x1234
 *    s_or_b32 s1, s1, 0x10000            =>   s_bitset1_b32 s1, 16
 *    v_addc_co_u32_e64 v1, s[4:5], v2, v3, vcc   (nothing reads s[4:5])
 *                                        =>   v_addc_co_u32_e32 v1, vcc, v2, v3, vcc
 *    v_mov_b32 v1, v1                    =>
 *    s_mov_b32 s4, 0x64; v_mov_b32 v1, s4
 *                                        =>   v_mov_b32 v1, 0x64 (literals.c)
 *
 * A backward walk over each block gives the liveness of scc (some short forms write another scc, or
 * none; it is dead at the end of a block), of vcc and of carries.
 *
 * Requires:  registers; no pseudo ops but p_start.
 * Tests:     tests/backend/gcn/test_shrink.c
 */
#include "backend/gcn/literals.h"

struct shrinker {
   hd_mach_program *p;
   hd_gcn_gen gen;
   hd_mach_block *block;
   bool scc_live; /* after the instruction */
   hd_mach_scalars live;
   hd_gcn_literals literals;
};

static bool
same_register(const hd_mach_operand *a, const hd_mach_operand *b)
{
   return a->size && a->reg == b->reg && a->size == b->size;
}

static bool
has_modifier(const hd_mach_operand *operand)
{
   return operand->flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS | HD_GCN_OPERAND_SEXT);
}

static bool
is_plain(const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (has_modifier(hd_mach_src(inst, n)))
         return false;
   }
   return !(inst->bits & (HD_GCN_CLAMP | HD_GCN_OMOD_MASK)) && !inst->mods.bytes[HD_GCN_MOD_OP_SEL];
}

/* Vector instructions -------------------------------------------------------------------------- */

static void
swap_sources(hd_mach_inst *inst)
{
   const hd_mach_operand first = *hd_mach_src(inst, 0);

   *hd_mach_src(inst, 0) = *hd_mach_src(inst, 1);
   *hd_mach_src(inst, 1) = first;
}

/* In the 32-bit form, as it stands or with the first two sources swapped. False: unchanged. */
static bool
to_base(const struct shrinker *s, hd_mach_inst *inst)
{
   const uint16_t op = inst->op;
   const int swapped = hd_gcn_swapped(s->gen, (hd_gcn_op)op);

   if (!is_plain(inst))
      return false;
   if (hd_gcn_fits(s->gen, inst, HD_GCN_FORM_BASE, NULL)) {
      inst->form = HD_GCN_FORM_BASE;
      return true;
   }
   if (inst->num_srcs < 2 || swapped < 0)
      return false;
   inst->op = (uint16_t)swapped;
   swap_sources(inst);
   if (hd_gcn_op_infos[inst->op].opcode[s->gen] >= 0 &&
       hd_gcn_fits(s->gen, inst, HD_GCN_FORM_BASE, NULL)) {
      inst->form = HD_GCN_FORM_BASE;
      return true;
   }
   swap_sources(inst);
   inst->op = op;
   return false;
}

static bool
is_dead(const struct shrinker *s, unsigned reg)
{
   return !hd_mach_scalar_is_live(&s->live, reg) && !hd_mach_scalar_is_live(&s->live, reg + 1);
}

/* A carry, or the mask of a v_cmpx, that nothing reads may as well go to vcc, when nothing reads
 * that.
 */
static bool
with_carry_in_vcc(const struct shrinker *s, hd_mach_inst *inst)
{
   const hd_mach_operand_info *info = hd_gcn_op_info_of(inst)->mach.operands;

   for (unsigned n = 0; n < inst->num_defs; n++) {
      hd_mach_operand *carry = hd_mach_def(inst, n);
      const hd_mach_operand before = *carry;
      if (info[n].fixed != HD_GCN_VCC || carry->reg >= 128 || !is_dead(s, carry->reg) ||
          !is_dead(s, HD_GCN_VCC))
         continue;
      carry->reg = HD_GCN_VCC;
      if (to_base(s, inst))
         return true;
      *carry = before;
   }
   return false;
}

/* a * b + c where c is overwritten. */
static bool
to_mac(const struct shrinker *s, hd_mach_inst *inst)
{
   const uint16_t op = inst->op;
   const uint8_t form = inst->form;

   if (!same_register(hd_mach_def(inst, 0), hd_mach_src(inst, 2)) || !is_plain(inst))
      return false;
   inst->op = op == HD_GCN_V_MAD_F32 ? HD_GCN_V_MAC_F32 : HD_GCN_V_MAC_F16;
   if (to_base(s, inst))
      return true;
   inst->op = op;
   inst->form = form;
   return false;
}

static bool
is_inline(hd_mach_operand operand)
{
   return operand.size && operand.reg != HD_GCN_LITERAL;
}

static uint32_t
reverse_bits(uint32_t value)
{
   uint32_t result = 0;

   for (unsigned n = 0; n < 32; n++)
      result |= (value >> n & 1) << (31 - n);
   return result;
}

/* A literal that is an inline constant once its bits are reversed or inverted. */
static void
shrink_vector_move(const struct shrinker *s, hd_mach_inst *inst)
{
   const uint32_t value = hd_mach_src(inst, 0)->value;
   const hd_mach_operand turned = hd_gcn_operand_const(s->gen, HD_GCN_B32, reverse_bits(value));
   const hd_mach_operand inverted = hd_gcn_operand_const(s->gen, HD_GCN_B32, ~value);

   if (inst->form != HD_GCN_FORM_BASE || hd_mach_src(inst, 0)->reg != HD_GCN_LITERAL)
      return;
   if (is_inline(turned)) {
      inst->op = HD_GCN_V_BFREV_B32;
      *hd_mach_src(inst, 0) = turned;
   } else if (is_inline(inverted)) {
      inst->op = HD_GCN_V_NOT_B32;
      *hd_mach_src(inst, 0) = inverted;
   }
}

/* Scalar instructions -------------------------------------------------------------------------- */

static bool
is_literal(const hd_mach_operand *operand)
{
   return operand->reg == HD_GCN_LITERAL && operand->size;
}

static bool
fits_signed(uint32_t value)
{
   return value + 0x8000u < 0x10000u;
}

/* One run of ones: its length and its place. */
static bool
is_field(uint64_t value, unsigned *length, unsigned *place)
{
   if (!value)
      return false;
   for (*place = 0; !(value >> *place & 1);)
      ++*place;
   value >>= *place;
   if (value & (value + 1))
      return false;
   for (*length = 0; *length < 64 && value >> *length & 1;)
      ++*length;
   return true;
}

/* An instruction in place of `inst` with other operands. */
static hd_mach_inst *
replace(struct shrinker *s, hd_mach_inst *inst, hd_gcn_op op, unsigned num_defs, unsigned num_srcs)
{
   hd_mach_inst *with = hd_gcn_inst_create(s->p, op, num_defs, num_srcs);

   with->loc = inst->loc;
   if (num_defs && inst->num_defs)
      *hd_mach_def(with, 0) = *hd_mach_def(inst, 0);
   hd_mach_inst_insert_before(s->block, with, inst);
   if (s->block->tail == inst)
      s->block->tail = with;
   hd_mach_inst_remove(s->block, inst);
   return with;
}

static hd_mach_inst *
shrink_scalar_move(struct shrinker *s, hd_mach_inst *inst)
{
   const uint32_t value = hd_mach_src(inst, 0)->value;
   const hd_mach_operand turned = hd_gcn_operand_const(s->gen, HD_GCN_B32, reverse_bits(value));
   unsigned length, place;

   if (!is_literal(hd_mach_src(inst, 0)))
      return inst;
   if (fits_signed(value)) {
      inst = replace(s, inst, HD_GCN_S_MOVK_I32, 1, 0);
      inst->imm = (int32_t)value;
   } else if (is_inline(turned)) {
      inst->op = HD_GCN_S_BREV_B32;
      *hd_mach_src(inst, 0) = turned;
   } else if (is_field(value, &length, &place)) {
      inst = replace(s, inst, HD_GCN_S_BFM_B32, 1, 2);
      *hd_mach_src(inst, 0) = hd_gcn_operand_const(s->gen, HD_GCN_U32, length);
      *hd_mach_src(inst, 1) = hd_gcn_operand_const(s->gen, HD_GCN_U32, place);
   }
   return inst;
}

static hd_mach_inst *
shrink_scalar_move64(struct shrinker *s, hd_mach_inst *inst)
{
   unsigned length, place;
   uint64_t value;

   if (!is_literal(hd_mach_src(inst, 0)) ||
       !hd_gcn_operand_value(*hd_mach_src(inst, 0), HD_GCN_B64, &value) ||
       !is_field(value, &length, &place) || length == 64)
      return inst;
   inst = replace(s, inst, HD_GCN_S_BFM_B64, 1, 2);
   *hd_mach_src(inst, 0) = hd_gcn_operand_const(s->gen, HD_GCN_U32, length);
   *hd_mach_src(inst, 1) = hd_gcn_operand_const(s->gen, HD_GCN_U32, place);
   return inst;
}

/* d = d op literal. `literal` gets the number of the source that is one. */
static bool
changes_in_place(const hd_mach_inst *inst, bool commutes, unsigned *literal)
{
   const hd_mach_operand *def = hd_mach_def(inst, 0);

   *literal = 1;
   if (is_literal(hd_mach_src(inst, 1)))
      return same_register(def, hd_mach_src(inst, 0));
   *literal = 0;
   return commutes && is_literal(hd_mach_src(inst, 0)) && same_register(def, hd_mach_src(inst, 1));
}

static hd_mach_inst *
to_sopk(struct shrinker *s, hd_mach_inst *inst, hd_gcn_op op, uint32_t value)
{
   const hd_mach_operand d = *hd_mach_def(inst, 0);

   inst = replace(s, inst, op, op == HD_GCN_S_MULK_I32 ? 1 : 2, 1);
   *hd_mach_src(inst, 0) = d;
   inst->imm = (int32_t)value;
   return inst;
}

static hd_mach_inst *
to_bitset(struct shrinker *s, hd_mach_inst *inst, hd_gcn_op op, uint32_t bit)
{
   const hd_mach_operand d = *hd_mach_def(inst, 0);
   unsigned length, place;

   if (s->scc_live || !is_field(bit, &length, &place) || length != 1)
      return inst;
   inst = replace(s, inst, op, 1, 2);
   *hd_mach_src(inst, 0) = hd_gcn_operand_const(s->gen, HD_GCN_U32, place);
   *hd_mach_src(inst, 1) = d;
   return inst;
}

static hd_mach_inst *
shrink_scalar_sum(struct shrinker *s, hd_mach_inst *inst)
{
   const bool commutes = hd_gcn_op_info_of(inst)->mach.flags & HD_MACH_COMMUTES;
   unsigned literal;

   if (!changes_in_place(inst, commutes, &literal))
      return inst;
   const uint32_t value = hd_mach_src(inst, literal)->value;
   switch ((hd_gcn_op)inst->op) {
   case HD_GCN_S_ADD_I32:
      return fits_signed(value) ? to_sopk(s, inst, HD_GCN_S_ADDK_I32, value) : inst;
   case HD_GCN_S_ADD_U32: /* scc: a carry there, an overflow here */
      return fits_signed(value) && !s->scc_live ? to_sopk(s, inst, HD_GCN_S_ADDK_I32, value) : inst;
   case HD_GCN_S_SUB_I32:
   case HD_GCN_S_SUB_U32:
      return fits_signed(-value) && !s->scc_live ? to_sopk(s, inst, HD_GCN_S_ADDK_I32, -value)
                                                 : inst;
   case HD_GCN_S_MUL_I32:
      return fits_signed(value) ? to_sopk(s, inst, HD_GCN_S_MULK_I32, value) : inst;
   case HD_GCN_S_AND_B32:
      return to_bitset(s, inst, HD_GCN_S_BITSET0_B32, ~value);
   default:
      return to_bitset(s, inst, HD_GCN_S_BITSET1_B32, value);
   }
}

/* Both have a form with 16 bits, in the same order. */
#define FIRST_COMPARE HD_GCN_S_CMP_EQ_I32
#define FIRST_SHORT   HD_GCN_S_CMPK_EQ_I32
#define NUM_COMPARES  (HD_GCN_S_CMP_LE_U32 + 1 - FIRST_COMPARE)
#define TO_UNSIGNED   (NUM_COMPARES / 2)

_Static_assert(HD_GCN_S_CMPK_LE_U32 + 1 - FIRST_SHORT == NUM_COMPARES, "a short form for each");

/* Whether two numbers are the same does not hang on their signs. */
static hd_mach_inst *
shrink_compare(struct shrinker *s, hd_mach_inst *inst)
{
   if (is_literal(hd_mach_src(inst, 0))) {
      inst->op = (uint16_t)hd_gcn_swapped(s->gen, (hd_gcn_op)inst->op);
      swap_sources(inst);
   }
   const hd_mach_operand a = *hd_mach_src(inst, 0), b = *hd_mach_src(inst, 1);
   const unsigned number = inst->op - FIRST_COMPARE, relation = number % TO_UNSIGNED;
   const bool any_sign = relation < HD_GCN_S_CMP_GT_I32 - FIRST_COMPARE;
   if (!is_literal(&b) || a.reg >= HD_GCN_CONST_0)
      return inst;
   const bool as_signed = (any_sign || number < TO_UNSIGNED) && fits_signed(b.value);
   if (!as_signed && ((!any_sign && number < TO_UNSIGNED) || b.value > 0xffff))
      return inst;
   inst =
       replace(s, inst, (hd_gcn_op)(FIRST_SHORT + relation + (as_signed ? 0 : TO_UNSIGNED)), 1, 1);
   *hd_mach_def(inst, 0) = hd_mach_operand_reg(HD_GCN_SCC, 1);
   *hd_mach_src(inst, 0) = a;
   inst->imm = (int32_t)b.value;
   return inst;
}

/* All of them ---------------------------------------------------------------------------------- */

static bool
moves_to_itself(const hd_mach_inst *inst)
{
   const hd_gcn_op op = (hd_gcn_op)inst->op;

   if (op != HD_GCN_V_MOV_B32 && op != HD_GCN_S_MOV_B32 && op != HD_GCN_S_MOV_B64)
      return false;
   return (inst->form == HD_GCN_FORM_BASE || inst->form == HD_GCN_FORM_VOP3) && is_plain(inst) &&
          same_register(hd_mach_def(inst, 0), hd_mach_src(inst, 0));
}

static hd_mach_inst *
shrink_scalar(struct shrinker *s, hd_mach_inst *inst)
{
   switch ((hd_gcn_op)inst->op) {
   case HD_GCN_S_MOV_B32:
      return shrink_scalar_move(s, inst);
   case HD_GCN_S_MOV_B64:
      return shrink_scalar_move64(s, inst);
   case HD_GCN_S_ADD_I32:
   case HD_GCN_S_ADD_U32:
   case HD_GCN_S_SUB_I32:
   case HD_GCN_S_SUB_U32:
   case HD_GCN_S_MUL_I32:
   case HD_GCN_S_AND_B32:
   case HD_GCN_S_OR_B32:
      return shrink_scalar_sum(s, inst);
   default:
      return inst->op - FIRST_COMPARE + 0u < NUM_COMPARES ? shrink_compare(s, inst) : inst;
   }
}

static void
shrink_vector(const struct shrinker *s, hd_mach_inst *inst)
{
   const hd_gcn_format format = (hd_gcn_format)hd_gcn_op_info_of(inst)->format;

   if (inst->op == HD_GCN_V_MAD_F32 || inst->op == HD_GCN_V_MAD_F16)
      to_mac(s, inst);
   else if (inst->form == HD_GCN_FORM_VOP3 &&
            (format == HD_GCN_VOP1 || format == HD_GCN_VOP2 || format == HD_GCN_VOPC) &&
            !to_base(s, inst) && format != HD_GCN_VOP1)
      with_carry_in_vcc(s, inst);
   if (inst->op == HD_GCN_V_MOV_B32)
      shrink_vector_move(s, inst);
}

static void
follow_scalars(struct shrinker *s, hd_mach_inst *inst)
{
   hd_mach_live_scalars_before(s->p->mach, &s->live, inst);
   hd_gcn_literals_before(&s->literals, inst);
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (hd_mach_def(inst, n)->size && hd_mach_def(inst, n)->reg == HD_GCN_SCC)
         s->scc_live = false;
   }
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (hd_mach_src(inst, n)->size && hd_mach_src(inst, n)->reg == HD_GCN_SCC)
         s->scc_live = true;
   }
}

/* Its readers have the constant themselves. */
static bool
is_spread(struct shrinker *s, hd_mach_inst *inst)
{
   hd_mach_inst *readers[HD_GCN_LITERAL_READERS];
   unsigned num = 0;

   if (inst->op == HD_GCN_S_MOV_B32)
      num = hd_gcn_literals_hand_over(&s->literals, s->gen, inst, readers);
   for (unsigned n = 0; n < num; n++) {
      if (readers[n]->op == HD_GCN_V_MOV_B32)
         shrink_vector_move(s, readers[n]);
   }
   if (num)
      follow_scalars(s, inst);
   return num != 0;
}

bool
hd_gcn_shrink(hd_mach_program *p)
{
   struct shrinker *s = hd_stack_alloc_zero(p->stack, sizeof(*s));

   s->p = p;
   s->gen = hd_gcn_target_in(p)->gen;
   const hd_mach_scalars *ends = hd_mach_live_scalars(p);

   hd_mach_foreach_block(block, p)
   {
      s->block = block;
      s->scc_live = false;
      s->live = ends[block->index];
      hd_gcn_literals_begin(&s->literals, &s->live);
      for (hd_mach_inst *inst = block->last, *prev; inst; inst = prev) {
         prev = inst->prev;
         if (moves_to_itself(inst) || is_spread(s, inst)) {
            hd_mach_inst_remove(block, inst);
            continue;
         }
         hd_gcn_shorten_literals(s->gen, inst);
         inst = shrink_scalar(s, inst);
         shrink_vector(s, inst);
         follow_scalars(s, inst);
      }
   }
   return true;
}
