/* SPDX-License-Identifier: MIT */
/* gcn_run.c - a shader as machine code in the simulator: what each instruction did, for which
 * lanes.
 */
#include "gcn.h"

#include "heddle/target.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/gcn_sim.h"

#define LANES 64u

/* An instruction that ran. */
struct row {
   char text[96];
   uint64_t times[LANES];
};

struct watched {
   bool trace, json;
   struct row **rows; /* by word of the code; NULL: it did not run. NULL: nobody asked */
   uint32_t num_words;
};

static void
count(struct watched *w, const hd_gcn_sim_step *step)
{
   const uint64_t at = step->pc / 4;

   if (at >= w->num_words)
      return;
   if (!w->rows[at]) {
      w->rows[at] = calloc(1, sizeof(struct row));
      if (!w->rows[at])
         return;
      snprintf(w->rows[at]->text, sizeof(w->rows[at]->text), "%s", step->text);
   }
   for (uint64_t rest = step->exec; rest; rest &= rest - 1)
      w->rows[at]->times[__builtin_ctzll(rest)]++;
}

static void
see(void *user, const hd_gcn_sim_step *step)
{
   struct watched *w = user;

   if (w->rows)
      count(w, step);
   if (w->trace && w->json) {
      printf("{\"workgroup\":%u,\"wave\":%u,\"cycle\":%" PRIu64 ",\"pc\":%" PRIu64
             ",\"mask\":\"%016" PRIx64 "\",\"text\":",
             step->workgroup, step->wave, step->cycle, step->pc, step->exec);
      print_json_string(stdout, step->text);
      puts("}");
   } else if (w->trace) {
      printf("%u.%u %8" PRIu64 " %5" PRIx64 " %016" PRIx64 " %s\n", step->workgroup, step->wave,
             step->cycle, step->pc, step->exec, step->text);
   }
}

/* A column a lane: how often it ran the instruction, in powers of two. */
static void
print_table(const struct watched *w)
{
   puts("how often each lane ran each instruction: . never, 1 once, 2 to 9: up to 2, 4, ... 256 "
        "times, +");
   for (uint32_t n = 0; n < w->num_words; n++) {
      if (!w->rows[n])
         continue;
      for (unsigned l = 0; l < LANES; l++) {
         const uint64_t times = w->rows[n]->times[l];
         unsigned digit = times != 0;
         while (digit && digit < 10 && times > UINT64_C(1) << (digit - 1))
            digit++;
         putchar(!digit ? '.' : digit > 9 ? '+' : (char)('0' + digit));
      }
      printf("  %s\n", w->rows[n]->text);
   }
}

static void
print_stats(const hd_gcn_sim_stats *s)
{
   fprintf(stderr,
           "%" PRIu64 " waves, %" PRIu64 " instructions, %" PRIu64 " cycles, %" PRIu64
           " of them waiting; %" PRIu64 " scalar, %" PRIu64 " vector, %" PRIu64
           " scalar memory, %" PRIu64 " vector memory, %" PRIu64 " LDS, %" PRIu64
           " branches, %" PRIu64 " writes of exec\n",
           s->waves, s->instructions, s->cycles, s->stalls, s->issued[HD_GCN_SIM_SALU],
           s->issued[HD_GCN_SIM_VALU], s->issued[HD_GCN_SIM_SMEM], s->issued[HD_GCN_SIM_VMEM],
           s->issued[HD_GCN_SIM_LDS], s->issued[HD_GCN_SIM_BRANCH], s->exec_writes);
}

static hd_result
simulate(tool *t, const hd_shader *shader, const hd_gcn_binary *binary,
         const hd_gcn_driver_abi *abi, const hd_wave_launch *launch)
{
   const char *form = option_value(t, "trace");
   struct watched w = { .trace = form, .json = form && !strcmp(form, "json") };
   const hd_gcn_sim_options options = {
      .seed = launch->seed,
      .max_steps = launch->max_steps,
      .user = &w,
      .trace = form || option_given(t, "lanes-table") ? see : NULL,
   };
   hd_gcn_sim_stats stats;

   if (option_given(t, "lanes-table")) {
      w.num_words = binary->code_words;
      w.rows = calloc(w.num_words, sizeof(struct row *));
      if (!w.rows)
         return HD_OUT_OF_MEMORY;
   }
   const hd_result result = hd_gcn_sim_run_wave(binary, abi, shader, launch, &options, &stats);
   if (w.rows) {
      print_table(&w);
      for (uint32_t n = 0; n < w.num_words; n++)
         free(w.rows[n]);
      free(w.rows);
   }
   if (option_given(t, "stats"))
      print_stats(&stats);
   return result;
}

int
run_on_gcn(tool *t, const hd_target *target, const hd_shader *shader, const hd_wave_launch *launch,
           hd_result *result)
{
   hd_gcn_options options = { .target = gen_of(target),
                              .abi = HD_GCN_ABI_DRIVER,
                              .full_subgroups = !launch->active };
   hd_gcn_driver_abi *abi = NULL;
   hd_gcn_binary *binary = NULL;
   const int lowering = choose_word(t, "lowering", gcn_lowerings, HD_GCN_LOWERING_TREE);

   if (lowering < 0 || !read_allocation_options(t, &options))
      return EXIT_TROUBLE;
   options.lowering = (hd_gcn_lowering)lowering;
   *result = hd_gcn_sim_abi_create(shader, launch, &abi);
   options.driver = abi;
   if (*result == HD_OK)
      *result = hd_gcn_compile(shader, &options, &binary);
   if (*result == HD_OK)
      *result = simulate(t, shader, binary, abi, launch);
   hd_gcn_binary_destroy(binary);
   hd_gcn_sim_abi_destroy(shader, abi);
   return 0;
}
