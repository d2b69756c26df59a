/* SPDX-License-Identifier: MIT */
/* driver.h - a driver for a GPU that is simulated: what its four files share.
 *
 *    device.c     memory of the driver's own, counted; who hears what compilers say
 *    pipeline.c   SPIR-V to machine code, or from the cache
 *    cache.c      compiled code on disk, found by what the shader means
 *    dispatch.c   descriptor sets, user registers, and a run
 *    main.c       a day: pipelines made by several threads, good ones and bad ones, and used
 *
 * doc/driver.md walks through them. What belongs to a real driver and not to this one: queues,
 * fences, an allocator of GPU memory, a kernel. What Heddle cannot do for it: graphics stages, images
 * and samplers, ray tracing; doc/spirv.md and doc/gcn.md tell what else is refused.
 */
#ifndef DRIVER_H
#define DRIVER_H

#include <pthread.h>
#include <stdatomic.h>

#include "heddle/gcn.h"
#include "heddle/gcn_sim.h"
#include "heddle/heddle_tools.h"
#include "heddle/spirv.h"

#define MAX_SETS     2u
#define MAX_BINDINGS 16u
#define MAX_PUSH     128u

/* Where the shader finds things when it starts: the contract between pipelines and dispatches. */
enum user_sgpr {
   SGPR_SET_0 = 0,
   SGPR_SET_1 = 2,
   SGPR_PUSH = 4,
   SGPR_NUM_WORKGROUPS = 6,
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

/* cache.c */
bool cache_load(device *dev, const hd_hash *key, code *out);
void cache_store(device *dev, const hd_hash *key, const code *c);

/* A buffer that the application bound. */
typedef struct bound_buffer {
   uint32_t set, binding;
   void *data;
   uint32_t size;
} bound_buffer;

typedef struct dispatch {
   const bound_buffer *buffers;
   uint32_t num_buffers;
   const void *push;
   uint32_t push_size;
   uint32_t groups[3];
} dispatch;

hd_result dispatch_run(device *dev, const pipeline *p, const dispatch *d, hd_gcn_sim_stats *stats,
                       log *said);

#endif
