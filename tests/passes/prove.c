/* SPDX-License-Identifier: MIT */
/* prove.c - rewrite rules against the folder: the search and what a rule makes of it must agree. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/analysis.h"
#include "heddle/build.h"
#include "heddle/build_intrinsics.h"
#include "heddle/build_ops.h"
#include "ir/fold.h"
#include "ir/private.h"
#include "passes/row.h"

#define MAX_NAMES 16
#define MAX_DEFS  64
#define BATCH     65536

static const unsigned all_sizes[] = { 1, 8, 16, 32, 64 };

/* One laying out of a search: what sizes, modes and constants. */
struct trial {
   const struct row *row;
   const hd_rule_set *set;
   unsigned rule;
   unsigned bits[6];    /* of each class of sizes */
   unsigned components; /* of the vector at hand */
   uint32_t controls;
   unsigned flags;    /* of float instructions */
   unsigned odd_node; /* a node whose flags differ, or UINT_MAX */
   unsigned odd_flags;
   bool exhaustive;
   bool read_twice;     /* something else reads each inner node, too */
   bool forbids_finite; /* the shader has no HD_FLOAT_FINITE, whatever the row asks for */
   uint64_t number;     /* which sample */
   uint64_t random;
   hd_builder b;
   hd_def *named[MAX_NAMES];
   hd_def *params[MAX_NAMES];
   unsigned num_params;
   uint64_t constants[MAX_NAMES];
   unsigned num_constants;
   hd_def *root;
};

static uint64_t
next(uint64_t *state)
{
   uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

   z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
   z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
   return z ^ z >> 31;
}

/* Values that matter */

static uint64_t
float_edge(uint64_t *random, unsigned bits)
{
   const unsigned fraction = hd_float_fraction_bits(bits);
   const uint64_t one = hd_float_one(bits), sign = next(random) & 1 ? hd_float_sign_bit(bits) : 0;
   const uint64_t inf = hd_float_inf(bits);

   switch (next(random) % 16) {
   case 0:
      return sign;
   case 1:
      return sign | one;
   case 2:
      return sign | inf;
   case 3:
      return sign | hd_float_nan(bits);
   case 4:
      return sign | inf | 1; /* a signaling NaN */
   case 5:
      return sign | 1;
   case 6:
      return sign | (ones(fraction));
   case 7:
      return sign | UINT64_C(1) << fraction;
   case 8:
      return sign | (inf - 1);
   case 9:
      return sign | (one + 1);
   case 10:
      return sign | (one - 1);
   case 11:
      return sign | (one - (UINT64_C(1) << fraction));
   case 12:
      return sign | (one + (next(random) % 24 << fraction));
   case 13:
      return sign | hd_float_from_uint(bits, next(random) % 300, HD_ROUND_NEAREST_EVEN);
   case 14:
      return sign | (hd_float_from_uint(bits, next(random) % 64, HD_ROUND_NEAREST_EVEN) + 1);
   default:
      return sign | (next(random) & ones(fraction));
   }
}

/* Of a magnitude where inexact rules are held to: eighths. */
static uint64_t
tame_float(uint64_t *random, unsigned bits)
{
   const uint64_t eighths = 1 + next(random) % 40;
   const uint64_t a = hd_float_from_uint(bits, eighths, HD_ROUND_NEAREST_EVEN);

   return hd_float_ldexp(bits, a, -3);
}

static uint64_t
int_edge(uint64_t *random, unsigned bits)
{
   const uint64_t r = next(random);

   switch (r % 10) {
   case 0:
      return 0;
   case 1:
      return 1;
   case 2:
      return mask(bits);
   case 3:
      return UINT64_C(1) << (bits - 1);
   case 4:
      return mask(bits) >> 1;
   case 5:
      return UINT64_C(1) << (r >> 8) % bits;
   case 6:
      return ones((r >> 8) % (bits + 1));
   case 7:
      return 0 - (UINT64_C(1) << (r >> 8) % bits);
   case 8:
      return (r >> 8) % 5;
   default:
      return (UINT64_C(1) << (bits - 1)) + (r >> 8) % 5 - 2;
   }
}

static uint64_t
sample(struct trial *t, unsigned bits, bool is_float)
{
   uint64_t *random = &t->random;
   const uint64_t r = next(random);

   if ((t->row->flags & HD_RULE_INEXACT) && bits >= 16 && is_float)
      return tame_float(random, bits);
   if (bits >= 16 && t->row->has_float && r & 3)
      return float_edge(random, bits) & mask(bits);
   if (r >> 8 & 1)
      return int_edge(random, bits) & mask(bits);
   if (r >> 9 & 1)
      return (r >> 16) % (2 * bits) & mask(bits);
   return next(random) & mask(bits);
}

/* A constant: often one that stands in a simple relation to one before it. */
static uint64_t
sample_constant(struct trial *t, unsigned bits, bool is_float)
{
   uint64_t r = next(&t->random), value = sample(t, bits, is_float);

   if (t->exhaustive && t->num_constants == 0)
      value = t->number & mask(bits);
   else if (t->exhaustive && t->num_constants == 1 && t->number >> bits)
      value = t->number >> bits & mask(bits);
   else if (t->num_constants && r & 3 && !(t->row->flags & HD_RULE_INEXACT)) {
      const uint64_t other = t->constants[(r >> 32) % t->num_constants];
      const uint64_t related[] = { other,
                                   other + 1,
                                   other - 1,
                                   ~other,
                                   0 - other,
                                   t->bits[0] - other,
                                   32 - other,
                                   t->bits[t->row->num_sizes - 1] - other,
                                   other ^ UINT64_C(1) << (r >> 16 & 63) % bits,
                                   bits - other };
      value = related[(r >> 24) % 10];
   } else if (r % 5 == 3)
      value = ones(t->bits[(r >> 8) % t->row->num_sizes]);
   else if (r % 5 == 4)
      value = t->bits[(r >> 8) % t->row->num_sizes] - (r >> 16) % 3;
   value &= mask(bits);
   if (t->num_constants < MAX_NAMES)
      t->constants[t->num_constants++] = value;
   return value;
}

/* Building the search */

static bool
reads_float(const struct row *row, unsigned name)
{
   for (unsigned n = 0; n < row->num_nodes; n++) {
      const struct row_node *node = &row->nodes[n];
      for (unsigned k = 0; node->kind == ROW_OP && k < node->num_kids; k++) {
         if (row->nodes[node->kids[k]].name == name &&
             hd_op_src_type(hd_op_get_info((hd_op)node->op), k)->kind == HD_KIND_FLOAT)
            return true;
      }
   }
   return false;
}

static hd_def *
splat(struct trial *t, unsigned components, unsigned bits, uint64_t value)
{
   hd_const_value values[HD_MAX_COMPONENTS];

   for (unsigned c = 0; c < components; c++)
      hd_const_set(&values[c], bits, value);
   return hd_imm(&t->b, components, bits, values);
}

/* Some bits known, by ops that fold into others more or less easily. */
static hd_def *
with_known_bits(struct trial *t, hd_def *param, uint64_t r)
{
   const unsigned bits = param->bit_size, n = param->num_components;
   const uint64_t low = ones((r >> 8) % (bits + 1)), edge = int_edge(&t->random, bits);

   switch (r % 8) {
   case 0:
      return hd_umin(&t->b, param, splat(t, n, bits, low));
   case 1:
      return hd_inot(&t->b, hd_umin(&t->b, param, splat(t, n, bits, low)));
   case 2:
      return hd_ushr(&t->b, param, splat(t, n, 32, (r >> 8) % bits));
   case 3:
      return hd_ishl(&t->b, param, splat(t, n, 32, (r >> 8) % bits));
   case 4: {
      hd_def *least = splat(t, n, bits, edge);
      return hd_ior(&t->b, hd_iand(&t->b, param, splat(t, n, bits, low)), least);
   }
   case 5:
      return hd_urem(&t->b, param, splat(t, n, bits, (r >> 8) % 9));
   default:
      return hd_iand(&t->b, param, splat(t, n, bits, r & 64 ? low : edge));
   }
}

/* A variable: a parameter, or where a condition asks about bits, one of which some are known. */
static hd_def *
variable(struct trial *t, unsigned name, unsigned components, unsigned bits)
{
   hd_def *param = hd_build_param(&t->b, components, bits);
   const uint64_t r = next(&t->random);

   t->params[t->num_params++] = param;
   if (t->row->canonical >> name & 1 && r & 7) {
      switch (r >> 3 & 3) {
      case 0:
         return hd_fsat(&t->b, param);
      case 1:
         return hd_fcanonicalize(&t->b, param);
      case 2:
         return hd_fsqrt(&t->b, param);
      default:
         return hd_fmul(&t->b, param, splat(t, components, bits, hd_float_one(bits) + 1));
      }
   }
   if (t->row->asked >> name & 1 && r & 7) {
      return with_known_bits(t, param, r >> 8);
   }
   return param;
}

static hd_def *
constant(struct trial *t, unsigned name, unsigned components, unsigned bits)
{
   hd_const_value values[HD_MAX_COMPONENTS];
   const bool is_float = reads_float(t->row, name);

   for (unsigned c = 0; c < components; c++)
      hd_const_set(&values[c], bits,
                   c && next(&t->random) & 1 ? hd_const_get(&values[0], bits)
                                             : sample_constant(t, bits, is_float));
   return hd_imm(&t->b, components, bits, values);
}

/* Nodes are numbered so that kids come after their parent: built from the end. */
static void
build_search(struct trial *t)
{
   hd_def *defs[32] = { NULL };
   const struct row *row = t->row;

   /* Names in the order in which they stand, so that relations go from left to right. */
   for (unsigned n = 0; n < row->num_nodes; n++) {
      const struct row_node *node = &row->nodes[n];
      const unsigned components = node->components ? node->components : t->components;
      if ((node->kind == ROW_VAR || node->kind == ROW_CONST) && !t->named[node->name])
         t->named[node->name] = node->kind == ROW_VAR
                                    ? variable(t, node->name, components, t->bits[node->size])
                                    : constant(t, node->name, components, t->bits[node->size]);
   }
   for (unsigned n = row->num_nodes; n-- > 0;) {
      const struct row_node *node = &row->nodes[n];
      const unsigned components = node->components ? node->components : t->components;
      const unsigned bits = t->bits[node->size];
      if (node->kind == ROW_VAR || node->kind == ROW_CONST) {
         defs[n] = t->named[node->name];
      } else if (node->kind == ROW_LITERAL) {
         unsigned size = 0;
         while (all_sizes[size] != bits)
            size++;
         defs[n] = splat(t, components, bits, node->literals[size]);
      } else {
         hd_def *srcs[4];
         for (unsigned k = 0; k < node->num_kids; k++)
            srcs[k] = defs[node->kids[k]];
         const hd_op_info *info = hd_op_get_info((hd_op)node->op);
         const bool swap = info->flags & HD_OP_COMMUTATIVE && next(&t->random) & 1 &&
                           !hd_instr_as_const(hd_def_instr(srcs[1]));
         if (swap) {
            hd_def *first = srcs[0];
            srcs[0] = srcs[1];
            srcs[1] = first;
         }
         t->b.flags = (uint8_t)(n == t->odd_node ? t->odd_flags : t->flags);
         defs[n] = hd_build_alu(&t->b, (hd_op)node->op, node->num_kids, srcs, bits);
         t->b.flags = 0;
         if (n && t->read_twice && bits > 1)
            hd_store_global(&t->b, defs[n], hd_imm_u64(&t->b, 0), 0, bits / 8, 0, 0);
      }
   }
   t->root = defs[0];
}

/* A shader with the search in its start block; false if the search cannot be in these sizes. */
static bool
begin_trial(struct trial *t)
{
   memset(t->named, 0, sizeof(t->named));
   t->num_params = t->num_constants = 0;
   t->b = hd_builder_create(NULL, HD_STAGE_COMPUTE, "rule");
   build_search(t);
   if (t->b.result != HD_OK) {
      hd_shader_destroy(t->b.shader);
      return false;
   }
   t->b.shader->float_controls = t->controls;
   if (t->row->flags & HD_RULE_FINITE && !t->forbids_finite)
      t->b.shader->float_controls |= HD_FLOAT_FINITE;
   return true;
}

static void
end_trial(struct trial *t)
{
   hd_shader *shader = NULL;

   if (hd_builder_finish(&t->b, &shader) == HD_OK)
      hd_shader_destroy(shader);
}

static hd_def *
apply_rule(struct trial *t)
{
   struct hd_rewrite r = { .f = t->b.function, .set = t->set, .only = t->rule };
   uint32_t options[32];
   hd_block *start = hd_function_start(t->b.function);
   hd_instr *first = hd_def_instr(t->root);

   for (unsigned n = 0; n < 32; n++)
      options[n] = UINT32_MAX;
   r.options = options;
   hd_foreach_instr(i, start)
      i->def.mark = (uint8_t)hd_rewrite_state(t->set, i);
   hd_alu *alu = hd_instr_as_alu(hd_def_instr(t->root));
   return alu ? hd_rewrite_by_rules(&r, alu, &first) : NULL;
}

/* Evaluating: all instructions on a batch of operands at once. */

struct batch {
   size_t num;
   hd_const_value *values[MAX_DEFS]; /* num x components, by hd_def.index */
   uint8_t *undefined;               /* by number: a promise of the search is broken */
   uint8_t *broken;                  /* ... of the replacement */
};

static void
note_promises(const struct batch *batch, const hd_instr *i, bool finite, uint8_t *out)
{
   const hd_op_info *info = hd_op_get_info((hd_op)i->op);
   const hd_alu *alu = (const hd_alu *)i;

   if (!(info->flags & HD_OP_FLOAT) || (!finite && !(i->flags & (HD_FP_NO_NAN | HD_FP_NO_INF))))
      return;
   for (unsigned s = 0; s <= i->num_srcs; s++) {
      const hd_def *def = s < i->num_srcs ? alu->src[s].def : &i->def;
      const hd_type_info *type = s < i->num_srcs ? hd_op_src_type(info, s) : &info->result;
      const unsigned comps = def->num_components;
      if (type->kind != HD_KIND_FLOAT)
         continue;
      for (size_t n = 0; n < batch->num * comps; n++) {
         const uint64_t a = hd_const_get(&batch->values[def->index][n], def->bit_size);
         if ((finite && (hd_float_is_nan(def->bit_size, a) || hd_float_is_inf(def->bit_size, a) ||
                         hd_float_is_denorm(def->bit_size, a))) ||
             ((i->flags & HD_FP_NO_NAN) && hd_float_is_nan(def->bit_size, a)) ||
             ((i->flags & HD_FP_NO_INF) && hd_float_is_inf(def->bit_size, a)))
            out[n / comps] = 1;
      }
   }
}

static void
evaluate_alu(const struct trial *t, struct batch *batch, const hd_alu *alu)
{
   const hd_op_info *info = hd_op_get_info((hd_op)alu->instr.op);
   const hd_def *def = &alu->instr.def;
   hd_const_value *out = batch->values[def->index];
   hd_fold_src srcs[HD_MAX_COMPONENTS];
   const uint32_t controls = t->controls;

   for (unsigned s = 0; s < alu->instr.num_srcs; s++)
      srcs[s] = (hd_fold_src){ batch->values[alu->src[s].def->index],
                               { alu->src[s].def->num_components, alu->src[s].def->bit_size } };
   if (info->flags & HD_OP_COMPONENTWISE) {
      hd_fold_functions[alu->instr.op]((unsigned)(batch->num * def->num_components), def->bit_size,
                                       srcs, controls, out);
      return;
   }
   const unsigned n = alu->src[0].def->num_components;
   for (size_t i = 0; i < batch->num; i++) {
      hd_fold_functions[alu->instr.op](info->flags & HD_OP_VARIADIC ? def->num_components : n,
                                       def->bit_size, srcs, controls, out);
      out += def->num_components;
      for (unsigned s = 0; s < alu->instr.num_srcs; s++)
         srcs[s].values += srcs[s].shape.num_components;
   }
}

static void
fill_param(struct trial *t, struct batch *batch, unsigned p, bool is_float, bool exhaustive,
           unsigned shift)
{
   const hd_def *def = t->params[p];
   hd_const_value *out = batch->values[def->index];

   for (size_t n = 0; n < batch->num; n++) {
      for (unsigned c = 0; c < def->num_components; c++) {
         const size_t at = n * def->num_components + c;
         uint64_t value = exhaustive ? n >> shift : sample(t, def->bit_size, is_float);
         const uint64_t r = next(&t->random);
         if (!exhaustive && p && r % 4 == 0 && !(t->row->flags & HD_RULE_INEXACT)) {
            const hd_def *other = t->params[(r >> 8) % p];
            if (other->num_components == def->num_components)
               value = hd_const_get(&batch->values[other->index][at], other->bit_size) +
                       (r >> 32) % 3 - 1;
         }
         hd_const_set(&out[at], def->bit_size, value);
      }
   }
}

/* The root's value and the replacement's agree, as far as this rule says they do. */
static bool
agree(const struct trial *t, const hd_def *def, uint64_t a, uint64_t b)
{
   const unsigned bits = def->bit_size;
   const hd_instr *root = hd_def_instr(t->root);
   const bool is_float = hd_op_get_info((hd_op)root->op)->result.kind == HD_KIND_FLOAT;

   if (a == b)
      return true;
   if (!is_float)
      return false;
   if ((t->row->flags & (HD_RULE_NSZ | HD_RULE_FINITE)) && !hd_float_abs(bits, a) &&
       !hd_float_abs(bits, b))
      return true;
   if (!(t->row->flags & HD_RULE_INEXACT))
      return false;
   double x, y;
   const uint64_t wide_a = hd_float_convert(bits, 64, a, HD_ROUND_NEAREST_EVEN);
   const uint64_t wide_b = hd_float_convert(bits, 64, b, HD_ROUND_NEAREST_EVEN);
   memcpy(&x, &wide_a, 8);
   memcpy(&y, &wide_b, 8);
   const double size = fmax(1, fmax(fabs(x), fabs(y)));
   return fabs(x - y) <= ldexp(size, 5 - (int)hd_float_fraction_bits(bits));
}

static void
describe_failure(const struct trial *t, const struct batch *batch, const hd_def *by, size_t n,
                 unsigned c, char *out, size_t size)
{
   hd_blob text;
   size_t used = (size_t)snprintf(out, size, "%s:", t->row->text);

   for (unsigned p = 0; p < t->num_params && used < size; p++) {
      const hd_def *def = t->params[p];
      const size_t at = n * def->num_components + (def->num_components > 1 ? c : 0);
      used += (size_t)snprintf(
          out + used, size - used, " p%u:%u=%#llx", p, def->bit_size,
          (unsigned long long)hd_const_get(&batch->values[def->index][at], def->bit_size));
   }
   for (unsigned k = 0; k < t->num_constants && used < size; k++)
      used += (size_t)snprintf(out + used, size - used, " k%u=%#llx", k,
                               (unsigned long long)t->constants[k]);
   hd_blob_init(&text, NULL);
   const size_t at = n * by->num_components + c;
   if (used < size)
      snprintf(out + used, size - used, " controls %u flags %#x: %#llx became %#llx%s", t->controls,
               t->flags,
               (unsigned long long)hd_const_get(&batch->values[t->root->index][at], by->bit_size),
               (unsigned long long)hd_const_get(&batch->values[by->index][at], by->bit_size),
               batch->broken[n] && !batch->undefined[n] ? " (undefined)" : "");
   hd_blob_finish(&text);
}

/* How many operands: all there are where that is not too many. */
static size_t
batch_size(const struct trial *t, size_t most, bool *exhaustive)
{
   unsigned total = 0;

   for (unsigned p = 0; p < t->num_params; p++)
      total += t->params[p]->bit_size * t->params[p]->num_components;
   *exhaustive = total <= 16 && (size_t)1 << total <= most && t->components == 1 &&
                 !(t->row->flags & HD_RULE_INEXACT);
   return *exhaustive ? (size_t)1 << total : most < 256 ? most : 256;
}

static bool
compare(struct trial *t, hd_def *by, size_t most, struct proof *proof)
{
   struct batch batch = { 0 };
   bool exhaustive, fine = true;
   const hd_instr *old = hd_def_instr(t->root);
   unsigned shift = 0;

   batch.num = batch_size(t, most, &exhaustive);
   if (by->bit_size != t->root->bit_size || by->num_components != t->root->num_components) {
      snprintf(proof->failure, sizeof(proof->failure), "%s: sizes differ", t->row->text);
      return false;
   }
   batch.undefined = calloc(2, batch.num);
   batch.broken = batch.undefined + batch.num;
   bool after = false;
   hd_foreach_instr(i, hd_function_start(t->b.function)) {
      batch.values[i->def.index] =
          malloc(batch.num * i->def.num_components * sizeof(hd_const_value));
      if (i->kind == HD_INSTR_PARAM) {
         const unsigned p = ((const hd_param *)i)->param_index;
         bool is_float = false;
         for (unsigned name = 0; name < MAX_NAMES; name++)
            is_float |= t->named[name] && reads_float(t->row, name) &&
                        (t->named[name] == t->params[p] || t->row->canonical >> name & 1);
         fill_param(t, &batch, p, is_float, exhaustive, shift);
         shift += i->def.bit_size;
      } else if (i->kind == HD_INSTR_CONST) {
         for (size_t n = 0; n < batch.num * i->def.num_components; n++)
            batch.values[i->def.index][n] = ((const hd_const *)i)->value[n % i->def.num_components];
      } else {
         evaluate_alu(t, &batch, (const hd_alu *)i);
      }
   }
   /* What was there before stands before the new instructions, but for the root, which is last. */
   const uint32_t first_new = t->root->index + 1;
   hd_foreach_instr(i, hd_function_start(t->b.function)) {
      after = i->def.index >= first_new;
      if (i->kind == HD_INSTR_ALU)
         note_promises(&batch, i, !after && t->row->flags & HD_RULE_FINITE,
                       after ? batch.broken : batch.undefined);
   }
   (void)old;
   for (size_t n = 0; fine && n < batch.num; n++) {
      for (unsigned c = 0; fine && !batch.undefined[n] && c < by->num_components; c++) {
         const size_t at = n * by->num_components + c;
         const uint64_t a = hd_const_get(&batch.values[t->root->index][at], by->bit_size);
         const uint64_t b = hd_const_get(&batch.values[by->index][at], by->bit_size);
         proof->num_values++;
         if (!agree(t, by, a, b) || batch.broken[n]) {
            describe_failure(t, &batch, by, n, c, proof->failure, sizeof(proof->failure));
            fine = false;
         }
      }
   }
   for (unsigned n = 0; n < MAX_DEFS; n++)
      free(batch.values[n]);
   free(batch.undefined);
   return fine;
}

static unsigned
wanted_flags(const struct row *row)
{
   return (row->flags & HD_RULE_NNAN ? HD_FP_NO_NAN : 0) |
          (row->flags & HD_RULE_NINF ? HD_FP_NO_INF : 0) |
          (row->flags & HD_RULE_NSZ ? HD_FP_NO_SIGNED_ZERO : 0);
}

/* The next choice of sizes; false after the last. */
static bool
next_sizes(const struct row *row, unsigned *choice, unsigned *bits)
{
   for (;;) {
      unsigned rest = (*choice)++, fits = 1;
      for (unsigned n = 0; n < row->num_sizes; n++) {
         bits[n] = all_sizes[rest % 5];
         fits &= (row->sizes[n] & bits[n]) != 0;
         rest /= 5;
      }
      if (rest)
         return false;
      if (fits)
         return true;
   }
}

static unsigned
num_constants(const struct row *row)
{
   unsigned seen = 0, num = 0;

   for (unsigned n = 0; n < row->num_nodes; n++) {
      if (row->nodes[n].kind == ROW_CONST && !(seen >> row->nodes[n].name & 1)) {
         seen |= 1u << row->nodes[n].name;
         num++;
      }
   }
   return num;
}

static bool
all_at_8(const struct row *row, const unsigned *bits)
{
   for (unsigned n = 0; n < row->num_sizes; n++) {
      if (bits[n] > 8)
         return false;
   }
   return true;
}

/* Samples of constants in one choice of sizes and modes. */
static bool
prove_in(struct trial *t, struct proof *proof)
{
   const unsigned constants = num_constants(t->row);
   const bool small = all_at_8(t->row, t->bits);
   const bool asks = t->row->asked || t->row->canonical;
   uint64_t num = constants == 0 ? (asks ? 300 : 3) : small && constants == 1 ? 300 : 60;
   const size_t most = constants == 0 && !asks ? BATCH : small && constants == 1 ? 256 : 64;

   if (constants == 2 && small)
      num = 1500;
   else if (constants >= 2)
      num = 250;
   for (uint64_t n = 0; n < num; n++) {
      t->number = n;
      t->exhaustive = small && constants == 1 && n < 256;
      t->components = n % 4 == 3 && !t->exhaustive ? 2 : 1;
      if (!begin_trial(t))
         return true;
      hd_def *by = apply_rule(t);
      bool fine = true;
      if (by) {
         proof->num_fired++;
         proof->sizes_fired |= t->root->bit_size;
         fine = compare(t, by, n == 0 ? most : most < 256 ? most : 256, proof);
      }
      end_trial(t);
      if (!fine)
         return false;
   }
   return true;
}

void
prove_rule(const hd_rule_set *set, const struct row *row, unsigned rule, uint64_t seed,
           struct proof *proof)
{
   static const uint32_t modes[] = { 0, HD_FLOAT_FLUSH_16 | HD_FLOAT_FLUSH_32 | HD_FLOAT_FLUSH_64,
                                     HD_FLOAT_RTZ_16 | HD_FLOAT_RTZ_32 | HD_FLOAT_RTZ_64,
                                     HD_FLOAT_MODES };
   struct trial t = { .row = row, .set = set, .rule = rule, .odd_node = UINT32_MAX };
   unsigned choice = 0;

   memset(proof, 0, sizeof(*proof));
   t.random = seed + rule;
   t.flags = wanted_flags(row);
   while (next_sizes(row, &choice, t.bits)) {
      for (unsigned m = 0; m < (row->has_float ? 4 : 1); m++) {
         t.controls = modes[m];
         if (!prove_in(&t, proof))
            return;
      }
   }
}

bool
rule_is_reached(const hd_rule_set *set, const struct row *row, unsigned rule, uint64_t seed,
                uint32_t *fired)
{
   struct trial t = { .row = row, .set = set, .rule = rule, .odd_node = UINT32_MAX };
   uint32_t options[32];
   bool reached = false;

   for (unsigned n = 0; n < 32; n++)
      options[n] = UINT32_MAX;
   t.random = seed + rule;
   t.flags = wanted_flags(row);
   for (unsigned n = 0; n < 2000 && !reached; n++) {
      unsigned num_choices = 1;
      for (unsigned k = 0; k < row->num_sizes; k++)
         num_choices *= 5;
      unsigned choice = (unsigned)(next(&t.random) % num_choices);
      while (!next_sizes(row, &choice, t.bits))
         choice = 0;
      for (unsigned k = 0; k < 4 && !reached; k++) {
         t.components = 1;
         t.controls = row->has_float && n % 4 == 3 ? HD_FLOAT_MODES : 0;
         /* A rule that comes first may ask for inner nodes that nothing else reads. */
         t.read_twice = k & 1;
         if (!begin_trial(&t))
            continue;
         hd_function *f = t.b.function;
         hd_function_set_result(f, t.root->num_components, t.root->bit_size);
         hd_return(&t.b, t.root);
         struct hd_rewrite r = {
            .f = f, .set = set, .only = HD_ANY_RULE, .fired = fired, .options = options
         };
         hd_require(f, HD_META_BLOCK_ORDER);
         hd_rewrite_function(&r);
         reached = fired[rule] != 0;
         end_trial(&t);
      }
   }
   return reached;
}

bool
rule_obeys_flags(const hd_rule_set *set, const struct row *row, unsigned rule, uint64_t seed)
{
   struct trial t = { .row = row, .set = set, .rule = rule };
   const unsigned wanted = wanted_flags(row);
   unsigned choice = 0;
   bool obeys = true;

   t.random = seed + rule;
   t.flags = wanted;
   t.components = 1;
   while (next_sizes(row, &choice, t.bits)) {
      t.odd_node = UINT32_MAX;
      t.forbids_finite = true;
      for (unsigned k = 0; k < 20 && row->flags & HD_RULE_FINITE; k++) {
         if (!begin_trial(&t))
            continue;
         obeys &= apply_rule(&t) == NULL;
         end_trial(&t);
      }
      t.forbids_finite = false;
      for (unsigned n = 0; n < row->num_nodes; n++) {
         if (row->nodes[n].kind != ROW_OP ||
             !(hd_op_get_info((hd_op)row->nodes[n].op)->flags & HD_OP_FLOAT))
            continue;
         for (unsigned flag = HD_FP_EXACT; flag <= HD_FP_NO_SIGNED_ZERO; flag <<= 1) {
            if (!(flag == HD_FP_EXACT ? row->flags & (HD_RULE_INEXACT | HD_RULE_FINITE)
                                      : wanted & flag))
               continue;
            for (unsigned k = 0; k < 20; k++) {
               t.odd_node = n;
               t.odd_flags = wanted ^ flag;
               if (!begin_trial(&t))
                  continue;
               obeys &= apply_rule(&t) == NULL;
               end_trial(&t);
            }
         }
      }
   }
   return obeys;
}
