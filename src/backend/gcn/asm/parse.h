/* SPDX-License-Identifier: MIT */
/* parse.h - parser of the assembly language.
 *
 *    parse_operand.c    registers, constants, values; their modifiers
 *    parse_immediate.c  hwreg(...), sendmsg(...), s_waitcnt's counts, swizzle(...)
 *    parse_modifier.c   modifiers after the operands
 *    parse_inst.c       one instruction: mnemonic, encoding, operands
 *    assemble.c         a whole text: labels, directives
 *    program_parse.c    machine code between the phases
 *
 * The cursor over the text is machine/text/cursor.h.
 */
#ifndef HEDDLE_BACKEND_GCN_ASM_PARSE_H
#define HEDDLE_BACKEND_GCN_ASM_PARSE_H

#include "backend/gcn/program.h"
#include "machine/text/cursor.h"

struct hd_gcn_text_arg;

typedef struct hd_gcn_reader {
   hd_mach_cursor c;
   hd_gcn_gen gen;
   bool values; /* SSA values and pseudo ops are allowed; what cannot be encoded, too */
   void *user;  /* for `value`, called for each SSA value that is read; false: it was refused */
   bool (*value)(struct hd_gcn_reader *r, const struct hd_gcn_text_arg *arg);
} hd_gcn_reader;

static inline void
hd_gcn_reader_init(hd_gcn_reader *r, hd_gcn_gen gen, const hd_config *config, const char *file,
                   const char *text, size_t length)
{
   *r = (hd_gcn_reader){ .gen = gen };
   hd_mach_cursor_init(&r->c, config, file, text, length);
}

/* parse_operand.c */

typedef enum hd_gcn_text_arg_kind {
   HD_GCN_TEXT_OPERAND, /* a register, a value, nothing */
   HD_GCN_TEXT_INTEGER,
   HD_GCN_TEXT_FLOAT,
   HD_GCN_TEXT_SYMBOL,
   HD_GCN_TEXT_IMMEDIATE, /* hwreg(...) and the like: `integer` is what it encodes */
} hd_gcn_text_arg_kind;

typedef struct hd_gcn_text_arg {
   hd_gcn_text_arg_kind kind;
   hd_mach_operand operand; /* its flags say the modifiers of all kinds */
   char value_kind;         /* of an SSA value: v, s, m (a mask), l (linear) */
   int64_t integer;
   hd_mach_word word; /* all of it: for messages, and the digits of a float */
   bool negative;     /* a float */
   bool literal;      /* lit(...): not inline, even if it could be */
} hd_gcn_text_arg;

bool hd_gcn_read_arg(hd_gcn_reader *r, hd_gcn_text_arg *arg);
/* A register by name: "s[4:5]", "vcc". False: it is none, nothing was read or reported. */
bool hd_gcn_read_register(hd_gcn_reader *r, hd_mach_operand *operand);

/* The constant that an argument is where `type` is read: inline where it can be. */
bool hd_gcn_text_const(hd_gcn_reader *r, const hd_gcn_text_arg *arg, hd_gcn_type type,
                       hd_mach_operand *operand);

/* parse_immediate.c: each after its name and "(" was read; up to and with ")". */

bool hd_gcn_read_hwreg(hd_gcn_reader *r, int64_t *value);
bool hd_gcn_read_sendmsg(hd_gcn_reader *r, int64_t *value);
bool hd_gcn_read_gpr_idx(hd_gcn_reader *r, int64_t *value);
bool hd_gcn_read_swizzle(hd_gcn_reader *r, int64_t *value);
/* All that follows s_waitcnt. */
bool hd_gcn_read_waitcnt(hd_gcn_reader *r, int64_t *value);

/* parse_modifier.c */

/* What the modifiers of one statement gave beside what they put into the instruction. */
typedef struct hd_gcn_modifiers {
   hd_mach_word op_sel, op_sel_hi, neg_lo, neg_hi; /* where they stand; length 0: not at all */
   unsigned op_sel_num, op_sel_hi_num, neg_lo_num, neg_hi_num;
   unsigned neg_lo_bits, neg_hi_bits;
   unsigned sdwa_seen; /* bits: dst_sel, dst_unused, src0_sel, src1_sel */
   bool offset, two_offsets, sdwa, dpp, masks;
   unsigned export_bits; /* done, compr, vm */
   int32_t offset0, offset1;
   /* SSA values of operands that the text does not name otherwise. */
   unsigned extra_set; /* bit n: operand n */
   hd_mach_operand extra[HD_GCN_MAX_OPERANDS];
} hd_gcn_modifiers;

/* All that are there, up to the end of the statement. */
bool hd_gcn_read_modifiers(hd_gcn_reader *r, hd_mach_inst *inst, hd_gcn_modifiers *modifiers);

/* parse_image.c: what follows a colon: "[BUF_DATA_FORMAT_32,BUF_NUM_FORMAT_UINT]" or a number. */
bool hd_gcn_read_formats(hd_gcn_reader *r, uint8_t *value);
/* "attr3.x", "p10", "mrt0": what it says of the immediate. -1: it is none. */
int hd_gcn_attribute_of(hd_mach_word word);
int hd_gcn_vertex_of(hd_mach_word word);
int hd_gcn_export_target_of(hd_mach_word word);

/* parse_inst.c */

/* Ops that have this name on the generation, without a suffix; HD_GCN_OP_NONE: none. */
hd_gcn_op hd_gcn_op_find(hd_gcn_gen gen, const char *name, size_t length);

/* One statement that is an instruction, no pseudo op. A branch to a symbol has it in `target`
 * (length 0: to a number).
 */
bool hd_gcn_read_inst(hd_gcn_reader *r, hd_gcn_decoded *out, hd_mach_word *target);

/* program_parse.c: what hd_gcn_program_print printed, into a program that is empty but for its
 * stack. Its target is set. False: a diagnostic in the sink of `config` says why not. Unwinds when
 * memory runs out.
 */
bool hd_gcn_program_parse(hd_mach_program *p, const hd_config *config, const char *file,
                          const char *text, size_t length);

#endif
