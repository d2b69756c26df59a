/* SPDX-License-Identifier: MIT */
/* lower_subgroup.c - expand subgroup reductions, scans, votes and shifts to ballots and shuffles.
 *
 *    reduce, scans      pointer doubling over the participating lanes (Hillis and Steele, Data
 *                       Parallel Algorithms, 1986); fadd and fmul, whose order is fixed, by a loop
 *                       over all lanes
 *      of uniform %v  => %v, or as often %v as lanes count
 *      of booleans    => votes, or what a ballot of them counts
 *      of few bits    => the same of 32 bits, where those stay
 *      of 64 bits     => some of 32 bits, where those stay and the op allows it
 *    vote_any %c     => ballot %c is not 0
 *    vote_all %c     => ballot of the opposite is 0
 *    vote_ieq %v     => vote_all that %v is that of the lowest lane
 *    elect           => this lane is the lowest of ballot true
 *    shuffle_xor ... => shuffle from the lane so far away
 *    rotate          => shuffle from a lane of the same cluster
 *
 * The participating lanes are those of B = ballot true: active, and not helpers. Scans: each lane
 * keeps p, the nearest participating lane below it, and a partial result. Invariant: before step k
 * the partial result of a participating lane combines the last 2^k participating lanes up to
 * itself, and p is the 2^k-th participating lane below it, or -1 if there is none; for k = 0 the
 * partial result is the lane's own value. A step combines the partial result at p with the lane's
 * own, which covers 2^(k+1) lanes, and replaces p by the p of p. After log2(lanes) steps p is -1
 * everywhere and the scan is complete. Only participating lanes are read, so inactive lanes need
 * no identity. Operands are combined in lane order, so the op only has to be associative.
 *   Helper lanes get results that nothing reads: their inclusive result is their exclusive one, the
 * partial result of their p, or the identity.
 *
 * If the shader fixes the subgroup size, there are as many steps as it needs; else 7, for 128 lanes.
 *
 * Requires:  structured code, because of the loop.
 * Preserves: nothing when it makes a loop, but that is not known before.
 * Leaves:    constant operands that opt_algebraic folds, equal ballots to opt_cse.
 * Tests:     tests/passes/lower_subgroup.hd
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "passes/lower.h"
#include "passes/subgroup.h"

struct state {
   hd_builder b;
   hd_function *f;
   uint32_t lowered;
   unsigned size; /* lanes, or 0 if that is not known */
   bool uniform;  /* what is reduced or scanned is the same in all lanes */
   bool helpers;  /* there may be lanes that do not count */
};

static hd_def *
imm(struct state *s, uint32_t value)
{
   return hd_imm_u32(&s->b, value);
}

static hd_def *
counted(struct state *s)
{
   hd_def *everyone = hd_imm_bool(&s->b, true);

   return hd_ballot(&s->b, everyone);
}

/* A condition for each component. */
static hd_def *
repeat(struct state *s, hd_def *condition, unsigned n)
{
   hd_def *all[HD_MAX_COMPONENTS];

   for (unsigned k = 0; k < n; k++)
      all[k] = condition;
   return hd_build_vec(&s->b, n, all);
}

static hd_def *
choose(struct state *s, hd_def *condition, hd_def *x, hd_def *y)
{
   return hd_select(&s->b, repeat(s, condition, x->num_components), x, y);
}

static hd_def *
identity(struct state *s, hd_op op, const hd_def *like)
{
   const hd_element element = (hd_element)hd_op_get_info(op)->identity;

   return hd_lower_imm_like(&s->b, like, hd_element_value(element, like->bit_size));
}

static hd_def *
combine(struct state *s, hd_op op, hd_def *x, hd_def *y)
{
   hd_def *const srcs[] = { x, y };

   return hd_build_alu(&s->b, op, 2, srcs, 0);
}

/* Reductions and scans */

typedef struct scan {
   hd_op op;
   hd_def *value;
   hd_def *me;       /* this lane */
   hd_def *lanes;    /* B */
   hd_def *below;    /* the nearest lane below that counts, in the cluster, or -1 */
   hd_def *first;    /* the first lane of the cluster; NULL: it is 0 */
   uint32_t cluster; /* lanes, at most */
} scan;

static hd_def *
there_is(struct state *s, hd_def *lane)
{
   hd_def *zero = imm(s, 0);

   return hd_ile(&s->b, zero, lane);
}

/* The lane, if it is not below the cluster; else -1. */
static hd_def *
in_cluster(struct state *s, const scan *c, hd_def *lane)
{
   if (!c->first)
      return lane;
   hd_def *inside = hd_ile(&s->b, c->first, lane), *none = imm(s, UINT32_MAX);
   return hd_select(&s->b, inside, lane, none);
}

static scan
begin_scan(struct state *s, hd_op op, hd_def *value, uint32_t cluster)
{
   hd_builder *b = &s->b;
   const uint32_t all = s->size ? s->size : 128;
   scan c = { .op = op, .value = value };

   c.lanes = counted(s);
   c.me = hd_subgroup_invocation(b);
   c.cluster = cluster && cluster < all ? cluster : all;
   if (c.cluster < all) {
      hd_def *mask = imm(s, ~(c.cluster - 1));
      c.first = hd_iand(b, c.me, mask);
   }
   hd_def *lower = hd_subgroup_lt_mask(b);
   hd_def *nearest = hd_ballot_find_msb(b, hd_iand(b, c.lanes, lower));
   c.below = in_cluster(s, &c, nearest);
   return c;
}

/* What counts up to this lane, in lanes that count. */
static hd_def *
inclusive(struct state *s, const scan *c)
{
   hd_builder *b = &s->b;
   hd_def *sum = c->value, *p = c->below;

   for (uint32_t done = 1; done < c->cluster; done *= 2) {
      hd_def *more = there_is(s, p);
      hd_def *from = hd_select(b, more, p, c->me);
      hd_def *other = hd_shuffle(b, sum, from);
      sum = choose(s, more, combine(s, c->op, other, sum), sum);
      if (done * 2 >= c->cluster)
         break;
      hd_def *further = hd_shuffle(b, p, from), *none = imm(s, UINT32_MAX);
      p = hd_select(b, more, further, none);
   }
   return sum;
}

/* What counts below this lane, from the sums up to the lanes that count. */
static hd_def *
exclusive(struct state *s, const scan *c, hd_def *sum)
{
   hd_builder *b = &s->b;
   hd_def *any = there_is(s, c->below);
   hd_def *from = hd_select(b, any, c->below, c->me);
   hd_def *other = hd_shuffle(b, sum, from), *nothing = identity(s, c->op, sum);

   return choose(s, any, other, nothing);
}

/* The bits of the lanes below number `end`. */
static hd_def *
lanes_below(struct state *s, hd_def *end)
{
   hd_builder *b = &s->b;
   hd_def *words[4];

   for (unsigned n = 0; n < 4; n++) {
      hd_def *start = imm(s, 32 * n), *zero = imm(s, 0);
      hd_def *count = hd_usub_sat(b, end, start);
      words[n] = hd_bitfield_mask(b, count, zero, 32);
   }
   return hd_build_vec(b, 4, words);
}

/* The sum up to the last lane of the cluster that counts. */
static hd_def *
whole_sum(struct state *s, const scan *c, hd_def *sum)
{
   hd_builder *b = &s->b;
   hd_def *lanes = c->lanes, *last, *result;

   if (c->first) {
      hd_def *end = imm(s, c->cluster);
      end = hd_iadd(b, c->first, end);
      lanes = hd_iand(b, lanes, lanes_below(s, end));
   }
   last = in_cluster(s, c, hd_ballot_find_msb(b, lanes));
   /* Without helpers this lane counts itself. */
   if (!s->helpers)
      return c->first ? hd_shuffle(b, sum, last) : hd_broadcast(b, sum, last);
   hd_def *any = there_is(s, last), *zero = imm(s, 0);
   hd_def *from = hd_imax(b, last, zero);
   result = c->first ? hd_shuffle(b, sum, from) : hd_broadcast(b, sum, from);
   return choose(s, any, result, identity(s, c->op, sum));
}

/* What is combined, as it is where no other is: fmin and fmax leave no NaN as it was. */
static hd_def *
alone(struct state *s, const hd_instr *i, hd_op op)
{
   hd_def *value = hd_instr_src(i, 0)->def;

   return op == HD_OP_FMIN || op == HD_OP_FMAX ? hd_fcanonicalize(&s->b, value) : value;
}

static hd_def *
lower_associative(struct state *s, const hd_instr *i, hd_op op, uint32_t cluster)
{
   const scan c = begin_scan(s, op, alone(s, i, op), cluster);
   hd_def *sum = inclusive(s, &c);

   if (i->op == HD_INTRINSIC_REDUCE)
      return whole_sum(s, &c, sum);
   if (i->op == HD_INTRINSIC_EXCLUSIVE_SCAN)
      return exclusive(s, &c, sum);
   if (!s->helpers)
      return sum;
   hd_def *below = exclusive(s, &c, sum);
   return choose(s, hd_inverse_ballot(&s->b, c.lanes), sum, below);
}

/* Does lane number `lane`, which may be any, belong to what this lane sums up? */
static hd_def *
belongs(struct state *s, const hd_instr *i, const scan *c, hd_def *lane)
{
   hd_builder *b = &s->b;
   hd_def *counts = hd_ballot_bit(b, c->lanes, lane), *inside = NULL;

   if (i->op == HD_INTRINSIC_INCLUSIVE_SCAN) {
      inside = hd_ule(b, lane, c->me);
   } else if (i->op == HD_INTRINSIC_EXCLUSIVE_SCAN) {
      inside = hd_ult(b, lane, c->me);
   } else if (c->first) {
      hd_def *mask = imm(s, ~(c->cluster - 1));
      inside = hd_ieq(b, hd_iand(b, lane, mask), c->first);
   }
   return inside ? hd_iand(b, counts, inside) : counts;
}

static hd_def *
header_phi(hd_loop *loop, const hd_def *like, hd_def *from_outside)
{
   hd_phi *phi = hd_phi_insert(hd_loop_header(loop), like->num_components, like->bit_size, NULL);

   hd_phi_set_src(phi, hd_node_prev_block(&loop->node), from_outside);
   return &phi->instr.def;
}

static void
close_phi(hd_loop *loop, hd_def *phi, hd_def *next)
{
   hd_phi_set_src((hd_phi *)hd_def_instr(phi), hd_loop_latch(loop), next);
}

/* Lane by lane, in ascending order. */
static hd_def *
lower_ordered(struct state *s, hd_instr *i, hd_op op, uint32_t cluster)
{
   hd_builder *b = &s->b;
   const scan c = begin_scan(s, op, hd_instr_src(i, 0)->def, cluster);
   hd_def *size = s->size ? imm(s, s->size) : hd_subgroup_size(b);
   hd_def *zero = imm(s, 0), *none = hd_imm_bool(b, false);
   hd_def *nothing = identity(s, op, c.value);
   hd_loop *loop = hd_insert_loop(hd_before_instr(i));
   hd_def *lane = header_phi(loop, zero, zero), *any = header_phi(loop, none, none);
   hd_def *sum = header_phi(loop, c.value, nothing);

   b->cursor = hd_after_block(hd_loop_header(loop));
   hd_if *end = hd_insert_if(b->cursor, hd_ule(b, size, lane));
   hd_insert_jump(hd_list_end(&end->then_list), HD_JUMP_BREAK, NULL);
   b->cursor = hd_after_node(&end->node);
   hd_def *value = hd_broadcast(b, c.value, lane);
   hd_def *taken = belongs(s, i, &c, lane);
   hd_def *more = choose(s, any, combine(s, op, sum, value), value);
   hd_def *one = imm(s, 1);
   close_phi(loop, lane, hd_iadd(b, lane, one));
   close_phi(loop, sum, choose(s, taken, more, sum));
   close_phi(loop, any, hd_ior(b, any, taken));
   b->cursor = hd_before_instr(i);
   return sum;
}

/* Reductions and scans that no lane need ask another for */

static hd_def *vote_all(struct state *s, hd_def *condition);
static hd_def *any_bit(struct state *s, hd_def *mask);

static hd_def *
not_zero(struct state *s, hd_def *count)
{
   hd_def *zero = imm(s, 0);

   return hd_ine(&s->b, count, zero);
}

static hd_def *
is_odd(struct state *s, hd_def *count)
{
   hd_def *one = imm(s, 1);

   return not_zero(s, hd_iand(&s->b, count, one));
}

/* How many lanes of the mask are combined into the result. */
static hd_def *
count_of(struct state *s, const hd_instr *i, hd_def *mask)
{
   switch ((hd_intrinsic_id)i->op) {
   case HD_INTRINSIC_REDUCE:
      return hd_ballot_bit_count(&s->b, mask);
   case HD_INTRINSIC_INCLUSIVE_SCAN:
      return hd_ballot_bit_count_inclusive(&s->b, mask);
   default:
      return hd_ballot_bit_count_exclusive(&s->b, mask);
   }
}

/* Does the result differ from the value only where no lane is combined? Floats may be flushed. */
static bool
repeats(hd_op op)
{
   const hd_op_info *info = hd_op_get_info(op);

   return info->same == HD_SAME_OPERAND && info->result.kind != HD_KIND_FLOAT;
}

/* The same value of each lane that counts. NULL: that is no shorter. */
static hd_def *
lower_uniform(struct state *s, const hd_instr *i, hd_op op, uint32_t cluster)
{
   hd_def *value = hd_instr_src(i, 0)->def;

   if (repeats(op) && i->op != HD_INTRINSIC_EXCLUSIVE_SCAN)
      return value;
   if (cluster)
      return NULL;
   if (repeats(op)) {
      hd_def *any = not_zero(s, count_of(s, i, counted(s)));
      return choose(s, any, value, identity(s, op, value));
   }
   if (op == HD_OP_IXOR) {
      hd_def *odd = is_odd(s, count_of(s, i, counted(s)));
      return choose(s, odd, value, identity(s, op, value));
   }
   if (op == HD_OP_IADD && value->bit_size >= 32) {
      hd_def *count = count_of(s, i, counted(s));
      if (value->bit_size != 32)
         count = hd_u2u(&s->b, count, value->bit_size);
      hd_def *counts[HD_MAX_COMPONENTS];
      for (unsigned c = 0; c < value->num_components; c++)
         counts[c] = count;
      return hd_imul(&s->b, value, hd_build_vec(&s->b, value->num_components, counts));
   }
   return NULL;
}

static hd_def *
lower_boolean(struct state *s, const hd_instr *i, hd_op op, hd_def *value)
{
   hd_builder *b = &s->b;
   const bool whole = i->op == HD_INTRINSIC_REDUCE, votes = s->lowered & HD_LOWERED_SUBGROUP_VOTE;

   if (op == HD_OP_IOR && whole)
      return votes ? any_bit(s, hd_ballot(b, value)) : hd_vote_any(b, value);
   if (op == HD_OP_IAND && whole)
      return votes ? vote_all(s, value) : hd_vote_all(b, value);
   if (whole)
      return is_odd(s, hd_ballot_bit_count(b, hd_ballot(b, value)));
   /* Those below this lane, and then its own. */
   hd_def *counts = op == HD_OP_IAND ? hd_inot(b, value) : value;
   hd_def *below = hd_ballot_bit_count_exclusive(b, hd_ballot(b, counts));
   hd_def *result = op == HD_OP_IXOR ? is_odd(s, below) : not_zero(s, below);
   if (op == HD_OP_IAND)
      result = hd_inot(b, result);
   if (i->op == HD_INTRINSIC_EXCLUSIVE_SCAN)
      return result;
   if (s->helpers) {
      hd_def *neutral = identity(s, op, value);
      value = choose(s, hd_inverse_ballot(b, counted(s)), value, neutral);
   }
   return combine(s, op, result, value);
}

static hd_def *
lower_booleans(struct state *s, const hd_instr *i, hd_op op)
{
   hd_def *value = hd_instr_src(i, 0)->def, *parts[HD_MAX_COMPONENTS];

   for (unsigned c = 0; c < value->num_components; c++)
      parts[c] = lower_boolean(s, i, op, hd_build_channel(&s->b, value, c));
   return hd_build_vec(&s->b, value->num_components, parts);
}

/* The boolean that is counted in 32 bits, or NULL. */
static hd_def *
counted_boolean(const hd_instr *i)
{
   const hd_instr *value = hd_def_instr(hd_instr_src(i, 0)->def);

   return value->kind == HD_INSTR_ALU && value->op == HD_OP_B2I && i->def.bit_size == 32 &&
                  i->def.num_components == 1
              ? hd_instr_src(value, 0)->def
              : NULL;
}

static hd_def *
lower_without_moves(struct state *s, const hd_instr *i, hd_op op, uint32_t cluster)
{
   if (cluster == 1 && !s->helpers)
      return alone(s, i, op);
   if (s->size && cluster >= s->size)
      cluster = 0;
   /* Not of scans: a ballot is undefined for those, too, who come before the lane that makes it so.
    */
   if (!cluster && op == HD_OP_IADD && i->op == HD_INTRINSIC_REDUCE) {
      hd_def *boolean = counted_boolean(i);
      if (boolean)
         return count_of(s, i, hd_ballot(&s->b, boolean));
   }
   if (!cluster && i->def.bit_size == 1 &&
       (op == HD_OP_IOR || op == HD_OP_IAND || op == HD_OP_IXOR))
      return lower_booleans(s, i, op);
   return s->uniform && !s->helpers ? lower_uniform(s, i, op, cluster) : NULL;
}

/* In 32 bits, of which upper ones are cut off again. */
static hd_def *
widen(struct state *s, const hd_instr *i, hd_op op)
{
   hd_builder *b = &s->b;
   hd_def *value = hd_instr_src(i, 0)->def;
   const unsigned bits = value->bit_size;
   const uint32_t *indices = hd_intrinsic_indices((const hd_intrinsic *)i);

   if (bits == 1)
      value = hd_b2i(b, value, 32);
   else if (op == HD_OP_IMIN || op == HD_OP_IMAX)
      value = hd_i2i(b, value, 32);
   else
      value = hd_u2u(b, value, 32);
   value = hd_subgroup_combine(b, i, value, indices[0]);
   if (bits == 1)
      return hd_ine(b, value, hd_lower_imm_like(b, value, 0));
   /* Where no lane is combined, the identity is that of few bits. */
   if (i->op != HD_INTRINSIC_EXCLUSIVE_SCAN && !s->helpers)
      return hd_u2u(b, value, bits);
   if (op == HD_OP_IMIN)
      value = hd_imin(b, value, hd_lower_imm_like(b, value, (1u << (bits - 1)) - 1));
   else if (op == HD_OP_IMAX)
      value = hd_imax(b, value, hd_lower_imm_like(b, value, 0u - (1u << (bits - 1))));
   return hd_u2u(b, value, bits);
}

/* Whether it can be had of 32 bits, and those stay. */
static bool
widens(const struct state *s, const hd_instr *i, hd_op op)
{
   if (s->lowered & HD_LOWERED_SUBGROUP_DWORDS || i->def.bit_size >= 32)
      return false;
   if (i->def.bit_size == 1)
      return op == HD_OP_IAND || op == HD_OP_IOR || op == HD_OP_IXOR;
   return op != HD_OP_FMIN && op != HD_OP_FMAX;
}

/* Whether the machine takes it as it is. Not where single values would be flushed on the way. */
static bool
stays(const struct state *s, const hd_instr *i, hd_op op)
{
   if (!(hd_instr_constructs(i) & HD_LOWERED_SUBGROUP_DWORDS & ~s->lowered))
      return false;
   return !(s->f->shader->float_controls & HD_FLOAT_FLUSH_32) ||
          hd_op_get_info(op)->result.kind != HD_KIND_FLOAT;
}

/* NULL: it stays. */
static hd_def *
lower_arith(struct state *s, hd_instr *i)
{
   const uint32_t *indices = hd_intrinsic_indices((const hd_intrinsic *)i);
   const uint8_t *slots = hd_instr_intrinsic_info(i)->slots;
   const uint32_t value = indices[slots[HD_INDEX_REDUCE_OP] - 1];
   const hd_op op = hd_index_get_info(HD_INDEX_REDUCE_OP)->values[value].op;
   const uint8_t slot = slots[HD_INDEX_CLUSTER_SIZE];
   const uint32_t cluster = slot ? indices[slot - 1] : 0;
   hd_def *result = lower_without_moves(s, i, op, cluster);

   if (result || stays(s, i, op))
      return result;
   if (!(hd_op_get_info(op)->flags & HD_OP_ASSOCIATIVE))
      return lower_ordered(s, i, op, cluster);
   if (!(s->lowered & HD_LOWERED_SUBGROUP_DWORDS) && hd_subgroup_splits(i, op))
      return hd_subgroup_split(&s->b, i, op);
   return widens(s, i, op) ? widen(s, i, op) : lower_associative(s, i, op, cluster);
}

/* Votes */

/* Whether a bit is set that a lane can have. */
static hd_def *
any_bit(struct state *s, hd_def *mask)
{
   hd_builder *b = &s->b;
   const unsigned words = s->size ? (s->size + 31) / 32 : 4;
   hd_def *bits = hd_build_channel(b, mask, 0), *zero;

   for (unsigned n = 1; n < words; n++) {
      hd_def *word = hd_build_channel(b, mask, n);
      bits = hd_ior(b, bits, word);
   }
   zero = imm(s, 0);
   return hd_ine(b, bits, zero);
}

static hd_def *
vote_all(struct state *s, hd_def *condition)
{
   hd_builder *b = &s->b;

   return hd_inot(b, any_bit(s, hd_ballot(b, hd_inot(b, condition))));
}

/* Equal to the lowest lane's value in all lanes: equal to each other. Where no lane counts, no lane
 * votes against it, whatever is read.
 */
static hd_def *
vote_equal(struct state *s, hd_def *value, hd_op equal)
{
   hd_builder *b = &s->b;
   hd_def *lane = hd_ballot_find_lsb(b, counted(s));

   if (s->helpers) {
      hd_def *zero = imm(s, 0);
      lane = hd_imax(b, lane, zero);
   }
   hd_def *same = combine(s, equal, value, hd_broadcast(b, value, lane));
   hd_def *all = hd_build_channel(b, same, 0);
   for (unsigned n = 1; n < same->num_components; n++) {
      hd_def *part = hd_build_channel(b, same, n);
      all = hd_iand(b, all, part);
   }
   return vote_all(s, all);
}

static hd_def *
lower_vote(struct state *s, const hd_instr *i)
{
   hd_builder *b = &s->b;

   switch (i->op) {
   case HD_INTRINSIC_ELECT: {
      hd_def *lowest = hd_ballot_find_lsb(b, counted(s)), *me = hd_subgroup_invocation(b);
      return hd_ieq(b, me, lowest);
   }
   case HD_INTRINSIC_VOTE_ANY:
      return any_bit(s, hd_ballot(b, hd_instr_src(i, 0)->def));
   case HD_INTRINSIC_VOTE_ALL:
      return vote_all(s, hd_instr_src(i, 0)->def);
   default:
      return vote_equal(s, hd_instr_src(i, 0)->def,
                        i->op == HD_INTRINSIC_VOTE_IEQ ? HD_OP_IEQ : HD_OP_FEQ);
   }
}

/* Shifts */

/* The lane `distance` ahead in the cluster, counted round. */
static hd_def *
rotated(struct state *s, hd_def *me, hd_def *distance, uint32_t cluster)
{
   hd_builder *b = &s->b;

   if (s->size && (!cluster || cluster > s->size))
      cluster = s->size;
   if (s->size) {
      hd_def *within = imm(s, cluster - 1), *sum = hd_iadd(b, me, distance);
      return hd_bitselect(b, within, sum, me);
   }
   hd_def *size = hd_subgroup_size(b);
   if (cluster) {
      hd_def *most = imm(s, cluster);
      size = hd_umin(b, size, most);
   }
   hd_def *place = hd_urem(b, me, size), *turn = hd_urem(b, distance, size);
   hd_def *to = hd_urem(b, hd_iadd(b, place, turn), size);
   return hd_iadd(b, hd_isub(b, me, place), to);
}

/* Where there is no lane so far away, the number may wrap to one: anything will do there. */
static hd_def *
lower_shift(struct state *s, const hd_instr *i)
{
   hd_builder *b = &s->b;
   hd_def *value = hd_instr_src(i, 0)->def, *distance = hd_instr_src(i, 1)->def, *lane;
   hd_def *me = hd_subgroup_invocation(b);

   switch (i->op) {
   case HD_INTRINSIC_SHUFFLE_XOR:
      lane = hd_ixor(b, me, distance);
      break;
   case HD_INTRINSIC_SHUFFLE_UP:
      lane = hd_isub(b, me, distance);
      break;
   case HD_INTRINSIC_SHUFFLE_DOWN:
      lane = hd_iadd(b, me, distance);
      break;
   default:
      lane = rotated(s, me, distance, hd_intrinsic_indices((const hd_intrinsic *)i)[0]);
      break;
   }
   return hd_shuffle(b, value, lane);
}

#define ARITH (HD_LOWERED_SUBGROUP_ARITH | HD_LOWERED_SUBGROUP_DWORDS)

/* What an instruction is of what may go; reductions that stay may have a short form all the same.
 */
static uint32_t
constructs_of(const struct state *s, const hd_instr *i)
{
   const uint32_t constructs = i->kind == HD_INSTR_INTRINSIC ? hd_instr_constructs(i) : 0;

   return constructs & (s->lowered | (s->lowered & ARITH ? ARITH : 0));
}

static bool
lower_instr(struct state *s, hd_instr *i)
{
   const uint32_t constructs = constructs_of(s, i), first_new = s->f->num_defs;
   hd_def *by;

   s->b.cursor = hd_before_instr(i);
   s->b.loc = i->loc;
   /* Floats are combined as they were. */
   s->b.flags = HD_FP_EXACT;
   if (constructs & ARITH)
      by = lower_arith(s, i);
   else if (constructs & HD_LOWERED_SUBGROUP_VOTE)
      by = lower_vote(s, i);
   else
      by = lower_shift(s, i);
   assert(s->b.result == HD_OK);
   if (by)
      hd_lower_replace(i, by, first_new);
   return by;
}

struct found {
   hd_instr *instr;
   bool uniform;
};

bool
hd_lower_subgroup(hd_function *f, const lower_subgroup_options *o)
{
   const hd_shader *shader = f->shader;
   hd_stack *stack = hd_shader_stack(f->shader);
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   struct state s = { .f = f,
                      .size = shader->subgroup_size,
                      .helpers = shader->stage == HD_STAGE_FRAGMENT };
   uint32_t num = 0, capacity = 0;
   bool progress = false;

   s.lowered =
       (o->arith ? HD_LOWERED_SUBGROUP_ARITH : 0) | (o->dwords ? HD_LOWERED_SUBGROUP_DWORDS : 0) |
       (o->vote ? HD_LOWERED_SUBGROUP_VOTE : 0) | (o->shift ? HD_LOWERED_SUBGROUP_SHIFT : 0);
   hd_foreach_block(block, f) {
      hd_foreach_instr(i, block) {
         capacity += constructs_of(&s, i) != 0;
         pass_step(f, 1);
      }
   }
   if (!capacity)
      return hd_progress(f, false, LOWER_SUBGROUP_KEEPS);
   /* What is uniform is known before the graph changes. */
   hd_require(f, HD_META_DIVERGENCE);
   struct found *found = hd_stack_alloc(stack, capacity * sizeof(*found));
   hd_foreach_block(block, f) {
      hd_foreach_instr(i, block) {
         const uint32_t constructs = constructs_of(&s, i);
         if (constructs)
            found[num++] =
                (struct found){ i, constructs & ARITH && hd_src_is_uniform(hd_instr_src(i, 0)) };
      }
   }
   s.b = hd_builder_at(hd_before_block(hd_function_start(f)));
   /* From the end: where a loop parts a block, what follows it goes to another block, once. */
   for (uint32_t n = num; n-- > 0;) {
      s.uniform = found[n].uniform;
      progress |= lower_instr(&s, found[n].instr);
   }
   hd_stack_release(stack, mark);
   return hd_progress(f, progress, LOWER_SUBGROUP_KEEPS);
}
