/* SPDX-License-Identifier: MIT */
/* wave_launch.c - launch machine code with the arguments of hd_wave_run: descriptors, pointers and user
 * data of a driver interface.
 */
#include <inttypes.h>
#include <string.h>

#include "backend/gcn/sim/image_launch.h"
#include "backend/gcn/sim/regions.h"
#include "backend/gcn/sim/sampler.h"
#include "backend/gcn/sim/stage_launch.h"
#include "machine/sim/dispatch.h"
#include "util/refuse.h"

#define DESCRIPTOR_SIZE 16u
#define IMAGE_SIZE      32u
#define LANES           64u

struct setup {
   hd_heap heap;
   hd_stack stack;
   const hd_gcn_binary *binary;
   const hd_gcn_driver_abi *abi;
   const hd_shader *shader;
   const hd_wave_launch *from;
   hd_gcn_sim_launch to;
   places places;
   hd_gcn_stage_launch stage;
   /* Images of the launch that the machine has in memory of its own, by their number. */
   struct copied {
      hd_gcn_image image;
      hd_wave_memory memory; /* size 0: none */
   } * copied;
};

static void
check(struct setup *s)
{
   const hd_wave_launch *from = s->from;

   if (from->lanes && from->lanes != LANES)
      hd_heap_refuse(&s->heap, HD_UNSUPPORTED, "waves of %u lanes, but the machine's have %u",
                     from->lanes, LANES);
   const bool graphics =
       s->shader->stage == HD_STAGE_VERTEX || s->shader->stage == HD_STAGE_FRAGMENT;
   if (!graphics &&
       (from->num_given || from->inputs.size || from->outputs.size || from->num_helpers))
      hd_heap_refuse(&s->heap, HD_UNSUPPORTED,
                     "machine code is not given inputs of a draw or a rasteriser");
   if ((from->num_images && !from->images) || (from->num_samplers && !from->samplers) ||
       (from->num_regions && !from->regions) || (from->num_buffers && !from->buffers) ||
       (from->num_params && !from->params) || (from->num_given && !from->given) ||
       (from->num_helpers && !from->helpers) || (s->abi->num_bindings && !s->abi->bindings))
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                     "the launch has a count, expected an array with it, found NULL");
   if (from->push.size < s->shader->push_size)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                     "%" PRIu64 " bytes of push constants, but the shader wants %u",
                     from->push.size, s->shader->push_size);
   if (from->kernarg.size < s->shader->kernarg_size)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                     "%" PRIu64 " bytes of kernel arguments, but the shader wants %u",
                     from->kernarg.size, s->shader->kernarg_size);
}

static void
choose_grid(struct setup *s)
{
   for (unsigned n = 0; n < 3; n++) {
      const uint32_t given = s->from->workgroup_size[n], fixed = s->shader->workgroup_size[n];
      if (given && fixed && given != fixed)
         hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                        "a workgroup of %u invocations along %c, but the shader wants %u", given,
                        "xyz"[n], fixed);
      s->to.workgroup_size[n] = fixed ? fixed : given ? given : 1;
      s->to.num_workgroups[n] = s->from->num_workgroups[n] ? s->from->num_workgroups[n] : 1;
   }
}

static void
set_numbers(struct setup *s, unsigned first, unsigned num, const uint32_t *values)
{
   for (unsigned n = 0; first != HD_GCN_NO_SGPR && n < num; n++)
      s->to.user_sgprs[first + n] = values[n];
}

static void
set_pointer(struct setup *s, unsigned first, uint64_t address)
{
   const uint32_t halves[2] = { (uint32_t)address, (uint32_t)(address >> 32) };

   set_numbers(s, first, 2, halves);
}

static const hd_gcn_binding *
binding_of(const hd_gcn_driver_abi *abi, uint32_t set, uint32_t binding)
{
   for (uint32_t n = 0; n < abi->num_bindings; n++) {
      if (abi->bindings[n].set == set && abi->bindings[n].binding == binding)
         return &abi->bindings[n];
   }
   return NULL;
}

static uint64_t
descriptor_offset(const hd_gcn_binding *binding, uint32_t array_index)
{
   return binding->offset + (uint64_t)binding->stride * array_index;
}

/* The memory of a set: as large as its last descriptor asks for, undefined where there is none. */
static hd_wave_memory
add_set(struct setup *s, uint32_t set)
{
   uint64_t size = 0;

   for (uint32_t n = 0; n < s->abi->num_bindings; n++) {
      const hd_gcn_binding *b = &s->abi->bindings[n];
      const uint64_t one = b->sampler + (uint64_t)DESCRIPTOR_SIZE;
      if (b->set == set && b->offset + one > size)
         size = b->offset + one;
   }
   for (uint32_t n = 0; n < s->from->num_buffers; n++) {
      const hd_wave_buffer *b = &s->from->buffers[n];
      const hd_gcn_binding *binding = b->set == set ? binding_of(s->abi, set, b->binding) : NULL;
      const uint64_t end =
          binding ? descriptor_offset(binding, b->array_index) + DESCRIPTOR_SIZE : 0;
      size = end > size ? end : size;
   }
   for (uint32_t n = 0; n < s->from->num_images; n++) {
      const hd_wave_image *i = &s->from->images[n];
      const hd_gcn_binding *binding = i->set == set ? binding_of(s->abi, set, i->binding) : NULL;
      const uint64_t end = binding ? descriptor_offset(binding, i->array_index) + IMAGE_SIZE : 0;
      size = end > size ? end : size;
   }
   for (uint32_t n = 0; n < s->from->num_samplers; n++) {
      const hd_wave_sampler *i = &s->from->samplers[n];
      const hd_gcn_binding *binding = i->set == set ? binding_of(s->abi, set, i->binding) : NULL;
      const uint64_t end =
          binding ? descriptor_offset(binding, i->array_index) + binding->sampler + DESCRIPTOR_SIZE
                  : 0;
      size = end > size ? end : size;
   }
   if (size > UINT32_MAX / 2)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "a descriptor set of %" PRIu64 " bytes", size);
   return hd_mach_memory_bytes(&s->stack, size, true);
}

/* As much as a shader may rely on, but so that small memory, too, is on both sides. */
static uint64_t
align_of(uint64_t size)
{
   return size > 16 ? 16 : 4;
}

static const char *
name_of(struct setup *s, const char *what, uint32_t set, uint32_t binding, uint32_t index)
{
   char *name = hd_stack_alloc(&s->stack, 64);

   snprintf(name, 64, "%s %u.%u.%u", what, set, binding, index);
   return name;
}

static void
add_descriptor(struct setup *s, hd_wave_memory set, const hd_wave_buffer *b)
{
   const hd_gcn_binding *binding = binding_of(s->abi, b->set, b->binding);

   if (!binding)
      return;
   if (b->memory.size > UINT32_MAX)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "a buffer of %" PRIu64 " bytes", b->memory.size);
   const uint64_t address =
       hd_gcn_regions_add(&s->places, b->memory, align_of(b->memory.size), false,
                          name_of(s, "buffer", b->set, b->binding, b->array_index));
   const uint64_t at = descriptor_offset(binding, b->array_index);
   /* Bytes, unswizzled; components in their order, dwords as they are. */
   const uint32_t words[4] = { (uint32_t)address, (uint32_t)(address >> 32 & 0xffff),
                               (uint32_t)b->memory.size, 0x24fac };
   for (unsigned n = 0; n < 4; n++)
      hd_mach_memory_put(set, at + n * 4, 4, words[n]);
}

/* A texel buffer is in the launch's memory: texels lie one behind the other in both. */
static void
put_texel_buffer(struct setup *s, const hd_wave_image *i, const hd_gcn_image_shape *shape,
                 uint32_t *words)
{
   const bool bytes = s->binary->target == HD_GCN_GFX803;
   const hd_texel_format format = hd_gcn_texel_format_in(shape, i);
   const uint32_t size = hd_texel_format_size(format), width = i->width ? i->width : 1;
   hd_gcn_texel_words texel;

   if (!hd_gcn_texel_words_of(format, &texel) || texel.data > 15 || texel.number > 7)
      hd_heap_refuse(&s->heap, HD_UNSUPPORTED,
                     "texel buffer %u.%u: the machine has no texel buffers of format %s", i->set,
                     i->binding, hd_texel_format_name(format));
   if ((uint64_t)width * size > i->memory.size || i->memory.size > UINT32_MAX)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH,
                     "a texel buffer takes %" PRIu64 " bytes, but its memory has %" PRIu64,
                     (uint64_t)width * size, i->memory.size);
   const uint64_t address =
       hd_gcn_regions_add(&s->places, i->memory, align_of(i->memory.size), false,
                          name_of(s, "texel buffer", i->set, i->binding, i->array_index));
   words[0] = (uint32_t)address;
   words[1] = (uint32_t)(address >> 32 & 0xffff) | size << 16;
   words[2] = bytes ? width * size : width;
   words[3] = (uint32_t)texel.number << 12 | (uint32_t)texel.data << 15;
   for (unsigned n = 0; n < 4; n++)
      words[3] |= (uint32_t)texel.select[n] << 3 * n;
}

static void
put_image(struct setup *s, uint32_t number, const hd_gcn_image_shape *shape, uint32_t *words)
{
   const hd_wave_image *i = &s->from->images[number];
   struct copied *c = &s->copied[number];
   const char *why = hd_gcn_image_from_launch(shape, i, &c->image);

   if (why)
      hd_heap_refuse(&s->heap, HD_UNSUPPORTED, "image %u.%u: %s", i->set, i->binding, why);
   const uint64_t size = hd_gcn_image_size(&c->image);
   if (size > UINT32_MAX / 2)
      hd_heap_refuse(&s->heap, HD_UNSUPPORTED,
                     "image %u.%u: %" PRIu64 " bytes, expected fewer than 2 GiB", i->set,
                     i->binding, size);
   c->memory = hd_mach_memory_bytes(&s->stack, size, true);
   hd_gcn_image_copy(&c->image, i, c->memory, false);
   c->image.base = hd_gcn_regions_add(&s->places, c->memory, HD_GCN_IMAGE_ALIGN, false,
                                      name_of(s, "image", i->set, i->binding, i->array_index));
   hd_gcn_image_write(s->binary->target, &c->image, words);
}

static void
add_image(struct setup *s, hd_wave_memory set, uint32_t number)
{
   const hd_wave_image *i = &s->from->images[number];
   const hd_gcn_image_shape shape = hd_gcn_image_shape_of(s->shader, i->set, i->binding);
   const hd_gcn_binding *binding = binding_of(s->abi, i->set, i->binding);
   uint32_t words[8] = { 0 };

   if (!binding || !shape.is_image)
      return;
   if (shape.dim == HD_DIM_BUFFER)
      put_texel_buffer(s, i, &shape, words);
   else
      put_image(s, number, &shape, words);
   for (unsigned n = 0; n < (shape.dim == HD_DIM_BUFFER ? 4u : 8u); n++)
      hd_mach_memory_put(set, descriptor_offset(binding, i->array_index) + n * 4, 4, words[n]);
}

static void
add_sampler(struct setup *s, hd_wave_memory set, const hd_wave_sampler *sampler)
{
   const hd_gcn_binding *binding = binding_of(s->abi, sampler->set, sampler->binding);
   uint32_t words[4];

   if (!binding || binding->stride < binding->sampler + DESCRIPTOR_SIZE)
      return;
   hd_gcn_sampler_write(sampler, words);
   for (unsigned n = 0; n < 4; n++)
      hd_mach_memory_put(
          set, descriptor_offset(binding, sampler->array_index) + binding->sampler + n * 4, 4,
          words[n]);
}

/* What the program left in images. */
static void
take_images(struct setup *s)
{
   for (uint32_t n = 0; s->copied && n < s->from->num_images; n++) {
      if (s->copied[n].memory.size)
         hd_gcn_image_copy(&s->copied[n].image, &s->from->images[n], s->copied[n].memory, true);
   }
}

static void
add_buffers(struct setup *s)
{
   for (uint32_t set = 0; set < HD_GCN_MAX_SETS; set++) {
      if (s->abi->set_pointer[set] == HD_GCN_NO_SGPR)
         continue;
      const hd_wave_memory table = add_set(s, set);
      for (uint32_t n = 0; n < s->from->num_buffers; n++) {
         if (s->from->buffers[n].set == set)
            add_descriptor(s, table, &s->from->buffers[n]);
      }
      for (uint32_t n = 0; n < s->from->num_images; n++) {
         if (s->from->images[n].set == set)
            add_image(s, table, n);
      }
      for (uint32_t n = 0; n < s->from->num_samplers; n++) {
         if (s->from->samplers[n].set == set)
            add_sampler(s, table, &s->from->samplers[n]);
      }
      set_pointer(
          s, s->abi->set_pointer[set],
          hd_gcn_regions_add(&s->places, table, align_of(table.size), true, "a descriptor set"));
   }
}

/* Whole dwords: scalar loads may read the last ones. */
static void
add_kernarg(struct setup *s)
{
   uint32_t wanted;

   if (s->abi->kernarg_pointer == HD_GCN_NO_SGPR)
      return;
   const hd_wave_memory m = hd_mach_arguments(&s->stack, s->shader, s->from, 4, &wanted);
   if (!m.data)
      hd_heap_refuse(&s->heap, HD_BAD_LAUNCH, "@%s has %u components of parameters, %u are given",
                     s->shader->first_function->name, wanted, s->from->num_params);
   set_pointer(s, s->abi->kernarg_pointer,
               hd_gcn_regions_add(&s->places, m, align_of(m.size), true, "the kernel's arguments"));
}

static void
add_push(struct setup *s)
{
   const hd_gcn_driver_abi *abi = s->abi;
   const hd_wave_memory push = s->from->push;

   if (abi->push_inline != HD_GCN_NO_SGPR) {
      for (unsigned n = 0; n < abi->push_inline_count; n++) {
         const unsigned at = 4 * (abi->push_inline_first + n);
         uint32_t word = 0;
         for (unsigned k = 0; k < 4 && at + k < push.size; k++)
            word |= (uint32_t)((const uint8_t *)push.data)[at + k] << 8 * k;
         s->to.user_sgprs[abi->push_inline + n] = word;
      }
   }
   if (abi->push_pointer == HD_GCN_NO_SGPR)
      return;
   const hd_wave_memory m = hd_mach_memory_bytes(&s->stack, (push.size + 3) & ~UINT64_C(3), true);
   for (uint64_t n = 0; n < push.size; n++) {
      if (!push.undefined || !push.undefined[n])
         hd_mach_memory_put(m, n, 1, ((const uint8_t *)push.data)[n]);
   }
   set_pointer(s, abi->push_pointer,
               hd_gcn_regions_add(&s->places, m, align_of(m.size), true, "the push constants"));
}

static void
set_up(struct setup *s)
{
   const hd_gcn_driver_abi *abi = s->abi;

   check(s);
   choose_grid(s);
   s->copied = hd_stack_alloc_zero(&s->stack, (s->from->num_images + 1) * sizeof(*s->copied));
   hd_gcn_regions_init(&s->places, &s->stack);
   for (uint32_t n = 0; n < s->from->num_regions; n++)
      hd_gcn_regions_give(&s->places, s->from->regions[n].address, s->from->regions[n].memory,
                          "global memory");
   add_buffers(s);
   add_kernarg(s);
   add_push(s);
   const uint32_t dim = hd_mach_work_dim(s->from, s->to.num_workgroups, s->to.workgroup_size);
   set_numbers(s, abi->num_workgroups, 3, s->to.num_workgroups);
   set_numbers(s, abi->workgroup_size, 3, s->to.workgroup_size);
   set_numbers(s, abi->global_offset, 3, s->from->global_offset);
   set_numbers(s, abi->work_dim, 1, &dim);
   s->to.target = s->binary->target;
   s->to.code = s->binary->code;
   s->to.code_words = s->binary->code_words;
   s->to.pgm_rsrc1 = s->binary->pgm_rsrc1;
   s->to.pgm_rsrc2 = s->binary->pgm_rsrc2;
   s->to.lds_size = s->binary->stats.lds_size;
   s->to.scratch_size = s->binary->stats.scratch_size;
   s->to.scratch_resource = abi->scratch_resource;
   s->to.flat_scratch_init = HD_GCN_NO_SGPR;
   s->to.active = s->from->active;
   if (s->shader->stage == HD_STAGE_VERTEX || s->shader->stage == HD_STAGE_FRAGMENT) {
      s->stage = (hd_gcn_stage_launch){ .stack = &s->stack,
                                        .places = &s->places,
                                        .binary = s->binary,
                                        .abi = s->abi,
                                        .shader = s->shader,
                                        .from = s->from,
                                        .to = &s->to };
      s->to.sends_positions = s->shader->stage == HD_STAGE_VERTEX;
      hd_gcn_stage_launch_start(&s->stage);
   }
   s->to.regions = s->places.regions;
   s->to.num_regions = s->places.num;
}

hd_result
hd_gcn_sim_run_wave(const hd_gcn_binary *binary, const hd_gcn_driver_abi *abi,
                    const hd_shader *shader, const hd_wave_launch *launch,
                    const hd_gcn_sim_options *options, hd_gcn_sim_stats *stats)
{
   struct setup s = { .binary = binary, .abi = abi, .shader = shader, .from = launch };
   hd_unwind u;

   if (stats)
      *stats = (hd_gcn_sim_stats){ 0 };
   if (options)
      s.to.options = *options;
   hd_heap_init(&s.heap, hd_shader_config(shader));
   if (s.to.options.diag.report)
      s.heap.config.diag = s.to.options.diag;
   else if (launch->diag.report)
      s.heap.config.diag = launch->diag;
   hd_stack_init(&s.stack, &s.heap);
   if (HD_TRY(&s.heap, &u))
      set_up(&s);
   hd_result result = hd_heap_leave(&s.heap, &u);
   if (result == HD_OK) {
      result = hd_gcn_sim_run(&s.heap.config, &s.to, stats);
      take_images(&s);
   }
   hd_stack_finish(&s.stack);
   return result;
}
