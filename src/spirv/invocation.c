/* SPDX-License-Identifier: MIT */
/* invocation.c - built-in inputs: ids and positions of the invocation.
 *
 * Four lanes in a row are a quad, in derivatives and in operations of quads. Where the module wants
 * squares of 2 x 2 invocations (DerivativeGroupQuads), the lanes of a workgroup are numbered square
 * by square instead of row by row, which nothing promises otherwise:
 *
 *    lane      0 1 4 5 8 9 ...      of two rows; the next two rows follow, and so on for each z
 *              2 3 6 7 ...
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "spirv/spirv.h"

/* LocalInvocationId where quads are squares: the sizes are known, the first two are even. */
static hd_def *
square_id(struct spirv *s)
{
   hd_builder *b = &s->b;
   const uint32_t *size = s->shader->workgroup_size;
   hd_def *one = hd_imm_u32(b, 1), *three = hd_imm_u32(b, 3);
   hd_def *lane = hd_local_invocation_index(b), *two_rows = hd_imm_u32(b, 2 * size[0]);
   hd_def *rows = hd_udiv(b, lane, two_rows), *in_rows = hd_urem(b, lane, two_rows);
   hd_def *square = hd_ishl(b, hd_ushr(b, in_rows, hd_imm_u32(b, 2)), one);
   hd_def *corner = hd_iand(b, in_rows, three), *high = hd_imm_u32(b, size[1] / 2);
   hd_def *parts[3];

   parts[0] = hd_ior(b, square, hd_iand(b, corner, one));
   hd_def *low = hd_ushr(b, corner, one);
   parts[1] = hd_ior(b, hd_ishl(b, hd_urem(b, rows, high), one), low);
   parts[2] = hd_udiv(b, rows, high);
   return hd_build_vec(b, 3, parts);
}

static hd_def *
local_id(struct spirv *s)
{
   return s->quads_2d ? square_id(s) : hd_local_invocation_id(&s->b);
}

static hd_def *
local_index(struct spirv *s)
{
   hd_builder *b = &s->b;
   const uint32_t *size = s->shader->workgroup_size;

   if (!s->quads_2d)
      return hd_local_invocation_index(b);
   hd_def *id = square_id(s), *row = hd_imm_u32(b, size[0]),
          *plane = hd_imm_u32(b, size[0] * size[1]);
   hd_def *x = hd_build_channel(b, id, 0);
   hd_def *in_plane = hd_iadd(b, hd_imul(b, hd_build_channel(b, id, 1), row), x);
   return hd_iadd(b, hd_imul(b, hd_build_channel(b, id, 2), plane), in_plane);
}

static hd_def *
global_id(struct spirv *s)
{
   hd_builder *b = &s->b;

   if (s->shader->stage == HD_STAGE_KERNEL) {
      hd_def *offset = hd_global_offset(b);
      return hd_iadd(b, hd_global_invocation_id(b), offset);
   }
   if (!s->quads_2d)
      return hd_global_invocation_id(b);
   hd_def *local = square_id(s);
   hd_def *size = hd_imm_vec_u32(b, 3, s->shader->workgroup_size);
   return hd_iadd(b, hd_imul(b, hd_workgroup_id(b), size), local);
}

/* The number of the invocation in the launch, x fastest. */
static hd_def *
linear_id(hd_builder *b)
{
   hd_def *id = hd_global_invocation_id(b), *size = hd_workgroup_size(b);
   hd_def *groups = hd_num_workgroups(b);
   hd_def *part[3], *length[2];

   for (unsigned n = 0; n < 3; n++)
      part[n] = hd_u2u(b, hd_build_channel(b, id, n), 64);
   for (unsigned n = 0; n < 2; n++) {
      hd_def *in_group = hd_build_channel(b, size, n);
      length[n] = hd_umul_wide(b, hd_build_channel(b, groups, n), in_group);
   }
   hd_def *row = hd_iadd(b, hd_imul(b, part[2], length[1]), part[1]);
   return hd_iadd(b, hd_imul(b, row, length[0]), part[0]);
}

static hd_def *
workgroup_size(struct spirv *s)
{
   const uint32_t *size = s->shader->workgroup_size;

   return size[0] ? hd_imm_vec_u32(&s->b, 3, size) : hd_workgroup_size(&s->b);
}

static bool
is_graphics(const struct spirv *s)
{
   return s->shader->stage == HD_STAGE_VERTEX || s->shader->stage == HD_STAGE_FRAGMENT;
}

/* NULL: the stage has no such input. */
static hd_def *
vertex_input(hd_builder *b, int32_t builtin)
{
   switch (builtin) {
   case SPV_BUILT_IN_VERTEX_INDEX:
      return hd_vertex_index(b);
   case SPV_BUILT_IN_INSTANCE_INDEX:
      return hd_instance_index(b);
   case SPV_BUILT_IN_BASE_VERTEX:
      return hd_base_vertex(b);
   case SPV_BUILT_IN_BASE_INSTANCE:
      return hd_base_instance(b);
   case SPV_BUILT_IN_DRAW_INDEX:
      return hd_draw_index(b);
   default:
      return NULL;
   }
}

/* The weights of the three vertices, of which the IR has the second and third. */
static hd_def *
three_weights(hd_builder *b, hd_interp_mode mode)
{
   hd_def *two = hd_barycentric(b, mode, HD_INTERP_AT_CENTER), *parts[3];

   parts[1] = hd_build_channel(b, two, 0);
   parts[2] = hd_build_channel(b, two, 1);
   hd_def *rest = hd_fsub(b, hd_imm_f32(b, 1), parts[1]);
   parts[0] = hd_fsub(b, rest, parts[2]);
   return hd_build_vec(b, 3, parts);
}

static hd_def *
fragment_input(hd_builder *b, int32_t builtin)
{
   switch (builtin) {
   case SPV_BUILT_IN_FRAG_COORD:
      return hd_frag_coord(b);
   case SPV_BUILT_IN_FRONT_FACING:
      return hd_front_facing(b);
   case SPV_BUILT_IN_POINT_COORD:
      return hd_point_coord(b);
   case SPV_BUILT_IN_PRIMITIVE_ID:
      return hd_primitive_id(b);
   case SPV_BUILT_IN_LAYER:
      return hd_layer(b);
   case SPV_BUILT_IN_VIEWPORT_INDEX:
      return hd_viewport_index(b);
   case SPV_BUILT_IN_SAMPLE_ID:
      return hd_sample_id(b);
   case SPV_BUILT_IN_SAMPLE_POSITION:
      return hd_sample_pos(b);
   case SPV_BUILT_IN_HELPER_INVOCATION:
      return hd_is_helper(b);
   case SPV_BUILT_IN_BARY_COORD_KHR:
      return three_weights(b, HD_INTERP_SMOOTH);
   case SPV_BUILT_IN_BARY_COORD_NO_PERSP_KHR:
      return three_weights(b, HD_INTERP_NOPERSPECTIVE);
   case SPV_BUILT_IN_BARY_COORD_SMOOTH_AMD:
      return hd_barycentric(b, HD_INTERP_SMOOTH, HD_INTERP_AT_CENTER);
   case SPV_BUILT_IN_BARY_COORD_SMOOTH_CENTROID_AMD:
      return hd_barycentric(b, HD_INTERP_SMOOTH, HD_INTERP_AT_CENTROID);
   case SPV_BUILT_IN_BARY_COORD_SMOOTH_SAMPLE_AMD:
      return hd_barycentric(b, HD_INTERP_SMOOTH, HD_INTERP_AT_SAMPLE);
   case SPV_BUILT_IN_BARY_COORD_NO_PERSP_AMD:
      return hd_barycentric(b, HD_INTERP_NOPERSPECTIVE, HD_INTERP_AT_CENTER);
   case SPV_BUILT_IN_BARY_COORD_NO_PERSP_CENTROID_AMD:
      return hd_barycentric(b, HD_INTERP_NOPERSPECTIVE, HD_INTERP_AT_CENTROID);
   case SPV_BUILT_IN_BARY_COORD_NO_PERSP_SAMPLE_AMD:
      return hd_barycentric(b, HD_INTERP_NOPERSPECTIVE, HD_INTERP_AT_SAMPLE);
   default:
      return NULL;
   }
}

/* Those that are floats; the others are integers and booleans. */
static bool
is_float_builtin(int32_t builtin)
{
   return builtin == SPV_BUILT_IN_FRAG_COORD || builtin == SPV_BUILT_IN_POINT_COORD ||
          builtin == SPV_BUILT_IN_SAMPLE_POSITION || builtin == SPV_BUILT_IN_BARY_COORD_KHR ||
          builtin == SPV_BUILT_IN_BARY_COORD_NO_PERSP_KHR ||
          (builtin >= SPV_BUILT_IN_BARY_COORD_NO_PERSP_AMD &&
           builtin <= SPV_BUILT_IN_BARY_COORD_SMOOTH_SAMPLE_AMD);
}

static hd_def *
builtin_def(struct spirv *s, int32_t builtin)
{
   hd_builder *b = &s->b;
   const bool kernel = s->shader->stage == HD_STAGE_KERNEL;
   hd_def *def = NULL;

   if (!kernel && (builtin == SPV_BUILT_IN_GLOBAL_OFFSET || builtin == SPV_BUILT_IN_WORK_DIM))
      hd_spirv_invalid(s, "the built-in %s is for kernels only",
                       hd_spirv_built_in_name((uint32_t)builtin));
   switch (builtin) {
   case SPV_BUILT_IN_GLOBAL_INVOCATION_ID:
      return global_id(s);
   case SPV_BUILT_IN_LOCAL_INVOCATION_ID:
      return local_id(s);
   case SPV_BUILT_IN_LOCAL_INVOCATION_INDEX:
      return local_index(s);
   case SPV_BUILT_IN_WORKGROUP_ID:
      return hd_workgroup_id(b);
   case SPV_BUILT_IN_NUM_WORKGROUPS:
      return hd_num_workgroups(b);
   case SPV_BUILT_IN_WORKGROUP_SIZE:
   case SPV_BUILT_IN_ENQUEUED_WORKGROUP_SIZE:
      return workgroup_size(s);
   case SPV_BUILT_IN_GLOBAL_SIZE: {
      hd_def *size = workgroup_size(s);
      return hd_imul(b, hd_num_workgroups(b), size);
   }
   case SPV_BUILT_IN_GLOBAL_OFFSET:
      return hd_global_offset(b);
   case SPV_BUILT_IN_GLOBAL_LINEAR_ID:
      return linear_id(b);
   case SPV_BUILT_IN_WORK_DIM:
      return hd_work_dim(b);
   case SPV_BUILT_IN_SUBGROUP_SIZE:
   case SPV_BUILT_IN_SUBGROUP_MAX_SIZE:
      return s->shader->subgroup_size ? hd_imm_u32(b, s->shader->subgroup_size)
                                      : hd_subgroup_size(b);
   case SPV_BUILT_IN_NUM_SUBGROUPS:
   case SPV_BUILT_IN_NUM_ENQUEUED_SUBGROUPS:
      return hd_num_subgroups(b);
   case SPV_BUILT_IN_SUBGROUP_ID:
      return hd_subgroup_id(b);
   case SPV_BUILT_IN_SUBGROUP_LOCAL_INVOCATION_ID:
      return hd_subgroup_invocation(b);
   case SPV_BUILT_IN_SUBGROUP_EQ_MASK:
      return hd_subgroup_eq_mask(b);
   case SPV_BUILT_IN_SUBGROUP_GE_MASK:
      return hd_subgroup_ge_mask(b);
   case SPV_BUILT_IN_SUBGROUP_GT_MASK:
      return hd_subgroup_gt_mask(b);
   case SPV_BUILT_IN_SUBGROUP_LE_MASK:
      return hd_subgroup_le_mask(b);
   case SPV_BUILT_IN_SUBGROUP_LT_MASK:
      return hd_subgroup_lt_mask(b);
   case SPV_BUILT_IN_DEVICE_INDEX:
      return hd_imm_u32(b, 0);
   case SPV_BUILT_IN_VIEW_INDEX:
      return is_graphics(s) ? hd_view_index(b) : hd_imm_u32(b, 0);
   default:
      if (s->shader->stage == HD_STAGE_VERTEX)
         def = vertex_input(b, builtin);
      else if (s->shader->stage == HD_STAGE_FRAGMENT)
         def = fragment_input(b, builtin);
      if (def)
         return def;
      hd_spirv_unsupported(s, "the built-in %s is not supported in this stage",
                           hd_spirv_built_in_name((uint32_t)builtin));
   }
}

/* Kernels have them in 64 bits. */
struct spirv_value *
hd_spirv_builtin(struct spirv *s, int32_t builtin, const struct spirv_type *t)
{
   hd_def *def = builtin_def(s, builtin);

   if (!hd_spirv_type_is_leaf(t) || t->is_float != is_float_builtin(builtin) ||
       (t->bits == 1) != (def->bit_size == 1) || (t->bits != 1 && t->bits < 32) ||
       (t->is_float && t->bits != def->bit_size) || t->components != def->num_components)
      hd_spirv_invalid(s, "the built-in %s cannot have the type %u",
                       hd_spirv_built_in_name((uint32_t)builtin), t->id);
   return hd_spirv_make_def(s, t, t->bits == def->bit_size ? def : hd_u2u(&s->b, def, t->bits));
}
