/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "support/forms.h"

#include <stdlib.h>

#include "../ir/naive.h"
#include "heddle/binary.h"
#include "heddle/text.h"

hd_blob
text_of(const hd_shader *shader)
{
   hd_blob text = { 0 };

   assert_int_equal(hd_print_shader(shader, NULL, &text), HD_OK);
   return text;
}

hd_blob
bytes_of(const hd_shader *shader)
{
   hd_blob bytes = { 0 };

   assert_int_equal(hd_write_binary(shader, &bytes), HD_OK);
   return bytes;
}

void
assert_same(const hd_blob *a, const hd_blob *b)
{
   assert_int_equal(a->size, b->size);
   assert_memory_equal(a->data, b->data, a->size);
}

void
assert_sound(const hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      const char *fault = naive_check(f);
      if (fault)
         fail_msg("@%s: %s", f->name, fault);
   }
}
