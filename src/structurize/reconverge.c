/* SPDX-License-Identifier: MIT */
/* reconverge.c - hd_reconverge: explicit reconvergence points for divergent branches of any CFG.
 *
 *    A: goto_if %a, B, C              A: goto_if %a, F, C
 *    C: goto_if %c, A, D       =>     C: goto_if %c, A, F
 *    B: goto D                        F: %s = phi A: true, C: false
 *    D: return                           goto_if %s, B, D
 *                                     B: goto D
 *                                     D: return
 *
 * Reconverging CFGs and the open tree are Hähnle's (Wahlster and Hähnle, Implementing SPMD Control
 * Flow in LLVM Using Reconverging CFGs). A machine with one pc parks the lanes of a divergent branch
 * that go to its primary successor, the one that post-dominates it, runs the others, and resumes the
 * parked ones at the primary. So each divergent branch needs a primary successor that the other
 * lanes reach; flow blocks are inserted until that holds.
 *
 * What happens, on a copy of the body:
 *
 *    1. divergent switches become compares                            reconverge_switch.c
 *    2. blocks are ordered                                            reconverge_order.c
 *    3. the open tree tells which edges go into which flow blocks     reconverge_tree.c
 *    4. values for phis are followed through flow blocks              reconverge_plan.c
 *    5. blocks, edges, tests and phis are made, SSA is repaired       reconverge_build.c
 *    6. what was uniform is made so again                             keep_uniform.c
 *
 * Declarations of loops are respected, because the loop nest and the sweep order respect them. If
 * the graph alone does not determine its loops (there are declarations, or a loop with several
 * entries), all headers and members are declared first, and new blocks with them, so that the nest
 * stays the same. A continue block that no longer meets its rule is not declared any more: lanes
 * that leave its loop may now pass the same flow block as those that continue.
 *
 * Tests: tests/structurize/test_reconverge.c, tests/structurize/reconverge*.hd
 */
#include "structurize/reconverge.h"

#include <stdio.h>

#include "structurize/body.h"
#include "structurize/exit_phis.h"
#include "structurize/keep_uniform.h"
#include "structurize/waiting_masks.h"
#include "util/quote.h"

/* One call. */
struct reconverge {
   hd_function *f;
   const hd_reconverge_options *options;
   hd_function *work;
   rc r;
   hd_block **origin; /* by index of the copy's blocks: those of f that they come from */
   uint32_t num_origins;
   bool *divergent; /* by index: branches of f, and of what was made for its switches */
   bool changed;
   bool too_many_masks;
   hd_result result; /* other than what an unwinding tells */
};

static void
complain(const hd_function *f, const char *message)
{
   const hd_diag_sink *sink = &hd_shader_config(f->shader)->diag;
   char text[320];

   snprintf(text, sizeof(text), "%s (function @%.100s)", message, f->name);
   hd_diag_send(sink, &(hd_diag){ .severity = HD_ERROR, .message = text });
}

static uint32_t
count_branches(hd_function *f)
{
   uint32_t num = 0;

   hd_foreach_block(b, f) {
      if (hd_block_is_reachable(b) && b->num_succs > 1)
         num += b->num_succs - 1;
   }
   return num;
}

/* All reachable blocks, each once, the start block first? */
static bool
is_order(hd_function *f, hd_block *const *blocks, uint32_t num)
{
   uint32_t *seen = hd_stack_alloc_zero(hd_shader_stack(f->shader), f->num_blocks * sizeof(*seen));

   if (num == 0 || num != hd_function_num_reachable(f) || blocks[0] != hd_function_start(f))
      return false;
   for (uint32_t n = 0; n < num; n++) {
      const hd_block *b = blocks[n];
      if (!b || hd_block_is_end(b) || hd_block_function(b) != f || !hd_block_is_reachable(b) ||
          seen[b->node.index]++)
         return false;
   }
   return true;
}

/* An edge from a block to one that the order has before it, but the edges back to a header. NULL:
 * there is none.
 */
static const hd_edge *
find_late_edge(hd_function *f, hd_block *const *blocks, uint32_t num, const hd_block **from)
{
   bool *seen = hd_stack_alloc_zero(hd_shader_stack(f->shader), f->num_blocks);

   for (uint32_t n = 0; n < num; n++) {
      seen[blocks[n]->node.index] = true;
      for (uint32_t k = 0; k < blocks[n]->num_succs; k++) {
         const hd_block *to = blocks[n]->succs[k].to;
         const hd_cycle *headed = hd_block_is_end(to) ? NULL : hd_block_headed_cycle(to);
         if (hd_block_is_end(to) || !seen[to->node.index] ||
             (headed && hd_cycle_contains(headed, blocks[n])))
            continue;
         *from = blocks[n];
         return &blocks[n]->succs[k];
      }
   }
   return NULL;
}

/* Can blocks be processed in this order? */
static bool
check_order(hd_function *f, hd_block *const *blocks, uint32_t num)
{
   const hd_block *from;

   if (!is_order(f, blocks, num)) {
      complain(f, "the order must have each reachable block once, and the start block first");
      return false;
   }
   const hd_edge *edge = find_late_edge(f, blocks, num, &from);
   if (!edge)
      return true;
   char message[160];
   snprintf(message, sizeof(message),
            "the order has b%u before b%u, which leads to it: lanes wait there for those that are "
            "still to come, so only a loop's header may be before such blocks",
            edge->to->node.index, from->node.index);
   complain(f, message);
   return false;
}

/* What a block is declared to be inside of may only be so through a block that is dropped. Each
 * of those is passed by once: from then on it names the answer.
 */
static void
pass_by_unreachable(hd_block *b)
{
   hd_block *last = b->loop_header;

   while (last && !hd_block_is_reachable(last))
      last = last->loop_header;
   while (b->loop_header != last) {
      hd_block *next = b->loop_header;
      b->loop_header = last;
      b = next;
   }
}

/* Blocks that nothing reaches go: their edges first, as phis in blocks that stay lose sources. */
static void
drop_unreachable(hd_function *f)
{
   hd_cf_node *dead = NULL;

   if (hd_function_num_reachable(f) == f->num_blocks)
      return;
   hd_foreach_block_safe(b, f) {
      if (hd_block_is_reachable(b))
         continue;
      while (b->num_succs)
         hd_edge_remove(b, b->num_succs - 1);
      hd_foreach_instr(i, b) {
         hd_foreach_src(src, i)
            hd_src_unlink(src);
      }
      b->node.prev->next = b->node.next;
      if (b->node.next)
         b->node.next->prev = b->node.prev;
      else
         f->body.last = b->node.prev;
      b->node.prev = dead;
      dead = &b->node;
   }
   hd_foreach_block(b, f) {
      pass_by_unreachable(b);
      if (b->continues && !hd_block_is_reachable(b->continues))
         b->continues = NULL;
   }
   f->meta_valid = 0;
   for (hd_cf_node *n = dead, *next; n; n = next) {
      next = n->prev;
      hd_cf_node_free(f, n);
   }
}

static bool
declares_anything(hd_function *f)
{
   hd_foreach_block(b, f) {
      if (b->node.header || b->loop_header || b->continues)
         return true;
   }
   return false;
}

static bool
is_entered_beside_headers(hd_function *f)
{
   for (uint32_t n = 0; n < hd_function_num_cycles(f); n++) {
      if (hd_function_cycle(f, n)->has_other_entries)
         return true;
   }
   return false;
}

/* Where the exits of each divergent switch meet, by block index: a block of f, or NULL. */
static const hd_block **
find_joins(struct reconverge *c, const bool *divergent)
{
   const hd_block **joins =
       hd_stack_alloc_zero(c->r.stack, (c->f->num_blocks + 1) * sizeof(*joins));

   hd_foreach_block(b, c->f) {
      hd_block *join = divergent[b->node.index] && b->num_succs > 2 ? b->succs[0].to : NULL;
      for (uint32_t n = 1; join && !hd_block_is_end(join) && n < b->num_succs; n++)
         join = hd_block_is_end(b->succs[n].to)
                    ? NULL
                    : hd_block_common_post_dominator(join, b->succs[n].to);
      if (join && !hd_block_is_end(join))
         joins[b->node.index] = join;
   }
   return joins;
}

static void
copy_body(struct reconverge *c)
{
   hd_stack *stack = c->r.stack;
   uint32_t num = c->f->num_blocks;
   bool *divergent = memset(hd_stack_alloc(stack, num + 1), 0, num + 1);

   hd_foreach_block(b, c->f)
      divergent[b->node.index] = hd_block_is_reachable(b) && hd_block_is_divergent_branch(b);
   c->work = c->r.f = hd_body_copy(c->f);
   hd_require(c->work, HD_META_BLOCK_ORDER);
   drop_unreachable(c->work);
   hd_require(c->work, HD_META_CYCLES | HD_META_DOMINANCE);
   c->r.declares = declares_anything(c->work) || is_entered_beside_headers(c->work);
   for (uint32_t n = 0; n < hd_function_num_cycles(c->work); n++) {
      const hd_cycle *cycle = hd_function_cycle(c->work, n);
      c->r.late |= hd_cycle_contains(cycle, hd_block_idom(cycle->header));
   }
   if (c->r.declares)
      hd_declare_loops(c->work);
   const uint8_t *chosen = hd_exit_phis_find(c->f);
   if (chosen)
      hd_exit_phis_add(c->work, chosen, c->f->num_defs);
   hd_rc_lower_switches(c->work, c->f, divergent, find_joins(c, divergent), &c->r.stats);

   /* What was made for a switch comes from its block. */
   c->num_origins = c->work->num_blocks;
   c->origin = hd_stack_alloc_zero(stack, c->num_origins * sizeof(*c->origin));
   hd_foreach_block(b, c->f)
      c->origin[b->node.index] = b;
   hd_foreach_block(b, c->work) {
      if (b->node.index >= num)
         c->origin[b->node.index] = c->origin[b->preds[0].from->node.index];
   }
   c->divergent = hd_stack_alloc(stack, c->num_origins + 1);
   hd_foreach_block(b, c->work)
      c->divergent[b->node.index] = divergent[c->origin[b->node.index]->node.index];
}

static void
set_order(struct reconverge *c)
{
   const hd_reconverge_options *o = c->options;

   c->r.order = o ? o->order : HD_RECONVERGE_DEFAULT;
   if (!o || !o->blocks)
      return;
   uint32_t *wanted = rc_scratch(&c->r, c->f->num_blocks);
   uint32_t *priority = rc_scratch_fill(&c->r, c->num_origins, 0);
   for (uint32_t n = 0; n < o->num_blocks; n++)
      wanted[o->blocks[n]->node.index] = n;
   hd_foreach_block(b, c->work)
      priority[b->node.index] = wanted[c->origin[b->node.index]->node.index];
   c->r.priority = priority;
}

/* Lanes that return and lanes that halt may have to end at one place. That is the same for them
 * only where no caller goes on with those that return.
 */
static bool
settle_ends(struct reconverge *c)
{
   rc *r = &c->r;
   bool halts = false, returns = false;

   for (uint32_t n = 0; n < r->num_edges; n++) {
      const rc_edge *e = &r->edges[n];
      if (e->from == NONE || e->into == NONE || e->target != r->num_places - 1)
         continue;
      bool halt = hd_block_jump(r->places[e->from].block)->instr.op == HD_JUMP_HALT;
      halts |= halt;
      returns |= !halt;
   }
   r->only_halts = halts && !returns;
   if (!halts || !returns)
      return true;
   hd_foreach_function(caller, c->f->shader) {
      hd_foreach_block(b, caller) {
         hd_foreach_instr(i, b) {
            const hd_call *call = hd_instr_as_call(i);
            if (call && call->callee == c->f)
               return false;
         }
      }
   }
   return true;
}

static const hd_block *
original(const struct reconverge *c, const hd_block *b)
{
   return !b || hd_block_is_end(b) || b->node.index >= c->num_origins ? NULL
                                                                      : c->origin[b->node.index];
}

static void
explain_flows(const struct reconverge *c)
{
   const rc *r = &c->r;

   for (uint32_t n = 0; n < r->num_flows; n++) {
      const rc_flow *f = &r->flows[n];
      const rc_place *place = &r->places[f->place];
      const rc_edge *cause = f->cause != NONE ? &r->edges[f->cause] : NULL;
      hd_explanation e = {
         .function = c->f,
         .added = "flow block",
         .target = original(c, place->block),
         .why = "lanes wait for the target, and others go past it",
      };
      if (f->never)
         e.why =
             "lanes wait after a cycle that cannot be left: its latch gets an edge that none takes";
      else if (place->kind == RC_END)
         e.why = "lanes wait for the end of the function";
      else if (place->kind == RC_LATCH)
         e.why = "lanes wait for the next iteration, and others leave the cycle";
      if (cause && cause->from != NONE && r->places[cause->target].kind == RC_END) {
         e.at = original(c, r->places[cause->from].block);
      } else if (cause && cause->from != NONE) {
         e.from = original(c, r->places[cause->from].block);
         e.to = original(c, r->places[cause->target].block);
      } else if (cause) {
         e.at = original(c, r->places[r->flows[cause->flow].place].block);
      }
      c->options->explain(c->options->user, &e);
   }
}

/* Declarations that the new graph does not fit: only continue blocks can be such. */
static void
forget_continue(void *user, hd_declaration_fault fault, hd_block *block, hd_block *other)
{
   (void)user;
   (void)other;
   assert(fault == HD_CONTINUE_BYPASSED || fault == HD_CONTINUE_ENTERED ||
          fault == HD_CONTINUE_OUTSIDE);
   (void)fault;
   block->continues = NULL;
}

static bool
has_too_many_masks(struct reconverge *c, hd_function *f)
{
   const uint32_t most = c->options ? c->options->max_masks : 0;

   c->too_many_masks = most && hd_count_waiting_masks(f) > (uint64_t)most * f->num_blocks;
   return c->too_many_masks;
}

static void
transform(struct reconverge *c)
{
   rc *r = &c->r;
   uint32_t faults;

   copy_body(c);
   hd_require(c->work, HD_META_BLOCK_ORDER | HD_META_CYCLES);
   set_order(c);
   hd_rc_find_places(r);
   for (uint32_t p = 0; p < r->num_places; p++) {
      rc_place *place = &r->places[p];
      place->divergent = place->kind == RC_BLOCK && place->block->num_succs == 2 &&
                         c->divergent[place->block->node.index];
   }
   hd_heap_step(hd_shader_heap(c->f->shader), r->num_places);
   hd_rc_open_tree(r);
   if (!settle_ends(c)) {
      complain(c->f, "lanes that return and lanes that halt diverge, and cannot end in one block");
      c->result = HD_UNSUPPORTED;
      return;
   }
   /* Nothing is in the way of any lane: the function is good as it is. */
   if (!r->num_flows && !r->stats.blocks && !r->stats.instructions)
      return;
   c->changed = true;
   if (c->options && c->options->explain)
      explain_flows(c);
   hd_rc_plan_values(r);
   hd_rc_build(r);
   if (r->declares)
      hd_check_declarations(c->work, forget_continue, NULL, &faults);
   hd_require(c->work, HD_META_BLOCK_ORDER);
   hd_uniforms uniforms = hd_uniforms_find(c->f);
   r->stats.instructions += hd_keep_uniform(c->work, &uniforms);
   r->stats.branches_after = count_branches(c->work);
   if (c->options && c->options->max_masks)
      c->too_many_masks =
          hd_count_waiting_masks(c->work) > (uint64_t)c->options->max_masks * c->work->num_blocks;
   if (c->too_many_masks) {
      c->changed = false;
      r->stats = (hd_structurize_stats){ .branches_before = r->stats.branches_before,
                                         .branches_after = r->stats.branches_before };
   }
}

static void
reconverge(struct reconverge *c)
{
   hd_function *f = c->f;
   bool keep = c->options && c->options->keep_reconverging;

   hd_require(f,
              HD_META_BLOCK_ORDER | HD_META_POST_DOMINANCE | HD_META_CYCLES | HD_META_DIVERGENCE);
   if (c->options && c->options->blocks &&
       !check_order(f, c->options->blocks, c->options->num_blocks)) {
      c->result = HD_INVALID;
      return;
   }
   c->r.stats.branches_before = c->r.stats.branches_after = count_branches(f);
   if (!hd_function_is_reconverging(f) || (!keep && !hd_function_keeps_sweep(f)))
      transform(c);
   else
      (void)has_too_many_masks(c, f);
}

hd_result
hd_reconverge(hd_function *f, const hd_reconverge_options *options)
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   struct reconverge c = { .f = f, .options = options, .r = { .stack = stack } };
   hd_unwind u;

   if (f->structured) {
      complain(f, "only a flat function can be made reconverging; hd_unstructure makes it flat");
      return HD_INVALID;
   }
   hd_result result = hd_body_begin(f);
   if (result != HD_OK)
      return result;
   if (HD_TRY(heap, &u))
      reconverge(&c);
   result = hd_heap_leave(heap, &u);
   if (result == HD_OK)
      result = c.result;
   if (result == HD_OK && c.changed)
      hd_body_swap(f, c.work);
   else
      hd_body_drop(c.work);
   if (result == HD_OK && options && options->stats)
      *options->stats = c.r.stats;
   if (result == HD_OK && options && options->too_many_masks)
      *options->too_many_masks = c.too_many_masks;
   hd_stack_release(stack, mark);
   return result;
}
