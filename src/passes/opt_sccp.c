/* SPDX-License-Identifier: MIT */
/* opt_sccp.c - sparse conditional constant propagation (SCCP), with facts that branch conditions
 * imply.
 *
 *    %1 = const 1                          %1 = const 1
 *    loop {                                loop {
 *      %2 = phi %1, %4              =>
 *      %3 = ieq %2, 1                        %3 = const true
 *      if %3 {                               if true {
 *      } else {                              } else {
 *        %5 = const 2                          %5 = const 2
 *      }                                     }
 *      %4 = phi %2, %5                     }
 *    }
 *
 * Wegman and Zadeck (Constant Propagation with Conditional Branches, 1991). Every value starts at
 * the top of the lattice and every edge as not executable. A phi meets only the sources of
 * executable edges; a branch on a constant makes one edge executable. A value only moves down:
 *
 *    unknown      top: no executable path computes it yet
 *    undefined    undef: any constant may be chosen for it
 *    constant     all of its components
 *    varying      bottom
 *
 * Besides, if an edge of a branch is the only one into a block, the condition is known there, and so
 * are its operands: inside of `if (x == y)`, x is a constant if y is one (sccp.h). This holds for
 * all lanes that are active there, so for divergent branches too.
 *
 * An undefined value becomes undef. If a branch depends on one, all its edges are executable: the
 * program is wrong, but nothing is gained from that.
 *
 * Requires:  valid IR; dominance.
 * Preserves: all that depends on the graph alone.
 * Leaves:    branches on constants, unreachable code and its phi sources to opt_dead_cf; equal
 *            constants to opt_cse; algebraic identities to opt_algebraic.
 * Tests:     tests/passes/opt_sccp.hd, tests/passes/test_run.c
 */
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "passes/constant_benefit.h"
#include "passes/pass.h"
#include "passes/sccp.h"

#include "ir/fold.h"
#include "ir/repair.h"

#include <assert.h>

enum { UNKNOWN, UNDEFINED, CONSTANT, VARYING };

/* The way to a successor of a block. */
struct edge {
   const hd_block *from;
   uint32_t succ;
};

struct state {
   hd_function *f;
   hd_stack *stack;
   bool divide; /* the option */
   struct facts facts;
   uint8_t *level;                /* by def index */
   const hd_const_value **values; /* by def index, of constants */
   hd_def **lowered;              /* their uses are to be looked at */
   uint32_t num_lowered;
   bool first;           /* the block at hand is visited for the first time */
   bool found;           /* something that is computed was constant or undefined at some time */
   uint32_t *edge_begin; /* by block index: of its edges */
   bool *taken;          /* by edge */
   struct edge *edges;   /* taken, their targets are to be looked at */
   uint32_t num_edges;
   bool *reached;        /* by block index */
   hd_block **undecided; /* they branch on something undefined */
   uint32_t num_undecided;
   bool *is_undecided; /* by block index */
};

/* Going down */

static bool
are_equal(const hd_def *def, const hd_const_value *a, const hd_const_value *b)
{
   for (unsigned n = 0; n < def->num_components; n++) {
      if (a[n].u64 != b[n].u64)
         return false;
   }
   return true;
}

/* The value is at most this; `values` stay where they are. Where its block is visited for the first
 * time, no use of it was looked at yet: all are further down in the block, or in what it dominates,
 * or at the ends of those.
 */
static inline void
lower(struct state *s, hd_def *def, unsigned level, const hd_const_value *values)
{
   const unsigned kind = hd_def_instr(def)->kind;
   uint8_t *now = &s->level[def->index];

   if (level == CONSTANT && *now == CONSTANT && !are_equal(def, s->values[def->index], values))
      level = VARYING;
   if (level <= *now)
      return;
   *now = (uint8_t)level;
   s->values[def->index] = values;
   if (!s->first)
      s->lowered[s->num_lowered++] = def;
   s->found |= level != VARYING && kind != HD_INSTR_CONST && kind != HD_INSTR_UNDEF;
}

static void
lower_to(struct state *s, hd_def *def, const hd_def *by)
{
   lower(s, def, s->level[by->index], s->values[by->index]);
}

/* A splat of a special operand of the op: does it decide the result? If it has the size of that, so
 * has the other operand.
 */
static bool
absorbs(const struct state *s, const hd_instr *i, unsigned n, hd_element element)
{
   const hd_def *def = hd_instr_src(i, n)->def;

   if (element == HD_ELEMENT_NONE || s->level[def->index] != CONSTANT ||
       def->bit_size != i->def.bit_size || def->num_components != i->def.num_components)
      return false;
   const uint64_t value = hd_element_value(element, def->bit_size);
   for (unsigned c = 0; c < def->num_components; c++) {
      if (s->values[def->index][c].u64 != value)
         return false;
   }
   return true;
}

static void
fold(struct state *s, hd_instr *i)
{
   const unsigned num = hd_instr_num_srcs(i);
   hd_fold_src srcs[HD_MAX_COMPONENTS];
   hd_const_value *result = hd_stack_alloc(s->stack, i->def.num_components * sizeof(*result));

   assert(num > 0);
   for (unsigned n = 0; n < num; n++) {
      const hd_def *def = hd_instr_src(i, n)->def;
      srcs[n] = (hd_fold_src){ s->values[def->index], { def->num_components, def->bit_size } };
   }
   hd_fold_fitting((hd_op)i->op, srcs, (hd_shape){ i->def.num_components, i->def.bit_size },
                   s->f->shader->float_controls, result);
   lower(s, &i->def, CONSTANT, result);
}

/* One of the other two operands, by a condition that is the same in all components; or both. */
static void
visit_select(struct state *s, hd_instr *i)
{
   const hd_def *cond = hd_instr_src(i, 0)->def;
   const hd_def *when[2] = { hd_instr_src(i, 2)->def, hd_instr_src(i, 1)->def };
   const unsigned level = s->level[cond->index];
   bool uniform = level == CONSTANT;

   if (level == UNKNOWN)
      return;
   for (unsigned n = 1; n < cond->num_components && uniform; n++)
      uniform = s->values[cond->index][n].b == s->values[cond->index][0].b;
   if (level == UNDEFINED) {
      lower(s, &i->def, UNDEFINED, NULL);
   } else if (uniform) {
      lower_to(s, &i->def, when[s->values[cond->index][0].b]);
   } else if (level == CONSTANT && s->level[when[0]->index] == CONSTANT &&
              s->level[when[1]->index] == CONSTANT) {
      fold(s, i);
   } else if (s->level[when[0]->index] != UNKNOWN && s->level[when[1]->index] != UNKNOWN) {
      lower_to(s, &i->def, when[0]);
      lower_to(s, &i->def, when[1]);
   }
}

/* What fills the result beside the bits of the operand is not undefined, whatever they are: zeros, or
 * copies of one bit.
 */
static bool
has_defined_bits(hd_instr *i)
{
   switch (i->op) {
   case HD_OP_U2U:
   case HD_OP_I2I:
      return i->def.bit_size > hd_instr_src(i, 0)->def->bit_size;
   case HD_OP_ISHL:
   case HD_OP_USHR:
   case HD_OP_ISHR:
   case HD_OP_UBFE:
   case HD_OP_IBFE:
   case HD_OP_UBITFIELD_EXTRACT:
   case HD_OP_IBITFIELD_EXTRACT:
      return true;
   default:
      return false;
   }
}

static void
visit_alu(struct state *s, hd_instr *i)
{
   unsigned lowest = VARYING, highest = UNKNOWN;

   if (i->op == HD_OP_SELECT) {
      visit_select(s, i);
      return;
   }
   hd_foreach_src(src, i) {
      const unsigned level = s->level[src->def->index];
      lowest = level < lowest ? level : lowest;
      highest = level > highest ? level : highest;
   }
   if (lowest == UNKNOWN)
      return;
   if (lowest == VARYING) {
      lower(s, &i->def, VARYING, NULL);
      return;
   }
   if (lowest == CONSTANT && highest == CONSTANT) {
      fold(s, i);
      return;
   }
   const hd_op_info *info = hd_op_get_info((hd_op)i->op);
   if (info->num_srcs == 2 && !(info->flags & HD_OP_FLOAT)) {
      const hd_element element[2] = { (hd_element)info->absorbing_left,
                                      (hd_element)info->absorbing };
      for (unsigned n = 0; n < 2; n++) {
         if (absorbs(s, i, n, element[n])) {
            lower_to(s, &i->def, hd_instr_src(i, n)->def);
            return;
         }
      }
   }
   if (lowest > UNDEFINED) {
      lower(s, &i->def, VARYING, NULL);
      return;
   }
   /* Of what moves or chooses, a part may be defined; what absorbs may do so when it runs; and some
    * ops give the same for any two equal operands.
    */
   const bool equal = info->same != HD_SAME_UNKNOWN && info->num_srcs == 2 &&
                      hd_instr_src(i, 0)->def == hd_instr_src(i, 1)->def;
   const bool undefined = info->undef == HD_UNDEF_ANY ? lowest == UNDEFINED
                          : info->undef == HD_UNDEF_ABSORBS || info->undef == HD_UNDEF_PRODUCT ||
                                  info->undef == HD_UNDEF_BITS
                              ? highest == UNDEFINED
                              : false;
   lower(s, &i->def, undefined && !equal && !has_defined_bits(i) ? UNDEFINED : VARYING, NULL);
}

/* Constant data at a place that is known. */
static void
visit_load(struct state *s, hd_instr *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   const uint32_t *indices = hd_intrinsic_indices((hd_intrinsic *)i);
   const hd_def *address = hd_instr_src(i, 0)->def;
   const unsigned size = i->def.bit_size / 8, num = i->def.num_components;
   const hd_shader *shader = s->f->shader;

   if (s->level[address->index] == UNKNOWN)
      return;
   if (s->level[address->index] == CONSTANT) {
      const int64_t at = (int64_t)s->values[address->index][0].u32 +
                         (int32_t)indices[info->slots[HD_INDEX_OFFSET] - 1];
      if (at >= 0 && at + num * size <= shader->constants_size) {
         hd_const_value *result = hd_stack_alloc_zero(s->stack, num * sizeof(*result));
         for (unsigned n = 0; n < num * size; n++)
            result[n / size].u64 |= (uint64_t)shader->constants[at + n] << n % size * 8;
         lower(s, &i->def, CONSTANT, result);
         return;
      }
   }
   lower(s, &i->def, VARYING, NULL);
}

/* What the shader says of every launch. */
static bool
is_of_launch(const struct state *s, const hd_instr *i)
{
   const hd_shader *shader = s->f->shader;
   const uint32_t *size = shader->workgroup_size;

   if (i->kind != HD_INSTR_INTRINSIC)
      return false;
   if (i->op == HD_INTRINSIC_WORKGROUP_SIZE)
      return size[0] && size[1] && size[2];
   return i->op == HD_INTRINSIC_SUBGROUP_SIZE && shader->subgroup_size;
}

static void
visit_launch(struct state *s, hd_instr *i)
{
   const hd_shader *shader = s->f->shader;
   const uint32_t *known =
       i->op == HD_INTRINSIC_SUBGROUP_SIZE ? &shader->subgroup_size : shader->workgroup_size;
   hd_const_value *result = hd_stack_alloc_zero(s->stack, i->def.num_components * sizeof(*result));

   for (unsigned n = 0; n < i->def.num_components; n++)
      result[n].u32 = known[n];
   lower(s, &i->def, CONSTANT, result);
}

/* It is what it copies, or what that is known to be equal to. */
static void
visit_copy(struct state *s, const struct fact *fact)
{
   hd_def *def = &fact->copy->def;
   const hd_def *from = hd_instr_src(fact->copy, 0)->def;

   if (s->level[from->index] != VARYING)
      lower_to(s, def, from);
   else if (!fact->equal)
      lower(s, def, CONSTANT, &fact->constant);
   else if (s->level[fact->equal->index] == UNDEFINED)
      lower(s, def, VARYING, NULL);
   else
      lower_to(s, def, fact->equal);
}

static inline void
visit_instr(struct state *s, hd_instr *i)
{
   hd_def *def = hd_instr_def(i);

   /* Nothing is lower than what varies. */
   if (!def || s->level[def->index] == VARYING)
      return;
   const struct fact *fact = fact_of(&s->facts, def);
   if (fact)
      visit_copy(s, fact);
   else if (i->kind == HD_INSTR_ALU)
      visit_alu(s, i);
   else if (i->kind == HD_INSTR_CONST)
      lower(s, def, CONSTANT, ((hd_const *)i)->value);
   else if (i->kind == HD_INSTR_UNDEF)
      lower(s, def, UNDEFINED, NULL);
   else if (i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_LOAD_CONSTANT)
      visit_load(s, i);
   else if (is_of_launch(s, i))
      visit_launch(s, i);
   else if (i->kind != HD_INSTR_PHI)
      lower(s, def, VARYING, NULL);
}

/* Edges */

static void
take(struct state *s, const hd_block *b, uint32_t succ)
{
   const uint32_t edge = s->edge_begin[b->node.index] + succ;

   if (s->taken[edge])
      return;
   s->taken[edge] = true;
   s->edges[s->num_edges++] = (struct edge){ b, succ };
}

static inline void
take_all(struct state *s, const hd_block *b)
{
   for (uint32_t n = 0; n < b->num_succs; n++)
      take(s, b, n);
}

/* The successor for a constant selector. */
static uint32_t
chosen_succ(const hd_jump *jump, const hd_const_value *value)
{
   if (!jump || jump->instr.op != HD_JUMP_SWITCH)
      return value->b ? 0 : 1;
   for (uint32_t n = 0; n < jump->num_cases; n++) {
      if (jump->cases[n].value == value->u64)
         return jump->cases[n].succ;
   }
   return 0;
}

/* What decides where a block goes; NULL: nothing. */
static inline const hd_def *
decider(const hd_block *b)
{
   const hd_if *nif = b->num_succs < 2 ? NULL : hd_block_next_if(b);
   const hd_jump *jump = b->num_succs < 2 ? NULL : hd_block_jump(b);

   if (jump && (jump->instr.op == HD_JUMP_GOTO_IF || jump->instr.op == HD_JUMP_SWITCH))
      return jump->src[0].def;
   return nif ? nif->cond.def : NULL;
}

static inline void
visit_branch(struct state *s, hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   const hd_def *cond = decider(b);

   if (!cond) {
      take_all(s, b);
      return;
   }
   switch (s->level[cond->index]) {
   case UNKNOWN:
      break;
   case UNDEFINED:
      if (!s->is_undecided[b->node.index])
         s->undecided[s->num_undecided++] = b;
      s->is_undecided[b->node.index] = true;
      break;
   case CONSTANT:
      pass_step(s->f, jump ? jump->num_cases : 0);
      take(s, b, chosen_succ(jump, s->values[cond->index]));
      break;
   default:
      take_all(s, b);
   }
}

static void
visit_block(struct state *s, hd_block *b)
{
   uint32_t num = 0;

   s->reached[b->node.index] = true;
   hd_foreach_instr(i, b) {
      visit_instr(s, i);
      num++;
   }
   pass_step(s->f, num);
   visit_branch(s, b);
}

static void
visit_edge(struct state *s, struct edge edge)
{
   const hd_edge *e = &edge.from->succs[edge.succ];
   hd_block *to = e->to;

   if (hd_block_is_end(to))
      return;
   s->first = !s->reached[to->node.index];
   hd_foreach_phi(phi, to) {
      pass_step(s->f, 1);
      lower_to(s, &phi->instr.def, phi->srcs[e->pred].src.def);
   }
   if (s->first)
      visit_block(s, to);
   s->first = false;
}

static void
visit_use(struct state *s, const hd_src *use)
{
   hd_instr *i = hd_src_instr(use);

   if (!i) {
      hd_block *b = hd_node_prev_block(&hd_src_if(use)->node);
      if (s->reached[b->node.index])
         visit_branch(s, b);
      return;
   }
   if (i->kind == HD_INSTR_PHI) {
      const uint32_t n = (uint32_t)((const hd_wide_src *)use - ((const hd_phi *)i)->srcs);
      const hd_pred *pred = &i->block->preds[n];
      if (s->taken[s->edge_begin[pred->from->node.index] + pred->succ])
         lower_to(s, &i->def, use->def);
   } else if (s->reached[i->block->node.index]) {
      if (i->kind == HD_INSTR_JUMP)
         visit_branch(s, i->block);
      else
         visit_instr(s, i);
   }
}

static void
visit_lowered(struct state *s, hd_def *def)
{
   uint32_t num = 0;

   hd_foreach_use(use, def) {
      visit_use(s, use);
      num++;
   }
   pass_step(s->f, num);
   if (!s->facts.first)
      return;
   for (struct fact *fact = s->facts.by_equal[def->index]; fact; fact = fact->next_equal) {
      pass_step(s->f, 1);
      if (s->reached[fact->copy->block->node.index])
         visit_copy(s, fact);
   }
}

/* Every def goes down three times at most, and every edge is taken once: the lists have room. */
static void
solve(struct state *s)
{
   hd_function *f = s->f;
   uint32_t num_edges = 0;

   s->level = hd_stack_alloc_zero(s->stack, f->num_defs + 1);
   s->values = hd_stack_alloc_zero(s->stack, (f->num_defs + 1) * sizeof(*s->values));
   s->lowered = hd_stack_alloc(s->stack, (3 * (size_t)f->num_defs + 1) * sizeof(*s->lowered));
   s->edge_begin = hd_stack_alloc_zero(s->stack, f->num_blocks * sizeof(*s->edge_begin));
   s->reached = hd_stack_alloc_zero(s->stack, f->num_blocks);
   s->undecided = hd_stack_alloc(s->stack, f->num_blocks * sizeof(*s->undecided));
   s->is_undecided = hd_stack_alloc_zero(s->stack, f->num_blocks);
   hd_foreach_block(b, f) {
      s->edge_begin[b->node.index] = num_edges;
      num_edges += b->num_succs;
   }
   s->taken = hd_stack_alloc_zero(s->stack, num_edges + 1);
   s->edges = hd_stack_alloc(s->stack, (num_edges + 1) * sizeof(*s->edges));

   s->first = true;
   visit_block(s, hd_function_start(f));
   s->first = false;
   for (;;) {
      if (s->num_lowered) {
         visit_lowered(s, s->lowered[--s->num_lowered]);
      } else if (s->num_edges) {
         visit_edge(s, s->edges[--s->num_edges]);
      } else if (s->num_undecided) {
         const hd_block *b = s->undecided[--s->num_undecided];
         if (s->level[decider(b)->index] == UNDEFINED)
            take_all(s, b);
      } else {
         break;
      }
   }
}

/* The end */

static bool
may_go(const struct state *s, const hd_instr *i)
{
   return i->kind == HD_INSTR_ALU || i->kind == HD_INSTR_PHI || is_of_launch(s, i) ||
          (i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_LOAD_CONSTANT);
}

static bool
replace(struct state *s, hd_undefs *undefs, hd_instr *i)
{
   const unsigned level = s->level[i->def.index];
   hd_def *by;

   if ((level != CONSTANT && level != UNDEFINED) || !may_go(s, i))
      return false;
   if (hd_def_is_unused(&i->def)) {
      hd_instr_remove(i);
      return true;
   }
   if (level == UNDEFINED) {
      by = hd_undefs_get(undefs, i->def.num_components, i->def.bit_size);
   } else {
      hd_const *c = hd_const_create(s->f->shader, i->def.num_components, i->def.bit_size,
                                    s->values[i->def.index]);
      c->instr.loc = i->loc;
      hd_instr_insert(i->kind == HD_INSTR_PHI ? hd_after_phis(i->block) : hd_before_instr(i),
                      &c->instr);
      by = &c->instr.def;
   }
   hd_def_replace_uses(&i->def, by);
   hd_instr_remove(i);
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
      const hd_def *def = phi->srcs[n].src.def;
      const bool way = b->preds[n].from->node.list == &nif->then_list;
      /* One that is newer took the place of another fact. */
      const hd_const *newer = hd_instr_as_const(hd_def_instr(def));
      const hd_const_value *value = newer ? newer->value : NULL;
      if (def->index < s->facts.num_defs && s->level[def->index] == CONSTANT)
         value = s->values[def->index];
      if (!value || value->b != way)
         return false;
   }
   return true;
}

/* Does this reader become simpler by a constant? An op of nothing but constants is gone by now, and
 * so is a phi of one; but a phi may say what a condition does. What else reads a condition does
 * not.
 */
static bool
gains(const struct state *s, const hd_src *src)
{
   const hd_instr *i = hd_src_instr(src);

   if (!i || i->kind == HD_INSTR_JUMP)
      return true;
   if (i->kind == HD_INSTR_ALU)
      return hd_benefits_from_constant(src, s->values[src->def->index], false, s->divide);
   if (i->kind == HD_INSTR_PHI)
      return src->def->bit_size == 1 && repeats_condition(s, hd_instr_as_phi(i));
   return src->def->bit_size != 1;
}

/* The constant would be nothing but one instruction more. */
static bool
gains_nothing(const struct state *s, const hd_def *def)
{
   hd_foreach_use(src, def) {
      if (gains(s, src))
         return false;
   }
   return true;
}

static bool
replace_all(struct state *s)
{
   bool progress = false;
   hd_undefs undefs;

   hd_undefs_init(&undefs, s->f);
   /* From the end: what only computed other constants is unused then. */
   hd_foreach_block_rev(b, s->f) {
      if (!s->reached[b->node.index])
         continue;
      hd_foreach_instr_rev_safe(i, b) {
         if (hd_instr_def(i) && i->def.index < s->facts.num_defs && !fact_of(&s->facts, &i->def))
            progress |= replace(s, &undefs, i);
      }
   }
   /* A copy of what was a constant itself is no news: that has an index of its own now. */
   for (struct fact *fact = s->facts.first; fact; fact = fact->next) {
      const hd_def *of = hd_instr_src(fact->copy, 0)->def;
      if (s->level[fact->copy->def.index] != CONSTANT || of->index >= s->facts.num_defs ||
          s->level[of->index] == CONSTANT || gains_nothing(s, &fact->copy->def))
         continue;
      progress |= replace(s, &undefs, fact->copy);
      fact->copy = NULL;
   }
   return progress;
}

bool
hd_opt_sccp(hd_function *f, const opt_sccp_options *o)
{
   struct state s = { .f = f, .stack = hd_shader_stack(f->shader), .divide = o->divide };
   bool progress;

   hd_sccp_facts_find(&s.facts, f);
   solve(&s);
   progress = s.found && replace_all(&s);
   hd_sccp_facts_remove(&s.facts);
   /* The copies are gone, but there are indices more. */
   if (s.facts.first)
      hd_meta_invalidate(f, OPT_SCCP_KEEPS);
   return hd_progress(f, progress, OPT_SCCP_KEEPS);
}
