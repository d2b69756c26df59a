/* SPDX-License-Identifier: MIT */
/* backend.c - R700 as hd_compile sees it. */
#include "heddle/r700.h"

#include "backend/target.h"

static hd_result
compile(const hd_shader *shader, const hd_target *target, const hd_compile_options *options,
        hd_target_binary *binary)
{
   hd_r700_options own =
       options->own ? *(const hd_r700_options *)options->own : (hd_r700_options){ 0 };
   hd_r700_binary *made;

   (void)target;
   own.passes = options->passes;
   own.quick = options->optimization == HD_OPTIMIZE_QUICK;
   own.verify_regalloc = options->verify_regalloc;
   own.observer = options->observer;
   own.keep_text = options->keep_text;
   own.diag = options->diag;
   own.user = options->user;
   own.after_phase = options->after_phase;
   const hd_result result = hd_r700_compile(shader, &own, &made);
   if (result != HD_OK)
      return result;
   binary->code = made->code;
   binary->code_size = made->code_size;
   binary->text = made->text;
   for (unsigned n = 0; n < 3; n++)
      binary->workgroup_size[n] = made->workgroup_size[n];
   binary->shared_size = made->shared_size;
   binary->scratch_size = 16 * HD_R700_LANES * made->scratch_quads;
   binary->own = made;
   return HD_OK;
}

static void
destroy(const void *own)
{
   hd_r700_binary_destroy((hd_r700_binary *)own);
}

static const hd_target targets[] = {
   { "r700", "AMD R700, 64 lanes with a stack of masks", &hd_r700_backend, 0 },
};

const hd_backend hd_r700_backend = {
   .name = "r700",
   .targets = targets,
   .num_targets = sizeof(targets) / sizeof(targets[0]),
   .lanes = HD_R700_LANES,
   .compile = compile,
   .destroy = destroy,
};
