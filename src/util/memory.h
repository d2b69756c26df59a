/* SPDX-License-Identifier: MIT */
/* memory.h - the allocator of the library: budgets, unwinding, pools, stacks.
 *
 *    hd_heap     the host's allocator, the budget, and the unwinding point
 *      hd_pool   objects of one shader: bump allocation, free lists by size, freed all at once
 *      hd_stack  scratch of one pass: bump allocation, mark and release
 *
 * A failure (no memory, budget spent) unwinds to the innermost HD_TRY of the heap if there is one:
 * code inside needs no checks. Where there is none, the call returns NULL and the heap's status
 * keeps the reason.
 */
#ifndef HEDDLE_UTIL_MEMORY_H
#define HEDDLE_UTIL_MEMORY_H

#include <setjmp.h>

#include "heddle/base.h"

typedef struct hd_unwind {
   jmp_buf env;
   struct hd_unwind *outer;
   hd_result result;
} hd_unwind;

typedef struct hd_heap {
   hd_config config;
   size_t reserved; /* bytes held from the allocator */
   size_t peak;
   uint64_t steps_left; /* UINT64_MAX when there is no limit */
   hd_result status;    /* the first failure that was not unwound */
   hd_unwind *unwind;
   bool inside; /* of a public call, while failures return: its budget is not filled again */
} hd_heap;

/* `config` may be NULL. */
void hd_heap_init(hd_heap *heap, const hd_config *config);
/* Straight from the allocator, counted. */
void *hd_heap_alloc(hd_heap *heap, size_t size);
void hd_heap_free(hd_heap *heap, void *ptr, size_t size);
/* Grow an array, keeping `old_size` bytes. On failure the old array is untouched. */
void *hd_heap_grow(hd_heap *heap, void *ptr, size_t old_size, size_t new_size);
/* Fail: unwinds, or sets the status and returns. */
void hd_heap_fail(hd_heap *heap, hd_result result);

/* Count work against the budget. False (or unwound) when it is spent. */
static inline bool
hd_heap_step(hd_heap *heap, uint64_t steps)
{
   if (heap->steps_left >= steps) {
      heap->steps_left -= steps != 0 && heap->steps_left != UINT64_MAX ? steps : 0;
      return true;
   }
   heap->steps_left = 0;
   hd_heap_fail(heap, HD_BUDGET_EXCEEDED);
   return false;
}

/* Begin a public call: the step budget is full again. */
void hd_heap_refill(hd_heap *heap);

/* A heap for one call on what others may read at the same time, and `of` with it: allocator and
 * budget are those of `of`, what that holds is counted, all else is its own. Inside of a call that
 * unwinds, when no other caller reads them, the steps are those that are left of that call's;
 * hd_heap_settle takes them from it.
 */
void hd_heap_init_beside(hd_heap *heap, const hd_heap *of);
void hd_heap_settle(const hd_heap *heap, hd_heap *of);

/* The unwinding point of a public entry:
 *
 *    hd_unwind u;
 *    if (HD_TRY(heap, &u)) {
 *       ... anything that allocates ...
 *    }
 *    hd_result result = hd_heap_leave(heap, &u);   (HD_OK, or why it was unwound)
 *
 * Locals that are written inside and read after must be volatile or live in a struct.
 */
#define HD_TRY(heap, u) (hd_heap_enter((heap), (u)), setjmp((u)->env) == 0)
void hd_heap_enter(hd_heap *heap, hd_unwind *u);
hd_result hd_heap_leave(hd_heap *heap, hd_unwind *u);

/* A pool: objects of any size, 8-byte aligned, zeroed. Freed objects are reused by size; large ones
 * go back to the allocator at once.
 */
typedef struct hd_pool {
   hd_heap *heap;
   struct hd_chunk *chunks;
   struct hd_large *large;
   char *next, *end; /* the free part of the newest chunk */
   size_t live;      /* bytes in objects */
   size_t chunk_size;
   struct hd_free *free_list[65]; /* by size in 8-byte units */
} hd_pool;

void hd_pool_init(hd_pool *pool, hd_heap *heap);
void hd_pool_finish(hd_pool *pool);
void *hd_pool_alloc(hd_pool *pool, size_t size);
void hd_pool_free(hd_pool *pool, void *ptr, size_t size);
/* After this, allocations of up to HD_POOL_LARGE bytes each and `size` bytes together (each rounded
 * up to 8) cannot fail. False (or unwound) when memory runs out. A later reservation replaces this
 * one.
 */
bool hd_pool_reserve(hd_pool *pool, size_t size);
/* The size from which objects are allocated apart. */
#define HD_POOL_LARGE 4096u

/* A stack: scratch memory that is given back all at once to a mark. Not zeroed. */
typedef struct hd_stack {
   hd_heap *heap;
   struct hd_chunk *chunks;
   char *next, *end;
   struct hd_chunk *spare; /* released ones that wait to be used again, see hd_stack_keep */
   uint32_t keeps;
} hd_stack;

typedef struct hd_stack_mark {
   struct hd_chunk *chunk;
   char *next;
} hd_stack_mark;

void hd_stack_init(hd_stack *stack, hd_heap *heap);
void hd_stack_finish(hd_stack *stack);
void *hd_stack_alloc(hd_stack *stack, size_t size);
void *hd_stack_alloc_zero(hd_stack *stack, size_t size);
/* Room for one more than the `num` items of `size` bytes that an array has: it, or a copy of at least twice
 * its *capacity, which may be 0.
 */
void *hd_stack_grow(hd_stack *stack, void *items, uint32_t num, uint32_t *capacity, size_t size);
hd_stack_mark hd_stack_get_mark(const hd_stack *stack);
void hd_stack_release(hd_stack *stack, hd_stack_mark mark);
/* From hd_stack_keep to hd_stack_let_go what is released waits for callers that need it next:
 * passes that run one after the other need not ask the system for the same memory again. These
 * calls nest.
 */
void hd_stack_keep(hd_stack *stack);
void hd_stack_let_go(hd_stack *stack);

#endif
