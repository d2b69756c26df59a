/* SPDX-License-Identifier: MIT */
/* diagnostics.c - your own sink: what is wrong, as data. */
#include <stdio.h>
#include <string.h>

#include "heddle/heddle.h"

/* Any program can turn a diagnostic into its own form of message; here, one line each. */
static void
report(void *user, const hd_diag *diag)
{
   unsigned *num = user;

   (*num)++;
   printf("%u. %s, line %u, column %u\n", *num, diag->file ? diag->file : "no file",
          (unsigned)diag->line, (unsigned)diag->column);
   if (diag->text)
      printf("   the text there: '%.*s'\n", (int)diag->length, diag->text + diag->column - 1);
   else
      printf("   %s\n", diag->message);
}

static const char source[] = "shader compute \"wrong\" {\n"
                             "  function @main {\n"
                             "    b0:\n"
                             "      %0:32 = const 1\n"
                             "      %1:32 = iad %0, %0\n"
                             "      %2:32 = iadd %0, %7\n"
                             "  }\n"
                             "}\n";

int
main(void)
{
   unsigned num = 0;
   hd_config config = { .diag = { &num, report } };
   hd_shader *shader;

   hd_result result = hd_parse(&config, "wrong.hd", source, strlen(source), &shader);
   printf("%s, %u errors\n", hd_result_name(result), num);

   /* The builder's mistakes come with the location that was set. */
   num = 0;
   hd_builder b = hd_builder_create(&config, HD_STAGE_COMPUTE, "wrong");
   hd_set_location(&b, "wrong.c", 12, 1);
   hd_def *wide = hd_imm_u64(&b, 1);
   hd_iadd(&b, hd_imm_u32(&b, 1), wide);
   result = hd_builder_finish(&b, &shader);
   printf("%s, %u errors\n", hd_result_name(result), num);
   return num != 1;
}
