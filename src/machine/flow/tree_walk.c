/* SPDX-License-Identifier: MIT */
/* tree_walk.c - control-flow lowering: the walk over a tree for hardware that maintains exec masks. */
#include "machine/flow/tree_walk.h"

#include <assert.h>
#include <string.h>

#include "heddle/analysis.h"
#include "heddle/walk.h"

static hd_mach_block *
block_of(const tree_walk *w, const hd_block *b)
{
   return w->p->by_ir[b->node.index];
}

static hd_mach_block *
control(tree_walk *w, const hd_block *like)
{
   hd_mach_block *block = hd_mach_block_create(w->p);

   block->loop_depth = block_of(w, like)->loop_depth;
   return block;
}

/* Code */

hd_mach_inst *
hd_mach_tree_emit(tree_walk *w, unsigned op, const hd_mach_condition *condition)
{
   hd_mach_inst *inst = hd_mach_jump(w->p, w->jumps, w->at, op, condition);

   hd_mach_inst_append(w->at, inst);
   if (!w->at->tail)
      w->at->tail = inst;
   return inst;
}

void
hd_mach_tree_branch(tree_walk *w, unsigned op, const hd_mach_condition *condition,
                    hd_mach_block *target)
{
   hd_mach_tree_emit(w, op, condition)->target = target;
   hd_mach_edge_add(w->p, HD_MACH_LINEAR, w->at, target);
}

void
hd_mach_tree_go(tree_walk *w, hd_mach_block *target)
{
   hd_mach_edge_add(w->p, HD_MACH_LINEAR, w->at, target);
   w->at = NULL;
}

/* Next in the code; what is being written falls into it. */
static void
open(tree_walk *w, hd_mach_block *block)
{
   if (w->at)
      hd_mach_edge_add(w->p, HD_MACH_LINEAR, w->at, block);
   hd_mach_block_append(w->p, block);
   w->at = block;
}

/* The same of a block made for control: only where the pc reaches it. */
static void
open_control(tree_walk *w, hd_mach_block *block)
{
   if (w->at || block->edges[HD_MACH_LINEAR].num_preds)
      open(w, block);
}

/* Frames */

static tree_frame *
top(tree_walk *w)
{
   return &w->frames[w->num_frames - 1];
}

static tree_frame *
push(tree_walk *w, tree_frame_kind kind)
{
   if (w->num_frames == w->frame_capacity) {
      const uint32_t capacity = w->frame_capacity ? w->frame_capacity * 2 : 16;
      tree_frame *frames = hd_stack_alloc(w->p->stack, capacity * sizeof(*frames));
      if (w->num_frames)
         memcpy(frames, w->frames, w->num_frames * sizeof(*frames));
      w->frames = frames;
      w->frame_capacity = capacity;
   }
   const uint32_t n = w->num_frames++;
   w->frames[n] = (tree_frame){ .kind = kind, .resume = n, .loop = n ? w->frames[n - 1].loop : 0 };
   if (kind == TREE_UNIFORM || kind == TREE_UNIFORM_LOOP)
      w->frames[n].resume = w->frames[n - 1].resume;
   if (kind == TREE_LOOP || kind == TREE_UNIFORM_LOOP)
      w->frames[n].loop = n;
   return &w->frames[n];
}

/* Lanes that left an inner node have left this one, too; those that broke out of it are back. */
static tree_frame
pop(tree_walk *w)
{
   const tree_frame frame = *top(w);

   w->num_frames--;
   top(w)->left |= frame.kind == TREE_LOOP ? frame.ended : frame.left;
   top(w)->ended |= frame.ended;
   return frame;
}

/* Where other lanes may be when none is active. */
static hd_mach_block *
resume(tree_walk *w)
{
   const tree_frame *frame = &w->frames[top(w)->resume];

   switch (frame->kind) {
   case TREE_IF:
      return frame->middle && !frame->second ? frame->middle : frame->join;
   case TREE_LOOP:
      return frame->latch;
   default:
      return w->end;
   }
}

/* Blocks */

/* A list that is nothing but a block without code, and without copies for phis. */
static bool
is_void(const tree_walk *w, const hd_cf_list *list)
{
   const hd_mach_block *block = block_of(w, hd_list_first_block(list));
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   if (list->first->next || hd_block_jump(block->ir) || block->first || edges->num_succs != 1)
      return false;
   for (const hd_mach_inst *phi = edges->succs[0]->first; phi && hd_mach_is_phi(phi);
        phi = phi->next) {
      if (!(hd_mach_src(phi, w->place[block->index])->flags & HD_MACH_OPERAND_UNDEF))
         return false;
   }
   return true;
}

/* A list without code comes last: then it needs none. */
static bool
else_first(void *user, const hd_if *nif)
{
   return is_void(user, &nif->then_list) && !is_void(user, &nif->else_list);
}

static void
send(tree_walk *w, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   for (uint32_t n = 0; n < edges->num_succs; n++) {
      const hd_mach_block *to = edges->succs[n];
      if (edges->num_succs == 1 || to->edges[HD_MACH_LOGICAL].num_preds == 1)
         hd_mach_send_scalars(w->p, &w->defs, block, to,
                              edges->num_succs == 1 ? w->place[block->index] : 0);
   }
}

static bool
end_lanes(tree_walk *w, const hd_block *b)
{
   if (w->frames[top(w)->resume].kind == TREE_FUNCTION) {
      hd_mach_tree_go(w, w->end);
      return true;
   }
   if (w->end_lanes == HD_MACH_OP_NONE || (top(w)->loop && w->none == HD_MACH_OP_NONE))
      return hd_mach_refuse(
          w->p, &hd_block_jump(b)->instr,
          "a lane that ends before others (lower_early_returns is not in the list of "
          "passes, or it halts)");
   top(w)->left = top(w)->ended = true;
   w->writer->leave(w, TREE_END, resume(w), NULL);
   return true;
}

static bool
write_jump(tree_walk *w, const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   const tree_frame *loop = &w->frames[top(w)->loop];

   if (jump->instr.op != HD_JUMP_BREAK && jump->instr.op != HD_JUMP_CONTINUE)
      return end_lanes(w, b);
   if (loop->kind == TREE_UNIFORM_LOOP) {
      if (w->at)
         hd_mach_tree_go(w, jump->instr.op == HD_JUMP_BREAK ? loop->join : loop->latch);
      return true;
   }
   if (jump->instr.op == HD_JUMP_CONTINUE && (!loop->rotated || top(w) == loop))
      return true; /* it is next, or the latch is */
   top(w)->left = true;
   w->writer->leave(w, jump->instr.op == HD_JUMP_BREAK ? TREE_BREAK : TREE_CONTINUE, resume(w),
                    loop->latch);
   return true;
}

static bool
write_block(tree_walk *w, const hd_block *b)
{
   hd_mach_block *block = block_of(w, b);
   const tree_frame *frame = top(w);

   if (block->last && (block->last->op == HD_MACH_P_HALT || block->last->op == HD_MACH_P_END))
      hd_mach_inst_remove(block, block->last);
   /* The pc goes through it only if it comes this way for others. */
   block->passive = frame->kind == TREE_IF && frame->second && !frame->middle;
   const bool is_passed = !block->passive || w->at;
   open(w, block);
   send(w, block);
   if (!is_passed)
      w->at = NULL;
   if (hd_block_jump(b))
      return write_jump(w, b);
   if (!b->node.next && b->node.list == &w->p->function->body)
      hd_mach_tree_go(w, w->end);
   return true;
}

/* Ifs */

static bool
has_jumps(const tree_walk *w)
{
   return w->jumps->flag[0] != HD_MACH_OP_NONE && w->jumps->flag[1] != HD_MACH_OP_NONE;
}

static bool
is_jump(const tree_walk *w, const hd_mach_condition *condition)
{
   return condition->uniform && has_jumps(w);
}

static void
begin_if(tree_walk *w, const hd_if *nif)
{
   const hd_block *before = hd_node_prev_block(&nif->node);
   hd_mach_condition condition = block_of(w, before)->condition;
   const bool swap = else_first(w, nif);
   const hd_cf_list *second = swap ? &nif->then_list : &nif->else_list;

   condition.negate ^= swap;
   if (is_jump(w, &condition)) {
      hd_mach_tree_branch(w, w->jumps->flag[condition.negate], NULL,
                          block_of(w, hd_list_first_block(second)));
      push(w, TREE_UNIFORM)->join = control(w, before);
      return;
   }
   hd_mach_block *middle = is_void(w, second) ? NULL : control(w, before);
   hd_mach_block *join = control(w, before);
   w->writer->begin_if(w, &condition, middle ? middle : join);
   tree_frame *frame = push(w, TREE_IF);
   frame->middle = middle;
   frame->join = join;
}

static void
begin_second(tree_walk *w)
{
   tree_frame *frame = top(w);

   frame->second = true;
   if (frame->kind == TREE_UNIFORM) {
      if (w->at)
         hd_mach_tree_go(w, frame->join);
   } else if (frame->middle) {
      open_control(w, frame->middle);
      w->writer->begin_else(w, frame->join);
   }
}

static void
end_if(tree_walk *w, const hd_if *nif)
{
   const bool reached = hd_block_is_reachable(hd_node_next_block(&nif->node));
   const tree_frame frame = pop(w);

   open_control(w, frame.join);
   if (frame.kind == TREE_UNIFORM)
      return;
   w->writer->end_if(w, frame.left && reached ? resume(w) : NULL);
   if (!reached)
      hd_mach_tree_go(w, resume(w));
}

/* Loops */

static void
begin_loop(tree_walk *w, const hd_loop *loop)
{
   const hd_block *next = hd_loop_continue(loop);
   const hd_mach_edges *in = &block_of(w, next)->edges[HD_MACH_LOGICAL];

   if (w->uniform_loops[hd_loop_header(loop)->node.index]) {
      tree_frame *frame = push(w, TREE_UNIFORM_LOOP);
      frame->header = block_of(w, hd_loop_header(loop));
      frame->header->loop_header = true;
      frame->latch = block_of(w, next);
      frame->join = control(w, hd_node_next_block(&loop->node));
      return;
   }
   hd_mach_block *latch = control(w, hd_loop_header(loop));
   w->writer->begin_loop(w);
   tree_frame *frame = push(w, TREE_LOOP);
   frame->header = block_of(w, hd_loop_header(loop));
   frame->latch = latch;
   frame->before = w->at;
   frame->rotated = hd_block_is_reachable(next) &&
                    (in->num_preds > 1 || in->preds[0]->ir != hd_list_last_block(&loop->body));
   frame->header->loop_header = !frame->rotated;
}

static void
begin_continue_list(tree_walk *w, const hd_loop *loop)
{
   tree_frame *frame = top(w);

   frame->in_continue_list = true;
   if (!frame->rotated)
      return;
   open_control(w, frame->latch);
   w->writer->end_loop(w, block_of(w, hd_loop_continue(loop)));
   frame->last = w->p->last;
   w->at = NULL;
}

/* The blocks after `last` come after `before`. */
static void
move_list(hd_mach_program *p, hd_mach_block *before, hd_mach_block *last)
{
   hd_mach_block *first = last->next, *end = p->last, *header = before->next;

   if (!first)
      return;
   last->next = NULL;
   p->last = last;
   before->next = first;
   first->prev = before;
   end->next = header;
   header->prev = end;
}

/* In a block of its own: the one before has a branch. What computes scalars must not run without
 * lanes: it would write over those of lanes that wait.
 */
static void
branch_none(tree_walk *w)
{
   hd_mach_block *block = hd_mach_block_create(w->p);

   block->loop_depth = w->at->loop_depth;
   open(w, block);
   hd_mach_tree_branch(w, w->none, NULL, resume(w));
}

static void
end_loop(tree_walk *w, const hd_loop *loop)
{
   const tree_frame frame = pop(w);

   if (frame.kind == TREE_UNIFORM_LOOP) {
      if (w->at)
         hd_mach_tree_go(w, frame.header);
      open_control(w, frame.join);
      return;
   }
   w->writer->after_loop(w);
   if (frame.rotated) {
      if (w->at)
         hd_mach_tree_go(w, frame.header);
      move_list(w->p, frame.before, frame.last);
      w->at = frame.latch;
   } else {
      open_control(w, frame.latch);
      if (!w->at)
         return;
      w->writer->end_loop(w, frame.header);
   }
   if (!hd_block_is_reachable(hd_node_next_block(&loop->node)))
      hd_mach_tree_go(w, resume(w));
   else if (frame.ended)
      branch_none(w);
}

/* The walk */

static bool
write_node(tree_walk *w, const hd_walk *walk)
{
   const hd_loop *loop = hd_node_as_loop(walk->node);
   const hd_if *nif = hd_node_as_if(walk->node);

   switch (walk->event) {
   case HD_WALK_BLOCK:
      return !hd_block_is_reachable(hd_node_as_block(walk->node)) ||
             write_block(w, hd_node_as_block(walk->node));
   case HD_WALK_IF:
      begin_if(w, nif);
      break;
   case HD_WALK_ELSE:
      begin_second(w);
      break;
   case HD_WALK_END_IF:
      end_if(w, nif);
      break;
   case HD_WALK_LOOP:
      begin_loop(w, loop);
      break;
   case HD_WALK_CONTINUE:
      begin_continue_list(w, loop);
      break;
   case HD_WALK_END_LOOP:
      end_loop(w, loop);
      break;
   }
   return true;
}

bool
hd_mach_tree_write(tree_walk *w)
{
   hd_walk walk = { .else_first = else_first, .user = w };
   hd_mach_program *p = w->p;

   assert(p->function->structured);
   if (!hd_mach_check_flow(p) || hd_require(p->function, HD_META_BLOCK_ORDER) != HD_OK)
      return false;
   hd_mach_drop_unreachable_preds(p);
   hd_mach_read_scalars(p);
   hd_mach_copy_scalars(p);
   w->place = hd_mach_place_edges(p);
   p->first = p->last = NULL;
   w->end = hd_mach_block_create(p);
   w->uniform_loops =
       hd_stack_alloc_zero(p->stack, (p->function->num_blocks + (size_t)1) * sizeof(bool));
   if (has_jumps(w))
      hd_mach_find_uniform_loops(p, w->uniform_loops);
   push(w, TREE_FUNCTION);
   hd_walk_begin(&walk, p->function);
   do {
      const hd_cf_node *node = walk.node;
      hd_heap_step(p->stack->heap, 1);
      if ((node->kind == HD_CF_BLOCK || hd_block_is_reachable(hd_node_prev_block(node))) &&
          !write_node(w, &walk))
         return false;
   } while (hd_walk_next(&walk));
   w->at = NULL;
   if (w->end->edges[HD_MACH_LINEAR].num_preds) {
      hd_mach_block_append(p, w->end);
      w->end->tail = hd_mach_inst_create(p, HD_MACH_P_END, 0, 0);
      hd_mach_inst_append(w->end, w->end->tail);
   }
   hd_mach_finish_flow(p, &w->defs, w->fixed_edges ? w->jumps : NULL);
   return true;
}
