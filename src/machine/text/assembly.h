/* SPDX-License-Identifier: MIT */
/* assembly.h - assembly text as bytes, line by line, in two walks: the first one finds the labels; and back.
 *
 *    label: label: name operands // comment
 */
#ifndef HEDDLE_MACHINE_TEXT_ASSEMBLY_H
#define HEDDLE_MACHINE_TEXT_ASSEMBLY_H

#include "machine/text/labels.h"
#include "machine/text/listing.h"

/* The line that is read, from `at` on, and all that was read before. A machine's own begins with it. */
typedef struct hd_mach_assembler {
   const struct hd_mach_assembly *rows;
   const hd_diag_sink *sink;
   const char *file; /* may be NULL */
   unsigned line;
   const char *start, *at, *end; /* without the comment */
   unsigned errors;
   bool failed;      /* in this line: further messages are dropped */
   bool labels_only; /* the first walk: nothing is reported, and labels have any address */
   uint64_t address; /* of what comes next */
   hd_mach_labels labels;
   hd_blob *code;
} hd_mach_assembler;

/* What a machine has for it. */
typedef struct hd_mach_assembly {
   const char *comments;   /* characters that begin one, besides two slashes */
   const char *name_chars; /* that names have, besides letters and digits */
   /* What stands behind labels, if something does: an instruction or a directive, which is put by
    * hd_mach_assembler_put, in both walks as many bytes.
    */
   void (*read)(hd_mach_assembler *a);
} hd_mach_assembly;

/* Append what `text` says to `code`; nothing if there are errors, which are reported: HD_INVALID. */
hd_result hd_mach_assemble(const hd_mach_assembly *rows, const hd_config *config, const char *file,
                           const char *text, size_t length, hd_blob *code);

/* The reverse: append the text of the bytes, with the words beside it if `words` says so. Returns how much of
 * them is no instruction. Unwinds; `stack` is for what it needs.
 */
typedef size_t hd_mach_list_code(hd_stack *stack, const unsigned char *code, size_t size,
                                 bool words, hd_blob *text);
/* *unknown is what `list` returned; may be NULL. */
hd_result hd_mach_disassemble(hd_mach_list_code *list, const hd_config *config, bool words,
                              const void *code, size_t size, hd_blob *text, size_t *unknown);

/* The same by rows; *unknown are bytes. */
hd_result hd_mach_disassemble_listing(const hd_mach_listing *rows, const char *indent,
                                      const hd_config *config, bool words, const void *code,
                                      size_t size, hd_blob *text, size_t *unknown);

void hd_mach_assembler_put(hd_mach_assembler *a, const unsigned char *bytes, unsigned num);
/* False: there is no such label. */
bool hd_mach_assembler_find(hd_mach_assembler *a, hd_mach_word name, uint64_t *address);

/* A message about what stands at `at`. Returns false. */
bool hd_mach_line_fail(hd_mach_assembler *a, const char *format, ...) HD_PRINTF(2, 3);
void hd_mach_line_skip_blanks(hd_mach_assembler *a);
bool hd_mach_line_at_end(hd_mach_assembler *a);
/* Nothing but blanks is left, or a message was sent. */
bool hd_mach_line_finish(hd_mach_assembler *a);
/* Blanks before it are passed over; not within the text. */
bool hd_mach_line_accept(hd_mach_assembler *a, const char *text);
bool hd_mach_line_expect(hd_mach_assembler *a, const char *text);
/* Length 0: there is none. */
hd_mach_word hd_mach_line_name(hd_mach_assembler *a);
/* Decimal, or hexadecimal after 0x. False, without a message: there is none, or it is larger. */
bool hd_mach_line_number(hd_mach_assembler *a, uint64_t max, uint64_t *value);

#endif
