/* SPDX-License-Identifier: MIT */
/* pipeline.c - the pass pipelines by number and name, and running one.
 *
 * They are lists in src/codegen/passes/pipelines.py, and in the folders of the backends there.
 */
#include "heddle/pass.h"

#include <string.h>

#include "passes/table.h"
#include "util/quote.h"

const hd_pipeline *
hd_pipeline_get(unsigned n)
{
   return n < hd_pipeline_table_size ? &hd_pipeline_table[n] : NULL;
}

const hd_pipeline *
hd_pipeline_find(const char *name)
{
   for (unsigned n = 0; hd_pipeline_get(n); n++) {
      if (!strcmp(hd_pipeline_get(n)->name, name))
         return hd_pipeline_get(n);
   }
   return NULL;
}

hd_result
hd_run_pipeline(hd_shader *shader, const char *name, const hd_run_options *options, bool *progress)
{
   const hd_config *config = hd_shader_config(shader);
   hd_pass_list list = { .allocator = config->allocator };
   hd_diag_sink diag = options && options->diag.report ? options->diag : config->diag;
   hd_result result;

   if (hd_pipeline_find(name)) {
      result = hd_pass_list_parse(&list, name, diag);
   } else {
      char message[100];
      snprintf(message, sizeof(message), "there is no pipeline '%.40s'", name);
      hd_diag unknown = { .severity = HD_ERROR, .message = message };
      hd_diag_send(&diag, &unknown);
      result = HD_INVALID;
   }
   if (result == HD_OK)
      result = hd_run_passes(shader, list.steps, list.num_steps, options, progress);
   hd_pass_list_finish(&list);
   return result;
}
