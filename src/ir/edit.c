/* SPDX-License-Identifier: MIT */
/* edit.c - tree editing: insert, extract, reinsert, delete nodes and jumps.
 *
 * Every call computes what it needs and reserves it, and then changes the function without failing.
 */
#include "ir/repair.h"

hd_block *
hd_list_exit(const hd_cf_list *list)
{
   hd_loop *loop = hd_node_as_loop(list->parent);

   if (!list->parent)
      return list == &list->function->body ? &list->function->end : NULL;
   if (!loop)
      return hd_node_next_block(list->parent);
   return list == &loop->body ? hd_loop_continue(loop) : hd_loop_header(loop);
}

void
hd_nodes_link(hd_cf_list *list, hd_cf_node *after, hd_cf_node *first, hd_cf_node *last)
{
   hd_cf_node *before = after ? after->next : list->first;

   for (hd_cf_node *n = first;; n = n->next) {
      n->list = list;
      if (n == last)
         break;
   }
   first->prev = after;
   last->next = before;
   if (after)
      after->next = first;
   else
      list->first = first;
   if (before)
      before->prev = last;
   else
      list->last = last;
}

void
hd_nodes_unlink(hd_cf_node *first, hd_cf_node *last)
{
   hd_cf_list *list = first->list;

   if (first->prev)
      first->prev->next = last->next;
   else
      list->first = last->next;
   if (last->next)
      last->next->prev = first->prev;
   else
      list->last = first->prev;
   first->prev = last->next = NULL;
}

static void
set_only_block(hd_cf_list *list, hd_block *b)
{
   b->node.list = list;
   list->first = list->last = &b->node;
}

static void
add_edge(hd_block *from, hd_block *to)
{
   bool ok = hd_edge_add(from, to);

   assert(ok && "two edges fit into any block");
   (void)ok;
}

/* Make room at a cursor for a node: what follows goes to a new block, with the edges. */
static hd_block *
open_gap(hd_block *b, hd_instr *at, hd_cf_node *node)
{
   hd_block *after = hd_block_alloc(b->node.list->function);

   hd_move_tail(at, after);
   hd_edges_move(b, after);
   node->next = &after->node;
   after->node.prev = node;
   hd_nodes_link(b->node.list, &b->node, node, &after->node);
   return after;
}

hd_if *
hd_insert_if(hd_cursor cursor, hd_def *cond)
{
   hd_block *b = hd_cursor_block(cursor);
   hd_function *f = hd_block_function(b);

   assert(f->structured);
   if (!hd_pool_reserve(hd_shader_pool(f->shader), sizeof(hd_if) + 3 * sizeof(hd_block)))
      return NULL;
   hd_if *nif = hd_if_alloc(f, cond);
   hd_block *after = open_gap(b, hd_cursor_instr(cursor), &nif->node);
   hd_block *then_block = hd_block_alloc(f), *else_block = hd_block_alloc(f);
   set_only_block(&nif->then_list, then_block);
   set_only_block(&nif->else_list, else_block);
   add_edge(b, then_block);
   add_edge(b, else_block);
   add_edge(then_block, after);
   add_edge(else_block, after);
   f->meta_valid = 0;
   return nif;
}

void
hd_if_exchange_arms(hd_if *nif)
{
   hd_block *before = hd_node_prev_block(&nif->node);
   hd_cf_list *a = &nif->then_list, *b = &nif->else_list;
   hd_cf_node *first = a->first, *last = a->last, *b_first = b->first, *b_last = b->last;

   hd_nodes_unlink(first, last);
   hd_nodes_unlink(b_first, b_last);
   hd_nodes_link(a, NULL, b_first, b_last);
   hd_nodes_link(b, NULL, first, last);
   hd_edge edge = before->succs[0];
   before->succs[0] = before->succs[1];
   before->succs[1] = edge;
   for (uint32_t n = 0; n < 2; n++)
      before->succs[n].to->preds[before->succs[n].pred].succ = n;
   hd_block_function(before)->meta_valid = 0;
}

hd_loop *
hd_insert_loop(hd_cursor cursor)
{
   hd_block *b = hd_cursor_block(cursor);
   hd_function *f = hd_block_function(b);

   assert(f->structured);
   if (!hd_pool_reserve(hd_shader_pool(f->shader), sizeof(hd_loop) + 3 * sizeof(hd_block)))
      return NULL;
   hd_loop *loop = hd_loop_alloc(f);
   open_gap(b, hd_cursor_instr(cursor), &loop->node);
   hd_block *header = hd_block_alloc(f), *latch = hd_block_alloc(f);
   set_only_block(&loop->body, header);
   set_only_block(&loop->continue_list, latch);
   add_edge(b, header);
   add_edge(header, latch);
   add_edge(latch, header);
   f->meta_valid = 0;
   return loop;
}

/* Delete everything from `at` in block `b` to the end of the list, and the edges of `b`. */
static void
delete_rest(hd_undefs *undefs, hd_block *b, hd_instr *at)
{
   hd_cf_list rest = { .function = undefs->function };

   if (b->node.next) {
      hd_cf_node *first = b->node.next, *last = b->node.list->last;
      hd_nodes_unlink(first, last);
      hd_nodes_link(&rest, NULL, first, last);
   }
   hd_instr *tail = hd_detach_instrs(b, at);
   while (b->num_succs)
      hd_edge_remove(b, b->num_succs - 1);
   if (rest.first)
      hd_delete_list(undefs, &rest);
   hd_delete_instrs(undefs, tail);
}

static void
need_rest(hd_undefs *undefs, const hd_block *b, const hd_instr *at)
{
   hd_undefs_need_instrs(undefs, at);
   hd_undefs_need_nodes(undefs, b->node.next);
}

hd_jump *
hd_insert_jump_to(hd_cursor cursor, hd_jump_kind kind, hd_def *value, hd_block *target)
{
   hd_block *b = hd_cursor_block(cursor);
   hd_instr *at = hd_cursor_instr(cursor);
   hd_function *f = hd_block_function(b);
   hd_undefs undefs;

   hd_undefs_init(&undefs, f);
   need_rest(&undefs, b, at);
   hd_undefs_need_edge(&undefs, target);
   if (!hd_new_edge_reserve(NULL, target) || !hd_undefs_reserve(&undefs, sizeof(hd_jump)))
      return NULL;
   hd_jump *jump = hd_jump_create(f->shader, kind, value != NULL, 0);
   delete_rest(&undefs, b, at);
   if (value)
      jump->src[0].def = value;
   hd_instr_append(b, &jump->instr);
   hd_new_edge_add(&undefs, b, target);
   f->meta_valid = 0;
   return jump;
}

hd_jump *
hd_insert_jump(hd_cursor cursor, hd_jump_kind kind, hd_def *value)
{
   hd_block *b = hd_cursor_block(cursor);
   hd_function *f = hd_block_function(b);
   hd_block *target = &f->end;

   assert(f->structured && kind <= HD_JUMP_HALT && (!value || kind == HD_JUMP_RETURN));
   if (kind == HD_JUMP_BREAK || kind == HD_JUMP_CONTINUE) {
      hd_loop *loop = hd_node_loop(&b->node);
      assert(loop && "break or continue outside a loop");
      target = kind == HD_JUMP_BREAK ? hd_node_next_block(&loop->node) : hd_loop_continue(loop);
   }
   assert(!b->node.list->parent || b->node.list->parent->kind != HD_CF_LOOP ||
          b->node.list != &hd_node_as_loop(b->node.list->parent)->continue_list);
   return hd_insert_jump_to(cursor, kind, value, target);
}

bool
hd_jump_remove(hd_jump *jump)
{
   hd_block *b = jump->instr.block, *exit = hd_list_exit(b->node.list);
   hd_function *f = hd_block_function(b);
   hd_undefs undefs;

   assert(f->structured);
   hd_undefs_init(&undefs, f);
   if (exit) {
      hd_undefs_need_edge(&undefs, exit);
      if (!hd_new_edge_reserve(NULL, exit) || !hd_undefs_reserve(&undefs, 0))
         return false;
   }
   hd_edge_remove(b, 0);
   hd_instr_unlink(&jump->instr);
   hd_instr_free(f->shader, &jump->instr);
   if (exit)
      hd_new_edge_add(&undefs, b, exit);
   f->meta_valid = 0;
   return true;
}

bool
hd_node_remove(hd_cf_node *node)
{
   assert(node->kind != HD_CF_BLOCK);
   hd_function *f = node->list->function;
   hd_block *before = hd_node_prev_block(node), *after = hd_node_next_block(node);
   hd_cf_list dead = { .function = f };
   hd_undefs undefs;

   hd_undefs_init(&undefs, f);
   const hd_cf_node *end = hd_cf_node_next_outside(node);
   for (const hd_cf_node *n = node; n != end; n = hd_cf_node_next(n)) {
      if (n->kind == HD_CF_BLOCK)
         hd_undefs_need_instrs(&undefs, hd_node_as_block(n)->first);
   }
   hd_foreach_phi(phi, after)
      hd_undefs_need_def(&undefs, &phi->instr.def);
   if (!hd_undefs_reserve(&undefs, 0))
      return false;

   hd_nodes_unlink(node, node);
   hd_nodes_link(&dead, NULL, node, node);
   while (before->num_succs)
      hd_edge_remove(before, before->num_succs - 1);
   hd_delete_list(&undefs, &dead);
   hd_foreach_phi_safe(phi, after) {
      hd_undefs_replace(&undefs, &phi->instr.def);
      hd_instr_remove(&phi->instr);
   }

   /* All paths to `after` were through the node, so it is one block with `before` now. */
   assert(!after->num_preds);
   hd_move_tail(after->first, before);
   hd_edges_move(after, before);
   hd_nodes_unlink(&after->node, &after->node);
   hd_cf_node_free(f, &after->node);
   f->meta_valid = 0;
   return true;
}

/* Extracting. The cut goes through blocks b1 and b2 of one list:
 *
 *    b1: head | tail     nodes ...     b2: phis head | tail
 *
 * becomes b1: head tail-of-b2 in the list, and (new: tail-of-b1) nodes ... (b2: phis head) outside.
 */
bool
hd_cf_extract(hd_cf_range *range, hd_cursor begin, hd_cursor end)
{
   hd_block *b1 = hd_cursor_block(begin), *b2 = hd_cursor_block(end);
   hd_instr *i1 = hd_cursor_cut(begin), *i2 = hd_cursor_cut(end);
   hd_cf_list *list = b1->node.list;
   hd_function *f = hd_block_function(b1);
   hd_pool *pool = hd_shader_pool(f->shader);
   hd_jump *jump = hd_block_jump(b2);
   bool with_jump = jump && !i2 && (b1 != b2 || i1);
   hd_block *exit = with_jump ? hd_list_exit(list) : NULL;
   hd_undefs undefs;

   assert(f->structured && list == b2->node.list);
   hd_undefs_init(&undefs, f);
   if (exit) {
      hd_undefs_need_edge(&undefs, exit);
      if (!hd_new_edge_reserve(NULL, exit))
         return false;
   }
   if (!hd_undefs_reserve(&undefs, sizeof(hd_cf_list) + sizeof(hd_block)))
      return false;
   hd_cf_list *out = hd_pool_alloc(pool, sizeof(*out));
   hd_block *first = hd_block_alloc(f);
   out->function = f;
   set_only_block(out, first);

   if (b1 == b2) {
      if (i1 && i1 != i2)
         hd_move_instrs(i1, i2 ? i2->prev : b1->last, first);
      if (with_jump)
         hd_edges_move(b1, first);
   } else {
      hd_move_tail(i1, first);
      hd_edges_move(b1, first);
      hd_move_tail(i2, b1);
      if (!with_jump)
         hd_edges_move(b2, b1);
      hd_cf_node *from = b1->node.next;
      hd_nodes_unlink(from, &b2->node);
      hd_nodes_link(out, &first->node, from, &b2->node);
   }
   if (exit)
      hd_new_edge_add(&undefs, b1, exit);
   f->num_extracted++;
   f->meta_valid = 0;
   range->list = out;
   return true;
}

bool
hd_cf_extract_list(hd_cf_range *range, hd_cf_list *list)
{
   return hd_cf_extract(range, hd_list_start(list), hd_list_end(list));
}

static void
drop_range(hd_cf_range *range, hd_function *f)
{
   hd_pool_free(hd_shader_pool(f->shader), range->list, sizeof(hd_cf_list));
   range->list = NULL;
   f->num_extracted--;
   f->meta_valid = 0;
}

bool
hd_cf_reinsert(hd_cf_range *range, hd_cursor cursor)
{
   hd_block *b = hd_cursor_block(cursor);
   hd_instr *at = hd_cursor_instr(cursor);
   hd_function *f = range->list->function;
   hd_block *first = hd_list_first_block(range->list), *last = hd_list_last_block(range->list);
   bool jumps = hd_block_jump(last) != NULL;
   hd_undefs undefs;

   assert(f == hd_block_function(b));
   hd_undefs_init(&undefs, f);
   if (jumps) {
      need_rest(&undefs, b, at);
      if (!hd_undefs_reserve(&undefs, 0))
         return false;
      delete_rest(&undefs, b, at);
      at = NULL;
   }
   if (first == last) {
      /* One block: its instructions go between those of b. */
      hd_instr *moved = first->first;
      hd_instr *behind = first->last;
      if (moved && at) {
         moved->prev = at->prev;
         behind->next = at;
         if (at->prev)
            at->prev->next = moved;
         else
            b->first = moved;
         at->prev = behind;
         for (hd_instr *i = moved; i != at; i = i->next)
            i->block = b;
         first->first = first->last = NULL;
      } else {
         hd_move_tail(moved, b);
      }
      if (jumps)
         hd_edges_move(first, b);
   } else {
      if (!jumps) {
         hd_move_tail(at, last);
         hd_edges_move(b, last);
      }
      hd_move_tail(first->first, b);
      hd_edges_move(first, b);
      hd_cf_node *second = first->node.next;
      hd_nodes_unlink(second, &last->node);
      hd_nodes_link(b->node.list, &b->node, second, &last->node);
   }
   hd_cf_node_free(f, &first->node);
   drop_range(range, f);
   return true;
}

bool
hd_cf_delete(hd_cf_range *range)
{
   hd_function *f = range->list->function;
   hd_undefs undefs;

   hd_undefs_init(&undefs, f);
   hd_undefs_need_nodes(&undefs, range->list->first);
   if (!hd_undefs_reserve(&undefs, 0))
      return false;
   hd_delete_list(&undefs, range->list);
   drop_range(range, f);
   return true;
}
