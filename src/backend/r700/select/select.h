/* SPDX-License-Identifier: MIT */
/* select.h - instruction selection: state and interface of its files.
 *
 *    select.c     the walk, phis, conditions of branches
 *    values.c     operands of IR values, and instructions on them
 *    alu.c        steps of sequences, and ops that are one instruction
 *    memory.c     loads and stores
 *    launch.c     built-in inputs, barriers
 *    own.c        a driver's own intrinsics: the emitter for its hook
 *
 * A part of a value (machine/selector.h) is a channel or a constant.
 */
#ifndef HEDDLE_BACKEND_R700_SELECT_SELECT_H
#define HEDDLE_BACKEND_R700_SELECT_SELECT_H

#include "backend/r700/program.h"
#include "machine/selector.h"

typedef hd_mach_selector sel;
typedef hd_mach_operand val;

#define K(bits) hd_r700_imm((uint32_t)(bits))

/* alu.c: what hd_mach_select_alu is given. */
extern const hd_mach_part_rows hd_r700_part_rows;
extern const hd_mach_sequences hd_r700_sequences;

/* src/codegen/r700/selection.py says what these are. */
typedef struct hd_r700_step {
   uint16_t op;
   bool swap;
} hd_r700_step;
enum { HD_R700_OWN_NUMBERS, HD_R700_OWN_LOGIC, HD_R700_OWN_COMPARE };
typedef struct hd_r700_own_row {
   uint16_t op;
   uint8_t kind;
} hd_r700_own_row;
extern const hd_r700_step hd_r700_steps[HD_MACH_NUM_STEPS];
extern const hd_r700_own_row hd_r700_own_rows[];
extern const unsigned hd_r700_num_own_rows;
/* own.c */
hd_mach_own_op hd_r700_find_own(const char *name);
val hd_r700_emit_own(void *s, const hd_mach_own_op *own, bool booleans, const val v[3]);

val hd_r700_new(sel *s);
/* Append an instruction; its result. Operands of size 0 are left out. */
val hd_r700_emit(sel *s, unsigned op, val a, val b, val c);
/* The operand in a channel: a constant is moved to one. */
val hd_r700_in_register(sel *s, val v);
/* a where the boolean is true, else b. */
val hd_r700_choose(sel *s, val condition, val a, val b);
/* By a number of at most 31. */
val hd_r700_shift(sel *s, unsigned op, val a, val b);
/* A channel that the wave begins with. */
val hd_r700_start_value(unsigned which);
/* What the launch has at this offset in bytes. */
val hd_r700_of_launch(void *s, size_t offset);
/* The number of the workgroup in the dispatch. */
val hd_r700_index_of_group(sel *s);
/* Short names */
#define SHORT(name, op)                                                                            \
   static inline val name(sel *s, val a, val b)                                                    \
   {                                                                                               \
      return hd_r700_emit(s, HD_R700_##op, a, b, (val){ 0 });                                      \
   }
SHORT(add, ADD_INT)
SHORT(sub, SUB_INT)
SHORT(mul, MULLO_INT)
SHORT(and, AND_INT)
SHORT(or, OR_INT)
SHORT(xor, XOR_INT)
SHORT(geu, SETGE_UINT)
SHORT(gtu, SETGT_UINT)
SHORT(eq, SETE_INT)
#undef SHORT

static inline val
shl(sel *s, val a, val b)
{
   return hd_r700_shift(s, HD_R700_LSHL_INT, a, b);
}

static inline val
shr(sel *s, val a, val b)
{
   return hd_r700_shift(s, HD_R700_LSHR_INT, a, b);
}

/* One instruction of the IR each; false: it was refused. */
bool hd_r700_select_memory(sel *s, const hd_intrinsic *i);
bool hd_r700_select_builtin(sel *s, const hd_intrinsic *i);

/* Before the walk: which buffers there are. False: there are too many. */
bool hd_r700_find_buffers(sel *s);

#endif
