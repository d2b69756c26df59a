/* SPDX-License-Identifier: MIT */
/* nodes.c - explorer: track instructions through passes: which rows of two steps are the same node, and
 * what replaced the others.
 *
 * The label of a row is the row that it was before the pass. If several rows have one label, the node
 * is the one with the same index, else the first with the same op; the others are new nodes derived
 * from it. A removed node was replaced by what its former users read now.
 */
#include <string.h>

#include "explore/explore.h"

static uint32_t
new_node(side *s, uint32_t from, const row *at)
{
   const uint32_t number = s->nodes.num;
   node *made = PUSH(s->x, s->nodes);

   *made = (node){ .first = s->steps.num,
                   .from = from,
                   .number = NO_NODE,
                   .constant = at->kind == ROW_INSTR && at->class == CLASS_CONST };
   if (from != NO_NODE) {
      made->line = s->nodes.at[from].line;
      made->location = s->nodes.at[from].location;
   }
   if (at->kind == ROW_INSTR && at->has_def)
      made->number = s->num_values++;
   else if (at->kind == ROW_BLOCK)
      made->number = s->num_blocks++;
   return number;
}

static bool
has_node(const row *at)
{
   return at->kind == ROW_INSTR || at->kind == ROW_BLOCK || at->kind == ROW_IF ||
          at->kind == ROW_LOOP;
}

/* Can it be the same instruction as before, and how surely? */
static unsigned
likeness(const row *before, const row *after)
{
   if (before->kind != after->kind || before->has_def != after->has_def)
      return 0;
   if (before->kind == ROW_INSTR ? before->has_def : before->kind == ROW_BLOCK) {
      if (before->index == after->index && before->function == after->function)
         return 2;
   }
   return before->op == after->op;
}

/* The row that each row before lives on in: rows after, + 1. */
static uint32_t *
find_heirs(side *s, const rows *before, const rows *after)
{
   uint32_t *heirs = hd_stack_alloc_zero(&s->x->stack, (before->num + (size_t)1) * sizeof(*heirs));

   for (uint32_t n = 0; n < after->num; n++) {
      const row *at = &after->at[n];
      if (!has_node(at) || !at->label || at->label > before->num)
         continue;
      uint32_t *heir = &heirs[at->label - 1];
      const row *was = &before->at[at->label - 1];
      if (likeness(was, at) > (*heir ? likeness(was, &after->at[*heir - 1]) : 0))
         *heir = n + 1;
   }
   return heirs;
}

/* The rows of values and blocks of a function by index, + 1. */
typedef struct by_index {
   uint32_t *defs;
   uint32_t num;
} by_index;

static void
find_values(side *s, const rows *r, uint32_t first, by_index *values)
{
   const hd_function *f = r->at[first].object.f;

   values->num = f->num_defs;
   values->defs = hd_stack_alloc_zero(&s->x->stack, (f->num_defs + (size_t)1) * sizeof(uint32_t));
   for (uint32_t n = first + 1; n < r->num && r->at[n].kind != ROW_FUNCTION; n++) {
      if (r->at[n].kind == ROW_INSTR && r->at[n].has_def && r->at[n].index < values->num)
         values->defs[r->at[n].index] = n + 1;
   }
}

static void
add_operand(side *s, rows *r, const by_index *values, const hd_src *src)
{
   const uint32_t index = src->def ? src->def->index : UINT32_MAX;
   const uint32_t at = index < values->num ? values->defs[index] : 0;

   if (r->num_operands == r->operand_capacity)
      r->operands = hd_explore_grow(s->x, r->operands, r->num_operands, &r->operand_capacity,
                                    sizeof(*r->operands));
   r->operands[r->num_operands++] = at ? r->at[at - 1].node : NO_NODE;
}

/* What each row reads, as nodes. */
static void
find_operands(side *s, rows *r)
{
   by_index values = { 0 };

   for (uint32_t n = 0; n < r->num; n++) {
      row *at = &r->at[n];
      if (at->kind == ROW_FUNCTION)
         find_values(s, r, n, &values);
      at->first_operand = r->num_operands;
      if (at->kind == ROW_INSTR)
         hd_foreach_src(src, at->object.instr)
            add_operand(s, r, &values, src);
      else if (at->kind == ROW_IF)
         add_operand(s, r, &values, &hd_node_as_if(at->object.cf)->cond);
      at->num_operands = r->num_operands - at->first_operand;
   }
}

/* An operand that is gone became what stands in its place. Which of several equal constants is read
 * says nothing.
 */
static void
compare_operands(side *s, const rows *before, const row *was, const rows *after, const row *is)
{
   if (was->num_operands != is->num_operands || was->op != is->op)
      return;
   for (uint32_t n = 0; n < was->num_operands; n++) {
      const uint32_t old = before->operands[was->first_operand + n];
      const uint32_t new = after->operands[is->first_operand + n];
      if (old == new || old == NO_NODE || new == NO_NODE || s->nodes.at[old].last == s->steps.num ||
          (s->nodes.at[old].constant && s->nodes.at[new].constant))
         continue;
      const became *newest = s->became.num ? &s->became.at[s->became.num - 1] : NULL;
      if (s->nodes.at[new].from == old ||
          (newest && newest->step == s->steps.num && newest->old == old && newest->new == new))
         continue;
      *PUSH(s->x, s->became) = (became){ s->steps.num, old, new };
   }
}

void
hd_explore_match(side *s, const rows *before, rows *after)
{
   const uint32_t *heirs = find_heirs(s, before, after);

   for (uint32_t n = 0; n < after->num; n++) {
      row *at = &after->at[n];
      if (!has_node(at))
         continue;
      const bool known = at->label && at->label <= before->num;
      const row *was = known ? &before->at[at->label - 1] : NULL;
      at->node = was && heirs[at->label - 1] == n + 1 ? was->node
                                                      : new_node(s, was ? was->node : NO_NODE, at);
      s->nodes.at[at->node].last = s->steps.num;
   }
   find_operands(s, after);
   for (uint32_t n = 0; n < before->num; n++) {
      if (heirs[n])
         compare_operands(s, before, &before->at[n], after, &after->at[heirs[n] - 1]);
   }
}
