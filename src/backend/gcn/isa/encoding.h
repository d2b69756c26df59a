/* SPDX-License-Identifier: MIT */
/* encoding.h - shared by encoder and decoder: encodings (bit-field layouts) as data, operand kinds.
 *
 *    encode   inst -> values of fields -> the words of a layout
 *    decode   word -> layout -> values of fields -> inst
 *
 * Both check the instruction by the same function (hd_gcn_check), so the encoder accepts whatever the
 * decoder returns, and a value without a field in the layout is an error in either direction.
 */
#ifndef HEDDLE_BACKEND_GCN_ISA_ENCODING_H
#define HEDDLE_BACKEND_GCN_ISA_ENCODING_H

#include "backend/gcn/isa/isa.h"

/* A field of a layout: bits low .. low + width - 1 of the first two words. */
typedef struct hd_gcn_bits {
   uint8_t field, low, width;
} hd_gcn_bits;

typedef struct hd_gcn_encoding {
   const char *name;
   uint64_t mask, value; /* constants: where `mask` has bits, those of `value` */
   uint64_t has;         /* bit n: field n */
   uint64_t wide;        /* of those the ones with 9 bits: scalar and vector registers */
   const hd_gcn_bits *fields;
   uint8_t num_fields, words;
} hd_gcn_encoding;

/* name NULL: the generation does not have it. */
const hd_gcn_encoding *hd_gcn_layout_of(hd_gcn_gen gen, hd_gcn_layout_id id);

/* The layout of this op in this form; HD_GCN_LAYOUT_NONE: there is none on `gen`. */
hd_gcn_layout_id hd_gcn_layout_of_op(hd_gcn_gen gen, hd_gcn_op op, hd_gcn_form form);

/* The row's operand that operand `n` of the instruction is, or NULL: one beyond the row, the old
 * value of what is only written in part (hd_gcn_keeps_old), or m0 of a load to LDS.
 */
static inline const hd_mach_operand_info *
hd_gcn_row_operand(const hd_mach_inst *inst, unsigned n)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (n < inst->num_defs)
      return n < info->mach.num_defs ? &info->mach.operands[n] : NULL;
   n -= inst->num_defs;
   return n < info->mach.num_srcs ? &info->mach.operands[info->mach.num_defs + n] : NULL;
}

/* What an operand of the row can be in this form. */
unsigned hd_gcn_kinds(hd_gcn_gen gen, const hd_gcn_op_info *info,
                      const hd_mach_operand_info *operand, hd_gcn_form form);

/* Whether `size` dwords from this scalar register on are one operand: they exist, and are aligned.
 */
bool hd_gcn_scalar_exists(hd_gcn_gen gen, unsigned reg, unsigned size);

/* HD_GCN_FITS, or the number of the operand that does not, or HD_GCN_MISFIT: something else. */
#define HD_GCN_FITS   (-1)
#define HD_GCN_MISFIT (-2)
int hd_gcn_misfit(hd_gcn_gen gen, const hd_mach_inst *inst, hd_gcn_form form, const char **why);

/* Whether the instruction is one of `gen`, all its registers being given. */
bool hd_gcn_check(hd_gcn_gen gen, const hd_mach_inst *inst, const char **why);

/* The bits of hd_mach_inst.bits that are fields of one bit. */
typedef struct hd_gcn_flag_field {
   uint16_t bit;
   uint8_t field;
} hd_gcn_flag_field;

#define HD_GCN_NUM_FLAG_FIELDS 11u
extern const hd_gcn_flag_field hd_gcn_flag_fields[HD_GCN_NUM_FLAG_FIELDS];

#endif
