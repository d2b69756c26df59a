/* SPDX-License-Identifier: MIT */
/* declare.c - declared loop membership of flat blocks, added to the loop nest.
 *
 * A block is in the loop of header h if it is in the same strongly connected component, or if it is
 * declared to be: h is in its chain x, inside(x), inside(inside(x)), ... . Declarations are valid if
 * these sets nest. No set is built: both kinds of membership are ancestor tests in a forest, one of
 * components and one of chains.
 */
#include "analysis/cycle_nest.h"

struct circles {
   const hd_graph *g;
   hd_faults *faults;
};

static void
report_circle(void *user, uint32_t node)
{
   const struct circles *c = user;

   declaration_fault(c->faults, HD_DECLARED_CIRCLE, c->g->block[node],
                     c->g->block[node]->loop_header);
}

void
hd_declared_read(hd_declared *d, const hd_graph *g, hd_faults *faults)
{
   hd_stack *stack = hd_shader_stack(g->f->shader);

   memset(d, 0, sizeof(*d));
   d->inside = scratch_fill(stack, g->num, 0xff);
   d->marked = memset(hd_stack_alloc(stack, g->num), 0, g->num);
   for (uint32_t n = 0; n < g->num; n++) {
      const hd_block *b = g->block[n];

      if (b->loop_header) {
         d->inside[n] = g->node[block_slot(g->f, b->loop_header)];
         d->any_inside = true;
      }
      if (b->node.header) {
         d->marked[n] = true;
         d->any_marked = true;
      }
   }
   if (d->any_inside) {
      struct circles user = { g, faults };
      hd_forest_build(&d->chain, stack, g->num, d->inside, report_circle, &user);
   }
}

struct members {
   const hd_graph *g;
   const hd_declared *d;
   const hd_nest *nest;
   hd_faults *faults;
   hd_forest nature; /* of the cycles, by strong connection alone */
   uint32_t *named;  /* by node: the first cycle that its chain names, or NONE */
   uint32_t *parent; /* by cycle: the result */
   uint32_t *inner;  /* by node: the result */
};

static bool
by_nature(const struct members *m, uint32_t cycle, uint32_t node)
{
   uint32_t c = m->nest->natural[node];

   return c != NONE && forest_contains(&m->nature, cycle, c);
}

/* Only of blocks that are not the header itself. */
static bool
by_chain(const struct members *m, uint32_t cycle, uint32_t node)
{
   return forest_contains(&m->d->chain, m->nest->header[cycle], node);
}

static bool
contains(const struct members *m, uint32_t cycle, uint32_t node)
{
   return by_nature(m, cycle, node) || by_chain(m, cycle, node);
}

static void
crossing(const struct members *m, uint32_t node, uint32_t cycle)
{
   declaration_fault(m->faults, HD_DECLARED_CROSSING, m->g->block[node],
                     m->g->block[m->nest->header[cycle]]);
}

/* Of the two cycles that a block is in, by nature and by its chain: the inner one. */
static uint32_t
innermost(const struct members *m, uint32_t node, uint32_t natural, uint32_t named)
{
   if (named == NONE || natural == named)
      return natural;
   if (natural == NONE)
      return named;
   bool named_inside = contains(m, natural, m->nest->header[named]);
   bool natural_inside = contains(m, named, m->nest->header[natural]);
   if (named_inside == natural_inside)
      crossing(m, node, named);
   return named_inside && !natural_inside ? named : natural;
}

static void
find_parents(struct members *m)
{
   const hd_nest *nest = m->nest;
   const hd_forest *chain = &m->d->chain;

   for (uint32_t i = 0; i < m->g->num; i++) {
      uint32_t n = chain->order[i], up = m->d->inside[n];
      m->named[n] = up == NONE ? NONE : nest->head[up] != NONE ? nest->head[up] : m->named[up];
   }
   for (uint32_t c = 0; c < nest->num; c++) {
      uint32_t h = nest->header[c], named = m->named[h];

      /* A header cannot be declared to be inside a cycle of its own. */
      if (named != NONE && contains(m, c, nest->header[named])) {
         crossing(m, h, named);
         named = NONE;
      }
      m->parent[c] = innermost(m, h, nest->outer[c], named);
   }
   for (uint32_t n = 0; n < m->g->num_reachable; n++) {
      if (nest->head[n] != NONE)
         m->inner[n] = nest->head[n];
      else
         m->inner[n] = innermost(m, n, nest->natural[n], m->named[n]);
   }
}

/* Headers and blocks have found their places. That every block of a cycle K is in the cycle Q
 * around it remains to be checked where it is not plain:
 *
 *   K is in Q by nature only: a block x declared to be inside K may be outside Q. Then its chain
 *     has K's header. It is enough to look at the nearest such K of each chain: K's header is
 *     itself checked for the further ones.
 *   K is in Q by declaration of its header only: a block x of K by nature may not be declared so.
 *     It is enough to look at the innermost such K around each block by nature, and around each
 *     header at the innermost such K that is not its own.
 */
static void
check_members(struct members *m)
{
   const hd_nest *nest = m->nest;
   const hd_forest *chain = &m->d->chain;
   hd_stack *stack = hd_shader_stack(m->g->f->shader);
   uint32_t *nearest = scratch(stack, m->g->num), *around = scratch_fill(stack, nest->num, 0xff);

   for (uint32_t i = 0; i < nest->num; i++) {
      uint32_t c = m->nature.order[i], h = nest->header[c], q = m->parent[c];
      uint32_t outside = nest->outer[c] == NONE ? NONE : around[nest->outer[c]];
      bool declared = q != NONE && !by_nature(m, q, h);

      if (outside != NONE && !by_chain(m, m->parent[outside], h))
         crossing(m, h, m->parent[outside]);
      around[c] = declared ? c : outside;
   }
   for (uint32_t i = 0; i < m->g->num; i++) {
      uint32_t n = chain->order[i], up = m->d->inside[n];
      uint32_t c = up == NONE ? NONE : nest->head[up];
      bool natural = c != NONE && m->parent[c] != NONE && m->parent[c] == nest->outer[c] &&
                     !by_chain(m, m->parent[c], up);

      nearest[n] = natural ? c : up == NONE ? NONE : nearest[up];
      if (n >= m->g->num_reachable)
         continue;
      c = nearest[n];
      if (c != NONE && !by_nature(m, m->parent[c], n))
         crossing(m, n, c);
      c = nest->natural[n] == NONE || nest->head[n] != NONE ? NONE : around[nest->natural[n]];
      if (c != NONE && !by_chain(m, m->parent[c], n))
         crossing(m, n, m->parent[c]);
   }
}

/* The places of the members, by nature and as declared. */
void
hd_nest_declare(hd_full_nest *full, const hd_graph *g, hd_faults *faults)
{
   hd_stack *stack = hd_shader_stack(g->f->shader);
   hd_nest *nest = &full->natural;
   struct members m = { .g = g, .d = nest->declared, .nest = nest, .faults = faults };

   full->inner = nest->natural;
   if (!nest->declared->any_inside || !nest->num) {
      hd_forest_build(&full->tree, stack, nest->num, nest->outer, NULL, NULL);
      return;
   }
   hd_forest_build(&m.nature, stack, nest->num, nest->outer, NULL, NULL);
   m.named = scratch(stack, g->num);
   m.parent = scratch(stack, nest->num);
   m.inner = full->inner = scratch_fill(stack, g->num, 0xff);
   find_parents(&m);
   check_members(&m);
   /* Where declarations cross in a way that no two headers show, parents can form a circle, which
    * is opened: check_members has found a block that is missing from one of these cycles.
    */
   hd_forest_build(&full->tree, stack, nest->num, m.parent, NULL, NULL);
}
