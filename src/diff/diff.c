/* SPDX-License-Identifier: MIT */
/* diff.c - structural diff of two shaders: the entry point. */
#include "diff/items.h"

#include <string.h>

#include "ir/private.h"

/* What the caller sees, and the memory that holds it. */
typedef struct kept {
   hd_diff diff;
   hd_heap heap;
   hd_stack stack;
} kept;

const char *
hd_diff_kind_name(hd_diff_kind kind)
{
   static const char *const names[HD_NUM_DIFF_KINDS] = {
      [HD_DIFF_SAME] = "same",       [HD_DIFF_MOVED] = "moved", [HD_DIFF_CHANGED] = "changed",
      [HD_DIFF_REMOVED] = "removed", [HD_DIFF_ADDED] = "added",
   };

   return (unsigned)kind < HD_NUM_DIFF_KINDS ? names[kind] : "?";
}

static void
compare(kept *k, const hd_shader *before, const hd_shader *after)
{
   comparison c = { .stack = &k->stack };

   hd_diff_list(c.stack, before, &c.side[0]);
   hd_diff_list(c.stack, after, &c.side[1]);
   hd_diff_match(&c);
   hd_diff_classify(&c, &k->diff);
}

hd_result
hd_diff_create(const hd_shader *before, const hd_shader *after, hd_diff **out)
{
   hd_heap heap;
   hd_unwind u;

   *out = NULL;
   hd_heap_init(&heap, hd_shader_config(before));
   kept *k = hd_heap_alloc(&heap, sizeof(*k));
   if (!k)
      return HD_OUT_OF_MEMORY;
   memset(k, 0, sizeof(*k));
   k->heap = heap;
   hd_stack_init(&k->stack, &k->heap);
   hd_heap_refill(&k->heap);
   if (HD_TRY(&k->heap, &u))
      compare(k, before, after);
   const hd_result result = hd_heap_leave(&k->heap, &u);
   if (result == HD_OK)
      *out = &k->diff;
   else
      hd_diff_destroy(&k->diff);
   return result;
}

void
hd_diff_destroy(hd_diff *diff)
{
   kept *k = (kept *)diff;

   if (!k)
      return;
   hd_stack_finish(&k->stack);
   hd_heap heap = k->heap;
   hd_heap_free(&heap, k, sizeof(*k));
}
