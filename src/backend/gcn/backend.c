/* SPDX-License-Identifier: MIT */
/* backend.c - entry points of the GCN backend: targets, and compilation for hd_compile. */
#include "heddle/gcn.h"

#include "backend/target.h"

static hd_result
compile(const hd_shader *shader, const hd_target *target, const hd_compile_options *options,
        hd_target_binary *binary)
{
   hd_gcn_options own =
       options->own ? *(const hd_gcn_options *)options->own : (hd_gcn_options){ 0 };
   hd_gcn_binary *made;

   own.target = (hd_gcn_gen)target->variant;
   own.passes = options->passes;
   own.quick = options->optimization == HD_OPTIMIZE_QUICK;
   own.verify_regalloc = options->verify_regalloc;
   own.keep_text = options->keep_text;
   own.diag = options->diag;
   own.user = options->user;
   own.after_phase = options->after_phase;
   own.observer = options->observer;
   const hd_result result = hd_gcn_compile(shader, &own, &made);
   if (result != HD_OK)
      return result;
   binary->code = made->code;
   binary->code_size = 4 * (size_t)made->code_words;
   binary->text = made->text;
   for (unsigned n = 0; n < 3; n++)
      binary->workgroup_size[n] = made->workgroup_size[n];
   binary->shared_size = made->stats.lds_size;
   binary->scratch_size = made->stats.scratch_size * 64;
   binary->own = made;
   return HD_OK;
}

static void
destroy(const void *own)
{
   hd_gcn_binary_destroy((hd_gcn_binary *)own);
}

static const hd_target targets[HD_GCN_NUM_GENS] = {
   [HD_GCN_GFX600] = { "gfx600", "AMD GCN, Southern Islands", &hd_gcn_backend, HD_GCN_GFX600 },
   [HD_GCN_GFX803] = { "gfx803", "AMD GCN, Volcanic Islands", &hd_gcn_backend, HD_GCN_GFX803 },
   [HD_GCN_GFX900] = { "gfx900", "AMD GCN, Vega", &hd_gcn_backend, HD_GCN_GFX900 },
};

const hd_backend hd_gcn_backend = {
   .name = "gcn",
   .targets = targets,
   .num_targets = HD_GCN_NUM_GENS,
   .lanes = 64,
   .compile = compile,
   .destroy = destroy,
};
