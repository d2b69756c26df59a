/* SPDX-License-Identifier: MIT */
/* print_program.c - a random program as text: print_program SEED [SIZE [trees|graphs]] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/text.h"

#include "random_program.h"

int
main(int argc, char **argv)
{
   program_options options = { 0 };
   hd_blob text = { 0 };

   if (argc < 2) {
      fprintf(stderr, "usage: print_program SEED [SIZE [trees|graphs]]\n");
      return 2;
   }
   options.size = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 0) : 0;
   options.no_flat = argc > 3 && !strcmp(argv[3], "trees");
   options.no_structured = argc > 3 && !strcmp(argv[3], "graphs");
   hd_shader *shader = random_program(NULL, strtoull(argv[1], NULL, 0), &options);
   const bool done = shader && hd_print_shader(shader, NULL, &text) == HD_OK;
   if (done)
      fputs(text.data, stdout);
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
   return done ? 0 : 1;
}
