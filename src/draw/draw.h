/* SPDX-License-Identifier: MIT */
/* draw.h - interface of the picture formats. Uses only the public headers of libheddle. */
#ifndef HEDDLE_DRAW_DRAW_H
#define HEDDLE_DRAW_DRAW_H

#include "heddle/draw.h"
#include "heddle/text.h"
#include "heddle/walk.h"

typedef struct hd_picture {
   hd_function *f;
   const hd_draw_options *options;
   hd_numbering *numbering;
   hd_blob *out;
   hd_blob line; /* scratch for one line of IR */
} hd_picture;

/* The list that begins with an event, and the if or loop that it begins with, on a walk that takes
 * the then-list first; NULL: none.
 */
const hd_cf_list *hd_list_begun(const hd_walk *walk);

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

/* A line of text of this class, in SVG, with its markup escaped. */
void hd_picture_text(hd_blob *out, long x, long y, const char *class, const char *text);

hd_result hd_draw_outline(hd_picture *p);
hd_result hd_draw_dot(hd_picture *p);
hd_result hd_draw_svg(hd_picture *p);

#endif
