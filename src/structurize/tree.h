/* SPDX-License-Identifier: MIT */
/* tree.h - executing a plan: waiting lanes, carried values, the tree under construction.
 *
 * A plan with tests is executed three times. The first two times nothing is built: the first finds
 * which selectors flow into each other (a web), and the numbers of its targets; the second, what
 * each web costs as booleans and as integers.
 */
#ifndef HEDDLE_STRUCTURIZE_TREE_H
#define HEDDLE_STRUCTURIZE_TREE_H

#include "heddle/ops.h"
#include "structurize/plan.h"

/* A value that lanes bring along for a phi. Phis of different targets that lanes cannot wait for at
 * the same time share keys, so that where lanes meet one phi serves several.
 */
typedef struct carried {
   uint64_t key;
   hd_def *def;
} carried;

typedef enum state_kind {
   STATE_DEAD, /* no lane comes here */
   STATE_ONE,  /* all lanes wait for one target */
   STATE_MANY, /* for several; the selector tells which */
} state_kind;

/* A condition that is the same for all lanes, true for those that wait for some targets and false
 * for those that wait for others: by index among the state's targets. Where it has guards, it is
 * what all of them and `def` say together: `def` may be undef where one of them is false.
 */
typedef struct fact {
   hd_def *def;
   uint64_t yes, no;
   const struct guard *guard;
} fact;

typedef struct guard {
   hd_def *cond;
   bool inverted;
   const struct guard *next;
} guard;

/* What is known of the lanes at a place. */
typedef struct state {
   state_kind kind;
   uint32_t target; /* STATE_ONE */
   uint32_t web;    /* STATE_MANY */
   /* Which: where the web is carried as numbers, ... */
   hd_def *selector;
   bool uniform; /* the selector is the same for all lanes */
   /* ... where as bits: by bit, or NULL for any; and which of them are the same for all lanes. */
   hd_def **bits;
   uint32_t uniform_bits;
   const uint32_t *targets; /* in ascending order; NULL: too many */
   uint32_t num_targets;
   carried *values; /* by ascending key */
   uint32_t num_values;
   fact *
       facts; /* of STATE_MANY the first are the flags of its targets (boolean_selectors.c); NULL: none */
   uint32_t num_facts;
} state;

/* Lanes that come from the end of a block. */
typedef struct arm {
   hd_block *block;
   state state;
   struct arm *next; /* of the same loop */
} arm;

/* Where lanes that reconverge diverged, if at an if. */
typedef struct lane_split {
   hd_def *cond;        /* holds for the first of two arms, NULL: it was no if */
   bool inverted;       /* ... does not hold for them */
   bool uniform;        /* lanes from different places are never together */
   hd_def *picked;      /* a fact that is true for the first arm, or NULL */
   const state *before; /* they diverged at a test: the lanes before it, ... */
   uint32_t target;     /* ... and the one target that those of the first arm waited for, or NONE */
} lane_split;

/* A target that lanes of a web wait for. */
typedef struct web_target {
   uint32_t web, target;
   uint64_t rank;
} web_target;

/* A phi of the flat function and the key its sources have. */
typedef struct phi_key {
   uint64_t key;
   hd_phi *phi;
   uint32_t number; /* of the phi in its block */
} phi_key;

typedef struct tree_builder {
   plan *p;
   hd_function *f; /* what becomes the tree: a copy, or the function itself */
   hd_block **old; /* its flat blocks, by position in the sweep order */
   hd_stack *stack;
   bool dry;        /* nothing is built */
   bool collecting; /* the first time */
   hd_structurize_stats stats;

   hd_block *block; /* where code goes */
   state state;

   /* Webs: a forest by union; then the targets of each, by rank. */
   uint32_t *web_parent;
   uint32_t num_webs, webs_capacity;
   web_target *web_targets;
   uint32_t num_web_targets, web_targets_capacity;
   uint32_t *web_begin; /* by root; into web_targets */
   uint32_t *web_size;  /* by root */
   hd_def **web_const;  /* by index in web_targets */
   uint32_t *web_next;  /* by index in web_targets: integer_selectors.c; a code, or NONE */

   /* Of selectors.c: */
   struct web_bits **web_bits;  /* by root; NULL: numbers */
   struct selector_test *tests; /* in the order in which they are made */
   uint32_t num_tests, tests_capacity, next_test;
   struct selector_preference *wishes; /* which targets a condition at hand tells apart */
   uint32_t num_wishes, wishes_capacity;
   struct selector_move *moves; /* lanes that waited for one target wait for another one */
   uint32_t num_moves, moves_capacity;
   hd_def *number_token; /* by index in web_targets */
   hd_def token[2];      /* false, true */

   /* The keys of each block's phis: by position in the sweep order, in ascending order. */
   uint32_t *key_begin;
   phi_key *keys;
   uint32_t first_exit_phi; /* phis of exits have this index or a higher one; 0: there are none */
   bool thorough;           /* keep facts of uniform ifs as well */
   bool keeps_flags;        /* there are uniform branches and divergent ones */
   hd_def *no, *yes;        /* constants, once they are needed */
   hd_instr **flag_made;    /* what boolean_selectors.c has made */
   uint32_t num_flags_made, flags_capacity;
   const bool *read;      /* by index in `keys`, or NULL: the phi is read from a lane */
   hd_def **arrived;      /* by index in `keys`: what the phi has become */
   hd_block **arrived_at; /* and the block in which lanes that wait for it alone come to read it */

   struct switch_cases **cases; /* by position in the sweep order: of the switches seen so far */
   hd_def *undef[16][5];        /* by components and size, where it was needed */
} tree_builder;

/* Webs (selector_webs.c) */

uint32_t hd_tree_web(tree_builder *t); /* a new one */
uint32_t hd_tree_web_root(tree_builder *t, uint32_t web);
void hd_tree_web_join(tree_builder *t, uint32_t a, uint32_t b);
void hd_tree_web_add(tree_builder *t, uint32_t web, uint32_t target);
/* After collecting: give each target its code. */
void hd_tree_webs_finish(tree_builder *t);
unsigned hd_tree_web_bits(tree_builder *t, uint32_t web);
uint32_t hd_tree_web_code(tree_builder *t, uint32_t web, uint32_t target);
/* How many targets of a web have a lower rank. */
uint32_t hd_tree_web_code_of_rank(tree_builder *t, uint32_t web, uint64_t rank);
/* A code as a constant. */
hd_def *hd_tree_web_const(tree_builder *t, uint32_t web, uint32_t code);
hd_def *hd_tree_alu(tree_builder *t, hd_block *block, unsigned op, unsigned bits, hd_def *a,
                    hd_def *b, hd_def *c);
hd_def *hd_tree_const(tree_builder *t, unsigned bits, uint64_t value);
hd_def *hd_tree_undef(tree_builder *t, unsigned components, unsigned bits);

/* Selectors (selectors.c) */

/* More targets than these are not distinguished by bits, nor have they flags. */
#define MAX_TARGETS 64u

typedef struct tree_header tree_header;

bool hd_tree_is_in(tree_builder *t, const plan_group *g, uint32_t target);
void hd_tree_targets_join(tree_builder *t, const arm *arms, uint32_t num, state *s);
void hd_tree_targets_filter(tree_builder *t, state *s, const plan_group *g, bool inside);
/* A condition that is there holds for lanes that wait for `yes`, not for `no`. */
void hd_tree_selector_prefer(tree_builder *t, uint32_t web, uint32_t yes, uint32_t no);
/* All lanes that a test for one target picked wait for another one when they meet the others. */
void hd_tree_selector_follow(tree_builder *t, uint32_t web, const arm *arms, const lane_split *how);
/* After collecting: which bits each web would need. */
void hd_tree_selectors_finish(tree_builder *t);
/* After the second time: which webs are carried as bits. */
void hd_tree_selectors_settle(tree_builder *t);
hd_def *hd_tree_truth(tree_builder *t, bool value);
/* Where nothing is built: a definition that is no other. */
hd_def *hd_tree_token(tree_builder *t);
/* The selector of lanes in `s`, which is STATE_MANY, of s->web: where they meet, where some wait
 * for what `cond` tells, and at a header.
 */
void hd_tree_selector_join(tree_builder *t, hd_block *at, const arm *arms, uint32_t num,
                           const lane_split *how, hd_def **srcs, state *s);
void hd_tree_selector_choose(tree_builder *t, hd_def *cond, bool uniform, const state *chosen,
                             const state *other, state *s);
void hd_tree_selector_enter(tree_builder *t, tree_header *header, uint32_t target,
                            const state *entering, state *s);
void hd_tree_selector_again(tree_builder *t, tree_header *header, uint32_t target, hd_block *latch);
/* Is it one of a group that the lanes wait for? The condition is made at the end of t->block;
 * *inverted: it tells that it is not; *uniform: it is the same for all lanes.
 */
hd_def *hd_tree_selector_test(tree_builder *t, const state *s, const plan_group *g, bool *inverted,
                              bool *uniform);

/* Uniform decisions beside divergent ones (boolean_selectors.c) */

void hd_tree_flags_begin(tree_builder *t);
void hd_tree_flags_join(tree_builder *t, hd_block *at, const arm *arms, uint32_t num, bool uniform,
                        hd_def *cond, bool inverted, hd_def *picked, hd_def **srcs, state *s);
void hd_tree_flags_choose(tree_builder *t, hd_def *cond, bool uniform, const state *chosen,
                          const state *other, state *s);
void hd_tree_flags_enter(tree_builder *t, hd_block *header, uint32_t target, const state *entering,
                         state *s);
/* Lanes in a state with one target leave its block. */
void hd_tree_flags_edge(tree_builder *t, const state *before, state *s);
/* Of the targets of `before` those of `s` are left. */
void hd_tree_flags_filter(tree_builder *t, const state *before, state *s);
/* The lanes are on one side of a uniform if. */
void hd_tree_flags_side(tree_builder *t, state *s, hd_def *cond, bool is);
/* A fact that tells lanes that wait for one of a group from as many others as can be. */
hd_def *hd_tree_flags_picked(tree_builder *t, state *s, const plan_group *g);
/* A fact that is true for some of the lanes that wait for a block and false for the others, by the
 * states that they come in; of several that with the fewest states on one side: *side. It is true
 * for those, or if *inverted false. NULL: there is none.
 */
const fact *hd_tree_flags_apart(tree_builder *t, const state *const *states, uint32_t num,
                                uint32_t place, uint64_t *side, bool *inverted);
/* A fact as a value at the end of a block. */
hd_def *hd_tree_flags_value(tree_builder *t, hd_block *at, const fact *f);
/* A uniform condition for a test whose selector is divergent, or NULL. */
hd_def *hd_tree_flags_test(tree_builder *t, const state *s, const plan_group *g, bool *inverted);
/* Take back what no test reads. */
void hd_tree_flags_finish(tree_builder *t);

/* What lanes carry (carry.c) */

void hd_tree_read_phis(tree_builder *t);
/* The place of the edge between two blocks among the predecessors of the second. */
uint32_t hd_tree_pred_index(const hd_block *from, const hd_block *at);
/* Lanes take an edge. */
state hd_tree_edge(tree_builder *t, uint32_t block, uint32_t succ);
/* All of them wait for one target: what they carry for others is dropped. */
void hd_tree_narrow(tree_builder *t, state *s, uint32_t target);
/* None of them waits for this target any more. They may wait for another pass, and so for the same
 * phis.
 */
void hd_tree_drop(tree_builder *t, state *s, uint32_t target);
/* Lanes from several places meet at the head of a block. */
state hd_tree_join(tree_builder *t, hd_block *at, arm *arms, uint32_t num, const lane_split *how);
/* Some wait for what `cond` tells, the others for what they did. */
state hd_tree_choose(tree_builder *t, hd_def *cond, bool uniform, const state *chosen,
                     const state *other);
/* Lanes meet at the header of a cycle: those that enter, and those of the next pass, for which the
 * sources are set when that is known.
 */
struct tree_header {
   hd_block *block;
   uint32_t web;
   /* Where lanes enter for several targets: */
   hd_phi *selector;
   hd_phi **bits; /* by bit; NULL where none is needed */
   uint32_t num;
   phi_key *phis; /* keys, and the phis made for them */
};
void hd_tree_enter(tree_builder *t, uint32_t cycle, tree_header *header, hd_block *block, state *s);
void hd_tree_again(tree_builder *t, uint32_t cycle, tree_header *header, hd_block *latch,
                   const state *s);
/* The lanes have reached the block they wait for: its phis become what they carry. */
void hd_tree_arrive(tree_builder *t, uint32_t block);

/* Carry out the plan on t->f, whose blocks become those of a tree (tree.c). */
void hd_tree_build(tree_builder *t);

#endif
