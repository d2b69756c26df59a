/* SPDX-License-Identifier: MIT */
/* frames.c - the stack of enclosing ifs and loops during the walk of a tree, and where the pc continues when
 * exec becomes empty in one.
 */
#include <assert.h>
#include <string.h>

#include "ir/private.h"
#include "machine/flow/exec_mask/exec_mask.h"

mask_frame *
hd_mach_mask_frame(masks *m)
{
   return &m->frames[m->num_frames - 1];
}

mask_frame *
hd_mach_mask_push(masks *m, mask_frame_kind kind, const mask_node *plan)
{
   if (m->num_frames == m->frame_capacity) {
      uint32_t capacity = m->frame_capacity ? m->frame_capacity * 2 : 16;
      mask_frame *frames = hd_stack_alloc(m->p->stack, capacity * sizeof(*frames));
      if (m->num_frames)
         memcpy(frames, m->frames, m->num_frames * sizeof(*frames));
      m->frames = frames;
      m->frame_capacity = capacity;
   }
   mask_frame *frame = &m->frames[m->num_frames++];
   *frame = (mask_frame){ .kind = kind, .plan = plan, .at = m->state };
   frame->resume = m->num_frames - 1;
   frame->loop = m->num_frames > 1 ? frame[-1].loop : 0;
   if (kind == FRAME_UNIFORM)
      frame->resume = frame[-1].resume;
   if (kind == FRAME_LOOP)
      frame->loop = m->num_frames - 1;
   return frame;
}

hd_mach_block *
hd_mach_mask_resume(masks *m)
{
   const mask_frame *frame = &m->frames[hd_mach_mask_frame(m)->resume];

   switch (frame->kind) {
   case FRAME_FUNCTION:
      return m->end;
   case FRAME_IF:
      return frame->middle && !frame->second ? frame->middle : frame->join;
   case FRAME_LOOP:
      return frame->waiting && !frame->in_continue_list ? frame->next : frame->exit;
   case FRAME_UNIFORM:
      break;
   }
   assert(!"a frame without exec masks");
   return NULL;
}

void
hd_mach_mask_skip(masks *m, hd_mach_block *target, uint32_t cost, bool must)
{
   if (!m->state.may_be_empty || !m->p->hooks->masks->skip_pays(m->p, cost, must))
      return;
   hd_mach_mask_branch(m, m->p->hooks->masks->branch_none, target);
   m->state.may_be_empty = false;
}

void
hd_mach_mask_skip_rest(masks *m, const hd_block *b)
{
   const mask_block *plan = &m->blocks[b->node.index];

   hd_mach_mask_skip(m, hd_mach_mask_resume(m), plan->rest, plan->rest_must_skip);
}

void
hd_mach_mask_restore(masks *m, uint32_t saved, bool returns)
{
   bool live = returns && saved != m->returned_live;

   if (live)
      hd_mach_mask_narrow(m, hd_mach_mask_exec(m->p), hd_mach_operand_temp(m->p, saved),
                          hd_mach_operand_temp(m->p, m->returned_live), false);
   else
      hd_mach_mask_move(m, hd_mach_mask_exec(m->p), hd_mach_operand_temp(m->p, saved));
   m->state.same = live ? 0 : saved;
}

/* A block for control alone, as often run as this one. */
hd_mach_block *
hd_mach_mask_control(masks *m, const hd_block *like)
{
   hd_mach_block *block = hd_mach_block_create(m->p);

   block->loop_depth = m->p->by_ir[like->node.index]->loop_depth;
   return block;
}

/* Where lanes continue while others go on, exec is kept from before the first of them on. */
bool
hd_mach_mask_begins_waiting(masks *m, const mask_node *plan)
{
   const mask_frame *frame = hd_mach_mask_frame(m);

   return frame->kind == FRAME_LOOP && !frame->waiting && !frame->in_continue_list &&
          frame->plan->list[0].leaves & LEAVES_CONTINUE &&
          (plan->list[0].leaves | plan->list[1].leaves) & CONTINUES;
}
