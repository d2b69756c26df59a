/* SPDX-License-Identifier: MIT */
/* atomic.c - translate atomics, in all storage classes, including private variables. */
#include "heddle/build_ops.h"
#include "heddle/intrinsic_enum.h"
#include "spirv/body.h"

/* What is done in one step. */
struct act {
   bool swap;
   hd_atomic_op op;
   hd_def *compare, *data;
};

/* What `op` makes of the old value, for private memory. */
static hd_def *
combined(struct spirv *s, const struct act *act, hd_def *old)
{
   static const uint16_t ops[] = {
      [HD_ATOMIC_IADD] = HD_OP_IADD, [HD_ATOMIC_IMIN] = HD_OP_IMIN, [HD_ATOMIC_IMAX] = HD_OP_IMAX,
      [HD_ATOMIC_UMIN] = HD_OP_UMIN, [HD_ATOMIC_UMAX] = HD_OP_UMAX, [HD_ATOMIC_IAND] = HD_OP_IAND,
      [HD_ATOMIC_IOR] = HD_OP_IOR,   [HD_ATOMIC_IXOR] = HD_OP_IXOR, [HD_ATOMIC_FADD] = HD_OP_FADD,
      [HD_ATOMIC_FMIN] = HD_OP_FMIN, [HD_ATOMIC_FMAX] = HD_OP_FMAX,
   };
   hd_def *srcs[2] = { old, act->data };

   if (act->swap)
      return hd_select(&s->b, hd_ieq(&s->b, old, act->compare), act->data, old);
   if (act->op == HD_ATOMIC_EXCHANGE)
      return act->data;
   return hd_build_alu(&s->b, (hd_op)ops[act->op], 2, srcs, 0);
}

static hd_def *
alone(struct spirv *s, const struct spirv_pointer *p, const struct act *act)
{
   hd_def *old = hd_spirv_leaf(s, hd_spirv_load(s, p, 0));

   hd_spirv_store(s, p, hd_spirv_make_def(s, p->type, combined(s, act, old)), 0);
   return old;
}

static hd_intrinsic_id
intrinsic(struct spirv *s, const struct spirv_pointer *p, bool swap)
{
   switch (p->place) {
   case PLACE_GLOBAL:
      return swap ? HD_INTRINSIC_GLOBAL_ATOMIC_SWAP : HD_INTRINSIC_GLOBAL_ATOMIC;
   case PLACE_BUFFER:
      return swap ? HD_INTRINSIC_BUFFER_ATOMIC_SWAP : HD_INTRINSIC_BUFFER_ATOMIC;
   case PLACE_SHARED:
      return swap ? HD_INTRINSIC_SHARED_ATOMIC_SWAP : HD_INTRINSIC_SHARED_ATOMIC;
   default:
      hd_spirv_invalid(s, "expected a pointer to writable memory");
   }
}

/* Loads and stores are of memory that others see, and happen where they stand. */
#define SEEN (HD_ACCESS_COHERENT | HD_ACCESS_VOLATILE)

static hd_def *at_place(struct spirv *s, const struct spirv_pointer *p, void *user);

/* A number of 8 or 16 bits: the word around it is compared and swapped until no other lane has changed it
 * meanwhile.
 */
static hd_def *
in_word(struct spirv *s, const struct spirv_pointer *p, const struct act *act)
{
   hd_builder *b = &s->b;
   const unsigned bits = act->data->bit_size;
   hd_def *address = hd_spirv_flat_address(s, p), *zero = hd_imm_u32(b, 0);
   struct spirv_pointer word = *p;
   hd_ssa_var *seen = hd_ssa_var_create(b, 1, 32);
   hd_block *header = hd_builder_add_block(b), *after = hd_builder_add_block(b);

   word.base = hd_iand(b, address, hd_imm_uint(b, address->bit_size, ~UINT64_C(3)));
   word.offset = 0;
   word.align = 4;
   hd_def *low = address->bit_size == 64 ? hd_u2u(b, address, 32) : address;
   hd_def *three = hd_imm_u32(b, 3);
   hd_def *shift = hd_ishl(b, hd_iand(b, low, hd_imm_u32(b, 3)), three);
   hd_def *mask = hd_ishl(b, hd_imm_u32(b, (UINT32_C(1) << bits) - 1), shift);
   if (p->place == PLACE_SHARED)
      s->shader->shared_size = (s->shader->shared_size + 3) & ~3u;
   hd_ssa_write(b, seen, hd_spirv_load_bytes(s, &word, zero, 1, 32, 4, SEEN));
   hd_goto(b, header);
   hd_builder_set_block(b, header);
   hd_def *whole = hd_ssa_read(b, seen);
   hd_def *old = hd_u2u(b, hd_ushr(b, whole, shift), bits);
   hd_def *put = hd_ishl(b, hd_u2u(b, combined(s, act, old), 32), shift);
   const struct act swap = {
      .swap = true,
      .compare = whole,
      .data = hd_ior(b, hd_iand(b, whole, hd_inot(b, mask)), put),
   };
   hd_def *found = at_place(s, &word, (void *)(uintptr_t)&swap);
   hd_ssa_write(b, seen, found);
   hd_goto_if(b, hd_ieq(b, found, whole), after, header);
   hd_seal_block(b, header);
   hd_builder_set_block(b, after);
   hd_seal_block(b, after);
   return old;
}

static hd_def *
at_place(struct spirv *s, const struct spirv_pointer *p, void *user)
{
   const struct act *act = user;
   uint32_t indices[HD_MAX_INDICES];
   hd_def *srcs[4];

   if (p->place == PLACE_SCRATCH || p->place == PLACE_LOCAL)
      return alone(s, p, act);
   if (p->place == PLACE_TEXEL)
      return hd_spirv_texel_atomic(s, p, act->swap, act->op, act->compare, act->data);
   if (act->data->bit_size < 32)
      return in_word(s, p, act);
   hd_intrinsic_id id = intrinsic(s, p, act->swap);
   unsigned num = hd_spirv_address(s, p, srcs);
   hd_spirv_indices(p, id, 0, 0, indices);
   if (act->swap)
      srcs[num++] = act->compare;
   else
      indices[hd_intrinsic_get_info(id)->slots[HD_INDEX_ATOMIC_OP] - 1] = act->op;
   srcs[num++] = act->data;
   return hd_spirv_build_at(s, p, id, 0, act->data->bit_size, num, srcs, indices);
}

/* Words: pointer, scope, semantics, and what follows. */
static hd_def *
perform(struct spirv *s, const struct spirv_instr *i, const struct spirv_pointer *p,
        struct act *act)
{
   const struct spirv_type *t = p->type;
   hd_def *old;

   if (t->kind != TYPE_INT && t->kind != TYPE_FLOAT)
      hd_spirv_invalid(s, "expected a pointer to a number");
   if (act->data->bit_size != t->bits || act->data->num_components != 1)
      hd_spirv_invalid(s, "the value is %u x %u bits, the pointee 1 x %u",
                       act->data->num_components, act->data->bit_size, t->bits);
   hd_spirv_release(s, i->words[1], i->words[2]);
   if (p->place == PLACE_LOCAL)
      old = alone(s, p, act);
   else
      old = hd_spirv_at_place(s, p, at_place, act);
   hd_spirv_acquire(s, i->words[1], i->words[2]);
   return old;
}

static void
store(struct spirv *s, const struct spirv_instr *i, const struct spirv_pointer *p,
      struct spirv_value *value)
{
   hd_spirv_expect_type(s, "the value", value->type, p->type);
   hd_spirv_release(s, i->words[1], i->words[2]);
   hd_spirv_store(s, p, value, p->place == PLACE_LOCAL ? 0 : SEEN);
}

/* The ops of those that have their data in words[3]; false if it is none of them. */
static bool
op_of(uint32_t opcode, hd_atomic_op *op)
{
   switch (opcode) {
   case SPV_OP_ATOMIC_EXCHANGE:
      *op = HD_ATOMIC_EXCHANGE;
      return true;
   case SPV_OP_ATOMIC_IADD:
      *op = HD_ATOMIC_IADD;
      return true;
   case SPV_OP_ATOMIC_SMIN:
      *op = HD_ATOMIC_IMIN;
      return true;
   case SPV_OP_ATOMIC_UMIN:
      *op = HD_ATOMIC_UMIN;
      return true;
   case SPV_OP_ATOMIC_SMAX:
      *op = HD_ATOMIC_IMAX;
      return true;
   case SPV_OP_ATOMIC_UMAX:
      *op = HD_ATOMIC_UMAX;
      return true;
   case SPV_OP_ATOMIC_AND:
      *op = HD_ATOMIC_IAND;
      return true;
   case SPV_OP_ATOMIC_OR:
      *op = HD_ATOMIC_IOR;
      return true;
   case SPV_OP_ATOMIC_XOR:
      *op = HD_ATOMIC_IXOR;
      return true;
   case SPV_OP_ATOMIC_FADD_EXT:
      *op = HD_ATOMIC_FADD;
      return true;
   case SPV_OP_ATOMIC_FMIN_EXT:
      *op = HD_ATOMIC_FMIN;
      return true;
   case SPV_OP_ATOMIC_FMAX_EXT:
      *op = HD_ATOMIC_FMAX;
      return true;
   default:
      return false;
   }
}

void
hd_spirv_atomic(struct spirv *s, const struct spirv_instr *i)
{
   hd_builder *b = &s->b;
   const struct spirv_pointer *p = hd_spirv_pointer(s, i->words[0]);
   struct act act = { .op = HD_ATOMIC_IADD };
   unsigned bits = p->type->bits;

   if (op_of(i->opcode, &act.op)) {
      act.data = hd_spirv_ssa(s, i->words[3]);
      hd_spirv_set_def(s, i, perform(s, i, p, &act));
      return;
   }
   switch (i->opcode) {
   case SPV_OP_ATOMIC_LOAD:
      hd_spirv_set(s, i, hd_spirv_load(s, p, p->place == PLACE_LOCAL ? 0 : SEEN));
      hd_spirv_acquire(s, i->words[1], i->words[2]);
      break;
   case SPV_OP_ATOMIC_STORE:
      store(s, i, p, hd_spirv_value(s, i->words[3]));
      break;
   case SPV_OP_ATOMIC_FLAG_CLEAR:
      store(s, i, p, hd_spirv_make_zero(s, p->type));
      break;
   case SPV_OP_ATOMIC_FLAG_TEST_AND_SET: {
      act.op = HD_ATOMIC_EXCHANGE;
      act.data = hd_imm_uint(b, 32, 1);
      hd_def *old = perform(s, i, p, &act);
      hd_spirv_set_def(s, i, hd_ine(b, old, hd_imm_u32(b, 0)));
      break;
   }
   case SPV_OP_ATOMIC_COMPARE_EXCHANGE:
   case SPV_OP_ATOMIC_COMPARE_EXCHANGE_WEAK:
      act.swap = true;
      act.data = hd_spirv_ssa(s, i->words[4]);
      act.compare = hd_spirv_ssa(s, i->words[5]);
      hd_spirv_set_def(s, i, perform(s, i, p, &act));
      break;
   case SPV_OP_ATOMIC_IINCREMENT:
   case SPV_OP_ATOMIC_IDECREMENT:
      act.data = hd_imm_uint(b, bits >= 8 ? bits : 32,
                             i->opcode == SPV_OP_ATOMIC_IINCREMENT ? 1 : UINT64_MAX);
      hd_spirv_set_def(s, i, perform(s, i, p, &act));
      break;
   case SPV_OP_ATOMIC_ISUB:
      act.data = hd_ineg(b, hd_spirv_ssa(s, i->words[3]));
      hd_spirv_set_def(s, i, perform(s, i, p, &act));
      break;
   default:
      hd_spirv_unsupported(s, "this instruction is not supported");
   }
}
