/* SPDX-License-Identifier: MIT */
/* observe.h - reports to an observer of a compilation.
 *
 *    observe.c      the report of a phase
 *    live_counts.c  how many registers are live at each instruction
 *
 * Nothing of the program is changed.
 */
#ifndef HEDDLE_MACHINE_OBSERVE_H
#define HEDDLE_MACHINE_OBSERVE_H

#include "heddle/observe.h"
#include "machine/program.h"

/* Append one instruction, without a newline. */
typedef void hd_mach_print_inst(const hd_mach_program *p, const hd_mach_inst *inst, hd_blob *out);

void hd_mach_before_phase(const hd_mach_program *p, const char *name);
/* Does nothing without an observer. Unwinds when memory runs out. */
void hd_mach_after_phase(hd_mach_program *p, const char *name, hd_mach_print_inst *print);

/* A piece of the code: what the machine calls an instruction. */
typedef struct hd_mach_piece {
   const hd_mach_inst *inst;   /* that it comes from, or NULL */
   const hd_mach_block *block; /* pieces of a block stand together, blocks in their order */
   uint32_t offset, size;      /* bytes */
} hd_mach_piece;

/* The phase "output"; `print` appends the text of a piece. */
void hd_mach_after_output(hd_mach_program *p, const hd_mach_piece *pieces, uint32_t num,
                          void (*print)(const void *user, uint32_t piece, hd_blob *out),
                          const void *user);

/* The blocks in the order of the code, or as they were made while there is none. */
typedef struct hd_mach_view {
   hd_mach_block **blocks;
   uint32_t num;
   uint32_t num_insts;
} hd_mach_view;

/* Fill in `live` of each instruction in the order of the view. False: it is not known. */
bool hd_mach_count_live(hd_mach_program *p, const hd_mach_view *view, hd_machine_inst *insts);

#endif
