/* SPDX-License-Identifier: MIT */
/* places.c - where variables live, by their storage class: locals, scratch, shared memory, tables, descriptors. */
#include <stdio.h>

#include "spirv/body.h"
#include "spirv/constants.h"

/* A variable of an interface that has more parts is no way to say something. */
#define MAX_STAGE_PARTS 1024u

/* More than this is no local of a shader, but a way to run out of memory. */
#define MAX_LOCAL_VARS   4096u
#define MAX_LOCAL_LENGTH (1u << 20)
#define MAX_SCRATCH      (1u << 22)
#define MAX_SHARED       (1u << 24)
#define MAX_TABLES       (1u << 22)

/* Names
 *
 * s->var_names has each name that is taken, and the number from which on to look for one that ends
 * in a number: all before it are taken, so that many variables of one name cost no more than
 * others.
 */

static void
take_name(struct spirv *s, const char *name)
{
   const hd_function *f = s->b.function;

   if (f->num_vars >= s->max_var_names) {
      const hd_ptr_map old = s->var_names;
      s->max_var_names = 2 * f->num_vars + 16;
      hd_heap_step(s->heap, s->max_var_names);
      hd_ptr_map_init(&s->var_names, s->stack, s->max_var_names);
      hd_foreach_var(v, f)
         hd_ptr_map_set(&s->var_names, v->name, hd_ptr_map_get(&old, v->name));
   }
   hd_ptr_map_set(&s->var_names, name, 0);
}

/* A name that no variable has: `base`, or `base` with a number. */
static const char *
var_name(struct spirv *s, const char *base)
{
   const char *first = hd_shader_intern(s->shader, base, strlen(base)), *name = first;
   char numbered[64];

   if (s->max_var_names && hd_ptr_map_get(&s->var_names, first) != HD_PTR_MAP_NONE) {
      uint32_t n = hd_ptr_map_get(&s->var_names, first);
      if (n < s->b.function->num_vars)
         n = s->b.function->num_vars;
      do {
         hd_heap_step(s->heap, 1);
         snprintf(numbered, sizeof(numbered), "%.48s%u", base, n++);
         name = hd_shader_intern(s->shader, numbered, strlen(numbered));
      } while (hd_ptr_map_get(&s->var_names, name) != HD_PTR_MAP_NONE);
      hd_ptr_map_set(&s->var_names, first, n);
   }
   take_name(s, name);
   return name;
}

/* Locals */

/* Of what has no values: images of kernels, acceleration structures, ray queries. */
static HD_NORETURN void
no_variable(struct spirv *s, const struct spirv_type *t)
{
   while (t->kind == TYPE_ARRAY || t->kind == TYPE_RUNTIME_ARRAY)
      t = t->element;
   hd_spirv_unsupported(s, "a variable of type %s is not supported", hd_spirv_type_name(s, t));
}

/* The type's leaves in order; `length` is the product of the arrays around it, 0 outside of any. */
static void
add_vars(struct spirv *s, struct spirv_local *local, const struct spirv_type *t, uint32_t length,
         const char *name)
{
   uint64_t inner = length ? length : 1;
   unsigned components = t->components, bits = t->bits;

   switch (t->kind) {
   case TYPE_MATRIX:
   case TYPE_ARRAY:
      inner *= t->length;
      if (inner > MAX_LOCAL_LENGTH)
         hd_spirv_unsupported(s, "a local variable with %llu elements", (unsigned long long)inner);
      add_vars(s, local, t->element, (uint32_t)inner, name);
      return;
   case TYPE_STRUCT:
      for (uint32_t n = 0; n < t->length; n++)
         add_vars(s, local, t->members[n].type, length, name);
      return;
   case TYPE_POINTER:
      hd_spirv_pointer_shape(s, t, &components, &bits);
      break;
   case TYPE_BOOL:
   case TYPE_INT:
   case TYPE_FLOAT:
   case TYPE_VECTOR:
      break;
   default:
      no_variable(s, t);
   }
   local->vars[local->num_vars++] =
       hd_var_append(s->b.function, var_name(s, name ? name : "v"), components, bits, length);
}

static struct spirv_local *
make_local(struct spirv *s, const struct spirv_type *t, const char *name)
{
   struct spirv_local *local = hd_spirv_alloc(s, sizeof(*local));

   if (t->vars > MAX_LOCAL_VARS)
      hd_spirv_unsupported(s, "a local variable of %u parts", t->vars);
   local->type = t;
   local->vars = hd_spirv_alloc(s, (t->vars + 1) * sizeof(*local->vars));
   add_vars(s, local, t, 0, name);
   return local;
}

/* Memory that is given out from the bottom up */

/* What a variable must be aligned to: its type, its decorations and accesses to it say that. */
static uint32_t
align_of(struct spirv *s, uint32_t id, const struct spirv_type *t)
{
   uint32_t align = hd_spirv_promised_align(s, id);

   if (t->align > align)
      align = t->align;
   for (unsigned k = 0; k < 2; k++) {
      const struct spirv_decoration *d = hd_spirv_decoration(
          s, id, -1, k ? SPV_DECORATION_ALIGNMENT_ID : SPV_DECORATION_ALIGNMENT);
      for (; d; d = hd_spirv_next_decoration(s, d)) {
         const uint32_t word = s->words[d->word];
         const uint64_t wanted = k ? hd_spirv_constant_uint(s, word) : word;
         if (wanted & (wanted - 1))
            hd_spirv_invalid(s, "id %u has an alignment of %llu", id, (unsigned long long)wanted);
         if (wanted > SPIRV_MAX_ALIGN)
            hd_spirv_unsupported(s, "an alignment of more than %u bytes", SPIRV_MAX_ALIGN);
         if (wanted > align)
            align = (uint32_t)wanted;
      }
   }
   return align;
}

static uint32_t
take_bytes(struct spirv *s, uint32_t *end, uint32_t id, const struct spirv_type *t, uint32_t limit,
           const char *what)
{
   const uint64_t align = align_of(s, id, t);
   uint64_t address = (*end + align - 1) & ~(align - 1);

   if (t->size > limit || address + t->size > limit)
      hd_spirv_unsupported(s, "more than %u bytes of %s", limit, what);
   *end = (uint32_t)(address + t->size);
   return (uint32_t)address;
}

static uint32_t
take_scratch(struct spirv *s, uint32_t id, const struct spirv_type *t)
{
   /* Address 0 is the null pointer. */
   if (!s->shader->scratch_size)
      s->shader->scratch_size = 16;
   return take_bytes(s, &s->shader->scratch_size, id, t, MAX_SCRATCH, "memory of the lane");
}

/* Variables of functions */

static const char *
name_of(struct spirv *s, uint32_t id)
{
   const struct spirv_id *record = hd_spirv_id(s, id);

   return record->name && !s->options->no_names ? hd_spirv_string(s, record->name) : NULL;
}

struct spirv_local *
hd_spirv_make_local(struct spirv *s, uint32_t id, const struct spirv_type *t)
{
   return make_local(s, t, name_of(s, id));
}

struct spirv_value *
hd_spirv_make_variable(struct spirv *s, uint32_t id, const struct spirv_type *pointer_type)
{
   const struct spirv_type *t = pointer_type->element;
   struct spirv_pointer p = {
      .type = t,
      .storage = pointer_type->storage,
      .place = PLACE_LOCAL,
      .access = hd_spirv_access(s, id, -1),
   };

   if (hd_spirv_is_image(t)) {
      p.place = PLACE_DESCRIPTOR;
      p.held = hd_spirv_alloc(s, sizeof(*p.held));
   } else if (hd_spirv_needs_address(s, id)) {
      p.place = PLACE_SCRATCH;
      p.offset = take_scratch(s, id, t);
      p.align = 1u << 31;
   } else {
      p.local = make_local(s, t, name_of(s, id));
   }
   return hd_spirv_make_pointer(s, pointer_type, &p);
}

/* Variables of the module */

bool
hd_spirv_is_readonly(const struct spirv_variable *v)
{
   const struct spirv_type *t = v->type;

   while (t->kind == TYPE_ARRAY || t->kind == TYPE_RUNTIME_ARRAY)
      t = t->element;
   if (v->storage == SPV_STORAGE_CLASS_UNIFORM && !t->buffer_block)
      return true;
   if (v->access & HD_ACCESS_READONLY)
      return true;
   for (uint32_t n = 0; t->kind == TYPE_STRUCT && n < t->length; n++) {
      if (!(t->members[n].access & HD_ACCESS_READONLY))
         return false;
   }
   return t->kind == TYPE_STRUCT;
}

/* Is it written through another variable? A module may declare a buffer several times, once for each
 * type of its elements.
 */
static bool
is_written_elsewhere(struct spirv *s, const struct spirv_variable *v)
{
   for (const struct spirv_variable *w = s->variables; w; w = w->next) {
      hd_heap_step(s->heap, 1);
      if (w != v && w->storage == v->storage && w->set == v->set && w->binding == v->binding &&
          !hd_spirv_is_readonly(w))
         return true;
   }
   return false;
}

/* Variables without Aliased do not alias, where the memory model is not that of OpenCL. */
static bool
is_restricted(struct spirv *s, const struct spirv_variable *v)
{
   return !s->aliased && !hd_spirv_decoration(s, v->id, -1, SPV_DECORATION_ALIASED) &&
          !is_written_elsewhere(s, v);
}

/* A buffer, or arrays of them. */
static void
place_buffer(struct spirv *s, const struct spirv_variable *v, struct spirv_pointer *p)
{
   const struct spirv_type *block = v->type;

   while (block->kind == TYPE_ARRAY || block->kind == TYPE_RUNTIME_ARRAY)
      block = block->element;
   if (block->kind != TYPE_STRUCT || !block->block)
      hd_spirv_unsupported(s, "a variable of storage class %s without Block decoration",
                           v->storage == SPV_STORAGE_CLASS_UNIFORM ? "Uniform" : "StorageBuffer");
   p->place = PLACE_BUFFER;
   p->set = v->set;
   p->binding = v->binding;
   p->descriptors = block != v->type;
   p->align = 4;
   /* Uniform blocks do not change while the shader runs. */
   if (v->storage == SPV_STORAGE_CLASS_UNIFORM && !block->buffer_block)
      p->access |= HD_ACCESS_READONLY | HD_ACCESS_RESTRICT;
   else if (is_restricted(s, v))
      p->access |= HD_ACCESS_RESTRICT;
}

/* Tables of constants */

/* Of so many parts a table is data from the beginning; the parts of smaller ones may come to stand
 * in registers.
 */
#define MANY_LEAVES 64u

/* The bytes of a constant, into zeros. Recursion is as deep as types are: SPIRV_MAX_DEPTH. */
static void
put_constant(struct spirv *s, uint8_t *to, const struct spirv_constant *c)
{
   const struct spirv_type *t = c->type;
   const uint32_t size = t->bits < 8 ? 1 : t->bits / 8u;

   hd_heap_step(s->heap, 1);
   if (c->null || c->undef)
      return;
   if (t->kind == TYPE_POINTER || (c->addresses && !c->elements))
      hd_spirv_unsupported(s, "a pointer in a table of constants");
   if (hd_spirv_has_bits(t)) {
      for (uint32_t n = 0; n < t->components * size; n++)
         to[n] = (uint8_t)(c->bits[n / size] >> n % size * 8);
      return;
   }
   const uint32_t num = t->kind == TYPE_VECTOR ? t->components : t->length;
   for (uint32_t n = 0; n < num; n++) {
      const uint64_t offset = t->kind == TYPE_STRUCT   ? t->members[n].offset
                              : t->kind == TYPE_VECTOR ? (uint64_t)n * size
                                                       : (uint64_t)n * t->stride;
      put_constant(s, to + offset, hd_spirv_constant_part(s, c, n));
   }
}

bool
hd_spirv_is_table(struct spirv *s, const struct spirv_variable *v)
{
   return v->storage == SPV_STORAGE_CLASS_UNIFORM_CONSTANT && v->initializer &&
          (v->type->leaves > MANY_LEAVES || hd_spirv_needs_address(s, v->id));
}

static void
place_table(struct spirv *s, struct spirv_variable *v, struct spirv_pointer *p)
{
   const struct spirv_type *t = v->type;
   hd_stack_mark mark = hd_stack_get_mark(s->stack);

   if (v->address == UINT32_MAX) {
      const struct spirv_constant *c = hd_spirv_get_constant(s, v->initializer);
      uint32_t align = align_of(s, v->id, t);
      if (align < 16)
         align = 16;
      else if (align > HD_CONSTANTS_ALIGN && t->align <= HD_CONSTANTS_ALIGN)
         align = HD_CONSTANTS_ALIGN;
      hd_spirv_expect_type(s, "the value", c->type, t);
      if (align > HD_CONSTANTS_ALIGN || t->size > MAX_TABLES ||
          s->shader->constants_size > MAX_TABLES)
         hd_spirv_unsupported(s, "more than %u bytes of tables", MAX_TABLES);
      uint8_t *bytes = hd_spirv_alloc(s, t->size + 1);
      put_constant(s, bytes, c);
      v->address = hd_shader_add_constants(s->shader, bytes, (uint32_t)t->size, align);
      hd_stack_release(s->stack, mark);
   }
   p->place = PLACE_CONSTANT;
   p->offset = v->address;
   p->align = 1u << 31;
}

/* Private variables belong to the lane. */
static void
place_private(struct spirv *s, struct spirv_variable *v, struct spirv_pointer *p)
{
   if (hd_spirv_needs_address(s, v->id)) {
      if (v->address == UINT32_MAX)
         v->address = take_scratch(s, v->id, v->type);
      p->place = PLACE_SCRATCH;
      p->offset = v->address;
      p->align = 1u << 31;
      return;
   }
   if (!v->local)
      v->local = make_local(s, v->type, name_of(s, v->id));
   p->place = PLACE_LOCAL;
   p->local = v->local;
}

/* An image or a sampler, or arrays of them. */
static void
place_descriptor(struct spirv *s, const struct spirv_variable *v, struct spirv_pointer *p)
{
   const struct spirv_type *t = v->type;

   while (t->kind == TYPE_ARRAY || t->kind == TYPE_RUNTIME_ARRAY)
      t = t->element;
   if (!hd_spirv_is_image(t))
      no_variable(s, v->type);
   p->place = PLACE_DESCRIPTOR;
   p->set = v->set;
   p->binding = v->binding;
   p->descriptors = t != v->type;
   /* What is sampled is not written while the shader runs. */
   if (t->kind != TYPE_IMAGE || !t->image.storage)
      p->access |= HD_ACCESS_READONLY | HD_ACCESS_RESTRICT;
   else if (is_restricted(s, v))
      p->access |= HD_ACCESS_RESTRICT;
}

/* Whether it is one of the function's variables, and not computed where it is read. */
bool
hd_spirv_is_stage_local(const struct spirv *s, const struct spirv_variable *v)
{
   if (s->shader->stage != HD_STAGE_VERTEX && s->shader->stage != HD_STAGE_FRAGMENT)
      return false;
   return v->storage == SPV_STORAGE_CLASS_OUTPUT ||
          (v->storage == SPV_STORAGE_CLASS_INPUT &&
           (v->builtin < 0 || !hd_spirv_type_is_leaf(v->type)));
}

static bool
place_stage_variable(struct spirv *s, struct spirv_variable *v, struct spirv_pointer *p)
{
   if (!hd_spirv_is_stage_local(s, v))
      return false;
   if (v->type->leaves > MAX_STAGE_PARTS || v->type->locations > SPIRV_MAX_LOCATIONS)
      hd_spirv_unsupported(s, "an input or output of %llu parts",
                           (unsigned long long)v->type->leaves);
   if (!v->local) {
      v->local = hd_spirv_make_local(s, v->id, v->type);
      v->local->written = hd_spirv_alloc(s, v->local->num_vars + 1u);
      v->local->input = v->storage == SPV_STORAGE_CLASS_INPUT ? v : NULL;
   }
   p->place = PLACE_LOCAL;
   p->local = v->local;
   return true;
}

struct spirv_value *
hd_spirv_variable_value(struct spirv *s, struct spirv_variable *v)
{
   struct spirv_pointer p = {
      .type = v->type,
      .storage = v->storage,
      .access = v->access,
      .builtin = -1,
   };

   switch (v->storage) {
   case SPV_STORAGE_CLASS_UNIFORM:
   case SPV_STORAGE_CLASS_STORAGE_BUFFER:
      place_buffer(s, v, &p);
      break;
   case SPV_STORAGE_CLASS_PUSH_CONSTANT:
      p.place = PLACE_PUSH;
      p.access |= HD_ACCESS_READONLY;
      p.align = 4;
      break;
   case SPV_STORAGE_CLASS_INPUT:
      if (place_stage_variable(s, v, &p))
         break;
      p.place = PLACE_INPUT;
      p.builtin = v->builtin;
      break;
   case SPV_STORAGE_CLASS_WORKGROUP:
      if (v->address == UINT32_MAX) {
         /* Blocks lie over each other: WorkgroupMemoryExplicitLayoutKHR. */
         uint32_t none = 0;
         bool block = v->type->block;
         /* Address 0 is the null of kernels. */
         if (s->physical && !s->shader->shared_size)
            s->shader->shared_size = 16;
         v->address = take_bytes(s, block ? &none : &s->shader->shared_size, v->id, v->type,
                                 MAX_SHARED, "memory of the workgroup");
         if (s->shader->shared_size < none)
            s->shader->shared_size = none;
      }
      p.place = PLACE_SHARED;
      p.offset = v->address;
      p.align = 1u << 31;
      break;
   case SPV_STORAGE_CLASS_UNIFORM_CONSTANT:
      if (!s->kernel) {
         place_descriptor(s, v, &p);
         break;
      }
      if (v->type->flat)
         no_variable(s, v->type);
      if (hd_spirv_is_table(s, v))
         place_table(s, v, &p);
      else
         place_private(s, v, &p);
      p.access |= HD_ACCESS_READONLY;
      break;
   case SPV_STORAGE_CLASS_PRIVATE:
      place_private(s, v, &p);
      break;
   case SPV_STORAGE_CLASS_CROSS_WORKGROUP:
      hd_spirv_unsupported(s, "module-scope variables in global memory");
   case SPV_STORAGE_CLASS_OUTPUT:
      if (!place_stage_variable(s, v, &p))
         hd_spirv_invalid(s, "this stage has no outputs");
      break;
   default:
      hd_spirv_unsupported(s, "a variable of storage class %u", v->storage);
   }
   return hd_spirv_make_pointer(s, v->pointer_type, &p);
}
