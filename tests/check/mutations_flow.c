/* SPDX-License-Identifier: MIT */
/* mutations_flow.c - breaking the rules on the tree, the graph, declarations. */
#include "mutations.h"

bool
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

bool
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

bool
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

bool
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

bool
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

bool
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

bool
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

bool
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

bool
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

bool
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

bool
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

bool
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

bool
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

bool
break_CF13(sample *s, unsigned way)
{
   hd_edge_remove(s->g_left, 0);
   hd_edge_add(s->g_left, s->g_start);
   return way == 0;
}

bool
break_CF15(sample *s, unsigned way)
{
   hd_jump_remove(hd_block_jump(hd_function_start(s->helper)));
   return way == 0;
}

bool
break_FL1(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->then->loop_header = s->after;
      return true;
   case 1:
      s->header->node.header = true;
      return true;
   case 2:
      s->next->continues = s->header;
      return true;
   case 3:
      s->g_left->loop_header = s->then;
      return true;
   case 4:
      s->g_latch->continues = &s->graph->end;
      return true;
   case 5:
      s->graph->end.loop_header = s->g_head;
      return true;
   default:
      return false;
   }
}

bool
break_FL2(sample *s, unsigned way)
{
   switch (way) {
   case 0:
      s->g_right->loop_header = s->g_right;
      return true;
   case 1:
      s->g_right->loop_header = s->g_out;
      s->g_out->loop_header = s->g_right;
      return true;
   case 2:
      s->g_head->loop_header = s->g_out;
      return true;
   default:
      return false;
   }
}

bool
break_FL3(sample *s, unsigned way)
{
   hd_block *head, *latch;

   switch (way) {
   case 0: /* the cycle is left to g_out, and g_exit would be in it again */
      s->g_out->loop_header = NULL;
      s->g_exit->loop_header = s->g_head;
      return true;
   case 1: /* the latch of another cycle, without its header */
      head = hd_flat_block_create(s->graph);
      latch = hd_flat_block_create(s->graph);
      hd_flat_redirect(s->g_out, 0, head);
      hd_flat_goto_if(head, s->g_flag, latch, s->g_exit);
      hd_flat_goto(latch, head);
      latch->loop_header = s->g_head;
      return true;
   default:
      return false;
   }
}

bool
break_FL4(sample *s, unsigned way)
{
   hd_block *behind;

   s->g_latch->continues = NULL;
   switch (way) {
   case 0: /* bypassed by way of g_left */
      s->g_right->continues = s->g_head;
      return true;
   case 1: /* not in the cycle */
      s->g_entry->continues = s->g_head;
      return true;
   case 2: /* the header itself */
      s->g_head->continues = s->g_head;
      return true;
   case 3: /* what it leads to is entered by way of g_left */
      behind = hd_flat_block_create(s->graph);
      hd_flat_clear_jump(s->g_latch);
      hd_flat_goto_if(s->g_latch, s->g_flag, s->g_head, behind);
      hd_flat_goto(behind, s->g_latch);
      hd_flat_redirect(s->g_left, 0, behind);
      s->g_latch->continues = s->g_head;
      return true;
   default:
      return false;
   }
}

bool
break_FL5(sample *s, unsigned way)
{
   s->g_right->continues = s->g_head;
   return way == 0;
}
