/* SPDX-License-Identifier: MIT */
/* regalloc.c - a register for each value: blocks in the order of the code.
 *
 * Values are in SSA form, so the walk in an order in which definitions come first needs no
 * interference graph: what is live before an instruction has its home, and what the instruction
 * writes gets one of the places that are left. Since spilling made all of it fit, there always is
 * room; where the room is in pieces, homes are moved.
 *
 * A block begins with the homes that its first predecessor ended with; edges from the others bring
 * phis that move what came elsewhere. Back edges are treated the same way, once the loop is done.
 *
 * Requires: no more values live anywhere than there are registers (spill.c).
 * Leaves:   every operand has `reg`; p_copy and p_phi of values with themselves.
 */
#include "machine/regalloc.h"

#include <assert.h>
#include <string.h>

void
hd_gcn_take(hd_gcn_assigner *a, uint32_t temp, unsigned reg)
{
   const unsigned size = a->p->temps[temp].size;

   assert(a->where[temp] == HD_GCN_NO_REG && !hd_gcn_regset_meets(&a->taken, reg, size));
   a->where[temp] = (uint16_t)reg;
   for (unsigned n = 0; n < size; n++)
      a->holder[reg + n] = temp;
   hd_gcn_regset_add(&a->taken, reg, size);
}

void
hd_gcn_release(hd_gcn_assigner *a, uint32_t temp)
{
   const unsigned size = a->p->temps[temp].size, reg = a->where[temp];

   assert(reg != HD_GCN_NO_REG && a->holder[reg] == temp);
   a->where[temp] = HD_GCN_NO_REG;
   for (unsigned n = 0; n < size; n++)
      a->holder[reg + n] = 0;
   hd_gcn_regset_remove(&a->taken, reg, size);
}

unsigned
hd_gcn_find_place(hd_gcn_assigner *a, uint32_t temp, const hd_gcn_regset *taken)
{
   const hd_gcn_temp *t = &a->p->temps[temp];
   const hd_gcn_window window = {
      .first = a->first[t->file], .end = a->end[t->file], .size = t->size, .align = t->align
   };
   unsigned reg = hd_gcn_web_wish(a, temp, taken);

   if (reg != HD_GCN_NO_REG)
      return reg;
   /* Not where others of a web will want to be, if there is room elsewhere. */
   hd_gcn_regset avoid = *taken;
   hd_gcn_regset_unite(&avoid, &a->wished);
   reg = hd_gcn_regset_find(&avoid, window);
   return reg != HD_GCN_NO_REG ? reg : hd_gcn_regset_find(taken, window);
}

/* All values of a file that have a home in its range, in an order in which they fit side by side
 * without gaps: those of stricter alignment first, as all sizes are multiples of the alignment. The
 * ones that are to be last are in reverse, for the gap to lie where free registers begin.
 */
static unsigned
sort_homes(const hd_gcn_assigner *a, hd_gcn_file file, const hd_gcn_regset *last, uint32_t *temps)
{
   unsigned num = 0;

   for (unsigned pass = 0; pass < 6; pass++) {
      const bool is_last = pass >= 3;
      const unsigned align = 1u << (is_last ? pass - 3 : 2 - pass);
      for (unsigned reg = a->first[file]; reg < a->end[file]; reg++) {
         const uint32_t temp = a->holder[reg];
         if (!temp || a->where[temp] != reg || a->p->temps[temp].align != align ||
             (last && hd_gcn_regset_meets(last, reg, 1)) != is_last)
            continue;
         temps[num++] = temp;
      }
   }
   return num;
}

bool
hd_gcn_pack(hd_gcn_assigner *a, hd_gcn_file file, const hd_gcn_regset *last)
{
   uint32_t temps[HD_GCN_NUM_REGS];
   const unsigned num = sort_homes(a, file, last, temps);
   unsigned reg = a->first[file];

   for (unsigned n = 0; n < num; n++)
      hd_gcn_release(a, temps[n]);
   for (unsigned n = 0; n < num; n++) {
      const hd_gcn_temp *t = &a->p->temps[temps[n]];
      reg = (reg + t->align - 1u) & ~(t->align - 1u);
      if (reg + t->size > a->end[file])
         return false;
      hd_gcn_take(a, temps[n], reg);
      reg += t->size;
   }
   return true;
}

/* Homes of a value at the ends of the predecessors that were walked; NO_REG: none has it. */
static unsigned
home_on_edges(const hd_gcn_assigner *a, const hd_gcn_block *block, hd_gcn_edge_kind flow,
              uint32_t n)
{
   for (uint32_t i = 0; i < block->edges[flow].num_preds; i++) {
      const uint16_t *regs = a->edge_regs[flow][block->index][i];
      if (regs && regs[n] != HD_GCN_NO_REG)
         return regs[n];
   }
   return HD_GCN_NO_REG;
}

/* The values that are live into the block get the homes that they have on the first edge; scalar
 * ones that are not defined on that way, what is left.
 */
static bool
enter_flow(hd_gcn_assigner *a, const hd_gcn_block *block, hd_gcn_edge_kind flow)
{
   const hd_gcn_live_in *in = &a->live.in[flow][block->index];
   const uint16_t *regs = a->in_regs[flow][block->index];

   for (uint32_t i = 0; i < block->edges[flow].num_preds && !regs; i++)
      regs = a->edge_regs[flow][block->index][i];
   for (uint32_t n = 0; n < in->num && regs; n++) {
      if (regs[n] != HD_GCN_NO_REG)
         hd_gcn_take(a, in->temps[n], regs[n]);
   }
   for (uint32_t n = 0; n < in->num; n++) {
      const uint32_t temp = in->temps[n];
      if (a->where[temp] != HD_GCN_NO_REG)
         continue;
      unsigned reg = home_on_edges(a, block, flow, n);
      if (reg == HD_GCN_NO_REG || hd_gcn_regset_meets(&a->taken, reg, a->p->temps[temp].size))
         reg = hd_gcn_find_place(a, temp, &a->taken);
      if (reg == HD_GCN_NO_REG) {
         if (!hd_gcn_pack(a, hd_gcn_temp_file(a, temp), NULL))
            return false;
         reg = hd_gcn_find_place(a, temp, &a->taken);
      }
      if (reg == HD_GCN_NO_REG)
         return false;
      hd_gcn_take(a, temp, reg);
   }
   return true;
}

/* Where a phi would need no copy on an edge that was walked, or on all of them. */
static unsigned
place_of_sources(const hd_gcn_assigner *a, const hd_gcn_inst *phi, bool all)
{
   const hd_gcn_temp *def = &a->p->temps[hd_gcn_def(phi, 0)->value];
   unsigned found = HD_GCN_NO_REG;

   for (unsigned n = 0; n < phi->num_srcs && (all || found == HD_GCN_NO_REG); n++) {
      const hd_gcn_operand *src = hd_gcn_src(phi, n);
      const unsigned reg = src->reg;
      if (!hd_gcn_is_temp(src) || reg == HD_GCN_NO_REG)
         continue;
      if (reg >= a->first[def->file] && reg + def->size <= a->end[def->file] &&
          reg % def->align == 0 && !hd_gcn_regset_meets(&a->taken, reg, def->size) &&
          (found == HD_GCN_NO_REG || found == reg))
         found = reg;
      else if (all)
         return HD_GCN_NO_REG;
   }
   return found;
}

/* First those that are in place already, so that nobody wishes to be there. */
static bool
place_phis(hd_gcn_assigner *a, hd_gcn_block *block)
{
   hd_gcn_foreach_inst(phi, block)
   {
      if (phi->op != HD_GCN_P_PHI || block->loop_header)
         break;
      const unsigned reg = place_of_sources(a, phi, true);
      if (reg != HD_GCN_NO_REG)
         hd_gcn_take(a, hd_gcn_def(phi, 0)->value, reg);
   }
   hd_gcn_foreach_inst(phi, block)
   {
      if (phi->op != HD_GCN_P_PHI)
         break;
      const uint32_t temp = hd_gcn_def(phi, 0)->value;
      if (a->where[temp] != HD_GCN_NO_REG)
         continue;
      unsigned reg = hd_gcn_web_wish(a, temp, &a->taken);
      if (reg == HD_GCN_NO_REG)
         reg = place_of_sources(a, phi, false);
      if (reg == HD_GCN_NO_REG)
         reg = hd_gcn_find_place(a, temp, &a->taken);
      if (reg == HD_GCN_NO_REG) {
         /* Nothing moves here: the edges bring all values to wherever the block has them. */
         if (!hd_gcn_pack(a, hd_gcn_temp_file(a, temp), NULL))
            return false;
         reg = hd_gcn_find_place(a, temp, &a->taken);
      }
      if (reg == HD_GCN_NO_REG)
         return false;
      hd_gcn_take(a, temp, reg);
   }
   return true;
}

static bool
begin_block(hd_gcn_assigner *a, hd_gcn_block *block)
{
   const uint16_t *decided = a->in_regs[HD_GCN_LOGICAL][block->index];

   for (unsigned flow = 0; flow < HD_GCN_NUM_EDGE_KINDS; flow++) {
      if (!enter_flow(a, block, (hd_gcn_edge_kind)flow))
         return false;
   }
   if (!place_phis(a, block))
      return false;

   for (unsigned flow = 0; flow < HD_GCN_NUM_EDGE_KINDS; flow++) {
      const hd_gcn_live_in *in = &a->live.in[flow][block->index];
      uint16_t *regs = hd_stack_alloc(a->p->stack, (in->num + 1) * sizeof(*regs));
      for (uint32_t n = 0; n < in->num; n++)
         regs[n] = a->where[in->temps[n]];
      /* Packing may have moved what somebody relies on. */
      if (flow == HD_GCN_LOGICAL && decided && memcmp(decided, regs, in->num * sizeof(*regs)) != 0)
         return false;
      a->in_regs[flow][block->index] = regs;
   }
   hd_gcn_foreach_inst(phi, block)
   {
      if (phi->op != HD_GCN_P_PHI)
         break;
      hd_gcn_operand *def = hd_gcn_def(phi, 0);
      def->reg = a->where[def->value];
      hd_gcn_web_settle(a, def->value, def->reg, true);
   }
   /* All of them are written, so all needed a place; those that nobody reads give it back. */
   hd_gcn_foreach_inst(phi, block)
   {
      if (phi->op != HD_GCN_P_PHI)
         break;
      if (hd_gcn_def(phi, 0)->flags & HD_GCN_OPERAND_KILL)
         hd_gcn_release(a, hd_gcn_def(phi, 0)->value);
   }
   return true;
}

/* What successors will find: homes of their live-in values, and of the sources of their phis. */
static void
record_edges(hd_gcn_assigner *a, hd_gcn_block *block, hd_gcn_edge_kind flow)
{
   const hd_gcn_edges *edges = &block->edges[flow];

   for (uint32_t s = 0; s < edges->num_succs; s++) {
      hd_gcn_block *succ = edges->succs[s];
      const uint32_t i = a->pred_index[flow][block->index][s];
      const hd_gcn_live_in *in = &a->live.in[flow][succ->index];
      uint16_t *regs = hd_stack_alloc(a->p->stack, (in->num + 1) * sizeof(*regs));
      for (uint32_t n = 0; n < in->num; n++)
         regs[n] = a->where[in->temps[n]];
      a->edge_regs[flow][succ->index][i] = regs;
      hd_gcn_foreach_inst(phi, succ)
      {
         if (phi->op != HD_GCN_P_PHI)
            break;
         if (hd_gcn_phi_flow(a->p, phi) != flow)
            continue;
         hd_gcn_operand *src = hd_gcn_src(phi, i);
         if (hd_gcn_is_temp(src))
            src->reg = a->where[src->value];
      }
   }
}

/* Lanes that leave by a passive block cannot be copied for on their way: the block behind it begins
 * with the homes of this one. If others have decided about those before, values move here, for all
 * lanes of this block.
 */
static bool
agree_with_passive(hd_gcn_assigner *a, hd_gcn_block *block)
{
   const hd_gcn_edges *edges = &block->edges[HD_GCN_LOGICAL];

   for (uint32_t s = 0; s < edges->num_succs; s++) {
      const hd_gcn_block *way = edges->succs[s];
      if (!way->passive || !way->edges[HD_GCN_LOGICAL].num_succs)
         continue;
      const hd_gcn_block *to = way->edges[HD_GCN_LOGICAL].succs[0];
      const hd_gcn_live_in *in = &a->live.in[HD_GCN_LOGICAL][to->index];
      uint16_t **regs = &a->in_regs[HD_GCN_LOGICAL][to->index];
      if (!*regs) {
         if (a->careful && !hd_gcn_pack_home(a, block, block->tail, in))
            return false;
         *regs = hd_stack_alloc(a->p->stack, (in->num + 1) * sizeof(**regs));
         for (uint32_t n = 0; n < in->num; n++)
            (*regs)[n] = a->where[in->temps[n]];
      } else if (!hd_gcn_bring_home(a, block, block->tail, in, *regs)) {
         return false;
      }
   }
   /* Two that disagree: no place in the code is on the way of one alone. */
   for (uint32_t s = 0; s < edges->num_succs; s++) {
      const hd_gcn_block *way = edges->succs[s];
      if (!way->passive || !way->edges[HD_GCN_LOGICAL].num_succs)
         continue;
      const hd_gcn_block *to = way->edges[HD_GCN_LOGICAL].succs[0];
      const hd_gcn_live_in *in = &a->live.in[HD_GCN_LOGICAL][to->index];
      for (uint32_t n = 0; n < in->num; n++) {
         if (a->where[in->temps[n]] != a->in_regs[HD_GCN_LOGICAL][to->index][n])
            return false;
      }
   }
   return true;
}

/* The first branch; NULL: there is none. */
static hd_gcn_inst *
first_branch(const hd_gcn_block *block)
{
   hd_gcn_inst *branch = NULL;

   for (hd_gcn_inst *inst = block->last; inst && hd_gcn_op_info_of(inst)->flags & HD_GCN_BRANCHES;
        inst = inst->prev)
      branch = inst;
   return branch;
}

/* Registers that phis of the successors will want, as far as that is known: values that are not
 * theirs had better be elsewhere, or the copies at the end of the block go in circles.
 */
static void
wish_for_phis(hd_gcn_assigner *a, const hd_gcn_block *block, hd_gcn_edge_kind flow)
{
   const hd_gcn_edges *edges = &block->edges[flow];

   for (uint32_t s = 0; s < edges->num_succs; s++) {
      hd_gcn_foreach_inst(phi, edges->succs[s])
      {
         if (phi->op != HD_GCN_P_PHI)
            break;
         const hd_gcn_operand *def = hd_gcn_def(phi, 0);
         const unsigned reg = hd_gcn_web_place(a, def->value);
         if (reg + def->size <= HD_GCN_NUM_REGS)
            hd_gcn_regset_add(&a->wished, reg, def->size);
      }
   }
}

static bool
walk_block(hd_gcn_assigner *a, hd_gcn_block *block)
{
   bool logical_done = false;

   if (!begin_block(a, block))
      return false;
   memset(&a->wished, 0, sizeof(a->wished));
   for (unsigned flow = 0; flow < HD_GCN_NUM_EDGE_KINDS; flow++)
      wish_for_phis(a, block, (hd_gcn_edge_kind)flow);
   hd_gcn_find_likes(a, block);
   const hd_gcn_inst *branch = first_branch(block);
   hd_gcn_foreach_inst(inst, block)
   {
      if (inst == block->tail && !logical_done) {
         if (!agree_with_passive(a, block))
            return false;
         record_edges(a, block, HD_GCN_LOGICAL);
         logical_done = true;
      }
      if (inst == branch && !hd_gcn_leave_scc(a, block, inst))
         return false;
      if (inst->op != HD_GCN_P_PHI && !hd_gcn_assign_inst(a, block, inst))
         return false;
   }
   if (!logical_done && !agree_with_passive(a, block))
      return false;
   if (!logical_done)
      record_edges(a, block, HD_GCN_LOGICAL);
   if (!branch && !hd_gcn_leave_scc(a, block, NULL))
      return false;
   record_edges(a, block, HD_GCN_LINEAR);
   a->at_end[block->index] = a->taken;
   return true;
}

static void
leave_block(hd_gcn_assigner *a)
{
   for (unsigned reg = 0; reg < HD_GCN_NUM_REGS; reg++) {
      if (a->holder[reg])
         a->where[a->holder[reg]] = HD_GCN_NO_REG;
   }
   memset(a->holder, 0, sizeof(a->holder));
   memset(&a->taken, 0, sizeof(a->taken));
}

/* A value whose home at the end of a predecessor is not the one that the block begins with. */
static void
repair(hd_gcn_assigner *a, hd_gcn_block *block, hd_gcn_edge_kind flow, uint32_t n)
{
   const hd_gcn_edges *edges = &block->edges[flow];
   const uint32_t temp = a->live.in[flow][block->index].temps[n];
   const uint16_t home = a->in_regs[flow][block->index][n];
   bool agree = true;

   for (uint32_t i = 0; i < edges->num_preds && agree; i++) {
      const uint16_t reg = a->edge_regs[flow][block->index][i][n];
      agree = reg == home || reg == HD_GCN_NO_REG;
   }
   if (agree)
      return;
   hd_gcn_inst *phi = hd_gcn_inst_create(a->p, HD_GCN_P_PHI, 1, edges->num_preds);
   *hd_gcn_def(phi, 0) = hd_gcn_operand_temp(a->p, temp);
   hd_gcn_def(phi, 0)->reg = home;
   for (uint32_t i = 0; i < edges->num_preds; i++) {
      hd_gcn_operand *src = hd_gcn_src(phi, i);
      const uint16_t reg = a->edge_regs[flow][block->index][i][n];
      *src = hd_gcn_operand_temp(a->p, temp);
      src->reg = reg;
      /* Not defined on this way: nobody will read it. */
      if (reg == HD_GCN_NO_REG)
         *src = (hd_gcn_operand){ .reg = home, .size = src->size, .flags = HD_GCN_OPERAND_UNDEF };
   }
   hd_gcn_inst_insert_before(block, phi, block->first);
}

static void
repair_edges(hd_gcn_assigner *a)
{
   hd_gcn_foreach_block(block, a->p)
   {
      for (unsigned flow = 0; flow < HD_GCN_NUM_EDGE_KINDS; flow++) {
         for (uint32_t n = a->live.in[flow][block->index].num; n--;)
            repair(a, block, (hd_gcn_edge_kind)flow, n);
      }
   }
}

/* A block's copies may need one more register to exchange two: one that is free there, and that no
 * phi of the successor writes.
 */
static void
find_spares(hd_gcn_assigner *a)
{
   hd_gcn_foreach_block(block, a->p)
   {
      const hd_gcn_edges *edges = &block->edges[HD_GCN_LINEAR];
      hd_gcn_regset taken = a->at_end[block->index];

      for (uint32_t s = 0; s < edges->num_succs; s++) {
         hd_gcn_block *succ = edges->succs[s];
         hd_gcn_foreach_inst(phi, succ)
         {
            if (phi->op != HD_GCN_P_PHI)
               break;
            hd_gcn_regset_add(&taken, hd_gcn_def(phi, 0)->reg, hd_gcn_def(phi, 0)->size);
         }
      }
      block->spare_sgpr = (uint16_t)hd_gcn_regset_find(
          &taken,
          (hd_gcn_window){
              .first = a->first[HD_GCN_SGPR], .end = a->end[HD_GCN_SGPR], .size = 1, .align = 1 });
   }
}

/* Each edge knows its number among its target's predecessors. */
static void
number_edges(hd_gcn_assigner *a, hd_gcn_edge_kind flow)
{
   const hd_gcn_program *p = a->p;

   a->pred_index[flow] = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(uint32_t *));
   a->edge_regs[flow] = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(uint16_t **));
   a->in_regs[flow] = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(uint16_t *));
   hd_gcn_foreach_block(block, p)
   {
      const hd_gcn_edges *edges = &block->edges[flow];
      a->edge_regs[flow][block->index] =
          hd_stack_alloc_zero(p->stack, (edges->num_preds + 1) * sizeof(uint16_t *));
      a->pred_index[flow][block->index] =
          hd_stack_alloc_zero(p->stack, (edges->num_succs + 1) * sizeof(uint32_t));
   }
   /* A block has few successors, if any has many predecessors. */
   hd_gcn_foreach_block(block, p)
   {
      const hd_gcn_edges *edges = &block->edges[flow];
      for (uint32_t i = 0; i < edges->num_preds; i++) {
         const hd_gcn_block *pred = edges->preds[i];
         uint32_t s = 0;
         while (pred->edges[flow].succs[s] != block)
            s++;
         a->pred_index[flow][pred->index][s] = i;
      }
   }
}

static bool
walk(hd_gcn_assigner *a)
{
   hd_gcn_foreach_block(block, a->p)
   {
      const bool done = walk_block(a, block);
      leave_block(a);
      if (!done)
         return false;
   }
   return true;
}

/* As if nothing had been assigned. */
static void
undo(hd_gcn_assigner *a)
{
   hd_gcn_foreach_block(block, a->p)
   {
      hd_gcn_foreach_inst_safe(inst, following, block)
      {
         if (inst->op == HD_GCN_P_COPY && inst->bits == HD_GCN_MOVES_HOMES) {
            hd_gcn_inst_remove(block, inst);
            continue;
         }
         for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
            hd_gcn_operand *operand = &inst->operands[n];
            if (hd_gcn_is_temp(operand) && !(operand->flags & HD_GCN_OPERAND_FIXED))
               operand->reg = HD_GCN_NO_REG;
         }
      }
   }
}

static void
prepare(hd_gcn_assigner *a)
{
   const hd_gcn_program *p = a->p;

   a->where = hd_stack_alloc(p->stack, p->num_temps * sizeof(*a->where));
   memset(a->where, 0xff, p->num_temps * sizeof(*a->where));
   a->at_end = hd_stack_alloc(p->stack, p->num_blocks * sizeof(*a->at_end));
   for (unsigned flow = 0; flow < HD_GCN_NUM_EDGE_KINDS; flow++)
      number_edges(a, (hd_gcn_edge_kind)flow);
   hd_gcn_webs_make(a);
}

bool
hd_gcn_assign(hd_gcn_program *p)
{
   hd_gcn_assigner *a = hd_stack_alloc_zero(p->stack, sizeof(*a));
   uint16_t budget[HD_GCN_NUM_FILES];

   a->p = p;
   hd_gcn_live_compute(p, &a->live);
   hd_gcn_register_budget(p, budget);
   a->first[HD_GCN_SGPR] = HD_GCN_SGPR0;
   a->first[HD_GCN_VGPR] = HD_GCN_VGPR0;
   for (unsigned file = 0; file < HD_GCN_NUM_FILES; file++)
      a->end[file] = (uint16_t)(a->first[file] + budget[file]);
   a->end[HD_GCN_VGPR] = (uint16_t)(a->end[HD_GCN_VGPR] - p->num_lane_vgprs - p->num_page_vgprs);
   prepare(a);
   /* What passive blocks rely on is seldom in the way; if it was, once more with care. */
   if (!walk(a)) {
      undo(a);
      a->careful = true;
      prepare(a);
      if (!walk(a))
         return hd_gcn_refuse(
             p, NULL, "values that are live at once do not fit into the registers, at %s",
             a->short_of_room
                 ? hd_gcn_op_name(&hd_gcn_op_infos[a->short_of_room->op], p->target->gen)
                 : "the end of a block");
   }
   repair_edges(a);
   find_spares(a);
   return true;
}
