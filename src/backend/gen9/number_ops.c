/* SPDX-License-Identifier: MIT */
/* number_ops.c - layout: instructions on numbers of 16 and 64 bits, and conversions.
 *
 * A part of a value is a dword of each lane. Two of them are joined in registers of lowering, and results are taken
 * apart; 16 bits are the lower half of a dword. Of three sources the elements are side by side.
 */
#include "backend/gen9/layout.h"

/* The elements side by side from the beginning of the register on, in pairs of dwords, or words, or dwords. */
static hd_gen9_operand
packed(unsigned reg, unsigned type, bool single)
{
   hd_gen9_operand o = hd_gen9_grf_operand(reg, type);

   if (single)
      return hd_gen9_scalar_operand(reg, 0, type);
   if (hd_gen9_type_size(type) == 8)
      o.vstride = 3, o.width = 2;
   return o;
}

hd_gen9_operand
hd_gen9_join(hd_gen9_layout *l, unsigned reg, const hd_mach_operand *part, unsigned type,
             bool three, bool single)
{
   const unsigned size = hd_gen9_type_size(type);
   const unsigned moved = size == 2 ? HD_GEN9_TYPE_UW : HD_GEN9_TYPE_UD;

   if (size < 8 && !three && !hd_gen9_is_constant(part))
      return hd_gen9_is_scalar_reg(part) ? hd_gen9_single_operand(part, type)
                                         : hd_gen9_low_operand(hd_gen9_grf_of(l, part), type);
   for (unsigned n = 0; n <= size / 8; n++) {
      hd_gen9_word *w = hd_gen9_append_word(l, single ? HD_GEN9_ONE : HD_GEN9_ACTIVE, HD_GEN9_MOV);
      w->dst = hd_gen9_dst_operand(reg, moved);
      w->dst.subreg = (uint8_t)(4 * n);
      w->dst.hstride = size == 8 && !single ? 2 : 1;
      hd_gen9_put_source(l, w, 0, &part[n], moved);
      if (size == 2 && hd_gen9_is_constant(part))
         w->imm &= 0xffff;
      else if (size == 2 && !hd_gen9_is_scalar_reg(part))
         w->src[0] = hd_gen9_low_operand(hd_gen9_grf_of(l, part), moved);
   }
   return packed(reg, type, single);
}

void
hd_gen9_take_apart(hd_gen9_layout *l, const hd_mach_inst *inst, unsigned type, bool high)
{
   const bool single = hd_gen9_is_scalar_reg(hd_mach_def(inst, 0));

   for (unsigned n = 0; n < inst->num_defs; n++) {
      hd_gen9_word *w = hd_gen9_append_result(l, HD_GEN9_MOV, hd_mach_def(inst, n), HD_GEN9_TYPE_D);
      /* What compares is true in all bits. */
      w->src[0] = packed(l->width->temp,
                         hd_gen9_type_size(type) == 8 ? HD_GEN9_TYPE_D : HD_GEN9_TYPE_W, single);
      w->src[0].subreg = (uint8_t)(4 * (n + high));
      if (hd_gen9_type_size(type) == 8 && !single)
         w->src[0].width = 2, w->src[0].hstride = 2;
   }
}

/* What the instruction is, and the types of its sources and result. */
typedef struct number_op {
   unsigned op, from, to;
} number_op;

static number_op
op_of(const hd_mach_inst *inst)
{
   switch (inst->op) {
   case HD_GEN9_P_HIGH:
      return (number_op){ HD_GEN9_MUL, inst->form,
                          inst->form == HD_GEN9_TYPE_D ? HD_GEN9_TYPE_Q : HD_GEN9_TYPE_UQ };
   case HD_GEN9_P_CONVERT:
      return (number_op){ HD_GEN9_MOV, inst->bits, inst->form };
   default:
      return (number_op){ (unsigned)inst->imm, inst->bits, inst->form };
   }
}

void
hd_gen9_write_number_op(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const number_op o = op_of(inst);
   const unsigned num = hd_gen9_num_sources(hd_gen9_op_infos[o.op].shape), half = l->half;
   const unsigned regs[] = { l->width->temp, l->width->data, l->width->data + 2u };
   const hd_mach_operand *def = hd_mach_def(inst, 0);
   const bool single = hd_gen9_is_scalar_reg(def), three = num == 3;
   const bool compares = o.op == HD_GEN9_CMP, wide = hd_gen9_type_size(o.from) == 8;
   const bool apart = wide || hd_gen9_type_size(o.to) == 8 || three || compares;
   hd_gen9_operand srcs[3] = { { 0 } };
   hd_gen9_word *w;

   for (unsigned n = 0; n < num; n++)
      srcs[n] = hd_gen9_join(l, regs[n], hd_mach_src(inst, n * inst->num_srcs / num), o.from, three,
                             single);
   if (single && three)
      l->half = 0;
   if (compares)
      w = hd_gen9_append_compare(l, inst->mods.bytes[0], single);
   else
      w = hd_gen9_append_word(l,
                              !single ? HD_GEN9_ACTIVE
                              : three ? HD_GEN9_ALL
                                      : HD_GEN9_ONE,
                              o.op);
   l->half = half;
   w->dst = apart ? hd_gen9_dst_operand(regs[0], o.to) : hd_gen9_result_operand(l, def, o.to);
   if (!single && wide && hd_gen9_type_size(o.to) == 4)
      w->dst.hstride = 2;
   else if (!single && !apart)
      w->dst.hstride = hd_gen9_low_operand(0, o.to).hstride;
   for (unsigned n = 0; n < num; n++) {
      w->src[n] = srcs[n];
      w->src[n].neg = o.op == HD_GEN9_ADD && inst->mods.bytes[0] >> n & 1;
      if (three)
         hd_gen9_drop_region(&w->src[n], single);
   }
   if (compares) /* of two halves the flag has one */
      l->flag_of = HD_MACH_NO_REG;
   if (apart)
      hd_gen9_take_apart(l, inst, wide ? HD_GEN9_TYPE_DF : o.to, inst->op == HD_GEN9_P_HIGH);
}
