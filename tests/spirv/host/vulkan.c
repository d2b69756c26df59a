/* SPDX-License-Identifier: MIT */
/* vulkan.c - runs compute shaders on a Vulkan device, or only compiles them and tells of the code.
 *
 *    vulkan_host [--statistics] [--assembly=FOLDER] [--seconds=S] [--timeout=S] JOBS
 *    vulkan_host --device
 *
 * The device is the loader's first (VK_ICD_FILENAMES, RADV_FORCE_FAMILY). Words of a job:
 *
 *    name=NAME file=SPV [entry=NAME] [groups=X,Y,Z] [subgroup=N] [push=FILE] [spec=ID:HEX]...
 *    [buffer=PLACE:IN:[OUT]]...      PLACE is SET.BINDING or SET.BINDING.INDEX
 *    [image=...]... [sampler=...]... as vulkan_image.h says
 *    [memory=ADDRESS:IN:[OUT]]...    what has no binding; other bytes name it by this address
 *    [patch=WHERE+OFFSET:ADDRESS]... the 64 bits at this offset of push, a PLACE or @ADDRESS are an
 *                                    address in the memory named; they become what it is here
 *
 * --statistics runs nothing: it compiles, answers with the driver's statistics, and with the
 * nanoseconds of CPU time of the fastest of the compilations that fit in S seconds.
 */
#include "vulkan_image.h"
#include "vulkan_pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PLACES = 64, PUSH_SIZE = 256 };

struct options {
   const char *assembly;
   double seconds;
   bool statistics;
};

struct state {
   struct device device;
   const struct options *options;
};

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

struct dispatch {
   struct place places[MAX_PLACES];
   unsigned num_places;
   struct texture textures[MAX_PLACES];
   struct sampler samplers[MAX_PLACES];
   unsigned num_textures, num_samplers;
   uint8_t push[PUSH_SIZE];
   size_t push_size;
};

static bool
make_buffer(struct device *d, struct place *p, const void *bytes)
{
   const VkBufferCreateInfo info = {
      .sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
      .size = p->size,
      .usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
               VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT,
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
add_place(struct device *d, struct dispatch *x, char *text, bool memory)
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
   bool made = make_buffer(d, p, bytes);
   free(bytes);
   return made;
}

static struct place *
find_place(struct dispatch *x, const char *name)
{
   bool memory = name[0] == '@';
   for (unsigned k = 0; k < x->num_places; k++)
      if (x->places[k].memory == memory && !strcmp(x->places[k].name, name + memory))
         return &x->places[k];
   return NULL;
}

/* WHERE+OFFSET:ADDRESS */
static bool
patch(struct dispatch *x, char *text)
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
prepare(struct device *d, struct job *job, struct dispatch *x)
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
write_textures(struct device *d, const struct program *p, struct dispatch *x, VkDescriptorSet *sets)
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
make_sets(struct device *d, const struct program *p, struct dispatch *x, VkDescriptorPool *pool,
          VkDescriptorSet *sets)
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
   if (vkCreateDescriptorPool(d->device, &pool_info, NULL, pool))
      return false;
   const VkDescriptorSetAllocateInfo info = {
      .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
      .descriptorPool = *pool,
      .descriptorSetCount = p->num_sets,
      .pSetLayouts = p->sets,
   };
   if (p->num_sets && vkAllocateDescriptorSets(d->device, &info, sets))
      return false;
   for (unsigned k = 0; k < x->num_places; k++) {
      if (x->places[k].memory)
         continue;
      const VkDescriptorBufferInfo buffer = { x->places[k].buffer, 0, VK_WHOLE_SIZE };
      VkWriteDescriptorSet write = write_at(p, sets, x->places[k].name);
      write.pBufferInfo = &buffer;
      if (write.dstSet)
         vkUpdateDescriptorSets(d->device, 1, &write, 0, NULL);
   }
   write_textures(d, p, x, sets);
   return true;
}

static VkResult
submit(struct device *d, struct program *p, struct dispatch *x, VkPipeline pipeline,
       VkDescriptorSet *sets, const uint32_t groups[3])
{
   const VkCommandBufferAllocateInfo allocate = {
      .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
      .commandPool = d->commands,
      .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
      .commandBufferCount = 1,
   };
   const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
   VkCommandBuffer commands;

   VkResult result = vkAllocateCommandBuffers(d->device, &allocate, &commands);
   if (result)
      return result;
   vkBeginCommandBuffer(commands, &begin);
   vkCmdBindPipeline(commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
   if (p->num_sets)
      vkCmdBindDescriptorSets(commands, VK_PIPELINE_BIND_POINT_COMPUTE, p->layout, 0, p->num_sets,
                              sets, 0, NULL);
   if (x->push_size)
      vkCmdPushConstants(commands, p->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                         (uint32_t)(x->push_size + 3) & ~3u, x->push);
   for (unsigned k = 0; k < x->num_textures; k++)
      texture_copy(commands, &x->textures[k], false);
   vkCmdDispatch(commands, groups[0], groups[1], groups[2]);
   for (unsigned k = 0; k < x->num_textures; k++)
      texture_copy(commands, &x->textures[k], true);
   vkEndCommandBuffer(commands);
   const VkSubmitInfo info = {
      .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
      .commandBufferCount = 1,
      .pCommandBuffers = &commands,
   };
   result = vkQueueSubmit(d->queue, 1, &info, VK_NULL_HANDLE);
   if (!result)
      result = vkQueueWaitIdle(d->queue);
   vkFreeCommandBuffers(d->device, d->commands, 1, &commands);
   return result;
}

static void
run(struct device *d, struct job *job, struct program *p)
{
   struct dispatch x = { 0 };
   VkDescriptorPool pool = VK_NULL_HANDLE;
   VkDescriptorSet sets[MAX_SETS] = { 0 };
   VkPipeline pipeline = VK_NULL_HANDLE;
   uint32_t groups[3];

   job_sizes(job, "groups", 3, groups);
   VkResult result = program_pipeline(d, p, 0, &pipeline);
   if (result) {
      job_error(job, "no pipeline: %s", vulkan_result(result));
   } else if (!prepare(d, job, &x) || !make_sets(d, p, &x, &pool, sets)) {
      job_error(job, "its inputs cannot be set up");
   } else if ((result = submit(d, p, &x, pipeline, sets, groups))) {
      job_error(job, "does not run: %s", vulkan_result(result));
   } else {
      bool written = true;
      for (unsigned k = 0; k < x.num_places; k++)
         if (*x.places[k].out)
            written &= file_write(x.places[k].out, x.places[k].data, x.places[k].size);
      for (unsigned k = 0; k < x.num_textures; k++)
         if (*x.textures[k].out)
            written &= file_write(x.textures[k].out, x.textures[k].data, x.textures[k].size);
      if (written)
         job_answer(job, ", \"subgroup\": %u", d->subgroups.subgroupSize);
      else
         job_error(job, "its outputs cannot be written");
   }
   vkDestroyPipeline(d->device, pipeline, NULL);
   vkDestroyDescriptorPool(d->device, pool, NULL);
   for (unsigned k = 0; k < x.num_places; k++) {
      vkDestroyBuffer(d->device, x.places[k].buffer, NULL);
      vkFreeMemory(d->device, x.places[k].allocation, NULL);
   }
   for (unsigned k = 0; k < x.num_textures; k++)
      texture_destroy(d, &x.textures[k]);
   for (unsigned k = 0; k < x.num_samplers; k++)
      vkDestroySampler(d->device, x.samplers[k].sampler, NULL);
}

static void
compile(struct device *d, struct job *job, struct program *p, const struct options *options)
{
   const VkPipelineCreateFlags capture =
       VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
       VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR;
   VkPipeline pipeline = VK_NULL_HANDLE, timed;
   double best = 1e30, end;
   unsigned runs = 0;

   VkResult result = program_pipeline(d, p, d->executables ? capture : 0, &pipeline);
   if (result) {
      job_error(job, "no pipeline: %s", vulkan_result(result));
      return;
   }
   end = cpu_seconds() + options->seconds;
   do {
      double start = cpu_seconds();
      if (program_pipeline(d, p, 0, &timed))
         break;
      double took = cpu_seconds() - start;
      vkDestroyPipeline(d->device, timed, NULL);
      best = took < best ? took : best;
      runs++;
   } while (cpu_seconds() < end || runs < 3);
   printf("{\"name\": ");
   job_print_string(job_value(job, "name"));
   printf(", \"ns\": %.0f", best * 1e9);
   pipeline_statistics(d, pipeline, job, options->assembly);
   printf("}\n");
   vkDestroyPipeline(d->device, pipeline, NULL);
}

static void *
start(void *options)
{
   struct state *s = calloc(1, sizeof *s);

   if (!s || !device_open(&s->device))
      return NULL;
   s->options = options;
   return s;
}

static void
run_job(void *state, struct job *job)
{
   struct state *s = state;
   struct program program;

   if (!program_open(&s->device, job, &program))
      return;
   if (s->options->statistics)
      compile(&s->device, job, &program, s->options);
   else
      run(&s->device, job, &program);
   program_close(&s->device, &program);
}

static int
show_device(void)
{
   struct device d;

   if (!device_open(&d))
      return 2;
   printf("{\"name\": ");
   job_print_string(d.properties.deviceName);
   printf(", \"subgroup\": %u, \"operations\": %u, \"executables\": %s}\n",
          d.subgroups.subgroupSize, d.subgroups.supportedOperations,
          d.executables ? "true" : "false");
   return 0;
}

int
main(int argc, char **argv)
{
   struct options options = { .seconds = 0.02 };
   const char *jobs = NULL;
   unsigned timeout = 60;

   for (int k = 1; k < argc; k++) {
      if (!strcmp(argv[k], "--device"))
         return show_device();
      if (!strcmp(argv[k], "--statistics"))
         options.statistics = true;
      else if (!strncmp(argv[k], "--assembly=", 11))
         options.assembly = argv[k] + 11;
      else if (!strncmp(argv[k], "--seconds=", 10))
         options.seconds = strtod(argv[k] + 10, NULL);
      else if (!strncmp(argv[k], "--timeout=", 10))
         timeout = (unsigned)strtoul(argv[k] + 10, NULL, 10);
      else
         jobs = argv[k];
   }
   if (!jobs) {
      fprintf(stderr, "usage: vulkan_host [--statistics] [--assembly=FOLDER] [--seconds=S] "
                      "[--timeout=S] JOBS\n");
      return 2;
   }
   return jobs_run(jobs, timeout, start, run_job, &options);
}
