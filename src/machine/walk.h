/* SPDX-License-Identifier: MIT */
/* walk.h - walk over a tree in code order: blocks, and where ifs, elses and loops begin and end.
 *
 *    block  if  block ... else  block ... end_if  block  loop  block ... continue  block ...
 * end_loop
 *
 * It follows the links of the tree: no recursion, and no memory but this.
 */
#ifndef HEDDLE_MACHINE_WALK_H
#define HEDDLE_MACHINE_WALK_H

#include "heddle/ir.h"

typedef enum hd_walk_event {
   HD_WALK_BLOCK,
   HD_WALK_IF,       /* before its first list */
   HD_WALK_ELSE,     /* between its lists */
   HD_WALK_END_IF,   /* after its second list */
   HD_WALK_LOOP,     /* before its body */
   HD_WALK_CONTINUE, /* between the body and the continue list */
   HD_WALK_END_LOOP,
} hd_walk_event;

typedef struct hd_mach_walk {
   hd_walk_event event;
   hd_cf_node *node; /* the block, if or loop that the event is of */
   /* Whether the else-list of an if comes first; NULL: never. The answer for an if stays the same.
    */
   bool (*else_first)(void *user, const hd_if *nif);
   void *user;
} hd_mach_walk;

/* To the first block of a structured function. */
void hd_mach_walk_begin(hd_mach_walk *walk, const hd_function *f);
/* On to the next step; false after the last one. */
bool hd_mach_walk_next(hd_mach_walk *walk);

#endif
