/* SPDX-License-Identifier: MIT */
/* reconverge_tree.c - the open tree (Hähnle): which edges must go into a flow block, and which may go
 * straight to their targets.
 *
 * Places are processed in order. An edge is open from when its source was processed until its
 * target is. A divergent branch is armed once one of its edges is closed: the lanes of the other
 * one, the parked edge, wait. So its target, or a flow block before it, must be the primary
 * successor: whatever is reached from the closed edge has to reach it, and may not go past.
 *
 * The open tree says what may not go past what. Its nodes are classes of open edges; a class has
 * entries, each a place that no lane of the class, or of those below it, may go past, with the
 * parked edge that is why. At place Y:
 *
 *   - Where a class has an entry for Y and there are open edges at or below it that lead elsewhere,
 *     or where an edge of several targets reaches the first of them, a flow block is made before Y
 *     and all those edges go into it, together with the parked ones. It tests which lanes wait for
 *     Y; by its other edge it leads to all the other targets, and that edge is parked there.
 *   - All other open edges to Y go straight there.
 *   - What Y reaches must obey the entries of all edges by which lanes reached it. So its class is
 *     below the classes of them all; where these lie side by side, one path is hung below the
 * other. If a branch was armed, Y has a class of its own, with the entry for the parked edge.
 *
 * Why the result reconverges. Let B be a divergent branch, its edge to S closed at S, its other
 * edge parked for Y (if both its edges go into one flow block it is no branch any more). Each block
 * on a path from S is in the class of S or below one that obeys its entries, as long as the path
 * goes to later places; so the path cannot get past Y, and reaches Y, if no flow block is there,
 * or to the flow block. If the parked edge itself went into a flow block before an earlier place Z,
 * then because its class obeys an entry for Z; the class of S is below it and does too. A path can
 * go to an earlier place only by a latch. There the entries that lanes at the latch obey are given
 * to the class of the cycle, with all that the cycle leaves open, so a path obeys them in the next
 * iteration, too. Entries given so are for places after the latch: nothing that was decided within
 * the cycle depends on them. A cycle that cannot be left would keep its lanes from where they must
 * come to; it gets an edge that no lane takes.
 *
 * Why it keeps the sweep. The primary successor of B is at or right before Y, or at a place before
 * it. An edge to a header of a cycle that has Y inside leads, here, to a latch, which is later than
 * Y, and no path from S gets there without reaching Y. If Y is the latch itself and no flow block
 * is before it, the primary successor is the header: then the edge goes into it.
 */
#include "structurize/reconverge.h"

struct class
{
   uint32_t merged; /* into another class; or itself */
   uint32_t parent; /* NONE for the root */
   uint32_t first_child, last_child, prev_sibling, next_sibling;
   uint32_t first_edge, last_edge;
   uint32_t first_entry, last_entry;
   uint32_t num_entries; /* those that are alive */
   uint32_t seen, via;   /* of a search for what is above two classes */
   uint32_t passed;      /* by a walk down */
   uint32_t first_here;  /* its entries for the place at hand; NONE between places */
};

struct entry {
   uint32_t class;
   uint32_t edge; /* the parked edge */
   bool alive;
   uint32_t next_in_class, next_at_place, next_here;
};

struct tree {
   rc *r;
   struct class *classes;
   uint32_t num_classes, num_stamps;
   struct entry *entries;
   uint32_t num_entries;
   uint32_t *entries_at, *edges_at; /* by position: lists */
   uint32_t *class_of_cycle;        /* by the place of the header */
   uint32_t *list, *classes_here;   /* scratch: edges, classes */
};

/* Classes */

static uint32_t
find(struct tree *t, uint32_t c)
{
   struct class *classes = t->classes;

   while (classes[c].merged != c)
      c = classes[c].merged = classes[classes[c].merged].merged;
   return c;
}

static uint32_t
parent_of(struct tree *t, uint32_t c)
{
   uint32_t p = t->classes[c].parent;

   return p == NONE ? NONE : find(t, p);
}

static void
add_child(struct tree *t, uint32_t parent, uint32_t c)
{
   struct class *p = &t->classes[parent], *n = &t->classes[c];

   n->parent = parent;
   n->prev_sibling = p->last_child;
   n->next_sibling = NONE;
   if (p->last_child != NONE)
      t->classes[p->last_child].next_sibling = c;
   else
      p->first_child = c;
   p->last_child = c;
}

static void
remove_child(struct tree *t, uint32_t c)
{
   struct class *n = &t->classes[c], *p = &t->classes[parent_of(t, c)];

   if (n->prev_sibling != NONE)
      t->classes[n->prev_sibling].next_sibling = n->next_sibling;
   else
      p->first_child = n->next_sibling;
   if (n->next_sibling != NONE)
      t->classes[n->next_sibling].prev_sibling = n->prev_sibling;
   else
      p->last_child = n->prev_sibling;
}

static uint32_t
new_class(struct tree *t, uint32_t parent)
{
   uint32_t c = t->num_classes++;

   t->classes[c] = (struct class){ c,    NONE, NONE, NONE, NONE, NONE, NONE, NONE,
                                   NONE, NONE, 0,    0,    NONE, 0,    NONE };
   if (parent != NONE)
      add_child(t, parent, c);
   return c;
}

/* Let `into` have all that `c` has. A child goes into its parent, or into another class that is not
 * below it.
 */
static void
merge(struct tree *t, uint32_t c, uint32_t into)
{
   struct class *n = &t->classes[c], *to = &t->classes[into];

   remove_child(t, c);
   n->merged = into;
   to->num_entries += n->num_entries;
   if (n->first_child != NONE) {
      t->classes[n->first_child].prev_sibling = to->last_child;
      if (to->last_child != NONE)
         t->classes[to->last_child].next_sibling = n->first_child;
      else
         to->first_child = n->first_child;
      to->last_child = n->last_child;
   }
   if (n->first_edge != NONE) {
      if (to->first_edge != NONE)
         t->r->edges[to->last_edge].next_in_class = n->first_edge;
      else
         to->first_edge = n->first_edge;
      to->last_edge = n->last_edge;
   }
   if (n->first_entry != NONE) {
      if (to->first_entry != NONE)
         t->entries[to->last_entry].next_in_class = n->first_entry;
      else
         to->first_entry = n->first_entry;
      to->last_entry = n->last_entry;
   }
}

/* A class that forbids nothing is no different from its parent. */
static uint32_t
drop_if_free(struct tree *t, uint32_t c)
{
   uint32_t parent = parent_of(t, c);

   if (t->classes[c].num_entries || parent == NONE)
      return c;
   merge(t, c, parent);
   return parent;
}

/* The lowest class that is above both, or one of them. The classes right below it on both paths are
 * written; NONE where it is the class itself. The time is that of the shorter way, twice.
 */
static uint32_t
common_class(struct tree *t, uint32_t a, uint32_t b, uint32_t *below_a, uint32_t *below_b)
{
   struct class *classes = t->classes;
   uint32_t stamp[2] = { ++t->num_stamps, ++t->num_stamps };
   uint32_t at[2] = { a, b }, before[2] = { NONE, NONE };

   for (unsigned side = 0;; side = !side) {
      uint32_t c = at[side];
      if (c == NONE)
         continue;
      if (classes[c].seen == stamp[!side]) {
         *(side ? below_b : below_a) = before[side];
         *(side ? below_a : below_b) = classes[c].via;
         return c;
      }
      classes[c].seen = stamp[side];
      classes[c].via = before[side];
      before[side] = c;
      at[side] = parent_of(t, c);
   }
}

/* A class that obeys both. */
static uint32_t
below_both(struct tree *t, uint32_t a, uint32_t b)
{
   uint32_t below_a, below_b;

   if (a == NONE || b == NONE || a == b)
      return a == NONE ? b : a;
   common_class(t, a, b, &below_a, &below_b);
   if (below_b == NONE)
      return a;
   if (below_a == NONE)
      return b;
   remove_child(t, below_b);
   add_child(t, a, below_b);
   return b;
}

/* What lanes at a latch obey, all lanes of its cycle obey. */
static void
give_to_cycle(struct tree *t, uint32_t latch, uint32_t cycle)
{
   uint32_t below_latch, below_cycle, top;

   if (latch == cycle)
      return;
   top = common_class(t, latch, cycle, &below_latch, &below_cycle);
   while (latch != top) {
      uint32_t parent = parent_of(t, latch);
      merge(t, latch, cycle);
      latch = parent;
   }
}

/* Edges */

/* Heaps of edges by target, which melt in constant time; equal ones stay. */
static uint32_t
meld(rc *r, uint32_t a, uint32_t b)
{
   if (a == NONE || b == NONE)
      return a == NONE ? b : a;
   if (r->edges[b].target < r->edges[a].target) {
      uint32_t c = a;
      a = b;
      b = c;
   }
   r->edges[b].sibling = r->edges[a].child;
   r->edges[a].child = b;
   return a;
}

/* The heap without its top. */
static uint32_t
pop(rc *r, uint32_t heap)
{
   uint32_t pairs = NONE, rest = NONE;

   for (uint32_t a = r->edges[heap].child, b, next; a != NONE; a = next) {
      b = r->edges[a].sibling;
      next = b != NONE ? r->edges[b].sibling : NONE;
      a = meld(r, a, b);
      r->edges[a].sibling = pairs;
      pairs = a;
   }
   for (uint32_t a = pairs, next; a != NONE; a = next) {
      next = r->edges[a].sibling;
      rest = meld(r, rest, a);
   }
   return rest;
}

static void
open_edge(struct tree *t, uint32_t edge, uint32_t class)
{
   rc *r = t->r;
   rc_edge *e = &r->edges[edge];
   struct class *c = &t->classes[class];
   uint32_t target = rc_target(r, e);

   e->class = class;
   e->next_in_class = NONE;
   if (c->first_edge != NONE)
      r->edges[c->last_edge].next_in_class = edge;
   else
      c->first_edge = edge;
   c->last_edge = edge;
   e->next_at_target = t->edges_at[target];
   t->edges_at[target] = edge;
}

static uint32_t
new_edge(rc *r)
{
   r->edges[r->num_edges] = (rc_edge){
      .from = NONE,
      .flow = NONE,
      .heap = NONE,
      .child = NONE,
      .sibling = NONE,
      .partner = NONE,
      .entry = NONE,
      .into = NONE,
      .detour = NONE,
      .next_in_flow = NONE,
   };
   return r->num_edges++;
}

/* An edge that leads to one place, a member of heaps. */
static uint32_t
new_plain_edge(rc *r, uint32_t target)
{
   uint32_t edge = new_edge(r);

   r->edges[edge].heap = edge;
   r->edges[edge].target = r->edges[edge].last = target;
   return edge;
}

static void
park(struct tree *t, uint32_t edge, uint32_t class)
{
   uint32_t n = t->num_entries++, place = rc_target(t->r, &t->r->edges[edge]);
   struct class *c = &t->classes[class];

   t->entries[n] = (struct entry){ class, edge, true, NONE, t->entries_at[place], NONE };
   t->entries_at[place] = n;
   if (c->first_entry != NONE)
      t->entries[c->last_entry].next_in_class = n;
   else
      c->first_entry = n;
   c->last_entry = n;
   c->num_entries++;
   t->r->edges[edge].entry = n;
}

/* Flow blocks */

static uint32_t
new_flow(rc *r, uint32_t place)
{
   uint32_t n = r->num_flows++;

   r->flows[n] =
       (rc_flow){ .place = place, .first_in = NONE, .last_in = NONE, .rest = NONE, .cause = NONE };
   return n;
}

static void
fulfil(struct tree *t, uint32_t n)
{
   struct entry *e = &t->entries[n];

   if (e->alive)
      t->classes[find(t, e->class)].num_entries--;
   e->alive = false;
}

static void
send_into(struct tree *t, uint32_t edge, uint32_t flow)
{
   rc *r = t->r;
   rc_edge *e = &r->edges[edge];
   rc_flow *f = &r->flows[flow];

   assert(!e->closed);
   /* Nobody waits for it any more at a later place. */
   if (e->entry != NONE && rc_target(r, e) != f->place)
      fulfil(t, e->entry);
   e->closed = true;
   e->into = flow;
   e->next_in_flow = NONE;
   if (f->last_in != NONE)
      r->edges[f->last_in].next_in_flow = edge;
   else
      f->first_in = edge;
   f->last_in = edge;
   f->num_in++;
   if (f->cause == NONE && e->last != f->place)
      f->cause = edge;
}

/* All open edges of a class and those below it, to t->list; the classes to t->classes_here. *other:
 * one leads elsewhere than to `place` alone.
 */
static void
collect_below(struct tree *t, uint32_t class, uint32_t place, uint32_t *num_edges,
              uint32_t *num_classes, bool *other)
{
   rc *r = t->r;
   uint32_t next = *num_classes;

   t->classes_here[(*num_classes)++] = class;
   for (; next < *num_classes; next++) {
      struct class *c = &t->classes[t->classes_here[next]];
      uint32_t *link = &c->first_edge, last = NONE;
      for (uint32_t child = c->first_child; child != NONE; child = t->classes[child].next_sibling)
         t->classes_here[(*num_classes)++] = child;
      /* Those that are closed leave the list, so that none is passed twice. */
      for (uint32_t e = *link; e != NONE; e = r->edges[e].next_in_class) {
         if (r->edges[e].closed)
            continue;
         *other |= rc_target(r, &r->edges[e]) != place || r->edges[e].last != place;
         t->list[(*num_edges)++] = e;
         *link = last = e;
         link = &r->edges[e].next_in_class;
      }
      *link = NONE;
      c->last_edge = last;
   }
}

/* Those below a class that was found are no tops. All classes that are passed become one with it,
 * so that each is passed a few times at most.
 */
static void
pass_below(struct tree *t, uint32_t class, uint32_t found_stamp, uint32_t passed, bool *below)
{
   uint32_t num = 0;

   t->classes_here[num++] = class;
   while (num) {
      const struct class *c = &t->classes[t->classes_here[--num]];
      for (uint32_t child = c->first_child; child != NONE; child = t->classes[child].next_sibling) {
         struct class *n = &t->classes[child];
         if (n->seen == found_stamp)
            below[n->via] = true;
         if (n->passed != passed)
            t->classes_here[num++] = child;
         n->passed = passed;
      }
   }
}

/* The classes with an entry for this place, without those below others of them. */
static uint32_t
find_forbidding(struct tree *t, uint32_t place, uint32_t *found, bool *below)
{
   uint32_t num = 0, num_top = 0, stamp = ++t->num_stamps, passed = ++t->num_stamps;

   for (uint32_t n = t->entries_at[place]; n != NONE; n = t->entries[n].next_at_place) {
      uint32_t c = find(t, t->entries[n].class);
      if (!t->entries[n].alive)
         continue;
      t->entries[n].next_here = t->classes[c].first_here;
      t->classes[c].first_here = n;
      if (t->classes[c].seen == stamp)
         continue;
      t->classes[c].seen = stamp;
      t->classes[c].via = num;
      below[num] = false;
      found[num++] = c;
   }
   for (uint32_t i = 0; num > 1 && i < num; i++) {
      if (t->classes[found[i]].passed == passed)
         continue;
      t->classes[found[i]].passed = passed;
      pass_below(t, found[i], stamp, passed, below);
   }
   for (uint32_t i = 0; i < num; i++) {
      if (!below[i])
         found[num_top++] = found[i];
   }
   return num_top;
}

/* A class with those below it becomes one. Its entries for the place at hand are fulfilled, the
 * others stay.
 */
static uint32_t
close_classes(struct tree *t, const uint32_t *classes, uint32_t num)
{
   for (uint32_t i = num; i--;) {
      struct class *c = &t->classes[classes[i]];
      for (uint32_t n = c->first_here; n != NONE; n = t->entries[n].next_here)
         fulfil(t, n);
      c->first_here = NONE;
      if (i)
         merge(t, classes[i], classes[0]);
   }
   return drop_if_free(t, classes[0]);
}

/* Places */

/* One place that is being processed. */
struct step {
   uint32_t place;
   uint32_t flow;  /* before it, or NONE */
   uint32_t class; /* of what comes by the edges seen so far; NONE: none was */
};

static void
obey(struct tree *t, struct step *s, uint32_t class)
{
   s->class = below_both(t, s->class == NONE ? NONE : find(t, s->class), find(t, class));
}

static void
into_flow(struct tree *t, struct step *s, uint32_t edge)
{
   if (s->flow == NONE) {
      s->flow = new_flow(t->r, s->place);
      t->r->flow_at[s->place] = s->flow;
   }
   send_into(t, edge, s->flow);
}

/* One class that forbids to go past this place, with those below it. */
static void
close_class(struct tree *t, struct step *s, uint32_t class)
{
   rc *r = t->r;
   uint32_t num_edges = 0, num_classes = 0;
   /* Where someone waits for the end, there must be a block to wait at. */
   bool flow = r->places[s->place].kind == RC_END;

   collect_below(t, class, s->place, &num_edges, &num_classes, &flow);
   for (uint32_t i = 0; !flow && i < num_classes; i++) {
      for (uint32_t n = t->classes[t->classes_here[i]].first_here; n != NONE;
           n = t->entries[n].next_here)
         flow |= r->edges[t->entries[n].edge].last != s->place;
   }
   if (!flow) {
      close_classes(t, t->classes_here, num_classes);
      return;
   }
   for (uint32_t i = 0; i < num_edges; i++)
      into_flow(t, s, t->list[i]);
   for (uint32_t i = 0; i < num_classes; i++) {
      for (uint32_t n = t->classes[t->classes_here[i]].first_here; n != NONE;
           n = t->entries[n].next_here) {
         uint32_t parked = t->entries[n].edge;
         if (r->edges[parked].closed)
            continue;
         into_flow(t, s, parked);
         obey(t, s, r->edges[parked].class);
      }
   }
   obey(t, s, close_classes(t, t->classes_here, num_classes));
}

/* The edge by which lanes leave the flow block that wait for later places. */
static void
open_rest(struct tree *t, struct step *s)
{
   rc *r = t->r;
   rc_flow *f = &r->flows[s->flow];
   uint32_t heap = NONE, last = 0;

   for (uint32_t e = f->first_in; e != NONE; e = r->edges[e].next_in_flow) {
      heap = meld(r, heap, r->edges[e].heap);
      last = r->edges[e].last > last ? r->edges[e].last : last;
   }
   while (heap != NONE && r->edges[heap].target == s->place)
      heap = pop(r, heap);
   if (heap == NONE)
      return;
   f->rest = new_edge(r);
   f->several = r->edges[heap].target != last;
   r->edges[f->rest].flow = s->flow;
   r->edges[f->rest].heap = heap;
   r->edges[f->rest].last = last;
   open_edge(t, f->rest, s->class);
}

/* The first place that lanes of a class may not go past, or NONE. */
static uint32_t
first_forbidden(struct tree *t, uint32_t class)
{
   uint32_t first = NONE;

   for (; class != NONE; class = parent_of(t, class)) {
      for (uint32_t n = t->classes[class].first_entry; n != NONE; n = t->entries[n].next_in_class) {
         uint32_t place = rc_target(t->r, &t->r->edges[t->entries[n].edge]);
         if (t->entries[n].alive && place < first)
            first = place;
      }
   }
   return first;
}

/* Lanes of a cycle that leads nowhere else never reach where others wait for them. And where the
 * end cannot be reached, post-dominance takes each header of a cycle to have an edge to the end, so
 * that nothing else post-dominates what leads there. Where either matters, the latch of the cycle
 * gets an edge that no lane takes, to where others wait first. Where lanes may diverge in a cycle
 * around it, some will wait that were not seen yet: then that is the latch of this cycle.
 */
static void
leave_by_latch(struct tree *t, struct step *s, const rc_place *header)
{
   rc *r = t->r;
   uint32_t to = NONE, first;

   if (header->parts_around)
      to = r->places[r->place_of[header->inside->node.index]].latch;

   for (uint32_t e = t->edges_at[s->place]; e != NONE; e = r->edges[e].next_at_target) {
      uint32_t partner = r->edges[e].partner;
      if (r->edges[e].closed)
         continue;
      obey(t, s, r->edges[e].class);
      if (partner != NONE && !r->edges[partner].closed && rc_target(r, &r->edges[partner]) < to)
         to = rc_target(r, &r->edges[partner]);
   }
   first = first_forbidden(t, s->class);
   if (to == NONE && first == NONE && !r->parts_for_good)
      return;
   to = first < to ? first : to;
   to = to < r->num_places ? to : r->num_places - 1;
   for (uint32_t e = t->edges_at[s->place]; e != NONE; e = r->edges[e].next_at_target) {
      if (!r->edges[e].closed)
         into_flow(t, s, e);
   }
   rc_flow *f = &r->flows[s->flow];
   f->never = true;
   f->rest = new_plain_edge(r, to);
   r->edges[f->rest].flow = s->flow;
   open_edge(t, f->rest, s->class);
}

static void
open_edges(struct tree *t, uint32_t place, uint32_t class)
{
   rc *r = t->r;
   rc_place *p = &r->places[place];

   p->first_edge = r->num_edges;
   p->num_succs = p->block->num_succs;
   for (uint32_t n = 0; n < p->block->num_succs; n++) {
      hd_block *to = p->block->succs[n].to;
      uint32_t target = r->num_places - 1;
      if (!hd_block_is_end(to)) {
         target = r->place_of[to->node.index];
         if (target <= place)
            target = r->places[target].latch;
      }
      assert(target > place && target != NONE);
      uint32_t edge = new_plain_edge(r, target);
      r->edges[edge].from = place;
      r->edges[edge].succ = n;
      open_edge(t, edge, class);
   }
   if (p->divergent) {
      r->edges[p->first_edge].partner = p->first_edge + 1;
      r->edges[p->first_edge + 1].partner = p->first_edge;
   }
}

static void
process(struct tree *t, uint32_t place, uint32_t *found, bool *below)
{
   rc *r = t->r;
   const rc_place *p = &r->places[place];
   struct step s = { place, NONE, NONE };
   uint32_t header = p->kind == RC_LATCH ? r->place_of[p->block->node.index] : NONE, armed = NONE;

   uint32_t num = find_forbidding(t, place, found, below);
   for (uint32_t i = 0; i < num; i++)
      close_class(t, &s, found[i]);
   /* Who must leave a cycle by its latch leaves by the flow block, if there is one. So do the lanes
    * that diverge there from those that reach the latch: else none of the two would wait.
    */
   bool leave = s.flow != NONE && header != NONE && r->places[header].endless;
   for (uint32_t e = t->edges_at[place]; e != NONE; e = r->edges[e].next_at_target) {
      bool plain = r->edges[e].last == place && (p->kind != RC_END || r->edges[e].flow == NONE);
      if (r->edges[e].closed || (plain && !leave))
         continue;
      into_flow(t, &s, e);
      obey(t, &s, r->edges[e].class);
      uint32_t partner = r->edges[e].partner;
      if (plain && partner != NONE && !r->edges[partner].closed)
         into_flow(t, &s, partner);
   }
   if (s.flow != NONE)
      open_rest(t, &s);
   else if (header != NONE && r->places[header].endless)
      leave_by_latch(t, &s, &r->places[header]);

   for (uint32_t e = t->edges_at[place]; e != NONE; e = r->edges[e].next_at_target) {
      if (r->edges[e].closed)
         continue;
      r->edges[e].closed = true;
      obey(t, &s, r->edges[e].class);
   }
   if (s.class == NONE && p->inside)
      s.class = find(t, t->class_of_cycle[r->place_of[p->inside->node.index]]);
   else if (s.class == NONE)
      s.class = 0;
   for (uint32_t e = t->edges_at[place]; e != NONE; e = r->edges[e].next_at_target) {
      uint32_t partner = r->edges[e].partner;
      uint32_t into = r->edges[e].into;
      bool here = into == NONE || (into == s.flow && r->flows[into].never);
      if (!here || partner == NONE || r->edges[partner].closed)
         continue;
      if (armed == NONE)
         armed = new_class(t, s.class);
      park(t, partner, armed);
   }
   if (s.flow != NONE && r->flows[s.flow].rest != NONE && !r->flows[s.flow].never) {
      if (armed == NONE)
         armed = new_class(t, s.class);
      park(t, r->flows[s.flow].rest, armed);
   }
   if (armed != NONE)
      s.class = armed;

   if (p->kind == RC_BLOCK && p->cycle)
      s.class = t->class_of_cycle[place] = new_class(t, s.class);
   if (p->kind == RC_BLOCK)
      open_edges(t, place, s.class);
   if (p->kind == RC_LATCH) {
      give_to_cycle(t, s.class, find(t, t->class_of_cycle[header]));
      drop_if_free(t, find(t, t->class_of_cycle[header]));
   }
}

void
hd_rc_open_tree(rc *r)
{
   struct tree t = { .r = r };
   size_t num_edges = 1, num = r->num_places;

   for (uint32_t p = 0; p < r->num_places; p++)
      num_edges += r->places[p].kind == RC_BLOCK ? r->places[p].block->num_succs : 0;
   /* A flow block at each place, and the edge by which lanes leave it. */
   r->edges = hd_stack_alloc(r->stack, (num_edges + num) * sizeof(*r->edges));
   r->flows = hd_stack_alloc(r->stack, num * sizeof(*r->flows));
   r->flow_at = rc_scratch_fill(r, num, 0xff);
   /* The root, one at each place where a branch is armed, one for each cycle. */
   t.classes = hd_stack_alloc(r->stack, (2 * num + 1) * sizeof(*t.classes));
   t.entries = hd_stack_alloc(r->stack, (num_edges + num) * sizeof(*t.entries));
   t.entries_at = rc_scratch_fill(r, num, 0xff);
   t.edges_at = rc_scratch_fill(r, num, 0xff);
   t.class_of_cycle = rc_scratch_fill(r, num, 0xff);
   t.list = rc_scratch(r, num_edges + num);
   t.classes_here = rc_scratch(r, 2 * num + 1);
   hd_rc_find_endless(r);
   uint32_t *found = rc_scratch(r, 2 * num + 1);
   bool *below = hd_stack_alloc(r->stack, 2 * num + 1);

   new_class(&t, NONE);
   for (uint32_t p = 0; p < r->num_places; p++)
      process(&t, p, found, below);
}
