/* SPDX-License-Identifier: MIT */
/* compare.h - differential testing: does a shader compute the same as another one?
 *
 * In libheddle-tools. A trial runs a shader in the interpreter (wave.h) and keeps the memory that it
 * leaves; then any number of other shaders can be compared with it:
 *
 *    hd_diff_test *trial;
 *    hd_diff_test_create(before, NULL, &trial);
 *    ... passes on a copy ...
 *    hd_result r = hd_diff_test_compare(trial, after, &sink);      (HD_INVALID: they differ)
 *    hd_diff_test_destroy(trial);
 *
 * Launches are generated from what the shader needs: a full wave, several waves in a workgroup the
 * last of which is partial, waves of one lane, of 128, single lanes and random subsets of a wave,
 * helper lanes. Buffers, images, constants, inputs and values of a rasteriser hold pseudo-random
 * numbers of a seed, many of them corner cases of ops:
 *
 *   1. A buffer has 32 KiB; an array of descriptors has as many as constants name, else 2.
 *   2. An image has 8 texels along each axis that its shape has, 6 layers, 2 samples; a typed
 *      buffer 256 elements; the size of a component is that of its first access.
 *   3. Global memory has 32 KiB at address 0x10000. A parameter of one component of 64 bits is this
 *      address; other parameters are any numbers.
 *   4. vertex_index and primitive_id are the number of the invocation.
 *   5. At most 128 invocations, unless the shader fixes a larger workgroup; nothing is run where it
 *      has more than 16,384.
 */
#ifndef HEDDLE_COMPARE_H
#define HEDDLE_COMPARE_H

#include "heddle/pass.h"
#include "heddle/wave.h"

HD_BEGIN_DECLS

typedef struct hd_diff_test hd_diff_test;

/* How many different kinds of launch there are; after that they begin again with other masks. */
#define HD_DIFF_TEST_KINDS 8u

/* Zero-initialised, and NULL: one launch of each kind. */
typedef struct hd_diff_test_options {
   uint64_t seed;         /* of what memory holds, of masks */
   uint32_t first_launch; /* the kind of the first: 0 is one workgroup of one full wave */
   uint32_t num_launches; /* 0: HD_DIFF_TEST_KINDS */
   uint64_t max_steps;    /* of each run of this shader; 0: 2^20 */
   uint64_t schedule; /* hd_wave_launch.seed of what is compared; 0: waves in order, as before */
} hd_diff_test_options;

/* Run the entry of a valid shader. It is not needed any more afterwards. HD_OK also where a run did
 * not end well: nothing is compared then (hd_diff_test_num_runs). Else the failure, and *out is not
 * written.
 */
HD_API hd_result hd_diff_test_create(hd_shader *before, const hd_diff_test_options *options,
                                     hd_diff_test **out);
HD_API void hd_diff_test_destroy(hd_diff_test *trial);

/* How many runs ended well: in so many launches others will be compared. `why` (may be NULL) is
 * written if there is a message of one that did not: it lives as long as the trial; else NULL.
 */
HD_API uint32_t hd_diff_test_num_runs(const hd_diff_test *trial, const char **why);

/* What the runs cost together. */
HD_API hd_wave_stats hd_diff_test_stats(const hd_diff_test *trial);

/* Run another shader in the same launches. HD_OK: all that was defined before is defined and the
 * same. HD_INVALID: a run did not end well, took 100 times as many steps and 2^20 more, or left
 * something else; `diag` (may be NULL) heard in which launch, where in memory, what was there
 * before and what is there now, which lane wrote it with which instruction, and which lanes wrote
 * all that differs. It stops at the first launch that differs. Resources that the first shader did
 * not ask for are not there. `stats` may be NULL; it gets the cost of all runs.
 *
 * The interpreter follows undefined bits by component: it calls more undefined than is (the bits
 * that no mask lets through, a ballot of which one lane is unknown). Where nothing differs but that
 * something is undefined now, or where a run of the other shader ends as no program may, it runs
 * again with 8 sets of numbers for what is undefined (hd_wave_launch.freeze_undefined: all bits
 * clear, all set, 6 random ones). If all these runs end well and leave what was defined before, the
 * launch is equal; else `diag` heard with which numbers it is not. Runs with numbers are a sample:
 * what really depends on an unknown value is found because the numbers differ, but not where it
 * only shows for few of them.
 */
HD_API hd_result hd_diff_test_compare(hd_diff_test *trial, hd_shader *after,
                                      const hd_diag_sink *diag, hd_wave_stats *stats);

/* The same for code that does in a launch what the shader does, such as a simulator with what it
 * was compiled to. `run` answers as hd_wave_run does and sends `launch->diag` why a run ended. The
 * number of lanes of a wave is what the shader of the trial asked for, where it asked.
 */
typedef hd_result hd_diff_test_runner(void *user, const hd_wave_launch *launch);
HD_API hd_result hd_diff_test_compare_run(hd_diff_test *trial, hd_diff_test_runner *run, void *user,
                                          const hd_diag_sink *diag);

/* All in one: HD_OK where they do the same, or where nothing could be compared. */
HD_API hd_result hd_compare(hd_shader *before, hd_shader *after,
                            const hd_diff_test_options *options, const hd_diag_sink *diag);

/* For hd_run_options.watch.after, with copy_before set: `user` is what hd_compare takes as options,
 * or NULL. What a pass changed is compared with the shader before it; where they differ the pass is
 * wrong. Both are copied first, so that nothing the interpreter asks for stays with the shader.
 */
HD_API hd_result hd_compare_pass(void *user, const hd_pass_run *run);

HD_END_DECLS

#endif
