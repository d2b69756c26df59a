/* SPDX-License-Identifier: MIT */
/* compare.c - do two runs of a program show the same?
 *
 * The order in which different blocks run may differ where nothing orders them, so what is compared
 * is, in each wave, the sequence of masks of each block and the sequence of blocks of each lane.
 * Mostly all events are the same in the same order: that is looked at first.
 */
#include "observe.h"

#include "heddle/base.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The events of one wave. */
struct part {
   const event *events;
   uint32_t num;
};

/* Events sorted by a key below `num_keys`, stable; `start` has num_keys + 1 elements. */
static void
sort_events(event *to, const event *from, uint32_t num, bool by_wave, uint32_t num_keys,
            uint32_t *start)
{
   uint32_t *fill = must_alloc((num_keys + 1) * sizeof(*fill));

   for (uint32_t n = 0; n < num; n++)
      fill[(by_wave ? from[n].wave : from[n].block) + 1]++;
   for (uint32_t k = 0; k < num_keys; k++)
      fill[k + 1] += fill[k];
   memcpy(start, fill, (num_keys + 1) * sizeof(*fill));
   for (uint32_t n = 0; n < num; n++)
      to[fill[by_wave ? from[n].wave : from[n].block]++] = from[n];
   free(fill);
}

/* What two events of one block, or of one lane, must have in common. */
static bool
same_event(const event *a, const event *b)
{
   return a->block == b->block && a->mask == b->mask &&
          (a->values == b->values || !a->values || !b->values);
}

/* The sequences of masks, block by block. */
static bool
same_masks(struct part a, struct part b, uint32_t num_blocks, bool prefix, char what[256])
{
   event *x = must_alloc((a.num + 1) * sizeof(*x)), *y = must_alloc((b.num + 1) * sizeof(*y));
   uint32_t *start_x = must_alloc((num_blocks + 1) * sizeof(*start_x));
   uint32_t *start_y = must_alloc((num_blocks + 1) * sizeof(*start_y));
   bool same = true;

   sort_events(x, a.events, a.num, false, num_blocks, start_x);
   sort_events(y, b.events, b.num, false, num_blocks, start_y);
   for (uint32_t n = 0; n < num_blocks && same; n++) {
      const uint32_t num_x = start_x[n + 1] - start_x[n], num_y = start_y[n + 1] - start_y[n];
      const uint32_t num = num_x < num_y ? num_x : num_y;
      uint32_t k = 0;
      while (k < num && same_event(&x[start_x[n] + k], &y[start_y[n] + k]))
         k++;
      if (k < num) {
         const event *p = &x[start_x[n] + k], *q = &y[start_y[n] + k];
         snprintf(what, 256,
                  p->mask != q->mask
                      ? "run %u of block %u has lanes %016" PRIx64 ", not %016" PRIx64
                      : "run %u of block %u has lanes with other values (%016" PRIx64 ")",
                  k + 1, n, q->mask, p->mask);
         same = false;
      } else if (!prefix && num_x != num_y) {
         snprintf(what, 256, "block %u runs %u times, not %u", n, num_y, num_x);
         same = false;
      }
   }
   free(x);
   free(y);
   free(start_x);
   free(start_y);
   return same;
}

/* The sequences of blocks, lane by lane. */
static bool
same_ways(struct part a, struct part b, uint32_t width, const graph *g, bool prefix, char what[256])
{
   for (uint32_t lane = 0; lane < width; lane++) {
      const uint64_t bit = UINT64_C(1) << lane;
      uint32_t n = 0, k = 0, count = 0;
      bool ended = false;
      for (;; n++, k++, count++) {
         while (n < a.num && !(a.events[n].mask & bit))
            n++;
         while (k < b.num && !(b.events[k].mask & bit))
            k++;
         if (n == a.num || k == b.num)
            break;
         if (a.events[n].block != b.events[k].block) {
            snprintf(what, 256, "step %u of lane %u is block %u, not %u", count + 1, lane,
                     b.events[k].block, a.events[n].block);
            return false;
         }
         ended = g->blocks[a.events[n].block].num_succs == 0;
      }
      if ((!prefix || ended) && (n < a.num || k < b.num)) {
         snprintf(what, 256, "lane %u %s after %u steps", lane, n < a.num ? "stops" : "goes on",
                  count);
         return false;
      }
   }
   return true;
}

static bool
same_logs(const observation *a, const observation *b, uint32_t width, char what[256],
          uint32_t *wave)
{
   if (!memcmp(a->log, b->log, a->log_size) && !memcmp(a->undefined, b->undefined, a->log_size))
      return true;
   for (size_t n = 0; n < a->log_size / 4; n++) {
      if (a->undefined[n * 4] || (a->log[n] == b->log[n] && !b->undefined[n * 4]))
         continue;
      *wave = (uint32_t)(n / width);
      if (b->undefined[n * 4])
         snprintf(what, 256, "lane %u has an undefined log in the end", (uint32_t)(n % width));
      else
         snprintf(what, 256, "lane %u has the log %08x in the end, not %08x", (uint32_t)(n % width),
                  b->log[n], a->log[n]);
      return false;
   }
   return true;
}

/* All waves one after the other; `order` is scratch for one whose waves took turns. */
static const event *
by_wave(const observation *o, uint32_t num_waves, uint32_t *start, event **order)
{
   bool sorted = true;

   *order = NULL;
   memset(start, 0, (num_waves + 1) * sizeof(*start));
   for (uint32_t n = 0; n < o->num_events; n++) {
      sorted &= n == 0 || o->events[n].wave >= o->events[n - 1].wave;
      start[o->events[n].wave + 1]++;
   }
   for (uint32_t w = 0; w < num_waves; w++)
      start[w + 1] += start[w];
   if (sorted)
      return o->events;
   *order = must_alloc((o->num_events + 1) * sizeof(**order));
   sort_events(*order, o->events, o->num_events, true, num_waves, start);
   return *order;
}

static bool
same_results(const observation *before, const observation *after, char what[256])
{
   if (before->result == after->result)
      return true;
   if (after->result == HD_OK)
      snprintf(what, 256, "it ends, and the input does not");
   else if (after->result == HD_BUDGET_EXCEEDED)
      snprintf(what, 256, "it does not end");
   else
      snprintf(what, 256, "the run ends with %s: %.200s", hd_result_name(after->result),
               after->message);
   return false;
}

/* Event by event, byte by byte. */
static bool
same_events(const observation *a, const observation *b)
{
   return a->num_events == b->num_events &&
          (!a->num_events || !memcmp(a->events, b->events, a->num_events * sizeof(*a->events)));
}

static bool
same_waves(const observation *before, const observation *after, const crew *c, const graph *g,
           bool prefix, char what[256], uint32_t *wave)
{
   uint32_t *start_a = must_alloc((c->num_waves + 1) * sizeof(*start_a));
   uint32_t *start_b = must_alloc((c->num_waves + 1) * sizeof(*start_b));
   event *order_a, *order_b;
   const event *a = by_wave(before, c->num_waves, start_a, &order_a);
   const event *b = by_wave(after, c->num_waves, start_b, &order_b);
   bool same = true;

   for (uint32_t w = 0; w < c->num_waves && same; w++) {
      const struct part x = { a + start_a[w], start_a[w + 1] - start_a[w] };
      const struct part y = { b + start_b[w], start_b[w + 1] - start_b[w] };
      if (x.num == y.num && (x.num == 0 || !memcmp(x.events, y.events, x.num * sizeof(*a))))
         continue;
      same = same_masks(x, y, g->num_blocks, prefix, what) &&
             same_ways(x, y, c->width, g, prefix, what);
      *wave = w;
   }
   free(start_a);
   free(start_b);
   free(order_a);
   free(order_b);
   return same;
}

bool
observations_agree(const observation *before, const observation *after, const crew *c,
                   const graph *g, char what[256], uint32_t *wave)
{
   const bool prefix = before->result != HD_OK || after->result != HD_OK;

   *wave = 0;
   return (same_events(before, after) || same_waves(before, after, c, g, prefix, what, wave)) &&
          (prefix || same_logs(before, after, c->width, what, wave)) &&
          same_results(before, after, what);
}

bool
observation_is_short(const observation *before, const observation *after, const crew *c,
                     uint32_t *wave)
{
   uint32_t *more = must_alloc(c->num_waves * sizeof(*more));
   bool found = false;

   for (uint32_t n = 0; n < before->num_events; n++)
      more[before->events[n].wave]++;
   for (uint32_t w = 0; w < c->num_waves; w++)
      more[w] /= 2;
   for (uint32_t n = 0; n < after->num_events; n++)
      more[after->events[n].wave] -= more[after->events[n].wave] != 0;
   for (uint32_t w = 0; w < c->num_waves && !found; w++) {
      found = more[w] != 0;
      *wave = w;
   }
   free(more);
   return found;
}
