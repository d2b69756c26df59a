/* SPDX-License-Identifier: MIT */
/* The binary form: what is written comes back the same, and what is damaged does not come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "heddle/binary.h"
#include "heddle/check.h"
#include "heddle/edit.h"
#include "heddle/text.h"
#include "ir/binary_format.h"
#include "naive.h"
#include "samples.h"

static hd_blob
text_of(const hd_shader *shader)
{
   hd_blob text = { 0 };

   assert_int_equal(hd_print_shader(shader, NULL, &text), HD_OK);
   return text;
}

static hd_blob
bytes_of(const hd_shader *shader)
{
   hd_blob bytes = { 0 };

   assert_int_equal(hd_write_binary(shader, &bytes), HD_OK);
   return bytes;
}

static void
assert_same(const hd_blob *a, const hd_blob *b)
{
   assert_int_equal(a->size, b->size);
   assert_memory_equal(a->data, b->data, a->size);
}

static void
assert_sound(const hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      const char *fault = naive_check(f);
      if (fault)
         fail_msg("@%s: %s", f->name, fault);
   }
}

/* Write, read, print: the same text; write again: the same bytes. Takes the shader. */
static void
assert_round_trip(hd_shader *shader)
{
   hd_shader *copy = NULL;
   hd_blob text = text_of(shader), bytes = bytes_of(shader);

   assert_int_equal(hd_read_binary(NULL, "x.hdb", bytes.data, bytes.size, &copy), HD_OK);
   assert_sound(copy);
   hd_blob text_again = text_of(copy), bytes_again = bytes_of(copy);
   assert_string_equal(text.data, text_again.data);
   assert_same(&bytes, &bytes_again);
   hd_blob_finish(&text);
   hd_blob_finish(&bytes);
   hd_blob_finish(&text_again);
   hd_blob_finish(&bytes_again);
   hd_shader_destroy(shader);
   hd_shader_destroy(copy);
}

static void
test_features(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);

   assert_sound(shader);
   assert_round_trip(shader);
}

static hd_shader *
sample_of(uint64_t seed)
{
   return seed & 1 ? sample_tree(NULL, seed, 20 + seed % 500)
                   : sample_flat(NULL, seed, 1 + seed % 60);
}

static void
test_random(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < 300; seed++)
      assert_round_trip(sample_of(seed));
}

/* An empty shader, an empty flat function, a name that is empty. */
static void
test_small(void **state)
{
   (void)state;
   assert_round_trip(hd_shader_create(NULL, HD_STAGE_FRAGMENT, NULL));
   hd_shader *shader = hd_shader_create(NULL, HD_STAGE_VERTEX, "");
   hd_function_create(shader, "", true);
   assert_round_trip(shader);
   shader = hd_shader_create(NULL, HD_STAGE_KERNEL, "k");
   hd_flat_return(hd_function_start(hd_function_create(shader, "k", false)), NULL);
   assert_round_trip(shader);
}

/* Bytes depend on neither indices nor the order of predecessors. */
static void
test_history(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < 200; seed++) {
      hd_shader *shader = seed ? sample_of(seed) : sample_features(NULL);
      hd_blob before = bytes_of(shader);
      hd_hash hash, same;
      assert_int_equal(hd_shader_hash(shader, &hash), HD_OK);
      sample_scramble(shader, seed);
      assert_sound(shader);
      hd_blob after = bytes_of(shader);
      assert_same(&before, &after);
      assert_int_equal(hd_shader_hash(shader, &same), HD_OK);
      assert_memory_equal(&hash, &same, sizeof(hash));
      assert_round_trip(shader);
      hd_blob_finish(&before);
      hd_blob_finish(&after);
   }
}

/* Writing appends, and a refused shader appends nothing. */
static void
test_append(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_blob blob = { 0 };

   hd_blob_append(&blob, "before", 6);
   assert_int_equal(hd_write_binary(shader, &blob), HD_OK);
   assert_memory_equal(blob.data, "before", 6);
   assert_true(hd_is_binary(blob.data + 6, blob.size - 6));
   assert_false(hd_is_binary(blob.data, blob.size));
   assert_false(hd_is_binary(blob.data + 6, 3));
   hd_blob_finish(&blob);
   hd_shader_destroy(shader);
}

/* Damage */

struct heard {
   unsigned count;
   uint64_t offset;
   char message[256];
};

static void
hear(void *user, const hd_diag *diag)
{
   struct heard *heard = user;

   heard->count++;
   heard->offset = diag->offset;
   snprintf(heard->message, sizeof(heard->message), "%s", diag->message);
}

static hd_result
read_bytes(const uint8_t *data, size_t size, struct heard *heard, hd_shader **out)
{
   hd_config config = { .diag = { heard, hear } };

   memset(heard, 0, sizeof(*heard));
   return hd_read_binary(&config, "x.hdb", data, size, out);
}

/* Write the size and the checksum that these bytes should have. */
static void
make_right(uint8_t *data, size_t size)
{
   uint8_t sum[HD_DIGEST_SIZE];
   hd_digest d;

   if (size < BINARY_HEADER_SIZE)
      return;
   for (unsigned n = 0; n < 8; n++)
      data[8 + n] = (uint8_t)((uint64_t)size >> 8 * n);
   hd_digest_init(&d, 0, 0);
   hd_digest_add(&d, data, BINARY_SUMMED);
   hd_digest_add(&d, data + BINARY_HEADER_SIZE, size - BINARY_HEADER_SIZE);
   hd_digest_finish(&d, sum);
   memcpy(data + BINARY_SUMMED, sum, 8);
}

/* As they are, damaged bytes are refused. Made to look right, they are refused, or they are a
 * shader that is sound, that the validator can judge, and that goes both ways again.
 */
static bool
assert_harmless(uint8_t *data, size_t size)
{
   struct heard heard;
   hd_shader *shader = NULL;

   assert_int_not_equal(read_bytes(data, size, &heard, &shader), HD_OK);
   assert_null(shader);
   assert_int_equal(heard.count, 1);
   make_right(data, size);
   if (read_bytes(data, size, &heard, &shader) != HD_OK) {
      assert_null(shader);
      assert_int_equal(heard.count, 1);
      assert_true(heard.offset <= size);
      return false;
   }
   assert_int_equal(heard.count, 0);
   assert_sound(shader);
   hd_result valid = hd_validate(shader, &(hd_validate_options){ .diag = { &heard, hear } });
   assert_true(valid == HD_OK || (valid == HD_INVALID && heard.count));
   if (valid == HD_OK)
      assert_round_trip(shader);
   else
      hd_shader_destroy(shader);
   return valid == HD_OK;
}

static void
test_truncated(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_blob bytes = bytes_of(shader);

   for (size_t size = 0; size < bytes.size; size++) {
      /* Memory of just this size, so that reading past it is noticed. */
      uint8_t *part = malloc(size ? size : 1);
      memcpy(part, bytes.data, size);
      assert_false(assert_harmless(part, size));
      free(part);
   }
   hd_blob_finish(&bytes);
   hd_shader_destroy(shader);
}

static void
test_flipped(void **state)
{
   (void)state;
   hd_shader *shader = sample_features(NULL);
   hd_blob bytes = bytes_of(shader);
   uint8_t *data = malloc(bytes.size);
   unsigned harmless = 0;

   for (size_t bit = 0; bit < bytes.size * 8; bit++) {
      memcpy(data, bytes.data, bytes.size);
      data[bit / 8] ^= (uint8_t)(1u << bit % 8);
      harmless += assert_harmless(data, bytes.size);
   }
   /* Many only change a constant or a name: were all refused, the test would say little. */
   assert_true(harmless > 1000);
   free(data);
   hd_blob_finish(&bytes);
   hd_shader_destroy(shader);
}

/* Both at random, several at once, on larger shaders. */
static void
test_garbled(void **state)
{
   (void)state;
   for (uint64_t seed = 0; seed < 2000; seed++) {
      uint64_t random = seed;
      hd_shader *shader = seed & 2 ? sample_features(NULL) : sample_of(seed);
      hd_blob bytes = bytes_of(shader);
      uint8_t *data = (uint8_t *)bytes.data + BINARY_HEADER_SIZE;
      size_t size = bytes.size - BINARY_HEADER_SIZE;

      for (uint64_t n = 1 + sample_random(&random) % 4; n; n--) {
         size_t at = sample_random(&random) % size, length = sample_random(&random) % 6;
         switch (sample_random(&random) % 3) {
         case 0:
            data[at] = (uint8_t)sample_random(&random);
            break;
         case 1: /* some bytes again, over others */
            if (at + length <= size)
               memmove(data + sample_random(&random) % (size - length + 1), data + at, length);
            break;
         default:
            data[at] = (uint8_t)(data[at] + 1);
         }
      }
      hd_blob original = bytes_of(shader);
      if (memcmp(original.data, bytes.data, bytes.size) != 0)
         assert_harmless((uint8_t *)bytes.data, bytes.size);
      hd_blob_finish(&original);
      hd_blob_finish(&bytes);
      hd_shader_destroy(shader);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_features), cmocka_unit_test(test_random),
      cmocka_unit_test(test_small),    cmocka_unit_test(test_history),
      cmocka_unit_test(test_append),   cmocka_unit_test(test_truncated),
      cmocka_unit_test(test_flipped),  cmocka_unit_test(test_garbled),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
