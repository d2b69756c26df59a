/* SPDX-License-Identifier: MIT */
/* schedule_graph.c - the dependence graph of instruction scheduling.
 *
 *    a value            before its readers
 *    a fixed register   its writer before its readers, all of these before the next writer
 *    memory             as schedule_memory.c says
 *
 * The flag register makes no edges: its reader is in one node with its writer, so that its live
 * ranges cannot overlap.
 */
#include <string.h>

#include "machine/liveness.h"
#include "machine/schedule.h"

/* More than any height that it should win against. */
#define SCALAR_FIRST 4096u

struct list {
   uint32_t *items;
   uint32_t num, capacity;
};

/* A fixed register: who wrote it last, who has read it since. */
struct place {
   uint32_t writer; /* node + 1 */
   struct list readers;
};

struct maker {
   hd_mach_region *r;
   struct list reads;
   struct place registers[HD_MACH_MAX_REGS];
   struct hd_mach_memory_order *memories;
};

static uint32_t
cycles_of(const hd_mach *mach, const hd_mach_inst *inst)
{
   const hd_mach_op *info = hd_mach_op_of(mach, inst);

   if (info->flags & HD_MACH_PSEUDO && inst->op != HD_MACH_P_COPY)
      return 0;
   return mach->latencies[info->latency].cycles;
}

static bool
is_scalar_load(const hd_mach *mach, const hd_mach_inst *inst)
{
   return mach->latencies[hd_mach_op_of(mach, inst)->latency].scalar_load;
}

static void
push(hd_mach_program *p, struct list *list, uint32_t item)
{
   if (list->num == list->capacity) {
      const uint32_t capacity = list->capacity ? list->capacity * 2 : 8;
      uint32_t *items = hd_stack_alloc(p->stack, capacity * sizeof(*items));
      if (list->num)
         memcpy(items, list->items, list->num * sizeof(*items));
      list->items = items;
      list->capacity = capacity;
   }
   list->items[list->num++] = item;
}

static void
read_place(struct maker *m, struct place *place, uint32_t node)
{
   if (place->writer)
      hd_mach_region_edge(m->r, place->writer - 1, node, 0);
   push(m->r->p, &place->readers, node);
}

static void
write_place(struct maker *m, struct place *place, uint32_t node)
{
   if (place->writer)
      hd_mach_region_edge(m->r, place->writer - 1, node, 0);
   for (uint32_t n = 0; n < place->readers.num; n++)
      hd_mach_region_edge(m->r, place->readers.items[n], node, 0);
   place->readers.num = 0;
   place->writer = node + 1;
}

static hd_mach_region_temp *
temp_of(struct maker *m, uint32_t temp)
{
   hd_mach_region_temp *t = &m->r->temps[temp];

   if (t->region != m->r->number)
      *t = (hd_mach_region_temp){ .region = m->r->number };
   return t;
}

static bool
is_fixed(const hd_mach *mach, const hd_mach_operand *operand)
{
   return operand->size && operand->reg < HD_MACH_MAX_REGS && operand->reg != mach->flag &&
          (operand->reg < mach->first_const || hd_mach_is_vector_reg(mach, operand->reg));
}

static void
read_operand(struct maker *m, const hd_mach_operand *src, uint32_t node)
{
   for (unsigned n = 0; is_fixed(m->r->p->mach, src) && n < src->size; n++)
      read_place(m, &m->registers[src->reg + n], node);
   if (!hd_mach_is_temp(src))
      return;
   hd_mach_region_temp *t = temp_of(m, src->value);
   t->dies |= (src->flags & HD_MACH_OPERAND_KILL) != 0;
   if (t->last_user == node + 1)
      return;
   t->last_user = node + 1;
   t->users_left++;
   t->users ^= node;
   push(m->r->p, &m->reads, src->value);
   m->r->nodes[node].num_temps++;
   if (t->def)
      hd_mach_region_edge(m->r, t->def - 1, node, t->def_latency);
}

static void
write_operand(struct maker *m, const hd_mach_operand *def, uint32_t node, uint32_t latency)
{
   for (unsigned n = 0; is_fixed(m->r->p->mach, def) && n < def->size; n++)
      write_place(m, &m->registers[def->reg + n], node);
   if (!hd_mach_is_temp(def))
      return;
   hd_mach_region_temp *t = temp_of(m, def->value);
   t->def = node + 1;
   t->def_latency = latency;
   /* One that nothing reads is gone at once. */
   if (!(def->flags & HD_MACH_OPERAND_KILL))
      m->r->nodes[node].delta[m->r->p->temps[def->value].file] += def->size;
}

static void
add_inst(struct maker *m, const hd_mach_inst *inst, uint32_t number)
{
   hd_mach_node *node = &m->r->nodes[number];
   const uint32_t latency = hd_mach_load_latency(m->r->p->mach, inst);

   for (unsigned n = 0; n < inst->num_srcs; n++)
      read_operand(m, hd_mach_src(inst, n), number);
   hd_mach_memory_access(m->memories, m->r, inst, number);
   for (unsigned n = 0; n < inst->num_defs; n++)
      write_operand(m, hd_mach_def(inst, n), number, latency);
   node->cycles += cycles_of(m->r->p->mach, inst);
   node->scalar_load |= latency && is_scalar_load(m->r->p->mach, inst);
   node->latency = latency > node->latency ? latency : node->latency;
}

/* Edges by the node that they come from. */
static void
sort_edges(hd_mach_region *r)
{
   hd_mach_edge *sorted = hd_stack_alloc(r->p->stack, (r->num_edges + 1) * sizeof(*sorted));
   uint32_t num = 0;

   for (uint32_t n = 0; n < r->num_nodes; n++) {
      r->nodes[n].first_edge = num;
      num += r->nodes[n].num_edges;
      r->nodes[n].num_edges = 0;
   }
   for (uint32_t n = 0; n < r->num_edges; n++) {
      hd_mach_node *from = &r->nodes[r->edges[n].from];
      sorted[from->first_edge + from->num_edges++] = r->edges[n];
   }
   r->edges = sorted;
}

/* Only what leads to a load is in a hurry: all else finds its time while loads are in flight.
 * Scalar loads come first: they come back in any order, so who waits for one waits for all that
 * were issued before, and one that is issued late is waited for by others.
 */
static void
find_heights(hd_mach_region *r)
{
   for (uint32_t n = r->num_nodes; n--;) {
      hd_mach_node *node = &r->nodes[n];
      uint32_t height = node->latency;
      for (uint32_t e = 0; e < node->num_edges; e++) {
         const hd_mach_edge *edge = &r->edges[node->first_edge + e];
         const uint32_t behind = r->nodes[edge->to].height + edge->cycles;
         height = behind > height ? behind : height;
      }
      node->height = height ? height + node->cycles + (node->scalar_load ? SCALAR_FIRST : 0) : 0;
   }
}

/* How long the order takes that is there. */
static void
find_cycles(hd_mach_region *r)
{
   r->cycles = 0;
   for (uint32_t n = 0; n < r->num_nodes; n++) {
      hd_mach_node *node = &r->nodes[n];
      if (node->ready > r->cycles)
         r->cycles = node->ready;
      r->cycles += node->cycles;
      node->ready = 0;
      for (uint32_t e = 0; e < node->num_edges; e++) {
         const hd_mach_edge *edge = &r->edges[node->first_edge + e];
         hd_mach_node *to = &r->nodes[edge->to];
         if (r->cycles + edge->cycles > to->ready)
            to->ready = r->cycles + edge->cycles;
      }
   }
}

/* What each node does to the number of live registers, as long as others have not read what it
 * reads; and the highest number on the way in the order that is there.
 */
static void
find_pressure(hd_mach_region *r)
{
   int32_t live[HD_MACH_MAX_FILES];
   uint32_t *left = hd_stack_alloc(r->p->stack, (r->p->num_temps + 1) * sizeof(*left));

   memcpy(live, r->live, sizeof(live));
   memcpy(r->peak, r->live, sizeof(live));
   for (uint32_t n = 0; n < r->num_nodes; n++) {
      for (uint32_t t = 0; t < r->nodes[n].num_temps; t++) {
         const uint32_t temp = r->reads[r->nodes[n].first_temp + t];
         left[temp] = r->temps[temp].users_left;
      }
   }
   for (uint32_t n = 0; n < r->num_nodes; n++) {
      hd_mach_node *node = &r->nodes[n];
      for (unsigned f = 0; f < HD_MACH_MAX_FILES; f++)
         live[f] += node->delta[f];
      for (uint32_t t = 0; t < node->num_temps; t++) {
         const uint32_t temp = r->reads[node->first_temp + t];
         const hd_mach_temp *info = &r->p->temps[temp];
         if (!r->temps[temp].dies)
            continue;
         if (--left[temp] == 0)
            live[info->file] -= info->size;
         if (r->temps[temp].users_left == 1)
            node->delta[info->file] -= info->size;
      }
      for (unsigned f = 0; f < HD_MACH_MAX_FILES; f++)
         r->peak[f] = live[f] > r->peak[f] ? live[f] : r->peak[f];
   }
}

/* What is idle goes to its first reader. */
static void
find_orders(hd_mach_region *r)
{
   for (uint32_t n = r->num_nodes; n--;) {
      hd_mach_node *node = &r->nodes[n];
      uint32_t first = r->num_nodes;
      for (uint32_t e = 0; e < node->num_edges && hd_mach_node_is_idle(r, node); e++) {
         const uint32_t order = r->nodes[r->edges[node->first_edge + e].to].order;
         first = order < first ? order : first;
      }
      node->order = first < r->num_nodes ? first : n;
   }
}

void
hd_mach_region_graph(hd_mach_region *r)
{
   struct maker *m = hd_stack_alloc_zero(r->p->stack, sizeof(*m));
   uint32_t num = 1, position = 0;

   m->r = r;
   m->memories = hd_mach_memory_orders(r->p);
   for (const hd_mach_inst *inst = r->first; inst != r->last; inst = inst->next)
      num++;
   r->edge_capacity = num * 4;
   r->nodes = hd_stack_alloc_zero(r->p->stack, num * sizeof(*r->nodes));
   r->edges = hd_stack_alloc(r->p->stack, r->edge_capacity * sizeof(*r->edges));
   r->num_nodes = r->num_edges = 0;
   for (hd_mach_inst *inst = r->first; position < num; inst = inst->next, position++) {
      if (!position || !r->glue[position - 1]) {
         r->nodes[r->num_nodes].first = inst;
         r->nodes[r->num_nodes++].first_temp = m->reads.num;
      }
      r->nodes[r->num_nodes - 1].last = inst;
      add_inst(m, inst, r->num_nodes - 1);
   }
   r->reads = m->reads.items;
   sort_edges(r);
   find_heights(r);
   find_cycles(r);
   find_pressure(r);
   find_orders(r);
}
