/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "bdd.h"
#include "wqm.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gcn/isa/isa.h"

/* The program */

#define NUM_SGPRS 128u
#define MAX_SPILL 24u /* vector registers that hold scalars, a lane each */
#define NUM_CELLS (NUM_SGPRS + MAX_SPILL * 64)

struct state {
   uint32_t cell[NUM_CELLS];
};

/* The state at the end of a way to an instruction. A lane for which `impossible` holds did not come this way: where
 * a branch is taken if no lane is left, one that is.
 */
struct edge {
   struct edge *next;
   uint32_t from, impossible;
   struct state came, s; /* by atoms of then; by those of where paths meet now */
   uint8_t stays[NUM_CELLS];
};

/* Does a way back bring what was there? That it does is supposed as soon as it did, and verified in the end. */
enum { MAY_DIFFER, SUPPOSED, DIFFERS };

struct code {
   const hd_gcn_binary *binary;
   hd_gcn_decoded *insts; /* by word; of those that begin an instruction */
   uint8_t *words;        /* how many the instruction has; 0: none begins here */
   struct state **before; /* NULL: not reached */
   struct edge **edges;
   uint8_t **changes; /* of each cell before it, how often */
   uint16_t *visits;
   uint32_t *previous; /* instruction in the text; itself at a target of a branch */
   uint32_t *order;    /* a way that goes to no later number comes back: that of a loop */
   uint32_t num;
   unsigned spill[MAX_SPILL], num_spill, scratch;
};

/* Atoms: of what the instruction at a word makes in a register, of what a cell has where paths meet before it, and of
 * what it has there that was made of an older one.
 */
static uint32_t
met_atom(uint32_t at, unsigned cell)
{
   return at * 3 * NUM_CELLS + cell;
}

static uint32_t
made_atom(uint32_t at, unsigned cell)
{
   return (at * 3 + 1) * NUM_CELLS + cell;
}

static uint32_t
stale_atom(uint32_t at, unsigned cell)
{
   return (at * 3 + 2) * NUM_CELLS + cell;
}

static bool
comes_back(const struct code *c, uint32_t from, uint32_t to)
{
   return from != UINT32_MAX && c->order[from] >= c->order[to];
}

/* Does it depend on what is made here, or behind it? */
static bool
depends_behind(const struct code *c, uint32_t f, uint32_t at)
{
   if (f < 2)
      return false;
   const uint32_t place = bdd_first_atom(f) / (3 * NUM_CELLS);
   return (place == at ? bdd_first_atom(f) >= made_atom(at, 0) : c->order[place] > c->order[at]) ||
          depends_behind(c, bdd_low(f), at) || depends_behind(c, bdd_high(f), at);
}

/* A lane of a vector register that holds scalars; NUM_CELLS: there are too many. */
static unsigned
cell_of_lane(struct code *c, unsigned vgpr, uint64_t lane)
{
   unsigned n = 0;

   while (n < c->num_spill && c->spill[n] != vgpr)
      n++;
   if (n == MAX_SPILL)
      return NUM_CELLS;
   if (n == c->num_spill)
      c->spill[c->num_spill++] = vgpr;
   return NUM_SGPRS + n * 64 + (lane & 63);
}

/* The instruction makes the atom anew: what was made of an older one is something else. */
static void
renew(const struct code *c, struct state *s, uint32_t at, uint32_t atom)
{
   for (unsigned cell = 0; cell < NUM_SGPRS + 64 * c->num_spill; cell++) {
      const uint32_t stale = stale_atom(at, cell);
      if (s->cell[cell] > BDD_TRUE && bdd_depends(s->cell[cell], atom))
         s->cell[cell] = bdd_without(bdd_without(s->cell[cell], stale, stale), atom, stale);
   }
}

static uint32_t
unknown(const struct code *c, struct state *s, uint32_t at, unsigned cell)
{
   const uint32_t atom = made_atom(at, cell);

   renew(c, s, at, atom);
   return bdd_atom(atom);
}

/* Half `k` of a source of 64 bits. */
static uint32_t
half_of(const struct code *c, struct state *s, uint32_t at, const hd_mach_operand *o, unsigned k,
        unsigned cell)
{
   uint64_t value;

   if (o->reg + k < NUM_SGPRS)
      return s->cell[o->reg + k];
   if (hd_gcn_operand_value(*o, o->size == 2 ? HD_GCN_B64 : HD_GCN_B32, &value)) {
      const uint32_t half = (uint32_t)(value >> 32 * k);
      if (half == 0 || half == UINT32_MAX)
         return half ? BDD_TRUE : BDD_FALSE;
   }
   return unknown(c, s, at, cell);
}

/* What a mask instruction makes of bits of its sources and of exec: the result, and exec. False: it is none. */
static bool
mask_result(unsigned op, uint32_t a, uint32_t b, uint32_t exec, uint32_t *out, uint32_t *now)
{
   *now = exec;
   switch (op) {
   case HD_GCN_S_MOV_B64:
   case HD_GCN_S_MOV_B32:
      *out = a;
      return true;
   case HD_GCN_S_NOT_B64:
      *out = bdd_not(a);
      return true;
   case HD_GCN_S_AND_B64:
   case HD_GCN_S_AND_B32:
      *out = bdd_and(a, b);
      return true;
   case HD_GCN_S_OR_B64:
   case HD_GCN_S_OR_B32:
      *out = bdd_or(a, b);
      return true;
   case HD_GCN_S_ANDN2_B64:
      *out = bdd_and(a, bdd_not(b));
      return true;
   case HD_GCN_S_ORN2_B64:
      *out = bdd_or(a, bdd_not(b));
      return true;
   case HD_GCN_S_XOR_B64: {
      const uint32_t only_a = bdd_and(a, bdd_not(b));
      *out = bdd_or(only_a, bdd_and(bdd_not(a), b));
      return true;
   }
   case HD_GCN_S_AND_SAVEEXEC_B64:
      *out = exec, *now = bdd_and(a, exec);
      return true;
   case HD_GCN_S_OR_SAVEEXEC_B64:
      *out = exec, *now = bdd_or(a, exec);
      return true;
   case HD_GCN_S_ANDN2_SAVEEXEC_B64:
      *out = exec, *now = bdd_and(a, bdd_not(exec));
      return true;
   case HD_GCN_S_ANDN1_SAVEEXEC_B64:
      *out = exec, *now = bdd_and(bdd_not(a), exec);
      return true;
   case HD_GCN_S_ANDN1_WREXEC_B64:
      *out = *now = bdd_and(bdd_not(a), exec);
      return true;
   case HD_GCN_S_ANDN2_WREXEC_B64:
      *out = *now = bdd_and(a, bdd_not(exec));
      return true;
   default:
      return false;
   }
}

static bool
run_mask(const struct code *c, struct state *s, uint32_t at, const hd_mach_inst *i)
{
   const unsigned size = i->num_defs ? hd_mach_def(i, 0)->size : 0;
   uint32_t out[2], now[2], a[2], b[2] = { 0 }, which[2] = { 0 };
   const bool selects = i->op == HD_GCN_S_CSELECT_B64;

   if (!size || size > 2 || (!selects && !mask_result(i->op, 0, 0, 0, &out[0], &now[0])))
      return false;
   const unsigned dst = hd_mach_def(i, 0)->reg;
   for (unsigned k = 0; selects && k < size; k++)
      which[k] = unknown(c, s, at, dst + k);
   for (unsigned k = 0; k < size; k++) {
      a[k] = half_of(c, s, at, hd_mach_src(i, 0), k, dst + k);
      if (i->num_srcs > 1)
         b[k] = half_of(c, s, at, hd_mach_src(i, 1), k, dst + k);
   }
   for (unsigned k = 0; k < size; k++) {
      now[k] = s->cell[HD_GCN_EXEC + k];
      if (selects) {
         const uint32_t both = bdd_and(a[k], b[k]);
         out[k] = bdd_or(both, bdd_and(which[k], bdd_or(a[k], b[k])));
      } else {
         mask_result(i->op, a[k], b[k], s->cell[HD_GCN_EXEC + k], &out[k], &now[k]);
      }
   }
   for (unsigned k = 0; k < size; k++) {
      if (size == 2)
         s->cell[HD_GCN_EXEC + k] = now[k];
      if (dst + k < NUM_SGPRS)
         s->cell[dst + k] = out[k];
   }
   for (unsigned k = 0; k < size; k++) {
      unsigned left = 100;
      if (dst + k < NUM_SGPRS && bdd_is_large(s->cell[dst + k], &left))
         s->cell[dst + k] = unknown(c, s, at, dst + k);
   }
   return true;
}

/* Lanes in registers that hold scalars. */
static bool
run_lane(struct code *c, struct state *s, uint32_t at, const hd_mach_inst *i)
{
   const hd_mach_operand *src = hd_mach_src(i, 0);
   const bool write = i->op == HD_GCN_V_WRITELANE_B32;
   uint64_t lane;

   if (!write && i->op != HD_GCN_V_READLANE_B32)
      return false;
   const unsigned reg = hd_mach_def(i, 0)->reg;
   const unsigned cell = hd_gcn_operand_value(src[1], HD_GCN_B32, &lane)
                             ? cell_of_lane(c, write ? reg : src[0].reg, lane)
                             : NUM_CELLS;
   if (write && cell < NUM_CELLS)
      s->cell[cell] = half_of(c, s, at, &src[0], 0, cell);
   else if (!write && reg < NUM_SGPRS)
      s->cell[reg] = cell < NUM_CELLS ? s->cell[cell] : unknown(c, s, at, reg);
   return true;
}

static void
run(struct code *c, struct state *s, uint32_t at, const hd_mach_inst *i)
{
   /* A compare writes 0 for a lane that does not run. */
   const bool compares = hd_gcn_op_info_of(i)->format == HD_GCN_VOPC;
   const uint32_t exec[2] = { s->cell[HD_GCN_EXEC], s->cell[HD_GCN_EXEC + 1] };

   if (run_mask(c, s, at, i) || run_lane(c, s, at, i))
      return;
   for (unsigned n = 0; n < i->num_defs; n++) {
      const hd_mach_operand *def = hd_mach_def(i, n);
      for (unsigned k = 0; k < def->size && def->reg + k < NUM_SGPRS; k++) {
         const uint32_t any = unknown(c, s, at, def->reg + k);
         s->cell[def->reg + k] = compares && k < 2 ? bdd_and(any, exec[k]) : any;
      }
   }
}

/* Where paths meet */

/* Only this way is possible. */
static uint32_t
only_way(const struct edge *all, const struct edge *e)
{
   uint32_t f = BDD_TRUE;

   for (const struct edge *other = all; other; other = other->next)
      f = other == e ? f : bdd_and(f, other->impossible);
   return f;
}

/* All ways bring the same. */
static uint32_t
agree(const struct edge *all, unsigned cell)
{
   uint32_t f = BDD_TRUE;

   for (const struct edge *e = all->next; e; e = e->next) {
      const uint32_t both = bdd_if(e->s.cell[cell], all->s.cell[cell], bdd_not(all->s.cell[cell]));
      f = bdd_and(f, both);
   }
   return f;
}

static bool
is_same(const struct edge *all, unsigned cell)
{
   for (const struct edge *e = all; e; e = e->next) {
      if (e->s.cell[cell] != all->s.cell[cell])
         return false;
   }
   return true;
}

/* A way comes back: its atoms of this place are those of the last time. */
static void
age(struct code *c, uint32_t at, struct edge *e)
{
   for (unsigned cell = 0; cell < NUM_SGPRS + 64 * c->num_spill; cell++) {
      const uint32_t own = met_atom(at, cell);
      for (unsigned other = 0; other < NUM_SGPRS + 64 * c->num_spill; other++) {
         const uint32_t atom = met_atom(at, other);
         if (e->s.cell[cell] > BDD_TRUE && !bdd_is_atom(e->s.cell[cell], own) &&
             bdd_depends(e->s.cell[cell], atom))
            e->s.cell[cell] = bdd_without(bdd_without(e->s.cell[cell], own, own), atom, own);
         if (bdd_depends(e->impossible, atom))
            e->impossible = BDD_FALSE;
      }
   }
}

/* Has the cell all lanes of a mask, less those of another one? */
static bool
covers(const struct state *s, unsigned cell, uint32_t mask, uint32_t less)
{
   const uint32_t lanes = bdd_and(mask, bdd_not(less));

   return bdd_and(lanes, bdd_not(s->cell[cell])) == BDD_FALSE;
}

/* Has it all lanes of exec, whichever way was taken? */
static bool
covers_exec(const struct edge *all, unsigned cell)
{
   for (const struct edge *e = all; e; e = e->next) {
      if (!covers(&e->came, cell, e->came.cell[HD_GCN_EXEC + cell % 2], BDD_FALSE))
         return false;
   }
   return true;
}

/* Has it all lanes of a mask that are not in another cell? */
static bool
covers_rest(const struct edge *all, unsigned cell, uint32_t mask, unsigned other)
{
   for (const struct edge *e = all; e; e = e->next) {
      if (!covers(&e->came, cell, mask, e->came.cell[other]))
         return false;
   }
   return true;
}

/* Has it all lanes of another cell? */
static bool
covers_cell(const struct edge *all, unsigned cell, unsigned other)
{
   for (const struct edge *e = all; e; e = e->next) {
      if (!covers(&e->came, cell, e->came.cell[other], BDD_FALSE))
         return false;
   }
   return true;
}

/* Has a mask all lanes of the cell? */
static bool
is_within(const struct edge *all, unsigned cell, uint32_t mask)
{
   for (const struct edge *e = all; e; e = e->next) {
      if (bdd_and(e->came.cell[cell], bdd_not(mask)) != BDD_FALSE)
         return false;
   }
   return true;
}

#define MAX_WHOLE 16u

/* Masks that are the same on all ways, each time, and have all lanes of exec: how many, for cells of this parity. */
static unsigned
find_whole(const struct edge *all, unsigned num, unsigned parity, uint32_t whole[MAX_WHOLE])
{
   unsigned found = 0;

   for (unsigned cell = parity; cell < num && found < MAX_WHOLE; cell += 2) {
      const uint32_t f = all->s.cell[cell];
      bool fits = f != BDD_FALSE && is_same(all, cell) && covers_exec(all, cell);
      for (const struct edge *e = all; e && fits; e = e->next)
         fits = e->came.cell[cell] == f;
      for (unsigned n = 0; n < found && fits; n++)
         fits = whole[n] != f;
      if (fits)
         whole[found++] = f;
   }
   return found;
}

#define MAX_KNOWN 40u /* nodes of a function where paths meet */

static bool
is_small(uint32_t f)
{
   unsigned left = MAX_KNOWN;

   return !bdd_is_large(f, &left);
}

/* What cells have where paths meet: lanes that are theirs in any case. */
static uint32_t sure[NUM_CELLS];

static void
also_has(unsigned cell, uint32_t lanes)
{
   const uint32_t more = bdd_or(sure[cell], lanes);

   sure[cell] = is_small(more) ? more : sure[cell];
}

/* A cell that has no other lanes than a mask. */
static void
narrow(struct state *out, uint32_t at, unsigned cell, uint32_t whole)
{
   uint32_t some = bdd_and(out->cell[cell], whole);

   if (!is_small(some))
      some = bdd_and(bdd_atom(met_atom(at, cell)), whole);
   out->cell[cell] = is_small(some) ? some : out->cell[cell];
}

/* What has the lanes of a mask that another cell has not, or those that it has, has them behind it: exec is put aside in
 * that cell, or what of it has not left yet.
 */
static void
keep_rests(const struct edge *all, unsigned num, unsigned parity, uint32_t whole,
           const struct state *out)
{
   for (unsigned other = parity; other < num; other += 2) {
      if (other == HD_GCN_EXEC + parity || is_same(all, other) || !is_within(all, other, whole))
         continue;
      const uint32_t rest = bdd_and(whole, bdd_not(out->cell[other]));
      for (unsigned cell = parity; cell < num; cell += 2) {
         if (cell == other || cell == HD_GCN_EXEC + parity || is_same(all, cell))
            continue;
         if (covers_cell(all, cell, other))
            also_has(cell, out->cell[other]);
         if (covers_rest(all, cell, whole, other))
            also_has(cell, rest);
      }
   }
}

/* Exec where paths meet has no lanes but those of the masks. */
static void
narrow_exec(const struct code *c, uint32_t at, unsigned parity, const uint32_t *whole,
            unsigned num_whole, struct state *out)
{
   const struct edge *all = c->edges[at];
   uint32_t exec = out->cell[HD_GCN_EXEC + parity];
   bool loops = false;

   for (const struct edge *e = all; e; e = e->next)
      loops |= comes_back(c, e->from, at);
   /* What the loop makes again says nothing of exec but for the last time. */
   if (loops && !is_same(all, HD_GCN_EXEC + parity) && depends_behind(c, exec, at))
      exec = bdd_atom(met_atom(at, HD_GCN_EXEC + parity));
   for (unsigned n = 0; n < num_whole; n++) {
      const uint32_t some = bdd_and(exec, whole[n]);
      exec = is_small(some) ? some : exec;
   }
   out->cell[HD_GCN_EXEC + parity] = exec;
}

/* A mask that has exec's lanes has them behind it, though neither is known; so exec has no others where the mask is
 * known, and a boolean that has those that left has them.
 */
static void
keep_covers(const struct code *c, uint32_t at, unsigned num, struct state *out)
{
   const struct edge *all = c->edges[at];

   memset(sure, 0, sizeof(sure));
   for (unsigned parity = 0; parity < 2; parity++) {
      uint32_t whole[MAX_WHOLE];
      const unsigned num_whole = find_whole(all, num, parity, whole);
      narrow_exec(c, at, parity, whole, num_whole, out);
      const uint32_t exec = out->cell[HD_GCN_EXEC + parity];
      for (unsigned cell = parity; cell < num; cell += 2) {
         if (is_same(all, cell) || cell == HD_GCN_EXEC + parity)
            continue;
         if (covers_exec(all, cell))
            also_has(cell, exec);
         for (unsigned n = 0; n < num_whole; n++) {
            if (covers_rest(all, cell, whole[n], HD_GCN_EXEC + parity))
               also_has(cell, bdd_and(whole[n], bdd_not(exec)));
            if (is_within(all, cell, whole[n]))
               narrow(out, at, cell, whole[n]);
         }
      }
      for (unsigned n = 0; n < num_whole; n++)
         keep_rests(all, num, parity, whole[n], out);
   }
   for (unsigned cell = 0; cell < num; cell++) {
      uint32_t more = bdd_or(out->cell[cell], sure[cell]);
      if (more == out->cell[cell])
         continue;
      if (!is_small(more))
         more = bdd_or(bdd_atom(met_atom(at, cell)), sure[cell]);
      out->cell[cell] = is_small(more) ? more : out->cell[cell];
   }
}

/* All lanes came one way: what is known of it. */
static void
only_one(const struct edge *e, unsigned num, struct state *out)
{
   const uint32_t possible = bdd_not(e->impossible);
   unsigned left = 300;

   for (unsigned cell = 0; cell < num && !bdd_is_large(possible, &left); cell++, left = 300)
      out->cell[cell] = bdd_given(e->s.cell[cell], possible);
}

#define MAX_CHANGES 8 /* of a cell; it is an atom from then on */

/* What differs becomes an atom, where it does, but for lanes that can have come one way alone.
 */
static void
join(struct code *c, uint32_t at, struct state *out)
{
   static uint8_t unknown_here[NUM_CELLS];
   struct edge *all = c->edges[at];
   const unsigned num = NUM_SGPRS + 64 * c->num_spill;

   *out = all->s;
   for (unsigned cell = 0; cell < num; cell++)
      unknown_here[cell] =
          c->changes[at] && c->changes[at][cell] > MAX_CHANGES && !is_same(all, cell);
   for (unsigned cell = 0; cell < num; cell++) {
      out->cell[cell] = all->s.cell[cell];
      if (is_same(all, cell))
         continue;
      uint32_t f = bdd_atom(met_atom(at, cell));
      if (!unknown_here[cell])
         f = bdd_if(agree(all, cell), all->s.cell[cell], f);
      for (const struct edge *e = all; e && !unknown_here[cell]; e = e->next)
         f = bdd_if(only_way(all, e), e->s.cell[cell], f);
      unsigned left = 100;
      out->cell[cell] = bdd_is_large(f, &left) ? bdd_atom(met_atom(at, cell)) : f;
   }
   if (all->next)
      keep_covers(c, at, num, out);
   else
      only_one(all, num, out);
}

static bool
brings_the_same(const struct code *c, uint32_t at, const struct edge *e, unsigned cell)
{
   const uint32_t f = e->came.cell[cell];

   return f == c->before[at]->cell[cell] &&
          !bdd_depends_within(f, met_atom(at, 0), met_atom(at, NUM_CELLS));
}

/* What stays is what the first of the other ways brings. */
static void
suppose(const struct code *c, uint32_t at)
{
   for (struct edge *e = c->edges[at]; e; e = e->next) {
      for (unsigned cell = 0; cell < NUM_CELLS; cell++) {
         const struct edge *other = c->edges[at];
         while (other && other->stays[cell] == SUPPOSED)
            other = other->next;
         if (e->stays[cell] == SUPPOSED && other)
            e->s.cell[cell] = other->s.cell[cell];
      }
   }
}

/* The state before it is that of all ways; if it changes, it is to be followed. */
static void
meet(struct code *c, uint32_t at, uint32_t *queue, uint32_t *num)
{
   static struct state joined;

   suppose(c, at);
   join(c, at, &joined);
   if (c->before[at] && !memcmp(c->before[at], &joined, sizeof(joined)))
      return;
   if (!c->before[at]) {
      c->before[at] = malloc(sizeof(joined));
      c->changes[at] = calloc(NUM_CELLS, 1);
   } else {
      for (unsigned cell = 0; cell < NUM_CELLS; cell++)
         c->changes[at][cell] +=
             c->changes[at][cell] <= MAX_CHANGES && c->before[at]->cell[cell] != joined.cell[cell];
   }
   *c->before[at] = joined;
   c->visits[at]++;
   queue[(*num)++] = at;
}

static void
go(struct code *c, uint32_t from, uint32_t to, uint32_t impossible, const struct state *s,
   uint32_t *queue, uint32_t *num)
{
   struct edge *e;

   if (to >= c->num || !c->words[to])
      return;
   for (e = c->edges[to]; e && e->from != from; e = e->next)
      ;
   if (!e) {
      e = calloc(1, sizeof(*e));
      e->next = c->edges[to];
      e->from = from;
      c->edges[to] = e;
   }
   e->impossible = impossible;
   e->came = e->s = *s;
   age(c, to, e);
   for (unsigned cell = 0; cell < NUM_CELLS && c->before[to] && comes_back(c, from, to); cell++) {
      if (e->stays[cell] == MAY_DIFFER && brings_the_same(c, to, e, cell))
         e->stays[cell] = SUPPOSED;
   }
   meet(c, to, queue, num);
}

/* Where what was supposed is not so, it is not supposed again. */
static void
verify(struct code *c, uint32_t *queue, uint32_t *num)
{
   for (uint32_t at = 0; at < c->num; at++) {
      bool wrong = false;
      for (struct edge *e = c->edges[at]; e; e = e->next) {
         for (unsigned cell = 0; cell < NUM_CELLS; cell++) {
            if (e->stays[cell] == SUPPOSED && !brings_the_same(c, at, e, cell)) {
               e->stays[cell] = DIFFERS;
               wrong = true;
            }
         }
         if (wrong) {
            e->s = e->came;
            age(c, at, e);
         }
      }
      if (wrong)
         meet(c, at, queue, num);
   }
}

/* Does it go this way where exec is 0, and only there? */
static bool
skips(const struct code *c, uint32_t at, uint32_t before, bool taken)
{
   const hd_mach_inst *i = &c->insts[at].inst, *last = &c->insts[before].inst;

   if (i->op == (taken ? HD_GCN_S_CBRANCH_EXECZ : HD_GCN_S_CBRANCH_EXECNZ))
      return true;
   if (i->op != (taken ? HD_GCN_S_CBRANCH_SCC0 : HD_GCN_S_CBRANCH_SCC1) || before == at)
      return false;
   bool exec = false, scc = false;
   for (unsigned n = 0; n < last->num_defs; n++) {
      exec |= hd_mach_def(last, n)->reg == HD_GCN_EXEC;
      scc |= hd_mach_def(last, n)->reg == HD_GCN_SCC;
   }
   return exec && scc;
}

/* Of a lane that is active from the start, or is not: BDD_TRUE or BDD_FALSE. */
static void
follow(struct code *c, uint32_t active)
{
   uint32_t *queue = calloc((size_t)c->num * 256 + 256, sizeof(*queue)), num = 0;
   static struct state s;

   for (unsigned cell = 0; cell < NUM_CELLS; cell++)
      s.cell[cell] = cell < NUM_SGPRS ? bdd_atom(met_atom(0, cell)) : BDD_FALSE;
   s.cell[HD_GCN_EXEC] = s.cell[HD_GCN_EXEC + 1] = active;
   go(c, UINT32_MAX, 0, BDD_FALSE, &s, queue, &num);
   while (num && !bdd_is_full()) {
      const uint32_t at = queue[--num];
      const hd_mach_inst *i = &c->insts[at].inst;
      assert_true(num < c->num * 200 && c->visits[at] < 400);
      s = *c->before[at];
      run(c, &s, at, i);
      const bool ends = i->op == HD_GCN_S_ENDPGM;
      const uint32_t next = at + c->words[at];
      const uint32_t some = bdd_or(s.cell[HD_GCN_EXEC], s.cell[HD_GCN_EXEC + 1]);
      if (hd_gcn_is_branch(i))
         go(c, at, (uint32_t)((int32_t)next + (int16_t)i->imm),
            skips(c, at, c->previous[at], true) ? some : BDD_FALSE, &s, queue, &num);
      if (!ends && i->op != HD_GCN_S_BRANCH)
         go(c, at, next, skips(c, at, c->previous[at], false) ? some : BDD_FALSE, &s, queue, &num);
      if (!num)
         verify(c, queue, &num);
   }
   free(queue);
}

/* Must it not run for helpers? */
static bool
is_effect(const struct code *c, const struct state *s, const hd_mach_inst *i)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(i);

   if (info->format == HD_GCN_EXPORT)
      return ((unsigned)i->imm >> HD_GCN_EXPORT_TARGET_SHIFT & 63) != HD_GCN_EXPORT_NULL;
   if (!(info->mach.flags & HD_MACH_STORES) || info->format == HD_GCN_DS ||
       info->format == HD_GCN_SCRATCH)
      return false;
   for (unsigned n = 0; n < i->num_srcs; n++) {
      const hd_mach_operand *o = hd_mach_src(i, n);
      /* The resource of scratch, wherever it is now. */
      if (hd_gcn_is_buffer(info) && o->size == 4 && o->reg < NUM_SGPRS &&
          c->scratch != HD_GCN_NO_SGPR && s->cell[o->reg] == bdd_atom(met_atom(0, c->scratch)))
         return false;
   }
   return true;
}

/* Does it read other lanes of its quad, whoever they are? */
static bool
reads_quad(const hd_mach_inst *i)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(i);

   if (i->op == HD_GCN_DS_SWIZZLE_B32)
      return i->imm & 0x8000;
   if (i->form == HD_GCN_FORM_DPP)
      return i->mods.halves[HD_GCN_MOD_DPP_CTRL] < 0x100;
   return info->format == HD_GCN_MIMG && info->mach.flags & HD_MACH_CROSS_LANE;
}

static const char *
tell(const struct code *c, uint32_t at, const char *what)
{
   static char said[300];
   hd_blob text = { 0 };

   hd_gcn_inst_print(c->binary->target, &c->insts[at].inst, &text);
   snprintf(said, sizeof(said), "%s: 0x%x: %s", what, at * 4, text.data);
   hd_blob_finish(&text);
   return said;
}

static void
decode(struct code *c)
{
   uint32_t last = 0;

   for (uint32_t at = 0; at < c->num; at += c->words[at]) {
      c->words[at] = (uint8_t)hd_gcn_decode(c->binary->target, c->binary->code + at, c->num - at,
                                            &c->insts[at]);
      assert_true(c->words[at]);
      c->previous[at] = last;
      last = at;
   }
   for (uint32_t at = 0; at < c->num; at += c->words[at]) {
      const hd_mach_inst *i = &c->insts[at].inst;
      const uint32_t to = (uint32_t)((int32_t)(at + c->words[at]) + (int16_t)i->imm);
      if (hd_gcn_is_branch(i) && to < c->num)
         c->previous[to] = to;
   }
}

/* Where it goes on: how many places. */
static unsigned
ways_from(const struct code *c, uint32_t at, uint32_t to[2])
{
   const hd_mach_inst *i = &c->insts[at].inst;
   const uint32_t next = at + c->words[at];
   unsigned num = 0;

   if (hd_gcn_is_branch(i))
      to[num++] = (uint32_t)((int32_t)next + (int16_t)i->imm);
   if (i->op != HD_GCN_S_ENDPGM && i->op != HD_GCN_S_BRANCH)
      to[num++] = next;
   return num;
}

/* Reverse postorder: from 1 on. */
static void
find_order(struct code *c)
{
   uint32_t *stack = calloc(2 * (size_t)c->num + 2, sizeof(*stack)), size = 1, left = c->num;
   uint8_t *seen = calloc(c->num + 1, 1);

   while (size) {
      const uint32_t at = stack[size - 1];
      uint32_t to[2];
      if (seen[at]) {
         c->order[at] = c->order[at] ? c->order[at] : left--;
         size--;
         continue;
      }
      seen[at] = 1;
      for (unsigned n = ways_from(c, at, to); n-- > 0;) {
         if (to[n] < c->num && c->words[to[n]] && !seen[to[n]])
            stack[size++] = to[n];
      }
   }
   free(seen);
   free(stack);
}

/* The states before all instructions. */
static void
analyse(struct code *c, const hd_gcn_binary *binary, unsigned scratch, uint32_t active)
{
   *c = (struct code){ .binary = binary, .num = binary->stats.code_size / 4, .scratch = scratch };
   c->insts = calloc(c->num + 1, sizeof(*c->insts));
   c->words = calloc(c->num + 1, 1);
   c->before = calloc(c->num + 1, sizeof(*c->before));
   c->changes = calloc(c->num + 1, sizeof(*c->changes));
   c->edges = calloc(c->num + 1, sizeof(*c->edges));
   c->visits = calloc(c->num + 1, sizeof(*c->visits));
   c->previous = calloc(c->num + 1, sizeof(*c->previous));
   c->order = calloc(c->num + 1, sizeof(*c->order));
   decode(c);
   find_order(c);
   bdd_reset();
   follow(c, active);
}

static void
finish(struct code *c)
{
   for (uint32_t at = 0; at < c->num; at++) {
      for (struct edge *e = c->edges[at], *next; e; e = next) {
         next = e->next;
         free(e);
      }
      free(c->before[at]);
      free(c->changes[at]);
   }
   free(c->edges);
   free(c->visits);
   free(c->previous);
   free(c->order);
   free(c->insts);
   free(c->words);
   free(c->before);
   free(c->changes);
}

static bool
may_run(const struct code *c, uint32_t at)
{
   const struct state *s = c->before[at];

   return s && (s->cell[HD_GCN_EXEC] != BDD_FALSE || s->cell[HD_GCN_EXEC + 1] != BDD_FALSE);
}

/* Of the first instruction that reads a quad where no helper runs, though others may: its word, or the number of words. */
static uint32_t
without_helpers(struct code *c)
{
   const uint32_t num = c->num;
   uint8_t *reads = calloc(num + 1, 1);
   struct code other;
   uint32_t at;

   for (at = 0; at < num; at++)
      reads[at] = c->before[at] && reads_quad(&c->insts[at].inst) &&
                  c->before[at]->cell[HD_GCN_EXEC] == BDD_FALSE;
   if (memchr(reads, 1, num)) {
      analyse(&other, c->binary, c->scratch, BDD_TRUE);
      for (at = 0; at < num && !(reads[at] && may_run(&other, at)); at++)
         ;
      finish(&other);
   }
   free(reads);
   return bdd_is_full() ? num : at;
}

const char *
wrong_quad_mode(const hd_gcn_binary *binary, unsigned scratch, bool branches, unsigned *places)
{
   struct code c;
   const char *wrong = NULL;

   analyse(&c, binary, scratch, BDD_FALSE);
   *places += !bdd_is_full();
   for (uint32_t at = 0; at < c.num && !wrong && !bdd_is_full(); at++) {
      const hd_mach_inst *i = &c.insts[at].inst;
      if (!c.before[at])
         continue;
      const bool effect = is_effect(&c, c.before[at], i);
      *places += effect || reads_quad(i);
      if (effect && may_run(&c, at))
         wrong = tell(&c, at, "a helper lane may run");
   }
   const uint32_t at = wrong || bdd_is_full() || branches ? c.num : without_helpers(&c);
   if (at < c.num)
      wrong = tell(&c, at, "no helper lane runs");
   finish(&c);
   return wrong;
}
