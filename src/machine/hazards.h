/* SPDX-License-Identifier: MIT */
/* hazards.h - distances that software must keep between two instructions, by a table of from, to and
 * how many wait states.
 *
 * A machine lists the effects of an instruction that a later one could observe too early (a
 * kind, and the number of the register or the like that is written), and which rules apply to a
 * consumer. An instruction between the two is one wait state. GCN's table is in backend/gcn/hazards.c.
 */
#ifndef HEDDLE_MACHINE_HAZARDS_H
#define HEDDLE_MACHINE_HAZARDS_H

#include "machine/program.h"

#define HD_MACH_MAX_WAIT_STATES 5u /* the most that a rule asks for */
#define HD_MACH_MAX_EFFECTS     24u

typedef struct hd_mach_hazard {
   uint8_t producer, consumer; /* the machine's numbers; producers from 0 on */
   uint8_t states;             /* that must be between them */
   uint8_t variants;           /* the machine's own: where the rule holds */
} hd_mach_hazard;

/* What one instruction does. */
typedef struct hd_mach_effects {
   unsigned num;
   struct {
      uint8_t producer;
      uint16_t effect;
   } list[HD_MACH_MAX_EFFECTS];
} hd_mach_effects;

struct hd_mach_hazard_state;

typedef struct hd_mach_hazards {
   const hd_mach_hazard *rules;
   unsigned num_rules;
   unsigned variant; /* rules hold that have this bit */
   /* Where the numbers of each producer's effects begin, and after the last one's where they end. */
   const uint16_t *first_effect;
   unsigned num_producers;
   /* How long it takes; 0: it is no instruction. */
   unsigned (*wait_states)(const hd_mach_inst *inst);
   /* By hd_mach_add_effects. */
   void (*find_effects)(const struct hd_mach_hazards *rows, const hd_mach_inst *inst,
                        hd_mach_effects *effects);
   /* When that was done last which `inst`, as the rule's consumer, must not see too early, by
    * hd_mach_latest_effect; 0: never, or it does not see it.
    */
   uint64_t (*seen)(const struct hd_mach_hazard_state *h, const hd_mach_hazard *rule,
                    const hd_mach_inst *inst);
   /* The instruction that takes so many wait states, in no block. */
   hd_mach_inst *(*nop)(hd_mach_program *p, unsigned states);
} hd_mach_hazards;

void hd_mach_add_effects(const hd_mach_hazards *rows, hd_mach_effects *effects, unsigned producer,
                         unsigned first, unsigned num);
/* When the latest of these effects was done. */
uint64_t hd_mach_latest_effect(const struct hd_mach_hazard_state *h, unsigned producer,
                               unsigned first, unsigned num);

/* Requires registers, no pseudo ops but p_start, linear edges, blocks in order, and the other
 * instructions in place. Unwinds.
 */
void hd_mach_separate(hd_mach_program *p, const hd_mach_hazards *rows);

#endif
