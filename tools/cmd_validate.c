/* SPDX-License-Identifier: MIT */
/* cmd_validate.c - heddle validate: every rule, on every file. */
#include "tool.h"

#include "heddle/ir.h"

static void
silence(void *user, const hd_diag *diag)
{
   (void)user;
   (void)diag;
}

int
run_validate(tool *t)
{
   char *standard[] = { "-" };
   char **paths = t->operands;
   int num_paths = t->num_operands;
   int worst = 0;

   if (num_paths == 0) {
      paths = standard;
      num_paths = 1;
   }
   if (option_given(t, "quiet"))
      t->config.diag.report = silence;
   t->rules.reconverging = option_given(t, "reconverging");
   t->rules.keeps_sweep = option_given(t, "keeps-sweep");
   for (int n = 0; n < num_paths; n++) {
      int status = 0;
      hd_shader_destroy(load_shader(t, paths[n], &status));
      worst = status > worst ? status : worst;
   }
   return worst;
}
