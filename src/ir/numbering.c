/* SPDX-License-Identifier: MIT */
/* numbering.c - number values and blocks in text order, in any state of the tree.
 *
 * Nothing about the function is assumed but that its pointers are NULL or point to
 * objects: lists may be cyclic, nodes may be in two lists or in themselves, indices may be
 * wrong. What has a number is not visited again, so every walk ends.
 */
#include "ir/numbering.h"

/* A list on the way: its owner, and what is next in it. */
struct numbering_frame {
   const hd_cf_node *owner; /* NULL for the body of the function */
   const hd_cf_node *next;
   bool second; /* the else-list, the continue list */
};

void
hd_numbering_init(struct hd_numbering *n, hd_heap *heap)
{
   memset(n, 0, sizeof(*n));
   n->heap = heap;
}

void
hd_numbering_finish(struct hd_numbering *n)
{
   hd_heap_free(n->heap, n->defs.slots, n->defs.num_slots * sizeof(struct numbered));
   hd_heap_free(n->heap, n->blocks.slots, n->blocks.num_slots * sizeof(struct numbered));
   hd_heap_free(n->heap, n->misfits, n->misfits_capacity * sizeof(struct numbered));
   hd_heap_free(n->heap, n->events, n->events_capacity * sizeof(*n->events));
   hd_heap_free(n->heap, n->frames, n->frames_capacity * sizeof(*n->frames));
   hd_numbering_init(n, n->heap);
}

static uint32_t
hash_pointer(const void *p)
{
   return (uint32_t)((uintptr_t)p * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

static struct numbered *
find_misfit(const struct hd_numbering *n, const void *object)
{
   uint32_t mask = n->misfits_capacity - 1, h = hash_pointer(object);

   if (!n->misfits_capacity)
      return NULL;
   while (n->misfits[h & mask].object && n->misfits[h & mask].object != object)
      h++;
   return &n->misfits[h & mask];
}

static void
grow_misfits(struct hd_numbering *n)
{
   uint32_t old_capacity = n->misfits_capacity;
   uint32_t capacity = old_capacity ? old_capacity * 2 : 16;
   struct numbered *old = n->misfits;

   n->misfits = hd_heap_alloc(n->heap, capacity * sizeof(*old));
   n->misfits_capacity = capacity;
   memset(n->misfits, 0, capacity * sizeof(*old));
   for (uint32_t i = 0; i < old_capacity; i++) {
      if (old[i].object)
         *find_misfit(n, old[i].object) = old[i];
   }
   hd_heap_free(n->heap, old, old_capacity * sizeof(*old));
}

/* False when the object is there already. */
static bool
add_misfit(struct hd_numbering *n, const void *object, uint32_t number)
{
   if (n->num_misfits >= n->misfits_capacity / 2)
      grow_misfits(n);
   struct numbered *slot = find_misfit(n, object);
   if (slot->object)
      return false;
   *slot = (struct numbered){ object, number };
   n->num_misfits++;
   return true;
}

static uint32_t
lookup(const struct hd_numbering *n, const struct number_table *t, const void *object,
       uint32_t index)
{
   if (index < t->num_slots && t->slots[index].object == object)
      return t->slots[index].number;
   if (!t->misfits)
      return HD_NO_NUMBER;
   const struct numbered *misfit = find_misfit(n, object);
   return misfit->object ? misfit->number : HD_NO_NUMBER;
}

static void
grow_slots(struct hd_numbering *n, struct number_table *t, uint32_t need)
{
   uint32_t num = t->num_slots * 2 > need ? t->num_slots * 2 : need;
   size_t old_size = t->num_slots * sizeof(*t->slots);
   size_t size = num * sizeof(*t->slots);

   t->slots = hd_heap_grow(n->heap, t->slots, old_size, size);
   t->num_slots = num;
   memset((char *)t->slots + old_size, 0, size - old_size);
}

/* Give an object the next number. False when it has one. Indices far past the count of objects go
 * to the misfits, so that the slots are never more than a few for each object.
 */
static bool
add(struct hd_numbering *n, struct number_table *t, const void *object, uint32_t index)
{
   if (index >= t->num_slots && index < t->count * 2 + 64)
      grow_slots(n, t, index + 64);
   if (lookup(n, t, object, index) != HD_NO_NUMBER)
      return false;
   if (index < t->num_slots && !t->slots[index].object) {
      t->slots[index] = (struct numbered){ object, t->count++ };
   } else {
      add_misfit(n, object, t->count++);
      t->misfits++;
   }
   return true;
}

static void
add_event(struct hd_numbering *n, const hd_cf_node *node, enum event_kind kind)
{
   if (n->num_events == n->events_capacity) {
      size_t capacity = n->events_capacity ? n->events_capacity * 2 : 32;
      n->events = hd_heap_grow(n->heap, n->events, n->events_capacity * sizeof(*n->events),
                               capacity * sizeof(*n->events));
      n->events_capacity = capacity;
   }
   n->events[n->num_events++] = (uintptr_t)node | (uintptr_t)kind;
}

static void
push(struct hd_numbering *n, const hd_cf_node *owner, const hd_cf_node *first)
{
   if (n->num_frames == n->frames_capacity) {
      uint32_t capacity = n->frames_capacity ? n->frames_capacity * 2 : 16;
      n->frames = hd_heap_grow(n->heap, n->frames, n->frames_capacity * sizeof(*n->frames),
                               capacity * sizeof(*n->frames));
      n->frames_capacity = capacity;
   }
   n->frames[n->num_frames++] = (struct numbering_frame){ owner, first, false };
}

/* A continue list that says nothing: one empty block that has no name, no place and no mention. Who
 * could mention it are the phis of the header, because its only edge goes there.
 */
static bool
can_omit_continue(const hd_loop *loop)
{
   const hd_cf_node *first = loop->continue_list.first;
   const hd_block *b = hd_node_as_block(first);
   const hd_block *header = hd_node_as_block(loop->body.first);

   return b && first == loop->continue_list.last && !first->next && !b->first && !first->named &&
          !first->loc && !first->header && !b->loop_header && !b->continues &&
          !(header && hd_instr_as_phi(header->first));
}

/* The end of a list: on to the second list of its owner, or out. */
static void
end_list(struct hd_numbering *n, struct numbering_frame *frame)
{
   const hd_cf_node *owner = frame->owner;
   const hd_if *nif = hd_node_as_if(owner);
   const hd_loop *loop = hd_node_as_loop(owner);

   if (nif && !frame->second) {
      add_event(n, owner, EVENT_ELSE);
      frame->next = nif->else_list.first;
      frame->second = true;
   } else if (loop && !frame->second && !can_omit_continue(loop)) {
      add_event(n, owner, EVENT_CONTINUE);
      frame->next = loop->continue_list.first;
      frame->second = true;
   } else {
      if (owner)
         add_event(n, owner, nif ? EVENT_END_IF : EVENT_END_LOOP);
      n->num_frames--;
   }
}

static void
number_instrs(struct hd_numbering *n, const hd_block *b)
{
   struct circle circle = { NULL, 0, 0 };
   uint32_t steps = 1;

   for (const hd_instr *i = b->first; i && !circle_closes(&circle, i); i = i->next) {
      if (i->def.bit_size && !add(n, &n->defs, &i->def, i->def.index))
         break;
      steps++;
   }
   hd_heap_step(n->heap, steps);
}

void
hd_numbering_walk(struct hd_numbering *n, const hd_function *f)
{
   uint32_t num_inner = 0;

   push(n, NULL, f->body.first);
   while (n->num_frames) {
      struct numbering_frame *frame = &n->frames[n->num_frames - 1];
      const hd_cf_node *node = frame->next;

      if (!node) {
         end_list(n, frame);
         continue;
      }
      const hd_block *b = hd_node_as_block(node);
      const hd_if *nif = hd_node_as_if(node);
      const hd_loop *loop = hd_node_as_loop(node);
      frame->next = node->next;
      if (b && add(n, &n->blocks, b, node->index)) {
         add_event(n, node, EVENT_BLOCK);
         number_instrs(n, b);
      } else if (nif && add_misfit(n, nif, num_inner)) {
         num_inner++;
         add_event(n, node, EVENT_IF);
         push(n, node, nif->then_list.first);
      } else if (loop && add_misfit(n, loop, num_inner)) {
         num_inner++;
         add_event(n, node, EVENT_LOOP);
         push(n, node, loop->body.first);
      } else {
         add_event(n, node, EVENT_BROKEN);
         frame->next = NULL;
      }
   }
}

hd_result
hd_numbering_create(const hd_function *function, hd_numbering **out)
{
   hd_heap *of = hd_shader_heap(function->shader), heap;
   struct hd_numbering n;
   hd_numbering *volatile made = NULL;
   hd_unwind u;

   hd_heap_init_beside(&heap, of);
   hd_numbering_init(&n, &heap);
   if (HD_TRY(&heap, &u)) {
      hd_numbering_walk(&n, function);
      made = hd_heap_alloc(&heap, sizeof(n));
   }
   hd_result result = hd_heap_leave(&heap, &u);
   hd_heap_settle(&heap, of);
   if (result != HD_OK) {
      hd_numbering_finish(&n);
      return result;
   }
   hd_numbering *to = made;
   *to = n;
   to->own = heap;
   to->heap = &to->own;
   *out = to;
   return HD_OK;
}

void
hd_numbering_destroy(hd_numbering *n)
{
   if (!n)
      return;
   hd_heap heap = n->own;
   n->heap = &heap;
   hd_numbering_finish(n);
   hd_heap_free(&heap, n, sizeof(*n));
}

uint32_t
hd_numbering_def(const hd_numbering *n, const hd_def *def)
{
   return def ? lookup(n, &n->defs, def, def->index) : HD_NO_NUMBER;
}

uint32_t
hd_numbering_block(const hd_numbering *n, const hd_block *block)
{
   return block ? lookup(n, &n->blocks, block, block->node.index) : HD_NO_NUMBER;
}
