/* SPDX-License-Identifier: MIT */
/* live_scalars.h - liveness of scalar registers after register allocation, when they have several definitions. */
#ifndef HEDDLE_MACHINE_LIVE_SCALARS_H
#define HEDDLE_MACHINE_LIVE_SCALARS_H

#include "machine/program.h"

/* Registers below this number, and the flag: what is looked at. A machine whose masks are cleaned has all
 * that values of the linear flow and masks can be in there.
 */
#define HD_MACH_MAX_SCALARS 128u

typedef struct hd_mach_scalars {
   uint64_t words[HD_MACH_MAX_SCALARS / 64];
   bool flag;
} hd_mach_scalars;

/* Along linear edges: what is live at the end of each block, by index. */
hd_mach_scalars *hd_mach_live_scalars(hd_mach_program *p);

/* From after the instruction to before it. */
void hd_mach_live_scalars_before(const hd_mach *mach, hd_mach_scalars *live,
                                 const hd_mach_inst *inst);
/* Whether there are more than before in `to`. */
bool hd_mach_scalars_unite(hd_mach_scalars *to, const hd_mach_scalars *from);

static inline bool
hd_mach_scalar_is_live(const hd_mach_scalars *live, unsigned reg)
{
   return live->words[reg / 64] >> reg % 64 & 1;
}

#endif
