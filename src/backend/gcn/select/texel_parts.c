/* SPDX-License-Identifier: MIT */
/* texel_parts.c - components of texels and attributes in registers.
 *
 * Components of 32 bits are a register each. From gfx9 on the machine converts those of 16 bits, and has two of them in one
 * register. Before, they are loaded and stored with 32 bits, and converted here as the format in the resource wants it: what
 * is an integer is cut off or extended, all else is a float.
 *
 *    s_bfe_u32 number format          v_cvt_f16_f32 f, loaded
 *    s_cmp_eq_u32, s_cselect_b64      v_cndmask_b32 result, f, loaded, integers
 *
 * A texel with a component of 64 bits is one with two of 32 for the machine, and so the resource describes it. The second
 * and third component are 0, the fourth is that of the machine.
 */
#include "backend/gcn/select/alu.h"

bool
hd_gcn_has_texel_halves(const hd_gcn_selector *s, unsigned bits)
{
   return bits == 16 && hd_gcn_target_in(s->p)->gen >= HD_GCN_GFX900;
}

unsigned
hd_gcn_texel_size(const hd_gcn_selector *s, unsigned bits, unsigned num)
{
   if (bits == 64)
      return num == 4 ? 4 : 2;
   return hd_gcn_has_texel_halves(s, bits) ? (num + 1) / 2 : num;
}

/* All bits set if the number format of the resource, without its `least` lowest bits, is this one. */
static hd_mach_operand
has_format(hd_gcn_selector *s, hd_mach_operand resource, unsigned least, unsigned format)
{
   const bool image = resource.size == 8;
   const unsigned first = (image ? 26 : 12) + least, num = (image ? 4 : 3) - least;
   const hd_mach_operand number = hd_gcn_new(s, HD_GCN_SGPR, 1), mask = hd_gcn_new_mask(s);
   hd_mach_operand words[8];

   hd_gcn_parts(s, resource, 1, words);
   hd_gcn_emit2(s, HD_GCN_S_BFE_U32, number, words[image ? 1 : 3],
                hd_gcn_imm(s, first | num << 16));
   hd_gcn_emit2(s, HD_GCN_S_CMP_EQ_U32, hd_gcn_nothing(), number, hd_gcn_imm(s, format));
   hd_gcn_emit2(s, HD_GCN_S_CSELECT_B64, mask,
                (hd_mach_operand){ .reg = HD_GCN_CONST_0 + 65, .size = 2 },
                (hd_mach_operand){ .reg = HD_GCN_CONST_0, .size = 2 });
   return mask;
}

/* Formats 4 and 5. */
static hd_mach_operand
are_integers(hd_gcn_selector *s, hd_mach_operand resource)
{
   return has_format(s, resource, 1, 2);
}

/* Texels are rounded to the nearest, and keep denormals, whatever the shader's float controls say. */
static void
convert(hd_gcn_selector *s, hd_gcn_op op, unsigned num, const hd_mach_operand *from,
        hd_mach_operand *to)
{
   const unsigned mode = hd_gcn_float_mode(s->p->shader->float_controls),
                  exact = (mode & ~0xcu) | 0xc0;

   hd_gcn_set_float_mode(s, mode, exact);
   for (unsigned c = 0; c < num; c++) {
      to[c] = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit1(s, op, to[c], from[c]);
   }
   hd_gcn_set_float_mode(s, exact, mode);
}

static hd_mach_operand
choose(hd_gcn_selector *s, hd_mach_operand mask, hd_mach_operand yes, hd_mach_operand no)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   hd_gcn_emit3(s, HD_GCN_V_CNDMASK_B32, d, no, yes, mask);
   return d;
}

void
hd_gcn_narrow_texel(hd_gcn_selector *s, hd_mach_operand resource, unsigned num,
                    hd_mach_operand *parts)
{
   const hd_mach_operand integers = are_integers(s, resource);
   hd_mach_operand floats[HD_MAX_COMPONENTS];

   convert(s, HD_GCN_V_CVT_F16_F32, num, parts, floats);
   for (unsigned c = 0; c < num; c++)
      parts[c] = choose(s, integers, parts[c], floats[c]);
}

unsigned
hd_gcn_texel_mask(const hd_gcn_selector *s, const hd_def *def, unsigned *size)
{
   const unsigned all = (1u << def->num_components) - 1;
   const bool whole = hd_gcn_has_texel_halves(s, def->bit_size) || s->known[def->index].late;
   unsigned mask = whole ? all : hd_gcn_components_read(def), num = 0;

   *size = hd_gcn_texel_size(s, def->bit_size, def->num_components);
   if (def->bit_size == 64)
      return (1u << *size) - 1;
   mask = mask ? mask : 1u;
   for (unsigned c = 0; c < def->num_components; c++)
      num += mask >> c & 1;
   *size = hd_gcn_texel_size(s, def->bit_size, num);
   return mask;
}

/* Two in a register. */
static void
set_halves(hd_gcn_selector *s, const hd_def *def, const hd_mach_operand *words)
{
   hd_mach_operand parts[HD_MAX_COMPONENTS];

   for (unsigned c = 0; c < def->num_components; c++)
      parts[c] = hd_gcn_shift_right(s, words[c / 2], c % 2 * 16);
   hd_gcn_set_parts(s, def, parts);
}

static void
set_wide(hd_gcn_selector *s, const hd_def *def, const hd_mach_operand *words)
{
   hd_mach_operand parts[4] = { hd_gcn_join(s, HD_GCN_VGPR, 2, words) };

   for (unsigned c = 1; c < def->num_components; c++)
      parts[c] = hd_gcn_wide_constant(s, HD_GCN_VGPR, 0);
   if (def->num_components == 4) {
      const hd_mach_operand one[2] = { words[3], hd_gcn_constant_in(s, HD_GCN_VGPR, 0) };
      parts[3] = hd_gcn_join(s, HD_GCN_VGPR, 2, one);
   }
   hd_gcn_set_parts(s, def, parts);
}

void
hd_gcn_set_texel(hd_gcn_selector *s, const hd_def *def, unsigned mask, hd_mach_operand loaded,
                 hd_mach_operand resource)
{
   hd_mach_operand words[HD_MAX_COMPONENTS], parts[HD_MAX_COMPONENTS];
   unsigned num = 0;

   if (def->bit_size == 32 && mask == (1u << def->num_components) - 1) {
      hd_gcn_set_value(s, def, loaded);
      return;
   }
   hd_gcn_parts(s, loaded, 1, words);
   if (def->bit_size == 64) {
      set_wide(s, def, words);
      return;
   }
   if (hd_gcn_has_texel_halves(s, def->bit_size)) {
      set_halves(s, def, words);
      return;
   }
   if (def->bit_size == 16)
      hd_gcn_narrow_texel(s, resource, loaded.size, words);
   /* What nobody reads may be anything. */
   for (unsigned c = 0; c < def->num_components; c++)
      parts[c] = mask >> c & 1 ? words[num++] : words[0];
   hd_gcn_set_parts(s, def, parts);
}

static hd_mach_operand
in_vgpr(hd_gcn_selector *s, const hd_def *def, unsigned component)
{
   return hd_gcn_to_file(s, HD_GCN_VGPR, hd_gcn_component(s, def, component));
}

/* Two in a register: bytes 0 and 1 of the second source below those of the first. */
static hd_mach_operand
join_halves(hd_gcn_selector *s, const hd_def *value)
{
   hd_mach_operand words[HD_MAX_COMPONENTS];
   unsigned num = 0;

   for (unsigned c = 0; c < value->num_components; c += 2) {
      const hd_mach_operand low = in_vgpr(s, value, c);
      words[num] = low;
      if (c + 1 < value->num_components) {
         words[num] = hd_gcn_new(s, HD_GCN_VGPR, 1);
         hd_gcn_emit3(s, HD_GCN_V_PERM_B32, words[num], in_vgpr(s, value, c + 1), low,
                      hd_gcn_imm(s, 0x05040100));
      }
      num++;
   }
   return hd_gcn_join(s, HD_GCN_VGPR, num, words);
}

static hd_mach_operand
widen(hd_gcn_selector *s, const hd_def *value, hd_mach_operand resource)
{
   const hd_mach_operand integers = are_integers(s, resource), sint = has_format(s, resource, 0, 5);
   const unsigned num = value->num_components;
   hd_mach_operand halves[HD_MAX_COMPONENTS] = { { 0 } }, words[HD_MAX_COMPONENTS];

   for (unsigned c = 0; c < num; c++)
      halves[c] = in_vgpr(s, value, c);
   convert(s, HD_GCN_V_CVT_F32_F16, num, halves, words);
   for (unsigned c = 0; c < num; c++) {
      const hd_mach_operand of_uint = hd_gcn_new(s, HD_GCN_VGPR, 1),
                            of_sint = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit2(s, HD_GCN_V_AND_B32, of_uint, hd_gcn_imm(s, 0xffff), halves[c]);
      hd_gcn_emit3(s, HD_GCN_V_BFE_I32, of_sint, halves[c], hd_gcn_imm(s, 0), hd_gcn_imm(s, 16));
      words[c] = choose(s, integers, choose(s, sint, of_sint, of_uint), words[c]);
   }
   return hd_gcn_join(s, HD_GCN_VGPR, num, words);
}

hd_mach_operand
hd_gcn_texel_to_store(hd_gcn_selector *s, const hd_def *value, hd_mach_operand resource)
{
   if (value->bit_size == 32)
      return hd_gcn_in_vgprs(s, value);
   if (value->bit_size == 64)
      return hd_gcn_to_file(s, HD_GCN_VGPR, hd_gcn_component(s, value, 0));
   return hd_gcn_has_texel_halves(s, value->bit_size) ? join_halves(s, value)
                                                      : widen(s, value, resource);
}
