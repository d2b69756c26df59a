/* SPDX-License-Identifier: MIT */
/* pass.h - run passes and pipelines, with checks between passes.
 *
 *    bool progress;
 *    hd_result r = hd_run_pass(shader, hd_pass_find("opt_dce"), NULL, &progress);
 *
 *    r = hd_run_pipeline(shader, "O2", NULL, NULL);
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

#define HD_MAX_PASS_OPTIONS 8

typedef enum hd_pass_option_kind {
   HD_PASS_NUMBER, /* a switch is a number from 0 to 1 */
   HD_PASS_STRING,
} hd_pass_option_kind;

/* What a pass is given. */
typedef struct hd_pass_option {
   const char *name;    /* letters, digits and `_` */
   const char *meaning; /* one line */
   uint32_t value;      /* where none is given */
   uint32_t low, high;  /* what it may be, both included */
   hd_pass_option_kind kind;
   const char *string; /* of HD_PASS_STRING: where none is given; may be NULL */
} hd_pass_option;

/* A construct that a pass removes for good. */
typedef struct hd_pass_lowers {
   uint32_t construct; /* a bit of hd_lowered (ops.h) */
   int32_t option;     /* the number of the option that must not be 0 for that, or -1 */
} hd_pass_lowers;

typedef struct hd_pass_step hd_pass_step;

/* A row of src/codegen/passes/passes.py, or a pass of a program's own: the runner treats both alike
 * (examples/pass.c). A zero-initialised row with a name and a function is complete. The step that a
 * pass is called with has the values of its options, and this row.
 *
 * Failures. A pass need not look for them: a call that runs out of memory or steps does not return
 * to it, but unwinds to the runner (longjmp). So a pass keeps nothing that must be given back: it
 * takes its memory from hd_pass_alloc.
 *
 * A pass with `checked` is not unwound, for languages with destructors: calls of edit.h, build.h and
 * analysis.h fail inside of it as they do outside of a pass, by a result, NULL or false, and the pass
 * looks at these and returns. The runner sees hd_shader_status() and ends with it. No exception may
 * leave the pass.
 */
typedef struct hd_pass {
   const char *name;        /* "opt_dce" */
   const char *meaning;     /* one line */
   uint32_t requires_meta;  /* metadata that is there when it begins */
   uint32_t preserves_meta; /* metadata that it keeps where it changes something */
   uint32_t forms;          /* hd_pass_forms */
   uint32_t num_options;
   const hd_pass_option *options;
   /* One of the two: a function at a time, or all of the shader at once. */
   bool (*run)(hd_function *f, const hd_pass_step *step);
   bool (*run_shader)(hd_shader *shader, const hd_pass_step *step);
   /* Of what it leaves nothing, if it could run on all functions of the shader. */
   uint32_t num_lowers;
   const hd_pass_lowers *lowers;
   void *user;   /* the program's: a step has it unless it is given another */
   bool checked; /* failures return to it */
} hd_pass;

/* Passes are numbered from 0, in the order of their names. */
HD_API unsigned hd_num_passes(void);
/* NULL past the end. */
HD_API const hd_pass *hd_pass_get(unsigned n);
/* NULL when there is none of that name. */
HD_API const hd_pass *hd_pass_find(const char *name);

/* A pass in a list of passes, with the values of its options, by number of the option. */
struct hd_pass_step {
   const hd_pass *pass;
   uint32_t values[HD_MAX_PASS_OPTIONS];
   const char *strings[HD_MAX_PASS_OPTIONS];
   void *user; /* callbacks and what else the program gives its pass */
};

/* `pass` with all options at what they are where none is given. */
HD_API hd_pass_step hd_pass_step_default(const hd_pass *pass);

/* For passes: scratch memory for `count` objects of `size` bytes, zeroed and aligned to 8, that is
 * given back when the pass has ended for this function (run_shader: for the shader). In a checked
 * pass NULL when there is none, and the shader's status tells why.
 */
HD_API void *hd_pass_alloc(hd_shader *shader, size_t count, size_t size);

/* For passes: count work against hd_budget.steps, about one step for each instruction, block or
 * source that is looked at. Without it a pass whose work grows faster than the shader is not stopped.
 * False in a checked pass whose budget is spent.
 */
HD_API bool hd_pass_count_steps(hd_shader *shader, uint64_t steps);

/* Standard lists of passes: "O0", "O1", "O2", ... Numbered from 0; NULL past the end. */
typedef struct hd_pipeline {
   const char *name;
   const char *meaning;      /* one line */
   const char *const *steps; /* one pass each, as hd_pass_list_parse reads it; ends with NULL */
} hd_pipeline;

HD_API const hd_pipeline *hd_pipeline_get(unsigned n);
/* NULL when there is none of that name. */
HD_API const hd_pipeline *hd_pipeline_find(const char *name);

/* Zero-initialised: empty, memory from malloc, passes of the library. */
typedef struct hd_pass_list {
   hd_pass_step *steps;
   uint32_t num_steps;
   uint32_t capacity;
   hd_allocator allocator;
   /* Passes of the program's own that a text may name, before those of the library. */
   const hd_pass *const *own;
   uint32_t num_own;
   struct hd_pass_string *strings; /* that texts gave to options; freed with the list */
} hd_pass_list;

/* Append what a text names: passes and pipelines with a comma between, options in parentheses.
 *
 *    opt_dce,cse,if_convert(uniform_cost=2,divergent_cost=20),O2,dump(file="after.hd")
 *
 * Strings are in quotes, with `\"` and `\\` for those two. A name may leave out "opt_". Spaces are allowed anywhere but inside of a name. HD_INVALID: the
 * sink hears what is wrong and where, and the list is as it was; HD_OUT_OF_MEMORY likewise.
 */
HD_API hd_result hd_pass_list_parse(hd_pass_list *list, const char *text, hd_diag_sink diag);
/* Free the steps; the list is empty again. */
HD_API void hd_pass_list_finish(hd_pass_list *list);

/* Append a step as text that parses to it again; options that have their default value are left out.
 */
HD_API void hd_pass_step_print(const hd_pass_step *step, hd_blob *blob);

/* One run of one pass on a shader, as hd_run_watch reports it. */
typedef struct hd_pass_run {
   const hd_pass_step *step;
   uint32_t number; /* in the list, from 0 */
   hd_shader *shader;
   /* Only after the pass: whether something changed; the shader as it was before, where
    * hd_run_options.copy_before is set.
    */
   bool progress;
   const hd_shader *before;
   hd_diag_sink diag; /* where faults are reported */
} hd_pass_run;

/* Called around each pass, where not NULL. Neither may change the shader, but `after` may write
 * locations of instructions and nodes where no check runs.
 */
typedef struct hd_run_watch {
   void *user;
   /* False: leave this one out. */
   bool (*before)(void *user, const hd_pass_run *run);
   /* HD_INVALID: what the pass did is wrong, and a diagnostic says why. The run ends, as it does
    * with any result but HD_OK.
    */
   hd_result (*after)(void *user, const hd_pass_run *run);
} hd_run_watch;

/* What hd_run_pass does besides running the pass. Zero-initialised, and NULL: nothing. */
typedef struct hd_run_options {
   /* Of hd_run_pass: the values of the pass's number options, or NULL. */
   const uint32_t *values;
   /* Validate the shader before and after. */
   bool validate;
   /* Compute all metadata before, and compare afterwards what is still marked valid with what it is
    * if computed again.
    */
   bool verify_meta;
   /* Print, parse and print again afterwards: the texts must be equal. */
   bool round_trip;
   /* Clone the shader afterwards: the texts must be equal. */
   bool verify_clone;
   /* A pass that says that it did nothing must have done nothing: compare the shader's binary form
    * before and after.
    */
   bool verify_progress;
   /* Who hears what these checks find. `report` NULL: the shader's own sink, if it has one. */
   hd_diag_sink diag;
   /* The passes work on copies of the functions, which take the place of the originals when all is
    * done: after a failure, and after no progress, the shader is as it was. When there was progress
    * every hd_function, block and value is a new one.
    */
   bool keep_on_failure;
   /* For the watch: give it a copy of the shader as it was before each pass. */
   bool copy_before;
   hd_run_watch watch;
} hd_run_options;

/* All checks, as an initializer; in the order of the fields, for C++ before C++20. */
#define HD_RUN_CHECK_ALL                                                                           \
   {                                                                                               \
      NULL, true, true, true, true, true, { NULL, NULL }, false, false,                            \
      {                                                                                            \
         NULL, NULL, NULL                                                                          \
      }                                                                                            \
   }

/* Run a pass on each function of a shader that has a form which it takes; if it is one that runs on
 * all of the shader at once, run it. *progress tells whether something changed; it may be NULL.
 *
 * HD_OK: it ran, and nothing that was to be checked is wrong. HD_INVALID: a check found a fault;
 * diagnostics name the pass, say whether the shader was broken before it, and what the fault is. A
 * broken shader is left as it is, to be looked at. Or an option has a value that it may not have,
 * or the shader an intrinsic that is registered nowhere: nothing ran. HD_OUT_OF_MEMORY, HD_BUDGET_EXCEEDED, HD_UNSUPPORTED: the pass was stopped, and the
 * shader can only be destroyed, unless options->keep_on_failure.
 */
HD_API hd_result hd_run_pass(hd_shader *shader, const hd_pass *pass, const hd_run_options *options,
                             bool *progress);

/* The same for several passes, one after the other, up to the first that does not end with HD_OK.
 * The budget and keep_on_failure are for all of them together.
 */
HD_API hd_result hd_run_passes(hd_shader *shader, const hd_pass_step *steps, uint32_t num_steps,
                               const hd_run_options *options, bool *progress);

/* The same for a standard list by name. HD_INVALID also when there is none of that name, with a
 * diagnostic.
 */
HD_API hd_result hd_run_pipeline(hd_shader *shader, const char *name, const hd_run_options *options,
                                 bool *progress);

HD_END_DECLS

#endif
