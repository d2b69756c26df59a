/* SPDX-License-Identifier: MIT */
/* phi_webs.c - phi webs (congruence classes): coalesce phis and their sources whose live ranges do not
 * interfere.
 *
 * Linear order: the blocks in sweep order; each has a position for its phis, two for each instruction
 * (read, write), and ends where the next block begins. The live range of a value goes from its
 * definition (phis at the head of their block) to its last use (sources of phis at the end of the
 * predecessor), through all blocks between. Adjacent blocks give one segment, so most values have one
 * or two. The segments of a web are disjoint: a treap (Seidel and Aragon) with priorities hashed from
 * positions tests whether another segment overlaps. Of two webs the one with fewer segments is merged
 * into the other, so a segment moves a logarithmic number of times.
 */
#include "passes/phi_webs.h"

#include "passes/pass.h"

#include <stdlib.h>

/* An edge into a phi. */
struct affinity {
   hd_def *phi, *source;
   uint32_t depth; /* cycles around the edge */
   uint32_t order;
};

/* Where a value is read. */
struct read {
   hd_block *block;
   uint32_t place; /* AT_END: by a phi of a successor */
   struct read *next;
};

#define AT_END UINT32_MAX

/* Of one block, where a value is live. */
struct part {
   uint32_t begin, end;
};

struct finder {
   struct webs *webs;
   hd_stack *stack;
   uint32_t *place;     /* by def index: where it is written */
   struct read **reads; /* by def index */
   /* For the value at hand. */
   uint32_t value;      /* its number; what is stamped with it is about this value */
   uint32_t *noted;     /* stamp by block index: it is live in it */
   uint32_t *entered;   /* stamp by block index: it is live at its begin */
   uint32_t *last_read; /* by block index: of those that are noted */
   uint32_t *blocks;    /* those that are noted, by index */
   struct part *parts;  /* the same, as parts of the line */
   hd_block **work;
   uint32_t num_blocks, num_work;
   uint64_t budget;
};

struct web *
hd_phi_web_of(const struct webs *webs, const hd_def *def)
{
   struct web *web = def->index < webs->num_defs ? webs->of[def->index] : NULL;

   while (web && web->parent) {
      if (web->parent->parent)
         web->parent = web->parent->parent;
      web = web->parent;
   }
   return web;
}

/* The line: place 2 n + 1 is where instruction n reads, and 2 n + 2 where it writes. */

static uint32_t
reads_at(uint32_t number)
{
   return 2 * number + 1;
}

static void
add_read(struct finder *d, const hd_src *src, hd_block *b, uint32_t place)
{
   if (!d->webs->of[src->def->index])
      return;
   struct read *r = hd_stack_alloc(d->stack, sizeof(*r));
   *r = (struct read){ b, place, d->reads[src->def->index] };
   d->reads[src->def->index] = r;
}

static void
lay_out(struct finder *d)
{
   hd_function *f = d->webs->f;
   uint32_t num_blocks, number = 0;
   hd_block *const *sweep = hd_function_sweep(f, &num_blocks);

   for (uint32_t n = 0; n < hd_function_num_reachable(f); n++) {
      hd_block *b = sweep[n];
      const uint32_t begin = 2 * number++;
      d->webs->line_begin[b->node.index] = begin;
      hd_foreach_instr(i, b) {
         uint32_t src_number = 0;
         pass_step(f, 1);
         if (i->kind == HD_INSTR_PHI)
            d->place[i->def.index] = begin;
         else if (hd_instr_def(i))
            d->place[i->def.index] = reads_at(number) + 1;
         hd_foreach_src(src, i) {
            hd_block *from = i->kind == HD_INSTR_PHI ? b->preds[src_number++].from : b;
            pass_step(f, 1);
            if (hd_block_is_reachable(from))
               add_read(d, src, from,
                        from == b && i->kind != HD_INSTR_PHI ? reads_at(number) : AT_END);
         }
         number += i->kind != HD_INSTR_PHI;
      }
      hd_if *nif = hd_block_next_if(b);
      if (nif)
         add_read(d, &nif->cond, b, reads_at(number++));
      d->webs->line_end[b->node.index] = 2 * number;
   }
}

/* Segments */

static uint32_t
priority(const struct segment *s)
{
   return (uint32_t)((s->begin * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}

static bool
overlaps(const struct segment *tree, uint32_t begin, uint32_t end)
{
   while (tree) {
      if (end <= tree->begin)
         tree = tree->left;
      else if (begin >= tree->end)
         tree = tree->right;
      else
         return true;
   }
   return false;
}

static void
insert(struct segment **tree, struct segment *s)
{
   while (*tree && priority(*tree) >= priority(s))
      tree = s->begin < (*tree)->begin ? &(*tree)->left : &(*tree)->right;
   /* What is below here is split into what comes before and what comes after. */
   struct segment *below = *tree, **left = &s->left, **right = &s->right;
   *tree = s;
   while (below) {
      if (below->begin < s->begin) {
         *left = below;
         left = &below->right;
         below = *left;
      } else {
         *right = below;
         right = &below->left;
         below = *right;
      }
   }
   *left = *right = NULL;
}

static void
add_segment(struct finder *d, struct web *web, uint32_t begin, uint32_t end)
{
   struct segment *s = hd_stack_alloc(d->stack, sizeof(*s));

   *s = (struct segment){ .begin = begin, .end = end };
   *web->end = s;
   web->end = &s->next;
   web->num_segments++;
   insert(&web->tree, s);
}

/* Where a value is live */

static void
note(struct finder *d, hd_block *b, uint32_t place)
{
   const uint32_t n = b->node.index;

   if (d->noted[n] != d->value) {
      d->noted[n] = d->value;
      d->last_read[n] = 0;
      d->blocks[d->num_blocks++] = n;
   }
   if (place > d->last_read[n])
      d->last_read[n] = place;
}

/* It is live at the begin, unless this is the block that writes it. */
static void
enter(struct finder *d, const hd_block *home, hd_block *b)
{
   if (b == home || d->entered[b->node.index] == d->value)
      return;
   d->entered[b->node.index] = d->value;
   d->work[d->num_work++] = b;
}

/* All blocks in which it is live; false where that is too many. */
static bool
find_blocks(struct finder *d, const hd_def *def)
{
   hd_block *home = hd_def_instr(def)->block;

   d->value++;
   d->num_blocks = d->num_work = 0;
   note(d, home, d->place[def->index] + 1);
   for (const struct read *r = d->reads[def->index]; r; r = r->next) {
      note(d, r->block, r->place);
      enter(d, home, r->block);
   }
   while (d->num_work) {
      const hd_block *at = d->work[--d->num_work];
      pass_step(d->webs->f, at->num_preds);
      for (uint32_t n = 0; n < at->num_preds; n++) {
         hd_block *pred = at->preds[n].from;
         if (!hd_block_is_reachable(pred))
            continue;
         if (d->budget == 0)
            return false;
         d->budget--;
         note(d, pred, AT_END);
         enter(d, home, pred);
      }
   }
   return true;
}

static int
compare_places(const void *a, const void *b)
{
   const struct part *x = a, *y = b;

   return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* In the order of the line. Most values are live in a few blocks. */
static void
sort_parts(struct part *parts, uint32_t num)
{
   if (num > 16) {
      qsort(parts, num, sizeof(*parts), compare_places);
      return;
   }
   for (uint32_t n = 1; n < num; n++) {
      const struct part part = parts[n];
      uint32_t at = n;
      for (; at && parts[at - 1].begin > part.begin; at--)
         parts[at] = parts[at - 1];
      parts[at] = part;
   }
}

static void
find_segments(struct finder *d, struct web *web, const hd_def *def)
{
   const uint32_t home = hd_def_instr(def)->block->node.index;
   uint32_t num = 0;

   web->known = find_blocks(d, def);
   if (!web->known)
      return;
   for (uint32_t n = 0; n < d->num_blocks; n++) {
      const uint32_t b = d->blocks[n], last = d->last_read[b];
      const uint32_t from = b == home ? d->place[def->index] : d->webs->line_begin[b];
      d->parts[num++] = (struct part){ from, last == AT_END ? d->webs->line_end[b] : last };
   }
   sort_parts(d->parts, num);
   for (uint32_t n = 0; n < num;) {
      const uint32_t begin = d->parts[n].begin;
      uint32_t end = d->parts[n].end;
      for (n++; n < num && d->parts[n].begin == end; n++)
         end = d->parts[n].end;
      add_segment(d, web, begin, end);
   }
}

/* Joining */

static int
compare_affinities(const void *a, const void *b)
{
   const struct affinity *x = a, *y = b;

   if (x->depth != y->depth)
      return x->depth > y->depth ? -1 : 1;
   return x->order < y->order ? -1 : x->order > y->order;
}

static void
join(struct finder *d, struct web *a, struct web *b)
{
   if (a == b || !a->known || !b->known)
      return;
   struct web *small = a->num_segments < b->num_segments ? a : b, *big = small == a ? b : a;

   pass_step(d->webs->f, small->num_segments);
   for (const struct segment *s = small->segments; s; s = s->next) {
      if (overlaps(big->tree, s->begin, s->end))
         return;
   }
   for (struct segment *s = small->segments; s; s = s->next)
      insert(&big->tree, s);
   *big->end = small->segments;
   big->end = small->end;
   big->num_segments += small->num_segments;
   small->parent = big;
}

static bool
needs_place(const hd_def *def)
{
   const hd_instr *i = hd_def_instr(def);

   return i->kind != HD_INSTR_CONST && i->kind != HD_INSTR_UNDEF && hd_block_is_reachable(i->block);
}

static void
add_web(struct finder *d, const hd_def *def)
{
   if (!needs_place(def) || d->webs->of[def->index])
      return;
   struct web *web = hd_stack_alloc_zero(d->stack, sizeof(*web));
   web->end = &web->segments;
   d->webs->of[def->index] = web;
}

/* Phis and their sources, and the edges between them. */
static struct affinity *
find_webs(struct finder *d, uint32_t *num)
{
   hd_function *f = d->webs->f;
   struct affinity *affinities;

   *num = 0;
   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b)
         *num += phi->num_srcs;
   }
   affinities = hd_stack_alloc(d->stack, (*num + 1) * sizeof(*affinities));
   *num = 0;
   hd_foreach_block(b, f) {
      hd_foreach_phi(phi, b) {
         pass_step(f, phi->num_srcs);
         if (!hd_block_is_reachable(b))
            continue;
         add_web(d, &phi->instr.def);
         for (uint32_t n = 0; n < phi->num_srcs; n++) {
            hd_def *def = phi->srcs[n].src.def;
            const hd_block *from = b->preds[n].from;
            if (!hd_block_is_reachable(from) || !needs_place(def))
               continue;
            add_web(d, def);
            const hd_cycle *cycle = hd_block_cycle(from);
            affinities[*num] =
                (struct affinity){ &phi->instr.def, def, cycle ? cycle->depth : 0, *num };
            ++*num;
         }
      }
   }
   return affinities;
}

void
hd_phi_webs_find(struct webs *webs, hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct finder d = { .webs = webs, .stack = stack };
   uint32_t num, num_blocks = f->num_blocks;

   *webs = (struct webs){ .f = f, .num_defs = f->num_defs };
   webs->of = hd_stack_alloc_zero(stack, (f->num_defs + 1) * sizeof(*webs->of));
   webs->line_begin = hd_stack_alloc_zero(stack, num_blocks * sizeof(uint32_t));
   webs->line_end = hd_stack_alloc_zero(stack, num_blocks * sizeof(uint32_t));
   d.place = hd_stack_alloc_zero(stack, (f->num_defs + 1) * sizeof(uint32_t));
   d.reads = hd_stack_alloc_zero(stack, (f->num_defs + 1) * sizeof(*d.reads));
   d.noted = hd_stack_alloc_zero(stack, num_blocks * sizeof(uint32_t));
   d.entered = hd_stack_alloc_zero(stack, num_blocks * sizeof(uint32_t));
   d.last_read = hd_stack_alloc_zero(stack, num_blocks * sizeof(uint32_t));
   d.blocks = hd_stack_alloc(stack, num_blocks * sizeof(*d.blocks));
   d.parts = hd_stack_alloc(stack, num_blocks * sizeof(*d.parts));
   d.work = hd_stack_alloc(stack, num_blocks * sizeof(*d.work));
   struct affinity *affinities = find_webs(&d, &num);
   lay_out(&d);
   d.budget = 16 * ((uint64_t)f->num_defs + num_blocks + num);
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i) && webs->of[i->def.index])
            find_segments(&d, webs->of[i->def.index], &i->def);
      }
   }
   if (num)
      qsort(affinities, num, sizeof(*affinities), compare_affinities);
   for (uint32_t n = 0; n < num; n++)
      join(&d, hd_phi_web_of(webs, affinities[n].phi), hd_phi_web_of(webs, affinities[n].source));
}

bool
hd_phi_web_is_live_at_end(const struct webs *webs, const struct web *web, const hd_block *b)
{
   const uint32_t end = webs->line_end[b->node.index];

   return overlaps(web->tree, end - 1, end);
}
