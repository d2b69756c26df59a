/* SPDX-License-Identifier: MIT */
/* sccp_facts.c - facts about values that branch conditions imply, for opt_sccp (as LLVM's PredicateInfo
 * for SCCP).
 *
 * Blocks are visited in preorder of the dominator tree. If an edge of a branch is the only one into a
 * block, the condition is known there and in all blocks that it dominates: each value is the same as
 * when the branch was taken, because a lane that computes it again passes the branch again. The fact
 * is kept as long as the walk is below the block; a use in that region reads a copy of its value,
 * created at the first such use. All lanes that read the copy have taken the edge, so it does not
 * matter whether the branch is divergent.
 */
#include "heddle/op_enum.h"
#include "passes/pass.h"
#include "passes/sccp.h"

/* So many facts of one edge are looked for, that a large condition is not read at every branch. */
#define MOST_FACTS 8

/* What is known of a value, from a block on. */
struct known {
   hd_def *def;
   hd_def *equal;
   hd_const_value constant;
   hd_def *copy;        /* once it is needed */
   hd_block *from;      /* the block */
   struct known *outer; /* of the same value */
};

struct walk {
   hd_function *f;
   hd_stack *stack;
   struct facts *facts;
   struct fact **end;
   struct known **known; /* by def index; NULL: nothing was known so far */
   struct known **scope; /* all that hold now */
   uint32_t num_scope, scope_capacity, num_defs;
};

static inline void
know(struct walk *w, hd_block *from, hd_def *def, hd_def *equal, hd_const_value constant)
{
   if (hd_def_instr(def)->kind == HD_INSTR_CONST)
      return;
   /* What is known of a copy is known of the value: `known` has no place for copies. */
   while (def->index >= w->num_defs)
      def = hd_instr_src(hd_def_instr(def), 0)->def;
   /* The one use is what led here from the branch. */
   if (!hd_src_next_use(def->uses))
      return;
   if (!w->known)
      w->known = hd_stack_alloc_zero(w->stack, (w->num_defs + 1) * sizeof(*w->known));
   /* If it is a constant already, there is no further fact. */
   if (w->known[def->index] && !w->known[def->index]->equal)
      return;
   struct known *k = hd_stack_alloc(w->stack, sizeof(*k));
   *k = (struct known){ def, equal, constant, NULL, from, w->known[def->index] };
   w->known[def->index] = k;
   if (w->num_scope == w->scope_capacity) {
      uint32_t capacity = w->scope_capacity * 2 + 64;
      struct known **scope = hd_stack_alloc(w->stack, capacity * sizeof(*scope));
      if (w->num_scope)
         memcpy(scope, w->scope, w->num_scope * sizeof(*scope));
      w->scope = scope;
      w->scope_capacity = capacity;
   }
   w->scope[w->num_scope++] = k;
}

/* A condition is true or false from a block on, and what follows from that. */
static void
know_condition(struct walk *w, hd_block *from, hd_def *cond, bool value)
{
   struct {
      hd_def *def;
      bool value;
   } list[MOST_FACTS];
   unsigned num = 1;

   list[0].def = cond;
   list[0].value = value;
   for (unsigned n = 0; n < num; n++) {
      hd_def *def = list[n].def;
      const hd_instr *i = hd_def_instr(def);
      const bool is = list[n].value;
      know(w, from, def, NULL, (hd_const_value){ .u64 = is });
      if (i->kind != HD_INSTR_ALU)
         continue;
      if (i->op == HD_OP_INOT && num < MOST_FACTS) {
         list[num].value = !is;
         list[num++].def = hd_instr_src(i, 0)->def;
      } else if (i->op == (is ? HD_OP_IAND : HD_OP_IOR)) {
         for (unsigned s = 0; s < 2 && num < MOST_FACTS; s++) {
            list[num].value = is;
            list[num++].def = hd_instr_src(i, s)->def;
         }
      } else if (i->op == (is ? HD_OP_IEQ : HD_OP_INE) && i->def.num_components == 1) {
         hd_def *a = hd_instr_src(i, 0)->def, *b = hd_instr_src(i, 1)->def;
         know(w, from, a, b, (hd_const_value){ 0 });
         know(w, from, b, a, (hd_const_value){ 0 });
      }
   }
}

/* A case that alone leads to its block. Where each leads to one of its own, they are in the order
 * of the successors; else they are searched, if they are few.
 */
static void
know_case(struct walk *w, hd_block *b, const hd_jump *jump, uint32_t succ)
{
   const hd_switch_case *only = NULL;
   const bool apart = jump->num_cases == b->preds[0].from->num_succs - 1;

   if (succ == 0 || (!apart && jump->num_cases > MOST_FACTS))
      return;
   if (apart)
      only = &jump->cases[succ - 1];
   for (uint32_t n = 0; n < jump->num_cases && !apart; n++) {
      if (jump->cases[n].succ != succ)
         continue;
      if (only)
         return;
      only = &jump->cases[n];
   }
   if (only && only->succ == succ)
      know(w, b, jump->src[0].def, NULL, (hd_const_value){ .u64 = only->value });
}

/* What the branch that leads to a block has decided. */
static void
enter(struct walk *w, hd_block *b)
{
   if (b->num_preds != 1)
      return;
   hd_block *from = b->preds[0].from;
   const uint32_t succ = b->preds[0].succ;
   const hd_if *nif = hd_block_next_if(from);
   const hd_jump *jump = hd_block_jump(from);

   if (from->num_succs < 2)
      return;
   if (nif)
      know_condition(w, b, nif->cond.def, succ == 0);
   else if (jump && jump->instr.op == HD_JUMP_GOTO_IF)
      know_condition(w, b, jump->src[0].def, succ == 0);
   else if (jump && jump->instr.op == HD_JUMP_SWITCH)
      know_case(w, b, jump, succ);
}

/* The walk has left the block for which the innermost facts hold. */
static void
leave(struct walk *w, const hd_block *b)
{
   while (w->num_scope && !hd_block_dominates(w->scope[w->num_scope - 1]->from, b)) {
      const struct known *k = w->scope[--w->num_scope];
      w->known[k->def->index] = k->outer;
   }
}

/* Copies of a value in nested blocks, or because of several facts in one, are copies of each other:
 * the inner one knows what the outer one does. They are made from the outermost in.
 */
static hd_def *
copy_of(struct walk *w, struct known *innermost)
{
   struct known *k = innermost;
   uint32_t num = 0;

   for (; k && !k->copy; k = k->outer)
      num++;
   hd_def *value = k ? k->copy : innermost->def;
   struct known **missing = hd_stack_alloc(w->stack, num * sizeof(*missing));
   uint32_t at = num;
   for (k = innermost; at; k = k->outer)
      missing[--at] = k;
   for (at = 0; at < num; at++) {
      k = missing[at];
      hd_alu *copy = hd_alu_create(w->f->shader, HD_OP_VEC, 1, 1, k->def->bit_size);
      hd_instr_set_src(&copy->instr, 0, value);
      const bool same_block = k->outer && k->outer->from == k->from;
      hd_instr_insert(same_block ? hd_after_instr(hd_def_instr(value)) : hd_after_phis(k->from),
                      &copy->instr);
      value = k->copy = &copy->instr.def;
      struct fact *fact = hd_stack_alloc(w->stack, sizeof(*fact));
      *fact = (struct fact){ &copy->instr, k->equal, k->constant, NULL, NULL };
      *w->end = fact;
      w->end = &fact->next;
   }
   return value;
}

static inline void
rename_src(struct walk *w, hd_src *src)
{
   struct known *k = src->def->index < w->num_defs ? w->known[src->def->index] : NULL;

   if (k)
      hd_src_set_def(src, copy_of(w, k));
}

static void
visit(struct walk *w, hd_block *b)
{
   uint32_t num = 0;

   hd_foreach_instr(i, b) {
      num++;
      if (i->kind == HD_INSTR_PHI || (i->def.bit_size && i->def.index >= w->num_defs))
         continue;
      hd_foreach_src(src, i)
         rename_src(w, src);
   }
   pass_step(w->f, num);
   hd_if *nif = hd_block_next_if(b);
   if (nif)
      rename_src(w, &nif->cond);
   for (uint32_t n = 0; n < b->num_succs; n++) {
      const hd_edge *edge = &b->succs[n];
      hd_foreach_phi(phi, edge->to) {
         pass_step(w->f, 1);
         rename_src(w, &phi->srcs[edge->pred].src);
      }
   }
}

void
hd_sccp_facts_find(struct facts *facts, hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct walk w = { .f = f, .stack = stack, .facts = facts, .end = &facts->first };

   facts->first = NULL;
   w.num_defs = f->num_defs;
   for (hd_block *b = hd_function_start(f); b; b = hd_block_dom_next(b)) {
      if (hd_block_is_end(b))
         continue;
      leave(&w, b);
      enter(&w, b);
      if (w.num_scope)
         visit(&w, b);
   }
   facts->num_defs = f->num_defs;
   if (!facts->first)
      return;
   facts->by_copy = hd_stack_alloc_zero(stack, (f->num_defs + 1) * sizeof(*facts->by_copy));
   facts->by_equal = hd_stack_alloc_zero(stack, (f->num_defs + 1) * sizeof(*facts->by_equal));
   for (struct fact *fact = facts->first; fact; fact = fact->next) {
      facts->by_copy[fact->copy->def.index] = fact;
      if (!fact->equal)
         continue;
      fact->next_equal = facts->by_equal[fact->equal->index];
      facts->by_equal[fact->equal->index] = fact;
   }
}

void
hd_sccp_facts_remove(struct facts *facts)
{
   for (struct fact *fact = facts->first; fact; fact = fact->next) {
      if (!fact->copy)
         continue;
      hd_def_replace_uses(&fact->copy->def, hd_instr_src(fact->copy, 0)->def);
      hd_instr_remove(fact->copy);
   }
}
