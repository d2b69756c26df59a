/* SPDX-License-Identifier: MIT */
/* programs.h - programs whose lanes decide by the bits of a word each (judge.h), as text. */
#ifndef TEST_WAVE_PROGRAMS_H
#define TEST_WAVE_PROGRAMS_H

#include <heddle/heddle.h>

#include "../analysis/naive.h"
#include "support/put.h"

/* What every lane has: its word of decisions, and the number of those it made. */
void put_head(bool flat);
/* %c<number>, the lane's next decision. */
void put_decision(unsigned number, bool later);
/* The text as a shader; NULL where it is not valid, a failed test where it can't be read. */
hd_shader *parse_quietly(void);

/* A flat function: blocks 1 to num, num + 1 the exit; 0 goes to 1. */
struct graph {
   int num;
   struct succ_list list[8];
};

/* From the first of two successors: is the exit at least as near as from the second? */
bool first_is_nearer(const struct graph *g, int b);
/* Write it; with random declarations where `declare`, a state of next_random, is not NULL. */
void put_graph(const struct graph *g, uint64_t *declare);

/* All graphs of num blocks as a breadth-first walk numbers them: how many there are. One of every
 * so many is given to `try`.
 */
typedef void graph_fn(const struct graph *g, void *user);
unsigned all_graphs(int num, unsigned every, graph_fn *try, void *user);

#endif
