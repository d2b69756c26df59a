/* SPDX-License-Identifier: MIT */
/* literals.h - scalar constants with one or two users that may be folded as literals. */
#ifndef HEDDLE_BACKEND_GCN_LITERALS_H
#define HEDDLE_BACKEND_GCN_LITERALS_H

#include "backend/gcn/program.h"
#include "machine/live_scalars.h"

/* A register less is a word more for each reader. */
#define HD_GCN_LITERAL_READERS 2
/* Those that values are assigned to. */
#define HD_GCN_LITERAL_REGS 102

/* Of the block that is read backwards: who reads each register, up to where it is written. */
typedef struct hd_gcn_literals {
   hd_mach_inst *readers[HD_GCN_LITERAL_REGS][HD_GCN_LITERAL_READERS];
   uint8_t num[HD_GCN_LITERAL_REGS]; /* more than there is room for: it is needed as it is */
} hd_gcn_literals;

void hd_gcn_literals_begin(hd_gcn_literals *l, const hd_mach_scalars *live_at_end);

/* From after the instruction to before it; its form is the last. */
void hd_gcn_literals_before(hd_gcn_literals *l, hd_mach_inst *inst);

/* Who reads what this s_mov_b32 writes reads its constant. How many they are; 0: they need it. */
unsigned hd_gcn_literals_hand_over(hd_gcn_literals *l, hd_gcn_gen gen, const hd_mach_inst *inst,
                                   hd_mach_inst *readers[HD_GCN_LITERAL_READERS]);

#endif
