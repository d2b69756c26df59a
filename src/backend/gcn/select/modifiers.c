/* SPDX-License-Identifier: MIT */
/* modifiers.c - fold negation, absolute value, saturation and scaling into source and output modifiers.
 *
 *    fadd(fneg(x), fabs(y))    =>  v_add_f32 -x, |y|
 *    fsat(fadd(x, y))          =>  v_add_f32 x, y clamp
 *    fmul(fadd(x, y), 2.0)     =>  v_add_f32 x, y mul:2
 *
 * Clamping is exact: it gives what fsat of the rounded result gives, NaN included (dx10_clamp is
 * on). So is multiplying by 2 or 4, where
 *
 *    1. the shader flushes denormals: the machine ignores it otherwise;
 *    2. numbers are rounded to nearest: to zero, the greatest number times 2 is the greatest
 *       number;
 *    3. the sign of a zero does not matter: the machine makes +0 of -0.
 *
 * Halving is not: what becomes a denormal could be rounded up to the least number that is none. It is
 * done where denormals do not matter either (HD_FLOAT_FINITE, nothing exact).
 */
#include "backend/gcn/select/alu.h"
#include "heddle/op_enum.h"

const hd_def *
hd_gcn_look_through_signs(const hd_def *def, unsigned *mods)
{
   *mods = 0;
   for (;;) {
      const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
      if (!alu || def->num_components != 1)
         return def;
      if (alu->instr.op == HD_OP_FABS)
         *mods |= HD_GCN_OPERAND_ABS;
      else if (alu->instr.op != HD_OP_FNEG)
         return def;
      else if (!(*mods & HD_GCN_OPERAND_ABS)) /* what is inside of a magnitude does not matter */
         *mods ^= HD_GCN_OPERAND_NEG;
      /* A constant would be written with a sign that texts cannot tell from its own. */
      if (hd_src_as_const(&alu->src[0])) {
         *mods = 0;
         return def;
      }
      def = alu->src[0].def;
   }
}

static bool
is_read_once(const hd_def *def)
{
   return def->uses && !hd_src_next_use(def->uses);
}

/* By the one who reads it, as hd_gcn_fold_into_operand will. */
bool
hd_gcn_will_be_clamped(const hd_alu *alu)
{
   const hd_def *def = &alu->instr.def;
   const hd_instr *reader = is_read_once(def) ? hd_src_instr(def->uses) : NULL;

   return reader && reader->kind == HD_INSTR_ALU && reader->op == HD_OP_FSAT &&
          reader->block == alu->instr.block && reader->def.bit_size == def->bit_size &&
          hd_op_get_info((hd_op)alu->instr.op)->result.kind == HD_KIND_FLOAT;
}

static bool
has_literal(const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (hd_mach_src(inst, n)->reg == HD_GCN_LITERAL &&
          !(hd_mach_src(inst, n)->flags & HD_MACH_OPERAND_TEMP))
         return true;
   }
   return false;
}

/* The instruction of this block that makes a float of the IR and nothing else, and that can do more
 * to its result. What only hands bits on may hand on those of an instruction for another size.
 */
static hd_mach_inst *
modifying_inst(const hd_gcn_selector *s, const hd_def *def)
{
   const hd_gcn_known *k = &s->known[def->index];
   const hd_instr *instr = hd_def_instr(def);

   if (instr->kind != HD_INSTR_ALU ||
       hd_op_get_info((hd_op)instr->op)->result.kind != HD_KIND_FLOAT ||
       instr->block != s->instr->block || def->num_components != 1 ||
       !(k->whole.flags & HD_MACH_OPERAND_TEMP))
      return NULL;
   hd_mach_inst *inst = s->p->temps[k->whole.value].def;
   if (!inst)
      return NULL;
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   bool can =
       (info->mach.flags & HD_GCN_OMOD_CLAMP) && hd_mach_def(inst, 0)->value == k->whole.value;
   if (info->format != HD_GCN_VOP3 &&
       (info->vop3_opcode[hd_gcn_target_in(s->p)->gen] < 0 || has_literal(inst)))
      can = false;
   return can ? inst : NULL;
}

/* The machine multiplies once, and before it clamps. Where the mode is the shader's again after an
 * instruction, it was another one.
 */
static bool
can_multiply(const hd_mach_inst *inst)
{
   return !(inst->bits & (HD_GCN_CLAMP | HD_GCN_OMOD_MASK)) &&
          hd_gcn_op_info_of(inst)->mach.operands[0].type == HD_GCN_F32 &&
          !(inst->next && inst->next->op == HD_GCN_S_SETREG_IMM32_B32);
}

/* The output modifier that a product by a constant is, and which operand it is of; 0: none. */
static unsigned
multiplier(const hd_gcn_selector *s, const hd_alu *alu, unsigned *of)
{
   const uint32_t controls = s->p->shader->float_controls;
   const bool finite = controls & HD_FLOAT_FINITE && !(alu->instr.flags & HD_FP_EXACT);

   if (alu->instr.op != HD_OP_FMUL || alu->instr.def.bit_size != 32 ||
       !(finite || alu->instr.flags & HD_FP_NO_SIGNED_ZERO) || !(controls & HD_FLOAT_FLUSH_32) ||
       controls & HD_FLOAT_RTZ_32)
      return 0;
   for (unsigned n = 0; n < 2; n++) {
      const hd_const *c = hd_src_as_const(&alu->src[n]);
      const uint32_t by = c ? c->value[0].u32 : 0;
      *of = 1 - n;
      if (by == 0x40000000 || by == 0x40800000 || (finite && by == 0x3f000000))
         return (by == 0x40000000 ? 1u : by == 0x40800000 ? 2u : 3u) << HD_GCN_OMOD_SHIFT;
   }
   return 0;
}

bool
hd_gcn_fold_into_operand(hd_gcn_selector *s, const hd_alu *alu)
{
   unsigned bits = HD_GCN_CLAMP, n = 0;
   hd_mach_inst *inst;

   if (alu->instr.op != HD_OP_FSAT && !(bits = multiplier(s, alu, &n)))
      return false;
   const hd_def *operand = alu->src[n].def;
   if (!is_read_once(operand) || operand->bit_size != alu->instr.def.bit_size)
      return false;
   inst = modifying_inst(s, operand);
   if (!inst || (bits != HD_GCN_CLAMP && !can_multiply(inst)))
      return false;
   inst->bits |= (uint16_t)bits;
   if (hd_gcn_op_info_of(inst)->format != HD_GCN_VOP3)
      inst->form = HD_GCN_FORM_VOP3;
   hd_gcn_set_value(s, &alu->instr.def, s->known[operand->index].whole);
   return true;
}
