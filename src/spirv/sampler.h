/* SPDX-License-Identifier: MIT */
/* sampler.h - constant samplers of kernels: what tells one from another. */
#ifndef HEDDLE_SPIRV_SAMPLER_H
#define HEDDLE_SPIRV_SAMPLER_H

#include "spirv/spirv.h"

/* The state of a constant sampler: how coordinates are addressed, and these. It tells the binding apart, which
 * comes after those of the arguments.
 */
#define SPIRV_SAMPLER_ADDRESSING 0x07u /* SPV_SAMPLER_ADDRESSING_MODE_* */
#define SPIRV_SAMPLER_NORMALIZED 0x08u
#define SPIRV_SAMPLER_LINEAR     0x10u
#define SPIRV_SAMPLER_STATES     0x20u

/* The binding of a constant sampler of this state. */
uint32_t hd_spirv_sampler_binding(struct spirv *s, uint32_t state);

#endif
