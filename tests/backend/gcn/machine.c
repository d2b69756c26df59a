/* SPDX-License-Identifier: MIT */
/* machine.c - machine code made by hand or at random. */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>

void
machine_begin(struct machine *m, hd_gcn_gen gen, uint64_t seed)
{
   *m = (struct machine){ .target = *hd_gcn_target_of(gen), .state = seed };
   hd_heap_init(&m->heap, NULL);
   hd_stack_init(&m->stack, &m->heap);
   m->gcn.mach.mach = &m->target.mach;
   m->gcn.mach.hooks = hd_gcn_hooks_of(gen);
   m->gcn.options = &m->options;
   m->gcn.mach.stack = &m->stack;
}

void
machine_end(struct machine *m)
{
   hd_stack_finish(&m->stack);
}

uint64_t
machine_seed(void)
{
   const char *text = getenv("HD_TEST_SEED");
   const uint64_t seed = text ? strtoull(text, NULL, 0) : 20251;

   printf("# HD_TEST_SEED=%llu\n", (unsigned long long)seed);
   return seed;
}

uint32_t
machine_random(struct machine *m, uint32_t below)
{
   m->state = m->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
   return (uint32_t)((m->state >> 32) % below);
}

hd_mach_block *
machine_block(struct machine *m)
{
   hd_mach_block *block = hd_mach_block_create(&m->gcn.mach);

   hd_mach_block_append(&m->gcn.mach, block);
   return block;
}

void
machine_edge(struct machine *m, hd_mach_block *from, hd_mach_block *to)
{
   for (unsigned kind = 0; kind < HD_MACH_NUM_EDGE_KINDS; kind++)
      hd_mach_edge_add(&m->gcn.mach, (hd_mach_edge_kind)kind, from, to);
}

static bool
has_edge(const hd_mach_block *from, const hd_mach_block *to)
{
   for (uint32_t n = 0; n < from->edges[HD_MACH_LINEAR].num_succs; n++) {
      if (from->edges[HD_MACH_LINEAR].succs[n] == to)
         return true;
   }
   return false;
}

void
machine_random_graph(struct machine *m, uint32_t num)
{
   for (uint32_t n = 0; n < num; n++)
      machine_block(m);
   for (uint32_t n = 1; n < num; n++)
      machine_edge(m, m->gcn.mach.blocks[machine_random(m, n)], m->gcn.mach.blocks[n]);
   for (uint32_t n = num > 1 ? machine_random(m, num) : 0; n--;) {
      hd_mach_block *from = m->gcn.mach.blocks[machine_random(m, num)];
      hd_mach_block *to = m->gcn.mach.blocks[1 + machine_random(m, num - 1)];
      if (!has_edge(from, to))
         machine_edge(m, from, to);
   }
}

/* A piece of code behind `from`, which goes on to what is returned: a block, an if, a loop that is
 * left at its head, at its end, or at both.
 */
static hd_mach_block *
piece(struct machine *m, hd_mach_block *from, unsigned depth)
{
   hd_mach_block *head = machine_block(m), *body, *end;

   machine_edge(m, from, head);
   if (!depth)
      return head;
   switch (machine_random(m, 3)) {
   case 0:
      return piece(m, head, depth - 1);
   case 1:
      body = piece(m, head, depth - 1);
      end = machine_random(m, 2) ? piece(m, head, depth - 1) : head;
      from = machine_block(m);
      machine_edge(m, body, from);
      machine_edge(m, end, from);
      return from;
   default:
      head->loop_header = true;
      body = piece(m, head, depth - 1);
      machine_edge(m, body, head);
      end = machine_block(m);
      if (machine_random(m, 2))
         machine_edge(m, head, end);
      if (!end->edges[HD_MACH_LINEAR].num_preds || machine_random(m, 2))
         machine_edge(m, body, end);
      return end;
   }
}

void
machine_random_tree(struct machine *m, unsigned depth)
{
   hd_mach_block *block = machine_block(m);

   for (unsigned n = 1 + machine_random(m, 2); n--;)
      block = piece(m, block, depth);
}

bool
machine_has(const struct machine *m, hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];

   return info->opcode[m->target.gen] >= 0 || info->vop3_opcode[m->target.gen] >= 0;
}

hd_mach_inst *
machine_inst(struct machine *m, hd_mach_block *block, hd_gcn_op op, hd_gcn_form form)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_mach_inst *inst =
       hd_gcn_inst_create(&m->gcn.mach, op, info->mach.num_defs, info->mach.num_srcs);

   inst->form = (uint8_t)form;
   hd_mach_inst_append(block, inst);
   return inst;
}

void
machine_operand(hd_mach_inst *inst, unsigned n, unsigned reg, unsigned size)
{
   inst->operands[n] = hd_mach_operand_reg(reg, size);
}

static unsigned
random_scalar(struct machine *m, unsigned size)
{
   const unsigned align = size > 2 ? 4 : size;

   if (size == 2 && machine_random(m, 3) == 0)
      return HD_GCN_VCC;
   if (size == 1 && machine_random(m, 4) == 0)
      return machine_random(m, 2) ? HD_GCN_M0 : HD_GCN_VCC + machine_random(m, 2);
   return machine_random(m, 12 / align) * align;
}

hd_mach_inst *
machine_random_inst(struct machine *m, hd_mach_block *block, hd_gcn_op op)
{
   const hd_gcn_op_info *info = &hd_gcn_op_infos[op];
   hd_gcn_form form = HD_GCN_FORM_BASE;

   if ((info->mach.flags & HD_GCN_HAS_VOP3) && machine_random(m, 2))
      form = HD_GCN_FORM_VOP3;
   else if ((info->mach.flags & HD_GCN_HAS_DPP) && m->target.has_dpp && machine_random(m, 3) == 0)
      form = HD_GCN_FORM_DPP;
   hd_mach_inst *inst = machine_inst(m, block, op, form);
   for (unsigned n = 0; n < info->mach.num_defs + info->mach.num_srcs; n++) {
      const hd_mach_operand_info *o = &info->mach.operands[n];
      hd_mach_operand *operand = &inst->operands[n];
      const bool any_pair = form == HD_GCN_FORM_VOP3 && o->fixed == HD_GCN_VCC;
      const bool vector =
          (o->kinds & HD_GCN_TAKES_VGPR) &&
          (!(o->kinds & HD_GCN_TAKES_SGPR) || machine_random(m, 3) || form == HD_GCN_FORM_DPP);
      if ((o->kinds & HD_GCN_TAKES_ONE) && !any_pair)
         continue;
      if (o->tied >= 0)
         machine_operand(inst, n, inst->operands[o->tied].reg, o->size);
      else if ((o->kinds & HD_GCN_TAKES_NOTHING) && machine_random(m, 2))
         *operand = (hd_mach_operand){ .reg = HD_MACH_NO_REG };
      else if (vector)
         machine_operand(inst, n, HD_GCN_VGPR0 + machine_random(m, 8), o->size);
      else if ((o->kinds & HD_GCN_TAKES_INLINE) && machine_random(m, 4) == 0)
         machine_operand(inst, n, HD_GCN_CONST_0 + machine_random(m, 9), o->size);
      else if (any_pair || (o->kinds & HD_GCN_TAKES_SGPR))
         machine_operand(inst, n, random_scalar(m, o->size), o->size);
      else
         *operand = (hd_mach_operand){ .reg = HD_GCN_LITERAL, .value = 12345, .size = o->size };
   }
   /* Atomics: with their result or without. */
   if ((info->mach.flags & HD_GCN_RETURNS_IF_GLC)) {
      inst->bits |= HD_GCN_GLC;
      if (machine_random(m, 2)) {
         inst->bits = 0;
         inst->operands += inst->num_defs;
         inst->num_defs = 0;
      }
   }
   return inst;
}

uint32_t
machine_count(const struct machine *m)
{
   uint32_t num = 0;

   hd_mach_foreach_block(block, &m->gcn.mach)
   {
      for (const hd_mach_inst *inst = block->first; inst; inst = inst->next)
         num++;
   }
   return num;
}
