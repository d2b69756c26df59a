/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "bdd.h"

#include <string.h>

#define MAX_NODES  (1u << 20)
#define TABLE_SIZE (1u << 21)

struct node {
   uint32_t atom, low, high;
   uint64_t support; /* a bit for each 64th atom that it depends on */
};

static struct node nodes[MAX_NODES];
static uint32_t table[TABLE_SIZE], num_nodes;
static bool too_many; /* the table is full: functions are invalid */

static struct {
   uint32_t a, b, result;
} memo[TABLE_SIZE];

void
bdd_reset(void)
{
   memset(table, 0, sizeof(table));
   memset(memo, 0, sizeof(memo));
   nodes[BDD_FALSE] = nodes[BDD_TRUE] = (struct node){ .atom = UINT32_MAX };
   num_nodes = 2;
   too_many = false;
}

static uint32_t
node_of(uint32_t atom, uint32_t low, uint32_t high)
{
   if (low == high)
      return low;
   uint32_t h = (atom * 0x9e3779b9u ^ low * 0x85ebca6bu ^ high * 0xc2b2ae35u) % TABLE_SIZE;
   while (table[h]) {
      const struct node *n = &nodes[table[h]];
      if (n->atom == atom && n->low == low && n->high == high)
         return table[h];
      h = (h + 1) % TABLE_SIZE;
   }
   if (num_nodes == MAX_NODES) {
      too_many = true;
      return BDD_TRUE;
   }
   nodes[num_nodes] =
       (struct node){ atom, low, high,
                      UINT64_C(1) << atom % 64 | nodes[low].support | nodes[high].support };
   return table[h] = num_nodes++;
}

uint32_t
bdd_atom(uint32_t atom)
{
   return node_of(atom, BDD_FALSE, BDD_TRUE);
}

uint32_t
bdd_not(uint32_t a)
{
   if (a < 2)
      return !a;
   const uint32_t low = bdd_not(nodes[a].low);
   return node_of(nodes[a].atom, low, bdd_not(nodes[a].high));
}

uint32_t
bdd_and(uint32_t a, uint32_t b)
{
   if (a == BDD_FALSE || b == BDD_FALSE)
      return BDD_FALSE;
   if (a == BDD_TRUE || a == b)
      return b;
   if (b == BDD_TRUE)
      return a;
   const uint32_t h = (a * 0x9e3779b9u ^ b * 0x85ebca6bu) % TABLE_SIZE;
   if (memo[h].a == a && memo[h].b == b)
      return memo[h].result;
   const struct node x = nodes[a], y = nodes[b];
   const uint32_t atom = x.atom < y.atom ? x.atom : y.atom;
   const uint32_t low = bdd_and(x.atom == atom ? x.low : a, y.atom == atom ? y.low : b);
   const uint32_t high = bdd_and(x.atom == atom ? x.high : a, y.atom == atom ? y.high : b);
   memo[h].a = a, memo[h].b = b;
   return memo[h].result = node_of(atom, low, high);
}

uint32_t
bdd_or(uint32_t a, uint32_t b)
{
   const uint32_t none = bdd_and(bdd_not(a), bdd_not(b));

   return bdd_not(none);
}

bool
bdd_depends(uint32_t f, uint32_t atom)
{
   if (!(nodes[f].support >> atom % 64 & 1) || nodes[f].atom > atom)
      return false;
   return nodes[f].atom == atom || bdd_depends(nodes[f].low, atom) ||
          bdd_depends(nodes[f].high, atom);
}

/* The function where the atom is this. */
static uint32_t
restricted(uint32_t f, uint32_t atom, bool to)
{
   if (!bdd_depends(f, atom))
      return f;
   const struct node n = nodes[f];
   if (n.atom == atom)
      return to ? n.high : n.low;
   const uint32_t low = restricted(n.low, atom, to);
   return node_of(n.atom, low, restricted(n.high, atom, to));
}

uint32_t
bdd_without(uint32_t f, uint32_t atom, uint32_t instead)
{
   const uint32_t off = restricted(f, atom, false), on = restricted(f, atom, true);
   const uint32_t some = bdd_and(bdd_or(off, on), bdd_atom(instead));

   return bdd_or(bdd_and(off, on), some);
}

uint32_t
bdd_given(uint32_t f, uint32_t holds)
{
   if (f < 2 || holds < 2)
      return f;
   const struct node x = nodes[f], y = nodes[holds];
   const uint32_t atom = x.atom < y.atom ? x.atom : y.atom;
   if (y.atom == atom && (y.low == BDD_FALSE || y.high == BDD_FALSE)) {
      const bool to = y.low == BDD_FALSE;
      return bdd_given(restricted(f, atom, to), to ? y.high : y.low);
   }
   const uint32_t low = bdd_given(x.atom == atom ? x.low : f, y.atom == atom ? y.low : holds);
   const uint32_t high = bdd_given(x.atom == atom ? x.high : f, y.atom == atom ? y.high : holds);
   return node_of(atom, low, high);
}

bool
bdd_depends_within(uint32_t f, uint32_t first, uint32_t end)
{
   if (f < 2 || nodes[f].atom >= end)
      return false;
   return nodes[f].atom >= first || bdd_depends_within(nodes[f].low, first, end) ||
          bdd_depends_within(nodes[f].high, first, end);
}

bool
bdd_is_large(uint32_t f, unsigned *left)
{
   if (f < 2)
      return false;
   if (!*left)
      return true;
   --*left;
   return bdd_is_large(nodes[f].low, left) || bdd_is_large(nodes[f].high, left);
}

bool
bdd_is_atom(uint32_t f, uint32_t atom)
{
   return nodes[f].atom == atom && nodes[f].low == BDD_FALSE && nodes[f].high == BDD_TRUE;
}

uint32_t
bdd_if(uint32_t condition, uint32_t a, uint32_t b)
{
   const uint32_t yes = bdd_and(condition, a);

   return bdd_or(yes, bdd_and(bdd_not(condition), b));
}

bool
bdd_is_full(void)
{
   return too_many;
}

uint32_t
bdd_first_atom(uint32_t f)
{
   return nodes[f].atom;
}

uint32_t
bdd_low(uint32_t f)
{
   return nodes[f].low;
}

uint32_t
bdd_high(uint32_t f)
{
   return nodes[f].high;
}
