/* SPDX-License-Identifier: MIT */
/* world.c - generate the memory and arguments of a launch. */
#include "compare/compare.h"
#include "heddle/intrinsic_enum.h"

#include <string.h>

#include "heddle/ops.h"
#include "util/bytes.h"
#include "wave/texture.h"

#define NUM_DISTANCES 8u /* of a vertex: clip, and cull */

static piece *
find_piece(world *w, piece_kind kind, uint32_t set, uint32_t binding, uint32_t array_index)
{
   for (uint32_t n = 0; n < w->num_pieces; n++) {
      piece *p = &w->pieces[n];
      if (p->kind == kind && p->set == set && p->binding == binding &&
          p->array_index == array_index)
         return p;
   }
   return NULL;
}

static piece *
add_piece(world *w, piece_kind kind, uint64_t size)
{
   if (w->num_pieces == w->capacity) {
      const uint32_t capacity = w->capacity ? 2 * w->capacity : 16;
      piece *pieces = hd_stack_alloc(w->stack, capacity * sizeof(*pieces));
      if (w->num_pieces)
         memcpy(pieces, w->pieces, w->num_pieces * sizeof(*pieces));
      w->pieces = pieces;
      w->capacity = capacity;
   }
   piece *p = &w->pieces[w->num_pieces++];
   *p = (piece){ .kind = kind, .size = size, .offset = w->size };
   w->size += (size + 15) & ~UINT64_C(15);
   return p;
}

/* How many descriptors an access may choose from. An intrinsic of a driver's own need not choose. */
static uint32_t
num_descriptors(const hd_src *array_index)
{
   const hd_const *c = array_index ? hd_src_as_const(array_index) : NULL;

   if (!array_index)
      return 1;
   if (!c)
      return 2;
   return c->value[0].u32 < 16 ? c->value[0].u32 + 1 : 1;
}

static const hd_src *
operand_named(const hd_intrinsic *i, const char *name)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (!strcmp(info->src[n].name, name))
         return &i->src[n];
   }
   return NULL;
}

static void
plan_buffer(world *w, const hd_intrinsic *i)
{
   const uint32_t set = hd_intrinsic_index(i, HD_INDEX_SET),
                  binding = hd_intrinsic_index(i, HD_INDEX_BINDING);

   for (uint32_t n = num_descriptors(operand_named(i, "array_index")); n--;) {
      if (find_piece(w, PIECE_BUFFER, set, binding, n))
         continue;
      piece *p = add_piece(w, PIECE_BUFFER, BUFFER_SIZE);
      p->set = set;
      p->binding = binding;
      p->array_index = n;
      w->num_buffers++;
   }
}

/* The size and shape of an image; its component size is asked by the first access. */
static hd_wave_image
image_of(const hd_intrinsic *i, uint32_t array_index)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const hd_image_dim dim = (hd_image_dim)hd_intrinsic_index(i, HD_INDEX_DIM);
   const hd_src *value = operand_named(i, "value"), *data = operand_named(i, "data");
   hd_wave_image image = {
      .set = hd_intrinsic_index(i, HD_INDEX_SET),
      .binding = hd_intrinsic_index(i, HD_INDEX_BINDING),
      .array_index = array_index,
      .width = dim == HD_DIM_BUFFER ? 256 : 8,
      .height = dim == HD_DIM_D1 || dim == HD_DIM_BUFFER ? 1 : 8,
      .depth = dim == HD_DIM_D3 ? 8 : 1,
      .num_layers = dim == HD_DIM_D3 || dim == HD_DIM_BUFFER ? 1 : 6,
      .num_samples = hd_intrinsic_index(i, HD_INDEX_MS) ? 2 : 1,
      .num_levels = 1,
      .bits = 32,
   };

   /* What is sampled has floats, and levels. */
   if (operand_named(i, "sampler")) {
      image.format = HD_TEXEL_RGBA8_UNORM;
      image.num_levels = 3;
   } else if (value)
      image.bits = value->def->bit_size;
   else if (data)
      image.bits = data->def->bit_size;
   else if (info->slots[HD_INDEX_MS])
      image.bits = i->instr.def.bit_size;
   return image;
}

static void
plan_image(world *w, const hd_intrinsic *i, hd_wave_image *images)
{
   const uint32_t set = hd_intrinsic_index(i, HD_INDEX_SET),
                  binding = hd_intrinsic_index(i, HD_INDEX_BINDING);

   for (uint32_t n = num_descriptors(operand_named(i, "image")); n--;) {
      if (find_piece(w, PIECE_IMAGE, set, binding, n))
         continue;
      const hd_wave_image image = image_of(i, n);
      piece *p = add_piece(w, PIECE_IMAGE, hd_image_size(&image));
      p->set = set;
      p->binding = binding;
      p->array_index = n;
      images[w->num_images++] = image;
   }
}

static void
plan_sampler(world *w, const hd_intrinsic *i)
{
   const hd_src *operand = operand_named(i, "sampler");

   for (uint32_t n = operand ? num_descriptors(operand) : 0; n--;) {
      const hd_wave_sampler sampler = {
         .set = hd_intrinsic_index(i, HD_INDEX_SAMPLER_SET),
         .binding = hd_intrinsic_index(i, HD_INDEX_SAMPLER_BINDING),
         .array_index = n,
         .mag = HD_FILTER_LINEAR,
         .min = HD_FILTER_LINEAR,
         .mip = HD_FILTER_LINEAR,
         .max_lod = 4,
         .compare = HD_COMPARE_LESS,
      };
      uint32_t at = 0;
      while (at < w->num_samplers &&
             (w->samplers[at].set != sampler.set || w->samplers[at].binding != sampler.binding ||
              w->samplers[at].array_index != n))
         at++;
      w->samplers[at] = sampler;
      w->num_samplers += at == w->num_samplers;
   }
}

/* What a rasteriser or a draw gives, or takes. */
static void
plan_given(world *w, const hd_intrinsic *i, uint32_t lanes)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr.op;
   const uint32_t modes[2] = { hd_intrinsic_index(i, HD_INDEX_INTERP_MODE),
                               hd_intrinsic_index(i, HD_INDEX_INTERP_LOCATION) };

   for (uint32_t n = 0; n < w->num_pieces; n++) {
      const piece *p = &w->pieces[n];
      if (p->kind == PIECE_GIVEN && p->id == id && p->modes[0] == modes[0] &&
          p->modes[1] == modes[1])
         return;
   }
   const bool result = i->instr.def.bit_size;
   const uint32_t components = operand_named(i, "index") ? NUM_DISTANCES
                               : result                  ? i->instr.def.num_components
                                                         : i->src[0].def->num_components;
   piece *p = add_piece(w, PIECE_GIVEN, (uint64_t)lanes * components * 4);
   p->id = id;
   p->components = components;
   p->modes[0] = modes[0];
   p->modes[1] = modes[1];
   p->numbered = id == HD_INTRINSIC_VERTEX_INDEX || id == HD_INTRINSIC_PRIMITIVE_ID ||
                 id == HD_INTRINSIC_SAMPLE_MASK_IN;
   p->same = hd_intrinsic_get_info(id)->divergence == HD_DIVERGENCE_UNIFORM;
   w->num_given++;
}

/* Locations that an access can touch: those that its operand counts on are not known. */
static void
plan_location(world *w, const hd_intrinsic *i, unsigned which)
{
   const hd_src *index = operand_named(i, "index");
   const hd_const *c = index ? hd_src_as_const(index) : NULL;
   const uint64_t end =
       (uint64_t)hd_intrinsic_index(i, HD_INDEX_LOCATION) + 2 + (c ? c->value[0].u32 : 2);

   if (end <= MAX_LOCATIONS && end > w->num_locations[which])
      w->num_locations[which] = (uint32_t)end;
}

static void
plan_intrinsic(world *w, const hd_intrinsic *i, uint32_t lanes, hd_wave_image *images)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   /* What any stage has, such as the number of the lane, nothing needs to give. */
   const bool graphics = i->instr.op < HD_INTRINSIC_OWN &&
                         !(info->stages & (1u << HD_STAGE_COMPUTE | 1u << HD_STAGE_KERNEL));
   const uint32_t touched = info->reads | info->writes;

   plan_sampler(w, i);
   if (i->instr.op == HD_INTRINSIC_LOAD_INPUT || i->instr.op == HD_INTRINSIC_LOAD_INTERPOLATED) {
      plan_location(w, i, 0);
      w->interpolates |= i->instr.op == HD_INTRINSIC_LOAD_INTERPOLATED;
   } else if (i->instr.op == HD_INTRINSIC_STORE_OUTPUT)
      plan_location(w, i, 1);
   else if (info->slots[HD_INDEX_BINDING] && operand_named(i, "image"))
      plan_image(w, i, images);
   else if (info->slots[HD_INDEX_BINDING])
      plan_buffer(w, i);
   else if (touched & HD_MEMORY_GLOBAL && !w->region.address) {
      w->region.address = GLOBAL_ADDRESS;
      add_piece(w, PIECE_GLOBAL, BUFFER_SIZE);
   } else if (graphics && ((touched & (HD_MEMORY_INPUT | HD_MEMORY_OUTPUT) &&
                            !info->slots[HD_INDEX_LOCATION]) ||
                           (!info->num_srcs && info->flags & HD_HAS_RESULT &&
                            !(info->flags & HD_CROSS_LANE) && !touched)))
      plan_given(w, i, lanes);
}

static void
plan_params(world *w, const hd_shader *shader)
{
   const hd_function *f = shader->first_function;
   uint64_t state = w->seed ^ 0x55;

   if (!f)
      return;
   for (unsigned pass = 0; pass < 2; pass++) {
      w->num_params = 0;
      hd_foreach_instr(i, hd_function_start(f)) {
         if (i->kind != HD_INSTR_PARAM)
            continue;
         for (unsigned c = 0; c < i->def.num_components; c++, w->num_params++) {
            const bool pointer = i->def.bit_size == 64 && i->def.num_components == 1;
            if (!pass)
               continue;
            if (pointer) {
               w->params[w->num_params].u64 = GLOBAL_ADDRESS;
               continue;
            }
            const uint64_t high = next_number(&state);
            w->params[w->num_params].u64 = high << 32 | next_number(&state) % 64;
         }
      }
      if (!pass)
         w->params = hd_stack_alloc_zero(w->stack, w->num_params * sizeof(*w->params) + 1);
   }
}

/* Numbers of 32 bits: small ones, edges of integers and of floats of 16 and 32 bits, any. */
static uint32_t
edge_number(uint64_t *state)
{
   static const uint32_t edges[] = {
      0,          1,          UINT32_MAX, 0x80000000, 0x7fffffff, 0x3f800000, 0xbf800000,
      0x7f800000, 0xff800000, 0x7fc00000, 0x00000001, 0x00800000, 0x40000000, 0x3f000000,
      0x3c003c00, 0x7c008000, 0x7fff8000, 0x00ff00ff, 0x41200000, 0xc1200000,
   };
   const uint32_t what = next_number(state);

   switch (what % 8) {
   case 0:
   case 1:
   case 2:
      return what >> 8 & 31;
   case 3:
   case 4:
      return edges[(what >> 8) % (sizeof(edges) / sizeof(edges[0]))];
   case 5:
      /* A float near 1, of either sign. */
      return 0x3f000000 + (what >> 8 & 0x1ffffff) / 2 + (what & 0x80000000);
   default:
      return next_number(state);
   }
}

/* What a rasteriser can give instead: positions are the centers of pixels, 1 / w is a power of two, as machines
 * have w and its reciprocal; a point is from 0 to 1; layers and samples have few bits. In points, barycentric
 * coordinates are finite: machines interpolate the place in a point by them.
 */
static uint32_t
possible(hd_intrinsic_id id, unsigned component, uint32_t k, uint32_t number, bool points)
{
   switch (id) {
   case HD_INTRINSIC_FRAG_COORD:
      return component < 2    ? 0x3f000000 + (number & 1) * 0xc00000
             : component == 3 ? 0x3e000000 + k / 4 % 3 * 0x800000
                              : number;
   case HD_INTRINSIC_SAMPLE_POS:
      return 0x3f000000;
   case HD_INTRINSIC_POINT_COORD:
      return 0x3e000000 + k / 4 % 3 * 0x800000;
   case HD_INTRINSIC_BARYCENTRIC:
      return points && (number & 0x7f800000) == 0x7f800000 ? number & ~UINT32_C(0x800000) : number;
   case HD_INTRINSIC_LAYER:
      return number & 0x7ff;
   case HD_INTRINSIC_SAMPLE_ID:
      return number & 15;
   default:
      return number;
   }
}

static bool
has_points(const world *w)
{
   bool points = false;

   for (uint32_t n = 0; n < w->num_pieces; n++)
      points |= w->pieces[n].kind == PIECE_GIVEN && w->pieces[n].id == HD_INTRINSIC_POINT_COORD;
   return points;
}

/* 4 KiB of them are enough: they are repeated, each time from another place. */
static void
fill(world *w)
{
   uint8_t words[4096];
   uint64_t state = w->seed;
   const bool points = has_points(w);

   for (unsigned n = 0; n < 1024; n++)
      put_number(words + 4 * n, 4, edge_number(&state));
   for (uint64_t at = 0; at < w->size; at += 4096 + 16) {
      const uint64_t rest = w->size - at;
      memcpy(w->first + at, words, rest < sizeof(words) ? rest : sizeof(words));
      if (rest > sizeof(words))
         memcpy(w->first + at + sizeof(words), words,
                rest - sizeof(words) < 16 ? rest - sizeof(words) : 16);
   }
   for (uint32_t n = 0; n < w->num_pieces; n++) {
      const piece *p = &w->pieces[n];
      for (uint32_t k = 0; p->numbered && k < p->size / 4; k++)
         put_number(w->first + p->offset + k * 4, 4, k);
      for (uint32_t k = 0; p->kind == PIECE_GIVEN && k < p->size / 4; k++)
         put_number(w->first + p->offset + k * 4, 4,
                    possible(p->id, k % p->components, k,
                             (uint32_t)get_number(w->first + p->offset + k * 4, 4), points));
      for (uint32_t k = p->components; p->same && k < p->size / 4; k++)
         memcpy(w->first + p->offset + k * 4, w->first + p->offset + (k - p->components) * 4, 4);
   }
}

/* What a primitive has, which covers whole quads, so that it is the same for each of four fragments. */
static bool
is_of_primitive(const piece *p)
{
   return p->kind == PIECE_INPUTS || p->kind == PIECE_CORNERS ||
          (p->kind == PIECE_GIVEN &&
           (p->id == HD_INTRINSIC_VIEWPORT_INDEX || p->id == HD_INTRINSIC_LAYER ||
            p->id == HD_INTRINSIC_POINT_COORD));
}

static void
share_primitives(world *w, uint32_t lanes)
{
   for (uint32_t n = 0; n < w->num_pieces; n++) {
      const piece *p = &w->pieces[n];
      const uint64_t record = p->size / lanes;
      for (uint32_t k = 0; is_of_primitive(p) && k < lanes; k++)
         memmove(w->first + p->offset + k * record, w->first + p->offset + k / 4 * 4 * record,
                 record);
   }
}

static hd_wave_memory
memory_of(const world *w, const piece *p)
{
   return (hd_wave_memory){ w->data + p->offset, w->undefined + p->offset, p->size };
}

/* Bind the pieces, in their order. */
static void
bind(world *w, hd_wave_image *images)
{
   uint32_t buffers = 0, num_images = 0, given = 0;

   w->buffers = hd_stack_alloc_zero(w->stack, w->num_buffers * sizeof(*w->buffers) + 1);
   w->given = hd_stack_alloc_zero(w->stack, w->num_given * sizeof(*w->given) + 1);
   w->images = images;
   for (uint32_t n = 0; n < w->num_pieces; n++) {
      const piece *p = &w->pieces[n];
      if (p->kind == PIECE_BUFFER)
         w->buffers[buffers++] =
             (hd_wave_buffer){ p->set, p->binding, p->array_index, memory_of(w, p) };
      else if (p->kind == PIECE_IMAGE)
         w->images[num_images++].memory = memory_of(w, p);
      else if (p->kind == PIECE_GLOBAL)
         w->region.memory = memory_of(w, p);
      else if (p->kind == PIECE_GIVEN)
         w->given[given++] = (hd_wave_builtin){ p->id, p->modes[0], p->modes[1], memory_of(w, p) };
   }
}

void
hd_compare_world_plan(world *w, const hd_shader *shader, uint32_t lanes, hd_stack *stack,
                      uint64_t seed)
{
   uint32_t most_images = 0, most_samplers = 0;

   *w = (world){ .stack = stack, .seed = hd_mix(seed + 77) };
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_intrinsic *access = hd_instr_as_intrinsic(i);
            if (access && operand_named(access, "image"))
               most_images += num_descriptors(operand_named(access, "image"));
            if (access && operand_named(access, "sampler"))
               most_samplers += num_descriptors(operand_named(access, "sampler"));
         }
      }
   }
   hd_wave_image *images = hd_stack_alloc_zero(stack, most_images * sizeof(*images) + 1);
   w->samplers = hd_stack_alloc_zero(stack, most_samplers * sizeof(*w->samplers) + 1);
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_intrinsic *access = hd_instr_as_intrinsic(i);
            if (access)
               plan_intrinsic(w, access, lanes, images);
         }
      }
   }
   if (shader->push_size)
      add_piece(w, PIECE_PUSH, shader->push_size);
   if (shader->kernarg_size)
      add_piece(w, PIECE_KERNARG, shader->kernarg_size);
   for (unsigned n = 0; n < 2; n++) {
      if (w->num_locations[n])
         add_piece(w, n ? PIECE_OUTPUTS : PIECE_INPUTS, (uint64_t)w->num_locations[n] * 16 * lanes);
   }
   if (w->interpolates)
      add_piece(w, PIECE_CORNERS, (uint64_t)w->num_locations[0] * 48 * lanes);
   plan_params(w, shader);
   w->first = hd_stack_alloc(stack, w->size + 1);
   w->data = hd_stack_alloc(stack, w->size + 1);
   w->undefined = hd_stack_alloc(stack, w->size + 1);
   fill(w);
   if (shader->stage == HD_STAGE_FRAGMENT && lanes)
      share_primitives(w, lanes);
   bind(w, images);
}

void
hd_compare_world_reset(world *w, hd_wave_launch *launch)
{
   memcpy(w->data, w->first, w->size);
   memset(w->undefined, 0, w->size);
   launch->params = w->params;
   launch->num_params = w->num_params;
   launch->buffers = w->buffers;
   launch->num_buffers = w->num_buffers;
   launch->images = w->images;
   launch->num_images = w->num_images;
   launch->samplers = w->samplers;
   launch->num_samplers = w->num_samplers;
   launch->given = w->given;
   launch->num_given = w->num_given;
   launch->regions = &w->region;
   launch->num_regions = w->region.address != 0;
   launch->num_input_locations = w->num_locations[0];
   launch->num_output_locations = w->num_locations[1];
   for (uint32_t n = 0; n < w->num_pieces; n++) {
      const piece *p = &w->pieces[n];
      if (p->kind == PIECE_PUSH)
         launch->push = memory_of(w, p);
      else if (p->kind == PIECE_KERNARG)
         launch->kernarg = memory_of(w, p);
      else if (p->kind == PIECE_INPUTS)
         launch->inputs = memory_of(w, p);
      else if (p->kind == PIECE_CORNERS)
         launch->corners = memory_of(w, p);
      else if (p->kind == PIECE_OUTPUTS)
         launch->outputs = memory_of(w, p);
   }
}

const piece *
hd_compare_world_piece(const world *w, uint64_t at)
{
   uint32_t n = 0;

   while (n + 1 < w->num_pieces && w->pieces[n + 1].offset <= at)
      n++;
   return &w->pieces[n];
}
