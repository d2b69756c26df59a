/* SPDX-License-Identifier: MIT */
/* graph.c - the validator's checks of edges: successors against the tree or the jump, predecessors against
 * successors.
 *
 * Successors are checked first, block by block, against the expected ones. Predecessors are then
 * compared with successors where both ends are valid, in both directions, so that a wrong edge is
 * reported once.
 */
#include "check.h"

typedef struct edge_count {
   uint64_t succs, preds;
} edge_count;

/* What the successors of a block must be: up to two blocks; for a switch, as many as it has. */
typedef struct targets {
   const hd_block *to[2];
   uint32_t num;
   bool known; /* false: a presumed rule is broken here */
} targets;

static targets
one_target(const hd_block *to)
{
   return (targets){ .to = { to }, .num = 1, .known = true };
}

static const hd_block *
first_block(const hd_cf_list *list)
{
   return (const hd_block *)list->first;
}

/* CF9, and where a jump of a tree goes. */
static targets
tree_jump_targets(check *c, uint32_t pos)
{
   const block_info *info = &c->blocks[pos];
   const hd_instr *jump = info->last;
   place where = at_instr(info->block, jump);
   const char *what = NULL;

   switch (jump->op) {
   case HD_JUMP_BREAK:
   case HD_JUMP_CONTINUE:
      if (!info->loop)
         what = "there is no loop around it";
      else if (jump->op == HD_JUMP_CONTINUE && info->in_continue)
         what = "it is in the continue list";
      break;
   case HD_JUMP_RETURN:
   case HD_JUMP_HALT:
      break;
   case HD_JUMP_GOTO:
   case HD_JUMP_GOTO_IF:
   case HD_JUMP_SWITCH:
      block_fault(c, pos, RULE_CF10, where, "a jump to a block in a structured function");
      return (targets){ 0 };
   default:
      block_fault(c, pos, RULE_OP1, where, "op %u of a jump", jump->op);
      return (targets){ 0 };
   }
   if (!what && info->ends_continue)
      what = "it ends a continue list";
   if (what) {
      block_fault(c, pos, RULE_CF9, where, "%s", what);
      return (targets){ 0 };
   }
   if (jump->op == HD_JUMP_BREAK)
      return one_target((const hd_block *)info->loop->node.next);
   if (jump->op == HD_JUMP_CONTINUE)
      return one_target(first_block(&info->loop->continue_list));
   return one_target(&c->f->end);
}

/* Where a block of a tree without a jump goes. */
static targets
fall_through_targets(check *c, const block_info *info)
{
   const hd_cf_node *n = &info->block->node, *owner = n->list->parent;

   if (n->next && n->next->kind == HD_CF_IF) {
      const hd_if *nif = (const hd_if *)n->next;
      return (targets){ .to = { first_block(&nif->then_list), first_block(&nif->else_list) },
                        .num = 2,
                        .known = true };
   }
   if (n->next)
      return one_target(first_block(&((const hd_loop *)n->next)->body));
   if (!owner)
      return one_target(&c->f->end);
   if (owner->kind == HD_CF_IF)
      return one_target((const hd_block *)owner->next);
   const hd_loop *loop = (const hd_loop *)owner;
   return one_target(first_block(info->ends_continue ? &loop->body : &loop->continue_list));
}

static bool
has_succ_array(check *c, uint32_t pos, rule r)
{
   const hd_block *b = c->blocks[pos].block;

   if (b->num_succs <= b->succ_capacity && (b->succs || !b->num_succs))
      return true;
   block_fault(c, pos, r, at_block(b), "found %u successors in an array of %u", b->num_succs,
               b->succs ? b->succ_capacity : 0);
   return false;
}

static void
check_tree_succs(check *c, uint32_t pos)
{
   const block_info *info = &c->blocks[pos];
   const hd_block *b = info->block;
   bool jumps = info->last && info->last->kind == HD_INSTR_JUMP;
   targets t = jumps ? tree_jump_targets(c, pos) : fall_through_targets(c, info);

   if (!t.known || !can_check(RULE_CF5, info->broken) || !has_succ_array(c, pos, RULE_CF5))
      return;
   if (b->num_succs != t.num) {
      block_fault(c, pos, RULE_CF5, at_block(b), "found %u successors, expected %u", b->num_succs,
                  t.num);
      return;
   }
   for (uint32_t n = 0; n < t.num; n++) {
      if (b->succs[n].to != t.to[n]) {
         block_fault(c, pos, RULE_CF5, at_block(b), "successor %u is not %s", n,
                     hd_check_block_text(c, t.to[n]));
         return;
      }
   }
}

/* CF12 of a switch: successors are numbered by the first case that goes there. */
static bool
switch_fits(check *c, uint32_t pos, const hd_jump *j)
{
   const hd_block *b = c->blocks[pos].block;
   uint32_t num = 1;

   if (j->num_cases && !j->cases) {
      block_fault(c, pos, RULE_OP9, at_instr(b, &j->instr), "its %u cases are missing",
                  j->num_cases);
      /* Nothing is known of its successors then. */
      c->blocks[pos].broken |= RULE_BIT(RULE_CF12);
      c->broken |= RULE_BIT(RULE_CF12);
      return false;
   }
   steps(c, j->num_cases);
   for (uint32_t n = 0; n < j->num_cases; n++) {
      uint32_t succ = j->cases[n].succ;
      if (succ > num || succ >= b->num_succs) {
         block_fault(c, pos, RULE_CF12, at_instr(b, &j->instr),
                     "case %u goes to successor %u, after %u of %u were seen", n, succ, num,
                     b->num_succs);
         return false;
      }
      num += succ == num;
   }
   if (num != b->num_succs) {
      block_fault(c, pos, RULE_CF12, at_instr(b, &j->instr),
                  "found %u successors, but the jump has %u targets", b->num_succs, num);
      return false;
   }
   return true;
}

static void
check_flat_succs(check *c, uint32_t pos, uint32_t *seen)
{
   const block_info *info = &c->blocks[pos];
   const hd_block *b = info->block;
   const hd_jump *j = (const hd_jump *)info->last;

   if (!j || j->instr.kind != HD_INSTR_JUMP) {
      if (can_check(RULE_CF11, info->broken))
         block_fault(c, pos, RULE_CF11, at_block(b),
                     j ? "it ends in something else" : "it is empty");
      return;
   }
   place where = at_instr(b, &j->instr);
   uint32_t num = 1;
   bool to_end = j->instr.op == HD_JUMP_RETURN || j->instr.op == HD_JUMP_HALT;

   if (j->instr.op >= HD_NUM_JUMP_KINDS) {
      block_fault(c, pos, RULE_OP1, where, "op %u of a jump", j->instr.op);
      return;
   }
   if (j->instr.op == HD_JUMP_BREAK || j->instr.op == HD_JUMP_CONTINUE) {
      block_fault(c, pos, RULE_CF10, where, "%s in a flat function",
                  j->instr.op == HD_JUMP_BREAK ? "break" : "continue");
      return;
   }
   if (!can_check(RULE_CF12, info->broken) || !has_succ_array(c, pos, RULE_CF12))
      return;
   if (j->instr.op == HD_JUMP_SWITCH) {
      if (!switch_fits(c, pos, j))
         return;
      num = b->num_succs;
   } else if (j->instr.op == HD_JUMP_GOTO_IF) {
      num = 2;
   }
   if (b->num_succs != num) {
      block_fault(c, pos, RULE_CF12, where, "found %u successors, expected %u", b->num_succs, num);
      return;
   }
   for (uint32_t n = 0; n < num; n++) {
      const hd_block *to = b->succs[n].to;
      uint32_t place = block_place(c, to);
      if (to_end ? to != &c->f->end : place == NOT_IN_TABLE) {
         block_fault(c, pos, RULE_CF12, where, "successor %u is not %s", n,
                     to_end ? "the end block" : "a block of the function");
         return;
      }
      if (!to_end && seen[place] == pos + 1) {
         block_fault(c, pos, RULE_CF12, where, "b%u is listed twice", to->node.index);
         return;
      }
      if (!to_end)
         seen[place] = pos + 1;
   }
}

/* CF6 presumes that the successors of the block at the other end are right. */
static bool
has_bad_succs(const check *c, uint32_t pos)
{
   return !can_check(RULE_CF6, c->blocks[pos].broken);
}

/* Is each edge out of a block with right successors at its position among the predecessors of its
 * target? Adds up edges and places.
 */
static bool
has_sound_edges(const hd_block *b, edge_count *count)
{
   count->succs += b->num_succs;
   count->preds += b->num_preds;
   for (uint32_t n = 0; n < b->num_succs; n++) {
      const hd_edge *e = &b->succs[n];
      const hd_block *to = e->to;
      if (e->pred >= to->num_preds || to->num_preds > to->pred_capacity || !to->preds ||
          to->preds[e->pred].from != b || to->preds[e->pred].succ != n)
         return false;
   }
   return true;
}

/* From the side of the successors: the edge's number among the predecessors of its target is right.
 */
static void
check_out_edges(check *c, uint32_t pos)
{
   const hd_block *b = c->blocks[pos].block;

   steps(c, b->num_succs);
   for (uint32_t n = 0; n < b->num_succs; n++) {
      const hd_edge *e = &b->succs[n];
      const hd_block *to = e->to;
      uint32_t target = edge_place(c, to);
      if (c->blocks[target].broken & RULE_BIT(RULE_CF6))
         continue;
      if (e->pred >= to->num_preds || to->preds[e->pred].from != b || to->preds[e->pred].succ != n)
         block_fault(c, target, RULE_CF6, at_block(to), "the edge from b%u is not predecessor %u",
                     b->node.index, e->pred);
   }
}

/* ... and from that of the predecessors. */
static void
check_in_edges(check *c, uint32_t pos)
{
   const hd_block *b = c->blocks[pos].block;
   bool has_edge = false;

   steps(c, b->num_preds);
   for (uint32_t n = 0; n < b->num_preds; n++) {
      const hd_pred *p = &b->preds[n];
      uint32_t from = block_place(c, p->from);

      if (from != NOT_IN_TABLE && has_bad_succs(c, from))
         continue;
      if (from == NOT_IN_TABLE || p->succ >= p->from->num_succs ||
          p->from->succs[p->succ].to != b || p->from->succs[p->succ].pred != n) {
         block_fault(c, pos, RULE_CF6, at_block(b), "predecessor %u is %s, which has no such edge",
                     n, hd_check_block_text(c, p->from));
         return;
      }
      has_edge = true;
   }
   if (!pos && has_edge)
      block_fault(c, pos, RULE_CF13, at_block(b), "%s is one",
                  hd_check_block_text(c, b->preds[0].from));
}

static void
check_edges(check *c)
{
   for (uint32_t pos = 0; pos <= c->num_blocks; pos++) {
      const hd_block *b = c->blocks[pos].block;
      if (b->num_preds > b->pred_capacity || (b->num_preds && !b->preds))
         block_fault(c, pos, RULE_CF6, at_block(b), "found %u predecessors in an array of %u",
                     b->num_preds, b->preds ? b->pred_capacity : 0);
   }
   for (uint32_t pos = 0; pos < c->num_blocks; pos++) {
      if (!has_bad_succs(c, pos))
         check_out_edges(c, pos);
   }
   for (uint32_t pos = 0; pos <= c->num_blocks; pos++) {
      if (!(c->blocks[pos].broken & RULE_BIT(RULE_CF6)))
         check_in_edges(c, pos);
   }
}

/* The end block stands after the others in the table, as the end of edges alone. */
static void
add_end(check *c)
{
   hd_block *end = &c->f->end;

   c->blocks =
       hd_check_grow(c, c->blocks, &c->blocks_capacity, c->num_blocks + 1, sizeof(*c->blocks));
   c->blocks[c->num_blocks] = (block_info){ .block = end };
   if (end->node.list || end->node.prev || end->node.next)
      hd_check_report(c, RULE_CF14, at_block(end), "it is in a list");
   else if (end->first || end->last)
      hd_check_report(c, RULE_CF14, at_block(end), "it has instructions");
   else if (end->num_succs)
      hd_check_report(c, RULE_CF14, at_block(end), "it has %u successors", end->num_succs);
}

void
hd_check_graph(check *c)
{
   const uint64_t needed = TREE_LINKS | RULE_BIT(RULE_CF10) | RULE_BIT(RULE_CF16);
   bool has_table = !(c->broken & needed);
   uint32_t *seen = NULL;

   add_end(c);
   if (!has_table)
      return;
   if (!c->f->structured) {
      seen = hd_stack_alloc(c->stack, (c->num_blocks + 1) * sizeof(*seen));
      memset(seen, 0, (c->num_blocks + 1) * sizeof(*seen));
   }
   steps(c, c->num_blocks);
   edge_count count = { 0, c->f->end.num_preds };
   bool sound = true;
   for (uint32_t pos = 0; pos < c->num_blocks; pos++) {
      const block_info *info = &c->blocks[pos];
      fetch_ahead(c, pos);
      if (!(info->broken & RULE_BIT(RULE_CF17))) {
         if (c->f->structured)
            check_tree_succs(c, pos);
         else
            check_flat_succs(c, pos, seen);
      }
      sound = sound && !has_bad_succs(c, pos) && has_sound_edges(info->block, &count);
   }
   /* Each edge is at a place of its own among the predecessors of its target: with as many places
    * as edges, there is nothing else there. Where that is not so, look for the fault.
    */
   if (!sound || count.succs != count.preds || c->blocks[0].block->num_preds)
      check_edges(c);
}
