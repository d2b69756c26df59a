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

#include "backend/gcn/isa/wait_fields.h"
#include "machine/waits.h"

/* Memory that an access can touch: hd_mach_inst.memory without HD_MACH_MEMORY_VOLATILE, or what the
 * format can reach where nothing is specified.
 */
unsigned hd_gcn_memory_of(const hd_mach_inst *inst);

/* What an instruction leaves in flight; special is vector memory on its way to LDS. */
hd_mach_in_flight hd_gcn_in_flight_of(const hd_gcn_target *target, const hd_mach_inst *inst);

/* Whether source `n` is read after the instruction is issued: until expcnt says so. */
bool hd_gcn_reads_late(const hd_gcn_target *target, const hd_mach_inst *inst, unsigned n);

#endif
