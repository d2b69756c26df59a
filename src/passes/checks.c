/* SPDX-License-Identifier: MIT */
/* checks.c - checks around each pass: validation, metadata, text round trip, clone, progress. */
#include "heddle/binary.h"
#include "heddle/check.h"
#include "heddle/clone.h"
#include "heddle/text.h"
#include "passes/run.h"
#include "util/quote.h"

#include <stdarg.h>

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
   snprintf(message, sizeof(message), "pass %s: %s", run->step->pass->name, what);
   hd_diag diag = { .severity = HD_ERROR, .message = message };
   hd_diag_send(&run->diag, &diag);
}

/* A failure inside a check that has its own way to tell: pass it on. */
static void
pass_on(struct run *run, hd_result result)
{
   if (result != HD_OK && result != HD_INVALID)
      hd_heap_fail(hd_shader_heap(run->shader), result);
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

void
hd_pass_check_kept(struct run *run, hd_function *f)
{
   struct difference_of of = { run, f };

   if (run->options.verify_meta)
      pass_on(run, hd_meta_verify(f, HD_META_ALL, report_difference, &of, NULL));
}

/* Is this the text of the shader after the pass? */
static bool
same_text(struct run *run, const hd_shader *other)
{
   hd_blob_finish(&run->again);
   pass_on(run, hd_print_shader(other, NULL, &run->again));
   return run->text.size == run->again.size &&
          memcmp(run->text.data, run->again.data, run->text.size) == 0;
}

static void
verify_copies(struct run *run)
{
   bool round_trip = run->options.round_trip, clone = run->options.verify_clone;
   hd_config config = *hd_shader_config(run->shader);

   if (run->result != HD_OK || (!round_trip && !clone))
      return;
   config.diag = run->diag;
   hd_blob_finish(&run->text);
   pass_on(run, hd_print_shader(run->shader, NULL, &run->text));
   if (round_trip) {
      hd_result result =
          hd_parse(&config, "text after the pass", run->text.data, run->text.size, &run->parsed);
      pass_on(run, result);
      if (result == HD_INVALID) {
         complain(run, "the text of the shader after it does not parse");
         return;
      }
      if (!same_text(run, run->parsed))
         complain(run, "the text of the shader after it changes when parsed and printed again");
      hd_shader_destroy(run->parsed);
      run->parsed = NULL;
   }
   if (clone) {
      pass_on(run, hd_shader_clone(run->shader, &config, &run->cloned));
      if (!same_text(run, run->cloned))
         complain(run, "a clone of the shader after it has another text");
      hd_shader_destroy(run->cloned);
      run->cloned = NULL;
   }
}

static void
verify_no_progress(struct run *run)
{
   hd_hash now = { { 0 } };

   if (run->result != HD_OK || !run->options.verify_progress)
      return;
   pass_on(run, hd_shader_hash(run->shader, &now));
   if (memcmp(&run->hash, &now, sizeof(now)) != 0)
      complain(run, "it says that it did nothing, but the shader has changed");
}

static hd_pass_run
told(const struct run *run, bool progress)
{
   return (hd_pass_run){ run->step, run->number, run->shader, progress, run->before, run->diag };
}

void
hd_pass_check_input(struct run *run)
{
   validate(run, "before");
}

bool
hd_pass_checks_before(struct run *run)
{
   const hd_run_watch *watch = &run->options.watch;
   hd_pass_run now = told(run, false);

   if (watch->before && !watch->before(watch->user, &now))
      return false;
   if (run->options.verify_progress)
      pass_on(run, hd_shader_hash(run->shader, &run->hash));
   if (run->options.copy_before)
      pass_on(run, hd_shader_clone(run->shader, NULL, &run->before));
   return true;
}

void
hd_pass_checks_after(struct run *run, bool progress)
{
   const hd_run_watch *watch = &run->options.watch;

   validate(run, "after");
   verify_copies(run);
   if (!progress)
      verify_no_progress(run);
   if (run->result == HD_OK && watch->after) {
      hd_pass_run now = told(run, progress);
      run->result = watch->after(watch->user, &now);
   }
   hd_shader_destroy(run->before);
   run->before = NULL;
}
