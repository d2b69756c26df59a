/* SPDX-License-Identifier: MIT */
/* stack.c - control-flow lowering for a hardware mask stack: push, else, pop, loops; the stack depth. */
#include "machine/flow/tree_walk.h"

typedef struct depth {
   uint32_t now, most;
} depth;

static const hd_mach_control_stack *
ops_of(const tree_walk *w)
{
   return w->p->hooks->control_stack;
}

static void
deepen(tree_walk *w, uint32_t size)
{
   depth *d = w->user;

   d->now += size;
   d->most = d->now > d->most ? d->now : d->most;
}

static void
branch_none(tree_walk *w, hd_mach_block *none)
{
   hd_mach_tree_branch(w, ops_of(w)->none, NULL, none);
}

static void
begin_if(tree_walk *w, const hd_mach_condition *condition, hd_mach_block *none)
{
   deepen(w, ops_of(w)->if_size);
   hd_mach_tree_emit(w, ops_of(w)->push, condition);
   branch_none(w, none);
}

static void
begin_else(tree_walk *w, hd_mach_block *none)
{
   hd_mach_tree_emit(w, ops_of(w)->invert, NULL);
   branch_none(w, none);
}

static void
end_if(tree_walk *w, hd_mach_block *none)
{
   ((depth *)w->user)->now -= ops_of(w)->if_size;
   hd_mach_tree_emit(w, ops_of(w)->pop, NULL);
   if (none)
      branch_none(w, none);
}

static void
begin_loop(tree_walk *w)
{
   deepen(w, ops_of(w)->loop_size);
   hd_mach_tree_emit(w, ops_of(w)->loop_begin, NULL);
}

static void
leave(tree_walk *w, tree_leave how, hd_mach_block *none, hd_mach_block *latch)
{
   const uint16_t ops[TREE_NUM_LEAVES] = {
      [TREE_BREAK] = ops_of(w)->loop_break,
      [TREE_CONTINUE] = ops_of(w)->loop_continue,
      [TREE_END] = ops_of(w)->end_lanes,
   };

   (void)latch;
   hd_mach_tree_emit(w, ops[how], NULL);
   hd_mach_tree_go(w, none);
}

static void
end_loop(tree_walk *w, hd_mach_block *header)
{
   hd_mach_tree_branch(w, ops_of(w)->loop_end, NULL, header);
}

static void
after_loop(tree_walk *w)
{
   ((depth *)w->user)->now -= ops_of(w)->loop_size;
}

bool
hd_mach_stack_flow(hd_mach_program *p)
{
   static const tree_writer writer = { begin_if, begin_else, end_if,    begin_loop,
                                       leave,    end_loop,   after_loop };
   depth d = { 0 };
   tree_walk w = { .p = p,
                   .writer = &writer,
                   .jumps = &p->hooks->control_stack->jumps,
                   .end_lanes = p->hooks->control_stack->end_lanes,
                   .none = p->hooks->control_stack->none,
                   .user = &d };

   if (!hd_mach_tree_write(&w))
      return false;
   p->stack_depth = d.most;
   if (d.most > p->hooks->control_stack->limit)
      return hd_mach_refuse(p, NULL, "control flow takes %u entries of the stack, which has %u",
                            d.most, p->hooks->control_stack->limit);
   return true;
}
