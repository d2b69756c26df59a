/* SPDX-License-Identifier: MIT */
/* memory.c - instruction selection of loads, stores and atomics: by scalar, LDS or vector instructions. */
#include "backend/gcn/select/memory_access.h"

static bool
select_access(hd_gcn_selector *s, const hd_intrinsic *intrinsic)
{
   const hd_mach_ir_access a = hd_mach_ir_access_of(intrinsic);
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&intrinsic->instr);

   if (info->reads && info->writes)
      return hd_gcn_select_atomic(s, &a);
   if (!a.value) {
      const hd_gcn_answer answer = hd_gcn_try_smem(s, &a);
      if (answer != HD_GCN_NOT_MINE)
         return answer == HD_GCN_SELECTED;
   }
   return a.memory == HD_MEMORY_SHARED ? hd_gcn_select_shared(s, &a) : hd_gcn_select_vmem(s, &a);
}

bool
hd_gcn_select_memory(hd_gcn_selector *s, const hd_intrinsic *intrinsic)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&intrinsic->instr);
   const unsigned can = HD_MEMORY_GLOBAL | HD_MEMORY_BUFFER | HD_MEMORY_SHARED | HD_MEMORY_SCRATCH |
                        HD_MEMORY_PUSH | HD_MEMORY_KERNARG | HD_MEMORY_CONSTANT;

   if ((info->reads | info->writes) & ~can)
      return hd_mach_refuse(s->p, &intrinsic->instr, "unsupported intrinsic %s", info->name);
   return select_access(s, intrinsic);
}
