/* SPDX-License-Identifier: MIT */
/* gcn_object.h - HSA code objects: reading them, and running their kernels.
 *
 * In libheddle-tools. A code object is an ELF64 shared object for AMD GPUs with a kernel descriptor
 * of 64 bytes for each kernel and a note that describes the kernels' arguments in MessagePack. The
 * reader takes versions 3 to 6, whoever wrote them, and treats their bytes as hostile.
 *
 *    hd_gcn_object *object;
 *    hd_result r = hd_gcn_object_read(NULL, data, size, "file.o", &object);
 *    const hd_gcn_kernel *kernel = hd_gcn_object_find(object, "saxpy");
 *    r = hd_gcn_sim_dispatch(object, kernel, &dispatch, &stats);
 *    hd_gcn_object_destroy(object);
 */
#ifndef HEDDLE_GCN_OBJECT_H
#define HEDDLE_GCN_OBJECT_H

#include "heddle/gcn_sim.h"

HD_BEGIN_DECLS

typedef enum hd_gcn_arg_kind {
   HD_GCN_ARG_VALUE,
   HD_GCN_ARG_GLOBAL_BUFFER,
   HD_GCN_ARG_SHARED_POINTER, /* dynamic_shared_pointer: LDS after the kernel's own */
   HD_GCN_ARG_IMAGE,
   HD_GCN_ARG_SAMPLER,
   HD_GCN_ARG_PIPE,
   HD_GCN_ARG_QUEUE,
   /* Hidden ones: what the runtime fills in. */
   HD_GCN_ARG_BLOCK_COUNT_X,
   HD_GCN_ARG_BLOCK_COUNT_Y,
   HD_GCN_ARG_BLOCK_COUNT_Z,
   HD_GCN_ARG_GROUP_SIZE_X,
   HD_GCN_ARG_GROUP_SIZE_Y,
   HD_GCN_ARG_GROUP_SIZE_Z,
   HD_GCN_ARG_REMAINDER_X,
   HD_GCN_ARG_REMAINDER_Y,
   HD_GCN_ARG_REMAINDER_Z,
   HD_GCN_ARG_GLOBAL_OFFSET_X,
   HD_GCN_ARG_GLOBAL_OFFSET_Y,
   HD_GCN_ARG_GLOBAL_OFFSET_Z,
   HD_GCN_ARG_GRID_DIMS,
   HD_GCN_ARG_PRIVATE_BASE,
   HD_GCN_ARG_SHARED_BASE,
   HD_GCN_ARG_QUEUE_PTR,
   HD_GCN_ARG_DYNAMIC_LDS_SIZE,
   HD_GCN_ARG_NONE, /* a hidden one that is there and not used, or that no simulated host has: 0 */
   HD_GCN_ARG_NUM_KINDS,
} hd_gcn_arg_kind;

typedef struct hd_gcn_arg {
   const char *name;      /* NULL where the note has none */
   const char *type_name; /* the same */
   const char *kind_name; /* as the note has it: "by_value" */
   hd_gcn_arg_kind kind;
   uint32_t offset, size; /* in the kernarg segment */
   const char *access;    /* "read_only", ... or NULL */
} hd_gcn_arg;

typedef struct hd_gcn_kernel {
   const char *name, *symbol; /* "f", "f.kd" */
   uint64_t entry;            /* address of the first instruction, as linked */
   /* From the descriptor. */
   uint32_t lds_size, scratch_size, kernarg_size;
   uint32_t pgm_rsrc1, pgm_rsrc2, pgm_rsrc3;
   uint16_t properties; /* which user SGPRs are there: KERNEL_CODE_PROPERTIES */
   uint16_t kernarg_preload;
   /* From the note. Where none describes the kernel, it is found by the symbol of its descriptor, and
    * these are 0.
    */
   bool described;
   uint32_t kernarg_align, sgprs, vgprs, spilled_sgprs, spilled_vgprs, wavefront_size,
       max_workgroup;
   uint32_t workgroup_size[3]; /* that the kernel requires; 0: any */
   const hd_gcn_arg *args;
   uint32_t num_args, num_explicit_args; /* explicit ones come first */
} hd_gcn_kernel;

/* A loadable segment. */
typedef struct hd_gcn_segment {
   uint64_t address;
   const uint8_t *data;
   uint64_t file_size, size; /* zeroes follow the bytes of the file */
   bool writable, executable;
} hd_gcn_segment;

typedef struct hd_gcn_object {
   hd_gcn_gen target;
   uint32_t version; /* of the code object ABI: 3, 4 or 5 */
   const hd_gcn_kernel *kernels;
   uint32_t num_kernels;
   const hd_gcn_segment *segments;
   uint32_t num_segments;
} hd_gcn_object;

/* Parse and check it. The bytes must live as long as the object. HD_INVALID, HD_UNSUPPORTED
 * (another chip, another version): a diagnostic in the sink of `config` says why; `name` is the
 * file, for messages.
 */
HD_API hd_result hd_gcn_object_read(const hd_config *config, const void *data, size_t size,
                                    const char *name, hd_gcn_object **out);
/* NULL is allowed. */
HD_API void hd_gcn_object_destroy(hd_gcn_object *object);
/* NULL `name`: the only kernel. NULL when there is none, or more than one. */
HD_API const hd_gcn_kernel *hd_gcn_object_find(const hd_gcn_object *object, const char *name);

/* The number of the explicit argument of this name; UINT32_MAX: there is none. */
HD_API uint32_t hd_gcn_kernel_find_arg(const hd_gcn_kernel *kernel, const char *name);

/* What an explicit argument is: what clSetKernelArg would be given. */
typedef struct hd_gcn_sim_arg {
   const void *value; /* of the size that the kernel says; NULL: it is one of the others */
   uint32_t size;
   /* A pointer to it is the argument. `size` is at least 1; of dynamic LDS only `size` counts. Data
    * NULL and size 0: a null pointer.
    */
   hd_wave_memory buffer;
   bool shared; /* it is dynamic LDS; need not be given where the kernel is described */
   /* An image, of as many dimensions as it has sizes that are not 0, an array if it has layers; a sampler. Where they
    * are bound does not matter.
    */
   const hd_wave_image *image;
   const hd_wave_sampler *sampler;
} hd_gcn_sim_arg;

typedef struct hd_gcn_sim_dispatch_info {
   uint32_t grid[3];      /* work-items; 0 counts as 1; the last workgroups may be partial */
   uint32_t workgroup[3]; /* 0: what the kernel requires, else 64 1 1 */
   uint32_t global_offset[3];
   uint32_t work_dim; /* 0: as many as grid and workgroup show */
   /* Explicit ones, in their order. Those of a kernel that is not described lie one after the other,
    * each at a multiple of the largest power of 2 that divides its size, up to 128; pointers have 8
    * bytes, those to LDS 4. Hidden arguments follow as far as the kernel has room for them.
    */
   const hd_gcn_sim_arg *args;
   uint32_t num_args;
   const hd_wave_mask *active;
   hd_gcn_sim_options options;
} hd_gcn_sim_dispatch_info;

/* Run a kernel as the command processor and a runtime would: code loaded with relocations applied,
 * kernarg segment with hidden arguments, dispatch packet, queue, scratch. HD_UNSUPPORTED: the
 * kernel wants what there is not (images, samplers, waves of 32 lanes). HD_BAD_LAUNCH: arguments,
 * workgroup or grid are not what the kernel takes. Else as hd_gcn_sim_run.
 */
HD_API hd_result hd_gcn_sim_dispatch(const hd_gcn_object *object, const hd_gcn_kernel *kernel,
                                     const hd_gcn_sim_dispatch_info *info, hd_gcn_sim_stats *stats);

HD_END_DECLS

#endif
