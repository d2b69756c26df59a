/* SPDX-License-Identifier: MIT */
/* tree_walk.h - control-flow lowering of a tree for hardware that maintains exec masks: blocks, edges, where
 * the pc goes when no lane is active. The caller emits the instructions.
 *
 *    if       [begin_if: middle]  then...  middle [begin_else: join]  else...  join [end_if: out]
 *    loop     [begin_loop]  header: body...  continue list...  latch [end_loop: header]
 *    rotated  [begin_loop]  continue list...  header: body...  latch [end_loop: continue list]
 *
 *    uniform  header: body...  continue list...  (jump) header  join
 *
 * The second form is for loops with several `continue` edges: those lanes wait at the latch, as do
 * those that reach the end of the body, and the pc jumps over the continue list on entry.
 *
 * `out` etc. are the next point on the path out of the tree at which lanes can become active: the
 * middle or the join of the innermost if around, or the latch of a loop, or the end.
 */
#ifndef HEDDLE_MACHINE_FLOW_TREE_WALK_H
#define HEDDLE_MACHINE_FLOW_TREE_WALK_H

#include "machine/flow/edges.h"
#include "machine/flow/flow.h"

typedef enum tree_frame_kind {
   TREE_FUNCTION,
   TREE_UNIFORM, /* an if whose branch is a jump of the pc */
   TREE_IF,
   TREE_LOOP,
   TREE_UNIFORM_LOOP, /* all lanes leave it together, by jumps of the pc */
} tree_frame_kind;

typedef struct tree_frame {
   tree_frame_kind kind;
   uint32_t resume; /* the frame that tracks where other lanes may be: this one or one around it */
   uint32_t loop;   /* the frame of the innermost loop, this one included; else 0 */
   bool left;       /* lanes may leave it otherwise than by its end */
   bool ended;      /* they may end in it */

   hd_mach_block *middle, *join; /* ifs: before the second list (or NULL), and after it; `join`:
                                    after a uniform loop */
   bool second;                  /* the second list is being written */

   hd_mach_block *header, *latch;
   bool rotated, in_continue_list;
   hd_mach_block *before; /* rotated: after which the continue list goes, */
   hd_mach_block *last;   /* and the last block before it as it is written */
} tree_frame;

typedef struct tree_walk tree_walk;

/* How lanes leave a list. */
typedef enum tree_leave { TREE_BREAK, TREE_CONTINUE, TREE_END, TREE_NUM_LEAVES } tree_leave;

/* Each writes to the tail of the current block. `none`: where the pc goes if no lane is active. */
typedef struct tree_writer {
   void (*begin_if)(tree_walk *w, const hd_mach_condition *condition, hd_mach_block *none);
   void (*begin_else)(tree_walk *w, hd_mach_block *none);
   void (*end_if)(tree_walk *w, hd_mach_block *none); /* NULL: some lane is */
   void (*begin_loop)(tree_walk *w);
   /* The block ends here. `latch` of the loop. */
   void (*leave)(tree_walk *w, tree_leave how, hd_mach_block *none, hd_mach_block *latch);
   void (*end_loop)(tree_walk *w, hd_mach_block *header);
   void (*after_loop)(tree_walk *w); /* all of it has been written; writes nothing */
} tree_writer;

struct tree_walk {
   hd_mach_program *p;
   const tree_writer *writer;
   const hd_mach_jumps *jumps;
   uint16_t end_lanes, none; /* rows of the machine's */
   bool fixed_edges;
   void *user;
   tree_frame *frames;
   uint32_t num_frames, frame_capacity;
   hd_mach_block *at; /* that is being written; NULL: the pc does not come here */
   hd_mach_block *end;
   uint32_t *place;
   linear_defs defs;
   bool *uniform_loops; /* by index of the block that it begins with */
};

/* `w` has `p`, `writer`, `jumps`, `end_lanes`, `none` and `user`. False: a diagnostic says why not. */
bool hd_mach_tree_write(tree_walk *w);

/* For writers: an instruction at the end of the current block; the same that branches. */
hd_mach_inst *hd_mach_tree_emit(tree_walk *w, unsigned op, const hd_mach_condition *condition);
void hd_mach_tree_branch(tree_walk *w, unsigned op, const hd_mach_condition *condition,
                         hd_mach_block *target);
/* The pc goes there and nowhere else. */
void hd_mach_tree_go(tree_walk *w, hd_mach_block *target);

#endif
