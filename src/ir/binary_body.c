/* SPDX-License-Identifier: MIT */
/* binary_body.c - reader of the binary form: function bodies.
 *
 * The tree is built along its own links, and forward references are chained through the sources
 * themselves: there is no recursion, and no memory besides the result.
 */
#include "ir/binary_read.h"

/* Instructions */

/* Enter a source. One that reads what is not yet defined is kept until the function ends. */
static inline void
get_src(struct binary_reader *r, hd_src *src, unsigned slot)
{
   uint64_t back = get_uint64(r);

   if (back > r->num_defs)
      bad(r, "an operand %llu values back, there are %u", (unsigned long long)back, r->num_defs);
   if (back) {
      hd_src_init(src, slot, r->defs[r->num_defs - (uint32_t)back]);
      hd_src_link_new(src);
      return;
   }
   hd_src_init(src, slot, NULL);
   if (r->last_forward)
      r->last_forward->next_link |= (uintptr_t)src;
   else
      r->forward = src;
   r->last_forward = src;
}

static void
get_narrow_srcs(struct binary_reader *r, hd_instr *i)
{
   hd_src *srcs = (hd_src *)(i + 1);

   for (unsigned n = 0; n < i->num_srcs; n++)
      get_src(r, &srcs[n], n);
}

static hd_wide_src *
get_wide_srcs(struct binary_reader *r, hd_instr *i, uint32_t num_srcs)
{
   if (num_srcs > left(r))
      bad(r, "%u operands cannot follow in %zu bytes", num_srcs, left(r));
   if (!num_srcs)
      return NULL;
   hd_heap_step(r->heap, num_srcs);
   hd_wide_src *srcs = hd_slab_alloc(&r->slab, num_srcs * sizeof(*srcs));
   for (uint32_t n = 0; n < num_srcs; n++) {
      srcs[n].instr = i;
      get_src(r, &srcs[n].src, HD_SLOT_WIDE);
   }
   return srcs;
}

static uint64_t
get_value(struct binary_reader *r, unsigned bit_size)
{
   uint64_t mask = bit_size == 64 ? UINT64_MAX : (UINT64_C(1) << bit_size) - 1, value = 0;
   uint8_t first = get_byte(r);

   if (first < CONST_BYTES) {
      int64_t small = (int64_t)first - CONST_BIAS;
      if (bit_size == 1 && small >> 1)
         bad(r, "%d is not a boolean", (int)small);
      return (uint64_t)small & mask;
   }
   unsigned num_bytes = (first & 7) + 1, shift = first >> 3 & 7;
   if (num_bytes + shift > 8)
      bad(r, "a constant exceeds 64 bits");
   for (unsigned n = 0; n < num_bytes; n++)
      value |= (uint64_t)get_byte(r) << 8 * (n + shift);
   if (value & ~mask)
      bad(r, "a constant exceeds %u bits", bit_size);
   return value;
}

static void
get_indices(struct binary_reader *r, hd_intrinsic *i, unsigned num_indices)
{
   uint32_t *indices = hd_intrinsic_indices(i);

   if (!num_indices)
      return;
   uint32_t present = get_uint(r);
   if (present >> num_indices)
      bad(r, "an intrinsic with %u indices has more", num_indices);
   for (unsigned n = 0; n < num_indices; n++) {
      if (present >> n & 1)
         indices[n] = get_uint(r);
   }
}

static void
get_var_access(struct binary_reader *r, hd_var_access *a)
{
   hd_instr *i = &a->instr;
   hd_var *var = r->vars[get_below(r, r->num_vars, "variable")];
   bool stores = i->kind == HD_INSTR_STORE_VAR;

   a->var = var;
   if (i->num_srcs != stores + (var->array_length != 0))
      bad(r, "an access to variable '%.100s' with %u operands", var->name, i->num_srcs);
   if (!stores &&
       (i->def.num_components != var->num_components || i->def.bit_size != var->bit_size))
      bad(r, "a load of variable '%.100s' has another type", var->name);
   get_narrow_srcs(r, i);
}

static void
get_param(struct binary_reader *r, hd_param *param)
{
   const hd_instr *last = r->block->last;

   if (r->num_blocks > 1 && r->block != r->blocks[0])
      bad(r, "a parameter outside the start block");
   if (last && last->kind != HD_INSTR_PARAM)
      bad(r, "a parameter after another instruction");
   param->param_index = r->f->num_params++;
}

static void
get_phi(struct binary_reader *r, hd_phi *phi, uint32_t num_srcs)
{
   const hd_instr *last = r->block->last;

   if (last && last->kind != HD_INSTR_PHI)
      bad(r, "a phi after another instruction");
   phi->srcs = get_wide_srcs(r, &phi->instr, num_srcs);
   phi->num_srcs = phi->capacity = num_srcs;
}

static void
get_call(struct binary_reader *r, hd_call *call, uint32_t num_args)
{
   call->callee = r->functions[get_below(r, r->num_functions, "function")];
   if (call->instr.def.num_components != call->callee->result_components ||
       call->instr.def.bit_size != call->callee->result_bits)
      bad(r, "a call has another type than what '@%.100s' returns", call->callee->name);
   call->args = get_wide_srcs(r, &call->instr, num_args);
   call->num_args = num_args;
}

/* Jumps and edges. A block of a flat function first gets its successors, in order; the other ends
 * of the edges are made when the function is complete, so that predecessors stand in the order of
 * their numbers.
 */
static void
add_succ(hd_block *from, hd_block *to)
{
   from->succs[from->num_succs++].to = to;
}

static hd_block *
get_target(struct binary_reader *r)
{
   uint32_t number = get_step(r, r->block->node.index);

   if (number >= r->num_blocks)
      bad(r, "block %u does not exist, there are %u", number, r->num_blocks);
   if (!number)
      bad(r, "nothing may jump to the start block");
   return r->blocks[number];
}

/* Which successor of the switch's block this is; a new one if it is none yet. */
static uint32_t
switch_succ(struct binary_reader *r, hd_block *to)
{
   struct succ_of *known = &r->succ_of[to->node.index];

   if (known->from != r->block->node.index + 1) {
      *known = (struct succ_of){ r->block->node.index + 1, r->block->num_succs };
      add_succ(r->block, to);
   }
   return known->succ;
}

static void
get_switch(struct binary_reader *r, hd_jump *jump)
{
   hd_pool *pool = hd_shader_pool(r->shader);
   hd_block *b = r->block, *otherwise = get_target(r);
   uint32_t count = hd_binary_count(r, 2, "cases");

   hd_heap_step(r->heap, count);
   if (!r->succ_of)
      r->succ_of = hd_stack_alloc_zero(r->stack, r->num_blocks * sizeof(*r->succ_of));
   if (count)
      jump->cases = hd_pool_alloc(pool, count * sizeof(*jump->cases));
   jump->num_cases = count;
   if (count > 1) {
      /* Not more than there are cases, and not more than there are blocks. */
      b->succ_capacity = (count < r->num_blocks ? count : r->num_blocks) + 1;
      b->succs = hd_pool_alloc(pool, b->succ_capacity * sizeof(hd_edge));
   }
   switch_succ(r, otherwise);
   for (uint32_t n = 0; n < count; n++) {
      r->at = r->p;
      jump->cases[n].value = get_value(r, 64);
      jump->cases[n].succ = switch_succ(r, get_target(r));
   }
}

/* A jump of a tree: what it goes to follows from where it stands. */
static void
get_tree_jump(struct binary_reader *r, hd_jump_kind kind)
{
   const hd_cf_node *parent = r->list->parent;

   if (parent && parent->kind == HD_CF_LOOP && r->list == &r->loop->loop->continue_list)
      bad(r, "a jump at the end of a continue list");
   r->jump_loops[r->block->node.index] = NULL;
   if (kind == HD_JUMP_RETURN || kind == HD_JUMP_HALT)
      return;
   if (kind != HD_JUMP_BREAK && kind != HD_JUMP_CONTINUE)
      bad(r, "a jump of flat functions in a structured one");
   if (!r->loop)
      bad(r, "a break or continue outside a loop");
   if (kind == HD_JUMP_CONTINUE && r->loop->in_continue_list)
      bad(r, "a continue in a continue list");
   r->jump_loops[r->block->node.index] = r->loop->loop;
}

static void
get_flat_jump(struct binary_reader *r, hd_jump *jump)
{
   hd_block *b = r->block;

   switch ((hd_jump_kind)jump->instr.op) {
   case HD_JUMP_GOTO:
      add_succ(b, get_target(r));
      break;
   case HD_JUMP_GOTO_IF:
      add_succ(b, get_target(r));
      add_succ(b, get_target(r));
      if (b->succs[0].to == b->succs[1].to)
         bad(r, "both targets of a branch are block %u", b->succs[0].to->node.index);
      break;
   case HD_JUMP_SWITCH:
      get_switch(r, jump);
      break;
   case HD_JUMP_RETURN:
   case HD_JUMP_HALT:
      add_succ(b, &r->f->end);
      break;
   default:
      bad(r, "a break or continue in a flat function");
   }
}

static void
get_jump(struct binary_reader *r, hd_jump *jump)
{
   get_narrow_srcs(r, &jump->instr);
   if (r->f->structured)
      get_tree_jump(r, (hd_jump_kind)jump->instr.op);
   else
      get_flat_jump(r, jump);
}

static inline void
append(struct binary_reader *r, hd_instr *i)
{
   hd_block *b = r->block;

   i->block = b;
   i->prev = b->last;
   if (b->last)
      b->last->next = i;
   else
      b->first = i;
   b->last = i;
   i->loc = r->loc & 0xffffff;
   if (i->def.bit_size) {
      if (r->num_defs == r->max_defs)
         bad(r, "more values than the %u that the function has", r->max_defs);
      i->def.index = r->num_defs;
      r->defs[r->num_defs++] = &i->def;
   }
   if (r->name) {
      if (!i->def.bit_size)
         bad(r, "a name for the result of an instruction without result");
      hd_def_set_name(r->f, &i->def, r->strings[r->name - 1]);
      r->name = 0;
   }
}

static void
read_instr(struct binary_reader *r, const struct binary_shape *shape)
{
   hd_instr *i = hd_slab_alloc(&r->slab, shape->size);

   hd_heap_step(r->heap, 1);
   if (hd_block_jump(r->block))
      bad(r, "an instruction after a jump");
   *i = shape->instr;
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      get_narrow_srcs(r, i);
      break;
   case HD_INSTR_CONST:
      for (unsigned n = 0; n < i->def.num_components; n++)
         ((hd_const *)i)->value[n].u64 = get_value(r, i->def.bit_size);
      break;
   case HD_INSTR_PHI:
      get_phi(r, (hd_phi *)i, shape->num_srcs);
      break;
   case HD_INSTR_INTRINSIC:
      get_narrow_srcs(r, i);
      get_indices(r, (hd_intrinsic *)i, shape->num_indices);
      break;
   case HD_INSTR_CALL:
      get_call(r, (hd_call *)i, shape->num_srcs);
      break;
   case HD_INSTR_JUMP:
      get_jump(r, (hd_jump *)i);
      break;
   case HD_INSTR_PARAM:
      get_param(r, (hd_param *)i);
      break;
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      get_var_access(r, (hd_var_access *)i);
      break;
   case HD_INSTR_UNDEF:
   case HD_NUM_INSTR_KINDS:
      break;
   }
   append(r, i);
}

/* Control flow */

static void
append_node(struct binary_reader *r, hd_cf_node *node)
{
   node->list = r->list;
   node->prev = r->list->last;
   if (node->prev)
      node->prev->next = node;
   else
      r->list->first = node;
   r->list->last = node;
}

static void
begin_block(struct binary_reader *r)
{
   if (r->num_blocks == r->max_blocks)
      bad(r, "more blocks than the %u that the function has", r->max_blocks);
   hd_block *b = hd_block_alloc(r->f);
   append_node(r, &b->node);
   r->blocks[r->num_blocks++] = b;
   r->block = b;
}

static void
check_may_go_on(struct binary_reader *r)
{
   if (hd_block_jump(r->block))
      bad(r, "code after a jump");
   if (!r->f->structured)
      bad(r, "an if or loop in a flat function");
}

static void
read_if(struct binary_reader *r)
{
   check_may_go_on(r);
   hd_if *nif = hd_if_alloc(r->f, NULL);
   get_src(r, &nif->cond, HD_SLOT_IF);
   nif->node.loc = r->loc & 0xffffff;
   append_node(r, &nif->node);
   r->list = &nif->then_list;
   begin_block(r);
}

static void
read_loop(struct binary_reader *r)
{
   struct open_loop *open = r->spare_loops;

   check_may_go_on(r);
   if (open)
      r->spare_loops = open->outer;
   else
      open = hd_stack_alloc(r->stack, sizeof(*open));
   hd_loop *loop = hd_loop_alloc(r->f);
   loop->node.loc = r->loc & 0xffffff;
   append_node(r, &loop->node);
   *open = (struct open_loop){ r->loop, loop, false };
   r->loop = open;
   r->list = &loop->body;
   begin_block(r);
}

/* The end of a list; false at that of the function. */
static bool
read_end(struct binary_reader *r)
{
   hd_if *nif = hd_node_as_if(r->list->parent);
   hd_loop *loop = hd_node_as_loop(r->list->parent);

   assert(!loop || r->loop);
   if (nif && r->list == &nif->then_list) {
      r->list = &nif->else_list;
   } else if (loop && r->list == &loop->body) {
      r->list = &loop->continue_list;
      r->loop->in_continue_list = true;
   } else if (r->list->parent) {
      if (loop) {
         struct open_loop *open = r->loop;
         r->loop = open->outer;
         open->outer = r->spare_loops;
         r->spare_loops = open;
      }
      r->list = r->list->parent->list;
   } else {
      return false;
   }
   begin_block(r);
   return true;
}

/* Flat blocks all exist from the beginning, as targets. */
static void
begin_flat(struct binary_reader *r)
{
   while (r->num_blocks < r->max_blocks) {
      hd_heap_step(r->heap, 1);
      begin_block(r);
   }
   r->block = r->blocks[0];
}

static void
next_flat_block(struct binary_reader *r)
{
   if (r->f->structured)
      bad(r, "a block of a flat function in a structured one");
   if (!hd_block_jump(r->block))
      bad(r, "block %u has no jump at its end", r->block->node.index);
   if (!r->block->node.next)
      bad(r, "more blocks than the %u that the function has", r->max_blocks);
   r->block = hd_node_as_block(r->block->node.next);
}

/* The attributes of a block, before its instructions. */
static void
read_block_note(struct binary_reader *r, uint64_t code)
{
   hd_block *b = r->block;

   if (b->first)
      bad(r, "what belongs to the head of a block stands after an instruction");
   if (code == BINARY_BLOCK_NAME) {
      hd_block_set_name(r->f, b, get_string(r));
      return;
   }
   if (code == BINARY_BLOCK_LOC) {
      b->node.loc = get_below(r, r->shader->num_locations, "location") & 0xffffff;
      return;
   }
   if (code == BINARY_UNROLL) {
      b->unroll = (uint8_t)get_below(r, HD_UNROLL_NEVER + 1, "hint of unrolling");
      return;
   }
   if (r->f->structured)
      bad(r, "a declaration of flat functions in a structured one");
   if (code == BINARY_HEADER) {
      b->node.header = 1;
      return;
   }
   uint32_t number = get_step(r, b->node.index);
   if (number >= r->num_blocks)
      bad(r, "block %u does not exist, there are %u", number, r->num_blocks);
   if (code == BINARY_INSIDE)
      b->loop_header = r->blocks[number];
   else
      b->continues = r->blocks[number];
}

/* One item that is no instruction; false after the last of the function. */
static bool
read_item(struct binary_reader *r, uint64_t code)
{
   switch (code) {
   case BINARY_LOC:
      r->loc = get_step(r, r->loc);
      if (r->loc >= r->shader->num_locations)
         bad(r, "location %u does not exist, there are %u", r->loc, r->shader->num_locations);
      return true;
   case BINARY_DEF_NAME:
      if (r->name)
         bad(r, "two names for one value");
      r->name = 1 + get_below(r, r->num_strings, "string");
      return true;
   }
   if (r->name)
      bad(r, "a name that no instruction follows");
   switch (code) {
   case BINARY_END:
      return read_end(r);
   case BINARY_BLOCK:
      next_flat_block(r);
      return true;
   case BINARY_IF:
      read_if(r);
      return true;
   case BINARY_LOOP:
      read_loop(r);
      return true;
   default:
      read_block_note(r, code);
      return true;
   }
}

static inline void
add_pred(hd_block *from, uint32_t succ)
{
   hd_block *to = from->succs[succ].to;

   if (to->num_preds == to->pred_capacity)
      hd_edge_reserve(NULL, 0, to, 1);
   from->succs[succ].pred = to->num_preds;
   to->preds[to->num_preds++] = (hd_pred){ from, succ };
}

/* Where control goes from a block of a tree: to one block, or to the arms of the if after it. */
static void
add_tree_edges(const struct binary_reader *r, hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   const hd_cf_list *list = b->node.list;
   const hd_cf_node *next = b->node.next;
   hd_loop *loop = jump ? r->jump_loops[b->node.index] : hd_node_as_loop(next);
   hd_block *to;

   if (jump && loop) {
      to = jump->instr.op == HD_JUMP_BREAK ? hd_node_next_block(&loop->node)
                                           : hd_loop_continue(loop);
   } else if (jump || (!next && !list->parent)) {
      to = &r->f->end;
   } else if (loop) {
      to = hd_loop_header(loop);
   } else if (next) {
      to = hd_list_first_block(&hd_node_as_if(next)->then_list);
      add_succ(b, to);
      add_pred(b, 0);
      to = hd_list_first_block(&hd_node_as_if(next)->else_list);
   } else if (list->parent->kind == HD_CF_IF) {
      to = hd_node_next_block(list->parent);
   } else {
      loop = hd_node_as_loop(list->parent);
      to = list == &loop->body ? hd_loop_continue(loop) : hd_loop_header(loop);
   }
   add_succ(b, to);
   add_pred(b, b->num_succs - 1);
}

static void
connect(const struct binary_reader *r)
{
   for (uint32_t n = 0; n < r->num_blocks; n++) {
      hd_block *b = r->blocks[n];
      if (r->f->structured)
         add_tree_edges(r, b);
      for (uint32_t i = 0; !r->f->structured && i < b->num_succs; i++)
         add_pred(b, i);
   }
}

static void
check_phis(struct binary_reader *r)
{
   for (uint32_t n = 0; n < r->num_blocks; n++) {
      const hd_block *b = r->blocks[n];
      hd_foreach_phi(phi, b) {
         if (phi->num_srcs != b->num_preds)
            bad(r, "a phi in block %u has %u sources, the block has %u predecessors", n,
                phi->num_srcs, b->num_preds);
      }
   }
}

/* What sources read that come before their definitions. */
static void
read_forward(struct binary_reader *r)
{
   uint32_t number = 0;

   for (hd_src *src = r->forward, *next; src; src = next) {
      next = (hd_src *)(src->next_link & ~(uintptr_t)7);
      r->at = r->p;
      number = get_step(r, number);
      if (number >= r->num_defs)
         bad(r, "value %u does not exist, there are %u", number, r->num_defs);
      src->def = r->defs[number];
      hd_src_link(src);
   }
}

/* Tables of one function, as long as it says; each entry takes a byte of its body. */
static void
begin_function(struct binary_reader *r, uint32_t number)
{
   hd_function *f = r->functions[number];
   hd_stack *stack = r->stack;

   r->at = r->p;
   r->f = f;
   r->max_defs = r->num_function_defs[number];
   r->max_blocks = r->num_function_blocks[number];
   if (r->max_defs > left(r) || r->max_blocks > left(r) || !r->max_blocks)
      bad(r, "'@%.100s' cannot have %u values and %u blocks in %zu bytes", f->name, r->max_defs,
          r->max_blocks, left(r));
   r->defs = hd_stack_alloc(stack, r->max_defs * sizeof(*r->defs));
   r->blocks = hd_stack_alloc(stack, r->max_blocks * sizeof(*r->blocks));
   r->jump_loops = hd_stack_alloc(stack, r->max_blocks * sizeof(*r->jump_loops));
   r->vars = hd_stack_alloc(stack, f->num_vars * sizeof(*r->vars));
   r->num_vars = 0;
   hd_foreach_var(v, f)
      r->vars[r->num_vars++] = v;
   r->succ_of = NULL;
   r->loop = r->spare_loops = NULL;
   r->forward = r->last_forward = NULL;
   r->num_defs = 0;
   r->loc = r->name = 0;

   /* The start block exists; the edge it was made with goes. */
   r->list = &f->body;
   r->block = r->blocks[0] = hd_function_start(f);
   r->num_blocks = 1;
   r->block->num_succs = 0;
   f->end.num_preds = 0;
}

static void
end_function(struct binary_reader *r)
{
   hd_function *f = r->f;

   r->at = r->p;
   if (r->num_blocks < r->max_blocks || (!f->structured && r->block->node.next))
      bad(r, "'@%.100s' has fewer blocks than the %u it says", f->name, r->max_blocks);
   if (r->num_defs < r->max_defs)
      bad(r, "'@%.100s' has fewer values than the %u it says", f->name, r->max_defs);
   if (!f->structured && !hd_block_jump(r->block))
      bad(r, "block %u has no jump at its end", r->block->node.index);
   f->num_defs = r->num_defs;
   read_forward(r);
   connect(r);
   check_phis(r);
   f->end.node.index = f->num_blocks++;
}

void
hd_binary_read_body(struct binary_reader *r, uint32_t number)
{
   hd_stack_mark mark = hd_stack_get_mark(r->stack);
   uint64_t code;

   begin_function(r, number);
   if (!r->f->structured)
      begin_flat(r);
   do {
      r->at = r->p;
      code = get_uint64(r);
      if (code >= BINARY_SHAPES) {
         if (code - BINARY_SHAPES >= r->num_shapes)
            bad(r, "shape %llu does not exist, there are %u",
                (unsigned long long)(code - BINARY_SHAPES), r->num_shapes);
         read_instr(r, &r->shapes[code - BINARY_SHAPES]);
      }
   } while (code >= BINARY_SHAPES || read_item(r, code));
   end_function(r);
   hd_stack_release(r->stack, mark);
}
