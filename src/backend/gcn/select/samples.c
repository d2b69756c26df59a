/* SPDX-License-Identifier: MIT */
/* samples.c - filtered texels: image_sample and image_gather4.
 *
 *    v[offset, bias, reference, gradients, coordinates, level], s[resource:8], s[sampler:4]
 *
 * What is not asked for has no register, and the name of the instruction says what has one. Of a cube the
 * coordinates are those of its face, between 1 and 2, and the number of the face; of an array of
 * them 8 times the cube more. A layer is rounded: before gfx9 the machine would round it otherwise.
 */
#include "backend/gcn/select/smem.h"

#include <string.h>

#include "heddle/intrinsic_enum.h"

#define MAX_ADDRESS 12u
/* Floats. */
#define HALF        0x3f000000u
#define ONE         0x3f800000u
#define THREE_HALFS 0x3fc00000u
#define TWO         0x40000000u
#define FOUR        0x40800000u
#define EIGHT       0x41000000u
#define MINUS_ONE   0xbf800000u
#define MINUS_TWO   0xc0000000u

/* The operand of this name; NULL: there is none. */
static const hd_src *
operand(const hd_intrinsic *i, const char *name)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (!strcmp(info->src[n].name, name))
         return &i->src[n];
   }
   return NULL;
}

static bool
is_zero(const hd_src *src)
{
   const hd_const *c = src ? hd_src_as_const(src) : NULL;

   for (unsigned n = 0; c && n < src->def->num_components; n++) {
      if (c->value[n].u32)
         return false;
   }
   return c != NULL;
}

/* An operand that is there and changes something. */
static const hd_src *
that_counts(const hd_intrinsic *i, const char *name)
{
   const hd_src *src = operand(i, name);

   return src && !is_zero(src) ? src : NULL;
}

/* By what is asked for: instructions of one kind are 32 side by side in the order of their names. */
typedef struct sample_name {
   bool offset, compare;
   enum { OF_QUAD, CLAMPED, GIVEN, GIVEN_CLAMPED, LEVEL, BIASED, BIASED_CLAMPED, LEVEL_0 } mode;
} sample_name;

#define MODES(prefix, o)                                                                           \
   {                                                                                               \
      prefix##o, prefix##_CL##o, prefix##_D##o, prefix##_D_CL##o, prefix##_L##o, prefix##_B##o,    \
          prefix##_B_CL##o, prefix##_LZ##o                                                         \
   }

static const uint16_t sample_ops[2][2][8] = {
   { MODES(HD_GCN_IMAGE_SAMPLE, ), MODES(HD_GCN_IMAGE_SAMPLE, _O) },
   { MODES(HD_GCN_IMAGE_SAMPLE_C, ), MODES(HD_GCN_IMAGE_SAMPLE_C, _O) },
};

/* Level 0 alone is gathered. */
static const uint16_t gather_ops[2][2] = {
   { HD_GCN_IMAGE_GATHER4_LZ, HD_GCN_IMAGE_GATHER4_LZ_O },
   { HD_GCN_IMAGE_GATHER4_C_LZ, HD_GCN_IMAGE_GATHER4_C_LZ_O },
};

typedef struct address {
   hd_mach_operand parts[MAX_ADDRESS];
   unsigned num;
} address;

static void
add(address *a, hd_mach_operand part)
{
   a->parts[a->num++] = part;
}

static hd_mach_operand
in_vgpr(hd_gcn_selector *s, const hd_def *def, unsigned component)
{
   return hd_gcn_to_file(s, HD_GCN_VGPR, hd_gcn_component(s, def, component));
}

/* Six bits of each dimension, eight apart. */
static hd_mach_operand
pack_offset(hd_gcn_selector *s, hd_mach_operand x, hd_mach_operand y)
{
   const hd_mach_operand low = hd_gcn_new(s, HD_GCN_VGPR, 1), high = hd_gcn_new(s, HD_GCN_VGPR, 1),
                         above = hd_gcn_new(s, HD_GCN_VGPR, 1), d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   hd_gcn_emit2(s, HD_GCN_V_AND_B32, low, hd_gcn_imm(s, 63), x);
   hd_gcn_emit2(s, HD_GCN_V_AND_B32, high, hd_gcn_imm(s, 63), y);
   hd_gcn_emit2(s, HD_GCN_V_LSHLREV_B32, above, hd_gcn_imm(s, 8), high);
   hd_gcn_emit2(s, HD_GCN_V_OR_B32, d, low, above);
   return d;
}

/* False: there is none. */
static bool
add_offset(hd_gcn_selector *s, const hd_intrinsic *i, address *a)
{
   const hd_src *dynamic = operand(i, "offset");
   uint32_t known = 0;

   if (dynamic) {
      const hd_const *c = hd_src_as_const(dynamic);
      if (!c) {
         const hd_mach_operand x = in_vgpr(s, dynamic->def, 0), y = in_vgpr(s, dynamic->def, 1);
         add(a, pack_offset(s, x, y));
         return true;
      }
      known = (c->value[0].u32 & 63) | (c->value[1].u32 & 63) << 8;
   }
   for (unsigned n = 0; n < 3; n++)
      known |= (hd_intrinsic_index(i, (hd_index)(HD_INDEX_OFFSET_X + n)) & 63) << 8 * n;
   if (known)
      add(a, hd_gcn_constant_in(s, HD_GCN_VGPR, known));
   return known != 0;
}

static hd_mach_operand
rounded(hd_gcn_selector *s, hd_mach_operand layer, bool always)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   if (hd_gcn_target_in(s->p)->gen >= HD_GCN_GFX900 && !always)
      return layer;
   hd_gcn_emit1(s, HD_GCN_V_RNDNE_F32, d, layer);
   return d;
}

/* A direction on the face that it leads to: sc / |2 rc| and tc / |2 rc|, 1 / |2 rc|, the face. */
typedef struct on_face {
   hd_mach_operand u[2], inverse, face;
} on_face;

static hd_mach_operand
emit2(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand a, hd_mach_operand b)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   hd_gcn_emit2(s, op, d, a, b);
   return d;
}

static on_face
find_face(hd_gcn_selector *s, const hd_def *coord)
{
   static const hd_gcn_op ops[] = { HD_GCN_V_CUBESC_F32, HD_GCN_V_CUBETC_F32, HD_GCN_V_CUBEMA_F32,
                                    HD_GCN_V_CUBEID_F32 };
   hd_mach_operand xyz[3], found[4];
   on_face f = { .inverse = hd_gcn_new(s, HD_GCN_VGPR, 1) };

   for (unsigned n = 0; n < 3; n++)
      xyz[n] = in_vgpr(s, coord, n);
   for (unsigned n = 0; n < 4; n++) {
      found[n] = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit3(s, ops[n], found[n], xyz[0], xyz[1], xyz[2]);
   }
   hd_mach_inst *rcp = hd_gcn_emit_full(s, HD_GCN_V_RCP_F32, 1, &f.inverse, 1, &found[2], 0);
   hd_mach_src(rcp, 0)->flags |= HD_GCN_OPERAND_ABS;
   rcp->form = HD_GCN_FORM_VOP3;
   f.u[0] = found[0];
   f.u[1] = found[1];
   f.face = found[3];
   return f;
}

/* Which face it is, as masks and a sign. */
typedef struct face_masks {
   hd_mach_operand is_z, is_yz, sign;
} face_masks;

static face_masks
masks_of(hd_gcn_selector *s, const on_face *f)
{
   const hd_mach_operand half = emit2(s, HD_GCN_V_MUL_F32, hd_gcn_imm(s, HALF), f->face);
   const hd_mach_operand odd = hd_gcn_new_mask(s), part = hd_gcn_new(s, HD_GCN_VGPR, 1);
   const hd_mach_operand one = hd_gcn_constant_in(s, HD_GCN_VGPR, ONE);
   const hd_mach_operand minus_one = hd_gcn_constant_in(s, HD_GCN_VGPR, MINUS_ONE);
   face_masks m = { hd_gcn_new_mask(s), hd_gcn_new_mask(s), hd_gcn_new(s, HD_GCN_VGPR, 1) };

   hd_gcn_emit2(s, HD_GCN_V_CMP_LE_F32, m.is_z, hd_gcn_imm(s, FOUR), f->face);
   hd_gcn_emit2(s, HD_GCN_V_CMP_LE_F32, m.is_yz, hd_gcn_imm(s, TWO), f->face);
   hd_gcn_emit1(s, HD_GCN_V_FRACT_F32, part, half);
   hd_gcn_emit2(s, HD_GCN_V_CMP_LT_F32, odd, hd_gcn_imm(s, 0), part);
   hd_gcn_emit3(s, HD_GCN_V_CNDMASK_B32, m.sign, one, minus_one, odd);
   return m;
}

static hd_mach_operand
either(hd_gcn_selector *s, hd_mach_operand mask, hd_mach_operand yes, hd_mach_operand no)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   hd_gcn_emit3(s, HD_GCN_V_CNDMASK_B32, d, no, yes, mask);
   return d;
}

static hd_mach_operand
negated(hd_gcn_selector *s, hd_mach_operand a)
{
   return emit2(s, HD_GCN_V_MUL_F32, hd_gcn_imm(s, MINUS_ONE), a);
}

/* The gradient of sc / (2 rc) is (dsc - 2 sc / (2 rc) drc) / (2 rc), that of tc likewise. With the sign of the
 * face, sc is -sign z, x, sign x by the axis, tc is -y, sign z, -y, and rc is sign times the axis.
 */
static void
add_face_gradient(hd_gcn_selector *s, const on_face *f, const face_masks *m, const hd_def *d,
                  address *a)
{
   const hd_mach_operand x = in_vgpr(s, d, 0), y = in_vgpr(s, d, 1), z = in_vgpr(s, d, 2);
   const hd_mach_operand sx = emit2(s, HD_GCN_V_MUL_F32, m->sign, x);
   const hd_mach_operand sz = emit2(s, HD_GCN_V_MUL_F32, m->sign, z);
   const hd_mach_operand minus_sz = negated(s, sz), minus_y = negated(s, y);
   hd_mach_operand turned[2], rc = either(s, m->is_yz, y, x);

   turned[0] = either(s, m->is_yz, x, minus_sz);
   turned[0] = either(s, m->is_z, sx, turned[0]);
   turned[1] = either(s, m->is_yz, sz, minus_y);
   turned[1] = either(s, m->is_z, minus_y, turned[1]);
   rc = either(s, m->is_z, z, rc);
   rc = emit2(s, HD_GCN_V_MUL_F32, m->sign, rc);
   const hd_mach_operand twice = emit2(s, HD_GCN_V_MUL_F32, hd_gcn_imm(s, MINUS_TWO), rc);
   for (unsigned n = 0; n < 2; n++) {
      const hd_mach_operand u = emit2(s, HD_GCN_V_MUL_F32, f->u[n], f->inverse);
      const hd_mach_operand sum = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit3(s, HD_GCN_V_FMA_F32, sum, u, twice, turned[n]);
      add(a, emit2(s, HD_GCN_V_MUL_F32, sum, f->inverse));
   }
}

/* sc / |2 rc| + 3/2, tc likewise, the face. */
static void
add_cube(hd_gcn_selector *s, const on_face *f, const hd_def *coord, bool array, address *a)
{
   const hd_mach_operand middle = hd_gcn_constant_in(s, HD_GCN_SGPR, THREE_HALFS);

   for (unsigned n = 0; n < 2; n++) {
      const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit3(s, HD_GCN_V_FMA_F32, d, f->u[n], f->inverse, middle);
      add(a, d);
   }
   if (!array) {
      add(a, f->face);
      return;
   }
   /* Held at the first cube here: the sum would be a face of none. */
   const hd_mach_operand whole = rounded(s, in_vgpr(s, coord, 3), true);
   const hd_mach_operand layer = emit2(s, HD_GCN_V_MAX_F32, hd_gcn_imm(s, 0), whole);
   const hd_mach_operand eight = hd_gcn_constant_in(s, HD_GCN_SGPR, EIGHT);
   const hd_mach_operand face = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit3(s, HD_GCN_V_FMA_F32, face, layer, eight, f->face);
   add(a, face);
}

static void
add_coordinates(hd_gcn_selector *s, const hd_def *coord, hd_image_dim dim, bool array, address *a)
{
   const unsigned num = hd_image_coord_components(dim, false);

   for (unsigned c = 0; c < num; c++)
      add(a, hd_gcn_component(s, coord, c));
   if (array)
      add(a, rounded(s, in_vgpr(s, coord, num), false));
}

static bool
can_have(hd_gcn_selector *s, const hd_intrinsic *i, hd_image_dim dim)
{
   return dim != HD_DIM_BUFFER ||
          hd_mach_refuse(s->p, &i->instr, "expected an image with a sampler, found a texel buffer");
}

/* The address but for its coordinates, and behind them; the name that says what it has. */
static sample_name
add_all(hd_gcn_selector *s, const hd_intrinsic *i, hd_image_dim dim, bool array, address *a)
{
   const hd_src *bias = that_counts(i, "bias"), *reference = operand(i, "reference");
   const hd_src *ddx = operand(i, "ddx"), *ddy = operand(i, "ddy"), *lod = operand(i, "lod");
   const hd_src *least = that_counts(i, "min_lod");
   sample_name name = { .compare = reference != NULL };

   name.offset = add_offset(s, i, a);
   if (bias)
      add(a, hd_gcn_component(s, bias->def, 0));
   if (reference)
      add(a, hd_gcn_component(s, reference->def, 0));
   const hd_def *coord = operand(i, "coord")->def;
   if (dim == HD_DIM_CUBE) {
      const on_face f = find_face(s, coord);
      if (ddx) {
         const face_masks m = masks_of(s, &f);
         add_face_gradient(s, &f, &m, ddx->def, a);
         add_face_gradient(s, &f, &m, ddy->def, a);
      }
      add_cube(s, &f, coord, array, a);
   } else {
      for (unsigned c = 0; ddx && c < ddx->def->num_components; c++)
         add(a, hd_gcn_component(s, ddx->def, c));
      for (unsigned c = 0; ddy && c < ddy->def->num_components; c++)
         add(a, hd_gcn_component(s, ddy->def, c));
      add_coordinates(s, coord, dim, array, a);
   }
   if (lod && !is_zero(lod))
      add(a, hd_gcn_component(s, lod->def, 0));
   if (least)
      add(a, hd_gcn_component(s, least->def, 0));
   name.mode = lod     ? is_zero(lod) ? LEVEL_0 : LEVEL
               : ddx   ? least ? GIVEN_CLAMPED : GIVEN
               : bias  ? least ? BIASED_CLAMPED : BIASED
               : least ? CLAMPED
                       : OF_QUAD;
   return name;
}

bool
hd_gcn_select_sample(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_def *def = &i->instr.def;
   const hd_image_dim dim = (hd_image_dim)hd_intrinsic_index(i, HD_INDEX_DIM);
   const bool array = hd_intrinsic_index(i, HD_INDEX_ARRAY),
              query = i->instr.op == HD_INTRINSIC_IMAGE_QUERY_LOD;
   const bool gather =
       i->instr.op == HD_INTRINSIC_IMAGE_GATHER || i->instr.op == HD_INTRINSIC_IMAGE_GATHER_COMPARE;
   unsigned size, mask = hd_gcn_texel_mask(s, def, &size);
   hd_mach_operand srcs[3];
   address a = { .num = 0 };

   if (!can_have(s, i, dim))
      return false;
   if (gather) {
      mask = (1u << def->num_components) - 1;
      size = hd_gcn_texel_size(s, def->bit_size, def->num_components);
   }
   srcs[1] = hd_gcn_image_descriptor(s, i, HD_GCN_OF_IMAGE, operand(i, "image"));
   if (!srcs[1].size)
      return false;
   srcs[2] = hd_gcn_image_descriptor(s, i, HD_GCN_OF_SAMPLER, operand(i, "sampler"));
   if (!srcs[2].size)
      return false;
   const sample_name name = add_all(s, i, dim, array, &a);
   srcs[0] = hd_gcn_join(s, HD_GCN_VGPR, a.num, a.parts);
   hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, size);
   const unsigned op = query    ? (unsigned)HD_GCN_IMAGE_GET_LOD
                       : gather ? gather_ops[name.compare][name.offset]
                                : sample_ops[name.compare][name.offset][name.mode];
   unsigned bits = array || dim == HD_DIM_CUBE ? (unsigned)HD_GCN_DA : 0u;
   bits |= hd_gcn_has_texel_halves(s, def->bit_size) ? (unsigned)HD_GCN_D16 : 0u;
   hd_mach_inst *inst = hd_gcn_emit_full(s, op, 1, &d, 3, srcs, bits);
   inst->imm = gather ? 1 << hd_intrinsic_index(i, HD_INDEX_COMPONENT) : (int32_t)mask;
   inst->memory = query ? HD_MACH_MEMORY_CONSTANT : HD_MACH_MEMORY_GLOBAL;
   hd_gcn_set_texel(s, def, mask, d, srcs[1]);
   return true;
}
