/* SPDX-License-Identifier: MIT */
/* opt_inline.c - function inlining, bottom-up in the call graph.
 *
 *    %1 = call @f(%a)                         =>     A with %a in the place of %p
 *    function @f(%p) { A  return %2 }                and %2 in the place of %1
 *
 * Bottom-up in the call graph, so a callee has no calls left to inline. Each call gets a copy of
 * its own, in the form of the caller, with one return at its end: hd_unstructure or hd_structurize
 * first if it has the other form, then hd_lower_returns. Lanes that return early wait at the end of
 * the copy, as they waited at the end of the call. A halt ends the lane in the caller, as before.
 *
 * The calls of a block are replaced from the last to the first, so that the code after a call moves
 * once. The time is n log n in the size of the result, which `size` limits.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: nothing where it fires; all elsewhere.
 * Leaves:    calls of functions that cost more than `cost`; calls that would make a function grow
 *            beyond `size`; in flat functions with barriers, calls of functions that halt, as
 *            nothing would express that those lanes have ended; in loops with several entries, calls
 *            that never return; copies and known conditions to the other passes.
 * Tests:     tests/passes/opt_inline.hd, tests/passes/opt_inline.limits.hd,
 *            tests/passes/test_cf.c, tests/passes/test_run.c
 */
#include <stdio.h>

#include "analysis/private.h"
#include "heddle/build.h"
#include "heddle/clone.h"
#include "heddle/structurize.h"
#include "passes/cycle_entries.h"
#include "passes/ended_lanes.h"
#include "passes/splice.h"
#include "util/ptr_map.h"

struct callee {
   hd_function *f;
   uint32_t size;        /* instructions, with those put in */
   uint32_t num_callers; /* calls of it that are left */
   bool halts, waits;    /* itself, or what it calls */
   bool marked;          /* flat: its headers are declared, as a call of it has gone */
};

struct state {
   hd_shader *shader;
   const opt_inline_options *options;
   hd_ptr_map numbers; /* of functions */
   struct callee *callees;
   char name[32];      /* that no function has */
   uint32_t num_names; /* of variables made so far */
};

static void
check(struct state *s, hd_result result)
{
   if (result != HD_OK)
      hd_heap_fail(hd_shader_heap(s->shader), result);
}

static struct callee *
info_of(struct state *s, const hd_function *f)
{
   return &s->callees[hd_ptr_map_get(&s->numbers, f)];
}

/* The call graph */

/* What it calls was measured before. */
static void
measure(struct state *s, struct callee *c)
{
   hd_foreach_block(b, c->f) {
      hd_foreach_instr(i, b) {
         const hd_call *call = hd_instr_as_call(i);
         const struct callee *callee = call ? info_of(s, call->callee) : NULL;
         c->size++;
         c->waits |= callee ? callee->waits : ends_waits(i);
         c->halts |= callee ? callee->halts : i->kind == HD_INSTR_JUMP && i->op == HD_JUMP_HALT;
      }
   }
   pass_step(c->f, c->size);
}

/* All functions, each after what it calls. There is no cycle, so a function is done when the walk
 * comes back to it.
 */
static hd_function **
sort_functions(struct state *s)
{
   hd_stack *stack = hd_shader_stack(s->shader);
   uint32_t num = s->shader->num_functions, num_calls = 0, num_work = 0, num_sorted = 0;
   hd_function **sorted = hd_stack_alloc(stack, num * sizeof(hd_function *));
   uint8_t *seen = hd_stack_alloc_zero(stack, num);

   hd_foreach_function(f, s->shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b)
            num_calls += i->kind == HD_INSTR_CALL;
      }
   }
   hd_function **work = hd_stack_alloc(stack, (num + num_calls) * sizeof(hd_function *));
   hd_foreach_function(f, s->shader)
      work[num_work++] = f;
   while (num_work) {
      hd_function *f = work[num_work - 1];
      uint8_t *state = &seen[hd_ptr_map_get(&s->numbers, f)];
      if (*state) {
         num_work--;
         if (*state == 1)
            sorted[num_sorted++] = f;
         *state = 2;
         continue;
      }
      *state = 1;
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_call *call = hd_instr_as_call(i);
            if (call && !seen[hd_ptr_map_get(&s->numbers, call->callee)])
               work[num_work++] = call->callee;
         }
      }
   }
   return sorted;
}

/* The copy */

/* A return that is declared to be in a cycle stands after it from now on: its lanes leave together.
 */
static void
return_outside(hd_function *copy)
{
   for (uint32_t n = 0; n < copy->end.num_preds; n++) {
      hd_block *b = copy->end.preds[n].from;
      const hd_jump *jump = hd_block_jump(b);
      if (jump->instr.op != HD_JUMP_RETURN || !b->loop_header)
         continue;
      hd_def *value = jump->instr.num_srcs ? jump->src[0].def : NULL;
      hd_block *outside = hd_flat_block_create(copy);
      hd_flat_clear_jump(b);
      hd_flat_goto(b, outside);
      hd_flat_return(outside, value);
      return;
   }
}

/* A block that halts goes on to the end of the function, where lanes that have not halted return:
 *
 *    halt      =>      goto_if true, b1, b2        b1: halt        b2: return
 *
 * For as an end that stands in an arm a return would stay there, beside code that others halt in.
 */
static void
halts_go_on(hd_function *copy)
{
   hd_stack *stack = hd_shader_stack(copy->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_block **ends = hd_stack_alloc(stack, (copy->end.num_preds + 1) * sizeof(*ends));
   hd_def **values = hd_stack_alloc_zero(stack, (copy->end.num_preds + 1) * sizeof(*values));
   const uint32_t num = copy->end.num_preds;

   for (uint32_t n = 0; n < num; n++)
      ends[n] = copy->end.preds[n].from;
   hd_block *last = hd_flat_block_create(copy);
   for (uint32_t n = 0; n < num; n++) {
      const hd_jump *jump = hd_block_jump(ends[n]);
      const bool halts = jump->instr.op == HD_JUMP_HALT;
      values[n] = jump->instr.num_srcs ? jump->src[0].def : NULL;
      hd_flat_clear_jump(ends[n]);
      hd_builder b = hd_builder_at(hd_after_block(ends[n]));
      if (!values[n] && copy->result_components)
         values[n] = hd_undef(&b, copy->result_components, copy->result_bits);
      if (halts) {
         hd_block *end = hd_flat_block_create(copy);
         hd_flat_goto_if(ends[n], hd_imm_bool(&b, true), end, last);
         hd_flat_halt(end);
      } else {
         hd_flat_goto(ends[n], last);
      }
   }
   hd_def *value = NULL;
   if (copy->result_components)
      value = &hd_phi_insert(last, copy->result_components, copy->result_bits, values)->instr.def;
   hd_flat_return(last, value);
   hd_stack_release(stack, mark);
}

/* A copy of a function in the form of the caller, that returns in one place. A detour by a flat
 * function gives the better tree, but there nothing would say whether lanes have halted when others
 * reach a barrier.
 */
static hd_function *
copy_callee(struct state *s, const struct callee *c, bool structured, bool waits)
{
   static const opt_jump_options jump = { .nest = 16 };
   hd_function *copy = hd_function_clone(s->shader, c->f, s->name);

   if (copy->structured)
      hd_opt_dead_cf(copy);
   if (copy->structured && structured && hd_tree_returns_at_end(copy))
      return copy;
   if (!structured || !(c->halts && waits)) {
      check(s, hd_unstructure(copy));
      check(s, hd_lower_returns(copy));
      return_outside(copy);
      if (!structured)
         return copy;
      if (c->halts)
         halts_go_on(copy);
   }
   if (!copy->structured) {
      check(s, hd_structurize(copy, NULL));
      hd_opt_dead_cf(copy);
   }
   if (!hd_tree_returns_at_end(copy)) {
      check(s, hd_lower_returns(copy));
      hd_opt_jump(copy, &jump);
      hd_opt_dead_cf(copy);
   }
   return copy;
}

static void
pass_arguments(hd_function *copy, const hd_call *call)
{
   hd_foreach_instr_safe(i, hd_function_start(copy)) {
      const hd_param *param = hd_instr_as_param(i);
      if (!param)
         break;
      hd_def_replace_uses(&i->def, call->args[param->param_index].src.def);
      hd_instr_unlink(i);
      hd_instr_free(copy->shader, i);
   }
}

/* The copy's variables are the caller's from now on. A new name ends in a number that no other has
 * got, so it can only be that of one which the caller had before.
 */
static void
adopt_vars(struct state *s, hd_function *caller, const hd_ptr_map *names, hd_function *copy)
{
   hd_stack *stack = hd_shader_stack(s->shader);
   hd_var **vars = hd_stack_alloc(stack, (copy->num_vars + 1) * sizeof(*vars));

   hd_foreach_var(v, copy) {
      char name[80];
      const char *interned;
      do {
         int length = snprintf(name, sizeof(name), "%.60s.%u", v->name, s->num_names++);
         interned = hd_shader_intern(s->shader, name, (size_t)length);
      } while (hd_ptr_map_get(names, interned) != HD_PTR_MAP_NONE);
      vars[v->index] =
          hd_var_append(caller, interned, v->num_components, v->bit_size, v->array_length);
   }
   hd_foreach_block(b, copy) {
      hd_foreach_instr(i, b) {
         hd_var_access *access = hd_instr_as_var_access(i);
         if (access)
            access->var = vars[access->var->index];
      }
   }
   while (copy->first_var)
      hd_var_remove(copy, copy->first_var);
}

/* Blocks and values get numbers of the caller, and what went to the copy's end goes to the
 * caller's.
 */
static void
adopt_code(hd_function *caller, hd_function *copy)
{
   hd_foreach_node(n, copy) {
      hd_if *nif = hd_node_as_if(n);
      hd_loop *loop = hd_node_as_loop(n);
      hd_block *b = hd_node_as_block(n);
      if (nif)
         nif->then_list.function = nif->else_list.function = caller;
      if (loop)
         loop->body.function = loop->continue_list.function = caller;
      if (!b)
         continue;
      b->node.index = caller->num_blocks++;
      hd_foreach_instr(i, b) {
         if (hd_instr_def(i))
            i->def.index = caller->num_defs++;
      }
      const hd_jump *jump = hd_block_jump(b);
      if (jump && jump->instr.op == HD_JUMP_HALT) {
         hd_edge_remove(b, 0);
         hd_edge_add(b, &caller->end);
      }
   }
}

/* The value of the one return, whose jump goes. `block` is where it was, or NULL. */
static hd_def *
take_return(hd_function *copy, hd_block **block)
{
   hd_def *value = NULL;

   *block = NULL;
   for (uint32_t n = 0; n < copy->end.num_preds; n++) {
      hd_jump *jump = hd_block_jump(copy->end.preds[n].from);
      if (!jump || jump->instr.op != HD_JUMP_RETURN)
         continue;
      *block = jump->instr.block;
      value = jump->instr.num_srcs ? jump->src[0].def : NULL;
      if (copy->structured)
         hd_jump_remove(jump);
      else
         hd_flat_clear_jump(*block);
      break;
   }
   return value;
}

/* Does a copy end with a halt? */
static bool
ends_by_halt(const hd_function *copy)
{
   const hd_jump *jump = hd_block_jump(hd_node_as_block(copy->body.last));

   return jump && jump->instr.op == HD_JUMP_HALT;
}

/* In a tree the list of the copy goes where the call was. No jump may end a continue list, so there
 * one that ends with a halt becomes the arm of an `if`.
 */
static void
put_in_tree(hd_function *caller, hd_function *copy, hd_cursor at)
{
   hd_cf_range range;

   if (hd_splice_is_continue_list(hd_cursor_block(at)->node.list) && ends_by_halt(copy)) {
      hd_builder b = hd_builder_at(at);
      hd_def *always = hd_imm_bool(&b, true);
      at = hd_list_start(&hd_insert_if(b.cursor, always)->then_list);
   }
   hd_cf_extract_list(&range, &copy->body);
   copy->num_extracted--;
   caller->num_extracted++;
   range.list->function = caller;
   hd_cf_reinsert(&range, at);
}

/* In a flat function the block with the call is split, and continues in the copy. All of that
 * is declared to be in the cycle that the block is in: see hd_declare_loops.
 */
static void
put_in_flat(hd_function *caller, hd_function *copy, hd_cursor at, hd_block *returns)
{
   hd_block *b = hd_cursor_block(at), *start = hd_function_start(copy);
   hd_block *rest = hd_flat_split(at);
   hd_block *inside = b->node.header ? b : b->loop_header;

   rest->loop_header = inside;
   hd_foreach_block(c, copy) {
      if (!c->loop_header)
         c->loop_header = inside;
   }
   hd_cf_node *last = copy->body.last;
   hd_nodes_unlink(&start->node, last);
   hd_nodes_link(&caller->body, &b->node, &start->node, last);
   hd_flat_clear_jump(b);
   hd_flat_goto(b, start);
   if (returns)
      hd_flat_goto(returns, rest);
}

/* Can lanes come back from a flat copy? Its blocks get an order. */
static bool
comes_back(hd_function *copy)
{
   hd_require(copy, HD_META_BLOCK_ORDER);
   for (uint32_t n = 0; n < copy->end.num_preds; n++) {
      const hd_jump *jump = hd_block_jump(copy->end.preds[n].from);
      if (jump && jump->instr.op == HD_JUMP_RETURN && hd_block_is_reachable(jump->instr.block))
         return true;
   }
   return false;
}

/* True if the call is gone. `holds`: it must go on to what follows it, see cycle_entries.h. */
static bool
put_in(struct state *s, hd_call *call, const hd_ptr_map *names, bool holds)
{
   hd_block *b = call->instr.block, *returns;
   hd_function *caller = hd_block_function(b);
   struct callee *c = info_of(s, call->callee);
   hd_function *copy = copy_callee(s, c, caller->structured, c->waits || info_of(s, caller)->waits);

   if (holds && !comes_back(copy)) {
      hd_function_remove(copy);
      return false;
   }
   if (!caller->structured && !info_of(s, caller)->marked) {
      check(s, hd_declare_loops(caller));
      info_of(s, caller)->marked = true;
   }
   if (!copy->structured)
      check(s, hd_declare_loops(copy));
   pass_arguments(copy, call);
   adopt_vars(s, caller, names, copy);
   hd_def *value = take_return(copy, &returns);
   adopt_code(caller, copy);
   /* The call goes first: where all of its lanes halt, what follows it goes too. */
   if (hd_instr_def(&call->instr)) {
      if (!value) {
         hd_instr *undef =
             hd_undef_create(s->shader, call->instr.def.num_components, call->instr.def.bit_size);
         hd_instr_insert(hd_before_instr(&call->instr), undef);
         value = &undef->def;
      }
      hd_def_replace_uses(&call->instr.def, value);
   }
   hd_instr *next = call->instr.next;
   hd_instr_remove(&call->instr);
   hd_cursor at = next ? hd_before_instr(next) : hd_after_block(b);
   if (caller->structured)
      put_in_tree(caller, copy, at);
   else
      put_in_flat(caller, copy, at, returns);
   hd_function_remove(copy);
   return true;
}

/* One caller */

/* For each instruction of a copy: it is made, changed to the form of the caller, searched for returns,
 * variables and halts; and it stays.
 */
#define STEPS_OF_COPY UINT64_C(32)

/* What a call grows its function by: parameters, the return and the call itself go. */
static uint32_t
growth(const struct callee *c)
{
   uint32_t gone = c->f->num_params + 2;

   return c->size > gone ? c->size - gone : 0;
}

static bool
wants(struct state *s, const struct callee *caller, uint64_t size, const hd_call *call)
{
   const struct callee *c = info_of(s, call->callee);

   if (c->size > s->options->cost || size + growth(c) > s->options->size)
      return false;
   return caller->f->structured || !c->halts || !(c->waits || caller->waits);
}

static bool
inline_calls(struct state *s, struct callee *caller)
{
   hd_stack *stack = hd_shader_stack(s->shader);
   hd_function *f = caller->f;
   uint32_t num_calls = 0, num = 0;
   uint64_t size = caller->size;
   hd_ptr_map names;
   bool progress = false;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b)
         num_calls += i->kind == HD_INSTR_CALL;
   }
   if (!num_calls)
      return false;
   hd_call **calls = hd_stack_alloc(stack, num_calls * sizeof(*calls));
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         hd_call *call = hd_instr_as_call(i);
         if (!call || !wants(s, caller, size, call))
            continue;
         size += growth(info_of(s, call->callee));
         calls[num++] = call;
      }
   }
   /* Before the memory is taken. */
   pass_step(f, STEPS_OF_COPY * (size - caller->size));
   hd_ptr_map_init(&names, stack, f->num_vars + 1);
   hd_foreach_var(v, f)
      hd_ptr_map_set(&names, v->name, 0);
   bool *holds = hd_stack_alloc_zero(stack, num + 1);
   if (num && !f->structured) {
      hd_require(f, HD_META_CYCLES);
      const bool *several = cycle_entries_find(f);
      for (uint32_t n = 0; n < num; n++)
         holds[n] = entries_around(several, calls[n]->instr.block);
   }
   /* From the last to the first, so that what follows one has its place already. */
   while (num) {
      hd_call *call = calls[--num];
      uint32_t more = growth(info_of(s, call->callee));
      /* Their memory is given back to who takes as much. */
      hd_stack_mark mark = hd_stack_get_mark(stack);
      if (put_in(s, call, &names, holds[num])) {
         progress = true;
         caller->size += more;
      }
      hd_stack_release(stack, mark);
   }
   return hd_progress(f, progress, OPT_INLINE_KEEPS);
}

/* Callers come before what they call, so that whole branches of the call graph go. */
static bool
remove_uncalled(struct state *s, hd_function **sorted, uint32_t num)
{
   bool progress = false;

   while (num) {
      hd_function *f = sorted[--num];
      if (f == s->shader->first_function || info_of(s, f)->num_callers)
         continue;
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_call *call = hd_instr_as_call(i);
            if (call)
               info_of(s, call->callee)->num_callers--;
         }
      }
      hd_function_remove(f);
      progress = true;
   }
   return progress;
}

bool
hd_opt_inline(hd_shader *shader, const opt_inline_options *o)
{
   hd_stack *stack = hd_shader_stack(shader);
   struct state s = { .shader = shader, .options = o };
   uint32_t num = 0;
   bool progress = false;

   /* No function calls itself. */
   if (shader->num_functions < 2)
      return false;
   do {
      snprintf(s.name, sizeof(s.name), "copy.%u", num++);
   } while (hd_shader_find_function(shader, s.name));
   num = shader->num_functions;
   hd_ptr_map_init(&s.numbers, stack, num);
   s.callees = hd_stack_alloc_zero(stack, num * sizeof(*s.callees));
   num = 0;
   hd_foreach_function(f, shader) {
      s.callees[num].f = f;
      hd_ptr_map_set(&s.numbers, f, num++);
   }
   hd_function **sorted = sort_functions(&s);
   for (uint32_t n = 0; n < num; n++) {
      struct callee *c = info_of(&s, sorted[n]);
      measure(&s, c);
      progress |= inline_calls(&s, c);
      hd_foreach_block(b, c->f) {
         hd_foreach_instr(i, b) {
            const hd_call *call = hd_instr_as_call(i);
            if (call)
               info_of(&s, call->callee)->num_callers++;
         }
      }
   }
   if (o->remove)
      progress |= remove_uncalled(&s, sorted, num);
   /* What nothing calls has uniform parameters if it is the entry. */
   if (progress)
      hd_meta_invalidate(shader->first_function, HD_META_ALL & ~(uint32_t)HD_META_DIVERGENCE);
   return progress;
}
