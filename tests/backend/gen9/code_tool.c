/* SPDX-License-Identifier: MIT */
/* code_tool.c - Gen9's assembler and disassembler as a program, for tests that compare them with others.
 *
 *    code_tool as <TEXT >CODE      code_tool dis <CODE >TEXT
 */
#include <stdio.h>
#include <string.h>

#include "heddle/gen9_asm.h"

static void
print(void *user, const hd_diag *diag)
{
   (void)user;
   fprintf(stderr, "%u:%u: %s\n", diag->line, diag->column, diag->message);
}

int
main(int argc, char **argv)
{
   const hd_config config = { .diag = { NULL, print } };
   hd_blob in = { 0 }, out = { 0 };
   char buffer[4096];
   size_t num;
   hd_result result;

   if (argc != 2)
      return 2;
   while ((num = fread(buffer, 1, sizeof(buffer), stdin)))
      hd_blob_append(&in, buffer, num);
   if (!strcmp(argv[1], "as"))
      result = hd_gen9_assemble(&config, NULL, in.data, in.size, &out);
   else
      result = hd_gen9_disassemble(&config, false, in.data, in.size, &out, NULL);
   if (out.size)
      fwrite(out.data, 1, out.size, stdout);
   hd_blob_finish(&in);
   hd_blob_finish(&out);
   return result == HD_OK ? 0 : 1;
}
