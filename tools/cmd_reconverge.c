/* SPDX-License-Identifier: MIT */
/* cmd_reconverge.c - heddle reconverge: flat functions whose divergent branches reconverge. */
#include "tool.h"

#include "heddle/structurize.h"

#include <stdlib.h>
#include <string.h>

#include "restructure.h"

static const char *const order_names[] = { "default", "depth-first", "breadth-first",
                                           "reverse-post-order" };

/* An order by its name: false if there is none of that name. */
static bool
find_order(const char *name, hd_reconverge_order *order)
{
   for (unsigned n = 0; n < sizeof(order_names) / sizeof(order_names[0]); n++) {
      if (strcmp(name, order_names[n]))
         continue;
      *order = (hd_reconverge_order)n;
      return true;
   }
   return false;
}

/* Blocks by their numbers in the text, "b0,b3,b1"; NULL with a message where there is no such. */
static hd_block **
list_blocks(hd_function *f, const char *list, uint32_t *num)
{
   hd_block **blocks = malloc((strlen(list) / 2 + 1) * sizeof(*blocks));

   if (!blocks)
      trouble("--order: %s", hd_result_name(HD_OUT_OF_MEMORY));
   *num = 0;
   while (blocks && *list) {
      char *end = NULL;
      unsigned long index = *list == 'b' ? strtoul(list + 1, &end, 10) : 0;
      hd_block *found = NULL;
      hd_foreach_block(b, f) {
         if (b->node.index == index)
            found = b;
      }
      if (!end || end == list + 1 || (*end && *end != ',') || !found) {
         trouble("--order: '%s' does not begin with an order or a block of @%s", list, f->name);
         free(blocks);
         return NULL;
      }
      blocks[(*num)++] = found;
      list = end + (*end == ',');
   }
   return blocks;
}

static hd_result
reconverge(tool *t, hd_function *f, hd_structurize_stats *stats)
{
   hd_reconverge_options options = {
      .keep_reconverging = option_given(t, "keep-reconverging"),
      .user = t,
      .explain = option_given(t, "explain") ? put_explanation : NULL,
      .stats = stats,
   };
   const char *order = option_value(t, "order");
   hd_block **blocks = NULL;

   /* What is a tree is made flat first, so that the command takes any shader. */
   hd_result result = hd_unstructure(f);
   hd_function_reindex(f);
   if (result == HD_OK && order && !find_order(order, &options.order)) {
      blocks = list_blocks(f, order, &options.num_blocks);
      options.blocks = blocks;
      result = blocks ? HD_OK : HD_INVALID;
   }
   if (result == HD_OK)
      result = hd_reconverge(f, &options);
   free(blocks);
   return result;
}

int
run_reconverge(tool *t)
{
   return run_restructure(t, reconverge);
}
