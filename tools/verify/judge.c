/* SPDX-License-Identifier: MIT */
/* judge.c - test one program: build it, transform it, run it before and after. */
#include "judge.h"

#include "heddle/text.h"
#include "heddle/wave.h"

#include <stdlib.h>
#include <string.h>

#include "heddle/check.h"
#include "heddle/clone.h"
#include "uniform.h"

struct judging {
   const program *p;
   const judge_options *options;
   const crew *crews;
   unsigned num_crews;
   tally *t;
   failure *why;
   hd_shader *shader;
   bool endless;
   char message[256]; /* what the shader's sink heard */
   observation before[MAX_CREWS], after;
   hd_blob input_text, text[MAX_CHANGES]; /* of functions that were run sweep by sweep */
   changed made[MAX_CHANGES];
   uniformity uniform;
};

/* How far the waves of a program come that does not end. After a few decisions lanes go around in
 * circles, so little is new after the first blocks; where there are more lanes, more is.
 */
static uint64_t
endless_steps(const struct judging *j, const crew *c)
{
   const uint64_t blocks = 20 + c->width + 2 * (uint64_t)j->p->graph.num_blocks;

   return blocks * c->num_waves * (j->p->features ? 20 : 10);
}

static void
copy_wave(crew *to, const crew *from, uint32_t wave)
{
   *to = crew_make(from->width, 1);
   memcpy(to->words, from->words + (size_t)wave * from->width, from->width * sizeof(uint32_t));
   to->wave_words[0] = from->wave_words[wave];
}

static bool
fail(struct judging *j, int change, const char *what)
{
   j->why->change = change;
   snprintf(j->why->what, sizeof(j->why->what), "%s%s%s", what, j->message[0] ? ": " : "",
            j->message);
   return false;
}

static bool
is_valid(struct judging *j, hd_function *f)
{
   j->message[0] = 0;
   return hd_validate_function(f, &(hd_validate_options){ .metadata = true }) == HD_OK;
}

/* Run the input with all crews. */
static bool
observe_input(struct judging *j)
{
   hd_function *f = j->shader->first_function;
   const uint32_t num = j->p->graph.num_blocks;
   char what[256];
   marks m;

   if (!is_valid(j, f))
      return fail(j, -1, "the program is not valid");
   if (!uniformity_find(&j->uniform, f, j->p->features & PROGRAM_NAMES))
      return fail(j, -1, "out of memory");
   bool good = marks_find(&m, f, num, what);
   for (unsigned k = 0; k < j->num_crews && good; k++) {
      const crew *c = &j->crews[k];
      const uint64_t steps = UINT64_C(4000) * c->num_waves * (num + 100);
      verify_observe(&j->before[k], f, &m, c,
                     &(observe_options){ .max_steps = j->endless ? endless_steps(j, c) : steps,
                                         .endless = j->endless });
      const hd_result result = j->before[k].result;
      good = result == HD_OK || (result == HD_BUDGET_EXCEEDED && j->endless);
      snprintf(what, sizeof(what), "the run of the input ends with %s: %.190s",
               hd_result_name(result), j->before[k].message);
   }
   marks_free(&m);
   j->message[0] = 0;
   return good || fail(j, -1, what);
}

/* A part without end is left after a while where a lane has many decisions to spend: an input that
 * was stopped before it ended is run on.
 */
static void
observe_longer(struct judging *j, unsigned k)
{
   hd_function *f = j->shader->first_function;
   const crew *c = &j->crews[k];
   char what[256];
   marks m;

   if (marks_find(&m, f, j->p->graph.num_blocks, what))
      verify_observe(&j->before[k], f, &m, c,
                     &(observe_options){ .max_steps = endless_steps(j, c) * 50, .endless = true });
   marks_free(&m);
}

static bool
agrees(struct judging *j, unsigned number, const marks *m, unsigned k)
{
   const observation *before = &j->before[k];
   const crew *c = &j->crews[k];
   const uint64_t steps = before->stats.blocks + before->stats.instructions;
   bool ended = before->result == HD_OK; /* also some that have a part without end do */
   char what[256];
   uint32_t wave;

   observe_options o = { .mode = j->options->changes[number].mode,
                         .linear = j->made[number].linear,
                         .max_steps = ended ? steps * 50 + 100000 : steps * 3 / 2,
                         .endless = j->endless };
   verify_observe(&j->after, j->made[number].f, m, c, &o);
   if (!ended && observation_is_short(before, &j->after, c, &wave)) {
      /* It has more to do between the blocks of the input. */
      o.max_steps = steps * 50;
      verify_observe(&j->after, j->made[number].f, m, c, &o);
   }
   if (!ended && j->after.result == HD_OK) {
      observe_longer(j, k);
      ended = before->result == HD_OK;
   }
   j->t->runs++;
   j->t->waves += c->num_waves;
   bool same = observations_agree(before, &j->after, c, &j->p->graph, what, &wave);
   if (same && !ended && observation_is_short(before, &j->after, c, &wave)) {
      snprintf(what, sizeof(what), "lanes stop that went on");
      same = false;
   }
   if (same)
      return true;
   j->why->by_run = true;
   copy_wave(&j->why->crew, c, wave);
   j->message[0] = 0;
   return fail(j, (int)number, what);
}

/* `if`s of a tree, branches of a graph: a switch counts one less than its successors. */
static uint32_t
count_branches(const hd_function *f)
{
   uint32_t count = 0;

   hd_foreach_block(b, f)
      count += b->num_succs > 1 ? b->num_succs - 1 : 0;
   return count;
}

static void
count(struct judging *j, unsigned number)
{
   const changed *c = &j->made[number];

   j->t->by_change[number].programs++;
   j->t->by_change[number].branches_before += count_branches(c->from);
   j->t->by_change[number].branches_after += count_branches(c->f);
   j->t->by_change[number].selector_phis += c->stats.selector_phis;
   j->t->by_change[number].edge_phis += c->stats.edge_phis;
   j->t->by_change[number].value_phis += c->stats.value_phis;
   j->t->by_change[number].instructions += c->stats.instructions;
   j->t->by_change[number].constants += c->stats.constants;
   j->t->by_change[number].blocks += c->stats.blocks;
}

/* The stats say how many branches there are: they must be right about it. */
static bool
stats_are_right(const changed *c, char what[256])
{
   const uint32_t after = count_branches(c->f);

   if (c->stats.branches_after == 0 || c->stats.branches_after == after)
      return true;
   snprintf(what, 256, "the stats tell of %u branches, there are %u", c->stats.branches_after,
            after);
   return false;
}

/* The text of a function but for its name and those of values: marks are locations, which it tells.
 */
static bool
print_body(hd_function *f, hd_blob *text)
{
   const hd_print_options options = { .hide_names = true };
   hd_blob all = { 0 };
   const bool good = hd_print_function(f, &options, &all) == HD_OK;
   const char *body = good ? memchr(all.data, '(', all.size) : NULL;

   if (good && !body)
      body = memchr(all.data, '{', all.size);
   if (body)
      hd_blob_append(text, body, all.size - (size_t)(body - all.data));
   hd_blob_finish(&all);
   return body && text->result == HD_OK;
}

static bool
same_text(const hd_blob *a, const hd_blob *b)
{
   return a->size && a->size == b->size && !memcmp(a->data, b->data, a->size);
}

/* A result that reads like what was run before needs no run: one text has one meaning. */
static bool
was_run(struct judging *j, unsigned number)
{
   hd_blob *text = &j->text[number];
   bool found = false;

   if (j->options->changes[number].mode != HD_WAVE_SWEEP || j->options->changes[number].always_run)
      return false;
   if (!print_body(j->made[number].f, text))
      return false;
   found = same_text(text, &j->input_text);
   for (unsigned n = 0; n < number; n++)
      found |= same_text(text, &j->text[n]);
   return found;
}

/* Only what ends can be compared by its memory. */
static bool
judge_machine(struct judging *j, unsigned number)
{
   char what[256];
   unsigned k, wave;

   if (j->endless)
      return true;
   j->message[0] = 0;
   if (j->options->changes[number].agrees(j->p, j->crews, j->num_crews, what, &k, &wave))
      return true;
   j->why->by_run = true;
   copy_wave(&j->why->crew, &j->crews[k], wave);
   return fail(j, (int)number, what);
}

static bool
judge_change(struct judging *j, unsigned number, bool run)
{
   const change *ch = &j->options->changes[number];
   if (!ch->apply)
      return judge_machine(j, number);
   changed *c = &j->made[number];
   char what[256], name[64];
   marks m;

   c->before = ch->after < 0 ? NULL : &j->made[ch->after];
   c->from = c->before ? c->before->f : j->shader->first_function;
   snprintf(name, sizeof(name), "change%u", number);
   c->f = hd_function_clone(j->shader, c->from, name);
   if (!c->f)
      return fail(j, (int)number, "out of memory");
   j->message[0] = 0;
   const hd_result result = ch->apply(c);
   if (result != HD_OK)
      return fail(j, (int)number, hd_result_name(result));
   if (!is_valid(j, c->f))
      return fail(j, (int)number, "the result is not valid");
   if ((ch->holds && !ch->holds(c, what)) || !stats_are_right(c, what) ||
       !uniformity_kept(&j->uniform, c->f, what))
      return fail(j, (int)number, what);
   if (!run)
      return true;
   if (j->options->count)
      count(j, number);
   bool good = marks_find(&m, c->f, j->p->graph.num_blocks, what) || fail(j, (int)number, what);
   const bool runs = good && !was_run(j, number);
   for (unsigned k = 0; k < j->num_crews && good && runs; k++)
      good = agrees(j, number, &m, k);
   marks_free(&m);
   return good;
}

/* Chosen changes, and those whose results they start from. */
static uint32_t
needed(const judge_options *o)
{
   uint32_t set = o->chosen;

   for (unsigned n = o->num_changes; n-- > 0;) {
      if (set >> n & 1 && o->changes[n].after >= 0)
         set |= 1u << o->changes[n].after;
   }
   return set;
}

bool
judge_program(const program *p, const judge_options *options, const crew *crews, unsigned num_crews,
              tally *t, failure *why)
{
   crew own[MAX_CREWS];
   struct judging *j = must_alloc(sizeof(*j));
   const hd_config config = observe_config(j->message);
   const uint32_t set = needed(options);

   *j = (struct judging){ .p = p, .options = options, .t = t, .why = why };
   *why = (failure){ .change = -1 };
   j->num_crews = crews ? num_crews : crews_for(p, own);
   j->crews = crews ? crews : own;
   j->endless = !graph_ends(&p->graph);
   j->shader = program_build(p, &config);
   bool good = j->shader ? observe_input(j) : fail(j, -1, "the program could not be built");
   good = good &&
          (print_body(j->shader->first_function, &j->input_text) || fail(j, -1, "out of memory"));
   for (unsigned n = 0; n < options->num_changes && good; n++) {
      if (set >> n & 1)
         good = judge_change(j, n, options->chosen >> n & 1);
   }
   t->programs++;
   t->failures += !good;
   for (unsigned n = 0; n < options->num_changes; n++) {
      if (j->made[n].f && options->changes[n].finish)
         options->changes[n].finish(&j->made[n]);
   }
   hd_shader_destroy(j->shader);
   for (unsigned k = 0; k < MAX_CREWS; k++)
      observation_free(&j->before[k]);
   observation_free(&j->after);
   uniformity_free(&j->uniform);
   hd_blob_finish(&j->input_text);
   for (unsigned n = 0; n < options->num_changes; n++)
      hd_blob_finish(&j->text[n]);
   for (unsigned k = 0; !crews && k < j->num_crews; k++)
      crew_free(&own[k]);
   free(j);
   return good;
}

bool
program_is_valid(const program *p)
{
   char message[256] = "";
   const hd_config config = observe_config(message);
   hd_shader *shader = program_build(p, &config);
   const bool valid = shader && hd_validate_function(shader->first_function, NULL) == HD_OK;

   hd_shader_destroy(shader);
   return valid;
}

void
tally_add(tally *to, const tally *from)
{
   to->graphs += from->graphs;
   to->programs += from->programs;
   to->runs += from->runs;
   to->waves += from->waves;
   to->failures += from->failures;
   for (unsigned n = 0; n < MAX_CHANGES; n++) {
      to->by_change[n].programs += from->by_change[n].programs;
      to->by_change[n].branches_before += from->by_change[n].branches_before;
      to->by_change[n].branches_after += from->by_change[n].branches_after;
      to->by_change[n].selector_phis += from->by_change[n].selector_phis;
      to->by_change[n].edge_phis += from->by_change[n].edge_phis;
      to->by_change[n].value_phis += from->by_change[n].value_phis;
      to->by_change[n].instructions += from->by_change[n].instructions;
      to->by_change[n].constants += from->by_change[n].constants;
      to->by_change[n].blocks += from->by_change[n].blocks;
   }
}
