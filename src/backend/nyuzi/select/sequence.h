/* SPDX-License-Identifier: MIT */
/* sequence.h - ops and some intrinsics as the table of sequences says. */
#ifndef HEDDLE_BACKEND_NYUZI_SELECT_SEQUENCE_H
#define HEDDLE_BACKEND_NYUZI_SELECT_SEQUENCE_H

#include "backend/nyuzi/select/select.h"
#include "machine/sequence.h"

extern const hd_mach_sequences hd_nyuzi_sequences;

/* Emit what the row of this op and sizes says, on these operands. False: there is none. */
bool hd_nyuzi_run_sequence(hd_nyuzi_selector *s, unsigned op, unsigned from, unsigned to,
                           const hd_src *srcs, hd_mach_operand results[HD_MACH_MAX_RESULTS]);
/* The same for an intrinsic; without a row it is refused. */
bool hd_nyuzi_run_intrinsic(hd_nyuzi_selector *s, const hd_intrinsic *i,
                            hd_mach_operand results[HD_MACH_MAX_RESULTS]);

#endif
