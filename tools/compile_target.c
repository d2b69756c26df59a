/* SPDX-License-Identifier: MIT */
/* compile_target.c - heddle compile by hd_compile, and figures of what was compiled. */
#include <inttypes.h>
#include <string.h>

#include "targets.h"

bool
has_suffix(const char *path, const char *suffix)
{
   const size_t length = strlen(path), tail = strlen(suffix);

   return length >= tail && !strcmp(path + length - tail, suffix);
}

int
choose_word(tool *t, const char *name, const char *const *words, int none)
{
   const char *value = option_value(t, name);

   if (!value)
      return none;
   for (int n = 0; words[n]; n++) {
      if (!strcmp(words[n], value))
         return n;
   }
   char list[100] = "";
   for (int n = 0; words[n]; n++) {
      const char *between = !n ? "" : words[n + 1] ? ", " : " or ";
      const size_t length = strlen(list);
      snprintf(list + length, sizeof(list) - length, "%s%s", between, words[n]);
   }
   trouble("--%s is %s, not '%s'", name, list, value);
   return -1;
}

void
print_stat_rows(const tool *t, const char *name, const stat_row *rows, size_t num, FILE *file)
{
   if (t->json) {
      fputs(name ? "{\"kernel\":" : "{", file);
      if (name)
         print_json_string(file, name);
   } else if (name) {
      print_escaped(file, name);
      fputs(":\n", file);
   }
   for (size_t n = 0; n < num; n++) {
      if (t->json)
         fprintf(file, "%s\"%s\":%" PRIu32, n || name ? "," : "", rows[n].key, rows[n].value);
      else
         fprintf(file, "%8" PRIu32 "  %s\n", rows[n].value, rows[n].words);
   }
   if (t->json)
      fprintf(file, "}\n");
}

int
compile_for_target(tool *t, const hd_target *target, const hd_shader *shader,
                   hd_compile_options *options,
                   void (*print_stats)(const tool *t, const hd_target_binary *binary, FILE *file))
{
   static const char *const forms[] = { "text", "code", NULL };
   const char *path = option_value(t, "output");
   hd_target_binary *binary;
   unsigned level;
   bool ok = true;

   if (!read_level(t, &level))
      return EXIT_TROUBLE;
   const int form = choose_word(t, "to", forms, path && has_suffix(path, ".bin"));
   if (form < 0)
      return EXIT_TROUBLE;
   options->passes = option_value(t, "passes");
   if (option_given(t, "quick") || level < 2)
      options->optimization = HD_OPTIMIZE_QUICK;
   options->verify_regalloc = option_given(t, "check");
   options->diag = t->config.diag;
   options->keep_text = !form;
   if (option_given(t, "print-after")) {
      options->user = (void *)option_value(t, "print-after");
      options->after_phase = print_after_phase;
   }
   const hd_result result = hd_compile(shader, target, options, &binary);
   if (result != HD_OK)
      return explain(t, t->num_operands ? t->operands[0] : "<stdin>", result);
   if (path || !(option_given(t, "stats") && t->json))
      ok = form ? write_file(path, binary->code, binary->code_size)
                : write_file(path, binary->text, strlen(binary->text));
   if (option_given(t, "stats"))
      print_stats(t, binary, t->json ? stdout : stderr);
   hd_target_binary_destroy(binary);
   return ok ? 0 : EXIT_TROUBLE;
}
