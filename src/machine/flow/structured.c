/* SPDX-License-Identifier: MIT */
/* structured.c - control-flow lowering to structured instructions: if, else, endif, loops with break and continue. */
#include "machine/flow/tree_walk.h"

static const hd_mach_structured *
ops_of(const tree_walk *w)
{
   return w->p->hooks->structured;
}

static void
begin_if(tree_walk *w, const hd_mach_condition *condition, hd_mach_block *none)
{
   hd_mach_tree_branch(w, ops_of(w)->begin_if, condition, none);
}

static void
begin_else(tree_walk *w, hd_mach_block *none)
{
   hd_mach_tree_branch(w, ops_of(w)->begin_else, NULL, none);
}

static void
end_if(tree_walk *w, hd_mach_block *none)
{
   if (none)
      hd_mach_tree_branch(w, ops_of(w)->end_if, NULL, none);
   else
      hd_mach_tree_emit(w, ops_of(w)->end_if, NULL);
}

static void
begin_loop(tree_walk *w)
{
   hd_mach_tree_emit(w, ops_of(w)->begin_loop, NULL);
}

static void
leave(tree_walk *w, tree_leave how, hd_mach_block *none, hd_mach_block *latch)
{
   const uint16_t ops[TREE_NUM_LEAVES] = {
      [TREE_BREAK] = ops_of(w)->break_loop,
      [TREE_CONTINUE] = ops_of(w)->continue_loop,
      [TREE_END] = ops_of(w)->end_lanes,
   };

   hd_mach_tree_branch(w, ops[how], NULL, none);
   if (latch && latch != none)
      hd_mach_edge_add(w->p, HD_MACH_LINEAR, w->at, latch);
   w->at = NULL;
}

static void
end_loop(tree_walk *w, hd_mach_block *header)
{
   hd_mach_tree_branch(w, ops_of(w)->end_loop, NULL, header);
}

static void
after_loop(tree_walk *w)
{
   (void)w;
}

bool
hd_mach_structured_flow(hd_mach_program *p)
{
   static const tree_writer writer = { begin_if, begin_else, end_if,    begin_loop,
                                       leave,    end_loop,   after_loop };
   tree_walk w = { .p = p,
                   .writer = &writer,
                   .jumps = &p->hooks->structured->jumps,
                   .end_lanes = p->hooks->structured->end_lanes,
                   .none = p->hooks->structured->none,
                   .fixed_edges = p->hooks->structured->fixed_edges };

   return hd_mach_tree_write(&w);
}
