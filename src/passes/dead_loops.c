/* SPDX-License-Identifier: MIT */
/* dead_loops.c - remove dead loops: finite, without side effects, results unused (LoopDeletion).
 *
 *    loop { %i = phi 0, %j  if (n <= %i) { break }  %j = %i + 1  ... }  C     =>     C
 *
 * Only if every lane leaves the loop eventually: an infinite loop keeps the code after it from
 * running. Loops with a known trip count are finite, and so are loops that compare an induction
 * variable with a loop-invariant value: an induction variable with an odd step takes every value of
 * its size, so it reaches one that is below, above or equal to any other, as long as equality counts.
 *
 * Inner loops come first; a loop that stays keeps those around it. So each block is visited only for
 * its innermost loop, up to the first loop in that which stays.
 */
#include "passes/dead_loops.h"

#include "heddle/op_enum.h"
#include "heddle/trip_count.h"

/* Longer ones are known by their counter, if at all. */
#define MOST_RUNS 64u

static bool
is_in(const hd_instr *i)
{
   return i->block->node.mark;
}

/* Only the loop uses it. */
static bool
stays_inside(const hd_def *def)
{
   hd_foreach_use(src, def) {
      const hd_instr *i = hd_src_instr(src);
      if (!(i ? is_in(i) : hd_src_if(src)->node.mark))
         return false;
   }
   return true;
}

/* The loop can do without it, if the result is not used outside. */
static bool
may_go(const hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_INTRINSIC:
      return hd_instr_intrinsic_info(i)->flags & HD_CAN_ELIMINATE &&
             !(hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ACCESS) & HD_ACCESS_VOLATILE);
   case HD_INSTR_JUMP:
      return i->op == HD_JUMP_BREAK || i->op == HD_JUMP_CONTINUE;
   case HD_INSTR_CALL:
   case HD_INSTR_STORE_VAR:
      return false;
   default:
      return true;
   }
}

/* Mark what is in the loop up to what keeps it. True if there is nothing that does. */
static bool
mark_inside(hd_function *f, const hd_loop *loop)
{
   const hd_cf_node *end = hd_cf_node_next_outside(&loop->node);

   for (hd_cf_node *n = hd_cf_node_next(&loop->node); n != end; n = hd_cf_node_next(n)) {
      hd_block *b = hd_node_as_block(n);
      n->mark = 1;
      pass_step(f, 1);
      if (hd_node_as_loop(n))
         return false;
      if (!b)
         continue;
      hd_foreach_instr(i, b) {
         pass_step(f, 1);
         if (!may_go(i))
            return false;
      }
   }
   return true;
}

static void
unmark(const hd_loop *loop)
{
   const hd_cf_node *end = hd_cf_node_next_outside(&loop->node);

   for (hd_cf_node *n = hd_cf_node_next(&loop->node); n != end && n->mark; n = hd_cf_node_next(n))
      n->mark = 0;
}

/* Of what is defined in it, nothing is used elsewhere; and it chooses nothing by the way out. */
static bool
leaves_nothing(const hd_loop *loop)
{
   const hd_cf_node *end = hd_cf_node_next_outside(&loop->node);

   hd_foreach_phi(phi, hd_node_next_block(&loop->node)) {
      for (uint32_t n = 1; n < phi->num_srcs; n++) {
         if (phi->srcs[n].src.def != phi->srcs[0].src.def)
            return false;
      }
   }
   for (hd_cf_node *n = hd_cf_node_next(&loop->node); n != end; n = hd_cf_node_next(n)) {
      const hd_block *b = hd_node_as_block(n);
      if (!b)
         continue;
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i) && !stays_inside(&i->def))
            return false;
      }
   }
   return true;
}

/* A phi of the header that goes on by an odd constant, or what it goes on to. */
static bool
is_counter(const hd_loop *loop, const hd_def *def)
{
   const hd_phi *phi = hd_instr_as_phi(hd_def_instr(def));
   const hd_block *header = hd_loop_header(loop);
   const hd_block *latch = hd_list_last_block(&loop->continue_list);

   for (unsigned n = 0; !phi && n < 2; n++) {
      const hd_alu *step = hd_instr_as_alu(hd_def_instr(def));
      if (!step || step->instr.op != HD_OP_IADD)
         return false;
      const hd_def *from = hd_instr_src(&step->instr, n)->def;
      phi = hd_instr_as_phi(hd_def_instr(from));
      if (phi && (phi->instr.block != header || hd_phi_src_from(phi, latch)->def != def))
         phi = NULL;
   }
   if (!phi || phi->instr.block != header || phi->instr.def.num_components != 1)
      return false;
   const hd_alu *step = hd_instr_as_alu(hd_def_instr(hd_phi_src_from(phi, latch)->def));
   if (!step || step->instr.op != HD_OP_IADD)
      return false;
   for (unsigned n = 0; n < 2; n++) {
      const hd_const *c = hd_src_as_const(hd_instr_src(&step->instr, n));
      if (c && c->value[0].u64 & 1 && hd_instr_src(&step->instr, !n)->def == &phi->instr.def)
         return true;
   }
   return false;
}

/* Will the condition be what leaves, in some run? */
static bool
comes_true(const hd_loop *loop, const hd_def *cond, bool wanted)
{
   const hd_alu *compare = hd_instr_as_alu(hd_def_instr(cond));

   if (!compare)
      return false;
   switch ((hd_op)compare->instr.op) {
   case HD_OP_ULE:
   case HD_OP_ILE:
   case HD_OP_IEQ:
      if (!wanted)
         return false;
      break;
   case HD_OP_ULT:
   case HD_OP_ILT:
   case HD_OP_INE:
      if (wanted)
         return false;
      break;
   default:
      return false;
   }
   for (unsigned n = 0; n < 2; n++) {
      const hd_src *limit = hd_instr_src(&compare->instr, n);
      if ((hd_src_as_const(limit) || !is_in(hd_def_instr(limit->def))) &&
          is_counter(loop, hd_instr_src(&compare->instr, !n)->def))
         return true;
   }
   return false;
}

/* Does it break? There is no loop inside. */
static bool
breaks(const hd_cf_list *arm)
{
   const hd_jump *jump = hd_block_jump(hd_list_last_block(arm));

   return jump && jump->instr.op == HD_JUMP_BREAK;
}

static bool
list_ends(const hd_loop *loop, const hd_cf_list *list)
{
   hd_foreach_node_in_list(n, list) {
      const hd_if *nif = hd_node_as_if(n);
      if (nif && breaks(&nif->then_list) && comes_true(loop, nif->cond.def, true))
         return true;
      if (nif && breaks(&nif->else_list) && comes_true(loop, nif->cond.def, false))
         return true;
   }
   return false;
}

static bool
ends(const hd_loop *loop)
{
   const hd_block *again = hd_loop_continue(loop);
   hd_trip_count trips;

   if (hd_loop_trip_count(loop, MOST_RUNS, &trips))
      return true;
   /* A run that continues early does not reach all of the body. */
   return (again->num_preds == 1 && again->preds[0].from == hd_list_last_block(&loop->body) &&
           list_ends(loop, &loop->body)) ||
          list_ends(loop, &loop->continue_list);
}

static void
remove_loop(hd_undefs *undefs, hd_loop *loop)
{
   hd_block *before = hd_node_prev_block(&loop->node), *after = hd_node_next_block(&loop->node);

   hd_foreach_phi_safe(phi, after) {
      hd_def_replace_uses(&phi->instr.def, phi->srcs[0].src.def);
      hd_instr_remove(&phi->instr);
   }
   hd_edge_remove(before, 0);
   hd_splice_delete(undefs, &loop->node, &loop->node);
   hd_splice_edge(before, after);
   hd_splice_merge(before, after);
}

bool
hd_remove_dead_loops(hd_function *f, hd_undefs *undefs)
{
   bool progress = false, marks = false;

   hd_foreach_inner_first_safe(n, f) {
      hd_loop *loop = hd_node_as_loop(n);
      if (!loop || !hd_node_next_block(n)->num_preds)
         continue;
      if (!marks)
         hd_function_borrow_node_marks(f);
      marks = true;
      const bool goes = mark_inside(f, loop) && leaves_nothing(loop) && ends(loop);
      unmark(loop);
      if (goes)
         remove_loop(undefs, loop);
      progress |= goes;
   }
   if (marks)
      hd_function_release_marks(f);
   return progress;
}
