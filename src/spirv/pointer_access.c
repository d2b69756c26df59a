/* SPDX-License-Identifier: MIT */
/* pointer_access.c - accesses through pointers: addresses for intrinsics; if the variable is only known at run
 * time, all candidates are tried one after the other.
 */
#include "heddle/build_ops.h"
#include "spirv/spirv.h"

/* base + offset, in the bits of the place. */
hd_def *
hd_spirv_flat_address(struct spirv *s, const struct spirv_pointer *p)
{
   unsigned bits = hd_spirv_is_wide(p) ? 64 : 32;
   uint64_t offset = bits == 64 ? p->offset : (uint32_t)p->offset;

   if (!p->base)
      return hd_imm_uint(&s->b, bits, offset);
   return offset ? hd_iadd(&s->b, p->base, hd_imm_uint(&s->b, bits, offset)) : p->base;
}

/* Trying the places */

struct trial {
   hd_def *(*act)(struct spirv *s, const struct spirv_pointer *p, void *user);
   void *user;
   hd_block *after;
   hd_ssa_var *result;
};

/* In a block of its own when `condition` holds; what follows is built where it does not. The last
 * place has no condition.
 */
static void
try_place(struct spirv *s, struct trial *t, const struct spirv_pointer *p, hd_def *condition)
{
   hd_builder *b = &s->b;
   hd_block *here = NULL, *other = NULL;

   if (condition) {
      here = hd_builder_add_block(b);
      other = hd_builder_add_block(b);
      hd_goto_if(b, condition, here, other);
      hd_builder_set_block(b, here);
      hd_seal_block(b, here);
   }
   hd_def *result = t->act(s, p, t->user);
   if (result) {
      if (!t->result)
         t->result = hd_ssa_var_create(b, result->num_components, result->bit_size);
      hd_ssa_write(b, t->result, result);
   }
   hd_goto(b, t->after);
   if (condition) {
      hd_builder_set_block(b, other);
      hd_seal_block(b, other);
   }
}

static void
try_generic(struct spirv *s, struct trial *t, const struct spirv_pointer *p)
{
   hd_builder *b = &s->b;
   hd_def *bits = hd_spirv_flat_address(s, p);
   hd_def *high = hd_u2u(b, hd_ushr(b, bits, hd_imm_u32(b, 32)), 32);
   struct spirv_pointer q = *p;
   const bool constant = p->storage == SPV_STORAGE_CLASS_UNIFORM_CONSTANT;

   q.base = hd_u2u(b, bits, 32);
   q.offset = 0;
   q.align = 1;
   if (!constant) {
      q.place = PLACE_SHARED;
      try_place(s, t, &q, hd_ieq(b, high, hd_imm_u32(b, SPIRV_APERTURE_SHARED)));
   }
   q.place = constant ? PLACE_CONSTANT : PLACE_SCRATCH;
   try_place(
       s, t, &q,
       hd_ieq(b, high, hd_imm_u32(b, constant ? SPIRV_APERTURE_CONSTANT : SPIRV_APERTURE_SCRATCH)));
   q.place = PLACE_GLOBAL;
   q.base = bits;
   try_place(s, t, &q, NULL);
}

static bool
could_be(const struct spirv_variable *v, const struct spirv_pointer *p)
{
   return v->storage == p->storage;
}

static void
try_buffers(struct spirv *s, struct trial *t, const struct spirv_pointer *p)
{
   hd_builder *b = &s->b;
   const struct spirv_variable *last = NULL;
   uint32_t n = 1;

   for (const struct spirv_variable *v = s->variables; v; v = v->next) {
      if (could_be(v, p))
         last = v;
   }
   if (!last)
      hd_spirv_invalid(s, "the module has no buffer that this pointer could be in");
   for (const struct spirv_variable *v = s->variables; v; v = v->next, n++) {
      if (!could_be(v, p))
         continue;
      struct spirv_pointer q = *p;
      q.buffer = NULL;
      q.set = v->set;
      q.binding = v->binding;
      q.access |= v->access;
      if (v->type->block)
         q.array_index = NULL;
      try_place(s, t, &q, v == last ? NULL : hd_ieq(b, p->buffer, hd_imm_u32(b, n)));
      if (v == last)
         break;
   }
}

hd_def *
hd_spirv_at_place(struct spirv *s, const struct spirv_pointer *p,
                  hd_def *(*act)(struct spirv *s, const struct spirv_pointer *p, void *user),
                  void *user)
{
   hd_builder *b = &s->b;
   struct trial t = { .act = act, .user = user };

   if (p->place == PLACE_LOCAL || p->place == PLACE_INPUT || p->place == PLACE_DESCRIPTOR ||
       p->descriptors)
      hd_spirv_unsupported(s, "this operation on a variable that is not in memory");
   if (p->place != PLACE_GENERIC && !p->buffer)
      return act(s, p, user);
   t.after = hd_builder_add_block(b);
   if (p->place == PLACE_GENERIC)
      try_generic(s, &t, p);
   else
      try_buffers(s, &t, p);
   hd_builder_set_block(b, t.after);
   hd_seal_block(b, t.after);
   return t.result ? hd_ssa_read(b, t.result) : NULL;
}

/* The part of the address that an operand holds; the rest, less than 2 GiB, is an index. */
static uint64_t
split_offset(const struct spirv_pointer *p)
{
   const bool alone = hd_spirv_is_wide(p) && !p->base;

   return alone || p->offset > INT32_MAX ? 0 : p->offset;
}

unsigned
hd_spirv_address(struct spirv *s, const struct spirv_pointer *p, hd_def *srcs[2])
{
   struct spirv_pointer base = *p;

   base.offset = p->offset - split_offset(p);
   if (p->place != PLACE_BUFFER) {
      srcs[0] = hd_spirv_flat_address(s, &base);
      return 1;
   }
   srcs[0] = p->array_index ? p->array_index : hd_imm_u32(&s->b, 0);
   srcs[1] = hd_spirv_flat_address(s, &base);
   return 2;
}

static void
put_index(const hd_intrinsic_info *info, uint32_t *indices, hd_index index, uint32_t value)
{
   if (info->slots[index])
      indices[info->slots[index] - 1] = value;
}

/* What is not written this way may be written another way; HD_ACCESS_READONLY says that it is never
 * written. Of memory that begins with the shader that would be nothing at all: a variable's initialiser
 * is a store, and so is what an argument by value is copied with.
 */
static uint32_t
access_of(const struct spirv_pointer *p)
{
   const bool outlives = p->place == PLACE_BUFFER || p->place == PLACE_GLOBAL;
   const bool begins =
       p->place == PLACE_SCRATCH || p->place == PLACE_SHARED || p->place == PLACE_GENERIC;
   const bool written = begins || (outlives && !(p->access & HD_ACCESS_RESTRICT));

   return written ? p->access & ~(uint32_t)HD_ACCESS_READONLY : p->access;
}

void
hd_spirv_indices(const struct spirv_pointer *p, hd_intrinsic_id id, uint32_t align, uint32_t access,
                 uint32_t indices[HD_MAX_INDICES])
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info(id);

   for (unsigned n = 0; n < info->num_indices; n++)
      indices[n] = hd_index_get_info((hd_index)info->indices[n])->default_value;
   put_index(info, indices, HD_INDEX_SET, p->set);
   put_index(info, indices, HD_INDEX_BINDING, p->binding);
   put_index(info, indices, HD_INDEX_OFFSET, (uint32_t)split_offset(p));
   put_index(info, indices, HD_INDEX_ACCESS, access_of(p) | access);
   if (p->align >= align) {
      put_index(info, indices, HD_INDEX_ALIGN_MUL, p->align);
      put_index(info, indices, HD_INDEX_ALIGN_OFFSET, (uint32_t)(p->offset & (p->align - 1)));
   } else {
      put_index(info, indices, HD_INDEX_ALIGN_MUL, align);
   }
}

hd_def *
hd_spirv_build_at(struct spirv *s, const struct spirv_pointer *p, hd_intrinsic_id id,
                  unsigned components, unsigned bits, unsigned num_srcs, hd_def *const *srcs,
                  const uint32_t *indices)
{
   const uint8_t flags = s->b.flags;

   /* Where a descriptor differs between lanes the module says so. */
   if (p->array_index && !(p->access & HD_ACCESS_NONUNIFORM))
      s->b.flags |= HD_ASSUME_UNIFORM;
   hd_def *result = hd_build_intrinsic(&s->b, id, components, bits, num_srcs, srcs, indices);
   s->b.flags = flags;
   return result;
}
