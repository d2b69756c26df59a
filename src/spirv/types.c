/* SPDX-License-Identifier: MIT */
/* types.c - types and their layout. */
#include "spirv/spirv.h"

static uint64_t
saturating_mul(uint64_t a, uint64_t b)
{
   return b && a > UINT64_MAX / b ? UINT64_MAX : a * b;
}

static uint64_t
saturating_add(uint64_t a, uint64_t b)
{
   return a > UINT64_MAX - b ? UINT64_MAX : a + b;
}

static uint64_t
align_up(uint64_t size, uint32_t align)
{
   uint64_t sum = saturating_add(size, align - 1);

   return sum == UINT64_MAX ? sum : sum / align * align;
}

static uint32_t
narrow(uint64_t n)
{
   return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

const struct spirv_type *
hd_spirv_type(struct spirv *s, uint32_t id)
{
   const struct spirv_id *record = hd_spirv_id(s, id);

   if (record->kind != ID_TYPE || !record->object_type)
      hd_spirv_invalid(s, "id %u is not a type", id);
   return record->object_type;
}

const char *
hd_spirv_type_name(struct spirv *s, const struct spirv_type *t)
{
   return hd_spirv_opcode_name(s->words[hd_spirv_id(s, t->id)->word] & 0xffff);
}

const struct spirv_type *
hd_spirv_result_type(struct spirv *s, const struct spirv_instr *i)
{
   return hd_spirv_type(s, i->type);
}

const struct spirv_type *
hd_spirv_part_type(struct spirv *s, const struct spirv_type *t, uint32_t n)
{
   bool runtime = t->kind == TYPE_RUNTIME_ARRAY;

   if (t->kind < TYPE_VECTOR || t->kind > TYPE_STRUCT)
      hd_spirv_invalid(s, "type %u is not a composite", t->id);
   if (n >= t->length && !runtime)
      hd_spirv_invalid(s, "part %u of type %u, which has %u", n, t->id, t->length);
   return t->kind == TYPE_STRUCT ? t->members[n].type : t->element;
}

void
hd_spirv_expect_type(struct spirv *s, const char *what, const struct spirv_type *found,
                     const struct spirv_type *expected)
{
   if (!hd_spirv_types_match(found, expected))
      hd_spirv_invalid(s, "%s has type %u, expected %u", what, found->id, expected->id);
}

/* Images that differ in their formats alone: a format is the descriptor's, and parameters of GLSL have none. Samplers:
 * LLVM's translator declares their type twice.
 */
static bool
images_agree(const struct spirv_type *a, const struct spirv_type *b)
{
   if (a->kind == TYPE_SAMPLER && b->kind == TYPE_SAMPLER)
      return true;
   return a->kind == TYPE_IMAGE && b->kind == TYPE_IMAGE && a->element == b->element &&
          a->image.dim == b->image.dim && a->image.array == b->image.array &&
          a->image.ms == b->image.ms && a->image.storage == b->image.storage &&
          a->image.attachment == b->image.attachment;
}

/* Whether two types agree but for their parts. Aggregates may be declared twice and numbers are typed by their size;
 * what is opaque is declared once, and a pointer has one pointee and one storage class.
 */
static bool
agree(const struct spirv_type *a, const struct spirv_type *b)
{
   if (a == b || images_agree(a, b))
      return true;
   if (a->kind != b->kind || a->kind > TYPE_POINTER)
      return false;
   return a->bits == b->bits && a->components == b->components && a->is_float == b->is_float &&
          a->length == b->length &&
          (a->kind != TYPE_POINTER ||
           (a->storage == b->storage &&
            (a->element == b->element ||
             (a->element && b->element && images_agree(a->element, b->element)))));
}

/* Both are compared part by part along a path, which is no deeper than types are. */
bool
hd_spirv_types_match(const struct spirv_type *a, const struct spirv_type *b)
{
   struct {
      const struct spirv_type *a, *b;
      uint32_t next;
   } path[SPIRV_MAX_DEPTH + 2];
   unsigned depth = 0;

   path[0].a = a;
   path[0].b = b;
   path[0].next = 0;
   for (;;) {
      a = path[depth].a;
      b = path[depth].b;
      uint32_t n = path[depth].next++;
      if (!n && !agree(a, b))
         return false;
      bool parts = a != b && a->kind >= TYPE_MATRIX && a->kind <= TYPE_STRUCT;
      uint32_t num = !parts ? 0 : a->kind == TYPE_STRUCT ? a->length : 1;
      if (n < num) {
         depth++;
         path[depth].a = a->kind == TYPE_STRUCT ? a->members[n].type : a->element;
         path[depth].b = b->kind == TYPE_STRUCT ? b->members[n].type : b->element;
         path[depth].next = 0;
      } else if (!depth--) {
         return true;
      }
   }
}

/* Numbers */

static void
make_scalar(struct spirv_type *t, enum spirv_type_kind kind, uint32_t bits)
{
   t->kind = (uint8_t)kind;
   t->bits = (uint8_t)bits;
   t->is_float = kind == TYPE_FLOAT;
   t->components = 1;
   t->leaves = t->vars = t->locations = 1;
   t->size = t->align = bits < 8 ? 1 : bits / 8;
}

static void
read_number(struct spirv *s, const struct spirv_instr *i, struct spirv_type *t)
{
   uint32_t bits = i->words[0];
   bool is_int = i->opcode == SPV_OP_TYPE_INT;

   if (!(bits == 16 || bits == 32 || bits == 64 || (is_int && bits == 8)))
      hd_spirv_unsupported(s, "%u bits are not supported", bits);
   make_scalar(t, is_int ? TYPE_INT : TYPE_FLOAT, bits);
   t->is_signed = is_int && i->words[1];
}

/* In C of OpenCL a vector is as aligned as it is large, and one of 3 is as large as one of 4. In
 * shaders nobody sees the layout of what is not decorated: it is what makes wide accesses possible.
 */
static void
read_vector(struct spirv *s, const struct spirv_instr *i, struct spirv_type *t)
{
   const struct spirv_type *component = hd_spirv_type(s, i->words[0]);
   uint32_t count = i->words[1];

   if (component->kind < TYPE_BOOL || component->kind > TYPE_FLOAT)
      hd_spirv_invalid(s, "type %u is not a scalar", component->id);
   if (!((count >= 2 && count <= 4) || count == 8 || count == 16))
      hd_spirv_invalid(s, "a vector has 2, 3, 4, 8 or 16 components, not %u", count);
   uint32_t id = t->id;
   *t = *component;
   t->id = id;
   t->kind = TYPE_VECTOR;
   t->components = (uint8_t)count;
   t->length = count;
   t->element = component;
   t->stride = (uint32_t)component->size;
   t->locations = t->bits == 64 && count > 2 ? 2 : 1;
   uint32_t places = count == 3 && s->kernel ? 4 : count;
   t->size = places * component->size;
   t->align = count == 3 && !s->kernel ? component->align : (uint32_t)t->size;
}

static void
read_matrix(struct spirv *s, const struct spirv_instr *i, struct spirv_type *t)
{
   const struct spirv_type *column = hd_spirv_type(s, i->words[0]);
   uint32_t count = i->words[1];

   if (column->kind != TYPE_VECTOR || column->components > 4)
      hd_spirv_invalid(s, "type %u is not a vector of 2 to 4 components", column->id);
   if (count < 2 || count > 4)
      hd_spirv_invalid(s, "a matrix has 2 to 4 columns, not %u", count);
   uint32_t id = t->id;
   *t = *column;
   t->id = id;
   t->kind = TYPE_MATRIX;
   t->length = count;
   t->element = column;
   t->leaves = count;
   t->locations = count * column->locations;
   t->vars = 1;
   t->depth = 1;
   t->stride = (uint32_t)align_up(column->size, column->align);
   t->size = (uint64_t)count * t->stride;
}

/* Parts */

static void
nest(struct spirv *s, struct spirv_type *t, const struct spirv_type *part)
{
   if (part->kind == TYPE_VOID || part->kind == TYPE_FUNCTION)
      hd_spirv_invalid(s, "type %u cannot be a member", part->id);
   if (part->depth >= SPIRV_MAX_DEPTH)
      hd_spirv_unsupported(s, "types that are nested more than %u deep are not supported",
                           SPIRV_MAX_DEPTH);
   if (t->depth <= part->depth)
      t->depth = part->depth + 1;
   t->flat |= part->flat;
}

/* The bytes of a matrix, or of arrays of matrices, which the member around them lays out. */
static uint64_t
laid_out_size(const struct spirv_type *t, const struct spirv_member *m)
{
   const struct spirv_type *matrix = t;
   uint64_t before = 0; /* elements of the arrays around the last matrix */

   if (!m->matrix_stride)
      return t->size;
   for (; matrix->kind == TYPE_ARRAY; matrix = matrix->element)
      before = saturating_add(before, saturating_mul(matrix->length - 1, matrix->stride));
   if (matrix->kind != TYPE_MATRIX)
      return t->size;
   return saturating_add(before, saturating_mul(m->row_major ? matrix->components : matrix->length,
                                                m->matrix_stride));
}

static uint32_t
array_length(struct spirv *s, uint32_t id)
{
   uint64_t length = hd_spirv_constant_uint(s, id);
   const uint32_t opcode = s->words[hd_spirv_id(s, id)->word] & 0xffff;

   /* Specialised to nothing: its elements are never accessed, and it is laid out as if it had one. */
   if (!length && (opcode == SPV_OP_SPEC_CONSTANT || opcode == SPV_OP_SPEC_CONSTANT_OP))
      return 1;
   if (!length || length > INT32_MAX)
      hd_spirv_unsupported(s, "arrays have 1 to 2^31 - 1 elements, not %llu",
                           (unsigned long long)length);
   return (uint32_t)length;
}

static void
read_array(struct spirv *s, const struct spirv_instr *i, struct spirv_type *t)
{
   const struct spirv_type *element = hd_spirv_type(s, i->words[0]);
   const struct spirv_decoration *d =
       hd_spirv_decoration(s, t->id, -1, SPV_DECORATION_ARRAY_STRIDE);

   t->kind = i->opcode == SPV_OP_TYPE_ARRAY ? TYPE_ARRAY : TYPE_RUNTIME_ARRAY;
   if (element->kind == TYPE_RUNTIME_ARRAY && t->kind == TYPE_ARRAY)
      hd_spirv_invalid(s, "an array of runtime arrays");
   t->element = element;
   t->align = element->align;
   nest(s, t, element);
   t->stride = d ? s->words[d->word] : narrow(align_up(element->size, element->align));
   t->vars = element->vars;
   if (t->kind == TYPE_ARRAY) {
      t->length = array_length(s, i->words[1]);
      t->leaves = saturating_mul(t->length, element->leaves);
      t->locations = narrow(saturating_mul(t->length, element->locations));
      /* After the last element there may be less than the stride. */
      t->size = d ? saturating_add(saturating_mul(t->length - 1, t->stride), element->size)
                  : saturating_mul(t->length, t->stride);
   }
}

/* What a member's decoration says, where another one may have decorated it already. */
static uint32_t
same_again(struct spirv *s, const struct spirv_decoration *d, bool given, uint32_t before)
{
   const uint32_t value = s->words[d->word];

   if (given && value != before)
      hd_spirv_invalid(s, "member %d has two different decorations of kind %u", d->member,
                       d->decoration);
   return value;
}

static void
decorate_members(struct spirv *s, struct spirv_type *t)
{
   for (uint32_t n = hd_spirv_id(s, t->id)->decoration; n; n = s->decorations[n].next) {
      const struct spirv_decoration *d = &s->decorations[n];
      if (d->member < 0)
         continue;
      if ((uint32_t)d->member >= t->length)
         hd_spirv_invalid(s, "member %d is decorated, there are %u", d->member, t->length);
      struct spirv_member *m = &t->members[d->member];
      m->access |= hd_spirv_access_of(s, d);
      switch (d->decoration) {
      case SPV_DECORATION_OFFSET:
         m->offset = same_again(s, d, m->decorated, m->offset);
         m->decorated = true;
         break;
      case SPV_DECORATION_MATRIX_STRIDE:
         m->matrix_stride = same_again(s, d, m->matrix_stride, m->matrix_stride);
         break;
      case SPV_DECORATION_ROW_MAJOR:
         m->row_major = true;
         break;
      case SPV_DECORATION_BUILT_IN:
         m->builtin = (int32_t)same_again(s, d, m->builtin >= 0, (uint32_t)m->builtin);
         break;
      default:
         break;
      }
   }
}

static void
read_struct(struct spirv *s, const struct spirv_instr *i, struct spirv_type *t)
{
   bool packed = hd_spirv_decoration(s, t->id, -1, SPV_DECORATION_CPACKED);
   bool decorated = false;
   uint64_t end = 0;

   if (i->num_words > 0x3fff)
      hd_spirv_unsupported(s, "structs of more than 16383 members are not supported");
   t->kind = TYPE_STRUCT;
   t->length = i->num_words;
   t->buffer_block = hd_spirv_decoration(s, t->id, -1, SPV_DECORATION_BUFFER_BLOCK);
   t->block = t->buffer_block || hd_spirv_decoration(s, t->id, -1, SPV_DECORATION_BLOCK);
   t->members = hd_spirv_alloc(s, t->length * sizeof(*t->members));
   t->align = 1;
   for (uint32_t n = 0; n < t->length; n++)
      t->members[n].builtin = -1;
   decorate_members(s, t);

   for (uint32_t n = 0; n < t->length; n++) {
      struct spirv_member *m = &t->members[n];
      m->type = hd_spirv_type(s, i->words[n]);
      nest(s, t, m->type);
      uint32_t align = packed ? 1 : m->type->align;
      if (!m->decorated)
         m->offset = narrow(align_up(end, align));
      uint64_t member_end = saturating_add(m->offset, laid_out_size(m->type, m));
      if (member_end > end)
         end = member_end;
      if (align > t->align)
         t->align = align;
      decorated |= m->decorated;
      m->first_var = t->vars;
      t->vars = narrow((uint64_t)t->vars + m->type->vars);
      t->leaves = saturating_add(t->leaves, m->type->leaves);
      t->locations = narrow((uint64_t)t->locations + m->type->locations);
   }
   t->size = decorated ? end : align_up(end, t->align);
}

/* Pointers and functions */

static void
shape_pointer(struct spirv *s, struct spirv_type *t, uint32_t storage)
{
   t->kind = TYPE_POINTER;
   t->storage = storage;
   t->leaves = t->vars = 1;
   t->components = 1;
   t->size = s->physical || storage == SPV_STORAGE_CLASS_PHYSICAL_STORAGE_BUFFER ? 8 : 4;
   t->align = (uint32_t)t->size;
}

static void
read_pointer(struct spirv *s, const struct spirv_instr *i, struct spirv_type *t)
{
   const struct spirv_decoration *d =
       hd_spirv_decoration(s, i->result, -1, SPV_DECORATION_ARRAY_STRIDE);

   if (t->kind == TYPE_POINTER && t->storage != i->words[0])
      hd_spirv_invalid(s, "the storage class differs from the forward declaration");
   shape_pointer(s, t, i->words[0]);
   t->element = hd_spirv_type(s, i->words[1]);
   t->stride = d ? s->words[d->word] : narrow(align_up(t->element->size, t->element->align));
}

static void
read_forward_pointer(struct spirv *s, const struct spirv_instr *i)
{
   struct spirv_id *record = hd_spirv_id(s, i->words[0]);

   if ((s->words[record->word] & 0xffff) != SPV_OP_TYPE_POINTER)
      hd_spirv_invalid(s, "id %u is not a pointer type", i->words[0]);
   if (record->object_type)
      return;
   struct spirv_type *t = hd_spirv_alloc(s, sizeof(*t));
   t->id = i->words[0];
   shape_pointer(s, t, i->words[1]);
   record->object_type = t;
}

static void
read_function_type(struct spirv *s, const struct spirv_instr *i, struct spirv_type *t)
{
   t->kind = TYPE_FUNCTION;
   t->element = hd_spirv_type(s, i->words[0]);
   t->length = i->num_words - 1;
   t->flat = true;
   t->members = hd_spirv_alloc(s, t->length * sizeof(*t->members));
   for (uint32_t n = 0; n < t->length; n++) {
      t->members[n].type = hd_spirv_type(s, i->words[n + 1]);
      if (t->members[n].type->kind == TYPE_VOID)
         hd_spirv_invalid(s, "a parameter has the type void");
   }
}

/* Images */

static uint8_t
image_dim(uint32_t dim)
{
   switch (dim) {
   case SPV_DIM_1_D:
      return HD_DIM_D1;
   case SPV_DIM_2_D:
   case SPV_DIM_SUBPASS_DATA:
      return HD_DIM_D2;
   case SPV_DIM_3_D:
      return HD_DIM_D3;
   case SPV_DIM_CUBE:
      return HD_DIM_CUBE;
   case SPV_DIM_BUFFER:
      return HD_DIM_BUFFER;
   default:
      return SPIRV_IMAGE_REFUSED;
   }
}

/* words: sampled type, dim, depth, arrayed, multisampled, sampled, format, in kernels access. */
static void
read_image(struct spirv *s, const struct spirv_instr *i, struct spirv_type *t)
{
   t->kind = TYPE_IMAGE;
   t->flat = true;
   t->element = hd_spirv_type(s, i->words[0]);
   t->image.dim = image_dim(i->words[1]);
   t->image.array = i->words[3];
   t->image.ms = i->words[4];
   t->image.access = i->num_words > 7 ? (uint8_t)i->words[7] : SPV_ACCESS_QUALIFIER_READ_ONLY;
   /* Of an image of a kernel the access alone tells. */
   t->image.storage = s->kernel ? t->image.access != SPV_ACCESS_QUALIFIER_READ_ONLY
                                : i->words[5] == 2 && i->words[1] != SPV_DIM_SUBPASS_DATA;
   t->image.format = (uint16_t)i->words[6];
   t->image.attachment = i->words[1] == SPV_DIM_SUBPASS_DATA;
}

static void
read_sampled_image(struct spirv *s, const struct spirv_instr *i, struct spirv_type *t)
{
   t->kind = TYPE_SAMPLED_IMAGE;
   t->flat = true;
   t->element = hd_spirv_type(s, i->words[0]);
   if (t->element->kind != TYPE_IMAGE)
      hd_spirv_invalid(s, "type %u is not an image", i->words[0]);
}

void
hd_spirv_read_type(struct spirv *s, const struct spirv_instr *i)
{
   if (i->opcode == SPV_OP_TYPE_FORWARD_POINTER) {
      read_forward_pointer(s, i);
      return;
   }
   struct spirv_id *record = hd_spirv_id(s, i->result);
   struct spirv_type *t = record->object_type;
   if (!t)
      t = hd_spirv_alloc(s, sizeof(*t));
   t->id = i->result;
   t->align = t->align ? t->align : 1;
   switch (i->opcode) {
   case SPV_OP_TYPE_VOID:
      t->kind = TYPE_VOID;
      t->flat = true;
      break;
   case SPV_OP_TYPE_BOOL:
      make_scalar(t, TYPE_BOOL, 1);
      break;
   case SPV_OP_TYPE_INT:
   case SPV_OP_TYPE_FLOAT:
      read_number(s, i, t);
      break;
   case SPV_OP_TYPE_EVENT:
      /* A number that is never read: copies are complete when all lanes have waited. */
      make_scalar(t, TYPE_INT, 32);
      break;
   case SPV_OP_TYPE_VECTOR:
      read_vector(s, i, t);
      break;
   case SPV_OP_TYPE_MATRIX:
      read_matrix(s, i, t);
      break;
   case SPV_OP_TYPE_ARRAY:
   case SPV_OP_TYPE_RUNTIME_ARRAY:
      read_array(s, i, t);
      break;
   case SPV_OP_TYPE_STRUCT:
      read_struct(s, i, t);
      break;
   case SPV_OP_TYPE_POINTER:
      read_pointer(s, i, t);
      break;
   case SPV_OP_TYPE_FUNCTION:
      read_function_type(s, i, t);
      break;
   case SPV_OP_TYPE_IMAGE:
      read_image(s, i, t);
      break;
   case SPV_OP_TYPE_SAMPLER:
      t->kind = TYPE_SAMPLER;
      t->flat = true;
      break;
   case SPV_OP_TYPE_SAMPLED_IMAGE:
      read_sampled_image(s, i, t);
      break;
   default:
      t->kind = TYPE_OPAQUE;
      t->flat = true;
      break;
   }
   /* Only now: a type that names itself is not there yet. */
   record->object_type = t;
}
