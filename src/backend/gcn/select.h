/* SPDX-License-Identifier: MIT */
/* select.h - what the parts of instruction selection share.
 *
 *    select.c            the walk, values, phis, conditions of branches
 *    select_alu.c        alu ops, by the rows of gcn_select.py
 *    select_memory.c     loads, stores, atomics
 *    select_lanes.c      what reads other lanes; barriers
 *    abi.c               registers at the start; intrinsics that they answer
 *
 * A value of the IR is one operand: a temp in the file that divergence analysis says (uniform:
 * SGPR, divergent: VGPR, divergent booleans: a mask in SGPRs), or, of a constant, nothing before it
 * is asked for.
 */
#ifndef HEDDLE_BACKEND_GCN_SELECT_H
#define HEDDLE_BACKEND_GCN_SELECT_H

#include "backend/gcn/code.h"

typedef struct hd_gcn_selector {
   hd_gcn_program *p;
   hd_gcn_block *block;    /* that is being written, at its end */
   const hd_instr *instr;  /* that is being selected */
   hd_gcn_operand *values; /* by hd_def.index; size 0: none yet */
   struct hd_gcn_abi_state *abi;
   bool failed; /* something was refused */
} hd_gcn_selector;

/* Whether the value lives in scalar registers as such: it is uniform. */
bool hd_gcn_is_scalar(const hd_gcn_selector *s, const hd_def *def);

/* The value as it is: constants as a constant operand where `type` can say it inline or as a
 * literal, else in registers. Only for one component.
 */
hd_gcn_operand hd_gcn_value(hd_gcn_selector *s, const hd_def *def);
/* Component `c` of it. */
hd_gcn_operand hd_gcn_component(hd_gcn_selector *s, const hd_def *def, unsigned c);
/* All components in consecutive registers of this file; a scalar that must be divergent is copied,
 * a divergent value that must be scalar is read from the first lane.
 */
hd_gcn_operand hd_gcn_in_vgprs(hd_gcn_selector *s, const hd_def *def);
hd_gcn_operand hd_gcn_in_sgprs(hd_gcn_selector *s, const hd_def *def);
/* A boolean as a mask, or, if it is uniform, as a dword of 0 or 1. */
hd_gcn_operand hd_gcn_as_mask(hd_gcn_selector *s, const hd_def *def);

/* The operand is the value of `def` from here on: in the file that hd_gcn_is_scalar says. */
void hd_gcn_set_value(hd_gcn_selector *s, const hd_def *def, hd_gcn_operand operand);

/* A fresh value. */
hd_gcn_operand hd_gcn_new(hd_gcn_selector *s, hd_gcn_file file, unsigned size);
hd_gcn_operand hd_gcn_new_mask(hd_gcn_selector *s);

/* Append an instruction. `def` (size 0: none) and sources are the explicit ones; implicit operands
 * are filled in by the row. A source that the form cannot take (a second scalar on the constant
 * bus, a literal in a 64-bit form) is moved to a register before.
 */
hd_gcn_inst *hd_gcn_emit(hd_gcn_selector *s, hd_gcn_op op, hd_gcn_operand def, unsigned num_srcs,
                         const hd_gcn_operand *srcs);
hd_gcn_inst *hd_gcn_emit1(hd_gcn_selector *s, hd_gcn_op op, hd_gcn_operand def, hd_gcn_operand a);
hd_gcn_inst *hd_gcn_emit2(hd_gcn_selector *s, hd_gcn_op op, hd_gcn_operand def, hd_gcn_operand a,
                          hd_gcn_operand b);
hd_gcn_inst *hd_gcn_emit3(hd_gcn_selector *s, hd_gcn_op op, hd_gcn_operand def, hd_gcn_operand a,
                          hd_gcn_operand b, hd_gcn_operand c);
/* p_vector and p_split; a part that is the whole is handed through. */
hd_gcn_operand hd_gcn_join(hd_gcn_selector *s, hd_gcn_file file, unsigned num,
                           const hd_gcn_operand *parts);
void hd_gcn_parts(hd_gcn_selector *s, hd_gcn_operand whole, unsigned size_of_part,
                  hd_gcn_operand *parts);

/* One instruction of the IR each; false: it was refused. */
bool hd_gcn_select_alu(hd_gcn_selector *s, const hd_alu *alu);
bool hd_gcn_select_memory(hd_gcn_selector *s, const hd_intrinsic *intrinsic);
bool hd_gcn_select_lanes(hd_gcn_selector *s, const hd_intrinsic *intrinsic);

/* Before anything: what the ABI puts into registers, as far as the shader asks for it. */
bool hd_gcn_abi_start(hd_gcn_selector *s);
/* Intrinsics that are known at the start: ids, sizes, kernarg, push constants. */
bool hd_gcn_select_abi(hd_gcn_selector *s, const hd_intrinsic *intrinsic);

#endif
