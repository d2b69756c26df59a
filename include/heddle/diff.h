/* SPDX-License-Identifier: MIT */
/* diff.h - two shaders compared by structure: what was added, removed, moved and changed.
 *
 * In libheddle-tools. Names of values, blocks and variables, numbers, source locations and the order of
 * instructions that do not depend on each other are no difference. Instructions depend on each other in
 * this where one reads what the other computes, or where both touch the same class of memory or the same
 * variable and one of them writes it, or where one is a barrier or a call.
 */
#ifndef HEDDLE_DIFF_H
#define HEDDLE_DIFF_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

typedef enum hd_diff_kind {
   HD_DIFF_SAME,
   HD_DIFF_MOVED, /* does the same in another block, or in another order with what depends on it */
   HD_DIFF_CHANGED, /* does something else, or with other operands; it may have moved, too */
   HD_DIFF_REMOVED,
   HD_DIFF_ADDED,
   HD_NUM_DIFF_KINDS,
} hd_diff_kind;

/* An instruction, or a block, if or loop; `function` alone: a function that only one shader has. */
typedef struct hd_diff_place {
   const hd_function *function; /* NULL: there is none on this side */
   const hd_instr *instr;
   const hd_cf_node *node;
} hd_diff_place;

typedef struct hd_diff_entry {
   hd_diff_kind kind;
   bool moved; /* also of HD_DIFF_CHANGED */
   hd_diff_place before, after;
} hd_diff_entry;

typedef struct hd_diff {
   /* In the order of the second shader; what was removed stands where it was before. */
   const hd_diff_entry *entries;
   size_t num_entries;
   size_t counts[HD_NUM_DIFF_KINDS];
   /* What stands in the shaders themselves differs: stage, sizes, float controls, constant data. */
   bool headers_differ;
} hd_diff;

/* The name of a kind, "same", "moved", ... */
HD_API const char *hd_diff_kind_name(hd_diff_kind kind);

/* Compare two valid shaders, which must stay as they are while the result is used. Functions are
 * matched by name, those that are left in their order. Takes time n log n and memory n, in all
 * instructions and operands; budget and memory are those of `before`.
 *
 * HD_OK: *diff is to be destroyed by the caller, before the shaders. Else it is NULL, and memory or
 * budget ran out.
 */
HD_API hd_result hd_diff_create(const hd_shader *before, const hd_shader *after, hd_diff **diff);
/* NULL is allowed. */
HD_API void hd_diff_destroy(hd_diff *diff);

HD_END_DECLS

#endif
