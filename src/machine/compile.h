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
#include "machine/selector.h"
#include "machine/text/listing.h"

typedef struct hd_mach_phase {
   const char *name;
   bool (*run)(hd_mach_program *p);
   bool (*wanted)(const hd_mach_program *p); /* NULL: always */
   /* It runs if the caller asks for checks, and what it finds is a fault of the library: HD_INVALID. */
   bool checks;
} hd_mach_phase;

/* Blobs of a binary: those that all machines have, and for whatever else is kept. */
enum {
   HD_MACH_CODE,
   HD_MACH_TEXT,
   HD_MACH_BINDINGS,  /* hd_buffer_binding[] */
   HD_MACH_CONSTANTS, /* of the shader, after all passes */
   HD_MACH_FIRST_OWN_BLOB,
   HD_MACH_MAX_BLOBS = HD_MACH_FIRST_OWN_BLOB + 3,
};

/* What a machine has for compiling: a constant. */
typedef struct hd_mach_compiler {
   const hd_mach_phase *phases;
   size_t num_phases;
   /* The program between phases, as text; NULL: as machine/text/program.h shows. */
   void (*print)(const hd_mach_program *p, hd_blob *out);
   hd_mach_print_inst *print_inst; /* one instruction of it; NULL: the same */
   /* Before all else. False: a diagnostic says which option does not fit, and the result is
    * HD_INVALID.
    */
   bool (*options_fit)(hd_mach_program *p);
   uint32_t stages; /* that it compiles, 1u << hd_stage, or-ed; 0: compute shaders and kernels */
   /* Parse the machine's list of passes for p->shader. */
   hd_result (*standard_passes)(const hd_mach_program *p, bool quick, hd_pass_list *list,
                                hd_diag_sink diag);
   /* After the last phase, inside of an unwinding point. False: a diagnostic says why not. */
   bool (*encode)(hd_mach_program *p, hd_blob *code);
   /* The code as text: NULL: by `listing`. */
   void (*write_text)(hd_mach_program *p, const hd_blob *code, hd_blob *text);
   const hd_mach_listing *listing;
   /* Where in the machine's program the hd_mach_buffers is whose bindings are kept, with the constants
    * of the shader; 0: neither is.
    */
   size_t buffers;
   /* Last: fill in the binary, which is zero. The blobs of the machine's own are empty. */
   hd_result (*finish)(hd_mach_program *p, hd_blob blobs[HD_MACH_MAX_BLOBS], void *binary);
   size_t binary_size;
} hd_mach_compiler;

/* What the caller asks for. */
typedef struct hd_mach_request {
   const char *passes; /* NULL: the machine's, */
   bool quick;         /* of them those that take less time */
   bool check;
   bool keep_text;
   hd_diag_sink diag;           /* `report` NULL: the shader's */
   const hd_observer *observer; /* may be NULL */
   void *user;
   void (*before_phase)(void *user, const char *phase); /* may be NULL, as */
   void (*after_phase)(void *user, const char *phase, const char *text);
} hd_mach_request;

/* From the options of a machine, all of which have these members. */
#define HD_MACH_REQUEST(options)                                                                   \
   ((hd_mach_request){ .passes = (options)->passes,                                                \
                       .quick = (options)->quick,                                                  \
                       .check = (options)->verify_regalloc,                                        \
                       .keep_text = (options)->keep_text,                                          \
                       .diag = (options)->diag,                                                    \
                       .observer = (options)->observer,                                            \
                       .user = (options)->user,                                                    \
                       .after_phase = (options)->after_phase })

/* Compile p->shader, which is not changed: besides, `p` has its machine and hooks. *binary is the
 * result, or NULL.
 */
hd_result hd_mach_compile(hd_mach_program *p, const hd_mach_compiler *compiler,
                          const hd_mach_request *request, void **binary);
/* NULL is allowed. */
void hd_mach_binary_destroy(void *binary);

/* For options_fit: is the caller's limit of registers of this kind, "registers" or "scalars", one that code can
 * have? 0: no limit is given.
 */
bool hd_mach_limit_fits(hd_mach_program *p, const char *kind, unsigned limit, unsigned least,
                        unsigned most);

/* Phases for tables. */
bool hd_mach_is_tree(
    const hd_mach_program *p); /* a pass may have left a tree one with either lowering */
bool hd_mach_is_flat(const hd_mach_program *p);

#endif
