/* SPDX-License-Identifier: MIT */
/* exec.h - exec and masks, where GCN has better instructions than masks in general. */
#ifndef HEDDLE_BACKEND_GCN_EXEC_EXEC_H
#define HEDDLE_BACKEND_GCN_EXEC_EXEC_H

#include "backend/gcn/program.h"

/* compare.c: the op of VOPC that is true where this one is false, and the one that writes exec
 * besides. HD_GCN_OP_NONE where there is none.
 */
unsigned hd_gcn_inverse_compare(unsigned op);
unsigned hd_gcn_exec_compare(unsigned op);

/* dead_exec_writes.c: dead instructions that write exec or masks. Blocks at whose end
 * copies of vector values may still come count as readers.
 */
void hd_gcn_exec_clean(hd_mach_program *p);

#endif
