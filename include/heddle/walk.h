/* SPDX-License-Identifier: MIT */
/* walk.h - walk over a tree in the order of its code: blocks, and where ifs and loops, and the lists in
 * them, begin and end.
 *
 *    hd_walk walk = { 0 };
 *    hd_walk_begin(&walk, f);
 *    do {
 *       if (walk.event == HD_WALK_IF) ...
 *    } while (hd_walk_next(&walk));
 *
 *    if %c {            HD_WALK_BLOCK, HD_WALK_IF
 *    } else {           HD_WALK_BLOCK, HD_WALK_ELSE
 *    }                  HD_WALK_BLOCK, HD_WALK_END_IF
 *    loop {             HD_WALK_BLOCK, HD_WALK_LOOP
 *    } continue {       HD_WALK_BLOCK, HD_WALK_CONTINUE
 *    }                  HD_WALK_BLOCK, HD_WALK_END_LOOP
 *                       HD_WALK_BLOCK
 *
 * It follows the links of the tree: no recursion, no memory but this, constant time for a step. The
 * instructions of a block may change during the walk; nodes may not come or go.
 */
#ifndef HEDDLE_WALK_H
#define HEDDLE_WALK_H

#include "heddle/ir.h"

HD_BEGIN_DECLS

typedef enum hd_walk_event {
   HD_WALK_BLOCK,
   HD_WALK_IF,       /* before its first list */
   HD_WALK_ELSE,     /* between its lists */
   HD_WALK_END_IF,   /* after its second list */
   HD_WALK_LOOP,     /* before its body */
   HD_WALK_CONTINUE, /* between the body and the continue list */
   HD_WALK_END_LOOP,
} hd_walk_event;

typedef struct hd_walk {
   hd_walk_event event;
   hd_cf_node *node; /* the block, if or loop that the event is of */
   /* Whether the else-list of an if comes first; NULL: never. The answer for an if stays the same.
    */
   bool (*else_first)(void *user, const hd_if *nif);
   void *user;
} hd_walk;

/* To the first block of a function. A flat one is a list of blocks. */
HD_API void hd_walk_begin(hd_walk *walk, const hd_function *f);
/* On to the next step; false after the last one. */
HD_API bool hd_walk_next(hd_walk *walk);

HD_END_DECLS

#endif
