/* SPDX-License-Identifier: MIT */
/* cmd_draw.c - heddle draw: pictures of a function. */
#include "tool.h"

#include <string.h>

#include "heddle/draw.h"

static bool
ends_in(const char *s, const char *end)
{
   size_t length = strlen(s), n = strlen(end);

   return length >= n && !strcmp(s + length - n, end);
}

static bool
choose_format(const tool *t, hd_draw_format *format)
{
   static const char *const names[] = { "outline", "dot", "svg" };
   const char *asked = option_value(t, "format"), *output = option_value(t, "output");

   *format = HD_DRAW_DOT;
   if (!asked) {
      if (output && ends_in(output, ".svg"))
         *format = HD_DRAW_SVG;
      return true;
   }
   for (unsigned n = 0; n < 3; n++) {
      if (!strcmp(asked, names[n])) {
         *format = (hd_draw_format)n;
         return true;
      }
   }
   return false;
}

int
run_draw(tool *t)
{
   hd_draw_options options = {
      .hide_code = option_given(t, "hide-code"),
      .dominance = option_given(t, "dominance"),
      .post_dominance = option_given(t, "post-dominance"),
      .divergence = option_given(t, "divergence"),
      .color = t->color_out && !option_given(t, "output"),
   };
   const char *name = option_value(t, "function");
   hd_blob blob = { 0 };
   int status;

   if (!choose_format(t, &options.format))
      return trouble("--format is dot, svg or outline, not '%s'", option_value(t, "format"));
   hd_shader *shader = load_only_shader(t, &status);
   if (!shader)
      return status;
   hd_function *f = name ? hd_shader_find_function(shader, name) : shader->first_function;
   if (!f) {
      status = name ? trouble("there is no function @%s", name)
                    : trouble("the shader has no function to draw");
   } else {
      hd_result result = hd_draw_function(f, &options, &blob);
      status = explain(t, "draw", result);
      if (!status && !write_file(option_value(t, "output"), blob.data, blob.size))
         status = EXIT_TROUBLE;
   }
   hd_blob_finish(&blob);
   hd_shader_destroy(shader);
   return status;
}
