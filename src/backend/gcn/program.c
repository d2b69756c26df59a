/* SPDX-License-Identifier: MIT */
/* program.c - create GCN instructions, with the fixed operands of their rows (vcc, scc, exec, m0). */
#include "backend/gcn/program.h"

#include <assert.h>

hd_mach_inst *
hd_gcn_inst_create(hd_mach_program *p, unsigned op, unsigned num_defs, unsigned num_srcs)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_mach_inst *inst = hd_mach_inst_create(p, op, num_defs, num_srcs);

   if (info->format == HD_GCN_PSEUDO)
      return inst;

   /* The row's defs come first; an atomic without its result has none of them. */
   assert(num_srcs <= info->mach.num_srcs && num_defs <= info->mach.num_defs);
   for (unsigned n = 0; n < num_defs + num_srcs; n++) {
      unsigned row = n < num_defs ? n : info->mach.num_defs + n - num_defs;
      const hd_mach_operand_info *operand = &info->mach.operands[row];
      if (operand->kinds & HD_GCN_TAKES_BEFORE_GFX9 && hd_gcn_target_in(p)->gen >= HD_GCN_GFX900)
         continue;
      if (operand->kinds & HD_GCN_TAKES_ONE)
         inst->operands[n] = hd_mach_operand_reg(operand->fixed, operand->size);
   }
   return inst;
}

hd_mach_inst *
hd_gcn_make_op(hd_mach_program *p, unsigned op, hd_mach_operand def, hd_mach_operand a,
               hd_mach_operand b)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_mach_inst *inst = hd_gcn_inst_create(p, op, info->mach.num_defs, info->mach.num_srcs);

   if (def.size) {
      *hd_mach_def(inst, 0) = def;
      if (def.flags & HD_MACH_OPERAND_TEMP)
         p->temps[def.value].def = inst;
   }
   if (a.size)
      *hd_mach_src(inst, 0) = a;
   if (b.size)
      *hd_mach_src(inst, 1) = b;
   return inst;
}
