/* SPDX-License-Identifier: MIT */
/* arg_kinds.c - kinds of kernel arguments: their names in metadata, and where hidden ones are. */
#include "backend/gcn/object/arg_kinds.h"

#define NONE HD_GCN_NOT_HIDDEN

const hd_gcn_arg_row hd_gcn_arg_rows[HD_GCN_NUM_ARG_ROWS] = {
   { "by_value", HD_GCN_ARG_VALUE, 0, NONE, NONE },
   { "global_buffer", HD_GCN_ARG_GLOBAL_BUFFER, 0, NONE, NONE },
   { "dynamic_shared_pointer", HD_GCN_ARG_SHARED_POINTER, 0, NONE, NONE },
   { "image", HD_GCN_ARG_IMAGE, 0, NONE, NONE },
   { "sampler", HD_GCN_ARG_SAMPLER, 0, NONE, NONE },
   { "pipe", HD_GCN_ARG_PIPE, 0, NONE, NONE },
   { "queue", HD_GCN_ARG_QUEUE, 0, NONE, NONE },
   { "hidden_block_count_x", HD_GCN_ARG_BLOCK_COUNT_X, 4, 0, NONE },
   { "hidden_block_count_y", HD_GCN_ARG_BLOCK_COUNT_Y, 4, 4, NONE },
   { "hidden_block_count_z", HD_GCN_ARG_BLOCK_COUNT_Z, 4, 8, NONE },
   { "hidden_group_size_x", HD_GCN_ARG_GROUP_SIZE_X, 2, 12, NONE },
   { "hidden_group_size_y", HD_GCN_ARG_GROUP_SIZE_Y, 2, 14, NONE },
   { "hidden_group_size_z", HD_GCN_ARG_GROUP_SIZE_Z, 2, 16, NONE },
   { "hidden_remainder_x", HD_GCN_ARG_REMAINDER_X, 2, 18, NONE },
   { "hidden_remainder_y", HD_GCN_ARG_REMAINDER_Y, 2, 20, NONE },
   { "hidden_remainder_z", HD_GCN_ARG_REMAINDER_Z, 2, 22, NONE },
   { "hidden_global_offset_x", HD_GCN_ARG_GLOBAL_OFFSET_X, 8, 40, 0 },
   { "hidden_global_offset_y", HD_GCN_ARG_GLOBAL_OFFSET_Y, 8, 48, 8 },
   { "hidden_global_offset_z", HD_GCN_ARG_GLOBAL_OFFSET_Z, 8, 56, 16 },
   { "hidden_grid_dims", HD_GCN_ARG_GRID_DIMS, 2, 64, NONE },
   { "hidden_dynamic_lds_size", HD_GCN_ARG_DYNAMIC_LDS_SIZE, 4, 120, NONE },
   { "hidden_private_base", HD_GCN_ARG_PRIVATE_BASE, 4, 192, NONE },
   { "hidden_shared_base", HD_GCN_ARG_SHARED_BASE, 4, 196, NONE },
   { "hidden_queue_ptr", HD_GCN_ARG_QUEUE_PTR, 8, 200, NONE },
};
