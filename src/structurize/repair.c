/* SPDX-License-Identifier: MIT */
/* repair.c - SSA repair (SSA reconstruction): insert phis where definitions no longer dominate their
 * uses, for trees and flat functions. On demand, along the dominator tree.
 *
 * A definition d stands in block A; a use reads it at the end of U, and A does not dominate U. Let
 * x be the lowest block that dominates both, and y the child of x, in the dominator tree, above U:
 *
 *             x                All paths from A to U come in by y, because y dominates U and not A.
 *           /   \              Below y all that is known of d came in by y. So the value at U is
 *          .     y  <- here    that at y: if d has a phi anywhere that U can read, it is there.
 *         /       \            And it is not trivial: each value of d that comes into y is defined
 *        A         U           in a block that is not above A, so in none that dominates y.
 *
 * A place is such a y, a merge point. What comes into it by its predecessor p is d, if A dominates
 * p, or what is at the place for p, found in the same way. Of the places met on the path back from
 * the uses, those are live which d flows into, directly or through others; they get a phi, and
 * where another place is read, undef.
 *
 * The value does not survive the header of a cycle that contains A. Without the edges into such
 * headers, what A reaches comes after A in the sweep order: an edge that goes back in it goes to
 * the header of a cycle; if that contains A it is one of those edges, and if not, it comes after A
 * as a whole or it was not reached from A. So a place that is not after A is undef at once. Reverse
 * postorder says the same where find_orders finds it does. The two leave choices open in opposite
 * ways: of two blocks on parallel paths (the sides of a ladder), each comes first in one of them,
 * so that what A does not reach is mostly known without a search.
 *
 * In a tree the places are blocks after an enclosing if or loop, and heads of enclosing loops'
 * continue lists: the first block of another arm has one predecessor, which dominates A, and the
 * header of an enclosing loop comes before A.
 *
 * What if U dominates A? Then U is read before d is made, but for one case. Say A reaches U on a
 * way without those headers. U reaches A, so both are in one cycle; take the innermost. Its header
 * h is on every path from U to A, else both were in a cycle inside it. A shortest path from h to A
 * avoids U, because from U it would come by h again. As U dominates A, it dominates h. So there is
 * a block of a cycle that dominates the cycle's header. That can only be where the header was
 * declared: the cycle is always entered late. For definitions in such cycles (is_late) places are
 * all joins on the way, and those that turn out to be trivial are taken back.
 */
#include "structurize/repair.h"

#include "heddle/edit.h"
#include "ir/private.h"
#include "ir/repair.h"
#include "util/memory.h"

/* Where the value of the definition at hand is one, and which. */
struct place {
   hd_def *value;       /* the definition, or the phi once it is made */
   hd_block *block;     /* its head; NULL for the place of the definition itself */
   struct place **from; /* by predecessor: the place whose value comes; NULL: undef */
   struct feed *feeds;  /* the places that read this one */
   struct place *next;  /* in the order in which they were found */
   struct place *work_next;
   struct place *same; /* what comes is always what this one has; or NULL */
   bool live;          /* the definition flows into it */
   bool queued;        /* by find_same */
};

struct feed {
   struct place *reader;
   struct feed *next;
};

/* A use that is not dominated. */
struct bad_use {
   hd_src *src;
   struct place *place; /* whose value it reads; NULL: undef */
   struct bad_use *next;
};

struct repair {
   hd_function *f;
   hd_stack *stack;
   hd_heap *heap;
   hd_undefs undefs;
   uint32_t num_phis;
   struct bad_use **bad; /* by definition's index */
   uint32_t num_bad;
   uint32_t num_defs;    /* before anything was made */
   hd_block **jump;      /* by block index: an ancestor in the dominator tree; see find_jumps */
   hd_instr **head;      /* by block index: its last phi or parameter */
   bool *head_known;     /* by block index */
   struct place **place; /* by block index: of the definition at hand */
   struct place *first, **end; /* the list of its places */
   bool *late;                 /* by cycle index: see is_late */
   bool around;                /* values survive headers: every definition counts as late */
   bool walk_orders;           /* see find_orders */
   struct place itself;
};

static bool
is_reachable(const hd_block *b)
{
   return hd_block_idom(b) || b == hd_function_start(hd_block_function(b));
}

static void *
alloc_zero(struct repair *r, size_t num, size_t size)
{
   return hd_stack_alloc_zero(r->stack, (num ? num : 1) * size);
}

/* Finding what is to be repaired */

static void
note_bad_use(struct repair *r, hd_src *src)
{
   struct bad_use *use = alloc_zero(r, 1, sizeof(*use));

   use->src = src;
   use->next = r->bad[src->def->index];
   r->bad[src->def->index] = use;
   r->num_bad++;
}

/* A value of the same block is there for phis of successors, and for those that come after it. */
static bool
is_dominated(const hd_src *src, const hd_block *at, bool at_end, const bool *passed)
{
   const hd_block *from = hd_def_instr(src->def)->block;

   if (from != at)
      return hd_block_dominates(from, at);
   return at_end || passed[src->def->index];
}

static void
find_bad_uses_in(struct repair *r, hd_block *b, bool *passed)
{
   hd_foreach_instr(i, b) {
      bool is_phi = i->kind == HD_INSTR_PHI;
      uint32_t n = 0;

      hd_heap_step(r->heap, 1);
      hd_foreach_src(src, i) {
         hd_block *at = is_phi ? b->preds[n++].from : b;
         if ((!is_phi || is_reachable(at)) && !is_dominated(src, at, is_phi, passed))
            note_bad_use(r, src);
      }
      if (hd_instr_def(i))
         passed[i->def.index] = true;
   }
   hd_if *nif = hd_block_next_if(b);
   if (nif && !is_dominated(&nif->cond, b, true, passed))
      note_bad_use(r, &nif->cond);
}

static void
find_bad_uses(struct repair *r)
{
   bool *passed = alloc_zero(r, r->f->num_defs, sizeof(*passed));

   hd_foreach_block(b, r->f) {
      if (is_reachable(b))
         find_bad_uses_in(r, b, passed);
   }
}

/* Ways up the dominator tree */

/* Two jumps of one length are followed by one over both: the way to any ancestor then takes a
 * logarithmic number of jumps and steps.
 */
static void
find_jumps(struct repair *r)
{
   hd_block *start = hd_function_start(r->f);

   r->jump = alloc_zero(r, r->f->num_blocks, sizeof(*r->jump));
   r->jump[start->node.index] = start;
   for (hd_block *b = hd_block_dom_next(start); b; b = hd_block_dom_next(b)) {
      if (hd_block_is_end(b))
         continue;
      hd_block *up = hd_block_idom(b), *over = r->jump[up->node.index];
      hd_block *far = r->jump[over->node.index];
      uint32_t depth = hd_block_dom_depth(over);

      r->jump[b->node.index] =
          hd_block_dom_depth(up) - depth == depth - hd_block_dom_depth(far) ? far : up;
   }
}

/* The highest block that dominates `b` and not `a`; NULL if `b` dominates `a`. */
static hd_block *
highest_apart(const struct repair *r, const hd_block *a, hd_block *b)
{
   if (hd_block_dominates(b, a))
      return NULL;
   for (;;) {
      hd_heap_step(r->heap, 1);
      hd_block *jump = r->jump[b->node.index], *up = hd_block_idom(b);

      if (!hd_block_dominates(jump, a))
         b = jump;
      else if (!hd_block_dominates(up, a))
         b = up;
      else
         return b;
   }
}

/* Is the header of a cycle that contains the block dominated by another block of the cycle? */
static bool
is_late(const struct repair *r, const hd_block *b)
{
   const hd_cycle *c = hd_block_cycle(b);

   return r->around || (c && r->late[c->index]);
}

static void
find_late(struct repair *r)
{
   uint32_t num = hd_function_num_cycles(r->f);

   r->late = alloc_zero(r, num, sizeof(*r->late));
   for (uint32_t n = 0; n < num; n++) {
      const hd_cycle *c = hd_function_cycle(r->f, n);
      r->late[n] = hd_cycle_contains(c, hd_block_idom(c->header)) ||
                   (c->parent && r->late[c->parent->index]);
   }
}

/* Is what a block reaches, without coming by headers of its cycles, after it in reverse postorder?
 *
 * It is if each edge that goes back in that order goes to the header of a cycle that it comes from,
 * and each cycle's header comes after all blocks with an edge into the cycle. For: a path from A
 * goes back only to a header h, of a cycle without A. It has come into that cycle from a block that
 * is A or comes after it, and h comes after that block. This is so in every nest that comes from
 * the depth-first walk alone. Where cycles are entered at more levels than there are blocks it is
 * not looked for.
 */
static bool
find_orders(struct repair *r)
{
   uint32_t num = 0, num_levels = 0;
   hd_block *const *order = hd_function_rpo(r->f, &num);
   const uint32_t num_reachable = hd_function_num_reachable(r->f), max_levels = num + 64;

   for (uint32_t n = 0; n < num_reachable; n++) {
      const hd_block *from = order[n];
      hd_heap_step(r->heap, 1);
      for (uint32_t s = 0; s < from->num_succs; s++) {
         const hd_block *to = from->succs[s].to;
         const hd_cycle *c = hd_block_headed_cycle(to);
         if (hd_block_is_end(to))
            continue;
         if (hd_block_rpo_index(to) <= n && !(c && hd_cycle_contains(c, from)))
            return false;
         for (c = hd_block_cycle(to); c && !hd_cycle_contains(c, from); c = c->parent) {
            if (hd_block_rpo_index(c->header) < n || ++num_levels > max_levels)
               return false;
         }
      }
   }
   return true;
}

static bool
is_after(const struct repair *r, const hd_block *b, const hd_block *a)
{
   return r->around || (hd_block_sweep_index(b) > hd_block_sweep_index(a) &&
                        (!r->walk_orders || hd_block_rpo_index(b) > hd_block_rpo_index(a)));
}

/* The nearest block with several predecessors on the path back from `at`; NULL if the path passes a
 * block that is not after `a`.
 */
static hd_block *
join_before(struct repair *r, const hd_block *a, hd_block *at)
{
   while (at && is_after(r, at, a)) {
      uint32_t num = 0;
      hd_block *pred = NULL;

      hd_heap_step(r->heap, 1);
      for (uint32_t n = 0; n < at->num_preds; n++) {
         if (is_reachable(at->preds[n].from)) {
            pred = at->preds[n].from;
            num++;
         }
      }
      if (num > 1)
         return at;
      at = pred;
   }
   return NULL;
}

/* Places */

/* The place of the value at the head of a reachable block that the definition is in or does not
 * dominate; NULL: undef.
 */
static struct place *
place_at_head(struct repair *r, hd_block *at)
{
   hd_block *a = hd_def_instr(r->itself.value)->block;

   if (at == a && !r->around)
      return NULL;
   hd_block *y = is_late(r, a) ? join_before(r, a, at) : highest_apart(r, a, at);
   if (!y || !is_after(r, y, a))
      return NULL;
   struct place **known = &r->place[y->node.index];
   if (*known)
      return *known;
   struct place *place = alloc_zero(r, 1, sizeof(*place));
   place->block = y;
   *known = place;
   *r->end = place;
   r->end = &place->next;
   return place;
}

/* The same at the end of a block. */
static struct place *
place_for(struct repair *r, hd_block *at)
{
   if (hd_block_dominates(hd_def_instr(r->itself.value)->block, at))
      return &r->itself;
   return place_at_head(r, at);
}

static void
find_what_comes(struct repair *r, struct place *place)
{
   const hd_block *b = place->block;

   hd_heap_step(r->heap, b->num_preds);
   place->from = alloc_zero(r, b->num_preds, sizeof(*place->from));
   for (uint32_t n = 0; n < b->num_preds; n++) {
      if (!is_reachable(b->preds[n].from))
         continue;
      struct place *from = place_for(r, b->preds[n].from);
      place->from[n] = from;
      if (!from || from == place)
         continue;
      struct feed *feed = alloc_zero(r, 1, sizeof(*feed));
      feed->reader = place;
      feed->next = from->feeds;
      from->feeds = feed;
   }
}

static void
find_live(struct repair *r)
{
   struct place *work = &r->itself;

   work->live = true;
   while (work) {
      struct place *place = work;

      work = place->work_next;
      for (struct feed *feed = place->feeds; feed; feed = feed->next) {
         if (feed->reader->live)
            continue;
         feed->reader->live = true;
         feed->reader->work_next = work;
         work = feed->reader;
      }
   }
}

static struct place *
final_place(struct place *place)
{
   while (place && place->same)
      place = place->same;
   return place;
}

static void
enqueue(struct place **work, struct place *place)
{
   if (!place->live || place->same || place->queued)
      return;
   place->queued = true;
   place->work_next = *work;
   *work = place;
}

/* The one place whose value comes into this one, from everywhere, or from everywhere where anything
 * comes if it is known at this place anyway; else NULL.
 */
static struct place *
only_source(const struct repair *r, struct place *place)
{
   struct place *only = NULL;
   bool has_undef = false;

   for (uint32_t n = 0; n < place->block->num_preds; n++) {
      struct place *from = final_place(place->from[n]);
      if (from == place)
         continue;
      if (!from || !from->live)
         has_undef |= is_reachable(place->block->preds[n].from);
      else if (only && only != from)
         return NULL;
      else
         only = from;
   }
   if (!only || !has_undef)
      return only;
   /* The definition stands after the head of its own block. */
   const hd_block *b = only->block ? only->block : hd_def_instr(r->itself.value)->block;
   return b != place->block && hd_block_dominates(b, place->block) ? only : NULL;
}

/* Take back trivial places. That may make those trivial that read them; they become readers of what
 * is read instead.
 */
static void
find_same(struct repair *r)
{
   struct place *work = NULL;

   for (struct place *place = r->first; place; place = place->next)
      enqueue(&work, place);
   while (work) {
      struct place *place = work;

      work = place->work_next;
      place->queued = false;
      hd_heap_step(r->heap, place->block->num_preds);
      place->same = only_source(r, place);
      if (!place->same)
         continue;
      for (struct feed *feed = place->feeds, *next; feed; feed = next) {
         next = feed->next;
         enqueue(&work, feed->reader);
         feed->next = place->same->feeds;
         place->same->feeds = feed;
      }
   }
}

/* Where phis and what stands at the head of a block go after; NULL: first. Blocks can get many. */
static hd_instr **
head_of(struct repair *r, hd_block *b)
{
   hd_instr **head = &r->head[b->node.index];

   if (!r->head_known[b->node.index]) {
      r->head_known[b->node.index] = true;
      for (hd_instr *i = b->first; i && (i->kind == HD_INSTR_PHI || i->kind == HD_INSTR_PARAM);
           i = i->next)
         *head = i;
   }
   return head;
}

static void
make_phi(struct repair *r, struct place *place)
{
   const hd_def *def = r->itself.value;
   hd_instr **head = head_of(r, place->block);
   hd_phi *phi =
       hd_phi_create(r->f->shader, def->num_components, def->bit_size, place->block->num_preds);

   hd_instr_link(place->block, *head, &phi->instr);
   *head = &phi->instr;
   place->value = &phi->instr.def;
   r->num_phis++;
}

static hd_def *
value_of(struct repair *r, struct place *wanted)
{
   const hd_def *def = r->itself.value;
   const struct place *place = final_place(wanted);

   return place && place->live ? place->value
                               : hd_undefs_get(&r->undefs, def->num_components, def->bit_size);
}

/* Phis for all that the bad uses of the definition at hand can read. */
static void
find_places(struct repair *r, struct bad_use *uses)
{
   r->first = NULL;
   r->end = &r->first;
   /* In the definition's own block the use comes before it. */
   for (struct bad_use *use = uses; use; use = use->next)
      use->place = place_at_head(r, hd_src_block(use->src));
   for (struct place *place = r->first; place; place = place->next)
      find_what_comes(r, place);
   find_live(r);
   if (is_late(r, hd_def_instr(r->itself.value)->block))
      find_same(r);
   for (struct place *place = r->first; place; place = place->next) {
      r->place[place->block->node.index] = NULL;
      if (place->live && !place->same)
         make_phi(r, place);
   }
   for (struct place *place = r->first; place; place = place->next) {
      for (uint32_t n = 0; place->value && n < place->block->num_preds; n++)
         hd_src_set_def(&((hd_phi *)hd_def_instr(place->value))->srcs[n].src,
                        value_of(r, place->from[n]));
   }
}

static void
repair_with_phis(struct repair *r, hd_def *def, struct bad_use *uses)
{
   hd_stack_mark mark = hd_stack_get_mark(r->stack);

   r->itself = (struct place){ .value = def };
   find_places(r, uses);
   for (struct bad_use *use = uses; use; use = use->next)
      hd_src_set_def(use->src, value_of(r, use->place));
   hd_stack_release(r->stack, mark);
}

/* Constants and undefs read nothing: they can be anywhere. */
static void
move_up(struct repair *r, hd_instr *i, const struct bad_use *uses)
{
   hd_block *to = is_reachable(i->block) ? i->block : hd_src_block(uses->src);

   for (const struct bad_use *use = uses; use; use = use->next) {
      hd_block *below = highest_apart(r, hd_src_block(use->src), to);
      to = below ? hd_block_idom(below) : to;
   }
   hd_instr *head = *head_of(r, to);
   hd_instr_move(head ? hd_after_instr(head) : hd_before_block(to), i);
}

static void
repair_block(struct repair *r, hd_block *b)
{
   /* What is made or moved while this goes on has no bad uses, or none any more. */
   hd_foreach_instr_safe(i, b) {
      if (!hd_instr_def(i) || i->def.index >= r->num_defs || !r->bad[i->def.index])
         continue;
      struct bad_use *uses = r->bad[i->def.index];
      r->bad[i->def.index] = NULL;
      if (i->kind == HD_INSTR_CONST || i->kind == HD_INSTR_UNDEF)
         move_up(r, i, uses);
      else
         repair_with_phis(r, &i->def, uses);
   }
}

static void
repair(hd_function *f, bool around, uint32_t *num_phis)
{
   struct repair r = { .f = f,
                       .around = around,
                       .stack = hd_shader_stack(f->shader),
                       .heap = hd_shader_heap(f->shader) };
   hd_stack_mark mark = hd_stack_get_mark(r.stack);

   hd_require(f, HD_META_DOMINANCE);
   r.num_defs = f->num_defs;
   r.bad = alloc_zero(&r, f->num_defs, sizeof(*r.bad));
   find_bad_uses(&r);
   if (r.num_bad) {
      hd_require(f, HD_META_CYCLES | HD_META_BLOCK_ORDER);
      hd_undefs_init(&r.undefs, f);
      find_jumps(&r);
      find_late(&r);
      r.walk_orders = find_orders(&r);
      r.head = alloc_zero(&r, f->num_blocks, sizeof(*r.head));
      r.head_known = alloc_zero(&r, f->num_blocks, sizeof(*r.head_known));
      r.place = alloc_zero(&r, f->num_blocks, sizeof(*r.place));
      hd_foreach_block(b, f)
         repair_block(&r, b);
      hd_meta_invalidate(f, HD_META_GRAPH);
   }
   hd_stack_release(r.stack, mark);
   if (num_phis)
      *num_phis = r.num_phis;
}

void
hd_repair_ssa(hd_function *f, uint32_t *num_phis)
{
   repair(f, false, num_phis);
}

void
hd_repair_ssa_around(hd_function *f, uint32_t *num_phis)
{
   repair(f, true, num_phis);
}
