/* SPDX-License-Identifier: MIT */
/* builder_cf.c - the builder's control flow: a stack of open ifs and loops, and whether the insertion point
 * is reachable.
 *
 * b->dropped says that it is not. It follows from the stack: the code after an if is reachable if the
 * end of an arm is, a continue list from the end of the body or a `continue`, the code after a loop by a
 * `break`. Unreachable code is not created, except for the blocks that the shape of ifs and loops
 * requires.
 */
#include "ir/builder.h"

void *
hd_builder_grow(hd_builder *b, void *array, size_t element, uint32_t *capacity, uint32_t need)
{
   hd_pool *pool = hd_shader_pool(b->shader);
   uint32_t grown = *capacity ? *capacity * 2 : 16;

   if (grown < need)
      grown = need;
   void *copy = hd_pool_alloc(pool, grown * element);
   if (!copy) {
      hd_builder_fail_status(b);
      return NULL;
   }
   if (*capacity)
      memcpy(copy, array, *capacity * element);
   hd_pool_free(pool, array, *capacity * element);
   *capacity = grown;
   return copy;
}

static bool
step(hd_builder *b)
{
   if (hd_heap_step(hd_shader_heap(b->shader), 1))
      return true;
   hd_builder_fail_status(b);
   return false;
}

static bool
check_form(hd_builder *b, const char *who, bool structured)
{
   if (b->result != HD_OK)
      return false;
   if (b->function->structured == structured)
      return true;
   hd_builder_misuse(b, "%s: the function is %s", who, structured ? "flat" : "structured");
   return false;
}

static bool
check_cond(hd_builder *b, const char *who, const hd_def *cond)
{
   if (!hd_builder_check_def(b, who, 0, cond))
      return false;
   if (cond->num_components == 1 && cond->bit_size == 1)
      return true;
   hd_builder_misuse(b, "%s: the condition is %u x %u bits, expected 1 x 1", who,
                     cond->num_components, cond->bit_size);
   return false;
}

/* Frames */

static hd_frame *
push_frame(hd_builder *b, hd_cf_kind kind)
{
   hd_builder_state *s = hd_builder_need_state(b);

   if (!s)
      return NULL;
   if (s->num_frames == s->frame_capacity) {
      void *grown = hd_builder_grow(b, s->frames, sizeof(*s->frames), &s->frame_capacity, 0);
      if (!grown)
         return NULL;
      s->frames = grown;
   }
   hd_frame *frame = &s->frames[s->num_frames++];
   *frame =
       (hd_frame){ .kind = (uint8_t)kind, .outer_loop = s->loop, .first_write = s->num_writes };
   if (kind == HD_CF_LOOP)
      s->loop = s->num_frames;
   s->popped_if = NULL;
   return frame;
}

/* The newest frame, which must be of this kind, and still in its first list if so asked. */
static hd_frame *
top_frame(hd_builder *b, const char *who, hd_cf_kind kind, bool first)
{
   hd_builder_state *s = b->state;
   const char *kind_name = kind == HD_CF_IF ? "if" : "loop";

   if (!check_form(b, who, true))
      return NULL;
   if (!s || !s->num_frames) {
      hd_builder_misuse(b, "%s: no %s is open", who, kind_name);
      return NULL;
   }
   hd_frame *frame = &s->frames[s->num_frames - 1];
   if (frame->kind != kind) {
      hd_builder_misuse(b, "%s: what is open is %s", who, kind == HD_CF_IF ? "a loop" : "an if");
      return NULL;
   }
   if (first && frame->second) {
      hd_builder_misuse(b, "%s: the %s has that already", who, kind_name);
      return NULL;
   }
   return frame;
}

/* The beginning of a list or of what follows a node. An empty block is built from its end, which is
 * cheaper.
 */
static hd_cursor
beginning(hd_block *block)
{
   return block->first ? hd_before_block(block) : hd_after_block(block);
}

hd_if *
hd_push_if(hd_builder *b, hd_def *cond)
{
   if (!check_form(b, "push_if", true) || !check_cond(b, "push_if", cond) || !step(b))
      return NULL;
   hd_frame *frame = push_frame(b, HD_CF_IF);
   if (!frame || b->dropped)
      return NULL;
   hd_if *nif = hd_insert_if(b->cursor, cond);
   if (!nif) {
      hd_builder_fail_status(b);
      return NULL;
   }
   frame->node = &nif->node;
   nif->node.loc = b->loc;
   b->cursor = hd_after_block(hd_list_first_block(&nif->then_list));
   return nif;
}

static void
begin_second(hd_builder *b, hd_frame *frame, hd_cf_list *list)
{
   frame->second = true;
   frame->first_falls |= !b->dropped;
   if (list)
      b->cursor = beginning(hd_list_first_block(list));
}

static void
begin_else(hd_builder *b, hd_frame *frame)
{
   hd_if *nif = hd_node_as_if(frame->node);

   begin_second(b, frame, nif ? &nif->else_list : NULL);
   b->dropped = !nif;
}

void
hd_push_else(hd_builder *b)
{
   hd_frame *frame = top_frame(b, "push_else", HD_CF_IF, true);

   if (frame)
      begin_else(b, frame);
}

/* Leave a frame whose code is complete: go on after its node. */
static void
pop_frame(hd_builder *b, const hd_frame *frame, bool falls)
{
   hd_builder_state *s = b->state;

   s->num_frames--;
   s->loop = frame->outer_loop;
   b->dropped = !frame->node || !falls;
   if (frame->node) {
      hd_block *after = hd_node_next_block(frame->node);
      b->cursor = beginning(after);
      hd_vars_popped(b, after, frame->first_write);
   }
}

void
hd_pop_if(hd_builder *b)
{
   hd_frame *frame = top_frame(b, "pop_if", HD_CF_IF, false);

   if (!frame)
      return;
   if (!frame->second)
      begin_else(b, frame);
   hd_builder_state *s = b->state;
   s->popped_if = hd_node_as_if(frame->node);
   s->popped_falls[0] = frame->first_falls;
   s->popped_falls[1] = !b->dropped;
   pop_frame(b, frame, s->popped_falls[0] || s->popped_falls[1]);
}

hd_def *
hd_if_phi(hd_builder *b, hd_def *then_def, hd_def *else_def)
{
   hd_builder_state *s = b->state;

   if (b->result != HD_OK)
      return &b->dummy.def;
   if (!then_def || !else_def) {
      hd_builder_misuse(b, "if_phi: operand %u is NULL", then_def ? 1u : 0u);
      return &b->dummy.def;
   }
   if (then_def->num_components != else_def->num_components ||
       then_def->bit_size != else_def->bit_size) {
      hd_builder_misuse(b, "if_phi: the operands are %u x %u and %u x %u bits",
                        then_def->num_components, then_def->bit_size, else_def->num_components,
                        else_def->bit_size);
      return &b->dummy.def;
   }
   if (b->dropped)
      return hd_builder_placeless(b, then_def->num_components, then_def->bit_size);
   hd_if *nif = s ? s->popped_if : NULL;
   if (!nif || hd_cursor_block(b->cursor) != hd_node_next_block(&nif->node)) {
      hd_builder_misuse(b, "if_phi: no if was popped right before");
      return &b->dummy.def;
   }
   if ((s->popped_falls[0] && !hd_builder_check_def(b, "if_phi", 0, then_def)) ||
       (s->popped_falls[1] && !hd_builder_check_def(b, "if_phi", 1, else_def)))
      return &b->dummy.def;
   if (!s->popped_falls[0])
      return else_def;
   if (!s->popped_falls[1] || then_def == else_def)
      return then_def;

   hd_block *after = hd_node_next_block(&nif->node);
   bool then_first = after->preds[0].from == hd_list_last_block(&nif->then_list);
   hd_def *srcs[2] = { then_first ? then_def : else_def, then_first ? else_def : then_def };
   hd_phi *phi =
       step(b) ? hd_phi_insert(after, then_def->num_components, then_def->bit_size, srcs) : NULL;
   if (!phi) {
      hd_builder_fail_status(b);
      return &b->dummy.def;
   }
   phi->instr.loc = b->loc;
   return &phi->instr.def;
}

hd_loop *
hd_push_loop(hd_builder *b)
{
   if (!check_form(b, "push_loop", true) || !step(b))
      return NULL;
   hd_frame *frame = push_frame(b, HD_CF_LOOP);
   if (!frame || b->dropped)
      return NULL;
   hd_loop *loop = hd_insert_loop(b->cursor);
   if (!loop) {
      hd_builder_fail_status(b);
      return NULL;
   }
   frame->node = &loop->node;
   loop->node.loc = b->loc;
   b->cursor = hd_after_block(hd_loop_header(loop));
   return loop;
}

static void
begin_continue(hd_builder *b, hd_frame *frame)
{
   hd_loop *loop = hd_node_as_loop(frame->node);

   begin_second(b, frame, loop ? &loop->continue_list : NULL);
   b->dropped = !loop || !frame->first_falls;
}

void
hd_push_continue(hd_builder *b)
{
   hd_frame *frame = top_frame(b, "push_continue", HD_CF_LOOP, true);

   if (frame)
      begin_continue(b, frame);
}

void
hd_pop_loop(hd_builder *b)
{
   hd_frame *frame = top_frame(b, "pop_loop", HD_CF_LOOP, false);

   if (!frame)
      return;
   if (!frame->second)
      begin_continue(b, frame);
   hd_loop *loop = hd_node_as_loop(frame->node);
   if (loop)
      hd_vars_seal(b, hd_loop_header(loop));
   pop_frame(b, frame, frame->left);
}

/* Jumps */

/* No jump may stand in a continue list itself: it would end that. */
static bool
check_jump(hd_builder *b, const char *who)
{
   const hd_builder_state *s = b->state;
   bool in_continue;

   if (s && s->num_frames) {
      const hd_frame *top = &s->frames[s->num_frames - 1];
      in_continue = top->kind == HD_CF_LOOP && top->second;
   } else {
      const hd_cf_list *list = hd_cursor_block(b->cursor)->node.list;
      const hd_loop *loop = hd_node_as_loop(list->parent);
      in_continue = loop && list == &loop->continue_list;
   }
   if (in_continue)
      hd_builder_misuse(b, "%s: a continue list cannot end in a jump", who);
   return !in_continue;
}

static void
tree_jump(hd_builder *b, hd_jump_kind kind, hd_def *value, hd_block *target)
{
   hd_block *block = hd_cursor_block(b->cursor);

   if (!step(b))
      return;
   hd_jump *jump = hd_insert_jump_to(b->cursor, kind, value, target);
   if (!jump) {
      hd_builder_fail_status(b);
      return;
   }
   jump->instr.loc = b->loc;
   b->cursor = hd_after_block(block);
   b->dropped = true;
}

/* The loop around the cursor that no frame is of, and whether the cursor is in its continue list.
 */
static hd_loop *
outer_loop(const hd_builder *b, bool *in_continue)
{
   const hd_cf_list *list = hd_cursor_block(b->cursor)->node.list;
   hd_loop *loop = hd_node_as_loop(list->parent);

   while (list->parent && !loop) {
      list = list->parent->list;
      loop = hd_node_as_loop(list->parent);
   }
   *in_continue = loop && list == &loop->continue_list;
   return loop;
}

static void
loop_jump(hd_builder *b, const char *who, hd_jump_kind kind)
{
   hd_builder_state *s = b->state;
   bool is_break = kind == HD_JUMP_BREAK, in_continue = false;
   hd_frame *frame = NULL;
   hd_loop *loop = NULL;

   if (!check_form(b, who, true) || !check_jump(b, who))
      return;
   if (s && s->loop) {
      frame = &s->frames[s->loop - 1];
      loop = hd_node_as_loop(frame->node);
      in_continue = frame->second;
   } else if (!s || !s->whole) {
      loop = outer_loop(b, &in_continue);
   }
   if (!frame && !loop) {
      hd_builder_misuse(b, "%s: not inside a loop", who);
   } else if (!is_break && in_continue) {
      hd_builder_misuse(b, "%s: inside the loop's continue list", who);
   } else if (!b->dropped) {
      /* Reached code is only in loops that have a node. */
      tree_jump(b, kind, NULL, is_break ? hd_node_next_block(&loop->node) : hd_loop_continue(loop));
      if (frame && is_break)
         frame->left = true;
      else if (frame)
         frame->first_falls = true;
   }
}

void
hd_break(hd_builder *b)
{
   loop_jump(b, "break", HD_JUMP_BREAK);
}

void
hd_continue(hd_builder *b)
{
   loop_jump(b, "continue", HD_JUMP_CONTINUE);
}

void
hd_break_if(hd_builder *b, hd_def *cond)
{
   hd_push_if(b, cond);
   hd_break(b);
   hd_pop_if(b);
}

void
hd_continue_if(hd_builder *b, hd_def *cond)
{
   hd_push_if(b, cond);
   hd_continue(b);
   hd_pop_if(b);
}

/* After a jump of a flat block. */
static void
flat_jumped(hd_builder *b, hd_jump *jump)
{
   if (!jump) {
      hd_builder_fail_status(b);
      return;
   }
   jump->instr.loc = b->loc;
   b->cursor = hd_after_block(jump->instr.block);
   b->dropped = true;
}

/* The block that a flat jump is to end; NULL if there is none: dropped code or a mistake. */
static hd_block *
flat_block(hd_builder *b, const char *who)
{
   hd_block *block = hd_cursor_block(b->cursor);

   if (b->dropped)
      return NULL;
   if (hd_block_jump(block)) {
      hd_builder_misuse(b, "%s: the block has a jump", who);
      return NULL;
   }
   return step(b) ? block : NULL;
}

void
hd_return(hd_builder *b, hd_def *value)
{
   if (b->result != HD_OK)
      return;
   hd_function *f = b->function;
   if (!value != !f->result_bits) {
      hd_builder_misuse(b, "return: '%s' returns %s, but %s value is given", f->name,
                        f->result_bits ? "a value" : "nothing", value ? "a" : "no");
      return;
   }
   if (value) {
      if (!hd_builder_check_def(b, "return", 0, value))
         return;
      if (value->num_components != f->result_components || value->bit_size != f->result_bits) {
         hd_builder_misuse(b, "return: the value is %u x %u bits, expected %u x %u",
                           value->num_components, value->bit_size, f->result_components,
                           f->result_bits);
         return;
      }
   }
   if (!f->structured) {
      hd_block *block = flat_block(b, "return");
      if (block)
         flat_jumped(b, hd_flat_return(block, value));
   } else if (check_jump(b, "return") && !b->dropped) {
      tree_jump(b, HD_JUMP_RETURN, value, &f->end);
   }
}

void
hd_halt(hd_builder *b)
{
   if (b->result != HD_OK)
      return;
   if (!b->function->structured) {
      hd_block *block = flat_block(b, "halt");
      if (block)
         flat_jumped(b, hd_flat_halt(block));
   } else if (check_jump(b, "halt") && !b->dropped) {
      tree_jump(b, HD_JUMP_HALT, NULL, &b->function->end);
   }
}

/* Flat functions */

hd_block *
hd_builder_add_block(hd_builder *b)
{
   if (!check_form(b, "add_block", false) || !step(b))
      return NULL;
   hd_block *block = hd_flat_block_create(b->function);
   if (!block) {
      hd_builder_fail_status(b);
      return NULL;
   }
   block->node.loc = b->loc;
   return block;
}

void
hd_builder_set_block(hd_builder *b, hd_block *block)
{
   if (!check_form(b, "use_block", false))
      return;
   if (!block || hd_block_function(block) != b->function) {
      hd_builder_misuse(b, "use_block: not a block of the function");
   } else if (hd_block_jump(block)) {
      hd_builder_misuse(b, "use_block: the block has a jump");
   } else {
      b->cursor = hd_after_block(block);
      b->dropped = false;
   }
}

static bool
check_target(hd_builder *b, const char *who, const hd_block *target)
{
   const hd_builder_state *s = b->state;

   if (!target || hd_block_is_end(target) || hd_block_function(target) != b->function)
      hd_builder_misuse(b, "%s: the target is not a block of the function", who);
   else if (target == hd_function_start(b->function))
      hd_builder_misuse(b, "%s: the start block cannot be a target", who);
   else if (s && target->node.index < s->info_capacity && s->infos[target->node.index].sealed)
      hd_builder_misuse(b, "%s: the target is sealed", who);
   return b->result == HD_OK;
}

void
hd_goto(hd_builder *b, hd_block *target)
{
   if (!check_form(b, "goto", false) || !check_target(b, "goto", target))
      return;
   hd_block *block = flat_block(b, "goto");
   if (block)
      flat_jumped(b, hd_flat_goto(block, target));
}

void
hd_goto_if(hd_builder *b, hd_def *cond, hd_block *if_true, hd_block *if_false)
{
   if (!check_form(b, "goto_if", false) || !check_cond(b, "goto_if", cond) ||
       !check_target(b, "goto_if", if_true) || !check_target(b, "goto_if", if_false))
      return;
   hd_block *block = flat_block(b, "goto_if");
   if (!block)
      return;
   if (if_true == if_false)
      flat_jumped(b, hd_flat_goto(block, if_true));
   else
      flat_jumped(b, hd_flat_goto_if(block, cond, if_true, if_false));
}

/* Let a[at] sink in the heap a[0..num) whose parents are not less than their children. */
static void
sift(uint64_t *a, uint32_t at, uint32_t num)
{
   for (uint32_t child; (child = 2 * at + 1) < num; at = child) {
      if (child + 1 < num && a[child + 1] > a[child])
         child++;
      if (a[at] >= a[child])
         break;
      uint64_t t = a[at];
      a[at] = a[child];
      a[child] = t;
   }
}

/* Sort, in n log n whatever the input and without memory. */
static void
sort(uint64_t *a, uint32_t num)
{
   for (uint32_t n = num / 2; n--;)
      sift(a, n, num);
   for (uint32_t n = num; n-- > 1;) {
      uint64_t t = a[0];
      a[0] = a[n];
      a[n] = t;
      sift(a, 0, n);
   }
}

/* Whether the values differ in their lower bits; a failure is recorded. */
static bool
check_cases(hd_builder *b, unsigned bits, unsigned num, const uint64_t *values)
{
   hd_stack *stack = hd_shader_stack(b->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
   uint64_t *sorted = hd_stack_alloc(stack, (num + 1) * sizeof(*sorted));

   if (!sorted) {
      hd_builder_fail_status(b);
      return false;
   }
   for (unsigned n = 0; n < num; n++)
      sorted[n] = values[n] & mask;
   sort(sorted, num);
   for (unsigned n = 1; n < num; n++) {
      if (sorted[n] == sorted[n - 1])
         hd_builder_misuse(b, "switch: two cases have the value %llu",
                           (unsigned long long)sorted[n]);
   }
   hd_stack_release(stack, mark);
   return b->result == HD_OK;
}

void
hd_switch(hd_builder *b, hd_def *selector, hd_block *otherwise, unsigned num_cases,
          const uint64_t *values, hd_block *const *targets)
{
   if (!check_form(b, "switch", false) || !hd_builder_check_def(b, "switch", 0, selector) ||
       !check_target(b, "switch", otherwise))
      return;
   if (selector->num_components != 1 || selector->bit_size == 1) {
      hd_builder_misuse(b, "switch: the selector is %u x %u bits, expected one of 8 bits or more",
                        selector->num_components, selector->bit_size);
      return;
   }
   for (unsigned n = 0; n < num_cases; n++) {
      if (!check_target(b, "switch", targets[n]))
         return;
   }
   if (!check_cases(b, selector->bit_size, num_cases, values))
      return;
   hd_block *block = flat_block(b, "switch");
   if (block && hd_heap_step(hd_shader_heap(b->shader), num_cases))
      flat_jumped(b, hd_flat_switch(block, selector, otherwise, num_cases, values, targets));
   else if (block)
      hd_builder_fail_status(b);
}

/* The end of a function */

static bool
is_untouched(const hd_function *f)
{
   return f->body.first == f->body.last && !hd_function_start(f)->first;
}

static bool
close_flat(hd_builder *b, hd_function *f)
{
   hd_foreach_block(block, f) {
      if (hd_block_jump(block))
         continue;
      const char *name = hd_block_name(f, block);
      hd_builder_misuse(b, "function '%s': block %u%s%s%s has no jump", f->name,
                        (unsigned)block->node.index, name ? " (" : "", name ? name : "",
                        name ? ")" : "");
      return false;
   }
   return true;
}

bool
hd_builder_close(hd_builder *b)
{
   const hd_builder_state *s = b->state;
   hd_function *f = b->function;

   if (s->num_frames) {
      hd_builder_misuse(b, "function '%s': an if or loop is still open, %u in all", f->name,
                        (unsigned)s->num_frames);
      return false;
   }
   if (!s->whole)
      return true;
   /* One that is not begun yet can be entered later; hd_builder_close_all sees whether it was. */
   if (!f->structured)
      return is_untouched(f) || close_flat(b, f);
   if (!b->dropped && f->result_bits &&
       hd_cursor_block(b->cursor) == hd_list_last_block(&f->body)) {
      hd_builder_misuse(b, "function '%s' can end without returning its value", f->name);
      return false;
   }
   return true;
}

bool
hd_builder_close_all(hd_builder *b)
{
   hd_foreach_function(f, b->shader) {
      if (!f->structured && is_untouched(f) && !close_flat(b, f))
         return false;
   }
   return true;
}
