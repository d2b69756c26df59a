/* SPDX-License-Identifier: MIT */
/* gcn_sim.h - the simulator of GCN machine code.
 *
 * In libheddle-tools. Three entry points, from the machine's level to the program's:
 *
 *    hd_gcn_sim_run        code, the registers that it starts with, and memory
 *    hd_gcn_sim_run_wave   what hd_gcn_compile made, launched as hd_wave_run launches the shader
 *    hd_gcn_sim_dispatch   a kernel of a code object (gcn_object.h), with arguments
 *
 * The simulator decodes bytes and executes them for waves of 64 lanes. It is strict where hardware
 * is silent. A run ends with a diagnostic, that names the wave, the address and the text of the
 * instruction, and the lane where there is one, when a program
 *
 *   1. runs bytes that are no instruction, or runs out of its code;
 *   2. touches memory outside of all regions, or writes what may only be read;
 *   3. lets an undefined bit decide a branch, an address, a lane number or an exec mask. Registers,
 *      LDS and scratch are undefined at the start, but for what the ABI sets;
 *   4. touches a register that was not allocated to it (pgm_rsrc1);
 *   5. touches a register that a load in flight will write, or, on gfx6, writes one that a store in
 *      flight still reads, before s_waitcnt;
 *   6. lets another wave see what a store in flight writes; reads by scalar loads what vector
 *      stores of the dispatch wrote, without s_dcache_inv;
 *   7. breaks a rule for software of the manuals, such as five wait states between a vector
 *      instruction that writes an SGPR and a memory instruction that reads it.
 *
 * What it leaves open:
 *
 *   8. The waves of a workgroup run in turns: each until it meets a barrier or ends. Workgroups run
 *      one after the other. With a seed, turns are short and random.
 *   9. Cycles are those of each wave alone on its SIMD; doc/gcn_simulator.md has the numbers.
 */
#ifndef HEDDLE_GCN_SIM_H
#define HEDDLE_GCN_SIM_H

#include "heddle/gcn.h"
#include "heddle/wave.h"

HD_BEGIN_DECLS

/* Bytes of the address space. Regions must not overlap, and no byte outside of them may be touched.
 */
typedef struct hd_gcn_sim_region {
   uint64_t address;
   hd_wave_memory memory;
   bool read_only;
   const char *name; /* for messages; may be NULL */
} hd_gcn_sim_region;

/* An instruction that is about to run. */
typedef struct hd_gcn_sim_step {
   uint32_t workgroup; /* number in the dispatch */
   uint32_t wave;      /* number in the workgroup */
   uint64_t cycle;     /* when it issues, from the start of the wave */
   uint64_t pc;        /* byte address, from the start of the code */
   uint64_t exec;
   bool scc;
   const uint32_t *words; /* as they lie in memory */
   uint32_t num_words;
   const char *text; /* of the instruction, as the assembler takes it */
} hd_gcn_sim_step;

typedef enum hd_gcn_sim_class {
   HD_GCN_SIM_SALU,
   HD_GCN_SIM_VALU,
   HD_GCN_SIM_SMEM,
   HD_GCN_SIM_VMEM, /* buffer, flat, global, scratch */
   HD_GCN_SIM_LDS,
   HD_GCN_SIM_BRANCH,
   HD_GCN_SIM_WAIT, /* s_waitcnt, s_nop, s_barrier and the like */
   HD_GCN_SIM_NUM_CLASSES,
} hd_gcn_sim_class;

typedef struct hd_gcn_sim_stats {
   uint64_t waves;
   uint64_t cycles;  /* of all waves together: each alone on its SIMD */
   uint64_t stalls;  /* of these, in which nothing issued: waits for memory and wait states */
   uint64_t longest; /* cycles of the slowest wave */
   uint64_t instructions;
   uint64_t issued[HD_GCN_SIM_NUM_CLASSES];
   uint64_t taken;    /* branches */
   uint64_t lane_ops; /* vector instructions, counted for each lane of exec */
   uint64_t exec_writes;
} hd_gcn_sim_stats;

/* What an `exp` of a wave sends: a register for each channel, of 64 lanes; of pairs of 16 bits two. */
typedef struct hd_gcn_sim_export {
   uint32_t workgroup, wave;
   unsigned
       target; /* as the instruction has it: 0 to 7 colours, 8 depth, 9 nothing, 12 to 15 positions,
                         32 to 63 parameters */
   unsigned channels; /* a bit each */
   bool pairs;        /* two channels in a register: values[0] and [1] */
   bool done;         /* the last one to colours and depth, or to positions */
   bool valid;        /* `lanes` are those whose pixels are kept */
   uint64_t lanes;    /* that run */
   const uint32_t *values[4], *undefined[4]; /* undefined bits; NULL: the channel is off */
} hd_gcn_sim_export;

/* Instructions as they were decoded, kept for further launches of the same code. */
typedef struct hd_gcn_sim_code hd_gcn_sim_code;

/* What every way in shares; all zero is the default. */
typedef struct hd_gcn_sim_options {
   uint64_t seed;      /* 0: waves in order, each as far as it can go */
   uint64_t max_steps; /* instructions of all waves; 0: no limit */
   bool no_hazards;    /* don't hold against the program what 7 says */
   uint32_t occupancy; /* waves that share a SIMD, for the cycles; 0: one alone */
   void *user;         /* handed to these */
   void (*trace)(void *user, const hd_gcn_sim_step *step);
   /* After the instruction that was traced: what it wrote, register by register, and stored. */
   void (*wrote)(void *user, const hd_wave_register *reg);
   void (*stored)(void *user, const hd_wave_stored *store);
   /* What a wave exports; its registers are as they are when the instruction runs. */
   void (*exported)(void *user, const hd_gcn_sim_export *what);
   hd_diag_sink diag;        /* who hears why a run ended */
   hd_gcn_sim_code *decoded; /* of the code of this launch, for one launch at a time; may be NULL */
} hd_gcn_sim_options;

/* A wave of a vertex or fragment shader as it starts: a workgroup of its own. */
typedef struct hd_gcn_sim_start {
   uint64_t lanes;               /* exec */
   uint32_t sgprs[2], num_sgprs; /* behind the user SGPRs, before the offset in scratch */
   uint32_t (*vgprs)[64], (*undefined)[64]; /* from v0 on, and their undefined bits */
   uint32_t num_vgprs;
   uint8_t *lds, *lds_undefined; /* lds_size bytes, and their undefined bits; NULL: all of it is */
} hd_gcn_sim_start;

/* What the command processor is given, and where things are in memory. */
typedef struct hd_gcn_sim_launch {
   hd_gcn_gen target;
   const uint32_t *code; /* as hd_gcn_binary has it */
   uint32_t code_words;
   uint32_t entry; /* byte offset of the first instruction */
   /* Of the first word; a multiple of 4. 0: so that 4 GiB end in the middle of the code. */
   uint64_t code_address;
   const hd_gcn_sim_region *regions;
   uint32_t num_regions;

   uint32_t num_workgroups[3]; /* 0 counts as 1 */
   uint32_t workgroup_size[3]; /* 0 counts as 1 */
   /* Of the last workgroups, lanes past these don't start; 0: none are past it. Such a workgroup is
    * a smaller one: its lanes are numbered without gaps.
    */
   uint32_t grid[3];
   const hd_wave_mask *active; /* only these lanes of each wave start; NULL: all */

   /* Registers that are allocated, the mode, user and system registers: as the chip reads them. */
   uint32_t pgm_rsrc1, pgm_rsrc2;
   uint32_t user_sgprs[HD_GCN_MAX_USER_SGPRS];
   uint32_t lds_size;     /* bytes of a workgroup */
   uint32_t scratch_size; /* bytes of a lane */
   /* First of the user SGPRs that get a buffer resource for the scratch of the dispatch (four), and
    * what flat_scratch is made from (two: on gfx8 an offset and a size, on gfx9 an address). The
    * wave's own offset is the last system register. HD_GCN_NO_SGPR: none do.
    */
   uint8_t scratch_resource, flat_scratch_init;
   /* Vertex and fragment shaders: how each workgroup starts, which is one wave. Each must end with the last
    * of its exports: of positions, or of colours and depth. NULL: a compute shader.
    */
   const hd_gcn_sim_start *starts;
   bool sends_positions;
   /* Who gets exports, besides options.exported; may be NULL. */
   void (*receive)(void *receiver, const hd_gcn_sim_export *what);
   void *receiver;
   hd_gcn_sim_options options;
} hd_gcn_sim_launch;

/* HD_OK: every wave ended. HD_BAD_LAUNCH: the launch does not hold together. HD_FAULT: the program
 * did what no program may. A diagnostic says what. HD_BUDGET_EXCEEDED: max_steps. `config` (may be
 * NULL) is where memory comes from. `stats` (may be NULL) is written whatever the result, and
 * memory holds what was written so far.
 */
HD_API hd_result hd_gcn_sim_run(const hd_config *config, const hd_gcn_sim_launch *launch,
                                hd_gcn_sim_stats *stats);

/* For code that is launched more than once. It must stay as it is and where it is; `config` (may be
 * NULL) is where memory comes from.
 */
HD_API hd_result hd_gcn_sim_code_create(const hd_config *config, hd_gcn_gen target,
                                        const uint32_t *code, uint32_t code_words,
                                        hd_gcn_sim_code **out);
/* NULL is allowed. */
HD_API void hd_gcn_sim_code_destroy(hd_gcn_sim_code *code);

/* The descriptor of a sampler. */
HD_API void hd_gcn_sim_sampler(const hd_wave_sampler *sampler, uint32_t words[4]);

/* A driver of no special kind: descriptors of each set one after the other in the order of their
 * bindings, user SGPRs for what the shader's entry asks for, scratch among it where there is room. Bindings are those
 * that the shader names, and those that the launch (may be NULL) has buffers, images or samplers for. HD_UNSUPPORTED:
 * it would need more than HD_GCN_MAX_USER_SGPRS; a diagnostic goes to the shader's sink. Destroy it
 * after what was compiled for it.
 */
HD_API hd_result hd_gcn_sim_abi_create(const hd_shader *shader, const hd_wave_launch *launch,
                                       hd_gcn_driver_abi **out);
/* NULL is allowed. */
HD_API void hd_gcn_sim_abi_destroy(const hd_shader *shader, hd_gcn_driver_abi *abi);

/* Run what was compiled from `shader` for a driver of this ABI, with the memory, the workgroups and
 * the lanes of `launch`: what hd_wave_run leaves in memory, this must leave too, where that is
 * defined. Each buffer is placed across a multiple of 4 GiB; regions of global memory lie where the
 * launch says. Of the launch the following are not read: function, mode, linear, lanes (it must be
 * 0 or 64), seed, max_steps, undef_value, freeze_undefined, check_uniform, trace; `options` (may be
 * NULL) has the simulator's own. HD_UNSUPPORTED where the launch has what the machine code cannot
 * be given: parameters, inputs and outputs of a graphics stage, images of formats that the machine
 * does not have.
 */
HD_API hd_result hd_gcn_sim_run_wave(const hd_gcn_binary *binary, const hd_gcn_driver_abi *abi,
                                     const hd_shader *shader, const hd_wave_launch *launch,
                                     const hd_gcn_sim_options *options, hd_gcn_sim_stats *stats);

HD_END_DECLS

#endif
