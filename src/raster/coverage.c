/* SPDX-License-Identifier: MIT */
/* coverage.c - which samples a polygon covers, in quads of 2 x 2 pixels.
 *
 * For a row of samples, each edge that crosses it changes the winding number of all samples that are at the edge or to
 * the right of it: by 1 or -1, as it goes down or up. An edge covers rows from its upper end, exclusive of its lower one.
 * Samples with a winding number other than 0 are covered. So
 *
 *   - a sample on a left or an upper edge is covered, one on a right or a lower edge is not: the top-left rule,
 *   - an edge that two polygons share in opposite directions changes both numbers by the same amount at the same place:
 *     no sample is covered twice, none is missed, also where rounding has bent a polygon.
 */
#include "raster/raster.h"
#include "util/sizes.h"

static const uint8_t places_of_1[1][2] = { { 128, 128 } };
static const uint8_t places_of_4[4][2] = { { 96, 32 }, { 224, 96 }, { 32, 160 }, { 160, 224 } };

static void
place_of(uint32_t num_samples, uint32_t n, uint32_t position[2])
{
   const uint8_t *place = num_samples == 4 ? places_of_4[n] : places_of_1[n];

   position[0] = place[0];
   position[1] = place[1];
}

bool
hd_raster_sample_position(uint32_t num_samples, uint32_t n, uint32_t position[2])
{
   if ((num_samples != 1 && num_samples != 4) || n >= num_samples)
      return false;
   place_of(num_samples, n, position);
   return true;
}

void
hd_raster_sample_at(const struct raster *r, unsigned sample, uint32_t at[2])
{
   place_of(r->samples, sample, at);
}

static int64_t
divide_up(int64_t a, int64_t b)
{
   return a / b + (a % b > 0);
}

static int64_t
clamp(int64_t n, int64_t low, int64_t high)
{
   return n < low ? low : n > high ? high : n;
}

/* Columns and rows of pixels to scan: from the first, exclusive of the last. */
struct window {
   int64_t left, top, right, bottom;
   const int64_t *bounds;
   int8_t *winding;  /* of a row: how the number changes at each column */
   uint8_t *covered; /* of two rows: samples of each pixel */
};

/* Sample number n of each pixel in a row. */
static void
cover_row(const struct raster *r, struct window *w, const struct fixed *corners, unsigned num,
          int64_t row, unsigned sample, uint8_t *covered)
{
   const int64_t width = w->right - w->left;
   uint32_t at[2];
   int winding = 0;

   hd_raster_sample_at(r, sample, at);
   const int64_t y = row * FIXED_ONE + at[1];
   if (y < w->bounds[1] || y >= w->bounds[3])
      return;
   memset(w->winding, 0, (size_t)width + 1);
   for (unsigned n = 0; n < num; n++) {
      const struct fixed *a = &corners[n], *b = &corners[(n + 1) % num];
      if ((a->y <= y) == (b->y <= y))
         continue;
      const bool down = b->y > a->y;
      const struct fixed *upper = down ? a : b, *lower = down ? b : a;
      const int64_t height = lower->y - upper->y;
      const int64_t x =
          (y - upper->y) * (lower->x - upper->x) + (upper->x - (int64_t)at[0]) * height;
      const int64_t column = clamp(divide_up(x, height * FIXED_ONE), w->left, w->right);
      w->winding[column - w->left] = (int8_t)(w->winding[column - w->left] + (down ? 1 : -1));
   }
   const int64_t first =
       clamp(divide_up(w->bounds[0] - (int64_t)at[0], FIXED_ONE), w->left, w->right);
   const int64_t last =
       clamp(divide_up(w->bounds[2] - (int64_t)at[0], FIXED_ONE), w->left, w->right);
   for (int64_t n = 0; n < width; n++) {
      winding += w->winding[n];
      if (winding && n + w->left >= first && n + w->left < last)
         covered[n] |= (uint8_t)(1u << sample);
   }
}

/* Whether there was one. */
static bool
add_quads(struct raster *r, const struct plane *plane, const struct window *w, int64_t row)
{
   const int64_t width = w->right - w->left;
   bool any = false;

   for (int64_t x = 0; x < width; x += 2) {
      const uint8_t *upper = w->covered + x, *lower = upper + width;
      const uint8_t covered[4] = { upper[0], upper[1], lower[0], lower[1] };
      struct fragment quad[4];
      if (!(covered[0] | covered[1] | covered[2] | covered[3]))
         continue;
      for (unsigned k = 0; k < 4; k++) {
         quad[k] = (struct fragment){
            .x = (uint16_t)(w->left + x + k % 2),
            .y = (uint16_t)(row + k / 2),
            .covered = covered[k],
         };
      }
      hd_raster_add_quad(r, plane, quad);
      any = true;
   }
   return any;
}

static struct window
find_window(const struct raster *r, const struct fixed *corners, unsigned num)
{
   const hd_scissor *s = &r->draw->scissor;
   const bool scissors = s->width || s->height;
   int64_t low_x = INT64_MAX, low_y = INT64_MAX, high_x = INT64_MIN, high_y = INT64_MIN;

   for (unsigned n = 0; n < num; n++) {
      low_x = corners[n].x < low_x ? corners[n].x : low_x;
      low_y = corners[n].y < low_y ? corners[n].y : low_y;
      high_x = corners[n].x > high_x ? corners[n].x : high_x;
      high_y = corners[n].y > high_y ? corners[n].y : high_y;
   }
   const int64_t left = scissors ? clamp(s->x, 0, r->width) : 0,
                 top = scissors ? clamp(s->y, 0, r->height) : 0;
   const int64_t right = scissors ? clamp((int64_t)s->x + s->width, left, r->width) : r->width;
   const int64_t bottom = scissors ? clamp((int64_t)s->y + s->height, top, r->height) : r->height;
   return (struct window){
      .left = clamp(divide_up(low_x, FIXED_ONE) - 1, left, right),
      .top = clamp(divide_up(low_y, FIXED_ONE) - 1, top, bottom),
      .right = clamp(divide_up(high_x, FIXED_ONE), left, right),
      .bottom = clamp(divide_up(high_y, FIXED_ONE), top, bottom),
   };
}

void
hd_raster_polygon(struct raster *r, const struct plane *plane, const struct fixed *corners,
                  unsigned num, const int64_t bounds[4])
{
   const hd_stack_mark mark = hd_stack_get_mark(&r->stack);
   struct window inner = find_window(r, corners, num);
   /* Whole quads; what lies outside of the inner window is not covered. */
   struct window w = { inner.left & ~INT64_C(1),
                       inner.top & ~INT64_C(1),
                       (inner.right + 1) & ~INT64_C(1),
                       (inner.bottom + 1) & ~INT64_C(1),
                       bounds,
                       NULL,
                       NULL };
   const int64_t width = w.right - w.left;
   const int64_t edges[4] = {
      inner.left * FIXED_ONE > bounds[0] ? inner.left * FIXED_ONE : bounds[0],
      inner.top * FIXED_ONE > bounds[1] ? inner.top * FIXED_ONE : bounds[1],
      inner.right * FIXED_ONE < bounds[2] ? inner.right * FIXED_ONE : bounds[2],
      inner.bottom * FIXED_ONE < bounds[3] ? inner.bottom * FIXED_ONE : bounds[3]
   };

   bool visible = false;

   r->current = NO_PLANE;
   if (width <= 0)
      return;
   w.bounds = edges;
   w.winding = hd_stack_alloc(&r->stack, (size_t)width + 1);
   w.covered = hd_stack_alloc(&r->stack, (size_t)width * 2);
   for (int64_t row = w.top; row < w.bottom; row += 2) {
      hd_heap_step(&r->heap, (uint64_t)width);
      memset(w.covered, 0, (size_t)width * 2);
      for (unsigned n = 0; n < 2 * r->samples; n++) {
         if (!(r->draw->sample_mask_disable >> n / 2 & 1))
            cover_row(r, &w, corners, num, row + n % 2, n / 2, w.covered + (n % 2) * width);
      }
      visible |= add_quads(r, plane, &w, row);
   }
   r->stats.visible += visible;
   hd_stack_release(&r->stack, mark);
}
