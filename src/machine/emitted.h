/* SPDX-License-Identifier: MIT */
/* emitted.h - what a driver's hook for its own intrinsics has made so far: values by number, results. */
#ifndef HEDDLE_MACHINE_EMITTED_H
#define HEDDLE_MACHINE_EMITTED_H

#include "heddle/ops.h"
#include "machine/program.h"

#define HD_MACH_EMITTED_PARTS (2 * HD_MAX_COMPONENTS)

typedef struct hd_mach_emitted_value {
   hd_mach_operand operand;
   bool boolean; /* the machine's own */
} hd_mach_emitted_value;

typedef struct hd_mach_emitted {
   hd_mach_program *p;
   const hd_intrinsic *intrinsic;
   const hd_intrinsic_info *info;
   hd_mach_emitted_value *values; /* by number; 0 is none */
   uint32_t num, capacity;
   hd_mach_emitted_value first[32];
   hd_mach_operand results[HD_MACH_EMITTED_PARTS];
   bool given[HD_MACH_EMITTED_PARTS];
   bool failed;
} hd_mach_emitted;

void hd_mach_emitted_init(hd_mach_emitted *e, hd_mach_program *p, const hd_intrinsic *i);
/* Refuse the intrinsic, or an instruction of it, by a diagnostic for the first time. False. */
bool hd_mach_emitted_refuse(hd_mach_emitted *e, const char *why);
bool hd_mach_emitted_refuse_op(hd_mach_emitted *e, const char *op, const char *why);
/* Its number. Unwinds. */
uint32_t hd_mach_emitted_add(hd_mach_emitted *e, hd_mach_operand operand, bool boolean);
/* NULL: there is none of this number. */
const hd_mach_emitted_value *hd_mach_emitted_at(const hd_mach_emitted *e, uint32_t number);
/* The value that is to be a part of the result, of which there are so many; NULL: it was refused, or the
 * hook has failed. hd_mach_emitted_give sets it.
 */
const hd_mach_emitted_value *hd_mach_emitted_result(hd_mach_emitted *e, unsigned part,
                                                    unsigned num_parts, uint32_t number);
void hd_mach_emitted_give(hd_mach_emitted *e, unsigned part, hd_mach_operand operand);
/* The hook has returned `selected`: whether there are all of its results. False: it was refused. */
bool hd_mach_emitted_end(hd_mach_emitted *e, bool selected, unsigned num_parts);

#endif
