/* SPDX-License-Identifier: MIT */
/* motion_match.h - which values, instructions and blocks of two functions correspond: see motion.h.
 */
#ifndef HEDDLE_CHECK_MOTION_MATCH_H
#define HEDDLE_CHECK_MOTION_MATCH_H

#include "heddle/motion.h"
#include "ir/private.h"
#include "util/ptr_map.h"

/* One of the two functions. Instructions are numbered in reverse postorder, those of unreachable
 * blocks left out.
 */
typedef struct hd_match_side {
   hd_function *f;
   uint32_t num;
   hd_instr **instr;   /* by number */
   uint64_t *key;      /* by number: what it does, operands included, or its name */
   uint32_t *of_def;   /* number, by def index; UINT32_MAX for none */
   hd_ptr_map others;  /* number of what has no result */
   hd_instr **partner; /* by number: in the other function, or NULL */
   hd_block **block;   /* by block index: in the other function, or NULL */
} hd_match_side;

/* Before and after. All is on the stack. Requires block order of both. */
void hd_match_functions(hd_stack *stack, hd_function *before, hd_function *after,
                        hd_match_side side[2]);

/* NULL if nothing corresponds. */
hd_instr *hd_match_instr(const hd_match_side *side, const hd_instr *i);
const hd_def *hd_match_def(const hd_match_side *side, const hd_def *def);
hd_block *hd_match_block(const hd_match_side *side, const hd_block *b);

#endif
