/* SPDX-License-Identifier: MIT */
/* stage_exports.c - what waves of vertex and fragment shaders export, into the outputs of a launch. */
#include <string.h>

#include "backend/gcn/isa/isa.h"
#include "backend/gcn/sim/stage_launch.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/walk.h"
#include "util/bytes.h"
#include "util/float.h"

struct receiver {
   const hd_gcn_stage_launch *s;
   const hd_gcn_sim_export *e;
};

static void
put(const hd_wave_memory *m, uint64_t at, unsigned bytes, uint32_t value, uint32_t undef)
{
   if (!m->data || at + bytes > m->size)
      return;
   put_number((uint8_t *)m->data + at, bytes, value);
   for (unsigned k = 0; m->undefined && k < bytes; k++)
      m->undefined[at + k] = (undef >> 8 * k & 0xff) != 0;
}

/* One channel to component `c` of what the launch takes for this intrinsic. */
static void
to_builtin(const struct receiver *r, hd_intrinsic_id id, unsigned channel, unsigned components,
           unsigned c, unsigned shift, uint32_t mask)
{
   const hd_wave_builtin *g = hd_gcn_stage_given(r->s, id, 0, 0);

   if (!g || !r->e->values[channel])
      return;
   for (unsigned l = 0; l < 64; l++) {
      const uint64_t n = hd_gcn_stage_invocation(r->s, r->e->workgroup, l);
      if (r->e->lanes >> l & 1)
         put(&g->memory, (n * components + c) * 4, 4, r->e->values[channel][l] >> shift & mask,
             r->e->undefined[channel][l] >> shift & mask);
   }
}

/* Is it the second source of the location before it? */
static bool
is_second(const hd_shader *shader, uint32_t location)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_intrinsic *store = hd_instr_as_intrinsic(i);
            if (!store || i->op != HD_INTRINSIC_STORE_OUTPUT ||
                !hd_intrinsic_index(store, HD_INDEX_DUAL_SOURCE))
               continue;
            const hd_const *c = hd_src_as_const(&store->src[1]);
            if (c && hd_intrinsic_index(store, HD_INDEX_LOCATION) + c->value[0].u32 + 1 == location)
               return true;
         }
      }
   }
   return false;
}

/* Are components of this location stored as 16 bits? */
static bool
is_half(const hd_shader *shader, uint32_t location)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_intrinsic *store = hd_instr_as_intrinsic(i);
            if (!store || i->op != HD_INTRINSIC_STORE_OUTPUT || store->src[0].def->bit_size != 16)
               continue;
            const hd_const *c = hd_src_as_const(&store->src[1]);
            if (c && hd_intrinsic_index(store, HD_INDEX_LOCATION) + c->value[0].u32 == location)
               return true;
         }
      }
   }
   return false;
}

static void
to_output(const struct receiver *r, uint32_t location)
{
   const uint32_t num = r->s->from->num_output_locations;
   const bool color = r->s->shader->stage == HD_STAGE_FRAGMENT;
   const bool half = color && is_half(r->s->shader, location);
   const bool second = color && is_second(r->s->shader, location);
   const hd_wave_memory *to = second ? &r->s->from->second_outputs : &r->s->from->outputs;

   location -= second;
   for (unsigned c = 0; c < 4 && location < num; c++) {
      if (!(r->e->channels >> c & 1) || !r->e->values[c])
         continue;
      for (unsigned l = 0; l < 64; l++) {
         const uint64_t n = hd_gcn_stage_invocation(r->s, r->e->workgroup, l);
         const uint64_t at = (n * num + location) * 16 + c * 4;
         const uint32_t value = r->e->values[c][l], undef = r->e->undefined[c][l];
         if (!(r->e->lanes >> l & 1))
            continue;
         if (half)
            put(to, at, 2, (uint32_t)hd_float_convert(32, 16, value, HD_ROUND_NEAREST_EVEN),
                undef ? UINT32_MAX : 0);
         else
            put(to, at, 4, value, undef);
      }
   }
}

static void
to_misc(const struct receiver *r)
{
   const hd_gcn_graphics *g = &r->s->binary->graphics;
   const bool packed = r->s->binary->target == HD_GCN_GFX900;

   to_builtin(r, HD_INTRINSIC_STORE_POINT_SIZE, 0, 1, 0, 0, UINT32_MAX);
   if (g->layer)
      to_builtin(r, HD_INTRINSIC_STORE_LAYER, 2, 1, 0, 0,
                 packed && g->viewport_index ? 0xffff : UINT32_MAX);
   if (g->viewport_index && packed)
      to_builtin(r, HD_INTRINSIC_STORE_VIEWPORT_INDEX, 2, 1, 0, 16, 0xffff);
   else if (g->viewport_index)
      to_builtin(r, HD_INTRINSIC_STORE_VIEWPORT_INDEX, 3, 1, 0, 0, UINT32_MAX);
}

static unsigned
length(unsigned mask)
{
   unsigned num = 0;

   while (mask >> num)
      num++;
   return num;
}

/* Number `first` and three more of clip distances and cull distances behind them. */
static void
to_distances(const struct receiver *r, unsigned first)
{
   const unsigned clip = length(r->s->binary->graphics.clip_distances);

   for (unsigned c = 0; c < 4; c++) {
      const unsigned n = first + c;
      if (n < clip)
         to_builtin(r, HD_INTRINSIC_STORE_CLIP_DISTANCE, c, 8, n, 0, UINT32_MAX);
      else
         to_builtin(r, HD_INTRINSIC_STORE_CULL_DISTANCE, c, 8, n - clip, 0, UINT32_MAX);
   }
}

static void
receive_vertex(const struct receiver *r)
{
   const hd_gcn_graphics *g = &r->s->binary->graphics;
   const bool misc = g->point_size || g->layer || g->viewport_index;

   if (r->e->target >= HD_GCN_EXPORT_PARAM0) {
      to_output(r, g->parameters[r->e->target - HD_GCN_EXPORT_PARAM0].location);
      return;
   }
   const unsigned position = r->e->target - HD_GCN_EXPORT_POS0;
   if (!position) {
      for (unsigned c = 0; c < 4; c++)
         to_builtin(r, HD_INTRINSIC_STORE_POSITION, c, 4, c, 0, UINT32_MAX);
   } else if (misc && position == 1) {
      to_misc(r);
   } else {
      to_distances(r, 4 * (position - 1 - misc));
   }
}

/* Pixels that are kept, as the last export says. */
static void
note_survivors(const struct receiver *r)
{
   const hd_wave_launch *launch = r->s->from;

   for (unsigned l = 0; l < 64; l++) {
      const uint64_t n = hd_gcn_stage_invocation(r->s, r->e->workgroup, l);
      if (r->e->lanes >> l & 1 && n < launch->num_survivors)
         launch->survivors[n] = 1;
   }
}

void
hd_gcn_stage_receive(void *stage, const hd_gcn_sim_export *what)
{
   const struct receiver r = { stage, what };

   if (r.s->shader->stage == HD_STAGE_FRAGMENT && what->done && what->valid)
      note_survivors(&r);
   if (r.s->shader->stage == HD_STAGE_VERTEX) {
      receive_vertex(&r);
   } else if (what->target == HD_GCN_EXPORT_MRTZ) {
      const hd_gcn_graphics *g = &r.s->binary->graphics;
      if (g->depth)
         to_builtin(&r, HD_INTRINSIC_STORE_DEPTH, 0, 1, 0, 0, UINT32_MAX);
      if (g->stencil)
         to_builtin(&r, HD_INTRINSIC_STORE_STENCIL, 1, 1, 0, 0, UINT32_MAX);
      if (g->sample_mask)
         to_builtin(&r, HD_INTRINSIC_STORE_SAMPLE_MASK, 2, 1, 0, 0, UINT32_MAX);
   } else if (what->target < HD_GCN_MAX_COLORS) {
      to_output(&r, what->target);
   }
}
