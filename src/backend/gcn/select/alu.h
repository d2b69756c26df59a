/* SPDX-License-Identifier: MIT */
/* alu.h - instruction selection of ALU ops: interface between its files. */
#ifndef HEDDLE_BACKEND_GCN_SELECT_ALU_H
#define HEDDLE_BACKEND_GCN_SELECT_ALU_H

#include "backend/gcn/select/select.h"
#include "heddle/analysis.h"
#include "heddle/ops.h"

/* An undefined value of so many dwords: an operand that a phi can have. */
static inline hd_mach_operand
hd_gcn_undef(unsigned size)
{
   return (hd_mach_operand){ .reg = HD_MACH_NO_REG,
                             .size = (uint8_t)size,
                             .flags = HD_MACH_OPERAND_UNDEF };
}

/* Dwords of one component, and of all. */
static inline unsigned
hd_gcn_part_size(const hd_def *def)
{
   return def->bit_size == 64 ? 2 : 1;
}

static inline unsigned
hd_gcn_whole_size(const hd_def *def)
{
   return def->num_components * hd_gcn_part_size(def);
}

/* values.c */
/* Words of a value of 64 bits and one component, of which `whole` is the operand. */
void hd_gcn_halves(hd_gcn_selector *s, const hd_def *def, hd_mach_operand whole,
                   hd_mach_operand halves[2]);
/* They are known from where the value is made. */
void hd_gcn_set_halves(hd_gcn_selector *s, const hd_def *def, const hd_mach_operand halves[2]);
/* Give the value component by component. */
void hd_gcn_set_parts(hd_gcn_selector *s, const hd_def *def, const hd_mach_operand *parts);

/* Both components of 16 bits are the dword, in a VGPR, from here on. */
void hd_gcn_set_packed(hd_gcn_selector *s, const hd_def *def, hd_mach_operand dword);

/* float_mode.c */
/* 16 and 64 bits share their part of it: refused where a shader uses both and asks for what
 * differs.
 */
bool hd_gcn_check_float_mode(hd_mach_program *p);
/* The mode in which 32 bits are rounded as 16 bits are in `mode`. */
unsigned hd_gcn_float_mode_as_16(unsigned mode);
/* The mode register's lower byte, which is `from`, becomes `to`. */
void hd_gcn_set_float_mode(hd_gcn_selector *s, unsigned from, unsigned to);

/* modifiers.c */
/* What a float is the negation or the magnitude of; `mods` is how: HD_GCN_OPERAND_NEG, ABS. */
const hd_def *hd_gcn_look_through_signs(const hd_def *def, unsigned *mods);
/* Let the instruction that made the operand do it. False: it cannot. */
bool hd_gcn_fold_into_operand(hd_gcn_selector *s, const hd_alu *alu);
/* Its only reader is an fsat that is folded into it, if it has the form for that. */
bool hd_gcn_will_be_clamped(const hd_alu *alu);

/* fold_operands.c */
/* The instruction that makes a vector value of selection; NULL: it is none. */
static inline const hd_mach_inst *
hd_gcn_maker_of(const hd_gcn_selector *s, hd_mach_operand operand)
{
   return operand.flags == (HD_MACH_OPERAND_TEMP | HD_MACH_OPERAND_VECTOR)
              ? s->p->temps[operand.value].def
              : NULL;
}

/* A constant dword. */
static inline bool
hd_gcn_word_of(hd_mach_operand operand, uint32_t *word)
{
   uint64_t bits = 0;

   if (!hd_gcn_is_constant(operand) || operand.size != 1 ||
       (operand.flags & (HD_GCN_OPERAND_NEG | HD_GCN_OPERAND_ABS)))
      return false;
   hd_gcn_operand_value(operand, HD_GCN_B32, &bits);
   *word = (uint32_t)bits;
   return true;
}

/* A step whose result is known, or is one of its operands. */
bool hd_gcn_fold_step(const hd_gcn_selector *s, hd_gcn_op op, unsigned num_srcs,
                      const hd_mach_operand *srcs, hd_mach_operand *result);
/* Do two ops in one instruction. False: there is none. */
bool hd_gcn_fold_pair(hd_gcn_selector *s, const hd_alu *alu);
/* A compare of scalars, in scc. False: there is no way but that of the row. */
bool hd_gcn_fold_test(hd_gcn_selector *s, const hd_alu *alu);

/* fold_sums.c */
/* A sum, shifted or of shifted parts, of which the scalar unit makes what it can. False: the row is as good. */
bool hd_gcn_fold_sum(hd_gcn_selector *s, const hd_alu *alu);

/* fold_floats.c: of floats of 32 bits, as hd_gcn_fold_pair. */
bool hd_gcn_fold_float(hd_gcn_selector *s, const hd_alu *alu);

/* memory_access.c */
/* Of 32 bits. */
/* Sums of 64 bits in this file. */
hd_mach_operand hd_gcn_add_wide(hd_gcn_selector *s, hd_gcn_file file, hd_mach_operand a,
                                hd_mach_operand b);
hd_mach_operand hd_gcn_add_wide_const(hd_gcn_selector *s, hd_gcn_file file, hd_mach_operand a,
                                      int64_t value);
hd_mach_operand hd_gcn_shift_right(hd_gcn_selector *s, hd_mach_operand a, unsigned by);
/* a's `bits` low bits with b above them, in a VGPR. */
hd_mach_operand hd_gcn_pack(hd_gcn_selector *s, hd_mach_operand a, hd_mach_operand b,
                            unsigned bits);

/* packed.c */
/* An op on vectors of two components of 16 bits that one instruction does, or that is one's modifier. */
bool hd_gcn_is_packed_op(const hd_gcn_selector *s, const hd_instr *instr);
/* A boolean twice, for choices of pairs alone, which read it where it is made. */
bool hd_gcn_is_packed_condition(const hd_gcn_selector *s, const hd_alu *alu);
/* False: it was refused. */
bool hd_gcn_select_packed(hd_gcn_selector *s, const hd_alu *alu);
/* Components `first` and the next one in a dword, if they already are: else size 0. */
hd_mach_operand hd_gcn_packed_dword(hd_gcn_selector *s, const hd_def *def, unsigned first);
/* Of a vector of two components. The dword of both, packed where they are not. */
hd_mach_operand hd_gcn_packed_value(hd_gcn_selector *s, const hd_def *def);

/* texel_parts.c: components of 16, 32 and 64 bits. `resource` has the format. */
/* Does the machine have components of so many bits two in a register? They are the instruction's then (d16). */
bool hd_gcn_has_texel_halves(const hd_gcn_selector *s, unsigned bits);
/* Registers of `num` components that are loaded. */
unsigned hd_gcn_texel_size(const hd_gcn_selector *s, unsigned bits, unsigned num);
/* Which of the machine's components of a texel to load, a bit each, one at least; and how many registers they take. */
unsigned hd_gcn_texel_mask(const hd_gcn_selector *s, const hd_def *def, unsigned *size);
/* Give a value what was loaded of a texel, these components. */
void hd_gcn_set_texel(hd_gcn_selector *s, const hd_def *def, unsigned mask, hd_mach_operand loaded,
                      hd_mach_operand resource);
/* Components that were loaded with 32 bits become those of 16. */
void hd_gcn_narrow_texel(hd_gcn_selector *s, hd_mach_operand resource, unsigned num,
                         hd_mach_operand *parts);
hd_mach_operand hd_gcn_texel_to_store(hd_gcn_selector *s, const hd_def *value,
                                      hd_mach_operand resource);

/* subdword.c: SDWA source selects instead of extracts. */
void hd_gcn_select_parts(hd_mach_program *p);

#endif
