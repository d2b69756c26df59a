/* SPDX-License-Identifier: MIT */
/* meta.c - metadata: compute analyses on request, keep or drop results, verify what was kept. */
#include "analysis/private.h"

typedef const char *compare_fn(hd_function *f, const void *a, const void *b,
                               const hd_block **block);

/* By bit number. */
static const struct {
   const char *name;
   void *(*compute)(hd_function *f, const hd_graph *g, size_t *size);
   compare_fn *compare;
} analyses[HD_NUM_META] = {
   { "block order", hd_compute_order, hd_compare_order },
   { "dominance", hd_compute_dominance, hd_compare_dominance },
   { "post-dominance", hd_compute_post_dominance, hd_compare_post_dominance },
   { "cycles", hd_compute_cycles, hd_compare_cycles },
   { "instruction order", hd_compute_instr_order, hd_compare_instr_order },
   { "divergence", NULL, hd_compare_divergence }, /* computed from two of the others */
};

#define DIVERGENCE_BASIS (HD_META_DOMINANCE | HD_META_CYCLES)
/* What is computed from the graph: one serves all that are asked for at once. */
#define OF_GRAPH (HD_META_BLOCK_ORDER | DIVERGENCE_BASIS | HD_META_POST_DOMINANCE)

const char *
hd_meta_name(uint32_t bit)
{
   for (unsigned n = 0; n < HD_NUM_META; n++) {
      if (bit == 1u << n)
         return analyses[n].name;
   }
   return "metadata";
}

/* One piece, with what was added to it on demand. */
static void
free_piece(hd_heap *heap, unsigned n, void *result, size_t size)
{
   if (1u << n == HD_META_DIVERGENCE && result) {
      struct divergence_meta *m = result;
      hd_heap_free(heap, m->lanes, m->lanes_size);
   }
   hd_heap_free(heap, result, size);
}

static void
free_result(hd_function *f, unsigned n)
{
   struct meta *m = (struct meta *)f->meta;

   free_piece(hd_shader_heap(f->shader), n, m->result[n], m->size[n]);
   m->result[n] = NULL;
   m->size[n] = 0;
}

static void
free_meta(hd_function *f)
{
   for (unsigned n = 0; n < HD_NUM_META; n++)
      free_result(f, n);
   hd_heap_free(hd_shader_heap(f->shader), f->meta, sizeof(struct meta));
   f->meta = NULL;
}

static void
require(hd_function *f, uint32_t missing)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark start = hd_stack_get_mark(stack);
   hd_graph g;

   if (missing & HD_META_DIVERGENCE)
      missing |= DIVERGENCE_BASIS & ~f->meta_valid;
   if (!f->meta) {
      struct meta *m = hd_heap_alloc(hd_shader_heap(f->shader), sizeof(*m));
      memset(m, 0, sizeof(*m));
      m->base.free = free_meta;
      f->meta = &m->base;
   }
   if (missing & OF_GRAPH)
      hd_graph_build(&g, f);
   for (unsigned n = 0; n < HD_NUM_META; n++) {
      struct meta *m = (struct meta *)f->meta;

      if (!(missing & 1u << n))
         continue;
      hd_stack_mark mark = hd_stack_get_mark(stack);
      free_result(f, n);
      size_t size;
      void *result = 1u << n == HD_META_DIVERGENCE
                         ? hd_compute_divergence(f, DOM_META(f), CYCLE_META(f), &size)
                         : analyses[n].compute(f, &g, &size);
      m->result[n] = result;
      m->size[n] = size;
      f->meta_valid |= 1u << n;
      hd_stack_release(stack, mark);
   }
   hd_stack_release(stack, start);
}

hd_result
hd_require(hd_function *f, uint32_t meta)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   uint32_t missing = meta & HD_META_ALL & ~f->meta_valid;

   if (!missing)
      return HD_OK;
   if (heap->unwind) {
      require(f, missing);
      return HD_OK;
   }
   hd_heap_refill(heap);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_unwind u;
   if (HD_TRY(heap, &u))
      require(f, missing);
   hd_stack_release(stack, mark);
   return hd_heap_leave(heap, &u);
}

void
hd_meta_invalidate(hd_function *f, uint32_t kept)
{
   f->meta_valid &= kept;
}

bool
hd_progress(hd_function *f, bool progress, uint32_t kept)
{
   if (progress)
      hd_meta_invalidate(f, kept);
   return progress;
}

/* What is recomputed, where an unwinding finds it to free it. */
struct verification {
   void *result;
   size_t size;
   void *dom, *cycles; /* for the divergence: what is marked valid is not trusted */
   size_t dom_size, cycles_size;
   uint32_t differences;
};

static void
recompute(hd_function *f, const hd_graph *g, unsigned n, struct verification *v)
{
   if (1u << n != HD_META_DIVERGENCE) {
      v->result = analyses[n].compute(f, g, &v->size);
      return;
   }
   v->dom = hd_compute_dominance(f, g, &v->dom_size);
   v->cycles = hd_compute_cycles(f, g, &v->cycles_size);
   v->result = hd_compute_divergence(f, v->dom, v->cycles, &v->size);
}

static void
free_recomputed(hd_heap *heap, struct verification *v)
{
   hd_heap_free(heap, v->result, v->size);
   hd_heap_free(heap, v->dom, v->dom_size);
   hd_heap_free(heap, v->cycles, v->cycles_size);
   v->result = v->dom = v->cycles = NULL;
}

static void
verify(hd_function *f, uint32_t which, void (*report)(void *user, const hd_meta_difference *d),
       void *user, struct verification *v)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   const struct meta *m = (const struct meta *)f->meta;
   hd_graph g;

   hd_graph_build(&g, f);
   for (unsigned n = 0; n < HD_NUM_META; n++) {
      hd_meta_difference d = { 1u << n, NULL, NULL };

      if (!(which & d.bit))
         continue;
      recompute(f, &g, n, v);
      d.what = m->size[n] != v->size ? "its size"
                                     : analyses[n].compare(f, m->result[n], v->result, &d.block);
      free_recomputed(heap, v);
      if (!d.what)
         continue;
      v->differences++;
      if (report)
         report(user, &d);
   }
}

hd_result
hd_meta_verify(hd_function *f, uint32_t which,
               void (*report)(void *user, const hd_meta_difference *d), void *user,
               uint32_t *differences)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct verification v = { 0 };
   hd_unwind u;

   hd_heap_refill(heap);
   if (HD_TRY(heap, &u))
      verify(f, which & f->meta_valid, report, user, &v);
   hd_stack_release(stack, mark);
   free_recomputed(heap, &v);
   hd_result result = hd_heap_leave(heap, &u);
   if (differences)
      *differences = v.differences;
   return result;
}

/* Dominance, post-dominance, cycles and divergence. */
#define FRESH_META (DIVERGENCE_BASIS | HD_META_POST_DOMINANCE | HD_META_DIVERGENCE)

void
hd_fresh_begin(struct hd_fresh *fresh, hd_function *f)
{
   struct meta *m = &fresh->meta;
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_graph g;

   hd_graph_build(&g, f);
   for (unsigned n = 0; n < HD_NUM_META; n++) {
      if (!(FRESH_META & 1u << n))
         continue;
      m->result[n] = 1u << n == HD_META_DIVERGENCE
                         ? hd_compute_divergence(f, m->result[1], m->result[3], &m->size[n])
                         : analyses[n].compute(f, &g, &m->size[n]);
   }
   hd_stack_release(stack, mark);
   fresh->f = f;
   fresh->own = f->meta;
   fresh->own_valid = f->meta_valid;
   f->meta = &m->base;
   f->meta_valid = FRESH_META;
}

void
hd_fresh_end(struct hd_fresh *fresh, hd_heap *heap)
{
   if (fresh->f) {
      fresh->f->meta = fresh->own;
      fresh->f->meta_valid = fresh->own_valid;
   }
   for (unsigned n = 0; n < HD_NUM_META; n++)
      free_piece(heap, n, fresh->meta.result[n], fresh->meta.size[n]);
   *fresh = (struct hd_fresh){ .f = NULL };
}
