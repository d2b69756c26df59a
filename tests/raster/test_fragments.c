/* SPDX-License-Identifier: MIT */
/* test_fragments.c - what fragment shaders are given: interpolation, places, facts, quads and helpers. */
#include "support/test.h"

#include "pictures.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* (0, 0) w 1, (8, 0) w 3, (0, 8) w 1, in pixels of 8 x 8; location 1 is 0, 1 and 0. */
static const float triangle[3][8] = {
   { -1, -1, 0, 1, 0, 5, 0, 0 },
   { 3, -3, 1.5f, 3, 1, 6, 0, 0 },
   { -1, 1, 0.25f, 1, 0, 7, 0, 0 },
};

/* A shader that stores what `body` has in %r:32x4. */
static struct picture
draw(const char *body, uint32_t samples)
{
   struct picture p;
   char text[2048];

   snprintf(
       text, sizeof(text),
       "shader fragment \"f\" {\n function @main {\n b0:\n%%z:32 = const 0\n%%k1:32 = const 1\n%%k2:32 = const 2\n"
       "%%k3:32 = const 3\n%s\nstore_output %%r, %%z location=0\n}\n}\n",
       body);
   picture_make(&p, vertex_passes, text, HD_TEXEL_RGBA32_FLOAT, 8, 8, samples);
   picture_vertices(&p, triangle[0], 3, 8);
   if (picture_draw(&p) != HD_OK)
      fail_msg("%s", p.message);
   return p;
}

/* Sample s of a pixel of four. */
static float
sample_float(const struct picture *p, uint32_t x, uint32_t y, uint32_t s, uint32_t component)
{
   return picture_float(p, x * 4 + s, y * 4, component);
}

static void
assert_near(float a, double b)
{
   if (!(fabs((double)a - b) <= fabs(b) * 1.2e-7))
      fail_msg("%.9g, expected %.9g", (double)a, b);
}

static void
interpolation(void **unused)
{
   struct picture p = draw(
       "%b:32x2 = barycentric\n%n:32x2 = barycentric interp_mode=noperspective\n"
       "%s:32x2 = load_interpolated %b, %z location=0\n%t:32x2 = load_interpolated %n, %z location=0\n"
       "%f:32x2 = load_input %z location=0\n"
       "%r0:32 = channel %s, %z\n%r1:32 = channel %t, %z\n%r2:32 = channel %s, %k1\n"
       "%r3:32 = channel %f, %k1\n%r:32x4 = vec %r0, %r1, %r2, %r3",
       1);

   (void)unused;
   for (uint32_t y = 0; y < 7; y++) {
      for (uint32_t x = 0; x + y < 7; x++) {
         const double at = x + 0.5, down = y + 0.5;
         const double sum = 1 - at / 12; /* of parts of the framebuffer, divided by w */
         assert_near(picture_float(&p, x, y, 0), at / 24 / sum);
         assert_near(picture_float(&p, x, y, 1), at / 8);
         assert_near(picture_float(&p, x, y, 2),
                     (5 * (1 - at / 8 - down / 8) + 6 * at / 24 + 7 * down / 8) / sum);
         assert_true(picture_float(&p, x, y, 3) == 5);
      }
   }
   picture_free(&p);
}

static void
frag_coord(void **unused)
{
   struct picture p = draw("%r:32x4 = frag_coord", 1);

   (void)unused;
   for (uint32_t y = 0; y < 7; y++) {
      for (uint32_t x = 0; x + y < 7; x++) {
         const double at = x + 0.5, down = y + 0.5;
         assert_true(picture_float(&p, x, y, 0) == (float)at &&
                     picture_float(&p, x, y, 1) == (float)down);
         assert_near(picture_float(&p, x, y, 2), at / 8 * 0.5 + down / 8 * 0.25);
         assert_near(picture_float(&p, x, y, 3), 1 - at / 12);
      }
   }
   assert_int_equal(p.stats.fragments, 28);
   assert_int_equal(p.stats.helpers, 12);
   picture_free(&p);
}

/* Derivatives of the place are 1, also beside pixels that are not covered; a helper is none of those that count. */
static void
quads(void **unused)
{
   struct picture p = draw(
       "%c:32x4 = frag_coord\n%x:32 = channel %c, %z\n%y:32 = channel %c, %k1\n%r0:32 = ddx %x\n"
       "%r1:32 = ddy %y\n%v:1 = const true\n%v32:32 = const 1\n"
       "%m:32x4 = ballot %v\n%w:32 = channel %m, %z\n%n:32 = bit_count %w\n%f:32 = u2f %n\n"
       "%h:1 = is_helper\n%g:32 = select %h, %k1, %z\n%r:32x4 = vec %r0, %r1, %f, %g",
       1);

   (void)unused;
   for (uint32_t y = 0; y < 7; y++) {
      for (uint32_t x = 0; x + y < 7; x++) {
         assert_true(picture_float(&p, x, y, 0) == 1 && picture_float(&p, x, y, 1) == 1);
         assert_true(picture_float(&p, x, y, 3) == 0);
      }
   }
   picture_free(&p);
}

/* The lower half is discarded, one way or the other; what ran before counts for derivatives. */
static void
discard(void **unused)
{
   static const char *const ways[] = { "demote_if %low",
                                       "if %low {\nb1:\nhalt\n} else {\nb2:\n}\nb3:" };

   (void)unused;
   for (unsigned n = 0; n < 2; n++) {
      char body[512];
      snprintf(
          body, sizeof(body),
          "%%c:32x4 = frag_coord\n%%y:32 = channel %%c, %%k1\n%%edge:32 = const 0x40600000\n%%low:1 = flt %%edge, %%y\n"
          "%%d:32 = ddy %%y\n%s\n%%r:32x4 = vec %%d, %%d, %%d, %%d",
          ways[n]);
      struct picture p = draw(body, 1);
      assert_int_equal(p.stats.samples, 7 + 6 + 5 + 4);
      assert_true(picture_float(&p, 0, 3, 0) == 1 && picture_float(&p, 0, 4, 0) == 0);
      picture_free(&p);
   }
}

static void
places_of_samples(void **unused)
{
   static const float places[4][2] = {
      { 0.375f, 0.125f }, { 0.875f, 0.375f }, { 0.125f, 0.625f }, { 0.625f, 0.875f }
   };
   struct picture p = draw(
       "%i:32 = sample_id\n%m:32 = sample_mask_in\n%s:32x2 = sample_pos\n%x:32 = channel %s, %z\n"
       "%y:32 = channel %s, %k1\n%fi:32 = u2f %i\n%fm:32 = u2f %m\n%r:32x4 = vec %fi, %fm, %x, %y",
       4);

   (void)unused;
   for (uint32_t s = 0; s < 4; s++) {
      assert_true(sample_float(&p, 1, 1, s, 0) == (float)s);
      assert_true(sample_float(&p, 1, 1, s, 1) == (float)(1u << s));
      assert_true(sample_float(&p, 1, 1, s, 2) == places[s][0] &&
                  sample_float(&p, 1, 1, s, 3) == places[s][1]);
   }
   picture_free(&p);
   /* The center of (7, 0) lies on the edge; the first and the third sample are inside. */
   p = draw(
       "%n:32x2 = barycentric interp_mode=noperspective interp_location=centroid\n%at:32 = channel %n, %z\n"
       "%m:32 = sample_mask_in\n%fm:32 = u2f %m\n%o:32x2 = barycentric interp_mode=noperspective\n%c:32 = channel %o, %z\n"
       "%r:32x4 = vec %at, %fm, %c, %z",
       4);
   assert_true(sample_float(&p, 7, 0, 0, 1) == 5);
   assert_near(sample_float(&p, 7, 0, 0, 0), 7.375 / 8);
   assert_near(sample_float(&p, 7, 0, 2, 2), 7.5 / 8);
   assert_near(sample_float(&p, 1, 0, 3, 0), 1.5 / 8);
   assert_int_equal(p.stats.fragments, 36);
   picture_free(&p);
}

static void
interpolation_elsewhere(void **unused)
{
   struct picture p = draw(
       "%quarter:32 = const 0x3e800000\n%o:32x2 = vec %quarter, %z\n"
       "%a:32x2 = barycentric_at_offset %o interp_mode=noperspective\n"
       "%s:32x2 = barycentric_at_sample %k2 interp_mode=noperspective\n%t:32x2 = barycentric_at_sample %k1\n"
       "%ax:32 = channel %a, %z\n%sx:32 = channel %s, %z\n%sy:32 = channel %s, %k1\n%tx:32 = channel %t, %z\n"
       "%r:32x4 = vec %ax, %sx, %sy, %tx",
       4);

   (void)unused;
   assert_near(sample_float(&p, 2, 1, 0, 0), 2.75 / 8);
   assert_near(sample_float(&p, 2, 1, 0, 1), 2.125 / 8);
   assert_near(sample_float(&p, 2, 1, 0, 2), 1.625 / 8);
   assert_near(sample_float(&p, 2, 1, 0, 3), 2.875 / 24 / (1 - 2.875 / 12));
   picture_free(&p);
   picture_make(
       &p, vertex_passes,
       "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n%k1:32 = const 1\n"
       "%s:32x2 = barycentric_at_sample %k1\nstore_output %s, %z location=0\n}\n}\n",
       HD_TEXEL_RGBA32_FLOAT, 8, 8, 1);
   picture_vertices(&p, triangle[0], 3, 8);
   assert_int_equal(picture_draw(&p), HD_FAULT);
   assert_non_null(strstr(p.message, "sample 1 does not exist"));
   picture_free(&p);
}

static void
facts(void **unused)
{
   struct picture p = draw(
       "%f:1 = front_facing\n%g:32 = select %f, %k1, %k2\n%i:32 = primitive_id\n%a:32 = u2f %g\n"
       "%b:32 = u2f %i\n%l:32 = layer\n%c:32 = u2f %l\n%v:32 = viewport_index\n%d:32 = u2f %v\n"
       "%r:32x4 = vec %a, %b, %c, %d",
       1);

   (void)unused;
   assert_true(picture_float(&p, 0, 0, 0) == 2 && picture_float(&p, 0, 0, 1) == 0);
   p.draw.front_is_clockwise = true;
   p.draw.num_vertices = 3;
   assert_int_equal(picture_draw(&p), HD_OK);
   assert_true(picture_float(&p, 0, 0, 0) == 1);
   picture_free(&p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(interpolation),
      cmocka_unit_test(frag_coord),
      cmocka_unit_test(quads),
      cmocka_unit_test(discard),
      cmocka_unit_test(places_of_samples),
      cmocka_unit_test(interpolation_elsewhere),
      cmocka_unit_test(facts),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
