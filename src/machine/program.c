/* SPDX-License-Identifier: MIT */
/* program.c - making and changing machine code: blocks, edges, values, instructions. */
#include "machine/program.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

/* Room for one more in an array on the stack, where arrays do not grow in place. */
static void *
grow(hd_stack *stack, void *array, uint32_t num, uint32_t *capacity, size_t size)
{
   if (num < *capacity)
      return array;
   uint32_t more = *capacity ? *capacity * 2 : 4;
   void *larger = hd_stack_alloc(stack, more * size);
   if (num)
      memcpy(larger, array, num * size);
   *capacity = more;
   return larger;
}

hd_gcn_block *
hd_gcn_block_create(hd_gcn_program *p)
{
   hd_gcn_block *block = hd_stack_alloc_zero(p->stack, sizeof(*block));

   p->blocks = grow(p->stack, p->blocks, p->num_blocks, &p->block_capacity, sizeof(*p->blocks));
   block->index = p->num_blocks;
   p->blocks[p->num_blocks++] = block;
   return block;
}

void
hd_gcn_block_append(hd_gcn_program *p, hd_gcn_block *block)
{
   block->prev = p->last;
   block->next = NULL;
   if (p->last)
      p->last->next = block;
   else
      p->first = block;
   p->last = block;
}

void
hd_gcn_block_insert_after(hd_gcn_program *p, hd_gcn_block *block, hd_gcn_block *after)
{
   block->prev = after;
   block->next = after->next;
   if (after->next)
      after->next->prev = block;
   else
      p->last = block;
   after->next = block;
}

void
hd_gcn_block_unlink(hd_gcn_program *p, hd_gcn_block *block)
{
   if (block->prev)
      block->prev->next = block->next;
   else
      p->first = block->next;
   if (block->next)
      block->next->prev = block->prev;
   else
      p->last = block->prev;
   block->prev = block->next = NULL;
}

void
hd_gcn_edge_add(hd_gcn_program *p, hd_gcn_edge_kind kind, hd_gcn_block *from, hd_gcn_block *to)
{
   hd_gcn_edges *out = &from->edges[kind], *in = &to->edges[kind];

   out->succs =
       grow(p->stack, out->succs, out->num_succs, &out->succ_capacity, sizeof(*out->succs));
   in->preds = grow(p->stack, in->preds, in->num_preds, &in->pred_capacity, sizeof(*in->preds));
   out->succs[out->num_succs++] = to;
   in->preds[in->num_preds++] = from;
}

void
hd_gcn_find_preds(hd_gcn_program *p)
{
   hd_gcn_foreach_block(block, p) block->edges[HD_GCN_LINEAR].num_preds = 0;
   hd_gcn_foreach_block(block, p)
   {
      hd_gcn_edges *edges = &block->edges[HD_GCN_LINEAR];
      uint32_t num = edges->num_succs;
      edges->num_succs = 0;
      for (uint32_t n = 0; n < num; n++)
         hd_gcn_edge_add(p, HD_GCN_LINEAR, block, edges->succs[n]);
   }
}

void
hd_gcn_program_number(hd_gcn_program *p)
{
   uint32_t order = 0;

   hd_gcn_foreach_block(block, p) block->order = order++;
}

uint32_t
hd_gcn_temp_create(hd_gcn_program *p, hd_gcn_file file, unsigned size, unsigned flags)
{
   if (!p->num_temps)
      p->num_temps = 1; /* 0 is none */
   if (p->num_temps >= p->temp_capacity) {
      uint32_t capacity = p->temp_capacity ? p->temp_capacity * 2 : 256;
      hd_gcn_temp *larger = hd_stack_alloc_zero(p->stack, capacity * sizeof(*larger));
      if (p->temp_capacity)
         memcpy(larger, p->temps, p->num_temps * sizeof(*larger));
      p->temps = larger;
      p->temp_capacity = capacity;
   }
   p->temps[p->num_temps] = (hd_gcn_temp){
      .file = (uint8_t)file,
      .size = (uint8_t)size,
      .flags = (uint8_t)flags,
      .align = file == HD_GCN_VGPR || size == 1 ? 1
               : size == 2                      ? 2
                                                : 4,
   };
   return p->num_temps++;
}

hd_gcn_operand
hd_gcn_operand_temp(const hd_gcn_program *p, uint32_t temp)
{
   return (hd_gcn_operand){
      .value = temp,
      .reg = HD_GCN_NO_REG,
      .size = p->temps[temp].size,
      .flags = (uint8_t)(HD_GCN_OPERAND_TEMP |
                         (p->temps[temp].file == HD_GCN_VGPR ? HD_GCN_OPERAND_VECTOR : 0)),
   };
}

hd_gcn_operand
hd_gcn_operand_fixed(const hd_gcn_program *p, uint32_t temp, unsigned reg)
{
   hd_gcn_operand operand = hd_gcn_operand_temp(p, temp);

   operand.reg = (uint16_t)reg;
   operand.flags |= HD_GCN_OPERAND_FIXED;
   return operand;
}

hd_gcn_inst *
hd_gcn_inst_create(hd_gcn_program *p, hd_gcn_op op, unsigned num_defs, unsigned num_srcs)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   unsigned num = num_defs + num_srcs;
   size_t size = sizeof(hd_gcn_inst) + num * sizeof(hd_gcn_operand);
   hd_gcn_inst *inst = hd_stack_alloc_zero(p->stack, size);

   inst->op = (uint16_t)op;
   inst->num_defs = (uint8_t)num_defs;
   inst->num_srcs = (uint16_t)num_srcs;
   inst->operands = (hd_gcn_operand *)(inst + 1);
   for (unsigned n = 0; n < num; n++)
      inst->operands[n].reg = HD_GCN_NO_REG;
   if (info->format == HD_GCN_PSEUDO)
      return inst;

   /* The row's defs come first; an atomic without its result has none of them. */
   assert(num_srcs <= info->num_srcs && num_defs <= info->num_defs);
   for (unsigned n = 0; n < num; n++) {
      unsigned row = n < num_defs ? n : info->num_defs + n - num_defs;
      const hd_gcn_operand_info *operand = &info->operands[row];
      if (operand->kinds & HD_GCN_TAKES_BEFORE_GFX9 && p->target->gen >= HD_GCN_GFX9)
         continue;
      if (operand->kinds & HD_GCN_TAKES_ONE)
         inst->operands[n] = hd_gcn_operand_reg(operand->fixed, operand->size);
   }
   return inst;
}

void
hd_gcn_inst_append(hd_gcn_block *block, hd_gcn_inst *inst)
{
   inst->prev = block->last;
   inst->next = NULL;
   if (block->last)
      block->last->next = inst;
   else
      block->first = inst;
   block->last = inst;
}

void
hd_gcn_inst_insert_before(hd_gcn_block *block, hd_gcn_inst *inst, hd_gcn_inst *before)
{
   if (!before) {
      hd_gcn_inst_append(block, inst);
      return;
   }
   inst->next = before;
   inst->prev = before->prev;
   if (before->prev)
      before->prev->next = inst;
   else
      block->first = inst;
   before->prev = inst;
}

void
hd_gcn_inst_remove(hd_gcn_block *block, hd_gcn_inst *inst)
{
   if (block->tail == inst)
      block->tail = inst->next;
   if (inst->prev)
      inst->prev->next = inst->next;
   else
      block->first = inst->next;
   if (inst->next)
      inst->next->prev = inst->prev;
   else
      block->last = inst->prev;
   inst->prev = inst->next = NULL;
}
