/* SPDX-License-Identifier: MIT */
/* wqm.h - a checker of whole quad mode in machine code, which shares nothing with what makes the code.
 *
 * It follows one lane that is a helper from the start through all paths of the bytes: of each scalar register that
 * lane's bit, as a boolean function of what is not known. Where the lane may run there must be no store, atomic or
 * export (stores to a lane's own scratch memory apart), and where it cannot run there must be nothing that reads the
 * lanes of a quad: no derivative, and no sample whose level is that of the quad.
 */
#ifndef TESTS_BACKEND_GCN_WQM_H
#define TESTS_BACKEND_GCN_WQM_H

#include "heddle/gcn.h"

/* NULL: nothing is wrong. Else what is, with the text of the instruction; good until the next call. `scratch` is the
 * first user SGPR of the resource of scratch memory, or HD_GCN_NO_SGPR. *places grows by one and how many instructions
 * were held to one of the two rules; not at all where the functions become too many.
 */
const char *wrong_quad_mode(const hd_gcn_binary *binary, unsigned scratch, unsigned *places);

#endif
