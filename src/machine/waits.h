/* SPDX-License-Identifier: MIT */
/* waits.h - waits for what is in flight, on counters that a machine's table describes.
 *
 * Memory operations that are issued count up, and down again when they are over. An instruction that
 * touches a register of one of them needs a wait for the counter before it:
 *
 *    load v1, ...                load v1, ...
 *    load v2, ...         =>     load v2, ...
 *    add v3, v1, v1              wait 1
 *                                add v3, v1, v1
 *
 * GCN's table is in backend/gcn/insert_waits.c.
 */
#ifndef HEDDLE_MACHINE_WAITS_H
#define HEDDLE_MACHINE_WAITS_H

#include "machine/program.h"

#define HD_MACH_MAX_COUNTERS 3u

typedef struct hd_mach_counter {
   uint8_t
       limit;   /* the most that it can be waited down to; all that is more is no wait: below 255 */
   bool linear; /* loads into registers of the linear file count, too */
   /* It tells when instructions have read their sources: who writes those waits for it, who reads
    * them does not.
    */
   bool of_reads;
} hd_mach_counter;

/* How an instruction's event leaves a counter again. */
typedef enum hd_mach_event {
   HD_MACH_NO_EVENT,
   HD_MACH_IN_ORDER, /* after all earlier ones of this kind on this counter */
   HD_MACH_ANY_ORDER,
} hd_mach_event;

/* What an instruction leaves in flight. */
typedef struct hd_mach_in_flight {
   uint8_t event[HD_MACH_MAX_COUNTERS];
   bool shared; /* other waves may see when it happens */
   uint8_t
       special; /* counters, a bit each, on which it does what hd_mach_wait_need.special waits for */
} hd_mach_in_flight;

/* What must be over before an instruction, its registers apart: counters, a bit each. */
typedef struct hd_mach_wait_need {
   uint8_t special;   /* what hd_mach_in_flight.special marked */
   uint8_t unordered; /* all, if something is in flight that leaves in any order */
} hd_mach_wait_need;

struct hd_mach_waiter;

typedef struct hd_mach_waits {
   hd_mach_counter counters[HD_MACH_MAX_COUNTERS];
   unsigned num_counters;
   uint16_t
       wait; /* the op that waits, of which those that are there before ask for the order of memory */
   /* The instruction that waits until at most so many are in flight, in no block; and back. */
   hd_mach_inst *(*make)(hd_mach_program *p, const uint8_t *counts);
   void (*read)(const hd_mach_program *p, const hd_mach_inst *wait, uint8_t *counts);
   hd_mach_in_flight (*in_flight)(const hd_mach_program *p, const hd_mach_inst *inst);
   /* Whether source `n` is read after the instruction is issued: until a counter of reads says so. */
   bool (*reads_late)(const hd_mach_program *p, const hd_mach_inst *inst, unsigned n);
   hd_mach_wait_need (*needs)(const hd_mach_program *p, const hd_mach_inst *inst);
   /* A bit of state that the machine keeps along the linear flow, NULL: none. `next` is what it is
    * after the instruction; it may ask hd_mach_is_unordered. `mend` makes the instruction that clears it before one that must not see it set,
    * or is NULL for others.
    */
   bool (*next)(const struct hd_mach_waiter *w, const hd_mach_inst *inst, bool state);
   bool (*must_mend)(const hd_mach_inst *inst);
   hd_mach_inst *(*mend)(hd_mach_program *p);
} hd_mach_waits;

/* Is something in flight on the counter that leaves in any order? */
bool hd_mach_is_unordered(const struct hd_mach_waiter *w, unsigned counter);
/* Of which program. */
const hd_mach_program *hd_mach_waiter_program(const struct hd_mach_waiter *w);

/* Requires registers, no pseudo ops but p_start, linear edges, blocks in order. Unwinds. */
void hd_mach_insert_waits(hd_mach_program *p, const hd_mach_waits *waits);

#endif
