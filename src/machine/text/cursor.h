/* SPDX-License-Identifier: MIT */
/* cursor.h - lexer of assembly text: words, numbers, diagnostics.
 *
 * A statement is a line. After an error the rest of the line is skipped, and reading goes on.
 * Comments are `;` and `//` to the end of the line, and those of C.
 */
#ifndef HEDDLE_MACHINE_TEXT_CURSOR_H
#define HEDDLE_MACHINE_TEXT_CURSOR_H

#include "heddle/base.h"

#define HD_MACH_MAX_TEXT_ERRORS 20u

typedef struct hd_mach_cursor {
   const hd_config *config; /* may be NULL */
   const char *file;        /* may be NULL */
   const char *text, *end;
   const char *at;         /* what is read next */
   const char *line_start; /* of the line that it is in */
   uint32_t line;          /* from 1 */
   uint32_t errors;
} hd_mach_cursor;

/* A run of the text. */
typedef struct hd_mach_word {
   const char *start;
   size_t length;
} hd_mach_word;

void hd_mach_cursor_init(hd_mach_cursor *r, const hd_config *config, const char *file,
                         const char *text, size_t length);
/* Past blanks and comments of this line. */
void hd_mach_skip_blanks(hd_mach_cursor *r);
/* At the end of a statement (a line, or the text), after blanks. */
bool hd_mach_at_end(hd_mach_cursor *r);
/* To the first statement after this one; false at the end of the text. */
bool hd_mach_next_statement(hd_mach_cursor *r);
/* The character if it is next, after blanks. */
bool hd_mach_accept(hd_mach_cursor *r, char c);
/* The same, or an error that says what was expected. */
bool hd_mach_expect(hd_mach_cursor *r, char c);
/* Letters, digits, '_', '.', '$'; length 0 if there is none. */
hd_mach_word hd_mach_read_word(hd_mach_cursor *r);
/* The word that is next, without reading it. */
hd_mach_word hd_mach_peek_word(hd_mach_cursor *r);
bool hd_mach_word_is(hd_mach_word word, const char *text);
/* A whole number, with a sign: decimal, 0x or 0b. False: an error was reported. */
bool hd_mach_read_integer(hd_mach_cursor *r, int64_t *value);
/* The same, from `low` to `high`. */
bool hd_mach_read_range(hd_mach_cursor *r, int64_t low, int64_t high, int64_t *value);

/* Send a diagnostic; always false. The rest of the statement is to be skipped. */
bool hd_mach_text_error(hd_mach_cursor *r, const char *place, size_t length, const char *format,
                        ...) HD_PRINTF(4, 5);

#endif
