/* SPDX-License-Identifier: MIT */
/* literals.c - fold constants in scalar registers into their users as literals, after register
 * allocation.
 *
 *    s_movk_i32 s4, 0x64
 *    v_mov_b32_e32 v1, s4           =>    v_mov_b32_e32 v1, 0x64
 *
 *    s_mov_b32 s4, 0x3e800000
 *    v_cmp_lt_f32_e32 vcc, s4, v1   =>    v_cmp_lt_f32_e32 vcc, 0x3e800000, v1
 *
 * Selection materialises a constant in a register if the 64-bit encoding takes no literal. Once
 * registers are known, many 64-bit encodings become 32-bit ones, which do. All users of the
 * register must take the literal, or the register is still needed.
 *
 * Tests: tests/backend/gcn/test_literals.c
 */
#include "backend/gcn/literals.h"

#include <string.h>

#define NEEDED (HD_GCN_LITERAL_READERS + 1)

void
hd_gcn_literals_begin(hd_gcn_literals *l, const hd_mach_scalars *live_at_end)
{
   for (unsigned reg = 0; reg < HD_GCN_LITERAL_REGS; reg++)
      l->num[reg] = hd_mach_scalar_is_live(live_at_end, reg) ? NEEDED : 0;
}

/* Can the first source be a literal? Only one operand can, and only of the short forms. */
static bool
takes_literal(const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (inst->form != HD_GCN_FORM_BASE || !inst->num_srcs ||
       (info->format != HD_GCN_VOP1 && info->format != HD_GCN_VOP2 && info->format != HD_GCN_VOPC))
      return false;
   for (unsigned n = 1; n < inst->num_srcs; n++) {
      if (hd_mach_src(inst, n)->size && hd_mach_src(inst, n)->reg == HD_GCN_LITERAL)
         return false;
   }
   return info->mach.operands[info->mach.num_defs].kinds & HD_GCN_TAKES_LITERAL;
}

static void
add_reader(hd_gcn_literals *l, unsigned reg, hd_mach_inst *inst, bool as_literal)
{
   if (!as_literal || l->num[reg] >= HD_GCN_LITERAL_READERS)
      l->num[reg] = NEEDED;
   else
      l->readers[reg][l->num[reg]++] = inst;
}

void
hd_gcn_literals_before(hd_gcn_literals *l, hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      for (unsigned reg = def->reg; reg < def->reg + def->size && reg < HD_GCN_LITERAL_REGS; reg++)
         l->num[reg] = 0;
   }
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      const bool as_literal = n == 0 && src->size == 1 && takes_literal(inst);
      for (unsigned reg = src->reg; reg < src->reg + src->size && reg < HD_GCN_LITERAL_REGS; reg++)
         add_reader(l, reg, inst, as_literal);
   }
}

/* The constant as the instruction reads it. False: it cannot, and is as it was. */
static bool
give(hd_gcn_gen gen, hd_mach_inst *inst, uint32_t bits)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const hd_gcn_type type = (hd_gcn_type)info->mach.operands[info->mach.num_defs].type;
   hd_mach_operand *src = hd_mach_src(inst, 0);
   const hd_mach_operand before = *src;

   if (type == HD_GCN_F16 || type == HD_GCN_I16 || type == HD_GCN_U16 || type == HD_GCN_B16)
      bits &= 0xffff;
   *src = hd_gcn_operand_const(gen, type, bits);
   if (src->size && hd_gcn_fits(gen, inst, HD_GCN_FORM_BASE, NULL))
      return true;
   *src = before;
   return false;
}

unsigned
hd_gcn_literals_hand_over(hd_gcn_literals *l, hd_gcn_gen gen, const hd_mach_inst *inst,
                          hd_mach_inst *readers[HD_GCN_LITERAL_READERS])
{
   const unsigned reg = hd_mach_def(inst, 0)->reg;
   const unsigned num = reg < HD_GCN_LITERAL_REGS ? l->num[reg] : NEEDED;
   uint64_t bits;

   if (!num || num == NEEDED || !hd_gcn_operand_value(*hd_mach_src(inst, 0), HD_GCN_B32, &bits))
      return 0;
   for (unsigned n = 0; n < num; n++) {
      readers[n] = l->readers[reg][n];
      /* The others have the constant, and the register still has it. */
      if (!give(gen, readers[n], (uint32_t)bits))
         return 0;
   }
   return num;
}
