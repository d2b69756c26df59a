/* SPDX-License-Identifier: MIT */
/* pipeline.c - the standard lists of passes, in the order in which they run.
 *
 * A list is fixed: nothing is repeated until nothing changes, so the time a shader takes follows
 * from its size. Where a pass stands twice, the reason is beside it.
 */
#include "heddle/pass.h"

#include <string.h>

/* What is left out here is left to the front end. */
static const char *const o0[] = {
   NULL,
};

static const char *const o1[] = {
   "opt_vars_to_ssa",
   "opt_dead_cf",
   "opt_cse",
   "opt_dce",
   NULL,
};

static const char *const o2[] = {
   "opt_vars_to_ssa",
   "opt_dead_cf",
   "opt_cse",
   "opt_dce",
   NULL,
};

static const hd_pipeline pipelines[] = {
   { "O0", "nothing", o0 },
   { "O1", "what makes a shader smaller at little cost", o1 },
   { "O2", "all that makes a shader faster", o2 },
};

const hd_pipeline *
hd_pipeline_get(unsigned n)
{
   return n < sizeof(pipelines) / sizeof(pipelines[0]) ? &pipelines[n] : NULL;
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
      if (diag.report)
         diag.report(diag.user, &unknown);
      result = HD_INVALID;
   }
   if (result == HD_OK)
      result = hd_run_passes(shader, list.steps, list.num_steps, options, progress);
   hd_pass_list_finish(&list);
   return result;
}
