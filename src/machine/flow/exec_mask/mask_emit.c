/* SPDX-License-Identifier: MIT */
/* mask_emit.c - instructions and edges of the mask phase. */
#include <assert.h>

#include "machine/flow/exec_mask/mask.h"

bool
hd_gcn_mask_is_vector(const hd_gcn_program *p, const hd_gcn_operand *operand)
{
   return operand->flags & HD_GCN_OPERAND_TEMP && p->temps[operand->value].file == HD_GCN_VGPR;
}

uint32_t
hd_gcn_mask_temp(masks *m)
{
   return hd_gcn_temp_create(m->p, HD_GCN_SGPR, 2, HD_GCN_TEMP_MASK);
}

hd_gcn_operand
hd_gcn_mask_exec(void)
{
   return hd_gcn_operand_reg(HD_GCN_EXEC, 2);
}

hd_gcn_inst *
hd_gcn_make_op(hd_gcn_program *p, hd_gcn_op op, hd_gcn_operand def, hd_gcn_operand a,
               hd_gcn_operand b)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_gcn_inst *inst = hd_gcn_inst_create(p, op, info->num_defs, info->num_srcs);

   if (def.size) {
      *hd_gcn_def(inst, 0) = def;
      if (def.flags & HD_GCN_OPERAND_TEMP)
         p->temps[def.value].def = inst;
   }
   if (a.size)
      *hd_gcn_src(inst, 0) = a;
   if (b.size)
      *hd_gcn_src(inst, 1) = b;
   return inst;
}

static void
append_to_tail(hd_gcn_block *block, hd_gcn_inst *inst)
{
   hd_gcn_inst_append(block, inst);
   if (!block->tail)
      block->tail = inst;
}

hd_gcn_inst *
hd_gcn_mask_op(masks *m, hd_gcn_op op, hd_gcn_operand def, hd_gcn_operand a, hd_gcn_operand b)
{
   hd_gcn_inst *inst = hd_gcn_make_op(m->p, op, def, a, b);

   append_to_tail(m->block, inst);
   return inst;
}

void
hd_gcn_mask_move(masks *m, hd_gcn_operand def, hd_gcn_operand a)
{
   hd_gcn_mask_op(m, HD_GCN_S_MOV_B64, def, a, (hd_gcn_operand){ 0 });
}

void
hd_gcn_mask_narrow(masks *m, hd_gcn_operand def, hd_gcn_operand a, hd_gcn_operand b, bool negate)
{
   hd_gcn_mask_op(m, negate ? HD_GCN_S_ANDN2_B64 : HD_GCN_S_AND_B64, def, a, b);
}

void
hd_gcn_mask_branch(masks *m, hd_gcn_op op, hd_gcn_block *target)
{
   hd_gcn_inst *inst =
       hd_gcn_mask_op(m, op, (hd_gcn_operand){ 0 }, (hd_gcn_operand){ 0 }, (hd_gcn_operand){ 0 });

   inst->target = target;
   hd_gcn_edge_add(m->p, HD_GCN_LINEAR, m->block, target);
}

void
hd_gcn_mask_goto(masks *m, hd_gcn_block *target)
{
   hd_gcn_edge_add(m->p, HD_GCN_LINEAR, m->block, target);
   m->block = NULL;
}

void
hd_gcn_mask_open(masks *m, hd_gcn_block *block)
{
   if (m->block)
      hd_gcn_edge_add(m->p, HD_GCN_LINEAR, m->block, block);
   hd_gcn_block_append(m->p, block);
   m->block = block;
}

/* Behind a branch comes another block: a tail ends with it. */
static bool
ends_in_branch(const hd_gcn_block *block)
{
   return block->last && hd_gcn_op_infos[block->last->op].flags & HD_GCN_BRANCHES;
}

void
hd_gcn_mask_place(masks *m, hd_gcn_block *block)
{
   if (block->edges[HD_GCN_LINEAR].num_preds || (m->block && ends_in_branch(m->block)))
      hd_gcn_mask_open(m, block);
}

/* Critical edges */

/* `n`: of the edge among the block's. A block that is gone back to has its new one behind the block
 * that goes back, so that cycles stay contiguous.
 */
static void
split_edge(hd_gcn_program *p, hd_gcn_block *block, uint32_t n)
{
   hd_gcn_block **target = &block->edges[HD_GCN_LINEAR].succs[n];
   hd_gcn_block *between = hd_gcn_block_create(p);
   bool is_branch = block->last->target == *target;

   between->loop_depth =
       block->loop_depth < (*target)->loop_depth ? block->loop_depth : (*target)->loop_depth;
   if (is_branch)
      block->last->target = between;
   if (!is_branch || (*target)->order <= block->order)
      hd_gcn_block_insert_after(p, between, block);
   else
      hd_gcn_block_insert_after(p, between, (*target)->prev);
   hd_gcn_edge_add(p, HD_GCN_LINEAR, between, *target);
   *target = between;
}

void
hd_gcn_split_edges(hd_gcn_program *p)
{
   hd_gcn_program_number(p);
   for (hd_gcn_block *block = p->first, *next = NULL; block; block = next) {
      const hd_gcn_edges *edges = &block->edges[HD_GCN_LINEAR];
      next = block->next;
      for (uint32_t n = 0; n < edges->num_succs && edges->num_succs > 1; n++) {
         if (edges->succs[n]->edges[HD_GCN_LINEAR].num_preds > 1)
            split_edge(p, block, n);
      }
   }
   hd_gcn_program_number(p);
   hd_gcn_find_preds(p);
}

bool
hd_gcn_mask_is_inside(const masks *m, hd_gcn_operand value, const hd_gcn_block *block)
{
   if (!(value.flags & HD_GCN_OPERAND_TEMP))
      return value.reg == HD_GCN_CONST_0;
   return value.value < m->num_inside && m->inside[value.value] == block->index + 1;
}
