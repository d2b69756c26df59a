/* SPDX-License-Identifier: MIT */
/* compile.c - compile a shader to a binary: the order of the phases, and their results. */
#include "backend/gcn/program.h"
#include "heddle/intrinsic_enum.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "backend/gcn/abi/abi.h"
#include "backend/gcn/output.h"
#include "backend/gcn/verify_slots.h"
#include "heddle/ops.h"
#include "ir/private.h"
#include "machine/compile.h"

static bool
note_slots(hd_mach_program *p)
{
   hd_gcn_of(p)->slots = hd_gcn_slots_note(p);
   return true;
}

static bool
check_slots(hd_mach_program *p)
{
   return hd_gcn_slots_check(p, hd_gcn_of(p)->slots);
}

static bool
is_scheduled(const hd_mach_program *p)
{
   return !hd_gcn_of(p)->options->no_schedule;
}

static bool
is_graphics(const hd_mach_program *p)
{
   return hd_gcn_is_graphics(p->shader);
}

static const hd_mach_phase phases[] = {
   { "select", hd_gcn_select, NULL, false },
   { "pair_lds", hd_gcn_pair_lds, is_scheduled, false },
   { "merge_smem", hd_gcn_merge_smem, is_scheduled, false },
   { "exec_mask", hd_mach_exec_mask, hd_mach_is_tree, false },
   { "exec_mask_reconverging", hd_mach_exec_mask_reconverging, hd_mach_is_flat, false },
   { "export_ends", hd_gcn_export_ends, is_graphics, false },
   { "rebuild_ssa", hd_mach_rebuild_ssa, NULL, false },
   { "schedule", hd_mach_schedule, is_scheduled, false },
   { "spill", hd_mach_spill, NULL, false },
   { "regalloc", hd_mach_regalloc, NULL, false },
   { "verify_ra", hd_mach_verify_ra, NULL, true },
   { "copy_propagate", hd_mach_copy_propagate, NULL, false },
   { "note_slots", note_slots, NULL, true },
   { "lower_pseudo", hd_gcn_lower_pseudo, NULL, false },
   { "verify_slots", check_slots, NULL, true },
   { "straighten", hd_mach_straighten, NULL, false },
   { "shrink", hd_gcn_shrink, NULL, false },
   { "insert_waits", hd_gcn_insert_waits, NULL, false },
   { "hazards", hd_gcn_hazards, NULL, false },
   { "rotate_loops", hd_mach_rotate_loops, NULL, false },
   { "layout", hd_gcn_layout, NULL, false },
};

/* In the bytes that the shader reads, one after the other. */
static bool
kernargs_fit(const hd_gcn_options *options, hd_mach_program *p)
{
   uint64_t end = 0;

   for (uint32_t n = 0; n < options->num_kernargs; n++) {
      const hd_gcn_kernarg *a = &options->kernargs[n];
      const uint32_t size = a->kind == HD_GCN_KERNARG_SHARED  ? 4
                            : a->kind != HD_GCN_KERNARG_VALUE ? 8
                                                              : a->size;
      if ((unsigned)a->kind > HD_GCN_KERNARG_SAMPLER || a->size != size || !size)
         return hd_mach_refuse(p, NULL, "argument %u of kind %u has %u bytes", n, (unsigned)a->kind,
                               a->size);
      if (a->offset < end || (uint64_t)a->offset + size > hd_gcn_of(p)->source->kernarg_size)
         return hd_mach_refuse(p, NULL,
                               "argument %u has bytes %u to %" PRIu64
                               ": the one before ends at %" PRIu64 ", the shader reads %u bytes",
                               n, a->offset, (uint64_t)a->offset + size, end,
                               hd_gcn_of(p)->source->kernarg_size);
      end = (uint64_t)a->offset + size;
   }
   if (options->kernel_name && !*options->kernel_name)
      return hd_mach_refuse(p, NULL, "expected a name for the kernel, found an empty string");
   return true;
}

/* All that is asked of the caller. */
static bool
options_fit(hd_mach_program *p)
{
   const hd_gcn_options *options = hd_gcn_of(p)->options;

   if ((unsigned)options->abi > HD_GCN_ABI_DRIVER || (unsigned)options->skip > HD_GCN_SKIP_NEVER ||
       (unsigned)options->lowering > HD_GCN_LOWERING_RECONVERGING)
      return hd_mach_refuse(
          p, NULL,
          "abi %u, skip %u, lowering %u: expected values of hd_gcn_abi_kind, hd_gcn_skip and hd_gcn_lowering",
          (unsigned)options->abi, (unsigned)options->skip, (unsigned)options->lowering);
   if (options->abi == HD_GCN_ABI_DRIVER) {
      if (!options->driver)
         return hd_mach_refuse(
             p, NULL, "expected the driver ABI's registers in options->driver, found NULL");
      if (options->driver->num_user_sgprs > HD_GCN_MAX_USER_SGPRS)
         return hd_mach_refuse(p, NULL, "%u user SGPRs are requested, the machine has %u",
                               options->driver->num_user_sgprs, HD_GCN_MAX_USER_SGPRS);
      if (options->driver->num_bindings && !options->driver->bindings)
         return hd_mach_refuse(p, NULL, "expected an array of %u bindings, found NULL",
                               options->driver->num_bindings);
      /* What other stages have no use for may be anything. */
      const hd_stage stage = hd_gcn_of(p)->source->stage;
      if (stage == HD_STAGE_VERTEX && options->driver->num_attributes &&
          !options->driver->attributes)
         return hd_mach_refuse(p, NULL, "expected an array of %u attributes, found NULL",
                               options->driver->num_attributes);
      const unsigned samples = options->driver->num_samples;
      if (stage == HD_STAGE_FRAGMENT && (samples > 16 || samples & (samples - 1)))
         return hd_mach_refuse(p, NULL, "%u samples: expected a power of two up to 16", samples);
      for (unsigned n = 0; stage == HD_STAGE_FRAGMENT && n < HD_GCN_MAX_COLORS; n++) {
         if (options->driver->color_format[n] >= HD_GCN_NUM_COLOR_FORMATS)
            return hd_mach_refuse(p, NULL, "colour target %u has format %u, expected one below %u",
                                  n, options->driver->color_format[n], HD_GCN_NUM_COLOR_FORMATS);
      }
   }
   if (options->abi == HD_GCN_ABI_HSA && hd_gcn_is_graphics(hd_gcn_of(p)->source))
      return hd_mach_refuse(p, NULL, "vertex and fragment shaders are for a driver, not for HSA");
   if (options->min_waves > hd_gcn_target_in(p)->max_waves)
      return hd_mach_refuse(p, NULL, "%u waves are requested, a SIMD has %u", options->min_waves,
                            hd_gcn_target_in(p)->max_waves);
   if (options->max_sgprs > hd_gcn_target_in(p)->max_sgprs ||
       options->max_vgprs > hd_gcn_target_in(p)->max_vgprs)
      return hd_mach_refuse(p, NULL,
                            "limits of %u SGPRs and %u VGPRs are given, the machine has %u and %u",
                            options->max_sgprs, options->max_vgprs, hd_gcn_target_in(p)->max_sgprs,
                            hd_gcn_target_in(p)->max_vgprs);
   return kernargs_fit(options, p);
}

#define COMBINING (HD_LOWERED_SUBGROUP_ARITH | HD_LOWERED_SUBGROUP_DWORDS)

static bool
has_constructs(const hd_shader *shader, uint32_t constructs)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (hd_instr_constructs(i) & constructs)
               return true;
         }
      }
   }
   return false;
}

static bool
discards(const hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (i->kind == HD_INSTR_INTRINSIC
                    ? i->op == HD_INTRINSIC_DEMOTE || i->op == HD_INTRINSIC_DEMOTE_IF
                    : i->kind == HD_INSTR_JUMP && i->op == HD_JUMP_HALT)
               return true;
         }
      }
   }
   return false;
}

/* Is there what only trees can be lowered to? */
static bool
needs_tree(const hd_shader *shader, const hd_gcn_options *options)
{
   uint32_t constructs = HD_LOWERED_SUBGROUP_ARITH | HD_LOWERED_NONUNIFORM;

   if (options->target == HD_GCN_GFX600)
      constructs |= HD_LOWERED_SUBGROUP_SHIFT | HD_LOWERED_SUBGROUP_DWORDS;
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const bool shuffle = i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_SHUFFLE;
            if (hd_instr_constructs(i) & constructs || hd_gcn_is_float_atomic(i) ||
                (shuffle && options->target == HD_GCN_GFX600))
               return true;
         }
      }
   }
   return false;
}

/* Does the chip add up floats in LDS as the shader asks for? Its adder rounds to nearest; the
 * manuals say that it handles denormals, and nothing of a mode that flushes them.
 */
static bool
adds_in_lds(const hd_shader *shader, const hd_gcn_options *options)
{
   return options->target != HD_GCN_GFX600 &&
          !(shader->float_controls & (HD_FLOAT_RTZ_32 | HD_FLOAT_FLUSH_32));
}

/* What the list of passes depends on, a bit each. */
enum {
   TREE = 1 << 0,    /* the control-flow lowering: masks from the tree, */
   FLAT = 1 << 1,    /* or none, */
   REBUILT = 1 << 2, /* with a tree made in between, for what only trees can be lowered to */
   GFX6 = 1 << 3,    /* no DPP, no permutation of lanes */
   GFX8_UP = 1 << 4,
   NO_ADDS = 1 << 5,  /* LDS does not add up floats as the shader asks for */
   COMBINES = 1 << 6, /* there are reductions or scans */
   FULL = 1 << 7,     /* how much time there is */
   QUICK = 1 << 8,
   PACKED = 1 << 9,    /* there are instructions for two halves of a dword */
   GRAPHICS = 1 << 10, /* a vertex or fragment shader */
   HELPERS = 1 << 11,  /* some lanes may not count in reductions and scans */
   PAIRS = 1 << 12,    /* integers of 16 bits may become packed ones, */
   WIDE = 1 << 13,     /* or there are none */
   DISCARDS = 1 << 14, /* lanes may become helpers, or end */
   FRAGMENT = 1 << 15, /* a fragment shader */
};

/* The standard passes, in their order: a row runs where all of the first bits are set, and one of
 * the second, if there are any.
 */
static const struct pass_row {
   unsigned all, any;
   const char *passes;
} pass_rows[] = {
   /* What needs helpers only where a constant says so does not need them. */
   { FRAGMENT | FULL, 0, "opt_vars_split,opt_vars_to_ssa,opt_sccp(divide=0),opt_dead_cf,opt_dce" },
   { DISCARDS, 0, "opt_vars_split,opt_vars_to_ssa,opt_move_discards" },
   { HELPERS | GFX6, 0, "lower_subgroup" },
   { HELPERS | GFX8_UP, 0, "lower_subgroup(dwords=0,shift=0)" },
   { GRAPHICS, 0, "lower_helpers,opt_vars_to_ssa" },
   { TREE | FULL | WIDE, 0, "gcn" },
   { TREE | PAIRS, 0, "gcn_pairs" },
   { TREE | QUICK, 0, "gcn_quick" },
   { REBUILT, 0, "lower_structurize,lower_nonuniform" },
   { REBUILT | GFX6, 0, "lower_subgroup(vote=0,shift=0)" },
   { REBUILT | GFX8_UP, 0, "lower_subgroup(dwords=0,vote=0,shift=0)" },
   { REBUILT, 0, "lower_atomics(shared=0,fragment=1)" },
   { NO_ADDS, TREE | REBUILT, "lower_atomics(fragment=1)" },
   { TREE | GFX6 | COMBINES, 0, "lower_subgroup(vote=0,shift=0),opt_algebraic,opt_cse,opt_dce" },
   { GFX6, TREE | REBUILT, "lower_shuffle(fragment=1)" },
   /* The loops of these two leave a value behind in each lane. */
   { TREE, GFX6 | NO_ADDS, "lower_exit_phis,opt_dce" },
   { FLAT | WIDE, 0, "gcn_flat" },
   { FLAT | PAIRS, 0, "gcn_flat_pairs" },
   /* What later passes made of pairs, and the machine has not. */
   { PAIRS, 0,
     "lower_vectors(pairs=0),lower_small_ints(int16=0,int16_single=1),opt_cse,opt_late,opt_dce" },
   { FULL | PACKED, 0, "opt_vectorize(floats=255,ints=0,dwords=1)" },
};

static unsigned
facts_of(const hd_shader *shader, const hd_gcn_options *options, bool quick)
{
   const bool tree = options->lowering == HD_GCN_LOWERING_TREE,
              gfx6 = options->target == HD_GCN_GFX600;
   unsigned facts = (tree ? TREE : FLAT) | (gfx6 ? GFX6 : GFX8_UP) | (quick ? QUICK : FULL);

   if (hd_gcn_is_graphics(shader))
      facts |= GRAPHICS;
   if (shader->stage == HD_STAGE_FRAGMENT &&
       has_constructs(shader, COMBINING | HD_LOWERED_SUBGROUP_VOTE))
      facts |= HELPERS;
   if (shader->stage == HD_STAGE_FRAGMENT)
      facts |= FRAGMENT;
   if (shader->stage == HD_STAGE_FRAGMENT && !quick && discards(shader))
      facts |= DISCARDS;
   if (hd_gcn_target_of(options->target)->has_packed)
      facts |= PACKED;
   facts |= !quick && facts & PACKED && has_constructs(shader, HD_LOWERED_INT16) ? PAIRS : WIDE;
   if (!adds_in_lds(shader, options))
      facts |= NO_ADDS;
   if (!tree && needs_tree(shader, options))
      facts |= REBUILT;
   if (tree && gfx6 && has_constructs(shader, COMBINING))
      facts |= COMBINES;
   return facts;
}

/* Where the machine takes two instructions all the same, a combined op only computes its first half
 * again for each user.
 */
static void
keep_ints_apart(hd_pass_list *list)
{
   const hd_pass *late = hd_pass_find("opt_late");

   for (uint32_t n = 0; n < list->num_steps; n++) {
      hd_pass_step *step = &list->steps[n];
      for (uint32_t k = 0; step->pass == late && k < late->num_options; k++) {
         if (!strcmp(late->options[k].name, "three_int"))
            step->values[k] = 0;
      }
   }
}

static hd_result
standard_passes(const hd_mach_program *p, bool quick, hd_pass_list *list, hd_diag_sink diag)
{
   const hd_gcn_driver_abi *driver = hd_gcn_of(p)->options->driver;
   const unsigned facts = facts_of(p->shader, hd_gcn_of(p)->options, quick);
   hd_result result = HD_OK;

   if (facts & GRAPHICS) {
      const bool samples = driver && p->shader->stage == HD_STAGE_FRAGMENT && driver->num_samples;
      char words[160];
      snprintf(words, sizeof(words),
               "lower_switch,lower_structurize,opt_inline(remove=1),lower_early_returns,"
               "lower_barycentrics(samples=%u),lower_outputs(final=1)",
               samples ? driver->num_samples : 1u);
      result = hd_pass_list_parse(list, words, diag);
      /* What is read at the view's number is then read at a constant. */
      if (result == HD_OK && driver && driver->view_index == HD_GCN_NO_SGPR)
         result = hd_pass_list_parse(list, "lower_builtins(view=1)", diag);
   }

   for (size_t n = 0; n < sizeof(pass_rows) / sizeof(pass_rows[0]) && result == HD_OK; n++) {
      const struct pass_row *row = &pass_rows[n];
      if ((facts & row->all) == row->all && (!row->any || facts & row->any))
         result = hd_pass_list_parse(list, row->passes, diag);
   }
   if (!hd_gcn_target_of(hd_gcn_of(p)->options->target)->has_three_int)
      keep_ints_apart(list);
   return result;
}

static void
write_text(hd_mach_program *p, const hd_blob *code, hd_blob *text)
{
   (void)code;
   hd_gcn_program_assembly(p, text);
}

const hd_mach_compiler hd_gcn_compiler = {
   .phases = phases,
   .num_phases = sizeof(phases) / sizeof(phases[0]),
   .print = hd_gcn_program_print,
   .print_inst = hd_gcn_print_value,
   .options_fit = options_fit,
   .stages = 1u << HD_STAGE_COMPUTE | 1u << HD_STAGE_KERNEL | 1u << HD_STAGE_VERTEX |
             1u << HD_STAGE_FRAGMENT,
   .standard_passes = standard_passes,
   .encode = hd_gcn_encode_program,
   .write_text = write_text,
   .finish = hd_gcn_finish,
   .binary_size = sizeof(hd_gcn_kept),
};

static hd_result
compile(const hd_shader *shader, const hd_gcn_options *options, const hd_mach_request *request,
        void **binary)
{
   hd_gcn_program program = { .mach = { .mach = &hd_gcn_target_of(options->target)->mach,
                                        .hooks = hd_gcn_hooks_of(options->target),
                                        .shader = (hd_shader *)shader },
                              .options = options,
                              .source = shader };

   return hd_mach_compile(&program.mach, &hd_gcn_compiler, request, binary);
}

hd_result
hd_gcn_compile_as(const hd_shader *shader, unsigned variant, const void *own,
                  const hd_mach_request *request, void **binary)
{
   hd_gcn_options options = own ? *(const hd_gcn_options *)own : (hd_gcn_options){ 0 };

   options.target = (hd_gcn_gen)variant;
   return compile(shader, &options, request, binary);
}

hd_result
hd_gcn_compile(const hd_shader *shader, const hd_gcn_options *options, hd_gcn_binary **out)
{
   static const hd_gcn_options none;
   const hd_gcn_options *o = options ? options : &none;
   hd_mach_request request = HD_MACH_REQUEST(o);
   void *binary;

   *out = NULL;
   request.before_phase = o->before_phase;
   if (!hd_gcn_has_target(o->target, o->diag.report ? &o->diag : &hd_shader_config(shader)->diag))
      return HD_INVALID;
   const hd_result result = compile(shader, o, &request, &binary);
   *out = binary;
   return result;
}

void
hd_gcn_binary_destroy(hd_gcn_binary *binary)
{
   hd_mach_binary_destroy(binary);
}
