/* SPDX-License-Identifier: MIT */
/* lower_helpers.c - whole quad mode (WQM) as control flow: a boolean says which lanes of a fragment shader are helpers.
 *
 *    %1 = image_sample ...              $h = is_helper
 *    demote_if %c                       %1 = image_sample ...
 *    store_buffer %1, ...        =>     $h = ior $h, %c
 *    %2 = ddx %1                        if not quad_vote_any (inot $h) { halt }
 *    store_output %2, ...               if $h { } else { store_buffer %1, ... }
 *                                       %2 = ddx %1
 *                                       if $h { halt }
 *                                       store_output %2, ...
 *
 * Helpers are needed up to the last instruction that reads other lanes of the quad, or of the wave. After it, at the top level
 * of the function, they end (exact mode). Before it, instructions with effects are predicated on `inot $h`. A lane that is
 * demoted after the last need for helpers ends there, and so do quads that consist of helpers only. If nothing in the shader
 * needs helpers, the result does not contain `is_helper`, and a driver need not start them.
 *
 * If lanes end soon after it anyway, helpers end with them: one `if`, and one exec write.
 *
 * Reductions and scans get their identity from helpers. Adjacent instructions with effects share one if;
 * computations of their operands move before it.
 *
 * Requires:  structured code; one function without calls; votes of equality lowered (lower_subgroup)
 *            where helpers are needed.
 * Preserves: nothing when it fires.
 * Leaves:    a variable, to opt_vars_to_ssa; `is_helper` once, which is what the lane is from the start.
 * Tests:     tests/passes/lower_helpers.*hd, tests/backend/gcn/test_stages.c
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "passes/lower.h"

struct state {
   hd_function *f;
   hd_var *helper;
   /* The last node of the function's list that needs helpers; if it is a block, the last instruction. */
   hd_cf_node *last_node;
   hd_instr *last_instr;
   bool across;        /* lanes of other quads are read */
   bool demotes, asks; /* some lane is demoted; is_helper is read */
};

static const hd_intrinsic_info *
info_of(const hd_instr *i)
{
   return i->kind == HD_INSTR_INTRINSIC ? hd_instr_intrinsic_info(i) : NULL;
}

/* Must helper lanes execute it, so that other lanes get the right result? */
static bool
needs_helpers(const hd_instr *i)
{
   const hd_intrinsic_info *info = info_of(i);

   if (!info)
      return false;
   return info->helpers == HD_HELPER_NEEDED ||
          (info->flags & HD_CROSS_LANE && info->helpers == HD_HELPER_RUN);
}

static bool
demotes(const hd_instr *i)
{
   const hd_intrinsic_info *info = info_of(i);

   return info && info->flags & HD_EFFECT_DEMOTE;
}

/* Does it do what only the others may do? What a lane keeps for itself does not count. */
static bool
is_effect(const hd_instr *i)
{
   const hd_intrinsic_info *info = info_of(i);

   return info && info->helpers == HD_HELPER_SKIP;
}

/* The node of the function's list that has it. */
static hd_cf_node *
top_node(const hd_function *f, const hd_block *b)
{
   const hd_cf_node *node = &b->node;

   while (node->list != &f->body)
      node = node->list->parent;
   return (hd_cf_node *)node;
}

static void
look(struct state *s)
{
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         s->demotes |= demotes(i);
         s->across |= needs_helpers(i) && info_of(i)->helpers == HD_HELPER_RUN;
         s->asks |= i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_IS_HELPER;
         if (needs_helpers(i) && hd_block_is_reachable(b)) {
            s->last_node = top_node(s->f, b);
            s->last_instr = i;
         }
      }
   }
}

/* Unsupported: calls, and subgroup operations that must exclude helpers but have neither a predicate
 * nor an identity for it. */
static bool
is_eligible(const struct state *s)
{
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         if (i->kind == HD_INSTR_CALL)
            return false;
         if (i->kind != HD_INSTR_INTRINSIC)
            continue;
         if (i->op >= HD_INTRINSIC_OWN &&
             (demotes(i) || info_of(i)->helpers == HD_HELPER_UNCOUNTED))
            return false;
         switch (i->op) {
         case HD_INTRINSIC_VOTE_IEQ:
         case HD_INTRINSIC_VOTE_FEQ:
            if (s->last_node)
               return false;
            break;
         default:
            break;
         }
      }
   }
   return true;
}

static hd_def *
is_helper_now(struct state *s, hd_builder *b)
{
   return hd_load_var(b, s->helper, NULL);
}

static hd_def *
counts(struct state *s, hd_builder *b)
{
   return hd_inot(b, is_helper_now(s, b));
}

/* An `if` at the cursor in whose arm lanes end. */
static hd_if *
halt_if(hd_cursor cursor, hd_def *condition)
{
   hd_if *nif = hd_insert_if(cursor, condition);

   hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_HALT, NULL);
   return nif;
}

/* End quads that consist of helpers only, unless other lanes read them. */
static void
end_idle_quads(struct state *s, hd_cursor cursor)
{
   if (s->across)
      return;
   hd_builder b = hd_builder_at(cursor);
   hd_def *some = hd_quad_vote_any(&b, counts(s, &b));
   hd_def *none = hd_inot(&b, some);

   halt_if(b.cursor, none);
}

static hd_def *
demoted(hd_builder *b, const hd_instr *i)
{
   return i->op == HD_INTRINSIC_DEMOTE ? hd_imm_bool(b, true) : hd_instr_src(i, 0)->def;
}

/* The lane becomes a helper. */
static void
become(struct state *s, hd_instr *i)
{
   hd_builder b = hd_builder_at(hd_before_instr(i));
   hd_def *more = demoted(&b, i), *before = is_helper_now(s, &b);

   hd_store_var(&b, s->helper, NULL, hd_ior(&b, before, more));
   if (i->block->node.list == &s->f->body)
      end_idle_quads(s, hd_before_instr(i));
   hd_instr_remove(i);
}

/* The lane ends: no other lane reads it any more. */
static void
end_lane(hd_instr *i)
{
   hd_builder b = hd_builder_at(hd_before_instr(i));
   hd_def *condition = demoted(&b, i);

   halt_if(hd_before_instr(i), condition);
   hd_instr_remove(i);
}

/* A helper lane gives what changes no result. */
static void
give_identity(struct state *s, hd_builder *b, hd_instr *i)
{
   const uint8_t slot = hd_instr_intrinsic_info(i)->slots[HD_INDEX_REDUCE_OP];
   const uint32_t index = hd_intrinsic_indices((const hd_intrinsic *)i)[slot - 1];
   const hd_op op = hd_index_get_info(HD_INDEX_REDUCE_OP)->values[index].op;
   const hd_element element = (hd_element)hd_op_get_info(op)->identity;
   hd_def *value = hd_instr_src(i, 0)->def, *conditions[HD_MAX_COMPONENTS];
   hd_def *none = hd_lower_imm_like(b, value, hd_element_value(element, value->bit_size));
   hd_def *helper = is_helper_now(s, b);

   for (unsigned n = 0; n < value->num_components; n++)
      conditions[n] = helper;
   helper = hd_build_vec(b, value->num_components, conditions);
   hd_src_set_def(hd_instr_src(i, 0), hd_select(b, helper, none, value));
}

/* Subgroup operations that exclude helpers. */
static void
leave_out(struct state *s, hd_instr *i)
{
   hd_builder b = hd_builder_at(hd_before_instr(i));

   b.loc = i->loc;
   switch (i->op) {
   case HD_INTRINSIC_BALLOT:
   case HD_INTRINSIC_VOTE_ANY: {
      hd_def *others = counts(s, &b);
      hd_src_set_def(hd_instr_src(i, 0), hd_iand(&b, hd_instr_src(i, 0)->def, others));
      break;
   }
   case HD_INTRINSIC_VOTE_ALL: {
      hd_def *helper = is_helper_now(s, &b);
      hd_src_set_def(hd_instr_src(i, 0), hd_ior(&b, hd_instr_src(i, 0)->def, helper));
      break;
   }
   case HD_INTRINSIC_ELECT: {
      hd_def *lanes = hd_ballot(&b, counts(s, &b));
      hd_def *first = hd_ballot_find_lsb(&b, lanes), *me = hd_subgroup_invocation(&b);
      hd_def_replace_uses(&i->def, hd_ieq(&b, me, first));
      hd_instr_remove(i);
      break;
   }
   case HD_INTRINSIC_REDUCE:
   case HD_INTRINSIC_INCLUSIVE_SCAN:
   case HD_INTRINSIC_EXCLUSIVE_SCAN:
      give_identity(s, &b, i);
      break;
   default:
      break;
   }
}

/* Effects */

/* Can it move before an instruction with effects of the same block? */
static bool
may_pass(const hd_instr *i)
{
   return i->kind == HD_INSTR_ALU || i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF;
}

static bool
is_read_in_block(const hd_instr *i)
{
   if (!hd_instr_def(i))
      return false;
   hd_foreach_use(use, &i->def) {
      if (hd_src_block(use) == i->block)
         return true;
   }
   return false;
}

/* The first of the instructions with effects that share an if with this one; those between them move before the if. */
static hd_instr *
gather(hd_instr *last)
{
   hd_instr *first = last;

   for (hd_instr *i = last->prev; i && (is_effect(i) || may_pass(i)); i = i->prev) {
      if (is_effect(i) && is_read_in_block(i))
         break;
      first = is_effect(i) ? i : first;
   }
   for (hd_instr *i = first, *next; i != last; i = next) {
      next = i->next;
      if (!is_effect(i))
         hd_instr_move(hd_before_instr(first), i);
   }
   return first;
}

static void
guard(struct state *s, hd_instr *first, const hd_instr *last)
{
   hd_builder b = hd_builder_at(hd_before_instr(first));
   hd_def *helper = is_helper_now(s, &b);
   hd_if *nif = hd_insert_if(b.cursor, helper);
   hd_block *after = hd_node_next_block(&nif->node);
   bool more = true;

   for (hd_instr *i = first, *next; more; i = next) {
      next = i->next;
      more = i != last;
      hd_instr_move(hd_list_end(&nif->else_list), i);
      if (!hd_instr_def(i) || !i->def.uses)
         continue;
      hd_phi *phi = hd_phi_insert(after, i->def.num_components, i->def.bit_size, NULL);
      hd_builder other = hd_builder_at(hd_list_end(&nif->then_list));
      hd_def *nothing = hd_undef(&other, i->def.num_components, i->def.bit_size);
      hd_def_replace_uses(&i->def, &phi->instr.def);
      hd_phi_set_src(phi, hd_list_last_block(&nif->then_list), nothing);
      hd_phi_set_src(phi, hd_list_last_block(&nif->else_list), &i->def);
   }
}

/* The walk */

static void
lower_is_helper(struct state *s, hd_instr *i, bool in_use)
{
   hd_builder b = hd_builder_at(hd_before_instr(i));

   hd_def_replace_uses(&i->def, in_use ? is_helper_now(s, &b) : hd_imm_bool(&b, false));
   hd_instr_remove(i);
}

/* Backwards: instructions after an insertion are split into another block once only. */
static void
lower_block(struct state *s, hd_block *block, bool in_use)
{
   for (hd_instr *i = block->last, *prev; i; i = prev) {
      pass_step(s->f, 1);
      prev = i->prev;
      if (i->kind != HD_INSTR_INTRINSIC)
         continue;
      if (i->op == HD_INTRINSIC_IS_HELPER) {
         lower_is_helper(s, i, in_use);
      } else if (demotes(i)) {
         if (in_use)
            become(s, i);
         else
            end_lane(i);
      } else if (in_use && info_of(i)->helpers == HD_HELPER_UNCOUNTED) {
         leave_out(s, i);
      } else if (in_use && is_effect(i)) {
         hd_instr *first = gather(i);
         prev = first->prev;
         guard(s, first, i);
      }
   }
}

/* Outputs of the last block sink below its last need for helpers: nothing reads them. */
static void
put_off_outputs(struct state *s)
{
   hd_block *last = hd_list_last_block(&s->f->body);
   hd_instr *end = last->last;

   if (s->last_node != &last->node)
      return;
   for (hd_instr *i = last->first, *next; i && i != s->last_instr; i = next) {
      next = i->next;
      if (is_effect(i) && info_of(i)->writes == HD_MEMORY_OUTPUT && i != end)
         hd_instr_move(hd_before_jump(last), i);
   }
}

/* After nodes that demote lanes in their arms, and before the last need for helpers. */
static void
end_quads_behind(struct state *s)
{
   hd_cf_node *behind = NULL;
   const hd_cf_node *seen = NULL;

   hd_foreach_block_rev(block, s->f) {
      hd_cf_node *top = top_node(s->f, block);
      if (top == s->last_node)
         behind = top;
      if (!behind || top == s->last_node || top->kind == HD_CF_BLOCK || top == seen)
         continue;
      hd_foreach_instr(i, block) {
         if (!demotes(i))
            continue;
         seen = top;
         end_idle_quads(s, hd_after_node(top));
         break;
      }
   }
   /* Its block was split, if it came right behind such a node. */
   s->last_node = top_node(s->f, s->last_instr->block);
}

/* Does it only compute, or read what the lane was started with? */
static bool
is_free_for_helpers(const hd_instr *i)
{
   const hd_intrinsic_info *info = info_of(i);

   if (!info)
      return i->kind == HD_INSTR_PHI || may_pass(i);
   return info->flags & HD_CAN_SPECULATE && info->helpers == HD_HELPER_RUN &&
          !(info->flags & HD_CROSS_LANE) && !info->reads;
}

/* Lanes are demoted or end after the last need for helpers, with nothing in between that helpers should
 * not do: that instruction, or that `if`.
 */
struct soon {
   hd_instr *demoted;
   hd_if *halted;
};

static bool
only_halts(const hd_if *nif)
{
   const hd_block *arm = hd_list_first_block(&nif->then_list);
   const hd_jump *jump = hd_block_jump(arm);

   return jump && jump->instr.op == HD_JUMP_HALT && arm->first == &jump->instr;
}

static struct soon
find_soon(const struct state *s)
{
   const bool in_block = s->last_node->kind == HD_CF_BLOCK;
   const hd_cf_node *node = in_block ? s->last_node : s->last_node->next;
   hd_instr *i = in_block ? s->last_instr->next : hd_node_as_block(node)->first;
   struct soon soon = { NULL, NULL };

   while (i && (is_free_for_helpers(i) || (info_of(i) && info_of(i)->reads == HD_MEMORY_INPUT)))
      i = i->next;
   if (i) {
      soon.demoted = demotes(i) ? i : NULL;
   } else if (node->next) {
      hd_if *nif = hd_node_as_if(node->next);
      soon.halted = nif && only_halts(nif) ? nif : NULL;
   }
   return soon;
}

/* Helper lanes end after the last need for them; with those that end there anyway, if any do. */
static hd_if *
end_helpers(struct state *s)
{
   const struct soon soon = find_soon(s);
   hd_builder b = hd_builder_at(soon.demoted  ? hd_before_instr(soon.demoted)
                                : soon.halted ? hd_before_node(&soon.halted->node)
                                : s->last_node->kind == HD_CF_BLOCK ? hd_after_instr(s->last_instr)
                                                                    : hd_after_node(s->last_node));
   hd_def *ends = is_helper_now(s, &b);

   if (soon.halted) {
      hd_src_set_def(&soon.halted->cond, hd_ior(&b, ends, soon.halted->cond.def));
      return soon.halted;
   }
   if (soon.demoted)
      ends = hd_ior(&b, ends, demoted(&b, soon.demoted));
   hd_if *nif = halt_if(b.cursor, ends);
   if (soon.demoted)
      hd_instr_remove(soon.demoted);
   return nif;
}

/* Has the pass run already? */

/* The variable that is_helper, which occurs once, is stored to first; NULL: there is none. */
static hd_var *
find_variable(const struct state *s)
{
   hd_var *var = NULL;

   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         if (i->kind != HD_INSTR_INTRINSIC || i->op != HD_INTRINSIC_IS_HELPER)
            continue;
         const hd_instr *next = i->next;
         if (var || b != hd_function_start(s->f) || !next || next->kind != HD_INSTR_STORE_VAR ||
             hd_def_instr(hd_instr_src(next, 0)->def) != i || hd_src_next_use(i->def.uses))
            return NULL;
         var = ((const hd_var_access *)next)->var;
      }
   }
   return var;
}

static bool
loads(const hd_src *src, const hd_var *var)
{
   const hd_instr *i = hd_def_instr(src->def);

   return i->kind == HD_INSTR_LOAD_VAR && ((const hd_var_access *)i)->var == var;
}

/* Once a helper, always one. */
static bool
only_grows(const struct state *s, const hd_var *var)
{
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         if (i->kind != HD_INSTR_STORE_VAR || ((const hd_var_access *)i)->var != var)
            continue;
         const hd_instr *value = hd_def_instr(hd_instr_src(i, 0)->def);
         const bool first =
             value->kind == HD_INSTR_INTRINSIC && value->op == HD_INTRINSIC_IS_HELPER;
         if (!first && !(value->kind == HD_INSTR_ALU && value->op == HD_OP_IOR &&
                         loads(hd_instr_src(value, 0), var)))
            return false;
      }
   }
   return true;
}

static bool
halts_helpers(const hd_cf_node *node, const hd_var *var)
{
   const hd_if *nif = node ? hd_node_as_if(node) : NULL;
   const hd_jump *jump = nif ? hd_block_jump(hd_list_first_block(&nif->then_list)) : NULL;
   const hd_instr *cond = nif ? hd_def_instr(nif->cond.def) : NULL;

   return jump && jump->instr.op == HD_JUMP_HALT &&
          (loads(&nif->cond, var) || (cond->kind == HD_INSTR_ALU && cond->op == HD_OP_IOR &&
                                      loads(hd_instr_src(cond, 0), var)));
}

/* Is it one that counts helpers, which have been left out? */
static bool
counts_helpers(const hd_instr *i, const hd_var *var)
{
   if (!info_of(i) || info_of(i)->helpers != HD_HELPER_UNCOUNTED)
      return false;
   if (!info_of(i)->slots[HD_INDEX_REDUCE_OP])
      return true;
   const hd_instr *value = hd_def_instr(hd_instr_src(i, 0)->def);
   if (value->kind != HD_INSTR_ALU || value->op != HD_OP_SELECT)
      return true;
   const hd_src *condition = hd_instr_src(value, 0);
   const hd_instr *vec = hd_def_instr(condition->def);
   if (vec->kind == HD_INSTR_ALU && vec->op == HD_OP_VEC)
      condition = hd_instr_src(vec, 0);
   return !loads(condition, var);
}

static bool
is_guarded(const hd_instr *effect, const hd_var *var)
{
   const hd_cf_list *list = effect->block->node.list;
   const hd_if *nif = list->parent ? hd_node_as_if(list->parent) : NULL;

   return nif && list == &nif->else_list && loads(&nif->cond, var);
}

static bool
is_done(const struct state *s)
{
   const hd_var *var = find_variable(s);
   const hd_cf_node *end = s->last_node;

   if (s->demotes || !s->last_node || !var || !only_grows(s, var))
      return false;
   while (end && !halts_helpers(end, var))
      end = end->next;
   /* Nothing but that is behind the last that needs helpers. */
   if (!end || (end->prev != s->last_node && end->prev->prev != s->last_node))
      return false;
   hd_foreach_block(b, s->f) {
      if (&b->node == end->next)
         return true;
      hd_foreach_instr(i, b) {
         if (counts_helpers(i, var) || (is_effect(i) && !is_guarded(i, var)))
            return false;
      }
   }
   return true;
}

bool
hd_lower_helpers(hd_function *f)
{
   struct state s = { .f = f };
   const hd_block *before = NULL; /* that lanes leave to where helpers end */
   bool in_use = false;

   if (f->shader->stage != HD_STAGE_FRAGMENT || f != f->shader->first_function)
      return hd_progress(f, false, LOWER_HELPERS_KEEPS);
   look(&s);
   if ((!s.last_node && !s.demotes && !s.asks) || !is_eligible(&s) || is_done(&s))
      return hd_progress(f, false, LOWER_HELPERS_KEEPS);
   if (s.last_node) {
      s.helper = hd_var_create(f, "helper", 1, 1, 0);
      put_off_outputs(&s);
      end_quads_behind(&s);
      before = hd_node_prev_block(&end_helpers(&s)->node);
   }
   hd_foreach_block_rev(block, f) {
      in_use |= block == before;
      lower_block(&s, block, in_use);
   }
   if (s.last_node) {
      hd_builder b = hd_builder_at(hd_after_phis(hd_function_start(f)));
      hd_store_var(&b, s.helper, NULL, hd_is_helper(&b));
   }
   return hd_progress(f, true, LOWER_HELPERS_KEEPS);
}
