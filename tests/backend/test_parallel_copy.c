/* SPDX-License-Identifier: MIT */
/* test_parallel_copy.c - all copies between a few places: the right values, in as few steps as a
 * search over all sequences finds; and large ones.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ir/parallel_copy.h"

#define NUM        4 /* places, the temporary not counted */
#define NUM_STATES 3125

struct fixture {
   hd_heap heap;
   hd_stack stack;
   hd_copier copier;
};

static void
begin(struct fixture *f, uint32_t num_places)
{
   hd_heap_init(&f->heap, NULL);
   hd_stack_init(&f->stack, &f->heap);
   assert_true(hd_copier_init(&f->copier, &f->stack, num_places));
}

static void
end(struct fixture *f)
{
   hd_stack_finish(&f->stack);
}

/* What the five places have, as a number; the last is the temporary. */
static unsigned
state_of(const unsigned char *has)
{
   unsigned state = 0;

   for (unsigned n = NUM + 1; n--;)
      state = state * (NUM + 1) + has[n];
   return state;
}

static void
places_of(unsigned state, unsigned char *has)
{
   for (unsigned n = 0; n <= NUM; n++) {
      has[n] = (unsigned char)(state % (NUM + 1));
      state /= NUM + 1;
   }
}

/* How many steps each state is away from that in which nothing was done: breadth first. */
static void
search(bool swaps, unsigned char *distance)
{
   static unsigned queue[NUM_STATES];
   unsigned first = 0, num = 0;
   unsigned char has[NUM + 1], next[NUM + 1];

   memset(distance, 255, NUM_STATES);
   for (unsigned n = 0; n <= NUM; n++)
      has[n] = (unsigned char)n;
   queue[num++] = state_of(has);
   distance[queue[0]] = 0;
   while (first < num) {
      const unsigned state = queue[first++];
      places_of(state, has);
      for (unsigned to = 0; to <= NUM; to++) {
         for (unsigned from = 0; from <= NUM; from++) {
            for (unsigned swap = 0; swap <= (swaps ? 1u : 0u); swap++) {
               if (swaps && (to == NUM || from == NUM))
                  continue;
               memcpy(next, has, sizeof(has));
               next[to] = has[from];
               next[from] = swap ? has[to] : has[from];
               const unsigned s = state_of(next);
               if (distance[s] != 255)
                  continue;
               distance[s] = (unsigned char)(distance[state] + 1);
               queue[num++] = s;
            }
         }
      }
   }
}

/* Of the states with the right values, whatever the temporary has, the nearest. */
static unsigned
fewest(const unsigned char *distance, unsigned char *wanted)
{
   unsigned least = 255;

   for (unsigned n = 0; n <= NUM; n++) {
      wanted[NUM] = (unsigned char)n;
      const unsigned d = distance[state_of(wanted)];
      least = d < least ? d : least;
   }
   return least;
}

static void
perform(const hd_copy_step *steps, uint32_t num, uint32_t *has, uint32_t temporary)
{
   for (uint32_t n = 0; n < num; n++) {
      const uint32_t to = steps[n].to == HD_COPY_TEMPORARY ? temporary : steps[n].to;
      const uint32_t from = steps[n].from == HD_COPY_TEMPORARY ? temporary : steps[n].from;
      const uint32_t old = has[to];
      has[to] = has[from];
      if (steps[n].swap)
         has[from] = old;
   }
}

/* Each place is written by none, or from one of all: 625 ways. */
static void
test_all(void **unused)
{
   static unsigned char distance[NUM_STATES];
   struct fixture f;

   (void)unused;
   begin(&f, NUM);
   for (unsigned swaps = 0; swaps < 2; swaps++) {
      search(swaps, distance);
      for (unsigned way = 0; way < NUM_STATES / (NUM + 1); way++) {
         hd_copy copies[NUM];
         hd_copy_step steps[2 * NUM];
         unsigned char from[NUM + 1], wanted[NUM + 1];
         uint32_t num = 0, has[NUM + 1];

         places_of(way, from);
         for (unsigned n = 0; n < NUM; n++) {
            has[n] = n;
            wanted[n] = from[n] < NUM ? from[n] : (unsigned char)n;
            if (from[n] < NUM)
               copies[num++] = (hd_copy){ n, from[n] };
         }
         has[NUM] = NUM;
         const uint32_t done = hd_copy_sequence(&f.copier, copies, num, swaps, steps);
         perform(steps, done, has, NUM);
         for (unsigned n = 0; n < NUM; n++)
            assert_int_equal(has[n], wanted[n]);
         assert_int_equal(done, fewest(distance, wanted));
      }
   }
   end(&f);
}

/* Random copies between many places, several times with one copier. */
static void
test_large(void **unused)
{
   enum { PLACES = 3000 };
   struct fixture f;
   hd_copy *copies = malloc(PLACES * sizeof(*copies));
   hd_copy_step *steps = malloc(2 * PLACES * sizeof(*steps));
   uint32_t *has = malloc((PLACES + 1) * sizeof(*has)), *wanted = malloc(PLACES * sizeof(*wanted));
   uint64_t random = 1;

   (void)unused;
   begin(&f, PLACES);
   for (unsigned round = 0; round < 40; round++) {
      uint32_t num = 0;
      for (uint32_t n = 0; n < PLACES; n++) {
         random = random * UINT64_C(6364136223846793005) + 1442695040888963407u;
         has[n] = wanted[n] = n;
         if (random >> 60 < 12 && round % 4 < 3)
            wanted[n] = (uint32_t)(random >> 33) % (round % 2 ? PLACES : PLACES / 50);
         else if (round % 4 == 3)
            wanted[n] = (n + 1 + round) % PLACES;
         if (wanted[n] != n || round % 3 == 0)
            copies[num++] = (hd_copy){ n, wanted[n] };
      }
      has[PLACES] = UINT32_MAX;
      const bool swaps = round / 4 % 2;
      const uint32_t done = hd_copy_sequence(&f.copier, copies, num, swaps, steps);
      perform(steps, done, has, PLACES);
      assert_memory_equal(has, wanted, PLACES * sizeof(*has));
      assert_true(done <= 2 * num);
   }
   end(&f);
   free(copies);
   free(steps);
   free(has);
   free(wanted);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_all),
      cmocka_unit_test(test_large),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
