/* SPDX-License-Identifier: MIT */
/* sequence.h - instruction selection by a table of sequences: ops and some intrinsics as steps for which a
 * machine has instructions. The tables are generated from src/codegen/machine/sequences*.py.
 */
#ifndef HEDDLE_MACHINE_SEQUENCE_H
#define HEDDLE_MACHINE_SEQUENCE_H

#include "heddle/ir.h"
#include "machine/machine.h"
#include "machine_steps.h"

#define HD_MACH_MAX_STEPS   512u
#define HD_MACH_MAX_RESULTS 4u

/* What a value is: a kind, plus a number. 0: there is none. */
enum {
   HD_MACH_REF_KINDS = 3u << 14,
   HD_MACH_REF_CONSTANT = 2u << 14, /* of hd_mach_sequences.constants */
   HD_MACH_REF_INPUT = 3u << 14,    /* part n % 16 of operand n / 16, or, from here on, */
   HD_MACH_REF_START = 64u,         /* a register at the start, by the machine's number */
   HD_MACH_REF_STEP = 1u << 14,     /* what a step gives, by its number in the row */
};

/* A step is a byte that says which one and how many operands it has, and a byte for each of these, which is:
 *
 *    n below 128       what the step gives that is n + 1 before this one, or before the end
 *    128 + n           a constant, of the first 111
 *    239 + n           part n % 4 of operand n / 4
 *    255               what the next two bytes say, the lower one first
 *
 * After the steps are the results.
 */
enum {
   HD_MACH_BYTE_CONSTANT = 128,
   HD_MACH_BYTE_INPUT = 239,
   HD_MACH_BYTE_LONG = 255,
};
#define HD_MACH_STEP_BYTE(op, num_srcs) ((op) | (num_srcs) << 6)
#define HD_MACH_STEP_OP(byte)           ((byte)&63u)
#define HD_MACH_STEP_NUM_SRCS(byte)     ((byte) >> 6)
/* What another row computes of operands of one part: two bytes with its number stand before the operands. */
#define HD_MACH_STEP_ROW HD_MACH_NUM_STEPS

#define HD_MACH_RESULTS 4096u

typedef struct hd_mach_sequence {
   uint16_t op;      /* hd_op, or HD_NUM_OPS and an intrinsic; rows are sorted by it, */
   uint8_t from, to; /* and by the sizes of the first operand and of the result; or 0 */
   uint16_t first;   /* the byte of the first step */
   uint16_t num;     /* of steps, and HD_MACH_RESULTS times that of results */
} hd_mach_sequence;

typedef struct hd_mach_sequences {
   const uint32_t *constants; /* true is all ones */
   const uint8_t *steps;
   const hd_mach_sequence *rows;
   uint32_t num_rows;
} hd_mach_sequences;

/* What a machine has for the walk. `s` is its own state. */
typedef struct hd_mach_stepper {
   hd_mach_operand (*part)(void *s, const hd_def *def, unsigned n);
   hd_mach_operand (*start)(void *s, unsigned which);
   hd_mach_operand (*constant)(uint32_t bits);
   /* Append what does the step; its result. Operands that the step does not have are of size 0. */
   hd_mach_operand (*emit)(void *s, hd_mach_step_op op, const hd_mach_operand srcs[3]);
} hd_mach_stepper;

/* Emit what the row of this op and sizes says, on these operands. False: there is none. */
bool hd_mach_run_sequence(const hd_mach_sequences *table, const hd_mach_stepper *stepper, void *s,
                          unsigned op, unsigned from, unsigned to, const hd_src *srcs,
                          hd_mach_operand results[HD_MACH_MAX_RESULTS]);

#endif
