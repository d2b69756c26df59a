/* SPDX-License-Identifier: MIT */
/* diag.c - results by name, and diagnostics as text and as JSON. */
#include <string.h>

#include "util/quote.h"

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
   case HD_BAD_LAUNCH:
      return "bad launch";
   case HD_FAULT:
      return "fault";
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

/* One character of input as it is shown; its columns. What a terminal would take for an order, and
 * bytes that are no text, are shown as numbers.
 */
static size_t
show_char(FILE *file, const char *s, size_t left, unsigned *width)
{
   char shown[HD_SHOWN_MAX];
   size_t taken;
   unsigned n =
       *s == '\t' ? hd_show_char(" ", 1, shown, &taken) : hd_show_char(s, left, shown, &taken);

   fwrite(shown, 1, n, file);
   *width = n > taken ? n : 1;
   return taken;
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
         return hd_utf8_length(d->text + from, d->text_length - from) > n ? from : place;
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

static void
json_string(FILE *file, const char *string, size_t length)
{
   size_t taken;

   fputc('"', file);
   for (size_t i = 0; i < length; i += taken) {
      char shown[HD_JSON_MAX];
      unsigned n = hd_json_char(string + i, length - i, shown, &taken);
      fwrite(shown, 1, n, file);
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
