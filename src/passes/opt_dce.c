/* SPDX-License-Identifier: MIT */
/* opt_dce.c - dead code elimination.
 *
 *    %1 = load_global %a          (unused)                       =>
 *    %2 = phi b0: %0, b1: %3      (%2 and %3 used by each other) =>
 *    store_var x, %4              (x is never loaded)            =>
 *
 * Aggressive, liveness-based DCE without control flow (Cytron and others, 1991): everything is dead
 * until it is needed. Instructions with side effects and the conditions of branches are needed, and
 * so are, transitively, their operands. One backward walk finds most of that, as it visits the
 * users of a value before the value. An unused instruction is removed at once. One whose users are
 * not known to be needed waits on a list, as a header phi or a load further up may need it; what
 * is still on the list at the end is dead. So cycles of phis that feed only each other are removed,
 * and stores to a variable whose loads only compute its own dead value.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    the graph: an empty `if`, or a loop without effect; and all parameters.
 * Tests:     tests/passes/opt_dce.hd, tests/passes/test_run.c
 */
#include "passes/pass.h"

/* What is known of a value. */
enum known {
   NOTHING, /* the walk has not reached it */
   WAITS,   /* the walk is past it, and nothing that is needed has read it */
   NEEDED,
};

/* A store to a variable that was not needed when the walk reached it. */
struct store {
   hd_instr *instr;
   struct store *next;
};

struct variable {
   struct store *stores;
   bool needed;
};

struct state {
   hd_function *f;
   uint8_t *known;       /* by def index: enum known */
   hd_instr **waiting;   /* all that ever waited */
   hd_instr **work;      /* and of that what is needed, but its operands are not yet known to be */
   struct variable *var; /* by index */
   uint32_t num_waiting, num_work;
   uint64_t steps;
   bool progress;
};

/* Must it stay even if nothing reads its result? */
static bool
has_effect(const hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_INTRINSIC:
      return !(hd_instr_intrinsic_info(i)->flags & HD_CAN_ELIMINATE) ||
             hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ACCESS) & HD_ACCESS_VOLATILE;
   case HD_INSTR_CALL:
   case HD_INSTR_JUMP:
   case HD_INSTR_PARAM:
      return true;
   default:
      return false;
   }
}

static void
need(struct state *s, const hd_def *def)
{
   uint8_t *known = &s->known[def->index];

   if (*known == WAITS)
      s->work[s->num_work++] = hd_def_instr(def);
   *known = NEEDED;
}

static inline void
need_srcs(struct state *s, const hd_instr *i)
{
   hd_foreach_src(src, i) {
      need(s, src->def);
      s->steps++;
   }
}

static inline void
need_operands(struct state *s, const hd_instr *i)
{
   need_srcs(s, i);
   if (i->kind != HD_INSTR_LOAD_VAR)
      return;
   /* Once a variable is read, everything that is ever stored to it counts. */
   struct variable *var = &s->var[hd_instr_as_var_access(i)->var->index];
   var->needed = true;
   for (; var->stores; var->stores = var->stores->next)
      need_srcs(s, var->stores->instr);
}

static void
visit_store(struct state *s, hd_instr *i)
{
   struct variable *var = &s->var[hd_instr_as_var_access(i)->var->index];

   if (var->needed) {
      need_srcs(s, i);
      return;
   }
   struct store *store = hd_stack_alloc(hd_shader_stack(s->f->shader), sizeof(*store));
   *store = (struct store){ i, var->stores };
   var->stores = store;
}

static void
remove_unused(struct state *s, hd_instr *i)
{
   hd_instr_extract(i);
   hd_instr_free(s->f->shader, i);
   s->progress = true;
}

static void
visit(struct state *s, hd_instr *i)
{
   s->steps++;
   if (has_effect(i)) {
      need_operands(s, i);
   } else if (i->kind == HD_INSTR_STORE_VAR) {
      visit_store(s, i);
   } else if (hd_def_is_unused(&i->def)) {
      remove_unused(s, i);
   } else if (s->known[i->def.index] == NEEDED) {
      need_operands(s, i);
   } else {
      s->known[i->def.index] = WAITS;
      s->waiting[s->num_waiting++] = i;
   }
}

/* Dead instructions may use each other in any order, so all leave the use lists before any goes. */
static void
remove_waiting(struct state *s)
{
   uint32_t num = 0;

   hd_foreach_var(v, s->f) {
      for (const struct store *store = s->var[v->index].stores; store; store = store->next)
         remove_unused(s, store->instr);
   }
   for (uint32_t n = 0; n < s->num_waiting; n++) {
      hd_instr *i = s->waiting[n];
      if (s->known[i->def.index] == NEEDED)
         continue;
      hd_instr_extract(i);
      s->waiting[num++] = i;
   }
   for (uint32_t n = 0; n < num; n++)
      hd_instr_free(s->f->shader, s->waiting[n]);
   s->progress |= num > 0;
}

bool
hd_opt_dce(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct state s = { .f = f };

   s.known = hd_stack_alloc_zero(stack, f->num_defs * sizeof(*s.known));
   s.waiting = hd_stack_alloc(stack, f->num_defs * sizeof(*s.waiting));
   s.work = hd_stack_alloc(stack, f->num_defs * sizeof(*s.work));
   s.var = hd_stack_alloc_zero(stack, f->num_vars * sizeof(*s.var));
   hd_foreach_block_rev(b, f) {
      const hd_if *nif = hd_block_next_if(b);
      if (nif)
         need(&s, nif->cond.def);
      hd_foreach_instr_rev_safe(i, b)
         visit(&s, i);
   }
   while (s.num_work)
      need_operands(&s, s.work[--s.num_work]);
   pass_step(f, s.steps);
   remove_waiting(&s);
   return hd_progress(f, s.progress, OPT_DCE_KEEPS);
}
