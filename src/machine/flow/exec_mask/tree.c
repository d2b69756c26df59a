/* SPDX-License-Identifier: MIT */
/* tree.c - control-flow lowering of the tree: exec masks, branches, linear edges, block order.
 *
 * Exec changes only in the tails of blocks and in blocks added for it, so that all other code of a
 * block runs with the same lanes. The code of a loop:
 *
 *    after = exec                       where lanes leave it while others stay
 *    header:  ...
 *             exec &= ~c                lanes that break
 *             s_cbranch_execz exit      where that pays
 *             ...
 *    next:    exec = waiting            where lanes continue
 *             ...
 *             s_cbranch_execnz header   or s_branch, where exec cannot be 0
 *    exit:    exec = after
 *
 * `same` is a temp that is known to equal exec: exec need not be saved again.
 */
#include "machine/flow/exec_mask/exec_mask.h"

#include <assert.h>
#include <string.h>

#include "heddle/analysis.h"
#include "ir/private.h"

static hd_mach_block *
block_of(const masks *m, const hd_block *b)
{
   return m->p->by_ir[b->node.index];
}

static hd_mach_operand
mask_of(const masks *m, uint32_t temp)
{
   return hd_mach_operand_temp(m->p, temp);
}

/* What is known where the pc comes from two places. */
static mask_state
join_states(mask_state a, mask_state b)
{
   return (mask_state){ .same = a.same == b.same ? a.same : 0,
                        .may_be_empty = a.may_be_empty || b.may_be_empty };
}

static void
full_jump(masks *m, unsigned leaves)
{
   mask_frame *loop = &m->frames[hd_mach_mask_frame(m)->loop];

   if (leaves == LEAVES_RETURN) {
      hd_mach_mask_op(m, HD_MACH_P_END, (hd_mach_operand){ 0 }, (hd_mach_operand){ 0 },
                      (hd_mach_operand){ 0 });
      m->block = NULL;
      return;
   }
   if (leaves == LEAVES_CONTINUE) {
      loop->jumped_at = loop->jumped ? join_states(loop->jumped_at, m->state) : m->state;
      loop->jumped = true;
   }
   hd_mach_mask_goto(m, leaves == LEAVES_BREAK ? loop->exit : loop->next);
}

/* All lanes of exec have left: on to where others may be, who may read exec. */
static void
leave(masks *m)
{
   const mask_frame *frame = &m->frames[hd_mach_mask_frame(m)->resume];

   if (frame->kind == FRAME_IF && frame->exact[frame->second])
      hd_mach_mask_move(m, hd_mach_mask_exec(m->p), hd_mach_mask_zero(m->p));
   hd_mach_mask_goto(m, hd_mach_mask_resume(m));
}

static void
jump(masks *m, const hd_block *b)
{
   unsigned leaves = hd_mach_mask_leaves(b);

   if (m->blocks[b->node.index].full) {
      full_jump(m, leaves);
      return;
   }
   hd_mach_mask_clear(m, leaves, hd_mach_mask_exec(m->p));
   m->returned |= leaves == LEAVES_RETURN;
   leave(m);
}

/* Blocks */

/* What select recorded of the end of a lane: here it is control flow. */
static void
remove_end(hd_mach_block *block)
{
   hd_mach_inst *last = block->last;

   if (last && (last->op == HD_MACH_P_HALT || last->op == HD_MACH_P_END))
      hd_mach_inst_remove(block, last);
}

/* What the last block of a list brings to the phis after it. Those of a header are for the end. */
static void
send(masks *m, hd_mach_block *block, const hd_block *b)
{
   hd_mach_block *to = block->edges[HD_MACH_LOGICAL].succs[0];
   mask_frame *frame = hd_mach_mask_frame(m);
   bool keep = false;

   if (hd_block_jump(b)) {
      keep = hd_mach_mask_jump_keeps(m, hd_mach_mask_leaves(b), m->blocks[b->node.index].full);
   } else if (frame->kind == FRAME_IF) {
      keep = frame->sent;
      frame->sent = true;
   } else if (frame->kind == FRAME_LOOP) {
      if (frame->in_continue_list)
         return;
      keep = frame->sent_next;
   }
   hd_mach_mask_send(m, block, to, hd_mach_mask_exec(m->p), keep);
}

static void
write_block(masks *m, const hd_block *b)
{
   hd_mach_block *block = block_of(m, b);
   const mask_frame *frame = hd_mach_mask_frame(m);
   bool goes_on = b->node.next != NULL; /* to an if or a loop in its list */

   remove_end(block);
   hd_mach_mask_open(m, block);
   block->exec_full = frame->resume == 0 && !m->returned;
   block->passive = frame->passive;
   if (frame->passive)
      return;
   if (!goes_on && block->edges[HD_MACH_LOGICAL].num_succs)
      send(m, block, b);
   if (hd_block_jump(b))
      jump(m, b);
}

/* Uniform branches */

static void
begin_uniform(masks *m, const hd_if *nif)
{
   const hd_mach_condition *condition = &block_of(m, hd_node_prev_block(&nif->node))->condition;
   bool swap = hd_mach_mask_else_first(m, nif);
   const hd_cf_list *second = swap ? &nif->then_list : &nif->else_list;
   bool on_true = swap != condition->negate;

   hd_mach_mask_branch(m, m->p->hooks->masks->branch_flag[on_true],
                       block_of(m, hd_list_first_block(second)));
   mask_frame *frame =
       hd_mach_mask_push(m, FRAME_UNIFORM, &m->nodes[hd_node_prev_block(&nif->node)->node.index]);
   frame->join = hd_mach_mask_control(m, hd_node_prev_block(&nif->node));
}

static void
else_of_uniform(masks *m)
{
   mask_frame *frame = hd_mach_mask_frame(m);

   frame->first_falls = m->block != NULL;
   frame->first_end = m->state;
   if (m->block)
      hd_mach_mask_goto(m, frame->join);
   m->state = frame->at;
}

static void
end_uniform(masks *m, const hd_if *nif)
{
   mask_frame *frame = hd_mach_mask_frame(m);
   const hd_block *after = hd_node_next_block(&nif->node);

   if (frame->first_falls)
      m->state = m->block ? join_states(m->state, frame->first_end) : frame->first_end;
   m->num_frames--;
   hd_mach_mask_place(m, frame->join);
   if (m->block)
      hd_mach_mask_skip_rest(m, after);
}

/* Loops */

/* A mask that has the value of exec, and that nothing changes while it is needed: lanes that leave
 * in these ways would be brought back by it.
 */
static uint32_t
save_exec(masks *m)
{
   if (m->state.same)
      return m->state.same;
   uint32_t temp = hd_mach_mask_temp(m);
   hd_mach_mask_move(m, mask_of(m, temp), hd_mach_mask_exec(m->p));
   return temp;
}

static bool
returns_inside(const mask_node *plan)
{
   return ((plan->list[0].leaves | plan->list[1].leaves) & LEAVES_RETURN) != 0;
}

/* The lanes that have not returned are kept from the first node of the function on that has a loop
 * with returns in it: before it, exec is just that.
 */
static void
keep_returned(masks *m, const mask_node *plan)
{
   if (m->num_frames != 1 || m->returned_live ||
       !((plan->list[0].leaves | plan->list[1].leaves) & LOOP_RETURNS))
      return;
   m->returned_live = save_exec(m);
   m->state.same = m->returned_live;
}

static void
begin_loop(masks *m, const hd_loop *loop)
{
   const mask_node *plan = &m->nodes[hd_node_prev_block(&loop->node)->node.index];
   bool apart = plan->left_apart || returns_inside(plan);
   uint32_t after = 0;

   keep_returned(m, plan);
   if (apart)
      after = save_exec(m);
   mask_frame *frame = hd_mach_mask_push(m, FRAME_LOOP, plan);
   frame->header = block_of(m, hd_loop_header(loop));
   frame->next = hd_mach_mask_control(m, hd_loop_header(loop));
   frame->exit = hd_mach_mask_control(m, hd_node_prev_block(&loop->node));
   frame->header->loop_header = true;
   frame->apart = apart;
   frame->after = after;
   frame->num_cleared = m->num_cleared;
   if (apart)
      m->state.same = 0;
}

static void
keep_waiting(masks *m, const mask_node *plan)
{
   if (!hd_mach_mask_begins_waiting(m, plan))
      return;
   uint32_t temp = hd_mach_mask_temp(m);
   hd_mach_mask_frame(m)->waiting = temp;
   hd_mach_mask_move(m, mask_of(m, temp), hd_mach_mask_exec(m->p));
}

static void
begin_continue_list(masks *m, const hd_loop *loop)
{
   mask_frame *frame = hd_mach_mask_frame(m);

   frame->in_continue_list = true;
   if (!hd_block_is_reachable(hd_loop_continue(loop)))
      return;
   if (frame->jumped)
      m->state = m->block ? join_states(m->state, frame->jumped_at) : frame->jumped_at;
   hd_mach_mask_place(m, frame->next);
   if (frame->waiting) {
      assert(m->block);
      hd_mach_mask_restore(m, frame->waiting, returns_inside(frame->plan));
      m->state.may_be_empty = true;
   }
   /* Where lanes left, only what is left of the body has been looked at. */
   if (m->block)
      hd_mach_mask_skip_rest(m, hd_loop_continue(loop));
}

static void
end_loop(masks *m, const hd_loop *loop)
{
   mask_frame frame = *hd_mach_mask_frame(m);
   const hd_block *after = hd_node_next_block(&loop->node);

   if (m->block && frame.apart && m->state.may_be_empty)
      hd_mach_mask_branch(m, m->p->hooks->masks->branch_some, frame.header);
   else if (m->block)
      hd_mach_mask_goto(m, frame.header);
   m->num_frames--;
   hd_mach_mask_place(m, frame.exit);
   m->state = frame.at;
   if (!m->block)
      return;
   if (!hd_block_is_reachable(after)) {
      /* All lanes have returned; none is left. */
      leave(m);
      return;
   }
   if (!frame.apart)
      return;
   hd_mach_mask_restore(m, frame.after, returns_inside(frame.plan));
   if (returns_inside(frame.plan)) {
      m->state.may_be_empty = true;
      m->returned = true;
      hd_mach_mask_skip_rest(m, after);
   }
}

/* The walk */

static void
write_if(masks *m, const hd_walk *walk)
{
   const hd_if *nif = hd_node_as_if(walk->node);
   const hd_block *before = hd_node_prev_block(walk->node);
   bool uniform = block_of(m, before)->condition.uniform;
   const mask_node *plan = &m->nodes[before->node.index];

   switch (walk->event) {
   case HD_WALK_IF:
      keep_returned(m, plan);
      if (uniform) {
         keep_waiting(m, plan);
         begin_uniform(m, nif);
      } else {
         hd_mach_mask_if(m, nif);
      }
      break;
   case HD_WALK_ELSE:
      if (uniform)
         else_of_uniform(m);
      else
         hd_mach_mask_else(m, nif);
      break;
   default:
      if (uniform)
         end_uniform(m, nif);
      else
         hd_mach_mask_end_if(m, nif);
      break;
   }
}

static void
write_node(masks *m, const hd_walk *walk)
{
   const hd_loop *loop = hd_node_as_loop(walk->node);

   switch (walk->event) {
   case HD_WALK_BLOCK:
      if (hd_block_is_reachable(hd_node_as_block(walk->node)))
         write_block(m, hd_node_as_block(walk->node));
      break;
   case HD_WALK_LOOP:
      begin_loop(m, loop);
      break;
   case HD_WALK_CONTINUE:
      begin_continue_list(m, loop);
      break;
   case HD_WALK_END_LOOP:
      end_loop(m, loop);
      break;
   default:
      write_if(m, walk);
      break;
   }
}

static void
write_tree(masks *m)
{
   hd_walk walk = { .else_first = hd_mach_mask_else_first, .user = m };

   m->p->first = m->p->last = NULL;
   m->end = hd_mach_block_create(m->p);
   hd_mach_mask_push(m, FRAME_FUNCTION, NULL);
   hd_walk_begin(&walk, m->p->function);
   do {
      const hd_cf_node *node = walk.node;
      hd_heap_step(m->p->stack->heap, 1);
      if (node->kind == HD_CF_BLOCK || hd_block_is_reachable(hd_node_prev_block(node)))
         write_node(m, &walk);
   } while (hd_walk_next(&walk));
   hd_mach_mask_place(m, m->end);
   if (m->block)
      hd_mach_mask_op(m, HD_MACH_P_END, (hd_mach_operand){ 0 }, (hd_mach_operand){ 0 },
                      (hd_mach_operand){ 0 });
}

bool
hd_mach_exec_mask(hd_mach_program *p)
{
   masks m = { .p = p };

   assert(p->function->structured);
   hd_mach_mask_prepare(&m);
   hd_mach_copy_scalars(p);
   hd_mach_mask_plan(&m);
   hd_mach_mask_find_entered(&m);
   hd_mach_mask_begin_phis(&m);
   hd_mach_mask_keep_bits(&m);
   write_tree(&m);
   hd_mach_split_edges(p);
   hd_mach_mask_finish_phis(&m);
   hd_mach_ssa_repair(p, &m.defs);
   hd_mach_mask_clean(p);
   return true;
}
