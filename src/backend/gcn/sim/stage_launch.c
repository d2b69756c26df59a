/* SPDX-License-Identifier: MIT */
/* stage_launch.c - waves of vertex and fragment shaders from a launch of hd_wave_run.
 *
 *    vertex     v0, v1 and user SGPRs from the numbers that are given; inputs in one buffer, whose element n
 *               is what the invocation with vertex_index n has, as 32 bits a component
 *    fragment   VGPRs from what the rasteriser gives; a primitive for each quad, whose P0, P10, P20 are in LDS;
 *               exec has the lanes that are no helpers
 *
 * Parameters are a quad's, so that lanes of one quad must have the same ones.
 */
#include "backend/gcn/sim/stage_launch.h"

#include <string.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/ops.h"
#include "heddle/walk.h"
#include "util/bytes.h"
#include "util/float.h"
#include "util/refuse.h"

#define LANES          64u
#define QUADS          16u
#define BYTES_OF_INPUT 48u /* P0, P10, P20 of a parameter */
#define MAX_VERTICES   0x10000u

/* A number with its undefined bits; what is not there is undefined. */
typedef struct number {
   uint32_t value, undef;
} number;

static number
read(const hd_wave_memory *m, uint64_t at, unsigned bytes)
{
   number n = { 0, UINT32_MAX };

   if (!m->data || at + bytes > m->size)
      return n;
   n.value = (uint32_t)get_number((const uint8_t *)m->data + at, bytes);
   n.undef = 0;
   for (unsigned k = 0; m->undefined && k < bytes; k++)
      n.undef |= m->undefined[at + k] ? UINT32_C(0xff) << 8 * k : 0;
   return n;
}

static number
given(const hd_gcn_stage_launch *s, hd_intrinsic_id id, uint32_t mode, uint32_t location,
      unsigned components, unsigned c, uint64_t invocation)
{
   const hd_wave_builtin *g = hd_gcn_stage_given(s, id, mode, location);

   return g ? read(&g->memory, (invocation * components + c) * 4, 4) : (number){ 0, UINT32_MAX };
}

/* Vertices */

/* What a draw has once; 0 where nobody asks. */
static uint32_t
of_draw(const hd_gcn_stage_launch *s, hd_intrinsic_id id)
{
   return given(s, id, 0, 0, 1, 0, 0).value;
}

static uint32_t
vertex_of(const hd_gcn_stage_launch *s, uint64_t invocation)
{
   const number n = given(s, HD_INTRINSIC_VERTEX_INDEX, 0, 0, 1, 0, invocation);

   return n.undef ? (uint32_t)invocation : n.value;
}

/* Are components of this location read as 16 bits? */
static bool
is_half(const hd_gcn_stage_launch *s, uint32_t location)
{
   hd_foreach_function(f, s->shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_intrinsic *load = hd_instr_as_intrinsic(i);
            if (!load || i->op != HD_INTRINSIC_LOAD_INPUT || i->def.bit_size != 16)
               continue;
            const hd_const *c = hd_src_as_const(&load->src[0]);
            if (c && hd_intrinsic_index(load, HD_INDEX_LOCATION) + c->value[0].u32 == location)
               return true;
         }
      }
   }
   return false;
}

static void
copy_location(const hd_gcn_stage_launch *s, hd_wave_memory to, uint64_t at, uint64_t from,
              bool half)
{
   const unsigned bytes = half ? 2 : 4;

   for (unsigned c = 0; c < 4; c++) {
      const number n = read(&s->from->inputs, from + c * 4, bytes);
      hd_mach_memory_put(to, at + (uint64_t)c * bytes, bytes, n.value);
      memcpy(to.undefined + at + (size_t)c * bytes, (uint8_t[4]){ 0 }, bytes);
      for (unsigned k = 0; k < bytes; k++)
         to.undefined[at + c * bytes + k] = (uint8_t)(n.undef >> 8 * k);
   }
}

/* A resource whose elements have four components of 32 or 16 bits, as they are. */
static void
put_attribute(hd_wave_memory table, uint32_t location, hd_gcn_gen gen, uint64_t address,
              uint32_t stride, uint32_t num, bool half)
{
   const uint32_t select_xyzw = 0xfac, uint = 4, data = half ? 12 : 14;
   const uint32_t words[4] = { (uint32_t)address, (uint32_t)(address >> 32 & 0xffff) | stride << 16,
                               gen == HD_GCN_GFX803 ? num * stride : num,
                               select_xyzw | uint << 12 | data << 15 };

   for (unsigned n = 0; n < 4; n++)
      hd_mach_memory_put(table, location * UINT64_C(16) + n * 4, 4, words[n]);
}

static void
add_attributes(hd_gcn_stage_launch *s)
{
   const uint32_t num_locations = s->from->num_input_locations, stride = num_locations * 16;
   uint32_t num = 0;

   if (s->abi->vertex_buffers == HD_GCN_NO_SGPR)
      return;
   if (num_locations > HD_GCN_MAX_PARAMETERS)
      hd_heap_refuse(s->stack->heap, HD_UNSUPPORTED,
                     "%u locations of attributes, expected at most %u", num_locations,
                     HD_GCN_MAX_PARAMETERS);
   for (uint32_t n = 0; n < s->num_invocations; n++) {
      const uint32_t vertex = vertex_of(s, n);
      if (vertex >= MAX_VERTICES)
         hd_heap_refuse(s->stack->heap, HD_UNSUPPORTED, "vertex %u, expected one below %u", vertex,
                        MAX_VERTICES);
      num = vertex >= num ? vertex + 1 : num;
   }
   const hd_wave_memory elements = hd_mach_memory_bytes(s->stack, (uint64_t)num * stride, true);
   const hd_wave_memory table =
       hd_mach_memory_bytes(s->stack, (uint64_t)HD_GCN_MAX_PARAMETERS * 16, true);
   const uint64_t address = hd_gcn_regions_add(s->places, elements, 16, true, "the vertices");
   for (uint32_t location = 0; location < num_locations; location++) {
      const bool half = is_half(s, location);
      for (uint32_t n = 0; n < s->num_invocations; n++)
         copy_location(s, elements, (uint64_t)vertex_of(s, n) * stride + location * 16,
                       (uint64_t)n * stride + location * 16, half);
      put_attribute(table, location, s->binary->target, address + location * 16, stride, num, half);
   }
   const uint64_t at = hd_gcn_regions_add(s->places, table, 16, true, "the vertex buffers");
   s->to->user_sgprs[s->abi->vertex_buffers] = (uint32_t)at;
   s->to->user_sgprs[s->abi->vertex_buffers + 1] = (uint32_t)(at >> 32);
}

static void
set_vertices(hd_gcn_stage_launch *s, uint32_t wave, hd_gcn_sim_start *start)
{
   const uint32_t base_vertex = of_draw(s, HD_INTRINSIC_BASE_VERTEX),
                  base_instance = of_draw(s, HD_INTRINSIC_BASE_INSTANCE);
   /* One instance where nothing is said, as in the interpreter. */
   const bool instances = hd_gcn_stage_given(s, HD_INTRINSIC_INSTANCE_INDEX, 0, 0);

   for (unsigned l = 0; l < LANES; l++) {
      const uint64_t n = hd_gcn_stage_invocation(s, wave, l);
      const number instance = given(s, HD_INTRINSIC_INSTANCE_INDEX, 0, 0, 1, 0, n);
      if (!(start->lanes >> l & 1))
         continue;
      start->vgprs[0][l] = vertex_of(s, n) - base_vertex;
      start->vgprs[1][l] = instance.value - base_instance;
      start->undefined[0][l] = 0;
      start->undefined[1][l] = instances ? instance.undef : 0;
   }
}

/* Fragments */

/* One VGPR that SPI_PS_INPUT_ENA enables. */
static number
fragment_input(const hd_gcn_stage_launch *s, unsigned bit, unsigned part, uint64_t n)
{
   static const uint8_t at[] = { HD_INTERP_AT_SAMPLE, HD_INTERP_AT_CENTER, HD_INTERP_AT_CENTROID };
   number a, b;

   if (bit < 7) {
      /* One that is not given is for point_coord, whose vertices are the same. */
      const uint32_t mode = bit < 4 ? HD_INTERP_SMOOTH : HD_INTERP_NOPERSPECTIVE;
      return hd_gcn_stage_given(s, HD_INTRINSIC_BARYCENTRIC, mode, at[bit % 4])
                 ? given(s, HD_INTRINSIC_BARYCENTRIC, mode, at[bit % 4], 2, part, n)
                 : (number){ 0, 0 };
   }
   switch (bit) {
   case 8:
   case 9:
      if (!hd_gcn_stage_given(s, HD_INTRINSIC_FRAG_COORD, 0, 0))
         return given(s, HD_INTRINSIC_SAMPLE_POS, 0, 0, 2, bit - 8, n);
      return given(s, HD_INTRINSIC_FRAG_COORD, 0, 0, 4, bit - 8, n);
   case 10:
      return given(s, HD_INTRINSIC_FRAG_COORD, 0, 0, 4, 2, n);
   case 11:
      a = given(s, HD_INTRINSIC_FRAG_COORD, 0, 0, 4, 3, n);
      a.value = (uint32_t)hd_float_div(32, 0x3f800000, a.value, HD_ROUND_NEAREST_EVEN);
      return a;
   case 12:
      return given(s, HD_INTRINSIC_FRONT_FACING, 0, 0, 1, 0, n);
   case 13:
      a = given(s, HD_INTRINSIC_SAMPLE_ID, 0, 0, 1, 0, n);
      b = given(s, HD_INTRINSIC_LAYER, 0, 0, 1, 0, n);
      return (number){ (a.value & 15) << 8 | (b.value & 0x7ff) << 16,
                       (a.undef & 15) << 8 | (b.undef & 0x7ff) << 16 };
   default:
      return given(s, HD_INTRINSIC_SAMPLE_MASK_IN, 0, 0, 1, 0, n);
   }
}

/* Lanes that are not covered, but may run as helpers, have numbers, too. */
static void
set_fragments(hd_gcn_stage_launch *s, uint32_t wave, hd_gcn_sim_start *start)
{
   const uint32_t ena = s->binary->graphics.ps_input_ena;
   unsigned reg = 0;

   for (unsigned bit = 0; bit < 16; bit++) {
      const unsigned num = bit < 7 ? 2 : 1;
      for (unsigned part = 0; ena >> bit & 1 && part < num; part++, reg++) {
         for (unsigned l = 0; l < LANES; l++) {
            const uint64_t n = hd_gcn_stage_invocation(s, wave, l);
            const bool runs =
                n < s->num_invocations && n / s->group_lanes == wave / s->waves_of_group;
            const number value = runs ? fragment_input(s, bit, part, n) : (number){ 0, 0 };
            start->vgprs[reg][l] = value.value;
            start->undefined[reg][l] = value.undef;
         }
      }
   }
}

static uint32_t
minus(uint32_t a, uint32_t b)
{
   return (uint32_t)hd_float_sub(32, a, b, HD_ROUND_NEAREST_EVEN);
}

/* What a vertex of the primitive of this invocation has in a channel of a parameter. */
static number
corner_of(const hd_gcn_stage_launch *s, const hd_gcn_parameter *p, unsigned channel,
          unsigned vertex, uint64_t n)
{
   const uint64_t record = (uint64_t)s->from->num_input_locations * 16;
   const uint64_t at = p->location * UINT64_C(16) + channel * 4;

   switch (p->location) {
   case HD_GCN_PARAMETER_PRIMITIVE_ID:
      return given(s, HD_INTRINSIC_PRIMITIVE_ID, 0, 0, 1, 0, n);
   case HD_GCN_PARAMETER_VIEWPORT_INDEX:
      return given(s, HD_INTRINSIC_VIEWPORT_INDEX, 0, 0, 1, 0, n);
   case HD_GCN_PARAMETER_POINT_COORD:
      return given(s, HD_INTRINSIC_POINT_COORD, 0, 0, 2, channel, n);
   default:
      break;
   }
   if (at + 4 > record)
      return (number){ 0, UINT32_MAX };
   return p->flat ? read(&s->from->inputs, n * record + at, 4)
                  : read(&s->from->corners, (n * 3 + vertex) * record + at, 4);
}

/* A place in a point is interpolated between (0, 0), (1, 0) and (0, 1), where the barycentric coordinates of all of
 * the quad are just that.
 */
static bool
are_places_in_point(const hd_gcn_stage_launch *s, const hd_gcn_parameter *p, uint32_t wave,
                    unsigned quad)
{
   bool same = p->location == HD_GCN_PARAMETER_POINT_COORD;

   for (unsigned l = quad * 4; l < quad * 4 + 4 && same; l++) {
      const uint64_t n = hd_gcn_stage_invocation(s, wave, l);
      for (unsigned c = 0; c < 2 && n < s->num_invocations; c++) {
         const number place = given(s, HD_INTRINSIC_POINT_COORD, 0, 0, 2, c, n);
         const number weight =
             given(s, HD_INTRINSIC_BARYCENTRIC, HD_INTERP_SMOOTH, HD_INTERP_AT_CENTER, 2, c, n);
         same &= place.value == weight.value && !place.undef && !weight.undef;
      }
   }
   return same;
}

static void
put_number_at(hd_gcn_sim_start *start, uint32_t at, number n)
{
   put_number(start->lds + at, 4, n.value);
   put_number(start->lds_undefined + at, 4, n.undef);
}

static void
set_parameter(hd_gcn_stage_launch *s, hd_gcn_sim_start *start, unsigned parameter, unsigned channel,
              uint32_t wave, unsigned quad)
{
   const hd_gcn_parameter *p = &s->binary->graphics.parameters[parameter];
   const uint32_t at = (parameter * QUADS + quad) * BYTES_OF_INPUT + channel * 4;
   number first[3] = { { 0, UINT32_MAX }, { 0, UINT32_MAX }, { 0, UINT32_MAX } };
   const bool places = are_places_in_point(s, p, wave, quad);

   for (unsigned l = quad * 4, any = 0; l < quad * 4 + 4; l++) {
      const uint64_t n = hd_gcn_stage_invocation(s, wave, l);
      if (n >= s->num_invocations)
         continue;
      for (unsigned v = 0; v < 3 && !places; v++) {
         const number own = corner_of(s, p, channel, v, n);
         if (any && (own.value != first[v].value || own.undef != first[v].undef))
            hd_heap_refuse(
                s->stack->heap, HD_UNSUPPORTED,
                "expected one triangle for all lanes of a quad, found different parameters");
         first[v] = own;
      }
      any = 1;
   }
   if (places)
      first[0] = (number){ 0, 0 };
   put_number_at(start, at, first[0]);
   for (unsigned v = 1; v < 3 && p->location >= HD_GCN_PARAMETER_PRIMITIVE_ID; v++)
      first[v] = (number){ places && channel == v - 1 ? (uint32_t)hd_float_one(32) : 0, 0 };
   for (unsigned v = 1; v < 3; v++)
      put_number_at(start, at + v * 16,
                    p->location >= HD_GCN_PARAMETER_PRIMITIVE_ID
                        ? first[v]
                        : (number){ minus(first[v].value, first[0].value),
                                    first[v].undef | first[0].undef ? UINT32_MAX : 0 });
}

static void
set_parameters(hd_gcn_stage_launch *s, uint32_t wave, hd_gcn_sim_start *start)
{
   const hd_gcn_graphics *g = &s->binary->graphics;

   for (unsigned p = 0; p < g->num_parameters; p++) {
      for (unsigned c = 0; c < 4; c++) {
         for (unsigned quad = 0; g->parameters[p].channels >> c & 1 && quad < QUADS; quad++)
            set_parameter(s, start, p, c, wave, quad);
      }
   }
}

/* Waves */

static uint64_t
lanes_of(const hd_gcn_stage_launch *s, uint32_t wave)
{
   const uint32_t first = wave % s->waves_of_group * LANES;
   uint64_t lanes = 0;

   for (unsigned l = 0; l < LANES && first + l < s->group_lanes; l++) {
      const uint64_t n = hd_gcn_stage_invocation(s, wave, l);
      const bool helper =
          s->shader->stage == HD_STAGE_FRAGMENT && n < s->from->num_helpers && s->from->helpers[n];
      const bool active = !s->from->active || s->from->active->word[0] >> l & 1;
      lanes |= (uint64_t)(active && !helper) << l;
   }
   return lanes;
}

static void
start_wave(hd_gcn_stage_launch *s, uint32_t wave, hd_gcn_sim_start *start)
{
   const bool fragment = s->shader->stage == HD_STAGE_FRAGMENT;
   const unsigned most = fragment ? 24 : 2;

   start->lanes = lanes_of(s, wave);
   start->num_vgprs = fragment ? 0 : 1 + (s->binary->pgm_rsrc1 >> 24 & 3);
   start->vgprs = hd_stack_alloc_zero(s->stack, most * sizeof(*start->vgprs));
   start->undefined = hd_stack_alloc_zero(s->stack, most * sizeof(*start->undefined));
   if (!fragment) {
      set_vertices(s, wave, start);
      return;
   }
   for (unsigned bit = 0; bit < 16; bit++)
      start->num_vgprs += (s->binary->graphics.ps_input_ena >> bit & 1) * (bit < 7 ? 2u : 1u);
   start->lds = hd_stack_alloc_zero(s->stack, s->to->lds_size + 1);
   start->lds_undefined = hd_stack_alloc_zero(s->stack, s->to->lds_size + 1);
   /* Attributes are at the beginning of LDS, and each quad begins a primitive. */
   start->num_sgprs = 1;
   start->sgprs[0] = 0x7fffu << 16;
   set_fragments(s, wave, start);
   set_parameters(s, wave, start);
}

static void
set_user_sgpr(hd_gcn_stage_launch *s, uint8_t reg, hd_intrinsic_id id)
{
   if (reg != HD_GCN_NO_SGPR)
      s->to->user_sgprs[reg] = of_draw(s, id);
}

void
hd_gcn_stage_launch_start(hd_gcn_stage_launch *s)
{
   const bool fragment = s->shader->stage == HD_STAGE_FRAGMENT;
   hd_gcn_sim_launch *to = s->to;
   uint64_t lanes = 1, groups = 1;

   for (unsigned n = 0; n < 3; n++) {
      lanes *= to->workgroup_size[n];
      groups *= to->num_workgroups[n];
      if (lanes > UINT32_MAX || groups > UINT32_MAX || lanes * groups > MAX_VERTICES * LANES)
         hd_heap_refuse(s->stack->heap, HD_UNSUPPORTED,
                        "expected at most %u invocations, found more", MAX_VERTICES * LANES);
   }
   s->group_lanes = (uint32_t)lanes;
   s->num_invocations = (uint32_t)(lanes * groups);
   s->waves_of_group = (uint32_t)(lanes + LANES - 1) / LANES;
   if (fragment)
      to->lds_size = s->binary->graphics.num_parameters * QUADS * BYTES_OF_INPUT;
   else
      add_attributes(s);
   set_user_sgpr(s, s->abi->base_vertex, HD_INTRINSIC_BASE_VERTEX);
   set_user_sgpr(s, s->abi->base_instance, HD_INTRINSIC_BASE_INSTANCE);
   set_user_sgpr(s, s->abi->draw_index, HD_INTRINSIC_DRAW_INDEX);
   set_user_sgpr(s, s->abi->view_index, HD_INTRINSIC_VIEW_INDEX);
   const uint32_t num = s->waves_of_group * (uint32_t)groups;
   s->starts = hd_stack_alloc_zero(s->stack, (num + 1) * sizeof(*s->starts));
   for (uint32_t n = 0; n < num; n++)
      start_wave(s, n, &s->starts[n]);
   to->starts = s->starts;
   to->workgroup_size[0] = LANES;
   to->num_workgroups[0] = num;
   for (unsigned n = 1; n < 3; n++)
      to->workgroup_size[n] = to->num_workgroups[n] = 1;
   to->receive = hd_gcn_stage_receive;
   to->receiver = s;
   to->active = NULL;
}
