/* SPDX-License-Identifier: MIT */
/* gcn.h - what the files of the tool that know GCN share. */
#ifndef HEDDLE_TOOLS_GCN_H
#define HEDDLE_TOOLS_GCN_H

#include "targets.h"

#include "heddle/gcn.h"
#include "heddle/target.h"
#include "heddle/wave.h"

/* gcn.c: the chip that a target is. */
hd_gcn_gen gen_of(const hd_target *target);
/* By hd_gcn_lowering, NULL after the last. */
extern const char *const gcn_lowerings[];

/* gcn_compile.c */
int compile_for_gcn(tool *t, const hd_target *target, hd_shader *shader);
int compile_all_for_gcn(tool *t, const hd_target *target);
/* What allocates registers by which limits, of `run`, too. False: a message was printed. */
bool read_allocation_options(tool *t, hd_gcn_options *options);

/* gcn_run.c: what the tool was asked to show goes to standard output: --trace, --lanes-table;
 * --stats to standard error. A diagnostic says what failed. The interface is that of a
 * driver, made for the launch.
 */
int run_on_gcn(tool *t, const hd_target *target, const hd_shader *shader,
               const hd_wave_launch *launch, hd_result *result);

/* gcn_verify.c: compile a program that ends for each chip, with both control-flow lowerings, with all
 * registers and with few, and run each in the simulator; of graphs with more than three inner blocks
 * one of these ways, which depends on the seed. False: `what` says in which way, and `crew` and
 * `wave` which one shows it.
 */
bool agrees_on_gcn(const struct program *p, const struct crew *crews, unsigned num_crews,
                   char what[256], unsigned *crew, unsigned *wave);

/* gcn_object.c: what `run` does with a code object. */
int run_gcn_object(tool *t);

#endif
