/* SPDX-License-Identifier: MIT */
/* page.c - explorer: the HTML document, a template with the data. */
#include "explore/explore.h"

/* In an element that holds data nothing but "<" could end it or begin another one. */
static void
append_data(hd_blob *page, const hd_blob *json)
{
   size_t from = 0;

   for (size_t n = 0; n < json->size; n++) {
      if (json->data[n] != '<')
         continue;
      hd_blob_append(page, json->data + from, n - from);
      hd_blob_append(page, "\\u003c", 6);
      from = n + 1;
   }
   hd_blob_append(page, json->data + from, json->size - from);
}

static void
append_parts(hd_blob *page, const char *const *parts)
{
   for (; *parts; parts++)
      hd_blob_printf(page, "%s", *parts);
}

hd_result
hd_explore_page(const hd_blob *json, hd_blob *page)
{
   if (json->result != HD_OK)
      return json->result;
   append_parts(page, hd_explore_page_head);
   append_data(page, json);
   append_parts(page, hd_explore_page_tail);
   return page->result;
}
