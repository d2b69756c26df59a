/* SPDX-License-Identifier: MIT */
/* explain.c - explain divergence: the chain of causes of a divergent value or branch. */
#include "analysis/divergence.h"

static const hd_src *
condition_of(const hd_block *b)
{
   const hd_if *nif = hd_block_next_if(b);
   const hd_jump *jump = hd_block_jump(b);

   return nif && !jump ? &nif->cond : &jump->src[0];
}

/* The innermost cycle that holds the definition and not the place, and is left in different sweeps.
 */
static void
name_cycle(const hd_divergence_run *r, hd_divergence_reason *reason, uint32_t place)
{
   const hd_divergent_joins *p = &r->joins;

   assert(reason->src);
   uint32_t c = cycle_of(p, place_of(p, hd_def_instr(reason->src->def)->block));

   while (p->cycle_cause[c] == NONE || contains(p, c, place))
      c = parent_of(p, c);
   reason->header = cycle_at(p, c)->header;
   reason->diverged_at = block_at(p, p->cycle_cause[c]);
}

static void
explain_value(const hd_divergence_run *r, const hd_instr *i, uint32_t place,
              hd_divergence_reason *reason)
{
   uint32_t by = r->by[i->def.index];

   *reason = (hd_divergence_reason){ .def = &i->def, .block = i->block };
   switch ((divergence_cause)r->cause[i->def.index]) {
   case CAUSE_NONE:
   case CAUSE_SOURCE:
      reason->why = HD_DIVERGENT_SOURCE;
      break;
   case CAUSE_OPERAND:
      reason->why = HD_DIVERGENT_OPERAND;
      reason->src = hd_instr_src(i, by);
      break;
   case CAUSE_EXIT:
      reason->why = HD_DIVERGENT_TEMPORAL;
      reason->src = hd_instr_src(i, by);
      name_cycle(r, reason, place);
      break;
   case CAUSE_LATE:
      reason->why = HD_DIVERGENT_LATE;
      reason->src = hd_instr_src(i, by);
      break;
   case CAUSE_JOIN:
      reason->why = HD_DIVERGENT_JOIN;
      reason->diverged_at = block_at(&r->joins, by);
      break;
   }
}

static void
explain_branch(const hd_divergence_run *r, const hd_block *b, uint32_t place,
               hd_divergence_reason *reason)
{
   *reason = (hd_divergence_reason){ .block = b, .src = condition_of(b) };
   switch ((divergence_cause)r->branch_why[place]) {
   case CAUSE_EXIT:
      reason->why = HD_DIVERGENT_TEMPORAL;
      name_cycle(r, reason, place);
      break;
   case CAUSE_LATE:
      reason->why = HD_DIVERGENT_LATE;
      break;
   default:
      reason->why = HD_DIVERGENT_OPERAND;
      break;
   }
}

static void
explain(hd_function *f, void *user, void (*hear)(void *user, const hd_divergence_reason *reason))
{
   const hd_basis basis = { DOM_META(f), CYCLE_META(f), false };
   hd_divergence_run r;
   hd_divergence_reason reason;

   hd_divergence_compute(&r, f, &basis);
   for (uint32_t at = 0; at < r.joins.num; at++) {
      const hd_block *b = block_at(&r.joins, at);
      hd_foreach_instr(i, b) {
         if (!hd_instr_def(i) || !r.cause[i->def.index])
            continue;
         explain_value(&r, i, at, &reason);
         hear(user, &reason);
      }
      if (r.branch[at]) {
         explain_branch(&r, b, at, &reason);
         hear(user, &reason);
      }
   }
}

hd_result
hd_explain_divergence(hd_function *f, void *user,
                      void (*hear)(void *user, const hd_divergence_reason *reason))
{
   hd_heap *heap = hd_shader_heap(f->shader);
   hd_stack *stack = hd_shader_stack(f->shader);
   hd_result result = hd_require(f, HD_META_DOMINANCE | HD_META_CYCLES);
   hd_stack_mark mark = hd_stack_get_mark(stack);
   hd_unwind u;

   if (result != HD_OK)
      return result;
   if (HD_TRY(heap, &u))
      explain(f, user, hear);
   hd_stack_release(stack, mark);
   return hd_heap_leave(heap, &u);
}
