/* SPDX-License-Identifier: MIT */
/* wait_events.c - s_waitcnt: which instruction increments which counter, and the fields of the operand.
 */
#include "backend/gcn/insert_waits.h"

unsigned
hd_gcn_memory_of(const hd_mach_inst *inst)
{
   unsigned memory = inst->memory & ~(unsigned)HD_MACH_MEMORY_VOLATILE;

   if (memory)
      return memory;
   switch (hd_gcn_op_info_of(inst)->format) {
   case HD_GCN_DS:
      return HD_MACH_MEMORY_SHARED;
   case HD_GCN_FLAT:
      return HD_MACH_MEMORY_GLOBAL | HD_MACH_MEMORY_SHARED | HD_MACH_MEMORY_SCRATCH;
   case HD_GCN_SCRATCH:
      return HD_MACH_MEMORY_SCRATCH;
   default:
      return HD_MACH_MEMORY_GLOBAL;
   }
}

hd_mach_in_flight
hd_gcn_in_flight_of(const hd_gcn_target *target, const hd_mach_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const bool stores = info->mach.flags & HD_MACH_STORES;
   const bool moves = inst->num_defs || (info->mach.flags & (HD_MACH_LOADS | HD_MACH_STORES));
   const bool gds = inst->bits & HD_GCN_GDS;
   hd_mach_in_flight in_flight = { .shared = false };

   /* What no operand and no flag shows in memory (cache control) is left out: to count too little
    * is to wait a little longer, to count too much is to wait too little.
    */
   if (info->mach.latency == HD_GCN_LATENCY_MESSAGE)
      in_flight.event[HD_GCN_LGKMCNT] = HD_MACH_ANY_ORDER;
   /* Colours, positions and parameters leave in orders of their own. */
   if (info->mach.latency == HD_GCN_LATENCY_EXPORT)
      in_flight.event[HD_GCN_EXPCNT] = HD_MACH_ANY_ORDER;
   if (!moves)
      return in_flight;
   switch (info->mach.latency) {
   case HD_GCN_LATENCY_SMEM:
      in_flight.event[HD_GCN_LGKMCNT] = HD_MACH_ANY_ORDER;
      break;
   case HD_GCN_LATENCY_LDS:
      in_flight.event[HD_GCN_LGKMCNT] = gds ? HD_MACH_ANY_ORDER : HD_MACH_IN_ORDER;
      if (gds && target->gen == HD_GCN_GFX600)
         in_flight.event[HD_GCN_EXPCNT] = HD_MACH_ANY_ORDER;
      break;
   case HD_GCN_LATENCY_FLAT:
      if (hd_gcn_memory_of(inst) & HD_MACH_MEMORY_SHARED) {
         in_flight.event[HD_GCN_VMCNT] = HD_MACH_ANY_ORDER;
         in_flight.event[HD_GCN_LGKMCNT] = HD_MACH_ANY_ORDER;
         break;
      }
      /* fall through */
   case HD_GCN_LATENCY_VMEM:
      in_flight.event[HD_GCN_VMCNT] = HD_MACH_IN_ORDER;
      if (stores && target->gen == HD_GCN_GFX600)
         in_flight.event[HD_GCN_EXPCNT] = HD_MACH_IN_ORDER;
      in_flight.special = inst->bits & HD_GCN_LDS ? 1 << HD_GCN_VMCNT : 0;
      break;
   default:
      return in_flight;
   }
   in_flight.shared =
       stores || in_flight.special ||
       ((info->mach.flags & HD_MACH_LOADS) && !(inst->memory & HD_MACH_MEMORY_CONSTANT));
   if (hd_gcn_memory_of(inst) == HD_MACH_MEMORY_SCRATCH)
      in_flight.shared = false;
   return in_flight;
}

bool
hd_gcn_reads_late(const hd_gcn_target *target, const hd_mach_inst *inst, unsigned n)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (info->format == HD_GCN_EXPORT)
      return true;
   if (target->gen != HD_GCN_GFX600)
      return false;
   if (hd_gcn_is_buffer(info) || info->format == HD_GCN_MIMG)
      return n == 0 && (info->mach.flags & HD_MACH_STORES);
   return info->format == HD_GCN_DS && (inst->bits & HD_GCN_GDS);
}

unsigned
hd_gcn_no_wait(const hd_gcn_target *target, hd_gcn_counter counter)
{
   return counter == HD_GCN_VMCNT     ? target->max_vmcnt
          : counter == HD_GCN_LGKMCNT ? target->max_lgkmcnt
                                      : target->max_expcnt;
}

/* vmcnt has bits 0 to 3, on gfx9 14 and 15 above them; expcnt 4 to 6; lgkmcnt 8 to 11. */

int32_t
hd_gcn_wait_pack(const hd_gcn_target *target, const uint8_t counts[HD_GCN_NUM_COUNTERS])
{
   unsigned clipped[HD_GCN_NUM_COUNTERS];

   for (unsigned c = 0; c < HD_GCN_NUM_COUNTERS; c++) {
      const unsigned most = hd_gcn_no_wait(target, (hd_gcn_counter)c);
      clipped[c] = counts[c] < most ? counts[c] : most;
   }
   return (int32_t)((clipped[HD_GCN_VMCNT] & 15) | clipped[HD_GCN_VMCNT] >> 4 << 14 |
                    clipped[HD_GCN_EXPCNT] << 4 | clipped[HD_GCN_LGKMCNT] << 8);
}

void
hd_gcn_wait_unpack(const hd_gcn_target *target, int32_t imm, uint8_t counts[HD_GCN_NUM_COUNTERS])
{
   const unsigned bits = (unsigned)imm & 0xffff;

   counts[HD_GCN_VMCNT] = (uint8_t)((bits & 15) | (target->max_vmcnt > 15 ? bits >> 14 << 4 : 0));
   counts[HD_GCN_EXPCNT] = bits >> 4 & 7;
   counts[HD_GCN_LGKMCNT] = bits >> 8 & 15;
}
