/* SPDX-License-Identifier: MIT */
/* opt_move_discards.c - discards of fragment shaders as early as their condition is known.
 *
 *    %t = image_sample ...               %c = flt %a, %b
 *    %u = fmul %t, %k             =>     demote_if %c
 *    %c = flt %a, %b                     %t = image_sample ...
 *    demote_if %c                        %u = fmul %t, %k
 *
 * What the condition is computed from goes first, then the discard, then the rest: quads of which nothing is left end before
 * they load. A lane that is demoted goes on as a helper, so that derivatives and samples are the same. Not past anything that
 * tells helpers from others: effects, ballots and the like, is_helper. An arm of an `if` that only demotes is a demote_if
 * before the `if`. Lanes that halt in such an arm halt before what is passed; if that needs them as helpers, they are demoted
 * there, and halt where they did.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    an `if` with nothing in it to opt_dead_cf.
 * Tests:     tests/passes/opt_move_discards.hd, tests/backend/gcn/stages/early_discard.hd
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "passes/pass.h"

static const hd_intrinsic_info *
info_of(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC ? hd_instr_intrinsic_info(i) : NULL;
}

/* Is it the same whether the lanes of a later discard are helpers already? */
static bool
may_be_passed(const hd_instr *i)
{
   const hd_intrinsic_info *info = info_of(i);

   if (!info)
      return i->kind == HD_INSTR_ALU || i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF;
   return i->op < HD_INTRINSIC_OWN && i->op != HD_INTRINSIC_IS_HELPER &&
          (info->helpers == HD_HELPER_RUN || info->helpers == HD_HELPER_NEEDED) && !info->writes &&
          !(info->flags & (HD_EFFECT_WRITE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE)) &&
          !(hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ACCESS) &
            (HD_ACCESS_VOLATILE | HD_ACCESS_COHERENT));
}

/* Does it take as long as makes an early end worth while? */
static bool
is_slow(const hd_instr *i)
{
   const hd_intrinsic_info *info = info_of(i);

   return info && info->reads & ~(uint32_t)HD_MEMORY_INPUT;
}

/* Values that the discard needs are marked; those that it does not pass are not looked at. */
static void
mark_operands(const hd_instr *i, const hd_block *block)
{
   hd_foreach_src(src, (hd_instr *)i) {
      const hd_instr *made = hd_def_instr(src->def);
      if (made->block == block)
         src->def->mark = 1;
   }
}

/* Between two discards of a block nothing is marked for the first. */
static bool
move_up(hd_function *f, hd_instr *discard, uint32_t window)
{
   hd_instr *first = discard;
   bool worth = false;

   mark_operands(discard, discard->block);
   for (hd_instr *i = discard->prev; i && window-- && may_be_passed(i); i = i->prev) {
      pass_step(f, 1);
      if (hd_instr_def(i) && i->def.mark)
         mark_operands(i, discard->block);
      else
         worth |= is_slow(i);
      first = i;
   }
   /* Of those that are passed, the needed ones go before the first that is not. */
   hd_instr *rest = NULL;
   for (hd_instr *i = first, *next; i != discard; i = next) {
      next = i->next;
      const bool needed = hd_instr_def(i) && i->def.mark;
      if (needed && rest && worth)
         hd_instr_move(hd_before_instr(rest), i);
      rest = rest || needed ? rest : i;
   }
   if (worth && rest)
      hd_instr_move(hd_before_instr(rest), discard);
   return worth && rest;
}

/* The only instruction of an arm; NULL: there are others, or none. */
static hd_instr *
only_instr(hd_cf_list *arm)
{
   hd_block *block = hd_list_first_block(arm);

   return block == hd_list_last_block(arm) && block->first == block->last ? block->first : NULL;
}

static bool
is_demote(const hd_instr *i)
{
   return i && i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_DEMOTE;
}

static bool
take_out(hd_if *nif)
{
   hd_instr *then_instr = only_instr(&nif->then_list), *else_instr = only_instr(&nif->else_list);
   hd_builder b = hd_builder_at(hd_before_node(&nif->node));

   if (is_demote(then_instr) == is_demote(else_instr))
      return false;
   hd_def *condition = nif->cond.def;
   if (is_demote(else_instr))
      condition = hd_inot(&b, condition);
   hd_demote_if(&b, condition);
   hd_instr_remove(is_demote(then_instr) ? then_instr : else_instr);
   return true;
}

static bool
is_conditional(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_DEMOTE_IF;
}

/* Lanes that halt right behind the block are helpers before; NULL: there are none, or they are. */
static hd_instr *
demote_before(hd_block *b)
{
   hd_if *nif = b->node.next ? hd_node_as_if((hd_cf_node *)b->node.next) : NULL;
   const hd_instr *only = nif ? only_instr(&nif->then_list) : NULL;

   if (!only || only->kind != HD_INSTR_JUMP || only->op != HD_JUMP_HALT)
      return NULL;
   hd_foreach_use(use, nif->cond.def) {
      if (hd_src_block(use) == b && hd_src_instr(use) && is_conditional(hd_src_instr(use)))
         return NULL;
   }
   hd_builder at = hd_builder_at(hd_before_node(&nif->node));
   hd_demote_if(&at, nif->cond.def);
   return b->last;
}

/* What is behind the discard in its block goes behind the `if` of lanes that halt, if it does not need them. */
static bool
pass_halt(hd_instr *discard)
{
   const hd_if *nif = hd_node_as_if(discard->block->node.next);
   hd_block *other = hd_list_first_block(&nif->else_list), *after = hd_node_next_block(&nif->node);
   hd_instr *first = after->first;

   if (other->first || other != hd_list_last_block(&nif->else_list) ||
       (first && first->kind == HD_INSTR_PHI))
      return false;
   for (const hd_instr *i = discard->next; i; i = i->next) {
      const hd_intrinsic_info *info = info_of(i);
      if (info && (info->helpers == HD_HELPER_NEEDED || info->flags & HD_CROSS_LANE))
         return false;
   }
   while (discard->next)
      hd_instr_move(first ? hd_before_instr(first) : hd_before_jump(after), discard->next);
   return true;
}

bool
hd_opt_move_discards(hd_function *f, const opt_move_discards_options *o)
{
   bool progress = false;

   if (f->shader->stage != HD_STAGE_FRAGMENT)
      return hd_progress(f, false, OPT_MOVE_DISCARDS_KEEPS);
   hd_foreach_block(b, f) {
      hd_cf_node *parent = b->node.list->parent;
      hd_if *nif = parent ? hd_node_as_if(parent) : NULL;
      if (nif && b == hd_list_first_block(&nif->then_list))
         progress |= take_out(nif);
   }
   hd_function_borrow_marks(f);
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i))
            i->def.mark = 0;
      }
   }
   hd_foreach_block(b, f) {
      hd_foreach_instr_safe(i, b) {
         if (is_conditional(i))
            progress |= move_up(f, i, o->window);
      }
      hd_instr *early = demote_before(b);
      const bool moved = early && move_up(f, early, o->window);
      progress |= moved;
      if (early && (!moved || pass_halt(early)))
         hd_instr_remove(early);
   }
   hd_function_release_marks(f);
   return hd_progress(f, progress, OPT_MOVE_DISCARDS_KEEPS);
}
