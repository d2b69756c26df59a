/* SPDX-License-Identifier: MIT */
/* backend.c - entry points of the GCN backend: targets, and compilation for hd_compile. */
#include <string.h>

#include "backend/gcn/output.h"
#include "backend/target.h"

static void
describe(const void *own, hd_target_binary *binary)
{
   const hd_gcn_binary *made = own;

   binary->code = made->code;
   binary->code_size = 4 * (size_t)made->code_words;
   binary->text = made->text;
   memcpy(binary->workgroup_size, made->workgroup_size, sizeof(binary->workgroup_size));
   binary->shared_size = made->stats.lds_size;
   binary->scratch_size = made->stats.scratch_size * 64;
}

static const hd_target targets[] = {
   [HD_GCN_GFX600] = { "gfx600", "AMD GCN, Southern Islands", &hd_gcn_backend, HD_GCN_GFX600, 64 },
   [HD_GCN_GFX803] = { "gfx803", "AMD GCN, Volcanic Islands", &hd_gcn_backend, HD_GCN_GFX803, 64 },
   [HD_GCN_GFX900] = { "gfx900", "AMD GCN, Vega", &hd_gcn_backend, HD_GCN_GFX900, 64 },
};

const hd_backend hd_gcn_backend = {
   .name = "gcn",
   .targets = targets,
   .num_targets = sizeof(targets) / sizeof(targets[0]),
   .compile = hd_gcn_compile_as,
   .describe = describe,
};
