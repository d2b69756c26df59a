/* SPDX-License-Identifier: MIT */
/* vulkan_image.c - images and samplers of a job. */
#include "vulkan_image.h"

#include <stdlib.h>
#include <string.h>

/* Cut a text at its colons, in place; how many parts there are. */
static unsigned
cut(char *text, char **parts, unsigned most)
{
   unsigned num = 0;

   for (char *at = text; at && num < most; num++) {
      parts[num] = at;
      at = strchr(at, ':');
      if (at)
         *at++ = 0;
   }
   return num;
}

static bool
make_memory(struct device *d, VkMemoryRequirements needs, VkDeviceMemory *memory)
{
   const VkMemoryAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = needs.size,
      .memoryTypeIndex = d->memory_type,
   };

   return vkAllocateMemory(d->device, &info, NULL, memory) == VK_SUCCESS;
}

static bool
make_buffer(struct device *d, struct texture *t, const void *bytes)
{
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = t->size,
      .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT |
               VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT | VK_BUFFER_USAGE_STORAGE_TEXEL_BUFFER_BIT,
   };
   VkMemoryRequirements needs;

   if (vkCreateBuffer(d->device, &info, NULL, &t->buffer))
      return false;
   vkGetBufferMemoryRequirements(d->device, t->buffer, &needs);
   if (!make_memory(d, needs, &t->buffer_memory) ||
       vkBindBufferMemory(d->device, t->buffer, t->buffer_memory, 0) ||
       vkMapMemory(d->device, t->buffer_memory, 0, VK_WHOLE_SIZE, 0, (void **)&t->data))
      return false;
   memcpy(t->data, bytes, t->size);
   return true;
}

static bool
make_image(struct device *d, struct texture *t, VkImageViewType view, VkFormat format)
{
   static const VkImageType types[] = { VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_3D,
                                        VK_IMAGE_TYPE_2D, VK_IMAGE_TYPE_1D, VK_IMAGE_TYPE_2D,
                                        VK_IMAGE_TYPE_2D };
   VkFormatProperties properties;
   VkMemoryRequirements needs;

   vkGetPhysicalDeviceFormatProperties(d->physical, format, &properties);
   const VkFormatFeatureFlags can = properties.optimalTilingFeatures;
   const bool cube = view == VK_IMAGE_VIEW_TYPE_CUBE || view == VK_IMAGE_VIEW_TYPE_CUBE_ARRAY;
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
      .imageType = types[view],
      .format = format,
      .extent = { t->width, t->height, t->depth },
      .mipLevels = t->levels,
      .arrayLayers = t->layers,
      .samples = VK_SAMPLE_COUNT_1_BIT,
      .usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT |
               (can & VK_FORMAT_FEATURE_SAMPLED_IMAGE_BIT ? VK_IMAGE_USAGE_SAMPLED_BIT : 0) |
               (can & VK_FORMAT_FEATURE_STORAGE_IMAGE_BIT ? VK_IMAGE_USAGE_STORAGE_BIT : 0),
   };
   const bool depth = format == VK_FORMAT_D16_UNORM || format == VK_FORMAT_D32_SFLOAT;
   VkImageViewCreateInfo view_info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .viewType = view,
      .format = format,
      .subresourceRange = { depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0,
                            t->levels, 0, t->layers },
   };

   if (vkCreateImage(d->device, &info, NULL, &t->image))
      return false;
   vkGetImageMemoryRequirements(d->device, t->image, &needs);
   if (!make_memory(d, needs, &t->memory) || vkBindImageMemory(d->device, t->image, t->memory, 0))
      return false;
   view_info.image = t->image;
   return vkCreateImageView(d->device, &view_info, NULL, &t->view) == VK_SUCCESS;
}

bool
texture_make(struct device *d, char *text, struct texture *t)
{
   char *parts[11];

   *t = (struct texture){ 0 };
   if (cut(text, parts, 11) != 11)
      return false;
   uint32_t n[9];
   for (unsigned k = 1; k < 9; k++)
      n[k] = (uint32_t)strtoul(parts[k], NULL, 0);
   t->name = parts[0];
   t->out = parts[10];
   t->texel = n[3];
   t->width = n[4];
   t->height = n[5];
   t->depth = n[6];
   t->levels = n[7];
   t->layers = n[8];
   void *bytes = file_read(parts[9], &t->size);
   bool made = bytes && make_buffer(d, t, bytes);
   free(bytes);
   if (!made || n[1] != 7)
      return made && make_image(d, t, (VkImageViewType)n[1], (VkFormat)n[2]);
   const VkBufferViewCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_VIEW_CREATE_INFO,
      .buffer = t->buffer,
      .format = (VkFormat)n[2],
      .range = VK_WHOLE_SIZE,
   };
   return vkCreateBufferView(d->device, &info, NULL, &t->buffer_view) == VK_SUCCESS;
}

void
texture_destroy(struct device *d, struct texture *t)
{
   vkDestroyImageView(d->device, t->view, NULL);
   vkDestroyBufferView(d->device, t->buffer_view, NULL);
   vkDestroyImage(d->device, t->image, NULL);
   vkDestroyBuffer(d->device, t->buffer, NULL);
   vkFreeMemory(d->device, t->memory, NULL);
   vkFreeMemory(d->device, t->buffer_memory, NULL);
}

static uint32_t
level_of(uint32_t size, uint32_t level)
{
   return size >> level ? size >> level : 1;
}

void
texture_copy(VkCommandBuffer commands, const struct texture *t, bool back)
{
   VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = back ? VK_ACCESS_SHADER_WRITE_BIT : 0,
      .dstAccessMask = back ? VK_ACCESS_TRANSFER_READ_BIT : VK_ACCESS_TRANSFER_WRITE_BIT,
      .oldLayout = back ? VK_IMAGE_LAYOUT_GENERAL : VK_IMAGE_LAYOUT_UNDEFINED,
      .newLayout = VK_IMAGE_LAYOUT_GENERAL,
      .image = t->image,
      .subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, t->levels, 0, t->layers },
   };
   size_t offset = 0;

   if (!t->image)
      return;
   vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
   for (uint32_t level = 0; level < t->levels; level++) {
      const VkExtent3D extent = { level_of(t->width, level), level_of(t->height, level),
                                  level_of(t->depth, level) };
      const VkBufferImageCopy region = {
         .bufferOffset = offset,
         .imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, level, 0, t->layers },
         .imageExtent = extent,
      };
      if (back)
         vkCmdCopyImageToBuffer(commands, t->image, VK_IMAGE_LAYOUT_GENERAL, t->buffer, 1, &region);
      else
         vkCmdCopyBufferToImage(commands, t->buffer, t->image, VK_IMAGE_LAYOUT_GENERAL, 1, &region);
      offset += (size_t)extent.width * extent.height * extent.depth * t->layers * t->texel;
   }
   barrier.oldLayout = VK_IMAGE_LAYOUT_GENERAL;
   barrier.srcAccessMask = VK_ACCESS_TRANSFER_WRITE_BIT;
   barrier.dstAccessMask = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_SHADER_WRITE_BIT;
   vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                        VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

bool
sampler_make(struct device *d, char *text, struct sampler *s)
{
   char *parts[13];
   float n[13];

   *s = (struct sampler){ 0 };
   if (cut(text, parts, 13) != 13)
      return false;
   for (unsigned k = 1; k < 13; k++)
      n[k] = strtof(parts[k], NULL);
   s->name = parts[0];
   const VkSamplerCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
      .addressModeU = (VkSamplerAddressMode)n[1],
      .addressModeV = (VkSamplerAddressMode)n[2],
      .addressModeW = (VkSamplerAddressMode)n[3],
      .magFilter = (VkFilter)n[4],
      .minFilter = (VkFilter)n[5],
      .mipmapMode = (VkSamplerMipmapMode)n[6],
      .mipLodBias = n[7],
      .minLod = n[8],
      .maxLod = n[9],
      .compareEnable = n[10] >= 0,
      .compareOp = n[10] >= 0 ? (VkCompareOp)n[10] : VK_COMPARE_OP_NEVER,
      .borderColor = (VkBorderColor)n[11],
      .unnormalizedCoordinates = n[12] != 0,
   };
   return vkCreateSampler(d->device, &info, NULL, &s->sampler) == VK_SUCCESS;
}
