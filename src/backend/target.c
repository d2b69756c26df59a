/* SPDX-License-Identifier: MIT */
/* target.c - registry of targets of all backends; hd_compile calls the backend of a target. */
#include "backend/target.h"

#include <string.h>

#include "ir/private.h"
#include "util/memory.h"
#include "util/quote.h"

/* One of them may be the only one, or there is none. */
static const hd_backend *const backends[] = {
#define BACKEND(name) &hd_##name##_backend,
#include "backend/backend_list.h"
#undef BACKEND
   NULL,
};

unsigned
hd_num_targets(void)
{
   unsigned num = 0;

   for (const hd_backend *const *b = backends; *b; b++)
      num += (*b)->num_targets;
   return num;
}

const hd_target *
hd_target_get(unsigned n)
{
   for (const hd_backend *const *b = backends; *b; b++) {
      if (n < (*b)->num_targets)
         return &(*b)->targets[n];
      n -= (*b)->num_targets;
   }
   return NULL;
}

const hd_target *
hd_target_find(const char *name)
{
   const hd_target *target;

   for (unsigned n = 0; name && (target = hd_target_get(n)); n++) {
      if (!strcmp(target->name, name))
         return target;
   }
   return NULL;
}

const char *
hd_target_get_name(const hd_target *target)
{
   return target->name;
}

const char *
hd_target_get_description(const hd_target *target)
{
   return target->description;
}

const char *
hd_target_get_backend(const hd_target *target)
{
   return target->backend->name;
}

unsigned
hd_target_get_lanes(const hd_target *target)
{
   return target->lanes;
}

/* What the caller sees, and where its memory comes from. */
struct kept {
   hd_target_binary binary;
   hd_config config;
};

static hd_result
refuse(const hd_shader *shader, const hd_compile_options *options, const char *message)
{
   const hd_diag_sink *sink =
       options->diag.report ? &options->diag : &hd_shader_config(shader)->diag;

   hd_diag_send(sink, &(hd_diag){ .severity = HD_ERROR, .message = message });
   return HD_INVALID;
}

hd_result
hd_compile(const hd_shader *shader, const hd_target *target, const hd_compile_options *options,
           hd_target_binary **binary)
{
   static const hd_compile_options none;
   hd_heap heap;

   if (!options)
      options = &none;
   *binary = NULL;
   if (!target)
      return refuse(shader, options, "expected a target, found NULL");
   if ((unsigned)options->optimization > HD_OPTIMIZE_QUICK)
      return refuse(shader, options, "expected a level of optimisation of hd_optimization");
   hd_heap_init(&heap, hd_shader_config(shader));
   struct kept *kept = hd_heap_alloc(&heap, sizeof(*kept));
   if (!kept)
      return HD_OUT_OF_MEMORY;
   *kept = (struct kept){ .binary.target = target, .config = heap.config };
   const hd_mach_request request = { .passes = options->passes,
                                     .quick = options->optimization == HD_OPTIMIZE_QUICK,
                                     .check = options->verify_regalloc,
                                     .keep_text = options->keep_text,
                                     .diag = options->diag,
                                     .observer = options->observer,
                                     .user = options->user,
                                     .after_phase = options->after_phase };
   void *own;
   const hd_result result =
       target->backend->compile(shader, target->variant, options->own, &request, &own);
   if (result != HD_OK) {
      hd_heap_free(&heap, kept, sizeof(*kept));
      return result;
   }
   kept->binary.own = own;
   target->backend->describe(own, &kept->binary);
   *binary = &kept->binary;
   return HD_OK;
}

void
hd_target_binary_destroy(hd_target_binary *binary)
{
   struct kept *kept = (struct kept *)binary;
   hd_heap heap;

   if (!binary)
      return;
   hd_mach_binary_destroy((void *)binary->own);
   hd_heap_init(&heap, &kept->config);
   heap.reserved = sizeof(*kept);
   hd_heap_free(&heap, kept, sizeof(*kept));
}
