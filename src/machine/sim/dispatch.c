/* SPDX-License-Identifier: MIT */
/* dispatch.c - simulators: arguments of a launch, and the round-robin scheduling of waves. */
#include "machine/sim/dispatch.h"

#include "machine/params.h"

/* Arguments */

static uint32_t
measure(const hd_shader *shader, uint32_t *end)
{
   uint32_t components = 0;

   *end = shader->kernarg_size;
   hd_foreach_instr(i, hd_function_start(shader->first_function)) {
      if (i->kind != HD_INSTR_PARAM)
         continue;
      hd_mach_param_place(end, i->def.num_components, i->def.bit_size);
      components += i->def.num_components;
   }
   return components;
}

static void
put_params(const hd_shader *shader, const hd_wave_launch *launch, hd_wave_memory to)
{
   uint32_t end = shader->kernarg_size, components = 0;

   hd_foreach_instr(i, hd_function_start(shader->first_function)) {
      if (i->kind != HD_INSTR_PARAM)
         continue;
      const unsigned bytes = i->def.bit_size == 1 ? 1 : i->def.bit_size / 8u;
      const uint32_t offset = hd_mach_param_place(&end, i->def.num_components, i->def.bit_size);
      for (unsigned c = 0; c < i->def.num_components; c++)
         hd_mach_memory_put(to, offset + c * bytes, bytes, launch->params[components++].u64);
   }
}

hd_wave_memory
hd_mach_arguments(hd_stack *stack, const hd_shader *shader, const hd_wave_launch *launch,
                  unsigned unit, uint32_t *wanted)
{
   const hd_wave_memory *given = &launch->kernarg;
   uint32_t end;

   *wanted = measure(shader, &end);
   if (*wanted != launch->num_params)
      return (hd_wave_memory){ 0 };
   const uint64_t size = (given->size > end ? given->size : end) + unit - 1;
   const hd_wave_memory all = hd_mach_memory_bytes(stack, size - size % unit, true);
   for (uint64_t n = 0; n < given->size; n++) {
      if (!given->undefined || !given->undefined[n])
         hd_mach_memory_put(all, n, 1, ((const uint8_t *)given->data)[n]);
   }
   put_params(shader, launch, all);
   return all;
}

uint32_t
hd_mach_work_dim(const hd_wave_launch *launch, const uint32_t num_workgroups[3],
                 const uint32_t workgroup_size[3])
{
   uint32_t dim = 3;

   if (launch->work_dim)
      return launch->work_dim;
   while (dim > 1 && num_workgroups[dim - 1] <= 1 && workgroup_size[dim - 1] <= 1)
      dim--;
   return dim;
}

/* Turns */

void
hd_mach_turns_seed(hd_mach_turns *t, uint64_t seed)
{
   t->seed = seed;
   t->random = seed * UINT64_C(0x9e3779b97f4a7c15) | 1;
}

static uint64_t
next_random(hd_mach_turns *t)
{
   t->random ^= t->random << 13;
   t->random ^= t->random >> 7;
   t->random ^= t->random << 17;
   return t->random;
}

/* One that is ready: any, or the first after `last`. num_waves: none is. */
static uint32_t
choose(hd_mach_turns *t, uint32_t last)
{
   uint32_t num = 0;

   for (uint32_t n = 0; n < t->num_waves; n++)
      num += t->is_ready(t->user, n);
   if (!num)
      return t->num_waves;
   uint32_t skip = t->seed ? (uint32_t)(next_random(t) % num) : 0;
   for (uint32_t n = t->seed ? 0 : last + 1;; n++) {
      if (t->is_ready(t->user, n % t->num_waves) && skip-- == 0)
         return n % t->num_waves;
   }
}

bool
hd_mach_turns_run(hd_mach_turns *t)
{
   const uint64_t turn = t->turn ? t->turn : UINT64_MAX;
   uint32_t wave = t->num_waves - 1;

   for (;;) {
      const uint32_t next = choose(t, wave);
      if (next == t->num_waves) {
         if (!t->open_barrier || !t->open_barrier(t->user))
            return true;
         continue;
      }
      wave = next;
      if (!t->run(t->user, wave, t->seed ? next_random(t) % 16 + 1 : turn))
         return false;
   }
}
