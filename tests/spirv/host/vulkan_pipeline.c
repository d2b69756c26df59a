/* SPDX-License-Identifier: MIT */
/* vulkan_pipeline.c - compute pipelines of jobs, and what a driver tells of their code. */
#include "vulkan_pipeline.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
make_layouts(struct device *d, struct program *p)
{
   const VkPushConstantRange range = { VK_SHADER_STAGE_ALL, 0,
                                       d->properties.limits.maxPushConstantsSize };
   const struct reflection *r = &p->reflection;

   for (unsigned k = 0; k < r->num_bindings; k++) {
      if (r->bindings[k].set >= MAX_SETS)
         return false;
      if (r->bindings[k].set >= p->num_sets)
         p->num_sets = r->bindings[k].set + 1;
   }
   for (uint32_t set = 0; set < p->num_sets; set++) {
      VkDescriptorSetLayoutBinding bindings[MAX_BINDINGS];
      VkDescriptorSetLayoutCreateInfo info = {
         .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
         .pBindings = bindings,
      };
      for (unsigned k = 0; k < r->num_bindings; k++) {
         const struct binding *b = &r->bindings[k];
         if (b->set == set)
            bindings[info.bindingCount++] =
                (VkDescriptorSetLayoutBinding){ b->binding, b->type, b->count, VK_SHADER_STAGE_ALL,
                                                NULL };
      }
      if (vkCreateDescriptorSetLayout(d->device, &info, NULL, &p->sets[set]))
         return false;
   }
   const VkPipelineLayoutCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
      .setLayoutCount = p->num_sets,
      .pSetLayouts = p->sets,
      .pushConstantRangeCount = 1,
      .pPushConstantRanges = &range,
   };
   return vkCreatePipelineLayout(d->device, &info, NULL, &p->layout) == VK_SUCCESS;
}

/* spec=ID:HEX, as often as there are constants. */
static void
read_specs(const struct job *job, struct program *p)
{
   uint32_t at = 0;

   for (unsigned k = 0; k < job->num_words && p->num_specs < MAX_SPECS; k++) {
      if (strcmp(job->keys[k], "spec"))
         continue;
      char *hex;
      uint32_t id = (uint32_t)strtoul(job->values[k], &hex, 0);
      size_t size = *hex ? hex_read(hex + 1, p->spec_data + at, 8) : 0;
      p->specs[p->num_specs++] = (VkSpecializationMapEntry){ id, at, size };
      at += 8;
   }
}

/* The vertex shader of a draw: its descriptors are those of the program, too. */
static bool
read_vertex_shader(struct program *p, const char *path)
{
   struct reflection r;

   p->vertex_words = file_read(path, &p->vertex_size);
   if (!p->vertex_words || !reflect(p->vertex_words, p->vertex_size / 4, &r))
      return false;
   for (unsigned k = 0; k < r.num_bindings; k++) {
      bool there = false;
      for (unsigned n = 0; n < p->reflection.num_bindings; n++)
         there |= p->reflection.bindings[n].set == r.bindings[k].set &&
                  p->reflection.bindings[n].binding == r.bindings[k].binding;
      if (!there && p->reflection.num_bindings < MAX_BINDINGS)
         p->reflection.bindings[p->reflection.num_bindings++] = r.bindings[k];
   }
   return true;
}

bool
program_open(struct device *d, struct job *job, struct program *p)
{
   const char *entry = job_value(job, "entry"), *subgroup = job_value(job, "subgroup");

   *p = (struct program){ 0 };
   p->words = file_read(job_value(job, "file"), &p->size);
   if (!p->words || !reflect(p->words, p->size / 4, &p->reflection)) {
      job_error(job, "cannot read %s", job_value(job, "file"));
      free(p->words);
      return false;
   }
   if (job_value(job, "vertex") && !read_vertex_shader(p, job_value(job, "vertex"))) {
      job_error(job, "cannot read %s", job_value(job, "vertex"));
      program_close(d, p);
      return false;
   }
   strncpy(p->entry, entry ? entry : p->reflection.entry, sizeof p->entry - 1);
   read_specs(job, p);
   if (subgroup) {
      uint32_t n = (uint32_t)strtoul(subgroup, NULL, 0);
      if (n >= d->subgroup_sizes.minSubgroupSize && n <= d->subgroup_sizes.maxSubgroupSize &&
          d->subgroup_sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT)
         p->subgroup = n;
   }
   if (!make_layouts(d, p)) {
      job_error(job, "no layout for its descriptors");
      program_close(d, p);
      return false;
   }
   return true;
}

void
program_close(struct device *d, struct program *p)
{
   vkDestroyPipelineLayout(d->device, p->layout, NULL);
   for (uint32_t set = 0; set < p->num_sets; set++)
      vkDestroyDescriptorSetLayout(d->device, p->sets[set], NULL);
   free(p->words);
   free(p->vertex_words);
}

VkResult
program_pipeline(struct device *d, struct program *p, VkPipelineCreateFlags flags,
                 VkPipeline *pipeline)
{
   const VkShaderModuleCreateInfo module_info = {
      .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
      .codeSize = p->size,
      .pCode = p->words,
   };
   const VkSpecializationInfo special = { p->num_specs, p->specs, sizeof p->spec_data,
                                          p->spec_data };
   const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo subgroup = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_REQUIRED_SUBGROUP_SIZE_CREATE_INFO,
      .requiredSubgroupSize = p->subgroup,
   };
   VkComputePipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
      .flags = flags,
      .layout = p->layout,
      .stage =
         {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
            .pNext = p->subgroup ? &subgroup : NULL,
            .stage = VK_SHADER_STAGE_COMPUTE_BIT,
            .pName = p->entry,
            .pSpecializationInfo = &special,
         },
   };

   VkResult result = vkCreateShaderModule(d->device, &module_info, NULL, &info.stage.module);
   if (result)
      return result;
   result = vkCreateComputePipelines(d->device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
   vkDestroyShaderModule(d->device, info.stage.module, NULL);
   return result;
}

static void
print_statistic(const VkPipelineExecutableStatisticKHR *s)
{
   char name[VK_MAX_DESCRIPTION_SIZE];
   size_t n = 0;

   for (const char *c = s->name; *c; c++)
      name[n++] = *c == ' ' ? '_' : (char)tolower((unsigned char)*c);
   name[n] = 0;
   printf(", ");
   job_print_string(name);
   if (s->format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_FLOAT64_KHR)
      printf(": %g", s->value.f64);
   else
      printf(": %llu", (unsigned long long)s->value.u64);
}

/* `stage` is empty for a compute shader. */
static void
write_text(struct device *d, const VkPipelineExecutableInfoKHR *executable, const struct job *job,
           const char *stage, const char *folder)
{
   VkPipelineExecutableInternalRepresentationKHR texts[8];
   uint32_t count = 8;

   memset(texts, 0, sizeof texts);
   for (unsigned k = 0; k < 8; k++)
      texts[k].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR;
   if (d->get_texts(d->device, executable, &count, texts) < 0)
      return;
   for (uint32_t k = 0; k < count; k++)
      texts[k].pData = calloc(1, texts[k].dataSize + 1);
   d->get_texts(d->device, executable, &count, texts);
   for (uint32_t k = 0; k < count; k++) {
      if (!strcmp(texts[k].name, "Assembly") && texts[k].pData) {
         char path[4096];
         snprintf(path, sizeof path, "%s/%s%s%s.s", folder, job_value(job, "name"),
                  *stage ? "." : "", stage);
         file_write(path, texts[k].pData, strlen(texts[k].pData));
      }
      free(texts[k].pData);
   }
}

static void
print_executable(struct device *d, VkPipeline pipeline, uint32_t index, const struct job *job,
                 const char *stage, const char *folder)
{
   VkPipelineExecutableStatisticKHR list[64];
   const VkPipelineExecutableInfoKHR executable = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
      .pipeline = pipeline,
      .executableIndex = index,
   };
   uint32_t count = 64;

   memset(list, 0, sizeof list);
   for (unsigned k = 0; k < 64; k++)
      list[k].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR;
   d->get_statistics(d->device, &executable, &count, list);
   for (uint32_t k = 0; k < count; k++)
      print_statistic(&list[k]);
   if (folder)
      write_text(d, &executable, job, stage, folder);
}

void
pipeline_statistics(struct device *d, VkPipeline pipeline, const struct job *job,
                    const char *folder)
{
   const VkPipelineInfoKHR info = { .sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                                    .pipeline = pipeline };
   VkPipelineExecutablePropertiesKHR list[4];
   uint32_t count = 4;

   memset(list, 0, sizeof list);
   for (unsigned k = 0; k < 4; k++)
      list[k].sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR;
   if (!d->executables || d->get_executables(d->device, &info, &count, list) < 0)
      return;
   for (uint32_t k = 0; k < count; k++) {
      const char *stage = list[k].stages & VK_SHADER_STAGE_VERTEX_BIT     ? "vertex"
                          : list[k].stages & VK_SHADER_STAGE_FRAGMENT_BIT ? "fragment"
                                                                          : "";
      if (*stage)
         printf(", \"%s\": {\"stage\": \"%s\"", stage, stage);
      printf(", \"subgroup\": %u", list[k].subgroupSize);
      print_executable(d, pipeline, k, job, stage, folder);
      if (*stage)
         putchar('}');
   }
}
