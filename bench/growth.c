/* SPDX-License-Identifier: MIT */
/* growth.c - how the time of passes grows with the size of a program.
 *
 *    growth [--quick] [--sizes=N,N,...] [--alone=N] [--passes=LIST] [--shape=NAME]
 *           [--lowering=tree|reconverging]
 *
 * One line of JSON for each shape and size: the cost of each pass alone on the program as it
 * is (up to size N: 500,000), of the whole list, of each of its steps, and the most memory that it
 * had at once. A pass whose time says
 * that the next size would take too long is not tried there: it is left out of the line, and so is
 * the list.
 *
 * With a control-flow lowering, tree or reconverging, the list is the phases of compiling for
 * gfx900, and no pass is tried alone.
 *
 * Built with COUNT_WORK, cost is the work that was counted (work.h), else CPU nanoseconds.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <heddle/gcn.h>
#include <heddle/heddle.h>
#include <heddle/pass.h>

#include "growth_shapes.h"
#include "work.h"

#define MAX_SIZES  12
#define MAX_STEPS  256
#define MAX_PASSES 128
/* What one call may cost, by what it did at the last size if that is quadratic. */
#ifdef COUNT_WORK
#define TOO_LONG 4e10
#else
#define TOO_LONG 40e9
#endif

typedef struct series {
   double pass[MAX_PASSES]; /* cost at the last size; 0 before the first, -1 once too long */
   double list;
   uint32_t last; /* the size they are from */
} series;

typedef struct steps {
   double began, cost[MAX_STEPS];
   const char *names[MAX_STEPS];
   uint32_t count;
} steps;

/* What is measured: a list of passes, or, where there is none, a control-flow lowering. */
typedef struct work_list {
   const hd_pass_list *passes;
   hd_gcn_lowering lowering;
} work_list;

/* What a shader has of memory, seen from outside. */
typedef struct meter {
   size_t now, peak;
} meter;

static void *
meter_alloc(void *user, size_t size)
{
   meter *m = user;
   void *p = malloc(size);

   if (p) {
      m->now += size;
      if (m->now > m->peak)
         m->peak = m->now;
   }
   return p;
}

static void
meter_free(void *user, void *p, size_t size)
{
   meter *m = user;

   if (p)
      m->now -= size;
   free(p);
}

static double
cost_so_far(void)
{
#ifdef COUNT_WORK
   return (double)work_done;
#else
   struct timespec t;

   clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
   return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
#endif
}

static void
must(bool good, const shape *s, uint32_t size, const char *what)
{
   if (!good) {
      fprintf(stderr, "growth: %s, size %" PRIu32 ": %s failed\n", s->name, size, what);
      exit(1);
   }
}

static void
complain(void *user, const hd_diag *diag)
{
   (void)user;
   hd_diag_print(stderr, diag, false);
}

static hd_shader *
clone(const hd_shader *shader, const shape *s, uint32_t size)
{
   hd_shader *copy = NULL;

   must(hd_shader_clone(shader, NULL, &copy) == HD_OK, s, size, "clone");
   return copy;
}

static bool
is_too_long(double last_cost, uint32_t last, uint32_t size)
{
   const double ratio = last ? (double)size / last : 1;

   return last_cost < 0 || last_cost * ratio * ratio > TOO_LONG;
}

/* The cost of a pass on a copy of the shader; of a short one the best of two, as the first finds
 * the caches cold.
 */
static double
measure_pass(const hd_shader *shader, const hd_pass *pass, const shape *s, uint32_t size)
{
   double best = 0;

   for (unsigned round = 0; round < 2; round++) {
      hd_shader *copy = clone(shader, s, size);
      double since = cost_so_far();
      const hd_result result = hd_run_pass(copy, pass, NULL, NULL);

      since = cost_so_far() - since;
      must(result == HD_OK || result == HD_UNSUPPORTED, s, size, pass->name);
      hd_shader_destroy(copy);
      if (!round || since < best)
         best = since;
      if (since > 3e7)
         break;
   }
   return best;
}

static bool
before_step(void *user, const hd_pass_run *run)
{
   (void)run;
   ((steps *)user)->began = cost_so_far();
   return true;
}

static hd_result
after_step(void *user, const hd_pass_run *run)
{
   steps *s = user;

   if (run->number < MAX_STEPS) {
      s->cost[run->number] = cost_so_far() - s->began;
      s->names[run->number] = run->step->pass->name;
      s->count = run->number + 1;
   }
   return HD_OK;
}

static void
print_list(const steps *all, const series *done, uint64_t after, const meter *m)
{
   printf(", \"list\": %.0f, \"after\": %" PRIu64 ", \"memory\": %zu, \"steps\": [", done->list,
          after, m->peak);
   for (uint32_t n = 0; n < all->count; n++)
      printf("%s[\"%s\", %.0f]", n ? ", " : "", all->names[n], all->cost[n]);
   printf("]");
}

/* What is refused is in the line of JSON. */
static void
keep_quiet(void *user, const hd_diag *diag)
{
   (void)user;
   (void)diag;
}

static void
before_phase(void *user, const char *phase)
{
   steps *s = user;
   const double now = cost_so_far();

   if (s->count)
      s->cost[s->count - 1] = now - s->began;
   if (s->count < MAX_STEPS)
      s->names[s->count++] = phase;
   s->began = cost_so_far();
}

/* To machine code, for a driver that gives what the shapes ask for. */
static void
measure_machine(const hd_shader *shader, hd_gcn_lowering lowering, const shape *s, uint32_t size,
                series *done)
{
   meter m = { 0 };
   steps all = { 0 };
   const hd_config config = { .diag = { .report = keep_quiet },
                              .allocator = { &m, meter_alloc, meter_free } };
   hd_gcn_driver_abi abi;
   hd_gcn_binary *binary;
   hd_shader *copy = NULL;

   memset(&abi, HD_GCN_NO_SGPR, sizeof(abi));
   abi.bindings = NULL;
   abi.num_bindings = 0;
   abi.scratch_resource = 0;
   abi.num_workgroups = 4;
   abi.num_user_sgprs = 7;
   const hd_gcn_options options = { .target = HD_GCN_GFX900,
                                    .abi = HD_GCN_ABI_DRIVER,
                                    .driver = &abi,
                                    .lowering = lowering,
                                    .user = &all,
                                    .before_phase = before_phase };
   must(hd_shader_clone(shader, &config, &copy) == HD_OK, s, size, "clone");
   double since = cost_so_far();
   const size_t before = m.now;
   m.peak = m.now;
   if (hd_gcn_compile(copy, &options, &binary) != HD_OK) {
      printf(", \"refused\": true");
      done->list = -1;
      hd_shader_destroy(copy);
      return;
   }
   all.cost[all.count - 1] = cost_so_far() - all.began;
   done->list = cost_so_far() - since;
   m.peak -= before;
   print_list(&all, done, binary->stats.instructions, &m);
   hd_gcn_binary_destroy(binary);
   hd_shader_destroy(copy);
}

static void
measure_list(const hd_shader *shader, const hd_pass_list *list, const shape *s, uint32_t size,
             series *done)
{
   steps all = { 0 };
   meter m = { 0 };
   const hd_run_options options = { .watch = { &all, before_step, after_step } };
   const hd_config config = { .diag = { .report = complain },
                              .allocator = { &m, meter_alloc, meter_free } };
   hd_shader *copy = NULL;

   must(hd_shader_clone(shader, &config, &copy) == HD_OK, s, size, "clone");
   double since = cost_so_far();
   must(hd_run_passes(copy, list->steps, list->num_steps, &options, NULL) == HD_OK, s, size,
        "the list of passes");
   done->list = cost_so_far() - since;
   print_list(&all, done, count_instrs(copy), &m);
   if (size <= 100000)
      must(hd_validate(copy, NULL) == HD_OK, s, size, "validating what the list of passes made");
   hd_shader_destroy(copy);
}

static void
measure(const shape *s, uint32_t size, const work_list *list, bool alone, series *done)
{
   const hd_config config = { .diag = { .report = complain } };
   hd_result result;
   hd_shader *shader = shape_build(s, &config, size, &result);
   bool first = true;

   must(result == HD_OK, s, size, "building");
   if (size <= 100000)
      must(hd_validate(shader, NULL) == HD_OK, s, size, "validating");
   printf("{\"shape\": \"%s\", \"what\": \"%s\", \"size\": %" PRIu32 ", \"instructions\": %" PRIu64
          ", \"passes\": {",
          s->name, s->what, size, count_instrs(shader));
   for (unsigned n = 0; alone && list->passes && n < hd_num_passes() && n < MAX_PASSES; n++) {
      if (is_too_long(done->pass[n], done->last, size)) {
         done->pass[n] = -1;
         continue;
      }
      done->pass[n] = measure_pass(shader, hd_pass_get(n), s, size);
      printf("%s\"%s\": %.0f", first ? "" : ", ", hd_pass_get(n)->name, done->pass[n]);
      first = false;
   }
   printf("}");
   if (is_too_long(done->list, done->last, size))
      done->list = -1;
   else if (list->passes)
      measure_list(shader, list->passes, s, size, done);
   else
      measure_machine(shader, list->lowering, s, size, done);
   printf("}\n");
   fflush(stdout);
   done->last = size;
   hd_shader_destroy(shader);
}

int
main(int argc, char **argv)
{
   uint32_t sizes[MAX_SIZES] = { 1000, 16000, 125000, 500000, 1000000 }, alone = 500000;
   unsigned num_sizes = 5;
   const char *passes = "O2", *only = NULL, *lowering = NULL;

   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "--quick")) {
         sizes[0] = 300;
         num_sizes = 1;
      } else if (!strncmp(argv[i], "--sizes=", 8)) {
         num_sizes = 0;
         for (char *p = argv[i] + 8; *p && num_sizes < MAX_SIZES; p += *p == ',')
            sizes[num_sizes++] = (uint32_t)strtoul(p, &p, 10);
      } else if (!strncmp(argv[i], "--alone=", 8)) {
         alone = (uint32_t)strtoul(argv[i] + 8, NULL, 10);
      } else if (!strncmp(argv[i], "--passes=", 9)) {
         passes = argv[i] + 9;
      } else if (!strncmp(argv[i], "--lowering=", 11)) {
         lowering = argv[i] + 11;
      } else if (!strncmp(argv[i], "--shape=", 8)) {
         only = argv[i] + 8;
      } else {
         fprintf(stderr, "usage: growth [--quick] [--sizes=N,...] [--alone=N] [--passes=LIST] "
                         "[--shape=NAME] [--lowering=tree|reconverging]\n");
         return 2;
      }
   }
   if (lowering && strcmp(lowering, "tree") != 0 && strcmp(lowering, "reconverging") != 0) {
      fprintf(stderr, "growth: --lowering=%s: expected tree or reconverging\n", lowering);
      return 2;
   }
   hd_pass_list list = { 0 };
   if (hd_pass_list_parse(&list, passes, (hd_diag_sink){ .report = complain }) != HD_OK)
      return 2;
   const work_list work = { .passes = lowering ? NULL : &list,
                            .lowering = lowering && !strcmp(lowering, "reconverging")
                                            ? HD_GCN_LOWERING_RECONVERGING
                                            : HD_GCN_LOWERING_TREE };
   for (unsigned n = 0; n < num_growth_shapes; n++) {
      series done = { 0 };

      if (only && strcmp(only, growth_shapes[n].name) != 0)
         continue;
      for (unsigned k = 0; k < num_sizes; k++)
         measure(&growth_shapes[n], sizes[k], &work, sizes[k] <= alone, &done);
   }
   hd_pass_list_finish(&list);
   return 0;
}
