/* SPDX-License-Identifier: MIT */
/* isa.h - the instruction encodings of Nyuzi.
 *
 *    register    110 format op:6 src2:5 mask:5 dest:5 src1:5
 *    immediate   0 format:2 op:5 immediate:14 dest:5 src1:5    with a mask: immediate:9 mask:5
 *    high        0 10 01111 immediate:14 dest:5 immediate:5
 *    memory      10 load op:4 offset:15 value:5 pointer:5      with a mask: offset:10 mask:5
 *    control     10 load 0110 0 value:5 number:5
 *    test        1111 type:3 offset:20 register:5              to a register: offset 0
 *    branch      1111 type:3 offset:25
 *
 * Unused fields must be 0: the decoder rejects other words, so that each decoded word encodes to the
 * same bits.
 */
#ifndef HEDDLE_BACKEND_NYUZI_ISA_H
#define HEDDLE_BACKEND_NYUZI_ISA_H

#include "heddle/base.h"
#include "machine/text/listing.h"
#include "nyuzi_ops.h"

/* hd_mach_op.flags of memory instructions. */
enum {
   HD_NYUZI_WIDE = HD_MACH_FIRST_OWN_FLAG,          /* the value is a vector */
   HD_NYUZI_BY_LANES = HD_MACH_FIRST_OWN_FLAG << 1, /* the pointers are a vector */
};

typedef struct hd_nyuzi_op_info {
   hd_mach_op mach;
   const char *name;
   uint32_t forms; /* bits by hd_nyuzi_form */
   uint8_t code;
   uint8_t shape; /* hd_nyuzi_shape */
} hd_nyuzi_op_info;

extern const hd_nyuzi_op_info hd_nyuzi_op_infos[HD_NYUZI_NUM_OPS];

/* One instruction as its fields. Register numbers are below 32; op and form say of which kind. */
typedef struct hd_nyuzi_word {
   uint16_t op;
   uint8_t form;
   uint8_t dest; /* of memory: the value; of a test and control: the register */
   uint8_t src1; /* of memory: the pointer */
   uint8_t src2, mask;
   int32_t imm; /* immediate, offset in bytes, distance of a branch in words, control register */
} hd_nyuzi_word;

/* False: a field does not fit, or the op has no such form. */
bool hd_nyuzi_encode(const hd_nyuzi_word *inst, uint32_t *word);
/* NULL: done. Else why the word is no instruction. */
const char *hd_nyuzi_decode(uint32_t word, hd_nyuzi_word *inst);
/* As the assembler takes it; the target of a branch as `.+N`, N bytes from the branch, or as label
 * "L" and the address in hexadecimal where `labels`; `address` is that of the instruction.
 */
void hd_nyuzi_print(const hd_nyuzi_word *inst, uint64_t address, bool labels, hd_blob *out);

/* Code as text. */
extern const hd_mach_listing hd_nyuzi_listing;

/* What an immediate of the form holds. */
bool hd_nyuzi_fits(unsigned form, int32_t imm);

/* Which kind of register the fields are. */
static inline bool
hd_nyuzi_form_is_vector(unsigned form)
{
   return form != HD_NYUZI_FORM_SS && form != HD_NYUZI_FORM_SI && form <= HD_NYUZI_FORM_VI_MASK;
}

static inline bool
hd_nyuzi_form_has_mask(unsigned form)
{
   return form == HD_NYUZI_FORM_VS_MASK || form == HD_NYUZI_FORM_VV_MASK ||
          form == HD_NYUZI_FORM_VI_MASK || form == HD_NYUZI_FORM_MEMORY_MASK;
}

static inline bool
hd_nyuzi_form_has_imm(unsigned form)
{
   return form >= HD_NYUZI_FORM_SI && form <= HD_NYUZI_FORM_VI_MASK;
}

/* The result of this instruction is a vector. */
static inline bool
hd_nyuzi_writes_vector(const hd_nyuzi_word *inst)
{
   const unsigned shape = hd_nyuzi_op_infos[inst->op].shape;

   return shape == HD_NYUZI_SHAPE_LOAD
              ? (hd_nyuzi_op_infos[inst->op].mach.flags & HD_NYUZI_WIDE) != 0
              : hd_nyuzi_form_is_vector(inst->form) && shape != HD_NYUZI_SHAPE_COMPARE &&
                    shape != HD_NYUZI_SHAPE_GETLANE;
}

#endif
