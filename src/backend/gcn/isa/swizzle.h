/* SPDX-License-Identifier: MIT */
/* swizzle.h - the offset of ds_swizzle_b32 as a pattern of lanes.
 *
 *    1 0 0 0 0 0 0 0 | l3 l2 l1 l0     lane l(i & 3) of each quad
 *    0 | xor or and (5 bits each)      ((i & and) | or) ^ xor of each 32
 */
#ifndef HEDDLE_BACKEND_GCN_ISA_SWIZZLE_H
#define HEDDLE_BACKEND_GCN_ISA_SWIZZLE_H

#define HD_GCN_SWIZZLE_QUAD      0x8000u
#define HD_GCN_SWIZZLE_QUAD_MASK 0xff00u

#endif
