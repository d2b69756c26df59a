/* SPDX-License-Identifier: MIT */
/* memory.c - loads and stores: all memory is one flat address space.
 *
 *    global             the low 32 bits of the address
 *    buffer             the address and size of its descriptor; what is outside reads 0
 *    shared             from the memory of the workgroup on
 *    scratch            dword d of lane L at 64 * d + 4 * L from the scratch memory of the wave on
 *    push, kernarg, constant      where the launch says
 *
 * An access is cut into components, and those into units that their alignment allows. A uniform
 * result is loaded by scalars; else lanes gather words, of which smaller units are cut out. A unit
 * below a word is stored lane by lane.
 */
#include <stddef.h>
#include <string.h>

#include "backend/nyuzi/select/expr.h"
#include "heddle/analysis.h"
#include "heddle/intrinsic_enum.h"

/* Descriptors of an array whose index is computed, where nobody says how many there are. */
#define UNKNOWN_ELEMENTS 64u

/* Bindings */

static hd_nyuzi_binding *
binding_of(sel *s, const hd_intrinsic *i)
{
   hd_nyuzi_program *p = hd_nyuzi_of(s->p);
   const uint32_t set = hd_nyuzi_index(i, HD_INDEX_SET),
                  binding = hd_nyuzi_index(i, HD_INDEX_BINDING);

   for (uint32_t n = 0; n < p->num_bindings; n++) {
      if (p->bindings[n].set == set && p->bindings[n].binding == binding)
         return &p->bindings[n];
   }
   return NULL;
}

static const hd_src *
array_index_of(const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (!strcmp(info->src[n].name, "array_index"))
         return &i->src[n];
   }
   return NULL;
}

static void
note_binding(sel *s, const hd_intrinsic *i, uint32_t *capacity)
{
   hd_nyuzi_program *p = hd_nyuzi_of(s->p);
   const hd_src *index = array_index_of(i);
   const hd_const *c = index ? hd_src_as_const(index) : NULL;
   const uint32_t most = p->options->elements ? p->options->elements : UNKNOWN_ELEMENTS;
   const uint32_t num = c && c->value[0].u32 < (1u << 20) ? c->value[0].u32 + 1 : most;

   if (!index)
      return;
   hd_nyuzi_binding *b = binding_of(s, i);
   if (!b) {
      if (p->num_bindings == *capacity) {
         *capacity = *capacity ? 2 * *capacity : 16;
         hd_nyuzi_binding *more = hd_stack_alloc(s->p->stack, *capacity * sizeof(*more));
         if (p->num_bindings)
            memcpy(more, p->bindings, p->num_bindings * sizeof(*more));
         p->bindings = more;
      }
      b = &p->bindings[p->num_bindings++];
      *b = (hd_nyuzi_binding){ .set = hd_nyuzi_index(i, HD_INDEX_SET),
                               .binding = hd_nyuzi_index(i, HD_INDEX_BINDING) };
   }
   b->num = num > b->num ? num : b->num;
}

void
hd_nyuzi_find_bindings(sel *s)
{
   hd_nyuzi_program *p = hd_nyuzi_of(s->p);
   uint32_t capacity = 0;

   hd_foreach_block(b, s->p->function) {
      hd_foreach_instr(instr, b) {
         const hd_intrinsic *i = hd_instr_as_intrinsic(instr);
         const hd_intrinsic_info *info = i ? hd_instr_intrinsic_info(instr) : NULL;
         if (info && (((info->reads | info->writes) & HD_MEMORY_BUFFER) ||
                      instr->op == HD_INTRINSIC_BUFFER_SIZE))
            note_binding(s, i, &capacity);
      }
   }
   for (uint32_t n = 0; n < p->num_bindings; n++) {
      p->bindings[n].first = p->num_buffers;
      p->num_buffers += p->bindings[n].num;
   }
}

/* Places */

/* Word 0 of a descriptor is the address, word 1 the size. */
static val
descriptor(sel *s, const hd_intrinsic *i, unsigned word)
{
   const hd_nyuzi_binding *b = binding_of(s, i);
   const val index = hd_nyuzi_of_first_lane(s, hd_nyuzi_part(s, array_index_of(i)->def, 0));
   const val table = hd_nyuzi_of_launch(s, offsetof(hd_nyuzi_launch, buffers));

   if (hd_nyuzi_is_constant(&index) && b->first + hd_nyuzi_constant(&index) < 1000)
      return hd_nyuzi_load_constant(
          s, table, (int32_t)(8 * (b->first + hd_nyuzi_constant(&index)) + 4 * word));
   const val at = add(s, shl(s, index, K(3)), K(8 * b->first + 4 * word));
   return hd_nyuzi_load_constant(s, add(s, table, at), 0);
}

bool
hd_nyuzi_locate(sel *s, const hd_intrinsic *i, unsigned first, hd_nyuzi_place *place)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const unsigned memory = info->reads | info->writes;
   const bool buffer = memory & HD_MEMORY_BUFFER;
   const val position = hd_nyuzi_part(s, i->src[first + buffer].def, 0);
   const hd_nyuzi_program *p = hd_nyuzi_of(s->p);
   val base;

   *place = (hd_nyuzi_place){ .position = position,
                              .offset = (int32_t)hd_nyuzi_index(i, HD_INDEX_OFFSET) };
   switch (memory) {
   case HD_MEMORY_GLOBAL:
      place->address = position;
      return true;
   case HD_MEMORY_BUFFER:
      base = descriptor(s, i, 0);
      place->size = descriptor(s, i, 1);
      break;
   case HD_MEMORY_SHARED:
      base = p->start[HD_NYUZI_START_SHARED];
      break;
   case HD_MEMORY_SCRATCH:
      base = add(s, shl(s, hd_nyuzi_lane(s), K(2)), hd_nyuzi_reg(HD_NYUZI_SCRATCH));
      place->scratch = true;
      place->address = base;
      return true;
   case HD_MEMORY_PUSH:
      base = hd_nyuzi_of_launch(s, offsetof(hd_nyuzi_launch, push));
      break;
   case HD_MEMORY_KERNARG:
      base = hd_nyuzi_of_launch(s, offsetof(hd_nyuzi_launch, kernarg));
      break;
   case HD_MEMORY_CONSTANT:
      base = hd_nyuzi_of_launch(s, offsetof(hd_nyuzi_launch, constants));
      break;
   default:
      return hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s", info->name);
   }
   place->address = add(s, base, position);
   return true;
}

val
hd_nyuzi_address(sel *s, const hd_nyuzi_place *place, uint32_t at)
{
   const val offset = K((uint32_t)place->offset + at);

   if (!place->scratch)
      return add(s, place->address, offset);
   const val byte = add(s, place->position, offset);
   if (hd_nyuzi_is_constant(&place->position)) {
      const uint32_t b = hd_nyuzi_constant(&place->position) + hd_nyuzi_constant(&offset);
      return add(s, place->address, K((b & ~3u) * HD_NYUZI_LANES + (b & 3)));
   }
   const val row = add(s, place->address, shl(s, and(s, byte, K(~3u)), K(4)));
   return add(s, row, and(s, byte, K(3)));
}

/* offset + bytes from the position on do not wrap: compared without a sum. */
val
hd_nyuzi_inside(sel *s, const hd_nyuzi_place *place, uint32_t at, uint32_t bytes)
{
   const int64_t from = (int64_t)place->offset + at, end = from + bytes;
   val inside;

   if (!place->size.size)
      return (val){ 0 };
   if (end > 0) {
      inside = leu(s, place->position, sub(s, place->size, K(end)));
      inside = hd_nyuzi_logic(s, HD_NYUZI_AND, inside, geu(s, place->size, K(end)));
   } else {
      inside = leu(s, add(s, place->position, K(end)), place->size);
   }
   if (from >= 0)
      return inside;
   return hd_nyuzi_logic(s, HD_NYUZI_AND, inside, geu(s, place->position, K(-from)));
}

val
hd_nyuzi_lanes_inside(sel *s, const hd_nyuzi_place *place, uint32_t at, uint32_t bytes)
{
   const val inside = hd_nyuzi_inside(s, place, at, bytes);

   return inside.size ? hd_nyuzi_active(s, inside) : hd_nyuzi_reg(HD_NYUZI_EXEC);
}

/* Units */

/* Bytes that are moved at once: no more than the alignment at this byte, a component, a word. */
static unsigned
unit_of(const hd_intrinsic *i, uint32_t at, unsigned bytes)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const uint32_t mul = info->slots[HD_INDEX_ALIGN_MUL] ? hd_nyuzi_index(i, HD_INDEX_ALIGN_MUL) : 4;
   const uint32_t bits = (hd_nyuzi_index(i, HD_INDEX_ALIGN_OFFSET) + at) | mul;
   const uint32_t align = bits & (0u - bits);
   const unsigned unit = bytes < 4 ? bytes : 4;

   return align && align < unit ? align : unit;
}

static val
cut_out(sel *s, val word, val address, unsigned unit)
{
   const val down = shr(s, word, shl(s, and(s, address, K(3)), K(3)));

   return and(s, down, K(unit == 1 ? 0xff : 0xffff));
}

/* What active lanes have there. `lanes` is exec, or the mask of those that are inside. */
static val
gather(sel *s, val address, val lanes, bool some)
{
   const val d = hd_nyuzi_new(s, HD_NYUZI_VECTOR), pointer = hd_nyuzi_in_vector(s, address);

   if (some)
      hd_nyuzi_emit_full(s, HD_NYUZI_P_GATHER_IN, 1, &d, 3,
                         (val[]){ hd_nyuzi_in_vector(s, K(0)), lanes, pointer });
   else
      hd_nyuzi_emit_full(s, HD_NYUZI_P_GATHER, 1, &d, 1, &pointer);
   return d;
}

static val
load_lanes(sel *s, const hd_nyuzi_place *place, uint32_t at, unsigned unit, val lanes)
{
   const bool some = place->size.size != 0;
   const val address = hd_nyuzi_address(s, place, at);

   if (unit == 4)
      return gather(s, address, lanes, some);
   return cut_out(s, gather(s, and(s, address, K(~3u)), lanes, some), address, unit);
}

/* Outside of the buffer the address is one that can be read, and the result is 0. */
static val
load_scalar(sel *s, const hd_nyuzi_place *place, uint32_t at, unsigned unit, val inside)
{
   static const uint16_t ops[] = {
      [1] = HD_NYUZI_LOAD_U8, [2] = HD_NYUZI_LOAD_U16, [4] = HD_NYUZI_LOAD_32
   };
   val address = hd_nyuzi_of_first_lane(s, hd_nyuzi_address(s, place, at));
   const val d = hd_nyuzi_new(s, HD_NYUZI_SCALAR);

   if (inside.size)
      address = pick(s, inside, address, hd_nyuzi_of(s->p)->start[HD_NYUZI_START_LAUNCH]);
   address = hd_nyuzi_in_scalar(s, address);
   hd_nyuzi_emit_full(s, ops[unit], 1, &d, 1, &address);
   return inside.size ? pick(s, inside, d, K(0)) : d;
}

static bool
select_load(sel *s, const hd_intrinsic *i)
{
   const hd_def *def = &i->instr.def;
   const unsigned bytes = def->bit_size / 8, words = bytes == 8 ? 2 : 1;
   const bool scalar = hd_def_is_uniform(def);
   hd_nyuzi_place place;
   val parts[2 * HD_MAX_COMPONENTS];

   if (!hd_nyuzi_locate(s, i, 0, &place))
      return false;
   if (scalar)
      place.position = hd_nyuzi_of_first_lane(s, place.position);
   for (unsigned c = 0; c < def->num_components; c++) {
      const val lanes = scalar ? hd_nyuzi_inside(s, &place, c * bytes, bytes)
                               : hd_nyuzi_lanes_inside(s, &place, c * bytes, bytes);
      for (unsigned w = 0; w < words; w++) {
         const uint32_t begin = c * bytes + 4 * w, size = bytes < 4 ? bytes : 4;
         const unsigned unit = unit_of(i, begin, size);
         val part = { 0 };
         for (uint32_t at = 0; at < size; at += unit) {
            const val piece = scalar ? load_scalar(s, &place, begin + at, unit, lanes)
                                     : load_lanes(s, &place, begin + at, unit, lanes);
            part = at ? or (s, part, shl(s, piece, K(8 * at))) : piece;
         }
         parts[c * words + w] = part;
      }
   }
   hd_nyuzi_set_parts(s, def, parts);
   return true;
}

static void
store_unit(sel *s, const hd_nyuzi_place *place, uint32_t at, unsigned unit, val value, val lanes)
{
   static const uint16_t ops[] = {
      [1] = HD_NYUZI_STORE_8, [2] = HD_NYUZI_STORE_16, [4] = HD_NYUZI_STORE_32
   };
   const val address = hd_nyuzi_address(s, place, at);
   val srcs[3];

   if (!place->size.size && !hd_nyuzi_is_vector(s, address) && !hd_nyuzi_is_vector(s, value)) {
      srcs[0] = hd_nyuzi_in_scalar(s, value);
      srcs[1] = hd_nyuzi_in_scalar(s, address);
      hd_nyuzi_emit_full(s, ops[unit], 0, NULL, 2, srcs);
      return;
   }
   srcs[0] = hd_nyuzi_in_vector(s, value);
   srcs[1] = hd_nyuzi_in_vector(s, address);
   srcs[2] = lanes;
   if (unit == 4) {
      const bool some = place->size.size != 0;
      hd_nyuzi_emit_full(s, some ? HD_NYUZI_P_SCATTER_IN : HD_NYUZI_P_SCATTER, 0, NULL,
                         some ? 3 : 2, srcs);
      return;
   }
   val temps[4];
   for (unsigned n = 0; n < 4; n++)
      temps[n] = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
   hd_nyuzi_emit_full(s, HD_NYUZI_P_LANE_STORE, 4, temps, 3, srcs)->bits = (uint16_t)ops[unit];
}

static bool
select_store(sel *s, const hd_intrinsic *i)
{
   const hd_def *value = i->src[0].def;
   const unsigned bytes = value->bit_size / 8, words = bytes == 8 ? 2 : 1;
   hd_nyuzi_place place;

   if (!hd_nyuzi_locate(s, i, 1, &place))
      return false;
   for (unsigned c = 0; c < value->num_components; c++) {
      const val lanes = hd_nyuzi_lanes_inside(s, &place, c * bytes, bytes);
      for (unsigned w = 0; w < words; w++) {
         const uint32_t begin = c * bytes + 4 * w, size = bytes < 4 ? bytes : 4;
         const unsigned unit = unit_of(i, begin, size);
         const val part = hd_nyuzi_part(s, value, c * words + w);
         for (uint32_t at = 0; at < size; at += unit)
            store_unit(s, &place, begin + at, unit, at ? shr(s, part, K(8 * at)) : part, lanes);
      }
   }
   return true;
}

bool
hd_nyuzi_select_memory(sel *s, const hd_intrinsic *i)
{
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_BUFFER_SIZE:
      hd_nyuzi_set(s, &i->instr.def, descriptor(s, i, 1));
      return true;
   case HD_INTRINSIC_LOAD_GLOBAL:
   case HD_INTRINSIC_LOAD_BUFFER:
   case HD_INTRINSIC_LOAD_SHARED:
   case HD_INTRINSIC_LOAD_SCRATCH:
   case HD_INTRINSIC_LOAD_PUSH:
   case HD_INTRINSIC_LOAD_KERNARG:
   case HD_INTRINSIC_LOAD_CONSTANT:
      return select_load(s, i);
   default:
      return select_store(s, i);
   }
}
