/* SPDX-License-Identifier: MIT */
/* launch.c - simulators: check and place a launch of hd_wave_run: launch.h. */
#include "machine/sim/launch.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "util/quote.h"

hd_result
hd_mach_launch_run(hd_mach_launch *l, const hd_diag_sink *diag, void (*body)(hd_mach_launch *l))
{
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;

   hd_heap_init(&heap, hd_shader_config(l->shader));
   hd_stack_init(&stack, &heap);
   l->stack = &stack;
   l->sink = diag && diag->report ? diag : &hd_shader_config(l->shader)->diag;
   if (HD_TRY(&heap, &u))
      body(l);
   const hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   return result != HD_OK ? result : l->result;
}

bool
hd_mach_launch_refuse(hd_mach_launch *l, const char *format, ...)
{
   char message[160];
   va_list args;

   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   const hd_diag diag = { .severity = HD_ERROR, .message = message };
   hd_diag_send(l->sink, &diag);
   l->result = HD_UNSUPPORTED;
   return false;
}

bool
hd_mach_launch_measure(hd_mach_launch *l, unsigned wave_lanes, uint32_t max_waves)
{
   const hd_wave_launch *from = l->from;
   uint64_t lanes = 1;

   if (from->num_images || from->inputs.size || from->outputs.size)
      return hd_mach_launch_refuse(
          l, "expected a launch without images, inputs and outputs: machine code is given none");
   if (from->lanes && from->lanes != wave_lanes)
      return hd_mach_launch_refuse(l, "a wave has %u lanes, not %" PRIu32, wave_lanes, from->lanes);
   for (unsigned n = 0; n < 3; n++) {
      const uint32_t fixed = l->shader->workgroup_size[n], given = from->workgroup_size[n];
      l->groups[n] = from->num_workgroups[n] ? from->num_workgroups[n] : 1;
      l->size[n] = fixed ? fixed : given ? given : 1;
      lanes = lanes * l->size[n] > UINT32_MAX ? UINT32_MAX : lanes * l->size[n];
   }
   if (lanes > (uint64_t)max_waves * wave_lanes)
      return hd_mach_launch_refuse(l, "a workgroup has %u lanes at most, not %" PRIu64,
                                   max_waves * wave_lanes, lanes);
   l->wave_lanes = wave_lanes;
   l->lanes = (uint32_t)lanes;
   l->waves = (l->lanes + wave_lanes - 1) / wave_lanes;
   return true;
}

static bool
add(hd_mach_launch *l, uint32_t address, const hd_wave_memory *memory, bool read_only)
{
   const hd_mach_memory_region region = { .address = address,
                                          .data = memory->data,
                                          .undef = memory->undefined,
                                          .size = memory->size,
                                          .read_only = read_only };
   uint64_t where;

   return !region.size ||
          (region.address + region.size <= UINT64_C(1) << 32 &&
           hd_mach_memory_add(l->memory, &region, &where)) ||
          hd_mach_launch_refuse(l, "memory at address 0x%08" PRIx32 " overlaps other memory",
                                address);
}

/* Guard bytes on either side. */
#define GAP   UINT64_C(256)
#define FIRST UINT64_C(0x10000)

bool
hd_mach_launch_place(hd_mach_launch *l, const hd_wave_memory *memory, bool read_only,
                     uint32_t *address)
{
   uint64_t at = FIRST;

   for (uint32_t n = 0; n < l->memory->num_regions; n++) {
      const hd_mach_memory_region *r = &l->memory->regions[n];
      if (r->address >= at + memory->size + GAP)
         break;
      if (r->address + r->size + GAP > at)
         at = (r->address + r->size + GAP + 63) & ~UINT64_C(63);
   }
   if (at + memory->size + GAP > UINT64_C(1) << 32)
      return hd_mach_launch_refuse(l, "no room for %" PRIu64 " bytes of memory below 4 GiB",
                                   memory->size);
   *address = (uint32_t)at;
   return add(l, *address, memory, read_only);
}

bool
hd_mach_launch_regions(hd_mach_launch *l)
{
   for (uint32_t n = 0; n < l->from->num_regions; n++) {
      const hd_wave_region *r = &l->from->regions[n];
      if (r->address >> 32 != (r->address + r->memory.size) >> 32)
         return hd_mach_launch_refuse(
             l, "the region of global memory at 0x%" PRIx64 " crosses a multiple of 4 GiB",
             r->address);
      if (!add(l, (uint32_t)r->address, &r->memory, false))
         return false;
   }
   return true;
}

bool
hd_mach_launch_arguments(hd_mach_launch *l, hd_wave_memory *memory)
{
   const hd_function *entry = l->shader->first_function;
   uint32_t wanted;

   *memory = l->from->kernarg;
   if (!entry || !entry->num_params)
      return true;
   *memory = hd_mach_arguments(l->stack, l->shader, l->from, 1, &wanted);
   return memory->data ||
          hd_mach_launch_refuse(
              l, "%" PRIu32 " components of parameters are wanted, %" PRIu32 " are given", wanted,
              l->from->num_params);
}

static const hd_wave_buffer *
buffer_of(const hd_mach_launch *l, const hd_buffer_binding *b, uint32_t element)
{
   for (uint32_t n = 0; n < l->from->num_buffers; n++) {
      const hd_wave_buffer *buffer = &l->from->buffers[n];
      if (buffer->set == b->set && buffer->binding == b->binding && buffer->array_index == element)
         return buffer;
   }
   return NULL;
}

bool
hd_mach_launch_buffers(hd_mach_launch *l, const hd_buffer_binding *bindings, uint32_t num,
                       bool (*place)(hd_mach_launch *l, uint32_t number,
                                     const hd_wave_memory *memory))
{
   static const hd_wave_memory none;

   for (uint32_t n = 0; n < num; n++) {
      for (uint32_t e = 0; e < bindings[n].num; e++) {
         const hd_wave_buffer *buffer = buffer_of(l, &bindings[n], e);
         if (buffer && buffer->memory.size >> 32)
            return hd_mach_launch_refuse(
                l, "buffer %u.%u has %" PRIu64 " bytes, expected fewer than 4 GiB", buffer->set,
                buffer->binding, buffer->memory.size);
         if (!place(l, bindings[n].first + e, buffer ? &buffer->memory : &none))
            return false;
      }
   }
   return true;
}

uint32_t
hd_mach_launch_mask(hd_mach_launch *l, uint32_t wave)
{
   const uint32_t rest = l->lanes - wave * l->wave_lanes;
   uint32_t mask = UINT32_MAX;

   if (rest < 32)
      mask = (UINT32_C(1) << rest) - 1;
   if (l->wave_lanes < 32)
      mask &= (UINT32_C(1) << l->wave_lanes) - 1;
   if (l->from->active)
      mask &= (uint32_t)l->from->active->word[0];
   l->num_waves += mask != 0;
   return mask;
}

bool
hd_mach_launch_groups(hd_mach_launch *l, bool (*run)(hd_mach_launch *l, const uint32_t group[3]))
{
   uint32_t group[3];

   for (group[2] = 0; group[2] < l->groups[2]; group[2]++) {
      for (group[1] = 0; group[1] < l->groups[1]; group[1]++) {
         for (group[0] = 0; group[0] < l->groups[0]; group[0]++) {
            if (!run(l, group))
               return false;
         }
      }
   }
   return true;
}
