/* SPDX-License-Identifier: MIT */
/* value.c - ids as values of the function that is built, and results of instructions. */
#include "heddle/build_ops.h"
#include "spirv/body.h"

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
   if (value->type != t)
      value = hd_spirv_with_type(s, value, t);
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
