/* SPDX-License-Identifier: MIT */
/* lane_masks.c - instruction selection of ballots, votes and lane masks.
 *
 * A divergent boolean is a mask already. Its bits of inactive lanes are unspecified, so a ballot ands
 * it with exec. In the IR a lane mask has four dwords, of which 64 lanes fill two.
 */
#include "backend/gcn/select/lane_masks.h"
#include "backend/gcn/select/memory_access.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"

/* Masks as values */

/* Two dwords, then zeros. */
static void
set_mask_value(hd_gcn_selector *s, const hd_def *def, hd_mach_operand mask)
{
   hd_mach_operand parts[4];

   if (mask.reg == HD_GCN_EXEC && !(mask.flags & HD_MACH_OPERAND_TEMP)) {
      const hd_mach_operand copy = hd_gcn_new_scalar(s, 2);
      hd_gcn_emit1(s, HD_GCN_S_MOV_B64, copy, mask);
      mask = copy;
   }
   hd_gcn_parts(s, mask, 1, parts);
   parts[2] = parts[3] = hd_gcn_imm(s, 0);
   hd_gcn_set_parts(s, def, parts);
}

/* A mask operand of the shader: its two dwords. */
typedef struct mask_value {
   hd_mach_operand low, high;
   bool uniform; /* both in SGPRs */
} mask_value;

static mask_value
mask_of(hd_gcn_selector *s, const hd_src *src)
{
   const hd_mach_operand low = hd_gcn_component(s, src->def, 0);
   const hd_mach_operand high = hd_gcn_component(s, src->def, 1);
   const bool uniform =
       hd_gcn_file_of(s, low) == HD_GCN_SGPR && hd_gcn_file_of(s, high) == HD_GCN_SGPR;

   if (uniform)
      return (mask_value){ low, high, true };
   return (mask_value){ hd_gcn_to_file(s, HD_GCN_VGPR, low), hd_gcn_to_file(s, HD_GCN_VGPR, high),
                        false };
}

static hd_mach_operand
whole(hd_gcn_selector *s, mask_value m)
{
   return hd_gcn_join(s, m.uniform ? HD_GCN_SGPR : HD_GCN_VGPR, 2,
                      (hd_mach_operand[]){ m.low, m.high });
}

static void
set_bit_count(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const mask_value m = mask_of(s, &i->src[0]);
   hd_mach_operand count = m.uniform ? hd_gcn_new_scalar(s, 1) : hd_gcn_new_vector(s);

   if (m.uniform) {
      hd_gcn_emit1(s, HD_GCN_S_BCNT1_I32_B64, count, whole(s, m));
   } else {
      const hd_mach_operand half = hd_gcn_new_vector(s);
      hd_gcn_emit2(s, HD_GCN_V_BCNT_U32_B32, half, m.low, hd_gcn_imm(s, 0));
      hd_gcn_emit2(s, HD_GCN_V_BCNT_U32_B32, count, m.high, half);
   }
   hd_gcn_set_value(s, &i->instr.def, count);
}

/* Bits up to this lane: those below it, and its own, which is a carry; of a vector value those
 * below it of the mask without bit 0, a place down, and bit 0.
 */
static hd_mach_operand
count_up_to(hd_gcn_selector *s, mask_value m)
{
   if (m.uniform) {
      const hd_mach_operand defs[2] = { hd_gcn_new_vector(s), hd_gcn_new_mask(s) };
      const hd_mach_operand below = hd_gcn_count_below(s, m.low, m.high, hd_gcn_imm(s, 0));
      const hd_mach_operand srcs[3] = { hd_gcn_imm(s, 0), below, whole(s, m) };
      hd_gcn_emit_full(s, HD_GCN_V_ADDC_CO_U32, 2, defs, 3, srcs, 0);
      return defs[0];
   }
   const hd_mach_operand down = hd_gcn_shift_wide(s, false, whole(s, m), hd_gcn_imm(s, 1));
   const hd_mach_operand bit = hd_gcn_new_vector(s);
   hd_mach_operand parts[2];
   hd_gcn_emit2(s, HD_GCN_V_AND_B32, bit, hd_gcn_imm(s, 1), m.low);
   hd_gcn_parts(s, down, 1, parts);
   return hd_gcn_count_below(s, parts[0], parts[1], bit);
}

static void
set_find_lsb(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const mask_value m = mask_of(s, &i->src[0]);
   hd_mach_operand d = m.uniform ? hd_gcn_new_scalar(s, 1) : hd_gcn_new_vector(s);

   if (m.uniform) {
      hd_gcn_emit1(s, HD_GCN_S_FF1_I32_B64, d, whole(s, m));
   } else {
      /* -1 where a half has none: or-ing 32 into that changes nothing. */
      const hd_mach_operand low = hd_gcn_new_vector(s), high = hd_gcn_new_vector(s),
                            above = hd_gcn_new_vector(s);
      hd_gcn_emit1(s, HD_GCN_V_FFBL_B32, low, m.low);
      hd_gcn_emit1(s, HD_GCN_V_FFBL_B32, high, m.high);
      hd_gcn_emit2(s, HD_GCN_V_OR_B32, above, hd_gcn_imm(s, 32), high);
      hd_gcn_emit2(s, HD_GCN_V_MIN_U32, d, low, above);
   }
   hd_gcn_set_value(s, &i->instr.def, d);
}

/* The place from above p is -1 where there is none; 63 - p is p ^ 63, and then less than -1. */
static void
set_find_msb(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const mask_value m = mask_of(s, &i->src[0]);
   const hd_mach_operand none = hd_gcn_imm(s, UINT32_MAX), top = hd_gcn_imm(s, 63);
   hd_mach_operand d, place, flipped;

   if (m.uniform) {
      d = hd_gcn_new_scalar(s, 1), place = hd_gcn_new_scalar(s, 1),
      flipped = hd_gcn_new_scalar(s, 1);
      hd_gcn_emit1(s, HD_GCN_S_FLBIT_I32_B64, place, whole(s, m));
      hd_gcn_emit2(s, HD_GCN_S_XOR_B32, flipped, place, top);
      hd_gcn_emit2(s, HD_GCN_S_MAX_I32, d, flipped, none);
   } else {
      const hd_mach_operand low = hd_gcn_new_vector(s), high = hd_gcn_new_vector(s),
                            below = hd_gcn_new_vector(s);
      d = hd_gcn_new_vector(s), place = hd_gcn_new_vector(s), flipped = hd_gcn_new_vector(s);
      hd_gcn_emit1(s, HD_GCN_V_FFBH_U32, low, m.low);
      hd_gcn_emit1(s, HD_GCN_V_FFBH_U32, high, m.high);
      hd_gcn_emit2(s, HD_GCN_V_OR_B32, below, hd_gcn_imm(s, 32), low);
      hd_gcn_emit2(s, HD_GCN_V_MIN_U32, place, high, below);
      hd_gcn_emit2(s, HD_GCN_V_XOR_B32, flipped, top, place);
      hd_gcn_emit2(s, HD_GCN_V_MAX_I32, d, none, flipped);
   }
   hd_gcn_set_value(s, &i->instr.def, d);
}

/* A bit of a mask by the number of a lane; false past the last lane. */
static void
set_ballot_bit(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const mask_value m = mask_of(s, &i->src[0]);
   const hd_mach_operand lane = hd_gcn_value(s, i->src[1].def);
   hd_mach_operand parts[2];

   if (m.uniform && hd_gcn_file_of(s, lane) == HD_GCN_SGPR) {
      const hd_mach_operand least = hd_gcn_new_scalar(s, 1), below = hd_gcn_new_scalar(s, 1),
                            bit = hd_gcn_new_scalar(s, 1);
      const hd_mach_operand down = hd_gcn_new_scalar(s, 2);
      hd_gcn_emit2(s, HD_GCN_S_LSHR_B64, down, whole(s, m), lane);
      hd_gcn_parts(s, down, 1, parts);
      hd_gcn_emit2(s, HD_GCN_S_AND_B32, least, parts[0], hd_gcn_imm(s, 1));
      hd_gcn_emit2(s, HD_GCN_S_CMP_LT_U32, hd_gcn_nothing(), lane, hd_gcn_imm(s, 64));
      hd_gcn_emit2(s, HD_GCN_S_CSELECT_B32, below, hd_gcn_imm(s, 1), hd_gcn_imm(s, 0));
      hd_gcn_emit2(s, HD_GCN_S_AND_B32, bit, least, below);
      hd_gcn_set_value(s, &i->instr.def, bit);
      return;
   }
   const hd_mach_operand at = hd_gcn_to_file(s, HD_GCN_VGPR, lane), there = hd_gcn_new_mask(s);
   const hd_mach_operand both = hd_gcn_new_mask(s), is_set = hd_gcn_bit_at(s, whole(s, m), at);
   hd_gcn_emit2(s, HD_GCN_V_CMP_GT_U32, there, hd_gcn_imm(s, 64), at);
   hd_gcn_emit2(s, HD_GCN_S_AND_B64, both, is_set, there);
   hd_gcn_set_value(s, &i->instr.def, both);
}

static bool
select_mask_op(hd_gcn_selector *s, const hd_intrinsic *i)
{
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_INVERSE_BALLOT: {
      const hd_mach_operand halves[2] = {
         hd_gcn_to_file(s, HD_GCN_SGPR, hd_gcn_component(s, i->src[0].def, 0)),
         hd_gcn_to_file(s, HD_GCN_SGPR, hd_gcn_component(s, i->src[0].def, 1)),
      };
      const hd_mach_operand mask = hd_gcn_new_mask(s);
      hd_gcn_emit(s, HD_MACH_P_VECTOR, mask, 2, halves);
      hd_gcn_set_value(s, &i->instr.def, mask);
      return true;
   }
   case HD_INTRINSIC_BALLOT_BIT:
      set_ballot_bit(s, i);
      return true;
   case HD_INTRINSIC_BALLOT_BIT_COUNT:
      set_bit_count(s, i);
      return true;
   case HD_INTRINSIC_BALLOT_BIT_COUNT_INCLUSIVE:
      hd_gcn_set_value(s, &i->instr.def, count_up_to(s, mask_of(s, &i->src[0])));
      return true;
   case HD_INTRINSIC_BALLOT_BIT_COUNT_EXCLUSIVE: {
      const mask_value m = mask_of(s, &i->src[0]);
      hd_gcn_set_value(s, &i->instr.def, hd_gcn_count_below(s, m.low, m.high, hd_gcn_imm(s, 0)));
      return true;
   }
   case HD_INTRINSIC_BALLOT_FIND_LSB:
      set_find_lsb(s, i);
      return true;
   default: /* ballot_find_msb */
      set_find_msb(s, i);
      return true;
   }
}

/* Lanes around this one: shifts of one bit, or of all ones. */
static void
set_relation(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr.op;
   const bool without = id == HD_INTRINSIC_SUBGROUP_LT_MASK || id == HD_INTRINSIC_SUBGROUP_LE_MASK;
   const bool above = id == HD_INTRINSIC_SUBGROUP_GT_MASK || id == HD_INTRINSIC_SUBGROUP_LE_MASK;
   const int64_t bits = id == HD_INTRINSIC_SUBGROUP_EQ_MASK ? 1 : above ? -2 : -1;
   hd_mach_operand parts[4];

   hd_gcn_parts(s, hd_gcn_shift_wide(s, true, hd_gcn_wide_inline(s, bits), hd_gcn_lane(s)), 1,
                parts);
   for (unsigned n = 0; without && n < 2; n++) {
      const hd_mach_operand d = hd_gcn_new_vector(s);
      hd_gcn_emit1(s, HD_GCN_V_NOT_B32, d, parts[n]);
      parts[n] = d;
   }
   parts[2] = parts[3] = hd_gcn_imm(s, 0);
   hd_gcn_set_parts(s, &i->instr.def, parts);
}

/* Ballots and votes */

/* The lanes for which a condition holds, or does not; scc says whether there are any. */
static hd_mach_operand
active_with(hd_gcn_selector *s, const hd_def *condition, bool holds)
{
   const hd_instr *made;

   /* Either takes one instruction. */
   while ((made = hd_def_instr(condition))->kind == HD_INSTR_ALU && made->op == HD_OP_INOT) {
      condition = hd_instr_src(made, 0)->def;
      holds = !holds;
   }
   const hd_mach_operand mask = hd_gcn_as_mask(s, condition), d = hd_gcn_new_scalar(s, 2);
   if (holds)
      hd_gcn_emit2(s, HD_GCN_S_AND_B64, d, mask, hd_gcn_exec());
   else
      hd_gcn_emit2(s, HD_GCN_S_ANDN2_B64, d, hd_gcn_exec(), mask);
   return d;
}

static void
set_ballot(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_const *c = hd_src_as_const(&i->src[0]);

   if (c)
      set_mask_value(s, &i->instr.def, c->value[0].b ? hd_gcn_exec() : hd_gcn_wide_inline(s, 0));
   else
      set_mask_value(s, &i->instr.def, active_with(s, i->src[0].def, true));
}

/* The lowest active lane, as a number. */
static hd_mach_operand
first_lane(hd_gcn_selector *s)
{
   const hd_mach_operand d = hd_gcn_new_scalar(s, 1);

   hd_gcn_emit1(s, HD_GCN_S_FF1_I32_B64, d, hd_gcn_exec());
   return d;
}

static void
set_elect(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_mach_operand mask = hd_gcn_new_mask(s), lane = first_lane(s);

   hd_gcn_emit2(s, HD_GCN_S_LSHL_B64, mask, hd_gcn_wide_inline(s, 1), lane);
   hd_gcn_set_value(s, &i->instr.def, mask);
}

/* A part of a value as it is compared: upper bits of small ones are unspecified; gfx6 compares no
 * floats of 16 bits.
 */
static hd_mach_operand
comparable(hd_gcn_selector *s, hd_mach_operand v, unsigned bits, bool floats)
{
   const hd_mach_operand d = hd_gcn_new_vector(s);

   v = hd_gcn_to_file(s, HD_GCN_VGPR, v);
   if (bits >= 32 || (floats && hd_gcn_target_in(s->p)->has_16bit))
      return v;
   if (floats)
      hd_gcn_emit1(s, HD_GCN_V_CVT_F32_F16, d, v);
   else
      hd_gcn_emit2(s, HD_GCN_V_AND_B32, d, hd_gcn_imm(s, (1u << bits) - 1), v);
   return d;
}

static hd_gcn_op
compare_op(const hd_gcn_selector *s, unsigned bits, bool floats)
{
   if (!floats)
      return HD_GCN_V_CMP_EQ_U32;
   if (bits == 16 && hd_gcn_target_in(s->p)->has_16bit)
      return HD_GCN_V_CMP_EQ_F16;
   return bits == 64 ? HD_GCN_V_CMP_EQ_F64 : HD_GCN_V_CMP_EQ_F32;
}

/* A mask that lacks those active lanes whose value is not equal to that of the first. */
static hd_mach_operand
equal_to_first(hd_gcn_selector *s, const hd_def *value, bool floats)
{
   const hd_gcn_op op = compare_op(s, value->bit_size, floats);
   const unsigned size = value->bit_size == 64 && floats ? 2 : 1;
   const unsigned num = value->bit_size == 64 && !floats ? 2 : 1;
   hd_mach_operand all = hd_gcn_nothing();

   for (unsigned n = 0; n < value->num_components * num; n++) {
      const hd_mach_operand is_equal = hd_gcn_new_mask(s), both = hd_gcn_new_mask(s);
      hd_mach_operand parts[2];
      hd_gcn_parts(s, hd_gcn_component(s, value, n / num), size, parts);
      const hd_mach_operand x = comparable(s, parts[n % num], value->bit_size, floats);
      hd_gcn_emit2(s, op, is_equal, hd_gcn_to_file(s, HD_GCN_SGPR, x), x);
      if (n)
         hd_gcn_emit2(s, HD_GCN_S_AND_B64, both, all, is_equal);
      all = n ? both : is_equal;
   }
   return all;
}

/* All active lanes have a boolean, or none has. */
static hd_mach_operand
same_booleans(hd_gcn_selector *s, const hd_def *value)
{
   hd_mach_operand answer = hd_gcn_nothing();

   for (unsigned c = 0; c < value->num_components; c++) {
      const hd_mach_operand with = hd_gcn_new_scalar(s, 2), without = hd_gcn_new_scalar(s, 2),
                            differ = hd_gcn_new_scalar(s, 1);
      const hd_mach_operand mask = hd_gcn_mask_of(s, hd_gcn_component(s, value, c));
      hd_gcn_emit2(s, HD_GCN_S_ANDN2_B64, without, hd_gcn_exec(), mask);
      const hd_mach_operand some_without = hd_gcn_from_scc(s, false);
      hd_gcn_emit2(s, HD_GCN_S_AND_B64, with, mask, hd_gcn_exec());
      hd_gcn_emit2(s, HD_GCN_S_CSELECT_B32, differ, some_without, hd_gcn_imm(s, 0));
      if (answer.size) {
         const hd_mach_operand either = hd_gcn_new_scalar(s, 1);
         hd_gcn_emit2(s, HD_GCN_S_OR_B32, either, answer, differ);
         answer = either;
      } else {
         answer = differ;
      }
   }
   const hd_mach_operand same = hd_gcn_new_scalar(s, 1);
   hd_gcn_emit2(s, HD_GCN_S_XOR_B32, same, answer, hd_gcn_imm(s, 1));
   return same;
}

static bool
select_vote(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_def *value = i->src[0].def;
   const hd_mach_operand rest = hd_gcn_new_scalar(s, 2);

   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_VOTE_ANY:
      active_with(s, value, true);
      hd_gcn_set_value(s, &i->instr.def, hd_gcn_from_scc(s, false));
      return true;
   case HD_INTRINSIC_VOTE_ALL:
      active_with(s, value, false);
      hd_gcn_set_value(s, &i->instr.def, hd_gcn_from_scc(s, true));
      return true;
   default:
      break;
   }
   if (value->bit_size == 1) {
      hd_gcn_set_value(s, &i->instr.def, same_booleans(s, value));
      return true;
   }
   const hd_mach_operand equal = equal_to_first(s, value, i->instr.op == HD_INTRINSIC_VOTE_FEQ);
   hd_gcn_emit2(s, HD_GCN_S_ANDN2_B64, rest, hd_gcn_exec(), equal);
   hd_gcn_set_value(s, &i->instr.def, hd_gcn_from_scc(s, true));
   return true;
}

/* Which quads have a lane for which the condition holds; all: in none does it not. */
static void
set_quad_vote(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const bool any = i->instr.op == HD_INTRINSIC_QUAD_VOTE_ANY;
   const hd_mach_operand lanes = active_with(s, i->src[0].def, any), d = hd_gcn_new_mask(s);
   hd_mach_operand quads = any ? d : hd_gcn_new_scalar(s, 2);

   hd_gcn_emit1(s, HD_GCN_S_WQM_B64, quads, lanes);
   if (!any)
      hd_gcn_emit1(s, HD_GCN_S_NOT_B64, d, quads);
   hd_gcn_set_value(s, &i->instr.def, d);
}

bool
hd_gcn_select_lanes(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr.op;

   switch (id) {
   case HD_INTRINSIC_SUBGROUP_INVOCATION:
      hd_gcn_set_value(s, &i->instr.def, hd_gcn_lane(s));
      return true;
   case HD_INTRINSIC_SUBGROUP_EQ_MASK:
   case HD_INTRINSIC_SUBGROUP_LT_MASK:
   case HD_INTRINSIC_SUBGROUP_LE_MASK:
   case HD_INTRINSIC_SUBGROUP_GT_MASK:
   case HD_INTRINSIC_SUBGROUP_GE_MASK:
      set_relation(s, i);
      return true;
   case HD_INTRINSIC_BALLOT:
      set_ballot(s, i);
      return true;
   case HD_INTRINSIC_ELECT:
      set_elect(s, i);
      return true;
   case HD_INTRINSIC_VOTE_ANY:
   case HD_INTRINSIC_VOTE_ALL:
   case HD_INTRINSIC_VOTE_IEQ:
   case HD_INTRINSIC_VOTE_FEQ:
      return select_vote(s, i);
   case HD_INTRINSIC_QUAD_VOTE_ANY:
   case HD_INTRINSIC_QUAD_VOTE_ALL:
      set_quad_vote(s, i);
      return true;
   case HD_INTRINSIC_INVERSE_BALLOT:
   case HD_INTRINSIC_BALLOT_BIT:
   case HD_INTRINSIC_BALLOT_BIT_COUNT:
   case HD_INTRINSIC_BALLOT_BIT_COUNT_INCLUSIVE:
   case HD_INTRINSIC_BALLOT_BIT_COUNT_EXCLUSIVE:
   case HD_INTRINSIC_BALLOT_FIND_LSB:
   case HD_INTRINSIC_BALLOT_FIND_MSB:
      return select_mask_op(s, i);
   case HD_INTRINSIC_BUFFER_SIZE: /* a word of the descriptor, no memory as the table sees it */
      return hd_gcn_select_buffer_size(s, i);
   case HD_INTRINSIC_BARRIER:
      return hd_gcn_select_barrier(s, i);
   case HD_INTRINSIC_CLOCK:
      return hd_gcn_select_clock(s, i);
   default:
      return hd_gcn_select_move(s, i);
   }
}
