/* SPDX-License-Identifier: MIT */
/* register_set.h - sets of registers, by the numbers that they have as operands. */
#ifndef HEDDLE_MACHINE_REGISTER_SET_H
#define HEDDLE_MACHINE_REGISTER_SET_H

#include "backend/gcn/isa/isa.h"

typedef struct hd_gcn_regset {
   uint64_t words[HD_GCN_NUM_REGS / 64];
} hd_gcn_regset;

/* A window of registers to look in. */
typedef struct hd_gcn_window {
   uint16_t first, end;
   uint8_t size, align; /* of what is looked for; `align` is a power of two */
   bool from_end;       /* the last one that fits, instead of the first */
} hd_gcn_window;

void hd_gcn_regset_add(hd_gcn_regset *set, unsigned reg, unsigned size);
void hd_gcn_regset_remove(hd_gcn_regset *set, unsigned reg, unsigned size);
/* Whether any of them is in the set. */
bool hd_gcn_regset_meets(const hd_gcn_regset *set, unsigned reg, unsigned size);
void hd_gcn_regset_unite(hd_gcn_regset *set, const hd_gcn_regset *other);

/* The first of `size` consecutive registers of which none is in the set; HD_GCN_NO_REG: there are
 * none.
 */
unsigned hd_gcn_regset_find(const hd_gcn_regset *taken, hd_gcn_window window);

#endif
