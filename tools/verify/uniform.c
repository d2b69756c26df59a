/* SPDX-License-Identifier: MIT */
/* uniform.c - W2: what was uniform is still uniform. */
#include "uniform.h"

#include "heddle/analysis.h"

#include <stdlib.h>

/* The number in the name of a value, or NO_BLOCK. */
static uint32_t
number_of(const hd_function *f, const hd_def *def)
{
   const char *name = def->flags & HD_DEF_NAMED ? hd_def_name(f, def) : NULL;

   return name && name[0] == 'v' ? (uint32_t)strtoul(name + 1, NULL, 10) : NO_BLOCK;
}

/* What the branch at the end of a block reads, or NULL. */
static const hd_def *
condition_of(const hd_block *b)
{
   const hd_jump *jump = hd_block_jump(b);
   const hd_if *nif = hd_node_as_if(b->node.next);

   if (jump && (jump->instr.op == HD_JUMP_GOTO_IF || jump->instr.op == HD_JUMP_SWITCH))
      return jump->src[0].def;
   return !jump && nif ? nif->cond.def : NULL;
}

bool
uniformity_find(uniformity *u, hd_function *f, bool has_names)
{
   *u = (uniformity){ .all = true };
   if (!has_names)
      return true;
   if (hd_require(f, HD_META_DIVERGENCE | HD_META_CYCLES) != HD_OK)
      return false;
   u->num_values = f->num_defs;
   u->value = must_alloc(u->num_values);
   u->branch = must_alloc(u->num_values);
   for (uint32_t n = 0; n < u->num_values; n++)
      u->branch[n] = true;
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         const uint32_t n = hd_instr_def(i) ? number_of(f, &i->def) : NO_BLOCK;
         if (n < u->num_values)
            u->value[n] = hd_def_is_uniform(&i->def);
      }
      const hd_def *cond = condition_of(b);
      const uint32_t n = cond ? number_of(f, cond) : NO_BLOCK;
      if (!hd_block_is_divergent_branch(b))
         continue;
      u->all = false;
      if (n < u->num_values)
         u->branch[n] = false;
   }
   return true;
}

void
uniformity_free(uniformity *u)
{
   free(u->value);
   free(u->branch);
   *u = (uniformity){ 0 };
}

/* A branch is known where its condition is computed right before it, as programs do. Elsewhere the
 * same value can be what lanes that left a cycle at different times are distinguished by: that
 * differs between them.
 */
static bool
branch_kept(const uniformity *u, const hd_function *f, const hd_block *b, char what[256])
{
   const hd_def *cond = condition_of(b);
   const uint32_t n = cond ? number_of(f, cond) : NO_BLOCK;

   if (!hd_block_is_divergent_branch(b))
      return true;
   /* Out of the cycle of the condition it is no longer that branch: lanes that left in different
    * sweeps, each of which decided for all, go different ways together.
    */
   const hd_cycle *around = cond ? hd_block_cycle(hd_def_instr(cond)->block) : NULL;
   if (!u->all && around && !hd_cycle_contains(around, b))
      return true;
   if (u->all)
      snprintf(what, 256, "there is a divergent branch, at the end of b%u; there was none",
               b->node.index);
   else if (n < u->num_values && u->branch[n] && hd_def_instr(cond)->block == b)
      snprintf(what, 256, "the branch on v%u is divergent, and was not", n);
   else
      return true;
   return false;
}

bool
uniformity_kept(const uniformity *u, hd_function *f, char what[256])
{
   if (!u->num_values)
      return true;
   if (hd_require(f, HD_META_DIVERGENCE | HD_META_CYCLES) != HD_OK) {
      snprintf(what, 256, "out of memory");
      return false;
   }
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         const uint32_t n = hd_instr_def(i) ? number_of(f, &i->def) : NO_BLOCK;
         if (n >= u->num_values || !u->value[n] || hd_def_is_uniform(&i->def))
            continue;
         snprintf(what, 256, "v%u is divergent, and was uniform", n);
         return false;
      }
      if (!branch_kept(u, f, b, what))
         return false;
   }
   return true;
}
