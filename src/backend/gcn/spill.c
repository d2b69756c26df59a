/* SPDX-License-Identifier: MIT */
/* spill.c - no more values in registers than there are registers. */
#include "backend/gcn/spill.h"
#include "backend/gcn/assign.h"

bool
hd_gcn_spill(hd_gcn_program *p)
{
   hd_gcn_live live;
   uint16_t budget[HD_GCN_NUM_FILES];

   hd_gcn_live_compute(p, &live);
   hd_gcn_register_budget(p, budget);
   for (unsigned file = 0; file < HD_GCN_NUM_FILES; file++) {
      const uint32_t demand = hd_gcn_demand(p, &live, (hd_gcn_file)file);
      if (demand > budget[file])
         return hd_gcn_refuse(p, NULL, "%u %s are live at once, there are %u", demand,
                              file == HD_GCN_VGPR ? "VGPRs" : "SGPRs", budget[file]);
   }
   return true;
}
