/* SPDX-License-Identifier: MIT */
/* program_values.c - constants, ops and variables of random programs. */
#include "program.h"

#include "heddle/build_ops.h"

#include <stdlib.h>
#include <string.h>

uint32_t
random_low(program *p, uint32_t below)
{
   const uint32_t a = random_below(&p->g, below), b = random_below(&p->g, below);

   return a < b ? a : b;
}

hd_def *
keep(program *p, hd_def *def, unsigned facts)
{
   generator *g = &p->g;

   if (def && g->b.result == HD_OK && !g->b.dropped && g->num_values < MAX_VALUES) {
      p->facts[g->num_values] = (uint8_t)facts;
      g->values[g->num_values++] = def;
   }
   return def;
}

unsigned
facts_of(const program *p, const hd_def *def)
{
   const hd_instr *i = hd_def_instr(def);

   for (unsigned n = p->g.num_values; n-- > 0;) {
      if (p->g.values[n] == def)
         return p->facts[n];
   }
   return i->kind == HD_INSTR_CONST ? DEFINED | UNIFORM | PROVEN : 0;
}

/* Numbers at which ops change their minds. */
static uint64_t
edge_number(program *p, unsigned bits)
{
   static const uint64_t floats[3][12] = {
      { 0x0000, 0x8000, 0x3c00, 0xbc00, 0x4000, 0x3800, 0x7c00, 0xfc00, 0x7e00, 0x0001, 0x7bff,
        0x4200 },
      { 0x00000000, 0x80000000, 0x3f800000, 0xbf800000, 0x40000000, 0x3f000000, 0x7f800000,
        0xff800000, 0x7fc00000, 0x00000001, 0x7f7fffff, 0x40400000 },
      { 0, UINT64_C(1) << 63, 0x3ff0000000000000, 0xbff0000000000000, 0x4000000000000000,
        0x3fe0000000000000, 0x7ff0000000000000, 0xfff0000000000000, 0x7ff8000000000000, 1,
        0x7fefffffffffffff, 0x4008000000000000 },
   };
   const uint64_t top = UINT64_C(1) << (bits - 1);
   generator *g = &p->g;

   switch (random_below(g, bits >= 16 ? 12 : 9)) {
   case 0:
      return 0;
   case 1:
      return 1;
   case 2:
      return UINT64_MAX;
   case 3:
      return UINT64_C(1) << random_below(g, bits);
   case 4:
      return (UINT64_C(1) << random_below(g, bits)) - 1;
   case 5:
      return top - random_below(g, 2);
   case 6:
   case 7:
      return random_below(g, 20);
   case 8:
      return (uint64_t)random_below(g, UINT32_MAX) << 32 | random_below(g, UINT32_MAX);
   default:
      return floats[bits == 16 ? 0 : bits == 32 ? 1 : 2][random_below(g, 12)];
   }
}

hd_def *
edge_const(program *p, unsigned num_components, unsigned bit_size)
{
   hd_const_value values[HD_MAX_COMPONENTS];
   const bool equal = random_once_in(&p->g, 3);

   for (unsigned n = 0; n < num_components; n++)
      values[n].u64 = n && equal ? values[0].u64 : edge_number(p, bit_size);
   hd_def *def = hd_imm(&p->g.b, num_components, bit_size, values);
   /* Not all, or values would be constants for the most part. */
   return random_once_in(&p->g, 3) ? keep(p, def, DEFINED | UNIFORM | PROVEN) : def;
}

/* Of a scalar of 32 bits, made to have a size. */
static hd_def *
sized(program *p, hd_def *word, unsigned bit_size)
{
   hd_builder *b = &p->g.b;

   if (bit_size == 1)
      return hd_ine(b, hd_iand(b, word, hd_imm_u32(b, 1u << random_low(p, 8))), p->zero);
   if (bit_size == 32)
      return word;
   if (bit_size == 64 && random_once_in(&p->g, 2))
      return hd_umul_wide(b, word, hd_imm_u32(b, 0x9e3779b9));
   return hd_u2u(b, word, bit_size);
}

/* A value that is not a constant: of what there is, brought to this shape. */
static hd_def *
derive(program *p, unsigned num_components, unsigned bit_size, unsigned facts)
{
   hd_def *scalars[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num_components; n++) {
      hd_def *word = p->lane;
      if (facts & UNIFORM || !random_once_in(&p->g, 3))
         word = pick(p, 1, 32, facts);
      scalars[n] = n && random_once_in(&p->g, 3) ? scalars[n - 1] : sized(p, word, bit_size);
   }
   hd_def *def = num_components == 1 ? scalars[0] : hd_vec(&p->g.b, num_components, scalars);
   return keep(p, def, facts);
}

hd_def *
pick(program *p, unsigned num_components, unsigned bit_size, unsigned facts)
{
   generator *g = &p->g;

   for (unsigned n = 0; n < 14 && g->num_values; n++) {
      unsigned at = random_below(g, g->num_values);
      if (random_once_in(g, 2))
         at = g->num_values - 1 - random_low(p, g->num_values);
      hd_def *def = g->values[at];
      if (def->num_components == num_components && def->bit_size == bit_size &&
          (p->facts[at] & facts) == facts)
         return def;
   }
   if (!(facts & DEFINED) && random_once_in(g, 12))
      return keep(p, hd_undef(&g->b, num_components, bit_size), UNIFORM | PROVEN);
   if (bit_size == 32 && num_components == 1 && !(facts & UNIFORM) && random_once_in(g, 3))
      return p->lane;
   if ((bit_size != 32 || num_components > 1) && random_once_in(g, 2))
      return derive(p, num_components, bit_size, facts);
   return edge_const(p, num_components, bit_size);
}

hd_def *
pick_below(program *p, uint32_t power, unsigned facts)
{
   hd_builder *b = &p->g.b;

   if (random_once_in(&p->g, 3))
      return hd_imm_u32(b, random_below(&p->g, power));
   hd_def *mask = hd_imm_u32(b, power - 1);
   return hd_iand(b, pick(p, 1, 32, facts | DEFINED), mask);
}

static hd_def *
compare(program *p, hd_def *x, hd_def *y)
{
   hd_builder *b = &p->g.b;

   switch (random_below(&p->g, 6)) {
   case 0:
      return hd_ult(b, x, y);
   case 1:
      return hd_ule(b, x, y);
   case 2:
      return hd_ilt(b, y, x);
   case 3:
      return hd_ile(b, x, y);
   case 4:
      return hd_ieq(b, x, y);
   default:
      return hd_ine(b, x, y);
   }
}

hd_def *
pick_condition(program *p)
{
   hd_builder *b = &p->g.b;
   hd_def *x, *known;

   switch (random_below(&p->g, 12)) {
   case 0:
      if (random_once_in(&p->g, 2))
         return hd_imm_bool(b, random_once_in(&p->g, 2));
      hd_def *y = hd_imm_u32(b, random_below(&p->g, 4));
      return compare(p, hd_imm_u32(b, random_below(&p->g, 4)), y);
   case 1:
   case 2:
      x = pick(p, 1, 32, DEFINED | UNIFORM);
      return keep(p, compare(p, x, edge_const(p, 1, 32)), DEFINED | (facts_of(p, x) & ~DEFINED));
   case 3:
   case 4:
   case 5:
      known = pick(p, 1, 1, DEFINED);
      if (random_once_in(&p->g, 3))
         return keep(p, hd_inot(b, known), facts_of(p, known));
      return known;
   case 6:
      x = pick(p, 1, 1, DEFINED);
      known = pick(p, 1, 1, DEFINED);
      x = random_once_in(&p->g, 2) ? hd_iand(b, x, known) : hd_ior(b, x, known);
      return keep(p, x, DEFINED);
   default:
      x = random_once_in(&p->g, 3) ? p->lane : pick(p, 1, 32, DEFINED);
      if (!random_once_in(&p->g, 4))
         x = hd_iand(b, x, hd_imm_u32(b, 7u >> random_low(p, 3)));
      return keep(p, compare(p, x, hd_imm_u32(b, random_low(p, 6))), DEFINED);
   }
}

/* A number of ordinary size with a fraction: integers read as floats are next to zero, and what
 * comes of them is not rounded.
 */
static hd_def *
real_number(program *p, unsigned num_components, unsigned bits)
{
   static const double factors[] = { 0.1, 1.0 / 3, 1.7, -0.6, 1.0000001, 3.1415926535 };
   hd_builder *b = &p->g.b;
   hd_def *scalars[HD_MAX_COMPONENTS];

   b->flags = HD_FP_EXACT;
   for (unsigned n = 0; n < num_components; n++) {
      hd_def *x = hd_i2f(b, pick_below(p, 1024, 0), bits);
      scalars[n] = hd_fmul(b, x, hd_imm_float(b, bits, factors[random_below(&p->g, 6)]));
   }
   b->flags = 0;
   hd_def *def = num_components == 1 ? scalars[0] : hd_vec(b, num_components, scalars);
   return keep(p, def, DEFINED);
}

/* What holds of the result of an op with these operands. */
static unsigned
op_facts(const program *p, unsigned num, hd_def *const *srcs)
{
   unsigned facts = DEFINED | UNIFORM | PROVEN;

   for (unsigned n = 0; n < num; n++)
      facts &= facts_of(p, srcs[n]);
   /* What may be promised not to be met would be undefined. */
   if (p->g.b.flags & (HD_FP_NO_NAN | HD_FP_NO_INF))
      facts &= ~(unsigned)DEFINED;
   return facts;
}

static hd_def *
build_op(program *p, hd_op op, unsigned num, hd_def *const *srcs, unsigned bits)
{
   const unsigned facts = op_facts(p, num, srcs);
   hd_def *def = keep(p, hd_build_alu(&p->g.b, op, num, srcs, bits), facts);

   p->g.b.flags = 0;
   return def;
}

static void
exact_flags(program *p)
{
   p->g.b.flags = HD_FP_EXACT;
   if (random_once_in(&p->g, 8))
      p->g.b.flags |= HD_FP_NO_NAN;
   if (random_once_in(&p->g, 8))
      p->g.b.flags |= HD_FP_NO_INF;
}

void
make_op(program *p)
{
   const hd_op op = draw_op(&p->g);
   hd_def *srcs[HD_MAX_COMPONENTS];
   op_fit fit;

   if (!random_fit(&p->g, op, &fit))
      return;
   for (unsigned n = 0; n < fit.num; n++)
      srcs[n] = pick(p, fit.shapes[n].num_components, fit.shapes[n].bit_size,
                     random_once_in(&p->g, 4) ? UNIFORM : 0);
   for (unsigned n = 0; n < fit.num; n++) {
      if (hd_op_src_type(hd_op_get_info(op), n)->kind == HD_KIND_FLOAT && random_once_in(&p->g, 4))
         srcs[n] = real_number(p, fit.shapes[n].num_components, fit.shapes[n].bit_size);
   }
   if (fit.num == 2 && random_once_in(&p->g, 5)) {
      const unsigned n = random_below(&p->g, 2);
      srcs[n] = edge_const(p, fit.shapes[n].num_components, fit.shapes[n].bit_size);
   }
   exact_flags(p);
   hd_def *def = build_op(p, op, fit.num, srcs, fit.bits);
   if (random_once_in(&p->g, 2))
      observe(p, def);
}

/* Patterns: postfix, a b c are operands, k is a small number, the same throughout, other numbers
 * are constants, p q are booleans, the rest ops.
 */
static const char *const integer_patterns[] = {
   "a 0 iadd",
   "a 0 isub",
   "0 a isub",
   "a 1 imul",
   "a 0 imul",
   "a -1 imul",
   "a 8 imul",
   "a a iadd",
   "a a isub",
   "a a iand",
   "a a ixor",
   "a -1 ixor",
   "a -1 iand",
   "a 0 ior",
   "a b iadd b isub",
   "a b isub b iadd",
   "a 3 iadd 5 iadd",
   "a 3 imul 5 imul",
   "a k ishl k ushr",
   "a k ushr k ishl",
   "a k ishl k ishr",
   "a 2 ishl 3 ishl",
   "a 4 ushr 6 ushr",
   "a 15 iand 240 iand",
   "a 1 ior 6 ior",
   "a ineg ineg",
   "a inot inot",
   "a inot 1 iadd",
   "a ineg b iadd",
   "a b ineg isub",
   "a iabs iabs",
   "a ineg iabs",
   "a 8 udiv",
   "a 8 urem",
   "a 8 idiv",
   "a 8 irem",
   "a 8 imod",
   "a 7 udiv",
   "a 7 urem",
   "a 10 idiv",
   "a -3 irem",
   "a 1 udiv",
   "a -1 idiv",
   "a 0 udiv",
   "a 0 urem",
   "a b umin b umax",
   "a 9 umin 5 umin",
   "a 2 imax 7 imin",
   "a b ult inot",
   "a b ieq inot",
   "a 0 ult",
   "a 1 ult",
   "a 0 ilt inot",
   "a b ult a b select",
   "b a ilt a b select",
   "a b ieq a b select",
   "p a a select",
   "p inot a b select",
   "p p a b select c select",
   "p q a b select b select",
   "p a b select 3 iadd",
   "a b isub 0 ieq",
   "a b ixor 0 ine",
   "a 5 iadd 9 ieq",
   "a 3 iadd b 3 iadd ieq",
   "a b iand a ior",
   "a b ior a iand",
   "a b iand c iand a iand",
   "a k ishl b k ishl ior",
   "a k ishl b k ishl iadd",
   "a b imul a c imul iadd",
   "a 255 iand 65535 iand",
   "a inot b inot iand",
   "a inot b inot ior",
   "a b iand a b inot iand ior",
   "a bit_reverse bit_reverse",
   "a 31 ushr 1 iand",
   "a k ushr 255 iand",
   "a 65535 iand k ishl",
   "p q iand p iand",
   "p p inot ior",
   "p q ixor q ixor",
   "p inot q inot iand",
   "a b ult b a ult ior",
   "a b ult a b ule iand",
   "a 8 ult a 20 ult iand",
   "a b uadd_sat b usub_sat",
   "a b iadd_sat",
   "p a b select p c a select iadd",
   "a 1 iadd a 1 iadd imul",
   "a b iadd a b iadd isub",
   "a b imul b a imul ixor",
   "a k rotl k rotr",
   "a bit_count 0 ieq",
   "a find_lsb 0 ilt",
   "a 0 umax",
   "a -1 umin",
};

static const char *const float_patterns[] = {
   "a 0 fadd",
   "a -0 fadd",
   "a 0 fsub",
   "0 a fsub",
   "a 1 fmul",
   "a 2 fmul",
   "a -1 fmul",
   "a 0 fmul",
   "a a fadd",
   "a a fsub",
   "a a fmin",
   "a fneg fneg",
   "a fabs fabs",
   "a fneg fabs",
   "a fabs fneg",
   "a fneg b fmul",
   "a fneg b fneg fmul",
   "a b fneg fadd",
   "a b fneg fsub",
   "a b fmul c fadd",
   "a b fmul c fsub",
   "c a b fmul fsub",
   "a 2 fmul 4 fmul",
   "a 1 fadd 2 fadd",
   "a 1 b ffma",
   "a b 0 ffma",
   "a 0 b ffma",
   "a b fadd b fsub",
   "a 0 fmax 1 fmin",
   "a fsat fsat",
   "a fabs 0 flt",
   "a b flt inot",
   "a b fle inot",
   "a b feq inot",
   "a a feq",
   "a a fneu",
   "a b flt b a flt ior",
   "a b flt a b select",
   "b a flt a b select",
   "a b fmin b fmin",
   "a ffloor ffloor",
   "a ftrunc frint",
   "a 0 feq",
   "a fneg 0 flt",
   "p a fneg a select",
   "a 2 fdiv",
   "a 4 fdiv 2 fmul",
   "a fneg b c ffma",
   "a fsign fabs",
   "a b fadd c fadd",
   "a b fmul a c fmul fadd",
   "p 1 0 select a fmul",
   "a b fcopysign b fcopysign",
   "a ffract ffloor",
   "a 0 flt a fneg a select",
   "a b fmax a fmin",
   "a 1 fadd 1 fsub",
   "a a fmul fabs",
};

/* An operand on the stack: a value, or a number whose size is that of the place where it goes. */
struct term {
   hd_def *def;
   double number;
};

struct pattern_run {
   program *p;
   unsigned bits;
   bool is_float;
   hd_def *letters[26];
   uint32_t k;
   uint8_t flags;
   struct term stack[16];
   unsigned num;
};

static hd_def *
letter_value(struct pattern_run *r, char letter)
{
   hd_def **def = &r->letters[letter - 'a'];

   if (*def)
      return *def;
   if (letter == 'p' || letter == 'q')
      return *def = pick(r->p, 1, 1, DEFINED);
   if (r->is_float && r->flags & HD_FP_EXACT && random_once_in(&r->p->g, 2))
      return *def = real_number(r->p, 1, r->bits);
   if (r->flags & HD_FP_EXACT || !r->is_float)
      return *def = pick(r->p, 1, r->bits, random_once_in(&r->p->g, 6) ? UNIFORM : 0);
   /* A small integer. */
   hd_builder *b = &r->p->g.b;
   hd_def *word = pick_below(r->p, 8, 0);
   *def = hd_i2f(b, hd_isub(b, word, hd_imm_u32(b, 4)), r->bits);
   return *def;
}

static hd_def *
term_value(struct pattern_run *r, const struct term *t, const hd_type_info *type, unsigned bits)
{
   hd_builder *b = &r->p->g.b;

   if (t->def)
      return t->def;
   if (!type->size_variable)
      bits = type->sizes;
   if (bits == 1)
      return hd_imm_bool(b, t->number != 0);
   if (type->kind == HD_KIND_FLOAT || (r->is_float && type->kind == HD_KIND_RAW))
      return hd_imm_float(b, bits, t->number);
   return hd_imm_uint(b, bits, (uint64_t)(int64_t)t->number);
}

/* Apply an op to the top of the stack. False where it does not fit. */
static bool
apply(struct pattern_run *r, hd_op op)
{
   const hd_op_info *info = hd_op_get_info(op);
   const unsigned num = info->num_srcs;
   hd_def *srcs[HD_MAX_OP_SRCS];
   hd_shape shapes[HD_MAX_OP_SRCS], result;
   unsigned bits = r->bits;

   if (r->num < num)
      return false;
   struct term *terms = &r->stack[r->num - num];
   for (unsigned n = 0; n < num; n++) {
      if (terms[n].def && info->src[n].size_variable)
         bits = terms[n].def->bit_size;
   }
   for (unsigned n = 0; n < num; n++) {
      srcs[n] = term_value(r, &terms[n], &info->src[n], bits);
      shapes[n] = (hd_shape){ srcs[n]->num_components, srcs[n]->bit_size };
   }
   if (hd_op_infer_shape(op, num, shapes, 0, &result, NULL) != HD_SHAPE_FITS)
      return false;
   r->p->g.b.flags = r->flags;
   const unsigned facts = op_facts(r->p, num, srcs);
   hd_def *def = hd_build_alu(&r->p->g.b, op, num, srcs, 0);
   /* Steps of inexact arithmetic are not for others to use. */
   if (!r->is_float || r->flags & HD_FP_EXACT)
      keep(r->p, def, facts);
   r->p->g.b.flags = 0;
   r->num -= num;
   r->stack[r->num++] = (struct term){ .def = def };
   return true;
}

/* The value of a pattern, or NULL. */
static hd_def *
run_pattern(struct pattern_run *r, const char *pattern)
{
   for (const char *s = pattern; *s; s += *s == ' ') {
      const size_t length = strcspn(s, " ");
      const hd_op op = hd_op_from_name(s, length);
      if (op != HD_OP_NONE) {
         if (!apply(r, op))
            return NULL;
      } else if (*s == 'k') {
         r->stack[r->num++] = (struct term){ .number = r->k };
      } else if (*s >= 'a' && *s <= 'z') {
         r->stack[r->num++] = (struct term){ .def = letter_value(r, *s) };
      } else {
         r->stack[r->num++] = (struct term){ .number = strtod(s, NULL) };
      }
      s += length;
   }
   return r->stack[0].def;
}

void
make_pattern(program *p)
{
   static const uint8_t sizes[] = { 32, 32, 32, 64, 16, 8 };
   struct pattern_run r = { .p = p, .k = 1 + random_below(&p->g, 7) };
   const unsigned size = random_below(&p->g, 6);
   hd_def *def;

   r.bits = sizes[size];
   if (r.bits >= 16 && random_once_in(&p->g, 3)) {
      r.is_float = true;
      exact_flags(p);
      r.flags = p->g.b.flags;
      p->g.b.flags = 0;
      def = run_pattern(
          &r,
          float_patterns[random_below(&p->g, sizeof(float_patterns) / sizeof(float_patterns[0]))]);
   } else {
      def = run_pattern(&r, integer_patterns[random_below(&p->g, sizeof(integer_patterns) /
                                                                     sizeof(integer_patterns[0]))]);
   }
   if (def)
      observe(p, def);
}

/* Float arithmetic that may be contracted and reassociated: on small integers that changes nothing,
 * but for the sign of a zero, which an exact sum with +0 takes away.
 */
void
make_inexact(program *p)
{
   static const uint8_t sizes[] = { 32, 32, 64, 16 };
   static const char *const patterns[] = {
      "a b fmul c fadd",
      "a b fmul c fsub",
      "c a b fmul fsub",
      "a b fadd c fadd",
      "a 2 fadd 3 fadd",
      "a 2 fmul 3 fmul",
      "a b fmul a c fmul fadd",
      "a b fadd b fsub",
      "a 0 fmul b fadd",
      "a fneg b fmul c fadd",
      "a 0 fadd",
      "a a fsub",
      "a b fadd a b fadd fmul",
      "a 2 fdiv",
      "a b fmul b a fmul fsub",
      "a b c ffma",
      "a 1 fadd b fmul",
      "a b fsub c fadd b fadd",
      "a 0 flt a fneg a select",
      "a b fmin a fmax",
      "p a fneg a select b fmul",
   };
   struct pattern_run r = { .p = p, .k = 1, .is_float = true };
   hd_builder *b = &p->g.b;

   r.bits = sizes[random_below(&p->g, 4)];
   r.flags = random_once_in(&p->g, 3) ? HD_FP_NO_SIGNED_ZERO : 0;
   if (random_once_in(&p->g, 3))
      r.flags |= HD_FP_NO_NAN | HD_FP_NO_INF;
   hd_def *def =
       run_pattern(&r, patterns[random_below(&p->g, sizeof(patterns) / sizeof(patterns[0]))]);
   if (!def)
      return;
   b->flags = HD_FP_EXACT;
   def = hd_fadd(b, def, hd_imm_float(b, r.bits, 0));
   b->flags = 0;
   observe(p, keep(p, def, 0));
}

/* What is there already, made again. */
void
make_again(program *p)
{
   generator *g = &p->g;

   for (unsigned n = 0; n < 6 && g->num_values; n++) {
      const unsigned at = random_below(g, g->num_values);
      const hd_alu *alu = hd_instr_as_alu(hd_def_instr(g->values[at]));
      if (!alu || !alu->instr.block)
         continue;
      const hd_op_info *info = hd_op_get_info((hd_op)alu->instr.op);
      hd_def *srcs[HD_MAX_COMPONENTS];
      for (unsigned k = 0; k < alu->instr.num_srcs; k++)
         srcs[k] = alu->src[k].def;
      if (info->flags & HD_OP_COMMUTATIVE && random_once_in(g, 2)) {
         srcs[0] = alu->src[1].def;
         srcs[1] = alu->src[0].def;
      }
      g->b.flags = (uint8_t)alu->instr.flags;
      hd_def *def = hd_build_alu(&g->b, (hd_op)alu->instr.op, alu->instr.num_srcs, srcs,
                                 info->flags & HD_OP_SIZED ? alu->instr.def.bit_size : 0);
      g->b.flags = 0;
      keep(p, def, p->facts[at]);
      observe(p, def);
      return;
   }
}

/* Variables */

void
use_ssa(program *p)
{
   hd_builder *b = &p->g.b;
   const struct ssa_local *v = &p->ssa[random_below(&p->g, p->num_ssa)];
   const unsigned facts = v->defined ? DEFINED : 0;
   hd_def *old;

   switch (random_below(&p->g, 4)) {
   case 0:
      hd_ssa_write(b, v->var, pick(p, v->shape.num_components, v->shape.bit_size, facts));
      break;
   case 1:
      old = hd_ssa_read(b, v->var);
      hd_def *more = pick(p, v->shape.num_components, v->shape.bit_size, facts);
      if (v->shape.bit_size > 1 && random_once_in(&p->g, 2))
         more = hd_iadd(b, old, more);
      else
         more = hd_ixor(b, old, more);
      hd_ssa_write(b, v->var, keep(p, more, facts));
      break;
   default:
      keep(p, hd_ssa_read(b, v->var), facts);
      break;
   }
}

void
use_local(program *p)
{
   hd_builder *b = &p->g.b;
   const struct local *v = &p->locals[random_below(&p->g, p->num_locals)];
   const uint32_t length = v->var->array_length;
   const unsigned facts = v->defined ? DEFINED : 0;
   hd_def *index = NULL;

   if (length && random_once_in(&p->g, 2)) {
      index = hd_imm_u32(b, random_below(&p->g, length));
   } else if (length) {
      hd_def *size = hd_imm_u32(b, length);
      index = hd_urem(b, pick(p, 1, 32, DEFINED), size);
   }
   if (random_once_in(&p->g, 2)) {
      hd_store_var(b, v->var, index, pick(p, v->var->num_components, v->var->bit_size, facts));
      return;
   }
   hd_def *def = keep(p, hd_load_var(b, v->var, index), facts);
   if (random_once_in(&p->g, 2))
      observe(p, def);
}
