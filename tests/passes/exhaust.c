/* SPDX-License-Identifier: MIT */
/* exhaust.c - all values of the small operands of a rule, both sides evaluated in runs of values.
 *
 * The operands are the digits of a number, constants first; the last digit is a run, for which ops
 * are evaluated at once. What does not depend on the last digit is evaluated only when a digit that
 * it depends on changes, and a condition that does not hold leaves out all digits below.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/fold.h"
#include "passes/exhaust.h"

#define MAX_RUN   256
#define MAX_COMPS 4
#define NONE      UINT32_MAX

static const unsigned all_sizes[] = { 1, 8, 16, 32, 64 };

/* The values of an operand: all, or some that matter. */
struct digit {
   unsigned bits, comps;
   unsigned num;
   uint64_t edges[MAX_RUN]; /* unless they are all */
   bool whole;
};

struct run {
   const struct sides *rule;
   struct exhausted *result;
   unsigned share;
   unsigned bits[SIDES_MAX_CLASSES];
   uint32_t controls;
   struct digit digits[SIDES_MAX_NAMES];
   unsigned last;                   /* the digit that is a run */
   unsigned depth[SIDES_MAX_NODES]; /* the last digit that a node depends on; 0 if none */
   unsigned when_depth;
   uint64_t counter;
   struct facts facts;
   hd_const_value *values[SIDES_MAX_NODES]; /* MAX_RUN of MAX_COMPS components */
   hd_const_value memory[SIDES_MAX_NODES][MAX_RUN * MAX_COMPS];
};

static void
choose_values(struct digit *d)
{
   const unsigned total = d->bits * d->comps;

   d->num = 0;
   d->whole = total <= 8;
   if (d->whole) {
      d->num = 1u << total;
      return;
   }
   /* Counts: past the greatest size; then what is near a power of two, and near none. */
   for (uint64_t n = 0; n < 68; n++)
      d->edges[d->num++] = n;
   for (unsigned k = 7; k < d->bits; k++) {
      d->edges[d->num++] = UINT64_C(1) << k;
      d->edges[d->num++] = (UINT64_C(1) << k) - 1;
   }
   for (uint64_t n = 1; n < 10; n++)
      d->edges[d->num++] = mask(d->bits) - n + 1;
   d->edges[d->num++] = mask(d->bits) / 3;
   d->edges[d->num++] = mask(d->bits) / 5;
}

/* More cases than this are not gone through. */
#define MAX_CASES (UINT64_C(1) << 34)

static bool
is_too_much(const struct digit *digits, unsigned num)
{
   uint64_t cases = 1;

   for (unsigned n = 0; n < num && cases <= MAX_CASES; n++)
      cases *= digits[n].num;
   return cases > MAX_CASES;
}

static void
set_value(const struct digit *d, unsigned number, hd_const_value *out)
{
   for (unsigned c = 0; c < d->comps; c++) {
      if (d->whole)
         hd_const_set(&out[c], d->bits, number >> c * d->bits);
      else
         hd_const_set(&out[c], d->bits, d->edges[number]);
   }
}

/* Where a value that is the same for the whole run is read as one of it. */
static void
spread(hd_const_value *values, unsigned comps, unsigned num)
{
   for (unsigned n = comps; n < num * comps; n++)
      values[n] = values[n - comps];
}

static void
evaluate_op(struct run *r, const struct side_node *node, unsigned place, unsigned num)
{
   const hd_op_info *info = hd_op_get_info((hd_op)node->op);
   hd_const_value *out = r->values[place];
   const unsigned bits = r->bits[node->size];
   hd_fold_src srcs[4];

   for (unsigned k = 0; k < node->num_kids; k++) {
      const struct side_node *kid = &r->rule->nodes[node->kids[k]];
      srcs[k] = (hd_fold_src){ r->values[node->kids[k]],
                               { (uint8_t)kid->comps, (uint8_t)r->bits[kid->size] } };
   }
   if ((info->flags & HD_OP_COMPONENTWISE) && !(info->flags & HD_OP_VARIADIC)) {
      hd_fold_functions[node->op](num * node->comps, bits, srcs, r->controls, out);
      return;
   }
   const unsigned n = info->flags & HD_OP_VARIADIC ? node->comps : srcs[0].shape.num_components;
   for (unsigned i = 0; i < num; i++) {
      hd_fold_functions[node->op](n, bits, srcs, r->controls, out);
      out += node->comps;
      for (unsigned k = 0; k < node->num_kids; k++)
         srcs[k].values += srcs[k].shape.num_components;
   }
}

/* The nodes from `first` to `end` that depend on this digit and on none below. */
static void
evaluate(struct run *r, unsigned first, unsigned end, unsigned depth)
{
   const unsigned num = depth == r->last ? r->digits[depth].num : 1;

   for (unsigned n = end; n-- > first;) {
      const struct side_node *node = &r->rule->nodes[n];
      if (r->depth[n] != depth || node->kind != SIDE_OP)
         continue;
      evaluate_op(r, node, n, num);
      if (num == 1)
         spread(r->values[n], node->comps, r->digits[r->last].num);
   }
}

/* Sizes are known: what does not depend on operands. */
static void
set_fixed(struct run *r)
{
   const struct sides *rule = r->rule;

   memset(&r->facts, 0, sizeof(r->facts));
   r->facts.controls = r->controls;
   for (unsigned n = 0; n < 16; n++) {
      const struct side_node *node = &rule->nodes[rule->places[n]];
      r->facts.bits[n] = (uint8_t)r->bits[node->size];
      r->facts.comps[n] = (uint8_t)node->comps;
      r->facts.value[n] = r->values[rule->places[n]];
   }
   for (unsigned n = 0; n < rule->num_nodes; n++) {
      const struct side_node *node = &rule->nodes[n];
      const unsigned bits = r->bits[node->size];
      uint64_t value = 0;
      if (node->kind == SIDE_CALCULATION) {
         value = node->calculate(&r->facts);
      } else if (node->kind == SIDE_LITERAL) {
         for (unsigned s = 0; s < 5; s++)
            value = all_sizes[s] == bits ? node->literals[s] : value;
      } else {
         continue;
      }
      for (unsigned i = 0; i < MAX_RUN * node->comps; i++)
         hd_const_set(&r->values[n][i], bits, value);
   }
}

static void
describe(struct run *r, unsigned i)
{
   const struct sides *rule = r->rule;
   char *out = r->result->failure;
   const size_t size = sizeof(r->result->failure);
   size_t used = (size_t)snprintf(out, size, "%s:", rule->text);

   for (unsigned n = 0; n < rule->replace && used < size; n++) {
      const struct side_node *node = &rule->nodes[n];
      if (node->kind != SIDE_NAME)
         continue;
      used += (size_t)snprintf(
          out + used, size - used, " %u:%u=%#llx", node->name, r->bits[node->size],
          (unsigned long long)hd_const_get(&r->values[n][i * node->comps], r->bits[node->size]));
   }
   const unsigned bits = r->bits[rule->nodes[0].size], comps = rule->nodes[0].comps;
   for (unsigned c = 0; c < comps && used < size; c++)
      used += (size_t)snprintf(
          out + used, size - used, " controls %u: %#llx became %#llx", r->controls,
          (unsigned long long)hd_const_get(&r->values[0][i * comps + c], bits),
          (unsigned long long)hd_const_get(&r->values[rule->replace][i * comps + c], bits));
}

/* The facts at one place of the run. */
static bool
holds_at(struct run *r, unsigned i)
{
   const struct sides *rule = r->rule;
   struct facts at = r->facts;

   for (unsigned n = 0; n < 16; n++)
      at.value[n] += i * at.comps[n];
   return rule->when(&at);
}

static void
compare_run(struct run *r)
{
   const struct sides *rule = r->rule;
   const unsigned num = r->digits[r->last].num, comps = rule->nodes[0].comps;
   const hd_const_value *a = r->values[0], *b = r->values[rule->replace];
   const bool ask = rule->when && r->when_depth == r->last;
   bool same = true;

   evaluate(r, 0, rule->replace, r->last);
   evaluate(r, rule->replace, rule->num_nodes, r->last);
   /* Bytes past a component's size are zero on both sides. */
   for (unsigned i = 0; i < num * comps; i++)
      same &= a[i].u64 == b[i].u64;
   if (!ask) {
      r->result->num_cases += num;
      if (same)
         return;
   }
   for (unsigned i = 0; i < num; i++) {
      if (ask && !holds_at(r, i)) {
         r->result->num_passed++;
         continue;
      }
      r->result->num_cases += ask;
      for (unsigned c = 0; c < comps; c++) {
         if (a[i * comps + c].u64 != b[i * comps + c].u64) {
            describe(r, i);
            return;
         }
      }
   }
}

static uint64_t
hash(uint64_t z)
{
   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

/* One value after the other of a digit; at most SIDES_MAX_NAMES deep. */
static void
go_through(struct run *r, unsigned digit)
{
   const struct sides *rule = r->rule;

   if (digit == r->last) {
      compare_run(r);
      return;
   }
   for (unsigned n = 0; n < r->digits[digit].num && !*r->result->failure; n++) {
      if (r->share > 1 && digit + 1 == r->last && hash(++r->counter) % r->share)
         continue;
      for (unsigned k = 0; k < rule->num_nodes; k++) {
         if (rule->nodes[k].kind == SIDE_NAME && rule->nodes[k].name == digit) {
            set_value(&r->digits[digit], n, r->values[k]);
            spread(r->values[k], rule->nodes[k].comps, r->digits[r->last].num);
         }
      }
      evaluate(r, 0, rule->replace, digit);
      if (rule->when && r->when_depth == digit && !rule->when(&r->facts)) {
         r->result->num_passed++;
         continue;
      }
      evaluate(r, rule->replace, rule->num_nodes, digit);
      go_through(r, digit + 1);
   }
}

static void
find_depths(struct run *r)
{
   const struct sides *rule = r->rule;

   r->when_depth = 0;
   for (unsigned n = rule->num_nodes; n-- > 0;) {
      const struct side_node *node = &rule->nodes[n];
      r->depth[n] = node->kind == SIDE_NAME ? node->name : 0;
      for (unsigned k = 0; k < node->num_kids; k++) {
         if (r->depth[node->kids[k]] > r->depth[n])
            r->depth[n] = r->depth[node->kids[k]];
      }
      if (rule->asks >> n & 1 && r->depth[n] > r->when_depth)
         r->when_depth = r->depth[n];
   }
}

static void
exhaust_sizes(struct run *r)
{
   const struct sides *rule = r->rule;

   r->last = rule->num_names - 1;
   for (unsigned n = 0; n < rule->num_nodes; n++) {
      const struct side_node *node = &rule->nodes[n];
      if (node->kind != SIDE_NAME)
         continue;
      r->digits[node->name].bits = r->bits[node->size];
      r->digits[node->name].comps = node->comps;
   }
   for (unsigned n = 0; n < rule->num_names; n++)
      choose_values(&r->digits[n]);
   if (is_too_much(r->digits, rule->num_names)) {
      r->result->left_out = true;
      return;
   }
   set_fixed(r);
   for (unsigned n = 0; n < rule->num_nodes; n++) {
      for (unsigned i = 0; rule->nodes[n].kind == SIDE_NAME && rule->nodes[n].name == r->last &&
                           i < r->digits[r->last].num;
           i++)
         set_value(&r->digits[r->last], i, r->values[n] + i * rule->nodes[n].comps);
   }
   /* A condition on sizes alone. */
   if (rule->when && !rule->asks && !rule->when(&r->facts))
      return;
   r->result->num_sizes++;
   if (r->share)
      go_through(r, 0);
}

/* Sizes are allowed in which operands have at most 8 bits where that can be, and literals fit. */
static bool
sizes_fit(struct run *r)
{
   const struct sides *rule = r->rule;
   unsigned small = 0;

   for (unsigned k = 0; k < rule->num_classes; k++) {
      if (!(rule->classes[k] & r->bits[k]))
         return false;
   }
   for (unsigned n = 0; n < rule->num_nodes; n++) {
      const struct side_node *node = &rule->nodes[n];
      const unsigned bits = r->bits[node->size];
      if (node->kind == SIDE_LITERAL && !(node->fits & bits))
         return false;
      if (node->kind != SIDE_NAME)
         continue;
      /* Of what is larger in any case only counts, which have 32 bits, are few enough. */
      if (bits > 8 && rule->classes[node->size] != 32)
         return false;
      small |= bits * node->comps <= 8 ? 1u << node->name : 0;
   }
   const unsigned operands = (unsigned)__builtin_popcount(small);
   if (operands > r->result->operands)
      r->result->operands = operands;
   return operands;
}

void
exhaust_rule(const struct sides *rule, unsigned share, struct exhausted *result)
{
   static const uint32_t modes[] = { 0, HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_32 | HD_FLOAT_FLUSH_64,
                                     HD_FLOAT_RTZ_16 | HD_FLOAT_RTZ_32 | HD_FLOAT_RTZ_64,
                                     HD_FLOAT_MODES };
   struct run *r = calloc(1, sizeof(*r));

   memset(result, 0, sizeof(*result));
   r->rule = rule;
   r->result = result;
   r->share = share;
   for (unsigned n = 0; n < SIDES_MAX_NODES; n++)
      r->values[n] = r->memory[n];
   find_depths(r);
   unsigned num_choices = 1;
   for (unsigned k = 0; k < rule->num_classes; k++)
      num_choices *= 5;
   for (unsigned choice = 0; rule->exact && rule->num_names && choice < num_choices; choice++) {
      for (unsigned k = 0, rest = choice; k < rule->num_classes; k++, rest /= 5)
         r->bits[k] = all_sizes[rest % 5];
      if (!sizes_fit(r))
         continue;
      for (unsigned m = 0; m < (rule->has_float ? 4 : 1) && !*result->failure; m++) {
         r->controls = modes[m];
         exhaust_sizes(r);
      }
   }
   free(r);
}
