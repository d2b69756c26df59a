/* SPDX-License-Identifier: MIT */
/* private.h - results of the analyses, the graph that they work on, helpers.
 *
 * Inside, blocks are nodes: numbers in the order of a depth-first walk. Everything is an array by
 * node on the scratch stack; the result is one allocation a piece of metadata, by block index.
 */
#ifndef HEDDLE_ANALYSIS_PRIVATE_H
#define HEDDLE_ANALYSIS_PRIVATE_H

#include "heddle/analysis.h"
#include "ir/private.h"

#define NONE UINT32_MAX

/* The graph
 *
 * Nodes 0 .. num_reachable - 1 are the reachable blocks in depth-first preorder (so 0 is the start
 * block); then come the unreachable blocks in the order of the text. The end block is one of them.
 * Edges between reachable blocks only, without edges from blocks that are not there.
 */
typedef struct hd_graph {
   hd_function *f;
   uint32_t num;
   uint32_t num_reachable;
   uint32_t end;
   hd_block **block; /* by node */
   uint32_t *node;   /* by slot, see block_slot */
   uint32_t *parent; /* in the tree of the walk; NONE for node 0 */
   uint32_t *post;   /* the reachable nodes in postorder */
   uint32_t *succ_begin, *succ;
   uint32_t *pred_begin, *pred;
   bool goes_back; /* an edge leads to a node on the walk's way to it: there is a cycle */
} hd_graph;

void hd_graph_build(hd_graph *g, hd_function *f);

/* A block's index in arrays of f->num_blocks + 1: the end block has its own. */
static inline uint32_t
block_slot(const hd_function *f, const hd_block *b)
{
   return hd_block_is_end(b) ? f->num_blocks : b->node.index;
}

/* Do the lanes of a tree return only by reaching the end of its body, in one way? It may end in a
 * return or fall off, which is the same. Asks for HD_META_BLOCK_ORDER.
 */
bool hd_tree_returns_at_end(hd_function *f);

/* Numbers for constant-time ancestor tests in a forest given by parents. */
typedef struct hd_forest {
   uint32_t num;
   uint32_t *parent; /* NONE for roots */
   uint32_t *in, *size;
   uint32_t *order; /* parents before children */
   uint32_t *depth; /* 1 for roots */
   uint32_t *jump;  /* an ancestor far up, or the root itself: for hd_forest_lift */
} hd_forest;

/* `parent` is kept. Where it has a cycle, that is broken at one of its nodes, which `broken` (may
 * be NULL) gets; returns how many.
 */
uint32_t hd_forest_build(hd_forest *t, hd_stack *stack, uint32_t num, uint32_t *parent,
                         void (*broken)(void *user, uint32_t node), void *user);

/* Is `a` an ancestor of `b`, or `b` itself? */
static inline bool
forest_contains(const hd_forest *t, uint32_t a, uint32_t b)
{
   return t->in[b] - t->in[a] < t->size[a];
}

/* The ancestor of `node` at a depth that is not above its own. Logarithmic. */
uint32_t hd_forest_lift(const hd_forest *t, uint32_t node, uint32_t depth);
/* The lowest common ancestor, or NONE. Logarithmic. */
uint32_t hd_forest_common(const hd_forest *t, uint32_t a, uint32_t b);

/* The nest of a function's cycles, by their index. */
void hd_cycle_forest(hd_forest *t, hd_stack *stack, const hd_function *f);

/* Immediate dominators of a graph whose nodes are numbered in depth-first preorder from node 0,
 * all reachable; `parent` is the tree of that walk. idom[0] is NONE.
 */
void hd_dominators(hd_stack *stack, uint32_t num, const uint32_t *parent,
                   const uint32_t *pred_begin, const uint32_t *pred, uint32_t *idom);

/* Results, by block slot unless noted otherwise */

struct order_meta {
   uint32_t num_blocks; /* the end block not counted */
   uint32_t num_reachable;
   bool end_reachable;
   hd_block **rpo;  /* by position */
   uint32_t *place; /* NONE for the end block */
};

struct dom_node {
   hd_block *idom, *first_child, *next_sibling;
   uint32_t in;    /* preorder of the dominator tree; NONE where unreachable */
   uint32_t size;  /* of the subtree; 0 where unreachable */
   uint32_t depth; /* 0 for the start block */
   uint32_t reach; /* the least depth of a join that an edge leaves the subtree for */
};

struct dom_meta {
   struct dom_node *node;
   /* For hd_iterated_dominance_frontier: by slot, and `queue` by depth; `seen` and `queue` are zero between calls. */
   hd_block **next, **queue;
   hd_block **work; /* room for two lists of blocks */
   uint8_t *seen;
};

struct pdom_node {
   hd_block *ipdom;
   uint32_t in, size, depth;
};

struct pdom_meta {
   struct pdom_node *node;
};

struct cycle_meta {
   uint32_t num_blocks, num_reachable, num_cycles; /* the end block is not counted */
   hd_cycle *cycle;                                /* by index */
   hd_cycle **inner;                               /* the innermost around a block */
   hd_block **sweep;                               /* by position */
   uint32_t *place;                                /* NONE for the end block */
};

struct instr_meta {
   uint32_t num_defs;
   uint32_t *place; /* by def index; NONE where there is none */
};

/* By block slot; an unreachable block has place NONE. */
struct divergence_node {
   uint32_t place; /* in the sweep order */
   /* The innermost cycle around it that lanes leave in different sweeps: places from left_begin on,
    * left_size of them. Where there is none, all.
    */
   uint32_t left_begin, left_size;
   bool branch;   /* lanes diverge at its end */
   bool late;     /* what it defines can differ wherever else it is read */
   uint8_t keeps; /* bit n: it keeps the sweep if successor n is its primary one */
};

struct divergence_meta {
   uint32_t num_defs;
   struct divergence_node *node;
   uint8_t *divergent; /* by def index: 0 or 1 */
   struct hd_lane_set *
       lanes; /* by block slot, see control_equivalence.h; made when it is first asked for, or NULL */
   size_t lanes_size;
};

/* What hd_function.meta points to. */
struct meta {
   struct hd_meta base;
   void *result[HD_NUM_META]; /* by bit number: the structs above, or NULL */
   size_t size[HD_NUM_META];
};

static inline void *
meta_result(const hd_function *f, uint32_t bit, unsigned n)
{
   assert((f->meta_valid & bit) && "this metadata was not required, or has been dropped");
   (void)bit;
   return ((const struct meta *)f->meta)->result[n];
}

#define ORDER_META(f) ((struct order_meta *)meta_result(f, HD_META_BLOCK_ORDER, 0))
#define DOM_META(f)   ((struct dom_meta *)meta_result(f, HD_META_DOMINANCE, 1))
#define PDOM_META(f)  ((struct pdom_meta *)meta_result(f, HD_META_POST_DOMINANCE, 2))
#define CYCLE_META(f) ((struct cycle_meta *)meta_result(f, HD_META_CYCLES, 3))
#define INSTR_META(f) ((struct instr_meta *)meta_result(f, HD_META_INSTR_ORDER, 4))
/* The innermost cycle around the block that lanes leave in different sweeps, or NULL. Needs
 * HD_META_DIVERGENCE and HD_META_CYCLES.
 */
hd_cycle *hd_block_left_cycle(const hd_block *block);

/* Is what computes the value enough to know that it is divergent, if it can be reached? Needs no
 * metadata, and looks at a few operands only: where the answer is no, HD_META_DIVERGENCE may know.
 */
bool hd_is_surely_divergent(const hd_def *def);

#define DIVERGENCE_META(f) ((struct divergence_meta *)meta_result(f, HD_META_DIVERGENCE, 5))

/* What is asked of a function whose own metadata is not to be trusted or changed: it is put in the
 * place of that for a while. Computing may unwind; hd_fresh_end gives back whatever is there, and
 * does nothing where nothing is.
 */
struct hd_fresh {
   struct meta meta;
   hd_function *f; /* whose metadata is replaced, or NULL */
   struct hd_meta *own;
   uint32_t own_valid;
};

void hd_fresh_begin(struct hd_fresh *fresh, hd_function *f);
void hd_fresh_end(struct hd_fresh *fresh, hd_heap *heap);

/* Compute one piece from the function's graph: a single allocation of *size bytes from the heap, or
 * NULL when it failed. Scratch is left on the stack for the caller to release.
 */
void *hd_compute_order(hd_function *f, const hd_graph *g, size_t *size);
void *hd_compute_dominance(hd_function *f, const hd_graph *g, size_t *size);
void *hd_compute_post_dominance(hd_function *f, const hd_graph *g, size_t *size);
void *hd_compute_cycles(hd_function *f, const hd_graph *g, size_t *size);
void *hd_compute_instr_order(hd_function *f, const hd_graph *g, size_t *size);
void *hd_compute_divergence(hd_function *f, const struct dom_meta *dom,
                            const struct cycle_meta *cycles, size_t *size);

/* Compare two results of one kind: the first block that differs is written; returns what differs,
 * or NULL.
 */
const char *hd_compare_order(hd_function *f, const void *a, const void *b, const hd_block **block);
const char *hd_compare_dominance(hd_function *f, const void *a, const void *b,
                                 const hd_block **block);
const char *hd_compare_post_dominance(hd_function *f, const void *a, const void *b,
                                      const hd_block **block);
const char *hd_compare_cycles(hd_function *f, const void *a, const void *b, const hd_block **block);
const char *hd_compare_instr_order(hd_function *f, const void *a, const void *b,
                                   const hd_block **block);
const char *hd_compare_divergence(hd_function *f, const void *a, const void *b,
                                  const hd_block **block);

/* Scratch that cannot be NULL: analyses run inside an unwinding point. */
static inline uint32_t *
scratch(hd_stack *stack, size_t num)
{
   return hd_stack_alloc(stack, (num ? num : 1) * sizeof(uint32_t));
}

static inline uint32_t *
scratch_fill(hd_stack *stack, size_t num, int byte)
{
   return memset(scratch(stack, num), byte, (num ? num : 1) * sizeof(uint32_t));
}

#endif
