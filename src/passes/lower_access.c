/* SPDX-License-Identifier: MIT */
/* lower_access.c - split and widen loads and stores to sizes and alignments that the machine supports (as
 * NIR's nir_lower_mem_access_bit_sizes).
 *
 *    %1:16x3 = load_global %p align_mul=4     =>    %2:32x1 = load_global %p align_mul=4
 *                                                   %3:16 = load_global %p align_mul=4 offset=4
 *                                                   vec of shifts of %2, and of %3
 *
 * Pieces are runs of bytes (`run`); components of other sizes are composed of them by shifts and ors,
 * 64-bit ones by way of dwords. If an address is not known to be aligned, the aligned units that
 * contain the bytes are loaded: one more than otherwise, and the last is that of the last byte, so that
 * no unit is read without a byte of the access. An address in a buffer may wrap when its offset is
 * added: it is clamped below 2^32 instead, where no buffer is.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    shifts by constants, and joins of what was just split, to opt_algebraic.
 * Tests:     tests/passes/lower_access_sizes.hd, tests/passes/test_lower_access.c
 */
#include "heddle/access.h"

#include <stdio.h>

#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "passes/lower.h"
#include "util/quote.h"

#define MAX_BYTES 128u /* of an access: 16 components of 64 bits */
#define MAX_WORDS (MAX_BYTES / 4 + 4)

/* A run of bytes that is one value. */
struct run {
   hd_def *def;
   uint32_t at; /* in bytes, from where the access begins */
   uint32_t bits;
};

struct runs {
   struct run run[MAX_BYTES + MAX_WORDS];
   unsigned num;
};

struct access {
   hd_builder *b;
   hd_intrinsic *i;
   const hd_intrinsic_info *info;
   hd_access_query query; /* of all of it */
   hd_access_function *widest;
   void *user;
   unsigned address; /* which operand */
   int32_t offset;
};

static uint32_t
index_of(const struct access *a, hd_index index)
{
   return hd_intrinsic_indices(a->i)[a->info->slots[index] - 1];
}

static bool
is_access(const hd_instr *i)
{
   if (i->kind != HD_INSTR_INTRINSIC)
      return false;
   switch ((hd_intrinsic_id)i->op) {
   case HD_INTRINSIC_LOAD_GLOBAL:
   case HD_INTRINSIC_LOAD_BUFFER:
   case HD_INTRINSIC_LOAD_SHARED:
   case HD_INTRINSIC_LOAD_SCRATCH:
   case HD_INTRINSIC_LOAD_PUSH:
   case HD_INTRINSIC_LOAD_KERNARG:
   case HD_INTRINSIC_LOAD_CONSTANT:
   case HD_INTRINSIC_STORE_GLOBAL:
   case HD_INTRINSIC_STORE_BUFFER:
   case HD_INTRINSIC_STORE_SHARED:
   case HD_INTRINSIC_STORE_SCRATCH:
      return true;
   default:
      return false;
   }
}

/* Report why, and unwind; where failures return, the builder has failed. */
static void
refuse(struct access *a, const char *why, unsigned bits, uint32_t align)
{
   hd_heap *heap = hd_shader_heap(a->b->shader);
   char message[200];

   snprintf(message, sizeof(message), "%s of %u bits, aligned to %u bytes: %s", a->info->name, bits,
            (unsigned)align, why);
   const hd_diag diag = { .severity = HD_ERROR, .message = message };
   hd_diag_send(&heap->config.diag, &diag);
   hd_heap_fail(heap, HD_UNSUPPORTED);
   a->b->result = HD_UNSUPPORTED;
}

/* Runs */

static void
add_run(struct runs *r, hd_def *def, uint32_t at)
{
   r->run[r->num++] = (struct run){ def, at, def->bit_size };
}

static void
add_vector(struct access *a, struct runs *r, hd_def *vector, uint32_t at)
{
   for (unsigned n = 0; n < vector->num_components; n++)
      add_run(r, hd_build_channel(a->b, vector, n), at + n * vector->bit_size / 8);
}

/* What a value of at most 32 bits has of the 32 bits from `at` on. */
static hd_def *
part_of(struct access *a, hd_def *def, uint32_t begin, uint32_t at)
{
   hd_builder *b = a->b;
   hd_def *wide = def->bit_size < 32 ? hd_u2u(b, def, 32) : def;

   if (begin > at)
      return hd_ishl(b, wide, hd_imm_u32(b, (begin - at) * 8));
   return begin < at ? hd_ushr(b, wide, hd_imm_u32(b, (at - begin) * 8)) : wide;
}

static void
or_to(struct access *a, hd_def **sum, hd_def *part)
{
   *sum = *sum ? hd_ior(a->b, *sum, part) : part;
}

/* 32 bits from `at` on, of which `bits` matter: zeros where there is no run. */
static hd_def *
dword_at(struct access *a, const struct runs *r, uint32_t at, uint32_t bits)
{
   const uint32_t end = at + bits / 8;
   hd_def *sum = NULL;

   for (unsigned n = 0; n < r->num; n++) {
      const struct run *run = &r->run[n];
      for (uint32_t half = 0; half < (run->bits + 31) / 32; half++) {
         const uint32_t begin = run->at + 4 * half;
         const uint32_t bytes = run->bits > 32 ? 4 : run->bits / 8;
         if (begin >= end || begin + bytes <= at)
            continue;
         hd_def *def = run->def;
         if (run->bits == 64)
            def = hd_build_channel(a->b, hd_unpack_64_2x32(a->b, def), half);
         or_to(a, &sum, part_of(a, def, begin, at));
      }
   }
   return sum ? sum : hd_imm_u32(a->b, 0);
}

static hd_def *
value_at(struct access *a, const struct runs *r, uint32_t at, uint32_t bits)
{
   for (unsigned n = 0; n < r->num; n++) {
      if (r->run[n].at == at && r->run[n].bits == bits)
         return r->run[n].def;
   }
   if (bits == 64) {
      hd_def *low = dword_at(a, r, at, 32), *high = dword_at(a, r, at + 4, 32);
      hd_def *halves[2] = { low, high };
      return hd_pack_64_2x32(a->b, hd_vec(a->b, 2, halves));
   }
   hd_def *dword = dword_at(a, r, at, bits);
   return bits < 32 ? hd_u2u(a->b, dword, bits) : dword;
}

static hd_def *
vector_at(struct access *a, const struct runs *r, uint32_t at, unsigned num, unsigned bits)
{
   hd_def *parts[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num; n++)
      parts[n] = value_at(a, r, at + n * bits / 8, bits);
   return hd_build_vec(a->b, num, parts);
}

/* Accesses */

/* The alignment of an access, of which the rest begins `at` bytes after. */
static hd_access_query
rest_from(const struct access *a, uint32_t at)
{
   hd_access_query q = a->query;

   q.bytes -= at;
   q.align_offset = (q.align_offset + at) & (q.align_mul - 1);
   return q;
}

/* A load of another shape, or a store of `value`, at the address and the offset. */
static hd_def *
emit(struct access *a, hd_def *value, unsigned num, unsigned bits, hd_def *address, int32_t offset,
     uint32_t align_mul, uint32_t align_offset)
{
   uint32_t indices[HD_MAX_INDICES];
   hd_def *srcs[HD_MAX_INTRINSIC_SRCS];

   memcpy(indices, hd_intrinsic_indices(a->i), a->info->num_indices * sizeof(*indices));
   indices[a->info->slots[HD_INDEX_OFFSET] - 1] = (uint32_t)offset;
   indices[a->info->slots[HD_INDEX_ALIGN_MUL] - 1] = align_mul;
   indices[a->info->slots[HD_INDEX_ALIGN_OFFSET] - 1] = align_offset;
   for (unsigned n = 0; n < a->i->instr.num_srcs; n++)
      srcs[n] = hd_instr_src(&a->i->instr, n)->def;
   if (value)
      srcs[0] = value;
   srcs[a->address] = address;
   a->b->flags = a->i->instr.flags;
   hd_def *made = hd_build_intrinsic(a->b, (hd_intrinsic_id)a->i->instr.op, value ? 0 : num,
                                     value ? 0 : bits, a->i->instr.num_srcs, srcs, indices);
   a->b->flags = 0;
   return made;
}

/* The aligned units that contain the bytes from `at` on. */
struct units {
   hd_def *first, *last; /* addresses */
   hd_def *into;         /* how many bytes into the first one: 32 bits */
   unsigned num;
   bool exact; /* `num` of them in any case */
};

/* A constant as large as an address. */
static hd_def *
imm(struct access *a, int64_t value)
{
   const unsigned bits = hd_instr_src(&a->i->instr, a->address)->def->bit_size;

   return hd_imm_uint(a->b, bits, bits == 64 ? (uint64_t)value : (uint32_t)value);
}

static hd_def *
add(struct access *a, hd_def *address, int64_t bytes)
{
   hd_def *by = imm(a, bytes);

   if (a->query.memory == HD_MEMORY_BUFFER && bytes >= 0)
      return hd_uadd_sat(a->b, address, by);
   return hd_iadd(a->b, address, by);
}

/* Memory of the shader's own ends with a whole unit. */
static void
pad_memory(struct access *a, uint32_t unit)
{
   hd_shader *shader = a->b->shader;
   uint32_t *size = a->query.memory == HD_MEMORY_SCRATCH  ? &shader->scratch_size
                    : a->query.memory == HD_MEMORY_SHARED ? &shader->shared_size
                                                          : NULL;

   if (size && *size <= UINT32_MAX - unit)
      *size = (*size + unit - 1) & ~(unit - 1);
}

static struct units
units_of(struct access *a, uint32_t at, uint32_t unit)
{
   const hd_access_query q = rest_from(a, at);
   struct units u = { .exact = q.align_mul >= unit };
   hd_def *begin = hd_instr_src(&a->i->instr, a->address)->def;

   pad_memory(a, unit);
   if (a->offset + (int64_t)at)
      begin = add(a, begin, a->offset + (int64_t)at);
   hd_def *end = add(a, begin, q.bytes - 1), *mask = imm(a, -(int64_t)unit);
   u.first = hd_iand(a->b, begin, mask);
   u.last = hd_iand(a->b, end, mask);
   if (u.exact) {
      const uint32_t into = q.align_offset & (unit - 1);
      u.into = hd_imm_u32(a->b, into);
      u.num = (into + q.bytes - 1) / unit + 1;
      return u;
   }
   hd_def *into = hd_iand(a->b, begin, imm(a, unit - 1));
   u.into = into->bit_size == 32 ? into : hd_u2u(a->b, into, 32);
   u.num = (unit - 1 + q.bytes - 1) / unit + 1;
   return u;
}

/* The address and the offset of a unit: without an overflow. */
static hd_def *
unit_address(const struct units *u, unsigned n, uint32_t unit, int32_t *offset)
{
   const bool last = n && n == u->num - 1 && !u->exact;

   *offset = last ? 0 : (int32_t)(n * unit);
   return last ? u->last : u->first;
}

/* Load all that is left by units, and shift it into place. */
static void
load_units(struct access *a, struct runs *r, uint32_t at, uint32_t unit)
{
   const uint32_t bytes = a->query.bytes - at;
   const struct units u = units_of(a, at, unit);
   hd_builder *b = a->b;
   struct runs loaded = { .num = 0 };
   hd_def *words[MAX_WORDS];

   for (unsigned n = 0; n < u.num; n++) {
      int32_t offset;
      hd_def *address = unit_address(&u, n, unit, &offset);
      add_run(&loaded, emit(a, NULL, 1, unit * 8, address, offset, unit, 0), n * unit);
   }
   /* A unit of 8 bytes begins a word before, or not. */
   const unsigned num = (bytes + 3) / 4, more = unit > 4 ? 2 : 1;
   for (unsigned n = 0; n < num + more; n++)
      words[n] = dword_at(a, &loaded, n * 4, 32);
   hd_def *low = hd_iand(b, u.into, hd_imm_u32(b, 3)), *shift = hd_ishl(b, low, hd_imm_u32(b, 3));
   hd_def *next = unit > 4 ? hd_ult(b, hd_imm_u32(b, 3), u.into) : NULL;
   for (unsigned n = 0; n < num; n++) {
      hd_def *first = next ? hd_select(b, next, words[n + 1], words[n]) : words[n];
      hd_def *second = next ? hd_select(b, next, words[n + 2], words[n + 1]) : words[n + 1];
      add_run(r, hd_funnel_shr(b, second, first, shift), at + n * 4);
   }
}

/* Of two words, `shift` bits moved up: the upper one. */
static hd_def *
moved_up(struct access *a, hd_def *low, hd_def *high, hd_def *shift)
{
   hd_builder *b = a->b;
   hd_def *up = hd_ishl(b, high, shift), *half = hd_ushr(b, low, hd_imm_u32(b, 1));
   hd_def *most = hd_imm_u32(b, 31), *rest = hd_ushr(b, half, hd_isub(b, most, shift));

   return hd_ior(b, up, rest);
}

static hd_intrinsic_id
atomic_of(const struct access *a)
{
   switch ((hd_intrinsic_id)a->i->instr.op) {
   case HD_INTRINSIC_STORE_GLOBAL:
      return HD_INTRINSIC_GLOBAL_ATOMIC;
   case HD_INTRINSIC_STORE_BUFFER:
      return HD_INTRINSIC_BUFFER_ATOMIC;
   default:
      return HD_INTRINSIC_SHARED_ATOMIC;
   }
}

static void
emit_atomic(struct access *a, hd_atomic_op op, hd_def *address, int32_t offset, hd_def *data)
{
   const hd_intrinsic_id id = atomic_of(a);
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);
   hd_def *srcs[HD_MAX_INTRINSIC_SRCS];
   uint32_t indices[HD_MAX_INDICES];

   for (unsigned n = 0; n < info->num_indices; n++) {
      const hd_index index = (hd_index)info->indices[n];
      indices[n] = index == HD_INDEX_ATOMIC_OP ? (uint32_t)op
                   : index == HD_INDEX_OFFSET  ? (uint32_t)offset
                                               : index_of(a, index);
   }
   /* As the store has them, without the value, which comes last. */
   for (unsigned n = 1; n < a->i->instr.num_srcs; n++)
      srcs[n - 1] = n == a->address ? address : hd_instr_src(&a->i->instr, n)->def;
   srcs[info->num_srcs - 1] = data;
   a->b->flags = a->i->instr.flags;
   hd_build_intrinsic(a->b, id, 1, 32, info->num_srcs, srcs, indices);
   a->b->flags = 0;
}

static void
write_masked(struct access *a, hd_def *address, int32_t offset, hd_def *mask, hd_def *data)
{
   hd_builder *b = a->b;
   hd_def *keep = hd_inot(b, mask);

   if (a->query.memory != HD_MEMORY_SCRATCH) {
      emit_atomic(a, HD_ATOMIC_IAND, address, offset, keep);
      emit_atomic(a, HD_ATOMIC_IOR, address, offset, data);
      return;
   }
   hd_def *const srcs[] = { address };
   const uint32_t indices[] = { (uint32_t)offset, 4, 0, a->query.access };
   hd_def *old = hd_build_intrinsic(b, HD_INTRINSIC_LOAD_SCRATCH, 1, 32, 1, srcs, indices);
   hd_def *kept = hd_iand(b, old, keep);
   emit(a, hd_ior(b, kept, data), 0, 0, address, offset, 4, 0);
}

/* Store all that is left by dwords, of which the bytes that are not written are kept. */
static void
store_masked(struct access *a, const struct runs *r, uint32_t at)
{
   const uint32_t bytes = a->query.bytes - at;
   const struct units u = units_of(a, at, 4);
   hd_builder *b = a->b;
   hd_def *shift = hd_ishl(b, u.into, hd_imm_u32(b, 3)), *zero = hd_imm_u32(b, 0);
   hd_def *before = zero, *mask_before = zero;

   for (unsigned n = 0; n < u.num; n++) {
      const uint32_t left = bytes > n * 4 ? bytes - n * 4 : 0;
      const uint32_t mask = left >= 4 ? UINT32_MAX : (UINT32_C(1) << left * 8) - 1;
      hd_def *data = left ? dword_at(a, r, at + n * 4, left < 4 ? left * 8 : 32) : zero;
      hd_def *mask_here = hd_imm_u32(b, mask);
      hd_def *moved = moved_up(a, before, data, shift);
      hd_def *moved_mask = moved_up(a, mask_before, mask_here, shift);
      int32_t offset;
      hd_def *address = unit_address(&u, n, 4, &offset);
      write_masked(a, address, offset, moved_mask, moved);
      before = data;
      mask_before = mask_here;
   }
}

/* Pieces */

static bool
is_shape(const hd_access_piece *p)
{
   return (p->bits == 8 || p->bits == 16 || p->bits == 32 || p->bits == 64) && p->num_components &&
          p->num_components <= HD_MAX_COMPONENTS && p->align && !(p->align & (p->align - 1));
}

/* One access of this piece, if that is possible. */
static bool
is_direct(const struct access *a, const hd_access_query *q, const hd_access_piece *p)
{
   const uint32_t size = p->bits / 8u * p->num_components;

   return is_shape(p) && hd_access_known_align(q) >= p->align &&
          (size <= q->bytes || (!a->query.store && size <= p->align));
}

/* Where the next piece begins: at the end, if that was all or has failed. */
static uint32_t
lower_piece(struct access *a, struct runs *r, uint32_t at)
{
   const hd_access_query q = rest_from(a, at);
   const hd_access_piece p = a->widest(&q, a->user);
   const uint32_t size = p.bits / 8u * p.num_components, known = hd_access_known_align(&q);
   const bool masked = a->query.store && p.masked && !is_direct(a, &q, &p);

   if (a->query.access & HD_ACCESS_VOLATILE &&
       (masked || size < a->query.bytes || p.align > known)) {
      refuse(a, "volatile, and the machine would take several accesses", q.bytes * 8, known);
   } else if (is_direct(a, &q, &p)) {
      hd_def *address = hd_instr_src(&a->i->instr, a->address)->def;
      if (size > q.bytes)
         pad_memory(a, p.align);
      hd_def *value = a->query.store ? vector_at(a, r, at, p.num_components, p.bits) : NULL;
      hd_def *made = emit(a, value, p.num_components, p.bits, address, a->offset + (int32_t)at,
                          q.align_mul, q.align_offset);
      if (!value)
         add_vector(a, r, made, at);
      return at + (size < q.bytes ? size : q.bytes);
   } else if (masked) {
      store_masked(a, r, at);
   } else if (a->query.store) {
      refuse(a, "the machine has no store for it", q.bytes * 8, known);
   } else if (is_shape(&p) && p.align == p.bits / 8u && p.align > known) {
      load_units(a, r, at, p.align);
   } else {
      refuse(a, "the piece that was named cannot load it", q.bytes * 8, known);
   }
   return a->query.bytes;
}

/* Is it a piece of the machine as it is? */
static bool
is_whole(const struct access *a)
{
   const hd_access_piece p = a->widest(&a->query, a->user);

   return is_direct(a, &a->query, &p) && p.bits == a->query.bits &&
          p.num_components == a->query.num_components;
}

static void
describe(struct access *a, hd_instr *i)
{
   a->i = (hd_intrinsic *)i;
   a->info = hd_instr_intrinsic_info(i);
   a->address = i->num_srcs - 1u;
   a->offset = (int32_t)index_of(a, HD_INDEX_OFFSET);
   const hd_def *value = a->info->writes ? hd_instr_src(i, 0)->def : &i->def;
   a->query = (hd_access_query){
      .memory = a->info->reads | a->info->writes,
      .store = a->info->writes != 0,
      .bits = value->bit_size,
      .num_components = value->num_components,
      .bytes = value->num_components * value->bit_size / 8u,
      .align_mul = index_of(a, HD_INDEX_ALIGN_MUL),
      .align_offset = index_of(a, HD_INDEX_ALIGN_OFFSET),
      .access = index_of(a, HD_INDEX_ACCESS),
   };
}

/* False if it stays as it is, or has failed. */
static bool
lower(struct access *a)
{
   const uint32_t first_new = hd_block_function(a->i->instr.block)->num_defs;
   const hd_access_query *q = &a->query;
   struct runs r = { .num = 0 };

   if (is_whole(a))
      return false;
   if (a->offset > INT32_MAX - (int32_t)MAX_BYTES) {
      refuse(a, "its offset leaves no room", q->bytes * 8, hd_access_known_align(q));
      return false;
   }
   if (q->store)
      add_vector(a, &r, hd_instr_src(&a->i->instr, 0)->def, 0);
   for (uint32_t at = 0; at < q->bytes;)
      at = lower_piece(a, &r, at);
   hd_def *whole =
       q->store || a->b->result != HD_OK ? NULL : vector_at(a, &r, 0, q->num_components, q->bits);
   if (a->b->result != HD_OK)
      return false;
   if (whole)
      hd_lower_replace(&a->i->instr, whole, first_new);
   else
      hd_instr_remove(&a->i->instr);
   return true;
}

bool
hd_lower_access(hd_function *f, hd_access_function *widest, void *user)
{
   hd_builder b = hd_builder_at(hd_before_block(hd_function_start(f)));
   bool progress = false;

   hd_foreach_block(block, f) {
      hd_foreach_instr_safe(i, block) {
         struct access a = { .b = &b, .widest = widest, .user = user };
         pass_step(f, 1);
         if (!is_access(i))
            continue;
         b.cursor = hd_before_instr(i);
         b.loc = i->loc;
         b.flags = 0;
         describe(&a, i);
         progress |= lower(&a);
         if (b.result != HD_OK)
            return progress;
      }
   }
   return progress;
}
