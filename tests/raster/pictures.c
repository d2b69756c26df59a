/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "pictures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char vertex_position[] = "shader vertex \"v\" {\n function @main {\n b0:\n%z:32 = const 0\n"
                               "%p:32x4 = load_input %z location=0\nstore_position %p\n}\n}\n";
const char vertex_passes[] =
    "shader vertex \"v\" {\n function @main {\n b0:\n%z:32 = const 0\n"
    "%p:32x4 = load_input %z location=0\nstore_position %p\n"
    "%c:32x4 = load_input %z location=1\nstore_output %c, %z location=0\n}\n}\n";
const char fragment_counts[] = "shader fragment \"f\" {\n function @main {\n b0:\n%z:32 = const 0\n"
                               "%c:32 = const 0x3b808081\nstore_output %c, %z location=0\n}\n}\n";
const hd_blend blend_sum = {
   true,         HD_BLEND_FACTOR_ONE, HD_BLEND_FACTOR_ONE, HD_BLEND_FACTOR_ONE, HD_BLEND_FACTOR_ONE,
   HD_BLEND_ADD, HD_BLEND_ADD
};

static void
keep_first(void *user, const hd_diag *diag)
{
   struct picture *p = user;

   if (!p->message[0])
      snprintf(p->message, sizeof(p->message), "%s", diag->message);
}

static hd_shader *
parse(struct picture *p, const char *text)
{
   const hd_config config = { .diag = { p, keep_first } };
   hd_shader *shader = NULL;

   if (hd_parse(&config, "test", text, strlen(text), &shader) != HD_OK ||
       hd_validate(shader, NULL) != HD_OK)
      fail_msg("%s in\n%s", p->message, text);
   return shader;
}

void
picture_make(struct picture *p, const char *vertex, const char *fragment, hd_texel_format format,
             uint32_t width, uint32_t height, uint32_t samples)
{
   const size_t size = (size_t)width * height * samples * hd_texel_format_size(format);

   memset(p, 0, sizeof(*p));
   p->texels = calloc(size, 1);
   p->undefined = calloc(size, 1);
   p->viewport = (hd_viewport){ 0, 0, (float)width, (float)height, 0, 1 };
   p->color.image = (hd_wave_image){ .width = width,
                                     .height = height,
                                     .num_samples = samples,
                                     .format = format,
                                     .memory = { p->texels, p->undefined, size } };
   p->draw = (hd_raster_draw){
      .vertex = parse(p, vertex),
      .fragment = fragment ? parse(p, fragment) : NULL,
      .topology = HD_TOPOLOGY_TRIANGLE_LIST,
      .num_instances = 1,
      .buffers = &p->buffer,
      .num_buffers = 1,
      .attributes = p->attributes,
      .colors = &p->color,
      .num_colors = 1,
      .viewports = &p->viewport,
      .num_viewports = 1,
   };
}

void
picture_vertices(struct picture *p, const float *vertices, uint32_t count, uint32_t components)
{
   const size_t size = (size_t)count * components * 4;
   uint8_t *bytes = calloc(size + 1, 1);

   free(p->buffer.memory.data);
   for (size_t n = 0; n < size; n++) {
      uint32_t bits;
      memcpy(&bits, &vertices[n / 4], 4);
      bytes[n] = (uint8_t)(bits >> n % 4 * 8);
   }
   p->buffer = (hd_vertex_buffer){ { bytes, NULL, size }, components * 4, false };
   p->draw.num_vertices = count;
   p->draw.num_attributes = components / 4;
   for (uint32_t n = 0; n < components / 4; n++)
      p->attributes[n] = (hd_vertex_attribute){ n, 0, n * 16, HD_TEXEL_RGBA32_FLOAT, 0 };
}

void
picture_add_depth(struct picture *p, hd_texel_format format, float clear)
{
   uint32_t color[4] = { 0 };

   memcpy(color, &clear, 4);
   p->depth = p->color.image;
   p->depth.format = format;
   p->depth.memory.undefined = NULL;
   p->depth.memory.size = (size_t)p->depth.width * p->depth.height * p->depth.num_samples *
                          hd_texel_format_size(format);
   p->depth.memory.data = p->depths = calloc(p->depth.memory.size, 1);
   assert_int_equal(hd_raster_clear(&p->depth, color), HD_OK);
   p->draw.depth = &p->depth;
}

hd_result
picture_draw(struct picture *p)
{
   const hd_wave_launch resources = { .diag = { p, keep_first } };

   /* It may have been copied since it was made. */
   p->draw.buffers = p->vertex_buffers ? p->vertex_buffers : &p->buffer;
   p->draw.attributes = p->attributes;
   p->draw.colors = &p->color;
   p->draw.viewports = &p->viewport;
   p->draw.depth = p->depths ? &p->depth : NULL;
   p->draw.stencil = p->stencils ? &p->stencil : NULL;
   p->draw.resources = &resources;
   p->message[0] = 0;
   return hd_raster_run(&p->draw, &p->stats);
}

uint8_t
picture_byte(const struct picture *p, uint32_t x, uint32_t y, uint32_t sample)
{
   const hd_wave_image *image = &p->color.image;

   return p->texels[((size_t)y * image->width + x) * image->num_samples + sample];
}

float
picture_float(const struct picture *p, uint32_t x, uint32_t y, uint32_t component)
{
   const hd_wave_image *image = &p->color.image;
   const size_t size = hd_texel_format_size(image->format);
   const uint8_t *at = p->texels + ((size_t)y * image->width + x) * size + component * 4;
   const uint32_t bits =
       at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
   float f;

   memcpy(&f, &bits, 4);
   return f;
}

void
picture_expect(const struct picture *p, const char *rows)
{
   const uint32_t width = p->color.image.width, height = p->color.image.height;
   char text[MAX_SIDE * (MAX_SIDE + 1) + 1], *at = text;

   for (uint32_t y = 0; y < height; y++) {
      for (uint32_t x = 0; x < width; x++) {
         const uint8_t byte = picture_byte(p, x, y, 0);
         *at++ = byte > 9 ? '+' : byte ? (char)('0' + byte) : '.';
      }
      *at++ = '\n';
   }
   *at = 0;
   assert_string_equal(text, rows);
}

void
picture_free(struct picture *p)
{
   hd_shader_destroy(p->draw.vertex);
   hd_shader_destroy(p->draw.fragment);
   free(p->buffer.memory.data);
   free(p->texels);
   free(p->undefined);
   free(p->depths);
   free(p->stencils);
}
