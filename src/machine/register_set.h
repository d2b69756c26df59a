/* SPDX-License-Identifier: MIT */
/* register_set.h - sets of registers, by the numbers that they have as operands. */
#ifndef HEDDLE_MACHINE_REGISTER_SET_H
#define HEDDLE_MACHINE_REGISTER_SET_H

#include "machine/machine.h"

typedef struct hd_mach_regset {
   uint64_t words[HD_MACH_MAX_REGS / 64];
} hd_mach_regset;

/* A window of registers to look in. */
typedef struct hd_mach_window {
   uint16_t first, end;
   uint8_t size, align; /* of what is looked for; `align` is a power of two */
   bool from_end;       /* the last one that fits, instead of the first */
} hd_mach_window;

void hd_mach_regset_add(hd_mach_regset *set, unsigned reg, unsigned size);
void hd_mach_regset_remove(hd_mach_regset *set, unsigned reg, unsigned size);
/* Whether any of them is in the set. */
bool hd_mach_regset_meets(const hd_mach_regset *set, unsigned reg, unsigned size);
void hd_mach_regset_unite(hd_mach_regset *set, const hd_mach_regset *other);

/* The first of `size` consecutive registers of which none is in the set; HD_MACH_NO_REG: there are
 * none.
 */
unsigned hd_mach_regset_find(const hd_mach_regset *taken, hd_mach_window window);

#endif
