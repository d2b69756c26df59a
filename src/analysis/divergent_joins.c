/* SPDX-License-Identifier: MIT */
/* divergent_joins.c - divergence points and reconvergence points: where lanes that diverge at a branch can
 * meet again.
 *
 * Two lanes run a branch together and leave it by different successors. At which blocks can they be
 * active together next, and by which edges do they come? This is the sync dependence of divergence
 * analysis (Karrenberg and Hack; LLVM's SyncDependenceAnalysis), made exact and extended to
 * irreducible graphs.
 *
 * Labels are propagated in sweep order. Each successor of the branch gets a label of its own, an edge
 * carries the label of its source block, and a block that two labels reach is a join: the lanes can
 * meet there by any two of its edges that carry labels. A join gets a new label, for lanes that
 * diverge again do so at another branch. The walk ends where only one block has lanes waiting.
 *
 * Loops. In one sweep of a loop around the branch, some labels reach back edges and some reach exits.
 * If all reach back edges, the lanes meet at the header. If there are both, the loop is left in
 * different sweeps (temporal divergence), unless there is a single label beside which all others have
 * ended: lanes that are still in the loop leave it later by any exit, with the label that the header
 * has then. Two lanes that are both still in the loop meet at the header. A loop that is entered with
 * one label is left with that label. One that is entered with several labels, at several blocks, is
 * swept in the same way.
 *
 * An edge to the end block does not count: lanes that have ended do not reconverge.
 *
 * This is exact if every branch can go either way whatever the other branches did: lanes with
 * different labels reach a block if and only if there are paths from the branch to it that share no
 * block of one sweep.
 *
 * Time. Single-entry single-exit regions are skipped, so a nest or a chain of ifs costs its size once.
 * Each phi and each loop is found once, so a walk ends where nothing is ahead of it that was not found
 * before. On some graphs the walks of n branches can still take n steps each; `steps_left` bounds
 * that, and part_coarsely marks the rest: sound, and linear for all branches together.
 */
#include "analysis/divergent_joins.h"

void
hd_low_heap_push(hd_low_heap *heap, uint32_t item)
{
   uint32_t at = heap->num++;

   for (; at && heap->item[(at - 1) / 2] > item; at = (at - 1) / 2)
      heap->item[at] = heap->item[(at - 1) / 2];
   heap->item[at] = item;
}

uint32_t
hd_low_heap_pop(hd_low_heap *heap)
{
   uint32_t top = heap->item[0], last = heap->item[--heap->num], at = 0;

   for (uint32_t child = 1; child < heap->num; child = 2 * at + 1) {
      child += child + 1 < heap->num && heap->item[child + 1] < heap->item[child];
      if (heap->item[child] >= last)
         break;
      heap->item[at] = heap->item[child];
      at = child;
   }
   heap->item[at] = last;
   return top;
}

/* Edges that leave cycles, for each cycle that they leave. False: there are too many to list. */
static bool
list_exits(hd_divergent_joins *p, uint32_t num_edges)
{
   hd_stack *stack = hd_shader_stack(p->f->shader);
   const uint32_t num_cycles = p->basis.cycles->num_cycles;
   uint64_t most = 16 * (uint64_t)num_edges + 1024, num = 0;

   p->exit_begin = scratch_fill(stack, (size_t)num_cycles + 2, 0);
   p->exit = NULL;
   for (int fill = 0; fill < 2; fill++) {
      for (uint32_t at = 0; at < p->num; at++) {
         const hd_block *b = block_at(p, at);
         if (cycle_of(p, at) == NONE)
            continue;
         for (uint32_t s = 0; s < b->num_succs; s++) {
            uint32_t edge = edge_out(p, b, s);
            if (edge == NONE)
               continue;
            uint32_t c = cycle_of(p, at);
            for (; c != NONE && !contains(p, c, p->target[edge]); c = parent_of(p, c)) {
               if (fill)
                  p->exit[p->exit_begin[c + 1]++] = edge;
               else if (num++ < most)
                  p->exit_begin[c + 2]++;
               else
                  return false;
            }
         }
      }
      if (fill)
         break;
      for (uint32_t c = 0; c < num_cycles; c++)
         p->exit_begin[c + 2] += p->exit_begin[c + 1];
      p->exit = scratch(stack, num);
   }
   return true;
}

/* Do all edges go forward but those back to headers? */
static bool
is_ordered(const hd_divergent_joins *p)
{
   for (uint32_t e = 0; e < p->edge_begin[p->num]; e++) {
      uint32_t from = edge_from(p, e);
      if (from < p->num && from >= p->target[e] && goes_back_to(p, e) == NONE)
         return false;
   }
   return true;
}

static unsigned
log_of(uint32_t n)
{
   return n ? 32 - (unsigned)__builtin_clz(n) : 0;
}

/* Headers that were declared can be dominated by a block of their cycle: all lanes enter it there.
 * What that block defines is read in the next sweep too, by lanes that pass it by.
 */
static void
find_late(hd_divergent_joins *p)
{
   for (uint32_t c = 0; c < p->basis.cycles->num_cycles; c++) {
      const hd_block *b = cycle_at(p, c)->header;
      while ((b = p->basis.dom->node[block_slot(p->f, b)].idom)) {
         uint32_t at = place_of(p, b);
         if (!contains(p, c, at))
            break;
         p->late[at] = true;
      }
   }
}

/* Count the cycles that lanes enter at several blocks and some of whose blocks are in them by
 * declaration: the header need not lead to those, and so not to where lanes leave by them.
 */
static void
count_loose(hd_divergent_joins *p)
{
   bool declared = false;

   for (uint32_t at = 0; at < p->num && !declared; at++)
      declared = block_at(p, at)->loop_header;
   p->num_loose[0] = 0;
   for (uint32_t at = 0; at < p->num; at++) {
      const uint32_t c = headed_by(p, at);
      p->num_loose[at + 1] =
          p->num_loose[at] + (declared && c != NONE && cycle_at(p, c)->has_other_entries);
   }
}

void
hd_divergent_joins_init(hd_divergent_joins *p, hd_function *f, const hd_basis *basis)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   uint32_t num = basis->cycles->num_reachable, num_cycles = basis->cycles->num_cycles;
   uint32_t num_edges = 0;

   *p = (hd_divergent_joins){ .f = f, .basis = *basis, .num = num, .level = NONE };
   p->edge_begin = scratch(stack, (size_t)num + 1);
   for (uint32_t at = 0; at < num; at++) {
      p->edge_begin[at] = num_edges;
      num_edges += block_at(p, at)->num_preds;
   }
   p->edge_begin[num] = num_edges;
   p->target = scratch(stack, num_edges);
   for (uint32_t at = 0; at < num; at++) {
      for (uint32_t e = p->edge_begin[at]; e < p->edge_begin[at + 1]; e++)
         p->target[e] = at;
   }
   p->num_wanted = scratch_fill(stack, num, 0);
   p->next_open = scratch(stack, (size_t)num + 1);
   for (uint32_t at = 0; at <= num; at++)
      p->next_open[at] = at;
   p->cycle_cause = scratch_fill(stack, num_cycles, 0xff);
   p->unsettled = scratch(stack, num_cycles);
   p->not_coarse = scratch(stack, num_cycles);
   for (uint32_t c = 0; c < num_cycles; c++)
      p->unsettled[c] = p->not_coarse[c] = c;
   p->left.item = scratch(stack, num_cycles);
   p->edge_stamp = scratch_fill(stack, num_edges, 0);
   p->edge_label = scratch(stack, num_edges);
   p->block_stamp = scratch_fill(stack, num, 0);
   p->block_label = scratch(stack, num);
   p->pending_stamp = scratch_fill(stack, num, 0);
   p->pending.item = scratch(stack, num);
   p->back_stamp = scratch_fill(stack, num_cycles, 0);
   p->way_out_stamp = scratch_fill(stack, num_cycles, 0);
   p->way_out_label = scratch(stack, num_cycles);
   p->list = scratch(stack, num);
   p->steps_left = (UINT64_C(1) << 19) + 16 * ((uint64_t)num + num_edges) * log_of(num + num_edges);
   hd_heap_step(hd_shader_heap(f->shader), num + num_edges);
   p->late = memset(hd_stack_alloc(stack, num + 1), 0, num + 1);
   find_late(p);
   p->num_loose = scratch(stack, (size_t)num + 1);
   count_loose(p);
   p->exits_listed = list_exits(p, num_edges);
   p->ordered = is_ordered(p);
   if (!p->exits_listed || !p->ordered || basis->coarse)
      p->steps_left = 0;
   hd_find_meetings(p);
}

void
hd_divergent_joins_count(hd_divergent_joins *p, uint32_t num)
{
   hd_heap_step(hd_shader_heap(p->f->shader), num);
   p->steps_left -= num < p->steps_left ? num : p->steps_left;
}

static void
set_left(hd_divergent_joins *p, uint32_t cycle)
{
   if (p->cycle_cause[cycle] != NONE)
      return;
   p->cycle_cause[cycle] = p->branch;
   hd_low_heap_push(&p->left, UINT32_MAX - cycle);
}

static void
make_pending(hd_divergent_joins *p, uint32_t place)
{
   if (p->pending_stamp[place] == p->stamp)
      return;
   p->pending_stamp[place] = p->stamp;
   hd_low_heap_push(&p->pending, place);
}

/* Lanes with this label take an edge. */
static void
deliver(hd_divergent_joins *p, uint32_t edge, uint32_t label)
{
   uint32_t to = p->target[edge], back = goes_back_to(p, edge);

   if (p->edge_stamp[edge] == p->stamp && p->edge_label[edge] != label)
      label = LABEL_MIXED;
   p->edge_stamp[edge] = p->stamp;
   p->edge_label[edge] = label;
   /* Cycles that are swept need to know what left them. */
   for (uint32_t c = p->level; c != NONE && !contains(p, c, to); c = parent_of(p, c)) {
      bool mixed = p->way_out_stamp[c] == p->stamp && p->way_out_label[c] != label;
      p->way_out_stamp[c] = p->stamp;
      p->way_out_label[c] = mixed ? LABEL_MIXED : label;
      hd_divergent_joins_count(p, 1);
   }
   if (back == NONE) {
      make_pending(p, to);
   } else if (p->back_stamp[back] != p->stamp) {
      p->back_stamp[back] = p->stamp;
      p->num_back++;
   }
}

/* The label with which a block runs: of what came by edges back if it is a header and `back` is
 * set, else of all others.
 */
static uint32_t
meet(hd_divergent_joins *p, uint32_t place, bool back)
{
   uint32_t label = NONE;
   bool any = false, many = false;

   hd_divergent_joins_count(p, p->edge_begin[place + 1] - p->edge_begin[place] + 1);
   if (p->block_stamp[place] == p->stamp)
      return p->block_label[place];
   for (uint32_t e = p->edge_begin[place]; e < p->edge_begin[place + 1]; e++) {
      if (!edge_has_label(p, e, back))
         continue;
      many |= p->edge_label[e] == LABEL_MIXED || (any && label != p->edge_label[e]);
      label = p->edge_label[e];
      any = true;
   }
   if (!many)
      return label;
   p->met(p->user, place, back);
   return p->num_labels++;
}

static void
leave_cycle(hd_divergent_joins *p, uint32_t cycle, uint32_t label)
{
   hd_divergent_joins_count(p, p->exit_begin[cycle + 1] - p->exit_begin[cycle] + 1);
   for (uint32_t n = p->exit_begin[cycle]; n < p->exit_begin[cycle + 1]; n++)
      deliver(p, p->exit[n], label);
}

static bool
nothing_waits(const hd_divergent_joins *p)
{
   return !p->pending.num && !p->num_back;
}

/* A sweep of the level's cycle is over. False: all lanes wait at its header. */
static bool
end_sweep(hd_divergent_joins *p)
{
   uint32_t cycle = p->level;

   p->level = parent_of(p, cycle);
   if (p->back_stamp[cycle] != p->stamp)
      return true;
   p->num_back--;
   uint32_t header = cycle_at(p, cycle)->first, label = meet(p, header, true);
   if (nothing_waits(p))
      return false;
   /* Lanes that wait outside may have left by another exit; and if they have the same label, then
    * the lanes of the other labels have ended.
    */
   if (p->way_out_stamp[cycle] == p->stamp &&
       (p->way_out_label[cycle] != label || label == LABEL_MIXED))
      set_left(p, cycle);
   leave_cycle(p, cycle, label);
   return true;
}

/* Lanes wait in a cycle that has the branch not in it. With one label they will leave it with that;
 * with several it is swept: it becomes the level. False: all lanes are together.
 */
static bool
enter_cycle(hd_divergent_joins *p, uint32_t cycle)
{
   uint32_t num = 0, label = NONE;
   bool several = false;

   while (p->pending.num && contains(p, cycle, p->pending.item[0]))
      p->list[num++] = hd_low_heap_pop(&p->pending);
   for (uint32_t n = 0; n < num; n++) {
      uint32_t other = meet(p, p->list[n], false);
      several |= n && other != label;
      label = other;
   }
   if (num == 1 && nothing_waits(p))
      return false;
   if (!several) {
      leave_cycle(p, cycle, label);
      return true;
   }
   for (uint32_t n = 0; n < num; n++)
      hd_low_heap_push(&p->pending, p->list[n]);
   p->level = cycle;
   return true;
}

static bool
dominates(const hd_divergent_joins *p, uint32_t a, uint32_t b)
{
   const struct dom_node *m = &p->basis.dom->node[block_slot(p->f, block_at(p, a))];
   const struct dom_node *n = &p->basis.dom->node[block_slot(p->f, block_at(p, b))];

   return n->in - m->in < m->size;
}

/* The block that ends a single-entry, single-exit region which begins here, or NONE. If a cycle
 * around it, not only the innermost, is irreducible, this block may dominate the header, and paths
 * from the header need not come by here again. Else no path in one sweep reaches what this block
 * dominates but through it: one that does would, from its header, do so from the start. Or from a
 * header that does not lead here: then the cycle is loose.
 */
static uint32_t
jump_over(const hd_divergent_joins *p, uint32_t place)
{
   uint32_t to = p->meeting[place], c = cycle_of(p, place);

   if (block_at(p, place)->num_succs < 2 || to >= p->num || cycle_of(p, to) != c ||
       headed_by(p, place) != NONE || p->late[place] || p->num_loose[to] != p->num_loose[place + 1])
      return NONE;
   return dominates(p, place, to) ? to : NONE;
}

static void
go_on(hd_divergent_joins *p, uint32_t place, uint32_t label)
{
   const hd_block *b = block_at(p, place);
   uint32_t end = jump_over(p, place);

   if (end != NONE) {
      p->block_stamp[end] = p->stamp;
      p->block_label[end] = label;
      make_pending(p, end);
      return;
   }
   hd_divergent_joins_count(p, b->num_succs);
   for (uint32_t s = 0; s < b->num_succs; s++) {
      uint32_t edge = edge_out(p, b, s);
      if (edge != NONE)
         deliver(p, edge, label);
   }
}

/* Can a walk of a branch that is not in it find something at this place, or about the cycle that it
 * heads? With one entry that is left as it was entered.
 */
static bool
is_open(const hd_divergent_joins *p, uint32_t place)
{
   uint32_t c = headed_by(p, place);

   return p->num_wanted[place] ||
          (c != NONE && cycle_at(p, c)->has_other_entries && p->cycle_cause[c] == NONE);
}

/* The first place from this one on that is open. What is closed stays so. */
static uint32_t
next_open(hd_divergent_joins *p, uint32_t at)
{
   while (at < p->num && (p->next_open[at] != at || !is_open(p, at))) {
      if (p->next_open[at] == at)
         p->next_open[at] = at + 1;
      uint32_t next = p->next_open[at];
      /* Path halving: later searches are shorter. */
      p->next_open[at] = p->next_open[next];
      at = next;
   }
   return at;
}

/* A link of each cycle to itself or one around it, over such as need no look any more: the cycle
 * itself or the innermost one around it that links to itself, or NONE.
 */
static uint32_t
follow(hd_divergent_joins *p, uint32_t *link, uint32_t cycle)
{
   while (cycle != NONE && link[cycle] != cycle) {
      uint32_t next = link[cycle];
      hd_divergent_joins_count(p, 1);
      /* Path halving: later searches are shorter. */
      if (next != NONE)
         link[cycle] = link[next];
      cycle = next;
   }
   return cycle;
}

/* The innermost cycle, of this one and those around it, of which something is still to be found.
 * What is settled stays so.
 */
static uint32_t
find_unsettled(hd_divergent_joins *p, uint32_t cycle)
{
   uint32_t c = follow(p, p->unsettled, cycle);

   while (c != NONE && p->cycle_cause[c] != NONE && !p->num_wanted[cycle_at(p, c)->first]) {
      p->unsettled[c] = parent_of(p, c);
      c = follow(p, p->unsettled, c);
   }
   return c;
}

/* Where the lanes of the branch are together again: the walk goes no further, but to the headers of
 * cycles that it ends a sweep of. Where those are still of interest: `num`, before which no walk
 * ends early.
 */
static uint32_t
find_limit(hd_divergent_joins *p)
{
   uint32_t to = p->meeting[p->branch], limit = to;

   if (to == MEET_NOWHERE) {
      limit = p->num - 1;
   } else if (to >= p->num) {
      const hd_cycle *c = cycle_at(p, to - p->num);
      to = c->first;
      limit = c->first + c->num_blocks - 1;
      if (p->num_wanted[to])
         return p->num;
   }
   const uint32_t c = find_unsettled(p, cycle_of(p, p->branch));
   return c == NONE || (to != MEET_NOWHERE && contains(p, c, to)) ? limit : p->num;
}

/* Is there nothing to be found from this place on, where the level holds the branch? */
static bool
finds_nothing(hd_divergent_joins *p, uint32_t from)
{
   return p->limit < p->num && next_open(p, from) > p->limit;
}

static void
walk(hd_divergent_joins *p)
{
   for (;;) {
      uint32_t at = p->pending.num ? p->pending.item[0] : NONE;

      if (p->level != NONE && (at == NONE || !contains(p, p->level, at))) {
         if (!end_sweep(p))
            return;
         continue;
      }
      if (at == NONE)
         return;
      uint32_t inner = cycle_of(p, at);
      if (inner != p->level) {
         for (; parent_of(p, inner) != p->level; inner = parent_of(p, inner))
            hd_divergent_joins_count(p, 1);
         if (!enter_cycle(p, inner))
            return;
         continue;
      }
      hd_low_heap_pop(&p->pending);
      uint32_t label = meet(p, at, false);
      if (nothing_waits(p))
         return;
      if ((p->level == NONE || contains(p, p->level, p->branch)) && finds_nothing(p, at + 1))
         return;
      go_on(p, at, label);
   }
}

/* The places from `begin` to before `end`: lanes may reach each by any of its edges together. */
static void
mark_coarsely(hd_divergent_joins *p, uint32_t begin, uint32_t end)
{
   for (uint32_t at = begin; at < end;) {
      if (p->next_fine[at] != at) {
         uint32_t next = p->next_fine[at];
         /* Path halving: later searches are shorter. */
         p->next_fine[at] = p->next_fine[next < p->num ? next : at];
         at = next;
         continue;
      }
      for (uint32_t e = p->edge_begin[at]; e < p->edge_begin[at + 1]; e++) {
         p->edge_stamp[e] = p->stamp;
         p->edge_label[e] = LABEL_MIXED;
      }
      p->met(p->user, at, false);
      uint32_t headed = headed_by(p, at);
      if (headed != NONE)
         p->met(p->user, at, true);
      if (headed != NONE && cycle_at(p, headed)->has_other_entries)
         set_left(p, headed);
      p->next_fine[at] = at + 1;
   }
}

/* All that a walk could find lies between the branch and the place where its lanes are together
 * again, or in cycles around the branch that do not hold this place. A cycle for which this was
 * done is marked as a whole, because the place was behind it.
 */
static void
part_coarsely(hd_divergent_joins *p)
{
   uint32_t to = p->meeting[p->branch], begin = p->branch + 1, end = p->num, header = NONE;

   if (!p->next_fine) {
      p->next_fine = scratch(hd_shader_stack(p->f->shader), (size_t)p->num + 1);
      for (uint32_t at = 0; at <= p->num; at++)
         p->next_fine[at] = at;
   }
   if (to < p->num) {
      end = to + 1;
   } else if (to != MEET_NOWHERE) {
      const hd_cycle *c = cycle_at(p, to - p->num);
      header = c->first;
      end = c->first + c->num_blocks;
   }
   if (!p->ordered) {
      for (uint32_t c = 0; c < p->basis.cycles->num_cycles && !p->all_left; c++)
         set_left(p, c);
      p->all_left = true;
      mark_coarsely(p, 0, p->num);
      return;
   }
   for (uint32_t c = cycle_of(p, p->branch); (c = follow(p, p->not_coarse, c)) != NONE;) {
      if (header == cycle_at(p, c)->first || (to < p->num && contains(p, c, to)))
         break;
      hd_divergent_joins_count(p, 1);
      set_left(p, c);
      begin = cycle_at(p, c)->first;
      p->not_coarse[c] = parent_of(p, c);
   }
   if (header != NONE)
      mark_coarsely(p, header, header + 1);
   mark_coarsely(p, begin, end);
}

void
hd_part_at(hd_divergent_joins *p, uint32_t place)
{
   const hd_block *b = block_at(p, place);

   p->branch = place;
   p->stamp++;
   if (!p->steps_left) {
      part_coarsely(p);
      return;
   }
   p->limit = find_limit(p);
   hd_divergent_joins_count(p, 1);
   if (finds_nothing(p, place + 1))
      return;
   p->num_labels = 0;
   p->pending.num = 0;
   p->num_back = 0;
   p->level = cycle_of(p, place);
   for (uint32_t s = 0; s < b->num_succs; s++) {
      uint32_t edge = edge_out(p, b, s);
      if (edge != NONE)
         deliver(p, edge, p->num_labels++);
   }
   walk(p);
}
