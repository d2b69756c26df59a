/* SPDX-License-Identifier: MIT */
/* reference.h - the reference of ops, intrinsics and indices as data: doc/ops.md for programs.
 *
 * In libheddle-tools: a driver needs what ops.h says, not the sentences. No function fails, and
 * none answers NULL; the texts are static.
 */
#ifndef HEDDLE_REFERENCE_H
#define HEDDLE_REFERENCE_H

#include "heddle/ops.h"

HD_BEGIN_DECLS

typedef struct hd_reference {
   const char *signature; /* "u:N, u:N -> u:N" */
   const char *meaning;   /* a sentence */
   const char *note;      /* what happens at the edges, and more; or "" */
} hd_reference;

/* For what is no op or no intrinsic all three texts are "". */
HD_API const hd_reference *hd_op_get_reference(hd_op op);
HD_API const hd_reference *hd_intrinsic_get_reference(hd_intrinsic_id id);

/* A sentence; "" for what is no index. */
HD_API const char *hd_index_get_description(hd_index index);

/* What value number `value` of an enumeration, or that bit of flags, means: value `values[value]`
 * of hd_index_info. "" where there is none.
 */
HD_API const char *hd_index_value_get_description(hd_index index, unsigned value);

HD_END_DECLS

#endif
