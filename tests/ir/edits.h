/* SPDX-License-Identifier: MIT */
/* edits.h - editing sequences on one structured function, chosen by a seed or by given bytes, each
 * step checked by naive.h. Memory runs out in some steps: then nothing may have changed.
 */
#ifndef HEDDLE_TESTS_EDITS_H
#define HEDDLE_TESTS_EDITS_H

#include "heddle/ir.h"

typedef struct edit_run {
   const uint8_t *bytes; /* choices come from here, when not NULL, ... */
   size_t num_bytes;
   uint64_t random; /* ... and else from here */
   hd_shader *shader;
   hd_function *f;
   bool fail;   /* allocations fail while set */
   size_t live; /* bytes that are allocated */
   char fault[320];
} edit_run;

/* A shader with one function and nothing in it. `bytes` may be NULL: then the seed chooses. */
void edit_run_begin(edit_run *r, uint64_t seed, const uint8_t *bytes, size_t num_bytes);

/* One edit. NULL, or what is wrong. */
const char *edit_run_step(edit_run *r);

/* Remove everything. NULL, or what is wrong: something is left. */
const char *edit_run_end(edit_run *r);

#endif
