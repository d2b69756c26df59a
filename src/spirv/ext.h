/* SPDX-License-Identifier: MIT */
/* ext.h - extended instructions: interface of ext_*.c. */
#ifndef HEDDLE_SPIRV_EXT_H
#define HEDDLE_SPIRV_EXT_H

#include "spirv/math.h"
#include "spirv/spirv.h"

/* An OpExtInst. Its operands are ids and literals, as the grammar of its set says. */
struct spirv_ext {
   const struct spirv_instr *instr;
   const uint32_t *operands;
   uint32_t num_operands;
};

/* ext_operands.c */

/* Operand n as a number or a vector of them; a missing one is invalid. */
hd_def *hd_spirv_ext_operand(struct spirv *s, const struct spirv_ext *x, uint32_t n);
/* Store where operand n points; the value gets the size that is there, if it is an integer. */
void hd_spirv_ext_store(struct spirv *s, const struct spirv_ext *x, uint32_t n, hd_def *value);
/* A function of the first operands: all its results. Operands that do not fit are invalid. */
void hd_spirv_ext_math(struct spirv *s, const struct spirv_ext *x, enum hd_math function,
                       hd_def **results);

/* ext_glsl.c */
void hd_spirv_determinant(struct spirv *s, const struct spirv_ext *x);
void hd_spirv_inverse(struct spirv *s, const struct spirv_ext *x);
/* Two results in a structure. */
void hd_spirv_ext_struct(struct spirv *s, const struct spirv_ext *x, enum hd_math function);
void hd_spirv_ext_interpolate(struct spirv *s, const struct spirv_ext *x,
                              enum hd_spirv_interpolation how);
void hd_spirv_cross(struct spirv *s, const struct spirv_ext *x);

/* ext_opencl.c */

/* vloadn to vstorea_halfn_r, by what they differ in. */
struct spirv_vector_access {
   bool load;
   bool half;    /* numbers of 16 bits in memory */
   bool aligned; /* three stand where four could, at a multiple of their size */
   bool rounds;  /* a store: its last operand says how */
};
void hd_spirv_vector_memory(struct spirv *s, const struct spirv_ext *x,
                            const struct spirv_vector_access *access);
/* The components of one or two vectors, chosen by another one's. */
void hd_spirv_shuffle(struct spirv *s, const struct spirv_ext *x, unsigned num_vectors);
void hd_spirv_opencl_select(struct spirv *s, const struct spirv_ext *x);

/* ext_access.c */

/* Whether an extended instruction does with its pointers what needs an address: vload, vstore.
 * Those that only store a result through one (modf, frexp, ...) do not.
 */
bool hd_spirv_ext_needs_address(uint32_t ext_set, uint32_t number);
/* Of how many bytes operand n, a pointer, is a multiple when the instruction runs; 0: unspecified. */
uint32_t hd_spirv_ext_align(struct spirv *s, uint32_t ext_set, const struct spirv_instr *i,
                            uint32_t n);
/* Of vloadn to vstorea_halfn_r, by spirv_ext_special; NULL for others. */
const struct spirv_vector_access *hd_spirv_vector_access(unsigned special);

#endif
