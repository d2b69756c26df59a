/* SPDX-License-Identifier: MIT */
/* test_mutations.c - every rule is broken on purpose, in several ways, on an otherwise valid
 * shader; the validator must say exactly that rule, once.
 *
 * The list of rules is the generated one: a rule without a function here, or a function without a
 * rule, does not compile.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "check/check_rules.h"
#include "shaders.h"

/* Break the rule in the way number `way`; false when there is no such way. */
#define ROW(number, scope, presumes, words) static bool break_##number(sample *s, unsigned way);
HD_RULE_ROWS(ROW)
#undef ROW

static hd_src *
src_of(hd_def *def, unsigned n)
{
   return hd_instr_src(hd_def_instr(def), n);
}

/* Write a source and keep the use lists right. */
static void
relink(hd_src *src, hd_def *def)
{
   hd_src_unlink(src);
   src->def = def;
   if (def)
      hd_src_link(src);
}

static hd_instr *
new_const(sample *s, unsigned bits)
{
   return &hd_const_create(s->shader, 1, bits, NULL)->instr;
}

static bool
break_SH1(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->helper->prev = NULL;
      return true;
   case 1:
      s->shader->num_functions++;
      return true;
   case 2:
      s->shader->last_function = s->helper;
      return true;
   case 3:
      s->graph->shader = NULL;
      return true;
   case 4:
      s->graph->next = s->main;
      return true;
   default:
      return false;
   }
}

static bool
break_SH2(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->helper->name = s->main->name;
      return true;
   case 1:
      s->graph->name = NULL;
      return true;
   default:
      return false;
   }
}

static bool
break_SH3(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->shader->stage = (hd_stage)9;
      return true;
   case 1:
      s->shader->stage = HD_STAGE_VERTEX;
      return true;
   case 2:
      s->shader->workgroup_size[1] = s->shader->workgroup_size[2] = 70000;
      return true;
   case 3:
      s->shader->subgroup_size = 48;
      return true;
   case 4:
      s->shader->subgroup_size = 256;
      return true;
   case 5:
      s->shader->float_controls = 1u << 20;
      return true;
   case 6:
      s->shader->name = NULL;
      return true;
   default:
      return false;
   }
}

static bool
break_SH4(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->sum->flags &= (uint8_t)~HD_DEF_NAMED;
      return true;
   case 1:
      s->index->flags |= HD_DEF_NAMED;
      return true;
   case 2:
      s->middle->node.named = false;
      return true;
   case 3:
      s->g_head->node.named = true;
      return true;
   default:
      return false;
   }
}

static bool
break_FN1(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->helper->result_bits = 7;
      return true;
   case 1:
      s->helper->result_components = 0;
      return true;
   case 2:
      s->graph->result_components = 17;
      return true;
   default:
      return false;
   }
}

static bool
break_FN2(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->table->prev = NULL;
      return true;
   case 1:
      s->main->last_var = s->counter;
      return true;
   case 2:
      s->table->index = 7;
      return true;
   case 3:
      s->table->index = s->counter->index;
      return true;
   case 4:
      s->table->next = s->counter;
      return true;
   default:
      return false;
   }
}

static bool
break_FN3(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->counter->name = NULL;
      return true;
   case 1:
      s->counter->name = s->table->name;
      return true;
   case 2:
      s->counter->bit_size = 24;
      return true;
   case 3:
      s->table->num_components = 0;
      return true;
   default:
      return false;
   }
}

static bool
break_FN4(sample *s, unsigned way)
{
   s->main->num_extracted = 1;
   return way == 0;
}

static bool
break_CF1(sample *s, unsigned way)
{
   hd_block *extra;

   switch (way) {
   case 0: /* two blocks in a row */
      extra = hd_block_alloc(s->main);
      extra->node.list = s->then->node.list;
      extra->node.prev = &s->then->node;
      s->then->node.next = &extra->node;
      s->then->node.list->last = &extra->node;
      return true;
   case 1: /* a list that ends with a node */
      s->loop->node.next = NULL;
      s->main->body.last = &s->loop->node;
      return true;
   case 2: /* one that begins with a node */
      s->if_flag->node.prev = NULL;
      s->main->body.first = &s->if_flag->node;
      return true;
   case 3:
      s->graph->structured = true;
      return true;
   case 4: /* two nodes in a row */
      s->if_flag->node.next = &s->loop->node;
      s->loop->node.prev = &s->if_flag->node;
      return true;
   default:
      return false;
   }
}

static bool
break_CF2(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->after->node.prev = NULL;
      return true;
   case 1:
      s->after->node.list = &s->helper->body;
      return true;
   case 2:
      s->if_done->then_list.parent = &s->if_flag->node;
      return true;
   case 3:
      s->loop->continue_list.function = s->helper;
      return true;
   case 4:
      s->loop->body.last = &s->middle->node;
      return true;
   case 5:
      s->g_left->node.prev = &s->g_left->node;
      return true;
   case 6:
      s->then->node.prev = &s->start->node;
      return true;
   case 7:
      s->graph->body.first = NULL;
      return true;
   case 8: /* a circle */
      s->last->node.next = &s->start->node;
      return true;
   case 9:
      s->main->body.parent = &s->loop->node;
      return true;
   default:
      return false;
   }
}

static bool
break_CF3(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->if_flag->else_list.first = s->if_flag->else_list.last = NULL;
      return true;
   case 1:
      s->loop->continue_list.last = NULL;
      return true;
   case 2:
      s->loop->body.first = NULL;
      return true;
   case 3:
      s->if_done->then_list.first = NULL;
      return true;
   default:
      return false;
   }
}

static bool
break_CF10(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->breaks->last->op = HD_JUMP_GOTO;
      return true;
   case 1:
      s->g_left->last->op = HD_JUMP_BREAK;
      return true;
   case 2:
      s->g_latch->last->op = HD_JUMP_CONTINUE;
      return true;
   case 3:
      s->main->structured = false;
      return true;
   default:
      return false;
   }
}

static bool
break_CF16(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->then->node.index = s->main->num_blocks;
      return true;
   case 1:
      s->then->node.index = s->other->node.index;
      return true;
   case 2:
      s->g_out->node.index = UINT32_MAX;
      return true;
   default:
      return false;
   }
}

static bool
break_CF17(sample *s, unsigned way)
{
   hd_instr *second = s->start->first->next;

   switch (way) {
   case 0:
      second->prev = NULL;
      return true;
   case 1:
      second->block = s->then;
      return true;
   case 2:
      s->start->last = second;
      return true;
   case 3:
      second->next = second->next->next;
      return true;
   case 4:
      s->start->first->prev = second;
      return true;
   case 5:
      s->start->last->next = second;
      return true;
   case 6:
      s->g_exit->last = NULL;
      return true;
   default:
      return false;
   }
}

static bool
break_CF8(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_instr_append(s->breaks, new_const(s, 32));
      return true;
   case 1:
      hd_instr_append(s->middle, &hd_jump_create(s->shader, HD_JUMP_RETURN, 0, 0)->instr);
      return true;
   case 2:
      hd_instr_append(s->g_exit, &hd_jump_create(s->shader, HD_JUMP_RETURN, 0, 0)->instr);
      return true;
   default:
      return false;
   }
}

static bool
break_CF9(sample *s, unsigned way)
{
   static const struct {
      size_t block;
      hd_jump_kind kind;
   } ways[] = {
      { offsetof(sample, then), HD_JUMP_BREAK },    { offsetof(sample, last), HD_JUMP_CONTINUE },
      { offsetof(sample, next), HD_JUMP_CONTINUE }, { offsetof(sample, next), HD_JUMP_BREAK },
      { offsetof(sample, next), HD_JUMP_RETURN },   { offsetof(sample, next), HD_JUMP_HALT },
   };

   if (way >= sizeof(ways) / sizeof(ways[0]))
      return false;
   hd_block *b = *(hd_block **)((char *)s + ways[way].block);
   hd_instr_append(b, &hd_jump_create(s->shader, ways[way].kind, 0, 0)->instr);
   return true;
}

static bool
break_CF11(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_instr_unlink(s->g_left->last);
      return true;
   case 1:
      hd_instr_unlink(s->g_start->last);
      return true;
   default:
      return false;
   }
}

static bool
break_CF14(sample *s, unsigned way)
{
   hd_block *end = &s->main->end;

   switch (way) {
   case 0:
      end->node.list = &s->main->body;
      return true;
   case 1:
      end->first = end->last = new_const(s, 32);
      return true;
   case 2:
      end->num_succs = 1;
      return true;
   case 3:
      end->node.next = &s->last->node;
      return true;
   default:
      return false;
   }
}

static bool
break_CF5(sample *s, unsigned way)
{
   hd_edge swapped = s->start->succs[0];

   switch (way) {
   case 0: /* arms swapped, both ends of the edges in step */
      s->start->succs[0] = s->start->succs[1];
      s->start->succs[1] = swapped;
      for (unsigned n = 0; n < 2; n++)
         s->start->succs[n].to->preds[s->start->succs[n].pred].succ = n;
      return true;
   case 1:
      s->then->num_succs = 0;
      return true;
   case 2:
      s->then->num_succs = 2;
      return true;
   case 3:
      s->then->succs = NULL;
      return true;
   case 4:
      s->breaks->succs[0].to = s->header;
      return true;
   case 5:
      s->next->succs[0].to = s->last;
      return true;
   case 6:
      s->skips->succs[0].to = NULL;
      return true;
   case 7:
      s->other->num_succs = s->other->succ_capacity = 0;
      return true;
   case 8:
      s->last->succs[0].to = &s->helper->end;
      return true;
   case 9:
      s->middle->succ_capacity = 1;
      return true;
   default:
      return false;
   }
}

static bool
break_CF12(sample *s, unsigned way)
{
   hd_jump *choice = (hd_jump *)s->g_right->last;

   switch (way) {
   case 0:
      s->g_start->succs[1].to = s->g_start->succs[0].to;
      return true;
   case 1:
      choice->cases[0].succ = 2;
      return true;
   case 2:
      choice->cases[0].succ = choice->cases[2].succ = 0;
      return true;
   case 3:
      s->g_left->succs[0].to = NULL;
      return true;
   case 4:
      s->g_left->succs[0].to = s->then;
      return true;
   case 5:
      s->g_exit->succs[0].to = s->g_left;
      return true;
   case 6:
      s->g_head->num_succs = 1;
      return true;
   case 7:
      s->g_left->succs[0].to = &s->graph->end;
      return true;
   case 8:
      s->g_right->succ_capacity = 0;
      return true;
   case 9:
      choice->num_cases = 0;
      return true;
   default:
      return false;
   }
}

static bool
break_CF6(sample *s, unsigned way)
{
   hd_pred swapped = s->after->preds[0];

   switch (way) {
   case 0:
      s->after->preds[0].from = s->start;
      return true;
   case 1:
      s->after->preds[0].succ = 1;
      return true;
   case 2:
      s->start->succs[0].pred = 1;
      return true;
   case 3: /* one more */
      s->then->preds[s->then->num_preds++] = (hd_pred){ s->start, 0 };
      return true;
   case 4: /* one less */
      s->then->num_preds = 0;
      return true;
   case 5:
      s->after->preds[0] = s->after->preds[1];
      s->after->preds[1] = swapped;
      return true;
   case 6:
      s->after->preds[1] = s->after->preds[0];
      return true;
   case 7:
      s->after->preds = NULL;
      return true;
   case 8:
      s->after->pred_capacity = 1;
      return true;
   case 9:
      s->main->end.preds[0].from = NULL;
      return true;
   case 10:
      s->g_exit->preds[0].from = s->last;
      return true;
   case 11:
      s->start->preds[s->start->num_preds++] = (hd_pred){ s->last, 0 };
      return true;
   default:
      return false;
   }
}

static bool
break_CF13(sample *s, unsigned way)
{
   hd_edge_remove(s->g_left, 0);
   hd_edge_add(s->g_left, s->g_start);
   return way == 0;
}

static bool
break_CF15(sample *s, unsigned way)
{
   hd_jump_remove(hd_block_jump(hd_function_start(s->helper)));
   return way == 0;
}

static bool
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

static bool
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

static bool
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

static bool
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

static bool
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

static bool
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

static bool
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

static bool
break_SSA1(sample *s, unsigned way)
{
   hd_def *in_then = &s->then->first->def;

   switch (way) {
   case 0: /* before, in its block */
      hd_instr_move(hd_before_instr(hd_def_instr(s->product)), hd_def_instr(s->one));
      hd_src_rewrite(src_of(s->flag, 1), s->index);
      hd_src_rewrite(src_of(s->pair, 1), s->index);
      hd_instr_move(hd_after_instr(hd_def_instr(s->product)), hd_def_instr(s->one));
      return true;
   case 1: /* from the other arm */
      make_alu(hd_after_block(s->other), s->shader, HD_OP_INEG, 1, &in_then, 0);
      return true;
   case 2: /* a phi, for the wrong edge */
      hd_src_rewrite(hd_phi_src_from(s->after_phi, s->other), in_then);
      return true;
   case 3: /* the condition of an if */
      hd_src_rewrite(&s->if_flag->cond, make_alu(hd_after_block(s->last), s->shader, HD_OP_ULT, 2,
                                                 (hd_def *[]){ s->one, s->one }, 0));
      return true;
   case 4: /* itself */
      hd_src_rewrite(src_of(s->sum, 1), s->sum);
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

static bool
break_OP1(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_def_instr(s->sum)->op = 60000;
      return true;
   case 1:
      s->load->instr.op = 0;
      return true;
   case 2:
      s->breaks->last->op = HD_NUM_JUMP_KINDS;
      return true;
   case 3:
      s->g_left->last->op = 60000;
      return true;
   case 4:
      hd_def_instr(s->sum)->op = HD_OP_NONE;
      return true;
   case 5:
      hd_instr_append(s->then, hd_undef_create(s->shader, 1, 32));
      s->then->last->kind = HD_NUM_INSTR_KINDS;
      return true;
   default:
      return false;
   }
}

static bool
break_OP2(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_def_instr(s->sum)->num_srcs = 1;
      return true;
   case 1:
      s->store->instr.num_srcs = 1;
      return true;
   case 2:
      hd_def_instr(s->pair)->num_srcs = 1;
      return true;
   case 3:
      s->g_head->last->num_srcs = 0;
      return true;
   case 4:
      hd_def_instr(s->sum)->op = HD_OP_INEG;
      return true;
   case 5:
      s->g_left->last->num_srcs = 1;
      return true;
   default:
      return false;
   }
}

static bool
break_OP14(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->product->bit_size = 0;
      return true;
   case 1:
      s->flag->bit_size = 0;
      return true;
   case 2:
      s->store->instr.def.bit_size = 32;
      s->store->instr.def.num_components = 1;
      return true;
   case 3:
      s->g_left->last->def.bit_size = 1;
      return true;
   case 4:
      s->store_table->instr.def.num_components = 1;
      return true;
   case 5:
      s->one->bit_size = 0;
      return true;
   case 6:
      s->header_phi->instr.def.bit_size = 0;
      return true;
   default:
      return false;
   }
}

static bool
break_OP4(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->product->bit_size = 16;
      return true;
   case 1:
      s->last_phi->instr.def.bit_size = 3;
      return true;
   case 2:
      hd_src_rewrite(src_of(s->flag, 0), s->address);
      return true;
   case 3:
      s->loaded->bit_size = 1;
      return true;
   case 4:
      s->flag->bit_size = 8;
      return true;
   case 5:
      s->header_phi->instr.def.bit_size = 33;
      return true;
   case 6:
      hd_src_rewrite(src_of(s->loaded, 0), s->index);
      return true;
   case 7:
      s->one->bit_size = 9;
      return true;
   default:
      return false;
   }
}

static bool
break_OP3(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->product->num_components = 2;
      return true;
   case 1:
      s->loaded->num_components = 17;
      return true;
   case 2:
      hd_src_rewrite(src_of(s->product, 0), s->pair);
      return true;
   case 3:
      s->last_phi->instr.def.num_components = 0;
      return true;
   case 4:
      hd_src_rewrite(src_of(&s->reduce->instr.def, 0), s->pair);
      return true;
   default:
      return false;
   }
}

static bool
break_OP5(sample *s, unsigned way)
{
   hd_const *k = (hd_const *)hd_def_instr(s->one);

   switch (way) {
   case 0:
      k->value[0].u64 |= UINT64_C(1) << 32;
      return true;
   case 1: {
      hd_const_value values[3] = { { .u64 = 1 }, { .u64 = 0 }, { .u64 = 1 } };
      hd_const *three = hd_const_create(s->shader, 3, 1, values);
      hd_instr_append(s->then, &three->instr);
      three->value[2].u64 = 2;
      return true;
   }
   default:
      return false;
   }
}

static bool
break_OP6(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_def_instr(s->sum)->flags = HD_FP_EXACT;
      return true;
   case 1:
      hd_def_instr(s->one)->flags = HD_FP_NO_NAN;
      return true;
   case 2:
      hd_def_instr(s->voted)->flags = HD_ASSUME_UNIFORM;
      return true;
   case 3:
      s->broadcast->instr.flags = HD_FP_EXACT;
      return true;
   case 4:
      hd_def_instr(s->product)->flags = HD_ASSUME_UNIFORM;
      return true;
   case 5:
      s->last_phi->instr.flags = 0x80;
      return true;
   default:
      return false;
   }
}

static void
set_index(hd_intrinsic *i, hd_index index, uint32_t value)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)i->instr.op);

   assert_true(info->slots[index]);
   hd_intrinsic_indices(i)[info->slots[index] - 1] = value;
}

static bool
break_OP7(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      set_index(s->load, HD_INDEX_ALIGN_MUL, 3);
      return true;
   case 1:
      set_index(s->load, HD_INDEX_ALIGN_MUL, 0);
      return true;
   case 2:
      set_index(s->load, HD_INDEX_ALIGN_OFFSET, 1);
      return true;
   case 3:
      set_index(s->reduce, HD_INDEX_REDUCE_OP, HD_NUM_REDUCE_OPS);
      return true;
   case 4:
      set_index(s->reduce, HD_INDEX_CLUSTER_SIZE, 6);
      return true;
   case 5:
      set_index(s->store, HD_INDEX_ACCESS, 1u << 30);
      return true;
   case 6:
      set_index(s->image, HD_INDEX_ARRAY, 2);
      return true;
   default:
      return false;
   }
}

static bool
break_OP8(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      make_intrinsic(hd_after_block(s->then), s->shader, HD_INTRINSIC_FRONT_FACING, 0, NULL, NULL);
      return true;
   case 1:
      make_intrinsic(hd_before_jump(s->g_left), s->shader, HD_INTRINSIC_VERTEX_INDEX, 0, NULL,
                     NULL);
      return true;
   default:
      return false;
   }
}

static bool
break_OP9(sample *s, unsigned way)
{
   hd_jump *choice = (hd_jump *)s->g_right->last;

   switch (way) {
   case 0:
      choice->cases[0].value = 9;
      return true;
   case 1:
      choice->cases[2].value = UINT64_C(1) << 32;
      return true;
   default:
      return false;
   }
}

static bool
break_OP10(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_src_rewrite(&s->after_phi->srcs[1].src, s->flag);
      return true;
   case 1:
      hd_src_rewrite(&s->header_phi->srcs[0].src, s->pair);
      return true;
   case 2: /* a value that comes later */
      hd_src_rewrite(hd_phi_src_from(s->header_phi, s->next),
                     make_const(hd_after_block(s->next), s->shader, 64, 0));
      return true;
   default:
      return false;
   }
}

static bool
break_OP11(sample *s, unsigned way)
{
   hd_instr *jump = hd_function_start(s->helper)->last;

   switch (way) {
   case 0:
      hd_src_rewrite(hd_instr_src(jump, 0), make_const(hd_before_instr(jump), s->shader, 64, 0));
      return true;
   case 1:
      hd_src_unlink(hd_instr_src(jump, 0));
      jump->num_srcs = 0;
      return true;
   case 2:
      hd_insert_jump(hd_after_block(s->last), HD_JUMP_RETURN, s->one);
      return true;
   default:
      return false;
   }
}

static bool
break_OP12(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->load_counter->var = NULL;
      return true;
   case 1:
      s->load_counter->var = hd_var_create(s->helper, "other", 1, 32, 0);
      return true;
   case 2:
      s->counter->bit_size = 16;
      return true;
   case 3:
      s->table->array_length = 0;
      return true;
   case 4:
      hd_src_rewrite(&s->store_table->src[1], s->wide);
      return true;
   case 5:
      hd_src_rewrite(&s->store_table->src[0], s->pair);
      return true;
   case 6:
      s->counter->array_length = 4;
      return true;
   default:
      return false;
   }
}

static bool
break_OP13(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_src_rewrite(&s->if_skip->cond, s->index);
      return true;
   case 1:
      hd_src_rewrite(hd_instr_src(s->g_head->last, 0), s->g_index);
      return true;
   case 2:
      hd_src_rewrite(hd_instr_src(s->g_right->last, 0), s->g_flag);
      return true;
   default:
      return false;
   }
}

static bool
break_OP15(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      hd_def_instr(s->sum)->loc = 999;
      return true;
   case 1:
      s->loop->node.loc = 999;
      return true;
   case 2:
      s->shader->num_locations = 1;
      return true;
   default:
      return false;
   }
}

static bool
break_OP16(sample *s, unsigned way)
{
   hd_intrinsic *i;

   switch (way) {
   case 0:
      i = make_intrinsic(hd_after_block(s->then), s->shader, HD_INTRINSIC_REDUCE, 0, &s->flag,
                         NULL);
      set_index(i, HD_INDEX_REDUCE_OP, HD_REDUCE_FADD);
      return true;
   case 1:
      set_index(s->image, HD_INDEX_DIM, HD_DIM_D3);
      return true;
   case 2:
      set_index(s->image, HD_INDEX_ARRAY, 1);
      return true;
   default:
      return false;
   }
}

static bool
break_CV1(sample *s, unsigned way)
{
   hd_intrinsic *i;

   switch (way) {
   case 0:
      hd_src_rewrite(&s->broadcast->src[1], s->index);
      return true;
   case 1:
      hd_src_rewrite(&s->image->src[0], s->index);
      return true;
   case 2:
      i = make_intrinsic(hd_after_block(s->then), s->shader, HD_INTRINSIC_BUFFER_SIZE, 0, &s->index,
                         NULL);
      return i != NULL;
   default:
      return false;
   }
}

static bool
break_FL1(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->then->inside = s->after;
      return true;
   case 1:
      s->header->node.header = true;
      return true;
   case 2:
      s->next->continues = s->header;
      return true;
   case 3:
      s->g_left->inside = s->then;
      return true;
   case 4:
      s->g_latch->continues = &s->graph->end;
      return true;
   case 5:
      s->graph->end.inside = s->g_head;
      return true;
   default:
      return false;
   }
}

static bool
break_FL2(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->g_right->inside = s->g_right;
      return true;
   case 1:
      s->g_right->inside = s->g_out;
      s->g_out->inside = s->g_right;
      return true;
   case 2:
      s->g_head->inside = s->g_out;
      return true;
   default:
      return false;
   }
}

static bool
break_FL3(sample *s, unsigned way)
{
   /* The cycle is left to g_out, and g_exit would be in it again. */
   s->g_out->inside = NULL;
   s->g_exit->inside = s->g_head;
   return way == 0;
}

static bool
break_FL4(sample *s, unsigned way)
{
   s->g_latch->continues = NULL;
   switch (way) {
   case 0: /* bypassed by way of g_left */
      s->g_right->continues = s->g_head;
      return true;
   case 1: /* not in the cycle */
      s->g_entry->continues = s->g_head;
      return true;
   default:
      return false;
   }
}

static bool
break_FL5(sample *s, unsigned way)
{
   s->g_right->continues = s->g_head;
   return way == 0;
}

static bool
break_CALL2(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->call->callee = NULL;
      return true;
   case 1:
      s->call->callee = s->graph;
      return true;
   case 2:
      hd_src_rewrite(&s->call->args[1].src, s->wide);
      return true;
   case 3:
      s->call->instr.def.bit_size = 64;
      return true;
   case 4:
      s->call->num_args = 1;
      return true;
   default:
      return false;
   }
}

static bool
break_CALL1(sample *s, unsigned way)
{
   hd_call *call;

   switch (way) {
   case 0:
      call = hd_call_create(s->shader, s->helper, 2);
      hd_src_set(&call->instr, 0, s->a);
      hd_src_set(&call->instr, 1, s->b);
      hd_instr_insert(hd_after_instr(hd_def_instr(s->b)), &call->instr);
      return true;
   case 1:
      call = hd_call_create(s->shader, s->main, 0);
      hd_instr_insert(hd_after_instr(hd_def_instr(s->b)), &call->instr);
      return true;
   default:
      return false;
   }
}

static bool
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
   default:
      return false;
   }
}

/* What the validator said. */
typedef struct heard {
   char rules[8][8];
   char messages[8][400];
   unsigned num;
} heard;

static void
hear(void *user, const hd_diag *d)
{
   heard *h = user;

   if (h->num < 8 && d->severity == HD_ERROR) {
      snprintf(h->rules[h->num], sizeof(h->rules[0]), "%s", d->rule);
      snprintf(h->messages[h->num], sizeof(h->messages[0]), "%s", d->message);
   }
   h->num += d->severity == HD_ERROR;
   if (d->text) {
      assert_int_equal(d->text[d->text_length], 0);
      assert_in_range(d->column, 1, d->text_length);
      assert_in_range(d->length, 1, d->text_length - (d->column - 1));
   }
}

static hd_result
validate(hd_shader *shader, heard *h)
{
   hd_validate_options options = { .diag = { h, hear }, .metadata = true };

   *h = (heard){ .num = 0 };
   return hd_validate(shader, &options);
}

static void
expect_only(const char *rule, unsigned way, bool (*break_rule)(sample *, unsigned), bool *done)
{
   sample s = sample_create(NULL);
   heard h;

   if (!break_rule(&s, way)) {
      *done = true;
      hd_shader_destroy(s.shader);
      return;
   }
   hd_result result = validate(s.shader, &h);
   if (result != HD_INVALID || h.num != 1 || strcmp(h.rules[0], rule)) {
      print_error("%s broken in way %u: %s, %u messages\n", rule, way, hd_result_name(result),
                  h.num);
      for (unsigned n = 0; n < h.num && n < 8; n++)
         print_error("   [%s] %s\n", h.rules[n], h.messages[n]);
      fail();
   }
   /* To destroy a shader the list of its functions must end. */
   s.graph->next = NULL;
   hd_shader_destroy(s.shader);
}

typedef struct test_row {
   const char *rule;
   bool (*break_rule)(sample *, unsigned);
} test_row;

#define ROW(number, scope, presumes, words) { #number, break_##number },
static const test_row rows[NUM_RULES] = { HD_RULE_ROWS(ROW) };
#undef ROW

static void
test_rule(void **state)
{
   const test_row *row = *state;
   bool done = false;
   unsigned way = 0;

   for (; !done; way++)
      expect_only(row->rule, way, row->break_rule, &done);
   /* A rule that nothing breaks is not tested. */
   assert_true(way > 1);
}

static void
test_unbroken(void **state)
{
   sample s = sample_create(NULL);
   heard h;

   (void)state;
   assert_int_equal(validate(s.shader, &h), HD_OK);
   hd_foreach_function(f, s.shader) {
      hd_function_reindex(f);
      assert_int_equal(hd_validate_function(f, NULL), HD_OK);
   }
   assert_int_equal(validate(s.shader, &h), HD_OK);
   assert_int_equal(h.num, 0);
   hd_shader_destroy(s.shader);
}

int
main(void)
{
   struct CMUnitTest tests[NUM_RULES + 1] = { cmocka_unit_test(test_unbroken) };

   for (unsigned n = 0; n < NUM_RULES; n++)
      tests[n + 1] = (struct CMUnitTest){ .name = rows[n].rule,
                                          .test_func = test_rule,
                                          .initial_state = (void *)&rows[n] };
   return cmocka_run_group_tests(tests, NULL, NULL);
}
