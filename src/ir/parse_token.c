/* SPDX-License-Identifier: MIT */
/* parse_token.c - parser: token helpers, diagnostics, error recovery. */
#include "ir/parse.h"

#include <stdarg.h>
#include <stdio.h>

#include "util/quote.h"

void *
hd_parse_grow(hd_stack *stack, void *at, size_t num, size_t *capacity, size_t element)
{
   size_t larger = *capacity ? *capacity * 2 : 16;
   void *grown = hd_stack_alloc(stack, larger * element);

   if (num)
      memcpy(grown, at, num * element);
   *capacity = larger;
   return grown;
}

void
hd_parse_next(struct parser *p)
{
   p->last_end = p->tok.start + p->tok.length;
   hd_lex(&p->lexer, &p->tok);
}

struct token
hd_parse_peek(const struct parser *p)
{
   struct lexer lexer = p->lexer;
   struct token t;

   hd_lex(&lexer, &t);
   return t;
}

/* Lines are only counted for callers that ask: there are few errors, and many lines. */
static void
report(struct parser *p, hd_severity severity, const char *place, size_t length,
       const char *message)
{
   hd_diag_sink sink = p->heap->config.diag;
   const char *line = p->text, *newline;
   uint32_t number = 1;

   if (!sink.report)
      return;
   while ((newline = memchr(line, '\n', (size_t)(place - line))) != NULL) {
      line = newline + 1;
      number += number < UINT32_MAX;
   }
   newline = memchr(place, '\n', (size_t)(p->end - place));
   const char *line_end = newline ? newline : p->end;
   if (length > (size_t)(line_end - place))
      length = (size_t)(line_end - place);
   if (line_end > line && line_end[-1] == '\r')
      line_end--;
   size_t column = (size_t)(place - line) + 1;
   hd_diag diag = {
      .severity = severity,
      .file = p->file,
      .line = number,
      .column = column < UINT32_MAX ? (uint32_t)column : UINT32_MAX,
      .length = length == 0           ? 1
                : length < UINT32_MAX ? (uint32_t)length
                                      : UINT32_MAX,
      .message = message,
      .text = line,
      .text_length = (size_t)(line_end - line),
   };
   hd_diag_send(&sink, &diag);
}

void
hd_parse_report(struct parser *p, const char *place, size_t length, const char *format, ...)
{
   char message[256];
   va_list args;

   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   report(p, HD_ERROR, place, length, message);
   if (++p->errors == HD_PARSE_MAX_ERRORS) {
      report(p, HD_NOTE, place, length, "too many errors: the rest of the text is not read");
      hd_heap_fail(p->heap, HD_INVALID);
   }
}

void
hd_parse_note(struct parser *p, const char *place, size_t length, const char *message)
{
   report(p, HD_NOTE, place, length, message);
}

/* What a token is called in a message. */
static void
describe(const struct token *t, char *out, size_t size)
{
   int length = t->length < 40 ? (int)t->length : 40;
   const char *dots = t->length > 40 ? "..." : "";

   if (t->kind == TOKEN_END)
      snprintf(out, size, "the end of the text");
   else if (t->kind == TOKEN_BAD_STRING)
      snprintf(out, size, "a string that does not end on its line");
   else if (t->kind == TOKEN_BAD_BYTE && t->length == 1 && *t->start != '%')
      snprintf(out, size, "the byte 0x%02x", (unsigned char)*t->start);
   else if (memchr(t->start, 0, (size_t)length))
      snprintf(out, size, "a zero byte");
   else
      snprintf(out, size, "'%.*s%s'", length, t->start, dots);
}

void
hd_parse_report_unexpected(struct parser *p, const char *what)
{
   char found[64];

   describe(&p->tok, found, sizeof(found));
   hd_parse_report(p, p->tok.start, p->tok.length, "expected %s, found %s", what, found);
}

void
hd_parse_report_expected(struct parser *p, const char *what)
{
   if (p->tok.first && p->tok.kind != TOKEN_END)
      hd_parse_report(p, p->last_end, 1, "expected %s, found the end of the line", what);
   else
      hd_parse_report_unexpected(p, what);
}

bool
hd_parse_expect(struct parser *p, int kind, const char *what, bool same_line)
{
   if (p->tok.kind != kind || (same_line && p->tok.first))
      return hd_parse_expected(p, what);
   hd_parse_next(p);
   return true;
}

bool
hd_parse_is_word(const struct token *t, const char *word)
{
   return t->kind == TOKEN_WORD && t->length == strlen(word) && !memcmp(t->start, word, t->length);
}

bool
hd_parse_count(struct parser *p, const char *what, uint32_t max, uint32_t *value)
{
   uint64_t v;

   if (p->tok.kind != TOKEN_NUMBER || p->tok.first)
      return hd_parse_expected(p, what);
   if (!hd_parse_integer(p->tok.start, p->tok.length, &v) || v > max)
      return hd_parse_error(p, p->tok.start, p->tok.length,
                            "expected %s, which is a whole number of at most %u", what, max);
   *value = (uint32_t)v;
   hd_parse_next(p);
   return true;
}

bool
hd_parse_type(struct parser *p, unsigned *num_components, unsigned *bit_size)
{
   const struct token *t = &p->tok;

   if (t->kind != TOKEN_NUMBER || t->first)
      return hd_parse_expected(p, "a size such as 32 or 32x4");
   const char *x = memchr(t->start, 'x', t->length);
   size_t bits_length = x ? (size_t)(x - t->start) : t->length;
   uint64_t bits, components = 1;
   bool good = hd_parse_integer(t->start, bits_length, &bits);
   if (good && x)
      good = hd_parse_integer(x + 1, t->length - bits_length - 1, &components);
   if (!good)
      return hd_parse_error(p, t->start, t->length, "expected a size such as 32 or 32x4");
   if (bits != 1 && bits != 8 && bits != 16 && bits != 32 && bits != 64)
      return hd_parse_error(p, t->start, bits_length,
                            "there are no values of this size, expected 1, 8, 16, 32 or 64 bits");
   if (components < 1 || components > HD_MAX_COMPONENTS)
      return hd_parse_error(p, x + 1, t->length - bits_length - 1, "expected 1 to %u components",
                            HD_MAX_COMPONENTS);
   *bit_size = (unsigned)bits;
   *num_components = (unsigned)components;
   hd_parse_next(p);
   return true;
}

static void
reserve_string(struct parser *p, size_t size)
{
   if (size <= p->string_capacity)
      return;
   size_t capacity = p->string_capacity * 2 > size ? p->string_capacity * 2 : size;
   hd_pool_free(hd_shader_pool(p->shader), p->string, p->string_capacity);
   p->string_capacity = 0;
   p->string = hd_pool_alloc(hd_shader_pool(p->shader), capacity);
   p->string_capacity = capacity;
}

bool
hd_parse_string(struct parser *p, const char **string, size_t *length)
{
   const struct token *t = &p->tok;
   const char *s = t->start, *end = s + t->length;
   size_t n = 0;

   if (t->kind != TOKEN_STRING)
      s++;
   reserve_string(p, t->length + 1);
   if (*s != '"') {
      n = (size_t)(end - s);
      memcpy(p->string, s, n);
      s = end;
   } else {
      s++;
      end--;
   }
   while (s < end) {
      char c = *s;
      size_t escape = 0;
      if (c == 0)
         return hd_parse_error(p, s, 1, "a string cannot hold a zero byte");
      if (c == '\\') {
         escape = hd_unescape(s + 1, end, &c);
         if (!escape)
            return hd_parse_error(p, s, 2,
                                  "expected one of the escapes \\\\ \\\" \\n \\t \\x01 to "
                                  "\\xff");
      }
      p->string[n++] = c;
      s += 1 + escape;
   }
   p->string[n] = 0;
   *string = p->string;
   *length = n;
   hd_parse_next(p);
   return true;
}

/* The line of what has just been read. */
static uint32_t
own_location(struct parser *p)
{
   const char *newline;

   while ((newline = memchr(p->counted, '\n', (size_t)(p->last_end - p->counted))) != NULL) {
      p->counted = newline + 1;
      p->line += p->line < UINT32_MAX;
   }
   return hd_shader_location(p->shader, p->file ? p->file : "", p->line, 0);
}

bool
hd_parse_location(struct parser *p, uint32_t *loc)
{
   const char *file;
   size_t length;
   uint32_t line, column;

   *loc = p->located ? own_location(p) : 0;
   if (p->tok.kind != TOKEN_AT_STRING || p->tok.first)
      return true;
   if (!hd_parse_string(p, &file, &length) ||
       !hd_parse_expect(p, ':', "':' and the line of the location", true) ||
       !hd_parse_count(p, "the line of the location", UINT32_MAX, &line) ||
       !hd_parse_expect(p, ':', "':' and the column of the location", true) ||
       !hd_parse_count(p, "the column of the location", UINT32_MAX, &column))
      return false;
   if (!p->located)
      *loc = hd_shader_location(p->shader, file, line, column);
   return true;
}

void
hd_parse_recover(struct parser *p, const char *start)
{
   size_t depth = 0;

   for (;; hd_parse_next(p)) {
      bool new_line = p->tok.first && p->tok.start != start;
      if (p->tok.kind == TOKEN_END || (new_line && depth == 0))
         return;
      if (p->tok.kind == '{') {
         depth++;
         p->skipped = true;
      } else if (p->tok.kind == '}') {
         if (depth == 0)
            return;
         depth--;
      }
   }
}
