/* SPDX-License-Identifier: MIT */
/* plane.c - interpolation over a primitive: barycentric coordinates, depth.
 *
 * Homogeneous rasterisation (Olano and Greer, 1997): a vertex is (X, Y, W), its framebuffer position times w. The point
 * (x, y, 1) is a linear combination of the three vertices. Each weight is the determinant of the point and the two other
 * vertices, linear in x and y. Weights divided by their sum are the perspective-correct barycentric coordinates, also if a
 * vertex is behind the eye. Weights times w, divided by their sum, are the linear (noperspective) ones.
 */
#include "raster/raster.h"

void
hd_raster_set_triangle(struct plane *p, const real x[3], const real y[3])
{
   for (unsigned k = 0; k < 3; k++) {
      const unsigned i = (k + 1) % 3, j = (k + 2) % 3;
      p->a[k] = real_sub(real_mul(y[i], p->w[j]), real_mul(p->w[i], y[j]));
      p->b[k] = real_sub(real_mul(p->w[i], x[j]), real_mul(x[i], p->w[j]));
      p->c[k] = real_sub(real_mul(x[i], y[j]), real_mul(y[i], x[j]));
   }
}

/* Lines are interpolated along the major axis. */
void
hd_raster_set_line(struct plane *p, const real major[2], bool along_y)
{
   real *factor = along_y ? p->b : p->a;

   memset(p->a, 0, sizeof(p->a));
   memset(p->b, 0, sizeof(p->b));
   factor[0] = hd_float_neg(64, p->w[1]);
   p->c[0] = major[1];
   factor[1] = p->w[0];
   p->c[1] = hd_float_neg(64, major[0]);
   p->c[2] = REAL_ZERO;
}

/* A point: coordinates within the square, 0 to 1, times its size. The second weight grows along x, the third along y. All three
 * vertices have the same outputs.
 */
void
hd_raster_set_point(struct plane *p, real x, real y, real size)
{
   const real minus = hd_float_neg(64, REAL_ONE), half = hd_float_ldexp(64, size, -1);

   p->a[1] = p->b[2] = REAL_ONE;
   p->a[2] = p->b[1] = REAL_ZERO;
   p->c[1] = real_sub(half, x);
   p->c[2] = real_sub(half, y);
   p->a[0] = p->b[0] = minus;
   p->c[0] = real_sub(real_sub(size, p->c[1]), p->c[2]);
}

/* Weights at a point relative to the origin; their sum is not 0. */
static void
find_weights(const struct plane *p, real x, real y, real weights[3], real *sum)
{
   for (unsigned k = 0; k < 3; k++)
      weights[k] = real_mad(p->a[k], x, real_mad(p->b[k], y, p->c[k]));
   *sum = real_add(real_add(weights[0], weights[1]), weights[2]);
   if (hd_float_eq(64, *sum, REAL_ZERO) || !real_is_finite(*sum)) {
      weights[0] = *sum = REAL_ONE;
      weights[1] = weights[2] = REAL_ZERO;
   }
}

static real
sum_of(const real weights[3], const real values[3])
{
   return real_mad(weights[2], values[2],
                   real_mad(weights[1], values[1], real_mul(weights[0], values[0])));
}

void
hd_raster_barycentric(const struct plane *p, real x, real y, bool noperspective, uint32_t out[2])
{
   real weights[3], sum;

   find_weights(p, x, y, weights, &sum);
   if (noperspective) {
      for (unsigned k = 0; k < 3; k++)
         weights[k] = real_mul(weights[k], p->w[k]);
      sum = real_add(real_add(weights[0], weights[1]), weights[2]);
   }
   out[0] = real_to_bits(real_div(weights[1], sum));
   out[1] = real_to_bits(real_div(weights[2], sum));
}

static void
weights_at(const struct plane *p, struct fixed at, real weights[3], real *sum)
{
   find_weights(p, real_from_fixed(at.x - p->origin.x), real_from_fixed(at.y - p->origin.y),
                weights, sum);
}

uint32_t
hd_raster_depth(const struct plane *p, struct fixed at)
{
   real weights[3], sum;

   weights_at(p, at, weights, &sum);
   const real depth = real_div(sum_of(weights, p->z), sum_of(weights, p->w));
   return real_to_bits(real_mad(depth, p->depth_scale, p->depth_offset));
}

uint32_t
hd_raster_inverse_w(const struct plane *p, struct fixed at)
{
   real weights[3], sum;

   weights_at(p, at, weights, &sum);
   return real_to_bits(real_div(sum, sum_of(weights, p->w)));
}

uint32_t
hd_raster_interpolate(const struct plane *p, struct fixed at, const uint32_t values[3])
{
   real weights[3], sum, numbers[3];

   for (unsigned k = 0; k < 3; k++)
      numbers[k] = real_from_bits(values[k]);
   weights_at(p, at, weights, &sum);
   return real_to_bits(real_div(sum_of(weights, numbers), sum));
}

struct fixed
hd_raster_place(const struct raster *r, const struct fragment *f, bool of_sample)
{
   uint32_t at[2] = { FIXED_ONE / 2, FIXED_ONE / 2 };

   if (of_sample)
      hd_raster_sample_at(r, f->sample, at);
   return (struct fixed){ f->x * (int64_t)FIXED_ONE + at[0], f->y * (int64_t)FIXED_ONE + at[1] };
}
