/* SPDX-License-Identifier: MIT */
/* dominators.c - immediate dominators over edges between labels. */
#include "spirv/body.h"

void
hd_spirv_dominators(struct spirv *s, uint32_t num, const uint32_t *begin, const uint32_t *targets,
                    uint32_t *idom)
{
   uint32_t *node = scratch_fill(s->stack, num, 0xff), *label = scratch(s->stack, num);
   uint32_t *parent = scratch(s->stack, num), *next = scratch(s->stack, num);
   uint32_t *pred_begin = scratch_fill(s->stack, (size_t)num + 2, 0);
   uint32_t *pred = scratch(s->stack, begin[num]), *found = scratch(s->stack, num);
   uint32_t num_nodes = 1, at = 0;

   hd_heap_step(s->heap, (uint64_t)num + begin[num]);
   /* A depth-first walk numbers the nodes; the way back is the walk's own tree. */
   node[0] = label[0] = 0;
   parent[0] = NONE;
   next[0] = begin[0];
   while (at != NONE) {
      if (next[at] == begin[label[at] + 1]) {
         at = parent[at];
         continue;
      }
      uint32_t to = targets[next[at]++];
      if (node[to] != NONE)
         continue;
      node[to] = num_nodes;
      label[num_nodes] = to;
      parent[num_nodes] = at;
      next[num_nodes] = begin[to];
      at = num_nodes++;
   }
   for (uint32_t n = 0; n < num_nodes; n++) {
      for (uint32_t e = begin[label[n]]; e < begin[label[n] + 1]; e++)
         pred_begin[node[targets[e]] + 2]++;
   }
   for (uint32_t n = 0; n < num_nodes; n++)
      pred_begin[n + 2] += pred_begin[n + 1];
   for (uint32_t n = 0; n < num_nodes; n++) {
      for (uint32_t e = begin[label[n]]; e < begin[label[n] + 1]; e++)
         pred[pred_begin[node[targets[e]] + 1]++] = n;
   }
   hd_dominators(s->stack, num_nodes, parent, pred_begin, pred, found);
   memset(idom, 0xff, num * sizeof(*idom));
   for (uint32_t n = 1; n < num_nodes; n++)
      idom[label[n]] = label[found[n]];
}
