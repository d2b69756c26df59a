/* SPDX-License-Identifier: MIT */
/* runs.h - what the lanes of one wave did, and whether two functions did the same.
 *
 * For programs in the manner of tests/gen/random_tree.h: lane l reads words[l] as its decisions
 * from buffer 0, blocks log by storing constants to buffer 1, and what a lane carried is in
 * buffer 2.
 */
#ifndef TEST_STRUCTURIZE_RUNS_H
#define TEST_STRUCTURIZE_RUNS_H

#include <heddle/heddle_tools.h>
#include <heddle/wave.h>

#define RUNS_MAX 20000

struct lane_words {
   unsigned num;
   uint32_t word[HD_WAVE_MAX_LANES];
};

/* `key` is an index of a block (by_index), or a number that a block logs. */
struct run_event {
   uint32_t key;
   hd_wave_mask mask;
};

struct runs {
   unsigned num;
   bool cut;          /* there was more */
   hd_result result;  /* of the run */
   char message[512]; /* the first of it */
   uint32_t last[HD_WAVE_MAX_LANES], mix[HD_WAVE_MAX_LANES];
   struct run_event event[RUNS_MAX];
};

/* Run the entry of a shader, as `launch` says; its lanes, buffers and trace are filled in. */
void runs_observe(hd_shader *shader, hd_wave_launch launch, const struct lane_words *lanes,
                  bool by_index, struct runs *out);

/* NULL if for each key both have the same sequence of masks (one a prefix of the other where it was
 * cut), and, where neither was cut, the same in memory. Else what differs, in a static buffer.
 * Sorts the events by key.
 */
const char *runs_differ(struct runs *a, struct runs *b);

/* Words for a full wave of 64, in which all sequences of six decisions are, and whose others are
 * random; for a single lane; for a random subset: by `set`.
 */
void runs_lanes(struct lane_words *lanes, unsigned set, uint64_t *random);

/* Of 64 lanes: all, a single one, or some, by `set`. */
hd_wave_mask runs_subset(unsigned set, uint64_t *random);

/* What a failed test shows. To be freed. */
char *runs_text(const hd_shader *shader);

#endif
