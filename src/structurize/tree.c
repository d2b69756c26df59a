/* SPDX-License-Identifier: MIT */
/* tree.c - build the tree that a plan describes. */
#include "structurize/tree.h"
#include "heddle/op_enum.h"

/* What is open around the place where code goes. */
typedef struct frame {
   struct frame *outer, *outer_loop; /* around it */
   bool is_loop;
   const plan_op *op;
   /* An if: the lanes before it, and those at the end of the side that came first. */
   hd_if *node;
   hd_def *cond;
   bool inverted; /* the side that comes first is the else-list */
   bool uniform;
   bool has_first;
   hd_def *picked; /* of a test that parts lanes: a fact that is true for those that it picks */
   state before;
   arm first;
   /* A loop */
   hd_loop *loop;
   uint32_t cycle;
   bool in_continue_list;
   uint32_t num_divergent; /* divergent ifs around it */
   bool parts;             /* lanes can leave its lists at different times */
   tree_header header;
   arm *breaks, *continues;
   uint32_t num_breaks, num_continues;
   uint32_t return_to; /* the op after the loop */
} frame;

typedef struct walker {
   tree_builder *t;
   frame *top;             /* the innermost frame, or NULL */
   frame *loop;            /* that of the innermost loop, or NULL */
   frame *spare;           /* those that were open before, of all walks */
   uint32_t num_divergent; /* ifs that are open */
} walker;

static frame *
push_frame(walker *w, bool is_loop)
{
   frame *f = w->spare;

   if (f)
      w->spare = f->outer;
   else
      f = hd_stack_alloc(w->t->stack, sizeof(*f));
   *f = (frame){ .is_loop = is_loop, .outer = w->top, .outer_loop = w->loop };
   w->top = f;
   if (is_loop)
      w->loop = f;
   return f;
}

static void
pop_frame(walker *w)
{
   frame *f = w->top;

   assert(f);
   w->top = f->outer;
   w->loop = f->outer_loop;
   f->outer = w->spare;
   w->spare = f;
}

/* Conditions */

/* The cases of a switch by successor: values[begin[s]] to before values[begin[s + 1]]. */
struct switch_cases {
   uint32_t *begin;
   uint64_t *values;
};

static const struct switch_cases *
cases_of(tree_builder *t, uint32_t block)
{
   const hd_jump *jump = hd_block_jump(t->old[block]);
   uint32_t num_succs = t->old[block]->num_succs;

   if (t->cases[block])
      return t->cases[block];
   struct switch_cases *c = hd_stack_alloc(t->stack, sizeof(*c));
   c->begin = scratch_fill(t->stack, num_succs + 2, 0);
   c->values = hd_stack_alloc(t->stack, (jump->num_cases + 1) * sizeof(*c->values));
   for (uint32_t i = 0; i < jump->num_cases; i++)
      c->begin[jump->cases[i].succ + 2]++;
   for (uint32_t s = 0; s < num_succs; s++)
      c->begin[s + 2] += c->begin[s + 1];
   for (uint32_t i = 0; i < jump->num_cases; i++)
      c->values[c->begin[jump->cases[i].succ + 1]++] = jump->cases[i].value;
   return t->cases[block] = c;
}

/* What must hold for a lane to leave a block by a successor, other than a switch's default. */
static hd_def *
condition(tree_builder *t, uint32_t block, uint32_t succ)
{
   if (t->dry)
      return hd_tree_token(t);
   const hd_jump *jump = hd_block_jump(t->old[block]);
   hd_def *value = jump->src[0].def, *any = NULL;

   if (jump->instr.op != HD_JUMP_SWITCH)
      return value;
   const struct switch_cases *c = cases_of(t, block);
   for (uint32_t i = c->begin[succ]; i < c->begin[succ + 1]; i++) {
      hd_def *equal = hd_tree_alu(t, t->block, HD_OP_IEQ, 1, value,
                                  hd_tree_const(t, value->bit_size, c->values[i]), NULL);
      any = any ? hd_tree_alu(t, t->block, HD_OP_IOR, 1, any, equal, NULL) : equal;
   }
   assert(any);
   return any;
}

/* Blocks */

static void
name_block(tree_builder *t, const hd_block *old)
{
   const char *name = hd_block_name(t->f, old);

   if (name && !hd_block_name(t->f, t->block))
      hd_block_set_name(t->f, t->block, name);
   if (!t->block->node.loc)
      t->block->node.loc = old->node.loc;
}

static void
place_block(walker *w, const plan_op *op)
{
   tree_builder *t = w->t;
   hd_block *old = t->old[op->a];
   hd_jump *jump = hd_block_jump(old);
   bool ends = jump->instr.op == HD_JUMP_RETURN || jump->instr.op == HD_JUMP_HALT;

   if (t->dry) {
      if (ends)
         t->state.kind = STATE_DEAD;
      return;
   }
   hd_heap_step(hd_shader_heap(t->f->shader), 1);
   hd_tree_arrive(t, op->a);
   name_block(t, old);
   hd_instr *first = old->first;
   while (first->kind == HD_INSTR_PHI)
      first = first->next;
   if (first != &jump->instr)
      hd_move_instrs(first, jump->instr.prev, t->block);
   if (!ends)
      return;
   bool returns = jump->instr.op == HD_JUMP_RETURN;
   hd_def *value = returns && jump->instr.num_srcs ? jump->src[0].def : NULL;
   /* At the end of a function's body control returns by itself. */
   if (!returns || value || !op->in_tail || w->top) {
      hd_jump *to = hd_insert_jump_to(hd_after_block(t->block), jump->instr.op, value, &t->f->end);
      to->instr.loc = jump->instr.loc;
   }
   t->state = (state){ .kind = STATE_DEAD };
}

/* Ifs */

static void
open_if(walker *w, const plan_op *op, hd_def *cond, bool inverted, bool uniform, uint32_t loc)
{
   tree_builder *t = w->t;
   frame *f = push_frame(w, false);

   f->op = op;
   f->cond = cond;
   f->inverted = inverted;
   f->uniform = uniform;
   f->before = t->state;
   w->num_divergent += !uniform;
   if (op->kind == PLAN_TEST) {
      if (!t->dry && !uniform)
         f->picked = hd_tree_flags_picked(t, &f->before, &t->p->groups[op->a]);
      hd_tree_targets_filter(t, &t->state, &t->p->groups[op->a], true);
      if (!t->dry)
         hd_tree_flags_filter(t, &f->before, &t->state);
   }
   if (t->dry)
      return;
   if (uniform)
      hd_tree_flags_side(t, &t->state, cond, !inverted);
   f->node = hd_insert_if(hd_after_block(t->block), cond);
   f->node->node.loc = loc;
   t->block = hd_list_first_block(inverted ? &f->node->else_list : &f->node->then_list);
}

static void
turn_if(walker *w)
{
   tree_builder *t = w->t;
   frame *f = w->top;

   assert(f);
   f->first = (arm){ .block = t->block, .state = t->state };
   f->has_first = true;
   t->state = f->before;
   if (f->op->kind == PLAN_TEST) {
      const plan_group *g = &t->p->groups[f->op->a];
      hd_tree_targets_filter(t, &t->state, g, false);
      /* A test of one target has sent away those that wait for it. */
      if (g->target != NONE)
         hd_tree_drop(t, &t->state, g->target);
      if (!t->dry)
         hd_tree_flags_filter(t, &f->before, &t->state);
   }
   if (!t->dry && f->uniform)
      hd_tree_flags_side(t, &t->state, f->cond, f->inverted);
   if (!t->dry)
      t->block = hd_list_first_block(f->inverted ? &f->node->then_list : &f->node->else_list);
}

/* A test without an else side: the lanes that were not picked go on. */
static void
close_if(walker *w)
{
   tree_builder *t = w->t;
   frame *f = w->top;

   assert(f);
   if (!f->has_first)
      turn_if(w);
   arm arms[2] = { f->first, { .block = t->block, .state = t->state } };
   hd_block *after = t->dry ? NULL : hd_node_next_block(&f->node->node);
   const bool tests = f->op->kind == PLAN_TEST;
   const lane_split how = {
      .cond = f->cond,
      .inverted = f->inverted,
      .uniform = f->uniform,
      .picked = f->picked,
      .before = tests ? &f->before : NULL,
      .target = tests ? t->p->groups[f->op->a].target : NONE,
   };
   t->state = hd_tree_join(t, after, arms, 2, &how);
   w->num_divergent -= !f->uniform;
   if (t->state.kind == STATE_MANY && !tests && arms[0].state.kind == STATE_ONE &&
       arms[1].state.kind == STATE_ONE)
      hd_tree_selector_prefer(t, t->state.web, arms[0].state.target, arms[1].state.target);
   t->block = after;
   pop_frame(w);
}

static void
open_test(walker *w, const plan_op *op)
{
   tree_builder *t = w->t;
   const plan_group *group = &t->p->groups[op->a];
   bool inverted, uniform;
   hd_def *cond = hd_tree_selector_test(t, &t->state, group, &inverted, &uniform);

   if (!cond)
      cond = hd_tree_token(t);
   open_if(w, op, cond, inverted, uniform, 0);
}

static bool
is_uniform(const tree_builder *t, uint32_t block)
{
   return !t->p->divergent[block];
}

static void
choose(walker *w, const plan_op *op)
{
   tree_builder *t = w->t;
   hd_def *cond = condition(t, op->a, op->b);
   state chosen = hd_tree_edge(t, op->a, op->b), other = t->state;

   t->state = hd_tree_choose(t, cond, is_uniform(t, op->a), &chosen, &other);
}

/* Loops */

static void
open_loop(walker *w, const plan_op *op)
{
   tree_builder *t = w->t;
   frame *f = push_frame(w, true);

   f->cycle = op->a;
   f->return_to = op->next;
   f->num_divergent = w->num_divergent;
   if (!t->dry) {
      f->loop = hd_insert_loop(hd_after_block(t->block));
      t->block = hd_loop_header(f->loop);
      t->block->unroll = t->p->block[t->p->cycle[op->a].header]->unroll;
   }
   hd_tree_enter(t, op->a, &f->header, t->block, &t->state);
}

static void
add_arm(tree_builder *t, arm **list, uint32_t *num)
{
   arm *a = hd_stack_alloc(t->stack, sizeof(*a));

   *a = (arm){ .block = t->block, .state = t->state, .next = *list };
   *list = a;
   ++*num;
}

static void
leave(walker *w, hd_jump_kind kind, bool falls)
{
   tree_builder *t = w->t;
   frame *f = w->loop;
   bool breaks = kind == HD_JUMP_BREAK;

   assert(f);
   f->parts |= w->num_divergent > f->num_divergent;

   add_arm(t, breaks ? &f->breaks : &f->continues, breaks ? &f->num_breaks : &f->num_continues);
   if (!t->dry && !falls)
      hd_insert_jump_to(hd_after_block(t->block), kind, NULL,
                        breaks ? hd_node_next_block(&f->loop->node) : hd_loop_continue(f->loop));
   t->state = (state){ .kind = STATE_DEAD };
}

static state
join_list(tree_builder *t, hd_block *at, const arm *list, uint32_t num, bool uniform)
{
   arm *arms = hd_stack_alloc(t->stack, (num + 1) * sizeof(*arms));

   for (uint32_t i = num; list; list = list->next)
      arms[--i] = *list;
   return hd_tree_join(t, at, arms, num, &(lane_split){ .uniform = uniform, .target = NONE });
}

/* The end of a loop's body, or of its continue list. Returns the op to go on with. */
static uint32_t
end_of_list(walker *w)
{
   tree_builder *t = w->t;
   frame *f = w->top;
   const plan_cycle *c = &t->p->cycle[f->cycle];

   assert(f);
   if (!f->in_continue_list) {
      if (t->state.kind != STATE_DEAD)
         leave(w, HD_JUMP_CONTINUE, true);
      f->in_continue_list = true;
      t->block = t->dry ? NULL : hd_loop_continue(f->loop);
      t->state = join_list(t, t->block, f->continues, f->num_continues, !f->parts);
      if (t->state.kind != STATE_DEAD)
         hd_tree_narrow(t, &t->state, c->continue_block != NONE ? c->continue_block : c->header);
      if (c->again != NONE && t->state.kind != STATE_DEAD)
         return c->again;
   }
   hd_tree_again(t, f->cycle, &f->header, t->block, &t->state);
   t->block = t->dry ? NULL : hd_node_next_block(&f->loop->node);
   t->state = join_list(t, t->block, f->breaks, f->num_breaks, !f->parts);
   pop_frame(w);
   return f->return_to;
}

/* Where control continues anyway no jump is needed; but inside an if, lanes that bring values would
 * meet others at the end of each if on the way, with phis there: with the jump, at one place.
 */
static bool
continues_anyway(const walker *w, const plan_op *op)
{
   const plan *p = w->t->p;

   assert(w->loop);
   const plan_cycle *c = &p->cycle[w->loop->cycle];
   uint32_t block = c->continue_block != NONE ? c->continue_block : c->header;
   bool has_phis = w->t->key_begin[block] != w->t->key_begin[block + 1];

   return op->in_tail && (!has_phis || w->top == w->loop);
}

/* The walk */

static uint32_t
step(walker *w, uint32_t at)
{
   tree_builder *t = w->t;
   const plan_op *op = &t->p->ops[at];

   switch ((plan_op_kind)op->kind) {
   case PLAN_BLOCK:
      place_block(w, op);
      break;
   case PLAN_LOOP:
      open_loop(w, op);
      return t->p->cycle[op->a].body;
   case PLAN_EDGE: {
      state before = t->state;
      t->state = hd_tree_edge(t, op->a, op->b);
      hd_tree_flags_edge(t, &before, &t->state);
      break;
   }
   case PLAN_ALSO:
      choose(w, op);
      break;
   case PLAN_IF:
   case PLAN_CASE: {
      const hd_jump *jump = hd_block_jump(t->old[op->a]);
      open_if(w, op, condition(t, op->a, op->b), false, is_uniform(t, op->a), jump->instr.loc);
      break;
   }
   case PLAN_TEST:
      open_test(w, op);
      break;
   case PLAN_NARROW:
      hd_tree_narrow(t, &t->state, op->a);
      break;
   case PLAN_ELSE:
      turn_if(w);
      break;
   case PLAN_END:
      close_if(w);
      break;
   case PLAN_BREAK:
      leave(w, HD_JUMP_BREAK, false);
      break;
   case PLAN_CONTINUE_NOW:
      if (!continues_anyway(w, op))
         leave(w, HD_JUMP_CONTINUE, false);
      break;
   }
   return op->next;
}

static void
walk(walker *w)
{
   tree_builder *t = w->t;
   uint32_t at = t->p->body;

   t->state = (state){ .kind = STATE_ONE, .target = 0 };
   t->num_webs = 0;
   t->block = t->dry ? NULL : hd_function_start(t->f);
   while (at != NONE || w->top)
      at = at == NONE ? end_of_list(w) : step(w, at);
}

/* The flat blocks leave the function; it becomes an empty tree. */
static void
detach(tree_builder *t)
{
   hd_function *f = t->f;
   hd_block *start = hd_block_alloc(f);

   f->structured = true;
   start->node.list = &f->body;
   f->body.first = f->body.last = &start->node;
   hd_edge_add(start, &f->end);
}

static void
drop_old(hd_function *f, hd_cf_node *first)
{
   for (hd_cf_node *n = first; n; n = n->next) {
      hd_foreach_instr(i, hd_node_as_block(n)) {
         hd_foreach_src(src, i)
            hd_src_unlink(src);
      }
   }
   for (hd_cf_node *n = first, *next; n; n = next) {
      next = n->next;
      hd_cf_node_free(f, n);
   }
}

void
hd_tree_build(tree_builder *t)
{
   hd_function *f = t->f;
   hd_cf_node *first = f->body.first;
   walker w = { .t = t };

   t->stack = t->p->stack;
   t->cases = hd_stack_alloc_zero(t->stack, (t->p->num_blocks + 1) * sizeof(*t->cases));
   hd_tree_read_phis(t);
   t->dry = t->collecting = true;
   /* Without a test, and without a loop to leave, no lanes are together that wait apart. */
   if (t->p->num_groups || t->p->num_cycles)
      walk(&w);
   t->collecting = false;
   hd_tree_webs_finish(t);
   hd_tree_selectors_finish(t);
   /* What selectors cost is added up: nothing where there are none. */
   if (t->num_webs)
      walk(&w);
   hd_tree_selectors_settle(t);
   t->dry = false;
   t->next_test = 0;
   /* Edges of the old blocks to the end block would be in the way. */
   for (hd_cf_node *n = first; n; n = n->next) {
      hd_block *b = hd_node_as_block(n);
      if (b->num_succs && hd_block_is_end(b->succs[0].to))
         hd_edge_remove(b, 0);
   }
   detach(t);
   hd_tree_flags_begin(t);
   walk(&w);
   hd_tree_flags_finish(t);
   drop_old(f, first);
   f->meta_valid = 0;
}
