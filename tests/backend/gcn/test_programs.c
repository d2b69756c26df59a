/* SPDX-License-Identifier: MIT */
/* test_programs.c - random programs, compiled and run in the simulator, leave in memory what they
 * leave in the interpreter.
 *
 * Each program is compiled in one cell of the matrix: chip, lowering, all registers or few; which one
 * depends on its seed. HEDDLE_SEEDS is how many programs there are, HEDDLE_FIRST_SEED which is the
 * first; HEDDLE_SEED one alone; HEDDLE_CELL one cell alone. With HEDDLE_EXACT, what fails is
 * reduced only as far as the same word differs in the same way: races are kept out of it.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/compare.h"
#include "heddle/gcn_sim.h"
#include "heddle/reduce.h"
#include "heddle/text.h"

#include "gen/random_program.h"
#include "support/heard.h"

#define NUM_SEEDS 600
#define NUM_CELLS (HD_GCN_NUM_GENS * 4u)
#define MAX_TRIES 2000
#define KIND      80

struct cell {
   hd_gcn_gen target;
   hd_gcn_lowering lowering;
   bool starved, quick;
   uint16_t max_sgprs, max_vgprs;
   uint32_t extra_scratch;
};

/* What starved programs have to do with: few of both, or of one and all of the other. */
static const struct {
   uint16_t sgprs, vgprs;
} few[] = { { 40, 20 }, { 32, 12 }, { 0, 20 }, { 40, 0 }, { 28, 24 }, { 64, 14 }, { 0, 12 } };

#define NUM_FEW (sizeof(few) / sizeof(few[0]))

/* Bytes before what they spill: an offset of an instruction reaches 4,095. */
static const uint32_t far[] = { 0, 4032, 20000, 0, 4096 };

#define NUM_FAR (sizeof(far) / sizeof(far[0]))

static struct cell
cell_of(unsigned n, uint64_t seed)
{
   const bool starved = n / HD_GCN_NUM_GENS / 2 != 0;

   return (struct cell){ (hd_gcn_gen)(n % HD_GCN_NUM_GENS),
                         n / HD_GCN_NUM_GENS % 2 ? HD_GCN_LOWERING_RECONVERGING
                                                 : HD_GCN_LOWERING_TREE,
                         starved,
                         seed / NUM_CELLS % 3 == 2,
                         starved ? few[seed / NUM_CELLS % NUM_FEW].sgprs : 0,
                         starved ? few[seed / NUM_CELLS % NUM_FEW].vgprs : 0,
                         starved ? far[seed / NUM_CELLS % NUM_FAR] : 0 };
}

static const char *
cell_name(struct cell c, char name[64])
{
   snprintf(name, 64, "%s, %s%s%s", hd_gcn_gen_name(c.target),
            c.lowering == HD_GCN_LOWERING_TREE ? "tree" : "reconverging",
            c.starved ? ", starved" : "", c.quick ? ", quick" : "");
   return name;
}

struct compiled {
   const hd_shader *shader;
   hd_gcn_driver_abi *abi;
   hd_gcn_binary *binary;
};

static hd_result
simulate(void *user, const hd_wave_launch *launch)
{
   const struct compiled *c = user;
   const hd_gcn_sim_options options = { .max_steps = launch->max_steps * 200,
                                        .diag = launch->diag };

   return hd_gcn_sim_run_wave(c->binary, c->abi, c->shader, launch, &options, NULL);
}

/* HD_UNSUPPORTED: it was refused. HD_INVALID: it is wrong, and `heard` says how. */
static hd_result
compile_and_compare(hd_shader *shader, hd_diff_test *trial, struct cell cell, struct heard *heard)
{
   const hd_diag_sink sink = { heard, hear };
   struct compiled c = { .shader = shader };
   hd_result result = hd_gcn_sim_abi_create(shader, NULL, &c.abi);

   if (result != HD_OK)
      return result;
   const hd_gcn_options options = {
      .target = cell.target,
      .abi = HD_GCN_ABI_DRIVER,
      .driver = c.abi,
      .lowering = cell.lowering,
      .max_sgprs = cell.max_sgprs,
      .max_vgprs = cell.max_vgprs,
      .extra_scratch = cell.extra_scratch,
      .quick = cell.quick,
      .verify_regalloc = true,
      .diag = sink,
   };
   result = hd_gcn_compile(shader, &options, &c.binary);
   if (result == HD_OK)
      result = hd_diff_test_compare_run(trial, simulate, &c, &sink);
   hd_gcn_binary_destroy(c.binary);
   hd_gcn_sim_abi_destroy(shader, c.abi);
   return result;
}

/* What is wrong, and what is reduced while it still is. */
struct failure {
   struct cell cell;
   hd_diff_test_options launches;
   struct heard heard;
   char kind[KIND];
};

/* A difference, or how the message begins that is no difference. */
static void
name_kind(const char *text, char kind[KIND])
{
   const bool exact = getenv("HEDDLE_EXACT") != NULL;

   if (strstr(text, " before, ") && !exact)
      snprintf(kind, KIND, "difference");
   else
      snprintf(kind, KIND, "%.*s", exact ? KIND - 1 : 30, text);
}

static bool
still_fails(void *user, hd_shader *candidate)
{
   struct failure *f = user;
   struct heard heard = { 0 };
   hd_diff_test *trial;
   char kind[KIND];
   bool fails = false;

   assert_int_equal(hd_diff_test_create(candidate, &f->launches, &trial), HD_OK);
   if (hd_diff_test_num_runs(trial, NULL) == f->launches.num_launches &&
       hd_diff_test_compare(trial, candidate, NULL, NULL) == HD_OK)
      fails = compile_and_compare(candidate, trial, f->cell, &heard) == HD_INVALID;
   hd_diff_test_destroy(trial);
   name_kind(heard.all, kind);
   if (!fails || strcmp(kind, f->kind))
      return false;
   f->heard = heard;
   return true;
}

static void
fail_on(uint64_t seed, hd_shader *shader, struct failure *f)
{
   const hd_reduce_options options = { .user = f,
                                       .is_interesting = still_fails,
                                       .max_tries = MAX_TRIES };
   hd_shader *small = NULL;
   hd_blob text = { 0 };
   char name[64];

   fprintf(stderr, "seed %llu, %s: %s", (unsigned long long)seed, cell_name(f->cell, name),
           f->heard.all);
   name_kind(f->heard.all, f->kind);
   f->launches.schedule = 1;
   if (hd_reduce_shader(shader, &options, &small, NULL) != HD_OK)
      small = NULL;
   hd_print_shader(small ? small : shader, NULL, &text);
   fprintf(stderr, "%s:\n%s\n%s", small ? "reduced" : "cannot be reduced", text.data, f->heard.all);
   hd_blob_finish(&text);
   hd_shader_destroy(small);
   fail_msg("seed %llu, %s", (unsigned long long)seed, name);
}

static struct {
   unsigned programs, refused;
   char why[200];
} tally[NUM_CELLS];

static uint64_t
number_from(const char *variable, uint64_t otherwise)
{
   const char *text = getenv(variable);

   return text ? strtoull(text, NULL, 0) : otherwise;
}

static void
try_program(uint64_t seed)
{
   const program_options options = { .size = 6 + seed % 30,
                                     .compute = true,
                                     .no_images = seed % 5 != 0,
                                     .machine_images = true,
                                     .no_shared_floats = true };
   const unsigned number = (unsigned)number_from("HEDDLE_CELL", seed % NUM_CELLS);
   hd_shader *shader = random_program(NULL, seed, &options);
   struct failure f = {
      .cell = cell_of(number, seed),
      .launches = { .seed = seed,
                    .first_launch = (uint32_t)(seed / NUM_CELLS % HD_DIFF_TEST_KINDS),
                    .num_launches = 1 + seed % 2 },
   };
   hd_diff_test *trial;

   assert_non_null(shader);
   shader->subgroup_size = 64;
   assert_int_equal(hd_diff_test_create(shader, &f.launches, &trial), HD_OK);
   if (hd_diff_test_num_runs(trial, NULL) == f.launches.num_launches) {
      const hd_result result = compile_and_compare(shader, trial, f.cell, &f.heard);
      tally[number].programs++;
      if (result == HD_UNSUPPORTED) {
         tally[number].refused++;
         snprintf(tally[number].why, sizeof(tally[number].why), "%.150s", f.heard.all);
         if (getenv("HEDDLE_VERBOSE"))
            fprintf(stderr, "seed %llu: %s", (unsigned long long)seed, f.heard.all);
      } else if (result == HD_INVALID) {
         fail_on(seed, shader, &f);
      } else {
         assert_int_equal(result, HD_OK);
      }
   }
   hd_diff_test_destroy(trial);
   hd_shader_destroy(shader);
}

/* Programs that showed something once: an early return lost beside a halt, a sign lost, a reload
 * for the wrong lanes, a carry that was never made, a mask that a later sweep wrote, lanes that
 * were brought back (two), a boolean that was neither 0 nor 1, a product that was made twice,
 * a phi that lanes with nothing wrote, bits that an undefined value was shifted from, the least
 * number beside an undefined one, lanes that waited in a loop while others passed its header, half of
 * a constant of 32 bits, a scalar written where no lane came, a continue list that no lane reached.
 */
static const uint64_t found[] = { 3325,  4426,   8803,   20819,  42309,  52079,
                                  64262, 100823, 102075, 113969, 6480,   11842,
                                  65775, 711359, 726913, 801378, 6000259 };

static void
test_programs(void **unused)
{
   const uint64_t one = number_from("HEDDLE_SEED", 0);
   const uint64_t first = one ? one : number_from("HEDDLE_FIRST_SEED", 1);
   const uint64_t num = one ? 1 : number_from("HEDDLE_SEEDS", NUM_SEEDS);
   char name[64];

   (void)unused;
   for (unsigned n = 0; n < sizeof(found) / sizeof(found[0]) && !one; n++)
      try_program(found[n]);
   for (uint64_t seed = first; seed < first + num; seed++)
      try_program(seed);
   for (unsigned n = 0; n < NUM_CELLS; n++) {
      if (!tally[n].programs)
         continue;
      printf("%-32s %5u programs, %u refused%s%s\n", cell_name(cell_of(n, 0), name),
             tally[n].programs, tally[n].refused, tally[n].refused ? ", the last: " : "",
             tally[n].why);
      /* What is always refused is not tested. */
      if (num >= NUM_SEEDS)
         assert_true(tally[n].programs >= NUM_SEEDS / NUM_CELLS / 2 &&
                     tally[n].refused * 5 <= tally[n].programs);
   }
}

int
main(void)
{
   const struct CMUnitTest tests[] = { cmocka_unit_test(test_programs) };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
