/* SPDX-License-Identifier: MIT */
/* rewrite_walk.c - apply rules to a function until a fixpoint.
 *
 * One walk, definitions before uses, does nearly all: an instruction is visited when its operands
 * are in their final form, and new instructions are visited next. One thing can change behind the
 * walk: a value may lose its last use but one, and rules that replace several instructions require
 * a single use. The remaining user is visited again after the walk, and so are, if it changes, the
 * instructions whose pattern or query can see it.
 *
 * Termination: weight.py proves that no chain of rewrites is infinite; folding replaces an
 * instruction by a constant, and the vector rules by fewer instructions. An instruction is visited
 * again only after such a step.
 */
#include "analysis/known_bits.h"
#include "heddle/op_enum.h"
#include "passes/pass.h"
#include "passes/rewrite.h"
#include "util/quote.h"

/* How many instructions further up a change can be seen: through patterns and queries, and, of the
 * number of uses, through patterns alone.
 */
#define SIGHT      (HD_KNOWN_DEPTH + 2u)
#define USES_SIGHT 2u

/* An instruction that is listed to be looked at again keeps 1 + its sight in the bits of its flags
 * that mean nothing, until that is done: so it is listed once, and not freed meanwhile.
 */
#define LISTED_SHIFT 5
#define LISTED_MASK  (7u << LISTED_SHIFT)

struct walk {
   struct hd_rewrite *r;
   hd_instr **work; /* to be looked at again after the walk */
   size_t num_work, capacity;
   hd_instr *removed; /* out of the function but listed, linked by `next`: freed at the end */
   uint64_t steps;    /* not counted yet */
   bool behind;       /* the walk is over, work is done */
   bool replaced;     /* what was visited last is gone */
   bool progress;
};

static void
look_again(struct walk *w, hd_instr *i, unsigned sight)
{
   /* What was not visited yet will be. */
   if (i->kind != HD_INSTR_ALU || !i->def.mark)
      return;
   const unsigned listed = (i->flags & LISTED_MASK) >> LISTED_SHIFT;
   if (listed < sight + 1)
      i->flags = ((i->flags & ~LISTED_MASK) | (sight + 1) << LISTED_SHIFT) & 0xff;
   if (listed)
      return;
   if (w->num_work == w->capacity) {
      hd_stack *stack = hd_shader_stack(w->r->f->shader);
      const size_t capacity = w->capacity ? 2 * w->capacity : 64;
      hd_instr **work = hd_stack_alloc(stack, capacity * sizeof(*work));
      if (w->num_work)
         memcpy(work, w->work, w->num_work * sizeof(*work));
      w->work = work;
      w->capacity = capacity;
   }
   w->work[w->num_work++] = i;
}

static void
look_at_users(struct walk *w, hd_def *def, unsigned sight)
{
   hd_foreach_use(use, def) {
      hd_instr *user = hd_src_instr(use);
      pass_step(w->r->f, 1);
      if (user)
         look_again(w, user, sight);
   }
}

/* Take out an instruction that nothing uses, and what only it used. */
static void
take_out(struct walk *w, hd_instr *i)
{
   hd_instr *last = i;

   hd_instr_extract(i);
   i->next = NULL;
   while (i) {
      hd_foreach_src(src, i) {
         hd_instr *operand = hd_def_instr(src->def);
         hd_src *use = operand->def.uses;
         if (!operand->block || (operand->kind != HD_INSTR_ALU && operand->kind != HD_INSTR_CONST))
            continue; /* read twice, and out already; or it stays */
         if (use) {
            hd_instr *user = hd_src_next_use(use) ? NULL : hd_src_instr(use);
            if (user && operand->kind == HD_INSTR_ALU)
               look_again(w, user, USES_SIGHT);
            continue;
         }
         hd_instr_extract(operand);
         operand->next = NULL;
         last->next = operand;
         last = operand;
      }
      hd_instr *dead = i;
      i = i->next;
      if (dead->flags & LISTED_MASK && dead->kind == HD_INSTR_ALU) {
         dead->next = w->removed;
         w->removed = dead;
      } else {
         hd_instr_free(w->r->f->shader, dead);
      }
   }
}

/* Constants of a commutative op go right: patterns count on it. The first operand is one. */
static bool
put_constant_right(hd_alu *alu)
{
   if (!(hd_op_get_info((hd_op)alu->instr.op)->flags & HD_OP_COMMUTATIVE) ||
       hd_src_as_const(&alu->src[1]))
      return false;
   hd_def *constant = alu->src[0].def;
   hd_src_set_def(&alu->src[0], alu->src[1].def);
   hd_src_set_def(&alu->src[1], constant);
   return true;
}

/* What is to take the place of an instruction, or NULL. */
static hd_def *
rewrite(struct walk *w, hd_alu *alu, hd_instr **first)
{
   const unsigned op = alu->instr.op;
   hd_def *by = NULL;

   if (hd_src_as_const(&alu->src[0])) {
      if (put_constant_right(alu))
         w->progress = true;
      else
         by = hd_rewrite_fold(w->r, alu, first);
   }
   if (!by && (op == HD_OP_CHANNEL || op == HD_OP_VEC || op == HD_OP_INSERT_CHANNEL))
      by = hd_rewrite_vector(w->r, alu, first);
   return by ? by : hd_rewrite_by_rules(w->r, alu, first);
}

static hd_instr *
visit_alu(struct walk *w, hd_alu *alu)
{
   hd_instr *i = &alu->instr, *first = i, *next = i->next;
   hd_def *by;

   /* What nothing uses must not stand between a rule and the only use there is. */
   if (hd_def_is_unused(&i->def)) {
      w->progress = w->replaced = true;
      take_out(w, i);
      return next;
   }
   by = rewrite(w, alu, &first);
   if (!by)
      return next;
   w->progress = true;
   /* A value of unreachable code can be its own operand. */
   if (by == &i->def)
      return next;
   if (w->behind)
      look_at_users(w, &i->def, SIGHT);
   w->replaced = true;
   hd_def_replace_uses(&i->def, by);
   take_out(w, i);
   return first == i ? next : first;
}

/* Look at one instruction; the one to look at next: the first new one, or the one after it. */
static inline hd_instr *
visit(struct walk *w, hd_instr *i)
{
   hd_alu *alu = hd_instr_as_alu(i);

   w->steps++;
   w->replaced = false;
   if (alu)
      return visit_alu(w, alu);
   i->def.mark = (uint8_t)hd_rewrite_state(w->r->set, i);
   return i->next;
}

static void
visit_again(struct walk *w, hd_instr *i)
{
   const unsigned sight = ((i->flags & LISTED_MASK) >> LISTED_SHIFT) - 1;

   i->flags = i->flags & ~LISTED_MASK & 0xff;
   if (!i->block)
      return;
   hd_instr *end = i->next, *next = visit(w, i);
   /* Rewritten or not: `next` is `end` also where an older value takes its place. */
   if (next == end) {
      if (!w->replaced && sight)
         look_at_users(w, &i->def, sight - 1);
      return;
   }
   while (next != end)
      next = visit(w, next);
}

static void
count_steps(struct walk *w)
{
   pass_step(w->r->f, w->steps);
   w->steps = 0;
}

bool
hd_rewrite_function(struct hd_rewrite *r)
{
   struct walk w = { .r = r };
   hd_block *const *blocks = hd_function_rpo(r->f, NULL);
   const uint32_t num_blocks = hd_function_num_reachable(r->f);

   hd_function_borrow_marks(r->f);
   for (uint32_t n = 0; n < num_blocks; n++) {
      for (hd_instr *i = blocks[n]->first; i;)
         i = visit(&w, i);
      count_steps(&w);
   }
   w.behind = true;
   while (w.num_work) {
      visit_again(&w, w.work[--w.num_work]);
      count_steps(&w);
   }
   while (w.removed) {
      hd_instr *next = w.removed->next;
      hd_instr_free(r->f->shader, w.removed);
      w.removed = next;
   }
   hd_function_release_marks(r->f);
   return w.progress;
}

bool
hd_rewrite(hd_function *f, const hd_rule_set *set, const uint32_t *options)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   struct hd_rewrite r = { .f = f, .set = set, .options = options, .only = HD_ANY_RULE };

   if (set->version != HD_RULES_VERSION || set->num_ops != HD_NUM_OPS) {
      const hd_diag diag = {
         .severity = HD_ERROR,
         .message = "the rule set was made for another version of the library",
      };
      hd_diag_send(&heap->config.diag, &diag);
      hd_heap_fail(heap, HD_UNSUPPORTED);
      return false;
   }
   return hd_rewrite_function(&r);
}
