/* SPDX-License-Identifier: MIT */
/* cmd_opt.c - heddle opt: passes by name, one after the other. */
#include "tool.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/pass.h"

/* A pass by its name, which may leave out "opt_". */
static const hd_pass *
find_pass(const char *name, size_t length)
{
   char full[80];

   if (length + 5 > sizeof(full))
      return NULL;
   for (int with_prefix = 0; with_prefix < 2; with_prefix++) {
      snprintf(full, sizeof(full), "%s%.*s", with_prefix ? "opt_" : "", (int)length, name);
      const hd_pass *pass = hd_pass_find(full);
      if (pass)
         return pass;
   }
   return NULL;
}

/* Names are all looked up before the first pass runs. */
static bool
know_all(const char *list)
{
   for (const char *s = list; *s; s += *s == ',') {
      size_t length = strcspn(s, ",");
      if (!find_pass(s, length)) {
         trouble("there is no pass '%.*s'; `heddle opt --list` shows them", (int)length, s);
         return false;
      }
      s += length;
   }
   return true;
}

static hd_result
run_passes(tool *t, hd_shader *shader, const char *list)
{
   const char *environment = getenv("HD_VALIDATE");
   bool check = option_given(t, "check") || (environment && !strcmp(environment, "1"));
   hd_run_options options = HD_RUN_CHECK_ALL;
   hd_result result = HD_OK;

   for (const char *s = list; *s && result == HD_OK; s += *s == ',') {
      size_t length = strcspn(s, ",");
      const hd_pass *pass = find_pass(s, length);
      bool progress = false;
      result = hd_run_pass(shader, pass, check ? &options : NULL, &progress);
      if (option_given(t, "verbose"))
         fprintf(stderr, "%s: %s\n", pass->name,
                 result != HD_OK ? hd_result_name(result)
                 : progress      ? "progress"
                                 : "no change");
      s += length;
   }
   return result;
}

static int
list_passes(void)
{
   for (unsigned n = 0; n < hd_num_passes(); n++)
      printf("%-20s %s\n", hd_pass_get(n)->name, hd_pass_get(n)->meaning);
   return 0;
}

int
run_opt(tool *t)
{
   const char *list = option_value(t, "passes");
   hd_blob blob = { 0 };
   int status;

   if (option_given(t, "list"))
      return list_passes();
   if (!list)
      return trouble("`heddle opt` wants --passes=LIST; `heddle opt --list` shows them");
   if (!know_all(list))
      return EXIT_TROUBLE;
   hd_shader *shader = load_only_shader(t, &status);
   if (!shader)
      return status;
   hd_result result = run_passes(t, shader, list);
   if (result == HD_OK)
      result = hd_print_shader(shader, NULL, &blob);
   /* A fault that a check found is the pass's, not the input's. */
   status = result == HD_INVALID ? EXIT_TROUBLE : explain(t, "opt", result);
   if (!status && !write_file(option_value(t, "output"), blob.data, blob.size))
      status = EXIT_TROUBLE;
   hd_blob_finish(&blob);
   hd_shader_destroy(shader);
   return status;
}
