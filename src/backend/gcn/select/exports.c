/* SPDX-License-Identifier: MIT */
/* exports.c - instruction selection of outputs: what leaves a vertex or fragment shader.
 *
 *    vertex     exp pos0 x, y, z, w          the position
 *               exp pos1 size, off, layer, viewport    if one is written
 *               exp pos2 ..., pos3 ...       clip distances, then cull distances
 *               exp paramN ...               each location
 *    fragment   exp mrtN ...                 colours, as the driver's format of the target says
 *               exp mrtz depth, stencil, mask
 *
 * All stand at the end of the shader: lower_outputs has brought them there. A channel that is undefined
 * is not sent. export_ends.c says which is the last one of its kind.
 */
#include "backend/gcn/select/alu.h"
#include "backend/gcn/select/stage.h"
#include "heddle/intrinsic_enum.h"
#include "heddle/op_enum.h"
#include "util/float.h"

/* One that waits until all are ready: nothing can move past an export. */
static void export(hd_gcn_selector *s, unsigned target, unsigned channels, unsigned bits,
                   const hd_mach_operand channel[4])
{
   hd_gcn_outputs *o = &s->stage->outputs;
   hd_gcn_export *e = &o->exports[o->num_exports++];

   e->imm = (int32_t)(channels | target << HD_GCN_EXPORT_TARGET_SHIFT | bits);
   const unsigned operands = hd_gcn_export_operands(e->imm);
   for (unsigned n = 0; n < 4; n++)
      e->srcs[n] =
          operands >> n & 1 ? hd_gcn_to_file(s, HD_GCN_VGPR, channel[n]) : hd_gcn_nothing();
}

static void
send_all(hd_gcn_selector *s)
{
   const hd_gcn_outputs *o = &s->stage->outputs;

   for (uint32_t n = 0; n < o->num_exports; n++)
      hd_gcn_emit_full(s, HD_GCN_EXP, 0, NULL, 4, o->exports[n].srcs, 0)->imm = o->exports[n].imm;
}

/* Channels that there are. */
static unsigned
present(const hd_mach_operand channel[4])
{
   unsigned mask = 0;

   for (unsigned n = 0; n < 4; n++)
      mask |= channel[n].size ? 1u << n : 0u;
   return mask;
}

/* Vertices */

static void
export_misc(hd_gcn_selector *s, unsigned target)
{
   hd_gcn_outputs *o = &s->stage->outputs;

   if (hd_gcn_target_in(s->p)->gen != HD_GCN_GFX900) {
      o->misc[3] = o->viewport;
   } else if (o->viewport.size) {
      const hd_mach_operand upper = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit2(s, HD_GCN_V_LSHLREV_B32, upper, hd_gcn_imm(s, 16), o->viewport);
      if (o->misc[2].size) {
         const hd_mach_operand both = hd_gcn_new(s, HD_GCN_VGPR, 1);
         hd_gcn_emit2(s, HD_GCN_V_OR_B32, both, o->misc[2], upper);
         o->misc[2] = both;
      } else {
         o->misc[2] = upper;
      }
   }
   export(s, target, present(o->misc), 0, o->misc);
}

static void
export_vertex(hd_gcn_selector *s)
{
   hd_gcn_outputs *o = &s->stage->outputs;
   hd_gcn_graphics *g = &hd_gcn_of(s->p)->graphics;
   hd_mach_operand distances[2 * HD_GCN_MAX_DISTANCES] = { { 0 } };
   unsigned num = 0, position = HD_GCN_EXPORT_POS0;

   /* There is always a position. */
   for (unsigned c = 0; c < 4; c++) {
      if (!o->position[c].size)
         o->position[c] = hd_gcn_constant_in(s, HD_GCN_VGPR, 0);
   }
   export(s, position++, 15, 0, o->position);
   if (g->point_size || g->layer || g->viewport_index)
      export_misc(s, position++);
   for (unsigned kind = 0; kind < 2; kind++) {
      const unsigned mask = kind ? g->cull_distances : g->clip_distances;
      for (unsigned n = 0; mask >> n; n++)
         distances[num++] = o->distances[kind][n];
   }
   for (unsigned n = 0; n < num && n < HD_GCN_MAX_DISTANCES; n += 4)
      export(s, position++, present(distances + n), 0, distances + n);
   g->num_positions = (uint8_t)(position - HD_GCN_EXPORT_POS0);
   for (unsigned n = 0; n < g->num_parameters; n++) {
      g->parameters[n].channels = (uint8_t)present(o->parameters[n]);
      if (g->parameters[n].channels)
         export(s, HD_GCN_EXPORT_PARAM0 + n, g->parameters[n].channels, 0, o->parameters[n]);
   }
}

/* Colours */

/* A component of 16 bits as 32 of the kind that the format is. */
static hd_mach_operand
widened(hd_gcn_selector *s, hd_gcn_color_format format, hd_mach_operand value)
{
   const hd_mach_operand d = hd_gcn_new(s, HD_GCN_VGPR, 1);

   if (format == HD_GCN_COLOR_UINT16_ABGR)
      hd_gcn_emit2(s, HD_GCN_V_AND_B32, d, hd_gcn_imm(s, 0xffff), value);
   else if (format == HD_GCN_COLOR_SINT16_ABGR)
      hd_gcn_emit3(s, HD_GCN_V_BFE_I32, d, value, hd_gcn_imm(s, 0), hd_gcn_imm(s, 16));
   else
      hd_gcn_emit1(s, HD_GCN_V_CVT_F32_F16, d, value);
   return d;
}

static const uint16_t packs[HD_GCN_NUM_COLOR_FORMATS] = {
   [HD_GCN_COLOR_FP16_ABGR] = HD_GCN_V_CVT_PKRTZ_F16_F32,
   [HD_GCN_COLOR_UNORM16_ABGR] = HD_GCN_V_CVT_PKNORM_U16_F32,
   [HD_GCN_COLOR_SNORM16_ABGR] = HD_GCN_V_CVT_PKNORM_I16_F32,
   [HD_GCN_COLOR_UINT16_ABGR] = HD_GCN_V_CVT_PK_U16_U32,
   [HD_GCN_COLOR_SINT16_ABGR] = HD_GCN_V_CVT_PK_I16_I32,
};

static bool
is_same_value(hd_mach_operand a, hd_mach_operand b)
{
   return a.size && a.flags == b.flags && a.size == b.size && a.value == b.value &&
          (a.flags & HD_MACH_OPERAND_TEMP || a.reg == b.reg);
}

static bool
reads(const hd_mach_inst *inst, const hd_mach_operand *value)
{
   for (unsigned n = 0; n < inst->num_srcs; n++) {
      if (hd_mach_is_temp(hd_mach_src(inst, n)) && hd_mach_src(inst, n)->value == value->value)
         return true;
   }
   return false;
}

/* How far up. */
#define PACK_REACH 64u

/* What packs two components stands behind the one that is there last: one register is live from there on, not two.
 * Not before what comes from memory, which the scheduler puts where it does not wait.
 */
static void
move_up(hd_gcn_selector *s, hd_mach_inst *pack)
{
   hd_mach_inst *at = pack->prev;

   for (unsigned n = 0; at && n < PACK_REACH; n++, at = at->prev) {
      const hd_mach_op *info = hd_mach_op_of(s->p->mach, at);
      const bool defines =
          at->num_defs && hd_mach_is_temp(hd_mach_def(at, 0)) && reads(pack, hd_mach_def(at, 0));
      if (info->flags & (HD_MACH_PSEUDO | HD_MACH_SIDE_EFFECT))
         return;
      if (!defines)
         continue;
      if (at->next != pack && at->num_defs == 1) {
         hd_mach_inst *before = at->next;
         hd_mach_inst_remove(s->block, pack);
         hd_mach_inst_insert_before(s->block, pack, before);
      }
      return;
   }
}

/* Literals take an instruction each, both halves together one: they are packed here, but for denormals, which are as the
 * mode says.
 */
static bool
pack_constants(hd_gcn_color_format format, const hd_mach_operand both[2], uint32_t *packed)
{
   bool literal = false;

   *packed = 0;
   for (unsigned k = 0; k < 2; k++) {
      uint64_t bits;
      if (format != HD_GCN_COLOR_FP16_ABGR || !hd_gcn_is_constant(both[k]) ||
          !hd_gcn_operand_value(both[k], HD_GCN_B32, &bits))
         return false;
      const uint64_t half = hd_float_convert(32, 16, bits, HD_ROUND_ZERO);
      if (hd_float_is_denorm(32, bits) || hd_float_is_denorm(16, half))
         return false;
      literal |= both[k].reg == HD_GCN_LITERAL;
      *packed |= (uint32_t)half << 16 * k;
   }
   return literal;
}

/* Two components in a register each; of two pairs that are the same, as where a colour has few components, one. */
static void
export_pairs(hd_gcn_selector *s, unsigned target, hd_gcn_color_format format,
             const hd_mach_operand channel[4])
{
   hd_mach_operand pairs[4] = { { 0 } };
   unsigned channels = 0;

   for (unsigned n = 0; n < 2; n++) {
      if (!channel[2 * n].size && !channel[2 * n + 1].size)
         continue;
      if (channels && is_same_value(channel[0], channel[2]) &&
          is_same_value(channel[1], channel[3])) {
         pairs[1] = pairs[0];
         channels |= 3u << 2;
         continue;
      }
      hd_mach_operand both[2];
      for (unsigned k = 0; k < 2; k++)
         both[k] = channel[2 * n + k].size ? channel[2 * n + k] : hd_gcn_imm(s, 0);
      channels |= 3u << 2 * n;
      uint32_t packed;
      if (pack_constants(format, both, &packed)) {
         pairs[n] = hd_gcn_constant_in(s, HD_GCN_VGPR, packed);
         continue;
      }
      pairs[n] = hd_gcn_new(s, HD_GCN_VGPR, 1);
      move_up(s, hd_gcn_emit2(s, (hd_gcn_op)packs[format], pairs[n], both[0], both[1]));
   }
   if (channels)
      export(s, target, channels, HD_GCN_EXPORT_COMPR, pairs);
}

static void
export_color(hd_gcn_selector *s, unsigned target)
{
   static const uint8_t wanted[HD_GCN_NUM_COLOR_FORMATS] = {
      [HD_GCN_COLOR_32_R] = 1,
      [HD_GCN_COLOR_32_GR] = 3,
      [HD_GCN_COLOR_32_AR] = 9,
      [HD_GCN_COLOR_32_ABGR] = 15,
   };
   hd_gcn_outputs *o = &s->stage->outputs;
   const hd_gcn_color_format format =
       (hd_gcn_color_format)hd_gcn_of(s->p)->options->driver->color_format[target];
   hd_mach_operand channel[4] = { { 0 } };

   for (unsigned n = 0; n < 4; n++) {
      const hd_mach_operand value = o->colors[target][n];
      const bool is_wanted = packs[format] || wanted[format] >> n & 1;
      if (is_wanted && value.size)
         channel[n] = o->color_bits[target] == 16 ? widened(s, format, value) : value;
   }
   if (format == HD_GCN_COLOR_NONE || !present(channel))
      return;
   hd_gcn_of(s->p)->graphics.color_formats |= (uint32_t)format << 4 * target;
   if (packs[format])
      export_pairs(s, HD_GCN_EXPORT_MRT0 + target, format, channel);
   else
      export(s, HD_GCN_EXPORT_MRT0 + target, present(channel), 0, channel);
}

static void
export_fragment(hd_gcn_selector *s)
{
   const hd_gcn_outputs *o = &s->stage->outputs;
   hd_gcn_graphics *g = &hd_gcn_of(s->p)->graphics;
   hd_mach_operand z[4] = { o->depth, o->stencil, o->sample_mask };

   for (unsigned n = 0; n < HD_GCN_MAX_COLORS; n++)
      export_color(s, n);
   g->depth = o->depth.size != 0;
   g->stencil = o->stencil.size != 0;
   g->sample_mask = o->sample_mask.size != 0;
   if (!present(z))
      return;
   /* gfx600 looks at the first channel alone to see whether there is anything. */
   if (hd_gcn_target_in(s->p)->gen == HD_GCN_GFX600 && !z[0].size)
      z[0] = hd_gcn_constant_in(s, HD_GCN_VGPR, 0);
   export(s, HD_GCN_EXPORT_MRTZ, present(z), 0, z);
}

/* Stores */

static bool
is_undefined(const hd_def *def, unsigned c)
{
   const hd_instr *i = hd_def_instr(def);

   if (i->kind == HD_INSTR_ALU && i->op == HD_OP_VEC && c < i->num_srcs)
      i = hd_def_instr(hd_instr_src(i, c)->def);
   return i->kind == HD_INSTR_UNDEF;
}

static hd_mach_operand
stored(hd_gcn_selector *s, const hd_def *value, unsigned c)
{
   if (is_undefined(value, c))
      return (hd_mach_operand){ 0 };
   return hd_gcn_to_file(s, HD_GCN_VGPR, hd_gcn_component(s, value, c));
}

/* Components from `first` on of a location; what does not fit goes on in the next. */
static bool
keep_parameter(hd_gcn_selector *s, const hd_intrinsic *i, uint32_t location, unsigned first)
{
   const hd_def *value = i->src[0].def;

   if (value->bit_size == 16)
      return hd_mach_refuse(s->p, &i->instr, "expected parameters of 32 or 64 bits, found 16");
   for (unsigned c = 0; c < value->num_components; c++) {
      hd_mach_operand halves[2] = { stored(s, value, c) };
      const unsigned num = value->bit_size / 32;
      if (halves[0].size == 2)
         hd_gcn_parts(s, halves[0], 1, halves);
      for (unsigned k = 0; k < num; k++) {
         const unsigned at = first + c * num + k;
         s->stage->outputs.parameters[hd_gcn_parameter_of(s, location + at / 4)][at % 4] =
             halves[k];
      }
   }
   return true;
}

/* A component that goes into a pair, as an operand of what packs it: a constant, a scalar, one with signs. */
static hd_mach_operand
to_pack(hd_gcn_selector *s, hd_gcn_color_format format, const hd_def *value, unsigned c)
{
   const bool is_float = format != HD_GCN_COLOR_UINT16_ABGR && format != HD_GCN_COLOR_SINT16_ABGR;
   const hd_instr *i = hd_def_instr(value);
   const hd_def *def =
       i->kind == HD_INSTR_ALU && i->op == HD_OP_VEC ? hd_instr_src(i, c)->def : value;
   unsigned mods = 0;

   if (is_undefined(value, c))
      return (hd_mach_operand){ 0 };
   if (def->num_components > 1)
      return hd_gcn_component(s, value, c);
   if (is_float && def->bit_size == 32)
      def = hd_gcn_look_through_signs(def, &mods);
   hd_mach_operand operand = hd_gcn_value(s, def);
   operand.flags |= (uint8_t)mods;
   return operand;
}

static bool
keep_color(hd_gcn_selector *s, const hd_intrinsic *i, uint32_t location, unsigned first)
{
   const hd_def *value = i->src[0].def;
   const uint32_t target = location + hd_intrinsic_index(i, HD_INDEX_DUAL_SOURCE);

   if (value->bit_size == 64)
      return hd_mach_refuse(s->p, &i->instr, "expected colours of 16 or 32 bits, found 64");
   if (target >= HD_GCN_MAX_COLORS)
      return hd_mach_refuse(s->p, &i->instr, "colour target %u, expected one below %u", target,
                            HD_GCN_MAX_COLORS);
   const hd_gcn_color_format format =
       (hd_gcn_color_format)hd_gcn_of(s->p)->options->driver->color_format[target];
   s->stage->outputs.color_bits[target] = value->bit_size;
   for (unsigned c = 0; c < value->num_components && first + c < 4; c++)
      s->stage->outputs.colors[target][first + c] =
          packs[format] ? to_pack(s, format, value, c) : stored(s, value, c);
   return true;
}

static bool
keep_output(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const unsigned first = hd_intrinsic_index(i, HD_INDEX_COMPONENT);
   uint32_t location;

   if (!hd_gcn_location_of(s, i, &i->src[1], &location))
      return false;
   return s->p->shader->stage == HD_STAGE_VERTEX ? keep_parameter(s, i, location, first)
                                                 : keep_color(s, i, location, first);
}

static bool
keep_distance(hd_gcn_selector *s, const hd_intrinsic *i, unsigned kind)
{
   const hd_const *c = hd_src_as_const(&i->src[1]);
   hd_gcn_graphics *g = &hd_gcn_of(s->p)->graphics;

   if (!c || c->value[0].u32 >= HD_GCN_MAX_DISTANCES)
      return hd_mach_refuse(s->p, &i->instr,
                            "expected a constant below %u as the number of a clip or cull distance",
                            HD_GCN_MAX_DISTANCES);
   const unsigned n = c->value[0].u32;
   *(kind ? &g->cull_distances : &g->clip_distances) |= (uint8_t)(1u << n);
   s->stage->outputs.distances[kind][n] = stored(s, i->src[0].def, 0);
   return true;
}

static bool
keep(hd_gcn_selector *s, const hd_intrinsic *i)
{
   hd_gcn_outputs *o = &s->stage->outputs;
   hd_gcn_graphics *g = &hd_gcn_of(s->p)->graphics;
   const hd_def *value = i->src[0].def;

   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_STORE_OUTPUT:
      return keep_output(s, i);
   case HD_INTRINSIC_STORE_POSITION:
      for (unsigned c = 0; c < 4; c++)
         o->position[c] = stored(s, value, c);
      return true;
   case HD_INTRINSIC_STORE_POINT_SIZE:
      o->misc[0] = stored(s, value, 0);
      g->point_size = true;
      return true;
   case HD_INTRINSIC_STORE_LAYER:
      o->misc[2] = stored(s, value, 0);
      g->layer = true;
      return true;
   case HD_INTRINSIC_STORE_VIEWPORT_INDEX:
      o->viewport = stored(s, value, 0);
      g->viewport_index = true;
      return true;
   case HD_INTRINSIC_STORE_CLIP_DISTANCE:
      return keep_distance(s, i, 0);
   case HD_INTRINSIC_STORE_CULL_DISTANCE:
      return keep_distance(s, i, 1);
   case HD_INTRINSIC_STORE_DEPTH:
      o->depth = stored(s, value, 0);
      return true;
   case HD_INTRINSIC_STORE_STENCIL:
      o->stencil = stored(s, value, 0);
      return true;
   default:
      o->sample_mask = stored(s, value, 0);
      return true;
   }
}

static bool
distances_fit(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const hd_gcn_graphics *g = &hd_gcn_of(s->p)->graphics;
   unsigned num = 0;

   for (unsigned n = 0; n < HD_GCN_MAX_DISTANCES; n++)
      num += (g->clip_distances >> n != 0) + (g->cull_distances >> n != 0);
   return num <= HD_GCN_MAX_DISTANCES ||
          hd_mach_refuse(s->p, &i->instr, "%u clip and cull distances, expected at most %u", num,
                         HD_GCN_MAX_DISTANCES);
}

bool
hd_gcn_select_output(hd_gcn_selector *s, const hd_intrinsic *i)
{
   if (!keep(s, i))
      return false;
   if (--s->stage->outputs.left)
      return true;
   if (!distances_fit(s, i))
      return false;
   if (s->p->shader->stage == HD_STAGE_VERTEX)
      export_vertex(s);
   else
      export_fragment(s);
   send_all(s);
   return true;
}

void
hd_gcn_export_nothing(hd_gcn_selector *s)
{
   if (s->p->shader->stage != HD_STAGE_VERTEX || s->stage->outputs.left)
      return;
   export_vertex(s);
   send_all(s);
}
