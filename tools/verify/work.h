/* SPDX-License-Identifier: MIT */
/* work.h - many graphs, judged by several processes; what was done is kept in a file. */
#ifndef VERIFY_WORK_H
#define VERIFY_WORK_H

#include "judge.h"

/* The programs that are made of a graph. */
typedef enum variant {
   VARIANT_PLAIN,    /* lanes decide; no values cross blocks: what is added is counted here */
   VARIANT_LANES,    /* lanes decide; values across everything, in two of three phis, and lanes that
                        read each other */
   VARIANT_UNIFORM,  /* waves decide */
   VARIANT_MIXED,    /* both, block by block */
   VARIANT_DECLARED, /* as VARIANT_PLAIN, with random valid declarations */
   VARIANT_ALL,      /* as VARIANT_MIXED, with random valid declarations */
   NUM_VARIANTS,
} variant;

extern const char *const variant_names[NUM_VARIANTS];

/* False where there is none: no valid declarations were found. `p` is zero-initialised or was used
 * before. The graph is one that `number` says; the same seed makes the same program.
 */
bool variant_make(program *p, const graph *g, variant v, uint64_t seed, uint64_t number);

/* Where the graphs come from: one of the three. */
typedef struct source {
   int small;     /* all graphs of so many inner blocks; 0: not these */
   unsigned most; /* which go to so many others at most */

   const graph *graphs; /* these, `num` of them; NULL: not these */

   uint32_t min_blocks, max_blocks; /* else `num` random ones */
   uint64_t num;

   uint64_t seed;
} source;

uint64_t source_count(const source *s);

/* Gives the graphs by ascending numbers. */
typedef struct reader {
   const source *source;
   small_graphs walk;
   uint64_t next;
   graph graph;
} reader;

void reader_begin(reader *r, const source *s);
void reader_end(reader *r);
/* Until the next call; NULL past the end. */
const graph *reader_get(reader *r, uint64_t number);

typedef struct work {
   source source;
   judge_options options;
   uint32_t variants;  /* bit n: variant n */
   uint64_t first;     /* the number of the first graph */
   uint64_t share;     /* one in so many graphs, 1: all */
   unsigned jobs;      /* processes */
   unsigned seconds;   /* that one program may take */
   const char *resume; /* a file that says what was done, or NULL */
   bool progress;      /* a line on standard error that tells how far it is */
   FILE *per_graph;    /* a line for each graph, or NULL: only for one process */
} work;

/* The program at which something failed. */
typedef struct place {
   uint64_t graph;
   variant variant;
} place;

#define MAX_PLACES 8

/* Judge them all, or until MAX_PLACES programs failed. False: a message was printed. `places` has
 * room for MAX_PLACES.
 */
bool work_run(const work *w, tally *t, place *places, unsigned *num_places);

/* The program again. */
bool work_program(const work *w, const place *at, program *p);

#endif
