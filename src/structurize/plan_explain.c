/* SPDX-License-Identifier: MIT */
/* plan_explain.c - explain each test of a plan. */
#include "structurize/plan.h"

static void
explain_test(const plan *p, const plan_op *op, void *user,
             void (*explain)(void *user, const hd_explanation *e))
{
   const plan_group *g = &p->groups[op->a];
   hd_explanation e = {
      .function = p->f,
      .added = "test",
      .at = op->at == NONE ? NULL : p->block[op->at],
   };

   if (g->target == NONE || g->target >= p->num_blocks) {
      e.why = g->end == UINT64_MAX
                  ? "some of the lanes that wait together here leave the cycle, the others do not"
                  : "lanes wait for several entries of one cycle, and for something else";
      explain(user, &e);
      return;
   }
   hd_block *to = p->block[g->target];
   e.target = e.to = to;
   e.why = "its lanes must wait for those that come to the block by other edges, together with "
           "lanes that wait for something else";
   for (uint32_t k = 0; k < to->num_preds; k++) {
      e.from = to->preds[k].from;
      if (p->place[e.from->node.index] != NONE)
         explain(user, &e);
   }
}

static void
explain_chain(const plan *p, uint32_t first, void *user,
              void (*explain)(void *user, const hd_explanation *e))
{
   for (uint32_t o = first; o != NONE; o = p->ops[o].next) {
      if (p->ops[o].kind == PLAN_TEST)
         explain_test(p, &p->ops[o], user, explain);
   }
}

void
hd_plan_explain(const plan *p, void *user, void (*explain)(void *user, const hd_explanation *e))
{
   explain_chain(p, p->body, user, explain);
   for (uint32_t i = 0; i < p->num_cycles; i++) {
      const plan_cycle *c = &p->cycle[i];
      if (!c->declared && c->continue_block != NONE) {
         hd_explanation e = { p->f,
                              "continue block",
                              p->block[c->header],
                              p->block[c->continue_block],
                              NULL,
                              NULL,
                              "lanes that wait for it need no test then" };
         explain(user, &e);
      }
      explain_chain(p, c->body, user, explain);
      explain_chain(p, c->again, user, explain);
   }
}
