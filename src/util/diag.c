/* SPDX-License-Identifier: MIT */
/* diag.c - results by name, and diagnostics as text and as JSON. */
#include <string.h>

#include "heddle/base.h"

const char *
hd_result_name(hd_result result)
{
   switch (result) {
   case HD_OK:
      return "ok";
   case HD_INVALID:
      return "invalid";
   case HD_OUT_OF_MEMORY:
      return "out of memory";
   case HD_BUDGET_EXCEEDED:
      return "budget exceeded";
   case HD_UNSUPPORTED:
      return "unsupported";
   }
   return "unknown";
}

#define STRING2(x) #x
#define STRING(x)  STRING2(x)

const char *
hd_version(void)
{
   return STRING(HD_VERSION_MAJOR) "." STRING(HD_VERSION_MINOR) "." STRING(HD_VERSION_PATCH);
}

static const char *const severity_names[] = { "note", "warning", "error" };
static const char *const severity_colors[] = { "\033[1;36m", "\033[1;35m", "\033[1;31m" };

#define SHOWN_WIDTH 120

/* The bytes of the UTF-8 character at s, or 0 where there is none. */
static size_t
utf8_length(const unsigned char *s, size_t left)
{
   size_t n = s[0] < 0x80                   ? 1
              : s[0] >= 0xc2 && s[0] < 0xe0 ? 2
              : (s[0] & 0xf0) == 0xe0       ? 3
              : s[0] >= 0xf0 && s[0] < 0xf5 ? 4
                                            : 0;

   if (!n || n > left)
      return 0;
   for (size_t i = 1; i < n; i++) {
      if ((s[i] & 0xc0) != 0x80)
         return 0;
   }
   if ((s[0] == 0xe0 && s[1] < 0xa0) || (s[0] == 0xed && s[1] > 0x9f) ||
       (s[0] == 0xf0 && s[1] < 0x90) || (s[0] == 0xf4 && s[1] > 0x8f))
      return 0;
   return n;
}

/* One character of input as it is shown; its columns. What a terminal would take for an order, and
 * bytes that are no text, are shown as numbers.
 */
static size_t
show_char(FILE *file, const char *string, size_t left, unsigned *width)
{
   const unsigned char *s = (const unsigned char *)string;
   size_t n = utf8_length(s, left);

   if (*s == '\t') {
      fputc(' ', file);
   } else if (!n || *s < 0x20 || *s == 0x7f || (*s == 0xc2 && s[1] < 0xa0)) {
      fprintf(file, "\\x%02x", *s);
      *width = 4;
      return 1;
   } else {
      fwrite(s, 1, n, file);
   }
   *width = 1;
   return n;
}

static void
show_string(FILE *file, const char *s)
{
   unsigned width;

   for (size_t left = strlen(s); left;) {
      size_t n = show_char(file, s, left, &width);
      s += n;
      left -= n;
   }
}

/* The beginning of the character that a place is in: at most three bytes before. */
static size_t
character_at(const hd_diag *d, size_t place)
{
   for (size_t n = 1; n < 4 && n <= place; n++) {
      size_t from = place - n;
      if (((unsigned char)d->text[from] & 0xc0) != 0x80)
         return utf8_length((const unsigned char *)d->text + from, d->text_length - from) > n
                    ? from
                    : place;
   }
   return place;
}

static void
print_line(FILE *file, const hd_diag *d, bool color)
{
   size_t caret = d->column ? d->column - 1 : 0;
   size_t begin = 0, end = d->text_length, length = d->length ? d->length : 1;

   if (caret > d->text_length)
      caret = d->text_length;
   if (caret > SHOWN_WIDTH / 2)
      begin = caret - SHOWN_WIDTH / 2;
   begin = character_at(d, begin);
   if (end - begin > SHOWN_WIDTH)
      end = character_at(d, begin + SHOWN_WIDTH);

   fputs(begin ? "  ..." : "  ", file);
   unsigned before = begin ? 5 : 2, under = 0;
   for (size_t i = begin; i < end;) {
      unsigned width;
      size_t n = show_char(file, d->text + i, end - i, &width);
      if (i < caret)
         before += width;
      else if (i - caret < length)
         under += width;
      i += n;
   }
   fputs(end < d->text_length ? "...\n" : "\n", file);
   if (!d->column)
      return;
   fprintf(file, "%*s%s^", (int)before, "", color ? "\033[1;32m" : "");
   for (unsigned i = 1; i < under; i++)
      fputc('~', file);
   fputs(color ? "\033[0m\n" : "\n", file);
}

void
hd_diag_print(FILE *file, const hd_diag *d, bool color)
{
   if (color)
      fputs("\033[1m", file);
   if (d->file) {
      show_string(file, d->file);
      fputc(':', file);
   }
   if (d->line)
      fprintf(file, "%u:", d->line);
   if (d->line && d->column)
      fprintf(file, "%u:", d->column);
   if (d->offset)
      fprintf(file, "byte %llu:", (unsigned long long)d->offset);
   if (d->file || d->line || d->offset)
      fputc(' ', file);
   fprintf(file, "%s%s:%s ", color ? severity_colors[d->severity] : "", severity_names[d->severity],
           color ? "\033[0m" : "");
   show_string(file, d->message);
   if (d->rule)
      fprintf(file, " [%s]", d->rule);
   fputc('\n', file);
   if (d->text)
      print_line(file, d, color);
}

/* JSON wants valid UTF-8: what is not becomes U+FFFD, a byte at a time. */
static void
json_string(FILE *file, const char *string, size_t length)
{
   const unsigned char *s = (const unsigned char *)string;

   fputc('"', file);
   for (size_t i = 0; i < length;) {
      if (s[i] == '"' || s[i] == '\\') {
         fprintf(file, "\\%c", s[i++]);
      } else if (s[i] < 0x20 || s[i] == 0x7f) {
         fprintf(file, "\\u%04x", s[i++]);
      } else {
         size_t n = utf8_length(s + i, length - i);
         if (n)
            fwrite(s + i, 1, n, file);
         else
            fputs("\\ufffd", file);
         i += n ? n : 1;
      }
   }
   fputc('"', file);
}

void
hd_diag_print_json(FILE *file, const hd_diag *d)
{
   fprintf(file, "{\"severity\":\"%s\"", severity_names[d->severity]);
   if (d->file) {
      fputs(",\"file\":", file);
      json_string(file, d->file, strlen(d->file));
   }
   if (d->line)
      fprintf(file, ",\"line\":%u", d->line);
   if (d->line && d->column)
      fprintf(file, ",\"column\":%u,\"length\":%u", d->column, d->length ? d->length : 1);
   if (d->offset)
      fprintf(file, ",\"offset\":%llu", (unsigned long long)d->offset);
   if (d->rule) {
      fputs(",\"rule\":", file);
      json_string(file, d->rule, strlen(d->rule));
   }
   fputs(",\"message\":", file);
   json_string(file, d->message, strlen(d->message));
   if (d->text) {
      fputs(",\"text\":", file);
      json_string(file, d->text, d->text_length);
   }
   fputc('}', file);
}

static void
report_to_file(void *user, const hd_diag *diag)
{
   hd_diag_print(user, diag, false);
}

hd_diag_sink
hd_diag_to_file(FILE *file)
{
   return (hd_diag_sink){ file, report_to_file };
}
