/* SPDX-License-Identifier: MIT */
/* observe.c - one run, and what it shows. */
#include "observe.h"

#include "heddle/wave.h"

#include <stdlib.h>
#include <string.h>

crew
crew_make(uint32_t width, uint32_t num_waves)
{
   const size_t words = (size_t)width * num_waves;

   return (crew){ width, num_waves, must_alloc(words * sizeof(uint32_t)),
                  must_alloc(num_waves * sizeof(uint32_t)) };
}

void
crew_free(crew *c)
{
   free(c->words);
   free(c->wave_words);
   *c = (crew){ 0 };
}

bool
marks_find(marks *m, const hd_function *f, uint32_t num_marks, char what[256])
{
   bool *found = must_alloc(num_marks);
   bool good = true;

   *m = (marks){ .num_blocks = f->num_blocks, .num_marks = num_marks };
   m->first = must_alloc((f->num_blocks + 1) * sizeof(*m->first));
   m->next = must_alloc((num_marks + 1) * sizeof(*m->next));
   for (uint32_t n = 0; n < f->num_blocks; n++)
      m->first[n] = NO_BLOCK;
   hd_foreach_block(b, f) {
      uint32_t *link = &m->first[b->node.index];
      hd_foreach_instr(i, b) {
         const uint32_t n = program_mark(f->shader, i);
         if (n == NO_BLOCK)
            continue;
         if (n >= num_marks || found[n]) {
            snprintf(what, 256, "the code of block %u is there twice", n);
            good = false;
            continue;
         }
         found[n] = true;
         *link = n;
         m->next[n] = NO_BLOCK;
         link = &m->next[n];
      }
   }
   for (uint32_t n = 0; good && n < num_marks; n++) {
      if (!found[n]) {
         snprintf(what, 256, "the code of block %u is gone", n);
         good = false;
      }
   }
   free(found);
   return good;
}

void
marks_free(marks *m)
{
   free(m->first);
   free(m->next);
   *m = (marks){ 0 };
}

struct watch {
   observation *o;
   const marks *m;
   uint32_t width;
   bool values;
};

static uint32_t
mix(uint32_t hash, uint32_t value)
{
   hash = (hash ^ value) * 0x01000193u;
   return hash ^ hash >> 15;
}

static void
see(void *user, const hd_wave_step *step)
{
   const struct watch *w = user;
   observation *o = w->o;

   bool values_known = w->values; /* before the first store of the block */

   for (uint32_t n = w->m->first[step->block->node.index]; n != NO_BLOCK; n = w->m->next[n]) {
      uint32_t values = 0;
      if (o->num_events == o->capacity) {
         o->capacity = o->capacity * 2 + 256;
         o->events = must_grow(o->events, o->capacity * sizeof(*o->events));
      }
      for (uint64_t rest = values_known ? step->mask.word[0] : 0; rest; rest &= rest - 1) {
         const size_t lane = (size_t)step->wave * w->width + (unsigned)__builtin_ctzll(rest);
         values = mix(values, o->undefined[lane * 4] ? 0 : o->log[lane]);
      }
      o->events[o->num_events++] = (event){ step->mask.word[0], step->wave, n, values, 0 };
      values_known = false;
   }
}

/* What a diagnostic goes to the shader's sink while it runs goes here; there is one shader at a
 * time.
 */
static void
hear(void *user, const hd_diag *diag)
{
   char *message = user;

   if (!message[0])
      snprintf(message, 256, "%s", diag->message);
}

void
verify_observe(observation *o, hd_function *f, const marks *m, const crew *c,
               const observe_options *options)
{
   hd_shader *shader = f->shader;
   struct watch w = { o, m, c->width, options->endless };
   const size_t lanes = (size_t)c->width * c->num_waves;
   uint32_t *visits = must_alloc((size_t)c->num_waves * m->num_marks * 4);

   o->num_events = 0;
   o->message[0] = 0;
   o->log_size = lanes * 4;
   o->log = must_grow(o->log, o->log_size);
   o->undefined = must_grow(o->undefined, o->log_size);
   memset(o->log, 0, o->log_size);
   memset(o->undefined, 0, o->log_size);
   const hd_wave_buffer buffers[NUM_BINDINGS] = {
      { .binding = BINDING_WORDS, .memory = { c->words, NULL, lanes * 4 } },
      { .binding = BINDING_WAVES, .memory = { c->wave_words, NULL, (uint64_t)c->num_waves * 4 } },
      { .binding = BINDING_LOG, .memory = { o->log, o->undefined, o->log_size } },
      { .binding = BINDING_VISITS,
        .memory = { visits, NULL, (uint64_t)c->num_waves * m->num_marks * 4 } },
   };
   const hd_wave_launch launch = {
      .function = f,
      .mode = options->mode,
      .linear = options->linear,
      .lanes = c->width,
      .workgroup_size = { (uint32_t)lanes },
      .buffers = buffers,
      .num_buffers = NUM_BINDINGS,
      .undef_value = 0xa5a5a5a5a5a5a5a5u,
      .seed = options->endless,
      .max_steps = options->max_steps,
      .user = &w,
      .trace = see,
   };
   const hd_config *config = hd_shader_config(shader);
   char *message = config->diag.report == hear ? config->diag.user : NULL;
   if (message)
      message[0] = 0;
   o->result = hd_wave_run(shader, &launch, &o->stats);
   if (message)
      snprintf(o->message, sizeof(o->message), "%s", message);
   free(visits);
}

hd_config
observe_config(char message[256])
{
   return (hd_config){ .diag = { message, hear } };
}

void
observation_free(observation *o)
{
   free(o->events);
   free(o->log);
   free(o->undefined);
   *o = (observation){ 0 };
}
