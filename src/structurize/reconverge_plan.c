/* SPDX-License-Identifier: MIT */
/* reconverge_plan.c - phi values that flow blocks pass on.
 *
 * An edge to a block with phis brings a value for each of them. When it goes into a flow block
 * instead, the values must be told from there on. Where all edges for one target bring the same
 * value to a flow block, nothing is needed: the value itself is named as a source further on, and
 * whether it still dominates is left to the repair at the end. Where they bring different ones, the
 * flow block gets a phi. What a function returns is treated as a phi of its end.
 *
 * Flow blocks are numbered in the order of their places, and lanes only go on to later ones. So for
 * each target they are visited in the order of their numbers, from where its edges go in.
 */
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
};

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

/* The nth value of all that came to a flow block. */
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

/* What an edge out of a block brings: NULL where nobody takes that edge. */
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

static void
plan_target(struct plan *p, uint32_t target)
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

void
rc_plan_values(rc *r)
{
   struct plan p = { .r = r };

   for (uint32_t n = 0; n < r->num_flows; n++)
      r->flows[n].last_phi = &r->flows[n].first_phi;
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
   for (uint32_t place = 0; place < r->num_places; place++)
      plan_target(&p, place);
}
