/* SPDX-License-Identifier: MIT */
/* run_kernel.h - the arguments of a kernel of SPIR-V, from the command line to its launch. */
#ifndef HEDDLE_TOOLS_RUN_KERNEL_H
#define HEDDLE_TOOLS_RUN_KERNEL_H

#include "memories.h"

#include "heddle/wave.h"

struct kernel_arguments {
   uint8_t *kernarg, *undefined; /* free() both */
   bool *given;                  /* by argument; free() */
};

bool is_argument(const struct memory *m);
/* Is it one that the run may have changed? */
bool is_argument_buffer(const tool *t, const struct memory *m);

/* What stands under arg@N in `memories` becomes argument N; buffers become regions, of which there
 * is room for. Images and samplers are in the launch already. False: a message was printed.
 */
bool bind_kernel_arguments(const tool *t, hd_shader *shader, const struct memory *memories,
                           unsigned num_memories, hd_wave_launch *launch, hd_wave_region *regions,
                           struct kernel_arguments *k);
/* Constant samplers of the module, at most MAX_CONSTANT_SAMPLERS, are added to those of the launch. */
#define MAX_CONSTANT_SAMPLERS 32
void bind_constant_samplers(const tool *t, hd_wave_launch *launch, hd_wave_sampler *samplers);
void free_kernel_arguments(struct kernel_arguments *k);

#endif
