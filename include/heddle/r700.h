/* SPDX-License-Identifier: MIT */
/* r700.h - shaders to machine code for AMD R700.
 *
 *    hd_r700_binary *binary;
 *    hd_result r = hd_r700_compile(shader, NULL, &binary);
 *    ... binary->code, binary->stack_size, binary->stats ...
 *    hd_r700_binary_destroy(binary);
 *
 * A wave has 64 lanes. The code is a control-flow program, which pushes and pops the lanes that are
 * active on a stack of the hardware, and behind it the clauses that it runs; doc/r700.md tells how, and
 * lists what is not supported.
 *
 * A wave begins at the first word with
 *
 *    T0.X          local_invocation_index of each lane
 *    T0.Y          the number of the wave in the workgroup
 *    T1.X, Y, Z    the position of the workgroup
 *
 * and the lanes that take part active. Memory is given by
 *
 *    constant buffer 0    a hd_r700_launch, behind it the buffers
 *    constant buffer 1    the arguments of the kernel
 *    constant buffer 2    push constants
 *    vertex resource 0    all memory of 32-bit addresses, in elements of one byte
 *    resource 1...        buffers, in the order of hd_r700_binary.bindings, in elements of one byte: of
 *                         a fetch each dword that is not inside reads 0
 *    memory export        the same memory as resource 0, in dwords
 *    scratch              quads of dwords, hd_r700_binary.scratch_quads of each lane
 */
#ifndef HEDDLE_R700_H
#define HEDDLE_R700_H

#include "heddle/emit.h"
#include "heddle/observe.h"
#include "heddle/target.h"

HD_BEGIN_DECLS

#define HD_R700_LANES 64u

/* What the driver writes to constant buffer 0, little endian. Addresses are of 32 bits: the upper half of
 * a 64-bit address of the shader is not looked at. Behind it stand pairs, address and size in bytes: of
 * the buffers in the order of hd_r700_binary.bindings, each with its array elements one after the other.
 */
typedef struct hd_r700_launch {
   uint32_t num_workgroups[3];
   uint32_t workgroup_size[3];
   uint32_t global_offset[3];
   uint32_t work_dim;
   uint32_t push;      /* addresses: of the push constants, */
   uint32_t kernarg;   /* of the arguments of the kernel, */
   uint32_t constants; /* of hd_r700_binary.constants, */
   uint32_t shared;    /* of hd_r700_binary.shared_size bytes for each workgroup of the dispatch, */
   uint32_t discard;   /* of 16 bytes that are written where lanes store outside of a buffer */
   uint32_t reserved;
} hd_r700_launch;

/* All zero is the default. */
typedef struct hd_r700_options {
   const char *passes;             /* run before selection; NULL: "r700" */
   bool quick;                     /* "r700_quick" instead of "r700": compile in less time */
   uint32_t max_registers;         /* channels that values may be in; 0: what the machine has */
   uint32_t descriptor_array_size; /* elements of an array of buffers with a dynamic index; 0: 16 */
   bool one_wave;                  /* workgroups have no more lanes than a wave */
   bool one_op_groups;             /* each group has one instruction: for comparison */
   /* Re-execute the register allocation symbolically; a fault is HD_INVALID. */
   bool verify_regalloc;
   bool keep_text;              /* write hd_r700_binary.text */
   hd_diag_sink diag;           /* `report` NULL: the shader's sink */
   const hd_observer *observer; /* may be NULL */
   void *user;
   /* Called after each phase of the machine code. */
   void (*after_phase)(void *user, const char *phase, const char *text);
   /* Intrinsics of a driver's own (emit.h), but those that read other lanes. NULL: the compilation is refused
    * where one is left.
    */
   hd_select_own *select_own;
} hd_r700_options;

typedef struct hd_r700_stats {
   uint32_t instructions; /* of clauses, and of control flow */
   uint32_t control;      /* of them those of control flow, */
   uint32_t masks;        /* of these those that manage lanes: push, else, pop, loops, breaks */
   uint32_t jumps;        /* and those that the whole wave takes */
   uint32_t clauses;
   uint32_t groups; /* of ALU instructions, */
   uint32_t slots;  /* and how many instructions are in them */
   uint32_t fetches, exports;
   uint32_t registers; /* highest channel that values are in + 1 */
   uint32_t spilled;   /* values */
} hd_r700_stats;

typedef struct hd_r700_binary {
   const void *code;
   uint32_t code_size;    /* bytes */
   const char *text;      /* with keep_text; else NULL */
   const void *constants; /* what passes made of the shader's, too */
   uint32_t constants_size;
   const hd_buffer_binding *bindings;
   uint32_t num_bindings;
   uint32_t num_buffers;   /* pairs behind the launch */
   uint32_t num_gprs;      /* of SQ_PGM_RESOURCES */
   uint32_t stack_size;    /* of SQ_PGM_RESOURCES: entries of the stack */
   uint32_t scratch_quads; /* of a lane */
   uint32_t shared_size;   /* bytes of a workgroup */
   /* Workgroups of more than one wave would have to wait for each other, which they cannot. */
   bool one_wave;
   uint32_t workgroup_size[3];
   hd_r700_stats stats;
} hd_r700_binary;

/* Compile the entry function, of a compute shader or a kernel. The shader is not changed.
 *
 * HD_OK: *binary is to be destroyed by the caller. HD_UNSUPPORTED: the shader asks for what the
 * machine or this library does not have, or has no function; a diagnostic says what and where.
 * HD_INVALID: the options do not fit, and a diagnostic says how. Else memory or budget ran out. In
 * these cases *binary is NULL. `options` may be NULL.
 */
HD_API hd_result hd_r700_compile(const hd_shader *shader, const hd_r700_options *options,
                                 hd_r700_binary **binary);
/* NULL is allowed. */
HD_API void hd_r700_binary_destroy(hd_r700_binary *binary);

HD_END_DECLS

#endif
