/* SPDX-License-Identifier: MIT */
/* parse.h - text of the assembler's language as instructions.
 *
 *    parse_text.c       the cursor over the text, words, numbers, messages
 *    parse_operand.c    registers, constants, values; their modifiers
 *    parse_immediate.c  hwreg(...), sendmsg(...), s_waitcnt's counts, swizzle(...)
 *    parse_modifier.c   what stands behind the operands
 *    parse_inst.c       one instruction: names, forms, operands to their places
 *    assemble.c         a whole text: labels, directives
 *    program_parse.c    machine code between the phases
 *
 * A statement is a line. After an error the rest of the line is skipped, and reading goes on.
 */
#ifndef HEDDLE_BACKEND_GCN_ASM_PARSE_H
#define HEDDLE_BACKEND_GCN_ASM_PARSE_H

#include "backend/gcn/program.h"

#define HD_GCN_MAX_ERRORS 20u

struct hd_gcn_text_arg;

typedef struct hd_gcn_reader {
   hd_gcn_gen gen;
   const hd_config *config; /* may be NULL */
   const char *file;        /* may be NULL */
   const char *text, *end;
   const char *at;         /* what is read next */
   const char *line_start; /* of the line that it is in */
   uint32_t line;          /* from 1 */
   uint32_t errors;
   bool values; /* SSA values and pseudo ops are allowed; what cannot be encoded, too */
   void *user;  /* for `value`, which is told each SSA value that is read; false: it was refused */
   bool (*value)(struct hd_gcn_reader *r, const struct hd_gcn_text_arg *arg);
} hd_gcn_reader;

/* A run of the text. */
typedef struct hd_gcn_word {
   const char *start;
   size_t length;
} hd_gcn_word;

/* parse_text.c */

void hd_gcn_reader_init(hd_gcn_reader *r, hd_gcn_gen gen, const hd_config *config, const char *file,
                        const char *text, size_t length);
/* Past blanks and comments of this line. */
void hd_gcn_skip_blanks(hd_gcn_reader *r);
/* At the end of a statement (a line, or the text), after blanks. */
bool hd_gcn_at_end(hd_gcn_reader *r);
/* To the first statement after this one; false at the end of the text. */
bool hd_gcn_next_statement(hd_gcn_reader *r);
/* The character if it is next, after blanks. */
bool hd_gcn_accept(hd_gcn_reader *r, char c);
/* The same, or an error that says what was expected. */
bool hd_gcn_expect(hd_gcn_reader *r, char c);
/* Letters, digits, '_', '.', '$'; length 0 if there is none. */
hd_gcn_word hd_gcn_read_word(hd_gcn_reader *r);
/* The word that is next, without reading it. */
hd_gcn_word hd_gcn_peek_word(hd_gcn_reader *r);
bool hd_gcn_word_is(hd_gcn_word word, const char *text);
/* A whole number, with a sign: decimal, 0x or 0b. False: an error was told. */
bool hd_gcn_read_integer(hd_gcn_reader *r, int64_t *value);
/* The same, from `low` to `high`. */
bool hd_gcn_read_range(hd_gcn_reader *r, int64_t low, int64_t high, int64_t *value);

/* Tell the sink; always false. The rest of the statement is to be skipped. */
bool hd_gcn_error(hd_gcn_reader *r, const char *place, size_t length, const char *format, ...)
    HD_PRINTF(4, 5);

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
   hd_gcn_word word; /* all of it: for messages, and the digits of a float */
   bool negative;    /* a float */
   bool literal;     /* lit(...): not inline, even if it could be */
} hd_gcn_text_arg;

bool hd_gcn_read_arg(hd_gcn_reader *r, hd_gcn_text_arg *arg);
/* A register by name: "s[4:5]", "vcc". False: it is none, nothing was read or told. */
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

/* What the modifiers of one statement said beside what they put into the instruction. */
typedef struct hd_gcn_modifiers {
   hd_gcn_word op_sel, op_sel_hi, neg_lo, neg_hi; /* where they stand; length 0: not at all */
   unsigned op_sel_num, op_sel_hi_num, neg_lo_num, neg_hi_num;
   unsigned neg_lo_bits, neg_hi_bits;
   unsigned sdwa_seen; /* bits: dst_sel, dst_unused, src0_sel, src1_sel */
   bool offset, two_offsets, sdwa, dpp, masks;
   int32_t offset0, offset1;
   /* SSA values of operands that the text does not name otherwise. */
   unsigned extra_set; /* bit n: operand n */
   hd_mach_operand extra[HD_GCN_MAX_OPERANDS];
} hd_gcn_modifiers;

/* All that are there, up to the end of the statement. */
bool hd_gcn_read_modifiers(hd_gcn_reader *r, hd_mach_inst *inst, hd_gcn_modifiers *modifiers);

/* parse_inst.c */

/* Ops that have this name on the generation, without a suffix; HD_GCN_OP_NONE: none. */
hd_gcn_op hd_gcn_op_find(hd_gcn_gen gen, const char *name, size_t length);

/* One statement that is an instruction, no pseudo op. A branch to a symbol has it in `target`
 * (length 0: to a number).
 */
bool hd_gcn_read_inst(hd_gcn_reader *r, hd_gcn_decoded *out, hd_gcn_word *target);

/* program_parse.c: what hd_gcn_program_print printed, into a program that is empty but for its
 * stack. Its target is set. False: the sink of `config` was told why not. Unwinds when memory runs
 * out.
 */
bool hd_gcn_program_parse(hd_mach_program *p, const hd_config *config, const char *file,
                          const char *text, size_t length);

#endif
