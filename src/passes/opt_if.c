/* SPDX-License-Identifier: MIT */
/* opt_if.c - propagate branch conditions and merge adjacent or nested ifs.
 *
 *    if !c { A } else { B }                       =>   if c { B } else { A }
 *    if c { ... c ... } else { ... c ... }        =>   if c { ... true ... } else { ... false ... }
 *    if c & d { ... d ... }                       =>   if c & d { ... true ... }
 *    if x == 7 { ... x ... }                      =>   if x == 7 { ... 7 ... }
 *    if c { break }  ... c ...                    =>   if c { break }  ... false ...
 *    if c { A } else { B }  if c { C } else { D } =>   if c { A C } else { B D }
 *    if c { if d { A } }                          =>   if c & d { A }
 *    if c { } else { if d { } else { A } }        =>   if c | d { } else { A }
 *    if c { } else { if d { } else { x = A } y = phi b, x } z = phi a, y
 *                                                 =>   s = select c, a, b  if c | d { } else { x = A } z = phi s, x
 *    if c { x = a + 1 ... } else { y = a + 1 ...} =>   x = a + 1  if c { ... } else { ... }
 *
 * Conditions are propagated as facts: inside a list, an operand may be replaced by the value that
 * the branch implies. Lists nest, so facts are kept on a stack. A phi after the first of two ifs
 * that are merged is a fact in the second, too.
 *
 * Two ifs in sequence are merged only if nothing but phis is between them. B no longer runs before
 * C then. That makes no difference if the condition is uniform, because only one of them runs; else
 * if neither can observe the other: one of the two touches no memory and has no side effect, or
 * both only read. Each block runs with the same lanes.
 *
 * Two nested ifs are merged unless the outer branch is uniform and the inner one is divergent: the
 * wave may skip the outer one as a whole. The other way round the lanes have diverged anyway, and
 * one exec mask serves both. So selects take the place of masks there, where lanes that skip the outer one
 * have another value than those that skip the inner one.
 *
 * Requires:  valid IR, nothing more; divergence if two ifs could be merged and their conditions are
 *            not known to be divergent.
 * Preserves: the metadata of the graph as long as only operands are replaced; else nothing.
 * Leaves:    ifs on constants to opt_dead_cf.
 * Tests:     tests/passes/opt_if.hd, tests/passes/test_cf.c, tests/passes/test_run.c
 */
#include "passes/opt_if.h"
#include "heddle/op_enum.h"
#include "passes/constant_benefit.h"

#include "analysis/private.h"

/* What code does that lanes elsewhere may see, or that sees what they do. */
#define TOUCHES 1u /* memory, a variable, or another part of the machine */
#define CHANGES 2u /* it, or has another effect */
/* Lanes may leave the list for another place in the loop around it, or after that loop. */
#define LEAVES 4u

/* So many lists up it is looked whether a use is in a list. */
#define MAX_LISTS_UP 8u

/* The most that one edge teaches: a long chain of conjunctions is not taken apart at each `if`. */
#define MAX_FACTS 8

struct forgotten {
   hd_def *def;
   hd_def *was; /* what it stood for before, or NULL */
};

/* A phi between two ifs of a chain that becomes one `if`: what it is in the arms of the later ones.
 */
struct chain_phi {
   uint32_t chain;
   hd_def *is[2]; /* in the then-arms, in the else-arms */
};

struct state {
   hd_function *f;
   hd_def **fact; /* by def index: what it is here, or NULL */
   uint32_t size; /* of that and of `chain_phi` */
   uint32_t num_chains;
   /* Made for the first chain. */
   struct chain_phi **chain_phi; /* by def index, or NULL */
   uint32_t *chain_of; /* by index of the first block of its then-arm: the chain of an `if`, or 0 */
   uint8_t *side;      /* by chain: 1 in its then-arms, 2 in its else-arms, else 0 */
   bool *read_outside; /* by chain: one of its phis is read outside of the list that it is in */
   struct forgotten *log;
   uint32_t num_log, log_capacity;
   uint32_t *scopes; /* for each list around the place: the length of the log when it began */
   uint32_t num_scopes;
   uint8_t *does;   /* by block index: what the list does from this block on; NULL until asked */
   hd_def bools[2]; /* stand for false and true until one is needed */
   hd_def *constants[2]; /* which is made then */
   bool knows_divergence;
   bool progress;
};

/* What is here */

static hd_def *
known(const struct state *s, hd_def *def)
{
   while (def->index < s->size) {
      const struct chain_phi *phi = s->num_chains ? s->chain_phi[def->index] : NULL;
      if (s->fact[def->index])
         def = s->fact[def->index];
      else if (phi && s->side[phi->chain])
         def = phi->is[s->side[phi->chain] - 1];
      else
         break;
   }
   return def;
}

static void
grow_log(struct state *s)
{
   const uint32_t capacity = s->log_capacity * 2 + 64;
   struct forgotten *log = hd_stack_alloc(hd_shader_stack(s->f->shader), capacity * sizeof(*log));

   if (s->num_log)
      memcpy(log, s->log, s->num_log * sizeof(*log));
   s->log = log;
   s->log_capacity = capacity;
}

static inline void
learn(struct state *s, hd_def *def, hd_def *is)
{
   if (def->index >= s->size || def == is)
      return;
   if (s->num_log == s->log_capacity)
      grow_log(s);
   s->log[s->num_log++] = (struct forgotten){ def, s->fact[def->index] };
   s->fact[def->index] = is;
}

static void
forget(struct state *s, uint32_t length)
{
   while (s->num_log > length) {
      const struct forgotten *last = &s->log[--s->num_log];
      s->fact[last->def->index] = last->was;
   }
}

/* Learn that a condition holds, or does not, and what follows from that: at most MAX_FACTS. */
static void
learn_condition(struct state *s, hd_def *cond, bool holds)
{
   struct {
      hd_def *def;
      bool holds;
   } work[MAX_FACTS];
   unsigned num = 1;

   work[0].def = cond;
   work[0].holds = holds;
   for (unsigned n = 0; n < num; n++) {
      hd_def *def = work[n].def;
      bool value = work[n].holds;
      const hd_alu *alu = hd_instr_as_alu(hd_def_instr(def));
      if (hd_def_instr(def)->kind == HD_INSTR_CONST)
         continue;
      if (def->index < s->size && !s->fact[def->index])
         learn(s, def, &s->bools[value]);
      if (!alu)
         continue;
      if (alu->instr.op == HD_OP_INOT && num < MAX_FACTS) {
         work[num].def = alu->src[0].def;
         work[num++].holds = !value;
      } else if (alu->instr.op == (value ? HD_OP_IAND : HD_OP_IOR) && num + 1 < MAX_FACTS) {
         for (unsigned i = 0; i < 2; i++) {
            work[num].def = alu->src[i].def;
            work[num++].holds = value;
         }
      } else if (alu->instr.op == (value ? HD_OP_IEQ : HD_OP_INE) &&
                 alu->src[0].def->num_components == 1) {
         for (unsigned i = 0; i < 2; i++) {
            hd_def *other = alu->src[!i].def;
            if (hd_src_as_const(&alu->src[i]) && hd_def_instr(other)->kind != HD_INSTR_CONST)
               learn(s, other, alu->src[i].def);
         }
      }
   }
}

/* Operands */

static hd_def *
constant(struct state *s, bool value)
{
   hd_def **c = &s->constants[value];

   if (!*c) {
      const hd_const_value v = { .u64 = value };
      hd_const *made = hd_const_create(s->f->shader, 1, 1, &v);
      hd_instr_insert(hd_after_phis(hd_function_start(s->f)), &made->instr);
      *c = &made->instr.def;
   }
   return *c;
}

static bool
is_known_constant(const struct state *s, hd_def *def)
{
   const hd_def *is = known(s, def);

   return is == &s->bools[0] || is == &s->bools[1] || hd_def_instr(is)->kind == HD_INSTR_CONST;
}

static bool
are_all_constant(const struct state *s, hd_instr *i)
{
   hd_foreach_src(src, i) {
      if (!is_known_constant(s, src->def))
         return false;
   }
   return true;
}

/* Is the phi equal to the condition of the `if` before it? For opt_phi. */
static bool
repeats_condition(const struct state *s, const hd_phi *phi)
{
   const hd_block *b = phi->instr.block;
   const hd_if *nif = b->node.prev ? hd_node_as_if(b->node.prev) : NULL;

   if (!nif || phi->num_srcs != 2)
      return false;
   for (unsigned n = 0; n < 2; n++) {
      const bool way = b->preds[n].from->node.list == &nif->then_list;
      const hd_def *is = known(s, phi->srcs[n].src.def);
      if (is == &s->bools[!way])
         return false;
      const hd_const *c = is == &s->bools[way] ? NULL : hd_instr_as_const(hd_def_instr(is));
      if (is != &s->bools[way] && (!c || c->value[0].b != way))
         return false;
   }
   return true;
}

/* Is there anything to gain from a constant here: is something computed or chosen by it? What else
 * only reads a condition gains nothing, and the constant is one instruction more; other constants
 * there are already.
 */
static bool
gains(const struct state *s, const hd_src *src, const hd_const_value *value)
{
   hd_instr *i = hd_src_instr(src);

   if (!i || i->kind == HD_INSTR_JUMP)
      return true;
   if (i->kind == HD_INSTR_ALU)
      return hd_benefits_from_constant(src, value, are_all_constant(s, i), false);
   return src->def->bit_size != 1 ||
          (i->kind == HD_INSTR_PHI && repeats_condition(s, hd_instr_as_phi(i)));
}

/* A phi of a chain comes to stand after the arms that the walk is in. */
static bool
must_go(const struct state *s, const hd_def *def)
{
   const struct chain_phi *phi = s->num_chains ? s->chain_phi[def->index] : NULL;

   return phi && s->side[phi->chain];
}

static void
rewrite_known(struct state *s, hd_src *src)
{
   hd_def *is = known(s, src->def);

   if (is == src->def)
      return;
   const bool is_bool = is == &s->bools[0] || is == &s->bools[1];
   const hd_const_value way = { .u64 = is == &s->bools[1] };
   const hd_const *c = is_bool ? NULL : hd_instr_as_const(hd_def_instr(is));
   if ((is_bool || c) && !must_go(s, src->def) && !gains(s, src, c ? c->value : &way))
      return;
   hd_src_set_def(src, is_bool ? constant(s, way.b) : is);
   s->progress = true;
}

/* Nothing is known of most. */
static inline void
rewrite(struct state *s, hd_src *src)
{
   const uint32_t index = src->def->index;

   if (index < s->size && (s->fact[index] || s->num_chains))
      rewrite_known(s, src);
}

/* Operands of a block's instructions, and what the phis after it read at its end. */
static void
rewrite_block(struct state *s, hd_block *b)
{
   pass_step(s->f, 1);
   if (!s->num_log && !s->num_chains)
      return;
   hd_foreach_instr(i, b) {
      pass_step(s->f, 1);
      if (i->kind == HD_INSTR_PHI)
         continue;
      hd_foreach_src(src, i)
         rewrite(s, src);
   }
   for (uint32_t n = 0; n < b->num_succs; n++) {
      const hd_edge *edge = &b->succs[n];
      if (hd_block_is_end(edge->to))
         continue;
      hd_foreach_phi(phi, edge->to)
         rewrite(s, &phi->srcs[edge->pred].src);
   }
}

/* Two ifs in sequence */

static unsigned
instr_does(const hd_instr *i)
{
   const hd_intrinsic_info *info;

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_CALL:
   case HD_INSTR_STORE_VAR:
      return TOUCHES | CHANGES;
   case HD_INSTR_LOAD_VAR:
      return TOUCHES;
   case HD_INSTR_INTRINSIC:
      info = hd_instr_intrinsic_info(i);
      if (info->writes || info->flags & (HD_EFFECT_WRITE | HD_EFFECT_BARRIER | HD_EFFECT_DEMOTE) ||
          !(info->flags & HD_CAN_ELIMINATE))
         return TOUCHES | CHANGES;
      if (hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ACCESS) & HD_ACCESS_VOLATILE)
         return TOUCHES | CHANGES;
      return info->reads ? TOUCHES : 0;
   default:
      return 0;
   }
}

/* What each list does from each of its blocks on. Backwards, what is inside comes before. */
static void
find_out_what_lists_do(struct state *s)
{
   s->does = hd_stack_alloc_zero(hd_shader_stack(s->f->shader), s->f->num_blocks);
   hd_foreach_block_rev(b, s->f) {
      unsigned does = 0;
      hd_foreach_instr(i, b)
         does |= instr_does(i);
      const hd_if *nif = hd_block_next_if(b);
      const hd_loop *loop = hd_block_next_loop(b);
      const hd_jump *jump = hd_block_jump(b);
      if (jump && (jump->instr.op == HD_JUMP_BREAK || jump->instr.op == HD_JUMP_CONTINUE))
         does |= LEAVES;
      if (nif) {
         does |= s->does[nif->then_list.first->index] | s->does[nif->else_list.first->index];
      } else if (loop) {
         does |= (s->does[loop->body.first->index] | s->does[loop->continue_list.first->index]) &
                 ~LEAVES;
      }
      if (b->node.next)
         does |= s->does[b->node.next->next->index];
      s->does[b->node.index] = (uint8_t)does;
   }
}

static bool
is_uniform(struct state *s, const hd_src *src)
{
   if (!s->knows_divergence && hd_is_surely_divergent(src->def))
      return false;
   if (!s->knows_divergence)
      hd_require(s->f, HD_META_DIVERGENCE);
   s->knows_divergence = true;
   return hd_src_is_uniform(src);
}

static bool
may_swap(unsigned a, unsigned b)
{
   return !((a & CHANGES && b & TOUCHES) || (b & CHANGES && a & TOUCHES));
}

/* Is this operand read in the list, or in one that is in it? Where that takes long to see: no. */
static bool
is_read_in(const hd_src *use, const hd_cf_list *list)
{
   const hd_instr *i = hd_src_instr(use);
   const hd_cf_list *at;

   if (i && i->kind == HD_INSTR_PHI) {
      const uint32_t n = (uint32_t)((const hd_wide_src *)use - ((const hd_phi *)i)->srcs);
      at = i->block->preds[n].from->node.list;
   } else {
      at = i ? i->block->node.list : hd_src_if(use)->node.list;
   }
   for (unsigned n = 0; n < MAX_LISTS_UP && at != list && at->parent; n++)
      at = at->parent->list;
   return at == list;
}

static bool
has_phi_read_outside(struct state *s, hd_block *between)
{
   hd_foreach_phi(phi, between) {
      hd_foreach_use(use, &phi->instr.def) {
         pass_step(s->f, 1);
         if (!is_read_in(use, between->node.list))
            return true;
      }
   }
   return false;
}

/* The `if` before this one, if both may be one. A phi between them stands after both then: who
 * reads it outside of their list must not get there from inside of the second.
 */
static hd_if *
find_same_before(struct state *s, hd_if *nif)
{
   hd_block *between = hd_node_prev_block(&nif->node);
   hd_if *before = hd_node_as_if(between->node.prev);

   if (!before || before->cond.def != nif->cond.def || between->num_preds != 2 ||
       hd_block_first_non_phi(between))
      return NULL;
   if (hd_instr_as_const(hd_def_instr(nif->cond.def)))
      return NULL;
   if (!s->does)
      find_out_what_lists_do(s);
   const unsigned does =
       s->does[nif->then_list.first->index] | s->does[nif->else_list.first->index];
   const uint32_t chain = s->num_chains ? s->chain_of[before->then_list.first->index] : 0;
   if (does & LEAVES && ((chain && s->read_outside[chain]) || has_phi_read_outside(s, between)))
      return NULL;
   if (may_swap(s->does[before->else_list.first->index], s->does[nif->then_list.first->index]) ||
       is_uniform(s, &nif->cond))
      return before;
   return NULL;
}

/* The walk */

static void
begin_list(struct state *s)
{
   s->scopes[s->num_scopes++] = s->num_log;
}

static void
end_list(struct state *s)
{
   forget(s, s->scopes[--s->num_scopes]);
}

/* Which arms of its chain, if it is in one, the walk is in. */
static void
set_side(struct state *s, const hd_if *nif, uint8_t side)
{
   const uint32_t chain = s->num_chains ? s->chain_of[nif->then_list.first->index] : 0;

   if (chain)
      s->side[chain] = side;
}

/* Inside this list of an `if`. */
static void
begin_arm(struct state *s, hd_if *nif, bool holds)
{
   begin_list(s);
   learn_condition(s, nif->cond.def, holds);
   set_side(s, nif, holds ? 1 : 2);
}

/* Each `if` has blocks of its own: there are fewer chains than blocks. */
static void
begin_chains(struct state *s)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);

   s->chain_phi = hd_stack_alloc_zero(stack, s->size * sizeof(*s->chain_phi));
   s->chain_of = hd_stack_alloc_zero(stack, s->f->num_blocks * sizeof(*s->chain_of));
   s->side = hd_stack_alloc_zero(stack, s->f->num_blocks);
   s->read_outside = hd_stack_alloc_zero(stack, s->f->num_blocks);
}

/* Both become one, with all that already belongs to the first. */
static void
chain(struct state *s, hd_if *before, hd_if *nif)
{
   hd_block *between = hd_node_prev_block(&nif->node);
   const hd_cf_list *lists[2][2] = { { &before->then_list, &nif->then_list },
                                     { &before->else_list, &nif->else_list } };

   if (!s->num_chains)
      begin_chains(s);
   uint32_t *chain = &s->chain_of[before->then_list.first->index];
   if (!*chain)
      *chain = ++s->num_chains;
   s->chain_of[nif->then_list.first->index] = *chain;
   nif->node.mark |= IF_MERGES;
   s->read_outside[*chain] |= has_phi_read_outside(s, between);
   hd_foreach_phi(phi, between) {
      struct chain_phi *is = hd_stack_alloc(hd_shader_stack(s->f->shader), sizeof(*is));
      is->chain = *chain;
      for (unsigned n = 0; n < 2; n++)
         is->is[n] = hd_phi_src_from(phi, hd_list_last_block(lists[n][0]))->def;
      s->chain_phi[phi->instr.def.index] = is;
   }
   /* What comes after this one meets both. */
   for (unsigned n = 0; n < 2; n++)
      s->does[lists[n][1]->first->index] |= s->does[lists[n][0]->first->index];
}

/* Only an `if` without an else inside an `if` without an else, with at most a few ops before it. */
static void
mark_nested(struct state *s, hd_if *nif)
{
   bool selects;
   hd_if *inner = hd_src_as_const(&nif->cond) ? NULL : hd_if_nested(nif, &selects);

   if (!inner || hd_src_as_const(&inner->cond))
      return;
   nif->node.mark |= IF_NESTS;
   if (!(nif->node.mark & IF_DIVERGENT) && !is_uniform(s, &nif->cond))
      nif->node.mark |= IF_DIVERGENT;
   if (!is_uniform(s, &inner->cond))
      inner->node.mark |= IF_DIVERGENT;
}

static void
visit_if(struct state *s, hd_if *nif)
{
   rewrite(s, &nif->cond);
   hd_if *before = find_same_before(s, nif);
   if (before)
      chain(s, before, nif);
   mark_nested(s, nif);
   begin_arm(s, nif, true);
}

/* Where one arm left, the rest of the list knows that it was not taken. */
static void
leave_if(struct state *s, hd_if *nif)
{
   bool then_leaves = hd_block_jump(hd_list_last_block(&nif->then_list));
   bool else_leaves = hd_block_jump(hd_list_last_block(&nif->else_list));

   end_list(s);
   set_side(s, nif, 0);
   if (then_leaves != else_leaves)
      learn_condition(s, nif->cond.def, else_leaves);
}

static void
walk(struct state *s)
{
   hd_cf_node *left;

   for (hd_cf_node *node = s->f->body.first; node;) {
      hd_block *b = hd_node_as_block(node);
      hd_if *nif = hd_node_as_if(node);
      const hd_cf_list *list = node->list;

      if (b)
         rewrite_block(s, b);
      else if (nif)
         visit_if(s, nif);
      else
         begin_list(s);
      node = hd_splice_next(node, &left);
      if (left && left->kind == HD_CF_IF) {
         leave_if(s, hd_node_as_if(left));
      } else if (left) {
         end_list(s);
      } else if (b && node && list->parent && node->list != list && !b->node.next) {
         /* From the first list of a node to the second. */
         end_list(s);
         if (list->parent->kind == HD_CF_IF)
            begin_arm(s, hd_node_as_if(list->parent), false);
         else
            begin_list(s);
      }
   }
}

static void
prepare(struct state *s)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);

   s->scopes = hd_stack_alloc(stack, s->f->num_blocks * sizeof(*s->scopes));
   s->size = s->f->num_defs;
   s->fact = hd_stack_alloc_zero(stack, s->size * sizeof(hd_def *));
   s->bools[0].index = s->bools[1].index = s->size;
}

bool
hd_opt_if(hd_function *f)
{
   struct state s = { .f = f };
   replaced values;

   /* Without ifs and loops a body is one block. */
   if (!f->body.first->next)
      return false;
   bool changed = hd_if_swap_negated(f);
   hd_function_borrow_node_marks(f);
   prepare(&s);
   walk(&s);
   hd_replaced_init(&values, f);
   changed |= hd_if_change_tree(f, &values, s.num_chains > 0);
   changed |= hd_replaced_finish(&values);
   hd_function_release_marks(f);
   if (changed)
      f->meta_valid = 0;
   return hd_progress(f, changed || s.progress, OPT_IF_KEEPS);
}
