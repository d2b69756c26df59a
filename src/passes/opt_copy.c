/* SPDX-License-Identifier: MIT */
/* opt_copy.c - copy propagation.
 *
 *    %3 = vec %1, %2                       %3 = vec %1, %2        (unused, if that was all)
 *    %4 = insert_channel %3, %a, 0    =>   %4 = vec %a, %2
 *    %5 = channel %4, 1                    ... %2, wherever it was %5
 *    %6 = vec (channel %v, 0), (channel %v, 1)      ... %v, wherever it was %6
 *    %7 = u2u:32 %8:32                              ... %8, wherever it was %7
 *
 * Blocks are visited in reverse postorder, so an operand is final before it is read. For each
 * vector that is built, the pass records its scalars, and which of its components come from another
 * vector.
 *
 * Requires:  valid IR; block order.
 * Preserves: all that depends on the graph alone.
 * Leaves:    unused vectors and constants to opt_dce; phis that are copies to opt_phi; variables to
 *            opt_vars_split and opt_vars_to_ssa; unreachable code as it is.
 * Tests:     tests/passes/opt_copy.hd, tests/passes/test_run.c
 */
#include "heddle/op_enum.h"
#include "passes/pass.h"

/* What a vector is made of: scalars, and else the same components of `rest`. */
struct parts {
   hd_def *rest; /* NULL where there are scalars for all */
   hd_def *scalar[HD_TAIL];
};

struct state {
   hd_function *f;
   hd_stack *stack;
   struct parts **parts; /* by def index, below num_defs; NULL: nothing is known */
   uint32_t num_defs;
};

static struct parts *
parts_of(const struct state *s, const hd_def *def)
{
   return def->index < s->num_defs ? s->parts[def->index] : NULL;
}

static struct parts *
make_parts(struct state *s, unsigned num)
{
   return hd_stack_alloc_zero(s->stack, sizeof(struct parts) + num * sizeof(hd_def *));
}

/* A component that an op names by a constant; false if it is not one. */
static bool
named_component(const hd_instr *i, unsigned slot, uint32_t *component)
{
   const hd_const *c = hd_src_as_const(hd_instr_src(i, slot));

   if (c)
      *component = c->value[0].u32;
   return c != NULL;
}

static bool
is_op(const hd_instr *i, hd_op op)
{
   return i->kind == HD_INSTR_ALU && i->op == op;
}

/* The vector all of whose components these are, in their order; or NULL. */
static hd_def *
whole_vector(const hd_instr *i)
{
   hd_def *vector = NULL;
   unsigned n = 0;

   hd_foreach_src(src, i) {
      const hd_instr *part = hd_def_instr(src->def);
      uint32_t component;
      if (!is_op(part, HD_OP_CHANNEL) || !named_component(part, 1, &component) || component != n)
         return NULL;
      hd_def *from = hd_instr_src(part, 0)->def;
      if ((vector && from != vector) || from->num_components != i->def.num_components)
         return NULL;
      vector = from;
      n++;
   }
   return vector;
}

static hd_def *
visit_vec(struct state *s, hd_instr *i)
{
   hd_def *vector = i->num_srcs == 1 ? hd_instr_src(i, 0)->def : whole_vector(i);

   if (vector)
      return vector;
   struct parts *parts = make_parts(s, i->num_srcs);
   for (unsigned n = 0; n < i->num_srcs; n++)
      parts->scalar[n] = hd_instr_src(i, n)->def;
   s->parts[i->def.index] = parts;
   return NULL;
}

static hd_def *
make_vec(struct state *s, hd_instr *before, hd_def *const *scalars, unsigned num)
{
   hd_alu *vec = hd_alu_create(s->f->shader, HD_OP_VEC, num, num, before->def.bit_size);

   for (unsigned n = 0; n < num; n++)
      hd_instr_set_src(&vec->instr, n, scalars[n]);
   vec->instr.loc = before->loc;
   hd_instr_insert(hd_before_instr(before), &vec->instr);
   return &vec->instr.def;
}

static hd_def *
visit_insert(struct state *s, hd_instr *i)
{
   const unsigned num = i->def.num_components;
   hd_def *vector = hd_instr_src(i, 0)->def, *scalar = hd_instr_src(i, 1)->def;
   const hd_instr *from = hd_def_instr(scalar);
   const struct parts *old = parts_of(s, vector);
   uint32_t component, k;

   if (!named_component(i, 2, &component))
      return NULL;
   if (component >= num)
      return vector;
   if (is_op(from, HD_OP_CHANNEL) && hd_instr_src(from, 0)->def == vector &&
       named_component(from, 1, &k) && k == component)
      return vector;
   if (num == 1)
      return scalar;
   struct parts *parts = make_parts(s, num);
   parts->rest = old ? old->rest : vector;
   if (old)
      memcpy(parts->scalar, old->scalar, num * sizeof(hd_def *));
   if (parts->scalar[component] == scalar)
      return vector;
   parts->scalar[component] = scalar;
   bool all = true;
   for (unsigned n = 0; n < num; n++)
      all &= parts->scalar[n] != NULL;
   hd_def *vec = all ? make_vec(s, i, parts->scalar, num) : NULL;
   parts->rest = all ? NULL : parts->rest;
   s->parts[vec ? vec->index : i->def.index] = parts;
   return vec;
}

/* Past the insertions that are about other components. */
static hd_def *
visit_channel(struct state *s, hd_instr *i, bool *progress)
{
   hd_def *vector = hd_instr_src(i, 0)->def;
   const struct parts *parts = parts_of(s, vector);
   uint32_t component;

   if (!named_component(i, 1, &component))
      return NULL;
   if (component >= vector->num_components) {
      hd_const *zero = hd_const_create(s->f->shader, 1, i->def.bit_size, NULL);
      hd_instr_insert(hd_before_instr(i), &zero->instr);
      return &zero->instr.def;
   }
   if (vector->num_components == 1)
      return vector;
   if (parts && parts->scalar[component])
      return parts->scalar[component];
   if (parts && parts->rest && parts->rest != vector) {
      hd_src_set_def(hd_instr_src(i, 0), parts->rest);
      *progress = true;
   }
   return NULL;
}

/* What the instruction is a copy of, or NULL. */
static hd_def *
visit(struct state *s, hd_instr *i, bool *progress)
{
   switch ((hd_op)i->op) {
   case HD_OP_VEC:
      return visit_vec(s, i);
   case HD_OP_INSERT_CHANNEL:
      return visit_insert(s, i);
   case HD_OP_CHANNEL:
      return visit_channel(s, i, progress);
   case HD_OP_U2U:
   case HD_OP_I2I: {
      hd_def *def = hd_instr_src(i, 0)->def;
      return def->bit_size == i->def.bit_size ? def : NULL;
   }
   default:
      return NULL;
   }
}

bool
hd_opt_copy(hd_function *f)
{
   struct state s = { .f = f, .stack = hd_shader_stack(f->shader) };
   uint32_t num_blocks, num_alus = 0;
   hd_block *const *rpo = hd_function_rpo(f, &num_blocks);
   bool progress = false;

   hd_foreach_block(b, f) {
      hd_foreach_instr(i, b)
         num_alus += i->kind == HD_INSTR_ALU;
   }
   /* For each op at most one value is made. */
   s.num_defs = f->num_defs + num_alus;
   s.parts = hd_stack_alloc_zero(s.stack, ((size_t)s.num_defs + 1) * sizeof(*s.parts));
   for (uint32_t n = 0; n < hd_function_num_reachable(f); n++) {
      if (hd_block_is_end(rpo[n]))
         continue;
      hd_foreach_instr_safe(i, rpo[n]) {
         pass_step(f, 1);
         hd_def *by = i->kind == HD_INSTR_ALU ? visit(&s, i, &progress) : NULL;
         if (!by)
            continue;
         hd_def_replace_uses(&i->def, by);
         hd_instr_remove(i);
         progress = true;
      }
   }
   return hd_progress(f, progress, OPT_COPY_KEEPS);
}
