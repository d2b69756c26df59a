/* SPDX-License-Identifier: MIT */
/* isa.h - the R700 instruction set: table rows, instruction fields, encoder, printer.
 *
 * The control-flow program comes first; clauses lie behind it. Which of the three kinds the words at
 * an address are is known from who names it:
 *
 *    control flow    64 bits     bit 61: runs an ALU clause
 *    ALU clause      64 bits     groups of up to five, the last one marked; behind a group one or two
 *                                words with the literals that it names
 *    fetch clause    128 bits
 *
 * Bits of no field must be 0. The decoder rejects a word in which they are not, so every word that is
 * decoded is encoded to the same bits.
 */
#ifndef HEDDLE_BACKEND_R700_ISA_H
#define HEDDLE_BACKEND_R700_ISA_H

#include "heddle/base.h"
#include "r700_ops.h"
#include "util/memory.h"

/* hd_mach_op.flags. */
enum {
   HD_R700_CLAUSE = HD_MACH_FIRST_OWN_FLAG,     /* runs a clause */
   HD_R700_JUMPS = HD_MACH_FIRST_OWN_FLAG << 1, /* ADDR is in the control-flow program */
   HD_R700_PRED = HD_MACH_FIRST_OWN_FLAG << 2,  /* writes the predicate */
   HD_R700_KILL = HD_MACH_FIRST_OWN_FLAG << 3,
   HD_R700_FOUR = HD_MACH_FIRST_OWN_FLAG << 4, /* takes the slots of all four channels */
};

/* Where an ALU instruction can stand in its group. */
enum {
   HD_R700_SLOT_V = 1u << 0, /* the slot of the channel that it writes */
   HD_R700_SLOT_T = 1u << 1, /* the transcendental slot */
};

/* Sources that are not registers. */
enum {
   HD_R700_SRC_KC0 = 128, /* 32 of each of two ranges of constants */
   HD_R700_SRC_KC1 = 160,
   HD_R700_SRC_0 = 248,
   HD_R700_SRC_1F,
   HD_R700_SRC_1,
   HD_R700_SRC_M1,
   HD_R700_SRC_HALF,
   HD_R700_SRC_LITERAL,
   HD_R700_SRC_PV,
   HD_R700_SRC_PS,
   HD_R700_SRC_C0, /* 256 constants */
};

/* PRED_SEL */
enum { HD_R700_PRED_OFF = 0, HD_R700_PRED_ZERO = 2, HD_R700_PRED_ONE = 3 };

/* DST_SEL and SEL besides channels. */
enum { HD_R700_SEL_0 = 4, HD_R700_SEL_1 = 5, HD_R700_SEL_MASK = 7 };

/* TYPE of a memory export. */
enum { HD_R700_WRITE, HD_R700_WRITE_IND, HD_R700_READ, HD_R700_READ_IND };

#define HD_R700_NUM_SWIZZLES 6u
#define HD_R700_MAX_GROUP    5u

typedef struct hd_r700_op_info {
   hd_mach_op mach;
   const char *name;
   uint8_t code;
   uint8_t layout; /* hd_r700_layout */
   uint8_t srcs;
   uint8_t slots;
   uint8_t memory; /* MEM_OP */
} hd_r700_op_info;

typedef struct hd_r700_field_info {
   uint8_t field, low, width;
} hd_r700_field_info;

typedef struct hd_r700_layout_info {
   const hd_r700_field_info *fields;
   uint8_t num_fields, num_words; /* of 64 bits */
} hd_r700_layout_info;

extern const hd_r700_op_info hd_r700_op_infos[HD_R700_NUM_OPS];
extern const hd_r700_layout_info hd_r700_layouts[HD_R700_NUM_LAYOUTS];
extern const char *const hd_r700_field_names[HD_R700_NUM_FIELDS];
extern const char *const hd_r700_source_names[256];
extern const char *const hd_r700_swizzles[HD_R700_NUM_SWIZZLES];

typedef enum hd_r700_kind { HD_R700_CF_WORD, HD_R700_ALU_WORD, HD_R700_FETCH_WORDS } hd_r700_kind;

/* One instruction; fields that its layout does not have are 0. */
typedef struct hd_r700_inst {
   uint16_t op;
   uint32_t f[HD_R700_NUM_FIELDS];
} hd_r700_inst;

static inline const hd_r700_layout_info *
hd_r700_layout_of(const hd_r700_inst *inst)
{
   return &hd_r700_layouts[hd_r700_op_infos[inst->op].layout];
}

/* An instruction with its number and nothing else. */
hd_r700_inst hd_r700_begin(unsigned op);
/* False: a field does not fit. Writes as many words as its layout has. */
bool hd_r700_encode(const hd_r700_inst *inst, uint64_t words[2]);
/* NULL: done. Else why the words are no instruction of this kind. `words` are two where fetches are. */
const char *hd_r700_decode(hd_r700_kind kind, const uint64_t words[2], hd_r700_inst *inst);

/* The slot that an instruction of a group takes, with the ones before it in `taken`, bits by slot: 0 to
 * 3 by channel, 4; or -1: there is none.
 */
int hd_r700_slot(const hd_r700_inst *inst, unsigned taken);
/* How many words of literals follow a group: what the instruction names, in words; the most counts. */
unsigned hd_r700_literals(const hd_r700_inst *inst);

/* Word `n` of code, little endian. */
static inline uint64_t
hd_r700_word_at(const void *code, size_t n)
{
   const uint8_t *bytes = (const uint8_t *)code + 8 * n;
   uint64_t word = 0;

   for (unsigned k = 0; k < 8; k++)
      word |= (uint64_t)bytes[k] << (8 * k);
   return word;
}

/* As the assembler takes it. */
void hd_r700_print(const hd_r700_inst *inst, hd_blob *out);

/* The words of a program, by what the control flow says of them. */
typedef struct hd_r700_place {
   uint8_t kind;      /* hd_r700_kind + 1; 0: nothing is known of the word */
   bool literal;      /* of an ALU clause */
   bool inside;       /* the second word of a fetch */
   const char *error; /* no instruction: why */
} hd_r700_place;

/* Find that of `num` words. Returns how many words of clauses or control flow are no instruction, or
 * are where there is no code.
 */
size_t hd_r700_find_places(const uint64_t *words, size_t num, hd_r700_place *places);
/* The words of code and their places, each with one of 0 behind them; on the stack. Returns what
 * hd_r700_find_places does.
 */
size_t hd_r700_read_words(hd_stack *stack, const void *code, size_t num, uint64_t **words,
                          hd_r700_place **places);
/* What stands at this place, as the assembler takes it: `words` are two. */
void hd_r700_print_place(const uint64_t *words, const hd_r700_place *place, hd_blob *out);

#endif
