/* SPDX-License-Identifier: MIT */
/* last_reads.h - where registers are read for the last time, after register allocation, when they have several
 * definitions.
 */
#ifndef HEDDLE_MACHINE_LAST_READS_H
#define HEDDLE_MACHINE_LAST_READS_H

#include "machine/program.h"

/* Sets HD_MACH_OPERAND_KILL of the sources, and of no others, whose register no path along edges of this kind
 * reads before it is written. Of several sources of an instruction in one register, all have it. Registers from
 * HD_MACH_MAX_REGS on are left out.
 */
void hd_mach_mark_last_reads(hd_mach_program *p, hd_mach_edge_kind kind);

#endif
