/* SPDX-License-Identifier: MIT */
/* live_scalars.h - liveness of scalar registers after register allocation. */
#ifndef HEDDLE_BACKEND_GCN_EXEC_LIVE_SCALARS_H
#define HEDDLE_BACKEND_GCN_EXEC_LIVE_SCALARS_H

#include "backend/gcn/program.h"

/* SGPRs, vcc, m0, exec: registers 0 to 127. */
typedef struct hd_gcn_scalars {
   uint64_t words[2];
} hd_gcn_scalars;

/* Along linear edges: what is live at the end of each block, by index. */
hd_gcn_scalars *hd_gcn_live_scalars(hd_mach_program *p);

/* From after the instruction to before it. */
void hd_gcn_live_scalars_before(hd_gcn_scalars *live, const hd_mach_inst *inst);

static inline bool
hd_gcn_scalar_is_live(const hd_gcn_scalars *live, unsigned reg)
{
   return live->words[reg / 64] >> reg % 64 & 1;
}

#endif
