/* SPDX-License-Identifier: MIT */
/* vulkan_draw.c - jobs that draw. */
#include "vulkan_draw.h"

#include "vulkan_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TARGETS = 8, MAX_VERTEX_BUFFERS = 16, MAX_ATTRIBUTES = 32 };

/* An attachment; where there are several samples, what they are resolved to. */
struct target {
   VkFormat format;
   uint32_t texel;
   VkClearValue clear;
   const char *out;
   VkImage image, resolved;
   VkImageView view, resolved_view;
   VkDeviceMemory memory, resolved_memory;
   struct place bytes;
   VkPipelineColorBlendAttachmentState blend;
};

struct draw {
   uint32_t width, height, samples, layers;
   VkPrimitiveTopology topology;
   VkDrawIndirectCommand counts;
   struct place vertices[MAX_VERTEX_BUFFERS], indices;
   uint32_t index_size;
   bool restart;
   int32_t vertex_offset;
   VkVertexInputBindingDescription bindings[MAX_VERTEX_BUFFERS];
   VkVertexInputAttributeDescription attributes[MAX_ATTRIBUTES];
   uint32_t num_vertices, num_attributes;
   struct target colors[MAX_TARGETS], depth;
   uint32_t num_colors;
   bool has_depth;
   VkPipelineDepthStencilStateCreateInfo depth_state;
   VkPipelineRasterizationStateCreateInfo raster;
   bool sample_shading;
   VkViewport viewport;
   VkPipeline pipeline;
};

/* Words */

static unsigned
cut(char *text, char separator, char **parts, unsigned most)
{
   unsigned num = 0;

   for (char *at = text; at && num < most; num++) {
      parts[num] = at;
      at = strchr(at, separator);
      if (at)
         *at++ = 0;
   }
   return num;
}

static unsigned
cut_numbers(const char *text, float *numbers, unsigned most)
{
   unsigned num = 0;

   for (const char *at = text; at && num < most; num++) {
      numbers[num] = strtof(at, NULL);
      at = strchr(at, ',');
      at = at ? at + 1 : NULL;
   }
   return num;
}

static uint32_t
number(const char *text)
{
   return (uint32_t)strtoul(text, NULL, 0);
}

/* Where nothing is drawn no file is named. */
static bool
read_bytes(struct device *d, const char *file, struct place *p)
{
   if (!*file)
      return true;

   void *bytes = file_read(file, &p->size);
   bool made = false;

   if (bytes) {
      if (!p->size)
         p->size = 1;
      made = buffer_make(d, p, bytes);
   }
   free(bytes);
   return made;
}

static bool
add_vertices(struct device *d, struct draw *x, char *text)
{
   char *parts[3];
   const uint32_t n = x->num_vertices;

   if (n == MAX_VERTEX_BUFFERS || cut(text, ':', parts, 3) != 3 ||
       !read_bytes(d, parts[0], &x->vertices[n]))
      return false;
   x->bindings[n] = (VkVertexInputBindingDescription){ n, number(parts[1]),
                                                       (VkVertexInputRate)number(parts[2]) };
   x->num_vertices++;
   return true;
}

static bool
add_attribute(struct draw *x, char *text)
{
   char *parts[4];

   if (x->num_attributes == MAX_ATTRIBUTES || cut(text, ':', parts, 4) != 4)
      return false;
   x->attributes[x->num_attributes++] =
       (VkVertexInputAttributeDescription){ number(parts[0]), number(parts[1]),
                                            (VkFormat)number(parts[2]), number(parts[3]) };
   return true;
}

static bool
read_indices(struct device *d, struct draw *x, char *text)
{
   char *parts[4];

   if (cut(text, ':', parts, 4) != 4 || !read_bytes(d, parts[0], &x->indices))
      return false;
   x->index_size = number(parts[1]);
   x->restart = number(parts[2]);
   x->vertex_offset = (int32_t)strtol(parts[3], NULL, 0);
   return true;
}

static bool
add_color(struct draw *x, char *text)
{
   struct target *t = &x->colors[x->num_colors];
   float blend[6];
   char *parts[9];

   if (x->num_colors == MAX_TARGETS || cut(text, ':', parts, 9) != 9)
      return false;
   *t = (struct target){ .format = (VkFormat)number(parts[0]),
                         .texel = number(parts[1]),
                         .out = parts[8] };
   for (unsigned c = 0; c < 4; c++)
      t->clear.color.uint32[c] = number(parts[2 + c]);
   t->blend.colorWriteMask = number(parts[6]);
   if (cut_numbers(parts[7], blend, 6) == 6)
      t->blend = (VkPipelineColorBlendAttachmentState){
         VK_TRUE,
         (VkBlendFactor)blend[0],
         (VkBlendFactor)blend[1],
         (VkBlendOp)blend[2],
         (VkBlendFactor)blend[3],
         (VkBlendFactor)blend[4],
         (VkBlendOp)blend[5],
         t->blend.colorWriteMask,
      };
   x->num_colors++;
   return true;
}

static bool
read_depth(struct draw *x, char *text)
{
   char *parts[7];

   if (cut(text, ':', parts, 7) != 7)
      return false;
   x->has_depth = true;
   x->depth = (struct target){ .format = (VkFormat)number(parts[0]),
                               .texel = number(parts[1]),
                               .out = parts[6] };
   x->depth.clear.depthStencil.depth = strtof(parts[5], NULL);
   x->depth_state.depthTestEnable = VK_TRUE;
   x->depth_state.depthCompareOp = (VkCompareOp)number(parts[2]);
   x->depth_state.depthWriteEnable = number(parts[3]);
   x->raster.depthClampEnable = number(parts[4]);
   return true;
}

static bool
read_draw(struct device *d, struct job *job, struct draw *x)
{
   float n[6] = { 0 };

   *x = (struct draw){
      .depth_state = { .sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO },
      .raster = { .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
                  .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
                  .lineWidth = 1 }
   };
   if (cut_numbers(job_value(job, "size"), n, 4) < 3)
      return false;
   x->width = (uint32_t)n[0];
   x->height = (uint32_t)n[1];
   x->samples = (uint32_t)n[2];
   x->layers = n[3] > 1 ? (uint32_t)n[3] : 1;
   if (cut_numbers(job_value(job, "draw"), n, 5) != 5)
      return false;
   x->topology = (VkPrimitiveTopology)n[0];
   x->counts =
       (VkDrawIndirectCommand){ (uint32_t)n[1], (uint32_t)n[2], (uint32_t)n[3], (uint32_t)n[4] };
   if (cut_numbers(job_value(job, "raster"), n, 3) == 3) {
      x->raster.cullMode = (VkCullModeFlags)n[0];
      x->raster.frontFace = n[1] != 0 ? VK_FRONT_FACE_CLOCKWISE : VK_FRONT_FACE_COUNTER_CLOCKWISE;
      x->sample_shading = n[2] != 0;
   }
   x->viewport = (VkViewport){ 0, 0, (float)x->width, (float)x->height, 0, 1 };
   if (cut_numbers(job_value(job, "viewport"), n, 6) == 6)
      x->viewport = (VkViewport){ n[0], n[1], n[2], n[3], n[4], n[5] };
   for (unsigned k = 0; k < job->num_words; k++) {
      const char *key = job->keys[k];
      char *value = job->values[k];
      if ((!strcmp(key, "vertices") && !add_vertices(d, x, value)) ||
          (!strcmp(key, "attribute") && !add_attribute(x, value)) ||
          (!strcmp(key, "index") && !read_indices(d, x, value)) ||
          (!strcmp(key, "color") && !add_color(x, value)) ||
          (!strcmp(key, "depth") && !read_depth(x, value)))
         return false;
   }
   return true;
}

/* Attachments */

static bool
make_image(struct device *d, const struct draw *x, VkFormat format, VkImageUsageFlags usage,
           uint32_t samples, bool depth, VkImage *image, VkDeviceMemory *memory, VkImageView *view)
{
   const VkImageCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
      .imageType = VK_IMAGE_TYPE_2D,
      .format = format,
      .extent = { x->width, x->height, 1 },
      .mipLevels = 1,
      .arrayLayers = x->layers,
      .samples = (VkSampleCountFlagBits)samples,
      .usage = usage | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
   };
   VkMemoryRequirements needs;

   if (vkCreateImage(d->device, &info, NULL, image))
      return false;
   vkGetImageMemoryRequirements(d->device, *image, &needs);
   const VkMemoryAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .allocationSize = needs.size,
      .memoryTypeIndex = d->memory_type,
   };
   if (vkAllocateMemory(d->device, &allocate, NULL, memory) ||
       vkBindImageMemory(d->device, *image, *memory, 0))
      return false;
   const VkImageViewCreateInfo view_info = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
      .image = *image,
      .viewType = VK_IMAGE_VIEW_TYPE_2D_ARRAY,
      .format = format,
      .subresourceRange = { depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                            x->layers },
   };
   return vkCreateImageView(d->device, &view_info, NULL, view) == VK_SUCCESS;
}

static bool
make_target(struct device *d, const struct draw *x, struct target *t, bool depth)
{
   const VkImageUsageFlags usage =
       depth ? VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT : VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT;

   t->bytes.size = (size_t)x->width * x->height * x->layers * t->texel;
   void *zero = calloc(t->bytes.size, 1);
   bool made =
       zero && buffer_make(d, &t->bytes, zero) &&
       make_image(d, x, t->format, usage, x->samples, depth, &t->image, &t->memory, &t->view);
   free(zero);
   if (made && x->samples > 1)
      made = make_image(d, x, t->format, usage, 1, depth, &t->resolved, &t->resolved_memory,
                        &t->resolved_view);
   return made;
}

static void
destroy_target(struct device *d, struct target *t)
{
   vkDestroyImageView(d->device, t->view, NULL);
   vkDestroyImageView(d->device, t->resolved_view, NULL);
   vkDestroyImage(d->device, t->image, NULL);
   vkDestroyImage(d->device, t->resolved, NULL);
   vkFreeMemory(d->device, t->memory, NULL);
   vkFreeMemory(d->device, t->resolved_memory, NULL);
   vkDestroyBuffer(d->device, t->bytes.buffer, NULL);
   vkFreeMemory(d->device, t->bytes.allocation, NULL);
}

/* The pipeline */

static bool
make_modules(struct device *d, const struct program *p, VkPipelineShaderStageCreateInfo stages[2])
{
   const VkShaderModuleCreateInfo infos[2] = {
      { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = p->vertex_size,
        .pCode = p->vertex_words },
      { .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
        .codeSize = p->size,
        .pCode = p->words },
   };

   for (unsigned k = 0; k < 2; k++) {
      stages[k] = (VkPipelineShaderStageCreateInfo){
         .sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
         .stage = k ? VK_SHADER_STAGE_FRAGMENT_BIT : VK_SHADER_STAGE_VERTEX_BIT,
         .pName = p->entry[0] ? p->entry : "main",
      };
      if (vkCreateShaderModule(d->device, &infos[k], NULL, &stages[k].module))
         return false;
   }
   return true;
}

VkResult
draw_pipeline(struct device *d, const struct program *p, const struct draw *x,
              VkPipelineCreateFlags flags, VkPipeline *pipeline)
{
   VkPipelineShaderStageCreateInfo stages[2] = { { 0 } };
   VkResult result = VK_ERROR_OUT_OF_HOST_MEMORY;
   const VkPipelineVertexInputStateCreateInfo input = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
      .vertexBindingDescriptionCount = x->num_vertices,
      .pVertexBindingDescriptions = x->bindings,
      .vertexAttributeDescriptionCount = x->num_attributes,
      .pVertexAttributeDescriptions = x->attributes,
   };
   const VkPipelineInputAssemblyStateCreateInfo assembly = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
      .topology = x->topology,
      .primitiveRestartEnable = x->restart,
   };
   const VkRect2D scissor = { { 0, 0 }, { x->width, x->height } };
   const VkPipelineViewportStateCreateInfo viewport = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
      .viewportCount = 1,
      .pViewports = &x->viewport,
      .scissorCount = 1,
      .pScissors = &scissor,
   };
   const VkPipelineMultisampleStateCreateInfo samples = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
      .rasterizationSamples = (VkSampleCountFlagBits)x->samples,
      .sampleShadingEnable = x->sample_shading,
      .minSampleShading = 1,
   };
   VkPipelineColorBlendAttachmentState blends[MAX_TARGETS];
   VkFormat formats[MAX_TARGETS];
   for (unsigned k = 0; k < x->num_colors; k++) {
      blends[k] = x->colors[k].blend;
      formats[k] = x->colors[k].format;
   }
   const VkPipelineColorBlendStateCreateInfo blend = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
      .attachmentCount = x->num_colors,
      .pAttachments = blends,
   };
   const VkPipelineRenderingCreateInfo rendering = {
      .sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
      .colorAttachmentCount = x->num_colors,
      .pColorAttachmentFormats = formats,
      .depthAttachmentFormat = x->depth.format,
   };
   const VkGraphicsPipelineCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
      .pNext = &rendering,
      .flags = flags,
      .stageCount = 2,
      .pStages = stages,
      .pVertexInputState = &input,
      .pInputAssemblyState = &assembly,
      .pViewportState = &viewport,
      .pRasterizationState = &x->raster,
      .pMultisampleState = &samples,
      .pDepthStencilState = &x->depth_state,
      .pColorBlendState = &blend,
      .layout = p->layout,
   };
   if (make_modules(d, p, stages))
      result = vkCreateGraphicsPipelines(d->device, VK_NULL_HANDLE, 1, &info, NULL, pipeline);
   for (unsigned k = 0; k < 2; k++)
      vkDestroyShaderModule(d->device, stages[k].module, NULL);
   return result;
}

/* Commands */

static void
change_layout(VkCommandBuffer commands, const struct draw *x, VkImage image, bool depth,
              VkImageLayout from, VkImageLayout to)
{
   const VkImageMemoryBarrier barrier = {
      .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
      .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
      .dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
      .oldLayout = from,
      .newLayout = to,
      .image = image,
      .subresourceRange = { depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0,
                            x->layers },
   };

   if (image)
      vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                           VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
}

static VkRenderingAttachmentInfo
attachment_of(const struct target *t, bool depth)
{
   return (VkRenderingAttachmentInfo){
      .sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
      .imageView = t->view,
      .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .resolveMode = !t->resolved ? VK_RESOLVE_MODE_NONE
                     : depth      ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT
                                  : VK_RESOLVE_MODE_AVERAGE_BIT,
      .resolveImageView = t->resolved_view,
      .resolveImageLayout = VK_IMAGE_LAYOUT_GENERAL,
      .loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
      .storeOp = VK_ATTACHMENT_STORE_OP_STORE,
      .clearValue = t->clear,
   };
}

static void
render(VkCommandBuffer commands, const struct draw *x)
{
   VkRenderingAttachmentInfo colors[MAX_TARGETS];

   for (unsigned k = 0; k < x->num_colors; k++)
      colors[k] = attachment_of(&x->colors[k], false);
   const VkRenderingAttachmentInfo depth = attachment_of(&x->depth, true);
   const VkRenderingInfo info = {
      .sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
      .renderArea = { { 0, 0 }, { x->width, x->height } },
      .layerCount = x->layers,
      .colorAttachmentCount = x->num_colors,
      .pColorAttachments = colors,
      .pDepthAttachment = x->has_depth ? &depth : NULL,
   };
   vkCmdBeginRendering(commands, &info);
   for (uint32_t k = 0; k < x->num_vertices; k++) {
      const VkDeviceSize offset = 0;
      vkCmdBindVertexBuffers(commands, k, 1, &x->vertices[k].buffer, &offset);
   }
   const VkDrawIndirectCommand *n = &x->counts;
   if (x->index_size) {
      vkCmdBindIndexBuffer(commands, x->indices.buffer, 0,
                           x->index_size == 4 ? VK_INDEX_TYPE_UINT32 : VK_INDEX_TYPE_UINT16);
      vkCmdDrawIndexed(commands, n->vertexCount, n->instanceCount, 0, x->vertex_offset,
                       n->firstInstance);
   } else {
      vkCmdDraw(commands, n->vertexCount, n->instanceCount, n->firstVertex, n->firstInstance);
   }
   vkCmdEndRendering(commands);
}

static void
copy_back(VkCommandBuffer commands, const struct draw *x, const struct target *t, bool depth)
{
   const VkBufferImageCopy region = {
      .imageSubresource = { depth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT, 0, 0,
                            x->layers },
      .imageExtent = { x->width, x->height, 1 },
   };
   VkImage image = t->resolved ? t->resolved : t->image;

   change_layout(commands, x, image, depth, VK_IMAGE_LAYOUT_GENERAL, VK_IMAGE_LAYOUT_GENERAL);
   vkCmdCopyImageToBuffer(commands, image, VK_IMAGE_LAYOUT_GENERAL, t->bytes.buffer, 1, &region);
}

static VkResult
submit(struct device *d, const struct program *p, const struct inputs *in, struct draw *x)
{
   VkCommandBuffer commands;

   const VkResult result = commands_begin(d, &commands);
   if (result)
      return result;
   vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_GRAPHICS, x->pipeline);
   inputs_bind(commands, p, in, VK_PIPELINE_BIND_POINT_GRAPHICS);
   for (unsigned k = 0; k < x->num_colors; k++) {
      change_layout(commands, x, x->colors[k].image, false, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_GENERAL);
      change_layout(commands, x, x->colors[k].resolved, false, VK_IMAGE_LAYOUT_UNDEFINED,
                    VK_IMAGE_LAYOUT_GENERAL);
   }
   change_layout(commands, x, x->depth.image, true, VK_IMAGE_LAYOUT_UNDEFINED,
                 VK_IMAGE_LAYOUT_GENERAL);
   change_layout(commands, x, x->depth.resolved, true, VK_IMAGE_LAYOUT_UNDEFINED,
                 VK_IMAGE_LAYOUT_GENERAL);
   render(commands, x);
   for (unsigned k = 0; k < x->num_colors; k++)
      copy_back(commands, x, &x->colors[k], false);
   if (x->has_depth)
      copy_back(commands, x, &x->depth, true);
   inputs_read(commands, in);
   return commands_run(d, commands);
}

static bool
write_target(const struct target *t)
{
   return !t->out || !*t->out || file_write(t->out, t->bytes.data, t->bytes.size);
}

static void
draw(struct device *d, struct job *job, struct program *p, struct draw *x, struct inputs *in)
{
   VkResult result = VK_SUCCESS;
   bool made = true;

   for (unsigned k = 0; k < x->num_colors; k++)
      made = made && make_target(d, x, &x->colors[k], false);
   made = made && (!x->has_depth || make_target(d, x, &x->depth, true));
   if (!made || !inputs_open(d, p, job, in))
      job_error(job, "its inputs cannot be set up");
   else if ((result = draw_pipeline(d, p, x, 0, &x->pipeline)))
      job_error(job, "no pipeline: %s", vulkan_result(result));
   else if ((result = submit(d, p, in, x)))
      job_error(job, "does not run: %s", vulkan_result(result));
   else {
      bool written = inputs_write(in) && write_target(&x->depth);
      for (unsigned k = 0; k < x->num_colors; k++)
         written = written && write_target(&x->colors[k]);
      if (written)
         job_answer(job, ", \"subgroup\": %u", d->subgroups.subgroupSize);
      else
         job_error(job, "its outputs cannot be written");
   }
}

struct draw *
draw_open(struct device *d, struct job *job)
{
   struct draw *x = malloc(sizeof *x);

   if (x && read_draw(d, job, x))
      return x;
   job_error(job, "its draw makes no sense");
   if (x)
      draw_close(d, x);
   return NULL;
}

void
draw_close(struct device *d, struct draw *x)
{
   vkDestroyPipeline(d->device, x->pipeline, NULL);
   for (unsigned k = 0; k < x->num_colors; k++)
      destroy_target(d, &x->colors[k]);
   destroy_target(d, &x->depth);
   for (unsigned k = 0; k < x->num_vertices; k++) {
      vkDestroyBuffer(d->device, x->vertices[k].buffer, NULL);
      vkFreeMemory(d->device, x->vertices[k].allocation, NULL);
   }
   vkDestroyBuffer(d->device, x->indices.buffer, NULL);
   vkFreeMemory(d->device, x->indices.allocation, NULL);
   free(x);
}

void
draw_run(struct device *d, struct job *job, struct program *p)
{
   struct inputs in = { 0 };
   struct draw *x = draw_open(d, job);

   if (!x)
      return;
   draw(d, job, p, x, &in);
   inputs_close(d, &in);
   draw_close(d, x);
}
