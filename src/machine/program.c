/* SPDX-License-Identifier: MIT */
/* program.c - create and change machine code: blocks, edges, values, instructions. */
#include "machine/program.h"

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

hd_mach_block *
hd_mach_block_create(hd_mach_program *p)
{
   hd_mach_block *block = hd_stack_alloc_zero(p->stack, sizeof(*block));

   p->blocks = grow(p->stack, p->blocks, p->num_blocks, &p->block_capacity, sizeof(*p->blocks));
   block->index = p->num_blocks;
   p->blocks[p->num_blocks++] = block;
   return block;
}

void
hd_mach_block_append(hd_mach_program *p, hd_mach_block *block)
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
hd_mach_block_insert_after(hd_mach_program *p, hd_mach_block *block, hd_mach_block *after)
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
hd_mach_block_unlink(hd_mach_program *p, hd_mach_block *block)
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
hd_mach_edge_add(hd_mach_program *p, hd_mach_edge_kind kind, hd_mach_block *from, hd_mach_block *to)
{
   hd_mach_edges *out = &from->edges[kind], *in = &to->edges[kind];

   out->succs =
       grow(p->stack, out->succs, out->num_succs, &out->succ_capacity, sizeof(*out->succs));
   in->preds = grow(p->stack, in->preds, in->num_preds, &in->pred_capacity, sizeof(*in->preds));
   out->succs[out->num_succs++] = to;
   in->preds[in->num_preds++] = from;
}

void
hd_mach_find_preds(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p) block->edges[HD_MACH_LINEAR].num_preds = 0;
   hd_mach_foreach_block(block, p)
   {
      hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      uint32_t num = edges->num_succs;
      edges->num_succs = 0;
      for (uint32_t n = 0; n < num; n++)
         hd_mach_edge_add(p, HD_MACH_LINEAR, block, edges->succs[n]);
   }
}

void
hd_mach_program_number(hd_mach_program *p)
{
   uint32_t order = 0;

   hd_mach_foreach_block(block, p) block->order = order++;
}

uint8_t
hd_mach_tuple_align(const hd_mach_file *file, unsigned size)
{
   uint8_t align = 1;

   while (align < size && align < file->max_align)
      align *= 2;
   return align;
}

uint32_t
hd_mach_temp_create(hd_mach_program *p, unsigned file, unsigned size, unsigned flags)
{
   if (!p->num_temps)
      p->num_temps = 1; /* 0 is none */
   if (p->num_temps >= p->temp_capacity) {
      uint32_t capacity = p->temp_capacity ? p->temp_capacity * 2 : 256;
      hd_mach_temp *larger = hd_stack_alloc_zero(p->stack, capacity * sizeof(*larger));
      if (p->temp_capacity)
         memcpy(larger, p->temps, p->num_temps * sizeof(*larger));
      p->temps = larger;
      p->temp_capacity = capacity;
   }
   p->temps[p->num_temps] = (hd_mach_temp){
      .file = (uint8_t)file,
      .size = (uint8_t)size,
      .flags = (uint8_t)flags,
      .align = hd_mach_tuple_align(&p->mach->files[file], size),
   };
   return p->num_temps++;
}

hd_mach_operand
hd_mach_operand_temp(const hd_mach_program *p, uint32_t temp)
{
   return (hd_mach_operand){
      .value = temp,
      .reg = HD_MACH_NO_REG,
      .size = p->temps[temp].size,
      .flags = (uint8_t)(HD_MACH_OPERAND_TEMP |
                         (hd_mach_is_vector(p, temp) ? HD_MACH_OPERAND_VECTOR : 0)),
   };
}

hd_mach_operand
hd_mach_operand_fixed(const hd_mach_program *p, uint32_t temp, unsigned reg)
{
   hd_mach_operand operand = hd_mach_operand_temp(p, temp);

   operand.reg = (uint16_t)reg;
   operand.flags |= HD_MACH_OPERAND_FIXED;
   return operand;
}

hd_mach_inst *
hd_mach_inst_create(hd_mach_program *p, unsigned op, unsigned num_defs, unsigned num_srcs)
{
   const unsigned num = num_defs + num_srcs;
   const size_t size = sizeof(hd_mach_inst) + num * sizeof(hd_mach_operand);
   hd_mach_inst *inst = hd_stack_alloc_zero(p->stack, size);

   inst->op = (uint16_t)op;
   inst->num_defs = (uint8_t)num_defs;
   inst->num_srcs = (uint16_t)num_srcs;
   inst->operands = (hd_mach_operand *)(inst + 1);
   for (unsigned n = 0; n < num; n++)
      inst->operands[n].reg = HD_MACH_NO_REG;
   return inst;
}

void
hd_mach_inst_append(hd_mach_block *block, hd_mach_inst *inst)
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
hd_mach_inst_insert_before(hd_mach_block *block, hd_mach_inst *inst, hd_mach_inst *before)
{
   if (!before) {
      hd_mach_inst_append(block, inst);
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
hd_mach_inst_remove(hd_mach_block *block, hd_mach_inst *inst)
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

static void
count_register(hd_mach_program *p, const hd_mach_operand *operand)
{
   for (unsigned n = 0; n < p->mach->num_files; n++) {
      const hd_mach_file *file = &p->mach->files[n];
      const uint32_t first = file->letter ? file->name_0 : file->first;
      const uint32_t end = (uint32_t)operand->reg + operand->size - first;
      if (operand->reg >= first && operand->reg < file->first + file->num && end > p->used[n])
         p->used[n] = end;
   }
}

void
hd_mach_count_registers(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst(inst, block)
      {
         for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++)
            count_register(p, &inst->operands[n]);
      }
   }
}
