/* SPDX-License-Identifier: MIT */
/* linearize.c - linear block order with joins, for machines with per-lane block numbers: the per-lane
 * instruction pointers of Intel Gen compilers (Beignet), with the fewest tests. A join is what
 * thread frontiers (Diamos and others, SIMD Re-convergence at Thread Frontiers, 2011) check.
 *
 *    1 -> 2, 4      steps:  1  2  3  latch of 3  4  5
 *    2 -> 3, 5      joins:  2 => 4   3 => 4   4 => 5
 *    3 -> 3, 4
 *    4 -> 5
 *
 * The line is the sweep order, with a latch after all blocks of each cycle. An edge leads a lane to
 * a place later in the line where it waits: the step of its target; the latch of the cycle, for an
 * edge back to its header; or the end of the line, which stands for the end block. Control comes to
 * a step by running the step before, by a join to it, or by a latch before it at which no
 * lane waits.
 *
 * Let q be the block that ran last when control is at an empty step s. What can be waiting then?
 *
 * Lemma. Take a lane that waits at t, having come by an edge u -> t. Let D be the outermost cycle
 * that contains u and not t, and lift(u, t) the step of D's header; u itself if there is no such
 * cycle. Then lift(u, t) <= q, and no step before t that could still be run has been passed.
 *
 *    If u <= q this holds as lift(u, t) <= u. Else control has gone back over u since u ran.
 * Control goes back at latches only, to the header. While the lane waits, control has not been past
 * t, so each such latch was that of a cycle whose steps all come before t: one that does not
 * contain t. The first that went back over u contains u. Were q before D's header, some cycle
 * without t would have led back from a step not before that header to one before it: it would
 * contain D, but D is the outermost. []
 *
 * So with key(t) the least lift(u, t) over all edges to t, a lane can only be waiting at t if
 * key(t) <= q. The join of s is the first t after s with key(t) <= q, for the greatest q with which
 * control can reach s and find it empty; for a lesser q fewer steps qualify. No lane waits
 * between s and that step, and so none is passed.
 *
 * Which q there are is followed along the line. A block q leads to q + 1. Control that reaches an
 * empty step reaches its join with the same q. The lanes of q are all at its successors: if none of
 * these comes after s, and control is there, they are at s, which is not empty; so q is dropped at
 * the last of its successors. What is left at s are those for which s can be empty: send all lanes
 * of q to its last successor, and no lane elsewhere. Where nothing is left, no test is needed.
 *
 * Nothing smaller is correct where all cycles are entered at their headers only and all their
 * blocks can be reached from there: then an edge u -> t of least lift can be taken in a sweep
 * before that in which another lane runs q, or in the same one. Where a cycle has other entries, an
 * edge from outside may lead to t only in a sweep in which q cannot run; the join may then come too
 * early, which costs a test. tests/structurize/test_linearize.c tells how often.
 *
 * In a call a lane can end. A block with a call counts as having an edge to the end, if any other
 * function of the shader has a halt.
 *
 * n log n: each q is in one heap at a time, and moves by merging heaps.
 */
#include "structurize/linearize.h"
#include "heddle/check.h"
#include "heddle/structurize.h"
#include "ir/private.h"

#define NONE UINT32_MAX

struct line {
   hd_function *f;
   hd_linear *linear;
   hd_stack *stack;
   uint32_t num;    /* steps; the place of the end */
   uint32_t *latch; /* by cycle: its latch */
   uint32_t *jump;  /* by cycle: an index of one around it, to climb by */
   uint32_t *last;  /* by step of a block: the greatest place that an edge leads to; else 0 */
   uint32_t *key;   /* a tree of minima: key(t) is at size + t */
   uint32_t size;
   uint32_t *left, *right; /* heaps of steps, greatest first */
   uint32_t *waits;        /* by step: those that can come with it empty, as a heap */
   bool calls_end;
};

/* Steps */

static void
place_steps(struct line *l)
{
   hd_linear *linear = l->linear;
   uint32_t num_blocks;
   hd_block *const *sweep = hd_function_sweep(l->f, &num_blocks);
   uint32_t num = 0;

   for (uint32_t n = 0; n < linear->num_blocks; n++)
      linear->step_of_block[n] = HD_LINEAR_END;
   for (uint32_t n = 0; n < hd_function_num_reachable(l->f); n++) {
      linear->steps[num] = (hd_linear_step){ .block = sweep[n], .header = HD_LINEAR_END };
      linear->step_of_block[sweep[n]->node.index] = num++;
      /* Cycles that end here, inner ones first. */
      for (const hd_cycle *c = hd_block_cycle(sweep[n]); c && c->first + c->num_blocks == n + 1;
           c = c->parent) {
         l->latch[c->index] = num;
         linear->steps[num++] =
             (hd_linear_step){ .header = linear->step_of_block[c->header->node.index] };
      }
   }
   assert(num == l->num);
}

/* A cycle of index i has a parent or one further out at jump[i], so that any one around it is found
 * in logarithmic time: the jumps of a chain of cycles are as long as the powers of a skew number.
 */
static void
make_jumps(struct line *l)
{
   for (uint32_t i = 0; i < hd_function_num_cycles(l->f); i++) {
      const hd_cycle *c = hd_function_cycle(l->f, i), *p = c->parent;
      if (!p) {
         l->jump[i] = i;
         continue;
      }
      const hd_cycle *far = hd_function_cycle(l->f, l->jump[p->index]);
      const hd_cycle *farther = hd_function_cycle(l->f, l->jump[far->index]);
      bool equal = p->depth - far->depth == far->depth - farther->depth;
      l->jump[i] = equal ? farther->index : p->index;
   }
}

static uint32_t
lift(const struct line *l, uint32_t u, uint32_t t)
{
   const hd_cycle *c = hd_block_cycle(l->linear->steps[u].block);

   if (!c || l->latch[c->index] >= t)
      return u;
   while (c->parent && l->latch[c->parent->index] < t) {
      uint32_t far = l->jump[c->index];
      c = l->latch[far] < t ? hd_function_cycle(l->f, far) : c->parent;
   }
   return l->linear->step_of_block[c->header->node.index];
}

/* Edges */

static uint32_t
place_of(const struct line *l, const hd_block *from, const hd_block *to)
{
   if (hd_block_is_end(to))
      return l->num;
   const hd_cycle *c = hd_block_headed_cycle(to);
   if (c && hd_cycle_contains(c, from))
      return l->latch[c->index];
   return l->linear->step_of_block[to->node.index];
}

static void
add_edge(struct line *l, uint32_t u, uint32_t t)
{
   uint32_t from = lift(l, u, t);

   assert(t > u);
   if (t > l->last[u])
      l->last[u] = t;
   if (from < l->key[l->size + t])
      l->key[l->size + t] = from;
}

static bool
has_call(const hd_block *b)
{
   hd_foreach_instr(i, b) {
      if (i->kind == HD_INSTR_CALL)
         return true;
   }
   return false;
}

static void
collect_edges(struct line *l)
{
   for (uint32_t u = 0; u < l->num; u++) {
      const hd_block *b = l->linear->steps[u].block;
      if (!b)
         continue;
      for (uint32_t n = 0; n < b->num_succs; n++)
         add_edge(l, u, place_of(l, b, b->succs[n].to));
      if (l->calls_end && has_call(b))
         add_edge(l, u, l->num);
   }
   for (uint32_t i = l->size; --i;) {
      uint32_t a = l->key[2 * i], b = l->key[2 * i + 1];
      l->key[i] = a < b ? a : b;
   }
}

/* The first place after s whose key is at most q. There is one: the last successor of q. */
static uint32_t
first_after(const struct line *l, uint32_t s, uint32_t q)
{
   uint32_t i = l->size + s + 1;

   while (l->key[i] > q) {
      while (i & 1)
         i >>= 1;
      assert(i);
      i++;
   }
   while (i < l->size)
      i = l->key[2 * i] <= q ? 2 * i : 2 * i + 1;
   return i - l->size;
}

/* Heaps: the children of a root change sides whenever something is merged into it, which keeps the
 * cost logarithmic on average over all calls.
 */
static uint32_t
merge(struct line *l, uint32_t a, uint32_t b)
{
   uint32_t root = NONE, *link = &root;

   while (a != NONE && b != NONE) {
      uint32_t greater = a > b ? a : b, other = a > b ? b : a;
      *link = greater;
      a = l->right[greater];
      b = other;
      l->right[greater] = l->left[greater];
      link = &l->left[greater];
   }
   *link = a != NONE ? a : b;
   return root;
}

static void
lead_to(struct line *l, uint32_t to, uint32_t heap)
{
   if (to < l->num)
      l->waits[to] = merge(l, l->waits[to], heap);
}

/* Along the line: who can reach each step and find it empty. `why` gets the greatest. */
static void
find_joins(struct line *l, uint32_t *why)
{
   for (uint32_t s = 0; s < l->num; s++) {
      hd_linear_step *step = &l->linear->steps[s];
      uint32_t heap = l->waits[s], join = s + 1;

      while (heap != NONE && l->last[heap] <= s)
         heap = merge(l, l->left[heap], l->right[heap]);
      why[s] = heap;
      step->may_be_empty = heap != NONE;
      if (heap != NONE && step->block)
         join = first_after(l, s, heap);
      step->join = join == l->num ? HD_LINEAR_END : join;
      lead_to(l, join, heap);
      if (step->block) {
         l->left[s] = l->right[s] = NONE;
         lead_to(l, s + 1, s);
      }
   }
}

/* Explanations */

typedef void explain_fn(void *user, const hd_explanation *e);

static void
explain_join(const struct line *l, uint32_t s, uint32_t q, void *user, explain_fn *explain)
{
   const hd_linear_step *step = &l->linear->steps[s];
   const hd_block *from = l->linear->steps[q].block, *to = NULL;
   hd_explanation e = { .function = l->f, .added = "join", .at = step->block, .from = from };

   for (uint32_t n = 0; n < from->num_succs && !to; n++) {
      if (place_of(l, from, from->succs[n].to) == l->last[q])
         to = from->succs[n].to;
   }
   e.to = to;
   if (step->join != HD_LINEAR_END)
      e.target = l->linear->steps[step->join].block;
   e.why = to ? "all lanes that run can take this edge past it"
              : "all lanes that run can end in a call";
   explain(user, &e);
}

static void
explain_latch(const struct line *l, uint32_t s, void *user, explain_fn *explain)
{
   const hd_block *header = l->linear->steps[l->linear->steps[s].header].block;
   const hd_cycle *c = hd_block_headed_cycle(header);
   hd_explanation e = {
      .function = l->f, .added = "latch", .at = header, .target = header, .to = header
   };

   for (uint32_t n = 0; n < header->num_preds && !e.from; n++) {
      if (hd_cycle_contains(c, header->preds[n].from))
         e.from = header->preds[n].from;
   }
   e.why = "lanes that take this edge wait for the next sweep of the cycle";
   explain(user, &e);
}

/* Memory */

static size_t
linear_size(uint32_t num_steps, uint32_t num_blocks)
{
   return sizeof(hd_linear) + num_steps * sizeof(hd_linear_step) + num_blocks * sizeof(uint32_t);
}

static void
linear_init(hd_linear *linear, uint32_t num_steps, uint32_t num_blocks)
{
   linear->num_steps = num_steps;
   linear->num_blocks = num_blocks;
   linear->steps = (hd_linear_step *)(linear + 1);
   linear->step_of_block = (uint32_t *)(linear->steps + num_steps);
}

void
hd_linear_destroy(hd_shader *shader, hd_linear *linear)
{
   if (linear)
      hd_heap_free(hd_shader_heap(shader), linear,
                   linear_size(linear->num_steps, linear->num_blocks));
}

static bool
another_halts(const hd_function *f)
{
   hd_foreach_function(other, f->shader) {
      if (other == f)
         continue;
      for (uint32_t n = 0; n < other->end.num_preds; n++) {
         const hd_jump *jump = hd_block_jump(other->end.preds[n].from);
         if (jump && jump->instr.op == HD_JUMP_HALT)
            return true;
      }
   }
   return false;
}

static uint32_t *
filled(hd_stack *stack, uint32_t num, int byte)
{
   return memset(hd_stack_alloc(stack, (num + 1) * sizeof(uint32_t)), byte,
                 (num + 1) * sizeof(uint32_t));
}

/* On the stack, or where there is none for it in the shader's heap. */
static void
make_line(struct line *l, hd_stack *memory, void *user, explain_fn *explain)
{
   hd_function *f = l->f;

   hd_require(f, HD_META_BLOCK_ORDER | HD_META_CYCLES);
   l->num = hd_function_num_reachable(f) + hd_function_num_cycles(f);
   hd_heap_step(hd_shader_heap(f->shader), l->num);
   l->size = 1;
   while (l->size < l->num + 1)
      l->size *= 2;
   l->latch = filled(l->stack, hd_function_num_cycles(f), 0);
   l->jump = filled(l->stack, hd_function_num_cycles(f), 0);
   l->last = filled(l->stack, l->num, 0);
   l->key = filled(l->stack, 2 * l->size, 0xff);
   l->left = filled(l->stack, l->num, 0xff);
   l->right = filled(l->stack, l->num, 0xff);
   l->waits = filled(l->stack, l->num, 0xff);
   uint32_t *why = filled(l->stack, l->num, 0xff);
   l->calls_end = another_halts(f);
   const size_t size = linear_size(l->num, f->num_blocks);
   l->linear =
       memory ? hd_stack_alloc(memory, size) : hd_heap_alloc(hd_shader_heap(f->shader), size);
   linear_init(l->linear, l->num, f->num_blocks);

   place_steps(l);
   make_jumps(l);
   collect_edges(l);
   find_joins(l, why);
   for (uint32_t s = 0; s < l->num && explain; s++) {
      if (!l->linear->steps[s].block)
         explain_latch(l, s, user, explain);
      else if (why[s] != NONE)
         explain_join(l, s, why[s], user, explain);
   }
}

hd_linear *
hd_linearize_on(hd_function *f, hd_stack *stack)
{
   struct line line = { .f = f, .stack = stack };

   make_line(&line, stack, NULL, NULL);
   return line.linear;
}

hd_result
hd_linearize(hd_function *f, hd_linear **linear, void *user, explain_fn *explain)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct line line = { .f = f, .stack = stack };
   hd_unwind u;

   hd_result result = f->structured ? HD_INVALID : hd_validate_function(f, NULL);
   if (result != HD_OK)
      return result;
   hd_heap_refill(heap);
   if (HD_TRY(heap, &u))
      make_line(&line, NULL, user, explain);
   result = hd_heap_leave(heap, &u);
   hd_stack_release(stack, mark);
   if (result != HD_OK) {
      hd_linear_destroy(f->shader, line.linear);
      return result;
   }
   *linear = line.linear;
   return HD_OK;
}
