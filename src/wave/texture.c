/* SPDX-License-Identifier: MIT */
/* texture.c - texture sampling: addressing, mip levels, filtering, depth compares.
 *
 * Coordinates, weights and levels are numbers with 8 fractional bits, sums of texels are taken in binary64: all
 * is exact or correctly rounded, on any host.
 */
#include "wave/texture.h"

#include <string.h>

#include "util/bytes.h"
#include "util/float.h"

#define NEAREST  HD_ROUND_NEAREST_EVEN
#define FRACTION 8u
#define ONE_32   UINT32_C(0x3f800000)

/* Where texels are */

unsigned
hd_image_dimensions(hd_image_dim dim)
{
   return dim == HD_DIM_D3 ? 3 : dim == HD_DIM_D2 || dim == HD_DIM_CUBE ? 2 : 1;
}

hd_extent
hd_image_extent(const hd_wave_image *image, unsigned level)
{
   return (hd_extent){ at_least_1(at_least_1(image->width) >> level),
                       at_least_1(at_least_1(image->height) >> level),
                       at_least_1(at_least_1(image->depth) >> level) };
}

unsigned
hd_image_texel_size(const hd_wave_image *image)
{
   const unsigned size = hd_texel_format_size(image->format);

   return size ? size : image->bits / 8 * 4;
}

/* a * b, or UINT64_MAX where that does not fit. */
static uint64_t
multiply(uint64_t a, uint64_t b)
{
   return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

uint64_t
hd_image_level_size(const hd_wave_image *image, unsigned level)
{
   const hd_extent e = hd_image_extent(image, level);
   uint64_t size = multiply(multiply(e.width, e.height), e.depth);

   size = multiply(multiply(size, hd_image_texel_size(image)), at_least_1(image->num_layers));
   return multiply(size, at_least_1(image->num_samples));
}

uint64_t
hd_image_size(const hd_wave_image *image)
{
   uint64_t size = 0;

   for (unsigned level = 0; level < at_least_1(image->num_levels); level++) {
      const uint64_t more = hd_image_level_size(image, level);
      size = more > UINT64_MAX - size ? UINT64_MAX : size + more;
   }
   return size;
}

uint64_t
hd_image_texel_offset(const hd_wave_image *image, unsigned level, const uint64_t at[3],
                      uint64_t layer, uint64_t sample)
{
   const hd_extent e = hd_image_extent(image, level);
   uint64_t offset = 0;

   for (unsigned n = 0; n < level; n++)
      offset += hd_image_level_size(image, n);
   const uint64_t texel = ((layer * e.depth + at[2]) * e.height + at[1]) * e.width + at[0];
   return offset + (texel * at_least_1(image->num_samples) + sample) * hd_image_texel_size(image);
}

bool
hd_texture_filters(const hd_wave_image *image)
{
   return !hd_texel_is_integer(hd_texel_layout_of(image->format));
}

/* Texels */

struct texel {
   uint64_t v[4];
   bool defined;
};

static struct texel
read_texel(const hd_texture *t, unsigned level, uint64_t layer, const uint64_t at[3])
{
   const hd_wave_image *image = t->image;
   const hd_texel_layout *layout = hd_texel_layout_of(image->format);
   const uint64_t offset = hd_image_texel_offset(image, level, at, layer, 0);
   const unsigned size = hd_image_texel_size(image);
   struct texel x = { .defined = true };

   for (unsigned n = 0; t->undefined && n < size; n++)
      x.defined &= !t->undefined[offset + n];
   if (layout) {
      hd_texel_decode(layout, t->data + offset, x.v);
   } else {
      const unsigned bytes = image->bits / 8;
      for (unsigned c = 0; c < 4; c++)
         x.v[c] = hd_float_convert(image->bits, 32, get_number(t->data + offset + c * bytes, bytes),
                                   NEAREST);
   }
   return x;
}

/* A component that the format lacks is as in a texel of it: 0, or 1 as the last. */
static struct texel
border_texel(const hd_texture *t, const hd_wave_sampler *s)
{
   const hd_texel_layout *layout = hd_texel_layout_of(t->image->format);
   const uint64_t one = hd_texture_filters(t->image) ? ONE_32 : 1;
   struct texel x = { .defined = true };

   for (unsigned c = 0; c < 4; c++) {
      const bool missing = layout && !layout->bits[c];
      const bool last = c == 3;
      const bool full =
          s->border == HD_BORDER_OPAQUE_WHITE || (last && s->border != HD_BORDER_TRANSPARENT_BLACK);

      x.v[c] = (missing ? last : full) ? one : 0;
   }
   return x;
}

/* Coordinates */

/* f * size * 2^fraction, rounded; it saturates at 47 bits. NaN is 0. */
static int64_t
scale(uint32_t f, uint64_t size, unsigned fraction, hd_round round)
{
   const uint64_t x = hd_float_convert(32, 64, f, NEAREST);
   const uint64_t product = hd_float_mul(64, x, hd_float_from_uint(64, size, NEAREST), NEAREST);
   const uint64_t n =
       hd_float_to_int(64, hd_float_ldexp(64, product, (int32_t)fraction), 48, round);

   return (int64_t)(n << 16) >> 16;
}

static int64_t
modulo(int64_t a, int64_t n)
{
   const int64_t rest = a % n;

   return rest < 0 ? rest + n : rest;
}

static int64_t
clamp(int64_t x, int64_t low, int64_t high)
{
   return x < low ? low : x > high ? high : x;
}

/* The place of a texel along one axis; -1 is the border. */
static int64_t
wrap(hd_address_mode mode, int64_t i, int64_t n)
{
   switch (mode) {
   case HD_ADDRESS_MIRRORED_REPEAT:
      i = modulo(i, 2 * n);
      return i < n ? i : 2 * n - 1 - i;
   case HD_ADDRESS_CLAMP_TO_EDGE:
      return clamp(i, 0, n - 1);
   case HD_ADDRESS_CLAMP_TO_BORDER:
      return i < 0 || i >= n ? -1 : i;
   case HD_ADDRESS_MIRROR_CLAMP_TO_EDGE:
      return clamp(i < 0 ? -1 - i : i, 0, n - 1);
   default:
      return modulo(i, n);
   }
}

/* Along an axis: the texel, or the first of two and the weight of the second. */
struct axis {
   int64_t i;
   unsigned weight;
};

static struct axis
place(uint32_t coord, uint64_t size, bool unnormalized, bool linear)
{
   const uint64_t scaled = unnormalized ? 1 : size;

   if (!linear)
      return (struct axis){ scale(coord, scaled, 0, HD_ROUND_DOWN), 0 };
   const int64_t x = scale(coord, scaled, FRACTION, NEAREST) - (1 << (FRACTION - 1));
   return (struct axis){ x >> FRACTION, (unsigned)(x & ((1 << FRACTION) - 1)) };
}

/* Faces of cubes */

struct direction {
   unsigned face;
   uint64_t sc, tc, rc; /* floats of 32 bits; rc is not negative */
};

static struct direction
face_of(const uint32_t r[3])
{
   const uint64_t x = hd_float_abs(32, r[0]), y = hd_float_abs(32, r[1]),
                  z = hd_float_abs(32, r[2]);
   const unsigned major = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
   const bool negative = hd_float_sign(32, r[major]);
   struct direction d = { .face = 2 * major + negative, .rc = hd_float_abs(32, r[major]) };

   switch (major) {
   case 0:
      d.sc = negative ? r[2] : hd_float_neg(32, r[2]);
      d.tc = hd_float_neg(32, r[1]);
      break;
   case 1:
      d.sc = r[0];
      d.tc = negative ? hd_float_neg(32, r[2]) : r[2];
      break;
   default:
      d.sc = negative ? hd_float_neg(32, r[0]) : r[0];
      d.tc = hd_float_neg(32, r[1]);
      break;
   }
   return d;
}

/* (sc / rc + 1) / 2 */
static uint32_t
face_coord(uint64_t sc, uint64_t rc)
{
   const uint64_t x = hd_float_add(32, hd_float_div(32, sc, rc, NEAREST), ONE_32, NEAREST);

   return (uint32_t)hd_float_ldexp(32, x, -1);
}

/* A texel one step over an edge is the texel beside it on the next face. False at a corner: there is none. */
static bool
over_edge(unsigned *face, int64_t *i, int64_t *j, int64_t n)
{
   int64_t sc = 2 * *i + 1 - n, tc = 2 * *j + 1 - n, rc = n, r[3];
   const bool over_i = sc < -n || sc > n, over_j = tc < -n || tc > n;

   if (over_i && over_j)
      return false;
   if (!over_i && !over_j)
      return true;
   if (over_i)
      sc = sc < 0 ? -n : n;
   else
      tc = tc < 0 ? -n : n;
   rc = n - 1;
   switch (*face) {
   case 0:
      r[0] = rc, r[1] = -tc, r[2] = -sc;
      break;
   case 1:
      r[0] = -rc, r[1] = -tc, r[2] = sc;
      break;
   case 2:
      r[0] = sc, r[1] = rc, r[2] = tc;
      break;
   case 3:
      r[0] = sc, r[1] = -rc, r[2] = -tc;
      break;
   case 4:
      r[0] = sc, r[1] = -tc, r[2] = rc;
      break;
   default:
      r[0] = -sc, r[1] = -tc, r[2] = -rc;
      break;
   }
   const unsigned major = r[0] == n || r[0] == -n ? 0 : r[1] == n || r[1] == -n ? 1 : 2;
   const int64_t sign = r[major] < 0 ? -1 : 1;
   *face = 2 * major + (sign < 0);
   sc = major == 0 ? -sign * r[2] : major == 1 ? r[0] : sign * r[0];
   tc = major == 1 ? sign * r[2] : -r[1];
   *i = (sc + n - 1) / 2;
   *j = (tc + n - 1) / 2;
   return true;
}

/* Samples */

struct footprint {
   const hd_texture *t;
   const hd_wave_sampler *s;
   const hd_sample *q;
   uint32_t coord[3]; /* on the face of a cube */
   unsigned dims, face;
   uint64_t layer; /* of a cube: its first face */
};

static bool
answer(hd_compare_op op, uint64_t reference, uint64_t x)
{
   switch (op) {
   case HD_COMPARE_LESS:
      return hd_float_lt(32, reference, x);
   case HD_COMPARE_EQUAL:
      return hd_float_eq(32, reference, x);
   case HD_COMPARE_LESS_OR_EQUAL:
      return hd_float_le(32, reference, x);
   case HD_COMPARE_GREATER:
      return hd_float_lt(32, x, reference);
   case HD_COMPARE_NOT_EQUAL:
      return !hd_float_eq(32, reference, x);
   case HD_COMPARE_GREATER_OR_EQUAL:
      return hd_float_le(32, x, reference);
   case HD_COMPARE_ALWAYS:
      return true;
   default:
      return false;
   }
}

/* Answers in the place of numbers; what a normalized format is compared with is held in its range. */
static void
compare(const struct footprint *f, struct texel *x)
{
   const hd_texel_layout *layout = hd_texel_layout_of(f->t->image->format);
   uint64_t reference = f->q->reference;

   if (!f->q->compare)
      return;
   if (layout && layout->kind == TEXEL_UNORM)
      reference = hd_float_saturate(32, reference);
   x->v[0] = answer(f->s->compare, reference, x->v[0]) ? ONE_32 : 0;
   x->v[1] = x->v[2] = 0;
   x->v[3] = ONE_32;
}

/* The texel at a place that may be outside. False at the corner of a cube. */
static bool
texel_at(const struct footprint *f, unsigned level, const int64_t place[3], struct texel *x)
{
   const hd_extent e = hd_image_extent(f->t->image, level);
   const int64_t size[3] = { (int64_t)e.width, (int64_t)e.height, (int64_t)e.depth };
   uint64_t at[3] = { 0 }, layer = f->layer;

   if (f->t->dim == HD_DIM_CUBE) {
      int64_t i = clamp(place[0], -1, size[0]), j = clamp(place[1], -1, size[0]);
      unsigned face = f->face;
      if (!over_edge(&face, &i, &j, size[0]))
         return false;
      at[0] = (uint64_t)i;
      at[1] = (uint64_t)j;
      layer += face;
   } else {
      for (unsigned n = 0; n < f->dims; n++) {
         const int64_t i = wrap(f->s->address[n], place[n], size[n]);
         if (i < 0) {
            *x = border_texel(f->t, f->s);
            compare(f, x);
            return true;
         }
         at[n] = (uint64_t)i;
      }
   }
   if (layer >= at_least_1(f->t->image->num_layers))
      *x = (struct texel){ { 0 }, true };
   else
      *x = read_texel(f->t, level, layer, at);
   compare(f, x);
   return true;
}

/* The mean of the other three, as floats of 64 bits. */
static void
fill_corner(struct texel corners[4], unsigned missing)
{
   const uint64_t three = hd_float_from_uint(64, 3, NEAREST);
   struct texel *x = &corners[missing];

   *x = (struct texel){ .defined = true };
   for (unsigned n = 0; n < 4; n++) {
      if (n == missing)
         continue;
      for (unsigned c = 0; c < 4; c++)
         x->v[c] = hd_float_add(64, x->v[c], corners[n].v[c], NEAREST);
      x->defined &= corners[n].defined;
   }
   for (unsigned c = 0; c < 4; c++)
      x->v[c] = hd_float_div(64, x->v[c], three, NEAREST);
}

static void
widen(struct texel *x)
{
   for (unsigned c = 0; c < 4; c++)
      x->v[c] = hd_float_convert(32, 64, x->v[c], NEAREST);
}

/* The texels of a footprint, x first; floats become such of 64 bits, and the corner of a cube is filled. */
static void
read_corners(const struct footprint *f, unsigned level, const struct axis axes[3],
             struct texel corners[8])
{
   const bool floats = hd_texture_filters(f->t->image);
   unsigned missing = 8;

   for (unsigned n = 0; n < 1u << f->dims; n++) {
      int64_t place[3] = { 0 };
      for (unsigned a = 0; a < f->dims; a++)
         place[a] = axes[a].i + (n >> a & 1);
      if (!texel_at(f, level, place, &corners[n]))
         missing = n;
      else if (floats)
         widen(&corners[n]);
   }
   if (missing < 8 && floats)
      fill_corner(corners, missing);
   else if (missing < 8)
      corners[missing] = corners[missing ^ 1];
}

static void
place_axes(const struct footprint *f, unsigned level, bool linear, struct axis axes[3])
{
   const hd_extent e = hd_image_extent(f->t->image, level);
   const uint64_t size[3] = { e.width, e.height, e.depth };

   for (unsigned n = 0; n < f->dims; n++) {
      axes[n] = place(f->coord[n], size[n], f->s->unnormalized, linear);
      if (f->t->dim == HD_DIM_CUBE && !linear)
         axes[n].i = clamp(axes[n].i, 0, (int64_t)size[n] - 1);
      axes[n].i += f->q->offset[n];
   }
}

/* One level, as floats of 64 bits (integers as they are). */
static struct texel
sample_level(const struct footprint *f, unsigned level, bool linear)
{
   struct axis axes[3];
   struct texel corners[8], sum = { .defined = true };

   place_axes(f, level, linear, axes);
   if (!linear) {
      int64_t at[3] = { 0 };
      for (unsigned n = 0; n < f->dims; n++)
         at[n] = axes[n].i;
      texel_at(f, level, at, &sum);
      if (hd_texture_filters(f->t->image))
         widen(&sum);
      return sum;
   }
   read_corners(f, level, axes, corners);
   for (unsigned n = 0; n < 1u << f->dims; n++) {
      uint64_t weight = 1;
      for (unsigned a = 0; a < f->dims; a++)
         weight *= n >> a & 1 ? axes[a].weight : (1u << FRACTION) - axes[a].weight;
      if (!weight)
         continue;
      const uint64_t w = hd_float_from_uint(64, weight, NEAREST);
      for (unsigned c = 0; c < 4; c++)
         sum.v[c] = hd_float_fma(64, corners[n].v[c], w, sum.v[c], NEAREST);
      sum.defined &= corners[n].defined;
   }
   for (unsigned c = 0; c < 4; c++)
      sum.v[c] = hd_float_ldexp(64, sum.v[c], -(int32_t)(FRACTION * f->dims));
   return sum;
}

/* Levels */

int64_t
hd_lod_from_float(uint32_t f)
{
   return scale(f, 1, FRACTION, NEAREST);
}

static uint32_t
bits_of(float f)
{
   uint32_t bits;

   memcpy(&bits, &f, sizeof(bits));
   return bits;
}

/* Held in the sampler's range. */
static int64_t
held_lod(const hd_wave_sampler *s, int64_t lod, int64_t least)
{
   const int64_t low = hd_lod_from_float(bits_of(s->min_lod));
   const int64_t high = hd_lod_from_float(bits_of(s->max_lod));

   lod += hd_lod_from_float(bits_of(s->lod_bias));
   if (lod < low)
      lod = low;
   if (lod < least)
      lod = least;
   return lod < high ? lod : high;
}

static int64_t
last_level(const hd_wave_image *image)
{
   return ((int64_t)at_least_1(image->num_levels) - 1) * HD_LOD_ONE;
}

bool
hd_texture_ignores_lod(const hd_texture *t, const hd_wave_sampler *s, int64_t least)
{
   const int64_t far = INT64_C(1) << 32;

   return s->unnormalized || held_lod(s, -far, least) == held_lod(s, far, least) ||
          (s->mag == s->min && !last_level(t->image));
}

/* The nearest level, the lower of two. */
static int64_t
nearest_level(int64_t lod)
{
   return (lod + HD_LOD_ONE / 2 + HD_LOD_ONE - 1) / HD_LOD_ONE - 1;
}

static struct texel
sample_levels(const struct footprint *f)
{
   const hd_wave_sampler *s = f->s;
   const int64_t lod = s->unnormalized ? 0 : held_lod(s, f->q->lod, f->q->least);
   const bool linear = (lod <= 0 ? s->mag : s->min) == HD_FILTER_LINEAR;
   const int64_t level = clamp(lod, 0, last_level(f->t->image));

   if (s->mip == HD_FILTER_NEAREST || level % HD_LOD_ONE == 0)
      return sample_level(f, (unsigned)nearest_level(level), linear);
   struct texel low = sample_level(f, (unsigned)(level / HD_LOD_ONE), linear);
   const struct texel high = sample_level(f, (unsigned)(level / HD_LOD_ONE) + 1, linear);
   const uint64_t weight = hd_float_from_uint(64, (uint64_t)(level % HD_LOD_ONE), NEAREST);
   const uint64_t rest =
       hd_float_from_uint(64, (uint64_t)(HD_LOD_ONE - level % HD_LOD_ONE), NEAREST);
   for (unsigned c = 0; c < 4; c++) {
      const uint64_t sum = hd_float_mul(64, low.v[c], rest, NEAREST);
      low.v[c] =
          hd_float_ldexp(64, hd_float_fma(64, high.v[c], weight, sum, NEAREST), -(int32_t)FRACTION);
   }
   low.defined &= high.defined;
   return low;
}

/* The texels of a footprint in the order of gathers. */
static struct texel
gather(const struct footprint *f)
{
   static const uint8_t order[4] = { 2, 3, 1, 0 };
   struct texel corners[8], out = { .defined = true };
   struct axis axes[3];

   place_axes(f, 0, true, axes);
   read_corners(f, 0, axes, corners);
   for (unsigned n = 0; n < 4; n++) {
      out.v[n] = corners[order[n]].v[f->q->compare ? 0 : f->q->component];
      out.defined &= corners[order[n]].defined;
   }
   return out;
}

/* The layer of an array: the nearest, held inside. */
static uint64_t
layer_of(const hd_texture *t, uint32_t coord)
{
   const uint64_t faces = t->dim == HD_DIM_CUBE ? 6 : 1;
   const uint64_t layers = at_least_1(at_least_1(t->image->num_layers) / faces);

   return (uint64_t)clamp(scale(coord, 1, 0, NEAREST), 0, (int64_t)layers - 1) * faces;
}

bool
hd_texture_sample(const hd_texture *t, const hd_wave_sampler *s, const hd_sample *q,
                  uint64_t out[4])
{
   const unsigned parts = t->dim == HD_DIM_CUBE ? 3 : hd_image_dimensions(t->dim);
   struct footprint f = { .t = t, .s = s, .q = q, .dims = hd_image_dimensions(t->dim) };

   memcpy(f.coord, q->coord, sizeof(f.coord));
   if (t->dim == HD_DIM_CUBE) {
      const struct direction d = face_of(q->coord);
      f.face = d.face;
      f.coord[0] = face_coord(d.sc, d.rc);
      f.coord[1] = face_coord(d.tc, d.rc);
   }
   if (t->array)
      f.layer = layer_of(t, q->coord[parts]);
   const struct texel x = q->gather ? gather(&f) : sample_levels(&f);
   for (unsigned c = 0; c < 4; c++)
      out[c] = hd_texture_filters(t->image) ? hd_float_convert(64, 32, x.v[c], NEAREST) : x.v[c];
   return x.defined;
}

/* Derivatives */

/* A derivative of a face's coordinate: (dsc rc - sc drc) / rc^2 / 2 */
static uint32_t
face_derivative(uint64_t sc, uint64_t rc, uint64_t dsc, uint64_t drc)
{
   const uint64_t a = hd_float_mul(32, dsc, rc, NEAREST), b = hd_float_mul(32, sc, drc, NEAREST);
   const uint64_t square = hd_float_mul(32, rc, rc, NEAREST);
   const uint64_t x = hd_float_div(32, hd_float_sub(32, a, b, NEAREST), square, NEAREST);

   return (uint32_t)hd_float_ldexp(32, x, -1);
}

/* The derivative of the direction's part that is sc, tc and rc of its face. */
static void
turn(const struct direction *d, const uint32_t r[3], uint64_t *sc, uint64_t *tc, uint64_t *rc)
{
   const bool negative = d->face & 1;
   const uint64_t x = r[0], y = r[1], z = r[2];
   const uint64_t minus_y = hd_float_neg(32, y), minus_z = hd_float_neg(32, z);

   switch (d->face / 2) {
   case 0:
      *sc = negative ? z : minus_z;
      *tc = minus_y;
      *rc = negative ? hd_float_neg(32, x) : x;
      break;
   case 1:
      *sc = x;
      *tc = negative ? minus_z : z;
      *rc = negative ? minus_y : y;
      break;
   default:
      *sc = negative ? hd_float_neg(32, x) : x;
      *tc = minus_y;
      *rc = negative ? minus_z : z;
      break;
   }
}

static void
on_face(const struct direction *d, const uint32_t r[3], uint32_t out[2])
{
   uint64_t sc, tc, rc;

   turn(d, r, &sc, &tc, &rc);
   out[0] = face_derivative(d->sc, d->rc, sc, rc);
   out[1] = face_derivative(d->tc, d->rc, tc, rc);
}

#define RHO_FRACTION 12u

/* The square of the length in texels, with twice that many fractional bits. */
static uint64_t
square_of(const hd_texture *t, const uint32_t d[3], const uint64_t size[3])
{
   const int64_t most = INT64_C(1) << 30;
   uint64_t sum = 0;

   for (unsigned n = 0; n < hd_image_dimensions(t->dim); n++) {
      const int64_t x = clamp(scale(d[n], size[n], RHO_FRACTION, NEAREST), -most, most);
      sum += (uint64_t)(x * x);
   }
   return sum;
}

/* 256 log2(x), rounded down: bit by bit by squaring a fraction of 31 bits. */
static int64_t
log2_of(uint64_t x)
{
   unsigned exponent = 63;
   int64_t result;

   while (!(x >> exponent & 1))
      exponent--;
   uint64_t m = exponent > 31 ? x >> (exponent - 31) : x << (31 - exponent);
   result = exponent;
   for (unsigned n = 0; n < FRACTION; n++) {
      m = m * m >> 31;
      result *= 2;
      if (m >> 32) {
         m >>= 1;
         result++;
      }
   }
   return result;
}

int64_t
hd_texture_lod(const hd_texture *t, const hd_wave_sampler *s, const uint32_t coord[3],
               const uint32_t ddx[3], const uint32_t ddy[3])
{
   const hd_extent e = hd_image_extent(t->image, 0);
   const uint64_t size[3] = { e.width, e.height, e.depth }, texels[3] = { 1, 1, 1 };
   uint32_t x[3], y[3];

   memcpy(x, ddx, sizeof(x));
   memcpy(y, ddy, sizeof(y));
   if (t->dim == HD_DIM_CUBE) {
      const struct direction d = face_of(coord);
      on_face(&d, ddx, x);
      on_face(&d, ddy, y);
   }
   const uint64_t along_x = square_of(t, x, s->unnormalized ? texels : size);
   const uint64_t along_y = square_of(t, y, s->unnormalized ? texels : size);
   const uint64_t most = along_x > along_y ? along_x : along_y;
   /* Nothing changes: as near as can be. */
   if (!most)
      return -128 * HD_LOD_ONE;
   const int64_t log = log2_of(most);
   return (log - (log & 1)) / 2 - (int64_t)RHO_FRACTION * HD_LOD_ONE;
}

static uint32_t
float_of(int64_t lod)
{
   const uint64_t x = hd_float_from_int(32, lod, NEAREST);

   return (uint32_t)hd_float_ldexp(32, x, -(int32_t)FRACTION);
}

void
hd_texture_query_lod(const hd_texture *t, const hd_wave_sampler *s, int64_t lod, uint32_t out[2])
{
   const int64_t level = clamp(held_lod(s, lod, INT64_MIN), 0, last_level(t->image));

   out[0] = float_of(s->mip == HD_FILTER_NEAREST ? nearest_level(level) * HD_LOD_ONE : level);
   out[1] = float_of(lod + hd_lod_from_float(bits_of(s->lod_bias)));
}
