/* SPDX-License-Identifier: MIT */
/* draw.h - what the picture formats share. Uses the public headers of libheddle alone. */
#ifndef HEDDLE_DRAW_DRAW_H
#define HEDDLE_DRAW_DRAW_H

#include "heddle/draw.h"
#include "heddle/text.h"

typedef struct hd_picture {
   hd_function *f;
   const hd_draw_options *options;
   hd_numbering *numbering;
   hd_blob *out;
   hd_blob line; /* scratch for one line of IR */
} hd_picture;

/* The tree as a sequence of steps, in the order of the text. */
typedef enum hd_step_kind {
   HD_STEP_BLOCK,
   HD_STEP_ENTER,    /* an if or a loop */
   HD_STEP_LIST,     /* one of its lists begins */
   HD_STEP_LIST_END, /* and ends */
   HD_STEP_LEAVE,    /* the if or loop ends */
} hd_step_kind;

typedef struct hd_step {
   hd_step_kind kind;
   const hd_cf_node *node; /* the block, if or loop */
   const hd_cf_list *list; /* of HD_STEP_LIST and HD_STEP_LIST_END */
} hd_step;

/* Follows a function: hd_walk_begin, then hd_walk_next until it is false. No recursion. */
typedef struct hd_walk {
   hd_step step;
} hd_walk;

hd_walk hd_walk_begin(const hd_function *f);
bool hd_walk_next(hd_walk *walk);

/* "then", "else", "loop", "continue": what a list is in its if or loop. */
const char *hd_list_title(const hd_cf_list *list);

/* "b3", into picture->line; "end"; "continue of b3" for an empty continue list, which the text form
 * leaves out: its block has no number.
 */
const char *hd_picture_block(hd_picture *p, const hd_block *b);
/* The name of the function, into picture->line. */
const char *hd_picture_title(hd_picture *p);
/* As hd_picture_block, with the name of the block and what is declared of it. */
const char *hd_picture_block_head(hd_picture *p, const hd_block *b);
/* One instruction or the line of an if, cut to a readable length, into picture->line. */
const char *hd_picture_instr(hd_picture *p, const hd_instr *instr);
const char *hd_picture_node(hd_picture *p, const hd_cf_node *node);

/* An edge goes back when its target is on the way to its source: the target comes first. */
bool hd_edge_goes_back(const hd_block *from, const hd_block *to);

/* The length of the character at s, or 0 where the bytes are none that a picture may hold: not
 * UTF-8, a control character, or one that XML excludes.
 */
size_t hd_picture_char(const char *s);
/* What stands in the place of such a byte. */
#define HD_REPLACEMENT "\xef\xbf\xbd"

hd_result hd_draw_outline(hd_picture *p);
hd_result hd_draw_dot(hd_picture *p);
hd_result hd_draw_svg(hd_picture *p);

#endif
