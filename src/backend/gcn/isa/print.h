/* SPDX-License-Identifier: MIT */
/* print.h - the instruction printer, for single instructions and whole programs. */
#ifndef HEDDLE_BACKEND_GCN_ISA_PRINT_H
#define HEDDLE_BACKEND_GCN_ISA_PRINT_H

#include "backend/gcn/program.h"

typedef struct hd_gcn_printer {
   hd_gcn_gen gen;
   hd_blob *out;
   const hd_mach_program *program; /* may be NULL: temps are then what their operands say */
   const char *label;              /* the target of a branch; NULL: a number, or its block */
   bool values;                    /* name the SSA value beside its register */
} hd_gcn_printer;

/* Without a newline. */
void hd_gcn_print(const hd_gcn_printer *p, const hd_mach_inst *inst);

/* One operand, without its modifiers. */
void hd_gcn_operand_print(const hd_gcn_printer *p, const hd_mach_operand *o);

/* A register by number and size: "s[4:5]", "vcc". */
void hd_gcn_register_print(hd_gcn_gen gen, unsigned reg, unsigned size, hd_blob *out);

/* The pattern of ds_swizzle_b32: " offset:swizzle(SWAP,1)". swizzle.c */
void hd_gcn_swizzle_print(unsigned imm, hd_blob *out);

#endif
