/* SPDX-License-Identifier: MIT */
/* composite.c - translate instructions on composites: construct, extract, insert, shuffle, select. */
#include "heddle/build_ops.h"
#include "spirv/body.h"

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
      hd_spirv_set_def(s, i, hd_spirv_channel(s, v->def, index));
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
