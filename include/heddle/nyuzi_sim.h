/* SPDX-License-Identifier: MIT */
/* nyuzi_sim.h - Nyuzi machine code, run. Tools library.
 *
 * The simulator decodes the words and executes them for hardware threads of 16 lanes, one for each
 * wave. A run ends with a diagnostic, that names the wave, the address and the text of the
 * instruction, and the lane where there is one, when a program
 *
 *   1. runs a word that is no instruction, or runs out of its code;
 *   2. touches memory outside of all regions, in part too, or writes what may only be read;
 *   3. touches a word, a half or a block at an address that is no multiple of its size;
 *   4. asks for a control register that there is not, or calls the system.
 *
 * Floats are those of IEEE 754 with denormals, rounded to nearest even; a NaN that arithmetic makes
 * is 0x7fc00000. A conversion to an integer that does not fit gives 0x80000000.
 *
 * The threads of a workgroup run in turns, workgroups one after the other. With a seed, turns are
 * short and random.
 */
#ifndef HEDDLE_NYUZI_SIM_H
#define HEDDLE_NYUZI_SIM_H

#include "heddle/nyuzi.h"
#include "heddle/wave.h"

HD_BEGIN_DECLS

/* An instruction that is about to run. */
typedef struct hd_nyuzi_sim_step {
   uint32_t workgroup; /* number in the dispatch */
   uint32_t wave;      /* number in the workgroup */
   uint32_t pc;        /* byte address, from the start of the code */
   uint32_t word;
   uint32_t mask; /* the lanes that it writes or touches; of a scalar instruction 0 */
   bool is_scalar;
   const char *text; /* as the assembler takes it */
} hd_nyuzi_sim_step;

typedef struct hd_nyuzi_sim_stats {
   uint64_t waves, instructions;
   uint64_t scalar, vector, memory, branches; /* instructions of each kind */
   uint64_t taken;                            /* branches */
   uint64_t lanes; /* that vector and memory instructions of lanes were for, together */
} hd_nyuzi_sim_stats;

/* All zero is the default. */
typedef struct hd_nyuzi_sim_options {
   uint64_t seed;
   uint64_t max_steps; /* instructions of all waves; 0: no limit */
   void *user;         /* handed to these */
   void (*trace)(void *user, const hd_nyuzi_sim_step *step);
   /* After the instruction that was traced: each register that it changed, and what it stored. */
   void (*wrote)(void *user, const hd_wave_register *reg);
   void (*stored)(void *user, const hd_wave_stored *store);
   hd_diag_sink diag; /* who hears why a run ended; `report` NULL: the shader's sink */
} hd_nyuzi_sim_options;

/* Run what was compiled from `shader` with the memory, the workgroups and the lanes of `launch`:
 * what hd_wave_run leaves in memory, this must leave too, where that is defined. Buffers are placed
 * with unmapped bytes around them; regions of global memory lie where the low 32 bits of their
 * addresses say. Of the launch the following are not read: function, mode, linear, seed, max_steps,
 * undef_value, freeze_undefined, check_uniform, trace.
 *
 * HD_OK: every wave ended. HD_INVALID: the program did what no program may; a diagnostic says what.
 * HD_BUDGET_EXCEEDED: max_steps. HD_UNSUPPORTED: the launch has what the code cannot be given:
 * images, parameters, inputs, waves of another size, memory that overlaps. `options` and `stats` may
 * be NULL; `stats` is written whatever the result, and memory holds what was written so far.
 */
HD_API hd_result hd_nyuzi_sim_run_wave(const hd_nyuzi_binary *binary, const hd_shader *shader,
                                       const hd_wave_launch *launch,
                                       const hd_nyuzi_sim_options *options,
                                       hd_nyuzi_sim_stats *stats);

HD_END_DECLS

#endif
