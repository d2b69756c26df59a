/* SPDX-License-Identifier: MIT */
/* words.c - the instructions of a layout, in a growing array. */
#include <string.h>

#include "backend/gen9/layout.h"

hd_gen9_word *
hd_gen9_append_word(hd_gen9_layout *l, unsigned op)
{
   l->words = hd_stack_grow(l->p->stack, l->words, l->num, &l->capacity, sizeof(*l->words));
   hd_gen9_entry *e = &l->words[l->num++];
   hd_gen9_word *w = &e->word;
   memset(e, 0, sizeof(*e));
   e->inst = l->inst;
   e->block = l->block;
   w->op = (uint16_t)op;
   w->exec = l->half == HD_GEN9_WHOLE ? l->width->exec : 3;
   w->chan = l->half == 1 ? 2 : 0;
   return w;
}

hd_gen9_word *
hd_gen9_append_scalar_word(hd_gen9_layout *l, unsigned op)
{
   hd_gen9_word *w = hd_gen9_append_word(l, op);

   w->exec = w->chan = 0;
   w->mask_off = 1;
   return w;
}

hd_gen9_word *
hd_gen9_append_result(hd_gen9_layout *l, unsigned op, const hd_mach_operand *def, unsigned type)
{
   const bool single = hd_gen9_is_scalar_reg(def);
   hd_gen9_word *w = single ? hd_gen9_append_scalar_word(l, op) : hd_gen9_append_word(l, op);

   w->dst = single ? hd_gen9_single_operand(def, type)
                   : hd_gen9_dst_operand(hd_gen9_grf_of(l, def), type);
   w->dst.hstride = 1;
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
