/* SPDX-License-Identifier: MIT */
/* budget.c - how many registers the values of a wave may take. */
#include "backend/gcn/abi/abi.h"
#include "machine/regalloc.h"

void
hd_gcn_register_budget(const hd_gcn_program *p, uint16_t budget[HD_GCN_NUM_FILES])
{
   for (unsigned file = 0; file < HD_GCN_NUM_FILES; file++)
      budget[file] = (uint16_t)hd_gcn_max_registers(p, (hd_gcn_file)file);
   if (p->is_long && budget[HD_GCN_SGPR] >= 32)
      budget[HD_GCN_SGPR] = (uint16_t)(budget[HD_GCN_SGPR] - 2); /* layout.c */
   budget[HD_GCN_VGPR] = (uint16_t)(budget[HD_GCN_VGPR] - p->num_combine_vgprs);
}
