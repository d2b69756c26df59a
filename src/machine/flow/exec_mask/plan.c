/* SPDX-License-Identifier: MIT */
/* plan.c - control-flow lowering: analysis of each list before code is emitted for it.
 *
 * Two walks. The first finds the jumps that all active lanes of a loop take together: the branches
 * around them inside of the loop are uniform, and no lane waits at the continue list. The pc takes
 * those jumps; others only remove lanes from exec, and their loops are left *divergently*. The second
 * walk finds the same for returns, where no enclosing loop may be left divergently, and sums up each
 * list.
 */
#include "machine/flow/exec_mask/exec_mask.h"

#include <assert.h>
#include <string.h>

#include "heddle/analysis.h"
#include "ir/private.h"

#define MAX_COST 1000000u
/* A loop runs about so often. */
#define LOOP_WEIGHT 8u
static uint32_t
add_costs(uint32_t a, uint32_t b)
{
   return a + b < MAX_COST ? a + b : MAX_COST;
}

/* Blocks */

static uint32_t
inst_cost(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const hd_mach_op *info = hd_mach_op_of(p->mach, inst);

   if (info->flags & HD_MACH_USES_LANES)
      return p->hooks->masks->lanes_cost;
   if (info->flags & HD_MACH_PSEUDO)
      return inst->op == HD_MACH_P_COPY ? inst->num_defs : 0;
   return p->hooks->masks->costs[info->latency];
}

/* Without lanes it could read memory where there is none, branch on what no lane wrote, or do what
 * somebody sees.
 */
static bool
must_have_lanes(const hd_mach_program *p, const hd_mach_inst *inst)
{
   const uint32_t flags = hd_mach_op_of(p->mach, inst)->flags;

   if (flags & HD_MACH_PSEUDO)
      return flags & HD_MACH_USES_LANES;
   return flags & (HD_MACH_CROSS_LANE | HD_MACH_SIDE_EFFECT) ||
          p->hooks->masks->must_have_lanes(inst);
}

static bool
is_code(const hd_mach_inst *inst)
{
   return inst->op != HD_MACH_P_HALT && inst->op != HD_MACH_P_END && inst->op != HD_MACH_P_PHI &&
          inst->op != HD_MACH_P_MASK_PHI && inst->op != HD_MACH_P_UNDEF;
}

static void
plan_block(masks *m, const hd_block *b)
{
   mask_block *plan = &m->blocks[b->node.index];

   hd_mach_foreach_inst(inst, m->p->by_ir[b->node.index])
   {
      const hd_mach_op *info = hd_mach_op_of(m->p->mach, inst);
      const bool loads = info->flags & HD_MACH_LOADS && !(info->flags & HD_MACH_PSEUDO);

      for (unsigned n = 0; n < inst->num_srcs; n++)
         m->in_flight[hd_mach_is_temp(hd_mach_src(inst, n)) ? hd_mach_src(inst, n)->value : 0] = 0;
      for (unsigned n = 0; n < inst->num_defs; n++) {
         if (!hd_mach_is_temp(hd_mach_def(inst, n)))
            continue;
         m->made_in[hd_mach_def(inst, n)->value] = m->p->by_ir[b->node.index];
         if (loads)
            m->in_flight[hd_mach_def(inst, n)->value] = m->p->hooks->masks->costs[info->latency];
      }
      plan->cost = add_costs(plan->cost, inst_cost(m->p, inst));
      plan->must_skip |= must_have_lanes(m->p, inst);
   }
}

/* Vector instructions that will copy what the block brings to phis of vectors after it, as far as
 * can be foreseen: what is not made in the block is copied, and of what is, all but one may be in
 * each other's way. `any`: there is a phi that gets something. `in_flight`: what a list after this
 * one would wait for, as it writes the same registers.
 */
static uint32_t
copies_after(const masks *m, const hd_mach_block *from, bool *any, uint32_t *in_flight)
{
   const hd_mach_edges *edges = &from->edges[HD_MACH_LOGICAL];
   uint32_t made = 0, others = 0;

   *any = false;
   *in_flight = 0;
   if (edges->num_succs != 1)
      return 0;
   hd_mach_foreach_inst(inst, edges->succs[0])
   {
      if (inst->op != HD_MACH_P_PHI && inst->op != HD_MACH_P_MASK_PHI)
         break;
      const hd_mach_operand *src = hd_mach_src(inst, m->place[from->index]);
      if (!hd_mach_is_vector_value(m->p, hd_mach_def(inst, 0)) ||
          src->flags & HD_MACH_OPERAND_UNDEF)
         continue;
      *any = true;
      if (hd_mach_is_temp(src) && m->made_in[src->value] == from) {
         made += src->size;
         if (*in_flight < m->in_flight[src->value])
            *in_flight = m->in_flight[src->value];
      } else {
         others += src->size;
      }
   }
   return others + (made ? made - 1 : 0);
}

/* First walk */

typedef struct loop_walk {
   mask_node *plan;
   uint32_t divergent; /* ifs around, inside of the loop */
   bool waiting;       /* lanes are at the continue list */
} loop_walk;

static bool
is_divergent(const masks *m, const hd_if *nif)
{
   return !m->p->by_ir[hd_node_prev_block(&nif->node)->node.index]->condition.uniform;
}

static mask_node *
plan_of(const masks *m, const hd_cf_node *node)
{
   return &m->nodes[hd_node_prev_block(node)->node.index];
}

static void
plan_loop_jump(masks *m, loop_walk *loop, const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   bool converged = !loop->divergent && !loop->waiting;

   if (!jump || (jump->instr.op != HD_JUMP_BREAK && jump->instr.op != HD_JUMP_CONTINUE))
      return;
   m->blocks[b->node.index].full = converged;
   if (converged)
      return;
   if (jump->instr.op == HD_JUMP_BREAK)
      loop->plan->left_apart = true;
   else
      loop->waiting = true;
}

static void
walk_loops(masks *m)
{
   hd_stack *stack = m->p->stack;
   uint32_t num = 0, capacity = 16;
   loop_walk *loops = hd_stack_alloc_zero(stack, capacity * sizeof(*loops));
   hd_walk walk = { 0 };

   hd_walk_begin(&walk, m->p->function);
   do {
      bool is_node = walk.event != HD_WALK_BLOCK;
      const hd_if *nif = hd_node_as_if(walk.node);

      if (!hd_block_is_reachable(is_node ? hd_node_prev_block(walk.node)
                                         : hd_node_as_block(walk.node)))
         continue;
      switch (walk.event) {
      case HD_WALK_BLOCK:
         plan_loop_jump(m, &loops[num], hd_node_as_block(walk.node));
         break;
      case HD_WALK_IF:
         loops[num].divergent += is_divergent(m, nif);
         break;
      case HD_WALK_END_IF:
         loops[num].divergent -= is_divergent(m, nif);
         break;
      case HD_WALK_LOOP:
         if (++num == capacity) {
            loop_walk *more = hd_stack_alloc_zero(stack, 2 * (size_t)capacity * sizeof(*more));
            memcpy(more, loops, capacity * sizeof(*more));
            loops = more;
            capacity *= 2;
         }
         loops[num] = (loop_walk){ .plan = plan_of(m, walk.node) };
         break;
      case HD_WALK_CONTINUE:
         loops[num].waiting = false;
         break;
      case HD_WALK_END_LOOP:
         num--;
         break;
      case HD_WALK_ELSE:
         break;
      }
   } while (hd_walk_next(&walk));
}

/* Second walk */

typedef struct list_walk {
   mask_list *list; /* NULL: the function's body, unreachable code */
   uint32_t apart;  /* why lanes could be elsewhere: divergent ifs, loops left divergently */
   bool waiting;
} list_walk;

static void
count_sites(uint8_t *sites, unsigned more)
{
   *sites = (uint8_t)(*sites + more < 2 ? *sites + more : 2);
}

static void
plan_jump(masks *m, const list_walk *at, const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   mask_block *plan = &m->blocks[b->node.index];

   if (!jump)
      return;
   if (jump->instr.op == HD_JUMP_RETURN || jump->instr.op == HD_JUMP_HALT)
      plan->full = !at->apart && !at->waiting;
   if (!at->list)
      return;
   if (jump->instr.op == HD_JUMP_CONTINUE)
      at->list->leaves |= CONTINUES;
   if (plan->full)
      return;
   switch (jump->instr.op) {
   case HD_JUMP_BREAK:
      at->list->leaves |= LEAVES_BREAK;
      count_sites(&at->list->inner_sites, 1);
      break;
   case HD_JUMP_CONTINUE:
      at->list->leaves |= LEAVES_CONTINUE;
      count_sites(&at->list->inner_sites, 1);
      break;
   default:
      at->list->leaves |= LEAVES_RETURN;
      count_sites(&at->list->return_sites, 1);
      break;
   }
}

/* Lanes leave the loop while others stay, so it ends when none is left. */
static bool
ends_without_lanes(const mask_node *loop)
{
   return loop->left_apart || (loop->list[0].leaves | loop->list[1].leaves) & LEAVES_RETURN;
}

/* What is left of the list at each of its blocks, from its end on. */
static void
sum_list(masks *m, const hd_cf_list *list, mask_list *plan)
{
   uint32_t rest = 0;
   bool must_skip = false;

   for (const hd_cf_node *n = list->last; n; n = n->prev) {
      if (n->kind == HD_CF_BLOCK) {
         mask_block *b = &m->blocks[n->index];
         rest = b->rest = add_costs(rest, b->cost);
         must_skip = b->rest_must_skip = must_skip || b->must_skip;
         continue;
      }
      const mask_node *node = plan_of(m, n);
      uint32_t cost = add_costs(node->list[0].cost, node->list[1].cost) + 2;
      if (n->kind == HD_CF_LOOP)
         cost *= LOOP_WEIGHT;
      rest = add_costs(rest, cost);
      must_skip = must_skip || node->list[0].must_skip || node->list[1].must_skip ||
                  (n->kind == HD_CF_LOOP && !ends_without_lanes(node));
   }
   if (!plan)
      return;
   const hd_block *last = hd_list_last_block(list);
   const hd_mach_block *block = m->p->by_ir[last->node.index];
   bool copies;
   plan->cost = add_costs(rest, copies_after(m, block, &copies, &plan->in_flight));
   plan->must_skip = must_skip;
   plan->falls = hd_block_is_reachable(last) && !hd_block_jump(last);
   plan->is_empty = list->first == list->last;
   hd_mach_foreach_inst(inst, block) plan->is_empty &= !is_code(inst);
   plan->is_void = plan->is_empty && !copies;
}

static void
add_leaves(mask_list *to, const mask_list *list, unsigned leaves)
{
   to->leaves |= list->leaves & leaves;
   if (leaves & LEAVES_BREAK)
      count_sites(&to->inner_sites, list->inner_sites);
   count_sites(&to->return_sites, list->return_sites);
}

/* The list ends: the one around it begins again where it was. */
static void
end_list(masks *m, const list_walk *lists, uint32_t num, const hd_cf_list *list)
{
   unsigned leaves = list->parent->kind == HD_CF_LOOP ? LEAVES_RETURN | LOOP_RETURNS : ~0u;

   sum_list(m, list, lists[num].list);
   if (list->parent->kind == HD_CF_LOOP && lists[num].list->leaves & LEAVES_RETURN)
      lists[num].list->leaves |= LOOP_RETURNS;
   if (lists[num - 1].list)
      add_leaves(lists[num - 1].list, lists[num].list, leaves);
}

static void
begin_list(masks *m, list_walk *lists, uint32_t num, const hd_cf_list *list)
{
   const list_walk *around = &lists[num - 1];
   const hd_if *nif = hd_node_as_if(list->parent);
   const hd_loop *loop = hd_node_as_loop(list->parent);
   mask_node *plan = plan_of(m, list->parent);
   bool second = nif ? list == &nif->else_list : list == &loop->continue_list;

   lists[num] =
       (list_walk){ .list = &plan->list[second], .apart = around->apart + around->waiting };
   if (nif)
      lists[num].apart += is_divergent(m, nif);
   else
      lists[num].apart += plan->left_apart;
}

/* A jump out of an if was taken by part of the lanes of the loop: the others are apart from them
 * until the continue list.
 */
static void
note_waiting(list_walk *around, const mask_node *plan)
{
   around->waiting |= ((plan->list[0].leaves | plan->list[1].leaves) & LEAVES_CONTINUE) != 0;
}

static uint32_t
depth_of_tree(const hd_function *f)
{
   uint32_t depth = 1, deepest = 1;
   hd_walk walk = { 0 };

   hd_walk_begin(&walk, f);
   do {
      if (walk.event == HD_WALK_IF || walk.event == HD_WALK_LOOP)
         depth++;
      else if (walk.event == HD_WALK_END_IF || walk.event == HD_WALK_END_LOOP)
         depth--;
      deepest = depth > deepest ? depth : deepest;
   } while (hd_walk_next(&walk));
   return deepest;
}

static void
walk_lists(masks *m)
{
   list_walk *lists =
       hd_stack_alloc_zero(m->p->stack, (depth_of_tree(m->p->function) + 1) * sizeof(*lists));
   uint32_t num = 0;
   hd_walk walk = { 0 };

   hd_walk_begin(&walk, m->p->function);
   do {
      const hd_if *nif = hd_node_as_if(walk.node);
      const hd_loop *loop = hd_node_as_loop(walk.node);
      const hd_block *b = hd_node_as_block(walk.node);

      switch (walk.event) {
      case HD_WALK_BLOCK:
         plan_block(m, b);
         if (hd_block_is_reachable(b))
            plan_jump(m, &lists[num], b);
         break;
      case HD_WALK_IF:
         begin_list(m, lists, ++num, &nif->then_list);
         break;
      case HD_WALK_ELSE:
         end_list(m, lists, num, &nif->then_list);
         begin_list(m, lists, num, &nif->else_list);
         break;
      case HD_WALK_END_IF:
         end_list(m, lists, num--, &nif->else_list);
         note_waiting(&lists[num], plan_of(m, walk.node));
         break;
      case HD_WALK_LOOP:
         begin_list(m, lists, ++num, &loop->body);
         break;
      case HD_WALK_CONTINUE:
         end_list(m, lists, num, &loop->body);
         begin_list(m, lists, num, &loop->continue_list);
         break;
      case HD_WALK_END_LOOP:
         end_list(m, lists, num--, &loop->continue_list);
         break;
      }
   } while (hd_walk_next(&walk));
   sum_list(m, &m->p->function->body, NULL);
}

void
hd_mach_mask_plan(masks *m)
{
   uint32_t num = m->p->function->num_blocks;

   m->nodes = hd_stack_alloc_zero(m->p->stack, num * sizeof(*m->nodes));
   m->blocks = hd_stack_alloc_zero(m->p->stack, num * sizeof(*m->blocks));
   m->made_in = hd_stack_alloc_zero(m->p->stack, (m->p->num_temps + 1) * sizeof(*m->made_in));
   m->in_flight = hd_stack_alloc_zero(m->p->stack, m->p->num_temps + 1);
   walk_loops(m);
   walk_lists(m);
}
