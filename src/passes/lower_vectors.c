/* SPDX-License-Identifier: MIT */
/* lower_vectors.c - scalarise vector arithmetic.
 *
 *    %3:32x2 = fadd %1, %2        =>    %x:32 = fadd %1.x, %2.x    %y:32 = fadd %1.y, %2.y
 *    %4:32x2 = phi b0: %3, ...          %p:32 = phi b0: %x, ...    %q:32 = phi b0: %y, ...
 *    store_global %4, %a                store_global vec %p, %q, %a
 *
 * A known component is never extracted again; a vector is built only for users that read it whole:
 * memory, cross-lane operations, calls, packing. Extracting or inserting a component with a dynamic
 * index becomes one select per component. Cross-lane operations on boolean vectors are scalarised
 * too: a lane mask has one bit a lane.
 *
 * With `access`, loads and stores have at most that many components:
 *
 *    %1:32x3 = load_buffer %z, %p align_mul=16 offset=4        (access=2)
 * => %2:32x2 = load_buffer %z, %p align_mul=16 align_offset=... offset=4
 *    %3:32 = load_buffer %z, %p align_mul=16 align_offset=... offset=12
 *
 * Offsets are added without wrapping, and bounds are checked for each component, so each part
 * accesses the same bytes. A volatile access stays whole, and so does one whose offset would not
 * fit. Other waves may see parts of a coherent access, as of any access that is wider than what the
 * machine moves at once; lanes of one store that write to the same address race.
 *
 * With `pairs=0`, ops that opt_vectorize makes of pairs stay, and phis of them: for what other passes made of
 * such vectors.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    unused vectors to opt_dce.
 * Tests:     tests/passes/lower_vectors.hd, tests/passes/lower_vectors.access.hd,
 *            tests/passes/lower_vectors.pairs.hd, tests/passes/test_lower_ops.c
 */
#include "heddle/build_ops.h"
#include "passes/lower.h"

struct state {
   unsigned access; /* components of a load or a store, at most; 0: any */
   bool keeps_pairs;
   hd_builder b;
   hd_function *f;
   hd_def ***parts; /* by value that was there before: its components, NULL until they are needed */
   uint32_t num_values;
   hd_instr **anchors;  /* by block: the last of what was put after its phis and parameters */
   hd_instr **replaced; /* in order */
   uint32_t num_replaced;
};

static bool
is_vector_phi(const hd_instr *i)
{
   return i->kind == HD_INSTR_PHI && i->def.num_components > 1;
}

/* channel and insert_channel take a vector apart. */
static bool
is_part_access(const hd_instr *i)
{
   return i->kind == HD_INSTR_ALU && (i->op == HD_OP_CHANNEL || i->op == HD_OP_INSERT_CHANNEL);
}

/* Which part of a known vector it reads, or -1. */
static int
known_part(const hd_instr *i)
{
   const hd_const *index = hd_src_as_const(hd_instr_src(i, i->op == HD_OP_CHANNEL ? 1 : 2));

   return index && hd_lower_const(index, 0) < HD_MAX_COMPONENTS ? (int)hd_lower_const(index, 0)
                                                                : -1;
}

/* Reads booleans of other lanes, several at once. A driver's own need not be componentwise. */
static bool
moves_booleans(const hd_instr *i)
{
   if (i->kind != HD_INSTR_INTRINSIC || i->op >= HD_INTRINSIC_OWN || !i->num_srcs)
      return false;
   const hd_def *value = hd_instr_src(i, 0)->def;
   return value->bit_size == 1 && value->num_components > 1 &&
          hd_instr_intrinsic_info(i)->flags & HD_CROSS_LANE;
}

/* Reads a component of a vector of booleans that needs no vector. */
static bool
reads_known_boolean(const hd_instr *i)
{
   const hd_def *vector = hd_instr_src(i, 0)->def;
   const hd_instr *from = hd_def_instr(vector);

   return vector->bit_size == 1 && vector->num_components > 1 &&
          (from->kind == HD_INSTR_UNDEF || from->kind == HD_INSTR_CONST ||
           (from->kind == HD_INSTR_ALU && from->op == HD_OP_VEC));
}

static bool
is_store(const hd_instr *i)
{
   return !(hd_instr_intrinsic_info(i)->flags & HD_HAS_RESULT);
}

/* A load or a store of more components than there may be, that can be split. */
static bool
is_wide_access(const struct state *s, const hd_instr *i)
{
   const hd_intrinsic *access = s->access ? hd_instr_as_intrinsic(i) : NULL;
   const hd_intrinsic_info *info = access ? hd_instr_intrinsic_info(i) : NULL;

   if (!access || i->op >= HD_INTRINSIC_OWN || !info->slots[HD_INDEX_OFFSET] ||
       !info->slots[HD_INDEX_ALIGN_MUL])
      return false;
   const hd_def *value = is_store(i) ? hd_instr_src(i, 0)->def : &i->def;
   const int32_t offset = (int32_t)hd_intrinsic_index(access, HD_INDEX_OFFSET);
   return value->num_components > s->access &&
          !(hd_intrinsic_index(access, HD_INDEX_ACCESS) & HD_ACCESS_VOLATILE) &&
          offset <= INT32_MAX - (int32_t)(value->num_components * value->bit_size / 8);
}

/* Is it what opt_vectorize can make of two scalars? A choice has one condition for both. */
static bool
is_pair(const hd_instr *i)
{
   static const uint16_t ops[] = { OPT_VECTORIZE_FLOATS, OPT_VECTORIZE_INTS, OPT_VECTORIZE_DWORDS };

   if (!hd_instr_def(i) || i->def.num_components != 2 || i->def.bit_size != 16)
      return false;
   if (i->kind == HD_INSTR_PHI)
      return true;
   if (i->kind == HD_INSTR_ALU && i->op == HD_OP_SELECT) {
      const hd_instr *c = hd_def_instr(hd_instr_src(i, 0)->def);
      return c->kind == HD_INSTR_ALU && c->op == HD_OP_VEC &&
             hd_instr_src(c, 0)->def == hd_instr_src(c, 1)->def;
   }
   for (unsigned n = 0; n < sizeof(ops) / sizeof(ops[0]) && i->kind == HD_INSTR_ALU; n++) {
      if (ops[n] == i->op)
         return true;
   }
   return false;
}

static bool
must_go(const struct state *s, const hd_instr *i)
{
   if (s->keeps_pairs && is_pair(i))
      return false;
   if (i->kind != HD_INSTR_ALU)
      return is_vector_phi(i) || moves_booleans(i) || is_wide_access(s, i);
   /* Reading a known component is how components are read. */
   if (is_part_access(i))
      return i->op == HD_OP_INSERT_CHANNEL || known_part(i) < 0 || reads_known_boolean(i);
   return hd_instr_constructs(i) & HD_LOWERED_VECTORS;
}

/* Components */

/* What a scalar is now. In reachable code what is read was looked at before its readers, so what
 * this gives never changes again; unreachable code is in no order.
 */
static hd_def *
current(const struct state *s, hd_def *def)
{
   hd_def **parts = def->index < s->num_values ? s->parts[def->index] : NULL;

   return parts && def->num_components == 1 ? parts[0] : def;
}

static hd_def *
part_of_new(struct state *s, hd_def *def, unsigned k)
{
   const hd_instr *i = hd_def_instr(def);
   const hd_const *c = hd_instr_as_const(i);

   if (c)
      return hd_imm(&s->b, 1, def->bit_size, &c->value[k]);
   if (i->kind == HD_INSTR_UNDEF)
      return hd_undef(&s->b, 1, def->bit_size);
   if (i->kind == HD_INSTR_ALU && i->op == HD_OP_VEC && hd_block_is_reachable(i->block))
      return current(s, hd_instr_src(i, k)->def);
   return hd_build_channel(&s->b, def, k);
}

/* Right after the definition, so that they are there for all who read them. */
static hd_def **
parts_of(struct state *s, hd_def *def)
{
   hd_instr *i = hd_def_instr(def), **anchor = NULL;
   const hd_cursor here = s->b.cursor;
   const unsigned n = def->num_components;

   if (s->parts[def->index])
      return s->parts[def->index];
   hd_def **parts = hd_stack_alloc(hd_shader_stack(s->f->shader), n * sizeof(hd_def *));
   s->parts[def->index] = parts;
   if (n == 1) {
      parts[0] = def;
      return parts;
   }
   if (i->kind == HD_INSTR_PHI || i->kind == HD_INSTR_PARAM) {
      anchor = &s->anchors[i->block->node.index];
      s->b.cursor = *anchor ? hd_after_instr(*anchor) : hd_after_phis(i->block);
   } else {
      s->b.cursor = hd_after_instr(i);
   }
   for (unsigned k = 0; k < n; k++) {
      parts[k] = part_of_new(s, def, k);
      /* What was built before it stands after it: one after the other keeps their order. */
      if (anchor)
         *anchor = hd_def_instr(parts[k]);
   }
   s->b.cursor = here;
   return parts;
}

/* Phis */

static void
split_phi(struct state *s, hd_phi *phi)
{
   const hd_def *def = &phi->instr.def;
   hd_def **parts =
       hd_stack_alloc(hd_shader_stack(s->f->shader), def->num_components * sizeof(hd_def *));

   for (unsigned k = def->num_components; k--;) {
      hd_phi *part = hd_phi_create(s->f->shader, 1, def->bit_size, phi->num_srcs);
      part->instr.loc = phi->instr.loc;
      /* Not hd_phi_insert, which walks past all phis of the block. */
      hd_instr_link(phi->instr.block, &phi->instr, &part->instr);
      parts[k] = &part->instr.def;
   }
   s->parts[def->index] = parts;
   s->replaced[s->num_replaced++] = &phi->instr;
}

static void
split_phis(struct state *s)
{
   hd_foreach_block(block, s->f) {
      hd_foreach_phi_safe(phi, block) {
         if (must_go(s, &phi->instr))
            split_phi(s, phi);
      }
   }
}

static void
fill_phis(struct state *s, uint32_t num_phis)
{
   for (uint32_t n = 0; n < num_phis; n++) {
      const hd_phi *phi = (const hd_phi *)s->replaced[n];
      hd_def **to = s->parts[phi->instr.def.index];
      for (uint32_t k = 0; k < phi->num_srcs; k++) {
         hd_def **from = parts_of(s, phi->srcs[k].src.def);
         for (unsigned c = 0; c < phi->instr.def.num_components; c++) {
            hd_src *src = &((hd_phi *)hd_def_instr(to[c]))->srcs[k].src;
            src->def = from[c];
            hd_src_link(src);
         }
      }
   }
}

/* Instructions */

static hd_def *
is_part(struct state *s, hd_def *index, unsigned k)
{
   return hd_ieq(&s->b, index, hd_imm_u32(&s->b, k));
}

/* A component: 0 past the end. */
static hd_def *
read_part(struct state *s, const hd_instr *i)
{
   hd_def *vector = hd_instr_src(i, 0)->def, *index = hd_instr_src(i, 1)->def;
   hd_def **parts = parts_of(s, vector);
   const int part = known_part(i);

   if (part >= 0 && part < vector->num_components)
      return parts[part];
   hd_def *value = hd_lower_imm(&s->b, 1, vector->bit_size, 0);
   if (part >= 0)
      return value;
   for (unsigned k = vector->num_components; k--;)
      value = hd_select(&s->b, is_part(s, index, k), parts[k], value);
   return value;
}

static void
replace_part(struct state *s, const hd_instr *i, hd_def **parts)
{
   hd_def **old = parts_of(s, hd_instr_src(i, 0)->def);
   hd_def *value = current(s, hd_instr_src(i, 1)->def), *index = hd_instr_src(i, 2)->def;
   const bool is_known = hd_src_as_const(hd_instr_src(i, 2));

   for (unsigned k = 0; k < i->def.num_components; k++) {
      if (is_known)
         parts[k] = known_part(i) == (int)k ? value : old[k];
      else
         parts[k] = hd_select(&s->b, is_part(s, index, k), value, old[k]);
   }
}

static void
split_alu(struct state *s, const hd_instr *i, hd_def **parts)
{
   hd_def **operands[HD_MAX_OP_SRCS], *srcs[HD_MAX_OP_SRCS];
   unsigned num = 0;

   hd_foreach_src(src, i) {
      operands[num++] = parts_of(s, src->def);
   }
   for (unsigned k = 0; k < i->def.num_components; k++) {
      for (unsigned n = 0; n < num; n++)
         srcs[n] = operands[n][k];
      parts[k] = hd_build_alu(&s->b, (hd_op)i->op, num, srcs, i->def.bit_size);
   }
}

/* Each component by itself; a vote is for all of them. */
static void
split_intrinsic(struct state *s, const hd_instr *i, hd_def **parts)
{
   hd_def **values = parts_of(s, hd_instr_src(i, 0)->def), *srcs[HD_MAX_INTRINSIC_SRCS];
   const unsigned num = hd_instr_src(i, 0)->def->num_components;

   for (unsigned n = 1; n < i->num_srcs; n++)
      srcs[n] = current(s, hd_instr_src(i, n)->def);
   for (unsigned k = 0; k < num; k++) {
      srcs[0] = values[k];
      hd_def *part =
          hd_build_intrinsic(&s->b, (hd_intrinsic_id)i->op, 1, i->def.bit_size, i->num_srcs, srcs,
                             hd_intrinsic_indices((const hd_intrinsic *)i));
      hd_def_instr(part)->flags = i->flags;
      if (i->def.num_components > 1)
         parts[k] = part;
      else
         parts[0] = k ? hd_iand(&s->b, parts[0], part) : part;
   }
}

/* The indices of the part of an access that begins so many bytes after it. */
static void
indices_behind(const hd_intrinsic *i, uint32_t bytes, uint32_t indices[HD_MAX_INDICES])
{
   const hd_intrinsic_info *info = hd_instr_intrinsic_info(&i->instr);
   const uint32_t align = hd_intrinsic_index(i, HD_INDEX_ALIGN_MUL);

   memcpy(indices, hd_intrinsic_indices(i), info->num_indices * sizeof(uint32_t));
   indices[info->slots[HD_INDEX_OFFSET] - 1] += bytes;
   indices[info->slots[HD_INDEX_ALIGN_OFFSET] - 1] =
       (hd_intrinsic_index(i, HD_INDEX_ALIGN_OFFSET) + bytes) & (align - 1);
}

/* The components `parts` that are loaded, or are there to be stored, a few at a time. */
static void
split_access(struct state *s, const hd_instr *i, hd_def **parts)
{
   const bool stores = is_store(i);
   const hd_def *value = stores ? hd_instr_src(i, 0)->def : &i->def;
   hd_def *srcs[HD_MAX_INTRINSIC_SRCS];
   uint32_t indices[HD_MAX_INDICES];

   for (unsigned n = stores; n < i->num_srcs; n++)
      srcs[n] = current(s, hd_instr_src(i, n)->def);
   for (unsigned at = 0, num; at < value->num_components; at += num) {
      num = value->num_components - at < s->access ? value->num_components - at : s->access;
      indices_behind((const hd_intrinsic *)i, at * value->bit_size / 8, indices);
      if (stores)
         srcs[0] = num == 1 ? parts[at] : hd_build_vec(&s->b, num, &parts[at]);
      /* The builder gives the flags to what it builds. */
      hd_def *part = hd_build_intrinsic(&s->b, (hd_intrinsic_id)i->op, stores ? 0 : num,
                                        stores ? 0 : value->bit_size, i->num_srcs, srcs, indices);
      for (unsigned k = 0; k < num && !stores; k++)
         parts[at + k] = num == 1 ? part : hd_build_channel(&s->b, part, k);
   }
}

/* Stores have no result whose parts anyone asks for. */
static void
lower_store(struct state *s, hd_instr *i)
{
   split_access(s, i, parts_of(s, hd_instr_src(i, 0)->def));
   s->replaced[s->num_replaced++] = i;
}

static void
lower_instr(struct state *s, hd_instr *i)
{
   s->b.cursor = hd_before_instr(i);
   s->b.loc = i->loc;
   s->b.flags = i->flags;
   if (i->kind == HD_INSTR_INTRINSIC && is_store(i)) {
      lower_store(s, i);
      return;
   }
   hd_def **parts =
       hd_stack_alloc(hd_shader_stack(s->f->shader), i->def.num_components * sizeof(hd_def *));
   if (is_wide_access(s, i))
      split_access(s, i, parts);
   else if (i->kind == HD_INSTR_INTRINSIC)
      split_intrinsic(s, i, parts);
   else if (i->op == HD_OP_CHANNEL)
      parts[0] = read_part(s, i);
   else if (i->op == HD_OP_INSERT_CHANNEL)
      replace_part(s, i, parts);
   else
      split_alu(s, i, parts);
   assert(s->b.result == HD_OK);
   s->parts[i->def.index] = parts;
   s->replaced[s->num_replaced++] = i;
}

/* A known component of a vector whose components are known is that component. */
static void
shorten(struct state *s, hd_instr *i)
{
   const hd_def *vector = hd_instr_src(i, 0)->def;
   const int part = known_part(i);

   if (vector->index >= s->num_values || !s->parts[vector->index] ||
       part >= vector->num_components || !hd_block_is_reachable(i->block))
      return;
   hd_def **parts = hd_stack_alloc(hd_shader_stack(s->f->shader), sizeof(hd_def *));
   parts[0] = s->parts[vector->index][part];
   s->parts[i->def.index] = parts;
   s->replaced[s->num_replaced++] = i;
}

static void
replace_scalars(struct state *s, uint32_t num_phis)
{
   uint32_t num = num_phis;

   for (uint32_t n = 0; n < s->num_replaced; n++) {
      const hd_def *def = &s->replaced[n]->def;
      for (unsigned k = 0; k < def->num_components && def->num_components > 1; k++)
         s->parts[def->index][k] = current(s, s->parts[def->index][k]);
   }
   for (uint32_t n = num_phis; n < s->num_replaced; n++) {
      hd_instr *i = s->replaced[n];
      if (i->def.num_components == 1)
         hd_lower_replace(i, s->parts[i->def.index][0], s->num_values);
      else
         s->replaced[num++] = i;
   }
   s->num_replaced = num;
}

/* Readers come before what they read, so what only replaced instructions read is put together for
 * nobody. Phis, which may read anything, leave their blocks first.
 */
static void
remove_replaced(struct state *s, uint32_t num_phis)
{
   for (uint32_t n = 0; n < num_phis; n++) {
      hd_block *block = s->replaced[n]->block;
      hd_instr_unlink(s->replaced[n]);
      s->replaced[n]->block = block;
   }
   replace_scalars(s, num_phis);
   for (uint32_t n = s->num_replaced; n--;) {
      hd_instr *i = s->replaced[n];
      const bool is_phi = n < num_phis;
      hd_instr **anchor = &s->anchors[i->block->node.index];
      if (!is_phi)
         s->b.cursor = hd_before_instr(i);
      else
         s->b.cursor = *anchor ? hd_after_instr(*anchor) : hd_after_phis(i->block);
      s->b.loc = i->loc;
      if (!hd_def_is_unused(&i->def)) {
         hd_def *whole = hd_build_vec(&s->b, i->def.num_components, s->parts[i->def.index]);
         if (is_phi)
            *anchor = hd_def_instr(whole);
         hd_def_replace_uses(&i->def, whole);
      }
      if (!is_phi) {
         hd_instr_remove(i);
         continue;
      }
      i->block = NULL;
      hd_instr_free(s->f->shader, i);
   }
}

bool
hd_lower_vectors(hd_function *f, const lower_vectors_options *o)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct state s = { .f = f, .access = o->access, .keeps_pairs = !o->pairs };
   uint32_t num = 0, num_reads = 0, num_blocks;

   hd_foreach_block(block, f) {
      hd_foreach_instr(i, block) {
         const bool goes = must_go(&s, i);
         num += goes;
         num_reads += !goes && is_part_access(i);
         pass_step(f, 1 + hd_instr_num_srcs(i));
      }
   }
   if (!num)
      return hd_progress(f, false, LOWER_VECTORS_KEEPS);
   s.b = hd_builder_at(hd_before_block(hd_function_start(f)));
   s.num_values = f->num_defs;
   s.parts = hd_stack_alloc_zero(stack, s.num_values * sizeof(*s.parts));
   s.anchors = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(hd_instr *));
   s.replaced = hd_stack_alloc(stack, (num + num_reads) * sizeof(hd_instr *));
   split_phis(&s);
   const uint32_t num_phis = s.num_replaced;
   /* In an order in which what is read comes before its readers, phis aside. */
   hd_block *const *blocks = hd_function_rpo(f, &num_blocks);
   for (uint32_t n = 0; n < num_blocks; n++) {
      hd_foreach_instr_safe(i, blocks[n]) {
         if (i->kind == HD_INSTR_PHI || (hd_instr_def(i) && i->def.index >= s.num_values))
            continue;
         if (must_go(&s, i))
            lower_instr(&s, i);
         else if (i->kind == HD_INSTR_ALU && i->op == HD_OP_CHANNEL)
            shorten(&s, i);
      }
   }
   fill_phis(&s, num_phis);
   remove_replaced(&s, num_phis);
   return hd_progress(f, true, LOWER_VECTORS_KEEPS);
}
