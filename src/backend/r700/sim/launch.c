/* SPDX-License-Identifier: MIT */
/* launch.c - a dispatch: memory layout, and initial registers of waves. */
#include <inttypes.h>
#include <string.h>

#include "backend/r700/sim/sim.h"
#include "machine/sim/launch.h"

/* What a workgroup may have at most. */
#define MAX_WAVES 16u

typedef struct launching {
   hd_mach_launch base;
   r700_sim sim;
   const hd_r700_binary *binary;
   r700_buffer *buffers;
   uint64_t scratch_size; /* bytes of a wave */
} launching;

/* Two bindings may name the same memory. */
static bool
place_buffer(hd_mach_launch *base, uint32_t number, const hd_wave_memory *memory)
{
   launching *l = (launching *)base;
   r700_buffer *row = &l->buffers[number];

   row->size = (uint32_t)memory->size;
   return !memory->data || hd_mach_launch_place(&l->base, memory, false, &row->address);
}

/* Bytes as a constant buffer: dwords of the host. */
static void
lock(launching *l, unsigned bank, const hd_wave_memory *memory)
{
   const size_t num = (size_t)(memory->size / 4) + 1;
   uint32_t *dwords = hd_stack_alloc_zero(l->base.stack, num * sizeof(*dwords));

   for (uint64_t n = 0; n < memory->size; n++)
      dwords[n / 4] |= (uint32_t)((const uint8_t *)memory->data)[n] << (8 * (n % 4));
   l->sim.constants[bank] = dwords;
   l->sim.num_constants[bank] = num;
}

static bool
place_arguments(launching *l, uint32_t *address)
{
   hd_wave_memory all;

   if (!hd_mach_launch_arguments(&l->base, &all))
      return false;
   lock(l, 1, &all);
   return hd_mach_launch_place(&l->base, &all, true, address);
}

static bool
place_shared(launching *l, hd_r700_launch *block)
{
   const uint64_t groups = (uint64_t)l->base.groups[0] * l->base.groups[1] * l->base.groups[2];
   const uint64_t size = groups * l->binary->shared_size;
   const hd_wave_memory shared = { hd_stack_alloc_zero(l->base.stack, size + 1), NULL, size };
   const hd_wave_memory discard = { hd_stack_alloc_zero(l->base.stack, 16), NULL, 16 };

   return hd_mach_launch_place(&l->base, &shared, false, &block->shared) &&
          hd_mach_launch_place(&l->base, &discard, false, &block->discard);
}

/* The launch and, behind it, the buffers are dwords of the host. */
static bool
place_launch(launching *l)
{
   const size_t num = sizeof(hd_r700_launch) / 4 + 2 * (size_t)l->binary->num_buffers;
   uint32_t *dwords = hd_stack_alloc_zero(l->base.stack, num * sizeof(*dwords));
   r700_buffer *buffers =
       hd_stack_alloc_zero(l->base.stack, (l->binary->num_buffers + 1) * sizeof(*buffers));
   const hd_wave_memory constants = { (void *)l->binary->constants, NULL,
                                      l->binary->constants_size };
   l->buffers = buffers;
   hd_r700_launch block = { .work_dim =
                                hd_mach_work_dim(l->base.from, l->base.groups, l->base.size) };

   memcpy(block.num_workgroups, l->base.groups, sizeof(l->base.groups));
   memcpy(block.workgroup_size, l->base.size, sizeof(l->base.size));
   memcpy(block.global_offset, l->base.from->global_offset, sizeof(block.global_offset));
   if (!hd_mach_launch_regions(&l->base) ||
       !hd_mach_launch_buffers(&l->base, l->binary->bindings, l->binary->num_bindings,
                               place_buffer) ||
       !hd_mach_launch_place(&l->base, &l->base.from->push, true, &block.push) ||
       !place_arguments(l, &block.kernarg) ||
       !hd_mach_launch_place(&l->base, &constants, true, &block.constants) ||
       !place_shared(l, &block))
      return false;
   lock(l, 2, &l->base.from->push);
   memcpy(dwords, &block, sizeof(block));
   for (uint32_t n = 0; n < l->binary->num_buffers; n++) {
      dwords[sizeof(block) / 4 + 2 * n] = buffers[n].address;
      dwords[sizeof(block) / 4 + 2 * n + 1] = buffers[n].size;
   }
   l->sim.constants[0] = dwords;
   l->sim.num_constants[0] = num;
   l->sim.buffers = buffers;
   l->sim.num_buffers = l->binary->num_buffers;
   return true;
}

static void
load_code(launching *l)
{
   const uint32_t num = l->binary->code_size / 8;
   uint64_t *words = hd_stack_alloc_zero(l->base.stack, (num + 1) * sizeof(*words));

   for (uint32_t n = 0; n < num; n++)
      words[n] = hd_r700_word_at(l->binary->code, n);
   l->sim.words = words;
   l->sim.num_words = num;
   l->sim.stack_size = l->binary->stack_size;
   l->sim.num_gprs = l->binary->num_gprs;
   l->sim.quads = l->binary->scratch_quads;
   l->scratch_size = 16 * (uint64_t)l->sim.quads * HD_R700_LANES;
   l->sim.scratch = hd_stack_alloc_zero(l->base.stack, l->scratch_size + 1);
}

/* Registers without an initial value hold what is easily noticed. */
static void
start_wave(launching *l, uint32_t wave, const uint32_t group[3])
{
   r700_wave *w = l->sim.wave;
   const uint32_t first = wave * HD_R700_LANES, rest = l->base.lanes - first;

   memset(w, 0xa5, sizeof(*w));
   w->active = rest < HD_R700_LANES ? (UINT64_C(1) << rest) - 1 : UINT64_MAX;
   if (l->base.from->active)
      w->active &= l->base.from->active->word[0];
   w->predicate = 0;
   w->num_elements = w->size = w->num_pushes = w->pc = 0;
   w->done = !w->active;
   for (unsigned lane = 0; lane < HD_R700_LANES; lane++) {
      w->gpr[0][0][lane] = first + lane;
      w->gpr[0][1][lane] = wave;
      for (unsigned n = 0; n < 3; n++)
         w->gpr[1][n][lane] = group[n];
   }
   memset(l->sim.scratch, 0, l->scratch_size);
}

static bool
run_group(hd_mach_launch *base, const uint32_t group[3])
{
   launching *l = (launching *)base;

   for (l->sim.wave_number = 0; l->sim.wave_number < base->waves; l->sim.wave_number++) {
      start_wave(l, l->sim.wave_number, group);
      if (!hd_r700_sim_run(&l->sim))
         return false;
   }
   l->sim.workgroup++;
   return true;
}

static void
run(hd_mach_launch *base)
{
   launching *l = (launching *)base;

   l->sim.sink = base->sink;
   base->memory = &l->sim.memory;
   l->sim.stack = l->sim.memory.stack = base->stack;
   load_code(l);
   if (!hd_mach_launch_measure(base, HD_R700_LANES, l->binary->one_wave ? 1 : MAX_WAVES))
      return;
   l->sim.wave = hd_stack_alloc_zero(base->stack, sizeof(*l->sim.wave));
   if (place_launch(l))
      hd_mach_launch_groups(base, run_group);
}

hd_result
hd_r700_sim_run_wave(const hd_r700_binary *binary, const hd_shader *shader,
                     const hd_wave_launch *launch, const hd_r700_sim_options *options,
                     hd_r700_sim_stats *stats)
{
   static const hd_r700_sim_options none;
   launching l = { .base = { .shader = shader, .from = launch }, .binary = binary };

   l.sim.options = options ? options : &none;
   const hd_result result = hd_mach_launch_run(&l.base, &l.sim.options->diag, run);
   if (stats)
      *stats = l.sim.stats;
   return result != HD_OK ? result : l.sim.result;
}
