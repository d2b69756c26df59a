/* SPDX-License-Identifier: MIT */
/* opt_vectorize.c - superword-level parallelism (SLP): pairs of 16-bit ops become ops on vectors of
 * two, for machines with packed arithmetic. The options say which ops a machine has.
 *
 *    %3:16 = channel %1, 0                      %7:16x2 = ffma %1, %2, %6
 *    %4:16 = channel %1, 1                      %8:16 = channel %7, 0
 *    ...                               =>       %9:16 = channel %7, 1
 *    %8:16 = ffma %3, %c, %x
 *    %9:16 = ffma %4, %d, %y
 *
 * Two ops of a block are a pair if each operand of the one and of the other are halves of one dword:
 * neighbouring components of a vector, or the results of a pair; or are the same value; or are both
 * constant. One operand at least is such halves: where none is, packing costs what it saves. Halves of a load
 * that need not lie in dwords are none: machines load them one by one. A count of a shift
 * has 32 bits: it may be such halves that are extended. So a walk
 * down the blocks finds the pairs that begin at vectors, with a table of the ops that have no partner yet.
 * All operands of both dominate the first of the two, and the vector op takes its place. Ops on floats
 * that read the two results of a pair are one, too, if of their other operands only one is no such halves: two
 * scalars are made a vector, which all pairs that read the same two share.
 *
 * Then pairs that read each other's results are a group, which stays if it saves more ops than it costs: a pair is
 * one op instead of two, and a vector that takes both halves as they are need not pack them; but a half that other
 * ops read may have to be taken out first.
 *
 * With `uniform=0`, integers and bits that are the same in all lanes are no pairs: for machines that have a scalar
 * unit, whose ops cost less than one packed op of a vector unit.
 *
 * Consecutive phis of a block are a pair if their sources are pairs, lower half first. What
 * comes around a loop is not known yet: phis whose sources there are the same op are taken to be a pair.
 * If they turn out not to be, all is done again without them, at most ROUNDS times.
 *
 * Requires:  valid IR, no vector ops (lower_vectors). Integers are not widened yet (lower_small_ints). Asks for
 *            divergence with `uniform=0`.
 * Preserves: all that depends on the graph alone.
 * Leaves:    unused constants and extensions to opt_dce. Vector ops: the shader no longer says that they are lowered.
 * Tests:     tests/passes/opt_vectorize.hd, tests/passes/opt_vectorize.some.hd,
 *            tests/passes/opt_vectorize.uniform.hd, tests/passes/opt_vectorize.gain.hd,
 *            tests/passes/test_vectorize.c
 */
#include "heddle/build_ops.h"
#include "heddle/op_enum.h"
#include "passes/pass.h"
#include "passes/vectorize.h"
#include "util/mix.h"

enum { ROUNDS = 4, READERS = 8 };

/* Places */

/* When vectors are built, a pair that was found after an op is none for it. */
static bool
is_there(const struct vectorizer *s, const hd_def *def)
{
   return !s->is_building || s->pairs[s->pair_of[def->index] / 2 - 1].vector;
}

static bool
is_packed(place a)
{
   return a.kind == HALF || a.kind == PAIR;
}

/* A load whose halves are not known to lie in dwords: machines load them one by one. */
static bool
loads_apart(const hd_instr *i)
{
   const hd_intrinsic *load = hd_instr_as_intrinsic(i);
   const hd_intrinsic_info *info = load ? hd_instr_intrinsic_info(i) : NULL;

   return info && info->slots[HD_INDEX_ALIGN_MUL] && info->slots[HD_INDEX_ALIGN_OFFSET] &&
          (hd_intrinsic_index(load, HD_INDEX_ALIGN_MUL) < 4 ||
           hd_intrinsic_index(load, HD_INDEX_ALIGN_OFFSET) % 4);
}

static place
place_of_half(const struct vectorizer *s, const hd_def *def)
{
   const hd_instr *i = hd_def_instr(def);
   const hd_const *at;

   if (i->kind == HD_INSTR_CONST)
      return (place){ .kind = CONSTANT };
   if (i->kind == HD_INSTR_UNDEF)
      return (place){ .kind = UNDEFINED };
   if (def->index < s->num_defs && s->pair_of[def->index] && is_there(s, def))
      return (place){ .kind = PAIR,
                      .id = s->pair_of[def->index] / 2 - 1,
                      .lane = (uint8_t)(s->pair_of[def->index] & 1) };
   if (i->kind == HD_INSTR_ALU && i->op == HD_OP_CHANNEL && is_half(def) &&
       (at = hd_src_as_const(hd_instr_src(i, 1))) &&
       at->value[0].u32 < hd_instr_src(i, 0)->def->num_components &&
       !loads_apart(hd_def_instr(hd_instr_src(i, 0)->def)))
      return (place){ .kind = HALF,
                      .id = hd_instr_src(i, 0)->def->index,
                      .at = (uint8_t)(at->value[0].u32 / 2),
                      .lane = at->value[0].u32 & 1 };
   return (place){ .kind = OTHER, .id = def->index };
}

place
hd_place_of(const struct vectorizer *s, const hd_def *def)
{
   const unsigned op = extends_half(hd_def_instr(def));

   if (op) {
      place half = place_of_half(s, hd_instr_src(hd_def_instr(def), 0)->def);
      if (is_packed(half)) {
         half.extended = (uint16_t)op;
         return half;
      }
   }
   return place_of_half(s, def);
}

/* Both are halves in their order, or nothing that has one. */
static bool
are_straight(place a, place b)
{
   return are_together(a, b) && a.kind != OTHER && (!is_packed(a) || (a.lane == 0 && b.lane == 1));
}

/* Ops */

static void
set_packing(struct vectorizer *s, const opt_vectorize_options *o)
{
   static const uint16_t floats[] = { OPT_VECTORIZE_FLOATS }, ints[] = { OPT_VECTORIZE_INTS },
                         dwords[] = { OPT_VECTORIZE_DWORDS };
   const packing arithmetic = o->swizzle ? IN_ANY_ORDER : IN_PLACE;

   for (unsigned n = 0; n < sizeof(floats) / sizeof(floats[0]); n++)
      s->packing[floats[n]] = o->floats >> n & 1 ? arithmetic : NOT_PACKED;
   for (unsigned n = 0; n < sizeof(ints) / sizeof(ints[0]); n++)
      s->packing[ints[n]] = o->ints >> n & 1 ? arithmetic : NOT_PACKED;
   for (unsigned n = 0; n < sizeof(dwords) / sizeof(dwords[0]); n++)
      s->packing[dwords[n]] = o->dwords >> n & 1 ? IN_PLACE : NOT_PACKED;
}

/* Does a scalar unit do it for all lanes at once? None has floats. */
static bool
is_left_to_scalars(const struct vectorizer *s, const hd_instr *i)
{
   return s->skips_uniform && hd_def_is_uniform(&i->def) &&
          (i->kind == HD_INSTR_PHI || hd_op_get_info((hd_op)i->op)->result.kind != HD_KIND_FLOAT);
}

static bool
can_be_packed(const struct vectorizer *s, const hd_instr *i)
{
   return i->kind == HD_INSTR_ALU && is_half(&i->def) && s->packing[i->op] != NOT_PACKED &&
          !is_left_to_scalars(s, i);
}

/* The operands of the op in one order, where two can be in either. */
static void
places_of(const struct vectorizer *s, const hd_instr *i, place places[HD_MAX_OP_SRCS],
          unsigned from[HD_MAX_OP_SRCS])
{
   for (unsigned n = 0; n < i->num_srcs; n++) {
      places[n] = hd_place_of(s, hd_instr_src(i, n)->def);
      from[n] = n;
   }
   if (!(hd_op_get_info((hd_op)i->op)->flags & HD_OP_COMMUTATIVE))
      return;
   if (places[0].kind < places[1].kind ||
       (places[0].kind == places[1].kind &&
        (places[0].id < places[1].id ||
         (places[0].id == places[1].id && places[0].at < places[1].at)))) {
      const place first = places[0];
      places[0] = places[1];
      places[1] = first;
      from[0] = 1;
      from[1] = 0;
   }
}

static uint32_t
hash_of(const hd_instr *i, const place *places)
{
   uint64_t h = hd_mix((uint64_t)i->op << 32 | i->block->node.index);

   for (unsigned n = 0; n < i->num_srcs; n++)
      h = hd_mix(h ^
                 ((uint64_t)places[n].kind << 60 | (uint64_t)places[n].at << 40 | places[n].id));
   return (uint32_t)(h >> 32);
}

/* Whole dwords, each half at its place. A condition is the same for both, a count the same or such halves. */
static bool
fit_dwords(const hd_instr *i, const place *a, const place *b)
{
   for (unsigned n = 0; n < i->num_srcs; n++) {
      const unsigned bits = hd_instr_src(i, n)->def->bit_size;
      if (bits == 1 ? a[n].kind != OTHER
                    : !are_straight(a[n], b[n]) && (bits == 16 || a[n].kind != OTHER))
         return false;
   }
   return true;
}

/* The same op of operands that belong together. */
static bool
are_alike(const struct vectorizer *s, const hd_instr *i, const place *a, const hd_instr *other,
          place *b)
{
   unsigned from[HD_MAX_OP_SRCS];

   if (other->op != i->op || other->block != i->block || other->flags != i->flags)
      return false;
   places_of(s, other, b, from);
   for (unsigned n = 0; n < i->num_srcs; n++) {
      if (!are_together(a[n], b[n]))
         return false;
   }
   return true;
}

static void
add_pair(struct vectorizer *s, hd_instr *low, hd_instr *high)
{
   s->pairs[s->num_pairs] = (pair){ { low, high }, NULL, s->num_pairs, 0, false };
   s->pair_of[low->def.index] = 2 * (s->num_pairs + 1);
   s->pair_of[high->def.index] = 2 * (s->num_pairs + 1) + 1;
   s->num_pairs++;
}

/* Is the other one, which stands before it, the upper half? Its operands say. */
static bool
is_upside_down(const struct vectorizer *s, const hd_instr *first, const hd_instr *second)
{
   place a[HD_MAX_OP_SRCS], b[HD_MAX_OP_SRCS];
   unsigned from[HD_MAX_OP_SRCS];
   int lanes = 0;

   places_of(s, first, a, from);
   places_of(s, second, b, from);
   for (unsigned n = 0; n < first->num_srcs; n++)
      lanes += (int)a[n].lane - (int)b[n].lane;
   return lanes > 0;
}

/* Halves are among the operands, and nothing undefined. */
static bool
is_worth_packing(const hd_instr *i, const place *places)
{
   unsigned packed = 0;

   for (unsigned n = 0; n < i->num_srcs; n++) {
      if (places[n].kind == UNDEFINED)
         return false;
      packed += is_packed(places[n]);
   }
   return packed;
}

/* Two scalars that can be made a vector before an op that stands in the place of `first`. */
static bool
can_join(const struct vectorizer *s, const hd_def *x, place a, const hd_def *y, place b,
         const hd_instr *first)
{
   return (a.kind == HALF || a.kind == OTHER) && (b.kind == HALF || b.kind == OTHER) &&
          is_half(x) && is_half(y) &&
          (hd_def_instr(y)->block != first->block ||
           s->order[y->index] < s->order[first->def.index]);
}

static void
cross(place places[HD_MAX_OP_SRCS], unsigned from[HD_MAX_OP_SRCS])
{
   const place a = places[0];
   const unsigned n = from[0];

   places[0] = places[1];
   places[1] = a;
   from[0] = from[1];
   from[1] = n;
}

/* The operands of both halves, in one order. */
void
hd_align_operands(const struct vectorizer *s, const pair *p, place places[2][HD_MAX_OP_SRCS],
                  unsigned from[2][HD_MAX_OP_SRCS])
{
   for (unsigned k = 0; k < 2; k++)
      places_of(s, p->lane[k], places[k], from[k]);
   if (p->crossed)
      cross(places[1], from[1]);
}

/* The same op, which stands before it, of operands of which all but one belong together. */
static bool
fit_but_one(const struct vectorizer *s, const hd_instr *i, const place *a, const unsigned *from,
            const hd_instr *other, bool crossed)
{
   place b[HD_MAX_OP_SRCS];
   unsigned its[HD_MAX_OP_SRCS], apart = 0;

   if (other->op != i->op || other->block != i->block || other->flags != i->flags ||
       s->pair_of[other->def.index] || !s->order[other->def.index] || !can_be_packed(s, other) ||
       (s->order[i->def.index] && s->order[i->def.index] <= s->order[other->def.index]))
      return false;
   places_of(s, other, b, its);
   if (crossed)
      cross(b, its);
   for (unsigned n = 0; n < i->num_srcs; n++) {
      if (are_together(a[n], b[n]))
         continue;
      if (apart++ || !can_join(s, hd_instr_src(other, its[n])->def, b[n],
                               hd_instr_src(i, from[n])->def, a[n], other))
         return false;
   }
   return true;
}

/* A partner among the readers of the other half of a pair. Of floats: a sum of integers may be one instruction
 * with the product that it reads.
 */
static bool
find_by_pair(struct vectorizer *s, hd_instr *i, const place *places, const unsigned *from)
{
   const hd_op_info *info = hd_op_get_info((hd_op)i->op);
   const bool crosses = info->flags & HD_OP_COMMUTATIVE;

   if (s->packing[i->op] != IN_ANY_ORDER || info->result.kind != HD_KIND_FLOAT)
      return false;
   for (unsigned n = 0; n < i->num_srcs; n++) {
      unsigned left = READERS;
      if (places[n].kind != PAIR)
         continue;
      const unsigned lane = places[n].lane;
      hd_foreach_use(use, &s->pairs[places[n].id].lane[!lane]->def) {
         hd_instr *other = hd_src_instr(use);
         if (!left--)
            break;
         for (unsigned crossed = 0; other && other->kind == HD_INSTR_ALU && crossed <= crosses;
              crossed++) {
            if (!fit_but_one(s, i, places, from, other, crossed))
               continue;
            add_pair(s, lane ? other : i, lane ? i : other);
            s->pairs[s->num_pairs - 1].crossed = crossed;
            return true;
         }
      }
   }
   return false;
}

/* Of ops that are alike the table has one, the last: if it was no partner for this one, it is none for
 * the next either. A place whose op found its partner is taken again.
 */
static void
visit_op(struct vectorizer *s, hd_instr *i)
{
   place places[HD_MAX_OP_SRCS], others[HD_MAX_OP_SRCS];
   unsigned from[HD_MAX_OP_SRCS];

   places_of(s, i, places, from);
   if (!is_worth_packing(i, places))
      return;
   uint32_t h = hash_of(i, places) & s->mask;
   for (; s->table[h]; h = (h + 1) & s->mask) {
      hd_instr *other = s->table[h];
      if (!are_alike(s, i, places, other, others))
         continue;
      if (s->pair_of[other->def.index])
         break;
      if (s->packing[i->op] == IN_PLACE && !fit_dwords(i, others, places) &&
          !fit_dwords(i, places, others))
         break;
      if (is_upside_down(s, other, i))
         add_pair(s, i, other);
      else
         add_pair(s, other, i);
      return;
   }
   if (!find_by_pair(s, i, places, from))
      s->table[h] = i;
}

/* Phis */

/* What is not known yet may be a pair if it is the same op. */
static bool
may_be_pair(const struct vectorizer *s, const hd_def *a, const hd_def *b)
{
   const hd_instr *x = hd_def_instr(a), *y = hd_def_instr(b);

   if (s->order[a->index] && s->order[b->index])
      return are_straight(hd_place_of(s, a), hd_place_of(s, b));
   return a != b && can_be_packed(s, x) && can_be_packed(s, y) && x->op == y->op &&
          x->block == y->block;
}

static bool
are_phi_pair(const struct vectorizer *s, const hd_phi *a, const hd_phi *b, bool known)
{
   unsigned packed = 0;

   for (uint32_t n = 0; n < a->num_srcs; n++) {
      const hd_def *x = a->srcs[n].src.def, *y = b->srcs[n].src.def;
      if (known ? !are_straight(hd_place_of(s, x), hd_place_of(s, y)) : !may_be_pair(s, x, y))
         return false;
      packed += hd_def_instr(x)->kind != HD_INSTR_CONST && hd_def_instr(x)->kind != HD_INSTR_UNDEF;
   }
   return packed;
}

static void
visit_phis(struct vectorizer *s, const hd_block *block)
{
   hd_instr *before = NULL;

   hd_foreach_phi(phi, block) {
      hd_instr *i = &phi->instr;
      if (!is_half(&i->def) || s->pair_of[i->def.index] || is_left_to_scalars(s, i)) {
         before = NULL;
         continue;
      }
      if (before && !s->apart[before->def.index] &&
          are_phi_pair(s, (const hd_phi *)before, phi, false)) {
         add_pair(s, before, i);
         before = NULL;
      } else {
         before = i;
      }
   }
   hd_foreach_phi(done, block)
      s->order[done->instr.def.index] = ++s->at;
}

/* Phis that are none after all. */
static bool
tell_apart(struct vectorizer *s)
{
   bool found = false;

   for (uint32_t n = 0; n < s->num_pairs; n++) {
      const hd_instr *low = s->pairs[n].lane[0];
      if (low->kind != HD_INSTR_PHI ||
          are_phi_pair(s, (const hd_phi *)low, (const hd_phi *)s->pairs[n].lane[1], true))
         continue;
      s->apart[low->def.index] = true;
      found = true;
   }
   return found;
}

/* The walk */

static void
find_more(struct vectorizer *s, hd_block *const *blocks, uint32_t num_blocks)
{
   memset(s->table, 0, ((size_t)s->mask + 1) * sizeof(hd_instr *));
   s->at = 0;
   for (uint32_t n = 0; n < num_blocks; n++) {
      visit_phis(s, blocks[n]);
      hd_foreach_instr(i, blocks[n]) {
         pass_step(s->f, 1);
         if (can_be_packed(s, i) && !s->pair_of[i->def.index])
            visit_op(s, i);
         if (hd_instr_def(i) && i->kind != HD_INSTR_PHI)
            s->order[i->def.index] = ++s->at;
      }
   }
}

/* All pairs, with those phis that are not apart. An op may stand between the two of whose results it reads
 * one: then it is found when the walk comes again.
 */
static void
find_pairs(struct vectorizer *s, hd_block *const *blocks, uint32_t num_blocks)
{
   uint32_t before;

   memset(s->pair_of, 0, s->num_defs * sizeof(*s->pair_of));
   memset(s->order, 0, s->num_defs * sizeof(*s->order));
   s->num_pairs = 0;
   for (unsigned round = 0; round < ROUNDS; round++) {
      before = s->num_pairs;
      find_more(s, blocks, num_blocks);
      if (s->num_pairs == before)
         break;
   }
}

/* Building */

/* A half of what two scalars are halves of. */
static hd_def *
half_at(struct vectorizer *s, hd_def *scalar, place at)
{
   if (at.kind == PAIR)
      return hd_build_channel(&s->b, s->pairs[at.id].vector, at.lane);
   if (at.kind == HALF)
      return hd_build_channel(&s->b, hd_instr_src(hd_def_instr(scalar), 0)->def,
                              2 * at.at + at.lane);
   return scalar;
}

/* Two scalars that are no halves of a dword, right behind the later one: for all who read them. */
static hd_def *
join_scalars(struct vectorizer *s, hd_def *const scalars[2])
{
   hd_def **joined = &s->joined[scalars[0]->index];
   const bool is_first = s->order[scalars[0]->index] < s->order[scalars[1]->index];
   hd_instr *later = hd_def_instr(scalars[is_first]);
   const hd_cursor here = s->b.cursor;

   if (*joined && hd_instr_src(hd_def_instr(*joined), 1)->def == scalars[1])
      return *joined;
   s->b.cursor = later->kind == HD_INSTR_PHI ? hd_after_phis(later->block) : hd_after_instr(later);
   *joined = hd_build_vec(&s->b, 2, scalars);
   s->b.cursor = here;
   return *joined;
}

static hd_def *
vector_of(struct vectorizer *s, hd_def *const scalars[2], const place places[2])
{
   const hd_instr *from = hd_def_instr(scalars[0]);
   const unsigned bits = scalars[0]->bit_size;
   hd_def *halves[2];

   if (!are_together(places[0], places[1]))
      return join_scalars(s, scalars);
   if (places[0].extended) {
      hd_def *const small[2] = { hd_instr_src(from, 0)->def,
                                 hd_instr_src(hd_def_instr(scalars[1]), 0)->def };
      place at[2] = { places[0], places[1] };
      at[0].extended = at[1].extended = 0;
      halves[0] = vector_of(s, small, at);
      return hd_build_alu(&s->b, (hd_op)places[0].extended, 1, halves, bits);
   }
   if (places[0].kind == CONSTANT) {
      const hd_const_value values[2] = { hd_instr_as_const(from)->value[0],
                                         hd_instr_as_const(hd_def_instr(scalars[1]))->value[0] };
      return hd_imm(&s->b, 2, bits, values);
   }
   if (places[0].kind == UNDEFINED)
      return hd_undef(&s->b, 2, bits);
   if (is_packed(places[0]) && places[0].lane == 0 && places[1].lane == 1) {
      if (places[0].kind == PAIR)
         return s->pairs[places[0].id].vector;
      if (hd_instr_src(from, 0)->def->num_components == 2)
         return hd_instr_src(from, 0)->def;
   }
   halves[0] = half_at(s, scalars[0], places[0]);
   halves[1] = half_at(s, scalars[1], places[1]);
   return hd_build_vec(&s->b, 2, halves);
}

/* Which of two comes first in their block: the one that is met when walking on from it. */
static hd_instr *
first_of(const struct vectorizer *s, const pair *p)
{
   return s->order[p->lane[0]->def.index] < s->order[p->lane[1]->def.index] ? p->lane[0]
                                                                            : p->lane[1];
}

static void
build_op(struct vectorizer *s, pair *p)
{
   hd_def *srcs[HD_MAX_OP_SRCS];
   place places[2][HD_MAX_OP_SRCS];
   unsigned from[2][HD_MAX_OP_SRCS];
   const hd_instr *i = p->lane[0];

   s->b.cursor = hd_before_instr(first_of(s, p));
   s->b.loc = i->loc;
   s->b.flags = 0;
   hd_align_operands(s, p, places, from);
   for (unsigned n = 0; n < i->num_srcs; n++) {
      hd_def *const scalars[2] = { hd_instr_src(i, from[0][n])->def,
                                   hd_instr_src(p->lane[1], from[1][n])->def };
      const place both[2] = { places[0][n], places[1][n] };
      srcs[n] = vector_of(s, scalars, both);
   }
   s->b.flags = i->flags;
   p->vector = hd_build_alu(&s->b, (hd_op)i->op, i->num_srcs, srcs, 0);
}

static void
build_phi(struct vectorizer *s, pair *p)
{
   const hd_phi *low = (const hd_phi *)p->lane[0];
   hd_phi *phi = hd_phi_create(s->f->shader, 2, 16, low->num_srcs);

   phi->instr.loc = low->instr.loc;
   hd_instr_link(low->instr.block, p->lane[0], &phi->instr);
   p->vector = &phi->instr.def;
}

static void
fill_phi(struct vectorizer *s, const pair *p)
{
   hd_phi *phi = (hd_phi *)hd_def_instr(p->vector);

   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      hd_def *const scalars[2] = { ((const hd_phi *)p->lane[0])->srcs[n].src.def,
                                   ((const hd_phi *)p->lane[1])->srcs[n].src.def };
      const place places[2] = { hd_place_of(s, scalars[0]), hd_place_of(s, scalars[1]) };
      s->b.cursor = hd_before_jump(phi->instr.block->preds[n].from);
      s->b.flags = 0;
      hd_src *src = &phi->srcs[n].src;
      src->def = vector_of(s, scalars, places);
      hd_src_link(src);
   }
}

/* All readers of the scalars read the vectors. */
static void
replace(struct vectorizer *s, const pair *p)
{
   const bool is_phi = p->lane[0]->kind == HD_INSTR_PHI;

   s->b.cursor =
       is_phi ? hd_after_phis(p->lane[0]->block) : hd_after_instr(hd_def_instr(p->vector));
   s->b.flags = 0;
   for (unsigned k = 0; k < 2; k++) {
      hd_def *part = hd_build_channel(&s->b, p->vector, k);
      hd_def_replace_uses(&p->lane[k]->def, part);
   }
   hd_instr_remove(p->lane[0]);
   hd_instr_remove(p->lane[1]);
}

static void
build_pairs(struct vectorizer *s, hd_block *const *blocks, uint32_t num_blocks)
{
   uint32_t at = 0;

   for (uint32_t n = 0; n < num_blocks; n++) {
      hd_foreach_instr(i, blocks[n]) {
         if (hd_instr_def(i))
            s->order[i->def.index] = ++at;
      }
   }
   memset(s->joined, 0, s->num_defs * sizeof(*s->joined));
   s->is_building = true;
   s->b = hd_builder_at(hd_before_block(hd_function_start(s->f)));
   for (uint32_t n = 0; n < s->num_pairs; n++) {
      if (s->pairs[n].lane[0]->kind == HD_INSTR_PHI)
         build_phi(s, &s->pairs[n]);
      else
         build_op(s, &s->pairs[n]);
   }
   for (uint32_t n = 0; n < s->num_pairs; n++) {
      if (s->pairs[n].lane[0]->kind == HD_INSTR_PHI)
         fill_phi(s, &s->pairs[n]);
   }
   for (uint32_t n = s->num_pairs; n--;)
      replace(s, &s->pairs[n]);
}

/* Halves that nobody reads by themselves any more. */
static void
remove_unused(hd_block *const *blocks, uint32_t num_blocks)
{
   for (uint32_t n = num_blocks; n--;) {
      for (hd_instr *i = blocks[n]->last, *before; i; i = before) {
         before = i->prev;
         if (i->kind == HD_INSTR_ALU && i->op == HD_OP_CHANNEL && hd_def_is_unused(&i->def))
            hd_instr_remove(i);
      }
   }
}

bool
hd_opt_vectorize(hd_function *f, const opt_vectorize_options *o)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct vectorizer s = { .f = f, .num_defs = f->num_defs };
   uint32_t num_blocks, num = 0;

   set_packing(&s, o);
   s.skips_uniform = !o->uniform;
   if (s.skips_uniform)
      hd_require(f, HD_META_DIVERGENCE);
   hd_block *const *blocks = hd_function_rpo(f, &num_blocks);
   for (uint32_t n = 0; n < num_blocks; n++) {
      hd_foreach_instr(i, blocks[n])
         num += can_be_packed(&s, i);
   }
   if (num < 2)
      return hd_progress(f, false, OPT_VECTORIZE_KEEPS);
   for (s.mask = 7; s.mask < 2 * num;)
      s.mask = 2 * s.mask + 1;
   s.pair_of = hd_stack_alloc(stack, s.num_defs * sizeof(*s.pair_of));
   s.order = hd_stack_alloc(stack, s.num_defs * sizeof(*s.order));
   s.joined = hd_stack_alloc_zero(stack, s.num_defs * sizeof(*s.joined));
   s.apart = hd_stack_alloc_zero(stack, s.num_defs * sizeof(*s.apart));
   s.pairs = hd_stack_alloc(stack, (s.num_defs / 2 + 1) * sizeof(*s.pairs));
   s.table = hd_stack_alloc(stack, ((size_t)s.mask + 1) * sizeof(hd_instr *));
   for (unsigned round = 0;; round++) {
      find_pairs(&s, blocks, num_blocks);
      if (!tell_apart(&s))
         break;
      if (round == ROUNDS)
         return hd_progress(f, false, OPT_VECTORIZE_KEEPS);
   }
   hd_drop_vain_pairs(&s);
   if (!s.num_pairs)
      return hd_progress(f, false, OPT_VECTORIZE_KEEPS);
   build_pairs(&s, blocks, num_blocks);
   remove_unused(blocks, num_blocks);
   f->shader->lowered &= ~(uint32_t)HD_LOWERED_VECTORS;
   return hd_progress(f, true, OPT_VECTORIZE_KEEPS);
}
