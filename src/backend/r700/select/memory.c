/* SPDX-License-Identifier: MIT */
/* memory.c - instruction selection of loads and stores.
 *
 *    global       the low 32 bits of the address; all memory is resource 0
 *    buffer       loads: its resource. Stores, and where the array index is computed: its address and
 *                 size, which the launch has; stores out of bounds go to a dword that nothing reads
 *    shared       relative to the memory of the workgroup
 *    scratch      a quad for each dword
 *    push, kernarg    dwords at known places: constant buffers, which ALU instructions read; else by
 *                 address, as constants are
 *
 * An access is split into components, and those into units that their alignment allows. Adjacent dwords
 * are loaded by one fetch. Stores write whole dwords.
 */
#include <stddef.h>
#include <string.h>

#include "backend/r700/select/select.h"
#include "heddle/intrinsic_enum.h"

/* Buffers of an array whose index is computed, where nobody says how many there are. */
#define UNKNOWN_ELEMENTS 16u

typedef struct place {
   val base;        /* what the position is added to; or size 0 */
   val position;    /* the access's own operand */
   int32_t offset;  /* bytes behind it */
   unsigned memory; /* hd_r700_memory */
   val size;        /* of a buffer without a resource, in bytes; or size 0 */
   int constants;   /* the constant buffer, or -1 */
   uint32_t align;  /* what the position is a multiple of, as far as that is known */
} place;

bool
hd_r700_find_buffers(sel *s)
{
   hd_r700_program *p = hd_r700_of(s->p);

   hd_mach_find_buffers(
       s, p->options->descriptor_array_size ? p->options->descriptor_array_size : UNKNOWN_ELEMENTS,
       &p->buffers);
   if (p->buffers.num > HD_R700_MAX_RESOURCES - 1)
      return hd_mach_refuse(s->p, NULL,
                            "expected at most %u buffers, one for each resource, found more",
                            HD_R700_MAX_RESOURCES - 1);
   return true;
}

static const hd_buffer_binding *
binding_of(sel *s, const hd_intrinsic *i)
{
   return hd_mach_buffer_of(&hd_r700_of(s->p)->buffers, i);
}

/* Places */

/* A word of the pair of a buffer. The index is not the same in all lanes. */
static val
of_pair(sel *s, const hd_intrinsic *i, unsigned word)
{
   const hd_buffer_binding *b = binding_of(s, i);
   const val index = hd_mach_part(s, hd_mach_array_index_of(i)->def, 0);
   const uint32_t first = sizeof(hd_r700_launch) / 4 + 2 * b->first + word;
   val found;

   if (hd_r700_is_number(&index))
      return hd_r700_of_buffer(
          HD_R700_CB_LAUNCH,
          first + 2 * (hd_r700_number(&index) < b->num ? hd_r700_number(&index) : 0));
   found = hd_r700_of_buffer(HD_R700_CB_LAUNCH, first);
   for (uint32_t n = 1; n < b->num; n++) {
      const val is = eq(s, index, K(n));
      found = hd_r700_choose(s, is, hd_r700_of_buffer(HD_R700_CB_LAUNCH, first + 2 * n), found);
   }
   return found;
}

static val
shared_base(sel *s)
{
   const val group = hd_r700_index_of_group(s);

   return add(s, mul(s, group, K(s->p->shader->shared_size)),
              hd_r700_of_launch(s, offsetof(hd_r700_launch, shared)));
}

/* A power of two that the address of this byte is a multiple of. */
static uint32_t
align_of(const hd_intrinsic *i, uint32_t at)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const uint32_t mul =
       info->slots[HD_INDEX_ALIGN_MUL] ? hd_intrinsic_index(i, HD_INDEX_ALIGN_MUL) : 4;
   const uint32_t bits = (hd_intrinsic_index(i, HD_INDEX_ALIGN_OFFSET) + at) | mul;

   return bits & (0u - bits);
}

/* `first` is the number of the source where the operands of the address begin. */
static bool
locate(sel *s, const hd_intrinsic *i, unsigned first, bool load, place *place)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const unsigned memory = info->reads | info->writes;
   const bool buffer = memory & HD_MEMORY_BUFFER;
   const hd_src *index = buffer ? hd_mach_array_index_of(i) : NULL;

   memset(place, 0, sizeof(*place));
   place->position = hd_mach_part(s, i->src[first + buffer].def, 0);
   place->offset = (int32_t)hd_intrinsic_index(i, HD_INDEX_OFFSET);
   place->constants = -1;
   place->align = place->offset ? 1 : align_of(i, 0);
   switch (memory) {
   case HD_MEMORY_GLOBAL:
      return true;
   case HD_MEMORY_BUFFER:
      if (load && hd_src_as_const(index)) {
         const hd_buffer_binding *b = binding_of(s, i);
         const uint32_t n = hd_src_as_const(index)->value[0].u32;
         place->memory = 1 + b->first + (n < b->num ? n : 0);
         return true;
      }
      place->base = of_pair(s, i, 0);
      place->size = of_pair(s, i, 1);
      return true;
   case HD_MEMORY_SHARED:
      place->base = shared_base(s);
      return true;
   case HD_MEMORY_SCRATCH:
      place->memory = HD_R700_MEMORY_SCRATCH;
      return true;
   case HD_MEMORY_PUSH:
      place->constants = HD_R700_CB_PUSH;
      place->base = hd_r700_of_launch(s, offsetof(hd_r700_launch, push));
      return true;
   case HD_MEMORY_KERNARG:
      place->constants = HD_R700_CB_KERNARG;
      place->base = hd_r700_of_launch(s, offsetof(hd_r700_launch, kernarg));
      return true;
   case HD_MEMORY_CONSTANT:
      place->base = hd_r700_of_launch(s, offsetof(hd_r700_launch, constants));
      return true;
   default:
      return hd_mach_refuse_intrinsic(s, i);
   }
}

static val
moved(sel *s, const place *place, int64_t offset)
{
   return offset ? add(s, place->position, K(offset)) : place->position;
}

/* Where byte 0 of the access is in a resource, and the bytes that a fetch adds. Where the sum is more
 * than 32 bits it is held at the greatest one, which is outside of all buffers.
 */
static val
address_of(sel *s, const place *place, int64_t offset, int32_t *rest)
{
   const bool fits = offset >= 0 && offset < 65536 - 64;
   val sum = place->position;

   *rest = fits ? (int32_t)offset : 0;
   if (!fits) {
      sum = add(s, place->position, K(offset));
      if (offset > 0 && place->memory)
         sum = or (s, sum, gtu(s, place->position, sum));
   }
   return place->base.size ? add(s, place->base, sum) : sum;
}

/* Bytes from the position on, compared without a sum that could wrap: what is within one multiple of the
 * alignment does not.
 */
static val
inside(sel *s, const place *place, int64_t from, uint32_t bytes)
{
   const int64_t end = from + bytes;
   val found;

   if (from >= 0 && end <= place->align && from % bytes == 0) {
      const val size = and(s, place->size, K(0u - bytes)), at = moved(s, place, from);
      return gtu(s, size, at);
   }

   if (end > 0) {
      const val last = sub(s, place->size, K(end));
      const val below = geu(s, last, place->position);
      found = and(s, below, geu(s, place->size, K(end)));
   } else {
      found = geu(s, place->size, add(s, place->position, K(end)));
   }
   return from >= 0 ? found : and(s, found, geu(s, place->position, K(-from)));
}

/* Units */

/* Bytes that are moved at once: no more than the alignment at this byte, a component, a dword. */
static unsigned
unit_of(const hd_intrinsic *i, uint32_t at, unsigned bytes)
{
   const uint32_t align = align_of(i, at);
   const unsigned unit = bytes < 4 ? bytes : 4;

   return align && align < unit ? align : unit;
}

static unsigned
memory_class(const place *place)
{
   return place->memory == HD_R700_MEMORY_SCRATCH ? HD_MACH_MEMORY_SCRATCH : HD_MACH_MEMORY_GLOBAL;
}

/* So many units side by side. */
static void
fetch(sel *s, const place *place, val address, int32_t offset, unsigned unit, unsigned num,
      val *parts)
{
   for (unsigned n = 0; n < num; n++)
      parts[n] = hd_r700_new(s);
   address = hd_r700_in_register(s, address);
   hd_mach_inst *inst = hd_mach_selector_emit(s, HD_R700_P_LOAD, num, parts, 1, &address);
   inst->form = (uint8_t)unit;
   inst->bits = (uint16_t)place->memory;
   inst->imm = offset;
   inst->memory = (uint8_t)memory_class(place);
}

static void
put(sel *s, const place *place, val address, unsigned num, const val *parts)
{
   val srcs[5] = { hd_r700_in_register(s, address) };

   for (unsigned n = 0; n < num; n++)
      srcs[1 + n] = parts[n];
   hd_mach_inst *inst = hd_mach_selector_emit(s, HD_R700_P_STORE, 0, NULL, 1 + num, srcs);
   inst->bits = (uint16_t)place->memory;
   inst->memory = (uint8_t)memory_class(place);
}

/* The dword of scratch memory that has this byte, and the bits that are below it there. */
static val
scratch_dword(sel *s, const place *place, int64_t offset, val *shift)
{
   const val byte = moved(s, place, offset);

   *shift = shl(s, and(s, byte, K(3)), K(3));
   return shr(s, byte, K(2));
}

static val
load_scratch(sel *s, const place *place, int64_t offset, unsigned unit)
{
   val shift, word;
   const val dword = scratch_dword(s, place, offset, &shift);

   fetch(s, place, dword, 0, 4, 1, &word);
   if (unit == 4)
      return word;
   return and(s, shr(s, word, shift), K(unit == 1 ? 0xff : 0xffff));
}

static void
store_scratch(sel *s, const place *place, int64_t offset, unsigned unit, val value)
{
   val shift, word;
   const val dword = hd_r700_in_register(s, scratch_dword(s, place, offset, &shift));

   if (unit < 4) {
      const val ones = K(unit == 1 ? 0xff : 0xffff);
      fetch(s, place, dword, 0, 4, 1, &word);
      const val kept = and(s, word, xor(s, shl(s, ones, shift), K(UINT32_MAX)));
      value = or (s, kept, shl(s, and(s, value, ones), shift));
   }
   put(s, place, dword, 1, &value);
}

/* One unit, or several dwords. Outside of a buffer without a resource the address is one that can be
 * read, and the result is 0.
 */
static void
load_units(sel *s, const place *place, uint32_t at, unsigned unit, unsigned num, val *parts)
{
   const int64_t offset = (int64_t)place->offset + at;
   int32_t rest;

   if (place->memory == HD_R700_MEMORY_SCRATCH) {
      for (unsigned n = 0; n < num; n++)
         parts[n] = load_scratch(s, place, offset + 4 * n, unit);
      return;
   }
   if (!place->size.size) {
      const val address = address_of(s, place, offset, &rest);
      fetch(s, place, address, rest, unit, num, parts);
      return;
   }
   for (unsigned n = 0; n < num; n++) {
      const val in = inside(s, place, offset + 4 * n, unit);
      const val there = add(s, place->base, moved(s, place, offset + 4 * n));
      const val other = hd_r700_of_launch(s, offsetof(hd_r700_launch, discard));
      val piece;
      fetch(s, place, hd_r700_choose(s, in, there, other), 0, unit, 1, &piece);
      parts[n] = hd_r700_choose(s, in, piece, K(0));
   }
}

/* A dword of a constant buffer, where it is known which. */
static bool
is_constant_dword(const place *place, uint32_t at, uint32_t *dword)
{
   if (place->constants < 0 || !hd_r700_is_number(&place->position))
      return false;
   const uint32_t byte = hd_r700_number(&place->position) + (uint32_t)place->offset + at;
   *dword = byte / 4;
   return byte % 4 == 0 && *dword < HD_R700_MAX_CONSTANTS;
}

/* How many whole dwords from the n-th on are fetched at once. */
static unsigned
run_of(const hd_intrinsic *i, unsigned n, unsigned total, unsigned bytes)
{
   unsigned num = 0;

   while (num < 4 && n + num < total && bytes >= 4 && unit_of(i, 4 * (n + num), 4) == 4)
      num++;
   return num;
}

static bool
select_load(sel *s, const hd_intrinsic *i)
{
   const hd_def *def = &i->instr.def;
   const unsigned bytes = def->bit_size / 8, words = bytes == 8 ? 2 : 1;
   const unsigned total = def->num_components * words;
   place place;
   val parts[2 * HD_MAX_COMPONENTS];

   if (!locate(s, i, 0, true, &place))
      return false;
   for (unsigned n = 0; n < total;) {
      const uint32_t begin = n / words * bytes + n % words * 4, size = bytes < 4 ? bytes : 4;
      const unsigned unit = unit_of(i, begin, size), num = run_of(i, n, total, bytes);
      uint32_t dword;
      if (size == 4 && is_constant_dword(&place, begin, &dword)) {
         parts[n++] = hd_r700_of_buffer((unsigned)place.constants, dword);
      } else if (num) {
         load_units(s, &place, begin, 4, num, &parts[n]);
         n += num;
      } else {
         val whole = { 0 };
         for (uint32_t at = 0; at < size; at += unit) {
            val piece;
            load_units(s, &place, begin + at, unit, 1, &piece);
            whole = at ? or (s, whole, shl(s, piece, K(8 * at))) : piece;
         }
         parts[n++] = whole;
      }
   }
   hd_mach_set_parts(s, def, parts);
   return true;
}

/* So many dwords. Of a buffer each on its own: some may be inside. */
static void
store_dwords(sel *s, const place *place, uint32_t at, unsigned num, const val *parts)
{
   const int64_t offset = (int64_t)place->offset + at;
   int32_t rest;

   if (!place->size.size) {
      const val byte = address_of(s, place, offset, &rest);
      put(s, place, shr(s, rest ? add(s, byte, K(rest)) : byte, K(2)), num, parts);
      return;
   }
   for (unsigned n = 0; n < num; n++) {
      const val in = inside(s, place, offset + 4 * n, 4);
      const val there = add(s, place->base, moved(s, place, offset + 4 * n));
      const val other = hd_r700_of_launch(s, offsetof(hd_r700_launch, discard));
      put(s, place, shr(s, hd_r700_choose(s, in, there, other), K(2)), 1, &parts[n]);
   }
}

static bool
select_store(sel *s, const hd_intrinsic *i)
{
   const hd_def *value = i->src[0].def;
   const unsigned bytes = value->bit_size / 8, words = bytes == 8 ? 2 : 1;
   const unsigned total = value->num_components * words;
   place place;
   val parts[4];

   if (!locate(s, i, 1, false, &place))
      return false;
   for (unsigned n = 0; n < total;) {
      const uint32_t begin = n / words * bytes + n % words * 4, size = bytes < 4 ? bytes : 4;
      const unsigned unit = unit_of(i, begin, size), num = run_of(i, n, total, bytes);
      if (place.memory == HD_R700_MEMORY_SCRATCH) {
         const val part = hd_mach_part(s, value, n++);
         for (uint32_t at = 0; at < size; at += unit)
            store_scratch(s, &place, (int64_t)place.offset + begin + at, unit,
                          at ? shr(s, part, K(8 * at)) : part);
         continue;
      }
      if (!num)
         return hd_mach_refuse(
             s->p, &i->instr,
             "expected a store of whole dwords aligned to 4 bytes, found a narrower or unaligned one");
      for (unsigned k = 0; k < num; k++)
         parts[k] = hd_mach_part(s, value, n + k);
      store_dwords(s, &place, begin, num, parts);
      n += num;
   }
   return true;
}

bool
hd_r700_select_memory(sel *s, const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   if (i->instr.op == HD_INTRINSIC_BUFFER_SIZE) {
      hd_mach_set_part(s, &i->instr.def, of_pair(s, i, 1));
      return true;
   }
   if (info->reads & info->writes)
      return hd_mach_refuse(s->p, &i->instr, "unsupported intrinsic %s: memory has no atomics",
                            info->name);
   return info->writes ? select_store(s, i) : select_load(s, i);
}
