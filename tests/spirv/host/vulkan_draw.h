/* SPDX-License-Identifier: MIT */
/* vulkan_draw.h - jobs that draw: a vertex and a fragment shader, by dynamic rendering.
 *
 * Besides the words of all jobs, with the fragment shader as file=:
 *
 *    vertex=SPV size=WIDTH,HEIGHT,SAMPLES[,LAYERS] draw=TOPOLOGY,VERTICES,INSTANCES,FIRST_VERTEX,FIRST_INSTANCE
 *    [index=FILE:SIZE:RESTART:OFFSET]
 *    [vertices=FILE:STRIDE:PER_INSTANCE]... [attribute=LOCATION:BINDING:FORMAT:OFFSET]...
 *    color=FORMAT:TEXEL:R:G:B:A:WRITE:BLEND:OUT...    words of 32 bits; BLEND is 0 or six numbers with commas
 *    [depth=FORMAT:TEXEL:COMPARE:WRITE:CLAMP:CLEAR:OUT] [raster=CULL,FRONT_IS_CLOCKWISE,SAMPLE_SHADING]
 *    [viewport=X,Y,WIDTH,HEIGHT,NEAR,FAR]
 *
 * Where there are several samples, OUT gets their mean. Numbers of enumerations are Vulkan's. A FILE without a name
 * is one that is not read, where a pipeline is made and nothing drawn.
 */
#ifndef SPIRV_HOST_VULKAN_DRAW_H
#define SPIRV_HOST_VULKAN_DRAW_H

#include "vulkan_pipeline.h"

struct draw;

/* What the words of a job say. NULL, answered, if that makes no sense. */
struct draw *draw_open(struct device *d, struct job *job);
void draw_close(struct device *d, struct draw *x);
VkResult draw_pipeline(struct device *d, const struct program *p, const struct draw *x,
                       VkPipelineCreateFlags flags, VkPipeline *pipeline);
void draw_run(struct device *d, struct job *job, struct program *p);

#endif
