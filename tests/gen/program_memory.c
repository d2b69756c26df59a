/* SPDX-License-Identifier: MIT */
/* program_memory.c - random programs: loads, stores, atomics, and what is stored for all to see.
 *
 *    buffer 0.0          inputs, read by all
 *    buffer 0.1          the record of each invocation
 *    buffer 0.2 [0, 1]   inputs in an array of descriptors
 *    buffer 0.3 [0, 1]   PRIVATE_SIZE bytes of each invocation, in an array of descriptors
 *    buffer 0.4          atomics of all invocations, one word for each op and size
 *    buffer 0.5          PRIVATE_SIZE bytes of each invocation, for atomics
 *    global memory       PRIVATE_SIZE bytes of each invocation, from GLOBAL_BEGIN on
 *    shared memory       PRIVATE_SIZE bytes of each invocation; as much again for exchanges
 *    image 1.n           inputs; 2.n: a texel of each invocation; 3.n: atomics of all
 */
#include "program.h"

#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include <string.h>

void
begin_memory(program *p)
{
   hd_builder *b = &p->g.b;

   p->zero = hd_imm_u32(b, 0);
   if (b->shader->stage == HD_STAGE_VERTEX)
      p->lane = hd_vertex_index(b);
   else if (p->options.fragment)
      p->lane = hd_sample_mask_in(b);
   else if (b->shader->stage == HD_STAGE_FRAGMENT)
      p->lane = hd_primitive_id(b);
   else
      p->lane = hd_global_invocation_index(b);
   keep(p, p->lane, DEFINED);
   p->record = hd_imul(b, p->lane, hd_imm_u32(b, RECORD_SIZE));
   p->pointer = hd_imm_u64(b, GLOBAL_BEGIN);
}

/* An access, to be filled in and made. */
struct access {
   hd_intrinsic_id id;
   hd_def *srcs[HD_MAX_INTRINSIC_SRCS];
   unsigned num_srcs;
   uint32_t set, binding;
   int32_t offset;
   uint32_t align_mul; /* of the address, offset included; 0: nothing is said */
   uint32_t align_offset;
   uint32_t access;
   uint32_t atomic_op;
};

static hd_def *
make_access(program *p, const struct access *a, unsigned num_components, unsigned bits)
{
   const hd_intrinsic_info *info = hd_intrinsic_get_info(a->id);
   uint32_t indices[HD_MAX_INDICES] = { 0 };
   const struct {
      hd_index index;
      uint32_t value;
   } values[] = {
      { HD_INDEX_SET, a->set },
      { HD_INDEX_BINDING, a->binding },
      { HD_INDEX_OFFSET, (uint32_t)a->offset },
      { HD_INDEX_ALIGN_MUL, a->align_mul ? a->align_mul : 1 },
      { HD_INDEX_ALIGN_OFFSET, a->align_offset },
      { HD_INDEX_ACCESS, a->access },
      { HD_INDEX_ATOMIC_OP, a->atomic_op },
   };

   for (unsigned n = 0; n < sizeof(values) / sizeof(values[0]); n++) {
      const unsigned slot = info->slots[values[n].index];
      if (slot)
         indices[slot - 1] = values[n].value;
   }
   hd_def *def =
       hd_build_intrinsic(&p->g.b, a->id, num_components, bits, a->num_srcs, a->srcs, indices);
   p->g.b.flags = 0;
   return def;
}

static void
add_src(struct access *a, hd_def *src)
{
   a->srcs[a->num_srcs++] = src;
}

static hd_def *
add_number(program *p, hd_def *x, uint32_t number)
{
   hd_builder *b = &p->g.b;

   return number || random_once_in(&p->g, 6) ? hd_iadd(b, x, hd_imm_u32(b, number)) : x;
}

/* Split a number of bytes between an operand and the offset of the instruction. */
static hd_def *
place(program *p, struct access *a, hd_def *base, uint32_t number)
{
   if (random_once_in(&p->g, 2)) {
      a->offset = (int32_t)number;
      return base;
   }
   return add_number(p, base, number);
}

/* The record */

static void
observe_part(program *p, hd_def *value, uint32_t at)
{
   hd_builder *b = &p->g.b;
   struct access a = { .id = HD_INTRINSIC_STORE_BUFFER, .binding = 1, .align_mul = 4 };

   if (p->in_loops && value->num_components == 1 && value->bit_size == 32 &&
       facts_of(p, value) & DEFINED && random_once_in(&p->g, 2)) {
      /* What all rounds had: a lane alone writes its record. */
      struct access load = { .id = HD_INTRINSIC_LOAD_BUFFER, .binding = 1, .align_mul = 4 };
      add_src(&load, p->zero);
      add_src(&load, place(p, &load, p->record, at));
      hd_def *old = make_access(p, &load, 1, 32);
      value = hd_iadd(b, hd_imul(b, old, hd_imm_u32(b, 0x01000193)), value);
   }
   if (random_once_in(&p->g, 4))
      a.access |= HD_ACCESS_RESTRICT;
   if (random_once_in(&p->g, 20))
      a.access |= HD_ACCESS_VOLATILE;
   add_src(&a, value);
   add_src(&a, p->zero);
   add_src(&a, place(p, &a, p->record, at));
   make_access(p, &a, 0, 0);
}

void
observe(program *p, hd_def *value)
{
   hd_builder *b = &p->g.b;

   if (!value || b->result != HD_OK || b->dropped)
      return;
   if (value->bit_size == 1)
      value = hd_b2i(b, value, 32);
   if (value->bit_size < 32 && p->options.whole_dwords)
      value = hd_u2u(b, value, 32);
   const unsigned bytes = value->num_components * value->bit_size / 8;
   if (bytes > 16)
      observe_part(p, value, RECORD_SLOTS * 16);
   else
      observe_part(p, value, p->slot++ % RECORD_SLOTS * 16);
}

/* Addresses */

/* Where something is: the class of memory, operands, what a load gives. */
enum where {
   IN_INPUT,
   IN_INPUT_ARRAY,
   IN_RECORD,
   IN_PRIVATE_ARRAY,
   IN_GLOBAL,
   IN_SHARED,
   IN_SCRATCH,
   IN_PUSH,
   IN_KERNARG,
   IN_CONSTANT,
   NUM_WHERE,
};

static enum where
choose_where(program *p, bool to_write)
{
   const hd_stage stage = p->g.b.shader->stage;

   for (;;) {
      const enum where where = (enum where)random_below(&p->g, NUM_WHERE);
      const bool grid = stage == HD_STAGE_COMPUTE || stage == HD_STAGE_KERNEL;
      const bool written = where != IN_INPUT && where != IN_INPUT_ARRAY && where < IN_PUSH;
      if ((to_write && !written) || (where == IN_SHARED && !grid) || (where == IN_KERNARG && !grid))
         continue;
      return where;
   }
}

/* A descriptor: 0 or 1, the same for all lanes or not. */
static hd_def *
descriptor(program *p, struct access *a, unsigned *facts)
{
   hd_builder *b = &p->g.b;

   if (random_once_in(&p->g, 3)) {
      a->access |= HD_ACCESS_NONUNIFORM;
      *facts = DEFINED;
      hd_def *one = hd_imm_u32(b, 1);
      return hd_iand(b, pick(p, 1, 32, DEFINED), one);
   }
   if (random_once_in(&p->g, 2))
      return hd_imm_u32(b, random_below(&p->g, 2));
   hd_def *word = pick(p, 1, 32, DEFINED | UNIFORM);
   *facts &= facts_of(p, word);
   if (!(facts_of(p, word) & PROVEN))
      b->flags = HD_ASSUME_UNIFORM;
   return hd_iand(b, word, hd_imm_u32(b, 1));
}

/* A position in the inputs, mostly inside. */
static hd_def *
input_position(program *p, struct access *a, unsigned *facts)
{
   hd_builder *b = &p->g.b;
   hd_def *x;

   a->align_mul = 4;
   switch (random_below(&p->g, 5)) {
   case 0:
      return hd_imm_u32(b, random_below(&p->g, 64) * 4);
   case 1:
      *facts &= DEFINED;
      const uint32_t offset = random_below(&p->g, 8) * 4;
      return place(p, a, hd_imul(b, p->lane, hd_imm_u32(b, 4)), offset);
   case 2:
      x = pick(p, 1, 32, DEFINED | UNIFORM);
      *facts &= facts_of(p, x);
      return hd_iand(b, x, hd_imm_u32(b, 0xfc));
   case 3:
      *facts &= DEFINED;
      a->align_mul = 0;
      hd_def *low = hd_imm_u32(b, 0xfff);
      return hd_iand(b, pick(p, 1, 32, DEFINED), low);
   default:
      *facts &= DEFINED;
      hd_def *three = hd_imm_u32(b, 3);
      return place(p, a, hd_ishl(b, pick_below(p, 64, 0), three), 4);
   }
}

/* An address in a memory of 64 bytes, for accesses of up to 32. */
static hd_def *
small_address(program *p, struct access *a, unsigned *facts)
{
   hd_builder *b = &p->g.b;

   a->align_mul = 4;
   if (random_once_in(&p->g, 2))
      return place(p, a, p->zero, random_below(&p->g, 8) * 4);
   hd_def *x = pick(p, 1, 32, DEFINED | (random_once_in(&p->g, 3) ? UNIFORM : 0));
   *facts &= facts_of(p, x);
   const uint32_t offset = random_below(&p->g, 2) * 4;
   return place(p, a, hd_iand(b, x, hd_imm_u32(b, 0x18)), offset);
}

/* The operands of an access of `bytes` bytes, and what holds of what is loaded. */
static unsigned
address(program *p, struct access *a, enum where where, unsigned bytes)
{
   hd_builder *b = &p->g.b;
   const uint32_t at =
       bytes < PRIVATE_SIZE ? random_below(&p->g, (PRIVATE_SIZE - bytes) / 4 + 1) * 4 : 0;
   unsigned facts = DEFINED | UNIFORM | PROVEN;
   hd_def *mine;

   switch (where) {
   case IN_INPUT:
   case IN_INPUT_ARRAY:
      a->binding = where == IN_INPUT ? 0 : 2;
      a->access = random_below(&p->g, 2) * HD_ACCESS_READONLY |
                  random_below(&p->g, 2) * HD_ACCESS_SPECULATABLE;
      mine = input_position(p, a, &facts);
      add_src(a, where == IN_INPUT ? p->zero : descriptor(p, a, &facts));
      add_src(a, mine);
      return facts;
   case IN_RECORD:
      a->binding = 1;
      a->align_mul = 4;
      add_src(a, p->zero);
      add_src(a, place(p, a, p->record, random_below(&p->g, RECORD_SLOTS) * 16));
      return 0;
   case IN_PRIVATE_ARRAY:
      a->binding = 3;
      a->align_mul = 4;
      mine = place(p, a, hd_imul(b, p->lane, hd_imm_u32(b, PRIVATE_SIZE)), at);
      add_src(a, descriptor(p, a, &facts));
      add_src(a, mine);
      return 0;
   case IN_GLOBAL:
      a->align_mul = 4;
      mine = add_number(p, hd_imul(b, p->lane, hd_imm_u32(b, PRIVATE_SIZE)), at);
      add_src(a, hd_iadd(b, p->pointer, hd_u2u(b, mine, 64)));
      return DEFINED;
   case IN_SHARED:
      a->align_mul = 4;
      mine = hd_local_invocation_index(b);
      add_src(a, place(p, a, hd_imul(b, mine, hd_imm_u32(b, PRIVATE_SIZE)), at));
      return 0;
   case IN_SCRATCH:
      add_src(a, small_address(p, a, &facts));
      return 0;
   default:
      add_src(a, small_address(p, a, &facts));
      return facts;
   }
}

static hd_shape
memory_shape(program *p, bool store)
{
   static const uint8_t sizes[] = { 32, 32, 32, 64, 16, 8 };
   hd_shape shape = { 1, sizes[random_below(&p->g, 6)] };

   if (random_once_in(&p->g, 3))
      shape.num_components = (uint8_t)(1 + random_below(&p->g, 4));
   if (store && p->options.whole_dwords && shape.bit_size < 32)
      shape.bit_size = 32;
   return shape;
}

static const hd_intrinsic_id loads[NUM_WHERE] = {
   HD_INTRINSIC_LOAD_BUFFER,   HD_INTRINSIC_LOAD_BUFFER, HD_INTRINSIC_LOAD_BUFFER,
   HD_INTRINSIC_LOAD_BUFFER,   HD_INTRINSIC_LOAD_GLOBAL, HD_INTRINSIC_LOAD_SHARED,
   HD_INTRINSIC_LOAD_SCRATCH,  HD_INTRINSIC_LOAD_PUSH,   HD_INTRINSIC_LOAD_KERNARG,
   HD_INTRINSIC_LOAD_CONSTANT,
};

static const hd_intrinsic_id stores[NUM_WHERE] = {
   [IN_RECORD] = HD_INTRINSIC_STORE_BUFFER,   [IN_PRIVATE_ARRAY] = HD_INTRINSIC_STORE_BUFFER,
   [IN_GLOBAL] = HD_INTRINSIC_STORE_GLOBAL,   [IN_SHARED] = HD_INTRINSIC_STORE_SHARED,
   [IN_SCRATCH] = HD_INTRINSIC_STORE_SCRATCH,
};

void
make_load(program *p)
{
   const enum where where = random_once_in(&p->g, 3) ? IN_INPUT : choose_where(p, false);
   const hd_shape shape = memory_shape(p, false);
   struct access a = { .id = loads[where] };
   const unsigned facts = address(p, &a, where, shape.num_components * shape.bit_size / 8);

   if (random_once_in(&p->g, 20))
      a.access |= random_once_in(&p->g, 2) ? HD_ACCESS_VOLATILE : HD_ACCESS_COHERENT;
   hd_def *def = make_access(p, &a, shape.num_components, shape.bit_size);
   /* Others may write what is not said to be only read. */
   keep(p, def, a.access & (HD_ACCESS_VOLATILE | HD_ACCESS_COHERENT) ? facts & DEFINED : facts);
   if (random_once_in(&p->g, 2))
      observe(p, def);
}

void
make_store(program *p)
{
   const enum where where = choose_where(p, true);
   const hd_shape shape = memory_shape(p, true);
   struct access a = { .id = stores[where] };

   add_src(&a, pick(p, shape.num_components, shape.bit_size, where == IN_GLOBAL ? DEFINED : 0));
   address(p, &a, where, shape.num_components * shape.bit_size / 8);
   make_access(p, &a, 0, 0);
}

/* Neighbours */

/* Now at so many bytes from where it was: the instruction says it, or the operand does. */
static struct access
moved(program *p, const struct access *from, uint32_t bytes, bool by_operand)
{
   struct access a = *from;
   hd_def **address = &a.srcs[a.num_srcs - 1];

   if (by_operand)
      *address = hd_iadd(&p->g.b, *address, hd_imm_uint(&p->g.b, (*address)->bit_size, bytes));
   else
      a.offset += (int32_t)bytes;
   a.align_offset = a.align_mul ? bytes & (a.align_mul - 1) : 0;
   return a;
}

void
make_neighbours(program *p)
{
   generator *g = &p->g;
   const bool store = random_once_in(g, 3), backwards = random_once_in(g, 3);
   const bool by_operand = random_once_in(g, 3);
   const unsigned bits = random_once_in(g, 4) ? 64 : 32;
   const unsigned components = 1 + random_once_in(g, 4), step = components * bits / 8;
   const unsigned most = PRIVATE_SIZE / step;
   const unsigned num = 2 + random_below(g, most > 4 ? 3 : most - 1);
   const uint32_t first = random_below(g, most - num + 1) * step;
   const enum where where = choose_where(p, store);
   struct access a = { .id = store ? stores[where] : loads[where] };
   hd_def *loaded[4];

   if (store)
      add_src(&a, p->zero);
   address(p, &a, where, PRIVATE_SIZE);
   if (where == IN_PRIVATE_ARRAY || where == IN_GLOBAL || where == IN_SHARED)
      a.align_mul = PRIVATE_SIZE;
   for (unsigned n = 0; n < num; n++) {
      const unsigned at = random_once_in(g, 12) ? 0 : backwards ? num - 1 - n : n;
      hd_def *value = store ? pick(p, components, bits, where == IN_GLOBAL ? DEFINED : 0) : NULL;
      struct access one = moved(p, &a, first + at * step, by_operand ^ random_once_in(g, 12));
      if (store)
         one.srcs[0] = value;
      loaded[n] = make_access(p, &one, store ? 0 : components, store ? 0 : bits);
      if (random_once_in(g, 10))
         make_store(p);
   }
   for (unsigned n = 0; n < num && !store; n++)
      observe(p, loaded[n]);
}

/* Again */

/* An access of some of the words from `from` on; what was loaded, or NULL. */
static hd_def *
rewrite(program *p, const struct access *from, enum where where, uint8_t flags, hd_def *last)
{
   generator *g = &p->g;
   const bool store = random_once_in(g, 2);
   const hd_shape shape = memory_shape(p, store);
   const unsigned bytes = shape.num_components * shape.bit_size / 8u;
   const uint32_t at = random_below(g, (PRIVATE_SIZE - bytes) / 4 + 1) * 4;
   const bool low = random_once_in(g, 2), by_operand = random_once_in(g, 4);
   struct access a = moved(p, from, low ? at : at / 16 * 16, by_operand);

   a.id = store ? stores[where] : loads[where];
   if (random_once_in(g, 12))
      a.access |= random_once_in(g, 2) ? HD_ACCESS_VOLATILE : HD_ACCESS_COHERENT;
   if (where == IN_PRIVATE_ARRAY)
      a.access |= random_once_in(g, 2) ? HD_ACCESS_INBOUNDS : 0;
   if (!store) {
      p->g.b.flags = flags;
      return make_access(p, &a, shape.num_components, shape.bit_size);
   }
   hd_def *value = last;
   if (!last || last->num_components != shape.num_components || last->bit_size != shape.bit_size ||
       random_once_in(g, 2))
      value = pick(p, shape.num_components, shape.bit_size, where == IN_GLOBAL ? DEFINED : 0);
   memmove(a.srcs + 1, a.srcs, a.num_srcs * sizeof(a.srcs[0]));
   a.srcs[0] = value;
   a.num_srcs++;
   p->g.b.flags = flags;
   make_access(p, &a, 0, 0);
   return NULL;
}

void
make_rewrites(program *p)
{
   generator *g = &p->g;
   const unsigned num = 4 + random_below(g, 12);
   const enum where where = choose_where(p, true);
   struct access a = { .id = loads[where] };
   hd_def *loaded[16];
   unsigned num_loaded = 0;

   address(p, &a, where, PRIVATE_SIZE);
   const uint8_t flags = p->g.b.flags; /* what is promised of the descriptor */
   p->g.b.flags = 0;
   for (unsigned n = 0; n < num; n++) {
      hd_def *last = num_loaded ? loaded[num_loaded - 1] : NULL;
      hd_def *value = rewrite(p, &a, where, flags, random_once_in(g, 3) ? last : NULL);
      if (value)
         loaded[num_loaded++] = value;
      const uint32_t between = random_below(g, 30);
      if (between == 0)
         make_store(p);
      else if (between == 1)
         hd_barrier(&p->g.b, HD_SCOPE_NONE, HD_SCOPE_DEVICE,
                    HD_SEMANTICS_ACQUIRE | HD_SEMANTICS_RELEASE,
                    HD_MEMORY_SHARED | HD_MEMORY_BUFFER | HD_MEMORY_GLOBAL);
      else if (between == 2)
         make_atomic(p);
   }
   for (unsigned n = 0; n < num_loaded; n++)
      observe(p, loaded[n]);
}

/* Atomics */

static uint32_t
atomic_op(program *p, unsigned bits, bool any_order)
{
   const hd_index_info *info = hd_index_get_info(HD_INDEX_ATOMIC_OP);

   for (;;) {
      const uint32_t value = random_below(&p->g, info->num_values);
      const hd_op op = info->values[value].op;
      if (op != HD_OP_NONE && !(hd_op_get_info(op)->src[0].sizes & bits))
         continue;
      if (any_order && (op == HD_OP_NONE || value == HD_ATOMIC_FADD))
         continue;
      return value;
   }
}

void
make_atomic(program *p)
{
   hd_builder *b = &p->g.b;
   const unsigned bits = random_once_in(&p->g, 3) ? 64 : 32;
   const bool all = random_once_in(&p->g, 2), swap = !all && random_once_in(&p->g, 4);
   const hd_stage stage = b->shader->stage;
   const bool shared =
       !all && random_once_in(&p->g, 3) && (stage == HD_STAGE_COMPUTE || stage == HD_STAGE_KERNEL);
   const bool global = !all && !shared && random_once_in(&p->g, 2);
   struct access a = { .binding = all ? 4 : 5 };
   hd_def *data = pick(p, 1, bits, DEFINED);

   /* A loop of compare and swap would branch on what nobody wrote. */
   do {
      a.atomic_op = atomic_op(p, bits, all);
   } while (shared && p->options.no_shared_floats && a.atomic_op >= HD_ATOMIC_FADD);
   if (global) {
      a.id = swap ? HD_INTRINSIC_GLOBAL_ATOMIC_SWAP : HD_INTRINSIC_GLOBAL_ATOMIC;
      hd_def *mine = hd_imul(b, p->lane, hd_imm_u32(b, PRIVATE_SIZE));
      add_src(&a, hd_iadd(b, p->pointer, hd_u2u(b, add_number(p, mine, 8), 64)));
   } else if (shared) {
      a.id = swap ? HD_INTRINSIC_SHARED_ATOMIC_SWAP : HD_INTRINSIC_SHARED_ATOMIC;
      hd_def *size = hd_imm_u32(b, PRIVATE_SIZE);
      hd_def *mine = hd_imul(b, hd_local_invocation_index(b), size);
      add_src(&a, place(p, &a, mine, 16));
   } else {
      a.id = swap ? HD_INTRINSIC_BUFFER_ATOMIC_SWAP : HD_INTRINSIC_BUFFER_ATOMIC;
      add_src(&a, p->zero);
      if (all)
         add_src(&a, place(p, &a, p->zero, a.atomic_op * 16 + (bits == 64 ? 8 : 0)));
      else
         add_src(&a, place(p, &a, hd_imul(b, p->lane, hd_imm_u32(b, PRIVATE_SIZE)), 8));
   }
   if (swap)
      add_src(&a, pick(p, 1, bits, DEFINED));
   add_src(&a, data);
   hd_def *old = make_access(p, &a, 0, bits);
   /* A helper gets nothing back; what nobody wrote before is not defined. */
   if (!all)
      observe(p, keep(p, old, shared || stage == HD_STAGE_FRAGMENT ? 0 : DEFINED));
}

/* Images */

/* A machine has few registers for pointers to sets: buffers are in set 0. */
static uint32_t
image_set(const program *p, uint32_t set)
{
   return p->options.machine_images ? 0 : set;
}

static uint32_t
image_binding(const program *p, uint32_t set, uint32_t binding)
{
   return p->options.machine_images ? 100 * set + binding : binding;
}

static void
load_texel(program *p)
{
   static const uint8_t sizes[] = { 32, 16, 64 };
   hd_builder *b = &p->g.b;
   hd_def *coord[4];
   hd_image_load_indices indices = { .set = image_set(p, 1) };
   unsigned facts = DEFINED;

   indices.dim = (hd_image_dim)random_below(&p->g, 5);
   indices.array =
       indices.dim != HD_DIM_D3 && indices.dim != HD_DIM_BUFFER && random_once_in(&p->g, 3);
   indices.ms = indices.dim == HD_DIM_D2 && random_once_in(&p->g, 3);
   indices.access = random_below(&p->g, 2) * HD_ACCESS_READONLY;
   unsigned size = random_below(&p->g, 3);
   if (p->options.machine_images)
      size = 0;
   /* One image for each size and shape. */
   indices.binding =
       image_binding(p, 1, size * 32 + indices.dim * 4 + indices.array * 2u + indices.ms);
   const unsigned num = hd_image_coord_components(indices.dim, indices.array);
   for (unsigned n = 0; n < num; n++)
      coord[n] = pick_below(p, 8, 0);
   struct access a = { .num_srcs = 0 };
   hd_def *image = random_once_in(&p->g, 2) ? p->zero : descriptor(p, &a, &facts);
   indices.access |= a.access;
   const unsigned components = 1 + random_below(&p->g, 4);
   hd_def *sample = indices.ms ? pick_below(p, 2, 0) : p->zero;
   hd_def *texel = hd_image_load(b, image, num > 1 ? hd_vec(b, num, coord) : coord[0], sample,
                                 p->zero, components, sizes[size], &indices);
   b->flags = 0;
   observe(p, keep(p, texel, DEFINED));
}

static void
change_texel(program *p)
{
   hd_builder *b = &p->g.b;
   const hd_image_store_indices store = { .set = image_set(p, 2),
                                          .binding = image_binding(p, 2, 0),
                                          .dim = HD_DIM_BUFFER };
   const bool machine = p->options.machine_images;
   const unsigned bits = random_once_in(&p->g, 3) && !machine ? 64 : 32;
   hd_image_atomic_indices atomic = { .set = image_set(p, 3),
                                      .binding = image_binding(p, 3, bits / 64),
                                      .dim = HD_DIM_BUFFER };

   if (random_once_in(&p->g, 5)) {
      const hd_image_atomic_swap_indices swap = { .set = image_set(p, 2),
                                                  .binding = image_binding(p, 2, 1),
                                                  .dim = HD_DIM_BUFFER };
      hd_def *value = pick(p, 1, 32, DEFINED);
      hd_def *old =
          hd_image_atomic_swap(b, p->zero, p->lane, p->zero, pick(p, 1, 32, DEFINED), value, &swap);
      observe(p, keep(p, old, 0));
      return;
   }
   if (random_once_in(&p->g, 2)) {
      const unsigned num = 1 + random_below(&p->g, 4);
      hd_image_store(b, pick(p, machine ? 4 : num, 32, 0), p->zero, p->lane, p->zero, p->zero,
                     &store);
      return;
   }
   atomic.atomic_op = (hd_atomic_op)atomic_op(p, bits, true);
   if (machine && atomic.atomic_op >= HD_ATOMIC_FADD)
      atomic.atomic_op = HD_ATOMIC_IADD;
   hd_def *value = pick(p, 1, bits, DEFINED);
   hd_image_atomic(b, p->zero, hd_imm_u32(b, atomic.atomic_op), p->zero, value, &atomic);
}

/* Every way of sampling, of one image, which load_texel does not name. */
static void
make_samples(program *p)
{
   hd_builder *b = &p->g.b;
   const bool machine = p->options.machine_images;
   const uint32_t set = image_set(p, 1), image = machine ? 190 : 97, sampler = machine ? 191 : 98;
   const hd_image_sample_lod_indices lod = { set, image, set, sampler, .dim = HD_DIM_D2 };
   const hd_image_sample_lod_compare_indices lod_compare = { set, image, set, sampler,
                                                             .dim = HD_DIM_D2 };
   const hd_image_sample_grad_indices grad = { set,          image, set, sampler, .dim = HD_DIM_D2,
                                               .offset_x = 1 };
   const hd_image_sample_grad_compare_indices grad_compare = { set, image, set, sampler,
                                                               .dim = HD_DIM_D2 };
   const hd_image_gather_indices gather = { 2, set, image, set, sampler, .dim = HD_DIM_D2 };
   const hd_image_gather_compare_indices gather_compare = { 0,   set,     image,
                                                            set, sampler, .dim = HD_DIM_D2 };
   const hd_image_sample_indices sample = { set, image, set, sampler, .dim = HD_DIM_D2 };
   const hd_image_sample_compare_indices sample_compare = { set, image, set, sampler,
                                                            .dim = HD_DIM_D2 };
   const hd_image_query_lod_indices query = { set, image, set, sampler, .dim = HD_DIM_D2 };
   const unsigned components = 1 + random_below(&p->g, 4);
   hd_def *z = p->zero, *coord = pick(p, 2, 32, 0), *one = pick(p, 1, 32, 0);
   hd_def *parts[2] = { pick_below(p, 4, 0), z };
   hd_def *offset = hd_build_vec(b, 2, parts);

   observe(p, keep(p, hd_image_sample_lod(b, z, z, coord, one, components, 32, &lod), 0));
   observe(p, keep(p, hd_image_sample_lod_compare(b, z, z, coord, one, one, 32, &lod_compare), 0));
   observe(
       p, keep(p, hd_image_sample_grad(b, z, z, coord, coord, coord, z, components, 32, &grad), 0));
   observe(p, keep(p,
                   hd_image_sample_grad_compare(b, z, z, coord, coord, coord, one, one, 32,
                                                &grad_compare),
                   0));
   observe(p, keep(p, hd_image_gather(b, z, z, coord, offset, 32, &gather), 0));
   observe(p,
           keep(p, hd_image_gather_compare(b, z, z, coord, offset, one, 32, &gather_compare), 0));
   if (b->shader->stage == HD_STAGE_VERTEX)
      return;
   observe(p, keep(p, hd_image_sample(b, z, z, coord, one, z, components, 32, &sample), 0));
   observe(p,
           keep(p, hd_image_sample_compare(b, z, z, coord, z, one, one, 32, &sample_compare), 0));
   observe(p, keep(p, hd_image_query_lod(b, z, z, coord, &query), 0));
}

void
make_image_access(program *p)
{
   hd_builder *b = &p->g.b;
   const uint32_t set = image_set(p, 1), binding = image_binding(p, 1, 4);
   const hd_image_size_indices size = { .set = set, .binding = binding, .dim = HD_DIM_D2 };
   const unsigned all = DEFINED | UNIFORM | PROVEN;

   if (p->options.machine_images              ? random_once_in(&p->g, 4)
       : p->g.vocabulary.num_newer_intrinsics ? random_once_in(&p->g, 3)
                                              : false) {
      make_samples(p);
      return;
   }
   switch (random_below(&p->g, 10)) {
   case 0:
      observe(p, keep(p, hd_image_size(b, p->zero, p->zero, 2, &size), all));
      break;
   case 1:
      observe(p, keep(p, hd_image_levels(b, p->zero, set, binding, 0), all));
      break;
   case 2:
      observe(p, keep(p, hd_image_samples(b, p->zero, set, binding, 0), all));
      break;
   case 3:
      observe(p, keep(p, hd_buffer_size(b, p->zero, 0, random_below(&p->g, 2), 0), all));
      break;
   case 4:
   case 5:
   case 6:
      change_texel(p);
      break;
   default:
      load_texel(p);
      break;
   }
}

/* Graphics stages */

static void
make_builtin_outputs(program *p, bool fragment)
{
   hd_builder *b = &p->g.b;
   hd_def *index = pick_below(p, 8, 0);

   if (fragment) {
      const hd_interp_mode mode = (hd_interp_mode)random_below(&p->g, 2);
      hd_def *weights = hd_barycentric(b, mode, HD_INTERP_AT_CENTER);
      observe(p, keep(p, hd_load_interpolated(b, weights, p->zero, 3, 32, 1, 0, 0), DEFINED));
      observe(p, keep(p, hd_load_clip_distance(b, index, 0), DEFINED));
      observe(p, keep(p, hd_load_cull_distance(b, index, 0), DEFINED));
      return;
   }
   hd_store_position(b, pick(p, 4, 32, 0));
   hd_store_point_size(b, pick(p, 1, 32, 0));
   hd_store_clip_distance(b, pick(p, 1, 32, 0), index);
   hd_store_cull_distance(b, pick(p, 1, 32, 0), index);
   hd_store_layer(b, pick(p, 1, 32, 0));
   hd_store_viewport_index(b, pick(p, 1, 32, 0));
}

void
make_output(program *p)
{
   hd_builder *b = &p->g.b;
   const bool fragment = b->shader->stage == HD_STAGE_FRAGMENT;
   const unsigned what = random_below(&p->g, 8), wide = random_once_in(&p->g, 4) ? 64 : 32;
   const unsigned components = 1 + random_below(&p->g, wide == 64 ? 2 : 4);
   const uint32_t some = random_below(&p->g, NUM_LOCATIONS);
   const uint32_t location = p->options.constant_locations ? some % 2 : some;
   hd_def *index = p->zero;

   if (b->shader->stage != HD_STAGE_VERTEX && !fragment)
      return;
   if (p->options.fragment) {
      observe(p,
              keep(p, hd_load_input(b, index, components, wide, location / 2 * 2, 0, 0), DEFINED));
      return;
   }
   /* Only in programs that draw what is newer than the list. */
   if (p->g.vocabulary.num_newer_intrinsics && !p->options.constant_locations) {
      make_builtin_outputs(p, fragment);
      return;
   }
   if (what < 3) {
      if (location < NUM_LOCATIONS - 1 && !p->options.constant_locations)
         index = pick_below(p, 2, 0);
      observe(p, keep(p, hd_load_input(b, index, components, wide, location, 0, 0), DEFINED));
   } else if (what == 3 && fragment) {
      hd_store_depth(b, pick(p, 1, 32, 0));
   } else if (what == 4 && fragment) {
      hd_store_stencil(b, pick(p, 1, 32, 0));
   } else if (what == 5 && fragment) {
      hd_store_sample_mask(b, pick(p, 1, 32, 0));
   } else {
      hd_store_output(b, pick(p, components, wide, 0),
                      p->options.constant_locations ? p->zero : index, location, 0, false);
   }
}

/* Exchanges */

static void
wait_for_all(program *p)
{
   hd_barrier(&p->g.b, HD_SCOPE_WORKGROUP, HD_SCOPE_WORKGROUP,
              HD_SEMANTICS_ACQUIRE | HD_SEMANTICS_RELEASE, HD_MEMORY_SHARED | HD_MEMORY_BUFFER);
}

void
make_exchange(program *p)
{
   hd_builder *b = &p->g.b;
   hd_def *size = hd_workgroup_size(b), *local = hd_local_invocation_index(b);
   hd_def *stride = hd_imm_u32(b, PRIVATE_SIZE);
   const int32_t base = SHARED_SIZE / 2;
   hd_def *height = hd_build_channel(b, size, 1);
   hd_def *num = hd_imul(b, hd_build_channel(b, size, 0), height);
   const unsigned components = 1 + random_below(&p->g, 4);

   num = hd_imul(b, num, hd_build_channel(b, size, 2));
   hd_def *offset = hd_imul(b, local, stride);
   hd_store_shared(b, pick(p, components, 32, 0), offset, base, 4, 0, 0);
   wait_for_all(p);
   hd_def *other = hd_urem(b, hd_iadd(b, local, pick_below(p, 16, 0)), num);
   hd_def *def = hd_load_shared(b, hd_imul(b, other, stride), components, 32, base, 4, 0, 0);
   wait_for_all(p);
   observe(p, keep(p, def, 0));
}
