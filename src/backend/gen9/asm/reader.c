/* SPDX-License-Identifier: MIT */
/* reader.c - lexer: names, numbers and punctuation of a line. */
#include "backend/gen9/asm/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "util/quote.h"

#define MAX_ERRORS 20u

bool
hd_gen9_fail(hd_gen9_reader *r, const char *format, ...)
{
   char text[160];
   va_list args;

   if (r->failed)
      return false;
   r->failed = true;
   if (r->quiet || r->errors++ >= MAX_ERRORS)
      return false;
   va_start(args, format);
   vsnprintf(text, sizeof(text), format, args);
   va_end(args);
   const hd_diag diag = { .severity = HD_ERROR,
                          .message = text,
                          .file = r->file,
                          .line = r->line,
                          .column = (unsigned)(r->at - r->start) + 1 };
   hd_diag_send(r->sink, &diag);
   return false;
}

void
hd_gen9_skip_blanks(hd_gen9_reader *r)
{
   while (r->at < r->end && (*r->at == ' ' || *r->at == '\t' || *r->at == '\r'))
      r->at++;
}

bool
hd_gen9_at_end(hd_gen9_reader *r)
{
   hd_gen9_skip_blanks(r);
   return r->at == r->end;
}

bool
hd_gen9_accept(hd_gen9_reader *r, const char *text)
{
   const size_t length = strlen(text);

   hd_gen9_skip_blanks(r);
   if ((size_t)(r->end - r->at) < length || memcmp(r->at, text, length))
      return false;
   r->at += length;
   return true;
}

bool
hd_gen9_expect(hd_gen9_reader *r, const char *text)
{
   return hd_gen9_accept(r, text) || hd_gen9_fail(r, "expected '%s'", text);
}

static bool
is_name_char(char c)
{
   return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
          c == '$';
}

hd_gen9_name
hd_gen9_read_name(hd_gen9_reader *r)
{
   hd_gen9_skip_blanks(r);
   hd_gen9_name name = { r->at, 0 };
   while (r->at < r->end && is_name_char(*r->at))
      r->at++;
   name.length = (size_t)(r->at - name.start);
   return name;
}

bool
hd_gen9_name_is(hd_gen9_name name, const char *text)
{
   return strlen(text) == name.length && !memcmp(name.start, text, name.length);
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
hd_gen9_read_number(hd_gen9_reader *r, uint64_t max, uint64_t *value)
{
   unsigned base = 10;

   hd_gen9_skip_blanks(r);
   if (r->end - r->at > 2 && r->at[0] == '0' && (r->at[1] | 32) == 'x') {
      base = 16;
      r->at += 2;
   }
   const char *first = r->at;
   *value = 0;
   for (; r->at < r->end && digit_of(*r->at) < base; r->at++) {
      const unsigned digit = digit_of(*r->at);
      if (digit > max || *value > (max - digit) / base)
         return false;
      *value = *value * base + digit;
   }
   return r->at > first;
}
