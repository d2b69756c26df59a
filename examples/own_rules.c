/* SPDX-License-Identifier: MIT */
/* own_rules.c - rewrite rules of a driver's own: own_rules.py has them, heddle-rules makes C of it. */
#include <stdio.h>

#include "heddle/heddle.h"

extern const hd_rule_set own_rules;

static bool
rewrite(hd_function *f, const hd_pass_step *step)
{
   return hd_progress(f, hd_rewrite(f, &own_rules, step->values), HD_META_GRAPH);
}

static const hd_pass_option options[] = {
   { .name = "shift", .meaning = "multiply by shifting and subtracting", .high = 1 },
};

static const hd_pass own_pass = {
   .name = "own_rules",
   .meaning = "the driver's rewrite rules",
   .forms = HD_PASS_TREE | HD_PASS_FLAT,
   .requires_meta = HD_META_BLOCK_ORDER,
   .preserves_meta = HD_META_GRAPH,
   .num_options = 1,
   .options = options,
   .run = rewrite,
};

static const char shader_text[] = "shader compute \"own_rules\" {\n"
                                  "  function @main(%p:64, %a:32, %x:32, %y:32) {\n"
                                  "    b0:\n"
                                  "      %k:32 = const 7\n"
                                  "      %m:32 = imul %a, %k\n"
                                  "      %root:32 = fsqrt %y\n"
                                  "      %q:32 = fdiv %x, %root\n"
                                  "      %v:32x2 = vec %m, %q\n"
                                  "      store_global %v, %p align_mul=8\n"
                                  "  }\n"
                                  "}\n";

int
main(void)
{
   const hd_config config = { .diag = hd_diag_to_file(stdout) };
   const hd_pass *const own[] = { &own_pass };
   const hd_run_options checks = HD_RUN_CHECK_ALL;
   hd_pass_list list = { .own = own, .num_own = 1 };
   hd_blob text = { 0 };
   hd_shader *shader;

   if (hd_parse(&config, "text", shader_text, sizeof(shader_text) - 1, &shader) != HD_OK ||
       hd_pass_list_parse(&list, "own_rules(shift=1),dce", config.diag) != HD_OK)
      return 1;
   const hd_result result = hd_run_passes(shader, list.steps, list.num_steps, &checks, NULL);
   if (result == HD_OK && hd_print_shader(shader, NULL, &text) == HD_OK)
      fputs(text.data, stdout);
   hd_blob_finish(&text);
   hd_pass_list_finish(&list);
   hd_shader_destroy(shader);
   return result != HD_OK;
}
