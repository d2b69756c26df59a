/* SPDX-License-Identifier: MIT */
/* barriers.c - instruction selection of barriers: s_waitcnt, s_barrier, cache invalidation; and of clocks,
 * which are ordered like barriers.
 *
 *    release     what this wave wrote has reached where the scope sees it: the counters are waited
 *                for. Stores go through to the second level, which the device shares.
 *    execution   s_barrier, if the workgroup has more than one wave
 *    acquire     of the device: the first-level cache is invalidated. The waves of a workgroup
 *                share it.
 *
 * The memory operations of one wave are seen by itself in their order, without any of this.
 */
#include "backend/gcn/abi/abi.h"
#include "backend/gcn/isa/wait_fields.h"
#include "backend/gcn/select/lane_masks.h"

static bool
has_one_wave(const hd_gcn_selector *s)
{
   const uint32_t lanes = hd_gcn_workgroup_lanes(s->p->shader);

   return lanes && lanes <= 64;
}

static void
wait_for(hd_gcn_selector *s, bool vector_memory, bool lds)
{
   const uint8_t counts[HD_GCN_NUM_COUNTERS] = { [HD_GCN_VMCNT] = vector_memory ? 0 : UINT8_MAX,
                                                 [HD_GCN_LGKMCNT] = lds ? 0 : UINT8_MAX,
                                                 [HD_GCN_EXPCNT] = UINT8_MAX };

   hd_gcn_emit_full(s, HD_GCN_S_WAITCNT, 0, NULL, 0, NULL, 0)->imm =
       hd_gcn_wait_pack(hd_gcn_target_in(s->p), counts);
}

bool
hd_gcn_select_barrier(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const uint32_t memory = hd_intrinsic_index(i, HD_INDEX_MEMORY);
   const uint32_t semantics = hd_intrinsic_index(i, HD_INDEX_SEMANTICS);
   const uint32_t scope = hd_intrinsic_index(i, HD_INDEX_MEM_SCOPE);
   const bool alone = has_one_wave(s);
   const bool global = memory & (HD_MEMORY_GLOBAL | HD_MEMORY_BUFFER);
   const bool lds = memory & HD_MEMORY_SHARED && !alone;
   const bool of_device = scope >= HD_SCOPE_DEVICE && global;
   const bool of_workgroup = scope >= HD_SCOPE_WORKGROUP && !alone && (global || lds);

   if (semantics && (of_device || of_workgroup))
      wait_for(s, global, lds);
   if (hd_intrinsic_index(i, HD_INDEX_EXEC_SCOPE) >= HD_SCOPE_WORKGROUP && !alone)
      hd_gcn_emit_full(s, HD_GCN_S_BARRIER, 0, NULL, 0, NULL, 0);
   if (semantics & HD_SEMANTICS_ACQUIRE && of_device)
      hd_gcn_emit_full(s,
                       hd_gcn_target_in(s->p)->gen == HD_GCN_GFX900 ? HD_GCN_BUFFER_WBINVL1_VOL
                                                                    : HD_GCN_BUFFER_WBINVL1,
                       0, NULL, 0, NULL, 0);
   return true;
}

/* s_memtime counts the cycles of the chip, s_memrealtime those of the device's reference clock. Both
 * come back as scalar loads do, and are waited for as these are.
 */
bool
hd_gcn_select_clock(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const bool of_device = hd_intrinsic_index(i, HD_INDEX_CLOCK_SCOPE) > HD_SCOPE_SUBGROUP;
   hd_mach_operand now = hd_gcn_new(s, HD_GCN_SGPR, 2);

   if (of_device && hd_gcn_target_in(s->p)->gen == HD_GCN_GFX600)
      return hd_mach_refuse(
          s->p, &i->instr,
          "expected the clock of the subgroup, found that of the device: gfx803 and later have it");
   hd_gcn_emit(s, of_device ? HD_GCN_S_MEMREALTIME : HD_GCN_S_MEMTIME, now, 0, NULL);
   hd_gcn_set_value(s, &i->instr.def, now);
   return true;
}
