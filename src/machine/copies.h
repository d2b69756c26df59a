/* SPDX-License-Identifier: MIT */
/* copies.h - lower parallel copies to moves after register allocation (leaving SSA): p_copy, p_vector,
 * p_split, and phis at the ends of predecessors.
 *
 *    p_copy  s0, s1 <- s1, s0     =>     move s9, s0      (s9: free)
 *                                        move s0, s1
 *                                        move s1, s9
 *    v3 = p_phi b1: v4, b2: v3    =>     at the end of b1:  move v3, v4
 *
 * Copies are collected first, and then put somewhere: those of registers of the logical file first,
 * while scalar sources are where they were, and constants last. All unwind when memory runs out.
 */
#ifndef HEDDLE_MACHINE_COPIES_H
#define HEDDLE_MACHINE_COPIES_H

#include "ir/parallel_copy.h"
#include "machine/program.h"

/* Where instructions are put: before one, or at the end. */
typedef struct hd_mach_place {
   hd_mach_block *block;
   hd_mach_inst *before; /* or NULL */
} hd_mach_place;

/* What a machine has for it. `user` is its own. */
typedef struct hd_mach_copying {
   /* Of a machine whose moves of one register from a register or constant are one instruction: its op and
    * form, and then no `move`, `constant` or `steps`.
    */
   uint16_t op;
   uint8_t form;
   /* One register gets what another has. Not called where there is `steps`. */
   void (*move)(void *user, hd_mach_place at, unsigned to, unsigned from);
   /* `size` registers from `to` on get a constant. */
   void (*constant)(void *user, hd_mach_place at, unsigned to, unsigned size,
                    hd_mach_operand value);
   /* All steps of one file, in their order; a swap only where there is no temporary. False: a
    * diagnostic says why they cannot be. NULL: each is a move.
    */
   bool (*steps)(void *user, hd_mach_place at, hd_copy_step *steps, uint32_t num);
   /* Registers for copies that go round, by file; HD_MACH_NO_REG: steps may swap. `spares`: the
    * linear file has those that the allocator left free, instead.
    */
   uint16_t temporary[HD_MACH_MAX_FILES];
   bool spares;
} hd_mach_copying;

typedef struct hd_mach_constant_copy {
   uint16_t to;
   uint8_t size;
   hd_mach_operand value;
} hd_mach_constant_copy;

typedef struct hd_mach_copies {
   hd_mach_program *p;
   const hd_mach_copying *rows;
   void *user;
   hd_copier copier;
   hd_copy *copies[HD_MACH_MAX_FILES]; /* of registers, by the file of the target */
   uint32_t num_copies[HD_MACH_MAX_FILES];
   hd_copy_step *steps;
   hd_mach_constant_copy *constants;
   uint32_t num_constants, capacity;
} hd_mach_copies;

void hd_mach_copies_init(hd_mach_copies *c, hd_mach_program *p, const hd_mach_copying *rows,
                         void *user);
/* The copies that the instruction asks for. False: it is not one that vanishes by this (p_start and
 * p_undef vanish, too).
 */
bool hd_mach_copies_collect(hd_mach_copies *c, const hd_mach_inst *inst);
/* All that were collected, there. `spare` is a free register of the linear file, or HD_MACH_NO_REG. */
bool hd_mach_copies_put(hd_mach_copies *c, hd_mach_place at, unsigned spare);
/* Copies for the phis of this flow at the ends of predecessors: for values of the logical flow
 * before the tail, so that they run with its lanes, for others before the branch. Values of the
 * logical flow come first: a block without a tail gets both at its end, and the former may read what
 * the latter write.
 */
bool hd_mach_copies_phis(hd_mach_copies *c, hd_mach_edge_kind flow);
void hd_mach_remove_phis(hd_mach_program *p);

/* For machines of which each pseudo op is lowered by itself: phis, then what is in blocks. `lower`
 * appends before an instruction what does the same, or returns false: it stays. May be NULL.
 */
bool hd_mach_lower_copies(hd_mach_copies *c,
                          bool (*lower)(void *user, hd_mach_place at, const hd_mach_inst *inst));

#endif
