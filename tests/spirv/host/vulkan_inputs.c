/* SPDX-License-Identifier: MIT */
/* vulkan_inputs.c - buffers, images, samplers and push constants of a job, and its descriptor sets. */
#include "vulkan_inputs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
buffer_make(struct device *d, struct place *p, const void *bytes)
{
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = p->size,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
               VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
   };
   const VkMemoryAllocateFlagsInfo flags = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
      .flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
   };
   VkMemoryRequirements needs;

   if (vkCreateBuffer(d->device, &info, NULL, &p->buffer))
      return false;
   vkGetBufferMemoryRequirements(d->device, p->buffer, &needs);
   const VkMemoryAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
      .pNext = &flags,
      .allocationSize = needs.size,
      .memoryTypeIndex = d->memory_type,
   };
   if (vkAllocateMemory(d->device, &allocate, NULL, &p->allocation) ||
       vkBindBufferMemory(d->device, p->buffer, p->allocation, 0) ||
       vkMapMemory(d->device, p->allocation, 0, VK_WHOLE_SIZE, 0, (void **)&p->data))
      return false;
   memcpy(p->data, bytes, p->size);
   const VkBufferDeviceAddressInfo where = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
      .buffer = p->buffer,
   };
   p->address = vkGetBufferDeviceAddress(d->device, &where);
   return true;
}

/* NAME:IN:OUT */
static bool
add_place(struct device *d, struct inputs *x, char *text, bool memory)
{
   char *in = strchr(text, ':');
   char *out = in ? strchr(in + 1, ':') : NULL;

   if (!out || x->num_places == MAX_PLACES)
      return false;
   *in++ = 0;
   *out++ = 0;
   struct place *p = &x->places[x->num_places];
   *p = (struct place){ .name = text, .out = out, .memory = memory };
   if (memory)
      p->nominal = strtoull(text, NULL, 0);
   void *bytes = file_read(in, &p->size);
   if (!bytes)
      return false;
   x->num_places++;
   if (!p->size)
      p->size = 1;
   bool made = buffer_make(d, p, bytes);
   free(bytes);
   return made;
}

static struct place *
find_place(struct inputs *x, const char *name)
{
   bool memory = name[0] == '@';
   for (unsigned k = 0; k < x->num_places; k++)
      if (x->places[k].memory == memory && !strcmp(x->places[k].name, name + memory))
         return &x->places[k];
   return NULL;
}

/* WHERE+OFFSET:ADDRESS */
static bool
patch(struct inputs *x, char *text)
{
   char *offset = strchr(text, '+');
   char *target = offset ? strchr(offset, ':') : NULL;

   if (!target)
      return false;
   *offset++ = 0;
   *target = '@';
   const struct place *to = find_place(x, target), *in = find_place(x, text);
   uint8_t *bytes = in ? in->data : x->push;
   size_t at = strtoull(offset, NULL, 0);
   uint64_t value;

   if (!to || at + sizeof value > (in ? in->size : x->push_size))
      return false;
   memcpy(&value, bytes + at, sizeof value);
   value += to->address - to->nominal;
   memcpy(bytes + at, &value, sizeof value);
   return true;
}

static bool
prepare(struct device *d, struct job *job, struct inputs *x)
{
   const char *push = job_value(job, "push");

   if (push) {
      void *bytes = file_read(push, &x->push_size);
      if (!bytes || x->push_size > PUSH_SIZE)
         return false;
      memcpy(x->push, bytes, x->push_size);
      free(bytes);
   }
   for (unsigned k = 0; k < job->num_words; k++) {
      bool memory = !strcmp(job->keys[k], "memory");
      if ((memory || !strcmp(job->keys[k], "buffer")) && !add_place(d, x, job->values[k], memory))
         return false;
   }
   for (unsigned k = 0; k < job->num_words; k++) {
      if (!strcmp(job->keys[k], "image") &&
          (x->num_textures == MAX_PLACES ||
           !texture_make(d, job->values[k], &x->textures[x->num_textures++])))
         return false;
      if (!strcmp(job->keys[k], "sampler") &&
          (x->num_samplers == MAX_PLACES ||
           !sampler_make(d, job->values[k], &x->samplers[x->num_samplers++])))
         return false;
   }
   for (unsigned k = 0; k < job->num_words; k++)
      if (!strcmp(job->keys[k], "patch") && !patch(x, job->values[k]))
         return false;
   return true;
}

/* What is written at a place "SET.BINDING.ELEMENT"; no set where the program has none there. */
static VkWriteDescriptorSet
write_at(const struct program *p, VkDescriptorSet *sets, const char *name)
{
   unsigned set = 0, binding = 0, element = 0;
   VkWriteDescriptorSet write = {
      .sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
      .descriptorCount = 1,
   };

   if (sscanf(name, "%u.%u.%u", &set, &binding, &element) < 2)
      return write;
   write.dstBinding = binding;
   write.dstArrayElement = element;
   for (unsigned n = 0; n < p->reflection.num_bindings; n++) {
      const struct binding *b = &p->reflection.bindings[n];
      if (b->set == set && b->binding == binding && element < b->count) {
         write.dstSet = sets[set];
         write.descriptorType = b->type;
      }
   }
   return write;
}

/* A combined one needs both at once: a sampler goes with the image of its name. */
static void
write_textures(struct device *d, const struct program *p, struct inputs *x, VkDescriptorSet *sets)
{
   for (unsigned k = 0; k < x->num_textures; k++) {
      const struct texture *t = &x->textures[k];
      VkWriteDescriptorSet write = write_at(p, sets, t->name);
      VkDescriptorImageInfo image = { .imageView = t->view,
                                      .imageLayout = VK_IMAGE_LAYOUT_GENERAL };
      for (unsigned n = 0; n < x->num_samplers; n++) {
         if (!strcmp(x->samplers[n].name, t->name))
            image.sampler = x->samplers[n].sampler;
      }
      write.pImageInfo = &image;
      write.pTexelBufferView = &t->buffer_view;
      if (write.dstSet)
         vkUpdateDescriptorSets(d->device, 1, &write, 0, NULL);
   }
   for (unsigned k = 0; k < x->num_samplers; k++) {
      VkWriteDescriptorSet write = write_at(p, sets, x->samplers[k].name);
      const VkDescriptorImageInfo image = { .sampler = x->samplers[k].sampler };
      write.pImageInfo = &image;
      if (write.dstSet && write.descriptorType == VK_DESCRIPTOR_TYPE_SAMPLER)
         vkUpdateDescriptorSets(d->device, 1, &write, 0, NULL);
   }
}

static bool
make_sets(struct device *d, const struct program *p, struct inputs *x)
{
   const VkDescriptorPoolSize sizes[] = {
      { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 256 },
      { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 256 },
      { VK_DESCRIPTOR_TYPE_SAMPLER, 256 },
      { VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 256 },
      { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 256 },
      { VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 256 },
      { VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 256 },
      { VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 256 },
   };
   const VkDescriptorPoolCreateInfo pool_info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
      .maxSets = MAX_SETS,
      .poolSizeCount = sizeof sizes / sizeof *sizes,
      .pPoolSizes = sizes,
   };
   if (vkCreateDescriptorPool(d->device, &pool_info, NULL, &x->pool))
      return false;
   const VkDescriptorSetAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = x->pool,
      .descriptorSetCount = p->num_sets,
      .pSetLayouts = p->sets,
   };
   if (p->num_sets && vkAllocateDescriptorSets(d->device, &info, x->sets))
      return false;
   for (unsigned k = 0; k < x->num_places; k++) {
      if (x->places[k].memory)
         continue;
      const VkDescriptorBufferInfo buffer = { x->places[k].buffer, 0, VK_WHOLE_SIZE };
      VkWriteDescriptorSet write = write_at(p, x->sets, x->places[k].name);
      write.pBufferInfo = &buffer;
      if (write.dstSet)
         vkUpdateDescriptorSets(d->device, 1, &write, 0, NULL);
   }
   write_textures(d, p, x, x->sets);
   return true;
}

bool
inputs_open(struct device *d, const struct program *p, struct job *job, struct inputs *x)
{
   *x = (struct inputs){ 0 };
   return prepare(d, job, x) && make_sets(d, p, x);
}

void
inputs_bind(VkCommandBuffer commands, const struct program *p, const struct inputs *x,
            VkPipelineBindPoint point)
{
   if (p->num_sets)
      vkCmdBindDescriptorSets(commands, point, p->layout, 0, p->num_sets, x->sets, 0, NULL);
   if (x->push_size)
      vkCmdPushConstants(commands, p->layout, VK_SHADER_STAGE_ALL, 0,
                         (uint32_t)(x->push_size + 3) & ~3u, x->push);
   for (unsigned k = 0; k < x->num_textures; k++)
      texture_copy(commands, &x->textures[k], false);
}

void
inputs_read(VkCommandBuffer commands, const struct inputs *x)
{
   for (unsigned k = 0; k < x->num_textures; k++)
      texture_copy(commands, &x->textures[k], true);
}

bool
inputs_write(const struct inputs *x)
{
   bool written = true;

   for (unsigned k = 0; k < x->num_places; k++)
      if (*x->places[k].out)
         written &= file_write(x->places[k].out, x->places[k].data, x->places[k].size);
   for (unsigned k = 0; k < x->num_textures; k++)
      if (*x->textures[k].out)
         written &= file_write(x->textures[k].out, x->textures[k].data, x->textures[k].size);
   return written;
}

void
inputs_close(struct device *d, struct inputs *x)
{
   vkDestroyDescriptorPool(d->device, x->pool, NULL);
   for (unsigned k = 0; k < x->num_places; k++) {
      vkDestroyBuffer(d->device, x->places[k].buffer, NULL);
      vkFreeMemory(d->device, x->places[k].allocation, NULL);
   }
   for (unsigned k = 0; k < x->num_textures; k++)
      texture_destroy(d, &x->textures[k]);
   for (unsigned k = 0; k < x->num_samplers; k++)
      vkDestroySampler(d->device, x->samplers[k].sampler, NULL);
}
