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
 * Tests: tests/backend/gcn/packed.hd, tests/backend/gcn/test_programs.c
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

static hd_gcn_op
packed_instruction(unsigned op)
{
   switch (op) {
   case HD_OP_FADD:
   case HD_OP_FSUB:
      return HD_GCN_V_PK_ADD_F16;
   case HD_OP_FMUL:
   case HD_OP_FSAT:
      return HD_GCN_V_PK_MUL_F16;
   case HD_OP_FFMA:
      return HD_GCN_V_PK_FMA_F16;
   case HD_OP_FMIN:
      return HD_GCN_V_PK_MIN_F16;
   case HD_OP_FMAX:
      return HD_GCN_V_PK_MAX_F16;
   default:
      return HD_GCN_OP_NONE;
   }
}

bool
hd_gcn_is_packed_op(const hd_gcn_selector *s, const hd_instr *instr)
{
   return instr->kind == HD_INSTR_ALU && instr->def.num_components == 2 &&
          instr->def.bit_size == 16 && hd_gcn_target_in(s->p)->has_packed &&
          (packed_instruction(instr->op) != HD_GCN_OP_NONE || instr->op == HD_OP_FNEG ||
           instr->op == HD_OP_SELECT);
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
      values[n] = part->value[c ? n : 0].u16;
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
   const hd_mach_operand low = hd_gcn_component(s, def, 0), high = hd_gcn_component(s, def, 1);
   return hd_gcn_pack(s, low, high, 16);
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

bool
hd_gcn_select_packed(hd_gcn_selector *s, const hd_alu *alu)
{
   const hd_gcn_op op = packed_instruction(alu->instr.op);
   packed_operand operands[3];
   hd_mach_operand d;

   if (alu->instr.op == HD_OP_SELECT) {
      if (!has_one_condition(alu))
         return hd_mach_refuse(s->p, &alu->instr, "a choice of each component: run lower_vectors");
      d = select_dword(s, alu);
   } else if (alu->instr.op == HD_OP_FNEG) {
      d = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit2(s, HD_GCN_V_XOR_B32, d, hd_gcn_imm(s, 0x80008000),
                   hd_gcn_packed_value(s, alu->src[0].def));
   } else {
      unsigned num = alu->instr.num_srcs, bits = 0;
      for (unsigned n = 0; n < num; n++)
         operands[n] = operand_of(s, alu->src[n].def);
      if (alu->instr.op == HD_OP_FSUB)
         operands[1].signs ^= 3;
      if (alu->instr.op == HD_OP_FSAT) {
         operands[num++] = (packed_operand){ .dword = hd_gcn_imm(s, 0x3c00) };
         bits = HD_GCN_CLAMP;
      }
      d = emit_packed(s, op, num, operands, bits);
   }
   hd_gcn_set_packed(s, &alu->instr.def, d);
   return true;
}

void
hd_gcn_set_texel(hd_gcn_selector *s, const hd_def *def, hd_mach_operand loaded)
{
   hd_mach_operand words[HD_MAX_COMPONENTS], parts[HD_MAX_COMPONENTS];

   if (def->bit_size == 32) {
      hd_gcn_set_value(s, def, loaded);
      return;
   }
   hd_gcn_parts(s, loaded, 1, words);
   for (unsigned c = 0; c < def->num_components; c++) {
      parts[c] = words[c / 2];
      if (c % 2) {
         parts[c] = hd_gcn_new(s, HD_GCN_VGPR, 1);
         hd_gcn_emit2(s, HD_GCN_V_LSHRREV_B32, parts[c], hd_gcn_imm(s, 16), words[c / 2]);
      }
   }
   hd_gcn_set_parts(s, def, parts);
}
