/* SPDX-License-Identifier: MIT */
/* lanes.c - cross-lane intrinsics: ballots, votes, shuffles, reductions, quads, derivatives.
 *
 * A lane gets another one's value if that one is active, else undef. Lanes that are helpers get
 * results but do not count in ballots, votes, elections, reductions and scans; in quads they do.
 */
#include <inttypes.h>

#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "wave/wave.h"

static bool
is_undef(const hd_wave *w, const hd_operand *o, unsigned c, unsigned lane)
{
   return mask_has(*undef_of(w, o, c), lane);
}

/* The same for all active lanes. It is undefined only if something was before. */
static void
set_all(hd_wave *w, const hd_code_instr *i, unsigned c, uint64_t value, bool undef)
{
   uint64_t *row = row_of(w, &i->dst, c);
   hd_wave_mask *u = undef_of(w, &i->dst, c);

   for (unsigned k = 0; k < w->count; k++)
      row[w->lanes[k]] = value;
   *u = undef ? mask_or(*u, w->active) : mask_without(*u, w->active);
}

/* The numbers of the active lanes, one after the other. */
static void
copy_listed(const hd_wave *w, uint64_t *to, const uint64_t *row)
{
   for (unsigned k = 0; k < w->count; k++)
      to[k] = row[w->lanes[k]];
}

static hd_wave_mask
counted(const hd_wave *w)
{
   return mask_without(w->active, w->helper);
}

/* An operand that every active lane must have the same of; the number, of a defined lane. */
static uint64_t
uniform(hd_wave *w, const hd_code_instr *i, uint32_t n, unsigned c)
{
   const uint64_t *row = row_of(w, &i->srcs[n], c);
   const hd_wave_mask undef = *undef_of(w, &i->srcs[n], c);
   const unsigned first = hd_wave_mask_first(mask_without(w->active, undef));

   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (!mask_has(undef, l) && row[l] != row[first])
         hd_wave_fault(w, i->instr, l,
                       "operand %u is %" PRIu64 ", but in lane %u %" PRIu64 ": it must be uniform",
                       n, row[l], first, row[first]);
   }
   return first < HD_WAVE_MAX_LANES ? row[first] : 0;
}

static void
check_lane_defined(hd_wave *w, const hd_code_instr *i, uint32_t n)
{
   const hd_wave_mask bad = mask_and(*undef_of(w, &i->srcs[n], 0), w->active);

   if (mask_any(bad))
      hd_wave_fault(w, i->instr, hd_wave_mask_first(bad), "an undefined lane number");
}

/* Ballots and votes */

void
hd_wave_ballot(hd_wave *w, const hd_code_instr *i)
{
   const hd_wave_mask lanes = counted(w);
   const uint64_t *row = row_of(w, &i->srcs[0], 0);

   const hd_wave_mask unknown = mask_and(lanes, *undef_of(w, &i->srcs[0], 0));
   hd_wave_mask bits = mask_none();

   /* The numbers of all lanes are booleans. */
   for (unsigned l = 0; l < w->run->width; l++)
      bits.word[l >> 6] |= row[l] << (l & 63);
   bits = mask_and(bits, lanes);
   for (unsigned c = 0; c < 4; c++) {
      const unsigned shift = c % 2 * 32;
      set_all(w, i, c, bits.word[c / 2] >> shift & UINT32_MAX,
              (unknown.word[c / 2] >> shift & UINT32_MAX) != 0);
   }
}

void
hd_wave_elect(hd_wave *w, const hd_code_instr *i)
{
   const unsigned first = hd_wave_mask_first(counted(w));

   for (unsigned k = 0; k < w->count; k++)
      set_component(w, i, 0, w->lanes[k], w->lanes[k] == first, false);
}

/* True in any, or in all, of these lanes. What lanes with an undefined condition say is unknown,
 * and does not matter where another one decides.
 */
static void
vote(hd_wave *w, const hd_code_instr *i, hd_wave_mask lanes, bool any, bool *result, bool *undef)
{
   const uint64_t *row = row_of(w, &i->srcs[0], 0);

   *result = !any;
   *undef = false;
   for (unsigned l = 0; l < w->run->width; l++) {
      if (!mask_has(lanes, l))
         continue;
      if (is_undef(w, &i->srcs[0], 0, l))
         *undef = true;
      else if ((row[l] != 0) == any)
         *result = any;
   }
   if (*result == any)
      *undef = false;
}

void
hd_wave_vote_any(hd_wave *w, const hd_code_instr *i)
{
   bool result, undef;

   vote(w, i, counted(w), true, &result, &undef);
   set_all(w, i, 0, result, undef);
}

void
hd_wave_vote_all(hd_wave *w, const hd_code_instr *i)
{
   bool result, undef;

   vote(w, i, counted(w), false, &result, &undef);
   set_all(w, i, 0, result, undef);
}

static void
vote_equal(hd_wave *w, const hd_code_instr *i, hd_op op)
{
   const hd_operand *o = &i->srcs[0];
   const hd_wave_mask lanes = counted(w);
   bool equal = true, undef = false;

   for (unsigned c = 0; c < o->num_components; c++) {
      const uint64_t *row = row_of(w, o, c);
      const unsigned first = hd_wave_mask_first(mask_without(lanes, *undef_of(w, o, c)));
      for (unsigned l = 0; l < w->run->width; l++) {
         if (!mask_has(lanes, l))
            continue;
         if (is_undef(w, o, c, l))
            undef = true;
         else if (!hd_wave_compare(w, op, o->bits, row[l], row[first]))
            equal = false;
      }
   }
   /* Two lanes that differ decide it, whatever the others have. */
   set_all(w, i, 0, equal, undef && equal);
}

void
hd_wave_vote_ieq(hd_wave *w, const hd_code_instr *i)
{
   vote_equal(w, i, HD_OP_IEQ);
}

void
hd_wave_vote_feq(hd_wave *w, const hd_code_instr *i)
{
   vote_equal(w, i, HD_OP_FEQ);
}

/* Masks as values */

/* A lane's mask of 4 x 32 bits, without the bits of lanes that the wave does not have. */
static hd_wave_mask
value_mask(const hd_wave *w, const hd_code_instr *i, unsigned lane, bool *undef)
{
   hd_wave_mask m = mask_none();

   *undef = false;
   for (unsigned c = 0; c < 4; c++) {
      m.word[c / 2] |= row_of(w, &i->srcs[0], c)[lane] << 32 * (c % 2);
      *undef |= c * 32 < w->run->width && is_undef(w, &i->srcs[0], c, lane);
   }
   return mask_and(m, mask_first(w->run->width));
}

static unsigned
mask_count(hd_wave_mask m)
{
   return (unsigned)(__builtin_popcountll(m.word[0]) + __builtin_popcountll(m.word[1]));
}

void
hd_wave_mask_op(hd_wave *w, const hd_code_instr *i)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr->op;

   if (id == HD_INTRINSIC_INVERSE_BALLOT) {
      for (unsigned c = 0; c < 4; c++)
         uniform(w, i, 0, c);
   }
   if (id == HD_INTRINSIC_BALLOT_BIT)
      check_lane_defined(w, i, 1);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      bool undef;
      const hd_wave_mask m = value_mask(w, i, l, &undef);
      uint64_t value = 0;
      switch (id) {
      case HD_INTRINSIC_INVERSE_BALLOT:
         value = mask_has(m, l);
         undef = is_undef(w, &i->srcs[0], l / 32, l);
         break;
      case HD_INTRINSIC_BALLOT_BIT: {
         const uint64_t at = row_of(w, &i->srcs[1], 0)[l];
         value = at < w->run->width && mask_has(m, (unsigned)at);
         undef = at < w->run->width && is_undef(w, &i->srcs[0], (unsigned)at / 32, l);
         break;
      }
      case HD_INTRINSIC_BALLOT_BIT_COUNT:
         value = mask_count(m);
         break;
      case HD_INTRINSIC_BALLOT_BIT_COUNT_INCLUSIVE:
         value = mask_count(mask_and(m, mask_first(l + 1)));
         break;
      case HD_INTRINSIC_BALLOT_BIT_COUNT_EXCLUSIVE:
         value = mask_count(mask_and(m, mask_first(l)));
         break;
      case HD_INTRINSIC_BALLOT_FIND_LSB:
         value = mask_any(m) ? hd_wave_mask_first(m) : UINT32_MAX;
         break;
      default: /* ballot_find_msb */
         value = UINT32_MAX;
         for (unsigned n = 0; n < w->run->width; n++)
            value = mask_has(m, n) ? n : value;
         break;
      }
      set_component(w, i, 0, l, value, undef);
   }
}

/* Values of other lanes */

/* Each active lane gets the value of lane from[l]; undef where that is not active. */
static void
gather(hd_wave *w, const hd_code_instr *i, const uint64_t from[HD_WAVE_MAX_LANES])
{
   for (unsigned c = 0; c < i->dst.num_components; c++) {
      const uint64_t *row = row_of(w, &i->srcs[0], c);
      for (unsigned k = 0; k < w->count; k++) {
         const unsigned l = w->lanes[k];
         const bool there = from[l] < w->run->width && mask_has(w->active, (unsigned)from[l]);
         set_component(w, i, c, l, there ? row[from[l]] : 0,
                       !there || is_undef(w, &i->srcs[0], c, (unsigned)from[l]));
      }
   }
}

static uint64_t
source_lane(hd_wave *w, const hd_code_instr *i, unsigned l)
{
   const uint64_t number = i->num_srcs > 1 ? row_of(w, &i->srcs[1], 0)[l] : 0;
   uint64_t cluster = intrinsic_index(i, HD_INDEX_CLUSTER_SIZE);

   switch ((hd_intrinsic_id)i->instr->op) {
   case HD_INTRINSIC_READ_FIRST:
      return w->lanes[0];
   case HD_INTRINSIC_SHUFFLE_XOR:
      return l ^ number;
   case HD_INTRINSIC_SHUFFLE_UP:
      return l - number; /* wraps to a lane that does not exist */
   case HD_INTRINSIC_SHUFFLE_DOWN:
      return l + number;
   case HD_INTRINSIC_ROTATE:
      cluster = cluster && cluster < w->run->width ? cluster : w->run->width;
      return l - l % cluster + (l % cluster + number) % cluster;
   case HD_INTRINSIC_QUAD_BROADCAST:
      return (l & ~3u) + (number & 3);
   case HD_INTRINSIC_QUAD_SWAP_HORIZONTAL:
      return l ^ 1;
   case HD_INTRINSIC_QUAD_SWAP_VERTICAL:
      return l ^ 2;
   case HD_INTRINSIC_QUAD_SWAP_DIAGONAL:
      return l ^ 3;
   default: /* broadcast, shuffle */
      return number;
   }
}

void
hd_wave_shuffle(hd_wave *w, const hd_code_instr *i)
{
   const hd_intrinsic_info *info = i->info;
   uint64_t from[HD_WAVE_MAX_LANES];

   if (i->num_srcs > 1) {
      check_lane_defined(w, i, 1);
      if (info->src[1].flags & HD_OPERAND_UNIFORM)
         uniform(w, i, 1, 0);
   }
   for (unsigned k = 0; k < w->count; k++)
      from[w->lanes[k]] = source_lane(w, i, w->lanes[k]);
   gather(w, i, from);
}

/* Reductions and scans */

static bool
is_undef_in(const hd_wave *w, const hd_operand *src, unsigned c, hd_wave_mask lanes)
{
   bool undef = false;

   for (unsigned l = 0; l < w->run->width; l++)
      undef |= mask_has(lanes, l) && is_undef(w, src, c, l);
   return undef;
}

/* The same of all active lanes that count, with no undefined one among them: halves are combined
 * until one number is left. Integers are the same in whichever order they are combined.
 */
static bool
reduce_at_once(hd_wave *w, const hd_code_instr *i, hd_op op)
{
   const hd_wave_mask lanes = counted(w);
   uint64_t number[HD_WAVE_MAX_LANES];
   hd_wave_mask undef = mask_none();

   for (unsigned c = 0; c < i->dst.num_components; c++)
      undef = mask_or(undef, *undef_of(w, &i->srcs[0], c));
   if (i->instr->op != HD_INTRINSIC_REDUCE || mask_any(mask_and(undef, lanes)) ||
       !mask_equal(lanes, w->active) || hd_op_get_info(op)->result.kind == HD_KIND_FLOAT)
      return false;
   for (unsigned c = 0; c < i->dst.num_components; c++) {
      copy_listed(w, number, row_of(w, &i->srcs[0], c));
      for (unsigned rest = w->count; rest > 1; rest -= rest / 2)
         hd_wave_combine_rows(w, op, i->dst.bits, number, number + (rest - rest / 2), rest / 2);
      set_all(w, i, c, number[0], false);
   }
   return true;
}

/* A scan of booleans is a ballot to machines: undefined for all lanes if it is for one. */
void
hd_wave_reduce(hd_wave *w, const hd_code_instr *i)
{
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr->op;
   const uint32_t value = intrinsic_index(i, HD_INDEX_REDUCE_OP);
   const hd_op op = hd_index_get_info(HD_INDEX_REDUCE_OP)->values[value].op;
   const unsigned width = w->run->width;
   unsigned cluster = intrinsic_index(i, HD_INDEX_CLUSTER_SIZE);
   const hd_wave_mask lanes = counted(w);
   const bool canonical = op == HD_OP_FMIN || op == HD_OP_FMAX;

   if (!cluster || cluster > width)
      cluster = width;
   if (cluster == width && reduce_at_once(w, i, op))
      return;
   for (unsigned c = 0; c < i->dst.num_components; c++) {
      const uint64_t *row = row_of(w, &i->srcs[0], c);
      const uint64_t identity =
          hd_element_value((hd_element)hd_op_get_info(op)->identity, i->dst.bits);
      for (unsigned begin = 0; begin < width; begin += cluster) {
         const unsigned end = begin + cluster < width ? begin + cluster : width;
         uint64_t sum = identity;
         bool any = false, undef = i->dst.bits == 1 && id != HD_INTRINSIC_REDUCE &&
                                   is_undef_in(w, &i->srcs[0], c, lanes);
         for (unsigned l = begin; l < end; l++) {
            if (id == HD_INTRINSIC_EXCLUSIVE_SCAN && mask_has(w->active, l))
               set_component(w, i, c, l, sum, undef);
            if (mask_has(lanes, l)) {
               sum = any || canonical ? hd_wave_combine(w, op, i->dst.bits, sum, row[l]) : row[l];
               undef |= is_undef(w, &i->srcs[0], c, l);
               any = true;
            }
            if (id == HD_INTRINSIC_INCLUSIVE_SCAN && mask_has(w->active, l))
               set_component(w, i, c, l, sum, undef);
         }
         for (unsigned l = begin; l < end && id == HD_INTRINSIC_REDUCE; l++) {
            if (mask_has(w->active, l))
               set_component(w, i, c, l, sum, undef);
         }
      }
   }
}

/* Quads */

void
hd_wave_quad_vote(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k], first = l & ~3u;
      const hd_wave_mask quad =
          mask_without(mask_first(first + 4 < 128 ? first + 4 : 128), mask_first(first));
      bool result, undef;
      vote(w, i, mask_and(quad, w->active), i->instr->op == HD_INTRINSIC_QUAD_VOTE_ANY, &result,
           &undef);
      set_component(w, i, 0, l, result, undef);
   }
}

/* The two lanes of the quad whose difference is taken: number 0 is top left, 1 beside it, 2 below.
 */
static void
neighbours(hd_intrinsic_id id, unsigned lane, unsigned *low, unsigned *high)
{
   const unsigned quad = lane & ~3u;

   switch (id) {
   case HD_INTRINSIC_DDX_FINE:
      *low = lane & ~1u;
      *high = *low + 1;
      break;
   case HD_INTRINSIC_DDY_FINE:
      *low = lane & ~2u;
      *high = *low + 2;
      break;
   case HD_INTRINSIC_DDX:
   case HD_INTRINSIC_DDX_COARSE:
      *low = quad;
      *high = quad + 1;
      break;
   default:
      *low = quad;
      *high = quad + 2;
      break;
   }
}

void
hd_wave_derivative(hd_wave *w, const hd_code_instr *i)
{
   for (unsigned c = 0; c < i->dst.num_components; c++) {
      const uint64_t *row = row_of(w, &i->srcs[0], c);
      for (unsigned k = 0; k < w->count; k++) {
         unsigned low, high;
         neighbours((hd_intrinsic_id)i->instr->op, w->lanes[k], &low, &high);
         if (high >= w->run->width || !mask_has(w->active, low) || !mask_has(w->active, high)) {
            set_component(w, i, c, w->lanes[k], 0, true);
            continue;
         }
         set_component(w, i, c, w->lanes[k],
                       hd_wave_combine(w, HD_OP_FSUB, i->dst.bits, row[high], row[low]),
                       is_undef(w, &i->srcs[0], c, low) || is_undef(w, &i->srcs[0], c, high));
      }
   }
}
