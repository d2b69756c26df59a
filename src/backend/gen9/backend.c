/* SPDX-License-Identifier: MIT */
/* backend.c - entry points of the Gen9 backend: targets, and compilation for hd_compile. */
#include "heddle/gen9.h"

#include "backend/target.h"

static hd_result
compile(const hd_shader *shader, const hd_target *target, const hd_compile_options *options,
        hd_target_binary *binary)
{
   hd_gen9_options own =
       options->own ? *(const hd_gen9_options *)options->own : (hd_gen9_options){ 0 };
   hd_gen9_binary *made;

   (void)target;
   own.passes = options->passes;
   own.quick = options->optimization == HD_OPTIMIZE_QUICK;
   own.verify_regalloc = options->verify_regalloc;
   own.observer = options->observer;
   own.keep_text = options->keep_text;
   own.diag = options->diag;
   own.user = options->user;
   own.after_phase = options->after_phase;
   const hd_result result = hd_gen9_compile(shader, &own, &made);
   if (result != HD_OK)
      return result;
   binary->code = made->code;
   binary->code_size = made->code_size;
   binary->text = made->text;
   for (unsigned n = 0; n < 3; n++)
      binary->workgroup_size[n] = made->workgroup_size[n];
   binary->shared_size = made->shared_size;
   binary->scratch_size = made->scratch_size;
   binary->own = made;
   return HD_OK;
}

static void
destroy(const void *own)
{
   hd_gen9_binary_destroy((hd_gen9_binary *)own);
}

static const hd_target targets[] = {
   { "gen9", "Intel Gen9, 8 lanes that structured instructions mask", &hd_gen9_backend, 0 },
};

const hd_backend hd_gen9_backend = {
   .name = "gen9",
   .targets = targets,
   .num_targets = sizeof(targets) / sizeof(targets[0]),
   .lanes = HD_GEN9_LANES,
   .compile = compile,
   .destroy = destroy,
};
