/* SPDX-License-Identifier: MIT */
/* backend.c - entry points of the Gen9 backend: targets, and compilation for hd_compile. */
#include <string.h>

#include "backend/gen9/program.h"
#include "backend/target.h"

static void
describe(const void *own, hd_target_binary *binary)
{
   const hd_gen9_binary *made = own;

   binary->code = made->code;
   binary->code_size = made->code_size;
   binary->text = made->text;
   memcpy(binary->workgroup_size, made->workgroup_size, sizeof(binary->workgroup_size));
   binary->shared_size = made->shared_size;
   binary->scratch_size = made->scratch_size;
}

static const hd_target targets[] = {
   { "gen9", "Intel Gen9, 8 lanes that structured instructions mask", &hd_gen9_backend, 0, 8 },
   { "gen9x16", "Intel Gen9, SIMD16", &hd_gen9_backend, 1, 16 },
};

const hd_backend hd_gen9_backend = {
   .name = "gen9",
   .targets = targets,
   .num_targets = sizeof(targets) / sizeof(targets[0]),
   .compile = hd_gen9_compile_as,
   .describe = describe,
};
