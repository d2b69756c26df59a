/* SPDX-License-Identifier: MIT */
/* select.h - what the parts of instruction selection share.
 *
 *    select.c     the walk, phis, conditions of branches
 *    values.c     the operands that values are, and instructions on them
 *    alu.c        ops, as the table of sequences says; components of vectors
 *    memory.c     loads and stores
 *    launch.c     what the launch answers, barriers
 *
 * A value of the IR is known by its parts: a channel or a constant for each component, two where it has
 * 64 bits.
 */
#ifndef HEDDLE_BACKEND_R700_SELECT_SELECT_H
#define HEDDLE_BACKEND_R700_SELECT_SELECT_H

#include "backend/r700/program.h"
#include "heddle/ops.h"
#include "machine/sequence.h"

typedef struct hd_r700_selector {
   hd_mach_program *p;
   hd_mach_block *block;    /* that is being written, at its end */
   const hd_instr *instr;   /* that is being selected */
   hd_mach_operand **known; /* by hd_def.index: its parts */
} hd_r700_selector;

typedef hd_r700_selector sel;
typedef hd_mach_operand val;

#define K(bits) hd_r700_imm((uint32_t)(bits))

extern const hd_mach_sequences hd_r700_sequences;

/* Parts of a value: components, times two where it has 64 bits. */
static inline unsigned
hd_r700_num_parts(const hd_def *def)
{
   return def->num_components * (def->bit_size == 64 ? 2u : 1u);
}

val hd_r700_value(sel *s, const hd_def *def, unsigned n);
void hd_r700_set_parts(sel *s, const hd_def *def, const val *parts);
void hd_r700_set(sel *s, const hd_def *def, val part);

val hd_r700_new(sel *s);
/* Append an instruction. */
hd_mach_inst *hd_r700_append(sel *s, unsigned op, unsigned num_defs, const val *defs,
                             unsigned num_srcs, const val *srcs);
/* One of one result, which is returned; operands of size 0 are left out. */
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
val hd_r700_of_launch(size_t offset);
/* workgroup_size[n] */
val hd_r700_size_of_group(sel *s, unsigned n);
/* The number of the workgroup in the dispatch. */
val hd_r700_index_of_group(sel *s);
/* The index of an intrinsic; 0 where it has none. */
uint32_t hd_r700_index(const hd_intrinsic *i, hd_index index);
bool hd_r700_refuse_intrinsic(sel *s, const hd_intrinsic *i);

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
bool hd_r700_select_alu(sel *s, const hd_alu *alu);
bool hd_r700_select_memory(sel *s, const hd_intrinsic *i);
bool hd_r700_select_builtin(sel *s, const hd_intrinsic *i);
bool hd_r700_run_intrinsic(sel *s, const hd_intrinsic *i, val results[HD_MACH_MAX_RESULTS]);

/* Before the walk: which buffers there are. False: there are too many. */
bool hd_r700_find_bindings(sel *s);

#endif
