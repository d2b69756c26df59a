/* SPDX-License-Identifier: MIT */
/* fragment.c - run fragment shaders: collect quads into batches, pass their inputs, take their outputs.
 *
 * Invocations are numbered in the order of rasterisation, four to a quad; primitives stay in order. A batch
 * is one workgroup.
 */
#include "heddle/intrinsic_enum.h"
#include "raster/raster.h"
#include "util/bytes.h"
#include "util/sizes.h"

/* Inputs and built-in values: bytes of each invocation. */
static const struct {
   hd_intrinsic_id id;
   uint32_t bytes;
} builtins[] = {
   { HD_INTRINSIC_FRAG_COORD, 16 },
   { HD_INTRINSIC_FRONT_FACING, 4 },
   { HD_INTRINSIC_POINT_COORD, 8 },
   { HD_INTRINSIC_PRIMITIVE_ID, 4 },
   { HD_INTRINSIC_LAYER, 4 },
   { HD_INTRINSIC_VIEWPORT_INDEX, 4 },
   { HD_INTRINSIC_SAMPLE_ID, 4 },
   { HD_INTRINSIC_SAMPLE_POS, 8 },
   { HD_INTRINSIC_SAMPLE_MASK_IN, 4 },
   { HD_INTRINSIC_VIEW_INDEX, 4 },
   { HD_INTRINSIC_LOAD_CLIP_DISTANCE, 4 * MAX_DISTANCES },
   { HD_INTRINSIC_LOAD_CULL_DISTANCE, 4 * MAX_DISTANCES },
   { HD_INTRINSIC_STORE_DEPTH, 4 },
   { HD_INTRINSIC_STORE_STENCIL, 4 },
   { HD_INTRINSIC_STORE_SAMPLE_MASK, 4 },
};

static hd_wave_memory
make_memory(struct raster *r, uint32_t bytes)
{
   const size_t size = array_size(MAX_WAITING, bytes);

   return (hd_wave_memory){ hd_stack_alloc_zero(&r->stack, size + 1),
                            hd_stack_alloc_zero(&r->stack, size + 1), size };
}

static void
give(struct raster *r, hd_intrinsic_id id, uint32_t mode, uint32_t location, uint32_t bytes)
{
   r->given[r->num_given++] = (hd_wave_builtin){ id, mode, location, make_memory(r, bytes) };
}

void
hd_raster_prepare_fragments(struct raster *r)
{
   const struct usage *u = &r->fragment;

   r->planes = hd_stack_alloc(&r->stack, MAX_PLANES * sizeof(*r->planes));
   r->waiting = hd_stack_alloc(&r->stack, MAX_WAITING * sizeof(*r->waiting));
   r->helpers = hd_stack_alloc_zero(&r->stack, MAX_WAITING);
   r->survivors = hd_stack_alloc_zero(&r->stack, MAX_WAITING);
   for (unsigned n = 0; n < sizeof(builtins) / sizeof(builtins[0]); n++) {
      if (u->ids[builtins[n].id] ||
          (builtins[n].id == HD_INTRINSIC_FRAG_COORD && u->elsewhere[HD_INTERP_SMOOTH]))
         give(r, builtins[n].id, 0, 0, builtins[n].bytes);
   }
   for (unsigned mode = 0; mode < 2; mode++) {
      for (unsigned location = 0; location < 3; location++) {
         /* Machine code interpolates the point coordinate, too, and computes other places from the center. */
         const bool is_center = location == HD_INTERP_AT_CENTER;
         const bool of_point = !mode && is_center && u->ids[HD_INTRINSIC_POINT_COORD];
         if (u->barycentric[mode][location] || of_point || (u->elsewhere[mode] && is_center))
            give(r, HD_INTRINSIC_BARYCENTRIC, mode, location, 8);
      }
   }
   if (u->ids[HD_INTRINSIC_LOAD_INPUT])
      r->inputs = make_memory(r, r->num_locations * 16);
   if (u->ids[HD_INTRINSIC_LOAD_INTERPOLATED])
      r->corners = make_memory(r, r->num_locations * 48);
   r->outputs = make_memory(r, u->num_outputs * 16);
   if (u->second)
      r->second = make_memory(r, u->num_outputs * 16);
}

/* Inputs */

static void
put(hd_wave_memory *m, uint64_t at, uint32_t value, bool undefined)
{
   put_number((uint8_t *)m->data + at, 4, value);
   put_number(m->undefined + at, 4, undefined ? UINT32_MAX : 0);
}

static void
put_floats(hd_wave_memory *m, uint64_t at, real x, real y)
{
   put(m, at, real_to_bits(x), false);
   put(m, at + 4, real_to_bits(y), false);
}

/* The point at which an input is interpolated: the center, the sample, or the centroid, which is the center if all samples
 * or none are covered, else the first covered sample.
 */
static struct fixed
place_of(const struct raster *r, const struct fragment *f, uint32_t location)
{
   struct fragment of = *f;

   if (location == HD_INTERP_AT_CENTER)
      return hd_raster_place(r, f, false);
   if (location == HD_INTERP_AT_SAMPLE || r->per_sample)
      return hd_raster_place(r, f, true);
   if (r->samples == 1 || !f->covered || f->covered == (1u << r->samples) - 1)
      return hd_raster_place(r, f, false);
   of.sample = 0;
   while (!(f->covered >> of.sample & 1))
      of.sample++;
   return hd_raster_place(r, &of, true);
}

static void
put_distances(struct raster *r, const struct plane *p, struct fixed at, unsigned record,
              hd_wave_memory *m, uint64_t to)
{
   for (unsigned k = 0; k < MAX_DISTANCES; k++) {
      uint32_t values[3];
      bool known = true;
      for (unsigned n = 0; n < 3; n++)
         known &= hd_raster_read_record(r, record, p->vertices[n], k, &values[n]);
      put(m, to + 4 * k, known ? hd_raster_interpolate(p, at, values) : 0, !known);
   }
}

static void
put_frag_coord(const struct plane *p, struct fixed at, hd_wave_memory *m, uint64_t to)
{
   put_floats(m, to, real_from_fixed(at.x), real_from_fixed(at.y));
   put(m, to + 8, hd_raster_depth(p, at), false);
   put(m, to + 12, hd_raster_inverse_w(p, at), false);
}

static void
put_sample_pos(const struct raster *r, const struct fragment *f, hd_wave_memory *m, uint64_t to)
{
   uint32_t at[2];

   hd_raster_sample_at(r, f->sample, at);
   put_floats(m, to, real_from_fixed(at[0]), real_from_fixed(at[1]));
}

static void
put_barycentric(const struct plane *p, struct fixed at, bool noperspective, hd_wave_memory *m,
                uint64_t to)
{
   uint32_t out[2];

   hd_raster_barycentric(p, real_from_fixed(at.x - p->origin.x),
                         real_from_fixed(at.y - p->origin.y), noperspective, out);
   put(m, to, out[0], false);
   put(m, to + 4, out[1], false);
}

/* The barycentric coordinates of a point are its coordinates within the square. */
static void
put_point_coord(const struct plane *p, struct fixed at, hd_wave_memory *m, uint64_t to)
{
   if (p->is_point)
      put_barycentric(p, at, false, m, to);
   else
      put_floats(m, to, REAL_ZERO, REAL_ZERO);
}

static void
fill_given(struct raster *r, hd_wave_builtin *g, uint32_t n)
{
   const struct fragment *f = &r->waiting[n];
   const struct plane *p = &r->planes[f->plane];
   const struct fixed at = hd_raster_place(r, f, r->per_sample);
   hd_wave_memory *m = &g->memory;
   const uint64_t to = m->size / MAX_WAITING * n;
   const bool early = r->draw->early_fragment_tests && r->draw->post_depth_coverage;

   switch (g->id) {
   case HD_INTRINSIC_FRAG_COORD:
      put_frag_coord(p, at, m, to);
      break;
   case HD_INTRINSIC_FRONT_FACING:
      put(m, to, p->front, false);
      break;
   case HD_INTRINSIC_POINT_COORD:
      put_point_coord(p, at, m, to);
      break;
   case HD_INTRINSIC_PRIMITIVE_ID:
      put(m, to, p->id, false);
      break;
   case HD_INTRINSIC_LAYER:
      put(m, to, p->layer, false);
      break;
   case HD_INTRINSIC_VIEWPORT_INDEX:
      put(m, to, p->viewport, false);
      break;
   case HD_INTRINSIC_SAMPLE_ID:
      put(m, to, f->sample, false);
      break;
   case HD_INTRINSIC_SAMPLE_POS:
      put_sample_pos(r, f, m, to);
      break;
   case HD_INTRINSIC_SAMPLE_MASK_IN:
      put(m, to, early ? f->tested : f->covered, false);
      break;
   case HD_INTRINSIC_VIEW_INDEX:
      put(m, to, r->draw->view_index, false);
      break;
   case HD_INTRINSIC_LOAD_CLIP_DISTANCE:
      put_distances(r, p, at, RECORD_CLIP, m, to);
      break;
   case HD_INTRINSIC_LOAD_CULL_DISTANCE:
      put_distances(r, p, at, RECORD_CULL, m, to);
      break;
   case HD_INTRINSIC_BARYCENTRIC:
      put_barycentric(p, place_of(r, f, g->interp_location),
                      g->interp_mode == HD_INTERP_NOPERSPECTIVE, m, to);
      break;
   default: /* outputs: written by the shader */
      put(m, to, 0, true);
      break;
   }
}

/* Copy the record of a vertex. */
static void
copy_record(const struct raster *r, uint32_t vertex, hd_wave_memory *m, uint64_t number)
{
   const struct records *from = &r->records[RECORD_OUTPUTS];

   memcpy((uint8_t *)m->data + number * from->bytes, from->data + (size_t)vertex * from->bytes,
          from->bytes);
   memcpy(m->undefined + number * from->bytes, from->undefined + (size_t)vertex * from->bytes,
          from->bytes);
}

static void
fill_invocation(struct raster *r, uint32_t n)
{
   const struct fragment *f = &r->waiting[n];
   const struct plane *p = &r->planes[f->plane];

   r->helpers[n] = !f->tested;
   r->survivors[n] = 0;
   r->stats.helpers += !f->tested;
   r->stats.fragments += f->tested != 0;
   for (uint32_t k = 0; k < r->num_given; k++)
      fill_given(r, &r->given[k], n);
   if (r->inputs.data)
      copy_record(r, p->vertices[0], &r->inputs, n);
   for (unsigned k = 0; k < 3 && r->corners.data; k++)
      copy_record(r, p->vertices[k], &r->corners, (uint64_t)n * 3 + k);
}

static bool
barycentric_at(void *user, const hd_wave_barycentric *at, uint32_t out[2])
{
   const struct raster *r = user;
   const struct fragment *f = &r->waiting[at->invocation];
   const struct plane *p = &r->planes[f->plane];
   const bool noperspective = at->interp_mode == HD_INTERP_NOPERSPECTIVE;
   struct fragment of = *f;

   of.sample = (uint8_t)at->sample;
   if (at->is_sample && at->sample >= r->samples)
      return false;
   const struct fixed place = hd_raster_place(r, &of, at->is_sample);
   real x = real_from_fixed(place.x - p->origin.x), y = real_from_fixed(place.y - p->origin.y);
   if (!at->is_sample) {
      x = real_add(x, real_from_bits(at->offset[0]));
      y = real_add(y, real_from_bits(at->offset[1]));
   }
   hd_raster_barycentric(p, x, y, noperspective, out);
   return true;
}

/* Outputs */

static bool
read_given(const struct raster *r, hd_intrinsic_id id, uint32_t n, uint32_t *value)
{
   for (uint32_t k = 0; k < r->num_given; k++) {
      const hd_wave_memory *m = &r->given[k].memory;
      if (r->given[k].id != id || get_number(m->undefined + 4 * (size_t)n, 4))
         continue;
      *value = (uint32_t)get_number((const uint8_t *)m->data + 4 * (size_t)n, 4);
      return true;
   }
   return false;
}

static void
merge(struct raster *r, uint32_t n)
{
   const struct fragment *f = &r->waiting[n];
   const struct plane *p = &r->planes[f->plane];
   uint32_t stored = 0, depths[MAX_SAMPLES];
   uint8_t mask = f->tested, reference;

   if (!r->survivors[n] || !mask)
      return;
   if (read_given(r, HD_INTRINSIC_STORE_SAMPLE_MASK, n, &stored))
      mask &= (uint8_t)stored;
   if (!r->draw->early_fragment_tests) {
      memcpy(depths, f->depth, sizeof(depths));
      if (read_given(r, HD_INTRINSIC_STORE_DEPTH, n, &stored)) {
         for (unsigned k = 0; k < MAX_SAMPLES; k++)
            depths[k] = stored;
      }
      const bool own = read_given(r, HD_INTRINSIC_STORE_STENCIL, n, &stored);
      reference = (uint8_t)stored;
      mask = hd_raster_test(r, p, f, mask, depths, own ? &reference : NULL);
   }
   hd_raster_write_colors(r, p, f, n, mask);
}

void
hd_raster_flush(struct raster *r)
{
   const uint32_t count = r->num_waiting;
   const size_t bytes = (size_t)count * r->fragment.num_outputs * 16;

   if (count) {
      for (uint32_t n = 0; n < count; n++)
         fill_invocation(r, n);
      memset(r->outputs.undefined, 1, bytes);
      if (r->second.data)
         memset(r->second.undefined, 1, bytes);
      hd_wave_launch launch = {
         .workgroup_size = { count },
         .inputs = r->inputs,
         .corners = r->corners,
         .num_input_locations = r->num_locations,
         .outputs = r->outputs,
         .second_outputs = r->second,
         .num_output_locations = r->fragment.num_outputs,
         .helpers = r->helpers,
         .num_helpers = count,
         .survivors = r->survivors,
         .num_survivors = count,
         .given = r->given,
         .num_given = r->num_given,
         .barycentric_at = barycentric_at,
         .barycentric_user = r,
         .num_samples = r->samples,
      };
      hd_raster_launch(r, r->draw->fragment, &r->draw->fragment_runner, &launch);
      for (uint32_t n = 0; n < count; n++)
         merge(r, n);
   }
   r->num_waiting = r->num_planes = 0;
   r->current = NO_PLANE;
}

/* Quads */

static void
find_depths(const struct raster *r, const struct plane *p, struct fragment *f)
{
   for (unsigned k = 0; k < r->samples && r->depth; k++) {
      f->sample = (uint8_t)k;
      if (f->covered >> k & 1)
         f->depth[k] = hd_raster_depth(p, hd_raster_place(r, f, true));
   }
   f->sample = 0;
}

static void
wait_for(struct raster *r, const struct plane *plane, const struct fragment quad[4])
{
   if (r->num_waiting == MAX_WAITING || (r->current == NO_PLANE && r->num_planes == MAX_PLANES))
      hd_raster_flush(r);
   if (r->current == NO_PLANE) {
      r->current = r->num_planes++;
      r->planes[r->current] = *plane;
   }
   for (unsigned k = 0; k < 4; k++) {
      r->waiting[r->num_waiting] = quad[k];
      r->waiting[r->num_waiting++].plane = (uint16_t)r->current;
   }
}

/* Sample shading: one invocation of each pixel for each sample. */
static void
wait_for_samples(struct raster *r, const struct plane *plane, const struct fragment quad[4])
{
   for (unsigned s = 0; s < r->samples; s++) {
      struct fragment of[4];
      uint8_t any = 0;
      for (unsigned k = 0; k < 4; k++) {
         of[k] = quad[k];
         of[k].sample = (uint8_t)s;
         of[k].covered &= (uint8_t)(1u << s);
         of[k].tested &= (uint8_t)(1u << s);
         any |= of[k].tested;
      }
      if (any)
         wait_for(r, plane, of);
   }
}

void
hd_raster_add_quad(struct raster *r, const struct plane *plane, const struct fragment quad[4])
{
   const bool early = r->draw->early_fragment_tests || !r->draw->fragment;
   struct fragment own[4];
   uint8_t any = 0;

   for (unsigned k = 0; k < 4; k++) {
      own[k] = quad[k];
      find_depths(r, plane, &own[k]);
      own[k].tested = own[k].covered;
      if (early && own[k].covered)
         own[k].tested = hd_raster_test(r, plane, &own[k], own[k].covered, own[k].depth, NULL);
      any |= own[k].tested;
   }
   if (!any || !r->draw->fragment)
      return;
   if (r->per_sample)
      wait_for_samples(r, plane, own);
   else
      wait_for(r, plane, own);
}
