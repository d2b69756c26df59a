/* SPDX-License-Identifier: MIT */
/* gcn_cell.h - options of hd_gcn_compile, chosen by a number of 16 bits. */
#ifndef TESTS_FUZZ_GCN_CELL_H
#define TESTS_FUZZ_GCN_CELL_H

#include "heddle/gcn.h"

static inline hd_gcn_options
gcn_options_of(unsigned choice)
{
   static const uint32_t sgprs[] = { 0, 0, 40, 64 }, vgprs[] = { 0, 0, 20, 32 };

   return (hd_gcn_options){
      .target = (hd_gcn_gen)(choice % HD_GCN_NUM_GENS),
      .lowering = choice >> 2 & 1 ? HD_GCN_LOWERING_RECONVERGING : HD_GCN_LOWERING_TREE,
      .skip = (hd_gcn_skip)((choice >> 3 & 3) % 3),
      .max_sgprs = sgprs[choice >> 5 & 3],
      .max_vgprs = vgprs[choice >> 7 & 3],
      .no_schedule = choice >> 9 & 1,
      .keep_text = choice >> 10 & 1,
      .verify_regalloc = true,
   };
}

#endif
