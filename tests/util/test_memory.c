/* SPDX-License-Identifier: MIT */
/* Heap, pool and stack against a naive judge: what is handed out is zeroed, aligned, apart from all
 * else, and every byte that the allocator gave comes back with the size that was asked for.
 */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/memory.h"

/* An allocator that checks the sizes it gets back. */
typedef struct judge {
   size_t held;
   long left; /* allocations until one fails; below 0: none does */
   unsigned allocs;
} judge;

static void *
judge_alloc(void *user, size_t size)
{
   judge *j = user;

   assert_int_not_equal(size, 0);
   if (!j->left)
      return NULL;
   j->left--;
   j->allocs++;
   size_t *p = malloc(sizeof(max_align_t) + size);
   assert_non_null(p);
   *p = size;
   j->held += size;
   return (char *)p + sizeof(max_align_t);
}

static void
judge_free(void *user, void *ptr, size_t size)
{
   judge *j = user;
   size_t *p = (size_t *)(void *)((char *)ptr - sizeof(max_align_t));

   assert_int_equal(*p, size);
   j->held -= size;
   free(p);
}

static hd_heap
heap_with(judge *j, size_t memory, uint64_t steps)
{
   hd_config config = { .allocator = { j, judge_alloc, judge_free }, .budget = { memory, steps } };
   hd_heap heap;

   *j = (judge){ .left = -1 };
   hd_heap_init(&heap, &config);
   return heap;
}

static uint64_t
random_next(uint64_t *state)
{
   *state = *state * 6364136223846793005u + 1442695040888963407u;
   return *state >> 33;
}

#define NUM_OBJECTS 400

static void
pool_objects_are_apart(void **state)
{
   struct {
      unsigned char *p;
      size_t size;
   } objects[NUM_OBJECTS] = { { NULL, 0 } };
   judge j;
   hd_heap heap = heap_with(&j, 0, 0);
   hd_pool pool;
   uint64_t seed = 17;
   size_t live = 0;

   (void)state;
   hd_pool_init(&pool, &heap);
   for (unsigned step = 0; step < 40000; step++) {
      unsigned n = (unsigned)(random_next(&seed) % NUM_OBJECTS);
      if (objects[n].p) {
         for (size_t i = 0; i < objects[n].size; i++)
            assert_int_equal(objects[n].p[i], (unsigned char)n);
         hd_pool_free(&pool, objects[n].p, objects[n].size);
         live -= objects[n].size ? (objects[n].size + 7) / 8 * 8 : 8;
         objects[n].p = NULL;
      } else {
         size_t most = random_next(&seed) % 50 ? 300 : 3 * HD_POOL_LARGE;
         size_t size = random_next(&seed) % most;
         objects[n].p = hd_pool_alloc(&pool, size);
         objects[n].size = size;
         live += size ? (size + 7) / 8 * 8 : 8;
         assert_int_equal((uintptr_t)objects[n].p % 8, 0);
         for (size_t i = 0; i < size; i++)
            assert_int_equal(objects[n].p[i], 0);
         memset(objects[n].p, (int)n, size);
      }
      assert_int_equal(pool.live, live);
      assert_int_equal(heap.reserved, j.held);
      assert_true(heap.peak >= heap.reserved);
   }
   hd_pool_free(&pool, NULL, 8);
   assert_int_equal(pool.live, live);
   hd_pool_finish(&pool);
   assert_int_equal(j.held, 0);
   assert_int_equal(heap.reserved, 0);
   /* And can be used again. */
   assert_non_null(hd_pool_alloc(&pool, 10));
   hd_pool_finish(&pool);
   assert_int_equal(j.held, 0);
}

/* An object that was freed is taken again for one of its size; large ones go back at once. */
static void
pool_reuses(void **state)
{
   judge j;
   hd_heap heap = heap_with(&j, 0, 0);
   hd_pool pool;

   (void)state;
   hd_pool_init(&pool, &heap);
   void *keep = hd_pool_alloc(&pool, 8);
   for (size_t size = 1; size <= 512; size++) {
      void *p = hd_pool_alloc(&pool, size);
      hd_pool_free(&pool, p, size);
      size_t reserved = heap.reserved;
      for (unsigned n = 0; n < 100; n++) {
         assert_ptr_equal(hd_pool_alloc(&pool, size), p);
         hd_pool_free(&pool, p, size);
      }
      assert_int_equal(heap.reserved, reserved);
   }
   size_t reserved = heap.reserved;
   void *large[3];
   for (unsigned n = 0; n < 3; n++)
      large[n] = hd_pool_alloc(&pool, 100000);
   assert_int_equal(heap.reserved / 1000, (reserved + 300000) / 1000);
   for (unsigned n = 0; n < 3; n++)
      hd_pool_free(&pool, large[(n + 1) % 3], 100000);
   assert_int_equal(heap.reserved, reserved);
   hd_pool_free(&pool, keep, 8);
   assert_int_equal(pool.live, 0);
   hd_pool_finish(&pool);
   assert_int_equal(j.held, 0);
}

static void
what_is_reserved_cannot_fail(void **state)
{
   (void)state;
   for (size_t each = 8; each <= HD_POOL_LARGE; each += 104) {
      judge j;
      hd_heap heap = heap_with(&j, 0, 0);
      hd_pool pool;
      hd_pool_init(&pool, &heap);
      assert_non_null(hd_pool_alloc(&pool, 3000));
      assert_true(hd_pool_reserve(&pool, 20 * each));
      j.left = 0;
      for (unsigned n = 0; n < 20; n++)
         assert_non_null(hd_pool_alloc(&pool, each));
      j.left = -1;
      hd_pool_finish(&pool);
      assert_int_equal(j.held, 0);
   }
}

static void
sizes_beyond_all_memory(void **state)
{
   judge j;
   hd_heap heap = heap_with(&j, 0, 0);
   hd_pool pool;
   hd_stack stack;

   (void)state;
   hd_pool_init(&pool, &heap);
   hd_stack_init(&stack, &heap);
   for (unsigned n = 0; n < 64; n++) {
      heap.status = HD_OK;
      assert_null(hd_pool_alloc(&pool, SIZE_MAX - n));
      assert_int_equal(heap.status, HD_OUT_OF_MEMORY);
      heap.status = HD_OK;
      assert_null(hd_stack_alloc(&stack, SIZE_MAX - n));
      assert_null(hd_stack_alloc_zero(&stack, SIZE_MAX - n));
      assert_int_equal(heap.status, HD_OUT_OF_MEMORY);
   }
   assert_int_equal(j.allocs, 0);
   hd_pool_finish(&pool);
   hd_stack_finish(&stack);
}

/* With `keep` what is released is held on to until it is let go. */
static void
nest_marks(bool keep)
{
   judge j;
   hd_heap heap = heap_with(&j, 0, 0);
   hd_stack stack;
   hd_stack_mark marks[64];
   unsigned char *tops[64];
   size_t reserved[64];
   unsigned depth = 0;
   uint64_t seed = 23;

   hd_stack_init(&stack, &heap);
   if (keep)
      hd_stack_keep(&stack);
   hd_stack_mark bottom = hd_stack_get_mark(&stack);
   hd_stack_release(&stack, bottom); /* nothing at all */
   for (unsigned step = 0; step < 20000; step++) {
      if (depth && (depth == 64 || random_next(&seed) % 2)) {
         depth--;
         /* What lies below the mark is as it was. */
         assert_int_equal(tops[depth][0], depth);
         hd_stack_release(&stack, marks[depth]);
         assert_true(keep || heap.reserved == reserved[depth]);
      } else {
         tops[depth] = hd_stack_alloc(&stack, 1 + random_next(&seed) % 100);
         tops[depth][0] = (unsigned char)depth;
         marks[depth] = hd_stack_get_mark(&stack);
         reserved[depth] = heap.reserved;
         size_t size = random_next(&seed) % (random_next(&seed) % 40 ? 500 : 200000);
         unsigned char *p = hd_stack_alloc_zero(&stack, size);
         assert_int_equal((uintptr_t)p % 8, 0);
         for (size_t i = 0; i < size; i++)
            assert_int_equal(p[i], 0);
         memset(p, 0xee, size);
         depth++;
      }
      assert_int_equal(heap.reserved, j.held);
   }
   if (keep) {
      hd_stack_keep(&stack);
      hd_stack_release(&stack, bottom);
      size_t held = j.held;
      hd_stack_let_go(&stack);
      assert_int_equal(j.held, held);
      hd_stack_let_go(&stack);
      assert_true(j.held < held);
      assert_int_equal(heap.reserved, j.held);
   }
   hd_stack_finish(&stack);
   assert_int_equal(j.held, 0);
}

static void
stack_marks_nest(void **state)
{
   (void)state;
   nest_marks(false);
   nest_marks(true);
}

static void
failures_are_kept(void **state)
{
   judge j;
   hd_heap heap = heap_with(&j, 0, 0);
   hd_pool pool;
   hd_stack stack;

   (void)state;
   hd_pool_init(&pool, &heap);
   hd_stack_init(&stack, &heap);
   j.left = 0;
   assert_null(hd_pool_alloc(&pool, 8));
   assert_null(hd_pool_alloc(&pool, 100000));
   assert_false(hd_pool_reserve(&pool, 8));
   assert_null(hd_stack_alloc(&stack, 8));
   assert_int_equal(heap.status, HD_OUT_OF_MEMORY);
   hd_heap_fail(&heap, HD_BUDGET_EXCEEDED);
   assert_int_equal(heap.status, HD_OUT_OF_MEMORY); /* the first one */
   j.left = -1;
   assert_non_null(hd_pool_alloc(&pool, 8));
   char *array = hd_heap_alloc(&heap, 4);
   memcpy(array, "abc", 4);
   j.left = 0;
   assert_null(hd_heap_grow(&heap, array, 4, 400));
   assert_string_equal(array, "abc");
   j.left = -1;
   array = hd_heap_grow(&heap, array, 4, 400);
   assert_string_equal(array, "abc");
   hd_heap_free(&heap, array, 400);
   hd_heap_free(&heap, NULL, 400);
   hd_pool_finish(&pool);
   hd_stack_finish(&stack);
   assert_int_equal(j.held, 0);
}

static void
budgets(void **state)
{
   judge j;
   hd_heap heap = heap_with(&j, 1000, 10);

   (void)state;
   void *p = hd_heap_alloc(&heap, 1000);
   assert_non_null(p);
   assert_null(hd_heap_alloc(&heap, 1));
   assert_int_equal(heap.status, HD_BUDGET_EXCEEDED);
   hd_heap_free(&heap, p, 1000);
   assert_null(hd_heap_alloc(&heap, 1001));
   assert_int_equal(heap.peak, 1000);
   heap.status = HD_OK;

   assert_true(hd_heap_step(&heap, 4));
   assert_true(hd_heap_step(&heap, 6));
   assert_true(hd_heap_step(&heap, 0));
   assert_false(hd_heap_step(&heap, 1));
   assert_int_equal(heap.status, HD_BUDGET_EXCEEDED);
   hd_heap_refill(&heap);
   assert_true(hd_heap_step(&heap, 10));
   assert_false(hd_heap_step(&heap, UINT64_MAX));

   hd_heap_init(&heap, NULL);
   for (unsigned n = 0; n < 10; n++)
      assert_true(hd_heap_step(&heap, UINT64_MAX / 2)); /* no limit is no number that runs out */
}

/* An inner call unwinds to itself and spends from the outer one's budget. */
static void
unwinding_nests(void **state)
{
   judge j;
   hd_heap heap = heap_with(&j, 0, 10);
   volatile int reached = 0;
   hd_unwind outer, inner;

   (void)state;
   hd_heap_refill(&heap);
   if (HD_TRY(&heap, &outer)) {
      hd_heap_step(&heap, 8);
      hd_heap_refill(&heap);
      if (HD_TRY(&heap, &inner)) {
         hd_heap_step(&heap, 3);
         reached = 1;
      }
      assert_int_equal(hd_heap_leave(&heap, &inner), HD_BUDGET_EXCEEDED);
      assert_int_equal(reached, 0);
      reached = 2;
      j.left = 0;
      hd_heap_alloc(&heap, 8);
      reached = 3;
   }
   assert_int_equal(hd_heap_leave(&heap, &outer), HD_OUT_OF_MEMORY);
   assert_int_equal(reached, 2);
   assert_null(heap.unwind);
   assert_int_equal(heap.status, HD_OK); /* it was told to the caller */
   hd_heap_refill(&heap);
   assert_true(hd_heap_step(&heap, 10));
}

/* Many objects cost few calls of the allocator, and little is held that is not used. */
static void
pools_grow_by_a_quarter(void **state)
{
   judge j;
   hd_heap heap = heap_with(&j, 0, 0);
   hd_pool pool;

   (void)state;
   hd_pool_init(&pool, &heap);
   for (unsigned n = 0; n < 1000000; n++)
      assert_non_null(hd_pool_alloc(&pool, 40));
   assert_in_range(j.allocs, 1, 80);
   assert_in_range(heap.reserved, 40000000, 42000000);
   hd_pool_finish(&pool);
   assert_int_equal(j.held, 0);
}

/* Items keep what they are, and are copied a logarithm of times. */
static void
stack_arrays_grow(void **state)
{
   judge j;
   hd_heap heap = heap_with(&j, 0, 0);
   hd_stack stack;
   uint32_t *items = NULL, *before = NULL, capacity = 0;
   unsigned moves = 0;

   (void)state;
   hd_stack_init(&stack, &heap);
   for (uint32_t n = 0; n < 10000; n++) {
      items = hd_stack_grow(&stack, items, n, &capacity, sizeof(*items));
      moves += items != before;
      before = items;
      assert_true(n < capacity);
      items[n] = n;
   }
   for (uint32_t n = 0; n < 10000; n++)
      assert_int_equal(items[n], n);
   assert_in_range(moves, 1, 14);
   hd_stack_finish(&stack);
   assert_int_equal(j.held, 0);
}

int
main(void)
{
   const struct CMUnitTest tests[] = {
      cmocka_unit_test(pool_objects_are_apart),
      cmocka_unit_test(pool_reuses),
      cmocka_unit_test(what_is_reserved_cannot_fail),
      cmocka_unit_test(sizes_beyond_all_memory),
      cmocka_unit_test(stack_marks_nest),
      cmocka_unit_test(stack_arrays_grow),
      cmocka_unit_test(failures_are_kept),
      cmocka_unit_test(budgets),
      cmocka_unit_test(unwinding_nests),
      cmocka_unit_test(pools_grow_by_a_quarter),
   };

   return cmocka_run_group_tests(tests, NULL, NULL);
}
