/* SPDX-License-Identifier: MIT */
/* code_motion.h - global code motion: moves instructions to where they cost least. Shared by opt_licm,
 * opt_gcm and opt_sink.
 */
#ifndef HEDDLE_PASSES_CODE_MOTION_H
#define HEDDLE_PASSES_CODE_MOTION_H

#include "passes/pass.h"

typedef struct hd_placing {
   bool up;        /* out of cycles, to the block before them */
   bool down;      /* towards what reads the result */
   bool loads;     /* move what reads memory, too */
   bool speculate; /* up even where those that enter the cycle may not reach it */
} hd_placing;

/* Move each instruction to the best place that `how` allows; whether one was moved. Requires block
 * order, dominance, post-dominance and cycles; computes divergence if something is to be moved that
 * needs a uniform operand. The graph stays as it is. n log n.
 */
bool hd_place_instrs(hd_function *f, const hd_placing *how);

#endif
