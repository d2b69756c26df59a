/* SPDX-License-Identifier: MIT */
/* spirv.h - SPIR-V to shaders.
 *
 *    hd_spirv_options options = { .entry_point = "main" };
 *    hd_shader *shader;
 *    hd_result r = hd_spirv_to_shader(words, count, &options, config, &shader);
 *
 * Compute shaders of Vulkan (the Shader capability) and kernels of OpenCL (Kernel) are read;
 * doc/spirv.md lists each instruction. The entry function comes out flat, with what the module says
 * of its loops declared: hd_structurize, or the standard pipelines, make the tree.
 *
 * A module is not trusted: whatever the words are, the answer is a shader that the validator
 * accepts, or a diagnostic with the location (hd_diag.offset, in bytes) and the instruction's name.
 * Memory and steps are bounded by hd_config.budget; without one, by a multiple of what valid
 * modules of this length need.
 */
#ifndef HEDDLE_SPIRV_H
#define HEDDLE_SPIRV_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

/* A value for the specialisation constant with this SpecId: its bits, zero extended. Those that the
 * module does not have are ignored, as Vulkan wants.
 */
typedef struct hd_spirv_constant {
   uint32_t id;
   uint64_t bits;
} hd_spirv_constant;

/* All zero is the default. */
typedef struct hd_spirv_options {
   const char *file_name; /* for diagnostics, or NULL */
   /* NULL: the only compute shader or kernel; where there is none, the only entry point of a stage that is
    * supported.
    */
   const char *entry_point;
   uint32_t stages; /* only entry points of these: 1u << hd_stage, or-ed; 0: of any */
   const hd_spirv_constant *constants;
   uint32_t num_constants;
   uint32_t subgroup_size; /* what hd_shader.subgroup_size becomes; 0: what the module says */
   bool no_names;          /* leave names and locations out: a driver has no use for them */
   /* No access is out of the bounds of its buffer, as Vulkan demands where robustBufferAccess is off, and
    * no buffer has more than 2^32 - 65536 bytes: accesses get HD_ACCESS_INBOUNDS (doc/memory.md).
    */
   bool in_bounds;
   /* robustBufferAccess is on: what an invocation accesses out of bounds does not change what it accesses
    * inside. Else accesses of buffers get HD_ACCESS_NOWRAP (doc/memory.md).
    */
   bool robust;
   /* The location of an instruction is the one of the module that it was made from: `file_name`, ""
    * where that is NULL, the number of its first word as the line, and column 0. What the module says of
    * lines is not looked at.
    */
   bool locate_words;
} hd_spirv_options;

/* Read one entry point. HD_OK: *shader is the caller's to destroy. Else *shader is NULL and the
 * sink of `config` got a diagnostic: HD_INVALID, the words are no valid module, or the entry point
 * is not there; HD_UNSUPPORTED, they ask for what this library does not have.
 */
HD_API hd_result hd_spirv_to_shader(const uint32_t *words, size_t num_words,
                                    const hd_spirv_options *options, const hd_config *config,
                                    hd_shader **shader);

/* What a host must know of a module before it makes a pipeline. */

/* What an entry point says of how fragments are treated: a driver sets its state by it. */
typedef enum hd_spirv_entry_mode {
   HD_SPIRV_ORIGIN_UPPER_LEFT = 1u << 0,
   HD_SPIRV_EARLY_FRAGMENT_TESTS = 1u << 1,
   HD_SPIRV_EARLY_AND_LATE_FRAGMENT_TESTS = 1u << 2,
   HD_SPIRV_POST_DEPTH_COVERAGE = 1u << 3,
   HD_SPIRV_DEPTH_REPLACING = 1u << 4, /* it stores a depth; of it is known: */
   HD_SPIRV_DEPTH_GREATER = 1u << 5,
   HD_SPIRV_DEPTH_LESS = 1u << 6,
   HD_SPIRV_DEPTH_UNCHANGED = 1u << 7,
   HD_SPIRV_STENCIL_REPLACING = 1u << 8,
   HD_SPIRV_QUAD_DERIVATIVES = 1u << 9,
   HD_SPIRV_FULL_QUADS = 1u << 10,
} hd_spirv_entry_mode;

/* An input or output of an entry point, or a member of a block of them. */
typedef struct hd_spirv_interface {
   const char *name; /* of the variable; "" if it has none */
   bool output;
   int32_t builtin; /* number of SPIR-V, or -1: */
   uint32_t location, component, num_locations;
   bool second_source; /* the second source of blending */
   /* Of what arrays and matrices are made of. */
   uint8_t num_components, bits;
   bool is_float, is_signed;
   bool flat, noperspective, centroid, sample;
} hd_spirv_interface;

typedef struct hd_spirv_entry_point {
   const char *name;
   hd_stage stage;             /* HD_NUM_STAGES: one that the IR does not have */
   bool supported;             /* hd_spirv_to_shader takes this stage */
   uint32_t workgroup_size[3]; /* with default constants; 0 where the launch decides */
   uint32_t modes;             /* hd_spirv_entry_mode, or-ed */
   uint32_t num_interface;     /* of vertex and fragment shaders */
   const hd_spirv_interface *interface_variables;
} hd_spirv_entry_point;

typedef enum hd_spirv_resource_kind {
   HD_SPIRV_UNIFORM_BUFFER,
   HD_SPIRV_STORAGE_BUFFER,
   HD_SPIRV_SAMPLER,
   HD_SPIRV_SAMPLED_IMAGE,
   HD_SPIRV_COMBINED_IMAGE_SAMPLER,
   HD_SPIRV_STORAGE_IMAGE,
   HD_SPIRV_UNIFORM_TEXEL_BUFFER,
   HD_SPIRV_STORAGE_TEXEL_BUFFER,
   HD_SPIRV_INPUT_ATTACHMENT,
   HD_SPIRV_OTHER_RESOURCE, /* not supported */
} hd_spirv_resource_kind;

typedef struct hd_spirv_resource {
   hd_spirv_resource_kind kind;
   const char *name; /* "" if it has none */
   uint32_t set, binding;
   uint32_t array_size; /* 1 for one that is no array, 0 for a runtime array */
   uint64_t size;       /* bytes of the fixed part */
   bool readonly;
   /* Of images. */
   uint32_t dim; /* hd_image_dim */
   bool array, multisampled;
   uint32_t format;     /* ImageFormat of SPIR-V; 0: unspecified */
   uint32_t attachment; /* InputAttachmentIndex */
} hd_spirv_resource;

typedef struct hd_spirv_spec_constant {
   const char *name;
   uint32_t id;
   uint8_t bits; /* 1 for a boolean */
   uint64_t value;
   bool repeated; /* one before it has the same id: a value for it is given to both */
} hd_spirv_spec_constant;

typedef enum hd_spirv_argument_kind {
   HD_SPIRV_ARGUMENT_VALUE,   /* bytes */
   HD_SPIRV_ARGUMENT_GLOBAL,  /* a 64-bit address */
   HD_SPIRV_ARGUMENT_SHARED,  /* 32 bits: where in the memory of the workgroup the host put it */
   HD_SPIRV_ARGUMENT_IMAGE,   /* these two: the shader has the descriptor of set 0, binding: the */
   HD_SPIRV_ARGUMENT_SAMPLER, /* number of the argument; 8 bytes are kept for its address */
   HD_SPIRV_ARGUMENT_OTHER,
} hd_spirv_argument_kind;

/* An argument of a kernel, in the kernarg segment. */
typedef struct hd_spirv_argument {
   hd_spirv_argument_kind kind;
   const char *name;
   uint32_t offset, size;
   uint32_t pointee_align; /* of a pointer: what its memory is aligned to at least; else 0 */
   bool constant;          /* a pointer to constant memory */
   bool readonly;          /* a pointer, an image: nothing is written through it */
   bool writeonly;         /* an image: nothing is read through it */
   bool restricted;        /* a pointer: no other one leads to the same memory */
   uint32_t dim;           /* of an image: hd_image_dim */
   bool array, multisampled;
} hd_spirv_argument;

/* A sampler that is a constant of a kernel's module, as a descriptor that the host makes. */
typedef struct hd_spirv_sampler {
   uint32_t set, binding;
   uint32_t addressing; /* SamplerAddressingMode of SPIR-V: the border is transparent black */
   bool normalized;     /* else coordinates count texels */
   bool linear;         /* else the nearest texel */
} hd_spirv_sampler;

/* Everything belongs to the hd_spirv_info. */
typedef struct hd_spirv_info {
   uint32_t version;   /* 0x00010600 is 1.6 */
   uint32_t generator; /* word 2 of the header */
   uint32_t num_capabilities;
   const uint32_t *capabilities;
   uint32_t num_entry_points;
   const hd_spirv_entry_point *entry_points;
   uint32_t num_resources; /* of the module; entry points may use some of them only */
   const hd_spirv_resource *resources;
   uint32_t push_size; /* bytes of push constants */
   uint32_t num_spec_constants;
   const hd_spirv_spec_constant *spec_constants;
   uint32_t num_arguments; /* of the kernel that `options` chose */
   const hd_spirv_argument *arguments;
   uint32_t num_samplers; /* constants of the module; a kernel uses some of them only */
   const hd_spirv_sampler *samplers;
} hd_spirv_info;

/* As hd_spirv_to_shader, but only what stands before the functions is looked at. */
HD_API hd_result hd_spirv_get_info(const uint32_t *words, size_t num_words,
                                   const hd_spirv_options *options, const hd_config *config,
                                   hd_spirv_info **info);
/* NULL is allowed. */
HD_API void hd_spirv_info_destroy(hd_spirv_info *info);

/* "Shader", "Int64", ...; NULL for a number that the grammar does not have. */
HD_API const char *hd_spirv_capability_name(uint32_t capability);

HD_END_DECLS

#endif
