/* SPDX-License-Identifier: MIT */
/* insert_waits.c - s_waitcnt: GCN's counters for the waits of the machine layer, and vccz.
 *
 *    buffer_load_dword v1, ...                buffer_load_dword v1, ...
 *    buffer_load_dword v2, ...         =>     buffer_load_dword v2, ...
 *    v_add_f32 v3, v1, v1                     s_waitcnt vmcnt(1)
 *                                             v_add_f32 v3, v1, v1
 *
 * machine/waits.c has the algorithm. The bit of state that it keeps for the target: vccz is stale
 * (on gfx6, a scalar load that returns may corrupt vccz until vcc is written again).
 *
 * Tests:     tests/backend/gcn/test_insert_waits.c
 */
#include "backend/gcn/insert_waits.h"

static hd_mach_inst *
make_wait(hd_mach_program *p, const uint8_t *counts)
{
   hd_mach_inst *wait = hd_gcn_inst_create(p, HD_GCN_S_WAITCNT, 0, 0);

   wait->imm = hd_gcn_wait_pack(hd_gcn_target_in(p), counts);
   return wait;
}

static void
read_wait(const hd_mach_program *p, const hd_mach_inst *wait, uint8_t *counts)
{
   hd_gcn_wait_unpack(hd_gcn_target_in(p), wait->imm, counts);
}

static hd_mach_in_flight
in_flight(const hd_mach_program *p, const hd_mach_inst *inst)
{
   return hd_gcn_in_flight_of(hd_gcn_target_in(p), inst);
}

static bool
reads_late(const hd_mach_program *p, const hd_mach_inst *inst, unsigned n)
{
   return hd_gcn_reads_late(hd_gcn_target_in(p), inst, n);
}

static bool
reads_vccz(const hd_mach_inst *inst)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (hd_mach_src(inst, n)->size && hd_mach_src(inst, n)->reg == HD_GCN_VCCZ)
         return true;
   }
   return inst->op == HD_GCN_S_CBRANCH_VCCZ || inst->op == HD_GCN_S_CBRANCH_VCCNZ;
}

/* LDS by who writes it through vector memory. gfx6: a scalar load that comes back meanwhile spoils
 * vccz.
 */
static hd_mach_wait_need
needs(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const unsigned latency = hd_gcn_op_info_of(inst)->mach.latency;
   hd_mach_wait_need need = { 0 };

   if (latency == HD_GCN_LATENCY_LDS || latency == HD_GCN_LATENCY_FLAT)
      need.special = 1 << HD_GCN_VMCNT;
   if (hd_gcn_target_in(p)->gen == HD_GCN_GFX600 && reads_vccz(inst))
      need.unordered = 1 << HD_GCN_LGKMCNT;
   return need;
}

/* vccz follows vcc only when a vector instruction, or a scalar one of 64 bits, writes it. On gfx6
 * a scalar load on its way spoils it even then.
 */
static bool
is_stale(const struct hd_mach_waiter *w, const hd_mach_inst *inst, bool stale)
{
   const bool scalar_load = hd_gcn_op_info_of(inst)->mach.latency == HD_GCN_LATENCY_SMEM;
   const bool gfx6 = hd_gcn_target_in(hd_mach_waiter_program(w))->gen == HD_GCN_GFX600;

   for (unsigned n = 0; n < inst->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(inst, n);
      if (!def->size || def->reg + def->size <= HD_GCN_VCC || def->reg > HD_GCN_VCC + 1)
         continue;
      const bool both = def->reg <= HD_GCN_VCC && def->reg + def->size >= HD_GCN_VCC + 2;
      stale = !both || scalar_load || (gfx6 && hd_mach_is_unordered(w, HD_GCN_LGKMCNT));
   }
   return stale || (gfx6 && scalar_load);
}

/* vcc to itself: sets vccz. */
static hd_mach_inst *
restore_vccz(hd_mach_program *p)
{
   hd_mach_inst *copy = hd_gcn_inst_create(p, HD_GCN_S_MOV_B64, 1, 1);

   *hd_mach_def(copy, 0) = hd_mach_operand_reg(HD_GCN_VCC, 2);
   *hd_mach_src(copy, 0) = hd_mach_operand_reg(HD_GCN_VCC, 2);
   return copy;
}

bool
hd_gcn_insert_waits(hd_mach_program *p)
{
   const hd_gcn_target *target = hd_gcn_target_in(p);
   const hd_mach_waits waits = {
      .counters = { [HD_GCN_VMCNT] = { .limit = (uint8_t)target->max_vmcnt },
                    [HD_GCN_LGKMCNT] = { .limit = (uint8_t)target->max_lgkmcnt, .linear = true },
                    [HD_GCN_EXPCNT] = { .limit = (uint8_t)target->max_expcnt, .of_reads = true } },
      .num_counters = HD_GCN_NUM_COUNTERS,
      .wait = HD_GCN_S_WAITCNT,
      .make = make_wait,
      .read = read_wait,
      .in_flight = in_flight,
      .reads_late = reads_late,
      .needs = needs,
      .next = is_stale,
      .must_mend = reads_vccz,
      .mend = restore_vccz,
   };

   hd_mach_insert_waits(p, &waits);
   return true;
}
