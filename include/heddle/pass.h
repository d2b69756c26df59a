/* SPDX-License-Identifier: MIT */
/* pass.h - running passes, and checking what they did.
 *
 *    bool progress;
 *    hd_result r = hd_run_pass(shader, hd_pass_find("opt_dce"), NULL, &progress);
 *
 * doc/passes.md lists the passes and tells how to write one.
 */
#ifndef HEDDLE_PASS_H
#define HEDDLE_PASS_H

#include "heddle/analysis.h"

HD_BEGIN_DECLS

typedef enum hd_pass_forms {
   HD_PASS_TREE = 1u << 0, /* takes structured functions */
   HD_PASS_FLAT = 1u << 1, /* takes flat functions */
} hd_pass_forms;

/* A row of src/codegen/passes.py. */
typedef struct hd_pass {
   const char *name;        /* "opt_dce" */
   const char *meaning;     /* one line */
   uint32_t requires_meta;  /* metadata that is there when it begins */
   uint32_t preserves_meta; /* metadata that it keeps where it changes something */
   uint32_t forms;          /* hd_pass_forms */
   bool (*run)(hd_function *f);
} hd_pass;

/* Passes are numbered from 0, in the order of their names. */
HD_API unsigned hd_num_passes(void);
/* NULL past the end. */
HD_API const hd_pass *hd_pass_get(unsigned n);
/* NULL when there is none of that name. */
HD_API const hd_pass *hd_pass_find(const char *name);

/* What hd_run_pass does besides running the pass. Zero-initialised, and NULL: nothing. */
typedef struct hd_run_options {
   /* Validate the shader before and after. */
   bool validate;
   /* Compute all metadata before, and compare afterwards what is still marked valid with what it is
    * if computed again.
    */
   bool verify_meta;
   /* Print, parse and print again afterwards: the texts must be equal. */
   bool round_trip;
   /* A pass that says that it did nothing must have done nothing: compare the shader's binary form
    * before and after.
    */
   bool verify_progress;
   /* Who hears what these checks find. `report` NULL: the shader's own sink, if it has one. */
   hd_diag_sink diag;
   /* The pass works on copies of the functions, which take the place of the originals when all is
    * done: after a failure, and after no progress, the shader is as it was. When there was progress
    * every hd_function, block and value is a new one.
    */
   bool keep_on_failure;
} hd_run_options;

#define HD_RUN_CHECK_ALL                                                                           \
   {                                                                                               \
      .validate = true, .verify_meta = true, .round_trip = true, .verify_progress = true           \
   }

/* Run a pass on each function of a shader that has a form which it takes. *progress tells whether
 * something changed; it may be NULL.
 *
 * HD_OK: it ran, and nothing that was to be checked is wrong. HD_INVALID: a check found a fault;
 * diagnostics name the pass, say whether the shader was broken before it, and what the fault is. A
 * broken shader is left as it is, to be looked at. HD_OUT_OF_MEMORY, HD_BUDGET_EXCEEDED: the pass
 * was stopped, and the shader can only be destroyed, unless options->keep_on_failure.
 */
HD_API hd_result hd_run_pass(hd_shader *shader, const hd_pass *pass, const hd_run_options *options,
                             bool *progress);

HD_END_DECLS

#endif
