/* SPDX-License-Identifier: MIT */
/* uniform.c - check divergence analysis at run time, if the launch asks for it: uniform values must be equal
 * in all active lanes.
 *
 * A handler in front of the instruction's own checks operands before it runs and the result after;
 * phis are checked when lanes enter their block, their sources when lanes take an edge, branches when
 * lanes leave the block.
 */
#include <inttypes.h>

#include "heddle/analysis.h"
#include "wave/wave.h"

static void
watch(hd_wave *w, const hd_operand *o, hd_wave_mask lanes, const hd_instr *instr, const char *what)
{
   for (unsigned c = 0; c < o->num_components && o->uniform; c++) {
      const uint64_t *row = row_of(w, o, c);
      const hd_wave_mask some = mask_without(lanes, *undef_of(w, o, c));
      const unsigned first = hd_wave_mask_first(some);
      for (unsigned l = first; l < w->run->width; l++) {
         if (mask_has(some, l) && row[l] != row[first])
            hd_wave_fault(w, instr, l,
                          "%s, component %u, is called uniform, but is %" PRIu64
                          " in lane %u and %" PRIu64,
                          what, c, row[first], first, row[l]);
      }
   }
}

static void
run_watched(hd_wave *w, const hd_code_instr *i)
{
   const hd_frame *f = w->frame;

   for (uint32_t n = 0; n < i->num_srcs; n++) {
      char what[32];
      if (i->srcs[n].uniform) {
         snprintf(what, sizeof(what), "operand %" PRIu32, n);
         watch(w, &i->srcs[n], w->active, i->instr, what);
      }
   }
   i->watched(w, i);
   if (w->frame == f)
      watch(w, &i->dst, w->active, i->instr, "the result");
}

void
hd_wave_watch_instr(hd_code_instr *i)
{
   uint32_t n = 0;

   hd_foreach_src(s, i->instr)
      i->srcs[n++].uniform = hd_src_is_uniform(s);
   i->dst.uniform = i->dst.num_components && hd_def_is_uniform(&i->instr->def);
   i->watched = i->run;
   i->run = run_watched;
}

void
hd_wave_watch_block(hd_wave *w, const hd_code_block *b)
{
   for (uint32_t n = 0; n < b->num_phis; n++)
      watch(w, &b->phis[n], w->active, NULL, "a phi's value");
}

void
hd_wave_watch_edge(hd_wave *w, const hd_code_edge *edge, hd_wave_mask lanes)
{
   for (uint32_t n = 0; n < edge->num_copies; n++)
      watch(w, &edge->copies[n].src, lanes, NULL, "a phi's source");
}

void
hd_wave_watch_exit(hd_wave *w, const hd_code_block *b, uint32_t num_edges_taken)
{
   const hd_instr *jump = hd_block_jump(b->block) ? b->block->last : NULL;

   if (b->has_value)
      watch(w, &b->value, w->active, jump, "what is read at the end of the block");
   if (num_edges_taken > 1 && !b->divergent)
      hd_wave_fault(w, jump, HD_WAVE_MAX_LANES,
                    "lanes diverge at a branch that divergence analysis calls uniform");
}
