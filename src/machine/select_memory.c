/* SPDX-License-Identifier: MIT */
/* select_memory.c - instruction selection of memory accesses: number the buffers, split accesses into units. */
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
   const uint32_t set = hd_intrinsic_index(i, HD_INDEX_SET),
                  binding = hd_intrinsic_index(i, HD_INDEX_BINDING);

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
      *b = (hd_buffer_binding){ .set = hd_intrinsic_index(i, HD_INDEX_SET),
                                .binding = hd_intrinsic_index(i, HD_INDEX_BINDING) };
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

/* Pieces */

static const hd_mach_access_size sizes[] = { { 4, 4 }, { 2, 2 }, { 1, 1 } };

static val
step(sel *s, hd_mach_step_op op, val a, val b)
{
   return s->rows->steps.emit(s, op, (val[]){ a, b, { 0 } });
}

/* The part of the value that a byte is in, and which byte of that it is. */
static unsigned
part_at(const hd_mach_ir_access *a, unsigned byte, unsigned *within)
{
   const unsigned component = a->bits / 8, words = component == 8 ? 2 : 1;

   *within = byte % (component < 4 ? component : 4);
   return byte / component * words + byte % component / 4;
}

void
hd_mach_load_pieces(sel *s, const hd_mach_piecewise *rows, const hd_intrinsic *load, void *place)
{
   const hd_mach_ir_access a = hd_mach_ir_access_of(load);
   hd_mach_access_piece pieces[HD_MACH_MAX_PIECES];
   const unsigned num = hd_mach_cut(&a, sizes, false, pieces);
   val parts[2 * HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num; n++) {
      unsigned within;
      val *part = &parts[part_at(&a, pieces[n].at, &within)];
      if (rows->begin && pieces[n].at % (a.bits / 8) == 0)
         rows->begin(s, place, pieces[n].at, a.bits / 8);
      val piece = rows->load(s, place, pieces[n].at, pieces[n].bytes);
      if (within)
         piece = step(s, HD_MACH_STEP_SHL, piece, s->rows->steps.constant(8 * within));
      *part = within ? step(s, HD_MACH_STEP_OR, *part, piece) : piece;
   }
   hd_mach_set_parts(s, &load->instr.def, parts);
}

void
hd_mach_store_pieces(sel *s, const hd_mach_piecewise *rows, const hd_intrinsic *store, void *place)
{
   const hd_mach_ir_access a = hd_mach_ir_access_of(store);
   hd_mach_access_piece pieces[HD_MACH_MAX_PIECES];
   const unsigned num = hd_mach_cut(&a, sizes, false, pieces);
   val part = { 0 };

   for (unsigned n = 0; n < num; n++) {
      unsigned within;
      const unsigned number = part_at(&a, pieces[n].at, &within);
      if (rows->begin && pieces[n].at % (a.bits / 8) == 0)
         rows->begin(s, place, pieces[n].at, a.bits / 8);
      if (!within)
         part = hd_mach_part(s, a.value, number);
      if (!within && rows->take)
         part = rows->take(s, part);
      rows->store(s, place, pieces[n].at, pieces[n].bytes,
                  within ? step(s, HD_MACH_STEP_SHR, part, s->rows->steps.constant(8 * within))
                         : part);
   }
}
