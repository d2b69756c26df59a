/* SPDX-License-Identifier: MIT */
/* select_memory.c - buffers get numbers, and accesses are cut into units. */
#include <string.h>

#include "heddle/intrinsic_enum.h"
#include "machine/selector.h"

typedef hd_mach_selector sel;
typedef hd_mach_operand val;

/* Buffers */

const hd_src *
hd_mach_array_index_of(const hd_intrinsic *i)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);

   for (unsigned n = 0; n < info->num_srcs; n++) {
      if (!strcmp(info->src[n].name, "array_index"))
         return &i->src[n];
   }
   return NULL;
}

static hd_buffer_binding *
find(const hd_mach_buffers *buffers, const hd_intrinsic *i)
{
   const uint32_t set = hd_mach_index_of(i, HD_INDEX_SET),
                  binding = hd_mach_index_of(i, HD_INDEX_BINDING);

   for (uint32_t n = 0; n < buffers->num_bindings; n++) {
      hd_buffer_binding *b = &buffers->bindings[n];
      if (b->set == set && b->binding == binding)
         return b;
   }
   return NULL;
}

const hd_buffer_binding *
hd_mach_buffer_of(const hd_mach_buffers *buffers, const hd_intrinsic *i)
{
   return find(buffers, i);
}

static void
note(sel *s, const hd_intrinsic *i, uint32_t most, hd_mach_buffers *buffers, uint32_t *capacity)
{
   const hd_src *index = hd_mach_array_index_of(i);
   const hd_const *c = index ? hd_src_as_const(index) : NULL;
   const uint32_t num = c && c->value[0].u32 < (1u << 20) ? c->value[0].u32 + 1 : most;

   if (!index)
      return;
   hd_buffer_binding *b = find(buffers, i);
   if (!b) {
      if (buffers->num_bindings == *capacity) {
         *capacity = *capacity ? 2 * *capacity : 16;
         hd_buffer_binding *more = hd_stack_alloc(s->p->stack, *capacity * sizeof(*more));
         if (buffers->num_bindings)
            memcpy(more, buffers->bindings, buffers->num_bindings * sizeof(*more));
         buffers->bindings = more;
      }
      b = &buffers->bindings[buffers->num_bindings++];
      *b = (hd_buffer_binding){ .set = hd_mach_index_of(i, HD_INDEX_SET),
                                .binding = hd_mach_index_of(i, HD_INDEX_BINDING) };
   }
   b->num = num > b->num ? num : b->num;
}

void
hd_mach_find_buffers(sel *s, uint32_t most, hd_mach_buffers *buffers)
{
   uint32_t capacity = 0;
   uint64_t total = 0;

   *buffers = (hd_mach_buffers){ .bindings = NULL };
   hd_foreach_block(b, s->p->function) {
      hd_foreach_instr(instr, b) {
         const hd_intrinsic *i = hd_instr_as_intrinsic(instr);
         const hd_intrinsic_info *info = i ? hd_instr_intrinsic_info(instr) : NULL;
         if (info && (((info->reads | info->writes) & HD_MEMORY_BUFFER) ||
                      instr->op == HD_INTRINSIC_BUFFER_SIZE))
            note(s, i, most, buffers, &capacity);
      }
   }
   for (uint32_t n = 0; n < buffers->num_bindings; n++) {
      buffers->bindings[n].first = (uint32_t)total;
      total += buffers->bindings[n].num;
   }
   buffers->num = total < UINT32_MAX ? (uint32_t)total : UINT32_MAX;
}

/* Atomics */

bool
hd_mach_is_atomic(const hd_intrinsic *i, bool *swap)
{
   *swap = false;
   switch ((hd_intrinsic_id)i->instr.op) {
   case HD_INTRINSIC_GLOBAL_ATOMIC_SWAP:
   case HD_INTRINSIC_BUFFER_ATOMIC_SWAP:
   case HD_INTRINSIC_SHARED_ATOMIC_SWAP:
      *swap = true;
      return true;
   case HD_INTRINSIC_GLOBAL_ATOMIC:
   case HD_INTRINSIC_BUFFER_ATOMIC:
   case HD_INTRINSIC_SHARED_ATOMIC:
      return true;
   default:
      return false;
   }
}

/* Units */

/* Bytes that are moved at once: no more than the alignment at this byte, a component, a dword. */
static unsigned
unit_of(const hd_intrinsic *i, uint32_t at, unsigned bytes)
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const uint32_t mul =
       info->slots[HD_INDEX_ALIGN_MUL] ? hd_mach_index_of(i, HD_INDEX_ALIGN_MUL) : 4;
   const uint32_t bits = (hd_mach_index_of(i, HD_INDEX_ALIGN_OFFSET) + at) | mul;
   const uint32_t align = bits & (0u - bits);
   const unsigned unit = bytes < 4 ? bytes : 4;

   return align && align < unit ? align : unit;
}

static val
step(sel *s, hd_mach_step_op op, val a, val b)
{
   return s->rows->steps.emit(s, op, (val[]){ a, b, { 0 } });
}

void
hd_mach_load_units(sel *s, const hd_mach_units *rows, const hd_intrinsic *load, void *place)
{
   const hd_def *def = &load->instr.def;
   const unsigned bytes = def->bit_size / 8, words = bytes == 8 ? 2 : 1;
   const unsigned size = bytes < 4 ? bytes : 4;
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < def->num_components * words; n++) {
      const uint32_t begin = n / words * bytes + n % words * 4;
      const unsigned unit = unit_of(load, begin, size);
      val whole = { 0 };
      if (rows->begin && n % words == 0)
         rows->begin(s, place, begin, bytes);
      for (uint32_t at = 0; at < size; at += unit) {
         val piece = rows->load(s, place, begin + at, unit);
         if (at)
            piece = step(s, HD_MACH_STEP_SHL, piece, s->rows->steps.constant(8 * at));
         whole = at ? step(s, HD_MACH_STEP_OR, whole, piece) : piece;
      }
      parts[n] = whole;
   }
   hd_mach_set_parts(s, def, parts);
}

void
hd_mach_store_units(sel *s, const hd_mach_units *rows, const hd_intrinsic *store, void *place)
{
   const hd_def *value = store->src[0].def;
   const unsigned bytes = value->bit_size / 8, words = bytes == 8 ? 2 : 1;
   const unsigned size = bytes < 4 ? bytes : 4;

   for (unsigned n = 0; n < value->num_components * words; n++) {
      const uint32_t begin = n / words * bytes + n % words * 4;
      const unsigned unit = unit_of(store, begin, size);
      val part = hd_mach_part(s, value, n);
      if (rows->begin && n % words == 0)
         rows->begin(s, place, begin, bytes);
      if (rows->take)
         part = rows->take(s, part);
      for (uint32_t at = 0; at < size; at += unit) {
         const val constant = s->rows->steps.constant(8 * at);
         rows->store(s, place, begin + at, unit,
                     at ? step(s, HD_MACH_STEP_SHR, part, constant) : part);
      }
   }
}
