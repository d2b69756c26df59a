/* SPDX-License-Identifier: MIT */
/* draw.h - functions as pictures: clusters for ifs and loops around the blocks of the graph.
 *
 * In libheddle-tools. Pictures are text of their format in UTF-8, the same for the same function.
 */
#ifndef HEDDLE_DRAW_H
#define HEDDLE_DRAW_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

typedef enum hd_draw_format {
   HD_DRAW_OUTLINE, /* the tree with its edges, for a terminal */
   HD_DRAW_DOT,     /* for Graphviz */
   HD_DRAW_SVG,     /* laid out here, needs no other program */
} hd_draw_format;

typedef struct hd_draw_options {
   hd_draw_format format;
   bool hide_code;      /* blocks show their number and name only */
   bool dominance;      /* also an edge from each block's immediate dominator */
   bool post_dominance; /* also an edge from each block's immediate post-dominator */
   bool divergence;     /* blocks at whose end lanes may diverge say so */
   bool color;          /* outline: with terminal escapes */
} hd_draw_options;

/* Append the picture of a function. `options` may be NULL. An if is a cluster with one cluster for
 * each arm, a loop one with its body and its continue list; in a flat function each cycle is a
 * cluster. Blocks are numbered as in the text form.
 *
 * The function must be valid. Fails for want of memory, or with what hd_require answers; `out` may
 * then hold a part of the picture. SVG takes no more than linear time and memory for trees, and
 * for flat functions as much as the text of their edges.
 */
HD_API hd_result hd_draw_function(hd_function *f, const hd_draw_options *options, hd_blob *out);

HD_END_DECLS

#endif
