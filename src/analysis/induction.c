/* SPDX-License-Identifier: MIT */
/* induction.c - trip counts, by evaluating the induction variables iteration by iteration.
 *
 * The exit condition depends on a small graph: ops of the loop, constants, and header phis whose
 * first source is a constant and whose next source is such an op again. Each iteration evaluates the
 * graph with the constant folder. So no reasoning about steps, signs, wrapping or comparisons is
 * needed.
 */
#include "heddle/ops.h"
#include "heddle/trip_count.h"
#include "ir/private.h"

/* A condition that takes more than this is not that of a counted loop. */
#define MAX_VALUES   24
#define MAX_OPERANDS 4

struct value {
   const hd_def *def;
   const hd_const *first; /* of a constant, and of a phi */
   uint32_t next;         /* of a phi: the value it has in the next run */
   uint32_t operands[MAX_OPERANDS];
   hd_const_value now;
};

struct counters {
   const hd_loop *loop;
   struct value values[MAX_VALUES]; /* operands before what is made of them */
   uint32_t num;
};

static uint32_t
find(const struct counters *c, const hd_def *def)
{
   uint32_t n = 0;

   while (n < c->num && c->values[n].def != def)
      n++;
   return n;
}

static bool
is_phi_of(const struct counters *c, const hd_def *def)
{
   const hd_instr *i = hd_def_instr(def);

   return i->kind == HD_INSTR_PHI && i->block == hd_loop_header(c->loop);
}

/* Enter a constant or a phi, which need nothing before them. */
static bool
enter_leaf(struct counters *c, const hd_def *def)
{
   const hd_const *first = hd_instr_as_const(hd_def_instr(def));

   if (is_phi_of(c, def)) {
      const hd_phi *phi = hd_instr_as_phi(hd_def_instr(def));
      first = hd_src_as_const(hd_phi_src_from(phi, hd_node_prev_block(&c->loop->node)));
   }
   if (!first || c->num == MAX_VALUES)
      return false;
   c->values[c->num++] = (struct value){ .def = def, .first = first, .next = MAX_VALUES };
   return true;
}

/* Enter all that `def` is made of, and then it. The work that is left is a path of unfinished ops:
 * as each holds a place of its own in it, a deep one is given up early.
 */
static bool
enter(struct counters *c, const hd_def *def)
{
   const hd_def *work[MAX_VALUES];
   uint32_t num = 0;

   work[num++] = def;
   while (num) {
      const hd_def *top = work[num - 1];
      const hd_alu *alu = hd_instr_as_alu(hd_def_instr(top));
      if (find(c, top) < c->num) {
         num--;
         continue;
      }
      if (top->num_components != 1)
         return false;
      if (!alu) {
         if (!enter_leaf(c, top))
            return false;
         num--;
         continue;
      }
      uint32_t missing = alu->instr.num_srcs;
      for (uint32_t n = 0; n < alu->instr.num_srcs; n++) {
         if (find(c, alu->src[n].def) < c->num)
            missing--;
         else if (num == MAX_VALUES)
            return false;
         else
            work[num++] = alu->src[n].def;
      }
      if (missing)
         continue;
      if (c->num == MAX_VALUES || alu->instr.num_srcs > MAX_OPERANDS)
         return false;
      struct value *value = &c->values[c->num];
      *value = (struct value){ .def = top };
      for (uint32_t n = 0; n < alu->instr.num_srcs; n++)
         value->operands[n] = find(c, alu->src[n].def);
      c->num++;
   }
   return true;
}

/* The condition, and what each phi that it needs becomes, which may need others. */
static bool
collect(struct counters *c, const hd_def *cond)
{
   const hd_block *latch = hd_loop_latch(c->loop);

   if (!enter(c, cond))
      return false;
   for (uint32_t n = 0; n < c->num; n++) {
      if (!is_phi_of(c, c->values[n].def))
         continue;
      const hd_phi *phi = hd_instr_as_phi(hd_def_instr(c->values[n].def));
      const hd_def *next = hd_phi_src_from(phi, latch)->def;
      if (!enter(c, next))
         return false;
      c->values[n].next = find(c, next);
   }
   return true;
}

static bool
compute(const struct counters *c, struct value *value)
{
   const hd_alu *alu = hd_instr_as_alu(hd_def_instr(value->def));
   uint32_t float_controls = hd_block_function(alu->instr.block)->shader->float_controls;
   hd_fold_src srcs[MAX_OPERANDS];

   for (uint32_t n = 0; n < alu->instr.num_srcs; n++) {
      const struct value *operand = &c->values[value->operands[n]];
      srcs[n] = (hd_fold_src){ &operand->now, { 1, operand->def->bit_size } };
   }
   return hd_fold_op((hd_op)alu->instr.op, alu->instr.num_srcs, srcs, alu->instr.def.bit_size,
                     float_controls, &value->now);
}

/* In which run the condition is `wanted`, or 0. */
static uint32_t
count(struct counters *c, const hd_def *cond, bool wanted, uint32_t limit)
{
   const uint32_t place = find(c, cond);

   for (uint32_t run = 1; run <= limit; run++) {
      hd_const_value next[MAX_VALUES];
      for (uint32_t n = 0; n < c->num; n++) {
         struct value *value = &c->values[n];
         bool is_alu = hd_def_instr(value->def)->kind == HD_INSTR_ALU;
         if (!is_alu && (run == 1 || value->next == MAX_VALUES))
            value->now = value->first->value[0];
         if (is_alu && !compute(c, value))
            return 0;
      }
      if (c->values[place].now.b == wanted)
         return run;
      for (uint32_t n = 0; n < c->num; n++) {
         if (c->values[n].next != MAX_VALUES && c->values[n].first)
            next[n] = c->values[c->values[n].next].now;
      }
      for (uint32_t n = 0; n < c->num; n++) {
         if (c->values[n].next != MAX_VALUES && c->values[n].first)
            c->values[n].now = next[n];
      }
   }
   return 0;
}

static bool
breaks(const hd_loop *loop, const hd_cf_list *arm)
{
   const hd_block *last = hd_list_last_block(arm);
   const hd_jump *jump = hd_block_jump(last);

   return jump && jump->instr.op == HD_JUMP_BREAK &&
          last->succs[0].to == hd_node_next_block(&loop->node);
}

/* Look at the ifs of one list. */
static void
look_at(const hd_loop *loop, const hd_cf_list *list, uint32_t limit, hd_trip_count *trips)
{
   hd_foreach_node_in_list(node, list) {
      hd_if *nif = hd_node_as_if(node);
      bool then_exits = nif && breaks(loop, &nif->then_list);
      struct counters c = { .loop = loop };
      if (!nif || (!then_exits && !breaks(loop, &nif->else_list)))
         continue;
      /* Who stays must be able to. */
      if (hd_block_jump(hd_list_last_block(then_exits ? &nif->else_list : &nif->then_list)))
         continue;
      if (!collect(&c, nif->cond.def))
         continue;
      uint32_t run = count(&c, nif->cond.def, then_exits, trips->exit ? trips->max - 1 : limit);
      if (run)
         *trips = (hd_trip_count){ .max = run, .exit = nif, .then_exits = then_exits };
   }
}

bool
hd_loop_trip_count(const hd_loop *loop, uint32_t limit, hd_trip_count *trips)
{
   const hd_block *again = hd_loop_continue(loop);
   const hd_block *last = hd_list_last_block(&loop->body);
   hd_trip_count found = { 0 };

   /* A run that continues early does not reach all of the body. */
   if (again->num_preds == 1 && again->preds[0].from == last)
      look_at(loop, &loop->body, limit, &found);
   if (again->num_preds)
      look_at(loop, &loop->continue_list, limit, &found);
   if (!found.exit)
      return false;
   found.exact = hd_node_next_block(&loop->node)->num_preds == 1;
   const hd_cf_node *end = hd_cf_node_next_outside(&loop->node);
   for (const hd_cf_node *n = &loop->node; n != end && found.exact; n = hd_cf_node_next(n)) {
      const hd_block *b = hd_node_as_block(n);
      const hd_jump *jump = b ? hd_block_jump(b) : NULL;
      found.exact = !jump || (jump->instr.op != HD_JUMP_RETURN && jump->instr.op != HD_JUMP_HALT);
   }
   *trips = found;
   return true;
}
