/* SPDX-License-Identifier: MIT */
/* alu.c - instruction selection of steps of sequences, and of ops that are one instruction. */
#include "backend/gen9/select/select.h"
#include "heddle/op_enum.h"

/* Steps of sequences. Most are one instruction on operands of one type. */
static const struct {
   uint16_t op;
   uint8_t type;
   uint8_t bits; /* the condition of a compare, the type of what is converted, a negated source */
} steps[HD_MACH_NUM_STEPS] = {
   [HD_MACH_STEP_ADD_I] = { HD_GEN9_ADD, HD_GEN9_TYPE_D, 0 },
   [HD_MACH_STEP_SUB_I] = { HD_GEN9_ADD, HD_GEN9_TYPE_D, 2 },
   [HD_MACH_STEP_MULL_I] = { HD_GEN9_MUL, HD_GEN9_TYPE_D, 0 },
   [HD_MACH_STEP_MULH_U] = { HD_GEN9_P_HIGH, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_MULH_I] = { HD_GEN9_P_HIGH, HD_GEN9_TYPE_D, 0 },
   [HD_MACH_STEP_AND] = { HD_GEN9_AND, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_OR] = { HD_GEN9_OR, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_XOR] = { HD_GEN9_XOR, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_SHL] = { HD_GEN9_SHL, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_SHR] = { HD_GEN9_SHR, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_ASHR] = { HD_GEN9_ASR, HD_GEN9_TYPE_D, 0 },
   [HD_MACH_STEP_CMPEQ_I] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_D, HD_GEN9_CONDITION_EQ },
   [HD_MACH_STEP_CMPNE_I] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_D, HD_GEN9_CONDITION_NE },
   [HD_MACH_STEP_CMPLT_I] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_D, HD_GEN9_CONDITION_LT },
   [HD_MACH_STEP_CMPGT_I] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_D, HD_GEN9_CONDITION_GT },
   [HD_MACH_STEP_CMPLE_I] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_D, HD_GEN9_CONDITION_LE },
   [HD_MACH_STEP_CMPGE_I] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_D, HD_GEN9_CONDITION_GE },
   [HD_MACH_STEP_CMPLT_U] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_UD, HD_GEN9_CONDITION_LT },
   [HD_MACH_STEP_CMPGT_U] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_UD, HD_GEN9_CONDITION_GT },
   [HD_MACH_STEP_CMPLE_U] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_UD, HD_GEN9_CONDITION_LE },
   [HD_MACH_STEP_CMPGE_U] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_UD, HD_GEN9_CONDITION_GE },
   [HD_MACH_STEP_CMPEQ_F] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_F, HD_GEN9_CONDITION_EQ },
   [HD_MACH_STEP_CMPNE_F] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_F, HD_GEN9_CONDITION_NE },
   [HD_MACH_STEP_CMPLT_F] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_F, HD_GEN9_CONDITION_LT },
   [HD_MACH_STEP_CMPGT_F] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_F, HD_GEN9_CONDITION_GT },
   [HD_MACH_STEP_CMPLE_F] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_F, HD_GEN9_CONDITION_LE },
   [HD_MACH_STEP_CMPGE_F] = { HD_GEN9_P_COMPARE, HD_GEN9_TYPE_F, HD_GEN9_CONDITION_GE },
   [HD_MACH_STEP_ADD_F] = { HD_GEN9_ADD, HD_GEN9_TYPE_F, 0 },
   [HD_MACH_STEP_SUB_F] = { HD_GEN9_ADD, HD_GEN9_TYPE_F, 2 },
   [HD_MACH_STEP_MUL_F] = { HD_GEN9_MUL, HD_GEN9_TYPE_F, 0 },
   [HD_MACH_STEP_CLZ] = { HD_GEN9_LZD, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_CTZ] = { HD_GEN9_FBL, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_FTOI] = { HD_GEN9_P_CONVERT, HD_GEN9_TYPE_D, HD_GEN9_TYPE_F },
   [HD_MACH_STEP_ITOF] = { HD_GEN9_P_CONVERT, HD_GEN9_TYPE_F, HD_GEN9_TYPE_D },
   [HD_MACH_STEP_SEXT_8] = { HD_GEN9_P_CONVERT, HD_GEN9_TYPE_D, HD_GEN9_TYPE_B },
   [HD_MACH_STEP_SEXT_16] = { HD_GEN9_P_CONVERT, HD_GEN9_TYPE_D, HD_GEN9_TYPE_W },
   [HD_MACH_STEP_RECIPROCAL] = { HD_GEN9_MATH_INV, HD_GEN9_TYPE_F, 0 },
   [HD_MACH_STEP_NOT] = { HD_GEN9_NOT, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_LOGIC_AND] = { HD_GEN9_AND, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_LOGIC_OR] = { HD_GEN9_OR, HD_GEN9_TYPE_UD, 0 },
   [HD_MACH_STEP_LOGIC_XOR] = { HD_GEN9_XOR, HD_GEN9_TYPE_UD, 0 },
};

/* a - b, by an addition of what is negated. */
static val
subtract(sel *s, unsigned type, val a, val b)
{
   const val none = { 0 }, d = hd_gen9_new(s, hd_gen9_file_of(s, a, b, none));
   const bool swap = hd_gen9_is_constant(&a) && !hd_gen9_is_constant(&b);
   const val first = hd_gen9_in_register(s, swap ? b : a);
   val second = swap ? a : b;
   unsigned bits = swap ? 1 : 2;

   if (!swap && hd_gen9_is_constant(&b)) {
      const uint32_t k = hd_gen9_constant(&b);
      second = K(type == HD_GEN9_TYPE_F ? k ^ 0x80000000 : 0u - k);
      bits = 0;
   }
   hd_gen9_append(s, HD_GEN9_ADD, type, d, first, second, none)->bits = (uint16_t)bits;
   return d;
}

val
hd_gen9_subf(sel *s, val a, val b)
{
   return subtract(s, HD_GEN9_TYPE_F, a, b);
}

static val
emit(void *user, hd_mach_step_op op, const val v[3])
{
   sel *s = user;
   const unsigned type = steps[op].type, bits = steps[op].bits;

   switch (op) {
   case HD_MACH_STEP_CHOOSE:
      return hd_gen9_choose(s, v[0], v[1], v[2]);
   case HD_MACH_STEP_SUB_I:
   case HD_MACH_STEP_SUB_F:
      return subtract(s, type, v[0], v[1]);
   default:
      break;
   }
   if (steps[op].op == HD_GEN9_P_COMPARE)
      return hd_gen9_compare(s, bits, type, v[0], v[1]);
   const val d = hd_gen9_emit(s, steps[op].op, type, v[0], v[1]);
   if (bits)
      s->block->last->bits = (uint16_t)bits;
   return d;
}

/* Ops that are one instruction, on 32 bits. `order` of the sources: those of the op. */
static const struct direct {
   uint16_t op, to;
   uint8_t type, bits; /* the condition of sel, the type of what is converted */
   uint8_t order[3];
} direct[] = {
   { HD_OP_FFMA, HD_GEN9_MAD, HD_GEN9_TYPE_F, 0, { 2, 0, 1 } },
   { HD_OP_UDIV, HD_GEN9_MATH_IQOT, HD_GEN9_TYPE_UD, 0, { 0, 1 } },
   { HD_OP_FFLOOR, HD_GEN9_RNDD, HD_GEN9_TYPE_F, 0, { 0 } },
   { HD_OP_FCEIL, HD_GEN9_RNDU, HD_GEN9_TYPE_F, 0, { 0 } },
   { HD_OP_FTRUNC, HD_GEN9_RNDZ, HD_GEN9_TYPE_F, 0, { 0 } },
   { HD_OP_FRINT, HD_GEN9_RNDE, HD_GEN9_TYPE_F, 0, { 0 } },
   { HD_OP_U2F, HD_GEN9_P_CONVERT, HD_GEN9_TYPE_F, HD_GEN9_TYPE_UD, { 0 } },
   { HD_OP_F2I, HD_GEN9_P_CONVERT, HD_GEN9_TYPE_D, HD_GEN9_TYPE_F, { 0 } },
   { HD_OP_F2U, HD_GEN9_P_CONVERT, HD_GEN9_TYPE_UD, HD_GEN9_TYPE_F, { 0 } },
   { HD_OP_BIT_COUNT, HD_GEN9_CBIT, HD_GEN9_TYPE_UD, 0, { 0 } },
   { HD_OP_BIT_REVERSE, HD_GEN9_BFREV, HD_GEN9_TYPE_UD, 0, { 0 } },
   { HD_OP_FIND_LSB, HD_GEN9_FBL, HD_GEN9_TYPE_UD, 0, { 0 } },
   { HD_OP_BITSELECT, HD_GEN9_BFI2, HD_GEN9_TYPE_UD, 0, { 0, 1, 2 } },
   { HD_OP_UBFE, HD_GEN9_BFE, HD_GEN9_TYPE_UD, 0, { 2, 1, 0 } },
   { HD_OP_IBFE, HD_GEN9_BFE, HD_GEN9_TYPE_D, 0, { 2, 1, 0 } },
   { HD_OP_UMIN, HD_GEN9_SEL, HD_GEN9_TYPE_UD, HD_GEN9_CONDITION_LT, { 0, 1 } },
   { HD_OP_UMAX, HD_GEN9_SEL, HD_GEN9_TYPE_UD, HD_GEN9_CONDITION_GE, { 0, 1 } },
   { HD_OP_IMIN, HD_GEN9_SEL, HD_GEN9_TYPE_D, HD_GEN9_CONDITION_LT, { 0, 1 } },
   { HD_OP_IMAX, HD_GEN9_SEL, HD_GEN9_TYPE_D, HD_GEN9_CONDITION_GE, { 0, 1 } },
};

/* The boolean that a number is made of, or NULL. */
static const hd_def *
boolean_of(const hd_def *number)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(number));

   return alu && alu->instr.op == HD_OP_B2I && alu->instr.def.num_components == 1 ? alu->src[0].def
                                                                                  : NULL;
}

/* A sum, whose carry may have been computed from it before. A boolean is -1: as a number it is
 * subtracted.
 */
static val
sum(sel *s, const hd_alu *alu)
{
   const hd_def *x = alu->src[0].def, *y = alu->src[1].def;
   hd_gen9_sum *known = &hd_gen9_of(s->p)->sum;

   if (known->block == s->block && known->a == x && known->b == y)
      return known->value;
   const hd_def *first = boolean_of(x), *second = boolean_of(y);
   const val a = hd_mach_part(s, second || !first ? x : y, 0);
   if (first || second)
      return subtract(s, HD_GEN9_TYPE_D, a, hd_mach_part(s, second ? second : first, 0));
   return add(s, a, hd_mach_part(s, y, 0));
}

static val
quotient(sel *s, const hd_def *x, const hd_def *y)
{
   const val none = { 0 }, a = hd_gen9_in_register(s, hd_mach_part(s, x, 0));
   const val b = hd_gen9_in_register(s, hd_mach_part(s, y, 0));
   const val d = hd_gen9_new(s, hd_gen9_file_of(s, a, b, none));

   hd_gen9_append(s, HD_GEN9_MATH_IQOT, HD_GEN9_TYPE_UD, d, a, b, none);
   return d;
}

/* Sums and remainders. */
static bool
select_arithmetic(sel *s, const hd_alu *alu)
{
   val d;

   if (alu->src[0].def->bit_size != 32 || alu->src[0].def->num_components != 1)
      return false;
   switch ((hd_op)alu->instr.op) {
   case HD_OP_IADD:
      d = sum(s, alu);
      break;
   case HD_OP_UADD_CARRY:
      d = sum(s, alu);
      hd_gen9_of(s->p)->sum = (hd_gen9_sum){ s->block, alu->src[0].def, alu->src[1].def, d };
      d = hd_gen9_compare(s, HD_GEN9_CONDITION_LT, HD_GEN9_TYPE_UD, d,
                          hd_mach_part(s, alu->src[0].def, 0));
      break;
   case HD_OP_UREM:
      /* What is left by zero is the dividend, which the instruction for it does not say. */
      d = quotient(s, alu->src[0].def, alu->src[1].def);
      d = hd_gen9_emit(s, HD_GEN9_MUL, HD_GEN9_TYPE_D, d, hd_mach_part(s, alu->src[1].def, 0));
      d = subtract(s, HD_GEN9_TYPE_D, hd_mach_part(s, alu->src[0].def, 0), d);
      break;
   default:
      return false;
   }
   hd_mach_set_part(s, &alu->instr.def, d);
   return true;
}

/* False: it is several. */
static bool
select_direct(void *user, const hd_alu *alu)
{
   sel *s = user;
   const struct direct *row = NULL;
   val v[3] = { { 0 } };

   if (select_arithmetic(s, alu))
      return true;
   for (size_t n = 0; n < sizeof(direct) / sizeof(direct[0]); n++) {
      if (direct[n].op == alu->instr.op)
         row = &direct[n];
   }
   if (!row || alu->instr.def.bit_size != 32 || alu->src[0].def->bit_size != 32)
      return false;
   const unsigned num = alu->instr.num_srcs;
   for (unsigned n = 0; n < num; n++) {
      v[n] = hd_mach_part(s, alu->src[row->order[n]].def, 0);
      if (num != 2 || n == 0 || hd_gen9_op_infos[row->to].function) /* else it can be a constant */
         v[n] = hd_gen9_in_register(s, v[n]);
   }
   const val d = hd_gen9_new(s, hd_gen9_file_of(s, v[0], v[1], v[2]));
   hd_gen9_append(s, row->to, row->type, d, v[0], v[1], v[2])->bits = row->bits;
   hd_mach_set_part(s, &alu->instr.def, d);
   return true;
}

static val
start(void *user, unsigned which)
{
   return hd_gen9_payload(user, which);
}

static val
choose(void *user, const hd_def *def, val condition, val a, val b)
{
   (void)def;
   return hd_gen9_choose(user, condition, a, b);
}

static val
is_at(void *user, val index, unsigned component)
{
   if (hd_gen9_is_constant(&index))
      return K(hd_gen9_constant(&index) == component ? UINT32_MAX : 0);
   return hd_gen9_compare(user, HD_GEN9_CONDITION_EQ, HD_GEN9_TYPE_D, index, K(component));
}

const hd_mach_part_rows hd_gen9_part_rows = {
   .steps = { .start = start, .constant = hd_gen9_imm, .emit = emit },
   .sequences = &hd_gen9_sequences,
   .true_bits = UINT32_MAX,
   .choose = choose,
   .is_at = is_at,
   .set = hd_gen9_set_parts,
   .direct = select_direct,
   .find_own = hd_gen9_find_own,
   .emit_own = hd_gen9_emit_own,
   .first_lane = hd_gen9_first_lane,
};
