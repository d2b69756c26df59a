/* SPDX-License-Identifier: MIT */
/* toy.h - a machine that nobody builds: what the ways of lowering control flow are run on.
 *
 * Two register files of 32 bits a component, S for what is the same in all lanes and V for the rest,
 * and one op that does whatever an op of the IR does. Booleans are numbers. It has the instructions
 * of all ways to lower control flow; a toy_way says which it uses.
 *
 *    toy.c          the tables and hooks
 *    toy_select.c   from the IR to its instructions
 *    toy_run.c      runs a program, before or after registers are assigned: lanes, one pc, memory
 */
#ifndef TESTS_MACHINE_TOY_H
#define TESTS_MACHINE_TOY_H

#include "machine/flow/flow.h"

enum { TOY_S, TOY_V, TOY_NUM_FILES };

/* Registers that are no value's. */
enum { TOY_FLAG = 128, TOY_FIRST_CONST, TOY_FIRST_V = 256 };

typedef enum toy_op {
   TOY_OP = HD_MACH_NUM_PSEUDO_OPS, /* def, srcs...; imm: toy_program.instrs says what */
   TOY_CONST,                       /* def; imm: the same */
   TOY_LANE,                        /* def: number of the invocation */
   TOY_WAVE,                        /* def: number of the wave */
   TOY_LOAD,                        /* def, address; imm: binding << 16 | offset */
   TOY_STORE,                       /* value, address; imm: the same */
   TOY_FIRST,                       /* def, src: the value of the first active lane */
   TOY_BALLOT,                      /* def, src: a bit for each active lane */
   TOY_SUM,                         /* def, src: of the active lanes */
   TOY_TEST,                        /* flag = src */
   TOY_JUMP_0,                      /* where the flag is 0, 1 */
   TOY_JUMP_1,
   TOY_NONE, /* where no lane is active */
   /* Block numbers: flow.h says what these do, under the same names. */
   TOY_ENTER,
   TOY_SEND,
   TOY_SEND_IF,
   TOY_ALL_FROM,
   TOY_ANY,
   /* Structured instructions. */
   TOY_IF,
   TOY_ELSE,
   TOY_ENDIF,
   TOY_LOOP,
   TOY_BREAK,
   TOY_CONTINUE,
   TOY_ENDLOOP,
   TOY_END_LANES,
   /* The stack. */
   TOY_PUSH,
   TOY_INVERT,
   TOY_POP,
   TOY_LOOP_BEGIN,
   TOY_LOOP_BREAK,
   TOY_LOOP_CONTINUE,
   TOY_LOOP_END,
   TOY_END_PUSHED, /* the active lanes end */
   TOY_NUM_OPS
} toy_op;

#define TOY_STACK_SIZE 40

/* A way to lower control flow, on a machine whose pc can jump by the flag or not. */
typedef struct toy_way {
   const char *name;
   const char *passes;
   bool lower_returns;
   bool (*lower)(hd_mach_program *p);
   bool assign; /* registers, and have that checked */
   /* So many registers of each file, and code is scheduled and spilled before; 0: all there are. */
   uint8_t few[TOY_NUM_FILES];
   hd_mach_hooks hooks;
} toy_way;

#define TOY_NUM_WAYS 9
extern const toy_way toy_ways[TOY_NUM_WAYS];
extern const hd_mach toy_mach;

typedef struct toy_program {
   hd_mach_program mach;
   const toy_way *way;
   const hd_instr **instrs; /* by imm of TOY_OP and TOY_CONST */
   uint32_t num_instrs;
   uint32_t *values; /* of toy_run, to be freed */
} toy_program;

static inline toy_program *
toy_of(hd_mach_program *p)
{
   return (toy_program *)p;
}

/* The entry of p->shader as instructions; unwinds when memory runs out, or returns false. */
bool toy_select(toy_program *p);

/* The passes of the way, selection, control flow. `p` is zero-initialised; its memory is the
 * shader's stack. Not HD_OK: a diagnostic was sent, or memory ran out.
 */
hd_result toy_compile(toy_program *p, hd_shader *shader, const toy_way *way);

/* How a wave of a launch runs. Buffers are words, by binding. */
#define TOY_NUM_BUFFERS 4
typedef struct toy_launch {
   uint32_t width; /* lanes that run, of 64 */
   uint32_t wave;
   uint32_t *buffers[TOY_NUM_BUFFERS];
   uint32_t num_words[TOY_NUM_BUFFERS];
   uint64_t max_blocks;
   /* Hears of each store that has a location, before it is done. */
   void *user;
   void (*stores)(void *user, uint32_t loc, uint64_t mask);
} toy_launch;

/* NULL; "too long", when it ran max_blocks; else what it did wrong. */
const char *toy_run(toy_program *p, const toy_launch *launch);

#endif
