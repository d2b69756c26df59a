/* SPDX-License-Identifier: MIT */
/* vulkan_image.h - images and samplers of a job. */
#ifndef SPIRV_HOST_VULKAN_IMAGE_H
#define SPIRV_HOST_VULKAN_IMAGE_H

#include "jobs.h"
#include "vulkan_device.h"

/* An image, with its bytes in a buffer beside it; of a texel buffer that is all. */
struct texture {
   const char *name; /* "0.1", "0.1.2" */
   const char *out;  /* file for its bytes in the end, or "" */
   VkImage image;
   VkImageView view;
   VkBufferView buffer_view;
   VkDeviceMemory memory, buffer_memory;
   VkBuffer buffer;
   uint8_t *data;
   size_t size;
   uint32_t width, height, depth, levels, layers, texel;
};

struct sampler {
   const char *name;
   VkSampler sampler;
};

/* "PLACE:VIEW:FORMAT:TEXEL:W:H:D:LEVELS:LAYERS:IN:OUT", numbers of Vulkan: its bytes are level by level, in a level
 * layer by layer, TEXEL bytes each. VIEW 7 is a texel buffer.
 */
bool texture_make(struct device *d, char *text, struct texture *t);
void texture_destroy(struct device *d, struct texture *t);
/* Bytes to the image, before it is used, or back. */
void texture_copy(VkCommandBuffer commands, const struct texture *t, bool back);

/* "PLACE:A:A:A:MAG:MIN:MIP:BIAS:LOW:HIGH:COMPARE:BORDER:UNNORMALIZED"; COMPARE -1 is none. */
bool sampler_make(struct device *d, char *text, struct sampler *s);

#endif
