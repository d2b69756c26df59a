/* SPDX-License-Identifier: MIT */
/* exec_vector.c - VALU: sources into lanes, the generated loop, lanes into the result. */
#include "backend/gcn/sim/exec.h"

#include "util/float_host.h"

static bool
any_undefined(const hd_gcn_valu *v, const hd_gcn_valu_op *op)
{
   uint32_t any = 0;

   for (unsigned n = 0; n < op->num_srcs; n++) {
      const uint32_t *const u = v->src_undef[n];
      if (op->src[n] == 1) {
         if (v->mask_undef & v->lanes)
            return true;
         continue;
      }
      for (unsigned l = 0; l < LANES * (op->src[n] <= 32 ? 1 : op->src[n] / 32); l++)
         any |= u[l];
   }
   return any != 0;
}

/* A result that is a number saturates, or cannot be too large. What clamp makes of one that is bits
 * the manuals do not say; a compare has the bit for traps.
 */
static bool
can_clamp(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const unsigned type = info->mach.operands[0].type;
   const bool bits =
       inst->op == HD_GCN_V_PK_LSHLREV_B16 ||
       (!(info->mach.flags & (HD_GCN_OMOD_CLAMP | HD_GCN_CLAMP_ONLY)) &&
        (type == HD_GCN_B16 || type == HD_GCN_B32 || type == HD_GCN_B64 || type == HD_GCN_V2F16));

   return !(inst->bits & HD_GCN_CLAMP) || !bits ||
          hd_gcn_fault(wave, -1, "clamp on an instruction with a bitwise result");
}

bool
hd_gcn_execute_vector(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const hd_gcn_valu_op *op = &hd_gcn_valu_ops[inst->op];
   hd_gcn_valu v;

   if (!op->run)
      return hd_gcn_execute_lanes(wave, inst);
   if (!can_clamp(wave, inst))
      return false;

   v.lanes = hd_gcn_exec(wave);
   v.mask = v.mask_undef = 0;
   hd_gcn_mode_read(wave, inst, &v);
   if (inst->form == HD_GCN_FORM_DPP && !hd_gcn_valu_dpp(wave, inst, &v))
      return false;
   for (unsigned n = 0; n < op->num_srcs; n++) {
      if (!hd_gcn_valu_source(wave, inst, &v, n))
         return false;
   }
   v.undefined = any_undefined(&v, op);

   const hd_float_env env = hd_float_host_enter();
   op->run(&v);
   hd_float_host_leave(env);
   if (v.undefined)
      op->undef(&v);

   for (unsigned n = 0; n < op->num_dsts; n++) {
      if (!hd_gcn_valu_result(wave, inst, &v, n))
         return false;
   }
   return true;
}
