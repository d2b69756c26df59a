/* SPDX-License-Identifier: MIT */
/* select.h - what the parts of instruction selection share.
 *
 *    select.c     the walk, phis, conditions of branches
 *    values.c     the operands that values are, and instructions on them
 *    alu.c        ops, as the table of sequences says; components of vectors
 *    memory.c     loads, stores, atomics
 *    lanes.c      what reads other lanes, barriers, what the launch answers
 *
 * A value of the IR is known by its parts: a GRF or a constant for each component, two where it has 64
 * bits.
 */
#ifndef HEDDLE_BACKEND_GEN9_SELECT_SELECT_H
#define HEDDLE_BACKEND_GEN9_SELECT_SELECT_H

#include "backend/gen9/program.h"
#include "heddle/ops.h"
#include "machine/sequence.h"

typedef struct hd_gen9_selector {
   hd_mach_program *p;
   hd_mach_block *block;    /* that is being written, at its end */
   const hd_instr *instr;   /* that is being selected */
   hd_mach_operand **known; /* by hd_def.index: its parts */
} hd_gen9_selector;

typedef hd_gen9_selector sel;
typedef hd_mach_operand val;

#define K(bits) hd_gen9_imm((uint32_t)(bits))

extern const hd_mach_sequences hd_gen9_sequences;

/* Parts of a value: components, times two where it has 64 bits. */
static inline unsigned
hd_gen9_num_parts(const hd_def *def)
{
   return def->num_components * (def->bit_size == 64 ? 2u : 1u);
}

val hd_gen9_value(sel *s, const hd_def *def, unsigned n);
void hd_gen9_set_parts(sel *s, const hd_def *def, const val *parts);
void hd_gen9_set(sel *s, const hd_def *def, val part);

/* A new value of so many GRFs. */
val hd_gen9_new(sel *s, unsigned size);
/* The operand in a register: a constant is moved to one. */
val hd_gen9_in_register(sel *s, val v);
/* Append an instruction of one result; operands of size 0 are left out. */
hd_mach_inst *hd_gen9_append(sel *s, unsigned op, unsigned type, val def, val a, val b, val c);
/* The same, with constants only where the op takes them; its result. `b` may be of size 0. */
val hd_gen9_emit(sel *s, unsigned op, unsigned type, val a, val b);
val hd_gen9_compare(sel *s, unsigned condition, unsigned type, val a, val b);
/* a where the boolean is true, else b. */
val hd_gen9_choose(sel *s, val condition, val a, val b);
/* A dword of the payload. */
val hd_gen9_payload(sel *s, unsigned which);
/* What the launch has at this offset in bytes. */
val hd_gen9_of_launch(sel *s, size_t offset);
/* The index of an intrinsic; 0 where it has none. */
uint32_t hd_gen9_index(const hd_intrinsic *i, hd_index index);
bool hd_gen9_refuse_intrinsic(sel *s, const hd_intrinsic *i);

/* Short names */
#define SHORT(name, op, type)                                                                      \
   static inline val name(sel *s, val a, val b)                                                    \
   {                                                                                               \
      return hd_gen9_emit(s, HD_GEN9_##op, HD_GEN9_TYPE_##type, a, b);                             \
   }
SHORT(add, ADD, D)
SHORT(and, AND, UD)
SHORT(or, OR, UD)
SHORT(xor, XOR, UD)
SHORT(shl, SHL, UD)
SHORT(shr, SHR, UD)
#undef SHORT

/* One instruction of the IR each; false: it was refused. */
bool hd_gen9_select_alu(sel *s, const hd_alu *alu);
bool hd_gen9_select_memory(sel *s, const hd_intrinsic *i);
bool hd_gen9_select_lanes(sel *s, const hd_intrinsic *i);
bool hd_gen9_run_intrinsic(sel *s, const hd_intrinsic *i, val results[HD_MACH_MAX_RESULTS]);
/* The difference of floats. */
val hd_gen9_subf(sel *s, val a, val b);

/* Before the walk: which buffers there are. False: there are too many. */
bool hd_gen9_find_bindings(sel *s);

#endif
