/* SPDX-License-Identifier: MIT */
/* reader.h - lexer and cursor of a line of assembly text. */
#ifndef HEDDLE_BACKEND_GEN9_READER_H
#define HEDDLE_BACKEND_GEN9_READER_H

#include "backend/gen9/isa/isa.h"

typedef struct hd_gen9_reader {
   const hd_diag_sink *sink;
   const char *file;
   unsigned line;
   const char *start, *at, *end; /* of the line without its comment */
   unsigned errors;
   bool failed; /* in this line: further messages are dropped */
   bool quiet;
   /* The address of a label; false: there is none. */
   bool (*find_label)(void *user, const char *name, size_t length, uint64_t *address);
   void *user;
} hd_gen9_reader;

typedef struct hd_gen9_name {
   const char *start;
   size_t length;
} hd_gen9_name;

/* A message about what stands at `at`. Returns false. */
bool hd_gen9_fail(hd_gen9_reader *r, const char *format, ...) HD_PRINTF(2, 3);

void hd_gen9_skip_blanks(hd_gen9_reader *r);
bool hd_gen9_at_end(hd_gen9_reader *r);
/* Blanks before it are passed over; not within the text. */
bool hd_gen9_accept(hd_gen9_reader *r, const char *text);
bool hd_gen9_expect(hd_gen9_reader *r, const char *text);
/* Letters, digits, `_` and `$`; length 0: there is none. */
hd_gen9_name hd_gen9_read_name(hd_gen9_reader *r);
bool hd_gen9_name_is(hd_gen9_name name, const char *text);
/* Decimal, or hexadecimal after 0x. False, without a message: there is none, or it is larger. */
bool hd_gen9_read_number(hd_gen9_reader *r, uint64_t max, uint64_t *value);

/* An instruction, its predicate first. False: a message was sent. `address` is its own. */
bool hd_gen9_read_inst(hd_gen9_reader *r, uint64_t address, hd_gen9_word *word);
/* For it: operands of instructions that compute. `three`: the class has three sources. */
bool hd_gen9_read_dst(hd_gen9_reader *r, hd_gen9_word *word, bool three);
bool hd_gen9_read_src(hd_gen9_reader *r, hd_gen9_word *word, unsigned n, bool three);
/* A register without a region or a type; subregisters are in bytes of `size`. */
bool hd_gen9_read_register(hd_gen9_reader *r, hd_gen9_operand *o);
bool hd_gen9_read_type(hd_gen9_reader *r, uint8_t *type);
void hd_gen9_scale_subreg(hd_gen9_operand *o);

#endif
