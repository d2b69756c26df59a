/* SPDX-License-Identifier: MIT */
/* select.h - instruction selection: state and interface of its files.
 *
 *    select.c     the walk, phis, conditions of branches
 *    values.c     operands of IR values, and instructions on them
 *    alu.c        steps of sequences, and ops that are one instruction
 *    memory.c     loads, stores, atomics
 *    own.c        a driver's own intrinsics: the emitter for its hook
 *    lanes.c      cross-lane operations, barriers, built-in inputs
 *
 * A part of a value (machine/selector.h) is a GRF, a scalar or a constant; an instruction whose operands
 * are scalars and constants gives a scalar.
 */
#ifndef HEDDLE_BACKEND_GEN9_SELECT_SELECT_H
#define HEDDLE_BACKEND_GEN9_SELECT_SELECT_H

#include "backend/gen9/program.h"
#include "machine/selector.h"

typedef hd_mach_selector sel;
typedef hd_mach_operand val;

#define K(bits) hd_gen9_imm((uint32_t)(bits))

/* alu.c: what hd_mach_select_alu is given. */
extern const hd_mach_part_rows hd_gen9_part_rows;
extern const hd_mach_sequences hd_gen9_sequences;

/* src/codegen/gen9/selection.py says what these are. */
typedef struct hd_gen9_step {
   uint16_t op;
   uint8_t type, bits;
} hd_gen9_step;
typedef struct hd_gen9_direct {
   uint16_t op, to;
   uint8_t type, from, bits;
   bool inverse;
   uint8_t order[3];
} hd_gen9_direct;
typedef struct hd_gen9_own_row {
   const char *name;
   uint16_t op, types;
   uint8_t num_srcs, condition;
   bool logic;
} hd_gen9_own_row;
extern const hd_gen9_step hd_gen9_steps[HD_MACH_NUM_STEPS];
extern const hd_gen9_direct hd_gen9_directs[]; /* the last one has no op */
extern const hd_gen9_own_row hd_gen9_own_rows[];
extern const unsigned hd_gen9_num_own_rows;

/* A new value of the file. */
val hd_gen9_new(sel *s, unsigned file);
bool hd_gen9_is_vector(const sel *s, val v);
/* That of a result of these; operands of size 0 do not count. */
unsigned hd_gen9_file_of(const sel *s, val a, val b, val c);
/* The operand in a register: a constant is moved to a scalar. */
val hd_gen9_in_register(sel *s, val v);
/* In a GRF, for messages. */
val hd_gen9_in_vector(sel *s, val v);
/* What phis and copies can read. */
val hd_gen9_in_temp(sel *s, val v);
/* Append an instruction of one result; operands of size 0 are left out. */
hd_mach_inst *hd_gen9_append(sel *s, unsigned op, unsigned type, val def, val a, val b, val c);
/* The same, with constants only where the op takes them; its result. `b` may be of size 0. */
val hd_gen9_emit(sel *s, unsigned op, unsigned type, val a, val b);
val hd_gen9_compare(sel *s, unsigned condition, unsigned type, val a, val b);
/* a where the boolean is true, else b. */
val hd_gen9_choose(sel *s, val condition, val a, val b);
/* A scalar: as it is; else what the lowest active lane has. */
val hd_gen9_first_lane(void *s, val part);
/* A dword of the payload. */
val hd_gen9_payload(sel *s, unsigned which);
/* What the launch has at this offset in bytes, and the first arguments or push constants. */
val hd_gen9_of_launch(void *s, size_t offset);
val hd_gen9_of_payload(size_t offset);
void hd_gen9_set_parts(void *s, const hd_def *def, const val *parts);
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
bool hd_gen9_select_memory(sel *s, const hd_intrinsic *i);
bool hd_gen9_select_lanes(sel *s, const hd_intrinsic *i);
/* own.c: for a driver's hook. */
hd_mach_own_op hd_gen9_find_own(const char *name);
val hd_gen9_emit_own(void *s, const hd_mach_own_op *own, bool booleans, const val v[3]);

/* Before the walk: which buffers there are. False: there are too many. */
bool hd_gen9_find_buffers(sel *s);

#endif
