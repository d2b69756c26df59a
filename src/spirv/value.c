/* SPDX-License-Identifier: MIT */
/* value.c - SPIR-V ids as values of the function being built. */
#include "heddle/build_ops.h"
#include "spirv/body.h"

/* A value that takes more definitions than this is not one that anybody computes with. */
#define MAX_LEAVES 65536u

/* Making values */

static struct spirv_value *
make_value(struct spirv *s, enum spirv_value_kind kind, const struct spirv_type *t)
{
   struct spirv_value *v = hd_spirv_alloc(s, sizeof(*v));

   v->kind = kind;
   v->type = t;
   return v;
}

struct spirv_value *
hd_spirv_make_def(struct spirv *s, const struct spirv_type *t, hd_def *def)
{
   struct spirv_value *v = make_value(s, VALUE_DEF, t);

   v->def = def;
   return v;
}

struct spirv_value *
hd_spirv_make_composite(struct spirv *s, const struct spirv_type *t)
{
   if (t->leaves > MAX_LEAVES || t->length > MAX_LEAVES)
      hd_spirv_unsupported(s, "a value of more than %u parts", MAX_LEAVES);
   if (t->kind == TYPE_RUNTIME_ARRAY)
      hd_spirv_invalid(s, "a runtime array is not a value");
   struct spirv_value *v = make_value(s, VALUE_COMPOSITE, t);

   v->elements = hd_spirv_alloc(s, (t->length + 1u) * sizeof(struct spirv_value *));
   return v;
}

struct spirv_value *
hd_spirv_make_pointer(struct spirv *s, const struct spirv_type *pointer_type,
                      const struct spirv_pointer *pointer)
{
   struct spirv_value *v = make_value(s, VALUE_POINTER, pointer_type);

   v->pointer = hd_spirv_alloc(s, sizeof(*pointer));
   *v->pointer = *pointer;
   return v;
}

bool
hd_spirv_is_composite(const struct spirv_type *t)
{
   return t->kind == TYPE_MATRIX || t->kind == TYPE_ARRAY || t->kind == TYPE_STRUCT;
}

static void
need_value(struct spirv *s, const struct spirv_type *t)
{
   if (t->kind == TYPE_OPAQUE)
      hd_spirv_unsupported(s, "a value of type %s is not supported", hd_spirv_type_name(s, t));
   if (t->flat || t->kind == TYPE_RUNTIME_ARRAY || t->kind == TYPE_FUNCTION)
      hd_spirv_invalid(s, "this type has no values");
}

/* A definition for each leaf from what the caller knows. Types are at most SPIRV_MAX_DEPTH deep. */
static struct spirv_value *
fill(struct spirv *s, const struct spirv_type *t,
     struct spirv_value *(*leaf)(struct spirv *s, const struct spirv_type *t))
{
   need_value(s, t);
   if (!hd_spirv_is_composite(t))
      return leaf(s, t);
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (uint32_t n = 0; n < t->length; n++) {
      bool again = n && t->kind != TYPE_STRUCT;
      v->elements[n] = again ? v->elements[0] : fill(s, hd_spirv_part_type(s, t, n), leaf);
   }
   return v;
}

static struct spirv_value *
undef_leaf(struct spirv *s, const struct spirv_type *t)
{
   unsigned components = t->components, bits = t->bits;

   if (t->kind != TYPE_POINTER)
      return hd_spirv_make_def(s, t, hd_undef(&s->b, components, bits));
   hd_spirv_pointer_shape(s, t, &components, &bits);
   return hd_spirv_pointer_from_bits(s, t, hd_undef(&s->b, components, bits));
}

static struct spirv_value *
zero_leaf(struct spirv *s, const struct spirv_type *t)
{
   unsigned components = t->components, bits = t->bits;
   hd_const_value zero[HD_MAX_COMPONENTS];

   memset(zero, 0, sizeof(zero));
   if (t->kind != TYPE_POINTER)
      return hd_spirv_make_def(s, t, hd_imm(&s->b, components, bits, zero));
   hd_spirv_pointer_shape(s, t, &components, &bits);
   return hd_spirv_pointer_from_bits(s, t, hd_imm(&s->b, components, bits, zero));
}

struct spirv_value *
hd_spirv_make_undef(struct spirv *s, const struct spirv_type *t)
{
   return fill(s, t, undef_leaf);
}

struct spirv_value *
hd_spirv_make_zero(struct spirv *s, const struct spirv_type *t)
{
   return fill(s, t, zero_leaf);
}

/* Leaves */

hd_def *
hd_spirv_leaf(struct spirv *s, struct spirv_value *v)
{
   if (v->kind == VALUE_COMPOSITE)
      hd_spirv_invalid(s, "expected a scalar or vector operand, found a composite");
   if (v->kind == VALUE_IMAGE)
      hd_spirv_invalid(s, "expected a scalar or vector operand, found an image or sampler");
   return v->kind == VALUE_POINTER ? hd_spirv_pointer_bits(s, v) : v->def;
}

struct spirv_value *
hd_spirv_from_leaf(struct spirv *s, const struct spirv_type *t, hd_def *def)
{
   return t->kind == TYPE_POINTER ? hd_spirv_pointer_from_bits(s, t, def)
                                  : hd_spirv_make_def(s, t, def);
}

void
hd_spirv_leaf_shape(struct spirv *s, const struct spirv_type *t, unsigned *components,
                    unsigned *bits)
{
   need_value(s, t);
   *components = t->components;
   *bits = t->bits;
   if (t->kind == TYPE_POINTER)
      hd_spirv_pointer_shape(s, t, components, bits);
}

struct spirv_value *
hd_spirv_map(struct spirv *s, const struct spirv_type *t, unsigned num,
             struct spirv_value *const *values,
             struct spirv_value *(*leaf)(struct spirv *s, const struct spirv_type *t,
                                         struct spirv_value *const *values, void *user),
             void *user)
{
   struct spirv_value *parts[HD_SPIRV_MAX_MAP];

   assert(num <= HD_SPIRV_MAX_MAP);
   need_value(s, t);
   if (!hd_spirv_is_composite(t))
      return leaf(s, t, values, user);
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (uint32_t n = 0; n < t->length; n++) {
      for (unsigned m = 0; m < num; m++)
         parts[m] = hd_spirv_part(s, values[m], n);
      v->elements[n] = hd_spirv_map(s, hd_spirv_part_type(s, t, n), num, parts, leaf, user);
   }
   return v;
}

/* Ids */

/* A result is known where a block that dominates this one, or an earlier instruction of this one,
 * made it. Blocks are translated what dominates first, so it was made in this call.
 */
static bool
is_known(const struct spirv *s, const struct spirv_id *id, bool at_end)
{
   const struct spirv_call *call = s->call;

   if (!call || !id->value || id->word <= call->function->word || id->word >= call->function->end)
      return false;
   if (id->home == call->label)
      return at_end || id->word < s->at.word;
   return forest_contains(&call->body->dominators, id->home, call->label);
}

static struct spirv_value *
value_of(struct spirv *s, uint32_t number, bool at_end)
{
   struct spirv_id *id = hd_spirv_id(s, number);

   switch (id->kind) {
   case ID_CONSTANT:
      return hd_spirv_constant_value(s, id->constant);
   case ID_VARIABLE:
      return hd_spirv_variable_value(s, id->variable);
   case ID_RESULT:
      if (is_known(s, id, at_end))
         return id->value;
      hd_spirv_invalid(s, "%%%u does not dominate its use", number);
   default:
      hd_spirv_invalid(s, "%%%u is not a value", number);
   }
}

struct spirv_value *
hd_spirv_value(struct spirv *s, uint32_t id)
{
   return value_of(s, id, false);
}

struct spirv_value *
hd_spirv_value_at_end(struct spirv *s, uint32_t id)
{
   return value_of(s, id, true);
}

hd_def *
hd_spirv_ssa(struct spirv *s, uint32_t id)
{
   return hd_spirv_leaf(s, hd_spirv_value(s, id));
}

hd_def *
hd_spirv_index32(struct spirv *s, uint32_t id)
{
   struct spirv_value *v = hd_spirv_value(s, id);

   if (v->kind != VALUE_DEF || v->type->kind != TYPE_INT)
      hd_spirv_invalid(s, "%%%u is not an integer", id);
   if (v->type->bits == 32)
      return v->def;
   return v->type->is_signed ? hd_i2i(&s->b, v->def, 32) : hd_u2u(&s->b, v->def, 32);
}

static void
name_value(struct spirv *s, uint32_t id, hd_def *def)
{
   const char *name;

   if (s->options->no_names || def->flags & HD_DEF_NAMED)
      return;
   name = hd_spirv_name(s, id);
   if (name)
      hd_name_def(&s->b, name, def);
}

/* The value that an id has, of whose descriptor NonUniform of that id is true. It stays so in what is
 * made of the value.
 */
static struct spirv_value *
decorated(struct spirv *s, uint32_t id, struct spirv_value *value)
{
   const uint32_t access = hd_spirv_access(s, id, -1) & HD_ACCESS_NONUNIFORM;

   if (!access)
      return value;
   if (value->kind == VALUE_POINTER) {
      value = hd_spirv_make_pointer(s, value->type, value->pointer);
      value->pointer->access |= access;
   } else if (value->kind == VALUE_IMAGE) {
      value = hd_spirv_add_image_access(s, value, access);
   }
   return value;
}

void
hd_spirv_set(struct spirv *s, const struct spirv_instr *i, struct spirv_value *value)
{
   struct spirv_id *id = hd_spirv_id(s, i->result);
   const struct spirv_type *t = hd_spirv_result_type(s, i);

   hd_spirv_expect_type(s, "the result", value->type, t);
   if (value->kind == VALUE_DEF && t->kind != TYPE_POINTER && s->b.result == HD_OK &&
       (value->def->num_components != t->components || value->def->bit_size != t->bits))
      hd_spirv_invalid(s, "the result is %u x %u bits, expected %u x %u",
                       value->def->num_components, value->def->bit_size, t->components, t->bits);
   if (value->type != t) {
      struct spirv_value *typed = make_value(s, value->kind, t);
      *typed = *value;
      typed->type = t;
      value = typed;
   }
   value = decorated(s, i->result, value);
   id->value = value;
   id->home = s->call->label;
   if (value->kind == VALUE_DEF)
      name_value(s, i->result, value->def);
}

void
hd_spirv_set_def(struct spirv *s, const struct spirv_instr *i, hd_def *def)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);

   if (t->kind != TYPE_POINTER && !hd_spirv_type_is_leaf(t))
      hd_spirv_invalid(s, "the result type is a composite, but the operation gives a single value");
   hd_spirv_set(s, i, hd_spirv_from_leaf(s, t, def));
}

struct spirv_value *
hd_spirv_part(struct spirv *s, struct spirv_value *v, uint32_t n)
{
   const struct spirv_type *t = hd_spirv_part_type(s, v->type, n);

   if (v->kind == VALUE_COMPOSITE)
      return v->elements[n];
   if (v->kind != VALUE_DEF || v->type->kind != TYPE_VECTOR)
      hd_spirv_invalid(s, "a composite has no member %u", n);
   return hd_spirv_make_def(s, t, hd_build_channel(&s->b, v->def, n));
}

/* Instructions */

static void
construct_vector(struct spirv *s, const struct spirv_instr *i, const struct spirv_type *t)
{
   hd_def *scalars[HD_MAX_COMPONENTS];
   unsigned num = 0;

   for (uint32_t n = 0; n < i->num_words; n++) {
      hd_def *part = hd_spirv_ssa(s, i->words[n]);
      if (num + part->num_components > t->components)
         hd_spirv_invalid(s, "there are more than %u components", t->components);
      for (unsigned c = 0; c < part->num_components; c++)
         scalars[num++] = hd_build_channel(&s->b, part, c);
   }
   if (num != t->components)
      hd_spirv_invalid(s, "there are %u components, expected %u", num, t->components);
   hd_spirv_set_def(s, i, hd_build_vec(&s->b, num, scalars));
}

static void
construct(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);

   if (t->kind == TYPE_VECTOR) {
      construct_vector(s, i, t);
      return;
   }
   if (!hd_spirv_is_composite(t))
      hd_spirv_invalid(s, "expected a composite result type");
   if (i->num_words != t->length)
      hd_spirv_invalid(s, "there are %u parts, expected %u", i->num_words, t->length);
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (uint32_t n = 0; n < t->length; n++) {
      v->elements[n] = hd_spirv_value(s, i->words[n]);
      const struct spirv_type *part = hd_spirv_part_type(s, t, n);
      if (!hd_spirv_types_match(v->elements[n]->type, part))
         hd_spirv_invalid(s, "member %u has type %u, expected %u", n, v->elements[n]->type->id,
                          part->id);
   }
   hd_spirv_set(s, i, v);
}

static void
extract(struct spirv *s, const struct spirv_instr *i)
{
   struct spirv_value *v = hd_spirv_value(s, i->words[0]);

   for (uint32_t n = 1; n < i->num_words; n++)
      v = hd_spirv_part(s, v, i->words[n]);
   hd_spirv_set(s, i, v);
}

static struct spirv_value *
with_component(struct spirv *s, struct spirv_value *v, uint32_t n, struct spirv_value *part)
{
   hd_def *scalars[HD_MAX_COMPONENTS];

   for (unsigned c = 0; c < v->type->components; c++)
      scalars[c] = c == n ? hd_spirv_leaf(s, part) : hd_build_channel(&s->b, v->def, c);
   return hd_spirv_make_def(s, v->type, hd_build_vec(&s->b, v->type->components, scalars));
}

/* Copies of what is on the way to the part that changes. */
static void
insert(struct spirv *s, const struct spirv_instr *i)
{
   struct spirv_value *object = hd_spirv_value(s, i->words[0]);
   struct spirv_value *old = hd_spirv_value(s, i->words[1]);
   struct spirv_value *top = NULL, **place = &top;

   for (uint32_t n = 2; n < i->num_words; n++) {
      uint32_t at = i->words[n];
      const struct spirv_type *part = hd_spirv_part_type(s, old->type, at);
      if (old->kind == VALUE_DEF) {
         if (n + 1 != i->num_words || !hd_spirv_types_match(object->type, part))
            hd_spirv_invalid(s, "expected a component of a vector");
         *place = with_component(s, old, at, object);
         hd_spirv_set(s, i, top);
         return;
      }
      struct spirv_value *copy = hd_spirv_make_composite(s, old->type);
      memcpy(copy->elements, old->elements, old->type->length * sizeof(struct spirv_value *));
      *place = copy;
      place = &copy->elements[at];
      old = *place;
   }
   hd_spirv_expect_type(s, "the inserted object", object->type, old->type);
   *place = object;
   hd_spirv_set(s, i, top);
}

static void
shuffle(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   hd_def *from[2] = { hd_spirv_ssa(s, i->words[0]), hd_spirv_ssa(s, i->words[1]) };
   uint32_t first = from[0]->num_components, both = first + from[1]->num_components;
   hd_def *scalars[HD_MAX_COMPONENTS];

   if (t->kind != TYPE_VECTOR || i->num_words - 2 != t->components)
      hd_spirv_invalid(s, "expected a result with one component for each literal");
   if (from[0]->bit_size != t->bits || from[1]->bit_size != t->bits)
      hd_spirv_invalid(s, "the component types of operands and result differ");
   for (unsigned c = 0; c < t->components; c++) {
      uint32_t n = i->words[2 + c];
      if (n == UINT32_MAX)
         scalars[c] = hd_undef(&s->b, 1, t->bits);
      else if (n >= both)
         hd_spirv_invalid(s, "the operands have no component %u", n);
      else
         scalars[c] = hd_build_channel(&s->b, from[n >= first], n >= first ? n - first : n);
   }
   hd_spirv_set_def(s, i, hd_build_vec(&s->b, t->components, scalars));
}

static void
transpose(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   struct spirv_value *m = hd_spirv_value(s, i->words[0]);

   if (t->kind != TYPE_MATRIX || m->type->kind != TYPE_MATRIX || m->type->length != t->components)
      hd_spirv_invalid(s, "expected matrices of matching size");
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (uint32_t n = 0; n < t->length; n++) {
      hd_def *scalars[HD_MAX_COMPONENTS];
      for (unsigned c = 0; c < t->components; c++)
         scalars[c] = hd_spirv_leaf(s, hd_spirv_part(s, hd_spirv_part(s, m, c), n));
      hd_def *column = hd_build_vec(&s->b, t->components, scalars);
      v->elements[n] = hd_spirv_make_def(s, hd_spirv_part_type(s, t, n), column);
   }
   hd_spirv_set(s, i, v);
}

hd_def *
hd_spirv_splat(struct spirv *s, hd_def *scalar, unsigned components)
{
   hd_def *scalars[HD_MAX_COMPONENTS];

   if (scalar->num_components != 1)
      hd_spirv_invalid(s, "an operand is a vector, expected a scalar");
   for (unsigned c = 0; c < components; c++)
      scalars[c] = scalar;
   return hd_build_vec(&s->b, components, scalars);
}

static struct spirv_value *
select_leaf(struct spirv *s, const struct spirv_type *t, struct spirv_value *const *values,
            void *user)
{
   hd_def *cond = user, *a = hd_spirv_leaf(s, values[0]), *b = hd_spirv_leaf(s, values[1]);

   if (cond->num_components == 1)
      cond = hd_spirv_splat(s, cond, a->num_components);
   return hd_spirv_from_leaf(s, t, hd_select(&s->b, cond, a, b));
}

static void
select_instr(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   struct spirv_value *cond = hd_spirv_value(s, i->words[0]);
   struct spirv_value *values[2] = { hd_spirv_value(s, i->words[1]),
                                     hd_spirv_value(s, i->words[2]) };

   if (!hd_spirv_type_is_leaf(cond->type) || cond->type->bits != 1)
      hd_spirv_invalid(s, "expected a boolean condition");
   for (unsigned n = 0; n < 2; n++) {
      hd_spirv_expect_type(s, "an object", values[n]->type, t);
   }
   hd_spirv_set(s, i, hd_spirv_map(s, t, 2, values, select_leaf, cond->def));
}

static void
dynamic(struct spirv *s, const struct spirv_instr *i, bool inserts)
{
   struct spirv_value *v = hd_spirv_value(s, i->words[0]);

   if (v->type->kind != TYPE_VECTOR)
      hd_spirv_invalid(s, "expected a vector operand");
   hd_def *index = hd_spirv_index32(s, i->words[inserts ? 2 : 1]);
   if (inserts)
      hd_spirv_set_def(s, i, hd_insert_channel(&s->b, v->def, hd_spirv_ssa(s, i->words[1]), index));
   else
      hd_spirv_set_def(s, i, hd_channel(&s->b, v->def, index));
}

void
hd_spirv_composite(struct spirv *s, const struct spirv_instr *i)
{
   switch (i->opcode) {
   case SPV_OP_UNDEF:
      hd_spirv_set(s, i, hd_spirv_make_undef(s, hd_spirv_result_type(s, i)));
      break;
   case SPV_OP_COMPOSITE_CONSTRUCT:
      construct(s, i);
      break;
   case SPV_OP_COMPOSITE_EXTRACT:
      extract(s, i);
      break;
   case SPV_OP_COMPOSITE_INSERT:
      insert(s, i);
      break;
   case SPV_OP_VECTOR_EXTRACT_DYNAMIC:
      dynamic(s, i, false);
      break;
   case SPV_OP_VECTOR_INSERT_DYNAMIC:
      dynamic(s, i, true);
      break;
   case SPV_OP_VECTOR_SHUFFLE:
      shuffle(s, i);
      break;
   case SPV_OP_TRANSPOSE:
      transpose(s, i);
      break;
   case SPV_OP_SELECT:
      select_instr(s, i);
      break;
   case SPV_OP_COPY_OBJECT:
   case SPV_OP_COPY_LOGICAL:
   case SPV_OP_EXPECT_KHR:
      hd_spirv_set(s, i, hd_spirv_value(s, i->words[0]));
      break;
   default:
      hd_spirv_unsupported(s, "this instruction is not supported");
   }
}
