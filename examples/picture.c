/* SPDX-License-Identifier: MIT */
/* picture.c - draw a triangle with a vertex and a fragment shader, without a GPU. */
#include <stdio.h>
#include <string.h>

#include "heddle/heddle_tools.h"

enum { WIDTH = 32, HEIGHT = 12, NUM_BYTES = 3 * 12 };

static const char vertex_text[] = "shader vertex \"corner\" {\n"
                                  "  function @main {\n"
                                  "    b0:\n"
                                  "      %zero:32 = const 0\n"
                                  "      %one:32 = const 1\n"
                                  "      %two:32 = const 2\n"
                                  "      %corner:32x3 = load_input %zero location=0\n"
                                  "      %x:32 = channel %corner, %zero\n"
                                  "      %y:32 = channel %corner, %one\n"
                                  "      %w:32 = const 0x3f800000\n"
                                  "      %at:32x4 = vec %x, %y, %zero, %w\n"
                                  "      store_position %at\n"
                                  "      %light:32 = channel %corner, %two\n"
                                  "      store_output %light, %zero location=0\n"
                                  "  }\n"
                                  "}\n";

static const char fragment_text[] = "shader fragment \"light\" {\n"
                                    "  function @main {\n"
                                    "    b0:\n"
                                    "      %zero:32 = const 0\n"
                                    "      %place:32x2 = barycentric\n"
                                    "      %light:32 = load_interpolated %place, %zero location=0\n"
                                    "      store_output %light, %zero location=0\n"
                                    "  }\n"
                                    "}\n";

/* x, y and light of three corners, little-endian. */
static void
write_corners(uint8_t bytes[NUM_BYTES])
{
   static const float corners[9] = { -0.9f, -0.9f, 0.25f, 0.9f, -0.9f, 0.5f, 0, 0.9f, 1 };

   for (unsigned n = 0; n < NUM_BYTES; n++) {
      uint32_t bits;
      memcpy(&bits, &corners[n / 4], sizeof(bits));
      bytes[n] = (uint8_t)(bits >> n % 4 * 8);
   }
}

static hd_result
draw(hd_shader *vertex, hd_shader *fragment, uint8_t *pixels, hd_raster_stats *stats)
{
   uint8_t corners[NUM_BYTES];
   const hd_vertex_buffer buffer = { .memory = { corners, NULL, sizeof(corners) }, .stride = 12 };
   const hd_vertex_attribute attribute = { .format = HD_TEXEL_RGB32_FLOAT };
   const hd_color_attachment color = {
      .image = { .width = WIDTH,
                 .height = HEIGHT,
                 .format = HD_TEXEL_R8_UNORM,
                 .memory = { pixels, NULL, (uint64_t)WIDTH * HEIGHT } },
   };
   const hd_viewport viewport = { .width = WIDTH, .height = HEIGHT, .max_depth = 1 };

   write_corners(corners);
   return hd_raster_run(&(hd_raster_draw){ .vertex = vertex,
                                           .fragment = fragment,
                                           .topology = HD_TOPOLOGY_TRIANGLE_LIST,
                                           .num_vertices = 3,
                                           .num_instances = 1,
                                           .buffers = &buffer,
                                           .num_buffers = 1,
                                           .attributes = &attribute,
                                           .num_attributes = 1,
                                           .colors = &color,
                                           .num_colors = 1,
                                           .viewports = &viewport,
                                           .num_viewports = 1 },
                        stats);
}

static void
print_picture(const uint8_t *pixels)
{
   static const char shades[] = " .:-=+*#%@";

   for (unsigned y = 0; y < HEIGHT; y++) {
      for (unsigned x = 0; x < WIDTH; x++)
         putchar(shades[pixels[y * WIDTH + x] * 9 / 255]);
      putchar('\n');
   }
}

int
main(void)
{
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *vertex = NULL, *fragment = NULL;
   uint8_t pixels[WIDTH * HEIGHT] = { 0 };
   hd_raster_stats stats;

   hd_result result = hd_parse(&config, "vertex", vertex_text, strlen(vertex_text), &vertex);
   if (result == HD_OK)
      result = hd_parse(&config, "fragment", fragment_text, strlen(fragment_text), &fragment);
   if (result == HD_OK)
      result = draw(vertex, fragment, pixels, &stats);
   if (result == HD_OK) {
      print_picture(pixels);
      printf("%u fragments\n", (unsigned)stats.fragments);
   }
   hd_shader_destroy(fragment);
   hd_shader_destroy(vertex);
   return result != HD_OK;
}
