/* SPDX-License-Identifier: MIT */
/* variables.c - translate variables of functions and of the module, and their initialisers. */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "spirv/constants.h"

void
hd_spirv_function_variable(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);

   if (t->kind != TYPE_POINTER || !t->element)
      hd_spirv_invalid(s, "the type of a variable must be a pointer");
   if (i->words[0] != SPV_STORAGE_CLASS_FUNCTION || t->storage != SPV_STORAGE_CLASS_FUNCTION)
      hd_spirv_invalid(s, "a variable in a function must have storage class Function");

   struct spirv_value *v = hd_spirv_make_variable(s, i->result, t);
   if (i->num_words > 1)
      hd_spirv_store(s, v->pointer, hd_spirv_value(s, i->words[1]), 0);
   hd_spirv_set(s, i, v);
}

/* Variables of the module */

void
hd_spirv_read_variable(struct spirv *s, const struct spirv_instr *i)
{
   const struct spirv_type *t = hd_spirv_result_type(s, i);
   struct spirv_id *record = hd_spirv_id(s, i->result);
   struct spirv_variable *v = hd_spirv_alloc(s, sizeof(*v));
   const struct spirv_decoration *d;

   if (t->kind != TYPE_POINTER || !t->element)
      hd_spirv_invalid(s, "the type of a variable must be a pointer");
   if (i->words[0] != t->storage || t->storage == SPV_STORAGE_CLASS_FUNCTION)
      hd_spirv_invalid(s, "the storage class of the variable and of its pointer type differ");
   *v = (struct spirv_variable){
      .type = t->element,
      .pointer_type = t,
      .id = i->result,
      .storage = t->storage,
      .builtin = -1,
      .access = hd_spirv_access(s, i->result, -1),
      .initializer = i->num_words > 1 ? i->words[1] : 0,
      .address = UINT32_MAX,
   };
   if ((d = hd_spirv_decoration(s, v->id, -1, SPV_DECORATION_DESCRIPTOR_SET)))
      v->set = s->words[d->word];
   if ((d = hd_spirv_decoration(s, v->id, -1, SPV_DECORATION_BINDING)))
      v->binding = s->words[d->word];
   if ((d = hd_spirv_decoration(s, v->id, -1, SPV_DECORATION_BUILT_IN)))
      v->builtin = (int32_t)s->words[d->word];
   if (t->storage == SPV_STORAGE_CLASS_PUSH_CONSTANT && t->element->size > s->shader->push_size) {
      if (t->element->size > 1u << 16)
         hd_spirv_unsupported(s, "more than 65536 bytes of push constants");
      s->shader->push_size = (uint32_t)t->element->size;
   }
   v->next = s->variables;
   s->variables = v;
   record->variable = v;
}

/* What is there at the start */

/* Lane n of the workgroup clears the words n, n + size, n + 2 size, ... */
static void
clear_shared(struct spirv *s, uint32_t address, uint32_t bytes)
{
   hd_builder *b = &s->b;
   hd_def *size = hd_workgroup_size(b);
   hd_def *four = hd_imm_u32(b, 4);
   hd_def *depth = hd_build_channel(b, size, 2);
   hd_def *area = hd_imul(b, hd_build_channel(b, size, 1), depth);
   hd_def *lanes = hd_imul(b, hd_build_channel(b, size, 0), area);
   hd_def *stride = hd_imul(b, lanes, four);
   hd_def *end = hd_imm_u32(b, (bytes + 3) & ~3u);
   hd_def *first = hd_imul(b, hd_local_invocation_index(b), four);
   hd_ssa_var *at = hd_ssa_var_create(b, 1, 32);
   hd_block *header = hd_builder_add_block(b), *body = hd_builder_add_block(b),
            *after = hd_builder_add_block(b);

   hd_ssa_write(b, at, first);
   hd_goto(b, header);
   hd_builder_set_block(b, header);
   hd_goto_if(b, hd_ult(b, hd_ssa_read(b, at), end), body, after);
   hd_builder_set_block(b, body);
   hd_def *place = hd_ssa_read(b, at);
   hd_store_shared(b, hd_imm_u32(b, 0), place, (int32_t)address, 4, 0, 0);
   hd_ssa_write(b, at, hd_iadd(b, place, stride));
   hd_goto(b, header);
   hd_seal_block(b, header);
   hd_seal_block(b, body);
   hd_builder_set_block(b, after);
   hd_seal_block(b, after);
}

static bool
may_be_used(struct spirv *s, const struct spirv_variable *v)
{
   /* From 1.4 on the entry point lists all variables of the module that it uses. */
   return s->version < 0x00010400 || v->used;
}

void
hd_spirv_begin_variables(struct spirv *s)
{
   bool cleared = false;

   for (struct spirv_variable *v = s->variables; v; v = v->next) {
      if (!v->initializer || !may_be_used(s, v) || hd_spirv_is_table(s, v))
         continue;
      if (v->storage == SPV_STORAGE_CLASS_PRIVATE ||
          (v->storage == SPV_STORAGE_CLASS_OUTPUT && v->used) ||
          (v->storage == SPV_STORAGE_CLASS_UNIFORM_CONSTANT && s->kernel && !v->type->flat)) {
         struct spirv_value *value = hd_spirv_value(s, v->initializer);
         hd_spirv_store(s, hd_spirv_variable_value(s, v)->pointer, value, 0);
      } else if (v->storage == SPV_STORAGE_CLASS_WORKGROUP) {
         const struct spirv_constant *c = hd_spirv_get_constant(s, v->initializer);
         if (c->undef)
            continue;
         if (!c->null)
            hd_spirv_unsupported(s, "workgroup memory with an initialiser that is not 0");
         const struct spirv_pointer *p = hd_spirv_variable_value(s, v)->pointer;
         /* The last word may be shared with the next variable, which is not written yet. */
         s->shader->shared_size = (s->shader->shared_size + 3) & ~3u;
         clear_shared(s, (uint32_t)p->offset & ~3u,
                      (uint32_t)v->type->size + ((uint32_t)p->offset & 3));
         cleared = true;
      }
   }
   hd_spirv_load_inputs(s);
   if (cleared)
      hd_barrier(&s->b, HD_SCOPE_WORKGROUP, HD_SCOPE_WORKGROUP,
                 HD_SEMANTICS_ACQUIRE | HD_SEMANTICS_RELEASE, HD_MEMORY_SHARED);
}
