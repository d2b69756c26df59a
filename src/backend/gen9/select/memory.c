/* SPDX-License-Identifier: MIT */
/* memory.c - loads, stores and atomics.
 *
 *    global                       by addresses of 64 bits
 *    buffer                       its surface; what is outside of it reads 0
 *    shared                       the surface of the workgroup
 *    scratch                      dword d of lane L at 32 * d + 4 * L in the thread's part of its surface
 *    push, kernarg, constant      surfaces of their own
 *
 * An access is cut into components, and those into units that their alignment allows.
 */
#include <string.h>

#include "backend/gen9/select/select.h"
#include "heddle/intrinsic_enum.h"

/* Buffers of an array whose index is computed, where nobody says how many there are. */
#define UNKNOWN_ELEMENTS 16u

typedef struct place {
   val low, high; /* the access's own operand; `high` of addresses */
   int32_t offset;
   unsigned surface;
   val index; /* what is added to the number of the surface; or size 0 */
   unsigned memory;
} place;

/* Bindings */

static hd_gen9_binding *
binding_of(sel *s, const hd_intrinsic *i)
{
   hd_gen9_program *p = hd_gen9_of(s->p);
   const uint32_t set = hd_gen9_index(i, HD_INDEX_SET),
                  binding = hd_gen9_index(i, HD_INDEX_BINDING);

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
   hd_gen9_program *p = hd_gen9_of(s->p);
   const hd_src *index = array_index_of(i);
   const hd_const *c = index ? hd_src_as_const(index) : NULL;
   const uint32_t most = p->options->elements ? p->options->elements : UNKNOWN_ELEMENTS;
   const uint32_t num = c && c->value[0].u32 < (1u << 20) ? c->value[0].u32 + 1 : most;

   if (!index)
      return;
   hd_gen9_binding *b = binding_of(s, i);
   if (!b) {
      if (p->num_bindings == *capacity) {
         *capacity = *capacity ? 2 * *capacity : 16;
         hd_gen9_binding *more = hd_stack_alloc(s->p->stack, *capacity * sizeof(*more));
         if (p->num_bindings)
            memcpy(more, p->bindings, p->num_bindings * sizeof(*more));
         p->bindings = more;
      }
      b = &p->bindings[p->num_bindings++];
      *b = (hd_gen9_binding){ .set = hd_gen9_index(i, HD_INDEX_SET),
                              .binding = hd_gen9_index(i, HD_INDEX_BINDING) };
   }
   b->num = num > b->num ? num : b->num;
}

bool
hd_gen9_find_bindings(sel *s)
{
   hd_gen9_program *p = hd_gen9_of(s->p);
   uint32_t capacity = 0;
   uint64_t total = 0;

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
      p->bindings[n].first = (uint32_t)total;
      total += p->bindings[n].num;
   }
   if (total > HD_GEN9_MAX_SURFACES - HD_GEN9_SURFACE_BUFFERS)
      return hd_mach_refuse(s->p, NULL, "more buffers than the binding table has room for: %u",
                            HD_GEN9_MAX_SURFACES - HD_GEN9_SURFACE_BUFFERS);
   p->num_buffers = (uint32_t)total;
   return true;
}

/* Places */

/* The number of the buffer, or what is added to it. */
static unsigned
buffer_of(sel *s, const hd_intrinsic *i, val *index)
{
   const hd_gen9_binding *b = binding_of(s, i);
   const val element = hd_gen9_value(s, array_index_of(i)->def, 0);

   *index = (val){ 0 };
   if (hd_gen9_is_constant(&element))
      return b->first + (hd_gen9_constant(&element) < b->num ? hd_gen9_constant(&element) : 0);
   *index = element;
   return b->first;
}

/* `first` is the number of the source where the operands of the place begin. */
static bool
locate(sel *s, const hd_intrinsic *i, unsigned first, place *place)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const unsigned memory = info->reads | info->writes;
   const bool buffer = memory & HD_MEMORY_BUFFER;
   const hd_def *position = i->src[first + buffer].def;

   memset(place, 0, sizeof(*place));
   place->low = hd_gen9_value(s, position, 0);
   place->offset = (int32_t)hd_gen9_index(i, HD_INDEX_OFFSET);
   place->memory = memory;
   switch (memory) {
   case HD_MEMORY_GLOBAL:
      place->high = position->bit_size == 64 ? hd_gen9_value(s, position, 1) : K(0);
      place->surface = HD_GEN9_SURFACE_STATELESS;
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
      return hd_gen9_refuse_intrinsic(s, i);
   }
}

/* A sum of 64 bits. */
static val
global_address(sel *s, const place *place, int64_t offset)
{
   val low = place->low, high = place->high;

   if (offset) {
      low = add(s, low, K(offset));
      const val carry = hd_gen9_compare(s, HD_GEN9_CONDITION_LT, HD_GEN9_TYPE_UD, low, K(offset));
      const val up = add(s, high, K((uint64_t)offset >> 32));
      high = add(s, up, and(s, carry, K(1)));
   }
   const val d = hd_gen9_new(s, 2), none = { 0 };
   low = hd_gen9_in_register(s, low);
   high = hd_gen9_in_register(s, high);
   hd_gen9_append(s, HD_GEN9_P_ADDRESS, HD_GEN9_TYPE_UD, d, low, high, none);
   return d;
}

static val
scratch_address(sel *s, const place *place, int64_t offset)
{
   const val byte = offset ? add(s, place->low, K(offset)) : place->low;
   const val row = shl(s, and(s, byte, K(~3u)), K(3));
   const val base = add(s, row, hd_gen9_payload(s, HD_GEN9_START_SCRATCH));

   return add(s, base, and(s, byte, K(3)));
}

/* The address of byte `at` of the access. Where the sum is more than 32 bits it is held at the
 * greatest one, which is outside of all buffers.
 */
static val
address_of(sel *s, const place *place, uint32_t at)
{
   const int64_t offset = (int64_t)place->offset + at;

   if (place->surface == HD_GEN9_SURFACE_STATELESS)
      return global_address(s, place, offset);
   if (place->surface == HD_GEN9_SURFACE_SCRATCH)
      return scratch_address(s, place, offset);
   if (!offset)
      return hd_gen9_in_register(s, place->low);
   const val sum = hd_gen9_emit(s, HD_GEN9_ADD, HD_GEN9_TYPE_UD, place->low, K(offset));
   s->block->last->mods.bytes[0] = offset > 0;
   return sum;
}

/* Units */

/* Bytes that are moved at once: no more than the alignment at this byte, a component, a dword. */
static unsigned
unit_of(const hd_intrinsic *i, uint32_t at, unsigned bytes)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const uint32_t mul = info->slots[HD_INDEX_ALIGN_MUL] ? hd_gen9_index(i, HD_INDEX_ALIGN_MUL) : 4;
   const uint32_t bits = (hd_gen9_index(i, HD_INDEX_ALIGN_OFFSET) + at) | mul;
   const uint32_t align = bits & (0u - bits);
   const unsigned unit = bytes < 4 ? bytes : 4;

   return align && align < unit ? align : unit;
}

/* A message: the address, what it brings, and where the surface is computed its index. */
static void
message(sel *s, const place *place, unsigned op, unsigned bits, val def, const val *data,
        unsigned num_data, val address)
{
   const bool indexed = place->index.size != 0;
   hd_mach_inst *inst = hd_mach_inst_create(s->p, op, def.size != 0, 1 + num_data + indexed);

   if (def.size) {
      *hd_mach_def(inst, 0) = def;
      s->p->temps[def.value].def = inst;
   }
   *hd_mach_src(inst, 0) = address;
   for (unsigned n = 0; n < num_data; n++)
      *hd_mach_src(inst, 1 + n) = data[n];
   if (indexed)
      *hd_mach_src(inst, 1 + num_data) = place->index;
   inst->bits = (uint16_t)bits;
   inst->form = indexed;
   inst->imm = (int32_t)place->surface;
   inst->loc = s->instr ? s->instr->loc : 0;
   hd_mach_inst_append(s->block, inst);
}

static bool
select_load(sel *s, const hd_intrinsic *i)
{
   const hd_def *def = &i->instr.def;
   const unsigned bytes = def->bit_size / 8, words = bytes == 8 ? 2 : 1;
   place place;
   val parts[2 * HD_MAX_COMPONENTS];

   if (!locate(s, i, 0, &place))
      return false;
   for (unsigned n = 0; n < def->num_components * words; n++) {
      const uint32_t begin = n / words * bytes + n % words * 4, size = bytes < 4 ? bytes : 4;
      const unsigned unit = unit_of(i, begin, size);
      val whole = { 0 };
      for (uint32_t at = 0; at < size; at += unit) {
         const val address = address_of(s, &place, begin + at);
         val piece = hd_gen9_new(s, 1);
         message(s, &place, HD_GEN9_P_LOAD, unit, piece, NULL, 0, address);
         if (unit < 4)
            piece = and(s, piece, K(unit == 1 ? 0xff : 0xffff));
         whole = at ? or (s, whole, shl(s, piece, K(8 * at))) : piece;
      }
      parts[n] = whole;
   }
   hd_gen9_set_parts(s, def, parts);
   return true;
}

static bool
select_store(sel *s, const hd_intrinsic *i)
{
   const hd_def *value = i->src[0].def;
   const unsigned bytes = value->bit_size / 8, words = bytes == 8 ? 2 : 1;
   const val none = { 0 };
   place place;

   if (!locate(s, i, 1, &place))
      return false;
   for (unsigned n = 0; n < value->num_components * words; n++) {
      const uint32_t begin = n / words * bytes + n % words * 4, size = bytes < 4 ? bytes : 4;
      const unsigned unit = unit_of(i, begin, size);
      const val part = hd_gen9_in_register(s, hd_gen9_value(s, value, n));
      for (uint32_t at = 0; at < size; at += unit) {
         const val piece = at ? shr(s, part, K(8 * at)) : part;
         const val address = address_of(s, &place, begin + at);
         message(s, &place, HD_GEN9_P_STORE, unit, none, &piece, 1, address);
      }
   }
   return true;
}

/* Atomics */

static bool
is_swap(hd_intrinsic_id id)
{
   return id == HD_INTRINSIC_GLOBAL_ATOMIC_SWAP || id == HD_INTRINSIC_BUFFER_ATOMIC_SWAP ||
          id == HD_INTRINSIC_SHARED_ATOMIC_SWAP;
}

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
   const hd_intrinsic_id id = (hd_intrinsic_id)i->instr.op;
   const bool swap = is_swap(id);
   const uint32_t op = swap ? 0 : hd_gen9_index(i, HD_INDEX_ATOMIC_OP);
   const unsigned num = i->instr.num_srcs;
   place place;
   val data[2];

   if (!swap && id != HD_INTRINSIC_GLOBAL_ATOMIC && id != HD_INTRINSIC_BUFFER_ATOMIC &&
       id != HD_INTRINSIC_SHARED_ATOMIC)
      return hd_gen9_refuse_intrinsic(s, i);
   if (i->instr.def.bit_size != 32)
      return hd_mach_refuse(s->p, &i->instr, "unsupported atomic of %u bits",
                            i->instr.def.bit_size);
   if (!swap && (op >= sizeof(atomic_numbers) || !atomic_numbers[op]))
      return hd_mach_refuse(s->p, &i->instr, "an atomic that is not one of integers and bits");
   if (!locate(s, i, 0, &place))
      return false;
   data[0] = hd_gen9_in_register(s, hd_gen9_value(s, i->src[swap ? num - 2 : num - 1].def, 0));
   if (swap)
      data[1] = hd_gen9_in_register(s, hd_gen9_value(s, i->src[num - 1].def, 0));
   const val d = hd_gen9_new(s, 1), address = address_of(s, &place, 0);
   message(s, &place, HD_GEN9_P_ATOMIC, swap ? COMPARE_AND_SWAP : atomic_numbers[op], d, data,
           swap ? 2 : 1, address);
   hd_gen9_set(s, &i->instr.def, d);
   return true;
}

/* Behind the launch. */
static void
set_buffer_size(sel *s, const hd_intrinsic *i)
{
   val index;
   const uint32_t at = (uint32_t)sizeof(hd_gen9_launch) + 4 * buffer_of(s, i, &index);

   if (!index.size) {
      hd_gen9_set(s, &i->instr.def, hd_gen9_of_launch(s, at));
      return;
   }
   const place launch = { .surface = HD_GEN9_SURFACE_LAUNCH };
   const val address = add(s, shl(s, index, K(2)), K(at)), d = hd_gen9_new(s, 1);
   message(s, &launch, HD_GEN9_P_LOAD, 4, d, NULL, 0, address);
   hd_gen9_set(s, &i->instr.def, d);
}

bool
hd_gen9_select_memory(sel *s, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   if (i->instr.op == HD_INTRINSIC_BUFFER_SIZE) {
      set_buffer_size(s, i);
      return true;
   }
   if (info->reads & info->writes)
      return select_atomic(s, i);
   return info->writes ? select_store(s, i) : select_load(s, i);
}
