/* SPDX-License-Identifier: MIT */
/* parse.h - the parser: state and interface of its files.
 *
 *    parse.c         the entry point; shaders, functions, their declarations
 *    parse_body.c    blocks, ifs and loops: an explicit stack of open nodes; edges
 *    parse_instr.c   one instruction
 *    parse_phi.c     what is resolved at the end of a function: phis, forward references
 *    parse_names.c   symbol lookup
 *    parse_token.c   expected tokens, numbers, diagnostics
 *    parse_number.c  number literals
 *
 * Functions that return bool say whether the text was as it must be; if not, they have reported it
 * and the caller recovers. Memory and budget unwind.
 */
#ifndef HEDDLE_IR_PARSE_H
#define HEDDLE_IR_PARSE_H

#include "heddle/ops.h"
#include "heddle/text.h"
#include "ir/lex.h"
#include "ir/private.h"

/* What a name of the text stands for. */
struct record {
   void *object;      /* hd_def, hd_block, hd_var or hd_function; NULL while it is only mentioned */
   const char *place; /* where it is defined, or else first mentioned */
   size_t length;
   bool defined;
   uint32_t stamp; /* of a block: the switch for which `slot` is its successor index */
   uint32_t slot;
};

struct name_slot {
   const char *key; /* NULL in an empty slot */
   size_t length;
   uint32_t hash;
   uint32_t record;
};

/* Small numbers are found by an array, everything else by a hash table. */
struct name_table {
   hd_stack *stack; /* whose memory it is in */
   struct record *records;
   uint32_t num_records, records_capacity;
   uint32_t *numbers; /* 1 + record, or 0 */
   uint32_t numbers_capacity;
   struct name_slot *slots; /* a power of two */
   uint32_t num_slots_used, slots_capacity;
};

enum open_kind { OPEN_BODY, OPEN_THEN, OPEN_ELSE, OPEN_LOOP, OPEN_CONTINUE };

/* A list whose closing brace has not come yet. */
struct open_list {
   enum open_kind kind;
   hd_cf_node *node;  /* the if or loop */
   hd_block *after;   /* the block after it */
   uint32_t loop;     /* 1 + the position on the stack of the innermost loop, this one included */
   const char *place; /* what to point at when the brace does not come */
   size_t length;
};

/* A source that was read before its definition. */
struct fixup {
   hd_src *src;
   uint32_t record;
};

struct phi_pair {
   uint32_t block, value; /* records */
   const char *place;
   size_t length;
};

struct pending_phi {
   hd_phi *phi; /* without sources until the end of the function */
   size_t first_pair;
   uint32_t num_pairs;
   const char *place;
   size_t length;
};

struct pending_call {
   hd_call *call;
   uint32_t record;
};

/* Arrays in one of the two stacks. */
#define GROWING(type)                                                                              \
   struct {                                                                                        \
      type *at;                                                                                    \
      size_t num, capacity;                                                                        \
   }

struct parser {
   struct lexer lexer;
   struct token tok;
   const char *last_end; /* of the token before */

   const char *file, *text, *end;
   /* Locations are lines of this text; up to `counted` they are counted. */
   bool located;
   const char *counted;
   uint32_t line;
   hd_shader *shader;
   hd_heap *heap;
   hd_stack *stack;  /* what lives as long as the parser */
   hd_stack scratch; /* what lives as long as a function */
   unsigned errors;
   char *string; /* the last string that was decoded */
   size_t string_capacity;
   hd_def *dummy; /* what a failed definition defines */

   /* the shader */
   uint32_t properties; /* which have been given */
   struct name_table functions;
   GROWING(struct pending_call) calls;

   /* the function */
   hd_function *f;
   hd_block *block;
   bool label_fits;     /* a label may come: nothing stands in the block yet */
   bool ended;          /* the block has a jump, or one that failed */
   bool block_failed;   /* something in the block failed, perhaps its jump */
   bool ended_reported; /* that something follows the jump */
   bool in_parentheses; /* where an operand may begin a line */
   bool skipped;        /* text was skipped: what is not defined may have been in it */
   unsigned errors_before;
   uint32_t num_switches;
   struct name_table values, blocks, vars;
   GROWING(struct open_list) open;
   GROWING(uint32_t) labels; /* by index of the block: 1 + record, or 0 */
   GROWING(struct fixup) fixups;
   GROWING(struct phi_pair) pairs;
   GROWING(struct pending_phi) phis;
   GROWING(hd_switch_case) cases; /* of one switch */
   GROWING(uint32_t) list; /* records of one instruction's operands, where there may be many */
};

/* Make room for one more element; a copy that doubles, so linear in all. */
void *hd_parse_grow(hd_stack *stack, void *at, size_t num, size_t *capacity, size_t element);
#define PUSH(stack, array)                                                                         \
   ((array).num < (array).capacity                                                                 \
        ? &(array).at[(array).num++]                                                               \
        : ((array).at = hd_parse_grow((stack), (array).at, (array).num, &(array).capacity,         \
                                      sizeof(*(array).at)),                                        \
           &(array).at[(array).num++]))

/* parse.c */

/* `var $a:32x4[16]` */
bool hd_parse_var(struct parser *p);

/* parse_token.c */

void hd_parse_next(struct parser *p);
/* The token after the current one. */
struct token hd_parse_peek(const struct parser *p);
/* Report at a location; the first argument after it is a format. Stops parsing after the last error
 * that is allowed. Always false, so that callers can return it.
 */
void hd_parse_report(struct parser *p, const char *place, size_t length, const char *format, ...)
    HD_PRINTF(4, 5);
#define hd_parse_error(...) (hd_parse_report(__VA_ARGS__), false)
void hd_parse_note(struct parser *p, const char *place, size_t length, const char *message);
/* "expected <what>, found <the current token>". */
void hd_parse_report_expected(struct parser *p, const char *what);
#define hd_parse_expected(p, what) (hd_parse_report_expected((p), (what)), false)
/* The same where a line begins: what is missing does not belong to the one before. */
void hd_parse_report_unexpected(struct parser *p, const char *what);
#define hd_parse_unexpected(p, what) (hd_parse_report_unexpected((p), (what)), false)
/* Pass a token, or say that `what` was expected. Without `same_line`, it may begin a line. */
bool hd_parse_expect(struct parser *p, int kind, const char *what, bool same_line);
bool hd_parse_is_word(const struct token *t, const char *word);
/* Pass a number of up to `max`. */
bool hd_parse_count(struct parser *p, const char *what, uint32_t max, uint32_t *value);
/* `32x4` */
bool hd_parse_type(struct parser *p, unsigned *num_components, unsigned *bit_size);
/* Pass a string, or a name in quotes or without; the decoded text, valid until the next one. */
bool hd_parse_string(struct parser *p, const char **string, size_t *length);
/* Pass ` @"file":1:2` if it is there; else *loc is 0. */
bool hd_parse_location(struct parser *p, uint32_t *loc);
/* From somewhere in what began at `start` to the next line, past all braces that open on the way,
 * but not past one that closes.
 */
void hd_parse_recover(struct parser *p, const char *start);

/* parse_number.c */

/* Decimal or 0x...; false when it is neither or has more than 64 bits. */
bool hd_parse_integer(const char *s, size_t length, uint64_t *value);
enum hd_number_fault { HD_NUMBER_FITS, HD_NUMBER_MALFORMED, HD_NUMBER_TOO_LARGE };
/* `1.5e-3`, rounded to nearest, to a float of 16, 32 or 64 bits. */
enum hd_number_fault hd_parse_float(const char *s, size_t length, unsigned bit_size,
                                    uint64_t *value);

/* parse_names.c */

/* The record of a name, made where there is none. `key` must live as long as the table. */
uint32_t hd_parse_name(struct name_table *t, const char *key, size_t length);
/* The same for values and blocks, of the current token. */
uint32_t hd_parse_value_record(struct parser *p, const struct token *t);
uint32_t hd_parse_block_record(struct parser *p, const struct token *t);
/* Say that a record is defined by `object` here; reports a second definition. */
bool hd_parse_define(struct parser *p, struct name_table *table, uint32_t record, void *object,
                     const char *place, size_t length, const char *what);

/* parse_instr.c */

bool hd_parse_definition(struct parser *p); /* `%3:32 = ...` */
bool hd_parse_statement(struct parser *p);  /* an instruction without result */
/* Let a source read a value, now or at the end of the function. The source is linked by whoever
 * inserts its instruction, if it has its definition then.
 */
void hd_parse_use(struct parser *p, hd_src *src, uint32_t record);
/* Pass a value; its record. */
bool hd_parse_operand(struct parser *p, uint32_t *record);
/* Pass one component of a constant, or a case. */
bool hd_parse_component(struct parser *p, unsigned bit_size, uint64_t *value);
/* Put an instruction at the end of the block. */
void hd_parse_append(struct parser *p, hd_instr *instr);

/* parse_phi.c */

/* After its mnemonic. */
bool hd_parse_phi(struct parser *p, unsigned num_components, unsigned bit_size,
                  const struct token *mnemonic, hd_instr **instr);
void hd_parse_resolve(struct parser *p);

/* parse_body.c */

/* From after the opening brace of a function to after its closing one. */
void hd_parse_body(struct parser *p, const struct token *brace);
/* After its mnemonic. Adds the edges. */
bool hd_parse_jump(struct parser *p, hd_jump_kind kind, const struct token *mnemonic,
                   hd_instr **instr);

#endif
