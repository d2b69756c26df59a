/* SPDX-License-Identifier: MIT */
/* graph.h - control-flow graphs as data, for the differential tester of the structurizers.
 *
 * Block 0 is the entry, which no edge goes to. A block without successors is an end. What is
 * declared of a block, and how its branch decides, is kept with it, so that a graph can be made
 * smaller a piece at a time and stays what it was.
 */
#ifndef VERIFY_GRAPH_H
#define VERIFY_GRAPH_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define NO_BLOCK UINT32_MAX

/* How the lanes that run a branch decide where to go. */
typedef enum branch_kind {
   BRANCH_LANE,  /* each by its own word */
   BRANCH_WAVE,  /* by the word of the wave */
   BRANCH_FIRST, /* all as the first of them would */
   BRANCH_VISIT, /* all by a word of the wave and the block, and by how often the wave was here */
   NUM_BRANCH_KINDS,
} branch_kind;

typedef struct graph_block {
   uint32_t first_succ; /* in graph.succs */
   uint32_t num_succs;
   uint32_t inside;    /* declared to be inside the cycle of this header, or NO_BLOCK */
   uint32_t continues; /* declared to continue this header, or NO_BLOCK */
   bool header;        /* declared to be a header */
   bool halts;         /* an end that halts instead of returning */
   uint8_t branch;     /* branch_kind */
} graph_block;

typedef struct graph {
   graph_block *blocks;
   uint32_t *succs;
   uint32_t num_blocks, num_edges;
   uint32_t block_capacity, edge_capacity;
} graph;

/* Memory that is there, or the process ends with a message and exit code 2. */
void *must_alloc(size_t size);
void *must_grow(void *ptr, size_t size);

/* A number below `limit`, from a state that any value may begin. */
uint32_t graph_random_below(uint64_t *state, uint32_t limit);
/* A state that depends on both numbers: what follows does not depend on what was drawn before. */
uint64_t random_state(uint64_t seed, uint64_t number);

void graph_clear(graph *g);
void graph_free(graph *g);
void graph_copy(graph *to, const graph *from);
/* The next block, without declarations; equal successors count once. */
graph_block *graph_add(graph *g, uint32_t num_succs, const uint32_t *succs);

static inline const uint32_t *
graph_succs(const graph *g, uint32_t block)
{
   return g->succs + g->blocks[block].first_succ;
}

/* Without the blocks that the entry does not reach. `kept` (NULL: all) says which blocks stay; an
 * edge to one that does not goes to where its first successor leads. A block that is left without
 * any path out becomes an end. Declarations that name what is gone are gone.
 */
void graph_reduce(graph *to, const graph *from, const bool *kept);

/* For each block the number of edges of the shortest path to an end, or NO_BLOCK. */
void graph_distances(const graph *g, uint32_t *distance);
/* For each block the immediate dominator; NO_BLOCK for the entry. All must be reachable. */
void graph_dominators(const graph *g, uint32_t *idom);
/* Can every block reach an end? */
bool graph_ends(const graph *g);
uint32_t graph_num_decisions(const graph *g); /* a block with n successors counts n - 1 */
bool graph_declares(const graph *g);

/* All graphs of `num` inner blocks, each in the numbering in which a breadth-first walk finds them:
 * the entry goes to block 1, the others to one to `most` different ones, in order, of 1 to num + 1;
 * the last is the end, which is left out where nothing goes there.
 */
#define SMALL_GRAPH_MAX      6
#define SMALL_GRAPH_MAX_WAYS 4
typedef struct small_graphs {
   int num, at;
   unsigned most;
   int way[SMALL_GRAPH_MAX + 1];   /* which successors: see graph_make.c */
   int found[SMALL_GRAPH_MAX + 2]; /* the next number to be found, before each block */
} small_graphs;

void small_graphs_begin(small_graphs *s, int num, unsigned most);
/* Step to the next; false when there is none. Then ask for it. */
bool small_graphs_next(small_graphs *s);
void small_graphs_get(const small_graphs *s, graph *g);
/* How many there are for 1 to 5 blocks of two ways; 0: not known. */
uint64_t small_graphs_count(int num, unsigned most);

/* A random graph of about so many blocks, reducible or not. */
void random_graph(graph *g, uint64_t *state, uint32_t num_blocks);
/* Declare something at random; it need not make sense. */
void graph_random_declarations(graph *g, uint64_t *state);

/* `[[1,2],[3],[3],[]]`: lists of successors, the entry first. NULL, or what is wrong with it. */
const char *graph_read(graph *g, const char *text);
void graph_write(const graph *g, FILE *file);

#endif
