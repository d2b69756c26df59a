/* SPDX-License-Identifier: MIT */
/* budget.c - how many registers the values of a wave may take. */
#include "backend/gcn/assign.h"

static uint32_t
round_down(uint32_t n, uint32_t granule)
{
   return n - n % granule;
}

void
hd_gcn_register_budget(const hd_gcn_program *p, uint16_t budget[HD_GCN_NUM_FILES])
{
   const hd_gcn_target *target = p->target;
   const hd_gcn_options *options = p->options;
   uint32_t sgprs = target->max_sgprs, vgprs = target->max_vgprs;

   if (options->waves) {
      const uint32_t s = round_down(target->physical_sgprs / options->waves, target->sgpr_granule);
      const uint32_t v = round_down(target->max_vgprs / options->waves, target->vgpr_granule);
      if (s - target->extra_sgprs < sgprs)
         sgprs = s - target->extra_sgprs;
      if (v < vgprs)
         vgprs = v;
   }
   if (options->max_sgprs && options->max_sgprs < sgprs)
      sgprs = options->max_sgprs;
   if (options->max_vgprs && options->max_vgprs < vgprs)
      vgprs = options->max_vgprs;
   budget[HD_GCN_SGPR] = (uint16_t)sgprs;
   budget[HD_GCN_VGPR] = (uint16_t)vgprs;
}
