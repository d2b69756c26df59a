/* SPDX-License-Identifier: MIT */
/* ext_opencl.c - extended instructions. */
#include "spirv/spirv.h"

void
hd_spirv_ext_opencl(struct spirv *s, const struct spirv_instr *i, uint32_t number,
                    const uint32_t *operands, uint32_t num_operands)
{
   (void)i;
   (void)number;
   (void)operands;
   (void)num_operands;
   hd_spirv_unsupported(s, "not yet");
}

bool
hd_spirv_ext_needs_address(uint32_t ext_set, uint32_t number)
{
   return ext_set == EXT_OPENCL && (number == SPV_OPENCL_VLOADN || number == SPV_OPENCL_VSTOREN);
}
