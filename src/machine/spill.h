/* SPDX-License-Identifier: MIT */
/* spill.h - spilling: state and interface of its files.
 *
 *    spill.c               the order of the steps
 *    register_pressure.c   register pressure
 *    next_use.c            next-use distances
 *    spill_walk.c          which values are in registers where
 *    spill_edges.c         agreement along edges; phis in memory
 *    spill_slots.c         spill slots
 *
 * Spilling on SSA form, before register allocation (Braun and Hack, 2009). A spilled value is stored
 * once, right after its definition, as it never changes. p_reload defines the same value again. So
 * from here on a value may have several definitions, all of them equal; liveness and register
 * allocation allow for that.
 *
 *    %5 = ...                      %5 = ...
 *    ...              =>           p_spill %5, slot
 *    ... %5                        ...
 *                                  %5 = p_reload slot
 *                                  ... %5
 *
 * Scalar values are spilled to lanes of vector registers, which are reserved for the whole program,
 * as they are written regardless of exec; vector values to scratch memory, for the active lanes:
 * those are all that have the value, by the argument of liveness.h.
 */
#ifndef HEDDLE_MACHINE_SPILL_H
#define HEDDLE_MACHINE_SPILL_H

#include "machine/liveness.h"

/* Further than anything in a loop is what is read after it. */
#define HD_MACH_LOOP_DISTANCE 100000u
#define HD_MACH_NEVER         UINT32_MAX

/* The values of one file that are in registers at some point. */
typedef struct hd_mach_resident {
   uint32_t *temps;
   uint32_t num;
   uint32_t size; /* dwords */
} hd_mach_resident;

typedef struct hd_mach_spiller {
   hd_mach_program *p;
   hd_mach_live live;
   unsigned file;
   hd_mach_edge_kind flow;
   uint32_t limit;     /* dwords */
   uint32_t capacity;  /* of tables by temp */
   uint32_t **next_in; /* by block, in the order of live.in: how far the next use is */
   uint32_t *length;   /* by block: instructions */
   uint32_t *demand;   /* a tree of maxima; leaves by the order of blocks: as without spills */
   uint32_t num_leaves;
   hd_mach_resident now; /* with room for all */
   uint32_t *place;      /* by temp: in `now`, + 1; 0: it is not there */
   uint32_t *next;       /* by temp: position of the next use */
   uint32_t *uses;       /* by operand of a block: the use that is next after it */
   uint32_t use_capacity;
   uint32_t *mark;           /* by temp: sources of the instruction of the moment, */
   uint32_t dies, num_marks; /* and those that leave after it */
   uint32_t *count;          /* by temp: predecessors that have it; 0 between blocks */
   uint32_t *in_passive;     /* by temp: the same of passive predecessors, of a block's own */
   hd_mach_resident *at_begin, *at_end; /* by block; at_begin has phis, too */
   uint32_t *slot;                      /* by temp: where it is stored, from 1; 0: nowhere */
   uint32_t num_slots;
   bool *phi_in_memory;  /* by temp: a phi that is in no register when it is written */
   uint32_t *moved_slot; /* by temp: on an edge, where an old value of a phi was moved */
   bool *is_stored;      /* by temp: on an edge, a phi in memory that has its source */
   hd_mach_inst **def;   /* by temp */
   hd_mach_operand address[HD_MACH_MAX_SPILL_OPERANDS]; /* of scratch memory */
   unsigned num_address;                                /* for vector values */
} hd_mach_spiller;

/* Dwords of one file that an instruction needs. */
typedef struct hd_mach_need {
   uint32_t copies;  /* of sources that it overwrites and somebody else needs */
   uint32_t results; /* what it writes, */
   uint32_t dead;    /* of which so many for dead definitions */
   uint32_t killed;  /* what it reads for the last time */
} hd_mach_need;

/* register_pressure.c; liveness has set the flags that it reads. */
hd_mach_need hd_mach_need_of(const hd_mach_program *p, const hd_mach_inst *inst, unsigned file);
/* All together, with `live` dwords live before the instruction. */
uint32_t hd_mach_need_with(const hd_mach_need *need, uint32_t live);
uint32_t hd_mach_block_pressure(const hd_mach_program *p, const hd_mach_live *live,
                                const hd_mach_block *block, unsigned file);
uint32_t hd_mach_register_pressure(const hd_mach_program *p, const hd_mach_live *live,
                                   unsigned file);

/* next_use.c */
void hd_mach_next_uses(hd_mach_spiller *s);
/* Positions are those of instructions in the block, from 0; fills s->uses for each operand, phis
 * left out, in the order of the instructions. s->next must have been set for what is live out.
 */
void hd_mach_next_in_block(hd_mach_spiller *s, const hd_mach_block *block);

/* spill_walk.c */
bool hd_mach_spill_walk(hd_mach_spiller *s);
void hd_mach_resident_add(hd_mach_spiller *s, uint32_t temp);
void hd_mach_resident_remove(hd_mach_spiller *s, uint32_t temp);
void hd_mach_resident_clear(hd_mach_spiller *s);
/* Its definition can be repeated instead of being stored. */
bool hd_mach_can_rematerialize(const hd_mach_spiller *s, uint32_t temp);
void hd_mach_spill_mark_stored(hd_mach_spiller *s, uint32_t temp);
void hd_mach_spill_evict(hd_mach_spiller *s, uint32_t temp);
uint32_t hd_mach_spill_choose_victim(const hd_mach_spiller *s, uint32_t locked);
/* In no block. */
hd_mach_inst *hd_mach_spill_make_reload(hd_mach_spiller *s, uint32_t temp, uint32_t slot);
hd_mach_inst *hd_mach_spill_make_store(hd_mach_spiller *s, uint32_t temp, uint32_t slot);
/* The value is in a register again. */
void hd_mach_spill_insert_reload(hd_mach_spiller *s, hd_mach_block *block, hd_mach_inst *before,
                                 uint32_t temp);

/* spill_edges.c */
bool hd_mach_spill_edges(hd_mach_spiller *s);

/* spill_slots.c */
void hd_mach_spill_stores(hd_mach_spiller *s);
/* Numbers of slots become dwords; returns how many there are in all. */
uint32_t hd_mach_spill_color(hd_mach_spiller *s);

#endif
