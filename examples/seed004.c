/* SPDX-License-Identifier: MIT */
/* seed004.c - a whole program in twenty lines:
 *
 *    void main(void) {
 *       if (foo)
 *          return;
 *       while (bar) {
 *          if (baz)
 *             continue;
 *          ...
 *       }
 *    }
 */
#include <stdio.h>

#include "heddle/heddle.h"

static hd_result
build_seed004(const hd_config *config, hd_shader **shader)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_COMPUTE, "seed004");
   hd_def *lane = hd_global_invocation_index(&b), *one = hd_imm_u32(&b, 1);
   hd_ssa_var *n = hd_ssa_var_create(&b, 1, 32);
   hd_ssa_write(&b, n, lane);

   hd_push_if(&b, hd_name_def(&b, "foo", hd_ieq(&b, lane, one)));
   hd_return(&b, NULL);
   hd_pop_if(&b);

   hd_push_loop(&b);
   hd_def *bar = hd_name_def(&b, "bar", hd_ine(&b, hd_ssa_read(&b, n), one));
   hd_break_if(&b, hd_inot(&b, bar));
   hd_def *half = hd_ushr(&b, hd_ssa_read(&b, n), one);
   hd_def *odd = hd_iand(&b, hd_ssa_read(&b, n), one);
   hd_ssa_write(&b, n, half);
   hd_continue_if(&b, hd_name_def(&b, "baz", hd_ine(&b, odd, one)));
   hd_ssa_write(&b, n, hd_iadd(&b, half, odd));
   hd_pop_loop(&b);

   return hd_builder_finish(&b, shader);
}

int
main(void)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader;
   hd_blob text;

   if (build_seed004(&config, &shader) != HD_OK)
      return 1;
   hd_blob_init(&text, &config);
   if (hd_print_shader(shader, NULL, &text) == HD_OK)
      fputs(text.data, stdout);
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
   return 0;
}
