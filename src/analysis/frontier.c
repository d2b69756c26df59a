/* SPDX-License-Identifier: MIT */
/* frontier.c - iterated dominance frontiers on demand, without stored sets (Sreedhar and Gao, 1995).
 *
 * A join z is in the dominance frontier of a block x if an edge y -> z leaves the subtree of x in the
 * dominator tree: y is in the subtree, and depth(z) <= depth(x). Blocks are taken deepest first. A
 * subtree that a deeper block has entered before yields no joins that were not found then, so no
 * block is entered twice.
 */
#include "analysis/private.h"

enum { ENTERED = 1, FOUND = 2, QUEUED = 4 };

struct search {
   const hd_function *f;
   struct dom_meta *dom;
   hd_block **stack; /* blocks to be looked at below the current one */
   hd_block **met;   /* all blocks whose `seen` is not 0 */
   uint32_t num_stack, num_met;
};

static bool
mark(struct search *s, hd_block *b, unsigned how)
{
   uint8_t *seen = &s->dom->seen[block_slot(s->f, b)];

   if (*seen & how)
      return false;
   if (!*seen)
      s->met[s->num_met++] = b;
   *seen |= (uint8_t)how;
   return true;
}

/* A block waits in the queue of its depth. */
static void
enqueue(struct search *s, hd_block *b)
{
   uint32_t slot = block_slot(s->f, b), depth = s->dom->node[slot].depth;

   if (s->dom->node[slot].in == NONE || !mark(s, b, QUEUED))
      return;
   s->dom->next[slot] = s->dom->queue[depth];
   s->dom->queue[depth] = b;
}

static uint32_t
search_below(struct search *s, hd_block *root, uint32_t depth, hd_block **out)
{
   uint32_t num_out = 0;

   if (!mark(s, root, ENTERED))
      return 0;
   s->stack[s->num_stack++] = root;
   while (s->num_stack) {
      hd_block *y = s->stack[--s->num_stack];

      for (uint32_t n = 0; n < y->num_succs; n++) {
         hd_block *z = y->succs[n].to;
         if (s->dom->node[block_slot(s->f, z)].depth <= depth && mark(s, z, FOUND)) {
            out[num_out++] = z;
            enqueue(s, z);
         }
      }
      for (hd_block *c = s->dom->node[block_slot(s->f, y)].first_child; c;
           c = s->dom->node[block_slot(s->f, c)].next_sibling) {
         if (s->dom->node[block_slot(s->f, c)].reach <= depth && mark(s, c, ENTERED))
            s->stack[s->num_stack++] = c;
      }
   }
   return num_out;
}

uint32_t
hd_iterated_dominance_frontier(hd_function *f, hd_block *const *blocks, uint32_t num_blocks,
                               hd_block **out)
{
   struct dom_meta *dom = DOM_META(f);
   struct search s = { f, dom, dom->work, dom->work + f->num_blocks + 1, 0, 0 };
   uint32_t num_out = 0, depth = 0;

   for (uint32_t n = 0; n < num_blocks; n++) {
      uint32_t d = dom->node[block_slot(f, blocks[n])].depth;
      depth = d > depth ? d : depth;
      enqueue(&s, blocks[n]);
   }
   /* What is found is never deeper than what it was found from, so one pass empties the queues. */
   for (uint32_t d = depth + 1; d--;) {
      while (dom->queue[d]) {
         hd_block *root = dom->queue[d];
         dom->queue[d] = dom->next[block_slot(f, root)];
         num_out += search_below(&s, root, d, out + num_out);
      }
   }
   while (s.num_met)
      dom->seen[block_slot(f, s.met[--s.num_met])] = 0;
   return num_out;
}
