/* SPDX-License-Identifier: MIT */
/* sequence.h - the table of ALU ops: nyuzi/sequences.py, sequences_float.py and sequences_exact.py as
 * data, which alu.c walks.
 */
#ifndef HEDDLE_BACKEND_NYUZI_SELECT_SEQUENCE_H
#define HEDDLE_BACKEND_NYUZI_SELECT_SEQUENCE_H

#include "heddle/ops.h"
#include "nyuzi_ops.h"

#define HD_NYUZI_MAX_STEPS   512u
#define HD_NYUZI_MAX_RESULTS 4u

/* Besides the instructions: of booleans, and choice by one. */
enum {
   HD_NYUZI_STEP_CHOOSE = HD_NYUZI_NUM_OPS,
   HD_NYUZI_STEP_NOT,
   HD_NYUZI_STEP_LOGIC_AND,
   HD_NYUZI_STEP_LOGIC_OR,
   HD_NYUZI_STEP_LOGIC_XOR,
};

/* What a value is: a kind, plus a number. 0: there is none. */
enum {
   HD_NYUZI_REF_KINDS = 3u << 14,
   HD_NYUZI_STEP =
       1u << 14, /* what the step with this number gives, counted from the row's first */
   HD_NYUZI_CONSTANT = 2u << 14, /* of hd_nyuzi_constants */
   HD_NYUZI_INPUT = 3u << 14,    /* part n % 16 of operand n / 16 */
};

typedef struct hd_nyuzi_step {
   uint16_t op; /* hd_nyuzi_op, or one of the above */
   uint16_t srcs[3];
} hd_nyuzi_step;

typedef struct hd_nyuzi_sequence {
   uint16_t op;         /* hd_op; rows are sorted by it, */
   uint8_t from, to;    /* and by the sizes of the first operand and of the result */
   uint16_t first, num; /* steps */
   uint16_t results[HD_NYUZI_MAX_RESULTS]; /* a value for each part */
} hd_nyuzi_sequence;

extern const uint32_t hd_nyuzi_constants[];
extern const hd_nyuzi_step hd_nyuzi_steps[];
extern const hd_nyuzi_sequence hd_nyuzi_sequences[];
extern const uint32_t hd_nyuzi_num_sequences;

#endif
