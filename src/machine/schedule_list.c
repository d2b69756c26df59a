/* SPDX-License-Identifier: MIT */
/* schedule_list.c - list scheduling: which ready instruction is next.
 *
 *    1. of those that need not wait for data, the one with the longest chain of dependent loads;
 *       if none leads to a load, the first in the old order; what only takes a register more counts
 *       as its first reader, and not at all where another one waits
 *    2. if that would exceed the register budget: of all ready ones, waiting or not, the one that
 *       lowers register pressure most
 *    3. if all have to wait: the one that waits least
 *
 * So loads are issued together and as soon as their addresses are known, until registers run
 * short; then their users.
 */
#include <assert.h>
#include <string.h>

#include "machine/schedule.h"

/* A heap of nodes, the least key first. */
struct entry {
   uint64_t key;
   uint32_t node;
   int32_t delta; /* of the node when it was put in */
};

struct heap {
   struct entry *entries;
   uint32_t num, capacity;
};

struct chooser {
   hd_mach_region *r;
   uint32_t now;
   int32_t live[HD_MACH_MAX_FILES];
   struct heap available;                   /* data is there: by height, then by the old order */
   struct heap pending;                     /* all before it is issued: by when data is there */
   bool short_of[HD_MACH_MAX_FILES];        /* registers, once: `by_delta` is kept from then on */
   struct heap by_delta[HD_MACH_MAX_FILES]; /* of both; entries with an old delta are void */
};

static void
heap_push(hd_mach_program *p, struct heap *heap, struct entry entry)
{
   if (heap->num == heap->capacity) {
      const uint32_t capacity = heap->capacity ? heap->capacity * 2 : 16;
      struct entry *entries = hd_stack_alloc(p->stack, capacity * sizeof(*entries));
      if (heap->num)
         memcpy(entries, heap->entries, heap->num * sizeof(*entries));
      heap->entries = entries;
      heap->capacity = capacity;
   }
   uint32_t n = heap->num++;
   while (n && heap->entries[(n - 1) / 2].key > entry.key) {
      heap->entries[n] = heap->entries[(n - 1) / 2];
      n = (n - 1) / 2;
   }
   heap->entries[n] = entry;
}

static void
heap_pop(struct heap *heap)
{
   const struct entry entry = heap->entries[--heap->num];
   uint32_t n = 0;

   for (;;) {
      uint32_t child = 2 * n + 1;
      if (child >= heap->num)
         break;
      if (child + 1 < heap->num && heap->entries[child + 1].key < heap->entries[child].key)
         child++;
      if (heap->entries[child].key >= entry.key)
         break;
      heap->entries[n] = heap->entries[child];
      n = child;
   }
   heap->entries[n] = entry;
}

static void
push_delta(struct chooser *c, unsigned file, uint32_t node)
{
   const int32_t delta = c->r->nodes[node].delta[file];
   const uint64_t key = (uint64_t)((int64_t)delta + INT32_MAX) << 32 | node;

   if (c->short_of[file])
      heap_push(c->r->p, &c->by_delta[file], (struct entry){ key, node, delta });
}

static void
make_available(struct chooser *c, uint32_t node)
{
   const hd_mach_node *what = &c->r->nodes[node];
   const uint64_t key = (uint64_t)(UINT32_MAX - what->height) << 32 | what->order;

   heap_push(c->r->p, &c->available, (struct entry){ .key = key, .node = node });
}

/* All that must stand before it is issued. */
static void
make_ready(struct chooser *c, uint32_t number)
{
   const hd_mach_node *node = &c->r->nodes[number];

   for (unsigned f = 0; f < HD_MACH_MAX_FILES; f++)
      push_delta(c, (unsigned)f, number);
   if (node->ready <= c->now) {
      make_available(c, number);
      return;
   }
   const uint64_t key = (uint64_t)node->ready << 32 | number;
   heap_push(c->r->p, &c->pending, (struct entry){ .key = key, .node = number });
}

static void
drop_issued(const hd_mach_region *r, struct heap *heap)
{
   while (heap->num && r->nodes[heap->entries[0].node].issued)
      heap_pop(heap);
}

/* The node that is best for a file's registers. There is one: something is ready. */
static uint32_t
least_delta(struct chooser *c, unsigned file)
{
   struct heap *heap = &c->by_delta[file];

   if (!c->short_of[file]) {
      c->short_of[file] = true;
      for (uint32_t n = 0; n < c->r->num_nodes; n++) {
         if (!c->r->nodes[n].preds_left && !c->r->nodes[n].issued)
            push_delta(c, file, n);
      }
   }
   for (;;) {
      assert(heap->num && heap->entries);
      const struct entry *entry = &heap->entries[0];
      const hd_mach_node *node = &c->r->nodes[entry->node];
      if (!node->issued && node->delta[file] == entry->delta)
         return entry->node;
      heap_pop(heap);
   }
}

static uint32_t
choose(struct chooser *c)
{
   const hd_mach_region *r = c->r;
   uint32_t chosen;

   drop_issued(r, &c->pending);
   while (c->pending.num && r->nodes[c->pending.entries[0].node].ready <= c->now) {
      make_available(c, c->pending.entries[0].node);
      heap_pop(&c->pending);
      drop_issued(r, &c->pending);
   }
   drop_issued(r, &c->available);
   const struct heap *first = c->available.num ? &c->available : &c->pending;
   assert(first->num && first->entries); /* the graph has no cycle: something is ready */
   chosen = first->entries[0].node;
   if (first == &c->available && c->pending.num && hd_mach_node_is_idle(r, &r->nodes[chosen]))
      chosen = c->pending.entries[0].node;
   for (unsigned f = HD_MACH_MAX_FILES; f--;) {
      const int32_t delta = r->nodes[chosen].delta[f];
      if (delta > 0 && c->live[f] + delta > r->limit[f]) {
         const uint32_t other = least_delta(c, (unsigned)f);
         return r->nodes[other].delta[f] < delta ? other : chosen;
      }
   }
   return chosen;
}

/* A value has one reader less; where one is left that frees its registers, that counts for it. */
static void
read_temp(struct chooser *c, uint32_t temp, uint32_t by)
{
   hd_mach_region_temp *t = &c->r->temps[temp];
   const hd_mach_temp *info = &c->r->p->temps[temp];

   t->users_left--;
   t->users ^= by;
   if (t->users_left != 1 || !t->dies)
      return;
   hd_mach_node *last = &c->r->nodes[t->users];
   last->delta[info->file] -= info->size;
   if (!last->preds_left)
      push_delta(c, (unsigned)info->file, t->users);
}

static void
issue(struct chooser *c, uint32_t number)
{
   hd_mach_region *r = c->r;
   hd_mach_node *node = &r->nodes[number];

   node->issued = true;
   if (node->ready > c->now)
      c->now = node->ready;
   c->now += node->cycles;
   for (unsigned f = 0; f < HD_MACH_MAX_FILES; f++) {
      c->live[f] += node->delta[f];
      r->peak[f] = c->live[f] > r->peak[f] ? c->live[f] : r->peak[f];
   }
   for (uint32_t t = 0; t < node->num_temps; t++)
      read_temp(c, r->reads[node->first_temp + t], number);
   for (uint32_t e = 0; e < node->num_edges; e++) {
      const hd_mach_edge *edge = &r->edges[node->first_edge + e];
      hd_mach_node *to = &r->nodes[edge->to];
      if (c->now + edge->cycles > to->ready)
         to->ready = c->now + edge->cycles;
      if (--to->preds_left == 0)
         make_ready(c, edge->to);
   }
}

uint32_t *
hd_mach_region_order(hd_mach_region *r)
{
   uint32_t *order = hd_stack_alloc(r->p->stack, r->num_nodes * sizeof(*order));
   struct chooser c = { .r = r };

   memcpy(c.live, r->live, sizeof(c.live));
   memcpy(r->peak, r->live, sizeof(c.live));
   for (uint32_t n = 0; n < r->num_nodes; n++) {
      if (!r->nodes[n].preds_left)
         make_ready(&c, n);
   }
   for (uint32_t n = 0; n < r->num_nodes; n++) {
      order[n] = choose(&c);
      issue(&c, order[n]);
   }
   r->cycles = c.now;
   return order;
}
