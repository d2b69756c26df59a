/* SPDX-License-Identifier: MIT */
/* lanes.c - instructions of subgroups, quads and derivatives. Those of workgroups go to group.c. */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "spirv/body.h"

/* Group operations */
enum {
   REDUCE,
   INCLUSIVE_SCAN,
   EXCLUSIVE_SCAN,
   CLUSTERED_REDUCE,
   PARTITIONED_REDUCE = 6,
   PARTITIONED_INCLUSIVE_SCAN,
   PARTITIONED_EXCLUSIVE_SCAN,
};

static void
need_subgroup(struct spirv *s, uint32_t scope_id)
{
   if (hd_spirv_scope(s, scope_id) != HD_SCOPE_SUBGROUP)
      hd_spirv_unsupported(s, "a scope other than subgroup");
}

/* An operand that the specification wants to be the same in all lanes: the promise goes along with
 * what is built next. One that is a constant needs none.
 */
static hd_def *
uniform(struct spirv *s, uint32_t id, hd_def *def)
{
   if (hd_spirv_id(s, id)->kind != ID_CONSTANT)
      s->b.flags |= HD_ASSUME_UNIFORM;
   return def;
}

/* The number of a lane, or a distance. */
static hd_def *
uniform_index(struct spirv *s, uint32_t id)
{
   return uniform(s, id, hd_spirv_index32(s, id));
}

static bool
is_constant(struct spirv *s, uint32_t id)
{
   uint64_t value;

   return hd_spirv_is_constant(s, id, &value);
}

/* Lane numbers and counts come as 32 bits. */
static void
set_number(struct spirv *s, const struct spirv_instr *i, hd_def *number)
{
   unsigned bits = hd_spirv_result_type(s, i)->bits;

   hd_spirv_set_def(s, i, bits == 32 ? number : hd_u2u(&s->b, number, bits));
}

/* The first lane gets an infinity from fmin and fmax, where the IR has NaN. */
static hd_def *
exclusive_scan(struct spirv *s, hd_def *x, hd_reduce_op op)
{
   hd_builder *b = &s->b;
   hd_def *scan = hd_exclusive_scan(b, x, op);

   if (op == HD_REDUCE_FMIN)
      return hd_fmin(b, scan, hd_spirv_identity(s, op, x));
   if (op == HD_REDUCE_FMAX)
      return hd_fmax(b, scan, hd_spirv_identity(s, op, x));
   return scan;
}

/* Partitions
 *
 * Lanes with one key are a partition. A loop takes one of them in each iteration, that of the
 * lowest lane which is still there; its lanes leave with what the iteration made.
 */
struct round {
   hd_block *header, *after;
   hd_def *mine; /* this lane is of the partition */
};

static struct round
begin_round(struct spirv *s, hd_def *key)
{
   hd_builder *b = &s->b;
   struct round r = { hd_builder_add_block(b), hd_builder_add_block(b), NULL };

   hd_goto(b, r.header);
   hd_builder_set_block(b, r.header);
   hd_def *first = hd_read_first(b, key);
   for (unsigned c = 0; c < key->num_components; c++) {
      hd_def *other = hd_build_channel(b, first, c);
      hd_def *same = hd_ieq(b, hd_build_channel(b, key, c), other);
      r.mine = r.mine ? hd_iand(b, r.mine, same) : same;
   }
   return r;
}

static void
end_round(struct spirv *s, const struct round *r)
{
   hd_builder *b = &s->b;

   hd_goto_if(b, r->mine, r->after, r->header);
   hd_seal_block(b, r->header);
   hd_builder_set_block(b, r->after);
   hd_seal_block(b, r->after);
}

/* The lanes that have the same value: bits, so that each has that of itself. */
static void
partition(struct spirv *s, const struct spirv_instr *i)
{
   hd_def *x = hd_spirv_ssa(s, i->words[0]);
   const struct round r = begin_round(s, x);
   hd_def *lanes = hd_ballot(&s->b, r.mine);

   end_round(s, &r);
   hd_spirv_set_def(s, i, lanes);
}

static hd_def *exclusive_scan(struct spirv *s, hd_def *x, hd_reduce_op op);

/* Each lane gives the partition that it is in as a ballot. In an iteration all others have what
 * changes nothing.
 */
static void
combine_partitions(struct spirv *s, const struct spirv_instr *i, hd_reduce_op op)
{
   hd_builder *b = &s->b;
   hd_def *x = hd_spirv_ssa(s, i->words[2]);

   if (i->num_words < 4)
      hd_spirv_invalid(s, "the partition is missing");
   const struct round r = begin_round(s, hd_ballot_find_lsb(b, hd_spirv_ssa(s, i->words[3])));
   hd_def *identity = hd_spirv_identity(s, op, x);
   hd_def *part = hd_select(b, hd_spirv_splat(s, r.mine, x->num_components), x, identity);
   hd_def *result = i->words[1] == PARTITIONED_REDUCE           ? hd_reduce(b, part, op, 0)
                    : i->words[1] == PARTITIONED_INCLUSIVE_SCAN ? hd_inclusive_scan(b, part, op)
                                                                : exclusive_scan(s, part, op);
   end_round(s, &r);
   hd_spirv_set_def(s, i, result);
}

/* What all lanes of a subgroup, or those before, have together. */
static void
combine(struct spirv *s, const struct spirv_instr *i, hd_reduce_op op)
{
   hd_builder *b = &s->b;
   uint64_t cluster = 0;

   if (hd_spirv_scope(s, i->words[0]) == HD_SCOPE_WORKGROUP) {
      hd_spirv_group_combine(s, i, op);
      return;
   }
   need_subgroup(s, i->words[0]);
   hd_def *x = hd_spirv_ssa(s, i->words[2]);
   switch (i->words[1]) {
   case INCLUSIVE_SCAN:
      hd_spirv_set_def(s, i, hd_inclusive_scan(b, x, op));
      break;
   case EXCLUSIVE_SCAN:
      hd_spirv_set_def(s, i, exclusive_scan(s, x, op));
      break;
   case CLUSTERED_REDUCE:
      if (i->num_words < 4 || !hd_spirv_is_constant(s, i->words[3], &cluster) || !cluster ||
          cluster & (cluster - 1) || cluster > 128)
         hd_spirv_invalid(s, "the cluster size must be a power of two");
      hd_spirv_set_def(s, i, hd_reduce(b, x, op, (uint32_t)cluster));
      break;
   case REDUCE:
      hd_spirv_set_def(s, i, hd_reduce(b, x, op, 0));
      break;
   case PARTITIONED_REDUCE:
   case PARTITIONED_INCLUSIVE_SCAN:
   case PARTITIONED_EXCLUSIVE_SCAN:
      combine_partitions(s, i, op);
      break;
   default:
      hd_spirv_unsupported(s, "group operation %u", i->words[1]);
   }
}

static bool
is_float(struct spirv *s, uint32_t id)
{
   return hd_spirv_value(s, id)->type->is_float;
}

static void
all_equal(struct spirv *s, const struct spirv_instr *i, uint32_t id)
{
   hd_def *x = hd_spirv_ssa(s, id);

   hd_spirv_set_def(s, i, is_float(s, id) ? hd_vote_feq(&s->b, x) : hd_vote_ieq(&s->b, x));
}

static void
bit_count(struct spirv *s, const struct spirv_instr *i)
{
   hd_def *mask = hd_spirv_ssa(s, i->words[2]), *count;

   need_subgroup(s, i->words[0]);
   switch (i->words[1]) {
   case REDUCE:
      count = hd_ballot_bit_count(&s->b, mask);
      break;
   case INCLUSIVE_SCAN:
      count = hd_ballot_bit_count_inclusive(&s->b, mask);
      break;
   case EXCLUSIVE_SCAN:
      count = hd_ballot_bit_count_exclusive(&s->b, mask);
      break;
   default:
      hd_spirv_invalid(s, "group operation %u does not count", i->words[1]);
   }
   set_number(s, i, count);
}

/* Shuffles
 *
 * A distance that is a constant is the same in all lanes; another one need not be.
 */
static hd_def *
shuffle_by(struct spirv *s, uint32_t opcode, hd_def *x, uint32_t id)
{
   hd_builder *b = &s->b;
   bool same = is_constant(s, id);
   hd_def *distance = hd_spirv_index32(s, id), *lane = same ? NULL : hd_subgroup_invocation(b);

   switch (opcode) {
   case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_XOR:
   case SPV_OP_SUBGROUP_SHUFFLE_XOR_INTEL:
      return same ? hd_shuffle_xor(b, x, distance) : hd_shuffle(b, x, hd_ixor(b, lane, distance));
   case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_UP:
      return same ? hd_shuffle_up(b, x, distance) : hd_shuffle(b, x, hd_isub(b, lane, distance));
   default:
      return same ? hd_shuffle_down(b, x, distance) : hd_shuffle(b, x, hd_iadd(b, lane, distance));
   }
}

/* From one of two values that lie side by side, as if they were one of twice the lanes. */
static void
shuffle_two(struct spirv *s, const struct spirv_instr *i, bool up)
{
   hd_builder *b = &s->b;
   hd_def *low = hd_spirv_ssa(s, i->words[0]), *high = hd_spirv_ssa(s, i->words[1]);
   hd_def *distance = hd_spirv_index32(s, i->words[2]), *size = hd_subgroup_size(b);
   hd_def *lane = hd_subgroup_invocation(b), *at;

   at = up ? hd_isub(b, hd_iadd(b, lane, size), distance) : hd_iadd(b, lane, distance);
   hd_def *in_low = hd_ult(b, at, size);
   hd_def *x = hd_shuffle(b, low, hd_umin(b, at, hd_isub(b, size, hd_imm_u32(b, 1))));
   hd_def *above = hd_isub(b, at, size);
   hd_def *y = hd_shuffle(b, high, hd_select(b, in_low, hd_imm_u32(b, 0), above));
   in_low = hd_spirv_splat(s, in_low, low->num_components);
   hd_spirv_set_def(s, i, hd_select(b, in_low, x, y));
}

static void
rotate(struct spirv *s, const struct spirv_instr *i)
{
   hd_def *x = hd_spirv_ssa(s, i->words[1]);
   uint64_t cluster = 0;

   need_subgroup(s, i->words[0]);
   if (i->num_words > 3 && (!hd_spirv_is_constant(s, i->words[3], &cluster) || !cluster ||
                            cluster & (cluster - 1) || cluster > 128))
      hd_spirv_invalid(s, "the cluster size must be a power of two");
   hd_def *distance = uniform_index(s, i->words[2]);
   hd_spirv_set_def(s, i, hd_rotate(&s->b, x, distance, (uint32_t)cluster));
}

static void
quad_swap(struct spirv *s, const struct spirv_instr *i)
{
   hd_def *x = hd_spirv_ssa(s, i->words[1]);
   uint64_t direction;

   need_subgroup(s, i->words[0]);
   if (!hd_spirv_is_constant(s, i->words[2], &direction) || direction > 2)
      hd_spirv_invalid(s, "expected a direction from 0 to 2");
   hd_spirv_set_def(s, i,
                    direction == 0   ? hd_quad_swap_horizontal(&s->b, x)
                    : direction == 1 ? hd_quad_swap_vertical(&s->b, x)
                                     : hd_quad_swap_diagonal(&s->b, x));
}

static void
broadcast(struct spirv *s, const struct spirv_instr *i, uint32_t value, uint32_t lane)
{
   hd_def *x = hd_spirv_ssa(s, value);

   hd_spirv_set_def(s, i, hd_broadcast(&s->b, x, uniform_index(s, lane)));
}

/* Derivatives */

static void
derivative(struct spirv *s, const struct spirv_instr *i)
{
   hd_builder *b = &s->b;
   hd_def *x = hd_spirv_ssa(s, i->words[0]), *d;

   switch (i->opcode) {
   case SPV_OP_DPDX:
      d = hd_ddx(b, x);
      break;
   case SPV_OP_DPDY:
      d = hd_ddy(b, x);
      break;
   case SPV_OP_FWIDTH:
      d = hd_fabs(b, hd_ddy(b, x));
      d = hd_fadd(b, hd_fabs(b, hd_ddx(b, x)), d);
      break;
   case SPV_OP_DPDX_FINE:
      d = hd_ddx_fine(b, x);
      break;
   case SPV_OP_DPDY_FINE:
      d = hd_ddy_fine(b, x);
      break;
   case SPV_OP_FWIDTH_FINE:
      d = hd_fabs(b, hd_ddy_fine(b, x));
      d = hd_fadd(b, hd_fabs(b, hd_ddx_fine(b, x)), d);
      break;
   case SPV_OP_DPDX_COARSE:
      d = hd_ddx_coarse(b, x);
      break;
   case SPV_OP_DPDY_COARSE:
      d = hd_ddy_coarse(b, x);
      break;
   default:
      d = hd_fabs(b, hd_ddy_coarse(b, x));
      d = hd_fadd(b, hd_fabs(b, hd_ddx_coarse(b, x)), d);
      break;
   }
   hd_spirv_set_def(s, i, d);
}

/* How an instruction combines lanes; false if it does not. */
static bool
combining_op(uint32_t opcode, hd_reduce_op *op)
{
#define COMBINE(op, name)                                                                          \
   {                                                                                               \
      SPV_OP_GROUP_NON_UNIFORM_##name, HD_REDUCE_##op                                              \
   }
   static const struct {
      uint16_t opcode;
      uint8_t op;
   } table[] = {
      COMBINE(IADD, IADD),
      COMBINE(FADD, FADD),
      COMBINE(IMUL, IMUL),
      COMBINE(FMUL, FMUL),
      COMBINE(IMIN, SMIN),
      COMBINE(UMIN, UMIN),
      COMBINE(FMIN, FMIN),
      COMBINE(IMAX, SMAX),
      COMBINE(UMAX, UMAX),
      COMBINE(FMAX, FMAX),
      COMBINE(IAND, BITWISE_AND),
      COMBINE(IOR, BITWISE_OR),
      COMBINE(IXOR, BITWISE_XOR),
      COMBINE(IAND, LOGICAL_AND),
      COMBINE(IOR, LOGICAL_OR),
      COMBINE(IXOR, LOGICAL_XOR),
      { SPV_OP_GROUP_IADD, HD_REDUCE_IADD },
      { SPV_OP_GROUP_FADD, HD_REDUCE_FADD },
      { SPV_OP_GROUP_SMIN, HD_REDUCE_IMIN },
      { SPV_OP_GROUP_UMIN, HD_REDUCE_UMIN },
      { SPV_OP_GROUP_FMIN, HD_REDUCE_FMIN },
      { SPV_OP_GROUP_SMAX, HD_REDUCE_IMAX },
      { SPV_OP_GROUP_UMAX, HD_REDUCE_UMAX },
      { SPV_OP_GROUP_FMAX, HD_REDUCE_FMAX },
      { SPV_OP_GROUP_IMUL_KHR, HD_REDUCE_IMUL },
      { SPV_OP_GROUP_FMUL_KHR, HD_REDUCE_FMUL },
      { SPV_OP_GROUP_BITWISE_AND_KHR, HD_REDUCE_IAND },
      { SPV_OP_GROUP_BITWISE_OR_KHR, HD_REDUCE_IOR },
      { SPV_OP_GROUP_BITWISE_XOR_KHR, HD_REDUCE_IXOR },
      { SPV_OP_GROUP_LOGICAL_AND_KHR, HD_REDUCE_IAND },
      { SPV_OP_GROUP_LOGICAL_OR_KHR, HD_REDUCE_IOR },
      { SPV_OP_GROUP_LOGICAL_XOR_KHR, HD_REDUCE_IXOR },
      { SPV_OP_GROUP_IADD_NON_UNIFORM_AMD, HD_REDUCE_IADD },
      { SPV_OP_GROUP_FADD_NON_UNIFORM_AMD, HD_REDUCE_FADD },
      { SPV_OP_GROUP_SMIN_NON_UNIFORM_AMD, HD_REDUCE_IMIN },
      { SPV_OP_GROUP_UMIN_NON_UNIFORM_AMD, HD_REDUCE_UMIN },
      { SPV_OP_GROUP_FMIN_NON_UNIFORM_AMD, HD_REDUCE_FMIN },
      { SPV_OP_GROUP_SMAX_NON_UNIFORM_AMD, HD_REDUCE_IMAX },
      { SPV_OP_GROUP_UMAX_NON_UNIFORM_AMD, HD_REDUCE_UMAX },
      { SPV_OP_GROUP_FMAX_NON_UNIFORM_AMD, HD_REDUCE_FMAX },
   };

   for (unsigned n = 0; n < sizeof(table) / sizeof(table[0]); n++) {
      if (table[n].opcode == opcode) {
         *op = (hd_reduce_op)table[n].op;
         return true;
      }
   }
   return false;
#undef COMBINE
}

/* With a scope as their first operand. */
static void
non_uniform(struct spirv *s, const struct spirv_instr *i)
{
   const uint32_t *w = i->words;
   hd_builder *b = &s->b;
   hd_def *number;

   need_subgroup(s, w[0]);
   switch (i->opcode) {
   case SPV_OP_GROUP_NON_UNIFORM_ELECT:
      hd_spirv_set_def(s, i, hd_elect(b));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_ALL:
      hd_spirv_set_def(s, i, hd_vote_all(b, hd_spirv_ssa(s, w[1])));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_ANY:
      hd_spirv_set_def(s, i, hd_vote_any(b, hd_spirv_ssa(s, w[1])));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_ALL_EQUAL:
      all_equal(s, i, w[1]);
      break;
   case SPV_OP_GROUP_NON_UNIFORM_BROADCAST:
      broadcast(s, i, w[1], w[2]);
      break;
   case SPV_OP_GROUP_NON_UNIFORM_BROADCAST_FIRST:
      hd_spirv_set_def(s, i, hd_read_first(b, hd_spirv_ssa(s, w[1])));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_BALLOT:
      hd_spirv_set_def(s, i, hd_ballot(b, hd_spirv_ssa(s, w[1])));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_INVERSE_BALLOT:
      hd_spirv_set_def(s, i, hd_inverse_ballot(b, uniform(s, w[1], hd_spirv_ssa(s, w[1]))));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_BALLOT_BIT_EXTRACT:
      number = hd_spirv_index32(s, w[2]);
      hd_spirv_set_def(s, i, hd_ballot_bit(b, hd_spirv_ssa(s, w[1]), number));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_BALLOT_FIND_LSB:
      set_number(s, i, hd_ballot_find_lsb(b, hd_spirv_ssa(s, w[1])));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_BALLOT_FIND_MSB:
      set_number(s, i, hd_ballot_find_msb(b, hd_spirv_ssa(s, w[1])));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE:
      number = hd_spirv_index32(s, w[2]);
      hd_spirv_set_def(s, i, hd_shuffle(b, hd_spirv_ssa(s, w[1]), number));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_XOR:
   case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_UP:
   case SPV_OP_GROUP_NON_UNIFORM_SHUFFLE_DOWN:
      hd_spirv_set_def(s, i, shuffle_by(s, i->opcode, hd_spirv_ssa(s, w[1]), w[2]));
      break;
   case SPV_OP_GROUP_NON_UNIFORM_QUAD_BROADCAST: {
      hd_def *x = hd_spirv_ssa(s, w[1]);
      hd_spirv_set_def(s, i, hd_quad_broadcast(b, x, uniform_index(s, w[2])));
      break;
   }
   default:
      hd_spirv_unsupported(s, "this instruction is not supported");
   }
}

/* The count as one number or as its halves. */
static void
read_clock(struct spirv *s, const struct spirv_instr *i)
{
   const hd_scope scope = hd_spirv_scope(s, i->words[0]);

   if (scope != HD_SCOPE_SUBGROUP && scope != HD_SCOPE_DEVICE)
      hd_spirv_invalid(s, "the scope of a clock is Subgroup or Device");
   hd_def *count = hd_clock(&s->b, scope);
   hd_spirv_set_def(
       s, i, hd_spirv_result_type(s, i)->bits == 32 ? hd_unpack_64_2x32(&s->b, count) : count);
}

/* Of extensions: without a scope. */
static void
subgroup(struct spirv *s, const struct spirv_instr *i)
{
   const uint32_t *w = i->words;
   hd_builder *b = &s->b;
   hd_def *number;

   switch (i->opcode) {
   case SPV_OP_SUBGROUP_BALLOT_KHR:
      hd_spirv_set_def(s, i, hd_ballot(b, hd_spirv_ssa(s, w[0])));
      break;
   case SPV_OP_SUBGROUP_FIRST_INVOCATION_KHR:
      hd_spirv_set_def(s, i, hd_read_first(b, hd_spirv_ssa(s, w[0])));
      break;
   case SPV_OP_SUBGROUP_ALL_KHR:
      hd_spirv_set_def(s, i, hd_vote_all(b, hd_spirv_ssa(s, w[0])));
      break;
   case SPV_OP_SUBGROUP_ANY_KHR:
      hd_spirv_set_def(s, i, hd_vote_any(b, hd_spirv_ssa(s, w[0])));
      break;
   case SPV_OP_SUBGROUP_ALL_EQUAL_KHR:
      all_equal(s, i, w[0]);
      break;
   case SPV_OP_SUBGROUP_READ_INVOCATION_KHR:
      broadcast(s, i, w[0], w[1]);
      break;
   case SPV_OP_SUBGROUP_SHUFFLE_INTEL:
      number = hd_spirv_index32(s, w[1]);
      hd_spirv_set_def(s, i, hd_shuffle(b, hd_spirv_ssa(s, w[0]), number));
      break;
   case SPV_OP_SUBGROUP_SHUFFLE_XOR_INTEL:
      hd_spirv_set_def(s, i, shuffle_by(s, i->opcode, hd_spirv_ssa(s, w[0]), w[1]));
      break;
   case SPV_OP_SUBGROUP_SHUFFLE_UP_INTEL:
   case SPV_OP_SUBGROUP_SHUFFLE_DOWN_INTEL:
      shuffle_two(s, i, i->opcode == SPV_OP_SUBGROUP_SHUFFLE_UP_INTEL);
      break;
   case SPV_OP_READ_CLOCK_KHR:
      read_clock(s, i);
      break;
   case SPV_OP_IS_HELPER_INVOCATION_EXT:
      hd_spirv_set_def(
          s, i, s->shader->stage == HD_STAGE_FRAGMENT ? hd_is_helper(b) : hd_imm_bool(b, false));
      break;
   default:
      non_uniform(s, i);
   }
}

void
hd_spirv_lanes(struct spirv *s, const struct spirv_instr *i)
{
   hd_reduce_op op;

   s->b.flags = 0;
   if (combining_op(i->opcode, &op)) {
      combine(s, i, op);
   } else {
      switch (i->opcode) {
      case SPV_OP_CONTROL_BARRIER:
         hd_spirv_control_barrier(s, i);
         break;
      case SPV_OP_MEMORY_BARRIER:
         hd_spirv_fence(s, HD_SCOPE_NONE, i->words[0], i->words[1]);
         break;
      case SPV_OP_GROUP_NON_UNIFORM_BALLOT_BIT_COUNT:
         bit_count(s, i);
         break;
      case SPV_OP_GROUP_NON_UNIFORM_ROTATE_KHR:
         rotate(s, i);
         break;
      case SPV_OP_GROUP_NON_UNIFORM_PARTITION_NV:
         partition(s, i);
         break;
      case SPV_OP_GROUP_NON_UNIFORM_QUAD_SWAP:
         quad_swap(s, i);
         break;
      case SPV_OP_GROUP_ALL:
      case SPV_OP_GROUP_ANY:
      case SPV_OP_GROUP_BROADCAST:
      case SPV_OP_GROUP_ASYNC_COPY:
      case SPV_OP_GROUP_WAIT_EVENTS:
         hd_spirv_group(s, i);
         break;
      case SPV_OP_DPDX:
      case SPV_OP_DPDY:
      case SPV_OP_FWIDTH:
      case SPV_OP_DPDX_FINE:
      case SPV_OP_DPDY_FINE:
      case SPV_OP_FWIDTH_FINE:
      case SPV_OP_DPDX_COARSE:
      case SPV_OP_DPDY_COARSE:
      case SPV_OP_FWIDTH_COARSE:
         derivative(s, i);
         break;
      default:
         subgroup(s, i);
      }
   }
   s->b.flags = 0;
}
