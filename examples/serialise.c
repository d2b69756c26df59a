/* SPDX-License-Identifier: MIT */
/* serialise.c - a shader as bytes and back; what a cache would look it up by. */
#include <stdio.h>
#include <string.h>

#include "heddle/heddle.h"

static hd_result
build(const hd_config *config, const char *name_of_value, hd_shader **shader)
{
   hd_builder b = hd_builder_create(config, HD_STAGE_COMPUTE, "serialise");
   hd_def *lane = hd_global_invocation_index(&b);

   hd_name_def(&b, name_of_value, hd_imul(&b, lane, hd_imm_u32(&b, 3)));
   return hd_builder_finish(&b, shader);
}

int
main(void)
{
   hd_config config = { .diag = hd_diag_to_file(stderr) };
   hd_shader *shader = NULL, *other = NULL, *back = NULL;
   hd_hash hash, hash_of_other, hash_of_back;
   hd_blob bytes, again;

   hd_blob_init(&bytes, &config);
   hd_blob_init(&again, &config);
   bool ok = build(&config, "x", &shader) == HD_OK && build(&config, "y", &other) == HD_OK;

   /* Through bytes: what comes back is the same, to the byte. */
   ok = ok && hd_write_binary(shader, &bytes) == HD_OK;
   ok = ok && hd_read_binary(&config, "memory", bytes.data, bytes.size, &back) == HD_OK;
   ok = ok && hd_write_binary(back, &again) == HD_OK;
   if (ok) {
      printf("is binary: %s\n", hd_is_binary(bytes.data, bytes.size) ? "yes" : "no");
      printf("the same bytes again: %s\n",
             bytes.size == again.size && !memcmp(bytes.data, again.data, bytes.size) ? "yes"
                                                                                     : "no");
   }

   /* The hash is of what the shader means: the name of a value does not count. */
   ok = ok && hd_shader_hash(shader, &hash) == HD_OK;
   ok = ok && hd_shader_hash(other, &hash_of_other) == HD_OK;
   ok = ok && hd_shader_hash(back, &hash_of_back) == HD_OK;
   if (ok) {
      printf("hash survives: %s\n", !memcmp(&hash, &hash_of_back, sizeof(hash)) ? "yes" : "no");
      printf("names count: %s\n", memcmp(&hash, &hash_of_other, sizeof(hash)) ? "yes" : "no");
   }
   hd_blob_finish(&bytes);
   hd_blob_finish(&again);
   hd_shader_destroy(shader);
   hd_shader_destroy(other);
   hd_shader_destroy(back);
   return !ok;
}
