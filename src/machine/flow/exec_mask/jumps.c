/* SPDX-License-Identifier: MIT */
/* jumps.c - exec masks of break, continue and return: lanes that jump are cleared from saved masks. */
#include <string.h>

#include "ir/private.h"
#include "machine/flow/exec_mask/exec_mask.h"

static void
clear(masks *m, uint32_t temp, hd_mach_operand lanes)
{
   hd_mach_mask_op(m, m->p->hooks->masks->and_not, hd_mach_operand_temp(m->p, temp),
                   hd_mach_operand_temp(m->p, temp), lanes);
}

void
hd_mach_mask_add_cleared(masks *m, uint32_t temp)
{
   if (m->num_cleared == m->cleared_capacity) {
      uint32_t capacity = m->cleared_capacity ? m->cleared_capacity * 2 : 16;
      uint32_t *temps = hd_stack_alloc(m->p->stack, capacity * sizeof(*temps));
      if (m->num_cleared)
         memcpy(temps, m->cleared, m->num_cleared * sizeof(*temps));
      m->cleared = temps;
      m->cleared_capacity = capacity;
   }
   m->cleared[m->num_cleared++] = temp;
}

/* Masks cleared by a break or a continue were saved inside of their loop, those by a return
 * anywhere: each has but one jump that clears it, so all that are on the list are meant.
 */
void
hd_mach_mask_clear(masks *m, unsigned leaves, hd_mach_operand lanes)
{
   const mask_frame *loop = &m->frames[hd_mach_mask_frame(m)->loop];
   uint32_t first = leaves & LEAVES_RETURN ? 0 : loop->num_cleared;

   for (uint32_t n = first; n < m->num_cleared; n++)
      clear(m, m->cleared[n], lanes);
   if (leaves & LEAVES_BREAK && loop->waiting && !loop->in_continue_list)
      clear(m, loop->waiting, lanes);
   if (leaves & LEAVES_RETURN && m->returned_live)
      clear(m, m->returned_live, lanes);
}

bool
hd_mach_mask_must_clear(masks *m, unsigned leaves)
{
   const mask_frame *loop = &m->frames[hd_mach_mask_frame(m)->loop];
   uint32_t first = leaves & LEAVES_RETURN ? 0 : loop->num_cleared;

   return m->num_cleared > first ||
          (leaves & LEAVES_BREAK && loop->waiting && !loop->in_continue_list) ||
          (leaves & LEAVES_RETURN && m->returned_live);
}

bool
hd_mach_mask_jump_keeps(masks *m, unsigned leaves, bool full)
{
   mask_frame *loop = &m->frames[hd_mach_mask_frame(m)->loop];
   bool sent = loop->sent_next;

   if (leaves == LEAVES_BREAK)
      return loop->apart;
   loop->sent_next |= !full;
   return sent && !full;
}

unsigned
hd_mach_mask_leaves(const hd_block *b)
{
   switch (hd_block_jump(b)->instr.op) {
   case HD_JUMP_BREAK:
      return LEAVES_BREAK;
   case HD_JUMP_CONTINUE:
      return LEAVES_CONTINUE;
   default:
      return LEAVES_RETURN;
   }
}
