/* SPDX-License-Identifier: MIT */
/* gen9_sim.h - machine code for Intel Gen9, run. Tools library.
 *
 * The simulator decodes the bytes and executes them for hardware threads, one for each wave. A run ends
 * with a diagnostic, that names the thread, the address and the text of the instruction, and the channel
 * where there is one, when a program
 *
 *   1. runs bytes that are no instruction, or runs out of its code;
 *   2. touches memory by an address that is in no region, in part too, shared memory that there is not,
 *      or writes what may only be read. What is outside of a surface reads 0, and is not written;
 *   3. sends a message that the simulator does not know, or with another payload than it needs;
 *   4. waits for what nobody sends.
 *
 * Floats are those of IEEE 754, rounded as the control register says; functions are exact.
 *
 * The threads of a workgroup run in turns, workgroups one after the other. With a seed, turns are short
 * and random.
 */
#ifndef HEDDLE_GEN9_SIM_H
#define HEDDLE_GEN9_SIM_H

#include "heddle/gen9.h"
#include "heddle/wave.h"

HD_BEGIN_DECLS

/* An instruction that is about to run. */
typedef struct hd_gen9_sim_step {
   uint32_t workgroup; /* number in the dispatch */
   uint32_t wave;      /* number in the workgroup */
   uint32_t ip;        /* byte address, from the start of the code */
   uint32_t channels;  /* that it writes or touches */
   const char *text;   /* as the assembler takes it */
} hd_gen9_sim_step;

typedef struct hd_gen9_sim_stats {
   uint64_t waves, instructions;
   uint64_t branches, messages; /* of them */
} hd_gen9_sim_stats;

/* All zero is the default. */
typedef struct hd_gen9_sim_options {
   uint64_t seed;
   uint64_t max_steps; /* instructions of all waves; 0: no limit */
   void *user;         /* handed to these */
   void (*trace)(void *user, const hd_gen9_sim_step *step);
   /* After the instruction that was traced: each register that it changed, but accumulators and those
    * that control the thread. r0 to r127 are reported as 8 dwords, words of f0, f1 and a0 alone.
    */
   void (*wrote)(void *user, const hd_wave_register *reg);
   /* What it stored, by address, or in a surface, shared or scratch memory. */
   void (*stored)(void *user, const hd_wave_stored *store);
   hd_diag_sink diag; /* who hears why a run ended; `report` NULL: the shader's sink */
} hd_gen9_sim_options;

/* Run what was compiled from `shader` with the memory, the workgroups and the lanes of `launch`:
 * what hd_wave_run leaves in memory, this must leave too, where that is defined. Of the launch the
 * following are not read: function, mode, linear, seed, max_steps, undef_value, freeze_undefined,
 * check_uniform, trace.
 *
 * HD_OK: every wave ended. HD_INVALID: the program did what no program may; a diagnostic says what.
 * HD_BUDGET_EXCEEDED: max_steps. HD_UNSUPPORTED: the launch has what the code cannot be given:
 * images, parameters, inputs, waves of another size, memory that overlaps. `options` and `stats` may
 * be NULL; `stats` is written whatever the result, and memory holds what was written so far.
 */
HD_API hd_result hd_gen9_sim_run_wave(const hd_gen9_binary *binary, const hd_shader *shader,
                                      const hd_wave_launch *launch,
                                      const hd_gen9_sim_options *options, hd_gen9_sim_stats *stats);

HD_END_DECLS

#endif
