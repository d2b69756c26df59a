/* SPDX-License-Identifier: MIT */
/* exec_sample.c - the texture unit: what it makes of coordinates, in the interpreter's arithmetic (wave/texture.h).
 *
 * It works on a copy of the image whose texels lie as the interpreter's do, which is made again after any
 * store. Coordinates on a face become a direction again.
 */
#include "backend/gcn/sim/exec_image.h"

#include <inttypes.h>
#include <string.h>

#include "backend/gcn/sim/image_launch.h"
#include "backend/gcn/sim/machine.h"
#include "backend/gcn/sim/sampler.h"
#include "wave/texture.h"

#define NEAREST HD_ROUND_NEAREST_EVEN
#define ONE     UINT64_C(0x3f800000)
/* The largest number below one. */
#define ALMOST_ONE UINT64_C(0x3f7fffff)

struct hd_gcn_texture {
   uint32_t words[8];
   uint64_t num_stores; /* of the machine, when it was copied */
   bool used;
   hd_wave_image image;
   uint64_t capacity;
};

#define MAX_ADDRESS 12u

/* Where each part of the address is: an index of its registers; -1: it has none. The registers as they are before
 * the first lane has its result, which may lie in them: lanes read those of their quad.
 */
typedef struct parts {
   int offset, bias, reference, ddx, ddy, coord, level, clamp;
   unsigned num, dims, coords;
   uint32_t value[MAX_ADDRESS][LANES], undef[MAX_ADDRESS][LANES];
} parts;

static void
find_parts(const hd_gcn_image_access *a, parts *p)
{
   const hd_gcn_image_op *op = a->op;
   const bool cube = a->image.type == HD_GCN_IMAGE_CUBE;

   p->offset = p->bias = p->reference = p->ddx = p->ddy = p->level = p->clamp = -1;
   p->num = 0;
   p->dims = hd_gcn_image_dims(&a->image);
   p->coords = p->dims + (cube || a->slices);
   if (op->offset)
      p->offset = (int)p->num++;
   if (op->bias)
      p->bias = (int)p->num++;
   if (op->compare)
      p->reference = (int)p->num++;
   if (op->gradients) {
      p->ddx = (int)p->num;
      p->ddy = (int)(p->num + p->dims);
      p->num += 2 * p->dims;
   }
   p->coord = (int)p->num;
   p->num += p->coords;
   if (op->level)
      p->level = (int)p->num++;
   if (op->clamp)
      p->clamp = (int)p->num++;
}

unsigned
hd_gcn_sample_address(const hd_gcn_image_access *a)
{
   parts p;

   find_parts(a, &p);
   return p.num;
}

static hd_image_dim
dim_of(const hd_gcn_image *image)
{
   return image->type == HD_GCN_IMAGE_CUBE ? HD_DIM_CUBE
          : hd_gcn_image_dims(image) == 3  ? HD_DIM_D3
          : hd_gcn_image_dims(image) == 2  ? HD_DIM_D2
                                           : HD_DIM_D1;
}

/* The image as it is now, texel after texel. NULL: a fault of the wave was reported. */
static const hd_wave_image *
copy_of(hd_gcn_wave *wave, const hd_gcn_image_access *a)
{
   hd_gcn_machine *m = wave->machine;
   const hd_gcn_image *image = &a->image;
   struct hd_gcn_texture *t = m->texture;

   if (!t)
      t = m->texture = hd_stack_alloc_zero(&m->stack, sizeof(*t));
   if (t->used && t->num_stores == m->num_stores && !memcmp(t->words, a->words, sizeof(t->words)))
      return &t->image;
   const uint64_t size = hd_gcn_image_size(image);
   const hd_mach_memory_region *r =
       size <= UINT32_MAX ? hd_mach_memory_find(&m->memory, image->base, (unsigned)size) : NULL;
   if (!r) {
      hd_gcn_tell_fault(wave, -1,
                        "an image of %" PRIu64 " bytes at 0x%" PRIx64 ", which are not all mapped",
                        size, image->base);
      return NULL;
   }
   t->image = (hd_wave_image){
      .width = image->width,
      .height = image->height,
      .depth = image->depth,
      .num_layers = image->last_slice + 1,
      .num_levels = image->last_level + 1,
      .num_samples = image->samples,
      .format = image->format,
      .memory = t->image.memory,
   };
   const uint64_t need = hd_image_size(&t->image), at = image->base - r->address;
   if (need > t->capacity) {
      t->image.memory = hd_mach_memory_bytes(&m->stack, need, false);
      t->capacity = need;
   }
   const hd_wave_memory from = { r->data + at, r->undef ? r->undef + at : NULL, size };
   memset(t->image.memory.undefined, 0, (size_t)need);
   hd_gcn_image_copy(image, &t->image, from, true);
   memcpy(t->words, a->words, sizeof(t->words));
   t->num_stores = m->num_stores;
   t->used = true;
   return &t->image;
}

static bool
read_sampler(hd_gcn_wave *wave, const hd_gcn_image_access *a, hd_wave_sampler *out)
{
   uint32_t words[4], undef[4];

   if (!hd_gcn_read_sgprs(wave, *hd_mach_src(a->inst, 2), 4, words, undef))
      return false;
   for (unsigned n = 0; n < 4; n++) {
      if (undef[n])
         return hd_gcn_fault(wave, -1, "undefined bits 0x%" PRIx32 " reach word %u of a sampler",
                             undef[n], n);
   }
   const char *why = hd_gcn_sampler_read(words, out);
   return !why || hd_gcn_fault(wave, -1, "%s", why);
}

/* 2 (x - 1) - 1, inside of the face. */
static uint64_t
on_face(uint32_t x)
{
   const uint64_t two = UINT64_C(0x40000000), three = UINT64_C(0x40400000);
   const uint64_t c = hd_float_fma(32, x, two, hd_float_neg(32, three), NEAREST);

   if (hd_float_abs(32, c) < ONE)
      return c;
   return ALMOST_ONE | (c & hd_float_sign_bit(32));
}

/* A direction by its parts on a face: sc, tc, and rc, which is 1 or, of a derivative, 0. */
static void
direction(unsigned face, uint64_t sc, uint64_t tc, uint64_t rc, uint32_t out[3])
{
   const bool negative = face & 1;
   const uint32_t x = (uint32_t)sc, y = (uint32_t)tc, minus_x = (uint32_t)hd_float_neg(32, sc),
                  minus_y = (uint32_t)hd_float_neg(32, tc);

   if (negative)
      rc = hd_float_neg(32, rc);
   switch (face / 2) {
   case 0:
      out[0] = (uint32_t)rc;
      out[1] = minus_y;
      out[2] = negative ? x : minus_x;
      break;
   case 1:
      out[0] = x;
      out[1] = (uint32_t)rc;
      out[2] = negative ? minus_y : y;
      break;
   default:
      out[0] = negative ? minus_x : x;
      out[1] = minus_y;
      out[2] = (uint32_t)rc;
      break;
   }
}

static uint32_t
number(const parts *p, int part, unsigned n, unsigned lane)
{
   return p->value[(unsigned)part + n][lane];
}

/* A face, and 8 times the cube. */
static uint32_t
face_of(const parts *p, unsigned lane)
{
   const uint32_t face = (uint32_t)hd_float_to_uint(32, number(p, p->coord, 2, lane), 32, NEAREST);

   return face % 8 < 6 ? face : (face & ~7u) + 5;
}

/* A gradient of the lane, as of a direction if it is one of a face. */
static void
gradient(const hd_gcn_image_access *a, const parts *p, int part, unsigned lane, uint32_t out[3])
{
   for (unsigned n = 0; n < p->dims; n++)
      out[n] = number(p, part, n, lane);
   if (a->image.type == HD_GCN_IMAGE_CUBE)
      direction(face_of(p, lane) % 8, hd_float_ldexp(32, out[0], 1), hd_float_ldexp(32, out[1], 1),
                0, out);
}

/* The coordinates of a lane as the interpreter has them. */
static void
coordinates(const hd_gcn_image_access *a, const parts *p, unsigned lane, uint32_t coord[4])
{
   if (a->image.type != HD_GCN_IMAGE_CUBE) {
      for (unsigned n = 0; n < p->coords; n++)
         coord[n] = number(p, p->coord, n, lane);
      return;
   }
   const uint32_t face = face_of(p, lane);
   direction(face % 8, on_face(number(p, p->coord, 0, lane)), on_face(number(p, p->coord, 1, lane)),
             ONE, coord);
   coord[3] = (uint32_t)hd_float_from_uint(32, face / 8, NEAREST);
}

/* Along x and y, of the quad's first lane; false: one of its lanes is not there, or has nothing. */
static bool
quad_derivatives(hd_gcn_wave *wave, const hd_gcn_image_access *a, const parts *p, unsigned lane,
                 uint32_t ddx[3], uint32_t ddy[3])
{
   const unsigned first = lane & ~3u;
   uint32_t at[3][4] = { { 0 } };

   if ((hd_gcn_exec(wave) >> first & 15) != 15)
      return false;
   for (unsigned n = 0; n < 3; n++) {
      for (unsigned c = 0; c < p->coords; c++) {
         if (p->undef[(unsigned)p->coord + c][first + n])
            return false;
      }
      coordinates(a, p, first + n, at[n]);
   }
   for (unsigned c = 0; c < 3; c++) {
      ddx[c] = (uint32_t)hd_float_sub(32, at[1][c], at[0][c], NEAREST);
      ddy[c] = (uint32_t)hd_float_sub(32, at[2][c], at[0][c], NEAREST);
   }
   return true;
}

static int32_t
offset_part(uint32_t packed, unsigned n)
{
   return (int32_t)((packed >> 8 * n & 63) ^ 32) - 32;
}

/* False: there is no defined result. */
static bool
find_level(hd_gcn_wave *wave, const hd_gcn_image_access *a, const parts *p, unsigned lane,
           const hd_texture *t, const hd_wave_sampler *s, hd_sample *q)
{
   const hd_gcn_image_op *op = a->op;
   uint32_t ddx[3] = { 0 }, ddy[3] = { 0 };

   q->least = op->clamp ? hd_lod_from_float(number(p, p->clamp, 0, lane)) : INT64_MIN;
   if (op->gradients) {
      gradient(a, p, p->ddx, lane, ddx);
      gradient(a, p, p->ddy, lane, ddy);
   } else if (!op->level && !op->zero && !q->gather) {
      if (!quad_derivatives(wave, a, p, lane, ddx, ddy))
         return op->kind != HD_GCN_TEXEL_LEVEL_OF && hd_texture_ignores_lod(t, s, q->least);
   }
   if (op->level)
      q->lod = hd_lod_from_float(number(p, p->level, 0, lane));
   else if (!op->zero && !q->gather)
      q->lod = hd_texture_lod(t, s, q->coord, ddx, ddy);
   if (op->bias)
      q->lod += hd_lod_from_float(number(p, p->bias, 0, lane));
   return true;
}

static bool
is_defined(const parts *p, unsigned lane)
{
   uint32_t undef = 0;

   for (unsigned n = 0; n < p->num; n++)
      undef |= p->undef[n][lane];
   return !undef;
}

static unsigned
component_of(const hd_gcn_image_access *a)
{
   unsigned n = 0;

   while (n < 3 && !((unsigned)a->inst->imm >> n & 1))
      n++;
   return n;
}

static void
sample_lane(hd_gcn_wave *wave, const hd_gcn_image_access *a, const parts *p, const hd_texture *t,
            const hd_wave_sampler *s, unsigned lane)
{
   hd_sample q = { .compare = a->op->compare,
                   .gather = a->op->kind == HD_GCN_TEXEL_GATHER,
                   .component = component_of(a) };
   uint64_t out[4] = { 0 };
   uint32_t levels[2] = { 0 };
   hd_gcn_texel texel = { { 0 }, { 0 } };
   bool defined = is_defined(p, lane);

   if (defined) {
      coordinates(a, p, lane, q.coord);
      for (unsigned n = 0; n < 3 && p->offset >= 0; n++)
         q.offset[n] = offset_part(number(p, p->offset, 0, lane), n);
      if (p->reference >= 0)
         q.reference = number(p, p->reference, 0, lane);
      defined = find_level(wave, a, p, lane, t, s, &q);
   }
   if (defined && a->op->kind == HD_GCN_TEXEL_LEVEL_OF)
      hd_texture_query_lod(t, s, q.lod, levels);
   else if (defined)
      defined = hd_texture_sample(t, s, &q, out);
   for (unsigned n = 0; n < 4; n++) {
      texel.value[n] = (uint32_t)out[n];
      if (a->op->kind == HD_GCN_TEXEL_LEVEL_OF)
         texel.value[n] = levels[n & 1];
      texel.undef[n] = defined ? 0 : UINT32_MAX;
   }
   hd_gcn_texel_write(wave, &a->registers, lane, &texel);
}

bool
hd_gcn_execute_sample(hd_gcn_wave *wave, const hd_gcn_image_access *a)
{
   parts p;
   hd_wave_sampler s;

   if (!read_sampler(wave, a, &s))
      return false;
   const bool linear =
       s.mag == HD_FILTER_LINEAR || s.min == HD_FILTER_LINEAR || s.mip == HD_FILTER_LINEAR;
   if (hd_gcn_image_is_multisampled(&a->image))
      return hd_gcn_fault(wave, -1, "expected an image of one sample, found a multisampled one");
   if (linear && a->op->kind == HD_GCN_TEXEL_SAMPLE && hd_gcn_texel_is_integer(a->image.format))
      return hd_gcn_fault(wave, -1,
                          "expected the filter nearest for an integer format, found linear");
   if (a->image.type == HD_GCN_IMAGE_CUBE && a->image.last_slice < 5)
      return hd_gcn_fault(wave, -1, "expected six faces of a cube, found fewer");
   if (a->image.first_slice || a->image.first_level)
      return hd_gcn_fault(wave, -1,
                          "the simulator samples images from their first slice and level");
   const hd_wave_image *image = copy_of(wave, a);
   if (!image)
      return false;
   const hd_texture t = { image, image->memory.data, image->memory.undefined, dim_of(&a->image),
                          a->slices &&
                              (a->image.type != HD_GCN_IMAGE_CUBE || a->image.last_slice > 5) };
   find_parts(a, &p);
   for (unsigned n = 0; n < p.num; n++) {
      memcpy(p.value[n], wave->vgpr[a->vaddr + n], sizeof(p.value[n]));
      memcpy(p.undef[n], wave->vgpr_undef[a->vaddr + n], sizeof(p.undef[n]));
   }
   hd_gcn_foreach_lane(l, hd_gcn_exec(wave))
   {
      sample_lane(wave, a, &p, &t, &s, (unsigned)l);
   }
   return true;
}
