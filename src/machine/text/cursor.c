/* SPDX-License-Identifier: MIT */
/* cursor.c - lexer of assembly text: words, numbers, diagnostics. */
#include "machine/text/cursor.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "ir/parse.h"
#include "util/quote.h"

void
hd_mach_cursor_init(hd_mach_cursor *r, const hd_config *config, const char *file, const char *text,
                    size_t length)
{
   /* Of an empty blob. */
   if (!text)
      text = "";
   *r = (hd_mach_cursor){
      .config = config,
      .file = file,
      .text = text,
      .end = length ? text + length : text,
      .at = text,
      .line_start = text,
      .line = 1,
   };
}

bool
hd_mach_text_error(hd_mach_cursor *r, const char *place, size_t length, const char *format, ...)
{
   char message[256];
   va_list args;
   const char *line_start = place, *line_end = place;
   uint32_t line = r->line;

   r->errors++;
   if (!r->config || !r->config->diag.report || r->errors > HD_MACH_MAX_TEXT_ERRORS)
      return false;
   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   while (line_end < r->end && *line_end != '\n')
      line_end++;
   while (line_start > r->text && line_start[-1] != '\n')
      line_start--;
   /* A comment of several lines can lie between the place and what was read last. */
   for (const char *at = place; at < r->line_start; at++)
      line -= *at == '\n';
   if (length > (size_t)(line_end - place))
      length = (size_t)(line_end - place);
   hd_diag diag = {
      .severity = HD_ERROR,
      .file = r->file,
      .line = line,
      .column = (uint32_t)(place - line_start) + 1,
      .length = length ? (uint32_t)length : 1,
      .message = message,
      .text = line_start,
      .text_length = (size_t)(line_end - line_start),
   };
   hd_diag_send(&r->config->diag, &diag);
   if (r->errors == HD_MACH_MAX_TEXT_ERRORS) {
      diag.severity = HD_NOTE;
      diag.message = "too many errors: the rest of the text is not read";
      hd_diag_send(&r->config->diag, &diag);
   }
   return false;
}

/* Past a comment of several lines. */
static void
skip_block_comment(hd_mach_cursor *r)
{
   for (r->at += 2; r->at < r->end; r->at++) {
      if (*r->at == '*' && r->at + 1 < r->end && r->at[1] == '/') {
         r->at += 2;
         return;
      }
      if (*r->at == '\n') {
         r->line += r->line < UINT32_MAX;
         r->line_start = r->at + 1;
      }
   }
}

void
hd_mach_skip_blanks(hd_mach_cursor *r)
{
   while (r->at < r->end) {
      char c = *r->at, next = r->at + 1 < r->end ? r->at[1] : 0;
      if (c == ' ' || c == '\t' || c == '\r') {
         r->at++;
      } else if (c == ';' || (c == '/' && next == '/')) {
         while (r->at < r->end && *r->at != '\n')
            r->at++;
      } else if (c == '/' && next == '*') {
         skip_block_comment(r);
      } else {
         return;
      }
   }
}

bool
hd_mach_at_end(hd_mach_cursor *r)
{
   hd_mach_skip_blanks(r);
   return r->at == r->end || *r->at == '\n';
}

bool
hd_mach_next_statement(hd_mach_cursor *r)
{
   while (r->at < r->end && *r->at != '\n') {
      hd_mach_skip_blanks(r);
      if (r->at < r->end && *r->at != '\n')
         r->at++;
   }
   for (;;) {
      hd_mach_skip_blanks(r);
      if (r->at == r->end)
         return false;
      if (*r->at != '\n')
         return r->errors < HD_MACH_MAX_TEXT_ERRORS;
      r->at++;
      r->line += r->line < UINT32_MAX;
      r->line_start = r->at;
   }
}

bool
hd_mach_accept(hd_mach_cursor *r, char c)
{
   hd_mach_skip_blanks(r);
   if (r->at == r->end || *r->at != c)
      return false;
   r->at++;
   return true;
}

bool
hd_mach_expect(hd_mach_cursor *r, char c)
{
   return hd_mach_accept(r, c) || hd_mach_text_error(r, r->at, 1, "expected '%c'", c);
}

static bool
in_word(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
          c == '.' || c == '$';
}

hd_mach_word
hd_mach_peek_word(hd_mach_cursor *r)
{
   hd_mach_skip_blanks(r);
   const char *at = r->at;
   while (at < r->end && in_word(*at))
      at++;
   return (hd_mach_word){ r->at, (size_t)(at - r->at) };
}

hd_mach_word
hd_mach_read_word(hd_mach_cursor *r)
{
   hd_mach_word word = hd_mach_peek_word(r);

   r->at += word.length;
   return word;
}

bool
hd_mach_word_is(hd_mach_word word, const char *text)
{
   return strlen(text) == word.length && memcmp(word.start, text, word.length) == 0;
}

/* The digits of a whole number, to 64 bits. */
static bool
read_digits(hd_mach_word word, uint64_t *value)
{
   if (word.length > 2 && word.start[0] == '0' && (word.start[1] | 0x20) == 'b') {
      *value = 0;
      for (size_t n = 2; n < word.length; n++) {
         if ((word.start[n] != '0' && word.start[n] != '1') || *value >> 63)
            return false;
         *value = *value << 1 | (unsigned)(word.start[n] - '0');
      }
      return true;
   }
   return hd_parse_integer(word.start, word.length, value);
}

bool
hd_mach_read_integer(hd_mach_cursor *r, int64_t *value)
{
   hd_mach_skip_blanks(r);
   const char *start = r->at;
   bool negative = hd_mach_accept(r, '-');
   hd_mach_word word = hd_mach_read_word(r);
   uint64_t digits;

   if (!word.length || !read_digits(word, &digits))
      return hd_mach_text_error(r, start, (size_t)(r->at - start), "expected a whole number");
   *value = negative ? (int64_t)(0 - digits) : (int64_t)digits;
   return true;
}

bool
hd_mach_read_range(hd_mach_cursor *r, int64_t low, int64_t high, int64_t *value)
{
   hd_mach_skip_blanks(r);
   const char *start = r->at;

   if (!hd_mach_read_integer(r, value))
      return false;
   return (*value >= low && *value <= high) ||
          hd_mach_text_error(r, start, (size_t)(r->at - start),
                             "expected a number from %lld to %lld", (long long)low,
                             (long long)high);
}
