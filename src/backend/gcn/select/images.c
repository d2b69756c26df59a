/* SPDX-License-Identifier: MIT */
/* images.c - texels: loads, stores, atomics, sizes; texel buffers.
 *
 *    image        image_load ...  v[coordinates, slice, sample or level], s[resource:8]
 *    texel buffer buffer_load_format_* v(index), s[resource:4], idxen
 *
 * A face is a slice: of a cube array 6 times the number of the cube more. A level that is not 0 is
 * the last part of the address, and takes another instruction. What lies outside reads 0 and writes
 * nothing in the machine as in the IR.
 *
 * Of components of 16 and 64 bits texel_parts.c knows.
 */
#include "backend/gcn/abi/abi.h"
#include "backend/gcn/select/smem.h"

#include "analysis/known_bits.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"

/* One that no resource reaches: slices have 13 bits. */
#define NO_SLICE    0x10000u
#define MAX_ADDRESS 12u

/* An image intrinsic, its operands by what they are. */
typedef struct texel {
   const hd_intrinsic *i;
   const hd_src *image, *coord, *sample, *lod; /* NULL: there is none */
   hd_image_dim dim;
   bool array, ms;
   uint32_t access;
} texel;

bool
hd_gcn_is_image(const hd_intrinsic *i)
{
   return i->instr.op >= HD_INTRINSIC_IMAGE_LOAD && i->instr.op <= HD_INTRINSIC_IMAGE_QUERY_LOD;
}

/* Sizes of level 0 that are in the words of the resource as such: those of cubes count faces, and rows of
 * slices have them elsewhere. Coordinates of fragments differ, and what is computed with them is in vector
 * registers, to which one instruction brings all of a size.
 */
static bool
size_is_in_words(const hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_image_dim dim = (hd_image_dim)hd_intrinsic_index(i, HD_INDEX_DIM);
   const hd_const *level = hd_src_as_const(&i->src[1]);

   return (dim == HD_DIM_D2 || dim == HD_DIM_D3) && level && level->value[0].u32 == 0 &&
          !hd_gcn_is_graphics(s->p->shader);
}

bool
hd_gcn_image_is_scalar(const hd_gcn_selector *s, const hd_intrinsic *i)
{
   return i->instr.op == HD_INTRINSIC_IMAGE_SAMPLES ||
          (i->instr.op == HD_INTRINSIC_IMAGE_SIZE &&
           (hd_intrinsic_index(i, HD_INDEX_DIM) == HD_DIM_BUFFER || size_is_in_words(s, i)));
}

static texel
texel_of(const hd_intrinsic *i, bool store)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const bool place = info->num_srcs > store + 2u;

   return (texel){
      .i = i,
      .image = &i->src[store],
      .coord = place ? &i->src[store + 1] : NULL,
      .sample = place ? &i->src[store + 2] : NULL,
      .dim = (hd_image_dim)hd_intrinsic_index(i, HD_INDEX_DIM),
      .array = hd_intrinsic_index(i, HD_INDEX_ARRAY),
      .ms = hd_intrinsic_index(i, HD_INDEX_MS),
      .access = hd_intrinsic_index(i, HD_INDEX_ACCESS),
   };
}

static bool
is_zero(const hd_src *src)
{
   const hd_const *c = src ? hd_src_as_const(src) : NULL;

   return c && c->value[0].u32 == 0;
}

static hd_mach_operand
in_vgpr(hd_gcn_selector *s, const hd_def *def, unsigned component)
{
   return hd_gcn_to_file(s, HD_GCN_VGPR, hd_gcn_component(s, def, component));
}

/* value <= most, or else NO_SLICE. */
static hd_mach_operand
no_more_than(hd_gcn_selector *s, hd_mach_operand value, uint32_t most)
{
   const hd_mach_operand inside = hd_gcn_new_mask(s),
                         none = hd_gcn_constant_in(s, HD_GCN_VGPR, NO_SLICE);
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   hd_gcn_emit2(s, HD_GCN_V_CMP_GE_U32, inside, hd_gcn_imm(s, most), value);
   hd_gcn_emit3(s, HD_GCN_V_CNDMASK_B32, d, none, value, inside);
   return d;
}

/* The slice of a face: a number that is none of a face leads out of the image, and so does that of a
 * cube whose product would wrap.
 */
static hd_mach_operand
slice_of_face(hd_gcn_selector *s, const texel *t)
{
   const hd_def *coord = t->coord->def;
   const hd_mach_operand face = no_more_than(s, in_vgpr(s, coord, 2), 5);

   if (!t->array)
      return face;
   const hd_mach_operand cube = no_more_than(s, in_vgpr(s, coord, 3), NO_SLICE);
   const hd_mach_operand first = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit2(s, HD_GCN_V_MUL_U32_U24, first, cube, hd_gcn_constant_in(s, HD_GCN_VGPR, 6));
   return hd_gcn_add(s, first, face);
}

/* Coordinates, slice, sample, level: parts in any file, since each vector is a copy of what else is read. */
static hd_mach_operand
address_of(hd_gcn_selector *s, const texel *t)
{
   const unsigned num_coords = hd_image_coord_components(t->dim, t->array);
   hd_mach_operand parts[MAX_ADDRESS];
   unsigned num = 0;

   if (t->dim == HD_DIM_CUBE) {
      parts[num++] = hd_gcn_component(s, t->coord->def, 0);
      parts[num++] = hd_gcn_component(s, t->coord->def, 1);
      parts[num++] = slice_of_face(s, t);
   } else {
      for (unsigned c = 0; c < num_coords; c++)
         parts[num++] = hd_gcn_component(s, t->coord->def, c);
   }
   if (t->ms)
      parts[num++] = hd_gcn_component(s, t->sample->def, 0);
   if (t->lod && !is_zero(t->lod))
      parts[num++] = hd_gcn_component(s, t->lod->def, 0);
   return hd_gcn_join(s, HD_GCN_VGPR, num, parts);
}

static unsigned
bits_of(const texel *t)
{
   const bool layers = t->array || t->dim == HD_DIM_CUBE;

   return HD_GCN_UNORM | (layers ? (unsigned)HD_GCN_DA : 0u);
}

static uint8_t
memory_of(const texel *t, bool loads)
{
   return hd_gcn_access_memory(HD_MACH_MEMORY_GLOBAL, t->access, loads);
}

static bool
can_have(hd_gcn_selector *s, const texel *t)
{
   return t->dim != HD_DIM_BUFFER || !t->array ||
          hd_mach_refuse(s->p, &t->i->instr, "expected one texel buffer, found an array of them");
}

/* Which components are not known to be zero, as those are that no register has: one at least. */
static unsigned
components_to_store(const hd_def *value)
{
   const hd_instr *instr = hd_def_instr(value);
   const hd_const *whole = hd_instr_as_const(instr);
   const hd_alu *vec = hd_instr_as_alu(instr);
   unsigned mask = 0;

   if (value->bit_size == 64)
      return 3;
   for (unsigned c = 0; c < value->num_components; c++) {
      const hd_const *part =
          !whole && vec && vec->instr.op == HD_OP_VEC ? hd_src_as_const(&vec->src[c]) : NULL;
      const bool zero = value->bit_size == 32 && (whole  ? whole->value[c].u32 == 0
                                                  : part ? part->value[0].u32 == 0
                                                         : false);
      mask |= zero ? 0 : 1u << c;
   }
   return mask ? mask : 1u;
}

static hd_mach_operand
some_to_store(hd_gcn_selector *s, const hd_def *value, unsigned mask)
{
   hd_mach_operand words[HD_MAX_COMPONENTS];
   unsigned num = 0;

   for (unsigned c = 0; c < value->num_components; c++) {
      if (mask >> c & 1)
         words[num++] = hd_gcn_component(s, value, c);
   }
   return hd_gcn_join(s, HD_GCN_VGPR, num, words);
}

/* Texel buffers */

static bool
select_typed(hd_gcn_selector *s, const texel *t, const hd_def *value)
{
   const hd_def *moved = value ? value : &t->i->instr.def;
   const bool half = hd_gcn_has_texel_halves(s, moved->bit_size);
   const unsigned size = hd_gcn_texel_size(s, moved->bit_size, moved->num_components);
   const unsigned num = moved->bit_size != 64 ? moved->num_components : value ? 2 : size;
   const hd_mach_operand resource = hd_gcn_image_descriptor(s, t->i, HD_GCN_OF_BUFFER, t->image);
   hd_mach_operand srcs[4], data;
   unsigned n = 0;

   if (!resource.size)
      return false;
   data = value ? hd_gcn_texel_to_store(s, value, resource) : hd_gcn_new(s, HD_GCN_VGPR, size);
   if (value)
      srcs[n++] = data;
   srcs[n++] = in_vgpr(s, t->coord->def, 0);
   srcs[n++] = resource;
   srcs[n++] = hd_gcn_imm(s, 0);
   hd_mach_inst *inst =
       hd_gcn_emit_full(s, hd_gcn_format_ops[value != NULL][half][num - 1], value ? 0 : 1, &data, n,
                        srcs, HD_GCN_IDXEN | hd_gcn_cache_bits(t->access, !value));
   inst->memory = memory_of(t, !value);
   if (!value)
      hd_gcn_set_texel(s, moved, (1u << num) - 1, data, resource);
   return true;
}

/* Images */

static bool
select_load(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_def *def = &i->instr.def;
   texel t = texel_of(i, false);
   hd_mach_operand srcs[2];

   t.lod = t.ms ? NULL : &i->src[3];
   if (!can_have(s, &t))
      return false;
   if (t.dim == HD_DIM_BUFFER)
      return select_typed(s, &t, NULL);
   srcs[1] = hd_gcn_image_descriptor(s, i, HD_GCN_OF_IMAGE, t.image);
   if (!srcs[1].size)
      return false;
   srcs[0] = address_of(s, &t);
   unsigned size;
   const unsigned mask = hd_gcn_texel_mask(s, def, &size);
   const hd_mach_operand loaded = hd_gcn_new(s, HD_GCN_VGPR, size);
   const bool level = t.lod && !is_zero(t.lod);
   hd_mach_inst *inst = hd_gcn_emit_full(
       s, level ? HD_GCN_IMAGE_LOAD_MIP : HD_GCN_IMAGE_LOAD, 1, &loaded, 2, srcs,
       bits_of(&t) | hd_gcn_cache_bits(t.access, true) |
           (hd_gcn_has_texel_halves(s, def->bit_size) ? (unsigned)HD_GCN_D16 : 0u));
   inst->imm = (int32_t)mask;
   inst->memory = memory_of(&t, true);
   hd_gcn_set_texel(s, def, mask, loaded, srcs[1]);
   return true;
}

static bool
select_store(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_def *value = i->src[0].def;
   texel t = texel_of(i, true);
   hd_mach_operand srcs[3];

   t.lod = t.ms ? NULL : &i->src[4];
   if (!can_have(s, &t))
      return false;
   if (t.dim == HD_DIM_BUFFER)
      return select_typed(s, &t, value);
   srcs[2] = hd_gcn_image_descriptor(s, i, HD_GCN_OF_IMAGE, t.image);
   if (!srcs[2].size)
      return false;
   srcs[1] = address_of(s, &t);
   const unsigned mask = components_to_store(value);
   const bool some = value->bit_size == 32 && mask != (1u << value->num_components) - 1;
   srcs[0] = some ? some_to_store(s, value, mask) : hd_gcn_texel_to_store(s, value, srcs[2]);
   const bool level = t.lod && !is_zero(t.lod);
   hd_mach_inst *inst = hd_gcn_emit_full(
       s, level ? HD_GCN_IMAGE_STORE_MIP : HD_GCN_IMAGE_STORE, 0, NULL, 3, srcs,
       bits_of(&t) | hd_gcn_cache_bits(t.access, false) |
           (hd_gcn_has_texel_halves(s, value->bit_size) ? (unsigned)HD_GCN_D16 : 0u));
   inst->imm = (int32_t)mask;
   inst->memory = memory_of(&t, false);
   return true;
}

static bool
select_atomic(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const bool swaps = i->instr.op == HD_INTRINSIC_IMAGE_ATOMIC_SWAP;
   const unsigned op =
       swaps ? (unsigned)HD_GCN_COMPARE_SWAP : hd_intrinsic_index(i, HD_INDEX_ATOMIC_OP);
   const unsigned last = i->instr.num_srcs - 1u;
   const bool returns = i->instr.def.uses != NULL;
   const texel t = texel_of(i, false);
   const bool buffer = t.dim == HD_DIM_BUFFER, wide = i->instr.def.bit_size == 64;
   const hd_gcn_way way = buffer ? HD_GCN_BY_MUBUF : HD_GCN_BY_MIMG;
   hd_mach_operand srcs[4], old = { .reg = HD_MACH_NO_REG };
   unsigned num = 0;

   if (op >= HD_GCN_NUM_ATOMICS || !hd_gcn_atomic_ops[op][way][0])
      return hd_mach_refuse(s->p, &i->instr,
                            "expected an atomic on integer texels, found one on floats");
   if (!can_have(s, &t))
      return false;
   const hd_mach_operand resource =
       hd_gcn_image_descriptor(s, i, buffer ? HD_GCN_OF_BUFFER : HD_GCN_OF_IMAGE, t.image);
   if (!resource.size)
      return false;
   srcs[num] = hd_gcn_in_vgprs(s, i->src[last].def);
   if (swaps)
      srcs[num] =
          hd_gcn_join(s, HD_GCN_VGPR, 2,
                      (hd_mach_operand[]){ srcs[num], hd_gcn_in_vgprs(s, i->src[last - 1].def) });
   num++;
   srcs[num++] = buffer ? in_vgpr(s, t.coord->def, 0) : address_of(s, &t);
   srcs[num++] = resource;
   if (buffer)
      srcs[num++] = hd_gcn_imm(s, 0);
   /* An image gives as many registers as it takes: the old value is in the first. */
   const unsigned width = wide ? 2 : 1, size = swaps && !buffer ? 2 * width : width;
   if (returns)
      old = hd_gcn_new(s, HD_GCN_VGPR, size);
   unsigned bits = buffer ? (unsigned)HD_GCN_IDXEN : bits_of(&t);
   bits |= hd_gcn_atomic_bits(t.access, returns);
   hd_mach_inst *inst = hd_gcn_emit_full(s, hd_gcn_atomic_ops[op][way][buffer && wide],
                                         returns ? 1 : 0, &old, num, srcs, bits);
   inst->imm = buffer ? 0 : (1 << (swaps ? 2 * width : width)) - 1;
   inst->memory = memory_of(&t, false);
   if (returns) {
      hd_mach_operand parts[2];
      hd_gcn_parts(s, old, width, parts);
      hd_gcn_set_value(s, &i->instr.def, parts[0]);
   }
   return true;
}

/* Queries */

/* Some of what the machine says of a level: width, height, depth or slices, number of levels. */
static hd_mach_operand
resource_info(hd_gcn_selector *s, const texel *t, hd_mach_operand level, unsigned components)
{
   hd_mach_operand srcs[2] = { level, hd_gcn_image_descriptor(s, t->i, HD_GCN_OF_IMAGE, t->image) };
   hd_mach_operand d = { .reg = HD_MACH_NO_REG };
   unsigned num = 0;

   if (!srcs[1].size)
      return d;
   for (unsigned n = 0; n < 4; n++)
      num += components >> n & 1;
   d = hd_gcn_new(s, HD_GCN_VGPR, num);
   hd_mach_inst *inst = hd_gcn_emit_full(s, HD_GCN_IMAGE_GET_RESINFO, 1, &d, 2, srcs,
                                         t->array || t->dim == HD_DIM_CUBE ? HD_GCN_DA : 0u);
   inst->imm = (int32_t)components;
   inst->memory = HD_MACH_MEMORY_CONSTANT;
   return d;
}

/* Bytes / stride, which is 1, 2, 4, 8, 12 or 16. */
static hd_mach_operand
divide_by_stride(hd_gcn_selector *s, const hd_mach_operand *words)
{
   hd_mach_operand d[5];
   const hd_mach_operand high = hd_gcn_new(s, HD_GCN_VGPR, 1),
                         third = hd_gcn_new(s, HD_GCN_VGPR, 1);

   for (unsigned n = 0; n < 5; n++)
      d[n] = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_emit2(s, HD_GCN_S_BFE_U32, d[0], words[1], hd_gcn_imm(s, 16 | 14 << 16));
   hd_gcn_emit1(s, HD_GCN_S_FF1_I32_B32, d[1], d[0]);
   hd_gcn_emit2(s, HD_GCN_S_LSHR_B32, d[2], words[2], d[1]);
   hd_gcn_emit2(s, HD_GCN_V_MUL_HI_U32, high, d[2], hd_gcn_constant_in(s, HD_GCN_VGPR, 0xaaaaaaab));
   hd_gcn_emit2(s, HD_GCN_V_LSHRREV_B32, third, hd_gcn_imm(s, 1), high);
   d[3] = hd_gcn_to_file(s, HD_GCN_SGPR, third);
   hd_gcn_emit2(s, HD_GCN_S_CMP_EQ_U32, (hd_mach_operand){ .reg = HD_MACH_NO_REG }, d[0],
                hd_gcn_imm(s, 12));
   hd_gcn_emit2(s, HD_GCN_S_CSELECT_B32, d[4], d[3], d[2]);
   return d[4];
}

/* The number of records; gfx8 has bytes there. */
static bool
select_buffer_size(hd_gcn_selector *s, const texel *t)
{
   const hd_mach_operand resource = hd_gcn_image_descriptor(s, t->i, HD_GCN_OF_BUFFER, t->image);
   hd_mach_operand words[4];

   if (!resource.size)
      return false;
   hd_gcn_parts(s, resource, 1, words);
   if (hd_gcn_target_in(s->p)->gen == HD_GCN_GFX803)
      words[2] = divide_by_stride(s, words);
   hd_gcn_set_value(s, &t->i->instr.def, words[2]);
   return true;
}

static hd_mach_operand
scalar_op(hd_gcn_selector *s, hd_gcn_op op, hd_mach_operand a, uint32_t b)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_SGPR, 1);

   hd_gcn_emit2(s, op, d, a, hd_gcn_imm(s, b));
   return d;
}

/* Bits of a word of the resource: how many, from where on. */
static hd_mach_operand
field(hd_gcn_selector *s, hd_mach_operand word, unsigned bits, unsigned from)
{
   return from ? scalar_op(s, HD_GCN_S_BFE_U32, word, from | bits << 16)
               : scalar_op(s, HD_GCN_S_AND_B32, word, (1u << bits) - 1);
}

/* Width, height, depth or slices of the first level, of the words of the resource: word 2 has the size
 * of level 0 of the image without 1, word 3 the first level, 0 of what has several samples; words 4 and 5 depth,
 * or the first and the last slice. A resource that is null has no format in word 1, and no size.
 */
static bool
size_from_words(hd_gcn_selector *s, const texel *t)
{
   const hd_mach_operand resource = hd_gcn_image_descriptor(s, t->i, HD_GCN_OF_IMAGE, t->image);
   const bool slices_apart = hd_gcn_target_in(s->p)->gen < HD_GCN_GFX900;
   hd_mach_operand words[8], less[3], parts[3];

   if (!resource.size)
      return false;
   hd_gcn_parts(s, resource, 1, words);
   less[0] = field(s, words[2], 14, 0);
   less[1] = field(s, words[2], 14, 14);
   less[2] = t->array && slices_apart ? field(s, words[5], 13, 13) : field(s, words[4], 13, 0);
   if (t->array) {
      const hd_mach_operand last = less[2], first = field(s, words[5], 13, 0);
      less[2] = hd_gcn_new(s, HD_GCN_SGPR, 1);
      hd_gcn_emit2(s, HD_GCN_S_SUB_U32, less[2], last, first);
   }
   const hd_mach_operand level = field(s, words[3], 4, 12);
   for (unsigned n = 0; n < t->i->instr.def.num_components; n++) {
      parts[n] = scalar_op(s, HD_GCN_S_ADD_U32, less[n], 1);
      if (n == 2 && t->array)
         continue;
      const hd_mach_operand size = hd_gcn_new(s, HD_GCN_SGPR, 1);
      hd_gcn_emit2(s, HD_GCN_S_LSHR_B32, size, parts[n], level);
      parts[n] = scalar_op(s, HD_GCN_S_MAX_U32, size, 1);
   }
   hd_gcn_emit2(s, HD_GCN_S_CMP_EQ_U32, (hd_mach_operand){ .reg = HD_MACH_NO_REG }, words[1],
                hd_gcn_imm(s, 0));
   for (unsigned n = 0; n < t->i->instr.def.num_components; n++) {
      const hd_mach_operand size = parts[n];
      parts[n] = hd_gcn_new(s, HD_GCN_SGPR, 1);
      hd_gcn_emit2(s, HD_GCN_S_CSELECT_B32, parts[n], hd_gcn_imm(s, 0), size);
   }
   hd_gcn_set_parts(s, &t->i->instr.def, parts);
   return true;
}

static bool
select_size(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const texel t = texel_of(i, false);
   const hd_def *def = &i->instr.def;
   const unsigned num = def->num_components;
   hd_mach_operand parts[4];

   if (t.dim == HD_DIM_BUFFER)
      return select_buffer_size(s, &t);
   if (s->known[def->index].scalar)
      return size_from_words(s, &t);
   const hd_mach_operand size = resource_info(s, &t, in_vgpr(s, i->src[1].def, 0), (1u << num) - 1);
   if (!size.size)
      return false;
   hd_gcn_parts(s, size, 1, parts);
   if (t.dim == HD_DIM_CUBE && num > 2) {
      /* Slices, which are faces: six a cube. They are few, so that the upper half is the quotient. */
      const hd_mach_operand cubes = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit2(s, HD_GCN_V_MUL_HI_U32, cubes, parts[2],
                   hd_gcn_constant_in(s, HD_GCN_VGPR, 0x2aaaaaab));
      parts[2] = cubes;
   }
   hd_gcn_set_parts(s, def, parts);
   return true;
}

static bool
select_levels(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const texel t = texel_of(i, false);
   const hd_mach_operand levels =
       resource_info(s, &t, hd_gcn_constant_in(s, HD_GCN_VGPR, 0), 1u << 3);

   if (levels.size)
      hd_gcn_set_value(s, &i->instr.def, levels);
   return levels.size != 0;
}

/* Word 3 has the type in bits 31:28, from 14 on with several samples, and the logarithm of their
 * number in the place of the last level.
 */
static bool
select_samples(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const texel t = texel_of(i, false);
   const hd_mach_operand resource = hd_gcn_image_descriptor(s, i, HD_GCN_OF_IMAGE, t.image);
   hd_mach_operand words[8], d[4];

   if (!resource.size)
      return false;
   hd_gcn_parts(s, resource, 1, words);
   for (unsigned n = 0; n < 4; n++)
      d[n] = hd_gcn_new(s, HD_GCN_SGPR, 1);
   hd_gcn_emit2(s, HD_GCN_S_BFE_U32, d[0], words[3], hd_gcn_imm(s, 16 | 4 << 16));
   hd_gcn_emit2(s, HD_GCN_S_LSHR_B32, d[1], words[3], hd_gcn_imm(s, 28));
   hd_gcn_emit2(s, HD_GCN_S_CMP_GE_U32, (hd_mach_operand){ .reg = HD_MACH_NO_REG }, d[1],
                hd_gcn_imm(s, 14));
   hd_gcn_emit2(s, HD_GCN_S_CSELECT_B32, d[2], d[0], hd_gcn_imm(s, 0));
   hd_gcn_emit2(s, HD_GCN_S_LSHL_B32, d[3], hd_gcn_imm(s, 1), d[2]);
   hd_gcn_set_value(s, &i->instr.def, d[3]);
   return true;
}

bool
hd_gcn_select_image(hd_gcn_selector *s, const hd_intrinsic *i)
{
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_IMAGE_LOAD:
      return select_load(s, i);
   case HD_INTRINSIC_IMAGE_STORE:
      return select_store(s, i);
   case HD_INTRINSIC_IMAGE_ATOMIC:
   case HD_INTRINSIC_IMAGE_ATOMIC_SWAP:
      return select_atomic(s, i);
   case HD_INTRINSIC_IMAGE_SIZE:
      return select_size(s, i);
   case HD_INTRINSIC_IMAGE_LEVELS:
      return select_levels(s, i);
   case HD_INTRINSIC_IMAGE_SAMPLES:
      return select_samples(s, i);
   default:
      return hd_gcn_select_sample(s, i);
   }
}
