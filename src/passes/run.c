/* SPDX-License-Identifier: MIT */
/* run.c - the public door to the passes: the unwinding point, and the checks around a pass. */
#include "heddle/binary.h"
#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/pass.h"
#include "heddle/text.h"
#include "passes/pass.h"
#include "passes/table.h"
#include "util/ptr_map.h"

#include <stdarg.h>

unsigned
hd_num_passes(void)
{
   return hd_pass_table_size;
}

const hd_pass *
hd_pass_get(unsigned n)
{
   return n < hd_pass_table_size ? &hd_pass_table[n] : NULL;
}

const hd_pass *
hd_pass_find(const char *name)
{
   unsigned low = 0, high = hd_pass_table_size;

   while (low < high) {
      unsigned middle = (low + high) / 2;
      int order = strcmp(name, hd_pass_table[middle].name);
      if (order == 0)
         return &hd_pass_table[middle];
      if (order < 0)
         high = middle;
      else
         low = middle + 1;
   }
   return NULL;
}

/* One run of one pass. What must be given back after an unwinding is here. */
struct run {
   hd_shader *shader;
   const hd_pass *pass;
   hd_run_options options;
   hd_diag_sink diag;
   bool progress;
   hd_result result; /* HD_OK, or what a check found */
   hd_function **copies;
   uint32_t num_copies;
   hd_ptr_map copy_of; /* number of the copy, by original */
   hd_shader *parsed;
   hd_blob text, again;
   uint32_t num_functions;
};

static void complain(struct run *run, const char *format, ...) HD_PRINTF(2, 3);

static void
complain(struct run *run, const char *format, ...)
{
   char what[400], message[480];
   va_list args;

   run->result = HD_INVALID;
   if (!run->diag.report)
      return;
   va_start(args, format);
   vsnprintf(what, sizeof(what), format, args);
   va_end(args);
   snprintf(message, sizeof(message), "pass %s: %s", run->pass->name, what);
   hd_diag diag = { .severity = HD_ERROR, .message = message };
   run->diag.report(run->diag.user, &diag);
}

/* A failure inside a check that has its own way to tell: pass it on. */
static void
pass_on(struct run *run, hd_result result)
{
   if (result != HD_OK && result != HD_INVALID)
      hd_heap_fail(hd_shader_heap(run->shader), result);
}

static bool
takes(const hd_pass *pass, const hd_function *f)
{
   return pass->forms & (f->structured ? HD_PASS_TREE : HD_PASS_FLAT);
}

static void
validate(struct run *run, const char *when)
{
   hd_validate_options options = { .diag = run->diag };

   if (run->result != HD_OK || !run->options.validate)
      return;
   hd_result result = hd_validate(run->shader, &options);
   pass_on(run, result);
   if (result == HD_INVALID)
      complain(run, "the shader is not valid %s it", when);
}

struct difference_of {
   struct run *run;
   hd_function *f;
};

static void
report_difference(void *user, const hd_meta_difference *d)
{
   const struct difference_of *of = user;
   const char *name = d->block ? hd_block_name(of->f, d->block) : NULL;

   if (!d->block)
      complain(of->run, "it keeps %s of function @%s, but %s differs when recomputed",
               hd_meta_name(d->bit), of->f->name, d->what);
   else
      complain(of->run,
               "it keeps %s of function @%s, but of block %s (index %u) %s differs when "
               "recomputed",
               hd_meta_name(d->bit), of->f->name, name ? name : "without name",
               d->block->node.index, d->what);
}

static void
verify_meta(struct run *run, hd_function *f)
{
   struct difference_of of = { run, f };

   if (run->options.verify_meta)
      pass_on(run, hd_meta_verify(f, HD_META_ALL, report_difference, &of, NULL));
}

static void
verify_round_trip(struct run *run)
{
   hd_config config = *hd_shader_config(run->shader);

   if (run->result != HD_OK || !run->options.round_trip)
      return;
   config.diag = run->diag;
   pass_on(run, hd_print_shader(run->shader, NULL, &run->text));
   hd_result result =
       hd_parse(&config, "text after the pass", run->text.data, run->text.size, &run->parsed);
   pass_on(run, result);
   if (result == HD_INVALID) {
      complain(run, "the text of the shader after it does not parse");
      return;
   }
   pass_on(run, hd_print_shader(run->parsed, NULL, &run->again));
   if (run->text.size != run->again.size ||
       memcmp(run->text.data, run->again.data, run->text.size) != 0)
      complain(run, "the text of the shader after it changes when parsed and printed again");
}

static bool
run_function(struct run *run, hd_function *f)
{
   hd_stack *stack = hd_shader_stack(run->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);

   hd_require(f, run->options.verify_meta ? HD_META_ALL : run->pass->requires_meta);
   bool progress = run->pass->run(f);
   hd_stack_release(stack, mark);
   verify_meta(run, f);
   return progress;
}

/* A copy of each function, under a name that is not taken. */
static void
copy_functions(struct run *run)
{
   hd_shader *shader = run->shader;
   uint32_t num = shader->num_functions;

   run->copies = hd_stack_alloc(hd_shader_stack(shader), num * sizeof(*run->copies));
   hd_ptr_map_init(&run->copy_of, hd_shader_stack(shader), num);
   hd_function *f = shader->first_function;
   for (uint32_t n = 0; n < num; n++, f = f->next) {
      char name[32];
      unsigned tries = n;
      do {
         snprintf(name, sizeof(name), "copy.%u", tries++);
      } while (hd_shader_find_function(shader, name));
      hd_function *copy = hd_function_clone(shader, f, name);
      if (!copy)
         hd_heap_fail(hd_shader_heap(shader), HD_OUT_OF_MEMORY);
      hd_ptr_map_set(&run->copy_of, f, run->num_copies);
      run->copies[run->num_copies++] = copy;
   }
}

/* The copies take the place of the originals. Cannot fail. */
static void
adopt_copies(struct run *run)
{
   hd_shader *shader = run->shader;

   for (uint32_t n = 0; n < run->num_copies; n++) {
      hd_foreach_block(b, run->copies[n]) {
         hd_foreach_instr(i, b) {
            hd_call *call = hd_instr_as_call(i);
            if (call)
               call->callee = run->copies[hd_ptr_map_get(&run->copy_of, call->callee)];
         }
      }
   }
   for (uint32_t n = 0; n < run->num_copies; n++) {
      hd_function *original = shader->first_function;
      run->copies[n]->name = original->name;
      hd_function_remove(original);
   }
}

/* The copies go. After a failure they are in no state to be taken apart, so their memory stays with
 * the shader; metadata is not part of that.
 */
static void
drop_copies(struct run *run, bool broken)
{
   hd_shader *shader = run->shader;

   while (shader->num_functions > run->num_functions) {
      hd_function *copy = shader->last_function;
      if (!broken) {
         hd_function_remove(copy);
         continue;
      }
      if (copy->meta)
         copy->meta->free(copy);
      shader->last_function = copy->prev;
      copy->prev->next = NULL;
      shader->num_functions--;
   }
}

static void
run_and_check(struct run *run)
{
   hd_shader *shader = run->shader;
   hd_hash before = { { 0 } }, after = { { 0 } };

   validate(run, "before");
   if (run->result != HD_OK)
      return;
   if (run->options.keep_on_failure)
      copy_functions(run);
   if (run->options.verify_progress)
      pass_on(run, hd_shader_hash(shader, &before));
   uint32_t n = 0;
   hd_foreach_function(f, shader) {
      if (takes(run->pass, f) && (!run->copies || n >= run->num_functions))
         run->progress |= run_function(run, f);
      n++;
   }
   validate(run, "after");
   verify_round_trip(run);
   if (run->result != HD_OK || run->progress || !run->options.verify_progress)
      return;
   pass_on(run, hd_shader_hash(shader, &after));
   if (memcmp(&before, &after, sizeof(before)) != 0)
      complain(run, "it says that it did nothing, but the shader has changed");
}

hd_result
hd_run_pass(hd_shader *shader, const hd_pass *pass, const hd_run_options *options, bool *progress)
{
   hd_heap *heap = hd_shader_heap(shader);
   hd_stack *stack = hd_shader_stack(shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct run run = { .shader = shader, .pass = pass };
   hd_unwind u;

   if (options)
      run.options = *options;
   run.diag = run.options.diag.report ? run.options.diag : heap->config.diag;
   run.num_functions = shader->num_functions;
   hd_blob_init(&run.text, &heap->config);
   hd_blob_init(&run.again, &heap->config);
   hd_heap_refill(heap);
   if (HD_TRY(heap, &u))
      run_and_check(&run);
   hd_result stopped = hd_heap_leave(heap, &u);

   hd_blob_finish(&run.text);
   hd_blob_finish(&run.again);
   hd_shader_destroy(run.parsed);
   if (run.options.keep_on_failure) {
      if (stopped == HD_OK && run.num_copies && (run.progress || run.result != HD_OK))
         adopt_copies(&run);
      else
         drop_copies(&run, stopped != HD_OK);
   }
   hd_stack_release(stack, mark);
   if (stopped != HD_OK)
      return stopped;
   if (progress)
      *progress = run.progress;
   return run.result;
}
