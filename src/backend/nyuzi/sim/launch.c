/* SPDX-License-Identifier: MIT */
/* launch.c - a dispatch: memory layout, initial registers of threads. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/nyuzi/sim/sim.h"
#include "util/quote.h"

/* Numbers of threads are bits of a control register. */
#define MAX_THREADS 32u

typedef struct launching {
   sim sim;
   hd_stack *stack;
   const hd_nyuzi_binary *binary;
   const hd_shader *shader;
   const hd_wave_launch *launch;
   uint32_t groups[3], size[3];
   uint32_t lanes; /* of a workgroup */
   uint32_t launch_address, shared_address, scratch_address;
   uint8_t *shared, *scratch;
   uint64_t shared_bytes, scratch_bytes; /* of a workgroup */
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

static bool
add(launching *l, uint32_t address, const hd_wave_memory *memory, bool read_only)
{
   const hd_mach_memory_region region = { .address = address,
                                          .data = memory->data,
                                          .undef = memory->undefined,
                                          .size = memory->size,
                                          .read_only = read_only };

   return hd_nyuzi_sim_add_region(&l->sim, &region) ||
          refuse(l, "memory at address 0x%08" PRIx32 " overlaps other memory", address);
}

/* Somewhere; nothing has an address, too. */
static bool
place(launching *l, const hd_wave_memory *memory, bool read_only, uint32_t *address)
{
   if (!hd_nyuzi_sim_find_place(&l->sim, memory->size, address))
      return refuse(l, "there is no room for %" PRIu64 " bytes of memory", memory->size);
   return add(l, *address, memory, read_only);
}

static bool
place_regions(launching *l)
{
   for (uint32_t n = 0; n < l->launch->num_regions; n++) {
      const hd_wave_region *r = &l->launch->regions[n];
      if (r->address >> 32 != (r->address + r->memory.size) >> 32)
         return refuse(l, "a region of global memory crosses a multiple of 4 GiB");
      if (!add(l, (uint32_t)r->address, &r->memory, false))
         return false;
   }
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

/* What the launch does not have is a buffer of no bytes. Two bindings may name the same memory. */
static bool
place_buffers(launching *l, uint32_t *table)
{
   for (uint32_t n = 0; n < l->binary->num_bindings; n++) {
      const hd_buffer_binding *b = &l->binary->bindings[n];
      for (uint32_t e = 0; e < b->num; e++) {
         const hd_wave_buffer *buffer = buffer_of(l, b, e);
         uint32_t *row = &table[2 * (b->first + e)];
         if (buffer && buffer->memory.size >> 32)
            return refuse(l, "a buffer has more than 4 GiB");
         if (buffer && !place(l, &buffer->memory, false, &row[0]))
            return false;
         row[1] = buffer ? (uint32_t)buffer->memory.size : 0;
      }
   }
   return true;
}

/* What load_kernarg reads, and behind it the parameters of the entry. */
static bool
place_arguments(launching *l, uint32_t *address)
{
   const hd_function *entry = l->shader->first_function;
   uint32_t wanted;

   if (!entry || !entry->num_params)
      return place(l, &l->launch->kernarg, true, address);
   const hd_wave_memory all = hd_mach_arguments(l->stack, l->shader, l->launch, 1, &wanted);
   if (!all.data)
      return refuse(l, "%" PRIu32 " components of parameters are wanted, %" PRIu32 " are given",
                    wanted, l->launch->num_params);
   return place(l, &all, true, address);
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
   hd_nyuzi_launch *block = hd_stack_alloc_zero(l->stack, sizeof(*block));
   const size_t table_size = 8 * (size_t)l->binary->num_buffers;
   uint32_t *table = hd_stack_alloc_zero(l->stack, table_size + 8);
   const hd_wave_memory constants = { (void *)l->binary->constants, NULL,
                                      l->binary->constants_size };

   memcpy(block->num_workgroups, l->groups, sizeof(l->groups));
   memcpy(block->workgroup_size, l->size, sizeof(l->size));
   memcpy(block->global_offset, l->launch->global_offset, sizeof(block->global_offset));
   block->work_dim = hd_mach_work_dim(l->launch, l->groups, l->size);
   const hd_wave_memory words = { block, NULL, sizeof(*block) }, rows = { table, NULL, table_size };
   if (!place_regions(l) || !place_buffers(l, table) ||
       !place(l, &l->launch->push, true, &block->push) || !place_arguments(l, &block->kernarg) ||
       !place(l, &constants, true, &block->constants) || !place(l, &rows, true, &block->buffers) ||
       !place(l, &words, true, &l->launch_address))
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
   l->shared = hd_stack_alloc_zero(l->stack, l->shared_bytes);
   l->scratch = hd_stack_alloc_zero(l->stack, l->scratch_bytes + 1);
   /* The counters of barriers end where the memory of the workgroup begins. */
   const hd_wave_memory shared = { l->shared, NULL, l->shared_bytes };
   const hd_wave_memory scratch = { l->scratch, NULL, l->scratch_bytes };
   return place(l, &shared, false, &l->shared_address) &&
          place(l, &scratch, false, &l->scratch_address);
}

static bool
look_at(launching *l)
{
   const hd_wave_launch *launch = l->launch;
   uint64_t lanes = 1;

   if (launch->num_images || launch->inputs.size || launch->outputs.size)
      return refuse(l, "the launch has what the code cannot be given");
   if (launch->lanes && launch->lanes != HD_NYUZI_LANES)
      return refuse(l, "a wave has %u lanes, not %" PRIu32, HD_NYUZI_LANES, launch->lanes);
   for (unsigned n = 0; n < 3; n++) {
      const uint32_t fixed = l->shader->workgroup_size[n], given = launch->workgroup_size[n];
      l->groups[n] = launch->num_workgroups[n] ? launch->num_workgroups[n] : 1;
      l->size[n] = fixed ? fixed : given ? given : 1;
      lanes = lanes * l->size[n] > UINT32_MAX ? UINT32_MAX : lanes * l->size[n];
   }
   if (lanes > MAX_THREADS * HD_NYUZI_LANES)
      return refuse(l, "a workgroup has %u lanes at most, not %" PRIu64,
                    MAX_THREADS * HD_NYUZI_LANES, lanes);
   l->lanes = (uint32_t)lanes;
   l->sim.num_threads = (l->lanes + HD_NYUZI_LANES - 1) / HD_NYUZI_LANES;
   l->sim.threads = hd_stack_alloc_zero(l->stack, l->sim.num_threads * sizeof(sim_thread));
   return true;
}

static void
decode(launching *l)
{
   const uint32_t num = l->binary->code_words;
   hd_nyuzi_word *insts = hd_stack_alloc_zero(l->stack, (num + 1) * sizeof(*insts));

   for (uint32_t n = 0; n < num; n++) {
      if (hd_nyuzi_decode(l->binary->code[n], &insts[n]))
         insts[n].op = HD_MACH_OP_NONE;
   }
   l->sim.code = l->binary->code;
   l->sim.insts = insts;
   l->sim.num_words = num;
}

/* Registers that nothing is said of hold what is easily noticed. */
static void
start_thread(launching *l, uint32_t wave, const uint32_t group[3])
{
   sim_thread *t = &l->sim.threads[wave];
   const uint32_t first = wave * HD_NYUZI_LANES, rest = l->lanes - first;
   uint32_t mask = rest < HD_NYUZI_LANES ? (1u << rest) - 1 : 0xffff;

   if (l->launch->active)
      mask &= (uint32_t)l->launch->active->word[0];
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
      t->v[0][lane] = first + lane;
   l->sim.stats.waves += !t->done;
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
run_groups(launching *l)
{
   uint32_t group[3];

   for (group[2] = 0; group[2] < l->groups[2]; group[2]++) {
      for (group[1] = 0; group[1] < l->groups[1]; group[1]++) {
         for (group[0] = 0; group[0] < l->groups[0]; group[0]++) {
            memset(l->shared, 0, l->shared_bytes);
            memset(l->scratch, 0, l->scratch_bytes);
            for (uint32_t wave = 0; wave < l->sim.num_threads; wave++)
               start_thread(l, wave, group);
            l->shared[2] = started(l); /* in the upper half of the first word */
            if (!hd_nyuzi_sim_run(&l->sim))
               return false;
            l->sim.workgroup++;
         }
      }
   }
   return true;
}

hd_result
hd_nyuzi_sim_run_wave(const hd_nyuzi_binary *binary, const hd_shader *shader,
                      const hd_wave_launch *launch, const hd_nyuzi_sim_options *options,
                      hd_nyuzi_sim_stats *stats)
{
   static const hd_nyuzi_sim_options none;
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;

   hd_heap_init(&heap, hd_shader_config(shader));
   hd_stack_init(&stack, &heap);
   launching l = { .stack = &stack, .binary = binary, .shader = shader, .launch = launch };
   l.sim.options = options ? options : &none;
   l.sim.sink = l.sim.options->diag.report ? &l.sim.options->diag : &hd_shader_config(shader)->diag;
   l.sim.memory.stack = &stack;
   hd_mach_turns_seed(&l.sim.turns, l.sim.options->seed);
   l.sim.lane = -1;
   if (HD_TRY(&heap, &u)) {
      decode(&l);
      if (look_at(&l) && place_launch(&l) && place_group(&l))
         run_groups(&l);
   }
   const hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   if (stats)
      *stats = l.sim.stats;
   return result != HD_OK ? result : l.sim.result;
}
