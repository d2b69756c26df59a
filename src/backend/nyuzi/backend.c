/* SPDX-License-Identifier: MIT */
/* backend.c - entry points of the Nyuzi backend: targets, and compilation for hd_compile. */
#include "heddle/nyuzi.h"

#include "backend/target.h"

static hd_result
compile(const hd_shader *shader, const hd_target *target, const hd_compile_options *options,
        hd_target_binary *binary)
{
   hd_nyuzi_options own =
       options->own ? *(const hd_nyuzi_options *)options->own : (hd_nyuzi_options){ 0 };
   hd_nyuzi_binary *made;

   (void)target;
   own.passes = options->passes;
   own.quick = options->optimization == HD_OPTIMIZE_QUICK;
   own.verify_regalloc = options->verify_regalloc;
   own.keep_text = options->keep_text;
   own.diag = options->diag;
   own.user = options->user;
   own.after_phase = options->after_phase;
   own.observer = options->observer;
   const hd_result result = hd_nyuzi_compile(shader, &own, &made);
   if (result != HD_OK)
      return result;
   binary->code = made->code;
   binary->code_size = 4 * (size_t)made->code_words;
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
   hd_nyuzi_binary_destroy((hd_nyuzi_binary *)own);
}

static const hd_target targets[] = {
   { "nyuzi", "Nyuzi, 16 lanes with masks in scalar registers", &hd_nyuzi_backend, 0 },
};

const hd_backend hd_nyuzi_backend = {
   .name = "nyuzi",
   .targets = targets,
   .num_targets = sizeof(targets) / sizeof(targets[0]),
   .lanes = HD_NYUZI_LANES,
   .compile = compile,
   .destroy = destroy,
};
