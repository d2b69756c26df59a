/* SPDX-License-Identifier: MIT */
/* random_program.h - programs that can be run: for whoever runs something before and after.
 *
 * Each is valid, ends, does nothing that no program may, and has no race: what it leaves in memory
 * depends on its inputs alone, whatever the scheduler does, and in whichever order blocks are swept
 * that no way connects. It uses what hd_diff_test_create
 * (heddle/compare.h) provides and nothing else. What it computes it stores: values to a record of
 * 512 bytes that each invocation has in buffer 0.1, so that who changes a value is seen.
 *
 *   1. Trees and graphs (irreducible, with declarations), calls, loops that end after a number of
 *      rounds that is known or not, ways out of them, ends in the middle.
 *   2. All ops at all sizes, all intrinsics that the interpreter runs, local variables, all kinds
 * of memory. An address, a condition, a lane number is always defined; else values may be undef.
 *   3. Lanes meet in memory at barriers and in atomics whose order does not matter. Everything else
 *      that a lane writes, it alone reads.
 *   4. Where no exact flag is on a float op, rewriting changes no bit: the operands are small
 *      integers.
 *   5. There is work for passes: expressions that are there twice, that do not change in a loop,
 *      that simplify, conditions that are known, loops that can be unrolled.
 */
#ifndef HEDDLE_TESTS_RANDOM_PROGRAM_H
#define HEDDLE_TESTS_RANDOM_PROGRAM_H

#include "heddle/ir.h"

/* Zero-initialised: about 24 statements a function, and anything. */
typedef struct program_options {
   unsigned size;      /* statements a function; 0: 24 */
   bool no_flat;       /* no flat functions */
   bool no_structured; /* no structured ones but those that end early and have barriers */
   bool one_function;  /* no calls */
   bool no_lanes;      /* nothing that reads other lanes */
   bool whole_dwords;  /* nothing less is stored */
   bool no_images;     /* no texels */
   bool
       machine_images; /* of those, what machines have: whole texels of 32 bits, atomics of integers */
   bool no_shared_floats;   /* no float atomics on shared memory */
   bool compute;            /* no graphics stages, no kernels */
   bool constant_locations; /* of inputs and outputs */
   bool
       fragment; /* a fragment shader, as machines can run it: no outputs, locations as constants */
} program_options;

/* The same for the same seed and options, on every host. `options` may be NULL. NULL only when
 * memory or a budget runs out.
 */
hd_shader *random_program(const hd_config *config, uint64_t seed, const program_options *options);

#endif
