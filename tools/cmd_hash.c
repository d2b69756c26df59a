/* SPDX-License-Identifier: MIT */
/* cmd_hash.c - heddle hash: the hash of the meaning of a shader, or its cache key for a target. */
#include "tool.h"

#include "heddle/binary.h"

static int
hash_file(tool *t, const char *path)
{
   const char *target = option_value(t, "target");
   int status;
   hd_shader *shader = load_shader(t, path, &status);
   hd_hash hash;

   if (!shader)
      return status;
   hd_result result =
       target ? hd_cache_key(shader, target, NULL, 0, &hash) : hd_shader_hash(shader, &hash);
   hd_shader_destroy(shader);
   if (result != HD_OK)
      return explain(t, path, result);
   for (unsigned n = 0; n < sizeof(hash.bytes); n++)
      printf("%02x", hash.bytes[n]);
   fputs("  ", stdout);
   print_escaped(stdout, path);
   putchar('\n');
   return 0;
}

int
run_hash(tool *t)
{
   int worst = 0;

   if (!t->num_operands)
      return hash_file(t, "-");
   for (int n = 0; n < t->num_operands; n++) {
      int status = hash_file(t, t->operands[n]);
      worst = status > worst ? status : worst;
   }
   return worst;
}
