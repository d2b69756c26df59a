/* SPDX-License-Identifier: MIT */
/* reconverging.c - exec masks of a reconverging CFG: flat, one pc, rejoin masks (Wahlster and Hähnle,
 * Implementing SPMD Control Flow in LLVM Using Reconverging CFGs).
 *
 * One of the two successors of a divergent branch, the primary, post-dominates it. Its lanes wait
 * there, the others go on:
 *
 *    branch:                                  exec &= lanes of the secondary successor
 *                                             s_cbranch_execz primary
 *    before the primary:                      exec = those that come and those that wait
 *
 * The waiting lanes are known in two ways. If one branch dominates the others with the same
 * primary, and the primary itself, and every path back to the primary passes the branch, all its
 * lanes reconverge there: the branch saves exec, the others only narrow it. Otherwise the primary
 * has a rejoin mask, empty at the start: each branch adds its lanes, and the primary clears it.
 *
 * So the pc follows the edges of the function and no others. Critical logical edges are split. If
 * copies of vector phis may go into the new block, the lanes of the primary run it first:
 *
 *    s_and_saveexec both, primary             edge block            s_andn2 exec, both, exec
 */
#include <assert.h>

#include "ir/private.h"
#include "machine/flow/exec_mask/exec_mask.h"

/* By index of a block of the program, as far as there is one for each of the IR. */
typedef struct primary {
   hd_mach_block
       *join; /* before it, where lanes rejoin; NULL: it is the primary successor of no branch */
   const hd_block *first;    /* the branch that saves exec for it, or NULL */
   const hd_block *branches; /* what dominates all its branches, and itself */
   const hd_block *begin;    /* where no lane waits for it: NULL is the start */
   uint32_t mask;            /* what was saved, or who waits */
} primary;

typedef struct rejoin {
   masks m;
   primary *primaries;
   uint32_t num;  /* blocks of the IR's */
   bool *passive; /* by block: on the edge of lanes that wait, and without code */
} rejoin;

static hd_mach_block *
block_of(const rejoin *r, const hd_block *b)
{
   return r->m.p->by_ir[b->node.index];
}

static hd_mach_operand
mask_of(const rejoin *r, uint32_t temp)
{
   return hd_mach_operand_temp(r->m.p, temp);
}

static bool
is_divergent(const hd_mach_block *block)
{
   return block->ir && hd_block_is_reachable(block->ir) && block->ir->num_succs == 2 &&
          !block->condition.uniform;
}

/* Headers that are passed while lanes wait in their cycle */

/* Do lanes of this branch wait at the block? The others go on to the block that is returned. */
static const hd_block *
goes_on(const rejoin *r, const hd_block *branch, const hd_block *to)
{
   if (!hd_block_is_reachable(branch) || !is_divergent(block_of(r, branch)) ||
       hd_block_primary_succ(branch) != to)
      return NULL;
   return branch->succs[branch->succs[0].to == to].to;
}

/* Only a block that all come by on the way from the header of a cycle around it to the end. Where it
 * dominates the ways back to the header, none but branches behind it lead there.
 */
static bool
may_pass_header(const rejoin *r, const hd_block *to)
{
   bool waits = false, behind = false, passed = false;

   for (uint32_t n = 0; n < to->num_preds; n++) {
      const hd_block *branch = to->preds[n].from;
      if (goes_on(r, branch, to)) {
         waits = true;
         behind |= hd_block_dominates(to, branch);
      }
   }
   for (const hd_cycle *c = waits ? hd_block_cycle(to) : NULL; c && !passed; c = c->parent) {
      if (c->header == to || !hd_block_post_dominates(to, c->header))
         continue;
      passed = behind;
      for (uint32_t n = 0; n < c->header->num_preds && !passed; n++) {
         const hd_block *pred = c->header->preds[n].from;
         passed = hd_cycle_contains(c, pred) && !hd_block_dominates(to, pred);
      }
   }
   return passed;
}

/* Lanes wait at the block, and others go on to it by the header of a cycle around it: such a header
 * is not where a live range can begin. hd_reconverge leaves none, but what runs without it may have
 * some. Each block is seen once for each loop that it is in, or for each block that is waited at.
 */
static void
find_passed_headers(rejoin *r)
{
   const hd_function *f = r->m.p->function;
   const hd_block **pending = hd_stack_alloc(r->m.p->stack, (3 * r->num + 3) * sizeof(*pending));
   uint32_t *seen = hd_stack_alloc_zero(r->m.p->stack, (r->num + 1) * sizeof(*seen)), num;

   hd_mach_foreach_block(block, r->m.p)
   {
      const hd_block *to = block->ir;
      if (!to || !hd_block_is_reachable(to) || !may_pass_header(r, to))
         continue;
      num = 0;
      for (uint32_t n = 0; n < to->num_preds; n++) {
         const hd_block *next = goes_on(r, to->preds[n].from, to);
         if (next)
            pending[num++] = next;
      }
      while (num) {
         const hd_block *b = pending[--num];
         const hd_cycle *c = hd_block_cycle(b);
         if (b == to || hd_block_is_end(b) || seen[block_of(r, b)->index] == block->index + 1)
            continue;
         seen[block_of(r, b)->index] = block->index + 1;
         if (c && c->header == b && hd_cycle_contains(c, to))
            r->m.entered[c->index] = false;
         for (uint32_t n = 0; n < b->num_succs; n++)
            pending[num++] = b->succs[n].to;
      }
   }
   for (uint32_t n = 0; n < hd_function_num_cycles(f); n++) {
      const hd_cycle *c = hd_function_cycle(f, n);
      r->m.entered[n] &= !c->parent || r->m.entered[c->parent->index];
   }
}

/* Primaries */

/* Whose lanes are all that reach the primary: it dominates the branches seen so far. */
static void
note_branch(rejoin *r, const hd_block *branch)
{
   const hd_block *to = hd_block_primary_succ(branch);
   primary *at = &r->primaries[block_of(r, to)->index];

   if (!at->join) {
      at->join = hd_mach_mask_control(&r->m, to);
      at->mask = hd_mach_mask_temp(&r->m);
      at->first = branch;
      at->branches = hd_block_idom(to);
   } else if (at->first && hd_block_dominates(branch, at->first)) {
      at->first = branch;
      at->branches = hd_block_idom(to);
   } else if (at->first && !hd_block_dominates(at->first, branch)) {
      at->first = NULL;
   }
   at->branches = hd_mach_mask_above(at->branches, branch);
}

/* Control that reaches the block again comes through the branch that dominates it. A member of a
 * cycle that lanes come through before its header is not come by again, though it is in it.
 */
static bool
comes_again(const rejoin *r, const hd_block *branch, const hd_block *block)
{
   const hd_cycle *cycle = hd_block_cycle(block);

   return hd_block_dominates(branch, block) && hd_block_cycle(branch) == cycle &&
          (!cycle || (r->m.entered[cycle->index] && hd_block_dominates(cycle->header, branch)));
}

/* Without a primary is only a branch of a function that the caller's own passes have left so. Of
 * what hd_reconverge makes each divergent branch has one (reconverge_tree.c says why), and nothing
 * makes others before selection: lower_exit_phis adds phis alone, and a branch that was uniform
 * stays so, or the passes that came before it would have been wrong about W1. No branch goes to the
 * fake end block: a `return` is a block's own.
 */
static bool
find_primaries(rejoin *r)
{
   hd_mach_foreach_block(block, r->m.p)
   {
      if (!is_divergent(block))
         continue;
      if (!hd_block_primary_succ(block->ir) || hd_block_is_end(hd_block_primary_succ(block->ir)))
         return hd_mach_refuse(r->m.p, &hd_block_jump(block->ir)->instr,
                               "a divergent branch whose lanes do not meet again at one of its "
                               "targets (lower_reconverge is not in the list of passes)");
      note_branch(r, block->ir);
   }
   hd_mach_foreach_block(block, r->m.p)
   {
      primary *at = block->index < r->num ? &r->primaries[block->index] : NULL;
      if (!at || !at->join)
         continue;
      if (at->first && !comes_again(r, at->first, block->ir))
         at->first = NULL;
      if (!at->first)
         at->begin = hd_mach_mask_beginning(&r->m, at->branches, hd_block_cycle(block->ir));
   }
   return true;
}

/* Where the pc goes to reach the block. */
static hd_mach_block *
entry_of(const rejoin *r, hd_mach_block *block)
{
   if (block->index < r->num && r->primaries[block->index].join)
      return r->primaries[block->index].join;
   return block;
}

/* Copies of phis can come into the block, which has no other code. */
static bool
takes_copies(const rejoin *r, const hd_mach_block *between)
{
   const hd_mach_block *to = between->edges[HD_MACH_LOGICAL].succs[0];

   for (const hd_mach_inst *phi = to->first;
        phi && (phi->op == HD_MACH_P_PHI || phi->op == HD_MACH_P_MASK_PHI); phi = phi->next) {
      const hd_mach_operand *src = hd_mach_src(phi, r->m.place[between->index]);
      if (hd_mach_is_vector_value(r->m.p, hd_mach_def(phi, 0)) &&
          !(src->flags & HD_MACH_OPERAND_UNDEF))
         return true;
   }
   return false;
}

/* Branches */

static void
go(rejoin *r, hd_mach_block *from, hd_mach_block *to)
{
   hd_mach_edge_add(r->m.p, HD_MACH_LINEAR, from, entry_of(r, to));
}

static void
write_uniform(rejoin *r, hd_mach_block *block)
{
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   hd_mach_mask_branch(&r->m, r->m.p->hooks->masks->branch_flag[!block->condition.negate],
                       entry_of(r, edges->succs[0]));
   go(r, block, edges->succs[1]);
}

/* The lanes for the primary wait: what phis get from them comes from here. */
static void
park(rejoin *r, hd_mach_block *block, hd_mach_block *edge, bool negate, bool active)
{
   masks *m = &r->m;
   primary *at = &r->primaries[block_of(r, hd_block_primary_succ(block->ir))->index];
   hd_mach_operand exec = hd_mach_mask_exec(m->p), lanes = block->condition.value;
   hd_mach_block *to = edge->ir ? NULL : edge->edges[HD_MACH_LOGICAL].succs[0];
   bool sends = to && !active && hd_mach_mask_has_mask_phi(to);

   if (to && !active)
      r->passive[edge->index] = edge->passive = true;
   if (at->first && !sends) {
      if (to && !active)
         hd_mach_mask_send(m, edge, to, exec, true);
      return;
   }
   if (negate || !hd_mach_mask_is_inside(m, lanes, block)) {
      lanes = mask_of(r, hd_mach_mask_temp(m));
      hd_mach_mask_narrow(m, lanes, exec, block->condition.value, negate);
   }
   if (to && !active)
      hd_mach_mask_send(m, edge, to, lanes, true);
   if (!at->first)
      hd_mach_mask_op(m, m->p->hooks->masks->or_masks, mask_of(r, at->mask), mask_of(r, at->mask),
                      lanes);
}

/* The lanes of the primary run the block on their edge, then the others go on. */
static void
write_active_edge(rejoin *r, hd_mach_block *block, hd_mach_block *edge, hd_mach_block *rest,
                  bool negate)
{
   masks *m = &r->m;
   hd_mach_operand exec = hd_mach_mask_exec(m->p);
   hd_mach_operand both = mask_of(r, hd_mach_mask_temp(m));
   hd_mach_block *middle = hd_mach_mask_control(m, block->ir);

   hd_mach_mask_move(m, both, exec);
   hd_mach_mask_narrow(m, exec, exec, block->condition.value, negate);
   /* The block on the edge comes at once, wherever it was put for the edge's sake. */
   hd_mach_block_unlink(m->p, edge);
   hd_mach_block_insert_after(m->p, edge, block);
   hd_mach_block_insert_after(m->p, middle, edge);
   hd_mach_edge_add(m->p, HD_MACH_LINEAR, block, edge);
   m->block = edge;
   hd_mach_mask_send(m, edge, edge->edges[HD_MACH_LOGICAL].succs[0], exec, true);
   hd_mach_edge_add(m->p, HD_MACH_LINEAR, edge, middle);
   m->block = middle;
   hd_mach_mask_narrow(m, exec, both, exec, true);
   hd_mach_mask_branch(m, m->p->hooks->masks->branch_none,
                       entry_of(r, edge->edges[HD_MACH_LOGICAL].succs[0]));
   go(r, middle, rest);
}

static void
write_divergent(rejoin *r, hd_mach_block *block)
{
   masks *m = &r->m;
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];
   const hd_block *to = hd_block_primary_succ(block->ir);
   primary *at = &r->primaries[block_of(r, to)->index];
   unsigned k = block->ir->succs[0].to == to ? 0 : 1;
   hd_mach_block *edge = edges->succs[k], *rest = edges->succs[!k];
   bool negate = (k == 1) != block->condition.negate; /* of the condition: lanes to the primary */
   bool active = !edge->ir && takes_copies(r, edge);
   hd_mach_operand exec = hd_mach_mask_exec(m->p);

   if (at->first == block->ir)
      hd_mach_mask_move(m, mask_of(r, at->mask), exec);
   park(r, block, edge, negate, active);
   if (active) {
      write_active_edge(r, block, edge, rest, negate);
      return;
   }
   hd_mach_mask_narrow(m, exec, exec, block->condition.value, !negate);
   hd_mach_mask_branch(m, m->p->hooks->masks->branch_none, entry_of(r, edge));
   go(r, block, rest);
}

/* Blocks */

static void
write_join(rejoin *r, hd_mach_block *block)
{
   primary *at = &r->primaries[block->index];
   masks *m = &r->m;
   hd_mach_operand exec = hd_mach_mask_exec(m->p), waiting = mask_of(r, at->mask);

   m->block = at->join;
   if (block->prev)
      hd_mach_block_insert_after(m->p, at->join, block->prev);
   hd_mach_edge_add(m->p, HD_MACH_LINEAR, at->join, block);
   if (at->first) {
      hd_mach_mask_move(m, exec, waiting);
      return;
   }
   hd_mach_mask_op(m, m->p->hooks->masks->or_masks, exec, exec, waiting);
   /* A path back to a branch for it in the same cycle passes a block at which no lane waits. */
   if (!at->begin || hd_block_cycle(at->begin) != hd_block_cycle(block->ir))
      hd_mach_mask_move(m, waiting, hd_mach_mask_zero(m->p));
}

static void
write_block(rejoin *r, hd_mach_block *block)
{
   masks *m = &r->m;
   const hd_mach_edges *edges = &block->edges[HD_MACH_LOGICAL];

   if (block->last && (block->last->op == HD_MACH_P_HALT || block->last->op == HD_MACH_P_END))
      hd_mach_inst_remove(block, block->last);
   m->block = block;
   if (edges->num_succs == 0) {
      hd_mach_mask_op(m, HD_MACH_P_END, (hd_mach_operand){ 0 }, (hd_mach_operand){ 0 },
                      (hd_mach_operand){ 0 });
   } else if (edges->num_succs == 1) {
      if (!r->passive[block->index])
         hd_mach_mask_send(m, block, edges->succs[0], hd_mach_mask_exec(m->p), true);
      go(r, block, edges->succs[0]);
   } else if (block->condition.uniform) {
      write_uniform(r, block);
   } else {
      write_divergent(r, block);
   }
}

/* Nobody waits yet: only masks that are added to need to know. */
static void
write_beginnings(rejoin *r)
{
   masks *m = &r->m;

   for (uint32_t n = 0; n < r->num; n++) {
      const primary *at = &r->primaries[n];
      if (!at->join || at->first)
         continue;
      hd_mach_block *block = at->begin ? block_of(r, at->begin) : m->p->first;
      hd_mach_inst *clear =
          m->p->hooks->masks->make(m->p, m->p->hooks->masks->move, mask_of(r, at->mask),
                                   hd_mach_mask_zero(m->p), (hd_mach_operand){ 0 });
      hd_mach_inst_insert_before(block, clear, block->tail);
   }
}

bool
hd_mach_exec_mask_reconverging(hd_mach_program *p)
{
   rejoin r = { .m = { .p = p }, .num = p->num_blocks };
   hd_mach_block **order;
   uint32_t num = 0;

   if (hd_require(p->function, HD_META_BLOCK_ORDER | HD_META_DOMINANCE | HD_META_POST_DOMINANCE |
                                   HD_META_CYCLES | HD_META_DIVERGENCE) != HD_OK)
      return false;
   hd_mach_mask_prepare(&r.m);
   hd_mach_drop_unreachable_blocks(p);
   hd_mach_split_logical_edges(p);
   hd_mach_copy_scalars(p);
   hd_mach_mask_place_edges(&r.m);
   hd_mach_mask_find_entered(&r.m);
   find_passed_headers(&r);
   hd_mach_mask_begin_phis(&r.m);
   hd_mach_mask_keep_bits(&r.m);
   r.primaries = hd_stack_alloc_zero(p->stack, r.num * sizeof(*r.primaries));
   r.passive = hd_stack_alloc_zero(p->stack, p->num_blocks);
   if (!find_primaries(&r))
      return false;

   order = hd_stack_alloc(p->stack, p->num_blocks * sizeof(*order));
   hd_mach_foreach_block(block, p) order[num++] = block;
   for (uint32_t n = 0; n < num; n++) {
      if (order[n]->index < r.num && r.primaries[order[n]->index].join)
         write_join(&r, order[n]);
   }
   for (uint32_t n = 0; n < num; n++) {
      /* The block of an active edge was written with its branch. */
      if (!order[n]->edges[HD_MACH_LINEAR].num_succs)
         write_block(&r, order[n]);
   }
   write_beginnings(&r);
   hd_mach_drop_scalar_phis(p);
   hd_mach_split_edges(p);
   hd_mach_ssa_repair(p, &r.m.defs);
   hd_mach_mask_clean(p);
   return true;
}
