/* SPDX-License-Identifier: MIT */
/* exec_dispatch.c - dispatch an instruction to the function that executes it. */
#include "backend/gcn/sim/exec.h"
#include "backend/gcn/sim/exec_memory.h"
#include "backend/gcn/sim/machine.h"

#include <assert.h>

typedef bool executes(hd_gcn_wave *wave, const hd_mach_inst *inst);

static executes *const formats[HD_GCN_NUM_FORMATS] = {
   [HD_GCN_SOP1] = hd_gcn_execute_scalar,   [HD_GCN_SOP2] = hd_gcn_execute_scalar,
   [HD_GCN_SOPK] = hd_gcn_execute_scalar,   [HD_GCN_SOPC] = hd_gcn_execute_scalar,
   [HD_GCN_SOPP] = hd_gcn_execute_scalar,   [HD_GCN_SMEM] = hd_gcn_execute_smem,
   [HD_GCN_VOP1] = hd_gcn_execute_vector,   [HD_GCN_VOP2] = hd_gcn_execute_vector,
   [HD_GCN_VOPC] = hd_gcn_execute_vector,   [HD_GCN_VOP3] = hd_gcn_execute_vector,
   [HD_GCN_VOP3P] = hd_gcn_execute_vector,  [HD_GCN_DS] = hd_gcn_execute_ds,
   [HD_GCN_MUBUF] = hd_gcn_execute_buffer,  [HD_GCN_MTBUF] = hd_gcn_execute_buffer,
   [HD_GCN_FLAT] = hd_gcn_execute_flat,     [HD_GCN_GLOBAL] = hd_gcn_execute_flat,
   [HD_GCN_SCRATCH] = hd_gcn_execute_flat,  [HD_GCN_MIMG] = hd_gcn_execute_image,
   [HD_GCN_EXPORT] = hd_gcn_execute_export, [HD_GCN_VINTRP] = hd_gcn_execute_interpolation,
};

bool
hd_gcn_execute(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   assert(inst->op < HD_GCN_NUM_OPS);
   if (hd_gcn_unmodelled[inst->op])
      return hd_gcn_fault(wave, -1, "the simulator does not support %s: %s",
                          hd_gcn_op_name(info, hd_gcn_wave_gen(wave)), hd_gcn_unmodelled[inst->op]);
   if (!formats[info->format])
      return hd_gcn_fault(wave, -1, "expected an instruction of the machine, found a pseudo op");
   return formats[info->format](wave, inst);
}
