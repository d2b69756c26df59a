/* SPDX-License-Identifier: MIT */
/* target.h - all machines that this build compiles for, and compilation by the name of one.
 *
 *    const hd_target *target = hd_target_find("gfx900");
 *    hd_target_binary *binary;
 *    hd_result r = hd_compile(shader, target, NULL, &binary);
 *    ... binary->code, binary->code_size ...
 *    hd_target_binary_destroy(binary);
 *
 * This is what is alike on all of them. How a shader is started, what is in its registers then, and
 * the options of one machine are in that machine's header (gcn.h, gen9.h, nyuzi.h): its options stand beside
 * the general ones in hd_compile_options.own, and what it makes in hd_target_binary.own.
 */
#ifndef HEDDLE_TARGET_H
#define HEDDLE_TARGET_H

#include "heddle/observe.h"

HD_BEGIN_DECLS

/* A constant of the library: never freed, and the same for the same name. */
typedef struct hd_target hd_target;

/* Targets are numbered from 0, those of a backend one after the other. A build can leave backends
 * out (config.h), all of them as well.
 */
HD_API unsigned hd_num_targets(void);
/* NULL past the end. */
HD_API const hd_target *hd_target_get(unsigned n);
/* "gfx600", "gen9", ... NULL when this build has none of that name, and for NULL. */
HD_API const hd_target *hd_target_find(const char *name);

HD_API const char *hd_target_get_name(const hd_target *target);
/* One line: the machine, and the chip of it. */
HD_API const char *hd_target_get_description(const hd_target *target);
/* "gcn", "gen9": the backend, whose header says what `own` is. */
HD_API const char *hd_target_get_backend(const hd_target *target);
/* Lanes of a wave. */
HD_API unsigned hd_target_get_lanes(const hd_target *target);

/* Where an array of buffers stands among all that the shader names, for machines that number them. */
typedef struct hd_buffer_binding {
   uint32_t set, binding;
   uint32_t first; /* the number of element 0 */
   uint32_t num;   /* array elements */
} hd_buffer_binding;

typedef enum hd_optimization {
   HD_OPTIMIZE_FULL,
   HD_OPTIMIZE_QUICK, /* what the machine needs and little besides: compile in less time */
} hd_optimization;

/* All zero, and NULL, is the default. */
typedef struct hd_compile_options {
   /* Run before instructions are selected, as hd_pass_list_parse reads it; NULL: the pipeline of the
    * target. Must end with what its selection needs.
    */
   const char *passes;
   hd_optimization optimization; /* which pipeline that is */
   bool
       verify_regalloc; /* re-execute the register allocation symbolically; a fault is HD_INVALID */
   bool keep_text;      /* write hd_target_binary.text */
   hd_diag_sink diag;   /* `report` NULL: the shader's sink */
   void *user;
   /* Called after each phase of the machine code, with it as text. */
   void (*after_phase)(void *user, const char *phase, const char *text);
   const hd_observer *observer; /* may be NULL */
   /* The options of the machine: hd_gcn_options, hd_gen9_options. NULL: its defaults. What stands
    * in this struct, and the target, is taken from here and not from there.
    */
   const void *own;
} hd_compile_options;

typedef struct hd_target_binary {
   const hd_target *target;
   /* Bytes as the machine reads them. Constant data is among them, or in `own` where the machine has
    * it apart.
    */
   const void *code;
   size_t code_size;
   const char *text; /* with keep_text; else NULL */
   uint32_t workgroup_size[3];
   uint32_t shared_size;  /* bytes of a workgroup */
   uint32_t scratch_size; /* bytes of a wave */
   /* The same as the machine describes it: hd_gcn_binary, hd_nyuzi_binary. Of this struct: it is
    * destroyed with it.
    */
   const void *own;
} hd_target_binary;

/* Compile the entry function, of a compute shader or a kernel. The shader is not changed.
 *
 * HD_OK: *binary is to be destroyed by the caller. HD_UNSUPPORTED: the shader asks for what the
 * machine or this library does not have, or has no function; a diagnostic says what and where.
 * HD_INVALID: there is no target (NULL), or the options do not fit; a diagnostic was sent. Else memory
 * or budget ran out. In these cases *binary is NULL.
 */
HD_API hd_result hd_compile(const hd_shader *shader, const hd_target *target,
                            const hd_compile_options *options, hd_target_binary **binary);
/* NULL is allowed. */
HD_API void hd_target_binary_destroy(hd_target_binary *binary);

HD_END_DECLS

#endif
