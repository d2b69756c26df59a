/* SPDX-License-Identifier: MIT */
/* table.h - the generated table of instruction selection: the rows of select_rows.py.
 *
 *    op -> range of rows -> patterns -> steps -> indices of refs -> refs, constants
 *
 * select_language.py defines each.
 */
#ifndef HEDDLE_BACKEND_GCN_SELECT_TABLE_H
#define HEDDLE_BACKEND_GCN_SELECT_TABLE_H

#include "backend/gcn/select/alu.h"

enum { REF_NONE, REF_SRC, REF_RESULT, REF_TEMP, REF_CONST, REF_FIXED };
enum { FILE_SCALAR, FILE_VECTOR, FILE_MASK };
enum { PART_WHOLE, PART_LOW, PART_HIGH };

/* An operand of a step. */
typedef struct hd_gcn_select_ref {
   uint16_t index; /* which operand of the op, value of the sequence, constant, or register */
   uint8_t kind;
   uint8_t size;      /* dwords */
   uint8_t part;      /* half of 64 bits */
   uint8_t component; /* of an operand or the result */
   uint8_t mods;      /* HD_GCN_OPERAND_NEG, ABS */
   uint8_t file;      /* of what is written */
} hd_gcn_select_ref;

/* Steps that are no instructions. */
enum {
   STEP_MOVE = 0xffff,   /* the result is an operand */
   STEP_TO_SCC = 0xfffe, /* a boolean into scc */
   STEP_MODE = 0xfffd,   /* the mode register */
};

typedef struct hd_gcn_select_step {
   uint16_t op; /* hd_gcn_op, or above */
   uint8_t num_defs, num_srcs;
   uint16_t bits;      /* as in hd_mach_inst */
   uint16_t first_ref; /* of the numbers of its operands, definitions first */
} hd_gcn_select_step;

/* What must be asked of the shader's floats. In this order of sizes: 16, 32, 64. */
enum {
   WHEN_FLUSH_16 = 1u << 0,
   WHEN_FLUSH_32 = 1u << 1,
   WHEN_FLUSH_64 = 1u << 2,
   WHEN_RTZ_16 = 1u << 3,
   WHEN_RTZ_32 = 1u << 4,
   WHEN_RTZ_64 = 1u << 5,
   WHEN_KEEP_16 = 1u << 6,
   WHEN_KEEP_32 = 1u << 7,
   WHEN_KEEP_64 = 1u << 8,
   WHEN_RNE_16 = 1u << 9,
   WHEN_RNE_32 = 1u << 10,
   WHEN_RNE_64 = 1u << 11,
};

typedef struct hd_gcn_select_pattern {
   uint8_t gens; /* 1u << hd_gcn_gen, or-ed */
   uint16_t when;
   uint16_t first_step;
   uint8_t num_steps;
   uint8_t num_temps;
   uint8_t modifiable; /* bit n: operand n can have neg and abs */
   bool scc;           /* the result is in scc */
} hd_gcn_select_pattern;

typedef struct hd_gcn_select_row {
   bool scalar;
   uint8_t from, to; /* sizes; `to` is 0 where the op says it */
   uint8_t num_patterns;
   uint16_t first_pattern;
} hd_gcn_select_row;

typedef struct hd_gcn_select_range {
   uint16_t first, num;
} hd_gcn_select_range;

extern const hd_gcn_select_ref hd_gcn_select_refs[];
extern const uint8_t hd_gcn_select_ref_numbers[];
extern const hd_gcn_select_step hd_gcn_select_steps[];
extern const hd_gcn_select_pattern hd_gcn_select_patterns[];
extern const uint64_t hd_gcn_select_constants[];
extern const hd_gcn_select_row hd_gcn_select_rows[];
extern const hd_gcn_select_range hd_gcn_select_ranges[];

#endif
