/* SPDX-License-Identifier: MIT */
/* target.h - interface of a backend: its targets and how to compile for them. */
#ifndef HD_BACKEND_TARGET_H
#define HD_BACKEND_TARGET_H

#include "heddle/target.h"

/* What all targets of a backend share. */
typedef struct hd_backend {
   const char *name;
   const hd_target *targets;
   unsigned num_targets;
   unsigned lanes;
   /* Compile, and fill in all of `binary` but its target. The options are never NULL. */
   hd_result (*compile)(const hd_shader *shader, const hd_target *target,
                        const hd_compile_options *options, hd_target_binary *binary);
   /* Destroy `own` of a binary. */
   void (*destroy)(const void *own);
} hd_backend;

struct hd_target {
   const char *name;
   const char *description;
   const hd_backend *backend;
   unsigned variant; /* as the backend counts */
};

/* Each backend NAME defines hd_NAME_backend. Meson makes the list of those that are built, a row
 * BACKEND(NAME) each.
 */
#define BACKEND(name) extern const hd_backend hd_##name##_backend;
#include "backend/backend_list.h"
#undef BACKEND

#endif
