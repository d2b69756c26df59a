/* SPDX-License-Identifier: MIT */
/* exec_lanes.c - vector instructions that are no loop over lanes: cross-lane moves, reads to scalars,
 * registers indexed by m0.
 */
#include "backend/gcn/sim/exec.h"

#include "backend/gcn/sim/lane_bits.h"

/* The lane that a scalar operand says. */
static bool
lane_number(hd_gcn_wave *wave, hd_mach_operand operand, unsigned *lane)
{
   hd_gcn_scalar s;

   if (!hd_gcn_read_scalar(wave, operand, HD_GCN_U32, &s) ||
       !hd_mach_need(wave, s, "the number of a lane"))
      return false;
   if (s.value >= LANES)
      return hd_gcn_fault(wave, -1, "lane number %u, expected less than %u", (unsigned)s.value,
                          (unsigned)LANES);
   *lane = (unsigned)s.value;
   return true;
}

static bool
read_lane(hd_gcn_wave *wave, const hd_mach_inst *inst, unsigned lane)
{
   const hd_mach_operand from = *hd_mach_src(inst, 0);

   if (!hd_gcn_is_vgpr(from))
      return hd_gcn_fault(wave, -1, "expected a vector register");
   const unsigned reg = hd_gcn_vgpr_of(from);
   return hd_gcn_write_scalar(
       wave, *hd_mach_def(inst, 0),
       (hd_gcn_scalar){ wave->vgpr[reg][lane], wave->vgpr_undef[reg][lane] });
}

static bool
write_lane(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const unsigned reg = hd_gcn_vgpr_of(*hd_mach_def(inst, 0));
   hd_gcn_scalar value;
   unsigned lane = 0;

   if (!hd_gcn_read_scalar(wave, *hd_mach_src(inst, 0), HD_GCN_B32, &value) ||
       !lane_number(wave, *hd_mach_src(inst, 1), &lane))
      return false;
   wave->vgpr[reg][lane] = (uint32_t)value.value;
   wave->vgpr_undef[reg][lane] = (uint32_t)value.undef;
   return true;
}

/* m0 is added to the number of the source register, of the result's, or of both. */
static bool
move_relative(hd_gcn_wave *wave, const hd_mach_inst *inst, bool source, bool result)
{
   const hd_gcn_scalar m0 = { wave->sgpr[HD_GCN_M0], wave->sgpr_undef[HD_GCN_M0] };
   const hd_mach_operand from = *hd_mach_src(inst, 0);
   const unsigned to = hd_gcn_vgpr_of(*hd_mach_def(inst, 0));
   const uint64_t reg = to + (result ? m0.value : 0);
   hd_gcn_scalar value = { 0 };
   uint64_t first = 0;

   if (!hd_mach_need(wave, m0, "the number of a register"))
      return false;
   if (hd_gcn_is_vgpr(from))
      first = hd_gcn_vgpr_of(from) + (source ? m0.value : 0);
   else if (!hd_gcn_read_scalar(wave, from, HD_GCN_B32, &value))
      return false;
   if (reg >= wave->num_vgprs || first >= wave->num_vgprs)
      return hd_gcn_fault(wave, -1,
                          "register indexing by m0 is out of range of the vector registers");
   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      const bool vector = hd_gcn_is_vgpr(from);
      wave->vgpr[reg][l] = vector ? wave->vgpr[first][l] : (uint32_t)value.value;
      wave->vgpr_undef[reg][l] = vector ? wave->vgpr_undef[first][l] : (uint32_t)value.undef;
   }
   return true;
}

/* Dword n of an operand in one lane. */
static bool
dword_of(hd_gcn_wave *wave, hd_mach_operand operand, unsigned n, unsigned lane, uint32_t *value,
         uint32_t *undef)
{
   hd_gcn_scalar s;

   if (hd_gcn_is_vgpr(operand)) {
      *value = wave->vgpr[hd_gcn_vgpr_of(operand) + n][lane];
      *undef = wave->vgpr_undef[hd_gcn_vgpr_of(operand) + n][lane];
      return true;
   }
   if (!hd_gcn_read_scalar(wave, operand, operand.size == 2 ? HD_GCN_B64 : HD_GCN_B32, &s))
      return false;
   *value = (uint32_t)(s.value >> 32 * n);
   *undef = (uint32_t)(s.undef >> 32 * n);
   return true;
}

/* Four sums of byte distances, from four places of the first operand, onto four dwords. */
static bool
quad_sads(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const unsigned dst = hd_gcn_vgpr_of(*hd_mach_def(inst, 0));
   const bool clamp = inst->bits & HD_GCN_CLAMP;

   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      uint32_t a[2], b, c[4], ua[2], ub, uc[4];
      if (!dword_of(wave, *hd_mach_src(inst, 0), 0, (unsigned)l, &a[0], &ua[0]) ||
          !dword_of(wave, *hd_mach_src(inst, 0), 1, (unsigned)l, &a[1], &ua[1]) ||
          !dword_of(wave, *hd_mach_src(inst, 1), 0, (unsigned)l, &b, &ub))
         return false;
      for (unsigned n = 0; n < 4; n++) {
         if (!dword_of(wave, *hd_mach_src(inst, 2), n, (unsigned)l, &c[n], &uc[n]))
            return false;
      }
      for (unsigned n = 0; n < 4; n++) {
         const uint64_t wide = a[0] | (uint64_t)a[1] << 32;
         const uint64_t sum = (uint64_t)msad_u8((uint32_t)(wide >> 8 * n), b) + c[n];
         wave->vgpr[dst + n][l] = clamp && sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
         wave->vgpr_undef[dst + n][l] = ua[0] | ua[1] | ub | uc[n] ? UINT32_MAX : 0;
      }
   }
   return true;
}

bool
hd_gcn_execute_lanes(hd_gcn_wave *wave, const hd_mach_inst *inst)
{
   const uint64_t exec = hd_gcn_exec(wave);
   unsigned lane = 0;

   switch (inst->op) {
   case HD_GCN_V_NOP:
   case HD_GCN_V_CLREXCP:
      return true;
   case HD_GCN_V_READFIRSTLANE_B32:
      return read_lane(wave, inst, exec ? (unsigned)__builtin_ctzll(exec) : 0);
   case HD_GCN_V_READLANE_B32:
      return lane_number(wave, *hd_mach_src(inst, 1), &lane) && read_lane(wave, inst, lane);
   case HD_GCN_V_WRITELANE_B32:
      return write_lane(wave, inst);
   case HD_GCN_V_MOVRELD_B32:
      return move_relative(wave, inst, false, true);
   case HD_GCN_V_MOVRELS_B32:
      return move_relative(wave, inst, true, false);
   case HD_GCN_V_MOVRELSD_B32:
      return move_relative(wave, inst, true, true);
   case HD_GCN_V_MQSAD_U32_U8:
      return quad_sads(wave, inst);
   default:
      return hd_gcn_fault(wave, -1, "the simulator does not run this vector instruction");
   }
}
