/* SPDX-License-Identifier: MIT */
/* run_machine.h - heddle run --target: compiled, and run in the simulator. */
#ifndef HEDDLE_TOOLS_RUN_MACHINE_H
#define HEDDLE_TOOLS_RUN_MACHINE_H

#include "tool.h"

/* What the tool was asked to show goes to standard output: --trace, --lanes-table; --stats to
 * standard error. The shader's sink is told what failed. The interface is that of a driver, made
 * for the launch.
 */
hd_result run_on_machine(tool *t, const hd_shader *shader, hd_gcn_options options,
                         const hd_wave_launch *launch);

#endif
