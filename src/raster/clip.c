/* SPDX-License-Identifier: MIT */
/* clip.c - culling, clipping, and projection to fixed point.
 *
 * A clip plane is a linear function of a corner; corners where it is negative are cut off. Where an edge crosses a plane, the new corner is
 * computed from the inner end to the outer one, so that triangles that share the edge get the same.
 */
#include "raster/raster.h"

#define LIMIT 32768 /* pixels from the origin: the guard band */

/* The sum of factors times coordinates; or a distance that the vertex shader stored. */
struct clip_plane {
   real factors[4];
   int distance; /* or -1 */
};

struct projection {
   real scale_x, scale_y, offset_x, offset_y;
};

struct clipper {
   struct raster *r;
   struct projection projection;
   struct clip_plane planes[8 + MAX_DISTANCES + 2];
   unsigned num_planes;
   struct corner corners[MAX_CORNERS];
   unsigned num;
};

/* Planes */

static void
add_plane(struct clipper *c, real x, real y, real z, real w)
{
   c->planes[c->num_planes++] = (struct clip_plane){ { x, y, z, w }, -1 };
}

/* Near and far; then what fixed point can hold, or the edges of the view volume. */
static void
choose_planes(struct clipper *c, bool all)
{
   const real one = REAL_ONE, minus = hd_float_neg(64, REAL_ONE);
   const struct projection *p = &c->projection;

   if (!c->r->draw->depth_clamp) {
      add_plane(c, 0, 0, one, 0);
      add_plane(c, 0, 0, minus, one);
   }
   if (all) {
      add_plane(c, one, 0, 0, one);
      add_plane(c, minus, 0, 0, one);
      add_plane(c, 0, one, 0, one);
      add_plane(c, 0, minus, 0, one);
      return;
   }
   const real limit = real_from_int(LIMIT);
   add_plane(c, p->scale_x, 0, 0, real_add(limit, p->offset_x));
   add_plane(c, hd_float_neg(64, p->scale_x), 0, 0, real_sub(limit, p->offset_x));
   add_plane(c, 0, p->scale_y, 0, real_add(limit, p->offset_y));
   add_plane(c, 0, hd_float_neg(64, p->scale_y), 0, real_sub(limit, p->offset_y));
}

static real
distance(const struct clip_plane *p, const struct corner *c)
{
   real sum = REAL_ZERO;

   if (p->distance >= 0)
      return c->distances[p->distance];
   for (unsigned k = 0; k < 4; k++)
      sum = real_mad(p->factors[k], c->at[k], sum);
   return sum;
}

/* NaN counts as outside. */
static bool
is_inside(real d)
{
   return hd_float_le(64, REAL_ZERO, d);
}

static struct corner
cross(const struct corner *in, const struct corner *out, real din, real dout)
{
   const real t = real_div(din, real_sub(din, dout));
   struct corner c;

   for (unsigned k = 0; k < 4; k++)
      c.at[k] = real_mad(t, real_sub(out->at[k], in->at[k]), in->at[k]);
   for (unsigned k = 0; k < MAX_DISTANCES; k++)
      c.distances[k] = real_mad(t, real_sub(out->distances[k], in->distances[k]), in->distances[k]);
   return c;
}

static void
clip_polygon(struct clipper *c, const struct clip_plane *plane)
{
   struct corner from[MAX_CORNERS];
   const unsigned num = c->num;

   memcpy(from, c->corners, num * sizeof(*from));
   c->num = 0;
   for (unsigned n = 0; n < num; n++) {
      const struct corner *a = &from[n], *b = &from[(n + 1) % num];
      const real da = distance(plane, a), db = distance(plane, b);
      if (is_inside(da) && c->num < MAX_CORNERS)
         c->corners[c->num++] = *a;
      if (is_inside(da) != is_inside(db) && c->num < MAX_CORNERS)
         c->corners[c->num++] = is_inside(da) ? cross(a, b, da, db) : cross(b, a, db, da);
   }
}

/* A clipped line is a line, a clipped point a point. */
static void
clip_ends(struct clipper *c, const struct clip_plane *plane)
{
   const unsigned last = c->num - 1;
   const real da = distance(plane, &c->corners[0]), db = distance(plane, &c->corners[last]);
   const struct corner a = c->corners[0], b = c->corners[last];

   if (!is_inside(da) && !is_inside(db))
      c->num = 0;
   else if (!is_inside(da))
      c->corners[0] = cross(&b, &a, db, da);
   else if (!is_inside(db))
      c->corners[last] = cross(&a, &b, da, db);
}

static void
clip(struct clipper *c)
{
   const bool polygon = c->num == 3;

   for (unsigned n = 0; n < c->num_planes && c->num; n++) {
      if (polygon)
         clip_polygon(c, &c->planes[n]);
      else
         clip_ends(c, &c->planes[n]);
   }
}

/* Vertices */

/* False: it has a coordinate that is not finite. */
static bool
read_corner(struct raster *r, uint32_t vertex, struct corner *c)
{
   bool finite = true;

   *c = (struct corner){ 0 };
   for (unsigned k = 0; k < 4; k++) {
      uint32_t bits;
      if (!hd_raster_read_record(r, RECORD_POSITION, vertex, k, &bits))
         hd_heap_refuse(&r->heap, HD_FAULT, "the position of vertex %u is undefined", vertex);
      c->at[k] = real_from_bits(bits);
      finite &= real_is_finite(c->at[k]);
   }
   for (unsigned k = 0; k < MAX_DISTANCES; k++) {
      uint32_t bits;
      hd_raster_read_record(r, RECORD_CLIP, vertex, k, &bits);
      c->distances[k] = real_from_bits(bits);
   }
   return finite;
}

/* All vertices are beyond one of the cull planes. */
static bool
is_culled(const struct raster *r, const uint32_t *vertices, unsigned num)
{
   for (unsigned k = 0; k < MAX_DISTANCES; k++) {
      unsigned beyond = 0;
      uint32_t bits;
      for (unsigned n = 0; n < num; n++) {
         if (hd_raster_read_record(r, RECORD_CULL, vertices[n], k, &bits))
            beyond += hd_float_lt(32, bits, 0);
      }
      if (beyond == num)
         return true;
   }
   return false;
}

static void
add_clip_distances(struct clipper *c, const uint32_t *vertices, unsigned num)
{
   for (unsigned k = 0; k < MAX_DISTANCES; k++) {
      uint32_t bits;
      bool known = false;
      for (unsigned n = 0; n < num; n++)
         known |= hd_raster_read_record(c->r, RECORD_CLIP, vertices[n], k, &bits);
      if (known)
         c->planes[c->num_planes++] = (struct clip_plane){ .distance = (int)k };
   }
}

/* Projection */

static void
set_projection(struct clipper *c, struct plane *p)
{
   const hd_viewport *v = &c->r->draw->viewports[p->viewport];
   const real half_width = hd_float_ldexp(64, real_from_float(v->width), -1);
   const real half_height = hd_float_ldexp(64, real_from_float(v->height), -1);
   const real low = real_from_float(v->min_depth), high = real_from_float(v->max_depth);

   c->projection =
       (struct projection){ half_width, half_height, real_add(real_from_float(v->x), half_width),
                            real_add(real_from_float(v->y), half_height) };
   p->depth_scale = real_sub(high, low);
   p->depth_offset = low;
   p->min_depth = real_to_bits(hd_float_lt(64, high, low) ? high : low);
   p->max_depth = real_to_bits(hd_float_lt(64, high, low) ? low : high);
}

static int64_t
to_fixed(real x)
{
   return real_to_int(hd_float_ldexp(64, x, 8), 32);
}

/* False: w is not positive, so that there is no projection. */
static bool
project(const struct clipper *c, const struct corner *at, struct fixed *out)
{
   const struct projection *p = &c->projection;

   if (!hd_float_lt(64, REAL_ZERO, at->at[3]))
      return false;
   out->x = to_fixed(real_mad(real_div(at->at[0], at->at[3]), p->scale_x, p->offset_x));
   out->y = to_fixed(real_mad(real_div(at->at[1], at->at[3]), p->scale_y, p->offset_y));
   return true;
}

/* Twice the area, positive where corners go clockwise on a screen. */
static int64_t
area_of(const struct fixed *corners, unsigned num)
{
   int64_t sum = 0;

   for (unsigned n = 1; n + 1 < num; n++) {
      const struct fixed *a = &corners[0], *b = &corners[n], *c = &corners[n + 1];
      sum += (b->x - a->x) * (c->y - a->y) - (b->y - a->y) * (c->x - a->x);
   }
   return sum;
}

/* Homogeneous coordinates of the vertices as they were before clipping, from the plane's origin. */
static void
find_homogeneous(const struct clipper *c, const struct corner *vertices, struct plane *p, real x[3],
                 real y[3])
{
   const real left = real_from_fixed(p->origin.x), top = real_from_fixed(p->origin.y);

   for (unsigned k = 0; k < 3; k++) {
      const struct corner *v = &vertices[k < p->num_vertices ? k : p->num_vertices - 1];
      p->z[k] = v->at[2];
      p->w[k] = v->at[3];
      x[k] = real_mad(c->projection.scale_x, v->at[0],
                      real_mul(real_sub(c->projection.offset_x, left), v->at[3]));
      y[k] = real_mad(c->projection.scale_y, v->at[1],
                      real_mul(real_sub(c->projection.offset_y, top), v->at[3]));
   }
}

/* Shapes */

/* Where samples of triangles may lie: in the viewport, whose right and lower edge are not part of it. */
static void
find_bounds(const struct clipper *c, int64_t bounds[4])
{
   const struct projection *p = &c->projection;
   const int64_t x[2] = { to_fixed(real_sub(p->offset_x, p->scale_x)),
                          to_fixed(real_add(p->offset_x, p->scale_x)) };
   const int64_t y[2] = { to_fixed(real_sub(p->offset_y, p->scale_y)),
                          to_fixed(real_add(p->offset_y, p->scale_y)) };

   bounds[0] = x[0] < x[1] ? x[0] : x[1];
   bounds[1] = y[0] < y[1] ? y[0] : y[1];
   bounds[2] = x[0] < x[1] ? x[1] : x[0];
   bounds[3] = y[0] < y[1] ? y[1] : y[0];
}

static void
draw_triangle(struct clipper *c, struct plane *p, const struct corner *vertices,
              const struct fixed *corners)
{
   const hd_raster_draw *d = c->r->draw;
   const int64_t area = area_of(corners, c->num);
   int64_t bounds[4];
   real x[3], y[3];

   p->front = d->front_is_clockwise == (area > 0);
   if (!area || (p->front && d->cull & HD_CULL_FRONT) || (!p->front && d->cull & HD_CULL_BACK))
      return;
   find_homogeneous(c, vertices, p, x, y);
   hd_raster_set_triangle(p, x, y);
   find_bounds(c, bounds);
   hd_raster_polygon(c->r, p, corners, c->num, bounds);
}

/* A parallelogram, one pixel wide along the axis that the line goes along less. */
static void
draw_line(struct clipper *c, struct plane *p, const struct corner *vertices,
          const struct fixed *ends)
{
   const int64_t bounds[4] = { INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX };
   const int64_t dx = ends[1].x - ends[0].x, dy = ends[1].y - ends[0].y;
   const bool along_y = (dx < 0 ? -dx : dx) < (dy < 0 ? -dy : dy);
   const int64_t wide_x = along_y ? FIXED_ONE / 2 : 0, wide_y = along_y ? 0 : FIXED_ONE / 2;
   const struct fixed corners[4] = { { ends[0].x - wide_x, ends[0].y - wide_y },
                                     { ends[1].x - wide_x, ends[1].y - wide_y },
                                     { ends[1].x + wide_x, ends[1].y + wide_y },
                                     { ends[0].x + wide_x, ends[0].y + wide_y } };
   real x[3], y[3];

   p->front = true;
   find_homogeneous(c, vertices, p, x, y);
   hd_raster_set_line(p, along_y ? y : x, along_y);
   hd_raster_polygon(c->r, p, corners, 4, bounds);
}

/* A square around the vertex; without a size that was stored, one pixel wide. */
static void
draw_point(struct clipper *c, struct plane *p, const struct corner *vertices,
           const struct fixed *center)
{
   const int64_t bounds[4] = { INT32_MIN, INT32_MIN, INT32_MAX, INT32_MAX };
   uint32_t bits;
   real size = REAL_ONE, x[3], y[3];

   if (hd_raster_read_record(c->r, RECORD_SIZE, p->vertices[0], 0, &bits))
      size = real_from_bits(bits);
   size =
       hd_float_min(64, hd_float_max(64, size, REAL_ZERO), real_from_int(HD_RASTER_MAX_POINT_SIZE));
   const int64_t half = real_to_int(hd_float_ldexp(64, size, 7), 32);
   const struct fixed corners[4] = { { center->x - half, center->y - half },
                                     { center->x + half, center->y - half },
                                     { center->x + half, center->y + half },
                                     { center->x - half, center->y + half } };
   p->front = true;
   p->is_point = true;
   find_homogeneous(c, vertices, p, x, y);
   hd_raster_set_point(p, real_from_fixed(center->x - p->origin.x),
                       real_from_fixed(center->y - p->origin.y), size);
   hd_raster_polygon(c->r, p, corners, 4, bounds);
}

void
hd_raster_primitive(struct raster *r, const uint32_t *vertices, unsigned num, uint32_t id)
{
   struct clipper c = { .r = r, .num = num };
   struct plane p = { .num_vertices = num, .id = id };
   struct corner before[3];
   struct fixed corners[MAX_CORNERS];
   bool finite = true;

   hd_raster_read_record(r, RECORD_LAYER, vertices[0], 0, &p.layer);
   hd_raster_read_record(r, RECORD_VIEWPORT, vertices[0], 0, &p.viewport);
   if (p.layer >= r->layers || p.viewport >= r->draw->num_viewports || is_culled(r, vertices, num))
      return;
   for (unsigned k = 0; k < num; k++)
      finite &= read_corner(r, vertices[k], &before[k]);
   if (!finite)
      return;
   for (unsigned k = 0; k < 3; k++)
      p.vertices[k] = vertices[k < num ? k : num - 1];
   set_projection(&c, &p);
   memcpy(c.corners, before, num * sizeof(*before));
   choose_planes(&c, num < 3);
   add_clip_distances(&c, vertices, num);
   clip(&c);
   for (unsigned k = 0; k < c.num; k++) {
      if (!project(&c, &c.corners[k], &corners[k]))
         return;
   }
   if (!c.num)
      return;
   p.origin =
       (struct fixed){ corners[0].x & -(int64_t)FIXED_ONE, corners[0].y & -(int64_t)FIXED_ONE };
   if (num == 3)
      draw_triangle(&c, &p, before, corners);
   else if (num == 2)
      draw_line(&c, &p, before, corners);
   else
      draw_point(&c, &p, before, corners);
}
