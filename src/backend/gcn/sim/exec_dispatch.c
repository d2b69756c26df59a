/* SPDX-License-Identifier: MIT */
/* exec_dispatch.c - dispatch an instruction to the function that executes it. */
#include "backend/gcn/sim/exec.h"
#include "backend/gcn/sim/exec_memory.h"
#include "backend/gcn/sim/machine.h"

#include <assert.h>

bool
hd_gcn_execute(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   assert(inst->op < HD_GCN_NUM_OPS);
   if (hd_gcn_unmodelled[inst->op])
      return hd_gcn_fault(wave, -1, "the simulator does not support %s: %s",
                          hd_gcn_op_name(&hd_gcn_op_infos[inst->op], hd_gcn_wave_gen(wave)),
                          hd_gcn_unmodelled[inst->op]);

   switch ((hd_gcn_format)hd_gcn_op_infos[inst->op].format) {
   case HD_GCN_SOP1:
   case HD_GCN_SOP2:
   case HD_GCN_SOPK:
   case HD_GCN_SOPC:
   case HD_GCN_SOPP:
      return hd_gcn_execute_scalar(wave, inst);
   case HD_GCN_SMEM:
      return hd_gcn_execute_smem(wave, inst);
   case HD_GCN_VOP1:
   case HD_GCN_VOP2:
   case HD_GCN_VOPC:
   case HD_GCN_VOP3:
   case HD_GCN_VOP3P:
      return hd_gcn_execute_vector(wave, inst);
   case HD_GCN_DS:
      return hd_gcn_execute_ds(wave, inst);
   case HD_GCN_MUBUF:
   case HD_GCN_MTBUF:
      return hd_gcn_execute_buffer(wave, inst);
   case HD_GCN_FLAT:
   case HD_GCN_GLOBAL:
   case HD_GCN_SCRATCH:
      return hd_gcn_execute_flat(wave, inst);
   case HD_GCN_MIMG:
      return hd_gcn_execute_image(wave, inst);
   case HD_GCN_VINTRP:
      return hd_gcn_execute_interpolation(wave, inst);
   case HD_GCN_EXPORT:
      return hd_gcn_execute_export(wave, inst);
   case HD_GCN_PSEUDO:
   case HD_GCN_NUM_FORMATS:
      break;
   }
   return hd_gcn_fault(
       wave, -1,
       "expected an instruction of the machine, found one that this generation does not have");
}
