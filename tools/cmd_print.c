/* SPDX-License-Identifier: MIT */
/* cmd_print.c - heddle print and heddle convert: the same shader in another form. */
#include "host.h"

#include "heddle/binary.h"
#include "heddle/text.h"

#include <string.h>

/* Write what was made, if it was made, and free everything. */
static int
finish(tool *t, hd_shader *shader, hd_blob *blob, hd_result result)
{
   int status = explain(t, t->command->name, result != HD_OK ? result : blob->result);

   if (!status && !write_file(option_value(t, "output"), blob->data, blob->size))
      status = EXIT_TROUBLE;
   hd_blob_finish(blob);
   hd_shader_destroy(shader);
   return status;
}

int
run_print(tool *t)
{
   int status;
   hd_shader *shader = load_only_shader(t, &status);
   const char *name = option_value(t, "function");
   hd_print_options options = {
      .hide_names = option_given(t, "hide-names"),
      .hide_locations = option_given(t, "hide-locations"),
      .show_preds = option_given(t, "preds"),
   };
   hd_blob blob = { 0 };

   if (!shader)
      return status;
   if (!name)
      return finish(t, shader, &blob, hd_print_shader(shader, &options, &blob));
   hd_function *f = hd_shader_find_function(shader, name);
   if (!f) {
      hd_shader_destroy(shader);
      return trouble("there is no function @%s", name);
   }
   return finish(t, shader, &blob, hd_print_function(f, &options, &blob));
}

int
run_convert(tool *t)
{
   const char *to = option_value(t, "to");
   hd_blob blob = { 0 };
   int status;

   if (to && strcmp(to, "text") && strcmp(to, "binary"))
      return trouble("--to is text or binary, not '%s'", to);
   hd_shader *shader = load_only_shader(t, &status);
   if (!shader)
      return status;
   bool to_text = to ? !strcmp(to, "text") : t->was_binary;
   if (!to_text && !option_given(t, "output") && host_is_terminal(stdout)) {
      hd_shader_destroy(shader);
      return trouble("expected --output=FILE for the binary form, found a terminal");
   }
   return finish(t, shader, &blob,
                 to_text ? hd_print_shader(shader, NULL, &blob) : hd_write_binary(shader, &blob));
}
