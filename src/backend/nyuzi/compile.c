/* SPDX-License-Identifier: MIT */
/* compile.c - compile a shader to a binary: the order of the phases, and their results. */
#include <string.h>

#include "backend/nyuzi/program.h"
#include "ir/private.h"
#include "machine/compile.h"

static const hd_mach_phase phases[] = {
   { "select", hd_nyuzi_select, NULL, false },
   { "exec_mask", hd_mach_exec_mask, NULL, false },
   { "rebuild_ssa", hd_mach_rebuild_ssa, NULL, false },
   { "spill", hd_mach_spill, NULL, false },
   { "regalloc", hd_mach_regalloc, NULL, false },
   { "verify_ra", hd_mach_verify_ra, NULL, true },
   { "copy_propagate", hd_mach_copy_propagate, NULL, false },
   { "lower_copies", hd_nyuzi_lower_copies, NULL, false },
   { "assign_masks", hd_nyuzi_assign_masks, NULL, false },
   { "straighten", hd_mach_straighten, NULL, false },
   { "rename_masks", hd_nyuzi_rename_masks, NULL, false },
};

static hd_result
finish(hd_mach_program *p, hd_blob *blobs, void *made)
{
   const hd_nyuzi_program *nyuzi = hd_nyuzi_of(p);
   hd_nyuzi_binary *binary = made;

   binary->code = (const uint32_t *)(const void *)blobs[HD_MACH_CODE].data;
   binary->code_words = (uint32_t)(blobs[HD_MACH_CODE].size / 4);
   binary->text = blobs[HD_MACH_TEXT].data;
   binary->constants = blobs[HD_MACH_CONSTANTS].data;
   binary->constants_size = p->shader->constants_size;
   binary->bindings = (const hd_buffer_binding *)(const void *)blobs[HD_MACH_BINDINGS].data;
   binary->num_bindings = nyuzi->buffers.num_bindings;
   binary->num_buffers = nyuzi->buffers.num;
   binary->scratch_size =
       (p->scratch_size * HD_NYUZI_LANES + 4 * nyuzi->scalar_slots + 63) & ~UINT32_C(63);
   binary->shared_size = p->shader->shared_size;
   memcpy(binary->workgroup_size, p->shader->workgroup_size, sizeof(binary->workgroup_size));
   binary->stats = nyuzi->stats;
   binary->stats.scalars = p->used[HD_NYUZI_SCALAR];
   binary->stats.vectors = p->used[HD_NYUZI_VECTOR];
   binary->stats.spilled_scalars = p->spilled[HD_NYUZI_SCALAR];
   binary->stats.spilled_vectors = p->spilled[HD_NYUZI_VECTOR];
   return HD_OK;
}

/* The least that calls of one instruction and loops over lanes take. */
#define LEAST_SCALARS 12u
#define LEAST_VECTORS 6u

static bool
options_fit(hd_mach_program *p)
{
   const hd_nyuzi_options *o = hd_nyuzi_of(p)->options;

   if ((unsigned)o->skip > HD_NYUZI_SKIP_NEVER)
      return hd_mach_refuse(p, NULL, "the option skip is %u, expected 0 to %u", (unsigned)o->skip,
                            (unsigned)HD_NYUZI_SKIP_NEVER);
   if (o->max_scalars > HD_NYUZI_MAX_SCALARS || o->max_vectors > HD_NYUZI_MAX_VECTORS)
      return hd_mach_refuse(
          p, NULL,
          "limits of %u scalar and %u vector registers are given, the machine has %u and %u",
          o->max_scalars, o->max_vectors, HD_NYUZI_MAX_SCALARS, HD_NYUZI_MAX_VECTORS);
   if ((o->max_scalars && o->max_scalars < LEAST_SCALARS) ||
       (o->max_vectors && o->max_vectors < LEAST_VECTORS))
      return hd_mach_refuse(
          p, NULL,
          "limits of %u scalar and %u vector registers are given, code needs at least %u and %u",
          o->max_scalars, o->max_vectors, LEAST_SCALARS, LEAST_VECTORS);
   return true;
}

static hd_result
standard_passes(const hd_mach_program *p, bool quick, hd_pass_list *list, hd_diag_sink diag)
{
   (void)p;
   return hd_pass_list_parse(list, quick ? "nyuzi_quick" : "nyuzi", diag);
}

const hd_mach_compiler hd_nyuzi_compiler = {
   .phases = phases,
   .num_phases = sizeof(phases) / sizeof(phases[0]),
   .standard_passes = standard_passes,
   .options_fit = options_fit,
   .encode = hd_nyuzi_encode_program,
   .listing = &hd_nyuzi_listing,
   .buffers = offsetof(hd_nyuzi_program, buffers),
   .finish = finish,
   .binary_size = sizeof(hd_nyuzi_binary),
};

hd_result
hd_nyuzi_compile_as(const hd_shader *shader, unsigned variant, const void *own,
                    const hd_mach_request *request, void **binary)
{
   static const hd_nyuzi_options none;
   hd_nyuzi_program program = {
      .mach = { .shader = (hd_shader *)shader, .mach = &hd_nyuzi_mach, .hooks = &hd_nyuzi_hooks },
      .options = own ? own : &none
   };

   (void)variant;
   return hd_mach_compile(&program.mach, &hd_nyuzi_compiler, request, binary);
}

hd_result
hd_nyuzi_compile(const hd_shader *shader, const hd_nyuzi_options *options, hd_nyuzi_binary **out)
{
   static const hd_nyuzi_options none;
   const hd_mach_request request = HD_MACH_REQUEST(options ? options : &none);
   void *binary;
   const hd_result result = hd_nyuzi_compile_as(shader, 0, options, &request, &binary);

   *out = binary;
   return result;
}

void
hd_nyuzi_binary_destroy(hd_nyuzi_binary *binary)
{
   hd_mach_binary_destroy(binary);
}
