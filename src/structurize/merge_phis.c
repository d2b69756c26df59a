/* SPDX-License-Identifier: MIT */
/* merge_phis.c - merge complementary phis.
 *
 * After an if whose lanes wait for different targets, a value that only the lanes of one target read
 * is undef for the edge of the others. Two such phis with undefs at different sources never carry two
 * values at once, so one phi does for both. Blocks are visited in text order: once two phis are
 * merged, their users further on become equal and merge too, so that crossing edges cost one phi a
 * join, not one a pair.
 *
 * A phi is compared with a fixed number of phis before it.
 */
#include "structurize/merge_phis.h"

#include "heddle/edit.h"

#define WINDOW 16u

struct merger {
   hd_function *f;
   const uint8_t *kept;
   uint32_t num;
   uint8_t *divergent; /* by definition's index, all of them */
   uint32_t num_gone;
};

static bool
is_undef(const hd_def *def)
{
   return hd_def_instr(def)->kind == HD_INSTR_UNDEF;
}

static bool
merges(const struct merger *m, const hd_phi *phi)
{
   const hd_def *def = &phi->instr.def;

   return m->divergent[def->index] && !(def->index < m->num && m->kept[def->index]);
}

static bool
fits(const hd_phi *a, const hd_phi *b)
{
   const hd_def *x = &a->instr.def, *y = &b->instr.def;

   if (x->num_components != y->num_components || x->bit_size != y->bit_size)
      return false;
   for (uint32_t n = 0; n < a->num_srcs; n++) {
      const hd_def *p = a->srcs[n].src.def, *q = b->srcs[n].src.def;
      if (p != q && !is_undef(p) && !is_undef(q))
         return false;
   }
   return true;
}

static void
merge_into(struct merger *m, hd_phi *to, hd_phi *phi)
{
   for (uint32_t n = 0; n < to->num_srcs; n++) {
      if (is_undef(to->srcs[n].src.def))
         hd_src_set_def(&to->srcs[n].src, phi->srcs[n].src.def);
   }
   hd_def_replace_uses(&phi->instr.def, &to->instr.def);
   hd_instr_remove(&phi->instr);
   m->num_gone++;
}

static void
merge_in(struct merger *m, hd_block *b)
{
   hd_phi *open[WINDOW];
   uint32_t num = 0;

   hd_foreach_phi_safe(phi, b) {
      bool gone = false;
      hd_heap_step(hd_shader_heap(m->f->shader), phi->num_srcs);
      for (uint32_t n = 0; n < phi->num_srcs; n++)
         m->divergent[phi->instr.def.index] |= m->divergent[phi->srcs[n].src.def->index];
      if (!merges(m, phi))
         continue;
      for (uint32_t i = 0; i < num && i < WINDOW && !gone; i++) {
         gone = fits(open[i], phi);
         if (gone)
            merge_into(m, open[i], phi);
      }
      if (!gone)
         open[num++ % WINDOW] = phi;
   }
}

uint32_t
hd_merge_phis(hd_function *f, const uint8_t *divergent, const uint8_t *kept, uint32_t num)
{
   struct merger m = { .f = f, .kept = kept, .num = num };

   m.divergent = hd_stack_alloc_zero(hd_shader_stack(f->shader), f->num_defs + 1);
   memcpy(m.divergent, divergent, num);
   hd_foreach_block(b, f) {
      if (b->num_preds > 1)
         merge_in(&m, b);
   }
   return m.num_gone;
}
