/* SPDX-License-Identifier: MIT */
/* parse.c - read a shader from text, check it, and print it in its canonical form. */
#include <stdio.h>
#include <string.h>

#include "heddle/heddle.h"

static const char source[] = "shader compute \"doubled\" {\n"
                             "  workgroup 64 1 1\n"
                             "  function @main {\n"
                             "    // Comments and layout are not kept.\n"
                             "    b0:\n"
                             "      %i:32 = global_invocation_index\n"
                             "      %sum:32 = iadd %i, %i\n"
                             "      %c:1 = ult %sum, %i\n"
                             "      if %c { b1: return } else { b2: }\n"
                             "    b3:\n"
                             "  }\n"
                             "}\n";

int
main(void)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL;
   hd_blob text;

   hd_result result = hd_parse(&config, "doubled.hd", source, strlen(source), &shader);
   if (result == HD_OK)
      result = hd_validate(shader, NULL);
   hd_blob_init(&text, &config);
   if (result == HD_OK)
      result = hd_print_shader(shader, NULL, &text);
   if (result == HD_OK)
      fputs(text.data, stdout);
   else
      fprintf(stderr, "parse: %s\n", hd_result_name(result));
   hd_blob_finish(&text);
   hd_shader_destroy(shader);
   return result != HD_OK;
}
