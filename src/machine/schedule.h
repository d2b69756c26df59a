/* SPDX-License-Identifier: MIT */
/* schedule.h - instructions of a block whose order is open, as a graph.
 *
 *    schedule.c          regions of blocks; what they may take of registers; the new order
 *    schedule_graph.c    what must stay before what
 *    schedule_memory.c   the same for accesses to memory
 *    schedule_list.c     the choice of the next one
 */
#ifndef HEDDLE_MACHINE_SCHEDULE_H
#define HEDDLE_MACHINE_SCHEDULE_H

#include "machine/program.h"

/* Why an instruction stays before the next one. */
enum {
   HD_GCN_GLUE_SCC = 1u << 0,  /* scc is read behind it */
   HD_GCN_GLUE_MASK = 1u << 1, /* a mask could be in vcc */
};

/* Some instructions that stay together: one, or from a value in scc, or a mask, to its last reader.
 */
typedef struct hd_gcn_node {
   hd_gcn_inst *first, *last;
   uint32_t first_edge, num_edges; /* to what must come later */
   uint32_t first_temp, num_temps; /* that it reads, each once */
   uint32_t preds_left;            /* that are not issued */
   uint32_t cycles;                /* to issue */
   uint32_t latency;               /* of what it loads; 0: it loads nothing */
   uint32_t
       height;     /* cycles from here to the data of the last load that depends on this; 0: none */
   uint32_t ready; /* when all that it reads is there */
   int32_t delta[HD_GCN_NUM_FILES]; /* what it does to the number of live registers, now */
   bool scalar_load;
   bool issued;
} hd_gcn_node;

typedef struct hd_gcn_edge {
   uint32_t from, to;
   uint32_t cycles;
} hd_gcn_edge;

/* A value in this region. All but `region` holds only where that is the region's number. */
typedef struct hd_gcn_region_temp {
   uint32_t region;
   uint32_t def; /* node + 1; 0: it comes from before */
   uint32_t def_latency;
   uint32_t users_left; /* nodes that read it and are not issued */
   uint32_t users;      /* their numbers, exclusive-or: where one is left, that one */
   uint32_t last_user;  /* node + 1, while the graph is made */
   bool dies;           /* nothing behind the region reads it */
} hd_gcn_region_temp;

typedef struct hd_gcn_region {
   hd_gcn_program *p;
   uint32_t number;
   hd_gcn_block *block;
   hd_gcn_inst *first, *last; /* where it stands now */
   const uint8_t *glue; /* by position: HD_GCN_GLUE_..., between an instruction and the next */
   hd_gcn_node *nodes;
   uint32_t num_nodes;
   hd_gcn_edge *edges; /* by `from` */
   uint32_t num_edges, edge_capacity;
   uint32_t *reads;                 /* temps of each node */
   hd_gcn_region_temp *temps;       /* of the program */
   int32_t live[HD_GCN_NUM_FILES];  /* registers, before it */
   int32_t limit[HD_GCN_NUM_FILES]; /* that it should not exceed */
   int32_t peak[HD_GCN_NUM_FILES]; /* of the order that is there; then of the one that was chosen */
   uint32_t cycles;                /* of that order */
} hd_gcn_region;

/* `to` comes after `from`, and its data is there so many cycles after that is issued. */
void hd_gcn_region_edge(hd_gcn_region *r, uint32_t from, uint32_t to, uint32_t cycles);

/* Memory that is told apart: global, LDS, scratch. */
#define HD_GCN_NUM_MEMORIES 3u

/* What has been accessed so far, for each; and the next access, of this node. */
struct hd_gcn_memory_order *hd_gcn_memory_orders(hd_gcn_program *p);
void hd_gcn_memory_access(struct hd_gcn_memory_order *orders, hd_gcn_region *r,
                          const hd_gcn_inst *inst, uint32_t node);

/* Cycles until the result of a load is there; 0: it is none. */
uint32_t hd_gcn_load_latency(const hd_gcn_inst *inst);

/* Fill in what follows from the instructions from r->first to r->last; memory is the
 * program's stack.
 */
void hd_gcn_region_graph(hd_gcn_region *r);

/* An order that respects the graph: numbers of nodes. Sets r->peak and r->cycles. */
uint32_t *hd_gcn_region_order(hd_gcn_region *r);

#endif
