/* SPDX-License-Identifier: MIT */
/* launch.c - a dispatch: surfaces and memory, initial registers of threads. */
#include <inttypes.h>
#include <string.h>

#include "backend/gen9/sim/sim.h"
#include "heddle/gen9_sim.h"
#include "machine/sim/dispatch.h"
#include "machine/sim/launch.h"
#include "util/bytes.h"

#define MAX_THREADS 64u
#define NUM_GRFS    9u /* of the payload */

typedef struct launching {
   hd_mach_launch base;
   gen9_sim sim;
   const hd_gen9_binary *binary;
   hd_wave_memory words;   /* a hd_gen9_launch, and the sizes of buffers after it */
   hd_wave_memory payload; /* arguments or push constants */
} launching;

static void
place(launching *l, unsigned surface, const hd_wave_memory *memory, bool read_only)
{
   gen9_memory *m = hd_stack_alloc_zero(l->base.stack, sizeof(*m));

   m->data = memory->data;
   m->undefined = memory->undefined;
   m->size = memory->size;
   m->read_only = read_only;
   l->sim.surfaces[surface] = m;
}

/* Regions of global memory, ascending. */
static bool
place_regions(launching *l)
{
   const uint32_t num = l->base.from->num_regions;

   gen9_memory *regions = hd_stack_alloc_zero(l->base.stack, (num + 1) * sizeof(*regions));
   for (uint32_t n = 0; n < num; n++) {
      const hd_wave_region *r = &l->base.from->regions[n];
      uint32_t at = n;
      for (; at && regions[at - 1].address > r->address; at--)
         regions[at] = regions[at - 1];
      regions[at] = (gen9_memory){ .address = r->address,
                                   .data = r->memory.data,
                                   .undefined = r->memory.undefined,
                                   .size = r->memory.size };
   }
   for (uint32_t n = 1; n < num; n++) {
      if (regions[n].address - regions[n - 1].address < regions[n - 1].size)
         return hd_mach_launch_refuse(
             &l->base, "memory at address 0x%" PRIx64 " overlaps other memory", regions[n].address);
   }
   l->sim.regions = regions;
   l->sim.num_regions = num;
   return true;
}

static bool
place_buffer(hd_mach_launch *base, uint32_t number, const hd_wave_memory *memory)
{
   launching *l = (launching *)base;

   place(l, HD_GEN9_SURFACE_BUFFERS + number, memory, false);
   hd_mach_memory_put(l->words, sizeof(hd_gen9_launch) + 4 * number, 4, memory->size);
   return true;
}

static bool
place_launch(launching *l)
{
   const hd_wave_memory words = hd_mach_memory_bytes(
       l->base.stack, sizeof(hd_gen9_launch) + 4 * (uint64_t)l->binary->num_buffers, false);
   const hd_wave_memory constants = { (void *)l->binary->constants, NULL,
                                      l->binary->constants_size };
   hd_wave_memory arguments;

   l->words = words;
   for (unsigned n = 0; n < 3; n++) {
      hd_mach_memory_put(words, offsetof(hd_gen9_launch, num_workgroups) + 4 * n, 4,
                         l->base.groups[n]);
      hd_mach_memory_put(words, offsetof(hd_gen9_launch, workgroup_size) + 4 * n, 4,
                         l->base.size[n]);
      hd_mach_memory_put(words, offsetof(hd_gen9_launch, global_offset) + 4 * n, 4,
                         l->base.from->global_offset[n]);
   }
   hd_mach_memory_put(words, offsetof(hd_gen9_launch, work_dim), 4,
                      hd_mach_work_dim(l->base.from, l->base.groups, l->base.size));
   place(l, HD_GEN9_SURFACE_LAUNCH, &words, true);
   place(l, HD_GEN9_SURFACE_PUSH, &l->base.from->push, true);
   place(l, HD_GEN9_SURFACE_CONSTANTS, &constants, true);
   if (!hd_mach_launch_arguments(&l->base, &arguments))
      return false;
   place(l, HD_GEN9_SURFACE_KERNARG, &arguments, true);
   l->payload = l->base.shader->stage == HD_STAGE_KERNEL ? arguments : l->base.from->push;
   return place_regions(l) && hd_mach_launch_buffers(&l->base, l->binary->bindings,
                                                     l->binary->num_bindings, place_buffer);
}

static void
place_group(launching *l)
{
   const uint64_t scratch = (uint64_t)l->sim.num_threads * l->binary->scratch_size;
   const hd_wave_memory memory = hd_mach_memory_bytes(l->base.stack, scratch + 1, false);

   place(l, HD_GEN9_SURFACE_SCRATCH, &memory, false);
   l->sim.shared.data = hd_stack_alloc_zero(l->base.stack, (size_t)l->binary->shared_size + 1);
   l->sim.shared.size = l->binary->shared_size;
}

static void
start_thread(launching *l, uint32_t wave, const uint32_t group[3])
{
   uint8_t grf[NUM_GRFS * HD_GEN9_GRF_BYTES] = { 0 };
   const uint32_t lanes = l->binary->lanes, first = wave * lanes;
   const unsigned size = lanes == 16 ? 2 : 4; /* of a number */
   const uint32_t mask = hd_mach_launch_mask(&l->base, wave);

   put_number(&grf[4], 4, group[0]);
   put_number(&grf[24], 4, group[1]);
   put_number(&grf[28], 4, group[2]);
   for (unsigned lane = 0; lane < lanes; lane++)
      put_number(&grf[HD_GEN9_GRF_BYTES + size * lane], size, first + lane);
   put_number(&grf[2 * HD_GEN9_GRF_BYTES], 4, wave);
   put_number(&grf[2 * HD_GEN9_GRF_BYTES + 4], 4, wave * l->binary->scratch_size);
   uint8_t *given = &grf[4 * HD_GEN9_GRF_BYTES];
   memcpy(given, l->words.data, sizeof(hd_gen9_launch));
   if (l->payload.size)
      memcpy(given + sizeof(hd_gen9_launch), l->payload.data,
             l->payload.size < HD_GEN9_PAYLOAD_BYTES ? l->payload.size : HD_GEN9_PAYLOAD_BYTES);
   const gen9_start start = { grf, NUM_GRFS, mask };
   hd_gen9_sim_start(&l->sim, wave, &start);
}

static bool
run_group(hd_mach_launch *base, const uint32_t group[3])
{
   launching *l = (launching *)base;
   const gen9_memory *scratch = l->sim.surfaces[HD_GEN9_SURFACE_SCRATCH];

   memset(l->sim.shared.data, 0, l->sim.shared.size);
   memset(scratch->data, 0, scratch->size);
   for (uint32_t wave = 0; wave < l->sim.num_threads; wave++)
      start_thread(l, wave, group);
   if (!hd_gen9_sim_run(&l->sim))
      return false;
   l->sim.workgroup++;
   return true;
}

static void
run(hd_mach_launch *base)
{
   launching *l = (launching *)base;

   l->sim.sink = base->sink;
   hd_gen9_sim_load(&l->sim, base->stack, l->binary->code, l->binary->code_size);
   if (!hd_mach_launch_measure(base, l->binary->lanes, MAX_THREADS))
      return;
   l->sim.num_threads = base->waves;
   l->sim.threads = hd_stack_alloc_zero(base->stack, base->waves * sizeof(gen9_thread));
   if (!place_launch(l))
      return;
   place_group(l);
   hd_mach_launch_groups(base, run_group);
}

hd_result
hd_gen9_sim_run_wave(const hd_gen9_binary *binary, const hd_shader *shader,
                     const hd_wave_launch *launch, const hd_gen9_sim_options *options,
                     hd_gen9_sim_stats *stats)
{
   static const hd_gen9_sim_options none;
   launching l = { .base = { .shader = shader, .from = launch }, .binary = binary };

   if (!options)
      options = &none;
   l.sim.seed = l.sim.random = options->seed;
   l.sim.max_steps = options->max_steps;
   l.sim.user = options->user;
   l.sim.trace = options->trace;
   l.sim.wrote = options->wrote;
   l.sim.stored = options->stored;
   l.sim.channel = -1;
   const hd_result result = hd_mach_launch_run(&l.base, &options->diag, run);
   if (stats)
      *stats = (hd_gen9_sim_stats){ l.base.num_waves, l.sim.stats.instructions,
                                    l.sim.stats.branches, l.sim.stats.messages };
   return result != HD_OK ? result : l.sim.result;
}
