/* SPDX-License-Identifier: MIT */
/* launch.c - a dispatch: surfaces and memory, initial registers of threads. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/gen9/sim/sim.h"
#include "machine/sim/dispatch.h"
#include "util/bytes.h"
#include "util/quote.h"

#define MAX_THREADS 64u
#define NUM_GRFS    3u /* of the payload */

typedef struct launching {
   gen9_sim sim;
   hd_stack *stack;
   const hd_gen9_binary *binary;
   const hd_shader *shader;
   const hd_wave_launch *launch;
   uint32_t groups[3], size[3];
   uint32_t lanes; /* of a workgroup */
   gen9_memory *regions;
   uint64_t waves;
} launching;

static bool HD_PRINTF(2, 3) refuse(launching *l, const char *format, ...)
{
   char message[160];
   va_list args;

   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   const hd_diag diag = { .severity = HD_ERROR, .message = message };
   hd_diag_send(l->sim.sink, &diag);
   l->sim.result = HD_UNSUPPORTED;
   return false;
}

static void
place(launching *l, unsigned surface, const hd_wave_memory *memory, bool read_only)
{
   gen9_memory *m = hd_stack_alloc_zero(l->stack, sizeof(*m));

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
   const uint32_t num = l->launch->num_regions;

   l->regions = hd_stack_alloc_zero(l->stack, (num + 1) * sizeof(*l->regions));
   for (uint32_t n = 0; n < num; n++) {
      const hd_wave_region *r = &l->launch->regions[n];
      uint32_t at = n;
      for (; at && l->regions[at - 1].address > r->address; at--)
         l->regions[at] = l->regions[at - 1];
      l->regions[at] = (gen9_memory){ .address = r->address,
                                      .data = r->memory.data,
                                      .undefined = r->memory.undefined,
                                      .size = r->memory.size };
   }
   for (uint32_t n = 1; n < num; n++) {
      if (l->regions[n].address - l->regions[n - 1].address < l->regions[n - 1].size)
         return refuse(l, "memory at address 0x%" PRIx64 " overlaps other memory",
                       l->regions[n].address);
   }
   l->sim.regions = l->regions;
   l->sim.num_regions = num;
   return true;
}

static const hd_wave_buffer *
buffer_of(const launching *l, const hd_buffer_binding *b, uint32_t element)
{
   for (uint32_t n = 0; n < l->launch->num_buffers; n++) {
      const hd_wave_buffer *buffer = &l->launch->buffers[n];
      if (buffer->set == b->set && buffer->binding == b->binding && buffer->array_index == element)
         return buffer;
   }
   return NULL;
}

/* What the launch does not have is a buffer of no bytes. */
static bool
place_buffers(launching *l, hd_wave_memory launch)
{
   static const hd_wave_memory none;

   for (uint32_t n = 0; n < l->binary->num_bindings; n++) {
      const hd_buffer_binding *b = &l->binary->bindings[n];
      for (uint32_t e = 0; e < b->num; e++) {
         const hd_wave_buffer *buffer = buffer_of(l, b, e);
         if (buffer && buffer->memory.size >> 32)
            return refuse(l, "a buffer has more than 4 GiB");
         place(l, HD_GEN9_SURFACE_BUFFERS + b->first + e, buffer ? &buffer->memory : &none, false);
         hd_mach_memory_put(launch, sizeof(hd_gen9_launch) + 4 * (b->first + e), 4,
                            buffer ? buffer->memory.size : 0);
      }
   }
   return true;
}

/* What load_kernarg reads, and behind it the parameters of the entry. */
static bool
place_arguments(launching *l)
{
   const hd_function *entry = l->shader->first_function;
   hd_wave_memory all = l->launch->kernarg;
   uint32_t wanted;

   if (entry && entry->num_params) {
      all = hd_mach_arguments(l->stack, l->shader, l->launch, 1, &wanted);
      if (!all.data)
         return refuse(l, "%" PRIu32 " components of parameters are wanted, %" PRIu32 " are given",
                       wanted, l->launch->num_params);
   }
   place(l, HD_GEN9_SURFACE_KERNARG, &all, true);
   return true;
}

static bool
place_launch(launching *l)
{
   const hd_wave_memory words = hd_mach_memory_bytes(
       l->stack, sizeof(hd_gen9_launch) + 4 * (uint64_t)l->binary->num_buffers, false);
   const hd_wave_memory constants = { (void *)l->binary->constants, NULL,
                                      l->binary->constants_size };

   for (unsigned n = 0; n < 3; n++) {
      hd_mach_memory_put(words, offsetof(hd_gen9_launch, num_workgroups) + 4 * n, 4, l->groups[n]);
      hd_mach_memory_put(words, offsetof(hd_gen9_launch, workgroup_size) + 4 * n, 4, l->size[n]);
      hd_mach_memory_put(words, offsetof(hd_gen9_launch, global_offset) + 4 * n, 4,
                         l->launch->global_offset[n]);
   }
   hd_mach_memory_put(words, offsetof(hd_gen9_launch, work_dim), 4,
                      hd_mach_work_dim(l->launch, l->groups, l->size));
   place(l, HD_GEN9_SURFACE_LAUNCH, &words, true);
   place(l, HD_GEN9_SURFACE_PUSH, &l->launch->push, true);
   place(l, HD_GEN9_SURFACE_CONSTANTS, &constants, true);
   return place_arguments(l) && place_regions(l) && place_buffers(l, words);
}

static void
place_group(launching *l)
{
   const uint64_t scratch = (uint64_t)l->sim.num_threads * l->binary->scratch_size;
   const hd_wave_memory memory = hd_mach_memory_bytes(l->stack, scratch + 1, false);

   place(l, HD_GEN9_SURFACE_SCRATCH, &memory, false);
   l->sim.shared.data = hd_stack_alloc_zero(l->stack, (size_t)l->binary->shared_size + 1);
   l->sim.shared.size = l->binary->shared_size;
}

static bool
look_at(launching *l)
{
   const hd_wave_launch *launch = l->launch;
   uint64_t lanes = 1;

   if (launch->num_images || launch->inputs.size || launch->outputs.size)
      return refuse(l, "the launch has what the code cannot be given");
   if (launch->lanes && launch->lanes != HD_GEN9_LANES)
      return refuse(l, "a wave has %u lanes, not %" PRIu32, HD_GEN9_LANES, launch->lanes);
   for (unsigned n = 0; n < 3; n++) {
      const uint32_t fixed = l->shader->workgroup_size[n], given = launch->workgroup_size[n];
      l->groups[n] = launch->num_workgroups[n] ? launch->num_workgroups[n] : 1;
      l->size[n] = fixed ? fixed : given ? given : 1;
      lanes = lanes * l->size[n] > UINT32_MAX ? UINT32_MAX : lanes * l->size[n];
   }
   if (lanes > MAX_THREADS * HD_GEN9_LANES)
      return refuse(l, "a workgroup has %u lanes at most, not %" PRIu64,
                    MAX_THREADS * HD_GEN9_LANES, lanes);
   l->lanes = (uint32_t)lanes;
   l->sim.num_threads = (l->lanes + HD_GEN9_LANES - 1) / HD_GEN9_LANES;
   l->sim.threads = hd_stack_alloc_zero(l->stack, l->sim.num_threads * sizeof(gen9_thread));
   return true;
}

static void
start_thread(launching *l, uint32_t wave, const uint32_t group[3])
{
   uint8_t grf[NUM_GRFS * HD_GEN9_GRF_BYTES] = { 0 };
   const uint32_t first = wave * HD_GEN9_LANES, rest = l->lanes - first;
   uint32_t mask = rest < HD_GEN9_LANES ? (1u << rest) - 1 : (1u << HD_GEN9_LANES) - 1;

   if (l->launch->active)
      mask &= (uint32_t)l->launch->active->word[0];
   put_number(&grf[4], 4, group[0]);
   put_number(&grf[24], 4, group[1]);
   put_number(&grf[28], 4, group[2]);
   for (unsigned lane = 0; lane < HD_GEN9_LANES; lane++)
      put_number(&grf[HD_GEN9_GRF_BYTES + 4 * lane], 4, first + lane);
   put_number(&grf[2 * HD_GEN9_GRF_BYTES], 4, wave);
   put_number(&grf[2 * HD_GEN9_GRF_BYTES + 4], 4, wave * l->binary->scratch_size);
   const gen9_start start = { grf, NUM_GRFS, mask };
   hd_gen9_sim_start(&l->sim, wave, &start);
   l->waves += mask != 0;
}

static bool
run_groups(launching *l)
{
   uint32_t group[3];

   for (group[2] = 0; group[2] < l->groups[2]; group[2]++) {
      for (group[1] = 0; group[1] < l->groups[1]; group[1]++) {
         for (group[0] = 0; group[0] < l->groups[0]; group[0]++) {
            const gen9_memory *scratch = l->sim.surfaces[HD_GEN9_SURFACE_SCRATCH];
            memset(l->sim.shared.data, 0, l->sim.shared.size);
            memset(scratch->data, 0, scratch->size);
            for (uint32_t wave = 0; wave < l->sim.num_threads; wave++)
               start_thread(l, wave, group);
            if (!hd_gen9_sim_run(&l->sim))
               return false;
            l->sim.workgroup++;
         }
      }
   }
   return true;
}

hd_result
hd_gen9_sim_run_wave(const hd_gen9_binary *binary, const hd_shader *shader,
                     const hd_wave_launch *launch, const hd_gen9_sim_options *options,
                     hd_gen9_sim_stats *stats)
{
   static const hd_gen9_sim_options none;
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;

   if (!options)
      options = &none;
   hd_heap_init(&heap, hd_shader_config(shader));
   hd_stack_init(&stack, &heap);
   launching l = { .stack = &stack, .binary = binary, .shader = shader, .launch = launch };
   l.sim.sink = options->diag.report ? &options->diag : &hd_shader_config(shader)->diag;
   l.sim.seed = l.sim.random = options->seed;
   l.sim.max_steps = options->max_steps;
   l.sim.user = options->user;
   l.sim.trace = options->trace;
   l.sim.wrote = options->wrote;
   l.sim.stored = options->stored;
   l.sim.channel = -1;
   if (HD_TRY(&heap, &u)) {
      hd_gen9_sim_load(&l.sim, &stack, binary->code, binary->code_size);
      if (look_at(&l) && place_launch(&l)) {
         place_group(&l);
         run_groups(&l);
      }
   }
   const hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   if (stats)
      *stats = (hd_gen9_sim_stats){ l.waves, l.sim.stats.instructions, l.sim.stats.branches,
                                    l.sim.stats.messages };
   return result != HD_OK ? result : l.sim.result;
}
