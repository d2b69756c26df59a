/* SPDX-License-Identifier: MIT */
/* cmd_run.c - heddle run: a shader on the reference interpreter, or compiled in the simulator. */
#include "launch.h"
#include "run_draw.h"
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

struct session {
   hd_numbering *numbering; /* of the function that was traced last */
   const hd_function *numbered;
   bool trace_text, trace_json;
   struct launch_arguments a;
   uint64_t *activity; /* of each block of the entry, of each lane: how often it ran it */
};

/* What is there after the run; `?` is undefined. */

/* Can the run have changed it? */
static bool
is_result(const struct session *s, const struct memory *m)
{
   const hd_intrinsic_id id = hd_intrinsic_from_name(m->operand, m->name_length);

   if (id != HD_INTRINSIC_NONE)
      return hd_intrinsic_get_info(id)->writes != 0;
   return !is_launch_param(&s->a, m) && !is_sampler(m) && !is_memory_of(m, "push") &&
          !is_memory_of(m, "kernarg") && !is_memory_of(m, "params") &&
          !is_memory_of(m, "helpers") && strncmp(m->operand, "inputs@", 7) != 0;
}

static bool
print_results(const struct session *s, const hd_wave_stats *stats)
{
   const bool json = s->a.t->json;
   bool written = true;

   if (json && stats)
      printf("{\"blocks\":%" PRIu64 ",\"instructions\":%" PRIu64 ",\"lane_ops\":%" PRIu64
             ",\"memory\":{",
             stats->blocks, stats->instructions, stats->lane_ops);
   else if (json)
      printf("{\"memory\":{");
   for (unsigned n = 0, printed = 0; n < s->a.num_memories; n++) {
      const struct memory *m = &s->a.memories[n];
      if (is_argument(m) ? !is_argument_buffer(s->a.t, m) : !is_result(s, m))
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
   const unsigned asked = s->a.launch.lanes, wanted = s->a.shader->subgroup_size;

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

static bool
parse_options(struct session *s)
{
   const tool *t = s->a.t;
   const char *form = option_value(t, "trace");

   s->trace_json = form && !strcmp(form, "json");
   s->trace_text = form && (!*form || !strcmp(form, "text"));
   if (form && !s->trace_json && !s->trace_text)
      return trouble("--trace is text or json, not '%s'", form), false;
   if (!read_launch_options(&s->a))
      return false;
   s->a.launch.check_uniform = option_given(t, "check-uniform");
   s->a.launch.freeze_undefined = option_given(t, "freeze-undefined");
   if (form || option_given(t, "lanes-table")) {
      s->a.launch.user = s;
      s->a.launch.trace = trace;
   }
   return true;
}

/* Compiled for this chip. */
static int
run_compiled(struct session *s, const hd_target *target)
{
   hd_result result;

   if (option_given(s->a.t, "function"))
      return trouble("--function is for the interpreter: --target compiles the entry only");
   if (s->a.launch.freeze_undefined)
      return trouble("--freeze-undefined is for the interpreter, not for --target");
   s->a.launch.trace = NULL;
   const int status = machine_of(target)->run(s->a.t, target, s->a.shader, &s->a.launch, &result);
   if (status)
      return status;
   if (result == HD_OK && !print_results(s, NULL))
      return EXIT_TROUBLE;
   return result != HD_OK && s->a.t->num_errors ? EXIT_BAD_INPUT : explain(s->a.t, "run", result);
}

static const char *const compiled_only[] = { "lowering", "max-sgprs", "max-vgprs", "extra-scratch",
                                             "check" };

static int
run_session(struct session *s)
{
   const char *name = option_value(s->a.t, "function"), *chip = option_value(s->a.t, "target");
   if (chip) {
      const hd_target *target = find_target(s->a.t);
      return target ? run_compiled(s, target) : EXIT_TROUBLE;
   }
   for (unsigned n = 0; n < sizeof(compiled_only) / sizeof(compiled_only[0]); n++) {
      if (option_given(s->a.t, compiled_only[n]))
         return trouble("--%s needs --target", compiled_only[n]);
   }
   hd_function *f = find_launched_function(&s->a);
   hd_wave_stats stats;

   if (!f)
      return name ? trouble("there is no function @%s", name)
                  : trouble("the shader has no function to run");
   s->a.launch.function = f;
   if (option_given(s->a.t, "lanes-table")) {
      s->activity = calloc((size_t)f->num_blocks * HD_WAVE_MAX_LANES, sizeof(*s->activity));
      if (!s->activity)
         return explain(s->a.t, "run", HD_OUT_OF_MEMORY);
   }
   hd_linear *linear = NULL;
   hd_result result = HD_OK;
   if (s->a.launch.mode == HD_WAVE_LINEAR && !f->structured)
      result = hd_linearize(f, &linear, NULL, NULL);
   s->a.launch.linear = linear;
   if (result == HD_OK)
      result = hd_wave_run(s->a.shader, &s->a.launch, &stats);
   hd_linear_destroy(s->a.shader, linear);
   const bool written = result != HD_OK || print_results(s, &stats);
   if (s->activity)
      print_lanes_table(s, f);
   if (!written)
      return EXIT_TROUBLE;
   /* Most failures were reported already, with their location. */
   return result != HD_OK && s->a.t->num_errors ? EXIT_BAD_INPUT : explain(s->a.t, "run", result);
}

static int
run_optimized(struct session *s)
{
   const char *level = option_value(s->a.t, "optimize");
   char name[16];

   if (level) {
      snprintf(name, sizeof(name), "O%s", level);
      const hd_result result = hd_run_pipeline(s->a.shader, name, NULL, NULL);
      if (result != HD_OK)
         return explain(s->a.t, "run", result);
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
                     : trouble("expected a target with code objects in this build, found none");
   }
   if (!s)
      return explain(t, "run", HD_OUT_OF_MEMORY);
   s->a.t = t;
   t->wants_info = true;
   if (option_given(t, "draw")) {
      if (parse_options(s))
         status = run_draw_scene(&s->a);
   } else if (option_given(t, "output")) {
      trouble("--output needs --draw");
   } else if (parse_options(s)) {
      s->a.shader = load_shader(t, t->num_operands ? t->operands[0] : "-", &status);
      if (s->a.shader)
         status = read_launch_memories(&s->a) ? run_optimized(s) : EXIT_TROUBLE;
   }
   hd_spirv_info_destroy(t->spirv_info);
   hd_numbering_destroy(s->numbering);
   hd_shader_destroy(s->a.shader);
   free_launch(&s->a);
   free(s->activity);
   free(s);
   return status;
}
