/* SPDX-License-Identifier: MIT */
/* page.c - the part of a page between two lines, compared or written anew. */
#include "support/page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/test.h"

static void
read_page(hd_blob *page, const char *path)
{
   FILE *f = fopen(path, "rb");
   char buffer[4096];
   size_t num;

   assert_non_null(f);
   while ((num = fread(buffer, 1, sizeof(buffer), f)) > 0)
      hd_blob_append(page, buffer, num);
   hd_blob_append(page, "", 1);
   fclose(f);
}

void
check_page(const char *path, const char *begin, const char *end, const hd_blob *part)
{
   hd_blob page;

   hd_blob_init(&page, NULL);
   read_page(&page, path);
   const char *text = (const char *)page.data, *from = strstr(text, begin), *to = strstr(text, end);
   assert_true(from && to && from < to);
   from += strlen(begin);
   if ((size_t)(to - from) != part->size || memcmp(from, part->data, part->size)) {
      if (!getenv("HD_RENEW"))
         fail_msg("%s says something else; with HD_RENEW=1 it is written anew", path);
      FILE *f = fopen(path, "wb");
      assert_non_null(f);
      fwrite(text, 1, (size_t)(from - text), f);
      fwrite(part->data, 1, part->size, f);
      fwrite(to, 1, strlen(to), f);
      assert_int_equal(fclose(f), 0);
   }
   hd_blob_finish(&page);
}
