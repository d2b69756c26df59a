/* SPDX-License-Identifier: MIT */
/* pictures.h - small draws: shaders from text, vertices from floats, pictures as text. */
#ifndef TEST_RASTER_PICTURES_H
#define TEST_RASTER_PICTURES_H

#include <heddle/heddle_tools.h>
#include <heddle/raster.h>

enum { MAX_SIDE = 64 };

/* A draw with all that it names; `draw` may be changed before it is drawn. */
struct picture {
   hd_raster_draw draw;
   hd_vertex_buffer buffer;
   const hd_vertex_buffer *vertex_buffers; /* NULL: `buffer` */
   hd_vertex_attribute attributes[4];
   hd_viewport viewport;
   hd_color_attachment color;
   hd_wave_image depth, stencil;
   uint8_t *texels, *undefined, *depths, *stencils;
   hd_raster_stats stats;
   char message[512]; /* the first */
};

/* A picture of one color attachment, cleared to 0, and a viewport of all of it. Vertices have `components` floats each, from
 * location 0 on; shaders are text, `fragment` may be NULL.
 */
void picture_make(struct picture *p, const char *vertex, const char *fragment,
                  hd_texel_format format, uint32_t width, uint32_t height, uint32_t samples);
void picture_vertices(struct picture *p, const float *vertices, uint32_t count,
                      uint32_t components);
void picture_add_depth(struct picture *p, hd_texel_format format, float clear);
hd_result picture_draw(struct picture *p);
/* The byte of an image of one byte a texel; the float of one of four. */
uint8_t picture_byte(const struct picture *p, uint32_t x, uint32_t y, uint32_t sample);
float picture_float(const struct picture *p, uint32_t x, uint32_t y, uint32_t component);
/* A character a pixel: its byte as a digit, `.` where it is 0, `+` above 9; a newline a row. */
void picture_expect(const struct picture *p, const char *rows);
void picture_free(struct picture *p);

/* Shaders: positions of location 0; what location 1 has goes on. */
extern const char vertex_position[], vertex_passes[];
/* 1/255 of red: with r8_unorm and hd_blend of sums, a picture counts. */
extern const char fragment_counts[];
extern const hd_blend blend_sum;

#endif
