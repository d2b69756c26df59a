/* SPDX-License-Identifier: MIT */
/* reconverge_plan.c - phis of flow blocks: values for the phis of later targets.
 *
 * An edge to a block with phis brings a value for each of them. If the edge is redirected into a
 * flow block, the flow block has to pass the values on. If all edges for one target bring the same
 * value, no phi is needed: the value itself is the source further on, and SSA repair at the end
 * restores dominance. If they bring different values, the flow block gets a phi. The value that a
 * function returns is treated as a phi of its end.
 *
 * Flow blocks are numbered in the order of their positions, and lanes only go on to later ones. So
 * for each target they are visited in the order of their numbers, from where its edges go in.
 *
 * Where many targets are far from where their edges go in, each of their values would need a phi in
 * each flow block between, a quadratic number. A lane waits for one target alone: from a limit on
 * the values of all targets share slots, one for each size and number of a phi among those of its
 * block, and a flow block has a phi for a slot at most. What was uniform and is not in a slot is made
 * so again at the end.
 */
#include <stdlib.h>

#include "structurize/reconverge.h"

/* An edge that comes into a flow block with values for the target in question. */
struct arrival {
   struct arrival *next;
   uint32_t edge;
   rc_value *values;
};

struct plan {
   rc *r;
   uint32_t *edges_to, *next_edge; /* by target; by edge */
   struct arrival **at, **last_at; /* by flow block */
   uint32_t *heap, heap_size;      /* flow blocks with arrivals */
   const hd_phi **phis;            /* of the target; NULL at the end */
   uint32_t num;
   uint64_t visits, limit; /* values at flow blocks */
};

#define VISITS_PER_EDGE 16u

static void
push_flow(struct plan *p, uint32_t flow)
{
   uint32_t at = p->heap_size++;

   for (; at && flow < p->heap[(at - 1) / 2]; at = (at - 1) / 2)
      p->heap[at] = p->heap[(at - 1) / 2];
   p->heap[at] = flow;
}

static uint32_t
pop_flow(struct plan *p)
{
   uint32_t top = p->heap[0], last = p->heap[--p->heap_size], at = 0;

   for (;;) {
      uint32_t child = 2 * at + 1;
      if (child >= p->heap_size)
         break;
      child += child + 1 < p->heap_size && p->heap[child + 1] < p->heap[child];
      if (last <= p->heap[child])
         break;
      p->heap[at] = p->heap[child];
      at = child;
   }
   p->heap[at] = last;
   return top;
}

static void
arrive(struct plan *p, uint32_t edge, rc_value *values)
{
   uint32_t flow = p->r->edges[edge].into;
   struct arrival *a = hd_stack_alloc(p->r->stack, sizeof(*a));

   *a = (struct arrival){ NULL, edge, values };
   if (p->at[flow]) {
      p->last_at[flow]->next = a;
   } else {
      p->at[flow] = a;
      push_flow(p, flow);
   }
   p->last_at[flow] = a;
}

static bool
value_equal(rc_value a, rc_value b)
{
   return a.def == b.def && a.phi == b.phi;
}

/* The nth value of all that reached a flow block. */
static rc_value
meet(struct plan *p, rc_flow *f, const struct arrival *first, uint32_t n)
{
   const struct arrival *a = first;
   const hd_def *like = p->phis ? &p->phis[n]->instr.def : NULL;

   while (a && value_equal(a->values[n], first->values[n]))
      a = a->next;
   if (!a)
      return first->values[n];

   rc_phi *phi = hd_stack_alloc_zero(p->r->stack, sizeof(*phi));
   rc_phi_src **link = &phi->srcs;
   phi->num_components = like ? like->num_components : p->r->f->result_components;
   phi->bit_size = like ? like->bit_size : p->r->f->result_bits;
   for (a = first; a; a = a->next) {
      rc_phi_src *src = hd_stack_alloc(p->r->stack, sizeof(*src));
      *src = (rc_phi_src){ NULL, a->edge, a->values[n] };
      *link = src;
      link = &src->next;
   }
   *f->last_phi = phi;
   f->last_phi = &phi->next;
   return (rc_value){ NULL, phi };
}

static void
plan_flow(struct plan *p, uint32_t flow, uint32_t target)
{
   rc *r = p->r;
   rc_flow *f = &r->flows[flow];
   const struct arrival *first = p->at[flow];
   rc_value *values = hd_stack_alloc(r->stack, p->num * sizeof(*values));

   p->at[flow] = NULL;
   p->visits += p->num;
   if (p->visits > p->limit)
      return;
   hd_heap_step(hd_shader_heap(r->f->shader), p->num);
   for (uint32_t n = 0; n < p->num; n++)
      values[n] = meet(p, f, first, n);
   if (f->place == target)
      f->values = values;
   else if (r->edges[f->rest].into != NONE)
      arrive(p, f->rest, values);
   else
      r->edges[f->rest].values = values;
}

/* What an edge out of a block brings: NULL if no lane takes that edge. */
static rc_value *
values_of_edge(struct plan *p, const rc_edge *e)
{
   rc *r = p->r;

   if (e->from == NONE)
      return NULL;
   const hd_block *b = r->places[e->from].block;
   rc_value *values = hd_stack_alloc_zero(r->stack, p->num * sizeof(*values));
   if (!p->phis) {
      const hd_jump *jump = hd_block_jump(b);
      if (jump->instr.num_srcs)
         values[0].def = jump->src[0].def;
      return values;
   }
   for (uint32_t n = 0; n < p->num; n++)
      values[n].def = p->phis[n]->srcs[b->succs[e->succ].pred].src.def;
   return values;
}

/* The phis of a target: p->phis and p->num. */
static void
list_phis(struct plan *p, uint32_t target)
{
   rc *r = p->r;

   p->num = 0;
   if (r->places[target].kind == RC_END) {
      p->phis = NULL;
      p->num = r->f->result_components != 0;
   } else {
      hd_foreach_phi(phi, r->places[target].block)
         p->num++;
      p->phis = hd_stack_alloc(r->stack, (p->num + 1) * sizeof(hd_phi *));
      p->num = 0;
      hd_foreach_phi(phi, r->places[target].block)
         p->phis[p->num++] = phi;
   }
}

static void
plan_target(struct plan *p, uint32_t target)
{
   rc *r = p->r;

   list_phis(p, target);
   if (!p->num)
      return;
   for (uint32_t e = p->edges_to[target]; e != NONE; e = p->next_edge[e]) {
      rc_value *values = r->edges[e].into != NONE ? values_of_edge(p, &r->edges[e]) : NULL;
      if (values)
         arrive(p, e, values);
   }
   while (p->heap_size)
      plan_flow(p, pop_flow(p), target);
}

/* Slots */

/* What reaches a flow block, or goes on from it, in a slot. */
struct carried {
   uint32_t slot;
   uint32_t last; /* the last place that wants it */
   rc_value value;
};

struct cargo {
   struct carried *items;
   uint32_t num;
};

struct slots {
   struct plan *p;
   uint32_t num;
   uint8_t *num_components, *bit_size; /* by slot */
   uint32_t *begin, *of_phi;           /* by position: the slots of its phis, in their order */
   struct cargo *rest;                 /* by flow block: what goes on */
   /* Of the flow block that is looked at: */
   struct cargo here;
   uint32_t *item_of; /* by slot: its item in `here`, or NONE */
   bool *differs;     /* by slot */
};

struct slot_size {
   uint64_t key; /* size, and the number among the phis of that size of one block */
   uint32_t phi; /* in of_phi */
};

static int
compare_sizes(const void *a, const void *b)
{
   const struct slot_size *x = a, *y = b;

   return x->key < y->key ? -1 : x->key > y->key;
}

/* Which slot each phi of each place gets. */
static void
number_slots(struct slots *s)
{
   struct plan *p = s->p;
   rc *r = p->r;
   uint32_t num_phis = 0, num = 0;

   s->begin = rc_scratch(r, r->num_places + 1);
   for (uint32_t place = 0; place < r->num_places; place++) {
      s->begin[place] = num_phis;
      list_phis(p, place);
      num_phis += p->num;
   }
   s->begin[r->num_places] = num_phis;
   struct slot_size *sizes = hd_stack_alloc(r->stack, (num_phis + 1) * sizeof(*sizes));
   for (uint32_t place = 0; place < r->num_places; place++) {
      list_phis(p, place);
      if (!p->num)
         continue;
      uint32_t count[17][65] = { { 0 } };
      for (uint32_t n = 0; n < p->num; n++) {
         const hd_def *like = p->phis ? &p->phis[n]->instr.def : NULL;
         unsigned components = like ? like->num_components : r->f->result_components;
         unsigned bits = like ? like->bit_size : r->f->result_bits;
         sizes[num] = (struct slot_size){
            (uint64_t)components << 40 | (uint64_t)bits << 32 | count[components][bits]++, num
         };
         num++;
      }
   }
   qsort(sizes, num, sizeof(*sizes), compare_sizes);
   s->of_phi = rc_scratch(r, num_phis);
   s->num_components = hd_stack_alloc(r->stack, num_phis + 1);
   s->bit_size = hd_stack_alloc(r->stack, num_phis + 1);
   for (uint32_t n = 0; n < num; n++) {
      s->num += n == 0 || sizes[n].key != sizes[n - 1].key;
      s->of_phi[sizes[n].phi] = s->num - 1;
      s->num_components[s->num - 1] = (uint8_t)(sizes[n].key >> 40);
      s->bit_size[s->num - 1] = (uint8_t)(sizes[n].key >> 32);
   }
}

/* What an edge brings to a flow block. */
static struct cargo
cargo_of_edge(struct slots *s, const rc_edge *e)
{
   rc *r = s->p->r;
   struct cargo cargo = { NULL, 0 };

   if (e->flow != NONE)
      return s->rest[e->flow];
   list_phis(s->p, e->target);
   const rc_value *values = s->p->num ? values_of_edge(s->p, e) : NULL;
   if (!values)
      return cargo;
   cargo.num = s->p->num;
   cargo.items = hd_stack_alloc(r->stack, cargo.num * sizeof(*cargo.items));
   for (uint32_t n = 0; n < cargo.num; n++)
      cargo.items[n] = (struct carried){ s->of_phi[s->begin[e->target] + n], e->target, values[n] };
   return cargo;
}

/* What is in the slots that a flow block is come to with; phis where edges differ. */
static void
meet_slots(struct slots *s, rc_flow *f)
{
   rc *r = s->p->r;
   struct cargo *brought = hd_stack_alloc(r->stack, (f->num_in + 1) * sizeof(*brought));
   uint32_t n = 0, most = 0;

   for (uint32_t e = f->first_in; e != NONE; e = r->edges[e].next_in_flow) {
      brought[n] = cargo_of_edge(s, &r->edges[e]);
      most += brought[n++].num;
   }
   hd_heap_step(hd_shader_heap(r->f->shader), most);
   s->here = (struct cargo){ hd_stack_alloc(r->stack, (most + 1) * sizeof(struct carried)), 0 };
   for (uint32_t k = 0; k < n; k++) {
      for (uint32_t i = 0; i < brought[k].num; i++) {
         const struct carried *c = &brought[k].items[i];
         uint32_t *item = &s->item_of[c->slot];
         if (*item == NONE) {
            *item = s->here.num++;
            s->here.items[*item] = *c;
            s->differs[c->slot] = false;
            continue;
         }
         struct carried *known = &s->here.items[*item];
         known->last = c->last > known->last ? c->last : known->last;
         s->differs[c->slot] |= !value_equal(known->value, c->value);
      }
   }
   for (uint32_t i = 0; i < s->here.num; i++) {
      struct carried *c = &s->here.items[i];
      if (!s->differs[c->slot])
         continue;
      rc_phi *phi = hd_stack_alloc_zero(r->stack, sizeof(*phi));
      phi->num_components = s->num_components[c->slot];
      phi->bit_size = s->bit_size[c->slot];
      *f->last_phi = phi;
      f->last_phi = &phi->next;
      c->value = (rc_value){ NULL, phi };
   }
   n = 0;
   for (uint32_t e = f->first_in; e != NONE; e = r->edges[e].next_in_flow, n++) {
      for (uint32_t i = 0; i < brought[n].num; i++) {
         const struct carried *c = &brought[n].items[i];
         if (!s->differs[c->slot])
            continue;
         rc_phi *phi = s->here.items[s->item_of[c->slot]].value.phi;
         rc_phi_src *src = hd_stack_alloc(r->stack, sizeof(*src));
         *src = (rc_phi_src){ phi->srcs, e, c->value };
         phi->srcs = src;
      }
   }
}

/* What a target takes out of the slots: undef where no lane waits for it. */
static rc_value *
take_slots(struct slots *s, uint32_t target)
{
   const uint32_t begin = s->begin[target], num = s->begin[target + 1] - begin;
   rc_value *values = num ? hd_stack_alloc_zero(s->p->r->stack, num * sizeof(*values)) : NULL;

   for (uint32_t n = 0; n < num; n++) {
      uint32_t item = s->item_of[s->of_phi[begin + n]];
      if (item != NONE)
         values[n] = s->here.items[item].value;
   }
   return values;
}

static void
plan_slots(struct plan *p)
{
   rc *r = p->r;
   struct slots s = { .p = p };

   number_slots(&s);
   s.rest = hd_stack_alloc_zero(r->stack, (r->num_flows + 1) * sizeof(*s.rest));
   s.item_of = rc_scratch_fill(r, s.num, 0xff);
   s.differs = hd_stack_alloc_zero(r->stack, s.num + 1);
   for (uint32_t flow = 0; flow < r->num_flows; flow++) {
      rc_flow *f = &r->flows[flow];
      meet_slots(&s, f);
      f->values = take_slots(&s, f->place);
      if (f->rest != NONE && r->edges[f->rest].into == NONE)
         r->edges[f->rest].values = take_slots(&s, rc_target(r, &r->edges[f->rest]));
      struct cargo *rest = &s.rest[flow];
      rest->items = hd_stack_alloc(r->stack, (s.here.num + 1) * sizeof(*rest->items));
      for (uint32_t i = 0; i < s.here.num; i++) {
         s.item_of[s.here.items[i].slot] = NONE;
         if (s.here.items[i].last > f->place)
            rest->items[rest->num++] = s.here.items[i];
      }
   }
}

static void
forget_plans(rc *r)
{
   for (uint32_t n = 0; n < r->num_flows; n++) {
      r->flows[n].values = NULL;
      r->flows[n].first_phi = NULL;
      r->flows[n].last_phi = &r->flows[n].first_phi;
   }
   for (uint32_t e = 0; e < r->num_edges; e++)
      r->edges[e].values = NULL;
}

void
hd_rc_plan_values(rc *r)
{
   struct plan p = { .r = r, .limit = VISITS_PER_EDGE * (uint64_t)r->num_edges };

   forget_plans(r);
   p.at = hd_stack_alloc_zero(r->stack, (r->num_flows + 1) * sizeof(*p.at));
   p.last_at = hd_stack_alloc_zero(r->stack, (r->num_flows + 1) * sizeof(*p.last_at));
   p.heap = rc_scratch(r, r->num_flows);
   p.edges_to = rc_scratch_fill(r, r->num_places, 0xff);
   p.next_edge = rc_scratch(r, r->num_edges);
   for (uint32_t e = r->num_edges; e--;) {
      if (r->edges[e].heap != e)
         continue;
      p.next_edge[e] = p.edges_to[r->edges[e].target];
      p.edges_to[r->edges[e].target] = e;
   }
   for (uint32_t place = 0; place < r->num_places && p.visits <= p.limit; place++)
      plan_target(&p, place);
   if (p.visits <= p.limit)
      return;
   forget_plans(r);
   plan_slots(&p);
}
