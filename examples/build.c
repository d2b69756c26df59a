/* SPDX-License-Identifier: MIT */
/* build.c - build a kernel through the API: y[i] = a * x[i] + y[i], for each lane its elements.
 *
 * What it shows: kernel arguments, memory, a loop with a variable in it, an if with a phi after it,
 * a helper function, names and source locations.
 */
#include <stdio.h>

#include "heddle/heddle.h"

/* The address of element `i` of an array of 32-bit floats. */
static hd_function *
build_element(hd_builder *b, hd_function *f)
{
   hd_function_set_result(f, 1, 64);
   hd_builder_enter(b, f);
   hd_def *base = hd_name_def(b, "base", hd_build_param(b, 1, 64));
   hd_def *i = hd_name_def(b, "i", hd_build_param(b, 1, 32));
   hd_def *two = hd_imm_u32(b, 2);
   hd_return(b, hd_iadd(b, base, hd_ishl(b, hd_u2u(b, i, 64), two)));
   return f;
}

static hd_result
build_saxpy(const hd_config *config, hd_shader **shader)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_KERNEL, "saxpy");

   /* The builder may have failed by now, and its shader be missing: ask before going around it. */
   hd_function *entry = b.function;
   hd_function *element = b.result == HD_OK ? hd_function_create(b.shader, "element", true) : NULL;
   if (!element)
      return hd_builder_finish(&b, shader);
   b.shader->kernarg_size = 24;
   build_element(&b, element);

   hd_builder_enter(&b, entry);
   hd_set_location(&b, "saxpy.cl", 2, 4);
   hd_def *zero = hd_imm_u32(&b, 0);
   hd_def *x = hd_name_def(&b, "x", hd_load_kernarg(&b, zero, 1, 64, 0, 8, 0, 0));
   hd_def *y = hd_name_def(&b, "y", hd_load_kernarg(&b, zero, 1, 64, 8, 8, 0, 0));
   hd_def *a = hd_name_def(&b, "a", hd_load_kernarg(&b, zero, 1, 32, 16, 4, 0, 0));
   hd_def *n = hd_name_def(&b, "n", hd_load_kernarg(&b, zero, 1, 32, 20, 4, 0, 0));

   /* for (i = lane; i < n; i += 1024) */
   hd_ssa_var *i = hd_ssa_var_create(&b, 1, 32);
   hd_ssa_write(&b, i, hd_global_invocation_index(&b));
   hd_set_location(&b, "saxpy.cl", 3, 4);
   hd_push_loop(&b);
   hd_break_if(&b, hd_ule(&b, n, hd_ssa_read(&b, i)));
   {
      hd_set_location(&b, "saxpy.cl", 4, 7);
      hd_def *x_at = hd_build_call(&b, element, 2, (hd_def *[]){ x, hd_ssa_read(&b, i) });
      hd_def *y_at = hd_build_call(&b, element, 2, (hd_def *[]){ y, hd_ssa_read(&b, i) });
      hd_def *xi = hd_load_global(&b, x_at, 1, 32, 0, 4, 0, 0);
      hd_def *yi = hd_load_global(&b, y_at, 1, 32, 0, 4, 0, 0);
      hd_def *sum = hd_ffma(&b, a, xi, yi);

      /* max(sum, 0), the long way. */
      hd_push_if(&b, hd_flt(&b, sum, hd_imm_f32(&b, 0.0f)));
      hd_def *least = hd_imm_f32(&b, 0.0f);
      hd_pop_if(&b);
      hd_store_global(&b, hd_if_phi(&b, least, sum), y_at, 0, 4, 0, 0);
   }
   hd_set_location(&b, "saxpy.cl", 3, 4);
   hd_push_continue(&b);
   hd_def *step = hd_imm_u32(&b, 1024);
   hd_ssa_write(&b, i, hd_iadd(&b, hd_ssa_read(&b, i), step));
   hd_pop_loop(&b);

   return hd_builder_finish(&b, shader);
}

int
main(void)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader;
   hd_blob text;

   hd_result result = build_saxpy(&config, &shader);
   if (result != HD_OK) {
      fprintf(stderr, "cannot build: %s\n", hd_result_name(result));
      return 1;
   }
   result = hd_validate(shader, NULL);
   hd_blob_init(&text, &config);
   if (result == HD_OK)
      result = hd_print_shader(shader, NULL, &text);
   if (result == HD_OK)
      fputs(text.data, stdout);
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
   return result != HD_OK;
}
