/* SPDX-License-Identifier: MIT */
/* next_use.c - next-use distances (Braun and Hack, Register Spilling and Live-Range Splitting for
 * SSA-Form Programs, 2009).
 *
 * Distances count instructions along the shortest path; a use after a loop is further away than all
 * uses inside it. Blocks are visited backwards, twice: the second time the back edges are known.
 */
#include "machine/spill.h"

#include <string.h>

static bool
is_of_file(const hd_mach_spiller *s, const hd_mach_operand *operand)
{
   return hd_mach_is_temp(operand) && s->p->temps[operand->value].file == s->file;
}

static uint32_t
add(uint32_t distance, uint32_t more)
{
   /* What is never read stays so; what is far stays in bounds. */
   if (distance == HD_MACH_NEVER)
      return distance;
   return distance + more < distance || distance + more >= HD_MACH_NEVER - 1 ? HD_MACH_NEVER - 1
                                                                             : distance + more;
}

/* The next uses of what is live at the end, as positions. */
static void
begin_at_end(hd_mach_spiller *s, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[s->flow];
   const uint32_t length = s->length[block->index];

   for (uint32_t e = 0; e < edges->num_succs; e++) {
      const hd_mach_live_in *in = &s->live.in[s->flow][edges->succs[e]->index];
      for (uint32_t n = 0; n < in->num; n++)
         s->next[in->temps[n]] = HD_MACH_NEVER - 1;
   }
   for (uint32_t e = 0; e < edges->num_succs; e++) {
      const hd_mach_block *succ = edges->succs[e];
      const hd_mach_live_in *in = &s->live.in[s->flow][succ->index];
      const uint32_t more =
          length + (succ->loop_depth < block->loop_depth ? HD_MACH_LOOP_DISTANCE : 0);
      for (uint32_t n = 0; n < in->num; n++) {
         const uint32_t here = add(s->next_in[succ->index][n], more);
         if (here < s->next[in->temps[n]])
            s->next[in->temps[n]] = here;
      }
   }
   for (uint32_t n = s->live.phi_first[block->index]; n < s->live.phi_first[block->index + 1]; n++)
      s->next[s->live.phi_temps[n]] = length;
}

static uint32_t
num_operands(const hd_mach_block *block)
{
   uint32_t num = 0;

   hd_mach_foreach_inst(inst, block) num += (uint32_t)inst->num_defs + inst->num_srcs;
   return num;
}

void
hd_mach_next_in_block(hd_mach_spiller *s, const hd_mach_block *block)
{
   uint32_t n = num_operands(block), at = s->length[block->index];

   if (n > s->use_capacity) {
      s->use_capacity = 2 * n;
      s->uses = hd_stack_alloc(hd_mach_scratch(s->p), s->use_capacity * sizeof(*s->uses));
   }
   /* Values that are read nowhere after are not among those that are set here. */
   hd_mach_foreach_inst(inst, block)
   {
      for (unsigned i = 0; i < (unsigned)inst->num_defs + inst->num_srcs; i++) {
         if (hd_mach_is_temp(&inst->operands[i]))
            s->next[inst->operands[i].value] = HD_MACH_NEVER;
      }
   }
   begin_at_end(s, block);
   for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
      const unsigned num = (unsigned)inst->num_defs + inst->num_srcs;
      at--;
      n -= num;
      for (unsigned i = 0; i < num; i++) {
         const hd_mach_operand *operand = &inst->operands[i];
         s->uses[n + i] = is_of_file(s, operand) ? s->next[operand->value] : HD_MACH_NEVER;
      }
      if (inst->op == HD_MACH_P_PHI)
         continue;
      for (unsigned i = inst->num_defs; i < num; i++) {
         if (is_of_file(s, &inst->operands[i]))
            s->next[inst->operands[i].value] = at;
      }
   }
}

void
hd_mach_next_uses(hd_mach_spiller *s)
{
   hd_mach_program *p = s->p;

   s->length = hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 1) * sizeof(*s->length));
   s->next_in = hd_stack_alloc_zero(hd_mach_scratch(p), (p->num_blocks + 1) * sizeof(*s->next_in));
   s->next = hd_stack_alloc(hd_mach_scratch(p), (p->num_temps + 1) * sizeof(*s->next));
   hd_mach_foreach_block(block, p)
   {
      const uint32_t num = s->live.in[s->flow][block->index].num;
      hd_mach_foreach_inst(inst, block) s->length[block->index]++;
      s->next_in[block->index] = hd_stack_alloc(hd_mach_scratch(p), (num + 1) * sizeof(uint32_t));
      for (uint32_t n = 0; n < num; n++)
         s->next_in[block->index][n] = HD_MACH_NEVER - 1;
   }
   for (unsigned pass = 0; pass < 2; pass++) {
      for (hd_mach_block *block = p->last; block; block = block->prev) {
         const hd_mach_live_in *in = &s->live.in[s->flow][block->index];
         hd_mach_next_in_block(s, block);
         for (uint32_t n = 0; n < in->num; n++)
            s->next_in[block->index][n] = s->next[in->temps[n]];
      }
   }
}
