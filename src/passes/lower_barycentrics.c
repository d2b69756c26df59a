/* SPDX-License-Identifier: MIT */
/* lower_barycentrics.c - barycentric coordinates at an offset or at a sample from those at the center.
 *
 *    barycentric_at_offset %o      =>    %c = barycentric
 *    (noperspective)                     %c + ddx(%c) %o.x + ddy(%c) %o.y
 *
 *    barycentric_at_offset %o      =>    %q = frag_coord.w, moved to the center; %p = barycentric * %q
 *    (smooth)                            (%p + ddx(%p) %o.x + ddy(%p) %o.y) / (%q + ddx(%q) %o.x + ddy(%q) %o.y)
 *
 *    barycentric_at_sample %n      =>    the same at the standard position of sample n
 *
 * What is linear on the screen is extrapolated, so the result is exact but for rounding: of coordinates with perspective
 * these are their products with 1 / w, and 1 / w itself. Where invocations are of samples, frag_coord is that of the
 * sample, which its fraction says. The derivatives stand at the start of the function: where the coordinates are asked
 * for, a lane of the quad may have branched off or ended.
 *
 * Requires:  a function that whole quads start: the entry point, with calls inlined.
 * Preserves: all that depends on the graph alone.
 * Leaves:    derivatives, which need helper lanes, as what was there did (lower_helpers).
 * Tests:     tests/passes/lower_barycentrics.hd, tests/backend/gcn/test_stages.c
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "passes/lower.h"

/* Standard positions of 1, 2, 4, 8 and 16 samples, in 1/16 of a pixel from its upper left corner: four bits for each
 * sample, the first in the low ones.
 */
static const struct positions {
   uint32_t x[2], y[2];
} positions[] = {
   { { 0x8 }, { 0x8 } },
   { { 0x4c }, { 0x4c } },
   { { 0xa2e6 }, { 0xea62 } },
   { { 0xfb135d79 }, { 0x1f7d39b5 } },
   { { 0xbda3c579, 0x1ef02486 }, { 0x3bd67a59, 0x0f48c21e } },
};

static hd_def *
channel(hd_builder *b, hd_def *v, unsigned n)
{
   return hd_channel(b, v, hd_imm_u32(b, n));
}

/* Linear on the screen: its value at the center, and what it grows by to the right and downwards. */
struct plane {
   hd_def *x, *dx, *dy;
};

/* Of one way of interpolation, once in a function: both coordinates, with perspective times q, which is 1 / w. */
struct planes {
   struct plane part[2], q;
};

struct state {
   hd_function *f;
   unsigned samples;
   struct planes linear, smooth;
};

/* x + dx * offset[0] + dy * offset[1] */
static hd_def *
moved(hd_builder *b, const struct plane *p, hd_def *const offset[2])
{
   hd_def *right = hd_ffma(b, p->dx, offset[0], p->x);

   return hd_ffma(b, p->dy, offset[1], right);
}

static struct plane
plane_of(hd_builder *b, hd_def *x)
{
   hd_def *dx = hd_ddx(b, x), *dy = hd_ddy(b, x);

   return (struct plane){ x, dx, dy };
}

static void
start_linear(hd_builder *b, struct planes *p)
{
   hd_def *center = hd_barycentric(b, HD_INTERP_NOPERSPECTIVE, HD_INTERP_AT_CENTER);

   for (unsigned n = 0; n < 2; n++)
      p->part[n] = plane_of(b, channel(b, center, n));
}

static void
start_smooth(hd_builder *b, struct planes *p)
{
   hd_def *center = hd_barycentric(b, HD_INTERP_SMOOTH, HD_INTERP_AT_CENTER);
   hd_def *place = hd_frag_coord(b), *half = hd_imm_f32(b, 0.5f), *back[2];

   p->q = plane_of(b, channel(b, place, 3));
   for (unsigned n = 0; n < 2; n++) {
      hd_def *in_pixel = hd_ffract(b, channel(b, place, n));
      back[n] = hd_fsub(b, half, in_pixel);
   }
   p->q.x = moved(b, &p->q, back);
   for (unsigned n = 0; n < 2; n++)
      p->part[n] = plane_of(b, hd_fmul(b, channel(b, center, n), p->q.x));
}

static hd_def *
linear_at(hd_builder *b, const struct planes *p, hd_def *const offset[2])
{
   hd_def *parts[2];

   for (unsigned n = 0; n < 2; n++)
      parts[n] = moved(b, &p->part[n], offset);
   return hd_vec(b, 2, parts);
}

static hd_def *
smooth_at(hd_builder *b, const struct planes *p, hd_def *const offset[2])
{
   hd_def *w = hd_frcp(b, moved(b, &p->q, offset)), *parts[2];

   for (unsigned n = 0; n < 2; n++)
      parts[n] = hd_fmul(b, moved(b, &p->part[n], offset), w);
   return hd_vec(b, 2, parts);
}

/* One coordinate of the position of a sample, from the center. */
static hd_def *
position_of(hd_builder *b, hd_def *sample, const uint32_t words[2], bool two)
{
   hd_def *word = hd_imm_u32(b, words[0]);

   if (two) {
      hd_def *low = word, *high = hd_imm_u32(b, words[1]);
      word = hd_select(b, hd_ult(b, sample, hd_imm_u32(b, 8)), low, high);
   }
   hd_def *shift = hd_ishl(b, sample, hd_imm_u32(b, 2)), *place = hd_ushr(b, word, shift);
   hd_def *bits = hd_iand(b, place, hd_imm_u32(b, 15)), *number = hd_u2f(b, bits, 32);
   hd_def *unit = hd_imm_f32(b, 0.0625f);
   return hd_ffma(b, number, unit, hd_imm_f32(b, -0.5f));
}

static hd_def *
lower(hd_builder *b, hd_instr *i, void *data)
{
   struct state *s = data;
   hd_def *offset[2];

   if (i->kind != HD_INSTR_INTRINSIC ||
       (i->op != HD_INTRINSIC_BARYCENTRIC_AT_OFFSET && i->op != HD_INTRINSIC_BARYCENTRIC_AT_SAMPLE))
      return NULL;
   hd_def *where = hd_instr_src(i, 0)->def;
   if (i->op == HD_INTRINSIC_BARYCENTRIC_AT_SAMPLE) {
      unsigned n = 0;
      while (n < 4 && 1u << n < s->samples)
         n++;
      offset[0] = position_of(b, where, positions[n].x, n == 4);
      offset[1] = position_of(b, where, positions[n].y, n == 4);
   } else {
      for (unsigned n = 0; n < 2; n++)
         offset[n] = channel(b, where, n);
   }
   const bool linear =
       hd_intrinsic_index((hd_intrinsic *)i, HD_INDEX_INTERP_MODE) == HD_INTERP_NOPERSPECTIVE;
   struct planes *planes = linear ? &s->linear : &s->smooth;
   if (!planes->part[0].x) {
      hd_builder first = hd_builder_at(hd_after_phis(hd_function_start(s->f)));
      first.loc = i->loc;
      (linear ? start_linear : start_smooth)(&first, planes);
   }
   return linear ? linear_at(b, planes, offset) : smooth_at(b, planes, offset);
}

bool
hd_lower_barycentrics(hd_function *f, const lower_barycentrics_options *o)
{
   struct state s = { .f = f, .samples = (unsigned)o->samples };

   return hd_progress(f, hd_lower_instrs(f, lower, &s), LOWER_BARYCENTRICS_KEEPS);
}
