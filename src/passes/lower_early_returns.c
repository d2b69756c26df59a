/* SPDX-License-Identifier: MIT */
/* lower_early_returns.c - several returns become one.
 *
 *    b1: return %1                 b1: goto b3
 *    b2: return %2           =>    b2: goto b3
 *                                  b3: %3 = phi b1: %1, b2: %2  return %3
 *
 *    if c { A  return %1 }   =>    loop { if c { A  break }  B  break }
 *    B  return %2                  %3 = phi %1, %2  return %3
 *
 * Flat functions go through hd_lower_returns. In a tree the new loop runs once; opt_jump takes it
 * away where no other code would have to be guarded. A return in a loop of the tree is a break of
 * that one, behind which those lanes are told apart and break again:
 *
 *    loop { A  return %1 }   =>    loop { A  break }  %2 = phi true  if %2 { break }
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing when it fires; all when it does not.
 * Leaves:    halts, which end a lane in the callers too; entries in which lanes end early and
 *            others come to a barrier, and flat functions where they halt (ends.h).
 * Tests:     tests/passes/lower_early_returns.hd, tests/structurize
 */
#include "heddle/build.h"
#include "heddle/structurize.h"
#include "passes/early_returns.h"
#include "passes/ends.h"
#include "passes/splice.h"
#include "structurize/repair.h"

/* A block without a jump whose lanes return. */
struct leaving {
   hd_block *block;
   hd_def *value; /* or NULL */
   uint32_t loc;
};

struct state {
   hd_function *f;
   struct leaving *leaving; /* of the loops that the walk is in, those of outer ones first */
   uint32_t num_leaving;
   uint32_t *first; /* by depth of loops: the first in `leaving` that is of this loop */
   uint32_t depth;
   hd_builder head; /* behind the parameters */
   hd_def *no, *yes, *unknown;
};

/* Reading and taking returns */

static hd_jump *
return_of(const hd_block *b)
{
   hd_jump *jump = hd_block_jump(b);

   return jump && jump->instr.op == HD_JUMP_RETURN ? jump : NULL;
}

/* To fall off the end is to return. */
static uint32_t
count_returns(hd_function *f)
{
   uint32_t num = 0;

   hd_require(f, HD_META_BLOCK_ORDER);
   for (uint32_t n = 0; n < f->end.num_preds; n++) {
      const hd_block *b = f->end.preds[n].from;
      num += (return_of(b) || !hd_block_jump(b)) && hd_block_is_reachable(b);
   }
   return num;
}

static void
add_leaving(struct state *s, hd_block *b, hd_def *value, uint32_t loc)
{
   s->leaving[s->num_leaving++] = (struct leaving){ .block = b, .value = value, .loc = loc };
}

static void
take_return(struct state *s, hd_block *b)
{
   hd_jump *jump = return_of(b);

   add_leaving(s, b, jump->instr.num_srcs ? jump->src[0].def : NULL, jump->instr.loc);
   hd_edge_remove(b, 0);
   hd_instr_unlink(&jump->instr);
   hd_instr_free(s->f->shader, &jump->instr);
}

/* Breaking */

static hd_def *
unknown(struct state *s)
{
   if (!s->unknown)
      s->unknown = hd_undef(&s->head, s->f->result_components, s->f->result_bits);
   return s->unknown;
}

/* What leaves from this loop breaks. Returns what came with it, read behind the loop, or NULL. */
static hd_def *
break_out(struct state *s, hd_loop *loop, uint32_t first)
{
   hd_function *f = s->f;
   hd_block *after = hd_node_block_after(&loop->node);
   const uint32_t num_before = after->num_preds;

   for (uint32_t n = first; n < s->num_leaving; n++) {
      const struct leaving *l = &s->leaving[n];
      hd_insert_jump_to(hd_after_block(l->block), HD_JUMP_BREAK, NULL, after)->instr.loc =
          l->loc & 0xffffff;
   }
   pass_step(f, after->num_preds);
   if (!f->result_components)
      return NULL;
   hd_phi *value = hd_phi_insert(after, f->result_components, f->result_bits, NULL);
   for (uint32_t n = 0; n < after->num_preds; n++) {
      hd_def *known = n < num_before ? NULL : s->leaving[first + n - num_before].value;
      hd_src_rewrite(&value->srcs[n].src, known ? known : unknown(s));
   }
   return &value->instr.def;
}

/* Which lanes behind a loop return? `num_others` of the edges to there are of others. */
static hd_def *
test_of(struct state *s, hd_block *after, uint32_t num_others)
{
   if (!s->yes)
      s->yes = hd_imm_bool(&s->head, true);
   if (!num_others)
      return s->yes;
   if (!s->no)
      s->no = hd_imm_bool(&s->head, false);
   hd_phi *returns = hd_phi_insert(after, 1, 1, NULL);
   for (uint32_t n = 0; n < after->num_preds; n++)
      hd_src_rewrite(&returns->srcs[n].src, n < num_others ? s->no : s->yes);
   return &returns->instr.def;
}

/* Behind a loop those that return are told apart, and leave from there. Without others nothing is
 * left to follow, but in a continue list, which no jump may end.
 */
static void
go_on_behind(struct state *s, hd_loop *loop)
{
   hd_block *after = hd_node_block_after(&loop->node), *leaves = after;
   const uint32_t first = s->first[--s->depth], num_others = after->num_preds;

   if (first == s->num_leaving)
      return;
   hd_def *value = break_out(s, loop, first);
   if (num_others || splice_is_continue_list(after->node.list)) {
      hd_def *test = test_of(s, after, num_others);
      leaves = hd_list_first_block(&hd_insert_if(hd_after_phis(after), test)->then_list);
   } else {
      hd_cf_range rest;
      hd_cf_extract(&rest, hd_after_phis(after), hd_list_end(after->node.list));
      hd_cf_delete(&rest);
   }
   s->num_leaving = first;
   add_leaving(s, leaves, value, 0);
}

/* All but the parameters becomes the body of a loop. */
static hd_loop *
put_into_loop(hd_function *f)
{
   hd_block *start = hd_function_start(f);
   hd_instr *i = start->first;
   hd_cf_range range;

   while (i && i->kind == HD_INSTR_PARAM)
      i = i->next;
   hd_cf_extract(&range, i ? hd_before_instr(i) : hd_after_block(start), hd_list_end(&f->body));
   hd_loop *loop = hd_insert_loop(hd_after_block(start));
   hd_cf_reinsert(&range, hd_list_start(&loop->body));
   return loop;
}

void
early_returns_to_end(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct state s = { .f = f };
   uint32_t num_loops = 0, num_returns = 1;

   hd_foreach_node(n, f) {
      const hd_block *b = hd_node_as_block(n);
      num_loops += n->kind == HD_CF_LOOP;
      num_returns += b && return_of(b);
      pass_step(f, 1);
   }
   s.leaving = hd_stack_alloc(stack, num_returns * sizeof(*s.leaving));
   s.first = hd_stack_alloc(stack, (num_loops + 1) * sizeof(*s.first));
   hd_loop *once = put_into_loop(f);
   s.head = hd_builder_at(hd_after_block(hd_function_start(f)));

   hd_cf_node *n = once->body.first, *left;
   while (n != once->continue_list.first) {
      hd_block *b = hd_node_as_block(n);
      if (b && return_of(b))
         take_return(&s, b);
      if (n->kind == HD_CF_LOOP)
         s.first[s.depth++] = s.num_leaving;
      n = splice_next(n, &left);
      if (hd_node_as_loop(left))
         go_on_behind(&s, hd_node_as_loop(left));
   }
   hd_block *last = hd_list_last_block(&once->body), *after = hd_node_block_after(&once->node);
   if (!hd_block_jump(last))
      add_leaving(&s, last, NULL, 0);
   hd_def *value = break_out(&s, once, 0);
   if (value)
      hd_insert_jump_to(hd_after_block(after), HD_JUMP_RETURN, value, &f->end);
   /* Lanes that return come past code that others have left a loop with values for. */
   hd_repair_ssa(f, NULL);
}

/* The pass */

static bool
lower_flat(hd_function *f)
{
   /* A changed function has new blocks, made before the old ones went. */
   const hd_block *start = hd_function_start(f);

   if (ends_before_barriers(f))
      return false;
   hd_result result = hd_lower_returns(f);
   if (result != HD_OK)
      hd_heap_fail(hd_shader_heap(f->shader), result);
   return start != hd_function_start(f);
}

static bool
lower_tree(hd_function *f)
{
   if (count_returns(f) < 2 || (f == f->shader->first_function && ends_before_barriers(f)))
      return false;
   hd_opt_dead_cf(f);
   early_returns_to_end(f);
   return true;
}

bool
hd_lower_early_returns(hd_function *f)
{
   const bool progress = f->structured ? lower_tree(f) : lower_flat(f);

   return hd_progress(f, progress, LOWER_EARLY_RETURNS_KEEPS);
}
