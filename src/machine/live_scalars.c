/* SPDX-License-Identifier: MIT */
/* live_scalars.c - liveness of scalar registers after register allocation: a backward data-flow
 * analysis. A block is visited again when more is live at its end, at most once for each register.
 */
#include "machine/live_scalars.h"

#include "machine/worklist.h"

static void
set(hd_mach_scalars *live, unsigned reg, unsigned size, bool value)
{
   for (; size && reg < HD_MACH_MAX_SCALARS; reg++, size--) {
      const uint64_t bit = UINT64_C(1) << reg % 64;
      live->words[reg / 64] = value ? live->words[reg / 64] | bit : live->words[reg / 64] & ~bit;
   }
}

/* Of an alias, what it tells of. */
static void
read_register(const hd_mach *mach, hd_mach_scalars *live, const hd_mach_operand *src)
{
   if (src->reg == mach->flag)
      live->flag = true;
   for (unsigned n = 0; n < mach->num_aliases && src->size; n++) {
      if (src->reg == mach->aliases[n].reg)
         set(live, mach->aliases[n].of.reg, mach->aliases[n].of.size, true);
   }
   set(live, src->reg, src->size, true);
}

void
hd_mach_live_scalars_before(const hd_mach *mach, hd_mach_scalars *live, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (def->reg == mach->flag)
         live->flag = false;
      set(live, def->reg, def->size, false);
   }
   for (unsigned n = 0; n < inst->num_srcs; n++)
      read_register(mach, live, hd_mach_src(inst, n));
   if (hd_mach_op_of(mach, inst)->flags & HD_MACH_PER_LANE)
      set(live, mach->exec.reg, mach->exec.size, true);
}

bool
hd_mach_scalars_unite(hd_mach_scalars *to, const hd_mach_scalars *from)
{
   bool more = from->flag && !to->flag;

   for (unsigned n = 0; n < HD_MACH_MAX_SCALARS / 64; n++) {
      more |= (from->words[n] & ~to->words[n]) != 0;
      to->words[n] |= from->words[n];
   }
   to->flag |= from->flag;
   return more;
}

hd_mach_scalars *
hd_mach_live_scalars(hd_mach_program *p)
{
   hd_mach_scalars *ends = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*ends));
   hd_mach_worklist worklist;
   hd_mach_block *block;

   hd_mach_worklist_init(&worklist, p, true);
   hd_mach_foreach_block(any, p) hd_mach_worklist_add(&worklist, any);
   while ((block = hd_mach_worklist_take(&worklist))) {
      hd_mach_scalars live = ends[block->index];
      for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev)
         hd_mach_live_scalars_before(p->mach, &live, inst);
      for (uint32_t n = 0; n < block->edges[HD_MACH_LINEAR].num_preds; n++) {
         const hd_mach_block *pred = block->edges[HD_MACH_LINEAR].preds[n];
         if (hd_mach_scalars_unite(&ends[pred->index], &live))
            hd_mach_worklist_add(&worklist, pred);
      }
   }
   return ends;
}
