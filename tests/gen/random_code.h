/* SPDX-License-Identifier: MIT */
/* random_code.h - what the files of the generators share: random_shader.c makes functions and
 * control flow, random_code.c the instructions in them; random_program.c has its own rules.
 */
#ifndef HEDDLE_TESTS_RANDOM_CODE_H
#define HEDDLE_TESTS_RANDOM_CODE_H

#include "gen/vocabulary.h"
#include "heddle/build.h"

#define MAX_VALUES    4096
#define MAX_FUNCTIONS 4
#define NUM_SSA_VARS  4
#define NUM_VARS      3

typedef struct generator {
   hd_builder b;
   uint64_t random;
   vocabulary vocabulary;
   /* Values that dominate the cursor: what is known in outer scopes comes first. */
   hd_def *values[MAX_VALUES];
   unsigned num_values;
   hd_ssa_var *ssa_vars[NUM_SSA_VARS];
   hd_var *vars[NUM_VARS];
   /* Functions that are complete and may be called. */
   hd_function *callees[MAX_FUNCTIONS];
   unsigned num_callees;
} generator;

/* Below `below`, which is not 0. */
uint32_t random_below(generator *g, uint32_t below);

/* True once in `n`. */
bool random_once_in(generator *g, uint32_t n);

/* An op and an intrinsic of the vocabulary. */
hd_op draw_op(generator *g);
hd_intrinsic_id draw_intrinsic(generator *g);

/* A shape that values can have, mostly a common one. */
hd_shape random_shape(generator *g);

/* A value of this shape that may be used at the cursor; made if there is none. */
hd_def *random_value(generator *g, unsigned num_components, unsigned bit_size);

/* Operands for an op: how many, their shapes, and the size of the result where the instruction
 * chooses it.
 */
typedef struct op_fit {
   unsigned num, bits;
   hd_shape shapes[HD_MAX_COMPONENTS];
} op_fit;

/* Choose at random. False where what was chosen does not fit after all. */
bool random_fit(generator *g, hd_op op, op_fit *fit);

/* Declarations of headers, members and continue blocks of a flat function, at random; what makes no
 * sense together is taken back.
 */
void random_declarations(generator *g, hd_block *const *blocks, unsigned num);

/* One statement without control flow. */
void random_statement(generator *g);

/* A name, or NULL. */
const char *random_name(generator *g, char buffer[32]);

#endif
