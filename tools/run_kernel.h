/* SPDX-License-Identifier: MIT */
/* run_kernel.h - the arguments of a kernel of SPIR-V, from the command line to its launch. */
#ifndef HEDDLE_TOOLS_RUN_KERNEL_H
#define HEDDLE_TOOLS_RUN_KERNEL_H

#include "memories.h"

#define MAX_ARGUMENTS 128

struct kernel_arguments {
   struct memory memories[MAX_ARGUMENTS]; /* what is not in a buffer has no `data` left */
   char names[MAX_ARGUMENTS][8];
   unsigned num;
   hd_wave_region regions[MAX_ARGUMENTS];
   uint8_t *kernarg, *undefined;
};

/* Operands after the file are the arguments in their order. False: a message was printed. */
bool bind_kernel_arguments(const tool *t, hd_shader *shader, hd_wave_launch *launch,
                           struct kernel_arguments *k);
/* Is this argument a buffer, which the run may have changed? */
bool is_kernel_buffer(const tool *t, const struct kernel_arguments *k, unsigned n);
void free_kernel_arguments(struct kernel_arguments *k);

#endif
