/* SPDX-License-Identifier: MIT */
/* reflect.h - what a host must know of a SPIR-V module to make a pipeline's layout. */
#ifndef SPIRV_HOST_REFLECT_H
#define SPIRV_HOST_REFLECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <vulkan/vulkan.h>

enum { MAX_BINDINGS = 256 };

struct binding {
   uint32_t set;
   uint32_t binding;
   uint32_t count;
   VkDescriptorType type;
};

struct reflection {
   struct binding bindings[MAX_BINDINGS];
   unsigned num_bindings;
   char entry[256]; /* the first compute entry point */
};

/* False where the module makes no sense. The module is trusted otherwise: it went through
 * spirv-val. */
bool reflect(const uint32_t *words, size_t count, struct reflection *r);

#endif
