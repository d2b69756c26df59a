/* SPDX-License-Identifier: MIT */
/* mutations_shader.c - breaking the rules on the shader, functions, calls. */
#include "mutations.h"

bool
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

bool
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

bool
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
   case 7:
      s->shader->lowered = UINT32_C(1) << 31;
      return true;
   default:
      return false;
   }
}

bool
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

bool
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

bool
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

bool
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

bool
break_FN4(sample *s, unsigned way)
{
   s->main->num_extracted = 1;
   return way == 0;
}

bool
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
      hd_src_set_def(&s->call->args[1].src, s->wide);
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

bool
break_CALL1(sample *s, unsigned way)
{
   hd_call *call;

   switch (way) {
   case 0:
      call = hd_call_create(s->shader, s->helper, 2);
      hd_instr_set_src(&call->instr, 0, s->a);
      hd_instr_set_src(&call->instr, 1, s->b);
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
