/* SPDX-License-Identifier: MIT */
/* memory.c - instruction selection of loads, stores and atomics.
 *
 *    global                       by addresses of 64 bits
 *    buffer                       its surface; out of bounds reads 0
 *    shared                       the surface of the workgroup
 *    scratch                      dword d of lane L at 4 * (lanes * d + L) in the thread's part of its surface
 *    push, kernarg, constant      surfaces of their own; what the thread begins with is read there
 *
 * A load whose result is a scalar is one message for the whole wave.
 *
 * An access is split into components, and those into units that their alignment allows.
 */
#include <string.h>

#include "backend/gen9/select/select.h"
#include "heddle/intrinsic_enum.h"

/* Buffers of an array whose index is computed, of unknown length. */
#define UNKNOWN_ELEMENTS 16u

typedef struct place {
   val low, high; /* the access's own operand; `high` of addresses */
   int64_t offset;
   unsigned surface;
   val index; /* what is added to the number of the surface; or size 0 */
   unsigned memory;
   bool uniform; /* one access for all lanes */
   bool is_wide; /* the address is a sum of 64 bits, */
   hd_mach_wide_sum wide;
} place;

bool
hd_gen9_find_buffers(sel *s)
{
   hd_gen9_program *p = hd_gen9_of(s->p);
   const uint32_t most =
       p->options->descriptor_array_size ? p->options->descriptor_array_size : UNKNOWN_ELEMENTS;

   hd_mach_find_buffers(s, most, &p->buffers);
   return p->buffers.num <= HD_GEN9_MAX_SURFACES - HD_GEN9_SURFACE_BUFFERS ||
          hd_mach_refuse(s->p, NULL, "expected at most %u buffers in the binding table, found more",
                         HD_GEN9_MAX_SURFACES - HD_GEN9_SURFACE_BUFFERS);
}

/* Places */

/* The number of the buffer, or what is added to it. */
static unsigned
buffer_of(sel *s, const hd_intrinsic *i, val *index)
{
   const hd_buffer_binding *b = hd_mach_buffer_of(&hd_gen9_of(s->p)->buffers, i);
   const val element = hd_mach_part(s, hd_mach_array_index_of(i)->def, 0);

   *index = (val){ 0 };
   if (hd_gen9_is_constant(&element))
      return b->first + (hd_gen9_constant(&element) < b->num ? hd_gen9_constant(&element) : 0);
   *index = element;
   return b->first;
}

/* Is it a dword that the thread begins with, and the next one, too? */
static bool
is_pair(unsigned reg)
{
   return reg >= HD_GEN9_PAYLOAD && reg < HD_GEN9_ZERO && (reg - HD_GEN9_PAYLOAD) % 2 == 0;
}

/* Constants that are added to the halves are added to the whole. */
static void
locate_global(sel *s, const hd_def *position, place *place)
{
   const hd_def *halves[2];
   uint32_t offset;

   if (!hd_mach_find_halves(s, position, halves, &offset))
      return;
   place->is_wide = hd_mach_find_wide_sum(s, halves, is_pair, &place->wide);
   place->low = hd_mach_part(s, halves[0], 0);
   place->high = hd_mach_part(s, halves[1], 0);
   place->offset += offset;
}

/* `first` is the number of the source where the operands of the address begin. */
static bool
locate(sel *s, const hd_intrinsic *i, unsigned first, place *place)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const unsigned memory = info->reads | info->writes;
   const bool buffer = memory & HD_MEMORY_BUFFER;
   const hd_def *position = i->src[first + buffer].def;

   memset(place, 0, sizeof(*place));
   place->low = hd_mach_part(s, position, 0);
   place->offset = (int32_t)hd_intrinsic_index(i, HD_INDEX_OFFSET);
   place->memory = memory;
   switch (memory) {
   case HD_MEMORY_GLOBAL:
      place->high = position->bit_size == 64 ? hd_mach_part(s, position, 1) : K(0);
      place->surface = HD_GEN9_SURFACE_STATELESS;
      locate_global(s, position, place);
      return true;
   case HD_MEMORY_BUFFER:
      place->surface = HD_GEN9_SURFACE_BUFFERS + buffer_of(s, i, &place->index);
      return true;
   case HD_MEMORY_SHARED:
      place->surface = HD_GEN9_SURFACE_SHARED;
      return true;
   case HD_MEMORY_SCRATCH:
      place->surface = HD_GEN9_SURFACE_SCRATCH;
      return true;
   case HD_MEMORY_PUSH:
      place->surface = HD_GEN9_SURFACE_PUSH;
      return true;
   case HD_MEMORY_KERNARG:
      place->surface = HD_GEN9_SURFACE_KERNARG;
      return true;
   case HD_MEMORY_CONSTANT:
      place->surface = HD_GEN9_SURFACE_CONSTANTS;
      return true;
   default:
      return hd_mach_refuse_intrinsic(s, i);
   }
}

/* A place in memory; `high` only where addresses have 64 bits. */
typedef struct address {
   val low, high;
   bool is_wide;
   int16_t offset; /* that is added to one of 64 bits */
} address;

/* A sum of 64 bits. */
static address
global_address(sel *s, const place *place, int64_t offset)
{
   val low = place->low, high = place->high;

   if (offset >= INT16_MIN && offset <= INT16_MAX)
      return place->is_wide ? (address){ place->wide.x, place->wide.base, true, (int16_t)offset }
                            : (address){ low, high, false, (int16_t)offset };
   if (offset) {
      low = add(s, low, K(offset));
      const val carry = hd_gen9_compare(s, HD_GEN9_CONDITION_LT, HD_GEN9_TYPE_UD, low, K(offset));
      const val up = add(s, high, K((uint64_t)offset >> 32));
      high = add(s, up, and(s, carry, K(1)));
   }
   return (address){ .low = low, .high = high };
}

static val
scratch_address(sel *s, const place *place, int64_t offset)
{
   const val byte = offset ? add(s, place->low, K(offset)) : place->low;
   const val row = shl(s, and(s, byte, K(~3u)), K(hd_gen9_of(s->p)->width->exec));
   const val base = add(s, row, hd_gen9_payload(s, HD_GEN9_START_SCRATCH));

   return add(s, base, and(s, byte, K(3)));
}

/* The address of byte `at` of the access. Where the sum is more than 32 bits it is held at the
 * greatest one, which is outside of all buffers.
 */
static address
address_of(sel *s, const place *place, uint32_t at)
{
   const int64_t offset = (int64_t)place->offset + at;

   if (place->surface == HD_GEN9_SURFACE_STATELESS)
      return global_address(s, place, offset);
   if (place->surface == HD_GEN9_SURFACE_SCRATCH)
      return (address){ .low = scratch_address(s, place, offset) };
   val sum = place->low;
   if (offset && hd_gen9_is_constant(&sum)) {
      const int64_t known = hd_gen9_constant(&sum) + offset;
      sum = K(offset > 0 && known > UINT32_MAX ? UINT32_MAX : known);
   } else if (offset) {
      sum = hd_gen9_emit(s, HD_GEN9_ADD, HD_GEN9_TYPE_UD, sum, K(offset));
      s->block->last->mods.bytes[0] = offset > 0;
   }
   return (address){ .low = place->uniform ? sum : hd_gen9_in_vector(s, sum) };
}

/* Is the byte among those that the thread begins with? */
static bool
is_in_payload(const sel *s, const place *place, uint32_t at, uint64_t *offset)
{
   const unsigned first =
       s->p->shader->stage == HD_STAGE_KERNEL ? HD_GEN9_SURFACE_KERNARG : HD_GEN9_SURFACE_PUSH;

   if (place->surface != first || !hd_gen9_is_constant(&place->low))
      return false;
   const int64_t byte = (int64_t)hd_gen9_constant(&place->low) + place->offset + at;
   *offset = (uint64_t)byte;
   return byte >= 0 && byte < (int64_t)HD_GEN9_PAYLOAD_BYTES;
}

/* Units */

/* A message: the address, what it brings, and where the surface is computed its index. */
static void
message(sel *s, const place *place, unsigned op, unsigned bits, unsigned num_defs, const val *defs,
        const val *data, unsigned num_data, address at)
{
   const bool indexed = place->index.size != 0;
   val srcs[7] = { at.low, at.high };
   unsigned num = at.high.size ? 2 : 1;

   for (unsigned n = 0; n < num_data; n++)
      srcs[num++] = data[n];
   if (indexed)
      srcs[num++] = place->index;
   hd_mach_inst *inst = hd_mach_selector_emit(s, op, num_defs, defs, num, srcs);
   inst->bits = (uint16_t)bits;
   inst->form = indexed;
   inst->imm = (int32_t)place->surface;
   inst->mods.halves[2] = (uint16_t)at.offset;
   if (!at.is_wide)
      return;
   inst->mods.bytes[1] = (place->wide.is_signed ? HD_GEN9_TYPE_D : HD_GEN9_TYPE_UD) + 1;
   inst->mods.bytes[2] = place->wide.shift;
}

static val
load_unit(void *user, void *place, uint32_t at, unsigned unit)
{
   sel *s = user;
   const struct place *access = place;
   uint64_t offset;
   val piece;

   if (is_in_payload(s, place, at, &offset)) {
      piece = hd_gen9_of_payload(offset);
      if (offset % 4)
         piece = shr(s, piece, K(8 * (offset % 4)));
   } else {
      const address from = address_of(s, place, at);
      piece = hd_gen9_new(s, access->uniform ? HD_GEN9_UNIFORM : HD_GEN9_VECTOR);
      message(s, place, HD_GEN9_P_LOAD, unit, 1, &piece, NULL, 0, from);
   }
   return unit < 4 ? and(s, piece, K(unit == 1 ? 0xff : 0xffff)) : piece;
}

static val
in_vector(void *s, val part)
{
   return hd_gen9_in_vector(s, part);
}

static void
store_unit(void *user, void *place, uint32_t at, unsigned unit, val value)
{
   sel *s = user;

   const address to = address_of(s, place, at);
   message(s, place, HD_GEN9_P_STORE, unit, 0, NULL, &value, 1, to);
}

static const hd_mach_piecewise units = { .load = load_unit,
                                         .take = in_vector,
                                         .store = store_unit };

/* Atomics */

/* What the message calls it. */
#define COMPARE_AND_SWAP 14u
static const uint8_t atomic_numbers[] = {
   [HD_ATOMIC_IADD] = 7,  [HD_ATOMIC_IMIN] = 11, [HD_ATOMIC_IMAX] = 10,
   [HD_ATOMIC_UMIN] = 13, [HD_ATOMIC_UMAX] = 12, [HD_ATOMIC_IAND] = 1,
   [HD_ATOMIC_IOR] = 2,   [HD_ATOMIC_IXOR] = 3,  [HD_ATOMIC_EXCHANGE] = 4,
};

static bool
select_atomic(sel *s, const hd_intrinsic *i)
{
   bool swap;
   const bool is_known = hd_mach_is_atomic(i, &swap);
   const uint32_t op = swap ? 0 : hd_intrinsic_index(i, HD_INDEX_ATOMIC_OP);
   const unsigned num = i->instr.num_srcs, parts = hd_mach_num_parts(&i->instr.def);
   unsigned num_data = 0;
   place place;
   val data[4], defs[2];

   if (!is_known)
      return hd_mach_refuse_intrinsic(s, i);
   if (!swap && (op >= sizeof(atomic_numbers) || !atomic_numbers[op]))
      return hd_mach_refuse(
          s->p, &i->instr,
          "expected an integer or bitwise atomic, found one on floats: run lower_atomics");
   if (!locate(s, i, 0, &place))
      return false;
   if (parts == 2 && place.surface != HD_GEN9_SURFACE_STATELESS)
      return hd_mach_refuse(s->p, &i->instr,
                            "unsupported atomic of 64 bits: only global memory has them");
   for (unsigned n = num - 1 - swap; n < num; n++) {
      for (unsigned k = 0; k < parts; k++)
         data[num_data++] = hd_gen9_in_vector(s, hd_mach_part(s, i->src[n].def, k));
   }
   const address at = address_of(s, &place, 0);
   for (unsigned k = 0; k < parts; k++)
      defs[k] = hd_gen9_new(s, HD_GEN9_VECTOR);
   message(s, &place, HD_GEN9_P_ATOMIC, swap ? COMPARE_AND_SWAP : atomic_numbers[op], parts, defs,
           data, num_data, at);
   hd_mach_set_parts(s, &i->instr.def, defs);
   return true;
}

/* After the launch. */
static void
set_buffer_size(sel *s, const hd_intrinsic *i)
{
   val index;
   const uint32_t at = (uint32_t)sizeof(hd_gen9_launch) + 4 * buffer_of(s, i, &index);

   place launch = { .surface = HD_GEN9_SURFACE_LAUNCH, .memory = HD_MEMORY_CONSTANT };
   launch.low = index.size ? add(s, shl(s, index, K(2)), K(at)) : K(at);
   launch.uniform = s->p->scalars[i->instr.def.index] && !hd_gen9_is_vector(s, launch.low);
   hd_mach_set_part(s, &i->instr.def, load_unit(s, &launch, 0, 4));
}

bool
hd_gen9_select_memory(sel *s, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   place place;

   if (i->instr.op == HD_INTRINSIC_BUFFER_SIZE) {
      set_buffer_size(s, i);
      return true;
   }
   if (info->reads & info->writes)
      return select_atomic(s, i);
   if (!locate(s, i, info->writes != 0, &place))
      return false;
   if (info->writes) {
      hd_mach_store_pieces(s, &units, i, &place);
      return true;
   }
   place.uniform = s->p->scalars[i->instr.def.index] &&
                   hd_gen9_file_of(s, place.low, place.high, place.index) == HD_GEN9_UNIFORM;
   hd_mach_load_pieces(s, &units, i, &place);
   return true;
}
