/* SPDX-License-Identifier: MIT */
/* live_scalars.c - liveness of scalar registers after register allocation: a backward data-flow
 * analysis. A block is visited again when more is live at its end, at most 128 times.
 */
#include "backend/gcn/exec/live_scalars.h"

#include "backend/gcn/program.h"
#include "machine/worklist.h"

static bool
is_scalar(const hd_mach_operand *operand)
{
   return operand->size && operand->reg < 128;
}

static void
set(hd_gcn_scalars *live, const hd_mach_operand *operand, bool value)
{
   for (unsigned reg = operand->reg; reg < operand->reg + operand->size && reg < 128; reg++) {
      const uint64_t bit = UINT64_C(1) << reg % 64;
      live->words[reg / 64] = value ? live->words[reg / 64] | bit : live->words[reg / 64] & ~bit;
   }
}

static void
add(hd_gcn_scalars *live, unsigned reg, unsigned size)
{
   const hd_mach_operand operand = hd_mach_operand_reg(reg, size);

   set(live, &operand, true);
}

void
hd_gcn_live_scalars_before(hd_gcn_scalars *live, const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_defs; n++) {
      if (is_scalar(hd_mach_def(inst, n)))
         set(live, hd_mach_def(inst, n), false);
   }
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      const hd_mach_operand *src = hd_mach_src(inst, n);
      if (is_scalar(src))
         set(live, src, true);
      else if (src->size && (src->reg == HD_GCN_VCCZ || src->reg == HD_GCN_EXECZ))
         add(live, src->reg == HD_GCN_VCCZ ? HD_GCN_VCC : HD_GCN_EXEC, 2);
   }
   if (hd_gcn_op_info_of(inst)->mach.flags & HD_MACH_PER_LANE)
      add(live, HD_GCN_EXEC, 2);
}

hd_gcn_scalars *
hd_gcn_live_scalars(hd_mach_program *p)
{
   hd_gcn_scalars *ends = hd_stack_alloc_zero(p->stack, (p->num_blocks + 1) * sizeof(*ends));
   hd_mach_worklist worklist;
   hd_mach_block *block;

   hd_mach_worklist_init(&worklist, p, true);
   hd_mach_foreach_block(any, p) hd_mach_worklist_add(&worklist, any);
   while ((block = hd_mach_worklist_take(&worklist))) {
      hd_gcn_scalars live = ends[block->index];
      for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev)
         hd_gcn_live_scalars_before(&live, inst);
      for (uint32_t n = 0; n < block->edges[HD_MACH_LINEAR].num_preds; n++) {
         const hd_mach_block *pred = block->edges[HD_MACH_LINEAR].preds[n];
         hd_gcn_scalars *end = &ends[pred->index];
         if (!(live.words[0] & ~end->words[0]) && !(live.words[1] & ~end->words[1]))
            continue;
         end->words[0] |= live.words[0];
         end->words[1] |= live.words[1];
         hd_mach_worklist_add(&worklist, pred);
      }
   }
   return ends;
}
