/* SPDX-License-Identifier: MIT */
/* classify.c - structural diff: what became of each item: same, moved, changed, removed, added.
 *
 * An item that is matched within its block has moved if its order with what it depends on has changed.
 * For each memory class and variable, the longest increasing subsequence of writers stays; a reader
 * has moved if it is between other writers than before.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/items.h"
#include "heddle/ops.h"

/* Does it do the same with the same operands? */

static bool
is_same_phi(const comparison *c, const item *a, const item *b, uint32_t *place)
{
   const uint32_t *x = c->side[0].refs + a->first_ref, *y = c->side[1].refs + b->first_ref;

   if (a->num_refs != b->num_refs)
      return false;
   for (uint32_t n = 0; n < b->num_refs; n += 2) {
      if (y[n + 1] != NO_ITEM)
         place[y[n + 1]] = n;
   }
   for (uint32_t n = 0; n < a->num_refs; n += 2) {
      const uint32_t from = x[n + 1] == NO_ITEM ? NO_ITEM : c->side[0].at[x[n + 1]].match;
      if (from == NO_ITEM)
         return false;
      const uint32_t k = place[from];
      if (k >= b->num_refs || y[k + 1] != from || !hd_diff_same_ref(c, x[n], y[k]))
         return false;
   }
   return true;
}

static bool
is_same(const comparison *c, const item *a, const item *b, uint32_t *place)
{
   if (a->local != b->local)
      return false;
   if (a->kind == ITEM_INSTR && a->of.instr->kind == HD_INSTR_PHI)
      return is_same_phi(c, a, b, place);
   if (a->kind == ITEM_INSTR && a->of.instr->kind == HD_INSTR_CALL) {
      const uint32_t x = hd_diff_item_of(&c->side[0], hd_instr_as_call(a->of.instr)->callee);
      const uint32_t y = hd_diff_item_of(&c->side[1], hd_instr_as_call(b->of.instr)->callee);
      if (c->side[0].functions[x].match != y)
         return false;
   }
   if (a->num_refs != b->num_refs)
      return false;
   for (uint32_t n = 0; n < a->num_refs; n++) {
      if (!hd_diff_same_ref(c, c->side[0].refs[a->first_ref + n],
                            c->side[1].refs[b->first_ref + n]))
         return false;
   }
   return true;
}

/* Order */

/* Something that an instruction touches, in a block. */
typedef struct event {
   uint32_t block; /* item of the first side */
   uint32_t what;  /* a bit of hd_memory_class by number; VARIABLES and more: a variable */
   uint32_t before, after;
   bool writes;
} event;

#define ORDER     16u /* barriers and calls among each other */
#define VARIABLES 32u

static uint32_t
touched(const hd_instr *i, uint32_t *writes)
{
   const uint32_t all = HD_MEMORY_ALL | 1u << ORDER;

   *writes = 0;
   if (i->kind == HD_INSTR_CALL)
      return *writes = all;
   if (i->kind != HD_INSTR_INTRINSIC)
      return 0;
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   if (info->flags & HD_EFFECT_BARRIER)
      return *writes = all;
   *writes = info->writes | (info->flags & HD_EFFECT_DEMOTE ? 1u << ORDER : 0);
   return info->reads | *writes;
}

static uint32_t
add_events(const comparison *c, uint32_t at, event *events, uint32_t num)
{
   const item *a = &c->side[0].at[at];
   const hd_var_access *access = hd_instr_as_var_access(a->of.instr);
   uint32_t writes;
   const uint32_t all = touched(a->of.instr, &writes);

   if (access && events)
      events[num] = (event){ a->block, VARIABLES + access->var->index, at, a->match,
                             a->of.instr->kind == HD_INSTR_STORE_VAR };
   num += access != NULL;
   for (uint32_t bit = 0; bit <= ORDER; bit++) {
      if (!(all >> bit & 1))
         continue;
      if (events)
         events[num] = (event){ a->block, bit, at, a->match, writes >> bit & 1 };
      num++;
   }
   return num;
}

static int
compare_events(const void *a, const void *b)
{
   const event *x = a, *y = b;

   if (x->block != y->block)
      return x->block < y->block ? -1 : 1;
   if (x->what != y->what)
      return x->what < y->what ? -1 : 1;
   return (x->before > y->before) - (x->before < y->before);
}

static int
compare_after(const void *a, const void *b)
{
   const event *x = *(const event *const *)a, *y = *(const event *const *)b;

   return (x->after > y->after) - (x->after < y->after);
}

typedef struct ordering {
   comparison *c;
   uint32_t *tails, *previous; /* of the longest sequences */
   const event **sorted;
   uint32_t *last_writer; /* by event: the last writer that stays before it, on the first side */
} ordering;

/* Writers that are not in the longest ascending sequence have moved. */
static void
order_writers(ordering *o, const event *events, uint32_t num)
{
   uint32_t length = 0;

   for (uint32_t n = 0; n < num; n++) {
      uint32_t low = 0, high = length;
      if (!events[n].writes)
         continue;
      while (low < high) {
         const uint32_t middle = (low + high) / 2;
         if (events[o->tails[middle]].after < events[n].after)
            low = middle + 1;
         else
            high = middle;
      }
      o->previous[n] = low ? o->tails[low - 1] : NO_ITEM;
      o->tails[low] = n;
      if (low == length)
         length++;
   }
   for (uint32_t n = 0; n < num; n++) {
      if (events[n].writes)
         o->last_writer[n] = NO_ITEM;
   }
   for (uint32_t n = length ? o->tails[length - 1] : NO_ITEM; n != NO_ITEM; n = o->previous[n])
      o->last_writer[n] = n;
   for (uint32_t n = 0; n < num; n++)
      o->c->moved[events[n].before] |= events[n].writes && o->last_writer[n] == NO_ITEM;
}

/* Readers between other writers than before have moved. */
static void
order_readers(ordering *o, const event *events, uint32_t num)
{
   uint32_t last = NO_ITEM;

   for (uint32_t n = 0; n < num; n++) {
      if (!events[n].writes)
         o->last_writer[n] = last;
      else if (o->last_writer[n] != NO_ITEM)
         last = n;
      o->sorted[n] = &events[n];
   }
   qsort(o->sorted, num, sizeof(*o->sorted), compare_after);
   last = NO_ITEM;
   for (uint32_t n = 0; n < num; n++) {
      const uint32_t at = (uint32_t)(o->sorted[n] - events);
      if (!o->sorted[n]->writes)
         o->c->moved[o->sorted[n]->before] |= o->last_writer[at] != last;
      else if (o->last_writer[at] != NO_ITEM)
         last = at;
   }
}

static void
find_moved(comparison *c)
{
   const items *s = &c->side[0];
   uint32_t num = 0;

   for (unsigned filling = 0; filling < 2; filling++) {
      event *events =
          filling ? hd_stack_alloc(c->stack, (num + (size_t)1) * sizeof(*events)) : NULL;
      num = 0;
      for (uint32_t n = 0; n < s->num; n++) {
         const item *a = &s->at[n];
         if (a->kind != ITEM_INSTR || a->match == NO_ITEM)
            continue;
         const uint32_t block = c->side[1].at[a->match].block;
         if (s->at[a->block].match == block)
            num = add_events(c, n, events, num);
         else
            c->moved[n] = !a->free;
      }
      if (!filling)
         continue;
      ordering o = { .c = c,
                     .tails = hd_stack_alloc(c->stack, (num + (size_t)1) * sizeof(uint32_t)),
                     .previous = hd_stack_alloc(c->stack, (num + (size_t)1) * sizeof(uint32_t)),
                     .sorted = hd_stack_alloc(c->stack, (num + (size_t)1) * sizeof(event *)),
                     .last_writer =
                         hd_stack_alloc(c->stack, (num + (size_t)1) * sizeof(uint32_t)) };
      hd_heap_step(c->stack->heap, num);
      qsort(events, num, sizeof(*events), compare_events);
      for (uint32_t first = 0, end; first < num; first = end) {
         for (end = first; end < num && events[end].block == events[first].block &&
                           events[end].what == events[first].what;
              end++)
            ;
         order_writers(&o, events + first, end - first);
         order_readers(&o, events + first, end - first);
      }
   }
}

/* Entries */

typedef struct entries {
   const comparison *c;
   hd_diff *out;
   hd_diff_entry *at;
   uint32_t *place; /* for phis: by item of a block */
} entries;

static hd_diff_place
place_of(const items *s, uint32_t at)
{
   const item *it = &s->at[at];
   hd_diff_place place = { .function = s->functions[it->function].f };

   if (it->kind == ITEM_INSTR)
      place.instr = it->of.instr;
   else
      place.node = it->of.node;
   return place;
}

static void
add_entry(entries *e, hd_diff_entry entry)
{
   e->at[e->out->num_entries++] = entry;
   e->out->counts[entry.kind]++;
}

static void
add_removed(entries *e, uint32_t from, uint32_t to)
{
   const items *s = &e->c->side[0];

   for (; from < to; from++) {
      if (s->at[from].match == NO_ITEM)
         add_entry(e, (hd_diff_entry){ .kind = HD_DIFF_REMOVED, .before = place_of(s, from) });
   }
}

static void
add_pair(entries *e, uint32_t a, uint32_t b)
{
   const comparison *c = e->c;
   const bool same = is_same(c, &c->side[0].at[a], &c->side[1].at[b], e->place);

   add_entry(e, (hd_diff_entry){ .kind = !same         ? HD_DIFF_CHANGED
                                         : c->moved[a] ? HD_DIFF_MOVED
                                                       : HD_DIFF_SAME,
                                 .moved = c->moved[a],
                                 .before = place_of(&c->side[0], a),
                                 .after = place_of(&c->side[1], b) });
}

/* What is removed stands before the first that was after it and has not moved. */
static void
add_function(entries *e, const function_items *f)
{
   const items *a = &e->c->side[0], *b = &e->c->side[1];
   const function_items *other = f->match == NO_ITEM ? NULL : &a->functions[f->match];
   uint32_t next = other ? other->first : 0;

   if (!other)
      add_entry(e, (hd_diff_entry){ .kind = HD_DIFF_ADDED, .after = { .function = f->f } });
   for (uint32_t n = f->first; n < f->first + f->num; n++) {
      const uint32_t was = b->at[n].match;
      if (was == NO_ITEM) {
         add_entry(e, (hd_diff_entry){ .kind = HD_DIFF_ADDED, .after = place_of(b, n) });
         continue;
      }
      if (was >= next && !e->c->moved[was] && !a->at[was].free) {
         add_removed(e, next, was);
         next = was + 1;
      }
      add_pair(e, was, n);
   }
   if (other)
      add_removed(e, next, other->first + other->num);
}

static bool
do_headers_differ(const hd_shader *a, const hd_shader *b)
{
   const uint32_t x[] = {
      a->stage,         a->workgroup_size[0], a->workgroup_size[1], a->workgroup_size[2],
      a->subgroup_size, a->float_controls,    a->shared_size,       a->scratch_size,
      a->push_size,     a->kernarg_size,      a->constants_size
   };
   const uint32_t y[] = {
      b->stage,         b->workgroup_size[0], b->workgroup_size[1], b->workgroup_size[2],
      b->subgroup_size, b->float_controls,    b->shared_size,       b->scratch_size,
      b->push_size,     b->kernarg_size,      b->constants_size
   };

   return memcmp(x, y, sizeof(x)) != 0 ||
          (a->constants_size && memcmp(a->constants, b->constants, a->constants_size) != 0);
}

void
hd_diff_classify(comparison *c, hd_diff *out)
{
   const items *a = &c->side[0], *b = &c->side[1];
   const size_t most = (size_t)a->num + b->num + a->num_functions + b->num_functions + 1;
   entries e = { .c = c, .out = out, .at = hd_stack_alloc(c->stack, most * sizeof(*e.at)) };

   c->moved = hd_stack_alloc_zero(c->stack, (a->num + (size_t)1) * sizeof(*c->moved));
   e.place = hd_stack_alloc_zero(c->stack, (b->num + (size_t)1) * sizeof(*e.place));
   find_moved(c);
   for (uint32_t n = 0; n < a->num_functions; n++) {
      if (a->functions[n].match != NO_ITEM)
         continue;
      add_entry(&e, (hd_diff_entry){ .kind = HD_DIFF_REMOVED,
                                     .before = { .function = a->functions[n].f } });
      add_removed(&e, a->functions[n].first, a->functions[n].first + a->functions[n].num);
   }
   for (uint32_t n = 0; n < b->num_functions; n++)
      add_function(&e, &b->functions[n]);
   out->entries = e.at;
   out->headers_differ = do_headers_differ(a->shader, b->shader);
}
