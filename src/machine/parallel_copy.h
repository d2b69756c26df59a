/* SPDX-License-Identifier: MIT */
/* parallel_copy.h - sequentialise parallel copies.
 *
 *    b, c, a, d  <-  a, b, c, a           move d, a     (a is in d now)
 *                                 =>      move a, c
 *                                         move c, b
 *                                         move b, d
 *
 * Locations are numbers: registers, spill slots. All copies read before any writes; no two write
 * the same location. A location that no copy writes keeps its value.
 */
#ifndef HEDDLE_MACHINE_PARALLEL_COPY_H
#define HEDDLE_MACHINE_PARALLEL_COPY_H

#include "util/memory.h"

typedef struct hd_copy {
   uint32_t to, from;
} hd_copy;

/* The place of the caller's that a cycle is broken with. */
#define HD_COPY_TEMPORARY UINT32_MAX

typedef struct hd_copy_step {
   bool swap; /* the two exchange what they have; else `to` gets what `from` has */
   uint32_t to, from;
} hd_copy_step;

/* Tables for places below `num_places`, made once and used for any number of copies. */
typedef struct hd_copier {
   uint32_t num_places;
   uint32_t *from;  /* by place: what is to be copied to it; UINT32_MAX: nothing, or it is done */
   uint32_t *at;    /* by place: where that is now which it had at first */
   uint32_t *reads; /* by place: how many copies are still to read what it had; 0 between calls */
   uint32_t *work;
} hd_copier;

/* Memory from the stack; fails as that does. */
bool hd_copier_init(hd_copier *copier, hd_stack *stack, uint32_t num_places);

/* Write the steps to `steps`, which has room for 2 * num; returns how many. There are as few as can
 * be:
 *
 * 1. With moves: one for each copy that is not from a place to itself, and one more for each cycle
 *    of which nothing is copied out. They go to HD_COPY_TEMPORARY and back, one cycle after the
 *    other.
 * 2. With `swaps`: one for each such copy, less one for each cycle. No temporary.
 *
 * Time is linear in `num`. The order depends on nothing but the copies and their order.
 */
uint32_t hd_copy_sequence(hd_copier *copier, const hd_copy *copies, uint32_t num, bool swaps,
                          hd_copy_step *steps);

#endif
