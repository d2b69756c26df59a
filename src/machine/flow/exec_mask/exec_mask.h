/* SPDX-License-Identifier: MIT */
/* exec_mask.h - control-flow lowering by exec masks: what its files share.
 *
 *    plan.c           cost of each block; which lanes leave which lists, and whether all do
 *    tree.c           the walk over the tree: loops, uniform branches, jumps, block order
 *    divergent_if.c   divergent ifs
 *    reconverging.c   the same for flat functions that reconverge
 *    emit.c           instructions and linear edges
 *    phis.c           masks that are live out of their loop; phis of scalars and masks
 *    lifetimes.c      where masks and scalars with several definitions are initialised
 *    dead_writes.c    dead writes of exec and dead masks, at last
 *    ssa_repair.c     back to SSA form for scalars with several definitions
 *
 * Until ssa_repair.c, masks are temps that may have several definitions. A lane that jumps is
 * removed from exec; code that restores exec later must not reactivate it. There are three ways,
 * each the cheapest in some case:
 *
 *    clear    the jump removes its lanes from the saved mask, too
 *    others   the saved mask is not exec but the lanes that did not enter: restoring adds them to
 *             those that are left
 *    live     one mask of the function holds the lanes that have not returned; restoring after a
 *             loop ands with it
 */
#ifndef HEDDLE_MACHINE_FLOW_EXEC_MASK_MASK_H
#define HEDDLE_MACHINE_FLOW_EXEC_MASK_MASK_H

#include "heddle/analysis.h"
#include "heddle/walk.h"
#include "machine/flow/edges.h"
#include "machine/program.h"

/* How lanes leave a list before its end. Full jumps are not counted: all lanes that could take part
 * take them together, and the pc goes with them.
 */
enum {
   LEAVES_CONTINUE = 1u << 0,
   LEAVES_BREAK = 1u << 1,
   LEAVES_RETURN = 1u << 2, /* halts, too */
   LEAVES_APART = LEAVES_CONTINUE | LEAVES_BREAK | LEAVES_RETURN,
   CONTINUES = 1u << 3,    /* even if they are full */
   LOOP_RETURNS = 1u << 4, /* there is a loop inside that LEAVES_RETURN */
};

/* One list of an if or a loop. */
typedef struct mask_list {
   uint32_t cost;      /* in vector instructions */
   uint32_t in_flight; /* cost of loads that phis after it get and nothing waits for */
   bool must_skip;     /* must not run without lanes */
   bool falls;         /* its end can be reached */
   bool is_void;       /* one block without code, and none can come from phis */
   bool is_empty;      /* one block without code: copies of phis may come */
   uint8_t leaves;     /* as above */
   uint8_t inner_sites, return_sites; /* breaks and continues, returns: 0, 1, or 2 for more */
} mask_list;

/* An if or a loop, by the index of the block before it. */
typedef struct mask_node {
   mask_list list[2]; /* then and else; body and continue list */
   bool left_apart;   /* loop: lanes break while others stay */
} mask_node;

typedef struct mask_block {
   uint32_t cost, rest; /* its own; with all that follows in its list */
   bool must_skip, rest_must_skip;
   bool full; /* its jump is taken by all lanes that could */
} mask_block;

typedef enum mask_restore {
   RESTORE_NOTHING, /* exec is right as it is */
   RESTORE_SAVED,
   RESTORE_OTHERS, /* or-ed to those that are left */
} mask_restore;

typedef enum mask_frame_kind {
   FRAME_FUNCTION,
   FRAME_UNIFORM, /* an if whose branch is uniform */
   FRAME_IF,
   FRAME_LOOP
} mask_frame_kind;

/* What is known where code is being written. */
typedef struct mask_state {
   uint32_t same;     /* a temp that has the value of exec, or 0 */
   bool may_be_empty; /* exec can be 0 */
} mask_state;

/* A node around what is being written. */
typedef struct mask_frame {
   mask_frame_kind kind;
   uint32_t resume; /* the frame that tracks where other lanes may be: this one or one around it */
   uint32_t loop;   /* the frame of the innermost loop, this one included; else 0 */
   const mask_node *plan;
   mask_state at; /* where it began */

   /* Ifs. Blocks made for control are in no order before they are placed. */
   hd_mach_block *middle, *join; /* before the second list (or NULL), and after it */
   bool second;                  /* the second list is being written */
   /* Uniform ones, of the end of the first list. */
   mask_state first_end;
   bool first_falls;
   /* Divergent ones. */
   bool passive;       /* the list has no code, and exec is not that of its lanes */
   bool sent;          /* phis after it have got values from one of the lists */
   bool exact[2];      /* at the end of the list exec must be the lanes that are left in it */
   bool cleared;       /* `saved` is among masks.cleared */
   bool negate;        /* the first list is for lanes where the condition is false */
   bool subtract_exec; /* saved less exec are the lanes of the second list */
   mask_restore restore;
   hd_mach_operand condition;
   uint32_t saved, others;

   /* Loops */
   hd_mach_block *header, *next, *exit; /* `next` is before the continue list */
   bool in_continue_list;
   bool jumped; /* the pc has gone to `next`, from a continue that all lanes take together */
   mask_state jumped_at; /* what was known there */
   bool sent_next;       /* phis of the continue list have got values */
   bool apart;           /* lanes leave it while others stay */
   uint32_t waiting;     /* lanes that go to the continue list, or 0 */
   uint32_t after;       /* exec after the loop, or 0 */
   uint32_t num_cleared; /* of masks.cleared, where it began */
} mask_frame;

typedef struct masks {
   hd_mach_program *p;
   mask_node *nodes;   /* by index of the IR's block before */
   mask_block *blocks; /* by index of the IR's block */
   uint32_t *place;  /* by index of a block: of its edge among its only successor's predecessors */
   uint32_t *inside; /* by temp: index + 1 of a block where it has no bits that exec has not */
   uint32_t *uses;   /* by temp */
   uint32_t num_inside;           /* length of both */
   const hd_mach_block **made_in; /* by temp: where it is defined, for the plan */
   uint8_t *in_flight; /* by temp: cost of the load, if its block does not read it; for the plan */
   mask_frame *frames;
   uint32_t num_frames, frame_capacity;
   uint32_t *cleared; /* saved masks that a jump takes its lanes out of, outer ones first */
   uint32_t num_cleared, cleared_capacity;
   uint32_t returned_live; /* lanes that have not returned, or 0 if they are not tracked */
   hd_mach_block *block;   /* that is being written; NULL: the pc does not come here */
   hd_mach_block *end;     /* where the wave ends */
   bool returned;          /* lanes may have returned before others */
   mask_state state;
   linear_defs defs;
   /* By cycle: at its header alone, where no lane waits in it, and so are those around it. */
   bool *entered;
} masks;

/* plan.c */
void hd_mach_mask_plan(masks *m);

/* emit.c */
uint32_t hd_mach_mask_temp(masks *m);
hd_mach_operand hd_mach_mask_exec(const hd_mach_program *p);
/* No lanes. */
hd_mach_operand hd_mach_mask_zero(const hd_mach_program *p);
/* At the end of the current block, in its tail. */
hd_mach_inst *hd_mach_mask_op(masks *m, unsigned op, hd_mach_operand def, hd_mach_operand a,
                              hd_mach_operand b);
/* def = a; a & b or a & ~b */
void hd_mach_mask_move(masks *m, hd_mach_operand def, hd_mach_operand a);
void hd_mach_mask_narrow(masks *m, hd_mach_operand def, hd_mach_operand a, hd_mach_operand b,
                         bool negate);
/* Branch to `target` on scc0, execz, ...; the code goes on in the next block that is opened. */
void hd_mach_mask_branch(masks *m, unsigned op, hd_mach_block *target);
/* The pc goes there and nowhere else. */
void hd_mach_mask_goto(masks *m, hd_mach_block *target);
/* The block is next in the code; what is being written falls into it. */
void hd_mach_mask_open(masks *m, hd_mach_block *block);
/* The same of a block that was made for control alone: only where someone branches to it. */
void hd_mach_mask_place(masks *m, hd_mach_block *block);
/* Does this value have no bits where exec, as it was all through `block`, has none? */
bool hd_mach_mask_is_inside(const masks *m, hd_mach_operand value, const hd_mach_block *block);

/* tree.c */
/* A block for control alone, in no order yet, as often run as this one. */
hd_mach_block *hd_mach_mask_control(masks *m, const hd_block *like);
mask_frame *hd_mach_mask_frame(masks *m);
mask_frame *hd_mach_mask_push(masks *m, mask_frame_kind kind, const mask_node *plan);
/* Where other lanes may be when the current ones are none, or have all left. */
hd_mach_block *hd_mach_mask_resume(masks *m);
/* Go to `target` if exec is 0, where it can be and what is passed over is worth it. */
void hd_mach_mask_skip(masks *m, hd_mach_block *target, uint32_t cost, bool must);
/* The same of `b` and what follows it in its list. */
void hd_mach_mask_skip_rest(masks *m, const hd_block *b);
unsigned hd_mach_mask_leaves(const hd_block *b);
/* Take lanes (exec, or some of it) that leave in this way out of the masks that would bring them
 * back; is there such a mask?
 */
void hd_mach_mask_clear(masks *m, unsigned leaves, hd_mach_operand lanes);
/* Jumps clear this one, too, from now on. */
void hd_mach_mask_add_cleared(masks *m, uint32_t temp);
bool hd_mach_mask_must_clear(masks *m, unsigned leaves);
/* Does a jump keep what earlier lanes brought to the phis of its target? */
bool hd_mach_mask_jump_keeps(masks *m, unsigned leaves, bool full);
/* A loop whose lanes begin to wait in this node needs a mask for them. */
bool hd_mach_mask_begins_waiting(masks *m, const mask_node *plan);
/* exec = saved, less the lanes that have returned if some did. */
void hd_mach_mask_restore(masks *m, uint32_t saved, bool returns);

/* divergent_if.c */
bool hd_mach_mask_else_first(void *m, const hd_if *nif);
void hd_mach_mask_if(masks *m, const hd_if *nif);
void hd_mach_mask_else(masks *m, const hd_if *nif);
void hd_mach_mask_end_if(masks *m, const hd_if *nif);

/* phis.c */
/* Before anything: unreachable predecessors go, and phis that are one vector value. */
void hd_mach_mask_prepare(masks *m);
/* Find masks.place, where predecessors of phis have one successor each. */
void hd_mach_mask_place_edges(masks *m);
/* Masks that are read outside of their loop keep the bits of lanes that have left it. */
void hd_mach_mask_keep_bits(masks *m);
/* Constants and scalars that phis get from a list without code, as copies before the branch. */
void hd_mach_mask_lift_copies(masks *m, hd_mach_block *before, hd_mach_block *empty);
/* What lanes bring to phis of scalars and masks, at the end of the current block. `lanes` is exec,
 * or a part of it; those that came before have brought something that must be kept, or not.
 */
void hd_mach_mask_send(masks *m, hd_mach_block *from, hd_mach_block *to, hd_mach_operand lanes,
                       bool keep);
bool hd_mach_mask_has_mask_phi(const hd_mach_block *block);
/* When all edges are there: phis at headers of loops get linear sources, the others go. */
void hd_mach_mask_finish_phis(masks *m);

/* dead_writes.c, where the machine wants it */
void hd_mach_mask_clean(hd_mach_program *p);

/* lifetimes.c */
void hd_mach_mask_find_entered(masks *m);
/* From `from` up the lowest dominator to which the pc does not come while lanes are in `around`, or
 * come out of it, or NULL: the wave may do so from the start on.
 */
const hd_block *hd_mach_mask_beginning(const masks *m, const hd_block *from,
                                       const hd_cycle *around);
/* From `from` up the lowest block that dominates `b`, too. */
const hd_block *hd_mach_mask_above(const hd_block *from, const hd_block *b);
/* What `temp` was before `at` (NULL: it is not known where) is not read. */
void hd_mach_mask_begin(masks *m, const hd_block *at, uint32_t temp);
void hd_mach_mask_begin_phis(masks *m);

#endif
