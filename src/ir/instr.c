/* SPDX-License-Identifier: MIT */
/* instr.c - instructions: create, place, copy, free; sources and use lists. */
#include "ir/private.h"

#include "ir/own_intrinsics.h"

static inline size_t
size_of(const hd_shader *shader, const hd_instr *i)
{
   size_t srcs = i->num_srcs * sizeof(hd_src);

   switch ((hd_instr_kind)i->kind) {
   case HD_INSTR_ALU:
      return sizeof(hd_instr) + srcs;
   case HD_INSTR_CONST:
      return sizeof(hd_instr) + i->def.num_components * sizeof(hd_const_value);
   case HD_INSTR_INTRINSIC:
      return sizeof(hd_instr) + srcs +
             hd_shader_intrinsic_info(shader, i->op)->num_indices * sizeof(uint32_t);
   case HD_INSTR_PHI:
      return sizeof(hd_phi);
   case HD_INSTR_CALL:
      return sizeof(hd_call);
   case HD_INSTR_JUMP:
      return sizeof(hd_jump);
   case HD_INSTR_PARAM:
      return sizeof(hd_param);
   case HD_INSTR_LOAD_VAR:
   case HD_INSTR_STORE_VAR:
      return sizeof(hd_var_access);
   case HD_INSTR_UNDEF:
   case HD_NUM_INSTR_KINDS:
      break;
   }
   return sizeof(hd_instr);
}

size_t
hd_instr_size(const hd_shader *shader, const hd_instr *i)
{
   return size_of(shader, i);
}

uint32_t
hd_intrinsic_index(const hd_intrinsic *i, unsigned index)
{
   const uint8_t slot = hd_instr_intrinsic_info(&i->instr)->slots[index];

   return slot ? hd_intrinsic_indices(i)[slot - 1] : 0;
}

void *
hd_slab_refill(hd_slab *slab, size_t size)
{
   if (size > HD_SLAB_SIZE / 4)
      return hd_pool_alloc(slab->pool, size);
   hd_slab_finish(slab);
   slab->next = hd_pool_alloc(slab->pool, HD_SLAB_SIZE);
   if (!slab->next)
      return NULL;
   slab->end = slab->next + HD_SLAB_SIZE;
   slab->next += size;
   return slab->next - size;
}

static void *
create(hd_shader *shader, size_t size, hd_instr_kind kind, unsigned op, unsigned num_srcs,
       unsigned num_components, unsigned bit_size)
{
   hd_instr *i = hd_pool_alloc(hd_shader_pool(shader), size);

   if (!i)
      return NULL;
   i->kind = (uint8_t)kind;
   i->num_srcs = (uint8_t)num_srcs;
   i->op = (uint16_t)op;
   i->def.index = HD_NO_INDEX;
   i->def.num_components = (uint8_t)num_components;
   i->def.bit_size = (uint8_t)bit_size;
   if (num_srcs != HD_NUM_SRCS_WIDE) {
      for (unsigned n = 0; n < num_srcs; n++)
         hd_src_init((hd_src *)(i + 1) + n, n, NULL);
   }
   return i;
}

hd_alu *
hd_alu_create(hd_shader *shader, unsigned op, unsigned num_srcs, unsigned num_components,
              unsigned bit_size)
{
   return create(shader, sizeof(hd_instr) + num_srcs * sizeof(hd_src), HD_INSTR_ALU, op, num_srcs,
                 num_components, bit_size);
}

static uint64_t
size_mask(unsigned bit_size)
{
   return bit_size == 64 ? UINT64_MAX : (UINT64_C(1) << bit_size) - 1;
}

hd_const *
hd_const_create(hd_shader *shader, unsigned num_components, unsigned bit_size,
                const hd_const_value *value)
{
   hd_const *c = create(shader, sizeof(hd_instr) + num_components * sizeof(hd_const_value),
                        HD_INSTR_CONST, 0, 0, num_components, bit_size);

   for (unsigned n = 0; c && value && n < num_components; n++)
      c->value[n].u64 = value[n].u64 & size_mask(bit_size);
   return c;
}

hd_instr *
hd_undef_create(hd_shader *shader, unsigned num_components, unsigned bit_size)
{
   return create(shader, sizeof(hd_instr), HD_INSTR_UNDEF, 0, 0, num_components, bit_size);
}

hd_intrinsic *
hd_intrinsic_create(hd_shader *shader, unsigned id, unsigned num_srcs, unsigned num_indices,
                    unsigned num_components, unsigned bit_size)
{
   const bool known = id - 1 < HD_NUM_INTRINSICS - 1;

   if (!known && !hd_shader_own_intrinsic(shader, id)) {
      hd_heap_fail(hd_shader_heap(shader), HD_INVALID);
      return NULL;
   }
   return create(shader,
                 sizeof(hd_instr) + num_srcs * sizeof(hd_src) + num_indices * sizeof(uint32_t),
                 HD_INSTR_INTRINSIC, id, num_srcs, num_components, bit_size);
}

static hd_wide_src *
create_wide_srcs(hd_shader *shader, hd_instr *instr, unsigned num)
{
   hd_wide_src *srcs = hd_pool_alloc(hd_shader_pool(shader), num * sizeof(*srcs));

   for (unsigned n = 0; srcs && n < num; n++) {
      hd_src_init(&srcs[n].src, HD_SLOT_WIDE, NULL);
      srcs[n].instr = instr;
   }
   return srcs;
}

/* One phi and its sources. Where the second allocation fails the first is given back. */
hd_phi *
hd_phi_create(hd_shader *shader, unsigned num_components, unsigned bit_size, unsigned num_srcs)
{
   hd_phi *phi =
       create(shader, sizeof(*phi), HD_INSTR_PHI, 0, HD_NUM_SRCS_WIDE, num_components, bit_size);

   if (!phi || !num_srcs)
      return phi;
   phi->srcs = create_wide_srcs(shader, &phi->instr, num_srcs);
   if (!phi->srcs) {
      hd_pool_free(hd_shader_pool(shader), phi, sizeof(*phi));
      return NULL;
   }
   phi->num_srcs = phi->capacity = num_srcs;
   return phi;
}

hd_call *
hd_call_create(hd_shader *shader, hd_function *callee, unsigned num_args)
{
   hd_call *call = create(shader, sizeof(*call), HD_INSTR_CALL, 0, HD_NUM_SRCS_WIDE,
                          callee->result_components, callee->result_bits);

   if (!call)
      return NULL;
   call->callee = callee;
   if (num_args) {
      call->args = create_wide_srcs(shader, &call->instr, num_args);
      if (!call->args) {
         hd_pool_free(hd_shader_pool(shader), call, sizeof(*call));
         return NULL;
      }
      call->num_args = num_args;
   }
   return call;
}

hd_jump *
hd_jump_create(hd_shader *shader, hd_jump_kind kind, unsigned num_srcs, unsigned num_cases)
{
   hd_jump *jump = create(shader, sizeof(*jump), HD_INSTR_JUMP, kind, num_srcs, 0, 0);

   if (!jump || !num_cases)
      return jump;
   jump->cases = hd_pool_alloc(hd_shader_pool(shader), num_cases * sizeof(hd_switch_case));
   if (!jump->cases) {
      hd_pool_free(hd_shader_pool(shader), jump, sizeof(*jump));
      return NULL;
   }
   jump->num_cases = num_cases;
   return jump;
}

hd_param *
hd_param_create(hd_shader *shader, unsigned num_components, unsigned bit_size, uint32_t index)
{
   hd_param *param = create(shader, sizeof(*param), HD_INSTR_PARAM, 0, 0, num_components, bit_size);

   if (param)
      param->param_index = index;
   return param;
}

hd_var_access *
hd_load_var_create(hd_shader *shader, hd_var *var)
{
   hd_var_access *a = create(shader, sizeof(*a), HD_INSTR_LOAD_VAR, 0, var->array_length != 0,
                             var->num_components, var->bit_size);

   if (a)
      a->var = var;
   return a;
}

hd_var_access *
hd_store_var_create(hd_shader *shader, hd_var *var)
{
   hd_var_access *a =
       create(shader, sizeof(*a), HD_INSTR_STORE_VAR, 0, 1 + (var->array_length != 0), 0, 0);

   if (a)
      a->var = var;
   return a;
}

void
hd_instr_free(hd_shader *shader, hd_instr *instr)
{
   hd_pool *pool = hd_shader_pool(shader);

   if (!instr)
      return;
   if (instr->def.flags & HD_DEF_NAMED)
      hd_name_remove(shader, &instr->def);
   if (instr->kind == HD_INSTR_PHI) {
      hd_phi *phi = (hd_phi *)instr;
      hd_pool_free(pool, phi->srcs, phi->capacity * sizeof(hd_wide_src));
   } else if (instr->kind == HD_INSTR_CALL) {
      hd_call *call = (hd_call *)instr;
      hd_pool_free(pool, call->args, call->num_args * sizeof(hd_wide_src));
   } else if (instr->kind == HD_INSTR_JUMP) {
      hd_jump *jump = (hd_jump *)instr;
      hd_pool_free(pool, jump->cases, jump->num_cases * sizeof(hd_switch_case));
   }
   hd_pool_free(pool, instr, size_of(shader, instr));
}

/* Use lists. A link is a pointer with three bits of its own source's slot below it. */

static void
set_next(hd_src *src, const hd_src *next)
{
   src->next_link = (uintptr_t)next | (src->next_link & 7);
}

static void
set_prev(hd_src *src, const hd_src *prev)
{
   src->prev_link = (uintptr_t)prev | (src->prev_link & 7);
}

void
hd_src_link(hd_src *src)
{
   hd_def *def = src->def;

   if (!def)
      return;
   set_prev(src, NULL);
   set_next(src, def->uses);
   if (def->uses)
      set_prev(def->uses, src);
   def->uses = src;
}

void
hd_src_unlink(hd_src *src)
{
   if (!src->def)
      return;
   hd_src *prev = hd_src_prev_use(src), *next = hd_src_next_use(src);

   if (prev)
      set_next(prev, next);
   else
      src->def->uses = next;
   if (next)
      set_prev(next, prev);
   set_prev(src, NULL);
   set_next(src, NULL);
}

void
hd_instr_set_src(hd_instr *instr, unsigned n, hd_def *def)
{
   assert(!instr->block && n < hd_instr_num_srcs(instr));
   hd_instr_src(instr, n)->def = def;
}

void
hd_src_set_def(hd_src *src, hd_def *def)
{
   hd_src_unlink(src);
   src->def = def;
   hd_src_link(src);
}

/* The whole list is renamed and put before the other: each use is touched once. */
void
hd_def_replace_uses(hd_def *def, hd_def *by)
{
   hd_src *last = NULL;

   if (def == by)
      return;
   hd_foreach_use(src, def) {
      src->def = by;
      last = src;
   }
   if (!last)
      return;
   set_next(last, by->uses);
   if (by->uses)
      set_prev(by->uses, last);
   by->uses = def->uses;
   def->uses = NULL;
}

/* Places */

static void
place(hd_block *block, hd_instr *after, hd_instr *instr)
{
   assert(!instr->block);
   instr->block = block;
   instr->prev = after;
   instr->next = after ? after->next : block->first;
   if (instr->prev)
      instr->prev->next = instr;
   else
      block->first = instr;
   if (instr->next)
      instr->next->prev = instr;
   else
      block->last = instr;
}

static void
displace(hd_instr *instr)
{
   hd_block *block = instr->block;

   assert(block);
   if (instr->prev)
      instr->prev->next = instr->next;
   else
      block->first = instr->next;
   if (instr->next)
      instr->next->prev = instr->prev;
   else
      block->last = instr->prev;
   instr->prev = instr->next = NULL;
   instr->block = NULL;
}

void
hd_instr_link(hd_block *block, hd_instr *after, hd_instr *instr)
{
   place(block, after, instr);
   if (instr->def.bit_size && instr->def.index == HD_NO_INDEX)
      instr->def.index = hd_block_function(block)->num_defs++;
   hd_foreach_src(src, instr)
      hd_src_link(src);
}

void
hd_instr_unlink(hd_instr *instr)
{
   hd_foreach_src(src, instr)
      hd_src_unlink(src);
   displace(instr);
}

void
hd_instr_insert(hd_cursor cursor, hd_instr *instr)
{
   assert(instr->kind != HD_INSTR_PHI && instr->kind != HD_INSTR_PARAM &&
          instr->kind != HD_INSTR_JUMP);
   hd_block *block = hd_cursor_block(cursor);
   hd_instr *before = hd_cursor_instr(cursor);
   hd_instr_link(block, before ? before->prev : block->last, instr);
}

void
hd_instr_extract(hd_instr *instr)
{
   assert(instr->kind != HD_INSTR_JUMP);
   hd_instr_unlink(instr);
}

void
hd_instr_remove(hd_instr *instr)
{
   hd_shader *shader = hd_block_function(instr->block)->shader;

   hd_instr_extract(instr);
   assert(hd_def_is_unused(&instr->def));
   hd_instr_free(shader, instr);
}

/* The sources stay where they are in memory, so no use list changes. */
void
hd_instr_move(hd_cursor cursor, hd_instr *instr)
{
   hd_block *block = hd_cursor_block(cursor);
   hd_instr *before = hd_cursor_instr(cursor);

   assert(instr->kind != HD_INSTR_PHI && instr->kind != HD_INSTR_PARAM &&
          instr->kind != HD_INSTR_JUMP);
   if (before == instr)
      return;
   displace(instr);
   place(block, before ? before->prev : block->last, instr);
}

hd_instr *
hd_instr_clone(hd_shader *shader, const hd_instr *i)
{
   hd_instr *copy;

   if (i->kind == HD_INSTR_PHI || i->kind == HD_INSTR_PARAM || i->kind == HD_INSTR_JUMP)
      return NULL;
   if (i->kind == HD_INSTR_CALL) {
      const hd_call *call = (const hd_call *)i;
      hd_call *c = hd_call_create(shader, call->callee, call->num_args);
      if (!c)
         return NULL;
      copy = &c->instr;
   } else {
      size_t size = hd_instr_size(shader, i);
      if (i->kind == HD_INSTR_INTRINSIC && !hd_knows_intrinsic(shader, i)) {
         hd_heap_fail(hd_shader_heap(shader), HD_INVALID);
         return NULL;
      }
      copy = create(shader, size, (hd_instr_kind)i->kind, i->op, i->num_srcs, i->def.num_components,
                    i->def.bit_size);
      if (!copy)
         return NULL;
      /* What follows the sources: values, indices, the variable. */
      size_t tail = sizeof(hd_instr) + i->num_srcs * sizeof(hd_src);
      if (i->kind == HD_INSTR_LOAD_VAR || i->kind == HD_INSTR_STORE_VAR)
         tail = offsetof(hd_var_access, var);
      memcpy((char *)copy + tail, (const char *)i + tail, size - tail);
   }
   copy->def.num_components = i->def.num_components;
   copy->def.bit_size = i->def.bit_size;
   copy->loc = i->loc;
   copy->flags = i->flags;
   unsigned n = 0;
   hd_foreach_src(src, i)
      hd_instr_src(copy, n++)->def = src->def;
   return copy;
}

/* Phis */

hd_phi *
hd_phi_insert(hd_block *block, unsigned num_components, unsigned bit_size, hd_def *const *srcs)
{
   hd_phi *phi =
       hd_phi_create(hd_block_function(block)->shader, num_components, bit_size, block->num_preds);
   hd_instr *after = NULL;

   if (!phi)
      return NULL;
   for (uint32_t n = 0; srcs && n < phi->num_srcs; n++)
      phi->srcs[n].src.def = srcs[n];
   for (hd_instr *i = block->first; i && i->kind == HD_INSTR_PHI; i = i->next)
      after = i;
   hd_instr_link(block, after, &phi->instr);
   return phi;
}

hd_src *
hd_phi_src_from(const hd_phi *phi, const hd_block *pred)
{
   const hd_block *block = phi->instr.block;

   for (uint32_t n = 0; n < pred->num_succs; n++) {
      if (pred->succs[n].to == block)
         return &phi->srcs[pred->succs[n].pred].src;
   }
   return NULL;
}

void
hd_phi_set_src(hd_phi *phi, const hd_block *pred, hd_def *def)
{
   hd_src *src = hd_phi_src_from(phi, pred);

   assert(src && "not a predecessor");
   hd_src_set_def(src, def);
}

bool
hd_phi_reserve(hd_phi *phi, uint32_t num)
{
   hd_pool *pool = hd_shader_pool(hd_block_function(phi->instr.block)->shader);

   if (num <= phi->capacity)
      return true;
   uint32_t capacity = phi->capacity * 2 > num ? phi->capacity * 2 : num;
   hd_wide_src *srcs = hd_pool_alloc(pool, capacity * sizeof(*srcs));
   if (!srcs)
      return false;
   for (uint32_t n = 0; n < phi->num_srcs; n++) {
      hd_src_init(&srcs[n].src, HD_SLOT_WIDE, NULL);
      srcs[n].instr = &phi->instr;
      hd_src_replace(&srcs[n].src, &phi->srcs[n].src);
   }
   hd_pool_free(pool, phi->srcs, phi->capacity * sizeof(*srcs));
   phi->srcs = srcs;
   phi->capacity = capacity;
   return true;
}

bool
hd_phi_add_src(hd_phi *phi, hd_def *def)
{
   if (!hd_phi_reserve(phi, phi->num_srcs + 1))
      return false;
   hd_wide_src *wide = &phi->srcs[phi->num_srcs++];
   hd_src_init(&wide->src, HD_SLOT_WIDE, def);
   wide->instr = &phi->instr;
   hd_src_link(&wide->src);
   return true;
}

void
hd_phi_remove_src(hd_phi *phi, uint32_t n)
{
   uint32_t last = --phi->num_srcs;

   hd_src_unlink(&phi->srcs[n].src);
   if (n != last)
      hd_src_replace(&phi->srcs[n].src, &phi->srcs[last].src);
}

/* `to` (linked nowhere) takes the place of `from` in its use list. */
void
hd_src_replace(hd_src *to, hd_src *from)
{
   hd_src *prev = hd_src_prev_use(from), *next = hd_src_next_use(from);

   to->def = from->def;
   set_prev(to, prev);
   set_next(to, next);
   if (!to->def)
      return;
   if (prev)
      set_next(prev, to);
   else
      to->def->uses = to;
   if (next)
      set_prev(next, to);
}
