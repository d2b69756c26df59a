/* SPDX-License-Identifier: MIT */
/* gcn_object.c - heddle run of an HSA code object: a kernel in the simulator. */
#include "gcn.h"
#include "memories.h"
#include "textures.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/gcn_object.h"

#define MAX_ARGS 256

struct argument {
   struct memory memory;
   unsigned place; /* in the order of the kernel */
};

struct object_session {
   tool *t;
   hd_gcn_object *object;
   const hd_gcn_kernel *kernel;
   bool trace_json;
   struct argument arguments[MAX_ARGS];
   hd_gcn_sim_arg args[MAX_ARGS];
   hd_wave_image images[MAX_ARGS];
   hd_wave_sampler samplers[MAX_ARGS];
   unsigned num_args;
   hd_wave_mask active;
   hd_gcn_sim_dispatch_info info;
};

/* Arguments */

static bool
is_image(const struct argument *a)
{
   return !strncmp(a->memory.operand, "image@", 6);
}

static bool
add_argument(struct object_session *s, const char *operand)
{
   struct argument *a = &s->arguments[s->num_args];

   if (s->num_args == MAX_ARGS)
      return trouble("more than %d arguments", MAX_ARGS), false;
   s->num_args++;
   return strncmp(operand, "image@", 6) && strncmp(operand, "sampler@", 8)
              ? parse_argument(s->t, &a->memory, operand)
              : parse_named_memory(s->t, &a->memory, operand);
}

/* Is it given as a pointer, by what the kernel says of it? */
static bool
is_buffer(const struct object_session *s, const struct argument *a)
{
   const hd_gcn_arg_kind kind =
       a->place < s->kernel->num_explicit_args ? s->kernel->args[a->place].kind : HD_GCN_ARG_VALUE;

   return a->memory.pointer || kind == HD_GCN_ARG_GLOBAL_BUFFER ||
          kind == HD_GCN_ARG_SHARED_POINTER || (!s->kernel->described && a->memory.name_length);
}

/* The argument that has the name of the operand. */
static uint32_t
find_by_name(const struct object_session *s, const struct argument *a)
{
   const size_t length = a->memory.name_length;

   if (is_image(a) || is_sampler(&a->memory))
      return s->images[a - s->arguments].binding + s->samplers[a - s->arguments].binding;
   for (uint32_t n = 0; n < s->kernel->num_explicit_args; n++) {
      const char *name = s->kernel->args[n].name;
      if (length && name && strlen(name) == length && !strncmp(name, a->memory.operand, length))
         return n;
   }
   return UINT32_MAX;
}

/* Operands with the name of an argument first; the others fill what is left, in order. */
static bool
place_arguments(struct object_session *s)
{
   bool taken[MAX_ARGS] = { false };
   unsigned next = 0;

   for (unsigned n = 0; n < s->num_args; n++) {
      const struct memory *m = &s->arguments[n].memory;
      const hd_wave_memory bytes = { m->data, m->undefined, m->size };
      if (is_image(&s->arguments[n]) ? !parse_image(m, bytes, &s->images[n])
                                     : is_sampler(m) && !parse_sampler(m, &s->samplers[n]))
         return false;
   }
   for (unsigned n = 0; n < s->num_args; n++) {
      struct argument *a = &s->arguments[n];
      a->place = find_by_name(s, a);
      if (a->place >= s->num_args)
         a->place = UINT32_MAX;
      else if (taken[a->place])
         return trouble("argument '%.*s' is given twice", (int)a->memory.name_length,
                        a->memory.operand),
                false;
      else
         taken[a->place] = true;
   }
   for (unsigned n = 0; n < s->num_args; n++) {
      if (s->arguments[n].place != UINT32_MAX)
         continue;
      while (taken[next])
         next++;
      s->arguments[n].place = next++;
   }
   return true;
}

static void
bind_arguments(struct object_session *s)
{
   for (unsigned n = 0; n < s->num_args; n++) {
      const struct argument *a = &s->arguments[n];
      const struct memory *m = &a->memory;
      hd_gcn_sim_arg *arg = &s->args[a->place];
      if (is_image(a))
         arg->image = &s->images[n];
      else if (is_sampler(m))
         arg->sampler = &s->samplers[n];
      else if (m->is_shared)
         *arg = (hd_gcn_sim_arg){ .buffer.size = m->size, .shared = true };
      else if (is_buffer(s, a))
         arg->buffer = (hd_wave_memory){ m->data, m->undefined, m->size };
      else
         *arg = (hd_gcn_sim_arg){ .value = m->data, .size = (uint32_t)m->size };
   }
   s->info.args = s->args;
   s->info.num_args = s->num_args;
}

/* Results */

static bool
write_results(struct object_session *s)
{
   const bool json = s->t->json;
   bool any = false;

   if (json)
      printf("\"memory\":{");
   for (unsigned n = 0; n < s->num_args; n++) {
      const struct argument *a = &s->arguments[n];
      char name[32];
      if ((!is_buffer(s, a) && !is_image(a)) || !a->memory.data)
         continue;
      if (a->memory.file) {
         if (!write_memory(&a->memory))
            return false;
         continue;
      }
      struct memory m = a->memory;
      if (!m.name_length) {
         m.name_length = (size_t)snprintf(name, sizeof(name), "%u", n);
         m.operand = name;
      }
      if (json && any)
         putchar(',');
      any = true;
      print_memory(&m, json);
   }
   if (json)
      printf("}");
   return true;
}

static const char *const classes[HD_GCN_SIM_NUM_CLASSES] = {
   [HD_GCN_SIM_SALU] = "salu", [HD_GCN_SIM_VALU] = "valu", [HD_GCN_SIM_SMEM] = "smem",
   [HD_GCN_SIM_VMEM] = "vmem", [HD_GCN_SIM_LDS] = "lds",   [HD_GCN_SIM_BRANCH] = "branch",
   [HD_GCN_SIM_WAIT] = "wait",
};

static void
print_stats(const struct object_session *s, const hd_gcn_sim_stats *stats)
{
   const struct {
      const char *name;
      uint64_t value;
   } rows[] = {
      { "waves", stats->waves },
      { "cycles", stats->cycles },
      { "stalls", stats->stalls },
      { "longest", stats->longest },
      { "instructions", stats->instructions },
      { "taken", stats->taken },
      { "lane_ops", stats->lane_ops },
      { "exec_writes", stats->exec_writes },
   };
   const bool json = s->t->json;

   for (size_t n = 0; n < sizeof(rows) / sizeof(rows[0]); n++)
      printf(json ? "%s\"%s\":%" PRIu64 : "%s%s %" PRIu64 "\n", json && n ? "," : "", rows[n].name,
             rows[n].value);
   for (unsigned n = 0; n < HD_GCN_SIM_NUM_CLASSES; n++)
      printf(json ? "%s\"%s\":%" PRIu64 : "%s%s %" PRIu64 "\n", json ? "," : "", classes[n],
             stats->issued[n]);
}

/* The trace: wave, cycle, address, lanes of exec, instruction. */
static void
trace(void *user, const hd_gcn_sim_step *step)
{
   const struct object_session *s = user;

   if (s->trace_json) {
      printf("{\"workgroup\":%u,\"wave\":%u,\"cycle\":%" PRIu64 ",\"pc\":%" PRIu64
             ",\"mask\":\"%016" PRIx64 "\",\"scc\":%s,\"text\":",
             step->workgroup, step->wave, step->cycle, step->pc, step->exec,
             step->scc ? "true" : "false");
      print_json_string(stdout, step->text);
      puts("}");
      return;
   }
   printf("%u.%u %6" PRIu64 " %05" PRIx64 " ", step->workgroup, step->wave, step->cycle, step->pc);
   for (unsigned l = 0; l < 64; l++)
      putchar(step->exec >> l & 1 ? '#' : '.');
   printf("  %s\n", step->text);
}

/* Options */

static bool
parse_options(struct object_session *s)
{
   const tool *t = s->t;
   const char *form = option_value(t, "trace");
   uint32_t groups[3] = { 0 };
   uint64_t dimensions = 0, limit = UINT64_C(1000000000);

   s->trace_json = form && !strcmp(form, "json");
   if (form && *form && !s->trace_json && strcmp(form, "text"))
      return trouble("--trace is text or json, not '%s'", form), false;
   if (!parse_three(t, "grid", 1, s->info.grid) || !parse_three(t, "groups", 1, groups) ||
       !parse_three(t, "group-size", 1, s->info.workgroup) ||
       !parse_three(t, "offset", 0, s->info.global_offset) ||
       !parse_mask(t, "active", &s->active, &s->info.active) ||
       !parse_option_number(t, "work-dim", 3, &dimensions) ||
       !parse_option_number(t, "seed", UINT64_MAX, &s->info.options.seed) ||
       !parse_option_number(t, "limit", UINT64_MAX, &limit))
      return false;
   s->info.work_dim = (uint32_t)dimensions;
   s->info.options.max_steps = limit;
   if (form) {
      s->info.options.user = s;
      s->info.options.trace = trace;
   }
   for (unsigned n = 0; n < 3; n++) {
      const uint32_t fixed = s->kernel->workgroup_size[n], given = s->info.workgroup[n];
      const uint32_t size = fixed ? fixed : given ? given : 1;
      if (s->info.grid[n] && groups[n])
         return trouble("expected one of --grid and --groups, found both"), false;
      if (!s->info.grid[n] && (uint64_t)groups[n] * size > UINT32_MAX)
         return trouble("--grid: expected fewer than 2^32 work-items along an axis, found more"),
                false;
      if (!s->info.grid[n])
         s->info.grid[n] = (groups[n] ? groups[n] : 1) * size;
   }
   return true;
}

static bool
choose_kernel(struct object_session *s)
{
   const char *name = option_value(s->t, "function");

   s->kernel = hd_gcn_object_find(s->object, name);
   if (s->kernel)
      return true;
   if (name)
      trouble("there is no kernel %s", name);
   else
      trouble("the object has %u kernels, expected --function=NAME to choose one",
              s->object->num_kernels);
   return false;
}

static int
run_kernel(struct object_session *s)
{
   hd_gcn_sim_stats stats;

   for (int n = 1; n < s->t->num_operands; n++) {
      if (!add_argument(s, s->t->operands[n]))
         return EXIT_TROUBLE;
   }
   if (!choose_kernel(s) || !place_arguments(s) || !parse_options(s))
      return EXIT_TROUBLE;
   bind_arguments(s);
   s->info.options.diag = s->t->config.diag;
   const hd_result result = hd_gcn_sim_dispatch(s->object, s->kernel, &s->info, &stats);
   if (result != HD_OK)
      return s->t->num_errors ? EXIT_BAD_INPUT : explain(s->t, "run", result);
   if (s->t->json)
      printf("{");
   if (s->t->json || option_given(s->t, "stats"))
      print_stats(s, &stats);
   if (s->t->json)
      printf(",");
   const bool written = write_results(s);
   if (s->t->json)
      puts("}");
   return written ? 0 : EXIT_TROUBLE;
}

int
run_gcn_object(tool *t)
{
   struct object_session *s = calloc(1, sizeof(*s));
   char *data = NULL;
   size_t size;
   int status;

   if (!s)
      return explain(t, "run", HD_OUT_OF_MEMORY);
   s->t = t;
   status = read_file(t, t->operands[0], &data, &size);
   if (!status) {
      const hd_result result =
          hd_gcn_object_read(&t->config, data, size, t->operands[0], &s->object);
      status = result == HD_OK ? run_kernel(s)
               : t->num_errors ? EXIT_BAD_INPUT
                               : explain(t, "run", result);
   }
   hd_gcn_object_destroy(s->object);
   for (unsigned n = 0; n < s->num_args; n++)
      free_memory(&s->arguments[n].memory);
   free(data);
   free(s);
   return status;
}
