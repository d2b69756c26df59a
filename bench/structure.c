/* SPDX-License-Identifier: MIT */
/* structure.c - what the structurizers make of the functions of a file.
 *
 *    structure PASS FILE.hd           a line of JSON for each function: what it consists of and
 *                                     how it runs, before and after
 *    structure --count PASS FILE.hd   the same without running
 *    structure --time PASS FILE.hd    how long the pass takes on the file's first function
 *
 * Counted is what stands in the functions, whatever the pass says of its work; where that differs
 * from the pass's own statistics, the line says so. A function runs on one wave of 64 lanes, which
 * log into a buffer (programs.py): "same" tells whether each lane's log is the same after the pass.
 */
#include "clock.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle_tools.h>
#include <heddle/wave.h>

#define LANES     64
#define MAX_STEPS 2000000

/* What there is of a function. */
typedef struct counts {
   uint32_t branches; /* ifs, or two-way decisions: n successors are n - 1 */
   uint32_t phis;
   uint32_t others;    /* neither phi, jump, constant nor undef */
   uint32_t constants; /* and undefs */
   uint32_t blocks;    /* that hold or decide something: see is_step */
} counts;

/* What a run of it took. */
typedef struct run {
   hd_result result;
   uint64_t steps; /* blocks run that hold or decide something, with at least one lane */
   uint64_t instructions;
   uint32_t logs[LANES];
} run;

typedef hd_result (*transform)(hd_function *f, hd_structurize_stats *stats);

static void
complain(void *user, const hd_diag *diag)
{
   (void)user;
   hd_diag_print(stderr, diag, false);
}

/* Counting */

/* A tree's padding costs nothing: a block that holds no code, merges no value and decides nothing
 * is no step, wherever it stands.
 */
static bool
is_step(const hd_block *b)
{
   if (b->num_succs > 1 || hd_block_next_if(b))
      return true;
   hd_foreach_instr(i, b) {
      if (i->kind != HD_INSTR_JUMP && i->kind != HD_INSTR_CONST && i->kind != HD_INSTR_UNDEF)
         return true;
   }
   return false;
}

static void
count_instr(const hd_instr *i, counts *c)
{
   switch (i->kind) {
   case HD_INSTR_PHI:
      c->phis++;
      break;
   case HD_INSTR_CONST:
   case HD_INSTR_UNDEF:
      c->constants++;
      break;
   case HD_INSTR_JUMP:
      break;
   default:
      c->others++;
      break;
   }
}

static counts
count(const hd_function *f)
{
   counts c = { 0 };

   hd_foreach_node(node, f) {
      const hd_block *b = hd_node_as_block(node);

      if (node->kind == HD_CF_IF)
         c.branches++;
      if (!b)
         continue;
      if (!f->structured && b->num_succs)
         c.branches += b->num_succs - 1;
      c.blocks += is_step(b);
      hd_foreach_instr(i, b)
         count_instr(i, &c);
   }
   return c;
}

/* Running */

/* Can every block reach the end? */
static bool
always_ends(hd_function *f)
{
   hd_function_reindex(f);
   bool *seen = calloc(f->num_blocks + 1, sizeof(*seen));
   hd_block **queue = malloc((f->num_blocks + 1) * sizeof(*queue));
   uint32_t num = 0;

   if (!seen || !queue)
      exit(1);
   queue[num++] = &f->end;
   for (uint32_t n = 0; n < num; n++) {
      for (uint32_t k = 0; k < queue[n]->num_preds; k++) {
         hd_block *from = queue[n]->preds[k].from;
         if (!seen[from->node.index]) {
            seen[from->node.index] = true;
            queue[num++] = from;
         }
      }
   }
   free(seen);
   free(queue);
   hd_foreach_block(b, f)
      num--;
   return num == 1;
}

static void
on_step(void *user, const hd_wave_step *step)
{
   run *r = user;

   r->steps += is_step(step->block);
}

/* One that may not end is not run. */
static run
execute(hd_function *f, bool ends, hd_wave_mode mode)
{
   run r = { .result = HD_UNSUPPORTED };
   hd_wave_buffer buffer = { .memory = { r.logs, NULL, sizeof(r.logs) } };
   hd_wave_launch launch = {
      .function = f,
      .lanes = LANES,
      .mode = mode,
      .buffers = &buffer,
      .num_buffers = 1,
      .max_steps = MAX_STEPS,
      .user = &r,
      .trace = on_step,
   };
   hd_linear *linear = NULL;
   hd_wave_stats stats;

   if (!ends || (mode == HD_WAVE_LINEAR && hd_linearize(f, &linear, NULL, NULL) != HD_OK))
      return r;
   launch.linear = linear;
   r.result = hd_wave_run(f->shader, &launch, &stats);
   r.instructions = stats.instructions;
   hd_linear_destroy(f->shader, linear);
   return r;
}

/* FNV-1a over the logs: two programs are compared by it across processes. */
static uint64_t
digest(const run *r)
{
   uint64_t h = UINT64_C(0xcbf29ce484222325);

   for (unsigned l = 0; l < LANES; l++)
      h = (h ^ r->logs[l]) * UINT64_C(0x100000001b3);
   return h;
}

/* The passes */

static hd_result
do_nothing(hd_function *f, hd_structurize_stats *stats)
{
   (void)f;
   (void)stats;
   return HD_OK;
}

static hd_result
structurize(hd_function *f, hd_structurize_stats *stats)
{
   const hd_structurize_options options = { .stats = stats };

   return hd_structurize(f, &options);
}

/* There, back, and there again: what the tree declares must be enough. */
static hd_result
round_trip(hd_function *f, hd_structurize_stats *stats)
{
   hd_result result = structurize(f, stats);

   if (result == HD_OK)
      result = hd_unstructure(f);
   return result == HD_OK ? hd_structurize(f, NULL) : result;
}

static hd_result
unstructure(hd_function *f, hd_structurize_stats *stats)
{
   (void)stats;
   return hd_unstructure(f);
}

static hd_result
linearize(hd_function *f, hd_structurize_stats *stats)
{
   hd_linear *linear = NULL;
   const hd_result result = hd_linearize(f, &linear, NULL, NULL);

   (void)stats;
   hd_linear_destroy(f->shader, linear);
   return result;
}

static hd_result
reconverge_in(hd_function *f, hd_reconverge_order order, hd_structurize_stats *stats)
{
   const hd_reconverge_options options = { .order = order, .stats = stats };

   return hd_reconverge(f, &options);
}

static hd_result
reconverge(hd_function *f, hd_structurize_stats *stats)
{
   return reconverge_in(f, HD_RECONVERGE_DEFAULT, stats);
}

static hd_result
reconverge_depth(hd_function *f, hd_structurize_stats *stats)
{
   return reconverge_in(f, HD_RECONVERGE_DEPTH_FIRST, stats);
}

static hd_result
reconverge_breadth(hd_function *f, hd_structurize_stats *stats)
{
   return reconverge_in(f, HD_RECONVERGE_BREADTH_FIRST, stats);
}

static hd_result
reconverge_rpo(hd_function *f, hd_structurize_stats *stats)
{
   return reconverge_in(f, HD_RECONVERGE_REVERSE_POST_ORDER, stats);
}

static hd_result
find_divergence(hd_function *f, hd_structurize_stats *stats)
{
   (void)stats;
   return hd_require(f, HD_META_DIVERGENCE);
}

/* `first` is done before the time is taken; `mode` is how the result is run. */
static const struct {
   const char *name;
   transform run, first;
   bool has_stats;
   hd_wave_mode mode;
} passes[] = {
   { "none", do_nothing, do_nothing, false, HD_WAVE_SWEEP },
   { "structurize", structurize, do_nothing, true, HD_WAVE_SWEEP },
   { "round-trip", round_trip, do_nothing, false, HD_WAVE_SWEEP },
   { "unstructure", unstructure, structurize, false, HD_WAVE_SWEEP },
   { "reconverge", reconverge, do_nothing, true, HD_WAVE_ONE_PC },
   { "reconverge-depth-first", reconverge_depth, do_nothing, true, HD_WAVE_ONE_PC },
   { "reconverge-breadth-first", reconverge_breadth, do_nothing, true, HD_WAVE_ONE_PC },
   { "reconverge-reverse-post-order", reconverge_rpo, do_nothing, true, HD_WAVE_ONE_PC },
   { "linearize", linearize, do_nothing, false, HD_WAVE_LINEAR },
   { "divergence", find_divergence, do_nothing, false, HD_WAVE_SWEEP },
};

static const unsigned num_passes = sizeof(passes) / sizeof(passes[0]);

/* Output */

static void
print_counts(const char *name, const counts *c, const run *r)
{
   printf(", \"%s\": {\"branches\": %" PRIu32 ", \"phis\": %" PRIu32 ", \"others\": %" PRIu32
          ", \"constants\": %" PRIu32 ", \"blocks\": %" PRIu32,
          name, c->branches, c->phis, c->others, c->constants, c->blocks);
   printf(", \"run\": \"%s\", \"steps\": %" PRIu64 ", \"instructions\": %" PRIu64
          ", \"logs\": \"%016" PRIx64 "\"}",
          hd_result_name(r->result), r->steps, r->instructions, digest(r));
}

/* What the pass says that it added, and whether that is what was counted. */
static void
print_stats(const hd_structurize_stats *s, const counts *before, const counts *after)
{
   const uint32_t phis = s->selector_phis + s->edge_phis + s->value_phis;
   /* Of the input's phis some may be gone: no number of new ones for them is less than 0. */
   const bool same_phis =
       before->phis + phis == after->phis || (!s->edge_phis && before->phis + phis > after->phis);
   const bool agrees = s->branches_before == before->branches &&
                       s->branches_after == after->branches && same_phis &&
                       before->others + s->instructions == after->others &&
                       before->constants + s->constants == after->constants;

   printf(", \"selectors\": %" PRIu32 ", \"edge phis\": %" PRIu32 ", \"value phis\": %" PRIu32,
          s->selector_phis, s->edge_phis, s->value_phis);
   printf(", \"stats\": {\"branches before\": %" PRIu32 ", \"branches after\": %" PRIu32
          ", \"phis\": %" PRIu32 ", \"others\": %" PRIu32 ", \"constants\": %" PRIu32 "}",
          s->branches_before, s->branches_after, phis, s->instructions, s->constants);
   printf(", \"stats agree\": %s", agrees ? "true" : "false");
}

static bool
measure(hd_function *f, unsigned pass, bool runs)
{
   hd_structurize_stats stats = { 0 };
   const counts before = count(f);
   const bool ends = runs && always_ends(f);
   const run first = execute(f, ends, HD_WAVE_SWEEP);
   const double since = cpu_ns();
   const hd_result result = passes[pass].run(f, &stats);
   const double took = cpu_ns() - since;

   printf("{\"function\": \"%s\", \"result\": \"%s\", \"ns\": %.0f", f->name,
          hd_result_name(result), took);
   print_counts("before", &before, &first);
   if (result == HD_OK && passes[pass].run != do_nothing) {
      const counts after = count(f);
      const bool valid = hd_validate_function(f, NULL) == HD_OK;
      const run second = execute(f, ends, passes[pass].mode);
      const bool same =
          first.result == second.result &&
          (first.result != HD_OK || !memcmp(first.logs, second.logs, sizeof(first.logs)));

      print_counts("after", &after, &second);
      printf(", \"valid\": %s, \"same\": %s", valid ? "true" : "false", same ? "true" : "false");
      if (passes[pass].has_stats)
         print_stats(&stats, &before, &after);
   }
   printf("}\n");
   fflush(stdout);
   return result == HD_OK;
}

/* Reading */

static char *
read_file(const char *path, size_t *size)
{
   FILE *file = fopen(path, "rb");
   char *text = NULL;
   long length;

   if (file && !fseek(file, 0, SEEK_END) && (length = ftell(file)) >= 0) {
      rewind(file);
      text = malloc((size_t)length + 1);
      if (text) {
         *size = fread(text, 1, (size_t)length, file);
         text[*size] = 0;
      }
   }
   if (file)
      fclose(file);
   return text;
}

static hd_shader *
parse(const char *path, const char *text, size_t size)
{
   const hd_config config = { .diag.report = complain };
   hd_shader *shader = NULL;

   if (hd_parse(&config, path, text, size, &shader) != HD_OK)
      exit(1);
   return shader;
}

static int
measure_all(const char *path, const char *text, size_t size, unsigned pass, bool runs)
{
   hd_shader *shader = parse(path, text, size);
   bool good = hd_validate(shader, NULL) == HD_OK;

   hd_foreach_function(f, shader)
      good = good && measure(f, pass, runs);
   hd_shader_destroy(shader);
   return good ? 0 : 1;
}

/* The fastest of up to five runs on copies of the function, as long as they are short. */
static int
time_first(const char *path, const char *text, size_t size, unsigned pass)
{
   hd_shader *shader = parse(path, text, size);
   const double end = cpu_ns() + 0.2e9;
   double best = 0;
   uint32_t blocks = 0;

   for (unsigned n = 0; n < 1 || (n < 5 && cpu_ns() < end); n++) {
      hd_shader *copy = NULL;
      hd_structurize_stats stats;

      hd_result result = hd_shader_clone(shader, NULL, &copy);
      if (result == HD_OK)
         result = passes[pass].first(copy->first_function, &stats);
      blocks = copy ? copy->first_function->num_blocks : 0;
      const double since = cpu_ns();
      if (result == HD_OK)
         result = passes[pass].run(copy->first_function, &stats);
      const double took = cpu_ns() - since;
      hd_shader_destroy(copy);
      if (result != HD_OK) {
         fprintf(stderr, "structure: %s: %s\n", passes[pass].name, hd_result_name(result));
         return 1;
      }
      if (!n || took < best)
         best = took;
   }
   hd_shader_destroy(shader);
   printf("{\"blocks\": %" PRIu32 ", \"ns\": %.0f}\n", blocks, best);
   return 0;
}

int
main(int argc, char **argv)
{
   const bool timed = argc == 4 && !strcmp(argv[1], "--time");
   const bool counted = argc == 4 && !strcmp(argv[1], "--count");
   unsigned pass = 0;
   size_t size;

   if (argc != 3 && !timed && !counted) {
      fprintf(stderr, "usage: structure [--time | --count] PASS FILE.hd\n");
      return 2;
   }
   while (pass < num_passes && strcmp(passes[pass].name, argv[argc - 2]))
      pass++;
   if (pass == num_passes) {
      fprintf(stderr, "structure: no pass '%s'\n", argv[argc - 2]);
      return 2;
   }
   char *text = read_file(argv[argc - 1], &size);
   if (!text) {
      fprintf(stderr, "structure: cannot read '%s'\n", argv[argc - 1]);
      return 1;
   }
   const int status = timed ? time_first(argv[argc - 1], text, size, pass)
                            : measure_all(argv[argc - 1], text, size, pass, !counted);
   free(text);
   return status;
}
