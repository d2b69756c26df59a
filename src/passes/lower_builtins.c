/* SPDX-License-Identifier: MIT */
/* lower_builtins.c - compute built-in inputs (system values) from those that the machine provides.
 *
 *    global_invocation_id       workgroup_id * workgroup_size + local_invocation_id
 *    global_invocation_index    workgroup_index * (x * y * z) + local_invocation_index
 *    workgroup_index            (id.z * num_workgroups.y + id.y) * num_workgroups.x + id.x
 *    local_invocation_index     (id.z * y + id.y) * x + id.x, with (x, y, z) = workgroup_size
 *    local_invocation_id        index % x, index / x % y, index / x / y
 *    subgroup_id                read_first(local_invocation_index / subgroup_size)
 *    num_subgroups              (x * y * z + subgroup_size - 1) / subgroup_size
 *    subgroup_lt_mask, ...      shifts by subgroup_invocation
 *    workgroup_size             constants, if the shader has a fixed size; subgroup_size likewise
 *    view_index                 0
 *
 * Each group has an option that says what the machine lacks; built-ins that a lowering reads are lowered
 * in turn. Lanes are numbered consecutively through the subgroups of a workgroup.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    products with constants to opt_algebraic, equal values to opt_cse.
 * Tests:     tests/passes/lower_builtins.hd, tests/passes/lower_builtins.index.hd,
 *            tests/passes/lower_builtins.number.hd
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "passes/lower.h"

/* Values of the option `local`. */
enum given {
   GIVEN_BOTH,  /* the position in the workgroup, and the number */
   GIVEN_ID,    /* the position alone */
   GIVEN_INDEX, /* the number alone */
   GIVEN_NONE,  /* neither: the number of the subgroup, and that of the lane in it */
};

static void
words(hd_builder *b, hd_def *v, hd_def *to[3])
{
   for (unsigned n = 0; n < 3; n++)
      to[n] = hd_channel(b, v, hd_imm_u32(b, n));
}

static void
workgroup_size(hd_builder *b, const lower_builtins_options *o, hd_def *to[3])
{
   const uint32_t *size = b->shader->workgroup_size;

   if (!o->sizes || !size[0]) {
      words(b, hd_workgroup_size(b), to);
      return;
   }
   for (unsigned n = 0; n < 3; n++)
      to[n] = hd_imm_u32(b, size[n]);
}

static hd_def *
subgroup_size(hd_builder *b, const lower_builtins_options *o)
{
   const uint32_t size = b->shader->subgroup_size;

   return o->sizes && size ? hd_imm_u32(b, size) : hd_subgroup_size(b);
}

/* The number of a position in a box, x fastest. */
static hd_def *
number_in(hd_builder *b, hd_def *id, hd_def *const size[3])
{
   hd_def *at[3];

   words(b, id, at);
   hd_def *row = hd_iadd(b, hd_imul(b, at[2], size[1]), at[1]);
   return hd_iadd(b, hd_imul(b, row, size[0]), at[0]);
}

static hd_def *
lanes_of_workgroup(hd_builder *b, const lower_builtins_options *o)
{
   hd_def *size[3];

   workgroup_size(b, o, size);
   return hd_imul(b, hd_imul(b, size[0], size[1]), size[2]);
}

static hd_def *
local_index(hd_builder *b, const lower_builtins_options *o)
{
   hd_def *size[3];

   switch (o->local) {
   case GIVEN_ID:
      workgroup_size(b, o, size);
      return number_in(b, hd_local_invocation_id(b), size);
   case GIVEN_NONE: {
      hd_def *group = hd_subgroup_id(b), *first = hd_imul(b, group, subgroup_size(b, o));
      return hd_iadd(b, first, hd_subgroup_invocation(b));
   }
   default:
      return hd_local_invocation_index(b);
   }
}

static hd_def *
local_id(hd_builder *b, const lower_builtins_options *o)
{
   hd_def *id[3], *size[3];

   if (o->local <= GIVEN_ID)
      return hd_local_invocation_id(b);
   hd_def *index = local_index(b, o);
   workgroup_size(b, o, size);
   hd_def *row = hd_udiv(b, index, size[0]);
   id[0] = hd_urem(b, index, size[0]);
   id[1] = hd_urem(b, row, size[1]);
   id[2] = hd_udiv(b, row, size[1]);
   return hd_vec(b, 3, id);
}

static hd_def *
workgroup_index(hd_builder *b, const lower_builtins_options *o)
{
   if (!o->workgroup_index)
      return hd_workgroup_index(b);
   hd_def *id = hd_workgroup_id(b), *groups[3];
   words(b, hd_num_workgroups(b), groups);
   return number_in(b, id, groups);
}

static hd_def *
global_id(hd_builder *b, const lower_builtins_options *o)
{
   hd_def *size[3];

   workgroup_size(b, o, size);
   hd_def *sizes = hd_vec(b, 3, size), *first = hd_imul(b, hd_workgroup_id(b), sizes);
   return hd_iadd(b, first, local_id(b, o));
}

static hd_def *
global_index(hd_builder *b, const lower_builtins_options *o)
{
   hd_def *group = workgroup_index(b, o);
   hd_def *first = hd_imul(b, group, lanes_of_workgroup(b, o));

   return hd_iadd(b, first, local_index(b, o));
}

static hd_def *
subgroup_id(hd_builder *b, const lower_builtins_options *o)
{
   hd_def *index = local_index(b, o);

   /* Which divergence analysis cannot see of a quotient. */
   return hd_read_first(b, hd_udiv(b, index, subgroup_size(b, o)));
}

static hd_def *
num_subgroups(hd_builder *b, const lower_builtins_options *o)
{
   hd_def *size = subgroup_size(b, o), *lanes = lanes_of_workgroup(b, o);
   hd_def *most = hd_isub(b, size, hd_imm_u32(b, 1));

   return hd_udiv(b, hd_iadd(b, lanes, most), size);
}

/* Word `n` of the mask of the lanes below a number. */
static hd_def *
below(hd_builder *b, hd_def *lane, unsigned n)
{
   hd_def *one = hd_imm_u32(b, 1), *bit = hd_ishl(b, one, hd_iand(b, lane, hd_imm_u32(b, 31)));
   hd_def *part = hd_isub(b, bit, one);
   hd_def *inside = hd_ult(b, lane, hd_imm_u32(b, 32 * n + 32));
   hd_def *full = hd_select(b, inside, part, hd_imm_u32(b, UINT32_MAX));

   if (!n)
      return full;
   hd_def *before = hd_ult(b, lane, hd_imm_u32(b, 32 * n));
   return hd_select(b, before, hd_imm_u32(b, 0), full);
}

/* The lanes below `end`, without those below `begin` (NULL: none). */
static hd_def *
lane_mask(hd_builder *b, hd_def *begin, hd_def *end)
{
   hd_def *mask[4];

   for (unsigned n = 0; n < 4; n++) {
      mask[n] = below(b, end, n);
      if (begin)
         mask[n] = hd_ixor(b, mask[n], below(b, begin, n));
   }
   return hd_vec(b, 4, mask);
}

static hd_def *
lane_masks(hd_builder *b, hd_intrinsic_id id, const lower_builtins_options *o)
{
   hd_def *lane = hd_subgroup_invocation(b);

   if (id == HD_INTRINSIC_SUBGROUP_LT_MASK)
      return lane_mask(b, NULL, lane);
   if (id == HD_INTRINSIC_SUBGROUP_GE_MASK)
      return lane_mask(b, lane, subgroup_size(b, o));
   hd_def *next = hd_iadd(b, lane, hd_imm_u32(b, 1));
   if (id == HD_INTRINSIC_SUBGROUP_GT_MASK)
      return lane_mask(b, next, subgroup_size(b, o));
   return lane_mask(b, id == HD_INTRINSIC_SUBGROUP_EQ_MASK ? lane : NULL, next);
}

static hd_def *
lower(hd_builder *b, hd_instr *i, void *data)
{
   const lower_builtins_options *o = data;
   hd_def *size[3];

   if (i->kind != HD_INSTR_INTRINSIC)
      return NULL;
   switch ((hd_intrinsic_id)i->op) {
   case HD_INTRINSIC_GLOBAL_INVOCATION_ID:
      return o->global ? global_id(b, o) : NULL;
   case HD_INTRINSIC_GLOBAL_INVOCATION_INDEX:
      return o->global ? global_index(b, o) : NULL;
   case HD_INTRINSIC_LOCAL_INVOCATION_ID:
      return o->local > GIVEN_ID ? local_id(b, o) : NULL;
   case HD_INTRINSIC_LOCAL_INVOCATION_INDEX:
      return o->local == GIVEN_ID || o->local == GIVEN_NONE ? local_index(b, o) : NULL;
   case HD_INTRINSIC_WORKGROUP_INDEX:
      return o->workgroup_index ? workgroup_index(b, o) : NULL;
   case HD_INTRINSIC_WORKGROUP_SIZE:
      if (!o->sizes || !b->shader->workgroup_size[0])
         return NULL;
      workgroup_size(b, o, size);
      return hd_vec(b, 3, size);
   case HD_INTRINSIC_SUBGROUP_SIZE:
      return o->sizes && b->shader->subgroup_size ? subgroup_size(b, o) : NULL;
   case HD_INTRINSIC_NUM_SUBGROUPS:
      return o->subgroups ? num_subgroups(b, o) : NULL;
   case HD_INTRINSIC_SUBGROUP_ID:
      return o->subgroups && o->local != GIVEN_NONE ? subgroup_id(b, o) : NULL;
   case HD_INTRINSIC_SUBGROUP_EQ_MASK:
   case HD_INTRINSIC_SUBGROUP_LT_MASK:
   case HD_INTRINSIC_SUBGROUP_LE_MASK:
   case HD_INTRINSIC_SUBGROUP_GT_MASK:
   case HD_INTRINSIC_SUBGROUP_GE_MASK:
      return o->masks ? lane_masks(b, (hd_intrinsic_id)i->op, o) : NULL;
   case HD_INTRINSIC_VIEW_INDEX:
      return o->view ? hd_imm_u32(b, 0) : NULL;
   default:
      return NULL;
   }
}

bool
hd_lower_builtins(hd_function *f, const lower_builtins_options *o)
{
   lower_builtins_options options = *o;

   return hd_progress(f, hd_lower_instrs(f, lower, &options), LOWER_BUILTINS_KEEPS);
}
