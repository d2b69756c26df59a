/* SPDX-License-Identifier: MIT */
/* exec_state.c - hardware registers by number (s_getreg, s_setreg), and mode bits other than the float
 * mode: VSKIP, and the branch stack of s_cbranch_g_fork and s_cbranch_join.
 *
 * The stack: a divergent branch runs the side with fewer lanes first and pushes the exec mask and the
 * address of the other side to four scalar registers; a join pops it until the stack is as low as
 * before. MODE[31:29] counts what is on it, and the first entry is s[0:3].
 */
#include "backend/gcn/sim/exec.h"

#include "backend/gcn/sim/lane_bits.h"
#include "backend/gcn/sim/lane_scalar.h"
#include "backend/gcn/sim/machine.h"

/* Registers by number -------------------------------------------------------------------------- */

enum {
   HWREG_MODE = 1,
   HWREG_STATUS = 2,
   HWREG_TRAPSTS = 3,
   HWREG_HW_ID = 4,
   HWREG_GPR_ALLOC = 5,
   HWREG_LDS_ALLOC = 6,
   HWREG_IB_STS = 7,
   HWREG_SH_MEM_BASES = 15, /* gfx9 */
};

/* Bits of the status that a program can know. */
enum {
   STATUS_SCC = 1u << 0,
   STATUS_PRIV = 1u << 5,
   STATUS_EXECZ = 1u << 9,
   STATUS_VCCZ = 1u << 10,
   STATUS_IN_GROUP = 1u << 11, /* of several waves */
   STATUS_IN_BARRIER = 1u << 12,
   STATUS_HALT = 1u << 13,
   STATUS_TRAP = 1u << 14,
   STATUS_VALID = 1u << 16,
   STATUS_DEBUG = 3u << 20, /* what s_cbranch_cdbg* read */
};

static hd_gcn_scalar
status(const hd_gcn_wave *wave)
{
   const hd_gcn_scalar vcc = hd_gcn_read_pair(wave, HD_GCN_VCC);
   const uint32_t known = STATUS_SCC | STATUS_PRIV | STATUS_EXECZ | STATUS_VCCZ | STATUS_IN_GROUP |
                          STATUS_IN_BARRIER | STATUS_HALT | STATUS_TRAP | STATUS_VALID |
                          STATUS_DEBUG;
   hd_gcn_scalar s = { STATUS_VALID, ~known };

   s.value |= (wave->scc ? STATUS_SCC : 0) | (hd_gcn_exec(wave) ? 0 : STATUS_EXECZ) |
              (vcc.value ? 0 : STATUS_VCCZ) | (wave->machine->num_waves > 1 ? STATUS_IN_GROUP : 0);
   s.undef |=
       (wave->scc_undef ? STATUS_SCC : 0) | (nonzero_undef(vcc.value, vcc.undef) ? STATUS_VCCZ : 0);
   return s;
}

/* Where the chip has put the wave, and what is in flight, no program can know: undefined. */
static bool
read_register(hd_gcn_wave *wave, unsigned id, hd_gcn_scalar *out)
{
   switch (id) {
   case HWREG_MODE:
      *out = (hd_gcn_scalar){ wave->mode, 0 };
      return true;
   case HWREG_STATUS:
      *out = status(wave);
      return true;
   case HWREG_TRAPSTS:
   case HWREG_HW_ID:
   case HWREG_GPR_ALLOC:
   case HWREG_LDS_ALLOC:
   case HWREG_IB_STS:
      *out = (hd_gcn_scalar){ 0, UINT32_MAX };
      return true;
   case HWREG_SH_MEM_BASES:
      *out = (hd_gcn_scalar){ wave->private_aperture >> 16 | (wave->lds_aperture & 0xffff0000), 0 };
      return hd_gcn_wave_gen(wave) == HD_GCN_GFX900 ||
             hd_gcn_fault(wave, -1, "the machine has no hardware register %u", id);
   default:
      return hd_gcn_fault(wave, -1, "the simulator has no hardware register %u", id);
   }
}

/* Bits imm[10:6] on, imm[15:11] + 1 of them. */
static bool
field(hd_gcn_wave *wave, const hd_mach_inst *inst, unsigned *offset, uint32_t *mask)
{
   const unsigned width = ((unsigned)inst->imm >> 11 & 31) + 1;

   *offset = (unsigned)inst->imm >> 6 & 31;
   *mask = (uint32_t)low_bits(width);
   return *offset + width <= 32 ||
          hd_gcn_fault(wave, -1, "a field of %u bits from bit %u on, a hardware register has 32",
                       width, *offset);
}

static bool
get_register(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   unsigned offset = 0;
   uint32_t mask = 0;
   hd_gcn_scalar s;

   if (!field(wave, inst, &offset, &mask) || !read_register(wave, inst->imm & 63, &s))
      return false;
   s.value = s.value >> offset & mask;
   s.undef = s.undef >> offset & mask;
   return hd_gcn_write_scalar(wave, *hd_mach_def(inst, 0), s);
}

/* Of the others programs may write the sticky bits of exceptions, which are not here. */
static bool
set_register(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const unsigned id = inst->imm & 63;
   hd_gcn_scalar value;
   unsigned offset = 0;
   uint32_t mask = 0;

   if (!field(wave, inst, &offset, &mask) ||
       !hd_gcn_read_scalar(wave, *hd_mach_src(inst, 0), HD_GCN_B32, &value))
      return false;
   if (id != HWREG_MODE)
      return id == HWREG_TRAPSTS ||
             hd_gcn_fault(wave, -1, "writes hardware register %u, which is read-only", id);
   value.undef &= mask;
   if (!hd_mach_need(wave, value, "the mode"))
      return false;
   wave->mode = (wave->mode & ~(mask << offset)) | ((uint32_t)value.value & mask) << offset;
   return true;
}

/* Bit b of a says whether vector instructions are skipped from now on. */
static bool
set_skip(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   hd_gcn_scalar a, b;

   if (!hd_gcn_read_scalar(wave, *hd_mach_src(inst, 0), HD_GCN_B32, &a) ||
       !hd_gcn_read_scalar(wave, *hd_mach_src(inst, 1), HD_GCN_U32, &b))
      return false;
   b.value &= 31;
   b.undef &= 31;
   a.undef &= UINT64_C(1) << b.value;
   if (!hd_mach_need(wave, b, "the number of a bit") || !hd_mach_need(wave, a, "the mode"))
      return false;
   wave->mode = (wave->mode & ~(1u << HD_GCN_MODE_VSKIP)) | (uint32_t)(a.value >> b.value & 1)
                                                                << HD_GCN_MODE_VSKIP;
   return true;
}

/* The stack of branches ------------------------------------------------------------------------ */

static unsigned
depth_of(const hd_gcn_wave *wave)
{
   return wave->mode >> HD_GCN_MODE_CSP & 7;
}

static void
set_depth(hd_gcn_wave *wave, unsigned depth)
{
   wave->mode = (wave->mode & ~(7u << HD_GCN_MODE_CSP)) | (depth & 7) << HD_GCN_MODE_CSP;
}

static bool
push(hd_gcn_wave *wave, uint64_t mask, uint64_t pc)
{
   const unsigned depth = depth_of(wave);

   if (depth == 7 || depth * 4 + 4 > wave->num_sgprs)
      return hd_gcn_fault(wave, -1, "the branch stack is full");
   set_depth(wave, depth + 1);
   return hd_gcn_write_scalar(wave, hd_mach_operand_reg(depth * 4, 2),
                              (hd_gcn_scalar){ mask, 0 }) &&
          hd_gcn_write_scalar(wave, hd_mach_operand_reg(depth * 4 + 2, 2),
                              (hd_gcn_scalar){ pc, 0 });
}

static bool
branch(hd_gcn_wave *wave, hd_gcn_scalar mask, uint64_t target)
{
   const uint64_t exec = hd_gcn_exec(wave), pass = mask.value & exec, fail = ~mask.value & exec;

   if (mask.undef & exec)
      return hd_gcn_fault(wave, -1, "a branch on an undefined mask");
   if (pass == exec) {
      wave->next_pc = target;
      return true;
   }
   if (fail == exec)
      return true;
   const bool fail_first = __builtin_popcountll(fail) < __builtin_popcountll(pass);
   if (!push(wave, fail_first ? pass : fail, fail_first ? target : wave->next_pc))
      return false;
   if (!fail_first)
      wave->next_pc = target;
   return hd_gcn_write_scalar(wave, hd_mach_operand_reg(HD_GCN_EXEC, 2),
                              (hd_gcn_scalar){ fail_first ? fail : pass, 0 });
}

static bool
fork(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   hd_gcn_scalar mask, target = { wave->next_pc + (uint64_t)((int64_t)(int16_t)inst->imm * 4), 0 };

   if (!hd_gcn_read_scalar(wave, *hd_mach_src(inst, 0), HD_GCN_B64, &mask))
      return false;
   if (inst->op == HD_GCN_S_CBRANCH_G_FORK &&
       (!hd_gcn_read_scalar(wave, *hd_mach_src(inst, 1), HD_GCN_B64, &target) ||
        !hd_mach_need(wave, target, "the target of a jump")))
      return false;
   return target.value % 4 == 0
              ? branch(wave, mask, target.value)
              : hd_gcn_fault(wave, -1, "a jump target that is not aligned to 4 bytes");
}

static bool
join(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const unsigned depth = depth_of(wave);
   hd_gcn_scalar saved;

   if (!hd_gcn_read_scalar(wave, *hd_mach_src(inst, 0), HD_GCN_B32, &saved) ||
       !hd_mach_need(wave, saved, "the height of the stack of branches"))
      return false;
   if (depth == saved.value)
      return true;
   if (!depth)
      return hd_gcn_fault(wave, -1, "a join with an empty branch stack");
   const hd_gcn_scalar mask = hd_gcn_read_pair(wave, depth * 4 - 4);
   const hd_gcn_scalar pc = hd_gcn_read_pair(wave, depth * 4 - 2);
   if (!hd_mach_need(wave, pc, "the target of a jump") ||
       !hd_gcn_write_scalar(wave, hd_mach_operand_reg(HD_GCN_EXEC, 2), mask))
      return false;
   set_depth(wave, depth - 1);
   wave->next_pc = pc.value;
   return true;
}

bool
hd_gcn_execute_state(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   switch (inst->op) {
   case HD_GCN_S_GETREG_B32:
      return get_register(wave, inst);
   case HD_GCN_S_SETREG_B32:
   case HD_GCN_S_SETREG_IMM32_B32:
      return set_register(wave, inst);
   case HD_GCN_S_SETVSKIP:
      return set_skip(wave, inst);
   case HD_GCN_S_CBRANCH_G_FORK:
   case HD_GCN_S_CBRANCH_I_FORK:
      return fork(wave, inst);
   default:
      return join(wave, inst);
   }
}
