/* SPDX-License-Identifier: MIT */
/* wqm.h - a checker of whole quad mode in machine code, which shares nothing with what makes the code.
 *
 * Symbolic execution of one lane that is a helper from the start, over all paths of the code: the states in which it can come to
 * an instruction, of its bits in the scalar registers that exec may be made of, are one boolean function; no path is
 * possible that is not in it, and what other lanes do is any. Two rules: where the helper may be active there is no store, atomic
 * or export (except stores to the lane's own scratch memory); where it is never active, but a lane that is none may be, there is
 * no instruction that reads the lanes of a quad: a derivative, or a sample with implicit level of detail.
 */
#ifndef TESTS_BACKEND_GCN_WQM_H
#define TESTS_BACKEND_GCN_WQM_H

#include "heddle/gcn.h"

/* NULL: both rules hold. Else the violation, with the text of the instruction; valid until the next call. `scratch` is the
 * first user SGPR of the resource of scratch memory, or HD_GCN_NO_SGPR. If the shader itself `branches` by whether a lane is
 * a helper, the second rule does not apply. *places is increased by one plus the number of instructions that were checked; it
 * is not increased if there are too many boolean functions.
 */
const char *wrong_quad_mode(const hd_gcn_binary *binary, unsigned scratch, bool branches,
                            unsigned *places);

#endif
