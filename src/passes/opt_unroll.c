/* SPDX-License-Identifier: MIT */
/* opt_unroll.c - full unrolling of short counted loops.
 *
 *    loop { i = phi 0, j   A(i)   if i == 2 { break }  B(i)  j = i + 1 }
 *
 *    =>   loop { A(0) B(0)  A(1) B(1)  A(2)  break }
 *
 * The trip count follows from the induction variables (trip_count.h). All iterations but the last are
 * copies in front of the original body, which becomes the last one. The exit test of each is
 * removed: it is never taken in a copy, and always in the original, so the code after it goes too.
 * Header phis are replaced by the values of the iteration before.
 *
 * What is left is a loop that runs once. Other breaks still leave it, which is why it stays a loop:
 * opt_jump makes straight-line code of it if it can. With other breaks, values of the loop may be
 * used after it only by phis, which have a source for each break.
 *
 * A lane runs an iteration in its copy, with the same lanes as before.
 *
 * An array index that is constant in each iteration saves the dynamic indexing: the size limit is
 * raised by what that saves in all iterations. That holds for an index that an inner loop counts from
 * what this loop counts, too. Of an `if` on what is constant in each iteration, or in some, one arm stays: it
 * counts half. A loop that asks for it (hd_unroll) is unrolled up to a size of its own if
 * the code grows by no more than a multiple of the instructions that it need not issue any more, or
 * never.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    loops with early continues, with more iterations than `trips`, and loops that would
 *            have more instructions than `size`; the loop around the copies to opt_jump, constants
 *            to opt_algebraic.
 * Tests:     tests/passes/opt_unroll.hd, tests/passes/test_cf.c, tests/passes/test_run.c
 */
#include "heddle/clone.h"
#include "heddle/trip_count.h"
#include "ir/fold.h"
#include "passes/splice.h"
#include "passes/vars.h"

/* The most iterations of a loop that is asked to be unrolled (hd_unroll). */
#define ASKED_TRIPS 1024u

/* Of what is in the loop: blocks with this mark. */
#define INSIDE 1u

struct state {
   hd_function *f;
   const opt_unroll_options *options;
   hd_clone_map *map; /* of no entries between loops; NULL until one is unrolled */
};

/* What a branch is among instructions: where lanes diverge, there are masks around it. */
#define BRANCH_SIZE 5

/* A value that is a constant in each run, one that is so if the loops inside are unrolled, too, and one
 * that is a constant in some runs: what one arm of an `if` on such a value leaves.
 */
#define COUNTED           1u
#define COUNTED_INSIDE    2u
#define COUNTED_SOMETIMES 3u

/* What counting costs in each iteration of a loop, and how many instructions a loop that asks to be
 * unrolled may have for each that is not issued any more.
 */
#define COUNTING    4u
#define ASKED_WORTH 4u

/* Arrays let a loop grow to so many times the size more: small ones, which are selects otherwise, and
 * those that would be in scratch.
 */
#define SMALL_ARRAY      16u
#define MOST_SAVED       3u
#define MOST_SAVED_LARGE 9u

struct measure {
   uint32_t size;   /* instructions that stay, but for the branch that counts, which goes */
   uint32_t halves; /* of these, in the arms of an `if` that is decided: one of them stays */
   uint32_t saved;  /* dynamic indexing that becomes constant in each iteration */
   uint32_t folded; /* instructions that become constants in each iteration */
   uint32_t steps;
   bool large; /* an array with more than SMALL_ARRAY components */
};

/* The marks of what it is made of: COUNTED of constants. */
static uint8_t
counted(const hd_def *def)
{
   return hd_def_instr(def)->kind == HD_INSTR_CONST ? COUNTED : def->mark;
}

/* Is it a constant in each run, or in some? */
static bool
is_decided(const hd_def *def)
{
   return counted(def) & COUNTED;
}

/* What two values are together. */
static uint8_t
both(uint8_t a, uint8_t b)
{
   return !a || !b ? 0 : a > b ? a : b;
}

/* A phi that begins with what is counted, and that is made from itself and constants by one op. */
static uint8_t
counter(const hd_loop *loop, const hd_phi *phi)
{
   const hd_src *first = hd_phi_src_from(phi, hd_node_prev_block(&loop->node));
   const hd_src *next = hd_phi_src_from(phi, hd_loop_latch(loop));
   const hd_alu *step = next ? hd_instr_as_alu(hd_def_instr(next->def)) : NULL;

   if (!first || !step)
      return 0;
   for (unsigned n = 0; n < step->instr.num_srcs; n++) {
      const hd_def *def = step->src[n].def;
      if (def != &phi->instr.def && hd_def_instr(def)->kind != HD_INSTR_CONST)
         return 0;
   }
   return counted(first->def);
}

/* The loop that a block is the header of, or NULL. */
static const hd_loop *
loop_of_header(const hd_block *b)
{
   const hd_loop *loop = b->node.list->parent ? hd_node_as_loop(b->node.list->parent) : NULL;

   return loop && hd_loop_header(loop) == b ? loop : NULL;
}

static void
measure_instr(const hd_loop *loop, hd_instr *i, struct measure *m)
{
   uint8_t mark = 0;

   if (i->kind == HD_INSTR_PHI) {
      const hd_loop *own = loop_of_header(i->block);
      const hd_cf_node *before = own ? NULL : i->block->node.prev;
      const hd_if *nif = before ? hd_node_as_if(before) : NULL;
      mark = own ? counter(own, (const hd_phi *)i) : 0;
      mark = own != loop ? both(mark, COUNTED_INSIDE) : mark;
      for (unsigned n = 0; nif && n < hd_instr_num_srcs(i); n++) {
         if (is_decided(nif->cond.def) && is_decided(hd_instr_src(i, n)->def))
            mark = COUNTED_SOMETIMES;
      }
   } else if (i->kind == HD_INSTR_LOAD_VAR || i->kind == HD_INSTR_STORE_VAR) {
      /* Selects or scratch. The array is as long as the index runs, so a loop inside that counts it is
       * short. */
      const hd_var_access *access = (const hd_var_access *)i;
      const hd_def *index = access->src[var_index_slot(access)].def;
      if (access->var->array_length && !var_const_index(access) && counted(index) &&
          counted(index) != COUNTED_SOMETIMES) {
         const uint32_t components = access->var->array_length * access->var->num_components;
         m->saved += 2 * components;
         m->large |= components > SMALL_ARRAY;
      }
   } else if (i->kind == HD_INSTR_ALU) {
      mark = COUNTED;
      for (unsigned n = 0; n < i->num_srcs; n++)
         mark = both(mark, counted(hd_instr_src(i, n)->def));
   }
   i->def.mark = mark & 15;
   m->folded += i->kind == HD_INSTR_ALU && mark == COUNTED;
   m->size += i->kind != HD_INSTR_CONST && i->kind != HD_INSTR_PHI && mark != COUNTED;
   m->steps++;
}

/* Does an arm end in a jump? Then the other one may be all of the loop. */
static bool
ends_in_jump(const hd_if *nif)
{
   return hd_block_jump(hd_list_last_block(&nif->then_list)) ||
          hd_block_jump(hd_list_last_block(&nif->else_list));
}

/* Of more than `limit` instructions no more is known than that. */
static struct measure
measure(hd_function *f, const hd_loop *loop, uint32_t limit)
{
   const hd_cf_node *end = hd_cf_node_next_outside(&loop->node), *decided_end = NULL;
   struct measure m = { .size = 0 };
   uint32_t branches = 0;

   for (const hd_cf_node *n = loop->body.first; n != end && m.size <= limit;
        n = hd_cf_node_next(n)) {
      const hd_block *b = hd_node_as_block(n);
      const hd_if *nif = hd_node_as_if(n);
      const uint32_t before = m.size;
      decided_end = n == decided_end ? NULL : decided_end;
      if (nif && !decided_end && is_decided(nif->cond.def) && !ends_in_jump(nif))
         decided_end = hd_cf_node_next_outside(n);
      m.size += !b && branches++ && !(nif && counted(nif->cond.def) == COUNTED) ? BRANCH_SIZE : 0;
      for (hd_instr *i = b ? b->first : NULL; i && m.size <= limit; i = i->next)
         measure_instr(loop, i, &m);
      m.halves += decided_end ? m.size - before : 0;
   }
   if (m.size <= limit)
      m.size -= m.halves / 2;
   pass_step(f, m.steps + branches);
   /* No mark stays, and few instructions were marked. */
   for (const hd_cf_node *n = loop->body.first; n != end && m.steps; n = hd_cf_node_next(n)) {
      const hd_block *b = hd_node_as_block(n);
      for (hd_instr *i = b ? b->first : NULL; i && m.steps; i = i->next, m.steps--)
         i->def.mark = 0;
   }
   return m;
}

static void
mark_inside(const hd_loop *loop, uint8_t mark)
{
   const hd_cf_node *end = hd_cf_node_next_outside(&loop->node);

   for (hd_cf_node *n = loop->body.first; n != end; n = hd_cf_node_next(n))
      n->mark = mark & 15;
}

/* Does what comes after the loop read a value of it other than by the phis of its breaks? */
static bool
is_read_outside(const hd_loop *loop)
{
   const hd_cf_node *end = hd_cf_node_next_outside(&loop->node);
   const hd_block *after = hd_node_next_block(&loop->node);

   for (hd_cf_node *n = loop->body.first; n != end; n = hd_cf_node_next(n)) {
      if (n->kind != HD_CF_BLOCK)
         continue;
      hd_foreach_instr(i, hd_node_as_block(n)) {
         hd_foreach_use(use, &i->def) {
            const hd_instr *reader = hd_src_instr(use);
            const hd_if *nif = hd_src_if(use);
            const hd_cf_node *at = nif ? nif->node.prev : &reader->block->node;
            bool phi_after = reader && reader->kind == HD_INSTR_PHI && reader->block == after;
            if (at->mark != INSIDE && !phi_after)
               return true;
         }
      }
   }
   return false;
}

/* The continue list goes to the end of the body, to which alone it belongs. */
static void
empty_continue_list(hd_loop *loop)
{
   hd_block *again = hd_loop_continue(loop);
   hd_cf_range range;

   hd_foreach_phi_safe(phi, again) {
      hd_def_replace_uses(&phi->instr.def, phi->srcs[0].src.def);
      hd_instr_remove(&phi->instr);
   }
   hd_cf_extract_list(&range, &loop->continue_list);
   hd_cf_reinsert(&range, hd_list_end(&loop->body));
}

/* An arm goes to the place of its `if`; where it leaves, what would follow goes. */
static void
keep_arm(hd_if *nif, hd_cf_list *arm)
{
   hd_block *after = hd_node_next_block(&nif->node);
   const hd_block *last = hd_list_last_block(arm);
   bool leaves = hd_block_jump(last);
   hd_cf_range range;

   hd_foreach_phi_safe(phi, after) {
      hd_src *src = leaves ? NULL : hd_phi_src_from(phi, last);
      if (!src)
         break;
      hd_def_replace_uses(&phi->instr.def, src->def);
      hd_instr_remove(&phi->instr);
   }
   hd_cf_extract_list(&range, arm);
   hd_cf_reinsert(&range, hd_before_node(&nif->node));
   /* What leaves has taken the `if` along with the rest of the list. */
   if (!leaves)
      hd_node_remove(&nif->node);
}

struct copy {
   hd_cf_range range;
   hd_if *exit;
};

/* A copy of the body, as it is in the run after the one that `map` is of, or in the first. `values`
 * is room for what the header's phis are.
 */
static void
copy_run(hd_loop *loop, const hd_trip_count *trips, bool first, hd_clone_map *map, hd_def **values,
         struct copy *copy)
{
   const hd_block *before = hd_node_prev_block(&loop->node), *latch = hd_loop_latch(loop);
   uint32_t num = 0;

   hd_foreach_phi(phi, hd_loop_header(loop)) {
      hd_def *next = hd_phi_src_from(phi, latch)->def;
      values[num++] = first ? hd_phi_src_from(phi, before)->def : hd_clone_map_def(map, next);
   }
   num = 0;
   hd_foreach_phi(phi, hd_loop_header(loop))
      hd_clone_map_set_def(map, &phi->instr.def, values[num++]);
   if (!copy)
      return;
   hd_cf_clone(&copy->range, &loop->body, map);
   /* The head of the list has no copy of its own. */
   hd_block *at = hd_node_prev_block(&trips->exit->node);
   hd_block *copy_at = at == hd_loop_header(loop) ? hd_list_first_block(copy->range.list)
                                                  : hd_clone_map_block(map, at);
   copy->exit = hd_block_next_if(copy_at);
}

/* A map is as large as the function: there is one for all loops, and each leaves it empty. */
static void
forget_copies(hd_clone_map *map, const hd_loop *loop)
{
   const hd_cf_node *end = hd_cf_node_next_outside(&loop->node);

   for (const hd_cf_node *n = loop->body.first; n != end; n = hd_cf_node_next(n)) {
      const hd_block *b = hd_node_as_block(n);
      for (hd_instr *i = b ? b->first : NULL; i; i = i->next) {
         if (i->def.bit_size)
            hd_clone_map_set_def(map, &i->def, NULL);
      }
   }
}

static void
unroll(struct state *s, hd_loop *loop, const hd_trip_count *trips)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);
   hd_block *header = hd_loop_header(loop);
   uint32_t num_copies = trips->max - 1, num_phis = 0;

   header->unroll = HD_UNROLL_AUTO;
   empty_continue_list(loop);
   hd_foreach_phi(phi, header)
      num_phis++;
   hd_def **values = hd_stack_alloc(stack, (num_phis + 1) * sizeof(hd_def *));
   struct copy *copies = hd_stack_alloc(stack, num_copies * sizeof(*copies));
   if (!s->map)
      s->map = hd_clone_map_create(s->f);
   for (uint32_t n = 0; n < num_copies; n++)
      copy_run(loop, trips, n == 0, s->map, values, &copies[n]);
   copy_run(loop, trips, false, s->map, values, NULL);
   forget_copies(s->map, loop);

   uint32_t num = 0;
   hd_foreach_phi_safe(phi, header) {
      hd_def_replace_uses(&phi->instr.def, values[num++]);
      hd_instr_remove(&phi->instr);
   }
   for (uint32_t n = num_copies; n-- > 0;)
      hd_cf_reinsert(&copies[n].range, hd_list_start(&loop->body));
   for (uint32_t n = 0; n < num_copies; n++)
      keep_arm(copies[n].exit,
               trips->then_exits ? &copies[n].exit->else_list : &copies[n].exit->then_list);
   keep_arm(trips->exit, trips->then_exits ? &trips->exit->then_list : &trips->exit->else_list);
}

/* Is the unrolled loop small enough? */
static bool
is_worth(const opt_unroll_options *o, const struct measure *m, const hd_loop *loop,
         const hd_trip_count *trips, bool asked)
{
   const uint64_t runs = trips->max, arrays = o->size + m->saved * runs;
   /* The last run ends where the loop is left, which is most often at its head. */
   const uint64_t bodies = runs - (hd_node_prev_block(&trips->exit->node) == hd_loop_header(loop));

   if (asked)
      return m->size * bodies <=
             umin(arrays + ASKED_WORTH * ((uint64_t)m->folded + COUNTING) * runs, o->asked);
   if (m->saved) {
      const unsigned times = 1 + (m->large ? MOST_SAVED_LARGE : MOST_SAVED);
      return m->size * bodies <= umin(arrays, (uint64_t)o->size * times);
   }
   return ((uint64_t)m->size + m->folded) * runs <= o->size;
}

static bool
try_loop(struct state *s, hd_loop *loop)
{
   const hd_block *last = hd_list_last_block(&loop->body);
   hd_trip_count trips;

   /* Only the end of the body reaches the continue list, and not by a jump. */
   if (hd_loop_continue(loop)->num_preds != 1 || hd_loop_continue(loop)->preds[0].from != last ||
       hd_block_jump(last))
      return false;
   const uint8_t hint = hd_loop_header(loop)->unroll;
   if (hint == HD_UNROLL_NEVER)
      return false;
   const bool asked = hint == HD_UNROLL_ALWAYS;
   const uint64_t most =
       asked ? s->options->asked : (uint64_t)s->options->size * (1 + MOST_SAVED_LARGE);
   const struct measure m = measure(s->f, loop, (uint32_t)umin(most, UINT32_MAX));
   if (m.size > most)
      return false;
   if (!hd_loop_trip_count(loop, asked ? ASKED_TRIPS : s->options->trips, &trips) || trips.max < 2)
      return false;
   if (!is_worth(s->options, &m, loop, &trips, asked))
      return false;
   if (hd_node_next_block(&loop->node)->num_preds > 1) {
      mark_inside(loop, INSIDE);
      bool read = is_read_outside(loop);
      mark_inside(loop, 0);
      if (read)
         return false;
   }
   unroll(s, loop, &trips);
   return true;
}

/* Inner loops first: what is left of one is in the copies of the one around it. */
bool
hd_opt_unroll(hd_function *f, const opt_unroll_options *o)
{
   struct state s = { .f = f, .options = o };
   bool progress = false;

   hd_function_borrow_marks(f);
   hd_foreach_inner_first_safe(node, f) {
      hd_loop *loop = hd_node_as_loop(node);
      hd_stack_mark mark = hd_stack_get_mark(hd_shader_stack(f->shader));
      if (loop)
         progress |= try_loop(&s, loop);
      hd_stack_release(hd_shader_stack(f->shader), mark);
   }
   hd_clone_map_destroy(s.map);
   hd_function_release_marks(f);
   return hd_progress(f, progress, OPT_UNROLL_KEEPS);
}
