/* SPDX-License-Identifier: MIT */
/* sequence.h - the table of sequences as data, made from src/codegen/nyuzi/sequences*.py: what ops
 * and some intrinsics compute. sequence.c walks it.
 */
#ifndef HEDDLE_BACKEND_NYUZI_SELECT_SEQUENCE_H
#define HEDDLE_BACKEND_NYUZI_SELECT_SEQUENCE_H

#include "backend/nyuzi/select/select.h"
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
   HD_NYUZI_STEP = 1u << 14,     /* what a step gives, by its number in the row */
   HD_NYUZI_CONSTANT = 2u << 14, /* of hd_nyuzi_constants */
   HD_NYUZI_INPUT = 3u << 14,    /* part n % 16 of operand n / 16, or, from here on, */
   HD_NYUZI_INPUT_START = 64u,   /* a register at the start: hd_nyuzi_start */
};

typedef struct hd_nyuzi_step {
   uint16_t op; /* hd_nyuzi_op, or one of the above */
   uint16_t srcs[3];
} hd_nyuzi_step;

typedef struct hd_nyuzi_sequence {
   uint16_t op;         /* hd_op, or HD_NUM_OPS and an intrinsic; rows are sorted by it, */
   uint8_t from, to;    /* and by the sizes of the first operand and of the result; or 0 */
   uint16_t first, num; /* steps */
   uint16_t results[HD_NYUZI_MAX_RESULTS];
} hd_nyuzi_sequence;

extern const uint32_t hd_nyuzi_constants[];
extern const hd_nyuzi_step hd_nyuzi_steps[];
extern const hd_nyuzi_sequence hd_nyuzi_sequences[];
extern const uint32_t hd_nyuzi_num_sequences;

/* Emit what the row of this op and sizes says, on these operands. False: there is none. */
bool hd_nyuzi_run_sequence(hd_nyuzi_selector *s, unsigned op, unsigned from, unsigned to,
                           const hd_src *srcs, hd_mach_operand results[HD_NYUZI_MAX_RESULTS]);
/* The same for an intrinsic; without a row it is refused. */
bool hd_nyuzi_run_intrinsic(hd_nyuzi_selector *s, const hd_intrinsic *i,
                            hd_mach_operand results[HD_NYUZI_MAX_RESULTS]);

#endif
