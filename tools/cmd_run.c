/* SPDX-License-Identifier: MIT */
/* cmd_run.c - heddle run: a shader on the reference interpreter, or compiled in the simulator. */
#include "memories.h"
#include "run_kernel.h"
#include "targets.h"

#include "heddle/spirv.h"
#include "heddle/target.h"
#include "heddle/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/pass.h"
#include "heddle/structurize.h"
#include "heddle/wave.h"

#define MAX_MEMORIES 64

struct session {
   tool *t;
   hd_shader *shader;
   hd_numbering *numbering; /* of the function that was traced last */
   const hd_function *numbered;
   bool trace_text, trace_json;
   struct memory memories[MAX_MEMORIES];
   unsigned num_memories;
   struct kernel_arguments arguments;
   hd_wave_buffer buffers[MAX_MEMORIES];
   hd_wave_region regions[MAX_MEMORIES];
   hd_wave_image images[MAX_MEMORIES];
   hd_wave_builtin given[MAX_MEMORIES];
   hd_const_value params[MAX_MEMORIES * 4];
   uint32_t named_components; /* of the parameters that were given by their names */
   hd_wave_launch launch;
   hd_wave_mask active;
   uint8_t *helpers;   /* one byte for each element that was given */
   uint64_t *activity; /* of each block of the entry, of each lane: how often it ran it */
};

/* Memory */

static bool
is_named(const struct memory *m, const char *name)
{
   return m->name_length == strlen(name) && !strncmp(m->operand, name, m->name_length);
}

static bool
set_params(struct session *s, const struct memory *m)
{
   const unsigned size = memory_element_size(m);

   if (m->size / size > sizeof(s->params) / sizeof(s->params[0])) {
      trouble("more than %zu components of parameters", sizeof(s->params) / sizeof(s->params[0]));
      return false;
   }
   for (size_t n = 0; n < m->size / size; n++) {
      for (unsigned k = 0; k < size; k++)
         s->params[n].u64 |= (uint64_t)m->data[n * size + k] << 8 * k;
   }
   s->launch.params = s->params;
   s->launch.num_params = (uint32_t)(m->size / size);
   return true;
}

/* What is run: NULL if there is none of the name that was asked for. */
static hd_function *
find_function(const struct session *s)
{
   const char *name = option_value(s->t, "function");

   return name ? hd_shader_find_function(s->shader, name) : s->shader->first_function;
}

/* The parameter of the function that is called so, or NULL; *first is its first component, *all how
 * many all parameters have.
 */
static const hd_def *
find_param(const struct session *s, const struct memory *m, uint32_t *first, uint32_t *all)
{
   const hd_function *f = find_function(s);
   const hd_def *found = NULL;

   *first = *all = 0;
   if (!f || !f->num_params)
      return NULL;
   hd_foreach_instr(i, hd_function_start(f)) {
      if (i->kind != HD_INSTR_PARAM)
         break;
      const hd_def *def = hd_instr_def(i);
      const char *name = hd_def_name(f, def);
      if (m && name && is_named(m, name)) {
         found = def;
         *first = *all;
      }
      *all += def->num_components;
   }
   return found;
}

static bool
set_named_param(struct session *s, const struct memory *m, const hd_def *def, uint32_t first,
                uint32_t all)
{
   const unsigned size = memory_element_size(m);

   if (m->size / size != def->num_components) {
      trouble("'%s': the parameter has %u components, not %zu", m->operand, def->num_components,
              m->size / size);
      return false;
   }
   if (all > sizeof(s->params) / sizeof(s->params[0])) {
      trouble("more than %zu components of parameters", sizeof(s->params) / sizeof(s->params[0]));
      return false;
   }
   for (size_t n = 0; n < m->size; n++)
      s->params[first + n / size].u64 |= (uint64_t)m->data[n] << 8 * (n % size);
   s->launch.params = s->params;
   s->launch.num_params = all;
   s->named_components += def->num_components;
   return true;
}

/* Each parameter was given, if any was by its name. */
static bool
check_params(const struct session *s)
{
   const hd_function *f = find_function(s);
   uint32_t first, all;

   find_param(s, NULL, &first, &all);
   if (s->named_components ? s->named_components == all : s->launch.num_params || !all)
      return true;
   trouble(
       "@%s has %u components of parameters, %u are given: NAME=BYTES gives the parameter %%NAME, "
       "params=BYTES all in order",
       f->name, all, s->named_components);
   return false;
}

/* Not 0 where an invocation starts as a helper; none do that are not named. */
static bool
set_helpers(struct session *s, const struct memory *m)
{
   const unsigned size = memory_element_size(m);

   s->helpers = calloc(m->size / size + 1, 1);
   for (size_t n = 0; s->helpers && n < m->size; n++)
      s->helpers[n / size] |= m->data[n];
   s->launch.helpers = s->helpers;
   s->launch.num_helpers = m->size / size;
   return s->helpers || trouble("no memory for '%s'", m->operand) == 0;
}

/* "inputs@N" and "outputs@N": N locations for each invocation. */
static bool
bind_records(struct session *s, const struct memory *m, hd_wave_memory memory, bool input)
{
   const char *at = m->operand + (input ? 7 : 8);
   uint64_t locations;

   if (!parse_number(at, &at, &locations) || *at != (m->file ? '@' : '=') || locations > UINT32_MAX)
      return trouble("'%s' has no number of locations", m->operand), false;
   *(input ? &s->launch.inputs : &s->launch.outputs) = memory;
   *(input ? &s->launch.num_input_locations : &s->launch.num_output_locations) =
       (uint32_t)locations;
   return true;
}

/* "image@SET.BINDING:WIDTHxHEIGHTxDEPTH": components as large as the elements, 16 bits and more. */
static bool
bind_image(struct session *s, const struct memory *m, hd_wave_memory memory)
{
   hd_wave_image *image = &s->images[s->launch.num_images];
   uint64_t n[5] = { 0 };
   const char *at = m->operand + 6;
   unsigned num = 0;

   while (num < 5 && parse_number(at, &at, &n[num]) && n[num] <= UINT32_MAX) {
      const char after = ".:xx"[num++];
      if (*at != after)
         break;
      at++;
   }
   if (num < 3 || (*at != '=' && *at != '@') || memory_element_size(m) < 2)
      return trouble("'%s' is not image@SET.BINDING:WIDTH=BYTES, with xHEIGHT and xDEPTH if need "
                     "be, and elements of 2 bytes or more",
                     m->operand),
             false;
   *image = (hd_wave_image){
      .set = (uint32_t)n[0],
      .binding = (uint32_t)n[1],
      .width = (uint32_t)n[2],
      .height = (uint32_t)n[3],
      .depth = (uint32_t)n[4],
      .bits = memory_element_size(m) * 8,
      .memory = memory,
   };
   s->launch.num_images++;
   return true;
}

/* The name of an intrinsic: what it gives, or where it stores. */
static bool
bind_given(struct session *s, const struct memory *m, hd_wave_memory memory)
{
   const hd_intrinsic_id id = hd_intrinsic_from_name(m->operand, m->name_length);

   if (id != HD_INTRINSIC_NONE)
      s->given[s->launch.num_given++] = (hd_wave_builtin){ .id = id, .memory = memory };
   return id != HD_INTRINSIC_NONE;
}

/* Give it to the launch under its name: push, kernarg, params, helpers, inputs@N, outputs@N,
 * SET.BINDING[.INDEX], image@SET.BINDING:WIDTH, global@ADDRESS, that of an intrinsic or of a
 * parameter; arg@N are bound together.
 */
static bool
bind(struct session *s, struct memory *m)
{
   const hd_wave_memory memory = { m->data, m->undefined, m->size };
   const char *at = m->operand;
   uint64_t numbers[3] = { 0 };
   unsigned n = 0;

   if (is_argument(m))
      return true;
   if (is_named(m, "push"))
      return s->launch.push = memory, true;
   if (is_named(m, "kernarg"))
      return s->launch.kernarg = memory, true;
   if (is_named(m, "params"))
      return set_params(s, m);
   if (is_named(m, "helpers"))
      return set_helpers(s, m);
   if (!strncmp(at, "inputs@", 7) || !strncmp(at, "outputs@", 8))
      return bind_records(s, m, memory, *at == 'i');
   if (bind_given(s, m, memory))
      return true;
   if (!strncmp(at, "image@", 6))
      return bind_image(s, m, memory);
   if (!strncmp(at, "global@", 7)) {
      if (!parse_number(at + 7, &at, &numbers[0]) || (*at != '=' && *at != '@'))
         return trouble("'%s' has no address", m->operand), false;
      s->regions[s->launch.num_regions++] = (hd_wave_region){ numbers[0], memory };
      return true;
   }
   while (n < 3 && parse_number(at, &at, &numbers[n]) && numbers[n] <= UINT32_MAX) {
      n++;
      if (*at != '.')
         break;
      at++;
   }
   uint32_t first, all;
   const hd_def *param = find_param(s, m, &first, &all);
   if (param)
      return set_named_param(s, m, param, first, all);
   if (n < 2 || (*at != '=' && *at != '@'))
      return trouble(
                 "'%s' begins with no name of a parameter and with none of arg@N, push, kernarg, params, helpers, inputs@N, "
                 "outputs@N, SET.BINDING, SET.BINDING.INDEX, image@SET.BINDING:WIDTH, "
                 "global@ADDRESS and the intrinsics that can be given",
                 m->operand),
             false;
   s->buffers[s->launch.num_buffers++] =
       (hd_wave_buffer){ (uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2], memory };
   return true;
}

static bool
parse_memories(struct session *s)
{
   for (int n = 1; n < s->t->num_operands; n++) {
      if (s->num_memories == MAX_MEMORIES)
         return trouble("more than %d operands", MAX_MEMORIES), false;
      struct memory *m = &s->memories[s->num_memories++];
      if (!parse_named_memory(s->t, m, s->t->operands[n]) || !bind(s, m))
         return false;
   }
   if (!bind_kernel_arguments(s->t, s->shader, s->memories, s->num_memories, &s->launch, s->regions,
                              &s->arguments))
      return false;
   if (!check_params(s))
      return false;
   s->launch.buffers = s->buffers;
   s->launch.regions = s->regions;
   s->launch.images = s->images;
   s->launch.given = s->given;
   return true;
}

/* What is there after the run; `?` is undefined. */

/* Can the run have changed it? */
static bool
is_result(const struct session *s, const struct memory *m)
{
   const hd_intrinsic_id id = hd_intrinsic_from_name(m->operand, m->name_length);

   if (id != HD_INTRINSIC_NONE)
      return hd_intrinsic_get_info(id)->writes != 0;
   uint32_t first, all;
   return !find_param(s, m, &first, &all) && !is_named(m, "push") && !is_named(m, "kernarg") &&
          !is_named(m, "params") && !is_named(m, "helpers") &&
          strncmp(m->operand, "inputs@", 7) != 0;
}

static bool
print_results(const struct session *s, const hd_wave_stats *stats)
{
   const bool json = s->t->json;
   bool written = true;

   if (json && stats)
      printf("{\"blocks\":%" PRIu64 ",\"instructions\":%" PRIu64 ",\"lane_ops\":%" PRIu64
             ",\"memory\":{",
             stats->blocks, stats->instructions, stats->lane_ops);
   else if (json)
      printf("{\"memory\":{");
   for (unsigned n = 0, printed = 0; n < s->num_memories; n++) {
      const struct memory *m = &s->memories[n];
      if (is_argument(m) ? !is_argument_buffer(s->t, m) : !is_result(s, m))
         continue;
      if (m->file) {
         written &= write_memory(m);
         continue;
      }
      if (json && printed++)
         putchar(',');
      print_memory(m, json);
   }
   if (json)
      puts("}}");
   return written;
}

/* The trace */

static uint32_t
block_number(struct session *s, const hd_block *b)
{
   const hd_function *f = hd_block_function(b);

   if (f != s->numbered) {
      hd_numbering_destroy(s->numbering);
      s->numbering = NULL;
      s->numbered = f;
      if (hd_numbering_create(f, &s->numbering) != HD_OK)
         s->numbered = NULL;
   }
   return s->numbering ? hd_numbering_block(s->numbering, b) : HD_NO_NUMBER;
}

static bool
runs_lane(const hd_wave_step *step, unsigned lane)
{
   return step->mask.word[lane / 64] >> lane % 64 & 1;
}

static unsigned
width_of(const struct session *s)
{
   const unsigned asked = s->launch.lanes, wanted = s->shader->subgroup_size;

   return asked ? asked : wanted ? wanted : 64;
}

static void
trace(void *user, const hd_wave_step *step)
{
   struct session *s = user;
   const unsigned width = width_of(s);
   const hd_function *f = hd_block_function(step->block);

   if (s->activity && step->call_depth == 0) {
      for (unsigned l = 0; l < width; l++)
         s->activity[step->block->node.index * HD_WAVE_MAX_LANES + l] += runs_lane(step, l);
   }
   if (s->trace_text) {
      printf("%u.%u ", step->workgroup, step->wave);
      print_name(stdout, '@', f->name);
      printf(" b%-4u ", block_number(s, step->block));
      for (unsigned l = 0; l < width; l++)
         putchar(runs_lane(step, l) ? '#' : '.');
      putchar('\n');
   }
   if (s->trace_json) {
      printf("{\"workgroup\":%u,\"wave\":%u,\"depth\":%u,\"function\":", step->workgroup,
             step->wave, step->call_depth);
      print_json_string(stdout, f->name);
      /* The lowest lane is the last bit. */
      printf(",\"block\":%u,\"mask\":\"%016" PRIx64 "%016" PRIx64 "\"}\n",
             block_number(s, step->block), step->mask.word[1], step->mask.word[0]);
   }
}

/* A row a block, a column a lane: how often the lane ran it, in powers of two. */
static void
print_lanes_table(struct session *s, const hd_function *f)
{
   const unsigned width = width_of(s);

   puts(
       "how often each lane ran each block: . never, 1 once, 2 to 9: up to 2, 4, ... 256 times, +");
   hd_foreach_block(b, f) {
      const char *name = hd_block_name(f, b);
      printf("b%-4u ", block_number(s, b));
      for (unsigned l = 0; l < width; l++) {
         const uint64_t times = s->activity[b->node.index * HD_WAVE_MAX_LANES + l];
         unsigned digit = times != 0;
         while (digit && digit < 10 && times > UINT64_C(1) << (digit - 1))
            digit++;
         putchar(!digit ? '.' : digit > 9 ? '+' : (char)('0' + digit));
      }
      if (name) {
         fputs("  ", stdout);
         print_name(stdout, 0, name);
      }
      putchar('\n');
   }
}

/* The command */

static const char *const modes[] = {
   [HD_WAVE_SWEEP] = "sweep",
   [HD_WAVE_ONE_PC] = "one-pc",
   [HD_WAVE_LINEAR] = "linear",
};

static bool
parse_mode(struct session *s)
{
   const char *name = option_value(s->t, "mode");

   for (unsigned n = 0; n < sizeof(modes) / sizeof(modes[0]); n++) {
      if (!name || !strcmp(name, modes[n])) {
         s->launch.mode = (hd_wave_mode)n;
         return true;
      }
   }
   return trouble("--mode is sweep, one-pc or linear, not '%s'", name), false;
}

static bool
parse_options(struct session *s)
{
   const tool *t = s->t;
   const char *form = option_value(t, "trace");
   uint64_t lanes = 0, limit = UINT64_C(1000000000);

   s->trace_json = form && !strcmp(form, "json");
   s->trace_text = form && (!*form || !strcmp(form, "text"));
   if (form && !s->trace_json && !s->trace_text)
      return trouble("--trace is text or json, not '%s'", form), false;
   if (!parse_mode(s) || !parse_mask(t, "active", &s->active, &s->launch.active) ||
       !parse_three(t, "groups", 1, s->launch.num_workgroups) ||
       !parse_three(t, "group-size", 1, s->launch.workgroup_size) ||
       !parse_three(t, "offset", 0, s->launch.global_offset) ||
       !parse_option_number(t, "undef", UINT64_MAX, &s->launch.undef_value) ||
       !parse_option_number(t, "lanes", HD_WAVE_MAX_LANES, &lanes) ||
       !parse_option_number(t, "seed", UINT64_MAX, &s->launch.seed) ||
       !parse_option_number(t, "limit", UINT64_MAX, &limit))
      return false;
   if (option_given(t, "lanes") && !lanes)
      return trouble("--lanes wants a number from 1 to %u, not 0", HD_WAVE_MAX_LANES), false;
   s->launch.lanes = (uint32_t)lanes;
   s->launch.check_uniform = option_given(t, "check-uniform");
   s->launch.freeze_undefined = option_given(t, "freeze-undefined");
   s->launch.max_steps = limit;
   if (form || option_given(t, "lanes-table")) {
      s->launch.user = s;
      s->launch.trace = trace;
   }
   return true;
}

/* --grid, in invocations: whole workgroups. */
static bool
parse_grid(struct session *s)
{
   uint32_t grid[3] = { 0 };

   if (!parse_three(s->t, "grid", 1, grid))
      return false;
   for (unsigned n = 0; n < 3 && grid[0]; n++) {
      const uint32_t fixed = s->shader->workgroup_size[n], given = s->launch.workgroup_size[n];
      const uint32_t size = fixed ? fixed : given ? given : 1, wanted = grid[n] ? grid[n] : 1;
      if (s->launch.num_workgroups[n])
         return trouble("--grid and --groups say the same"), false;
      if (wanted % size)
         return trouble("%u invocations are no whole workgroups of %u", wanted, size), false;
      s->launch.num_workgroups[n] = wanted / size;
   }
   return true;
}

/* Compiled for this chip. */
static int
run_compiled(struct session *s, const hd_target *target)
{
   hd_result result;

   if (option_given(s->t, "function"))
      return trouble("only the entry is compiled");
   if (s->launch.freeze_undefined)
      return trouble("--freeze-undefined is for the interpreter");
   s->launch.trace = NULL;
   const int status = machine_of(target)->run(s->t, target, s->shader, &s->launch, &result);
   if (status)
      return status;
   if (result == HD_OK && !print_results(s, NULL))
      return EXIT_TROUBLE;
   return result != HD_OK && s->t->num_errors ? EXIT_BAD_INPUT : explain(s->t, "run", result);
}

static const char *const compiled_only[] = { "max-sgprs", "max-vgprs", "extra-scratch", "check" };

static int
run_session(struct session *s)
{
   const char *name = option_value(s->t, "function"), *chip = option_value(s->t, "target");

   if (chip) {
      const hd_target *target = find_target(s->t);
      return target ? run_compiled(s, target) : EXIT_TROUBLE;
   }
   for (unsigned n = 0; n < sizeof(compiled_only) / sizeof(compiled_only[0]); n++) {
      if (option_given(s->t, compiled_only[n]))
         return trouble("--%s is for what --target compiles", compiled_only[n]);
   }
   hd_function *f = find_function(s);
   hd_wave_stats stats;

   if (!f)
      return name ? trouble("there is no function @%s", name)
                  : trouble("the shader has no function to run");
   s->launch.function = f;
   if (option_given(s->t, "lanes-table")) {
      s->activity = calloc((size_t)f->num_blocks * HD_WAVE_MAX_LANES, sizeof(*s->activity));
      if (!s->activity)
         return explain(s->t, "run", HD_OUT_OF_MEMORY);
   }
   hd_linear *linear = NULL;
   hd_result result = HD_OK;
   if (s->launch.mode == HD_WAVE_LINEAR && !f->structured)
      result = hd_linearize(f, &linear, NULL, NULL);
   s->launch.linear = linear;
   if (result == HD_OK)
      result = hd_wave_run(s->shader, &s->launch, &stats);
   hd_linear_destroy(s->shader, linear);
   const bool written = result != HD_OK || print_results(s, &stats);
   if (s->activity)
      print_lanes_table(s, f);
   if (!written)
      return EXIT_TROUBLE;
   /* Most failures were told already, with their place. */
   return result != HD_OK && s->t->num_errors ? EXIT_BAD_INPUT : explain(s->t, "run", result);
}

static int
run_optimized(struct session *s)
{
   const char *level = option_value(s->t, "optimize");
   char name[16];

   if (level) {
      snprintf(name, sizeof(name), "O%s", level);
      const hd_result result = hd_run_pipeline(s->shader, name, NULL, NULL);
      if (result != HD_OK)
         return explain(s->t, "run", result);
   }
   return run_session(s);
}

static bool
is_code_object(const char *path)
{
   char magic[4] = { 0 };
   FILE *f = strcmp(path, "-") ? fopen(path, "rb") : NULL;
   const bool is_elf = f && fread(magic, 1, 4, f) == 4 && !memcmp(magic, "\177ELF", 4);

   if (f)
      fclose(f);
   return is_elf;
}

int
run_run(tool *t)
{
   struct session *s = calloc(1, sizeof(*s));
   int status = EXIT_TROUBLE;

   if (t->num_operands && is_code_object(t->operands[0])) {
      const machine *machine = find_object_machine();
      free(s);
      return machine ? machine->run_object(t)
                     : trouble("this build has no machine with code objects");
   }
   if (!s)
      return explain(t, "run", HD_OUT_OF_MEMORY);
   s->t = t;
   t->wants_info = true;
   if (parse_options(s)) {
      s->shader = load_shader(t, t->num_operands ? t->operands[0] : "-", &status);
      if (s->shader)
         status = parse_grid(s) && parse_memories(s) ? run_optimized(s) : EXIT_TROUBLE;
   }
   hd_spirv_info_destroy(t->spirv_info);
   free_kernel_arguments(&s->arguments);
   hd_numbering_destroy(s->numbering);
   hd_shader_destroy(s->shader);
   for (unsigned n = 0; n < s->num_memories; n++)
      free_memory(&s->memories[n]);
   free(s->helpers);
   free(s->activity);
   free(s);
   return status;
}
