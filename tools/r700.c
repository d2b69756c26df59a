/* SPDX-License-Identifier: MIT */
/* r700.c - R700 as a machine of the tool. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/r700_asm.h"
#include "heddle/r700_sim.h"
#include "heddle/target.h"
#include "targets.h"

static bool
read_options(const tool *t, hd_r700_options *options)
{
   options->verify_regalloc = option_given(t, "check");
   return read_number(t, "max-vgprs", 472, &options->max_registers);
}

static void
print_stats(const tool *t, const hd_target_binary *made, FILE *file)
{
   const hd_r700_binary *binary = made->own;
   const hd_r700_stats *s = &binary->stats;
   const stat_row rows[] = {
      { "instructions", "instructions", s->instructions },
      { "control", "of control flow", s->control },
      { "masks", "that manage lanes", s->masks },
      { "jumps", "jumps", s->jumps },
      { "clauses", "clauses", s->clauses },
      { "groups", "groups", s->groups },
      { "slots", "slots used in groups", s->slots },
      { "fetches", "fetches", s->fetches },
      { "exports", "exports", s->exports },
      { "code_size", "bytes of code", binary->code_size },
      { "registers", "channels of registers", s->registers },
      { "stack_size", "entries of the stack", binary->stack_size },
      { "spilled", "spilled values", s->spilled },
      { "shared_size", "bytes of a workgroup's memory", binary->shared_size },
      { "scratch_quads", "quads of scratch memory a lane", binary->scratch_quads },
   };

   print_stat_rows(t, NULL, rows, sizeof(rows) / sizeof(rows[0]), file);
}

static int
compile(tool *t, const hd_target *target, hd_shader *shader)
{
   static const char *const others[] = { "abi",    "color-formats", "lowering", "extra-scratch",
                                         "skip",   "max-sgprs",     "waves",    "no-schedule",
                                         "source", "full-size",     NULL };
   hd_r700_options own = { 0 };
   hd_compile_options options = { .own = &own };

   if (refuse_options(t, others, target) || !read_options(t, &own))
      return EXIT_TROUBLE;
   return compile_for_target(t, target, shader, &options, print_stats);
}

static void
see(void *user, const hd_r700_sim_step *step)
{
   const tool *t = user;
   const char *form = option_value(t, "trace");

   if (!strcmp(form, "json")) {
      print_step_json(step->workgroup, step->wave, step->address, step->lanes, step->text);
   } else {
      printf("%" PRIu32 ".%" PRIu32 " %5" PRIu32 " %016" PRIx64 " %s\n", step->workgroup,
             step->wave, step->address, step->lanes, step->text);
   }
}

static bool
fits_one_wave(const hd_wave_launch *launch)
{
   const uint32_t *size = launch->workgroup_size;

   return (uint64_t)(size[0] ? size[0] : 1) * (size[1] ? size[1] : 1) * (size[2] ? size[2] : 1) <=
          HD_R700_LANES;
}

static int
run(tool *t, const hd_target *target, const hd_shader *shader, const hd_wave_launch *launch,
    hd_result *result)
{
   static const char *const others[] = { "lowering", "extra-scratch", "lanes-table",
                                         "skip",     "max-sgprs",     NULL };
   hd_r700_options options = { .one_wave = fits_one_wave(launch) };
   hd_r700_binary *binary;
   hd_r700_sim_stats stats = { 0 };
   const hd_r700_sim_options sim = { .max_steps = launch->max_steps,
                                     .user = t,
                                     .trace = option_given(t, "trace") ? see : NULL };

   if (refuse_options(t, others, target) || !read_options(t, &options))
      return EXIT_TROUBLE;
   *result = hd_r700_compile(shader, &options, &binary);
   if (*result != HD_OK)
      return 0;
   *result = hd_r700_sim_run_wave(binary, shader, launch, &sim, &stats);
   if (option_given(t, "stats"))
      fprintf(stderr,
              "%" PRIu64 " waves; %" PRIu64 " of control flow, %" PRIu64 " groups with %" PRIu64
              " slots, %" PRIu64 " fetches, %" PRIu64 " exports; %" PRIu32
              " entries of the stack\n",
              stats.waves, stats.control, stats.groups, stats.slots, stats.fetches, stats.exports,
              stats.stack);
   hd_r700_binary_destroy(binary);
   return 0;
}

static void
tell_step(void *user, const hd_r700_sim_step *step)
{
   hd_explore_trace_step(user, step->workgroup, step->wave, 8 * (uint64_t)step->address,
                         &(hd_wave_mask){ { step->lanes, 0 } }, 0);
}

static hd_result
simulate(void *own, const hd_shader *shader, const hd_target_binary *binary,
         const hd_wave_launch *launch, hd_explore_trace *trace)
{
   const hd_r700_sim_options sim = { .max_steps = launch->max_steps,
                                     .user = trace,
                                     .trace = tell_step,
                                     .wrote = tell_register,
                                     .stored = tell_store };

   (void)own;
   return hd_r700_sim_run_wave(binary->own, shader, launch, &sim, NULL);
}

static hd_result
create_options(const hd_shader *shader, const hd_wave_launch *launch, unsigned lowering, void **own)
{
   hd_r700_options *options = calloc(1, sizeof(*options));

   (void)shader;
   (void)lowering;
   *own = options;
   if (!options)
      return HD_OUT_OF_MEMORY;
   options->one_wave = launch && fits_one_wave(launch);
   return HD_OK;
}

static void
destroy_options(const hd_shader *shader, void *own)
{
   (void)shader;
   free(own);
}

/* Of the tree: what manages lanes is pushes, pops, else, loops, breaks and continues. */
static const char *const lowerings[] = { "stack", NULL };

static void
count(const hd_target_binary *binary, figures *out)
{
   const hd_r700_binary *own = binary->own;
   const hd_r700_stats *s = &own->stats;

   *out = (figures){ s->instructions, s->masks, s->jumps, 0, s->registers, own->code_size, { 0 } };
   for (unsigned n = 0; n < NUM_UNIT_FIGURES; n++)
      out->units[n] = NO_FIGURE;
}

const machine r700_machine = {
   .compile = compile,
   .run = run,
   .assemble = hd_r700_assemble,
   .disassemble = hd_r700_disassemble,
   .create_options = create_options,
   .destroy_options = destroy_options,
   .simulate = simulate,
   .lowerings = lowerings,
   .count = count,
};
