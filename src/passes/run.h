/* SPDX-License-Identifier: MIT */
/* run.h - one run of a pass list: shared by the entry points (run.c) and the checks (checks.c). */
#ifndef HEDDLE_PASSES_RUN_H
#define HEDDLE_PASSES_RUN_H

#include "heddle/binary.h"
#include "heddle/pass.h"
#include "passes/pass.h"
#include "util/ptr_map.h"

/* A shader's list of functions. */
struct functions {
   hd_function *first, *last;
   uint32_t num;
};

/* What must be given back after an unwinding is here. */
struct run {
   hd_shader *shader;
   hd_run_options options;
   hd_diag_sink diag;
   hd_result result;         /* HD_OK, or what a check found */
   bool progress;            /* of any pass */
   const hd_pass_step *step; /* that runs now; while the input is checked: the first */
   uint32_t number;          /* its position in the list */
   hd_hash hash;             /* of the shader before the step, for verify_progress */
   hd_shader *before;        /* for the watch */
   hd_shader *parsed, *cloned;
   hd_blob text, again;
   /* keep_on_failure: the functions that were given, while copies of them are worked on. */
   bool copied;
   struct functions originals;
   hd_shader fields; /* the shader's own fields as they were */
};

static inline bool
takes(const hd_pass *pass, const hd_function *f)
{
   return pass->forms & (f->structured ? HD_PASS_TREE : HD_PASS_FLAT);
}

/* After a step: what it has lowered for good is remembered in the shader; what was lowered before
 * and was made by it again is lowered again.
 */
void hd_remember_lowered(struct run *run);
void hd_keep_lowered(struct run *run);

/* What each step begins with. False: it must not run, and run->result tells why. */
bool hd_pass_checks_before(struct run *run);
/* ... and ends with. */
void hd_pass_checks_after(struct run *run, bool progress);
/* After a pass has worked on a function: is what it kept right? */
void hd_pass_check_kept(struct run *run, hd_function *f);
/* The shader that was given, once. */
void hd_pass_check_input(struct run *run);

#endif
