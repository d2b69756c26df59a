/* SPDX-License-Identifier: MIT */
/* flags.c - layout: compares that write f0.0, and booleans that are needed in it. */
#include "backend/gen9/layout.h"

static void
write_active_to_flag(hd_gen9_layout *l)
{
   hd_gen9_of(l->p)->stats.control++;
   hd_gen9_write(l, HD_GEN9_ONE, HD_GEN9_MOV,
                 hd_gen9_arf_dst_operand(HD_GEN9_ARF_FLAG, HD_GEN9_TYPE_UW),
                 hd_gen9_arf_operand(HD_GEN9_ARF_FLAG + 1, HD_GEN9_TYPE_UW));
}

hd_gen9_word *
hd_gen9_append_compare(hd_gen9_layout *l, unsigned condition, bool single)
{
   if (l->masked && !single)
      write_active_to_flag(l);
   hd_gen9_word *w = hd_gen9_append_word(l, single ? HD_GEN9_ONE : HD_GEN9_ACTIVE, HD_GEN9_CMP);
   w->pred = l->masked && !single;
   w->cond = (uint8_t)condition;
   return w;
}

void
hd_gen9_need_flag(hd_gen9_layout *l, const hd_mach_operand *boolean, bool inverse, bool single)
{
   if (l->flag_of == boolean->reg && l->flag_inverse == inverse && l->flag_single == single)
      return;
   hd_gen9_word *w =
       hd_gen9_append_compare(l, inverse ? HD_GEN9_CONDITION_EQ : HD_GEN9_CONDITION_NE, single);
   w->dst = hd_gen9_arf_dst_operand(HD_GEN9_ARF_NULL, HD_GEN9_TYPE_D);
   hd_gen9_put_source(l, w, 0, boolean, HD_GEN9_TYPE_D);
   w->src[1] = hd_gen9_imm_operand(HD_GEN9_TYPE_D);
   l->flag_of = boolean->reg;
   l->flag_inverse = inverse;
   l->flag_single = single;
}

void
hd_gen9_write_jump(hd_gen9_layout *l, unsigned flag, unsigned pred, bool inverse,
                   hd_mach_block *target)
{
   hd_gen9_word *w = hd_gen9_append_word(l, HD_GEN9_ONE, HD_GEN9_JMPI);

   w->pred = (uint8_t)pred;
   w->pred_inv = inverse;
   w->flag = (uint8_t)flag;
   l->words[l->num - 1].jip = target;
}
