/* SPDX-License-Identifier: MIT */
/* unstructure.c - lower the tree to a flat list of blocks with gotos.
 *
 *    b0:                             b0:
 *      if %1 {                         goto_if %1, b1, b2
 *        b1:                         b1:
 *      } else {              =>        goto b3
 *        b2:                         b2:
 *      }                               goto b3
 *    b3:                             b3 header:
 *
 * The edges of a tree are those of its flat form: blocks stay, each gets the jump that says where
 * its edges go, and ifs and loops are taken away from around them. A `break` or `continue` is a
 * goto as it stands. What the edges alone do not say is declared: of each loop that can repeat, its
 * header, its blocks (each is declared to be inside its innermost loop; a header, inside the loop
 * around) and its continue block. A loop that cannot repeat is no cycle and leaves no trace.
 *
 * Why masks stay: the cycles of the flat form, declared members included, are the loops that can
 * repeat with all their blocks, and the order of the text is one in which it can be swept. That is
 * how the cycle nest of the tree itself is defined (analysis.h), so the sweeps are the same.
 *
 * Blocks that nothing reaches are dropped. What they define is used by them only, or by a phi for
 * an edge out of them, and these sources go with the edges; no phi is left without sources, as each
 * reachable block has a reachable predecessor. A phi of one source stays: after a loop it says
 * where the value of each lane's last iteration is taken.
 */
#include "heddle/structurize.h"
#include "structurize/body.h"

/* A node of the tree, in the order of the text. */
struct place {
   hd_cf_node *node;
   bool reachable; /* of blocks */
   hd_block *inside;
   hd_block *continues;
};

struct unstructure {
   hd_function *f;
   hd_function *work; /* a tree until everything that can fail is done */
   struct place *places;
   uint32_t num;
};

/* What is declared of a block follows from the cycles of the tree. */
static void
look_at_block(struct place *p)
{
   const hd_block *b = hd_node_as_block(p->node);

   p->reachable = hd_block_is_reachable(b);
   const hd_cycle *c = p->reachable ? hd_block_cycle(b) : NULL;
   if (!c)
      return;
   if (c->continue_block == b)
      p->continues = c->header;
   if (c->header == b)
      c = c->parent;
   p->inside = c ? c->header : NULL;
}

/* Everything that can fail. */
static void
prepare(struct unstructure *u)
{
   hd_stack *stack = hd_shader_stack(u->f->shader);
   size_t num_jumps = 0;
   uint32_t num = 0;

   u->work = hd_body_copy(u->f);
   hd_require(u->work, HD_META_BLOCK_ORDER | HD_META_CYCLES);
   hd_foreach_node(n, u->work) {
      num++;
   }
   u->places = hd_stack_alloc_zero(stack, num * sizeof(*u->places));
   hd_foreach_node(n, u->work) {
      struct place *p = &u->places[u->num++];
      p->node = n;
      if (n->kind != HD_CF_BLOCK)
         continue;
      look_at_block(p);
      num_jumps += p->reachable && !hd_block_jump(hd_node_as_block(n));
   }
   hd_heap_step(hd_shader_heap(u->f->shader), num);
   hd_pool_reserve(hd_shader_pool(u->f->shader), num_jumps * sizeof(hd_jump));
}

/* The jump of a block that had none, or whose jump a flat function does not have. */
static void
end_in_goto(hd_function *work, hd_block *b)
{
   hd_jump *jump = hd_block_jump(b);
   const hd_cf_node *next = b->node.next;
   hd_if *nif = hd_block_next_if(b);

   if (jump) {
      if (jump->instr.op == HD_JUMP_BREAK || jump->instr.op == HD_JUMP_CONTINUE)
         jump->instr.op = HD_JUMP_GOTO;
      return;
   }
   /* A tree that returns nothing may end in its last block. */
   hd_jump_kind kind = nif                            ? HD_JUMP_GOTO_IF
                       : b->succs[0].to == &work->end ? HD_JUMP_RETURN
                                                      : HD_JUMP_GOTO;
   jump = hd_jump_create(work->shader, kind, nif != NULL, 0);
   if (nif)
      jump->src[0].def = nif->cond.def;
   if (next)
      jump->instr.loc = next->loc;
   hd_instr_append(b, &jump->instr);
}

/* Edges go first: phis in blocks that stay lose their sources. */
static void
detach_block(hd_block *b)
{
   while (b->num_succs)
      hd_edge_remove(b, b->num_succs - 1);
   hd_foreach_instr(i, b) {
      hd_foreach_src(src, i)
         hd_src_unlink(src);
   }
}

static void
append(hd_cf_list *list, hd_cf_node *node)
{
   node->list = list;
   node->next = NULL;
   node->prev = list->last;
   if (node->prev)
      node->prev->next = node;
   else
      list->first = node;
   list->last = node;
}

/* From here on nothing fails. */
static void
flatten(struct unstructure *u)
{
   hd_function *work = u->work;
   struct place *end = u->places + u->num;

   for (struct place *p = u->places; p < end; p++) {
      hd_block *b = hd_node_as_block(p->node);
      if (b && p->reachable)
         end_in_goto(work, b);
      else if (b)
         detach_block(b);
      else if (p->node->kind == HD_CF_IF)
         hd_src_unlink(&hd_node_as_if(p->node)->cond);
   }
   assert(work);
   work->structured = false;
   work->meta_valid = 0;
   work->body.first = work->body.last = NULL;
   for (struct place *p = u->places; p < end; p++) {
      hd_block *b = hd_node_as_block(p->node);
      if (!b || !p->reachable) {
         hd_cf_node_free(work, p->node);
         continue;
      }
      append(&work->body, p->node);
      b->loop_header = p->inside;
      b->continues = p->continues;
      if (p->inside)
         p->inside->node.header = true;
      if (p->continues)
         p->continues->node.header = true;
   }
}

static hd_result
try_to_prepare(struct unstructure *u)
{
   hd_heap *heap = hd_shader_heap(u->f->shader);
   hd_unwind unwind;

   if (!heap->unwind)
      hd_heap_refill(heap);
   if (HD_TRY(heap, &unwind))
      prepare(u);
   return hd_heap_leave(heap, &unwind);
}

hd_result
hd_unstructure(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct unstructure u = { .f = f };

   if (!f->structured)
      return HD_OK;
   hd_result result = try_to_prepare(&u);
   if (result == HD_OK) {
      flatten(&u);
      hd_body_swap(f, u.work);
   } else {
      hd_body_drop(u.work);
   }
   hd_stack_release(stack, mark);
   return result;
}
