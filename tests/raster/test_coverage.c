/* SPDX-License-Identifier: MIT */
/* test_coverage.c - which pixels and samples primitives cover: by hand, and of meshes each once. */
#include "support/test.h"

#include "pictures.h"

#include <stdlib.h>
#include <string.h>

/* Corners in pixels of a picture of 8 x 8. */
static void
put(float *to, float x, float y)
{
   to[0] = x / 4 - 1;
   to[1] = y / 4 - 1;
   to[2] = 0.5f;
   to[3] = 1;
}

static void
expect(hd_topology topology, const float (*corners)[2], uint32_t num, const char *rows)
{
   float vertices[16][4];
   struct picture p;

   for (uint32_t n = 0; n < num; n++)
      put(vertices[n], corners[n][0], corners[n][1]);
   picture_make(&p, vertex_position, fragment_counts, HD_TEXEL_R8_UNORM, 8, 8, 1);
   p.color.blend = blend_sum;
   p.draw.topology = topology;
   picture_vertices(&p, vertices[0], num, 4);
   assert_int_equal(picture_draw(&p), HD_OK);
   picture_expect(&p, rows);
   picture_free(&p);
}

static void
triangles_by_hand(void **unused)
{
   /* The centers of the diagonal lie on the edge. It is a right edge: they are not covered. */
   static const float upper_left[3][2] = { { 0, 0 }, { 8, 0 }, { 0, 8 } };
   /* Here it is a left edge: they are. */
   static const float lower_right[3][2] = { { 8, 0 }, { 8, 8 }, { 0, 8 } };
   /* Corners on centers: the upper edge and the left edge are part of it, the lower and the right one are not. */
   static const float square[4][2] = {
      { 1.5f, 1.5f }, { 5.5f, 1.5f }, { 1.5f, 4.5f }, { 5.5f, 4.5f }
   };
   /* No center is inside. */
   static const float sliver[3][2] = { { 0, 2.6f }, { 8, 2.6f }, { 8, 3.4f } };
   static const float outside[3][2] = { { -4, -4 }, { 20, 4 }, { -4, 12 } };

   (void)unused;
   expect(HD_TOPOLOGY_TRIANGLE_LIST, upper_left, 3,
          "1111111.\n111111..\n11111...\n1111....\n111.....\n11......\n1.......\n........\n");
   expect(HD_TOPOLOGY_TRIANGLE_LIST, lower_right, 3,
          ".......1\n......11\n.....111\n....1111\n...11111\n..111111\n.1111111\n11111111\n");
   expect(HD_TOPOLOGY_TRIANGLE_STRIP, square, 4,
          "........\n.1111...\n.1111...\n.1111...\n........\n........\n........\n........\n");
   expect(HD_TOPOLOGY_TRIANGLE_LIST, sliver, 3,
          "........\n........\n........\n........\n........\n........\n........\n........\n");
   /* Its upper edge goes through (0, -8/3) and (20, 4), its lower one through (20, 4) and (-4, 12). */
   expect(HD_TOPOLOGY_TRIANGLE_LIST, outside, 3,
          "11111111\n11111111\n11111111\n11111111\n11111111\n11111111\n11111111\n11111111\n");
}

static void
other_topologies(void **unused)
{
   static const float strip[5][2] = { { 0, 0 }, { 0, 4 }, { 4, 0 }, { 4, 4 }, { 8, 0 } };
   static const float fan[5][2] = { { 4, 4 }, { 0, 0 }, { 8, 0 }, { 8, 8 }, { 0, 8 } };
   static const float line[2][2] = { { 1.5f, 2.5f }, { 6.5f, 2.5f } };
   static const float steep[2][2] = { { 2.5f, 6.5f }, { 3.5f, 1.5f } };
   static const float bent[3][2] = { { 0, 1 }, { 4, 5 }, { 8, 1 } };
   static const float points[2][2] = { { 1.5f, 1.5f }, { 6, 3 } };

   (void)unused;
   expect(HD_TOPOLOGY_TRIANGLE_STRIP, strip, 5,
          "1111111.\n111111..\n11111...\n1111....\n........\n........\n........\n........\n");
   expect(HD_TOPOLOGY_TRIANGLE_FAN, fan, 5,
          "11111111\n.1111111\n..111111\n...11111\n...11111\n..111111\n.1111111\n11111111\n");
   expect(HD_TOPOLOGY_LINE_LIST, line, 2,
          "........\n........\n.11111..\n........\n........\n........\n........\n........\n");
   expect(HD_TOPOLOGY_LINE_LIST, steep, 2,
          "........\n...1....\n...1....\n...1....\n..1.....\n..1.....\n........\n........\n");
   expect(HD_TOPOLOGY_LINE_STRIP, bent, 3,
          "........\n1......1\n.1....1.\n..1..1..\n...11...\n........\n........\n........\n");
   expect(HD_TOPOLOGY_POINT_LIST, points, 2,
          "........\n.1......\n.....1..\n........\n........\n........\n........\n........\n");
}

/* Numbers from a seed. */
static uint32_t
next(uint64_t *state)
{
   *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)(*state >> 33);
}

static float
between(uint64_t *state, float low, float high)
{
   return low + (high - low) * (float)(next(state) % 4096) / 4096;
}

enum { SIDE = 9, SPAN = SIDE - 1 };

/* A grid that is larger than the picture: inner corners are anywhere near their place, each cell is two triangles, cut
 * one way or the other, and drawn in any order of corners.
 */
static void
make_mesh(uint64_t seed, bool perspective, float (*vertices)[4], uint32_t *num)
{
   float grid[SIDE][SIDE][4];

   for (unsigned y = 0; y < SIDE; y++) {
      for (unsigned x = 0; x < SIDE; x++) {
         const bool inner = x && y && x < SPAN && y < SPAN;
         const float w = perspective ? between(&seed, 0.25f, 4) : 1;
         const float by = inner ? 0.1f : 0;
         grid[y][x][0] = ((float)x / SPAN * 2.5f - 1.25f + between(&seed, -by, by)) * w;
         grid[y][x][1] = ((float)y / SPAN * 2.5f - 1.25f + between(&seed, -by, by)) * w;
         grid[y][x][2] = 0.5f * w;
         grid[y][x][3] = w;
      }
   }
   *num = 0;
   for (unsigned y = 0; y < SPAN; y++) {
      for (unsigned x = 0; x < SPAN; x++) {
         const float *c[4] = { grid[y][x], grid[y][x + 1], grid[y + 1][x + 1], grid[y + 1][x] };
         const unsigned cut = next(&seed) % 2;
         for (unsigned half = 0; half < 2; half++) {
            const unsigned turn = next(&seed) % 3, order = 1 + next(&seed) % 2;
            const unsigned corners[3] = { cut, cut + 1 + half, (cut + 2 + half) % 4 };
            for (unsigned k = 0; k < 3; k++)
               memcpy(vertices[(*num)++], c[corners[(turn + k * order) % 3] % 4], 16);
         }
      }
   }
}

static void
check_once(const struct picture *p, uint64_t seed)
{
   for (uint32_t y = 0; y < p->color.image.height; y++) {
      for (uint32_t x = 0; x < p->color.image.width; x++) {
         for (uint32_t s = 0; s < p->color.image.num_samples; s++) {
            if (picture_byte(p, x, y, s) != 1)
               fail_msg("mesh %u: sample %u of (%u, %u) is covered %u times", (unsigned)seed, s, x,
                        y, picture_byte(p, x, y, s));
         }
      }
   }
}

static void
meshes_are_watertight(void **unused)
{
   static float vertices[SPAN * SPAN * 6][4];

   (void)unused;
   for (uint64_t seed = 0; seed < 40; seed++) {
      struct picture p;
      uint32_t num;
      picture_make(&p, vertex_position, fragment_counts, HD_TEXEL_R8_UNORM, 33, 29,
                   seed % 2 ? 4 : 1);
      p.color.blend = blend_sum;
      make_mesh(seed, seed & 2, vertices, &num);
      picture_vertices(&p, vertices[0], num, 4);
      assert_int_equal(picture_draw(&p), HD_OK);
      check_once(&p, seed);
      picture_free(&p);
   }
}

/* A plane that goes from behind the eye to the horizon, cut into triangles: what the near plane leaves of it is covered
 * once.
 */
static void
clipped_meshes_are_watertight(void **unused)
{
   static float vertices[SPAN * SPAN * 6][4];

   (void)unused;
   for (uint64_t seed = 0; seed < 20; seed++) {
      struct picture p;
      uint32_t num, covered = 0;
      picture_make(&p, vertex_position, fragment_counts, HD_TEXEL_R8_UNORM, 40, 40,
                   seed % 2 ? 4 : 1);
      p.color.blend = blend_sum;
      make_mesh(seed, false, vertices, &num);
      for (uint32_t n = 0; n < num; n++) {
         const float x = vertices[n][0] * 9, depth = vertices[n][1] * 4 + 2.5f;
         vertices[n][0] = x;
         vertices[n][1] = 1;
         vertices[n][2] = depth * 0.5f - 0.125f;
         vertices[n][3] = depth;
      }
      picture_vertices(&p, vertices[0], num, 4);
      assert_int_equal(picture_draw(&p), HD_OK);
      for (size_t n = 0; n < p.color.image.memory.size; n++) {
         assert_true(p.texels[n] <= 1);
         covered += p.texels[n];
      }
      /* Depths from 0.25 to 7.5: y / w is from 4 down to 2 / 15. */
      for (uint32_t s = 0; s < p.color.image.num_samples; s++) {
         assert_int_equal(picture_byte(&p, 20, 39, s), 1);
         assert_int_equal(picture_byte(&p, 20, 24, s), 1);
         assert_int_equal(picture_byte(&p, 20, 20, s), 0);
      }
      for (uint32_t y = 24; y < 40; y++) {
         for (uint32_t x = 14; x < 26; x++)
            assert_int_equal(picture_byte(&p, x, y, 0), 1);
      }
      assert_true(covered > 0);
      picture_free(&p);
   }
}

static void
facing_and_culling(void **unused)
{
   static const float corners[6][2] = {
      { 0, 0 }, { 4, 0 }, { 0, 4 }, { 4, 4 }, { 4, 8 }, { 8, 4 }
   };
   static const struct {
      hd_cull_mode cull;
      bool clockwise;
      unsigned first, second;
   } cases[] = {
      { HD_CULL_NONE, false, 1, 1 }, { HD_CULL_FRONT, false, 1, 0 },
      { HD_CULL_BACK, false, 0, 1 }, { HD_CULL_FRONT_AND_BACK, false, 0, 0 },
      { HD_CULL_FRONT, true, 0, 1 }, { HD_CULL_BACK, true, 1, 0 },
   };
   float vertices[6][4];

   (void)unused;
   for (unsigned n = 0; n < 6; n++)
      put(vertices[n], corners[n][0], corners[n][1]);
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      struct picture p;
      picture_make(&p, vertex_position, fragment_counts, HD_TEXEL_R8_UNORM, 8, 8, 1);
      p.draw.cull = cases[n].cull;
      p.draw.front_is_clockwise = cases[n].clockwise;
      picture_vertices(&p, vertices[0], 6, 4);
      assert_int_equal(picture_draw(&p), HD_OK);
      assert_int_equal(picture_byte(&p, 1, 1, 0), cases[n].first);
      assert_int_equal(picture_byte(&p, 5, 5, 0), cases[n].second);
      picture_free(&p);
   }
}

static void
samples_and_scissor(void **unused)
{
   /* Its right edge is at 2.25: of pixel 2, samples at 0.375, 0.875, 0.125 and 0.625, the third is left of it. */
   static const float corners[4][2] = { { 0, 0 }, { 2.25f, 0 }, { 0, 8 }, { 2.25f, 8 } };
   float vertices[4][4];
   struct picture p;

   (void)unused;
   for (unsigned n = 0; n < 4; n++)
      put(vertices[n], corners[n][0], corners[n][1]);
   picture_make(&p, vertex_position, fragment_counts, HD_TEXEL_R8_UNORM, 8, 8, 4);
   p.draw.topology = HD_TOPOLOGY_TRIANGLE_STRIP;
   p.draw.sample_mask_disable = 2;
   p.draw.scissor = (hd_scissor){ -1, 1, 20, 3 };
   picture_vertices(&p, vertices[0], 4, 4);
   assert_int_equal(picture_draw(&p), HD_OK);
   for (uint32_t y = 0; y < 8; y++) {
      for (uint32_t s = 0; s < 4; s++) {
         const bool rows = y >= 1 && y < 4;
         assert_int_equal(picture_byte(&p, 1, y, s), rows && s != 1);
         assert_int_equal(picture_byte(&p, 2, y, s), rows && s == 2);
         assert_int_equal(picture_byte(&p, 3, y, s), 0);
      }
   }
   assert_int_equal(p.stats.samples, 3 * (2 * 3 + 1));
   picture_free(&p);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(triangles_by_hand),     cmocka_unit_test(other_topologies),
      cmocka_unit_test(meshes_are_watertight), cmocka_unit_test(clipped_meshes_are_watertight),
      cmocka_unit_test(facing_and_culling),    cmocka_unit_test(samples_and_scissor),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
