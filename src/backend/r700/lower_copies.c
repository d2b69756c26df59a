/* SPDX-License-Identifier: MIT */
/* lower_copies.c - copies and phis become moves.
 *
 * Copies for phis stand at the end of the logical predecessor, before its tail, so that they run with
 * its lanes.
 *
 * Requires: registers are assigned.
 * Leaves:   none of the layer's pseudo ops but p_spill, p_reload and p_end.
 */
#include "backend/r700/program.h"
#include "ir/parallel_copy.h"

typedef struct lowering {
   hd_mach_program *p;
   hd_copier copier;
   hd_copy copies[HD_MACH_MAX_REGS];
   uint32_t num_copies;
   hd_copy_step steps[2 * HD_MACH_MAX_REGS];
   struct {
      uint16_t to;
      hd_mach_operand from;
   } constants[HD_MACH_MAX_REGS];
   uint32_t num_constants;
} lowering;

static void
put(lowering *l, hd_mach_block *block, hd_mach_inst *before, unsigned to, hd_mach_operand from)
{
   hd_mach_inst *inst = hd_mach_inst_create(l->p, HD_R700_MOV, 1, 1);

   *hd_mach_def(inst, 0) = hd_mach_operand_reg(to, 1);
   *hd_mach_src(inst, 0) = from;
   hd_mach_inst_insert_before(block, inst, before);
}

static void
add_copy(lowering *l, const hd_mach_operand *def, const hd_mach_operand *src)
{
   if (src->flags & HD_MACH_OPERAND_UNDEF)
      return;
   if (hd_r700_is_constant(src)) {
      l->constants[l->num_constants].to = def->reg;
      l->constants[l->num_constants++].from = *src;
      return;
   }
   for (unsigned n = 0; n < def->size && def->reg != src->reg; n++)
      l->copies[l->num_copies++] = (hd_copy){ def->reg + n, src->reg + n };
}

static unsigned
or_temp(uint32_t reg)
{
   return reg == HD_COPY_TEMPORARY ? HD_R700_V0 + 4 * HD_R700_GPR_COPY : (unsigned)reg;
}

static void
put_copies(lowering *l, hd_mach_block *block, hd_mach_inst *before)
{
   const uint32_t num = hd_copy_sequence(&l->copier, l->copies, l->num_copies, false, l->steps);

   for (uint32_t n = 0; n < num; n++)
      put(l, block, before, or_temp(l->steps[n].to),
          hd_mach_operand_reg(or_temp(l->steps[n].from), 1));
   for (uint32_t n = 0; n < l->num_constants; n++)
      put(l, block, before, l->constants[n].to, l->constants[n].from);
   l->num_copies = l->num_constants = 0;
}

static void
lower_phis(lowering *l)
{
   hd_mach_foreach_block(block, l->p)
   {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
      for (uint32_t n = 0; n < edges->num_preds; n++) {
         for (hd_mach_inst *phi = block->first; phi && phi->op == HD_MACH_P_PHI; phi = phi->next)
            add_copy(l, hd_mach_def(phi, 0), hd_mach_src(phi, n));
         put_copies(l, edges->preds[n], edges->preds[n]->tail);
      }
   }
}

static void
lower_block(lowering *l, hd_mach_block *block)
{
   hd_mach_foreach_inst_safe(inst, following, block)
   {
      switch (inst->op) {
      case HD_MACH_P_COPY:
         for (unsigned n = 0; n < inst->num_defs; n++)
            add_copy(l, hd_mach_def(inst, n), hd_mach_src(inst, n));
         put_copies(l, block, inst);
         break;
      case HD_MACH_P_START:
      case HD_MACH_P_PHI:
      case HD_MACH_P_UNDEF:
         break;
      default:
         continue;
      }
      if (block->tail == inst)
         block->tail = following;
      hd_mach_inst_remove(block, inst);
   }
}

bool
hd_r700_lower_copies(hd_mach_program *p)
{
   lowering *l = hd_stack_alloc_zero(p->stack, sizeof(*l));

   l->p = p;
   if (!hd_copier_init(&l->copier, p->stack, HD_MACH_MAX_REGS))
      return false;
   lower_phis(l);
   hd_mach_foreach_block(block, p) lower_block(l, block);
   return true;
}
