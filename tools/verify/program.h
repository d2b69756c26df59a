/* SPDX-License-Identifier: MIT */
/* program.h - a graph becomes a program whose lanes can be steered.
 *
 * Every lane has a word of decisions, and so has every wave. A lane spends them bit by bit at the
 * branches that it comes to; when they are spent it takes the shortest path to an end. Lanes thus
 * try all paths at once, and end wherever an end can be reached.
 *
 * Each block has a mark: a store that carries the block's number as the line of its location. It
 * tells in which block of a changed function the code of an input block is.
 */
#ifndef VERIFY_PROGRAM_H
#define VERIFY_PROGRAM_H

#include "graph.h"
#include "heddle/ir.h"

typedef enum program_features {
   /* Counters and a log of the way are SSA values: phis of 32 bits and of 1 at most joins. What a
    * lane stores in the end depends on the way that it took.
    */
   PROGRAM_PHIS = 1u << 0,
   /* Blocks use what blocks that dominate them made, far apart, and what the entry made. */
   PROGRAM_VALUES = 1u << 1,
   /* What is logged depends on which lanes run the block together. Implies phis. */
   PROGRAM_CROSS_LANE = 1u << 2,
   /* Each value has its index as a name: "v17". */
   PROGRAM_NAMES = 1u << 3,
} program_features;

typedef struct program {
   graph graph;
   uint32_t features; /* program_features */
   uint32_t bits;     /* decisions in a word, up to 32 */
   uint64_t seed;     /* for what blocks use of each other */
} program;

/* Where the program reads and writes: bindings of set 0, elements of 32 bits. */
enum {
   BINDING_WORDS,  /* [wave][lane] */
   BINDING_WAVES,  /* [wave]: its word */
   BINDING_LOG,    /* [wave][lane]: the log, written in every block */
   BINDING_VISITS, /* [wave][block]: for BRANCH_VISIT */
   NUM_BINDINGS,
};

/* The word of a lane, which is different for each of the numbers below 64: these are all ways to
 * decide six times, followed by a few that depend on the number in no simple way.
 */
uint32_t program_word(uint32_t lane);

/* A shader whose entry is the program, flat, with what is declared of the graph. NULL when memory
 * runs out; whether the declarations make sense is for hd_check_declarations to say.
 */
hd_shader *program_build(const program *p, const hd_config *config);

/* The block of the graph whose mark this is, or NO_BLOCK. */
uint32_t program_mark(const hd_shader *shader, const hd_instr *instr);

#endif
