/* SPDX-License-Identifier: MIT */
/* run_kernel.c - the arguments of a kernel of SPIR-V, from the command line to its launch. */
#include "run_kernel.h"

#include <stdlib.h>
#include <string.h>

/* Buffers lie far apart, so that what is read past the end of one is seen. */
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

/* local:SIZE, memory of the workgroup: it lies behind what the shader has itself. */
static bool
take_shared(hd_shader *shader, const char *operand, uint32_t *place)
{
   const char *end;
   uint64_t size;

   if (strncmp(operand, "local:", 6) != 0 || !parse_number(operand + 6, &end, &size) || *end ||
       size > UINT32_MAX / 2)
      return trouble("'%s' is not local:SIZE, which this argument is", operand), false;
   *place = (uint32_t)align_up(shader->shared_size, 16);
   shader->shared_size = *place + (uint32_t)size;
   return true;
}

static bool
take_value(const hd_spirv_argument *a, const struct memory *m, uint8_t *to)
{
   if (m->size > a->size || !m->data)
      return trouble("'%s' has %zu bytes, the argument has %u", m->operand, m->size, a->size),
             false;
   memcpy(to, m->data, m->size);
   return true;
}

static bool
bind_argument(struct kernel_arguments *k, hd_shader *shader, const hd_spirv_argument *a,
              const char *operand, hd_wave_launch *launch, uint64_t *address)
{
   const unsigned n = k->num++;
   struct memory *m = &k->memories[n];
   bool pointer;
   uint32_t place;

   if (a->kind == HD_SPIRV_ARGUMENT_SHARED) {
      if (!take_shared(shader, operand, &place))
         return false;
      put(k->kernarg + a->offset, place, 4);
      return true;
   }
   if (!parse_argument(m, operand, &pointer))
      return false;
   if (a->kind != HD_SPIRV_ARGUMENT_GLOBAL)
      return take_value(a, m, k->kernarg + a->offset);
   if (!m->data)
      return true;
   if (!m->name_length) {
      snprintf(k->names[n], sizeof(k->names[n]), "%u", n);
      m->operand = k->names[n];
      m->name_length = strlen(k->names[n]);
   }
   k->regions[launch->num_regions++] =
       (hd_wave_region){ *address, { m->data, m->undefined, m->size } };
   put(k->kernarg + a->offset, *address, 8);
   *address = align_up(*address + m->size + GAP, GAP);
   return true;
}

bool
bind_kernel_arguments(const tool *t, hd_shader *shader, hd_wave_launch *launch,
                      struct kernel_arguments *k)
{
   const hd_spirv_info *info = t->spirv_info;
   uint64_t address = FIRST_ADDRESS;
   size_t size = 1;

   if (info->num_arguments > MAX_ARGUMENTS)
      return trouble("more than %d arguments", MAX_ARGUMENTS), false;
   if ((uint32_t)t->num_operands - 1 != info->num_arguments)
      return trouble("%d arguments, the kernel has %u", t->num_operands - 1, info->num_arguments),
             false;
   for (uint32_t n = 0; n < info->num_arguments; n++)
      size = info->arguments[n].offset + info->arguments[n].size;
   k->kernarg = calloc(size, 1);
   k->undefined = calloc(size, 1);
   if (!k->kernarg || !k->undefined)
      return explain(t, "run", HD_OUT_OF_MEMORY), false;
   for (uint32_t n = 0; n < info->num_arguments; n++) {
      if (!bind_argument(k, shader, &info->arguments[n], t->operands[n + 1], launch, &address))
         return false;
   }
   launch->regions = k->regions;
   launch->kernarg = (hd_wave_memory){ k->kernarg, k->undefined, size };
   return true;
}

bool
is_kernel_buffer(const tool *t, const struct kernel_arguments *k, unsigned n)
{
   return t->spirv_info->arguments[n].kind == HD_SPIRV_ARGUMENT_GLOBAL && k->memories[n].data;
}

void
free_kernel_arguments(struct kernel_arguments *k)
{
   for (unsigned n = 0; n < k->num; n++)
      free_memory(&k->memories[n]);
   free(k->kernarg);
   free(k->undefined);
}
