/* SPDX-License-Identifier: MIT */
/* test_texture.c - formats of texels, address modes, filters, levels, cubes: numbers worked out by other ways. */
#include "support/test.h"

#include <math.h>
#include <string.h>

#include "heddle/intrinsic_enum.h"
#include "util/bytes.h"
#include "wave/texture.h"

static float
as_float(uint64_t bits)
{
   const uint32_t low = (uint32_t)bits;
   float f;

   memcpy(&f, &low, sizeof(f));
   return f;
}

static uint32_t
as_bits(float f)
{
   uint32_t bits;

   memcpy(&bits, &f, sizeof(bits));
   return bits;
}

/* Formats */

/* What a format stores is what it loads: all numbers of the small ones, many of the others. NaNs stay NaNs. */
static void
test_round_trip(void **unused)
{
   (void)unused;
   for (unsigned format = 1; format < HD_NUM_TEXEL_FORMATS; format++) {
      const hd_texel_layout *t = hd_texel_layout_of((hd_texel_format)format);
      uint64_t state = format;
      assert_non_null(t);
      assert_int_equal(hd_texel_format_from_name(t->name), format);
      assert_int_equal(hd_texel_format_size((hd_texel_format)format), t->bytes);
      const unsigned count = t->bytes > 2 ? 20000 : 1u << 8 * t->bytes;
      for (unsigned n = 0; n < count; n++) {
         uint8_t before[16] = { 0 }, after[16] = { 0 };
         uint64_t first[4], again[4];
         for (unsigned k = 0; k < t->bytes; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            before[k] = t->bytes > 2 ? (uint8_t)(state >> 56) : (uint8_t)(n >> 8 * k);
         }
         hd_texel_decode(t, before, first);
         hd_texel_encode(t, first, after);
         hd_texel_decode(t, after, again);
         for (unsigned c = 0; c < 4; c++) {
            const bool nan = !hd_texel_is_integer(t) && isnan(as_float(first[c]));
            if (nan ? !isnan(as_float(again[c])) : first[c] != again[c])
               fail_msg("%s: component %u of texel %u", t->name, c, n);
         }
      }
   }
}

static void
expect_decoded(const char *name, uint32_t texel, float r, float g, float b, float a)
{
   const hd_texel_layout *t = hd_texel_layout_of(hd_texel_format_from_name(name));
   const float expected[4] = { r, g, b, a };
   uint8_t bytes[4];
   uint64_t out[4];

   put_number(bytes, 4, texel);
   hd_texel_decode(t, bytes, out);
   for (unsigned c = 0; c < 4; c++) {
      if (as_float(out[c]) != expected[c])
         fail_msg("%s 0x%08x: component %u is %g, expected %g", name, texel, c,
                  (double)as_float(out[c]), (double)expected[c]);
   }
}

static void
test_decode(void **unused)
{
   (void)unused;
   expect_decoded("rgba8_unorm", 0x80ff0033, 0.2f, 0, 1, 128.0f / 255);
   expect_decoded("bgra8_unorm", 0x80ff0033, 1, 0, 0.2f, 128.0f / 255);
   expect_decoded("rgba8_snorm", 0x80817f00, 0, 1, -1, -1);
   expect_decoded("rgba8_srgb", 0x80ff0001, 0.0003035270f, 0, 1, 128.0f / 255);
   expect_decoded("bgr565_unorm", 0xf81f, 1, 0, 1, 1);
   expect_decoded("bgra5551_unorm", 0x83e0, 0, 1, 0, 1);
   expect_decoded("argb4444_unorm", 0x8f0f, 0, 1, 8.0f / 15, 1);
   expect_decoded("rgba1010102_unorm", 0x40000000 | 1023 << 10, 0, 1, 0, 1.0f / 3);
   /* 1.0 has the exponent 15; the third has a fraction of 5 bits. */
   expect_decoded("rgb111110_float", 0x3c0u | 0x400u << 11 | 0x1e1u << 22, 1, 2, 1 + 1.0f / 32, 1);
   expect_decoded("rgb9995_float", 256u | 128u << 9 | 1u << 18 | 16u << 27, 1, 0.5f, 1.0f / 256, 1);
   expect_decoded("d24_unorm", 0xff7fffff, (float)(8388607.0 / 16777215.0), 0, 0, 1);
}

static void
expect_encoded(const char *name, float r, float g, float b, float a, uint32_t texel)
{
   const hd_texel_layout *t = hd_texel_layout_of(hd_texel_format_from_name(name));
   const uint64_t in[4] = { as_bits(r), as_bits(g), as_bits(b), as_bits(a) };
   uint8_t bytes[4] = { 0 };

   hd_texel_encode(t, in, bytes);
   assert_int_equal(get_number(bytes, 4), texel);
}

static void
test_encode(void **unused)
{
   (void)unused;
   expect_encoded("rgba8_unorm", -1, 2, NAN, 0.5f, 0x8000ff00);
   /* Ties go to even: 0.5 of 255 is 127.5, of 127 it is 63.5. */
   expect_encoded("rgba8_snorm", -2, 2, -1, -0.5f, 0xc0817f81);
   expect_encoded("rgba8_srgb", 0.5f, 0.0031308f, 1, 0.5f, 0x80ff0abc);
   expect_encoded("rgb111110_float", -1, INFINITY, 65536, 0, 0x7c0u << 11 | 0x3dfu << 22);
   expect_encoded("rgb9995_float", 1, 0.5f, -1, 0, 256u | 128u << 9 | 16u << 27);
   expect_encoded("rgb9995_float", 1e9f, 0, 0, 0, 511u | 31u << 27);
   /* The largest is rounded up to the next exponent. */
   expect_encoded("rgb9995_float", 0.9999f, 0, 0, 0, 256u | 16u << 27);
}

/* Samples */

#define SIZE 8u

/* A line of floats 0, 1, ... 7. */
static uint8_t line[SIZE * 4];
static const hd_wave_image line_image = { .width = SIZE, .format = HD_TEXEL_R32_FLOAT };

static float
sample_line(const hd_wave_sampler *s, float x, int32_t offset)
{
   const hd_texture t = { &line_image, line, NULL, HD_DIM_D1, false };
   const hd_sample q = { .coord = { as_bits(x) }, .offset = { offset }, .least = INT64_MIN };
   uint64_t out[4];

   for (unsigned n = 0; n < SIZE; n++)
      put_number(line + 4 * n, 4, as_bits((float)n));
   assert_true(hd_texture_sample(&t, s, &q, out));
   return as_float(out[0]);
}

static void
test_address(void **unused)
{
   static const int expected[HD_NUM_ADDRESS_MODES][5] = {
      /* texels -9, -1, 3, 8, 17 */
      [HD_ADDRESS_REPEAT] = { 7, 7, 3, 0, 1 },
      [HD_ADDRESS_MIRRORED_REPEAT] = { 7, 0, 3, 7, 1 },
      [HD_ADDRESS_CLAMP_TO_EDGE] = { 0, 0, 3, 7, 7 },
      [HD_ADDRESS_CLAMP_TO_BORDER] = { -1, -1, 3, -1, -1 },
      [HD_ADDRESS_MIRROR_CLAMP_TO_EDGE] = { 7, 0, 3, 7, 7 },
   };
   static const int at[5] = { -9, -1, 3, 8, 17 };

   (void)unused;
   for (unsigned mode = 0; mode < HD_NUM_ADDRESS_MODES; mode++) {
      const hd_wave_sampler s = { .address = { (hd_address_mode)mode },
                                  .border = HD_BORDER_OPAQUE_WHITE };
      for (unsigned n = 0; n < 5; n++) {
         const float wanted = expected[mode][n] < 0 ? 1 : (float)expected[mode][n];
         const float x = ((float)at[n] + 0.5f) / (float)SIZE;
         assert_true(sample_line(&s, x, 0) == wanted);
         /* An offset is a step of whole texels. */
         assert_true(sample_line(&s, 3.5f / (float)SIZE, at[n] - 3) == wanted);
      }
   }
}

static void
test_linear(void **unused)
{
   const hd_wave_sampler s = { .address = { HD_ADDRESS_CLAMP_TO_EDGE },
                               .mag = HD_FILTER_LINEAR,
                               .min = HD_FILTER_LINEAR };
   const hd_wave_sampler texels = { .address = { HD_ADDRESS_CLAMP_TO_EDGE },
                                    .mag = HD_FILTER_LINEAR,
                                    .unnormalized = true };

   (void)unused;
   /* The centre of a texel is that texel, and what lies between is as near as 1/256. */
   for (unsigned n = 0; n < 8 * 256; n++) {
      const float x = (float)n / (8 * 256), here = x * (float)SIZE - 0.5f;
      const float wanted = here < 0 ? 0 : here > 7 ? 7 : here;
      assert_true(sample_line(&s, x, 0) == wanted);
      assert_true(sample_line(&texels, x * 8, 0) == wanted);
   }
   /* A third of 1/256 is rounded away. */
   assert_true(sample_line(&s, (1.5f + 1.0f / 768) / (float)SIZE, 0) == 1);
   assert_true(sample_line(&s, NAN, 0) == 0);
   assert_true(sample_line(&s, INFINITY, 0) == 7 && sample_line(&s, -INFINITY, 0) == 0);
}

/* Levels of one texel each have their number. */
static float
sample_level(const hd_wave_sampler *s, float lod)
{
   const hd_wave_image image = { .width = 8, .num_levels = 4, .format = HD_TEXEL_R32_FLOAT };
   uint8_t data[15 * 4];
   const hd_texture t = { &image, data, NULL, HD_DIM_D1, false };
   const hd_sample q = { .lod = hd_lod_from_float(as_bits(lod)), .least = INT64_MIN };
   uint64_t out[4];

   for (unsigned n = 0; n < 15; n++)
      put_number(data + 4 * n, 4, as_bits(n < 8 ? 0 : n < 12 ? 1 : n < 14 ? 2 : 3));
   assert_int_equal(hd_image_size(&image), sizeof(data));
   assert_true(hd_texture_sample(&t, s, &q, out));
   return as_float(out[0]);
}

static void
test_levels(void **unused)
{
   const hd_wave_sampler nearest = { .max_lod = 10 };
   const hd_wave_sampler mixed = { .mip = HD_FILTER_LINEAR, .max_lod = 10 };
   const hd_wave_sampler held = {
      .mip = HD_FILTER_LINEAR, .lod_bias = 1, .min_lod = 0.5f, .max_lod = 2.25f
   };

   (void)unused;
   assert_true(sample_level(&nearest, -3) == 0 && sample_level(&nearest, 0.5f) == 0);
   assert_true(sample_level(&nearest, 0.51f) == 1 && sample_level(&nearest, 9) == 3);
   assert_true(sample_level(&mixed, 1.25f) == 1.25f && sample_level(&mixed, 7) == 3);
   assert_true(sample_level(&held, -4) == 0.5f && sample_level(&held, 0.25f) == 1.25f);
   assert_true(sample_level(&held, 5) == 2.25f);
}

/* Where nothing depends on the level, a sample without derivatives has its value. */
static void
test_ignored_levels(void **unused)
{
   const hd_wave_image one = { .width = 8, .num_levels = 1, .format = HD_TEXEL_R32_FLOAT },
                       many = { .width = 8, .num_levels = 4, .format = HD_TEXEL_R32_FLOAT };
   const hd_texture single = { &one, NULL, NULL, HD_DIM_D1, false },
                    levels = { &many, NULL, NULL, HD_DIM_D1, false };
   const hd_wave_sampler any = { .max_lod = 10 }, first = { 0 }, whole = { .unnormalized = true };
   const hd_wave_sampler filters = { .mag = HD_FILTER_LINEAR, .max_lod = 10 };
   const hd_wave_sampler held = { .mag = HD_FILTER_LINEAR, .min_lod = 2, .max_lod = 2 };
   const hd_wave_sampler low = { .max_lod = 2, .lod_bias = 15 };

   (void)unused;
   assert_true(hd_texture_ignores_lod(&single, &any, INT64_MIN));
   assert_false(hd_texture_ignores_lod(&levels, &any, INT64_MIN));
   assert_false(hd_texture_ignores_lod(&single, &filters, INT64_MIN));
   assert_true(hd_texture_ignores_lod(&single, &filters, HD_LOD_ONE * 10));
   assert_false(hd_texture_ignores_lod(&single, &filters, HD_LOD_ONE * 9));
   assert_true(hd_texture_ignores_lod(&levels, &first, INT64_MIN));
   assert_true(hd_texture_ignores_lod(&levels, &held, INT64_MIN));
   assert_true(hd_texture_ignores_lod(&levels, &whole, INT64_MIN));
   assert_false(hd_texture_ignores_lod(&levels, &low, INT64_MIN));
}

static void
test_derivatives(void **unused)
{
   const hd_wave_image image = {
      .width = 64, .height = 32, .num_levels = 6, .format = HD_TEXEL_R32_FLOAT
   };
   const hd_texture t = { &image, NULL, NULL, HD_DIM_D2, false };
   const hd_wave_sampler s = { .max_lod = 10 };
   const uint32_t none[3] = { 0 }, coord[3] = { 0 };
   int64_t before = INT64_MIN;

   (void)unused;

   for (unsigned n = 0; n < 200; n++) {
      const float step = (float)(n + 1) / 256;
      const uint32_t x[3] = { as_bits(step) };
      const int64_t lod = hd_texture_lod(&t, &s, coord, x, none);
      assert_true(lod >= before && lod == hd_texture_lod(&t, &s, coord, none, x));
      before = lod;
   }
   for (int n = -4; n < 6; n++) {
      const float texels = n < 0 ? 1.0f / (float)(1 << -n) : (float)(1 << n);
      const uint32_t x[3] = { as_bits(texels / 64) }, y[3] = { 0, as_bits(texels / 32) };
      const uint32_t both[3] = { x[0], y[1] };
      assert_int_equal(hd_texture_lod(&t, &s, coord, x, none), n * HD_LOD_ONE);
      assert_int_equal(hd_texture_lod(&t, &s, coord, x, y), n * HD_LOD_ONE);
      assert_int_equal(hd_texture_lod(&t, &s, coord, none, both), n * HD_LOD_ONE + HD_LOD_ONE / 2);
   }
   assert_true(hd_texture_lod(&t, &s, coord, none, none) < -1000);
}

/* Cubes: each texel has its own number. */

#define EDGE 4

static float cube_texels[6][EDGE][EDGE];

static float
sample_cube(float x, float y, float z, bool linear)
{
   static const hd_wave_image image = {
      .width = EDGE, .height = EDGE, .num_layers = 6, .format = HD_TEXEL_R32_FLOAT
   };
   uint8_t data[sizeof(cube_texels)];
   const hd_texture t = { &image, data, NULL, HD_DIM_CUBE, false };
   const hd_wave_sampler s = { .mag = linear ? HD_FILTER_LINEAR : HD_FILTER_NEAREST };
   const hd_sample q = { .coord = { as_bits(x), as_bits(y), as_bits(z) }, .least = INT64_MIN };
   uint64_t out[4];

   for (unsigned n = 0; n < 6 * EDGE * EDGE; n++)
      put_number(data + 4 * n, 4, as_bits(cube_texels[n / EDGE / EDGE][n / EDGE % EDGE][n % EDGE]));
   assert_true(hd_texture_sample(&t, &s, &q, out));
   return as_float(out[0]);
}

static void
test_faces(void **unused)
{
   static const float major[6][3] = { { 1, 0, 0 },  { -1, 0, 0 }, { 0, 1, 0 },
                                      { 0, -1, 0 }, { 0, 0, 1 },  { 0, 0, -1 } };

   (void)unused;
   for (unsigned n = 0; n < 6; n++) {
      for (unsigned k = 0; k < EDGE * EDGE; k++)
         cube_texels[n][k / EDGE][k % EDGE] = (float)n;
   }
   for (unsigned n = 0; n < 6; n++)
      assert_true(sample_cube(major[n][0], major[n][1], major[n][2], false) == (float)n);
   /* +x: s runs along -z, t along -y. */
   cube_texels[0][0][0] = 50;
   assert_true(sample_cube(1, 0.9f, 0.9f, false) == 50);
   cube_texels[2][0][EDGE - 1] = 60;
   assert_true(sample_cube(0.9f, 1, -0.9f, false) == 60);
}

/* A field that is linear in space on the faces has no steps at the edges: seams would be seen. */
static void
test_seams(void **unused)
{
   (void)unused;
   for (unsigned face = 0; face < 6; face++) {
      for (int j = 0; j < EDGE; j++) {
         for (int i = 0; i < EDGE; i++) {
            const float s = (2 * (float)i + 1) / EDGE - 1, t = (2 * (float)j + 1) / EDGE - 1;
            const float places[6][3] = { { 1, -t, -s }, { -1, -t, s }, { s, 1, t },
                                         { s, -1, -t }, { s, -t, 1 },  { -s, -t, -1 } };
            cube_texels[face][j][i] =
                places[face][0] * 3 + places[face][1] * 5 + places[face][2] * 7;
         }
      }
   }
   for (int n = -30; n <= 30; n++) {
      const float k = (float)n / 32;
      /* On both sides of each kind of edge. */
      const float pairs[][2][3] = {
         { { 1, k, 0.999f }, { 0.999f, k, 1 } },     { { 1, 0.999f, k }, { 0.999f, 1, k } },
         { { k, 1, 0.999f }, { k, 0.999f, 1 } },     { { -1, k, 0.999f }, { -0.999f, k, 1 } },
         { { k, -1, -0.999f }, { k, -0.999f, -1 } }, { { 1, k, -0.999f }, { 0.999f, k, -1 } },
         { { -1, -0.999f, k }, { -0.999f, -1, k } }, { { -1, 0.999f, k }, { -0.999f, 1, k } },
      };
      for (unsigned p = 0; p < sizeof(pairs) / sizeof(pairs[0]); p++) {
         const float a = sample_cube(pairs[p][0][0], pairs[p][0][1], pairs[p][0][2], true);
         const float b = sample_cube(pairs[p][1][0], pairs[p][1][1], pairs[p][1][2], true);
         if (fabsf(a - b) > 0.25f)
            fail_msg("pair %u at %g: %g and %g", p, (double)k, (double)a, (double)b);
      }
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),     cmocka_unit_test(test_decode),
      cmocka_unit_test(test_encode),         cmocka_unit_test(test_address),
      cmocka_unit_test(test_linear),         cmocka_unit_test(test_levels),
      cmocka_unit_test(test_ignored_levels), cmocka_unit_test(test_ignored_levels),
      cmocka_unit_test(test_derivatives),    cmocka_unit_test(test_faces),
      cmocka_unit_test(test_seams),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
