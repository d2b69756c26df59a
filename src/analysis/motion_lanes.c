/* SPDX-License-Identifier: MIT */
/* motion_lanes.c - divergence-aware dominance and post-dominance, for one divergent operand.
 *
 * Question: which lanes are active at the block `to`, compared with the block `from`, if every branch
 * that does not depend on the operand is uniform and may go either way?
 *
 * D is the set of branches that depend on the operand: backward to the sources of the operand, then
 * forward from these. Dependence is by data, also through operations that make a value uniform (a
 * vote on a divergent value), and by control: a phi depends on the divergent branches that its
 * immediate dominator dominates, a superset of those whose lanes reconverge at it.
 *
 * All other branches are free. Is there a choice of directions for them with which `to` is reached,
 * and only through `from`? This is a reachability game against the branches in D, solved by the standard
 * backward attractor: a block is lost if it is `to`, if it is not free and has a lost successor, or if
 * all its successors are lost; `from` ends the game. If the start block is not lost, each free block
 * that is not lost has a direction that keeps it so. One path shows that `to` can be reached.
 */
#include "analysis/motion.h"

#define MANY_PHIS 32

struct lanes {
   hd_function *f;
   hd_stack *stack;
   bool *token;      /* by def index: of D */
   bool *depends;    /* by def index */
   bool *seen;       /* by def index */
   bool *bound;      /* by block slot: its branch depends on D */
   uint32_t *sum;    /* by dominance number: bound branches below it */
   uint8_t *lost;    /* by block slot */
   uint8_t *found;   /* by block slot */
   uint32_t *chosen; /* by block slot: a successor, or NONE */
   uint32_t *left_to_lose;
   hd_block **work;
   hd_def **defs;
   bool *by;          /* by block slot: the branch is of D; or NULL */
   bool all_branches; /* D has what every divergent branch depends on */
   bool any_bound;
};

static const hd_src *
condition_of(const hd_block *b)
{
   const hd_if *nif = hd_block_next_if(b);
   const hd_jump *jump = hd_block_jump(b);

   if (b->num_succs < 2)
      return NULL;
   return jump ? &jump->src[0] : &nif->cond;
}

static uint32_t
slot(const struct lanes *l, const hd_block *b)
{
   return block_slot(l->f, b);
}

/* A value that operands do not explain. */
static bool
is_source(const hd_instr *i)
{
   return i->kind != HD_INSTR_ALU && i->kind != HD_INSTR_PHI;
}

static void
reach_back(struct lanes *l, const hd_def *def, uint32_t *num)
{
   if (l->seen[def->index])
      return;
   l->seen[def->index] = true;
   l->defs[(*num)++] = (hd_def *)def;
}

/* The divergent branches that can decide by which edge lanes reach this block. */
static bool
may_decide(const hd_block *branch, const hd_block *join)
{
   const hd_block *top = hd_block_idom(join);

   return hd_block_is_divergent_branch(branch) && top && hd_block_dominates(top, branch);
}

static void
reach_back_from_branches(struct lanes *l, const hd_block *join, uint32_t *num)
{
   hd_foreach_block(b, l->f) {
      if (join ? !may_decide(b, join) : !hd_block_is_divergent_branch(b))
         continue;
      reach_back(l, condition_of(b)->def, num);
      if (l->by)
         l->by[slot(l, b)] = true;
   }
}

/* Is it read where lanes may have it from different sweeps? A phi reads when the lanes of its block
 * are together.
 */
static bool
crosses(const struct lanes *l, const hd_def *def, const hd_block *reader)
{
   const struct divergence_meta *m = DIVERGENCE_META(l->f);
   const struct divergence_node *a = &m->node[slot(l, hd_def_instr(def)->block)];
   const struct divergence_node *b = &m->node[slot(l, reader)];

   if (a->place == NONE || b->place == NONE)
      return false;
   return a->late || b->place - a->left_begin >= a->left_size;
}

/* Whatever parts lanes is of D. */
static void
add_all_branches(struct lanes *l, uint32_t *num)
{
   if (!l->all_branches)
      reach_back_from_branches(l, NULL, num);
   l->all_branches = true;
}

/* D: every source that the operand may be made of. */
static void
collect(struct lanes *l, const hd_src *operand)
{
   uint32_t num = 0, num_phis = 0;

   reach_back(l, operand->def, &num);
   if (crosses(l, operand->def, hd_src_block(operand)))
      add_all_branches(l, &num);
   while (num) {
      const hd_def *def = l->defs[--num];
      hd_instr *i = hd_def_instr(def);
      hd_heap_step(hd_shader_heap(l->f->shader), 1);
      if (hd_def_is_uniform(def))
         continue;
      if (is_source(i))
         l->token[def->index] = true;
      /* Each phi may cost a walk over the function: after some, all branches are taken. */
      if (i->kind == HD_INSTR_PHI && num_phis++ == MANY_PHIS)
         add_all_branches(l, &num);
      else if (i->kind == HD_INSTR_PHI && !l->all_branches)
         reach_back_from_branches(l, i->block, &num);
      hd_foreach_src(src, i) {
         if (crosses(l, src->def, i->block))
            add_all_branches(l, &num);
         reach_back(l, src->def, &num);
      }
   }
}

static bool
depends(const struct lanes *l, const hd_instr *i)
{
   if (l->token[i->def.index])
      return true;
   hd_foreach_src(src, i) {
      if (l->depends[src->def->index] || (l->any_bound && crosses(l, src->def, i->block)))
         return true;
   }
   return false;
}

/* How many bound branches a block dominates. */
static void
count_bound(struct lanes *l)
{
   uint32_t num = 0;

   memset(l->sum, 0, (l->f->num_blocks + 2u) * sizeof(*l->sum));
   for (hd_block *b = hd_function_start(l->f); b; b = hd_block_dom_next(b)) {
      l->sum[DOM_META(l->f)->node[slot(l, b)].in + 1] = l->bound[slot(l, b)];
      num++;
   }
   for (uint32_t n = 0; n < num; n++)
      l->sum[n + 1] += l->sum[n];
}

static bool
decided_by_bound(const struct lanes *l, const hd_block *join)
{
   const hd_block *top = hd_block_idom(join);

   if (!top)
      return false;
   const struct dom_node *n = &DOM_META(l->f)->node[slot(l, top)];
   return l->sum[n->in + n->size] != l->sum[n->in];
}

/* What depends on D, up to a fixpoint. Each iteration but the last finds a new dependence. */
static void
spread(struct lanes *l)
{
   bool changed = true;

   while (changed) {
      changed = false;
      count_bound(l);
      for (hd_block *b = hd_function_start(l->f); b; b = hd_block_dom_next(b)) {
         hd_heap_step(hd_shader_heap(l->f->shader), 1);
         hd_foreach_instr(i, b) {
            if (!hd_instr_def(i) || l->depends[i->def.index])
               continue;
            if (depends(l, i) || (i->kind == HD_INSTR_PHI && decided_by_bound(l, b))) {
               l->depends[i->def.index] = true;
               changed = true;
            }
         }
         const hd_src *cond = condition_of(b);
         if (cond && !l->bound[slot(l, b)] &&
             (l->depends[cond->def->index] || (l->any_bound && crosses(l, cond->def, b)))) {
            l->bound[slot(l, b)] = true;
            changed = l->any_bound = true;
         }
      }
   }
}

static bool
is_free(const struct lanes *l, const hd_block *b)
{
   return b->num_succs > 1 && !l->bound[slot(l, b)];
}

/* Which blocks can be made to reach `target` without `through`? */
static void
play(struct lanes *l, hd_block *target, const hd_block *through)
{
   uint32_t num = 0;

   memset(l->lost, 0, l->f->num_blocks + 1u);
   hd_foreach_block(b, l->f)
      l->left_to_lose[slot(l, b)] = is_free(l, b) ? b->num_succs : 1;
   if (target == through)
      return;
   l->lost[slot(l, target)] = true;
   l->work[num++] = target;
   while (num) {
      const hd_block *b = l->work[--num];
      for (uint32_t n = 0; n < b->num_preds; n++) {
         hd_block *from = b->preds[n].from;
         uint32_t s = slot(l, from);
         if (from == through || l->lost[s] || --l->left_to_lose[s])
            continue;
         l->lost[s] = true;
         l->work[num++] = from;
      }
   }
}

/* May a way go along this successor? A free block goes one way; one that is not lost stays so. */
static bool
may_go(const struct lanes *l, const hd_block *b, uint32_t succ, const hd_block *through)
{
   uint32_t s = slot(l, b);

   if (!is_free(l, b))
      return true;
   if (l->chosen[s] != NONE)
      return l->chosen[s] == succ;
   return b == through || l->lost[s] || !l->lost[slot(l, b->succs[succ].to)];
}

/* Find a path, and fix the directions along it. `by` is scratch by slot. */
static bool
find_path(struct lanes *l, hd_block *from, const hd_block *to, const hd_block *through,
          hd_block **by)
{
   uint32_t first = 0, num = 0;

   memset(l->found, 0, l->f->num_blocks + 1u);
   l->found[slot(l, from)] = true;
   l->work[num++] = from;
   while (first < num && !l->found[slot(l, to)]) {
      hd_block *b = l->work[first++];
      for (uint32_t n = 0; n < b->num_succs; n++) {
         hd_block *next = b->succs[n].to;
         if (l->found[slot(l, next)] || !may_go(l, b, n, through))
            continue;
         l->found[slot(l, next)] = true;
         by[slot(l, next)] = b;
         l->work[num++] = next;
      }
   }
   if (!l->found[slot(l, to)])
      return false;
   for (const hd_block *b = to; b != from; b = by[slot(l, b)]) {
      const hd_block *before = by[slot(l, b)];
      for (uint32_t n = 0; n < before->num_succs; n++) {
         if (before->succs[n].to == b && is_free(l, before))
            l->chosen[slot(l, before)] = n;
      }
   }
   return true;
}

static bool
d_dominates(struct lanes *l, hd_block *from, hd_block *to, hd_block **by)
{
   hd_block *start = hd_function_start(l->f);

   memset(l->chosen, 0xff, (l->f->num_blocks + 1u) * sizeof(*l->chosen));
   play(l, to, from);
   return !l->lost[slot(l, start)] && find_path(l, start, from, from, by) &&
          find_path(l, from, to, from, by);
}

/* `from` post-dominates `to` for some choice of directions: a reachability game whose goal is that
 * no end is reached before; nothing that the chosen directions reach may lack a path to `from`.
 */
static bool
d_post_dominates(struct lanes *l, hd_block *from, hd_block *to, hd_block **by)
{
   hd_block *start = hd_function_start(l->f);
   uint32_t first = 0, num = 0;

   memset(l->chosen, 0xff, (l->f->num_blocks + 1u) * sizeof(*l->chosen));
   play(l, &l->f->end, from);
   if (l->lost[slot(l, to)] || !find_path(l, start, to, from, by) ||
       !find_path(l, to, from, from, by))
      return false;
   /* What can be reached before `from`, each free block by its first edge that is not lost. */
   memset(l->found, 0, l->f->num_blocks + 1u);
   l->found[slot(l, to)] = true;
   l->work[num++] = to;
   while (first < num) {
      hd_block *b = l->work[first++];
      bool gone = false;
      for (uint32_t n = 0; n < b->num_succs && b != from; n++) {
         hd_block *next = b->succs[n].to;
         if (!may_go(l, b, n, from) || (gone && is_free(l, b)))
            continue;
         /* Lanes that take a back edge of a cycle with `from` reach it later than others. */
         const hd_cycle *c = hd_block_is_end(next) ? NULL : hd_block_headed_cycle(next);
         if (c && hd_cycle_contains(c, b) && hd_cycle_contains(c, from))
            return false;
         if (is_free(l, b))
            l->chosen[slot(l, b)] = n;
         gone = true;
         if (!l->found[slot(l, next)]) {
            l->found[slot(l, next)] = true;
            l->work[num++] = next;
         }
      }
   }
   /* Of these, those from which `from` is reached: back from it. */
   uint32_t left = num - 1;
   if (!l->found[slot(l, from)])
      return false;
   l->found[slot(l, from)] = 2;
   l->work[0] = from;
   for (first = 0, num = 1; first < num; first++) {
      const hd_block *b = l->work[first];
      for (uint32_t n = 0; n < b->num_preds; n++) {
         hd_block *before = b->preds[n].from;
         if (l->found[slot(l, before)] != 1 || before == from ||
             (is_free(l, before) && l->chosen[slot(l, before)] != b->preds[n].succ))
            continue;
         l->found[slot(l, before)] = 2;
         l->work[num++] = before;
         left--;
      }
   }
   return left == 0;
}

bool
hd_lanes_are_among(hd_function *f, hd_block *from, hd_block *to, const hd_src *operand)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   const size_t defs = f->num_defs + 1u, slots = f->num_blocks + 2u;
   struct lanes l = {
      .f = f,
      .stack = stack,
      .token = hd_stack_alloc_zero(stack, defs),
      .depends = hd_stack_alloc_zero(stack, defs),
      .seen = hd_stack_alloc_zero(stack, defs),
      .bound = hd_stack_alloc_zero(stack, slots),
      .sum = scratch(stack, slots),
      .lost = hd_stack_alloc_zero(stack, slots),
      .found = hd_stack_alloc_zero(stack, slots),
      .chosen = scratch(stack, slots),
      .left_to_lose = scratch(stack, slots),
      .work = hd_stack_alloc(stack, slots * sizeof(hd_block *)),
      .defs = hd_stack_alloc(stack, defs * sizeof(hd_def *)),
   };
   hd_block **by = hd_stack_alloc(stack, slots * sizeof(*by));

   collect(&l, operand);
   spread(&l);
   return d_dominates(&l, from, to, by) || d_post_dominates(&l, from, to, by);
}

void
hd_divergence_tokens(hd_function *f, const hd_src *operand, bool *source, bool *branch)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   const size_t defs = f->num_defs + 1u;
   struct lanes l = {
      .f = f,
      .stack = stack,
      .seen = hd_stack_alloc_zero(stack, defs),
      .defs = hd_stack_alloc(stack, defs * sizeof(hd_def *)),
   };

   l.token = source;
   l.by = branch;
   collect(&l, operand);
}
