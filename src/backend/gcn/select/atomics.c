/* SPDX-License-Identifier: MIT */
/* atomics.c - instruction selection of atomics; the old value is returned (glc) only if it is used.
 *
 * lower_atomics has turned float atomics into compare-and-swap loops, as the hardware's treat denormals
 * and NaNs differently on each generation. The exception is float addition in LDS on gfx8 and gfx9: it
 * rounds to nearest, and compile.c keeps it if the shader does.
 */
#include "backend/gcn/select/smem.h"

/* What the machine calls it: by hd_atomic_op up to the sum of floats, then swap; each with 32 and
 * 64 bits.
 */
typedef struct names {
   uint16_t of[2];
} names;

#define VMEM(op)                                                                                   \
   {                                                                                               \
      { { HD_GCN_BUFFER_ATOMIC_##op, HD_GCN_BUFFER_ATOMIC_##op##_X2 } },                           \
          { { HD_GCN_FLAT_ATOMIC_##op, HD_GCN_FLAT_ATOMIC_##op##_X2 } },                           \
          { { HD_GCN_GLOBAL_ATOMIC_##op, HD_GCN_GLOBAL_ATOMIC_##op##_X2 } },                       \
   }

enum { COMPARE_SWAP = HD_ATOMIC_FADD + 1, NUM_NAMES };

/* By hd_gcn_place.by. */
static const names vmem[NUM_NAMES][3] = {
   [HD_ATOMIC_IADD] = VMEM(ADD),      [HD_ATOMIC_IMIN] = VMEM(SMIN),
   [HD_ATOMIC_IMAX] = VMEM(SMAX),     [HD_ATOMIC_UMIN] = VMEM(UMIN),
   [HD_ATOMIC_UMAX] = VMEM(UMAX),     [HD_ATOMIC_IAND] = VMEM(AND),
   [HD_ATOMIC_IOR] = VMEM(OR),        [HD_ATOMIC_IXOR] = VMEM(XOR),
   [HD_ATOMIC_EXCHANGE] = VMEM(SWAP), [HD_ATOMIC_INC_WRAP] = VMEM(INC),
   [HD_ATOMIC_DEC_WRAP] = VMEM(DEC),  [COMPARE_SWAP] = VMEM(CMPSWAP),
};

#define DS(op, kind)                                                                               \
   {                                                                                               \
      { { HD_GCN_DS_##op##_##kind##32, HD_GCN_DS_##op##_##kind##64 } },                            \
      {                                                                                            \
         {                                                                                         \
            HD_GCN_DS_##op##_RTN_##kind##32, HD_GCN_DS_##op##_RTN_##kind##64                       \
         }                                                                                         \
      }                                                                                            \
   }

/* Without the old value, and with it. */
static const names shared[NUM_NAMES][2] = {
   [HD_ATOMIC_IADD] = DS(ADD, U),
   [HD_ATOMIC_IMIN] = DS(MIN, I),
   [HD_ATOMIC_IMAX] = DS(MAX, I),
   [HD_ATOMIC_UMIN] = DS(MIN, U),
   [HD_ATOMIC_UMAX] = DS(MAX, U),
   [HD_ATOMIC_IAND] = DS(AND, B),
   [HD_ATOMIC_IOR] = DS(OR, B),
   [HD_ATOMIC_IXOR] = DS(XOR, B),
   /* Nothing asks for the old value: a store. */
   [HD_ATOMIC_EXCHANGE] = { { { HD_GCN_DS_WRITE_B32, HD_GCN_DS_WRITE_B64 } },
                            { { HD_GCN_DS_WRXCHG_RTN_B32, HD_GCN_DS_WRXCHG_RTN_B64 } } },
   [HD_ATOMIC_INC_WRAP] = DS(INC, U),
   [HD_ATOMIC_DEC_WRAP] = DS(DEC, U),
   [HD_ATOMIC_FADD] = { { { HD_GCN_DS_ADD_F32 } }, { { HD_GCN_DS_ADD_RTN_F32 } } },
   [COMPARE_SWAP] = DS(CMPST, B),
};

static unsigned
operation(const hd_gcn_selector *s, const hd_mach_ir_access *a, bool *known)
{
   const hd_intrinsic *i = a->intrinsic;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const uint8_t slot = info->slots[HD_INDEX_ATOMIC_OP];
   const unsigned op = slot ? hd_intrinsic_indices(i)[slot - 1] : (unsigned)COMPARE_SWAP;

   *known = !slot || op < HD_ATOMIC_FADD ||
            (op == HD_ATOMIC_FADD && a->memory == HD_MEMORY_SHARED && a->bits == 32 &&
             hd_gcn_target_in(s->p)->gen != HD_GCN_GFX600);
   return op;
}

static bool
select_ds(hd_gcn_selector *s, const hd_mach_ir_access *a, unsigned op, bool returns)
{
   const hd_intrinsic *i = a->intrinsic;
   const bool wide = a->bits == 64, swaps = op == COMPARE_SWAP;
   hd_mach_operand srcs[3],
       old = returns ? hd_gcn_new(s, HD_GCN_VGPR, wide ? 2 : 1) : hd_gcn_nothing();
   uint32_t offset;

   hd_gcn_set_m0(s);
   srcs[0] = hd_gcn_shared_address(s, a, &offset);
   srcs[1] = hd_gcn_in_vgprs(s, i->src[1].def);
   if (swaps)
      srcs[2] = hd_gcn_in_vgprs(s, i->src[2].def);
   hd_mach_inst *inst =
       hd_gcn_emit(s, (hd_gcn_op)shared[op][returns].of[wide], old, swaps ? 3 : 2, srcs);
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
   const bool swaps = op == COMPARE_SWAP;
   hd_mach_operand data = hd_gcn_in_vgprs(s, i->src[last].def), old = hd_gcn_nothing();
   hd_gcn_place place;

   if (!hd_gcn_locate(s, a, &place))
      return false;
   if (swaps)
      data = hd_gcn_join(s, HD_GCN_VGPR, 2,
                         (hd_mach_operand[]){ data, hd_gcn_in_vgprs(s, i->src[last - 1].def) });
   if (returns) {
      old = hd_gcn_new(s, HD_GCN_VGPR, size);
      place.bits |= HD_GCN_GLC;
   }
   if (a->access & HD_ACCESS_NONTEMPORAL)
      place.bits |= HD_GCN_SLC;
   hd_gcn_emit_at(s, (hd_gcn_op)vmem[op][place.by].of[wide], old, data, &place, 0);
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
