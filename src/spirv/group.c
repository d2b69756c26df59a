/* SPDX-License-Identifier: MIT */
/* group.c - translate workgroup operations: reductions, scans, broadcasts, copies, through shared memory. All
 * lanes of the workgroup reach such an instruction, or none.
 */
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "spirv/body.h"

enum { REDUCE, INCLUSIVE_SCAN, EXCLUSIVE_SCAN };

/* A workgroup whose size is not known has no more lanes than this, and a subgroup no fewer. */
#define MOST_LANES   1024u
#define FEWEST_LANES 4u

static void
wait_for_all(struct spirv *s)
{
   hd_barrier(&s->b, HD_SCOPE_WORKGROUP, HD_SCOPE_WORKGROUP, HD_SEMANTICS_ALL, HD_MEMORY_SHARED);
}

/* Memory with room for one value a subgroup: its address. All instructions share it. */
static uint32_t
scratchpad(struct spirv *s, unsigned bytes)
{
   hd_shader *shader = s->shader;
   const uint32_t *size = shader->workgroup_size;
   uint64_t lanes = (uint64_t)size[0] * size[1] * size[2];
   uint32_t least = shader->subgroup_size ? shader->subgroup_size : FEWEST_LANES;

   if (!lanes)
      lanes = MOST_LANES;
   uint64_t need = (lanes + least - 1) / least * bytes;
   if (!s->has_group_memory) {
      s->group_memory = (shader->shared_size + 15) & ~15u;
      shader->shared_size = s->group_memory;
      s->has_group_memory = true;
   }
   uint64_t end = s->group_memory + need;
   if (end > UINT32_MAX)
      hd_spirv_unsupported(s, "a workgroup of this size");
   if (end > shader->shared_size)
      shader->shared_size = (uint32_t)end;
   return s->group_memory;
}

/* Booleans lie in memory as bytes. */
static unsigned
bytes_of(const hd_def *x)
{
   unsigned components = x->num_components == 3 ? 4 : x->num_components;

   return components * (x->bit_size == 1 ? 4 : x->bit_size / 8u);
}

static void
store(struct spirv *s, hd_def *x, hd_def *address, uint32_t offset)
{
   if (x->bit_size == 1)
      x = hd_b2i(&s->b, x, 32);
   hd_store_shared(&s->b, x, address, (int32_t)offset, x->bit_size / 8u, 0, 0);
}

static hd_def *
load(struct spirv *s, const hd_def *like, hd_def *address, uint32_t offset)
{
   unsigned bits = like->bit_size == 1 ? 32 : like->bit_size, n = like->num_components;
   hd_def *x = hd_load_shared(&s->b, address, n, bits, (int32_t)offset, bits / 8u, 0, 0);

   return like->bit_size == 1
              ? hd_ine(&s->b, x, hd_spirv_splat(s, hd_imm_u32(&s->b, 0), like->num_components))
              : x;
}

static hd_block *
add_block(struct spirv *s)
{
   hd_block *block = hd_builder_add_block(&s->b);

   if (s->b.result != HD_OK)
      hd_heap_fail(s->heap, s->b.result);
   return block;
}

/* What the subgroups before `end` left in memory, combined. */
static hd_def *
combine_subgroups(struct spirv *s, hd_def *x, hd_op op, hd_def *first, hd_def *end, uint32_t base)
{
   hd_builder *b = &s->b;
   hd_block *head = add_block(s), *body = add_block(s), *done = add_block(s);
   hd_ssa_var *number = hd_ssa_var_create(b, 1, 32);
   hd_ssa_var *sum = hd_ssa_var_create(b, x->num_components, x->bit_size);

   hd_ssa_write(b, number, hd_imm_u32(b, 0));
   hd_ssa_write(b, sum, first);
   hd_goto(b, head);
   hd_builder_set_block(b, head);
   hd_def *n = hd_ssa_read(b, number);
   hd_goto_if(b, hd_ult(b, n, end), body, done);
   hd_builder_set_block(b, body);
   hd_def *y = load(s, x, hd_imul(b, n, hd_imm_u32(b, bytes_of(x))), base);
   hd_def *srcs[2] = { hd_ssa_read(b, sum), y };
   hd_ssa_write(b, sum, hd_build_alu(b, op, 2, srcs, 0));
   hd_ssa_write(b, number, hd_iadd(b, n, hd_imm_u32(b, 1)));
   hd_goto(b, head);
   hd_seal_block(b, head);
   hd_seal_block(b, body);
   hd_builder_set_block(b, done);
   hd_seal_block(b, done);
   return hd_ssa_read(b, sum);
}

hd_def *
hd_spirv_identity(struct spirv *s, hd_reduce_op op, const hd_def *like)
{
   unsigned bits = like->bit_size;
   uint64_t ones = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
   uint64_t one = bits == 16 ? 0x3c00 : bits == 32 ? 0x3f800000 : UINT64_C(0x3ff) << 52;
   uint64_t inf = bits == 16 ? 0x7c00 : bits == 32 ? 0x7f800000 : UINT64_C(0x7ff) << 52;
   uint64_t sign = UINT64_C(1) << (bits - 1), value = 0;
   hd_const_value values[HD_MAX_COMPONENTS];

   switch (op) {
   case HD_REDUCE_IMUL:
      value = 1;
      break;
   case HD_REDUCE_IMIN:
      value = ones & ~sign;
      break;
   case HD_REDUCE_IMAX:
      value = sign;
      break;
   case HD_REDUCE_UMIN:
   case HD_REDUCE_IAND:
      value = ones;
      break;
   case HD_REDUCE_FADD:
      value = sign; /* -0 */
      break;
   case HD_REDUCE_FMUL:
      value = one;
      break;
   case HD_REDUCE_FMIN:
      value = inf;
      break;
   case HD_REDUCE_FMAX:
      value = inf | sign;
      break;
   default:
      break;
   }
   for (unsigned c = 0; c < HD_MAX_COMPONENTS; c++)
      values[c].u64 = value;
   return hd_imm(&s->b, like->num_components, bits, values);
}

static hd_op
op_of(hd_reduce_op op)
{
   static const uint16_t ops[] = {
      [HD_REDUCE_IADD] = HD_OP_IADD, [HD_REDUCE_IMUL] = HD_OP_IMUL, [HD_REDUCE_IMIN] = HD_OP_IMIN,
      [HD_REDUCE_IMAX] = HD_OP_IMAX, [HD_REDUCE_UMIN] = HD_OP_UMIN, [HD_REDUCE_UMAX] = HD_OP_UMAX,
      [HD_REDUCE_IAND] = HD_OP_IAND, [HD_REDUCE_IOR] = HD_OP_IOR,   [HD_REDUCE_IXOR] = HD_OP_IXOR,
      [HD_REDUCE_FADD] = HD_OP_FADD, [HD_REDUCE_FMUL] = HD_OP_FMUL, [HD_REDUCE_FMIN] = HD_OP_FMIN,
      [HD_REDUCE_FMAX] = HD_OP_FMAX,
   };

   return (hd_op)ops[op];
}

/* Each subgroup leaves what its lanes have together; who wants the whole, or what comes before,
 * adds it up.
 */
static hd_def *
group_reduce(struct spirv *s, hd_def *x, hd_reduce_op op, unsigned operation)
{
   hd_builder *b = &s->b;
   hd_def *whole = hd_reduce(b, x, op, 0), *subgroup = hd_subgroup_id(b);
   uint32_t base = scratchpad(s, bytes_of(x));

   store(s, whole, hd_imul(b, subgroup, hd_imm_u32(b, bytes_of(x))), base);
   wait_for_all(s);
   hd_def *end = operation == REDUCE ? hd_num_subgroups(b) : subgroup;
   hd_def *before = combine_subgroups(s, x, op_of(op), hd_spirv_identity(s, op, x), end, base);
   wait_for_all(s);
   if (operation == REDUCE)
      return before;
   hd_def *srcs[2] = { before, operation == INCLUSIVE_SCAN ? hd_inclusive_scan(b, x, op)
                                                           : hd_exclusive_scan(b, x, op) };
   return hd_build_alu(b, op_of(op), 2, srcs, 0);
}

void
hd_spirv_group_combine(struct spirv *s, const struct spirv_instr *i, hd_reduce_op op)
{
   hd_def *x = hd_spirv_ssa(s, i->words[2]);

   if (i->words[1] > EXCLUSIVE_SCAN)
      hd_spirv_unsupported(s, "group operation %u", i->words[1]);
   hd_spirv_set_def(s, i, group_reduce(s, x, op, i->words[1]));
}

/* The number in the workgroup of the lane at a position of one to three components. */
static hd_def *
lane_at(struct spirv *s, struct spirv_value *position)
{
   hd_builder *b = &s->b;
   hd_def *at = hd_spirv_leaf(s, position), *size = hd_workgroup_size(b), *number = NULL;

   if (at->bit_size != 32)
      at = hd_u2u(b, at, 32);
   for (unsigned c = at->num_components; c--;) {
      hd_def *x = hd_build_channel(b, at, c);
      if (number)
         number = hd_imul(b, number, hd_build_channel(b, size, c));
      number = number ? hd_iadd(b, number, x) : x;
   }
   return number;
}

/* One lane leaves the value, all read it. */
static void
group_broadcast(struct spirv *s, const struct spirv_instr *i)
{
   hd_builder *b = &s->b;
   hd_def *x = hd_spirv_ssa(s, i->words[1]);
   hd_def *lane = lane_at(s, hd_spirv_value(s, i->words[2]));
   uint32_t base = scratchpad(s, bytes_of(x));
   hd_block *write = add_block(s), *on = add_block(s);

   hd_goto_if(b, hd_ieq(b, hd_local_invocation_index(b), lane), write, on);
   hd_builder_set_block(b, write);
   store(s, x, hd_imm_u32(b, 0), base);
   hd_goto(b, on);
   hd_builder_set_block(b, on);
   wait_for_all(s);
   hd_def *y = load(s, x, hd_imm_u32(b, 0), base);
   wait_for_all(s);
   hd_spirv_set_def(s, i, y);
}

/* Elements are taken in turn by the lanes. The stride is of the side that is not in the workgroup's
 * memory. Nobody else waits for the copy than who waits for the event.
 */
static void
async_copy(struct spirv *s, const struct spirv_instr *i)
{
   hd_builder *b = &s->b;
   const struct spirv_pointer *to = hd_spirv_pointer(s, i->words[1]);
   const struct spirv_pointer *from = hd_spirv_pointer(s, i->words[2]);
   const struct spirv_type *t = to->type;
   hd_def *count = hd_spirv_index32(s, i->words[3]), *stride = hd_spirv_index32(s, i->words[4]);
   hd_block *head = add_block(s), *body = add_block(s), *done = add_block(s);
   hd_ssa_var *number = hd_ssa_var_create(b, 1, 32);
   hd_def *size = hd_workgroup_size(b), *step = hd_build_channel(b, size, 0);

   if (!hd_spirv_type_is_leaf(t) || !hd_spirv_types_match(t, from->type))
      hd_spirv_invalid(s, "expected elements of one numeric type");
   step = hd_imul(b, step, hd_build_channel(b, size, 1));
   step = hd_imul(b, step, hd_build_channel(b, size, 2));
   hd_ssa_write(b, number, hd_local_invocation_index(b));
   hd_goto(b, head);
   hd_builder_set_block(b, head);
   hd_def *n = hd_ssa_read(b, number);
   hd_goto_if(b, hd_ult(b, n, count), body, done);
   hd_builder_set_block(b, body);
   hd_def *near = hd_imul(b, n, hd_imm_u32(b, (uint32_t)t->size));
   hd_def *far = hd_imul(b, near, stride);
   bool inwards = to->place == PLACE_SHARED;
   hd_def *x =
       hd_spirv_load_bytes(s, from, inwards ? far : near, t->components, t->bits, t->align, 0);
   hd_spirv_store_bytes(s, to, inwards ? near : far, x, t->align, 0);
   hd_ssa_write(b, number, hd_iadd(b, n, step));
   hd_goto(b, head);
   hd_seal_block(b, head);
   hd_builder_set_block(b, done);
   /* An event is a number that is never read. */
   hd_spirv_set_def(s, i, hd_imm_u32(b, 0));
}

void
hd_spirv_group(struct spirv *s, const struct spirv_instr *i)
{
   hd_builder *b = &s->b;
   hd_scope scope = hd_spirv_scope(s, i->words[0]);
   bool subgroup = scope == HD_SCOPE_SUBGROUP;
   hd_def *x;

   if (!subgroup && scope != HD_SCOPE_WORKGROUP)
      hd_spirv_unsupported(s, "a scope other than subgroup and workgroup");
   switch (i->opcode) {
   case SPV_OP_GROUP_ALL:
      x = hd_spirv_ssa(s, i->words[1]);
      hd_spirv_set_def(s, i,
                       subgroup ? hd_vote_all(b, x) : group_reduce(s, x, HD_REDUCE_IAND, REDUCE));
      break;
   case SPV_OP_GROUP_ANY:
      x = hd_spirv_ssa(s, i->words[1]);
      hd_spirv_set_def(s, i,
                       subgroup ? hd_vote_any(b, x) : group_reduce(s, x, HD_REDUCE_IOR, REDUCE));
      break;
   case SPV_OP_GROUP_BROADCAST:
      if (!subgroup) {
         group_broadcast(s, i);
         break;
      }
      x = hd_spirv_ssa(s, i->words[1]);
      hd_def *lane = hd_spirv_index32(s, i->words[2]);
      b->flags |= HD_ASSUME_UNIFORM;
      hd_spirv_set_def(s, i, hd_broadcast(b, x, lane));
      break;
   case SPV_OP_GROUP_ASYNC_COPY:
      async_copy(s, i);
      break;
   default: /* OpGroupWaitEvents: it does not matter for which */
      hd_barrier(b, HD_SCOPE_WORKGROUP, HD_SCOPE_WORKGROUP, HD_SEMANTICS_ALL,
                 HD_MEMORY_SHARED | HD_MEMORY_GLOBAL);
      break;
   }
}
