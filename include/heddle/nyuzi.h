/* SPDX-License-Identifier: MIT */
/* nyuzi.h - shaders to Nyuzi machine code.
 *
 *    hd_nyuzi_binary *binary;
 *    hd_result r = hd_nyuzi_compile(shader, NULL, &binary);
 *    ... binary->code, binary->stats ...
 *    hd_nyuzi_binary_destroy(binary);
 *
 * A wave is a hardware thread with 16 lanes. What lanes diverge on becomes masks in scalar
 * registers, which instructions name; doc/nyuzi.md tells how, and lists what is not supported.
 *
 * A thread begins at the first word with
 *
 *    s0    the lanes that take part, a bit each
 *    s1    the address of a hd_nyuzi_launch
 *    s2    the position of the workgroup: x, in s3 y, in s4 z
 *    s5    the number of the wave in the workgroup
 *    s6    the address of the memory of the workgroup
 *    s30   the address of the scratch memory of the wave, a multiple of 64
 *    v0    local_invocation_index of each lane
 *
 * and ends by writing 1 << thread to control register 20, where the thread's number is what control
 * register 0 says. The words of the launch are in the order of the struct, little endian. Below the
 * memory of the workgroup lie two words for barriers: the number of its threads times 65,536, and 0.
 */
#ifndef HEDDLE_NYUZI_H
#define HEDDLE_NYUZI_H

#include "heddle/emit.h"
#include "heddle/target.h"

HD_BEGIN_DECLS

#define HD_NYUZI_LANES         16u
#define HD_NYUZI_BARRIER_BYTES 8u

/* What the driver writes to memory for a dispatch. Addresses are of 32 bits: the upper half of a
 * 64-bit address of the shader is not looked at. Memory begins at multiples of 4, and can be read up
 * to the next multiple of 4 after its end: what is smaller than a word is cut out of one.
 */
typedef struct hd_nyuzi_launch {
   uint32_t num_workgroups[3];
   uint32_t workgroup_size[3];
   uint32_t global_offset[3];
   uint32_t work_dim;
   uint32_t push;      /* addresses: of the push constants, */
   uint32_t kernarg;   /* of the arguments of the kernel, */
   uint32_t constants; /* of hd_nyuzi_binary.constants */
   /* Of an array of pairs, address and size in bytes: of the buffers in the order of
    * hd_nyuzi_binary.bindings, each with its array elements one after the other.
    */
   uint32_t buffers;
} hd_nyuzi_launch;

typedef enum hd_nyuzi_skip {
   HD_NYUZI_SKIP_COST, /* branch over code without lanes where that pays */
   HD_NYUZI_SKIP_ALWAYS,
   HD_NYUZI_SKIP_NEVER, /* only where it must: code that must not run without lanes */
} hd_nyuzi_skip;

/* All zero is the default. */
typedef struct hd_nyuzi_options {
   hd_nyuzi_skip skip;
   const char *passes;   /* run before selection; NULL: "nyuzi" */
   bool quick;           /* "nyuzi_quick" instead of "nyuzi": compile in less time */
   uint32_t max_scalars; /* registers that values may be in; 0: what the machine has */
   uint32_t max_vectors;
   uint32_t
       descriptor_array_size; /* elements of an array of descriptors with a dynamic index; 0: 64 */
   bool
       verify_regalloc; /* re-execute the register allocation symbolically; a fault is HD_INVALID */
   bool keep_text;      /* write hd_nyuzi_binary.text */
   hd_diag_sink diag;   /* `report` NULL: the shader's sink */
   void *user;
   /* Called after each phase of the machine code. */
   void (*after_phase)(void *user, const char *phase, const char *text);
   const hd_observer *observer; /* may be NULL */
   /* Intrinsics of a driver's own (emit.h). NULL: the compilation is refused where one is left. */
   hd_select_own *select_own;
} hd_nyuzi_options;

typedef struct hd_nyuzi_stats {
   uint32_t instructions;
   uint32_t scalar, vector, memory, branches;
   uint32_t masks;            /* of the instructions those that manage lanes: on the exec mask */
   uint32_t vector_writes;    /* instructions that write a vector register, */
   uint32_t masked_writes;    /* of them those with a mask */
   uint32_t scalars, vectors; /* highest register that values are in + 1 */
   uint32_t spilled_scalars, spilled_vectors;
} hd_nyuzi_stats;

typedef struct hd_nyuzi_binary {
   /* The bytes lie as the machine reads them: on a big-endian host the words are no numbers of the
    * host.
    */
   const uint32_t *code;
   uint32_t code_words;
   const char *text;      /* with keep_text; else NULL */
   const void *constants; /* what passes made of the shader's, too: to lie at a multiple of 64 */
   uint32_t constants_size;
   const hd_buffer_binding *bindings;
   uint32_t num_bindings;
   uint32_t num_buffers;  /* pairs in hd_nyuzi_launch.buffers */
   uint32_t scratch_size; /* bytes of a wave */
   uint32_t shared_size;  /* bytes of a workgroup, those for barriers not counted */
   uint32_t workgroup_size[3];
   hd_nyuzi_stats stats;
} hd_nyuzi_binary;

/* Compile the entry function, of a compute shader or a kernel. The shader is not changed.
 *
 * HD_OK: *binary is to be destroyed by the caller. HD_UNSUPPORTED: the shader asks for what the
 * machine or this library does not have, or has no function; a diagnostic says what and where.
 * HD_INVALID: the options do not fit, and a diagnostic says how. Else memory or budget ran out. In
 * these cases *binary is NULL. `options` may be NULL.
 */
HD_API hd_result hd_nyuzi_compile(const hd_shader *shader, const hd_nyuzi_options *options,
                                  hd_nyuzi_binary **binary);
/* NULL is allowed. */
HD_API void hd_nyuzi_binary_destroy(hd_nyuzi_binary *binary);

HD_END_DECLS

#endif
