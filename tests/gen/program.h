/* SPDX-License-Identifier: MIT */
/* program.h - what the files of random_program.h share.
 *
 *    random_program.c    functions and control flow
 *    program_values.c    constants, ops, variables, what is known of a value
 *    program_lanes.c     what a lane knows of itself, and what lanes tell each other
 *    program_memory.c    loads, stores, atomics, what is stored for all to see
 *    program_aside.c     work for passes that find little in all of that
 */
#ifndef HEDDLE_TESTS_PROGRAM_H
#define HEDDLE_TESTS_PROGRAM_H

#include "random_code.h"
#include "random_program.h"

#define RECORD_SIZE    512 /* bytes of an invocation in buffer 0.1 */
#define RECORD_SLOTS   24  /* of 16 bytes; then one of 128 */
#define PRIVATE_SIZE   32  /* bytes of an invocation in other memory */
#define MAX_LANES      128 /* of a dispatch that this memory is enough for */
#define MAX_SSA        8
#define MAX_LOCALS     5
#define MAX_CALLEES    3
#define GLOBAL_BEGIN   0x10000
#define SHARED_SIZE    (MAX_LANES * PRIVATE_SIZE * 2)
#define SCRATCH_SIZE   64
#define PUSH_SIZE      64
#define KERNARG_SIZE   64
#define CONSTANTS_SIZE 64
#define NUM_LOCATIONS  4

/* What is known of a value. */
typedef enum fact {
   DEFINED = 1u << 0, /* in every lane that gets here */
   UNIFORM = 1u << 1, /* the same in all lanes that get here together */
   PROVEN = 1u << 2,  /* and divergence analysis sees it */
} fact;

struct ssa_local {
   hd_ssa_var *var;
   hd_shape shape;
   bool defined; /* only what is defined is written to it */
};

struct local {
   hd_var *var;
   bool defined;
};

struct callee {
   hd_function *f;
   hd_shape params[4];
   bool param_defined[4];
   unsigned num_params;
   bool result_defined;
};

typedef struct program {
   generator g; /* random numbers, the builder, values that can be used at the cursor */
   program_options options;
   uint8_t facts[MAX_VALUES]; /* of g.values */
   struct ssa_local ssa[MAX_SSA];
   unsigned num_ssa;
   struct local locals[MAX_LOCALS];
   unsigned num_locals;
   struct callee callees[MAX_CALLEES];
   unsigned num_callees;
   struct callee *self; /* of the function that is made, NULL for the entry */
   /* What the function begins with. */
   hd_def *zero, *lane, *record;
   hd_def *pointer; /* 64 bits: GLOBAL_BEGIN */
   unsigned slot;   /* of the record, used next */
   unsigned in_loops;
   /* Of what is made aside. */
   uint64_t aside_random;
   unsigned aside_slot;
   hd_var *table; /* of the function, with constants in it; or NULL */
} program;

/* Among the first `below` numbers, the smallest more often than others. */
uint32_t random_low(program *p, uint32_t below);

/* Values */

/* Add a value that may be used from here on; returns it. */
hd_def *keep(program *p, hd_def *def, unsigned facts);
unsigned facts_of(const program *p, const hd_def *def);
hd_def *edge_const(program *p, unsigned num_components, unsigned bit_size);
/* A value of this shape of which these facts hold; made if there is none. */
hd_def *pick(program *p, unsigned num_components, unsigned bit_size, unsigned facts);
/* A scalar of 32 bits below a power of two, defined. */
hd_def *pick_below(program *p, uint32_t power, unsigned facts);
/* A defined boolean: constant, the same for all, or not. */
hd_def *pick_condition(program *p);
void make_op(program *p);
void make_pattern(program *p);
void make_again(program *p);
void make_inexact(program *p);
void use_ssa(program *p);
void use_local(program *p);

/* Lanes */

void make_self_value(program *p);
void make_mask_value(program *p);
void make_cross_lane(program *p);
void make_demote(program *p);

/* Memory */

void begin_memory(program *p);
/* Store a value to a slot of the record. */
void observe(program *p, hd_def *value);
void make_load(program *p);
void make_store(program *p);
void make_atomic(program *p);
void make_image_access(program *p);
void make_output(program *p);
/* Loads or stores of words that lie side by side, most of them. */
void make_neighbours(program *p);
/* The same few words of the lane's memory again and again, and other memory in between. */
void make_rewrites(program *p);
/* All lanes of the workgroup that have not ended write and read each other's words. */
void make_exchange(program *p);

/* Aside: with random numbers of its own and forgotten afterwards, so that the rest of the program
 * is what it would be without.
 */
void make_aside(program *p, void (*make)(program *p));
/* One of these, now and then. */
void make_rare(program *p);
/* Sometimes an array of constants. */
void make_table(program *p);
/* The entry, which is the last function that was made, observes values of cycles behind them. */
void observe_behind_cycles(program *p, hd_function *entry);

#endif
