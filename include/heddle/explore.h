/* SPDX-License-Identifier: MIT */
/* explore.h - all that happened to a shader, as data and as a page for a browser.
 *
 * In libheddle-tools. hd_explore runs passes on a copy of each shader, or compiles it, and writes what
 * it sees as one JSON object, whose schema is doc/explorer-schema.json. hd_explore_page makes a
 * document of it: HTML with all that it needs, that asks no network for anything and runs no code but its
 * own, whatever the strings of the shader are.
 *
 * The same input gives the same bytes, but for times, which the caller may leave out.
 */
#ifndef HEDDLE_EXPLORE_H
#define HEDDLE_EXPLORE_H

#include "heddle/pass.h"
#include "heddle/spirv.h"
#include "heddle/target.h"
#include "heddle/wave.h"

HD_BEGIN_DECLS

/* A file that locations of the shader name. */
typedef struct hd_explore_source {
   const char *name; /* as the locations have it */
   const char *text;
   size_t size;
} hd_explore_source;

/* What is reported of a run of machine code, in this order: an instruction that is about to run,
 * the registers that it wrote, the bytes that it stored. `lanes` NULL: the instruction is for the
 * wave, whichever lanes are active.
 */
typedef struct hd_explore_trace hd_explore_trace;

HD_API void hd_explore_trace_step(hd_explore_trace *trace, uint32_t workgroup, uint32_t wave,
                                  uint64_t pc, const hd_wave_mask *lanes, uint64_t cycle);
HD_API void hd_explore_trace_register(hd_explore_trace *trace, const hd_wave_register *reg);
HD_API void hd_explore_trace_store(hd_explore_trace *trace, const hd_wave_stored *store);

/* A statistic of machine code: "branches", 3. */
typedef struct hd_explore_statistic {
   const char *name;
   uint64_t value;
} hd_explore_statistic;

#define HD_EXPLORE_MAX_STATISTICS 24

/* A shader, and what is done to it. */
typedef struct hd_explore_input {
   const char *title;       /* may be NULL */
   const hd_shader *shader; /* valid; it is not changed */
   /* What it was read from: text, the binary form or the words of a module, in this host's byte
    * order. NULL: its text stands for it.
    */
   const void *data;
   size_t size;
   const hd_spirv_options *spirv; /* how a module was read; may be NULL */
   /* Sources that the module does not have itself; they come before those that it has. */
   const hd_explore_source *sources;
   unsigned num_sources;
   /* Compile for this target, with these options, of which `diag`, `user`, `after_phase` and
    * `observer` are not used. NULL: run `passes` alone (hd_pass_list_parse); NULL: none.
    */
   const hd_target *target;
   const hd_compile_options *compile; /* may be NULL */
   const char *passes;
   /* Run it as well, in the interpreter, and what it was compiled to by `simulate`, if that is not
    * NULL: the simulator of the target, that tells `trace` what it runs and answers as hd_wave_run does.
    * Each run begins with memory as it is given, and so it is left. NULL: it is not run. Its `user`, `trace`,
    * `ran`, `wrote` and `diag` are not used.
    */
   const hd_wave_launch *launch;
   void *user;
   hd_result (*simulate)(void *user, const hd_shader *shader, const hd_target_binary *binary,
                         const hd_wave_launch *launch, hd_explore_trace *trace);
   /* What the target counts of what it was compiled to: into `out`, and how many these are. NULL: nothing.
    */
   unsigned (*measure)(const hd_target_binary *binary,
                       hd_explore_statistic out[HD_EXPLORE_MAX_STATISTICS]);
} hd_explore_input;

typedef struct hd_explore_options {
   uint64_t (*clock)(void); /* nanoseconds of any beginning; NULL: times are left out */
   /* What is shown of an input takes no more bytes than this, of each of two three quarters of it; what does
    * not fit is left out, and the data says so. Nodes, values of a run and source files come besides.
    * 0: 16 MiB.
    */
   size_t max_bytes;
} hd_explore_options;

/* One input, or two that are to be compared. Append the JSON object to `json`. `options` may be NULL.
 *
 * HD_OK also where a target refuses a shader: what happened up to there, and why, is in the data.
 * HD_INVALID: `passes` names what there is not; a diagnostic went to the sink of the shader.
 * HD_OUT_OF_MEMORY, HD_BUDGET_EXCEEDED. `json` may then hold a part.
 */
HD_API hd_result hd_explore(const hd_explore_input *inputs, unsigned num_inputs,
                            const hd_explore_options *options, hd_blob *json);

/* Append the page that shows this data. HD_OUT_OF_MEMORY, or the result of `json` where it is not
 * HD_OK.
 */
HD_API hd_result hd_explore_page(const hd_blob *json, hd_blob *page);

/* What a run executed: instructions, and of those that are for lanes how many lanes were active and how
 * many there are: `lanes` of `room`.
 */
typedef struct hd_explore_lane_use {
   uint64_t issued;
   uint64_t lanes, room;
} hd_explore_lane_use;

/* Compile each input for its target, run the code and append one SVG with a picture of each run, side by
 * side: the steps of its first waves to the right, at the same scale in all pictures, their lanes
 * downward, where an instruction has the colour of its block, pale if it is for the wave. Above stands the
 * title of the input; beneath, what `measure` counts, the issued instructions and the use of lanes. What
 * was refused, or failed while it ran, says why. Steps that do not fit are left out, and the picture
 * says so; its figures are those of all.
 *
 * Each input needs `target`; `launch` and `simulate` NULL: it has no steps. `uses` may be NULL; else each
 * input has one, of zeros where it was not run. `svg` may be NULL: then only these are wanted.
 *
 * Results are as of hd_explore; HD_INVALID also for an input without a target, or no input.
 */
HD_API hd_result hd_explore_lanes(const hd_explore_input *inputs, unsigned num_inputs,
                                  hd_explore_lane_use *uses, hd_blob *svg);

HD_END_DECLS

#endif
