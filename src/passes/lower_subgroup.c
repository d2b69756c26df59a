/* SPDX-License-Identifier: MIT */
/* lower_subgroup.c - reductions, scans, votes and shifts over lanes become ballots and shuffles.
 *
 *    reduce, scans      pointer doubling over the lanes that count; fadd and fmul, whose order is
 *                       given, a loop over all lanes
 *    vote_any %c     => ballot %c is not 0                       vote_all: ballot of the opposite
 * is 0 vote_ieq %v     => vote_all that %v is that of the lowest lane elect           => this lane
 * is the lowest of ballot true shuffle_xor ... => shuffle from the lane so far away rotate =>
 * shuffle from a lane of the same cluster
 *
 * The lanes that count are those of B = ballot true: active ones that are no helpers. Scans: each
 * lane knows p, the nearest lane below it that counts, and a sum. Say that before step k the sum of
 * a lane that counts is that of the last 2^k lanes that count, up to itself, and p is the 2^k-th
 * such lane below it, or -1 where there are not as many; for k = 0 that is the lane's own value.
 * Then the sum at p followed by its own is that of the last 2^(k+1), and the p of p the
 * 2^(k+1)-th lane below. After log2 of the lanes p is -1 in all, and the sums are complete. So only
 * lanes that count are ever read: inactive lanes need no identity, and hold none. Operands are
 * combined in the order of lanes, so that the op need be associative only.
 *   Helper lanes get sums, but nobody reads them: their sum up to themselves is that below them,
 * which is the sum of their p, or the identity.
 *
 * A shader that says how many lanes a subgroup has gets as many steps as that needs; else 7, for
 * 128 lanes.
 *
 * Requires:  structured code, because of the loop.
 * Preserves: nothing when it makes a loop, but that is not known before.
 * Leaves:    constant operands that opt_algebraic folds, equal ballots to opt_cse.
 * Tests:     tests/passes/lower_subgroup.hd
 */
#include "passes/lower.h"

struct state {
   hd_builder b;
   hd_function *f;
   uint32_t lowered;
   unsigned size; /* lanes, or 0 if that is not known */
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

static hd_def *
lower_associative(struct state *s, const hd_instr *i, hd_op op, uint32_t cluster)
{
   const scan c = begin_scan(s, op, hd_instr_src(i, 0)->def, cluster);
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

   hd_phi_set_src(phi, hd_node_block_before(&loop->node), from_outside);
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

static hd_def *
lower_arith(struct state *s, hd_instr *i)
{
   const uint32_t *indices = hd_intrinsic_indices((const hd_intrinsic *)i);
   const uint8_t *slots = hd_intrinsic_get_info((hd_intrinsic_id)i->op)->slots;
   const uint32_t value = indices[slots[HD_INDEX_REDUCE_OP] - 1];
   const hd_op op = hd_index_get_info(HD_INDEX_REDUCE_OP)->values[value].op;
   const uint8_t slot = slots[HD_INDEX_CLUSTER_SIZE];
   const uint32_t cluster = slot ? indices[slot - 1] : 0;

   if (hd_op_get_info(op)->flags & HD_OP_ASSOCIATIVE)
      return lower_associative(s, i, op, cluster);
   return lower_ordered(s, i, op, cluster);
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

static bool
lower_instr(struct state *s, hd_instr *i)
{
   const uint32_t constructs =
       i->kind == HD_INSTR_INTRINSIC ? hd_instr_constructs(i) & s->lowered : 0;
   const uint32_t first_new = s->f->num_defs;
   hd_def *by;

   pass_step(s->f, 1);
   if (!constructs)
      return false;
   s->b.cursor = hd_before_instr(i);
   s->b.loc = i->loc;
   /* Floats are combined as they were. */
   s->b.flags = HD_FP_EXACT;
   if (constructs & HD_LOWERED_SUBGROUP_ARITH)
      by = lower_arith(s, i);
   else if (constructs & HD_LOWERED_SUBGROUP_VOTE)
      by = lower_vote(s, i);
   else
      by = lower_shift(s, i);
   assert(s->b.result == HD_OK);
   hd_lower_replace(i, by, first_new);
   return true;
}

bool
hd_lower_subgroup(hd_function *f, const lower_subgroup_options *o)
{
   const hd_shader *shader = f->shader;
   struct state s = { .f = f,
                      .size = shader->subgroup_size,
                      .helpers = shader->stage == HD_STAGE_FRAGMENT };
   bool progress = false;

   s.lowered = (o->arith ? HD_LOWERED_SUBGROUP_ARITH : 0) |
               (o->vote ? HD_LOWERED_SUBGROUP_VOTE : 0) |
               (o->shift ? HD_LOWERED_SUBGROUP_SHIFT : 0);
   s.b = hd_builder_at(hd_before_block(hd_function_start(f)));
   /* From the end: where a loop parts a block, what follows it goes to another block, once. */
   hd_foreach_block_rev(block, f) {
      hd_foreach_instr_rev_safe(i, block) {
         progress |= lower_instr(&s, i);
      }
   }
   return hd_progress(f, progress, LOWER_SUBGROUP_KEEPS);
}
