/* SPDX-License-Identifier: MIT */
/* harness.h - run a text and see what came of it. */
#ifndef TEST_WAVE_HARNESS_H
#define TEST_WAVE_HARNESS_H

#include <heddle/heddle_tools.h>
#include <heddle/wave.h>

struct outcome {
   hd_result result;
   char message[1024]; /* the first */
   unsigned num_messages;
   hd_wave_stats stats;
};

/* A valid shader, or a failed test. Its diagnostics go to `to`. */
hd_shader *parse_shader(const char *text, struct outcome *to);
/* Parse, run, destroy. */
struct outcome run_text(const char *text, const hd_wave_launch *launch);

/* A body that runs on `lanes` lanes of one wave. It may use %lane:32, a lane's number, and the
 * blocks of `body` come after it in b0; what it stores with `store_buffer %x, %zero, %at` is the
 * lane's word of `out`, where %at is four times its number. Undefined words are 0xdead.
 */
struct outcome run_lanes(const char *body, unsigned lanes, uint32_t *out);

#endif
