/* SPDX-License-Identifier: MIT */
/* edges.c - split critical edges; sources of phis by edge. */
#include "machine/flow/edges.h"

#include <string.h>

#include "heddle/analysis.h"

/* Logical edges */

/* `place` is that of the edge among the predecessors of its target. */
static void
split_logical_edge(hd_mach_program *p, hd_mach_block *from, uint32_t n, uint32_t place)
{
   hd_mach_block *to = from->edges[HD_MACH_LOGICAL].succs[n];
   hd_mach_block *between = hd_mach_block_create(p);
   hd_mach_edges *in = &to->edges[HD_MACH_LOGICAL];

   between->loop_depth = from->loop_depth < to->loop_depth ? from->loop_depth : to->loop_depth;
   if (to->order > from->order)
      hd_mach_block_insert_after(p, between, to->prev);
   else
      hd_mach_block_insert_after(p, between, from);
   between->order = between->prev->order;
   in->preds[place] = between;
   from->edges[HD_MACH_LOGICAL].succs[n] = between;
   hd_mach_edges *own = &between->edges[HD_MACH_LOGICAL];
   own->preds = hd_stack_alloc(p->stack, 2 * sizeof(*own->preds));
   own->succs = own->preds + 1;
   own->preds[0] = from;
   own->succs[0] = to;
   own->num_preds = own->num_succs = own->pred_capacity = own->succ_capacity = 1;
}

/* By index of blocks, for both successors: the position among the predecessors of that. */
static uint32_t (*find_places(const hd_mach_program *p))[2]
{
   uint32_t(*places)[2] = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(*places));

   hd_mach_foreach_block(block, p)
   {
      const hd_mach_edges *in = &block->edges[HD_MACH_LOGICAL];
      for (uint32_t n = 0; n < in->num_preds; n++)
         places[in->preds[n]->index][in->preds[n]->edges[HD_MACH_LOGICAL].succs[0] != block] = n;
   }
   return places;
}

void
hd_mach_split_logical_edges(hd_mach_program *p)
{
   uint32_t(*const places)[2] = find_places(p);

   hd_mach_program_number(p);
   for (hd_mach_block *block = p->first, *next = NULL; block; block = next) {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
      next = block->next;
      for (uint32_t n = 0; n < edges->num_succs && edges->num_succs > 1; n++) {
         const hd_mach_block *to = edges->succs[n];
         if (to->edges[HD_MACH_LOGICAL].num_preds > 1 || to->order <= block->order ||
             (to->first && hd_mach_is_phi(to->first)))
            split_logical_edge(p, block, n, places[block->index][n]);
      }
   }
   hd_mach_program_number(p);
}

/* Critical linear edges */

/* `n`: of the edge among the block's. A block that is gone back to has its new one after the block
 * that goes back, so that cycles stay contiguous.
 */
static void
split_edge(hd_mach_program *p, hd_mach_block *block, uint32_t n)
{
   hd_mach_block **target = &block->edges[HD_MACH_LINEAR].succs[n];
   hd_mach_block *between = hd_mach_block_create(p);
   bool is_branch = block->last->target == *target;

   between->loop_depth =
       block->loop_depth < (*target)->loop_depth ? block->loop_depth : (*target)->loop_depth;
   if (is_branch)
      block->last->target = between;
   if ((!is_branch && n + 1 == block->edges[HD_MACH_LINEAR].num_succs) ||
       (*target)->order <= block->order)
      hd_mach_block_insert_after(p, between, block);
   else
      hd_mach_block_insert_after(p, between, (*target)->prev);
   hd_mach_edge_add(p, HD_MACH_LINEAR, between, *target);
   *target = between;
}

static bool
is_one_of(const hd_mach_jumps *only, const hd_mach_inst *branch)
{
   return !only || (branch && (branch->op == only->flag[0] || branch->op == only->flag[1]));
}

static void
split_edges(hd_mach_program *p, const hd_mach_jumps *only)
{
   hd_mach_program_number(p);
   for (hd_mach_block *block = p->first, *next = NULL; block; block = next) {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LINEAR];
      next = block->next;
      if (!is_one_of(only, block->last))
         continue;
      for (uint32_t n = 0; n < edges->num_succs && edges->num_succs > 1; n++) {
         const hd_mach_block *to = edges->succs[n];
         if (to->edges[HD_MACH_LINEAR].num_preds > 1 || to->order <= block->order)
            split_edge(p, block, n);
      }
   }
   hd_mach_program_number(p);
   hd_mach_find_preds(p);
}

void
hd_mach_split_edges(hd_mach_program *p)
{
   split_edges(p, NULL);
}

/* Phis */

static bool
is_reachable(const hd_mach_block *block)
{
   return !block->ir || hd_block_is_reachable(block->ir);
}

static void
drop_unreachable_preds(hd_mach_block *block)
{
   hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
   uint32_t num = 0;

   for (uint32_t n = 0; n < edges->num_preds; n++) {
      if (!is_reachable(edges->preds[n]))
         continue;
      for (hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next)
         *hd_mach_src(phi, num) = *hd_mach_src(phi, n);
      edges->preds[num++] = edges->preds[n];
   }
   for (hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next)
      phi->num_srcs = (uint16_t)num;
   edges->num_preds = num;
}

void
hd_mach_drop_unreachable_blocks(hd_mach_program *p)
{
   for (hd_mach_block *block = p->first, *next = NULL; block; block = next) {
      next = block->next;
      if (block->ir && !hd_block_is_reachable(block->ir))
         hd_mach_block_unlink(p, block);
   }
}

static bool
is_undefined_phi(const hd_mach_program *p, const hd_mach_inst *phi)
{
   for (unsigned n = 0; n < phi->num_srcs; n++) {
      if (!(hd_mach_src(phi, n)->flags & HD_MACH_OPERAND_UNDEF))
         return false;
   }
   return !hd_mach_is_vector_value(p, hd_mach_def(phi, 0));
}

/* Scalar phis become writes on the edges that have a value; who has none is written all the same. */
static void
define_undefined_phis(hd_mach_program *p, hd_mach_block *block)
{
   hd_mach_inst *after = block->first;

   while (after && hd_mach_is_phi(after))
      after = after->next;
   for (hd_mach_inst *phi = block->first, *next; phi && hd_mach_is_phi(phi); phi = next) {
      next = phi->next;
      if (!is_undefined_phi(p, phi))
         continue;
      hd_mach_inst *undef = hd_mach_inst_create(p, HD_MACH_P_UNDEF, 1, 0);
      *hd_mach_def(undef, 0) = *hd_mach_def(phi, 0);
      p->temps[hd_mach_def(undef, 0)->value].def = undef;
      hd_mach_inst_remove(block, phi);
      hd_mach_inst_insert_before(block, undef, after);
   }
}

void
hd_mach_drop_unreachable_preds(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      if (!is_reachable(block))
         continue;
      drop_unreachable_preds(block);
      define_undefined_phis(p, block);
   }
}

/* A vector phi of one source takes a scalar as it is where lanes leave: later it can be another. */
static void
copy_scalars(hd_mach_program *p, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   if (edges->num_preds != 1 || edges->preds[0]->edges[HD_MACH_LOGICAL].num_succs != 1)
      return;
   for (hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next) {
      hd_mach_operand *src = hd_mach_src(phi, 0);
      if (!hd_mach_is_vector_value(p, hd_mach_def(phi, 0)) || !hd_mach_is_temp(src) ||
          hd_mach_is_vector_value(p, src))
         continue;
      uint32_t temp = hd_mach_temp_create(p, p->mach->file_of[HD_MACH_LOGICAL], src->size, 0);
      hd_mach_inst *copy = hd_mach_inst_create(p, HD_MACH_P_COPY, 1, 1);
      *hd_mach_def(copy, 0) = hd_mach_operand_temp(p, temp);
      *hd_mach_src(copy, 0) = *src;
      p->temps[temp].def = copy;
      hd_mach_inst *before = edges->preds[0]->tail;
      hd_mach_inst *last = edges->preds[0]->last;
      if (!before && last && (last->op == HD_MACH_P_HALT || last->op == HD_MACH_P_END))
         before = last;
      hd_mach_inst_insert_before(edges->preds[0], copy, before);
      *src = hd_mach_operand_temp(p, temp);
   }
}

void
hd_mach_copy_scalars(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p) copy_scalars(p, block);
}

uint32_t *
hd_mach_place_edges(hd_mach_program *p)
{
   uint32_t *place = hd_stack_alloc_zero(p->stack, p->num_blocks * sizeof(*place));

   hd_mach_foreach_block(block, p)
   {
      const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
      for (uint32_t n = 0; n < edges->num_preds; n++)
         place[edges->preds[n]->index] = n;
   }
   return place;
}

void
hd_mach_linear_def_add(hd_mach_program *p, linear_defs *defs, hd_mach_block *block, uint32_t temp,
                       hd_mach_operand value)
{
   if (defs->num == defs->capacity) {
      uint32_t capacity = defs->capacity ? defs->capacity * 2 : 64;
      linear_def *more = hd_stack_alloc(p->stack, capacity * sizeof(*more));
      if (defs->num)
         memcpy(more, defs->defs, defs->num * sizeof(*more));
      defs->defs = more;
      defs->capacity = capacity;
   }
   defs->defs[defs->num++] = (linear_def){ .block = block, .temp = temp, .value = value };
}

void
hd_mach_send_scalars(hd_mach_program *p, linear_defs *defs, hd_mach_block *at,
                     const hd_mach_block *to, uint32_t place)
{
   for (hd_mach_inst *phi = to->first; phi && hd_mach_is_phi(phi); phi = phi->next) {
      const hd_mach_operand *def = hd_mach_def(phi, 0), *src = hd_mach_src(phi, place);
      if (!hd_mach_is_vector_value(p, def) && !(src->flags & HD_MACH_OPERAND_UNDEF))
         hd_mach_linear_def_add(p, defs, at, def->value, *src);
   }
}

void
hd_mach_drop_scalar_phis(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      hd_mach_foreach_inst_safe(phi, next, block)
      {
         if (!hd_mach_is_phi(phi))
            break;
         if (hd_mach_is_vector_value(p, hd_mach_def(phi, 0)))
            continue;
         p->temps[hd_mach_def(phi, 0)->value].def = NULL;
         hd_mach_inst_remove(block, phi);
      }
   }
}

bool
hd_mach_check_flow(hd_mach_program *p)
{
   hd_mach_foreach_block(block, p)
   {
      for (const hd_mach_inst *phi = block->first; phi && hd_mach_is_phi(phi); phi = phi->next) {
         if (phi->op == HD_MACH_P_MASK_PHI)
            return hd_mach_refuse(
                p, NULL, "expected phis of numbers, found one of booleans: run lower_bool");
      }
   }
   return true;
}

void
hd_mach_finish_flow(hd_mach_program *p, const linear_defs *defs, const hd_mach_jumps *only)
{
   bool any = false;

   hd_mach_drop_scalar_phis(p);
   hd_mach_program_number(p);
   hd_mach_find_preds(p);
   for (uint32_t temp = 1; temp < p->num_temps && !any; temp++)
      any = !hd_mach_is_vector(p, temp);
   if (!any)
      return;
   split_edges(p, only);
   hd_mach_ssa_repair(p, defs);
}

hd_mach_inst *
hd_mach_jump(hd_mach_program *p, const hd_mach_jumps *jumps, hd_mach_block *block, unsigned op,
             const hd_mach_condition *condition)
{
   if (jumps->make)
      return jumps->make(p, block, op, condition);
   hd_mach_inst *inst = hd_mach_inst_create(p, op, 0, condition != NULL);
   if (condition) {
      *hd_mach_src(inst, 0) = condition->value;
      inst->bits = condition->negate;
   }
   return inst;
}
