/* SPDX-License-Identifier: MIT */
/* atomics.c - instruction selection of atomics; the old value is returned (glc) only if it is used.
 *
 * lower_atomics has turned float atomics into compare-and-swap loops, as the hardware's treat denormals
 * and NaNs differently on each generation. The exception is float addition in LDS on gfx8 and gfx9: it
 * rounds to nearest, and compile.c keeps it if the shader does.
 */
#include "backend/gcn/select/smem.h"

static unsigned
operation(const hd_gcn_selector *s, const hd_mach_ir_access *a, bool *known)
{
   const hd_intrinsic *i = a->intrinsic;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const uint8_t slot = info->slots[HD_INDEX_ATOMIC_OP];
   const unsigned op = slot ? hd_intrinsic_indices(i)[slot - 1] : (unsigned)HD_GCN_COMPARE_SWAP;

   *known = !slot || op < HD_ATOMIC_FADD ||
            (op == HD_ATOMIC_FADD && a->memory == HD_MEMORY_SHARED && a->bits == 32 &&
             hd_gcn_target_in(s->p)->gen != HD_GCN_GFX600);
   return op;
}

static bool
select_ds(hd_gcn_selector *s, const hd_mach_ir_access *a, unsigned op, bool returns)
{
   const hd_intrinsic *i = a->intrinsic;
   const bool wide = a->bits == 64, swaps = op == HD_GCN_COMPARE_SWAP;
   hd_mach_operand srcs[3],
       old = returns ? hd_gcn_new(s, HD_GCN_VGPR, wide ? 2 : 1) : hd_gcn_nothing();
   uint32_t offset;

   hd_gcn_set_m0(s);
   srcs[0] = hd_gcn_shared_address(s, a, &offset);
   srcs[1] = hd_gcn_in_vgprs(s, i->src[1].def);
   if (swaps)
      srcs[2] = hd_gcn_in_vgprs(s, i->src[2].def);
   hd_mach_inst *inst = hd_gcn_emit(
       s, (hd_gcn_op)hd_gcn_atomic_ops[op][returns ? HD_GCN_BY_DS_RTN : HD_GCN_BY_DS][wide], old,
       swaps ? 3 : 2, srcs);
   inst->imm = (int32_t)offset;
   inst->memory = HD_MACH_MEMORY_SHARED;
   if (returns)
      hd_gcn_set_value(s, &i->instr.def, old);
   return true;
}

/* What the instruction has as data: the new value, and after it the one that is compared. The old
 * value comes in the place of the first of them.
 */
static bool
select_vmem(hd_gcn_selector *s, const hd_mach_ir_access *a, unsigned op, bool returns)
{
   const hd_intrinsic *i = a->intrinsic;
   const unsigned wide = a->bits == 64, last = i->instr.num_srcs - 1u, size = wide ? 2 : 1;
   const bool swaps = op == HD_GCN_COMPARE_SWAP;
   hd_mach_operand data = hd_gcn_in_vgprs(s, i->src[last].def), old = hd_gcn_nothing();
   hd_gcn_place place;

   if (!hd_gcn_locate(s, a, &place))
      return false;
   if (swaps)
      data = hd_gcn_join(s, HD_GCN_VGPR, 2,
                         (hd_mach_operand[]){ data, hd_gcn_in_vgprs(s, i->src[last - 1].def) });
   if (returns)
      old = hd_gcn_new(s, HD_GCN_VGPR, size);
   place.bits |= hd_gcn_atomic_bits(a->access, returns);
   hd_gcn_emit_at(s, (hd_gcn_op)hd_gcn_atomic_ops[op][place.by][wide], old, data, &place, 0);
   if (!returns)
      return true;
   hd_gcn_set_value(s, &i->instr.def, old);
   return true;
}

bool
hd_gcn_select_atomic(hd_gcn_selector *s, const hd_mach_ir_access *a)
{
   bool known;
   const unsigned op = operation(s, a, &known);
   const bool returns = a->intrinsic->instr.def.uses != NULL;

   if (!known)
      return hd_mach_refuse(s->p, &a->intrinsic->instr,
                            "expected an integer atomic, found one on floats: run lower_atomics");
   return a->memory == HD_MEMORY_SHARED ? select_ds(s, a, op, returns)
                                        : select_vmem(s, a, op, returns);
}
