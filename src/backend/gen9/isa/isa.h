/* SPDX-License-Identifier: MIT */
/* isa.h - the Gen9 instruction set: table rows, instruction fields, encoder, printer.
 *
 * An instruction has 16 bytes, or 8 where it has a short form (compact.c). Registers: 128 of 32
 * bytes (GRF) and those of the architecture (ARF): flags, accumulators, the addresses of indirect
 * operands. Operands are regions: a vertical stride, a width and a horizontal stride say which
 * elements channels read.
 */
#ifndef HEDDLE_BACKEND_GEN9_ISA_H
#define HEDDLE_BACKEND_GEN9_ISA_H

#include <stdbool.h>
#include <stdint.h>

#include "gen9_ops.h"
#include "heddle/base.h"
#include "machine/text/listing.h"

/* hd_mach_op.flags of our own */
enum {
   HD_GEN9_LOGIC = HD_MACH_FIRST_OWN_FLAG,       /* the modifier - inverts bits */
   HD_GEN9_SELECT = HD_MACH_FIRST_OWN_FLAG << 1, /* reads the predicate in other ways */
   HD_GEN9_MATH = HD_MACH_FIRST_OWN_FLAG << 2,
   HD_GEN9_MESSAGE = HD_MACH_FIRST_OWN_FLAG << 3,
   HD_GEN9_CONTROL = HD_MACH_FIRST_OWN_FLAG << 4,     /* has a branch control, `.b` */
   HD_GEN9_INDIRECT = HD_MACH_FIRST_OWN_FLAG << 5,    /* the source is indirect */
   HD_GEN9_ACCUMULATOR = HD_MACH_FIRST_OWN_FLAG << 6, /* reads it without naming it */
   HD_GEN9_NO_PREDICATE = HD_MACH_FIRST_OWN_FLAG << 7,
   HD_GEN9_NO_CONDITION = HD_MACH_FIRST_OWN_FLAG << 8,
   HD_GEN9_NO_SATURATE = HD_MACH_FIRST_OWN_FLAG << 9,
   HD_GEN9_NO_MODIFIERS = HD_MACH_FIRST_OWN_FLAG << 10, /* of sources */
};

typedef struct hd_gen9_op_info {
   hd_mach_op mach;
   const char *name;
   uint8_t opcode;
   uint8_t function; /* of math */
   uint8_t shape;    /* hd_gen9_class */
} hd_gen9_op_info;

extern const hd_gen9_op_info hd_gen9_op_infos[HD_GEN9_NUM_OPS];

#define HD_GEN9_INST_BYTES  16u
#define HD_GEN9_SHORT_BYTES 8u
#define HD_GEN9_NUM_GRFS    128u
#define HD_GEN9_GRF_BYTES   32u

typedef enum hd_gen9_operand_file {
   HD_GEN9_ARF,
   HD_GEN9_GRF,
   HD_GEN9_IMM = 3,
} hd_gen9_operand_file;

/* The high half of the number of a register of the architecture. */
enum {
   HD_GEN9_ARF_NULL = 0x00,
   HD_GEN9_ARF_ADDRESS = 0x10,
   HD_GEN9_ARF_ACCUMULATOR = 0x20,
   HD_GEN9_ARF_FLAG = 0x30,
   HD_GEN9_ARF_CHANNEL_ENABLE = 0x40,
   HD_GEN9_ARF_STATE = 0x70,
   HD_GEN9_ARF_CONTROL = 0x80,
   HD_GEN9_ARF_NOTIFICATION = 0x90,
   HD_GEN9_ARF_IP = 0xa0,
};

#define HD_GEN9_STRIDE_INDIRECT 15u /* vertical: each row, or channel, has an address of its own */

typedef struct hd_gen9_operand {
   uint8_t file; /* hd_gen9_operand_file */
   uint8_t type; /* hd_gen9_type */
   uint8_t reg;
   uint8_t subreg; /* byte; of an indirect operand the number of the address register */
   /* Codes: strides 0 are 0, others 2 to the power of code - 1; widths 2 to the power of code. */
   uint8_t vstride, width, hstride;
   uint8_t abs, neg, indirect;
   uint8_t rep;                  /* of three sources: all channels read one element */
   uint8_t swizzle, half, lanes; /* how encodings say it; else 0 */
   uint16_t offset;              /* of an indirect operand, 10 bits, signed */
} hd_gen9_operand;

/* hd_gen9_word.thread */
enum { HD_GEN9_THREAD_ATOMIC = 1, HD_GEN9_THREAD_SWITCH = 2 };

/* The members that an op does not have are 0. */
typedef struct hd_gen9_word {
   uint16_t op;
   uint8_t exec; /* channels, the logarithm to base 2 */
   uint8_t chan; /* the first one, in fours */
   uint8_t pred; /* 0: not predicated; 1: by a channel's bit; others: hd_gen9_predicate_names */
   uint8_t pred_inv;
   uint8_t flag;     /* f0.0, f0.1, f1.0, f1.1: of the predicate and the condition */
   uint8_t cond;     /* hd_gen9_condition */
   uint8_t mask_off; /* all channels, whichever are active */
   uint8_t sat;
   uint8_t option; /* AccWrEn, NoSrcDepSet, or the branch control */
   uint8_t no_dd_clr, no_dd_chk, thread, breakpoint;
   uint8_t compacted; /* has the short form */
   hd_gen9_operand dst, src[3];
   uint64_t imm; /* of the source that is one; of 16 bits once */
   int32_t jip, uip;
   uint32_t desc, ex_desc;
   uint8_t desc_reg, ex_desc_reg; /* it is in a0.0; `ex_desc` is its number */
} hd_gen9_word;

typedef struct hd_gen9_type_info {
   const char *name;
   uint8_t size;
   uint8_t reg, imm, three; /* codes */
} hd_gen9_type_info;

extern const hd_gen9_type_info hd_gen9_type_infos[HD_GEN9_NUM_TYPES];

static inline unsigned
hd_gen9_type_size(unsigned type)
{
   return hd_gen9_type_infos[type].size;
}

typedef struct hd_gen9_architecture {
   const char *name; /* NULL: none */
   uint8_t num;
   bool has_parts; /* operands say which element */
   bool is_numbered;
} hd_gen9_architecture;

extern const hd_gen9_architecture hd_gen9_architectures[16];
/* What is sent, by hd_gen9_message: the shared function, and the descriptor without lengths, for 8 and 16
 * lanes; `low` is the lowest bit of the size of a unit, or of an atomic its operation; 0: it has none.
 */
typedef struct hd_gen9_message_info {
   uint8_t unit, low;
   uint32_t desc[2];
} hd_gen9_message_info;

extern const hd_gen9_message_info hd_gen9_message_infos[];
extern const char *const hd_gen9_condition_names[16];
extern const char *const hd_gen9_predicate_names[16];

/* The long form, whether or not `word` is compacted. False: a field does not fit, or the op has no
 * such operands.
 */
bool hd_gen9_encode(const hd_gen9_word *word, unsigned char bytes[16]);
/* The short form in the first 8 bytes. False: there is none; `bytes` are as they were. */
bool hd_gen9_compact(unsigned char bytes[16]);
/* NULL: done, *length bytes. Else why the bytes are no instruction; *length is what to pass over. */
const char *hd_gen9_decode(const unsigned char *bytes, size_t size, hd_gen9_word *word,
                           unsigned *length);
/* As the assembler takes it. `address` is that of the instruction, for labels. */
void hd_gen9_print(const hd_gen9_word *word, uint64_t address, hd_blob *out);

static inline const hd_gen9_op_info *
hd_gen9_info_of(const hd_gen9_word *word)
{
   return &hd_gen9_op_infos[word->op];
}

/* Where it branches to: JIP, and UIP if it has one. Returns how many there are. */
unsigned hd_gen9_targets(const hd_gen9_word *word, uint64_t address, uint64_t to[2]);

/* Code as text, in the syntax of iga64. */
extern const hd_mach_listing hd_gen9_listing;

/* How many sources are registers or immediates. */
unsigned hd_gen9_num_sources(unsigned shape);

static inline unsigned
hd_gen9_stride(unsigned code)
{
   return code ? 1u << (code - 1) : 0;
}

#endif
