/* SPDX-License-Identifier: MIT */
/* vectorize_gain.c - opt_vectorize: which pairs are worth it.
 *
 * Pairs that read each other's results stay or go together. Costs are in halves of an op.
 */
#include "passes/vectorize.h"

static uint32_t
group_of(const struct vectorizer *s, uint32_t p)
{
   while (s->pairs[p].group != p)
      p = s->pairs[p].group = s->pairs[s->pairs[p].group].group;
   return p;
}

/* Is it read where it is: by a pair, or by a vector as such a half of a dword? */
static bool
is_read_in_place(const struct vectorizer *s, const hd_src *use, unsigned lane)
{
   const hd_instr *user = hd_src_instr(use);
   unsigned n = 0;

   if (!user)
      return false;
   if (hd_instr_def(user) && s->pair_of[user->def.index])
      return true;
   if (user->kind != HD_INSTR_ALU || user->op != HD_OP_VEC)
      return false;
   while (hd_instr_src(user, n) != use)
      n++;
   return (n & 1) == lane;
}

/* What it costs that an op that is in no pair reads a half. Most read any half of a dword; a choice and a
 * comparison do not, and a sum could have been one with the op that makes its operand.
 */
static int
cost_of_reading(const struct vectorizer *s, const hd_src *use, unsigned lane)
{
   const hd_instr *user = hd_src_instr(use);

   if (is_read_in_place(s, use, lane))
      return 0;
   if (!user || user->kind != HD_INSTR_ALU || user->op == HD_OP_SELECT || user->def.bit_size == 1)
      return 1;
   if (extends_half(user)) {
      /* A count, extended for pairs. */
      hd_foreach_use(count, &user->def) {
         if (!is_read_in_place(s, count, lane))
            return 1;
      }
      return 0;
   }
   return user->op == HD_OP_IADD || user->op == HD_OP_IOR ? 1 + (int)lane : 0;
}

/* It is paid once for all readers. */
static int
cost_of_half(const struct vectorizer *s, const hd_def *def, unsigned lane)
{
   int most = 0;

   hd_foreach_use(use, def) {
      const int cost = cost_of_reading(s, use, lane);
      most = cost > most ? cost : most;
   }
   return most;
}

/* A vector that takes both halves as they are need not pack them. */
static bool
is_in_vector(const struct vectorizer *s, const hd_def *low)
{
   hd_foreach_use(use, low) {
      const hd_instr *user = hd_src_instr(use);
      if (user && user->kind == HD_INSTR_ALU && user->op == HD_OP_VEC &&
          is_read_in_place(s, use, 0))
         return true;
   }
   return false;
}

/* Vectors that are made of two scalars for this pair and for none before it. */
static int
count_joined(struct vectorizer *s, const pair *p)
{
   place places[2][HD_MAX_OP_SRCS];
   unsigned from[2][HD_MAX_OP_SRCS];
   int num = 0;

   if (p->lane[0]->kind == HD_INSTR_PHI)
      return 0;
   hd_align_operands(s, p, places, from);
   for (unsigned n = 0; n < p->lane[0]->num_srcs; n++) {
      hd_def *low = hd_instr_src(p->lane[0], from[0][n])->def;
      hd_def *high = hd_instr_src(p->lane[1], from[1][n])->def;
      if (are_together(places[0][n], places[1][n]) || s->joined[low->index] == high)
         continue;
      s->joined[low->index] = high;
      num++;
   }
   return num;
}

static void
group_pairs(struct vectorizer *s)
{
   for (uint32_t n = 0; n < s->num_pairs; n++) {
      const hd_instr *i = s->pairs[n].lane[0];
      for (unsigned k = 0; k < hd_instr_num_srcs(i); k++) {
         const place from = hd_place_of(s, hd_instr_src(i, k)->def);
         if (from.kind == PAIR)
            s->pairs[group_of(s, from.id)].group = group_of(s, n);
      }
   }
   for (uint32_t n = 0; n < s->num_pairs; n++) {
      const hd_def *low = &s->pairs[n].lane[0]->def, *high = &s->pairs[n].lane[1]->def;
      s->pairs[group_of(s, n)].gain += 2 + is_in_vector(s, low) - cost_of_half(s, low, 0) -
                                       cost_of_half(s, high, 1) - 2 * count_joined(s, &s->pairs[n]);
   }
}

/* Only groups that save more ops than they cost. */
void
hd_drop_vain_pairs(struct vectorizer *s)
{
   uint32_t num = 0;

   group_pairs(s);
   for (uint32_t n = 0; n < s->num_pairs; n++) {
      const bool stays = s->pairs[group_of(s, n)].gain > 0;
      num += stays;
      for (unsigned k = 0; k < 2; k++)
         s->pair_of[s->pairs[n].lane[k]->def.index] = stays ? 2 * num + k : 0;
   }
   num = 0;
   for (uint32_t n = 0; n < s->num_pairs; n++) {
      if (s->pair_of[s->pairs[n].lane[0]->def.index])
         s->pairs[num++] = s->pairs[n];
   }
   s->num_pairs = num;
}
