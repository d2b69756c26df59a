/* SPDX-License-Identifier: MIT */
/* collapse.c - remove trivial phis of incremental SSA construction (Braun and others, Simple and
 * Efficient Construction of Static Single Assignment Form, 2013), all in n log n.
 *
 * A phi whose sources are all one value, or itself, is that value; finding one may make others
 * such. To find them all in n log n:
 *
 *  - Values that turned out to be equal are one class (union and find). A class's value is the one
 *    member that is not collapsed.
 *  - Each phi that is left has two witnesses: sources of two classes, neither its own. While it has
 *    them it is not trivial. It watches the classes of both (as in two-watched-literal schemes).
 *  - When two classes are merged, the watchers of the smaller one are visited: one that has lost a
 *    witness searches for another among its sources, from where it stopped, because the sources before
 *    are still equal to one of its classes. One that finds none is trivial.
 *
 * Each source is visited once, and each time a watcher is moved its class has at least doubled.
 * Sources from unreachable blocks are ignored.
 */
#include "ir/builder.h"

#define NONE UINT32_MAX

/* Elements are phis, by their number, and then all other values. Entry 2 p + s is witness s of
 * phi p.
 */
typedef struct collapse {
   hd_builder *b;
   const hd_var_phi *phis;
   uint32_t num_phis;
   uint32_t num_elements;
   uint32_t *ids;      /* by def index: 1 + element; 0: not one */
   uint32_t *parent;   /* by element */
   hd_def **value;     /* by class */
   uint32_t *watchers; /* by class: an entry, or NONE */
   uint32_t *num_watchers;
   uint32_t *witness; /* by entry: an element, or NONE */
   uint32_t *prev, *next;
   bool *watching;    /* by entry */
   uint32_t *scanned; /* by phi: sources looked at */
   bool *collapses;   /* by phi */
   uint32_t *work;    /* phis that collapse, and are not done */
   uint32_t num_work;
   bool *reached; /* by block index */
} collapse;

static uint32_t
class_of(collapse *c, uint32_t e)
{
   while (c->parent[e] != e) {
      c->parent[e] = c->parent[c->parent[e]];
      e = c->parent[e];
   }
   return e;
}

static uint32_t
element_of(collapse *c, hd_def *def)
{
   uint32_t *id = &c->ids[def->index];

   if (!*id) {
      uint32_t e = c->num_elements++;
      *id = e + 1;
      c->parent[e] = e;
      c->value[e] = def;
      c->watchers[e] = NONE;
   }
   return *id - 1;
}

static void
watch(collapse *c, uint32_t entry, uint32_t cls)
{
   uint32_t first = c->watchers[cls];

   c->watching[entry] = true;
   c->prev[entry] = NONE;
   c->next[entry] = first;
   if (first != NONE)
      c->prev[first] = entry;
   c->watchers[cls] = entry;
   c->num_watchers[cls]++;
}

static void
unwatch(collapse *c, uint32_t entry)
{
   uint32_t cls = class_of(c, c->witness[entry]);

   c->watching[entry] = false;
   if (c->prev[entry] != NONE)
      c->next[c->prev[entry]] = c->next[entry];
   else
      c->watchers[cls] = c->next[entry];
   if (c->next[entry] != NONE)
      c->prev[c->next[entry]] = c->prev[entry];
   c->num_watchers[cls]--;
}

/* Let a phi collapse once its turn comes. */
static void
give_up(collapse *c, uint32_t p)
{
   for (uint32_t entry = 2 * p; entry < 2 * p + 2; entry++) {
      if (c->witness[entry] != NONE)
         unwatch(c, entry);
   }
   c->collapses[p] = true;
   c->work[c->num_work++] = p;
}

/* Find a witness for an entry that has none, among the sources not yet looked at. */
static bool
find_witness(collapse *c, uint32_t entry)
{
   uint32_t p = entry / 2, other = c->witness[entry ^ 1];
   const hd_phi *phi = c->phis[p].phi;
   const hd_block *block = c->phis[p].block;

   while (c->scanned[p] < phi->num_srcs) {
      uint32_t n = c->scanned[p]++;
      if (!c->reached[block->preds[n].from->node.index])
         continue;
      uint32_t e = element_of(c, phi->srcs[n].src.def), cls = class_of(c, e);
      if (cls == class_of(c, p) || (other != NONE && cls == class_of(c, other)))
         continue;
      c->witness[entry] = e;
      watch(c, entry, cls);
      return true;
   }
   c->witness[entry] = NONE;
   return false;
}

/* Two classes are one from now on, with this value. */
static void
merge(collapse *c, uint32_t a, uint32_t b, hd_def *value)
{
   uint32_t small = c->num_watchers[a] < c->num_watchers[b] ? a : b, big = small == a ? b : a;
   uint32_t entry = c->watchers[small], next;

   c->parent[small] = big;
   c->value[big] = value;
   for (; entry != NONE; entry = next) {
      uint32_t p = entry / 2, other = c->witness[entry ^ 1];
      next = c->next[entry];
      c->watching[entry] = false;
      if (class_of(c, p) != big && class_of(c, other) != big)
         watch(c, entry, big);
      else if (!find_witness(c, entry))
         give_up(c, p);
   }

   /* The value itself may have watched what is now its own class, from the bigger side. */
   uint32_t p = element_of(c, value);
   if (p >= c->num_phis)
      return;
   for (entry = 2 * p; entry < 2 * p + 2 && !c->collapses[p]; entry++) {
      if (!c->watching[entry] || class_of(c, c->witness[entry]) != big)
         continue;
      unwatch(c, entry);
      if (!find_witness(c, entry))
         give_up(c, p);
   }
}

static void
collapse_phi(collapse *c, uint32_t p)
{
   uint32_t self = class_of(c, p), target = NONE;

   for (uint32_t entry = 2 * p; entry < 2 * p + 2; entry++) {
      if (c->witness[entry] != NONE && class_of(c, c->witness[entry]) != self)
         target = class_of(c, c->witness[entry]);
   }
   if (target != NONE) {
      merge(c, self, target, c->value[target]);
   } else {
      const hd_def *def = &c->phis[p].phi->instr.def;
      c->value[self] = hd_vars_undef(c->b, def->num_components, def->bit_size);
   }
}

static void
mark_reached(collapse *c, hd_stack *stack)
{
   hd_function *f = c->b->function;
   hd_block **pending = hd_stack_alloc(stack, f->num_blocks * sizeof(*pending));
   uint32_t num = 0;

   c->reached = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(*c->reached));
   pending[num++] = hd_function_start(f);
   c->reached[pending[0]->node.index] = true;
   while (num) {
      const hd_block *block = pending[--num];
      for (uint32_t n = 0; n < block->num_succs; n++) {
         hd_block *to = block->succs[n].to;
         if (hd_block_is_end(to) || c->reached[to->node.index])
            continue;
         c->reached[to->node.index] = true;
         pending[num++] = to;
      }
   }
}

static void
prepare(collapse *c, hd_stack *stack)
{
   hd_function *f = c->b->function;
   size_t num_srcs = 0, num_entries = 2 * (size_t)c->num_phis;

   for (uint32_t p = 0; p < c->num_phis; p++)
      num_srcs += c->phis[p].phi->num_srcs;
   hd_heap_step(hd_shader_heap(f->shader), c->num_phis + num_srcs);
   /* One more value: the undef that may have to be made. */
   size_t max_elements = c->num_phis + num_srcs + HD_NUM_SHAPES;
   c->ids = hd_stack_alloc_zero(stack, (f->num_defs + HD_NUM_SHAPES) * sizeof(*c->ids));
   c->parent = hd_stack_alloc(stack, max_elements * sizeof(*c->parent));
   c->value = hd_stack_alloc(stack, max_elements * sizeof(*c->value));
   c->watchers = hd_stack_alloc(stack, max_elements * sizeof(*c->watchers));
   c->num_watchers = hd_stack_alloc_zero(stack, max_elements * sizeof(*c->num_watchers));
   c->witness = hd_stack_alloc(stack, num_entries * sizeof(*c->witness));
   c->prev = hd_stack_alloc(stack, num_entries * sizeof(*c->prev));
   c->next = hd_stack_alloc(stack, num_entries * sizeof(*c->next));
   c->watching = hd_stack_alloc_zero(stack, num_entries * sizeof(*c->watching));
   c->scanned = hd_stack_alloc_zero(stack, c->num_phis * sizeof(*c->scanned));
   c->collapses = hd_stack_alloc_zero(stack, c->num_phis * sizeof(*c->collapses));
   c->work = hd_stack_alloc(stack, c->num_phis * sizeof(*c->work));
   memset(c->witness, 0xff, num_entries * sizeof(*c->witness));
   for (uint32_t p = 0; p < c->num_phis; p++)
      element_of(c, &c->phis[p].phi->instr.def);
}

static bool
is_phi_left(const collapse *c, const hd_def *def)
{
   uint32_t id = c->ids[def->index];

   return id && id <= c->num_phis;
}

/* A use other than by phis of variables. */
static bool
is_needed(const collapse *c, const hd_phi *phi)
{
   hd_foreach_use(use, &phi->instr.def) {
      const hd_instr *user = hd_src_instr(use);
      if (!user || user->kind != HD_INSTR_PHI || !is_phi_left(c, &user->def))
         return true;
   }
   return false;
}

static void
remove_phi(hd_phi *phi)
{
   while (phi->num_srcs)
      hd_phi_remove_src(phi, phi->num_srcs - 1);
}

/* Phis that only other such phis read. */
static void
remove_dead(collapse *c, hd_stack *stack)
{
   bool *live = hd_stack_alloc_zero(stack, c->num_phis * sizeof(*live));

   for (uint32_t p = 0; p < c->num_phis; p++) {
      if (!c->collapses[p] && is_needed(c, c->phis[p].phi)) {
         live[p] = true;
         c->work[c->num_work++] = p;
      }
   }
   while (c->num_work) {
      const hd_phi *phi = c->phis[c->work[--c->num_work]].phi;
      for (uint32_t n = 0; n < phi->num_srcs; n++) {
         const hd_def *def = phi->srcs[n].src.def;
         uint32_t p = c->ids[def->index] - 1;
         if (!is_phi_left(c, def) || live[p])
            continue;
         live[p] = true;
         c->work[c->num_work++] = p;
      }
   }
   for (uint32_t p = 0; p < c->num_phis; p++) {
      if (!live[p])
         remove_phi(c->phis[p].phi);
   }
   for (uint32_t p = 0; p < c->num_phis; p++) {
      if (!live[p])
         hd_instr_remove(&c->phis[p].phi->instr);
   }
}

void
hd_collapse_phis(hd_builder *b)
{
   hd_stack *stack = hd_shader_stack(b->shader);
   collapse c = { .b = b, .phis = b->state->phis, .num_phis = b->state->num_phis };

   mark_reached(&c, stack);
   prepare(&c, stack);
   for (uint32_t p = 0; p < c.num_phis; p++) {
      if (!find_witness(&c, 2 * p) || !find_witness(&c, 2 * p + 1))
         give_up(&c, p);
   }
   while (c.num_work)
      collapse_phi(&c, c.work[--c.num_work]);
   for (uint32_t p = 0; p < c.num_phis; p++) {
      if (c.collapses[p])
         hd_def_replace_uses(&c.phis[p].phi->instr.def, c.value[class_of(&c, p)]);
   }
   remove_dead(&c, stack);
}
