/* SPDX-License-Identifier: MIT */
/* reconverge_build.h - state of flow block creation. */
#ifndef HEDDLE_STRUCTURIZE_RECONVERGE_BUILD_H
#define HEDDLE_STRUCTURIZE_RECONVERGE_BUILD_H

#include "heddle/ops.h"
#include "structurize/reconverge.h"

typedef struct rc_builder {
   rc *r;
   hd_function *f;
   hd_shader *shader;
   hd_def *bool_const[2];
   hd_def **number; /* by position: the constant of its number */
   uint32_t num_numbers;
   unsigned number_bits;
   hd_def *undef[HD_MAX_COMPONENTS + 1][65]; /* by components and bits */
   uint32_t *pred_of; /* by edge: its position among the predecessors of its flow block */
   struct rc_selector *selectors; /* by flow block */
   uint8_t *inverted;             /* by position: its bits are false for those that wait for it */
   bool *two_way; /* by position: it ends in a branch, or did before that was replaced */
} rc_builder;

/* An undef that dominates everything. */
hd_def *hd_rc_undef(rc_builder *b, unsigned num_components, unsigned bits);

/* How each flow block distinguishes the lanes that pass it: before the blocks are made. */
void hd_rc_plan_selectors(rc_builder *b);

/* Whether a lane at a flow block that has all its edges waits for its place (*when), or for another
 * (not *when). Earlier flow blocks have been asked before. `srcs`: scratch, one for each
 * predecessor.
 */
hd_def *hd_rc_make_test(rc_builder *b, rc_flow *f, hd_def **srcs, bool *when);

#endif
