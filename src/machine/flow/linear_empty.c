/* SPDX-License-Identifier: MIT */
/* linear_empty.c - after copies are lowered: numbers that are not needed go. A block that lanes enter by
 * number and that only sends them on goes, and they are sent there at once; most are blocks of
 * critical edges for which nothing is copied. Where one block alone sends lanes to the next one, all
 * that it has, these go on without a number.
 *
 *    b2      send 3; send_if c, 4          b2      send 8; send_if c, 4
 *    b6      enter 3; none b4         =>   b6
 *            send 8; all_from 8, b5
 *    b4      enter 4 ...                   b4      enter 4 ...
 *
 * The pc comes without lanes to where it could before, as the join of the block is where it goes on
 * without a jump.
 *
 * Requires: hd_mach_linear made the control flow; there are no phis.
 * Leaves:   blocks without instructions, which hd_mach_straighten removes.
 */
#include "machine/flow/flow.h"

/* Past blocks that are empty, of one successor. A few: cycles of them end, too. */
static const hd_mach_block *
past_empty(const hd_mach_block *block)
{
   for (unsigned n = 0; n < 8; n++) {
      if (block->first || block->edges[HD_MACH_LINEAR].num_succs != 1)
         break;
      block = block->edges[HD_MACH_LINEAR].succs[0];
   }
   return block;
}

static const hd_mach_block *
last_successor(const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

   return edges->succs[edges->num_succs - 1];
}

/* The head of the block, which has no use but to send lanes on; or NULL. */
static hd_mach_block *
head_of(const hd_mach_program *p, const hd_mach_block *block)
{
   const hd_mach_block_numbers *ops = p->hooks->numbers;
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
   const hd_mach_inst *send = block->first;

   if (!send || send->op != ops->send || (send->next && send->next->op != ops->all_from) ||
       edges->num_preds != 1)
      return NULL;
   hd_mach_block *head = edges->preds[0];
   const hd_mach_inst *enter = head->first;
   if (!enter || enter->op != ops->enter || !enter->next || enter->next->op != ops->none ||
       enter->imm == send->imm || last_successor(head) != block)
      return NULL;
   return past_empty(enter->next->target) == past_empty(last_successor(block)) ? head : NULL;
}

static void
empty(hd_mach_block *block)
{
   hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

   while (block->first)
      hd_mach_inst_remove(block, block->first);
   edges->succs[0] = edges->succs[edges->num_succs - 1];
   edges->num_succs = 1;
}

/* Where a chain of numbers ends. */
static int32_t
follow(const int32_t *to, int32_t most, int32_t number)
{
   while (number <= most && to[number] >= 0)
      number = to[number];
   return number;
}

/* Blocks that only the block before sends lanes to, all that it has: nothing changes between the two
 * instructions, and nobody reads the number before the next one is sent.
 */
static void
drop_alone(hd_mach_program *p, const uint32_t *num_sends, int32_t most)
{
   const hd_mach_block_numbers *ops = p->hooks->numbers;

   hd_mach_foreach_block(block, p)
   {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      hd_mach_inst *enter = block->first;
      if (!enter || enter->op != ops->enter || enter->next || edges->num_preds != 1 ||
          enter->imm > most || num_sends[enter->imm] != 1)
         continue;
      hd_mach_block *from = edges->preds[0];
      if (from->edges[HD_MACH_LINEAR].num_succs != 1 || !from->last ||
          from->last->op != ops->send || from->last->imm != enter->imm)
         continue;
      hd_mach_inst_remove(from, from->last);
      hd_mach_inst_remove(block, enter);
   }
}

bool
hd_mach_linear_drop_empty(hd_mach_program *p)
{
   const hd_mach_block_numbers *ops = p->hooks->numbers;
   int32_t most = 0;

   hd_mach_foreach_block(block, p)
   {
      if (block->first && block->first->op == ops->enter && block->first->imm > most)
         most = block->first->imm;
   }
   int32_t *to = hd_stack_alloc(p->stack, ((size_t)most + 1) * sizeof(*to));
   uint32_t *num_sends = hd_stack_alloc_zero(p->stack, ((size_t)most + 1) * sizeof(*num_sends));
   for (int32_t n = 0; n <= most; n++)
      to[n] = -1;
   hd_mach_foreach_block(block, p)
   {
      hd_mach_block *head = head_of(p, block);
      if (!head)
         continue;
      const int32_t from = head->first->imm;
      /* Of a cycle one stays. */
      if (follow(to, most, block->first->imm) == from)
         continue;
      to[from] = block->first->imm;
      empty(head);
      empty(block);
   }
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         if (inst->op != ops->send && inst->op != ops->send_if)
            continue;
         inst->imm = follow(to, most, inst->imm);
         if (inst->imm <= most)
            num_sends[inst->imm]++;
      }
   }
   hd_mach_find_preds(p);
   drop_alone(p, num_sends, most);
   return true;
}
