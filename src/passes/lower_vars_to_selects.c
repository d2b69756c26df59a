/* SPDX-License-Identifier: MIT */
/* lower_vars_to_selects.c - replace small dynamically indexed arrays with variables and selects.
 *
 *    %2 = load_var $x, %i               %3 = iand %i, 1
 *    (x has four elements)              %4 = ine %3, 0
 *                              =>       %5 = select %4, $x_1, $x_0
 *                                       %6 = select %4, $x_3, $x_2
 *                                       (and by the next bit of %i, of %6 and %5)
 *
 *    (of three elements)       =>       select (ieq %i, 0), $x_0, (select (ieq %i, 1), $x_1, $x_2)
 *
 *    store_var $x, %1, %i      =>       $x_0 = select (ieq %i, 0), %1, $x_0
 *                                       $x_1 = select (ieq %i, 1), %1, $x_1, ...
 *
 * An array is small if all its elements together have at most `selects` components: about the cost
 * of one access. A larger one, of at most `few`, is so where it has few accesses: where they select from
 * at most `total` components together. An index past the end is undefined behaviour, so such an access
 * may read or write any element. An access with a constant index costs nothing.
 *
 * Requires:  valid IR, nothing more.
 * Preserves: all that depends on the graph alone.
 * Leaves:    variables of elements, to opt_vars_to_ssa; larger arrays, to lower_vars_to_scratch.
 * Tests:     tests/passes/lower_vars_to_selects.hd, tests/passes/lower_vars_to_selects.few.hd,
 *            tests/passes/test_run.c
 */
#include "heddle/build_ops.h"
#include "passes/lower.h"
#include "passes/vars.h"

struct state {
   hd_function *f;
   hd_undefs undefs;
   const lower_vars_to_selects_options *options;
   uint32_t *num_dynamic; /* by variable's index: accesses whose index is no constant */
   hd_var ***elements;    /* by variable's index; NULL: it stays */
};

/* A condition for all components of a vector. */
static hd_def *
repeat(hd_builder *b, hd_def *cond, unsigned num_components)
{
   hd_def *all[HD_MAX_COMPONENTS];

   for (unsigned n = 0; n < num_components; n++)
      all[n] = cond;
   return hd_build_vec(b, num_components, all);
}

/* Three are told apart by their numbers, of which at most one is the index. */
static hd_def *
choose_of_three(hd_builder *b, const hd_var *var, hd_def *const *value, hd_def *index)
{
   hd_def *chosen = value[2];

   for (uint32_t n = 2; n-- > 0;) {
      hd_def *cond = hd_ieq(b, index, hd_imm_u32(b, n));
      chosen = hd_select(b, repeat(b, cond, var->num_components), value[n], chosen);
   }
   return chosen;
}

/* Of each two neighbours one is left, by a bit of the index. */
static hd_def *
choose(hd_builder *b, hd_stack *stack, const hd_var *var, hd_var *const *elements, hd_def *index)
{
   const hd_stack_mark mark = hd_stack_get_mark(stack);
   uint32_t num = var->array_length;
   hd_def **value = hd_stack_alloc(stack, num * sizeof(*value));

   for (uint32_t n = 0; n < num; n++)
      value[n] = hd_load_var(b, elements[n], NULL);
   if (num == 3) {
      value[0] = choose_of_three(b, var, value, index);
      num = 1;
   }
   for (uint32_t bit = 1; num > 1; bit *= 2) {
      hd_def *masked = hd_iand(b, index, hd_imm_u32(b, bit));
      hd_def *odd = hd_ine(b, masked, hd_imm_u32(b, 0));
      hd_def *cond = repeat(b, odd, var->num_components);
      for (uint32_t n = 0; n + 1 < num; n += 2)
         value[n / 2] = hd_select(b, cond, value[n + 1], value[n]);
      if (num % 2)
         value[num / 2] = value[num - 1];
      num = (num + 1) / 2;
   }
   hd_def *chosen = value[0];
   hd_stack_release(stack, mark);
   return chosen;
}

static void
store_chosen(hd_builder *b, const hd_var *var, hd_var *const *elements, hd_def *index,
             hd_def *value)
{
   for (uint32_t n = 0; n < var->array_length; n++) {
      hd_def *cond = hd_ieq(b, index, hd_imm_u32(b, n));
      hd_def *old = hd_load_var(b, elements[n], NULL);
      hd_store_var(b, elements[n], NULL,
                   hd_select(b, repeat(b, cond, var->num_components), value, old));
   }
}

static void
lower_access(struct state *s, hd_var_access *access)
{
   const hd_var *var = access->var;
   hd_var **elements = s->elements[var->index];
   const hd_const *constant = var_const_index(access);
   hd_builder b = hd_builder_at(hd_before_instr(&access->instr));

   b.loc = access->instr.loc;
   if (constant && constant->value[0].u32 >= var->array_length) {
      hd_var_remove_access(&s->undefs, access);
      return;
   }
   if (constant || var->array_length == 1) {
      hd_var_name_element(access, elements[constant ? constant->value[0].u32 : 0]);
      return;
   }
   pass_step(s->f, var->array_length);
   hd_def *index = access->src[var_index_slot(access)].def;
   if (access->instr.kind == HD_INSTR_LOAD_VAR) {
      const uint32_t first_new = s->f->num_defs;
      hd_def *chosen = choose(&b, hd_shader_stack(s->f->shader), var, elements, index);
      hd_lower_replace(&access->instr, chosen, first_new);
   } else {
      store_chosen(&b, var, elements, index, access->src[0].def);
      hd_instr_remove(&access->instr);
   }
}

static void
count_accesses(struct state *s)
{
   hd_foreach_block(b, s->f) {
      hd_foreach_instr(i, b) {
         const hd_var_access *access = hd_instr_as_var_access(i);
         if (access && access->var->array_length && !var_const_index(access))
            s->num_dynamic[access->var->index]++;
      }
   }
}

static bool
is_small(const struct state *s, const hd_var *var)
{
   const uint64_t components = (uint64_t)var->array_length * var->num_components;

   if (components <= s->options->selects)
      return components > 0;
   return components <= s->options->few &&
          components * s->num_dynamic[var->index] <= s->options->total;
}

static bool
find_small(struct state *s)
{
   hd_stack *stack = hd_shader_stack(s->f->shader);
   struct var_names names = { .f = s->f };
   uint32_t num_new = 0;
   hd_var *last = s->f->last_var;

   s->num_dynamic = hd_stack_alloc_zero(stack, (s->f->num_vars + 1) * sizeof(*s->num_dynamic));
   s->elements = hd_stack_alloc_zero(stack, (s->f->num_vars + 1) * sizeof(*s->elements));
   if (s->options->few > s->options->selects && s->f->num_vars)
      count_accesses(s);
   hd_foreach_var(var, s->f) {
      if (is_small(s, var))
         num_new += var->array_length;
   }
   if (!num_new)
      return false;
   hd_var_names_find(&names, num_new);
   for (hd_var *var = s->f->first_var;; var = var->next) {
      if (is_small(s, var)) {
         hd_var **elements = hd_stack_alloc(stack, var->array_length * sizeof(hd_var *));
         for (uint32_t n = 0; n < var->array_length; n++)
            elements[n] = hd_var_make_part(&names, var, var->num_components, n);
         s->elements[var->index] = elements;
      }
      if (var == last)
         return true;
   }
}

bool
hd_lower_vars_to_selects(hd_function *f, const lower_vars_to_selects_options *o)
{
   struct state s = { .f = f, .options = o };
   const uint32_t num_vars = f->num_vars;

   if (!find_small(&s))
      return hd_progress(f, false, LOWER_VARS_TO_SELECTS_KEEPS);
   hd_undefs_init(&s.undefs, f);
   hd_foreach_block(b, f) {
      hd_foreach_instr_safe(i, b) {
         hd_var_access *access = hd_instr_as_var_access(i);
         pass_step(f, 1);
         if (access && access->var->index < num_vars && s.elements[access->var->index])
            lower_access(&s, access);
      }
   }
   for (hd_var *var = f->first_var, *next; var; var = next) {
      next = var->next;
      if (var->index < num_vars && s.elements[var->index])
         hd_var_remove(f, var);
   }
   return hd_progress(f, true, LOWER_VARS_TO_SELECTS_KEEPS);
}
