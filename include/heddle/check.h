/* SPDX-License-Identifier: MIT */
/* check.h - the validator: is this IR what ir.h says it is?
 *
 * doc/invariants.md lists the rules. Each has a number, which stands at the end of its message:
 *
 *    error: a definition dominates its uses: %4 of b2 does not dominate b5 (function @main, block
 *    b5, instruction 1) [SSA1]
 *      %7:32 = iadd %4, %6
 *                   ^~
 *
 * All violations are found in one run, and one fault gives one message: a rule is not checked at a
 * place where a rule that it presumes is broken.
 *
 * Values and blocks are named by their index, so that a broken function can be talked about; after
 * hd_function_reindex these are the numbers of the text form.
 *
 * What the validator needs, of a shader in whatever state: a pointer is NULL or points to a live
 * object of its type (which may belong to another function or to none); the kind of a node or an
 * instruction, its num_srcs and the length of a constant are what they were made as; and an array
 * is as long as its capacity says, or its count where it has none. Links may form cycles, other
 * counts and indices may be anything. It ends, in time linear in the size of the shader (the
 * numbers of indices given out included), up to a logarithm, and needs no stack for nesting.
 */
#ifndef HEDDLE_CHECK_H
#define HEDDLE_CHECK_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

typedef enum hd_rule_scope {
   HD_RULE_SCOPE_SHADER, /* the shader as a whole */
   HD_RULE_SCOPE_BOTH,   /* every function */
   HD_RULE_SCOPE_TREE,   /* structured functions */
   HD_RULE_SCOPE_FLAT,   /* flat functions */
} hd_rule_scope;

typedef struct hd_rule_info {
   const char *number; /* "SSA1" */
   const char *words;  /* "a definition dominates its uses" */
   hd_rule_scope scope;
   uint64_t presumes; /* bit n: rule n of hd_rule_get_info; what these presume included */
} hd_rule_info;

/* Rules are numbered from 0 for these two. */
HD_API unsigned hd_num_rules(void);
/* NULL past the end. */
HD_API const hd_rule_info *hd_rule_get_info(unsigned n);

typedef struct hd_validate_options {
   /* Who hears of violations; `report` NULL: the shader's own sink, if it has one. */
   hd_diag_sink diag;
   /* What diagnostics name as the file, or NULL. */
   const char *file;
   /* After so many messages the run ends with a note that there may be more; 0: 100. */
   uint32_t max_errors;
   /* Also compute the metadata that is marked valid again, and compare (META1). */
   bool metadata;
   /* Also ask of flat functions that divergent branches reconverge (CV2), and that they keep the
    * sweep (CV3, which includes CV2).
    */
   bool reconverging;
   bool keeps_sweep;
} hd_validate_options;

/* Check all rules on a shader. HD_OK: none is broken. HD_INVALID: a diagnostic says which, and
 * where. `options` may be NULL. The shader is not changed.
 */
HD_API hd_result hd_validate(hd_shader *shader, const hd_validate_options *options);

/* Check the rules that speak of one function, and calls out of it. */
HD_API hd_result hd_validate_function(hd_function *f, const hd_validate_options *options);

HD_END_DECLS

#endif
