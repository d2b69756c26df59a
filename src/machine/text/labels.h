/* SPDX-License-Identifier: MIT */
/* labels.h - the labels of an assembly text, by name. */
#ifndef HEDDLE_MACHINE_TEXT_LABELS_H
#define HEDDLE_MACHINE_TEXT_LABELS_H

#include "machine/text/cursor.h"
#include "util/memory.h"

typedef struct hd_mach_label {
   hd_mach_word name;
   uint64_t address;
   bool defined; /* the address is known */
} hd_mach_label;

/* Zero but for `stack`, to begin with. */
typedef struct hd_mach_labels {
   hd_stack *stack;
   hd_mach_label *rows;
   uint32_t num, capacity;
   uint32_t *slots; /* a hash table: number of a row + 1 */
   uint32_t slot_mask;
} hd_mach_labels;

/* The number of the row of this name, made where there is none. Rows move when one is made. Unwinds. */
uint32_t hd_mach_label_number(hd_mach_labels *labels, hd_mach_word name);

/* The row itself. */
static inline hd_mach_label *
hd_mach_label_of(hd_mach_labels *labels, hd_mach_word name)
{
   const uint32_t n = hd_mach_label_number(labels, name);

   return &labels->rows[n];
}

#endif
