/* SPDX-License-Identifier: MIT */
/* params.h - where parameters of the entry are in the kernarg segment. */
#ifndef HEDDLE_BACKEND_GCN_PARAMS_H
#define HEDDLE_BACKEND_GCN_PARAMS_H

#include "heddle/ir.h"

/* The offset of the next parameter; *end is where the segment ends, before and after. */
uint32_t hd_gcn_param_place(uint32_t *end, unsigned num_components, unsigned bit_size);

/* Parameters of the entry become loads of kernel arguments; kernarg_size grows by them. Unwinds. An
 * entry that is called keeps them.
 */
void hd_gcn_lower_params(hd_shader *shader);

#endif
