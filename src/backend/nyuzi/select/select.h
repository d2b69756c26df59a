/* SPDX-License-Identifier: MIT */
/* select.h - instruction selection: state and interface of its files.
 *
 *    select.c        the walk, phis, conditions of branches
 *    values.c        operands of IR values, and instructions on them
 *    alu.c           steps of sequences
 *    memory.c        loads and stores
 *    atomics.c       atomics, barriers
 *    lanes.c         cross-lane operations
 *    launch.c        launch data and initial registers
 *    builtins.c      built-in inputs
 *
 * Parts of a value (machine/selector.h) are registers or constants. Uniform values are in scalar
 * registers, divergent ones in vector registers; booleans are scalars in either case.
 */
#ifndef HEDDLE_BACKEND_NYUZI_SELECT_SELECT_H
#define HEDDLE_BACKEND_NYUZI_SELECT_SELECT_H

#include "backend/nyuzi/program.h"
#include "machine/selector.h"

#define HD_NYUZI_CACHED_CONSTANTS 16

typedef struct hd_nyuzi_selector {
   hd_mach_selector base;
   /* Constants in scalar registers, good in the block with this index + 1. */
   struct {
      uint32_t bits, block;
      hd_mach_operand operand;
   } constants[HD_NYUZI_CACHED_CONSTANTS];
   unsigned next_constant;
   /* The same of words that nothing writes. */
   struct {
      uint32_t base, block; /* a value */
      int32_t offset;
      hd_mach_operand operand;
   } words[HD_NYUZI_CACHED_CONSTANTS];
   unsigned next_word;
} hd_nyuzi_selector;

/* alu.c: what hd_mach_select_alu is given. */
extern const hd_mach_part_rows hd_nyuzi_part_rows;
extern const hd_mach_sequences hd_nyuzi_sequences;

/* Set: copied to vector registers where it is divergent. */
void hd_nyuzi_set_parts(void *s, const hd_def *def, const hd_mach_operand *parts);

hd_mach_operand hd_nyuzi_new(hd_nyuzi_selector *s, hd_nyuzi_file file);
hd_mach_operand hd_nyuzi_new_mask(hd_nyuzi_selector *s);
bool hd_nyuzi_is_vector(const hd_nyuzi_selector *s, hd_mach_operand operand);
/* A boolean that differs between lanes. */
bool hd_nyuzi_is_mask(const hd_nyuzi_selector *s, hd_mach_operand operand);
/* The operand in a register: a constant is moved to one. A vector is not made a scalar. */
hd_mach_operand hd_nyuzi_in_scalar(hd_nyuzi_selector *s, hd_mach_operand operand);
hd_mach_operand hd_nyuzi_in_vector(hd_nyuzi_selector *s, hd_mach_operand operand);
/* That of the lowest active lane; what is scalar is as it is. */
hd_mach_operand hd_nyuzi_of_first_lane(hd_nyuzi_selector *s, hd_mach_operand operand);

/* Append an instruction; its result. It is a vector where an operand is, a mask of a compare. */
hd_mach_operand hd_nyuzi_emit(hd_nyuzi_selector *s, unsigned op, hd_mach_operand a,
                              hd_mach_operand b);
/* a where the boolean is true, else b. */
hd_mach_operand hd_nyuzi_choose(hd_nyuzi_selector *s, hd_mach_operand condition, hd_mach_operand a,
                                hd_mach_operand b);
/* Logic of booleans; `op` is one of bitwise. */
hd_mach_operand hd_nyuzi_logic(hd_nyuzi_selector *s, unsigned op, hd_mach_operand a,
                               hd_mach_operand b);
hd_mach_operand hd_nyuzi_not(hd_nyuzi_selector *s, hd_mach_operand a);
/* The lanes of a boolean that are active: what is above bit 15 is 0, too. */
hd_mach_operand hd_nyuzi_active(hd_nyuzi_selector *s, hd_mach_operand boolean);

/* A word that nothing writes while the program runs, and that is always there. */
hd_mach_operand hd_nyuzi_load_constant(hd_nyuzi_selector *s, hd_mach_operand address,
                                       int32_t offset);
/* What the launch has at this offset in bytes. */
hd_mach_operand hd_nyuzi_of_launch(void *s, size_t offset);
/* The number of the lane, in a vector. */
hd_mach_operand hd_nyuzi_lane(hd_nyuzi_selector *s);
/* local_invocation_index */
hd_mach_operand hd_nyuzi_index_in_group(hd_nyuzi_selector *s);

/* One instruction of the IR each; false: it was refused. */
bool hd_nyuzi_select_memory(hd_nyuzi_selector *s, const hd_intrinsic *i);
bool hd_nyuzi_select_atomic(hd_nyuzi_selector *s, const hd_intrinsic *i);
bool hd_nyuzi_select_barrier(hd_nyuzi_selector *s, const hd_intrinsic *i);
bool hd_nyuzi_select_lanes(hd_nyuzi_selector *s, const hd_intrinsic *i);
bool hd_nyuzi_select_builtin(hd_nyuzi_selector *s, const hd_intrinsic *i);

/* Where an access begins: memory.c. */
typedef struct hd_nyuzi_place {
   hd_mach_operand address;  /* without the offset */
   hd_mach_operand position; /* the access's own operand, 32 bits: in a buffer, in scratch memory */
   int32_t offset;
   hd_mach_operand size; /* of a buffer, in bytes; else size 0 */
   bool scratch;
   /* Of the component that is loaded or stored: what hd_nyuzi_inside says, or which lanes are. */
   hd_mach_operand inside;
   bool scalar; /* one address, and one result */
} hd_nyuzi_place;

/* `first` is the number of the source where the operands of the address begin. */
bool hd_nyuzi_locate(hd_nyuzi_selector *s, const hd_intrinsic *i, unsigned first,
                     hd_nyuzi_place *place);
/* The address of byte `at` of the access. */
hd_mach_operand hd_nyuzi_address(hd_nyuzi_selector *s, const hd_nyuzi_place *place, uint32_t at);
/* Whether that and `bytes` from there on are inside of the buffer; size 0: it is none. */
hd_mach_operand hd_nyuzi_inside(hd_nyuzi_selector *s, const hd_nyuzi_place *place, uint32_t at,
                                uint32_t bytes);
/* The lanes that take part in that, in a register. */
hd_mach_operand hd_nyuzi_lanes_inside(hd_nyuzi_selector *s, const hd_nyuzi_place *place,
                                      uint32_t at, uint32_t bytes);
/* Before the walk: which descriptors there are. */
void hd_nyuzi_find_buffers(hd_nyuzi_selector *s);

#endif
