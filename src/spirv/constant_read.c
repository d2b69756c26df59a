/* SPDX-License-Identifier: MIT */
/* constant_read.c - read constants and specialisation constants. */
#include "spirv/constants.h"
#include "spirv/sampler.h"

/* What the host says of a specialisation constant. */
static uint64_t
specialise(struct spirv *s, const struct spirv_instr *i, uint64_t value)
{
   const struct spirv_decoration *d = hd_spirv_decoration(s, i->result, -1, SPV_DECORATION_SPEC_ID);

   for (uint32_t n = 0; d && n < s->options->num_constants; n++) {
      if (s->options->constants[n].id == s->words[d->word])
         value = s->options->constants[n].bits;
   }
   return value;
}

static void
read_number(struct spirv *s, const struct spirv_instr *i, struct spirv_constant *c)
{
   const struct spirv_type *t = c->type;
   uint32_t num = t->bits == 64 ? 2 : 1;

   if (t->kind != TYPE_INT && t->kind != TYPE_FLOAT)
      hd_spirv_invalid(s, "type %u is not a number", t->id);
   if (i->num_words != num)
      hd_spirv_invalid(s, "%u words, a number of %u bits has %u", i->num_words, t->bits, num);
   uint64_t value = i->words[0] | (num == 2 ? (uint64_t)i->words[1] << 32 : 0);
   if (i->opcode == SPV_OP_SPEC_CONSTANT)
      value = specialise(s, i, value);
   c->bits[0] = value & mask(t->bits);
}

static void
read_bool(struct spirv *s, const struct spirv_instr *i, struct spirv_constant *c)
{
   bool value = i->opcode == SPV_OP_CONSTANT_TRUE || i->opcode == SPV_OP_SPEC_CONSTANT_TRUE;

   if (c->type->kind != TYPE_BOOL)
      hd_spirv_invalid(s, "type %u is not bool", c->type->id);
   if (i->opcode == SPV_OP_SPEC_CONSTANT_TRUE || i->opcode == SPV_OP_SPEC_CONSTANT_FALSE)
      value = specialise(s, i, value) != 0;
   c->bits[0] = value;
}

static void
read_sampler(struct spirv *s, const struct spirv_instr *i, struct spirv_constant *c)
{
   if (c->type->kind != TYPE_SAMPLER || !s->kernel)
      hd_spirv_invalid(s, "type %u is not the sampler of a kernel", c->type->id);
   c->bits[0] = i->words[0] | (i->words[1] ? SPIRV_SAMPLER_NORMALIZED : 0) |
                (i->words[2] == SPV_SAMPLER_FILTER_MODE_LINEAR ? SPIRV_SAMPLER_LINEAR : 0);
}

static struct spirv_constant *
read_composite(struct spirv *s, const struct spirv_instr *i, const struct spirv_type *t)
{
   const struct spirv_constant **parts =
       hd_spirv_alloc(s, i->num_words * sizeof(const struct spirv_constant *));

   if (t->kind < TYPE_VECTOR || t->kind > TYPE_STRUCT || t->length != i->num_words)
      hd_spirv_invalid(s, "%u parts, type %u has %u", i->num_words, t->id,
                       t->kind >= TYPE_VECTOR && t->kind <= TYPE_STRUCT ? t->length : 0);
   for (uint32_t n = 0; n < i->num_words; n++) {
      parts[n] = hd_spirv_get_constant(s, i->words[n]);
      if (parts[n]->type != hd_spirv_part_type(s, t, n))
         hd_spirv_invalid(s, "part %u has type %u, expected %u", n, parts[n]->type->id,
                          hd_spirv_part_type(s, t, n)->id);
   }
   return hd_spirv_make_constant(s, t, parts);
}

void
hd_spirv_read_constant(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   struct spirv_constant *c = NULL;

   if (t->kind == TYPE_VOID || t->kind == TYPE_FUNCTION)
      hd_spirv_invalid(s, "type %u has no constants", t->id);
   switch (i->opcode) {
   case SPV_OP_CONSTANT_TRUE:
   case SPV_OP_CONSTANT_FALSE:
   case SPV_OP_SPEC_CONSTANT_TRUE:
   case SPV_OP_SPEC_CONSTANT_FALSE:
      c = hd_spirv_new_constant(s, t);
      read_bool(s, i, c);
      break;
   case SPV_OP_CONSTANT:
   case SPV_OP_SPEC_CONSTANT:
      c = hd_spirv_new_constant(s, t);
      read_number(s, i, c);
      break;
   case SPV_OP_CONSTANT_SAMPLER:
      c = hd_spirv_new_constant(s, t);
      read_sampler(s, i, c);
      break;
   case SPV_OP_CONSTANT_COMPOSITE:
   case SPV_OP_SPEC_CONSTANT_COMPOSITE:
      c = read_composite(s, i, t);
      break;
   case SPV_OP_SPEC_CONSTANT_OP:
      c = hd_spirv_fold(s, i, t);
      break;
   default:
      c = hd_spirv_new_constant(s, t);
      c->undef = i->opcode == SPV_OP_UNDEF;
      c->null = i->opcode == SPV_OP_CONSTANT_NULL;
      break;
   }
   hd_spirv_id(s, i->result)->constant = c;
}
