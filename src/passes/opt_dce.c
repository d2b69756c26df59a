/* SPDX-License-Identifier: MIT */
/* opt_dce.c - remove what has no effect and whose result nothing with an effect needs.
 *
 *    %1 = load_global %a          (unused)                       =>
 *    %2 = phi b0: %0, b1: %3      (%2 and %3 used by each other) =>
 *    store_var x, %4              (x is never loaded)            =>
 *
 * Everything is dead until it is needed: what has an effect, what control depends on, and from
 * there backwards whatever is read. So cycles of phis that feed only each other go too, and so do
 * stores to a variable that only its own dead value is computed from.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    the graph: an empty `if`, or a loop without effect; and all parameters.
 * Tests:     tests/passes/opt_dce.hd, tests/passes/test_run.c
 */
#include "passes/pass.h"

/* A store, in the list of those to its variable. */
struct store {
   hd_instr *instr;
   struct store *next;
};

struct state {
   hd_instr **work; /* needed, but their operands are not yet marked */
   uint32_t num_work;
   struct store **stores; /* by variable, until the variable is needed */
};

/* Must it stay even if nothing reads its result? */
static bool
has_effect(const hd_instr *i)
{
   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_INTRINSIC: {
      const hd_intrinsic_info *info = hd_intrinsic_get_info((hd_intrinsic_id)i->op);
      const uint32_t *indices = hd_intrinsic_indices((const hd_intrinsic *)i);
      unsigned access = info->slots[HD_INDEX_ACCESS];

      if (!(info->flags & HD_CAN_ELIMINATE))
         return true;
      return access && (indices[access - 1] & HD_ACCESS_VOLATILE);
   }
   case HD_INSTR_CALL:
   case HD_INSTR_JUMP:
   case HD_INSTR_PARAM:
      return true;
   default:
      return false;
   }
}

static void
need(struct state *s, hd_instr *i)
{
   if (i->def.mark)
      return;
   i->def.mark = 1;
   s->work[s->num_work++] = i;
}

static void
need_operands(struct state *s, hd_instr *i)
{
   hd_foreach_src(src, i) {
      need(s, hd_def_instr(src->def));
   }
   if (i->kind != HD_INSTR_LOAD_VAR)
      return;
   /* Once a variable is read, everything that is ever stored to it counts. */
   struct store **list = &s->stores[hd_instr_as_var_access(i)->var->index];
   for (; *list; *list = (*list)->next)
      need(s, (*list)->instr);
}

/* Mark what is needed of itself, and list the stores. */
static void
find_roots(struct state *s, hd_function *f, struct store *store)
{
   hd_foreach_node(n, f) {
      const hd_if *nif = hd_node_as_if(n);
      const hd_block *b = hd_node_as_block(n);

      if (nif)
         need(s, hd_def_instr(nif->cond.def));
      if (!b)
         continue;
      hd_foreach_instr(i, b) {
         if (has_effect(i))
            need(s, i);
         if (i->kind == HD_INSTR_STORE_VAR) {
            struct store **list = &s->stores[hd_instr_as_var_access(i)->var->index];
            *store = (struct store){ i, *list };
            *list = store++;
         }
      }
   }
}

/* Dead instructions may use each other in any order, so all leave the use lists before any goes. */
static bool
remove_dead(hd_function *f)
{
   hd_instr *dead = NULL;

   hd_foreach_block(b, f) {
      hd_foreach_instr_safe(i, b) {
         if (i->def.mark)
            continue;
         hd_instr_extract(i);
         i->next = dead;
         dead = i;
      }
   }
   bool progress = dead != NULL;
   while (dead) {
      hd_instr *next = dead->next;
      assert(hd_def_is_unused(&dead->def));
      hd_instr_free(f->shader, dead);
      dead = next;
   }
   return progress;
}

bool
hd_opt_dce(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   size_t num_instrs = 0, num_stores = 0, num_srcs = 0;
   struct state s = { 0 };

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         num_instrs++;
         num_srcs += hd_instr_num_srcs(i);
         num_stores += i->kind == HD_INSTR_STORE_VAR;
      }
   }
   pass_step(f, num_instrs + num_srcs);
   s.work = hd_stack_alloc(stack, num_instrs * sizeof(*s.work));
   s.stores = hd_stack_alloc_zero(stack, f->num_vars * sizeof(*s.stores));
   struct store *store = hd_stack_alloc(stack, num_stores * sizeof(*store));

   hd_function_borrow_marks(f);
   find_roots(&s, f, store);
   while (s.num_work)
      need_operands(&s, s.work[--s.num_work]);
   bool progress = remove_dead(f);
   hd_function_return_marks(f);
   return hd_progress(f, progress, OPT_DCE_KEEPS);
}
