/* SPDX-License-Identifier: MIT */
/* compare.h - differential testing: state and interface of its files.
 *
 *    launches.c   how many lanes, of what workgroups, which of them start
 *    world.c      memory and arguments of a launch, generated for what a shader uses
 *    compare.c    run both and compare
 *    writers.c    which lanes wrote a difference
 */
#ifndef HEDDLE_COMPARE_PRIVATE_H
#define HEDDLE_COMPARE_PRIVATE_H

#include "heddle/compare.h"
#include "util/memory.h"
#include "util/mix.h"

#define BUFFER_SIZE    32768u
#define GLOBAL_ADDRESS 0x10000u
#define MAX_LOCATIONS  64u

typedef enum piece_kind {
   PIECE_BUFFER,
   PIECE_IMAGE,
   PIECE_GLOBAL,
   PIECE_PUSH,
   PIECE_KERNARG,
   PIECE_INPUTS,
   PIECE_CORNERS,
   PIECE_OUTPUTS,
   PIECE_GIVEN,
} piece_kind;

/* A run of bytes of a world: what it is, for messages, and where. */
typedef struct piece {
   piece_kind kind;
   uint32_t set, binding, array_index; /* buffers and images */
   uint32_t components;                /* given: of 4 bytes, for each invocation */
   bool numbered;                      /* given: the number of the invocation */
   bool same;                          /* given: the same for all invocations */
   hd_intrinsic_id id;                 /* given */
   uint32_t modes[2];                  /* given: indices of barycentric */
   uint64_t size, offset;
} piece;

/* What a shader asks for. */
typedef struct world {
   hd_stack *stack;
   piece *pieces;
   uint32_t num_pieces, capacity;
   hd_wave_buffer *buffers;
   hd_wave_image *images;
   hd_wave_sampler *samplers;
   hd_wave_builtin *given;
   uint32_t num_buffers, num_images, num_samplers, num_given;
   bool interpolates;
   hd_wave_region region;
   uint32_t num_locations[2]; /* of inputs, outputs */
   hd_const_value *params;
   uint32_t num_params;
   uint64_t size; /* of all pieces */
   uint64_t seed;
   uint8_t *first, *data, *undefined; /* at the beginning; now */
} world;

/* Find out what the shader asks for; `lanes` invocations will ask at most. */
void hd_compare_world_plan(world *w, const hd_shader *shader, uint32_t lanes, hd_stack *stack,
                           uint64_t seed);
/* Memory as it was at the beginning, in a launch. */
void hd_compare_world_reset(world *w, hd_wave_launch *launch);
/* The piece that a byte is in. */
const piece *hd_compare_world_piece(const world *w, uint64_t at);

/* The launch of a number: sizes and mask. `helpers` has room for 128 bytes. */
void hd_compare_choose_launch(const hd_shader *shader, uint32_t number, uint64_t seed,
                              hd_wave_launch *launch, hd_wave_mask *mask, uint8_t *helpers);
uint32_t hd_compare_launch_lanes(const hd_shader *shader, const hd_wave_launch *launch);

/* One launch, and what was there after it. */
typedef struct trial_run {
   hd_wave_launch launch;
   uint32_t workgroup_size[3], subgroup_size; /* that the shader says */
   hd_wave_mask mask;
   uint8_t helpers[HD_WAVE_MAX_LANES];
   world world;
   bool usable;
   hd_wave_stats stats;
   uint8_t *data, *undefined; /* the pieces of the world */
} trial_run;

void hd_compare_tell(const hd_diag_sink *sink, hd_severity severity, const char *format, ...)
    HD_PRINTF(3, 4);

/* Room for 16 bytes as text. */
#define BYTES_TEXT 33u

/* Bytes as one hexadecimal number, from the top; an undefined byte as `??`. */
void hd_compare_show_bytes(const uint8_t *data, const uint8_t *undefined, unsigned size,
                           char *text);

/* Was it defined, and is it not the same now? What is undefined now is wrong even if it has the
 * same bits: the next pass may make anything of it.
 */
static inline bool
differs(const trial_run *r, uint64_t at)
{
   const world *w = &r->world;

   return !r->undefined[at] && (w->undefined[at] || r->data[at] != w->data[at]);
}

/* Report which lanes wrote what differs, first of all the byte `at`: both shaders run once more, and
 * are watched. `after` is NULL where no shader does it. The world is another one afterwards.
 */
void hd_compare_tell_writers(const hd_diag_sink *sink, trial_run *r, uint64_t at, hd_stack *stack,
                             hd_shader *before, hd_shader *after);

static inline uint32_t
next_number(uint64_t *state)
{
   return (uint32_t)hd_mix(*state += HD_MIX_STEP);
}

#endif
