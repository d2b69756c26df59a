/* SPDX-License-Identifier: MIT */
/* raster.h - the state of a draw, and the interface of the files. */
#ifndef HEDDLE_RASTER_PRIVATE_H
#define HEDDLE_RASTER_PRIVATE_H

#include "heddle/raster.h"
#include "raster/real.h"
#include "util/memory.h"
#include "util/refuse.h"
#include "wave/texel.h"

#define FIXED_ONE     256 /* of a pixel */
#define MAX_SAMPLES   4u
#define MAX_DISTANCES 8u
#define MAX_CORNERS   32u   /* of a polygon: three, and one for each plane that it was clipped by */
#define MAX_WAITING   4096u /* invocations of the fragment shader that run together */
#define MAX_PLANES    1024u /* primitives of these */
#define NO_PLANE      UINT32_MAX
/* Not their number: what includes this is not compiled again for each new one. */
#define MAX_INTRINSICS 512u

/* What a shader uses. */
struct usage {
   bool ids[MAX_INTRINSICS];
   bool barycentric[2][3];           /* by mode and location */
   bool elsewhere[2];                /* by mode: at an offset or at a sample by number */
   uint32_t num_inputs, num_outputs; /* locations */
   bool second;                      /* outputs of a second source */
   bool per_sample;
   /* Of an output that is a colour. */
   bool stored[HD_RASTER_MAX_LOCATIONS], stored_second[HD_RASTER_MAX_LOCATIONS];
   uint8_t bits[HD_RASTER_MAX_LOCATIONS];
};

/* Records of the vertex shader, by vertex of an instance; shadows are not 0 where a byte is undefined. */
struct records {
   uint8_t *data, *undefined;
   uint32_t bytes; /* of one */
};

enum {
   RECORD_OUTPUTS,
   RECORD_POSITION,
   RECORD_SIZE,
   RECORD_CLIP,
   RECORD_CULL,
   RECORD_LAYER,
   RECORD_VIEWPORT,
   NUM_RECORDS
};

/* A framebuffer position, in 1/256 of a pixel. */
struct fixed {
   int64_t x, y;
};

/* In clip coordinates. */
struct corner {
   real at[4];
   real distances[MAX_DISTANCES];
};

/* Plane equations of a primitive. The weight of vertex k at a point is a[k] x + b[k] y + c[k], x and y relative to `origin`.
 * A weight divided by the sum of all is the perspective-correct barycentric coordinate.
 */
struct plane {
   uint32_t vertices[3]; /* of the instance; of lines and points the last one again */
   unsigned num_vertices;
   struct fixed origin;
   real a[3], b[3], c[3];
   real z[3], w[3];
   real depth_scale, depth_offset; /* to the viewport's range */
   uint32_t min_depth, max_depth;  /* of it, floats */
   uint32_t id, layer, viewport;
   bool front;
   bool is_point;
};

/* A fragment that is queued for the fragment shader or for its tests: a pixel, or a sample of one. */
struct fragment {
   uint16_t x, y;
   uint16_t plane;              /* number in raster.planes */
   uint8_t covered;             /* samples */
   uint8_t tested;              /* of these, those that passed the early tests; else `covered` */
   uint8_t sample;              /* of invocations of samples */
   uint32_t depth[MAX_SAMPLES]; /* floats: of samples that are covered */
};

struct raster {
   const hd_raster_draw *draw;
   hd_heap heap;
   hd_stack stack;
   hd_raster_stats stats;
   struct usage vertex, fragment;
   uint32_t num_locations; /* of a record between the stages */

   uint32_t width, height, layers, samples;
   bool per_sample;
   const hd_texel_layout *colors[HD_RASTER_MAX_ATTACHMENTS];
   const hd_texel_layout *depth;

   /* Of the instance. */
   uint32_t *indices; /* NULL: 0, 1, 2, ... */
   uint32_t num_vertices;
   uint32_t instance;
   struct records records[NUM_RECORDS];

   /* The queue of fragments. */
   struct plane *planes;
   uint32_t num_planes;
   uint32_t current; /* number of the primitive that is rasterised, or NO_PLANE */
   struct fragment *waiting;
   uint32_t num_waiting;
   uint8_t *helpers, *survivors;
   hd_wave_builtin given[40];
   uint32_t num_given;
   hd_wave_memory inputs, corners, outputs, second;
};

/* Run a shader with the resources of both stages; `launch` has its own inputs and outputs. */
void hd_raster_launch(struct raster *r, hd_shader *shader, const hd_raster_runner *runner,
                      hd_wave_launch *launch);

/* usage.c */
void hd_raster_find_usage(struct raster *r, hd_shader *shader, struct usage *u);

/* vertex.c: all vertices of the instance. */
void hd_raster_prepare_vertices(struct raster *r);
void hd_raster_run_vertices(struct raster *r);
/* A 32-bit value of a record; false: it is undefined. */
bool hd_raster_read_record(const struct raster *r, unsigned record, uint32_t vertex,
                           unsigned component, uint32_t *bits);

/* assemble.c: the primitives of the instance. */
void hd_raster_assemble(struct raster *r);

/* clip.c */
void hd_raster_primitive(struct raster *r, const uint32_t *vertices, unsigned num, uint32_t id);

/* coverage.c: a polygon's samples; `bounds` is {left, top, right, bottom} of samples that count. */
void hd_raster_polygon(struct raster *r, const struct plane *plane, const struct fixed *corners,
                       unsigned num, const int64_t bounds[4]);
void hd_raster_sample_at(const struct raster *r, unsigned sample, uint32_t at[2]);

/* plane.c */
struct fixed hd_raster_place(const struct raster *r, const struct fragment *f, bool of_sample);
void hd_raster_set_triangle(struct plane *p, const real x[3], const real y[3]);
void hd_raster_set_line(struct plane *p, const real major[2], bool along_y);
void hd_raster_set_point(struct plane *p, real x, real y, real size);
/* Barycentric coordinates at a point: of vertices 1 and 2, floats. */
void hd_raster_barycentric(const struct plane *p, real x, real y, bool noperspective,
                           uint32_t out[2]);
uint32_t hd_raster_depth(const struct plane *p, struct fixed at);
uint32_t hd_raster_inverse_w(const struct plane *p, struct fixed at);
/* A value of each vertex, interpolated with perspective correction. */
uint32_t hd_raster_interpolate(const struct plane *p, struct fixed at, const uint32_t values[3]);

/* fragment.c */
void hd_raster_prepare_fragments(struct raster *r);
/* Queue a quad of the current primitive, with its covered samples. A full queue is run. */
void hd_raster_add_quad(struct raster *r, const struct plane *plane, const struct fragment quad[4]);
/* Run the queue. */
void hd_raster_flush(struct raster *r);

/* merge.c */
void hd_raster_check_attachments(struct raster *r);
/* Depth and stencil of the samples in `mask`; those that pass. `stencil` is the reference that the shader stored, or NULL. */
uint8_t hd_raster_test(struct raster *r, const struct plane *p, const struct fragment *f,
                       uint8_t mask, const uint32_t *depth, const uint8_t *stencil);
/* The colours of invocation `number`. */
void hd_raster_write_colors(struct raster *r, const struct plane *p, const struct fragment *f,
                            uint32_t number, uint8_t mask);

#endif
