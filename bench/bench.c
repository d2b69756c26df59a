/* SPDX-License-Identifier: MIT */
/* bench.c - what the library costs, by its public API alone.
 *
 *    bench [--quick] [--llvm FOLDER]
 *
 * One line of JSON for each shape and size: CPU nanoseconds per call of each kind of work, bytes of
 * memory, instructions. report.py makes tables of it. --llvm also leaves each program of the series
 * as LLVM IR in the folder, and its name in the line. --quick takes small sizes once: a test that
 * the programs are valid and survive every kind of work.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "llvm_text.h"
#include "shapes.h"

#include <heddle/pass.h>

typedef enum work {
   BUILD,
   PRINT,
   PARSE,
   VALIDATE,
   CLONE,
   WRITE,
   READ,
   HASH,
   DELETE,
   DOMINANCE,
   DIVERGENCE,
   FIRST_PASS,
   NUM_WORK = FIRST_PASS + 5
} work;

static const char *const work_names[NUM_WORK] = {
   "build",
   "print",
   "parse",
   "validate",
   "clone",
   "write",
   "read",
   "hash",
   "delete",
   "dominance",
   "divergence",
   /* Passes, by their names: */
   "opt_cse",
   "opt_dce",
   "opt_algebraic",
   "opt_gcm",
   "lower_phis",
};

/* What the library holds, seen from outside.
 *
 * Freed memory is kept for the next request of its size, as a driver's allocator would: otherwise
 * every round at a large size would measure how fast the kernel hands out zeroed pages.
 */
typedef struct kept {
   struct kept *next;
   size_t size;
} kept;

typedef struct meter {
   size_t now, peak;
   kept *kept;
} meter;

static void *
meter_alloc(void *user, size_t size)
{
   meter *m = user;
   void *p = NULL;

   for (kept **k = &m->kept; *k; k = &(*k)->next) {
      if ((*k)->size == size) {
         p = *k;
         *k = (*k)->next;
         break;
      }
   }
   if (!p)
      p = malloc(size < sizeof(kept) ? sizeof(kept) : size);
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
   kept *k = p;

   if (p) {
      m->now -= size;
      k->size = size;
      k->next = m->kept;
      m->kept = k;
   }
}

static void
meter_finish(meter *m)
{
   while (m->kept) {
      kept *k = m->kept;

      m->kept = k->next;
      free(k);
   }
}

static void
complain(void *user, const hd_diag *diag)
{
   (void)user;
   hd_diag_print(stderr, diag, false);
}

static void
must(bool good, const shape *s, uint32_t size, const char *what)
{
   if (!good) {
      fprintf(stderr, "bench: %s, size %" PRIu32 ": %s failed\n", s->name, size, what);
      exit(1);
   }
}

/* One program and the fastest time seen of each kind of work on it. */
typedef struct subject {
   const shape *shape;
   uint32_t size;
   hd_config config;
   meter meter;
   hd_shader *shader;
   hd_blob text, bytes;
   double ns[NUM_WORK];
} subject;

static void
note(subject *s, work w, double since)
{
   double t = cpu_ns() - since;

   if (s->ns[w] == 0 || t < s->ns[w])
      s->ns[w] = t;
}

static void
destroy(subject *s, hd_shader *shader)
{
   double since = cpu_ns();

   hd_shader_destroy(shader);
   note(s, DELETE, since);
}

/* Every kind of work once, each result checked. */
static void
round_trip(subject *s)
{
   hd_shader *copy = NULL;
   hd_result result;
   hd_hash hash;
   double since;

   hd_blob_finish(&s->text);
   hd_blob_init(&s->text, &s->config);
   since = cpu_ns();
   result = hd_print_shader(s->shader, NULL, &s->text);
   note(s, PRINT, since);
   must(result == HD_OK, s->shape, s->size, "print");

   since = cpu_ns();
   result = hd_parse(&s->config, s->shape->name, s->text.data, s->text.size, &copy);
   note(s, PARSE, since);
   must(result == HD_OK, s->shape, s->size, "parse");
   destroy(s, copy);

   since = cpu_ns();
   result = hd_validate(s->shader, NULL);
   note(s, VALIDATE, since);
   must(result == HD_OK, s->shape, s->size, "validate");

   since = cpu_ns();
   result = hd_shader_clone(s->shader, NULL, &copy);
   note(s, CLONE, since);
   must(result == HD_OK, s->shape, s->size, "clone");
   destroy(s, copy);

   hd_blob_finish(&s->bytes);
   hd_blob_init(&s->bytes, &s->config);
   since = cpu_ns();
   result = hd_write_binary(s->shader, &s->bytes);
   note(s, WRITE, since);
   must(result == HD_OK, s->shape, s->size, "write");

   since = cpu_ns();
   result = hd_read_binary(&s->config, s->shape->name, s->bytes.data, s->bytes.size, &copy);
   note(s, READ, since);
   must(result == HD_OK, s->shape, s->size, "read");
   destroy(s, copy);

   since = cpu_ns();
   result = hd_shader_hash(s->shader, &hash);
   note(s, HASH, since);
   must(result == HD_OK, s->shape, s->size, "hash");
}

/* One analysis beside what it is computed from. */
static void
analyse(subject *s, hd_function *f, uint32_t meta, work w)
{
   const double since = cpu_ns();
   const hd_result result = hd_require(f, meta);

   note(s, w, since);
   must(result == HD_OK, s->shape, s->size, work_names[w]);
}

/* Analyses and passes, each pass on a copy and with the metadata that it asks for. */
static void
optimize(subject *s)
{
   hd_shader *copy = NULL;

   hd_meta_invalidate(s->shader->first_function, 0);
   analyse(s, s->shader->first_function, HD_META_DOMINANCE, DOMINANCE);
   must(hd_require(s->shader->first_function, HD_META_CYCLES) == HD_OK, s->shape, s->size,
        "cycles");
   analyse(s, s->shader->first_function, HD_META_DIVERGENCE, DIVERGENCE);
   for (unsigned w = FIRST_PASS; w < NUM_WORK; w++) {
      must(hd_shader_clone(s->shader, NULL, &copy) == HD_OK, s->shape, s->size, "clone");
      const double since = cpu_ns();
      const hd_result result = hd_run_pass(copy, hd_pass_find(work_names[w]), NULL, NULL);

      note(s, w, since);
      must(result == HD_OK, s->shape, s->size, work_names[w]);
      hd_shader_destroy(copy);
   }
}

static void
build(subject *s)
{
   hd_result result;
   double since;

   if (s->shader)
      destroy(s, s->shader);
   since = cpu_ns();
   s->shader = shape_build(s->shape, &s->config, s->size, &result);
   note(s, BUILD, since);
   must(result == HD_OK, s->shape, s->size, hd_result_name(result));
}

static void
report(subject *s, const char *llvm)
{
   hd_memory_stats memory = hd_shader_memory(s->shader);
   uint64_t instrs = count_instrs(s->shader), blocks = 0;

   hd_foreach_block(b, s->shader->first_function)
      blocks++;
   printf("{\"shape\": \"%s\", \"what\": \"%s\", \"size\": %" PRIu32 ", \"extreme\": %s, ",
          s->shape->name, s->shape->what, s->size, s->shape->extreme ? "true" : "false");
   printf("\"instructions\": %" PRIu64 ", \"blocks\": %" PRIu64 ", ", instrs, blocks);
   printf("\"live\": %zu, \"reserved\": %zu, \"peak\": %zu, \"text\": %zu, \"binary\": %zu, ",
          memory.live, memory.reserved, s->meter.peak, s->text.size, s->bytes.size);
   printf("\"alu2\": %zu, ", sizeof(hd_instr) + 2 * sizeof(hd_src));
   if (llvm)
      printf("\"llvm\": \"%s\", ", llvm);
   printf("\"ns\": {");
   for (unsigned w = 0; w < NUM_WORK; w++)
      printf("%s\"%s\": %.0f", w ? ", " : "", work_names[w], s->ns[w]);
   printf("}}\n");
   fflush(stdout);
}

/* `seconds` of CPU time, but a few rounds at least and never more than enough. */
static void
measure(const shape *shape, uint32_t size, double seconds, const char *folder)
{
   subject s = { .shape = shape, .size = size };
   char path[4096];

   s.config.diag.report = complain;
   s.config.allocator.user = &s.meter;
   s.config.allocator.alloc = meter_alloc;
   s.config.allocator.free = meter_free;
   build(&s);
   s.meter.peak = s.meter.now;

   double end = cpu_ns() + seconds * 1e9;
   unsigned rounds = 0;
   do {
      if (rounds)
         build(&s);
      round_trip(&s);
      if (!shape->extreme)
         optimize(&s);
      rounds++;
   } while (seconds > 0 && rounds < 200 && (rounds < 4 || cpu_ns() < end));

   if (folder) {
      snprintf(path, sizeof(path), "%s/%s-%" PRIu32 ".ll", folder, shape->name, size);
      FILE *out = fopen(path, "w");
      must(out && write_llvm(out, s.shader), shape, size, "writing as LLVM IR");
      must(fclose(out) == 0, shape, size, "writing as LLVM IR");
   }
   report(&s, folder ? path : NULL);
   hd_shader_destroy(s.shader);
   hd_blob_finish(&s.text);
   hd_blob_finish(&s.bytes);
   must(s.meter.now == 0, shape, size, "freeing all memory");
   meter_finish(&s.meter);
}

int
main(int argc, char **argv)
{
   static const uint32_t series[] = { 1000, 10000, 100000 };
   const char *folder = NULL;
   bool quick = false;

   for (int i = 1; i < argc; i++) {
      if (!strcmp(argv[i], "--quick"))
         quick = true;
      else if (!strcmp(argv[i], "--llvm") && i + 1 < argc)
         folder = argv[++i];
      else {
         fprintf(stderr, "usage: bench [--quick] [--llvm FOLDER]\n");
         return 2;
      }
   }

   for (unsigned i = 0; i < num_shapes; i++) {
      const shape *s = &shapes[i];

      if (quick) {
         measure(s, 200, 0, folder);
      } else if (s->extreme) {
         /* Around the size in question, where no cache holds the program any more: what time grows
          * with there is the algorithm.
          */
         for (unsigned quarters = 1; quarters <= 8; quarters *= 2)
            measure(s, s->extreme / 4 * quarters, 0.6, NULL);
      } else {
         for (unsigned n = 0; n < 3; n++)
            measure(s, series[n], 0.7, folder);
      }
   }
   return 0;
}
