/* SPDX-License-Identifier: MIT */
/* assign_masks.c - choose which writes of vector registers are masked.
 *
 * An unmasked write overwrites the register in all lanes. That is legal unless an inactive lane has a
 * live value in it. Where inactive lanes are follows from the tree:
 *
 *    if c { A } else { B }  C    while A runs they are at the beginning of B, while B runs at that
 *                                of C (or swapped, as the code has it)
 *    loop { A } continue { B }  C     those that have left are at the beginning of C, those that
 *                                have continued at that of B
 *
 * for each enclosing node at which lanes diverge. What is live there, along logical edges, must
 * survive. A source of a phi at C is masked in either arm, whatever their order.
 *
 * Lanes that did not start, or have returned, have no live values. Memory accesses (gathers, scatters,
 * stores of spilled values) are always masked.
 *
 * Requires: copies are moves; the blocks are those of the tree.
 */
#include "backend/nyuzi/program.h"
#include "heddle/analysis.h"
#include "ir/private.h"

typedef struct assigner {
   hd_mach_program *p;
   uint32_t *live_in; /* by block: bits of vector registers */
   uint32_t *outside; /* by block: what lanes that are not there need */
   uint32_t *joined;  /* by block: what is live after the if whose first arm it is in */
   bool *apart;       /* by block: some lanes may be elsewhere */
   bool *loop_apart;  /* by block before a loop: lanes leave it, or go on in it, by themselves */
} assigner;

static uint32_t
bit_of(const hd_mach_operand *operand)
{
   return operand->size && operand->reg >= HD_NYUZI_V0 && operand->reg < HD_MACH_MAX_REGS
              ? UINT32_C(1) << (operand->reg - HD_NYUZI_V0)
              : 0;
}

static uint32_t
written(const hd_mach_inst *inst)
{
   uint32_t bits = 0;

   for (unsigned n = 0; n < inst->num_defs; n++)
      bits |= bit_of(hd_mach_def(inst, n));
   return bits;
}

static uint32_t
live_out(const assigner *a, const hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
   uint32_t live = 0;

   for (uint32_t n = 0; n < edges->num_succs; n++)
      live |= a->live_in[edges->succs[n]->index];
   return live;
}

/* Rounds: one, and one more for each loop that something is live around. */
static void
find_live(assigner *a)
{
   bool changed = true;

   while (changed) {
      changed = false;
      for (hd_mach_block *block = a->p->last; block; block = block->prev) {
         uint32_t live = live_out(a, block);
         for (const hd_mach_inst *inst = block->last; inst; inst = inst->prev) {
            live &= ~written(inst);
            for (unsigned n = 0; n < inst->num_srcs; n++)
               live |= bit_of(hd_mach_src(inst, n));
         }
         changed |= live != a->live_in[block->index];
         a->live_in[block->index] = live;
      }
   }
}

/* The tree */

static hd_mach_block *
block_of(const assigner *a, const hd_block *b)
{
   return a->p->by_ir[b->node.index];
}

static uint32_t
live_at(const assigner *a, const hd_block *b)
{
   return a->live_in[block_of(a, b)->index];
}

static bool
is_divergent(const assigner *a, const hd_if *nif)
{
   const hd_mach_condition *c = &block_of(a, hd_node_prev_block(&nif->node))->condition;

   return c->value.size && !c->uniform;
}

/* A jump that lanes take by themselves: the loop that it is of. */
static void
note_jump(assigner *a, const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   bool apart = false;

   if (!jump || (jump->instr.op != HD_JUMP_BREAK && jump->instr.op != HD_JUMP_CONTINUE))
      return;
   for (const hd_cf_node *node = b->node.list->parent; node; node = node->list->parent) {
      const hd_if *nif = hd_node_as_if(node);
      if (!nif) {
         a->loop_apart[hd_node_prev_block(node)->node.index] |= apart;
         return;
      }
      apart |= is_divergent(a, nif);
   }
}

static void
in_arm(assigner *a, const hd_if *nif, const hd_cf_list *list, hd_mach_block *block)
{
   const hd_cf_list *other = list == &nif->then_list ? &nif->else_list : &nif->then_list;
   const uint32_t after = live_at(a, hd_node_next_block(&nif->node));
   const hd_block *own = hd_list_first_block(list), *theirs = hd_list_first_block(other);

   if (!is_divergent(a, nif))
      return;
   a->apart[block->index] = true;
   if (block_of(a, own)->order < block_of(a, theirs)->order) {
      a->outside[block->index] |= live_at(a, theirs);
      a->joined[block->index] |= after;
   } else {
      a->outside[block->index] |= after;
   }
}

static void
in_loop(assigner *a, const hd_loop *loop, const hd_cf_list *list, hd_mach_block *block)
{
   if (!a->loop_apart[hd_node_prev_block(&loop->node)->node.index])
      return;
   a->apart[block->index] = true;
   a->outside[block->index] |= live_at(a, hd_node_next_block(&loop->node));
   if (list == &loop->body)
      a->outside[block->index] |= live_at(a, hd_loop_continue(loop));
}

/* Blocks in the order of the tree: what is around a block comes before it. */
static void
find_outside(assigner *a)
{
   hd_foreach_block(b, a->p->function)
      note_jump(a, b);
   hd_foreach_block(b, a->p->function) {
      hd_mach_block *block = block_of(a, b);
      const hd_cf_node *parent = b->node.list->parent;
      if (!parent)
         continue;
      const hd_mach_block *before = block_of(a, hd_node_prev_block(parent));
      const hd_if *nif = hd_node_as_if(parent);
      a->outside[block->index] = a->outside[before->index];
      a->apart[block->index] = a->apart[before->index];
      if (nif)
         in_arm(a, nif, b->node.list, block);
      else
         in_loop(a, hd_node_as_loop(parent), b->node.list, block);
   }
}

/* Instructions */

static void
give_mask(hd_mach_inst *inst, unsigned reg)
{
   *hd_nyuzi_mask(inst) = (uint8_t)(reg + 1);
}

/* A literal that a form with a mask does not hold. */
static void
fit_literal(assigner *a, hd_mach_block *block, hd_mach_inst *inst)
{
   hd_mach_operand *last = hd_mach_src(inst, inst->num_srcs - 1u);

   if (!inst->num_srcs || !hd_nyuzi_is_constant(last) ||
       hd_nyuzi_fits(HD_NYUZI_FORM_VI_MASK, (int32_t)hd_nyuzi_constant(last)))
      return;
   hd_mach_inst *constant = hd_nyuzi_make(a->p, HD_NYUZI_P_CONST, hd_nyuzi_reg(HD_NYUZI_TEMP + 1),
                                          (hd_mach_operand){ 0 }, (hd_mach_operand){ 0 });
   constant->imm = (int32_t)hd_nyuzi_constant(last);
   hd_mach_inst_insert_before(block, constant, inst);
   *last = hd_nyuzi_reg(HD_NYUZI_TEMP + 1);
}

/* A masked move; lanes of the mask that are not there must keep what they have. */
static void
lower_select(assigner *a, hd_mach_block *block, hd_mach_inst *inst, bool masked)
{
   hd_mach_operand mask = *hd_mach_src(inst, 1);

   if (masked) {
      const hd_mach_operand temp = hd_nyuzi_reg(HD_NYUZI_TEMP);
      hd_mach_inst_insert_before(
          block, hd_nyuzi_make(a->p, HD_NYUZI_AND, temp, mask, hd_nyuzi_reg(HD_NYUZI_EXEC)), inst);
      mask = temp;
   }
   *hd_mach_src(inst, 0) = *hd_mach_src(inst, 2);
   inst->num_srcs = 1;
   inst->op = HD_NYUZI_MOVE;
   give_mask(inst, mask.reg);
   fit_literal(a, block, inst);
}

static void
lower_inst(assigner *a, hd_mach_block *block, hd_mach_inst *inst, bool masked)
{
   switch (inst->op) {
   case HD_NYUZI_P_SELECT:
      lower_select(a, block, inst, masked);
      break;
   case HD_NYUZI_P_GATHER:
      inst->op = HD_NYUZI_LOAD_GATH_MASK;
      give_mask(inst, HD_NYUZI_EXEC);
      break;
   case HD_NYUZI_P_GATHER_IN:
      give_mask(inst, hd_mach_src(inst, 1)->reg);
      *hd_mach_src(inst, 0) = *hd_mach_src(inst, 2);
      inst->num_srcs = 1;
      inst->op = HD_NYUZI_LOAD_GATH_MASK;
      break;
   case HD_NYUZI_P_SCATTER:
      inst->op = HD_NYUZI_STORE_SCAT_MASK;
      give_mask(inst, HD_NYUZI_EXEC);
      break;
   case HD_NYUZI_P_SCATTER_IN:
      give_mask(inst, hd_mach_src(inst, 2)->reg);
      inst->num_srcs = 2;
      inst->op = HD_NYUZI_STORE_SCAT_MASK;
      break;
   case HD_NYUZI_P_ATOMIC:
   case HD_NYUZI_P_LANE_STORE:
      break;
   case HD_NYUZI_STORE_V:
      if (!a->apart[block->index])
         break;
      inst->op = HD_NYUZI_STORE_V_MASK;
      give_mask(inst, HD_NYUZI_EXEC);
      break;
   case HD_NYUZI_LOAD_V:
      if (!masked)
         break;
      inst->op = HD_NYUZI_LOAD_V_MASK;
      give_mask(inst, HD_NYUZI_EXEC);
      break;
   default:
      if (!masked)
         break;
      give_mask(inst, HD_NYUZI_EXEC);
      fit_literal(a, block, inst);
      break;
   }
}

/* A reload with a mask whose offset only the other form holds. */
static void
fit_offset(assigner *a, hd_mach_block *block, hd_mach_inst *inst)
{
   const hd_mach_operand temp = hd_nyuzi_reg(HD_NYUZI_TEMP), none = { 0 };

   if (inst->op != HD_NYUZI_LOAD_V_MASK || hd_nyuzi_fits(HD_NYUZI_FORM_MEMORY_MASK, inst->imm))
      return;
   hd_mach_inst *constant = hd_nyuzi_make(a->p, HD_NYUZI_P_CONST, temp, none, none);
   constant->imm = inst->imm;
   hd_mach_inst_insert_before(block, constant, inst);
   hd_mach_inst_insert_before(
       block, hd_nyuzi_make(a->p, HD_NYUZI_ADD_I, temp, temp, *hd_mach_src(inst, 0)), inst);
   *hd_mach_src(inst, 0) = temp;
   inst->imm = 0;
}

static void
lower_block(assigner *a, hd_mach_block *block)
{
   /* Of a block that only control made it is not known what lanes are elsewhere for. */
   const uint32_t outside = block->ir ? a->outside[block->index] : UINT32_MAX;
   uint32_t last = block->ir ? a->joined[block->index] & live_out(a, block) : 0;

   for (hd_mach_inst *inst = block->last, *before; inst; inst = before) {
      const uint32_t bits = written(inst);
      before = inst->prev;
      lower_inst(a, block, inst, (bits & (outside | last)) != 0);
      fit_offset(a, block, inst);
      last &= ~bits;
   }
}

bool
hd_nyuzi_assign_masks(hd_mach_program *p)
{
   hd_stack *stack = p->stack;
   assigner a = {
      .p = p,
      .live_in = hd_stack_alloc_zero(stack, (p->num_blocks + 1) * sizeof(*a.live_in)),
      .outside = hd_stack_alloc_zero(stack, (p->num_blocks + 1) * sizeof(*a.outside)),
      .joined = hd_stack_alloc_zero(stack, (p->num_blocks + 1) * sizeof(*a.joined)),
      .apart = hd_stack_alloc_zero(stack, (p->num_blocks + 1) * sizeof(*a.apart)),
      .loop_apart =
          hd_stack_alloc_zero(stack, (p->function->num_blocks + 1) * sizeof(*a.loop_apart)),
   };

   hd_mach_program_number(p);
   find_live(&a);
   find_outside(&a);
   hd_mach_foreach_block(block, p) lower_block(&a, block);
   return true;
}
