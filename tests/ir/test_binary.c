/* SPDX-License-Identifier: MIT */
/* The binary form: what is written comes back the same, and what is damaged does not come back. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "heddle/binary.h"
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
   hd_foreach_function(f, shader)
   {
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

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_features),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
