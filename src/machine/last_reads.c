/* SPDX-License-Identifier: MIT */
/* last_reads.c - where registers are read for the last time: a backward data-flow analysis. A block is visited
 * again when more is live at its end, at most once for each register.
 */
#include "machine/last_reads.h"

#include <string.h>

#include "machine/register_set.h"
#include "machine/worklist.h"

static bool
is_register(const hd_mach_operand *o)
{
   return o->size && o->reg + o->size <= HD_MACH_MAX_REGS;
}

/* From after the instruction to before it. */
static void
go_before(hd_mach_regset *live, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (is_register(hd_mach_def(inst, n)))
         hd_mach_regset_remove(live, hd_mach_def(inst, n)->reg, hd_mach_def(inst, n)->size);
   }
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (is_register(hd_mach_src(inst, n)))
         hd_mach_regset_add(live, hd_mach_src(inst, n)->reg, hd_mach_src(inst, n)->size);
   }
}

static void
mark(const hd_mach_regset *live, hd_mach_operand *src)
{
   if (is_register(src) && !hd_mach_regset_meets(live, src->reg, src->size))
      src->flags |= HD_MACH_OPERAND_KILL;
   else
      src->flags &= (uint8_t)~HD_MACH_OPERAND_KILL;
}

void
hd_mach_mark_last_reads(hd_mach_program *p, hd_mach_edge_kind kind)
{
   const hd_stack_mark before = hd_stack_get_mark(p->stack);
   hd_mach_regset *ends = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*ends));
   hd_mach_worklist worklist;
   hd_mach_block *block;

   hd_mach_worklist_init(&worklist, p, true);
   hd_mach_foreach_block(any, p) hd_mach_worklist_add(&worklist, any);
   while ((block = hd_mach_worklist_take(&worklist))) {
      hd_mach_regset live = ends[block->index];
      for (hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
         /* What is live grows: the last visit is right. */
         for (unsigned n = 0; n < inst->num_srcs; n++)
            mark(&live, hd_mach_src(inst, n));
         go_before(&live, inst);
      }
      for (uint32_t n = 0; n < block->edges[kind].num_preds; n++) {
         hd_mach_block *pred = block->edges[kind].preds[n];
         const hd_mach_regset old = ends[pred->index];
         hd_mach_regset_unite(&ends[pred->index], &live);
         if (memcmp(&old, &ends[pred->index], sizeof(old)))
            hd_mach_worklist_add(&worklist, pred);
      }
   }
   hd_stack_release(p->stack, before);
}
