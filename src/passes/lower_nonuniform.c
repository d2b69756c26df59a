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
 * A loop parts the lanes of a quad, so what samples with derivatives of the quad is given them, from before the loop:
 *
 *    image_sample %d, %s, %c, %bias, %least    =>    %x = ddx_coarse %c * 2^%bias; %y = ddy_coarse %c * 2^%bias
 *                                                    a loop with image_sample_grad %d, %s, %c, %x, %y, %least
 *
 * Requires:  structured code.
 * Preserves: nothing when it makes a loop.
 * Leaves:    other operations that read other lanes: image_query_lod, some of a driver's own.
 * Tests:     tests/passes/lower_nonuniform.hd
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "ir/lowered.h"
#include "passes/lower.h"

/* Operands of image_sample. */
enum { COORD = 2, BIAS = 3 };

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

/* Explicit derivatives */

/* How many components of the coordinate count texels of a plane: a layer has no derivative. */
static unsigned
num_slopes(const hd_instr *i)
{
   return hd_instr_src(i, COORD)->def->num_components -
          (hd_intrinsic_index((const hd_intrinsic *)i, HD_INDEX_ARRAY) != 0);
}

/* Those of the quad's first lane, which a level is taken of; a bias makes them so much longer. */
static hd_def *
slopes(hd_builder *b, hd_def *coord, unsigned num, hd_def *scale, bool vertical)
{
   hd_def *parts[3];

   for (unsigned n = 0; n < num; n++) {
      hd_def *along = hd_build_channel(b, coord, n);
      along = vertical ? hd_ddy_coarse(b, along) : hd_ddx_coarse(b, along);
      parts[n] = scale ? hd_fmul(b, along, scale) : along;
   }
   return hd_build_vec(b, num, parts);
}

/* The same sample with explicit derivatives, in its place. */
static hd_instr *
with_slopes(hd_builder *b, hd_instr *i)
{
   const bool compare = i->op == HD_INTRINSIC_IMAGE_SAMPLE_COMPARE;
   const hd_intrinsic_id id =
       compare ? HD_INTRINSIC_IMAGE_SAMPLE_GRAD_COMPARE : HD_INTRINSIC_IMAGE_SAMPLE_GRAD;
   const hd_intrinsic_info *old = hd_instr_intrinsic_info(i), *info = hd_intrinsic_get_info(id);
   hd_def *srcs[7], *scale = NULL, *coord = hd_instr_src(i, COORD)->def;
   const unsigned num = num_slopes(i);
   const hd_const *bias = hd_src_as_const(hd_instr_src(i, BIAS));
   uint32_t indices[HD_MAX_INDICES];

   b->cursor = hd_before_instr(i);
   b->loc = i->loc;
   if (!bias || bias->value[0].u32)
      scale = hd_fexp2(b, hd_instr_src(i, BIAS)->def);
   srcs[0] = hd_instr_src(i, 0)->def;
   srcs[1] = hd_instr_src(i, 1)->def;
   srcs[2] = coord;
   srcs[3] = slopes(b, coord, num, scale, false);
   srcs[4] = slopes(b, coord, num, scale, true);
   srcs[5] = hd_instr_src(i, BIAS + 1)->def;
   if (compare)
      srcs[6] = hd_instr_src(i, BIAS + 2)->def;
   for (unsigned n = 0; n < info->num_indices; n++)
      indices[n] = hd_intrinsic_indices((hd_intrinsic *)i)[old->slots[info->indices[n]] - 1];
   hd_def *sample = hd_build_intrinsic(b, id, i->def.num_components, i->def.bit_size,
                                       compare ? 7 : 6, srcs, indices);
   hd_def_replace_uses(&i->def, sample);
   hd_instr_remove(i);
   return hd_def_instr(sample);
}

/* Loops */

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
   while (num_differ) {
      hd_instr *i = differ[--num_differ];
      make_loop(&builder, hd_samples_by_quad(i) ? with_slopes(&builder, i) : i);
   }
   return hd_progress(f, true, LOWER_NONUNIFORM_KEEPS);
}
