/* SPDX-License-Identifier: MIT */
/* observe.h - run a program, write down which lanes ran which block of the input, and compare. */
#ifndef VERIFY_OBSERVE_H
#define VERIFY_OBSERVE_H

#include "heddle/linear.h"
#include "heddle/wave.h"
#include "program.h"

#define CREW_WIDTH 64 /* at most so many lanes a wave */

/* Who runs: waves of one width, each lane with its word and each wave with its own. */
typedef struct crew {
   uint32_t width, num_waves;
   uint32_t *words;      /* [wave][lane] */
   uint32_t *wave_words; /* [wave] */
} crew;

crew crew_make(uint32_t width, uint32_t num_waves);
void crew_free(crew *c);

/* Where the marks of the input's blocks are in a function. */
typedef struct marks {
   uint32_t *first; /* by index of a block: the input block whose mark comes first, or NO_BLOCK */
   uint32_t *next;  /* by input block: the next mark in the same block */
   uint32_t num_blocks, num_marks;
} marks;

/* False: a mark is there twice or not at all; `what` says which. */
bool marks_find(marks *m, const hd_function *f, uint32_t num_marks, char what[256]);
void marks_free(marks *m);

/* A wave runs an input block. */
typedef struct event {
   uint64_t mask;
   uint32_t wave, block;
   /* Of what the lanes logged before, where that was asked for and is known; else 0. It is not
    * known where the code of several input blocks stands in one, but of the first.
    */
   uint32_t values;
   uint32_t unused; /* 0: events are compared as bytes */
} event;

typedef struct observation {
   event *events;
   uint32_t num_events, capacity;
   uint32_t *log;      /* [wave][lane] in the end */
   uint8_t *undefined; /* a byte for each of the log */
   size_t log_size;    /* bytes */
   hd_result result;
   hd_wave_stats stats;
   char message[256]; /* the diagnostic of a result that is not HD_OK */
} observation;

typedef struct observe_options {
   hd_wave_mode mode;
   const hd_linear *linear;
   uint64_t max_steps;
   /* Waves take turns and their values are written down at each event: for programs that do not
    * end.
    */
   bool endless;
} observe_options;

/* For shaders that are observed: the first diagnostic goes to `message`, until that is emptied. */
hd_config observe_config(char message[256]);

/* `o` is zero-initialised or was used before; its memory is used again. */
void verify_observe(observation *o, hd_function *f, const marks *m, const crew *c,
                    const observe_options *options);
void observation_free(observation *o);

/* Are the masks of each block, the blocks of each lane and all values the same? Where one of the
 * two did not end, one must be the beginning of the other, except that lanes that reached an end of
 * the graph have reached it. False: `what` says what is not the same, and in which wave.
 */
bool observations_agree(const observation *before, const observation *after, const crew *c,
                        const graph *g, char what[256], uint32_t *wave);

/* Has a wave come less than half as far as before? Then the second run was too short to tell
 * anything of it, or lanes that went on stop now.
 */
bool observation_is_short(const observation *before, const observation *after, const crew *c,
                          uint32_t *wave);

#endif
