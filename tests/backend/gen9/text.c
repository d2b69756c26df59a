/* SPDX-License-Identifier: MIT */
/* text.c - Gen9, for the test of programs as text that machines share. */
#include "machine/tested_text.h"

#include "backend/gen9/program.h"

static hd_result
compile(const hd_shader *shader, uint64_t seed, void *user, tested_after_phase *after_phase)
{
   const hd_gen9_options options = { .lowering = seed % 2 ? HD_GEN9_LOWERING_BLOCK_NUMBERS
                                                          : HD_GEN9_LOWERING_STRUCTURED,
                                     .max_registers = seed % 3 ? 0 : 12,
                                     .max_scalars = seed % 3 ? 0 : 12,
                                     .user = user,
                                     .after_phase = after_phase,
                                     .verify_regalloc = true };
   hd_gen9_binary *binary;
   const hd_result result = hd_gen9_compile(shader, &options, &binary);

   hd_gen9_binary_destroy(binary);
   return result;
}

static const struct tested_bad_text bad[] = {
   { ".target gfx900\n", "1:9: expected gen9\n" },
   { "b0:\n   fly r2 = r3\n", "2:4: there is no such instruction\n" },
   { "b0:\n   mov r2 = r128\n", "2:13: expected u0 to u159, or r0 to r127\n" },
   { "b0:\n   mov %1:x1 = r2\n", "2:11: expected v, s, m or l and the number of registers\n" },
   { "b0:\n   mov %1:v1@r3, %1:v2 = r1\n", "2:18: the value has another kind or size elsewhere\n" },
   { NULL, NULL },
};

const tested_text tested = {
   .mach = &hd_gen9_machs[0],
   .program_size = sizeof(hd_gen9_program),
   .lanes = 8,
   .parse = hd_mach_program_parse,
   .compile = compile,
   .programs = { .compute = true, .no_images = true },
   .num_programs = 80,
   .min_phases = 8,
   .bad = bad,
};
