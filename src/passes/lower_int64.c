/* SPDX-License-Identifier: MIT */
/* lower_int64.c - expand 64-bit integer arithmetic to 32-bit pairs.
 *
 *    %3:64 = iadd %1, %2          =>    %lo:32 = iadd %1.lo, %2.lo
 *                                       %hi:32 = iadd (iadd %1.hi, %2.hi), b2i (uadd_carry ...)
 *    store_global %3, %p                store_global pack_64_2x32 (vec %lo, %hi), %p
 *
 * The options say which groups of ops the machine lacks. A value whose halves are known is never
 * unpacked again, and it is packed only for users that read it whole: memory, addresses, calls,
 * cross-lane operations, ops of groups that stay. A phi is split in two if a half of it is defined
 * or read.
 *
 * Requires:  valid IR. It does not expand division: lower_idiv comes before it.
 * Preserves: all that depends on the graph alone.
 * Leaves:    unused packs to opt_dce; carries of and products with constant zero halves to
 *            opt_algebraic.
 * Tests:     tests/passes/lower_int64.hd, tests/passes/test_lower_ops.c
 */
#include "passes/lower_int64.h"
#include "heddle/build_ops.h"

/* What is known of a value that was there before, by its index. */
typedef struct value_info {
   int64_pair pair; /* its words; NULL until they are needed */
   hd_def *whole;   /* what takes its place at the end, if that is no pair */
   bool split;      /* a phi that becomes two */
} value_info;

struct state {
   hd_builder b;
   hd_function *f;
   uint32_t lowered; /* hd_lowered: what may not stay */
   value_info *values;
   uint32_t num_values;
   hd_instr **anchors;  /* by block: the last of what was put after its phis and parameters */
   hd_instr **replaced; /* with words in place of a 64-bit result, in order */
   uint32_t num_replaced;
   hd_phi **phis;
   uint32_t num_phis;
};

static bool
is_wide_phi(const hd_instr *i)
{
   return i->kind == HD_INSTR_PHI && i->def.bit_size == 64;
}

static bool
must_go(const struct state *s, const hd_instr *i)
{
   return i->kind == HD_INSTR_ALU && hd_instr_constructs(i) & s->lowered;
}

/* Words of what is not lowered */

static int64_pair
const_words(struct state *s, const hd_const *c)
{
   const unsigned n = c->instr.def.num_components;
   hd_const_value lo[HD_MAX_COMPONENTS] = { { .u64 = 0 } },
                  hi[HD_MAX_COMPONENTS] = { { .u64 = 0 } };

   for (unsigned k = 0; k < n; k++) {
      lo[k].u32 = (uint32_t)c->value[k].u64;
      hi[k].u32 = (uint32_t)(c->value[k].u64 >> 32);
   }
   return (int64_pair){ hd_imm(&s->b, n, 32, lo), hd_imm(&s->b, n, 32, hi) };
}

static int64_pair
unpacked(struct state *s, hd_def *def)
{
   hd_def *lo[HD_MAX_COMPONENTS], *hi[HD_MAX_COMPONENTS];
   const hd_instr *i = hd_def_instr(def);

   if (i->kind == HD_INSTR_ALU && i->op == HD_OP_PACK_64_2X32) {
      hd_def *words = hd_instr_src(i, 0)->def;
      return (int64_pair){ hd_build_channel(&s->b, words, 0), hd_build_channel(&s->b, words, 1) };
   }
   for (unsigned k = 0; k < def->num_components; k++) {
      hd_def *words = hd_unpack_64_2x32(&s->b, hd_build_channel(&s->b, def, k));
      lo[k] = hd_build_channel(&s->b, words, 0);
      hi[k] = hd_build_channel(&s->b, words, 1);
   }
   return (int64_pair){ hd_build_vec(&s->b, def->num_components, lo),
                        hd_build_vec(&s->b, def->num_components, hi) };
}

/* Right after the definition, so that they are there for all who read it. */
static int64_pair
words_of(struct state *s, hd_def *def)
{
   value_info *v = &s->values[def->index];
   hd_instr *i = hd_def_instr(def), **anchor = NULL;
   const hd_cursor here = s->b.cursor;

   if (v->pair.lo)
      return v->pair;
   if (v->whole) {
      def = v->whole;
      i = hd_def_instr(def);
   }
   if (i->kind == HD_INSTR_PHI || i->kind == HD_INSTR_PARAM) {
      anchor = &s->anchors[i->block->node.index];
      s->b.cursor = *anchor ? hd_after_instr(*anchor) : hd_after_phis(i->block);
   } else {
      s->b.cursor = hd_after_instr(i);
   }
   v->pair = i->kind == HD_INSTR_CONST ? const_words(s, (const hd_const *)i) : unpacked(s, def);
   if (anchor)
      *anchor = hd_def_instr(v->pair.hi);
   s->b.cursor = here;
   return v->pair;
}

static hd_def *
packed(struct state *s, int64_pair pair)
{
   hd_def *parts[HD_MAX_COMPONENTS];
   const unsigned n = pair.lo->num_components;

   for (unsigned k = 0; k < n; k++) {
      hd_def *const words[] = { hd_build_channel(&s->b, pair.lo, k),
                                hd_build_channel(&s->b, pair.hi, k) };
      parts[k] = hd_pack_64_2x32(&s->b, hd_build_vec(&s->b, 2, words));
   }
   return hd_build_vec(&s->b, n, parts);
}

/* Phis */

/* Which phis are split: those that are made of words or read by words, and the phis that
 * these are made of or read by.
 */
static bool
touches_words(const struct state *s, const hd_phi *phi)
{
   hd_foreach_src(src, &phi->instr) {
      const hd_instr *i = hd_def_instr(src->def);
      if (must_go(s, i))
         return true;
   }
   hd_foreach_use(use, &phi->instr.def) {
      const hd_instr *i = hd_src_instr(use);
      if (i && must_go(s, i))
         return true;
   }
   return false;
}

static void
add_split(struct state *s, hd_instr *i)
{
   if (!is_wide_phi(i) || s->values[i->def.index].split)
      return;
   s->values[i->def.index].split = true;
   s->phis[s->num_phis++] = (hd_phi *)i;
}

static void
find_splits(struct state *s)
{
   hd_foreach_block(block, s->f) {
      hd_foreach_phi(phi, block) {
         if (phi->instr.def.bit_size == 64 && touches_words(s, phi))
            add_split(s, &phi->instr);
      }
   }
   for (uint32_t n = 0; n < s->num_phis; n++) {
      hd_instr *i = &s->phis[n]->instr;
      hd_foreach_src(src, i) {
         add_split(s, hd_def_instr(src->def));
      }
      hd_foreach_use(use, &i->def) {
         hd_instr *reader = hd_src_instr(use);
         if (reader)
            add_split(s, reader);
      }
   }
}

static hd_def *
half_phi(const hd_phi *phi)
{
   hd_shader *shader = hd_block_function(phi->instr.block)->shader;
   hd_phi *half = hd_phi_create(shader, phi->instr.def.num_components, 32, phi->num_srcs);

   half->instr.loc = phi->instr.loc;
   /* Not hd_phi_insert, which walks past all phis of the block. */
   hd_instr_link(phi->instr.block, (hd_instr *)&phi->instr, &half->instr);
   return &half->instr.def;
}

static void
make_half_phis(struct state *s)
{
   for (uint32_t n = 0; n < s->num_phis; n++) {
      int64_pair *pair = &s->values[s->phis[n]->instr.def.index].pair;
      pair->hi = half_phi(s->phis[n]);
      pair->lo = half_phi(s->phis[n]);
   }
}

/* hd_phi_set_src would look for the edge. */
static void
set_source(hd_src *src, hd_def *def)
{
   src->def = def;
   hd_src_link(src);
}

static void
fill_half_phis(struct state *s)
{
   for (uint32_t n = 0; n < s->num_phis; n++) {
      const hd_phi *phi = s->phis[n];
      const int64_pair to = s->values[phi->instr.def.index].pair;
      hd_phi *lo = (hd_phi *)hd_def_instr(to.lo), *hi = (hd_phi *)hd_def_instr(to.hi);
      for (uint32_t k = 0; k < phi->num_srcs; k++) {
         const int64_pair from = words_of(s, phi->srcs[k].src.def);
         set_source(&lo->srcs[k].src, from.lo);
         set_source(&hi->srcs[k].src, from.hi);
      }
   }
}

/* Instructions */

static int64_pair
lower_op(const int64_op *o, uint32_t constructs)
{
   if (constructs & HD_LOWERED_INT64_SHIFT)
      return hd_int64_shift(o);
   if (constructs & (HD_LOWERED_INT64_LOGIC | HD_LOWERED_INT64_BITS))
      return hd_int64_bits(o);
   if (constructs & HD_LOWERED_INT64_CONVERT)
      return hd_int64_convert(o);
   return hd_int64_arith(o);
}

static void
lower_alu(struct state *s, hd_instr *i)
{
   const hd_op_info *info = hd_op_get_info((hd_op)i->op);
   int64_op o = {
      .b = &s->b, .op = (hd_op)i->op, .n = i->def.num_components, .bits = i->def.bit_size
   };
   unsigned n = 0;

   s->b.cursor = hd_before_instr(i);
   s->b.loc = i->loc;
   /* Steps may be NaN where neither operand nor result is. */
   s->b.flags = HD_FP_EXACT;
   hd_foreach_src(src, i) {
      o.src[n] = src->def;
      if (src->def->bit_size == 64 && info->src[n].kind != HD_KIND_FLOAT)
         o.pair[n] = words_of(s, src->def);
      n++;
   }
   const int64_pair result = lower_op(&o, hd_instr_constructs(i));
   assert(s->b.result == HD_OK);
   if (result.hi)
      s->values[i->def.index].pair = result;
   else
      s->values[i->def.index].whole = result.lo;
   s->replaced[s->num_replaced++] = i;
}

/* A word that was a value before may have gone: unreachable code is in no order. */
static hd_def *
current(const struct state *s, hd_def *def)
{
   hd_def *whole = def->index < s->num_values ? s->values[def->index].whole : NULL;

   return whole ? whole : def;
}

static void
replace_wholes(struct state *s)
{
   uint32_t num_pairs = 0;

   for (uint32_t n = 0; n < s->num_replaced; n++) {
      value_info *v = &s->values[s->replaced[n]->def.index];
      if (v->whole)
         continue;
      v->pair.lo = current(s, v->pair.lo);
      v->pair.hi = current(s, v->pair.hi);
   }
   for (uint32_t n = 0; n < s->num_replaced; n++) {
      hd_instr *i = s->replaced[n];
      const value_info *v = &s->values[i->def.index];
      if (v->whole)
         hd_lower_replace(i, v->whole, s->num_values);
      else
         s->replaced[num_pairs++] = i;
   }
   s->num_replaced = num_pairs;
}

/* Readers come before what they read, so what only replaced instructions read is packed for
 * nobody. Replaced phis, which may read anything, leave their blocks first.
 */
static void
remove_replaced(struct state *s)
{
   for (uint32_t n = 0; n < s->num_phis; n++) {
      hd_block *block = s->phis[n]->instr.block;
      hd_instr_unlink(&s->phis[n]->instr);
      s->phis[n]->instr.block = block;
   }
   replace_wholes(s);
   for (uint32_t n = s->num_replaced; n--;) {
      hd_instr *i = s->replaced[n];
      s->b.cursor = hd_before_instr(i);
      s->b.loc = i->loc;
      if (hd_def_is_unused(&i->def))
         hd_instr_remove(i);
      else
         hd_lower_replace(i, packed(s, s->values[i->def.index].pair), 0);
   }
   for (uint32_t n = 0; n < s->num_phis; n++) {
      hd_instr *i = &s->phis[n]->instr;
      hd_instr **anchor = &s->anchors[i->block->node.index];
      s->b.cursor = *anchor ? hd_after_instr(*anchor) : hd_after_phis(i->block);
      s->b.loc = i->loc;
      if (!hd_def_is_unused(&i->def)) {
         hd_def *whole = packed(s, s->values[i->def.index].pair);
         *anchor = hd_def_instr(whole);
         hd_def_replace_uses(&i->def, whole);
      }
      i->block = NULL;
      hd_instr_free(s->f->shader, i);
   }
}

static uint32_t
groups(const lower_int64_options *o)
{
   return (o->add ? HD_LOWERED_INT64_ADD : 0) | (o->mul ? HD_LOWERED_INT64_MUL : 0) |
          (o->shift ? HD_LOWERED_INT64_SHIFT : 0) | (o->compare ? HD_LOWERED_INT64_COMPARE : 0) |
          (o->minmax ? HD_LOWERED_INT64_MINMAX : 0) | (o->logic ? HD_LOWERED_INT64_LOGIC : 0) |
          (o->bits ? HD_LOWERED_INT64_BITS : 0) | (o->convert ? HD_LOWERED_INT64_CONVERT : 0);
}

/* How many instructions go, and how many phis could. */
static uint32_t
count_work(struct state *s, uint32_t *num_phis)
{
   uint32_t num = 0;

   *num_phis = 0;
   hd_foreach_block(block, s->f) {
      hd_foreach_instr(i, block) {
         num += must_go(s, i);
         *num_phis += is_wide_phi(i);
         pass_step(s->f, 1 + hd_instr_num_srcs(i));
      }
   }
   return num;
}

bool
hd_lower_int64(hd_function *f, const lower_int64_options *o)
{
   hd_stack *stack = hd_shader_stack(f->shader);
   struct state s = { .f = f, .lowered = groups(o) };
   uint32_t num_phis, num_blocks, num = count_work(&s, &num_phis);

   if (!num)
      return hd_progress(f, false, LOWER_INT64_KEEPS);
   s.b = hd_builder_at(hd_before_block(hd_function_start(f)));
   s.num_values = f->num_defs;
   s.values = hd_stack_alloc_zero(stack, s.num_values * sizeof(*s.values));
   s.anchors = hd_stack_alloc_zero(stack, f->num_blocks * sizeof(hd_instr *));
   s.replaced = hd_stack_alloc(stack, num * sizeof(hd_instr *));
   s.phis = hd_stack_alloc(stack, num_phis * sizeof(hd_phi *));
   find_splits(&s);
   make_half_phis(&s);
   /* In an order in which what is read comes before its readers, phis aside. */
   hd_block *const *blocks = hd_function_rpo(f, &num_blocks);
   for (uint32_t n = 0; n < num_blocks; n++) {
      hd_foreach_instr_safe(i, blocks[n]) {
         if (must_go(&s, i) && i->def.index < s.num_values)
            lower_alu(&s, i);
      }
   }
   fill_half_phis(&s);
   remove_replaced(&s);
   return hd_progress(f, true, LOWER_INT64_KEEPS);
}
