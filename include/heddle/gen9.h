/* SPDX-License-Identifier: MIT */
/* gen9.h - shaders to machine code for Intel Gen9.
 *
 *    hd_gen9_binary *binary;
 *    hd_result r = hd_gen9_compile(shader, NULL, &binary);
 *    ... binary->code, binary->stats ...
 *    hd_gen9_binary_destroy(binary);
 *
 * A wave is a hardware thread with 8 lanes, or 16 where the options say so. Control flow becomes the machine's structured instructions,
 * which mask lanes by themselves, or a line of blocks that lanes enter by numbers; doc/gen9.md tells
 * how, and lists what is not supported.
 *
 * A thread begins at the first instruction with
 *
 *    r0      the header of the dispatch: in dwords 1, 6 and 7 the position of the workgroup
 *    r1      local_invocation_index of each lane: a dword, or of 16 lanes a word
 *    r2.0    the number of the thread in the workgroup
 *    r2.1    where its scratch memory begins in its surface, in bytes: a multiple of 32
 *    r4...   a hd_gen9_launch, and after it the first HD_GEN9_PAYLOAD_BYTES of the kernel's arguments, or of
 *            a compute shader's push constants; what is more of these is read from their surfaces
 *
 * and the lanes that take part in its dispatch mask. It ends by a message to the thread spawner.
 * Memory is given by the binding table, at these indices:
 *
 *    0       a hd_gen9_launch, and the sizes of buffers after it, which alone are read there
 *    1       push constants
 *    2       the arguments of the kernel
 *    3       hd_gen9_binary.constants
 *    4       scratch memory, of all threads that run at a time
 *    5...    buffers, in the order of hd_gen9_binary.bindings
 */
#ifndef HEDDLE_GEN9_H
#define HEDDLE_GEN9_H

#include "heddle/emit.h"
#include "heddle/target.h"

HD_BEGIN_DECLS

/* Indices into the binding table. */
enum {
   HD_GEN9_SURFACE_LAUNCH,
   HD_GEN9_SURFACE_PUSH,
   HD_GEN9_SURFACE_KERNARG,
   HD_GEN9_SURFACE_CONSTANTS,
   HD_GEN9_SURFACE_SCRATCH,
   HD_GEN9_SURFACE_BUFFERS, /* the first one */
};

/* What the driver writes to memory for a dispatch, little endian. After it stands a dword for each
 * buffer: its size in bytes.
 */
typedef struct hd_gen9_launch {
   uint32_t num_workgroups[3];
   uint32_t workgroup_size[3];
   uint32_t global_offset[3];
   uint32_t work_dim;
} hd_gen9_launch;

/* Of arguments or push constants, in registers: up to the end of r8. */
#define HD_GEN9_PAYLOAD_BYTES 120u

/* Control-flow lowering */
typedef enum hd_gen9_lowering {
   /* Structurize what is flat; if, else, endif, while, break, cont, halt. */
   HD_GEN9_LOWERING_STRUCTURED,
   /* Any graph, in a linear order: a number of 16 bits for each lane, predicates, jumps of the thread.
    * Trees become flat at last. More than 65,535 blocks that lanes wait for are HD_UNSUPPORTED.
    */
   HD_GEN9_LOWERING_BLOCK_NUMBERS,
} hd_gen9_lowering;

/* All zero is the default. */
typedef struct hd_gen9_options {
   hd_gen9_lowering lowering; /* another number is HD_INVALID */
   /* 8, or 16 where a value takes two registers; 0: of the target, else 8. Another number is HD_INVALID. */
   uint32_t lanes;
   const char *passes;     /* run before selection; NULL: "gen9", or "gen9_flat" for numbers */
   bool quick;             /* "gen9_quick" or "gen9_flat_quick" instead: compile in less time */
   uint32_t max_registers; /* that values may be in; 0: what the machine has */
   uint32_t max_scalars;   /* the same for uniform values, of which a register holds 8 */
   uint32_t descriptor_array_size; /* elements of an array of buffers with a dynamic index; 0: 16 */
   /* Re-execute the register allocation symbolically; a fault is HD_INVALID. */
   bool verify_regalloc;
   bool no_compaction;          /* each instruction has 16 bytes: none is compacted */
   bool keep_text;              /* write hd_gen9_binary.text */
   hd_diag_sink diag;           /* `report` NULL: the shader's sink */
   const hd_observer *observer; /* may be NULL */
   void *user;
   /* Called after each phase of the machine code. */
   void (*after_phase)(void *user, const char *phase, const char *text);
   /* Intrinsics of a driver's own (emit.h). NULL: the compilation is refused where one is left. */
   hd_select_own *select_own;
} hd_gen9_options;

typedef struct hd_gen9_stats {
   uint32_t instructions;
   uint32_t
       control;     /* of them those that manage lanes: if, else, endif, while, break, cont; or what
                        reads and writes block numbers and the flags of lanes */
   uint32_t jumps;  /* of the whole thread */
   uint32_t single; /* instructions of one channel, for uniform values */
   uint32_t messages;
   uint32_t compacted; /* in their short form */
   uint32_t registers; /* highest that values are in + 1 */
   uint32_t scalars;   /* the same of uniform values */
   uint32_t spilled;   /* values */
} hd_gen9_stats;

typedef struct hd_gen9_binary {
   const void *code;
   uint32_t code_size;    /* bytes */
   const char *text;      /* with keep_text; else NULL */
   const void *constants; /* what passes made of the shader's, too */
   uint32_t constants_size;
   const hd_buffer_binding *bindings;
   uint32_t num_bindings;
   uint32_t num_buffers;  /* surfaces of buffers */
   uint32_t scratch_size; /* bytes of a thread */
   uint32_t lanes;        /* of a thread */
   uint32_t shared_size;  /* bytes of a workgroup */
   uint32_t workgroup_size[3];
   hd_gen9_stats stats;
} hd_gen9_binary;

/* Compile the entry function, of a compute shader or a kernel. The shader is not changed.
 *
 * HD_OK: *binary is to be destroyed by the caller. HD_UNSUPPORTED: the shader asks for what the
 * machine or this library does not have, or has no function; a diagnostic says what and where.
 * HD_INVALID: the options do not fit, and a diagnostic says how. Else memory or budget ran out. In
 * these cases *binary is NULL. `options` may be NULL.
 */
HD_API hd_result hd_gen9_compile(const hd_shader *shader, const hd_gen9_options *options,
                                 hd_gen9_binary **binary);
/* NULL is allowed. */
HD_API void hd_gen9_binary_destroy(hd_gen9_binary *binary);

HD_END_DECLS

#endif
