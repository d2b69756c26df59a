/* SPDX-License-Identifier: MIT */
/* hash.c - hash of the meaning of a shader, and cache keys. */
#include "ir/binary_format.h"
#include "ir/private.h"

#include "build_id.h"

const char *
hd_build_id(void)
{
   return HD_BUILD_ID;
}

/* Text with its length, so that no two sequences of texts give the same bytes. */
static void
add_text(hd_digest *d, const char *text)
{
   size_t length = strlen(text);

   hd_digest_add_u64(d, length);
   hd_digest_add(d, text, length);
}

hd_result
hd_shader_hash(const hd_shader *shader, hd_hash *out)
{
   hd_digest d;

   hd_digest_init(&d, 0, 0);
   hd_digest_add_u64(&d, HD_BINARY_VERSION);
   hd_result result = hd_binary_digest(shader, &d);
   if (result == HD_OK)
      hd_digest_finish(&d, out->bytes);
   return result;
}

hd_result
hd_cache_key(const hd_shader *shader, const char *target, const void *options, size_t options_size,
             hd_hash *out)
{
   hd_hash meaning;
   hd_digest d;

   hd_result result = hd_shader_hash(shader, &meaning);
   if (result != HD_OK)
      return result;
   hd_digest_init(&d, 0, 0);
   hd_digest_add(&d, meaning.bytes, sizeof(meaning.bytes));
   add_text(&d, hd_build_id());
   hd_digest_add_u64(&d, shader->lowered);
   add_text(&d, target);
   hd_digest_add_u64(&d, options_size);
   hd_digest_add(&d, options, options_size);
   add_text(&d, shader->name);
   hd_foreach_function(f, shader)
      add_text(&d, f->name);
   hd_digest_finish(&d, out->bytes);
   return HD_OK;
}
