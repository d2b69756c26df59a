/* SPDX-License-Identifier: MIT */
/* targets.h - what --target names: a machine, and of GCN its generation. */
#ifndef HEDDLE_TOOLS_TARGETS_H
#define HEDDLE_TOOLS_TARGETS_H

#include "tool.h"

typedef enum machine { MACHINE_GCN, MACHINE_NYUZI } machine;

typedef struct target {
   const char *name;
   machine machine;
   hd_gcn_gen gen; /* of GCN */
} target;

/* What --target asks for; gfx900 where it does not stand. NULL: there is no such one, and a message
 * was printed.
 */
const target *find_target(const tool *t);
/* Is one of these options given, a list that ends with NULL? Then a message was printed: they are
 * for another machine.
 */
bool refuse_options(const tool *t, const char *const *names, const target *target);

/* nyuzi.c: what compile and run do for Nyuzi; the exit code. */
int compile_for_nyuzi(tool *t, const hd_shader *shader);
hd_result run_on_nyuzi(tool *t, const hd_shader *shader, const hd_wave_launch *launch);

#endif
