/* SPDX-License-Identifier: MIT */
/* block_numbers.c - layout for the lowering to block numbers: a lane executes a block if its number is the
 * block's.
 *
 *    p_enter 4          (W)              cmp (8)  (eq)f1.0  null:uw   r122:uw  4
 *    p_none -> L        (W&~f1.0.any8h)  jmpi     L
 *    p_send 5           (f1.0)           mov (8)            r122:uw   5
 *    p_send_if c, 6     (f0.0)           mov (8)            r122:uw   6
 *    p_all_from 6 -> L  (W)              cmp (8)  (ge)f0.0  null:uw   r122:uw  6
 *                       (W&f0.0.all8h)   jmpi     L
 *    p_any 3 -> L       (W)              cmp (8)  (eq)f0.0  null:uw   r122:uw  3
 *                       (W&f0.0.any8h)   jmpi     L
 *
 * The channel enables never change: f1.0 says which lanes are active, and is the predicate of every
 * instruction. An instruction has one flag register for its predicate and for its condition: f0.0
 * becomes a copy of f1.0 before a compare, which then clears the bits of the active lanes where the
 * condition does not hold. A selection reads its predicate and is not masked by it: it writes a
 * register of lowering, which a move takes the active lanes of.
 *
 * The code up to the first p_enter, and to what is gone back to, executes with all lanes that there
 * are, and has no predicate; and so do blocks that all lanes reach together, where none end before.
 */
#include "backend/gen9/layout.h"
#include "machine/flow/flow.h"

static void
compare_numbers(hd_gen9_layout *l, unsigned condition, uint32_t number, unsigned flag)
{
   hd_gen9_word *w = hd_gen9_write_imm(
       l, HD_GEN9_ALL, HD_GEN9_CMP, hd_gen9_arf_dst_operand(HD_GEN9_ARF_NULL, HD_GEN9_TYPE_UW),
       hd_gen9_grf_operand(HD_GEN9_GRF_NUMBERS, HD_GEN9_TYPE_UW), number);

   hd_gen9_of(l->p)->stats.control++;
   w->cond = (uint8_t)condition;
   w->flag = (uint8_t)flag;
}

static hd_gen9_word *
move_numbers(hd_gen9_layout *l, hd_gen9_channels channels, uint32_t number)
{
   hd_gen9_of(l->p)->stats.control++;
   return hd_gen9_write_constant(l, channels,
                                 hd_gen9_dst_operand(HD_GEN9_GRF_NUMBERS, HD_GEN9_TYPE_UW),
                                 HD_GEN9_TYPE_UW, number);
}

void
hd_gen9_write_selected(hd_gen9_layout *l, hd_gen9_word *w)
{
   const hd_gen9_operand to = w->dst;

   w->dst.reg = l->width->temp;
   hd_gen9_of(l->p)->stats.control++;
   hd_gen9_write(l, HD_GEN9_ACTIVE, HD_GEN9_MOV, to, hd_gen9_grf_operand(l->width->temp, to.type));
}

/* Does the pc come from one of these? Blocks of the code are in order. */
static bool
comes_from(const hd_mach_block *block, uint32_t first, uint32_t end)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];

   for (uint32_t n = 0; n < edges->num_preds; n++) {
      if (edges->preds[n]->order >= first && edges->preds[n]->order < end)
         return true;
   }
   return false;
}

static bool
enters(const hd_mach_block *block)
{
   hd_mach_foreach_inst(inst, block)
   {
      if (inst->op == HD_GEN9_P_ENTER)
         return true;
   }
   return false;
}

void
hd_gen9_begin_numbers(hd_gen9_layout *l)
{
   bool entered = true;
   uint32_t begin = UINT32_MAX; /* the first block with p_enter */

   if (hd_gen9_of(l->p)->options->lowering != HD_GEN9_LOWERING_BLOCK_NUMBERS)
      return;
   hd_mach_program_number(l->p);
   hd_mach_foreach_block(block, l->p)
   {
      hd_mach_foreach_inst(inst, block) l->lanes_end |=
          inst->op == HD_GEN9_P_SEND && inst->imm == (int32_t)HD_MACH_NUMBER_ENDED;
      const unsigned op = block->first ? block->first->op : HD_MACH_OP_NONE;
      if (op != HD_GEN9_P_ENTER && op != HD_MACH_P_END &&
          comes_from(block, begin == UINT32_MAX ? block->order : 0, begin))
         entered = false;
      begin = begin == UINT32_MAX && enters(block) ? block->order : begin;
   }
   l->numbers = begin != UINT32_MAX;
   if (!l->numbers)
      return;
   hd_gen9_write_constant(l, HD_GEN9_ONE,
                          hd_gen9_arf_dst_operand(HD_GEN9_ARF_FLAG + 1, HD_GEN9_TYPE_UW),
                          HD_GEN9_TYPE_UW, 0);
   hd_gen9_of(l->p)->stats.control++;
   move_numbers(l, HD_GEN9_ALL, HD_MACH_NUMBER_ENDED);
   move_numbers(l, HD_GEN9_ACTIVE, 0);
   if (!entered)
      compare_numbers(l, HD_GEN9_CONDITION_EQ, 0, HD_GEN9_FLAG_ACTIVE);
}

void
hd_gen9_begin_numbered_block(hd_gen9_layout *l, const hd_mach_block *block)
{
   l->masked |= l->numbers && comes_from(block, block->order, UINT32_MAX);
}

void
hd_gen9_mask_words(hd_gen9_layout *l, uint32_t first)
{
   for (uint32_t n = first; n < l->num; n++) {
      hd_gen9_word *w = &l->words[n].word;
      if (w->mask_off || w->pred || w->cond)
         continue;
      w->pred = 1;
      w->flag = HD_GEN9_FLAG_ACTIVE;
   }
}

bool
hd_gen9_write_number(hd_gen9_layout *l, const hd_mach_inst *inst)
{
   const uint32_t number = (uint32_t)inst->imm;
   const bool any = inst->op == HD_GEN9_P_ANY;

   switch (inst->op) {
   case HD_GEN9_P_ENTER:
      compare_numbers(l, HD_GEN9_CONDITION_EQ, number, HD_GEN9_FLAG_ACTIVE);
      l->masked = l->lanes_end || !(inst->bits & 1);
      l->flag_of = HD_MACH_NO_REG;
      return true;
   case HD_GEN9_P_NONE:
      hd_gen9_write_jump(l, HD_GEN9_FLAG_ACTIVE, l->width->any, true, inst->target);
      return true;
   case HD_GEN9_P_SEND:
      move_numbers(l, HD_GEN9_ACTIVE, number);
      return true;
   case HD_GEN9_P_SEND_IF:
      if (hd_mach_src(inst, 0)->reg == HD_GEN9_CONDITION) {
         /* The jump passes over the move. */
         hd_gen9_write_jump(l, 0, 1, !(inst->bits & 1), NULL);
         move_numbers(l, HD_GEN9_ACTIVE, number);
         return true;
      }
      /* Where it is negated the flag has the active lanes where the value is false. */
      hd_gen9_need_flag(l, hd_mach_src(inst, 0), inst->bits & 1, false);
      move_numbers(l, HD_GEN9_ACTIVE, number)->pred = 1;
      return true;
   case HD_GEN9_P_ALL_FROM:
   case HD_GEN9_P_ANY:
      compare_numbers(l, any ? HD_GEN9_CONDITION_EQ : HD_GEN9_CONDITION_GE, number, 0);
      hd_gen9_write_jump(l, 0, any ? l->width->any : l->width->all, false, inst->target);
      l->flag_of = HD_MACH_NO_REG;
      return true;
   default:
      return false;
   }
}
