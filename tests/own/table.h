/* SPDX-License-Identifier: MIT */
/* table.h - a table of own intrinsics with each property, for tests. */
#ifndef TESTS_OWN_TABLE_H
#define TESTS_OWN_TABLE_H

#include "heddle/heddle.h"

/* In the order of the rows. */
#define OWN_CROSS   HD_OWN_INTRINSIC(0)
#define OWN_PURE    HD_OWN_INTRINSIC(1)
#define OWN_READ    HD_OWN_INTRINSIC(2)
#define OWN_UNIFORM HD_OWN_INTRINSIC(3)
#define OWN_WRITE   HD_OWN_INTRINSIC(4)
#define NUM_OWN     5u

#define X_32(name, flags) HD_TYPE(name, RAW, 32, 1, flags)

static const hd_type_info own_value[] = { X_32("value", 0) };
static const hd_type_info own_address[] = { X_32("address", HD_OPERAND_DEFINED) };
static const hd_type_info own_value_address[] = { X_32("value", 0),
                                                  X_32("address", HD_OPERAND_DEFINED) };
static const hd_type_info own_value_lane[] = {
   { .name = "value",
     .kind = HD_KIND_RAW,
     .sizes = 16 | 32,
     .size_variable = 'D',
     .min_components = 1,
     .max_components = 16,
     .linked = true },
   X_32("lane", HD_OPERAND_UNIFORM | HD_OPERAND_DEFINED),
};

static const hd_own_intrinsic own_rows[NUM_OWN] = {
   { .info = { HD_INTRINSIC_NAME("own_cross"),
               .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CROSS_LANE,
               .divergence = HD_DIVERGENCE_DIVERGENT, .stages = HD_ALL_STAGES, .num_srcs = 1,
               .result = X_32("result", 0), .src = own_value } },
   { .info = { HD_INTRINSIC_NAME("own_pure"),
               .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CAN_SPECULATE,
               .divergence = HD_DIVERGENCE_OPERANDS, .stages = HD_ALL_STAGES, .num_srcs = 1,
               .result = X_32("result", 0), .src = own_value } },
   { .info = { HD_INTRINSIC_NAME("own_read"),
               .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CAN_SPECULATE_BY_ACCESS,
               .reads = HD_MEMORY_SHARED, .divergence = HD_DIVERGENCE_MEMORY,
               .stages = HD_ALL_STAGES, .num_srcs = 1, .num_indices = 2,
               .indices = { HD_INDEX_OFFSET, HD_INDEX_ACCESS },
               .slots = { [HD_INDEX_OFFSET] = 1, [HD_INDEX_ACCESS] = 2 },
               .result = X_32("result", 0), .src = own_address } },
   { .info = { HD_INTRINSIC_NAME("own_uniform"),
               .flags = HD_HAS_RESULT | HD_CAN_ELIMINATE | HD_CROSS_LANE,
               .divergence = HD_DIVERGENCE_UNIFORM, .stages = HD_ALL_STAGES, .num_srcs = 2,
               .result = { .name = "result",
                           .kind = HD_KIND_RAW,
                           .sizes = 16 | 32,
                           .size_variable = 'D',
                           .min_components = 1,
                           .max_components = 16,
                           .linked = true },
               .src = own_value_lane } },
   { .info = { HD_INTRINSIC_NAME("own_write"), .flags = HD_EFFECT_WRITE, .writes = HD_MEMORY_SHARED,
               .helpers = HD_HELPER_SKIP, .stages = HD_ALL_STAGES, .num_srcs = 2,
               .src = own_value_address } },
};

static const hd_intrinsic_table own_table = { .rows = own_rows, .num_rows = NUM_OWN };

#endif
