/* SPDX-License-Identifier: MIT */
/* machine.h - machine code made by hand or at random, for tests of single phases. */
#ifndef TESTS_BACKEND_GCN_MACHINE_H
#define TESTS_BACKEND_GCN_MACHINE_H

#include "backend/gcn/program.h"

struct machine {
   hd_heap heap;
   hd_stack stack;
   hd_gcn_options options;
   hd_gcn_target target; /* a copy: tests may make counters small */
   hd_gcn_program gcn;
   uint64_t state; /* of random choices */
};

void machine_begin(struct machine *m, hd_gcn_gen gen, uint64_t seed);
void machine_end(struct machine *m);

/* The run's seed: HD_TEST_SEED, to repeat one, else fixed. It is printed. */
uint64_t machine_seed(void);
uint32_t machine_random(struct machine *m, uint32_t below);

/* A block behind the last one. */
hd_mach_block *machine_block(struct machine *m);
/* Both kinds. */
void machine_edge(struct machine *m, hd_mach_block *from, hd_mach_block *to);
/* `num` blocks with edges at random, each but the first with a predecessor; no edge goes back to
 * the first.
 */
void machine_random_graph(struct machine *m, uint32_t num);

/* Blocks with edges as ifs and loops make them, so deep in each other. */
void machine_random_tree(struct machine *m, unsigned depth);

/* An instruction at the end of the block, with the operands that its row fixes; the others are to
 * be written, in the order of the row. `form` decides about vcc.
 */
hd_mach_inst *machine_inst(struct machine *m, hd_mach_block *block, hd_gcn_op op, hd_gcn_form form);
/* Its operand `n`, defs first: a register, by its number as a source. */
void machine_operand(hd_mach_inst *inst, unsigned n, unsigned reg, unsigned size);
/* All of its operands at random, from a few registers. */
hd_mach_inst *machine_random_inst(struct machine *m, hd_mach_block *block, hd_gcn_op op);

/* What an instruction of the generation can be. */
bool machine_has(const struct machine *m, hd_gcn_op op);

uint32_t machine_count(const struct machine *m);

#endif
