/* SPDX-License-Identifier: MIT */
/* wait_fields.h - the operand of s_waitcnt: a count for each counter. */
#ifndef HEDDLE_BACKEND_GCN_ISA_WAIT_FIELDS_H
#define HEDDLE_BACKEND_GCN_ISA_WAIT_FIELDS_H

#include "backend/gcn/program.h"

typedef enum hd_gcn_counter {
   HD_GCN_VMCNT,
   HD_GCN_LGKMCNT,
   HD_GCN_EXPCNT,
   HD_GCN_NUM_COUNTERS,
} hd_gcn_counter;

/* Names by counter, and the order in which the text has them. */
extern const char *const hd_gcn_counter_names[HD_GCN_NUM_COUNTERS];
extern const uint8_t hd_gcn_counters_in_text[HD_GCN_NUM_COUNTERS];

/* The most that a counter of the target can be waited down to: all that is more is no wait. */
unsigned hd_gcn_no_wait(const hd_gcn_target *target, hd_gcn_counter counter);

/* The immediate, both ways. */
int32_t hd_gcn_wait_pack(const hd_gcn_target *target, const uint8_t counts[HD_GCN_NUM_COUNTERS]);
void hd_gcn_wait_unpack(const hd_gcn_target *target, int32_t imm,
                        uint8_t counts[HD_GCN_NUM_COUNTERS]);

#endif
