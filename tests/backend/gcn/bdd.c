/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "bdd.h"

#include <string.h>

#define MAX_NODES  (1u << 20)
#define TABLE_SIZE (1u << 21)
#define MEMO_SIZE  (1u << 18)

static struct node {
   uint32_t atom, low, high;
} nodes[MAX_NODES];

static uint32_t table[TABLE_SIZE], num_nodes;
static bool too_many; /* the table is full: functions are invalid */

/* Of bdd_if the three functions; of the others a function, an atom, and which. */
enum { EXISTS = MAX_NODES, RENAME };

static struct memo {
   uint32_t a, b, c, result;
} memo[MEMO_SIZE];

void
bdd_reset(void)
{
   memset(table, 0, sizeof(table));
   memset(memo, 0, sizeof(memo));
   nodes[BDD_FALSE] = nodes[BDD_TRUE] = (struct node){ .atom = UINT32_MAX };
   num_nodes = 2;
   too_many = false;
}

bool
bdd_is_full(void)
{
   return too_many;
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
   nodes[num_nodes] = (struct node){ atom, low, high };
   return table[h] = num_nodes++;
}

static struct memo *
find(uint32_t a, uint32_t b, uint32_t c)
{
   return &memo[(a * 0x9e3779b9u ^ b * 0x85ebca6bu ^ c * 0xc2b2ae35u) >> 14];
}

static bool
is_known(const struct memo *m, uint32_t a, uint32_t b, uint32_t c)
{
   return m->a == a && m->b == b && m->c == c;
}

static uint32_t
keep(struct memo *m, uint32_t a, uint32_t b, uint32_t c, uint32_t result)
{
   *m = (struct memo){ a, b, c, result };
   return result;
}

uint32_t
bdd_atom(uint32_t atom)
{
   return node_of(atom, BDD_FALSE, BDD_TRUE);
}

static uint32_t
least(uint32_t a, uint32_t b)
{
   return a < b ? a : b;
}

static uint32_t
given(uint32_t f, uint32_t atom, bool high)
{
   if (nodes[f].atom != atom)
      return f;
   return high ? nodes[f].high : nodes[f].low;
}

uint32_t
bdd_if(uint32_t c, uint32_t a, uint32_t b)
{
   if (c < 2 || a == b)
      return c == BDD_FALSE ? b : a;
   if (a == BDD_TRUE && b == BDD_FALSE)
      return c;
   struct memo *m = find(c, a, b);
   if (is_known(m, c, a, b))
      return m->result;
   const uint32_t atom = least(nodes[c].atom, least(nodes[a].atom, nodes[b].atom));
   const uint32_t low = bdd_if(given(c, atom, false), given(a, atom, false), given(b, atom, false));
   const uint32_t high = bdd_if(given(c, atom, true), given(a, atom, true), given(b, atom, true));
   return keep(m, c, a, b, node_of(atom, low, high));
}

uint32_t
bdd_not(uint32_t a)
{
   return bdd_if(a, BDD_FALSE, BDD_TRUE);
}

uint32_t
bdd_and(uint32_t a, uint32_t b)
{
   return bdd_if(a, b, BDD_FALSE);
}

uint32_t
bdd_or(uint32_t a, uint32_t b)
{
   return bdd_if(a, BDD_TRUE, b);
}

uint32_t
bdd_xor(uint32_t a, uint32_t b)
{
   const uint32_t other = bdd_not(b);

   return bdd_if(a, other, b);
}

uint32_t
bdd_exists(uint32_t f, uint32_t atom)
{
   const struct node n = nodes[f];

   if (n.atom > atom)
      return f;
   if (n.atom == atom)
      return bdd_or(n.low, n.high);
   struct memo *m = find(f, atom, EXISTS);
   if (is_known(m, f, atom, EXISTS))
      return m->result;
   const uint32_t low = bdd_exists(n.low, atom);
   return keep(m, f, atom, EXISTS, node_of(n.atom, low, bdd_exists(n.high, atom)));
}

uint32_t
bdd_rename(uint32_t f, uint32_t atom)
{
   const struct node n = nodes[f];

   if (n.atom > atom)
      return f;
   if (n.atom == atom)
      return node_of(atom - 1, n.low, n.high);
   struct memo *m = find(f, atom, RENAME);
   if (is_known(m, f, atom, RENAME))
      return m->result;
   const uint32_t low = bdd_rename(n.low, atom);
   return keep(m, f, atom, RENAME, node_of(n.atom, low, bdd_rename(n.high, atom)));
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
