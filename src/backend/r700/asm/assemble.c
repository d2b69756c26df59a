/* SPDX-License-Identifier: MIT */
/* assemble.c - the assembler, line by line: addresses are numbers, there are no labels. */
#include <stdio.h>
#include <string.h>

#include "backend/r700/asm/reader.h"
#include "heddle/r700_asm.h"
#include "util/quote.h"

#define MAX_ERRORS 20u

typedef struct assembler {
   const hd_diag_sink *sink;
   const char *file;
   unsigned line, errors;
   uint64_t num_words;
   hd_blob *code;
} assembler;

/* `column` 0: the whole line. */
static void
complain(assembler *a, unsigned column, const char *what)
{
   const hd_diag diag = {
      .severity = HD_ERROR, .message = what, .file = a->file, .line = a->line, .column = column
   };

   if (a->errors++ < MAX_ERRORS)
      hd_diag_send(a->sink, &diag);
}

static bool
ends_word(char c)
{
   return c == ' ' || c == '\t' || c == '\r' || c == ',';
}

/* What the reader expected, and the word that it found instead. */
static void
complain_of(assembler *a, const char *line, const hd_r700_reader *r)
{
   const char *found = r->error_at, *end = found, *quote = r->error_is_text ? "'" : "";
   char what[160];

   while (end < r->end && end - found < 24 && (end == found || !ends_word(*end)))
      end++;
   if (found == r->end)
      snprintf(what, sizeof(what), "expected %s%s%s, found the end of the line", quote, r->error,
               quote);
   else
      snprintf(what, sizeof(what), "expected %s%s%s, found '%.*s'", quote, r->error, quote,
               (int)(end - found), found);
   complain(a, (unsigned)(found - line) + 1, what);
}

static void
put(assembler *a, uint64_t word)
{
   uint8_t bytes[8];

   for (unsigned n = 0; n < 8; n++)
      bytes[n] = (uint8_t)(word >> (8 * n));
   hd_blob_append(a->code, bytes, sizeof(bytes));
   a->num_words++;
}

static void
read_line(assembler *a, const char *at, const char *end)
{
   hd_r700_reader r = { .at = at, .end = end };
   hd_r700_inst inst;
   uint64_t words[2];
   uint32_t pair[2];

   if (hd_r700_at_end(&r))
      return;
   if (hd_r700_read_pair(&r, ".literal", pair) ||
       (!r.error && hd_r700_read_pair(&r, ".long", pair))) {
      put(a, pair[0] | (uint64_t)pair[1] << 32);
      return;
   }
   if (r.error || !hd_r700_read_inst(&r, &inst)) {
      complain_of(a, at, &r);
      return;
   }
   const unsigned num = hd_r700_layout_of(&inst)->num_words;
   if (!hd_r700_encode(&inst, words)) {
      complain(a, 0, "a field of the instruction is too large for its bits");
      return;
   }
   if (num == 2 && a->num_words % 2) {
      complain(a, 0, "a fetch must begin at an even word, this one is at an odd word");
      return;
   }
   for (unsigned n = 0; n < num; n++)
      put(a, words[n]);
}

/* Where the comment of the line begins, or its end. */
static const char *
end_of_code(const char *at, const char *end)
{
   for (; at < end; at++) {
      if (*at == ';' || *at == '#' || (*at == '/' && end - at > 1 && at[1] == '/'))
         break;
   }
   return at;
}

hd_result
hd_r700_assemble(const hd_config *config, const char *file, const char *text, size_t length,
                 hd_blob *code)
{
   const hd_config defaults = { 0 };
   assembler a = { .sink = config ? &config->diag : &defaults.diag, .file = file, .code = code };
   const size_t before = code->size;

   for (const char *at = text, *end = length ? text + length : text; at && at < end;) {
      const char *newline = memchr(at, '\n', (size_t)(end - at));
      const char *line_end = newline ? newline : end;
      a.line++;
      read_line(&a, at, end_of_code(at, line_end));
      at = newline ? newline + 1 : end;
   }
   if (a.errors && code->result == HD_OK) {
      code->size = before;
      return HD_INVALID;
   }
   return code->result;
}
