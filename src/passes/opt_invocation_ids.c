/* SPDX-License-Identifier: MIT */
/* opt_invocation_ids.c - simplify invocation ids in dimensions of workgroup size 1.
 *
 *    workgroup 64 1 1
 *    %i = global_invocation_id      =>      %g = global_invocation_id   %x = channel %g, 0
 *                                           %w = workgroup_id
 *                                           %y = channel %w, 1   %z = channel %w, 2
 *                                           %i = vec %x, %y, %z
 *
 * There local_invocation_id is 0, and global_invocation_id is workgroup_id, which is uniform: the ids
 * as a vector are divergent as a whole.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    ids of which only other components are read; sizes that are known at launch only.
 *            Channels of vectors, to opt_algebraic.
 * Tests:     tests/passes/opt_invocation_ids.hd
 */
#include "heddle/build_intrinsics.h"
#include "heddle/op_enum.h"
#include "passes/lower.h"

/* Is a component read that is the same for the workgroup? */
static bool
reads_uniform(const hd_def *id, const uint32_t size[3])
{
   hd_foreach_use(use, id) {
      const hd_instr *user = hd_src_instr(use);
      const hd_const *at = user && user->kind == HD_INSTR_ALU && user->op == HD_OP_CHANNEL
                               ? hd_src_as_const(&((const hd_alu *)user)->src[1])
                               : NULL;
      if (!at || at->value[0].u32 >= 3 || size[at->value[0].u32] == 1)
         return true;
   }
   return false;
}

static hd_def *
take_apart(hd_builder *b, hd_instr *i, void *data)
{
   const uint32_t *size = data;
   const bool global = i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_GLOBAL_INVOCATION_ID;
   const bool local = i->kind == HD_INSTR_INTRINSIC && i->op == HD_INTRINSIC_LOCAL_INVOCATION_ID;
   hd_def *parts[3], *id = NULL, *group = NULL;

   if ((!global && !local) || !reads_uniform(&i->def, size))
      return NULL;
   for (unsigned n = 0; n < 3; n++) {
      if (size[n] != 1) {
         if (!id)
            id = global ? hd_global_invocation_id(b) : hd_local_invocation_id(b);
         parts[n] = hd_build_channel(b, id, n);
      } else if (local) {
         parts[n] = hd_imm_u32(b, 0);
      } else {
         group = group ? group : hd_workgroup_id(b);
         parts[n] = hd_build_channel(b, group, n);
      }
   }
   return hd_build_vec(b, 3, parts);
}

bool
hd_opt_invocation_ids(hd_function *f)
{
   uint32_t *size = f->shader->workgroup_size;
   bool progress = false;

   if (size[0] == 1 || size[1] == 1 || size[2] == 1)
      progress = hd_lower_instrs(f, take_apart, size);
   return hd_progress(f, progress, OPT_INVOCATION_IDS_KEEPS);
}
