/* SPDX-License-Identifier: MIT */
/* params.h - offsets of parameters of the entry point in the kernarg segment. */
#ifndef HEDDLE_MACHINE_PARAMS_H
#define HEDDLE_MACHINE_PARAMS_H

#include "heddle/ir.h"

/* The offset of the next parameter; *end is where the segment ends, before and after. */
static inline uint32_t
hd_mach_param_place(uint32_t *end, unsigned num_components, unsigned bit_size)
{
   unsigned bytes = bit_size == 1 ? 1 : bit_size / 8, aligned = 1;

   while (aligned < num_components)
      aligned *= 2;
   uint32_t align = aligned * bytes;
   uint32_t offset = (*end + align - 1) & ~(align - 1);
   *end = offset + num_components * bytes;
   return offset;
}

/* Parameters of the entry become loads of kernel arguments; kernarg_size grows by them. Unwinds. An
 * entry that is called keeps them.
 */
void hd_mach_lower_params(hd_shader *shader);

#endif
