/* SPDX-License-Identifier: MIT */
/* straighten.h - what is done once copies are where they will be. */
#ifndef HEDDLE_BACKEND_GCN_STRAIGHTEN_H
#define HEDDLE_BACKEND_GCN_STRAIGHTEN_H

#include "backend/gcn/code.h"

/* Instructions that make exec or masks for nobody go. True if some did. */
bool hd_gcn_exec_late(hd_gcn_program *p);
/* Branches on exec read scc, where it says the same. */
void hd_gcn_branches_on_scc(hd_gcn_program *p);

#endif
