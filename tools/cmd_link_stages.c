/* SPDX-License-Identifier: MIT */
/* cmd_link_stages.c - heddle link-stages: a vertex shader and a fragment shader made to fit. */
#include "tool.h"

#include "heddle/link.h"
#include "heddle/text.h"

/* The shader's text to the file of an option, where it is given. */
static bool
write_linked(const tool *t, const char *option, const hd_shader *shader)
{
   const char *path = option_value(t, option);
   hd_blob text = { 0 };

   if (!path)
      return true;
   const bool written =
       hd_print_shader(shader, NULL, &text) == HD_OK && write_file(path, text.data, text.size);
   hd_blob_finish(&text);
   return written;
}

static void
print_report(const tool *t, const hd_link_report *r)
{
   printf(t->json
              ? "{\"linked\":%s,\"outputs_removed\":%u,\"inputs_constant\":%u,\"locations\":%u,"
                "\"locations_removed\":%u}\n"
              : "linked: %s\noutputs removed: %u\ninputs constant: %u\nlocations: %u\nlocations "
                "removed: %u\n",
          r->linked ? "true" : "false", r->outputs_removed, r->inputs_constant, r->num_locations,
          r->locations_removed);
}

/* Which of the two has another stage. */
static int
complain_of_stages(const tool *t, const hd_shader *vertex, const hd_shader *fragment)
{
   static const char *const names[HD_NUM_STAGES] = { "compute", "kernel", "vertex", "fragment" };
   const bool first = vertex->stage != HD_STAGE_VERTEX;
   const hd_stage found = first ? vertex->stage : fragment->stage;

   return trouble("'%s': expected a %s shader, found a %s shader", t->operands[first ? 0 : 1],
                  first ? "vertex" : "fragment", names[found]);
}

int
run_link_stages(tool *t)
{
   hd_link_report report;
   int status;

   if (t->num_operands != 2)
      return trouble("`heddle link-stages` takes two files, a vertex and a fragment shader, not %d",
                     t->num_operands);
   hd_shader *vertex = load_shader(t, t->operands[0], &status);
   hd_shader *fragment = vertex ? load_shader(t, t->operands[1], &status) : NULL;
   if (fragment) {
      const hd_result result = hd_link_stages(vertex, fragment, &report);
      if (result == HD_INVALID)
         status = complain_of_stages(t, vertex, fragment);
      else if (result != HD_OK)
         status = explain(t, t->operands[0], result);
      else if (!write_linked(t, "vertex", vertex) || !write_linked(t, "fragment", fragment))
         status = 1;
      else
         print_report(t, &report);
   }
   hd_shader_destroy(fragment);
   hd_shader_destroy(vertex);
   return status;
}
