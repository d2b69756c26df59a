/* SPDX-License-Identifier: MIT */
/* verify_slots.h - verify the addresses of spill slots. Shares nothing with lower_pseudo.c. */
#ifndef HEDDLE_BACKEND_GCN_VERIFY_SLOTS_H
#define HEDDLE_BACKEND_GCN_VERIFY_SLOTS_H

#include "backend/gcn/program.h"

/* What p_spill and p_reload ask for, written down before they are lowered. Lives in the program's
 * memory.
 */
const hd_gcn_slots *hd_gcn_slots_note(const hd_mach_program *p);

/* After lowering: each access that was made for a slot goes to the address, or the lane of a vector
 * register, that is the slot's, and no slot lies in the shader's own scratch memory or in another
 * one. False: a diagnostic says which does not.
 */
bool hd_gcn_slots_check(hd_mach_program *p, const hd_gcn_slots *slots);

#endif
