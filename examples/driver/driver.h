/* SPDX-License-Identifier: MIT */
/* driver.h - a driver for a GPU that is simulated: what its files share.
 *
 *    device.c       memory of the driver's own, counted; who hears what compilers say
 *    pipeline.c     SPIR-V to machine code, or from the cache: a compute shader, or a vertex and a fragment shader
 *    cache.c        compiled code on disk, found by what the shader means
 *    descriptors.c  the address space of a launch: descriptors of buffers, images, samplers, attributes
 *    dispatch.c     a dispatch: user registers, and a run
 *    draw.c         a draw: waves of vertices and of fragments, and what they export
 *    scene.c        three draws become a picture, which is held against the interpreter's
 *    main.c         a day: pipelines made by several threads, good ones and bad ones, and used
 *
 * doc/driver.md walks through them. What belongs to a real driver and not to this one: queues,
 * fences, an allocator of GPU memory, a kernel. What Heddle cannot do for it: tessellation, geometry and mesh
 * stages, ray tracing; doc/spirv.md and doc/gcn.md tell what else is refused.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "heddle/gcn.h"
#include "heddle/gcn_sim.h"
#include "heddle/heddle_tools.h"
#include "heddle/link.h"
#include "heddle/raster.h"
#include "heddle/spirv.h"

#define MAX_SETS       2u
#define MAX_BINDINGS   16u
#define MAX_PUSH       128u
#define MAX_ATTRIBUTES 8u
#define MAX_DESCRIPTOR 48u /* bytes: an image and its sampler */

/* Where the shader finds things when it starts: the contract between pipelines and dispatches. */
enum user_sgpr {
   SGPR_SET_0 = 0,
   SGPR_SET_1 = 2,
   SGPR_PUSH = 4,
   SGPR_NUM_WORKGROUPS = 6,
   SGPR_VERTEX_BUFFERS = 6, /* of a vertex shader, as those that follow */
   SGPR_BASE_VERTEX = 8,
   SGPR_BASE_INSTANCE = 9,
   SGPR_SCRATCH = 12, /* a resource is aligned to four registers */
   NUM_USER_SGPRS = 16,
};

typedef struct device {
   hd_gcn_gen target;
   const char *cache_dir;  /* NULL: nothing is kept */
   size_t memory_limit;    /* bytes that compiling one pipeline may hold; 0: no limit */
   atomic_size_t live;     /* bytes that compilers hold now, over all threads */
   atomic_long fail_after; /* for trying it out: so many allocations work; negative: all do */
   atomic_uint hits, misses, damaged;
} device;

/* What a compiler said, for one call on one thread. */
typedef struct log {
   char text[512];
   size_t length;
} log;

/* Memory and diagnostics that compilers of this device are given. */
hd_config device_config(device *dev, log *said);

/* Where each descriptor lies in its set: fixed when a pipeline is made, obeyed by dispatches. */
typedef struct layout {
   hd_gcn_binding bindings[MAX_BINDINGS];
   uint32_t num_bindings;
   uint32_t set_size[MAX_SETS];
} layout;

/* All that a dispatch needs: nothing of the compiler is left in it. */
typedef struct code {
   hd_gcn_stats stats;
   uint32_t pgm_rsrc1, pgm_rsrc2;
   uint32_t workgroup_size[3];
   hd_gcn_graphics graphics; /* of a vertex or fragment shader */
   uint32_t num_words;
   uint32_t *words;
} code;

typedef struct pipeline {
   layout layout;
   code code;
   bool from_cache;
} pipeline;

typedef struct pipeline_info {
   const uint32_t *words; /* SPIR-V */
   size_t num_words;
   const char *entry_point;
   const hd_spirv_constant *constants;
   uint32_t num_constants;
} pipeline_info;

/* From any thread. On failure `p` is empty and `said` has the reason. */
hd_result pipeline_create(device *dev, const pipeline_info *info, pipeline *p, log *said);
void pipeline_destroy(pipeline *p);

/* Two shaders that were linked. Rasterisation asks them what they read and store. They tell `said` what is wrong, when
 * the pipeline is made and when it draws, so it stays where it is.
 */
typedef struct graphics_pipeline {
   layout layout;
   hd_shader *vertex, *fragment;
   code vertex_code, fragment_code;
   log said;
} graphics_pipeline;

/* To be destroyed whatever the result. */
hd_result graphics_pipeline_create(device *dev, const pipeline_info *vertex,
                                   const pipeline_info *fragment, graphics_pipeline *p);
void graphics_pipeline_destroy(graphics_pipeline *p);

/* cache.c */
bool cache_load(device *dev, const hd_hash *key, code *out);
void cache_store(device *dev, const hd_hash *key, const code *c);

/* A buffer that the application bound. */
typedef struct bound_buffer {
   uint32_t set, binding;
   void *data;
   uint32_t size;
} bound_buffer;

/* descriptors.c
 *
 * The address space of a launch: descriptor sets at 64 KiB, push constants behind them, memory of the application
 * from 4 GiB on, each with room around it, so that an access outside of one is a fault.
 */
#define MAX_REGIONS (MAX_SETS + 2 + 2 * MAX_BINDINGS + MAX_ATTRIBUTES)

typedef struct space {
   const layout *layout;
   uint32_t sets[MAX_SETS][MAX_DESCRIPTOR * MAX_BINDINGS / 4];
   uint32_t vertex_buffers[MAX_ATTRIBUTES][4];
   uint8_t push[MAX_PUSH];
   hd_gcn_sim_region regions[MAX_REGIONS];
   uint32_t num_regions;
   uint64_t next;                 /* address */
   uint8_t *images[MAX_BINDINGS]; /* as the chip wants them */
   uint32_t num_images;
} space;

/* Sets and push constants, which any launch has. */
void space_init(space *s, const layout *l);
void space_finish(space *s);
bool space_push(space *s, const void *push, size_t size);
/* A launch of this code, in this space. */
hd_gcn_sim_launch space_launch(const space *s, const device *dev, const code *c);
void set_pointer(hd_gcn_sim_launch *launch, unsigned sgpr, uint64_t address);

/* Descriptors. What the layout does not have is left out. HD_UNSUPPORTED: too many, or of a kind that the driver
 * does not have.
 */
hd_result bind_buffer(space *s, const bound_buffer *b);
hd_result bind_image(space *s, const hd_wave_image *image);
hd_result bind_sampler(space *s, const hd_wave_sampler *sampler);
/* The table of attributes; its address. */
hd_result bind_attributes(space *s, const hd_raster_draw *draw, uint64_t *table);

typedef struct dispatch {
   const bound_buffer *buffers;
   uint32_t num_buffers;
   const void *push;
   uint32_t push_size;
   uint32_t groups[3];
} dispatch;

hd_result dispatch_run(device *dev, const pipeline *p, const dispatch *d, hd_gcn_sim_stats *stats,
                       log *said);

/* draw.c */

/* What the lanes of a wave of fragments did, instruction by instruction: lines of JSON as `heddle run --trace=json`
 * has them, with `covered`, the lanes that are no helpers at the start. Kept of the wave with the most helpers.
 */
typedef struct lanes_log {
   hd_blob kept;
   uint64_t helpers; /* lanes of kept instructions that are helpers */
   /* Of all waves: how many, their instructions, the lanes that ran those, and the helpers among the lanes. */
   uint64_t waves, steps, active, all_helpers;
} lanes_log;

/* Draw on the simulated GPU. Of `draw` the shaders and runners are not looked at; its resources are those of the
 * application. `lanes` may be NULL.
 */
hd_result graphics_draw(device *dev, graphics_pipeline *p, const hd_raster_draw *draw,
                        lanes_log *lanes, hd_raster_stats *stats);

/* scene.c: true if the picture is what it should be. Pixels and lanes are written to files, if they are named. */
bool scene_draw(device *dev, graphics_pipeline *p, const char *pixels, const char *lanes);

#endif
