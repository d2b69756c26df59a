/* SPDX-License-Identifier: MIT */
/* compile.c - a kernel from the builder to a code object: build, optimise, compile for gfx900.
 *
 *    saxpy(a, x, y):  y[lane] = a * x[lane] + y[lane]
 */
#include <stdio.h>
#include <string.h>

#include "heddle/heddle.h"

/* The address of element `index` of an array of dwords. */
static hd_def *
element(hd_builder *b, hd_def *array, hd_def *index)
{
   return hd_iadd(b, array, hd_u2u(b, hd_imul(b, index, hd_imm_u32(b, 4)), 64));
}

/* The parameters of the entry function of a kernel are its arguments, in their order. */
static hd_result
build(const hd_config *config, hd_shader **shader)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_KERNEL, "saxpy");
   hd_def *a = hd_name_def(&b, "a", hd_build_param(&b, 1, 32));
   hd_def *x = hd_name_def(&b, "x", hd_build_param(&b, 1, 64));
   hd_def *y = hd_name_def(&b, "y", hd_build_param(&b, 1, 64));
   hd_def *lane = hd_global_invocation_index(&b);
   hd_def *at = element(&b, y, lane);
   hd_def *from_x = hd_load_global(&b, element(&b, x, lane), 1, 32, 0, 4, 0, 0);
   hd_def *from_y = hd_load_global(&b, at, 1, 32, 0, 4, 0, 0);
   hd_store_global(&b, hd_fadd(&b, hd_fmul(&b, a, from_x), from_y), at, 0, 4, 0, 0);
   return hd_builder_finish(&b, shader);
}

int
main(void)
{
   const hd_config config = { .diag = hd_diag_to_file(stderr) };
   const hd_gcn_options options = { .target = HD_GCN_GFX900, .abi = HD_GCN_ABI_HSA };
   hd_shader *shader;
   hd_gcn_binary *binary = NULL;
   hd_result result = build(&config, &shader);

   if (result != HD_OK)
      return 1;
   result = hd_run_pipeline(shader, "O2", NULL, NULL);
   if (result == HD_OK)
      result = hd_gcn_compile(shader, &options, &binary);
   if (result == HD_OK) {
      printf("%s for %s\n", hd_gcn_gen_name(binary->target),
             binary->abi == HD_GCN_ABI_HSA ? "an HSA loader" : "a driver");
      printf("a code object: %s\n", memcmp(binary->object, "\177ELF", 4) == 0 ? "ELF" : "no ELF");
      printf("spilled: %u\n", binary->stats.spilled_sgprs + binary->stats.spilled_vgprs);
   }
   hd_gcn_binary_destroy(binary);
   hd_shader_destroy(shader);
   return result != HD_OK;
}
