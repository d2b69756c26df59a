/* SPDX-License-Identifier: MIT */
/* Diagnostics as text and as JSON, byte by byte. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/base.h"

enum { TEXT, COLOR, JSON };

/* What is written, until the next call. */
static const char *
written(const hd_diag *d, int how)
{
   static char *data;
   size_t size;

   free(data);
   data = NULL;
   FILE *file = open_memstream(&data, &size);
   assert_non_null(file);
   if (how == JSON)
      hd_diag_print_json(file, d);
   else
      hd_diag_print(file, d, how == COLOR);
   fclose(file);
   return data;
}

static void
places(void **state)
{
   (void)state;
   hd_diag d = { .severity = HD_ERROR, .message = "m" };
   assert_string_equal(written(&d, TEXT), "error: m\n");
   assert_string_equal(written(&d, JSON), "{\"severity\":\"error\",\"message\":\"m\"}");
   d.severity = HD_NOTE;
   d.line = 3;
   assert_string_equal(written(&d, TEXT), "3: note: m\n");
   assert_string_equal(written(&d, JSON), "{\"severity\":\"note\",\"line\":3,\"message\":\"m\"}");
   d.severity = HD_WARNING;
   d.file = "f";
   d.column = 2;
   d.rule = "SSA1";
   assert_string_equal(written(&d, TEXT), "f:3:2: warning: m [SSA1]\n");
   assert_string_equal(written(&d, JSON), "{\"severity\":\"warning\",\"file\":\"f\",\"line\":3,"
                                          "\"column\":2,\"length\":1,\"rule\":\"SSA1\","
                                          "\"message\":\"m\"}");
   d = (hd_diag){ .severity = HD_ERROR, .file = "f", .offset = 70, .message = "m" };
   assert_string_equal(written(&d, TEXT), "f:byte 70: error: m\n");
   assert_string_equal(written(&d, JSON),
                       "{\"severity\":\"error\",\"file\":\"f\",\"offset\":70,\"message\":\"m\"}");
}

static void
carets(void **state)
{
   static const struct {
      const char *text;
      uint32_t column, length;
      const char *shown;
   } cases[] = {
      { "abc", 1, 1, "  abc\n  ^\n" },
      { "abc", 2, 2, "  abc\n   ^~\n" },
      { "abc", 2, 0, "  abc\n   ^\n" },
      { "abc", 3, 9, "  abc\n    ^\n" },  /* no further than the line */
      { "abc", 4, 1, "  abc\n     ^\n" }, /* its end */
      { "abc", 9, 1, "  abc\n     ^\n" }, /* behind it */
      { "abc", 0, 1, "  abc\n" },         /* no column: no caret */
      { "", 1, 1, "  \n  ^\n" },
      { "\tb", 2, 1, "   b\n   ^\n" },
      { "\033[m", 2, 1, "  \\x1b[m\n      ^\n" },
      { "\033\x7f", 1, 2, "  \\x1b\\x7f\n  ^~~~~~~~\n" },
      { "\303\251\303\251x", 5, 1, "  \303\251\303\251x\n    ^\n" }, /* two bytes, one column */
      { "\303\251\303\251x", 1, 4, "  \303\251\303\251x\n  ^~\n" },
      { "\342\202\254\360\237\230\200", 4, 4, "  \342\202\254\360\237\230\200\n   ^\n" },
      { "\xff\x80", 2, 1, "  \\xff\\x80\n      ^~~~\n" }, /* not UTF-8 */
      { "\302\233", 1, 2, "  \\xc2\\x9b\n  ^~~~~~~~\n" }, /* a control character in two bytes */
      { "\302\240", 1, 2, "  \302\240\n  ^\n" },
      { "\355\240\200", 1, 1, "  \\xed\\xa0\\x80\n  ^~~~\n" }, /* half of a pair */
      { "\342\202", 1, 1, "  \\xe2\\x82\n  ^~~~\n" },          /* cut off */
   };

   (void)state;
   for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
      hd_diag d = { .severity = HD_ERROR,
                    .message = "m",
                    .line = 1,
                    .column = cases[n].column,
                    .length = cases[n].length,
                    .text = cases[n].text,
                    .text_length = strlen(cases[n].text) };
      const char *shown = strchr(written(&d, TEXT), '\n') + 1;
      assert_string_equal(shown, cases[n].shown);
   }
   hd_diag d = { .severity = HD_ERROR, .message = "m", .line = 1, .column = 2, .length = 1 };
   d.text = "a\0c";
   d.text_length = 3;
   assert_non_null(strstr(written(&d, TEXT), "  a\\x00c\n   ^~~~\n"));
   assert_non_null(strstr(written(&d, JSON), "\"text\":\"a\\u0000c\""));
}

/* The columns of a line without its newline. */
static size_t
columns(const char *s, const char *end)
{
   size_t n = 0;

   for (; s < end; s++)
      n += ((unsigned char)*s & 0xc0) != 0x80;
   return n;
}

/* However long a line, wherever the caret, whatever the width of its characters in bytes: what is
 * shown is short, whole characters, and the caret is under its character.
 */
static void
long_lines(void **state)
{
   static const char *const characters[] = { "x", "\303\251", "\342\202\254", "\360\237\230\200" };
   char text[4096];

   (void)state;
   for (unsigned k = 0; k < 4; k++) {
      size_t width = strlen(characters[k]);
      for (unsigned total = 1; total <= 300; total += 23) {
         for (unsigned at = 0; at < total; at++) {
            for (unsigned n = 0; n < total; n++)
               memcpy(text + n * width, characters[k], width);
            /* One character of the same size that is not like the others. */
            static const char *const marks[] = { "Q", "\303\237", "\342\202\253",
                                                 "\360\237\230\201" };
            memcpy(text + at * width, marks[k], width);
            hd_diag d = { .severity = HD_ERROR,
                          .message = "m",
                          .line = 1,
                          .column = (uint32_t)(at * width) + 1,
                          .length = (uint32_t)width,
                          .text = text,
                          .text_length = total * width };
            const char *line = strchr(written(&d, TEXT), '\n') + 1;
            const char *newline = strchr(line, '\n');
            const char *caret = strchr(newline, '^'), *mark = strstr(line, marks[k]);
            assert_in_range(newline - line, 2, 2 + 3 + 120 + 3 + 3);
            assert_null(strchr(line, '\\'));
            assert_true(mark && mark < newline);
            assert_int_equal(columns(line, mark), (size_t)(caret - newline - 1));
            assert_string_equal(caret, "^\n");
         }
      }
   }
   /* Bytes that all continue a character which never began: no way back is searched. */
   memset(text, 0x80, sizeof(text));
   hd_diag d = { .severity = HD_ERROR,
                 .message = "m",
                 .line = 1,
                 .column = 2000,
                 .length = 1,
                 .text = text,
                 .text_length = sizeof(text) };
   const char *line = strchr(written(&d, TEXT), '\n') + 1;
   assert_int_equal(strncmp(line, "  ...\\x80\\x80", 13), 0);
   assert_int_equal(strchr(line, '\n') - line, 2 + 3 + 120 * 4 + 3);
}

static void
messages_and_names_give_no_orders(void **state)
{
   (void)state;
   hd_diag d = { .severity = HD_ERROR, .file = "\033]0;x\007\n", .message = "\033[2J\xff\n" };
   assert_string_equal(written(&d, TEXT), "\\x1b]0;x\\x07\\x0a: error: \\x1b[2J\\xff\\x0a\n");
   assert_string_equal(written(&d, JSON),
                       "{\"severity\":\"error\",\"file\":\"\\u001b]0;x\\u0007\\u000a\","
                       "\"message\":\"\\u001b[2J\\ufffd\\u000a\"}");
   d = (hd_diag){ .severity = HD_ERROR, .message = "\"\\\303\251\355\240\200\364\220\200\200" };
   assert_string_equal(written(&d, JSON), "{\"severity\":\"error\",\"message\":\"\\\"\\\\\303\251"
                                          "\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\\ufffd\"}");
}

static void
colors(void **state)
{
   hd_diag d = { .severity = HD_ERROR,
                 .file = "f",
                 .line = 1,
                 .column = 1,
                 .length = 1,
                 .message = "m",
                 .text = "abc",
                 .text_length = 3 };

   (void)state;
   assert_string_equal(written(&d, COLOR), "\033[1mf:1:1: \033[1;31merror:\033[0m m\n  abc\n"
                                           "  \033[1;32m^\033[0m\n");
   d.severity = HD_WARNING;
   assert_non_null(strstr(written(&d, COLOR), "\033[1;35mwarning:\033[0m"));
   d.severity = HD_NOTE;
   assert_non_null(strstr(written(&d, COLOR), "\033[1;36mnote:\033[0m"));
}

static void
a_sink_to_a_file(void **state)
{
   hd_diag d = { .severity = HD_ERROR, .message = "m" };
   char *data = NULL;
   size_t size;
   FILE *file = open_memstream(&data, &size);

   (void)state;
   hd_diag_sink sink = hd_diag_to_file(file);
   sink.report(sink.user, &d);
   sink.report(sink.user, &d);
   fclose(file);
   assert_string_equal(data, "error: m\nerror: m\n");
   free(data);
}

static void
results_have_names(void **state)
{
   (void)state;
   assert_string_equal(hd_result_name(HD_OK), "ok");
   assert_string_equal(hd_result_name(HD_INVALID), "invalid");
   assert_string_equal(hd_result_name(HD_OUT_OF_MEMORY), "out of memory");
   assert_string_equal(hd_result_name(HD_BUDGET_EXCEEDED), "budget exceeded");
   assert_string_equal(hd_result_name(HD_UNSUPPORTED), "unsupported");
   assert_string_equal(hd_result_name(HD_BAD_LAUNCH), "bad launch");
   assert_string_equal(hd_result_name(HD_FAULT), "fault");
   assert_string_equal(hd_result_name((hd_result)99), "unknown");
   char version[32];
   snprintf(version, sizeof(version), "%d.%d.%d", HD_VERSION_MAJOR, HD_VERSION_MINOR,
            HD_VERSION_PATCH);
   assert_string_equal(hd_version(), version);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(places),
      cmocka_unit_test(carets),
      cmocka_unit_test(long_lines),
      cmocka_unit_test(messages_and_names_give_no_orders),
      cmocka_unit_test(colors),
      cmocka_unit_test(a_sink_to_a_file),
      cmocka_unit_test(results_have_names),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
