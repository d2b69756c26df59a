/* SPDX-License-Identifier: MIT */
/* compare.c - differential testing: run two shaders and compare the memory they leave. */
#include "compare/compare.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "heddle/clone.h"
#include "heddle/ops.h"
#include "util/quote.h"

#define MAX_STEPS       (UINT64_C(1) << 20)
#define MAX_INVOCATIONS (UINT32_C(1) << 14)
#define NUM_SETTLED     8u
#define MESSAGE         256

struct hd_diff_test {
   hd_heap heap;
   hd_stack stack;
   hd_shader *before; /* a copy, to find out who wrote what */
   trial_run *runs;
   uint32_t num_runs, num_usable;
   hd_wave_stats stats;
   char why[MESSAGE]; /* the first run that did not end well */
};

struct heard {
   char message[MESSAGE];
};

static void
hear(void *user, const hd_diag *diag)
{
   struct heard *heard = user;

   if (diag->severity == HD_ERROR && !heard->message[0])
      snprintf(heard->message, sizeof(heard->message), "%s", diag->message);
}

static void
add_stats(hd_wave_stats *to, const hd_wave_stats *more)
{
   to->blocks += more->blocks;
   to->instructions += more->instructions;
   to->lane_ops += more->lane_ops;
}

/* Everything of a run before it: nothing that is kept here is in the shader. */
static void
run_before(hd_diff_test *t, trial_run *r, hd_shader *before, uint32_t number,
           const hd_diff_test_options *options)
{
   struct heard heard = { "" };

   memcpy(r->workgroup_size, before->workgroup_size, sizeof(r->workgroup_size));
   r->subgroup_size = before->subgroup_size;
   hd_compare_choose_launch(before, number, options->seed, &r->launch, &r->mask, r->helpers);
   if (hd_compare_launch_lanes(before, &r->launch) > MAX_INVOCATIONS) {
      snprintf(t->why, sizeof(t->why), "workgroups of %u invocations are too large to be tried",
               hd_compare_launch_lanes(before, &r->launch));
      return;
   }
   hd_compare_world_plan(&r->world, before, hd_compare_launch_lanes(before, &r->launch), &t->stack,
                         options->seed + number);
   r->launch.max_steps = options->max_steps ? options->max_steps : MAX_STEPS;
   r->launch.diag = (hd_diag_sink){ &heard, hear };
   hd_compare_world_reset(&r->world, &r->launch);
   const hd_result result = hd_wave_run(before, &r->launch, &r->stats);
   if (result == HD_OUT_OF_MEMORY)
      hd_heap_fail(&t->heap, result);
   r->usable = result == HD_OK;
   if (!r->usable) {
      if (!t->why[0])
         snprintf(t->why, sizeof(t->why), "%s",
                  heard.message[0] ? heard.message : hd_result_name(result));
      return;
   }
   t->num_usable++;
   add_stats(&t->stats, &r->stats);
   r->data = hd_stack_alloc(&t->stack, r->world.size + 1);
   r->undefined = hd_stack_alloc(&t->stack, r->world.size + 1);
   memcpy(r->data, r->world.data, r->world.size);
   memcpy(r->undefined, r->world.undefined, r->world.size);
   /* A lowering makes dozens of instructions of one; a few make loops over all lanes, one in the
    * other. What really does not end is run to this limit once.
    */
   r->launch.max_steps = (r->stats.blocks + r->stats.instructions) * 100 + MAX_STEPS;
   r->launch.seed = options->schedule;
}

static hd_result
create(hd_diff_test *t, hd_shader *before, const hd_diff_test_options *options)
{
   hd_unwind u;

   if (HD_TRY(&t->heap, &u)) {
      t->runs = hd_stack_alloc_zero(&t->stack, t->num_runs * sizeof(*t->runs));
      for (uint32_t n = 0; n < t->num_runs; n++)
         run_before(t, &t->runs[n], before, options->first_launch + n, options);
   }
   return hd_heap_leave(&t->heap, &u);
}

hd_result
hd_diff_test_create(hd_shader *before, const hd_diff_test_options *options, hd_diff_test **out)
{
   static const hd_diff_test_options all;
   hd_heap heap;

   if (!options)
      options = &all;
   /* The budget is the shader's own. */
   const hd_config config = { .allocator = hd_shader_config(before)->allocator,
                              .intrinsics = hd_shader_config(before)->intrinsics };
   hd_heap_init(&heap, &config);
   hd_diff_test *t = hd_heap_alloc(&heap, sizeof(*t));
   if (!t)
      return HD_OUT_OF_MEMORY;
   memset(t, 0, sizeof(*t));
   t->heap = heap;
   hd_stack_init(&t->stack, &t->heap);
   t->num_runs = options->num_launches ? options->num_launches : HD_DIFF_TEST_KINDS;
   hd_result result = hd_shader_clone(before, &config, &t->before);
   if (result == HD_OK)
      result = create(t, before, options);
   if (result == HD_OK)
      *out = t;
   else
      hd_diff_test_destroy(t);
   return result;
}

void
hd_diff_test_destroy(hd_diff_test *trial)
{
   if (!trial)
      return;
   hd_heap heap = trial->heap;
   hd_shader_destroy(trial->before);
   trial->stack.heap = &heap;
   hd_stack_finish(&trial->stack);
   hd_heap_free(&heap, trial, sizeof(*trial));
}

uint32_t
hd_diff_test_num_runs(const hd_diff_test *trial, const char **why)
{
   if (why)
      *why = trial->why[0] ? trial->why : NULL;
   return trial->num_usable;
}

hd_wave_stats
hd_diff_test_stats(const hd_diff_test *trial)
{
   return trial->stats;
}

/* Telling */

void
hd_compare_tell(const hd_diag_sink *sink, hd_severity severity, const char *format, ...)
{
   char message[512];
   va_list args;

   if (!sink || !sink->report)
      return;
   va_start(args, format);
   vsnprintf(message, sizeof(message), format, args);
   va_end(args);
   const hd_diag diag = { .severity = severity, .message = message };
   hd_diag_send(sink, &diag);
}

static void
tell_launch(const hd_diag_sink *sink, const trial_run *r)
{
   const hd_wave_launch *l = &r->launch;
   uint32_t size = 1, groups = 1;
   char active[64] = "";

   for (unsigned n = 0; n < 3; n++) {
      const uint32_t fixed = r->workgroup_size[n] ? r->workgroup_size[n] : l->workgroup_size[n];
      size *= fixed ? fixed : 1;
      groups *= l->num_workgroups[n] ? l->num_workgroups[n] : 1;
   }
   if (l->active)
      snprintf(active, sizeof(active), ", of each those in %016" PRIx64 "%016" PRIx64,
               l->active->word[1], l->active->word[0]);
   hd_compare_tell(sink, HD_NOTE, "in %u workgroups of %u invocations, waves of %u lanes%s", groups,
                   size, l->lanes ? l->lanes : r->subgroup_size, active);
}

static void
name_piece(const piece *p, char *name, size_t size)
{
   static const char *const names[] = {
      [PIECE_GLOBAL] = "global memory",     [PIECE_PUSH] = "push constants",
      [PIECE_KERNARG] = "kernel arguments", [PIECE_INPUTS] = "inputs",
      [PIECE_CORNERS] = "corners",          [PIECE_OUTPUTS] = "outputs",
   };

   if (p->kind == PIECE_BUFFER || p->kind == PIECE_IMAGE)
      snprintf(name, size, "%s %u.%u.%u", p->kind == PIECE_BUFFER ? "buffer" : "image", p->set,
               p->binding, p->array_index);
   else if (p->kind == PIECE_GIVEN)
      snprintf(name, size, "what %s has", hd_intrinsic_get_info(p->id)->name);
   else
      snprintf(name, size, "%s", names[p->kind]);
}

void
hd_compare_show_bytes(const uint8_t *data, const uint8_t *undefined, unsigned size, char *text)
{
   for (unsigned n = 0; n < size; n++) {
      if (undefined[size - 1 - n])
         snprintf(text + 2 * n, 3, "??");
      else
         snprintf(text + 2 * n, 3, "%02x", data[size - 1 - n]);
   }
}

/* The word of a byte that differs. Pieces begin at multiples of 16, so a word is in one. */
static void
describe(const trial_run *r, uint64_t at, char text[MESSAGE])
{
   const piece *p = hd_compare_world_piece(&r->world, at);
   const uint64_t word = at & ~UINT64_C(3);
   char name[80], before[BYTES_TEXT], after[BYTES_TEXT];

   name_piece(p, name, sizeof(name));
   hd_compare_show_bytes(r->data + word, r->undefined + word, 4, before);
   hd_compare_show_bytes(r->world.data + word, r->world.undefined + word, 4, after);
   snprintf(text, MESSAGE, "%s, word at byte %" PRIu64 ": %s before, %s after", name,
            word - p->offset, before, after);
}

/* The first byte that differs; the size where there is none. */
static uint64_t
first_difference(const trial_run *r)
{
   const world *w = &r->world;

   if (!memcmp(r->data, w->data, w->size) && !memcmp(r->undefined, w->undefined, w->size))
      return w->size;
   for (uint64_t n = 0; n < w->size; n++) {
      if (differs(r, n))
         return n;
   }
   return w->size;
}

/* Nobody misses the notes where there is no memory for them. */
static void
tell_lanes(hd_diff_test *t, trial_run *r, uint64_t at, hd_shader *after, const hd_diag_sink *sink)
{
   hd_unwind u;

   if (!sink || !sink->report)
      return;
   const hd_stack_mark mark = hd_stack_get_mark(&t->stack);
   if (HD_TRY(&t->heap, &u))
      hd_compare_tell_writers(sink, r, at, &t->stack, t->before, after);
   hd_heap_leave(&t->heap, &u);
   hd_stack_release(&t->stack, mark);
}

/* Run it in the launch. What is not HD_OK has its words. */
static hd_result
run_after(trial_run *r, hd_diff_test_runner *run, void *user, char why[MESSAGE])
{
   struct heard heard = { "" };

   r->launch.diag = (hd_diag_sink){ &heard, hear };
   hd_compare_world_reset(&r->world, &r->launch);
   const hd_result result = run(user, &r->launch);
   snprintf(why, MESSAGE, "%s", heard.message[0] ? heard.message : hd_result_name(result));
   return result;
}

/* Is nothing wrong but that something is undefined, or may be? */
static bool
only_undefined(const trial_run *r, hd_result result)
{
   const world *w = &r->world;

   if (result != HD_OK)
      return result == HD_FAULT;
   for (uint64_t n = 0; n < w->size; n++) {
      if (!r->undefined[n] && !w->undefined[n] && r->data[n] != w->data[n])
         return false;
   }
   return true;
}

/* The launch with numbers for what is undefined: all bits clear, all set, and random ones. It is
 * HD_INVALID if the numbers show; `how` says in which of them.
 */
static hd_result
compare_settled(trial_run *r, hd_diff_test_runner *run, void *user, char how[MESSAGE])
{
   const uint64_t undef_value = r->launch.undef_value;
   hd_result result = HD_OK;

   r->launch.freeze_undefined = true;
   for (unsigned n = 0; n < NUM_SETTLED && result == HD_OK; n++) {
      char what[MESSAGE];
      r->launch.undef_value = n < 2 ? 0 - (uint64_t)n : hd_mix(undef_value + n * HD_MIX_STEP);
      result = run_after(r, run, user, what);
      if (result == HD_OUT_OF_MEMORY)
         break;
      if (result == HD_OK) {
         const uint64_t at = first_difference(r);
         if (at == r->world.size)
            continue;
         describe(r, at, what);
      }
      snprintf(how, MESSAGE,
               "where undef_value 0x%" PRIx64 " settles all that is undefined: %.180s",
               r->launch.undef_value, what);
      result = HD_INVALID;
   }
   r->launch.freeze_undefined = false;
   r->launch.undef_value = undef_value;
   return result;
}

/* `after`: who does what `run` does, or NULL. */
static hd_result
compare_run(hd_diff_test *t, trial_run *r, hd_diff_test_runner *run, void *user, hd_shader *after,
            const hd_diag_sink *sink)
{
   char what[MESSAGE], how[MESSAGE] = "";
   hd_result result = run_after(r, run, user, what);

   if (result == HD_OUT_OF_MEMORY || (result == HD_OK && first_difference(r) == r->world.size))
      return result;
   if (after && only_undefined(r, result)) {
      result = compare_settled(r, run, user, how);
      if (result != HD_INVALID)
         return result;
      /* What it left in its own run is reported. */
      result = run_after(r, run, user, what);
      if (result == HD_OUT_OF_MEMORY)
         return result;
   }
   if (result == HD_OK) {
      const uint64_t at = first_difference(r);
      describe(r, at, what);
      hd_compare_tell(sink, HD_ERROR, "%s", what);
      tell_lanes(t, r, at, after, sink);
   } else {
      hd_compare_tell(sink, HD_ERROR, "it does not end as before: %s", what);
   }
   if (how[0])
      hd_compare_tell(sink, HD_NOTE, "%s", how);
   tell_launch(sink, r);
   return HD_INVALID;
}

static hd_result
compare_runs(hd_diff_test *t, hd_diff_test_runner *run, void *user, hd_shader *after,
             const hd_diag_sink *diag)
{
   hd_result result = HD_OK;

   for (uint32_t n = 0; n < t->num_runs && result == HD_OK; n++) {
      if (t->runs[n].usable)
         result = compare_run(t, &t->runs[n], run, user, after, diag);
   }
   return result;
}

hd_result
hd_diff_test_compare_run(hd_diff_test *trial, hd_diff_test_runner *run, void *user,
                         const hd_diag_sink *diag)
{
   return compare_runs(trial, run, user, NULL, diag);
}

/* A shader, and what its runs have cost so far. */
struct interpreted {
   hd_shader *shader;
   hd_wave_stats *stats;
};

static hd_result
interpret(void *user, const hd_wave_launch *launch)
{
   const struct interpreted *i = user;
   hd_wave_stats cost;
   const hd_result result = hd_wave_run(i->shader, launch, &cost);

   if (i->stats)
      add_stats(i->stats, &cost);
   return result;
}

hd_result
hd_diff_test_compare(hd_diff_test *trial, hd_shader *after, const hd_diag_sink *diag,
                     hd_wave_stats *stats)
{
   struct interpreted interpreted = { after, stats };

   if (stats)
      *stats = (hd_wave_stats){ 0 };
   return compare_runs(trial, interpret, &interpreted, after, diag);
}

hd_result
hd_compare(hd_shader *before, hd_shader *after, const hd_diff_test_options *options,
           const hd_diag_sink *diag)
{
   hd_diff_test *trial;
   hd_result result = hd_diff_test_create(before, options, &trial);

   if (result != HD_OK)
      return result;
   result = hd_diff_test_compare(trial, after, diag, NULL);
   hd_diff_test_destroy(trial);
   return result;
}

hd_result
hd_compare_pass(void *user, const hd_pass_run *run)
{
   hd_config config = { .allocator = hd_shader_config(run->shader)->allocator,
                        .intrinsics = hd_shader_config(run->shader)->intrinsics };
   hd_shader *before = NULL, *after = NULL;

   if (!run->progress || !run->before)
      return HD_OK;
   hd_result result = hd_shader_clone(run->before, &config, &before);
   if (result == HD_OK)
      result = hd_shader_clone(run->shader, &config, &after);
   if (result == HD_OK)
      result = hd_compare(before, after, user, &run->diag);
   hd_shader_destroy(before);
   hd_shader_destroy(after);
   if (result == HD_INVALID)
      hd_compare_tell(&run->diag, HD_ERROR, "pass %s: the shader does something else after it",
                      run->step->pass->name);
   return result;
}
