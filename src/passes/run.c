/* SPDX-License-Identifier: MIT */
/* run.c - hd_run_pass and hd_run_pipeline: the unwinding point for failures, and the copies that passes
 * work on if the shader must survive a failure.
 */
#include "passes/run.h"
#include "heddle/clone.h"
#include "ir/own_intrinsics.h"
#include "passes/table.h"
#include "util/quote.h"

#define LOOK_BACK 32u

/* Metadata is of use to the check of what a pass keeps only where there is some. */
static void
prepare(struct run *run, hd_function *f)
{
   hd_require(f, run->options.verify_meta ? HD_META_ALL : run->step->pass->requires_meta);
}

void *
hd_pass_alloc(hd_shader *shader, size_t count, size_t size)
{
   if (size && count > SIZE_MAX / size) {
      hd_heap_fail(hd_shader_heap(shader), HD_OUT_OF_MEMORY);
      return NULL;
   }
   return hd_stack_alloc_zero(hd_shader_stack(shader), count * size);
}

bool
hd_pass_count_steps(hd_shader *shader, uint64_t steps)
{
   return hd_heap_step(hd_shader_heap(shader), steps);
}

/* The pass's function, on a function or on all of the shader. */
static bool
call(struct run *run, hd_function *f)
{
   const hd_pass_step *step = run->step;
   hd_heap *heap = hd_shader_heap(run->shader);
   hd_unwind *unwind = heap->unwind;
   const hd_result status = heap->status;

   if (step->pass->checked) {
      heap->unwind = NULL;
      heap->inside = true;
      heap->status = HD_OK;
   }
   const bool progress =
       step->pass->run ? step->pass->run(f, step) : step->pass->run_shader(run->shader, step);
   if (step->pass->checked) {
      const hd_result failed = heap->status;
      heap->unwind = unwind;
      heap->inside = false;
      heap->status = status;
      if (failed != HD_OK)
         hd_heap_fail(heap, failed);
   }
   return progress;
}

static bool
run_on_functions(struct run *run)
{
   const hd_pass_step *step = run->step;
   hd_stack *stack = hd_shader_stack(run->shader);
   bool progress = false;

   hd_foreach_function(f, run->shader) {
      if (!takes(step->pass, f))
         continue;
      hd_stack_mark mark = hd_stack_get_mark(stack);
      prepare(run, f);
      progress |= call(run, f);
      hd_stack_release(stack, mark);
      hd_pass_check_kept(run, f);
   }
   return progress;
}

static bool
run_on_shader(struct run *run)
{
   hd_stack *stack = hd_shader_stack(run->shader);

   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_foreach_function(f, run->shader) {
      prepare(run, f);
   }
   bool progress = call(run, NULL);
   hd_stack_release(stack, mark);
   hd_foreach_function(f, run->shader) {
      hd_pass_check_kept(run, f);
   }
   return progress;
}

static bool
run_one(struct run *run)
{
   return run->step->pass->run ? run_on_functions(run) : run_on_shader(run);
}

static bool
same_step(const hd_pass_step *a, const hd_pass_step *b)
{
   /* What a program's data makes of a pass is not known. */
   if (a->pass != b->pass || a->user || b->user)
      return false;
   for (uint32_t n = 0; n < a->pass->num_options; n++) {
      if (!hd_pass_same_value(a, b, n))
         return false;
   }
   return true;
}

/* Did this step find nothing to do, and has nothing changed since? Then it would find nothing
 * again. `found_nothing` says of each step before it whether it ran and did nothing.
 */
static bool
is_known_no_op(const hd_pass_step *steps, uint32_t number, uint32_t changed,
               const bool *found_nothing)
{
   for (uint32_t n = number > changed + LOOK_BACK ? number - LOOK_BACK : changed; n < number; n++) {
      if (found_nothing[n] && same_step(&steps[n], &steps[number]))
         return true;
   }
   return false;
}

static void
run_steps(struct run *run, const hd_pass_step *steps, uint32_t num_steps)
{
   bool *found_nothing = hd_stack_alloc_zero(hd_shader_stack(run->shader), num_steps);
   uint32_t changed = 0; /* no step from here on has changed anything */

   for (uint32_t n = 0; n < num_steps && run->result == HD_OK; n++) {
      run->step = &steps[n];
      run->number = n;
      if (!hd_pass_checks_before(run))
         continue;
      bool progress = !is_known_no_op(steps, n, changed, found_nothing) && run_one(run);
      found_nothing[n] = !progress;
      changed = progress ? n + 1 : changed;
      run->progress |= progress;
      if (progress)
         hd_keep_lowered(run);
      hd_remember_lowered(run);
      hd_pass_checks_after(run, progress);
   }
}

static struct functions
take_functions(hd_shader *shader)
{
   struct functions list = { shader->first_function, shader->last_function, shader->num_functions };

   shader->first_function = shader->last_function = NULL;
   shader->num_functions = 0;
   return list;
}

static void
put_functions(hd_shader *shader, struct functions list)
{
   shader->first_function = list.first;
   shader->last_function = list.last;
   shader->num_functions = list.num;
}

/* A copy of each function, under a name that is not taken. */
static hd_function *
copy_function(hd_shader *shader, const hd_function *f, unsigned number)
{
   char name[32];

   do {
      snprintf(name, sizeof(name), "copy.%u", number++);
   } while (hd_shader_find_function(shader, name));
   hd_function *copy = hd_function_clone(shader, f, name);
   if (!copy)
      hd_heap_fail(hd_shader_heap(shader), HD_OUT_OF_MEMORY);
   return copy;
}

/* Put copies of all functions in their place, which call each other. */
static void
copy_functions(struct run *run)
{
   hd_shader *shader = run->shader;
   uint32_t num = shader->num_functions;
   hd_ptr_map numbers;

   run->originals = (struct functions){ shader->first_function, shader->last_function, num };
   run->fields = *shader;
   run->copied = true;
   hd_function **copies = hd_stack_alloc(hd_shader_stack(shader), num * sizeof(*copies));
   hd_ptr_map_init(&numbers, hd_shader_stack(shader), num);
   hd_function *f = run->originals.first;
   for (uint32_t n = 0; n < num; n++, f = f->next) {
      copies[n] = copy_function(shader, f, n);
      hd_ptr_map_set(&numbers, f, n);
   }
   for (uint32_t n = 0; n < num; n++) {
      hd_foreach_block(b, copies[n]) {
         hd_foreach_instr(i, b) {
            hd_call *call = hd_instr_as_call(i);
            if (call)
               call->callee = copies[hd_ptr_map_get(&numbers, call->callee)];
         }
      }
   }
   if (!num)
      return;
   struct functions worked_on = { copies[0], copies[num - 1], num };
   run->originals.last->next = NULL;
   copies[0]->prev = NULL;
   put_functions(shader, worked_on);
   f = run->originals.first;
   for (uint32_t n = 0; n < num; n++, f = f->next)
      copies[n]->name = f->name;
}

/* After a failure copies are in no state to be destroyed, so their memory stays with the shader;
 * metadata is not part of that.
 */
static void
forget_functions(struct functions list)
{
   for (hd_function *f = list.first; f; f = f->next) {
      if (f->meta)
         f->meta->free(f);
   }
}

static void
remove_functions(hd_shader *shader)
{
   while (shader->first_function)
      hd_function_remove(shader->first_function);
}

/* The copies take the place of the originals, or go. Where copying itself was stopped they follow
 * the originals in one list.
 */
static void
finish_copies(struct run *run, bool stopped)
{
   hd_shader *shader = run->shader;

   if (!run->copied)
      return;
   if (stopped) {
      hd_function *rest = run->originals.last ? run->originals.last->next : NULL;
      if (rest)
         forget_functions((struct functions){ .first = rest });
      else
         forget_functions(take_functions(shader));
      if (run->originals.last)
         run->originals.last->next = NULL;
   } else if (run->progress || run->result != HD_OK) {
      struct functions copies = take_functions(shader);
      put_functions(shader, run->originals);
      remove_functions(shader);
      put_functions(shader, copies);
      return;
   } else {
      remove_functions(shader);
   }
   put_functions(shader, run->originals);
   /* A lowering that found nothing to do has found that out. */
   if (stopped)
      shader->lowered = run->fields.lowered;
   shader->workgroup_size[0] = run->fields.workgroup_size[0];
   shader->workgroup_size[1] = run->fields.workgroup_size[1];
   shader->workgroup_size[2] = run->fields.workgroup_size[2];
   shader->subgroup_size = run->fields.subgroup_size;
   shader->float_controls = run->fields.float_controls;
   shader->shared_size = run->fields.shared_size;
   shader->scratch_size = run->fields.scratch_size;
   shader->push_size = run->fields.push_size;
   shader->kernarg_size = run->fields.kernarg_size;
   /* Nothing but added to. */
   shader->constants_size = run->fields.constants_size;
}

/* Options out of range are the caller's input. */
static bool
values_fit(const struct run *run, const hd_pass_step *step)
{
   for (uint32_t n = 0; n < step->pass->num_options; n++) {
      const hd_pass_option *option = &step->pass->options[n];
      if (option->kind == HD_PASS_STRING ||
          (step->values[n] >= option->low && step->values[n] <= option->high))
         continue;
      if (run->diag.report) {
         char message[200];
         snprintf(message, sizeof(message), "pass %s: option %s is from %u to %u, not %u",
                  step->pass->name, option->name, option->low, option->high, step->values[n]);
         hd_diag diag = { .severity = HD_ERROR, .message = message };
         hd_diag_send(&run->diag, &diag);
      }
      return false;
   }
   return true;
}

static void
run_list(struct run *run, const hd_pass_step *steps, uint32_t num_steps)
{
   if (!num_steps)
      return;
   run->step = steps;
   if (!hd_knows_intrinsics(run->shader, &run->diag))
      run->result = HD_INVALID;
   else
      hd_pass_check_input(run);
   if (run->result != HD_OK)
      return;
   if (run->options.keep_on_failure)
      copy_functions(run);
   run_steps(run, steps, num_steps);
}

hd_result
hd_run_passes(hd_shader *shader, const hd_pass_step *steps, uint32_t num_steps,
              const hd_run_options *options, bool *progress)
{
   hd_heap *heap = hd_shader_heap(shader);
   hd_stack *stack = hd_shader_stack(shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct run run = { .shader = shader };
   hd_unwind u;

   if (options)
      run.options = *options;
   run.diag = run.options.diag.report ? run.options.diag : heap->config.diag;
   for (uint32_t n = 0; n < num_steps; n++) {
      if (!steps || !values_fit(&run, &steps[n]))
         return HD_INVALID;
   }
   hd_blob_init(&run.text, &heap->config);
   hd_blob_init(&run.again, &heap->config);
   hd_heap_refill(heap);
   hd_stack_keep(stack);
   if (HD_TRY(heap, &u))
      run_list(&run, steps, num_steps);
   hd_result stopped = hd_heap_leave(heap, &u);

   hd_blob_finish(&run.text);
   hd_blob_finish(&run.again);
   hd_shader_destroy(run.before);
   hd_shader_destroy(run.parsed);
   hd_shader_destroy(run.cloned);
   finish_copies(&run, stopped != HD_OK);
   hd_stack_release(stack, mark);
   hd_stack_let_go(stack);
   if (stopped != HD_OK)
      return stopped;
   if (progress)
      *progress = run.progress;
   return run.result;
}

hd_result
hd_run_pass(hd_shader *shader, const hd_pass *pass, const hd_run_options *options, bool *progress)
{
   hd_pass_step step = hd_pass_step_default(pass);

   if (options && options->values)
      memcpy(step.values, options->values, pass->num_options * sizeof(*step.values));
   return hd_run_passes(shader, &step, 1, options, progress);
}
