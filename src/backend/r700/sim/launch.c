/* SPDX-License-Identifier: MIT */
/* launch.c - a dispatch: what lies where in memory, and what the registers of waves begin with. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "backend/r700/sim/sim.h"
#include "util/quote.h"

/* What a workgroup may have at most. */
#define MAX_WAVES 16u
/* Bytes that nobody may touch on either side. */
#define GAP   UINT64_C(256)
#define FIRST UINT64_C(0x10000)

typedef struct launching {
   r700_sim sim;
   hd_stack *stack;
   const hd_r700_binary *binary;
   const hd_shader *shader;
   const hd_wave_launch *launch;
   uint32_t groups[3], size[3];
   uint32_t lanes; /* of a workgroup */
   uint32_t num_waves;
   uint64_t scratch_size; /* bytes of a wave */
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
   uint64_t where;

   return !region.size ||
          (region.address + region.size <= UINT64_C(1) << 32 &&
           hd_mach_memory_add(&l->sim.memory, &region, &where)) ||
          refuse(l, "memory at address 0x%08" PRIx32 " overlaps other memory", address);
}

/* Somewhere; nothing has an address, too. */
static bool
place(launching *l, const hd_wave_memory *memory, bool read_only, uint32_t *address)
{
   uint64_t at = FIRST;

   for (uint32_t n = 0; n < l->sim.memory.num_regions; n++) {
      const hd_mach_memory_region *r = &l->sim.memory.regions[n];
      if (r->address >= at + memory->size + GAP)
         break;
      if (r->address + r->size + GAP > at)
         at = (r->address + r->size + GAP + 63) & ~UINT64_C(63);
   }
   if (at + memory->size + GAP > UINT64_C(1) << 32)
      return refuse(l, "there is no room for %" PRIu64 " bytes of memory", memory->size);
   *address = (uint32_t)at;
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
buffer_of(const launching *l, const hd_r700_binding *b, uint32_t element)
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
place_buffers(launching *l, r700_buffer *buffers)
{
   for (uint32_t n = 0; n < l->binary->num_bindings; n++) {
      const hd_r700_binding *b = &l->binary->bindings[n];
      for (uint32_t e = 0; e < b->num; e++) {
         const hd_wave_buffer *buffer = buffer_of(l, b, e);
         r700_buffer *row = &buffers[b->first + e];
         if (buffer && buffer->memory.size >> 32)
            return refuse(l, "a buffer has more than 4 GiB");
         if (buffer && !place(l, &buffer->memory, false, &row->address))
            return false;
         row->size = buffer ? (uint32_t)buffer->memory.size : 0;
      }
   }
   return true;
}

/* Bytes as a constant buffer: dwords of the host. */
static void
lock(launching *l, unsigned bank, const hd_wave_memory *memory)
{
   const size_t num = (size_t)(memory->size / 4) + 1;
   uint32_t *dwords = hd_stack_alloc_zero(l->stack, num * sizeof(*dwords));

   for (uint64_t n = 0; n < memory->size; n++)
      dwords[n / 4] |= (uint32_t)((const uint8_t *)memory->data)[n] << (8 * (n % 4));
   l->sim.constants[bank] = dwords;
   l->sim.num_constants[bank] = num;
}

/* What load_kernarg reads, and behind it the parameters of the entry. */
static bool
place_arguments(launching *l, uint32_t *address)
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
   lock(l, 1, &all);
   return place(l, &all, true, address);
}

static bool
place_shared(launching *l, hd_r700_launch *block)
{
   const uint64_t groups = (uint64_t)l->groups[0] * l->groups[1] * l->groups[2];
   const uint64_t size = groups * l->binary->shared_size;
   const hd_wave_memory shared = { hd_stack_alloc_zero(l->stack, size + 1), NULL, size };
   const hd_wave_memory discard = { hd_stack_alloc_zero(l->stack, 16), NULL, 16 };

   return place(l, &shared, false, &block->shared) && place(l, &discard, false, &block->discard);
}

/* The launch and, behind it, the buffers are dwords of the host. */
static bool
place_launch(launching *l)
{
   const size_t num = sizeof(hd_r700_launch) / 4 + 2 * (size_t)l->binary->num_buffers;
   uint32_t *dwords = hd_stack_alloc_zero(l->stack, num * sizeof(*dwords));
   r700_buffer *buffers =
       hd_stack_alloc_zero(l->stack, (l->binary->num_buffers + 1) * sizeof(*buffers));
   const hd_wave_memory constants = { (void *)l->binary->constants, NULL,
                                      l->binary->constants_size };
   hd_r700_launch block = { .work_dim = hd_mach_work_dim(l->launch, l->groups, l->size) };

   memcpy(block.num_workgroups, l->groups, sizeof(l->groups));
   memcpy(block.workgroup_size, l->size, sizeof(l->size));
   memcpy(block.global_offset, l->launch->global_offset, sizeof(block.global_offset));
   if (!place_regions(l) || !place_buffers(l, buffers) ||
       !place(l, &l->launch->push, true, &block.push) || !place_arguments(l, &block.kernarg) ||
       !place(l, &constants, true, &block.constants) || !place_shared(l, &block))
      return false;
   lock(l, 2, &l->launch->push);
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

static bool
look_at(launching *l)
{
   const hd_wave_launch *launch = l->launch;
   uint64_t lanes = 1;

   if (launch->num_images || launch->inputs.size || launch->outputs.size)
      return refuse(l, "the launch has what the code cannot be given");
   if (launch->lanes && launch->lanes != HD_R700_LANES)
      return refuse(l, "a wave has %u lanes, not %" PRIu32, HD_R700_LANES, launch->lanes);
   for (unsigned n = 0; n < 3; n++) {
      const uint32_t fixed = l->shader->workgroup_size[n], given = launch->workgroup_size[n];
      l->groups[n] = launch->num_workgroups[n] ? launch->num_workgroups[n] : 1;
      l->size[n] = fixed ? fixed : given ? given : 1;
      lanes = lanes * l->size[n] > UINT32_MAX ? UINT32_MAX : lanes * l->size[n];
   }
   if (lanes > (l->binary->one_wave ? 1 : MAX_WAVES) * HD_R700_LANES)
      return refuse(l, "a workgroup has %u lanes at most, not %" PRIu64,
                    (l->binary->one_wave ? 1 : MAX_WAVES) * HD_R700_LANES, lanes);
   l->lanes = (uint32_t)lanes;
   l->num_waves = (l->lanes + HD_R700_LANES - 1) / HD_R700_LANES;
   l->sim.wave = hd_stack_alloc_zero(l->stack, sizeof(*l->sim.wave));
   return true;
}

static void
load_code(launching *l)
{
   const uint32_t num = l->binary->code_size / 8;
   uint64_t *words = hd_stack_alloc_zero(l->stack, (num + 1) * sizeof(*words));

   for (uint32_t n = 0; n < num; n++)
      words[n] = hd_r700_word_at(l->binary->code, n);
   l->sim.words = words;
   l->sim.num_words = num;
   l->sim.stack_size = l->binary->stack_size;
   l->sim.quads = l->binary->scratch_quads;
   l->scratch_size = 16 * (uint64_t)l->sim.quads * HD_R700_LANES;
   l->sim.scratch = hd_stack_alloc_zero(l->stack, l->scratch_size + 1);
}

/* Registers that nothing is said of hold what is easily noticed. */
static void
start_wave(launching *l, uint32_t wave, const uint32_t group[3])
{
   r700_wave *w = l->sim.wave;
   const uint32_t first = wave * HD_R700_LANES, rest = l->lanes - first;

   memset(w, 0xa5, sizeof(*w));
   w->active = rest < HD_R700_LANES ? (UINT64_C(1) << rest) - 1 : UINT64_MAX;
   if (l->launch->active)
      w->active &= l->launch->active->word[0];
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
run_groups(launching *l)
{
   uint32_t group[3];

   for (group[2] = 0; group[2] < l->groups[2]; group[2]++) {
      for (group[1] = 0; group[1] < l->groups[1]; group[1]++) {
         for (group[0] = 0; group[0] < l->groups[0]; group[0]++) {
            for (l->sim.wave_number = 0; l->sim.wave_number < l->num_waves; l->sim.wave_number++) {
               start_wave(l, l->sim.wave_number, group);
               if (!hd_r700_sim_run(&l->sim))
                  return false;
            }
            l->sim.workgroup++;
         }
      }
   }
   return true;
}

hd_result
hd_r700_sim_run_wave(const hd_r700_binary *binary, const hd_shader *shader,
                     const hd_wave_launch *launch, const hd_r700_sim_options *options,
                     hd_r700_sim_stats *stats)
{
   static const hd_r700_sim_options none;
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;

   hd_heap_init(&heap, hd_shader_config(shader));
   hd_stack_init(&stack, &heap);
   launching l = { .stack = &stack, .binary = binary, .shader = shader, .launch = launch };
   l.sim.options = options ? options : &none;
   l.sim.sink = l.sim.options->diag.report ? &l.sim.options->diag : &hd_shader_config(shader)->diag;
   l.sim.memory.stack = &stack;
   l.sim.stack = &stack;
   if (HD_TRY(&heap, &u)) {
      load_code(&l);
      if (look_at(&l) && place_launch(&l))
         run_groups(&l);
   }
   const hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   if (stats)
      *stats = l.sim.stats;
   return result != HD_OK ? result : l.sim.result;
}
