/* SPDX-License-Identifier: MIT */
/* vertex.c - instruction selection of what a vertex shader is given: numbers, attributes.
 *
 *    attribute    buffer_load_format_xyzw v[..], v(element), s[resource:4], 0 idxen
 *    of 64 bits   buffer_load_dwordx4     the same
 *
 * The element is the number of the vertex, base_vertex included; or, where the driver says so,
 * base_instance + instance / divisor. The resource has the format: no shader depends on it.
 */
#include "backend/gcn/select/smem.h"
#include "backend/gcn/select/stage.h"
#include "heddle/intrinsic_enum.h"

/* What is emitted goes to the start block until s->block is what this has returned. */
static hd_mach_block *
enter_start(hd_gcn_selector *s)
{
   hd_mach_block *back = s->block;

   s->block = s->p->by_ir[hd_function_start(s->p->function)->node.index];
   return back;
}

static hd_mach_operand
sum(hd_gcn_selector *s, hd_mach_operand number, hd_mach_operand base)
{
   return number.size && base.size ? hd_gcn_add(s, number, base) : hd_gcn_nothing();
}

static hd_mach_operand
instance_number(hd_gcn_selector *s)
{
   const hd_mach_operand id = hd_gcn_abi_get(s->p, HD_GCN_START_INSTANCE_ID);

   return sum(s, id, hd_gcn_abi_get(s->p, HD_GCN_START_BASE_INSTANCE));
}

static hd_mach_operand
vertex_number(hd_gcn_selector *s)
{
   hd_mach_operand *known = &s->stage->vertex_number;

   if (!known->size) {
      const hd_mach_operand id = hd_gcn_abi_get(s->p, HD_GCN_START_VERTEX_ID);
      hd_mach_block *back = enter_start(s);
      *known = sum(s, id, hd_gcn_abi_get(s->p, HD_GCN_START_BASE_VERTEX));
      s->block = back;
   }
   return *known;
}

/* n / d of 32 bits: the upper half of a product with a number of 33 bits, of which the upper one is
 * added by hand (Granlund and Montgomery, Division by Invariant Integers using Multiplication, 1994).
 */
static hd_mach_operand
quotient(hd_gcn_selector *s, hd_mach_operand n, uint32_t d)
{
   const unsigned bits = d > 1 ? 32 - (unsigned)__builtin_clz(d - 1) : 0;
   hd_mach_operand high, rest, half, more, q;

   if (!(d & (d - 1))) {
      if (d == 1)
         return n;
      q = hd_gcn_new(s, HD_GCN_VGPR, 1);
      hd_gcn_emit2(s, HD_GCN_V_LSHRREV_B32, q, hd_gcn_imm(s, (uint32_t)__builtin_ctz(d)), n);
      return q;
   }
   const uint64_t m = ((UINT64_C(1) << 32) * ((UINT64_C(1) << bits) - d)) / d + 1;
   high = hd_gcn_new(s, HD_GCN_VGPR, 1);
   rest = hd_gcn_new(s, HD_GCN_VGPR, 1);
   half = hd_gcn_new(s, HD_GCN_VGPR, 1);
   q = hd_gcn_new(s, HD_GCN_VGPR, 1);
   hd_gcn_emit2(s, HD_GCN_V_MUL_HI_U32, high, n, hd_gcn_constant_in(s, HD_GCN_SGPR, (uint32_t)m));
   hd_gcn_emit_full(s, HD_GCN_V_SUB_CO_U32, 1, &rest, 2, (hd_mach_operand[]){ n, high }, 0);
   hd_gcn_emit2(s, HD_GCN_V_LSHRREV_B32, half, hd_gcn_imm(s, 1), rest);
   more = hd_gcn_add(s, half, high);
   hd_gcn_emit2(s, HD_GCN_V_LSHRREV_B32, q, hd_gcn_imm(s, bits - 1), more);
   return q;
}

static hd_mach_operand
element_of(hd_gcn_selector *s, uint32_t location)
{
   const hd_gcn_driver_abi *abi = hd_gcn_of(s->p)->options->driver;

   for (uint32_t n = 0; n < abi->num_attributes; n++) {
      const hd_gcn_attribute *a = &abi->attributes[n];
      if (a->location != location)
         continue;
      const hd_mach_operand base = hd_gcn_abi_get(s->p, HD_GCN_START_BASE_INSTANCE);
      if (!a->divisor)
         return base;
      return sum(s, quotient(s, hd_gcn_abi_get(s->p, HD_GCN_START_INSTANCE_ID), a->divisor), base);
   }
   return vertex_number(s);
}

static hd_mach_operand
resource_of(hd_gcn_selector *s, uint32_t location)
{
   hd_mach_operand *known = &s->stage->resources[location];

   if (!known->size) {
      const hd_mach_operand table = hd_gcn_abi_get(s->p, HD_GCN_START_VERTEX_BUFFERS);
      if (!table.size)
         return table;
      hd_mach_block *back = enter_start(s);
      *known = hd_gcn_load_scalar(s, table, 16 * location, 4, HD_MACH_MEMORY_CONSTANT);
      s->block = back;
   }
   return *known;
}

/* Components of the value up to the last one that is used. */
static unsigned
used_components(const hd_def *def)
{
   unsigned num = 1;

   for (unsigned read = hd_gcn_components_read(def); read >> num;)
      num++;
   return num;
}

/* Components up to the last one that is asked for; the first ones of these may be for nobody. */
static void
load_format(hd_gcn_selector *s, const hd_def *def, unsigned first, hd_mach_operand element,
            hd_mach_operand resource)
{
   const unsigned used = used_components(def), num = first + used,
                  half = hd_gcn_has_texel_halves(s, def->bit_size);
   const hd_mach_operand loaded =
       hd_gcn_new(s, HD_GCN_VGPR, hd_gcn_texel_size(s, def->bit_size, num));
   hd_mach_operand words[4], parts[4];

   /* Attributes of several loads then fill whole quadruples, the last one that of the element's number. */
   if (loaded.size == 4)
      s->p->temps[loaded.value].align = 4;
   hd_mach_inst *load =
       hd_gcn_emit_full(s, hd_gcn_format_ops[0][half][num - 1], 1, &loaded, 3,
                        (hd_mach_operand[]){ element, resource, hd_gcn_imm(s, 0) }, HD_GCN_IDXEN);
   load->memory = HD_MACH_MEMORY_CONSTANT;
   if (def->bit_size == 32 && !first && used == def->num_components) {
      hd_gcn_set_value(s, def, loaded);
      return;
   }
   hd_gcn_parts(s, loaded, 1, words);
   for (unsigned c = 0; c < used; c++) {
      parts[c] = words[half ? (first + c) / 2 : first + c];
      if (half && (first + c) % 2) {
         const hd_mach_operand upper = hd_gcn_new(s, HD_GCN_VGPR, 1);
         hd_gcn_emit2(s, HD_GCN_V_LSHRREV_B32, upper, hd_gcn_imm(s, 16), parts[c]);
         parts[c] = upper;
      }
   }
   if (def->bit_size == 16 && !half)
      hd_gcn_narrow_texel(s, resource, used, parts);
   /* Nobody reads them. */
   for (unsigned c = used; c < def->num_components; c++)
      parts[c] = parts[0];
   hd_gcn_set_parts(s, def, parts);
}

static void
load_wide(hd_gcn_selector *s, const hd_def *def, unsigned first, hd_mach_operand element,
          hd_mach_operand resource)
{
   hd_mach_operand parts[4];

   for (unsigned c = 0; c < def->num_components; c += 2) {
      const unsigned num = def->num_components - c < 2 ? 1 : 2;
      const hd_mach_operand loaded = hd_gcn_new(s, HD_GCN_VGPR, 2 * num);
      hd_mach_inst *load = hd_gcn_emit_full(
          s, num == 2 ? HD_GCN_BUFFER_LOAD_DWORDX4 : HD_GCN_BUFFER_LOAD_DWORDX2, 1, &loaded, 3,
          (hd_mach_operand[]){ element, resource, hd_gcn_imm(s, 0) }, HD_GCN_IDXEN);
      load->imm = (int32_t)(first * 4 + c * 8);
      load->memory = HD_MACH_MEMORY_CONSTANT;
      hd_gcn_parts(s, loaded, 2, &parts[c]);
   }
   hd_gcn_set_parts(s, def, parts);
}

static bool
select_attribute(hd_gcn_selector *s, const hd_intrinsic *i)
{
   const unsigned first = hd_intrinsic_index(i, HD_INDEX_COMPONENT);
   const hd_def *def = &i->instr.def;
   uint32_t location;

   if (!hd_gcn_location_of(s, i, &i->src[0], &location))
      return false;
   if (location >= HD_GCN_MAX_PARAMETERS)
      return hd_mach_refuse(s->p, &i->instr, "location %u, expected one below %u", location,
                            HD_GCN_MAX_PARAMETERS);
   const hd_mach_operand resource = resource_of(s, location);
   if (!resource.size)
      return hd_mach_refuse(s->p, &i->instr, "the ABI does not provide vertex buffers");
   const hd_mach_operand element = element_of(s, location);
   if (!element.size)
      return hd_mach_refuse(s->p, &i->instr,
                            "the ABI does not provide the base of a vertex or an instance");
   if (def->bit_size == 64)
      load_wide(s, def, first, hd_gcn_to_file(s, HD_GCN_VGPR, element), resource);
   else
      load_format(s, def, first, hd_gcn_to_file(s, HD_GCN_VGPR, element), resource);
   return true;
}

bool
hd_gcn_select_vertex(hd_gcn_selector *s, const hd_intrinsic *i)
{
   hd_mach_operand value = hd_gcn_nothing();

   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_LOAD_INPUT:
      return select_attribute(s, i);
   case HD_INTRINSIC_VERTEX_INDEX:
      value = vertex_number(s);
      break;
   case HD_INTRINSIC_INSTANCE_INDEX:
      value = instance_number(s);
      break;
   case HD_INTRINSIC_BASE_VERTEX:
      value = hd_gcn_abi_get(s->p, HD_GCN_START_BASE_VERTEX);
      break;
   case HD_INTRINSIC_BASE_INSTANCE:
      value = hd_gcn_abi_get(s->p, HD_GCN_START_BASE_INSTANCE);
      break;
   case HD_INTRINSIC_DRAW_INDEX:
      value = hd_gcn_abi_get(s->p, HD_GCN_START_DRAW_INDEX);
      break;
   case HD_INTRINSIC_VIEW_INDEX:
      value = hd_gcn_abi_get(s->p, HD_GCN_START_VIEW_INDEX);
      break;
   default:
      return hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s",
                            hd_instr_intrinsic_info(&i->instr)->name);
   }
   if (!value.size)
      return hd_mach_refuse(s->p, &i->instr, "the ABI does not provide %s",
                            hd_instr_intrinsic_info(&i->instr)->name);
   hd_gcn_set_value(s, &i->instr.def, value);
   return true;
}
