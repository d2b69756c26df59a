/* SPDX-License-Identifier: MIT */
/* words.c - the instructions of a layout, in a growing array. */
#include <string.h>

#include "backend/gen9/layout.h"

hd_gen9_word *
hd_gen9_append_word(hd_gen9_layout *l, hd_gen9_channels channels, unsigned op)
{
   l->words = hd_stack_grow(l->p->stack, l->words, l->num, &l->capacity, sizeof(*l->words));
   hd_gen9_entry *e = &l->words[l->num++];
   hd_gen9_word *w = &e->word;
   memset(e, 0, sizeof(*e));
   e->inst = l->inst;
   e->block = l->block;
   w->op = (uint16_t)op;
   w->mask_off = channels != HD_GEN9_ACTIVE;
   if (channels == HD_GEN9_ONE)
      return w;
   w->exec = l->half == HD_GEN9_WHOLE ? l->width->exec : 3;
   w->chan = l->half == 1 ? 2 : 0;
   return w;
}

hd_gen9_word *
hd_gen9_write(hd_gen9_layout *l, hd_gen9_channels channels, unsigned op, hd_gen9_operand dst,
              hd_gen9_operand src)
{
   hd_gen9_word *w = hd_gen9_append_word(l, channels, op);

   w->dst = dst;
   w->src[0] = src;
   return w;
}

hd_gen9_word *
hd_gen9_write_imm(hd_gen9_layout *l, hd_gen9_channels channels, unsigned op, hd_gen9_operand dst,
                  hd_gen9_operand src, uint32_t imm)
{
   hd_gen9_word *w = hd_gen9_write(l, channels, op, dst, src);

   w->src[1] = hd_gen9_imm_operand(src.type);
   w->imm = imm;
   return w;
}

hd_gen9_word *
hd_gen9_write_constant(hd_gen9_layout *l, hd_gen9_channels channels, hd_gen9_operand dst,
                       unsigned type, uint32_t imm)
{
   hd_gen9_word *w = hd_gen9_write(l, channels, HD_GEN9_MOV, dst, hd_gen9_imm_operand(type));

   w->imm = imm;
   return w;
}

hd_gen9_operand
hd_gen9_result_operand(const hd_gen9_layout *l, const hd_mach_operand *def, unsigned type)
{
   hd_gen9_operand o = hd_gen9_is_scalar_reg(def)
                           ? hd_gen9_single_operand(def, type)
                           : hd_gen9_dst_operand(hd_gen9_grf_of(l, def), type);

   o.hstride = 1;
   return o;
}

hd_gen9_word *
hd_gen9_append_result(hd_gen9_layout *l, unsigned op, const hd_mach_operand *def, unsigned type)
{
   hd_gen9_word *w =
       hd_gen9_append_word(l, hd_gen9_is_scalar_reg(def) ? HD_GEN9_ONE : HD_GEN9_ACTIVE, op);

   w->dst = hd_gen9_result_operand(l, def, type);
   return w;
}

void
hd_gen9_put_source(const hd_gen9_layout *l, hd_gen9_word *w, unsigned n, const hd_mach_operand *o,
                   unsigned type)
{
   if (hd_gen9_is_constant(o)) {
      w->src[n] = hd_gen9_imm_operand(type);
      w->imm = hd_gen9_constant(o);
   } else if (hd_gen9_is_scalar_reg(o)) {
      w->src[n] = hd_gen9_single_operand(o, type);
   } else {
      w->src[n] = hd_gen9_grf_operand(hd_gen9_grf_of(l, o), type);
   }
}

void
hd_gen9_put_sources(const hd_gen9_layout *l, hd_gen9_word *w, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_srcs; n++)
      hd_gen9_put_source(l, w, n, hd_mach_src(inst, n), inst->form);
}
