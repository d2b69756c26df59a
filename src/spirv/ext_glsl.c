/* SPDX-License-Identifier: MIT */
/* ext_glsl.c - GLSL.std.450: instructions with pointers, structures or matrices. */
#include "heddle/build_ops.h"
#include "spirv/ext.h"

#include <assert.h>

void
hd_spirv_ext_struct(struct spirv *s, const struct spirv_ext *x, enum hd_math function)
{
   const struct spirv_type *t = hd_spirv_result_type(s, x->instr);
   hd_def *results[HD_MATH_MAX_RESULTS];

   hd_spirv_ext_math(s, x, function, results);
   if (t->kind != TYPE_STRUCT || t->length != 2)
      hd_spirv_invalid(s, "expected a result type with two members");
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (uint32_t n = 0; n < 2; n++) {
      const struct spirv_type *part = hd_spirv_part_type(s, t, n);
      if (!hd_spirv_type_is_leaf(part) || part->components != results[n]->num_components)
         hd_spirv_invalid(s, "member %u of the result has type %u, expected %u components", n,
                          part->id, results[n]->num_components);
      if (!part->is_float && part->bits > 1)
         results[n] = hd_spirv_resize(s, results[n], part->bits);
      if (s->b.result == HD_OK && results[n]->bit_size != part->bits)
         hd_spirv_invalid(s, "member %u of the result has %u bits, expected %u", n, part->bits,
                          results[n]->bit_size);
      v->elements[n] = hd_spirv_make_def(s, part, results[n]);
   }
   hd_spirv_set(s, x->instr, v);
}

void
hd_spirv_ext_interpolate(struct spirv *s, const struct spirv_ext *x,
                         enum hd_spirv_interpolation how)
{
   const struct spirv_pointer *p = hd_spirv_pointer(s, x->operands[0]);
   hd_def *operand = how == HD_SPIRV_AT_CENTROID ? NULL : hd_spirv_ext_operand(s, x, 1);

   const unsigned components = how == HD_SPIRV_AT_OFFSET ? 2 : 1;
   if (operand && (operand->bit_size != 32 || operand->num_components != components))
      hd_spirv_invalid(s, "operand 2 is %u x %u bits, expected %u x 32", operand->num_components,
                       operand->bit_size, components);
   hd_spirv_set_def(s, x->instr, hd_spirv_interpolate_at(s, p, how, operand));
}

void
hd_spirv_cross(struct spirv *s, const struct spirv_ext *x)
{
   hd_builder *b = &s->b;
   hd_def *l = hd_spirv_ext_operand(s, x, 0), *r = hd_spirv_ext_operand(s, x, 1);
   hd_def *parts[4];
   const unsigned components = l->num_components;

   /* OpenCL's can have a fourth component, which becomes 0. */
   if (components < 3 || components > (s->kernel ? 4 : 3) || r->num_components != components ||
       l->bit_size != r->bit_size || l->bit_size < 16)
      hd_spirv_invalid(s, "expected vectors of three numbers, found %u x %u and %u x %u bits",
                       components, l->bit_size, r->num_components, r->bit_size);
   for (unsigned c = 0; c < 3; c++) {
      const unsigned m = (c + 1) % 3, n = (c + 2) % 3;
      hd_def *r_m = hd_build_channel(b, r, m);
      hd_def *rest = hd_fmul(b, hd_build_channel(b, l, n), r_m);
      hd_def *less = hd_fneg(b, rest);
      hd_def *r_n = hd_build_channel(b, r, n);
      parts[c] = hd_ffma(b, hd_build_channel(b, l, m), r_n, less);
   }
   parts[3] = components > 3 ? hd_imm_float(b, l->bit_size, 0) : NULL;
   hd_spirv_set_def(s, x->instr, hd_build_vec(b, components, parts));
}

/* Matrices ----------------------------------------------------------------------------------- */

struct matrix {
   hd_builder *b;
   unsigned size;
   hd_def *at[4][4]; /* column, row */
};

static void
read_matrix(struct spirv *s, const struct spirv_ext *x, struct matrix *m)
{
   struct spirv_value *v = hd_spirv_value(s, x->operands[0]);
   const struct spirv_type *t = v->type;

   if (t->kind != TYPE_MATRIX || t->length != t->components)
      hd_spirv_invalid(s, "expected a square matrix as operand");
   m->b = &s->b;
   m->size = t->length;
   assert(m->size > 1);
   for (unsigned c = 0; c < m->size; c++) {
      struct spirv_value *column = hd_spirv_part(s, v, c);
      for (unsigned r = 0; r < m->size; r++)
         m->at[c][r] = hd_build_channel(m->b, column->def, r);
   }
}

/* a a2 - c d */
static hd_def *
difference(hd_builder *b, hd_def *a, hd_def *a2, hd_def *c, hd_def *d)
{
   return hd_ffma(b, a, a2, hd_fneg(b, hd_fmul(b, c, d)));
}

/* Of the matrix made of these columns and rows: 1 to 3 of them. */
static hd_def *
minor(const struct matrix *m, unsigned size, const unsigned *columns, const unsigned *rows)
{
   hd_builder *b = m->b;
   hd_def *parts[3];

   if (size == 1)
      return m->at[columns[0]][rows[0]];
   if (size == 2)
      return difference(b, m->at[columns[0]][rows[0]], m->at[columns[1]][rows[1]],
                        m->at[columns[1]][rows[0]], m->at[columns[0]][rows[1]]);
   for (unsigned c = 0; c < 3; c++) {
      const unsigned others[2] = { columns[c == 0 ? 1 : 0], columns[c == 2 ? 1 : 2] };
      hd_def *rest = difference(b, m->at[others[0]][rows[1]], m->at[others[1]][rows[2]],
                                m->at[others[1]][rows[1]], m->at[others[0]][rows[2]]);
      parts[c] = c == 1 ? hd_fneg(b, rest) : rest;
   }
   hd_def *sum = hd_fmul(b, m->at[columns[2]][rows[0]], parts[2]);
   for (unsigned c = 2; c-- > 0;)
      sum = hd_ffma(b, m->at[columns[c]][rows[0]], parts[c], sum);
   return sum;
}

/* Without column c and row r, with its sign. */
static hd_def *
cofactor(const struct matrix *m, unsigned c, unsigned r)
{
   unsigned columns[3] = { 0 }, rows[3] = { 0 };

   for (unsigned n = 0; n + 1 < m->size; n++) {
      columns[n] = n + (n >= c);
      rows[n] = n + (n >= r);
   }
   hd_def *d = minor(m, m->size - 1, columns, rows);
   return (c + r) % 2 ? hd_fneg(m->b, d) : d;
}

/* By its first row, whose cofactors are these. */
static hd_def *
determinant(const struct matrix *m, hd_def *const *cofactors)
{
   hd_def *sum = hd_fmul(m->b, m->at[m->size - 1][0], cofactors[m->size - 1]);

   for (unsigned c = m->size - 1; c-- > 0;)
      sum = hd_ffma(m->b, m->at[c][0], cofactors[c], sum);
   return sum;
}

void
hd_spirv_determinant(struct spirv *s, const struct spirv_ext *x)
{
   struct matrix m;
   hd_def *cofactors[4] = { NULL };

   read_matrix(s, x, &m);
   for (unsigned c = 0; c < m.size; c++)
      cofactors[c] = cofactor(&m, c, 0);
   hd_spirv_set_def(s, x->instr, determinant(&m, cofactors));
}

void
hd_spirv_inverse(struct spirv *s, const struct spirv_ext *x)
{
   const struct spirv_type *t = hd_spirv_result_type(s, x->instr);
   struct matrix m;
   hd_def *cofactors[4][4] = { { NULL } }; /* row, column */

   read_matrix(s, x, &m);
   if (t->kind != TYPE_MATRIX || t->length != m.size || t->components != m.size)
      hd_spirv_invalid(s, "result type %u is not the %u x %u matrix of the operand", t->id, m.size,
                       m.size);
   for (unsigned r = 0; r < m.size; r++) {
      for (unsigned c = 0; c < m.size; c++)
         cofactors[r][c] = cofactor(&m, c, r);
   }
   hd_def *scale = hd_frcp(m.b, determinant(&m, cofactors[0]));
   struct spirv_value *v = hd_spirv_make_composite(s, t);
   for (unsigned c = 0; c < m.size; c++) {
      hd_def *scalars[4];
      for (unsigned r = 0; r < m.size; r++)
         scalars[r] = hd_fmul(m.b, cofactors[c][r], scale);
      hd_def *column = hd_build_vec(m.b, m.size, scalars);
      v->elements[c] = hd_spirv_make_def(s, hd_spirv_part_type(s, t, c), column);
   }
   hd_spirv_set(s, x->instr, v);
}
