/* SPDX-License-Identifier: MIT */
/* memory.c - instruction selection of loads and stores: all memory is one flat address space.
 *
 *    global             the low 32 bits of the address
 *    buffer             the address and size of its descriptor; out of bounds reads 0
 *    shared             from the memory of the workgroup on
 *    scratch            dword d of lane L at 64 * d + 4 * L from the scratch memory of the wave on
 *    push, kernarg, constant      at addresses from the launch
 *
 * An access is split into components, and those into units that their alignment allows. A uniform
 * result is loaded by scalar instructions; else lanes gather words, from which smaller units are
 * extracted. Units smaller than a word are stored lane by lane.
 */
#include <stddef.h>
#include <string.h>

#include "backend/nyuzi/select/expr.h"
#include "heddle/analysis.h"
#include "heddle/intrinsic_enum.h"

/* Descriptors of an array whose index is computed, of unknown length. */
#define UNKNOWN_ELEMENTS 64u

void
hd_nyuzi_find_buffers(sel *s)
{
   hd_nyuzi_program *p = hd_nyuzi_of(s->base.p);

   hd_mach_find_buffers(&s->base,
                        p->options->descriptor_array_size ? p->options->descriptor_array_size
                                                          : UNKNOWN_ELEMENTS,
                        &p->buffers);
}

/* Places */

/* Word 0 of a descriptor is the address, word 1 the size. */
static val
descriptor(sel *s, const hd_intrinsic *i, unsigned word)
{
   const hd_buffer_binding *b = hd_mach_buffer_of(&hd_nyuzi_of(s->base.p)->buffers, i);
   const val index =
       hd_nyuzi_of_first_lane(s, hd_mach_part(&s->base, hd_mach_array_index_of(i)->def, 0));
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
   const val position = hd_mach_part(&s->base, i->src[first + buffer].def, 0);
   const hd_nyuzi_program *p = hd_nyuzi_of(s->base.p);
   val base;

   *place = (hd_nyuzi_place){ .position = position,
                              .offset = (int32_t)hd_intrinsic_index(i, HD_INDEX_OFFSET) };
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
      return hd_mach_refuse(s->base.p, &i->instr, "unsupported intrinsic %s", info->name);
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
      hd_mach_selector_emit(&s->base, HD_NYUZI_P_GATHER_IN, 1, &d, 3,
                            (val[]){ hd_nyuzi_in_vector(s, K(0)), lanes, pointer });
   else
      hd_mach_selector_emit(&s->base, HD_NYUZI_P_GATHER, 1, &d, 1, &pointer);
   return d;
}

static val
load_lanes(sel *s, const hd_nyuzi_place *place, uint32_t at, unsigned unit)
{
   const bool some = place->size.size != 0;
   const val address = hd_nyuzi_address(s, place, at);

   if (unit == 4)
      return gather(s, address, place->inside, some);
   return cut_out(s, gather(s, and(s, address, K(~3u)), place->inside, some), address, unit);
}

/* Outside of the buffer the address is one that can be read, and the result is 0. */
static val
load_scalar(sel *s, const hd_nyuzi_place *place, uint32_t at, unsigned unit)
{
   static const uint16_t ops[] = {
      [1] = HD_NYUZI_LOAD_U8, [2] = HD_NYUZI_LOAD_U16, [4] = HD_NYUZI_LOAD_32
   };
   val address = hd_nyuzi_of_first_lane(s, hd_nyuzi_address(s, place, at));
   const val d = hd_nyuzi_new(s, HD_NYUZI_SCALAR), inside = place->inside;

   if (inside.size)
      address = pick(s, inside, address, hd_nyuzi_of(s->base.p)->start[HD_NYUZI_START_LAUNCH]);
   address = hd_nyuzi_in_scalar(s, address);
   hd_mach_selector_emit(&s->base, ops[unit], 1, &d, 1, &address);
   return inside.size ? pick(s, inside, d, K(0)) : d;
}

static val
load_unit(void *s, void *user, uint32_t at, unsigned unit)
{
   const hd_nyuzi_place *place = user;

   return place->scalar ? load_scalar(s, place, at, unit) : load_lanes(s, place, at, unit);
}

static void
store_unit(void *user, void *to, uint32_t at, unsigned unit, val value)
{
   static const uint16_t ops[] = {
      [1] = HD_NYUZI_STORE_8, [2] = HD_NYUZI_STORE_16, [4] = HD_NYUZI_STORE_32
   };
   const hd_nyuzi_place *place = to;
   sel *s = user;
   const val address = hd_nyuzi_address(s, place, at);
   val srcs[3];

   if (!place->size.size && !hd_nyuzi_is_vector(s, address) && !hd_nyuzi_is_vector(s, value)) {
      srcs[0] = hd_nyuzi_in_scalar(s, value);
      srcs[1] = hd_nyuzi_in_scalar(s, address);
      hd_mach_selector_emit(&s->base, ops[unit], 0, NULL, 2, srcs);
      return;
   }
   srcs[0] = hd_nyuzi_in_vector(s, value);
   srcs[1] = hd_nyuzi_in_vector(s, address);
   srcs[2] = place->inside;
   if (unit == 4) {
      const bool some = place->size.size != 0;
      hd_mach_selector_emit(&s->base, some ? HD_NYUZI_P_SCATTER_IN : HD_NYUZI_P_SCATTER, 0, NULL,
                            some ? 3 : 2, srcs);
      return;
   }
   val temps[4];
   for (unsigned n = 0; n < 4; n++)
      temps[n] = hd_nyuzi_new(s, HD_NYUZI_SCALAR);
   hd_mach_selector_emit(&s->base, HD_NYUZI_P_LANE_STORE, 4, temps, 3, srcs)->bits =
       (uint16_t)ops[unit];
}

static void
begin(void *s, void *user, uint32_t at, unsigned bytes)
{
   hd_nyuzi_place *place = user;

   place->inside = place->scalar ? hd_nyuzi_inside(s, place, at, bytes)
                                 : hd_nyuzi_lanes_inside(s, place, at, bytes);
}

static const hd_mach_piecewise units = { .begin = begin, .load = load_unit, .store = store_unit };

bool
hd_nyuzi_select_memory(sel *s, const hd_intrinsic *i)
{
   const bool store = hd_instr_intrinsic_info(&i->instr)->writes != 0;
   hd_nyuzi_place place;

   if (i->instr.op == HD_INTRINSIC_BUFFER_SIZE) {
      hd_mach_set_part(&s->base, &i->instr.def, descriptor(s, i, 1));
      return true;
   }
   if (!hd_nyuzi_locate(s, i, store, &place))
      return false;
   place.scalar = !store && hd_def_is_uniform(&i->instr.def);
   if (place.scalar)
      place.position = hd_nyuzi_of_first_lane(s, place.position);
   if (store)
      hd_mach_store_pieces(&s->base, &units, i, &place);
   else
      hd_mach_load_pieces(&s->base, &units, i, &place);
   return true;
}
