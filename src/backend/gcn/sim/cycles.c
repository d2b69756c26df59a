/* SPDX-License-Identifier: MIT */
/* cycles.c - timing model: estimates when instructions issue, for a wave alone on its SIMD.
 *
 * A SIMD looks at its waves every 4 cycles and issues one instruction of a wave. A vector
 * instruction takes the 16 lanes of the unit 4 cycles, one of a lower rate more; the next one of
 * the wave issues when it has finished, and can read its result. A taken branch flushes the
 * instruction buffer. Memory has a fixed latency, and a unit handles one access after another. Caches,
 * bank conflicts and other waves are not modelled: use the numbers to compare code, not to predict a
 * chip.
 */
#include "backend/gcn/sim/machine.h"

enum {
   ISSUE = 4,
   TAKEN = 16,      /* a branch that jumps */
   SLEEP = 64,      /* a unit of s_sleep */
   SMEM_TIME = 128, /* until the data is there */
   LDS_TIME = 64,
   VMEM_TIME = 320,
   STORE_READ = 64, /* until stored data has been read */
   SMEM_BUSY = 4,   /* until the unit takes the next one */
   LDS_BUSY = 8,    /* a dword of 64 lanes */
   VMEM_BUSY = 16,  /* the addresses of 64 lanes, or a dword of each */
};

uint32_t
hd_gcn_clock_cost(hd_gcn_gen gen, const hd_mach_inst *inst)
{
   (void)gen;
   if (inst->op == HD_GCN_S_NOP)
      return ISSUE * ((uint32_t)(inst->imm & 15) + 1);
   if (inst->op == HD_GCN_S_SLEEP)
      return ISSUE + SLEEP * (uint32_t)(inst->imm & 127);
   switch ((hd_gcn_latency)hd_gcn_op_info_of(inst)->mach.latency) {
   case HD_GCN_LATENCY_HALF:
      return 2 * ISSUE;
   case HD_GCN_LATENCY_QUARTER:
      return 4 * ISSUE;
   default:
      return ISSUE;
   }
}

completion
hd_gcn_clock_memory(hd_gcn_wave *wave, const fetched *f, bool in_lds)
{
   hd_gcn_clock *c = wave->clock;
   enum unit unit = UNIT_SMEM;
   uint32_t time = SMEM_TIME, busy = SMEM_BUSY;
   uint32_t dwords = 0;

   for (unsigned n = 0; n < 4; n++)
      dwords += (uint32_t)__builtin_popcountll(f->vwrites.word[n] | f->stored.word[n]);
   if (in_lds) {
      unit = UNIT_LDS;
      time = LDS_TIME;
      busy = LDS_BUSY * (dwords ? dwords : 1);
   } else if (f->flags & (FETCHED_VMEM | FETCHED_EXPORT)) {
      unit = UNIT_VMEM;
      time = VMEM_TIME;
      busy = VMEM_BUSY * (dwords ? dwords : 1);
   }
   const uint64_t start = c->now > c->free[unit] ? c->now : c->free[unit];
   c->free[unit] = start + busy;
   return (completion){ .done = start + time + busy, .read = start + STORE_READ };
}

void
hd_gcn_clock_stall(hd_gcn_wave *wave, uint64_t until)
{
   hd_gcn_clock *c = wave->clock;

   if (until > c->now) {
      c->stalls += until - c->now;
      c->now = until;
   }
}

void
hd_gcn_clock_issue(hd_gcn_wave *wave, const fetched *f, bool taken)
{
   hd_gcn_clock *c = wave->clock;
   const uint32_t cost = taken ? TAKEN : f->cost;

   c->now += cost;
   if (f->kind == HD_GCN_SIM_WAIT)
      c->stalls += cost - ISSUE;
}

void
hd_gcn_clock_add(hd_gcn_wave *wave, hd_gcn_sim_stats *stats)
{
   const hd_gcn_clock *c = wave->clock;
   const uint32_t waves = wave->machine->options->occupancy ? wave->machine->options->occupancy : 1;
   const uint64_t busy = c->now - c->stalls;
   /* What one waits for, others fill, as long as they have something to issue. */
   const uint64_t all = busy * waves > c->now ? busy * waves : c->now;

   stats->cycles += all / waves;
   stats->stalls += c->stalls;
   if (all > stats->longest)
      stats->longest = all;
}

uint64_t
hd_gcn_now(const hd_gcn_wave *wave)
{
   return wave->clock->now;
}
