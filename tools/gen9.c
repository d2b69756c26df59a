/* SPDX-License-Identifier: MIT */
/* gen9.c - Gen9 as a machine of the tool. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/gen9_asm.h"
#include "heddle/gen9_sim.h"
#include "heddle/target.h"
#include "targets.h"

/* By hd_gen9_lowering. What manages lanes is if, else, endif, while, break and cont; or moves and
 * compares of block numbers and of the flags of lanes.
 */
static const char *const lowerings[] = { "structured", "numbers", NULL };

static bool
read_options(tool *t, hd_gen9_options *options)
{
   const int lowering = choose_word(t, "lowering", lowerings, HD_GEN9_LOWERING_STRUCTURED);

   if (lowering < 0)
      return false;
   options->lowering = (hd_gen9_lowering)lowering;
   options->verify_regalloc = option_given(t, "check");
   return read_number(t, "max-sgprs", 64, &options->max_scalars) &&
          read_number(t, "max-vgprs", 103, &options->max_registers);
}

static void
print_stats(const tool *t, const hd_target_binary *made, FILE *file)
{
   const hd_gen9_binary *binary = made->own;
   const hd_gen9_stats *s = &binary->stats;
   const stat_row rows[] = {
      { "instructions", "instructions", s->instructions },
      { "control", "that manage lanes", s->control },
      { "jumps", "jumps", s->jumps },
      { "single", "of one channel", s->single },
      { "messages", "messages", s->messages },
      { "compacted", "in short forms", s->compacted },
      { "code_size", "bytes of code", binary->code_size },
      { "registers", "registers", s->registers },
      { "scalars", "scalars, 8 in a register", s->scalars },
      { "spilled", "spilled values", s->spilled },
      { "shared_size", "bytes of a workgroup's memory", binary->shared_size },
      { "scratch_size", "bytes of scratch a wave", binary->scratch_size },
   };

   print_stat_rows(t, NULL, rows, sizeof(rows) / sizeof(rows[0]), file);
}

static int
compile(tool *t, const hd_target *target, hd_shader *shader)
{
   static const char *const others[] = { "abi",   "color-formats", "extra-scratch", "skip",
                                         "waves", "no-schedule",   "source",        NULL };
   hd_gen9_options own = { 0 };
   hd_compile_options options = { .own = &own };

   if (refuse_options(t, others, target) || !read_options(t, &own))
      return EXIT_TROUBLE;
   own.no_compaction = option_given(t, "full-size");
   return compile_for_target(t, target, shader, &options, print_stats);
}

static void
see(void *user, const hd_gen9_sim_step *step)
{
   const tool *t = user;
   const char *form = option_value(t, "trace");

   if (!strcmp(form, "json")) {
      print_step_json(step->workgroup, step->wave, step->ip, step->channels, step->text);
   } else {
      printf("%" PRIu32 ".%" PRIu32 " %5" PRIx32 " %02" PRIx32 " %s\n", step->workgroup, step->wave,
             step->ip, step->channels, step->text);
   }
}

static int
run(tool *t, const hd_target *target, const hd_shader *shader, const hd_wave_launch *launch,
    hd_result *result)
{
   static const char *const others[] = { "extra-scratch", "lanes-table", "skip", NULL };
   hd_gen9_options options = { 0 };
   hd_gen9_binary *binary;
   hd_gen9_sim_stats stats = { 0 };
   const hd_gen9_sim_options sim = { .seed = launch->seed,
                                     .max_steps = launch->max_steps,
                                     .user = t,
                                     .trace = option_given(t, "trace") ? see : NULL };

   if (refuse_options(t, others, target) || !read_options(t, &options))
      return EXIT_TROUBLE;
   options.lanes = hd_target_get_lanes(target);
   *result = hd_gen9_compile(shader, &options, &binary);
   if (*result != HD_OK)
      return 0;
   *result = hd_gen9_sim_run_wave(binary, shader, launch, &sim, &stats);
   if (option_given(t, "stats"))
      fprintf(stderr,
              "%" PRIu64 " waves, %" PRIu64 " instructions; %" PRIu64 " branches, %" PRIu64
              " messages\n",
              stats.waves, stats.instructions, stats.branches, stats.messages);
   hd_gen9_binary_destroy(binary);
   return 0;
}

static void
tell_step(void *user, const hd_gen9_sim_step *step)
{
   hd_explore_trace_step(user, step->workgroup, step->wave, step->ip,
                         &(hd_wave_mask){ { step->channels, 0 } }, 0);
}

static hd_result
simulate(void *own, const hd_shader *shader, const hd_target_binary *binary,
         const hd_wave_launch *launch, hd_explore_trace *trace)
{
   const hd_gen9_sim_options sim = { .seed = launch->seed,
                                     .max_steps = launch->max_steps,
                                     .user = trace,
                                     .trace = tell_step,
                                     .wrote = tell_register,
                                     .stored = tell_store };

   (void)own;
   return hd_gen9_sim_run_wave(binary->own, shader, launch, &sim, NULL);
}

static hd_result
create_options(const hd_shader *shader, const hd_wave_launch *launch, unsigned lowering, void **own)
{
   hd_gen9_options *options = calloc(1, sizeof(*options));

   (void)shader;
   (void)launch;
   *own = options;
   if (!options)
      return HD_OUT_OF_MEMORY;
   options->lowering = (hd_gen9_lowering)lowering;
   return HD_OK;
}

static void
destroy_options(const hd_shader *shader, void *own)
{
   (void)shader;
   free(own);
}

static void
count(const hd_target_binary *binary, figures *out)
{
   const hd_gen9_binary *own = binary->own;
   const hd_gen9_stats *s = &own->stats;

   *out =
       (figures){ s->instructions, s->control, s->jumps, 0, s->registers, own->code_size, { 0 } };
   for (unsigned n = 0; n < NUM_UNIT_FIGURES; n++)
      out->units[n] = NO_FIGURE;
}

const machine gen9_machine = {
   .compile = compile,
   .run = run,
   .assemble = hd_gen9_assemble,
   .disassemble = hd_gen9_disassemble,
   .create_options = create_options,
   .destroy_options = destroy_options,
   .simulate = simulate,
   .lowerings = lowerings,
   .count = count,
};
