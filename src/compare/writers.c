/* SPDX-License-Identifier: MIT */
/* writers.c - find which lanes and instructions wrote a difference. */
#include "compare/compare.h"

#include <inttypes.h>
#include <string.h>

#include "heddle/text.h"
#include "util/quote.h"

#define MAX_WAVES 4u /* whose lanes are reported */

/* Who wrote a byte last. */
typedef struct writer {
   uint32_t workgroup, wave;
   uint8_t lane;
   bool watched, wrote;
} writer;

typedef struct watch {
   const world *w;
   uint64_t at;
   writer *bytes; /* of the world */
   /* What wrote the byte `at` last, and all of what it wrote. */
   hd_wave_write last;
   char value[BYTES_TEXT];
} watch;

static void
note_write(void *user, const hd_wave_write *write)
{
   watch *v = user;
   const uint8_t *data = write->data;

   /* Not what belongs to the run. */
   if ((uintptr_t)data < (uintptr_t)v->w->data ||
       (uintptr_t)data >= (uintptr_t)(v->w->data + v->w->size))
      return;
   const uint64_t from = (uint64_t)(data - v->w->data);
   for (uint64_t n = from; n < from + write->size; n++) {
      writer *b = &v->bytes[n];
      if (b->watched)
         *b = (writer){ write->workgroup, write->wave, (uint8_t)write->lane, true, true };
      if (n == v->at) {
         v->last = *write;
         hd_compare_show_bytes(data, v->w->undefined + from, write->size, v->value);
      }
   }
}

/* The lanes of a mask: `lane 3`, `lanes 0-7 and 9`. */
static void
append_lanes(hd_blob *out, const hd_wave_mask *mask)
{
   unsigned runs = 0, num = 0, told = 0;
   bool before = false;

   for (unsigned n = 0; n < HD_WAVE_MAX_LANES; n++) {
      const bool in = mask->word[n / 64] >> n % 64 & 1;
      runs += in && !before;
      num += in;
      before = in;
   }
   hd_blob_printf(out, num == 1 ? "lane " : "lanes ");
   for (unsigned n = 0; n < HD_WAVE_MAX_LANES; n++) {
      unsigned end = n;
      while (end < HD_WAVE_MAX_LANES && mask->word[end / 64] >> end % 64 & 1)
         end++;
      if (end == n)
         continue;
      hd_blob_printf(out, "%s%u", told == 0 ? "" : told + 1 == runs ? " and " : ", ", n);
      if (end > n + 1)
         hd_blob_printf(out, "-%u", end - 1);
      told++;
      n = end;
   }
}

struct wave_lanes {
   uint32_t workgroup, wave;
   hd_wave_mask lanes;
};

/* The waves that wrote what is watched, and their lanes; answers how many there are. */
static unsigned
collect(const watch *v, struct wave_lanes waves[MAX_WAVES])
{
   unsigned num = 0;

   for (uint64_t at = 0; at < v->w->size; at++) {
      const writer *b = &v->bytes[at];
      unsigned n = 0;
      if (!b->wrote)
         continue;
      while (n < num && (waves[n].workgroup != b->workgroup || waves[n].wave != b->wave))
         n++;
      if (n == MAX_WAVES)
         return MAX_WAVES + 1;
      if (n == num)
         waves[num++] = (struct wave_lanes){ b->workgroup, b->wave, { { 0, 0 } } };
      waves[n].lanes.word[b->lane / 64] |= UINT64_C(1) << b->lane % 64;
   }
   return num;
}

static void
append_writers(hd_blob *out, const watch *v)
{
   struct wave_lanes waves[MAX_WAVES];
   const unsigned num = collect(v, waves);

   for (unsigned n = 0; n < num && n < MAX_WAVES; n++) {
      hd_blob_printf(out, "%s", n ? "; " : "");
      append_lanes(out, &waves[n].lanes);
      hd_blob_printf(out, " of wave %u of workgroup %u", waves[n].wave, waves[n].workgroup);
   }
   hd_blob_printf(out, num > MAX_WAVES ? "; and others" : num ? "" : "no lane");
}

static void
tell_blob(const hd_diag_sink *sink, hd_blob *text)
{
   const hd_diag diag = { .severity = HD_NOTE, .message = text->data };

   if (text->result == HD_OK && text->data)
      hd_diag_send(sink, &diag);
   hd_blob_finish(text);
}

/* What wrote the byte that is reported. */
static void
tell_last(const hd_diag_sink *sink, const watch *v, const hd_config *config, const char *when)
{
   const hd_wave_write *l = &v->last;
   hd_numbering *numbering = NULL;
   hd_blob text;

   if (!l->instr) {
      hd_compare_tell(sink, HD_NOTE, "%s, no lane writes there", when);
      return;
   }
   hd_blob_init(&text, config);
   hd_blob_printf(&text, "%s, lane %u of wave %u of workgroup %u writes %s there", when, l->lane,
                  l->wave, l->workgroup, v->value);
   if (l->instr->kind == HD_INSTR_INTRINSIC && hd_instr_num_srcs(l->instr) &&
       hd_instr_src(l->instr, 0)->def->num_components > 1)
      hd_blob_printf(&text, " (component %u)", l->component);
   const hd_function *f = hd_block_function(l->instr->block);
   if (hd_numbering_create(f, &numbering) == HD_OK) {
      hd_blob_printf(&text, ", in block b%u of ", hd_numbering_block(numbering, l->instr->block));
      hd_blob_name(&text, '@', f->name);
      hd_blob_printf(&text, ": ");
      hd_print_instr(l->instr, numbering, NULL, &text, NULL);
      hd_numbering_destroy(numbering);
   }
   tell_blob(sink, &text);
}

/* Run a shader in the launch once more, and see who writes. */
static void
watch_run(watch *v, trial_run *r, hd_shader *shader)
{
   hd_wave_launch launch;
   hd_wave_stats stats;

   for (uint64_t at = 0; at < v->w->size; at++)
      v->bytes[at].wrote = false;
   v->last.instr = NULL;
   hd_compare_world_reset(&r->world, &r->launch);
   launch = r->launch;
   launch.user = v;
   launch.on_write = note_write;
   hd_wave_run(shader, &launch, &stats);
}

void
hd_compare_tell_writers(const hd_diag_sink *sink, trial_run *r, uint64_t at, hd_stack *stack,
                        hd_shader *before, hd_shader *after)
{
   const hd_config config = { .allocator = hd_shader_config(before)->allocator,
                              .intrinsics = hd_shader_config(before)->intrinsics };
   watch v = { .w = &r->world, .at = at };
   uint64_t words = 0;
   hd_blob text;

   v.bytes = hd_stack_alloc_zero(stack, r->world.size * sizeof(*v.bytes) + 1);
   for (uint64_t n = 0; n < r->world.size; n++)
      v.bytes[n].watched = differs(r, n);
   for (uint64_t n = 0; n + 4 <= r->world.size; n += 4)
      words += v.bytes[n].watched || v.bytes[n + 1].watched || v.bytes[n + 2].watched ||
               v.bytes[n + 3].watched;
   watch_run(&v, r, before);
   tell_last(sink, &v, &config, "before");
   hd_blob_init(&text, &config);
   hd_blob_printf(&text, "%" PRIu64 " word%s in all; before, written by ", words,
                  words == 1 ? " differs" : "s differ");
   append_writers(&text, &v);
   if (after) {
      watch_run(&v, r, after);
      tell_last(sink, &v, &config, "after");
      hd_blob_printf(&text, "; after, by ");
      append_writers(&text, &v);
   }
   tell_blob(sink, &text);
}
