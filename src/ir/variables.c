/* SPDX-License-Identifier: MIT */
/* variables.c - incremental SSA construction in the builder (hd_ssa_var), by the algorithm of Braun
 * and others (Simple and Efficient Construction of Static Single Assignment Form, 2013).
 *
 * A read walks back from its block, through blocks with one predecessor, to a block in which the
 * value is known. At a join it makes a phi, and records it before its sources are looked up: that
 * ends every cycle, and a worklist of phis without sources replaces recursion. If predecessors may
 * still be added (a flat block that is not sealed, the header of an open loop) the phi waits for
 * them, outside of its block.
 *
 *    memo   (variable, block) -> value at the end of the block, as far as it is built
 *    infos  block -> phis that wait for it; the write count when the node before it was begun
 *
 * The write count lets a read pass by an if or loop in which its variable is not written, in one
 * step. Phis are made wherever they might be needed, and stay while the caller may hold them: only
 * when the function is complete collapse.c removes those that are not needed.
 */
#include "ir/builder.h"

/* The memo */

static uint64_t
memo_key(const hd_ssa_var *var, const hd_block *block)
{
   return (uint64_t)var->index << 32 | block->node.index;
}

static hd_memo *
memo_slot(const hd_builder_state *s, uint64_t key)
{
   uint32_t mask = s->memo_capacity - 1;
   uint64_t hash = (key ^ key >> 29) * UINT64_C(0x9e3779b97f4a7c15);

   for (uint32_t n = (uint32_t)(hash >> 32) & mask;; n = (n + 1) & mask) {
      hd_memo *m = &s->memos[n];
      if (!m->def || m->key == key)
         return m;
   }
}

static void
grow_memos(hd_builder *b)
{
   hd_builder_state *s = b->state;
   hd_pool *pool = hd_shader_pool(b->shader);
   hd_memo *old = s->memos;
   uint32_t old_capacity = s->memo_capacity;
   uint32_t capacity = old_capacity ? old_capacity * 2 : 64;

   s->memos = hd_pool_alloc(pool, capacity * sizeof(*s->memos));
   s->memo_capacity = capacity;
   for (uint32_t n = 0; n < old_capacity; n++) {
      if (old[n].def)
         *memo_slot(s, old[n].key) = old[n];
   }
   hd_pool_free(pool, old, old_capacity * sizeof(*old));
}

static void
put_memo(hd_builder *b, const hd_ssa_var *var, const hd_block *block, hd_def *def)
{
   hd_builder_state *s = b->state;

   if (s->num_memos >= s->memo_capacity - s->memo_capacity / 4)
      grow_memos(b);
   uint64_t key = memo_key(var, block);
   hd_memo *m = memo_slot(s, key);
   s->num_memos += !m->def;
   *m = (hd_memo){ key, def };
}

static void
set_value(hd_builder *b, hd_ssa_var *var, hd_block *block, hd_def *def)
{
   if (var->last_block && var->last_block != block)
      put_memo(b, var, var->last_block, var->last_def);
   var->last_block = block;
   var->last_def = def;
}

static hd_def *
get_value(const hd_builder_state *s, const hd_ssa_var *var, const hd_block *block)
{
   if (var->last_block == block)
      return var->last_def;
   return s->memo_capacity ? memo_slot(s, memo_key(var, block))->def : NULL;
}

/* Blocks */

static hd_block_info *
need_info(hd_builder *b, const hd_block *block)
{
   hd_builder_state *s = b->state;
   uint32_t index = block->node.index;

   if (index >= s->info_capacity) {
      void *grown = hd_builder_grow(b, s->infos, sizeof(*s->infos), &s->info_capacity, index + 1);
      if (!grown)
         return NULL;
      s->infos = grown;
   }
   return &s->infos[index];
}

static hd_block_info
get_info(const hd_builder_state *s, const hd_block *block)
{
   static const hd_block_info nothing;

   return block->node.index < s->info_capacity ? s->infos[block->node.index] : nothing;
}

/* May predecessors still come? In a tree, code is built in the order of the text: only the ways
 * back to the header of a loop are in doubt.
 */
static bool
is_open(const hd_builder *b, const hd_block *block, const hd_block_info *info)
{
   const hd_cf_list *list = block->node.list;

   if (info->sealed)
      return false;
   if (!b->function->structured)
      return block != hd_function_start(b->function);
   const hd_loop *loop = hd_node_as_loop(list->parent);
   return loop && block == hd_loop_header(loop);
}

/* The block that a read may go back to instead of this one; NULL if there is none. */
static hd_block *
block_back(const hd_builder *b, const hd_ssa_var *var, const hd_block *block)
{
   hd_block_info info = get_info(b->state, block);

   if (info.popped && var->last_write <= info.first_write)
      return hd_node_prev_block(block->node.prev);
   return block->num_preds == 1 && !is_open(b, block, &info) ? block->preds[0].from : NULL;
}

/* What is never written, by size: at the beginning of the function, where it reaches all uses. */
static hd_def *
undef_value(hd_builder *b, unsigned num_components, unsigned bit_size)
{
   hd_builder_state *s = b->state;
   hd_instr **undef = &s->undefs[hd_shape_index(num_components, bit_size)];

   if (!*undef) {
      hd_block *start = hd_function_start(b->function);
      *undef = hd_undef_create(b->shader, num_components, bit_size);
      hd_instr_insert(hd_before_block(start), *undef);
      if (b->cursor.option == HD_CURSOR_BEFORE_BLOCK && b->cursor.block == start)
         b->cursor = hd_after_instr(*undef);
   }
   return &(*undef)->def;
}

/* Reading. What follows runs inside of HD_TRY. */

/* A phi for a block; it gets its sources later. */
static hd_def *
new_phi(hd_builder *b, hd_ssa_var *var, hd_block *block, bool waits)
{
   hd_builder_state *s = b->state;

   if (s->num_phis == s->phi_capacity)
      s->phis = hd_builder_grow(b, s->phis, sizeof(*s->phis), &s->phi_capacity, 0);
   hd_phi *phi = hd_phi_create(b->shader, var->num_components, var->bit_size, 0);
   s->phis[s->num_phis] = (hd_var_phi){ .phi = phi, .block = block, .var = var, .waits = waits };
   s->num_phis++;
   if (waits) {
      hd_block_info *info = need_info(b, block);
      s->phis[s->num_phis - 1].next_waiting = info->waiting;
      info->waiting = s->num_phis;
   }
   return &phi->instr.def;
}

/* The value at the end of a block to which no read can go back from. */
static hd_def *
value_here(hd_builder *b, hd_ssa_var *var, hd_block *block)
{
   hd_block_info info = get_info(b->state, block);
   bool open = is_open(b, block, &info);

   if (!open && !block->num_preds)
      return undef_value(b, var->num_components, var->bit_size);
   return new_phi(b, var, block, open);
}

static hd_def *
find_value(hd_builder *b, hd_ssa_var *var, hd_block *block)
{
   hd_block *at = block, *back, *passed = NULL;
   uint32_t steps = 0, next_mark = 16;
   bool circle = false;
   hd_def *def;

   while (!circle && !(def = get_value(b->state, var, at)) && (back = block_back(b, var, at))) {
      hd_heap_step(hd_shader_heap(b->shader), 1);
      at = back;
      /* Blocks that nothing reaches can be a cycle without an entry. Then some mark, each twice
       * as far as the one before, is in it and is passed again.
       */
      circle = at == passed;
      if (++steps == next_mark) {
         passed = at;
         next_mark *= 2;
      }
   }
   if (!def) {
      def = circle ? undef_value(b, var->num_components, var->bit_size) : value_here(b, var, at);
      put_memo(b, var, at, def);
   }
   /* Remember it where other reads may come by: at the block asked for, at branches, and before
    * ifs and loops. So each path back is gone once.
    */
   for (hd_block *from = block; from != at; from = back) {
      back = block_back(b, var, from);
      if (from == block || from->num_succs > 1 || (b->function->structured && from->node.next))
         put_memo(b, var, from, def);
   }
   return def;
}

static void
fill_phi(hd_builder *b, uint32_t n)
{
   hd_var_phi p = b->state->phis[n];

   b->state->phis[n].waits = false;
   hd_instr_link(p.block, NULL, &p.phi->instr);
   hd_phi_reserve(p.phi, p.block->num_preds);
   hd_heap_step(hd_shader_heap(b->shader), p.block->num_preds);
   for (uint32_t i = 0; i < p.block->num_preds; i++)
      hd_phi_add_src(p.phi, find_value(b, p.var, p.block->preds[i].from));
}

/* Give sources to all phis that do not wait. That ends: each phi is made for a variable and a block
 * that have none yet.
 */
static void
fill_phis(hd_builder *b)
{
   hd_builder_state *s = b->state;

   while (s->num_filled < s->num_phis) {
      uint32_t n = s->num_filled++;
      if (!s->phis[n].waits)
         fill_phi(b, n);
   }
}

static void
seal(hd_builder *b, hd_block *block)
{
   hd_block_info *info = need_info(b, block);
   uint32_t n = info->waiting;

   info->sealed = true;
   info->waiting = 0;
   while (n) {
      uint32_t next = b->state->phis[n - 1].next_waiting;
      fill_phi(b, n - 1);
      n = next;
   }
   fill_phis(b);
}

/* After HD_TRY: record why it was left, and report it to the caller. */
static void
leave(hd_builder *b, hd_unwind *u)
{
   hd_heap *heap = hd_shader_heap(b->shader);
   hd_result result = hd_heap_leave(heap, u);

   if (result != HD_OK) {
      hd_builder_fail(b, result);
      hd_heap_fail(heap, result);
   }
}

/* The doors */

hd_ssa_var *
hd_ssa_var_create(hd_builder *b, unsigned num_components, unsigned bit_size)
{
   if (b->result != HD_OK)
      return NULL;
   if (!hd_is_shape(num_components, bit_size)) {
      hd_builder_misuse(b, "ssa_var: %u x %u bits is not a size", num_components, bit_size);
      return NULL;
   }
   hd_builder_state *s = hd_builder_need_state(b);
   hd_ssa_var *var = s ? hd_pool_alloc(hd_shader_pool(b->shader), sizeof(*var)) : NULL;
   if (!var) {
      hd_builder_fail_status(b);
      return NULL;
   }
   *var = (hd_ssa_var){ .next = s->vars,
                        .function = b->function,
                        .index = s->num_vars++,
                        .num_components = (uint8_t)num_components,
                        .bit_size = (uint8_t)bit_size };
   s->vars = var;
   return var;
}

static bool
check_variable(hd_builder *b, const char *who, const hd_ssa_var *var)
{
   if (b->result != HD_OK)
      return false;
   if (var && var->function == b->function)
      return true;
   hd_builder_misuse(b, "%s: not a variable of the function", who);
   return false;
}

void
hd_ssa_write(hd_builder *b, hd_ssa_var *var, hd_def *value)
{
   hd_unwind u;

   if (!check_variable(b, "ssa_write", var) || !hd_builder_check_def(b, "ssa_write", 0, value))
      return;
   if (value->num_components != var->num_components || value->bit_size != var->bit_size) {
      hd_builder_misuse(b, "ssa_write: the value is %u x %u bits, expected %u x %u",
                        value->num_components, value->bit_size, var->num_components, var->bit_size);
      return;
   }
   if (b->dropped)
      return;
   hd_block *block = hd_cursor_block(b->cursor);
   var->last_write = ++b->state->num_writes;
   if (var->last_block == block || !var->last_block) {
      var->last_block = block;
      var->last_def = value;
      return;
   }
   if (HD_TRY(hd_shader_heap(b->shader), &u))
      set_value(b, var, block, value);
   leave(b, &u);
}

hd_def *
hd_ssa_read(hd_builder *b, hd_ssa_var *var)
{
   hd_unwind u;

   if (!check_variable(b, "ssa_read", var))
      return &b->dummy.def;
   if (b->dropped)
      return hd_builder_placeless(b, var->num_components, var->bit_size);
   hd_block *block = hd_cursor_block(b->cursor);
   if (var->last_block == block)
      return var->last_def;
   if (HD_TRY(hd_shader_heap(b->shader), &u)) {
      hd_def *def = get_value(b->state, var, block);
      if (!def) {
         def = find_value(b, var, block);
         fill_phis(b);
      }
      set_value(b, var, block, def);
   }
   leave(b, &u);
   return b->result == HD_OK ? var->last_def : &b->dummy.def;
}

void
hd_seal_block(hd_builder *b, hd_block *block)
{
   if (b->result != HD_OK || !hd_builder_need_state(b))
      return;
   if (b->function->structured)
      hd_builder_misuse(b, "seal_block: the function is structured");
   else if (!block || hd_block_is_end(block) || hd_block_function(block) != b->function)
      hd_builder_misuse(b, "seal_block: not a block of the function");
   else
      hd_vars_seal(b, block);
}

void
hd_vars_seal(hd_builder *b, hd_block *block)
{
   hd_unwind u;

   if (b->function->structured && !b->state->num_vars)
      return;
   if (HD_TRY(hd_shader_heap(b->shader), &u))
      seal(b, block);
   leave(b, &u);
}

void
hd_vars_popped(hd_builder *b, hd_block *after, uint32_t first_write)
{
   if (!b->state->num_vars)
      return;
   hd_block_info *info = need_info(b, after);
   if (info) {
      info->popped = true;
      info->first_write = first_write;
   }
}

static void
complete(hd_builder *b)
{
   hd_builder_state *s = b->state;

   for (uint32_t n = 0; n < s->num_phis; n++) {
      if (s->phis[n].waits)
         seal(b, s->phis[n].block);
   }
   if (s->num_phis)
      hd_collapse_phis(b);
   for (unsigned n = 0; n < HD_NUM_SHAPES; n++) {
      if (s->undefs[n] && hd_def_is_unused(&s->undefs[n]->def))
         hd_instr_remove(s->undefs[n]);
   }
}

void
hd_vars_complete(hd_builder *b)
{
   hd_stack *stack = hd_shader_stack(b->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_unwind u;

   if (!b->state->num_vars)
      return;
   if (HD_TRY(hd_shader_heap(b->shader), &u))
      complete(b);
   hd_stack_release(stack, mark);
   leave(b, &u);
}

hd_def *
hd_vars_undef(hd_builder *b, unsigned num_components, unsigned bit_size)
{
   return undef_value(b, num_components, bit_size);
}
