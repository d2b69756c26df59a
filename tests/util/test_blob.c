/* SPDX-License-Identifier: MIT */
/* Blobs: what is appended is there, in order, ended by a 0; the first failure is kept. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/base.h"
#include "support/memory.h"

/* Pieces of every size around those at which memory grows, by both calls. */
static void
appends(void **state)
{
   (void)state;
   for (size_t size = 0; size < 1100; size++) {
      char *piece = malloc(size + 1), *all = malloc(3 * size + 1);
      hd_blob blob = { 0 };
      memset(piece, 'a' + (int)(size % 26), size);
      piece[size] = 0;
      hd_blob_append(&blob, piece, size);
      hd_blob_printf(&blob, "%s", piece);
      hd_blob_append(&blob, piece, size);
      snprintf(all, 3 * size + 1, "%s%s%s", piece, piece, piece);
      assert_int_equal(blob.result, HD_OK);
      assert_int_equal(blob.size, 3 * size);
      assert_string_equal(blob.data, all);
      hd_blob_finish(&blob);
      assert_null(blob.data);
      hd_blob_append(&blob, "again", 5);
      assert_string_equal(blob.data, "again");
      hd_blob_finish(&blob);
      free(piece);
      free(all);
   }
}

static void
zeros_are_bytes(void **state)
{
   hd_blob blob = { 0 };

   (void)state;
   hd_blob_append(&blob, NULL, 0);
   assert_string_equal(blob.data, "");
   hd_blob_append(&blob, "a\0b", 3);
   hd_blob_printf(&blob, "%d%c", 7, 0);
   assert_int_equal(blob.size, 5);
   assert_memory_equal(blob.data, "a\0b7\0", 6);
   hd_blob_finish(&blob);
}

static void
each_allocation_fails_once(void **state)
{
   (void)state;
   for (size_t n = 0;; n++) {
      struct limited c = { .left = n };
      hd_config config = limited_config(&c);
      hd_blob blob;
      hd_blob_init(&blob, &config);
      for (unsigned k = 0; k < 100; k++) {
         hd_blob_append(&blob, "0123456789", 10);
         hd_blob_printf(&blob, "%0300d", 1);
      }
      bool failed = blob.result != HD_OK;
      if (failed) {
         assert_int_equal(blob.result, HD_OUT_OF_MEMORY);
         size_t size = blob.size;
         c.left = SIZE_MAX;
         hd_blob_append(&blob, "x", 1);
         hd_blob_printf(&blob, "x");
         assert_int_equal(blob.size, size); /* nothing follows a gap */
      } else {
         assert_int_equal(blob.size, 31000);
      }
      hd_blob_finish(&blob);
      assert_int_equal(c.held, 0);
      assert_int_equal(blob.result, HD_OK);
      if (!failed) {
         assert_in_range(n, 5, 12); /* it doubles */
         break;
      }
   }
}

static void
sizes_beyond_all_memory(void **state)
{
   (void)state;
   for (unsigned n = 0; n < 64; n++) {
      hd_blob blob = { 0 };
      hd_blob_append(&blob, "abc", 3);
      hd_blob_append(&blob, "", SIZE_MAX - n);
      assert_int_equal(blob.result, HD_OUT_OF_MEMORY);
      assert_int_equal(blob.size, 3);
      hd_blob_finish(&blob);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(appends),
      cmocka_unit_test(zeros_are_bytes),
      cmocka_unit_test(each_allocation_fails_once),
      cmocka_unit_test(sizes_beyond_all_memory),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
