/* SPDX-License-Identifier: MIT */
/* scene.c - a floor, a box and a wire fence: three draws with one pipeline, textured, lit, alpha-tested. The picture is
 * drawn twice, on the simulated GPU and by the interpreter, and both are compared.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

enum { WIDTH = 160, HEIGHT = 120, TEXTURE = 64, LEVELS = 7, NUM_DRAWS = 3, MAX_VERTICES = 36 };

/* Between the two pictures: of a channel, in 1/255; and pixels of which one is more than that, as the edge of what
 * is discarded is elsewhere.
 */
#define MAX_DIFFERENCE 1u
#define MAX_OTHER      (WIDTH * HEIGHT / 1000u)

typedef struct vertex {
   float position[3], normal[3], place[2];
} vertex;

typedef struct mesh {
   vertex vertices[MAX_VERTICES];
   uint32_t num;
   float cutoff; /* less alpha is discarded */
} mesh;

typedef struct target {
   uint8_t pixels[WIDTH * HEIGHT * 4];
   float depth[WIDTH * HEIGHT];
} target;

/* Meshes */

/* Two triangles; `a` and `b` are the edges from the corner. */
static void
add_quad(mesh *m, const float corner[3], const float a[3], const float b[3], const float normal[3],
         float repeat)
{
   static const float at[6][2] = { { 0, 0 }, { 1, 0 }, { 1, 1 }, { 0, 0 }, { 1, 1 }, { 0, 1 } };

   for (unsigned n = 0; n < 6; n++) {
      vertex *v = &m->vertices[m->num++];
      for (unsigned c = 0; c < 3; c++) {
         v->position[c] = corner[c] + at[n][0] * a[c] + at[n][1] * b[c];
         v->normal[c] = normal[c];
      }
      v->place[0] = at[n][0] * repeat;
      v->place[1] = at[n][1] * repeat;
   }
}

static void
make_floor(mesh *m)
{
   add_quad(m, (float[]){ -6, 0, -2 }, (float[]){ 12, 0, 0 }, (float[]){ 0, 0, 14 },
            (float[]){ 0, 1, 0 }, 6);
}

/* Turned about the vertical: 3, 4 and 5 are a right triangle. */
static void
make_box(mesh *m)
{
   const float x[3] = { 0.8f, 0, 0.6f }, y[3] = { 0, 1, 0 }, z[3] = { -0.6f, 0, 0.8f };
   const float *const axes[3] = { x, y, z };
   const float middle[3] = { 0.6f, 0.75f, 3.5f };

   for (unsigned n = 0; n < 3; n++) {
      for (int side = -1; side <= 1; side += 2) {
         float corner[3], normal[3], a[3], b[3];
         for (unsigned c = 0; c < 3; c++) {
            normal[c] = axes[n][c] * (float)side;
            a[c] = axes[(n + 1) % 3][c] * 1.5f;
            b[c] = axes[(n + 2) % 3][c] * 1.5f;
            corner[c] = middle[c] + normal[c] * 0.75f - a[c] / 2 - b[c] / 2;
         }
         add_quad(m, corner, a, b, normal, 1);
      }
   }
}

static void
make_fence(mesh *m)
{
   m->cutoff = 0.5f;
   add_quad(m, (float[]){ -2.5f, 0, 2 }, (float[]){ 3.5f, 0, -0.25f }, (float[]){ 0, 1.25f, 0 },
            (float[]){ 0, 0, -1 }, 3);
}

/* Textures: red, green, blue, alpha */

static uint32_t
pack(unsigned r, unsigned g, unsigned b, unsigned a)
{
   return r | g << 8 | b << 16 | a << 24;
}

static uint32_t
floor_texel(unsigned x, unsigned y)
{
   return (x / 32 + y / 32) % 2 ? pack(210, 205, 190, 255) : pack(70, 90, 110, 255);
}

static uint32_t
brick_texel(unsigned x, unsigned y)
{
   const unsigned row = y / 16, shifted = x + row % 2 * 16;

   return y % 16 < 2 || shifted % 32 < 2 ? pack(200, 200, 190, 255)
                                         : pack(150 + shifted / 32 % 2 * 30, 60, 40, 255);
}

/* Wires that cross; the holes are nothing. */
static uint32_t
wire_texel(unsigned x, unsigned y)
{
   return (x + y) % 32 < 8 || (x + TEXTURE - y) % 32 < 8 ? pack(230, 220, 120, 255)
                                                         : pack(230, 220, 120, 0);
}

/* Level 0 as the function says, each other one the mean of four texels of the one before. */
static void
make_texture(uint8_t *texels, uint32_t (*texel)(unsigned, unsigned))
{
   for (unsigned n = 0; n < TEXTURE * TEXTURE; n++) {
      const uint32_t word = texel(n % TEXTURE, n / TEXTURE);
      for (unsigned c = 0; c < 4; c++)
         texels[4 * n + c] = (uint8_t)(word >> 8 * c);
   }
   for (unsigned size = TEXTURE; size > 1; size /= 2) {
      uint8_t *next = texels + 4 * size * size;
      for (unsigned n = 0; n < size * size; n++) {
         const unsigned x = n / 4 % (size / 2), y = n / 4 / (size / 2);
         const uint8_t *from = texels + 4 * (2 * y * size + 2 * x) + n % 4;
         next[n] = (uint8_t)((from[0] + from[4] + from[4 * size] + from[4 * size + 4] + 2) / 4);
      }
      texels = next;
   }
}

/* Drawing */

static void
clear(target *t)
{
   for (unsigned n = 0; n < WIDTH * HEIGHT; n++) {
      t->pixels[4 * n] = 140;
      t->pixels[4 * n + 1] = 170;
      t->pixels[4 * n + 2] = 200;
      t->pixels[4 * n + 3] = 255;
      t->depth[n] = 1;
   }
}

/* From 1.6 above the floor, looking down a little: the matrix by columns, depth between 0.5 and 20. */
static void
look(float matrix[16])
{
   const float eye = 1.6f, down = 0.28f, ahead = 0.96f, scale = 1.5f, near = 0.5f, far = 20;
   const float a = far / (far - near), b = -near * a;
   /* y and z of the view, of (x, y, z, 1). */
   const float up[4] = { 0, ahead, down, -ahead * eye }, z[4] = { 0, -down, ahead, down * eye };

   memset(matrix, 0, 16 * sizeof(*matrix));
   matrix[0] = scale * HEIGHT / WIDTH;
   for (unsigned c = 0; c < 4; c++) {
      matrix[4 * c + 1] = -scale * up[c];
      matrix[4 * c + 2] = a * z[c] + (c == 3 ? b : 0);
      matrix[4 * c + 3] = z[c];
   }
}

/* One of the draws: by the interpreter, if there is no device. */
static hd_result
draw_mesh(device *dev, graphics_pipeline *p, target *t, const mesh *m, uint8_t *texels,
          lanes_log *lanes, hd_raster_stats *stats)
{
   struct {
      float transform[16], cutoff;
   } push;
   float light[4] = { 0.36f, 0.8f, -0.48f, 0.25f };
   const hd_wave_buffer buffer = { .memory = { light, NULL, sizeof(light) } };
   const hd_wave_image image = {
      .binding = 1,
      .width = TEXTURE,
      .height = TEXTURE,
      .num_levels = LEVELS,
      .format = HD_TEXEL_RGBA8_UNORM,
      .memory = { texels, NULL, TEXTURE * TEXTURE * 4 * 4 / 3 },
   };
   const hd_wave_sampler sampler = { .binding = 1,
                                     .mag = HD_FILTER_LINEAR,
                                     .min = HD_FILTER_LINEAR,
                                     .mip = HD_FILTER_LINEAR,
                                     .max_lod = LEVELS };
   const hd_wave_launch resources = {
      .buffers = &buffer,
      .num_buffers = 1,
      .images = &image,
      .num_images = 1,
      .samplers = &sampler,
      .num_samplers = 1,
      .push = { &push, NULL, sizeof(push) },
   };
   const hd_vertex_buffer vertices = {
      .memory = { (void *)m->vertices, NULL, m->num * sizeof(vertex) }, .stride = sizeof(vertex)
   };
   const hd_vertex_attribute attributes[] = {
      { 0, 0, offsetof(vertex, position), HD_TEXEL_RGB32_FLOAT, 0 },
      { 1, 0, offsetof(vertex, normal), HD_TEXEL_RGB32_FLOAT, 0 },
      { 2, 0, offsetof(vertex, place), HD_TEXEL_RG32_FLOAT, 0 },
   };
   const hd_color_attachment color = { .image = {
                                           .width = WIDTH,
                                           .height = HEIGHT,
                                           .format = HD_TEXEL_RGBA8_UNORM,
                                           .memory = { t->pixels, NULL, sizeof(t->pixels) } } };
   const hd_wave_image depth = { .width = WIDTH,
                                 .height = HEIGHT,
                                 .format = HD_TEXEL_R32_FLOAT,
                                 .memory = { t->depth, NULL, sizeof(t->depth) } };
   const hd_viewport viewport = { .width = WIDTH, .height = HEIGHT, .max_depth = 1 };
   const hd_raster_draw draw = {
      .vertex = p->vertex,
      .fragment = p->fragment,
      .topology = HD_TOPOLOGY_TRIANGLE_LIST,
      .num_vertices = m->num,
      .num_instances = 1,
      .buffers = &vertices,
      .num_buffers = 1,
      .attributes = attributes,
      .num_attributes = sizeof(attributes) / sizeof(attributes[0]),
      .colors = &color,
      .num_colors = 1,
      .depth = &depth,
      .depth_compare = HD_COMPARE_LESS,
      .viewports = &viewport,
      .num_viewports = 1,
      .resources = &resources,
   };

   look(push.transform);
   push.cutoff = m->cutoff;
   return dev ? graphics_draw(dev, p, &draw, lanes, stats) : hd_raster_run(&draw, stats);
}

/* What differs, and how much. */
static bool
compare(const target *a, const target *b)
{
   unsigned most = 0, other = 0, hash = 0x811c9dc5;

   for (unsigned n = 0; n < WIDTH * HEIGHT; n++) {
      unsigned worst = 0;
      for (unsigned c = 0; c < 4; c++) {
         const uint8_t x = a->pixels[4 * n + c], y = b->pixels[4 * n + c];
         const unsigned difference = x > y ? x - y : y - x;
         worst = difference > worst ? difference : worst;
         hash = (hash ^ x) * 0x01000193;
      }
      if (worst > MAX_DIFFERENCE)
         other++;
      else
         most = worst > most ? worst : most;
   }
   printf(
       "the picture: %08x; beside the interpreter's, %u pixels are others, all else differs by %u "
       "of 255 at most\n",
       hash, other, most);
   return other <= MAX_OTHER;
}

static bool
write_file(const char *path, const void *data, size_t size)
{
   FILE *file = fopen(path, "wb");
   const bool good = file && fwrite(data, 1, size, file) == size;

   return file && !fclose(file) && good;
}

static bool
draw_all(device *dev, graphics_pipeline *p, target *simulated, target *wanted, lanes_log *lanes)
{
   static void (*const make[NUM_DRAWS])(mesh *) = { make_floor, make_box, make_fence };
   static uint32_t (*const texel[NUM_DRAWS])(unsigned, unsigned) = { floor_texel, brick_texel,
                                                                     wire_texel };
   static const char *const names[NUM_DRAWS] = { "floor", "box", "fence" };
   static uint8_t texels[TEXTURE * TEXTURE * 4 * 4 / 3 + 4];

   clear(simulated);
   clear(wanted);
   for (unsigned n = 0; n < NUM_DRAWS; n++) {
      mesh m = { .num = 0 };
      hd_raster_stats stats;
      make[n](&m);
      make_texture(texels, texel[n]);
      const hd_result result = draw_mesh(dev, p, simulated, &m, texels, lanes, &stats);
      if (result != HD_OK) {
         fprintf(stderr, "%s: %s %s\n", names[n], hd_result_name(result), p->said.text);
         return false;
      }
      printf("%s: %" PRIu64 " vertices, %" PRIu64 " fragments and %" PRIu64 " helpers, %" PRIu64
             " pixels written\n",
             names[n], stats.vertices, stats.fragments, stats.helpers, stats.samples);
      if (draw_mesh(NULL, p, wanted, &m, texels, NULL, &stats) != HD_OK)
         return false;
   }
   return true;
}

bool
scene_draw(device *dev, graphics_pipeline *p, const char *pixels, const char *lanes)
{
   target *both = calloc(2, sizeof(*both));
   lanes_log log = { .helpers = 0 };

   hd_blob_init(&log.kept, NULL);
   bool good = both && draw_all(dev, p, &both[0], &both[1], &log) && compare(&both[0], &both[1]);
   if (good)
      printf("%" PRIu64
             " waves of fragments: %.1f of 64 lanes run an instruction, %.1f of them helpers\n",
             log.waves, (double)log.active / (double)log.steps,
             (double)log.all_helpers / (double)log.steps);
   if (good && pixels)
      good = write_file(pixels, both[0].pixels, sizeof(both[0].pixels));
   if (good && lanes)
      good = write_file(lanes, log.kept.data, log.kept.size);
   hd_blob_finish(&log.kept);
   free(both);
   return good;
}
