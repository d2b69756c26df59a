/* SPDX-License-Identifier: MIT */
/* run_kernel.c - the arguments of a kernel of SPIR-V, from the command line to its launch. */
#include "run_kernel.h"

#include "heddle/spirv.h"
#include "heddle/wave.h"

#include <stdlib.h>
#include <string.h>

/* Buffers lie apart, so that what is read past the end of one is seen. */
#define FIRST_ADDRESS UINT64_C(0x200100000)
#define GAP           UINT64_C(0x10000)

static uint64_t
align_up(uint64_t size, uint64_t align)
{
   return (size + align - 1) / align * align;
}

static void
put(uint8_t *to, uint64_t value, unsigned size)
{
   for (unsigned n = 0; n < size; n++)
      to[n] = (uint8_t)(value >> 8 * n);
}

bool
is_argument(const struct memory *m)
{
   return !strncmp(m->operand, "arg@", 4);
}

/* NULL: a message was printed. */
static const hd_spirv_argument *
find_argument(const tool *t, const struct memory *m)
{
   const hd_spirv_info *info = t->spirv_info;
   const char *end;
   uint64_t n;

   if (!info || !info->num_arguments) {
      trouble("'%s': only kernels of SPIR-V have arguments by number", m->operand);
      return NULL;
   }
   if (!parse_number(m->operand + 4, &end, &n) || end != m->operand + m->name_length ||
       n >= info->num_arguments) {
      trouble("'%s' is none of the %u arguments", m->operand, info->num_arguments);
      return NULL;
   }
   return &info->arguments[n];
}

bool
is_argument_buffer(const tool *t, const struct memory *m)
{
   return find_argument(t, m)->kind == HD_SPIRV_ARGUMENT_GLOBAL && m->data;
}

static bool
bind_value(const hd_spirv_argument *a, const struct memory *m, uint8_t *to)
{
   /* A file may have whole words where the argument has not. */
   const size_t size = m->size < a->size ? m->size : a->size;

   if (!m->data || m->size > align_up(a->size, 4))
      return trouble("'%s' has %zu bytes, the argument has %u", m->operand, m->size, a->size),
             false;
   memcpy(to, m->data, size);
   return true;
}

static bool
bind_argument(const hd_spirv_argument *a, const struct memory *m, hd_shader *shader,
              hd_wave_launch *launch, hd_wave_region *regions, uint64_t *address, uint8_t *to)
{
   if (a->kind == HD_SPIRV_ARGUMENT_IMAGE || a->kind == HD_SPIRV_ARGUMENT_SAMPLER)
      return trouble("'%s': an image is given by image@0.N:WIDTH=BYTES, a sampler by "
                     "sampler@0.N=WORDS, where N is the argument's number",
                     m->operand),
             false;
   if (m->is_shared != (a->kind == HD_SPIRV_ARGUMENT_SHARED))
      return trouble("'%s': local:SIZE is for memory of the workgroup, and that alone", m->operand),
             false;
   if (m->is_shared) {
      /* It lies after what the shader has itself. */
      const uint32_t place = (uint32_t)align_up(shader->shared_size, 16);
      put(to, place, 4);
      shader->shared_size = place + (uint32_t)m->size;
      return true;
   }
   if (a->kind != HD_SPIRV_ARGUMENT_GLOBAL)
      return bind_value(a, m, to);
   if (!m->data)
      return true;
   regions[launch->num_regions++] =
       (hd_wave_region){ *address, { m->data, m->undefined, m->size } };
   put(to, *address, 8);
   *address = align_up(*address + m->size + GAP, GAP);
   return true;
}

void
bind_constant_samplers(const tool *t, hd_wave_launch *launch, hd_wave_sampler *samplers)
{
   const hd_spirv_info *info = t->spirv_info;
   static const hd_address_mode modes[] = { HD_ADDRESS_CLAMP_TO_EDGE, HD_ADDRESS_CLAMP_TO_EDGE,
                                            HD_ADDRESS_CLAMP_TO_BORDER, HD_ADDRESS_REPEAT,
                                            HD_ADDRESS_MIRRORED_REPEAT };

   for (uint32_t n = 0; info && n < info->num_samplers; n++) {
      const hd_spirv_sampler *s = &info->samplers[n];
      const hd_address_mode mode = modes[s->addressing % (sizeof(modes) / sizeof(modes[0]))];
      const hd_filter filter = s->linear ? HD_FILTER_LINEAR : HD_FILTER_NEAREST;
      samplers[launch->num_samplers++] = (hd_wave_sampler){ .set = s->set,
                                                            .binding = s->binding,
                                                            .address = { mode, mode, mode },
                                                            .mag = filter,
                                                            .min = filter,
                                                            .max_lod = 1000,
                                                            .unnormalized = !s->normalized };
   }
}

/* It is given by its set and binding. */
static bool
has_descriptor(const hd_spirv_info *info, uint32_t n, const hd_wave_launch *launch)
{
   for (uint32_t k = 0; k < launch->num_images; k++) {
      if (info->arguments[n].kind == HD_SPIRV_ARGUMENT_IMAGE && !launch->images[k].set &&
          launch->images[k].binding == n)
         return true;
   }
   for (uint32_t k = 0; k < launch->num_samplers; k++) {
      if (info->arguments[n].kind == HD_SPIRV_ARGUMENT_SAMPLER && !launch->samplers[k].set &&
          launch->samplers[k].binding == n)
         return true;
   }
   return false;
}

static bool
check_given(const hd_spirv_info *info, uint32_t num, const hd_wave_launch *launch,
            const struct kernel_arguments *k)
{
   for (uint32_t n = 0; n < num; n++) {
      const hd_spirv_argument *a = &info->arguments[n];
      if (k->given[n] || has_descriptor(info, n, launch))
         continue;
      if (a->kind == HD_SPIRV_ARGUMENT_IMAGE || a->kind == HD_SPIRV_ARGUMENT_SAMPLER)
         trouble("argument %u (%s) is not given: %s", n, a->name,
                 a->kind == HD_SPIRV_ARGUMENT_IMAGE ? "image@0.N:WIDTH=BYTES"
                                                    : "sampler@0.N=WORDS");
      else
         trouble("argument %u (%s) is not given: arg@%u=BYTES", n, a->name, n);
      return false;
   }
   return true;
}

bool
bind_kernel_arguments(const tool *t, hd_shader *shader, const struct memory *memories,
                      unsigned num_memories, hd_wave_launch *launch, hd_wave_region *regions,
                      struct kernel_arguments *k)
{
   const hd_spirv_info *info = t->spirv_info;
   const uint32_t num = info ? info->num_arguments : 0;
   uint64_t address = FIRST_ADDRESS;
   size_t size = 0;

   for (uint32_t n = 0; n < num; n++)
      size = info->arguments[n].offset + info->arguments[n].size;
   k->kernarg = calloc(size + 1, 1);
   k->undefined = calloc(size + 1, 1);
   k->given = calloc(num + 1, 1);
   if (!k->kernarg || !k->undefined || !k->given)
      return explain(t, "run", HD_OUT_OF_MEMORY), false;
   for (unsigned n = 0; n < num_memories; n++) {
      const hd_spirv_argument *a;
      if (!is_argument(&memories[n]))
         continue;
      a = find_argument(t, &memories[n]);
      if (!a || !bind_argument(a, &memories[n], shader, launch, regions, &address,
                               k->kernarg + a->offset))
         return false;
      k->given[a - info->arguments] = true;
   }
   if (!check_given(info, num, launch, k))
      return false;
   if (num)
      launch->kernarg = (hd_wave_memory){ k->kernarg, k->undefined, size };
   return true;
}

void
free_kernel_arguments(struct kernel_arguments *k)
{
   free(k->kernarg);
   free(k->undefined);
   free(k->given);
}
