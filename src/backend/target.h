/* SPDX-License-Identifier: MIT */
/* target.h - interface of a backend: its targets and how to compile for them. */
#ifndef HD_BACKEND_TARGET_H
#define HD_BACKEND_TARGET_H

#include "heddle/target.h"
#include "machine/compile.h"

/* What all targets of a backend share. */
typedef struct hd_backend {
   const char *name;
   const hd_target *targets;
   unsigned num_targets;
   /* As hd_mach_compile. `own` are the options of the machine, of which what `request` has is not read;
    * NULL: none.
    */
   hd_result (*compile)(const hd_shader *shader, unsigned variant, const void *own,
                        const hd_mach_request *request, void **binary);
   /* What is alike on all machines, of the binary `own`. */
   void (*describe)(const void *own, hd_target_binary *binary);
} hd_backend;

struct hd_target {
   const char *name;
   const char *description;
   const hd_backend *backend;
   unsigned variant; /* as the backend counts */
   unsigned lanes;   /* of a wave */
};

/* Each backend NAME defines hd_NAME_backend. Meson makes the list of those that are built, a row
 * BACKEND(NAME) each.
 */
#define BACKEND(name) extern const hd_backend hd_##name##_backend;
#include "backend/backend_list.h"
#undef BACKEND

#endif
