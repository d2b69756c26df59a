/* SPDX-License-Identifier: MIT */
/* parallel_copy.h - sequentialise parallel copies (ssa.h), with tables that are made once. */
#ifndef HEDDLE_IR_PARALLEL_COPY_H
#define HEDDLE_IR_PARALLEL_COPY_H

#include "heddle/ssa.h"
#include "util/memory.h"

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

/* As hd_sequence_copies, in time linear in `num` alone; returns how many steps. Nothing is checked. */
uint32_t hd_copy_sequence(hd_copier *copier, const hd_copy *copies, uint32_t num, bool swaps,
                          hd_copy_step *steps);

#endif
