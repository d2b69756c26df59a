/* SPDX-License-Identifier: MIT */
/* compile.h - compile a shader to a binary: parameters, passes, the phases of a machine, the result.
 *
 *    clone         the input is not changed
 *    parameters    of the entry point become loads, before the passes
 *    passes        the caller's list, or the default of the machine
 *    phases        the machine's table, in its order
 *    output        of the machine: bytes, text, statistics
 */
#ifndef HEDDLE_MACHINE_COMPILE_H
#define HEDDLE_MACHINE_COMPILE_H

#include "heddle/pass.h"
#include "machine/observe.h"

typedef struct hd_mach_phase {
   const char *name;
   bool (*run)(hd_mach_program *p);
   bool (*wanted)(const hd_mach_program *p); /* NULL: always */
   /* It runs if the caller asks for checks, and what it finds is a fault of the library: HD_INVALID. */
   bool checks;
} hd_mach_phase;

/* What a machine has for compiling: a constant. */
typedef struct hd_mach_compiler {
   const hd_mach_phase *phases;
   size_t num_phases;
   /* The program between phases, as text; NULL: as machine/text/program.h shows. */
   void (*print)(const hd_mach_program *p, hd_blob *out);
   hd_mach_print_inst *print_inst; /* one instruction of it; NULL: the same */
   /* Parse the machine's list of passes for p->shader. */
   hd_result (*standard_passes)(const hd_mach_program *p, hd_pass_list *list, hd_diag_sink diag);
   /* After the last phase, inside of an unwinding point. */
   hd_result (*output)(hd_mach_program *p, void *binary);
   /* A binary: what the caller sees, and the memory that holds it. Where in it a hd_config is, and where
    * so many hd_blob side by side are.
    */
   size_t binary_size, config, blobs;
   unsigned num_blobs;
} hd_mach_compiler;

/* What the caller asks for. */
typedef struct hd_mach_request {
   const char *passes;          /* NULL: the machine's */
   const hd_observer *observer; /* may be NULL */
   bool check;
   void *user;
   void (*before_phase)(void *user, const char *phase); /* may be NULL, as */
   void (*after_phase)(void *user, const char *phase, const char *text);
} hd_mach_request;

/* NULL: there is no memory. Everything in it is zero, and the blobs are empty. */
void *hd_mach_binary_create(const hd_mach_compiler *compiler, const hd_config *config);
/* NULL is allowed. */
void hd_mach_binary_destroy(const hd_mach_compiler *compiler, void *binary);

/* Compile p->shader, which is not changed: `p` has its machine, hooks, sink and scratch memory, which
 * is not begun yet. *binary is the result, or NULL.
 */
hd_result hd_mach_compile(hd_mach_program *p, const hd_mach_compiler *compiler,
                          const hd_mach_request *request, void **binary);

/* Phases for tables. */
bool hd_mach_is_tree(
    const hd_mach_program *p); /* a pass may have left a tree one with either lowering */
bool hd_mach_is_flat(const hd_mach_program *p);

#endif
