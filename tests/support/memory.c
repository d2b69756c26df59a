/* SPDX-License-Identifier: MIT */
#include "support/memory.h"

#include <stdlib.h>

static void *
limited_alloc(void *user, size_t size)
{
   struct limited *l = user;

   if (!l->left)
      return NULL;
   l->left--;
   void *ptr = malloc(size);
   if (ptr)
      l->held += size;
   return ptr;
}

static void
limited_free(void *user, void *ptr, size_t size)
{
   struct limited *l = user;

   l->held -= size;
   free(ptr);
}

hd_config
limited_config(struct limited *l)
{
   return (hd_config){ .allocator = { l, limited_alloc, limited_free } };
}
