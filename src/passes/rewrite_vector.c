/* SPDX-License-Identifier: MIT */
/* rewrite_vector.c - constant folding and vector rules that are not rows of the rule tables. */
#include "passes/rewrite.h"

#include "heddle/op_enum.h"
#include "ir/fold.h"
#include "passes/pass.h"

#include <assert.h>

/* The number that a scalar constant operand is. */
static bool
index_of(const hd_src *src, uint64_t *index)
{
   const hd_const *c = hd_src_as_const(src);

   if (c)
      *index = hd_const_get(&c->value[0], c->instr.def.bit_size);
   return c != NULL;
}

static hd_def *
zero(struct hd_rewrite *r, hd_alu *alu, hd_instr **first)
{
   hd_const_value none = { .u64 = 0 };

   return hd_rewrite_constant(r, &alu->instr, 1, alu->instr.def.bit_size, &none, first);
}

/* channel(vec(a, b, ..), 1) is b; channel(insert_channel(v, x, 1), 1) is x, and of another channel
 * that of v.
 */
static hd_def *
rewrite_channel(struct hd_rewrite *r, hd_alu *alu, hd_instr **first)
{
   hd_def *vector = alu->src[0].def;
   uint64_t index, inserted;

   if (!index_of(&alu->src[1], &index))
      return NULL;
   if (index >= vector->num_components)
      return zero(r, alu, first);
   if (vector->num_components == 1)
      return vector;
   const hd_alu *from = hd_instr_as_alu(hd_def_instr(vector));
   if (from && from->instr.op == HD_OP_VEC)
      return from->src[index].def;
   const hd_const *c = hd_instr_as_const(hd_def_instr(vector));
   if (c)
      return hd_rewrite_constant(r, &alu->instr, 1, vector->bit_size, &c->value[index], first);
   if (!from || from->instr.op != HD_OP_INSERT_CHANNEL || !index_of(&from->src[2], &inserted))
      return NULL;
   if (inserted == index)
      return from->src[1].def;
   hd_instr *copy = hd_instr_clone(r->f->shader, &alu->instr);
   hd_instr_set_src(copy, 0, from->src[0].def);
   hd_instr_insert(hd_before_instr(&alu->instr), copy);
   *first = copy;
   return &copy->def;
}

/* vec(channel(v, 0), channel(v, 1), ..), all of them, is v; a vector of one scalar is that. */
static hd_def *
rewrite_vec(hd_alu *alu)
{
   hd_def *whole = NULL;

   if (alu->instr.num_srcs == 1)
      return alu->src[0].def;
   for (unsigned n = 0; n < alu->instr.num_srcs; n++) {
      const hd_alu *part = hd_instr_as_alu(hd_def_instr(alu->src[n].def));
      uint64_t index;
      if (!part || part->instr.op != HD_OP_CHANNEL || !index_of(&part->src[1], &index) ||
          index != n || (whole && part->src[0].def != whole))
         return NULL;
      whole = part->src[0].def;
   }
   return whole && whole->num_components == alu->instr.num_srcs ? whole : NULL;
}

/* Into a vector that is made here, and whose other channels are all known: a new vector. */
static hd_def *
rewrite_insert(struct hd_rewrite *r, hd_alu *alu, hd_instr **first)
{
   hd_def *vector = alu->src[0].def;
   uint64_t index;

   if (!index_of(&alu->src[2], &index))
      return NULL;
   if (index >= vector->num_components)
      return vector;
   if (vector->num_components == 1)
      return alu->src[1].def;
   const hd_alu *from = hd_instr_as_alu(hd_def_instr(vector));
   const hd_const *c = hd_instr_as_const(hd_def_instr(vector));
   if ((!from || from->instr.op != HD_OP_VEC) && !c)
      return NULL;
   hd_def *parts[HD_MAX_COMPONENTS];
   for (unsigned n = 0; n < vector->num_components; n++) {
      parts[n] =
          n == index ? alu->src[1].def
          : from     ? from->src[n].def
                 : hd_rewrite_constant(r, &alu->instr, 1, vector->bit_size, &c->value[n], first);
   }
   hd_alu *vec = hd_alu_create(r->f->shader, HD_OP_VEC, vector->num_components,
                               vector->num_components, vector->bit_size);
   for (unsigned n = 0; n < vector->num_components; n++)
      hd_instr_set_src(&vec->instr, n, parts[n]);
   vec->instr.loc = alu->instr.loc;
   hd_instr_insert(hd_before_instr(&alu->instr), &vec->instr);
   if (*first == &alu->instr)
      *first = &vec->instr;
   return &vec->instr.def;
}

hd_def *
hd_rewrite_vector(struct hd_rewrite *r, hd_alu *alu, hd_instr **first)
{
   switch (alu->instr.op) {
   case HD_OP_CHANNEL:
      return rewrite_channel(r, alu, first);
   case HD_OP_VEC:
      return rewrite_vec(alu);
   default: /* HD_OP_INSERT_CHANNEL */
      return rewrite_insert(r, alu, first);
   }
}

hd_def *
hd_rewrite_fold(struct hd_rewrite *r, hd_alu *alu, hd_instr **first)
{
   hd_const_value result[HD_MAX_COMPONENTS];
   hd_fold_src srcs[HD_MAX_COMPONENTS];
   const hd_def *def = &alu->instr.def;

   assert(alu->instr.num_srcs > 0);
   for (unsigned n = 0; n < alu->instr.num_srcs; n++) {
      const hd_const *c = hd_src_as_const(&alu->src[n]);
      if (!c)
         return NULL;
      srcs[n].values = c->value;
      srcs[n].shape = (hd_shape){ c->instr.def.num_components, c->instr.def.bit_size };
   }
   hd_fold_fitting((hd_op)alu->instr.op, srcs, (hd_shape){ def->num_components, def->bit_size },
                   r->f->shader->float_controls, result);
   return hd_rewrite_constant(r, &alu->instr, def->num_components, def->bit_size, result, first);
}
