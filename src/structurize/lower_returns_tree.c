/* SPDX-License-Identifier: MIT */
/* lower_returns_tree.c - merge the returns of a tree into one at its end.
 *
 *    if c { A  return %1 }   =>    loop { if c { A  break }  B  break }
 *    B  return %2                  %3 = phi %1, %2  return %3
 *
 * The new loop runs once. A return inside a loop of the tree becomes a break of that loop, and a
 * test after it lets those lanes break again:
 *
 *    loop { A  return %1 }   =>    loop { A  break }  %2 = phi true  if %2 { break }
 *
 * Loops are taken from the last in the text to the first, so that those inside come before.
 */
#include "structurize/lower_returns.h"

#include "heddle/build.h"
#include "structurize/repair.h"

#define NONE UINT32_MAX

/* A block without a jump whose lanes return. */
struct leaving {
   hd_block *block;
   hd_def *value; /* or NULL */
   uint32_t loc;
   uint32_t next; /* of the same loop */
};

struct left_loop {
   hd_loop *loop;
   uint32_t outer;       /* the loop around it */
   uint32_t first, last; /* what leaves from right in it */
};

struct state {
   hd_function *f;
   struct left_loop *loops; /* in the order of the text; the first is the new one around all */
   uint32_t num_loops;
   struct leaving *leaving;
   uint32_t num_leaving;
   bool falls;      /* lanes reach the end of the body without a return */
   hd_builder head; /* after the parameters */
   hd_def *no, *yes, *unknown;
};

/* Reading and taking returns */

static hd_jump *
return_of(const hd_block *b)
{
   hd_jump *jump = hd_block_jump(b);

   return jump && jump->instr.op == HD_JUMP_RETURN ? jump : NULL;
}

static void
add_leaving(struct state *s, uint32_t loop, struct leaving leaving)
{
   struct left_loop *l = &s->loops[loop];
   const uint32_t n = s->num_leaving++;

   leaving.next = NONE;
   s->leaving[n] = leaving;
   if (l->first == NONE)
      l->first = n;
   else
      s->leaving[l->last].next = n;
   l->last = n;
}

static void
take_return(struct state *s, uint32_t loop, hd_block *b)
{
   hd_jump *jump = return_of(b);

   add_leaving(s, loop,
               (struct leaving){ b, jump->instr.num_srcs ? jump->src[0].def : NULL, jump->instr.loc,
                                 NONE });
   b->node.mark = s->num_leaving;
   hd_edge_remove(b, 0);
   hd_instr_unlink(&jump->instr);
   hd_instr_free(s->f->shader, &jump->instr);
}

/* An `if` is marked with the number of the loop that it is in, a loop with its own; a block that
 * returned with its number in `leaving`, from 1 on.
 */
static void
take_all(struct state *s, hd_loop *once)
{
   s->loops[0] = (struct left_loop){ once, NONE, NONE, NONE };
   s->num_loops = 1;
   once->node.mark = 0;
   for (hd_cf_node *n = once->body.first; n->list->parent; n = hd_cf_node_next(n)) {
      const uint32_t around = n->list->parent->mark;
      hd_loop *loop = hd_node_as_loop(n);
      hd_block *b = hd_node_as_block(n);
      hd_heap_step(hd_shader_heap(s->f->shader), 1);
      if (b && return_of(b))
         take_return(s, around, b);
      if (b)
         continue;
      n->mark = around;
      if (loop) {
         n->mark = s->num_loops;
         s->loops[s->num_loops++] = (struct left_loop){ loop, around, NONE, NONE };
      }
   }
}

/* Breaking */

static hd_def *
unknown(struct state *s)
{
   if (!s->unknown)
      s->unknown = hd_undef(&s->head, s->f->result_components, s->f->result_bits);
   return s->unknown;
}

/* What leaves from this loop breaks. Returns what came with it, read after the loop, or NULL. */
static hd_def *
break_out(struct state *s, const struct left_loop *l)
{
   hd_function *f = s->f;
   hd_block *after = hd_node_next_block(&l->loop->node);
   const uint32_t num_others = after->num_preds;

   for (uint32_t n = l->first; n != NONE; n = s->leaving[n].next) {
      const struct leaving *leaving = &s->leaving[n];
      hd_jump *jump = hd_insert_jump_to(hd_after_block(leaving->block), HD_JUMP_BREAK, NULL, after);
      jump->instr.loc = leaving->loc & 0xffffff;
   }
   hd_heap_step(hd_shader_heap(f->shader), after->num_preds);
   if (!f->result_components)
      return NULL;
   hd_phi *value = hd_phi_insert(after, f->result_components, f->result_bits, NULL);
   uint32_t at = l->first;
   for (uint32_t n = 0; n < after->num_preds; n++) {
      hd_def *known = n < num_others ? NULL : s->leaving[at].value;
      hd_src_set_def(&value->srcs[n].src, known ? known : unknown(s));
      at = n < num_others ? at : s->leaving[at].next;
   }
   return &value->instr.def;
}

/* Which lanes after a loop return? `num_others` of the edges to there are of others. */
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
      hd_src_set_def(&returns->srcs[n].src, n < num_others ? s->no : s->yes);
   return &returns->instr.def;
}

/* Is the block nothing but the end of a list that a jump may end? */
static bool
only_ends_list(const hd_block *b)
{
   const hd_loop *around = hd_node_as_loop(b->node.list->parent);

   return !b->node.next && !hd_block_first_non_phi(b) &&
          (!around || b->node.list != &around->continue_list);
}

/* After a loop those that return are distinguished, and leave from there. */
static void
go_on_behind(struct state *s, const struct left_loop *l)
{
   hd_block *after = hd_node_next_block(&l->loop->node), *leaves = after;
   const uint32_t num_others = after->num_preds;

   if (l->first == NONE)
      return;
   hd_def *value = break_out(s, l);
   if (num_others || after->node.mark || !only_ends_list(after)) {
      hd_if *nif = hd_insert_if(hd_after_phis(after), test_of(s, after, num_others));
      leaves = hd_list_first_block(&nif->then_list);
      /* What returned at its end stands after the test. */
      if (after->node.mark)
         s->leaving[after->node.mark - 1].block = hd_node_next_block(&nif->node);
   } else if (after->node.list == &s->loops[0].loop->body) {
      s->falls = false;
   }
   add_leaving(s, l->outer, (struct leaving){ leaves, value, 0, NONE });
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
hd_lower_returns_of_tree(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct state s = { .f = f };
   uint32_t num_loops = 1, num_returns = 1;

   hd_foreach_node(n, f) {
      const hd_block *b = hd_node_as_block(n);
      num_loops += n->kind == HD_CF_LOOP;
      num_returns += b && return_of(b);
   }
   s.loops = hd_stack_alloc(stack, num_loops * sizeof(*s.loops));
   /* And one for each loop that they come out of. */
   s.leaving = hd_stack_alloc(stack, ((size_t)num_returns + num_loops) * sizeof(*s.leaving));
   hd_loop *once = put_into_loop(f);
   s.head = hd_builder_at(hd_after_block(hd_function_start(f)));

   s.falls = !hd_block_jump(hd_list_last_block(&once->body));
   hd_function_borrow_node_marks(f);
   take_all(&s, once);
   for (uint32_t n = s.num_loops; --n;)
      go_on_behind(&s, &s.loops[n]);
   hd_function_release_marks(f);
   if (s.falls)
      add_leaving(&s, 0, (struct leaving){ hd_list_last_block(&once->body), NULL, 0, NONE });
   hd_block *after = hd_node_next_block(&once->node);
   hd_def *value = break_out(&s, &s.loops[0]);
   if (value)
      hd_insert_jump_to(hd_after_block(after), HD_JUMP_RETURN, value, &f->end);
   /* Lanes that return come past code that others have left a loop with values for. */
   hd_repair_ssa(f, NULL);
}
