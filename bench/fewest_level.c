/* SPDX-License-Identifier: MIT */
/* fewest_level.c - the fewest ifs of one level of a cycle nest, by trying all.
 *
 * A level is a line of hexadecimal numbers: is it a loop; the targets of the lanes that come in;
 * for each item those of the lanes that leave it. A target is a bit: an item, BREAK, or AGAIN (the
 * next round). The answer is a line: the fewest ifs, or - where more would have to be tried than
 * the limit, which is the only argument.
 *
 * What is searched is what a list can do with lanes that wait for a set of targets, while lanes
 * that are elsewhere can still come to some items (`others`):
 *
 *    wait = {t}, nobody else can come to t    the item runs, and its lanes wait for what it leads
 * to wait = {BREAK}                           they leave several an if parts them; each side is
 * such a list; what waits at the ends of both goes on together any, in the body of a loop all jump
 * to the continue list any                                      the list ends
 *
 * It can end in several ways, of which those are kept that no other one beats. doc/structurize.md
 * says why the first two need no alternative.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BREAK     62
#define AGAIN     63
#define BIT(n)    (UINT64_C(1) << (n))
#define LEAVING   (BIT(BREAK) | BIT(AGAIN))
#define NUM_SLOTS (1u << 18)

/* One way in which a list can end: who waits there, who has jumped, and which items have run. */
struct way {
   uint64_t end, jumped, ran;
   uint32_t ifs;
};

struct list {
   uint64_t wait, others;
   bool jumps; /* there is a continue list to jump to */
   bool used, known;
   uint32_t num, capacity;
   struct way *ways;
};

struct search {
   bool is_loop;
   unsigned num;
   uint64_t entry, out[BREAK];
   uint64_t ahead[BREAK]; /* what lanes that wait for an item can come to, itself included */
   struct list *slots;
   uint32_t num_lists;
   uint64_t tried, limit;
   bool gave_up;
};

static uint64_t
all_ahead(const struct search *s, uint64_t targets)
{
   uint64_t found = 0;

   for (uint64_t rest = targets & ~LEAVING; rest; rest &= rest - 1)
      found |= s->ahead[__builtin_ctzll(rest)];
   return found;
}

/* Items that wait in `a` where `b` has run them wait for what comes later, and can go wherever they
 * went. Those that had left in `a` must be among these.
 */
static bool
beats(const struct search *s, const struct way *b, const struct way *a)
{
   if (b->jumped != a->jumped || (b->ran & a->ran) != a->ran || b->ifs > a->ifs)
      return false;
   uint64_t stayed = b->end & ~a->end & LEAVING;
   for (uint64_t more = b->ran & ~a->ran; more; more &= more - 1)
      stayed &= ~s->out[__builtin_ctzll(more)];
   return stayed == 0;
}

static void
add_way(struct search *s, struct list *l, struct way way)
{
   uint32_t kept = 0;

   s->gave_up |= ++s->tried > s->limit;
   for (uint32_t i = 0; i < l->num; i++) {
      if (beats(s, &l->ways[i], &way))
         return;
   }
   for (uint32_t i = 0; i < l->num; i++) {
      if (!beats(s, &way, &l->ways[i]))
         l->ways[kept++] = l->ways[i];
   }
   l->num = kept;
   if (l->num == l->capacity) {
      uint32_t capacity = l->capacity * 2 + 4;
      struct way *ways = realloc(l->ways, capacity * sizeof(*ways));
      if (!ways) {
         s->gave_up = true;
         return;
      }
      l->ways = ways;
      l->capacity = capacity;
   }
   l->ways[l->num++] = way;
}

static struct list *
slot_of(struct search *s, uint64_t wait, uint64_t others, bool jumps)
{
   uint64_t hash =
       wait * UINT64_C(0x9e3779b97f4a7c15) ^ others * UINT64_C(0xc2b2ae3d27d4eb4f) ^ jumps;

   hash ^= hash >> 29;
   hash *= UINT64_C(0xbf58476d1ce4e5b9);
   for (uint64_t at = hash >> 32;; at++) {
      struct list *l = &s->slots[at % NUM_SLOTS];
      if (!l->used) {
         *l = (struct list){ .wait = wait, .others = others, .jumps = jumps, .used = true };
         s->gave_up |= ++s->num_lists > NUM_SLOTS / 2;
         return l;
      }
      if (l->wait == wait && l->others == others && l->jumps == jumps)
         return l;
   }
}

static const struct list *find_ways(struct search *s, uint64_t wait, uint64_t others, bool jumps);

/* The list goes on with these lanes. */
static void
go_on(struct search *s, struct list *l, const struct way *so_far)
{
   const struct list *rest =
       find_ways(s, so_far->end, l->others | all_ahead(s, so_far->jumped), l->jumps);

   for (uint32_t i = 0; i < rest->num && !s->gave_up; i++) {
      const struct way *w = &rest->ways[i];
      add_way(s, l,
              (struct way){ w->end, w->jumped | so_far->jumped, w->ran | so_far->ran,
                            w->ifs + so_far->ifs });
   }
}

static void
part(struct search *s, struct list *l, uint64_t one, uint64_t two)
{
   const struct list *first = find_ways(s, one, l->others | all_ahead(s, two), l->jumps);

   for (uint32_t i = 0; i < first->num && !s->gave_up; i++) {
      const struct way *a = &first->ways[i];
      /* Where the first side does nothing, the sides can change places. */
      if (a->end == one)
         continue;
      const struct list *second =
          find_ways(s, two, l->others | all_ahead(s, a->end | a->jumped), l->jumps);
      for (uint32_t k = 0; k < second->num && !s->gave_up; k++) {
         const struct way *b = &second->ways[k];
         go_on(s, l,
               &(struct way){ a->end | b->end, a->jumped | b->jumped, a->ran | b->ran,
                              a->ifs + b->ifs + 1 });
      }
   }
}

/* Each call has fewer lanes to part, fewer items ahead, or more of them barred: it ends, and nests
 * no deeper than there are items and targets.
 */
static const struct list *
find_ways(struct search *s, uint64_t wait, uint64_t others, bool jumps)
{
   struct list *l = slot_of(s, wait, others & all_ahead(s, wait), jumps);

   if (l->known || s->gave_up)
      return l;
   unsigned only = wait && !(wait & (wait - 1)) ? (unsigned)__builtin_ctzll(wait) : 64;
   if (only < BREAK && !(l->others & wait)) {
      go_on(s, l, &(struct way){ .end = s->out[only], .ran = wait });
   } else if (only == BREAK || (only == AGAIN && jumps)) {
      add_way(s, l, (struct way){ 0 });
   } else {
      add_way(s, l, (struct way){ .end = wait });
      if (wait && jumps)
         add_way(s, l, (struct way){ .jumped = wait });
      for (uint64_t one = (wait - 1) & wait; wait && one && !s->gave_up; one = (one - 1) & wait)
         part(s, l, one, wait & ~one);
   }
   l->known = true;
   return l;
}

/* Of the body and of the continue list, at whose end all wait for the next round. */
static uint32_t
find_fewest(struct search *s)
{
   uint32_t best = UINT32_MAX;
   const struct list *body = find_ways(s, s->entry, 0, s->is_loop);

   for (uint32_t i = 0; i < body->num && !s->gave_up; i++) {
      const struct way *w = &body->ways[i];
      const struct list *last = find_ways(s, w->end | w->jumped, 0, false);
      for (uint32_t k = 0; k < last->num && !s->gave_up; k++) {
         uint32_t ifs = w->ifs + last->ways[k].ifs;
         if (!(last->ways[k].end & ~BIT(AGAIN)) && ifs < best)
            best = ifs;
      }
   }
   return best;
}

/* False if the line is no level. */
static bool
read_level(struct search *s, const char *at)
{
   char *end;

   s->is_loop = strtoull(at, &end, 16) != 0;
   s->entry = strtoull(end, &end, 16);
   for (s->num = 0; *end && *end != '\n'; s->num++) {
      if (s->num == BREAK)
         return false;
      at = end;
      s->out[s->num] = strtoull(at, &end, 16);
      if (at == end)
         return false;
   }
   uint64_t targets = s->entry;
   for (unsigned n = 0; n < s->num; n++) {
      targets |= s->out[n];
      s->ahead[n] = BIT(n);
   }
   for (bool more = true; more;) {
      more = false;
      for (unsigned n = 0; n < s->num; n++) {
         uint64_t ahead = BIT(n) | all_ahead(s, s->out[n] & (BIT(s->num) - 1));
         more |= ahead != s->ahead[n];
         s->ahead[n] = ahead;
      }
   }
   /* An item that comes to itself would never be run. */
   for (unsigned n = 0; n < s->num; n++) {
      if (all_ahead(s, s->out[n] & (BIT(s->num) - 1)) & BIT(n))
         return false;
   }
   return !(targets & ~LEAVING & ~(BIT(s->num) - 1));
}

int
main(int argc, char **argv)
{
   static struct search s;
   static char line[4096];

   s.limit = argc > 1 ? strtoull(argv[1], NULL, 10) : 100000;
   s.slots = calloc(NUM_SLOTS, sizeof(*s.slots));
   if (!s.slots)
      return 1;
   while (fgets(line, sizeof(line), stdin)) {
      if (!read_level(&s, line)) {
         fprintf(stderr, "no level: %s", line);
         free(s.slots);
         return 1;
      }
      s.tried = s.num_lists = 0;
      s.gave_up = false;
      uint32_t fewest = find_fewest(&s);
      if (s.gave_up || fewest == UINT32_MAX)
         printf("-\n");
      else
         printf("%" PRIu32 "\n", fewest);
      fflush(stdout);
      for (uint32_t i = 0; i < NUM_SLOTS; i++) {
         free(s.slots[i].ways);
         s.slots[i] = (struct list){ 0 };
      }
   }
   free(s.slots);
   return 0;
}
