/* SPDX-License-Identifier: MIT */
/* judge.h - a second, naive opinion on which lanes run a block, and when.
 *
 * From the words of doc/meaning.md. Trees are run by recursion with sets of lanes. In a flat
 * function the next block is found by asking of every waiting one whether another could still get
 * to it in this sweep; the nest is that of tests/analysis/naive.h. No code is shared with src/.
 */
#ifndef TEST_WAVE_JUDGE_H
#define TEST_WAVE_JUDGE_H

#include <heddle/heddle_tools.h>
#include <heddle/wave.h>

#define JUDGE_MAX_BLOCKS 512
#define JUDGE_MAX_RUNS   2000

/* Which block ran with which lanes, in the order in which they did. */
struct runs {
   unsigned num;
   bool cut; /* there was more */
   struct {
      uint32_t block; /* hd_cf_node.index */
      hd_wave_mask mask;
   } run[JUDGE_MAX_RUNS];
};

/* Lane l decides by the bits of words[l], lowest first; its decision number 16 and later ones are
 * those that `later` says for the block.
 */
struct lanes {
   unsigned num;
   uint32_t words[HD_WAVE_MAX_LANES];
   bool later[JUDGE_MAX_BLOCKS];
};

void judge(hd_function *f, const struct lanes *lanes, struct runs *out);

/* The same, as src/wave runs it. `how` says the width, the seed, the mode and the active lanes. */
hd_result observe_lanes(hd_shader *shader, const struct lanes *lanes, const hd_wave_launch *how,
                        struct runs *out);

/* What a run with these lanes alone should be. */
void cut_runs(struct runs *r, hd_wave_mask lanes);

/* Do the blocks of the function have the same sequences of masks; a prefix of each other's, where
 * one was cut. The index of a block where not, else UINT32_MAX.
 */
uint32_t lanes_differ(const hd_function *f, const struct runs *a, const struct runs *b);

#endif
