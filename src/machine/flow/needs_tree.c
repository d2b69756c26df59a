/* SPDX-License-Identifier: MIT */
/* needs_tree.c - constructs whose lowering makes loops of a tree: is there one? */
#include "heddle/ops.h"
#include "ir/private.h"
#include "machine/flow/flow.h"

static bool
is_float_atomic(const hd_instr *instr)
{
   if (instr->kind != HD_INSTR_INTRINSIC)
      return false;
   const uint32_t op = hd_intrinsic_index((const hd_intrinsic *)instr, HD_INDEX_ATOMIC_OP);
   return (op == HD_ATOMIC_FADD || op == HD_ATOMIC_FMIN || op == HD_ATOMIC_FMAX);
}

bool
hd_mach_needs_tree(const hd_shader *shader)
{
   const uint32_t constructs = HD_LOWERED_SUBGROUP_ARITH | HD_LOWERED_SUBGROUP_DWORDS |
                               HD_LOWERED_SUBGROUP_VOTE | HD_LOWERED_SUBGROUP_SHIFT |
                               HD_LOWERED_NONUNIFORM;

   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (hd_instr_constructs(i) & constructs || is_float_atomic(i))
               return true;
         }
      }
   }
   return false;
}
