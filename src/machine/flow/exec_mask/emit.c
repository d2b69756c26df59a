/* SPDX-License-Identifier: MIT */
/* emit.c - instructions and linear edges of control-flow lowering. */
#include <assert.h>

#include "machine/flow/exec_mask/exec_mask.h"

uint32_t
hd_mach_mask_temp(masks *m)
{
   return hd_mach_temp_create(m->p, m->p->mach->file_of[HD_MACH_LINEAR], m->p->mach->exec.size,
                              HD_MACH_TEMP_MASK);
}

hd_mach_operand
hd_mach_mask_exec(const hd_mach_program *p)
{
   return hd_mach_operand_reg(p->mach->exec.reg, p->mach->exec.size);
}

hd_mach_operand
hd_mach_mask_zero(const hd_mach_program *p)
{
   return hd_mach_operand_reg(p->hooks->masks->zero, p->mach->exec.size);
}

static void
append_to_tail(hd_mach_block *block, hd_mach_inst *inst)
{
   hd_mach_inst_append(block, inst);
   if (!block->tail)
      block->tail = inst;
}

hd_mach_inst *
hd_mach_mask_op(masks *m, unsigned op, hd_mach_operand def, hd_mach_operand a, hd_mach_operand b)
{
   hd_mach_inst *inst = m->p->hooks->masks->make(m->p, op, def, a, b);

   append_to_tail(m->block, inst);
   return inst;
}

void
hd_mach_mask_move(masks *m, hd_mach_operand def, hd_mach_operand a)
{
   hd_mach_mask_op(m, m->p->hooks->masks->move, def, a, (hd_mach_operand){ 0 });
}

void
hd_mach_mask_narrow(masks *m, hd_mach_operand def, hd_mach_operand a, hd_mach_operand b,
                    bool negate)
{
   hd_mach_mask_op(m, negate ? m->p->hooks->masks->and_not : m->p->hooks->masks->and_masks, def, a,
                   b);
}

void
hd_mach_mask_branch(masks *m, unsigned op, hd_mach_block *target)
{
   hd_mach_inst *inst = hd_mach_mask_op(m, op, (hd_mach_operand){ 0 }, (hd_mach_operand){ 0 },
                                        (hd_mach_operand){ 0 });

   inst->target = target;
   hd_mach_edge_add(m->p, HD_MACH_LINEAR, m->block, target);
}

void
hd_mach_mask_goto(masks *m, hd_mach_block *target)
{
   hd_mach_edge_add(m->p, HD_MACH_LINEAR, m->block, target);
   m->block = NULL;
}

void
hd_mach_mask_open(masks *m, hd_mach_block *block)
{
   if (m->block)
      hd_mach_edge_add(m->p, HD_MACH_LINEAR, m->block, block);
   hd_mach_block_append(m->p, block);
   m->block = block;
}

/* After a branch comes another block: a tail ends with it. */
static bool
ends_in_branch(const hd_mach_program *p, const hd_mach_block *block)
{
   return hd_mach_is_branch(p, block->last);
}

void
hd_mach_mask_place(masks *m, hd_mach_block *block)
{
   if (block->edges[HD_MACH_LINEAR].num_preds || (m->block && ends_in_branch(m->p, m->block)))
      hd_mach_mask_open(m, block);
}

bool
hd_mach_mask_is_inside(const masks *m, hd_mach_operand value, const hd_mach_block *block)
{
   if (!(value.flags & HD_MACH_OPERAND_TEMP))
      return value.reg == m->p->hooks->masks->zero;
   return value.value < m->num_inside && m->inside[value.value] == block->index + 1;
}
