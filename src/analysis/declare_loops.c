/* SPDX-License-Identifier: MIT */
/* declare_loops.c - turn the loop nest of a flat function into declarations (headers, members), so that it no
 * longer depends on edges. */
#include "analysis/private.h"

hd_result
hd_declare_loops(hd_function *f)
{
   if (f->structured)
      return HD_OK;
   hd_result result = hd_require(f, HD_META_CYCLES);
   if (result != HD_OK)
      return result;
   uint32_t num_reachable = CYCLE_META(f)->num_reachable;
   hd_foreach_block(b, f) {
      hd_cycle *c = hd_block_cycle(b), *headed = hd_block_headed_cycle(b);

      /* What an unreachable block declares means nothing as long as nothing refers to it. */
      if (hd_block_sweep_index(b) >= num_reachable)
         continue;
      if (headed) {
         b->node.header = 1;
         c = headed->parent;
      }
      /* A block in no cycle may have named one that is in a cycle only from now on. */
      b->loop_header = c ? c->header : NULL;
   }
   /* The nest and the order of the sweep stay what they are: so does the metadata. */
   return HD_OK;
}
