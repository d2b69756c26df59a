/* SPDX-License-Identifier: MIT */
/* backend.c - entry points of the R700 backend: targets, and compilation for hd_compile. */
#include <string.h>

#include "backend/r700/program.h"
#include "backend/target.h"

static void
describe(const void *own, hd_target_binary *binary)
{
   const hd_r700_binary *made = own;

   binary->code = made->code;
   binary->code_size = made->code_size;
   binary->text = made->text;
   memcpy(binary->workgroup_size, made->workgroup_size, sizeof(binary->workgroup_size));
   binary->shared_size = made->shared_size;
   binary->scratch_size = 16 * HD_R700_LANES * made->scratch_quads;
}

static const hd_target targets[] = {
   { "r700", "AMD R700, 64 lanes with a stack of masks", &hd_r700_backend, 0, HD_R700_LANES },
};

const hd_backend hd_r700_backend = {
   .name = "r700",
   .targets = targets,
   .num_targets = sizeof(targets) / sizeof(targets[0]),
   .compile = hd_r700_compile_as,
   .describe = describe,
};
