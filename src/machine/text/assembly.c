/* SPDX-License-Identifier: MIT */
/* assembly.c - assembly text as bytes: assembly.h. */
#include "machine/text/assembly.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/quote.h"

/* A line */

bool
hd_mach_line_fail(hd_mach_assembler *a, const char *format, ...)
{
   char text[160];
   va_list args;

   if (a->failed)
      return false;
   a->failed = true;
   if (a->labels_only || a->errors++ >= HD_MACH_MAX_TEXT_ERRORS)
      return false;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   const hd_diag diag = { .severity = HD_ERROR,
                          .message = text,
                          .file = a->file,
                          .line = a->line,
                          .column = (unsigned)(a->at - a->start) + 1 };
   hd_diag_send(a->sink, &diag);
   return false;
}

void
hd_mach_line_skip_blanks(hd_mach_assembler *a)
{
   while (a->at < a->end && (*a->at == ' ' || *a->at == '\t' || *a->at == '\r'))
      a->at++;
}

bool
hd_mach_line_at_end(hd_mach_assembler *a)
{
   hd_mach_line_skip_blanks(a);
   return a->at == a->end;
}

bool
hd_mach_line_finish(hd_mach_assembler *a)
{
   return hd_mach_line_at_end(a) || hd_mach_line_fail(a, "expected the end of the line");
}

bool
hd_mach_line_accept(hd_mach_assembler *a, const char *text)
{
   const size_t length = strlen(text);

   hd_mach_line_skip_blanks(a);
   if ((size_t)(a->end - a->at) < length || memcmp(a->at, text, length))
      return false;
   a->at += length;
   return true;
}

bool
hd_mach_line_expect(hd_mach_assembler *a, const char *text)
{
   return hd_mach_line_accept(a, text) || hd_mach_line_fail(a, "expected '%s'", text);
}

static bool
is_name_char(const hd_mach_assembler *a, char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
          (c && strchr(a->rows->name_chars, c));
}

hd_mach_word
hd_mach_line_name(hd_mach_assembler *a)
{
   hd_mach_line_skip_blanks(a);
   hd_mach_word name = { a->at, 0 };
   while (a->at < a->end && is_name_char(a, *a->at))
      a->at++;
   name.length = (size_t)(a->at - name.start);
   return name;
}

static unsigned
digit_of(char c)
{
   if (c >= '0' && c <= '9')
      return (unsigned)(c - '0');
   if (c >= 'a' && c <= 'f')
      return (unsigned)(c - 'a') + 10;
   return c >= 'A' && c <= 'F' ? (unsigned)(c - 'A') + 10 : 99;
}

bool
hd_mach_line_number(hd_mach_assembler *a, uint64_t max, uint64_t *value)
{
   unsigned base = 10;

   hd_mach_line_skip_blanks(a);
   if (a->end - a->at > 2 && a->at[0] == '0' && (a->at[1] | 32) == 'x') {
      base = 16;
      a->at += 2;
   }
   const char *first = a->at;
   *value = 0;
   for (; a->at < a->end && digit_of(*a->at) < base; a->at++) {
      const unsigned digit = digit_of(*a->at);
      if (digit > max || *value > (max - digit) / base)
         return false;
      *value = *value * base + digit;
   }
   return a->at > first;
}

/* Labels */

bool
hd_mach_assembler_find(hd_mach_assembler *a, hd_mach_word name, uint64_t *address)
{
   *address = a->address;
   if (a->labels_only)
      return true;
   const hd_mach_label *label = hd_mach_label_of(&a->labels, name);
   if (label->defined)
      *address = label->address;
   return label->defined;
}

/* Both walks read the same text: the one that was met first is the same place in it. */
static void
add_label(hd_mach_assembler *a, hd_mach_word name)
{
   hd_mach_label *label = hd_mach_label_of(&a->labels, name);

   if (!label->defined) {
      label->defined = true;
      label->address = a->address;
   } else if (label->name.start != name.start) {
      hd_mach_line_fail(a, "the label is defined twice");
   }
}

/* All lines */

void
hd_mach_assembler_put(hd_mach_assembler *a, const unsigned char *bytes, unsigned num)
{
   a->address += num;
   if (!a->labels_only)
      hd_blob_append(a->code, bytes, num);
}

static void
read_line(hd_mach_assembler *a)
{
   a->failed = false;
   for (;;) {
      const char *before = a->at;
      const hd_mach_word name = hd_mach_line_name(a);
      if (!name.length || !hd_mach_line_accept(a, ":")) {
         a->at = before;
         break;
      }
      add_label(a, name);
   }
   if (!hd_mach_line_at_end(a))
      a->rows->read(a);
}

static bool
begins_comment(const hd_mach_assembler *a, const char *end)
{
   const char c = *a->end;

   return (c == '/' && end - a->end > 1 && a->end[1] == '/') || (c && strchr(a->rows->comments, c));
}

static void
read_lines(hd_mach_assembler *a, const char *text, size_t length)
{
   const char *end = length ? text + length : text; /* no text may be NULL */

   a->line = 0;
   a->address = 0;
   while (text < end) {
      const char *stop = memchr(text, '\n', (size_t)(end - text));
      const char *next = stop ? stop + 1 : end;
      a->line++;
      a->start = a->at = a->end = text;
      while (a->end < (stop ? stop : end) && !begins_comment(a, end))
         a->end++;
      read_line(a);
      text = next;
   }
}

hd_result
hd_mach_assemble(const hd_mach_assembly *rows, const hd_config *config, const char *file,
                 const char *text, size_t length, hd_blob *code)
{
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;
   hd_blob bytes;

   hd_heap_init(&heap, config);
   hd_stack_init(&stack, &heap);
   hd_blob_init(&bytes, config);
   hd_mach_assembler a = { .rows = rows,
                           .sink = &heap.config.diag,
                           .file = file,
                           .labels = { .stack = &stack },
                           .code = &bytes };
   if (HD_TRY(&heap, &u)) {
      a.labels_only = true;
      read_lines(&a, text, length);
      a.labels_only = false;
      read_lines(&a, text, length);
   }
   hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   if (result == HD_OK)
      result = bytes.result;
   if (result == HD_OK && a.errors)
      result = HD_INVALID;
   if (result == HD_OK) {
      hd_blob_append(code, bytes.data, bytes.size);
      result = code->result;
   }
   hd_blob_finish(&bytes);
   return result;
}

/* By `list`, or if that is NULL by the rows. */
static hd_result
disassemble(hd_mach_list_code *list, const hd_mach_listing *rows, const char *indent,
            const hd_config *config, bool words, const void *code, size_t size, hd_blob *text,
            size_t *unknown)
{
   volatile size_t num = 0;
   hd_heap heap;
   hd_stack stack;
   hd_unwind u;

   hd_heap_init(&heap, config);
   hd_stack_init(&stack, &heap);
   if (HD_TRY(&heap, &u))
      num = list ? list(&stack, code, size, words, text)
                 : hd_mach_list(rows, &stack, code, size, indent, words, text);
   const hd_result result = hd_heap_leave(&heap, &u);
   hd_stack_finish(&stack);
   if (unknown)
      *unknown = num;
   return result != HD_OK ? result : text->result;
}

hd_result
hd_mach_disassemble(hd_mach_list_code *list, const hd_config *config, bool words, const void *code,
                    size_t size, hd_blob *text, size_t *unknown)
{
   return disassemble(list, NULL, NULL, config, words, code, size, text, unknown);
}

hd_result
hd_mach_disassemble_listing(const hd_mach_listing *rows, const char *indent,
                            const hd_config *config, bool words, const void *code, size_t size,
                            hd_blob *text, size_t *unknown)
{
   return disassemble(NULL, rows, indent, config, words, code, size, text, unknown);
}
