/* SPDX-License-Identifier: MIT */
/* if_merge.c - the part of opt_if that edits the tree: merge adjacent and nested ifs, exchange arms,
 * hoist common code.
 */
#include "passes/opt_if.h"

#include "heddle/build_ops.h"
#include "heddle/op_enum.h"
#include "ir/fold.h"

/* Negated conditions */

bool
hd_if_swap_negated(hd_function *f)
{
   bool changed = false;

   hd_foreach_node(n, f) {
      hd_if *nif = hd_node_as_if(n);
      if (!nif)
         continue;
      hd_def *cond = nif->cond.def;
      bool odd = false;
      /* A negation of itself is only met in code that nothing reaches; two steps of such a cycle
       * are none.
       */
      for (unsigned steps = 0; steps < 8; steps++) {
         const hd_alu *alu = hd_instr_as_alu(hd_def_instr(cond));
         if (!alu || alu->instr.op != HD_OP_INOT)
            break;
         cond = alu->src[0].def;
         odd = !odd;
      }
      if (cond == nif->cond.def)
         continue;
      hd_src_set_def(&nif->cond, cond);
      if (odd)
         hd_if_exchange_arms(nif);
      changed = true;
   }
   if (changed)
      f->meta_valid = 0;
   return changed;
}

/* Merging */

/* A list goes to the end of another one. */
static void
append(hd_cf_list *to, hd_cf_list *from)
{
   hd_block *last = hd_list_last_block(to), *first = hd_list_first_block(from);

   hd_edge_remove(first->preds[0].from, first->preds[0].succ);
   hd_edge_remove(last, 0);
   hd_splice_after(&last->node, from);
   hd_splice_edge(last, first);
   hd_splice_merge(last, first);
}

/* The phis between two ifs that become one stand after it from now on, after `last_phi`, and read
 * what they read. The last of them is the answer.
 */
static hd_instr *
move_phis(replaced *values, hd_block *between, hd_block *after, const hd_block *then_last,
          hd_instr *last_phi)
{
   hd_foreach_phi_safe(phi, between) {
      hd_def *def[2] = { NULL, NULL };
      /* Its sources are those of the then-arm and the else-arm, in the order of the edges. */
      for (uint32_t n = 0; n < 2; n++) {
         const hd_cf_list *list = between->preds[n].from->node.list;
         bool is_else = list == &hd_node_as_if(list->parent)->else_list;
         def[is_else] = hd_replaced_get(values, phi->srcs[n].src.def);
      }
      if (after->num_preds == 2) {
         hd_phi *moved = hd_phi_create(hd_block_function(after)->shader,
                                       phi->instr.def.num_components, phi->instr.def.bit_size, 2);
         bool then_first = after->preds[0].from == then_last;
         moved->srcs[0].src.def = def[!then_first];
         moved->srcs[1].src.def = def[then_first];
         hd_instr_link(after, last_phi, &moved->instr);
         last_phi = &moved->instr;
         hd_replaced_set(values, &phi->instr, &moved->instr.def);
      } else {
         /* Only one arm reaches what follows, or none. */
         bool then_comes = after->num_preds && after->preds[0].from == then_last;
         hd_replaced_set(values, &phi->instr, def[!then_comes]);
      }
   }
   return last_phi;
}

static hd_if *
merging_after(const hd_if *nif)
{
   hd_if *next = hd_node_as_if(nif->node.next->next);

   return next && next->node.mark & IF_MERGES ? next : NULL;
}

/* A chain of ifs becomes its first one. Phis go to their place first, while edges still tell arms
 * apart; then the lists, each once.
 */
static void
merge_chain(replaced *values, hd_if *first)
{
   hd_function *f = first->node.list->function;
   hd_if *last = first, *nif;
   hd_instr *last_phi = NULL;

   while (merging_after(last))
      last = merging_after(last);
   hd_block *after = hd_node_next_block(&last->node);
   hd_foreach_phi(phi, after)
      last_phi = &phi->instr;
   for (nif = first; nif != last; nif = merging_after(nif))
      last_phi = move_phis(values, hd_node_next_block(&nif->node), after,
                           hd_list_last_block(&last->then_list), last_phi);
   while ((nif = merging_after(first))) {
      hd_block *between = hd_node_next_block(&first->node);
      append(&first->then_list, &nif->then_list);
      append(&first->else_list, &nif->else_list);
      hd_src_unlink(&nif->cond);
      hd_nodes_unlink(&between->node, &nif->node);
      hd_cf_node_free(f, &between->node);
      hd_cf_node_free(f, &nif->node);
   }
}

/* Nesting */

/* Ops that may be run for the lanes that the outer condition kept from them; with the selects of what
 * lanes get that skip the one or the other.
 */
#define MAX_HOISTED  12
#define MAX_SELECTED 8

static bool
is_empty_arm(const hd_cf_list *arm)
{
   return arm->first == arm->last && !hd_list_first_block(arm)->first;
}

static hd_cf_list *
arm_of(hd_if *nif, unsigned side)
{
   return side ? &nif->else_list : &nif->then_list;
}

/* What comes from the inner `if`, by its arm or else by its empty one, to a phi after the outer
 * one.
 */
static hd_def *
through_inner(hd_def *def, const hd_block *inner_after, const hd_block *from)
{
   const hd_phi *phi = hd_instr_as_phi(hd_def_instr(def));

   return phi && phi->instr.block == inner_after ? hd_phi_src_from(phi, from)->def : def;
}

/* Is a value, where the inner `if` takes its empty arm, the same as another? There the condition is
 * known.
 */
static bool
is_same_skipped(const hd_def *def, const hd_if *inner, unsigned side, const hd_def *other)
{
   const hd_const *c = hd_instr_as_const(hd_def_instr(other));
   const hd_const *same = hd_instr_as_const(hd_def_instr(def));

   if (def == other)
      return true;
   if (same && c && def->num_components == 1)
      return hd_const_get(&same->value[0], def->bit_size) ==
             hd_const_get(&c->value[0], def->bit_size);
   return def == inner->cond.def && c && c->value[0].b == (side == 1);
}

/* Which arm has something in it; 2: both, or none. */
static unsigned
side_of(const hd_if *nif)
{
   const bool then_empty = is_empty_arm(&nif->then_list),
              else_empty = is_empty_arm(&nif->else_list);

   return then_empty == else_empty ? 2 : then_empty;
}

hd_if *
hd_if_nested(hd_if *nif, bool *selects)
{
   const unsigned side = side_of(nif);
   unsigned num = 0, selected = 0;

   if (side == 2)
      return NULL;
   const hd_block *before = hd_list_first_block(arm_of(nif, side));
   hd_if *inner = hd_block_next_if(before);
   if (!inner || side_of(inner) != side)
      return NULL;
   const hd_block *inner_after = hd_node_next_block(&inner->node);
   if (inner_after->node.next || hd_block_first_non_phi(inner_after))
      return NULL;
   for (const hd_instr *i = hd_block_first_non_phi(before); i; i = i->next) {
      if ((i->kind != HD_INSTR_ALU && i->kind != HD_INSTR_CONST) || ++num > MAX_HOISTED)
         return NULL;
   }
   /* Besides phis after the outer one only code that nothing reaches can read one of the inner. */
   const hd_block *after = hd_node_next_block(&nif->node);
   hd_foreach_phi(phi, inner_after) {
      hd_foreach_use(use, &phi->instr.def) {
         if (!hd_src_instr(use) || hd_src_instr(use)->block != after)
            return NULL;
      }
   }
   const hd_block *inner_empty = hd_list_first_block(arm_of(inner, !side));
   const hd_block *outer_empty = hd_list_first_block(arm_of(nif, !side));
   hd_foreach_phi(phi, after) {
      hd_def *skipped = hd_phi_src_from(phi, inner_after)->def;
      if (is_same_skipped(through_inner(skipped, inner_after, inner_empty), inner, side,
                          hd_phi_src_from(phi, outer_empty)->def))
         continue;
      /* To select a boolean is as many instructions on masks as are saved. */
      if (phi->instr.def.bit_size == 1)
         return NULL;
      selected += phi->instr.def.num_components;
   }
   *selects = selected > 0;
   return selected && num + selected > MAX_SELECTED ? NULL : inner;
}

/* Where lanes skip one of the two, what the phis after the outer one get is selected before the inner one. */
static void
select_skipped(hd_if *outer, hd_if *inner, unsigned side)
{
   const hd_block *inner_after = hd_node_next_block(&inner->node);
   const hd_block *inner_empty = hd_list_first_block(arm_of(inner, !side));
   hd_builder b = hd_builder_at(hd_before_node(&inner->node));

   hd_foreach_phi(phi, hd_node_next_block(&outer->node)) {
      hd_src *src = hd_phi_src_from(phi, hd_list_first_block(arm_of(outer, !side)));
      hd_def *skipped =
          through_inner(hd_phi_src_from(phi, inner_after)->def, inner_after, inner_empty);
      const unsigned num = phi->instr.def.num_components;
      hd_def *condition[HD_MAX_COMPONENTS];
      if (is_same_skipped(skipped, inner, side, src->def))
         continue;
      for (unsigned n = 0; n < num; n++)
         condition[n] = outer->cond.def;
      hd_def *all = num == 1 ? condition[0] : hd_vec(&b, num, condition);
      hd_src_set_def(src, hd_select(&b, all, side ? src->def : skipped, side ? skipped : src->def));
   }
}

static hd_def *
constant_before(hd_if *nif, bool value)
{
   const hd_const_value bit = { .u64 = value };
   hd_const *c = hd_const_create(nif->node.list->function->shader, 1, 1, &bit);

   hd_instr_insert(hd_before_node(&nif->node), &c->instr);
   return &c->instr.def;
}

/*  before  outer { first  inner { X } else { skip }  inner_after } else { }  after
 *
 * becomes
 *
 *  before+first  outer { X } else { }  after
 *
 * and the same with arms swapped.
 */
static void
unnest(hd_if *outer, hd_if *inner)
{
   hd_function *f = outer->node.list->function;
   hd_block *before = hd_node_prev_block(&outer->node);
   const unsigned side = side_of(outer);
   hd_block *first = hd_list_first_block(arm_of(outer, side));
   hd_block *skip = hd_list_first_block(arm_of(inner, !side));
   hd_block *inner_after = hd_node_next_block(&inner->node);
   hd_block *last = hd_list_last_block(arm_of(inner, side));
   hd_block *after = hd_node_next_block(&outer->node);
   hd_block *body = hd_list_first_block(arm_of(inner, side));

   select_skipped(outer, inner, side);
   if (!hd_block_jump(last)) {
      hd_foreach_phi(phi, after) {
         hd_src *src = hd_phi_src_from(phi, inner_after);
         hd_def *def = through_inner(src->def, inner_after, last);
         hd_src_set_def(src, def == inner->cond.def ? constant_before(outer, !side) : def);
      }
   }
   hd_edge_remove(skip, 0);
   hd_edge_remove(first, 1);
   hd_edge_remove(first, 0);
   hd_foreach_phi_safe(phi, inner_after) {
      assert(!phi->instr.def.uses && "only phis after the outer if can read it");
      hd_instr_remove(&phi->instr);
   }
   if (hd_block_jump(last)) {
      hd_edge_remove(inner_after, 0);
   } else {
      hd_edge_remove(last, 0);
      hd_edges_move(inner_after, last);
   }
   /* Both conditions, before the outer `if`. */
   hd_move_tail(first->first, before);
   hd_alu *both = hd_alu_create(f->shader, side ? HD_OP_IOR : HD_OP_IAND, 2, 1, 1);
   hd_instr_set_src(&both->instr, 0, outer->cond.def);
   hd_instr_set_src(&both->instr, 1, inner->cond.def);
   hd_instr_insert(hd_before_node(&outer->node), &both->instr);
   hd_src_set_def(&outer->cond, &both->instr.def);
   /* The arm of the inner one is that of the outer one: that edge of `before` goes there. */
   hd_nodes_unlink(&first->node, &inner_after->node);
   hd_splice_list(arm_of(outer, side), arm_of(inner, side));
   hd_pred_remove(before, side);
   before->succs[side] = (hd_edge){ body, 0 };
   body->preds[body->num_preds++] = (hd_pred){ before, side };
   hd_src_unlink(&inner->cond);
   hd_cf_node_free(f, &first->node);
   hd_cf_node_free(f, &inner_after->node);
   hd_cf_node_free(f, &skip->node);
   hd_cf_node_free(f, &inner->node);
}

/* What both arms begin with */

static bool
is_same(replaced *values, const hd_instr *a, const hd_instr *b)
{
   if (a->kind != b->kind || a->op != b->op || a->flags != b->flags || a->num_srcs != b->num_srcs ||
       a->def.bit_size != b->def.bit_size || a->def.num_components != b->def.num_components)
      return false;
   if (a->kind == HD_INSTR_CONST)
      return !memcmp(((const hd_const *)a)->value, ((const hd_const *)b)->value,
                     a->def.num_components * sizeof(hd_const_value));
   if (a->kind != HD_INSTR_ALU)
      return false;
   for (unsigned n = 0; n < a->num_srcs; n++) {
      if (hd_replaced_get(values, hd_instr_src(a, n)->def) !=
          hd_replaced_get(values, hd_instr_src(b, n)->def))
         return false;
   }
   return true;
}

/* Ops have no effect and read no other lane: they may stand before the `if`, and be one. */
static bool
hoist_equal(replaced *values, hd_if *nif)
{
   hd_instr *a = hd_block_first_non_phi(hd_list_first_block(&nif->then_list));
   hd_instr *b = hd_block_first_non_phi(hd_list_first_block(&nif->else_list));
   bool changed = false;

   while (a && b && is_same(values, a, b)) {
      hd_instr *next_a = a->next, *next_b = b->next;
      hd_instr_move(hd_before_node(&nif->node), a);
      hd_replaced_set(values, b, &a->def);
      a = next_a;
      b = next_b;
      changed = true;
   }
   return changed;
}

/* As many as fit, and as long as no uniform branch becomes divergent. */
static bool
unnest_all(hd_if *nif)
{
   bool changed = false, selects;
   hd_if *inner;

   while (nif->node.mark & IF_NESTS && (inner = hd_if_nested(nif, &selects)) != NULL &&
          !hd_src_as_const(&inner->cond) && (!selects || nif->node.mark & IF_DIVERGENT) &&
          (nif->node.mark & IF_DIVERGENT || !(inner->node.mark & IF_DIVERGENT))) {
      /* What is in it now, was in the inner one. */
      const unsigned kept = nif->node.mark & ~IF_NESTS;
      nif->node.mark = (kept | (inner->node.mark & (IF_NESTS | IF_DIVERGENT))) & 15;
      unnest(nif, inner);
      changed = true;
   }
   return changed;
}

/* Forward for what comes one after the other, back for what is inside: so that all parts of an `if`
 * are in it when its turn comes. Each op that is hoisted takes another one away.
 */
bool
hd_if_change_tree(hd_function *f, replaced *values, bool merges)
{
   bool changed = false;

   for (hd_cf_node *n = merges ? f->body.first : NULL; n; n = hd_cf_node_next(n)) {
      hd_if *nif = hd_node_as_if(n);
      pass_step(f, 1);
      if (!nif || !merging_after(nif))
         continue;
      merge_chain(values, nif);
      changed = true;
   }
   for (hd_cf_node *n = f->body.last; n; n = hd_cf_node_prev(n)) {
      hd_if *nif = hd_node_as_if(n);
      if (!nif)
         continue;
      changed |= hoist_equal(values, nif);
      changed |= unnest_all(nif);
   }
   return changed;
}
