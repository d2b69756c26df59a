/* SPDX-License-Identifier: MIT */
/* schedule.h - instruction scheduling: the dependence graph of a region.
 *
 *    schedule.c          regions, register budget, choice between the old and the new order
 *    schedule_graph.c    dependences
 *    schedule_memory.c   memory dependences
 *    schedule_list.c     list scheduling: the priority of ready instructions
 */
#ifndef HEDDLE_MACHINE_SCHEDULE_H
#define HEDDLE_MACHINE_SCHEDULE_H

#include "machine/program.h"

/* Why an instruction stays before the next one. */
enum {
   HD_MACH_GLUE_FLAG = 1u << 0, /* the flag is read after it */
   HD_MACH_GLUE_MASK = 1u << 1, /* a mask could be in the preferred register */
};

/* Some instructions that stay together: one, or from a value in the flag, or a mask, to its last
 * reader.
 */
typedef struct hd_mach_node {
   hd_mach_inst *first, *last;
   uint32_t first_edge, num_edges; /* to what must come later */
   uint32_t first_temp, num_temps; /* that it reads, each once */
   uint32_t preds_left;            /* that are not issued */
   uint32_t cycles;                /* to issue */
   uint32_t latency;               /* of what it loads; 0: it loads nothing */
   uint32_t
       height;     /* cycles from here to the data of the last load that depends on this; 0: none */
   uint32_t ready; /* when all that it reads is there */
   uint32_t order; /* among those of one height: its own number, or that of its first reader */
   int32_t delta[HD_MACH_MAX_FILES]; /* what it does to the number of live registers, now */
   bool scalar_load;
   bool issued;
} hd_mach_node;

typedef struct hd_mach_edge {
   uint32_t from, to;
   uint32_t cycles;
} hd_mach_edge;

/* A value in this region. All but `region` holds only where that is the region's number. */
typedef struct hd_mach_region_temp {
   uint32_t region;
   uint32_t def; /* node + 1; 0: it comes from before */
   uint32_t def_latency;
   uint32_t users_left; /* nodes that read it and are not issued */
   uint32_t users;      /* their numbers, exclusive-or: where one is left, that one */
   uint32_t last_user;  /* node + 1, while the graph is made */
   bool dies;           /* nothing after the region reads it */
} hd_mach_region_temp;

typedef struct hd_mach_region {
   hd_mach_program *p;
   uint32_t number;
   hd_mach_block *block;
   hd_mach_inst *first, *last; /* where it stands now */
   const uint8_t *glue; /* by position: HD_MACH_GLUE_..., between an instruction and the next */
   hd_mach_node *nodes;
   uint32_t num_nodes;
   hd_mach_edge *edges; /* by `from` */
   uint32_t num_edges, edge_capacity;
   uint32_t *reads;                  /* temps of each node */
   hd_mach_region_temp *temps;       /* of the program */
   int32_t live[HD_MACH_MAX_FILES];  /* registers, before it */
   int32_t limit[HD_MACH_MAX_FILES]; /* that it should not exceed */
   int32_t
       peak[HD_MACH_MAX_FILES]; /* of the order that is there; then of the one that was chosen */
   uint32_t cycles;             /* of that order */
} hd_mach_region;

/* Leads to no load, and takes a vector register more: nothing is gained before its reader can use it. */
static inline bool
hd_mach_node_is_idle(const hd_mach_region *r, const hd_mach_node *node)
{
   return !node->height && node->delta[r->p->mach->file_of[HD_MACH_LOGICAL]] > 0;
}

/* `to` comes after `from`, and its data is there so many cycles after that is issued. */
void hd_mach_region_edge(hd_mach_region *r, uint32_t from, uint32_t to, uint32_t cycles);

/* What has been accessed so far, for each; and the next access, of this node. */
struct hd_mach_memory_order *hd_mach_memory_orders(hd_mach_program *p);
void hd_mach_memory_access(struct hd_mach_memory_order *orders, hd_mach_region *r,
                           const hd_mach_inst *inst, uint32_t node);

/* Cycles until the result of a load is there; 0: it is none. */
static inline uint32_t
hd_mach_load_latency(const hd_mach *mach, const hd_mach_inst *inst)
{
   return inst->num_defs ? mach->latencies[hd_mach_op_of(mach, inst)->latency].data : 0;
}

/* Fill in what follows from the instructions from r->first to r->last; memory is the
 * program's stack.
 */
void hd_mach_region_graph(hd_mach_region *r);

/* An order that respects the graph: numbers of nodes. Sets r->peak and r->cycles. */
uint32_t *hd_mach_region_order(hd_mach_region *r);

#endif
