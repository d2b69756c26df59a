/* SPDX-License-Identifier: MIT */
/* opt_matrix_chain.c - matrix chain ordering: a product of two matrices that is only multiplied by a vector
 * becomes two products of a matrix and a vector.
 *
 *    (A * B) * v     =>     A * (B * v)          of 4 x 4: 80 products become 32
 *
 * A product is as readers make it, a sum of columns: A * v is ((a3 * v.wwww + a2 * v.zzzz) + a1 * v.yyyy) + a0 * v.xxxx,
 * of which the first may be without a factor, which was 1; columns with the factor 0 are gone. Column j of
 * A * B is A times column j of B. Each is read once, or the product would be there anyway. All are in one
 * block: a product outside of a loop is made once.
 *
 * It is another order of sums, and other products: numbers must be finite, and nothing exact.
 *
 * Requires:  valid IR.
 * Preserves: all that depends on the graph alone.
 * Leaves:    the columns of A * B to opt_dce; B * v, if it is there already, to opt_cse.
 * Tests:     tests/passes/opt_matrix_chain.hd
 */
#include "heddle/build.h"
#include "heddle/build_ops.h"
#include "heddle/op_enum.h"
#include "passes/pass.h"

#define MAX_SIZE 4u

/* column * factor in all components; without one: column */
struct term {
   hd_def *column, *factor;
};

struct product {
   struct term term[MAX_SIZE];
   unsigned num;
};

static bool
is_read_once(const hd_def *def)
{
   return def->uses && !hd_src_next_use(def->uses);
}

/* The instruction, if it is this op, and like that one. */
static hd_instr *
as_op(const hd_def *def, hd_op op, const hd_instr *like)
{
   hd_instr *i = hd_def_instr(def);

   return i->kind == HD_INSTR_ALU && i->op == op && i->flags == like->flags &&
                  i->block == like->block
              ? i
              : NULL;
}

/* What is in all components, or NULL. */
static hd_def *
splat_of(const hd_def *def)
{
   const hd_instr *i = hd_def_instr(def);

   if (i->kind != HD_INSTR_ALU || i->op != HD_OP_VEC)
      return NULL;
   for (unsigned n = 1; n < i->num_srcs; n++) {
      if (hd_instr_src(i, n)->def != hd_instr_src(i, 0)->def)
         return NULL;
   }
   return hd_instr_src(i, 0)->def;
}

static struct term
read_term(hd_def *def, const hd_instr *like)
{
   const hd_instr *i = as_op(def, HD_OP_FMUL, like);

   for (unsigned n = 0; i && n < 2; n++) {
      hd_def *factor = splat_of(hd_instr_src(i, 1 - n)->def);
      if (factor)
         return (struct term){ hd_instr_src(i, n)->def, factor };
   }
   return (struct term){ def, NULL };
}

/* A sum of at most so many columns, from the last, which may be a sum itself. */
static bool
read_product(hd_def *def, const hd_instr *like, unsigned most, struct product *p)
{
   const hd_instr *i = as_op(def, HD_OP_FADD, like);

   p->num = 0;
   for (; i && p->num < most - 1; i = is_read_once(def) ? as_op(def, HD_OP_FADD, like) : NULL) {
      p->term[p->num++] = read_term(hd_instr_src(i, 1)->def, like);
      def = hd_instr_src(i, 0)->def;
   }
   if (!p->num)
      return false;
   p->term[p->num++] = read_term(def, like);
   return true;
}

/* The vector whose component n is the factor of column n, or NULL. */
static hd_def *
factors_of(const struct product *p)
{
   hd_def *vector = NULL;

   for (unsigned n = 0; n < p->num; n++) {
      const hd_instr *i = p->term[n].factor ? hd_def_instr(p->term[n].factor) : NULL;
      if (!i || i->kind != HD_INSTR_ALU || i->op != HD_OP_CHANNEL)
         return NULL;
      const hd_const *at = hd_src_as_const(hd_instr_src(i, 1));
      if (!at || at->value[0].u32 != n || (vector && hd_instr_src(i, 0)->def != vector))
         return NULL;
      vector = hd_instr_src(i, 0)->def;
   }
   return vector;
}

/* A of the column of A * B that this product is, and the column of B. */
static hd_def *
read_column(const struct term *t, const hd_instr *like, struct product *a)
{
   return is_read_once(t->column) && read_product(t->column, like, MAX_SIZE, a) ? factors_of(a)
                                                                                : NULL;
}

static bool
are_same_columns(const struct product *a, const struct product *b)
{
   if (a->num != b->num)
      return false;
   for (unsigned n = 0; n < a->num; n++) {
      if (a->term[n].column != b->term[n].column)
         return false;
   }
   return true;
}

static hd_def *
build_product(hd_builder *b, const struct product *p)
{
   hd_def *sum = NULL;

   for (unsigned n = p->num; n-- > 0;) {
      hd_def *part = p->term[n].column, *splat[HD_MAX_COMPONENTS];
      if (p->term[n].factor) {
         for (unsigned c = 0; c < part->num_components; c++)
            splat[c] = p->term[n].factor;
         hd_def *factors = hd_build_vec(b, part->num_components, splat);
         part = hd_fmul(b, part, factors);
      }
      sum = sum ? hd_fadd(b, sum, part) : part;
   }
   return sum;
}

static bool
reorder(hd_instr *i, unsigned most)
{
   struct product v, a, other;

   if (i->flags & HD_FP_EXACT || i->def.num_components < 2 || !i->def.uses ||
       !read_product(&i->def, i, most, &v) || v.num != most)
      return false;
   for (unsigned n = 0; n < v.num; n++) {
      hd_def *column = read_column(&v.term[n], i, n ? &other : &a);
      if (!column || (n && (!are_same_columns(&a, &other) ||
                            column->num_components != v.term[0].column->num_components)))
         return false;
      v.term[n].column = column;
   }
   hd_builder b = hd_builder_at(hd_before_instr(i));
   b.loc = i->loc;
   b.flags = (uint8_t)i->flags;
   hd_def *vector = build_product(&b, &v);
   for (unsigned n = 0; n < a.num; n++)
      a.term[n].factor = hd_build_channel(&b, vector, n);
   hd_def_replace_uses(&i->def, build_product(&b, &a));
   hd_instr_remove(i);
   return true;
}

/* From the last: a sum is looked at before its parts, which nobody reads afterwards. */
bool
hd_opt_matrix_chain(hd_function *f)
{
   bool progress = false;

   if (!(f->shader->float_controls & HD_FLOAT_FINITE))
      return false;
   hd_foreach_block(block, f) {
      hd_foreach_instr_rev_safe(i, block) {
         pass_step(f, 1);
         if (i->kind == HD_INSTR_ALU && i->op == HD_OP_FADD &&
             (reorder(i, 4) || reorder(i, 3) || reorder(i, 2)))
            progress = true;
      }
   }
   return hd_progress(f, progress, OPT_MATRIX_CHAIN_KEEPS);
}
