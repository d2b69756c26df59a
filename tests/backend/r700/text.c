/* SPDX-License-Identifier: MIT */
/* text.c - R700, for the test of programs as text that machines share. */
#include "machine/tested_text.h"

#include "backend/r700/program.h"

static hd_result
compile(const hd_shader *shader, uint64_t seed, void *user, tested_after_phase *after_phase)
{
   const hd_r700_options options = { .max_registers = seed % 3 ? 0 : 12,
                                     .user = user,
                                     .after_phase = after_phase,
                                     .verify_regalloc = true };
   hd_r700_binary *binary;
   const hd_result result = hd_r700_compile(shader, &options, &binary);

   hd_r700_binary_destroy(binary);
   return result;
}

static const struct tested_bad_text bad[] = {
   { ".target gfx900\n", "1:9: expected r700\n" },
   { "b0:\n   FLY T2.X = T2.Y\n", "2:4: there is no such instruction\n" },
   { "b0:\n   MOV T2.X = T124.X\n", "2:15: expected T0.X to T123.W, or u0\n" },
   { "b0:\n   MOV T2.X = T3.Q\n", "2:15: expected T0.X to T123.W, or u0\n" },
   { "b0:\n   MOV T2.X = T3\n", "2:15: expected T0.X to T123.W, or u0\n" },
   { "b0:\n   MOV T2.X = T.X\n", "2:15: expected T0.X to T123.W, or u0\n" },
   { "b0:\n   MOV T2.X = u1\n", "2:15: expected T0.X to T123.W, or u0\n" },
   { "b0:\n   MOV T2.X = CB[0]\n", "2:15: expected CB0 to CB9\n" },
   { "b0:\n   MOV T2.X = CB0[16384]\n", "2:19: expected a number from 0 to 16383\n" },
   { "b0:\n   MOV %1:v1@T3.X, %1:v2 = 1\n",
     "2:20: the value has another kind or size elsewhere\n" },
   { NULL, NULL },
};

const tested_text tested = {
   .mach = &hd_r700_mach,
   .program_size = sizeof(hd_r700_program),
   .lanes = HD_R700_LANES,
   .print = hd_r700_program_print,
   .parse = hd_r700_program_parse,
   .compile = compile,
   .programs = { .compute = true, .no_images = true, .no_lanes = true, .whole_dwords = true },
   .num_programs = 200,
   .min_phases = 7,
   .bad = bad,
};
