/* SPDX-License-Identifier: MIT */
/* Any bytes to hd_read_binary. The size and the checksum are made right first, or no change of the
 * fuzzer would get past them. What is read must be fit for the validator; what that calls valid
 * must come back from text and bytes as it is.
 */
#include <string.h>

#include "heddle/binary.h"
#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/text.h"

#include "entry.h"
#include "ir/binary_format.h"
#include "own/table.h"

static const hd_config config = { .intrinsics = &own_table };

static void
make_right(uint8_t *data, size_t size)
{
   uint8_t sum[HD_DIGEST_SIZE];
   hd_digest d;

   memcpy(data, BINARY_MAGIC, BINARY_MAGIC_SIZE);
   for (unsigned n = 0; n < 4; n++)
      data[4 + n] = (uint8_t)(HD_BINARY_VERSION >> 8 * n);
   for (unsigned n = 0; n < 8; n++)
      data[8 + n] = (uint8_t)((uint64_t)size >> 8 * n);
   hd_digest_init(&d, 0, 0);
   hd_digest_add(&d, data, BINARY_SUMMED);
   hd_digest_add(&d, data + BINARY_HEADER_SIZE, size - BINARY_HEADER_SIZE);
   hd_digest_finish(&d, sum);
   memcpy(data + BINARY_SUMMED, sum, BINARY_HEADER_SIZE - BINARY_SUMMED);
}

static void
check_valid(hd_shader *shader)
{
   hd_shader *again = NULL, *parsed = NULL, *clone = NULL;
   hd_blob bytes = { 0 }, more = { 0 }, text = { 0 }, same = { 0 };
   hd_hash hash, other;

   must(hd_write_binary(shader, &bytes) == HD_OK);
   must(hd_read_binary(&config, NULL, bytes.data, bytes.size, &again) == HD_OK);
   must(hd_write_binary(again, &more) == HD_OK);
   must(bytes.size == more.size && !memcmp(bytes.data, more.data, more.size));
   must(hd_print_shader(shader, NULL, &text) == HD_OK);
   must(hd_print_shader(again, NULL, &same) == HD_OK);
   must(!strcmp(text.data, same.data));

   must(hd_shader_clone(shader, &config, &clone) == HD_OK);
   must(hd_shader_hash(clone, &hash) == HD_OK);
   must(hd_parse(&config, NULL, text.data, text.size, &parsed) == HD_OK);
   must(hd_shader_hash(parsed, &other) == HD_OK);
   must(!memcmp(&hash, &other, sizeof(hash)));
   hd_blob_finish(&bytes);
   hd_blob_finish(&more);
   hd_blob_finish(&text);
   hd_blob_finish(&same);
   hd_shader_destroy(again);
   hd_shader_destroy(parsed);
   hd_shader_destroy(clone);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
   hd_shader *shader = NULL;

   if (size < BINARY_HEADER_SIZE)
      return 0;
   uint8_t *copy = malloc(size);
   memcpy(copy, data, size);
   make_right(copy, size);
   if (hd_read_binary(&config, NULL, copy, size, &shader) == HD_OK) {
      if (hd_validate(shader, NULL) == HD_OK)
         check_valid(shader);
      hd_shader_destroy(shader);
   }
   free(copy);
   return 0;
}
