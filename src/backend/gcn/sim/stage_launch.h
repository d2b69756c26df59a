/* SPDX-License-Identifier: MIT */
/* stage_launch.h - launch vertex and fragment shaders as hd_wave_run does: waves as a draw or a rasteriser
 * starts them, and what they export as the launch's outputs.
 */
#ifndef HEDDLE_BACKEND_GCN_SIM_STAGE_LAUNCH_H
#define HEDDLE_BACKEND_GCN_SIM_STAGE_LAUNCH_H

#include "backend/gcn/sim/regions.h"

typedef struct hd_gcn_stage_launch {
   hd_stack *stack;
   places *places;
   const hd_gcn_binary *binary;
   const hd_gcn_driver_abi *abi;
   const hd_shader *shader;
   const hd_wave_launch *from;
   hd_gcn_sim_launch *to;
   uint32_t group_lanes, waves_of_group, num_invocations;
   hd_gcn_sim_start *starts;
} hd_gcn_stage_launch;

/* `to` gets its waves, user SGPRs of the stage, and who receives exports; it unwinds where the machine
 * cannot have what the launch has.
 */
void hd_gcn_stage_launch_start(hd_gcn_stage_launch *s);

/* stage_exports.c: hd_gcn_sim_launch.receive. */
void hd_gcn_stage_receive(void *stage, const hd_gcn_sim_export *what);

/* stage_given.c */

/* What the launch gives, or takes, for this intrinsic; NULL: nothing. */
const hd_wave_builtin *hd_gcn_stage_given(const hd_gcn_stage_launch *s, hd_intrinsic_id id,
                                          uint32_t mode, uint32_t location);

/* The number in the dispatch of a lane. */
uint64_t hd_gcn_stage_invocation(const hd_gcn_stage_launch *s, uint32_t wave, unsigned lane);

#endif
