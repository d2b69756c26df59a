/* SPDX-License-Identifier: MIT */
/* nyuzi.c - Nyuzi as a machine of the tool. */
#include <inttypes.h>
#include <string.h>

#include "heddle/nyuzi_asm.h"
#include "heddle/nyuzi_sim.h"
#include "heddle/target.h"
#include "targets.h"

static bool
read_options(const tool *t, hd_nyuzi_options *options)
{
   options->verify_regalloc = option_given(t, "check");
   return read_number(t, "max-sgprs", 32, &options->max_scalars) &&
          read_number(t, "max-vgprs", 32, &options->max_vectors);
}

static void
print_stats(const tool *t, const hd_target_binary *made, FILE *file)
{
   const hd_nyuzi_binary *binary = made->own;
   const hd_nyuzi_stats *s = &binary->stats;
   const stat_row rows[] = {
      { "instructions", "instructions", s->instructions },
      { "scalar", "scalar", s->scalar },
      { "vector", "vector", s->vector },
      { "memory", "memory", s->memory },
      { "branches", "branches", s->branches },
      { "masks", "that manage lanes", s->masks },
      { "vector_writes", "that write vector registers", s->vector_writes },
      { "masked_writes", "of these with a mask", s->masked_writes },
      { "code_size", "bytes of code", 4 * binary->code_words },
      { "scalars", "scalar registers", s->scalars },
      { "vectors", "vector registers", s->vectors },
      { "spilled_scalars", "spilled scalar values", s->spilled_scalars },
      { "spilled_vectors", "spilled vector values", s->spilled_vectors },
      { "shared_size", "bytes of a workgroup's memory", binary->shared_size },
      { "scratch_size", "bytes of scratch a wave", binary->scratch_size },
   };

   print_stat_rows(t, NULL, rows, sizeof(rows) / sizeof(rows[0]), file);
}

static int
compile(tool *t, const hd_target *target, hd_shader *shader)
{
   static const char *const others[] = { "abi",           "color-formats", "lowering",
                                         "extra-scratch", "waves",         "no-schedule",
                                         "source",        "full-size",     NULL };
   static const char *const skips[] = { "cost", "always", "never", NULL };
   hd_nyuzi_options own = { 0 };
   hd_compile_options options = { .own = &own };

   if (refuse_options(t, others, target) || !read_options(t, &own))
      return EXIT_TROUBLE;
   const int skip = choose_word(t, "skip", skips, HD_NYUZI_SKIP_COST);
   if (skip < 0)
      return EXIT_TROUBLE;
   own.skip = (hd_nyuzi_skip)skip;
   return compile_for_target(t, target, shader, &options, print_stats);
}

static void
see(void *user, const hd_nyuzi_sim_step *step)
{
   const tool *t = user;
   const char *form = option_value(t, "trace");

   if (!strcmp(form, "json")) {
      print_step_json(step->workgroup, step->wave, step->pc, step->mask, step->text);
   } else {
      printf("%" PRIu32 ".%" PRIu32 " %5" PRIx32 " %04" PRIx32 " %s\n", step->workgroup, step->wave,
             step->pc, step->mask, step->text);
   }
}

static int
run(tool *t, const hd_target *target, const hd_shader *shader, const hd_wave_launch *launch,
    hd_result *result)
{
   static const char *const others[] = { "lowering", "extra-scratch", "lanes-table", NULL };
   hd_nyuzi_options options = { 0 };
   hd_nyuzi_binary *binary;
   hd_nyuzi_sim_stats stats = { 0 };
   const hd_nyuzi_sim_options sim = { .seed = launch->seed,
                                      .max_steps = launch->max_steps,
                                      .user = t,
                                      .trace = option_given(t, "trace") ? see : NULL };

   if (refuse_options(t, others, target) || !read_options(t, &options))
      return EXIT_TROUBLE;
   *result = hd_nyuzi_compile(shader, &options, &binary);
   if (*result != HD_OK)
      return 0;
   *result = hd_nyuzi_sim_run_wave(binary, shader, launch, &sim, &stats);
   if (option_given(t, "stats"))
      fprintf(stderr,
              "%" PRIu64 " waves, %" PRIu64 " instructions; %" PRIu64 " scalar, %" PRIu64
              " vector, %" PRIu64 " memory, %" PRIu64 " branches, %" PRIu64 " taken; %" PRIu64
              " lanes written or touched\n",
              stats.waves, stats.instructions, stats.scalar, stats.vector, stats.memory,
              stats.branches, stats.taken, stats.lanes);
   hd_nyuzi_binary_destroy(binary);
   return 0;
}

/* Masks come from the tree alone. */
static const char *const lowerings[] = { "tree", NULL };

static void
tell_step(void *user, const hd_nyuzi_sim_step *step)
{
   const hd_wave_mask lanes = { { step->mask, 0 } };

   hd_explore_trace_step(user, step->workgroup, step->wave, step->pc,
                         step->is_scalar ? NULL : &lanes, 0);
}

static hd_result
simulate(void *own, const hd_shader *shader, const hd_target_binary *binary,
         const hd_wave_launch *launch, hd_explore_trace *trace)
{
   const hd_nyuzi_sim_options sim = { .seed = launch->seed,
                                      .max_steps = launch->max_steps,
                                      .user = trace,
                                      .trace = tell_step,
                                      .wrote = tell_register,
                                      .stored = tell_store };

   (void)own;
   return hd_nyuzi_sim_run_wave(binary->own, shader, launch, &sim, NULL);
}

static void
count(const hd_target_binary *binary, figures *out)
{
   const hd_nyuzi_binary *own = binary->own;
   const hd_nyuzi_stats *s = &own->stats;

   *out = (figures){ s->instructions,     s->masks, s->branches, s->scalars, s->vectors,
                     4 * own->code_words, { 0 } };
   for (unsigned n = 0; n < NUM_UNIT_FIGURES; n++)
      out->units[n] = NO_FIGURE;
}

const machine nyuzi_machine = {
   .compile = compile,
   .run = run,
   .assemble = hd_nyuzi_assemble,
   .disassemble = hd_nyuzi_disassemble,
   .simulate = simulate,
   .lowerings = lowerings,
   .count = count,
};
