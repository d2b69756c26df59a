/* SPDX-License-Identifier: MIT */
/* body.h - the body of a function as labels and edges between them, and the calls that are open
 * while it is translated: what function.c, construct.c and value.c share.
 */
#ifndef HEDDLE_SPIRV_BODY_H
#define HEDDLE_SPIRV_BODY_H

#include "analysis/private.h"
#include "spirv/spirv.h"

/* Labels are numbered by their position in the function. */
struct spirv_label {
   uint32_t id;
   uint32_t word;         /* of its first instruction */
   uint32_t end;          /* of its terminator */
   uint32_t merge;        /* of its merge instruction, or 0 */
   uint32_t merge_to;     /* the label that its merge instruction names, or NONE */
   uint32_t continue_to;  /* of a loop: the continue target, or NONE */
   uint32_t first, num;   /* targets, in the order of the words, without repeats */
   uint32_t num_preds;    /* labels that can be reached and go here */
   uint32_t pred;         /* one of them */
   uint32_t loop;         /* the header of the innermost loop construct around it, or NONE */
   uint32_t stamp, place; /* while phis get their sources: whose turn it is, which one */
   bool reachable;
   bool trap;      /* nothing but OpUnreachable: no lane gets here */
   bool returns;   /* ends in OpReturn or OpReturnValue */
   hd_block *head; /* in this call: the first block of its code, and the one that it ends in */
   hd_block *tail;
};

struct spirv_body {
   struct spirv_label *labels;
   uint32_t num_labels;
   uint32_t *targets;
   uint32_t num_targets;
   uint32_t num_instrs;
   uint32_t *order; /* labels that can be reached, those that dominate others before them */
   uint32_t num_reachable;
   uint32_t num_returns; /* labels that return and can be reached */
   hd_forest dominators; /* of labels; those that cannot be reached are roots */
};

/* A phi whose sources are known when its call is complete. */
struct spirv_phi {
   struct spirv_phi *next;
   struct spirv_instr instr;
   uint32_t label, loc;
   struct spirv_value *value; /* its leaves are the phis, pointers numbers */
};

struct spirv_return {
   struct spirv_return *next;
   hd_block *block;
   struct spirv_value *value;
};

/* A call that is being translated, the entry function's included. */
struct spirv_call {
   struct spirv_call *outer; /* NULL for the entry function's */
   struct spirv_function *function;
   struct spirv_body *body;
   struct spirv_instr instr; /* the OpFunctionCall */
   uint32_t label;           /* that is being translated, and its position in the order */
   uint32_t position;
   uint32_t word;    /* the next instruction */
   hd_block *inside; /* what code outside of its loops is declared to be inside of */
   hd_block *exit;   /* where returns go, or NULL: there is but one, which is gone on from */
   struct spirv_return *returns;
   struct spirv_phi *phis, **last_phi;
   uint32_t loc;
};

/* labels.c */

/* The labels of a function, looked at when it is first called. */
struct spirv_body *hd_spirv_body(struct spirv *s, struct spirv_function *f);
/* The index of a label of this body. */
uint32_t hd_spirv_label(struct spirv *s, const struct spirv_body *body, uint32_t id);
/* How many words a literal of this OpSwitch has. */
unsigned hd_spirv_case_words(struct spirv *s, const struct spirv_instr *i);

/* dominators.c */

/* Immediate dominators over the edges targets[begin[n]] to targets[begin[n + 1] - 1] of each label
 * n; NONE for label 0 and for those that are not reached from there.
 */
void hd_spirv_dominators(struct spirv *s, uint32_t num, const uint32_t *begin,
                         const uint32_t *targets, uint32_t *idom);

/* construct.c */

/* Which loop construct each label is in. */
void hd_spirv_find_loops(struct spirv *s, struct spirv_body *body);
/* The header that blocks of the current label are declared to be inside of, or NULL. */
hd_block *hd_spirv_inside(const struct spirv *s);
/* Blocks that were made since the last time get that too. */
void hd_spirv_declare_members(struct spirv *s);
/* The blocks of all labels of the call that begins, and at its end their continue blocks. */
void hd_spirv_declare_labels(struct spirv *s);
void hd_spirv_declare_continues(struct spirv *s);
/* When all is built: what is not valid is taken back. */
void hd_spirv_check_declarations(struct spirv *s);

/* kill.c */

/* End the block by OpKill or OpTerminateInvocation. */
void hd_spirv_kill(struct spirv *s);
/* When all is built: which of them make helpers. */
void hd_spirv_place_kills(struct spirv *s);

/* leaves.c, value.c */

/* A matrix, an array or a struct. */
bool hd_spirv_is_composite(const struct spirv_type *t);
/* A value that must be a leaf as a definition, and back. */
hd_def *hd_spirv_leaf(struct spirv *s, struct spirv_value *v);
struct spirv_value *hd_spirv_from_leaf(struct spirv *s, const struct spirv_type *t, hd_def *def);
void hd_spirv_leaf_shape(struct spirv *s, const struct spirv_type *t, unsigned *components,
                         unsigned *bits);
/* A scalar in all components of a vector. */
hd_def *hd_spirv_splat(struct spirv *s, hd_def *scalar, unsigned components);
/* A component by its number; one that is not there is 0 in kernels and undefined in shaders. */
hd_def *hd_spirv_channel(struct spirv *s, hd_def *vector, hd_def *index);
/* The id's value at the end of the current label, made in it or before. */
struct spirv_value *hd_spirv_value_at_end(struct spirv *s, uint32_t id);

#define HD_SPIRV_MAX_MAP 4u

/* A value of type `t` whose leaves are made from the leaves at the same places of other values of
 * that shape.
 */
struct spirv_value *
hd_spirv_map(struct spirv *s, const struct spirv_type *t, unsigned num,
             struct spirv_value *const *values,
             struct spirv_value *(*leaf)(struct spirv *s, const struct spirv_type *t,
                                         struct spirv_value *const *values, void *user),
             void *user);

/* alu.c, product.c */

/* The same bits as so many components of another size. */
hd_def *hd_spirv_bitcast(struct spirv *s, hd_def *x, unsigned components, unsigned bits);
/* x / y within the units that the environment allows. */
hd_def *hd_spirv_quotient(struct spirv *s, hd_def *x, hd_def *y);
/* Products of vectors and matrices; dot products. */
void hd_spirv_product(struct spirv *s, const struct spirv_instr *i);

/* barrier.c */
hd_scope hd_spirv_scope(struct spirv *s, uint32_t id);
/* Before and after an atomic: what its semantics ask for on this side. */
void hd_spirv_release(struct spirv *s, uint32_t scope_id, uint32_t semantics_id);
void hd_spirv_acquire(struct spirv *s, uint32_t scope_id, uint32_t semantics_id);
void hd_spirv_control_barrier(struct spirv *s, const struct spirv_instr *i);

/* group.c */

/* The value that changes nothing, like this one: what an exclusive scan gives to the first lane. */
hd_def *hd_spirv_identity(struct spirv *s, hd_reduce_op op, const hd_def *like);
/* Lanes of a workgroup combined. */
void hd_spirv_group_combine(struct spirv *s, const struct spirv_instr *i, hd_reduce_op op);
/* OpGroupAll, OpGroupAny, OpGroupBroadcast, OpGroupAsyncCopy, OpGroupWaitEvents. */
void hd_spirv_group(struct spirv *s, const struct spirv_instr *i);

#endif
