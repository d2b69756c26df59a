/* SPDX-License-Identifier: MIT */
/* optimize.c - what passes take, and what they make.
 *
 *    optimize [--passes=LIST] [--seconds=S] [--each] [--output=FILE.hd] [--launch=FILE] FILE.hd
 *
 * One line of JSON: CPU nanoseconds of the fastest run of the list on a copy of the shader, of its
 * passes one by one (--each), and what the shader consists of before and after. With --launch the
 * result is run on the wave interpreter, and the line also has what the lanes did and a hash of the
 * memory in the end. A launch is a text:
 *
 *    workgroups X Y Z
 *    param BITS NUMBER         one for each parameter of the entry
 *    region ADDRESS FILE       global memory, as it is at the start
 *
 * Operations are counted as a machine of scalar lanes would have them: an ALU instruction counts
 * once for each component of its result, all else that is no constant, phi or jump once. What only
 * names parts of values (vec, channel with a known index and the like, an element of a variable
 * with a known index) and barriers do not count.
 */
#include "clock.h"
#include "heap.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/heddle_tools.h>
#include <heddle/pass.h>
#include <heddle/wave.h>

#define MAX_REGIONS 16
#define MAX_PARAMS  32
#define MAX_PASSES  256
#define MAX_CALLED  64

typedef struct launch {
   hd_wave_launch wave;
   hd_wave_region regions[MAX_REGIONS];
   hd_const_value params[MAX_PARAMS];
} launch;

/* What a shader consists of, or what was run. */
typedef struct counts {
   uint64_t instrs;    /* all, constants and phis too */
   uint64_t ops;       /* as told above */
   uint64_t memory;    /* of these: accesses to memory, scratch included */
   uint64_t variables; /* of these: accesses to variables */
   uint64_t branches;  /* ifs, and jumps with several targets */
   uint64_t phis;
} counts;

typedef struct options {
   const char *passes, *output, *launch, *file;
   double seconds;
   bool each;
} options;

static void
stop(const char *what, const char *about)
{
   fprintf(stderr, "optimize: %s: %s\n", about, what);
   exit(1);
}

static void
complain(void *user, const hd_diag *diag)
{
   (void)user;
   hd_diag_print(stderr, diag, false);
}

static char *
read_file(const char *path, size_t *size)
{
   FILE *file = fopen(path, "rb");
   char *data = NULL;
   size_t capacity = 0;

   *size = 0;
   if (!file)
      stop("cannot be opened", path);
   do {
      capacity = capacity ? capacity * 2 : 65536;
      data = realloc(data, capacity);
      if (!data)
         stop("out of memory", path);
      *size += fread(data + *size, 1, capacity - *size - 1, file);
   } while (*size == capacity - 1);
   data[*size] = 0;
   fclose(file);
   return data;
}

/* Counting */

static bool
has_known_index(const hd_instr *i, unsigned src)
{
   return hd_def_instr(hd_instr_as_alu(i)->src[src].def)->kind == HD_INSTR_CONST;
}

static unsigned
alu_ops(const hd_instr *i)
{
   switch (i->op) {
   case HD_OP_VEC:
      return 0;
   case HD_OP_CHANNEL:
      return !has_known_index(i, 1);
   case HD_OP_INSERT_CHANNEL:
      return !has_known_index(i, 2);
   default:
      return i->def.num_components;
   }
}

/* An element of an array that is named by a constant. */
static bool
is_known_element(const hd_var_access *a)
{
   const unsigned at = a->instr.num_srcs - 1u;

   return a->var->array_length && hd_def_instr(a->src[at].def)->kind == HD_INSTR_CONST;
}

static bool
touches_memory(const hd_instr *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);

   return i->op != HD_INTRINSIC_BARRIER && (info->reads || info->writes);
}

static void
count_instr(const hd_instr *i, counts *c)
{
   c->instrs++;
   switch (i->kind) {
   case HD_INSTR_ALU:
      c->ops += alu_ops(i);
      break;
   case HD_INSTR_INTRINSIC:
      c->ops += i->op != HD_INTRINSIC_BARRIER;
      c->memory += touches_memory(i);
      break;
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      c->ops += !is_known_element(hd_instr_as_var_access(i));
      c->variables++;
      break;
   case HD_INSTR_CALL:
      c->ops++;
      break;
   case HD_INSTR_PHI:
      c->phis++;
      break;
   default:
      break;
   }
}

/* The compares of a switch: all of them, or those on one way through a balanced tree. */
static uint64_t
switch_ops(const hd_block *b, bool one_way)
{
   const hd_jump *jump = hd_block_jump(b);
   uint64_t num = 0;

   if (!jump || jump->instr.op != HD_JUMP_SWITCH)
      return 0;
   if (!one_way)
      return jump->num_cases;
   while (UINT64_C(1) << num < jump->num_cases)
      num++;
   return num + 1;
}

static counts
count_block(const hd_block *b, bool one_way)
{
   counts c = { .branches = b->num_succs > 1, .ops = switch_ops(b, one_way) };

   hd_foreach_instr(i, b)
      count_instr(i, &c);
   return c;
}

static void
add(counts *sum, const counts *c, uint64_t times)
{
   sum->instrs += c->instrs * times;
   sum->ops += c->ops * times;
   sum->memory += c->memory * times;
   sum->variables += c->variables * times;
   sum->branches += c->branches * times;
   sum->phis += c->phis * times;
}

/* Append the functions that one calls to those that are known to be called. */
static void
mark_callees(const hd_function *f, const hd_function **called, unsigned *num)
{
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         const hd_call *call = hd_instr_as_call(i);
         bool known = !call;

         for (unsigned n = 0; n < *num && !known; n++)
            known = called[n] == call->callee;
         if (!known && *num < MAX_CALLED)
            called[(*num)++] = call->callee;
      }
   }
}

/* What the entry runs, itself or by calls: functions that were inlined everywhere do not count. */
static counts
count_shader(const hd_shader *shader)
{
   const hd_function *called[MAX_CALLED] = { shader->first_function };
   unsigned num = 1;
   counts sum = { 0 };

   for (unsigned n = 0; n < num; n++) {
      const hd_function *f = called[n];

      mark_callees(f, called, &num);
      hd_foreach_block(b, f) {
         const counts c = count_block(b, false);
         add(&sum, &c, 1);
      }
   }
   return sum;
}

static void
print_counts(const char *name, const counts *c)
{
   printf(", \"%s\": {\"instrs\": %" PRIu64 ", \"ops\": %" PRIu64 ", \"memory\": %" PRIu64
          ", \"variables\": %" PRIu64 ", \"branches\": %" PRIu64 ", \"phis\": %" PRIu64 "}",
          name, c->instrs, c->ops, c->memory, c->variables, c->branches, c->phis);
}

/* Running */

/* The lanes that ran each block, summed over all steps: open addressing, by the block's address. */
typedef struct tally {
   const hd_block **blocks;
   uint64_t *lanes;
   size_t mask;
} tally;

static void
on_step(void *user, const hd_wave_step *step)
{
   tally *t = user;
   size_t n = ((uintptr_t)step->block >> 4) * 0x9e3779b97f4a7c15u >> 20;

   for (n &= t->mask; t->blocks[n] && t->blocks[n] != step->block;)
      n = (n + 1) & t->mask;
   t->blocks[n] = step->block;
   t->lanes[n] += (uint64_t)__builtin_popcountll(step->mask.word[0]) +
                  (uint64_t)__builtin_popcountll(step->mask.word[1]);
}

static void
read_launch(launch *l, const char *path)
{
   size_t size;
   char *text = read_file(path, &size), name[4096];

   l->wave.regions = l->regions;
   l->wave.params = l->params;
   for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
      uint32_t *w = l->wave.num_workgroups;
      uint64_t number;
      unsigned bits;

      if (sscanf(line, "workgroups %" SCNu32 " %" SCNu32 " %" SCNu32, &w[0], &w[1], &w[2]) == 3)
         continue;
      if (sscanf(line, "param %u %" SCNi64, &bits, (int64_t *)&number) == 2) {
         if (l->wave.num_params == MAX_PARAMS)
            stop("too many parameters", path);
         l->params[l->wave.num_params++].u64 =
             bits < 64 ? number & ((UINT64_C(1) << bits) - 1) : number;
      } else if (sscanf(line, "region %" SCNi64 " %4095s", (int64_t *)&number, name) == 2) {
         if (l->wave.num_regions == MAX_REGIONS)
            stop("too many regions", path);
         hd_wave_region *r = &l->regions[l->wave.num_regions++];
         r->address = number;
         r->memory.data = read_file(name, &size);
         r->memory.size = size;
         r->memory.undefined = calloc(size + 1, 1);
         if (!r->memory.undefined)
            stop("out of memory", path);
      } else {
         stop("a line that says nothing", path);
      }
   }
   free(text);
}

static uint64_t
hash_bytes(const uint8_t *data, uint64_t size)
{
   uint64_t hash = UINT64_C(0xcbf29ce484222325);

   for (uint64_t n = 0; n < size; n++)
      hash = (hash ^ data[n]) * UINT64_C(0x100000001b3);
   return hash;
}

static void
run(hd_shader *shader, const char *path)
{
   launch l = { .wave = { .max_steps = UINT64_C(2000000000) } };
   uint64_t num_blocks = 0, undefined = 0;
   tally t = { .mask = 1023 };
   counts sum = { 0 };

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f)
         num_blocks++;
   }
   while (t.mask < num_blocks * 2)
      t.mask = t.mask * 2 + 1;
   t.blocks = calloc(t.mask + 1, sizeof(*t.blocks));
   t.lanes = calloc(t.mask + 1, sizeof(*t.lanes));
   if (!t.blocks || !t.lanes)
      stop("out of memory", path);
   read_launch(&l, path);
   l.wave.user = &t;
   l.wave.trace = on_step;
   hd_result result = hd_wave_run(shader, &l.wave, NULL);
   for (size_t n = 0; n <= t.mask; n++) {
      if (t.blocks[n]) {
         const counts c = count_block(t.blocks[n], true);
         add(&sum, &c, t.lanes[n]);
      }
   }
   printf(", \"ran\": \"%s\"", hd_result_name(result));
   print_counts("lanes", &sum);
   printf(", \"memory\": [");
   for (uint32_t n = 0; n < l.wave.num_regions; n++) {
      const hd_wave_memory *m = &l.regions[n].memory;

      for (uint64_t k = 0; k < m->size; k++)
         undefined += m->undefined[k] != 0;
      printf("%s\"%016" PRIx64 "\"", n ? ", " : "", hash_bytes(m->data, m->size));
      free(m->data);
      free(m->undefined);
   }
   printf("], \"undefined\": %" PRIu64, undefined);
   free(t.blocks);
   free(t.lanes);
}

/* Timing */

typedef struct watch {
   double began, ns[MAX_PASSES];
   uint64_t instrs[MAX_PASSES];
} watch;

static bool
before_pass(void *user, const hd_pass_run *pass)
{
   (void)pass;
   ((watch *)user)->began = cpu_ns();
   return true;
}

static hd_result
after_pass(void *user, const hd_pass_run *pass)
{
   watch *w = user;

   if (pass->number < MAX_PASSES) {
      const double ns = cpu_ns() - w->began;
      const counts c = count_shader(pass->shader);

      if (w->ns[pass->number] == 0 || ns < w->ns[pass->number])
         w->ns[pass->number] = ns;
      w->instrs[pass->number] = c.instrs;
   }
   return HD_OK;
}

static hd_shader *
clone(const hd_shader *shader, const options *o)
{
   hd_shader *copy = NULL;

   if (hd_shader_clone(shader, NULL, &copy) != HD_OK)
      stop("cannot be cloned", o->file);
   return copy;
}

static void
print_each(const watch *w, const hd_pass_list *list)
{
   printf(", \"each\": [");
   for (uint32_t n = 0; n < list->num_steps && n < MAX_PASSES; n++)
      printf("%s[\"%s\", %.0f, %" PRIu64 "]", n ? ", " : "", list->steps[n].pass->name, w->ns[n],
             w->instrs[n]);
   printf("]");
}

/* The shader after the passes; the fastest run is told. */
static hd_shader *
optimize(const hd_shader *shader, const hd_pass_list *list, const options *o)
{
   const double end = cpu_ns() + o->seconds * 1e9;
   double best = 0;
   watch w = { 0 };
   hd_shader *result = NULL;

   for (unsigned rounds = 0; rounds < 2 || (rounds < 100 && cpu_ns() < end); rounds++) {
      hd_shader_destroy(result);
      result = clone(shader, o);
      double since = cpu_ns();
      if (hd_run_passes(result, list->steps, list->num_steps, NULL, NULL) != HD_OK)
         stop("a pass failed", o->file);
      since = cpu_ns() - since;
      if (best == 0 || since < best)
         best = since;
   }
   printf(", \"ns\": %.0f, \"live\": %zu", best, hd_shader_memory(result).live);
   for (unsigned rounds = 0; o->each && rounds < 2; rounds++) {
      const hd_run_options watched = { .watch = { &w, before_pass, after_pass } };
      hd_shader *copy = clone(shader, o);

      if (hd_run_passes(copy, list->steps, list->num_steps, &watched, NULL) != HD_OK)
         stop("a pass failed", o->file);
      hd_shader_destroy(copy);
   }
   if (o->each)
      print_each(&w, list);
   return result;
}

static void
write_output(const hd_shader *shader, const options *o)
{
   hd_blob text;

   hd_blob_init(&text, hd_shader_config(shader));
   FILE *out = fopen(o->output, "w");
   if (!out || hd_print_shader(shader, NULL, &text) != HD_OK ||
       fwrite(text.data, 1, text.size, out) != text.size || fclose(out) != 0)
      stop("cannot be written", o->output);
   hd_blob_finish(&text);
}

static void
process(const options *o)
{
   const hd_config config = { .diag = { .report = complain } };
   hd_pass_list list = { 0 };
   hd_shader *shader = NULL, *result;
   size_t size;
   char *text = read_file(o->file, &size);

   if (hd_parse(&config, o->file, text, size, &shader) != HD_OK)
      stop("cannot be read", o->file);
   free(text);
   if (hd_validate(shader, NULL) != HD_OK)
      stop("is not valid", o->file);
   if (hd_pass_list_parse(&list, o->passes, config.diag) != HD_OK)
      stop("no such passes", o->passes);
   printf("{\"file\": \"%s\"", o->file);
   const counts before = count_shader(shader);
   print_counts("before", &before);
   result = optimize(shader, &list, o);
   if (hd_validate(result, NULL) != HD_OK)
      stop("is not valid after the passes", o->file);
   const counts after = count_shader(result);
   print_counts("after", &after);
   if (o->launch)
      run(result, o->launch);
   printf("}\n");
   if (o->output)
      write_output(result, o);
   hd_shader_destroy(result);
   hd_shader_destroy(shader);
   hd_pass_list_finish(&list);
}

static const char *
value_of(const char *argument, const char *name)
{
   const size_t length = strlen(name);

   return strncmp(argument, name, length) ? NULL : argument + length;
}

int
main(int argc, char **argv)
{
   options o = { .passes = "O2" };

   keep_freed_memory();
   for (int n = 1; n < argc; n++) {
      const char *value;

      if ((value = value_of(argv[n], "--passes=")))
         o.passes = value;
      else if ((value = value_of(argv[n], "--output=")))
         o.output = value;
      else if ((value = value_of(argv[n], "--launch=")))
         o.launch = value;
      else if ((value = value_of(argv[n], "--seconds=")))
         o.seconds = strtod(value, NULL);
      else if (!strcmp(argv[n], "--each"))
         o.each = true;
      else
         o.file = argv[n];
   }
   if (!o.file)
      stop("no file is given", "FILE.hd");
   process(&o);
   return 0;
}
