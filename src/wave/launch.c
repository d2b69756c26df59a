/* SPDX-License-Identifier: MIT */
/* launch.c - launch: check its arguments, schedule workgroups and waves. */
#include <inttypes.h>

#include "util/sizes.h"
#include "wave/wave.h"

/* Numbers for the scheduler: xorshift. */
static uint64_t
next_random(hd_wave_run_state *run)
{
   run->random ^= run->random << 13;
   run->random ^= run->random >> 7;
   run->random ^= run->random << 17;
   return run->random;
}

static uint64_t
greatest_divisor(uint64_t a, uint64_t b)
{
   while (b) {
      const uint64_t rest = a % b;
      a = b;
      b = rest;
   }
   return a;
}

static void
choose_width(hd_wave_run_state *run)
{
   const uint32_t asked = run->launch->lanes, wanted = run->shader->subgroup_size;

   if (asked > HD_WAVE_MAX_LANES)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "waves of %u lanes, expected at most %u", asked,
                     HD_WAVE_MAX_LANES);
   if (asked && wanted && asked != wanted)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "waves of %u lanes, but the shader wants %u", asked,
                     wanted);
   run->width = asked ? asked : wanted ? wanted : 64;
}

static void
choose_grid(hd_wave_run_state *run)
{
   const hd_wave_launch *launch = run->launch;
   uint64_t lanes = 1, groups = 1;

   for (unsigned n = 0; n < 3; n++) {
      const uint32_t given = launch->workgroup_size[n], fixed = run->shader->workgroup_size[n];
      if (given && fixed && given != fixed)
         hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                        "a workgroup of %u invocations along %c, but the shader wants %u", given,
                        "xyz"[n], fixed);
      run->workgroup_size[n] = fixed ? fixed : given ? given : 1;
      run->num_workgroups[n] = launch->num_workgroups[n] ? launch->num_workgroups[n] : 1;
      lanes *= run->workgroup_size[n];
      groups *= run->num_workgroups[n];
      if (lanes > UINT32_MAX / 2)
         hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                        "expected a workgroup of fewer than 2^31 invocations, found more");
      if (groups > UINT32_MAX || lanes * groups > UINT32_MAX)
         hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                        "expected a dispatch of fewer than 2^32 invocations, found more");
   }
   run->group_lanes = (uint32_t)lanes;
   run->total_workgroups = groups;
   run->num_waves = (uint32_t)((lanes + run->width - 1) / run->width);
}

static void
check_memory(hd_wave_run_state *run)
{
   const hd_wave_launch *launch = run->launch;
   hd_stack *stack = &run->stack;

   if ((launch->num_regions && !launch->regions) || (launch->num_buffers && !launch->buffers) ||
       (launch->num_images && !launch->images) || (launch->num_samplers && !launch->samplers) ||
       (launch->num_given && !launch->given) || (launch->num_params && !launch->params) ||
       (launch->num_helpers && !launch->helpers) || (launch->num_survivors && !launch->survivors))
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                     "the launch has a count, expected an array with it, found NULL");
   run->regions = hd_stack_alloc_zero(stack, launch->num_regions * sizeof(hd_bytes) + 1);
   for (uint32_t n = 0; n < launch->num_regions; n++) {
      const hd_wave_region *r = &launch->regions[n];
      if (r->memory.size > UINT64_MAX - r->address)
         hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "the region at 0x%" PRIx64 " ends past 2^64",
                        r->address);
      for (uint32_t m = 0; m < n; m++) {
         const hd_bytes *other = &run->regions[m];
         if (r->address < other->base + other->size && other->base < r->address + r->memory.size)
            hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "two regions overlap at 0x%" PRIx64,
                           r->address);
      }
      run->regions[n] = hd_wave_bytes(run, &r->memory, r->address);
   }
   run->buffers = hd_stack_alloc_zero(stack, launch->num_buffers * sizeof(hd_bytes) + 1);
   for (uint32_t n = 0; n < launch->num_buffers; n++)
      run->buffers[n] = hd_wave_bytes(run, &launch->buffers[n].memory, 0);
   run->images = hd_stack_alloc_zero(stack, launch->num_images * sizeof(hd_bytes) + 1);
   for (uint32_t n = 0; n < launch->num_images; n++)
      run->images[n] = hd_wave_image_bytes(run, &launch->images[n]);
   run->given = hd_stack_alloc_zero(stack, launch->num_given * sizeof(hd_bytes) + 1);
   for (uint32_t n = 0; n < launch->num_given; n++)
      run->given[n] = hd_wave_bytes(run, &launch->given[n].memory, 0);
   run->push = hd_wave_bytes(run, &launch->push, 0);
   run->kernarg = hd_wave_bytes(run, &launch->kernarg, 0);
   run->inputs = hd_wave_bytes(run, &launch->inputs, 0);
   run->outputs = hd_wave_bytes(run, &launch->outputs, 0);
   run->second_outputs = hd_wave_bytes(run, &launch->second_outputs, 0);
   run->corners = hd_wave_bytes(run, &launch->corners, 0);
   if (run->push.size < run->shader->push_size)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                     "%" PRIu64 " bytes of push constants, but the shader wants %u", run->push.size,
                     run->shader->push_size);
   if (run->kernarg.size < run->shader->kernarg_size)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                     "%" PRIu64 " bytes of kernel arguments, but the shader wants %u",
                     run->kernarg.size, run->shader->kernarg_size);
   /* Nothing writes there. */
   run->constants = (hd_bytes){ .size = run->shader->constants_size,
                                .data = (uint8_t *)(uintptr_t)run->shader->constants };
   const uint32_t size = run->shader->shared_size;
   run->shared =
       (hd_bytes){ .size = size, .data = hd_stack_alloc_zero(stack, array_size(size, 1) + 1) };
   if (!launch->freeze_undefined)
      run->shared.undefined = hd_stack_alloc_zero(stack, array_size(size, 1) + 1);
}

static void
set_params(hd_wave *w, const hd_function *f)
{
   const hd_wave_run_state *run = w->run;
   const hd_frame *frame = w->frame;
   uint32_t at = 0;

   for (uint32_t n = 0; n < f->num_params; n++) {
      const hd_operand *p = &frame->code->params[n];
      for (unsigned c = 0; c < p->num_components; c++, at++) {
         for (unsigned l = 0; l < run->width; l++)
            row_of(w, p, c)[l] = run->launch->params[at].u64 & size_mask(p->bits);
         *undef_of(w, p, c) = mask_none();
      }
   }
}

static void
check_params(hd_wave_run_state *run, const hd_function *f)
{
   const hd_code *code = hd_wave_code_of(run, f);
   uint32_t components = 0;

   for (uint32_t n = 0; n < f->num_params; n++)
      components += code->params[n].num_components;
   if (components != run->launch->num_params)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "@%s has %u components of parameters, %u are given",
                     f->name, components, run->launch->num_params);
}

/* A wave of the workgroup, before its first instruction. */
static void
start_wave(hd_wave *w, const hd_function *f)
{
   const hd_wave_run_state *run = w->run;
   const uint32_t first = w->number * run->width;
   const uint32_t rest = run->group_lanes - first;
   hd_wave_mask lanes = mask_first(rest < run->width ? rest : run->width);
   const size_t scratch = array_size(run->shader->scratch_size, run->width);

   if (run->launch->active)
      lanes = mask_and(lanes, *run->launch->active);
   w->state = HD_WAVE_READY;
   w->ended = mask_without(mask_first(run->width), lanes);
   w->helper = mask_none();
   if (run->stage == HD_STAGE_FRAGMENT) {
      const uint64_t base = (uint64_t)run->workgroup_index * run->group_lanes + first;
      for (unsigned l = 0; l < run->width && l < rest && base + l < run->launch->num_helpers; l++) {
         if (run->launch->helpers[base + l])
            mask_add(&w->helper, l);
      }
   }
   w->scratch = (hd_bytes){ .size = run->shader->scratch_size,
                            .data = hd_stack_alloc_zero(&w->stack, scratch + 1) };
   if (freezes_undefined(w)) {
      hd_wave_freeze_bytes(w->run, w->scratch.data, NULL, scratch);
   } else {
      w->scratch.undefined = hd_stack_alloc(&w->stack, scratch + 1);
      memset(w->scratch.undefined, 1, scratch);
   }
   w->active = mask_none();
   w->frame = NULL;
   hd_wave_push_frame(w, hd_wave_code_of(run, f), NULL, lanes);
   set_params(w, f);
   hd_wave_end_lanes(w, mask_none()); /* all of them, if only helpers start */
}

/* The next wave to run; NULL when none is ready. Those before `first` are known not to be. */
static hd_wave *
choose_wave(hd_wave_run_state *run, uint32_t first)
{
   uint32_t num = 0;

   for (uint32_t n = first; n < run->num_waves; n++) {
      if (!run->launch->seed && run->waves[n].state == HD_WAVE_READY)
         return &run->waves[n];
      num += run->waves[n].state == HD_WAVE_READY;
   }
   if (!num)
      return NULL;
   uint32_t skip = (uint32_t)(next_random(run) % num);
   for (uint32_t n = 0;; n++) {
      if (run->waves[n].state == HD_WAVE_READY && skip-- == 0)
         return &run->waves[n];
   }
}

/* When no wave can go on, all that did not end are at the barrier: it opens. */
static void
run_waves(hd_wave_run_state *run)
{
   uint32_t first = 0;

   for (;;) {
      hd_wave *w = choose_wave(run, first);
      bool any = false;

      if (w) {
         w->quantum = run->launch->seed ? (uint32_t)(next_random(run) % 16) + 1 : 0;
         hd_wave_go_on(w);
         first = run->launch->seed ? 0 : w->number;
         continue;
      }
      first = 0;
      for (uint32_t n = 0; n < run->num_waves; n++) {
         if (run->waves[n].state == HD_WAVE_AT_BARRIER) {
            run->waves[n].state = HD_WAVE_READY;
            any = true;
         }
      }
      if (!any)
         return;
   }
}

static void
run_workgroup(hd_wave_run_state *run, const hd_function *f, uint64_t number)
{
   run->workgroup_index = (uint32_t)number;
   run->workgroup[0] = (uint32_t)(number % run->num_workgroups[0]);
   number /= run->num_workgroups[0];
   run->workgroup[1] = (uint32_t)(number % run->num_workgroups[1]);
   run->workgroup[2] = (uint32_t)(number / run->num_workgroups[1]);
   if (run->launch->freeze_undefined) {
      hd_wave_freeze_bytes(run, run->shared.data, NULL, run->shared.size);
   } else {
      memset(run->shared.data, 0, run->shared.size);
      memset(run->shared.undefined, 1, run->shared.size);
   }
   for (uint32_t n = 0; n < run->num_waves; n++)
      start_wave(&run->waves[n], f);
   run_waves(run);
   for (uint32_t n = 0; n < run->num_waves; n++)
      hd_stack_release(&run->waves[n].stack, (hd_stack_mark){ 0 });
}

/* The workgroups: in order, or by steps that share no divisor with their number. */
static void
run_dispatch(hd_wave_run_state *run, const hd_function *f)
{
   const uint64_t num = run->total_workgroups;
   uint64_t stride = 1, at = 0;

   if (run->launch->seed) {
      at = next_random(run) % num;
      stride = next_random(run) % num;
      while (greatest_divisor(num, stride) != 1)
         stride++;
   }
   for (uint64_t n = 0; n < num; n++) {
      run_workgroup(run, f, at);
      at = (at + stride) % num;
   }
}

static void
prepare(hd_wave_run_state *run)
{
   hd_function *f =
       run->launch->function ? (hd_function *)run->launch->function : run->shader->first_function;

   if (!f)
      hd_wave_refuse(run, HD_UNSUPPORTED, NULL,
                     "expected an entry function in the shader, found none");
   if (run->launch->mode > HD_WAVE_LINEAR)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "mode %u: expected a value of hd_wave_mode",
                     (unsigned)run->launch->mode);
   if (run->launch->mode != HD_WAVE_SWEEP && f->structured)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                     "@%s: expected a flat function for this mode, found a structured one",
                     f->name);
   if (run->launch->freeze_undefined && run->launch->check_uniform)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL,
                     "check_uniform and freeze_undefined are both set, expected at most one");
   run->entry = f;
   choose_width(run);
   choose_grid(run);
   check_memory(run);
   hd_wave_decode(run);
   check_params(run, f);
   run->waves = hd_stack_alloc_zero(&run->stack, run->num_waves * sizeof(hd_wave));
   for (uint32_t n = 0; n < run->num_waves; n++) {
      run->waves[n].run = run;
      run->waves[n].number = n;
      hd_stack_init(&run->waves[n].stack, &run->heap);
   }
}

/* Everything that can fail, and all arithmetic on the host's floats: apart, so that the compiler
 * does not move it over the calls around it.
 */
static __attribute__((noinline)) hd_result
run_guarded(hd_wave_run_state *run)
{
   hd_unwind u;

   if (HD_TRY(&run->heap, &u)) {
      prepare(run);
      run_dispatch(run, run->entry);
   }
   return hd_heap_leave(&run->heap, &u);
}

hd_result
hd_wave_run(hd_shader *shader, const hd_wave_launch *launch, hd_wave_stats *stats)
{
   hd_wave_run_state run = {
      .shader = shader,
      .launch = launch,
      .stage = shader->stage,
      .steps_left = launch->max_steps ? launch->max_steps : UINT64_MAX,
      .random = launch->seed * UINT64_C(0x9e3779b97f4a7c15) | 1,
   };

   hd_heap_init(&run.heap, hd_shader_config(shader));
   if (launch->diag.report)
      run.heap.config.diag = launch->diag;
   hd_heap_refill(&run.heap);
   hd_stack_init(&run.stack, &run.heap);
   const hd_float_env env = hd_float_host_enter();
   hd_result result = run_guarded(&run);
   hd_float_host_leave(env);
   for (uint32_t n = 0; run.waves && n < run.num_waves; n++)
      hd_stack_finish(&run.waves[n].stack);
   hd_stack_finish(&run.stack);
   if (stats)
      *stats = run.stats;
   return result;
}
