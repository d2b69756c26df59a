/* SPDX-License-Identifier: MIT */
/* compile.c - compile a shader to a binary: the order of the phases, and their results. */
#include <string.h>

#include "backend/gen9/program.h"
#include "ir/private.h"
#include "machine/compile.h"
#include "machine/flow/flow.h"

static bool
by_structure(const hd_mach_program *p)
{
   return hd_gen9_of(p)->options->lowering == HD_GEN9_LOWERING_STRUCTURED;
}

static bool
by_numbers(const hd_mach_program *p)
{
   return !by_structure(p);
}

/* Or select again, without any. */
static bool
fit_scalars(hd_mach_program *p)
{
   return hd_mach_fit_scalars(p, hd_gen9_select);
}

static const hd_mach_phase phases[] = {
   { "select", hd_gen9_select, NULL, false },
   { "structured", hd_mach_structured_flow, by_structure, false },
   { "block_numbers", hd_mach_linear, by_numbers, false },
   { "rebuild_ssa", hd_mach_rebuild_ssa, NULL, false },
   { "fit_scalars", fit_scalars, by_structure, false },
   { "spill", hd_mach_spill, NULL, false },
   { "regalloc", hd_mach_regalloc, NULL, false },
   { "verify_ra", hd_mach_verify_ra, NULL, true },
   { "copy_propagate", hd_mach_copy_propagate, NULL, false },
   { "lower_copies", hd_gen9_lower_copies, NULL, false },
   { "drop_empty", hd_mach_linear_drop_empty, by_numbers, false },
   { "straighten", hd_mach_straighten, by_numbers, false },
};

static hd_result
finish(hd_mach_program *p, hd_blob *blobs, void *made)
{
   const hd_gen9_program *gen9 = hd_gen9_of(p);
   hd_gen9_binary *binary = made;

   binary->code = blobs[HD_MACH_CODE].data;
   binary->code_size = (uint32_t)blobs[HD_MACH_CODE].size;
   binary->text = blobs[HD_MACH_TEXT].data;
   binary->constants = blobs[HD_MACH_CONSTANTS].data;
   binary->constants_size = p->shader->constants_size;
   binary->bindings = (const hd_buffer_binding *)(const void *)blobs[HD_MACH_BINDINGS].data;
   binary->num_bindings = gen9->buffers.num_bindings;
   binary->num_buffers = gen9->buffers.num;
   binary->lanes = gen9->width->lanes;
   binary->scratch_size =
       (p->scratch_size * gen9->width->lanes + 4 * gen9->scalar_slots + 31) & ~UINT32_C(31);
   binary->shared_size = p->shader->shared_size;
   memcpy(binary->workgroup_size, p->shader->workgroup_size, sizeof(binary->workgroup_size));
   binary->stats = gen9->stats;
   binary->stats.registers =
       p->used[HD_GEN9_VECTOR]
           ? hd_gen9_grf_number(gen9->width, HD_GEN9_V0 + p->used[HD_GEN9_VECTOR])
           : 0;
   binary->stats.scalars = p->used[HD_GEN9_UNIFORM];
   binary->stats.spilled = p->spilled[HD_GEN9_VECTOR] + p->spilled[HD_GEN9_UNIFORM];
   return HD_OK;
}

/* The least that messages of several operands take. */
#define LEAST_REGISTERS 8u
#define LEAST_SCALARS   8u

static bool
options_fit(hd_mach_program *p)
{
   const hd_gen9_options *o = hd_gen9_of(p)->options;
   const hd_gen9_width *width = hd_gen9_of(p)->width;
   const unsigned most = width->grfs * width->values, least = width->grfs * LEAST_REGISTERS;

   if ((unsigned)o->lowering > HD_GEN9_LOWERING_BLOCK_NUMBERS)
      return hd_mach_refuse(p, NULL, "lowering %u: expected a value of hd_gen9_lowering",
                            (unsigned)o->lowering);
   if (o->lanes && o->lanes != width->lanes)
      return hd_mach_refuse(p, NULL, "%u lanes: expected 8, 16, or 0 for those of the target",
                            o->lanes);
   return hd_mach_limit_fits(p, "registers", o->max_registers, least, most) &&
          hd_mach_limit_fits(p, "scalars", o->max_scalars, LEAST_SCALARS, HD_GEN9_NUM_UNIFORM);
}

static hd_result
standard_passes(const hd_mach_program *p, bool quick, hd_pass_list *list, hd_diag_sink diag)
{
   if (by_structure(p))
      return hd_pass_list_parse(list, quick ? "gen9_quick" : "gen9", diag);
   const hd_result result = hd_mach_needs_tree(p->shader)
                                ? hd_pass_list_parse(list, "lower_switch,lower_structurize", diag)
                                : HD_OK;
   return result == HD_OK ? hd_pass_list_parse(list, quick ? "gen9_flat_quick" : "gen9_flat", diag)
                          : result;
}

const hd_mach_compiler hd_gen9_compiler = {
   .phases = phases,
   .num_phases = sizeof(phases) / sizeof(phases[0]),
   .standard_passes = standard_passes,
   .options_fit = options_fit,
   .encode = hd_gen9_encode_program,
   .listing = &hd_gen9_listing,
   .buffers = offsetof(hd_gen9_program, buffers),
   .finish = finish,
   .binary_size = sizeof(hd_gen9_binary),
};

hd_result
hd_gen9_compile_as(const hd_shader *shader, unsigned variant, const void *own,
                   const hd_mach_request *request, void **binary)
{
   static const hd_gen9_options none;
   const hd_gen9_options *options = own ? own : &none;
   const unsigned width = options->lanes ? options->lanes == 16 : variant;
   hd_gen9_program program = { .mach = { .shader = (hd_shader *)shader,
                                         .mach = &hd_gen9_machs[width],
                                         .hooks = &hd_gen9_hooks },
                               .options = options,
                               .width = &hd_gen9_widths[width] };

   return hd_mach_compile(&program.mach, &hd_gen9_compiler, request, binary);
}

hd_result
hd_gen9_compile(const hd_shader *shader, const hd_gen9_options *options, hd_gen9_binary **out)
{
   static const hd_gen9_options none;
   const hd_mach_request request = HD_MACH_REQUEST(options ? options : &none);
   void *binary;
   const hd_result result = hd_gen9_compile_as(shader, 0, options, &request, &binary);

   *out = binary;
   return result;
}

void
hd_gen9_binary_destroy(hd_gen9_binary *binary)
{
   hd_mach_binary_destroy(binary);
}
