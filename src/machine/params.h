/* SPDX-License-Identifier: MIT */
/* params.h - parameters of the entry point: their offsets in the kernarg segment, and which are pointers. */
#ifndef HEDDLE_MACHINE_PARAMS_H
#define HEDDLE_MACHINE_PARAMS_H

#include "heddle/ir.h"
#include "util/memory.h"

/* Bytes: three components are as four. */
static inline uint32_t
hd_mach_param_align(unsigned num_components, unsigned bit_size)
{
   uint32_t aligned = 1;

   while (aligned < num_components)
      aligned *= 2;
   return aligned * (bit_size == 1 ? 1 : bit_size / 8);
}

/* The offset of the next parameter; *end is where the segment ends, before and after. */
static inline uint32_t
hd_mach_param_place(uint32_t *end, unsigned num_components, unsigned bit_size)
{
   const uint32_t align = hd_mach_param_align(num_components, bit_size);
   const uint32_t offset = (*end + align - 1) & ~(align - 1);

   *end = offset + num_components * (bit_size == 1 ? 1 : bit_size / 8);
   return offset;
}

/* Parameters of the entry become loads of kernel arguments; kernarg_size grows by them. Unwinds. An
 * entry that is called keeps them.
 */
void hd_mach_lower_params(hd_shader *shader);

/* What is known of a parameter: an address of global memory is made from it; one that is written to. */
enum { HD_MACH_PARAM_POINTER = 1u << 0, HD_MACH_PARAM_WRITTEN = 1u << 1 };

/* Of each parameter of the entry, as pointer_params.c says. */
uint8_t *hd_mach_pointer_params(hd_stack *stack, const hd_shader *shader);

#endif
