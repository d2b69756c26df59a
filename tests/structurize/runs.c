/* SPDX-License-Identifier: MIT */
#include "runs.h"
#include "heddle/intrinsic_enum.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_KEYS 16384

struct watcher {
   const hd_function *f;
   bool by_index;
   struct runs *out;
};

static void
add_event(struct runs *out, uint32_t key, hd_wave_mask mask)
{
   if (out->num == RUNS_MAX) {
      out->cut = true;
      return;
   }
   out->event[out->num++] = (struct run_event){ key, mask };
}

static void
watch(void *user, const hd_wave_step *step)
{
   struct watcher *w = user;

   if (w->by_index) {
      add_event(w->out, step->block->node.index, step->mask);
      return;
   }
   hd_foreach_instr(i, step->block) {
      const hd_intrinsic *store = hd_instr_as_intrinsic(i);
      if (!store || i->op != HD_INTRINSIC_STORE_BUFFER || hd_intrinsic_indices(store)[1] != 1)
         continue;
      add_event(w->out, hd_src_as_const(&store->src[0])->value[0].u32, step->mask);
   }
}

static void
hear(void *user, const hd_diag *diag)
{
   struct runs *out = user;

   if (!out->message[0])
      snprintf(out->message, sizeof(out->message), "%s", diag->message);
}

void
runs_observe(hd_shader *shader, hd_wave_launch launch, const struct lane_words *lanes,
             bool by_index, struct runs *out)
{
   uint32_t words[HD_WAVE_MAX_LANES] = { 0 };
   struct watcher w = { shader->first_function, by_index, out };

   memset(out, 0, offsetof(struct runs, event));
   memcpy(words, lanes->word, lanes->num * sizeof(words[0]));
   const hd_wave_buffer buffers[] = {
      { .binding = 0, .memory = { words, NULL, sizeof(words) } },
      { .binding = 1, .memory = { out->last, NULL, sizeof(out->last) } },
      { .binding = 2, .memory = { out->mix, NULL, sizeof(out->mix) } },
   };
   launch.lanes = launch.workgroup_size[0] = lanes->num;
   launch.buffers = buffers;
   launch.num_buffers = 3;
   launch.user = &w;
   launch.trace = watch;
   if (!launch.max_steps)
      launch.max_steps = 6000;
   hd_config *config = (hd_config *)hd_shader_config(shader);
   const hd_diag_sink sink = config->diag;
   config->diag = (hd_diag_sink){ out, hear };
   out->result = hd_wave_run(shader, &launch, NULL);
   config->diag = sink;
   out->cut |= out->result == HD_BUDGET_EXCEEDED;
}

static void
sort_by_key(struct runs *r)
{
   static struct run_event sorted[RUNS_MAX];
   static unsigned at[MAX_KEYS + 1];

   unsigned end = 0;
   for (unsigned n = 0; n < r->num; n++)
      end = r->event[n].key + 1 > end ? r->event[n].key + 1 : end;
   memset(at, 0, (end + 1) * sizeof(at[0]));
   for (unsigned n = 0; n < r->num; n++)
      at[r->event[n].key + 1]++;
   for (unsigned k = 0; k < end; k++)
      at[k + 1] += at[k];
   for (unsigned n = 0; n < r->num; n++)
      sorted[at[r->event[n].key]++] = r->event[n];
   memcpy(r->event, sorted, r->num * sizeof(sorted[0]));
}

static const char *
describe(const char *what, uint32_t key, const struct runs *a, unsigned n, const struct runs *b,
         unsigned m)
{
   static char text[512];
   hd_wave_mask x = n < a->num && a->event[n].key == key ? a->event[n].mask : (hd_wave_mask){ 0 };
   hd_wave_mask y = m < b->num && b->event[m].key == key ? b->event[m].mask : (hd_wave_mask){ 0 };

   snprintf(text, sizeof(text), "%s %u: %016llx%016llx, then %016llx%016llx", what, key,
            (unsigned long long)x.word[1], (unsigned long long)x.word[0],
            (unsigned long long)y.word[1], (unsigned long long)y.word[0]);
   return text;
}

const char *
runs_differ(struct runs *a, struct runs *b)
{
   unsigned n = 0, m = 0;

   if (a->result != b->result && !a->cut && !b->cut)
      return "one of them failed";
   sort_by_key(a);
   sort_by_key(b);
   while (n < a->num || m < b->num) {
      uint32_t ka = n < a->num ? a->event[n].key : UINT32_MAX;
      uint32_t kb = m < b->num ? b->event[m].key : UINT32_MAX;
      uint32_t key = ka < kb ? ka : kb;

      while (n < a->num && m < b->num && a->event[n].key == key && b->event[m].key == key) {
         if (memcmp(&a->event[n].mask, &b->event[m].mask, sizeof(hd_wave_mask)))
            return describe("masks of", key, a, n, b, m);
         n++;
         m++;
      }
      bool more_a = n < a->num && a->event[n].key == key;
      bool more_b = m < b->num && b->event[m].key == key;
      if ((more_a && !b->cut) || (more_b && !a->cut))
         return describe("number of runs of", key, a, n, b, m);
      while (n < a->num && a->event[n].key == key)
         n++;
      while (m < b->num && b->event[m].key == key)
         m++;
   }
   if (a->cut || b->cut)
      return NULL;
   if (memcmp(a->last, b->last, sizeof(a->last)))
      return "what a lane ran last";
   return memcmp(a->mix, b->mix, sizeof(a->mix)) ? "what a lane carried" : NULL;
}

static uint32_t
random_word(uint64_t *state)
{
   uint64_t z = *state += 0x9e3779b97f4a7c15u;

   z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
   z = (z ^ z >> 27) * 0x94d049bb133111ebu;
   return (uint32_t)(z ^ z >> 31);
}

void
runs_lanes(struct lane_words *lanes, unsigned set, uint64_t *random)
{
   lanes->num = set == 0 ? 64 : set == 1 ? 1 : 2 + random_word(random) % 20;
   for (unsigned l = 0; l < lanes->num; l++)
      lanes->word[l] = set == 0 ? l | (random_word(random) & 0xffc0) : random_word(random) & 0xffff;
}

hd_wave_mask
runs_subset(unsigned set, uint64_t *random)
{
   const uint64_t low = random_word(random), high = random_word(random);

   if (set == 0)
      return (hd_wave_mask){ { UINT64_MAX, 0 } };
   return (hd_wave_mask){ { set == 1 ? UINT64_C(1) << low % 64 : low | high << 32, 0 } };
}

char *
runs_text(const hd_shader *shader)
{
   hd_blob blob = { 0 };

   if (hd_print_shader(shader, NULL, &blob) != HD_OK)
      abort();
   char *text = malloc(blob.size + 1);
   memcpy(text, blob.data, blob.size);
   text[blob.size] = 0;
   hd_blob_finish(&blob);
   return text;
}
