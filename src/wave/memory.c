/* SPDX-License-Identifier: MIT */
/* memory.c - loads, stores, atomics: addresses and bounds checks. */
#include <inttypes.h>

#include "wave/bytes.h"

hd_bytes
hd_wave_bytes(hd_wave_run_state *run, const hd_wave_memory *memory, uint64_t base)
{
   if (memory->size && !memory->data)
      hd_wave_refuse(run, HD_BAD_LAUNCH, NULL, "memory of %" PRIu64 " bytes without data",
                     memory->size);
   if (run->launch->freeze_undefined && memory->undefined)
      hd_wave_freeze_bytes(run, memory->data, memory->undefined, memory->size);
   return (hd_bytes){ base, memory->size, memory->data, memory->undefined };
}

/* The operands of an access, by the table: where its address and its descriptor are. */
struct access {
   const hd_code_instr *i;
   uint16_t class; /* hd_memory_class, one bit */
   const hd_operand *address;
   const hd_operand *array_index; /* of a buffer */
   const uint64_t *addresses;     /* by lane */
   hd_wave_mask lanes;            /* that take part */
   bool writes;
   int32_t offset;
   uint32_t align_mul, align_offset; /* of an address that nothing is promised of: 1 and 0 */
   hd_bytes *bytes; /* of a buffer: that which was found last; of global memory: unused */
   bool found;
   uint64_t buffer_index; /* of the buffer that was found last */
};

static hd_bytes *
bytes_of_class(hd_wave *w, uint16_t class)
{
   switch ((hd_memory_class) class) {
   case HD_MEMORY_SHARED:
      return &w->run->shared;
   case HD_MEMORY_SCRATCH:
      return &w->scratch;
   case HD_MEMORY_PUSH:
      return &w->run->push;
   case HD_MEMORY_CONSTANT:
      return &w->run->constants;
   default:
      return &w->run->kernarg;
   }
}

static struct access
access_of(hd_wave *w, const hd_code_instr *i, uint32_t first)
{
   const hd_intrinsic_info *info = i->info;
   const bool buffer = (info->reads | info->writes) & HD_MEMORY_BUFFER;
   struct access a = {
      .i = i,
      .class = (uint16_t)(info->reads | info->writes),
      .array_index = buffer ? &i->srcs[first] : NULL,
      .address = &i->srcs[first + buffer],
      .lanes = w->active,
      .writes = info->writes != 0,
      .offset = (int32_t)intrinsic_index(i, HD_INDEX_OFFSET),
      .align_mul = 1,
   };

   a.bytes = bytes_of_class(w, a.class);
   a.addresses = row_of(w, a.address, 0);
   if (info->slots[HD_INDEX_ALIGN_MUL]) {
      a.align_mul = intrinsic_index(i, HD_INDEX_ALIGN_MUL);
      a.align_offset = intrinsic_index(i, HD_INDEX_ALIGN_OFFSET);
   }
   if (info->helpers == HD_HELPER_SKIP)
      a.lanes = mask_without(a.lanes, w->helper);
   return a;
}

static void
check_defined(hd_wave *w, const struct access *a)
{
   const hd_operand *operands[2] = { a->address, a->array_index };

   for (unsigned n = 0; n < 2; n++) {
      if (!operands[n])
         continue;
      const hd_wave_mask bad = mask_and(*undef_of(w, operands[n], 0), a->lanes);
      if (mask_any(bad))
         hd_wave_fault(w, a->i->instr, hd_wave_mask_first(bad),
                       n ? "an undefined descriptor index" : "an undefined address");
   }
   if (!a->array_index || a->array_index->constant ||
       intrinsic_index(a->i, HD_INDEX_ACCESS) & HD_ACCESS_NONUNIFORM)
      return;
   const unsigned first = hd_wave_mask_first(a->lanes);
   const uint64_t *row = row_of(w, a->array_index, 0);
   for (unsigned l = first; l < w->run->width; l++) {
      if (row[l] != row[first] && mask_has(a->lanes, l))
         hd_wave_fault(w, a->i->instr, l,
                       "descriptor index %" PRIu64 ", but lane %u has %" PRIu64
                       ": it must be uniform",
                       row[l], first, row[first]);
   }
}

static hd_bytes *
search_buffer(const hd_wave *w, uint32_t set, uint32_t binding, uint64_t array_index)
{
   const hd_wave_launch *launch = w->run->launch;

   for (uint32_t n = 0; n < launch->num_buffers; n++) {
      const hd_wave_buffer *b = &launch->buffers[n];
      if (b->set == set && b->binding == binding && b->array_index == array_index)
         return &w->run->buffers[n];
   }
   return NULL;
}

static hd_bytes *
find_buffer(hd_wave *w, const hd_code_instr *i, unsigned lane, uint64_t array_index)
{
   const uint32_t set = intrinsic_index(i, HD_INDEX_SET);
   const uint32_t binding = intrinsic_index(i, HD_INDEX_BINDING);
   hd_bytes *found = search_buffer(w, set, binding, array_index);

   if (found)
      return found;
   hd_wave_fault(w, i->instr, lane, "no buffer is bound to set %u, binding %u, index %" PRIu64, set,
                 binding, array_index);
}

static hd_bytes *
find_region(hd_wave *w, uint64_t address, uint64_t size)
{
   for (uint32_t n = 0; n < w->run->launch->num_regions; n++) {
      hd_bytes *r = &w->run->regions[n];
      if (address >= r->base && address - r->base <= r->size &&
          size <= r->size - (address - r->base))
         return r;
   }
   return NULL;
}

#define OUTSIDE UINT64_MAX /* no place in a buffer */

/* The address with its offset, without wrapping, as aligned as was promised. */
static uint64_t
full_address(hd_wave *w, const struct access *a, unsigned lane)
{
   const uint64_t address = a->addresses[lane];
   const uint64_t sum = address + (uint64_t)(int64_t)a->offset;

   if (a->offset < 0 ? sum > address : sum < address) {
      if (a->class & HD_MEMORY_BUFFER)
         return OUTSIDE;
      hd_wave_fault(w, a->i->instr, lane, "address 0x%" PRIx64 " with offset %d wraps around",
                    address, a->offset);
   }
   if ((sum & (a->align_mul - 1)) != a->align_offset)
      hd_wave_fault(w, a->i->instr, lane,
                    "address 0x%" PRIx64 " is not %u modulo %u, as it was promised to be", sum,
                    a->align_offset, a->align_mul);
   return sum;
}

/* The components of a vector come here one by one, and the last byte of all is in no region: so no
 * access wraps.
 */
static struct place
locate_global(hd_wave *w, const struct access *a, unsigned lane, uint64_t address, uint64_t size)
{
   hd_bytes *bytes = find_region(w, address, size);

   if (!bytes)
      hd_wave_fault(w, a->i->instr, lane,
                    "%s %" PRIu64 " bytes at address 0x%" PRIx64 ", which is in no region",
                    a->writes ? "changes" : "reads", size, address);
   return (struct place){ bytes, bytes->data + (address - bytes->base), address - bytes->base };
}

static bool
is_inside(const hd_bytes *bytes, uint64_t address, uint64_t skip, uint64_t size)
{
   return address <= bytes->size && skip + size <= bytes->size - address;
}

/* Where `size` bytes are, `skip` bytes past the address of the access. */
static struct place
locate(hd_wave *w, struct access *a, unsigned lane, uint64_t address, uint64_t skip, uint64_t size)
{
   hd_bytes *bytes = a->bytes;

   if (a->class & HD_MEMORY_GLOBAL)
      return locate_global(w, a, lane, address + skip, size);
   if (a->array_index) {
      const uint64_t index = row_of(w, a->array_index, 0)[lane];
      if (!a->found || index != a->buffer_index) {
         bytes = a->bytes = find_buffer(w, a->i, lane, index);
         a->buffer_index = index;
         a->found = true;
      }
   }
   if (!is_inside(bytes, address, skip, size)) {
      if (a->array_index && !(intrinsic_index(a->i, HD_INDEX_ACCESS) & HD_ACCESS_INBOUNDS))
         return (struct place){ bytes, NULL, 0 };
      hd_wave_fault(w, a->i->instr, lane,
                    "%s %" PRIu64 " bytes at address %" PRIu64 " of memory of %" PRIu64 " bytes",
                    a->writes ? "changes" : "reads", size, address + skip, bytes->size);
   }
   address += skip + (a->class & HD_MEMORY_SCRATCH ? bytes->size * lane : 0);
   return (struct place){ bytes, bytes->data + address, address };
}

bool
hd_wave_find_bytes(hd_wave *w, const hd_code_instr *i, hd_memory_class memory, unsigned lane,
                   uint64_t address, uint64_t size, struct place *place)
{
   const bool buffer = memory == HD_MEMORY_BUFFER;
   hd_bytes *bytes = memory == HD_MEMORY_GLOBAL ? find_region(w, address, size)
                     : buffer                   ? search_buffer(w, intrinsic_index(i, HD_INDEX_SET),
                                                                intrinsic_index(i, HD_INDEX_BINDING), 0)
                                                : bytes_of_class(w, (uint16_t)memory);

   if (!bytes)
      return false;
   if (memory == HD_MEMORY_GLOBAL)
      address -= bytes->base;
   const bool inside = is_inside(bytes, address, 0, size);
   if (memory == HD_MEMORY_SCRATCH)
      address += bytes->size * lane;
   *place = (struct place){ bytes, inside ? bytes->data + address : NULL, inside ? address : 0 };
   return inside || buffer;
}

/* Many lanes at once: where all of them find their bytes, in one piece of memory, defined and as
 * aligned as was promised. What is not so goes lane by lane, where it is distinguished.
 */

/* The bytes that all lanes access, of which each finds `size` at its address; or NULL. */
static hd_bytes *
one_piece(hd_wave *w, const struct access *a, uint64_t size)
{
   const uint64_t offset = (uint64_t)(int64_t)a->offset;
   hd_bytes *bytes = a->bytes;

   if (a->class & (HD_MEMORY_GLOBAL | HD_MEMORY_SCRATCH) || !mask_equal(a->lanes, w->active))
      return NULL;
   if (a->array_index) {
      if (!a->array_index->constant)
         return NULL;
      bytes = find_buffer(w, a->i, w->lanes[0], row_of(w, a->array_index, 0)[0]);
   }
   /* The least address, and how far it may be exceeded. */
   const uint64_t least = a->offset < 0 ? -offset : 0;
   const uint64_t before = a->offset < 0 ? 0 : offset;
   if (bytes->size < size || bytes->size - size < before)
      return NULL;
   const uint64_t range = bytes->size - size - before;
   const uint64_t mask = a->align_mul - 1, rest = a->align_offset;
   const unsigned count = w->count;
   uint64_t wrong = 0;
   for (unsigned k = 0; k < count; k++) {
      const uint64_t address = a->addresses[w->lanes[k]];
      wrong |= (address - least > range) | (((address + offset) & mask) ^ rest);
   }
   return wrong ? NULL : bytes;
}

static inline void
load_lanes(const hd_wave *w, const struct access *a, const uint8_t *data, uint64_t at,
           uint64_t *row, unsigned size)
{
   const uint64_t *addresses = a->addresses;
   const unsigned count = w->count;

   for (unsigned k = 0; k < count; k++) {
      const unsigned l = w->lanes[k];
      row[l] = get_number(data + (addresses[l] + at), size);
   }
}

static inline void
store_lanes(const hd_wave *w, const struct access *a, uint8_t *data, uint64_t at,
            const uint64_t *row, unsigned size)
{
   const uint64_t *addresses = a->addresses;
   const unsigned count = w->count;

   for (unsigned k = 0; k < count; k++) {
      const unsigned l = w->lanes[k];
      put_number(data + (addresses[l] + at), size, row ? row[l] : 0);
   }
}

static bool
load_at_once(hd_wave *w, const struct access *a)
{
   const hd_operand *dst = &a->i->dst;
   const unsigned size = dst->bits / 8;
   const hd_bytes *bytes = one_piece(w, a, (uint64_t)size * dst->num_components);

   if (!bytes || bytes->undefined)
      return false;
   for (unsigned c = 0; c < dst->num_components; c++) {
      const uint64_t at = (uint64_t)(int64_t)a->offset + c * size;
      if (size == 4)
         load_lanes(w, a, bytes->data, at, row_of(w, dst, c), 4);
      else
         load_lanes(w, a, bytes->data, at, row_of(w, dst, c), size);
      set_defined(w, dst, c);
   }
   return true;
}

static bool
store_at_once(hd_wave *w, const struct access *a)
{
   const hd_operand *value = &a->i->srcs[0];
   const unsigned size = value->bits / 8;
   const hd_bytes *bytes = one_piece(w, a, (uint64_t)size * value->num_components);

   if (!bytes || w->run->launch->on_write)
      return false;
   for (unsigned c = 0; c < value->num_components; c++) {
      if (mask_any(mask_and(*undef_of(w, value, c), w->active)))
         return false;
   }
   for (unsigned c = 0; c < value->num_components; c++) {
      const uint64_t at = (uint64_t)(int64_t)a->offset + c * size;
      if (size == 4)
         store_lanes(w, a, bytes->data, at, row_of(w, value, c), 4);
      else
         store_lanes(w, a, bytes->data, at, row_of(w, value, c), size);
      if (!bytes->undefined)
         continue;
      if (size == 4)
         store_lanes(w, a, bytes->undefined, at, NULL, 4);
      else
         store_lanes(w, a, bytes->undefined, at, NULL, size);
   }
   return true;
}

void
hd_wave_load(hd_wave *w, const hd_code_instr *i)
{
   struct access a = access_of(w, i, 0);
   const unsigned size = i->dst.bits / 8, components = i->dst.num_components;
   hd_wave_mask undef[HD_MAX_COMPONENTS] = { { { 0 } } };
   uint64_t *rows[HD_MAX_COMPONENTS];

   check_defined(w, &a);
   if (load_at_once(w, &a))
      return;
   for (unsigned c = 0; c < components; c++)
      rows[c] = row_of(w, &i->dst, c);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      const uint64_t address = full_address(w, &a, l);
      for (unsigned c = 0; c < components; c++) {
         const struct place p = locate(w, &a, l, address, (uint64_t)c * size, size);
         rows[c][l] = p.data ? get_number(p.data, size) : 0;
         const uint64_t bits = p.data ? undefined_bits(&p, size) : 0;
         if (bits) {
            mask_add(&undef[c], l);
            hd_wave_note_parts(w, &i->dst, c, l, ~bits & size_mask(i->dst.bits));
         }
      }
   }
   for (unsigned c = 0; c < components; c++) {
      hd_wave_mask *to = undef_of(w, &i->dst, c);
      *to = mask_merge(*to, undef[c], w->active);
   }
}

void
hd_wave_store(hd_wave *w, const hd_code_instr *i)
{
   struct access a = access_of(w, i, 1);
   const hd_operand *value = &i->srcs[0];
   const unsigned size = value->bits / 8, components = value->num_components;
   const uint64_t *rows[HD_MAX_COMPONENTS];
   const hd_wave_mask *undef = undef_of(w, value, 0);

   check_defined(w, &a);
   if (store_at_once(w, &a))
      return;
   for (unsigned c = 0; c < components; c++)
      rows[c] = row_of(w, value, c);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (!mask_has(a.lanes, l))
         continue;
      const uint64_t address = full_address(w, &a, l);
      for (unsigned c = 0; c < components; c++) {
         struct place p = locate(w, &a, l, address, (uint64_t)c * size, size);
         if (!p.data)
            continue;
         put_number(p.data, size, rows[c][l]);
         set_undefined_bits(w, &p, size,
                            mask_has(undef[c], l) ? ~hd_wave_known_bits(w, value, c, l) : 0);
         wrote(w, i, l, c, &p, size);
      }
   }
}

static uint64_t
changed(hd_wave *w, const hd_code_instr *i, unsigned bits, uint64_t old, uint64_t data)
{
   const hd_atomic_op op = (hd_atomic_op)intrinsic_index(i, HD_INDEX_ATOMIC_OP);

   switch (op) {
   case HD_ATOMIC_EXCHANGE:
      return data;
   case HD_ATOMIC_INC_WRAP:
      return old >= data ? 0 : old + 1;
   case HD_ATOMIC_DEC_WRAP:
      return old == 0 || old > data ? data : old - 1;
   default:
      return hd_wave_combine(w, hd_index_get_info(HD_INDEX_ATOMIC_OP)->values[op].op, bits, old,
                             data);
   }
}

void
hd_wave_change(hd_wave *w, const hd_code_instr *i, struct place *p, unsigned lane,
               const hd_operand *compare, const hd_operand *data)
{
   const unsigned size = data->bits / 8;
   const uint64_t old = get_number(p->data, size), value = row_of(w, data, 0)[lane];
   const bool old_undef = is_undefined(p, size);
   const bool undef = mask_has(*undef_of(w, data, 0), lane);

   if (!compare) {
      const bool kept = intrinsic_index(i, HD_INDEX_ATOMIC_OP) != HD_ATOMIC_EXCHANGE;
      put_number(p->data, size, changed(w, i, data->bits, old, value));
      set_undefined(w, p, size, undef || (old_undef && kept));
   } else {
      const bool unknown = old_undef || mask_has(*undef_of(w, compare, 0), lane);
      const bool equal = old == row_of(w, compare, 0)[lane];
      if (equal)
         put_number(p->data, size, value);
      if (equal || unknown)
         set_undefined(w, p, size, unknown || undef);
   }
   wrote(w, i, lane, 0, p, size);
   set_component(w, i, 0, lane, old, old_undef);
}

static void
atomic(hd_wave *w, const hd_code_instr *i, bool swap)
{
   struct access a = access_of(w, i, 0);
   const hd_operand *data = &i->srcs[i->num_srcs - 1];
   const hd_operand *compare = swap ? &i->srcs[i->num_srcs - 2] : NULL;

   check_defined(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      if (!mask_has(a.lanes, l)) {
         set_component(w, i, 0, l, 0, true);
         continue;
      }
      struct place p = locate(w, &a, l, full_address(w, &a, l), 0, data->bits / 8);
      if (p.data)
         hd_wave_change(w, i, &p, l, compare, data);
      else
         set_component(w, i, 0, l, 0, false);
   }
}

void
hd_wave_atomic(hd_wave *w, const hd_code_instr *i)
{
   atomic(w, i, false);
}

void
hd_wave_atomic_swap(hd_wave *w, const hd_code_instr *i)
{
   atomic(w, i, true);
}

void
hd_wave_buffer_size(hd_wave *w, const hd_code_instr *i)
{
   struct access a = access_of(w, i, 0);

   a.address = a.array_index = &i->srcs[0];
   check_defined(w, &a);
   for (unsigned k = 0; k < w->count; k++) {
      const unsigned l = w->lanes[k];
      const hd_bytes *b = find_buffer(w, i, l, row_of(w, a.array_index, 0)[l]);
      set_component(w, i, 0, l, b->size > UINT32_MAX ? UINT32_MAX : b->size, false);
   }
}
