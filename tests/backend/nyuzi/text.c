/* SPDX-License-Identifier: MIT */
/* text.c - Nyuzi, for the test of programs as text that machines share. */
#include "machine/tested_text.h"

#include "backend/nyuzi/program.h"

static hd_result
compile(const hd_shader *shader, uint64_t seed, void *user, tested_after_phase *after_phase)
{
   const hd_nyuzi_options options = { .max_scalars = seed % 3 ? 0 : 14,
                                      .user = user,
                                      .after_phase = after_phase,
                                      .verify_regalloc = true };
   hd_nyuzi_binary *binary;
   const hd_result result = hd_nyuzi_compile(shader, &options, &binary);

   hd_nyuzi_binary_destroy(binary);
   return result;
}

static const struct tested_bad_text bad[] = {
   { ".target gfx900\n", "1:9: expected nyuzi\n" },
   { "move s1 = s2\n", "1:1: expected a directive or a block\n" },
   { "b0:\n   fly s1 = s2\n", "2:4: there is no such instruction\n" },
   { "b0:\n   move s1 = s32\n", "2:14: expected s0 to s31, or v0 to v31\n" },
   { "b0:\n   move %1:x1 = s2\n", "2:12: expected v, s, m or l and the number of registers\n" },
   { "b0:\n   move %1:s1@v1, %1:v1 = s2\n",
     "2:19: the value has another kind or size elsewhere\n" },
   { "b0:\n   move %999:s1 = s2\n", "2:9: a value's number is larger than the text is long\n" },
   { "b0:\n   move s1 = s2 s3\n", "2:17: expected ',', '=' or the end of the line\n" },
   { "b0:\n   move s1 = s2 imm:x\n", "2:21: expected a whole number\n" },
   { "b0:\n   move s1 = s2 bits:65536\n", "2:22: expected a number from 0 to 65535\n" },
   { "b0:\n   b -> x\n", "2:9: expected a block\n" },
   { "b0:\n   .linear -> b1\nb1:\n", "4:1: only one side says the edge b0 -> b1\n" },
   { "b0:\nb0:\n", "2:1: the block is defined twice\n" },
   { "b0:\n   .tail\nb1:\n", "3:1: no instruction follows .tail\n" },
   { "b0:\n   .round\n", "2:4: unknown directive of a block\n" },
   { "b0:\n   .linear b0\n   .linear b0\n", "3:11: the edges of the block are given twice\n" },
   { ".temp %1 fast\n", "1:10: expected 'remat' or 'align'\n" },
   { NULL, NULL },
};

const tested_text tested = {
   .mach = &hd_nyuzi_mach,
   .program_size = sizeof(hd_nyuzi_program),
   .lanes = HD_NYUZI_LANES,
   .parse = hd_mach_program_parse,
   .compile = compile,
   .programs = { .compute = true, .no_images = true, .no_shared_floats = true },
   .num_programs = 80,
   .min_phases = 9,
   .bad = bad,
};
