/* SPDX-License-Identifier: MIT */
/* lifetimes.c - where masks and scalars with several definitions are initialised, which ends their
 * live range.
 *
 * A partial write keeps the bits that inactive lanes wrote before, so it also reads the temp: without
 * an initialisation the temp would be live from the start of the function, and around all loops. It
 * must be initialised before
 *
 *    the phi that it stands for    its writers are at the ends of predecessors, below its dominator
 *    the loop whose lanes leave    its bits are read outside
 *    the primary successor at which lanes wait
 *
 * and nothing that is read has been written earlier. A block that dominates all of these is suitable
 * if the pc does not pass it while lanes wait that have written and not yet read. In a loop around
 * all of them that cannot happen: the pc would pass the header, which it does only when no lane waits
 * in the loop; of loops of which that is not so, reconverging.c says that they are not `entered`. A
 * loop that contains the dominator but not the rest is left at its header.
 */
#include <string.h>

#include "ir/private.h"
#include "machine/flow/exec_mask/exec_mask.h"

/* Cycles around a cycle have smaller numbers. */
void
hd_mach_mask_find_entered(masks *m)
{
   const hd_function *f = m->p->function;
   const uint32_t num = hd_function_num_cycles(f);

   m->entered = hd_stack_alloc(m->p->stack, num + 1);
   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *cycle = hd_function_cycle(f, n), *parent = cycle->parent;
      m->entered[n] = !parent || (m->entered[parent->index] &&
                                  hd_block_dominates(parent->header, cycle->header));
   }
}

/* What dominates a member of a cycle and is dominated by its header is a member, too. */
const hd_block *
hd_mach_mask_beginning(const masks *m, const hd_block *from, const hd_cycle *around)
{
   const hd_block *b = from;

   while (b) {
      const hd_cycle *cycle = hd_block_cycle(b);
      if (!cycle)
         return b;
      const bool headed = hd_block_dominates(cycle->header, b);
      if (headed && m->entered[cycle->index] && around && hd_cycle_contains_cycle(cycle, around))
         return b;
      b = hd_block_idom(headed ? cycle->header : b);
   }
   return NULL;
}

const hd_block *
hd_mach_mask_above(const hd_block *from, const hd_block *b)
{
   while (!hd_block_dominates(from, b))
      from = hd_block_idom(from);
   return from;
}

void
hd_mach_mask_begin(masks *m, const hd_block *at, uint32_t temp)
{
   linear_defs *defs = &m->defs;

   if (!at)
      return;
   if (defs->num_begins == defs->begin_capacity) {
      uint32_t capacity = defs->begin_capacity ? defs->begin_capacity * 2 : 64;
      linear_begin *more = hd_stack_alloc(m->p->stack, capacity * sizeof(*more));
      if (defs->num_begins)
         memcpy(more, defs->begins, defs->num_begins * sizeof(*more));
      defs->begins = more;
      defs->begin_capacity = capacity;
   }
   defs->begins[defs->num_begins++] =
       (linear_begin){ .block = m->p->by_ir[at->node.index], .temp = temp };
}

/* In a tree an arm without code has sent before it is opened: the branch is what dominates. */
static const hd_block *
before_phis(const masks *m, const hd_block *b)
{
   if (!m->p->function->structured)
      return hd_mach_mask_beginning(m, hd_block_idom(b), hd_block_cycle(b));
   if (b->node.prev)
      return hd_node_prev_block(b->node.prev);
   const hd_loop *loop = hd_node_as_loop(b->node.list->parent);
   return loop && hd_loop_continue(loop) == b ? hd_loop_header(loop) : NULL;
}

void
hd_mach_mask_begin_phis(masks *m)
{
   hd_mach_foreach_block(block, m->p)
   {
      if (!block->ir || !hd_block_is_reachable(block->ir))
         continue;
      for (hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next) {
         if (!hd_mach_is_vector_value(m->p, hd_mach_def(phi, 0)))
            hd_mach_mask_begin(m, before_phis(m, block->ir), hd_mach_def(phi, 0)->value);
      }
   }
}
