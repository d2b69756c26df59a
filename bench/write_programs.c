/* SPDX-License-Identifier: MIT */
/* write_programs.c - the same programs as Heddle text and as LLVM IR.
 *
 *    write_programs FOLDER series|growth SIZE...
 *
 * Leaves SHAPE-SIZE.hd and SHAPE-SIZE.ll of each shape of shapes.c (those of the series) or of
 * growth_shapes.c in the folder, and prints SHAPE-SIZE on lines of their own.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "growth_shapes.h"
#include "llvm_text.h"

static void
must(bool good, const char *path, const char *what)
{
   if (!good) {
      fprintf(stderr, "write_programs: %s: %s failed\n", path, what);
      exit(1);
   }
}

static void
complain(void *user, const hd_diag *diag)
{
   (void)user;
   hd_diag_print(stderr, diag, false);
}

static void
write_program(const shape *s, uint32_t size, const char *folder)
{
   const hd_config config = { .diag = { .report = complain } };
   char name[100], path[4096];
   hd_result result;
   hd_shader *shader = shape_build(s, &config, size, &result);
   hd_blob text;

   snprintf(name, sizeof(name), "%s-%" PRIu32, s->name, size);
   for (char *p = name; *p; p++)
      *p = *p == ' ' ? '_' : *p;
   must(result == HD_OK && hd_validate(shader, NULL) == HD_OK, name, "building");
   snprintf(path, sizeof(path), "%s/%s.ll", folder, name);
   FILE *out = fopen(path, "w");
   must(out && write_llvm(out, shader) && fclose(out) == 0, path, "writing");
   hd_blob_init(&text, &config);
   must(hd_print_shader(shader, NULL, &text) == HD_OK, path, "printing");
   snprintf(path, sizeof(path), "%s/%s.hd", folder, name);
   out = fopen(path, "w");
   must(out && fwrite(text.data, 1, text.size, out) == text.size && fclose(out) == 0, path,
        "writing");
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
   puts(name);
}

int
main(int argc, char **argv)
{
   if (argc < 4) {
      fprintf(stderr, "usage: write_programs FOLDER series|growth SIZE...\n");
      return 2;
   }
   const bool is_growth = !strcmp(argv[2], "growth");
   const unsigned count = is_growth ? num_growth_shapes : num_shapes;
   for (unsigned n = 0; n < count; n++) {
      const shape *s = is_growth ? &growth_shapes[n] : &shapes[n];

      for (int k = 3; k < argc && !s->extreme; k++)
         write_program(s, (uint32_t)strtoul(argv[k], NULL, 10), argv[1]);
   }
   return 0;
}
