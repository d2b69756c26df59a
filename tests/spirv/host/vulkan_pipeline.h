/* SPDX-License-Identifier: MIT */
/* vulkan_pipeline.h - compute pipelines of jobs, and what a driver tells of their code. */
#ifndef SPIRV_HOST_VULKAN_PIPELINE_H
#define SPIRV_HOST_VULKAN_PIPELINE_H

#include "jobs.h"
#include "reflect.h"
#include "vulkan_device.h"

enum { MAX_SETS = 8, MAX_SPECS = 32 };

/* A module with all that a pipeline of it needs. */
struct program {
   uint32_t *words;
   size_t size;            /* bytes */
   uint32_t *vertex_words; /* of a draw; else NULL */
   size_t vertex_size;
   struct reflection reflection;
   char entry[256];
   uint32_t num_sets;
   VkDescriptorSetLayout sets[MAX_SETS];
   VkPipelineLayout layout;
   VkSpecializationMapEntry specs[MAX_SPECS];
   uint8_t spec_data[MAX_SPECS * 8];
   uint32_t num_specs;
   uint32_t subgroup; /* 0: the driver's */
};

/* The job's words file, vertex, entry, spec and subgroup. False, answered, if that is not available. */
bool program_open(struct device *d, struct job *job, struct program *p);
void program_close(struct device *d, struct program *p);
VkResult program_pipeline(struct device *d, struct program *p, VkPipelineCreateFlags flags,
                          VkPipeline *pipeline);
/* Statistics as members of a JSON object; the assembly to `folder`/NAME.s if that is not NULL, of draws
 * to NAME.vertex.s and NAME.fragment.s.
 */
void pipeline_statistics(struct device *d, VkPipeline pipeline, const struct job *job,
                         const char *folder);

#endif
