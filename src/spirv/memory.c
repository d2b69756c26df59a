/* SPDX-License-Identifier: MIT */
/* memory.c - translate loads, stores and copies, also of whole composites. */
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "spirv/body.h"

/* Composites that are larger are no values of a shader, but a way to run out of memory. */
#define MAX_LEAVES 65536u
/* Copies of up to so many pieces are straight code. */
#define MAX_PIECES 16u

/* Leaves in memory */

/* One access of a leaf. */
struct touch {
   hd_def *value; /* of a store, else NULL */
   unsigned components, bits;
   uint32_t align, access;
};

struct intrinsics {
   hd_intrinsic_id load, store;
};

static const struct intrinsics intrinsics_of[] = {
   [PLACE_BUFFER] = { HD_INTRINSIC_LOAD_BUFFER, HD_INTRINSIC_STORE_BUFFER },
   [PLACE_PUSH] = { HD_INTRINSIC_LOAD_PUSH, HD_INTRINSIC_NONE },
   [PLACE_SHARED] = { HD_INTRINSIC_LOAD_SHARED, HD_INTRINSIC_STORE_SHARED },
   [PLACE_SCRATCH] = { HD_INTRINSIC_LOAD_SCRATCH, HD_INTRINSIC_STORE_SCRATCH },
   [PLACE_KERNARG] = { HD_INTRINSIC_LOAD_KERNARG, HD_INTRINSIC_NONE },
   [PLACE_CONSTANT] = { HD_INTRINSIC_LOAD_CONSTANT, HD_INTRINSIC_NONE },
   [PLACE_GLOBAL] = { HD_INTRINSIC_LOAD_GLOBAL, HD_INTRINSIC_STORE_GLOBAL },
};

/* Nothing can go wrong at such an address, whatever asks: a buffer's bounds are checked, and push constants that
 * the module declares are there.
 */
static bool
is_speculatable(const struct spirv *s, const struct spirv_pointer *p, const struct touch *t)
{
   if (p->base || p->array_index || p->access & HD_ACCESS_VOLATILE)
      return false;
   return p->place == PLACE_BUFFER ||
          (p->place == PLACE_PUSH &&
           (uint64_t)p->offset + t->components * t->bits / 8 <= s->shader->push_size);
}

/* What may be assumed of the bounds of a buffer. Out of bounds, Vulkan lets a load that is not
 * Volatile give what the invocation itself stored there, and without robustBufferAccess everything be.
 */
static uint32_t
bounds_of(const struct spirv *s, const struct spirv_pointer *p, const struct touch *t)
{
   if (p->place != PLACE_BUFFER)
      return 0;
   /* A speculated access need not be in bounds. */
   if (s->options->in_bounds && (t->value || !is_speculatable(s, p, t)))
      return HD_ACCESS_INBOUNDS;
   const uint32_t never_written = HD_ACCESS_READONLY | HD_ACCESS_RESTRICT;
   const bool readonly = (p->access & never_written) == never_written;
   const bool is_volatile = (p->access | t->access) & HD_ACCESS_VOLATILE;
   uint32_t access = t->value || s->kernel || readonly || is_volatile ? 0 : HD_ACCESS_FORWARD;

   if (p->base && !s->kernel && !s->options->robust)
      access |= HD_ACCESS_NOWRAP;
   return access;
}

static hd_def *
touch_at(struct spirv *s, const struct spirv_pointer *p, void *user)
{
   const struct touch *t = user;
   hd_def *srcs[3];
   uint32_t indices[HD_MAX_INDICES];
   const hd_intrinsic_id id =
       t->value ? intrinsics_of[p->place].store : intrinsics_of[p->place].load;
   unsigned num;

   if (id == HD_INTRINSIC_NONE)
      hd_spirv_invalid(s, "a store to read-only memory");
   const uint32_t access = t->access | bounds_of(s, p, t);
   if (t->value) {
      srcs[0] = t->value;
      num = 1 + hd_spirv_address(s, p, srcs + 1);
      hd_spirv_indices(p, id, t->align, access, indices);
      return hd_spirv_build_at(s, p, id, 0, 0, num, srcs, indices);
   }
   num = hd_spirv_address(s, p, srcs);
   hd_spirv_indices(p, id, t->align,
                    access | (is_speculatable(s, p, t) ? HD_ACCESS_SPECULATABLE : 0), indices);
   return hd_spirv_build_at(s, p, id, t->components, t->bits, num, srcs, indices);
}

/* Components of a column in a row-major matrix stand apart. */
static hd_def *
load_strided(struct spirv *s, const struct spirv_pointer *p, struct touch *t)
{
   struct spirv_pointer q = *p;
   hd_def *parts[HD_MAX_COMPONENTS];
   const unsigned components = t->components;

   q.column_stride = 0;
   t->components = 1;
   for (unsigned n = 0; n < components; n++) {
      parts[n] = hd_spirv_at_place(s, &q, touch_at, t);
      q.offset += p->column_stride;
   }
   return hd_build_vec(&s->b, components, parts);
}

static void
store_strided(struct spirv *s, const struct spirv_pointer *p, struct touch *t)
{
   struct spirv_pointer q = *p;
   hd_def *value = t->value;

   q.column_stride = 0;
   for (unsigned n = 0; n < value->num_components; n++) {
      t->value = hd_build_channel(&s->b, value, n);
      hd_spirv_at_place(s, &q, touch_at, t);
      q.offset += p->column_stride;
   }
}

static hd_def *
load_number(struct spirv *s, const struct spirv_pointer *p, unsigned components, unsigned bits,
            uint32_t align, uint32_t access)
{
   struct touch t = { NULL, components, bits, align, access };

   return p->column_stride ? load_strided(s, p, &t) : hd_spirv_at_place(s, p, touch_at, &t);
}

static void
store_number(struct spirv *s, const struct spirv_pointer *p, hd_def *value, uint32_t align,
             uint32_t access)
{
   struct touch t = { value, value->num_components, value->bit_size, align, access };

   if (p->column_stride)
      store_strided(s, p, &t);
   else
      hd_spirv_at_place(s, p, touch_at, &t);
}

/* Kernels can say that a place is aligned to less than a number is large: packed structs. It is
 * read and written in pieces then.
 */
static bool
in_pieces(const struct spirv *s, unsigned bits, uint32_t align)
{
   return s->kernel && align && align < bits / 8;
}

static hd_def *
load_pieces(struct spirv *s, const struct spirv_pointer *p, unsigned components, unsigned bits,
            uint32_t align, uint32_t access)
{
   struct spirv_pointer q = *p;
   hd_def *parts[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < components; n++, q.offset += bits / 8)
      parts[n] = hd_spirv_bitcast(s, load_number(s, &q, bits / 8 / align, align * 8, align, access),
                                  1, bits);
   return hd_build_vec(&s->b, components, parts);
}

static void
store_pieces(struct spirv *s, const struct spirv_pointer *p, hd_def *value, uint32_t align,
             uint32_t access)
{
   struct spirv_pointer q = *p;
   const unsigned bytes = value->bit_size / 8u;

   for (unsigned n = 0; n < value->num_components; n++, q.offset += bytes)
      store_number(s, &q,
                   hd_spirv_bitcast(s, hd_build_channel(&s->b, value, n), bytes / align, align * 8),
                   align, access);
}

static hd_def *
zeros(struct spirv *s, unsigned components, unsigned bits)
{
   const hd_const_value values[HD_MAX_COMPONENTS] = { 0 };

   return hd_imm(&s->b, components, bits, values);
}

/* Every other access is aligned to the size of a component, and so are buffers: doc/spirv.md asks
 * that of hosts. Of push constants nothing is known of more than 4 bytes.
 */
static uint32_t
known_align(const struct spirv_pointer *p, uint32_t align)
{
   const struct spirv_type *t = p->type;
   uint32_t bytes = t->kind == TYPE_POINTER ? 8 : t->bits == 1 ? 1 : t->bits / 8u;

   if (p->place == PLACE_PUSH && bytes > 4)
      bytes = 4;
   return align > bytes ? align : bytes;
}

/* Booleans are bytes in memory, pointers 64 bits. */
static struct spirv_value *
load_leaf(struct spirv *s, const struct spirv_pointer *p, uint32_t align, uint32_t access)
{
   const struct spirv_type *t = p->type;

   if (t->kind == TYPE_POINTER) {
      unsigned components, bits;
      hd_spirv_pointer_shape(s, t, &components, &bits);
      if (components != 1)
         hd_spirv_unsupported(s, "a pointer to a buffer in memory");
      hd_def *address = in_pieces(s, 64, align)
                            ? load_pieces(s, p, 1, 64, align, access)
                            : load_number(s, p, 1, 64, known_align(p, align), access);
      return hd_spirv_pointer_from_bits(s, t, bits == 64 ? address : hd_u2u(&s->b, address, bits));
   }
   if (t->bits == 1) {
      hd_def *bytes = load_number(s, p, t->components, 8, known_align(p, align), access);
      return hd_spirv_make_def(s, t, hd_ine(&s->b, bytes, zeros(s, t->components, 8)));
   }
   hd_def *def = in_pieces(s, t->bits, align)
                     ? load_pieces(s, p, t->components, t->bits, align, access)
                     : load_number(s, p, t->components, t->bits, known_align(p, align), access);
   return hd_spirv_make_def(s, t, def);
}

static void
store_leaf(struct spirv *s, const struct spirv_pointer *p, struct spirv_value *v, uint32_t align,
           uint32_t access)
{
   const struct spirv_type *t = p->type;
   hd_def *def;

   if (t->kind == TYPE_POINTER) {
      def = hd_spirv_pointer_bits(s, v);
      if (def->num_components != 1)
         hd_spirv_unsupported(s, "a pointer to a buffer in memory");
      if (def->bit_size < 64)
         def = hd_u2u(&s->b, def, 64);
   } else {
      def = v->def;
      if (t->bits == 1)
         def = hd_b2i(&s->b, def, 8);
   }
   if (in_pieces(s, def->bit_size, align))
      store_pieces(s, p, def, align, access);
   else
      store_number(s, p, def, known_align(p, align), access);
}

/* Leaves in variables of the IR */

static hd_def *
local_index(struct spirv *s, const struct spirv_pointer *p)
{
   hd_builder *b = &s->b;

   if (!p->local->vars[p->first_var]->array_length)
      return NULL;
   if (!p->index)
      return hd_imm_u32(b, p->index_offset);
   return p->index_offset ? hd_iadd(b, p->index, hd_imm_u32(b, p->index_offset)) : p->index;
}

static hd_var *
local_var(struct spirv *s, const struct spirv_pointer *p)
{
   if (p->first_var >= p->local->num_vars)
      hd_spirv_invalid(s, "the access is outside of its variable");
   return p->local->vars[p->first_var];
}

static struct spirv_value *
load_local(struct spirv *s, const struct spirv_pointer *p)
{
   hd_builder *b = &s->b;
   hd_var *var = local_var(s, p);
   hd_def *def = hd_load_var(b, var, local_index(s, p));

   if (p->component)
      def = hd_spirv_channel(s, def, p->component);
   if (p->type->kind == TYPE_POINTER)
      return hd_spirv_pointer_from_bits(s, p->type, def);
   return hd_spirv_make_def(s, p->type, def);
}

static void
store_local(struct spirv *s, const struct spirv_pointer *p, struct spirv_value *v)
{
   hd_builder *b = &s->b;
   hd_var *var = local_var(s, p);
   hd_def *index = local_index(s, p);
   hd_def *def = p->type->kind == TYPE_POINTER ? hd_spirv_pointer_bits(s, v) : v->def;

   if (p->local->input)
      hd_spirv_invalid(s, "a store to an input");
   if (p->local->written)
      p->local->written[p->first_var] = true;
   if (p->component)
      def = hd_insert_channel(b, hd_load_var(b, var, index), def, p->component);
   hd_store_var(b, var, index, def);
}

/* Composites */

/* The place of part n of what is at `p`. */
static struct spirv_pointer
part_of(const struct spirv_pointer *p, uint32_t n)
{
   const struct spirv_type *t = p->type;
   struct spirv_pointer q = *p;

   if (t->kind == TYPE_STRUCT) {
      const struct spirv_member *m = &t->members[n];
      q.first_var += m->first_var;
      q.offset += m->offset;
      q.access |= m->access;
      q.row_major = m->row_major;
      q.matrix_stride = m->matrix_stride;
      q.type = m->type;
      return q;
   }
   if (p->place == PLACE_LOCAL) {
      q.index_offset = p->index_offset + n;
   } else if (t->kind == TYPE_MATRIX) {
      const uint32_t stride = p->matrix_stride ? p->matrix_stride : t->stride;
      q.column_stride = p->row_major ? stride : 0;
      q.offset += (uint64_t)n * (p->row_major ? t->bits / 8u : stride);
   } else {
      q.offset += (uint64_t)n * t->stride;
   }
   q.type = t->element;
   return q;
}

/* Its parts are elements of the arrays that its leaves are. */
static void
enter_array(struct spirv *s, struct spirv_pointer *p)
{
   const struct spirv_type *t = p->type;

   if (p->place != PLACE_LOCAL || t->kind == TYPE_STRUCT)
      return;
   if (p->index)
      p->index = hd_imul(&s->b, p->index, hd_imm_u32(&s->b, t->length));
   p->index_offset *= t->length;
}

static bool
has_parts(const struct spirv_type *t)
{
   return t->kind == TYPE_MATRIX || t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT;
}

/* A row-major matrix is read row by row. */
static struct spirv_value *
load_rows(struct spirv *s, const struct spirv_pointer *p, uint32_t align, uint32_t access)
{
   const struct spirv_type *t = p->type;
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   struct spirv_pointer q = *p;
   hd_def *rows[4], *parts[4];

   for (unsigned r = 0; r < t->components; r++) {
      rows[r] = load_number(s, &q, t->length, t->bits, r ? 0 : align, access);
      q.offset += p->matrix_stride;
   }
   for (uint32_t c = 0; c < t->length; c++) {
      for (unsigned r = 0; r < t->components; r++)
         parts[r] = hd_build_channel(&s->b, rows[r], c);
      v->elements[c] = hd_spirv_make_def(s, t->element, hd_build_vec(&s->b, t->components, parts));
   }
   return v;
}

static void
store_rows(struct spirv *s, const struct spirv_pointer *p, struct spirv_value *v, uint32_t align,
           uint32_t access)
{
   const struct spirv_type *t = p->type;
   struct spirv_pointer q = *p;
   hd_def *parts[4];

   for (unsigned r = 0; r < t->components; r++) {
      for (uint32_t c = 0; c < t->length; c++)
         parts[c] = hd_build_channel(&s->b, hd_spirv_part(s, v, c)->def, r);
      store_number(s, &q, hd_build_vec(&s->b, t->length, parts), r ? 0 : align, access);
      q.offset += p->matrix_stride;
   }
}

static bool
is_rows(const struct spirv_pointer *p)
{
   return p->type->kind == TYPE_MATRIX && p->row_major && p->matrix_stride &&
          p->place != PLACE_LOCAL && p->place != PLACE_INPUT;
}

/* What is known of the alignment `offset` bytes after an address that is a multiple of `align`. */
static uint32_t
align_behind(uint32_t align, uint64_t offset)
{
   const uint64_t low = offset & -offset;

   return low && low < align ? (uint32_t)low : align;
}

/* Recursion is as deep as types are: SPIRV_MAX_DEPTH. */
static struct spirv_value *
load(struct spirv *s, const struct spirv_pointer *p, uint32_t align, uint32_t access)
{
   if (!has_parts(p->type))
      return p->place == PLACE_LOCAL ? load_local(s, p) : load_leaf(s, p, align, access);
   if (is_rows(p))
      return load_rows(s, p, align, access);

   struct spirv_value *v = hd_spirv_make_composite(s, p->type);
   struct spirv_pointer whole = *p;
   enter_array(s, &whole);
   for (uint32_t n = 0; n < p->type->length; n++) {
      const struct spirv_pointer q = part_of(&whole, n);
      v->elements[n] = load(s, &q, align_behind(align, q.offset - p->offset), access);
   }
   return v;
}

static void
store(struct spirv *s, const struct spirv_pointer *p, struct spirv_value *v, uint32_t align,
      uint32_t access)
{
   if (!has_parts(p->type)) {
      if (p->place == PLACE_LOCAL)
         store_local(s, p, v);
      else
         store_leaf(s, p, v, align, access);
      return;
   }
   if (is_rows(p)) {
      store_rows(s, p, v, align, access);
      return;
   }
   struct spirv_pointer whole = *p;
   enter_array(s, &whole);
   for (uint32_t n = 0; n < p->type->length; n++) {
      const struct spirv_pointer q = part_of(&whole, n);
      store(s, &q, hd_spirv_part(s, v, n), align_behind(align, q.offset - p->offset), access);
   }
}

/* Inputs are computed where they are read. */
static struct spirv_value *
load_input(struct spirv *s, const struct spirv_pointer *p)
{
   const struct spirv_type *t = p->type;

   if (p->builtin < 0)
      hd_spirv_unsupported(s, "inputs of a graphics stage");
   if (!p->component)
      return hd_spirv_builtin(s, p->builtin, t);
   struct spirv_value *whole = hd_spirv_builtin(s, p->builtin, p->whole);
   return hd_spirv_make_def(s, t, hd_spirv_channel(s, whole->def, p->component));
}

static void
check_size(struct spirv *s, const struct spirv_pointer *p)
{
   const struct spirv_type *t = p->type;

   if (t->flat || t->kind == TYPE_RUNTIME_ARRAY || t->kind == TYPE_FUNCTION || p->descriptors)
      hd_spirv_invalid(s, "expected a type with values, found an opaque one");
   if (t->leaves > MAX_LEAVES)
      hd_spirv_unsupported(s, "a value of %llu parts", (unsigned long long)t->leaves);
   hd_heap_step(s->heap, t->leaves);
}

struct spirv_value *
hd_spirv_load(struct spirv *s, const struct spirv_pointer *p, uint32_t access)
{
   return hd_spirv_load_aligned(s, p, 0, access);
}

struct spirv_value *
hd_spirv_load_aligned(struct spirv *s, const struct spirv_pointer *p, uint32_t align,
                      uint32_t access)
{
   check_size(s, p);
   if (p->place == PLACE_TEXEL)
      return hd_spirv_load_texel(s, p, access);
   return p->place == PLACE_INPUT ? load_input(s, p) : load(s, p, align, access);
}

void
hd_spirv_store(struct spirv *s, const struct spirv_pointer *p, struct spirv_value *v,
               uint32_t access)
{
   hd_spirv_store_aligned(s, p, v, 0, access);
}

/* Loads give this value: of a variable that is stored to once, it is theirs or undefined. */
static void
hold(struct spirv *s, const struct spirv_pointer *p, struct spirv_value *v)
{
   hd_spirv_expect_type(s, "the value", v->type, p->type);
   if (*p->held)
      hd_spirv_unsupported(s, "a variable of type %s that is stored to twice",
                           hd_spirv_type_name(s, p->type));
   *p->held = v;
}

void
hd_spirv_store_aligned(struct spirv *s, const struct spirv_pointer *p, struct spirv_value *v,
                       uint32_t align, uint32_t access)
{
   if (p->held) {
      hold(s, p, v);
      return;
   }
   check_size(s, p);
   if (p->place == PLACE_INPUT)
      hd_spirv_invalid(s, "a store to an input");
   hd_spirv_expect_type(s, "the value", v->type, p->type);
   if (p->place == PLACE_TEXEL) {
      hd_spirv_store_texel(s, p, v->def, access);
      return;
   }
   store(s, p, v, align, access);
}

hd_def *
hd_spirv_load_bytes(struct spirv *s, const struct spirv_pointer *p, hd_def *offset,
                    unsigned components, unsigned bits, uint32_t align, uint32_t access)
{
   struct spirv_pointer q = *p;

   hd_spirv_advance(s, &q, offset, 1);
   return load_number(s, &q, components, bits, align, access);
}

void
hd_spirv_store_bytes(struct spirv *s, const struct spirv_pointer *p, hd_def *offset, hd_def *value,
                     uint32_t align, uint32_t access)
{
   struct spirv_pointer q = *p;

   hd_spirv_advance(s, &q, offset, 1);
   store_number(s, &q, value, align, access);
}

/* Memory operands */

struct operands {
   uint32_t align; /* 0: unspecified */
   uint32_t access;
};

/* From words[*at] on, if there are any. */
static struct operands
read_operands(struct spirv *s, const struct spirv_instr *i, uint32_t *at)
{
   struct operands o = { 0, 0 };

   if (*at >= i->num_words)
      return o;
   const uint32_t mask = i->words[(*at)++];
   if (mask & SPV_MEMORY_ACCESS_VOLATILE)
      o.access |= HD_ACCESS_VOLATILE;
   if (mask & SPV_MEMORY_ACCESS_NONTEMPORAL)
      o.access |= HD_ACCESS_NONTEMPORAL;
   if (mask & SPV_MEMORY_ACCESS_ALIGNED) {
      if (*at >= i->num_words)
         hd_spirv_invalid(s, "Aligned has no value");
      o.align = i->words[(*at)++];
      if (!o.align || (o.align & (o.align - 1)))
         hd_spirv_invalid(s, "an alignment of %u, expected a power of two", o.align);
   }
   if (mask & (SPV_MEMORY_ACCESS_MAKE_POINTER_AVAILABLE | SPV_MEMORY_ACCESS_MAKE_POINTER_VISIBLE))
      o.access |= HD_ACCESS_COHERENT;
   /* Each of the other bits that has an operand has one. */
   for (uint32_t rest = mask & ~(uint32_t)(SPV_MEMORY_ACCESS_VOLATILE | SPV_MEMORY_ACCESS_ALIGNED |
                                           SPV_MEMORY_ACCESS_NONTEMPORAL |
                                           SPV_MEMORY_ACCESS_NON_PRIVATE_POINTER);
        rest; rest &= rest - 1) {
      if (*at < i->num_words)
         ++*at;
   }
   return o;
}

/* Copies of bytes */

/* `bytes` at `offset` from one place to the other. */
static void
copy_piece(struct spirv *s, const struct spirv_pointer *to, const struct spirv_pointer *from,
           hd_def *offset, uint32_t bytes, struct operands o)
{
   const unsigned bits = bytes < 4 ? bytes * 8 : 32;
   const uint32_t align = o.align < bytes ? o.align : bytes;
   hd_def *piece =
       hd_spirv_load_bytes(s, from, offset, bytes < 4 ? 1 : bytes / 4, bits, align, o.access);

   hd_spirv_store_bytes(s, to, offset, piece, align, o.access);
}

static void
copy_straight(struct spirv *s, const struct spirv_pointer *to, const struct spirv_pointer *from,
              uint64_t size, uint32_t unit, struct operands o)
{
   for (uint64_t done = 0; done < size;) {
      uint32_t bytes = unit;
      while (bytes > size - done)
         bytes /= 2;
      copy_piece(s, to, from, hd_imm_u32(&s->b, (uint32_t)done), bytes, o);
      done += bytes;
   }
}

static void
copy_loop(struct spirv *s, const struct spirv_pointer *to, const struct spirv_pointer *from,
          hd_def *size, uint32_t unit, struct operands o)
{
   hd_builder *b = &s->b;
   hd_ssa_var *at = hd_ssa_var_create(b, 1, size->bit_size);
   hd_block *header = hd_builder_add_block(b), *body = hd_builder_add_block(b),
            *after = hd_builder_add_block(b);

   hd_ssa_write(b, at, hd_imm_uint(b, size->bit_size, 0));
   hd_goto(b, header);
   hd_builder_set_block(b, header);
   hd_goto_if(b, hd_ult(b, hd_ssa_read(b, at), size), body, after);
   hd_builder_set_block(b, body);
   hd_seal_block(b, body);
   hd_def *offset = hd_ssa_read(b, at);
   copy_piece(s, to, from, offset, unit, o);
   hd_ssa_write(b, at, hd_iadd(b, offset, hd_imm_uint(b, size->bit_size, unit)));
   hd_goto(b, header);
   hd_seal_block(b, header);
   hd_builder_set_block(b, after);
   hd_seal_block(b, after);
}

/* The widest unit that the alignment of both allows. */
static uint32_t
copy_unit(const struct spirv_pointer *to, const struct spirv_pointer *from, uint32_t align)
{
   uint32_t unit = 16;

   while (unit > 1 && align < unit &&
          (to->align < unit || from->align < unit || to->offset % unit || from->offset % unit))
      unit /= 2;
   return unit;
}

static void
copy_sized(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_pointer *to = hd_spirv_pointer(s, i->words[0]);
   const struct spirv_pointer *from = hd_spirv_pointer(s, i->words[1]);
   uint32_t at = 3;
   const struct operands o = read_operands(s, i, &at);
   uint32_t unit = copy_unit(to, from, o.align);
   uint64_t size;

   if (!hd_spirv_is_constant(s, i->words[2], &size)) {
      copy_loop(s, to, from, hd_spirv_ssa(s, i->words[2]), 1, o);
      return;
   }
   if (size / unit <= MAX_PIECES) {
      copy_straight(s, to, from, size, unit, o);
      return;
   }
   while (size % unit)
      unit /= 2;
   if (size > UINT32_MAX)
      hd_spirv_unsupported(s, "a copy of 4 GiB or more");
   copy_loop(s, to, from, hd_imm_u32(&s->b, (uint32_t)size), unit, o);
}

void
hd_spirv_memory(struct spirv *s, const struct spirv_instr *i)
{
   struct operands o, from;
   uint32_t at;

   switch (i->opcode) {
   case SPV_OP_LOAD:
      at = 1;
      o = read_operands(s, i, &at);
      if (hd_spirv_pointer(s, i->words[0])->place == PLACE_DESCRIPTOR) {
         hd_spirv_set(s, i, hd_spirv_load_image(s, hd_spirv_pointer(s, i->words[0])));
         return;
      }
      hd_spirv_set(s, i,
                   hd_spirv_load_aligned(s, hd_spirv_pointer(s, i->words[0]), o.align, o.access));
      return;
   case SPV_OP_STORE:
      at = 2;
      o = read_operands(s, i, &at);
      struct spirv_value *value = hd_spirv_value(s, i->words[1]);
      hd_spirv_store_aligned(s, hd_spirv_pointer(s, i->words[0]), value, o.align, o.access);
      return;
   case SPV_OP_COPY_MEMORY: {
      at = 2;
      o = read_operands(s, i, &at);
      from = at < i->num_words ? read_operands(s, i, &at) : o;
      struct spirv_value *v =
          hd_spirv_load_aligned(s, hd_spirv_pointer(s, i->words[1]), from.align, from.access);
      hd_spirv_store_aligned(s, hd_spirv_pointer(s, i->words[0]), v, o.align, o.access);
      return;
   }
   case SPV_OP_COPY_MEMORY_SIZED:
      copy_sized(s, i);
      return;
   default:
      hd_spirv_unsupported(s, "this use of memory");
   }
}
