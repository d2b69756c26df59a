/* SPDX-License-Identifier: MIT */
/* wait_events.c - s_waitcnt: which instruction increments which counter. */
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
