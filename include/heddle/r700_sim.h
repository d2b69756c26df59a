/* SPDX-License-Identifier: MIT */
/* r700_sim.h - machine code for AMD R700, run. Tools library.
 *
 * The simulator decodes the bytes and executes them wave by wave. A run ends with a diagnostic, that names
 * the wave, the address and the text of the instruction when a program
 *
 *   1. runs words that are no instruction, or runs out of its code or its control-flow program;
 *   2. has a group that the hardware cannot issue: two instructions for one slot, more reads of a bank
 *      of registers or of constants than there are ports, constants that the clause has not locked,
 *      results of the group before (PV, PS) of a slot that was empty, or at the beginning of a clause;
 *      or a fetch whose address a fetch of the same clause brings;
 *   3. uses registers beyond hd_r700_binary.num_gprs, pushes more than the stack has room for, or pops
 *      what is not there;
 *   4. fetches from or exports to an address that is in no region, or writes what may only be read.
 *      What is outside of a buffer's resource reads 0;
 *   5. runs what the simulator does not: textures, doubles, calls, relative addressing.
 *
 * Floats are those of IEEE 754 with denormals, rounded to nearest even; functions are exact. The chips
 * flush denormals to zero.
 */
#ifndef HEDDLE_R700_SIM_H
#define HEDDLE_R700_SIM_H

#include "heddle/r700.h"
#include "heddle/wave.h"

HD_BEGIN_DECLS

/* An instruction of a group, a fetch or a control-flow instruction that is about to run. */
typedef struct hd_r700_sim_step {
   uint32_t workgroup, wave; /* number of the wave in the workgroup */
   uint32_t address;         /* in words of 64 bits */
   uint64_t lanes;           /* that are active */
   const char *text;         /* as the assembler takes it */
} hd_r700_sim_step;

typedef struct hd_r700_sim_stats {
   uint64_t waves, control, groups, slots, fetches, exports;
   uint32_t stack; /* the most entries that were in use */
} hd_r700_sim_stats;

/* All zero is the default. */
typedef struct hd_r700_sim_options {
   uint64_t max_steps; /* control-flow instructions and groups of all waves; 0: no limit */
   void *user;         /* handed to these */
   void (*trace)(void *user, const hd_r700_sim_step *step);
   /* After the instruction that was traced: each channel of a register that it writes, "T2.X", with what
    * its 64 lanes hold when the group has been written; the old value where the instruction does not write.
    * PV, PS, the predicate and the active lanes are not told.
    */
   void (*wrote)(void *user, const hd_wave_register *reg);
   /* What it exported to memory, by address, or to scratch memory of a lane. */
   void (*stored)(void *user, const hd_wave_stored *store);
   hd_diag_sink diag; /* who hears why a run ended; `report` NULL: the shader's sink */
} hd_r700_sim_options;

/* Run what was compiled from `shader` with the memory, the workgroups and the lanes of `launch`:
 * what hd_wave_run leaves in memory, this must leave too, where that is defined. Of the launch the
 * following are not read: function, mode, linear, seed, max_steps, undef_value, freeze_undefined,
 * check_uniform, trace.
 *
 * HD_OK: every wave ended. HD_INVALID: the program did what no program may; a diagnostic says what.
 * HD_BUDGET_EXCEEDED: max_steps. HD_UNSUPPORTED: the launch has what the code cannot be given:
 * images, inputs, waves of another size, memory that overlaps. `options` and `stats` may be NULL; `stats` is written
 * whatever the result, and memory holds what was written so far.
 */
HD_API hd_result hd_r700_sim_run_wave(const hd_r700_binary *binary, const hd_shader *shader,
                                      const hd_wave_launch *launch,
                                      const hd_r700_sim_options *options, hd_r700_sim_stats *stats);

/* One wave of any code, without a launch: for code that others made. */
typedef struct hd_r700_sim_bare {
   const void *code;
   size_t code_size;    /* bytes */
   uint32_t stack_size; /* entries */
   uint64_t lanes;      /* that are active at the start */
   /* Four dwords a lane: register r, channel c of lane l at 256 * r + 64 * c + l. Read and written. */
   uint32_t *registers; /* of 128 */
   /* Constants by constant buffer, in dwords. */
   const uint32_t *constants[16];
   size_t num_constants[16];
   /* By EXPORT of a pixel or position: dwords 4 * l + c of lane l, where its target is `target`. */
   uint32_t *exported;
   uint32_t target;
} hd_r700_sim_bare;

HD_API hd_result hd_r700_sim_run_bare(const hd_config *config, const hd_r700_sim_bare *bare,
                                      const hd_r700_sim_options *options, hd_r700_sim_stats *stats);

HD_END_DECLS

#endif
