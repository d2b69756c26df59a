/* SPDX-License-Identifier: MIT */
/* regalloc.c - register allocation on SSA form: blocks in code order (Hack, Grund and Goos, Register
 * Allocation for Programs in SSA-Form, 2006; a linear walk as in ACO).
 *
 * In SSA form a walk in an order in which definitions come first needs no interference graph: the
 * values that are live before an instruction have registers, and its results get free ones. Since
 * spilling has lowered the register pressure, there always is room; if it is fragmented, values are
 * moved.
 *
 * A block starts with the registers that its first predecessor ended with; on the other edges phis
 * move what is elsewhere. Back edges are treated the same way when the loop is complete.
 *
 * Requires: register pressure is within the budget everywhere (spill.c).
 * Leaves:   every operand has `reg`; p_copy, and p_phi of values with themselves.
 */
#include "machine/regalloc.h"

#include <assert.h>
#include <string.h>

/* Homes of a value at the ends of the predecessors that were walked; NO_REG: none has it. */
static unsigned
home_on_edges(const hd_mach_allocator *a, const hd_mach_block *block, hd_mach_edge_kind flow,
              uint32_t n)
{
   for (uint32_t i = 0; i < block->edges[flow].num_preds; i++) {
      const uint16_t *regs = a->edge_regs[flow][block->index][i];
      if (regs && regs[n] != HD_MACH_NO_REG)
         return regs[n];
   }
   return HD_MACH_NO_REG;
}

/* The values that are live into the block get the homes that they have on the first edge; scalar
 * ones that are not defined on that edge, what is left.
 */
static bool
enter_flow(hd_mach_allocator *a, const hd_mach_block *block, hd_mach_edge_kind flow)
{
   const hd_mach_live_in *in = &a->live.in[flow][block->index];
   const uint16_t *regs = a->in_regs[flow][block->index];

   for (uint32_t i = 0; i < block->edges[flow].num_preds && !regs; i++)
      regs = a->edge_regs[flow][block->index][i];
   for (uint32_t n = 0; n < in->num && regs; n++) {
      if (regs[n] != HD_MACH_NO_REG)
         hd_mach_ra_take(a, in->temps[n], regs[n]);
   }
   for (uint32_t n = 0; n < in->num; n++) {
      const uint32_t temp = in->temps[n];
      if (a->where[temp] != HD_MACH_NO_REG)
         continue;
      unsigned reg = home_on_edges(a, block, flow, n);
      if (reg == HD_MACH_NO_REG || hd_mach_regset_meets(&a->taken, reg, a->p->temps[temp].size))
         reg = hd_mach_ra_find_place(a, temp, &a->taken);
      if (reg == HD_MACH_NO_REG) {
         if (!hd_mach_ra_pack(a, hd_mach_temp_file(a, temp), NULL))
            return false;
         reg = hd_mach_ra_find_place(a, temp, &a->taken);
      }
      if (reg == HD_MACH_NO_REG)
         return false;
      hd_mach_ra_take(a, temp, reg);
   }
   return true;
}

/* Where a phi would need no copy on an edge that was walked, or on all of them. */
static unsigned
place_of_sources(const hd_mach_allocator *a, const hd_mach_inst *phi, bool all)
{
   const hd_mach_temp *def = &a->p->temps[hd_mach_def(phi, 0)->value];
   unsigned found = HD_MACH_NO_REG;

   for (unsigned n = 0; n < phi->num_srcs && (all || found == HD_MACH_NO_REG); n++) {
      const hd_mach_operand *src = hd_mach_src(phi, n);
      const unsigned reg = src->reg;
      if (!hd_mach_is_temp(src) || reg == HD_MACH_NO_REG)
         continue;
      if (reg >= a->first[def->file] && reg + def->size <= a->end[def->file] &&
          reg % def->align == 0 && !hd_mach_regset_meets(&a->taken, reg, def->size) &&
          (found == HD_MACH_NO_REG || found == reg))
         found = reg;
      else if (all)
         return HD_MACH_NO_REG;
   }
   return found;
}

/* First those that are in place already, so that no affinity asks for their registers. */
static bool
place_phis(hd_mach_allocator *a, hd_mach_block *block)
{
   hd_mach_foreach_inst(phi, block)
   {
      if (phi->op != HD_MACH_P_PHI || block->loop_header)
         break;
      const unsigned reg = place_of_sources(a, phi, true);
      if (reg == HD_MACH_NO_REG)
         continue;
      hd_mach_ra_take(a, hd_mach_def(phi, 0)->value, reg);
      hd_mach_affinity_settle(a, hd_mach_def(phi, 0)->value, reg, false);
   }
   hd_mach_foreach_inst(phi, block)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      const uint32_t temp = hd_mach_def(phi, 0)->value;
      if (a->where[temp] != HD_MACH_NO_REG)
         continue;
      unsigned reg = hd_mach_affinity_preferred(a, temp, &a->taken);
      if (reg == HD_MACH_NO_REG)
         reg = place_of_sources(a, phi, false);
      if (reg == HD_MACH_NO_REG)
         reg = hd_mach_ra_find_place(a, temp, &a->taken);
      if (reg == HD_MACH_NO_REG) {
         /* Nothing moves here: the edges bring all values to wherever the block has them. */
         if (!hd_mach_ra_pack(a, hd_mach_temp_file(a, temp), NULL))
            return false;
         reg = hd_mach_ra_find_place(a, temp, &a->taken);
      }
      if (reg == HD_MACH_NO_REG)
         return false;
      hd_mach_ra_take(a, temp, reg);
      /* The next phi may belong beside it. */
      hd_mach_affinity_settle(a, temp, reg, false);
   }
   return true;
}

static bool
begin_block(hd_mach_allocator *a, hd_mach_block *block)
{
   const uint16_t *decided = a->in_regs[HD_MACH_LOGICAL][block->index];

   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++) {
      if (!enter_flow(a, block, (hd_mach_edge_kind)flow))
         return false;
   }
   if (!place_phis(a, block))
      return false;

   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++) {
      const hd_mach_live_in *in = &a->live.in[flow][block->index];
      uint16_t *regs = hd_stack_alloc(a->p->stack, (in->num + 1) * sizeof(*regs));
      for (uint32_t n = 0; n < in->num; n++)
         regs[n] = a->where[in->temps[n]];
      /* Packing may have moved what somebody relies on. */
      if (flow == HD_MACH_LOGICAL && decided && memcmp(decided, regs, in->num * sizeof(*regs)) != 0)
         return false;
      a->in_regs[flow][block->index] = regs;
   }
   hd_mach_foreach_inst(phi, block)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      hd_mach_operand *def = hd_mach_def(phi, 0);
      def->reg = a->where[def->value];
      hd_mach_affinity_settle(a, def->value, def->reg, true);
   }
   /* All of them are written, so all needed a place; those that nothing reads give it back. */
   hd_mach_foreach_inst(phi, block)
   {
      if (phi->op != HD_MACH_P_PHI)
         break;
      if (hd_mach_def(phi, 0)->flags & HD_MACH_OPERAND_KILL)
         hd_mach_ra_release(a, hd_mach_def(phi, 0)->value);
   }
   return true;
}

/* What successors will find: homes of their live-in values, and of the sources of their phis. */
static void
record_edges(hd_mach_allocator *a, hd_mach_block *block, hd_mach_edge_kind flow)
{
   const hd_mach_edges *edges = &block->edges[flow];

   for (uint32_t s = 0; s < edges->num_succs; s++) {
      hd_mach_block *succ = edges->succs[s];
      const uint32_t i = a->pred_index[flow][block->index][s];
      const hd_mach_live_in *in = &a->live.in[flow][succ->index];
      uint16_t *regs = hd_stack_alloc(a->p->stack, (in->num + 1) * sizeof(*regs));
      for (uint32_t n = 0; n < in->num; n++)
         regs[n] = a->where[in->temps[n]];
      a->edge_regs[flow][succ->index][i] = regs;
      hd_mach_foreach_inst(phi, succ)
      {
         if (phi->op != HD_MACH_P_PHI)
            break;
         if (hd_mach_phi_flow(a->p, phi) != flow)
            continue;
         hd_mach_operand *src = hd_mach_src(phi, i);
         if (hd_mach_is_temp(src))
            src->reg = a->where[src->value];
      }
   }
}

/* Edges through a passive block have no place for copies: the block after it begins
 * with the homes of this one. If others have decided about those before, values move here, for all
 * lanes of this block.
 */
static bool
agree_with_passive(hd_mach_allocator *a, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   for (uint32_t s = 0; s < edges->num_succs; s++) {
      const hd_mach_block *way = edges->succs[s];
      if (!way->passive || !way->edges[HD_MACH_LOGICAL].num_succs)
         continue;
      const hd_mach_block *to = way->edges[HD_MACH_LOGICAL].succs[0];
      const hd_mach_live_in *in = &a->live.in[HD_MACH_LOGICAL][to->index];
      uint16_t **regs = &a->in_regs[HD_MACH_LOGICAL][to->index];
      if (!*regs) {
         if (a->careful && !hd_mach_ra_pack_home(a, block, block->tail, in))
            return false;
         *regs = hd_stack_alloc(a->p->stack, (in->num + 1) * sizeof(**regs));
         for (uint32_t n = 0; n < in->num; n++)
            (*regs)[n] = a->where[in->temps[n]];
      } else if (!hd_mach_ra_bring_home(a, block, block->tail, in, *regs)) {
         return false;
      }
   }
   /* Two that disagree: no place in the code is on the way of one alone. */
   for (uint32_t s = 0; s < edges->num_succs; s++) {
      const hd_mach_block *way = edges->succs[s];
      if (!way->passive || !way->edges[HD_MACH_LOGICAL].num_succs)
         continue;
      const hd_mach_block *to = way->edges[HD_MACH_LOGICAL].succs[0];
      const hd_mach_live_in *in = &a->live.in[HD_MACH_LOGICAL][to->index];
      for (uint32_t n = 0; n < in->num; n++) {
         if (a->where[in->temps[n]] != a->in_regs[HD_MACH_LOGICAL][to->index][n])
            return false;
      }
   }
   return true;
}

/* The first branch; NULL: there is none. */
static hd_mach_inst *
first_branch(const hd_mach_program *p, const hd_mach_block *block)
{
   hd_mach_inst *branch = NULL;

   for (hd_mach_inst *inst = block->last; hd_mach_is_branch(p, inst); inst = inst->prev)
      branch = inst;
   return branch;
}

/* Registers that phis of the successors will want, as far as that is known: values that are not
 * theirs had better be elsewhere, or the copies at the end of the block form cycles.
 */
static void
wish_for_phis(hd_mach_allocator *a, const hd_mach_block *block, hd_mach_edge_kind flow)
{
   const hd_mach_edges *edges = &block->edges[flow];

   for (uint32_t s = 0; s < edges->num_succs; s++) {
      hd_mach_foreach_inst(phi, edges->succs[s])
      {
         if (phi->op != HD_MACH_P_PHI)
            break;
         const hd_mach_operand *def = hd_mach_def(phi, 0);
         const unsigned reg = hd_mach_affinity_place(a, def->value);
         if (reg + def->size <= HD_MACH_MAX_REGS)
            hd_mach_regset_add(&a->by_phis, reg, def->size);
      }
   }
}

static bool
walk_block(hd_mach_allocator *a, hd_mach_block *block)
{
   bool logical_done = false;

   if (!begin_block(a, block))
      return false;
   memset(&a->by_phis, 0, sizeof(a->by_phis));
   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++)
      wish_for_phis(a, block, (hd_mach_edge_kind)flow);
   a->wished = a->by_phis;
   hd_mach_affinity_look_at(a, block);
   const hd_mach_inst *branch = first_branch(a->p, block);
   hd_mach_foreach_inst(inst, block)
   {
      if (inst == block->tail && !logical_done) {
         if (!agree_with_passive(a, block))
            return false;
         record_edges(a, block, HD_MACH_LOGICAL);
         logical_done = true;
      }
      if (inst == branch && !hd_mach_ra_leave_flag(a, block, inst))
         return false;
      if (inst->op != HD_MACH_P_PHI && !hd_mach_ra_inst(a, block, inst))
         return false;
   }
   if (!logical_done && !agree_with_passive(a, block))
      return false;
   if (!logical_done)
      record_edges(a, block, HD_MACH_LOGICAL);
   if (!branch && !hd_mach_ra_leave_flag(a, block, NULL))
      return false;
   record_edges(a, block, HD_MACH_LINEAR);
   a->at_end[block->index] = a->taken;
   return true;
}

static void
leave_block(hd_mach_allocator *a)
{
   for (unsigned reg = 0; reg < HD_MACH_MAX_REGS; reg++) {
      if (a->holder[reg])
         a->where[a->holder[reg]] = HD_MACH_NO_REG;
   }
   memset(a->holder, 0, sizeof(a->holder));
   memset(&a->taken, 0, sizeof(a->taken));
}

/* A value whose home at the end of a predecessor is not the one that the block begins with. */
static void
repair(hd_mach_allocator *a, hd_mach_block *block, hd_mach_edge_kind flow, uint32_t n)
{
   const hd_mach_edges *edges = &block->edges[flow];
   const uint32_t temp = a->live.in[flow][block->index].temps[n];
   const uint16_t home = a->in_regs[flow][block->index][n];
   bool agree = true;

   for (uint32_t i = 0; i < edges->num_preds && agree; i++) {
      const uint16_t reg = a->edge_regs[flow][block->index][i][n];
      agree = reg == home || reg == HD_MACH_NO_REG;
   }
   if (agree)
      return;
   hd_mach_inst *phi = hd_mach_inst_create(a->p, HD_MACH_P_PHI, 1, edges->num_preds);
   *hd_mach_def(phi, 0) = hd_mach_operand_temp(a->p, temp);
   hd_mach_def(phi, 0)->reg = home;
   for (uint32_t i = 0; i < edges->num_preds; i++) {
      hd_mach_operand *src = hd_mach_src(phi, i);
      const uint16_t reg = a->edge_regs[flow][block->index][i][n];
      *src = hd_mach_operand_temp(a->p, temp);
      src->reg = reg;
      /* Not defined on this path: it is not read. */
      if (reg == HD_MACH_NO_REG)
         *src = (hd_mach_operand){ .reg = home, .size = src->size, .flags = HD_MACH_OPERAND_UNDEF };
   }
   hd_mach_inst_insert_before(block, phi, block->first);
}

static void
repair_edges(hd_mach_allocator *a)
{
   hd_mach_foreach_block(block, a->p)
   {
      for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++) {
         for (uint32_t n = a->live.in[flow][block->index].num; n--;)
            repair(a, block, (hd_mach_edge_kind)flow, n);
      }
   }
}

/* A block's copies may need one more register to exchange two: one that is free there, and that no
 * phi of the successor writes.
 */
static void
find_spares(hd_mach_allocator *a)
{
   const unsigned scalar = a->p->mach->file_of[HD_MACH_LINEAR];

   hd_mach_foreach_block(block, a->p)
   {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      hd_mach_regset taken = a->at_end[block->index];

      for (uint32_t s = 0; s < edges->num_succs; s++) {
         hd_mach_block *succ = edges->succs[s];
         hd_mach_foreach_inst(phi, succ)
         {
            if (phi->op != HD_MACH_P_PHI)
               break;
            hd_mach_regset_add(&taken, hd_mach_def(phi, 0)->reg, hd_mach_def(phi, 0)->size);
         }
      }
      block->spare_reg = (uint16_t)hd_mach_regset_find(
          &taken, (hd_mach_window){
                      .first = a->first[scalar], .end = a->end[scalar], .size = 1, .align = 1 });
   }
}

/* Each edge knows its number among its target's predecessors. */
static void
number_edges(hd_mach_allocator *a, hd_mach_edge_kind flow)
{
   const hd_mach_program *p = a->p;

   a->pred_index[flow] = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(uint32_t *));
   a->edge_regs[flow] = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(uint16_t **));
   a->in_regs[flow] = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(uint16_t *));
   hd_mach_foreach_block(block, p)
   {
      const hd_mach_edges *edges = &block->edges[flow];
      a->edge_regs[flow][block->index] =
          hd_stack_alloc_zero(p->stack, (edges->num_preds + 1) * sizeof(uint16_t *));
      a->pred_index[flow][block->index] =
          hd_stack_alloc_zero(p->stack, (edges->num_succs + 1) * sizeof(uint32_t));
   }
   /* A block has few successors, if any has many predecessors. */
   hd_mach_foreach_block(block, p)
   {
      const hd_mach_edges *edges = &block->edges[flow];
      for (uint32_t i = 0; i < edges->num_preds; i++) {
         const hd_mach_block *pred = edges->preds[i];
         uint32_t s = 0;
         while (pred->edges[flow].succs[s] != block)
            s++;
         a->pred_index[flow][pred->index][s] = i;
      }
   }
}

static bool
walk(hd_mach_allocator *a)
{
   hd_mach_foreach_block(block, a->p)
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
undo(hd_mach_allocator *a)
{
   hd_mach_foreach_block(block, a->p)
   {
      hd_mach_foreach_inst_safe(inst, following, block)
      {
         if (inst->op == HD_MACH_P_COPY && inst->bits == HD_MACH_MOVES_HOMES) {
            hd_mach_inst_remove(block, inst);
            continue;
         }
         for (unsigned n = 0; n < (unsigned)inst->num_defs + inst->num_srcs; n++) {
            hd_mach_operand *operand = &inst->operands[n];
            if (hd_mach_is_temp(operand) && !(operand->flags & HD_MACH_OPERAND_FIXED))
               operand->reg = HD_MACH_NO_REG;
         }
      }
   }
}

static void
prepare(hd_mach_allocator *a)
{
   const hd_mach_program *p = a->p;

   a->where = hd_stack_alloc(p->stack, p->num_temps * sizeof(*a->where));
   memset(a->where, 0xff, p->num_temps * sizeof(*a->where));
   a->at_end = hd_stack_alloc(p->stack, p->num_blocks * sizeof(*a->at_end));
   for (unsigned flow = 0; flow < HD_MACH_NUM_EDGE_KINDS; flow++)
      number_edges(a, (hd_mach_edge_kind)flow);
   hd_mach_affinity_make(a);
}

bool
hd_mach_regalloc(hd_mach_program *p)
{
   hd_mach_allocator *a = hd_stack_alloc_zero(p->stack, sizeof(*a));
   uint16_t budget[HD_MACH_MAX_FILES];

   a->p = p;
   hd_mach_liveness(p, &a->live);
   p->hooks->register_budget(p, budget);
   for (unsigned file = 0; file < p->mach->num_files; file++) {
      a->first[file] = p->mach->files[file].first;
      a->end[file] = (uint16_t)(a->first[file] + budget[file]);
   }
   prepare(a);
   /* What passive blocks rely on is seldom in the way; if it was, once more with care. */
   if (!walk(a)) {
      undo(a);
      a->careful = true;
      prepare(a);
      if (!walk(a))
         return hd_mach_refuse(p, NULL,
                               "values that are live at once do not fit into the registers, at %s",
                               a->short_of_room ? p->mach->op_name(p->mach, a->short_of_room->op)
                                                : "the end of a block");
   }
   repair_edges(a);
   find_spares(a);
   return true;
}
