/* SPDX-License-Identifier: MIT */
/* launch.c - how a shader is launched, from the command line: memories by their names, workgroups, lanes.
 */
#include "launch.h"

#include "textures.h"

#include "heddle/ops.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

bool
is_memory_of(const struct memory *m, const char *name)
{
   return m->name_length == strlen(name) && !strncmp(m->operand, name, m->name_length);
}

static bool
set_params(struct launch_arguments *s, const struct memory *m)
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

hd_function *
find_launched_function(const struct launch_arguments *s)
{
   const char *name = option_value(s->t, "function");

   return name ? hd_shader_find_function(s->shader, name) : s->shader->first_function;
}

/* The parameter of the function that is called so, or NULL; *first is its first component, *all how
 * many all parameters have.
 */
static const hd_def *
find_param(const struct launch_arguments *s, const struct memory *m, uint32_t *first, uint32_t *all)
{
   const hd_function *f = find_launched_function(s);
   const hd_def *found = NULL;

   *first = *all = 0;
   if (!f || !f->num_params)
      return NULL;
   hd_foreach_instr(i, hd_function_start(f)) {
      if (i->kind != HD_INSTR_PARAM)
         break;
      const hd_def *def = hd_instr_def(i);
      const char *name = hd_def_name(f, def);
      if (m && name && is_memory_of(m, name)) {
         found = def;
         *first = *all;
      }
      *all += def->num_components;
   }
   return found;
}

bool
is_launch_param(const struct launch_arguments *s, const struct memory *m)
{
   uint32_t first, all;

   return find_param(s, m, &first, &all) != NULL;
}

static bool
set_named_param(struct launch_arguments *s, const struct memory *m, const hd_def *def,
                uint32_t first, uint32_t all)
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
check_params(const struct launch_arguments *s)
{
   const hd_function *f = find_launched_function(s);
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

bool
check_push(const struct launch_arguments *s, const hd_shader *shader)
{
   if (!shader || s->launch.push.size >= shader->push_size)
      return true;
   trouble("the shader has %u bytes of push constants, %" PRIu64
           " are given: push=BYTES gives them",
           shader->push_size, s->launch.push.size);
   return false;
}

/* Not 0 where an invocation starts as a helper; none do that are not named. */
static bool
set_helpers(struct launch_arguments *s, const struct memory *m)
{
   const unsigned size = memory_element_size(m);

   s->helpers = calloc(m->size / size + 1, 1);
   for (size_t n = 0; s->helpers && n < m->size; n++)
      s->helpers[n / size] |= m->data[n];
   s->launch.helpers = s->helpers;
   s->launch.num_helpers = m->size / size;
   return s->helpers || trouble("no memory for '%s'", m->operand) == 0;
}

/* "inputs@N", "outputs@N" and "corners@N": N locations for each invocation, or for each of its three vertices. */
static bool
bind_records(struct launch_arguments *s, const struct memory *m, hd_wave_memory memory)
{
   const bool output = *m->operand == 'o';
   uint32_t *count = output ? &s->launch.num_output_locations : &s->launch.num_input_locations;
   const char *at = strchr(m->operand, '@') + 1;
   uint64_t locations;

   if (!parse_number(at, &at, &locations) || *at != (m->file ? '@' : '=') || locations > UINT32_MAX)
      return trouble("'%s': expected a number of locations", m->operand), false;
   *(output               ? &s->launch.outputs
     : *m->operand == 'i' ? &s->launch.inputs
                          : &s->launch.corners) = memory;
   if (*count && *count != locations)
      return trouble(
                 "'%s': expected the number of locations that inputs and corners share, found another one",
                 m->operand),
             false;
   *count = (uint32_t)locations;
   return true;
}

/* The name of an intrinsic: what it gives, or where it stores; barycentric.noperspective.centroid. */
static bool
bind_given(struct launch_arguments *s, const struct memory *m, hd_wave_memory memory)
{
   const char *end = memchr(m->operand, '.', m->name_length);
   const size_t length = end ? (size_t)(end - m->operand) : m->name_length;
   const hd_intrinsic_id id = hd_intrinsic_from_name(m->operand, length);
   hd_wave_builtin *given = &s->given[s->launch.num_given];

   if (id == HD_INTRINSIC_NONE)
      return false;
   *given = (hd_wave_builtin){ .id = id, .memory = memory };
   for (const char *at = end; at;) {
      const size_t rest = m->name_length - (size_t)(at + 1 - m->operand);
      const char *next = memchr(at + 1, '.', rest);
      const size_t word = next ? (size_t)(next - at - 1) : rest;
      if (word == 13 && !strncmp(at + 1, "noperspective", word))
         given->interp_mode = HD_INTERP_NOPERSPECTIVE;
      else if (word == 8 && !strncmp(at + 1, "centroid", word))
         given->interp_location = HD_INTERP_AT_CENTROID;
      else if (word == 6 && !strncmp(at + 1, "sample", word))
         given->interp_location = HD_INTERP_AT_SAMPLE;
      else
         return false;
      at = next;
   }
   s->launch.num_given++;
   return true;
}

/* Give it to the launch under its name: push, kernarg, params, helpers, inputs@N, outputs@N,
 * corners@N, SET.BINDING[.INDEX], image@SET.BINDING:WIDTH, sampler@SET.BINDING, global@ADDRESS, that of an intrinsic or of a
 * parameter; arg@N are bound together.
 */
static bool
bind(struct launch_arguments *s, struct memory *m)
{
   const hd_wave_memory memory = { m->data, m->undefined, m->size };
   const char *at = m->operand;
   uint64_t numbers[3] = { 0 };
   unsigned n = 0;

   if (is_argument(m))
      return true;
   if (is_memory_of(m, "push"))
      return s->launch.push = memory, true;
   if (is_memory_of(m, "kernarg"))
      return s->launch.kernarg = memory, true;
   if (is_memory_of(m, "params"))
      return set_params(s, m);
   if (is_memory_of(m, "helpers"))
      return set_helpers(s, m);
   if (!strncmp(at, "inputs@", 7) || !strncmp(at, "outputs@", 8) || !strncmp(at, "corners@", 8))
      return bind_records(s, m, memory);
   if (bind_given(s, m, memory))
      return true;
   if (!strncmp(at, "image@", 6))
      return parse_image(m, memory, &s->images[s->launch.num_images++]);
   if (!strncmp(at, "sampler@", 8))
      return parse_sampler(m, &s->samplers[s->launch.num_samplers++]);
   if (!strncmp(at, "global@", 7)) {
      if (!parse_number(at + 7, &at, &numbers[0]) || (*at != '=' && *at != '@'))
         return trouble("'%s': expected an address", m->operand), false;
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
                 "outputs@N, corners@N, SET.BINDING, SET.BINDING.INDEX, image@SET.BINDING:WIDTH, "
                 "sampler@SET.BINDING, global@ADDRESS and the intrinsics that can be given",
                 m->operand),
             false;
   s->buffers[s->launch.num_buffers++] =
       (hd_wave_buffer){ (uint32_t)numbers[0], (uint32_t)numbers[1], (uint32_t)numbers[2], memory };
   return true;
}

/* Where the descriptor of an operand is: true, *sampler beside it. */
static bool
is_descriptor(const struct memory *m, uint32_t place[3], bool *sampler)
{
   const char *at = m->operand;

   *sampler = is_sampler(m);
   at += *sampler ? 8 : !strncmp(at, "image@", 6) ? 6 : 0;
   return parse_place(at, place) != NULL;
}

/* A place holds a buffer or an image, beside which a sampler may be; all else has its name once. */
static bool
is_given_twice(const struct memory *m, const struct memory *other)
{
   uint32_t place[3] = { 0 }, other_place[3] = { 0 };
   bool sampler, other_sampler;

   if (is_descriptor(m, place, &sampler) && is_descriptor(other, other_place, &other_sampler))
      return sampler == other_sampler && !memcmp(place, other_place, sizeof(place));
   return m->name_length == other->name_length &&
          !strncmp(m->operand, other->operand, m->name_length);
}

static bool
check_names(const struct launch_arguments *s)
{
   for (unsigned n = 0; n < s->num_memories; n++) {
      for (unsigned k = 0; k < n; k++) {
         const struct memory *m = &s->memories[k], *other = &s->memories[n];
         if (is_given_twice(m, other))
            return trouble("'%.*s' and '%.*s' give the same place", (int)m->name_length, m->operand,
                           (int)other->name_length, other->operand),
                   false;
      }
   }
   return true;
}

static bool
parse_memories(struct launch_arguments *s)
{
   for (int n = s->num_shaders ? s->num_shaders : 1; n < s->t->num_operands; n++) {
      if (s->num_memories == MAX_MEMORIES)
         return trouble("more than %d operands", MAX_MEMORIES), false;
      struct memory *m = &s->memories[s->num_memories++];
      if (!parse_named_memory(s->t, m, s->t->operands[n]) || !bind(s, m))
         return false;
   }
   s->launch.images = s->images;
   s->launch.samplers = s->samplers;
   if (!check_names(s) ||
       !bind_kernel_arguments(s->t, s->shader, s->memories, s->num_memories, &s->launch, s->regions,
                              &s->arguments) ||
       !check_params(s) || !check_push(s, s->shader))
      return false;
   bind_constant_samplers(s->t, &s->launch, s->samplers);
   s->launch.buffers = s->buffers;
   s->launch.regions = s->regions;
   s->launch.given = s->given;
   return true;
}

/* Options */

static const char *const modes[] = {
   [HD_WAVE_SWEEP] = "sweep",
   [HD_WAVE_ONE_PC] = "one-pc",
   [HD_WAVE_LINEAR] = "linear",
};

static bool
parse_mode(struct launch_arguments *s)
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

bool
read_launch_options(struct launch_arguments *s)
{
   const tool *t = s->t;
   uint64_t lanes = 0, dimensions = 0, limit = UINT64_C(1000000000);

   if (!parse_mode(s) || !parse_mask(t, "active", &s->active, &s->launch.active) ||
       !parse_three(t, "groups", 1, s->launch.num_workgroups) ||
       !parse_three(t, "group-size", 1, s->launch.workgroup_size) ||
       !parse_three(t, "offset", 0, s->launch.global_offset) ||
       !parse_option_number(t, "undef", UINT64_MAX, &s->launch.undef_value) ||
       !parse_option_number(t, "lanes", HD_WAVE_MAX_LANES, &lanes) ||
       !parse_option_number(t, "work-dim", 3, &dimensions) ||
       !parse_option_number(t, "seed", UINT64_MAX, &s->launch.seed) ||
       !parse_option_number(t, "limit", UINT64_MAX, &limit))
      return false;
   if (option_given(t, "lanes") && !lanes)
      return trouble("--lanes wants a number from 1 to %u, not 0", HD_WAVE_MAX_LANES), false;
   s->launch.lanes = (uint32_t)lanes;
   s->launch.work_dim = (uint32_t)dimensions;
   s->launch.max_steps = limit;
   return true;
}

/* --grid, in invocations: whole workgroups. */
static bool
parse_grid(struct launch_arguments *s)
{
   uint32_t grid[3] = { 0 };

   if (!parse_three(s->t, "grid", 1, grid))
      return false;
   for (unsigned n = 0; n < 3 && grid[0]; n++) {
      const uint32_t fixed = s->shader->workgroup_size[n], given = s->launch.workgroup_size[n];
      const uint32_t size = fixed ? fixed : given ? given : 1, wanted = grid[n] ? grid[n] : 1;
      if (s->launch.num_workgroups[n])
         return trouble("expected one of --grid and --groups, found both"), false;
      if (wanted % size)
         return trouble("%u invocations are no whole workgroups of %u", wanted, size), false;
      s->launch.num_workgroups[n] = wanted / size;
   }
   return true;
}

bool
read_launch_memories(struct launch_arguments *s)
{
   return parse_grid(s) && parse_memories(s);
}

void
free_launch(struct launch_arguments *s)
{
   free_kernel_arguments(&s->arguments);
   for (unsigned n = 0; n < s->num_memories; n++)
      free_memory(&s->memories[n]);
   free(s->helpers);
}
