/* SPDX-License-Identifier: MIT */
/* insert_waits.h - s_waitcnt: what is in flight, by counter.
 *
 *    counter   counts up with                     comes back
 *    vmcnt     vector memory: loads and stores    in the order of issue, FLAT in any
 *    lgkmcnt   LDS                                in the order of issue
 *              scalar loads, messages, GDS, FLAT  in any order
 *    expcnt    gfx6: stores, until they have      in the order of issue, GDS in any
 *              read their data
 */
#ifndef HEDDLE_BACKEND_GCN_INSERT_WAITS_H
#define HEDDLE_BACKEND_GCN_INSERT_WAITS_H

#include "backend/gcn/program.h"
#include "machine/waits.h"

typedef enum hd_gcn_counter {
   HD_GCN_VMCNT,
   HD_GCN_LGKMCNT,
   HD_GCN_EXPCNT,
   HD_GCN_NUM_COUNTERS,
} hd_gcn_counter;

/* Memory that an access can touch: hd_mach_inst.memory without HD_MACH_MEMORY_VOLATILE, or what the
 * format can reach where nothing is specified.
 */
unsigned hd_gcn_memory_of(const hd_mach_inst *inst);

/* What an instruction leaves in flight; special is vector memory on its way to LDS. */
hd_mach_in_flight hd_gcn_in_flight_of(const hd_gcn_target *target, const hd_mach_inst *inst);

/* Whether source `n` is read after the instruction is issued: until expcnt says so. */
bool hd_gcn_reads_late(const hd_gcn_target *target, const hd_mach_inst *inst, unsigned n);

/* The most that a counter of the target can be waited down to: all that is more is no wait. */
unsigned hd_gcn_no_wait(const hd_gcn_target *target, hd_gcn_counter counter);

/* The immediate of s_waitcnt, both ways. */
int32_t hd_gcn_wait_pack(const hd_gcn_target *target, const uint8_t counts[HD_GCN_NUM_COUNTERS]);
void hd_gcn_wait_unpack(const hd_gcn_target *target, int32_t imm,
                        uint8_t counts[HD_GCN_NUM_COUNTERS]);

#endif
