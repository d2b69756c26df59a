/* SPDX-License-Identifier: MIT */
/* layout.h - layout: state and interface of its files.
 *
 *    rename.c    register renaming within a clause
 *    pack.c      ALU instructions in groups (list scheduling)
 *    clauses.c   groups and fetches in clauses
 *    layout.c    loads and stores, branches, addresses, bytes
 */
#ifndef HEDDLE_BACKEND_R700_LAYOUT_H
#define HEDDLE_BACKEND_R700_LAYOUT_H

#include "backend/r700/program.h"
#include "machine/observe.h"

#define HD_R700_MAX_GROUP_LITERALS 4u
#define HD_R700_MAX_RANGES         2u /* of constants, that a clause locks */
#define HD_R700_RANGE_DWORDS       128u
#define HD_R700_CLAUSE_WORDS       128u
#define HD_R700_CLAUSE_FETCHES     8u
/* Instructions that are looked through again for each fetch clause: those of several clauses. */
#define HD_R700_MAX_PENDING 1024u

/* An ALU instruction whose registers are known, in no group yet. */
typedef struct hd_r700_alu {
   uint16_t op;
   uint8_t num_srcs, negated; /* a bit each */
   bool sets_mask;            /* of the predicate: it updates the active lanes */
   int dst;                   /* register * 4 + channel; -1: none */
   hd_mach_operand srcs[3];
   const hd_mach_inst *from; /* for who watches */
   const hd_mach_block *block;
} hd_r700_alu;

/* Slots are the channels and, last, the transcendental one. */
typedef struct hd_r700_group {
   const hd_r700_alu *slots[HD_R700_MAX_GROUP]; /* NULL: empty */
   uint8_t swizzles[HD_R700_MAX_GROUP];
   /* What the group before wrote, by slot, where it is of the same clause; -1: nothing. */
   int16_t before[HD_R700_MAX_GROUP];
   uint32_t literals[HD_R700_MAX_GROUP_LITERALS];
   const hd_r700_alu *readers[HD_R700_MAX_GROUP_LITERALS]; /* the first that reads it */
   unsigned num_literals;
   uint32_t ranges[HD_R700_MAX_RANGES]; /* constant buffer << 16 | dword / HD_R700_RANGE_DWORDS */
   unsigned num_ranges;
} hd_r700_group;

/* Where the control flow goes. */
typedef enum hd_r700_to { HD_R700_TO_NOWHERE, HD_R700_TO_BLOCK, HD_R700_TO_CF } hd_r700_to;

typedef struct hd_r700_cf {
   hd_r700_inst inst;
   uint8_t to;                  /* hd_r700_to */
   const hd_mach_block *target; /* of TO_BLOCK, and */
   uint32_t cf;                 /* of TO_CF: a number of the list */
   uint32_t first, num;         /* of a clause: its words in `alu` or `fetches`, */
   uint32_t test;               /* and which of them sets the active lanes, if one does */
   uint32_t ranges[HD_R700_MAX_RANGES];
   unsigned num_ranges;
   const hd_mach_inst *from;
   const hd_mach_block *block;
} hd_r700_cf;

/* A fetch that is in no clause yet. Its registers are not final. */
typedef struct hd_r700_waiting {
   hd_r700_inst inst;
   const hd_mach_inst *from;
   const hd_mach_block *block;
} hd_r700_waiting;

/* Words of clauses, each with what it comes from. */
typedef struct hd_r700_word {
   uint64_t word;
   const hd_mach_inst *from;
   const hd_mach_block *block;
} hd_r700_word;

typedef struct hd_r700_words {
   hd_r700_word *words;
   uint32_t num, capacity;
} hd_r700_words;

typedef struct hd_r700_writer {
   hd_mach_program *p;
   const hd_mach_inst *inst; /* that is being written */
   const hd_mach_block *block;
   hd_r700_alu *pending; /* instructions that are in no group yet */
   uint32_t num_pending, pending_capacity;
   hd_r700_waiting waiting[HD_R700_CLAUSE_FETCHES]; /* none needs another's result */
   unsigned num_waiting;
   hd_r700_cf *cf;
   uint32_t num_cf, cf_capacity;
   hd_r700_words alu, fetches;
   uint32_t *begin; /* by block: the first of its control flow */
   hd_r700_stats *stats;
   /* Registers behind those of values: some to rename to. In the code those of lowering stand between. */
   unsigned first_spare, num_spares;
   unsigned used_spares;
} hd_r700_writer;

#define HD_R700_NUM_TEMPS (HD_R700_NUM_GPRS - HD_R700_GPR_ADDRESS)

static inline unsigned
hd_r700_final_gpr(const hd_r700_writer *l, unsigned gpr)
{
   if (gpr >= HD_R700_GPR_ADDRESS)
      return l->first_spare + gpr - HD_R700_GPR_ADDRESS;
   return gpr < l->first_spare ? gpr : gpr + HD_R700_NUM_TEMPS;
}

/* The fetch reads its address from this channel. */
static inline bool
hd_r700_fetch_reads(const hd_r700_inst *inst, unsigned channel)
{
   return channel == 4 * inst->f[HD_R700_F_SRC_GPR] + inst->f[HD_R700_F_SRC_SEL_X];
}

/* A fetch that waits does. */
static inline bool
hd_r700_is_fetched_from(const hd_r700_writer *l, unsigned channel)
{
   for (unsigned n = 0; n < l->num_waiting; n++) {
      if (hd_r700_fetch_reads(&l->waiting[n].inst, channel))
         return true;
   }
   return false;
}

/* rename.c: of what is pending. */
void hd_r700_rename(hd_r700_writer *l);

/* The slot of the group before whose result the operand still is; -1: it is read from its register. */
static inline int
hd_r700_forwarding_slot(const hd_r700_group *g, const hd_mach_operand *o)
{
   for (int slot = 0; slot < (int)HD_R700_MAX_GROUP; slot++) {
      if (!hd_r700_is_constant(o) && g->before[slot] == o->reg - HD_R700_V0)
         return slot;
   }
   return -1;
}

/* pack.c: all of them, in as few groups as it finds. Calls `put` for each group, in order; false: the
 * group begins a clause, and may read nothing of the group before.
 */
void hd_r700_pack(hd_mach_program *p, const hd_r700_alu *ops, uint32_t num, bool one_op,
                  bool (*put)(void *user, const hd_r700_group *group), void *user);

/* clauses.c. The control-flow instruction that was appended is good until the next one is. */
hd_r700_cf *hd_r700_append_cf(hd_r700_writer *l, unsigned op);
void hd_r700_append_alu(hd_r700_writer *l, const hd_r700_alu *alu);
/* Fetches that wait become a clause, behind what is pending or, if that has nothing to do with them,
 * before it.
 */
void hd_r700_flush_fetches(hd_r700_writer *l);
/* What is pending, too. */
void hd_r700_flush(hd_r700_writer *l);
void hd_r700_append_fetch(hd_r700_writer *l, const hd_r700_inst *inst);

#endif
