/* SPDX-License-Identifier: MIT */
/* raster.h - draw: a vertex and a fragment shader run over vertex buffers, into images.
 *
 * In libheddle-tools. The fixed parts of a graphics pipeline, small and exact, around the reference
 * interpreter: fetching attributes, assembling primitives, clipping, rasterisation, interpolation, depth and
 * stencil tests, blending. doc/meaning.md ("Rasterisation") says what each of them computes.
 *
 *    attributes -> vertex shader -> primitives -> clip, cull -> samples that are covered
 *               -> quads -> [early tests] -> fragment shader -> [late tests] -> blend -> images
 *
 *   1. Positions are rounded to 1/256 of a pixel, and coverage is computed from them without error: a sample
 *      on an edge belongs to the primitive that the top-left rule gives it to, so that triangles that share
 *      an edge cover each sample once.
 *   2. Everything else is computed in binary64 and rounded once to the 32 bits that a shader reads.
 *   3. Primitives take effect in their order, and the samples of one in the order of rows.
 *   4. Fragments run in quads of 2 x 2 pixels: lanes 4n to 4n + 3 are left to right, then top to bottom. Pixels
 *      of a quad that have no covered sample run as helpers.
 *   5. Not there: tessellation, geometry and mesh stages, wide and stippled lines, polygon modes, depth bias, logic
 *      operations, alpha to coverage, queries.
 */
#ifndef HEDDLE_RASTER_H
#define HEDDLE_RASTER_H

#include "heddle/wave.h"

HD_BEGIN_DECLS

#define HD_RASTER_MAX_SIZE        16384u /* of an attachment, in pixels */
#define HD_RASTER_MAX_LOCATIONS   64u
#define HD_RASTER_MAX_ATTACHMENTS 8u
#define HD_RASTER_MAX_POINT_SIZE  256u /* pixels */

typedef enum hd_topology {
   HD_TOPOLOGY_POINT_LIST,
   HD_TOPOLOGY_LINE_LIST,
   HD_TOPOLOGY_LINE_STRIP,
   HD_TOPOLOGY_TRIANGLE_LIST,
   HD_TOPOLOGY_TRIANGLE_STRIP,
   HD_TOPOLOGY_TRIANGLE_FAN,
   HD_NUM_TOPOLOGIES
} hd_topology;

/* Where vertices, or with per_instance instances, lie one after the other. What is past its end is 0. */
typedef struct hd_vertex_buffer {
   hd_wave_memory memory;
   uint32_t stride; /* bytes; 0: all get the first */
   bool per_instance;
} hd_vertex_buffer;

/* What a location of the vertex shader's inputs gets. With HD_TEXEL_RAW, `size` bytes (up to 32) are copied as
 * they are: formats of 64 bits. Components that a format does not have are 0, 0, 0, 1.
 */
typedef struct hd_vertex_attribute {
   uint32_t location, buffer, offset;
   hd_texel_format format;
   uint32_t size;
} hd_vertex_attribute;

typedef struct hd_viewport {
   float x, y, width, height; /* the height may be negative */
   float min_depth, max_depth;
} hd_viewport;

typedef struct hd_scissor {
   int32_t x, y;
   uint32_t width, height; /* 0 x 0: everything */
} hd_scissor;

typedef enum hd_blend_factor {
   HD_BLEND_FACTOR_ZERO,
   HD_BLEND_FACTOR_ONE,
   HD_BLEND_FACTOR_SRC_COLOR,
   HD_BLEND_FACTOR_ONE_MINUS_SRC_COLOR,
   HD_BLEND_FACTOR_DST_COLOR,
   HD_BLEND_FACTOR_ONE_MINUS_DST_COLOR,
   HD_BLEND_FACTOR_SRC_ALPHA,
   HD_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
   HD_BLEND_FACTOR_DST_ALPHA,
   HD_BLEND_FACTOR_ONE_MINUS_DST_ALPHA,
   HD_BLEND_FACTOR_SRC1_COLOR, /* what the shader stores as the second source */
   HD_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR,
   HD_BLEND_FACTOR_SRC1_ALPHA,
   HD_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA,
   HD_NUM_BLEND_FACTORS
} hd_blend_factor;

typedef enum hd_blend_op {
   HD_BLEND_ADD,
   HD_BLEND_SUBTRACT,
   HD_BLEND_REVERSE_SUBTRACT,
   HD_BLEND_MIN,
   HD_BLEND_MAX,
   HD_NUM_BLEND_OPS
} hd_blend_op;

/* All zero: what the fragment shader stores replaces what is there. Integers are never blended. */
typedef struct hd_blend {
   bool enabled;
   hd_blend_factor src_color, dst_color, src_alpha, dst_alpha;
   hd_blend_op color, alpha;
} hd_blend;

/* An image that is drawn into: its level 0, two dimensions, the layers that the vertex shader chooses. `set` and
 * `binding` are not looked at.
 */
typedef struct hd_color_attachment {
   hd_wave_image image;
   hd_blend blend;
   uint32_t color_write_disable; /* bit c: component c is not written */
} hd_color_attachment;

typedef enum hd_stencil_op {
   HD_STENCIL_KEEP,
   HD_STENCIL_ZERO,
   HD_STENCIL_REPLACE,
   HD_STENCIL_INCREMENT_CLAMP,
   HD_STENCIL_DECREMENT_CLAMP,
   HD_STENCIL_INVERT,
   HD_STENCIL_INCREMENT_WRAP,
   HD_STENCIL_DECREMENT_WRAP,
   HD_NUM_STENCIL_OPS
} hd_stencil_op;

typedef struct hd_stencil_face {
   hd_stencil_op fail, pass, depth_fail;
   hd_compare_op compare; /* of the reference to what is there */
   uint8_t compare_mask, write_mask, reference;
} hd_stencil_face;

typedef enum hd_cull_mode {
   HD_CULL_NONE,
   HD_CULL_FRONT,
   HD_CULL_BACK,
   HD_CULL_FRONT_AND_BACK
} hd_cull_mode;

/* What a shader is run by: hd_wave_run, or a simulator of a machine that it was compiled for. */
typedef struct hd_raster_runner {
   void *user;
   hd_result (*run)(void *user, hd_shader *shader,
                    const hd_wave_launch *launch); /* NULL: hd_wave_run */
} hd_raster_runner;

/* Two shaders that fit (hd_link_stages), and all that is drawn with. */
typedef struct hd_raster_draw {
   hd_shader *vertex;
   hd_shader *fragment; /* NULL: only depth and stencil are drawn */

   hd_topology topology;
   uint32_t num_vertices; /* with `indices`, that many of them */
   uint32_t num_instances, first_vertex, first_instance;
   int32_t vertex_offset; /* is added to each index */
   uint32_t draw_index, view_index;
   const hd_wave_memory *indices; /* NULL: 0, 1, 2, ... */
   uint32_t index_size;           /* 1, 2 or 4 bytes */
   bool primitive_restart;        /* an index with all bits set begins a new strip or fan */
   const hd_vertex_buffer *buffers;
   uint32_t num_buffers;
   const hd_vertex_attribute *attributes;
   uint32_t num_attributes;

   /* Sizes, layers and samples (1 or 4) of all attachments are the same; there is one at least. */
   const hd_color_attachment *colors;
   uint32_t num_colors;
   const hd_wave_image *depth;   /* r16_unorm, d24_unorm or r32_float; NULL: no test */
   const hd_wave_image *stencil; /* r8_uint; NULL: no test */
   const hd_viewport *viewports; /* one or more */
   uint32_t num_viewports;
   hd_scissor scissor;

   hd_cull_mode cull;
   bool front_is_clockwise;
   bool depth_clamp; /* in place of clipping by the near and the far plane */
   hd_compare_op depth_compare;
   bool depth_write_disable;    /* the test writes nothing */
   hd_stencil_face front, back; /* `back` is that of triangles that are not front-facing */
   bool early_fragment_tests;   /* depth and stencil are tested before the fragment shader runs */
   bool post_depth_coverage;    /* with early_fragment_tests: sample_mask_in has what passed them */
   bool
       sample_shading; /* each sample has its own invocation, also where the shader does not ask for it */
   uint32_t sample_mask_disable; /* bit n: sample n is never covered */

   /* Buffers, images, samplers, push constants, regions, limits and listeners of both stages, and `lanes` of a
    * wave. Everything else of it is set by the rasteriser.
    */
   const hd_wave_launch *resources;
   hd_raster_runner vertex_runner, fragment_runner;
} hd_raster_draw;

typedef struct hd_raster_stats {
   uint64_t vertices;   /* invocations of the vertex shader */
   uint64_t primitives; /* assembled; those that cover a sample: */
   uint64_t visible;
   uint64_t fragments; /* invocations of the fragment shader that are no helpers at their start */
   uint64_t helpers;
   uint64_t samples; /* written */
} hd_raster_stats;

/* Draw. `stats` may be NULL; it is written whatever the result.
 *
 * HD_OK. HD_BAD_LAUNCH: the draw does not make sense; the sink of the vertex shader was told why. What hd_wave_run
 * answers for one of the shaders. HD_OUT_OF_MEMORY, HD_BUDGET_EXCEEDED: memory beside the images is bounded by the
 * vertices of an instance. In all cases images hold what was drawn so far. Analyses of the shaders are
 * computed where they are missing; nothing else of them changes.
 */
HD_API hd_result hd_raster_run(const hd_raster_draw *draw, hd_raster_stats *stats);

/* All of an image becomes this color: floats, or integers where the format has them. HD_BAD_LAUNCH: it has no format,
 * or less memory than it needs.
 */
HD_API hd_result hd_raster_clear(const hd_wave_image *image, const uint32_t color[4]);
/* A layer of level 0 as a picture, four bytes a pixel: red, green, blue, alpha. Samples are averaged; numbers are held
 * within 0 and 1, of sRGB formats they are those that lie in memory; of integers it is the low 8 bits. Components
 * that the format does not have are 0, 0, 0, 255. HD_BAD_LAUNCH: as above, or there is no such layer.
 */
HD_API hd_result hd_raster_picture(const hd_wave_image *image, uint32_t layer, uint8_t *rgba);

/* Where sample n of 1 or 4 lies in its pixel, in 1/256; false if there is none. */
HD_API bool hd_raster_sample_position(uint32_t num_samples, uint32_t n, uint32_t position[2]);

HD_END_DECLS

#endif
