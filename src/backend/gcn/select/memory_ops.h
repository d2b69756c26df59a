/* SPDX-License-Identifier: MIT */
/* memory_ops.h - which instruction does a memory access. Generated from their names; HD_GCN_OP_NONE where
 * there is none.
 */
#ifndef HEDDLE_BACKEND_GCN_SELECT_MEMORY_OPS_H
#define HEDDLE_BACKEND_GCN_SELECT_MEMORY_OPS_H

#include "backend/gcn/isa/isa.h"
#include "heddle/ops.h"

/* Atomics by hd_atomic_op, and behind them compare and swap. */
enum { HD_GCN_COMPARE_SWAP = HD_ATOMIC_FADD + 1, HD_GCN_NUM_ATOMICS };

/* Ways to memory: LDS without the old value, and with it; images. */
typedef enum hd_gcn_way {
   HD_GCN_BY_MUBUF,
   HD_GCN_BY_FLAT,
   HD_GCN_BY_GLOBAL,
   HD_GCN_BY_DS,
   HD_GCN_BY_DS_RTN,
   HD_GCN_BY_MIMG,
   HD_GCN_NUM_WAYS,
} hd_gcn_way;

/* By whether it stores, the way (up to GLOBAL), and the size: 1, 2, 4, 8, 12, 16 bytes. */
extern const uint16_t hd_gcn_access_ops[2][3][6];
/* Of 32 and of 64 bits. */
extern const uint16_t hd_gcn_atomic_ops[HD_GCN_NUM_ATOMICS][HD_GCN_NUM_WAYS][2];
/* Of texel buffers, by whether it stores, whether components are of 16 bits, and how many they are - 1. */
extern const uint16_t hd_gcn_format_ops[2][2][4];

#endif
