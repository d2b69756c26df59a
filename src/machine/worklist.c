/* SPDX-License-Identifier: MIT */
/* worklist.c - worklist of blocks, for data-flow analyses. */
#include "machine/worklist.h"

void
hd_mach_worklist_init(hd_mach_worklist *w, hd_mach_program *p, bool backwards)
{
   *w = (hd_mach_worklist){ .p = p, .backwards = backwards };
   hd_mach_program_number(p);
   w->num = p->last ? p->last->order + 1 : 0;
   w->lowest = w->num;
   w->blocks = hd_stack_alloc(p->stack, (w->num + 1) * sizeof(*w->blocks));
   w->bits = hd_stack_alloc_zero(p->stack, (w->num / 64 + 1) * sizeof(*w->bits));
   hd_mach_foreach_block(block, p) w->blocks[backwards ? w->num - 1 - block->order : block->order] =
       block;
}

hd_mach_block *
hd_mach_worklist_take(hd_mach_worklist *w)
{
   while (w->lowest < w->num) {
      const uint32_t n = w->lowest;
      const uint64_t rest = w->bits[n / 64] >> n % 64;
      if (!rest) {
         w->lowest = (n / 64 + 1) * 64;
      } else if (rest & 1) {
         w->bits[n / 64] &= ~(UINT64_C(1) << n % 64);
         hd_heap_step(w->p->stack->heap, 1);
         return w->blocks[n];
      } else {
         w->lowest++;
      }
   }
   w->lowest = w->num;
   return NULL;
}
