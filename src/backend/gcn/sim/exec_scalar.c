/* SPDX-License-Identifier: MIT */
/* exec_scalar.c - SALU: generated expressions, and what reads or writes exec or pc. */
#include "backend/gcn/sim/exec.h"

#include "backend/gcn/sim/lane_scalar.h"

/* By expression -------------------------------------------------------------------------------- */

/* The destination is written before exec. */
static bool
write_exec(hd_gcn_wave *wave, const hd_mach_inst *inst, const hd_gcn_salu_op *op, hd_gcn_scalar new)
{
   const hd_gcn_scalar old = { hd_gcn_exec(wave), 0 };

   return hd_gcn_write_scalar(wave, *hd_mach_def(inst, 0),
                              op->exec == HD_GCN_WRITES_EXEC ? new : old) &&
          hd_gcn_write_scalar(wave, hd_mach_operand_reg(HD_GCN_EXEC, 2), new);
}

static bool
run_expression(hd_gcn_wave *wave, const hd_mach_inst *inst, const hd_gcn_salu_op *op)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   hd_gcn_salu s = { 0 };
   unsigned next = 0;

   for (unsigned n = 0; n < op->num_srcs; n++) {
      hd_mach_operand dst;
      switch (op->src[n]) {
      case HD_GCN_FROM_SCC:
         s.src[n] = (hd_gcn_scalar){ wave->scc, wave->scc_undef };
         break;
      case HD_GCN_FROM_IMM:
         s.src[n] = (hd_gcn_scalar){ (uint16_t)inst->imm, 0 };
         break;
      case HD_GCN_FROM_EXEC:
         s.src[n] = (hd_gcn_scalar){ hd_gcn_exec(wave), 0 };
         break;
      case HD_GCN_FROM_DST:
         dst = *hd_mach_def(inst, 0);
         if (!hd_gcn_read_scalar(wave, dst, HD_GCN_B32, &s.src[n]))
            return false;
         break;
      default:
         if (!hd_gcn_read_scalar(wave, *hd_mach_src(inst, next),
                                 info->mach.operands[info->mach.num_defs + next].type, &s.src[n]))
            return false;
         s.src[n].value &= low_bits(op->src[n]);
         next++;
      }
   }
   op->run(&s);
   if (op->exec ? !write_exec(wave, inst, op, s.dst)
                : op->dst && !hd_gcn_write_scalar(wave, *hd_mach_def(inst, 0), s.dst))
      return false;
   if (op->writes_scc) {
      wave->scc = s.scc;
      wave->scc_undef = s.scc_undef;
   }
   return true;
}

/* Branches ------------------------------------------------------------------------------------- */

/* Words from the next instruction. */
static bool
jump(hd_gcn_wave *wave, const hd_mach_inst *inst, bool taken)
{
   if (taken)
      wave->next_pc += (uint64_t)((int64_t)(int16_t)inst->imm * 4);
   return true;
}

static bool
jump_if(hd_gcn_wave *wave, const hd_mach_inst *inst, bool value, bool undef, const char *what)
{
   if (undef)
      return hd_gcn_fault(wave, -1, "a branch on undefined %s", what);
   return jump(wave, inst, value);
}

static bool
jump_vcc(hd_gcn_wave *wave, const hd_mach_inst *inst, bool zero)
{
   const hd_gcn_scalar vcc = hd_gcn_read_pair(wave, HD_GCN_VCC);
   return jump_if(wave, inst, (vcc.value == 0) == zero, nonzero_undef(vcc.value, vcc.undef),
                  zero ? "vccz" : "vccnz");
}

static bool
jump_to(hd_gcn_wave *wave, const hd_mach_inst *inst, bool link)
{
   hd_gcn_scalar target;

   if (!hd_gcn_read_scalar(wave, *hd_mach_src(inst, 0), HD_GCN_B64, &target) ||
       !hd_mach_need(wave, target, "the target of a jump"))
      return false;
   if (target.value % 4)
      return hd_gcn_fault(wave, -1, "the target of a jump is not aligned to 4 bytes");
   if (link &&
       !hd_gcn_write_scalar(wave, *hd_mach_def(inst, 0), (hd_gcn_scalar){ wave->next_pc, 0 }))
      return false;
   wave->next_pc = target.value;
   return true;
}

/* Registers by number -------------------------------------------------------------------------- */

/* m0 is added to the number of the source or of the destination. */
static bool
move_relative(hd_gcn_wave *wave, const hd_mach_inst *inst, bool source)
{
   hd_mach_operand from = *hd_mach_src(inst, 0), to = *hd_mach_def(inst, 0);
   const hd_gcn_scalar m0 = { wave->sgpr[HD_GCN_M0], wave->sgpr_undef[HD_GCN_M0] };
   hd_mach_operand *moved = source ? &from : &to;
   hd_gcn_scalar value;

   if (!hd_mach_need(wave, m0, "the number of a register"))
      return false;
   if (m0.value >= wave->num_sgprs || moved->reg + m0.value + moved->size > wave->num_sgprs)
      return hd_gcn_fault(wave, -1,
                          "register indexing by m0 is out of range of the scalar registers");
   moved->reg = (uint16_t)(moved->reg + m0.value);
   return hd_gcn_read_scalar(wave, from, from.size == 2 ? HD_GCN_B64 : HD_GCN_B32, &value) &&
          hd_gcn_write_scalar(wave, to, value);
}

/* The mode in which m0 moves vector registers: m0[7:0] is by how much, m0[15:12] which operands. */
static bool
set_index_mode(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   uint32_t *m0 = &wave->sgpr[HD_GCN_M0], *undef = &wave->sgpr_undef[HD_GCN_M0];
   const bool on = inst->op == HD_GCN_S_SET_GPR_IDX_ON;
   hd_gcn_scalar index;

   if (inst->op == HD_GCN_S_SET_GPR_IDX_OFF) {
      wave->mode &= ~(UINT32_C(1) << HD_GCN_MODE_GPR_IDX);
      return true;
   }
   if (on || inst->op == HD_GCN_S_SET_GPR_IDX_IDX) {
      if (!hd_gcn_read_scalar(wave, *hd_mach_src(inst, 0), HD_GCN_B32, &index))
         return false;
      *m0 = (*m0 & ~0xffu) | (index.value & 0xff);
      *undef = (*undef & ~0xffu) | (index.undef & 0xff);
   }
   if (on || inst->op == HD_GCN_S_SET_GPR_IDX_MODE) {
      *m0 = (*m0 & ~0xf000u) | ((uint32_t)inst->imm & 15) << 12;
      *undef &= ~0xf000u;
   }
   if (on)
      wave->mode |= UINT32_C(1) << HD_GCN_MODE_GPR_IDX;
   return true;
}

/* The rest ------------------------------------------------------------------------------------- */

static bool
run_control(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const uint64_t exec = hd_gcn_exec(wave);

   switch (inst->op) {
   case HD_GCN_S_BRANCH:
      return jump(wave, inst, true);
   case HD_GCN_S_CBRANCH_SCC0:
      return jump_if(wave, inst, !wave->scc, wave->scc_undef, "scc");
   case HD_GCN_S_CBRANCH_SCC1:
      return jump_if(wave, inst, wave->scc, wave->scc_undef, "scc");
   case HD_GCN_S_CBRANCH_VCCZ:
      return jump_vcc(wave, inst, true);
   case HD_GCN_S_CBRANCH_VCCNZ:
      return jump_vcc(wave, inst, false);
   case HD_GCN_S_CBRANCH_EXECZ:
      return jump(wave, inst, exec == 0);
   case HD_GCN_S_CBRANCH_EXECNZ:
      return jump(wave, inst, exec != 0);
   case HD_GCN_S_GETPC_B64:
      return hd_gcn_write_scalar(wave, *hd_mach_def(inst, 0), (hd_gcn_scalar){ wave->next_pc, 0 });
   case HD_GCN_S_SETPC_B64:
      return jump_to(wave, inst, false);
   case HD_GCN_S_SWAPPC_B64:
      return jump_to(wave, inst, true);
   case HD_GCN_S_CALL_B64:
      return hd_gcn_write_scalar(wave, *hd_mach_def(inst, 0),
                                 (hd_gcn_scalar){ wave->next_pc, 0 }) &&
             jump(wave, inst, true);
   case HD_GCN_S_GETREG_B32:
   case HD_GCN_S_SETREG_B32:
   case HD_GCN_S_SETREG_IMM32_B32:
   case HD_GCN_S_SETVSKIP:
   case HD_GCN_S_CBRANCH_G_FORK:
   case HD_GCN_S_CBRANCH_I_FORK:
   case HD_GCN_S_CBRANCH_JOIN:
      return hd_gcn_execute_state(wave, inst);
   case HD_GCN_S_MOVRELS_B32:
   case HD_GCN_S_MOVRELS_B64:
      return move_relative(wave, inst, true);
   case HD_GCN_S_MOVRELD_B32:
   case HD_GCN_S_MOVRELD_B64:
      return move_relative(wave, inst, false);
   case HD_GCN_S_SET_GPR_IDX_ON:
   case HD_GCN_S_SET_GPR_IDX_OFF:
   case HD_GCN_S_SET_GPR_IDX_IDX:
   case HD_GCN_S_SET_GPR_IDX_MODE:
      return set_index_mode(wave, inst);
   case HD_GCN_S_TRAP:
      /* Without a debugger llvm.debugtrap (3) goes on; llvm.trap is 2. */
      return (inst->imm & 255) == 3 ||
             hd_gcn_fault(wave, -1, "the program executes trap %u", (unsigned)inst->imm & 255);
   default:
      /* s_setprio and the like are hints; what asks for a debugger finds none, nor does what
       * traces. */
      return true;
   }
}

bool
hd_gcn_execute_scalar(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const hd_gcn_salu_op *op = &hd_gcn_salu_ops[inst->op];

   return op->run ? run_expression(wave, inst, op) : run_control(wave, inst);
}
