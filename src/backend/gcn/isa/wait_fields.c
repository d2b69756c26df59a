/* SPDX-License-Identifier: MIT */
/* wait_fields.c - the operand of s_waitcnt.
 *
 * vmcnt has bits 0 to 3, on gfx9 14 and 15 above them; expcnt 4 to 6; lgkmcnt 8 to 11.
 */
#include "backend/gcn/isa/wait_fields.h"

const char *const hd_gcn_counter_names[HD_GCN_NUM_COUNTERS] = { "vmcnt", "lgkmcnt", "expcnt" };
const uint8_t hd_gcn_counters_in_text[HD_GCN_NUM_COUNTERS] = { HD_GCN_VMCNT, HD_GCN_EXPCNT,
                                                               HD_GCN_LGKMCNT };

unsigned
hd_gcn_no_wait(const hd_gcn_target *target, hd_gcn_counter counter)
{
   return counter == HD_GCN_VMCNT     ? target->max_vmcnt
          : counter == HD_GCN_LGKMCNT ? target->max_lgkmcnt
                                      : target->max_expcnt;
}

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
