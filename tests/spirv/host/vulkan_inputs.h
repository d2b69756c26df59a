/* SPDX-License-Identifier: MIT */
/* vulkan_inputs.h - buffers, images, samplers and push constants of a job, and its descriptor sets. */
#ifndef SPIRV_HOST_VULKAN_INPUTS_H
#define SPIRV_HOST_VULKAN_INPUTS_H

#include "vulkan_image.h"
#include "vulkan_pipeline.h"

enum { MAX_PLACES = 64, PUSH_SIZE = 256 };

/* A buffer of the job. */
struct place {
   const char *name; /* "0.1", "0.1.2"; for memory its address in digits */
   const char *out;
   bool memory;
   uint64_t nominal;
   size_t size;
   VkBuffer buffer;
   VkDeviceMemory allocation;
   VkDeviceAddress address;
   uint8_t *data;
};

struct inputs {
   struct place places[MAX_PLACES];
   unsigned num_places;
   struct texture textures[MAX_PLACES];
   struct sampler samplers[MAX_PLACES];
   unsigned num_textures, num_samplers;
   uint8_t push[PUSH_SIZE];
   size_t push_size;
   VkDescriptorPool pool;
   VkDescriptorSet sets[MAX_SETS];
};

/* False: they cannot be set up. Either way they are closed. */
bool inputs_open(struct device *d, const struct program *p, struct job *job, struct inputs *x);
/* Bind them to the pipeline of `commands`; images get their bytes. */
void inputs_bind(VkCommandBuffer commands, const struct program *p, const struct inputs *x,
                 VkPipelineBindPoint point);
/* Images give their bytes back. */
void inputs_read(VkCommandBuffer commands, const struct inputs *x);
/* What the job wants of them, to its files. */
bool inputs_write(const struct inputs *x);
void inputs_close(struct device *d, struct inputs *x);
/* Memory of a buffer that the host sees. */
bool buffer_make(struct device *d, struct place *p, const void *bytes);

#endif
