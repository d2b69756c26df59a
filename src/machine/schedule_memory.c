/* SPDX-License-Identifier: MIT */
/* schedule_memory.c - which accesses to memory must stay in their order.
 *
 * Memory of different classes is apart. In one class, accesses to the same base, with constant
 * offsets, are apart where their bytes are. Such a group is open at a time, up to MAX_GROUP; what
 * has another base is ordered with all of it:
 *
 *    store [v1]             the group of v1
 *    load  [v1 + 4]         may pass the store
 *    load  [v2]             after the store; the group stays open for what follows
 *    store [v1 + 8]         after the load of v2
 *    store [v2]             after all: the group ends
 *
 * No access gets more edges than MAX_GROUP and twice as many of those that came to an end, so the
 * graph stays linear.
 */
#include "backend/gcn/wait.h"
#include "machine/schedule.h"

#define MAX_GROUP 64u
#define MAX_BASE  4

/* What an access is relative to: all operands but data, as they are. */
typedef struct base {
   hd_gcn_operand operands[MAX_BASE];
   uint16_t bits;
   uint8_t format;
} base;

typedef struct access {
   uint32_t node;
   int32_t first, end; /* bytes */
   bool stores;
} access;

/* One class of memory. */
struct hd_gcn_memory_order {
   uint32_t last_store;     /* node + 1, of those that end all groups */
   access loads[MAX_GROUP]; /* since then, of other bases than the group's */
   access group[MAX_GROUP];
   uint32_t num_loads, num_group;
   base of_group;
};

struct hd_gcn_memory_order *
hd_gcn_memory_orders(hd_gcn_program *p)
{
   return hd_stack_alloc_zero(p->stack, HD_GCN_NUM_MEMORIES * sizeof(struct hd_gcn_memory_order));
}

/* The number of the source that is written to memory; the sources: there is none. */
static unsigned
data_of(const hd_gcn_inst *inst)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);

   if (!(info->flags & HD_GCN_STORES))
      return inst->num_srcs;
   return info->format == HD_GCN_MUBUF ? 0 : 1;
}

/* What the access is relative to, and which bytes from there. False: that is not known. */
static bool
find_base(const hd_gcn_inst *inst, base *base, access *access)
{
   const hd_gcn_op_info *info = hd_gcn_op_info_of(inst);
   const unsigned data = data_of(inst);
   unsigned num = 0;

   *base = (struct base){ .format = info->format, .bits = inst->bits };
   if (info->format == HD_GCN_SMEM || (info->flags & HD_GCN_TWO_OFFSETS) ||
       (inst->bits & (HD_GCN_LDS | HD_GCN_GDS)))
      return false;
   base->bits &= HD_GCN_OFFEN | HD_GCN_IDXEN | HD_GCN_ADDR64;
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (n == data || (n == data + 1 && info->format == HD_GCN_DS && data < inst->num_srcs &&
                        hd_gcn_src(inst, n)->reg != HD_GCN_M0))
         continue; /* an exchange of LDS has two */
      if (num == MAX_BASE)
         return false;
      base->operands[num] = *hd_gcn_src(inst, n);
      base->operands[num++].flags &= (uint8_t)~HD_GCN_OPERAND_KILL;
   }
   unsigned dwords = inst->num_defs ? hd_gcn_def(inst, 0)->size : 1u;
   if (data < inst->num_srcs && hd_gcn_src(inst, data)->size > dwords)
      dwords = hd_gcn_src(inst, data)->size;
   access->first = inst->imm;
   access->end = inst->imm + (int32_t)dwords * 4;
   return true;
}

static bool
same_base(const base *a, const base *b)
{
   if (a->format != b->format || a->bits != b->bits)
      return false;
   for (unsigned n = 0; n < MAX_BASE; n++) {
      const hd_gcn_operand *x = &a->operands[n], *y = &b->operands[n];
      if (x->value != y->value || x->reg != y->reg || x->size != y->size || x->flags != y->flags)
         return false;
   }
   return true;
}

/* After all that there is; and nothing that follows needs to know of it. */
static void
end_all(struct hd_gcn_memory_order *o, hd_gcn_region *r, uint32_t node)
{
   if (o->last_store)
      hd_gcn_region_edge(r, o->last_store - 1, node, 0);
   for (uint32_t n = 0; n < o->num_group; n++)
      hd_gcn_region_edge(r, o->group[n].node, node, 0);
   for (uint32_t n = 0; n < o->num_loads; n++)
      hd_gcn_region_edge(r, o->loads[n].node, node, 0);
   o->last_store = node + 1;
   o->num_group = o->num_loads = 0;
}

/* One of the group's base. */
static void
join_group(struct hd_gcn_memory_order *o, hd_gcn_region *r, const access *a)
{
   if (o->last_store)
      hd_gcn_region_edge(r, o->last_store - 1, a->node, 0);
   for (uint32_t n = 0; n < o->num_group; n++) {
      const access *other = &o->group[n];
      if ((a->stores || other->stores) && a->first < other->end && other->first < a->end)
         hd_gcn_region_edge(r, other->node, a->node, 0);
   }
   for (uint32_t n = 0; a->stores && n < o->num_loads; n++)
      hd_gcn_region_edge(r, o->loads[n].node, a->node, 0);
   o->group[o->num_group++] = *a;
}

/* A load of another base than the group's. */
static void
load_apart(struct hd_gcn_memory_order *o, hd_gcn_region *r, const access *a)
{
   if (o->last_store)
      hd_gcn_region_edge(r, o->last_store - 1, a->node, 0);
   for (uint32_t n = 0; n < o->num_group; n++) {
      if (o->group[n].stores)
         hd_gcn_region_edge(r, o->group[n].node, a->node, 0);
   }
   o->loads[o->num_loads++] = *a;
}

static void
access_one(struct hd_gcn_memory_order *o, hd_gcn_region *r, const access *a, const base *base)
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
hd_gcn_memory_access(struct hd_gcn_memory_order *orders, hd_gcn_region *r, const hd_gcn_inst *inst,
                     uint32_t node)
{
   const uint32_t flags = hd_gcn_op_info_of(inst)->flags;
   const bool is_volatile = inst->memory & HD_GCN_MEMORY_VOLATILE;
   access access = { .node = node, .stores = flags & HD_GCN_STORES };
   unsigned memory = hd_gcn_memory_of(inst);
   base base;

   if (!(flags & (HD_GCN_LOADS | HD_GCN_STORES)))
      return;
   if ((memory & HD_GCN_MEMORY_CONSTANT) && !is_volatile)
      return;
   if (is_volatile || (inst->bits & (HD_GCN_LDS | HD_GCN_GDS)))
      memory = ~0u;
   const bool known = find_base(inst, &base, &access);
   for (unsigned n = 0; n < HD_GCN_NUM_MEMORIES; n++) {
      if (!(memory >> n & 1))
         continue;
      if (is_volatile)
         end_all(&orders[n], r, node);
      else
         access_one(&orders[n], r, &access, known ? &base : NULL);
   }
}
