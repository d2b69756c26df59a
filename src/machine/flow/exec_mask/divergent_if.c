/* SPDX-License-Identifier: MIT */
/* divergent_if.c - exec masks of divergent ifs: save, narrow, invert, restore.
 *
 *    s_and_saveexec saved, c           s_and_saveexec saved, c        s_andn2 others, exec, c
 *    s_cbranch_execz middle            s_cbranch_execz join           s_and exec, exec, c
 *       first list                        first list                     first list, that some
 *    middle:                           join:                             of its lanes leave
 *    s_andn2 exec, saved, exec         s_mov exec, saved              join:
 *    s_cbranch_execz join                                             s_or exec, exec, others
 *       second list
 *    join:
 *    s_mov exec, saved
 *
 * An arm that all its lanes leave by a jump comes first: after `middle` exec is right for the other
 * arm, and nothing is restored. If that arm has no other code, the if is one s_andn2 exec, exec, c.
 */
#include <assert.h>
#include <string.h>

#include "heddle/analysis.h"
#include "ir/private.h"
#include "machine/flow/exec_mask/exec_mask.h"

static hd_mach_operand
mask_of(const masks *m, uint32_t temp)
{
   return hd_mach_operand_temp(m->p, temp);
}

static hd_mach_block *
block_before(const masks *m, const hd_if *nif)
{
   return m->p->by_ir[hd_node_prev_block(&nif->node)->node.index];
}

static mask_node *
plan_of(const masks *m, const hd_if *nif)
{
   return &m->nodes[hd_node_prev_block(&nif->node)->node.index];
}

bool
hd_mach_mask_else_first(void *user, const hd_if *nif)
{
   const masks *m = user;
   const mask_list *then_list = &plan_of(m, nif)->list[0];
   const mask_list *else_list = &plan_of(m, nif)->list[1];

   if (block_before(m, nif)->condition.uniform)
      return false;
   if (then_list->falls != else_list->falls)
      return then_list->falls;
   return then_list->is_empty && !else_list->is_empty;
}

/* The list that is written first, or second. */
static const hd_cf_list *
list_of(const masks *m, const hd_if *nif, bool second)
{
   return hd_mach_mask_else_first((void *)m, nif) != second ? &nif->else_list : &nif->then_list;
}

static const mask_list *
plan_of_list(const masks *m, const hd_if *nif, bool second)
{
   return &plan_of(m, nif)->list[list_of(m, nif, second) == &nif->else_list];
}

static const hd_block *
last_block(const masks *m, const hd_if *nif, bool second)
{
   return hd_list_last_block(list_of(m, nif, second));
}

/* How exec is restored */

/* Lanes that leave in these ways are taken out of `temp` by those that do. */
static bool
is_cleared_by(masks *m, uint32_t temp, unsigned leaves)
{
   const mask_frame *loop = &m->frames[hd_mach_mask_frame(m)->loop];

   if (temp == loop->waiting && !loop->in_continue_list)
      return !(leaves & ~(unsigned)LEAVES_BREAK);
   if (temp == m->returned_live)
      return !(leaves & ~(unsigned)LEAVES_RETURN);
   return false;
}

static unsigned
num_sites(const mask_list *list)
{
   return list->inner_sites + list->return_sites;
}

/* The first list ends with the jump that all of its lanes take, and no lane left before. */
static bool
jumps_at_its_end(const masks *m, const hd_if *nif, const mask_list *plan)
{
   return !plan->falls && num_sites(plan) == 1 && hd_block_jump(last_block(m, nif, false));
}

/* A jump takes its lanes out of each saved mask around it. Of more than these each gets phis at each
 * join further out, too: in a deep nest of ifs that would be a quadratic number.
 */
#define MAX_CLEARED 16u

static bool
may_clear_more(const masks *m, const mask_frame *frame, unsigned leaves)
{
   const uint32_t first = leaves & LEAVES_RETURN ? 0 : m->frames[frame->loop].num_cleared;

   return m->num_cleared - first < MAX_CLEARED;
}

static void
choose_restore(masks *m, const hd_if *nif, mask_frame *frame, bool waits)
{
   const mask_list *first = plan_of_list(m, nif, false);
   const mask_list *second = plan_of_list(m, nif, true);
   unsigned leaves = (first->leaves | second->leaves) & LEAVES_APART;
   uint32_t same = frame->at.same;

   frame->subtract_exec =
       !(first->leaves & LEAVES_APART) ? first->falls : jumps_at_its_end(m, nif, first);
   if (!first->falls || !second->falls) {
      frame->restore = RESTORE_NOTHING;
   } else if (!leaves || (same && is_cleared_by(m, same, leaves))) {
      frame->restore = RESTORE_SAVED;
   } else if (num_sites(first) + num_sites(second) == 1 && !waits &&
              may_clear_more(m, frame, leaves)) {
      frame->restore = RESTORE_SAVED;
      frame->cleared = true;
   } else {
      frame->restore = RESTORE_OTHERS;
      frame->exact[0] = true;
      frame->exact[1] = frame->middle != NULL;
   }
}

/* The branch */

/* saved = exec, exec = exec & c; only if no temp equals exec already. */
static void
save_and_narrow(masks *m, mask_frame *frame, uint32_t saved)
{
   hd_mach_operand exec = hd_mach_mask_exec(m->p);

   if (!frame->negate) {
      hd_mach_mask_op(m, m->p->hooks->masks->and_save, mask_of(m, saved), frame->condition,
                      (hd_mach_operand){ 0 });
   } else if (m->p->hooks->masks->and_not_save != HD_MACH_OP_NONE) {
      hd_mach_mask_op(m, m->p->hooks->masks->and_not_save, mask_of(m, saved), frame->condition,
                      (hd_mach_operand){ 0 });
   } else {
      hd_mach_mask_move(m, mask_of(m, saved), exec);
      hd_mach_mask_narrow(m, exec, exec, frame->condition, true);
   }
}

/* A negated condition without other users becomes the inverse compare. */
static void
drop_negation(masks *m, mask_frame *frame)
{
   hd_mach_operand condition = frame->condition;

   if (!frame->negate || !(condition.flags & HD_MACH_OPERAND_TEMP) ||
       condition.value >= m->num_inside || m->uses[condition.value] != 1 ||
       !m->p->hooks->masks->inverse_compare)
      return;
   hd_mach_inst *def = m->p->temps[condition.value].def;
   unsigned inverse = def ? m->p->hooks->masks->inverse_compare(def->op) : HD_MACH_OP_NONE;
   if (inverse == HD_MACH_OP_NONE)
      return;
   def->op = (uint16_t)inverse;
   frame->negate = false;
}

/* All lanes are here that the program started with, and not all of them jump. */
static bool
some_stay(const masks *m, const mask_frame *frame)
{
   const hd_mach_masks *hooks = m->p->hooks->masks;

   return frame == &m->frames[1] && !m->returned && !frame->negate && hooks->spares_some &&
          hooks->spares_some(m->p, frame->condition);
}

/* Lanes that jump at once: `jump` is the block that does so. */
static void
fold_jump(masks *m, mask_frame *frame, const hd_block *jump)
{
   hd_mach_block *from = m->p->by_ir[jump->node.index];
   hd_mach_block *before = m->block;
   hd_mach_operand exec = hd_mach_mask_exec(m->p), lanes = frame->condition;
   unsigned leaves = hd_mach_mask_leaves(jump);
   const hd_mach_edges *edges = &from->edges[HD_MACH_LOGICAL];
   hd_mach_block *to = edges->num_succs ? edges->succs[0] : NULL;
   bool keep = hd_mach_mask_jump_keeps(m, leaves, false);
   bool negate = frame->negate;

   if (hd_mach_mask_must_clear(m, leaves) || (to && hd_mach_mask_has_mask_phi(to))) {
      if (negate || !hd_mach_mask_is_inside(m, frame->condition, before)) {
         lanes = mask_of(m, hd_mach_mask_temp(m));
         hd_mach_mask_narrow(m, lanes, exec, frame->condition, negate);
         negate = false;
      }
      if (to)
         hd_mach_mask_send(m, from, to, lanes, keep);
      hd_mach_mask_clear(m, leaves, lanes);
   } else if (to) {
      hd_mach_mask_send(m, from, to, exec, keep);
   }
   m->returned |= leaves == LEAVES_RETURN;
   hd_mach_mask_narrow(m, exec, exec, lanes, !negate);
}

/* exec becomes the lanes of the first list. */
static void
narrow_to_first(masks *m, mask_frame *frame, bool waits)
{
   mask_frame *loop = &m->frames[frame->loop];
   hd_mach_operand exec = hd_mach_mask_exec(m->p);
   bool needs_saved = frame->restore == RESTORE_SAVED || frame->middle || waits;
   uint32_t same = frame->at.same;

   if (frame->cleared || (waits && loop->plan->list[0].leaves & LEAVES_BREAK))
      same = 0;
   if (same) {
      frame->saved = same;
   } else if (needs_saved) {
      frame->saved = hd_mach_mask_temp(m);
      if (frame->restore == RESTORE_OTHERS && !frame->middle)
         hd_mach_mask_move(m, mask_of(m, frame->saved), exec);
   }
   if (waits)
      loop->waiting = frame->saved;
   if (frame->restore == RESTORE_OTHERS && !frame->middle) {
      frame->others = hd_mach_mask_temp(m);
      hd_mach_mask_narrow(m, mask_of(m, frame->others), exec, frame->condition, !frame->negate);
      hd_mach_mask_narrow(m, exec, exec, frame->condition, frame->negate);
   } else if (same || !needs_saved) {
      hd_mach_mask_narrow(m, exec, same ? mask_of(m, same) : exec, frame->condition, frame->negate);
   } else {
      save_and_narrow(m, frame, frame->saved);
   }
   if (frame->cleared)
      hd_mach_mask_add_cleared(m, frame->saved);
}

static void
begin_first(masks *m, mask_frame *frame, const hd_block *jump, bool waits)
{
   mask_frame *loop = &m->frames[frame->loop];
   bool inside = !frame->negate && frame->condition.flags & HD_MACH_OPERAND_TEMP &&
                 hd_mach_mask_is_inside(m, frame->condition, m->block);
   const bool empties = !jump || !some_stay(m, frame);

   if (jump) {
      bool continues = hd_mach_mask_leaves(jump) == LEAVES_CONTINUE;
      uint32_t waiting = waits ? hd_mach_mask_temp(m) : 0;
      if (waits && continues)
         hd_mach_mask_move(m, mask_of(m, waiting), hd_mach_mask_exec(m->p));
      fold_jump(m, frame, jump);
      if (waits && !continues)
         hd_mach_mask_move(m, mask_of(m, waiting), hd_mach_mask_exec(m->p));
      if (waits)
         loop->waiting = waiting;
      m->state.same = 0;
   } else {
      narrow_to_first(m, frame, waits);
      m->state.same = inside ? frame->condition.value : 0;
   }
   m->state.may_be_empty = empties;
}

void
hd_mach_mask_if(masks *m, const hd_if *nif)
{
   hd_mach_block *before = block_before(m, nif);
   const hd_block *after = hd_node_next_block(&nif->node);
   const mask_node *plan = plan_of(m, nif);
   const mask_list *first = plan_of_list(m, nif, false);
   const mask_list *second = plan_of_list(m, nif, true);
   bool waits = hd_mach_mask_begins_waiting(m, plan);
   bool folded = first->is_void && !first->falls;
   mask_frame *frame = hd_mach_mask_push(m, FRAME_IF, plan);

   frame->condition = before->condition.value;
   frame->negate = (list_of(m, nif, false) == &nif->else_list) != before->condition.negate;
   drop_negation(m, frame);
   frame->join = hd_mach_mask_control(m, after);
   if (!folded && (!second->is_void || !first->falls))
      frame->middle = hd_mach_mask_control(m, after);
   choose_restore(m, nif, frame, waits);
   if (first->is_empty && !first->is_void)
      hd_mach_mask_lift_copies(m, before, m->p->by_ir[last_block(m, nif, false)->node.index]);
   if (second->is_empty && !second->is_void)
      hd_mach_mask_lift_copies(m, before, m->p->by_ir[last_block(m, nif, true)->node.index]);

   if (second->is_void && second->falls && !frame->middle && !folded) {
      hd_mach_block *from = m->p->by_ir[last_block(m, nif, true)->node.index];
      hd_mach_mask_send(m, from, m->p->by_ir[after->node.index], hd_mach_mask_exec(m->p), false);
      frame->sent = true;
   }
   begin_first(m, frame, folded ? last_block(m, nif, false) : NULL, waits);
   if (folded) {
      frame->passive = true;
      frame->resume = frame[-1].resume;
      const mask_block *rest = &m->blocks[after->node.index];
      hd_mach_mask_skip(m, hd_mach_mask_resume(m), second->cost + rest->rest,
                        second->must_skip || rest->rest_must_skip);
   } else {
      hd_mach_mask_skip(m, hd_mach_mask_resume(m), first->cost, first->must_skip);
   }
}

/* Between the lists */

void
hd_mach_mask_else(masks *m, const hd_if *nif)
{
   mask_frame *frame = hd_mach_mask_frame(m);
   const mask_list *first = plan_of_list(m, nif, false);
   const mask_list *second = plan_of_list(m, nif, true);
   const mask_block *rest = &m->blocks[hd_node_next_block(&nif->node)->node.index];
   hd_mach_operand exec = hd_mach_mask_exec(m->p);
   bool folded = frame->passive;

   frame->second = true;
   frame->passive = !folded && !frame->middle;
   if (!frame->middle)
      return;
   hd_mach_mask_place(m, frame->middle);
   if (frame->restore == RESTORE_OTHERS) {
      bool known = !(first->leaves & LEAVES_APART) && !frame->negate &&
                   hd_mach_mask_is_inside(m, frame->condition, block_before(m, nif));
      if (known && frame->condition.flags & HD_MACH_OPERAND_TEMP) {
         frame->others = frame->condition.value;
      } else {
         frame->others = hd_mach_mask_temp(m);
         hd_mach_mask_move(m, mask_of(m, frame->others), exec);
      }
   }
   if (frame->subtract_exec)
      hd_mach_mask_narrow(m, exec, mask_of(m, frame->saved), exec, true);
   else
      hd_mach_mask_narrow(m, exec, mask_of(m, frame->saved), frame->condition, !frame->negate);
   m->state = (mask_state){ .may_be_empty = true };
   if (frame->restore == RESTORE_NOTHING) {
      frame->resume = frame[-1].resume;
      hd_mach_mask_skip(m, hd_mach_mask_resume(m), second->cost + rest->rest,
                        second->must_skip || rest->rest_must_skip);
   } else {
      /* Beside a load in flight a branch takes no time, and code would wait for it. */
      hd_mach_mask_skip(m, frame->join, second->cost ? second->cost + first->in_flight : 0,
                        second->must_skip);
   }
}

void
hd_mach_mask_end_if(masks *m, const hd_if *nif)
{
   mask_frame frame = *hd_mach_mask_frame(m);
   const hd_block *after = hd_node_next_block(&nif->node);
   bool leaves = ((frame.plan->list[0].leaves | frame.plan->list[1].leaves) & LEAVES_APART) != 0;

   m->num_frames--;
   if (frame.cleared)
      m->num_cleared--;
   if (frame.restore != RESTORE_NOTHING) {
      hd_mach_mask_place(m, frame.join);
      assert(m->block && hd_block_is_reachable(after));
      m->state.may_be_empty = leaves || frame.at.may_be_empty;
   }
   if (frame.restore == RESTORE_SAVED) {
      hd_mach_mask_restore(m, frame.saved, false);
   } else if (frame.restore == RESTORE_OTHERS) {
      hd_mach_mask_op(m, m->p->hooks->masks->or_masks, hd_mach_mask_exec(m->p),
                      hd_mach_mask_exec(m->p), mask_of(m, frame.others));
      m->state.same = 0;
   }
   if (m->block)
      hd_mach_mask_skip_rest(m, after);
}
