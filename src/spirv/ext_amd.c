/* SPDX-License-Identifier: MIT */
/* ext_amd.c - the sets of AMD: SPV_AMD_shader_trinary_minmax, SPV_AMD_gcn_shader and
 * SPV_AMD_shader_ballot. Their extensions fix the numbers of the instructions.
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "spirv/body.h"
#include "spirv/ext.h"

#define OPERANDS(x, num)                                                                           \
   do {                                                                                            \
      if ((x)->num_operands != (num))                                                              \
         hd_spirv_invalid(s, "it has %u operands, expected %u", (x)->num_operands,                 \
                          (unsigned)(num));                                                        \
   } while (0)

static hd_def *
same_shape(struct spirv *s, const struct spirv_ext *x, uint32_t n, const hd_def *like)
{
   hd_def *def = hd_spirv_ext_operand(s, x, n);

   if (def->num_components != like->num_components || def->bit_size != like->bit_size)
      hd_spirv_invalid(s, "operand %u is %u x %u bits, the first is %u x %u", n + 1,
                       def->num_components, def->bit_size, like->num_components, like->bit_size);
   return def;
}

/* A vector of so many 32-bit integers. */
static hd_def *
integers(struct spirv *s, const struct spirv_ext *x, uint32_t n, unsigned components)
{
   hd_def *def = hd_spirv_ext_operand(s, x, n);

   if (def->num_components != components || def->bit_size != 32)
      hd_spirv_invalid(s, "operand %u is not %u x 32 bits", n + 1, components);
   return def;
}

/* Three operands ------------------------------------------------------------------------------ */

typedef hd_def *build_two(hd_builder *b, hd_def *x, hd_def *y);

static void
trinary(struct spirv *s, const struct spirv_ext *x, uint32_t number)
{
   static build_two *const mins[] = { hd_fmin, hd_umin, hd_imin };
   static build_two *const maxs[] = { hd_fmax, hd_umax, hd_imax };
   enum { MIN3, MAX3, MID3 };
   hd_builder *b = &s->b;

   if (!number || number > 9)
      hd_spirv_invalid(s, "the set has no instruction %u", number);
   OPERANDS(x, 3);
   const unsigned kind = (number - 1) / 3, type = (number - 1) % 3;
   hd_def *p = hd_spirv_ext_operand(s, x, 0);
   hd_def *q = same_shape(s, x, 1, p), *r = same_shape(s, x, 2, p);
   if (p->bit_size < (type ? 8 : 16))
      hd_spirv_invalid(s, "the operands have %u bits, expected %u or more", p->bit_size,
                       type ? 8 : 16);
   hd_def *result;
   if (kind == MIN3) {
      result = mins[type](b, mins[type](b, p, q), r);
   } else if (kind == MAX3) {
      result = maxs[type](b, maxs[type](b, p, q), r);
   } else {
      hd_def *upper = mins[type](b, maxs[type](b, p, q), r);
      result = maxs[type](b, mins[type](b, p, q), upper);
   }
   hd_spirv_set_def(s, x->instr, result);
}

/* Cube maps ----------------------------------------------------------------------------------- */

/* The axis of the largest of the coordinates, z before y before x where several are. */
struct cube {
   hd_def *at[3];
   hd_def *is_z, *is_y; /* and not z */
};

static hd_def *
by_axis(hd_builder *b, const struct cube *c, hd_def *x, hd_def *y, hd_def *z)
{
   return hd_select(b, c->is_z, z, hd_select(b, c->is_y, y, x));
}

static struct cube
read_cube(struct spirv *s, const struct spirv_ext *x)
{
   hd_builder *b = &s->b;
   hd_def *p = hd_spirv_ext_operand(s, x, 0), *size[3];
   struct cube c;

   if (p->num_components != 3 || p->bit_size != 32)
      hd_spirv_invalid(s, "expected a vector of three 32-bit floats");
   for (unsigned n = 0; n < 3; n++) {
      c.at[n] = hd_build_channel(b, p, n);
      size[n] = hd_fabs(b, c.at[n]);
   }
   hd_def *above_y = hd_fle(b, size[1], size[2]);
   c.is_z = hd_iand(b, hd_fle(b, size[0], size[2]), above_y);
   c.is_y = hd_fle(b, size[0], size[1]);
   return c;
}

/* Faces are +x, -x, +y, -y, +z, -z. */
static hd_def *
cube_face(struct spirv *s, const struct cube *c)
{
   hd_builder *b = &s->b;
   hd_def *major = by_axis(b, c, c->at[0], c->at[1], c->at[2]);
   hd_def *four = hd_imm_float(b, 32, 4);
   hd_def *two = hd_imm_float(b, 32, 2);
   hd_def *face = by_axis(b, c, hd_imm_float(b, 32, 0), two, four);
   hd_def *negative = hd_flt(b, major, hd_imm_float(b, 32, 0));

   hd_def *zero = hd_imm_float(b, 32, 0);
   return hd_fadd(b, face, hd_select(b, negative, hd_imm_float(b, 32, 1), zero));
}

/* As the coordinates of cube maps in the tables of OpenGL and Vulkan. */
static hd_def *
cube_coordinates(struct spirv *s, const struct cube *c)
{
   hd_builder *b = &s->b;
   hd_def *x = c->at[0], *y = c->at[1], *z = c->at[2], *zero = hd_imm_float(b, 32, 0);
   hd_def *major = by_axis(b, c, x, y, z), *negative = hd_flt(b, major, zero);
   hd_def *minus_x = hd_fneg(b, x), *minus_y = hd_fneg(b, y), *minus_z = hd_fneg(b, z);
   hd_def *across_y = hd_select(b, negative, minus_x, x);
   hd_def *across = by_axis(b, c, hd_select(b, negative, z, minus_z), x, across_y);
   hd_def *down = by_axis(b, c, minus_y, hd_select(b, negative, minus_z, z), minus_y);
   hd_def *two = hd_imm_float(b, 32, 2);
   hd_def *scale = hd_frcp(b, hd_fmul(b, hd_fabs(b, major), two));
   hd_def *half = hd_imm_float(b, 32, 0.5), *parts[2];

   parts[0] = hd_ffma(b, across, scale, half);
   parts[1] = hd_ffma(b, down, scale, half);
   return hd_build_vec(b, 2, parts);
}

static void
gcn_shader(struct spirv *s, const struct spirv_ext *x, uint32_t number)
{
   enum { CUBE_FACE_INDEX = 1, CUBE_FACE_COORD, TIME };

   if (number == TIME) {
      OPERANDS(x, 0);
      hd_spirv_set_def(s, x->instr, hd_clock(&s->b, HD_SCOPE_SUBGROUP));
      return;
   }
   if (number != CUBE_FACE_INDEX && number != CUBE_FACE_COORD)
      hd_spirv_invalid(s, "the set has no instruction %u", number);
   OPERANDS(x, 1);
   const struct cube c = read_cube(s, x);
   hd_spirv_set_def(s, x->instr,
                    number == CUBE_FACE_INDEX ? cube_face(s, &c) : cube_coordinates(s, &c));
}

/* Lanes --------------------------------------------------------------------------------------- */

/* What another lane has: 0 where that lane is not active. */
static hd_def *
from_lane(struct spirv *s, hd_def *x, hd_def *lane)
{
   hd_builder *b = &s->b;
   const hd_const_value zero[HD_MAX_COMPONENTS] = { { .u64 = 0 } };
   hd_def *there = hd_ballot_bit(b, hd_ballot(b, hd_imm_bool(b, true)), lane);

   hd_def *none = hd_imm(b, x->num_components, x->bit_size, zero);
   hd_def *taken = hd_shuffle(b, x, lane);
   return hd_select(b, hd_spirv_splat(s, there, x->num_components), taken, none);
}

/* The offsets say from which lane of its four each lane reads. */
static hd_def *
swizzle(struct spirv *s, const struct spirv_ext *x)
{
   hd_builder *b = &s->b;
   hd_def *lane = hd_subgroup_invocation(b), *three = hd_imm_u32(b, 3);
   hd_def *place = hd_iand(b, lane, three);
   hd_def *offset = hd_spirv_channel(s, integers(s, x, 1, 4), place);
   hd_def *first = hd_iand(b, lane, hd_imm_u32(b, ~3u));

   hd_def *from = hd_ior(b, first, hd_iand(b, offset, three));
   return from_lane(s, hd_spirv_ext_operand(s, x, 0), from);
}

/* Within each 32 lanes: the number of the lane, and, or and exclusive-or of the masks. */
static hd_def *
swizzle_masked(struct spirv *s, const struct spirv_ext *x)
{
   hd_builder *b = &s->b;
   hd_def *masks = integers(s, x, 1, 3), *low = hd_imm_u32(b, 31);
   hd_def *lane = hd_subgroup_invocation(b);
   hd_def *kept = hd_build_channel(b, masks, 0);
   hd_def *number = hd_iand(b, hd_iand(b, lane, low), kept);

   hd_def *flipped = hd_build_channel(b, masks, 2);
   number = hd_ixor(b, hd_ior(b, number, hd_build_channel(b, masks, 1)), flipped);
   hd_def *within = hd_iand(b, number, low);
   hd_def *from = hd_ior(b, hd_iand(b, lane, hd_imm_u32(b, ~31u)), within);
   return from_lane(s, hd_spirv_ext_operand(s, x, 0), from);
}

static hd_def *
write_lane(struct spirv *s, const struct spirv_ext *x)
{
   hd_builder *b = &s->b;
   hd_def *value = hd_spirv_ext_operand(s, x, 0), *written = same_shape(s, x, 1, value);
   hd_def *index = integers(s, x, 2, 1);
   hd_def *here = hd_ieq(b, hd_subgroup_invocation(b), index);

   return hd_select(b, hd_spirv_splat(s, here, value->num_components), written, value);
}

/* How many bits below its own a lane finds in a mask of 64. */
static hd_def *
count_below(struct spirv *s, const struct spirv_ext *x)
{
   hd_builder *b = &s->b;
   hd_def *mask = hd_spirv_ext_operand(s, x, 0), *zero = hd_imm_u32(b, 0), *words[4];

   if (mask->num_components != 1 || mask->bit_size != 64)
      hd_spirv_invalid(s, "expected a 64-bit mask");
   hd_def *halves = hd_unpack_64_2x32(b, mask);
   words[0] = hd_build_channel(b, halves, 0);
   words[1] = hd_build_channel(b, halves, 1);
   words[2] = words[3] = zero;
   return hd_ballot_bit_count_exclusive(b, hd_build_vec(b, 4, words));
}

static void
ballot(struct spirv *s, const struct spirv_ext *x, uint32_t number)
{
   static hd_def *(*const build[])(struct spirv * s,
                                   const struct spirv_ext *x) = { swizzle, swizzle_masked,
                                                                  write_lane, count_below };
   static const uint8_t num_operands[] = { 2, 2, 3, 1 };

   if (!number || number > sizeof(num_operands))
      hd_spirv_invalid(s, "the set has no instruction %u", number);
   OPERANDS(x, num_operands[number - 1]);
   hd_spirv_set_def(s, x->instr, build[number - 1](s, x));
}

void
hd_spirv_ext_amd(struct spirv *s, uint32_t ext_set, const struct spirv_instr *i, uint32_t number,
                 const uint32_t *operands, uint32_t num_operands)
{
   const struct spirv_ext x = { i, operands, num_operands };

   if (ext_set == EXT_TRINARY)
      trinary(s, &x, number);
   else if (ext_set == EXT_GCN_SHADER)
      gcn_shader(s, &x, number);
   else
      ballot(s, &x, number);
}
