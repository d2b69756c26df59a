/* SPDX-License-Identifier: MIT */
/* packed.c - instruction selection of ops on two components of 16 bits: packed instructions (gfx9).
 *
 *    %3:16x2 = ffma (vec %a.y, %a.y), %b, (fneg %c)   =>   v_pk_fma_f16 v3, v0, v1, v2
 *                                                             op_sel:[1,0,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
 *
 * The vector is one dword. An operand is a dword too, of which each half of the instruction reads either
 * half, negated or not: so vectors of two halves of one dword need no instruction of their own. Others are
 * packed by one. What is known of a vector with more components is where its dwords are: registers of even
 * components have the next one above (hd_gcn_known.packed), as loads leave them.
 *
 * Integers and bits have no signs. Those of the dword as a whole, as `and`, are the ordinary instructions.
 *
 * Tests: tests/backend/gcn/packed.hd, tests/backend/gcn/packed_ints.hd, tests/backend/gcn/test_programs.c
 */
#include "backend/gcn/select/alu.h"
#include "heddle/op_enum.h"

/* An operand of a packed instruction: bit 0 is of its lower half, bit 1 of its upper half. */
typedef struct packed_operand {
   hd_mach_operand dword;
   unsigned halves; /* which half of the dword is read */
   unsigned signs;  /* whether it is negated */
} packed_operand;

#define STRAIGHT 2u

/* How an op of pairs is selected. */
typedef struct packed_row {
   uint16_t op;
   hd_gcn_op inst;
   uint8_t bits;    /* HD_GCN_CLAMP */
   bool is_integer; /* operands have no signs to be changed */
   bool is_dword;   /* the instruction knows nothing of halves */
   bool reversed;   /* its operands are in the other order */
} packed_row;

static const packed_row packed_rows[] = {
   { HD_OP_FADD, HD_GCN_V_PK_ADD_F16, 0, false, false, false },
   { HD_OP_FSUB, HD_GCN_V_PK_ADD_F16, 0, false, false, false },
   { HD_OP_FMUL, HD_GCN_V_PK_MUL_F16, 0, false, false, false },
   { HD_OP_FSAT, HD_GCN_V_PK_MUL_F16, HD_GCN_CLAMP, false, false, false },
   { HD_OP_FFMA, HD_GCN_V_PK_FMA_F16, 0, false, false, false },
   { HD_OP_FMIN, HD_GCN_V_PK_MIN_F16, 0, false, false, false },
   { HD_OP_FMAX, HD_GCN_V_PK_MAX_F16, 0, false, false, false },
   { HD_OP_FNEG, HD_GCN_V_XOR_B32, 0, false, true, false },
   { HD_OP_SELECT, HD_GCN_V_CNDMASK_B32, 0, false, true, false },
   { HD_OP_IADD, HD_GCN_V_PK_ADD_U16, 0, true, false, false },
   { HD_OP_ISUB, HD_GCN_V_PK_SUB_U16, 0, true, false, false },
   { HD_OP_INEG, HD_GCN_V_PK_SUB_U16, 0, true, false, true },
   { HD_OP_IMUL, HD_GCN_V_PK_MUL_LO_U16, 0, true, false, false },
   { HD_OP_ISHL, HD_GCN_V_PK_LSHLREV_B16, 0, true, false, true },
   { HD_OP_USHR, HD_GCN_V_PK_LSHRREV_B16, 0, true, false, true },
   { HD_OP_ISHR, HD_GCN_V_PK_ASHRREV_I16, 0, true, false, true },
   { HD_OP_UMIN, HD_GCN_V_PK_MIN_U16, 0, true, false, false },
   { HD_OP_UMAX, HD_GCN_V_PK_MAX_U16, 0, true, false, false },
   { HD_OP_IMIN, HD_GCN_V_PK_MIN_I16, 0, true, false, false },
   { HD_OP_IMAX, HD_GCN_V_PK_MAX_I16, 0, true, false, false },
   { HD_OP_UADD_SAT, HD_GCN_V_PK_ADD_U16, HD_GCN_CLAMP, true, false, false },
   { HD_OP_USUB_SAT, HD_GCN_V_PK_SUB_U16, HD_GCN_CLAMP, true, false, false },
   { HD_OP_IADD_SAT, HD_GCN_V_PK_ADD_I16, HD_GCN_CLAMP, true, false, false },
   { HD_OP_ISUB_SAT, HD_GCN_V_PK_SUB_I16, HD_GCN_CLAMP, true, false, false },
   { HD_OP_IAND, HD_GCN_V_AND_B32, 0, true, true, false },
   { HD_OP_IOR, HD_GCN_V_OR_B32, 0, true, true, false },
   { HD_OP_IXOR, HD_GCN_V_XOR_B32, 0, true, true, false },
   { HD_OP_INOT, HD_GCN_V_NOT_B32, 0, true, true, false },
};

static const packed_row *
row_of(unsigned op)
{
   for (unsigned n = 0; n < sizeof(packed_rows) / sizeof(packed_rows[0]); n++) {
      if (packed_rows[n].op == op)
         return &packed_rows[n];
   }
   return NULL;
}

bool
hd_gcn_is_packed_op(const hd_gcn_selector *s, const hd_instr *instr)
{
   return instr->kind == HD_INSTR_ALU && instr->def.num_components == 2 &&
          instr->def.bit_size == 16 && hd_gcn_target_in(s->p)->has_packed && row_of(instr->op);
}

bool
hd_gcn_is_packed_condition(const hd_gcn_selector *s, const hd_alu *alu)
{
   if (alu->instr.op != HD_OP_VEC || alu->instr.def.bit_size != 1 || alu->instr.num_srcs != 2 ||
       alu->src[0].def != alu->src[1].def)
      return false;
   hd_foreach_use(use, &alu->instr.def) {
      const hd_instr *user = hd_src_instr(use);
      if (!user || user->op != HD_OP_SELECT || !hd_gcn_is_packed_op(s, user))
         return false;
   }
   return true;
}

/* Dwords */

/* The half of a dword that a scalar is. */
static hd_mach_operand
half_of(hd_gcn_selector *s, const hd_def *def, unsigned *half)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
   const hd_const *at =
       alu && alu->instr.op == HD_OP_CHANNEL ? hd_src_as_const(&alu->src[1]) : NULL;

   *half = 0;
   if (at && at->value[0].u32 < alu->src[0].def->num_components) {
      const unsigned first = at->value[0].u32 & ~1u;
      const hd_mach_operand dword = hd_gcn_packed_dword(s, alu->src[0].def, first);
      if (dword.size) {
         *half = at->value[0].u32 & 1;
         return dword;
      }
   }
   return hd_gcn_value(s, def);
}

static bool
is_same(hd_mach_operand a, hd_mach_operand b)
{
   if (!(a.flags & b.flags & HD_MACH_OPERAND_TEMP))
      return false;
   return a.value == b.value;
}

hd_mach_operand
hd_gcn_packed_dword(hd_gcn_selector *s, const hd_def *def, unsigned first)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
   const hd_mach_operand none = { 0 };
   unsigned low, high;

   if (def->bit_size != 16 || first + 1 >= def->num_components)
      return none;
   if (s->known[def->index].packed)
      return hd_gcn_component(s, def, first);
   if (!alu || alu->instr.op != HD_OP_VEC)
      return none;
   for (unsigned n = 0; n < 2; n++) {
      const hd_instr *part = hd_def_instr(alu->src[first + n].def);
      if (part->kind != HD_INSTR_ALU || part->op != HD_OP_CHANNEL)
         return none;
   }
   const hd_mach_operand a = half_of(s, alu->src[first].def, &low),
                         b = half_of(s, alu->src[first + 1].def, &high);
   return low == 0 && high == 1 && is_same(a, b) ? a : none;
}

static bool
both_constant(const hd_def *def, uint32_t values[2])
{
   const hd_instr *instr = hd_def_instr(def);
   const hd_alu *alu = hd_instr_as_alu(instr);
   const hd_const *c = hd_instr_as_const(instr);

   for (unsigned n = 0; n < 2; n++) {
      const hd_const *part = c;
      if (!c && alu && alu->instr.op == HD_OP_VEC)
         part = hd_src_as_const(&alu->src[n]);
      if (!part)
         return false;
      const hd_const_value *value = &part->value[c ? n : 0];
      values[n] = part->instr.def.bit_size == 32 ? value->u32 & 0xffff : value->u16;
   }
   return true;
}

hd_mach_operand
hd_gcn_packed_value(hd_gcn_selector *s, const hd_def *def)
{
   const hd_mach_operand dword = hd_gcn_packed_dword(s, def, 0);
   uint32_t values[2];

   if (dword.size)
      return dword;
   if (both_constant(def, values))
      return hd_gcn_imm(s, values[0] | values[1] << 16);
   hd_gcn_known *k = &s->known[def->index];
   if (!k->halves[0].size || k->halves_tag != s->block->index + 1) {
      const hd_mach_operand low = hd_gcn_component(s, def, 0), high = hd_gcn_component(s, def, 1);
      k->halves[0] = hd_gcn_pack(s, low, high, 16);
      k->halves_tag = s->block->index + 1;
   }
   return k->halves[0];
}

/* Operands */

/* A scalar without the negations around it. */
static const hd_def *
without_signs(const hd_def *def, unsigned bit, unsigned *signs)
{
   unsigned mods;
   const hd_def *inside = hd_gcn_look_through_signs(def, &mods);

   if (mods & HD_GCN_OPERAND_ABS)
      return def;
   *signs ^= mods & HD_GCN_OPERAND_NEG ? bit : 0;
   return inside;
}

static packed_operand
operand_of(hd_gcn_selector *s, const hd_def *def)
{
   packed_operand o = { .halves = STRAIGHT };
   const hd_alu *alu;
   uint32_t values[2];

   while ((alu = hd_instr_as_alu(hd_def_instr(def))) && alu->instr.op == HD_OP_FNEG) {
      o.signs ^= 3;
      def = alu->src[0].def;
   }
   if (both_constant(def, values)) {
      if (values[0] != values[1]) {
         o.dword = hd_gcn_constant_in(s, HD_GCN_SGPR, values[0] | values[1] << 16);
      } else {
         o.dword = hd_gcn_imm(s, values[0]);
         o.halves = 0;
      }
      return o;
   }
   if (alu && alu->instr.op == HD_OP_VEC) {
      unsigned signs = o.signs, low, high;
      const hd_def *x = without_signs(alu->src[0].def, 1, &signs),
                   *y = without_signs(alu->src[1].def, 2, &signs);
      const hd_mach_operand a = half_of(s, x, &low), b = half_of(s, y, &high);
      if (x == y || is_same(a, b))
         return (packed_operand){ a, low | high << 1, signs };
   }
   o.dword = hd_gcn_packed_value(s, def);
   return o;
}

/* The scalar of 16 bits that a count extends, or the scalar itself. */
static const hd_def *
without_extension(const hd_def *def)
{
   const hd_instr *i = hd_def_instr(def);
   const bool extends = i->kind == HD_INSTR_ALU && (i->op == HD_OP_U2U || i->op == HD_OP_I2I) &&
                        def->bit_size == 32 && hd_instr_src(i, 0)->def->bit_size == 16;

   return extends ? hd_instr_src(i, 0)->def : def;
}

/* Of integers: an inline constant is read by both halves. Counts have 32 bits, of which the lower half is
 * enough.
 */
static packed_operand
integers_of(hd_gcn_selector *s, const hd_def *def)
{
   packed_operand o = { .halves = STRAIGHT };
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
   uint32_t values[2];

   if (both_constant(def, values)) {
      if (values[0] == values[1] && values[0] <= 64)
         return (packed_operand){ .dword = hd_gcn_imm(s, values[0]) };
      o.dword = hd_gcn_constant_in(s, HD_GCN_SGPR, values[0] | values[1] << 16);
      return o;
   }
   if (alu && alu->instr.op == HD_OP_VEC) {
      unsigned low, high;
      const hd_mach_operand a = half_of(s, without_extension(alu->src[0].def), &low),
                            b = half_of(s, without_extension(alu->src[1].def), &high);
      if (alu->src[0].def == alu->src[1].def || is_same(a, b))
         return (packed_operand){ .dword = a, .halves = low | high << 1 };
   }
   o.dword = hd_gcn_packed_value(s, def);
   return o;
}

/* Instructions */

static hd_mach_operand
emit_packed(hd_gcn_selector *s, hd_gcn_op op, unsigned num, const packed_operand *operands,
            unsigned bits)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_mach_operand srcs[3];
   unsigned sel = 0, sel_hi = 0;

   for (unsigned n = 0; n < num; n++) {
      srcs[n] = operands[n].dword;
      srcs[n].flags |= (uint8_t)((operands[n].signs & 1 ? HD_GCN_OPERAND_NEG : 0) |
                                 (operands[n].signs & 2 ? HD_GCN_OPERAND_ABS : 0));
      sel |= (operands[n].halves & 1) << n;
      sel_hi |= (operands[n].halves >> 1 & 1) << n;
   }
   hd_mach_inst *inst = hd_gcn_emit_full(s, op, 1, &d, num, srcs, bits);
   inst->mods.bytes[HD_GCN_MOD_OP_SEL] = (uint8_t)sel;
   inst->mods.bytes[HD_GCN_MOD_OP_SEL_HI] = (uint8_t)sel_hi;
   return d;
}

/* By the first component of the condition, which all components are. */
static hd_mach_operand
select_dword(hd_gcn_selector *s, const hd_alu *alu)
{
   const hd_alu *vec = hd_instr_as_alu(hd_def_instr(alu->src[0].def));
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   const hd_mach_operand mask = hd_gcn_as_mask(s, vec->src[0].def),
                         yes = hd_gcn_packed_value(s, alu->src[1].def),
                         no = hd_gcn_packed_value(s, alu->src[2].def);

   hd_gcn_emit3(s, HD_GCN_V_CNDMASK_B32, d, no, yes, mask);
   return d;
}

static bool
has_one_condition(const hd_alu *alu)
{
   const hd_alu *vec = hd_instr_as_alu(hd_def_instr(alu->src[0].def));

   return vec && vec->instr.op == HD_OP_VEC && vec->src[0].def == vec->src[1].def;
}

/* Whole dwords: each half at its place. */
static hd_mach_operand
select_halves_in_place(hd_gcn_selector *s, const hd_alu *alu, hd_gcn_op op)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1),
                         a = hd_gcn_packed_value(s, alu->src[0].def);

   if (alu->instr.op == HD_OP_INOT) {
      hd_gcn_emit1(s, op, d, a);
   } else {
      const hd_mach_operand b = alu->instr.op == HD_OP_FNEG
                                    ? hd_gcn_imm(s, 0x80008000)
                                    : hd_gcn_packed_value(s, alu->src[1].def);
      hd_gcn_emit2(s, op, d, b, a);
   }
   return d;
}

static hd_mach_operand
select_arithmetic(hd_gcn_selector *s, const hd_alu *alu, const packed_row *row)
{
   packed_operand operands[3];
   unsigned num = alu->instr.num_srcs;

   for (unsigned n = 0; n < num; n++)
      operands[n] =
          row->is_integer ? integers_of(s, alu->src[n].def) : operand_of(s, alu->src[n].def);
   if (alu->instr.op == HD_OP_FSUB)
      operands[1].signs ^= 3;
   if (alu->instr.op == HD_OP_FSAT)
      operands[num++] = (packed_operand){ .dword = hd_gcn_imm(s, 0x3c00) };
   if (alu->instr.op == HD_OP_INEG)
      operands[num++] = (packed_operand){ .dword = hd_gcn_imm(s, 0) };
   if (row->reversed) {
      const packed_operand first = operands[0];
      operands[0] = operands[1];
      operands[1] = first;
   }
   return emit_packed(s, row->inst, num, operands, row->bits);
}

bool
hd_gcn_select_packed(hd_gcn_selector *s, const hd_alu *alu)
{
   const packed_row *row = row_of(alu->instr.op);
   hd_mach_operand d;

   if (alu->instr.op == HD_OP_SELECT) {
      if (!has_one_condition(alu))
         return hd_mach_refuse(s->p, &alu->instr, "a choice of each component: run lower_vectors");
      d = select_dword(s, alu);
   } else {
      d = row->is_dword ? select_halves_in_place(s, alu, row->inst)
                        : select_arithmetic(s, alu, row);
   }
   hd_gcn_set_packed(s, &alu->instr.def, d);
   return true;
}
