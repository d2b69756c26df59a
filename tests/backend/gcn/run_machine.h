/* SPDX-License-Identifier: MIT */
/* run_machine.h - run machine code for one lane of a wave, before registers are assigned or after.
 *
 * The pc follows linear edges. The lane waits at a block of the logical graph and takes part in
 * that block alone: elsewhere, nothing that it could see is written to its vector registers. Where
 * the pc can go several ways, it goes one that does not leave the lane behind, chosen by a hash of
 * what was gone before: so the code before and the code after take the same way.
 *
 * Moves, exchanges, selects of constants, lanes of registers and scratch do what they do; all other
 * instructions write a hash of what they read. What stores read is summed up.
 */
#ifndef HEDDLE_TESTS_RUN_MACHINE_H
#define HEDDLE_TESTS_RUN_MACHINE_H

#include "backend/gcn/program.h"

typedef struct machine_run {
   uint64_t seed;
   unsigned max_blocks;
   bool is_ssa; /* values have no registers yet */
   /* Out */
   uint64_t shown; /* a hash of all that was stored, in order */
   unsigned num_shown;
   unsigned num_moves; /* that ran: of registers, not of constants */
   unsigned num_insts;
} machine_run;

void run_machine(const hd_mach_program *p, machine_run *run);

#endif
