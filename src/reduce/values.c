/* SPDX-License-Identifier: MIT */
/* values.c - test-case reduction: instructions: remove, or replace by a constant or an operand.
 *
 *    what is unused   with whatever only it used
 *    values           zeros
 *    conditions       true
 *    detours          a value is one of its operands
 *    constants        0, 1, half; one of those that are equal
 */
#include "reduce/reduce.h"

#include <string.h>

#include "heddle/ops.h"

hd_def *
hd_reduce_constant_at_start(hd_function *f, unsigned num_components, unsigned bit_size, bool ones)
{
   hd_const_value value[HD_MAX_COMPONENTS] = { { .u64 = 0 } };

   hd_foreach_instr(i, hd_function_start(f)) {
      const hd_const *c = hd_instr_as_const(i);
      bool equal = c && i->def.num_components == num_components && i->def.bit_size == bit_size;
      for (unsigned n = 0; equal && n < num_components; n++)
         equal = c->value[n].u64 == ones;
      if (equal)
         return &i->def;
      if (i->kind != HD_INSTR_PARAM && i->kind != HD_INSTR_CONST)
         break;
   }
   for (unsigned n = 0; n < num_components; n++)
      value[n].u64 = ones;
   hd_const *c = hd_const_create(f->shader, num_components, bit_size, value);
   if (!c)
      return NULL;
   hd_instr_insert(hd_after_phis(hd_function_start(f)), &c->instr);
   return &c->instr.def;
}

bool
hd_reduce_replace_by_zero(hd_function *f, hd_def *def)
{
   if (!def->uses)
      return true;
   hd_def *zero = hd_reduce_constant_at_start(f, def->num_components, def->bit_size, false);
   if (!zero)
      return false;
   if (zero != def)
      hd_def_replace_uses(def, zero);
   return true;
}

/* May it go when nothing reads it? */
static bool
can_go(const hd_instr *i)
{
   return i->kind != HD_INSTR_JUMP && i->kind != HD_INSTR_PARAM;
}

static bool
has_effect(const hd_instr *i)
{
   if (i->kind == HD_INSTR_INTRINSIC)
      return !(hd_instr_intrinsic_info(i)->flags & HD_CAN_ELIMINATE);
   return i->kind == HD_INSTR_CALL || i->kind == HD_INSTR_STORE_VAR;
}

static void
list_unused(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (can_go(i) && !i->def.uses)
               hd_reduce_add_site(list, f, i, 0);
         }
      }
   }
}

/* Remove it, then what it alone read, as long as that has no effect and is not a site of its own:
 * that was used until now.
 */
static bool
remove_unused(const site *s, hd_shader *shader)
{
   hd_instr *i = s->object;

   (void)shader;
   if (i->def.uses)
      return false;
   while (i) {
      hd_instr *next = NULL;
      hd_foreach_src(src, i) {
         hd_instr *read = hd_def_instr(src->def);
         const hd_src *use = read->def.uses;
         if (read != i && can_go(read) && !has_effect(read) && use == src && !hd_src_next_use(use))
            next = read;
      }
      hd_instr_remove(i);
      i = next;
   }
   return true;
}

static bool
is_simple(const hd_instr *i)
{
   return i->kind == HD_INSTR_CONST;
}

static void
list_values(sites *list, hd_shader *shader, bool booleans, unsigned operand)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (is_simple(i) || !hd_instr_def(i) || !i->def.uses)
               continue;
            if (booleans && (i->def.bit_size != 1 || i->def.num_components != 1))
               continue;
            hd_reduce_add_site(list, f, i, operand);
         }
      }
   }
}

static void
list_zeros(sites *list, hd_shader *shader)
{
   list_values(list, shader, false, 0);
}

static bool
make_zero(const site *s, hd_shader *shader)
{
   hd_instr *i = s->object;

   (void)shader;
   if (!hd_reduce_replace_by_zero(s->f, &i->def))
      return false;
   if (can_go(i) && !has_effect(i))
      hd_instr_remove(i);
   return true;
}

static void
list_trues(sites *list, hd_shader *shader)
{
   list_values(list, shader, true, 0);
}

static bool
make_true(const site *s, hd_shader *shader)
{
   hd_instr *i = s->object;
   hd_def *one = hd_reduce_constant_at_start(s->f, 1, 1, true);

   (void)shader;
   if (!one)
      return false;
   hd_def_replace_uses(&i->def, one);
   if (can_go(i) && !has_effect(i))
      hd_instr_remove(i);
   return true;
}

/* The operand with this number, if it has the shape of the result. */
static hd_def *
similar_operand(const hd_instr *i, unsigned n)
{
   if (n >= hd_instr_num_srcs(i))
      return NULL;
   hd_def *def = hd_instr_src(i, n)->def;
   const bool similar = def != &i->def && def->num_components == i->def.num_components &&
                        def->bit_size == i->def.bit_size;
   return similar ? def : NULL;
}

static void
list_detours(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            if (!hd_instr_def(i) || !i->def.uses)
               continue;
            /* One site an instruction: which operand is asked for, all are in turn. */
            for (unsigned n = 0; n < 4; n++) {
               if (similar_operand(i, n))
                  hd_reduce_add_site(list, f, i, n);
            }
         }
      }
   }
}

static bool
take_operand(const site *s, hd_shader *shader)
{
   hd_instr *i = s->object;
   hd_def *def = i->def.uses ? similar_operand(i, s->choice) : NULL;

   (void)shader;
   if (!def)
      return false;
   /* The instruction stays, unused: another site may stand for it. */
   hd_def_replace_uses(&i->def, def);
   return true;
}

/* Constants */

static void
list_constants(sites *list, hd_shader *shader, uint32_t choice)
{
   hd_foreach_function(f, shader) {
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_const *c = hd_instr_as_const(i);
            bool large = false;
            for (unsigned n = 0; c && n < i->def.num_components; n++)
               large |= c->value[n].u64 > choice;
            if (large)
               hd_reduce_add_site(list, f, i, choice);
         }
      }
   }
}

static void
list_not_zero(sites *list, hd_shader *shader)
{
   list_constants(list, shader, 0);
}

static void
list_not_one(sites *list, hd_shader *shader)
{
   list_constants(list, shader, 1);
}

static bool
set_number(const site *s, hd_shader *shader)
{
   hd_instr *i = s->object;
   hd_const *c = hd_instr_as_const(i);

   (void)shader;
   for (unsigned n = 0; n < i->def.num_components; n++)
      c->value[n].u64 = s->choice;
   return true;
}

static bool
halve(const site *s, hd_shader *shader)
{
   hd_instr *i = s->object;
   hd_const *c = hd_instr_as_const(i);

   (void)shader;
   for (unsigned n = 0; n < i->def.num_components; n++)
      c->value[n].u64 /= 2;
   return true;
}

static bool
is_same_constant(const hd_const *a, const hd_const *b)
{
   const size_t size = a->instr.def.num_components * sizeof(a->value[0]);

   return a->instr.def.num_components == b->instr.def.num_components &&
          a->instr.def.bit_size == b->instr.def.bit_size && !memcmp(a->value, b->value, size);
}

/* Constants outside of the start block, and those in it that are there already. */
static void
list_scattered(sites *list, hd_shader *shader)
{
   hd_foreach_function(f, shader) {
      hd_block *start = hd_function_start(f);
      hd_foreach_block(b, f) {
         hd_foreach_instr(i, b) {
            const hd_const *c = hd_instr_as_const(i);
            if (!c)
               continue;
            bool first = b == start;
            hd_foreach_instr(other, start) {
               if (other == i || !first)
                  break;
               first &=
                   !(other->kind == HD_INSTR_CONST && is_same_constant(c, (const hd_const *)other));
            }
            if (!first)
               hd_reduce_add_site(list, f, i, 0);
         }
      }
   }
}

static bool
gather(const site *s, hd_shader *shader)
{
   hd_instr *i = s->object;
   hd_block *start = hd_function_start(s->f);

   (void)shader;
   hd_foreach_instr(other, start) {
      const hd_const *c = hd_instr_as_const(other);
      if (other == i || !c || !is_same_constant(c, (const hd_const *)i))
         continue;
      hd_def_replace_uses(&i->def, &other->def);
      hd_instr_remove(i);
      return true;
   }
   if (i->block == start)
      return false;
   hd_instr_move(hd_after_phis(start), i);
   return true;
}

const kind hd_reduce_value_kinds[] = {
   { "what is unused", list_unused, remove_unused, false },
   { "values that may be zero", list_zeros, make_zero, false },
   { "conditions", list_trues, make_true, false },
   { "detours", list_detours, take_operand, false },
   { "constants", list_not_zero, set_number, false },
   { "constants above 1", list_not_one, set_number, false },
   { "large constants", list_not_one, halve, true },
   { "constants that are there", list_scattered, gather, false },
};
const unsigned hd_reduce_num_value_kinds =
    sizeof(hd_reduce_value_kinds) / sizeof(hd_reduce_value_kinds[0]);
