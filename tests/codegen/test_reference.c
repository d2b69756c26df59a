/* SPDX-License-Identifier: MIT */
/* The sentences of the tables: each op, intrinsic, index and value has its own, and what is none of
 * them has an empty one.
 */
#include "support/test.h"

#include <string.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "heddle/reference.h"

static bool
is_sentence(const char *text)
{
   const size_t length = strlen(text);

   return length > 1 && text[length - 1] == '.';
}

static void
test_sentences(void **state)
{
   (void)state;
   for (unsigned op = 1; op < HD_NUM_OPS; op++) {
      const hd_reference *words = hd_op_get_reference((hd_op)op);
      assert_true(is_sentence(words->meaning) && strstr(words->signature, "->"));
      assert_true(!words->note[0] || is_sentence(words->note));
   }
   for (unsigned id = 1; id < HD_NUM_INTRINSICS; id++) {
      const hd_reference *words = hd_intrinsic_get_reference((hd_intrinsic_id)id);
      assert_true(is_sentence(words->meaning) && (!words->note[0] || is_sentence(words->note)));
      assert_true(!strstr(words->signature, "->") ==
                  !(hd_intrinsic_get_info((hd_intrinsic_id)id)->flags & HD_HAS_RESULT));
   }
   for (unsigned n = 0; n < HD_NUM_INDICES; n++) {
      const hd_index_info *index = hd_index_get_info((hd_index)n);
      assert_true(is_sentence(hd_index_get_description((hd_index)n)));
      for (unsigned k = 0; k < index->num_values; k++)
         assert_true(is_sentence(hd_index_value_get_description((hd_index)n, k)));
      assert_string_equal(hd_index_value_get_description((hd_index)n, index->num_values), "");
   }
}

static void
test_known_ones(void **state)
{
   (void)state;
   assert_string_equal(hd_op_get_reference(HD_OP_INEG)->note,
                       "The least integer is its own negation.");
   assert_string_equal(hd_op_get_reference(HD_OP_IADD)->signature, "u:N, u:N -> u:N");
   assert_string_equal(hd_index_get_description(HD_INDEX_ALIGN_OFFSET), "Below align_mul.");
   assert_string_equal(hd_index_value_get_description(HD_INDEX_EXEC_SCOPE, HD_SCOPE_SUBGROUP),
                       "The wave.");
}

static void
test_no_such_thing(void **state)
{
   (void)state;
   const hd_reference *none[] = {
      hd_op_get_reference(HD_OP_NONE),
      hd_op_get_reference(HD_NUM_OPS),
      hd_op_get_reference((hd_op)60000),
      hd_intrinsic_get_reference(HD_INTRINSIC_NONE),
      hd_intrinsic_get_reference(HD_NUM_INTRINSICS),
   };
   for (unsigned n = 0; n < sizeof(none) / sizeof(none[0]); n++) {
      assert_string_equal(none[n]->signature, "");
      assert_string_equal(none[n]->meaning, "");
      assert_string_equal(none[n]->note, "");
   }
   assert_string_equal(hd_index_get_description(HD_NUM_INDICES), "");
   assert_string_equal(hd_index_value_get_description(HD_NUM_INDICES, 0), "");
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sentences),
      cmocka_unit_test(test_known_ones),
      cmocka_unit_test(test_no_such_thing),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
