/* SPDX-License-Identifier: MIT */
/* liveness.c - which values are live at the beginning and end of each block.
 *
 * By use and definition (Appel, Modern Compiler Implementation; Brandner and others, Computing
 * Liveness Sets for SSA-Form Programs, 2011): from each use back over the predecessors to the
 * definition. That takes as many steps as there are entries in the result, and the definitions come
 * in the order of their numbers, so each set is sorted as it is made.
 */
#include "heddle/analysis.h"
#include "heddle/ssa.h"
#include "ir/private.h"

#include <stdlib.h>

/* One entry of a set, while sets are made. */
struct entry {
   hd_def *def;
   struct entry *next;
};

struct set {
   hd_def **defs;
   uint32_t num;
   struct entry *first, *last;
   uint32_t newest; /* 1 + the index of the newest entry's definition */
};

struct hd_liveness {
   hd_heap *heap;
   hd_function *f;
   struct set *in, *out; /* by block index */
   uint32_t *seen;       /* by definition's index: the last walk that has counted it */
   uint32_t num_walks;
   hd_stack stack; /* all of this */
};

/* False: it is there already. */
static bool
add(hd_liveness *l, struct set *set, hd_def *def)
{
   if (set->newest == def->index + 1)
      return false;
   hd_heap_step(l->heap, 1);
   struct entry *e = hd_stack_alloc(&l->stack, sizeof(*e));
   *e = (struct entry){ .def = def };
   if (set->last)
      set->last->next = e;
   else
      set->first = e;
   set->last = e;
   set->newest = def->index + 1;
   set->num++;
   return true;
}

/* Blocks at whose end the definition at hand is live, and which are to be followed. */
struct work {
   hd_block **blocks;
   uint32_t num;
};

static void
live_at_end(hd_liveness *l, struct work *work, hd_block *b, hd_def *def)
{
   if (add(l, &l->out[b->node.index], def) && hd_def_instr(def)->block != b)
      work->blocks[work->num++] = b;
}

static void
live_at_head(hd_liveness *l, struct work *work, hd_block *b, hd_def *def)
{
   if (!add(l, &l->in[b->node.index], def))
      return;
   for (uint32_t n = 0; n < b->num_preds; n++)
      live_at_end(l, work, b->preds[n].from, def);
}

static void
follow(hd_liveness *l, struct work *work, hd_def *def)
{
   hd_foreach_use(use, def) {
      const hd_instr *reader = hd_src_instr(use);
      hd_block *at = hd_src_block(use);
      hd_heap_step(l->heap, 1);
      if (reader && reader->kind == HD_INSTR_PHI)
         live_at_end(l, work, at, def);
      else if (at != hd_def_instr(def)->block)
         live_at_head(l, work, at, def);
   }
   while (work->num)
      live_at_head(l, work, work->blocks[--work->num], def);
}

static void
finish_sets(hd_liveness *l, struct set *sets)
{
   for (uint32_t n = 0; n < l->f->num_blocks; n++) {
      struct set *s = &sets[n];
      uint32_t num = 0;
      s->defs = hd_stack_alloc(&l->stack, (s->num ? s->num : 1) * sizeof(hd_def *));
      for (const struct entry *e = s->first; e; e = e->next)
         s->defs[num++] = e->def;
      s->first = s->last = NULL;
   }
}

static void
compute(hd_liveness *l)
{
   hd_function *f = l->f;
   hd_stack *scratch = hd_shader_stack(f->shader);
   hd_def **defs = hd_stack_alloc_zero(scratch, (f->num_defs + 1) * sizeof(hd_def *));
   struct work work = { hd_stack_alloc(scratch, (f->num_blocks + 1) * sizeof(hd_block *)), 0 };

   l->in = hd_stack_alloc_zero(&l->stack, f->num_blocks * sizeof(struct set));
   l->out = hd_stack_alloc_zero(&l->stack, f->num_blocks * sizeof(struct set));
   l->seen = hd_stack_alloc_zero(&l->stack, (f->num_defs + 1) * sizeof(uint32_t));
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         hd_heap_step(l->heap, 1);
         if (hd_instr_def(i))
            defs[i->def.index] = &i->def;
      }
   }
   for (uint32_t n = 0; n < f->num_defs; n++) {
      if (defs[n])
         follow(l, &work, defs[n]);
   }
   finish_sets(l, l->in);
   finish_sets(l, l->out);
}

hd_result
hd_liveness_create(hd_function *f, hd_liveness **liveness)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *scratch = hd_shader_stack(f->shader);
   const hd_stack_mark mark = hd_stack_get_mark(scratch);
   hd_unwind u;

   hd_heap_refill(heap);
   hd_liveness *l = hd_heap_alloc(heap, sizeof(*l));
   if (!l)
      return heap->status;
   *l = (hd_liveness){ .heap = heap, .f = f };
   hd_stack_init(&l->stack, heap);
   if (HD_TRY(heap, &u))
      compute(l);
   const hd_result result = hd_heap_leave(heap, &u);
   hd_stack_release(scratch, mark);
   if (result != HD_OK) {
      hd_liveness_destroy(l);
      if (heap->unwind)
         hd_heap_fail(heap, result);
      return result;
   }
   *liveness = l;
   return HD_OK;
}

void
hd_liveness_destroy(hd_liveness *l)
{
   if (!l)
      return;
   hd_heap *heap = l->heap;
   hd_stack_finish(&l->stack);
   hd_heap_free(heap, l, sizeof(*l));
}

hd_def *const *
hd_liveness_in(const hd_liveness *l, const hd_block *b, uint32_t *num)
{
   *num = l->in[b->node.index].num;
   return l->in[b->node.index].defs;
}

hd_def *const *
hd_liveness_out(const hd_liveness *l, const hd_block *b, uint32_t *num)
{
   *num = l->out[b->node.index].num;
   return l->out[b->node.index].defs;
}

static bool
contains(const struct set *s, const hd_def *def)
{
   uint32_t low = 0, high = s->num;

   while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (s->defs[middle]->index < def->index)
         low = middle + 1;
      else
         high = middle;
   }
   return low < s->num && s->defs[low] == def;
}

bool
hd_liveness_is_in(const hd_liveness *l, const hd_block *b, const hd_def *def)
{
   return contains(&l->in[b->node.index], def);
}

bool
hd_liveness_is_out(const hd_liveness *l, const hd_block *b, const hd_def *def)
{
   return contains(&l->out[b->node.index], def);
}

uint64_t
hd_liveness_pressure(hd_liveness *l, const hd_block *b,
                     uint32_t (*size)(void *user, const hd_def *def), void *user)
{
   const struct set *out = &l->out[b->node.index];
   const uint32_t walk = ++l->num_walks;
   uint64_t live = 0, most;

   for (uint32_t n = 0; n < out->num; n++) {
      l->seen[out->defs[n]->index] = walk;
      live += size ? size(user, out->defs[n]) : 1;
   }
   const hd_if *nif = hd_block_next_if(b);
   if (nif && l->seen[nif->cond.def->index] != walk) {
      l->seen[nif->cond.def->index] = walk;
      live += size ? size(user, nif->cond.def) : 1;
   }
   most = live;
   for (const hd_instr *i = b->last; i; i = i->prev) {
      const hd_def *def = hd_instr_def(i) ? &i->def : NULL;
      const bool is_used = def && l->seen[def->index] == walk;
      const uint64_t own = def ? size ? size(user, def) : 1 : 0;
      /* Where it is made, beside what lives across it. */
      if (def && !is_used)
         most = live + own > most ? live + own : most;
      live -= is_used ? own : 0;
      if (i->kind == HD_INSTR_PHI)
         continue;
      hd_foreach_src(src, (hd_instr *)i) {
         if (l->seen[src->def->index] == walk)
            continue;
         l->seen[src->def->index] = walk;
         live += size ? size(user, src->def) : 1;
      }
      most = live > most ? live : most;
   }
   return most;
}
