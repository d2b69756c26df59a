/* SPDX-License-Identifier: MIT */
/* vulkan_device.h - a Vulkan device, with every feature that it has. */
#ifndef SPIRV_HOST_VULKAN_DEVICE_H
#define SPIRV_HOST_VULKAN_DEVICE_H

#include <stdbool.h>
#include <vulkan/vulkan.h>

struct device {
   VkInstance instance;
   VkPhysicalDevice physical;
   VkDevice device;
   VkQueue queue;
   VkCommandPool commands;
   uint32_t memory_type; /* one that the host sees, coherent */
   VkPhysicalDeviceProperties properties;
   VkPhysicalDeviceSubgroupProperties subgroups;
   VkPhysicalDeviceSubgroupSizeControlProperties subgroup_sizes;
   bool executables; /* VK_KHR_pipeline_executable_properties */
   PFN_vkGetPipelineExecutablePropertiesKHR get_executables;
   PFN_vkGetPipelineExecutableStatisticsKHR get_statistics;
   PFN_vkGetPipelineExecutableInternalRepresentationsKHR get_texts;
};

/* The first device that the loader finds. False, with a message, if there is none. */
bool device_open(struct device *d);
const char *vulkan_result(VkResult result);
/* One command buffer, which runs to its end and is freed. */
VkResult commands_begin(struct device *d, VkCommandBuffer *commands);
VkResult commands_run(struct device *d, VkCommandBuffer commands);

#endif
