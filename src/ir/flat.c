/* SPDX-License-Identifier: MIT */
/* flat.c - editing of flat functions. */
#include "ir/repair.h"
#include "util/ptr_map.h"

hd_block *
hd_flat_block_create(hd_function *f)
{
   assert(!f->structured);
   hd_block *b = hd_block_alloc(f);
   if (!b)
      return NULL;
   b->node.list = &f->body;
   b->node.prev = f->body.last;
   f->body.last->next = &b->node;
   f->body.last = &b->node;
   f->meta_valid = 0;
   return b;
}

static void
unlink_block(hd_block *b)
{
   hd_cf_list *list = b->node.list;

   b->node.prev->next = b->node.next;
   if (b->node.next)
      b->node.next->prev = b->node.prev;
   else
      list->last = b->node.prev;
   b->node.prev = b->node.next = NULL;
}

bool
hd_flat_block_remove(hd_block *block)
{
   hd_function *f = hd_block_function(block);
   hd_undefs undefs;

   assert(!f->structured && block != hd_function_start(f));
   hd_undefs_init(&undefs, f);
   hd_undefs_need_instrs(&undefs, block->first);
   if (!hd_undefs_reserve(&undefs, 0))
      return false;
   /* An edge from the block to itself is no reason to keep it. */
   while (block->num_succs)
      hd_edge_remove(block, block->num_succs - 1);
   assert(!block->num_preds);
   hd_foreach_block(b, f) {
      if (b->loop_header == block)
         b->loop_header = block->loop_header;
      if (b->continues == block)
         b->continues = NULL;
   }
   unlink_block(block);
   hd_cf_list dead = { .first = &block->node, .last = &block->node, .function = f };
   block->node.list = &dead;
   hd_delete_list(&undefs, &dead);
   f->meta_valid = 0;
   return true;
}

/* The part that all jumps share: an instruction, and an edge to each of the targets. */
static hd_jump *
add_jump(hd_block *b, hd_jump_kind kind, hd_def *value, unsigned num_cases, unsigned num_targets,
         hd_block *const *targets)
{
   hd_function *f = hd_block_function(b);
   hd_undefs undefs;

   assert(!f->structured && !hd_block_jump(b));
   hd_undefs_init(&undefs, f);
   if (!hd_edge_reserve(b, num_targets, NULL, 0))
      return NULL;
   for (unsigned n = 0; n < num_targets; n++) {
      if (!hd_new_edge_reserve(NULL, targets[n]))
         return NULL;
      hd_undefs_need_edge(&undefs, targets[n]);
   }
   hd_jump *jump = hd_jump_create(f->shader, kind, value != NULL, num_cases);
   if (!jump)
      return NULL;
   if (!hd_undefs_reserve(&undefs, 0)) {
      hd_instr_free(f->shader, &jump->instr);
      return NULL;
   }
   if (value)
      jump->src[0].def = value;
   hd_instr_append(b, &jump->instr);
   for (unsigned n = 0; n < num_targets; n++)
      hd_new_edge_add(&undefs, b, targets[n]);
   f->meta_valid = 0;
   return jump;
}

hd_jump *
hd_flat_goto(hd_block *block, hd_block *target)
{
   return add_jump(block, HD_JUMP_GOTO, NULL, 0, 1, &target);
}

hd_jump *
hd_flat_goto_if(hd_block *block, hd_def *cond, hd_block *if_true, hd_block *if_false)
{
   hd_block *targets[2] = { if_true, if_false };

   assert(if_true != if_false);
   return add_jump(block, HD_JUMP_GOTO_IF, cond, 0, 2, targets);
}

hd_jump *
hd_flat_switch(hd_block *block, hd_def *selector, hd_block *otherwise, unsigned num_cases,
               const uint64_t *values, hd_block *const *targets)
{
   hd_stack *stack = hd_shader_stack(hd_block_function(block)->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_block **unique = hd_stack_alloc(stack, (num_cases + 1) * sizeof(hd_block *));
   hd_ptr_map place; /* of each target among the successors */
   hd_jump *jump = NULL;

   if (unique && hd_ptr_map_init(&place, stack, num_cases + 1)) {
      uint32_t num = 0;
      unique[num] = otherwise;
      hd_ptr_map_set(&place, otherwise, num++);
      for (unsigned n = 0; n < num_cases; n++) {
         if (hd_ptr_map_get(&place, targets[n]) != HD_PTR_MAP_NONE)
            continue;
         unique[num] = targets[n];
         hd_ptr_map_set(&place, targets[n], num++);
      }
      jump = add_jump(block, HD_JUMP_SWITCH, selector, num_cases, num, unique);
      unsigned bits = selector->bit_size;
      uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
      for (unsigned n = 0; jump && n < num_cases; n++)
         jump->cases[n] = (hd_switch_case){ values[n] & mask, hd_ptr_map_get(&place, targets[n]) };
   }
   hd_stack_release(stack, mark);
   return jump;
}

hd_jump *
hd_flat_return(hd_block *block, hd_def *value)
{
   hd_block *end = &hd_block_function(block)->end;

   return add_jump(block, HD_JUMP_RETURN, value, 0, 1, &end);
}

hd_jump *
hd_flat_halt(hd_block *block)
{
   hd_block *end = &hd_block_function(block)->end;

   return add_jump(block, HD_JUMP_HALT, NULL, 0, 1, &end);
}

void
hd_flat_clear_jump(hd_block *block)
{
   hd_function *f = hd_block_function(block);
   hd_jump *jump = hd_block_jump(block);

   assert(!f->structured);
   while (block->num_succs)
      hd_edge_remove(block, block->num_succs - 1);
   if (jump) {
      hd_instr_unlink(&jump->instr);
      hd_instr_free(f->shader, &jump->instr);
   }
   f->meta_valid = 0;
}

bool
hd_flat_redirect(hd_block *block, unsigned n, hd_block *target)
{
   hd_function *f = hd_block_function(block);
   hd_undefs undefs;

   assert(!f->structured && n < block->num_succs);
   hd_undefs_init(&undefs, f);
   hd_undefs_need_edge(&undefs, target);
   if (!hd_new_edge_reserve(NULL, target) || !hd_undefs_reserve(&undefs, 0))
      return false;
   hd_pred_remove(block, n);
   block->succs[n] = (hd_edge){ target, target->num_preds };
   target->preds[target->num_preds++] = (hd_pred){ block, n };
   hd_foreach_phi(phi, target) {
      const hd_def *def = &phi->instr.def;
      hd_phi_add_src(phi, hd_undefs_get(&undefs, def->num_components, def->bit_size));
   }
   f->meta_valid = 0;
   return true;
}

hd_block *
hd_flat_split(hd_cursor cursor)
{
   hd_block *b = hd_cursor_block(cursor);
   hd_instr *at = hd_cursor_instr(cursor);
   hd_function *f = hd_block_function(b);

   assert(!f->structured);
   if (!hd_pool_reserve(hd_shader_pool(f->shader), sizeof(hd_block) + sizeof(hd_jump)))
      return NULL;
   hd_block *rest = hd_block_alloc(f);
   rest->node.list = &f->body;
   rest->node.prev = &b->node;
   rest->node.next = b->node.next;
   if (rest->node.next)
      rest->node.next->prev = &rest->node;
   else
      f->body.last = &rest->node;
   b->node.next = &rest->node;
   hd_move_tail(at, rest);
   hd_edges_move(b, rest);
   hd_jump *jump = hd_jump_create(f->shader, HD_JUMP_GOTO, 0, 0);
   hd_instr_append(b, &jump->instr);
   hd_edge_add(b, rest);
   f->meta_valid = 0;
   return rest;
}
