/* SPDX-License-Identifier: MIT */
/* gcn.h - shaders to AMD GCN machine code.
 *
 *    hd_gcn_options options = { .target = HD_GCN_GFX900 };
 *    hd_gcn_binary *binary;
 *    hd_result r = hd_gcn_compile(shader, &options, &binary);
 *    ... binary->code, binary->stats ...
 *    hd_gcn_binary_destroy(binary);
 *
 * Waves have 64 lanes. Divergent control flow becomes exec masks; uniform values become scalar code.
 * doc/gcn.md has the phases, and lists what is not supported.
 */
#ifndef HEDDLE_GCN_H
#define HEDDLE_GCN_H

#include "heddle/observe.h"

HD_BEGIN_DECLS

/* Columns of the table of instructions. */
typedef enum hd_gcn_gen {
   HD_GCN_GFX600, /* gfx600: Southern Islands */
   HD_GCN_GFX803, /* gfx803: Volcanic Islands, Polaris */
   HD_GCN_GFX900, /* gfx900: Vega */
   HD_GCN_NUM_GENS,
} hd_gcn_gen;

/* "gfx600", "gfx803", "gfx900". */
HD_API const char *hd_gcn_gen_name(hd_gcn_gen gen);
/* HD_GCN_NUM_GENS when there is none of that name. */
HD_API hd_gcn_gen hd_gcn_gen_find(const char *name);

/* How a shader is started: who calls it, and what is in its registers then. */
typedef enum hd_gcn_abi_kind {
   HD_GCN_ABI_HSA,    /* a kernel of a code object: kernel descriptor, kernarg segment, metadata */
   HD_GCN_ABI_DRIVER, /* user SGPRs as hd_gcn_driver_abi says */
} hd_gcn_abi_kind;

#define HD_GCN_NO_SGPR        0xffu
#define HD_GCN_MAX_USER_SGPRS 16u
#define HD_GCN_MAX_SETS       8u

/* Where the descriptor of a binding lies in the memory of its set: 16 bytes, the resource of a buffer
 * or of a texel buffer; 32 bytes, that of an image; 16 bytes, a sampler. One of 1, 2 or 3 dimensions,
 * a cube, an array or with several samples has the type that says so. A binding that is an image and
 * a sampler has both in each element.
 */
typedef struct hd_gcn_binding {
   uint32_t set, binding;
   uint32_t offset;  /* of array element 0 */
   uint32_t stride;  /* from one array element to the next */
   uint32_t sampler; /* of a sampler: bytes from the beginning of the element to it */
} hd_gcn_binding;

/* An attribute of vertices that does not advance with each vertex: element base_instance +
 * instance / divisor of its buffer; of divisor 0 the element base_instance.
 */
typedef struct hd_gcn_attribute {
   uint32_t location;
   uint32_t divisor;
} hd_gcn_attribute;

/* What a fragment shader exports to a colour target: SPI_SHADER_COL_FORMAT. Of formats of 16 bits two
 * components are one register; floats are rounded toward zero, integers held in range.
 */
typedef enum hd_gcn_color_format {
   HD_GCN_COLOR_NONE, /* nothing: there is no such target */
   HD_GCN_COLOR_32_R,
   HD_GCN_COLOR_32_GR,
   HD_GCN_COLOR_32_AR,
   HD_GCN_COLOR_FP16_ABGR,
   HD_GCN_COLOR_UNORM16_ABGR,
   HD_GCN_COLOR_SNORM16_ABGR,
   HD_GCN_COLOR_UINT16_ABGR,
   HD_GCN_COLOR_SINT16_ABGR,
   HD_GCN_COLOR_32_ABGR,
   HD_GCN_NUM_COLOR_FORMATS,
} hd_gcn_color_format;

#define HD_GCN_MAX_COLORS     8u
#define HD_GCN_MAX_PARAMETERS 32u

/* First user SGPR of each thing, or HD_GCN_NO_SGPR where there is none: asking for it in the shader
 * is then an error. Pointers are 64 bits, in two SGPRs.
 *
 * What the caller must see to:
 *   1. Pointers are multiples of 4, and what they point to can be read up to the next multiple of 4
 *      after its end: scalar loads take whole dwords.
 *   2. The machine checks an access to a buffer dword by dword. The number of bytes in a
 *      resource is a multiple of 4, else the last ones are as the machine takes them.
 */
typedef struct hd_gcn_driver_abi {
   uint8_t num_user_sgprs; /* all that the driver sets; system SGPRs follow them */
   uint8_t push_pointer;   /* of the push constants */
   uint8_t push_inline;    /* push constants in SGPRs, from dword push_inline_first on */
   uint8_t push_inline_count, push_inline_first;
   uint8_t kernarg_pointer;
   uint8_t set_pointer[HD_GCN_MAX_SETS];
   uint8_t num_workgroups;   /* three */
   uint8_t workgroup_size;   /* three; not needed where the shader says its size */
   uint8_t scratch_resource; /* four: a buffer resource of the scratch of the dispatch */
   uint8_t global_offset;    /* three */
   uint8_t work_dim;
   /* Vertex shaders. `vertex_buffers` points to a resource of 16 bytes for each location, at 16 times its
    * number, with a stride, and the format of the attribute: element n is that of vertex n. A shader does not
    * depend on formats. Attributes of 64 bits are read as dwords; what has more than two
    * components of them lies in one element, but takes two locations.
    */
   uint8_t vertex_buffers;
   uint8_t base_vertex, base_instance, draw_index;
   uint8_t view_index; /* of fragment shaders, too; HD_GCN_NO_SGPR: there is one view, 0 */
   /* Of fragment shaders: the format of colour target n; locations without one are not written. */
   uint8_t color_format[HD_GCN_MAX_COLORS]; /* hd_gcn_color_format */
   /* Of fragment shaders: samples of a pixel, a power of two up to 16, at their standard positions; 0 counts as 1. What
    * asks for barycentric coordinates of a sample by number depends on it.
    */
   uint8_t num_samples;
   const hd_gcn_binding *bindings;
   uint32_t num_bindings;
   const hd_gcn_attribute *attributes; /* of vertex shaders */
   uint32_t num_attributes;
} hd_gcn_driver_abi;

/* Control-flow lowering */
typedef enum hd_gcn_lowering {
   HD_GCN_LOWERING_TREE,         /* structurize what is flat, masks from the tree */
   HD_GCN_LOWERING_RECONVERGING, /* hd_reconverge, rejoin masks */
} hd_gcn_lowering;

typedef enum hd_gcn_skip {
   HD_GCN_SKIP_COST, /* branch over code without lanes where that pays */
   HD_GCN_SKIP_ALWAYS,
   HD_GCN_SKIP_NEVER, /* only where it must: code that must not run without lanes */
} hd_gcn_skip;

/* Arguments in the kernarg segment of an HSA kernel: written to the metadata of the code object. */
typedef enum hd_gcn_kernarg_kind {
   HD_GCN_KERNARG_VALUE,    /* bytes */
   HD_GCN_KERNARG_GLOBAL,   /* a pointer to global memory, 64 bits */
   HD_GCN_KERNARG_CONSTANT, /* the same, to memory that is constant while the kernel runs */
   HD_GCN_KERNARG_SHARED,   /* a place in LDS after the kernel's own, 32 bits: the launch decides */
   HD_GCN_KERNARG_IMAGE,    /* the address of the descriptor of `binding`, 64 bits; so is: */
   HD_GCN_KERNARG_SAMPLER,
} hd_gcn_kernarg_kind;

typedef struct hd_gcn_kernarg {
   hd_gcn_kernarg_kind kind;
   const char *name;       /* may be NULL */
   const char *type_name;  /* as OpenCL C writes it; may be NULL */
   uint32_t offset, size;  /* bytes */
   uint32_t pointee_align; /* of HD_GCN_KERNARG_SHARED; 0: not known */
   uint32_t binding;       /* of an image or sampler, in set 0 of the shader */
   bool readonly;          /* a pointer, an image: nothing is written through it */
   bool writeonly;         /* an image: nothing is read through it */
   bool restricted;        /* a pointer: no other one leads to the same memory */
} hd_gcn_kernarg;

/* A sampler of an HSA kernel that is constant: its descriptor becomes part of the code. */
typedef struct hd_gcn_sampler {
   uint32_t binding; /* in set 0 of the shader */
   uint32_t words[4];
} hd_gcn_sampler;

typedef struct hd_gcn_emitter hd_gcn_emitter; /* gcn_emit.h */

/* All zero is the default. */
typedef struct hd_gcn_options {
   hd_gcn_gen target;
   hd_gcn_abi_kind abi;
   const hd_gcn_driver_abi *driver; /* for HD_GCN_ABI_DRIVER */
   hd_gcn_lowering lowering;
   hd_gcn_skip skip;
   const char *passes; /* run before selection; NULL: "gcn". Ends with what selection needs */
   bool
       quick; /* "gcn_quick" instead of "gcn": compile in less time. Without a tree nothing changes */
   uint32_t max_sgprs; /* of a wave, vcc and the like not counted; 0: what the machine has */
   uint32_t max_vgprs; /* 0: what the machine has */
   uint32_t min_waves; /* occupancy, waves per SIMD, to reach; 0: no minimum */
   /* Unused bytes of scratch before what is spilled there, to test far spill slots. */
   uint32_t extra_scratch;
   bool full_subgroups; /* each workgroup starts with all its lanes, as Vulkan's do */
   bool no_schedule;    /* keep the order of selection */
   bool
       verify_regalloc; /* re-execute the register allocation symbolically; a fault is HD_INVALID */
   bool keep_text;      /* write hd_gcn_binary.text */
   /* HSA: the name of the kernel in the code object; NULL: that of the function. */
   const char *kernel_name;
   /* HSA: what `load_kernarg` of the shader reads, in ascending order of offsets, within its
    * kernarg_size. None: these bytes are one argument. Parameters of the function follow.
    */
   const hd_gcn_kernarg *kernargs;
   uint32_t num_kernargs;
   const hd_gcn_sampler *samplers; /* HSA */
   uint32_t num_samplers;
   hd_diag_sink diag; /* `report` NULL: the shader's sink */
   void *user;
   /* Called before each phase: "passes", those of the machine code, "output". */
   void (*before_phase)(void *user, const char *phase);
   /* Called after each phase of the machine code, with it as text. */
   void (*after_phase)(void *user, const char *phase, const char *text);
   const hd_observer *observer; /* may be NULL */
   /* Select an intrinsic of the driver's own (intrinsic.h) by what gcn_emit.h offers. False: it does
    * not, which is refused, as all of them are without this hook. Passes have run by then: an
    * intrinsic whose result is not used is not asked for. Code depends on the hook, which no cache
    * key knows: put a version of it among the options of hd_cache_key.
    */
   bool (*select_own)(void *user, hd_gcn_emitter *emitter, const hd_intrinsic *intrinsic);
} hd_gcn_options;

/* What a loader must know, and what VK_KHR_pipeline_executable_properties reports. */
typedef struct hd_gcn_stats {
   uint32_t code_size;    /* bytes of instructions */
   uint32_t data_size;    /* bytes of constant data */
   uint32_t instructions; /* of machine code, waits and nops included */
   uint32_t sgprs, vgprs; /* highest used + 1; vcc, flat_scratch, xnack counted in sgprs */
   uint32_t spilled_sgprs, spilled_vgprs; /* values */
   uint32_t lds_size;                     /* bytes of a workgroup */
   uint32_t scratch_size;                 /* bytes of a lane */
   uint32_t occupancy;                    /* waves per SIMD, by registers and LDS */
   uint32_t exec_reads; /* instructions that name exec as an operand, or a branch on it */
   uint32_t exec_writes;
   uint32_t branches;
   uint32_t salu, valu, smem, vmem, lds;
} hd_gcn_stats;

/* A parameter: what a vertex shader exports to PARAM of this number, a fragment shader reads as the
 * attribute of this number. The driver brings both together, by location: SPI_PS_INPUT_CNTL.
 */
typedef struct hd_gcn_parameter {
   uint32_t location; /* or HD_GCN_PARAMETER_..., what no shader of the pipeline stores */
   uint8_t channels;  /* a bit for each that is exported or read */
   bool flat;         /* not interpolated: that of the first vertex */
} hd_gcn_parameter;

enum {
   HD_GCN_PARAMETER_PRIMITIVE_ID = 0x10000, /* x */
   HD_GCN_PARAMETER_POINT_COORD,            /* x, y */
   HD_GCN_PARAMETER_VIEWPORT_INDEX,         /* x */
   HD_GCN_PARAMETER_CLIP_DISTANCES_0,       /* 0 to 3 of clip distances, then of cull distances */
   HD_GCN_PARAMETER_CLIP_DISTANCES_1,       /* 4 to 7 */
};

/* What else a driver must tell the chip of a vertex or fragment shader. */
typedef struct hd_gcn_graphics {
   hd_gcn_parameter parameters[HD_GCN_MAX_PARAMETERS];
   uint32_t num_parameters;
   /* Vertex shaders: exports POS0, POS1, ... The second one has, if any of these are written: x the
    * point size, z the layer (gfx900: and from bit 16 on the viewport), w the viewport. Clip distances, and
    * cull distances behind them, are in those that follow.
    */
   uint8_t num_positions;
   bool point_size, layer, viewport_index;
   uint8_t clip_distances, cull_distances; /* a bit each */
   /* Fragment shaders. SPI_PS_INPUT_ENA, and _ADDR; SPI_SHADER_COL_FORMAT, four bits a target: what is
    * exported in fact.
    */
   uint32_t ps_input_ena, color_formats;
   bool depth, stencil, sample_mask; /* exported to MRTZ, each as 32 bits: x, y, z */
   bool uses_discard;                /* lanes may end without a colour */
   bool helpers;                     /* helper lanes run in it */
} hd_gcn_graphics;

typedef struct hd_gcn_binary {
   hd_gcn_gen target;
   hd_gcn_abi_kind abi;
   /* To lie at a multiple of 256. Constant data follows the last instruction, at data_offset, which
    * is a multiple of HD_CONSTANTS_ALIGN; the code finds it from where it is itself. The bytes lie
    * as the machine reads them: on a big-endian host the words are no numbers of the host.
    */
   const uint32_t *code;
   uint32_t code_words;  /* data included */
   uint32_t data_offset; /* bytes; 0: there is none */
   const char *text;     /* assembly of it, with keep_text; else NULL */
   hd_gcn_stats stats;
   /* COMPUTE_PGM_RSRC1 and 2; of a vertex or fragment shader SPI_SHADER_PGM_RSRC1_VS, _PS ... */
   uint32_t pgm_rsrc1, pgm_rsrc2;
   uint32_t workgroup_size[3];
   uint32_t kernarg_size;
   uint32_t user_sgprs;
   hd_gcn_graphics graphics; /* of a vertex or fragment shader */
   /* HD_GCN_ABI_HSA: a code object (ELF64), that a loader takes. Else NULL. */
   const void *object;
   size_t object_size;
} hd_gcn_binary;

/* Compile the entry function; vertex and fragment shaders for a driver alone. The shader is not changed.
 *
 * HD_OK: *binary is to be destroyed by the caller. HD_UNSUPPORTED: the shader asks for what the
 * machine or this library does not have, or has no function; a diagnostic says what and where.
 * HD_INVALID: the options do not fit, and a diagnostic says how. Else memory or budget ran out. In
 * these cases *binary is NULL.
 */
HD_API hd_result hd_gcn_compile(const hd_shader *shader, const hd_gcn_options *options,
                                hd_gcn_binary **binary);
/* NULL is allowed. */
HD_API void hd_gcn_binary_destroy(hd_gcn_binary *binary);

/* Append one code object with the kernels of all these binaries, which were compiled with
 * HD_GCN_ABI_HSA for one target, to `out`. It does not need them afterwards. HD_INVALID: there are
 * none, or they do not fit, or the symbols of two (NAME, NAME.kd) have one name; the sink of
 * `config` (may be NULL) got a diagnostic, and nothing was appended.
 */
HD_API hd_result hd_gcn_link(const hd_config *config, const hd_gcn_binary *const *binaries,
                             uint32_t num, hd_blob *out);

HD_END_DECLS

#endif
