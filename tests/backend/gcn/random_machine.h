/* SPDX-License-Identifier: MIT */
/* random_machine.h - machine code at random, as selection and control-flow lowering leave it: values in
 * SSA form, both control flows, all instructions of the table that no later phase makes.
 *
 * What instructions compute does not matter to register allocation; run_machine.h runs such code.
 */
#ifndef HEDDLE_TESTS_RANDOM_MACHINE_H
#define HEDDLE_TESTS_RANDOM_MACHINE_H

#include "backend/gcn/program.h"

typedef struct random_machine {
   hd_gcn_gen gen;
   uint64_t seed;
   unsigned statements;  /* about as many in all */
   unsigned depth;       /* of ifs and loops */
   unsigned live;        /* how many values old code offers to new code: 1 is few */
   unsigned vector_size; /* the largest tuple */
} random_machine;

/* Into `p`, of which target, options and stack are set. */
void make_random_machine(hd_mach_program *p, const random_machine *how);

#endif
