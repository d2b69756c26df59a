/* SPDX-License-Identifier: MIT */
/* backend.c - entry points of the Nyuzi backend: targets, and compilation for hd_compile. */
#include <string.h>

#include "backend/nyuzi/program.h"
#include "backend/target.h"

static void
describe(const void *own, hd_target_binary *binary)
{
   const hd_nyuzi_binary *made = own;

   binary->code = made->code;
   binary->code_size = 4 * (size_t)made->code_words;
   binary->text = made->text;
   memcpy(binary->workgroup_size, made->workgroup_size, sizeof(binary->workgroup_size));
   binary->shared_size = made->shared_size;
   binary->scratch_size = made->scratch_size;
}

static const hd_target targets[] = {
   { "nyuzi", "Nyuzi, 16 lanes with masks in scalar registers", &hd_nyuzi_backend, 0,
     HD_NYUZI_LANES },
};

const hd_backend hd_nyuzi_backend = {
   .name = "nyuzi",
   .targets = targets,
   .num_targets = sizeof(targets) / sizeof(targets[0]),
   .compile = hd_nyuzi_compile_as,
   .describe = describe,
};
