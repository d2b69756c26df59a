/* SPDX-License-Identifier: MIT */
/* memory.c - allocator with a budget and an unwinding point; pools and stacks. */
#include "util/memory.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

static void *
libc_alloc(void *user, size_t size)
{
   (void)user;
   return malloc(size);
}

static void
libc_free(void *user, void *ptr, size_t size)
{
   (void)user;
   (void)size;
   free(ptr);
}

void
hd_heap_init(hd_heap *heap, const hd_config *config)
{
   memset(heap, 0, sizeof(*heap));
   if (config)
      heap->config = *config;
   if (!heap->config.allocator.alloc) {
      heap->config.allocator.alloc = libc_alloc;
      heap->config.allocator.free = libc_free;
   }
   hd_heap_refill(heap);
}

void
hd_heap_refill(hd_heap *heap)
{
   uint64_t steps = heap->config.budget.steps;

   /* A call inside another one spends from the outer one's budget. */
   if (!heap->unwind && !heap->inside)
      heap->steps_left = steps ? steps : UINT64_MAX;
}

void
hd_heap_init_beside(hd_heap *heap, const hd_heap *of)
{
   hd_heap_init(heap, &of->config);
   heap->reserved = of->reserved;
   if (of->unwind || of->inside)
      heap->steps_left = of->steps_left;
}

void
hd_heap_settle(const hd_heap *heap, hd_heap *of)
{
   if (of->unwind || of->inside)
      of->steps_left = heap->steps_left;
}

void
hd_heap_fail(hd_heap *heap, hd_result result)
{
   hd_unwind *u = heap->unwind;

   if (u) {
      u->result = result;
      longjmp(u->env, 1);
   }
   if (heap->status == HD_OK)
      heap->status = result;
}

void
hd_heap_enter(hd_heap *heap, hd_unwind *u)
{
   u->outer = heap->unwind;
   u->result = HD_OK;
   heap->unwind = u;
}

hd_result
hd_heap_leave(hd_heap *heap, hd_unwind *u)
{
   assert(heap->unwind == u);
   heap->unwind = u->outer;
   /* Whoever checks by the status hears of it. */
   if (heap->inside && !heap->unwind && heap->status == HD_OK)
      heap->status = u->result;
   return u->result;
}

/* The size of an array with an item for each object of a heap is not checked for overflow. That holds
 * on hosts of 32 bits, too: of 2^30 bytes an edge takes 16, a value 32, a block 96, so that there may
 * be 64, 128, 384 bytes for each.
 */
#define MAX_HEAP (SIZE_MAX / 4)

void *
hd_heap_alloc(hd_heap *heap, size_t size)
{
   size_t limit = heap->config.budget.memory;

   if (size > MAX_HEAP || heap->reserved > MAX_HEAP - size) {
      hd_heap_fail(heap, HD_OUT_OF_MEMORY);
      return NULL;
   }
   if (limit && (size > limit || heap->reserved > limit - size)) {
      hd_heap_fail(heap, HD_BUDGET_EXCEEDED);
      return NULL;
   }
   void *ptr = heap->config.allocator.alloc(heap->config.allocator.user, size);
   if (!ptr) {
      hd_heap_fail(heap, HD_OUT_OF_MEMORY);
      return NULL;
   }
   heap->reserved += size;
   if (heap->reserved > heap->peak)
      heap->peak = heap->reserved;
   return ptr;
}

void
hd_heap_free(hd_heap *heap, void *ptr, size_t size)
{
   if (!ptr)
      return;
   assert(heap->reserved >= size);
   heap->reserved -= size;
   heap->config.allocator.free(heap->config.allocator.user, ptr, size);
}

void *
hd_heap_grow(hd_heap *heap, void *ptr, size_t old_size, size_t new_size)
{
   void *grown = hd_heap_alloc(heap, new_size);

   if (!grown)
      return NULL;
   if (old_size)
      memcpy(grown, ptr, old_size);
   hd_heap_free(heap, ptr, old_size);
   return grown;
}

/* With the address sanitizer, what waits in a free list must not be touched. */
#if defined(__SANITIZE_ADDRESS__)
#define HAVE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAVE_ASAN 1
#endif
#endif
#ifdef HAVE_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(ptr, size)   __asan_poison_memory_region((ptr), (size))
#define UNPOISON(ptr, size) __asan_unpoison_memory_region((ptr), (size))
#define RED_ZONE            16u /* after each piece of a stack */
#else
#define POISON(ptr, size)   ((void)0)
#define UNPOISON(ptr, size) ((void)0)
#define RED_ZONE            0u
#endif

/* Chunks, for pools and stacks alike: a header, then `size` bytes. */
struct hd_chunk {
   struct hd_chunk *older;
   size_t size;
};

struct hd_free {
   struct hd_free *next;
};

struct hd_large {
   struct hd_large *prev, *next;
   size_t size;
   size_t unused; /* keeps what follows aligned to 16 */
};

/* What is in them begins after the head. */
_Static_assert(sizeof(struct hd_chunk) % 8 == 0 && sizeof(struct hd_large) % 8 == 0,
               "objects are at multiples of 8");

#define MIN_CHUNK 4096u
#define MAX_CHUNK (1u << 20)
#define ROUND8(x) (((x) + 7) & ~(size_t)7)

static struct hd_chunk *
chunk_create(hd_heap *heap, size_t size, struct hd_chunk *older)
{
   struct hd_chunk *c = hd_heap_alloc(heap, sizeof(*c) + size);

   if (!c)
      return NULL;
   c->older = older;
   c->size = size;
   return c;
}

static void
chunks_free(hd_heap *heap, struct hd_chunk *c, const struct hd_chunk *until)
{
   while (c != until) {
      struct hd_chunk *older = c->older;
      UNPOISON(c + 1, c->size);
      hd_heap_free(heap, c, sizeof(*c) + c->size);
      c = older;
   }
}

void
hd_pool_init(hd_pool *pool, hd_heap *heap)
{
   memset(pool, 0, sizeof(*pool));
   pool->heap = heap;
   pool->chunk_size = MIN_CHUNK - sizeof(struct hd_chunk);
}

void
hd_pool_finish(hd_pool *pool)
{
   while (pool->large) {
      struct hd_large *l = pool->large;
      pool->large = l->next;
      hd_heap_free(pool->heap, l, sizeof(*l) + l->size);
   }
   chunks_free(pool->heap, pool->chunks, NULL);
   hd_pool_init(pool, pool->heap);
}

#define MAX_LISTED 512u

/* Free memory waits in lists by exact size; what is larger than they know is cut up. */
static void
put_free(hd_pool *pool, void *ptr, size_t size)
{
   for (char *p = ptr; size;) {
      size_t piece = size > MAX_LISTED ? MAX_LISTED : size;
      struct hd_free *f = (struct hd_free *)p;

      f->next = pool->free_list[piece / 8];
      pool->free_list[piece / 8] = f;
      POISON(f, piece);
      p += piece;
      size -= piece;
   }
}

static void *
take_free(hd_pool *pool, size_t size)
{
   struct hd_free *f = size <= MAX_LISTED ? pool->free_list[size / 8] : NULL;

   if (f) {
      UNPOISON(f, size);
      pool->free_list[size / 8] = f->next;
   }
   return f;
}

static bool
new_chunk(hd_pool *pool, size_t size)
{
   size_t chunk_size = pool->chunk_size > size ? pool->chunk_size : size;
   struct hd_chunk *c = chunk_create(pool->heap, chunk_size, pool->chunks);

   if (!c)
      return false;
   if (pool->next != pool->end)
      put_free(pool, pool->next, (size_t)(pool->end - pool->next));
   pool->chunks = c;
   pool->next = (char *)(c + 1);
   pool->end = pool->next + chunk_size;
   /* A quarter more each time: few chunks in large shaders, little slack in small ones. */
   if (pool->chunk_size < MAX_CHUNK)
      pool->chunk_size = ROUND8(pool->chunk_size + pool->chunk_size / 4);
   return true;
}

bool
hd_pool_reserve(hd_pool *pool, size_t size)
{
   return size <= (size_t)(pool->end - pool->next) || new_chunk(pool, ROUND8(size));
}

static void *
alloc_large(hd_pool *pool, size_t size)
{
   struct hd_large *l = hd_heap_alloc(pool->heap, sizeof(*l) + size);

   if (!l)
      return NULL;
   l->prev = NULL;
   l->next = pool->large;
   l->size = size;
   if (l->next)
      l->next->prev = l;
   pool->large = l;
   return l + 1;
}

void *
hd_pool_alloc(hd_pool *pool, size_t size)
{
   void *ptr;

   if (size > SIZE_MAX / 2) {
      hd_heap_fail(pool->heap, HD_OUT_OF_MEMORY);
      return NULL;
   }
   size = size ? ROUND8(size) : 8;
   if (size > HD_POOL_LARGE) {
      ptr = alloc_large(pool, size);
      if (!ptr)
         return NULL;
   } else {
      ptr = take_free(pool, size);
      if (!ptr) {
         if (size > (size_t)(pool->end - pool->next) && !new_chunk(pool, size))
            return NULL;
         ptr = pool->next;
         pool->next += size;
      }
   }
   pool->live += size;
   return memset(ptr, 0, size);
}

void
hd_pool_free(hd_pool *pool, void *ptr, size_t size)
{
   if (!ptr)
      return;
   size = size ? ROUND8(size) : 8;
   pool->live -= size;
   if (size > HD_POOL_LARGE) {
      struct hd_large *l = (struct hd_large *)ptr - 1;
      if (l->next)
         l->next->prev = l->prev;
      if (l->prev)
         l->prev->next = l->next;
      else
         pool->large = l->next;
      hd_heap_free(pool->heap, l, sizeof(*l) + l->size);
      return;
   }
   put_free(pool, ptr, size);
}

void
hd_stack_init(hd_stack *stack, hd_heap *heap)
{
   memset(stack, 0, sizeof(*stack));
   stack->heap = heap;
}

void
hd_stack_finish(hd_stack *stack)
{
   chunks_free(stack->heap, stack->chunks, NULL);
   chunks_free(stack->heap, stack->spare, NULL);
   hd_stack_init(stack, stack->heap);
}

/* One that `size` bytes fit in. Spare ones come largest first, as they grew; where the first is too
 * small all go, so that no more is held than without them.
 */
static struct hd_chunk *
stack_chunk(hd_stack *stack, size_t size)
{
   struct hd_chunk *c = stack->spare;
   size_t chunk_size = MIN_CHUNK - sizeof(*c);

   if (c && c->size >= size) {
      stack->spare = c->older;
      c->older = stack->chunks;
      return c;
   }
   chunks_free(stack->heap, stack->spare, NULL);
   stack->spare = NULL;
   if (stack->chunks)
      chunk_size = stack->chunks->size < MAX_CHUNK ? stack->chunks->size * 2 : MAX_CHUNK;
   return chunk_create(stack->heap, chunk_size > size ? chunk_size : size, stack->chunks);
}

void *
hd_stack_alloc(hd_stack *stack, size_t size)
{
   const size_t wanted = size ? size : 1; /* never NULL for nothing */

   if (size > SIZE_MAX / 2) {
      hd_heap_fail(stack->heap, HD_OUT_OF_MEMORY);
      return NULL;
   }
   size = ROUND8(wanted) + RED_ZONE;
   if (size > (size_t)(stack->end - stack->next)) {
      struct hd_chunk *c = stack_chunk(stack, size);
      if (!c)
         return NULL;
      POISON(c + 1, c->size);
      stack->chunks = c;
      stack->next = (char *)(c + 1);
      stack->end = stack->next + c->size;
   }
   void *ptr = stack->next;
   stack->next += size;
   UNPOISON(ptr, wanted);
   return ptr;
}

void *
hd_stack_alloc_zero(hd_stack *stack, size_t size)
{
   void *ptr = hd_stack_alloc(stack, size);

   return ptr ? memset(ptr, 0, size) : NULL;
}

void *
hd_stack_grow(hd_stack *stack, void *items, uint32_t num, uint32_t *capacity, size_t size)
{
   if (num < *capacity)
      return items;
   const uint32_t more = *capacity ? 2 * *capacity : 64;
   void *grown = hd_stack_alloc(stack, more * size);
   if (!grown)
      return NULL;
   *capacity = more;
   return num ? memcpy(grown, items, num * size) : grown;
}

hd_stack_mark
hd_stack_get_mark(const hd_stack *stack)
{
   return (hd_stack_mark){ stack->chunks, stack->next };
}

/* What is newer than `until` becomes spare. */
static void
set_aside(hd_stack *stack, const struct hd_chunk *until)
{
   struct hd_chunk **end = &stack->chunks;

   while (*end != until) {
      POISON(*end + 1, (*end)->size);
      end = &(*end)->older;
   }
   *end = stack->spare;
   stack->spare = stack->chunks;
}

void
hd_stack_release(hd_stack *stack, hd_stack_mark mark)
{
   if (stack->keeps)
      set_aside(stack, mark.chunk);
   else
      chunks_free(stack->heap, stack->chunks, mark.chunk);
   stack->chunks = mark.chunk;
   stack->next = mark.next;
   stack->end = mark.chunk ? (char *)(mark.chunk + 1) + mark.chunk->size : NULL;
   if (mark.chunk)
      POISON(stack->next, (size_t)(stack->end - stack->next));
}

void
hd_stack_keep(hd_stack *stack)
{
   stack->keeps++;
}

void
hd_stack_let_go(hd_stack *stack)
{
   if (--stack->keeps)
      return;
   chunks_free(stack->heap, stack->spare, NULL);
   stack->spare = NULL;
}
