/* SPDX-License-Identifier: MIT */
/* fragment.c - instruction selection of what a fragment shader is given: by the rasteriser, interpolated,
 * the same for the primitive.
 *
 *    load_interpolated   v_interp_p1_f32 d, i, attrN.x     P0 + i P10
 *                        v_interp_p2_f32 d, j, attrN.x     that + j P20; m0 has the primitives
 *    load_input          v_interp_mov_f32 d, p0, attrN.x
 */
#include "backend/gcn/select/stage.h"
#include "heddle/intrinsic_enum.h"

#define VERTEX_P0 2u

/* Fields of the ancillary register. */
#define SAMPLE_SHIFT 8u
#define SAMPLE_BITS  4u
#define LAYER_SHIFT  16u
#define LAYER_BITS   11u

/* m0 for attributes: once, at the start. */
static void
set_m0(hd_gcn_selector *s)
{
   hd_mach_program *p = s->p;

   if (s->stage->m0_is_set)
      return;
   s->stage->m0_is_set = true;
   const hd_mach_operand primitives = hd_gcn_abi_get(p, HD_GCN_START_PRIMITIVES);
   hd_mach_inst *set = hd_gcn_inst_create(p, HD_GCN_S_MOV_B32, 1, 1);
   *hd_mach_def(set, 0) = hd_mach_operand_reg(HD_GCN_M0, 1);
   *hd_mach_src(set, 0) = primitives;
   hd_mach_inst_insert_before(p->first, set, hd_gcn_of(p)->abi.start->next);
}

static int32_t
channel_of(hd_gcn_selector *s, uint32_t location, unsigned component)
{
   hd_gcn_graphics *g = &hd_gcn_of(s->p)->graphics;
   const unsigned n = hd_gcn_parameter_of(s, location + component / 4);

   g->parameters[n].channels |= (uint8_t)(1u << component % 4);
   return (int32_t)(n * 4 + component % 4);
}

/* As the first vertex has it. */
static hd_mach_operand
flat(hd_gcn_selector *s, uint32_t location, unsigned component)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   set_m0(s);
   hd_gcn_emit_full(s, HD_GCN_V_INTERP_MOV_F32, 1, &d, 0, NULL, 0)->imm =
       channel_of(s, location, component) | (int32_t)(VERTEX_P0 << 8);
   return d;
}

static hd_mach_operand
interpolated(hd_gcn_selector *s, uint32_t location, unsigned component, const hd_mach_operand at[2])
{
   const hd_mach_operand first = hd_gcn_new(s, HD_GCN_VGPR, 1), d = hd_gcn_new(s, HD_GCN_VGPR, 1);
   const int32_t channel = channel_of(s, location, component);

   set_m0(s);
   hd_gcn_emit_full(s, HD_GCN_V_INTERP_P1_F32, 1, &first, 1, &at[0], 0)->imm = channel;
   hd_gcn_emit_full(s, HD_GCN_V_INTERP_P2_F32, 1, &d, 2, (hd_mach_operand[]){ at[1], first }, 0)
       ->imm = channel;
   return d;
}

static bool
select_input(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const unsigned first = hd_intrinsic_index(i, HD_INDEX_COMPONENT);
   const hd_def *def = &i->instr.def;
   hd_mach_operand parts[HD_MAX_COMPONENTS];
   uint32_t location;

   if (!hd_gcn_location_of(s, i, &i->src[0], &location))
      return false;
   if (def->bit_size == 16)
      return hd_mach_refuse(s->p, &i->instr, "parameters of 16 bits");
   for (unsigned c = 0; c < def->num_components; c++) {
      if (def->bit_size == 32) {
         parts[c] = flat(s, location, first + c);
         continue;
      }
      hd_mach_operand halves[2];
      for (unsigned k = 0; k < 2; k++)
         halves[k] = flat(s, location, first + 2 * c + k);
      parts[c] = hd_gcn_join(s, HD_GCN_VGPR, 2, halves);
   }
   hd_gcn_set_parts(s, def, parts);
   return true;
}

static bool
select_interpolated(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const unsigned first = hd_intrinsic_index(i, HD_INDEX_COMPONENT);
   const hd_def *def = &i->instr.def;
   hd_mach_operand parts[HD_MAX_COMPONENTS], at[2];
   uint32_t location;

   if (!hd_gcn_location_of(s, i, &i->src[1], &location))
      return false;
   if (def->bit_size != 32)
      return hd_mach_refuse(s->p, &i->instr, "parameters of 16 bits");
   for (unsigned n = 0; n < 2; n++)
      at[n] = hd_gcn_to_file(s, HD_GCN_VGPR, hd_gcn_component(s, i->src[0].def, n));
   for (unsigned c = 0; c < def->num_components; c++)
      parts[c] = interpolated(s, location, first + c, at);
   hd_gcn_set_parts(s, def, parts);
   return true;
}

/* What a register has */

static hd_gcn_start
barycentric_start(const hd_intrinsic *i)
{
   static const uint8_t place[] = {
      [HD_INTERP_AT_SAMPLE] = 0, [HD_INTERP_AT_CENTER] = 1, [HD_INTERP_AT_CENTROID] = 2
   };
   const bool linear = hd_intrinsic_index(i, HD_INDEX_INTERP_MODE) == HD_INTERP_NOPERSPECTIVE;

   return (hd_gcn_start)((linear ? HD_GCN_START_LINEAR : HD_GCN_START_PERSPECTIVE) +
                         2 * place[hd_intrinsic_index(i, HD_INDEX_INTERP_LOCATION)]);
}

static void
set_barycentric(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_gcn_start start = barycentric_start(i);
   hd_mach_operand parts[2];

   for (unsigned n = 0; n < 2; n++)
      parts[n] = hd_gcn_abi_get(s->p, (hd_gcn_start)(start + n));
   hd_gcn_set_parts(s, &i->instr.def, parts);
}

/* The chip gives w, the shader wants 1 / w. */
static void
set_frag_coord(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const unsigned read = hd_gcn_components_read(&i->instr.def);
   hd_mach_operand parts[4];

   for (unsigned n = 0; n < 4; n++) {
      parts[n] = hd_gcn_undef(1);
      if (read >> n & 1)
         parts[n] = hd_gcn_abi_get(s->p, (hd_gcn_start)(HD_GCN_START_FRAG_COORD + n));
   }
   if (read >> 3 & 1) {
      const hd_mach_operand w = parts[3];
      parts[3] = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit1(s, HD_GCN_V_RCP_F32, parts[3], w);
   }
   hd_gcn_set_parts(s, &i->instr.def, parts);
}

/* Where it stands in the pixel: in a shader that runs for samples the position is the sample's. */
static void
set_sample_pos(hd_gcn_selector *s, const hd_intrinsic *i)
{
   hd_mach_operand parts[2];

   for (unsigned n = 0; n < 2; n++) {
      parts[n] = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit1(s, HD_GCN_V_FRACT_F32, parts[n],
                   hd_gcn_abi_get(s->p, (hd_gcn_start)(HD_GCN_START_FRAG_COORD + n)));
   }
   hd_gcn_set_parts(s, &i->instr.def, parts);
}

static void
set_front_facing(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_mach_operand face = hd_gcn_abi_get(s->p, HD_GCN_START_FRONT_FACE),
                         d = hd_gcn_new_mask(s);

   hd_gcn_emit2(s, HD_GCN_V_CMP_NE_U32, d, hd_gcn_imm(s, 0), face);
   hd_gcn_set_value(s, &i->instr.def, d);
}

static void
set_ancillary(hd_gcn_selector *s, const hd_intrinsic *i, unsigned shift, unsigned bits)
{
   const hd_mach_operand whole = hd_gcn_abi_get(s->p, HD_GCN_START_ANCILLARY),
                         d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   hd_gcn_emit3(s, HD_GCN_V_BFE_U32, d, whole, hd_gcn_imm(s, shift), hd_gcn_imm(s, bits));
   hd_gcn_set_value(s, &i->instr.def, d);
}

static bool
set_view_index(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_mach_operand view = hd_gcn_abi_get(s->p, HD_GCN_START_VIEW_INDEX);

   if (!view.size)
      return hd_mach_refuse(s->p, &i->instr, "the ABI does not provide view_index");
   hd_gcn_set_value(s, &i->instr.def, view);
   return true;
}

static void
set_point_coord(hd_gcn_selector *s, const hd_intrinsic *i)
{
   hd_mach_operand at[2], parts[2];

   for (unsigned n = 0; n < 2; n++)
      at[n] = hd_gcn_abi_get(s->p, (hd_gcn_start)(HD_GCN_START_PERSPECTIVE + 2 + n));
   for (unsigned n = 0; n < 2; n++)
      parts[n] = interpolated(s, HD_GCN_PARAMETER_POINT_COORD, n, at);
   hd_gcn_set_parts(s, &i->instr.def, parts);
}

bool
hd_gcn_select_fragment(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_def *def = &i->instr.def;

   if (hd_instr_def(&i->instr) && !def->uses)
      return true;
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_LOAD_INPUT:
      return select_input(s, i);
   case HD_INTRINSIC_LOAD_INTERPOLATED:
      return select_interpolated(s, i);
   case HD_INTRINSIC_BARYCENTRIC:
      set_barycentric(s, i);
      return true;
   case HD_INTRINSIC_FRAG_COORD:
      set_frag_coord(s, i);
      return true;
   case HD_INTRINSIC_SAMPLE_POS:
      set_sample_pos(s, i);
      return true;
   case HD_INTRINSIC_FRONT_FACING:
      set_front_facing(s, i);
      return true;
   case HD_INTRINSIC_SAMPLE_ID:
      set_ancillary(s, i, SAMPLE_SHIFT, SAMPLE_BITS);
      return true;
   case HD_INTRINSIC_LAYER:
      set_ancillary(s, i, LAYER_SHIFT, LAYER_BITS);
      return true;
   case HD_INTRINSIC_SAMPLE_MASK_IN:
      hd_gcn_set_value(s, def, hd_gcn_abi_get(s->p, HD_GCN_START_SAMPLE_COVERAGE));
      return true;
   case HD_INTRINSIC_PRIMITIVE_ID:
      hd_gcn_set_value(s, def, flat(s, HD_GCN_PARAMETER_PRIMITIVE_ID, 0));
      return true;
   case HD_INTRINSIC_VIEWPORT_INDEX:
      hd_gcn_set_value(s, def, flat(s, HD_GCN_PARAMETER_VIEWPORT_INDEX, 0));
      return true;
   case HD_INTRINSIC_POINT_COORD:
      set_point_coord(s, i);
      return true;
   case HD_INTRINSIC_VIEW_INDEX:
      return set_view_index(s, i);
   case HD_INTRINSIC_IS_HELPER:
      hd_gcn_set_value(s, def, hd_gcn_abi_helpers(s->p));
      return true;
   default:
      return hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s",
                            hd_instr_intrinsic_info(&i->instr)->name);
   }
}
