/* SPDX-License-Identifier: MIT */
/* test_stage.c - what stages are given, and images. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness.h"
#include "heddle/intrinsic_enum.h"

static void
given_values(void **unused)
{
   static const char text[] =
       "shader fragment \"t\" {\n function @main {\n b0:\n%zero:32 = const 0\n"
       "%c:32x4 = frag_coord\n%f:1 = front_facing\n"
       "%i:32x2 = barycentric interp_mode=noperspective interp_location=centroid\n"
       "%k:32 = const 1\n%l:32 = subgroup_invocation\n%e:1 = ieq %l, %k\ndemote_if %e\n"
       "if %f { b1: } else { b2: } b3:\n%b:32 = phi b1: %k, b2: %zero\nstore_output %c, %zero "
       "location=0\n"
       "%u:32 = channel %i, %k\n%v:32x2 = vec %b, %u\nstore_output %v, %zero location=1\n"
       "%d:32 = channel %c, %zero\nstore_depth %d\nstore_stencil %l\nstore_sample_mask %b\n}\n}\n";
   uint32_t coord[3][4], facing[3] = { 0, 1, 256 }, bary[3][2], out[3][8], depth[3] = { 0 };
   uint32_t stencil[3] = { 0 }, mask[3] = { 0 };
   uint8_t undefined[sizeof(bary)] = { 0 }, written[sizeof(out)] = { 0 };
   hd_wave_builtin given[] = {
      { .id = HD_INTRINSIC_FRAG_COORD, .memory = { coord, NULL, sizeof(coord) } },
      { .id = HD_INTRINSIC_FRONT_FACING, .memory = { facing, NULL, sizeof(facing) } },
      { .id = HD_INTRINSIC_BARYCENTRIC, .memory = { coord, NULL, sizeof(coord) } },
      { HD_INTRINSIC_BARYCENTRIC,
        HD_INTERP_NOPERSPECTIVE,
        HD_INTERP_AT_CENTROID,
        { bary, undefined, sizeof(bary) } },
      { .id = HD_INTRINSIC_STORE_DEPTH, .memory = { depth, NULL, sizeof(depth) } },
      { .id = HD_INTRINSIC_STORE_STENCIL, .memory = { stencil, NULL, sizeof(stencil) } },
      { .id = HD_INTRINSIC_STORE_SAMPLE_MASK, .memory = { mask, NULL, sizeof(mask) } },
   };
   hd_wave_launch launch = { .lanes = 2,
                             .workgroup_size = { 3 },
                             .given = given,
                             .num_given = 7,
                             .outputs = { out, written, sizeof(out) },
                             .num_output_locations = 2 };

   (void)unused;
   for (unsigned n = 0; n < 3; n++) {
      for (unsigned c = 0; c < 4; c++)
         coord[n][c] = 100 * n + c + 1;
      bary[n][0] = 7;
      bary[n][1] = 50 + n;
   }
   undefined[4] = 1;
   struct outcome o = run_text(text, &launch);
   assert_string_equal(o.message, "");
   assert_memory_equal(out[0], coord[0], 16);
   assert_memory_equal(out[2], coord[2], 16);
   assert_int_equal(out[0][4], 0);
   assert_int_equal(out[2][4], 1);
   assert_true(written[20] && !written[16] && !written[2 * 32 + 20]);
   assert_int_equal(out[2][5], 52);
   /* Number 1 became a helper: nothing of it is written. */
   assert_int_equal(depth[0] + depth[1] + depth[2], 1 + 0 + 201);
   assert_int_equal(mask[2], 1);
   given[0].memory.size = 32;
   o = run_text(text, &launch);
   assert_non_null(strstr(o.message, "there is no value for invocation 2, lane 0 of wave 1"));
   launch.num_given = 3;
   o = run_text(text, &launch);
   assert_int_equal(o.result, HD_UNSUPPORTED);
   assert_non_null(strstr(o.message, "barycentric is not given by the launch"));
   given[1].id = HD_INTRINSIC_SUBGROUP_INVOCATION;
   launch.num_given = 7;
   o = run_text(text, &launch);
   assert_int_equal(o.result, HD_UNSUPPORTED);
}

static void
given_draw(void **unused)
{
   static const char text[] = "shader vertex \"t\" {\n function @main {\n b0:\n%z:32 = const 0\n"
                              "%i:32 = instance_index\n%v:32 = vertex_index\n%s:32 = iadd %i, %v\n"
                              "store_output %s, %z location=0\n}\n}\n";
   uint32_t instance[2] = { 30, 40 }, out[2][4];
   const hd_wave_builtin given = { .id = HD_INTRINSIC_INSTANCE_INDEX,
                                   .memory = { instance, NULL, sizeof(instance) } };
   const hd_wave_launch launch = { .lanes = 2,
                                   .workgroup_size = { 2 },
                                   .given = &given,
                                   .num_given = 1,
                                   .outputs = { out, NULL, sizeof(out) },
                                   .num_output_locations = 1 };

   (void)unused;
   assert_int_equal(run_text(text, &launch).result, HD_OK);
   assert_int_equal(out[0][0], 30);
   assert_int_equal(out[1][0], 41);
}

/* An image of 5 x 3, two layers, two levels: the second has 2 x 1. */
enum { WIDTH = 5, HEIGHT = 3, LAYERS = 2, TEXELS = (5 * 3 + 2 * 1) * 2 };

static unsigned
texel_number(unsigned x, unsigned y, unsigned layer, unsigned lod)
{
   const unsigned w = lod ? 2 : WIDTH, h = lod ? 1 : HEIGHT;

   if (x >= w || y >= h || layer >= LAYERS || lod > 1)
      return TEXELS;
   return (lod ? WIDTH * HEIGHT * LAYERS : 0) + (layer * h + y) * w + x;
}

/* Invocation n is x = n % 8, y = n / 8 % 4, layer = n / 32 % 4, lod = n / 128. */
static const char walk[] =
    "shader compute \"t\" {\n function @main {\n b0:\n%zero:32 = const 0\n"
    "%g:32 = global_invocation_index\n%k3:32 = const 3\n%k5:32 = const 5\n%k7:32 = const 7\n"
    "%x:32 = iand %g, %k7\n%g3:32 = ushr %g, %k3\n%y:32 = iand %g3, %k3\n%g5:32 = ushr %g, %k5\n"
    "%z:32 = iand %g5, %k3\n%lod:32 = ushr %g, %k7\n%at:32x3 = vec %x, %y, %z\n"
    "%four:32 = const 4\n%to:32 = ishl %g, %four\n";

static struct outcome
run_walk(const char *body, const hd_wave_image *image, void *out, size_t size)
{
   char text[4096];
   const hd_wave_buffer buffer = { .memory = { out, NULL, size } };
   const hd_wave_launch launch = { .lanes = 64,
                                   .num_workgroups = { 6 },
                                   .workgroup_size = { 64 },
                                   .images = image,
                                   .num_images = 1,
                                   .buffers = &buffer,
                                   .num_buffers = 1 };

   snprintf(text, sizeof(text), "%s%s\n}\n}\n", walk, body);
   return run_text(text, &launch);
}

static void
texels(void **unused)
{
   static uint32_t data[TEXELS + 8][4], out[384][4]; /* more memory than the image takes */
   hd_wave_image image = { .set = 1,
                           .binding = 2,
                           .width = WIDTH,
                           .height = HEIGHT,
                           .num_layers = LAYERS,
                           .num_levels = 2,
                           .bits = 32,
                           .memory = { data, NULL, sizeof(data) } };
   static const char place[] = "%zero, %at, %zero, %lod set=1 binding=2 dim=d2 array=true";
   char body[512];

   (void)unused;
   for (unsigned n = 0; n < TEXELS + 8; n++) {
      for (unsigned c = 0; c < 4; c++)
         data[n][c] = 10 * n + c + 1;
   }
   snprintf(body, sizeof(body), "%%v:32x4 = image_load %s\nstore_buffer %%v, %%zero, %%to", place);
   struct outcome o = run_walk(body, &image, out[0], sizeof(out));
   assert_string_equal(o.message, "");
   static const uint32_t none[4] = { 0 };
   for (unsigned n = 0; n < 384; n++) {
      const unsigned texel = texel_number(n % 8, n / 8 % 4, n / 32 % 4, n / 128);
      assert_memory_equal(out[n], texel < TEXELS ? data[texel] : none, 16);
   }
   /* Each texel is written once; what lies outside goes nowhere. */
   snprintf(body, sizeof(body), "%%v:32x2 = vec %%g, %%x\nimage_store %%v, %s", place);
   o = run_walk(body, &image, out[0], sizeof(out));
   assert_string_equal(o.message, "");
   for (unsigned n = 0; n < 384; n++) {
      const unsigned texel = texel_number(n % 8, n / 8 % 4, n / 32 % 4, n / 128);
      const uint32_t want[4] = { n, n % 8, 10 * texel + 3, 10 * texel + 4 };
      if (texel < TEXELS)
         assert_memory_equal(data[texel], want, 16);
   }
   /* Atomics are on level 0: three invocations of each place are inside. */
   memset(data, 0, sizeof(data));
   o = run_walk("%one:32 = const 1\n%o:32 = image_atomic %zero, %at, %zero, %one set=1 binding=2 "
                "dim=d2 array=true atomic_op=iadd\nstore_buffer %o, %zero, %to",
                &image, out[0], sizeof(out));
   assert_string_equal(o.message, "");
   for (unsigned n = 0; n < TEXELS; n++)
      assert_int_equal(data[n][0], n < WIDTH * HEIGHT * LAYERS ? 3 : 0);
   assert_int_equal(out[256 + 0][0], 2);
   assert_int_equal(out[256 + 7][0], 0);
   o = run_walk("%k:32 = const 3\n%o:32 = image_atomic_swap %zero, %at, %zero, %k, %g set=1 "
                "binding=2 dim=d2 array=true",
                &image, out[0], sizeof(out));
   assert_string_equal(o.message, "");
   assert_int_equal(data[texel_number(4, 2, 1, 0)][0], 32 + 2 * 8 + 4);
   /* What it says of itself. */
   o = run_walk("%s:32x3 = image_size %zero, %lod set=1 binding=2 dim=d2 array=true\n"
                "store_buffer %s, %zero, %to\n%l:32 = image_levels %zero set=1 binding=2\n"
                "store_buffer %l, %zero, %to offset=12",
                &image, out[0], sizeof(out));
   assert_string_equal(o.message, "");
   static const uint32_t sizes[3][4] = { { 5, 3, 2, 2 }, { 2, 1, 2, 2 }, { 0, 0, 0, 2 } };
   for (unsigned lod = 0; lod < 3; lod++)
      assert_memory_equal(out[lod * 128], sizes[lod], 16);
}

static void
image_kinds(void **unused)
{
   static uint16_t data[24 * 4][4];
   static uint32_t out[384][4];
   /* 2 x 2 faces, two cubes with two samples each, or one volume of 2 x 2 x 24. */
   hd_wave_image image = {
      .width = 2,
      .height = 2,
      .num_layers = 12,
      .num_samples = 2,
      .bits = 16,
      .memory = { data, NULL, sizeof(data) },
   };

   (void)unused;
   for (unsigned n = 0; n < 96; n++)
      data[n][0] = (uint16_t)(n + 1);
   /* x and y of the lowest bits, the face y, the cube the layer. */
   struct outcome o =
       run_walk("%one:32 = const 1\n%u:32 = iand %x, %one\n%c:32x4 = vec %u, %one, %y, %z\n"
                "%v:16 = image_load %zero, %c, %one, %zero set=0 binding=0 dim=cube array=true "
                "ms=true\n%w:32 = u2u %v\nstore_buffer %w, %zero, %to\n"
                "%s:32x3 = image_size %zero, %zero set=0 binding=0 dim=cube array=true\n"
                "store_buffer %s, %zero, %to offset=4",
                &image, out[0], sizeof(out));
   assert_string_equal(o.message, "");
   for (unsigned n = 0; n < 128; n++) {
      const unsigned x = n % 2, face = n / 8 % 4, cube = n / 32;
      const unsigned texel = (((cube * 6 + face) * 2 + 1) * 2 + x) * 2 + 1;
      assert_int_equal(out[n][0], cube < 2 ? texel + 1 : 0);
      assert_int_equal(out[n][3], 2);
   }
   /* There is no sample 2, and no face 6. */
   o = run_walk("%one:32 = const 1\n%u:32 = iand %x, %one\n%c:32x4 = vec %zero, %zero, %u, %zero\n"
                "%v:16 = image_load %zero, %c, %x, %zero set=0 binding=0 dim=cube array=true "
                "ms=true\n%w:32 = u2u %v\nstore_buffer %w, %zero, %to\n"
                "%d:32x3 = vec %zero, %zero, %x\n"
                "%t:16 = image_load %zero, %d, %zero, %zero set=0 binding=0 dim=cube\n"
                "%r:32 = u2u %t\nstore_buffer %r, %zero, %to offset=4",
                &image, out[0], sizeof(out));
   assert_string_equal(o.message, "");
   for (unsigned x = 0; x < 8; x++) {
      assert_int_equal(out[x][0], x < 2 ? x % 2 * 8 + x + 1 : 0);
      assert_int_equal(out[x][1], x < 6 ? x * 8 + 1 : 0);
   }
   image.num_layers = image.num_samples = 0;
   image.depth = 24;
   o = run_walk("%v:16 = image_load %zero, %at, %zero, %zero set=0 binding=0 dim=d3\n"
                "%w:32 = u2u %v\nstore_buffer %w, %zero, %to\n"
                "%n:32 = image_samples %zero set=0 binding=0\nstore_buffer %n, %zero, %to offset=4",
                &image, out[0], sizeof(out));
   assert_string_equal(o.message, "");
   for (unsigned n = 0; n < 128; n++) {
      const unsigned x = n % 8, y = n / 8 % 4, z = n / 32;
      assert_int_equal(out[n][0], x < 2 && y < 2 ? (z * 2 + y) * 2 + x + 1 : 0);
      assert_int_equal(out[n][1], 1);
   }
}

static void
image_faults(void **unused)
{
   static const struct {
      const char *body, *message;
   } cases[] = {
      { "%v:16 = image_load %zero, %x, %zero, %zero set=0 binding=0 dim=buffer",
        "components of 16 bits of an image that has 32, lane 0" },
      { "%v:32 = image_load %zero, %x, %zero, %zero set=0 binding=3 dim=buffer",
        "no image is bound to set 0, binding 3, index 0" },
      { "%u:32 = undef\n%v:32 = image_load %zero, %u, %zero, %zero set=0 binding=0 dim=buffer",
        "operand 1, component 0, is undefined" },
      { "%v:32 = image_load.uniform %x, %x, %zero, %zero set=0 binding=0 dim=buffer",
        "descriptor index 1, but lane 0 has 0: it must be uniform, lane 1" },
      { "%v:32 = image_load.uniform %x, %x, %zero, %zero set=0 binding=0 dim=buffer "
        "access=nonuniform",
        "no image is bound to set 0, binding 0, index 1, lane 1" },
   };
   static uint32_t data[8][4], out[4];
   hd_wave_image image = { .width = 8, .bits = 32, .memory = { data, NULL, sizeof(data) } };
   struct outcome o;

   (void)unused;
   for (unsigned n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      o = run_walk(cases[n].body, &image, out, sizeof(out));
      if (o.result != HD_FAULT || !strstr(o.message, cases[n].message))
         fail_msg("'%s', wanted '%s'", o.message, cases[n].message);
   }
   image.memory.size--;
   o = run_walk("", &image, out, sizeof(out));
   assert_string_equal(o.message, "an image takes 128 bytes, but its memory has 127");
   image.height = image.depth = image.num_layers = UINT32_MAX;
   o = run_walk("", &image, out, sizeof(out));
   assert_non_null(strstr(o.message, "an image takes 18446744073709551615 bytes"));
   image.bits = 8;
   o = run_walk("", &image, out, sizeof(out));
   assert_string_equal(o.message, "an image has components of 8 bits");
   image.bits = 16;
   image.num_levels = 33;
   o = run_walk("", &image, out, sizeof(out));
   assert_string_equal(o.message, "an image has 33 levels");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(given_values), cmocka_unit_test(given_draw),   cmocka_unit_test(texels),
      cmocka_unit_test(image_kinds),  cmocka_unit_test(image_faults),
   };

   return cmocka_run_group_tests_name("wave/stage", tests, NULL, NULL);
}
