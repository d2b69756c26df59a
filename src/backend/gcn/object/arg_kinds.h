/* SPDX-License-Identifier: MIT */
/* arg_kinds.h - kinds of kernel arguments: their names in metadata, and where hidden ones are. */
#ifndef HEDDLE_BACKEND_GCN_OBJECT_ARG_KINDS_H
#define HEDDLE_BACKEND_GCN_OBJECT_ARG_KINDS_H

#include "heddle/gcn_object.h"

#define HD_GCN_NOT_HIDDEN 0xffu

typedef struct hd_gcn_arg_row {
   const char *name;
   hd_gcn_arg_kind kind;
   uint8_t size;
   /* After the explicit arguments, by version of the code object: HD_GCN_NOT_HIDDEN where it has none
    * there.
    */
   uint8_t offset_v5, offset_v3;
} hd_gcn_arg_row;

#define HD_GCN_NUM_ARG_ROWS 24u

/* Hidden ones by their place in version 5. */
extern const hd_gcn_arg_row hd_gcn_arg_rows[HD_GCN_NUM_ARG_ROWS];

#endif
