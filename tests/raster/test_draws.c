/* SPDX-License-Identifier: MIT */
/* test_draws.c - vertices, tests, blending, attachments; draws that make no sense; no memory. */
#include "support/test.h"

#include "pictures.h"

#include <stdlib.h>
#include <string.h>

#include "support/memory.h"

#define CORNERS(l, t, r, b, z, c)                                                                  \
   { l, t, z, 1, c, c, c, c }, { r, t, z, 1, c, c, c, c }, { l, b, z, 1, c, c, c, c },             \
       { r, t, z, 1, c, c, c, c }, { r, b, z, 1, c, c, c, c },                                     \
   {                                                                                               \
      l, b, z, 1, c, c, c, c                                                                       \
   }

/* All of it at 0.5, then the left half at 0.25, then the upper half at 0.75: 1, 2 and 3 parts of 255. */
#define PART 0.00392156886f
static const float layers[18][8] = { CORNERS(-1, -1, 1, 1, 0.5f, PART),
                                     CORNERS(-1, -1, 0, 1, 0.25f, 2 * PART),
                                     CORNERS(-1, -1, 1, 0, 0.75f, 3 * PART) };

static const char passes[] =
    "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n%b:32x2 = barycentric\n"
    "%c:32x4 = load_interpolated %b, %z location=0\nstore_output %c, %z location=0\n}\n}\n";

static struct picture
start(const char *fragment)
{
   struct picture p;

   picture_make(&p, vertex_passes, fragment, HD_TEXEL_R8_UNORM, 4, 4, 1);
   picture_vertices(&p, layers[0], 18, 8);
   return p;
}

static void
finish(struct picture *p, const char *rows)
{
   const hd_result result = picture_draw(p);

   if (result != HD_OK)
      fail_msg("%s", p->message);
   picture_expect(p, rows);
   picture_free(p);
}

static void
depth(void **unused)
{
   static const hd_texel_format formats[] = { HD_TEXEL_R16_UNORM, HD_TEXEL_D24_UNORM,
                                              HD_TEXEL_R32_FLOAT };

   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      struct picture p = start(passes);
      picture_add_depth(&p, formats[n], 1);
      p.draw.depth_compare = HD_COMPARE_LESS;
      finish(&p, "2211\n2211\n2211\n2211\n");
      p = start(passes);
      picture_add_depth(&p, formats[n], 0);
      p.draw.depth_compare = HD_COMPARE_GREATER_OR_EQUAL;
      p.draw.early_fragment_tests = n == 1;
      finish(&p, "3333\n3333\n1111\n1111\n");
      p = start(passes);
      picture_add_depth(&p, formats[n], 0.6f);
      p.draw.depth_compare = HD_COMPARE_LESS;
      p.draw.depth_write_disable = true;
      finish(&p, "2211\n2211\n2211\n2211\n");
   }
}

/* A fragment that is discarded has written its depth, if it was tested early. */
static void
early_and_late(void **unused)
{
   static const char discards[] =
       "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n%b:32x2 = barycentric\n"
       "%c:32x4 = load_interpolated %b, %z location=0\n%r:32 = channel %c, %z\n%two:32 = const 0x3bc0c0c1\n"
       "%three:32 = const 0x3c20a0a1\n%more:1 = flt %two, %r\n%less:1 = flt %r, %three\n%out:1 = iand %more, %less\n"
       "demote_if %out\nstore_output %c, %z location=0\n}\n}\n";

   (void)unused;
   for (unsigned early = 0; early < 2; early++) {
      struct picture p = start(discards);
      picture_add_depth(&p, HD_TEXEL_R32_FLOAT, 1);
      p.draw.early_fragment_tests = early;
      p.draw.depth_compare = HD_COMPARE_NOT_EQUAL;
      finish(&p, "3333\n3333\n1111\n1111\n");
      p = start(discards);
      picture_add_depth(&p, HD_TEXEL_R32_FLOAT, 0.25f);
      p.draw.early_fragment_tests = early;
      p.draw.depth_compare = HD_COMPARE_GREATER_OR_EQUAL;
      picture_vertices(&p, layers[6], 12, 8);
      finish(&p, "3333\n3333\n....\n....\n");
      /* The left half again, behind what was discarded. */
      float again[12][8];
      memcpy(again, layers[6], sizeof(again) / 2);
      memcpy(again[6], layers[6], sizeof(again) / 2);
      for (unsigned n = 0; n < 6; n++) {
         again[6 + n][2] = 0.5f;
         again[6 + n][4] = PART;
      }
      p = start(discards);
      picture_add_depth(&p, HD_TEXEL_R32_FLOAT, 1);
      p.draw.early_fragment_tests = early;
      p.draw.depth_compare = HD_COMPARE_LESS;
      picture_vertices(&p, again[0], 12, 8);
      finish(&p, early ? "....\n....\n....\n....\n" : "11..\n11..\n11..\n11..\n");
   }
}

/* The shader's own depth: 1 - z. Its mask: of samples 0 and 2. */
static void
stored(void **unused)
{
   static const char stores[] =
       "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n%k2:32 = const 2\n%one:32 = const 0x3f800000\n"
       "%b:32x2 = barycentric\n%c:32x4 = load_interpolated %b, %z location=0\n%at:32x4 = frag_coord\n%d:32 = channel %at, %k2\n"
       "%m:32 = fneg %d\n%n:32 = fadd %one, %m\nstore_depth %n\nstore_output %c, %z location=0\n}\n}\n";
   static const char masks[] =
       "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n%k5:32 = const 5\n"
       "%c:32 = const 0x3b808081\nstore_sample_mask %k5\nstore_output %c, %z location=0\n}\n}\n";

   (void)unused;
   struct picture p = start(stores);
   picture_add_depth(&p, HD_TEXEL_R32_FLOAT, 1);
   p.draw.depth_compare = HD_COMPARE_LESS;
   finish(&p, "3333\n3333\n1111\n1111\n");
   picture_make(&p, vertex_passes, masks, HD_TEXEL_R8_UNORM, 4, 4, 4);
   picture_vertices(&p, layers[0], 6, 8);
   assert_int_equal(picture_draw(&p), HD_OK);
   for (unsigned s = 0; s < 4; s++)
      assert_int_equal(picture_byte(&p, 1, 2, s), s % 2 ? 0 : 1);
   picture_free(&p);
}

static void
stencil(void **unused)
{
   struct picture p = start(passes);
   const hd_stencil_face face = { .compare = HD_COMPARE_EQUAL,
                                  .compare_mask = 255,
                                  .write_mask = 255,
                                  .pass = HD_STENCIL_INCREMENT_CLAMP,
                                  .fail = HD_STENCIL_INVERT };

   (void)unused;
   p.stencil = p.color.image;
   p.stencil.format = HD_TEXEL_R8_UINT;
   p.stencil.memory.undefined = NULL;
   p.stencil.memory.data = p.stencils = calloc(16, 1);
   p.draw.stencil = &p.stencil;
   p.draw.front = p.draw.back = face;
   assert_int_equal(picture_draw(&p), HD_OK);
   picture_expect(&p, "1111\n1111\n1111\n1111\n");
   /* Once: 1. Twice: 1, then all other bits; three times: the second time inverted back to 1. */
   assert_int_equal(p.stencils[3 * 4 + 3], 1);
   assert_int_equal(p.stencils[3 * 4], 254);
   assert_int_equal(p.stencils[3], 254);
   assert_int_equal(p.stencils[0], 1);
   picture_free(&p);
}

static void
blending(void **unused)
{
   static const char two[] =
       "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n%half:32 = const 0x3f000000\n"
       "%one:32 = const 0x3f800000\n%c:32x4 = vec %one, %half, %one, %half\n"
       "%d:32x4 = vec %half, %half, %z, %one\nstore_output %c, %z location=0\n"
       "store_output %d, %z location=0 dual_source=1\n}\n}\n";
   static const struct {
      hd_blend blend;
      uint32_t masked;
      uint8_t expected[4];
   } cases[] = {
      { { 0 }, 0, { 255, 128, 255, 128 } },
      { { 0 }, 5, { 51, 128, 51, 128 } },
      { { true, HD_BLEND_FACTOR_SRC_ALPHA, HD_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, HD_BLEND_FACTOR_ONE,
          HD_BLEND_FACTOR_ZERO, HD_BLEND_ADD, HD_BLEND_ADD },
        0,
        { 153, 89, 153, 128 } },
      { { true, HD_BLEND_FACTOR_SRC1_COLOR, HD_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
          HD_BLEND_FACTOR_SRC1_ALPHA, HD_BLEND_FACTOR_ZERO, HD_BLEND_ADD, HD_BLEND_MAX },
        0,
        { 153, 89, 51, 128 } },
      { { true, HD_BLEND_FACTOR_ONE, HD_BLEND_FACTOR_ONE, HD_BLEND_FACTOR_ONE, HD_BLEND_FACTOR_ONE,
          HD_BLEND_REVERSE_SUBTRACT, HD_BLEND_SUBTRACT },
        0,
        { 0, 0, 0, 76 } },
   };
   const float fifth = 0.2f;

   (void)unused;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      struct picture p;
      uint32_t clear[4];
      picture_make(&p, vertex_position, two, HD_TEXEL_RGBA8_UNORM, 4, 4, 1);
      picture_vertices(&p, layers[0], 6, 8);
      p.draw.num_attributes = 1;
      for (unsigned c = 0; c < 4; c++)
         memcpy(&clear[c], &fifth, 4);
      assert_int_equal(hd_raster_clear(&p.color.image, clear), HD_OK);
      p.color.blend = cases[n].blend;
      p.color.color_write_disable = cases[n].masked;
      assert_int_equal(picture_draw(&p), HD_OK);
      for (unsigned c = 0; c < 4; c++) {
         if (p.texels[c] > cases[n].expected[c] + 1 || p.texels[c] + 1 < cases[n].expected[c])
            fail_msg("case %u: component %u is %u, expected %u", n, c, p.texels[c],
                     cases[n].expected[c]);
      }
      picture_free(&p);
   }
}

static void
vertices(void **unused)
{
   /* A strip of two quads by index, with one that begins a new strip; each instance is a pixel lower. */
   static const char moves[] =
       "shader vertex \"v\" {\n function @main {\n b0:\n%z:32 = const 0\n%k1:32 = const 1\n%p:32x4 = load_input %z location=0\n"
       "%x:32 = channel %p, %z\n%y:32 = channel %p, %k1\n%i:32 = instance_index\n%f:32 = u2f %i\n%half:32 = const 0x3f000000\n"
       "%by:32 = fmul %f, %half\n%to:32 = fadd %y, %by\n%one:32 = const 0x3f800000\n%at:32x4 = vec %x, %to, %half, %one\n"
       "store_position %at\n}\n}\n";
   static const float corners[8][4] = { { -1, -1 },       { -0.5f, -1 }, { -1, -0.5f },
                                        { -0.5f, -0.5f }, { 0.5f, -1 },  { 1, -1 },
                                        { 0.5f, -0.5f },  { 1, -0.5f } };
   uint8_t indices[18];
   static const uint16_t numbers[9] = { 8, 9, 10, 11, 65535, 12, 13, 14, 15 };
   struct picture p;

   (void)unused;
   for (unsigned n = 0; n < 18; n++)
      indices[n] = (uint8_t)(numbers[n / 2] >> n % 2 * 8);
   const hd_wave_memory memory = { indices, NULL, sizeof(indices) };
   picture_make(&p, moves, fragment_counts, HD_TEXEL_R8_UNORM, 4, 4, 1);
   picture_vertices(&p, corners[0], 8, 4);
   p.color.blend = blend_sum;
   p.draw.topology = HD_TOPOLOGY_TRIANGLE_STRIP;
   p.draw.indices = &memory;
   p.draw.index_size = 2;
   p.draw.primitive_restart = true;
   p.draw.vertex_offset = -8;
   p.draw.num_vertices = 9;
   p.draw.num_instances = 3;
   p.draw.first_instance = 1;
   finish(&p, "....\n1..1\n1..1\n1..1\n");
}

/* Attributes of 64-bit numbers are copied, over two locations; those past the end of their buffer are 0. */
static void
wide_attributes(void **unused)
{
   static const char wide[] =
       "shader vertex \"v\" {\n function @main {\n b0:\n%z:32 = const 0\n%k1:32 = const 1\n%p:32x4 = load_input %z location=0\n"
       "store_position %p\n%a:64x2 = load_input %z location=2\n%b:64 = load_input %z location=3\n%x:64 = channel %a, %k1\n"
       "%s:64 = fadd %x, %b\n%f:32 = f2f %s\nstore_output %f, %z location=0\n}\n}\n";
   static const char flat[] =
       "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n"
       "%c:32 = load_input %z location=0\nstore_output %c, %z location=0\n}\n}\n";
   /* 7, 1/64 and 1/16, little-endian. */
   static const uint8_t numbers[24] = {
      [6] = 0x1c, [7] = 0x40, [14] = 0x90, [15] = 0x3f, [22] = 0xb0, [23] = 0x3f
   };
   struct picture p;

   (void)unused;
   for (unsigned n = 0; n < 2; n++) {
      picture_make(&p, wide, flat, HD_TEXEL_R8_UNORM, 4, 4, 1);
      picture_vertices(&p, layers[0], 6, 8);
      const hd_vertex_buffer buffers[2] = {
         p.buffer, { { (void *)(uintptr_t)numbers, NULL, n ? 16 : 24 }, 0, false }
      };
      p.draw.num_attributes = 2;
      p.draw.num_buffers = 2;
      p.attributes[1] = (hd_vertex_attribute){ 2, 1, 0, HD_TEXEL_RAW, 24 };
      p.vertex_buffers = buffers;
      assert_int_equal(picture_draw(&p), HD_OK);
      /* 0.078125 and 0.015625 of 255. */
      assert_int_equal(picture_byte(&p, 1, 1, 0), n ? 4 : 20);
      picture_free(&p);
   }
}

/* Points of a size, with the coordinates in them; the second is outside. */
static void
points(void **unused)
{
   static const char sized[] =
       "shader vertex \"v\" {\n function @main {\n b0:\n%z:32 = const 0\n%four:32 = const 0x40800000\n"
       "%p:32x4 = load_input %z location=0\nstore_position %p\nstore_point_size %four\n}\n}\n";
   static const char coords[] =
       "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n%k1:32 = const 1\n"
       "%c:32x2 = point_coord\n%x:32 = channel %c, %z\n%y:32 = channel %c, %k1\n"
       "%r:32x4 = vec %x, %y, %x, %y\nstore_output %r, %z location=0\n}\n}\n";
   static const float places[2][4] = { { 0, 0, 0.5f, 1 }, { 1.01f, 0, 0.5f, 1 } };
   struct picture p;

   (void)unused;
   picture_make(&p, sized, coords, HD_TEXEL_RGBA32_FLOAT, 8, 8, 1);
   picture_vertices(&p, places[0], 2, 4);
   p.draw.topology = HD_TOPOLOGY_POINT_LIST;
   assert_int_equal(picture_draw(&p), HD_OK);
   assert_int_equal(p.stats.samples, 16);
   for (uint32_t y = 2; y < 6; y++) {
      for (uint32_t x = 2; x < 6; x++) {
         assert_true(picture_float(&p, x, y, 0) == ((float)x - 1.5f) / 4);
         assert_true(picture_float(&p, x, y, 1) == ((float)y - 1.5f) / 4);
      }
   }
   picture_free(&p);
}

/* Clip distances cut, cull distances drop what is beyond with all its vertices. */
static void
distances(void **unused)
{
   static const char clips[] =
       "shader vertex \"v\" {\n function @main {\n b0:\n%z:32 = const 0\n%k1:32 = const 1\n%p:32x4 = load_input %z location=0\n"
       "%x:32 = channel %p, %z\nstore_position %p\nstore_clip_distance %x, %k1\n%c:32x4 = load_input %z location=1\n"
       "store_output %c, %z location=0\n%w:32 = channel %p, %k1\nstore_cull_distance %w, %z\n}\n}\n";
   struct picture p;

   (void)unused;
   picture_make(&p, clips, passes, HD_TEXEL_R8_UNORM, 4, 4, 1);
   picture_vertices(&p, layers[0], 18, 8);
   finish(&p, "..33\n..33\n..11\n..11\n");
}

/* A texel with a component that is undefined stays so, unless all of it is written anew. */
static void
undefined_texels(void **unused)
{
   static const char all[] =
       "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n%one:32 = const 0x3f800000\n"
       "%c:32x4 = vec %one, %one, %one, %one\nstore_output %c, %z location=0\n}\n}\n";
   static const struct {
      const char *fragment;
      uint32_t masked;
      bool blends;
      uint8_t undefined;
   } steps[] = { { fragment_counts, 0, false, 1 },
                 { all, 8, false, 1 },
                 { all, 0, true, 1 },
                 { all, 0, false, 0 },
                 { all, 8, false, 0 },
                 { fragment_counts, 14, false, 0 } };
   struct picture p;

   (void)unused;
   picture_make(&p, vertex_position, NULL, HD_TEXEL_RGBA8_UNORM, 4, 4, 1);
   picture_vertices(&p, layers[0], 6, 8);
   for (unsigned n = 0; n < sizeof(steps) / sizeof(steps[0]); n++) {
      struct picture other;
      picture_make(&other, vertex_position, steps[n].fragment, HD_TEXEL_RGBA8_UNORM, 4, 4, 1);
      p.draw.fragment = other.draw.fragment;
      p.color.color_write_disable = steps[n].masked;
      p.color.blend = blend_sum;
      p.color.blend.enabled = steps[n].blends;
      assert_int_equal(picture_draw(&p), HD_OK);
      for (unsigned k = 0; k < 64; k++) {
         if (p.undefined[k] != steps[n].undefined)
            fail_msg("step %u: byte %u is %u", n, k, p.undefined[k]);
      }
      p.draw.fragment = NULL;
      picture_free(&other);
   }
   picture_free(&p);
}

static void
refused(void **unused)
{
   struct picture p = start(passes);
   hd_raster_draw good = p.draw;

   (void)unused;
#define EXPECT(field, value, text)                                                                 \
   do {                                                                                            \
      p.draw = good;                                                                               \
      p.draw.field = value;                                                                        \
      assert_int_equal(picture_draw(&p), HD_BAD_LAUNCH);                                           \
      if (!strstr(p.message, text))                                                                \
         fail_msg("%s, expected %s", p.message, text);                                             \
   } while (0)
   EXPECT(topology, (hd_topology)77, "topology 77");
   EXPECT(vertex, good.fragment, "expected a vertex shader");
   EXPECT(fragment, good.vertex, "expected a fragment shader");
   EXPECT(num_viewports, 0, "expected one viewport or more");
   EXPECT(num_colors, 0, "0 color attachments");
   p.draw = good;
   p.attributes[0].buffer = 1;
   assert_int_equal(picture_draw(&p), HD_BAD_LAUNCH);
   p.attributes[0].buffer = 0;
   p.color.image.memory.size--;
   assert_int_equal(picture_draw(&p), HD_BAD_LAUNCH);
   assert_non_null(strstr(p.message, "a color attachment has 15 bytes of memory, expected 16"));
   p.color.image.memory.size++;
   p.color.image.num_samples = 2;
   assert_int_equal(picture_draw(&p), HD_BAD_LAUNCH);
   assert_non_null(strstr(p.message, "depth 1, 1 levels and 2 samples, expected depth 1, 1 level"));
   p.color.image.num_samples = 1;
   p.viewport.width = 1e30f;
   assert_int_equal(picture_draw(&p), HD_BAD_LAUNCH);
   picture_free(&p);
   /* No position. */
   picture_make(&p, "shader vertex \"v\" {\n function @main {\n b0:\n}\n}\n", passes,
                HD_TEXEL_R8_UNORM, 4, 4, 1);
   picture_vertices(&p, layers[0], 3, 8);
   assert_int_equal(picture_draw(&p), HD_FAULT);
   assert_non_null(strstr(p.message, "the position of vertex 0 is undefined"));
   picture_free(&p);
}

static void
each_allocation_fails_once(void **unused)
{
   (void)unused;
   for (size_t n = 0;; n++) {
      struct limited c = { .left = SIZE_MAX };
      const hd_config config = limited_config(&c);
      struct picture p = start(passes);
      hd_shader *own = p.draw.vertex, *shader = NULL;
      assert_int_equal(hd_parse(&config, NULL, vertex_passes, strlen(vertex_passes), &shader),
                       HD_OK);
      p.draw.vertex = shader;
      c.left = n;
      const hd_result result = picture_draw(&p);
      c.left = SIZE_MAX;
      assert_true(result == HD_OK || result == HD_OUT_OF_MEMORY);
      if (result != HD_OK) {
         assert_int_equal(picture_draw(&p), HD_OK);
         picture_expect(&p, "3333\n3333\n2211\n2211\n");
      }
      hd_shader_destroy(shader);
      assert_int_equal(c.held, 0);
      p.draw.vertex = own;
      picture_free(&p);
      if (result == HD_OK)
         return;
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(depth),           cmocka_unit_test(early_and_late),
      cmocka_unit_test(stored),          cmocka_unit_test(stencil),
      cmocka_unit_test(blending),        cmocka_unit_test(vertices),
      cmocka_unit_test(wide_attributes), cmocka_unit_test(points),
      cmocka_unit_test(distances),       cmocka_unit_test(undefined_texels),
      cmocka_unit_test(refused),         cmocka_unit_test(each_allocation_fails_once),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
