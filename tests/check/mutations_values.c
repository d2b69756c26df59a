/* SPDX-License-Identifier: MIT */
/* mutations_values.c - breaking the rules on values, uses, metadata. */
#include "support/test.h"

#include <stdint.h>

#include "mutations.h"

#include "heddle/analysis.h"
#include "heddle/op_enum.h"

bool
break_SSA6(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->wide->index = s->main->num_defs;
      return true;
   case 1:
      s->loaded->index = s->one->index;
      return true;
   case 2:
      s->flag->index = HD_NO_INDEX;
      return true;
   default:
      return false;
   }
}

bool
break_SSA7(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      relink(src_of(s->sum, 1), s->a);
      return true;
   case 1:
      relink(src_of(s->sum, 1), NULL);
      return true;
   case 2:
      hd_instr_unlink(&s->load->instr);
      return true;
   case 3:
      relink(&s->if_skip->cond, s->g_flag);
      return true;
   case 4:
      relink(&s->g_phi->srcs[0].src, s->one);
      return true;
   case 5: /* the use list still has it */
      src_of(s->sum, 1)->def = NULL;
      return true;
   case 6:
      relink(&s->call->args[0].src, NULL);
      return true;
   default:
      return false;
   }
}

bool
break_SSA8(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      src_of(s->sum, 1)->prev_link ^= 2;
      return true;
   case 1:
      src_of(s->sum, 0)->next_link ^= 4;
      return true;
   case 2:
      s->after_phi->srcs[0].instr = NULL;
      return true;
   case 3:
      s->call->args[1].instr = &s->after_phi->instr;
      return true;
   case 4:
      s->if_flag->cond.prev_link ^= 1;
      return true;
   case 5:
      s->after_phi->srcs[1].src.prev_link ^= 1;
      return true;
   default:
      return false;
   }
}

bool
break_SSA2(sample *s, unsigned way)
{
   hd_alu *loose;

   switch (way) {
   case 0: /* reads something else than its list says */
      src_of(s->sum, 0)->def = s->index;
      return true;
   case 1: /* in no list */
      hd_src_unlink(src_of(s->sum, 0));
      return true;
   case 2:
      s->address->uses = NULL;
      return true;
   case 3:
      s->one->uses->next_link &= 7;
      return true;
   case 4:
      hd_src_next_use(s->one->uses)->prev_link &= 7;
      return true;
   case 5: /* a source of an instruction that is nowhere */
      loose = hd_alu_create(s->shader, HD_OP_INEG, 1, 1, 32);
      loose->src[0].def = s->one;
      hd_src_link(&loose->src[0]);
      return true;
   case 6: /* a circle */
      hd_src_next_use(s->one->uses)->next_link = (uintptr_t)s->one->uses;
      return true;
   case 7:
      s->product->uses = s->one->uses;
      return true;
   case 8:
      s->if_skip->cond.def = s->flag;
      return true;
   case 9: { /* a sound circle beside an empty list */
      hd_src *first = s->one->uses, *second = hd_src_next_use(first);
      second->next_link = (uintptr_t)first | (second->next_link & 7);
      first->prev_link = (uintptr_t)second | (first->prev_link & 7);
      s->one->uses = NULL;
      return true;
   }
   default:
      return false;
   }
}

bool
break_SSA4(sample *s, unsigned way)
{
   switch (way) {
   case 0: /* in an arm, where one predecessor can be */
      hd_phi_insert(s->then, 1, 32, &s->index);
      return true;
   case 1:
      hd_instr_link(s->after, NULL, new_const(s, 32));
      return true;
   case 2:
      hd_phi_insert(s->g_start, 1, 32, NULL);
      return true;
   case 3: /* behind its own use */
      hd_instr_unlink(&s->header_phi->instr);
      hd_instr_link(s->header, s->header->last, &s->header_phi->instr);
      return true;
   default:
      return false;
   }
}

bool
break_SSA3(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_phi_remove_src(s->after_phi, 0);
      return true;
   case 1:
      hd_phi_add_src(s->after_phi, s->one);
      return true;
   case 2:
      s->after_phi->capacity = 1;
      return true;
   case 3:
      s->after_phi->srcs = NULL;
      return true;
   case 4:
      s->g_phi->num_srcs = 1u << 30;
      return true;
   default:
      return false;
   }
}

bool
break_SSA5(sample *s, unsigned way)
{
   hd_block *start = hd_function_start(s->helper);

   switch (way) {
   case 0:
      ((hd_param *)hd_def_instr(s->b))->param_index = 0;
      return true;
   case 1:
      s->helper->num_params = 3;
      return true;
   case 2: /* behind another instruction */
      hd_instr_unlink(hd_def_instr(s->b));
      hd_instr_link(start, hd_def_instr(s->h_sum), hd_def_instr(s->b));
      return true;
   case 3: /* in another block */
      hd_instr_append(s->then, &hd_param_create(s->shader, 1, 32, 0)->instr);
      return true;
   case 4:
      s->graph->num_params = 1;
      return true;
   default:
      return false;
   }
}

bool
break_SSA1(sample *s, unsigned way)
{
   hd_def *in_then = &s->then->first->def;

   switch (way) {
   case 0: /* before, in its block */
      hd_instr_move(hd_before_instr(hd_def_instr(s->product)), hd_def_instr(s->one));
      hd_src_set_def(src_of(s->flag, 1), s->index);
      hd_src_set_def(src_of(s->pair, 1), s->index);
      hd_instr_move(hd_after_instr(hd_def_instr(s->product)), hd_def_instr(s->one));
      return true;
   case 1: /* from the other arm */
      make_alu(hd_after_block(s->other), s->shader, HD_OP_INEG, 1, &in_then, 0);
      return true;
   case 2: /* a phi, for the wrong edge */
      hd_src_set_def(hd_phi_src_from(s->after_phi, s->other), in_then);
      return true;
   case 3: /* the condition of an if */
      hd_src_set_def(&s->if_flag->cond, make_alu(hd_after_block(s->last), s->shader, HD_OP_ULT, 2,
                                                 (hd_def *[]){ s->one, s->one }, 0));
      return true;
   case 4: /* itself */
      hd_src_set_def(src_of(s->sum, 1), s->sum);
      return true;
   case 5: /* flat: in one arm, read in the cycle's latch */
      make_alu(hd_before_jump(s->g_latch), s->shader, HD_OP_INEG, 1,
               (hd_def *[]){ make_const(hd_before_jump(s->g_left), s->shader, 32, 3) }, 0);
      return true;
   case 6: /* defined in the loop behind a break, read after the loop */
      make_alu(hd_after_block(s->last), s->shader, HD_OP_INEG, 1, &s->sum, 0);
      return true;
   case 7: /* defined in unreachable code, read in reachable code */
      hd_insert_jump(hd_after_block(s->stays), HD_JUMP_BREAK, NULL);
      hd_phi_set_src(s->last_phi, s->stays, s->sum);
      hd_phi_set_src(s->next_phi, s->body_end,
                     make_const(hd_after_block(s->body_end), s->shader, 32, 1));
      make_alu(hd_after_block(s->next), s->shader, HD_OP_INEG, 1,
               (hd_def *[]){ &s->body_end->first->def }, 0);
      return true;
   default:
      return false;
   }
}

bool
break_META1(sample *s, unsigned way)
{
   uint32_t valid;

   switch (way) {
   case 0:
      assert_int_equal(hd_require(s->main, HD_META_INSTR_ORDER), HD_OK);
      valid = s->main->meta_valid;
      hd_instr_move(hd_before_instr(hd_def_instr(s->pair)), hd_def_instr(s->wide));
      s->main->meta_valid = valid;
      return true;
   case 1: /* nothing was computed */
      s->helper->meta_valid = HD_META_DOMINANCE;
      return true;
   case 2: /* no such metadata */
      assert_int_equal(hd_require(s->graph, HD_META_DOMINANCE), HD_OK);
      s->graph->meta_valid |= 1u << 31;
      return true;
   case 3: /* a source of divergence takes the place of a constant */
      assert_int_equal(hd_require(s->graph, HD_META_DIVERGENCE), HD_OK);
      valid = s->graph->meta_valid & HD_META_DIVERGENCE;
      hd_src_set_def(&s->g_phi->srcs[1].src, s->g_index);
      hd_src_set_def(&hd_block_jump(s->g_right)->src[0], s->g_one);
      s->graph->meta_valid = valid;
      return true;
   default:
      return false;
   }
}
