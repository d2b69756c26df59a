/* SPDX-License-Identifier: MIT */
/* walk.c - one lane walks through a flat function along a list of choices. */
#include "walk.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"

#include <assert.h>
#include <stdlib.h>

#include "heddle/ops.h"

struct value {
   uint32_t bits;
   bool undefined;
};

struct lane {
   struct value *def, *var, *phi;
   struct walk *walk;
};

static struct value
read(const struct lane *l, const hd_instr *i, unsigned n)
{
   return l->def[hd_instr_src(i, n)->def->index];
}

static struct value
run(struct lane *l, const hd_instr *i)
{
   const struct value undef = { 0, true };

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_CONST:
      return (struct value){ ((const hd_const *)i)->value[0].u32, false };
   case HD_INSTR_PARAM:
      return (struct value){ 1000 + ((const hd_param *)i)->param_index, false };
   case HD_INSTR_ALU: {
      assert(i->op == HD_OP_IADD);
      struct value a = read(l, i, 0), b = read(l, i, 1);
      return a.undefined || b.undefined ? undef : (struct value){ a.bits + b.bits, false };
   }
   case HD_INSTR_LOAD_VAR:
      return l->var[hd_instr_as_var_access(i)->var->index];
   case HD_INSTR_STORE_VAR:
      l->var[hd_instr_as_var_access(i)->var->index] = read(l, i, 0);
      return undef;
   case HD_INSTR_INTRINSIC:
      assert(i->op == HD_INTRINSIC_STORE_GLOBAL && l->walk->num < WALK_MAX);
      l->walk->value[l->walk->num] = read(l, i, 0).bits;
      l->walk->undefined[l->walk->num++] = read(l, i, 0).undefined;
      return undef;
   default:
      assert(i->kind == HD_INSTR_UNDEF || i->kind == HD_INSTR_JUMP);
      return undef;
   }
}

static void
run_block(struct lane *l, const hd_block *b, const hd_block *from)
{
   unsigned num = 0;

   hd_foreach_phi(phi, b)
      l->phi[num++] = l->def[hd_phi_src_from(phi, from)->def->index];
   num = 0;
   hd_foreach_phi(phi, b)
      l->def[phi->instr.def.index] = l->phi[num++];
   hd_foreach_instr(i, b) {
      if (i->kind == HD_INSTR_PHI)
         continue;
      struct value v = run(l, i);
      if (hd_instr_def(i))
         l->def[i->def.index] = v;
   }
}

void
walk_function(const hd_function *f, uint64_t seed, unsigned steps, struct walk *w)
{
   struct lane l = { .def = calloc(f->num_defs + 1, sizeof(*l.def)),
                     .phi = calloc(f->num_defs + 1, sizeof(*l.phi)),
                     .var = calloc(f->num_vars + 1, sizeof(*l.var)),
                     .walk = w };
   const hd_block *from = NULL;

   w->num = 0;
   for (uint32_t n = 0; n < f->num_vars; n++)
      l.var[n].undefined = true;
   for (const hd_block *b = hd_function_start(f); !hd_block_is_end(b) && steps--;) {
      run_block(&l, b, from);
      seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
      from = b;
      b = b->succs[b->num_succs > 1 ? seed >> 60 & 1 : 0].to;
   }
   free(l.def);
   free(l.phi);
   free(l.var);
}

bool
walk_agrees(const struct walk *before, const struct walk *after)
{
   if (before->num != after->num)
      return false;
   for (unsigned n = 0; n < before->num; n++) {
      if (!before->undefined[n] && (after->undefined[n] || before->value[n] != after->value[n]))
         return false;
   }
   return true;
}
