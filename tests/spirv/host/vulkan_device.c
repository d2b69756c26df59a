/* SPDX-License-Identifier: MIT */
/* vulkan_device.c - a Vulkan device, with every feature that it has. */
#include "vulkan_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *
vulkan_result(VkResult result)
{
   switch (result) {
   case VK_SUCCESS:
      return "success";
   case VK_ERROR_OUT_OF_HOST_MEMORY:
      return "out of host memory";
   case VK_ERROR_OUT_OF_DEVICE_MEMORY:
      return "out of device memory";
   case VK_ERROR_DEVICE_LOST:
      return "device lost";
   case VK_ERROR_FEATURE_NOT_PRESENT:
      return "feature not present";
   case VK_ERROR_INCOMPATIBLE_DRIVER:
      return "incompatible driver";
   default:
      return "another error";
   }
}

/* The features of extensions, each after the core ones in the chain where the device has it. */
struct features {
   VkPhysicalDeviceFeatures2 core;
   VkPhysicalDeviceVulkan11Features core11;
   VkPhysicalDeviceVulkan12Features core12;
   VkPhysicalDeviceVulkan13Features core13;
   VkPhysicalDeviceShaderAtomicFloatFeaturesEXT atomic_float;
   VkPhysicalDeviceShaderAtomicFloat2FeaturesEXT atomic_float2;
   VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables;
   VkPhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR uniform_flow;
   VkPhysicalDeviceShaderClockFeaturesKHR clock;
};

struct extension {
   const char *name;
   void *features; /* starts as every structure of a chain does */
   VkStructureType type;
};

static bool
has_extension(const VkExtensionProperties *list, uint32_t count, const char *name)
{
   for (uint32_t k = 0; k < count; k++)
      if (!strcmp(list[k].extensionName, name))
         return true;
   return false;
}

static VkResult
open_instance(struct device *d)
{
   const VkApplicationInfo application = {
      .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
      .apiVersion = VK_API_VERSION_1_3,
   };
   const VkInstanceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
      .pApplicationInfo = &application,
   };
   uint32_t count = 1;

   VkResult result = vkCreateInstance(&info, NULL, &d->instance);
   if (result)
      return result;
   result = vkEnumeratePhysicalDevices(d->instance, &count, &d->physical);
   return count ? result < 0 ? result : VK_SUCCESS : VK_ERROR_INITIALIZATION_FAILED;
}

static VkResult
open_device(struct device *d, uint32_t family)
{
   static const float priority = 1.0f;
   struct features f = {
      .core = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2, &f.core11, { 0 } },
      .core11 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES,
                  .pNext = &f.core12 },
      .core12 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
                  .pNext = &f.core13 },
      .core13 = { .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES },
   };
   const struct extension known[] = {
      { VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME, &f.atomic_float,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT },
      { VK_EXT_SHADER_ATOMIC_FLOAT_2_EXTENSION_NAME, &f.atomic_float2,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_2_FEATURES_EXT },
      { VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME, &f.executables,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR },
      { VK_KHR_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_EXTENSION_NAME, &f.uniform_flow,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_SUBGROUP_UNIFORM_CONTROL_FLOW_FEATURES_KHR },
      { VK_KHR_SHADER_CLOCK_EXTENSION_NAME, &f.clock,
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR },
   };
   const char *names[sizeof known / sizeof *known];
   uint32_t count = 0, num_names = 0;
   void **end = &f.core13.pNext;

   vkEnumerateDeviceExtensionProperties(d->physical, NULL, &count, NULL);
   VkExtensionProperties *list = calloc(count + 1, sizeof *list);
   if (!list)
      return VK_ERROR_OUT_OF_HOST_MEMORY;
   vkEnumerateDeviceExtensionProperties(d->physical, NULL, &count, list);
   for (unsigned k = 0; k < sizeof known / sizeof *known; k++) {
      if (!has_extension(list, count, known[k].name))
         continue;
      VkBaseOutStructure *base = known[k].features;
      base->sType = known[k].type;
      *end = base;
      end = (void **)&base->pNext;
      names[num_names++] = known[k].name;
   }
   free(list);
   vkGetPhysicalDeviceFeatures2(d->physical, &f.core);
   d->executables = f.executables.pipelineExecutableInfo;
   /* Checks of bounds would be part of the code. */
   f.core.features.robustBufferAccess = VK_FALSE;
   f.core13.robustImageAccess = VK_FALSE;
   const VkDeviceQueueCreateInfo queue = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
      .queueFamilyIndex = family,
      .queueCount = 1,
      .pQueuePriorities = &priority,
   };
   const VkDeviceCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
      .pNext = &f.core,
      .queueCreateInfoCount = 1,
      .pQueueCreateInfos = &queue,
      .enabledExtensionCount = num_names,
      .ppEnabledExtensionNames = names,
   };
   return vkCreateDevice(d->physical, &info, NULL, &d->device);
}

static void
read_properties(struct device *d)
{
   VkPhysicalDeviceProperties2 properties = { VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
                                              &d->subgroups,
                                              { 0 } };
   VkPhysicalDeviceMemoryProperties memory;
   const VkMemoryPropertyFlags wanted =
       VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;

   d->subgroups.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES;
   d->subgroups.pNext = &d->subgroup_sizes;
   d->subgroup_sizes.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES;
   vkGetPhysicalDeviceProperties2(d->physical, &properties);
   d->properties = properties.properties;
   vkGetPhysicalDeviceMemoryProperties(d->physical, &memory);
   while (d->memory_type < memory.memoryTypeCount - 1 &&
          (memory.memoryTypes[d->memory_type].propertyFlags & wanted) != wanted)
      d->memory_type++;
}

bool
device_open(struct device *d)
{
   VkQueueFamilyProperties families[16];
   uint32_t count = 16, family = 0;

   *d = (struct device){ 0 };
   VkResult result = open_instance(d);
   if (!result) {
      vkGetPhysicalDeviceQueueFamilyProperties(d->physical, &count, families);
      while (family + 1 < count && !(families[family].queueFlags & VK_QUEUE_COMPUTE_BIT))
         family++;
      result = open_device(d, family);
   }
   if (result) {
      fprintf(stderr, "no Vulkan device: %s\n", vulkan_result(result));
      return false;
   }
   read_properties(d);
   const VkCommandPoolCreateInfo pool = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
      .queueFamilyIndex = family,
   };
   vkGetDeviceQueue(d->device, family, 0, &d->queue);
   vkCreateCommandPool(d->device, &pool, NULL, &d->commands);
   d->get_executables = (PFN_vkGetPipelineExecutablePropertiesKHR)vkGetDeviceProcAddr(
       d->device, "vkGetPipelineExecutablePropertiesKHR");
   d->get_statistics = (PFN_vkGetPipelineExecutableStatisticsKHR)vkGetDeviceProcAddr(
       d->device, "vkGetPipelineExecutableStatisticsKHR");
   d->get_texts = (PFN_vkGetPipelineExecutableInternalRepresentationsKHR)vkGetDeviceProcAddr(
       d->device, "vkGetPipelineExecutableInternalRepresentationsKHR");
   return true;
}

VkResult
commands_begin(struct device *d, VkCommandBuffer *commands)
{
   const VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = d->commands,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = 1,
   };
   const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };

   const VkResult result = vkAllocateCommandBuffers(d->device, &allocate, commands);
   return result ? result : vkBeginCommandBuffer(*commands, &begin);
}

VkResult
commands_run(struct device *d, VkCommandBuffer commands)
{
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &commands,
   };

   vkEndCommandBuffer(commands);
   VkResult result = vkQueueSubmit(d->queue, 1, &info, VK_NULL_HANDLE);
   if (!result)
      result = vkQueueWaitIdle(d->queue);
   vkFreeCommandBuffers(d->device, d->commands, 1, &commands);
   return result;
}
