/* SPDX-License-Identifier: MIT */
/* run_tool.c - a wave of any R700 code as a program, for tests of code that others made.
 *
 *    run_tool STACK_SIZE CODE REGISTERS CONSTANTS >EXPORTED
 *
 * Files of dwords: 128 registers of four channels of 64 lanes; constant buffer 0; pixel target 0, four
 * dwords for each lane.
 */
#include <stdio.h>
#include <stdlib.h>

#include "heddle/r700_sim.h"

static void
print(void *user, const hd_diag *diag)
{
   (void)user;
   fprintf(stderr, "%s\n", diag->message);
}

static void *
read_file(const char *path, size_t least, size_t *size)
{
   FILE *file = fopen(path, "rb");
   unsigned char *data = calloc(1, least + 65536);

   *size = file && data ? fread(data, 1, least + 65536, file) : 0;
   if (file)
      fclose(file);
   return data;
}

int
main(int argc, char **argv)
{
   const hd_config config = { .diag = { NULL, print } };
   static uint32_t exported[4 * HD_R700_LANES];
   hd_r700_sim_options options = { .max_steps = 100000 };
   hd_r700_sim_stats stats;
   size_t size;

   if (argc != 5)
      return 2;
   hd_r700_sim_bare bare = { .stack_size = (uint32_t)strtoul(argv[1], NULL, 0),
                             .lanes = UINT64_MAX,
                             .exported = exported };
   bare.code = read_file(argv[2], 0, &bare.code_size);
   bare.registers = read_file(argv[3], 128 * 4 * 64 * 4, &size);
   bare.constants[0] = read_file(argv[4], 0, &bare.num_constants[0]);
   bare.num_constants[0] /= 4;
   if (!bare.code || !bare.registers || !bare.constants[0])
      return 2;
   const hd_result result = hd_r700_sim_run_bare(&config, &bare, &options, &stats);
   fwrite(exported, sizeof(exported), 1, stdout);
   fprintf(stderr, "groups %llu slots %llu\n", (unsigned long long)stats.groups,
           (unsigned long long)stats.slots);
   free((void *)bare.code);
   free(bare.registers);
   free((void *)bare.constants[0]);
   return result == HD_OK ? 0 : 1;
}
