/* SPDX-License-Identifier: MIT */
/* lower_nonuniform.c - waterfall loops: an access through a descriptor that may differ between
 * lanes becomes a loop with one iteration per distinct descriptor.
 *
 *    %v = load_buffer %d, %p access=nonuniform      =>      loop {
 *                                                             %u = read_first %d
 *                                                             %same = ieq %d, %u
 *                                                             if %same {
 *                                                               %v = load_buffer %u, %p
 *                                                               break
 *                                                             }
 *                                                           }
 *
 * Termination: the lowest active lane has its own descriptor, so each iteration retires at least
 * one lane. Each lane executes the access once, with its own operands; lanes with the same
 * descriptor execute it together, in order. The rest of the function runs with the same lanes as
 * before, as all lanes leave the loop to the same block. If all descriptors are proven uniform, only
 * the nonuniform flag is removed.
 *
 * Requires:  structured code.
 * Preserves: nothing when it makes a loop.
 * Leaves:    operations that read other lanes (sampling with implicit derivatives): a quad whose
 *            lanes diverge would read other values. Front ends pass explicit derivatives instead.
 * Tests:     tests/passes/lower_nonuniform.hd
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "passes/lower.h"

static bool
is_descriptor(const hd_intrinsic_info *info, unsigned n)
{
   return info->src[n].flags & HD_OPERAND_DESCRIPTOR;
}

static uint32_t *
access_of(hd_instr *i)
{
   const uint8_t slot = hd_instr_intrinsic_info(i)->slots[HD_INDEX_ACCESS];

   return &hd_intrinsic_indices((hd_intrinsic *)i)[slot - 1];
}

static bool
all_uniform(hd_instr *i, const hd_intrinsic_info *info)
{
   for (unsigned n = 0; n < i->num_srcs; n++) {
      if (is_descriptor(info, n) && !hd_src_is_uniform(hd_instr_src(i, n)))
         return false;
   }
   return true;
}

/* Is the descriptor of operand n that of an operand before it? Which, or -1. */
static int
same_as_before(const hd_instr *i, const hd_intrinsic_info *info, unsigned n)
{
   for (unsigned k = 0; k < n; k++) {
      if (is_descriptor(info, k) && hd_instr_src(i, k)->def == hd_instr_src(i, n)->def)
         return (int)k;
   }
   return -1;
}

static void
make_loop(hd_builder *b, hd_instr *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(i);
   hd_loop *loop = hd_insert_loop(hd_before_instr(i));
   hd_def *first[HD_MAX_INTRINSIC_SRCS] = { NULL }, *same = NULL;

   b->cursor = hd_after_block(hd_loop_header(loop));
   b->loc = i->loc;
   for (unsigned n = 0; n < i->num_srcs; n++) {
      hd_def *def = hd_instr_src(i, n)->def;
      if (!is_descriptor(info, n))
         continue;
      const int before = same_as_before(i, info, n);
      if (before >= 0) {
         first[n] = first[before];
         continue;
      }
      first[n] = hd_read_first(b, def);
      hd_def *equal = hd_ieq(b, def, first[n]);
      same = same ? hd_iand(b, same, equal) : equal;
   }
   hd_if *nif = hd_insert_if(b->cursor, same);
   hd_instr_move(hd_list_start(&nif->then_list), i);
   for (unsigned n = 0; n < i->num_srcs; n++) {
      if (first[n])
         hd_src_set_def(hd_instr_src(i, n), first[n]);
   }
   hd_insert_jump(hd_list_end(&nif->then_list), HD_JUMP_BREAK, NULL);
}

bool
hd_lower_nonuniform(hd_function *f)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   uint32_t num = 0, num_differ = 0;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         num += (hd_instr_constructs(i) & HD_LOWERED_NONUNIFORM) != 0;
         pass_step(f, 1);
      }
   }
   if (!num)
      return hd_progress(f, false, LOWER_NONUNIFORM_KEEPS);
   /* Uniformity is known before the graph changes. */
   hd_require(f, HD_META_DIVERGENCE);
   hd_instr **differ = hd_stack_alloc(stack, num * sizeof(hd_instr *));
   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b) {
         if (!(hd_instr_constructs(i) & HD_LOWERED_NONUNIFORM))
            continue;
         *access_of(i) &= ~(uint32_t)HD_ACCESS_NONUNIFORM;
         if (!all_uniform(i, hd_instr_intrinsic_info(i)))
            differ[num_differ++] = i;
      }
   }
   /* From the end: what follows an access goes to another block, once. */
   hd_builder builder = hd_builder_at(hd_before_block(hd_function_start(f)));
   while (num_differ)
      make_loop(&builder, differ[--num_differ]);
   return hd_progress(f, true, LOWER_NONUNIFORM_KEEPS);
}
