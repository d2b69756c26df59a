/* SPDX-License-Identifier: MIT */
/* schedule_memory.c - memory dependences of instruction scheduling.
 *
 * Accesses to different memory classes do not alias. In one class, accesses with the same base and
 * constant offsets do not alias if their bytes do not overlap. One such group is open at a time, up
 * to MAX_GROUP accesses; an access with another base depends on all of it:
 *
 *    store [v1]             the group of v1
 *    load  [v1 + 4]         may pass the store
 *    load  [v2]             after the store; the group stays open for what follows
 *    store [v1 + 8]         after the load of v2
 *    store [v2]             after all: the group ends
 *
 * An access gets at most MAX_GROUP edges and twice as many to closed groups, so the graph stays
 * linear.
 */
#include "machine/schedule.h"

#define MAX_GROUP 64u

typedef struct access {
   uint32_t node;
   int32_t first, end; /* bytes */
   bool stores;
} access;

/* One class of memory. */
struct hd_mach_memory_order {
   uint32_t last_store;     /* node + 1, of those that end all groups */
   access loads[MAX_GROUP]; /* since then, of other bases than the group's */
   access group[MAX_GROUP];
   uint32_t num_loads, num_group;
   hd_mach_access of_group; /* what it is relative to */
};

struct hd_mach_memory_order *
hd_mach_memory_orders(hd_mach_program *p)
{
   return hd_stack_alloc_zero(p->stack, HD_MACH_NUM_MEMORIES * sizeof(struct hd_mach_memory_order));
}

static bool
same_base(const hd_mach_access *a, const hd_mach_access *b)
{
   if (a->way != b->way)
      return false;
   for (unsigned n = 0; n < HD_MACH_MAX_ADDRESS; n++) {
      const hd_mach_operand *x = &a->address[n], *y = &b->address[n];
      if (x->value != y->value || x->reg != y->reg || x->size != y->size || x->flags != y->flags)
         return false;
   }
   return true;
}

/* After all that there is; and nothing that follows needs to know of it. */
static void
end_all(struct hd_mach_memory_order *o, hd_mach_region *r, uint32_t node)
{
   if (o->last_store)
      hd_mach_region_edge(r, o->last_store - 1, node, 0);
   for (uint32_t n = 0; n < o->num_group; n++)
      hd_mach_region_edge(r, o->group[n].node, node, 0);
   for (uint32_t n = 0; n < o->num_loads; n++)
      hd_mach_region_edge(r, o->loads[n].node, node, 0);
   o->last_store = node + 1;
   o->num_group = o->num_loads = 0;
}

/* One of the group's base. */
static void
join_group(struct hd_mach_memory_order *o, hd_mach_region *r, const access *a)
{
   if (o->last_store)
      hd_mach_region_edge(r, o->last_store - 1, a->node, 0);
   for (uint32_t n = 0; n < o->num_group; n++) {
      const access *other = &o->group[n];
      if ((a->stores || other->stores) && a->first < other->end && other->first < a->end)
         hd_mach_region_edge(r, other->node, a->node, 0);
   }
   for (uint32_t n = 0; a->stores && n < o->num_loads; n++)
      hd_mach_region_edge(r, o->loads[n].node, a->node, 0);
   o->group[o->num_group++] = *a;
}

/* A load of another base than the group's. */
static void
load_apart(struct hd_mach_memory_order *o, hd_mach_region *r, const access *a)
{
   if (o->last_store)
      hd_mach_region_edge(r, o->last_store - 1, a->node, 0);
   for (uint32_t n = 0; n < o->num_group; n++) {
      if (o->group[n].stores)
         hd_mach_region_edge(r, o->group[n].node, a->node, 0);
   }
   o->loads[o->num_loads++] = *a;
}

static void
access_one(struct hd_mach_memory_order *o, hd_mach_region *r, const access *a,
           const hd_mach_access *base)
{
   const bool joins = base && (!o->num_group || same_base(&o->of_group, base));

   /* Full: as if it were a store of anything. */
   if (joins ? o->num_group == MAX_GROUP : a->stores || o->num_loads == MAX_GROUP) {
      end_all(o, r, a->node);
      return;
   }
   if (joins) {
      o->of_group = *base;
      join_group(o, r, a);
   } else {
      load_apart(o, r, a);
   }
}

void
hd_mach_memory_access(struct hd_mach_memory_order *orders, hd_mach_region *r,
                      const hd_mach_inst *inst, uint32_t node)
{
   const uint32_t flags = hd_mach_op_of(r->p->mach, inst)->flags;
   const bool is_volatile = inst->memory & HD_MACH_MEMORY_VOLATILE;
   access access = { .node = node, .stores = flags & HD_MACH_STORES };
   hd_mach_access base;

   if (!(flags & (HD_MACH_LOADS | HD_MACH_STORES)))
      return;
   const unsigned memory = is_volatile ? ~0u : r->p->hooks->memory_of(inst);
   if (memory & HD_MACH_MEMORY_CONSTANT && !is_volatile)
      return;
   const bool known = r->p->hooks->access_of && r->p->hooks->access_of(inst, &base);
   if (known) {
      access.first = base.first;
      access.end = base.end;
   }
   for (unsigned n = 0; n < HD_MACH_NUM_MEMORIES; n++) {
      if (!(memory >> n & 1))
         continue;
      if (is_volatile)
         end_all(&orders[n], r, node);
      else
         access_one(&orders[n], r, &access, known ? &base : NULL);
   }
}
