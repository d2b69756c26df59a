/* SPDX-License-Identifier: MIT */
/* wave.h - the reference interpreter: what a shader means when waves of lanes run it.
 *
 * In libheddle-tools. A wave has 1 to 128 lanes with one place in the program. Each block of a
 * function has a set of lanes that wait at it; a sweep visits the blocks in the order of
 * hd_function_sweep and runs each once with all lanes that wait there. A cycle is swept again,
 * before anything after it, as long as a lane waits at its header. In a structured function that is
 * the same as running the tree with sets of lanes: its blocks are swept in the order of the text.
 *
 * Each lane has an undefined bit for every component of every value and for every byte of memory.
 * It spreads as the table of ops says. What must not be undefined (the condition of a branch, an
 * address, a lane number) ends the run with a diagnostic if it is.
 *
 *   1. Memory is little-endian bytes. Within an instruction lanes take effect in ascending order.
 *      What one wave writes, all others see at once.
 *   2. The waves of a workgroup run in turns: each until it meets a barrier or ends. Workgroups run
 *      one after the other. With a seed, turns are short and random, and so is the order of the
 *      workgroups: a program whose result depends on the seed has a race.
 *   3. Accesses to a buffer are checked for each component: one that is not inside of the buffer
 *      reads 0, or is not written. Everywhere else such an access ends the run.
 *   4. Reductions and scans take the first value as it is, and combine the next ones with it in
 *      ascending order of lanes.
 *   5. All stages are run, but without their fixed parts: invocations are numbered as in a compute
 *      shader, inputs, outputs and what a draw or a rasteriser provides lie in memory. What is asked for and
 *      not given is refused (HD_UNSUPPORTED) before anything runs; doc/meaning.md has the list, and
 *      how images are sampled. raster.h draws: it gives all of that.
 */
#ifndef HEDDLE_WAVE_H
#define HEDDLE_WAVE_H

#include "heddle/intrinsic.h"
#include "heddle/linear.h"
#include "heddle/texture.h"

HD_BEGIN_DECLS

#define HD_WAVE_MAX_LANES 128u

/* Lane n is bit n % 64 of word n / 64. */
typedef struct hd_wave_mask {
   uint64_t word[2];
} hd_wave_mask;

/* A run of bytes. Where `undefined` is not NULL it has a byte for each byte of data, which is not 0
 * where that is undefined: read at the start and kept up to date. Where it is NULL all bytes are
 * defined at the start, and what is written undefined is known only until the run ends.
 */
typedef struct hd_wave_memory {
   void *data;
   uint8_t *undefined;
   uint64_t size;
} hd_wave_memory;

/* Global memory: `memory` begins at this address. Regions must not overlap. */
typedef struct hd_wave_region {
   uint64_t address;
   hd_wave_memory memory;
} hd_wave_region;

typedef struct hd_wave_buffer {
   uint32_t set, binding;
   uint32_t array_index;
   hd_wave_memory memory;
} hd_wave_buffer;

/* Texels lie level by level; in a level layer by layer (a cube is six), in that by depth, row,
 * column and sample, without gaps. Numbers that are 0 count as 1.
 *
 * `format` says what a texel is. Of HD_TEXEL_RAW it is four components of `bits` bits: 16, 32 or 64, and
 * accesses with another size end the run.
 */
typedef struct hd_wave_image {
   uint32_t set, binding;
   uint32_t array_index;
   uint32_t width, height, depth; /* of level 0, in texels */
   uint32_t num_layers, num_levels, num_samples;
   hd_texel_format format;
   uint32_t bits; /* of HD_TEXEL_RAW */
   hd_wave_memory memory;
} hd_wave_image;

/* What a draw or a rasteriser provides: an intrinsic without operands such as frag_coord. Also
 * where store_depth, store_stencil and store_sample_mask write. `memory` has the value of each
 * invocation of the dispatch, one after the other: 4 bytes a component, a boolean as 0 or something
 * else.
 */
typedef struct hd_wave_builtin {
   hd_intrinsic_id id;
   uint32_t interp_mode, interp_location; /* of barycentric: that with these indices; else 0 */
   hd_wave_memory memory;
} hd_wave_builtin;

/* Where barycentric_at_sample or barycentric_at_offset asks for barycentric coordinates. */
typedef struct hd_wave_barycentric {
   uint64_t invocation;
   uint32_t interp_mode;
   bool is_sample;
   uint32_t sample;    /* its number */
   uint32_t offset[2]; /* else: floats, pixels from the center */
} hd_wave_barycentric;

/* A block that is about to run. */
typedef struct hd_wave_step {
   uint32_t workgroup; /* number in the dispatch */
   uint32_t wave;      /* number in the workgroup */
   uint32_t call_depth;
   const hd_block *block;
   hd_wave_mask mask; /* the lanes, at least one */
} hd_wave_step;

/* A component that a lane has just stored, or an atomic has changed or left as it was. */
typedef struct hd_wave_write {
   uint32_t workgroup; /* number in the dispatch */
   uint32_t wave;      /* number in the workgroup */
   unsigned lane;
   const hd_instr *instr;
   unsigned component; /* of what is stored */
   const void *data;   /* where: in memory of the launch, or shared or scratch memory of the run */
   uint32_t size;      /* bytes */
} hd_wave_write;

/* An instruction that has just run; before those of a block its phis, with the lanes that came.
 * Constants and undefined values are there from the beginning: they do not run.
 */
typedef struct hd_wave_ran {
   uint32_t workgroup; /* number in the dispatch */
   uint32_t wave;      /* number in the workgroup */
   uint32_t call_depth;
   const hd_instr *instr;
   hd_wave_mask lanes;
   /* Its value: component c of lane l is values[c * stride + l], upper bits zero; 0 components: it
    * has none. A lane of undefined[c] has no value.
    */
   unsigned num_components;
   const uint64_t *values;
   size_t stride;
   const hd_wave_mask *undefined;
} hd_wave_ran;

/* A register that an instruction of a machine has just written, and bytes that it has stored: what
 * simulators tell (gcn_sim.h, gen9_sim.h, nyuzi_sim.h, r700_sim.h).
 */
typedef struct hd_wave_register {
   uint32_t workgroup, wave;
   const char *name;          /* as the assembler writes it: "v3" */
   const uint32_t *values;    /* one a lane; one of a register of the wave */
   const uint32_t *undefined; /* the bits that are; NULL: none */
   unsigned num;
} hd_wave_register;

typedef struct hd_wave_stored {
   uint32_t workgroup, wave;
   int lane; /* -1: it is the wave that stores */
   /* What the address is an offset in, where that is not the address space: "surface 5"; or NULL. */
   const char *within;
   uint64_t address;
   const void *data;
   uint32_t size;
} hd_wave_stored;

/* In which order blocks are run. Structured functions are trees in every mode. */
typedef enum hd_wave_mode {
   HD_WAVE_SWEEP, /* what a program means: see above */
   /* For flat functions that reconverge (hd_function_is_reconverging). The lanes that a divergent branch
    * sends to its primary successor wait there, the pc goes to the secondary one if lanes go there,
    * else to the primary; who waits at the block that the pc reaches runs it. Which branches
    * diverge is a property of the program (hd_block_is_divergent_branch), not of the run: if lanes
    * diverge at another one, the run ends. Called flat functions run in this mode too.
    */
   HD_WAVE_ONE_PC,
   /* A flat function in the order of `linear`, with its joins and latches. A lane that is passed
    * over, and an empty step that may not be, end the run. Functions that are called sweep.
    */
   HD_WAVE_LINEAR,
} hd_wave_mode;

typedef struct hd_wave_launch {
   const hd_function *function; /* NULL: the entry, the first of the shader */
   hd_wave_mode mode;
   const hd_linear *linear;    /* of the function, for HD_WAVE_LINEAR (hd_linearize) */
   const hd_wave_mask *active; /* only these lanes of each wave start; NULL: all */
   uint32_t lanes;             /* of a wave; 0: what the shader says, else 64 */
   uint32_t num_workgroups[3]; /* 0 counts as 1 */
   uint32_t workgroup_size[3]; /* for sizes that the shader leaves open; 0 counts as 1 */
   uint32_t global_offset[3];
   uint32_t work_dim; /* 0: as many as num_workgroups and sizes above 1 show */

   /* The parameters of the function, component by component; every lane gets the same. */
   const hd_const_value *params;
   uint32_t num_params; /* components */

   const hd_wave_region *regions;
   uint32_t num_regions;
   const hd_wave_buffer *buffers;
   uint32_t num_buffers;
   const hd_wave_image *images;
   uint32_t num_images;
   const hd_wave_sampler *samplers; /* a combined descriptor is one here and one in images */
   uint32_t num_samplers;
   hd_wave_memory push, kernarg;

   /* Graphics stages: one record for each invocation of the dispatch, of location 0, 1, ... in 16
    * bytes each. Their number is the size divided by `num_locations` times 16.
    */
   hd_wave_memory inputs, outputs;
   uint32_t num_input_locations, num_output_locations;
   /* What load_interpolated reads: for each invocation the records of the three vertices of its primitive,
    * num_input_locations each.
    */
   hd_wave_memory corners;
   /* For invocations of a fragment shader, not 0 where one starts as a helper; those after the last
    * of these don't.
    */
   const uint8_t *helpers;
   uint64_t num_helpers;
   /* Fragment shaders: what they store as the second source of blending; records as those of outputs. */
   hd_wave_memory second_outputs;
   /* A byte for each invocation, as far as they go: set to 1 where one returned, and was no helper then. What others
    * stored (they halted, or were demoted) is not drawn.
    */
   uint8_t *survivors;
   uint64_t num_survivors;
   const hd_wave_builtin *given;
   uint32_t num_given;
   /* Two floats, the coordinates at a place of an invocation's primitive; false: there is no such place, and the run
    * ends. NULL: shaders that ask are refused.
    */
   bool (*barycentric_at)(void *user, const hd_wave_barycentric *at, uint32_t out[2]);
   void *barycentric_user;
   uint32_t num_samples; /* of a pixel, for barycentric_at_sample on machines; 0 counts as 1 */

   /* The bits of undefined values, uninitialised memory excepted: that is 0. */
   uint64_t undef_value;
   /* Nothing is undefined: one of the runs that the program may have. What would be is a number
    * that follows from undef_value; where that is 0, or all its bits are set, it is that
    * everywhere. Else the first component of the first `undef` is undef_value, and every other
    * component has a number of its own, which is that of all lanes and of all uses. So has each
    * place in memory that nobody wrote or that is given as undefined (its bytes are written, and
    * defined, before anything runs), each lane's variable, and what an instruction leaves
    * undefined: what is read of a lane that is not active, an atomic of a helper, arithmetic whose
    * flags exclude its numbers. Not with check_uniform: analysis calls a phi uniform that some
    * lanes have an undefined value of.
    */
   bool freeze_undefined;
   uint64_t seed;      /* 0: waves in order, each as far as it can go */
   uint64_t max_steps; /* instructions and blocks that waves may run; 0: no limit */
   /* Ask divergence analysis, and end the run where lanes that run a block together have different
    * numbers for what it calls uniform, where they are defined, or part where it says that they
    * don't. For tests of the analysis, and of what is done with its answers. What it says holds for
    * sweeps, and so on one pc for functions that keep the sweep.
    */
   bool check_uniform;

   void *user; /* handed to trace, ran and on_write */
   void (*trace)(void *user, const hd_wave_step *step);
   void (*ran)(void *user, const hd_wave_ran *ran);
   void (*on_write)(void *user, const hd_wave_write *write); /* stores take longer with it */

   hd_diag_sink diag; /* who hears why a run ended; `report` NULL: the shader's own sink */
} hd_wave_launch;

typedef struct hd_wave_stats {
   uint64_t blocks;       /* run by waves */
   uint64_t instructions; /* run by waves, phis and jumps not counted */
   uint64_t lane_ops;     /* the same, counted for each lane */
} hd_wave_stats;

/* Run a valid shader. `stats` may be NULL; it is written whatever the result.
 *
 * HD_OK: every wave ended. HD_BAD_LAUNCH: the launch does not fit the shader. HD_FAULT: the program
 * did what no program may. A diagnostic says what; of a fault, with lane, workgroup,
 * instruction and address. HD_BUDGET_EXCEEDED: max_steps or the shader's budget ran out; a diagnostic
 * says where max_steps did. HD_UNSUPPORTED: see 5 above, or no function; a diagnostic says what. In
 * all cases memory holds what was written so far. Analyses of the shader's functions are computed
 * where they are missing; nothing else of it changes.
 */
HD_API hd_result hd_wave_run(hd_shader *shader, const hd_wave_launch *launch, hd_wave_stats *stats);

/* Intrinsics of a driver's own (intrinsic.h)
 *
 * Their callback, hd_own_intrinsic.run, is called once for all lanes that run the instruction
 * together, and asks and answers by these. Before it is called, an undefined operand that must be
 * defined, and one that differs between lanes and must not, have ended the run.
 *
 *   1. A component of the result that is not set is undefined. So is, unless the intrinsic is
 *      HD_CROSS_LANE, all that a lane gets, and all that it stores, of which an operand is undefined.
 *   2. What a helper lane does that skips the intrinsic (HD_HELPER_SKIP) is not asked.
 *   3. A call is good until the callback returns. A callback must not end the run by jumping out of
 *      it: hd_own_call_fault ends it afterwards. hd_own_call_store jumps over it when memory runs
 *      out.
 *   4. A barrier's callback need not wait: memory is consistent at all times, and what waits for
 *      other waves cannot be written.
 */

/* The instruction; hd_index values of it, 0 for those that it does not have. */
HD_API const hd_intrinsic *hd_own_call_instr(const hd_own_call *call);
HD_API uint32_t hd_own_call_index(const hd_own_call *call, hd_index index);
/* Lanes of a wave; those that run it; those of these that are helpers. */
HD_API unsigned hd_own_call_width(const hd_own_call *call);
HD_API hd_wave_mask hd_own_call_lanes(const hd_own_call *call);
HD_API hd_wave_mask hd_own_call_helpers(const hd_own_call *call);
/* A component of an operand of a lane that runs it; upper bits are 0. *defined (may be NULL) tells
 * whether it is.
 */
HD_API uint64_t hd_own_call_src(const hd_own_call *call, unsigned operand, unsigned component,
                                unsigned lane, bool *defined);
/* A component of the result of a lane that runs it. Bits above its size are dropped. */
HD_API void hd_own_call_set(hd_own_call *call, unsigned component, unsigned lane, uint64_t value);
/* Bytes of memory of a class that the row says it reads, or writes. Those of a buffer are found by
 * the indices set and binding, its element 0: what is not inside is read as 0 and not written.
 * False, and the run ends when the callback returns: no memory is there, or the row does not say
 * that it reads or writes it. *defined may be NULL.
 */
HD_API bool hd_own_call_load(hd_own_call *call, unsigned lane, hd_memory_class memory,
                             uint64_t address, void *data, unsigned size, bool *defined);
HD_API bool hd_own_call_store(hd_own_call *call, unsigned lane, hd_memory_class memory,
                              uint64_t address, const void *data, unsigned size);
/* The lane is a helper from here on; of what demotes. */
HD_API void hd_own_call_demote(hd_own_call *call, unsigned lane);
/* The program did what none may: the run ends with HD_FAULT when the callback returns. The first
 * message counts; it is copied.
 */
HD_API void hd_own_call_fault(hd_own_call *call, unsigned lane, const char *message);

HD_END_DECLS

#endif
