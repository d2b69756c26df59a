/* SPDX-License-Identifier: MIT */
/* naive.h - orders, dominance, cycles and declarations of small graphs, word by word.
 *
 * The judge of src/analysis: it shares no code and no idea with it. Blocks are bits of a set; time
 * does not matter.
 */
#ifndef NAIVE_H
#define NAIVE_H

#include "heddle/analysis.h"
#include "heddle/edit.h"

#define NAIVE_MAX 32

typedef uint32_t set;

struct naive_cycle {
   int header;
   set strong; /* the strongly connected part */
   set all;    /* with declared members */
   int parent; /* the smallest cycle around it, or -1 */
};

struct naive {
   int num; /* blocks, the last is the end block */
   hd_block *block[NAIVE_MAX];
   int num_succs[NAIVE_MAX], succ[NAIVE_MAX][NAIVE_MAX];
   int inside[NAIVE_MAX], continues[NAIVE_MAX];
   bool marked[NAIVE_MAX];
   set reachable;
   int preorder[NAIVE_MAX], num_preorder;
   int num_cycles;
   struct naive_cycle cycle[NAIVE_MAX];
   bool valid;                     /* the declarations are, but for continue blocks */
   bool continue_valid[NAIVE_MAX]; /* by block that continues one */
};

/* Read a function. In a structured one, each block is taken to be declared inside its loop. */
void naive_read(struct naive *g, hd_function *f);

int naive_index(const struct naive *g, const hd_block *block);
bool naive_edge(const struct naive *g, int from, int to);
/* All that `from` reaches, itself included, over blocks of `within` alone. */
set naive_reach(const struct naive *g, int from, set within);
bool naive_dominates(const struct naive *g, int a, int b);
bool naive_post_dominates(const struct naive *g, int a, int b);
/* The iterated dominance frontier. */
set naive_idf(const struct naive *g, set of);
/* The smallest cycle that contains a block, or -1. */
int naive_inner(const struct naive *g, int block);
/* Is this an order in which it may be swept? `place` by block. */
bool naive_is_sweep(const struct naive *g, const uint32_t *place);

/* Make a flat function from lists of successors: blocks 0 .. num - 1, the first the start block;
 * the successor `num` is the end, an empty list a halt.
 */
struct succ_list {
   int num;
   int succ[NAIVE_MAX];
};
hd_function *graph_build(hd_shader *shader, int num, const struct succ_list *list,
                         hd_block **block);

/* The next graph of blocks 1 to num, as a breadth-first walk from 1 numbers them: each goes to one
 * or to two different blocks, in order, num + 1 is the exit, reached or not. `code` is where the
 * search stands, 0 at first. False: that was the last one.
 */
bool next_small_graph(int num, unsigned long *code, struct succ_list *list);

/* The next number of a sequence (splitmix64), below `limit`. */
uint32_t next_random(uint64_t *state, uint32_t limit);

/* A random tree with about so many nodes, built by the editing calls. */
hd_function *random_tree(hd_shader *shader, uint64_t *state, unsigned size);

#endif
