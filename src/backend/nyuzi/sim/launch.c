/* SPDX-License-Identifier: MIT */
/* launch.c - a dispatch: memory layout, initial registers of threads. */
#include <inttypes.h>
#include <string.h>

#include "backend/nyuzi/sim/sim.h"
#include "machine/sim/launch.h"
#include "util/bytes.h"

/* Numbers of threads are bits of a control register. */
#define MAX_THREADS 32u

typedef struct launching {
   hd_mach_launch base;
   sim sim;
   const hd_nyuzi_binary *binary;
   uint32_t *table; /* address and size of each buffer */
   uint32_t launch_address, shared_address, scratch_address;
   uint8_t *shared, *scratch;
   uint64_t shared_bytes, scratch_bytes; /* of a workgroup */
} launching;

/* Two bindings may name the same memory. */
static bool
place_buffer(hd_mach_launch *base, uint32_t number, const hd_wave_memory *memory)
{
   launching *l = (launching *)base;
   uint32_t *row = &l->table[2 * number];

   row[1] = (uint32_t)memory->size;
   return !memory->data || hd_mach_launch_place(&l->base, memory, false, row);
}

/* As the machine reads them, on any host. */
static void
make_little_endian(void *data, size_t num_words)
{
   for (size_t n = 0; n < num_words; n++) {
      uint8_t *bytes = (uint8_t *)data + 4 * n;
      uint32_t word;
      memcpy(&word, bytes, 4);
      for (unsigned k = 0; k < 4; k++)
         bytes[k] = (uint8_t)(word >> (8 * k));
   }
}

static bool
place_launch(launching *l)
{
   hd_nyuzi_launch *block = hd_stack_alloc_zero(l->base.stack, sizeof(*block));
   const size_t table_size = 8 * (size_t)l->binary->num_buffers;
   uint32_t *table = hd_stack_alloc_zero(l->base.stack, table_size + 8);
   hd_wave_memory arguments;
   const hd_wave_memory constants = { (void *)l->binary->constants, NULL,
                                      l->binary->constants_size };

   l->table = table;
   memcpy(block->num_workgroups, l->base.groups, sizeof(l->base.groups));
   memcpy(block->workgroup_size, l->base.size, sizeof(l->base.size));
   memcpy(block->global_offset, l->base.from->global_offset, sizeof(block->global_offset));
   block->work_dim = hd_mach_work_dim(l->base.from, l->base.groups, l->base.size);
   const hd_wave_memory words = { block, NULL, sizeof(*block) }, rows = { table, NULL, table_size };
   if (!hd_mach_launch_regions(&l->base) ||
       !hd_mach_launch_buffers(&l->base, l->binary->bindings, l->binary->num_bindings,
                               place_buffer) ||
       !hd_mach_launch_place(&l->base, &l->base.from->push, true, &block->push) ||
       !hd_mach_launch_arguments(&l->base, &arguments) ||
       !hd_mach_launch_place(&l->base, &arguments, true, &block->kernarg) ||
       !hd_mach_launch_place(&l->base, &constants, true, &block->constants) ||
       !hd_mach_launch_place(&l->base, &rows, true, &block->buffers) ||
       !hd_mach_launch_place(&l->base, &words, true, &l->launch_address))
      return false;
   make_little_endian(block, sizeof(*block) / 4);
   make_little_endian(table, table_size / 4);
   return true;
}

static bool
place_group(launching *l)
{
   const uint64_t waves = l->sim.num_threads;

   l->shared_bytes = HD_NYUZI_BARRIER_BYTES + (uint64_t)l->binary->shared_size;
   l->scratch_bytes = waves * l->binary->scratch_size;
   l->shared = hd_stack_alloc_zero(l->base.stack, l->shared_bytes);
   l->scratch = hd_stack_alloc_zero(l->base.stack, l->scratch_bytes + 1);
   /* The counters of barriers end where the memory of the workgroup begins. */
   const hd_wave_memory shared = { l->shared, NULL, l->shared_bytes };
   const hd_wave_memory scratch = { l->scratch, NULL, l->scratch_bytes };
   return hd_mach_launch_place(&l->base, &shared, false, &l->shared_address) &&
          hd_mach_launch_place(&l->base, &scratch, false, &l->scratch_address);
}

static void
decode(launching *l)
{
   const uint32_t num = l->binary->code_words;
   const uint8_t *bytes = (const uint8_t *)(const void *)l->binary->code;
   hd_nyuzi_word *insts = hd_stack_alloc_zero(l->base.stack, (num + 1) * sizeof(*insts));
   uint32_t *words = hd_stack_alloc_zero(l->base.stack, (num + 1) * sizeof(*words));

   for (uint32_t n = 0; n < num; n++) {
      words[n] = (uint32_t)get_number(bytes + 4 * (size_t)n, 4);
      if (hd_nyuzi_decode(words[n], &insts[n]))
         insts[n].op = HD_MACH_OP_NONE;
   }
   l->sim.code = words;
   l->sim.insts = insts;
   l->sim.num_words = num;
}

/* Uninitialised registers hold a recognisable pattern. */
static void
start_thread(launching *l, uint32_t wave, const uint32_t group[3])
{
   sim_thread *t = &l->sim.threads[wave];
   const uint32_t mask = hd_mach_launch_mask(&l->base, wave);

   memset(t, 0xa5, sizeof(*t));
   t->pc = 0;
   t->has_link = t->done = false;
   t->done = !mask;
   t->s[0] = mask;
   t->s[1] = l->launch_address;
   for (unsigned n = 0; n < 3; n++)
      t->s[2 + n] = group[n];
   t->s[5] = wave;
   t->s[6] = l->shared_address + HD_NYUZI_BARRIER_BYTES;
   t->s[30] = l->scratch_address + wave * l->binary->scratch_size;
   for (unsigned lane = 0; lane < HD_NYUZI_LANES; lane++)
      t->v[0][lane] = wave * HD_NYUZI_LANES + lane;
}

/* Threads that have lanes: those are waited for. */
static uint8_t
started(const launching *l)
{
   uint8_t num = 0;

   for (uint32_t n = 0; n < l->sim.num_threads; n++)
      num += !l->sim.threads[n].done;
   return num;
}

static bool
run_group(hd_mach_launch *base, const uint32_t group[3])
{
   launching *l = (launching *)base;

   memset(l->shared, 0, l->shared_bytes);
   memset(l->scratch, 0, l->scratch_bytes);
   for (uint32_t wave = 0; wave < l->sim.num_threads; wave++)
      start_thread(l, wave, group);
   l->shared[2] = started(l); /* in the upper half of the first word */
   if (!hd_nyuzi_sim_run(&l->sim))
      return false;
   l->sim.workgroup++;
   return true;
}

static void
run(hd_mach_launch *base)
{
   launching *l = (launching *)base;

   l->sim.sink = base->sink;
   base->memory = &l->sim.memory;
   l->sim.memory.stack = base->stack;
   decode(l);
   if (!hd_mach_launch_measure(base, HD_NYUZI_LANES, MAX_THREADS))
      return;
   l->sim.num_threads = base->waves;
   l->sim.threads = hd_stack_alloc_zero(base->stack, base->waves * sizeof(sim_thread));
   if (place_launch(l) && place_group(l))
      hd_mach_launch_groups(base, run_group);
}

hd_result
hd_nyuzi_sim_run_wave(const hd_nyuzi_binary *binary, const hd_shader *shader,
                      const hd_wave_launch *launch, const hd_nyuzi_sim_options *options,
                      hd_nyuzi_sim_stats *stats)
{
   static const hd_nyuzi_sim_options none;
   launching l = { .base = { .shader = shader, .from = launch }, .binary = binary };

   l.sim.options = options ? options : &none;
   hd_mach_turns_seed(&l.sim.turns, l.sim.options->seed);
   l.sim.lane = -1;
   const hd_result result = hd_mach_launch_run(&l.base, &l.sim.options->diag, run);
   l.sim.stats.waves = l.base.num_waves;
   if (stats)
      *stats = l.sim.stats;
   return result != HD_OK ? result : l.sim.result;
}
