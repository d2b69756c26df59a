/* SPDX-License-Identifier: MIT */
/* fit_scalars.c - structured instructions: scalars are not spilled.
 *
 * What spilling and phis put on critical edges has no place on edges that are fixed. Where scalars are too
 * many for their registers, or a phi of them is where such edges come together, instructions are selected
 * again, with uniform values in vector registers.
 *
 * Requires: SSA (rebuild_ssa).
 */
#include "machine/flow/flow.h"
#include "machine/liveness.h"
#include "machine/spill.h"

/* Registers that copies may need besides. */
#define SLACK 4u

static bool
has_critical_phi(const hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      bool critical = false, scalar = false;
      for (const hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next)
         scalar |= !hd_mach_is_vector_value(p, hd_mach_def(phi, 0));
      for (uint32_t n = 0; scalar && n < edges->num_preds; n++)
         critical |= edges->preds[n]->edges[HD_MACH_LINEAR].num_succs > 1;
      if (critical)
         return true;
   }
   return false;
}

static bool
fit(hd_mach_program *p)
{
   const unsigned file = p->mach->file_of[HD_MACH_LINEAR];
   const hd_stack_mark mark = hd_stack_get_mark(hd_mach_scratch(p));
   uint16_t budget[HD_MACH_MAX_FILES];
   hd_mach_live live;

   p->hooks->register_budget(p, budget);
   hd_mach_liveness_limited(p, &live);
   const uint32_t pressure = hd_mach_register_pressure(p, &live, file);
   if (p->scratch)
      hd_stack_release(p->scratch, mark);
   return pressure + SLACK <= budget[file] && !has_critical_phi(p);
}

bool
hd_mach_fit_scalars(hd_mach_program *p, bool (*select)(hd_mach_program *p))
{
   if (fit(p))
      return true;
   p->no_scalars = true;
   p->first = p->last = NULL;
   p->blocks = NULL;
   p->temps = NULL;
   p->num_blocks = p->block_capacity = p->num_temps = p->temp_capacity = 0;
   return select(p) && hd_mach_structured_flow(p) && hd_mach_rebuild_ssa(p);
}
